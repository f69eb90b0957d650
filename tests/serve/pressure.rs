//! Everything at once that made a server silent or large: `make serve-hostile`.

use crate::program::Bench;
use crate::serve::server::{College, Server};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Forms that are sent, and the bytes of a field in each.
const FORMS: usize = 1_500;
const FORM: usize = 250_000;
/// Sockets that say nothing, and some that send a body a byte at a time.
const IDLE: usize = 300;
const SLOW: usize = 60;
const SIGN_INS: usize = 40;

/// What the server may need.
const LIVE: Duration = Duration::from_millis(100);
const MEMORY: u64 = 300 << 20;

/// The most memory that a process has had, in bytes.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

/// The time that 99 of 100 are not above.
fn p99(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

#[test]
#[ignore = "its bars are for a release build and cores that do little else: `make serve-hostile`"]
fn large_forms_slow_bodies_idle_sockets_and_sign_ins_at_once_leave_it_quick_and_small() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let host = server.base.trim_start_matches("http://").to_owned();
    let post = |path: &str, cookie: &str, length: usize| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {}\r\nCookie: {cookie}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n",
            server.base
        )
    };
    let connect = || TcpStream::connect(&host).unwrap();
    let answer = |request: &[u8]| {
        let mut stream = connect();
        // It may be refused before all is sent.
        let _ = stream.write_all(request);
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        String::from_utf8_lossy(&said).get(9..12).map_or(0, |status| status.parse().unwrap_or(0))
    };
    let before = peak(server.process());
    let (over, statuses) = (AtomicBool::new(false), Mutex::new(Vec::<(&str, u16)>::new()));
    let ask = |mut asked: Box<dyn FnMut() -> u16>| {
        let mut times = Vec::new();
        while !over.load(Ordering::Relaxed) {
            let begun = Instant::now();
            assert_eq!(asked(), 200);
            times.push(begun.elapsed());
            std::thread::sleep(Duration::from_millis(15));
        }
        times
    };
    let student = college.person("s1");
    let idle: Vec<TcpStream> = (0..IDLE).map(|_| connect()).collect();
    let mut slow: Vec<TcpStream> = (0..SLOW)
        .map(|n| {
            let mut stream = connect();
            let cookie = if n % 2 == 0 { student.cookie.as_str() } else { "" };
            let path = if n % 2 == 0 { "/account/password" } else { "/login" };
            stream.write_all(post(path, cookie, 10_000).as_bytes()).unwrap();
            stream
        })
        .collect();
    let (mut live, mut pages) = std::thread::scope(|scope| {
        let mut nobody = server.nobody();
        let ask = &ask;
        let live = scope.spawn(move || ask(Box::new(move || nobody.get("/health/live").status)));
        let mut administrator = college.administrator.clone();
        let pages = scope.spawn(move || ask(Box::new(move || administrator.get("/").status)));
        let working: Vec<_> = (0..SIGN_INS)
            .map(|n| {
                let (post, answer, statuses) = (&post, &answer, &statuses);
                scope.spawn(move || {
                    let body = format!("number=x{n}&password=a+password+that+is+wrong");
                    let status = answer(format!("{}{body}", post("/login", "", body.len())).as_bytes());
                    statuses.lock().unwrap().push(("sign-in", status));
                })
            })
            .chain((0..4).map(|worker| {
                let (post, answer, statuses) = (&post, &answer, &statuses);
                scope.spawn(move || {
                    for n in 0..FORMS / 4 {
                        let body = format!("number={worker}-{n}-{}&password=x", "n".repeat(FORM));
                        let status = answer(format!("{}{body}", post("/login", "", body.len())).as_bytes());
                        statuses.lock().unwrap().push(("form", status));
                    }
                })
            }))
            .collect();
        let until = Instant::now() + Duration::from_secs(25);
        while Instant::now() < until || working.iter().any(|thread| !thread.is_finished()) {
            // Those that were closed are left alone.
            slow.iter_mut().for_each(|stream| drop(stream.write_all(b"a")));
            std::thread::sleep(Duration::from_secs(1));
        }
        over.store(true, Ordering::Relaxed);
        working.into_iter().for_each(|thread| thread.join().unwrap());
        (live.join().unwrap(), pages.join().unwrap())
    });
    drop(idle);
    let statuses = statuses.into_inner().unwrap();
    for what in ["sign-in", "form"] {
        let mut counts = std::collections::BTreeMap::new();
        statuses.iter().filter(|(of, _)| *of == what).for_each(|(_, status)| *counts.entry(*status).or_insert(0) += 1);
        println!("{what}: {counts:?}");
        // Nobody gets in, and nothing breaks; 0 is a line that was closed while it was written to.
        assert!(counts.keys().all(|status| [0, 401, 413, 422, 429, 503].contains(status)), "{counts:?}");
    }
    let looked_at = statuses.iter().filter(|answer| **answer == ("sign-in", 401)).count();
    assert!(looked_at >= SIGN_INS / 2, "passwords were looked at meanwhile: {looked_at}");
    let memory = peak(server.process());
    let count = live.len();
    let (live, page) = (p99(&mut live), p99(&mut pages));
    println!(
        "health {count} times, p99 {live:?}; overview p99 {page:?}; memory {} MB, at most {} MB",
        before >> 20,
        memory >> 20
    );
    assert!(live < LIVE && memory < MEMORY);
}
