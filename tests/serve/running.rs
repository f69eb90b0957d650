//! What happens around a server that runs for months: its program is replaced, a file of defaults is written, folders come and go.

use crate::program::{Bench, project, wait_for};
use crate::serve::server::{College, Server};
use serde_json::json;
use std::process::Command;

fn text() -> Vec<u8> {
    std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap()
}

#[test]
fn a_program_that_is_replaced_under_a_running_server_changes_nothing() {
    let bench = Bench::new();
    let program = bench.path("copytrace");
    std::fs::copy(env!("CARGO_BIN_EXE_copytrace"), &program).unwrap();
    let server = Server::try_start_by(Command::new(&program), &bench.path("data"), &[]).unwrap();
    // A package manager puts the new one in the place of the old one.
    std::fs::write(bench.path("new"), "#!/bin/sh\nexit 1\n").unwrap();
    std::fs::rename(bench.path("new"), &program).unwrap();
    let college = College::found(&server, json!({}));
    let id = college.hand_in("s1", "t.txt", &text());
    let told = college.administrator.clone().wait_for(&id);
    assert_eq!(told["status"]["state"], "done", "{told}");
    assert_eq!(server.nobody().get("/health/ready").status, 200);
}

#[test]
fn a_server_whose_workers_cannot_start_is_not_ready_and_fails_no_job() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    // Workers that are idle end first.
    std::thread::sleep(std::time::Duration::from_secs(23));
    let limit = |most: Option<u64>| {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let server = Pid::from_raw(server.process() as i32);
        prlimit(server, Resource::Stack, Rlimit { current: most, maximum: None }).unwrap()
    };
    // No program starts that has no room for its arguments.
    let before = limit(Some(4096));
    let id = college.hand_in("s1", "t.txt", &text());
    std::thread::sleep(std::time::Duration::from_secs(3));
    let told = college.administrator.clone().get(&format!("/api/v1/submissions/{id}")).json();
    // It waits, or is being tried again at this very moment.
    let state = told["status"]["state"].as_str().unwrap();
    assert!(["queued", "running"].contains(&state), "{told}");
    assert_eq!((server.nobody().get("/health/ready").status, server.nobody().get("/health/live").status), (503, 200));
    limit(before.current);
    assert_eq!(college.administrator.clone().wait_for(&id)["status"]["state"], "done");
    assert_eq!(server.nobody().get("/health/ready").status, 200);
}

#[test]
fn defaults_of_the_service_reach_no_worker_and_no_other_command() {
    let bench = Bench::new();
    let defaults = bench.write("copytrace.toml", "[serve]\nworkers = 1\nreserve = \"1MB\"\nlisten = \"127.0.0.1:0\"\n");
    let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    program.env("COPYTRACE_CONFIG", &defaults);
    let server = Server::try_start_by(program, &bench.path("data"), &[]).unwrap();
    let college = College::found(&server, json!({}));
    let id = college.hand_in("s1", "t.txt", &text());
    assert_eq!(college.administrator.clone().wait_for(&id)["status"]["state"], "done");
    let mut verify = crate::program::copytrace();
    verify.env("COPYTRACE_CONFIG", &defaults).args(["serve", "verify-audit"]).arg(&server.data).assert().success();
}

#[test]
fn only_folders_below_the_intake_are_added_and_nothing_stays_of_what_was_uploaded() {
    let bench = Bench::new();
    let others = bench.write("private/letter.txt", "A letter that nobody else is to read, in some words.");
    let library = bench.write("library/book.txt", "A book that everybody may read, in some other words.");
    let fill = |server: &Server, from: &std::path::Path| {
        let college = College::found(server, json!({}));
        let mut administrator = college.administrator.clone();
        let place = format!("/collections/{}", college.open);
        let status = administrator.form(&format!("{place}/fill"), &[("from", from.to_str().unwrap())]).status;
        college.settle();
        let page = administrator.get(&place).text();
        (status, page, administrator.get("/audit").text())
    };
    let off = Server::start(&bench.path("off"), &[]);
    let (status, page, _) = fill(&off, library.parent().unwrap());
    assert_eq!((status, page.contains("name=\"from\"")), (422, false), "nobody named a folder");
    let left = std::fs::read_dir(off.data.join("intake")).unwrap().count();
    assert_eq!(left, 0, "what was uploaded into collections has been taken over");
    let intake = library.parent().unwrap().to_str().unwrap();
    let (status, page, _) = fill(&Server::start(&bench.path("on"), &["--intake", intake]), others.parent().unwrap());
    assert_eq!((status, page.contains("letter.txt"), page.contains("name=\"from\"")), (422, false, true));
    std::os::unix::fs::symlink(others.parent().unwrap(), bench.path("library/link")).unwrap();
    let linked = bench.path("library/link");
    let (status, _, _) = fill(&Server::start(&bench.path("linked"), &["--intake", intake]), &linked);
    assert_eq!(status, 422, "a link out of it is not below it");
    let (status, page, log) =
        fill(&Server::start(&bench.path("right"), &["--intake", intake]), library.parent().unwrap());
    assert_eq!((status, page.contains("book.txt")), (303, true));
    assert!(log.contains(intake), "the log tells which folder: {log}");
}

#[test]
fn figures_tell_how_long_requests_and_jobs_took_by_route_and_kind_and_name_nobody() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let id = college.hand_in("s1", "t.txt", &text());
    college.settle();
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.get(&format!("/submissions/{id}")).status, 200);
    // A job is counted a moment after it is written down.
    let checked = "copytrace_job_seconds_count{kind=\"check\",state=\"done\"} 1\n";
    wait_for("the check is counted", || administrator.get("/metrics").text().contains(checked).then_some(()));
    let figures = administrator.get("/metrics");
    assert!(figures.headers["content-type"].starts_with("application/openmetrics-text"), "{:?}", figures.headers);
    let told = figures.text();
    let count = |of: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(of)?.trim().parse::<u64>().ok());
        line.unwrap_or_else(|| panic!("{of}: {told}"))
    };
    let requests = |of: &str| count(&format!("copytrace_request_seconds_count{{{of}}}"));
    assert_eq!(requests("method=\"POST\",route=\"/rounds/{id}/submissions\",status=\"303\""), 1);
    assert_eq!(requests("method=\"GET\",route=\"/submissions/{id}\",status=\"200\""), 1);
    assert!(count("copytrace_job_work_seconds_count{kind=\"fill\",state=\"done\"}") > 0);
    assert!(!told.contains(&id) && !told.contains("Ann") && !told.contains(&college.round));
}
