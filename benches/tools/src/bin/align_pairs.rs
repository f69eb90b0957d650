//! Aligns the given pairs of a corpus and scores the passages, to measure and tune the aligner.
//!
//! `align_pairs ROOT [name=value...] [-- name=value...]...`, where ROOT holds `src`, `susp` and either PAN's class
//! folders (`0*/pairs` with an XML file a pair) or `gold.csv`. Each group after `--` is another run on the loaded
//! texts. Besides the settings' names there are `negatives=N` (N unplanted pairs per submission of a `gold.csv`
//! corpus), `half=0|1` (every second submission only) and `csv=FILE` (write the passages).

use copytrace::align::{AlignSettings, Aligner, Match, Submission};
use copytrace::text::normalise::Normalised;
use copytrace::text::units::{Segmenter, Units};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

type Passage = [u32; 4];

/// The planted passages of a pair, each with its class.
type Gold = Vec<(Passage, String)>;

struct Case {
    submission: usize,
    source: usize,
    class: String,
    gold: Gold,
}

struct Corpus {
    names: Vec<(bool, String)>,
    texts: Vec<Units>,
    cases: Vec<Case>,
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let root = Path::new(args.first().expect("ROOT"));
    let mut groups: Vec<Vec<String>> = vec![Vec::new()];
    for arg in &args[1..] {
        if arg == "--" {
            groups.push(Vec::new());
        } else {
            groups.last_mut().unwrap().push(arg.clone());
        }
    }
    let option = |name: &str| args.iter().find_map(|a| a.strip_prefix(name)?.strip_prefix('=').map(str::to_string));
    let negatives = option("negatives").map_or(0, |n| n.parse().unwrap());
    let corpus = load(root, negatives);
    let half: Option<usize> = option("half").map(|h| h.parse().unwrap());
    let mut base = AlignSettings::balanced();
    for (number, group) in groups.iter().enumerate() {
        let mut settings = base;
        for argument in group {
            let (name, value) = argument.split_once('=').expect("name=value");
            if !["negatives", "half", "csv"].contains(&name) {
                set(&mut settings, name, value);
            }
        }
        if number == 0 {
            base = settings;
        }
        let used: Vec<&Case> = corpus
            .cases
            .iter()
            .filter(|c| half.is_none_or(|h| name_hash(&corpus.names[c.submission].1) % 2 == h as u64))
            .collect();
        let results: Vec<(Vec<Match>, f64)> = used
            .par_iter()
            .map_init(
                || Aligner::new(settings),
                |aligner, case| {
                    let (a, b) = (&corpus.texts[case.submission], &corpus.texts[case.source]);
                    let clock = Instant::now();
                    let found = aligner.align(&Submission::new(a), b);
                    (found, clock.elapsed().as_secs_f64())
                },
            )
            .collect();
        report(&group.join(" "), &used, &results);
        if let Some(file) = option("csv") {
            write(&file, &corpus, &used, &results);
        }
    }
}

/// A stable number for a name.
fn name_hash(name: &str) -> u64 {
    rapidhash::v3::rapidhash_v3(name.as_bytes()) >> 7
}

macro_rules! fields {
    ($settings:ident, $name:ident, $value:ident, $($field:ident),*) => {
        match $name {
            $(stringify!($field) => $settings.$field = $value.parse().expect(stringify!($field)),)*
            "strict" => *$settings = AlignSettings::strict(),
            "sensitive" => *$settings = AlignSettings::sensitive(),
            _ => panic!("no setting {}", $name),
        }
    };
}

fn set(settings: &mut AlignSettings, name: &str, value: &str) {
    fields!(
        settings,
        name,
        value,
        min_match,
        min_match_source,
        acceptance,
        quotation,
        quotation_evidence,
        quotation_characters,
        joined_run,
        beside_quotation,
        quotation_share,
        counted_evidence,
        counted_evidence_han,
        counted_similarity,
        counted_length,
        counted_density,
        acceptance_short,
        short,
        drawn_share_max,
        candidate_evidence,
        seed_evidence,
        max_seeds,
        words_per_seed,
        block,
        max_occurrences,
        chance_floor,
        rate_smoothing,
        copied_share_min,
        copied_share_max,
        tightening,
        reach,
        sentence_bonus,
        line_bonus,
        length_penalty,
        han_dependence,
        merge_gap,
        run,
        run_gap,
        run_merge_gap,
        run_merge_evidence,
        summaries,
        summary_part,
        summary_evidence,
        summary_gap,
        summary_gain,
        summary_regrow,
        summary_whole
    );
}

/// Sums of PAN's measures (Potthast et al. 2010) over the cases and detections of a set.
#[derive(Default, Clone)]
struct Score {
    recall: f64,
    cases: f64,
    precision: f64,
    detections: f64,
    found: f64,
    pieces: f64,
}

impl Score {
    fn add(&mut self, gold: &[Passage], found: &[Passage]) {
        for g in gold {
            let over: Vec<&Passage> = found.iter().filter(|f| overlap(g, f)).collect();
            self.cases += 1.0;
            if !over.is_empty() {
                self.recall += covered(g, &over);
                self.pieces += over.len() as f64;
                self.found += 1.0;
            }
        }
        for f in found {
            let over: Vec<&Passage> = gold.iter().filter(|g| overlap(f, g)).collect();
            self.detections += 1.0;
            self.precision += covered(f, &over);
        }
    }

    fn line(&self) -> String {
        if self.cases == 0.0 {
            return format!("{} false", self.detections);
        }
        let (r, p) = (self.recall / self.cases, self.precision / self.detections.max(1.0));
        let granularity = self.pieces / self.found.max(1.0);
        let plagdet = if r + p > 0.0 { 2.0 * r * p / (r + p) / (1.0 + granularity).log2() } else { 0.0 };
        format!("{plagdet:.4} (r {r:.3} p {p:.3} g {granularity:.3})")
    }
}

fn overlap(a: &Passage, b: &Passage) -> bool {
    a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]
}

fn covered(a: &Passage, others: &[&Passage]) -> f64 {
    let union = |k: usize| {
        let mut spans: Vec<(u32, u32)> =
            others.iter().map(|b| (a[k].max(b[k]), a[k + 1].min(b[k + 1]))).filter(|s| s.1 > s.0).collect();
        spans.sort_unstable();
        let (mut sum, mut end) = (0, 0);
        for (s, e) in spans {
            sum += e.saturating_sub(s.max(end));
            end = end.max(e);
        }
        sum
    };
    f64::from(union(0) + union(2)) / f64::from(a[1] - a[0] + a[3] - a[2])
}

fn passage(m: &Match) -> Passage {
    [m.submission_chars.start, m.submission_chars.end, m.source_chars.start, m.source_chars.end]
}

fn report(title: &str, cases: &[&Case], results: &[(Vec<Match>, f64)]) {
    let mut all = Score::default();
    let mut classes: BTreeMap<&str, (Score, BTreeMap<&str, usize>)> = BTreeMap::new();
    for (case, (found, _)) in cases.iter().zip(results) {
        let found_at: Vec<Passage> = found.iter().map(passage).collect();
        let gold: Vec<Passage> = case.gold.iter().map(|g| g.0).collect();
        all.add(&gold, &found_at);
        let class = classes.entry(&case.class).or_default();
        if case.gold.len() == 1 || case.gold.iter().all(|g| g.1 == case.class) {
            class.0.add(&gold, &found_at);
        } else {
            for (g, c) in &case.gold {
                let near: Vec<Passage> = found_at.iter().filter(|f| overlap(f, g)).copied().collect();
                classes.entry(c).or_default().0.add(&[*g], &near);
            }
        }
        for m in found {
            let over = case.gold.iter().find(|g| overlap(&passage(m), &g.0));
            let class = over.map_or("outside", |g| &g.1);
            *classes.entry(class).or_default().1.entry(m.kind.as_str()).or_default() += 1;
        }
    }
    let time = results.iter().map(|r| r.1).sum::<f64>() / results.len() as f64 * 1e3;
    println!("{title}\n  {:12} {} {time:.3} ms", "all", all.line());
    for (class, (score, kinds)) in &classes {
        let kinds: Vec<String> = kinds.iter().map(|(k, n)| format!("{k} {n}")).collect();
        println!("  {:12} {} | {}", class.chars().take(12).collect::<String>(), score.line(), kinds.join(", "));
    }
}

fn write(file: &str, corpus: &Corpus, cases: &[&Case], results: &[(Vec<Match>, f64)]) {
    let mut out =
        "submission,source,submission_start,submission_end,source_start,source_end,similarity,kind,evidence\n"
            .to_string();
    for (case, (found, _)) in cases.iter().zip(results) {
        for m in found {
            let [a, b, c, d] = passage(m);
            let (s, t) = (&corpus.names[case.submission].1, &corpus.names[case.source].1);
            out += &format!("{s},{t},{a},{b},{c},{d},{:.4},{},{:.1}\n", m.similarity, m.kind.as_str(), m.evidence);
        }
    }
    fs::write(file, out).unwrap();
}

fn load(root: &Path, negatives: usize) -> Corpus {
    let mut pairs: Vec<(String, String, String, Gold)> = Vec::new();
    if let Ok(gold) = fs::read_to_string(root.join("gold.csv")) {
        let mut by: BTreeMap<(String, String), Gold> = BTreeMap::new();
        for line in gold.lines().skip(1) {
            let f: Vec<&str> = line.trim().split(',').collect();
            let at = |i: usize| f[i].parse().unwrap();
            by.entry((f[0].into(), f[1].into())).or_default().push(([at(2), at(3), at(4), at(5)], f[6].into()));
        }
        let names = |folder: &str| {
            let mut names: Vec<String> = fs::read_dir(root.join(folder))
                .unwrap()
                .map(|e| e.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        let (submissions, sources) = (names("susp"), names("src"));
        for (i, submission) in submissions.iter().enumerate() {
            for k in 0..negatives {
                let source = &sources[(i * 131 + k * 37) % sources.len()];
                if !by.contains_key(&(submission.clone(), source.clone())) {
                    pairs.push((submission.clone(), source.clone(), "unplanted".into(), Vec::new()));
                }
            }
        }
        pairs.extend(by.into_iter().map(|((a, b), gold)| (a, b, gold[0].1.clone(), gold)));
    } else {
        let mut folders: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
        folders.retain(|p| p.file_name().unwrap().to_string_lossy().starts_with('0'));
        folders.sort();
        for folder in folders {
            let class = folder.file_name().unwrap().to_string_lossy().into_owned();
            for line in fs::read_to_string(folder.join("pairs")).unwrap().lines() {
                let (a, b) = line.split_once(' ').unwrap();
                let stem = |name: &str| name.trim_end_matches(".txt").to_string();
                let xml = folder.join(format!("{}-{}.xml", stem(a), stem(b)));
                let gold = fs::read_to_string(xml).map(|x| pan_passages(&x)).unwrap_or_default();
                let gold = gold.into_iter().map(|g| (g, class.clone())).collect();
                pairs.push((a.into(), b.into(), class.clone(), gold));
            }
        }
    }
    let mut names: Vec<(bool, String)> =
        pairs.iter().flat_map(|p| [(true, p.0.clone()), (false, p.1.clone())]).collect();
    names.sort();
    names.dedup();
    let clock = Instant::now();
    let texts = names
        .par_iter()
        .map_init(Segmenter::new, |segmenter, (is_submission, name)| {
            let bytes = fs::read(root.join(if *is_submission { "susp" } else { "src" }).join(name)).unwrap();
            segmenter.units(&Normalised::of(&String::from_utf8_lossy(&bytes)))
        })
        .collect();
    eprintln!("{} texts, {} pairs, loaded in {:.2} s", names.len(), pairs.len(), clock.elapsed().as_secs_f64());
    let number = |side: bool, name: &str| names.binary_search(&(side, name.to_string())).unwrap();
    let cases = pairs
        .into_iter()
        .map(|(a, b, class, gold)| Case { submission: number(true, &a), source: number(false, &b), class, gold })
        .collect();
    Corpus { texts, cases, names }
}

/// The passages of one of PAN's XML files.
fn pan_passages(xml: &str) -> Vec<Passage> {
    let number = |element: &str, name: &str| -> Option<u32> {
        let value = element.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0;
        value.parse().ok()
    };
    xml.split('<')
        .filter(|e| e.starts_with("feature") && e.contains("\"plagiarism\""))
        .filter_map(|e| {
            let (a, n) = (number(e, "this_offset")?, number(e, "this_length")?);
            let (b, m) = (number(e, "source_offset")?, number(e, "source_length")?);
            Some([a, a + n, b, b + m])
        })
        .collect()
}
