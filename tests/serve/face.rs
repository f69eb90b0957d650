//! The pages in a real browser: accessible, in both languages, light and dark, on a phone, without a complaint.

use crate::accessibility::violations;
use crate::driver::Browser;
use crate::program::Bench;
use crate::server::Server;
use std::time::{Duration, Instant};

fn fill(browser: &Browser, selector: &str, value: &str) {
    browser.run(&format!("document.querySelector({selector:?}).value = {value:?}"));
}

fn submit(browser: &Browser, selector: &str) {
    browser.run(&format!("document.querySelector({selector:?}).requestSubmit()"));
    std::thread::sleep(Duration::from_millis(700));
}

#[test]
fn a_newcomer_comes_from_the_link_to_the_demo_s_report_and_every_page_is_accessible() {
    let (bench, start) = (Bench::new(), Instant::now());
    let server = Server::start(&bench.path("data"), &["--demo"]);
    let link = server.told("/invite/").rsplit(' ').next().unwrap();
    let browser = Browser::start();
    browser.go(link);
    assert_eq!(violations(&browser), Vec::<String>::new(), "the link's page");
    fill(&browser, "input[name=password]", "a password of a newcomer");
    submit(&browser, "form.box");
    let deadline = start + Duration::from_secs(60);
    while !browser.text("main").contains("50.3 %") {
        assert!(Instant::now() < deadline, "{}", browser.text("main"));
        std::thread::sleep(Duration::from_millis(300));
        browser.go(&server.base);
    }
    let submission = browser.run("return document.querySelector('a[href^=\"/submissions/\"]').getAttribute('href')");
    let submission = submission.as_str().unwrap().to_owned();
    browser.go(&format!("{}{submission}/report", server.base));
    assert!(browser.text("#figures").contains("50.3 %"));
    let round = {
        browser.go(&server.base);
        browser
            .run("return document.querySelector('a[href^=\"/rounds/\"]').getAttribute('href')")
            .as_str()
            .unwrap()
            .to_owned()
    };
    let report = format!("{submission}/report");
    let pages = [
        "/",
        &submission,
        &report,
        &round,
        "/rounds/new",
        "/people",
        "/collections",
        "/collections/1",
        "/audit",
        "/account",
        "/no-such-page",
    ];
    for (language, dark, width) in [("en", false, 1280), ("zh", true, 1280), ("zh", false, 390), ("en", true, 390)] {
        browser.go(&server.base);
        browser.run(&format!(
            "return fetch('/language', {{ method: 'POST', body: new URLSearchParams({{ language: '{language}' }}) }}).then((reply) => reply.status)"
        ));
        if dark {
            browser.dark();
        }
        browser.size(width, 900);
        for page in pages {
            browser.go(&format!("{}{page}", server.base));
            let found = violations(&browser);
            assert_eq!(found, Vec::<String>::new(), "{page} {language} dark {dark} width {width}");
            let lang = browser.run("return document.documentElement.lang");
            assert!(lang.as_str().unwrap().starts_with(language) || page == "/no-such-page", "{page}: {lang}");
            if !page.ends_with("/report") {
                let wide = browser.run("return document.documentElement.scrollWidth > innerWidth + 1");
                assert_eq!(wide, false, "{page} is wider than the window of {width}");
            }
        }
        browser.picture(&format!("serve-{language}-{width}.png"));
    }
    let complaints: Vec<String> = browser
        .complaints()
        .iter()
        .map(ToString::to_string)
        .filter(|said| !said.contains("no-such-page") && !said.contains("\"DEBUG\""))
        .collect();
    assert_eq!(complaints, Vec::<String>::new());
}
