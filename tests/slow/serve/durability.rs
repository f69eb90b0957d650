//! Servers and workers that are killed at any moment: each job is done once, and a file that kills its reader fails.

use crate::program::{Bench, WhenDropped, copytrace, project};
use crate::serve::server::{College, PASSWORD, Server};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How many jobs and kills; `make serve-durability` asks for 1,000 and 100.
fn asked(name: &str, default: usize) -> usize {
    std::env::var(name).ok().map_or(default, |value| value.parse().unwrap())
}

/// Processes of this program whose arguments hold all these words, with theirs.
fn processes(words: &[&str]) -> Vec<i32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(process) = entry.file_name().to_string_lossy().parse::<i32>() else { continue };
        let line = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default().replace('\0', " ");
        if words.iter().all(|word| line.contains(word)) {
            found.push(process);
        }
    }
    found
}

fn kill(process: i32) {
    let pid = rustix::process::Pid::from_raw(process).unwrap();
    let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
}

/// The workers of a server: the children of its threads.
pub fn workers(server: &Server) -> Vec<i32> {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", server.process())).into_iter().flatten().flatten();
    let children = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    children
        .flat_map(|text| text.split_whitespace().filter_map(|child| child.parse().ok()).collect::<Vec<i32>>())
        .collect()
}

fn check(data: &Path, ids: &[String], target: &Path) {
    let mut command = copytrace();
    command.current_dir(data).arg("check").args(ids.iter().map(|id| format!("files/{id}.txt")));
    command.args([
        "--index",
        "collections/2-Closed",
        "--index",
        "collections/1-Open",
        "--keep-itself",
        "--no-shared",
        "--format",
        "json",
        "-o",
    ]);
    command.arg(target).assert().success();
}

#[test]
fn jobs_are_done_exactly_once_however_often_servers_and_workers_are_killed() {
    let (jobs, kills) = (asked("COPYTRACE_SERVE_JOBS", 40), asked("COPYTRACE_SERVE_KILLS", 8));
    let bench = Bench::new();
    let data = bench.path("data");
    let text = std::fs::read_to_string(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let mut server = Some(Server::start(&data, &[]));
    let over = AtomicBool::new(false);
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(19);
    let (round, ids, poison) = std::thread::scope(|scope| {
        // Whatever goes wrong below, the thread that kills must end for it to be told.
        let _over = WhenDropped(&over);
        // A file that kills whoever reads it, told by its ending; it is so long that nobody is done with it before.
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                processes(&["serve read-one files/", ".markdown"]).into_iter().for_each(kill);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let college = College::found(server.as_ref().unwrap(), json!({ "quota": 1000 }));
        // All at once, so that there is work to be interrupted from the first kill to the last.
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for n in 0..jobs {
            let (ending, content) = match n == jobs / 2 {
                true => ("markdown", text.repeat(2000)),
                false => ("txt", format!("{}\n\nThis is version {n} of the text.", text.repeat(3))),
            };
            let name = format!("{}_{n}.{ending}", ["s1", "s2", "s3"][n % 3]);
            archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut archive, content.as_bytes()).unwrap();
        }
        let archive = archive.finish().unwrap().into_inner();
        let mut program = college.administrator.clone().program(&["submit", "read"]);
        let path = format!("/api/v1/rounds/{}/batches", college.round);
        let taken = program.upload(&path, &[("kind", "draft")], "all.zip", &archive).json();
        let started = program.request("POST", &format!("/api/v1/batches/{}", taken["id"].as_str().unwrap()), &[], b"");
        let ids: Vec<String> = started.json()["submissions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap().to_owned())
            .collect();
        let (round, poison) = (college.round.clone(), ids[jobs / 2].clone());
        drop(college);
        for n in 0..kills {
            std::thread::sleep(Duration::from_millis(random.random_range(0..600)));
            if n % 2 == 0 {
                server.take().unwrap().kill();
                server = Some(Server::start(&data, &[]));
            } else {
                workers(server.as_ref().unwrap()).choose(&mut random).copied().into_iter().for_each(kill);
            }
        }
        server.as_ref().unwrap().sign_in("admin", PASSWORD).settle();
        (round, ids, poison)
    });
    let server = server.unwrap();
    let mut administrator = server.sign_in("admin", PASSWORD);
    let mut listed: BTreeMap<String, serde_json::Value> = BTreeMap::new();
    let mut after = String::new();
    loop {
        let page = administrator.get(&format!("/api/v1/rounds/{round}/submissions?limit=100&after={after}")).json();
        listed.extend(
            page["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|item| (item["id"].as_str().unwrap().to_owned(), item.clone())),
        );
        match page["next"].as_str() {
            Some(next) => after = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(listed.len(), jobs);
    let done: Vec<String> = ids.iter().filter(|id| **id != poison).cloned().collect();
    for id in &done {
        assert_eq!(listed[id]["state"], "done", "{}", listed[id]);
    }
    assert_eq!(listed[&poison]["state"], "failed", "{}", listed[&poison]);
    let told = administrator.get(&format!("/api/v1/submissions/{poison}")).json();
    assert_eq!(told["status"]["code"], "worker_died", "{told}");
    let database = rusqlite::Connection::open(data.join("service.db")).unwrap();
    let once: i64 = database
        .query_row("SELECT count(*) FROM job WHERE kind = 'check' AND state = 'done'", [], |row| row.get(0))
        .unwrap();
    let reports: i64 = database.query_row("SELECT count(*) FROM report", [], |row| row.get(0)).unwrap();
    assert_eq!((once as usize, reports as usize), (jobs - 1, jobs - 1));
    let sum = "SELECT sum(attempts), sum(orphaned) FROM job WHERE kind = 'check'";
    let (attempts, orphaned) =
        database.query_row(sum, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))).unwrap();
    assert!(attempts > jobs as i64 + 2, "kills met work: {attempts} attempts");
    println!("{jobs} jobs in {attempts} attempts, {orphaned} of which ended with a server, through {kills} kills");
    check(&data, &done, &bench.path("report"));
    for id in &done {
        let expected = std::fs::read(bench.path(format!("report/{id}.txt.json"))).unwrap();
        assert!(administrator.get(&format!("/submissions/{id}/report.json")).body == expected, "{id}");
    }
}
