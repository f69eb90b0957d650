//! Letters: who gets which, that none is lost, and what a mail server that refuses does.

use crate::program::{Bench, project, wait_for};
use crate::serve::postman::Postman;
use crate::serve::server::{College, PASSWORD, Person, Server};
use serde_json::json;
use std::process::Command;

/// Addresses for the people of a college in small.
pub const ADDRESSES: &str = "number,name,role,unit,mail\ns1,Ann One,student,cs,ann@example.edu\ns2,Ben Two,student,cs,ben@example.edu\n\
                         t1,Dr. Lin,supervisor,cs,lin@example.edu\n";

/// A server that sends letters by this mail server, with more settings.
fn start(bench: &Bench, postman: &Postman, more: &str) -> Server {
    let config = format!(
        "[serve.mail]\nserver = '127.0.0.1'\nport = {}\nfrom = 'Office <office@example.edu>'\n\
         gather-minutes = 0\nlanguage = 'en'\n{more}",
        postman.port
    );
    let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    program.env("COPYTRACE_CONFIG", bench.write("copytrace.toml", config));
    Server::try_start_by(program, &bench.path("data"), &[]).unwrap()
}

pub fn open(bench: &Bench, postman: &Postman) -> Server {
    start(bench, postman, "encryption = 'none'\n")
}

pub fn address(college: &College<'_>, list: &str) {
    let taken = college.administrator.clone().upload("/people", &[], "mail.csv", list.as_bytes());
    assert_eq!(taken.status, 303, "{}", taken.text());
}

/// What the page of letters says, once it says this.
fn told(administrator: &mut Person<'_>, words: &str) -> String {
    wait_for(words, || Some(administrator.get("/letters").text()).filter(|page| page.contains(words)))
}

#[test]
fn invitations_go_by_mail_to_those_who_have_an_address_each_with_a_link_that_is_good_once() {
    let bench = Bench::new();
    let postman = Postman::start();
    let server = open(&bench, &postman);
    let college = College::found(&server, json!({}));
    address(&college, ADDRESSES);
    let mut administrator = college.administrator.clone();
    assert!(administrator.get("/people").text().contains("ann@example.edu"));
    let page = administrator.form("/people/invitations", &[("form", "mail"), ("unit", "1")]);
    assert!(
        page.text().contains("3 mails are on their way") && page.text().contains("3 people have no mail"),
        "{}",
        page.text()
    );
    let letter = postman.wait_for("ann@example.edu", 1);
    assert!(letter.text.contains("Ann One") && letter.text.contains("s1"), "{letter:?}");
    for line in ["From: \"Office\" <office@example.edu>", "Auto-Submitted: auto-generated", "copytrace@example.edu>"] {
        assert!(letter.head.contains(line) || letter.head.contains(&line.replace('"', "")), "{line}: {}", letter.head);
    }
    postman.wait_for("lin@example.edu", 1);
    let again = administrator.form("/people/invitations", &[("form", "mail"), ("unit", "1")]);
    assert!(again.text().contains("3 people have no mail") && again.text().contains("0 mails"), "{}", again.text());
    let mut student = server.nobody();
    assert_eq!(student.form(&letter.link(), &[("password", PASSWORD)]).status, 303);
    assert_eq!(server.nobody().get(&letter.link()).status, 410);
    assert_eq!(postman.to("ann@example.edu").len(), 1);
    // No secret of a link stands in the database, nor in what is written before it.
    let secret = letter.link().rsplit('/').next().unwrap().to_owned();
    for file in ["service.db", "service.db-wal"] {
        let bytes = std::fs::read(server.data.join(file)).unwrap_or_default();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{file}");
    }
    // A changed address ends the link that the old one got.
    let ben = postman.wait_for("ben@example.edu", 1).link();
    let people = administrator.get("/people?q=s2").text();
    let form = people.split("action=\"").find(|part| part.split('"').next().unwrap().ends_with("/mail")).unwrap();
    let path = form.split('"').next().unwrap().to_owned();
    assert_eq!(administrator.form(&path, &[("mail", "no address")]).status, 422);
    assert_eq!(server.nobody().get(&ben).status, 200);
    assert_eq!(administrator.form(&path, &[("mail", "two@example.edu")]).status, 303);
    assert_eq!(server.nobody().get(&ben).status, 410);
}

#[test]
fn a_lost_password_is_replaced_by_a_letter_and_no_answer_tells_whether_somebody_is_known() {
    let bench = Bench::new();
    let postman = Postman::start();
    let server = open(&bench, &postman);
    let college = College::found(&server, json!({}));
    address(&college, ADDRESSES);
    let mut student = college.person("s1");
    assert!(server.nobody().get("/login").text().contains("href=\"/lost-password\""));
    let ask = |given: &str| server.nobody().form("/lost-password", &[("given", given)]);
    let answers: Vec<_> =
        ["s1", "ANN@example.edu", "t2", "nobody", "nobody@example.edu"].into_iter().map(ask).collect();
    for answer in &answers {
        assert_eq!((answer.status, answer.text()), (200, answers[0].text()));
    }
    assert_eq!(ask(&"x".repeat(300)).status, 422);
    let letter = postman.wait_for("ann@example.edu", 1);
    assert!(letter.text.contains("within an hour"), "{letter:?}");
    assert_eq!(student.get("/account").status, 200, "asking alone ends nothing");
    let mut new = server.nobody();
    assert_eq!(new.form(&letter.link(), &[("password", "another word for tests")]).status, 303);
    assert_eq!(server.nobody().form(&letter.link(), &[("password", PASSWORD)]).status, 410, "it is good once");
    assert_ne!(student.get("/account").status, 200, "sessions end with the password");
    server.sign_in("s1", "another word for tests");
    // Asked for again and again there is one letter.
    (0..3).for_each(|_| drop(ask("s1")));
    // Who has an invitation loses it to nobody who asks.
    let invited = college.administrator.clone().form("/people/invitations", &[("form", "mail"), ("unit", "1")]);
    assert_eq!(invited.status, 200);
    let invitation = postman.wait_for("ben@example.edu", 1).link();
    ask("s2");
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert_eq!(server.nobody().get(&invitation).status, 200);
    assert_eq!((postman.to("ann@example.edu").len(), postman.to("ben@example.edu").len()), (1, 1));
    assert!(postman.to("lin@example.edu").len() == 1);
}

#[test]
fn what_happens_in_a_day_is_one_letter_that_names_nobody() {
    let bench = Bench::new();
    let postman = Postman::start();
    let server = open(&bench, &postman);
    let college = College::found(&server, json!({ "student_sees": "at_once" }));
    address(&college, ADDRESSES);
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submission = college.hand_in("s1", "estuary.txt", &content);
    college.settle();
    let letter = postman.wait_for("ann@example.edu", 1);
    assert!(letter.text.contains("one new report") && letter.text.contains(&server.base), "{letter:?}");
    let letter = postman.wait_for("lin@example.edu", 1);
    assert!(letter.text.contains("one final waits for your verdict"), "{letter:?}");
    assert!(!letter.text.contains("Ann") && !letter.text.contains("estuary"), "{letter:?}");
    // What comes after it waits for the next day.
    let mut student = college.person("s1");
    let objection = [("passage", "0"), ("reason", "It is mine.")];
    assert_eq!(student.form(&format!("/submissions/{submission}/appeals"), &objection).status, 303);
    let verdict = [("verdict", "pass"), ("comment", "")];
    assert_eq!(college.person("t1").form(&format!("/submissions/{submission}/verdict"), &verdict).status, 303);
    college.hand_in("s2", "other.txt", &[&content[..], b" And more."].concat());
    college.settle();
    postman.wait_for("ben@example.edu", 1);
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert_eq!((postman.to("ann@example.edu").len(), postman.to("lin@example.edu").len()), (1, 1));
    // A day later it comes, in Chinese to whom has chosen that.
    student.form("/language", &[("language", "zh")]);
    drop(student);
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    database.execute("UPDATE letter SET not_before = not_before - 90000", []).unwrap();
    let letter = postman.wait_for("ann@example.edu", 2);
    assert!(letter.text.contains("每天最多一封"), "{letter:?}");
}

#[test]
fn what_is_refused_is_shown_and_what_is_put_off_is_tried_again() {
    let bench = Bench::new();
    let postman = Postman::start();
    let refusals = [("ann@example.edu", "550 no such mailbox"), ("ben@example.edu", "451 greylisted")];
    postman.state.lock().unwrap().refuses = refusals.map(|(who, why)| (who.to_owned(), why.to_owned())).to_vec();
    let server = open(&bench, &postman);
    let college = College::found(&server, json!({}));
    address(&college, ADDRESSES);
    let mut administrator = college.administrator.clone();
    administrator.form("/people/invitations", &[("form", "mail"), ("unit", "1")]);
    postman.wait_for("lin@example.edu", 1);
    let page = told(&mut administrator, "no such mailbox");
    assert!(page.contains("greylisted") && page.contains("Send again"), "{page}");
    postman.state.lock().unwrap().refuses.clear();
    let path = page.split("action=\"").find(|part| part.starts_with("/letters/")).unwrap().split('"').next().unwrap();
    assert_eq!(administrator.form(path, &[]).status, 303);
    postman.wait_for("ann@example.edu", 1);
    assert_eq!(administrator.form(path, &[]).status, 404, "it was sent");
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    database.execute("UPDATE letter SET not_before = 0 WHERE state = 'waiting'", []).unwrap();
    postman.wait_for("ben@example.edu", 1);
    assert_eq!(postman.to("lin@example.edu").len(), 1, "no letter comes twice");
    // An erased person's address and letters are gone.
    let people = administrator.get("/people?q=s2").text();
    let erase = people.split("action=\"").find(|part| part.split('"').next().unwrap().ends_with("/erase")).unwrap();
    administrator.form(erase.split('"').next().unwrap(), &[]);
    let left: i64 = database
        .query_row(
            "SELECT (SELECT count(*) FROM letter) + (SELECT count(*) FROM person WHERE mail LIKE 'ben%')",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(left, 2);
}

#[test]
fn letters_wait_for_a_server_that_is_down_and_go_to_none_that_is_not_encrypted_or_does_not_know_us() {
    let bench = Bench::new();
    let postman = Postman::start();
    postman.state.lock().unwrap().is_down = true;
    let secret = bench.write("password", "right\n");
    let server = start(
        &bench,
        &postman,
        &format!("encryption = 'none'\nuser = 'office'\npassword-file = '{}'\n", secret.display()),
    );
    let college = College::found(&server, json!({}));
    address(&college, ADDRESSES);
    let mut administrator = college.administrator.clone();
    administrator.form("/people/invitations", &[("form", "mail"), ("unit", "1")]);
    let cookie = administrator.cookie.clone();
    // Who gets in by another link meanwhile needs no letter any more.
    college.person("t1");
    // Killed while they wait, and started again with a mail server that wants another password: none is refused for that.
    server.kill();
    *postman.state.lock().unwrap() =
        crate::serve::postman::State { password: Some("other".to_owned()), ..Default::default() };
    let again = start(
        &bench,
        &postman,
        &format!("encryption = 'none'\nuser = 'office'\npassword-file = '{}'\n", secret.display()),
    );
    let heard = |word: &str| postman.state.lock().unwrap().heard.iter().any(|line| line.starts_with(word));
    wait_for("an attempt", || heard("AUTH").then_some(()));
    let mut administrator = again.nobody();
    administrator.cookie = cookie.clone();
    let page = administrator.get("/letters").text();
    assert!(page.contains("waiting") && !page.contains("Send again") && !heard("MAIL"), "{page}");
    again.kill();
    // A server that should encrypt and does not hears neither the password nor a letter.
    *postman.state.lock().unwrap() = Default::default();
    let strict = start(
        &bench,
        &postman,
        &format!("encryption = 'starttls'\nuser = 'office'\npassword-file = '{}'\n", secret.display()),
    );
    wait_for("an attempt", || heard("EHLO").then_some(()));
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert!(!heard("AUTH") && !heard("MAIL"), "{:?}", postman.state.lock().unwrap().heard);
    strict.kill();
    postman.state.lock().unwrap().password = Some("right".to_owned());
    let _right = start(
        &bench,
        &postman,
        &format!("encryption = 'none'\nuser = 'office'\npassword-file = '{}'\n", secret.display()),
    );
    for address in ["ann@example.edu", "ben@example.edu"] {
        postman.wait_for(address, 1);
    }
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert!(postman.to("lin@example.edu").is_empty());
}

#[test]
fn a_unit_s_administrator_changes_no_address_of_an_account_that_is_there() {
    let bench = Bench::new();
    let postman = Postman::start();
    let server = open(&bench, &postman);
    let college = College::found(&server, json!({}));
    address(&college, ADDRESSES);
    address(&college, "number,name,role,unit\nd1,Dean,administrator,cs\n");
    let mut dean = college.person("d1");
    let round = college.new_round(&mut dean, "Of the unit", "2").place().to_owned();
    let list = "number,name,mail\ns1,Ann One,evil@example.com\ns9,New Nine,nine@example.edu\n";
    assert_eq!(dean.upload(&format!("{round}/students"), &[], "list.csv", list.as_bytes()).status, 303);
    let page = college.administrator.clone().get("/people").text();
    assert!(page.contains("ann@example.edu") && page.contains("nine@example.edu") && !page.contains("evil"), "{page}");
    let wrong = dean.upload(&format!("{round}/students"), &[], "list.csv", b"number,name,mail\ns8,Eight,eight\n");
    assert!(wrong.status == 422 && wrong.text().contains("eight is not a mail address"), "{}", wrong.text());
}
