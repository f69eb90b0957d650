//! Collections that are harvested again and again.

use crate::generator::{Generator, Recipe};
use crate::harvest::dump;
use crate::program::{Bench, wait_for};
use crate::serve::server::{Person, Server};
use std::io::{Read, Write};
use std::net::TcpListener;

/// A collection, and the page of its sources.
fn collection(administrator: &mut Person<'_>) -> (String, String) {
    let place = administrator.form("/collections", &[("name", "Open"), ("wording", "everyone")]).place().to_owned();
    let page = format!("{place}/harvests");
    (place, page)
}

/// The text of a page without its marks.
fn words(page: &str) -> String {
    page.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_collection_is_harvested_from_a_dump_and_again_and_takes_only_changes() {
    let bench = Bench::new();
    let source = dump(&bench, 20, 0..0);
    let intake = bench.path("").canonicalize().unwrap();
    let server = Server::start(&bench.path("data"), &["--intake", intake.to_str().unwrap()]);
    let mut administrator = server.administrator();
    let (place, page) = collection(&mut administrator);
    let source = source.canonicalize().unwrap();
    let fields = [("source", source.to_str().unwrap()), ("contact", ""), ("licence", ""), ("days", "7")];
    assert_eq!(administrator.form(&page, &fields).status, 303);
    administrator.settle();
    let shown = words(&administrator.get(&page).text());
    assert!(shown.contains("20") && shown.contains("finished"), "{shown}");
    assert!(administrator.get(&place).text().contains("https://en.wikipedia.org/wiki/Article_7"));
    assert_eq!(administrator.form(&page, &fields).status, 409, "a source is there once");

    dump(&bench, 15, 3..5);
    let run = administrator.get(&page).text();
    let run = run
        .split("action=\"")
        .find(|form| form.starts_with("/harvests/"))
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(administrator.form(&run, &[]).status, 303);
    administrator.settle();
    let shown = words(&administrator.get(&page).text());
    assert!(shown.contains("removed") && shown.contains('5'), "{shown}");
    assert!(!administrator.get(&place).text().contains("Article_17"));
    assert_eq!(administrator.form(&run.replace("/run", "/remove"), &[]).status, 303);
    assert!(administrator.get(&place).text().contains("Article_7"), "its documents stay");
    let audit = administrator.get("/audit").text();
    for action in ["add_harvest", "run_harvest", "remove_harvest"] {
        assert!(audit.contains(action), "{action}");
    }
}

#[test]
fn what_nobody_may_read_is_no_source() {
    let bench = Bench::new();
    let source = dump(&bench, 2, 0..0);
    let server = Server::start(&bench.path("data"), &[]);
    let mut administrator = server.administrator();
    let (_, page) = collection(&mut administrator);
    let database = server.data.join("service.db").display().to_string();
    for (source, contact) in [
        (source.to_str().unwrap(), ""),
        (database.as_str(), ""),
        ("https://example.org/oai", ""),
        ("files:/etc", "a@example.org"),
    ] {
        let reply =
            administrator.form(&page, &[("source", source), ("contact", contact), ("licence", ""), ("days", "7")]);
        assert_eq!(reply.status, 422, "{source}");
    }
    // An address inside the network is refused when it is asked, and the page says so.
    let inside = [("source", "http://127.0.0.1:9/oai"), ("contact", "a@example.org"), ("licence", ""), ("days", "0")];
    assert_eq!(administrator.form(&page, &inside).status, 303);
    administrator.settle();
    let shown = administrator.get(&page).text();
    assert!(shown.contains("127.0.0.1 is inside the network"), "{}", words(&shown));
}

/// A repository of some records whose files are pages of text and one that is no PDF; it answers until the process ends.
fn repository(texts: Vec<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let at = base.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut asked) = (stream.unwrap(), [0; 4096]);
            let read = stream.read(&mut asked).unwrap_or(0);
            let path = String::from_utf8_lossy(&asked[..read]).split(' ').nth(1).unwrap_or_default().to_owned();
            let oai =
                |body: &str| format!("<OAI-PMH><responseDate>2026-01-01T00:00:00Z</responseDate>{body}</OAI-PMH>");
            let record = |number: usize| {
                format!(
                    "<record><header><identifier>oai:x:{number}</identifier><datestamp>2026-01-01</datestamp></header><metadata><dc>\
                     <title>Thesis {number}</title><identifier>{at}/file/{number}.{}</identifier></dc></metadata></record>",
                    if number == 3 { "pdf" } else { "txt" }
                )
            };
            let (kind, body) = match &path {
                path if path.contains("verb=Identify") => (
                    "text/xml",
                    oai(
                        "<Identify><repositoryName>Theses</repositoryName><granularity>YYYY-MM-DD</granularity></Identify>",
                    ),
                ),
                path if path.contains("verb=ListRecords") => {
                    let records: String = (0..texts.len()).map(record).collect();
                    ("text/xml", oai(&format!("<ListRecords>{records}</ListRecords>")))
                }
                path if path.ends_with("3.pdf") => ("application/pdf", "%PDF-1.7 and nothing else".to_owned()),
                path if path.contains("/file/") => {
                    let number: usize = path.rsplit('/').next().unwrap().split('.').next().unwrap().parse().unwrap();
                    ("text/plain", texts[number].clone())
                }
                _ => ("text/plain", String::new()),
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    base
}

#[test]
fn a_repository_inside_the_network_is_harvested_where_the_server_says_so_and_a_kill_loses_nothing() {
    let bench = Bench::new();
    let texts: Vec<String> = Generator::new(Recipe { length: 60, ..Recipe::english(5) }).collect();
    let base = repository(texts);
    let data = bench.path("data");
    let server = Server::start(&data, &["--harvest-inside"]);
    let mut administrator = server.administrator();
    let (place, page) = collection(&mut administrator);
    let address = format!("{base}/oai");
    let fields = [("source", address.as_str()), ("contact", "a@example.org"), ("licence", "CC BY 4.0"), ("days", "1")];
    assert_eq!(administrator.form(&page, &fields).status, 303);
    // In the middle of the files, between which there are two seconds.
    wait_for("the run to begin", || administrator.get(&page).text().contains("in progress").then_some(()));
    std::thread::sleep(std::time::Duration::from_secs(4));
    let cookie = administrator.cookie.clone();
    server.kill();
    let server = Server::start(&data, &["--harvest-inside"]);
    let mut administrator = server.nobody();
    administrator.cookie = cookie;
    administrator.settle();
    let listed = words(&administrator.get(&place).text());
    for number in [0, 1, 2, 4] {
        assert!(listed.contains(&format!("oai:x:{number}")), "{listed}");
    }
    assert!(!listed.contains("oai:x:3"));
    let shown = words(&administrator.get(&page).text());
    assert!(shown.contains("oai:x:3") && shown.contains("finished"), "{shown}");
}
