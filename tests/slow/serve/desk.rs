//! The desk in a real browser: from the address that the program opens to the report.

use super::face::look_at_all;
use crate::generator::{Generator, Language, Recipe};
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

/// Sends the form with the theses, as the button does.
fn press_check(browser: &Browser) {
    browser.click("form[action=\"/desk/checks\"] button.main");
}

#[test]
fn forty_essays_are_dragged_in_and_who_shares_text_is_drawn_in_groups_that_lead_to_the_place() {
    const ESSAYS: usize = 40;
    let bench = Bench::new();
    let recipe = Recipe {
        seed: 37,
        documents: ESSAYS,
        length: 20_000,
        language: Language::English,
        duplicate_every: 0,
        boilerplate_every: 0,
    };
    let mut essays: Vec<String> = Generator::new(recipe).map(|essay| essay.chars().take(60_000).collect()).collect();
    // Two pairs and three of one group have a page in common: a twentieth of each, of which the picture must not look empty.
    for (one, other) in [(0, 1), (10, 11), (20, 21), (20, 22)] {
        let page: String = essays[one].chars().skip(20_000).take(3_000).collect();
        essays[other].insert_str(0, &page);
    }
    for (number, essay) in essays.iter().enumerate() {
        assert!(essay.len() >= 60_000, "{}", essay.len());
        bench.write(format!("class/{number:02}.txt"), essay);
    }
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let browser = Browser::start();
    browser.go(&format!("{}{path}", server.base));
    // The folder, as it lies in the file manager.
    browser.drop_files("[data-drop]", &[&bench.path("class")]);
    wait_for("the files of the folder", || browser.text("[data-chosen]").starts_with("40: ").then_some(()));
    press_check(&browser);
    wait_for("the groups", || {
        (browser.run("return document.querySelectorAll('#picture circle').length") == 7).then_some(())
    });
    assert_eq!(browser.run("return document.querySelectorAll('#table tbody tr').length"), ESSAYS);
    assert_eq!(violations(&browser), Vec::<String>::new(), "the page of a check");
    browser.picture("desk-forty.png");
    // A line of the picture leads to the report, at what the two have in common.
    let link = browser.run("return document.querySelector('#shared tbody a').getAttribute('href')");
    let other = browser.run("return document.querySelectorAll('#shared tbody a')[1].textContent.trim()");
    browser.go(&format!("{}{}", server.base, link.as_str().unwrap()));
    wait_for("the passage", || {
        (browser.run("return document.getElementById('compare').hidden") == false).then_some(())
    });
    assert!(browser.text("#compare").contains(other.as_str().unwrap()), "{other}");
    assert!(browser.text("#theirs").chars().count() > 500);
    assert_eq!(violations(&browser), Vec::<String>::new(), "a pair");
    browser.picture("desk-pair.png");
}

#[test]
fn a_file_that_cannot_be_read_when_it_is_sent_is_named_and_nothing_is_lost_of_the_others() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let browser = Browser::start();
    browser.go(&format!("{}{path}", server.base));
    let text = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let files = ["one.txt", "other.txt", "open in Word.docx"].map(|name| bench.write(name, &text));
    browser.drop_files("[data-drop]", &files.each_ref().map(|file| file.as_path()));
    wait_for("what was dropped", || browser.text("[data-chosen]").starts_with("3: ").then_some(()));
    assert_eq!(browser.run("return document.querySelector('[data-lost]').hidden"), true);
    // What another program keeps to itself and what has gone are the same to a page: neither can be read.
    std::fs::remove_file(&files[2]).unwrap();
    press_check(&browser);
    wait_for("the name", || browser.text("[data-lost]").contains("open in Word.docx").then_some(()));
    assert!(browser.text("[data-lost]").contains("Close them in other programs"));
    assert_eq!(violations(&browser), Vec::<String>::new());
    assert_eq!(browser.run("return location.pathname"), "/", "nothing was sent yet");
    assert!(browser.text("[data-chosen]").starts_with("2: "), "{}", browser.text("[data-chosen]"));
    press_check(&browser);
    wait_for("the ratios", || browser.text("main").contains("100.0%").then_some(()));
    assert_eq!(browser.run("return document.querySelectorAll('#table tbody tr').length"), 2);
}
