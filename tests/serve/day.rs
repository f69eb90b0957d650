//! A day of five people with the service, as one story: by the links and forms that pages hold, and by the interface.

use crate::program::{Bench, project};
use crate::serve::browser::{Browser, heads};
use crate::serve::server::{PASSWORD, Server, archive};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

const ESTUARY: &str = "corpora/demo/submissions/en-01-estuary-crossing.txt";

const SYLLABLES: [&str; 12] = ["ta", "mar", "shel", "ri", "po", "lun", "ke", "dor", "vi", "sam", "ne", "gol"];

/// Forty essays of a class: each of its own words, but that the last took over half of the first.
fn essays() -> Vec<(String, String)> {
    let essay = |n: u64| -> String {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(n);
        let mut syllable = || SYLLABLES[random.random_range(0..SYLLABLES.len())];
        let mut sentence =
            || (0..9).map(|_| [syllable(), syllable(), syllable()].concat()).collect::<Vec<_>>().join(" ") + ". ";
        (0..30).map(|_| sentence()).collect()
    };
    let mut all: Vec<String> = (1..=40).map(essay).collect();
    all[39] = format!("{}{}", &all[0][..all[0].len() / 2], &all[39]);
    (1..).zip(all).map(|(n, text)| (format!("k{n:02}_essay.txt"), text)).collect()
}

#[test]
fn a_day_of_an_office_a_student_a_supervisor_a_teacher_and_an_engineer_goes_by_the_links_of_the_pages() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let estuary = std::fs::read(project(ESTUARY)).unwrap();
    let reference = std::fs::read(project("corpora/demo/reference/en-ref-01-tidal-marsh.txt")).unwrap();

    // The office: a collection, people from a list that it looks at first, a round and its students, links to sign in.
    let mut office = Browser::of(server.administrator(), &server);
    office.open("/");
    office.follow("Collections");
    office.send("name=\"wording\"", &[("name", "Library"), ("wording", "everyone")], None);
    office.send("/upload\"", &[], Some(("tidal-marsh.txt", &reference)));
    let people = "Staff and students of the term\nnumber,name,role,unit\nt1,Dr. Lin,supervisor,cs\nk0,Ms. Kay,administrator,Class 7\n\
                  s1,Ann One,student,cs\n";
    office.follow("People");
    office.send("type=\"file\"", &[("preview", "true")], Some(("people.csv", people.as_bytes())));
    assert!(office.page.contains("Rows: 3. Changes: 3."), "{}", office.page);
    office.send("name=\"list\"", &[], None);
    assert!(office.row("Ms. Kay").contains("administrator"));
    office.open("/");
    office.follow("New round");
    let whole = [("title", "Theses 2026"), ("limit", "20"), ("student_sees", "at_once"), ("collections", "1")];
    let times = [("opens", "2020-01-01T00:00"), ("closes", "2090-01-01T00:00")];
    office.send("name=\"student_sees\"", &[&whole[..], &times].concat(), None);
    let round = office.address.clone();
    office.follow("Students");
    let students = "学号,姓名,导师工号,论文题目\ns1,Ann One,t1,The estuary\n";
    office.send("type=\"file\"", &[("preview", "true")], Some(("students.csv", students.as_bytes())));
    office.send("name=\"list\"", &[], None);
    assert!(office.row("Ann One").contains("The estuary"));
    office.person.settle();
    let mut newcomer = |name: &str| {
        office.open("/people");
        let invite = office.row(name).split("action=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        office.send(&format!("action=\"{invite}\""), &[], None);
        let mut person = Browser::of(server.nobody(), &server);
        person.open(&office.between("<code>", "<"));
        person.send("name=\"password\"", &[("password", PASSWORD)], None);
        person
    };
    let [mut student, mut supervisor, mut teacher] = ["Ann One", "Dr. Lin", "Ms. Kay"].map(&mut newcomer);

    // The student hands in and reads the report.
    student.follow("Theses 2026");
    student.send("type=\"file\"", &[("kind", "final")], Some(("estuary.txt", &estuary)));
    let submission = student.address.clone();
    office.person.settle();
    student.open(&submission);
    student.follow("Open");
    assert!(student.page.contains("tidal-marsh"), "the source");

    // The supervisor is led to it, and gives the verdict.
    supervisor.open("/");
    supervisor.follow("s1 Ann One");
    assert_eq!(supervisor.address, submission);
    supervisor.send("name=\"verdict\"", &[("verdict", "pass"), ("comment", "Cite the marsh.")], None);
    assert!(student.open(&submission).contains("Cite the marsh."));

    // The teacher makes a round of her class, and hands forty essays in as one archive.
    teacher.open("/");
    teacher.follow("New round");
    let class = [("title", "Essays of class 7"), ("limit", "20"), ("collections", "1")];
    teacher.send("name=\"student_sees\"", &[&class[..], &times].concat(), None);
    let class = teacher.address.clone();
    teacher.follow("Students");
    let list: String = (1..=40).map(|n| format!("k{n:02},Pupil {n}\n")).collect();
    let list = format!("number,name\n{list}");
    teacher.send("type=\"file\"", &[("preview", "true")], Some(("class.csv", list.as_bytes())));
    teacher.send("name=\"list\"", &[], None);
    teacher.open(&class);
    let essays = essays();
    let members: Vec<(&str, &[u8])> = essays.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    teacher.send("/batch\"", &[("kind", "final")], Some(("essays.zip", &archive(&members))));
    assert!(teacher.row("k40_essay").contains("Pupil 40"));
    teacher.send("(40)", &[], None);
    office.person.settle();
    let page = teacher.open(&class).to_owned();
    let share = |who: &str| {
        let row = page.split("<tr").find(|row| row.contains(&format!("{who}</bdi>"))).unwrap();
        row.split("class=\"n\" data-key=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap()
    };
    assert!(share("Pupil 1") > 0.3 && share("Pupil 40") > 0.2, "who shares text is seen: {page}");
    assert!((2..40).all(|n| share(&format!("Pupil {n}")) < 0.2), "nobody else stands out: {page}");
    assert_eq!(teacher.person.get(&round).status, 404, "another unit's round");

    // The engineer's program has a token of the office: it hands in, waits, fetches the report, and deposits.
    office.open("/");
    office.open("/account");
    let scopes = [("label", "import"), ("scopes", "read"), ("scopes", "submit"), ("scopes", "manage")];
    let page = office.person.form("/account/tokens", &scopes).text();
    let mut program = server.nobody();
    program.token = Some(page.split("<code>").nth(1).unwrap().split('<').next().unwrap().to_owned());
    let rounds = program.get("/api/v1/rounds").json();
    let listed = rounds["items"].as_array().unwrap().iter().find(|one| one["title"] == "Theses 2026").unwrap();
    let id = listed["id"].as_str().unwrap();
    let fields = [("student", "s1"), ("kind", "draft")];
    let made =
        program.upload(&format!("/api/v1/rounds/{id}/submissions"), &fields, "draft.txt", b"A draft of few words.");
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(program.wait_for(made.json()["id"].as_str().unwrap())["status"]["state"], "done");
    let api = format!("/api/v1{submission}");
    assert!(program.get(&format!("{api}/report")).json()["sources"][0]["id"].as_str().unwrap().contains("tidal-marsh"));
    assert_eq!(program.post_json(&format!("{api}/deposit"), &json!({ "collection": 1 })).status, 202);
    office.person.settle();
    office.open("/collections/1");
    assert!(office.page.contains(submission.rsplit('/').next().unwrap()), "{}", office.page);
    let seen = [&office.page, &student.page, &supervisor.page, &teacher.page];
    assert!(seen.iter().all(|page| page.contains("</html>")));

    // Heads of columns are written one way, on every page that has a table.
    let mut counted = 0;
    for path in ["/", "/people", "/units", "/collections", "/collections/1", "/audit", &round, &class, &submission] {
        let more = [String::new(), "/students".to_owned(), "/report".to_owned()];
        let fits = |more: &&String| match more.as_str() {
            "/students" => path.starts_with("/rounds/"),
            "/report" => path.starts_with("/submissions/"),
            _ => true,
        };
        for address in more.iter().filter(fits).map(|more| format!("{path}{more}")) {
            for head in heads(office.open(&address)) {
                assert!(!head.trim().starts_with(char::is_lowercase), "{address}: {head}");
                counted += 1;
            }
        }
    }
    assert!(counted > 40, "{counted}");
}
