//! What the service keeps of what was done, and who can read it.

use crate::program::{Bench, copytrace, project, wait_for};
use crate::serve::second_factor::set_up;
use crate::serve::server::{College, PASSWORD, Server};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn text() -> Vec<u8> {
    std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap()
}

/// The files and folders below a folder, itself included, that others than its owner may read.
fn readable_by_others(path: &Path) -> Vec<String> {
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    let mut found = Vec::from_iter((mode & 0o077 != 0).then(|| format!("{} {mode:o}", path.display())));
    if path.is_dir() {
        found.extend(std::fs::read_dir(path).unwrap().flat_map(|entry| readable_by_others(&entry.unwrap().path())));
    }
    found
}

#[test]
fn data_and_backups_are_their_owners_alone() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    college.hand_in("s1", "t.txt", &text());
    college.settle();
    // As an older version left it.
    let service = server.data.join("service.db");
    std::fs::set_permissions(&service, std::fs::Permissions::from_mode(0o644)).unwrap();
    copytrace().args(["serve", "backup"]).args([bench.path("data"), bench.path("backup")]).assert().success();
    copytrace().args(["serve", "restore"]).args([bench.path("backup"), bench.path("restored")]).assert().success();
    assert_eq!(readable_by_others(&bench.path("backup")), Vec::<String>::new());
    assert_eq!(readable_by_others(&bench.path("restored")), Vec::<String>::new());
}

#[test]
fn what_is_kept_for_an_idempotency_key_holds_no_secret_and_repeats_the_place() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let id = college.hand_in("s1", "t.txt", &text());
    administrator.wait_for(&id);
    let key = [("idempotency-key", "two"), ("content-type", "application/json")];
    let mut program = administrator.program(&["read", "submit"]);
    let path = format!("/api/v1/submissions/{id}/viewer");
    let link = program.request("POST", &path, &key, b"{}").json()["path"].as_str().unwrap().to_owned();
    assert_eq!(program.request("POST", &path, &key, b"{}").status, 409, "a secret is told once");
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    let kept: Vec<String> = database
        .prepare("SELECT body FROM reply")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let secret = link.rsplit('/').next().unwrap();
    assert_eq!(kept, [""], "{secret}");

    let fields = [("student", "s2"), ("kind", "draft")];
    let path = format!("/api/v1/rounds/{}/submissions", college.round);
    let mut hand_in = || program.upload_with(&path, &fields, "t.txt", &text(), &[("idempotency-key", "three")]);
    let (once, twice) = (hand_in(), hand_in());
    assert_eq!((once.body.clone(), once.place().to_owned()), (twice.body.clone(), twice.place().to_owned()));
    assert!(twice.place().starts_with("/api/v1/submissions/"));
    // An earlier version kept a key before it knew the reply: such a request is not made again.
    database
        .execute("UPDATE reply SET status = 0 WHERE person = (SELECT id FROM person WHERE number = 'admin')", [])
        .unwrap();
    assert_eq!(hand_in().status, 409);
}

#[test]
fn tokens_end_with_their_password_tell_their_last_use_and_are_seen_by_administrators() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut supervisor = college.person("t1");
    let mut program = supervisor.program(&["read"]);
    assert!(supervisor.get("/account").text().contains("never used"));
    assert_eq!(program.get("/api/v1/rounds").status, 200);
    assert!(!supervisor.get("/account").text().contains("never used"));
    let mut administrator = college.administrator.clone();
    let people = administrator.get("/people?q=t1").text();
    let tokens = people.split("href=\"").find(|part| part.contains("/tokens\"")).unwrap().split('"').next().unwrap();
    let page = administrator.get(tokens).text();
    assert!(page.contains("test") && page.contains("read"), "{page}");
    let revoke = page.split("action=\"").find(|part| part.starts_with(tokens)).unwrap().split('"').next().unwrap();
    assert_eq!(supervisor.get(tokens).status, 403);
    assert_eq!(administrator.form(revoke, &[]).status, 303);
    assert_eq!(program.get("/api/v1/rounds").status, 401);
    let mut program = supervisor.program(&["read"]);
    let new = [("old", PASSWORD), ("password", "another password")];
    assert_eq!(supervisor.form("/account/password", &new).status, 303);
    assert_eq!(program.get("/api/v1/rounds").status, 401, "who had the old password has its tokens");
}

#[test]
fn the_audit_log_tells_who_read_what_and_is_held_against_a_head_that_was_noted() {
    let bench = Bench::new();
    let copy = bench.path("elsewhere.jsonl");
    let server = Server::start(&bench.path("data"), &["--audit-copy", copy.to_str().unwrap()]);
    let college = College::found(&server, json!({}));
    let id = college.hand_in("s1", "t.txt", &text());
    college.settle();
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.get(&format!("/submissions/{id}/report")).status, 200);
    assert_eq!(administrator.get(&format!("/rounds/{}/sheet.xlsx", college.round)).status, 200);
    let log = administrator.get("/audit").text();
    assert!(log.contains("view_report") && log.contains("fetch_sheet"), "{log}");
    let head = log.split("data-head=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let n: usize = head.split(':').next().unwrap().parse().unwrap();
    let copied = || std::fs::read_to_string(&copy).unwrap_or_default();
    wait_for("all rows are copied", || (copied().lines().count() >= n).then_some(()));
    let data = server.data.clone();
    drop(college);
    server.stop();
    let verify = |extra: &[&str]| {
        let mut verify = copytrace();
        verify.args(["serve", "verify-audit"]).arg(&data).args(extra).assert()
    };
    let copy = copy.to_str().unwrap();
    verify(&["--head", &head]).success();
    verify(&["--copy", copy]).success();
    verify(&["--head", &head.replace(':', ":00")]).failure();
    // Who has the database alone changes a row and seals the rest with another key.
    let other = bench.path("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(data.join("service.db"), other.join("service.db")).unwrap();
    let database = rusqlite::Connection::open(other.join("service.db")).unwrap();
    database.execute("DELETE FROM setting WHERE name = 'key'", []).unwrap();
    drop(database);
    seal_anew(&other);
    let key = data.join("service.key");
    let mut verify_other = copytrace();
    verify_other.args(["serve", "verify-audit"]).arg(&other).arg("--key").arg(&key).assert().failure();
    // Who has the key too is found out by what stands elsewhere.
    seal_anew(&data);
    verify(&[]).success();
    verify(&["--head", &head]).failure();
    verify(&["--copy", copy]).failure();
}

/// Changes a row of an audit log and seals it and those after it, with the key that stands beside the database.
fn seal_anew(data: &Path) {
    use copytrace_serve::audit::Action;
    let store = copytrace_serve::store::Store::open(&data.join("service.db")).unwrap();
    store
        .write(|t| {
            let rows = copytrace_serve::audit::page(t, i64::MAX, 10_000)?;
            t.execute("DELETE FROM audit", [])?;
            for row in rows.iter().rev() {
                let action = Action::of(&row.action).filter(|_| row.n != 2).unwrap_or(Action::Appeal);
                copytrace_serve::audit::record(t, row.person.as_deref(), action, &row.object, &row.detail)?;
            }
            Ok::<_, copytrace_serve::fault::Fault>(())
        })
        .unwrap();
}

#[test]
fn a_backup_holds_no_key_and_without_it_second_factors_end() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let supervisor = college.person("t1");
    let key = set_up(&mut supervisor.clone());
    let stored = |data: &Path| -> Option<String> {
        let database = rusqlite::Connection::open(data.join("service.db")).unwrap();
        database.query_row("SELECT totp FROM person WHERE number = 't1'", [], |row| row.get(0)).unwrap()
    };
    let sealed = stored(&server.data).unwrap();
    assert!(!sealed.contains(&key) && sealed.len() > 100, "{sealed}");
    drop((college, supervisor));
    let data = server.data.clone();
    server.stop();
    let (backup, file) = (bench.path("backup"), data.join("service.key"));
    copytrace().args(["serve", "backup"]).args([&data, &backup]).assert().success();
    assert!(!backup.join("service.key").exists());
    let verify = |data: &Path, extra: &[&str]| {
        let output = copytrace().args(["serve", "verify-audit"]).arg(data).args(extra).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert!(!verify(&backup, &[]).0);
    assert!(verify(&backup, &["--key", file.to_str().unwrap()]).0);

    let with = bench.path("with");
    copytrace().args(["serve", "restore"]).args([&backup, &with]).arg("--key").arg(&file).assert().success();
    assert_eq!(readable_by_others(&with), Vec::<String>::new());
    assert!(verify(&with, &[]).0);
    assert_eq!(stored(&with).as_ref(), Some(&sealed));
    drop(Server::start(&with, &[]));

    let without = bench.path("without");
    let restored = copytrace().args(["serve", "restore"]).args([&backup, &without]).output().unwrap();
    let said = String::from_utf8_lossy(&restored.stderr);
    assert!(restored.status.success() && said.contains("second factors have ended"), "{said}");
    assert_eq!(stored(&without), None);
    let (sound, said) = verify(&without, &[]);
    assert!(sound && said.contains("their key was lost"), "{said}");
    let server = Server::start(&without, &[]);
    server.sign_in("t1", PASSWORD);
    server.stop();
    // A key that is gone, or another's, is told: rows sealed with a new one would not follow on the others.
    std::fs::copy(&file, without.join("service.key")).unwrap();
    assert!(Server::try_start(&without, &[]).err().unwrap().contains("not the key of this database"));
    std::fs::remove_file(without.join("service.key")).unwrap();
    assert!(Server::try_start(&without, &[]).err().unwrap().contains("is not there"));
}
