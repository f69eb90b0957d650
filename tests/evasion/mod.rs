//! What a student may try to lower the ratio, in each format that can carry it: it counts in full, or it is flagged, or the
//! file is refused where the table says that it may be. Never a silent loss. A new attempt is a row of [`attacks`] (words) or
//! of [`tricks`] (one format's markup); a format is a function of [`writers`].

mod attacks;
mod tricks;
pub mod writers;

use crate::program::{Bench, Csv, copytrace, project};
use attacks::{ATTACKS, Attack, DECOYS, Outcome, SHOWN};
use std::collections::BTreeMap;
use std::fs;
use tricks::{SPELLINGS, Sees, TRICKS};
use writers::{Markup, Paragraph, Piece, WRITERS};

/// The copied text, and the text around it.
const COPY: &str = "corpora/demo/submissions/en-01-estuary-crossing.txt";

/// The ratio may differ by so much from that of the honest file.
const TOLERANCE: f64 = 0.02;

/// Flags that name text which is not compared, or not as it stands.
const UNSEEN: [&str; 7] =
    ["white_text", "tiny_text", "unseen_text", "hidden_text", "left_out", "not_judged", "text_layer"];

/// The paragraphs of the copy, without the disguise that one of them has.
fn paragraphs() -> Vec<String> {
    let text = fs::read_to_string(project(COPY)).unwrap();
    let text: String = text.chars().filter(|c| c.is_ascii() || c.is_alphanumeric()).collect();
    text.split("\n\n").map(|p| p.replace('\n', " ").trim().to_owned()).collect()
}

/// A check of all files in the folder `variants`: the rows of the summary by file, each with its flags.
fn check(bench: &Bench) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut command = copytrace();
    command.args(["check", "--corpus", "corpora/demo/reference", "--no-shared", "--format", "csv", "--quiet", "-o"]);
    command.arg(bench.path("report")).arg(bench.path("variants"));
    let _ = command.assert();
    let flags = Csv::read(&bench.path("report/flags.csv"));
    let row = |row: &BTreeMap<String, String>| {
        let own = flags.rows().iter().filter(|flag| flag["submission"] == row["submission"]);
        let kinds = own.map(|flag| flag["kind"].clone()).collect::<Vec<_>>().join(" ");
        let mut row = row.clone();
        row.insert("flags".to_owned(), kinds);
        (row["submission"].clone(), row)
    };
    Csv::read(&bench.path("report/summary.csv")).rows().iter().map(row).collect()
}

/// An attempt that was written to a file.
struct Try {
    file: String,
    format: &'static str,
    name: String,
    /// Flags of which one must be raised, if the text does not count in full.
    flags: Vec<&'static str>,
    /// Whether the file may be refused instead.
    may_be_refused: bool,
}

/// Writes every attempt, checks all, and lists those that lower or raise the ratio without a sign, and those that are refused though
/// nothing says that they may be.
fn silent_losses(tries: &[(Try, Vec<u8>)]) -> Vec<String> {
    let bench = Bench::new();
    let paragraphs: Vec<Paragraph> = paragraphs().into_iter().map(Paragraph::plain).collect();
    for (format, write) in WRITERS {
        bench.write(format!("variants/honest.{format}"), write(&paragraphs, Markup::default()));
    }
    for (attempt, bytes) in tries {
        bench.write(format!("variants/{}", attempt.file), bytes);
    }
    let rows = check(&bench);
    // Where too much could not be compared there is no ratio, and that is told.
    let ratio = |file: &str| rows[file]["copy_ratio"].parse::<f64>().ok();
    let mut wrong = Vec::new();
    for (attempt, _) in tries {
        let honest = ratio(&format!("honest.{}", attempt.format));
        let honest = honest.unwrap_or_else(|| panic!("{:?}", rows[&format!("honest.{}", attempt.format)]));
        assert!(honest > 0.3, "the honest text has {honest} as {}", attempt.format);
        let row = &rows[&attempt.file];
        let ratio = ratio(&attempt.file);
        let counts = ratio.is_some_and(|ratio| (ratio - honest).abs() <= TOLERANCE);
        let told = row["compared_share"].parse::<f64>().is_ok_and(|share| share < 0.9);
        let flagged = row["flags"].split(' ').any(|flag| attempt.flags.contains(&flag));
        let what = match row["status"].as_str() {
            "error" if attempt.may_be_refused => continue,
            "error" => format!("refused: {}", row["message"]),
            _ if counts || flagged || told => continue,
            _ => format!("{ratio:?} of {honest}, flags: {}", row["flags"]),
        };
        wrong.push(format!("{}: {}: {what}", attempt.format, attempt.name));
    }
    wrong
}

#[test]
fn nothing_done_to_the_words_lowers_the_ratio_silently_in_any_format() {
    let mut tries = Vec::new();
    for (format, write) in WRITERS {
        for (at, (name, attack, outcome)) in ATTACKS.iter().enumerate() {
            let flags = match outcome {
                Outcome::Counts | Outcome::CountsOrRefused => Vec::new(),
                Outcome::Flag(kind) => vec![*kind],
            };
            let may_be_refused = *outcome == Outcome::CountsOrRefused;
            let file = format!("{at:02}.{format}");
            let bytes = write(&attack(paragraphs()), Markup::default());
            let name = (*name).to_owned();
            tries.push((Try { file, format, name, flags, may_be_refused }, bytes));
        }
    }
    let wrong = silent_losses(&tries);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_trick_of_a_format_lowers_the_ratio_silently() {
    let mut tries = Vec::new();
    for (at, trick) in TRICKS.iter().enumerate() {
        let (_, write) = WRITERS.into_iter().find(|(format, _)| *format == trick.format).unwrap();
        let ways: &[(&str, Attack)] = match trick.sees {
            Sees::Nothing => DECOYS,
            Sees::NothingApart => &DECOYS[..1],
            Sees::All => SHOWN,
        };
        for (way, (what, attack)) in ways.iter().enumerate() {
            let file = format!("{at:03}-{way}.{}", trick.format);
            let bytes = write(&attack(paragraphs()), trick.markup);
            let name = format!("{}: {what}", trick.name);
            tries
                .push((Try { file, format: trick.format, name, flags: UNSEEN.to_vec(), may_be_refused: false }, bytes));
        }
    }
    let wrong = silent_losses(&tries);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn text_of_which_nobody_knows_whether_it_is_seen_makes_no_ratio_smaller() {
    let (_, add_decoys) = DECOYS[0];
    let markups = [
        ("html", "<span popover>", "</span>"),
        ("docx", "<w:r><w:rPr><w:unheardOf/></w:rPr><w:t>", "</w:t></w:r>"),
        ("odt", "<d:frame d:transform='matrix (0 0 0 0 0 0)'><d:text-box><t:p>", "</t:p></d:text-box></d:frame>"),
        ("rtf", "{\\afs2 ", "}"),
    ];
    let bench = Bench::new();
    let plain: Vec<Paragraph> = paragraphs().into_iter().map(Paragraph::plain).collect();
    for (format, open, close) in markups {
        let (_, write) = WRITERS.into_iter().find(|(ending, _)| *ending == format).unwrap();
        bench.write(format!("variants/honest.{format}"), write(&plain, Markup::default()));
        bench.write(
            format!("variants/decoys.{format}"),
            write(&add_decoys(paragraphs()), Markup { head: "", open, close }),
        );
    }
    let rows = check(&bench);
    let excluded = Csv::read(&bench.path("report/excluded.csv"));
    for (format, ..) in markups {
        // Of the copy with decoys too much is unknown for a ratio; its two parts are told all the same.
        let ratio = |file: &str| {
            let row = &rows[&format!("{file}.{format}")];
            let [part, whole] = ["matched_characters", "characters"].map(|column| row[column].parse::<f64>().unwrap());
            part / whole
        };
        assert!(
            (ratio("decoys") - ratio("honest")).abs() <= TOLERANCE,
            "{format}: {} of {}",
            ratio("decoys"),
            ratio("honest")
        );
        let unjudged = |row: &&BTreeMap<String, String>| {
            row["reason"] == "unjudged text" && row["submission"] == format!("decoys.{format}")
        };
        assert!(excluded.rows().iter().filter(unjudged).count() > 2, "{format}");
    }
}

#[test]
fn however_a_format_writes_a_word_it_counts_or_is_flagged() {
    let mut tries = Vec::new();
    for (at, (format, name, head, spelling)) in SPELLINGS.iter().enumerate() {
        let word = |word: &str| {
            let is_word = word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
            let shown = if is_word { Piece::Raw(spelling(word)) } else { Piece::Plain(word.to_owned()) };
            [shown, Piece::Plain(" ".to_owned())]
        };
        let spelt = |p: String| Paragraph { is_heading: false, pieces: p.split(' ').flat_map(word).collect() };
        let (_, write) = WRITERS.into_iter().find(|(ending, _)| ending == format).unwrap();
        let bytes =
            write(&paragraphs().into_iter().map(spelt).collect::<Vec<_>>(), Markup { head, ..Markup::default() });
        let file = format!("spelt-{at:02}.{format}");
        let flags = UNSEEN.into_iter().chain(["replaced_letters", "odd_letters", "white_space"]).collect();
        tries.push((Try { file, format, name: (*name).to_owned(), flags, may_be_refused: false }, bytes));
    }
    let wrong = silent_losses(&tries);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Pieces of `words` words each, in turn from every English text of the reference corpus.
fn mosaic(words: usize) -> String {
    let folder = fs::read_dir(project("corpora/demo/reference")).unwrap();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("en-")));
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let english: Vec<Vec<&str>> = texts.iter().map(|text| text.split_whitespace().collect()).collect();
    let piece = |at: usize| {
        let text = &english[at % english.len()];
        let from = (at / english.len() * 37 + 11 * at) % (text.len() - words);
        text[from..from + words].join(" ")
    };
    (0..200).map(|at| piece(at) + if at % 4 == 3 { ".\n\n" } else { " " }).collect()
}

/// The same of Han characters.
fn mosaic_of_han(characters: usize) -> String {
    let folder = fs::read_dir(project("corpora/demo/reference")).unwrap();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("zh-")));
    paths.sort();
    let is_han = |c: &char| ('\u{4e00}'..='\u{9fff}').contains(c);
    let texts: Vec<Vec<char>> =
        paths.iter().map(|path| fs::read_to_string(path).unwrap().chars().filter(is_han).collect()).collect();
    let piece = |at: usize| -> String {
        let text = &texts[at % texts.len()];
        let from = (at / texts.len() * 53 + 11 * at) % (text.len() - characters);
        text[from..from + characters].iter().collect()
    };
    (0..120).map(|at| piece(at) + if at % 4 == 3 { "。\n\n" } else { "，" }).collect()
}

#[test]
fn a_text_put_together_from_short_pieces_of_many_texts_is_flagged() {
    let bench = Bench::new();
    bench.write("variants/six.txt", mosaic(6));
    bench.write("variants/han.txt", mosaic_of_han(12));
    bench.write("variants/honest.txt", paragraphs().join("\n\n"));
    let rows = check(&bench);
    let in_short_runs = |file: &str| rows[file]["short_run_ratio"].parse::<f64>().unwrap();
    for file in ["six.txt", "han.txt"] {
        assert!(rows[file]["flags"].contains("mosaic"), "{:?}", rows[file]);
        assert!(in_short_runs(file) >= 0.3, "{:?}", rows[file]);
        assert_eq!(rows[file]["copy_ratio"], "0.0000", "no phrase of it accuses");
    }
    assert!(!rows["honest.txt"]["flags"].contains("mosaic"), "{:?}", rows["honest.txt"]);
    assert!(in_short_runs("honest.txt") <= 0.02, "{:?}", rows["honest.txt"]);
}
