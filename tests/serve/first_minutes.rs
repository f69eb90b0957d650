//! What a newcomer sees, and that reports are the program's own.

use crate::program::{Bench, PATIENCE, copytrace, project, wait_for};
use crate::serve::server::{College, Server};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};

/// Resident memory of a process, in MB.
fn megabytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1000
}

#[test]
fn the_demo_has_reports_and_an_idle_server_takes_little_memory() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--demo"]);
    let password = server.told("password of each").rsplit(' ').next().unwrap();
    let mut supervisor = server.sign_in("supervisor", password);
    let overview = wait_for("the report of the copied text", || {
        let page = supervisor.get("/").text();
        page.contains("50.3%").then_some(page)
    });
    let submission = overview.split("/submissions/").nth(1).unwrap()[..32].to_owned();
    let report = supervisor.get(&format!("/submissions/{submission}/report"));
    assert!(
        report.text().contains("class=\"no_attribution\"") || report.text().contains("no_attribution"),
        "{}",
        report.text()
    );
    assert!(report.headers["content-security-policy"].contains("frame-ancestors 'none'"));
    assert!(report.text().contains("content=\"default-src 'none'; style-src 'sha256-"));
    let mut student = server.sign_in("2026003", password);
    assert_eq!(student.get(&format!("/submissions/{submission}/report")).status, 200);
    let mut other = server.sign_in("2026001", password);
    assert_eq!(
        other.get(&format!("/submissions/{submission}/report")).status,
        404,
        "another's submission does not exist"
    );

    // Workers end when there is nothing to do.
    wait_for("all workers end", || {
        let mut tasks = std::fs::read_dir(format!("/proc/{}/task", server.process())).unwrap().flatten();
        let children =
            |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        tasks.all(|task| children(task).trim().is_empty()).then_some(())
    });
    let idle = megabytes(server.process());
    assert!(idle <= 100, "{idle} MB");
}

#[test]
fn a_report_is_byte_for_byte_what_the_program_gives() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let id = college.hand_in("s1", "estuary.txt", &content);
    let mut administrator = college.administrator.clone();
    let told = administrator.wait_for(&id);
    assert_eq!(told["status"]["state"], "done", "{told}");
    assert!(told["figures"]["copy_ratio"].as_f64().unwrap() > 0.3, "{told}");
    let mut check = copytrace();
    check
        .current_dir(&server.data)
        .args(["check", &format!("files/{id}.txt"), "--keep-itself", "--format", "json", "-o"])
        .arg(bench.path("report"));
    // In the order in which the service searches: what staff alone may read first.
    for folder in ["collections/2-Closed", "collections/1-Open"] {
        check.args(["--index", folder]);
    }
    check.args(["--exclude", &format!("submission-{id}")]).assert().success();
    let expected = std::fs::read(bench.path(format!("report/{id}.txt.json"))).unwrap();
    assert_eq!(administrator.get(&format!("/submissions/{id}/report.json")).body, expected);

    // Another's whole text is no text of one's own.
    let others = std::fs::read(project("corpora/demo/reference/en-ref-05-sluice-gate.txt")).unwrap();
    let whole = college.hand_in("s2", "whole.txt", &others);
    let told_whole = administrator.wait_for(&whole);
    assert_eq!(told_whole["figures"]["copy_ratio"], 1.0, "{told_whole}");

    // A decision changes the ratio beside the report, and not the report.
    let source = told_source(&expected);
    let path = format!("/submissions/{id}/decisions");
    assert_eq!(administrator.form(&path, &[("source", &source), ("reason", "")]).status, 422);
    assert_eq!(administrator.form(&path, &[("source", "nothing"), ("reason", "common phrase")]).status, 422);
    assert_eq!(administrator.form(&path, &[("source", &source), ("reason", "common phrase")]).status, 303);
    let decided = administrator.wait_for(&id);
    assert!(decided["figures"]["decided_ratio"].as_f64() < decided["figures"]["copy_ratio"].as_f64(), "{decided}");
    let reviewed = administrator.get(&format!("/submissions/{id}/report.json"));
    assert!(reviewed.body.starts_with(expected.trim_ascii_end().strip_suffix(b"\n}").unwrap()), "{}", reviewed.text());
    assert_eq!(reviewed.json()["review"]["decided_ratio"], decided["figures"]["decided_ratio"]);
    assert_eq!(administrator.form(&format!("{path}/1"), &[]).status, 303);
    assert_eq!(administrator.form(&format!("{path}/1"), &[]).status, 404, "revoked already");
    assert_eq!(administrator.wait_for(&id)["figures"]["decided_ratio"], told["figures"]["copy_ratio"]);
}

fn told_source(report: &[u8]) -> String {
    let report: serde_json::Value = serde_json::from_slice(report).unwrap();
    report["sources"][0]["id"].as_str().unwrap().to_owned()
}

/// Reads events of a submission until this many came or the stream ended.
fn events(server: &Server, cookie: &str, id: &str, most: usize) -> Vec<serde_json::Value> {
    let host = server.base.trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        stream,
        "GET /submissions/{id}/events HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let data = lines.filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok());
    data.take(most).collect()
}

#[test]
fn progress_is_told_again_to_whoever_lost_the_line_and_a_check_can_be_cancelled() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--workers", "1"]);
    let college = College::found(&server, json!({ "quota": 1 }));
    let text = std::fs::read_to_string(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let mut student = college.person("s1");
    let path = format!("/rounds/{}/submissions", college.round);
    let mut hand_in = |text: &str| {
        let reply = student.upload(&path, &[("kind", "final")], "t.txt", text.as_bytes());
        assert_eq!(reply.status, 303, "{}", reply.text());
        reply.place().rsplit('/').next().unwrap().to_owned()
    };
    // So long that it is under way for a while.
    let long = hand_in(&text.repeat(1500));
    let waiting = college.hand_in("s2", "short.txt", text.as_bytes());
    let cookie = college.administrator.cookie.clone();
    let first = events(&server, &cookie, &long, 1);
    assert!(["queued", "running"].contains(&first[0]["state"].as_str().unwrap()), "{first:?}");
    let again = events(&server, &cookie, &waiting, 1);
    assert_eq!((again[0]["state"].as_str(), again[0]["before"].as_i64()), (Some("queued"), Some(1)), "{again:?}");
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.form(&format!("/submissions/{long}/cancel"), &[]).status, 303);
    assert_eq!(administrator.form(&format!("/submissions/{long}/cancel"), &[]).status, 404);
    let last = events(&server, &cookie, &waiting, 1000);
    assert_eq!(last.last().unwrap()["state"], "done", "{last:?}");
    assert_eq!(events(&server, &cookie, &waiting, 1000).len(), 1, "what is over is told once");
    assert_eq!(administrator.wait_for(&long)["status"]["state"], "cancelled");
    // It cost nothing.
    let again = hand_in(&text);
    assert_eq!(administrator.wait_for(&again)["status"]["state"], "done");
}
