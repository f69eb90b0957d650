//! One thesis in several formats has one result.

use super::made::MADE;
use crate::program::{Bench, Csv, REFERENCE, check};
use std::fs;

const FORMATS: [&str; 8] = ["docx", "odt", "epub", "rtf", "doc", "pdf", "html", "tex"];

#[test]
fn one_thesis_has_the_same_ratio_and_passages_in_every_format() {
    let bench = Bench::new();
    for name in ["english", "chinese"] {
        for ending in FORMATS.iter().chain(&["txt"]) {
            let file = format!("{name}.{ending}");
            bench.write(format!("in/{file}"), fs::read(MADE.path(&file)).unwrap());
        }
    }
    check(bench.path("in"), REFERENCE, bench.path("report")).assert().success();
    let summary = Csv::read(&bench.path("report/summary.csv"));
    let passages = Csv::read(&bench.path("report/passages.csv"));
    let ratio = |file: &str| -> f64 {
        let row = summary.rows().iter().find(|row| row["submission"] == file).unwrap();
        row["copy_ratio"].parse().unwrap()
    };
    // A passage by what it took from which source: offsets in the submission differ from format to format.
    let taken = |file: &str| -> Vec<(String, u64, u64)> {
        let rows = passages.rows().iter().filter(|row| row["submission"] == file);
        rows.map(|row| {
            (row["source"].clone(), row["source_start"].parse().unwrap(), row["source_end"].parse().unwrap())
        })
        .collect()
    };
    for name in ["english", "chinese"] {
        let text = format!("{name}.txt");
        let expected = taken(&text);
        assert!(expected.len() >= 4, "{expected:?}");
        for ending in FORMATS {
            let file = format!("{name}.{ending}");
            assert!((ratio(&file) - ratio(&text)).abs() <= 0.01, "{file}: {} and {}", ratio(&file), ratio(&text));
            let found = taken(&file);
            for (source, start, end) in &expected {
                let covered: u64 = found
                    .iter()
                    .filter(|(other, _, _)| other == source)
                    .map(|(_, from, to)| to.min(end).saturating_sub(*from.max(start)))
                    .sum();
                assert!(covered * 10 >= (end - start) * 9, "{file}: {source} {start}–{end} is not found");
            }
        }
    }
}
