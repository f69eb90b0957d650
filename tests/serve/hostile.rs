//! What browsers and programs can send that they should not.

use crate::program::{Bench, PATIENCE, wait_for};
use crate::serve::server::{College, PASSWORD, Server, archive};
use serde_json::json;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

#[test]
fn forged_cross_site_and_malformed_requests_are_refused() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "quota": 1, "interval_s": 0 }));
    let mut administrator = college.administrator.clone();

    for (headers, expected) in [
        (vec![("origin", "https://evil.example")], 403),
        (vec![("sec-fetch-site", "cross-site")], 403),
        (vec![("sec-fetch-site", "same-site")], 403),
        (vec![("origin", "null")], 403),
        (vec![("sec-fetch-site", "same-origin"), ("content-type", "text/plain")], 400),
    ] {
        let reply = administrator.request("POST", "/collections", &headers, b"name=x");
        assert_eq!(reply.status, expected, "{headers:?}");
    }
    let rebound = server.nobody().request("GET", "/login", &[("host", "evil.example")], b"");
    assert_eq!(rebound.status, 421);

    for token in ["", "ct_", "ct_0000000000000000000000000000000000000000000000000000000000000000", "' OR 1=1 --"] {
        let mut forger = server.nobody();
        forger.token = Some(token.to_owned());
        assert_eq!(forger.get("/api/v1/rounds").status, 401, "{token}");
    }
    let mut forger = server.nobody();
    forger.cookie = "copytrace=0000000000000000000000000000000000000000000000000000000000000000".to_owned();
    assert_eq!(forger.get("/").place(), "/login");
    let mut reader = administrator.program(&["read"]);
    assert_eq!(reader.get("/api/v1/rounds").status, 200);
    assert_eq!(reader.post_json("/api/v1/rounds", &json!({})).status, 403, "another scope");
    assert_eq!(reader.get("/people").status, 403, "tokens are for the interface alone");

    for path in [
        "/../../etc/passwd",
        "/static/../service.db",
        "/static/%2e%2e/service.db",
        "/submissions/..%2f..%2fservice.db",
        "/%00",
        "/submissions/%ff%fe",
        "//",
    ] {
        let reply = administrator.get(path);
        assert!((400..500).contains(&reply.status), "{path}: {}", reply.status);
    }
    let round = format!("/rounds/{}", college.round);
    for name in ["../../../evil.docx", "/etc/evil.docx", "..\\evil.docx"] {
        let reply = administrator.upload(
            &format!("{round}/submissions"),
            &[("student", "s3"), ("kind", "draft")],
            name,
            format!("text of a thesis called {name}").as_bytes(),
        );
        assert_eq!(reply.status, 303);
    }
    assert!(!bench.path("evil.docx").exists() && !server.data.join("evil.docx").exists());
    for (name, content, expected) in
        [("thesis.exe", &b"MZ"[..], 415), ("thesis.txt", &b""[..], 422), ("thesis", &b"x"[..], 415)]
    {
        let reply = administrator.upload(
            &format!("{round}/submissions"),
            &[("student", "s1"), ("kind", "final")],
            name,
            content,
        );
        assert_eq!(reply.status, expected, "{name}");
    }
    for body in [
        &b"--border"[..],
        b"--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.txt\"\r\n\r\nx",
        b"",
        b"\xff\xfe",
    ] {
        let reply = administrator.request(
            "POST",
            &format!("{round}/submissions"),
            &[("content-type", "multipart/form-data; boundary=border")],
            body,
        );
        assert!((400..500).contains(&reply.status), "{}", reply.status);
    }
    for body in ["[]", "{", "null", "{\"unit\":\"x\"}", "{\"unit\":1e400}"] {
        let reply =
            administrator.request("POST", "/api/v1/rounds", &[("content-type", "application/json")], body.as_bytes());
        assert!((400..500).contains(&reply.status), "{body}: {}", reply.status);
        assert_eq!(reply.headers["content-type"], "application/problem+json");
        assert!(reply.json()["type"].as_str().unwrap().starts_with("urn:copytrace:"));
    }
    let long = "A sentence of a thesis that is long, as some are. ".repeat(100_000);
    let reply = administrator.upload(
        &format!("{round}/submissions"),
        &[("student", "s1"), ("kind", "draft")],
        "long.txt",
        long.as_bytes(),
    );
    assert_eq!(reply.status, 303, "5 MB are not too much");
    let large = vec![b'a'; 300 << 10];
    let reply = administrator.request("POST", "/api/v1/rounds", &[("content-type", "application/json")], &large);
    assert_eq!(reply.status, 413);

    let evil = archive(&[("../../evil.txt", b"x")]);
    let reply = administrator.upload(&format!("{round}/batch"), &[("kind", "final")], "theses.zip", &evil);
    assert_eq!(reply.status, 422);
    assert!(!bench.path("evil.txt").exists());
    assert_eq!(
        administrator.upload(&format!("{round}/batch"), &[("kind", "final")], "theses.zip", b"PK no archive").status,
        422
    );
    for from in ["/no/such/folder", server.data.to_str().unwrap(), "/"] {
        assert_eq!(
            administrator.form(&format!("/collections/{}/fill", college.open), &[("from", from)]).status,
            422,
            "{from}"
        );
    }
    assert_eq!(std::fs::read_dir(server.data.join("incoming")).unwrap().count(), 0, "nothing that was refused is left");
}

#[test]
fn who_guesses_passwords_is_stopped() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    drop(server.administrator());
    let mut guesser = server.nobody();
    let replies: Vec<u16> = (0..15)
        .map(|n| guesser.form("/login", &[("number", "admin"), ("password", &format!("guess {n}"))]).status)
        .collect();
    assert!(replies.contains(&401) && replies.ends_with(&[429, 429]), "{replies:?}");
    assert_eq!(guesser.form("/login", &[("number", "admin"), ("password", PASSWORD)]).status, 429);
}

#[test]
fn students_keep_to_the_rules_of_their_round_and_archives_are_matched_first() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "quota": 2, "interval_s": 3600, "self_checks": 1 }));
    let mut student = college.person("s1");
    let path = format!("/rounds/{}/submissions", college.round);
    let text = "The marsh was measured from a boat at every second tide, and what was found is told here in full.";
    let first = student.upload(&path, &[("kind", "draft")], "draft.txt", text.as_bytes());
    assert_eq!(first.status, 303);
    college.settle();
    assert_eq!(student.upload(&path, &[("kind", "final")], "final.txt", text.as_bytes()).status, 409, "too soon");
    assert_eq!(student.upload(&path, &[("kind", "self")], "self.txt", text.as_bytes()).status, 303);
    college.settle();
    assert_eq!(student.upload(&path, &[("kind", "self")], "self.txt", text.as_bytes()).status, 409, "used");
    // What cannot be read costs nothing.
    let mut other = college.person("s2");
    let broken = other.upload(&path, &[("kind", "draft")], "broken.docx", b"PK\x03\x04 no document");
    let id = broken.place().rsplit('/').next().unwrap().to_owned();
    let told = other.wait_for(&id);
    assert_eq!(
        (told["status"]["state"].as_str(), told["status"]["code"].as_str()),
        (Some("failed"), Some("unreadable")),
        "{told}"
    );
    assert_eq!(other.upload(&path, &[("kind", "draft")], "draft.txt", text.as_bytes()).status, 303);

    // A request that is made twice is done once.
    let mut program = college.administrator.clone().program(&["submit", "read"]);
    let api = format!("/api/v1/rounds/{}/submissions", college.round);
    let mut hand_in = |content: &str| {
        let fields = [("student", "s3"), ("kind", "draft")];
        program.upload_with(&api, &fields, "t.txt", content.as_bytes(), &[("idempotency-key", "one")])
    };
    let (once, twice, changed) = (hand_in(text), hand_in(text), hand_in("another text"));
    assert_eq!((once.status, twice.status, changed.status), (201, 201, 422));
    assert_eq!(once.body, twice.body);

    let members: [(&str, &[u8]); 3] =
        [("s1_Ann_marsh.txt", text.as_bytes()), ("nobody_x.txt", b"x"), ("folder/s3-Cy-题目.txt", text.as_bytes())];
    let mut administrator = college.administrator.clone();
    let batch = administrator.upload(
        &format!("/rounds/{}/batch", college.round),
        &[("kind", "final")],
        "t.zip",
        &archive(&members),
    );
    let shown = administrator.get(batch.place()).text();
    assert!(
        shown.contains("Ann One") && shown.contains("Cy Three") && shown.contains("no student of the round"),
        "{shown}"
    );
    assert_eq!(administrator.form(batch.place(), &[]).status, 303);
    college.settle();
    let listed = administrator.get(&format!("/api/v1/rounds/{}/submissions", college.round)).json();
    let finals = listed["items"].as_array().unwrap().iter().filter(|item| item["kind"] == "final").count();
    assert_eq!(finals, 2, "{listed}");
    assert_eq!(administrator.get(batch.place()).status, 404, "it is queued once");
}

/// What is left of a reply when a line is closed before all was said.
fn said(stream: &mut TcpStream) -> String {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut said = Vec::new();
    if let Err(error) = stream.read_to_end(&mut said) {
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "the line is not closed");
    }
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn bodies_without_end_and_lines_that_say_nothing_are_closed() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let host = server.base.trim_start_matches("http://").to_owned();
    let connect = || TcpStream::connect(&host).unwrap();
    // Lines that are opened and left, and one in the middle of its head.
    let mut silent: Vec<TcpStream> = (0..50).map(|_| connect()).collect();
    silent[0].write_all(b"GET /login HTTP/1.1\r\nHost: ").unwrap();

    let head = |path: &str, kind: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {}\r\nCookie: {}\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n",
            server.base, college.administrator.cookie
        )
    };
    let file = "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"endless.txt\"\r\n\r\n";
    for (path, kind, begin) in [
        (format!("/rounds/{}/submissions", college.round), "multipart/form-data; boundary=border", file),
        (format!("/api/v1/rounds/{}/submissions", college.round), "multipart/form-data; boundary=border", file),
        ("/collections".to_owned(), "application/x-www-form-urlencoded", "name="),
        ("/api/v1/rounds".to_owned(), "application/json", "{\"title\": \""),
        // A name of a field without end.
        (
            format!("/rounds/{}/submissions", college.round),
            "multipart/form-data; boundary=border",
            "--border\r\nContent-Disposition: form-data; name=\"",
        ),
    ] {
        let mut stream = connect();
        stream.write_all(head(&path, kind).as_bytes()).unwrap();
        let chunk = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
        let endless = chunk(&[b'a'; 1 << 16]);
        let mut sent = stream.write_all(&chunk(begin.as_bytes()));
        let mut megabytes = 0.0;
        while sent.is_ok() {
            assert!(megabytes < 140.0, "{path}: nobody says that it is enough");
            megabytes += 0.0625;
            sent = stream.write_all(&endless);
        }
        let said = said(&mut stream);
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{path}: {said}");
    }
    let incoming = || std::fs::read_dir(server.data.join("incoming")).unwrap().count();
    wait_for("nothing that was refused is left", || (incoming() == 0).then_some(()));
    // Reading what they say ends only when the server closes them.
    silent.iter_mut().for_each(|stream| drop(said(stream)));
    assert_eq!(server.nobody().get("/login").status, 200);
}

#[test]
fn behind_another_server_cookies_go_over_https_alone_and_attempts_are_counted_by_who_made_them() {
    let bench = Bench::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let listen = format!("127.0.0.1:{port}");
    let server = Server::start(&bench.path("data"), &["--listen", &listen, "--origin", "https://theses.example.edu"]);
    let post = |path: &str, host: &str, from: &str, body: &str| {
        let mut stream = TcpStream::connect(&listen).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\nX-Forwarded-For: {from}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        said(&mut stream)
    };
    let link = server.told("/invite/").rsplit(' ').next().unwrap().trim_start_matches("https://theses.example.edu");
    assert!(post(link, "evil.example", "1.1.1.1", "password=a+password+of+mine").starts_with("HTTP/1.1 421"));
    let reply = post(link, "theses.example.edu", "1.1.1.1", "password=a+password+of+mine");
    let cookie = reply.lines().find(|line| line.starts_with("set-cookie: ")).unwrap_or_else(|| panic!("{reply}"));
    assert!(cookie.starts_with("set-cookie: __Host-copytrace="), "{cookie}");
    for of in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure"] {
        assert!(cookie.contains(of), "{cookie}");
    }
    // Whoever tries many accounts is stopped, and nobody else; what their programs say of themselves before the last server changes nothing.
    // Without a password nothing is computed, so that a busy machine makes the attempts fast enough, too.
    let guess = |from: &str, body: &str| post("/login", "theses.example.edu", from, body);
    let stopped = (0..150).any(|n| guess(&format!("10.0.0.{n}, 203.0.113.9"), "").starts_with("HTTP/1.1 429"));
    assert!(stopped && guess("203.0.113.10", "number=x&password=guess").starts_with("HTTP/1.1 401"));
}
