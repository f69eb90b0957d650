//! How well SimHash fingerprints tell similar texts: Hamming distance against exact Jaccard similarity.
//!
//! ```sh
//! cargo run --release -p copytrace-tools --bin simhash_quality -- docs/simhash-quality.svg NAME=FOLDER[,PAIRS] ...
//! ```
//!
//! Each folder's texts are edited by a deterministic editor at 1 to 30 %, and every edited text is compared with its
//! original, every original with every other one, and the pairs of documents that PAIRS lists (partial reuse: `submission,source`
//! or `submission source` by file name) with each other. Tables are printed, and a chart is drawn.
#![allow(missing_docs)]

mod chart;
mod editor;
#[path = "../../../../generator/mod.rs"]
mod generator;

use chart::{Chart, Line, Panel};
use copytrace::formats::input::{Inputs, ReadLimits};
use copytrace::hamming::fingerprints::Features;
use copytrace::sketch::fingerprinter::Fingerprinter;
use copytrace::sketch::shingle::ShingleSet;
use copytrace::text::units::Units;
use editor::{Edit, edited};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const FEATURES: [&str; 7] =
    ["terms", "chars:4", "words", "keywords:10", "keywords:20", "keywords:50", "keywords:50 levels"];
const PERCENTS: [u64; 8] = [1, 2, 3, 5, 10, 15, 20, 30];
const DISTANCES: [u32; 3] = [3, 5, 7];
/// From this exact Jaccard similarity on two texts are similar.
const SIMILAR: f64 = 0.7;
/// The most texts of a folder that are edited.
const EDITED: usize = 500;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (chart, corpora): (Option<PathBuf>, Vec<String>) = (arguments.next().map(PathBuf::from), arguments.collect());
    let (Some(chart), false) = (chart, corpora.is_empty()) else {
        eprintln!("usage: simhash_quality CHART.svg NAME=FOLDER[,PAIRS] ...");
        std::process::exit(2);
    };
    let mut columns = Vec::new();
    for corpus in &corpora {
        let (name, place) = corpus.split_once('=').expect("NAME=FOLDER[,PAIRS]");
        let (folder, pairs) = place.split_once(',').map_or((place, None), |(folder, pairs)| (folder, Some(pairs)));
        columns.push(report(name, &Corpus::load(Path::new(folder), pairs.map(Path::new))));
    }
    let lines = FEATURES.map(String::from).to_vec();
    std::fs::write(&chart, Chart { lines, columns, marks: DISTANCES.to_vec() }.to_svg()).expect("the chart is written");
}

/// The texts of a folder, and the pairs among them that share passages.
struct Corpus {
    texts: Vec<String>,
    reuse: Vec<(usize, usize)>,
}

impl Corpus {
    fn load(folder: &Path, pairs: Option<&Path>) -> Self {
        let limits = ReadLimits::default();
        let (mut texts, mut numbers) = (Vec::new(), BTreeMap::new());
        for document in Inputs::open(&[folder.to_owned()], limits.clone()) {
            if let Ok(document) = document.and_then(|raw| raw.extract(&limits)) {
                let name = document.id.rsplit('/').next().unwrap_or_default().to_owned();
                numbers.insert(name, texts.len());
                texts.push(document.text);
            }
        }
        let list = pairs.map(|path| std::fs::read_to_string(path).expect("the pairs")).unwrap_or_default();
        let number = |name: Option<&str>| numbers.get(name?.rsplit('/').next()?).copied();
        let mut reuse: Vec<(usize, usize)> = list
            .lines()
            .filter_map(|line| {
                let mut names = line.split([',', ' ']);
                Some((number(names.next())?, number(names.next())?))
            })
            .collect();
        reuse.sort_unstable();
        reuse.dedup();
        Corpus { texts, reuse }
    }
}

/// A text as it is compared.
struct Sketch {
    shingles: ShingleSet,
    /// For each of [`FEATURES`]; `None` for a text without features.
    fingerprints: Vec<Option<u64>>,
}

impl Sketch {
    fn of(text: &str, fingerprinters: &mut [Fingerprinter]) -> Self {
        Sketch {
            shingles: ShingleSet::of_values(&Units::from_text(text).hash, 5),
            fingerprints: fingerprinters.iter_mut().map(|fingerprinter| fingerprinter.of_text(text)).collect(),
        }
    }

    fn all(texts: &[String]) -> Vec<Self> {
        let fingerprinters = || FEATURES.map(|name| Fingerprinter::new(name.parse::<Features>().expect("features")));
        texts.par_iter().map_init(fingerprinters, |fingerprinters, text| Sketch::of(text, fingerprinters)).collect()
    }

    fn pair(&self, other: &Sketch) -> Pair {
        let distance = |number: usize| Some((self.fingerprints[number]? ^ other.fingerprints[number]?).count_ones());
        Pair {
            jaccard: self.shingles.overlap(&other.shingles).jaccard(),
            distances: (0..FEATURES.len()).map(|number| distance(number).unwrap_or(64)).collect(),
        }
    }
}

struct Pair {
    jaccard: f64,
    /// For each of [`FEATURES`].
    distances: Vec<u32>,
}

/// Prints a corpus's tables and gives its panels of the chart, one for each way of editing.
fn report(name: &str, corpus: &Corpus) -> [Panel; 2] {
    let originals = Sketch::all(&corpus.texts);
    let step = corpus.texts.len().div_ceil(EDITED);
    let mut pairs: Vec<Pair> = Vec::new();
    for edit in [Edit::Units, Edit::Passage] {
        for percent in PERCENTS {
            let numbers: Vec<usize> = (0..corpus.texts.len()).step_by(step).collect();
            let of = |&number: &usize| edited(&corpus.texts, number, edit, percent);
            let texts: Vec<String> = numbers.par_iter().map(of).collect();
            let sketches = Sketch::all(&texts);
            pairs.extend(sketches.iter().zip(&numbers).map(|(sketch, &number)| sketch.pair(&originals[number])));
        }
    }
    let unrelated = Unrelated::count(&originals, &corpus.reuse);
    let reuse: Vec<Pair> = corpus.reuse.iter().map(|&(a, b)| originals[a].pair(&originals[b])).collect();

    let (similar, others): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(|pair| pair.jaccard >= SIMILAR);
    println!("\n### {name}\n");
    println!(
        "{} texts; edited pairs: {} with J ≥ {SIMILAR}, {} below; {} unrelated pairs; {} pairs of partial reuse (median J {:.3}).\n",
        corpus.texts.len(),
        similar.len(),
        others.len(),
        unrelated.pairs,
        reuse.len(),
        median(reuse.iter().map(|pair| pair.jaccard).collect()),
    );
    println!(
        "| features | missed, k = 3 | 5 | 7 | edited beyond J, k = 3 | 5 | 7 | unrelated, in a million, k = 3 | 5 | 7 | reuse found, k = 7 |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (number, features) in FEATURES.iter().enumerate() {
        let share = |pairs: &[&Pair], k: u32| {
            let within = pairs.iter().filter(|pair| pair.distances[number] <= k).count();
            within as f64 / pairs.len().max(1) as f64
        };
        let cells = |cell: &dyn Fn(u32) -> String| DISTANCES.map(cell).join(" | ");
        println!(
            "| {features} | {} | {} | {} | {} |",
            cells(&|k| format!("{:.3}", 1.0 - share(&similar, k))),
            cells(&|k| format!("{:.3}", share(&others, k))),
            cells(&|k| format!("{:.1}", unrelated.within(number, k) * 1e6)),
            format_args!("{:.3}", share(&reuse.iter().collect::<Vec<_>>(), 7)),
        );
    }
    let edited = corpus.texts.len().div_ceil(step);
    print_by_percent(&pairs, edited);
    let (units, passages) = pairs.split_at(pairs.len() / 2);
    [
        panel(format!("{name}, edited here and there"), units, edited),
        panel(format!("{name}, one passage replaced"), passages, edited),
    ]
}

/// Median distance for each way and share of editing.
fn print_by_percent(pairs: &[Pair], texts: usize) {
    println!("\nMedian J, and median Hamming distance:\n");
    println!("| edited | J | {} |", FEATURES.join(" | "));
    println!("|---|---|{}", "---|".repeat(FEATURES.len()));
    let edits = ["units", "passage"].into_iter().flat_map(|edit| PERCENTS.map(|percent| (edit, percent)));
    for ((edit, percent), pairs) in edits.zip(pairs.chunks(texts)) {
        let distance = |number: usize| median(pairs.iter().map(|pair| f64::from(pair.distances[number])).collect());
        let distances: Vec<String> = (0..FEATURES.len()).map(|number| format!("{:.0}", distance(number))).collect();
        let jaccard = median(pairs.iter().map(|pair| pair.jaccard).collect());
        println!("| {edit}, {percent} % | {jaccard:.2} | {} |", distances.join(" | "));
    }
}

/// How many pairs of different originals are within each distance.
struct Unrelated {
    pairs: u64,
    /// For each of [`FEATURES`], pairs at distances 0 to 64.
    histograms: Vec<Vec<u64>>,
}

impl Unrelated {
    /// Counts all pairs but those with J ≥ [`SIMILAR`] and those listed as reuse.
    fn count(originals: &[Sketch], reuse: &[(usize, usize)]) -> Self {
        let none = || Unrelated { pairs: 0, histograms: vec![vec![0; 65]; FEATURES.len()] };
        let of_first = |mut counted: Unrelated, first: usize| {
            for second in first + 1..originals.len() {
                let listed = [(first, second), (second, first)].iter().any(|pair| reuse.binary_search(pair).is_ok());
                let pair = originals[first].pair(&originals[second]);
                if listed || pair.jaccard >= SIMILAR {
                    continue;
                }
                counted.pairs += 1;
                for (histogram, distance) in counted.histograms.iter_mut().zip(pair.distances) {
                    histogram[distance as usize] += 1;
                }
            }
            counted
        };
        let add = |mut sum: Unrelated, other: Unrelated| {
            sum.pairs += other.pairs;
            for (sum, other) in sum.histograms.iter_mut().flatten().zip(other.histograms.iter().flatten()) {
                *sum += other;
            }
            sum
        };
        (0..originals.len()).into_par_iter().fold(none, of_first).reduce(none, add)
    }

    /// The share of pairs within `k` bits.
    fn within(&self, features: usize, k: u32) -> f64 {
        self.histograms[features][..=k as usize].iter().sum::<u64>() as f64 / self.pairs.max(1) as f64
    }
}

/// The lines of one way of editing: for each share of it the median Jaccard similarity, and the distances that a tenth,
/// half and nine tenths of the texts stay within.
fn panel(name: String, pairs: &[Pair], texts: usize) -> Panel {
    let line = |features: usize| {
        let point = |pairs: &[Pair]| {
            let mut distances: Vec<u32> = pairs.iter().map(|pair| pair.distances[features]).collect();
            distances.sort_unstable();
            let at = |tenths: usize| f64::from(distances[(distances.len() - 1) * tenths / 10]);
            (median(pairs.iter().map(|pair| pair.jaccard).collect()), [at(1), at(5), at(9)])
        };
        Line { points: pairs.chunks(texts).map(point).collect() }
    };
    Panel { name, lines: (0..FEATURES.len()).map(line).collect() }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
