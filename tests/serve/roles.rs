//! Who may ask for what: every route with every role, as the table in docs/SERVICE.md says.

use crate::program::{Bench, project};
use crate::serve::privacy::shown;
use crate::serve::reviewers::reviewer;
use crate::serve::server::{College, Person, Server};
use serde_json::json;

/// The rows of the table: method, path, and what it says of administrator, supervisor, student, auditor, reviewer, signed out.
fn table() -> Vec<(String, String, Vec<bool>)> {
    let document = std::fs::read_to_string(project("docs/SERVICE.md")).unwrap();
    let rows = document
        .lines()
        .filter(|line| line.starts_with("| `GET ") || line.starts_with("| `POST ") || line.starts_with("| `DELETE "));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (method, path) = cells[1].trim_matches('`').split_once(' ').unwrap();
        (method.to_owned(), path.to_owned(), cells[3..9].iter().map(|cell| *cell == "yes").collect())
    })
    .collect()
}

#[test]
fn every_route_lets_in_the_roles_of_the_table_and_no_other() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submission = college.hand_in("s1", "estuary.txt", &content);
    college.settle();
    let people: [(&str, Person<'_>); 6] = [
        ("administrator", college.administrator.clone()),
        ("supervisor", college.person("t1")),
        ("student", college.person("s1")),
        ("auditor", college.person("r1")),
        ("reviewer", reviewer(&college, "s1")),
        ("signed out", server.nobody()),
    ];
    let rows = table();
    assert!(rows.len() > 60, "{}", rows.len());
    for (method, path, expected) in rows {
        let path = match path.as_str() {
            path if path.contains("/rounds/") => path.replace("{id}", &college.round),
            path if path.contains("/submissions/") => path.replace("{id}", &submission).replace("{decision}", "99"),
            // Objects that are not there: whoever may ask learns that, all others do not get so far.
            path => path.replace("{id}", "99").replace("{secret}", "none"),
        };
        // These end the session or change what the others need.
        if path == "/logout" || method == "DELETE" || path.ends_with("/erase") || path.ends_with("/events") {
            continue;
        }
        for ((role, person), may) in people.iter().zip(&expected) {
            let mut person = person.clone();
            let reply = match method.as_str() {
                "GET" => person.get(&path),
                _ => person.form(&path, &[]),
            };
            let to_login = reply.status == 303 && reply.place().starts_with("/login");
            // A handler may still refuse an object that is not this person's to change.
            let signed_out = reply.status == 401 && !reply.text().contains("password is wrong");
            let refused = to_login || signed_out || (reply.status == 403 && !*may);
            let let_in = !refused && reply.status != 403 || *may && !to_login && !signed_out;
            assert_eq!(let_in, *may, "{role}: {method} {path} gave {} {}", reply.status, reply.text());
            assert!(reply.status < 500, "{role}: {method} {path} gave {}", reply.status);
        }
    }
}

#[test]
fn the_description_names_the_roles_and_scopes_of_the_table_and_tokens_keep_to_them() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let description = administrator.get("/api/v1/openapi.json").json();
    let programs = ["read", "submit", "manage"].map(|scope| (scope, administrator.program(&[scope])));
    let mut asked = 0;
    for (method, path, expected) in table().into_iter().filter(|(_, path, _)| path.starts_with("/api/v1/")) {
        let operation = &description["paths"][&path][method.to_ascii_lowercase()];
        let roles = ["administrator", "supervisor", "student", "auditor", "reviewer"].into_iter().zip(&expected);
        let roles: Vec<&str> = roles.filter(|(_, may)| **may).map(|(role, _)| role).collect();
        assert_eq!(operation["x-roles"], json!(roles), "{method} {path}");
        let Some(needed) = operation["x-scope"].as_str().filter(|_| expected[0]) else { continue };
        for (scope, program) in &programs {
            let path = path.replace("{id}", "99");
            let reply = program.clone().request(&method, &path, &[("content-type", "application/json")], b"{}");
            let refused = reply.status == 403 && reply.text().contains("not_in_scope");
            assert_eq!(refused, *scope != needed, "{scope}: {method} {path} gave {} {}", reply.status, reply.text());
            asked += 1;
        }
    }
    assert!(asked > 50, "{asked}");
}

#[test]
fn the_table_of_the_document_is_that_of_the_code() {
    let document = std::fs::read_to_string(project("docs/SERVICE.md")).unwrap();
    let table = copytrace_serve::server::routes::table();
    assert!(document.contains(&table), "docs/SERVICE.md needs this table:\n{table}");
}

#[test]
fn an_anonymous_report_says_nothing_of_its_author_to_the_supervisor_before_the_verdict() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "anonymous": true }));
    let text = std::fs::read_to_string(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let page = format!(
        "<html><head><title>A thesis by Ann One</title><meta name=\"author\" content=\"Ann One\"></head><body><p>{text}</p></body></html>"
    );
    let submission = college.hand_in("s1", "Ann One.html", page.as_bytes());
    college.settle();
    let (mut administrator, mut supervisor) = (college.administrator.clone(), college.person("t1"));
    let address = format!("/submissions/{submission}");
    let whole = administrator.get(&format!("{address}/report.json")).text();
    assert!(whole.contains("Ann One"), "else this proves nothing");
    let mut program = supervisor.program(&["read"]);
    let link = |program: &mut Person<'_>| {
        let made = program.post_json(&format!("/api/v1{address}/viewer"), &json!({})).json();
        made["path"].as_str().unwrap().to_owned()
    };
    let paths = |viewer: String| {
        ["", "/report", "/report.json", "/report.pdf"].map(|of| format!("{address}{of}")).into_iter().chain([viewer])
    };
    for path in paths(link(&mut program)) {
        let told = supervisor.get(&path);
        assert_eq!(told.status, 200, "{path}");
        assert!(!shown(&bench, &told).contains("Ann One"), "{path}");
    }
    assert_eq!(supervisor.form(&format!("{address}/verdict"), &[("verdict", "pass")]).status, 303);
    for path in paths(link(&mut program)) {
        assert!(shown(&bench, &supervisor.get(&path)).contains("Ann One"), "{path}");
    }
}

#[test]
fn people_of_other_units_and_rounds_see_nothing_of_it() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "anonymous": true, "student_sees": "after_verdict" }));
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submission = college.hand_in("s1", "s1_Ann_estuary.txt", &content);
    college.settle();
    let page = format!("/submissions/{submission}");
    for other in ["t2", "s2", "s3"] {
        let mut other = college.person(other);
        for path in [
            page.clone(),
            format!("{page}/report"),
            format!("{page}/events"),
            format!("/api/v1{page}"),
            format!("/api/v1{page}/report"),
        ] {
            assert_eq!(other.get(&path).status, 404, "{path}");
        }
    }
    // Marked anonymously: the supervisor learns no name before the verdict, and the student sees no report.
    let (mut supervisor, mut student) = (college.person("t1"), college.person("s1"));
    for path in [
        page.clone(),
        "/".to_owned(),
        format!("/rounds/{}", college.round),
        format!("/api/v1{page}"),
        format!("/api/v1/rounds/{}/submissions", college.round),
    ] {
        let told = supervisor.get(&path);
        assert_eq!(told.status, 200);
        assert!(!told.text().contains("Ann") && !told.text().contains(">s1<"), "{path}");
    }
    assert_eq!(student.get(&format!("{page}/report")).status, 403);
    assert!(!student.get(&format!("/api/v1{page}")).text().contains("copy_ratio"));
    assert_eq!(
        supervisor.form(&format!("{page}/verdict"), &[("verdict", "revise"), ("comment", "cite the marsh")]).status,
        303
    );
    assert!(supervisor.get(&page).text().contains("Ann One"));
    assert_eq!(student.get(&format!("{page}/report")).status, 200);
    assert!(student.get(&page).text().contains("cite the marsh"));
    // Only what has passed is deposited, and only once.
    let mut administrator = college.administrator.clone();
    let deposit = [("collection", college.closed.to_string())];
    let deposit: Vec<(&str, &str)> = deposit.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(administrator.form(&format!("{page}/deposit"), &deposit).status, 409);
    assert_eq!(supervisor.form(&format!("{page}/verdict"), &[("verdict", "pass")]).status, 409, "the first stands");
    assert_eq!(administrator.form(&format!("{page}/verdict"), &[("verdict", "pass")]).status, 303);
    assert_eq!(administrator.form(&format!("{page}/deposit"), &deposit).status, 303);
    assert_eq!(administrator.form(&format!("{page}/deposit"), &deposit).status, 409);
    college.settle();
    assert!(
        administrator
            .get(&format!("/collections/{}", college.closed))
            .text()
            .contains(&format!("submission-{submission}"))
    );
}

#[test]
fn in_an_anonymous_round_a_verdict_stands_before_names_show_and_no_order_tells_who_handed_in() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "anonymous": true }));
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submission = college.hand_in("s1", "Ann.txt", &content);
    college.settle();
    let (mut administrator, mut supervisor) = (college.administrator.clone(), college.person("t1"));
    let students = format!("/rounds/{}/students", college.round);
    let first = |page: String| {
        let places = ["Ann One", "Ben Two"].map(|name| page.find(name).unwrap());
        if places[0] < places[1] { "Ann" } else { "Ben" }
    };
    assert_eq!(first(supervisor.get(&students).text()), "Ann", "by number: who handed in does not stand last");
    assert_eq!(first(administrator.get(&students).text()), "Ben", "who has handed in nothing stands first");
    let verdict = format!("/submissions/{submission}/verdict");
    assert_eq!(supervisor.form(&verdict, &[("verdict", "pass")]).status, 303);
    assert!(supervisor.get(&format!("/submissions/{submission}")).text().contains("Ann One"));
    let changed = supervisor.form(&verdict, &[("verdict", "fail")]);
    assert_eq!(changed.status, 409, "who knows the name gives no other verdict");
    assert!(!supervisor.get(&format!("/submissions/{submission}")).text().contains("/verdict\""));
    assert_eq!(administrator.form(&verdict, &[("verdict", "fail")]).status, 303);
}

#[test]
fn the_audit_log_tells_nobody_who_marks_without_names_who_handed_in() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "anonymous": true }));
    let mut administrator = college.administrator.clone();
    // A supervisor who audits the institution besides; another only audits.
    let list = "number,name,role\nt1,Dr. Lin,auditor\n";
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let (mut student, mut other) = (college.person("s1"), college.person("s3"));
    let path = format!("/rounds/{}/submissions", college.round);
    let place = student.upload(&path, &[("kind", "final")], "a.txt", &content).place().to_owned();
    assert_eq!(other.upload(&path, &[("kind", "final")], "b.txt", &[&content[..], b"."].concat()).status, 303);
    college.settle();
    let (mut marker, mut auditor) = (college.person("t1"), college.person("r1"));
    assert!(auditor.get("/audit?q=ann").text().contains("handed in a file"), "else this proves nothing");
    assert!(!marker.get("/audit?q=ann").text().contains("handed in a file"));
    for page in ["/audit", "/audit?q=ann", "/audit?q=s1"] {
        let told = marker.get(page);
        assert_eq!(told.status, 200);
        // What others did to her tells nothing of what she did.
        let hers = told.text().split("<tr>").filter(|row| row.contains("Ann One")).all(|row| row.contains(">admin"));
        assert!(hers, "{page}: {}", told.text());
    }
    assert!(marker.get("/audit").text().contains("Cy Three"), "a student of another");
    assert!(!marker.get(&place).text().contains("Ann One"), "nor does the submission to an auditor who marks it");
    assert_eq!(marker.form(&format!("{place}/verdict"), &[("verdict", "pass")]).status, 303);
    assert!(marker.get("/audit?q=ann").text().contains("handed in a file"));
    assert_eq!(college.person("t2").get("/audit").status, 403);
}
