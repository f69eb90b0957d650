//! Links for many at once, who may make them, and for whom.

use crate::program::Bench;
use crate::serve::server::{College, PASSWORD, Server};
use serde_json::json;

/// Number and link of each row of a list of links.
fn rows(list: &str) -> Vec<(String, String)> {
    let rows = list.trim_start_matches('\u{feff}').lines().skip(1);
    rows.map(|row| row.split(',').collect::<Vec<_>>()).map(|cells| (cells[0].to_owned(), cells[2].to_owned())).collect()
}

fn numbers(list: &str) -> Vec<String> {
    rows(list).into_iter().map(|(number, _)| number).collect()
}

#[test]
fn links_for_many_are_made_as_a_list_or_as_sheets_each_good_once_and_for_those_alone_who_have_none() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let _has_a_password = college.person("s2");
    let mut administrator = college.administrator.clone();
    assert!(administrator.get("/people").text().contains("action=\"/people/invitations\""));
    let list = administrator.form("/people/invitations", &[("form", "csv"), ("unit", "1")]);
    assert_eq!(
        (list.status, list.headers["content-type"].as_str()),
        (200, "text/csv; charset=utf-8"),
        "{}",
        list.text()
    );
    assert_eq!(numbers(&list.text()), ["r1", "s1", "s3", "t1", "t2"]);
    let link = rows(&list.text())[1].1.trim_start_matches(&server.base).to_owned();
    let again = administrator.form("/people/invitations", &[("form", "csv"), ("unit", "1")]);
    assert!(again.status == 409 && again.text().contains("Nobody here needs a link"), "{}", again.text());
    let mut student = server.nobody();
    assert!(student.get(&link).text().contains("Ann One"));
    assert_eq!(student.form(&link, &[("password", PASSWORD)]).status, 303);
    assert_eq!(server.nobody().get(&link).status, 410, "it was used");
    // New ones end those before.
    let third = rows(&list.text())[2].1.trim_start_matches(&server.base).to_owned();
    assert_eq!(server.nobody().get(&third).status, 200);
    let sheets = administrator.form("/people/invitations", &[("form", "pdf"), ("unit", "1"), ("again", "true")]);
    assert!(sheets.status == 200 && sheets.body.starts_with(b"%PDF"), "{}", sheets.text());
    let text = bench.write("links.pdf", &sheets.body);
    let inputs = copytrace::formats::input::Inputs::open(&[text], Default::default()).next().unwrap().unwrap();
    let printed = inputs.extract(&Default::default()).unwrap().text.replace(char::is_whitespace, "");
    assert_eq!(printed.matches("/invite/").count(), 4, "{printed}");
    assert!(printed.contains("CyThree") && !printed.contains("AnnOne"), "{printed}");
    assert_eq!(server.nobody().get(&third).status, 410);
    assert!(administrator.get("/audit?q=sign-in+link").text().contains("Cy Three"));
}

#[test]
fn an_administrator_of_a_unit_makes_links_within_the_unit_and_opens_no_account_beside_it() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let list = "number,name,role,unit\nd1,Dean,administrator,cs\ns3,Cy Three,student,Physics\nt2,Dr. Ode,auditor,\n";
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let mut dean = college.person("d1");
    let round = college.new_round(&mut dean, "Of the unit", "2").place().to_owned();
    assert!(round.starts_with("/rounds/"), "{round}");
    let students = "number,name,supervisor\ns1,Ann One,t1\ns2,Ben Two,t2\ns3,Cy Three,t1\n";
    let enrolled = dean.upload(&format!("{round}/students"), &[], "list.csv", students.as_bytes());
    assert_eq!(enrolled.status, 303, "{}", enrolled.text());
    let path = format!("{round}/invitations");
    assert!(dean.get(&format!("{round}/students")).text().contains(&format!("action=\"{path}\"")));
    let list = dean.form(&path, &[("form", "csv")]);
    assert_eq!(numbers(&list.text()), ["s1", "s2", "t1"], "s3 and t2 have roles outside the unit");
    for unit in ["1", "2"] {
        assert_eq!(dean.form("/people/invitations", &[("form", "csv"), ("unit", unit)]).status, 403);
    }
    let other = format!("/rounds/{}/invitations", college.round);
    assert_eq!(dean.form(&other, &[("form", "csv")]).status, 404, "a round of the whole institution");
    assert_eq!(college.person("t1").form(&path, &[("form", "csv")]).status, 403);
    assert_eq!(dean.form(&path, &[("form", "xml")]).status, 422);
}
