//! One person's data as an archive: all of it, and nobody else's.

use crate::program::{Bench, project};
use crate::serve::server::{College, Reply, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

fn members(reply: &Reply) -> BTreeMap<String, Vec<u8>> {
    assert_eq!((reply.status, reply.headers["content-type"].as_str()), (200, "application/zip"), "{}", reply.text());
    let mut archive = zip::ZipArchive::new(Cursor::new(&reply.body)).unwrap();
    let mut members = BTreeMap::new();
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).unwrap();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        members.insert(member.name().to_owned(), bytes);
    }
    members
}

#[test]
fn one_person_s_data_is_an_archive_of_rows_files_and_reports_and_holds_nobody_else_s() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "student_sees": "after_verdict" }));
    let text = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submission = college.hand_in("s1", "My estuary.txt", &text);
    college.hand_in("s2", "Of Ben.txt", &[&text[..], b" Ben."].concat());
    college.settle();
    let (mut student, mut administrator) = (college.person("s1"), college.administrator.clone());
    let before = members(&student.get("/account/data.zip"));
    assert!(
        !before.keys().any(|name| name.starts_with("reports/")),
        "the round does not show it yet: {:?}",
        before.keys()
    );
    assert_eq!(before[&format!("files/{submission}.txt")], text);
    let data: Value = serde_json::from_slice(&before["data.json"]).unwrap();
    assert_eq!((&data["person"][0]["name"], &data["person"][0]["number"]), (&json!("Ann One"), &json!("s1")));
    assert_eq!(data["submissions"][0]["file_name"], "My estuary.txt");
    assert!(data["done_by_others"].as_array().unwrap().iter().any(|row| row["action"] == "submit"));
    let verdict = [("verdict", "pass"), ("comment", "Well done")];
    assert_eq!(college.person("t1").form(&format!("/submissions/{submission}/verdict"), &verdict).status, 303);
    let after = members(&student.get("/account/data.zip"));
    let report: Value = serde_json::from_slice(&after[&format!("reports/{submission}.json")]).unwrap();
    let shown = student.get(&format!("/submissions/{submission}/report.json")).json();
    assert_eq!(report, shown, "as the student sees it");
    let all: Vec<u8> = after.values().flatten().copied().collect();
    let all = String::from_utf8_lossy(&all);
    for other in ["Ben Two", "Of Ben", "Dr. Lin", "argon2"] {
        assert!(!all.contains(other), "{other}");
    }
    // The office gets the same for the person, and nobody else does.
    let people = administrator.get("/people?q=s1").text();
    let link = people.split("href=\"").find(|part| part.split('"').next().unwrap().ends_with("/data.zip")).unwrap();
    let link = link.split('"').next().unwrap();
    let of_office = members(&administrator.get(link));
    assert_eq!(of_office.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for number in ["s2", "t1", "r1"] {
        assert_eq!(college.person(number).get(link).status, 403, "{number}");
    }
    assert_eq!(administrator.get("/people/99/data.zip").status, 404);
    assert!(administrator.get("/audit").text().contains("downloaded the data of a person"));
    // Of staff too: what they did, and no student's name.
    let staff = members(&college.person("t1").get("/account/data.zip"));
    let data: Value = serde_json::from_slice(&staff["data.json"]).unwrap();
    assert!(data["verdicts_given"][0]["comment"] == "Well done" && !data.to_string().contains("Ann One"), "{data}");
}
