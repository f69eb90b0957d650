//! A report printed by Chromium to a PDF file.

use crate::program::{Bench, Csv, copytrace};
use std::process::Command;

fn output(command: &mut Command) -> String {
    String::from_utf8(command.output().expect("poppler is installed (make tools)").stdout).unwrap()
}

#[test]
fn the_first_screen_is_one_a4_page_with_the_figures_of_the_tables() {
    let bench = Bench::new();
    let id = "en-01-estuary-crossing.txt";
    let mut command = copytrace();
    command.arg("check").arg(format!("corpora/demo/submissions/{id}"));
    command.args(["--corpus", "corpora/demo/reference", "--lang", "en", "--format", "csv,pdf", "-o"]);
    command.arg(bench.folder()).assert().success();
    let pdf = bench.path(format!("{id}.pdf"));

    let facts = output(Command::new("pdfinfo").arg(&pdf));
    let size = facts.lines().find(|line| line.starts_with("Page size:")).unwrap();
    assert!(size.contains("A4"), "{size}");

    let page = |number: &str| {
        output(Command::new("pdftotext").args(["-layout", "-f", number, "-l", number]).arg(&pdf).arg("-"))
    };
    let (first, second) = (page("1"), page("2"));
    let summary = Csv::read(&bench.path("summary.csv"));
    let row = &summary.rows()[0];
    for column in ["copy_ratio", "copy_ratio_without_quotes", "copy_ratio_without_own_work", "top_source_ratio"] {
        let shown = format!("{:.1} %", row[column].parse::<f64>().unwrap() * 100.0);
        assert!(first.contains(&shown), "{column} {shown}: {first}");
    }
    assert!(first.contains("Report number") && first.contains("only a person who reads"), "{first}");
    assert!(second.trim_start().starts_with("Sources"), "{second}");
}

#[test]
fn the_first_screen_of_a_thesis_of_many_chapters_is_one_page_too() {
    let bench = Bench::new();
    let chapter = |number: usize| {
        let own: String = (0..120).map(|at| format!("word{number}n{at} ")).collect();
        format!("Chapter {number} On the matter of number {number}, at some length\n\n{own}\n\n")
    };
    let thesis = bench.write("thesis.txt", (1..=40).map(chapter).collect::<String>());
    let mut command = copytrace();
    command.arg("check").arg(&thesis).arg("--corpus").arg(&thesis);
    command.args(["--lang", "en", "--format", "csv,pdf", "-o"]).arg(bench.path("report")).assert().success();
    assert_eq!(Csv::read(&bench.path("report/chapters.csv")).rows().len(), 40);

    let pdf = bench.path("report/thesis.txt.pdf");
    let page = |number: &str| {
        output(Command::new("pdftotext").args(["-layout", "-f", number, "-l", number]).arg(&pdf).arg("-"))
    };
    assert!(page("1").contains("only a person who reads"), "{}", page("1"));
    assert!(page("2").trim_start().starts_with("Sources"), "{}", page("2"));
    assert!(page("2").contains("Chapter 40 On the matter"), "all chapters are listed before the text: {}", page("2"));
}
