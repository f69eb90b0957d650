//! What counts in a thesis's ratios, and what the tables say of the rest.

use crate::program::{Bench, Csv, copytrace, text};
use std::collections::BTreeMap;

const COPIED: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek. Engineers who \
    build dykes in front of it starve the surface, and within decades its channels widen until the plants drown. \
    Villages behind the dyke then ask for a higher one, which the province pays for with borrowed money.";

const OWN: &str = "My grandmother baked with rye because wheat was rationed, and she kept the crusts in a tin under \
    the stairs. Nobody in our street owned a telephone, so the doctor came when a child was sent for him. We learned \
    to swim in the flooded quarry, where the water stayed cold until late in the summer holidays.";

const QUOTED: &str = "The harbour master counted the herring boats each morning and wrote the figure in a ledger that \
    no inspector ever asked to see, though it was bound in calf and ruled in red for the purpose.";

const FORM: &str = "I declare that this work was written by me alone, that no other sources than those named were \
    used, and that it was not handed in at any other university for any degree whatever.";

const REFERENCES: &str = "Smith, J. (1999). Silt and its enemies. Leeds: Marsh Press, 1-200.\n\
    Jones, A. (2001). Tides of the upper estuary. Journal of Mud, 3, 17-44.\n\
    Brown, C. (2005). Dykes and what they cost. London: Province Books, 5-90.";

impl Bench {
    /// With a thesis, its sources, and the university's form.
    fn of_thesis(thesis: &str) -> Self {
        let bench = Bench::new();
        bench.write("corpus/copied.txt", COPIED);
        bench.write("corpus/quoted.txt", QUOTED);
        bench.write("corpus/references.txt", REFERENCES);
        bench.write("corpus/form.txt", FORM);
        bench.write("form.txt", FORM);
        bench.write("thesis.txt", thesis);
        bench
    }

    fn summary_row(&self, more: &[&str]) -> BTreeMap<String, String> {
        let mut command = copytrace();
        command.current_dir(self.folder()).args([
            "check",
            "thesis.txt",
            "--corpus",
            "corpus",
            "--overwrite",
            "-o",
            "report",
        ]);
        command.args(more).assert().success();
        self.table("summary").rows()[0].clone()
    }

    fn table(&self, name: &str) -> Csv {
        Csv::read(&self.path(format!("report/{name}.csv")))
    }
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap()
}

/// The characters that count.
fn countable(text: &str) -> f64 {
    text.chars().filter(|c| c.is_alphanumeric()).count() as f64
}

fn thesis() -> String {
    format!(
        "Chapter 1 Beginnings\n\n{OWN}\n\n{COPIED}\n\nChapter 2 Boats\n\n{OWN}\n\n“{QUOTED}” (Smith, 1999)\n\n{FORM}\n\n\
         References\n\n{REFERENCES}\n"
    )
}

#[test]
fn references_do_not_count_unless_all_parts_are_to_count() {
    let bench = Bench::of_thesis(&thesis());
    let (default, all) = (bench.summary_row(&[]), bench.summary_row(&["--count-all-parts"]));
    let references = countable(REFERENCES) + "References".len() as f64;
    assert_eq!(number(&all, "characters") - number(&default, "characters"), references);
    assert!(number(&all, "matched_characters") > number(&default, "matched_characters"));

    bench.summary_row(&[]);
    let passages = bench.table("passages");
    let of = |source: &str| passages.rows().iter().find(|row| row["source"] == source).unwrap()["excluded"].clone();
    assert_eq!(of("references.txt"), "references");
    assert_eq!(of("copied.txt"), "");
    assert_eq!(of("quoted.txt"), "quotation");
    let excluded = bench.table("excluded");
    let reasons: Vec<&str> = excluded.rows().iter().map(|row| row["reason"].as_str()).collect();
    assert_eq!(reasons, ["quotation", "references"]);
    assert_eq!(number(&excluded.rows()[1], "characters"), references);
}

#[test]
fn quotations_own_work_and_templates_have_ratios_without_them() {
    let bench = Bench::of_thesis(&thesis());
    let row = bench.summary_row(&[]);
    let (ratio, characters) = (number(&row, "copy_ratio"), number(&row, "characters"));
    let quoted = countable(QUOTED) / characters;
    assert!((ratio - number(&row, "copy_ratio_without_quotes") - quoted).abs() < 0.0002, "{row:?}");
    assert_eq!(number(&row, "copy_ratio_without_own_work"), ratio);

    let own = bench.summary_row(&["--own-work", "copied.txt"]);
    let copied = countable(COPIED) / characters;
    assert_eq!(number(&own, "copy_ratio"), ratio);
    assert!((ratio - number(&own, "copy_ratio_without_own_work") - copied).abs() < 0.0002, "{own:?}");
    assert!(bench.table("excluded").rows().iter().any(|row| row["reason"] == "own work"));

    let template = bench.summary_row(&["--exclude-template", "form.txt"]);
    let form = countable(FORM);
    assert_eq!(characters - number(&template, "characters"), form);
    assert!(bench.table("excluded").rows().iter().any(|row| row["reason"] == "template"));
}

#[test]
fn each_chapter_has_a_ratio_of_its_own() {
    let bench = Bench::of_thesis(&thesis());
    let row = bench.summary_row(&[]);
    let chapters = bench.table("chapters");
    let names: Vec<&str> = chapters.rows().iter().map(|row| row["chapter"].as_str()).collect();
    assert_eq!(names, ["Chapter 1 Beginnings", "Chapter 2 Boats"]);
    let sum = |column: &str| chapters.rows().iter().map(|row| number(row, column)).sum::<f64>();
    assert_eq!(sum("characters"), number(&row, "characters"));
    assert_eq!(sum("matched_characters"), number(&row, "matched_characters"));
}

#[test]
fn signs_of_manipulation_are_listed_with_an_explanation() {
    let bench = Bench::of_thesis(&format!("{OWN}\n\nThe ma\u{200b}rsh and the m\u{430}rsh."));
    bench.summary_row(&[]);
    let flags = bench.table("flags");
    let kinds: Vec<&str> = flags.rows().iter().map(|row| row["kind"].as_str()).collect();
    assert_eq!(kinds, ["zero_width", "look_alike"]);
    assert!(flags.rows().iter().all(|row| !row["explanation"].is_empty() && row["count"] == "1"));
}

#[test]
fn a_text_without_parts_counts_as_a_whole() {
    let bench = Bench::of_thesis(&format!("{OWN}\n\n{COPIED}"));
    let row = bench.summary_row(&[]);
    let characters = countable(&format!("{OWN}{COPIED}"));
    assert_eq!(number(&row, "characters"), characters);
    assert_eq!(bench.table("excluded").rows().len(), 0);
    assert_eq!(bench.table("chapters").rows()[0]["chapter"], "");
    assert_eq!(row["copy_ratio"], row["copy_ratio_without_quotes"]);
}

#[test]
fn a_template_that_cannot_be_read_is_an_error() {
    let bench = Bench::of_thesis(&thesis());
    let mut command = copytrace();
    command.current_dir(bench.folder());
    command.args(["check", "thesis.txt", "--corpus", "corpus", "--exclude-template", "nowhere.txt"]);
    let output = command.assert().code(2);
    assert!(text(&output.get_output().stderr).contains("nowhere.txt"));
}
