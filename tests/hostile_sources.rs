//! `copytrace harvest` and what hostile or broken servers send it, and archives that are damaged: each is told by its reason, and the rest
//! goes on.

use crate::durability::ids;
use crate::program::{Bench, Csv, copytrace, text};
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What a server answers to a path with its query, given its own address.
type Answers = dyn Fn(&str, &str) -> Vec<u8> + Send + Sync;

/// A server that answers until the process ends, and what it was asked.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

/// An answer that goes on for as long as somebody listens begins with this.
const ENDLESS: &[u8] = b"ENDLESS";

impl Server {
    fn start(answers: impl Fn(&str, &str) -> Vec<u8> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (asked, answers): (Arc<Mutex<Vec<String>>>, Arc<Answers>) = (Arc::default(), Arc::new(answers));
        let (base, noted) = (address.clone(), asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (base, noted, answers) = (base.clone(), noted.clone(), answers.clone());
                std::thread::spawn(move || answer_one(stream, &base, &noted, &*answers));
            }
        });
        Server { address, asked }
    }

    /// Harvests it into an index; gives what was said and the reasons that the state names, with how often each.
    fn harvest(&self, index: &Path) -> (String, BTreeMap<String, u64>) {
        let mut command = copytrace();
        command.args(["harvest", &format!("{}/oai", self.address)]).arg("--index").arg(index);
        let run = command.args(["--contact", "keeper@example.org", "--pause", "0", "--allow-inside"]).assert();
        let store = copytrace_harvest::Store::open(&index.join("harvest")).unwrap();
        let (_, state) = store.sources().next().unwrap();
        let reasons = state.errors.iter().map(|(code, errors)| (code.clone(), errors.count)).collect();
        (text(&run.get_output().stderr), reasons)
    }

    /// How often something was asked for whose path has this in it.
    fn asked(&self, part: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|path| path.contains(part)).count()
    }
}

fn answer_one(mut stream: TcpStream, base: &str, noted: &Mutex<Vec<String>>, answers: &Answers) {
    let (mut reader, mut line, mut path) = (BufReader::new(stream.try_clone().unwrap()), String::new(), String::new());
    while reader.read_line(&mut line).is_ok_and(|read| read > 0) && !line.trim().is_empty() {
        if path.is_empty() {
            path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        line.clear();
    }
    noted.lock().unwrap().push(path.clone());
    let answer = answers(base, &path);
    match answer.strip_prefix(ENDLESS) {
        Some(head) => {
            let (more, _) = (vec![b'a'; 1 << 20], stream.write_all(head));
            while stream.write_all(&more).is_ok() {}
        }
        None => drop(stream.write_all(&answer)),
    }
}

fn answer(head: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn file(body: &str) -> Vec<u8> {
    answer("200 OK\r\nContent-Type: text/plain", body.as_bytes())
}

fn page(body: &str) -> Vec<u8> {
    answer("200 OK\r\nContent-Type: text/html", body.as_bytes())
}

fn oai_at(time: &str, body: &str) -> Vec<u8> {
    let xml = format!("<OAI-PMH><responseDate>{time}</responseDate>{body}</OAI-PMH>");
    answer("200 OK\r\nContent-Type: text/xml", xml.as_bytes())
}

fn oai(body: &str) -> Vec<u8> {
    oai_at("2026-01-01T00:00:00Z", body)
}

fn list(records: &str, token: &str) -> Vec<u8> {
    oai(&format!("<ListRecords>{records}<resumptionToken>{token}</resumptionToken></ListRecords>"))
}

fn identify(path: &str) -> Option<Vec<u8>> {
    path.contains("verb=Identify").then(|| oai("<Identify><granularity>YYYY-MM-DDThh:mm:ssZ</granularity></Identify>"))
}

fn record_with(id: &str, header: &str, metadata: &str) -> String {
    format!(
        "<record><header><identifier>{id}</identifier><datestamp>2025-05-05T05:05:05Z</datestamp>{header}</header>\
         <metadata><dc>{metadata}</dc></metadata></record>"
    )
}

fn record(id: &str, address: &str) -> String {
    record_with(id, "", &format!("<identifier>{address}</identifier>"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn reasons<const N: usize>(reasons: [(&str, u64); N]) -> BTreeMap<String, u64> {
    reasons.into_iter().map(|(code, count)| (code.to_owned(), count)).collect()
}

#[test]
fn whatever_comes_in_place_of_a_file_is_told_by_its_reason_and_the_other_records_are_taken() {
    let kinds =
        ["endless", "bomb", "login", "page", "round", "gone", "zip", "secret", "elsewhere", "none", "good", "last"];
    let bomb = gzip(&vec![b'a'; (256 << 20) + 1]);
    let server = Server::start(move |base, path| match path {
        path if path.contains("verb=ListRecords") => {
            let records: String = kinds.iter().map(|kind| record(kind, &format!("{base}/{kind}"))).collect();
            list(&(records + &record_with("without", "", "<title>No file</title>") + "<record></record>"), "")
        }
        "/robots.txt" => file("User-agent: *\nDisallow: /secret\n"),
        "/endless" => [ENDLESS, b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"].concat(),
        "/bomb" => answer("200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip", &bomb),
        "/login" => answer("302 Found\r\nLocation: /cas/login", b""),
        "/cas/login" => page("<title>Welcome</title><input type=password>"),
        "/page" => page("<meta name=citation_pdf_url content=/other>"),
        "/other" => page("<p>Buy it here</p>"),
        "/round" => answer("301 Moved\r\nLocation: /round", b""),
        "/zip" => answer("200 OK\r\nContent-Type: application/zip", b"PK\x03\x04"),
        "/elsewhere" => answer("302 Found\r\nLocation: file:///etc/passwd", b""),
        "/none" => page("<p>No file here</p>"),
        "/good" => file("The tide rises over the shore."),
        "/last" => file("And the ebb leaves silt behind."),
        path => identify(path).unwrap_or_else(|| answer("404 Not Found", b"")),
    });
    let bench = Bench::new();
    let (said, told) = server.harvest(&bench.path("index"));
    let expected = reasons([
        ("answer-expands", 1),
        ("answer-large", 1),
        ("bad-address", 1),
        ("kind-not-read", 1),
        ("login-page", 1),
        ("many-redirects", 1),
        ("no-file-named", 2),
        ("no-identifier", 1),
        ("page-for-file", 1),
        ("robots-forbid", 1),
        ("status-refused", 1),
    ]);
    assert_eq!(told, expected, "{said}");
    assert_eq!(ids(&bench.path("index")), ["good", "last"].map(str::to_owned).into());
    assert!(said.contains("login: a login page came in place of the file"), "{said}");
}

#[test]
fn two_records_with_one_file_are_one_document_and_the_second_is_taken_when_the_first_goes() {
    let now = Arc::new(Mutex::new(0));
    let at = now.clone();
    let server = Server::start(move |base, path| match path {
        path if path.contains("verb=ListRecords") => {
            let gone = "<record><header status=\"deleted\"><identifier>a</identifier><datestamp>2026-01-01T00:00:00Z\
                        </datestamp></header></record>";
            let [a, b, c] =
                [("a", "one"), ("b", "same"), ("c", "two")].map(|(id, at)| record(id, &format!("{base}/{at}")));
            match (*at.lock().unwrap(), path.contains("from=")) {
                (0, _) => list(&(a + &b + &c), ""),
                (_, true) => list(gone, ""),
                (_, false) => list(&(gone.to_owned() + &b + &c), ""),
            }
        }
        "/one" | "/same" => file("The tide rises over the shore."),
        "/two" => file("And the ebb leaves silt behind."),
        path => identify(path).unwrap_or_else(|| answer("404 Not Found", b"")),
    });
    let bench = Bench::new();
    let index = bench.path("index");
    let is = |expected: [&str; 2]| assert_eq!(ids(&index), expected.map(str::to_owned).into());
    let (said, told) = server.harvest(&index);
    assert_eq!(told, reasons([("file-taken", 1)]));
    assert!(said.contains("b: a has this file already; only the first is taken"), "{said}");
    is(["a", "c"]);
    *now.lock().unwrap() = 1;
    server.harvest(&index);
    assert_eq!(ids(&index), ["c".to_owned()].into());
    let (said, told) = server.harvest(&index);
    assert_eq!(told, reasons([]), "{said}");
    is(["b", "c"]);
    assert_eq!(server.asked("/two"), 1, "what was taken is not fetched again");
    server.harvest(&index);
    is(["b", "c"]);
    assert_eq!(server.asked("from="), 2, "and then changes alone are asked for again");
}

#[test]
fn a_list_that_does_not_end_is_told_and_what_it_gave_is_kept() {
    let repeats = |base: &str, path: &str| match path {
        path if path.contains("resumptionToken=two") => list(&record("b", &format!("{base}/b")), "one"),
        path if path.contains("resumptionToken=one") => list("", "two"),
        path if path.contains("verb=ListRecords") => list(&record("a", &format!("{base}/a")), "one"),
        path => {
            identify(path).unwrap_or_else(|| file(&format!("The text of {path} tells of the tide and of the shore.")))
        }
    };
    let always_new = |base: &str, path: &str| match path {
        path if path.contains("verb=ListRecords") => {
            let next = path.split("resumptionToken=").nth(1).map_or(0, |token| token.parse::<u32>().unwrap());
            let records = record("a", &format!("{base}/a")) + &record("b", &format!("{base}/b"));
            list(&records, &(next + 1).to_string())
        }
        path => {
            identify(path).unwrap_or_else(|| file(&format!("The text of {path} tells of the tide and of the shore.")))
        }
    };
    for (server, code) in [(Server::start(repeats), "token-repeats"), (Server::start(always_new), "pages-repeat")] {
        let bench = Bench::new();
        let (said, told) = server.harvest(&bench.path("index"));
        assert_eq!(told, reasons([(code, 1)]), "{said}");
        assert_eq!(ids(&bench.path("index")), ["a", "b"].map(str::to_owned).into(), "{code}");
        assert!(server.asked("ListRecords") < 150, "{code}");
    }
}

#[test]
fn a_record_in_a_million_sets_or_with_as_many_addresses_is_read_and_an_answer_of_hostile_depth_is_told() {
    let server = Server::start(|base, path| match path {
        path if path.contains("resumptionToken=deep") => {
            list(&format!("{}{}", record("a", "x"), "<a>".repeat(5 << 20)), "")
        }
        path if path.contains("verb=ListRecords") => {
            let address = format!("<identifier>{base}/file</identifier>");
            let sets = record_with("sets", &"<setSpec>a:b</setSpec>".repeat(1_000_000), &address);
            let authors = "<creator>Li Wei</creator>".repeat(300_000);
            let many = record_with("many", "", &(authors + &"<identifier>x:y</identifier>".repeat(300_000)));
            list(&(sets + &many), "deep")
        }
        "/file" => file("The tide rises over the shore."),
        path => identify(path).unwrap_or_else(|| answer("404 Not Found", b"")),
    });
    let bench = Bench::new();
    let (said, told) = server.harvest(&bench.path("index"));
    assert_eq!(told, reasons([("broken-xml", 1), ("no-file-named", 2)]), "{said}");
    assert!(said.contains("too many elements within each other"), "{said}");
    assert_eq!(ids(&bench.path("index")), ["sets".to_owned()].into());
}

#[test]
fn charsets_that_are_wrong_or_not_told_lose_no_record() {
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let server = Server::start(move |base, path| match path {
        path if path.contains("verb=ListRecords") => {
            let [a, b, c] = ["a", "b", "c"].map(|id| {
                let address = format!("<identifier>{base}/{id}</identifier>");
                record_with(id, "", &format!("<title>Gr\u{fc}n</title>{address}"))
            });
            let xml = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><OAI-PMH><ListRecords>".to_owned()
                + &a
                + &b
                + &c
                + "</ListRecords></OAI-PMH>";
            answer("200 OK\r\nContent-Type: text/xml; charset=UTF-8", &latin(&xml))
        }
        // What the server says is not what it sends; then what it sends, and what it says nothing of.
        "/a" => {
            answer("200 OK\r\nContent-Type: text/plain; charset=gb18030", "Die Flut kommt über die Ufer.".as_bytes())
        }
        "/b" => answer("200 OK\r\nContent-Type: text/plain; charset=gb18030", b"\xb3\xb1\xcb\xae\xd5\xc7\xc6\xf0"),
        "/c" => answer("200 OK\r\nContent-Type: text/plain; charset=none", "Die Ebbe lässt Schlick.".as_bytes()),
        path => identify(path).unwrap_or_else(|| answer("404 Not Found", b"")),
    });
    let bench = Bench::new();
    let out = bench.path("out.jsonl.zst");
    let mut command = copytrace();
    command.args(["harvest", &format!("{}/oai", server.address)]).arg("-o").arg(&out);
    command.args(["--contact", "a@example.org", "--pause", "0", "--allow-inside"]).assert().success();
    let lines = text(&zstd::decode_all(std::fs::File::open(&out).unwrap()).unwrap());
    for part in ["über die Ufer", "潮水涨起", "Grün", "Die Ebbe lässt Schlick.", "\"id\":\"a\""] {
        assert!(lines.contains(part), "{part}: {lines}");
    }
}

#[test]
fn a_clock_that_goes_wrong_and_a_time_that_is_refused_lose_no_change() {
    let run = Arc::new(Mutex::new(0));
    let at = run.clone();
    let server = Server::start(move |base, path| {
        let run = *at.lock().unwrap();
        // The clock is in the future first, and put right then.
        let time = if run == 0 { "2099-01-01T00:00:00Z" } else { "2026-01-01T00:00:00Z" };
        match path {
            path if path.contains("verb=ListRecords") && path.contains("from=") && run > 1 => {
                oai_at(time, "<error code=\"badArgument\">from: granularity</error>")
            }
            path if path.contains("verb=ListRecords") => {
                // No change is older than what is asked for, unless that is in the future.
                let is_ahead = path.contains("from=2099");
                let all = if is_ahead { 0 } else { run + 1 };
                let records = (0..all).map(|id| record(&id.to_string(), &format!("{base}/{id}")));
                oai_at(time, &format!("<ListRecords>{}</ListRecords>", records.collect::<String>()))
            }
            path => identify(path)
                .unwrap_or_else(|| file(&format!("The text of {path} tells of the tide and of the shore."))),
        }
    });
    let bench = Bench::new();
    let index = bench.path("index");
    for number in 0..3 {
        *run.lock().unwrap() = number;
        let (said, told) = server.harvest(&index);
        assert_eq!(told, reasons([]), "run {number}: {said}");
        assert_eq!(ids(&index).len(), number + 1, "run {number}: {said}");
    }
    assert_eq!(server.asked("2099"), 0);
    assert_eq!(server.asked("/0"), 1, "what did not change is not fetched again");
}

#[test]
fn a_repository_cannot_have_the_documents_of_another_source_removed() {
    let run = Arc::new(Mutex::new(0));
    let at = run.clone();
    let server = Server::start(move |base, path| match path {
        path if path.contains("verb=ListRecords") && *at.lock().unwrap() == 0 => {
            let stamp = "2025-05-05\n+victim\t2025";
            let good = format!("<metadata><dc><identifier>{base}/file</identifier></dc></metadata>");
            list(
                &format!(
                    "<record><header><identifier>a</identifier><datestamp>{stamp}</datestamp></header>{good}</record>"
                ),
                "",
            )
        }
        path if path.contains("verb=ListRecords") => {
            list("<record><header status=\"deleted\"><identifier>victim</identifier></header></record>", "")
        }
        path => identify(path).unwrap_or_else(|| file("The tide rises over the shore.")),
    });
    let bench = Bench::new();
    let index = bench.path("index");
    let theses = bench.write("theses.jsonl", "{\"id\":\"victim\",\"text\":\"And the ebb leaves silt behind.\"}\n");
    copytrace().arg("harvest").arg(&theses).arg("--index").arg(&index).assert().success();
    server.harvest(&index);
    *run.lock().unwrap() = 1;
    let again = format!("{}/oai", server.address);
    let options = ["--contact", "a@example.org", "--pause", "0", "--allow-inside", "--again"];
    copytrace().args(["harvest", &again]).args(options).arg("--index").arg(&index).assert().success();
    assert_eq!(ids(&index), ["victim".to_owned()].into());
}

/// A crawl of pages of text, one record for each.
fn crawl(pages: usize) -> String {
    let page = |number| {
        let body = format!("Page {number} tells of tide {number} and of shore {}.", number * 7);
        let head = format!("WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://example.org/{number}");
        format!("{head}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n", body.len())
    };
    (0..pages).map(page).collect()
}

/// A file in a tar archive: its head, its bytes, and what fills its last block.
fn member(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut head = [0; 512];
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
    head[148..156].fill(b' ');
    head[156] = b'0';
    head[257..263].copy_from_slice(b"ustar\0");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut member = [&head, bytes].concat();
    member.resize(member.len().next_multiple_of(512), 0);
    member
}

#[test]
fn an_archive_that_was_cut_gives_what_came_before_and_the_reason_and_the_other_sources_are_read() {
    let bench = Bench::new();
    let mut random = crate::generator::Random::new(36);
    let letter = |at: usize| if at % 8 == 7 { ' ' } else { char::from(b'a' + random.below(26) as u8) };
    let noise: String = (0..40_000).map(letter).collect();
    let pages: String = (0..40)
        .map(|number| {
            let text = &noise[1000 * number..1000 * (number + 1)];
            format!("<page><title>{number}</title><ns>0</ns><revision><text>{text}</text></revision></page>")
        })
        .collect();
    let dump = format!("<mediawiki>{pages}</mediawiki>").into_bytes();
    let warc = crawl(40).into_bytes();
    let lines: String =
        (0..40).map(|id| format!("{{\"id\":\"{id}\",\"text\":\"{}\"}}\n", &noise[1000 * id..][..1000])).collect();
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let mut tar = Vec::new();
    for number in 0..40 {
        let article = format!(
            "<article><front><article-meta><article-id pub-id-type=\"pmc\">{number}</article-id></article-meta></front>\
             <body><p>{}</p></body></article>",
            &noise[1000 * number..][..1000]
        );
        tar.extend(member(&format!("{number}.xml"), article.as_bytes()));
    }
    tar.extend([0; 1024]);
    let archives = [
        ("plain.warc", warc.clone()),
        ("packed.warc.gz", gzip(&warc)),
        ("packed.warc.zst", zstd(&warc)),
        ("wiki.xml", dump.clone()),
        ("wiki.xml.gz", gzip(&dump)),
        ("wiki.xml.zst", zstd(&dump)),
        ("articles.tar", tar.clone()),
        ("articles.tar.gz", gzip(&tar)),
        ("lines.jsonl.zst", zstd(lines.as_bytes())),
        ("lines.jsonl.gz", gzip(lines.as_bytes())),
    ];
    let good = bench.write("good.jsonl", "{\"id\":\"good\",\"text\":\"The tide rises over the shore.\"}\n");
    for (name, whole) in archives {
        let index = bench.path(format!("{name}.index"));
        let harvest = |bytes: &[u8]| {
            let cut = bench.write(name, bytes);
            let run = copytrace().arg("harvest").arg(&cut).arg(&good).arg("--index").arg(&index).assert();
            let state = copytrace().args(["harvest", "--state", "--index"]).arg(&index).assert().success();
            let state = Csv::read(&bench.write("state.csv", &state.get_output().stdout));
            let row = state.rows().iter().find(|row| row["source"].contains(name)).unwrap().clone();
            (row, text(&run.get_output().stderr))
        };
        // Within a file: a crawl that ends behind a record cannot be told from a whole one.
        let (row, said) = harvest(&whole[..whole.len() * 2 / 3 + 100]);
        assert_eq!(row["finished"], "false", "{name}: {said}");
        assert!(
            ["archive-broken", "truncated", "lines-damaged"].iter().any(|code| row["reasons"].contains(code)),
            "{name}: {row:?}"
        );
        let some = ids(&index);
        assert!(some.contains("good") && some.len() < 41, "{name}: {said}");
        // The whole file is read then, and nothing is missing.
        let (row, said) = harvest(&whole);
        assert_eq!((row["finished"].as_str(), ids(&index).len()), ("true", 41), "{name}: {said}");
    }
}
