//! What is handed in together is fair: of two finals that share text neither is "the first", and one that came before another is told.

use crate::program::{Bench, project};
use crate::serve::server::{College, Server, archive};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn text(name: &str) -> String {
    std::fs::read_to_string(project(format!("corpora/demo/submissions/{name}.txt"))).unwrap()
}

/// The figures of submissions, by the students' numbers.
fn figures(college: &College) -> BTreeMap<String, Value> {
    let mut program = college.administrator.clone().program(&["read"]);
    let listed = program.get(&format!("/api/v1/rounds/{}/submissions", college.round)).json();
    let items = listed["items"].as_array().unwrap().iter();
    items.map(|item| (item["number"].as_str().unwrap().to_owned(), item["figures"].clone())).collect()
}

#[test]
fn of_finals_of_one_archive_that_share_text_each_is_told_of_the_other() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--workers", "2"]);
    let college = College::found(&server, json!({ "among": true }));
    let (farm, piano) = (text("en-04-farm-college"), text("en-02-piano-rounds"));
    let members = [("s1_a.txt", &farm), ("s2_b.txt", &farm), ("s3_c.txt", &piano)];
    let members: Vec<(&str, &[u8])> = members.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let mut program = college.administrator.clone().program(&["submit", "read"]);
    let batches = format!("/api/v1/rounds/{}/batches", college.round);
    let taken = program.upload(&batches, &[("kind", "final")], "finals.zip", &archive(&members)).json();
    let started = program.request("POST", &format!("/api/v1/batches/{}", taken["id"].as_str().unwrap()), &[], b"");
    assert_eq!(started.status, 202, "{}", started.text());
    college.settle();
    // The same archive again makes no second finals: each row says why it is not taken.
    let again = program.upload(&batches, &[("kind", "final")], "again.zip", &archive(&members)).json();
    for row in again["files"].as_array().unwrap() {
        assert!(row["problem"].as_str().unwrap().contains("this very file"), "{row}");
    }
    let figures = figures(&college);
    for (number, ratio) in [("s1", 1.0), ("s2", 1.0), ("s3", 0.0)] {
        let of = &figures[number];
        assert!((of["copy_ratio"].as_f64().unwrap() - ratio).abs() < 0.05, "{number}: {of}");
        assert!(of["ratio_since"].is_null(), "{number}: {of}");
    }
}

#[test]
fn a_final_that_came_first_is_told_of_a_later_one_with_the_figure_and_keeps_its_report() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    let farm = text("en-04-farm-college");
    let first = college.hand_in("s1", "first.txt", farm.as_bytes());
    college.settle();
    let before = figures(&college)["s1"].clone();
    assert!(before["copy_ratio"].as_f64().unwrap() < 0.1, "{before}");
    let second = college.hand_in("s2", "second.txt", farm.as_bytes());
    college.settle();
    let after = figures(&college);
    assert!(after["s2"]["copy_ratio"].as_f64().unwrap() > 0.9 && after["s2"]["ratio_since"].is_null(), "{after:?}");
    assert_eq!(after["s1"]["copy_ratio"], before["copy_ratio"], "the report stays");
    assert!(after["s1"]["ratio_since"].as_f64().unwrap() > 0.9, "{after:?}");
    let mut administrator = college.administrator.clone();
    let page = administrator.get(&format!("/submissions/{first}")).text();
    assert!(page.contains("Overall similarity with later finals") && page.contains("100.0"), "{page}");
    // Staff see whom a text is shared with, and get there; students do not.
    let of_second = administrator.get(&format!("/submissions/{second}")).text();
    assert!(
        of_second.contains(&format!("href=\"/submissions/{first}\"")) && of_second.contains("s1 Ann One"),
        "{of_second}"
    );
    let own = college.person("s2").get(&format!("/submissions/{second}")).text();
    assert!(!own.contains("Ann One") && !own.contains(&first), "{own}");
    // The student is told nothing of others.
    let mut student = college.person("s1");
    assert!(!student.get(&format!("/submissions/{first}")).text().contains("with later finals"));
    let told = student.get(&format!("/api/v1/submissions/{first}")).json();
    assert_eq!((&told["status"]["state"], &told["figures"]["ratio_since"]), (&json!("done"), &json!(null)), "{told}");
}
