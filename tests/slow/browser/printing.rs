//! A report printed by Chromium to a PDF file.

use crate::program::{Bench, Csv, REFERENCE, SUBMISSIONS, check};
use std::process::Command;

fn output(command: &mut Command) -> String {
    String::from_utf8(command.output().expect("poppler is installed (make tools)").stdout).unwrap()
}

#[test]
fn the_full_report_is_a4_with_figures_first_a_foot_on_each_page_and_a_table_of_passages_at_the_end() {
    let bench = Bench::new();
    let id = "en-01-estuary-crossing.txt";
    let mut command = check(format!("{SUBMISSIONS}/{id}"), REFERENCE, bench.folder());
    command.args(["--lang", "en", "--format", "csv,pdf"]).assert().success();
    let pdf = bench.path(format!("{id}.pdf"));

    let facts = output(Command::new("pdfinfo").arg(&pdf));
    let size = facts.lines().find(|line| line.starts_with("Page size:")).unwrap();
    assert!(size.contains("A4"), "{size}");

    let page = |number: &str| {
        output(Command::new("pdftotext").args(["-layout", "-f", number, "-l", number]).arg(&pdf).arg("-"))
    };
    let first = page("1");
    let summary = Csv::read(&bench.path("summary.csv"));
    let row = &summary.rows()[0];
    for column in ["copy_ratio", "copy_ratio_without_quotes", "copy_ratio_without_own_work", "top_source_ratio"] {
        let shown = format!("{:.1}%", row[column].parse::<f64>().unwrap() * 100.0);
        assert!(first.contains(&shown), "{column} {shown}: {first}");
    }
    let sources = Csv::read(&bench.path("sources.csv"));
    assert!(sources.rows().iter().all(|row| first.contains(&row["source"])), "{first}");

    let pages = facts.lines().find_map(|line| line.strip_prefix("Pages:")).unwrap().trim().to_owned();
    let number = first.split("Report number ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    for at in 1..=pages.parse::<u32>().unwrap() {
        let text = page(&at.to_string());
        let foot = text.trim_end().lines().last().unwrap().to_owned();
        let without_blanks = foot.replace(' ', "");
        assert!(foot.contains(&number) && without_blanks.ends_with(&format!("{id}{at}/{pages}")), "{foot}");
    }
    let all = output(Command::new("pdftotext").arg(&pdf).arg("-"));
    let passages = Csv::read(&bench.path("passages.csv"));
    let (text, table) = all.split_once("Passages and their sources").unwrap();
    for number in 1..=passages.rows().len() {
        assert!(text.contains(&format!("[{number}]")), "the text leads to row {number}: {text}");
        assert!(table.contains(&format!("{number}. ")), "{table}");
    }
    for row in passages.rows().iter().filter(|row| row["kind"] == "verbatim") {
        let words: Vec<&str> = row["source_text"].split_whitespace().take(3).collect();
        assert!(
            table.split_whitespace().collect::<Vec<_>>().join(" ").matches(&words.join(" ")).count() >= 2,
            "{words:?}"
        );
    }
    assert!(table.contains("only a person who reads"), "{table}");

    let brief = bench.path(format!("{id}.brief.pdf"));
    let facts = output(Command::new("pdfinfo").arg(&brief));
    assert!(facts.lines().any(|line| line.starts_with("Pages:") && line.ends_with(" 1")), "{facts}");
    let brief = output(Command::new("pdftotext").arg(&brief).arg("-"));
    assert!(brief.contains("Summary sheet") && brief.contains("Supervisor") && brief.contains(&number), "{brief}");
}

#[test]
fn the_summary_sheet_of_a_thesis_of_many_chapters_is_one_page_too() {
    let bench = Bench::new();
    let chapter = |number: usize| {
        let letters = |n: usize| format!("{}{}", (b'a' + (n / 26) as u8) as char, (b'a' + (n % 26) as u8) as char);
        let own: String = (0..120).map(|at| format!("word{}n{} ", letters(number), letters(at))).collect();
        format!("Chapter {number} On the matter of number {number}, at some length\n\n{own}\n\n")
    };
    let text = (1..=40).map(chapter).collect::<String>();
    let thesis = bench.write("thesis.txt", &text);
    let corpus = bench.write("source.txt", text.replace("wordbon", "other"));
    let mut command = check(&thesis, &corpus, bench.path("report"));
    command.args(["--lang", "en", "--format", "csv,pdf"]).assert().success();
    assert_eq!(Csv::read(&bench.path("report/chapters.csv")).rows().len(), 40);
    let facts = output(Command::new("pdfinfo").arg(bench.path("report/thesis.txt.brief.pdf")));
    assert!(facts.lines().any(|line| line.starts_with("Pages:") && line.ends_with(" 1")), "{facts}");
}
