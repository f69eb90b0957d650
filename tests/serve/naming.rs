//! What a person may name: an administrator of one unit names nothing of another, in no field of no form.

use crate::program::{Bench, project};
use crate::serve::server::{College, Person, Server};
use copytrace_serve::server::routes::ROUTES;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// What must not change, and what must not be seen: everything of the other unit, and what joins the two.
fn of_others(data: &Path) -> String {
    let database = Connection::open(data.join("service.db")).unwrap();
    let all = |sql: &str| -> Vec<String> {
        database
            .prepare(sql)
            .unwrap()
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap()
            .map(Result::unwrap)
            .collect()
    };
    [
        "SELECT id || name || coalesce(parent, '') FROM unit ORDER BY id",
        "SELECT json_array(person, unit, role) FROM role WHERE unit IN (SELECT id FROM unit WHERE code = 'med') ORDER BY 1",
        "SELECT json_array(r.id, title, opens, closes, quota, anonymous, previous) FROM round r JOIN unit ON unit.id = r.unit WHERE code = 'med'",
        "SELECT json_array(round, student, supervisor, extra_checks) FROM enrolment WHERE round IN \
         (SELECT r.id FROM round r JOIN unit ON unit.id = r.unit WHERE code = 'med') ORDER BY 1",
        "SELECT json_array(s.id, s.state, kind, file) FROM submission s JOIN round r ON r.id = s.round JOIN unit ON unit.id = r.unit \
         WHERE code = 'med' ORDER BY 1",
        "SELECT json_array(s.id, verdict.person) FROM verdict JOIN submission s ON s.id = submission JOIN round r ON r.id = s.round \
         JOIN unit ON unit.id = r.unit WHERE code = 'med' ORDER BY 1",
        "SELECT json_array(number, name, state) FROM person WHERE number LIKE 'm%' ORDER BY 1",
        // Nothing of one unit leads to the other.
        "SELECT 'predecessor elsewhere ' || r.id FROM round r JOIN round p ON p.id = r.previous WHERE r.unit != p.unit",
        "SELECT 'enrolled elsewhere ' || number FROM enrolment JOIN person ON person.id IN (student, supervisor) JOIN round r ON r.id = round \
         JOIN unit ON unit.id = r.unit WHERE unit.code = 'eng' AND number LIKE 'm%'",
    ]
    .map(|sql| all(sql).join("\n"))
    .join("\n\n")
}

/// The forms of a page: where they lead, and their fields with what they say at first.
fn forms(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let attribute = |tag: &str, name: &str| {
        let found = tag.split(&format!(" {name}=\"")).nth(1)?;
        Some(found.split('"').next()?.replace("&amp;", "&"))
    };
    let of = |form: &str| {
        let inner = form.split("</form>").next().unwrap();
        let mut fields = Vec::new();
        for tag in inner.split('<').filter(|tag| ["input ", "select ", "button "].iter().any(|of| tag.starts_with(of)))
        {
            let Some(name) = attribute(tag, "name") else { continue };
            fields.push((name, attribute(tag, "value").unwrap_or("1".to_owned())));
        }
        (attribute(form, "action"), fields)
    };
    page.split("<form").skip(1).map(of).filter_map(|(action, fields)| Some((action?, fields))).collect()
}

struct Units<'a> {
    dean: Person<'a>,
    own: String,
    foreign: String,
    own_submission: String,
    foreign_submission: String,
}

/// Two units, a dean of the one, and a round with a submission in each.
fn found<'a>(college: &College<'a>) -> Units<'a> {
    let mut administrator = college.administrator.clone();
    for code in ["eng", "med"] {
        let fields = [("name", code), ("code", code), ("parent", "1")];
        assert_eq!(administrator.form("/units", &fields).status, 303);
    }
    let list = "number,name,role,unit,supervisor\ndean,Dr. Dean,administrator,eng,\ne1,Eng One,student,eng,\nmt,Med Tutor,supervisor,med,\n\
                m1,Med One,student,med,mt\n";
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let mut program = administrator.program(&["manage"]);
    let text = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    // Units are numbered as they are made: the whole, that of the college's people, these two.
    let mut found = |unit: i64, code: &str, student: &str| {
        let round = json!({
            "unit": unit, "title": format!("Of {code}"), "opens": 0, "closes": 4_000_000_000u32, "quota": 9, "limit_ratio": 0.2,
            "student_sees": "at_once", "among": true, "anonymous": true, "collections": [college.open],
        });
        let made = program.post_json("/api/v1/rounds", &round).json()["id"].as_str().unwrap().to_owned();
        let list = list.lines().filter(|line| !line.contains(",student,") || line.starts_with(student));
        let list: String = list.filter(|line| !line.contains("dean")).map(|line| format!("{line}\n")).collect();
        let enrolled = administrator.upload(&format!("/rounds/{made}/students"), &[], "l.csv", list.as_bytes());
        assert_eq!(enrolled.status, 303, "{}", enrolled.text());
        let fields = [("student", student), ("kind", "final")];
        let reply = administrator.upload(&format!("/rounds/{made}/submissions"), &fields, "t.txt", &text);
        (made, reply.place().rsplit('/').next().unwrap().to_owned())
    };
    let (own, own_submission) = found(3, "eng", "e1");
    let (foreign, foreign_submission) = found(4, "med", "m1");
    college.settle();
    Units { dean: college.person("dean"), own, foreign, own_submission, foreign_submission }
}

#[test]
fn no_field_of_any_form_names_what_belongs_to_another_unit() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let Units { mut dean, own, foreign, own_submission, foreign_submission } = found(&college);
    let person = rusqlite::Connection::open(server.data.join("service.db")).unwrap();
    let id = |number: &str| -> String {
        person.query_row("SELECT id FROM person WHERE number = ?1", [number], |row| row.get(0)).unwrap()
    };
    let (unit, whole) = ("4".to_owned(), "1".to_owned());
    let others = [foreign.clone(), foreign_submission.clone(), unit, whole, id("m1"), "m1".to_owned(), "mt".to_owned()];
    let before = of_others(&server.data);

    // Each field of each form that the pages show, and what it says replaced by each object of the other unit.
    let pages = [
        "/".to_owned(),
        "/account".to_owned(),
        "/rounds/new".to_owned(),
        format!("/rounds/{own}"),
        format!("/rounds/{own}/edit"),
        format!("/rounds/{own}/students"),
        format!("/submissions/{own_submission}"),
    ];
    let mut tried = BTreeSet::new();
    for page in pages {
        let shown = dean.get(&page);
        assert_eq!(shown.status, 200, "{page}");
        for (action, fields) in forms(&shown.text()) {
            let ends = ["/logout", "/account/password", "/erase", "/language"];
            if ends.iter().any(|end| action.ends_with(end)) {
                continue;
            }
            for (at, (name, _)) in fields.iter().enumerate() {
                for other in &others {
                    let mut filled = fields.clone();
                    filled[at].1.clone_from(other);
                    // What is empty at first must be filled for the rest of the form to count.
                    let filled: Vec<(&str, &str)> = filled
                        .iter()
                        .map(|(name, value)| match name.as_str() {
                            "title" => (name.as_str(), "Of eng"),
                            "opens" => ("opens", "2020-01-01T00:00"),
                            "closes" => ("closes", "2090-01-01T00:00"),
                            "previous" | "keep_days" if value == "1" => (name.as_str(), ""),
                            name => (name, value.as_str()),
                        })
                        .collect();
                    let reply = match fields.iter().any(|(name, _)| name == "file") {
                        true => dean.upload(&action, &filled, "t.txt", b"A text that says little."),
                        false => dean.form(&action, &filled),
                    };
                    assert!(reply.status < 500, "{action} {name}: {}", reply.text());
                    tried.insert((action.clone(), name.clone()));
                }
            }
        }
    }
    assert!(tried.len() > 25, "{tried:?}");

    // Each field of the interface, in the same way.
    let description = dean.get("/api/v1/openapi.json").json();
    let mut program = dean.program(&["manage", "submit", "read"]);
    let round = json!({
        "unit": 3, "title": "Of eng", "opens": 0, "closes": 4_000_000_000u32, "quota": 1, "limit_ratio": 0.2, "student_sees": "never",
        "among": true, "collections": [college.open],
    });
    for (path, operations) in description["paths"].as_object().unwrap() {
        let Some(body) = operations["post"]["requestBody"]["content"].as_object() else { continue };
        let schema = body.values().next().unwrap()["schema"]["$ref"].as_str().unwrap_or_default().rsplit('/').next();
        let properties = description["components"]["schemas"][schema.unwrap()]["properties"].as_object().cloned();
        let path = match path.contains("/rounds") {
            true => path.replace("{id}", &own),
            false => path.replace("{id}", &own_submission),
        };
        for field in properties.unwrap_or_default().keys() {
            for other in &others {
                let number = other.parse::<i64>().map_or(json!(other), |number| json!(number));
                let value = if field == "collections" { json!([number]) } else { number };
                let mut filled = if path.ends_with("/rounds") { round.clone() } else { json!({}) };
                filled[field] = value;
                let reply = program.post_json(&path, &filled);
                assert!(reply.status < 500, "{path} {field}: {}", reply.text());
                tried.insert((path.clone(), field.clone()));
            }
        }
    }
    // Lists of people: another unit's, a new one, another unit's people.
    for list in [
        "number,name,unit\nx1,New One,med\n",
        "number,name,unit\nx1,New One,arts\n",
        "number,name\nm1,Med One\n",
        "number,name,role,unit,supervisor\ne1,Eng One,student,eng,mt\n",
    ] {
        let reply = dean.upload(&format!("/rounds/{own}/students"), &[], "l.csv", list.as_bytes());
        assert!((400..500).contains(&reply.status), "{list}: {}", reply.status);
    }
    assert_eq!(of_others(&server.data), before);

    // Every address with every object of the other unit.
    let named = |path: &str| path.contains('{') && !path.contains("{secret}") && !path.starts_with("/account");
    for route in ROUTES.iter().filter(|route| named(route.path)) {
        for other in &others {
            let path = route.path.replace("{id}", other).replace("{student}", &id("m1"));
            let path = path.replace("{template}", "1").replace("{decision}", "1").replace("{token}", "1");
            let reply = match route.method.as_str() {
                "GET" => dean.get(&path),
                "DELETE" => program.request("DELETE", &path, &[], b""),
                _ if path.starts_with("/api") => program.post_json(&path, &Value::Null),
                _ => dean.form(&path, &[("kind", "final"), ("collection", "1"), ("verdict", "pass")]),
            };
            assert!((400..500).contains(&reply.status), "{} {path}: {}", route.method, reply.status);
        }
    }
    assert_eq!(of_others(&server.data), before);
}
