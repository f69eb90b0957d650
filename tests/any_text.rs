//! Any text at all: what is checked against itself is found whole, and nothing ends the program.

use crate::program::{Bench, Csv, check, project, text};
use copytrace::check::{CheckError, Checker, LibraryBuilder, Rules};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::Document;
use encoding_rs::{BIG5, GB18030, UTF_16LE};
use proptest::prelude::*;
use std::fs;

/// The copy ratio of a submission against a source, by the library; zero if it is too short.
fn copy_ratio(submission: &str, source: &str) -> f64 {
    copy_ratio_unless_short(submission, source).unwrap_or(0.0)
}

/// The copy ratio of a submission against a source, by the library; none if it is too short.
fn copy_ratio_unless_short(submission: &str, source: &str) -> Option<f64> {
    let document = |id: &str, text: &str| Document { id: id.into(), text: text.into(), ..Document::default() };
    let (settings, job) = (Settings::default(), Job::default());
    let mut library = LibraryBuilder::new(&settings.sketch).unwrap();
    library.add(vec![document("source", source)], &job).unwrap();
    let rules = Rules { count_all_parts: true, ..Rules::default() };
    let checker = Checker::new(library.finish().unwrap().into(), settings, rules);
    let report = match checker.check(document("submission", submission), &job) {
        Ok(findings) => findings.report(),
        Err(CheckError::TooShort(_)) => return None,
        Err(error) => panic!("{error}"),
    };
    let text_chars = submission.chars().count() as u32;
    for found in &report.passages {
        assert!(found.submission.start < found.submission.end && found.submission.end <= text_chars);
        assert!(found.source_span.end as usize <= source.chars().count());
    }
    Some(report.ratios.all.ratio)
}

/// Letters of many scripts, marks, emoji, controls, directions, and what hides between them.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,400}",
        proptest::collection::vec(any::<char>(), 0..300).prop_map(String::from_iter),
        "[a-z]{1,9}( [a-z]{1,9}){0,80}[.]?",
        "[\u{300}-\u{36f}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069} ]{0,200}",
        "[\u{5d0}-\u{5ea}\u{620}-\u{64a} \n]{0,200}",
        "([\u{1f300}-\u{1f64f}]\u{200d}?\u{fe0f}?){0,80}",
        "[\u{4e00}-\u{4eff}，。「」 \n]{0,300}",
        "[\\-!-/]{0,200}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_text_against_itself_is_copied_whole(text in any_text()) {
        let units = copytrace::text::units::Units::from_text(&text);
        if units.countable.iter().all(|&c| c == 0) {
            return Ok(());
        }
        // What an override turns round is read as it is seen, so a mark may come to stand on another letter and be no unit
        // of its own; what shows nothing parts no units.
        let overridden = text.contains(['\u{202d}', '\u{202e}']);
        let hidden = text.chars().filter(|&c| c.is_control() || "⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c)).count();
        match copy_ratio_unless_short(&text, &text) {
            // Shorter texts have no shingle, and the program says so.
            None => prop_assert!(units.len() < 5 + hidden || overridden, "{} units", units.len()),
            Some(found) => prop_assert!(units.len() < 5 || found == 1.0, "found {}", found),
        }
    }

    #[test]
    fn two_texts_of_any_kind_are_compared_without_a_panic(first in any_text(), second in any_text(), cut in 0usize..200) {
        let mixed: String = second.chars().skip(cut).chain(first.chars().take(cut)).collect();
        for (a, b) in [(&first, &second), (&first, &mixed), (&mixed, &second)] {
            let found = copy_ratio(a, b);
            prop_assert!((0.0..=1.0).contains(&found));
        }
    }
}

/// A page of each language from the demo, as plain text.
fn demo(name: &str) -> String {
    fs::read_to_string(project("corpora/demo").join(name)).unwrap()
}

#[test]
fn identical_files_are_exactly_one_and_other_wrappings_and_scripts_at_least_999_thousandths() {
    for name in ["submissions/en-01-estuary-crossing.txt", "submissions/zh-04-order-of-waiting.txt"] {
        let original = demo(name);
        assert_eq!(copy_ratio(&original, &original), 1.0, "{name}");
        let words: Vec<&str> = original.split_whitespace().collect();
        let wrapped = words.chunks(7).map(|line| line.join(" ")).collect::<Vec<_>>().join("\r\n");
        let stuffed = original.replace('o', "\u{43e}").replace('的', "\u{200b}的");
        let converter = ferrous_opencc::OpenCC::from_config(ferrous_opencc::config::BuiltinConfig::S2t).unwrap();
        let traditional = converter.convert(&original);
        for (way, other) in [("wrapped", wrapped), ("disguised", stuffed), ("traditional", traditional)] {
            let found = copy_ratio(&other, &original);
            assert!(found >= 0.999, "{name} {way}: {found}");
            let found = copy_ratio(&original, &other);
            assert!(found >= 0.999, "{name}, its source {way}: {found}");
        }
    }
}

#[test]
fn the_same_text_in_another_encoding_is_the_same_text() {
    let bench = Bench::new();
    let original = demo("submissions/zh-04-order-of-waiting.txt");
    let converter = ferrous_opencc::OpenCC::from_config(ferrous_opencc::config::BuiltinConfig::S2tw).unwrap();
    // A character that an encoding lacks would be written as a number.
    let is_known = |line: &&str| !BIG5.encode(&converter.convert(line)).2;
    let original: String = original.lines().filter(is_known).collect::<Vec<_>>().join("\n");
    let traditional = converter.convert(&original);
    let utf16: Vec<u8> = std::iter::once(0xfeff).chain(original.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert!(UTF_16LE.decode(&utf16).0.ends_with(original.trim_start_matches('\u{feff}')));
    bench.write("submissions/gb18030.txt", GB18030.encode(&original).0);
    bench.write("submissions/utf16.txt", utf16);
    bench.write("submissions/big5.txt", BIG5.encode(&traditional).0);
    assert!(original.chars().count() > 500, "{original}");
    let source = bench.write("source.txt", &original);
    let out = bench.path("report");
    check(bench.path("submissions"), source, &out).assert().success();
    let summary = Csv::read(&out.join("summary.csv"));
    assert_eq!(summary.rows().len(), 3);
    for row in summary.rows() {
        assert!(row["copy_ratio"].parse::<f64>().unwrap() >= 0.999, "{row:?}");
    }
}

#[test]
fn texts_with_nothing_to_compare_get_a_named_status_and_odd_ones_an_answer() {
    let bench = Bench::new();
    let long = "汉字".repeat(500_000);
    let odd = [
        ("empty", "", false),
        ("one character", "我", false),
        ("punctuation", "，。、；：？！…—·ˉ¨‘’“”々～‖∶＂＇｀｜〃", false),
        ("marks alone", "\u{301}\u{302}\u{303}\u{20dd}", false),
        ("right to left", "שלום עולם זה טקסט קצר מאוד שנכתב מימין לשמאל", true),
        ("emoji", "👩‍👩‍👧‍👦 we 🇨🇳 saw five 🎉 tiny words here 👍🏽", true),
        ("a line of a million characters", &long, true),
    ];
    for (name, text, _) in odd {
        bench.write(format!("odd/{name}.txt"), text);
    }
    let out = bench.path("report");
    let path = bench.path("odd");
    let run = check(&path, &path, &out).arg("--keep-itself").assert().code(3);
    assert!(!text(&run.get_output().stderr).contains("panicked"));
    let summary = Csv::read(&out.join("summary.csv"));
    for (name, _, answered) in odd {
        let row = summary.rows().iter().find(|row| row["submission"] == format!("{name}.txt")).unwrap();
        match answered {
            true => assert_eq!((row["status"].as_str(), row["copy_ratio"].as_str()), ("ok", "1.0000"), "{name}"),
            false => assert!(row["status"] == "error" && !row["message"].is_empty(), "{name}: {row:?}"),
        }
    }
}
