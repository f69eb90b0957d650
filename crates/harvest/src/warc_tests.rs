use super::*;
use crate::record::Records;
use copytrace_job::Job;
use std::io::Write;

/// A record as writers of WARC 1.0 make it.
fn record(kind: &str, address: &str, media_type: &str, body: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: <{address}>\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n\
         Content-Type: {media_type}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    record.extend_from_slice(body);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

fn answer(head: &str, body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 {}\r\n\r\n", head.replace('\n', "\r\n")).into_bytes();
    answer.extend_from_slice(body);
    answer
}

const HTTP: &str = "application/http; msgtype=response";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Pages as crawlers meet them.
fn records() -> Vec<Vec<u8>> {
    let chunked = b"5\r\n<p>Ti\r\n1a;x=y\r\ndes rise twice each day.</\r\n2\r\np>\r\n0\r\n\r\n";
    let gbk: Vec<u8> = encoding_rs::GBK.encode("<p>潮水每天涨落两次。</p>").0.into_owned();
    vec![
        record("warcinfo", "", "application/warc-fields", b"software: test\r\n"),
        record("request", "http://a.org/1", "application/http; msgtype=request", b"GET / HTTP/1.1\r\n\r\n"),
        record(
            "response",
            "http://a.org/1",
            HTTP,
            &answer(
                "200 OK\nContent-Type: text/html",
                b"<nav><a href=/>Home</a></nav><h1>Ebb</h1><p>The ebb leaves silt behind.</p>",
            ),
        ),
        record("response", "http://a.org/moved", HTTP, &answer("301 Moved\nLocation: /1", b"<p>Moved</p>")),
        record(
            "response",
            "http://a.org/2",
            HTTP,
            &answer("200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked", chunked),
        ),
        record("response", "http://a.org/3", HTTP, &answer("200 OK\nContent-Type: text/html; charset=GBK", &gbk)),
        record(
            "response",
            "http://a.org/4",
            HTTP,
            &answer(
                "200 OK\nContent-Type: text/html\nContent-Encoding: gzip",
                &gzip(b"<p>The flood brings it back.</p>"),
            ),
        ),
        record("response", "http://a.org/a.png", HTTP, &answer("200 OK\nContent-Type: image/png", b"\x89PNG")),
        record("response", "http://a.org/a.zip", HTTP, &answer("200 OK\nContent-Type: application/zip", b"PK\x03\x04")),
        record("conversion", "http://a.org/5", "text/plain", "Spring tides follow the new moon.\n".as_bytes()),
    ]
}

const TEXTS: [&str; 5] = [
    "The ebb leaves silt behind.",
    "Tides rise twice each day.",
    "潮水每天涨落两次。",
    "The flood brings it back.",
    "Spring tides follow the new moon.",
];

fn items(bytes: &[u8], place: &str) -> (Vec<String>, Vec<Reason>, Option<Reason>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.warc");
    std::fs::write(&path, bytes).unwrap();
    let mut records = WarcRecords::open(&path, Metadata::default()).unwrap();
    if !place.is_empty() {
        records.resume(place);
    }
    let (mut texts, mut failed, mut stopped) = (Vec::new(), Vec::new(), None);
    while let Some(item) = records.next(&|_, _| false, &Job::default()) {
        match item {
            Item::Record(record) => {
                let (document, _) = record.read(&Default::default()).unwrap();
                assert_eq!(document.metadata.url.as_ref(), Some(&document.id));
                assert_eq!(document.metadata.date.as_deref(), Some("2024-05-01T10:00:00Z"));
                texts.push(document.text.trim().to_owned());
            }
            Item::Failed(failure) => failed.push(failure.reason),
            Item::Stopped(failure) => stopped = Some(failure.reason),
            _ => panic!(),
        }
    }
    (texts, failed, stopped, records.place())
}

#[test]
fn pages_of_a_crawl_give_their_main_text_however_they_are_packed() {
    let all = records();
    let dictionary = b"The ebb leaves silt behind. WARC/1.0 Content-Type: text/html".repeat(8);
    let mut with_dictionary =
        [&[0x5d, 0x2a, 0x4d, 0x18][..], &(dictionary.len() as u32).to_le_bytes(), &dictionary].concat();
    for record in &all {
        let mut packed = zstd::stream::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
        packed.write_all(record).unwrap();
        with_dictionary.extend(packed.finish().unwrap());
    }
    let each = |pack: fn(&[u8]) -> Vec<u8>| all.iter().flat_map(|record| pack(record)).collect::<Vec<u8>>();
    let forms = [
        each(|record| record.to_vec()),
        each(gzip),
        each(|record| zstd::encode_all(record, 3).unwrap()),
        with_dictionary,
    ];
    for (form, bytes) in forms.iter().enumerate() {
        let (texts, failed, stopped, _) = items(bytes, "");
        assert_eq!(
            (texts.iter().map(|text| text.lines().last().unwrap()).collect::<Vec<_>>(), stopped),
            (TEXTS.to_vec(), None),
            "form {form}"
        );
        assert_eq!(failed, [Reason::KindNotRead { kind: "application/zip".to_owned() }]);
        assert!(!texts[0].contains("Home"), "a menu is no text");
    }
}

#[test]
fn a_truncated_archive_gives_what_came_before_and_the_reason() {
    let whole: Vec<u8> = records().iter().flat_map(|record| gzip(record)).collect();
    let (texts, _, stopped, _) = items(&whole[..whole.len() - 20], "");
    assert_eq!(texts.len(), TEXTS.len() - 1);
    assert!(matches!(stopped, Some(Reason::ArchiveBroken { records: 9, .. })), "{stopped:?}");
    let (texts, _, stopped, _) = items(b"<html>no archive</html>\r\n", "");
    assert!(texts.is_empty() && matches!(stopped, Some(Reason::ArchiveBroken { records: 0, .. })));
}

#[test]
fn an_archive_goes_on_behind_the_records_that_were_read() {
    let whole: Vec<u8> = records().concat();
    let (texts, _, _, end) = items(&whole, "5");
    assert_eq!((texts.len(), end.as_str()), (3, "10"));
    assert_eq!(items(&whole, &end).0.len(), 0);
}

#[test]
fn a_length_that_lies_costs_no_memory() {
    let mut lie = record("response", "http://a.org/1", HTTP, b"x");
    let text = String::from_utf8(lie.clone()).unwrap().replace("Content-Length: 1", "Content-Length: 200000000");
    lie = text.into_bytes();
    let (texts, _, stopped, _) = items(&lie, "");
    assert!(texts.is_empty() && matches!(stopped, Some(Reason::ArchiveBroken { .. })), "{stopped:?}");
}
