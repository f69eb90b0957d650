//! Bodies: nobody's are read who may not send them, none for longer than it may take, and none fills the disk.

use crate::program::Bench;
use crate::serve::server::{College, Person, Server};
use serde_json::json;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The head of a post that announces a body; nothing of the body.
fn head(server: &Server, person: &Person<'_>, path: &str, kind: &str) -> TcpStream {
    let host = server.base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {}\r\nCookie: {}\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.base, person.cookie
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// The first line of the reply; none when there is none within a time.
fn status(stream: &mut TcpStream, within: Duration) -> Option<String> {
    stream.set_read_timeout(Some(within)).unwrap();
    let mut bytes = [0; 64];
    match stream.read(&mut bytes) {
        Ok(0) => Some("closed".to_owned()),
        Ok(read) => Some(String::from_utf8_lossy(&bytes[..read]).split('\r').next().unwrap().to_owned()),
        Err(error) if error.kind() == ErrorKind::ConnectionReset => Some("closed".to_owned()),
        Err(_) => None,
    }
}

const MULTIPART: &str = "multipart/form-data; boundary=border";

#[test]
fn who_may_not_send_a_body_is_told_before_it_comes() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "quota": 0 }));
    let (student, supervisor) = (college.person("s1"), college.person("t1"));
    let round = format!("/rounds/{}", college.round);
    for (person, path, expected) in [
        (&student, "/rounds/0123456789abcdef/submissions".to_owned(), "404"),
        (&college.administrator, "/rounds/0123456789abcdef/batch".to_owned(), "404"),
        (&college.administrator, "/api/v1/rounds/0123456789abcdef/submissions".to_owned(), "404"),
        (&college.administrator, "/collections/99/upload".to_owned(), "404"),
        (&supervisor, format!("{round}/submissions"), "403"),
        // No checks are left.
        (&student, format!("{round}/submissions"), "409"),
    ] {
        let mut stream = head(&server, person, &path, MULTIPART);
        let told = status(&mut stream, Duration::from_secs(10)).unwrap_or_else(|| panic!("{path}: nothing is said"));
        assert!(told.contains(expected), "{path}: {told}");
    }
    let incoming = || std::fs::read_dir(server.data.join("incoming")).unwrap().count();
    assert_eq!(incoming(), 0);
    // One file where one belongs: the second is not even begun.
    let part = "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nwords\r\n";
    let mut stream = head(&server, &college.administrator, &format!("{round}/submissions"), MULTIPART);
    let two = part.repeat(2);
    write!(stream, "{:x}\r\n{two}\r\n", two.len()).unwrap();
    let told = status(&mut stream, Duration::from_secs(10)).expect("a second file is refused before the end");
    assert!(told.contains("422"), "{told}");
    assert_eq!(incoming(), 0);
}

#[test]
fn a_student_keeps_no_more_bytes_than_the_round_allows_and_no_file_that_cannot_be_read() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "quota": 2 }));
    let mut student = college.person("s1");
    let path = format!("/rounds/{}/submissions", college.round);
    let files = || std::fs::read_dir(server.data.join("files")).unwrap().count();
    for n in 0..3 {
        let broken = [b"PK\x03\x04 no document", &[b'0' + n][..]].concat();
        let place = student.upload(&path, &[("kind", "draft")], "broken.docx", &broken).place().to_owned();
        let told = student.wait_for(place.rsplit('/').next().unwrap());
        assert_eq!(told["status"]["code"], "unreadable", "{told}");
        assert!(student.get(&place).text().contains("damaged"), "the reason is told");
    }
    assert_eq!(files(), 1, "of what could not be read the last is kept, until the next comes");
    // What fails costs no check; but its bytes are counted.
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    database.execute("UPDATE submission SET bytes = 600 << 20 WHERE file != ''", []).unwrap();
    let reply = student.upload(&path, &[("kind", "draft")], "d.txt", b"Words of a draft that is handed in once more.");
    assert_eq!(reply.status, 409, "{}", reply.text());
    assert!(reply.text().contains("space in this round is used up"), "{}", reply.text());
}

#[test]
fn bodies_of_any_kind_end_in_time_and_one_person_holds_few_at_once() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let (student, mut other) = (college.person("s1"), college.person("s2"));
    let path = format!("/rounds/{}/submissions", college.round);
    let kinds = ["text/plain", "application/json", MULTIPART];
    // As many as one person likes to open: most are told at once that they are too many. Which are held is not told by their order.
    let kinds = kinds.into_iter().chain(std::iter::repeat_n(MULTIPART, 100));
    let streams: Vec<TcpStream> = kinds.map(|kind| head(&server, &student, &path, kind)).collect();
    let opened = streams.len();
    let is_refused =
        |stream: &mut TcpStream| status(stream, Duration::from_millis(500)).is_some_and(|told| told.contains("429"));
    let mut held: Vec<TcpStream> =
        streams.into_iter().filter_map(|mut stream| (!is_refused(&mut stream)).then_some(stream)).collect();
    let text = b"Words of another student, who hands in meanwhile and is not kept waiting.";
    assert_eq!(other.upload(&path, &[("kind", "draft")], "d.txt", text).status, 303);
    let mut ended = 0;
    for stream in &mut held {
        let told = status(stream, Duration::from_secs(60)).expect("what is held ends");
        assert!(["408", "429"].into_iter().any(|code| told.contains(code)) || told == "closed", "{told}");
        ended += usize::from(!told.contains("429"));
    }
    assert!(ended > 0, "some were held, and ended in time");
    assert!(opened - ended > 70, "{ended} of {opened} were held");
}
