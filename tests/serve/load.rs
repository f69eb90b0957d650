//! A peak: many theses in a few minutes against a large collection, while people look at pages and a backup is made.
//! `make serve-load` runs it as the README tells; smaller by INDEXED, THESES and SECONDS.

use crate::generator::{Generator, Language, Random, Recipe};
use crate::program::{Bench, copytrace};
use crate::serve::server::{College, PASSWORD, Server};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

fn asked(name: &str, default: usize) -> usize {
    std::env::var(name).ok().map_or(default, |value| value.parse().unwrap())
}

/// Documents of 20 to 100 kB, every other one Chinese.
fn documents(seed: u64, count: usize) -> impl Iterator<Item = String> {
    let of = move |language, length| {
        Generator::new(Recipe { seed, documents: count, length, language, duplicate_every: 0, boilerplate_every: 20 })
    };
    let (mut english, mut chinese) = (of(Language::English, 8_000), of(Language::Chinese, 18_000));
    (0..count).map(move |n| if n % 2 == 0 { english.next().unwrap() } else { chinese.next().unwrap() })
}

/// The time that `of_hundred` of each hundred are not above.
fn quantile(times: &mut [Duration], of_hundred: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * of_hundred / 100).min(times.len() - 1)]
}

/// Fills the open collection with `count` documents from a folder of the server; gives some of them, to be copied from.
fn fill(college: &College<'_>, bench: &Bench, count: usize) -> Vec<String> {
    let mut kept = Vec::new();
    let path = bench.write("library/documents.jsonl", "");
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    for (n, text) in documents(1, count).enumerate() {
        writeln!(file, "{}", json!({ "id": format!("thesis-{n}"), "text": text })).unwrap();
        if n % 40 < 2 {
            kept.push(text);
        }
    }
    file.flush().unwrap();
    let mut administrator = college.administrator.clone();
    let folder = bench.path("library");
    let from = [("from", folder.to_str().unwrap())];
    assert_eq!(administrator.form(&format!("/collections/{}/fill", college.open), &from).status, 303);
    let deadline = Instant::now() + Duration::from_secs(3600);
    while !is_idle(&mut administrator) {
        assert!(Instant::now() < deadline, "the collection is not filled within an hour");
        std::thread::sleep(Duration::from_millis(500));
    }
    std::fs::remove_dir_all(folder).unwrap();
    kept
}

fn is_idle(administrator: &mut crate::serve::server::Person<'_>) -> bool {
    let figures = administrator.get("/metrics").text();
    figures.contains("{state=\"queued\"} 0") && figures.contains("{state=\"running\"} 0")
}

/// Seconds from a submission's arrival to its report.
fn waited(data: &Path) -> Vec<Duration> {
    let database = rusqlite::Connection::open(data.join("service.db")).unwrap();
    // Finals are checked once more, beside, when one comes later that shares text with them.
    let sql = "SELECT ended - received FROM report JOIN job ON job.id = report.job JOIN submission ON submission.id = report.submission";
    let mut statement = database.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get::<_, i64>(0)).unwrap();
    rows.map(|seconds| Duration::from_secs(seconds.unwrap().max(0) as u64)).collect()
}

#[test]
#[ignore = "takes both cores for many minutes: `make serve-load`"]
fn a_peak_of_theses_is_taken_at_once_shown_at_once_and_checked_soon() {
    let indexed = asked("COPYTRACE_LOAD_INDEXED", 10_000);
    let theses = asked("COPYTRACE_LOAD_THESES", 500);
    let seconds = asked("COPYTRACE_LOAD_SECONDS", 600);
    let bench = Bench::new();
    let data = bench.path("data");
    let server = Server::start(&data, &["--intake", bench.path("").to_str().unwrap()]);
    let college = College::found(&server, json!({ "among": true, "quota": 1000 }));
    let start = Instant::now();
    let kept = fill(&college, &bench, indexed);
    println!("{indexed} documents of 20 to 100 kB indexed in {:.0} s", start.elapsed().as_secs_f64());
    let list: String = (0..theses).map(|n| format!("L{n},Student {n},student,cs,t1\n")).collect();
    let list = format!("number,name,role,unit,supervisor\n{list}");
    let mut administrator = college.administrator.clone();
    let enrolled = administrator.upload(&format!("/rounds/{}/students", college.round), &[], "l.csv", list.as_bytes());
    assert_eq!(enrolled.status, 303, "{}", enrolled.text());
    let program = administrator.program(&["submit", "read"]);
    let supervisor = college.person("t1");

    let mut random = Random::new(7);
    // Each with three passages of documents that are indexed.
    let texts: Vec<String> = documents(2, theses)
        .map(|text| {
            let mut parts: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
            for _ in 0..3 {
                let source: Vec<char> = kept[random.below(kept.len() as u64) as usize].chars().collect();
                let from = random.below(source.len() as u64 - 1_000) as usize;
                let at = random.below(parts.len() as u64) as usize;
                parts.insert(at, source[from..from + 800].iter().collect::<String>() + "\n");
            }
            parts.concat()
        })
        .collect();
    let (uploads, pages) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let over = AtomicBool::new(false);
    let (send, ready) = mpsc::channel();
    let start = Instant::now();
    std::thread::scope(|scope| {
        for mut person in [college.administrator.clone(), supervisor.clone()] {
            let (round, over, pages) = (&college.round, &over, &pages);
            scope.spawn(move || {
                let mut known: Vec<String> = Vec::new();
                for n in 0.. {
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    let path = match (n % 4, known.last()) {
                        (0, _) => "/".to_owned(),
                        (1, _) | (_, None) => format!("/rounds/{round}"),
                        (2, Some(id)) => format!("/submissions/{id}"),
                        (_, Some(id)) => format!("/submissions/{id}/report"),
                    };
                    let asked = Instant::now();
                    let reply = person.get(&path);
                    pages.lock().unwrap().push((n % 4, asked.elapsed()));
                    assert_eq!(reply.status, 200, "{path}");
                    if n % 4 == 1 {
                        // Those without a report stand first.
                        let last = reply
                            .text()
                            .rsplit("/submissions/")
                            .next()
                            .map(|rest| rest.chars().take(32).collect::<String>());
                        let has_report = |id: &String| {
                            id.len() == 32 && person.get(&format!("/submissions/{id}/report")).status == 200
                        };
                        known = last.filter(has_report).into_iter().collect();
                    }
                    std::thread::sleep(Duration::from_millis(500));
                }
            });
        }
        let (data, target) = (data.clone(), bench.path("backup"));
        scope.spawn(move || {
            ready.recv().unwrap();
            let start = Instant::now();
            copytrace().args(["serve", "backup"]).args([data, target]).assert().success();
            println!("backup meanwhile: {:.0} s", start.elapsed().as_secs_f64());
        });
        let handing_in: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(n, text)| {
                let due = Duration::from_secs_f64(n as f64 * seconds as f64 / theses as f64);
                std::thread::sleep(due.saturating_sub(start.elapsed()));
                if n == theses / 2 {
                    send.send(()).unwrap();
                }
                let (mut program, uploads, college) = (program.clone(), &uploads, &college);
                scope.spawn(move || {
                    let (student, asked) = (format!("L{n}"), Instant::now());
                    let fields = [("student", student.as_str()), ("kind", "final")];
                    let path = format!("/api/v1/rounds/{}/submissions", college.round);
                    let reply = program.upload(&path, &fields, "thesis.txt", text.as_bytes());
                    uploads.lock().unwrap().push(asked.elapsed());
                    assert_eq!(reply.status, 201, "{}", reply.text());
                })
            })
            .collect();
        handing_in.into_iter().for_each(|thread| thread.join().unwrap());
        let deadline = Instant::now() + Duration::from_secs(3600);
        while !is_idle(&mut administrator) {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(500));
        }
        over.store(true, Ordering::Relaxed);
    });
    println!("{theses} theses in {seconds} s, all done after {:.0} s", start.elapsed().as_secs_f64());
    let mut pages = pages.into_inner().unwrap();
    for (n, name) in ["overview", "round", "submission", "report"].iter().enumerate() {
        let mut of: Vec<Duration> = pages.iter().filter(|(kind, _)| *kind == n).map(|(_, time)| *time).collect();
        if !of.is_empty() {
            println!(
                "page {name}: {} asked for, p50 {:?}, p99 {:?}",
                of.len(),
                quantile(&mut of, 50),
                quantile(&mut of, 99)
            );
        }
    }
    let mut all: Vec<Duration> = pages.drain(..).map(|(_, time)| time).collect();
    let (mut uploads, mut done) = (uploads.into_inner().unwrap(), waited(&data));
    assert_eq!(done.len(), theses, "all are done");
    let (upload, page, report) = (quantile(&mut uploads, 99), quantile(&mut all, 99), quantile(&mut done, 95));
    println!("upload p99 {upload:?}, pages p99 {page:?}, reports done p95 {report:?}");

    // What the backup holds is what was there.
    let restored = bench.path("restored");
    let key = data.join("service.key");
    copytrace()
        .args(["serve", "restore"])
        .args([bench.path("backup"), restored])
        .arg("--key")
        .arg(key)
        .assert()
        .success();
    let database = rusqlite::Connection::open(bench.path("backup/service.db")).unwrap();
    let mut statement = database.prepare("SELECT submission FROM report").unwrap();
    let saved: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let restored = Server::start(&bench.path("restored"), &[]);
    let mut again = restored.sign_in("admin", PASSWORD);
    for id in &saved {
        let path = format!("/submissions/{id}/report.json");
        assert!(again.get(&path).body == administrator.get(&path).body, "{id}");
    }
    println!("{} reports of the backup are equal where it was restored", saved.len());
    assert!(upload < Duration::from_secs(1) && page < Duration::from_millis(200) && report <= Duration::from_secs(120));
}
