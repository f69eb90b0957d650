//! What an office does in a term: units and people from a workbook, a round that is changed, archives over the interface,
//! results on paper, finals into the collection, old submissions gone.

use crate::program::{Bench, copytrace, project, wait_for};
use crate::serve::server::{College, Server, archive};
use copytrace::formats::input::{Inputs, ReadLimits};
use serde_json::json;
use std::path::Path;

fn workbook(rows: &[&[&str]]) -> Vec<u8> {
    let mut cells = String::new();
    for (n, row) in (1..).zip(rows) {
        let of = |(column, value): (char, &&str)| {
            format!("<c r=\"{column}{n}\" t=\"inlineStr\"><is><t>{value}</t></is></c>")
        };
        cells.push_str(&format!("<row r=\"{n}\">{}</row>", ('A'..).zip(*row).map(of).collect::<String>()));
    }
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    let of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns=\"{relations}\"><Relationship Id=\"r1\" Type=\"{of}/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"xml\" ContentType=\"application/xml\"/></Types>";
    let book = format!(
        "<workbook xmlns=\"{main}\" xmlns:r=\"{of}\"><sheets><sheet name=\"a\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
    );
    let sheet = format!("<worksheet xmlns=\"{main}\"><sheetData>{cells}</sheetData></worksheet>");
    archive(&[
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", related("officeDocument", "xl/workbook.xml").as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", related("worksheet", "worksheets/sheet1.xml").as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

/// The text of a PDF, without blanks.
pub fn printed(bench: &Bench, name: &str, bytes: &[u8]) -> String {
    let path = bench.write(name, bytes);
    let limits = ReadLimits::default();
    let mut inputs = Inputs::open(&[path], limits.clone());
    let document = inputs.next().unwrap().unwrap().extract(&limits).unwrap();
    document.text.replace(char::is_whitespace, "")
}

fn corpus(path: &str) -> Vec<u8> {
    std::fs::read(project(format!("corpora/demo/{path}"))).unwrap()
}

#[test]
fn a_term_goes_from_a_workbook_of_students_to_results_on_paper_and_finals_in_the_collection() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "quota": 1, "interval_s": 7200 }));
    let mut administrator = college.administrator.clone();
    let round = format!("/rounds/{}", college.round);

    let list = workbook(&[
        &["学号", "姓名", "导师工号", "学院"],
        &["2022010101", "张三", "t1", "cs"],
        &["2022010102", "李四", "t1", "cs"],
    ]);
    assert_eq!(administrator.upload(&format!("{round}/students"), &[], "名单.xlsx", &list).status, 303);
    let students = administrator.get(&format!("{round}/students")).text();
    assert!(
        students.contains("2022010101") && students.contains("张三") && students.contains("without a final version: 5"),
        "{students}"
    );
    assert_eq!(administrator.upload(&format!("{round}/students"), &[], "list.xls", b"\xd0\xcf\x11\xe0").status, 422);
    assert_eq!(administrator.upload(&format!("{round}/students"), &[], "list.xlsx", b"PK no workbook").status, 422);
    assert!(college.person("t1").get(&format!("{round}/students")).text().contains("李四"));
    assert_eq!(college.person("s1").get(&format!("{round}/students")).status, 403);

    // An archive over the interface: shown first, then started.
    let mut program = administrator.program(&["submit", "read", "manage"]);
    let text = corpus("submissions/en-01-estuary-crossing.txt");
    let other = corpus("submissions/en-04-farm-college.txt");
    let members: [(&str, &[u8]); 3] =
        [("2022010101_张三_潮汐.txt", &text), ("李四-2022010102.txt", &other), ("unknown.txt", &other)];
    let taken = program.upload(&format!("/api/v1{round}/batches"), &[("kind", "final")], "t.zip", &archive(&members));
    assert_eq!(taken.status, 201, "{}", taken.text());
    let told = taken.json();
    let numbers: Vec<&str> =
        told["files"].as_array().unwrap().iter().filter_map(|file| file["number"].as_str()).collect();
    assert_eq!(numbers, ["2022010101", "2022010102"], "{told}");
    let batch = format!("/api/v1/batches/{}", told["id"].as_str().unwrap());
    assert_eq!(program.get(&batch).json(), told);
    let started = program.request("POST", &batch, &[], b"");
    assert_eq!(started.status, 202, "{}", started.text());
    let ids: Vec<String> =
        started.json()["submissions"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    assert_eq!((ids.len(), program.request("POST", &batch, &[], b"").status), (2, 404));
    college.settle();

    // On paper.
    let sheet = administrator.get(&format!("{round}/sheet.pdf"));
    assert_eq!((sheet.status, sheet.headers["content-type"].as_str()), (200, "application/pdf"));
    let sheet = printed(&bench, "sheet.pdf", &sheet.body);
    for expected in ["Term", "2022010101张三", "Dr.Lin", "37.2%", "李四"] {
        assert!(sheet.contains(expected), "{expected}: {sheet}");
    }
    assert!(administrator.get(&format!("{round}/sheet.xlsx")).body.starts_with(b"PK"));
    for path in ["/submissions/", "/api/v1/submissions/"] {
        let mut reader = if path.starts_with("/api") { program.clone() } else { administrator.clone() };
        let report = reader.get(&format!("{path}{}/report.pdf", ids[0]));
        assert_eq!(report.status, 200);
        let report = printed(&bench, "report.pdf", &report.body);
        for expected in ["37.2%", "2022010101张三", "Similarityreport", "en-ref-05-sluice-gate.txt"] {
            assert!(report.to_lowercase().contains(&expected.to_lowercase()), "{expected}: {report}");
        }
    }

    // What has passed is deposited, all at once and once.
    let fields = [("collection", college.open.to_string())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let deposit = json!({ "collection": college.open });
    let mut deposited = || program.post_json(&format!("/api/v1{round}/deposit"), &deposit).json()["deposited"].clone();
    assert_eq!(deposited(), 0, "nothing has passed");
    assert_eq!(administrator.form(&format!("/submissions/{}/verdict", ids[0]), &[("verdict", "pass")]).status, 303);
    assert_eq!(administrator.form(&format!("/submissions/{}/verdict", ids[1]), &[("verdict", "revise")]).status, 303);
    assert_eq!((deposited(), deposited()), (json!(1), json!(0)));
    let state = administrator.get(&format!("/api/v1/submissions/{}", ids[0])).json()["status"]["state"].clone();
    assert_eq!(state, "done", "what is being deposited is no check that waits");
    assert_eq!(administrator.form(&format!("{round}/deposit"), &fields).status, 303);
    college.settle();

    // The collection is thinned: several documents at once.
    let place = format!("/collections/{}", college.open);
    let count = |page: &str| page.split("Documents: ").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert_eq!(count(&administrator.get(&place).text()), "3");
    let ticked = [("document", "en-ref-01-tidal-marsh.txt"), ("document", "en-ref-06-ferry-timetables.txt")];
    assert_eq!(administrator.form(&format!("{place}/remove"), &ticked).status, 303);
    assert_eq!(administrator.form(&format!("{place}/remove"), &[]).status, 422);
    college.settle();
    assert_eq!(count(&administrator.get(&place).text()), "1");
    assert_eq!(count(&administrator.get(&format!("{place}?q=submission-")).text()), "1");

    // A check more for one student, and the interval told.
    let mut student = college.person("s1");
    let path = format!("{round}/submissions");
    let hand_in = |student: &mut crate::serve::server::Person<'_>, n: u8| {
        student.upload(&path, &[("kind", "draft")], "d.txt", &[&text[..], &[b'0' + n]].concat())
    };
    assert_eq!(hand_in(&mut student, 1).status, 303);
    college.settle();
    let refused = hand_in(&mut student, 2);
    assert!(refused.status == 409 && refused.text().contains("No checks are left"), "{}", refused.text());
    let students = administrator.get(&format!("{round}/students")).text();
    let row = students.split("<tr>").find(|row| row.contains("<td>s1</td>")).unwrap();
    let allow = row.split("action=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(administrator.form(&allow, &[("extra_checks", "1")]).status, 303);
    assert_eq!(administrator.form(&format!("{allow}/remove"), &[]).status, 409, "who has handed in stays");
    assert!(hand_in(&mut student, 2).text().contains("interval"));
    assert!(student.get(&round).text().contains("Next check from"));

    // The round is changed: no interval, and another end.
    let edit = administrator.get(&format!("{round}/edit")).text();
    assert!(edit.contains("value=\"Term\"") && edit.contains("value=\"20\""), "{edit}");
    let (open, closed) = (college.open.to_string(), college.closed.to_string());
    let change = |administrator: &mut crate::serve::server::Person<'_>, closes: &str| {
        let fields = [
            ("title", "Spring term"),
            ("opens", "2020-01-01T00:00"),
            ("closes", closes),
            ("quota", "1"),
            ("interval_hours", "0"),
            ("self_checks", "0"),
            ("limit", "12.5"),
            ("student_sees", "ratio"),
            ("previous", ""),
            ("keep_days", ""),
            ("collections", open.as_str()),
            ("collections", closed.as_str()),
        ];
        administrator.form(&format!("{round}/edit"), &fields).status
    };
    assert_eq!(change(&mut administrator, "2019-01-01T00:00"), 422, "it would close before it opens");
    assert_eq!(change(&mut administrator, "2090-01-01T00:00"), 303);
    assert_eq!(hand_in(&mut student, 2).status, 303);
    college.settle();
    assert!(administrator.get(&round).text().contains("12.5%"));
    assert_eq!(change(&mut administrator, "2020-02-01T00:00"), 303);
    assert!(hand_in(&mut student, 3).text().contains("not open"));
}

#[test]
fn people_are_found_shut_out_and_let_in_again_and_units_are_arranged() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let found = administrator.get("/people?q=ben").text();
    assert!(found.contains("Ben Two") && !found.contains("Ann One"));
    assert!(administrator.get("/people?q=nobody-has-this").text().contains("Nobody has this number or name"));

    let (mut supervisor, mut program) = {
        let mut supervisor = college.person("t1");
        let program = supervisor.program(&["read"]);
        (supervisor, program)
    };
    assert_eq!((supervisor.get("/").status, program.get("/api/v1/rounds").status), (200, 200));
    let page = administrator.get("/people?q=t1").text();
    let access = page.split("action=\"").find(|part| part.contains("/access\"")).unwrap().split('"').next().unwrap();
    assert_eq!(administrator.form(access, &[("access", "no")]).status, 303);
    assert_eq!((supervisor.get("/").place(), program.get("/api/v1/rounds").status), ("/login", 401));
    assert_eq!(
        server.nobody().form("/login", &[("number", "t1"), ("password", crate::serve::server::PASSWORD)]).status,
        401
    );
    assert_eq!(administrator.form(access, &[("access", "yes")]).status, 303);
    drop(server.sign_in("t1", crate::serve::server::PASSWORD));

    // Somebody else's browser is signed out from one's own account page.
    let (mut here, mut there) =
        (server.sign_in("t1", crate::serve::server::PASSWORD), server.sign_in("t1", crate::serve::server::PASSWORD));
    let account = here.get("/account").text();
    let others: Vec<&str> =
        account.split("action=\"/account/sessions/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(others.len(), 2, "{account}");
    let own = college.person("s3").form(&format!("/account/sessions/{}", others[0]), &[]);
    assert_eq!(own.status, 404, "nobody ends another's");
    for other in &others {
        assert_eq!(here.form(&format!("/account/sessions/{other}"), &[]).status, 303);
    }
    assert_eq!((here.get("/").status, there.get("/").place()), (200, "/login"));

    // A role that is taken away is gone at once.
    let mut supervisor = server.sign_in("t1", crate::serve::server::PASSWORD);
    assert!(supervisor.get("/").text().contains("Term"));
    let role = access.replace("/access", "/role");
    let unit = page.split("name=\"unit\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(administrator.form(&role, &[("unit", unit), ("role", "supervisor")]).status, 303);
    assert_eq!(administrator.form(&role, &[("unit", unit), ("role", "supervisor")]).status, 404);
    assert!(!supervisor.get("/").text().contains("Term"));

    // A department below a college: who administers the college administers it too.
    assert_eq!(administrator.form("/units", &[("name", "Engineering"), ("code", "eng"), ("parent", "1")]).status, 303);
    assert_eq!(administrator.form("/units", &[("name", "Again"), ("code", "eng"), ("parent", "1")]).status, 409);
    let list = "number,name,role,unit\ndean,Dr. Dean,administrator,eng\n";
    assert_eq!(administrator.upload("/people", &[], "people.csv", list.as_bytes()).status, 303);
    let mut dean = college.person("dean");
    let new_round = |person: &mut crate::serve::server::Person<'_>, unit: &str| {
        college.new_round(person, "Of a department", unit).status
    };
    let (college_unit, department) = ("3", "2");
    assert_eq!((new_round(&mut dean, department), new_round(&mut dean, college_unit)), (403, 303));
    assert_eq!(
        administrator.form(&format!("/units/{department}"), &[("name", "Computing"), ("parent", college_unit)]).status,
        303
    );
    assert_eq!(new_round(&mut dean, department), 303);
    // People whom a dean enrols keep the name that the institution gave.
    let rounds = dean.get("/").text();
    let of_dean =
        rounds.split("href=\"/rounds/").find(|part| part.contains("Of a department")).unwrap()[..32].to_owned();
    let list = "number,name\nadmin,Renamed\nnew1,New One\n";
    assert_eq!(dean.upload(&format!("/rounds/{of_dean}/students"), &[], "l.csv", list.as_bytes()).status, 303);
    let students = dean.get(&format!("/rounds/{of_dean}/students?done=2")).text();
    assert!(
        !students.contains("Renamed") && students.contains("New One") && students.contains("2 people imported"),
        "{students}"
    );
    let list = "number,name,role\nnew2,New Two,administrator\n";
    assert_eq!(dean.upload(&format!("/rounds/{of_dean}/students"), &[], "l.csv", list.as_bytes()).status, 403);
    let around = [("name", "Engineering"), ("parent", department)];
    assert_eq!(administrator.form(&format!("/units/{college_unit}"), &around).status, 422, "a circle");
    assert_eq!(dean.get("/units").status, 403, "units are the whole institution's");
}

#[test]
fn what_a_round_keeps_no_longer_is_gone_when_its_days_are_over() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "closes": 1_000_000, "keep_days": 1 }));
    let text = corpus("submissions/en-01-estuary-crossing.txt");
    let (kept, deposited) = (college.hand_in("s1", "a.txt", &text), college.hand_in("s2", "b.txt", &text));
    college.settle();
    let mut administrator = college.administrator.clone();
    assert_eq!(administrator.form(&format!("/submissions/{deposited}/verdict"), &[("verdict", "pass")]).status, 303);
    let collection = college.open.to_string();
    assert_eq!(
        administrator.form(&format!("/submissions/{deposited}/deposit"), &[("collection", &collection)]).status,
        303
    );
    college.settle();
    let data = server.data.clone();
    server.stop();
    // The last look was ten years ago: the clock jumped, so nothing is erased for a day.
    let change = |sql: &str| rusqlite::Connection::open(data.join("service.db")).unwrap().execute_batch(sql).unwrap();
    change("UPDATE setting SET value = value - 315360000 WHERE name = 'retention_look'");
    let server = Server::start(&data, &[]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(
        server.sign_in("admin", crate::serve::server::PASSWORD).get(&format!("/submissions/{kept}")).status,
        200
    );
    server.stop();
    change("UPDATE setting SET value = 1 WHERE name = 'retention_wait'");
    let server = Server::start(&data, &[]);
    let mut administrator = server.sign_in("admin", crate::serve::server::PASSWORD);
    wait_for("the submission is erased", || {
        (administrator.get(&format!("/submissions/{kept}")).status == 404).then_some(())
    });
    assert!(!data.join(format!("files/{kept}.txt")).exists());
    assert_eq!(administrator.get(&format!("/submissions/{deposited}")).status, 200, "what was deposited stays");
    assert!(administrator.get("/audit").text().contains("erase_submission"));
}

#[test]
fn a_clock_that_was_ahead_keeps_nobody_waiting_and_loses_nothing() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "interval_s": 7200, "quota": 9, "among": true }));
    let text = corpus("submissions/en-01-estuary-crossing.txt");
    drop(college.person("s1"));
    let before = college.hand_in("s1", "a.txt", &text);
    college.settle();
    let (data, round) = (server.data.clone(), college.round.clone());
    drop(college);
    server.stop();
    // As if all had happened in ten years, and one check had not begun.
    let database = rusqlite::Connection::open(data.join("service.db")).unwrap();
    database
        .execute_batch(
            "UPDATE job SET made = made + 315360000, started = started + 315360000, ended = ended + 315360000; \
             UPDATE submission SET received = received + 315360000; UPDATE person SET made = made + 315360000; \
             UPDATE setting SET value = value + 315360000 WHERE name = 'retention_look'; \
             DELETE FROM meeting; DELETE FROM report; UPDATE job SET state = 'queued' WHERE kind = 'check'",
        )
        .unwrap();
    drop(database);
    let server = Server::start(&data, &[]);
    let mut student = server.sign_in("s1", crate::serve::server::PASSWORD);
    assert_eq!(student.wait_for(&before)["status"]["state"], "done");
    let path = format!("/rounds/{round}/submissions");
    let reply = student.upload(&path, &[("kind", "draft")], "b.txt", &[&text[..], b"again"].concat());
    assert_eq!(reply.status, 303, "{}", reply.text());
    let id = reply.place().rsplit('/').next().unwrap().to_owned();
    assert_eq!(student.wait_for(&id)["status"]["state"], "done");
    let again = student.upload(&path, &[("kind", "draft")], "c.txt", &text);
    assert!(again.status == 409 && again.text().contains("interval"), "{}", again.text());
}

#[test]
fn a_full_disk_takes_nothing_new_and_shows_what_is_there() {
    let bench = Bench::new();
    let data = bench.path("data");
    let server = Server::start(&data, &[]);
    let college = College::found(&server, json!({}));
    let text = corpus("submissions/en-01-estuary-crossing.txt");
    let id = college.hand_in("s1", "a.txt", &text);
    college.settle();
    let (round, open) = (college.round.clone(), college.open);
    drop(college);
    server.stop();
    // More must stay free than any disk has.
    let server = Server::start(&data, &["--reserve", "900000TB"]);
    let mut administrator = server.sign_in("admin", crate::serve::server::PASSWORD);
    let fields = [("student", "s2"), ("kind", "final")];
    let refused = administrator.upload(&format!("/rounds/{round}/submissions"), &fields, "b.txt", &text);
    assert!(refused.status == 507 && refused.text().contains("nearly full"), "{}", refused.text());
    let mut program = administrator.program(&["submit", "read"]);
    let refused = program.upload(&format!("/api/v1/rounds/{round}/submissions"), &fields, "b.txt", &text);
    assert_eq!((refused.status, refused.json()["type"].as_str()), (507, Some("urn:copytrace:no_space")));
    assert_eq!(administrator.upload(&format!("/collections/{open}/upload"), &[], "c.txt", &text).status, 507);
    assert_eq!(administrator.get("/health/ready").status, 507);
    assert_eq!(administrator.get("/health/live").status, 200);
    assert_eq!(administrator.get(&format!("/submissions/{id}/report")).status, 200);
    assert!(Path::new(&data).join("incoming").read_dir().unwrap().next().is_none());
    server.stop();
    copytrace().args(["serve", "verify-audit"]).arg(&data).assert().success();
}

#[test]
fn a_students_page_tells_what_is_left_what_is_taken_and_what_was_found_and_decided() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "quota": 2, "self_checks": 3, "student_sees": "ratio" }));
    let round = format!("/rounds/{}", college.round);
    let mut student = college.person("s1");
    let page = student.get(&round).text();
    for told in
        ["Checks left: <b>2</b>", "Practice checks left: <b>3</b>", "shown to you alone", "DOCX, PDF", "at most 100 MB"]
    {
        assert!(page.contains(told), "{told}: {page}");
    }
    let text = corpus("submissions/en-01-estuary-crossing.txt");
    for kind in ["self", "final"] {
        let content = [&text[..], kind.as_bytes()].concat();
        assert_eq!(student.upload(&format!("{round}/submissions"), &[("kind", kind)], "a.txt", &content).status, 303);
        college.settle();
    }
    let page = student.get(&round).text();
    assert!(page.contains("Checks left: <b>1</b>") && page.contains("Practice checks left: <b>2</b>"), "{page}");
    let row = |page: &str| page.split("<tr>").find(|row| row.contains("final version 1")).unwrap().to_owned();
    let own = row(&page);
    assert!(own.contains("37.1%") && own.contains("none yet"), "{own}");
    let id = own.split("/submissions/").nth(1).unwrap()[..32].to_owned();
    let verdict = [("verdict", "revise"), ("comment", "Cite the marsh.")];
    assert_eq!(college.person("t1").form(&format!("/submissions/{id}/verdict"), &verdict).status, 303);
    assert!(row(&student.get(&round).text()).contains("revise"));
    let own = student.get(&format!("/submissions/{id}")).text();
    assert!(own.contains("37.1%") && own.contains("Cite the marsh."), "{own}");
    assert_eq!(student.get(&format!("/submissions/{id}/report")).status, 403, "the round shows the ratio alone");
    // In Chinese, too.
    assert_eq!(student.form("/language", &[("language", "zh")]).status, 303);
    let page = student.get(&round).text();
    for told in ["剩余次数：<b>1</b>", "剩余自检次数：<b>2</b>", "自检结果仅您本人可见", "修改"]
    {
        assert!(page.contains(told), "{told}: {page}");
    }
}
