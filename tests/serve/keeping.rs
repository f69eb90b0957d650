//! Backups, the audit log, and folders that are not served.

use crate::program::{Bench, copytrace, project};
use crate::serve::server::{College, Server};
use serde_json::json;

#[test]
fn a_backup_of_a_busy_server_is_restored_elsewhere_with_equal_reports() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    let text = std::fs::read_to_string(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let ids: Vec<String> = (0..6)
        .map(|n| college.hand_in(["s1", "s2", "s3"][n % 3], "t.txt", format!("{text}\n\nVersion {n}.").as_bytes()))
        .collect();
    let mut administrator = college.administrator.clone();
    administrator.wait_for(&ids[0]);
    copytrace().args(["serve", "backup"]).args([bench.path("data"), bench.path("backup")]).assert().success();
    copytrace().args(["serve", "backup"]).args([bench.path("data"), bench.path("backup")]).assert().failure();
    college.settle();
    copytrace().args(["serve", "restore"]).args([bench.path("backup"), bench.path("restored")]).assert().success();
    let report =
        |person: &mut crate::serve::server::Person<'_>, id: &str| person.get(&format!("/submissions/{id}/report.json"));
    let expected = report(&mut administrator, &ids[0]).body;
    let restored = Server::start(&bench.path("restored"), &[]);
    let mut again = restored.sign_in("admin", crate::serve::server::PASSWORD);
    assert_eq!(report(&mut again, &ids[0]).body, expected);
    for id in &ids {
        assert_eq!(again.wait_for(id)["status"]["state"], "done", "what waited is done by the restored server");
    }
}

#[test]
fn a_folder_is_served_by_one_server_and_not_when_it_is_damaged_or_another_s() {
    let bench = Bench::new();
    let data = bench.path("data");
    let server = Server::start(&data, &[]);
    drop(server.administrator());
    assert!(Server::try_start(&data, &[]).err().unwrap().contains("served by another process already"));
    let open = Server::try_start(&data, &["--listen", "0.0.0.0:0"]).err().unwrap();
    assert!(open.contains("has no encryption"), "{open}");
    server.kill();
    let server = Server::start(&data, &[]);
    drop(server.sign_in("admin", crate::serve::server::PASSWORD));
    server.stop();

    copytrace().args(["serve", "verify-audit"]).arg(&data).assert().success();
    let database = data.join("service.db");
    let change = rusqlite::Connection::open(&database).unwrap();
    assert_eq!(change.execute("UPDATE audit SET action = 'nothing' WHERE n = 2", []).unwrap(), 1);
    drop(change);
    copytrace().args(["serve", "verify-audit"]).arg(&data).assert().failure();

    let mut bytes = std::fs::read(&database).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0x5a);
    std::fs::write(&database, bytes).unwrap();
    let complaint = Server::try_start(&data, &[]).err().unwrap();
    assert!(complaint.contains("service.db"), "{complaint}");
    let others = bench.write("others/thesis.txt", "mine");
    let complaint = Server::try_start(others.parent().unwrap(), &[]).err().unwrap();
    assert!(complaint.contains("holds other files"), "{complaint}");
}
