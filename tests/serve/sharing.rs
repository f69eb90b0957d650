//! Collections of units: who fills them, and what another unit learns of one that is shared with it.

use crate::program::{Bench, project};
use crate::serve::privacy::{copied, runs, shown};
use crate::serve::server::{College, Person, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn corpus(path: &str) -> String {
    std::fs::read_to_string(project(format!("corpora/demo/{path}"))).unwrap()
}

const PEOPLE: &str = "number,name,role,unit,supervisor,mail\nde,Dean Eng,administrator,eng,,de@example.org\n\
                      dm,Dean Med,administrator,med,,\nmt,Med Tutor,supervisor,med,,mt@example.org\nm1,Med One,student,med,mt,\n";

/// Two units, each with a dean; the first has a collection.
struct Units<'a> {
    eng: Person<'a>,
    med: Person<'a>,
    collection: String,
}

fn found<'a>(college: &College<'a>) -> Units<'a> {
    let mut administrator = college.administrator.clone();
    for code in ["eng", "med"] {
        let fields = [("name", code), ("code", code), ("parent", "1")];
        assert_eq!(administrator.form("/units", &fields).status, 303);
    }
    let taken = administrator.upload("/people", &[], "people.csv", PEOPLE.as_bytes());
    assert_eq!(taken.status, 303, "{}", taken.text());
    let (mut eng, med) = (college.person("de"), college.person("dm"));
    let made = eng.form("/collections", &[("name", "Papers of eng"), ("wording", "staff"), ("unit", "3")]);
    assert_eq!(made.status, 303, "{}", made.text());
    let collection = made.place().to_owned();
    let marsh = corpus("reference/en-ref-01-tidal-marsh.txt");
    assert_eq!(eng.upload(&format!("{collection}/upload"), &[], "marsh-of-eng.txt", marsh.as_bytes()).status, 303);
    college.settle();
    Units { eng, med, collection }
}

fn round(collections: &[i64]) -> Value {
    json!({
        "unit": 4, "title": "Of med", "opens": 0, "closes": 4_000_000_000u32, "quota": 9, "limit_ratio": 0.2, "student_sees": "at_once",
        "collections": collections,
    })
}

#[test]
fn a_unit_fills_and_shows_its_own_collections_and_no_other_unit_names_them() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let Units { mut eng, mut med, collection } = found(&college);
    let id: i64 = collection.rsplit('/').next().unwrap().parse().unwrap();
    assert!(eng.get(&collection).text().contains("marsh-of-eng"));
    assert!(eng.get("/collections").text().contains("Papers of eng"));
    // Those of the institution can be named by everybody, and are looked after by its administrators.
    let list = med.get("/collections").text();
    assert!(list.contains("Closed") && !list.contains("Papers of eng"), "{list}");
    assert_eq!(med.get(&format!("/collections/{}", college.closed)).status, 403);
    assert_eq!(med.get(&collection).status, 403);
    for (end, fields) in [("remove", ("document", "x")), ("erase", ("sure", "yes")), ("shares", ("with", "4"))] {
        assert_eq!(med.form(&format!("{collection}/{end}"), &[fields]).status, 403, "{end}");
    }
    assert_eq!(med.upload(&format!("{collection}/upload"), &[], "a.txt", b"A text.").status, 403);
    assert_eq!(med.form("/collections", &[("name", "Mine"), ("unit", "3")]).status, 403);
    assert_eq!(med.form("/collections", &[("name", "Mine"), ("unit", "1")]).status, 403);
    let mut program = med.program(&["manage", "read"]);
    let refused = program.post_json("/api/v1/rounds", &round(&[id]));
    assert_eq!(refused.status, 403, "{}", refused.text());
    assert!(!program.get("/api/v1/collections").text().contains("Papers of eng"));
    assert_eq!(program.post_json("/api/v1/rounds", &round(&[college.open])).status, 201);
    // The administrators of all may do all, but a round is compared with what its unit has, or was given.
    let mut all = college.administrator.clone();
    assert!(all.get(&collection).text().contains("marsh-of-eng"));
    let refused = all.program(&["manage"]).post_json("/api/v1/rounds", &round(&[id]));
    assert_eq!(refused.status, 422, "{}", refused.text());
}

#[test]
fn of_a_shared_collection_the_other_unit_gets_no_word_until_it_is_granted_and_none_once_that_is_taken_back() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let Units { mut eng, mut med, collection } = found(&college);
    let id: i64 = collection.rsplit('/').next().unwrap().parse().unwrap();
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    let count = |sql: &str| -> i64 { database.query_row(sql, [], |row| row.get(0)).unwrap() };

    // One side offers, the other agrees.
    assert_eq!(eng.form(&format!("{collection}/shares"), &[("with", "4")]).status, 303);
    assert_eq!(eng.form("/shares/1/agree", &[]).status, 403, "not the one that offers");
    let mut manages = med.program(&["manage", "read", "submit"]);
    assert_eq!(manages.post_json("/api/v1/rounds", &round(&[id])).status, 403, "not before both agree");
    assert!(med.get("/collections").text().contains("/shares/1/agree"));
    assert_eq!(med.form("/shares/1/agree", &[]).status, 303);
    let made = manages.post_json("/api/v1/rounds", &round(&[id]));
    assert_eq!(made.status, 201, "{}", made.text());
    let of_med = made.json()["id"].as_str().unwrap().to_owned();
    let list = "number,name,role,unit,supervisor\nmt,Med Tutor,supervisor,med,\nm1,Med One,student,med,mt\n";
    let enrolled = med.upload(&format!("/rounds/{of_med}/students"), &[], "l.csv", list.as_bytes());
    assert_eq!(enrolled.status, 303, "{}", enrolled.text());
    let marsh = corpus("reference/en-ref-01-tidal-marsh.txt");
    let text = copied(&marsh, &corpus("submissions/en-02-piano-rounds.txt"));
    let fields = [("student", "m1"), ("kind", "final")];
    let paper =
        med.upload(&format!("/rounds/{of_med}/submissions"), &fields, "m.txt", text.as_bytes()).place().to_owned();
    college.settle();
    assert_eq!(
        med.form(&format!("{paper}/deposit"), &[("collection", &id.to_string())]).status,
        403,
        "filled by its unit"
    );

    let (mut tutor, mut student) = (college.person("mt"), college.person("m1"));
    let mine = runs(&text);
    let others: BTreeSet<String> = runs(&marsh).difference(&mine).cloned().collect();
    let paths = ["", "/report", "/report.json", "/report.pdf"].map(|end| format!("{paper}{end}"));
    let paths: Vec<String> = paths
        .into_iter()
        .chain(["", "/report", "/report.html", "/decisions"].map(|end| format!("/api/v1{paper}{end}")))
        .collect();
    let told = |who: &mut Person<'_>, may: bool| {
        let mut found = 0;
        for path in &paths {
            let reply = who.get(path);
            if path.ends_with("/decisions") && reply.status == 403 {
                continue;
            }
            assert_eq!(reply.status, 200, "{path}");
            let page = shown(&bench, &reply);
            found += runs(&page).intersection(&others).count() + page.matches("marsh-of-eng").count();
            assert!(may || found == 0, "{path}: {page}");
        }
        found
    };
    let report = tutor.get(&format!("{paper}/report.json")).json();
    assert!(report["ratios"]["all"]["ratio"].as_f64().unwrap() > 0.2, "{report}");
    assert_eq!(report["sources"][0]["id"], "eng 1", "whom to ask");
    // What is left out is told no otherwise.
    assert_eq!(tutor.form(&format!("{paper}/decisions"), &[("passage", "0"), ("reason", "Quoted.")]).status, 303);
    for who in [&mut tutor, &mut student, &mut med] {
        told(who, false);
    }

    // The tutor asks, and the unit whose it is answers.
    let asks = format!("{paper}/requests");
    assert_eq!(tutor.form(&asks, &[("source", "0")]).status, 422, "no reason");
    assert_eq!(tutor.form(&asks, &[("source", "9"), ("reason", "To judge.")]).status, 422);
    assert_eq!(student.form(&asks, &[("source", "0"), ("reason", "To see.")]).status, 403);
    assert_eq!(tutor.form(&asks, &[("source", "0"), ("reason", "To judge.")]).status, 303);
    assert_eq!(tutor.form(&asks, &[("source", "0"), ("reason", "To judge.")]).status, 409, "it waits");
    assert_eq!(count("SELECT count(*) FROM notice WHERE kind = 'asked'"), 1);
    assert_eq!(med.form("/requests/1", &[("answer", "grant")]).status, 403);
    assert!(!med.get("/requests").text().contains("To judge."));
    let asked = eng.get("/requests").text();
    assert!(asked.contains("marsh-of-eng") && asked.contains("To judge.") && asked.contains("Med Tutor"), "{asked}");
    assert_eq!(eng.form("/requests/1", &[("answer", "refuse")]).status, 422, "no reason");
    assert_eq!(eng.form("/requests/1", &[("answer", "refuse"), ("reason", "It is under embargo.")]).status, 303);
    assert!(tutor.get(&paper).text().contains("under embargo"));
    assert_eq!(count("SELECT count(*) FROM notice WHERE kind = 'answered'"), 1);
    told(&mut tutor, false);
    assert_eq!(tutor.form(&asks, &[("source", "0"), ("reason", "The embargo is over.")]).status, 303, "asked again");
    assert_eq!(eng.form("/requests/1", &[("answer", "grant")]).status, 303);
    assert!(told(&mut tutor, true) > 50, "else all this proves nothing");
    told(&mut student, false);
    assert_eq!(eng.form("/requests/1", &[("answer", "refuse"), ("reason", "A mistake.")]).status, 303);
    told(&mut tutor, false);
    let audit = college.administrator.clone().get("/audit").text();
    for action in
        ["offer_collection", "agree_to_share", "ask_wording", "grant_wording", "refuse_wording", "revoke_wording"]
    {
        assert!(audit.contains(action), "{action}");
    }
    let data = college.administrator.clone().get("/people").text();
    assert!(data.contains("Med Tutor"));

    // It ends when either side says so, unless a round had nothing left to be compared with.
    let refused = eng.form("/shares/1/remove", &[]);
    assert!(refused.status == 409 && refused.text().contains("Of med"), "{}", refused.text());
    let changed = manages.post_json(&format!("/api/v1/rounds/{of_med}/edit"), &round(&[college.open, id]));
    assert_eq!(changed.status, 204, "{}", changed.text());
    assert_eq!(eng.form("/shares/1/remove", &[]).status, 303);
    assert_eq!(manages.get(&format!("/api/v1/rounds/{of_med}")).json()["collections"], json!([college.open]));
    told(&mut tutor, false);
    assert_eq!(eng.form("/requests/1", &[("answer", "grant")]).status, 403, "nothing is shared any more");
    // Not even a collection that is gone tells more.
    assert_eq!(eng.form(&format!("{collection}/erase"), &[("sure", "yes")]).status, 303);
    told(&mut tutor, false);
    assert_eq!(count("SELECT count(*) FROM wording_request"), 0);
}
