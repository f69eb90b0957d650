//! People and students, from a list that is shown before it is taken, and one by one.

use crate::program::Bench;
use crate::serve::corrections::action;
use crate::serve::server::{College, Server};
use serde_json::json;

/// The value of a hidden field.
fn hidden(page: &str, name: &str) -> Option<String> {
    let of = page.split(&format!("name=\"{name}\" value=\"")).nth(1)?;
    Some(of.split('"').next()?.to_owned())
}

#[test]
fn a_list_is_shown_row_by_row_before_anything_is_made_of_it() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let preview = [("preview", "true")];
    let list =
        "number,name,role,unit\nt1,Dr. Lin,supervisor,cs\ns2,Benjamin Two,student,cs\nn1,Nia New,student,Physics\n";
    let page = administrator.upload("/people", &preview, "people.csv", list.as_bytes());
    assert_eq!(page.status, 200, "{}", page.text());
    let page = page.text();
    for expected in [
        "Rows: 3. Changes: 2. No change: 1. Errors: 0.",
        "name \u{2068}Ben Two\u{2069} → \u{2068}Benjamin Two\u{2069}",
        "new unit \u{2068}Physics\u{2069}; new person; role",
    ] {
        let plain = |text: &str| text.replace(['\u{2068}', '\u{2069}'], "");
        assert!(plain(&page).contains(&plain(expected)), "{expected}: {page}");
    }
    let known = |person: &mut crate::serve::server::Person<'_>| {
        person.get("/people?q=n1").text().contains("Nia New") || person.get("/units").text().contains("Physics")
    };
    assert!(!known(&mut administrator), "nothing was made");
    let id = hidden(&page, "list").unwrap();
    assert_eq!(administrator.form("/people", &[("list", &id)]).place(), "/people?done=3");
    assert!(known(&mut administrator) && administrator.get("/people?q=s2").text().contains("Benjamin Two"));
    let again = administrator.form("/people", &[("list", &id)]);
    assert!(again.status == 410 && again.text().contains("Choose its file again"), "{}", again.text());

    // Rows that are refused are shown with the others, and there is no button.
    let list = "学号,姓名,导师工号,论文题目\ns3,Cy Three,t1,Tides\ns1,Ann One,nobody,\nn2,Noor New,,\n,No Number,,\n";
    let students = format!("/rounds/{}/students", college.round);
    let page = administrator.upload(&students, &preview, "list.csv", list.as_bytes()).text();
    assert!(
        page.contains("Rows: 4. Changes: 2. No change: 0. Errors: 2.") && hidden(&page, "list").is_none(),
        "{page}"
    );
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}: {page}"));
    assert!(place("there is no supervisor") < place("Noor New") && place("the number is missing") < place("Noor New"));
    assert!(!administrator.get(&students).text().contains("Noor New"));
    // The same without them, in the reader's language, by an administrator who is not the one who looked.
    let list = "学号,姓名,导师工号,论文题目\ns3,Cy Three,t1,Tides\nn2,Noor New,,\n";
    assert_eq!(administrator.form("/language", &[("language", "zh")]).status, 303);
    let page = administrator.upload(&students, &preview, "list.csv", list.as_bytes()).text();
    for expected in ["导师", "Dr. Lin", "题目", "Tides", "加入批次"] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let id = hidden(&page, "list").unwrap();
    let dean = "number,name,role\nd1,Dean,administrator\n";
    assert_eq!(administrator.upload("/people", &[], "people.csv", dean.as_bytes()).status, 303);
    assert_eq!(college.person("d1").form(&students, &[("list", &id)]).status, 410, "another's");
    assert_eq!(administrator.form(&students, &[("list", &id)]).place(), format!("{students}?done=2"));
    let page = administrator.get(&students).text();
    let row = page.split("<tr>").find(|row| row.contains("Cy Three")).unwrap();
    assert!(row.contains("Dr. Lin") && row.contains("Tides") && page.contains("Noor New"), "{page}");
}

#[test]
fn people_and_students_are_added_and_corrected_one_by_one() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let page = administrator.get("/people").text();
    assert!(page.contains("name=\"college\"") && page.contains("value=\"cs\""), "{page}");
    let of = [("number", "v1"), ("name", "Vera Visitor"), ("role", "supervisor"), ("college", "cs")];
    assert_eq!(administrator.form("/people", &of).place(), "/people?done=1");
    let refused = administrator.form("/people", &[("number", "v2"), ("role", "supervisor")]);
    assert!(refused.status == 422 && refused.text().contains("the name is missing"), "{}", refused.text());
    let page = administrator.get("/people?q=v1").text();
    let grant = action(&page, "Vera Visitor", "/grant");
    let role = [("role", "auditor"), ("unit", "1")];
    assert_eq!((administrator.form(&grant, &role).status, administrator.form(&grant, &role).status), (303, 409));
    assert!(administrator.get("/audit?q=added+a+role").text().contains("Vera Visitor"));
    assert_eq!(college.person("t1").form(&grant, &role).status, 403);

    let students = format!("/rounds/{}/students", college.round);
    let of = [("number", "s9"), ("name", "Sam Nine"), ("supervisor", "v1"), ("thesis_title", "Salt marshes")];
    assert_eq!(administrator.form(&students, &of).place(), format!("{students}?done=1"));
    let row = |page: String| page.split("<tr>").find(|row| row.contains("Sam Nine")).unwrap().to_owned();
    let before = row(administrator.get(&students).text());
    assert!(before.contains("Vera Visitor") && before.contains("Salt marshes"), "{before}");
    let edit = action(&administrator.get(&students).text(), "Sam Nine", "/edit");
    let refused = administrator.form(&edit, &[("supervisor", "s1")]);
    assert!(refused.status == 422 && refused.text().contains("is not a supervisor"), "{}", refused.text());
    assert_eq!(administrator.form(&edit, &[("supervisor", "t2"), ("thesis_title", "Tides")]).place(), students);
    let after = row(administrator.get(&students).text());
    assert!(after.contains("Dr. Ode") && after.contains("Tides") && !after.contains("Salt"), "{after}");
    assert_eq!(administrator.form(&edit, &[]).place(), students);
    assert!(!row(administrator.get(&students).text()).contains("Dr. Ode"), "what is not given is taken away");
    assert_eq!(college.person("t1").form(&edit, &[]).status, 403);
}

#[test]
fn a_list_that_was_shown_waits_through_a_restart_and_is_forgotten_with_anybody_who_is_erased() {
    let bench = Bench::new();
    let data = bench.path("data");
    let server = Server::start(&data, &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let shown = |person: &mut crate::serve::server::Person<'_>| {
        let page = person.upload("/people", &[("preview", "true")], "people.csv", b"number,name\nn1,Nia New\n").text();
        hidden(&page, "list").unwrap()
    };
    let [first, second] = [(); 2].map(|()| shown(&mut administrator));
    server.stop();
    let server = Server::start(&data, &[]);
    let mut administrator = server.sign_in("admin", crate::serve::server::PASSWORD);
    assert_eq!(administrator.form("/people", &[("list", &first)]).place(), "/people?done=1");
    let erase = action(&administrator.get("/people?q=s3").text(), "Cy Three", "/erase");
    assert_eq!(administrator.form(&erase, &[]).status, 303);
    assert_eq!(administrator.form("/people", &[("list", &second)]).status, 410);
}
