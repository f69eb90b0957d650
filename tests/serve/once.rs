//! What is asked for with an `Idempotency-Key` is done once: there are its effect and its reply, or neither.

use crate::program::{Bench, project};
use crate::serve::server::{College, Person, Reply, Server, archive};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

fn text() -> Vec<u8> {
    std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap()
}

fn round(title: &str, collection: i64) -> Value {
    json!({
        "unit": 1, "title": title, "opens": 0, "closes": 4_000_000_000u32, "quota": 1, "limit_ratio": 0.2, "student_sees": "never",
        "among": true, "collections": [collection],
    })
}

/// Posts JSON with a key.
fn post(program: &mut Person<'_>, path: &str, key: &str, value: &Value) -> Reply {
    let headers = [("idempotency-key", key), ("content-type", "application/json")];
    program.request("POST", path, &headers, value.to_string().as_bytes())
}

/// How often each of these rounds was made.
fn made(program: &mut Person<'_>, titles: &[String]) -> Vec<usize> {
    let rounds = program.get("/api/v1/rounds").json();
    let of =
        |title: &String| rounds["items"].as_array().unwrap().iter().filter(|round| round["title"] == **title).count();
    titles.iter().map(of).collect()
}

/// A request with these heads.
type Ask<'a> = dyn FnMut(&[(&str, &str)]) -> Reply + 'a;

#[test]
fn every_post_of_the_interface_is_done_once_for_a_key_and_answered_the_same_again() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--workers", "1"]);
    let college = College::found(&server, json!({ "quota": 1 }));
    let mut administrator = college.administrator.clone();
    let mut program = administrator.program(&["manage", "submit", "read"]);
    let mut done = BTreeSet::new();
    let mut twice = |route: &str, ask: &mut Ask| {
        let headers = [("idempotency-key", route)];
        let (first, again) = (ask(&headers), ask(&headers));
        assert!((200..300).contains(&first.status), "{route}: {}", first.text());
        if route.ends_with("/viewer") {
            assert_eq!(again.status, 409, "a secret is told once");
        } else {
            let told = |reply: &Reply| (reply.status, reply.body.clone(), reply.place().to_owned());
            assert_eq!(told(&first), told(&again), "{route}");
        }
        done.insert(route.to_owned());
        first
    };
    let of_round = format!("/api/v1/rounds/{}", college.round);
    // The quota is used by the first.
    let mut student = college.person("s1").program(&["submit", "read"]);
    let made = twice("/api/v1/rounds/{id}/submissions", &mut |headers| {
        student.upload_with(&format!("{of_round}/submissions"), &[("kind", "final")], "t.txt", &text(), headers)
    });
    let paper = made.place().to_owned();
    college.settle();
    let members = archive(&[("s2_t.txt", &text().repeat(1500))]);
    let batch = twice("/api/v1/rounds/{id}/batches", &mut |headers| {
        program.upload_with(&format!("{of_round}/batches"), &[("kind", "final")], "t.zip", &members, headers)
    });
    let list = b"number,name,role,unit,supervisor\ns9,Di Nine,student,cs,t1\n";
    twice("/api/v1/rounds/{id}/students", &mut |headers| {
        program.upload_with(&format!("{of_round}/students"), &[], "list.csv", list, headers)
    });
    let collection = json!({ "collection": college.open });
    let mut posted = |route: &str, path: &str, value: &Value| {
        twice(route, &mut |headers| post(&mut program, path, headers[0].1, value)).json()
    };
    posted("/api/v1/rounds", "/api/v1/rounds", &round("Another", college.open));
    posted("/api/v1/submissions/{id}/viewer", &format!("{paper}/viewer"), &json!({}));
    let batch = format!("/api/v1/batches/{}", batch.json()["id"].as_str().unwrap());
    let started = posted("/api/v1/batches/{id}", &batch, &json!({}));
    // The only worker has something long to do.
    posted("/api/v1/submissions/{id}/check", &format!("{paper}/check"), &json!({}));
    let long = format!("/api/v1/submissions/{}", started["submissions"][0].as_str().unwrap());
    posted("/api/v1/submissions/{id}/cancel", &format!("{long}/cancel"), &json!({}));
    college.settle();
    let verdict = format!("{}/verdict", paper.trim_start_matches("/api/v1"));
    assert_eq!(administrator.form(&verdict, &[("verdict", "pass")]).status, 303);
    posted("/api/v1/submissions/{id}/deposit", &format!("{paper}/deposit"), &collection);
    let rest = posted("/api/v1/rounds/{id}/deposit", &format!("{of_round}/deposit"), &collection);
    assert_eq!(rest["deposited"], 0);

    let described = administrator.get("/api/v1/openapi.json").json();
    let posts = described["paths"].as_object().unwrap().iter().filter(|(_, of)| of.get("post").is_some());
    assert_eq!(posts.map(|(path, _)| path.clone()).collect::<BTreeSet<String>>(), done);
}

#[test]
fn what_is_done_is_taken_back_when_its_reply_cannot_be_kept_and_a_repeat_succeeds() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut program = college.administrator.clone().program(&["submit", "read"]);
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    database.busy_timeout(Duration::from_secs(30)).unwrap();
    let path = format!("/api/v1/rounds/{}/submissions", college.round);
    let fields = [("student", "s1"), ("kind", "final")];
    let mut hand_in = |key| program.upload_with(&path, &fields, "t.txt", &text(), &[("idempotency-key", key)]);
    let count = |table: &str| -> i64 {
        database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    let before = ["submission", "job", "audit"].map(count);
    // What stands between the effect and its reply fails.
    database.execute_batch("CREATE TRIGGER cut BEFORE INSERT ON reply BEGIN SELECT RAISE(ABORT, 'cut'); END").unwrap();
    assert_eq!(hand_in("one").status, 500);
    assert_eq!((["submission", "job", "audit"].map(count), count("reply")), (before, 0));
    database.execute_batch("DROP TRIGGER cut").unwrap();
    let first = hand_in("one");
    assert_eq!((first.status, count("submission"), count("reply")), (201, before[0] + 1, 1), "{}", first.text());
    assert_eq!(hand_in("one").place(), first.place());
    // What is refused is not kept, and what was wrong with it can be mended.
    assert_eq!(hand_in("two").status, 409);
    assert_eq!((count("submission"), count("reply")), (before[0] + 1, 1));
}

#[test]
fn a_server_killed_in_the_middle_of_requests_has_done_each_of_them_once_when_they_are_repeated() {
    let bench = Bench::new();
    let data = bench.path("data");
    let mut server = Server::start(&data, &[]);
    let (token, collection) = {
        let college = College::found(&server, json!({}));
        (college.administrator.clone().program(&["manage", "read"]).token, college.open)
    };
    let mut cut = 0;
    for attempt in 0..4u64 {
        let titles: Vec<String> = (0..400).map(|n| format!("Round {attempt}-{n}")).collect();
        let base = server.base.clone();
        let asked: Vec<(String, String)> =
            titles.iter().map(|title| (title.clone(), round(title, collection).to_string())).collect();
        let bearer = format!("Bearer {}", token.as_ref().unwrap());
        let asking = std::thread::spawn(move || {
            let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
            let answered = asked.iter().take_while(|(title, body)| {
                let request = agent.post(format!("{base}/api/v1/rounds")).header("authorization", &bearer);
                let request = request.header("content-type", "application/json").header("idempotency-key", title);
                request.send(body).is_ok_and(|reply| reply.status() == 201)
            });
            answered.count()
        });
        std::thread::sleep(Duration::from_millis(60 + 37 * attempt));
        server.kill();
        let answered = asking.join().unwrap();
        server = Server::start(&data, &[]);
        let mut program = server.nobody();
        program.token = token.clone();
        // The one that was cut off was done or not; those before it were.
        let asked = &titles[..titles.len().min(answered + 1)];
        let before = made(&mut program, asked);
        assert!(before[..answered].iter().all(|count| *count == 1), "{before:?}");
        let again: Vec<u16> = asked
            .iter()
            .map(|title| post(&mut program, "/api/v1/rounds", title, &round(title, collection)).status)
            .collect();
        assert_eq!(again, vec![201; asked.len()]);
        assert_eq!(made(&mut program, asked), vec![1; asked.len()]);
        cut += usize::from(answered < titles.len());
    }
    assert!(cut > 0, "the server was killed in the middle of something");
}
