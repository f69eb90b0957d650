//! `copytrace pairs`, driven as a person would.

use crate::generator::{Generator, Recipe};
use crate::program::{Bench, Csv, copytrace, text};
use copytrace::sketch::shingle::ShingleSet;
use copytrace::text::units::Units;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;

/// All pairs with J ≥ 0.7, counted through an inverted list of the shingles: exact, and independent of any sketch.
fn brute_force(sets: &[ShingleSet]) -> BTreeMap<(usize, usize), f64> {
    let mut holders: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut found = BTreeMap::new();
    for (second, set) in sets.iter().enumerate() {
        let mut common: HashMap<u32, usize> = HashMap::new();
        for &shingle in set.as_slice() {
            let list = holders.entry(shingle).or_default();
            list.iter().for_each(|&first| *common.entry(first).or_default() += 1);
            list.push(second as u32);
        }
        for (first, n) in common {
            let first = first as usize;
            let jaccard = n as f64 / (sets[first].len() + set.len() - n) as f64;
            if jaccard >= 0.7 {
                found.insert((first, second), jaccard);
            }
        }
    }
    found
}

#[test]
fn of_20000_documents_at_least_99_percent_of_the_similar_pairs_are_found_and_no_other() {
    let bench = Bench::new();
    let texts: Vec<String> = Generator::new(Recipe { length: 120, ..Recipe::english(20_000) }).collect();
    let mut lines = String::new();
    for (i, text) in texts.iter().enumerate() {
        writeln!(lines, "{}", serde_json::json!({ "id": format!("{i:05}"), "text": text })).unwrap();
    }
    let input = bench.write("corpus.jsonl", lines);
    let output = bench.path("pairs.csv");
    copytrace().arg("pairs").arg(&input).arg("-o").arg(&output).assert().success();

    let sets: Vec<ShingleSet> =
        texts.iter().map(|text| ShingleSet::of_values(&Units::from_text(text).hash, 5)).collect();
    let expected = brute_force(&sets);
    assert!(expected.len() > 500, "the corpus holds too few similar pairs to tell anything: {}", expected.len());

    let mut found = 0;
    for row in Csv::read(&output).rows() {
        let pair = (row["first"].parse().unwrap(), row["second"].parse().unwrap());
        let exact = expected.get(&pair).unwrap_or_else(|| panic!("{pair:?} is no similar pair"));
        assert_eq!(row["jaccard"], format!("{exact:.6}"));
        found += 1;
    }
    let recall = f64::from(found) / expected.len() as f64;
    println!("{found} of {} pairs: recall {recall:.4}", expected.len());
    assert!(recall >= 0.99, "recall {recall}");
}

#[test]
fn pairs_are_written_to_standard_output_unless_a_file_is_named() {
    let bench = Bench::new();
    let words = "one marsh traps the silt that ten floods bring over the old dyke in a wet year";
    bench.write("a.txt", words);
    bench.write("b.txt", words.to_uppercase());
    bench.write("c.txt", "nothing of the kind stands in this third text at all");
    let run = copytrace().arg("pairs").arg(bench.folder()).assert().success();
    let (out, err) = (text(&run.get_output().stdout), text(&run.get_output().stderr));
    assert_eq!(
        out,
        "first,second,estimated_jaccard,jaccard,containment_first,containment_second,hamming,simhash_agrees\r\n\
         a.txt,b.txt,1.000000,1.000000,1.000000,1.000000,0,true\r\n"
    );
    assert!(err.contains("3 documents: 1 pair with"), "{err}");
}

#[test]
fn a_banding_that_needs_more_hashes_than_there_are_is_refused() {
    let run = copytrace().args(["pairs", "corpora/demo/reference", "--bands", "64", "--rows", "8"]).assert().code(2);
    assert!(text(&run.get_output().stderr).contains("needs 512 hash functions, and there are 256"));
}

/// A corpus of JSON lines in a new folder.
fn corpus(documents: impl IntoIterator<Item = (String, String)>) -> (Bench, std::path::PathBuf) {
    let bench = Bench::new();
    let line = |(id, text): (String, String)| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    let path = bench.write("corpus.jsonl", documents.into_iter().map(line).collect::<String>());
    (bench, path)
}

/// A thousand documents in two languages, with copies among them and ids in no order.
fn mixed() -> impl Iterator<Item = (String, String)> {
    let english: Vec<String> = Generator::new(Recipe { length: 60, ..Recipe::english(400) }).collect();
    let chinese: Vec<String> = Generator::new(Recipe { length: 80, ..Recipe::chinese(400) }).collect();
    let copies: Vec<String> = english.iter().take(100).chain(chinese.iter().take(100)).cloned().collect();
    let texts = english.into_iter().chain(chinese).chain(copies);
    texts.enumerate().map(|(i, text)| (format!("{:03}", i * 7 % 1000), text))
}

#[test]
fn any_number_of_threads_and_any_memory_give_the_same_bytes() {
    let (bench, path) = corpus(mixed());
    let mut outputs = Vec::new();
    for options in [&["--threads", "1"][..], &["--threads", "2"], &["--threads", "5"], &["--memory", "101MB"]] {
        let (pairs, clusters) = (bench.path("pairs.csv"), bench.path("clusters.csv"));
        let mut command = copytrace();
        command.arg("pairs").arg(&path).args(options).arg("-o").arg(&pairs).arg("--clusters").arg(&clusters);
        command.assert().success();
        outputs.push((fs::read(&pairs).unwrap(), fs::read(&clusters).unwrap()));
    }
    assert!(outputs[0].0.len() > 200 * 40, "there are the copies at least");
    assert!(outputs.iter().all(|output| *output == outputs[0]));
}

#[test]
fn pairs_are_ordered_by_their_ids_and_clusters_by_their_representatives() {
    let (bench, path) = corpus(mixed());
    let (pairs, clusters) = (bench.path("pairs.csv"), bench.path("clusters.csv"));
    copytrace().arg("pairs").arg(&path).arg("-o").arg(&pairs).arg("--clusters").arg(&clusters).assert().success();
    let (pairs, clusters) = (Csv::read(&pairs), Csv::read(&clusters));
    let ids: Vec<_> = pairs.rows().iter().map(|row| (row["first"].clone(), row["second"].clone())).collect();
    assert!(ids.is_sorted() && ids.iter().all(|(first, second)| first < second));

    let members: Vec<_> =
        clusters.rows().iter().map(|row| (row["representative"].clone(), row["document"].clone())).collect();
    assert!(members.is_sorted() && members.iter().all(|(representative, document)| representative <= document));
    let of: HashMap<&str, &str> = members.iter().map(|(r, d)| (d.as_str(), r.as_str())).collect();
    assert!(ids.iter().all(|(first, second)| of[first.as_str()] == of[second.as_str()]));
    assert!(members.iter().all(|(r, d)| r == d || ids.iter().any(|(first, second)| d == first || d == second)));
}

#[test]
fn a_crowd_of_near_copies_is_clustered_by_about_as_many_comparisons_as_it_has_members() {
    let original: Vec<String> = (0..200).map(|i| format!("w{}", i * 37 % 1009)).collect();
    let near_copy = |i: usize| {
        let mut words = original.clone();
        words[i % 200] = format!("changed{i}");
        (format!("{i:04}"), words.join(" "))
    };
    let (bench, path) = corpus((0..1500).map(near_copy));
    let clusters = bench.path("clusters.csv");
    let run = copytrace().arg("pairs").arg(&path).arg("--clusters").arg(&clusters).assert().success();
    assert!(run.get_output().stdout.is_empty(), "no pairs were asked for");
    let rows = Csv::read(&clusters);
    assert_eq!(rows.rows().len(), 1500);
    assert!(rows.rows().iter().all(|row| row["representative"] == "0000"));
    let said = text(&run.get_output().stderr);
    let candidates = said.split('(').nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(candidates.parse::<u64>().unwrap() < 3 * 1500, "{said}");
}

#[test]
fn no_more_pairs_than_asked_for_are_written_and_that_is_said_loudly() {
    let (_bench, path) = corpus((0..50).map(|i| (format!("{i:02}"), "the same few words in each of them".to_owned())));
    let all = copytrace().arg("pairs").arg(&path).assert().success();
    let first = copytrace().arg("pairs").arg(&path).args(["--max-pairs", "60"]).assert().success();
    let (all, cut) = (text(&all.get_output().stdout), text(&first.get_output().stdout));
    assert_eq!(all.lines().count(), 1 + 50 * 49 / 2);
    assert_eq!(cut.lines().count(), 1 + 60);
    assert!(all.starts_with(&cut));
    assert!(text(&first.get_output().stderr).contains("THERE ARE MORE PAIRS"));
}

#[test]
fn a_memory_that_is_too_small_says_what_is_needed_and_that_is_enough() {
    let (_bench, path) = corpus(mixed());
    let run = copytrace().arg("pairs").arg(&path).args(["--memory", "1MB"]).assert().code(2);
    let said = text(&run.get_output().stderr);
    let needed = said
        .split("at least ")
        .nth(1)
        .and_then(|rest| rest.split(" is needed").next())
        .unwrap_or_else(|| panic!("{said}"));
    assert!(said.contains("1 MB of memory is too little for 1000 documents"), "{said}");
    copytrace().arg("pairs").arg(&path).args(["--memory", needed]).assert().success();
}

#[test]
fn standard_input_is_compared_with_files() {
    let bench = Bench::new();
    let words = "what came through the pipe stands in a file of the folder too";
    bench.write("a.txt", words);
    let run = copytrace().args(["pairs", "-"]).arg(bench.folder()).write_stdin(words).assert().success();
    assert!(text(&run.get_output().stdout).contains("-,a.txt,1.000000"));
}

#[test]
fn json_lines_on_standard_input_are_documents_plain_or_packed() {
    let line = |id: &str| serde_json::json!({ "id": id, "text": "what came through the pipe stands in another line of it too" });
    let lines = format!("{}\n{}\n", line("a"), line("b"));
    let packed = zstd::encode_all(lines.as_bytes(), 3).unwrap();
    for (input, name) in [(lines.into_bytes(), "plain"), (packed, "packed")] {
        let run = copytrace().args(["pairs", "-"]).write_stdin(input.clone()).assert().success();
        assert!(text(&run.get_output().stdout).contains("a,b,1.000000"), "{name}");
        let run = copytrace().args(["fingerprint", "-"]).write_stdin(input).assert().success();
        assert_eq!(text(&run.get_output().stdout).lines().count(), 3, "{name}");
    }
}

#[test]
fn a_document_that_cannot_be_compared_is_named_and_the_others_are() {
    let (bench, path) = corpus(
        [("a", "six words stand in this one"), ("b", "six words stand in this one"), ("c", "two words")]
            .map(|(id, text)| (id.to_owned(), text.to_owned())),
    );
    let run = copytrace().arg("pairs").arg(&path).arg(bench.path("missing.txt")).assert().code(3);
    let (out, err) = (text(&run.get_output().stdout), text(&run.get_output().stderr));
    assert!(out.contains("a,b,1.000000"), "{out}");
    assert!(err.contains("c: too short") && err.contains("missing.txt"), "{err}");
}

#[test]
fn the_curve_is_told_drawn_and_explained() {
    let (bench, path) = corpus(mixed());
    let drawing = bench.path("curve.svg");
    let run = copytrace().arg("tune").arg(&path).args(["--threshold", "0.6", "-o"]).arg(&drawing).assert().success();
    let out = text(&run.get_output().stdout);
    assert!(out.contains("of 256 hash functions: rows keep dissimilar pairs out"), "{out}");
    assert!(out.contains("Of 1000 documents") && out.contains("candidates are to be verified"), "{out}");
    assert!(fs::read_to_string(&drawing).unwrap().starts_with("<svg "));

    let alone = copytrace().args(["tune", "--bands", "42", "--rows", "6", "-o"]).arg(&drawing).assert().success();
    assert!(text(&alone.get_output().stdout).contains("42 bands of 6 rows, of 256 hash functions, as asked for"));
}

/// Three lines of which the first two are alike, under names of fields that a crawl may have.
fn crawl() -> (String, [String; 3]) {
    let words = |number: usize| (0..60).map(|at| format!("word{number}n{at} ")).collect::<String>();
    let lines = [(1, "b", words(1)), (2, "a", words(1) + "more"), (3, "c", words(2))]
        .map(|(at, url, body)| serde_json::json!({ "url": url, "body": body, "depth": at }).to_string());
    (lines.join("\n") + "\n", lines)
}

#[test]
fn the_corpus_is_written_without_its_duplicates_line_by_line_as_it_stood() {
    let bench = Bench::new();
    let (corpus, [b, a, c]) = crawl();
    bench.write("crawl.jsonl", corpus);
    let mut command = copytrace();
    command.current_dir(bench.folder()).args(["pairs", "crawl.jsonl", "--id-field", "url", "--text-field", "body"]);
    command.args(["--keep", "kept.jsonl", "--removed", "removed.jsonl", "-o", "pairs.csv"]);
    let said = text(&command.assert().success().get_output().stderr);
    assert!(said.contains("Kept: 2, removed: 1"), "{said}");
    let lines = |name: &str| fs::read_to_string(bench.path(name)).unwrap();
    assert_eq!(lines("kept.jsonl"), format!("{a}\n{c}\n"), "the smallest id stays");
    assert_eq!(lines("removed.jsonl"), format!("{b}\n"));
    assert_eq!(Csv::read(&bench.path("pairs.csv")).rows().len(), 1);
}

#[test]
fn new_documents_are_compared_with_old_ones_and_old_ones_not_with_each_other() {
    let bench = Bench::new();
    let with = |id: &str, number: usize, more: &str| {
        let words: String = (0..60).map(|at| format!("word{number}n{at} ")).collect();
        serde_json::json!({ "id": id, "text": words + more }).to_string() + "\n"
    };
    let line = |id: &str, number: usize| with(id, number, "");
    // Of old4 there is a copy among the new ones, and old5 resembles both.
    bench.write(
        "old.jsonl",
        line("old1", 1) + &line("old2", 1) + &line("old3", 3) + &line("old4", 4) + &with("old5", 4, "more"),
    );
    bench.write("new.jsonl", line("new1", 1) + &line("new2", 2) + &line("new3", 2) + &line("zzz", 4));
    let mut command = copytrace();
    command.current_dir(bench.folder()).args(["pairs", "new.jsonl", "--against", "old.jsonl", "-o", "pairs.csv"]);
    command.args(["--keep", "kept.jsonl"]).assert().success();
    let pairs = Csv::read(&bench.path("pairs.csv"));
    let pairs: Vec<_> = pairs.rows().iter().map(|row| (row["first"].as_str(), row["second"].as_str())).collect();
    assert_eq!(pairs, [("new1", "old1"), ("new1", "old2"), ("new2", "new3"), ("old4", "zzz"), ("old5", "zzz")]);
    assert_eq!(fs::read_to_string(bench.path("kept.jsonl")).unwrap(), line("new2", 2));
}

#[test]
fn a_thousand_lines_that_fail_for_one_reason_are_a_few_messages() {
    let bench = Bench::new();
    let (corpus, _) = crawl();
    bench.write("crawl.jsonl", "{\"url\": \"x\"}\n".repeat(1000) + &corpus);
    let mut command = copytrace();
    command.current_dir(bench.folder()).args(["pairs", "crawl.jsonl", "--text-field", "body", "-o", "pairs.csv"]);
    let said = text(&command.assert().code(3).get_output().stderr);
    assert!(said.lines().count() < 8 && said.contains("997 more"), "{said}");
}
