//! Signing in: what guessing costs, and whom it keeps waiting.

use crate::program::Bench;
use crate::serve::server::{PASSWORD, Server};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The memory of a process, in megabytes.
fn resident(process: u32) -> u64 {
    let told = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = told.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
fn failures_are_recorded_and_blanks_or_long_numbers_bring_no_new_attempts() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let mut administrator = server.administrator();
    let mut guesser = server.nobody();
    let mut guess = |number: &str| guesser.form("/login", &[("number", number), ("password", "a guess")]).status;
    for n in 0..10 {
        assert_eq!(guess(["admin", " admin", "admin ", "  admin  "][n % 4]), 401);
    }
    assert_eq!(guess("admin   "), 429, "blanks name the same account");
    let log = administrator.get("/audit").text();
    assert_eq!(log.matches("title=\"sign_in_failed\"").count(), 10, "{log}");
    // Numbers that no account can have are forgotten at once, however long.
    let before = resident(server.process());
    for n in 0..80 {
        let status = guess(&format!("{n}{}", "x".repeat(200_000)));
        assert!([401, 429].contains(&status), "{status}");
    }
    let grown = resident(server.process()).saturating_sub(before);
    assert!(grown < 12, "{grown} MB more");
}

#[test]
fn many_who_sign_in_at_once_keep_nobody_else_waiting() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    drop(server.administrator());
    let (mut waits, mut busy) = (Vec::new(), 0);
    let mut longest = Duration::ZERO;
    std::thread::scope(|scope| {
        let guessers: Vec<_> = (0..80)
            .map(|n| {
                let mut guesser = server.nobody();
                scope.spawn(move || {
                    let begun = Instant::now();
                    let answer = guesser.form("/login", &[("number", &format!("x{n}")), ("password", PASSWORD)]);
                    (answer.status, begun.elapsed())
                })
            })
            .collect();
        for _ in 0..20 {
            let begun = Instant::now();
            assert_eq!(server.nobody().get("/health/live").status, 200);
            waits.push(begun.elapsed());
        }
        for (status, waited) in guessers.into_iter().map(|guesser| guesser.join().unwrap()) {
            assert!([401, 429, 503].contains(&status), "{status}");
            longest = longest.max(waited);
            busy += usize::from(status == 503);
        }
    });
    assert!(busy > 0, "a queue that is long enough for all is no short one");
    waits.sort();
    assert!(waits[15] < longest, "{waits:?} beside {longest:?} of those who sign in");
}

#[test]
fn what_a_proxy_says_counts_only_if_the_proxy_is_trusted() {
    let bench = Bench::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let listen = format!("127.0.0.1:{port}");
    let origin = ["--listen", &listen, "--origin", "https://theses.example.edu"];
    let server = Server::start(&bench.path("data"), &[&origin[..], &["--trusted-proxy", "203.0.113.1"]].concat());
    let post = |n: usize, from: &str, scheme: &str| {
        let mut stream = TcpStream::connect(&listen).unwrap();
        let body = format!("number=x{n}&password=guess");
        write!(
            stream,
            "POST /login HTTP/1.1\r\nHost: theses.example.edu\r\nOrigin: {scheme}://theses.example.edu\r\nX-Forwarded-For: {from}\r\n\
             Connection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        said
    };
    let stopped = (0..150).any(|n| post(n, &format!("10.0.{n}.1"), "https").starts_with("HTTP/1.1 429"));
    assert!(stopped, "all came from one machine, whatever it said of others");
    assert!(post(0, "1.1.1.1", "http").starts_with("HTTP/1.1 403"), "a page without encryption is none of ours");
    let said = post(0, "1.1.1.1", "https");
    assert!(said.contains("strict-transport-security: max-age="), "{said}");
    assert!(said.contains("referrer-policy: same-origin"), "{said}");
    server.kill();
}
