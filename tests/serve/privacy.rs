//! What students learn of each other, and what is left of somebody who was erased.

use crate::program::{Bench, project};
use crate::server::{College, Server};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

const RUN: usize = 12;

/// All runs of twelve characters, without what varies in markup: spaces and escapes.
fn runs(text: &str) -> BTreeSet<String> {
    let plain: Vec<char> =
        text.replace("&amp;", "&").replace("&quot;", "\"").chars().filter(|c| !c.is_whitespace()).collect();
    plain.windows(RUN).map(|run| run.iter().collect()).collect()
}

fn corpus(path: &str) -> String {
    std::fs::read_to_string(project(format!("corpora/demo/{path}"))).unwrap()
}

/// A thesis that took paragraphs of another and changed some words, so that the two wordings differ.
fn copied(from: &str, frame: &str) -> String {
    let changed = from.replace(" the ", " that ").replace(" of ", " from ").replace(" and ", " or ");
    format!("{frame}\n\n{changed}\n\n{frame}")
}

#[test]
fn no_reply_to_a_student_holds_a_run_of_a_fellow_s_or_a_closed_collection_s_wording() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    let own = corpus("submissions/en-02-piano-rounds.txt");
    let fellow = corpus("submissions/en-04-farm-college.txt");
    let closed = corpus("reference/en-ref-05-sluice-gate.txt") + &corpus("reference/en-ref-12-sensor-loggers.txt");
    college.hand_in("s2", "fellow's secret title.txt", fellow.as_bytes());
    college.settle();
    let text = copied(&fellow, &own) + "\n\n" + &copied(&closed, "What follows was measured at the gate.");
    let submission = college.hand_in("s1", "mine.txt", text.as_bytes());
    college.settle();
    let mut administrator = college.administrator.clone();
    let told = administrator.wait_for(&submission);
    assert!(told["figures"]["copy_ratio"].as_f64().unwrap() > 0.3, "{told}");
    let whole = administrator.get(&format!("/submissions/{submission}/report.json")).text();
    let mine = runs(&text);
    let others: BTreeSet<String> = runs(&(fellow + &closed)).difference(&mine).cloned().collect();
    assert!(
        runs(&whole).intersection(&others).count() > 100,
        "the report for staff quotes them, else this proves nothing"
    );

    let mut student = college.person("s1");
    let page = format!("/submissions/{submission}");
    let paths = [
        "/".to_owned(),
        "/account".to_owned(),
        format!("/rounds/{}", college.round),
        page.clone(),
        format!("{page}/report"),
        format!("{page}/report.json"),
        format!("/api/v1{page}"),
        format!("/api/v1{page}/report"),
        format!("/api/v1{page}/report.html"),
        "/api/v1/rounds".to_owned(),
        format!("/api/v1/rounds/{}/submissions", college.round),
        format!("{page}/events"),
    ];
    for path in paths {
        let reply = student.get(&path);
        assert_eq!(reply.status, 200, "{path}");
        let found = runs(&reply.text()).intersection(&others).next().cloned();
        assert_eq!(found, None, "{path}");
        for name in ["submission-", "fellow", "Ben Two", "sluice-gate", "sensor-loggers"] {
            assert!(!reply.text().contains(name) || text.contains(name), "{path} tells {name}");
        }
    }
    // As staff hand it on for a third system's student.
    let viewer =
        administrator.program(&["read"]).post_json(&format!("/api/v1{page}/viewer"), &json!({ "view": "student" }));
    let seen = server.nobody().get(viewer.json()["path"].as_str().unwrap());
    assert_eq!(seen.status, 200);
    assert_eq!(runs(&seen.text()).intersection(&others).next(), None);
}

/// Whether a file below a folder holds these bytes, as they are or packed by zstd.
fn holding(folder: &Path, marks: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, marks));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let has = |mark: &String| bytes.windows(mark.len()).any(|window| window == mark.as_bytes());
        found.extend(marks.iter().filter(|mark| has(mark)).map(|mark| format!("{}: {mark}", path.display())));
    }
    found
}

#[test]
fn after_a_person_was_erased_no_byte_of_the_data_folder_holds_his_words() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    // Marks that no compression takes apart: each stands once.
    let marks: Vec<String> = (0..20).map(|n| format!("Mark{:08x}Zq", 0x9e37_79b9_u32.wrapping_mul(n + 7))).collect();
    let fellow = corpus("submissions/en-04-farm-college.txt");
    let mut paragraphs: Vec<String> = fellow.split("\n\n").map(str::to_owned).collect();
    for (n, mark) in marks.iter().enumerate() {
        let at = n % paragraphs.len();
        paragraphs[at] = format!("{} {mark}.", paragraphs[at]);
    }
    let marked = paragraphs.join("\n\n");
    let erased = college.hand_in("s2", &format!("{}_title.txt", marks[0]), marked.as_bytes());
    college.settle();
    // Another's report quotes it.
    let other =
        college.hand_in("s1", "mine.txt", copied(&fellow, &corpus("submissions/en-02-piano-rounds.txt")).as_bytes());
    college.settle();
    let mut administrator = college.administrator.clone();
    let quoting = administrator.get(&format!("/submissions/{other}/report.json")).text();
    assert!(marks.iter().any(|mark| quoting.contains(mark)), "the other report quotes the marked text");
    assert_eq!(
        administrator
            .form(&format!("/submissions/{erased}/verdict"), &[("verdict", "pass"), ("comment", &marks[1])])
            .status,
        303
    );
    let collection = college.open.to_string();
    assert_eq!(
        administrator.form(&format!("/submissions/{erased}/deposit"), &[("collection", &collection)]).status,
        303
    );
    college.settle();
    assert!(!holding(&server.data, &marks).is_empty());

    let people = administrator.get("/people").text();
    let row = people.split("<tr>").find(|row| row.contains("<td>s2</td>")).unwrap();
    let erase =
        row.split("action=\"").find(|part| part.contains("/erase\"")).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(administrator.form(&erase, &[]).status, 303);
    college.settle();
    assert_eq!(administrator.get(&format!("/submissions/{erased}")).status, 404);
    let quoting = administrator.get(&format!("/submissions/{other}/report.json")).text();
    assert!(marks.iter().all(|mark| !quoting.contains(mark)));
    assert!(administrator.get("/audit").text().contains("The chain is whole"));
    server.stop();
    let names = ["Ben Two".to_owned()];
    assert_eq!(holding(&bench.path("data"), &marks), Vec::<String>::new());
    assert_eq!(holding(&bench.path("data"), &names), Vec::<String>::new());
}
