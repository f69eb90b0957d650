//! The pages in a real browser: accessible, in both languages, light and dark, on a phone, without a complaint.

use crate::program::{Bench, project, wait_for};
use crate::serve::server::{College, PASSWORD, Server};
use crate::slow::browser::accessibility::violations;
use crate::slow::browser::driver::Browser;
use std::io::Write;

/// Sends a form, and waits for the page that answers it.
fn submit(browser: &Browser, selector: &str) {
    browser.leave(&format!("document.querySelector({selector:?}).requestSubmit()"));
}

/// What a page leads to first that begins like this.
fn first_link(browser: &Browser, beginning: &str) -> String {
    let found = browser.run(&format!("return document.querySelector('a[href^=\"{beginning}\"]').getAttribute('href')"));
    found.as_str().unwrap().to_owned()
}

/// Chooses the language of pages.
pub fn speak(browser: &Browser, server: &Server, language: &str) {
    browser.go(&format!("{}/", server.base));
    browser.run(&format!(
        "return fetch('/language', {{ method: 'POST', body: new URLSearchParams({{ language: '{language}' }}) }}).then((reply) => reply.status)"
    ));
}

/// Each page in both languages, light and dark, on a desk and on a phone.
pub fn look_at_all(browser: &Browser, server: &Server, who: &str, pages: &[String]) {
    for (language, dark, width) in [("en", false, 1280), ("zh", true, 1280), ("zh", false, 390), ("en", true, 390)] {
        speak(browser, server, language);
        browser.shade(dark);
        browser.size(width, 900);
        for (n, page) in pages.iter().enumerate() {
            browser.go(&format!("{}{page}", server.base));
            let found = violations(browser);
            assert_eq!(found, Vec::<String>::new(), "{who}: {page} {language} dark {dark} width {width}");
            let lang = browser.run("return document.documentElement.lang");
            assert!(lang.as_str().unwrap().starts_with(language) || page == "/no-such-page", "{page}: {lang}");
            if !page.contains("/report") && !page.contains("/view/") {
                let wide = browser.run("return document.documentElement.scrollWidth > innerWidth + 1");
                assert_eq!(wide, false, "{page} is wider than the window of {width}");
            }
            browser.picture(&format!("serve-{who}-{language}-{width}-{n}.png"));
        }
    }
}

fn sign_in(browser: &Browser, server: &Server, number: &str, password: &str) {
    browser.run("return fetch('/logout', { method: 'POST' }).then((reply) => reply.status)");
    browser.go(&format!("{}/login", server.base));
    browser.fill("input[name=number]", number);
    browser.fill("input[name=password]", password);
    submit(browser, "form.box");
}

#[test]
fn a_newcomer_comes_from_the_link_to_the_demo_s_report_and_every_page_is_accessible() {
    let bench = Bench::new();
    let mail = "{ server = '127.0.0.1', port = 9, encryption = 'none', from = 'office@example.edu' }";
    let server = Server::start(&bench.path("data"), &["--demo", "--mail", mail]);
    let link = server.told("/invite/").rsplit(' ').next().unwrap();
    let browser = Browser::start();
    browser.go(link);
    assert_eq!(violations(&browser), Vec::<String>::new(), "the link's page");
    browser.fill("input[name=password]", "a password of a newcomer");
    submit(&browser, "form.box");
    wait_for("the report of the copied text", || {
        browser.go(&server.base);
        browser.text("main").contains("50.3%").then_some(())
    });
    let (submission, round) = (first_link(&browser, "/submissions/"), first_link(&browser, "/rounds/"));
    browser.go(&format!("{}{submission}/report", server.base));
    assert!(browser.text("#figures").contains("50.3%"));

    // What the demo has not: an archive that waits, a file that cannot be read, a link for a third system, a decision.
    let mut administrator = server.sign_in("admin", "a password of a newcomer");
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["2026001_Alex.txt", "nobody.txt"] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(b"The text of a thesis.").unwrap();
    }
    let archive = archive.finish().unwrap().into_inner();
    let batch =
        administrator.upload(&format!("{round}/batch"), &[("kind", "draft")], "t.zip", &archive).place().to_owned();
    let fields = [("student", "2026001"), ("kind", "draft")];
    let broken =
        administrator.upload(&format!("{round}/submissions"), &fields, "broken.docx", b"PK\x03\x04 no document");
    let broken = broken.place().to_owned();
    administrator.wait_for(broken.rsplit('/').next().unwrap());
    let source = administrator.get(&format!("{submission}/report.json")).json()["sources"][0]["id"].clone();
    let decision = [("source", source.as_str().unwrap()), ("reason", "a common form")];
    assert_eq!(administrator.form(&format!("{submission}/decisions"), &decision).status, 303);
    let verdict = [("verdict", "revise"), ("comment", "Cite the marsh.")];
    assert_eq!(administrator.form(&format!("{submission}/verdict"), &verdict).status, 303);
    let mut program = administrator.program(&["read"]);
    let viewer = program.post_json(&format!("/api/v1{submission}/viewer"), &serde_json::json!({})).json();

    let pages = |more: &[&str]| {
        let common = ["/", submission.as_str(), &format!("{submission}/report"), &round, "/account", "/no-such-page"];
        common.iter().chain(more).map(|page| (*page).to_owned()).collect::<Vec<_>>()
    };
    let (edit, students, reviewers) =
        (format!("{round}/edit"), format!("{round}/students"), format!("{round}/reviewers"));
    let of_administrator = [
        edit.as_str(),
        &students,
        &reviewers,
        &batch,
        &broken,
        viewer["path"].as_str().unwrap(),
        "/rounds/new",
        "/people",
        "/people?q=none",
        "/units",
        "/collections",
        "/collections/1",
        "/audit",
        "/data-protection",
        "/letters",
        "/webhooks",
    ];
    look_at_all(&browser, &server, "administrator", &pages(&of_administrator));
    // A list is chosen, and what it would do is shown; then a person is added by the form that folds away.
    for (language, width, title) in [("en", 1280, "Preview"), ("zh", 390, "预览")] {
        browser.size(width, 900);
        browser.run(&format!(
            "return fetch('/language', {{ method: 'POST', body: new URLSearchParams({{ language: '{language}' }}) }}).then((reply) => reply.status)"
        ));
        browser.go(&format!("{}/people", server.base));
        let list = "number,name,role\\nn1,Nia New,student\\n,No Number,\\n2026001,Alex,student\\n";
        browser.run(&format!(
            "const data = new DataTransfer(); data.items.add(new File([\"{list}\"], 'list.csv')); \
             const field = document.querySelector('input[type=file]'); field.files = data.files; \
             window.isOld = true; field.form.requestSubmit(field.form.querySelector('button'))"
        ));
        wait_for("what the list would do", || (browser.text("h1") == title).then_some(()));
        assert_eq!(violations(&browser), Vec::<String>::new(), "{language} {width}");
        assert!(browser.text("main").contains("Nia New"));
        browser.picture(&format!("serve-preview-{language}-{width}.png"));
    }
    // Chinese reasons, where the pages are Chinese.
    administrator.form("/language", &[("language", "zh")]);
    let told = administrator.get(&broken).text();
    assert!(told.contains("无法检测") && told.contains("文件已损坏"), "{told}");
    let password = server.told("password of each").rsplit(' ').next().unwrap();
    sign_in(&browser, &server, "supervisor", password);
    look_at_all(&browser, &server, "supervisor", &pages(&[&students, &broken]));
    sign_in(&browser, &server, "2026001", password);
    // To students their own alone.
    browser.go(&format!("{}{round}", server.base));
    let own = first_link(&browser, "/submissions/");
    look_at_all(&browser, &server, "student", &["/", &round, &own, &broken, "/account"].map(str::to_owned));
    browser.run("return fetch('/logout', { method: 'POST' }).then((reply) => reply.status)");
    look_at_all(&browser, &server, "nobody", &["/login", "/lost-password", "/no-such-page"].map(str::to_owned));
    let complaints: Vec<String> = browser
        .complaints()
        .iter()
        .map(ToString::to_string)
        .filter(|said| !said.contains("no-such-page") && !said.contains("\"DEBUG\""))
        .collect();
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn a_passage_is_left_out_beside_its_text_and_what_a_reader_switched_off_is_not_printed() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--workers", "2"]);
    let college = College::found(&server, serde_json::json!({ "among": true }));
    let text = |name: &str| std::fs::read(project(format!("corpora/demo/submissions/{name}.txt"))).unwrap();
    let id = college.hand_in("s1", "s1.txt", &text("en-01-estuary-crossing"));
    for student in ["s2", "s3"] {
        college.hand_in(student, "farm.txt", &text("en-04-farm-college"));
    }
    let browser = Browser::start();
    browser.go(&format!("{}/login", server.base));
    browser.fill("input[name=number]", "admin");
    browser.fill("input[name=password]", PASSWORD);
    submit(&browser, "form.box");
    // The round's page follows the work, and shows at the end who shares with whom.
    browser.go(&format!("{}/rounds/{}", server.base, college.round));
    wait_for("the overview", || {
        (browser.run("return document.querySelectorAll('#picture circle').length") == 2).then_some(())
    });
    browser.click("#table th:first-child button");
    let order = "return [...document.querySelectorAll('#table tbody tr')].map((row) => row.cells[0].textContent.trim().slice(0, 2))";
    assert_eq!(browser.run(order), serde_json::json!(["s1", "s2", "s3"]));
    browser.run("const search = document.querySelector('#search'); search.value = 'Ben'; search.dispatchEvent(new Event('input'))");
    assert_eq!(
        browser.run("return [...document.querySelectorAll('#table tbody tr')].filter((row) => !row.hidden).length"),
        1
    );

    let place = format!("{}/submissions/{id}/report", server.base);
    browser.go(&place);
    let all = |browser: &Browser| browser.text("#figures .figure[data-ratio=all] .value");
    let found = all(&browser);
    browser.press("n");
    assert_eq!(browser.run("return document.getElementById('decide').hidden"), false);
    // Keys that are typed are letters there, and no ways to the next passage.
    browser.run("document.querySelector('#decide input[name=reason]').focus()");
    browser.press("n");
    assert_eq!(browser.run("return document.querySelector('#decide input[name=reason]').value"), "n");
    assert_eq!(browser.text("#position").trim().split(' ').next(), Some("1"));
    browser.run("document.querySelector('#decide select').value = 'source'");
    submit(&browser, "#decide");
    assert_ne!(all(&browser), found);
    assert!(browser.text("#figures .figure[data-ratio=all]").contains(&format!("As found: {found}")));
    // The page comes back to the passage, which is shown as not counted and cannot be left out again.
    let chosen = browser.run(
        "return [location.hash, document.getElementById('decide').hidden, document.getElementById('why').textContent.includes('left out in review'),
                 document.querySelector('article mark.excluded.chosen') !== null, document.querySelector('#sources li.off') !== null]",
    );
    assert_eq!(chosen, serde_json::json!(["#p=1", true, true, true, true]));
    browser.picture("serve-report-decided.png");
    let reviewed = all(&browser);
    // What a reader switches off is not printed.
    browser.run("document.querySelectorAll('#sources input').forEach((box) => box.click())");
    assert_eq!(all(&browser), "0.0%");
    browser.run("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(all(&browser), reviewed);
    assert_eq!(browser.text("#left-out"), "");
    browser.run("dispatchEvent(new Event('afterprint'))");
    assert_eq!(all(&browser), "0.0%");
    // What counts is visited first.
    browser.go(&place);
    browser.press("n");
    assert_eq!(browser.run("return document.getElementById('decide').hidden"), false);
    browser.go(&place);
    submit(&browser, "#decisions form");
    assert_eq!(all(&browser), found);
    let complaints: Vec<_> =
        browser.complaints().into_iter().filter(|said| !said.to_string().contains("DEBUG")).collect();
    assert_eq!(complaints, Vec::<serde_json::Value>::new());
}
