//! How truly each format's text is read.

use super::made::MADE;
use super::thesis::{Block, Thesis};
use copytrace::formats::input::{Inputs, ReadError, ReadLimits};
use copytrace::text::Document;
use copytrace::text::layout::{Mark, MarkKind};
use copytrace::text::structure::Structure;
use std::path::Path;

pub fn read(path: &Path) -> Document {
    read_with(path, &ReadLimits::default()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn read_with(path: &Path, limits: &ReadLimits) -> Result<Document, ReadError> {
    Inputs::open(&[path.to_owned()], limits.clone()).next().unwrap()?.extract(limits)
}

/// Characters as they are compared: runs of white space are one blank, and none beside a Han character.
fn compared(text: &str) -> Vec<char> {
    let is_han = |c: char| c > '\u{2E80}';
    let mut characters: Vec<char> = Vec::new();
    let mut blank = false;
    for c in text.chars() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if blank && characters.last().is_some_and(|last| !is_han(*last)) && !is_han(c) {
            characters.push(' ');
        }
        blank = false;
        characters.push(c);
    }
    characters
}

/// Characters to insert and delete to make one of the other (Myers 1986), at most `most`.
fn edits(a: &[char], b: &[char], most: usize) -> usize {
    let offset = most as isize + 1;
    let mut furthest = vec![0_isize; 2 * offset as usize + 1];
    for edits in 0..=most as isize {
        for diagonal in (-edits..=edits).step_by(2) {
            let at = (diagonal + offset) as usize;
            let down = diagonal == -edits || (diagonal != edits && furthest[at - 1] < furthest[at + 1]);
            let mut x = if down { furthest[at + 1] } else { furthest[at - 1] + 1 };
            while (x as usize) < a.len() && x >= diagonal && a.get(x as usize) == b.get((x - diagonal) as usize) {
                x += 1;
            }
            furthest[at] = x;
            if x >= a.len() as isize && x - diagonal >= b.len() as isize {
                return edits as usize;
            }
        }
    }
    most + 1
}

/// 1 − insertions and deletions ÷ characters; stricter than one minus the error rate of Levenshtein.
pub fn accuracy(truth: &str, found: &str) -> f64 {
    let (truth, found) = (compared(truth.trim()), compared(found.trim()));
    1.0 - edits(&truth, &found, truth.len() / 4) as f64 / truth.len() as f64
}

/// The share of headings that are found with their whole text.
fn headings_found(thesis: &Thesis, document: &Document) -> f64 {
    let characters: Vec<char> = document.text.chars().collect();
    let structure = Structure::find(&document.text, &document.layout);
    let text = |range: &std::ops::Range<u32>| {
        compared(&characters[range.start as usize..range.end as usize].iter().collect::<String>())
    };
    let found: Vec<Vec<char>> = structure.headings.iter().map(text).collect();
    let headings = thesis.headings();
    let hits = headings.iter().filter(|(_, heading)| found.contains(&compared(heading))).count();
    hits as f64 / headings.len() as f64
}

#[test]
fn every_format_is_read_as_truly_as_its_bar_asks() {
    let bars = [
        ("txt", 1.0, 0.95),
        ("html", 0.995, 0.95),
        ("tex", 0.995, 0.95),
        ("docx", 0.995, 0.95),
        ("odt", 0.995, 0.95),
        // LibreOffice writes the headings of a book as paragraphs: those that are left are told by their numbers.
        ("epub", 0.995, 0.9),
        ("rtf", 0.995, 0.95),
        ("pdf", 0.99, 0.95),
        ("doc", 0.995, 0.95),
    ];
    let mut failed = Vec::new();
    for (name, thesis) in [("english", &MADE.english), ("chinese", &MADE.chinese)] {
        let two_columns = [(format!("{name}2.pdf"), 0.99, 0.95)];
        let files = bars.iter().map(|(ending, text, headings)| (format!("{name}.{ending}"), *text, *headings));
        for (file, text_bar, heading_bar) in files.chain(two_columns) {
            let document = read(&MADE.path(&file));
            let (text, headings) = (accuracy(&thesis.plain(), &document.text), headings_found(thesis, &document));
            println!("{file}: characters {text:.4}, headings {headings:.3}");
            if text < text_bar || headings < heading_bar {
                failed.push(format!(
                    "{file}: characters {text:.4} (bar {text_bar}), headings {headings:.3} (bar {heading_bar})"
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn offsets_of_marks_are_those_of_the_text() {
    for file in ["english.docx", "chinese.odt", "chinese.pdf", "english.epub", "english.rtf", "chinese.tex"] {
        let document = read(&MADE.path(file));
        let length = document.text.chars().count() as u32;
        assert!(!document.layout.marks().is_empty(), "{file}");
        assert!(document.layout.marks().iter().all(|mark| mark.start <= mark.end && mark.end <= length), "{file}");
        assert!(document.layout.marks().is_sorted_by_key(|mark| mark.start), "{file}");
    }
}

#[test]
fn pages_of_a_pdf_file_are_numbered() {
    let document = read(&MADE.path("english.pdf"));
    let pages = document.layout.pages();
    assert!(pages >= 2, "{pages}");
    assert!(!document.text.contains("University of Example"), "the running header is dropped");
}

#[test]
fn block_quotations_and_headings_are_known_by_how_they_are_set() {
    let thesis = Thesis::quoting();
    let set = |style: &'static str| {
        let blocks = thesis.blocks.iter();
        blocks.filter_map(move |block| match block {
            Block::Set(text, name) if name.starts_with(style) => Some(compared(text)),
            _ => None,
        })
    };
    for file in ["quoting.pdf", "quoting.docx", "quoting.odt", "quoting.rtf", "quoting.doc"] {
        let document = read(&MADE.path(file));
        let characters: Vec<char> = document.text.chars().collect();
        let text =
            |start: u32, end: u32| compared(&characters[start as usize..end as usize].iter().collect::<String>());
        let structure = Structure::find(&document.text, &document.layout);
        let cited = structure.quotations.iter().filter(|quotation| quotation.citation.is_some());
        let cited: Vec<Vec<char>> = cited.map(|quotation| text(quotation.start, quotation.end)).collect();
        let marks: Vec<Vec<char>> =
            document.layout.of(MarkKind::Quotation).map(|mark| text(mark.start, mark.end)).collect();
        let quotations: Vec<Vec<char>> = set("Inset").collect();
        let begins =
            |found: &[Vec<char>], quotation: &Vec<char>| found.iter().any(|found| found[..20] == quotation[..20]);
        let found = quotations.iter().filter(|quotation| begins(&marks, quotation)).count();
        let with_places = quotations.iter().filter(|quotation| begins(&cited, quotation)).count();
        for missing in quotations.iter().filter(|quotation| !begins(&marks, quotation)) {
            println!("{file}: not found: {}", missing.iter().collect::<String>());
        }
        println!(
            "{file}: {found} of {} block quotations, {with_places} cited, {} marks",
            quotations.len(),
            marks.len()
        );
        assert!(found * 10 >= quotations.len() * 9 && with_places * 10 >= quotations.len() * 9, "{file}");
        assert!(marks.len() <= quotations.len(), "{file}: {} marks", marks.len());
        let chapters: Vec<Vec<char>> = structure.sections.iter().map(|section| compared(&section.title)).collect();
        assert!(set("ByHand").all(|heading| chapters.contains(&heading)), "{file}: {:?}", structure.sections);
    }
}

#[test]
fn white_tiny_and_hidden_text_is_marked() {
    // A PDF file does not hold what is hidden.
    for (file, hidden) in
        [("unseen.docx", 11), ("unseen.odt", 11), ("unseen.rtf", 11), ("unseen.doc", 11), ("unseen.pdf", 0)]
    {
        let document = read(&MADE.path(file));
        let characters: Vec<char> = document.text.chars().collect();
        let marked = |kind: MarkKind| -> Vec<String> {
            let text = |mark: &Mark| characters[mark.start as usize..mark.end as usize].iter().collect();
            document.layout.of(kind).map(text).collect()
        };
        assert_eq!(marked(MarkKind::White).concat().replace(' ', ""), "palewordsofpadding", "{file}");
        assert_eq!(marked(MarkKind::Tiny).concat().replace(' ', ""), "tinywordsofpadding", "{file}");
        assert_eq!(marked(MarkKind::Hidden(hidden)).len(), usize::from(hidden > 0), "{file}");
        assert!(!document.text.contains("hidden words"), "{file}");
    }
}
