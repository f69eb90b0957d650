//! `copytrace desk`: one person, driven as a browser drives it.

use super::server::{Person, Server, archive};
use crate::program::{Bench, project, wait_for};
use std::process::{Command, Stdio};

/// The text of a file of the demo.
fn demo(path: &str) -> Vec<u8> {
    std::fs::read(project(format!("corpora/demo/{path}"))).unwrap()
}

/// The person at the desk, by the address that the program would open.
fn person<'a>(server: &'a Server, path: &str) -> Person<'a> {
    let mut person = server.nobody();
    let entered = person.get(path);
    assert_eq!((entered.status, entered.place()), (303, "/"));
    let cookie = &entered.headers["set-cookie"];
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("Max-Age"),
        "{cookie}"
    );
    person
}

/// Puts theses in, and gives the path of their check.
fn put_in(person: &mut Person<'_>, fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> String {
    let reply = person.upload_all("/desk/checks", &[&[("limit", "20")], fields].concat(), files);
    assert_eq!(reply.status, 303, "{}", reply.text());
    reply.place().to_owned()
}

/// The page of a check that is over.
fn finished(person: &mut Person<'_>, check: &str) -> String {
    wait_for("the end of a check", || {
        assert_eq!(person.get(check).status, 200);
        person.get(&format!("{check}/progress")).body.is_empty().then_some(())
    });
    person.get(check).text()
}

/// What stands in the row of a table that holds these words.
fn row<'a>(page: &'a str, words: &str) -> &'a str {
    page.split("<tr").find(|row| row.contains(words)).unwrap_or_else(|| panic!("{words}: {page}"))
}

#[test]
fn one_person_puts_theses_in_and_reads_the_report_with_nothing_to_sign() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let mut person = person(&server, &path);
    let start = person.get("/").text();
    for gone in ["/account", "/people", "/audit", "/rounds/new", "/logout"] {
        assert!(!start.contains(&format!("\"{gone}\"")), "{gone}");
        assert_eq!(person.get(gone).status, 404, "{gone}");
    }
    assert!(start.contains("Nothing leaves this machine") && start.contains(&*bench.path("desk").to_string_lossy()));
    let check = person.form("/desk/demo", &[]).place().to_owned();
    let page = finished(&mut person, &check);
    assert!(row(&page, "en-01-estuary-crossing.txt").contains("37.2%"), "{page}");
    for word in ["students", "reviewers", "verdict", "batch", "deposit", "edit"] {
        assert!(!page.contains(&format!("/{word}\"")), "{word}");
    }
    let submission = page.split("href=\"").find(|link| link.starts_with("/submissions/")).unwrap();
    let submission = submission.split('"').next().unwrap().to_owned();
    let submission = submission.trim_end_matches("/report");
    let shown = person.get(submission).text();
    assert!(!shown.contains("/verdict") && !shown.contains("/deposit") && shown.contains("/report\""), "{shown}");
    assert!(person.get(&format!("{submission}/report")).text().contains("50.3"));
    for (file, begins) in [("sheet.xlsx", &b"PK"[..]), ("sheet.pdf", b"%PDF"), ("reports.zip", b"PK")] {
        let reply = person.get(&format!("{check}/{file}"));
        assert!(reply.status == 200 && reply.body.starts_with(begins), "{file}: {}", reply.status);
    }
    let reports = person.get(&format!("{check}/reports.zip")).body;
    let mut reports = zip::ZipArchive::new(std::io::Cursor::new(reports)).unwrap();
    let names: Vec<String> = reports.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert!(names.contains(&"results.xlsx".to_owned()) && names.len() == 4, "{names:?}");
    let page = names.iter().find(|name| name.contains("estuary")).unwrap();
    let page = std::io::read_to_string(reports.by_name(page).unwrap()).unwrap();
    assert!(
        page.contains("37.2") && !page.contains("/submissions/"),
        "a report that is taken away has no links into the desk"
    );
    // Past checks are found by the names of their files, and go when they are deleted.
    assert!(person.get("/?q=ESTUARY").text().contains(&check));
    let none = person.get("/?q=nothing+of+the+kind").text();
    assert!(!none.contains(&check) && none.contains("No check has this in its name"), "{none}");
    assert_eq!(person.form(&format!("{check}/erase"), &[("sure", "true")]).status, 303);
    assert!(!person.get("/").text().contains(&check));
    // The page ends the program.
    let last = person.form("/desk/end", &[]);
    assert!(
        last.status == 200 && !last.text().contains("href=\"/collections\""),
        "nothing answers any more: {}",
        last.text()
    );
    server.wait();
    assert!(!bench.path("desk").join("desk.address").exists());
}

#[test]
fn a_double_click_opens_the_desk_in_the_person_s_own_folder() {
    let bench = Bench::new();
    // As a file manager starts it: on a screen, without arguments and without a terminal; and no browser is found.
    let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    program.env_clear().env("HOME", bench.folder()).env("DISPLAY", ":99").env("PATH", "").stdin(Stdio::null());
    let folder = bench.path("copytrace");
    let server = Server::spawn(program, &folder, "for you alone: ").unwrap();
    assert!(server.told("Serving ").contains(&*folder.to_string_lossy()), "{:?}", server.said);
    assert!(folder.join("service.db").exists());
    // Without a screen there is nobody who clicked: it is told how the program is used.
    let output = Command::new(env!("CARGO_BIN_EXE_copytrace")).env_clear().stdin(Stdio::null()).output().unwrap();
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("Usage"));
}

#[test]
fn whoever_lacks_the_secret_or_comes_from_elsewhere_is_refused() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let mut nobody = server.nobody();
    assert_eq!(nobody.get("/").status, 401);
    assert_eq!(nobody.get("/desk/0000").status, 404);
    assert_eq!(nobody.form("/desk/end", &[]).status, 401);
    let mut person = person(&server, &path);
    assert_eq!(person.get("/").status, 200);
    let post =
        |person: &mut Person<'_>, headers: &[(&str, &str)]| person.request("POST", "/desk/end", headers, b"").status;
    let form = ("content-type", "application/x-www-form-urlencoded");
    assert_eq!(post(&mut person, &[form, ("origin", "http://evil.example")]), 403);
    assert_eq!(post(&mut person, &[form, ("sec-fetch-site", "cross-site")]), 403);
    // Another port of this machine is another site.
    assert_eq!(post(&mut person, &[form, ("sec-fetch-site", "same-site")]), 403);
    assert_eq!(post(&mut person, &[form, ("origin", "http://127.0.0.1:1")]), 403);
    // A name elsewhere that was made to lead here.
    assert_eq!(person.request("GET", "/", &[("host", "evil.example")], b"").status, 421);
    assert_eq!(server.nobody().request("GET", &path, &[("host", "evil.example")], b"").status, 421);
    assert_eq!(person.get("/").status, 200, "nothing of this ended it");
    use std::os::unix::fs::PermissionsExt;
    let secret = std::fs::metadata(bench.path("desk").join("desk.address")).unwrap().permissions().mode();
    assert_eq!(secret & 0o077, 0);
}

#[test]
fn a_second_start_joins_the_first_and_what_a_kill_broke_off_goes_on() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let second = Command::new(env!("CARGO_BIN_EXE_copytrace"))
        .args(["desk", "--no-browser"])
        .arg(bench.path("desk"))
        .output()
        .unwrap();
    let said = String::from_utf8(second.stdout).unwrap();
    assert!(second.status.success() && said.contains(&format!("{}{path}", server.base)), "{said}");
    let mut before = person(&server, &path);
    let files: Vec<(String, Vec<u8>)> =
        (0..12).map(|n| (format!("thesis {n}.txt"), demo("submissions/en-01-estuary-crossing.txt"))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let check = put_in(&mut before, &[("among", "true")], &files);
    let (cookie, base) = (before.cookie.clone(), server.base.clone());
    server.kill();
    let (again, other) = Server::desk(&bench.path("desk")).unwrap();
    assert_ne!(path, other, "a secret is good for one start");
    assert_eq!(again.nobody().get(&path).status, 404);
    // The page that stayed open goes on at the same address.
    assert_eq!(again.base, base);
    let mut after = again.nobody();
    after.cookie = cookie;
    let page = finished(&mut after, &check);
    assert!(page.matches("100.0%").count() >= 12, "{page}");
}

#[test]
fn two_files_of_one_name_are_two_theses_and_what_cannot_be_read_is_listed_with_its_reason() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let mut person = person(&server, &path);
    let (one, other) = (demo("submissions/en-01-estuary-crossing.txt"), demo("submissions/en-02-piano-rounds.txt"));
    let zipped = archive(&[("folder/thesis.txt", &other), ("__MACOSX/x", b"x"), ("~$open.docx", b"x")]);
    let files: [(&str, &[u8]); 6] = [
        ("thesis.txt", &one),
        ("class.zip", &zipped),
        ("notes.pages", b"PK\x03\x04 not known"),
        ("empty.txt", b""),
        (".DS_Store", b"x"),
        ("Thumbs.db", b"x"),
    ];
    let check = put_in(&mut person, &[("among", "true")], &files);
    let page = finished(&mut person, &check);
    for name in ["thesis.txt", "thesis.txt (2)"] {
        assert!(row(&page, &format!("<bdi>{name}</bdi>")).contains("0.0%"), "{name}: {page}");
    }
    assert!(
        row(&page, "notes.pages").contains("could not be checked") && row(&page, "empty.txt").contains("no text in it"),
        "{page}"
    );
    assert!(page.matches("<tr data-ratio").count() == 4, "what systems add to folders is no thesis: {page}");
    // One alone has nothing to be compared with, and neither has one whose fellows cannot be read: no ratio is told.
    let alone = person.upload_all("/desk/checks", &[("limit", "20"), ("among", "true")], &[("a.txt", &one)]);
    assert!(alone.status == 422 && alone.text().contains("nothing to be compared with"), "{}", alone.text());
    let check = put_in(&mut person, &[("among", "true")], &[("a.txt", &one), ("b.txt", b"")]);
    let page = finished(&mut person, &check);
    assert!(
        row(&page, "a.txt").contains("nothing to compare") && row(&page, "a.txt").contains("data-ratio=\"-1\""),
        "{page}"
    );
    // What was refused is told on the desk's own page, with the options as they were.
    let page = format!("{}/", server.base);
    let none = person.upload_with("/desk/checks", &[("limit", "33")], "a.txt", &one, &[("referer", &page)]);
    let told = none.text();
    assert!(none.status == 422 && told.contains("role=\"alert\"") && told.contains("value=\"33\""), "{told}");
}

#[test]
fn what_counts_is_chosen_for_a_check_and_a_check_can_be_cancelled() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let mut person = person(&server, &path);
    let text = demo("submissions/en-01-estuary-crossing.txt");
    let files: [(&str, &[u8]); 3] = [("a.txt", &text), ("b.txt", &text), ("c.txt", &text)];
    // What two others hold is common, so nothing of it counts.
    let common = put_in(&mut person, &[("among", "true"), ("ignore_common", "2")], &files);
    let all = put_in(&mut person, &[("among", "true"), ("count_all_parts", "true")], &files);
    // They share all their text; as long as that is not known, nothing else is told.
    assert!(!person.get(&all).text().contains("<p class=\"hint\">No two submissions share"));
    assert!(!finished(&mut person, &common).contains("100.0%"));
    assert!(finished(&mut person, &all).contains("100.0%"));
    let refused =
        person.upload_all("/desk/checks", &[("limit", "20"), ("among", "true"), ("ignore_common", "1")], &files);
    assert_eq!(refused.status, 422);
    let many: Vec<(String, &[u8])> = (0..30).map(|n| (format!("{n}.txt"), text.as_slice())).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let check = put_in(&mut person, &[("among", "true")], &many);
    assert_eq!(person.form(&format!("{check}/cancel"), &[]).status, 303);
    assert!(finished(&mut person, &check).contains("cancelled"));
}

#[test]
fn a_folder_that_cannot_be_made_or_is_in_other_use_is_named() {
    let bench = Bench::new();
    let file = bench.write("file", "");
    assert!(Server::desk(&file.join("desk")).err().unwrap().contains("Not a directory"));
    let institution = Server::start(&bench.path("institution"), &[]);
    institution.kill();
    let said = Server::desk(&bench.path("institution")).err().unwrap();
    assert!(said.contains("is served to an institution"), "{said}");
    let other = bench.path("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("thesis.txt"), "text").unwrap();
    assert!(Server::desk(&other).err().unwrap().contains("holds other files"));
}

#[test]
fn a_collection_of_a_folder_goes_to_a_colleague_in_one_file_and_finds_the_same_there() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("mine")).unwrap();
    let mut mine = person(&server, &path);
    let made = mine.form("/collections", &[("name", "Marsh 沼泽")]).place().to_owned();
    let (marsh, ferry) =
        (demo("reference/en-ref-01-tidal-marsh.txt"), demo("reference/en-ref-06-ferry-timetables.txt"));
    let files: [(&str, &[u8]); 5] =
        [("text.txt", &marsh), ("text.txt", &ferry), (".DS_Store", b"x"), ("empty.docx", b"PK\x03\x04"), ("", b"")];
    assert_eq!(mine.upload_all(&format!("{made}/upload"), &[], &files).status, 303);
    wait_for("the collection", || mine.get(&format!("{made}/progress")).body.is_empty().then_some(()));
    let page = mine.get(&made).text();
    assert!(page.contains("Documents: 2") && page.contains("2-text.txt") && page.contains("MB"), "{page}");
    assert!(page.contains("empty.docx") && !page.contains("DS_Store") && !page.contains("/fill\""), "{page}");
    let packed = mine.get(&format!("{made}/collection.copytrace"));
    assert_eq!(packed.status, 200);

    let (other, path) = Server::desk(&bench.path("other")).unwrap();
    let mut colleague = person(&other, &path);
    let open =
        |colleague: &mut Person<'_>, file: &[u8]| colleague.upload("/desk/collections", &[], "Marsh.copytrace", file);
    let opened = open(&mut colleague, &packed.body).place().to_owned();
    assert!(colleague.get(&opened).text().contains("Documents: 2"));
    let check = |person: &mut Person<'_>, made: &str| {
        let id = made.rsplit('/').next().unwrap();
        let text = demo("submissions/en-01-estuary-crossing.txt");
        let check = put_in(person, &[("collections", id)], &[("a.txt", &text)]);
        let page = finished(person, &check);
        assert!(page.contains("<p class=\"hint\">The submissions were not compared with each other"), "{page}");
        row(&page, "a.txt").split("class=\"above\">").nth(1).unwrap().split('<').next().unwrap().to_owned()
    };
    assert_eq!(check(&mut mine, &made), check(&mut colleague, &opened));
    // One byte of a segment that is not what it was, wherever it is; and what is no such file.
    let mut spoilt = packed.body.clone();
    let middle = spoilt.len() / 2;
    spoilt[middle] ^= 1;
    for file in [spoilt.as_slice(), b"no archive", &archive(&[("../catalogue.sqlite", b"x")])] {
        assert_eq!(open(&mut colleague, file).status, 422);
    }
    assert_eq!(colleague.get("/collections").text().matches("href=\"/collections/").count(), 1);
}

#[test]
fn a_machine_that_sleeps_and_a_page_that_is_closed_in_the_middle_lose_nothing() {
    use rustix::process::{Pid, Signal, kill_process};
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let check = {
        // Who put them in is gone as soon as they are in.
        let mut person = person(&server, &path);
        let text = demo("submissions/en-01-estuary-crossing.txt");
        let names: Vec<String> = (0..24).map(|n| format!("{n}.txt")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), text.as_slice())).collect();
        put_in(&mut person, &[("among", "true")], &files)
    };
    // The program and its workers stand still together, as they do in a machine that sleeps.
    let server_process = server.process();
    for _ in 0..3 {
        std::thread::sleep(std::time::Duration::from_millis(300));
        let processes: Vec<Pid> = std::iter::once(server_process)
            .chain(children(server_process))
            .filter_map(|process| Pid::from_raw(process as i32))
            .collect();
        for signal in [Signal::STOP, Signal::CONT] {
            for process in &processes {
                // One that has ended since is asleep for good.
                let _ = kill_process(*process, signal);
            }
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
    let mut again = person(&server, &path);
    let page = finished(&mut again, &check);
    assert_eq!(page.matches("data-ratio=\"1\"").count(), 24, "{page}");
}

/// The processes that a process has started.
fn children(process: u32) -> Vec<u32> {
    let of_thread = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let all: Vec<String> = tasks.filter_map(Result::ok).map(of_thread).collect();
    all.iter().flat_map(|line| line.split_whitespace()).filter_map(|one| one.parse().ok()).collect()
}

#[test]
fn another_user_of_the_machine_reads_neither_the_secret_nor_the_theses_and_has_no_folder_of_others() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let check = person(&server, &path).form("/desk/demo", &[]).place().to_owned();
    finished(&mut person(&server, &path), &check);
    let mut seen = Vec::new();
    let mut folders = vec![bench.path("desk")];
    while let Some(folder) = folders.pop() {
        seen.push(folder.clone());
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() { folders.push(entry) } else { seen.push(entry) }
        }
    }
    let is_others = |path: &std::path::PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o077 != 0;
    // Nobody else enters the folder, whatever stands in it.
    assert!(seen.len() > 10 && !is_others(&bench.path("desk")) && !is_others(&bench.path("desk").join("desk.address")));
    // Where nothing may be written that is said, and nothing is begun.
    let shut = bench.path("shut");
    std::fs::create_dir(&shut).unwrap();
    let allow = |path: &std::path::Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    allow(bench.folder(), 0o755);
    allow(&shut, 0o555);
    let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    program.args(["desk", "--no-browser"]).arg(shut.join("copytrace")).current_dir("/");
    if rustix::process::geteuid().is_root() {
        // Nothing is shut to root.
        program.uid(65_534).gid(65_534);
    }
    let output = program.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("shut") && said.contains("Permission denied"), "{said}");
}

#[test]
fn a_folder_and_a_name_of_three_hundred_characters_are_as_good_as_others() {
    let bench = Bench::new();
    let folder = bench.path(format!("{}/{}/{}", "深".repeat(60), "b".repeat(120), "c".repeat(120)));
    let (server, path) = Server::desk(&folder).unwrap();
    let mut person = person(&server, &path);
    let text = demo("submissions/en-01-estuary-crossing.txt");
    let name = format!("{}/{}/{}.txt", "d".repeat(120), "e".repeat(120), "论文".repeat(40));
    let within = archive(&[(&name, &text)]);
    let check = put_in(&mut person, &[("among", "true")], &[(&name, &text), ("class.zip", &within)]);
    let page = finished(&mut person, &check);
    assert_eq!(page.matches("data-ratio=\"1\"").count(), 2, "{page}");
    assert!(page.contains(&"论文".repeat(40)));
    assert_eq!(person.get(&format!("{check}/reports.zip")).status, 200);
}
