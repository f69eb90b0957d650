//! Whatever pages do programs can do, too.

use crate::program::Bench;
use crate::serve::server::Server;
use copytrace_serve::http::route::{Route, Takes};
use copytrace_serve::server::routes::ROUTES;
use serde_json::json;

/// What only a person does in a browser, with the reason. All else that pages change programs can, too.
const PAGES_ALONE: &[(&str, &str)] = &[
    (
        "/account/",
        "sessions, tokens, the second factor and the password: a token that could would make itself more than it is",
    ),
    ("/rounds/{id}/batch", "is `batches` there"),
    ("/lti/round", "answers a platform that waits in a browser, with what it said at the launch"),
];

fn twin(page: &'static Route) -> Option<&'static Route> {
    let path = format!("/api/v1{}", page.path);
    let of_object = ["/erase", "/remove"].iter().find_map(|end| path.strip_suffix(end));
    let changes = |route: &&Route| route.method != "GET" && route.described.is_some();
    let same = ROUTES.iter().filter(changes).find(|route| route.path == path);
    let gone = || ROUTES.iter().find(|route| route.method == "DELETE" && of_object == Some(route.path));
    same.or_else(gone)
}

#[test]
fn whatever_a_page_changes_a_program_can_change_in_the_same_roles() {
    let mut counted = 0;
    let is_page = |route: &&Route| route.method == "POST" && !route.path.starts_with("/api/");
    // Who is not signed in signs in, which programs do by tokens.
    for page in ROUTES.iter().filter(is_page).filter(|route| !route.is_for_everybody()) {
        if PAGES_ALONE.iter().any(|(path, _)| page.path.starts_with(path)) {
            continue;
        }
        let twin = twin(page).unwrap_or_else(|| panic!("no operation for {}", page.path));
        assert_eq!(twin.roles, page.roles, "{}", page.path);
        assert!(twin.scope.is_some(), "{}", page.path);
        // What a page takes beyond being sure is typed; files speak for themselves.
        let fields = twin.described.as_ref().is_some_and(|described| described.fields.is_some());
        assert!(fields || twin.takes != Takes::Fields, "{}", page.path);
        counted += 1;
    }
    assert!(counted > 50, "{counted}");
    for (path, why) in PAGES_ALONE {
        assert!(ROUTES.iter().any(|route| route.path.starts_with(path)) && !why.is_empty(), "{path}");
    }
}

#[test]
fn the_description_has_the_words_that_are_sent_and_no_others() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let schemas = server.nobody().get("/api/v1/openapi.json").json()["components"]["schemas"].clone();
    assert_eq!(schemas["Kind"]["enum"], json!(["self", "draft", "final"]));
    for (name, schema) in schemas.as_object().unwrap() {
        for word in schema["enum"].as_array().into_iter().flatten() {
            let word = word.as_str().unwrap();
            assert!(!word.contains(char::is_uppercase), "{name}: {word}");
        }
    }
}
