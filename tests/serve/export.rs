//! One person's data as an archive: all of it, and nobody else's.

use crate::program::{Bench, project};
use crate::serve::server::{College, Person, Reply, Server};
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
        members.insert(member.name().unwrap().into_owned(), bytes);
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

#[test]
fn students_agree_to_the_latest_version_before_they_hand_in_and_each_version_is_kept() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let (mut student, mut auditor) = (college.person("s1"), college.person("r1"));
    assert_eq!(server.nobody().get("/terms").status, 404);
    let write = |person: &mut Person<'_>, text: &str| person.form("/data-protection/terms", &[("text", text)]).status;
    assert_eq!((write(&mut auditor, "Mine"), write(&mut student, "Mine")), (403, 403));
    assert_eq!(
        (write(&mut administrator, " "), write(&mut administrator, "You <agree> to this.\n\nAll of it.")),
        (422, 303)
    );
    assert_eq!(write(&mut administrator, "You <agree> to this.\n\nAll of it."), 303, "the same is no new version");
    let page = server.nobody().get("/terms").text();
    assert!(page.contains("You &lt;agree&gt; to this.") && page.contains("Version 1"), "{page}");
    let round = format!("/rounds/{}", college.round);
    assert!(student.get(&round).text().contains("name=\"agrees\" value=\"1\""));
    let hand_in = |student: &mut Person<'_>, agrees: &[(&str, &str)], text: &str| {
        let fields = [&[("kind", "draft")], agrees].concat();
        student.upload(&format!("{round}/submissions"), &fields, "draft.txt", text.as_bytes())
    };
    let refused = hand_in(&mut student, &[], "A first draft about marshes.");
    assert!(refused.status == 403 && refused.text().contains("agree"), "{}", refused.text());
    assert_eq!(hand_in(&mut student, &[("agrees", "2")], "A first draft about marshes.").status, 403);
    assert_eq!(hand_in(&mut student, &[("agrees", "1")], "A first draft about marshes.").status, 303);
    college.settle();
    assert!(!student.get(&round).text().contains("name=\"agrees\""), "once is enough");
    assert_eq!(write(&mut administrator, "Something else."), 303);
    let mut program = student.program(&["submit"]);
    let path = format!("/api/v1{round}/submissions");
    let again = program.upload(&path, &[("kind", "draft")], "draft.txt", b"A second draft about marshes.");
    assert!(again.status == 403 && again.json()["type"].as_str().unwrap().contains("terms_needed"), "{}", again.text());
    let agreed =
        program.upload(&path, &[("kind", "draft"), ("agrees", "2")], "draft.txt", b"A second draft about marshes.");
    assert_eq!(agreed.status, 201, "{}", agreed.text());
    college.hand_in("s2", "final.txt", b"The office hands in for a student.");
    let data: Value = serde_json::from_slice(&members(&student.get("/account/data.zip"))["data.json"]).unwrap();
    let agreements: Vec<&str> =
        data["agreements"].as_array().unwrap().iter().map(|row| row["text"].as_str().unwrap()).collect();
    assert_eq!(agreements, ["You <agree> to this.\n\nAll of it.", "Something else."]);
    // What is kept, where and how long.
    let page = auditor.get("/data-protection").text();
    for told in ["Files that were handed in", "service.db", "90 days", "Term", "until deleted", "/audit?q="] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("<textarea") && administrator.get("/data-protection").text().contains("<textarea"));
}
