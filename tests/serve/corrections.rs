//! What an office puts right one by one: whose a file is, what somebody or something is called, what was made by mistake.

use crate::program::Bench;
use crate::serve::server::{College, Person, Server, archive};
use serde_json::json;

/// The action of the form that ends so, in the row of a page that holds these words.
pub fn action(page: &str, row: &str, ends: &str) -> String {
    let row = page.split("<tr").find(|part| part.contains(row)).unwrap_or_else(|| panic!("{row}: {page}"));
    let actions = row.split("action=\"").skip(1).map(|part| part.split('"').next().unwrap());
    actions.filter(|action| action.ends_with(ends)).last().unwrap_or_else(|| panic!("{ends}: {row}")).to_owned()
}

#[test]
fn a_file_that_matches_nobody_is_given_to_a_student_on_a_page_to_which_one_returns() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let text = b"The marsh was measured from a boat at every second tide, and what was found is told here.".as_slice();
    let members = archive(&[("s1_tide.txt", text), ("essay of Ben.txt", text), ("empty.txt", b"")]);
    let round = format!("/rounds/{}", college.round);
    let batch =
        administrator.upload(&format!("{round}/batch"), &[("kind", "draft")], "t.zip", &members).place().to_owned();
    assert!(administrator.get(&round).text().contains(&format!("href=\"{batch}\"")), "the round leads back to it");
    let give = action(&administrator.get(&batch).text(), "essay of Ben", "");
    let refused = administrator.form(&give, &[("student", "nobody")]);
    assert!(refused.status == 404 && refused.text().contains("not in the round"), "{}", refused.text());
    assert_eq!(administrator.form(&give, &[("student", " s2 ")]).place(), batch);
    let page = administrator.get(&batch).text();
    assert!(page.contains("Ben Two") && page.contains("Check the matched files (2)"), "{page}");
    // What holds nothing is nobody's to check.
    let files = page.matches("/files/").count();
    assert_eq!(files, 2, "{page}");
    let empty = (0..3).map(|n| format!("{batch}/files/{n}")).find(|place| !page.contains(place.as_str())).unwrap();
    assert_eq!(administrator.form(&empty, &[("student", "s3")]).status, 404);
    assert_eq!(college.person("s2").form(&give, &[("student", "s2")]).status, 403);
    assert_eq!(administrator.form(&batch, &[]).place(), format!("{round}?papers=2"));
    college.settle();
    let page = administrator.get(&round).text();
    assert!(page.contains("Ben Two") && !page.contains(&batch), "{page}");
}

#[test]
fn names_are_corrected_units_are_unique_and_what_is_empty_is_removed() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let page = administrator.get("/people?q=s2").text();
    assert_eq!(administrator.form(&action(&page, "Ben Two", "/name"), &[("name", "Benjamin Two")]).status, 303);
    assert!(administrator.get("/people?q=s2").text().contains("<bdi>Benjamin Two</bdi>"));
    assert_eq!(administrator.form(&action(&page, "Ben Two", "/name"), &[("name", " ")]).status, 422);

    let unit = |administrator: &mut Person<'_>, name: &str| {
        administrator.form("/units", &[("name", name), ("parent", "1")]).status
    };
    assert_eq!((unit(&mut administrator, "Maths"), unit(&mut administrator, "Maths")), (303, 409));
    assert_eq!(unit(&mut administrator, "Physics"), 303);
    let page = administrator.get("/units").text();
    let (maths, physics) = (action(&page, "<bdi>Maths", "/remove"), action(&page, "<bdi>Physics", "/remove"));
    let rename = maths.trim_end_matches("/remove").to_owned();
    assert_eq!(administrator.form(&rename, &[("name", "Physics"), ("parent", "1")]).status, 409);
    assert_eq!(administrator.form(&rename, &[("name", "Mathematics"), ("parent", "1")]).status, 303);
    let list = "number,name,role,unit\nm1,Mo,student,Physics\n";
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let refused = administrator.form(&physics, &[]);
    assert!(refused.status == 409 && refused.text().contains("not empty"), "{}", refused.text());
    assert_eq!((administrator.form(&maths, &[]).status, administrator.form(&maths, &[]).status), (303, 404));
    assert_eq!(administrator.form("/units/1/remove", &[]).status, 404, "the whole stays");

    // A round goes as long as nothing was handed in.
    let round = format!("/rounds/{}", college.round);
    let remove = format!("{round}/remove");
    assert_eq!(administrator.form(&remove, &[]).status, 422, "nobody was sure");
    let id = college.hand_in("s1", "a.txt", b"The marsh was measured from a boat at every second tide.");
    college.settle();
    let refused = administrator.form(&remove, &[("sure", "true")]);
    assert!(refused.status == 409 && refused.text().contains("not empty"), "{}", refused.text());
    assert_eq!(administrator.get(&format!("/submissions/{id}")).status, 200);
    let made = college.new_round(&mut administrator, "By mistake", "1").place().to_owned();
    let enrolled = administrator.upload(&format!("{made}/students"), &[], "l.csv", b"number,name\ns1,Ann One\n");
    assert_eq!(enrolled.status, 303, "{}", enrolled.text());
    let members = archive(&[("s1_tide.txt", b"What was found is told here.")]);
    assert_eq!(administrator.upload(&format!("{made}/batch"), &[("kind", "draft")], "t.zip", &members).status, 303);
    assert_eq!(administrator.form(&format!("{made}/remove"), &[("sure", "true")]).place(), "/");
    assert_eq!(administrator.get(&made).status, 404);
    assert!(!administrator.get("/").text().contains("By mistake"));
    assert_eq!(std::fs::read_dir(bench.path("data/batches")).unwrap().count(), 0, "its archive is gone");
}

#[test]
fn a_collection_goes_with_its_index_and_what_is_made_later_has_another_id() {
    let bench = Bench::new();
    let data = bench.path("data");
    let server = Server::start(&data, &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let indexes = || std::fs::read_dir(data.join("collections")).unwrap().count();
    let mut make = |name: &str| administrator.form("/collections", &[("name", name)]).place().to_owned();
    let (spare, before) = (make("Spare"), indexes());
    let mut administrator = college.administrator.clone();
    let text = b"The marsh was measured from a boat at every second tide.";
    assert_eq!(administrator.upload(&format!("{spare}/upload"), &[], "a.txt", text).status, 303);
    college.settle();
    let remove = format!("{spare}/erase");
    assert!(administrator.get(&spare).text().contains(&format!("action=\"{remove}\"")));
    assert_eq!(administrator.form(&remove, &[]).status, 422, "nobody was sure");
    for other in ["t1", "s1", "r1"] {
        assert_eq!(college.person(other).form(&remove, &[("sure", "true")]).status, 403, "{other}");
    }
    assert_eq!(administrator.form(&remove, &[("sure", "true")]).place(), "/collections");
    assert_eq!((indexes(), administrator.get(&spare).status), (before - 1, 404));
    let page = administrator.get("/audit?q=removed+a+collection").text();
    assert!(page.contains("<bdi>Spare</bdi>"), "{page}");
    // One that a round compares with stays, and the round is named.
    let used = format!("/collections/{}/erase", college.open);
    let refused = administrator.form(&used, &[("sure", "true")]);
    assert!(refused.status == 409 && refused.text().contains("compare with it: Term"), "{}", refused.text());

    // What the log says of an id that is gone is never said of another.
    let again = administrator.form("/collections", &[("name", "Spare")]).place().to_owned();
    assert!(again != spare && again.starts_with("/collections/"), "{again}");
    let mut unit = |name: &str| {
        assert_eq!(administrator.form("/units", &[("name", name), ("parent", "1")]).status, 303);
        action(&administrator.get("/units").text(), &format!("<bdi>{name}"), "/remove")
    };
    let maths = unit("Maths");
    let mut remover = college.administrator.clone();
    assert_eq!(remover.form(&maths, &[]).status, 303);
    assert_ne!(unit("Physics"), maths);
}

#[test]
fn the_audit_log_is_told_in_words_with_names_and_searched_by_them() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let list = "number,name,role\np9,Paula Nine,student\n";
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let page = administrator.get("/people?q=p9").text();
    assert_eq!(administrator.form(&action(&page, "Paula Nine", "/access"), &[("access", "no")]).status, 303);
    let rows = |page: &str| page.split("<tbody>").nth(1).unwrap().matches("<tr>").count();
    let page = administrator.get("/audit?q=paula").text();
    assert!(
        rows(&page) == 1 && page.contains("deactivated") && page.contains("<bdi>p9 Paula Nine</bdi> <code>"),
        "{page}"
    );
    let page = administrator.get("/audit?q=created+a+round").text();
    assert!(rows(&page) == 1 && page.contains("<bdi>Term</bdi>") && page.contains("<bdi>admin"), "{page}");
    assert_eq!(rows(&administrator.get("/audit?q=nothing-is-called-so").text()), 0);
    assert_eq!(administrator.form("/language", &[("language", "zh")]).status, 303);
    assert!(administrator.get("/audit").text().contains("停止访问"));
}
