//! What a newcomer sees, and that reports are the program's own.

use crate::program::{Bench, copytrace, project};
use crate::server::{College, Server};
use serde_json::json;
use std::time::{Duration, Instant};

/// Resident memory of a process, in MB.
fn megabytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1000
}

fn children(process: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

#[test]
fn the_demo_has_reports_within_a_minute_and_an_idle_server_takes_little_memory() {
    let (bench, start) = (Bench::new(), Instant::now());
    let server = Server::start(&bench.path("data"), &["--demo"]);
    let password = server.told("password of each").rsplit(' ').next().unwrap();
    let mut supervisor = server.sign_in("supervisor", password);
    let overview = loop {
        let page = supervisor.get("/").text();
        if page.contains("50.3 %") {
            break page;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{page}");
        std::thread::sleep(Duration::from_millis(200));
    };
    let submission = overview.split("/submissions/").nth(1).unwrap()[..32].to_owned();
    let report = supervisor.get(&format!("/submissions/{submission}/report"));
    assert!(
        report.text().contains("class=\"no_attribution\"") || report.text().contains("no_attribution"),
        "{}",
        report.text()
    );
    assert!(report.headers["content-security-policy"].starts_with("default-src 'none'; style-src 'sha256-"));
    let mut student = server.sign_in("2026003", password);
    assert_eq!(student.get(&format!("/submissions/{submission}/report")).status, 200);
    let mut other = server.sign_in("2026001", password);
    assert_eq!(
        other.get(&format!("/submissions/{submission}/report")).status,
        404,
        "another's submission does not exist"
    );

    // Workers end when there is nothing to do.
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::read_dir(format!("/proc/{}/task", server.process()))
        .unwrap()
        .flatten()
        .any(|task| !std::fs::read_to_string(task.path().join("children")).unwrap_or_default().trim().is_empty())
    {
        assert!(Instant::now() < deadline, "{:?}", children(server.process()));
        std::thread::sleep(Duration::from_millis(500));
    }
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
        .args(["check", &format!("files/{id}.txt"), "--format", "json", "-o"])
        .arg(bench.path("report"));
    // In the order in which the service searches: what staff alone may read first.
    for folder in ["collections/2-Closed", "collections/1-Open"] {
        check.args(["--index", folder]);
    }
    check.args(["--exclude", &format!("submission-{id}")]).assert().success();
    let expected = std::fs::read(bench.path(format!("report/{id}.txt.json"))).unwrap();
    assert_eq!(administrator.get(&format!("/submissions/{id}/report.json")).body, expected);

    // A decision changes the ratio beside the report, and not the report.
    let source = told_source(&expected);
    let path = format!("/submissions/{id}/decisions");
    assert_eq!(administrator.form(&path, &[("source", &source), ("reason", "")]).status, 422);
    assert_eq!(administrator.form(&path, &[("source", "nothing"), ("reason", "common phrase")]).status, 422);
    assert_eq!(administrator.form(&path, &[("source", &source), ("reason", "common phrase")]).status, 303);
    let decided = administrator.wait_for(&id);
    assert!(decided["figures"]["decided_ratio"].as_f64() < decided["figures"]["copy_ratio"].as_f64(), "{decided}");
    assert_eq!(administrator.get(&format!("/submissions/{id}/report.json")).body, expected);
    assert_eq!(administrator.form(&format!("{path}/1"), &[]).status, 303);
    assert_eq!(administrator.form(&format!("{path}/1"), &[]).status, 404, "revoked already");
    assert_eq!(administrator.wait_for(&id)["figures"]["decided_ratio"], told["figures"]["copy_ratio"]);
}

fn told_source(report: &[u8]) -> String {
    let report: serde_json::Value = serde_json::from_slice(report).unwrap();
    report["sources"][0]["id"].as_str().unwrap().to_owned()
}
