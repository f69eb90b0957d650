//! What somebody sees whose request is not done: the form again with what was typed, and a way onward.

use crate::program::Bench;
use crate::serve::server::{College, PASSWORD, Person, Reply, Server};
use serde_json::json;

/// Sends a form as a browser does from one of our pages.
fn send_from(person: &mut Person<'_>, server: &Server, page: &str, action: &str, body: &str) -> Reply {
    let referer = format!("{}{page}", server.base);
    let host = server.base.split_once("://").unwrap().1.to_owned();
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("referer", &referer), ("host", &host)];
    person.request("POST", action, &headers, body.as_bytes())
}

#[test]
fn a_refused_form_comes_again_as_it_was_typed_with_the_label_of_the_field_in_the_readers_language() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.form("/language", &[("language", "zh")]).status, 303);
    let round = format!(
        "title=%22%E6%98%A5%3C%22&unit=1&opens=2026-01-01T00:00&closes=2025-01-01T00:00&quota=7&interval_hours=5&self_checks=3\
         &limit=33&student_sees=ratio&anonymous=true&collections={}",
        college.open
    );
    let refused = send_from(&mut administrator, &server, "/rounds/new", "/rounds", &round);
    let page = refused.text();
    assert_eq!(refused.status, 422, "{page}");
    assert!(page.contains("role=\"alert\">“截止”未填写，或早于开始时间。"), "{page}");
    for typed in [
        "value=\"&quot;春&lt;&quot;\"",
        "name=\"closes\" required aria-invalid=\"true\" value=\"2025-01-01T00:00\"",
        "value=\"7\"",
        "value=\"33\"",
        "<option value=\"ratio\" selected>",
        "name=\"anonymous\" value=\"true\" checked",
    ] {
        assert!(page.contains(typed), "{typed}: {page}");
    }
    assert!(!page.contains("name=\"among\" value=\"true\" checked"), "what was not ticked is not: {page}");
    assert!(page.contains("<nav"), "{page}");
    // A list's wrong rows are told in the reader's language too.
    let list = "学号,姓名,身份\n1,甲,院长\n2,,学生\n";
    let told = administrator.upload("/people", &[], "名单.csv", list.as_bytes()).text();
    assert!(told.contains("第 2 行：“院长”不是有效角色") && told.contains("第 3 行：缺少姓名"), "{told}");
    let told = administrator.upload("/people", &[], "名单.docx", b"x").text();
    assert!(told.contains("“名单.docx”不是名单文件"), "{told}");
    // Limits are named.
    let large = administrator.form("/units", &[("name", &"x".repeat(300 << 10))]);
    assert!(large.status == 413 && large.text().contains("上限为 256 KiB"), "{}", large.text());
}

#[test]
fn every_page_that_tells_of_an_error_has_the_menu_and_a_way_onward() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut student = college.person("s1");
    for (path, status) in [("/nowhere", 404), ("/people", 403), ("/submissions/none", 404), ("/rounds/x/deposit", 405)]
    {
        let page = student.get(path);
        let text = page.text();
        assert_eq!(page.status, status, "{path}");
        let has_menu =
            text.contains("<nav") && text.contains("action=\"/logout\"") && text.contains("<a href=\"/\">Overview</a>");
        assert!(has_menu && !text.contains("/login"), "{path}: {text}");
    }
    let text = server.nobody().get("/nowhere").text();
    assert!(text.contains("href=\"/login\"") && !text.contains("<nav"), "{text}");
}

#[test]
fn signing_in_leads_to_the_link_that_was_opened_or_back_to_the_form_that_was_not_saved() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let _college = College::found(&server, json!({}));
    let mut nobody = server.nobody();
    let opened = nobody.get("/people?q=ben");
    assert_eq!((opened.status, opened.place()), (303, "/login?to=%2Fpeople%3Fq%3Dben"));
    let form = nobody.get(opened.place()).text();
    assert!(form.contains("name=\"to\" value=\"/people?q=ben\"") && !form.contains("signed out"), "{form}");
    // A wrong password keeps the number and the way.
    let wrong =
        send_from(&mut nobody, &server, opened.place(), "/login", "number=admin&password=wrong&to=%2Fpeople%3Fq%3Dben");
    let page = wrong.text();
    assert_eq!(wrong.status, 401);
    assert!(
        page.contains("value=\"admin\"") && page.contains("value=\"/people?q=ben\"") && !page.contains("wrong\""),
        "{page}"
    );
    let sign_in = |to: &str| {
        server.nobody().form("/login", &[("number", "admin"), ("password", PASSWORD), ("to", to)]).place().to_owned()
    };
    assert_eq!(sign_in("/people?q=ben"), "/people?q=ben");
    for elsewhere in ["//evil.example/", "https://evil.example/", "/\\evil.example", "/nowhere"] {
        assert_eq!(sign_in(elsewhere), "/", "{elsewhere}");
    }
    let ended = send_from(&mut nobody, &server, "/rounds/new", "/rounds", "title=x");
    assert_eq!(ended.place(), "/login?to=%2Frounds%2Fnew&ended=1");
    let form = nobody.get(ended.place()).text();
    assert!(form.contains("what you sent was not saved") && form.contains("value=\"/rounds/new\""), "{form}");
}
