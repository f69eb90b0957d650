//! Against a platform of LTI 1.3 that others have written: lti1p3platform, in an environment of its own (`make lti`).

use crate::program::{Bench, project, wait_for};
use crate::serve::learning_platform::{hidden, makes_round};
use crate::serve::server::{College, Person, Reply, Server};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The other side, which ends with the test.
struct Platform {
    child: Child,
    base: String,
}

impl Drop for Platform {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Platform {
    fn start(server: &Server) -> Self {
        let python = std::env::var_os("LTI_PYTHON").map_or_else(|| project("target/lti/bin/python"), Into::into);
        let mut program = Command::new(&python);
        program.arg(project("tests/slow/serve/platform.py")).args([server.base.as_str(), "copytrace"]);
        let child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{}: {error}; make lti makes it", python.display()));
        let mut base = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut base).unwrap();
        Platform { child, base: base.trim().to_owned() }
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
    let platform = Platform::start(&server);
    let at = |path: &str| format!("{}/{path}", platform.base);
    let fields = [
        ("name", "Campus".to_owned()),
        ("issuer", platform.base.clone()),
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
}
