//! Signing in, in a browser, by providers that others have written: oidc-provider (npm), Glewlwyd (Debian), django-mama-cas (PyPI).

use super::face::speak;
use super::others::Other;
use crate::program::{Bench, wait_for};
use crate::serve::server::{College, Server};
use crate::slow::browser::driver::Browser;
use serde_json::json;
use std::process::Command;

const SECRET: &str = "a-secret-of-this-service-and-the-provider";

/// A service that knows one provider, under the word `campus` or `cas`.
fn start(bench: &Bench, settings: &str) -> Server {
    let config = format!("[[serve.provider]]\nname = {{ en = 'Campus sign-in', zh = '统一身份认证' }}\n{settings}\n");
    let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    program.env("COPYTRACE_CONFIG", bench.write("copytrace.toml", config));
    Server::try_start_by(program, &bench.path("data"), &[]).unwrap()
}

/// A service that knows a provider of OpenID Connect, which is told of it, and the provider's address.
fn start_by_oidc(bench: &Bench, provider: &mut Other) -> (Server, String) {
    let (address, secret) = (provider.line(), bench.write("secret", SECRET));
    let settings = format!(
        "id = 'campus'\nprotocol = 'oidc'\naddress = '{address}'\nclaim = 'student_number'\nclient = 'copytrace'\n\
         secret-file = '{}'\nname-claim = 'name'",
        secret.display()
    );
    let server = start(bench, &settings);
    provider.tell(&server.base);
    assert_eq!(provider.line(), "ready");
    (server, address)
}

/// Follows the provider's link on the page of signing in, in a language.
fn begin(browser: &Browser, server: &Server, language: &str, name: &str) {
    speak(browser, server, language);
    browser.go(&format!("{}/login", server.base));
    assert_eq!(browser.text("a[href^='/sign-in/']"), name);
    browser.follow("a[href^='/sign-in/']");
}

/// Whether the browser's session is one of somebody who is signed in.
fn is_in(browser: &Browser, server: &Server) -> bool {
    browser.go(&format!("{}/account", server.base));
    browser.address().ends_with("/account")
}

/// Signs out here, and follows the link that leads to the provider.
fn sign_out(browser: &Browser, server: &Server) {
    browser.go(&format!("{}/", server.base));
    browser.follow("form[action='/logout'] button");
    assert!(browser.address().contains("/login?out="), "{}", browser.address());
    browser.follow("main a[href^='http']");
}

#[test]
fn by_a_provider_of_openid_connect_people_sign_in_and_out_on_both_sides_in_both_languages() {
    let bench = Bench::new();
    let mut provider = Other::node("oidc.mjs", &[crate::program::project("target/others"), SECRET.into()]);
    let (server, address) = start_by_oidc(&bench, &mut provider);
    let _college = College::found(&server, json!({}));
    let browser = Browser::start();
    let signs_in = |language: &str, name: &str, who: &str| {
        begin(&browser, &server, language, name);
        browser.fill("input[name=login]", who);
        browser.fill("input[name=password]", "any");
        browser.follow("button[type=submit]");
        // What the service may know is asked for once.
        if browser.address().contains("/interaction/") {
            browser.follow("button[type=submit]");
        }
    };
    signs_in("zh", "统一身份认证", "s1");
    assert_eq!(browser.address(), format!("{}/", server.base));
    assert_eq!(browser.run("return document.documentElement.lang"), "zh-CN");
    assert!(is_in(&browser, &server) && browser.text("main").contains("Ann One"));
    sign_out(&browser, &server);
    browser.follow("button[name=logout]");
    assert_eq!(browser.address(), format!("{}/login", server.base));
    assert!(!is_in(&browser, &server));

    signs_in("en", "Campus sign-in", "nobody-here");
    assert!(browser.text("main").contains("no active account here"), "{}", browser.text("main"));
    assert!(!is_in(&browser, &server));
    browser.go(&format!("{address}/session/end"));
    browser.follow("button[name=logout]");

    // Signed out there, the provider tells the service.
    signs_in("en", "Campus sign-in", "s1");
    assert!(is_in(&browser, &server));
    browser.go(&format!("{address}/session/end"));
    browser.follow("button[name=logout]");
    wait_for("the end of the session", || (!is_in(&browser, &server)).then_some(()));
}

#[test]
fn by_another_provider_of_openid_connect_people_sign_in_with_its_own_pages() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("provider")).unwrap();
    let mut provider = Other::python("glewlwyd.py", &[bench.path("provider").into_os_string(), SECRET.into()]);
    let (server, _) = start_by_oidc(&bench, &mut provider);
    let _college = College::found(&server, json!({}));
    for (language, name, who, is_known) in
        [("zh", "统一身份认证", "s1", true), ("en", "Campus sign-in", "nobody-here", false)]
    {
        let browser = Browser::start();
        begin(&browser, &server, language, name);
        browser.wait("document.querySelector('#username') !== null");
        browser.type_into("#username", who);
        browser.type_into("#password", &format!("the password of {who}"));
        browser.click("#loginbut");
        browser.wait("document.querySelector('#grant-profile') !== null");
        browser.click("#grant-profile");
        let press = |words: &str| {
            let button = format!(
                "[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === '{words}' && !one.disabled)"
            );
            browser.wait(&format!("{button} !== undefined"));
            browser.run(&format!("{button}.click()"));
        };
        press("Grant access");
        press("Continue");
        wait_for("the way back", || browser.address().starts_with(&server.base).then_some(()));
        let told = browser.text("main");
        assert_eq!(is_in(&browser, &server), is_known, "{who}: {told}");
        assert!(!is_known || browser.text("main").contains("Ann One"));
    }
}

#[test]
fn by_a_server_of_cas_people_sign_in_and_a_sign_out_there_ends_the_session_here() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("cas")).unwrap();
    let mut provider = Other::python("cas.py", &[bench.path("cas")]);
    let address = provider.line();
    let server = start(&bench, &format!("id = 'cas'\nprotocol = 'cas'\naddress = '{address}'\nclaim = 'user'\n"));
    let _college = College::found(&server, json!({}));
    let browser = Browser::start();
    let signs_in = |language: &str, name: &str, who: &str, password: &str| {
        begin(&browser, &server, language, name);
        browser.fill("input[name=username]", who);
        browser.fill("input[name=password]", password);
        browser.follow("[type=submit]");
    };
    signs_in("zh", "统一身份认证", "s1", "a password of Ann");
    assert_eq!(browser.address(), format!("{}/", server.base));
    assert!(is_in(&browser, &server) && browser.text("main").contains("Ann One"));
    browser.go(&format!("{address}/logout"));
    wait_for("the end of the session", || (!is_in(&browser, &server)).then_some(()));
    signs_in("en", "Campus sign-in", "nobody-here", "a password of somebody else");
    assert!(!is_in(&browser, &server));
}
