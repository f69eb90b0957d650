//! Texts of which none was copied from another.

use crate::program::{Bench, Csv, check};
use std::collections::BTreeSet;

const INNOCENT: &str = "corpora/innocent";

#[test]
fn between_innocent_texts_nothing_counts_and_hardly_anything_is_weak() {
    let bench = Bench::new();
    check(INNOCENT, INNOCENT, bench.folder()).args(["--format", "csv"]).assert().success();

    let passages = Csv::read(&bench.path("passages.csv"));
    let between: Vec<_> = passages.rows().iter().filter(|row| row["submission"] != row["source"]).collect();
    let counted: Vec<_> = between.iter().filter(|row| row["excluded"].is_empty()).collect();
    assert!(counted.is_empty(), "{counted:#?}");
    assert!(between.iter().any(|row| row["excluded"] == "title page"), "the declaration is the same in four of them");

    let weak = between.iter().filter(|row| row["excluded"] == "weak");
    let weak: BTreeSet<_> = weak.map(|row| (row["submission"].clone(), row["source"].clone())).collect();
    let documents = Csv::read(&bench.path("summary.csv")).rows().len();
    assert_eq!(documents, 16);
    assert!(10 * weak.len() <= documents * (documents - 1) / 2, "{weak:#?}");

    let shared = Csv::read(&bench.path("shared.csv"));
    assert!(shared.rows().is_empty(), "{:#?}", shared.rows());
}
