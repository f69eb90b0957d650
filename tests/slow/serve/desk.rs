//! The desk in a real browser: from the address that the program opens to the report.

use super::face::look_at_all;
use crate::program::{Bench, project, wait_for};
use crate::serve::server::Server;
use crate::slow::browser::accessibility::violations;
use crate::slow::browser::driver::Browser;

/// Drops two texts of the demo onto the page, as a person drags them there.
fn drop_two(browser: &Browser) {
    let text = |name: &str| {
        let text = std::fs::read_to_string(project(format!("corpora/demo/submissions/{name}"))).unwrap();
        serde_json::to_string(&text).unwrap()
    };
    let (one, other) = (text("en-01-estuary-crossing.txt"), text("en-02-piano-rounds.txt"));
    browser.run(&format!(
        "const dropped = new DataTransfer(); \
         dropped.items.add(new File([{one}], 'first.txt')); dropped.items.add(new File([{one} + {other}], 'second.txt')); \
         document.querySelector('[data-drop]').dispatchEvent(new DragEvent('drop', {{ dataTransfer: dropped, bubbles: true, cancelable: true }}))"
    ));
    wait_for("the names of what was dropped", || browser.text("[data-chosen]").contains("second.txt").then_some(()));
}

#[test]
fn theses_are_dropped_onto_the_page_and_the_report_is_there_and_every_page_is_accessible() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let browser = Browser::start();
    browser.go(&format!("{}{path}", server.base));
    assert_eq!(browser.run("return location.href"), format!("{}/", server.base), "the secret leaves the address bar");
    assert_eq!(browser.run("return document.cookie"), "", "no script reads the session");
    assert_eq!(violations(&browser), Vec::<String>::new(), "an empty desk");
    drop_two(&browser);
    browser.run("document.querySelector('form.box').requestSubmit()");
    wait_for("the ratios", || browser.text("main").contains("100.0%").then_some(()));
    let link = |beginning: &str| {
        let found =
            browser.run(&format!("return document.querySelector('a[href^=\"{beginning}\"]').getAttribute('href')"));
        found.as_str().unwrap().trim_end_matches("/report").to_owned()
    };
    let (round, submission) =
        (browser.run("return location.pathname").as_str().unwrap().to_owned(), link("/submissions/"));
    browser.go(&format!("{}{submission}/report", server.base));
    assert!(browser.text("#figures").contains('%'));
    browser.go(&format!("{}/", server.base));
    browser.run("return fetch('/collections', { method: 'POST', body: new URLSearchParams({ name: 'Mine' }) }).then((reply) => reply.status)");
    let report = format!("{submission}/report");
    let pages = [
        "/",
        "/?q=none",
        &round,
        &submission,
        &report,
        "/collections",
        "/collections/1",
        "/desk/help",
        "/no-such-page",
    ];
    look_at_all(&browser, &server, "desk", &pages.map(str::to_owned));
    browser.go(&format!("{}/", server.base));
    browser.run("document.querySelector('form[action=\"/desk/end\"]').requestSubmit()");
    server.wait();
}
