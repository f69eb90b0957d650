//! What students learn of each other, and what is left of somebody who was erased.

use crate::program::{Bench, project};
use crate::serve::server::{College, Reply, Server};
use copytrace::formats::input::{Inputs, ReadLimits};
use copytrace_serve::server::routes::ROUTES;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

const RUN: usize = 12;

/// All runs of twelve characters, without what varies in markup: spaces and escapes.
pub fn runs(text: &str) -> BTreeSet<String> {
    let plain: Vec<char> =
        text.replace("&amp;", "&").replace("&quot;", "\"").chars().filter(|c| !c.is_whitespace()).collect();
    plain.windows(RUN).map(|run| run.iter().collect()).collect()
}

fn corpus(path: &str) -> String {
    std::fs::read_to_string(project(format!("corpora/demo/{path}"))).unwrap()
}

/// A thesis that took paragraphs of another and changed some words, so that the two wordings differ.
pub fn copied(from: &str, frame: &str) -> String {
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

/// What a reply shows: the text of a PDF, else the bytes as they are. Lines of a PDF are kept apart, for the end of one passage and the
/// beginning of the next, below it, are no wording of anybody.
pub fn shown(bench: &Bench, reply: &Reply) -> String {
    if reply.headers.get("content-type").is_none_or(|kind| kind != "application/pdf") {
        return reply.text();
    }
    let limits = ReadLimits::default();
    let path = bench.write("shown.pdf", &reply.body);
    Inputs::open(&[path], limits.clone()).next().unwrap().unwrap().extract(&limits).unwrap().text.replace("\n\n", " ¶ ")
}

/// The addresses that a page leads to within the server.
fn links(page: &str) -> impl Iterator<Item = String> + '_ {
    ["href=\"/", "src=\"/", "data-events=\"/"].into_iter().flat_map(move |before| {
        page.split(before).skip(1).map(|rest| format!("/{}", rest.split('"').next().unwrap_or_default()))
    })
}

#[test]
fn in_a_whole_round_of_copies_no_student_gets_a_run_of_another_s_wording_wherever_the_student_looks() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true, "student_sees": "at_once" }));
    let closed = corpus("reference/en-ref-05-sluice-gate.txt") + &corpus("reference/en-ref-12-sensor-loggers.txt");
    let open = corpus("reference/en-ref-01-tidal-marsh.txt") + &corpus("reference/en-ref-06-ferry-timetables.txt");
    // Each took from the one before, the first from the closed collection; and each hands in once more.
    let frames = ["en-02-piano-rounds.txt", "en-03-district-services.md", "en-04-farm-college.txt"];
    let mut texts: Vec<String> = Vec::new();
    let mut ids = Vec::new();
    for (student, frame) in ["s1", "s2", "s3"].iter().zip(frames) {
        let from = texts.last().unwrap_or(&closed);
        let text = copied(from, &corpus(&format!("submissions/{frame}")));
        for version in ["", "\n\nA second version of the whole."] {
            ids.push(college.hand_in(student, &format!("{student} secret.txt"), format!("{text}{version}").as_bytes()));
        }
        texts.push(text);
        college.settle();
    }
    let mut administrator = college.administrator.clone();
    for (at, (number, text)) in ["s1", "s2", "s3"].iter().zip(&texts).enumerate() {
        let mut mine = runs(text);
        mine.extend(runs(&open));
        let others = texts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, text)| text.as_str());
        let others: BTreeSet<String> =
            others.chain([closed.as_str()]).flat_map(runs).filter(|run| !mine.contains(run)).collect();
        if at > 0 {
            let whole = administrator.get(&format!("/submissions/{}/report.json", ids[2 * at])).text();
            assert!(runs(&whole).intersection(&others).count() > 50, "the report for staff of {number} quotes others");
        }
        let mut student = college.person(number);
        // Every address that the service reads anything at, with every object of the round; then wherever the pages lead.
        let objects: Vec<&String> = ids.iter().chain([&college.round]).collect();
        let mut waiting: Vec<String> = ROUTES
            .iter()
            .filter(|route| route.method.as_str() == "GET")
            .flat_map(|route| objects.iter().map(|id| route.path.replace("{id}", id).replace("{secret}", "none")))
            .chain([college.open, college.closed].map(|id| format!("/collections/{id}")))
            .collect();
        let (mut seen, mut read) = (BTreeSet::new(), 0);
        while let Some(path) = waiting.pop() {
            let path = path.replace("&amp;", "&");
            if !seen.insert(path.clone()) {
                continue;
            }
            let reply = student.get(&path);
            let text = shown(&bench, &reply);
            let found = runs(&text).intersection(&others).next().cloned();
            assert_eq!(found, None, "{number} at {path}");
            read += usize::from(reply.status == 200);
            if reply.headers.get("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
                waiting.extend(links(&text));
            }
        }
        assert!(seen.len() > 120 && read > 20, "{} addresses, {read} of them read", seen.len());
    }
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
fn after_a_person_was_erased_no_byte_of_the_data_folder_holds_the_person_s_words() {
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
    // An archive that waits holds a file of the person too.
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("s2_Ben.txt", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut archive, marked.as_bytes()).unwrap();
    let archive = archive.finish().unwrap().into_inner();
    let waiting =
        administrator.upload(&format!("/rounds/{}/batch", college.round), &[("kind", "draft")], "t.zip", &archive);
    assert_eq!(waiting.status, 303);
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
    assert!(administrator.get("/audit").text().contains("The chain is intact"));
    server.stop();
    let names = ["Ben Two".to_owned()];
    assert_eq!(holding(&bench.path("data"), &marks), Vec::<String>::new());
    assert_eq!(holding(&bench.path("data"), &names), Vec::<String>::new());
}
