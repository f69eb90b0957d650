//! A repository of our own, which behaves as the ones out there do.

use super::*;
use crate::run::{Kept, Sink, harvest};
use crate::source::Source;
use crate::store::{SourceState, Store};
use crate::web::WebSettings;
use copytrace_text::Document;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a server answers to a path with its query, and how.
type Answers = dyn FnMut(&str, &str) -> Vec<u8> + Send;

/// A server on a port of its own. The requests it got are kept.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<(String, Instant)>>>,
}

fn serve(answers: impl FnMut(&str, &str) -> Vec<u8> + Send + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (answers, base, noted): (Arc<Mutex<Box<Answers>>>, _, _) =
        (Arc::new(Mutex::new(Box::new(answers))), address.clone(), asked.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (answers, base, noted) = (answers.clone(), base.clone(), noted.clone());
            std::thread::spawn(move || one(stream, &base, &answers, &noted));
        }
    });
    Server { address, asked }
}

fn one(mut stream: TcpStream, base: &str, answers: &Mutex<Box<Answers>>, noted: &Mutex<Vec<(String, Instant)>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut path = String::new();
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 0) && line.trim() != "" {
        if path.is_empty() {
            path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        line.clear();
    }
    noted.lock().unwrap().push((path.clone(), Instant::now()));
    let answer = answers.lock().unwrap()(base, &path);
    if let Some(endless) = answer.strip_prefix(b"ENDLESS") {
        while stream.write_all(endless).is_ok() {}
        return;
    }
    if let Some(slow) = answer.strip_prefix(b"SLOW") {
        for byte in slow {
            if stream.write_all(&[*byte]).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        return;
    }
    let _ = stream.write_all(&answer);
}

fn answer(head: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut answer = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n").into_bytes();
    answer.extend_from_slice(body);
    answer
}

fn xml(body: &str) -> Vec<u8> {
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\">\
         <responseDate>2024-06-01T12:00:00Z</responseDate><request>x</request>{body}</OAI-PMH>"
    );
    answer("200 OK\r\nContent-Type: text/xml", xml.as_bytes())
}

fn identify(path: &str) -> Option<Vec<u8>> {
    path.contains("verb=Identify").then(|| {
        xml("<Identify><repositoryName>Tides &amp; Shores</repositoryName><protocolVersion>2.0</protocolVersion>\
             <granularity>YYYY-MM-DD</granularity></Identify>")
    })
}

fn record(id: u32, address: &str) -> String {
    format!(
        "<record><header><identifier>oai:a.org:{id}</identifier><datestamp>2024-05-{:02}</datestamp></header><metadata>\
         <oai_dc:dc xmlns:oai_dc=\"x\" xmlns:dc=\"y\"><dc:title>Tides {id}</dc:title><dc:creator>Ann Reed</dc:creator>\
         <dc:creator>Bo Li</dc:creator><dc:date>2020</dc:date><dc:rights>All of it</dc:rights>\
         <dc:rights>https://creativecommons.org/licenses/by/4.0/</dc:rights><dc:identifier>ISSN 1</dc:identifier>\
         <dc:identifier>{address}</dc:identifier></oai_dc:dc></metadata></record>",
        id % 28 + 1
    )
}

fn deleted(id: u32) -> String {
    format!(
        "<record><header status=\"deleted\"><identifier>oai:a.org:{id}</identifier><datestamp>2024-05-30</datestamp></header></record>"
    )
}

fn list(records: &str, token: &str) -> Vec<u8> {
    xml(&format!("<ListRecords>{records}<resumptionToken cursor=\"0\">{token}</resumptionToken></ListRecords>"))
}

/// A file of text for the number at the end of a path.
fn file(path: &str) -> Vec<u8> {
    let number = path.trim_end_matches(".txt").rsplit('/').next().unwrap();
    answer("200 OK\r\nContent-Type: text/plain", format!("The tide of day {number} rises over the shore.").as_bytes())
}

/// Three pages of two records each, whose files are behind landing pages.
fn well_behaved(base: &str, path: &str) -> Vec<u8> {
    let two = |from: u32| (from..from + 2).map(|id| record(id, &format!("{base}/landing/{id}"))).collect::<String>();
    match path {
        _ if identify(path).is_some() => identify(path).unwrap(),
        _ if path.contains("resumptionToken=p2") => list(&two(3), "p3"),
        _ if path.contains("resumptionToken=p3") => list(&two(5), ""),
        _ if path.contains("verb=ListRecords") => list(&two(1), "p2"),
        _ if path.starts_with("/landing/") => {
            // Every second page names its file for search engines, every other by a link of the answer.
            let (number, head) = (&path[9..], "200 OK\r\nContent-Type: text/html");
            match number.ends_with(['0', '2', '4', '6', '8']) {
                true => answer(
                    &format!("{head}\r\nLink: </file/{number}.txt>; rel=\"item\"; type=\"text/plain\""),
                    b"<html>",
                ),
                false => {
                    let page = format!("<html><meta name=\"citation_pdf_url\" content=\"/file/{number}.txt\"></html>");
                    answer(head, page.as_bytes())
                }
            }
        }
        _ if path.starts_with("/file/") => file(path),
        _ => answer("404 Not Found", b""),
    }
}

/// Keeps documents, and fails when it is told to.
#[derive(Default)]
struct Kept_(BTreeMap<String, Document>);

impl Sink for Kept_ {
    fn put(&mut self, documents: Vec<Document>, _job: &Job) -> Result<Vec<Kept>, Box<dyn Error + Send + Sync>> {
        Ok(documents
            .into_iter()
            .map(|document| match self.0.insert(document.id.clone(), document) {
                None => Kept::New,
                Some(_) => Kept::Replaced,
            })
            .collect())
    }

    fn remove(&mut self, id: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.0.remove(id);
        Ok(())
    }

    fn commit(&mut self) -> Result<u64, Box<dyn Error + Send + Sync>> {
        Ok(0)
    }
}

fn settings() -> WebSettings {
    WebSettings { pause: Duration::ZERO, allow_inside: true, contact: "keeper@a.org".into(), ..WebSettings::default() }
}

fn run(address: &str, folder: &Path, kept: &mut Kept_, web: WebSettings) -> SourceState {
    let sources = [format!("{address}/oai?set=theses").parse::<Source>().unwrap()];
    let options = Options { web, ..Options::default() };
    let mut store = Store::open(folder).unwrap();
    harvest(&sources, kept, &mut store, &options, &Job::default(), &mut |_| {}).unwrap().remove(0)
}

/// One run in a folder of its own.
fn once(address: &str, web: WebSettings) -> (SourceState, Kept_) {
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    (run(address, folder.path(), &mut kept, web), kept)
}

fn codes(state: &SourceState) -> Vec<(&str, u64)> {
    state.errors.iter().map(|(code, errors)| (code.as_str(), errors.count)).collect()
}

#[test]
fn records_come_with_their_files_and_say_where_they_are_from() {
    let server = serve(well_behaved);
    let (state, kept) = once(&server.address, settings());
    assert_eq!((state.finished, state.new, codes(&state)), (true, 6, vec![]));
    let document = &kept.0["oai:a.org:4"];
    assert_eq!(document.text.trim(), "The tide of day 4 rises over the shore.");
    let known = &document.metadata;
    assert_eq!(known.url, Some(format!("{}/landing/4", server.address)));
    assert_eq!(known.author.as_deref(), Some("Ann Reed; Bo Li"));
    assert_eq!(known.licence.as_deref(), Some("https://creativecommons.org/licenses/by/4.0/"));
    assert_eq!(known.collection.as_deref(), Some("Tides & Shores"));
    assert_eq!((known.title.as_deref(), known.date.as_deref()), (Some("Tides 4"), Some("2020")));
    let asked = server.asked.lock().unwrap();
    assert!(
        asked.iter().any(|(path, _)| path == "/oai?verb=ListRecords&metadataPrefix=oai_dc&set=theses"),
        "{asked:?}"
    );
    assert_eq!(asked.iter().filter(|(path, _)| path == "/robots.txt").count(), 1);
}

#[test]
fn a_later_run_asks_for_changes_fetches_only_those_and_removes_what_was_deleted() {
    let later = Arc::new(Mutex::new(false));
    let is_later = later.clone();
    let server = serve(move |base, path| match path {
        _ if *is_later.lock().unwrap() && path.contains("verb=ListRecords") => {
            assert!(path.contains("from=2024-06-01") && !path.contains("2024-06-01T"), "{path}");
            let changed = record(2, &format!("{base}/file/22.txt")).replace("2024-05-03", "2024-06-02");
            list(&(changed + &record(3, &format!("{base}/file/3.txt")) + &deleted(4) + &deleted(99)), "")
        }
        _ => well_behaved(base, path),
    });
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    run(&server.address, folder.path(), &mut kept, settings());
    *later.lock().unwrap() = true;
    server.asked.lock().unwrap().clear();
    let state = run(&server.address, folder.path(), &mut kept, settings());
    assert_eq!((state.new, state.replaced, state.unchanged, state.removed, state.documents), (0, 1, 1, 1, 5));
    assert!(kept.0["oai:a.org:2"].text.contains("day 22"));
    assert!(!kept.0.contains_key("oai:a.org:4"));
    let asked = server.asked.lock().unwrap();
    assert_eq!(asked.iter().filter(|(path, _)| path.starts_with("/file/")).count(), 1, "{asked:?}");
}

#[test]
fn a_server_that_stops_in_the_middle_is_gone_on_with_where_it_stopped() {
    let up = Arc::new(Mutex::new(false));
    let is_up = up.clone();
    let server = serve(move |base, path| match path.contains("resumptionToken=p3") && !*is_up.lock().unwrap() {
        true => Vec::new(),
        false => well_behaved(base, path),
    });
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    let state = run(&server.address, folder.path(), &mut kept, settings());
    assert_eq!((state.finished, state.new, codes(&state)), (false, 4, vec![("no-connection", 1)]));
    *up.lock().unwrap() = true;
    server.asked.lock().unwrap().clear();
    let state = run(&server.address, folder.path(), &mut kept, settings());
    assert_eq!((state.finished, state.documents, kept.0.len()), (true, 6, 6));
    let asked = server.asked.lock().unwrap();
    assert_eq!(asked.iter().filter(|(path, _)| path.starts_with("/file/")).count(), 2, "{asked:?}");
}

#[test]
fn records_of_a_server_that_stops_between_files_are_fetched_by_the_next_run() {
    let up = Arc::new(Mutex::new(false));
    let is_up = up.clone();
    let mut files = 0;
    let server = serve(move |base, path| {
        files += u32::from(path.starts_with("/file/"));
        // Down from the third file on, whatever it is asked.
        if files > 2 && !*is_up.lock().unwrap() { Vec::new() } else { well_behaved(base, path) }
    });
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    let state = run(&server.address, folder.path(), &mut kept, settings());
    assert_eq!((state.finished, state.new, codes(&state)), (false, 2, vec![("no-connection", 1)]));
    *up.lock().unwrap() = true;
    let state = run(&server.address, folder.path(), &mut kept, settings());
    assert_eq!((state.finished, state.documents, kept.0.len()), (true, 6, 6));
}

#[test]
fn a_file_that_could_not_be_had_for_a_while_comes_with_a_later_run_and_one_that_is_gone_is_not_asked_for_again() {
    let broken = Arc::new(Mutex::new(true));
    let is_broken = broken.clone();
    let server = serve(move |base, path| match path {
        "/file/2.txt" if *is_broken.lock().unwrap() => answer("500 Out of order", b""),
        "/file/5.txt" => answer("404 Not Found", b""),
        _ if path.contains("verb=ListRecords") && path.contains("from=") => {
            xml("<error code=\"noRecordsMatch\">nothing changed</error>")
        }
        _ => well_behaved(base, path),
    });
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    let mut next = |expected: (bool, u64, usize)| {
        server.asked.lock().unwrap().clear();
        let state = run(&server.address, folder.path(), &mut kept, settings());
        let files = server.asked.lock().unwrap().iter().filter(|(path, _)| path.starts_with("/file/")).count();
        assert_eq!((state.finished, state.documents, files), expected);
    };
    next((true, 4, 6));
    next((true, 4, 2));
    *broken.lock().unwrap() = false;
    next((true, 5, 2));
    next((true, 5, 0));
}

#[test]
fn a_token_that_expired_begins_the_list_anew_without_fetching_files_again() {
    let mut expired = 0;
    let server = serve(move |base, path| match path.contains("resumptionToken=p3") && expired < 2 {
        true => {
            expired += 1;
            xml("<error code=\"badResumptionToken\">expired</error>")
        }
        false => well_behaved(base, path),
    });
    let (state, kept) = once(&server.address, settings());
    assert_eq!((state.finished, kept.0.len(), codes(&state)), (true, 6, vec![]));
    let asked = server.asked.lock().unwrap();
    assert_eq!(asked.iter().filter(|(path, _)| path.starts_with("/file/")).count(), 6, "{asked:?}");
    drop(asked);
    let server = serve(|base, path| match path.contains("resumptionToken=p3") {
        true => xml("<error code=\"badResumptionToken\">expired</error>"),
        false => well_behaved(base, path),
    });
    let (state, kept) = once(&server.address, settings());
    assert_eq!((state.finished, kept.0.len(), codes(&state)), (false, 4, vec![("oai-error", 1)]));
}

#[test]
fn a_list_that_goes_round_ends_with_its_reason() {
    let server = serve(|base, path| match path.contains("resumptionToken=p3") {
        true => list(&record(5, &format!("{base}/file/5.txt")), "p2"),
        false => well_behaved(base, path),
    });
    let (state, kept) = once(&server.address, settings());
    assert_eq!((state.finished, kept.0.len(), codes(&state)), (false, 5, vec![("token-repeats", 1)]));
}

#[test]
fn a_busy_server_is_waited_for_as_long_as_it_asks() {
    let mut busy = 0;
    let server = serve(move |base, path| match path.contains("resumptionToken=p2") && busy < 2 {
        true => {
            busy += 1;
            answer("503 Busy\r\nRetry-After: 1", b"")
        }
        false => well_behaved(base, path),
    });
    let began = Instant::now();
    let (state, _) = once(&server.address, settings());
    assert_eq!((state.finished, state.new), (true, 6));
    assert!(began.elapsed() >= Duration::from_secs(2), "{:?}", began.elapsed());
    let server = serve(|_, path| identify(path).unwrap_or_else(|| answer("503 Busy\r\nRetry-After: 86400", b"")));
    let (state, _) = once(&server.address, settings());
    assert_eq!(codes(&state), [("server-busy", 1)]);
}

#[test]
fn what_is_no_protocol_is_named_and_a_broken_page_loses_only_what_is_broken() {
    for (body, code) in [
        ("<!DOCTYPE html><html><body>Moved</body></html>", "not-oai"),
        ("<rss><channel/></rss>", "broken-xml"),
        ("", "broken-xml"),
        ("{\"error\": 1}", "broken-xml"),
    ] {
        let server = serve(move |_, _| answer("200 OK", body.as_bytes()));
        assert_eq!(codes(&once(&server.address, settings()).0), [(code, 1)], "{body}");
    }
    let server = serve(|base, path| match path.contains("resumptionToken=p2") {
        true => {
            let body = record(3, &format!("{base}/file/3.txt")) + "<record><header></broken>" + &record(4, "");
            list(&body, "p3")
        }
        false => well_behaved(base, path),
    });
    let (state, kept) = once(&server.address, settings());
    assert_eq!((state.finished, kept.0.len(), codes(&state)), (true, 5, vec![("broken-xml", 1)]));
}

#[test]
fn everything_a_hostile_server_sends_in_place_of_a_file_is_named_and_the_rest_goes_on() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(&vec![b'a'; 4 << 20]).unwrap();
    let bomb = gzip.finish().unwrap();
    let kinds =
        ["endless", "slow", "bomb", "login", "page", "round", "gone", "zip", "secret", "inside", "none", "good.txt"];
    let server = serve(move |base, path| {
        let all = || (0..).zip(kinds).map(|(id, kind)| record(id, &format!("{base}/{kind}"))).collect::<String>();
        match path {
            _ if identify(path).is_some() => identify(path).unwrap(),
            _ if path.contains("verb=ListRecords") => list(&all(), ""),
            "/robots.txt" => answer("200 OK", b"User-agent: *\nDisallow: /secret\n"),
            "/endless" => [b"ENDLESS".as_slice(), b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"].concat(),
            "/slow" => b"SLOWHTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 1000\r\n\r\n".to_vec(),
            "/bomb" => answer("200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip", &bomb),
            "/login" => answer("302 Found\r\nLocation: /cas/login?service=x", b""),
            "/cas/login?service=x" => answer("200 OK\r\nContent-Type: text/html", b"<input type=password>"),
            "/page" => answer("200 OK\r\nContent-Type: text/html", b"<meta name=citation_pdf_url content=\"/other\">"),
            "/other" => answer("200 OK\r\nContent-Type: text/html", b"<p>Buy it here</p>"),
            "/round" => answer("301 Moved\r\nLocation: /round", b""),
            "/zip" => answer("200 OK\r\nContent-Type: application/zip", b"PK\x03\x04"),
            "/inside" => answer("302 Found\r\nLocation: file:///etc/passwd", b""),
            "/none" => answer("200 OK\r\nContent-Type: text/html", b"<p>No file here</p>"),
            "/good.txt" => file("/file/7.txt"),
            _ => answer("404 Not Found", b""),
        }
    });
    let web = WebSettings { answer_bytes: 1 << 20, answer_time: Duration::from_secs(2), ..settings() };
    let (state, kept) = once(&server.address, web);
    assert_eq!(
        codes(&state),
        [
            ("answer-expands", 1),
            ("answer-large", 1),
            ("answer-slow", 1),
            ("bad-address", 1),
            ("kind-not-read", 1),
            ("login-page", 1),
            ("many-redirects", 1),
            ("no-file-named", 1),
            ("page-for-file", 1),
            ("robots-forbid", 1),
            ("status-refused", 1)
        ]
    );
    assert_eq!((state.finished, kept.0.len()), (true, 1));
}

#[test]
fn addresses_inside_the_network_are_refused_unless_they_are_allowed() {
    let server = serve(well_behaved);
    let (state, _) = once(&server.address, WebSettings { allow_inside: false, ..settings() });
    assert_eq!(codes(&state), [("inside-network", 1)]);
    assert!(server.asked.lock().unwrap().is_empty());
    // By its name, too.
    let named = server.address.replace("127.0.0.1", "localhost");
    assert_eq!(codes(&once(&named, WebSettings { allow_inside: false, ..settings() }).0), [("inside-network", 1)]);
}

#[test]
fn requests_to_a_host_keep_their_distance_and_a_run_its_time() {
    let server = serve(well_behaved);
    let pause = Duration::from_millis(100);
    let (state, _) = once(&server.address, WebSettings { pause, ..settings() });
    assert!(state.finished);
    let asked = server.asked.lock().unwrap();
    assert!(asked.windows(2).all(|two| two[1].1 - two[0].1 >= pause * 9 / 10), "{asked:?}");
    drop(asked);
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    let short = WebSettings { pause, time: Some(Duration::from_millis(700)), ..settings() };
    let mut runs = 0;
    loop {
        let state = run(&server.address, folder.path(), &mut kept, short.clone());
        runs += 1;
        if state.finished {
            break;
        }
        assert!(codes(&state).iter().all(|(code, _)| *code != "time-over"), "that the time is over is nothing wrong");
        assert!(runs < 20, "no run gets on");
    }
    assert!(runs > 1 && kept.0.len() == 6, "{runs}");
    // A run that is too short for anything gives one record nevertheless.
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    let none = WebSettings { time: Some(Duration::ZERO), ..settings() };
    let runs = (1..30).find(|_| run(&server.address, folder.path(), &mut kept, none.clone()).finished);
    assert!(runs.is_some() && kept.0.len() == 6, "{runs:?}");
}

/// A repository whose landing pages name no file and which has records in these formats, of which this is asked.
fn of_formats(formats: &'static [&str], record: impl Fn(&str, &str) -> Vec<u8> + Send + 'static) -> Server {
    serve(move |base, path| match path {
        _ if path.contains("verb=ListMetadataFormats") => {
            let format = |name| format!("<metadataFormat><metadataPrefix>{name}</metadataPrefix></metadataFormat>");
            xml(&formats.iter().map(format).collect::<String>())
        }
        _ if path.contains("verb=GetRecord") => record(base, path),
        _ if path.starts_with("/landing/") => answer("200 OK\r\nContent-Type: text/html", b"<ds-app></ds-app>"),
        _ => well_behaved(base, path),
    })
}

/// A record that names one file of a group.
fn named(id: &str, address: &str) -> String {
    format!(
        "<GetRecord><record><header><identifier>{id}</identifier></header><metadata><mets><fileSec><fileGrp USE=\"ORIGINAL\">\
         <file MIMETYPE=\"text/plain\"><FLocat LOCTYPE=\"URL\" href=\"{address}\"/></file></fileGrp></fileSec></mets>\
         </metadata></record></GetRecord>"
    )
}

/// The number of a record by the request for it.
fn number(path: &str) -> char {
    path.chars().last().unwrap()
}

#[test]
fn where_no_page_names_a_file_the_repository_is_asked_once_a_record_in_a_format_that_names_files() {
    let server = of_formats(&["oai_dc", "ore", "mets"], |base, path| {
        assert!(path.contains("metadataPrefix=mets&identifier=oai%3Aa.org%3A"), "{path}");
        let id = format!("oai:a.org:{}", number(path));
        xml(&named(&id, &format!("{base}/file/{}.txt", number(path))))
    });
    let (state, kept) = once(&server.address, settings());
    assert_eq!((state.finished, state.new, codes(&state)), (true, 6, vec![]));
    assert_eq!(kept.0["oai:a.org:4"].text.trim(), "The tide of day 4 rises over the shore.");
    let asked = |part: &str| server.asked.lock().unwrap().iter().filter(|(path, _)| path.contains(part)).count();
    assert_eq!(["ListMetadataFormats", "GetRecord", "/file/"].map(asked), [1, 6, 6]);
    // Where landing pages name files, or no such format is offered, nothing more is asked.
    let server = serve(well_behaved);
    once(&server.address, settings());
    assert!(server.asked.lock().unwrap().iter().all(|(path, _)| !path.contains("ListMetadataFormats")));
    let server = of_formats(&["oai_dc"], |_, path| panic!("{path}"));
    assert_eq!(codes(&once(&server.address, settings()).0), [("no-file-named", 6)]);
}

#[test]
fn whatever_a_hostile_repository_answers_for_one_record_in_another_format_the_rest_goes_on() {
    let server = of_formats(&["mets"], |base, path| match number(path) {
        '1' => [b"ENDLESS".as_slice(), b"HTTP/1.1 200 OK\r\n\r\n"].concat(),
        '2' => xml(&named("oai:a.org:5", &format!("{base}/file/2.txt"))),
        '3' => xml(&named("oai:a.org:3", "file:///etc/passwd")),
        '4' => xml("<error code=\"cannotDisseminateFormat\"/>"),
        '5' => answer("200 OK", b"<html>Moved</html>"),
        _ => xml(&named("oai:a.org:6", &format!("{base}/landing/6"))),
    });
    let web = WebSettings { answer_bytes: 1 << 20, ..settings() };
    let (state, kept) = once(&server.address, web);
    assert_eq!(
        (state.finished, kept.0.len(), codes(&state)),
        (true, 0, vec![("bad-address", 1), ("no-file-named", 5)])
    );
    // Formats that cannot be had are none; one record of a server that is down for a while comes with the next run.
    let server = serve(|base, path| match path {
        _ if path.contains("verb=ListMetadataFormats") => answer("404 Not Found", b""),
        "/landing/1" => answer("200 OK\r\nContent-Type: text/html", b"<ds-app></ds-app>"),
        _ => well_behaved(base, path),
    });
    assert_eq!(codes(&once(&server.address, settings()).0), [("no-file-named", 1)]);
    let down = Arc::new(Mutex::new(true));
    let is_down = down.clone();
    let server = of_formats(&["mets"], move |base, path| match number(path) {
        '3' if *is_down.lock().unwrap() => answer("500 Out of order", b""),
        of => xml(&named(&format!("oai:a.org:{of}"), &format!("{base}/file/{of}.txt"))),
    });
    let (folder, mut kept) = (tempfile::tempdir().unwrap(), Kept_::default());
    let state = run(&server.address, folder.path(), &mut kept, settings());
    assert_eq!((state.documents, codes(&state)), (5, vec![("status-refused", 1)]));
    *down.lock().unwrap() = false;
    assert_eq!(run(&server.address, folder.path(), &mut kept, settings()).documents, 6);
}
