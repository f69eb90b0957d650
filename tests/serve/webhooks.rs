//! Webhooks: what other systems are told, how they know that it is from here, and where none may go.

use crate::program::{Bench, project, wait_for};
use crate::serve::provider::seconds;
use crate::serve::server::{College, Server};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The head of a request by name, and its body.
type Told = (HashMap<String, String>, String);

/// Another system: what it was told, with the head of each request, and what it answers.
struct Other {
    base: String,
    told: Arc<Mutex<Vec<Told>>>,
    answers: Arc<Mutex<Vec<String>>>,
}

impl Other {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let other = Other { base, told: Arc::default(), answers: Arc::default() };
        let (told, answers) = (Arc::clone(&other.told), Arc::clone(&other.answers));
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let answer = answers.lock().unwrap().pop().unwrap_or("204 X".to_owned());
                told.lock().unwrap().extend(hear(&connection));
                let _ = (&connection).write_all(
                    format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").as_bytes(),
                );
            }
        });
        other
    }

    fn told(&self) -> Vec<Told> {
        self.told.lock().unwrap().clone()
    }

    fn wait_for(&self, count: usize) -> Vec<Told> {
        wait_for("a webhook", || Some(self.told()).filter(|told| told.len() >= count))
    }
}

fn hear(connection: &TcpStream) -> Option<Told> {
    let mut reader = BufReader::new(connection);
    let mut head = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        let Some((name, value)) = line.trim().split_once(": ") else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        head.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; head.get("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    Some((head, String::from_utf8(body).ok()?))
}

/// The signature as the other side computes it.
fn signature(secret: &str, head: &HashMap<String, String>, body: &str) -> String {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &key);
    let message = format!("{}.{}.{body}", head["webhook-id"], head["webhook-timestamp"]);
    format!("v1,{}", STANDARD.encode(ring::hmac::sign(&key, message.as_bytes())))
}

fn event(told: &Told) -> Value {
    serde_json::from_str(&told.1).unwrap()
}

/// Makes a webhook, and gives its secret.
fn make(college: &College<'_>, url: &str) -> String {
    let page = college.administrator.clone().form("/webhooks", &[("url", url)]);
    let (status, page) = (page.status, page.text());
    let secret = page.split("<code>").find(|part| part.starts_with("whsec_"));
    secret.unwrap_or_else(|| panic!("{status}: {page}")).split('<').next().unwrap().to_owned()
}

#[test]
fn another_system_is_told_what_happens_signed_and_again_until_it_has_taken_it() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--webhook-host", "127.0.0.1"]);
    let college = College::found(&server, json!({ "self_checks": 1 }));
    let mut administrator = college.administrator.clone();
    let other = Other::start();
    let secret = make(&college, &format!("{}/hook?x=1", other.base));
    assert!(!administrator.get("/webhooks").text().contains("whsec_"), "it is shown once");
    let database = std::fs::read(server.data.join("service.db")).unwrap();
    let log = std::fs::read(server.data.join("service.db-wal")).unwrap_or_default();
    assert!(![database, log].iter().any(|bytes| bytes.windows(secret.len()).any(|part| part == secret.as_bytes())));
    // The first attempt fails by a redirect that is not followed.
    other.answers.lock().unwrap().push("302 Found\r\nlocation: http://127.0.0.1:1/".to_owned());
    let text = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let mut student = college.person("s1");
    let practice =
        student.upload(&format!("/rounds/{}/submissions", college.round), &[("kind", "self")], "mine.txt", &text);
    assert_eq!(practice.status, 303, "{}", practice.text());
    college.settle();
    let submission = college.hand_in("s1", "Ann One.txt", &text);
    college.settle();
    let verdict = [("verdict", "pass"), ("comment", "Well done, Ann")];
    assert_eq!(administrator.form(&format!("/submissions/{submission}/verdict"), &verdict).status, 303);
    let told = other.wait_for(4);
    // What is refused is told again with the same number, and nothing that happened later is told before it.
    let events: Vec<Value> = told.iter().map(|told| event(told)["type"].clone()).collect();
    assert_eq!(events, ["submission.received", "submission.received", "report.ready", "verdict.given"], "{told:?}");
    let ids: Vec<&str> = told.iter().map(|told| &*told.0["webhook-id"]).collect();
    assert!(ids[0] == ids[1] && ids[1] != ids[2] && ids[2] != ids[3], "{ids:?}");
    for (head, body) in &told {
        assert_eq!(head["webhook-signature"], signature(&secret, head, body));
        let at: i64 = head["webhook-timestamp"].parse().unwrap();
        assert!((at - seconds()).abs() < 120 && head["content-type"] == "application/json");
        let data = &serde_json::from_str::<Value>(body).unwrap()["data"];
        assert_eq!((data["submission"].as_str(), data["round"].as_str()), (Some(&*submission), Some(&*college.round)));
        assert!(!body.contains("Ann") && !body.contains("Well"), "{body}");
    }
    let page = administrator.get("/webhooks").text();
    assert!(page.contains("report.ready") && page.contains("204"), "{page}");
    // Killed before it is told, it is told after the next start.
    other.answers.lock().unwrap().push("503 X".to_owned());
    let path = page.split("action=\"").find(|part| part.contains("/ping")).unwrap().split('"').next().unwrap();
    assert_eq!(administrator.form(path, &[]).status, 303);
    other.wait_for(5);
    let (cookie, folder) = (administrator.cookie.clone(), server.data.clone());
    drop(student);
    server.kill();
    let again = Server::start(&folder, &["--webhook-host", "127.0.0.1"]);
    let told = other.wait_for(6);
    assert_eq!(event(&told[5])["type"], "ping");
    let mut administrator = again.nobody();
    administrator.cookie = cookie;
    let remove = path.replace("/ping", "/remove");
    assert_eq!(administrator.form(&remove, &[]).status, 303);
    assert_eq!(administrator.form(path, &[]).status, 404);
    again.kill();
    // The configuration allows it no longer.
    let _third = Server::start(&folder, &[]);
}

#[test]
fn no_webhook_goes_to_an_address_inside_the_network_typed_or_looked_up() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let other = Other::start();
    let port = other.base.rsplit(':').next().unwrap().to_owned();
    for url in [
        "http://127.0.0.1:1/",
        "https://127.0.0.1/",
        "https://10.0.0.1/",
        "https://localhost/",
        "http://hooks.example.edu/",
        "file:///etc",
    ] {
        let reply = administrator.form("/webhooks", &[("url", url)]);
        assert_eq!(reply.status, 422, "{url}");
    }
    assert!(administrator.form("/webhooks", &[("url", "https://127.0.0.1/")]).text().contains("outside the network"));
    // Names that the system's resolver takes for this machine.
    for host in ["0x7f.1", "2130706433", "localhost."] {
        make(&college, &format!("https://{host}:{port}/"));
    }
    let page = administrator.get("/webhooks").text();
    for path in page.split("action=\"").filter(|part| part.split('"').next().unwrap().ends_with("/ping")) {
        assert_eq!(administrator.form(path.split('"').next().unwrap(), &[]).status, 303);
    }
    let refused = || {
        Some(administrator.clone().get("/webhooks").text())
            .filter(|page| page.matches("<td class=\"n\">1").count() >= 3)
    };
    let page = wait_for("three attempts", refused);
    assert!(other.told().is_empty() && page.contains("inside the network"), "{page}");
    assert_eq!(college.person("s1").get("/webhooks").status, 403);
}
