//! The submissions of a batch, compared with each other.

use crate::program::{Bench, Csv, check, copytrace, text};
use std::fs;

const PASSAGE: &str = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day, and every \
    spring the reeds grow out of last year's mud while the herons wait along the channel for eels";

/// A text of words that no other number gives.
fn own(number: usize) -> String {
    (0..200).map(|at| format!("word{number}n{at} ")).collect()
}

/// Four submissions: the first two share a passage, the third shares one with a source of the corpus, as the first does.
fn submissions() -> Bench {
    let bench = Bench::new();
    let quoted = "a lighthouse keeper writes down wind and visibility four times each night in the same blue ledger";
    bench.write("s/a.txt", format!("{}{PASSAGE}. {}{quoted}.", own(1), own(2)));
    bench.write("s/b.txt", format!("{PASSAGE}. {}", own(3)));
    bench.write("s/c.txt", format!("{}{quoted}. {}", own(4), own(5)));
    bench.write("s/d.txt", own(6));
    bench.write("corpus.txt", format!("{}{quoted}. {}", own(7), own(8)));
    bench.write("template.txt", PASSAGE);
    bench
}

fn checked(bench: &Bench, extra: &[&str]) -> String {
    let mut command = check(bench.path("s"), bench.path("corpus.txt"), bench.path("out"));
    text(&command.args(["--lang", "en"]).args(extra).assert().success().get_output().stderr)
}

fn countable(passage: &str) -> usize {
    passage.chars().filter(|c| c.is_alphanumeric()).count()
}

#[test]
fn two_submissions_that_share_a_passage_have_a_row_with_the_figures_of_both() {
    let bench = submissions();
    checked(&bench, &[]);
    let shared = Csv::read(&bench.path("out/shared.csv"));
    let pairs: Vec<_> = shared.rows().iter().map(|row| (row["first"].as_str(), row["second"].as_str())).collect();
    assert_eq!(pairs, [("a.txt", "b.txt"), ("a.txt", "c.txt")]);
    let row = &shared.rows()[0];
    assert_eq!(
        (row["passages"].as_str(), row["common_sources"].as_str(), row["group"].as_str()),
        ("1", "0", "0"),
        "less than a tenth"
    );
    assert_eq!(row["longest"], row["characters_first"]);
    for (side, id) in [("first", "a.txt"), ("second", "b.txt")] {
        let characters: usize = row[&format!("characters_{side}")].parse().unwrap();
        assert_eq!(characters, countable(PASSAGE), "{id}");
        let all = countable(&fs::read_to_string(bench.path("s").join(id)).unwrap());
        assert_eq!(row[&format!("ratio_{side}")], format!("{:.4}", characters as f64 / all as f64));
    }
    assert_eq!(shared.rows()[1]["common_sources"], "1", "both have it from one source");

    assert_eq!(row["similarity"], "1.0000");
}

#[test]
fn each_pair_has_a_page_with_both_texts_that_the_index_page_links_to() {
    let bench = submissions();
    checked(&bench, &[]);
    let index = fs::read_to_string(bench.path("out/index.html")).unwrap();
    for name in ["pair-001.html", "pair-002.html"] {
        assert!(index.contains(&format!("href=\"./{name}\"")), "{name}");
        let page = fs::read_to_string(bench.path("out").join(name)).unwrap();
        assert_eq!(page.matches("class=\"whole\"").count(), 2);
        assert_eq!(page.matches("data-n=\"1\"").count(), 2, "the passage is marked on both sides");
    }
    assert!(!bench.path("out/pair-003.html").exists());
}

#[test]
fn a_pair_below_a_tenth_is_in_the_table_and_in_no_group() {
    let bench = Bench::new();
    let long = |from: usize| (from..from + 12).map(own).collect::<String>();
    bench.write("s/a.txt", format!("{}{PASSAGE}.", long(10)));
    bench.write("s/b.txt", format!("{PASSAGE}. {}", long(30)));
    bench.write("corpus.txt", own(7));
    checked(&bench, &[]);
    let shared = Csv::read(&bench.path("out/shared.csv"));
    let row = &shared.rows()[0];
    assert!(row["ratio_first"].parse::<f64>().unwrap() < 0.1, "{row:?}");
    assert_eq!(row["group"], "0");
}

#[test]
fn the_rows_are_the_same_whatever_the_order_and_the_threads() {
    let bench = submissions();
    checked(&bench, &["--threads", "1"]);
    let path = bench.path("out/shared.csv");
    let before = fs::read(&path).unwrap();
    let mut command = copytrace();
    command.arg("check").args(["d.txt", "c.txt", "b.txt", "a.txt"].map(|name| bench.path("s").join(name)));
    command.arg("--corpus").arg(bench.path("corpus.txt")).args(["--threads", "2", "--overwrite", "-o"]);
    command.arg(bench.path("out")).assert().success();
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn the_longest_passage_is_measured_in_the_submission_that_comes_first_whatever_the_order() {
    let bench = Bench::new();
    let longer = PASSAGE.replace("layer", "and altogether featureless layer");
    bench.write("a.txt", format!("{}{PASSAGE}.", own(1)));
    bench.write("b.txt", format!("{}{longer}.", own(2)));
    bench.write("corpus.txt", own(3));
    let shared = |order: [&str; 2]| {
        let mut command = copytrace();
        command.arg("check").args(order.map(|name| bench.path(name))).arg("--corpus").arg(bench.path("corpus.txt"));
        command.args(["--format", "csv", "--overwrite", "-o"]).arg(bench.path("out")).assert().success();
        Csv::read(&bench.path("out/shared.csv")).rows()[0].clone()
    };
    let row = shared(["a.txt", "b.txt"]);
    assert_eq!((row["passages"].as_str(), &row["longest"]), ("1", &row["characters_first"]));
    assert_ne!(row["characters_first"], row["characters_second"]);
    assert_eq!(shared(["b.txt", "a.txt"]), row);
}

#[test]
fn what_stands_in_a_template_is_not_shared() {
    let bench = submissions();
    let template = bench.path("template.txt");
    checked(&bench, &["--exclude-template", template.to_str().unwrap()]);
    let shared = Csv::read(&bench.path("out/shared.csv"));
    assert_eq!(shared.rows().iter().map(|row| row["second"].as_str()).collect::<Vec<_>>(), ["c.txt"]);
}

#[test]
fn nothing_is_compared_when_that_is_switched_off_or_there_is_but_one() {
    let bench = submissions();
    checked(&bench, &["--no-shared"]);
    assert!(!bench.path("out/shared.csv").exists());
    let page = fs::read_to_string(bench.path("out/index.html")).unwrap();
    assert!(page.contains("The submissions were not compared with each other."));

    fs::remove_dir_all(bench.path("s")).unwrap();
    bench.write("s/only.txt", own(9));
    checked(&bench, &[]);
    assert!(!bench.path("out/shared.csv").exists());
}

#[test]
fn of_two_submissions_with_one_id_the_second_is_no_copy_of_the_first() {
    let bench = submissions();
    bench.write("again/a.txt", format!("{}{PASSAGE}", own(1)));
    let mut command = copytrace();
    command.arg("check").arg(bench.path("s")).arg(bench.path("again"));
    command.arg("--corpus").arg(bench.path("corpus.txt")).arg("-o").arg(bench.path("out"));
    command.assert().code(3);
    let shared = Csv::read(&bench.path("out/shared.csv"));
    assert!(shared.rows().iter().all(|row| row["first"] != row["second"]));
    assert_eq!(shared.rows().len(), 2);
}
