//! `copytrace pairs`, driven as a person would.

#[path = "../benches/generator/mod.rs"]
mod generator;
mod program;

use copytrace::sketch::shingle::ShingleSet;
use copytrace::text::units::Units;
use generator::{Generator, Recipe};
use program::{Csv, copytrace, text};
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
    let folder = tempfile::tempdir().unwrap();
    let texts: Vec<String> = Generator::new(Recipe { length: 120, ..Recipe::english(20_000) }).collect();
    let mut lines = String::new();
    for (i, text) in texts.iter().enumerate() {
        writeln!(lines, "{}", serde_json::json!({ "id": format!("{i:05}"), "text": text })).unwrap();
    }
    let input = folder.path().join("corpus.jsonl");
    fs::write(&input, lines).unwrap();
    let output = folder.path().join("pairs.csv");
    copytrace().arg("pairs").arg(&input).arg("-o").arg(&output).assert().success();

    let sets: Vec<ShingleSet> =
        texts.iter().map(|text| ShingleSet::of_values(&Units::from_text(text).hash, 5)).collect();
    let expected = brute_force(&sets);
    assert!(expected.len() > 1000, "the corpus holds too few similar pairs to tell anything: {}", expected.len());

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
    let folder = tempfile::tempdir().unwrap();
    let words = "one marsh traps the silt that ten floods bring over the old dyke in a wet year";
    fs::write(folder.path().join("a.txt"), words).unwrap();
    fs::write(folder.path().join("b.txt"), words.to_uppercase()).unwrap();
    fs::write(folder.path().join("c.txt"), "nothing of the kind stands in this third text at all").unwrap();
    let run = copytrace().arg("pairs").arg(folder.path()).assert().success();
    let (out, err) = (text(&run.get_output().stdout), text(&run.get_output().stderr));
    assert_eq!(
        out,
        "first,second,estimated_jaccard,jaccard,containment_first,containment_second,hamming,simhash_agrees\r\n\
         a.txt,b.txt,1.000000,1.000000,1.000000,1.000000,0,true\r\n"
    );
    assert!(err.contains("3 documents: 1 pairs"), "{err}");
}

#[test]
fn a_banding_that_needs_more_hashes_than_there_are_is_refused() {
    let run = copytrace().args(["pairs", "corpora/demo/reference", "--bands", "64", "--rows", "8"]).assert().code(2);
    assert!(text(&run.get_output().stderr).contains("needs 512 hash functions, and there are 256"));
}
