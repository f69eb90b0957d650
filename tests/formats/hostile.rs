//! Files made to do harm: each is named with its status, and the batch goes on.

use super::pdf;
use crate::program::{Bench, Csv, REFERENCE, check};
use assert_cmd::Command;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const GOOD: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek. \
    Engineers who build dykes in front of it starve the surface.";

fn archive(path: &Path, entries: &[(&str, &[u8])]) {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// The main part of a Word document.
fn word(before: &str, body: &str) -> Vec<u8> {
    format!(
        "<?xml version=\"1.0\"?>{before}<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
         <w:body>{body}</w:body></w:document>"
    )
    .into_bytes()
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn objects(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn write_all(folder: &Path) {
    let path = |name: &str| folder.join(name);
    fs::write(path("good.txt"), GOOD).unwrap();

    let megabytes = vec![b' '; 64 << 20];
    archive(&path("bomb.docx"), &[("word/document.xml", &megabytes)]);
    archive(
        &path("bomb.odt"),
        &[("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", &megabytes)],
    );
    archive(&path("inner.zip.txt"), &[("a.txt", GOOD.as_bytes())]);
    let inner = fs::read(path("inner.zip.txt")).unwrap();
    fs::remove_file(path("inner.zip.txt")).unwrap();
    archive(&path("nested.zip"), &[("inner.zip", &inner), ("good.txt", GOOD.as_bytes())]);

    let mut entities = String::from("<!DOCTYPE w [<!ENTITY a0 \"laughs laughs laughs\">");
    for level in 1..12 {
        entities += &format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    }
    entities += "]>";
    archive(&path("entities.docx"), &[("word/document.xml", &word(&entities, &paragraph(&format!("{GOOD} &a11;"))))]);
    let outside = [("word/document.xml", word("", &paragraph(GOOD))), ("../../outside.txt", b"outside".to_vec())];
    archive(&path("outside.docx"), &outside.each_ref().map(|(name, bytes)| (*name, bytes.as_slice())));
    archive(&path("deep.docx"), &[("word/document.xml", &word("", &"<w:p>".repeat(100_000)))]);
    archive(&path("torn.docx"), &[("word/document.xml", &word("", "<w:p><w:r><w:t>torn")[..150])]);
    fs::write(path("deep.rtf"), format!("{{\\rtf1 {}", "{\\b ".repeat(200_000))).unwrap();
    fs::write(path("deep.tex"), "\\emph{\\footnote{".repeat(50_000)).unwrap();
    fs::write(path("dollars.tex"), "$\\[\\cite{".repeat(100_000)).unwrap();
    fs::write(path("deep.html"), "<div><b><table>".repeat(100_000)).unwrap();

    let ring = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 9>>",
        "<</Type/Pages/Kids[2 0 R]/Count 3>>",
    ];
    fs::write(path("ring.pdf"), pdf::of_objects(&objects(&ring))).unwrap();
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>";
    let font = "<</Type/Font/Subtype/Type1/BaseFont/Odd/Encoding<</Type/Encoding/Differences[65/g1/g2/g3/g4/g5]>>>>";
    let mut plain = objects(&["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page]);
    let content = "BT /F 12 Tf 50 700 Td (ABCDE EDCBA) Tj ET";
    plain.push(pdf::stream("", content.as_bytes()));
    plain.push(font.as_bytes().to_vec());
    fs::write(path("no-map.pdf"), pdf::of_objects(&plain)).unwrap();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&vec![b' '; 200 << 20]).unwrap();
    plain[3] = pdf::stream("/Filter/FlateDecode", &encoder.finish().unwrap());
    fs::write(path("bomb.pdf"), pdf::of_objects(&plain)).unwrap();
    plain[3] = pdf::stream("", b"");
    fs::write(path("scan.pdf"), pdf::of_objects(&plain)).unwrap();
    fs::write(path("noise.pdf"), [b"%PDF-1.4\n".as_slice(), &[0xA7; 5000]].concat()).unwrap();
    // A page of 1 GiB, of which the file system keeps nothing.
    File::create(path("huge.html")).unwrap().set_len(1 << 30).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", path("link.txt")).unwrap();
}

/// What must be said of each file; `ok` where it is read.
const STATUS: &[(&str, &str)] = &[
    ("good.txt", "ok"),
    ("bomb.docx", "expands to more than"),
    ("bomb.odt", "expands to more than"),
    ("nested.zip/inner.zip", "an archive inside an archive"),
    ("nested.zip/good.txt", "ok"),
    ("entities.docx", "ok"),
    ("outside.docx", "ok"),
    ("deep.docx", "more than 256 levels"),
    ("torn.docx", "damaged"),
    ("deep.rtf", "more than 256 levels"),
    ("ring.pdf", ""),
    ("no-map.pdf", ""),
    ("bomb.pdf", "no text layer"),
    ("scan.pdf", "no text layer: needs OCR (--ocr)"),
    ("noise.pdf", "cut off or broken"),
    ("huge.html", "larger than the limit"),
    ("deep.tex", ""),
    ("dollars.tex", ""),
    ("deep.html", ""),
];

/// The summary of a check of all hostile files, by a command that is changed before it runs.
fn checked(change: impl FnOnce(&mut Command)) -> Csv {
    let bench = Bench::new();
    let (submissions, report) = (bench.path("in"), bench.path("report"));
    fs::create_dir(&submissions).unwrap();
    write_all(&submissions);
    let corpus = bench.write("corpus/source.txt", GOOD);
    let mut command = check(&submissions, &corpus, &report);
    change(&mut command);
    command.assert().code(3);
    assert!(!bench.folder().parent().unwrap().join("outside.txt").exists());
    Csv::read(&report.join("summary.csv"))
}

#[test]
fn each_hostile_file_has_a_status_and_the_rest_is_checked() {
    let summary = checked(|_| {});
    for (name, expected) in STATUS {
        let row = summary.rows().iter().find(|row| row["submission"] == *name);
        let row = row.unwrap_or_else(|| panic!("no row for {name}"));
        if *expected == "ok" {
            assert_eq!((row["status"].as_str(), row["message"].as_str()), ("ok", ""), "{name}");
        } else {
            assert!(row["status"] == "ok" || !row["message"].is_empty(), "{name}");
            assert!(row["message"].contains(expected), "{name}: {}", row["message"]);
        }
    }
    #[cfg(unix)]
    assert!(
        summary.rows().iter().any(|row| row["submission"] == "link.txt" && row["message"].contains("leads out of"))
    );
}

#[test]
fn hostile_pdf_files_are_survived_where_no_program_is_installed() {
    let summary = checked(|command| {
        command.env("PATH", "");
    });
    pdf_files_are_survived(&summary);
}

mod slow {
    use super::{checked, pdf_files_are_survived};

    #[test]
    fn with_ocr_hostile_files_are_survived_too() {
        let summary = checked(|command| {
            command.arg("--ocr");
        });
        pdf_files_are_survived(&summary);
        let row = summary.rows().iter().find(|row| row["submission"] == "scan.pdf").unwrap();
        assert_eq!(row["message"], "no text in it");
    }
}

fn pdf_files_are_survived(summary: &Csv) {
    for name in ["ring.pdf", "no-map.pdf", "bomb.pdf", "scan.pdf", "noise.pdf"] {
        let row = summary.rows().iter().find(|row| row["submission"] == name).unwrap();
        assert!(row["status"] == "ok" || !row["message"].is_empty(), "{name}");
    }
    assert!(summary.rows().iter().any(|row| row["submission"] == "good.txt" && row["status"] == "ok"));
}

/// Signs that the search for quotations, citations and headings stops at, and what is said of ten megabytes of them.
const SIGNS: &[(&str, &str, &str)] = &[
    ("quotes.txt", "“", "too short"),
    ("brackets.txt", "[(（", "too short"),
    ("citations.txt", "[12] (Smith, 2019) ", ""),
    ("chapters.txt", "第一章\n", ""),
    ("references.txt", "References\n", ""),
    ("formulas.tex", "$", "no text in it"),
    ("quotations.html", "<blockquote><sup>1</sup>", ""),
    ("notes.html", "<a epub:type=noteref href=#a>1</a><aside epub:type=footnote id=a>", "no text in it"),
];

#[test]
fn ten_megabytes_of_one_sign_are_survived() {
    let bench = Bench::new();
    for (name, sign, _) in SIGNS {
        bench.write(format!("in/{name}"), sign.repeat((10 << 20) / sign.len()));
    }
    bench.write("in/long.txt", "a marsh ".repeat(25 << 17));
    check(bench.path("in"), REFERENCE, bench.path("report")).args(["--format", "csv"]).assert().code(3);
    let summary = Csv::read(&bench.path("report/summary.csv"));
    assert_eq!(summary.rows().len(), SIGNS.len() + 1);
    for (name, message) in SIGNS.iter().map(|(name, _, message)| (*name, *message)).chain([("long.txt", "MiB of text")])
    {
        let row = summary.rows().iter().find(|row| row["submission"] == name).unwrap();
        assert!(row["message"].contains(message), "{name}: {}", row["message"]);
        assert_eq!(row["status"] != "error", message.is_empty(), "{name}: {}", row["message"]);
    }
}
