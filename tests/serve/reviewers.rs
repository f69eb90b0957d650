//! Reviewers: who is named or drawn, what they agree on, and that no blind reviewer's browser gets a word that tells whose a final is.

use crate::program::{Bench, project};
use crate::serve::server::{College, Person, Server};
use serde_json::json;

/// Adds people, and gives them a supervisor of a unit apart, so that they supervise nobody of the round.
fn add(college: &College<'_>, list: &str) {
    let added = college.administrator.clone().upload("/people", &[], "people.csv", list.as_bytes());
    assert_eq!(added.status, 303, "{}", added.text());
}

fn name(college: &College<'_>, pairs: &str) -> crate::serve::server::Reply {
    let path = format!("/rounds/{}/reviewers", college.round);
    college.administrator.clone().upload(&path, &[], "list.csv", format!("学号,评审工号\n{pairs}").as_bytes())
}

/// Somebody who reviews the finals of a student, and has no other role.
pub fn reviewer<'a>(college: &College<'a>, student: &str) -> Person<'a> {
    add(college, "number,name,role\nv0,Rev Zero,reviewer\n");
    let named = name(college, &format!("{student},v0\n"));
    assert_eq!(named.status, 303, "{}", named.text());
    college.person("v0")
}

const REVIEWERS: &str =
    "number,name,role,unit\nv1,Rev Mark-V1,reviewer,cs\nv2,Rev Mark-V2,reviewer,cs\nv3,Rev Mark-V3,评审,cs\n";

fn say(person: &mut Person<'_>, submission: &str, verdict: &str) -> u16 {
    person
        .form(
            &format!("/submissions/{submission}/review"),
            &[("verdict", verdict), ("comment", &format!("I say {verdict}"))],
        )
        .status
}

fn verdict(college: &College<'_>, submission: &str) -> serde_json::Value {
    college.administrator.clone().get(&format!("/api/v1/submissions/{submission}")).json()["verdict"].clone()
}

#[test]
fn what_reviewers_agree_on_is_the_verdict_and_if_they_differ_the_administrator_decides() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    add(&college, REVIEWERS);
    assert_eq!(name(&college, "s1,v1\ns1,v2\ns2,v1\ns2,v2\n").status, 303);
    let content = std::fs::read_to_string(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let [one, two] =
        ["s1", "s2"].map(|student| college.hand_in(student, "final.txt", format!("{content} {student}").as_bytes()));
    college.settle();
    let (mut first, mut second, mut third) = (college.person("v1"), college.person("v2"), college.person("v3"));
    assert!(first.get("/").text().contains(&format!("/submissions/{one}")));
    assert!(first.get(&format!("/rounds/{}", college.round)).text().contains(&format!("/submissions/{two}")));
    for path in ["", "/report", "/report.json", "/report.pdf"] {
        assert_eq!(third.get(&format!("/submissions/{one}{path}")).status, 404, "who was not named sees nothing");
    }
    assert_eq!(say(&mut third, &one, "pass"), 404);
    assert_eq!(say(&mut first, &one, "excellent"), 422);
    assert_eq!(say(&mut first, &one, "pass"), 303);
    assert_eq!(say(&mut first, &one, "fail"), 409, "a verdict stands");
    assert!(verdict(&college, &one).is_null());
    assert!(!second.get(&format!("/submissions/{one}")).text().contains("I say"), "each judges alone");
    // Neither the supervisor nor a deed of staff takes its place.
    let mut supervisor = college.person("t1");
    assert_eq!(supervisor.form(&format!("/submissions/{one}/verdict"), &[("verdict", "fail")]).status, 403);
    assert!(!supervisor.get(&format!("/submissions/{one}")).text().contains("I say"));
    for deed in ["verdict", "decisions", "check", "cancel", "erase", "deposit", "appeals"] {
        let refused = first.form(&format!("/submissions/{one}/{deed}"), &[("verdict", "pass"), ("sure", "true")]);
        assert_eq!(refused.status, 403, "{deed}");
    }
    assert_eq!(say(&mut second, &one, "pass"), 303);
    assert_eq!(verdict(&college, &one), "pass");
    // The author learns what was said, and of nobody who said it.
    let page = college.person("s1").get(&format!("/submissions/{one}")).text();
    assert!(page.contains("I say pass") && !page.contains("Mark-V") && !page.contains("v1"), "{page}");
    let page = supervisor.get(&format!("/submissions/{one}")).text();
    assert!(page.contains("I say pass") && !page.contains("Mark-V"), "{page}");
    let json = supervisor.get(&format!("/submissions/{one}/report.json")).text();
    assert!(json.contains("\"review\"") && !json.contains("Mark-V"), "a verdict that was agreed on is nobody's alone");
    // They differ.
    assert_eq!((say(&mut first, &two, "pass"), say(&mut second, &two, "revise")), (303, 303));
    assert!(verdict(&college, &two).is_null());
    let mut administrator = college.administrator.clone();
    let page = administrator.get(&format!("/rounds/{}/reviewers", college.round)).text();
    let (differ, agree) = (page.find(&two[..8]).unwrap(), page.find(&one[..8]).unwrap());
    assert!(page.contains("they differ") && differ < agree, "{page}");
    let page = administrator.get(&format!("/submissions/{two}")).text();
    assert!(
        page.contains("The reviewers differ") && page.contains("Mark-V1") && page.contains("I say revise"),
        "{page}"
    );
    assert_eq!(administrator.form(&format!("/submissions/{two}/verdict"), &[("verdict", "revise")]).status, 303);
    assert_eq!(verdict(&college, &two), "revise");
    assert_eq!(college.person("r1").get(&format!("/rounds/{}/reviewers", college.round)).status, 200);
    assert!(administrator.get("/audit?q=verdict").text().contains("gave a reviewer"));
}

#[test]
fn reviewers_are_drawn_evenly_and_nobody_is_who_is_too_near_or_reads_names() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    add(&college, REVIEWERS);
    // A supervisor who reviews others' students, an auditor, a student, and somebody of another unit.
    add(
        &college,
        "number,name,role,unit\nt2,Dr. Ode,reviewer,cs\nr1,Aud Itor,reviewer,\nv9,Rev Nine,reviewer,Physics\n",
    );
    let mut administrator = college.administrator.clone();
    let path = format!("/rounds/{}/reviewers", college.round);
    let wrong = name(&college, "s1,v1\ns1,t1\ns3,t2\ns2,r1\ns9,v1\ns1,nobody\n");
    let told = wrong.text();
    for problem in [
        "is not a reviewer",
        "supervises this student",
        "reads all names",
        "s9 is not in the round",
        "the number nobody",
    ] {
        assert!(wrong.status == 422 && told.contains(problem), "{problem}: {told}");
    }
    assert!(!administrator.get(&path).text().contains("Mark-V1"), "all or none");
    assert!(
        administrator.upload(&path, &[], "list.csv", b"a,b\n1,2\n").text().contains("columns student and reviewer")
    );
    let draw = |administrator: &mut Person<'_>, unit: &str, count: &str| {
        administrator.form(&format!("{path}/draw"), &[("unit", unit), ("reviewers", count)])
    };
    assert_eq!(draw(&mut administrator, "2", "0").status, 422);
    let few = draw(&mut administrator, "2", "4");
    assert!(
        few.status == 409 && few.text().contains("too few"),
        "s3 has three, whose supervisor is the fourth: {}",
        few.text()
    );
    assert!(!administrator.get(&path).text().contains("Mark-V1"), "nobody is drawn then");
    let drawn = draw(&mut administrator, "2", "2");
    assert_eq!((drawn.status, drawn.place()), (303, &*format!("{path}?done=6")));
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    let count = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT max(n) FROM (SELECT count(*) AS n FROM reviewer GROUP BY person)"), 2, "evenly");
    assert_eq!(count("SELECT min(n) FROM (SELECT count(*) AS n FROM reviewer GROUP BY student)"), 2);
    let near = "SELECT count(*) FROM reviewer r JOIN enrolment e ON e.round = r.round AND e.student = r.student AND e.supervisor = r.person";
    assert_eq!(count(near), 0);
    assert_eq!(count("SELECT count(*) FROM reviewer JOIN person p ON p.id = person WHERE number IN ('r1', 'v9')"), 0);
    assert_eq!(draw(&mut administrator, "2", "2").place(), format!("{path}?done=0"), "once is enough");
    // One is taken back.
    let page = administrator.get(&path).text();
    let form =
        page.split("action=\"").find(|part| part.starts_with(&path) && part.contains("name=\"reviewer\"")).unwrap();
    let (place, person) =
        (form.split('"').next().unwrap(), form.split("value=\"").nth(1).unwrap().split('"').next().unwrap());
    assert_eq!(administrator.form(place, &[("reviewer", person)]).status, 303);
    assert_eq!(count("SELECT count(*) FROM reviewer"), 5);
    assert_eq!(administrator.form(place, &[("reviewer", person)]).status, 404);
}

/// A thesis with a mark in each place that may tell whose it is.
fn marked() -> String {
    let body = std::fs::read_to_string(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let paragraphs: String = body.split("\n\n").map(|part| format!("<p>{part}</p>")).collect();
    format!(
        "<html><head><title>A thesis by ZQXTITLE</title><meta name=\"author\" content=\"Ann ZQXAUTHOR\"></head><body>\
         <h1>1 Introduction</h1><p>As Ann One (s1) has said, and One, Ann before, and ann.zqx@example.edu:</p>{paragraphs}\
         <h1>Acknowledgements</h1><p>I thank ZQXTHANKS, my mother, and all of the ZQXLAB for their patience and help over these years.</p>\
         <h1>References</h1><p>Smith, J. (2001). Marshes. Journal of Silt, 3, 1-9.</p></body></html>"
    )
}

#[test]
fn nothing_that_a_blind_reviewer_s_browser_gets_tells_whose_a_final_is() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "student_sees": "at_once", "among": true }));
    let mut administrator = college.administrator.clone();
    add(&college, "number,name,role,unit,mail\ns1,Ann One,student,cs,ann.zqx@example.edu\n");
    // The title and the college of the list, an own work of an earlier round, a supervisor, a comment and an objection.
    let title = "number,name,supervisor,title\ns1,Ann One,t1,ZQXLIST of marshes\n";
    assert_eq!(
        administrator.upload(&format!("/rounds/{}/students", college.round), &[], "l.csv", title.as_bytes()).status,
        303
    );
    let mut program = administrator.program(&["manage"]);
    let earlier = json!({ "unit": 1, "title": "Earlier", "opens": 0, "closes": 4_000_000_000u32, "quota": 2, "limit_ratio": 0.2,
        "student_sees": "never", "among": true, "collections": [college.open] });
    let before = program.post_json("/api/v1/rounds", &earlier).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(administrator.upload(&format!("/rounds/{before}/students"), &[], "l.csv", title.as_bytes()).status, 303);
    let own = marked().replace("ZQXTITLE", "ZQXOWN").replace("ZQXAUTHOR", "ZQXOWNER");
    let fields = [("student", "s1"), ("kind", "final")];
    assert_eq!(
        administrator
            .upload(&format!("/rounds/{before}/submissions"), &fields, "ZQXEARLIER.html", own.as_bytes())
            .status,
        303
    );
    let database = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    database.execute("UPDATE round SET previous = ?1 WHERE id = ?2", [&before, &college.round]).unwrap();
    college.settle();
    let mut reviewer = reviewer(&college, "s1");
    let submission = college.hand_in("s1", "ZQXFILE Ann One.html", marked().as_bytes());
    college.settle();
    let address = format!("/submissions/{submission}");
    let mut student = college.person("s1");
    assert_eq!(
        student.form(&format!("{address}/appeals"), &[("passage", "0"), ("reason", "ZQXREASON is mine")]).status,
        303
    );
    let mut supervisor = college.person("t1");
    let decision = [("passage", "0"), ("reason", "ZQXDECISION")];
    assert_eq!(supervisor.form(&format!("{address}/decisions"), &decision).status, 303);
    // What the administrator reads has the marks, else this proves nothing.
    let whole = administrator.get(&format!("{address}/report.json")).text() + &administrator.get(&address).text();
    for mark in ["ZQXTITLE", "ZQXAUTHOR", "ZQXTHANKS", "ZQXFILE", "Ann One", "ann.zqx@example.edu"] {
        assert!(whole.contains(mark), "{mark}");
    }
    let mut reader = reviewer.program(&["read"]);
    let round = &college.round;
    let paths = [
        "/".to_owned(),
        "/account".to_owned(),
        format!("/rounds/{round}"),
        format!("/api/v1/rounds/{round}/submissions"),
        "/api/v1/rounds".to_owned(),
        address.clone(),
        format!("{address}/report"),
        format!("{address}/report.json"),
        format!("{address}/report.pdf"),
        format!("{address}/sheet.pdf"),
        format!("/api/v1{address}"),
        format!("/api/v1{address}/report"),
        format!("/api/v1{address}/report.html"),
        format!("/api/v1{address}/report.pdf"),
    ];
    let told = |reply: crate::serve::server::Reply| {
        assert_eq!(reply.status, 200);
        if !reply.body.starts_with(b"%PDF") {
            return format!("{:?} {}", reply.headers, reply.text());
        }
        let file = bench.write("told.pdf", &reply.body);
        let inputs = copytrace::formats::input::Inputs::open(&[file], Default::default()).next().unwrap().unwrap();
        format!("{:?} {}", reply.headers, inputs.extract(&Default::default()).unwrap().text)
    };
    let names = |text: &str, path: &str| {
        let plain = text.to_lowercase();
        for word in ["zqx", "ann one", "one, ann", "dr. lin", "\"s1\"", "(s1)", ">s1<"] {
            let at = plain.find(word).map(|at| {
                plain.chars().skip(plain[..at].chars().count().saturating_sub(80)).take(200).collect::<String>()
            });
            assert!(at.is_none(), "{path} tells {word}: {at:?}");
        }
    };
    for after_verdict in [false, true] {
        for path in &paths {
            let reply = if path.starts_with("/api/") { reader.get(path) } else { reviewer.get(path) };
            let text = told(reply);
            assert!(
                path.len() < 30
                    || text.contains(&submission[..8])
                    || path.ends_with("report")
                    || path.contains("report."),
                "{path}"
            );
            names(&text, path);
        }
        // The text itself is there to be read.
        assert!(reviewer.get(&format!("{address}/report")).text().contains("estuary"));
        for path in [
            format!("{address}/file"),
            format!("/rounds/{round}/students"),
            format!("/rounds/{round}/sheet.xlsx"),
            "/people".to_owned(),
            "/audit".to_owned(),
        ] {
            let refused = reviewer.get(&path);
            assert!(matches!(refused.status, 403 | 404), "{path}: {}", refused.status);
            names(&refused.text(), &path);
        }
        assert_eq!(reader.clone().post_json(&format!("/api/v1{address}/viewer"), &json!({})).status, 403);
        if !after_verdict {
            assert_eq!(say(&mut reviewer, &submission, "pass"), 303);
        }
    }
}

#[test]
fn a_round_may_show_names_to_reviewers_or_theirs_to_authors() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "blind": "none" }));
    let mut reviewer = reviewer(&college, "s1");
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submission = college.hand_in("s1", "estuary.txt", &content);
    college.settle();
    let page = reviewer.get(&format!("/submissions/{submission}")).text();
    assert!(page.contains("Ann One"), "{page}");
    assert_eq!(reviewer.get(&format!("/submissions/{submission}/file")).status, 200);
    assert_eq!(say(&mut reviewer, &submission, "pass"), 303);
    assert!(college.person("s1").get(&format!("/submissions/{submission}")).text().contains("Rev Zero"));
    let mut program = college.administrator.clone().program(&["manage"]);
    let wrong = json!({ "unit": 1, "title": "T", "opens": 0, "closes": 9, "quota": 1, "limit_ratio": 0.2, "student_sees": "never",
        "collections": [college.open], "blind": "sometimes" });
    assert_eq!(program.post_json("/api/v1/rounds", &wrong).status, 422);
}
