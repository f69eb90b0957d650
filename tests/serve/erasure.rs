//! Erasure that meets obstacles: it is done in the end, and stops no check meanwhile.

use crate::program::{Bench, copytrace, project, wait_for};
use crate::serve::server::{College, PASSWORD, Server};
use copytrace::index::{Index, IndexWriter};
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

fn corpus(path: &str) -> String {
    std::fs::read_to_string(project(format!("corpora/demo/submissions/{path}"))).unwrap()
}

/// Whether the index in a folder holds a submission.
fn holds(folder: &Path, submission: &str) -> bool {
    Index::holds(folder, &[&format!("submission-{submission}")]).unwrap()[0]
}

/// A value of the database of a data folder.
fn told<T: rusqlite::types::FromSql>(data: &Path, sql: &str) -> T {
    Connection::open(data.join("service.db")).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_removal_that_fails_is_tried_until_it_is_done_and_the_overview_tells() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    let erased = college.hand_in("s2", "fellow.txt", corpus("en-04-farm-college.txt").as_bytes());
    college.settle();
    let index = server.data.join("rounds").join(&college.round);
    assert!(holds(&index, &erased));
    // Nothing can be taken out of an index that cannot be opened.
    std::fs::rename(&index, bench.path("away")).unwrap();
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.form(&format!("/submissions/{erased}/erase"), &[("sure", "true")]).status, 303);
    wait_for("the removal to be tried twice", || {
        let failed: i64 = told(&server.data, "SELECT count(*) FROM job WHERE kind = 'remove' AND state = 'failed'");
        assert_eq!(failed, 0, "a removal does not fail");
        administrator.get("/").text().contains("still wait to be removed from an index").then_some(())
    });
    std::fs::rename(bench.path("away"), &index).unwrap();
    wait_for("it to be taken out", || (!holds(&index, &erased)).then_some(()));
    college.settle();
    assert!(!administrator.get("/").text().contains("still wait to be removed from an index"));
}

#[test]
fn what_was_erased_is_no_source_even_while_it_still_stands_in_an_index() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    let fellow = corpus("en-04-farm-college.txt");
    let erased = college.hand_in("s2", "fellow.txt", fellow.as_bytes());
    college.settle();
    let index = server.data.join("rounds").join(&college.round);
    // Another process changes the index, so that nothing is taken out yet.
    let writer = IndexWriter::open(&index).unwrap();
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.form(&format!("/submissions/{erased}/erase"), &[("sure", "true")]).status, 303);
    let fields = [("student", "s1"), ("kind", "draft")];
    let path = format!("/rounds/{}/submissions", college.round);
    let place = administrator.upload(&path, &fields, "t.txt", fellow.as_bytes()).place().to_owned();
    let id = place.rsplit('/').next().unwrap();
    let state = format!("SELECT state FROM job WHERE kind = 'check' AND submission = '{id}'");
    wait_for("the check beside the removal that waits", || {
        (told::<String>(&server.data, &state) == "done").then_some(())
    });
    assert!(holds(&index, &erased), "else this proves nothing");
    assert!(!administrator.get(&format!("/submissions/{id}/report.json")).text().contains(&erased));
    // What waits is looked at seldom, not as fast as it goes.
    let turns = || told::<i64>(&server.data, "SELECT max(turn) FROM job");
    let before = turns();
    std::thread::sleep(Duration::from_secs(4));
    assert!(turns() - before < 8, "{} claims in four seconds", turns() - before);
    drop(writer);
    wait_for("it to be taken out", || (!holds(&index, &erased)).then_some(()));
}

#[test]
fn an_index_that_holds_what_the_records_do_not_is_put_right_when_the_server_starts() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    let erased = college.hand_in("s2", "fellow.txt", corpus("en-04-farm-college.txt").as_bytes());
    college.settle();
    let (data, round) = (server.data.clone(), college.round.clone());
    drop(college);
    server.stop();
    let index = data.join("rounds").join(round);
    let copied = std::process::Command::new("cp").arg("-a").args([&index, &bench.path("older")]).status().unwrap();
    assert!(copied.success());
    let server = Server::start(&data, &[]);
    let mut administrator = server.sign_in("admin", PASSWORD);
    assert_eq!(administrator.form(&format!("/submissions/{erased}/erase"), &[("sure", "true")]).status, 303);
    administrator.settle();
    server.stop();
    // Somebody puts an older copy of the index back.
    std::fs::remove_dir_all(&index).unwrap();
    std::fs::rename(bench.path("older"), &index).unwrap();
    assert!(holds(&index, &erased));
    let _server = Server::start(&data, &[]);
    wait_for("it to be taken out", || (!holds(&index, &erased)).then_some(()));
}

#[test]
fn what_was_erased_after_a_backup_is_erased_from_what_is_restored_of_it() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--audit-copy", bench.path("audit.jsonl").to_str().unwrap()]);
    let college = College::found(&server, json!({ "among": true }));
    let text = corpus("en-04-farm-college.txt");
    let (erased, kept) =
        (college.hand_in("s2", "a.txt", text.as_bytes()), college.hand_in("s1", "b.txt", text.as_bytes()));
    college.settle();
    copytrace().args(["serve", "backup"]).args([bench.path("data"), bench.path("backup")]).assert().success();
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.form(&format!("/submissions/{erased}/erase"), &[("sure", "true")]).status, 303);
    college.settle();
    let copied = || std::fs::read_to_string(bench.path("audit.jsonl")).unwrap_or_default();
    wait_for("the row is in the copy", || copied().contains("erase_submission").then_some(()));
    drop(college);
    server.stop();
    for (target, after) in [("restored", "data"), ("restored too", "audit.jsonl")] {
        let target = bench.path(target);
        let mut restore = copytrace();
        restore.args(["serve", "restore"]).arg(bench.path("backup")).arg(&target);
        restore.arg("--erased").arg(bench.path(after)).assert().success();
        assert!(!target.join(format!("files/{erased}.txt")).exists());
        let restored = Server::start(&target, &[]);
        let mut again = restored.sign_in("admin", PASSWORD);
        again.settle();
        assert_eq!(again.get(&format!("/submissions/{erased}")).status, 404);
        assert_eq!(again.get(&format!("/submissions/{kept}")).status, 200);
        let round = std::fs::read_dir(target.join("rounds")).unwrap().next().unwrap().unwrap().path();
        assert!(!holds(&round, &erased) && holds(&round, &kept));
    }
}
