//! Coming from a learning platform (LTI 1.3): what opens which round for whom, what goes back, and all that must not sign anybody in.

use crate::program::{Bench, project, wait_for};
use crate::serve::campus::{Campus, STUDENT, TEACHER, verified};
use crate::serve::provider::{Twist, parameters, seconds};
use crate::serve::server::{College, Person, Reply, Server};
use serde_json::{Value, json};
use std::io::{Read, Write};

/// A server with a college, and a platform that is registered there.
fn start<'a>(server: &'a Server, campus: &Campus) -> College<'a> {
    let college = College::found(server, json!({}));
    campus.register(&mut college.administrator.clone());
    college
}

fn is_in(person: &mut Person<'_>) -> bool {
    person.get("/account").status == 200
}

pub fn hidden(page: &str, name: &str) -> String {
    let rest = page.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap_or_else(|| panic!("{name}: {page}"));
    rest.split('"').next().unwrap().to_owned()
}

/// The form by which a teacher makes a round, with the choice that the page offered.
pub fn makes_round(teacher: &mut Person<'_>, college: &College<'_>, offered: &Reply, score: &str) -> Reply {
    assert_eq!(offered.status, 200, "{}", offered.text());
    let sealed = hidden(&offered.text(), "for");
    let open = college.open.to_string();
    let fields = [
        ("for", sealed.as_str()),
        ("title", "Seminar"),
        ("opens", "2020-01-01T00:00"),
        ("closes", "2090-01-01T00:00"),
        ("quota", "2"),
        ("limit", "20"),
        ("student_sees", "at_once"),
        ("score", score),
        ("collections", &open),
    ];
    let fields: Vec<_> = fields.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    teacher.form("/lti/round", &fields)
}

fn policy(reply: &Reply) -> &str {
    &reply.headers["content-security-policy"]
}

#[test]
fn a_teacher_makes_a_round_for_an_assignment_students_hand_in_there_and_the_verdict_goes_back() {
    let bench = Bench::new();
    let campus = Campus::start();
    let server = campus.serve(&bench);
    let college = start(&server, &campus);
    let mut teacher = server.nobody();
    let offered = campus.launch(&mut teacher, &server, campus.choosing("teacher", TEACHER));
    assert!(policy(&offered).contains(&format!("frame-ancestors {}", campus.base)), "{}", policy(&offered));
    let answer = makes_round(&mut teacher, &college, &offered, "verdict");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(
        policy(&answer).contains(&format!("form-action 'self' {}", campus.base))
            && answer.text().contains("/static/lti.js")
    );
    assert!(answer.text().contains(&format!("action=\"{}/chosen\"", campus.base)));
    let claims = verified(&server, &hidden(&answer.text(), "JWT"));
    let dl = |name: &str| claims[format!("https://purl.imsglobal.org/spec/lti-dl/claim/{name}")].clone();
    assert_eq!((claims["iss"].as_str(), claims["aud"].as_str()), (Some("copytrace"), Some(&*campus.provider.base)));
    assert_eq!(
        (dl("data"), claims["https://purl.imsglobal.org/spec/lti/claim/deployment_id"].clone()),
        (json!("of the platform"), json!("1"))
    );
    let item = dl("content_items")[0].clone();
    assert_eq!(
        (item["type"].as_str(), item["lineItem"]["scoreMaximum"].as_i64()),
        (Some("ltiResourceLink"), Some(100))
    );
    let round = item["custom"]["round"].as_str().unwrap().to_owned();

    // Students come by the assignment that the platform has made of it: into the round, in a frame of that platform alone.
    let opens = |subject: &str, role: &str| {
        let mut claims = campus.claims(subject, role, "a1");
        claims["https://purl.imsglobal.org/spec/lti/claim/custom"] = json!({ "round": round });
        claims["https://purl.imsglobal.org/spec/lti/claim/lis"] = json!({ "person_sourcedid": subject });
        claims
    };
    let mut ann = server.nobody();
    let reply = campus.launch(&mut ann, &server, opens("s1", STUDENT));
    assert_eq!((reply.status, reply.place()), (303, format!("/rounds/{round}").as_str()), "{}", reply.text());
    let page = ann.get(reply.place());
    assert!(page.text().contains("Seminar") && page.text().contains("enctype"), "{}", page.text());
    assert!(
        policy(&page).contains(&format!("frame-ancestors {};", campus.base))
            && !page.headers.contains_key("x-frame-options")
    );
    let other = college.administrator.clone().get("/");
    assert!(policy(&other).contains("frame-ancestors 'none'") && other.headers["x-frame-options"] == "DENY");
    let text = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let handed = ann.upload(&format!("/rounds/{round}/submissions"), &[("kind", "final")], "a.txt", &text);
    assert_eq!(handed.status, 303, "{}", handed.text());
    college.settle();
    let submission = handed.place().to_owned();
    assert_eq!(
        campus.launch(&mut ann, &server, opens("s1", STUDENT)).place(),
        submission,
        "the submission of this assignment"
    );
    assert!(campus.heard("/scores").is_empty(), "no number before there is a verdict");

    // The teacher comes by it to the round, and the students of the course are fetched.
    let member = |id: &str, role: &str, status: &str| json!({ "user_id": id, "roles": [role], "status": status, "name": format!("M {id}") });
    campus.state.lock().unwrap().members = vec![
        json!([member("m1", STUDENT, "Active"), member("m2", STUDENT, "Inactive")]),
        json!([member("m3", "Learner", "Active"), member("x", TEACHER, "Active")]),
    ];
    assert_eq!(campus.launch(&mut teacher, &server, opens("teacher", TEACHER)).place(), format!("/rounds/{round}"));
    assert_eq!(teacher.get(&submission).status, 200);
    assert_eq!(teacher.form(&format!("/rounds/{round}/platform"), &[("members", "true")]).status, 303);
    let students = wait_for("the members", || {
        Some(teacher.get(&format!("/rounds/{round}/students")).text()).filter(|page| page.contains("M m3"))
    });
    assert!(
        students.contains("M m1")
            && students.contains("Ann One")
            && !students.contains("M m2")
            && !students.contains("M x"),
        "{students}"
    );
    let asked = parameters(&campus.heard("/token")[0].body);
    let assertion = verified(&server, &asked["client_assertion"]);
    assert_eq!((assertion["iss"].as_str(), assertion["sub"].as_str()), (Some("copytrace"), Some("copytrace")));
    assert_eq!(assertion["aud"], format!("{}/token", campus.base));

    // The verdict goes back once the platform is there again, and nothing else of it.
    campus.state.lock().unwrap().is_down = true;
    assert_eq!(
        teacher.form(&format!("{submission}/verdict"), &[("verdict", "pass"), ("comment", "Well done")]).status,
        303
    );
    wait_for("an attempt", || teacher.get(&format!("/rounds/{round}/platform")).text().contains("500").then_some(()));
    campus.state.lock().unwrap().is_down = false;
    let score = wait_for("the score", || {
        campus.heard("/item/scores?type=1").into_iter().find(|heard| heard.body.contains("100"))
    });
    assert_eq!(score.head["content-type"], "application/vnd.ims.lis.v1.score+json");
    let told: Value = serde_json::from_str(&score.body).unwrap();
    assert_eq!((told["userId"].as_str(), told["scoreGiven"].as_f64()), (Some("s1"), Some(100.0)));
    assert!(!score.body.contains("Well done") && told["gradingProgress"] == "FullyGraded", "{told}");
    let made: Value = serde_json::from_str(&campus.heard("POST /items?course=1")[0].body).unwrap();
    assert_eq!((made["resourceLinkId"].as_str(), made["scoreMaximum"].as_i64()), (Some("a1"), Some(100)));
    wait_for("the end", || teacher.get(&format!("/rounds/{round}/platform")).text().contains("204").then_some(()));
}

#[test]
fn without_the_rounds_word_no_number_goes_to_a_platform_and_the_ratio_only_when_students_see_it() {
    let bench = Bench::new();
    let campus = Campus::start();
    let server = campus.serve(&bench);
    let college = start(&server, &campus);
    let (mut teacher, mut student) = (server.nobody(), server.nobody());
    let offered = campus.launch(&mut teacher, &server, campus.claims("teacher", TEACHER, "a1"));
    let round = makes_round(&mut teacher, &college, &offered, "").place().to_owned();
    let early = campus.launch(&mut student, &server, campus.claims("kim", STUDENT, "a2"));
    assert!(early.status == 200 && early.text().contains("has not chosen a round"), "{}", early.text());
    assert_eq!(campus.launch(&mut student, &server, campus.claims("kim", STUDENT, "a1")).place(), round);
    let text = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let handed = student.upload(&format!("{round}/submissions"), &[("kind", "final")], "a.txt", &text);
    assert_eq!(handed.status, 303, "{}", handed.text());
    college.settle();
    let platform = format!("{round}/platform");
    assert!(!teacher.get(&platform).text().contains("<td>score"), "nothing was to be sent");
    assert_eq!(teacher.form(&platform, &[("score", "ratio")]).status, 303);
    let score = wait_for("the score", || campus.heard("/item/scores").pop());
    let given = serde_json::from_str::<Value>(&score.body).unwrap()["scoreGiven"].as_f64().unwrap();
    let ratio = student.get(&format!("/api/v1{}", handed.place())).json()["figures"]["decided_ratio"].as_f64().unwrap();
    assert!((given - ratio * 100.0).abs() < 0.06 && ratio > 0.0, "{given} {ratio}");
    assert_eq!(student.get(&platform).status, 403);
}

#[test]
fn what_a_platform_did_not_say_for_this_browser_this_service_and_now_signs_nobody_in() {
    let bench = Bench::new();
    let campus = Campus::start();
    let server = campus.serve(&bench);
    let _college = start(&server, &campus);
    let claim = |name: &str| format!("https://purl.imsglobal.org/spec/lti/claim/{name}");
    let (deployment, version, kind, roles, context, link) = (
        claim("deployment_id"),
        claim("version"),
        claim("message_type"),
        claim("roles"),
        claim("context"),
        claim("resource_link"),
    );
    let set = |name: &str, value: Value| -> Option<Twist> {
        let name = name.to_owned();
        Some(Box::new(move |_, claims| claims[&name] = value.clone()))
    };
    let head = |name: &'static str, value: &'static str| -> Option<Twist> {
        Some(Box::new(move |head, _| head[name] = json!(value)))
    };
    let system = json!([
        "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student",
        "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"
    ]);
    for (what, twist) in [
        ("no signature", head("alg", "none")),
        ("the public key as a secret", head("alg", "HS256")),
        ("another method", head("alg", "RS512")),
        ("an unknown key", head("kid", "three")),
        ("another platform", set("iss", json!("https://moodle.example.edu"))),
        ("another service", set("aud", json!("other"))),
        ("several services, and none is named", set("aud", json!(["copytrace", "other"]))),
        ("another party", set("azp", json!("other"))),
        ("another launch", set("nonce", json!("n"))),
        ("expired", set("exp", json!(seconds() - 61))),
        ("of a clock that is an hour ahead", set("iat", json!(seconds() + 3600))),
        ("nobody", set("sub", json!(""))),
        ("a deployment that is not known", set(&deployment, json!("3"))),
        ("no deployment", set(&deployment, Value::Null)),
        ("another version", set(&version, json!("1.1.0"))),
        ("another message", set(&kind, json!("LtiSubmissionReviewRequest"))),
        ("no assignment", set(&link, json!({}))),
        ("no course", set(&context, json!({}))),
        ("a role in the institution alone", set(&roles, system)),
        ("no role", set(&roles, json!([]))),
    ] {
        campus.provider.state.lock().unwrap().twist = twist;
        let mut person = server.nobody();
        let reply = campus.launch(&mut person, &server, campus.claims("1", STUDENT, "a1"));
        assert_eq!(reply.status, 403, "{what}: {}", reply.text());
        assert!(policy(&reply).contains(&format!("frame-ancestors {}", campus.base)), "a frame shows why: {what}");
        assert!(!is_in(&mut person), "{what}");
    }
    campus.provider.state.lock().unwrap().twist = None;
    // A student does not choose what an assignment leads to; and the answer goes nowhere inside the network.
    let mut person = server.nobody();
    assert_eq!(campus.launch(&mut person, &server, campus.choosing("1", STUDENT)).status, 403);
    let mut inside = campus.choosing("1", TEACHER);
    inside["https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"]["deep_link_return_url"] =
        json!("https://10.0.0.7/x");
    assert_eq!(campus.launch(&mut person, &server, inside).status, 403);
    // Clocks a little apart are fine.
    campus.provider.state.lock().unwrap().twist = Some(Box::new(|_, claims| claims["iat"] = json!(seconds() + 30)));
    assert_eq!(campus.launch(&mut person, &server, campus.claims("1", TEACHER, "a1")).status, 200);
    campus.provider.state.lock().unwrap().twist = None;

    // Another browser, another state, none; and the same once more.
    let mut one = server.nobody();
    let asked = campus.opens(&mut one, &server);
    let token = |nonce: &str| {
        let mut claims = campus.claims("1", TEACHER, "a1");
        claims["nonce"] = json!(nonce);
        campus.provider.token(claims)
    };
    let good = token(&asked["nonce"]);
    let comes = |person: &mut Person<'_>, state: &str, token: &str| {
        campus.posts(person, "/lti/launch", &[("state", state), ("id_token", token)])
    };
    let mut other = server.nobody();
    let lost = comes(&mut other, &asked["state"], &good);
    assert_eq!(lost.status, 400, "a browser that keeps nothing in frames");
    let window =
        lost.text().split("href=\"/lti/login?").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    assert!(
        lost.text().contains("target=\"_blank\"") && parameters(&window)["lti_message_hint"] == "m=1&n",
        "{window}"
    );
    for state in ["", "x", &asked["state"][2..]] {
        assert_eq!(comes(&mut one, state, &good).status, 400, "{state}");
    }
    let kept = one.clone();
    assert_eq!(comes(&mut one, &asked["state"], &good).status, 200);
    assert!(is_in(&mut one));
    let mut again = kept.clone();
    assert_eq!(comes(&mut again, &asked["state"], &good).status, 403, "the same once more");
    assert!(!is_in(&mut again) && !is_in(&mut other));
    let mut opened = server.nobody();
    assert_eq!(opened.get(&format!("/lti/login?{window}")).status, 303, "in a window it begins again");
    assert_eq!(opened.get("/lti/login?iss=https://moodle.example.edu&login_hint=7").status, 404, "no platform");
    // It leads to no other site.
    for target in ["https://evil.example/", &format!("{}.evil.example/", server.base), "javascript:alert(1)"] {
        let form = [("iss", campus.provider.base.as_str()), ("login_hint", "7"), ("target_link_uri", target)];
        assert_eq!(campus.posts(&mut opened, "/lti/login", &form).status, 400, "{target}");
    }
}

#[test]
fn people_are_known_by_what_the_platform_calls_them_and_no_platform_lets_an_office_in() {
    let bench = Bench::new();
    let campus = Campus::start();
    let server = campus.serve(&bench);
    let college = start(&server, &campus);
    let mut administrator = college.administrator.clone();
    let mut teacher = server.nobody();
    let offered = campus.launch(&mut teacher, &server, campus.claims("t", TEACHER, "a1"));
    let round = makes_round(&mut teacher, &college, &offered, "").place().to_owned();
    let comes = |subject: &str, number: Option<&str>, name: &str, role: &str| {
        let mut claims = campus.claims(subject, role, "a1");
        claims["name"] = json!(name);
        claims["https://purl.imsglobal.org/spec/lti/claim/lis"] = json!({ "person_sourcedid": number });
        let mut person = server.nobody();
        (campus.launch(&mut person, &server, claims).status, person)
    };
    let (status, mut ann) = comes("1", Some("s1"), "Dr. Lin", STUDENT);
    assert!(
        status == 303 && ann.get("/account").text().contains("Ann One"),
        "known by the number, called as the office calls her"
    );
    assert_eq!(comes("1", Some("s1"), "Renamed", STUDENT).0, 303);
    for (what, subject, number) in [
        ("two people with one number", "2", Some("s1")),
        ("one person with another's number", "1", Some("s2")),
        ("the first administrator", "3", Some("admin")),
        ("an auditor", "3", Some("r1")),
    ] {
        let (status, mut person) = comes(subject, number, "Ann One", STUDENT);
        assert!(status == 403 && !is_in(&mut person), "{what}");
    }
    // Who is new is a student of the platform's unit; the same name is another person.
    let (status, mut new) = comes("4", None, "Ann One", STUDENT);
    assert_eq!(status, 303);
    assert_ne!(new.get("/account/data.zip").body, ann.get("/account/data.zip").body);
    assert_eq!(new.get(&round).status, 200);
    assert_eq!(new.get(&format!("/rounds/{}", college.round)).status, 404);
    assert_eq!(comes("4", Some("n4"), "Ann One", STUDENT).0, 303, "a number that the platform learned later");
    assert_eq!(comes("4", None, "Ann One", STUDENT).0, 303, "and tells no more");
    // A teacher administers the course, and nothing beside it; and no more once the platform says so.
    assert_eq!(teacher.get(&format!("{round}/edit")).status, 200);
    assert_eq!(teacher.get(&format!("/rounds/{}", college.round)).status, 404);
    assert_eq!(teacher.get("/people").status, 403);
    let (status, mut demoted) = comes("t", None, "T", STUDENT);
    assert_eq!((status, demoted.get(&format!("{round}/edit")).status), (303, 403));
    assert_eq!(teacher.get(&format!("{round}/edit")).status, 403);
    // An assignment that names a round of another course, as its teacher can write, does not open that.
    let mut claims = campus.claims("thief", TEACHER, "b1");
    claims["https://purl.imsglobal.org/spec/lti/claim/context"] = json!({ "id": "c2", "title": "Thesis seminar" });
    claims["https://purl.imsglobal.org/spec/lti/claim/custom"] =
        json!({ "round": round.trim_start_matches("/rounds/") });
    let mut thief = server.nobody();
    let offered = campus.launch(&mut thief, &server, claims);
    assert_eq!(offered.status, 200, "a choice, and no round");
    assert_eq!(thief.get(&round).status, 404);
    let fields = [("for", hidden(&offered.text(), "for")), ("round", round.trim_start_matches("/rounds/").to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(thief.form("/lti/round", &fields).status, 404);
    // Who has a second factor here is asked for it here.
    let log = administrator.get("/audit").text();
    assert!(log.contains("registered a learning platform"), "{log}");
    // Without the platform nobody comes, and who was signed in by it is so no more.
    let page = administrator.get("/platforms").text();
    let remove = page
        .split("action=\"/platforms/")
        .find(|part| part.contains("/remove\""))
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(administrator.form(&format!("/platforms/{remove}"), &[]).status, 303);
    assert!(!is_in(&mut ann) && is_in(&mut administrator));
}

#[test]
fn keys_change_platforms_are_down_and_none_inside_the_network_is_asked() {
    let bench = Bench::new();
    let campus = Campus::start();
    let server = campus.serve(&bench);
    let college = start(&server, &campus);
    let mut administrator = college.administrator.clone();
    let opens = || campus.launch(&mut server.nobody(), &server, campus.claims("1", TEACHER, "a1")).status;
    assert_eq!(opens(), 200);
    let keys = |signs: usize, published: &[usize]| {
        let mut state = campus.provider.state.lock().unwrap();
        (state.signs, state.published) = (signs, published.to_vec());
    };
    keys(1, &[0]);
    campus.provider.state.lock().unwrap().is_down = true;
    // New keys are looked for, but not at once again.
    let down = wait_for("the look for keys", || Some(opens()).filter(|status| *status != 403));
    assert_eq!(down, 503);
    assert!(is_in(&mut administrator));
    campus.provider.state.lock().unwrap().is_down = false;
    assert_eq!(opens(), 403, "a key that is not published");
    keys(1, &[0, 1]);
    wait_for("the new key", || (opens() == 200).then_some(()));
    campus.provider.state.lock().unwrap().is_down = true;
    assert_eq!(opens(), 200, "its keys are known");
    campus.provider.state.lock().unwrap().is_down = false;

    // It registers itself, by a link that is good once; a description that speaks for another is refused.
    let page = administrator.form("/platforms/link", &[("unit", "2"), ("takes_new", "true")]).text();
    let link = page
        .split("<code>")
        .find(|part| part.contains("/lti/register/"))
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    let link = link.trim_start_matches(&server.base).to_owned();
    let ask = |configuration: String| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("openid_configuration", &configuration)
            .append_pair("registration_token", "once")
            .finish();
        server.nobody().get(&format!("{link}?{query}"))
    };
    assert_eq!(ask(format!("{}/other/openid-configuration", campus.base)).status, 503);
    assert_eq!(ask("https://10.0.0.7/openid-configuration".to_owned()).status, 503);
    let done = ask(format!("{}/.well-known/openid-configuration", campus.base));
    assert_eq!(done.status, 200, "{}", done.text());
    assert!(
        policy(&done).contains(&format!("frame-ancestors {}", campus.base)) && done.text().contains("data-registered")
    );
    assert_eq!(ask(format!("{}/.well-known/openid-configuration", campus.base)).status, 410, "good once");
    let told = campus.heard("POST /register").pop().unwrap();
    assert_eq!(told.head["authorization"], "Bearer once");
    let told: Value = serde_json::from_str(&told.body).unwrap();
    assert_eq!(
        (told["jwks_uri"].as_str(), told["token_endpoint_auth_method"].as_str()),
        (Some(&*format!("{}/lti/keys", server.base)), Some("private_key_jwt"))
    );
    let page = administrator.get("/platforms").text();
    assert!(
        page.contains("moodle 127.0.0.1")
            && page.contains("<code>registered</code>")
            && page.contains("<code>9</code>"),
        "{page}"
    );

    // Addresses inside the network, and those without encryption, are refused unless the configuration names the host.
    for (field, address) in [
        ("keys_url", "https://10.0.0.7/jwks"),
        ("keys_url", "http://moodle.example.edu/jwks"),
        ("token_url", "https://localhost/token"),
        ("authorization_url", "javascript:alert(1)"),
        ("frame", "https://169.254.169.254/"),
        ("issuer", ""),
    ] {
        let mut form = campus.registration();
        form.iter_mut().for_each(|(name, value)| {
            if *name == field {
                *value = address.to_owned()
            }
        });
        let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
        assert_eq!(administrator.form("/platforms", &form).status, 422, "{field} {address}");
    }
    let form = campus.registration();
    let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(administrator.form("/platforms", &form).status, 409, "registered already");
}

#[test]
fn behind_https_the_cookies_of_frames_are_kept_apart_for_each_platform() {
    let bench = Bench::new();
    let campus = Campus::start();
    let server = campus.serve(&bench);
    let _college = start(&server, &campus);
    let data = server.data.clone();
    server.stop();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let listen = format!("127.0.0.1:{port}");
    let more = ["--webhook-host", "127.0.0.1", "--listen", &listen, "--origin", "https://theses.example.edu"];
    let _server = Server::start(&data, &more);
    let mut stream = std::net::TcpStream::connect(&listen).unwrap();
    let issuer: String = form_urlencoded::byte_serialize(campus.provider.base.as_bytes()).collect();
    let head = format!(
        "GET /lti/login?iss={issuer}&login_hint=7 HTTP/1.1\r\nHost: theses.example.edu\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    let cookie = reply.lines().find(|line| line.starts_with("set-cookie: ")).unwrap_or_else(|| panic!("{reply}"));
    assert!(cookie.starts_with("set-cookie: __Host-copytrace-lti-"), "{cookie}");
    assert!(cookie.ends_with("HttpOnly; SameSite=None; Secure; Partitioned"), "{cookie}");
    assert!(reply.contains("redirect_uri=https%3A%2F%2Ftheses.example.edu%2Flti%2Flaunch"), "{reply}");
}
