//! Scanned theses: pages drawn, put into a PDF file as pictures, and read by OCR.

use super::accuracy::{accuracy, read, read_with};
use super::made::MADE;
use crate::formats::pdf;
use crate::program::{Bench, Csv, REFERENCE, check, copytrace, project, text, wait_for};
use crate::serve::server::Server;
use copytrace::formats::input::ReadLimits;
use copytrace::text::layout::MarkKind;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The first page of a PDF file, drawn.
fn drawn(original: &Path) -> Vec<u8> {
    let drawn = Command::new("pdftoppm").args(["-l", "1", "-r", "200", "-gray"]).arg(original).output().unwrap();
    assert!(drawn.status.success());
    drawn.stdout
}

/// A PDF file of its picture.
fn scanned(original: &Path) -> Vec<u8> {
    pdf::of_picture(&drawn(original))
}

/// The same with a text layer, which has at the place of each word what that is said to be.
fn with_layer(original: &Path, mut said: impl FnMut(&str) -> String) -> Vec<u8> {
    let words = Command::new("pdftotext").args(["-l", "1", "-bbox"]).arg(original).arg("-").output().unwrap();
    let words = text(&words.stdout);
    let layer = words.lines().filter_map(|line| {
        let (place, word) = line.trim().strip_prefix("<word ")?.strip_suffix("</word>")?.split_once('>')?;
        let numbers: Vec<f64> = place.split('"').filter_map(|number| number.parse().ok()).collect();
        let [left, _, right, bottom] = numbers[..] else { return None };
        let word: String = said(word).chars().filter(|c| c.is_ascii() && !matches!(c, '(' | ')' | '\\')).collect();
        // Letters of Courier are .6 of their size wide.
        let wide = 100.0 * (right - left) / (6.0 * word.len().max(1) as f64);
        Some(format!("{wide} Tz 1 0 0 1 {left} {} Tm ({word}) Tj\n", 844.0 - bottom))
    });
    pdf::of_picture_and(&drawn(original), &format!("BT 3 Tr /F 10 Tf\n{}ET", layer.collect::<String>()))
}

#[test]
fn the_text_layer_of_a_scan_is_compared_with_its_picture_by_ocr_and_told_to_be_none_without() {
    let bench = Bench::new();
    let original = MADE.path("english.pdf");
    let own = "Our team walked along the old canal for an hour and wrote down each boat that was tied to the bank, who \
        owned it, when it had last been painted, and whether its engine still ran on days of frost";
    let mut words = own.split(' ').cycle();
    bench.write("in/lying.pdf", with_layer(&original, |_| words.next().unwrap().to_owned()));
    bench.write("in/true.pdf", with_layer(&original, str::to_owned));
    let checked = |ocr: &[&str]| {
        let report = bench.path("report");
        assert!(check(bench.path("in"), REFERENCE, &report).args(ocr).output().unwrap().status.success());
        let flags = Csv::read(&report.join("flags.csv"));
        let flags: Vec<String> =
            flags.rows().iter().map(|row| row["submission"].clone() + " " + &row["kind"]).collect();
        (Csv::read(&report.join("summary.csv")).rows().to_vec(), flags)
    };
    let is_told = |row: &BTreeMap<String, String>| {
        row["copy_ratio"].is_empty() && row["not_compared"].starts_with("pictures-with-text")
    };
    // What was found in another text was compared: of the true layer nearly all.
    let (rows, flags) = checked(&[]);
    assert_eq!(rows.iter().map(is_told).collect::<Vec<_>>(), [true, false], "{rows:?}");
    assert!(flags.iter().all(|flag| !flag.contains("text_layer")), "{flags:?}");
    let (rows, flags) = checked(&["--ocr"]);
    let ratios: Vec<f64> = rows.iter().map(|row| row["copy_ratio"].parse().unwrap()).collect();
    assert!(ratios.iter().all(|ratio| *ratio > 0.1), "{rows:?}");
    let of_layers: Vec<&String> = flags.iter().filter(|flag| flag.contains("text_layer")).collect();
    assert_eq!(of_layers, ["lying.pdf text_layer"]);
}

#[test]
fn a_scanned_thesis_is_read_by_ocr_and_its_passages_are_found() {
    let bench = Bench::new();
    // A wrong character counts twice, as one too many and one missing.
    for (name, bar) in [("english", 0.97), ("chinese", 0.85)] {
        let scan = bench.write(format!("in/{name}.pdf"), scanned(&MADE.path(&format!("{name}.pdf"))));
        let original = read(&MADE.path(&format!("{name}.pdf")));
        let first_page = original.layout.marks().iter().find(|mark| mark.kind == MarkKind::Page(1)).unwrap();
        let truth: String = original.text.chars().take(first_page.end as usize).collect();
        let found = read_with(&scan, &ReadLimits::default().with_ocr()).unwrap();
        // Paragraph by paragraph: the note of the page stands elsewhere, for its raised number is not read.
        let best = |paragraph: &str| found.text.split("\n\n").map(|read| accuracy(paragraph, read)).fold(0.0, f64::max);
        let (mut right, mut all) = (0.0, 0.0);
        for paragraph in truth.split("\n\n").filter(|paragraph| paragraph.chars().count() > 100) {
            let characters = paragraph.chars().count() as f64;
            right += best(paragraph) * characters;
            all += characters;
        }
        println!("{name}: characters {:.4}", right / all);
        assert!(right / all >= bar, "{name}: {:.4} of\n{truth}\nread as\n{}", right / all, found.text);
        assert_eq!(found.layout.pages(), 1);
    }

    let checked = |ocr: &[&str]| {
        let report = bench.path("report");
        let code = check(bench.path("in"), REFERENCE, &report).args(ocr).output().unwrap().status.code();
        (code, Csv::read(&report.join("summary.csv")), Csv::read(&report.join("passages.csv")))
    };
    let (code, summary, _) = checked(&[]);
    assert_eq!(code, Some(3));
    assert!(summary.rows().iter().all(|row| row["message"] == "no text layer: needs OCR (--ocr)"));
    let (code, summary, passages) = checked(&["--ocr"]);
    assert_eq!(code, Some(0));
    assert!(summary.rows().iter().all(|row| row["status"] == "ok"));
    for (scan, source) in
        [("english.pdf", "en-ref-01-tidal-marsh.txt"), ("chinese.pdf", "zh-ref-01-tea-cooperative.txt")]
    {
        let mut rows = passages.rows().iter();
        assert!(rows.any(|row| row["submission"] == scan && row["source"] == source), "{scan}");
    }
}

#[test]
fn a_scan_that_is_put_in_at_a_desk_is_read_and_one_without_text_is_named() {
    let bench = Bench::new();
    let (server, path) = Server::desk(&bench.path("desk")).unwrap();
    let mut person = server.nobody();
    assert_eq!(person.get(&path).status, 303);
    let scan = scanned(&MADE.path("english.pdf"));
    let source = fs::read(project("corpora/demo/reference/en-ref-01-tidal-marsh.txt")).unwrap();
    let empty = pdf::of_empty_pages(2);
    let files: [(&str, &[u8]); 3] = [("scan.pdf", &scan), ("marsh.txt", &source), ("empty.pdf", &empty)];
    let check = person.upload_all("/desk/checks", &[("limit", "20"), ("among", "true")], &files).place().to_owned();
    wait_for("the end of a check", || person.get(&format!("{check}/progress")).body.is_empty().then_some(()));
    let page = person.get(&check).text();
    let row = |name: &str| page.split("<tr").find(|row| row.contains(name)).unwrap_or_else(|| panic!("{page}"));
    let ratio = row("scan.pdf").split("data-ratio=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(ratio.parse::<f64>().unwrap() > 0.1, "{ratio}");
    assert!(row("empty.pdf").contains("no text in it"), "{page}");
}

#[test]
fn ocr_has_limits_and_says_what_it_needs() {
    let bench = Bench::new();
    let path = bench.write("empty.pdf", pdf::of_empty_pages(3));
    let error = |limits: ReadLimits| read_with(&path, &limits).unwrap_err().reason().to_string();
    assert_eq!(error(ReadLimits::default()), "no text layer: needs OCR (--ocr)");
    let ocr = ReadLimits::default().with_ocr();
    assert_eq!(error(ocr.clone()), "no text in it");
    let limits = ReadLimits { ocr_pages: 2, ..ocr.clone() };
    assert_eq!(error(limits), "too large: 3 pages without a readable text layer; OCR reads 2 at most");
    let limits = ReadLimits { ocr_time: Duration::ZERO, ..ocr };
    assert_eq!(error(limits), "too large: OCR takes more than 0 seconds of processor time");

    #[cfg(unix)]
    {
        let programs = bench.path("programs");
        fs::create_dir(&programs).unwrap();
        for program in ["pdftotext", "pdftoppm"] {
            let found = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map(|bin| Path::new(bin).join(program));
            let found = found.into_iter().find(|path| path.exists()).unwrap();
            std::os::unix::fs::symlink(found, programs.join(program)).unwrap();
        }
        let mut command = copytrace();
        command.arg("compare").arg(&path).arg(&path).arg("--ocr").env("PATH", &programs);
        let said = text(&command.output().unwrap().stderr);
        assert!(said.contains("no text layer; to read it, install poppler-utils, tesseract-ocr"), "{said}");
    }
}

/// A page of a text in Helvetica, whose font says of each letter of `from` that it is the one at its place in `to`.
fn saying(text: &str, from: &str, to: &str) -> Vec<u8> {
    let pairs: String = from.bytes().zip(to.bytes()).map(|(from, to)| format!("<{from:02x}> <{to:04x}>\n")).collect();
    let map = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n1 begincodespacerange <00> <ff> endcodespacerange\n\
         {} beginbfchar\n{pairs}endbfchar endcmap end end",
        from.len()
    );
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < 80 => *line += &format!("{word} "),
            _ => lines.push(format!("{word} ")),
        }
    }
    let shown: String = lines.iter().take(50).map(|line| format!("({line}) Tj T*\n")).collect();
    pdf::of_objects(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_vec(),
        pdf::stream("", format!("BT /F 11 Tf 14 TL 60 780 Td\n{shown}ET").as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>".to_vec(),
        pdf::stream("", map.as_bytes()),
    ])
}

#[test]
fn a_font_that_shows_one_letter_and_says_another_is_found_by_ocr_and_its_page_is_read_from_the_picture() {
    let bench = Bench::new();
    let text = fs::read_to_string(project("corpora/demo/reference/en-ref-01-tidal-marsh.txt")).unwrap();
    let text: String = text.chars().filter(|c| c.is_ascii() && !matches!(c, '(' | ')' | '\\')).take(2500).collect();
    // As frequent letters as those shown, so that the letters alone tell nothing.
    bench.write("in/lying.pdf", saying(&text, "aeinorstldhcumfpgwyb", "einorstlahdmcufgpywb"));
    bench.write("in/honest.pdf", saying(&text, "aeinorst", "aeinorst"));
    let checked = |ocr: &[&str]| {
        let report = bench.path("report");
        assert!(check(bench.path("in"), REFERENCE, &report).args(ocr).output().unwrap().status.success());
        let ratio = |name: &str| {
            let summary = Csv::read(&report.join("summary.csv"));
            let row = summary.rows().iter().find(|row| row["submission"] == name).unwrap().clone();
            row["copy_ratio"].parse::<f64>().unwrap()
        };
        let flags = Csv::read(&report.join("flags.csv"));
        let flags: Vec<(String, String)> =
            flags.rows().iter().map(|row| (row["submission"].clone(), row["kind"].clone())).collect();
        (ratio("honest.pdf"), ratio("lying.pdf"), flags)
    };
    // Without its picture it is solved as a cipher.
    let (honest, lying, flags) = checked(&[]);
    assert!(honest > 0.9 && lying > 0.9, "{honest} {lying}");
    assert_eq!(flags, [("lying.pdf".to_owned(), "replaced_letters".to_owned())]);
    let (honest, lying, flags) = checked(&["--ocr"]);
    assert!(honest > 0.9 && lying > 0.8, "{honest} {lying}");
    assert_eq!(flags, [("lying.pdf".to_owned(), "text_layer".to_owned())]);
}
