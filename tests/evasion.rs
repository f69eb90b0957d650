//! What a student may try to lower the ratio, in each format that can carry it: it counts in full, or it is flagged, or the
//! file is refused. Never a silent loss. A new attempt is a row of [`ATTACKS`]; a format is a line of [`FORMATS`].

mod program;

use program::{Bench, Csv, copytrace, project};
use std::fs;

/// The copied text, and the text around it.
const COPY: &str = "corpora/demo/submissions/en-01-estuary-crossing.txt";

/// The ratio may differ by so much from that of the honest file.
const TOLERANCE: f64 = 0.02;

/// What must come of an attempt.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    /// The ratio is that of the honest text.
    Counts,
    /// A flag of this kind is raised, whatever the ratio.
    Flag(&'static str),
}
use Outcome::{Counts, Flag};

/// Writes paragraphs in a format.
type Writer = fn(&[String]) -> String;

/// The formats that paragraphs can be written in, each with how.
const FORMATS: &[(&str, Writer)] = &[
    ("txt", |paragraphs| paragraphs.join("\n\n")),
    ("md", |paragraphs| paragraphs.join("\n\n")),
    ("html", html),
    ("tex", tex),
    ("rtf", rtf),
];

fn html(paragraphs: &[String]) -> String {
    let escaped = |p: &String| p.replace('&', "&amp;").replace('<', "&lt;");
    let body: String = paragraphs.iter().map(|p| format!("<p>{}</p>\n", escaped(p))).collect();
    format!("<!doctype html><html><head><meta charset=\"utf-8\"><title>x</title></head><body>\n{body}</body></html>")
}

fn tex(paragraphs: &[String]) -> String {
    let escaped = |p: &String| {
        p.replace('%', "\\%").replace('&', "\\&").replace('$', "\\$").replace('_', "\\_").replace('#', "\\#")
    };
    let body: Vec<String> = paragraphs.iter().map(escaped).collect();
    format!("\\documentclass{{article}}\\begin{{document}}\n{}\n\\end{{document}}", body.join("\n\n"))
}

fn rtf(paragraphs: &[String]) -> String {
    let mut out = String::from("{\\rtf1\\ansi\\uc0 ");
    for c in paragraphs.join("\u{1}").chars() {
        match c {
            '\u{1}' => out.push_str("\\par\\par "),
            '\\' | '{' | '}' => out.extend(['\\', c]),
            c if c.is_ascii() => out.push(c),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{} ", *unit as i16))),
        }
    }
    out + "}"
}

/// Texts in, texts out, paragraph by paragraph.
type Attack = fn(Vec<String>) -> Vec<String>;

/// Name, what is done to the paragraphs, and what must come of it.
const ATTACKS: &[(&str, Attack, Outcome)] = &[
    ("a first line `Declaration`", |p| first(p, "Declaration"), Counts),
    ("a first line 原创性声明", |p| first(p, "原创性声明"), Counts),
    ("a first line `Acknowledgements`", |p| first(p, "Acknowledgements"), Counts),
    ("a first line `References`", |p| first(p, "References"), Counts),
    ("a first line `Contents`", |p| first(p, "Contents"), Counts),
    ("an abstract at the end, so that all before it is a title page", title_page, Counts),
    ("sentences numbered as entries of references", numbered_entries, Counts),
    ("sentences with page numbers as entries of contents", paged_entries, Counts),
    ("thanks before every other paragraph", |p| every(p, 2, "Acknowledgements"), Counts),
    ("zero-width spaces inside words", |p| inside_words(p, "\u{200b}"), Counts),
    ("soft hyphens inside words", |p| inside_words(p, "\u{ad}"), Counts),
    ("interlinear controls inside words", |p| inside_words(p, "\u{fff9}"), Counts),
    ("object replacement characters inside words", |p| inside_words(p, "\u{fffc}"), Counts),
    ("marks of length inside words", |p| inside_words(p, "\u{2d1}"), Counts),
    ("tatweel inside words", |p| inside_words(p, "\u{640}"), Counts),
    ("no-break spaces inside words", |p| inside_words(p, "\u{a0}"), Counts),
    ("noncharacters inside words", |p| inside_words(p, "\u{fdd0}"), Counts),
    ("dots below letters", |p| replaced(replaced(p, "a", "ạ"), "e", "ẹ"), Counts),
    ("Hangul fillers for blanks", |p| replaced(p, " ", "\u{3164}"), Counts),
    ("halfwidth fillers for blanks", |p| replaced(p, " ", "\u{ffa0}"), Counts),
    ("Cyrillic letters", |p| replaced(replaced(p, "a", "\u{430}"), "e", "\u{435}"), Counts),
    ("words turned round by overrides", reversed_words, Counts),
    ("no blanks at all", |p| replaced(p, " ", ""), Flag("word_length")),
    ("a blank after every letter", |p| p.into_iter().map(|p| spaced(&p)).collect(), Flag("white_space")),
];

fn first(mut paragraphs: Vec<String>, line: &str) -> Vec<String> {
    paragraphs.insert(0, line.to_owned());
    paragraphs
}

fn every(paragraphs: Vec<String>, step: usize, line: &str) -> Vec<String> {
    let headed = |(at, p): (usize, String)| if at % step == 0 { vec![line.to_owned(), p] } else { vec![p] };
    paragraphs.into_iter().enumerate().flat_map(headed).collect()
}

fn title_page(mut paragraphs: Vec<String>) -> Vec<String> {
    paragraphs.insert(0, "A thesis submitted for a degree at the university".to_owned());
    paragraphs.extend(["Abstract".to_owned(), "It is short.".to_owned()]);
    paragraphs
}

fn sentences(paragraphs: Vec<String>) -> impl Iterator<Item = String> {
    let split = |p: String| p.split_inclusive(". ").map(|s| s.trim().to_owned()).collect::<Vec<_>>();
    paragraphs.into_iter().flat_map(split)
}

fn numbered_entries(paragraphs: Vec<String>) -> Vec<String> {
    let entries = sentences(paragraphs).enumerate().map(|(at, sentence)| format!("[{}] {sentence}", at + 1));
    std::iter::once("References".to_owned()).chain(entries).collect()
}

fn paged_entries(paragraphs: Vec<String>) -> Vec<String> {
    let entries = sentences(paragraphs).enumerate().map(|(at, sentence)| format!("{sentence} ..... {}", at + 1));
    std::iter::once("Contents".to_owned()).chain(entries).collect()
}

/// After the second letter of every word of four letters or more.
fn inside_words(paragraphs: Vec<String>, sign: &str) -> Vec<String> {
    let word = |word: &str| match word.char_indices().nth(2) {
        Some((at, _)) if word.len() > 3 && word.is_ascii() => format!("{}{sign}{}", &word[..at], &word[at..]),
        _ => word.to_owned(),
    };
    paragraphs.into_iter().map(|p| p.split(' ').map(word).collect::<Vec<_>>().join(" ")).collect()
}

fn replaced(paragraphs: Vec<String>, from: &str, to: &str) -> Vec<String> {
    paragraphs.into_iter().map(|p| p.replace(from, to)).collect()
}

fn reversed_words(paragraphs: Vec<String>) -> Vec<String> {
    let letters = |word: &str| word.len() > 3 && word.bytes().all(|b| b.is_ascii_alphabetic());
    let turned = |word: &str| {
        if letters(word) {
            format!("\u{202e}{}\u{202c}", word.chars().rev().collect::<String>())
        } else {
            word.to_owned()
        }
    };
    paragraphs.into_iter().map(|p| p.split(' ').map(turned).collect::<Vec<_>>().join(" ")).collect()
}

fn spaced(text: &str) -> String {
    text.chars().flat_map(|c| [c, ' ']).collect()
}

/// A check of all variants at once: ratio, flags and status by file.
fn check(bench: &Bench) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut command = copytrace();
    command.args(["check", "--corpus", "corpora/demo/reference", "--no-shared", "--format", "csv", "--quiet", "-o"]);
    command.arg(bench.path("report")).arg(bench.path("variants"));
    let _ = command.assert();
    let flags = Csv::read(&bench.path("report/flags.csv"));
    let mut rows = Csv::read(&bench.path("report/summary.csv")).rows().to_vec();
    for row in &mut rows {
        let own = flags.rows().iter().filter(|flag| flag["submission"] == row["submission"]);
        let kinds = own.map(|flag| flag["kind"].clone()).collect::<Vec<_>>().join(" ");
        row.insert("flags".to_owned(), kinds);
    }
    rows
}

#[test]
fn no_attempt_lowers_the_ratio_silently() {
    let bench = Bench::new();
    let text = fs::read_to_string(project(COPY)).unwrap();
    let paragraphs: Vec<String> = text.split("\n\n").map(|p| p.replace('\n', " ").trim().to_owned()).collect();
    for (format, write) in FORMATS {
        bench.write(format!("variants/honest.{format}"), write(&paragraphs));
        for (at, (_, attack, _)) in ATTACKS.iter().enumerate() {
            bench.write(format!("variants/{at:02}.{format}"), write(&attack(paragraphs.clone())));
        }
    }
    let rows = check(&bench);
    let row = |name: &str| rows.iter().find(|row| row["submission"] == name).unwrap_or_else(|| panic!("no {name}"));
    let ratio = |name: &str| row(name)["copy_ratio"].parse::<f64>().unwrap();
    let mut wrong = Vec::new();
    for (format, _) in FORMATS {
        let honest = ratio(&format!("honest.{format}"));
        assert!(honest > 0.1, "the honest text has {honest} as {format}");
        for (at, (name, _, outcome)) in ATTACKS.iter().enumerate() {
            let file = format!("{at:02}.{format}");
            let found = row(&file);
            let right = found["status"] == "error"
                || match outcome {
                    Counts => (ratio(&file) - honest).abs() <= TOLERANCE,
                    Flag(kind) => found["flags"].split(' ').any(|flag| flag == *kind),
                };
            if !right {
                wrong.push(format!("{name}, {format}: {} of {honest}, flags: {}", ratio(&file), found["flags"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
