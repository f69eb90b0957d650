//! A report in the hands of an office: it says what it is, holds what people decided, and prints the record.

use crate::program::{Bench, project};
use crate::serve::office::printed;
use crate::serve::server::{College, Person, Server};
use base64::Engine;
use serde_json::json;

fn text(name: &str) -> Vec<u8> {
    std::fs::read(project(format!("corpora/demo/submissions/{name}.txt"))).unwrap()
}

/// Gives students of the college titles.
fn give_titles(college: &College) {
    let list = "学号,姓名,导师工号,学院,论文题目\ns1,Ann One,t1,cs,The Tidal Estuary\ns2,Ben Two,t1,cs,Farms\n";
    let students = format!("/rounds/{}/students", college.round);
    assert_eq!(college.administrator.clone().upload(&students, &[], "list.csv", list.as_bytes()).status, 303);
}

/// What a page shows, without what its script and style hold.
fn seen(page: &str) -> String {
    page.split("<script type=\"application/json\"").next().unwrap().to_owned()
}

fn decide(person: &mut Person, id: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let reply = person.form(&format!("/submissions/{id}/decisions?from=report"), fields);
    (reply.status, reply.place().to_owned())
}

#[test]
fn a_report_says_what_it_is_and_shows_the_files_metadata_as_the_files_claims() {
    let bench = Bench::new();
    let logo = bench.write("logo.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let extra = ["--institution", "University of Tests", "--logo", logo.to_str().unwrap()];
    let server = Server::start(&bench.path("data"), &extra);
    let college = College::found(&server, json!({ "among": true }));
    give_titles(&college);
    let page =
        "<!doctype html><html><head><title>Untitled 7</title><meta name=author content='Some Body'></head><body><p>";
    let page = [page.as_bytes(), &text("en-01-estuary-crossing")].concat();
    let id = college.hand_in("s1", "s1.html", &page);
    college.settle();
    let mut administrator = college.administrator.clone();
    let report = seen(&administrator.get(&format!("/submissions/{id}/report")).text());
    for told in [
        "University of Tests",
        "data:image/svg+xml",
        "<h1><bdi>The Tidal Estuary</bdi></h1>",
        "s1 Ann One",
        "<bdi>cs</bdi>",
        "final version 1",
        "<bdi>Term</bdi>",
        "Checked on",
        "Open",
        "Closed",
        "other final versions",
        &format!("href=\"/submissions/{id}\""),
    ] {
        assert!(report.contains(told), "{told}: {report}");
    }
    for hidden in ["rounds/", "collections/", &format!("{id}.html")] {
        assert!(!report.contains(hidden), "{hidden}");
    }
    let claims = report.split("The file says of itself").nth(1).unwrap();
    assert!(claims.split("</dd>").next().unwrap().contains("Untitled 7"), "{claims}");
    let paper = printed(&bench, "r.pdf", &administrator.get(&format!("/submissions/{id}/report.pdf")).body);
    for told in ["UniversityofTests", "TheTidalEstuary", "s1AnnOne", "finalversion1", "Term", "Thefilesaysofitself"] {
        assert!(paper.contains(told), "{told}: {paper}");
    }
    assert!(!paper.contains("rounds/"), "{paper}");
    // Title and college stand in lists, on the round's pages and its sheets.
    for page in ["", "/students"] {
        let page = administrator.get(&format!("/rounds/{}{page}", college.round)).text();
        assert!(page.contains("The Tidal Estuary") && page.contains("<bdi>cs</bdi>"), "{page}");
    }
    let round = administrator.get(&format!("/rounds/{}", college.round)).text();
    for told in
        ["id=\"histogram\"", "id=\"table\"", "aria-sort=\"descending\"", "<details class=\"fold\"", "data-ratio="]
    {
        assert!(round.contains(told), "{told}: {round}");
    }
    let sheet = printed(&bench, "s.pdf", &administrator.get(&format!("/rounds/{}/sheet.pdf", college.round)).body);
    assert!(sheet.contains("TheTidalEstuary"), "{sheet}");
    let listed = administrator.program(&["read"]).get(&format!("/api/v1/rounds/{}/submissions", college.round)).json();
    assert_eq!(
        (&listed["items"][0]["title"], &listed["items"][0]["college"]),
        (&json!("The Tidal Estuary"), &json!("cs"))
    );
}

#[test]
fn the_logo_is_printed_on_paper_if_it_is_of_pixels() {
    let bench = Bench::new();
    let pixel = base64::engine::general_purpose::STANDARD
        .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==")
        .unwrap();
    let logo = bench.write("logo.png", pixel);
    let server = Server::start(&bench.path("data"), &["--logo", logo.to_str().unwrap()]);
    let college = College::found(&server, json!({}));
    let id = college.hand_in("s1", "s1.txt", &text("en-01-estuary-crossing"));
    college.settle();
    for name in ["report.pdf", "sheet.pdf"] {
        let pdf = college.administrator.clone().get(&format!("/submissions/{id}/{name}")).body;
        let images = pdf.windows(15).filter(|bytes| bytes == b"/Subtype /Image").count();
        assert_eq!(images, 1, "{name}");
        assert!(printed(&bench, name, &pdf).contains("s1AnnOne"));
    }
}

#[test]
fn a_decision_is_made_in_the_report_once_and_every_form_of_it_tells_both_figures_and_why() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "student_sees": "at_once" }));
    let id = college.hand_in("s1", "s1.txt", &text("en-01-estuary-crossing"));
    college.settle();
    let mut supervisor = college.person("t1");
    let place = format!("/submissions/{id}/report");
    let page = supervisor.get(&place).text();
    assert!(page.contains(&format!("action=\"/submissions/{id}/decisions?from=report\"")), "{}", seen(&page));
    let whole = [("passage", "0"), ("scope", "source"), ("reason", "the university’s own form")];
    assert_eq!(decide(&mut supervisor, &id, &whole), (303, format!("{place}#p=1")));
    let again = [("passage", "0"), ("scope", "passage"), ("reason", "again")];
    assert_eq!(decide(&mut supervisor, &id, &again).0, 409, "what is left out is not left out twice");
    let figures = &supervisor.program(&["read"]).get(&format!("/api/v1/submissions/{id}")).json()["figures"];
    let percent = |name: &str| format!("{:.1}%", figures[name].as_f64().unwrap() * 100.0);
    let (found, reviewed) = (percent("copy_ratio"), percent("decided_ratio"));
    assert_ne!(found, reviewed);
    let page = seen(&supervisor.get(&place).text());
    let overall = page.split("data-ratio=\"all\"").nth(1).unwrap().split("data-ratio").next().unwrap().to_owned();
    for told in [format!("class=\"value\">{reviewed}"), format!("As found: {found}"), "after review".to_owned()] {
        assert!(overall.contains(&told), "{told}: {overall}");
    }
    for told in ["the university’s own form", "Dr. Lin", "mark class=\"excluded", "data-aside"] {
        assert!(page.contains(told), "{told}: {page}");
    }
    for name in ["report.pdf", "sheet.pdf"] {
        let paper = printed(&bench, name, &supervisor.get(&format!("/submissions/{id}/{name}")).body);
        for told in [found.as_str(), &reviewed, "theuniversity’sownform", "Dr.Lin", "Asfound", "Afterreview"] {
            assert!(paper.contains(told), "{name} {told}: {paper}");
        }
        assert_eq!(paper.contains("Supervisor’ssignature"), name == "sheet.pdf", "{paper}");
        assert_eq!(paper.contains("Notcounted"), name == "report.pdf", "{paper}");
    }
    // The student sees the figures and what does not count, and no words of staff.
    let own = seen(&college.person("s1").get(&place).text());
    assert!(own.contains(&reviewed) && own.contains(&found) && own.contains("mark class=\"excluded"), "{own}");
    assert!(!own.contains("own form") && !own.contains("Dr. Lin") && !own.contains("/decisions"), "{own}");
    // The student objects to a passage once; staff see it in the report, and decide.
    let mut student = college.person("s1");
    let appeals = format!("/submissions/{id}/appeals?from=report");
    let answer = [("passage", "1"), ("reason", "quoted from the law")];
    assert_eq!(student.form(&appeals, &answer).place(), format!("{place}#p=2"));
    assert_eq!(student.form(&appeals, &answer).status, 409);
    assert_eq!(student.form(&appeals, &[("passage", "99"), ("reason", "x")]).status, 422);
    assert_eq!(college.person("s2").form(&appeals, &answer).status, 404);
    assert_eq!(supervisor.form(&appeals, &answer).status, 403);
    for page in [&mut student, &mut supervisor].map(|person| seen(&person.get(&place).text())) {
        assert!(page.contains("quoted from the law") && page.contains("Objections"), "{page}");
    }
    // Taken back, the figures are as found.
    let revoke = page
        .split("action=\"")
        .find(|part| part.contains("/decisions/"))
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(supervisor.form(&revoke, &[]).place(), place);
    let page = seen(&supervisor.get(&place).text());
    assert!(!page.contains("As found") && page.contains("revoked"), "{page}");
}

/// What the members of a workbook hold, one behind the other.
fn unpacked(workbook: &[u8]) -> String {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(workbook)).unwrap();
    (0..archive.len()).map(|at| std::io::read_to_string(archive.by_index(at).unwrap()).unwrap()).collect()
}

#[test]
fn the_json_of_a_report_and_the_rounds_workbook_have_the_review_as_the_page_does() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "student_sees": "at_once" }));
    let id = college.hand_in("s1", "s1.txt", &text("en-01-estuary-crossing"));
    college.settle();
    let mut supervisor = college.person("t1");
    let (place, book) = (format!("/submissions/{id}/report.json"), format!("/rounds/{}/sheet.xlsx", college.round));
    let before = supervisor.get(&place);
    assert!(
        before.json().get("review").is_none() && !unpacked(&supervisor.get(&book).body).contains("Review decisions")
    );
    let whole = [("passage", "0"), ("scope", "source"), ("reason", "the university’s own form")];
    assert_eq!(decide(&mut supervisor, &id, &whole).0, 303);
    let verdict = [("verdict", "pass"), ("comment", "Well \"done\"")];
    assert_eq!(supervisor.form(&format!("/submissions/{id}/verdict"), &verdict).status, 303);
    let mut program = supervisor.program(&["read"]);
    let figures = program.get(&format!("/api/v1/submissions/{id}")).json()["figures"].clone();
    let after = program.get(&format!("/api/v1/submissions/{id}/report"));
    // What the program wrote is what it was, byte for byte.
    let as_it_was = before.text().trim_end().trim_end_matches('}').trim_end().to_owned();
    assert!(after.text().starts_with(&as_it_was), "{}", after.text());
    let review = after.json()["review"].clone();
    assert_eq!(review["decided_ratio"], figures["decided_ratio"]);
    assert_ne!(review["decided_ratio"], figures["copy_ratio"]);
    let made = &review["decisions"][0];
    assert_eq!((&made["reason"], &made["by"], &made["revoked"]), (&json!(whole[2].1), &json!("Dr. Lin"), &json!(null)));
    assert!(!made["passages"].as_array().unwrap().is_empty() && made["source"] == before.json()["sources"][0]["id"]);
    assert_eq!(review["verdicts"][0]["comment"], verdict[1].1);
    let workbook = unpacked(&supervisor.get(&book).body);
    for told in ["Review decisions", whole[2].1, "Dr. Lin"] {
        assert!(workbook.contains(told), "{told}");
    }
    // A student reads the figure, and no words of staff.
    let own = college.person("s1").get(&place);
    assert_eq!(own.json()["review"]["decided_ratio"], review["decided_ratio"]);
    assert!(!own.text().contains("own form") && !own.text().contains("Dr. Lin"), "{}", own.text());
}

#[test]
fn a_fellow_student_is_named_in_the_report_to_staff_and_to_nobody_where_marking_is_anonymous() {
    for anonymous in [false, true] {
        let bench = Bench::new();
        let server = Server::start(&bench.path("data"), &["--workers", "2"]);
        let college = College::found(&server, json!({ "among": true, "anonymous": anonymous }));
        give_titles(&college);
        let farm = text("en-04-farm-college");
        let first = college.hand_in("s2", "first.txt", &farm);
        let second = college.hand_in("s1", "second.txt", &farm);
        college.settle();
        // The round's page has the pair, whose names are not shown where marking is anonymous.
        let round = college.person("t1").get(&format!("/rounds/{}", college.round)).text();
        let pair = round.split("data-share=").nth(1).unwrap().split("</tr>").next().unwrap();
        assert_eq!(pair.matches("100.0%").count(), 2, "{pair}");
        assert_eq!(pair.contains("Ann One") && pair.contains("Ben Two"), !anonymous, "{pair}");
        assert!(round.contains("Students: 2") && !round.contains("Students: 3"), "a supervisor's are counted: {round}");
        // The submission itself, which is in the round's index, is no holder of its wording.
        let json = college.administrator.clone().get(&format!("/submissions/{second}/report.json")).json();
        let passage = json["passages"].as_array().unwrap().iter().max_by_key(|p| p["characters"].as_u64()).unwrap();
        assert_eq!(passage["holders"], 1, "{passage}");
        let place = format!("/submissions/{second}/report");
        let mut supervisor = college.person("t1");
        let named = |page: &str| page.contains("s2 Ben Two") && page.contains("Farms");
        let report = seen(&supervisor.get(&place).text());
        assert_eq!(named(&report), !anonymous, "{report}");
        assert!(report.contains(&format!("href=\"/submissions/{first}\"")), "{report}");
        if anonymous {
            let told = [
                report.clone(),
                supervisor.get(&format!("/rounds/{}", college.round)).text(),
                String::from_utf8_lossy(&supervisor.get(&format!("/rounds/{}/sheet.xlsx", college.round)).body)
                    .into_owned(),
            ];
            for told in &told {
                assert!(
                    !told.contains("Ann One") && !told.contains("The Tidal Estuary") && !told.contains("Farms"),
                    "{told}"
                );
            }
            // Whoever has judged one still learns nothing of the others.
            let judged = supervisor.form(&format!("/submissions/{second}/verdict"), &[("verdict", "revise")]);
            assert_eq!(judged.status, 303);
            let report = seen(&supervisor.get(&place).text());
            assert!(report.contains("Ann One") && !named(&report), "{report}");
        }
        assert!(named(&seen(&college.administrator.clone().get(&place).text())));
        let own = college.person("s1").get(&place).text();
        assert!(!own.contains("Ben Two") && !own.contains(&first), "{own}");
    }
}

#[test]
fn a_verdict_keeps_those_before_it_and_is_given_of_a_report_alone() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let id = college.hand_in("s1", "s1.txt", &text("en-01-estuary-crossing"));
    let broken = college.hand_in("s2", "s2.docx", b"PK\x03\x04 no document");
    college.settle();
    let mut supervisor = college.person("t1");
    let form = "action=\"/submissions/".to_owned();
    let page = supervisor.get(&format!("/submissions/{id}")).text();
    assert!(page.contains(&format!("{form}{id}/verdict")) && page.contains("<option value=\"\"></option>"), "{page}");
    assert!(!supervisor.get(&format!("/submissions/{broken}")).text().contains("/verdict"));
    assert_eq!(supervisor.form(&format!("/submissions/{broken}/verdict"), &[("verdict", "pass")]).status, 409);
    let verdict = format!("/submissions/{id}/verdict");
    let first = [("verdict", "revise"), ("comment", "Cite the marsh.\nAnd the gate.")];
    assert_eq!(supervisor.form(&verdict, &first).status, 303);
    assert_eq!(college.administrator.clone().form(&verdict, &[("verdict", "pass")]).status, 303);
    for page in ["", "/report"] {
        let page = seen(&supervisor.get(&format!("/submissions/{id}{page}")).text());
        for told in ["Cite the marsh.\nAnd the gate.", "Dr. Lin", "admin", "revise", "pass"] {
            assert!(page.contains(told), "{told}: {page}");
        }
    }
    // Deleting asks first, and gives a receipt.
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.form(&format!("/submissions/{id}/erase"), &[]).status, 422);
    let receipt = administrator.form(&format!("/submissions/{id}/erase"), &[("sure", "true")]).place().to_owned();
    let page = administrator.get(&receipt).text();
    assert!(page.contains(&id[..8]) && page.contains("was deleted"), "{page}");
}

#[test]
fn pages_tell_how_far_the_work_on_many_is() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--workers", "1"]);
    let college = College::found(&server, json!({ "quota": 5 }));
    let text = String::from_utf8(text("en-01-estuary-crossing")).unwrap();
    let mut administrator = college.administrator.clone();
    let progress = format!("/rounds/{}/progress", college.round);
    assert_eq!(administrator.get(&progress).text(), "", "nothing is under way");
    college.hand_in("s3", "long.txt", text.repeat(1500).as_bytes());
    for (student, name) in [("s1", "a.txt"), ("s2", "b.docx")] {
        college.hand_in(student, name, text.as_bytes());
    }
    let page = administrator.get(&format!("/rounds/{}", college.round)).text();
    assert!(page.contains(&format!("data-follow=\"{progress}\"")) && page.contains("<noscript>"), "{page}");
    assert!(page.contains(" / 3"), "{page}");
    // A supervisor follows the students whom he supervises.
    let of_supervisor = college.person("t2").get(&progress).text();
    assert!(of_supervisor.contains("0 / 1"), "{of_supervisor}");
    let refused = college.person("s1").get(&progress);
    assert!(refused.status == 403 && !refused.text().contains("/login"), "who is signed in is not sent to sign in");
    college.settle();
    assert_eq!(administrator.get(&progress).text(), "");
    assert!(!administrator.get(&format!("/rounds/{}", college.round)).text().contains("data-follow"));
}

#[test]
fn a_bibliography_that_stands_elsewhere_is_listed_as_not_counted_on_the_page_and_on_paper() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let entry = |n: usize, what: &str| {
        format!(
            "[{n}] Heron, A., & Sandpiper, B. (20{n}1). {what} in northern estuaries. Journal of Coastal Studies, {n}(2), 10{n}-119.\n\n"
        )
    };
    let what =
        ["The slow accretion of silt", "Nesting of wading birds", "Bridges and ferries", "Salt pans and their owners"];
    let list: String = (1..).zip(what).map(|(n, what)| entry(n, what)).collect();
    let with_list = |name: &str| [text(name), format!("\n\nReferences\n\n{list}").into_bytes()].concat();
    let mut administrator = college.administrator.clone();
    let collection = format!("/collections/{}/upload", college.open);
    assert_eq!(administrator.upload(&collection, &[], "other.txt", &with_list("en-02-piano-rounds")).status, 303);
    college.settle();
    let id = college.hand_in("s1", "s1.txt", &with_list("en-04-farm-college"));
    college.settle();
    let json = administrator.get(&format!("/submissions/{id}/report.json")).json();
    assert_eq!(
        (&json["passages"][0]["excluded"], json["ratios"]["all"]["matched"].as_u64()),
        (&json!("references"), Some(0))
    );
    let page = seen(&administrator.get(&format!("/submissions/{id}/report")).text());
    let source = page.split("data-source=").nth(1).unwrap().split("</li>").next().unwrap();
    assert!(page.contains("class=\"off\" data-aside") && source.contains("not counted: 1"), "{source}");
    let paper = printed(&bench, "r.pdf", &administrator.get(&format!("/submissions/{id}/report.pdf")).body);
    assert!(paper.contains("Notcounted") && paper.contains("references"), "{paper}");
    assert!(!paper.contains("Passagesandtheirsources") && !paper.contains("noattribution"), "{paper}");
}
