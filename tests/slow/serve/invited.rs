//! A college of five thousand on its first day.

use crate::program::{Bench, wait_for};
use crate::serve::institution::{come_back, start};
use crate::serve::letters::open;
use crate::serve::postman::Postman;
use crate::serve::provider::Provider;
use crate::serve::server::College;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Instant;

#[test]
fn five_thousand_people_are_imported_and_invited_by_mail() {
    const PEOPLE: usize = 5000;
    let bench = Bench::new();
    let postman = Postman::start();
    let server = open(&bench, &postman);
    let mut administrator = College::found(&server, serde_json::json!({})).administrator;
    let mut list = "number,name,role,unit,mail\n".to_owned();
    (0..PEOPLE).for_each(|n| writeln!(list, "n{n},Student {n},student,cs,n{n}@example.edu").unwrap());
    let begun = Instant::now();
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let imported = begun.elapsed();
    let put = administrator.form("/people/invitations", &[("form", "mail"), ("unit", "1")]);
    assert_eq!(put.status, 200, "{}", put.text());
    let invited = begun.elapsed();
    wait_for("each letter", || (postman.state.lock().unwrap().letters.len() >= PEOPLE).then_some(()));
    println!("imported after {imported:?}, invited after {invited:?}, the last letter after {:?}", begun.elapsed());
    let state = postman.state.lock().unwrap();
    let (to, links): (BTreeSet<_>, BTreeSet<_>) =
        state.letters.iter().map(|letter| (letter.to.clone(), letter.link())).unzip();
    assert_eq!((to.len(), links.len()), (PEOPLE, PEOPLE), "each has a letter and a link of their own");
}

#[test]
fn three_hundred_people_sign_in_by_a_provider() {
    const PEOPLE: usize = 300;
    let bench = Bench::new();
    let provider = Provider::start();
    let server = start(&bench, &provider, "");
    let mut administrator = College::found(&server, serde_json::json!({})).administrator;
    let mut list = "number,name,role,unit\n".to_owned();
    (0..PEOPLE).for_each(|n| writeln!(list, "n{n},Student {n},student,cs").unwrap());
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let begun = Instant::now();
    for n in 0..PEOPLE {
        let mut person = server.nobody();
        let claims = serde_json::json!({ "sub": n.to_string(), "no": format!("n{n}") });
        assert_eq!(come_back(&mut person, &provider, claims).status, 303);
        assert!(person.get("/account").text().contains(&format!("Student {n}")));
    }
    println!("{PEOPLE} signed in within {:?}", begun.elapsed());
}
