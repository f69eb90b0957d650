//! Signing in by providers of the institution, and all that must not sign anybody in.

use crate::program::Bench;
use crate::serve::provider::{Provider, SECRET, Twist, parameters, seconds};
use crate::serve::second_factor::{code, now, set_up};
use crate::serve::server::{College, PASSWORD, Person, Reply, Server};
use serde_json::{Value, json};
use std::process::Command;

/// A server that knows a provider as `campus` (OpenID Connect) and as `cas`, with more settings for the first.
pub fn start(bench: &Bench, provider: &Provider, more: &str) -> Server {
    let secret = bench.write("secret", format!("{SECRET}\n"));
    let config = format!(
        "[[serve.provider]]\nid = 'campus'\nname = {{ en = 'Campus sign-in', zh = '统一身份认证' }}\nprotocol = 'oidc'\naddress = '{base}'\n\
         client = 'copytrace'\nsecret-file = '{}'\nclaim = 'no'\nname-claim = 'name'\n{more}\n\n\
         [[serve.provider]]\nid = 'cas'\nname = {{ en = 'Library card' }}\nprotocol = 'cas'\naddress = '{base}/cas'\nclaim = 'no'\n",
        secret.display(),
        base = provider.base
    );
    let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    program.env("COPYTRACE_CONFIG", bench.write("copytrace.toml", config));
    Server::try_start_by(program, &bench.path("data"), &[]).unwrap()
}

/// Where the service sends a browser that begins to sign in.
fn asked(person: &mut Person<'_>, from: &str) -> String {
    let reply = person.get(from);
    assert_eq!(reply.status, 303, "{}", reply.text());
    reply.place().to_owned()
}

/// Signs in at the provider with these claims, and comes back.
pub fn come_back(person: &mut Person<'_>, provider: &Provider, claims: Value) -> Reply {
    let back = provider.grants(&asked(person, "/sign-in/campus"), claims);
    person.get(&format!("/sign-in/campus/back?{back}"))
}

fn is_in(person: &mut Person<'_>) -> bool {
    person.get("/account").status == 200
}

#[test]
fn a_person_signs_in_by_the_provider_is_led_to_the_link_that_was_opened_and_signs_out_on_both_sides() {
    let bench = Bench::new();
    let provider = Provider::start();
    let server = start(&bench, &provider, "");
    let college = College::found(&server, json!({}));
    let round = format!("/rounds/{}", college.round);
    let mut student = server.nobody();
    let login = student.get(&round).place().to_owned();
    for (language, name) in [("en", "Campus sign-in"), ("zh", "统一身份认证")] {
        let page = student.request("GET", &login, &[("accept-language", language)], b"").text();
        assert!(page.contains(&format!(">{name}</a>")) && page.contains(">Library card</a>"), "{page}");
        assert!(page.contains("name=\"password\""), "the local sign-in remains: {page}");
    }
    let page = student.get(&login).text();
    let link = page.split("href=\"/sign-in/campus").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let place = asked(&mut student, &format!("/sign-in/campus{link}"));
    assert!(place.starts_with(&format!("{}/authorize?tenant=1&", provider.base)), "{place}");
    let sent = parameters(place.split_once('?').unwrap().1);
    assert_eq!(sent["redirect_uri"], format!("{}/sign-in/campus/back", server.base));
    assert_eq!((sent["scope"].as_str(), sent["client_id"].as_str()), ("openid profile", "copytrace"));
    let back = format!(
        "/sign-in/campus/back?{}",
        provider.grants(&place, json!({ "sub": "1", "no": "s1", "name": "Renamed" }))
    );
    let before = student.clone();
    assert_eq!(student.get(&back).place(), round);
    let page = student.get(&round).text();
    assert!(
        page.contains("Ann One") && !page.contains("Renamed"),
        "known by the number, called as the office calls her: {page}"
    );
    let log = college.administrator.clone().get("/audit?q=ann+one").text();
    assert!(log.contains("title=\"sign_in\">signed in <bdi>campus</bdi>"), "{log}");

    // The same address once more, with the cookie of then: the sign-in is over.
    for mut again in [before.clone(), server.nobody()] {
        assert!([400, 403].contains(&again.get(&back).status));
        assert!(!is_in(&mut again));
    }
    // Out here, and then there.
    let out = student.form("/logout", &[]).place().to_owned();
    assert_eq!(out, "/login?out=campus");
    let page = student.get(&out).text();
    let there = format!("{}/logout?client_id=copytrace&amp;post_logout_redirect_uri=", provider.base);
    assert!(page.contains(&there) && !is_in(&mut student), "{page}");
    assert_eq!(server.sign_in("admin", PASSWORD).form("/logout", &[]).place(), "/login");

    // The provider tells that somebody has signed out there: of one session, and of all.
    let signed_out = |more: Value| {
        let event = json!({ "http://schemas.openid.net/event/backchannel-logout": {} });
        let mut claims = json!({ "events": event, "jti": "1" });
        more.as_object().unwrap().iter().for_each(|(name, value)| claims[name] = value.clone());
        let token = provider.token(claims);
        let form = format!("logout_token={token}");
        let headers = [("content-type", "application/x-www-form-urlencoded"), ("origin", "")];
        server.nobody().request("POST", "/sign-in/campus/back", &headers, form.as_bytes()).status
    };
    let session = |sid: &str| {
        let mut person = server.nobody();
        assert_eq!(come_back(&mut person, &provider, json!({ "sub": "1", "no": "s1", "sid": sid })).status, 303);
        person
    };
    let (mut one, mut two, mut other) = (session("a"), session("b"), server.sign_in("admin", PASSWORD));
    assert_eq!(signed_out(json!({ "sub": "1", "sid": "a" })), 200);
    assert_eq!((is_in(&mut one), is_in(&mut two)), (false, true));
    for refused in [
        json!({ "sub": "1", "nonce": "n" }),
        json!({ "sub": "1", "aud": "other" }),
        json!({ "sub": "1", "events": {} }),
        json!({}),
    ] {
        assert_eq!(signed_out(refused.clone()), 403, "{refused}");
    }
    assert_eq!(signed_out(json!({ "sub": "of nobody" })), 200);
    assert!(is_in(&mut two));
    assert_eq!(signed_out(json!({ "sub": "1" })), 200);
    assert!(!is_in(&mut two) && is_in(&mut other));
}

#[test]
fn what_a_provider_did_not_say_for_this_browser_this_service_and_now_signs_nobody_in() {
    let bench = Bench::new();
    let provider = Provider::start();
    let server = start(&bench, &provider, "");
    let _college = College::found(&server, json!({}));
    let claims = || json!({ "sub": "1", "no": "s1" });
    let refuse = |what: &str, person: &mut Person<'_>, reply: Reply, status: u16| {
        assert_eq!(reply.status, status, "{what}: {}", reply.text());
        assert!(reply.text().contains("href=\"/login\""), "a way onward: {what}");
        assert!(!is_in(person), "{what}");
    };
    let set = |part: fn(&mut Value, &mut Value)| -> Option<Twist> { Some(Box::new(part)) };
    for (what, twist) in [
        ("no signature", set(|head, _| head["alg"] = json!("none"))),
        ("the public key as a secret", set(|head, _| head["alg"] = json!("HS256"))),
        ("another method", set(|head, _| head["alg"] = json!("RS512"))),
        ("an unknown key", set(|head, _| head["kid"] = json!("three"))),
        ("another provider", set(|_, claims| claims["iss"] = json!("https://login.example.edu"))),
        ("for another service", set(|_, claims| claims["aud"] = json!("other"))),
        ("for several services", set(|_, claims| claims["aud"] = json!(["copytrace", "other"]))),
        ("expired", set(|_, claims| claims["exp"] = json!(seconds() - 61))),
        ("of the future", set(|_, claims| claims["iat"] = json!(seconds() + 90))),
        ("for another sign-in", set(|_, claims| claims["nonce"] = json!("another"))),
        ("without a nonce", set(|_, claims| claims["nonce"] = Value::Null)),
        ("of nobody", set(|_, claims| claims["sub"] = json!(""))),
        ("without a number", set(|_, claims| claims["no"] = json!([]))),
    ] {
        provider.state.lock().unwrap().twist = twist;
        let mut person = server.nobody();
        let reply = come_back(&mut person, &provider, claims());
        refuse(what, &mut person, reply, 403);
    }
    // Clocks may differ by a minute.
    provider.state.lock().unwrap().twist = set(|_, claims| {
        claims["iat"] = json!(seconds() + 50);
        claims["exp"] = json!(seconds() - 50);
    });
    assert_eq!(come_back(&mut server.nobody(), &provider, claims()).place(), "/");
    provider.state.lock().unwrap().twist = None;

    // What comes back in another browser, for another sign-in, from another provider, or without a code.
    let place = asked(&mut server.nobody(), "/sign-in/campus");
    let back = provider.grants(&place, claims());
    let state = parameters(place.split_once('?').unwrap().1)["state"].clone();
    let mut other = server.nobody();
    let reply = other.get(&format!("/sign-in/campus/back?{back}"));
    refuse("a browser that began nothing", &mut other, reply, 400);
    asked(&mut other, "/sign-in/campus");
    let reply = other.get(&format!("/sign-in/campus/back?{back}"));
    refuse("a browser that began another", &mut other, reply, 400);
    let own = |more: &dyn Fn(&str) -> String, path: &str, status: u16, what: &str| {
        let mut person = server.nobody();
        let place = asked(&mut person, "/sign-in/campus");
        let back = provider.grants(&place, claims());
        let state = parameters(place.split_once('?').unwrap().1)["state"].clone();
        let reply = person.get(&format!("{path}?{}", more(&back).replace("STATE", &state)));
        refuse(what, &mut person, reply, status);
    };
    own(&|_| format!("code=code0&state={state}"), "/sign-in/campus/back", 400, "another's state");
    own(&|back| back.to_owned(), "/sign-in/cas/back", 400, "at another provider's address");
    own(
        &|back| format!("{back}&iss=https://login.example.edu"),
        "/sign-in/campus/back",
        403,
        "another provider's answer",
    );
    own(&|_| "error=access_denied&state=STATE".to_owned(), "/sign-in/campus/back", 403, "refused there");
    own(&|_| "code=of-another&state=STATE".to_owned(), "/sign-in/campus/back", 403, "another code");
    own(&|_| "state=STATE".to_owned(), "/sign-in/campus/back", 403, "no code");
    assert_eq!(server.nobody().get("/sign-in/nothing").status, 404);

    // Sign-in leads to pages of ours alone.
    for to in ["//evil.example/", "https://evil.example/", "/\\evil.example", "/nowhere"] {
        let mut person = server.nobody();
        let back = provider.grants(&asked(&mut person, &format!("/sign-in/campus?to={to}")), claims());
        assert_eq!(person.get(&format!("/sign-in/campus/back?{back}")).place(), "/", "{to}");
        assert_eq!(person.get(&format!("/sign-in/campus?to={to}")).place(), "/", "{to}: signed in already");
    }
}

#[test]
fn keys_may_change_in_the_middle_claims_may_come_beside_the_token_and_a_provider_may_be_down() {
    let bench = Bench::new();
    let provider = Provider::start();
    let server = start(&bench, &provider, "");
    let _college = College::found(&server, json!({}));
    let claims = || json!({ "sub": "1", "no": "s1" });
    let mut student = server.nobody();
    assert_eq!(come_back(&mut student, &provider, claims()).status, 303);
    provider.state.lock().unwrap().is_down = true;
    let down = server.nobody().get("/sign-in/campus?to=/people");
    assert_eq!(down.status, 303, "who it is known already is sent there: {}", down.text());
    let mut other = server.nobody();
    let back = provider.grants(&asked(&mut other, "/sign-in/campus"), claims());
    let down = other.get(&format!("/sign-in/campus/back?{back}"));
    assert!(down.status == 503 && down.text().contains("Campus sign-in does not answer"), "{}", down.text());
    assert!(is_in(&mut student), "who is signed in stays");
    assert_eq!(server.sign_in("admin", PASSWORD).get("/people").status, 200, "passwords go on");
    let cookie = student.cookie.clone();
    server.stop();

    let server = start(&bench, &provider, "");
    let down = server.nobody().get("/sign-in/campus");
    assert!(down.status == 503 && down.text().contains("href=\"/login\""), "{}", down.text());
    let mut student = server.nobody();
    student.cookie = cookie;
    assert!(is_in(&mut student), "through a restart too");
    let mut state = provider.state.lock().unwrap();
    (state.is_down, state.more) = (false, json!({ "sub": "1", "no": "s1", "name": "Ann" }));
    drop(state);
    let mut person = server.nobody();
    assert_eq!(
        come_back(&mut person, &provider, json!({ "sub": "1" })).status,
        303,
        "the number is told beside the token"
    );
    provider.state.lock().unwrap().more = json!({ "sub": "2", "no": "s2" });
    assert_eq!(come_back(&mut server.nobody(), &provider, json!({ "sub": "1" })).status, 403, "of somebody else");
    server.stop();

    // Between the way there and the way back the provider begins to sign with another key.
    let server = start(&bench, &provider, "");
    let mut person = server.nobody();
    let place = asked(&mut person, "/sign-in/campus");
    // Keys are looked for anew at most every two seconds.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let mut state = provider.state.lock().unwrap();
    (state.signs, state.published, state.more) = (1, vec![0, 1], Value::Null);
    drop(state);
    let back = provider.grants(&place, claims());
    assert_eq!(person.get(&format!("/sign-in/campus/back?{back}")).place(), "/");
}

#[test]
fn who_is_unknown_is_refused_or_becomes_a_student_and_two_people_share_no_account() {
    let bench = Bench::new();
    let provider = Provider::start();
    let server = start(&bench, &provider, "");
    let college = College::found(&server, json!({}));
    let told = |server: &Server, claims: Value| {
        let mut person = server.nobody();
        let reply = come_back(&mut person, &provider, claims);
        (reply.status, reply.text())
    };
    let (status, page) = told(&server, json!({ "sub": "9", "no": "s9", "name": "Ann One" }));
    assert!(status == 403 && page.contains("no active account here"), "{page}");
    assert_eq!(told(&server, json!({ "sub": "1", "no": "s1" })).0, 303);
    let (status, page) = told(&server, json!({ "sub": "2", "no": "s1" }));
    assert!(status == 403 && page.contains("another account"), "{page}");
    let (status, page) = told(&server, json!({ "sub": "3", "no": "admin" }));
    assert!(status == 403 && page.contains("their password"), "{page}");
    let mut administrator = college.administrator.clone();
    let page = administrator.get("/people?q=s1").text();
    assert!(administrator.get("/audit?q=failed+to+sign+in").text().contains("Ann One"));
    let forget =
        page.split("action=\"").map(|part| part.split('"').next().unwrap()).find(|of| of.ends_with("/identity"));
    assert_eq!(administrator.form(forget.unwrap(), &[]).status, 303);
    assert_eq!(told(&server, json!({ "sub": "2", "no": "s1" })).0, 303, "the office has forgotten the other");
    server.stop();

    let more = "students-of = 'cs'\nroles = [{ claim = 'groups', is = 'staff', role = 'supervisor', unit = 'cs' }]";
    let server = start(&bench, &provider, more);
    assert_eq!(told(&server, json!({ "sub": "9", "no": "s9", "name": "Nia New" })).0, 303);
    assert_eq!(told(&server, json!({ "sub": "8", "no": "t8", "name": "Tom Teacher", "groups": ["staff"] })).0, 303);
    let mut administrator = server.sign_in("admin", PASSWORD);
    let page = administrator.get("/people").text();
    for (name, role) in [("Nia New", "student"), ("Tom Teacher", "supervisor")] {
        let row = page.split("<tr>").find(|row| row.contains(name)).unwrap().split("<details").next().unwrap();
        assert!(row.contains(role) && row.contains("<bdi>cs</bdi>") && !row.contains(", "), "{row}");
    }
}

#[test]
fn a_second_factor_is_asked_for_unless_the_provider_does_it() {
    let bench = Bench::new();
    let provider = Provider::start();
    let server = start(&bench, &provider, "");
    let college = College::found(&server, json!({}));
    let key = set_up(&mut college.person("t1"));
    let claims = || json!({ "sub": "t", "no": "t1" });
    let mut teacher = server.nobody();
    assert_eq!(come_back(&mut teacher, &provider, claims()).place(), "/sign-in/campus/code");
    assert!(!is_in(&mut teacher), "not before the code");
    assert!(teacher.get("/sign-in/campus/code").text().contains("name=\"code\""));
    assert_eq!(teacher.form("/sign-in/campus/code", &[("code", "000000")]).status, 401);
    assert_eq!(server.nobody().form("/sign-in/campus/code", &[("code", &code(&key, now() + 30))]).status, 400);
    assert!(!is_in(&mut teacher));
    assert_eq!(teacher.form("/sign-in/campus/code", &[("code", &code(&key, now() + 30))]).place(), "/");
    assert!(is_in(&mut teacher));
    server.stop();
    let server = start(&bench, &provider, "second-factor = true");
    assert_eq!(come_back(&mut server.nobody(), &provider, claims()).place(), "/");
}

#[test]
fn a_ticket_of_cas_is_good_once_for_the_sign_in_that_it_was_given_for_and_its_end_is_told() {
    let bench = Bench::new();
    let provider = Provider::start();
    let server = start(&bench, &provider, "");
    let _college = College::found(&server, json!({}));
    let begin = |person: &mut Person<'_>| {
        let place = asked(person, "/sign-in/cas?to=/account");
        assert!(place.starts_with(&format!("{}/cas/login?service=", provider.base)), "{place}");
        parameters(place.split_once('?').unwrap().1)["service"].clone()
    };
    let back = |person: &mut Person<'_>, service: &str, ticket: &str| {
        person.get(&format!("{}&ticket={ticket}", service.trim_start_matches(&server.base)))
    };
    let mut student = server.nobody();
    let service = begin(&mut student);
    let (ticket, before) = (provider.ticket(&service, "s2"), student.clone());
    assert_eq!(back(&mut student, &service, &ticket).place(), "/account");
    assert!(student.get("/account").text().contains("Ben Two"));
    assert_eq!(back(&mut before.clone(), &service, &ticket).status, 403, "replayed");
    let mut other = server.nobody();
    let others = begin(&mut other);
    let stolen = provider.ticket(&service, "s2");
    assert_eq!(back(&mut other, &others, &stolen).status, 403, "a ticket for another's sign-in");
    assert_eq!(back(&mut other, &service, &stolen).status, 400, "another's state");
    let service = begin(&mut other);
    assert_eq!(back(&mut other, &service, "").status, 403);
    let service = begin(&mut other);
    let unknown = provider.ticket(&service, "s9");
    assert_eq!(back(&mut other, &service, &unknown).status, 403);
    assert!(!is_in(&mut other));
    // Single logout: the ticket names the session.
    let notice = |ticket: &str| {
        let request =
            format!("<samlp:LogoutRequest><samlp:SessionIndex>{ticket}</samlp:SessionIndex></samlp:LogoutRequest>");
        server.nobody().form("/sign-in/cas/back?state=x", &[("logoutRequest", &request)]).status
    };
    assert_eq!((notice("ST-9-s2"), notice(&ticket), is_in(&mut student)), (200, 200, false));
    assert_eq!(server.nobody().form("/sign-in/cas/back", &[("logoutRequest", "<x>")]).status, 403);
}

#[test]
fn a_provider_that_would_not_be_safe_keeps_the_server_from_starting() {
    let bench = Bench::new();
    let of = |address: &str| {
        format!("{{ id = 'a', name = {{ en = 'A' }}, protocol = 'cas', address = '{address}', claim = 'user' }}")
    };
    let refused = |provider: &str| {
        let Err(said) = Server::try_start(&bench.path("data"), &["--provider", provider]) else {
            panic!("it started: {provider}")
        };
        said
    };
    assert!(refused(&of("http://login.example.edu/cas")).contains("its address is one of https"));
    assert!(refused("{ id = 'a' }").contains("missing field"));
    assert!(refused("{ colour = 'a' }").contains("unknown field"));
    drop(Server::start(&bench.path("data"), &["--provider", &of("https://login.example.edu/cas")]));
}
