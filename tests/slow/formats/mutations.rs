//! Real files with bytes changed, cut out, doubled or put in: they are read or refused, and nothing panics or hangs.
//!
//! `COPYTRACE_MUTATIONS` sets the number of cases, which is 2,000 otherwise; `make fuzz` takes 20,000.

use super::made::MADE;
use crate::program::{Bench, REFERENCE, check};
use copytrace::formats::extract::Format;
use copytrace::formats::input::ReadLimits;
use copytrace::text::structure::Structure;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Pieces that mean something in one format or another.
const TOKENS: [&[u8]; 20] = [
    b"<",
    b">",
    b"</w:p>",
    b"<w:p>",
    b"<w:txbxContent>",
    b"<text:p>",
    b"&#x41;",
    b"&a;",
    b"]]>",
    b"{",
    b"}",
    b"\\",
    b"\\u-3",
    b"\\'",
    b"\\begin{quote}",
    b"$",
    b"\0",
    b"\xFF\xFE",
    b"\xE4\xB8",
    b"\\bin99999999 ",
];

struct Mutator(Xoshiro256PlusPlus);

impl Mutator {
    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound.max(1))
    }

    /// Changes a few places.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len());
            let end = (at + self.below(64)).min(bytes.len());
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                1 if at < bytes.len() => bytes[at] = self.0.random(),
                2 => drop(bytes.drain(at..end)),
                3 => {
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                4 => bytes.truncate(bytes.len() - self.below(bytes.len() / 4)),
                _ => drop(bytes.splice(at..at, TOKENS[self.below(TOKENS.len())].iter().copied())),
            }
        }
    }

    /// Changes the archive, or a part in it, for an archive's checksums hide what a reader of parts would do.
    fn mutate_archive(&mut self, bytes: &mut Vec<u8>) {
        if self.below(4) == 0 {
            return self.mutate(bytes);
        }
        let mut archive = ZipArchive::new(Cursor::new(bytes.as_slice())).unwrap();
        let mut parts = Vec::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let mut part = Vec::new();
            entry.read_to_end(&mut part).unwrap();
            parts.push((entry.name().unwrap().into_owned(), part));
        }
        let texts: Vec<usize> =
            (0..parts.len()).filter(|&at| parts[at].0.ends_with("ml") && parts[at].1.len() > 300).collect();
        let chosen = texts[self.below(texts.len())];
        self.mutate(&mut parts[chosen].1);
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (name, part) in parts {
            writer.start_file(name, stored).unwrap();
            writer.write_all(&part).unwrap();
        }
        *bytes = writer.finish().unwrap().into_inner();
    }
}

/// The bytes of a file, of an archive those of its parts.
fn unpacked(bytes: &[u8]) -> u64 {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else { return bytes.len() as u64 };
    let parts = (0..archive.len()).filter_map(|at| archive.by_index(at).ok().map(|part| part.size()));
    parts.sum()
}

fn cases() -> usize {
    std::env::var("COPYTRACE_MUTATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(2000)
}

#[test]
fn mutated_files_of_every_format_are_survived() {
    // A program of its own reads PDF files, which takes longer.
    let formats = [
        ("docx", Format::Docx, 15),
        ("odt", Format::Odt, 13),
        ("epub", Format::Epub, 13),
        ("rtf", Format::Rtf, 15),
        ("html", Format::Html, 13),
        ("tex", Format::Latex, 13),
        ("pdf", Format::Pdf, 3),
        ("doc", Format::Doc, 15),
    ];
    let limits = ReadLimits::default();
    let mut read = 0;
    for (seed, (ending, format, percent)) in (1..).zip(formats) {
        let original = fs::read(MADE.path(&format!("small.{ending}"))).unwrap();
        let mut mutator = Mutator(Xoshiro256PlusPlus::seed_from_u64(seed));
        for _ in 0..cases() * percent / 100 {
            let mut bytes = original.clone();
            if original.starts_with(b"PK") {
                mutator.mutate_archive(&mut bytes);
            } else {
                mutator.mutate(&mut bytes);
            }
            if let Ok(extracted) = format.extract(&bytes, None, &limits) {
                read += 1;
                let length = extracted.text.chars().count() as u32;
                assert!(extracted.layout.marks().iter().all(|mark| mark.start <= mark.end && mark.end <= length));
                if format != Format::Pdf {
                    // Nothing is kept or counted as left out that the file does not hold.
                    let kept = extracted.text.chars().filter(|c| !c.is_whitespace()).count();
                    let left_out: u64 =
                        extracted.layout.marks().iter().filter_map(|mark| mark.kind.dropped()).map(u64::from).sum();
                    let held = unpacked(&bytes);
                    assert!(kept as u64 + left_out <= held, "{format:?}: {kept} and {left_out} of {held} bytes");
                }
                let structure = Structure::find(&extracted.text, &extracted.layout);
                assert_eq!(structure.sections.last().map(|section| section.end), Some(length));
            }
        }
    }
    assert!(read > cases() / 4, "only {read} mutated files were still readable: they test little");
}

#[test]
fn mutated_pdf_files_do_not_harm_a_run_where_no_program_is_installed() {
    let bench = Bench::new();
    let original = fs::read(MADE.path("small.pdf")).unwrap();
    let mut mutator = Mutator(Xoshiro256PlusPlus::seed_from_u64(9));
    for number in 0..cases() / 100 {
        let mut bytes = original.clone();
        mutator.mutate(&mut bytes);
        bench.write(format!("in/{number:04}.pdf"), bytes);
    }
    let output = check(bench.path("in"), REFERENCE, bench.path("report")).env("PATH", "").output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
    let summary = fs::read_to_string(bench.path("report/summary.csv")).unwrap();
    assert_eq!(summary.lines().count(), cases() / 100 + 1);
}
