//! The second factor of staff, and what is done for those who lost it or their password.

use crate::program::{Bench, copytrace};
use crate::serve::server::{College, PASSWORD, Person, Reply, Server};
use serde_json::json;
use totp_rs::{Builder, Secret};

/// Seconds for which a code is shown.
const STEP: u64 = 30;

pub fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs()
}

/// What an authenticator app shows for a key at a time.
pub fn code(key: &str, at: u64) -> String {
    Builder::new().with_secret(Secret::try_from_base32(key).unwrap()).build().unwrap().generate(at).to_string()
}

/// A key that the page offers.
fn offered(person: &mut Person<'_>) -> String {
    let page = person.form("/account/new-factor", &[]).text();
    page.split("name=\"key\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

/// Sets a second factor up, and gives its key.
pub fn set_up(person: &mut Person<'_>) -> String {
    let key = offered(person);
    assert_eq!(person.form("/account/factor", &[("key", &key), ("code", &code(&key, now()))]).status, 303);
    key
}

fn try_in(server: &Server, number: &str, code: &str) -> Reply {
    server.nobody().form("/login", &[("number", number), ("password", PASSWORD), ("code", code)])
}

#[test]
fn a_second_factor_is_set_up_by_a_code_and_then_asked_for_and_no_code_is_good_twice() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut supervisor = college.person("t1");
    let key = offered(&mut supervisor);
    // An account has ten attempts: none here may be wasted.
    // Steps before and after that of now are good too, so that a slow test meets the same ones.
    let (first, second) = (code(&key, now()), code(&key, now() + STEP));
    let wrong =
        (0..).map(|n| format!("{n:06}")).find(|n| *n != first && *n != second && *n != code(&key, now() - STEP));
    let wrong = wrong.unwrap();
    assert_eq!(supervisor.form("/account/factor", &[("key", &key), ("code", &wrong)]).status, 422);
    assert_eq!(supervisor.form("/account/factor", &[("key", &key), ("code", &first)]).status, 303);
    assert!(!supervisor.get("/account").text().contains(&key), "a key is never shown again");

    for refused in ["", &wrong, &first] {
        assert_eq!(try_in(&server, "t1", refused).status, 401, "{refused}");
    }
    assert_eq!(try_in(&server, "t1", &second).status, 303);
    assert_eq!(try_in(&server, "t1", &second).status, 401, "used");
    assert_eq!(supervisor.form("/account/factor", &[("code", &second)]).status, 422, "used");
    let password = [("old", PASSWORD), ("password", "another password"), ("code", &wrong)];
    assert_eq!(supervisor.form("/account/password", &password).status, 401, "an open browser is not enough");

    // Whoever lost the app asks an administrator.
    let mut administrator = college.administrator.clone();
    let people = administrator.get("/people?q=t1").text();
    let reset = people.split("action=\"").find_map(|part| part.split('"').next().filter(|at| at.ends_with("/factor")));
    let reset = reset.unwrap();
    assert_eq!(supervisor.form(reset, &[]).status, 403);
    assert_eq!(administrator.form(reset, &[]).status, 303);
    assert_eq!(try_in(&server, "t1", "").status, 303);
    let log = administrator.get("/audit").text();
    assert!(log.contains("set_second_factor") && log.contains("remove_second_factor"), "{log}");
}

#[test]
fn where_staff_need_a_second_factor_a_password_alone_opens_nothing_but_its_form() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let cookie = college.person("s1").cookie;
    let mut program = college.administrator.clone().program(&["read"]);
    assert_eq!(program.get("/api/v1/rounds").status, 200);
    let token = program.token;
    server.stop();
    let server = Server::start(&bench.path("data"), &["--require-second-factor"]);
    let mut administrator = server.sign_in("admin", PASSWORD);
    assert_eq!(administrator.get("/people").place(), "/account");
    assert_eq!(administrator.form("/account/tokens", &[("label", "x"), ("scopes", "read")]).place(), "/account");
    let mut same = server.nobody();
    same.token = token;
    assert_eq!(same.get("/api/v1/rounds").status, 403, "a token of before is no way round it");
    let mut student = server.nobody();
    student.cookie = cookie;
    assert_eq!(student.get("/").status, 200, "students need none");
    let key = offered(&mut administrator);
    assert_eq!(administrator.form("/account/factor", &[("key", &key), ("code", &code(&key, now()))]).status, 303);
    assert_eq!(administrator.get("/people").status, 200);
    assert_eq!(same.get("/api/v1/rounds").status, 200);
}

#[test]
fn a_lost_password_is_reset_beside_the_running_server_and_what_was_lost_opens_nothing() {
    let bench = Bench::new();
    let data = bench.path("data");
    let server = Server::start(&data, &[]);
    let mut administrator = server.administrator();
    let key = offered(&mut administrator);
    assert_eq!(administrator.form("/account/factor", &[("key", &key), ("code", &code(&key, now()))]).status, 303);
    let told = copytrace().args(["serve", "reset-password"]).arg(&data).assert().success();
    let told =
        String::from_utf8_lossy(&[&told.get_output().stdout[..], &told.get_output().stderr].concat()).into_owned();
    assert_eq!(administrator.get("/people").place(), "/login?to=%2Fpeople", "the sessions ended");
    assert_eq!(try_in(&server, "admin", &code(&key, now() + STEP)).status, 401);
    let link = told.split_whitespace().find(|word| word.starts_with("/invite/")).unwrap();
    let mut again = server.nobody();
    assert_eq!(again.form(link, &[("password", "a new password")]).status, 303);
    assert!(again.get("/audit").text().contains("reset_password"));
    copytrace().args(["serve", "reset-password"]).arg(&data).arg("nobody").assert().failure();
    copytrace().args(["serve", "reset-password"]).arg(bench.path("elsewhere")).assert().failure();
}
