//! Archives that are not all well: a file that is bad is one row with its reason.

use crate::program::Bench;
use crate::serve::server::{College, Server};
use serde_json::json;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

/// Bytes in the place of others, as often as they stand there.
fn replaced(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    for at in 0..=bytes.len() - from.len() {
        if &bytes[at..at + from.len()] == from {
            bytes[at..at + from.len()].copy_from_slice(to);
        }
    }
    bytes
}

#[test]
fn a_bad_member_is_one_row_with_its_reason_and_names_are_read_as_the_program_reads_them() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let text = "The marsh was measured from a boat at every second tide, and what was found is told here.";
    let long = format!("s1_{}.txt", "论".repeat(85));
    let gbk = encoding_rs::GBK.encode("s2_潮汐.txt").0.into_owned();
    let placeholder = "#".repeat(gbk.len());
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in
        [(long.as_str(), text), (&placeholder, text), ("s3_bad.txt", "THESE BYTES ARE CHANGED"), ("x_9.txt", text)]
    {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        writer.start_file(name, options).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    let archive = replaced(writer.finish().unwrap().into_inner(), placeholder.as_bytes(), &gbk);
    let archive = replaced(archive, b"THESE BYTES", b"THOSE BYTES");
    let mut program = college.administrator.clone().program(&["submit", "read"]);
    let path = format!("/api/v1/rounds/{}/batches", college.round);
    let taken = program.upload(&path, &[("kind", "draft")], "t.zip", &archive);
    assert_eq!(taken.status, 201, "{}", taken.text());
    let told = taken.json();
    let row = |name: &str| {
        let rows = told["files"].as_array().unwrap();
        rows.iter()
            .find(|row| row["name"].as_str().unwrap().starts_with(name))
            .unwrap_or_else(|| panic!("{told}"))
            .clone()
    };
    assert_eq!(row("s1_论")["number"], "s1");
    assert_eq!((&row("s2_潮汐")["number"], &row("s2_潮汐")["problem"]), (&json!("s2"), &json!(null)));
    assert_eq!(row("s3_bad")["number"], json!(null));
    assert!(row("s3_bad")["problem"].as_str().unwrap().contains("damaged"), "{told}");
    let mut administrator = college.administrator.clone();
    let id = told["id"].as_str().unwrap();
    assert!(administrator.get(&format!("/batches/{id}")).text().contains("damaged"));
    let started = program.request("POST", &format!("/api/v1/batches/{id}"), &[], b"").json();
    let submissions = started["submissions"].as_array().unwrap().clone();
    assert_eq!(submissions.len(), 2, "{started}");
    for submission in submissions {
        let told = program.wait_for(submission.as_str().unwrap());
        assert_eq!(told["status"]["state"], "done", "{told}");
    }
    // Into a collection: what is well is added, and the rest told.
    let place = format!("/collections/{}", college.open);
    assert_eq!(administrator.upload(&format!("{place}/upload"), &[], "t.zip", &archive).status, 303);
    college.settle();
    let page = administrator.get(&place).text();
    assert!(page.contains("added: 3") && page.contains("s3_bad.txt") && page.contains("s2_潮汐.txt"), "{page}");
}
