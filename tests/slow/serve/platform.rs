//! Against a platform of LTI 1.3 that others have written: lti1p3platform, and in a page of it, with the service in a frame.

use super::others::Other;
use crate::program::{Bench, project, wait_for};
use crate::serve::learning_platform::{hidden, makes_round};
use crate::serve::server::{College, Person, Reply, Server};
use crate::slow::browser::accessibility::violations;
use crate::slow::browser::driver::Browser;
use serde_json::{Value, json};
use std::net::TcpListener;
use std::time::Duration;

/// The other side.
struct Platform {
    /// Ends with it.
    _other: Other,
    base: String,
}

impl Platform {
    /// One for the service at this address, whose certificate an authority signed.
    fn start(tool: &str, authority: &str) -> Self {
        let mut other = Other::python("learning_platform.py", &[tool, "copytrace", authority]);
        Platform { base: other.line(), _other: other }
    }

    /// Makes it known to the service.
    fn register(&self, college: &College<'_>) {
        let at = |path: &str| format!("{}/{path}", self.base);
        let fields = [
            ("name", "Campus".to_owned()),
            ("issuer", self.base.clone()),
            ("client", "copytrace".to_owned()),
            ("deployments", "d".to_owned()),
            ("authorization_url", at("auth")),
            ("token_url", at("token")),
            ("keys_url", at("jwks")),
            ("frame", at("")),
            ("unit", "2".to_owned()),
            ("takes_new", "true".to_owned()),
        ];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        assert_eq!(college.administrator.clone().form("/platforms", &fields).status, 303);
    }

    /// What stands at an address of it.
    fn told(&self, address: &str, form: Option<String>) -> Value {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let mut answer = match form {
            Some(form) => {
                agent.post(address).header("content-type", "application/x-www-form-urlencoded").send(form).unwrap()
            }
            None => agent.get(address).call().unwrap(),
        };
        let text = answer.body_mut().read_to_string().unwrap();
        assert_eq!(answer.status(), 200, "{address}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Somebody opens an assignment there, and comes to this service as the platform leads the browser.
    fn comes(&self, person: &mut Person<'_>, server: &Server, user: &str, what: &str, round: &str) -> Reply {
        let told = self.told(&format!("{}/open?user={user}&what={what}&round={round}", self.base), None);
        let login = told["place"].as_str().unwrap().trim_start_matches(&server.base).to_owned();
        let sent = person.get(&login);
        assert_eq!(sent.status, 303, "{}", sent.text());
        let launch = self.told(sent.place(), None);
        assert_eq!(launch["launch_url"], format!("{}/lti/launch", server.base));
        let fields = ["state", "id_token"].map(|name| (name, launch[name].as_str().unwrap()));
        person.form("/lti/launch", &fields)
    }
}

#[test]
fn a_platform_that_others_have_written_opens_rounds_takes_the_answer_of_deep_linking_and_gets_scores() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--webhook-host", "127.0.0.1"]);
    let college = College::found(&server, json!({}));
    let platform = Platform::start(&server.base, "");
    platform.register(&college);
    let at = |path: &str| format!("{}/{path}", platform.base);
    let (mut teacher, mut student) = (server.nobody(), server.nobody());
    let offered = platform.comes(&mut teacher, &server, "teacher", "choose", "");
    let answer = makes_round(&mut teacher, &college, &offered, "verdict");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let form =
        form_urlencoded::Serializer::new(String::new()).append_pair("JWT", &hidden(&answer.text(), "JWT")).finish();
    let items = platform.told(&at("chosen"), Some(form));
    let round = items["items"][0]["custom"]["round"].as_str().unwrap().to_owned();
    let came = platform.comes(&mut student, &server, "kim", "open", &round);
    assert_eq!(came.place(), format!("/rounds/{round}"), "{}", came.text());
    let text = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let handed = student.upload(&format!("{}/submissions", came.place()), &[("kind", "final")], "a.txt", &text);
    assert_eq!(handed.status, 303, "{}", handed.text());
    college.settle();
    assert_eq!(platform.comes(&mut student, &server, "kim", "open", &round).place(), handed.place());
    assert_eq!(platform.comes(&mut teacher, &server, "teacher", "open", &round).place(), format!("/rounds/{round}"));
    assert_eq!(teacher.form(&format!("{}/verdict", handed.place()), &[("verdict", "pass")]).status, 303);
    let score = wait_for("the score", || platform.told(&at("scores"), None)["scores"].get(0).cloned());
    assert_eq!((score["userId"].as_str(), score["scoreGiven"].as_f64()), (Some("kim"), Some(100.0)), "{score}");

    // The people of the course are fetched for the round.
    assert_eq!(teacher.form(&format!("/rounds/{round}/platform"), &[("members", "true")]).status, 303);
    let people = wait_for("the members", || {
        Some(teacher.get(&format!("/rounds/{round}/students")).text()).filter(|page| page.contains("Name of lee"))
    });
    let people = people.split("<main").nth(1).unwrap();
    assert!(people.contains("Name of kim") && !people.contains("Name of teacher"), "{people}");
}

#[test]
fn in_a_frame_of_the_platform_s_page_a_teacher_makes_a_round_and_a_student_hands_in_and_sees_the_report() {
    let bench = Bench::new();
    let authority = bench.path("authority.pem");
    let mut https = Other::python("tls.py", &[&authority]);
    let origin = format!("https://localhost:{}", https.line());
    let platform = Platform::start(&origin, authority.to_str().unwrap());
    {
        let server = Server::start(&bench.path("data"), &["--webhook-host", "127.0.0.1"]);
        platform.register(&College::found(&server, json!({})));
        server.stop();
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let listen = format!("127.0.0.1:{port}");
    let more = ["--webhook-host", "127.0.0.1", "--listen", &listen, "--origin", &origin];
    let _server = Server::start(&bench.path("data"), &more);
    https.tell(&port.to_string());
    let browser = Browser::start();
    let opens = |user: &str, what: &str, round: &str| {
        browser.go(&format!("{}/open?user={user}&what={what}&round={round}", platform.base));
        browser.enter("iframe");
    };
    let says = |words: &str| {
        let mut text = String::new();
        let is_there = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            browser.enter("iframe");
            text = browser.run("return document.body.textContent").as_str().unwrap_or_default().to_owned();
            text.contains(words)
        });
        assert!(is_there, "{words}: {text}");
    };

    opens("teacher", "choose", "");
    says("Choose a round");
    browser.picture("frame-round.png");
    browser.fill("input[name=title]", "Seminar papers");
    browser.fill("select[name=student_sees]", "at_once");
    browser.run("document.querySelector('input[name=collections]').checked = true");
    browser.run("document.querySelector('form:has(input[name=title])').requestSubmit()");
    says("items");
    let told: Value = serde_json::from_str(&browser.text("body")).unwrap();
    let round = told["items"][0]["custom"]["round"].as_str().unwrap().to_owned();

    opens("kim", "open", &round);
    says("Seminar papers");
    let text = std::fs::read_to_string(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    browser.run(&format!(
        "const files = new DataTransfer(); files.items.add(new File([{text:?}], 'thesis.txt', {{ type: 'text/plain' }})); \
         document.querySelector('input[type=file]').files = files.files"
    ));
    browser.run("document.querySelector('form:has(input[type=file])').requestSubmit()");
    says("thesis.txt");
    wait_for("the result", || {
        opens("kim", "open", &round);
        let is_there = browser.run("return document.querySelector('main a[href$=\"/report\"]') !== null");
        (is_there == true).then_some(())
    });
    assert_eq!(violations(&browser), Vec::<String>::new());
    browser.click("main a[href$='/report']");
    says("Overall similarity");
    browser.picture("frame-report.png");

    // The same service in a frame of any other page, or by itself, is nobody's.
    browser.go(&format!("{origin}/account"));
    assert!(browser.address().contains("/login"), "the session is in the platform's frames alone");
}
