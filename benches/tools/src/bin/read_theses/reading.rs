//! What is made of one file, and what all come to.

use copytrace::formats::input::{Inputs, ReadLimits};
use copytrace::sketch::analysis::Analyser;
use copytrace::text::layout::MarkKind;
use copytrace::text::manipulation;
use copytrace::text::structure::{SectionKind, Structure};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Write};
use std::path::Path;
use std::time::Instant;

/// A row of `theses.csv`.
pub type Row = BTreeMap<String, String>;

/// The most other sections that are taken for chapters where chapters are right, all of which must be found.
const OTHERS: usize = 2;

/// What is made of one file.
#[derive(Default)]
pub struct Reading {
    pub row: Row,
    /// Why it could not be read.
    error: Option<String>,
    /// Chapters found, and how many there are, if that is known.
    chapters: usize,
    known: Option<usize>,
    /// Whether references were found, if there are some.
    references: Option<bool>,
    contents: bool,
    /// Whether there is a table of contents, if that is known.
    contents_there: Option<bool>,
    quotations: usize,
    cited: usize,
    pages: usize,
    seconds: f64,
    left_out: String,
    flags: String,
    pub sections: Vec<String>,
    /// The text, each line behind its place and the marks that start in it.
    pub lines: String,
    /// The units of the prose in the parts that count.
    pub units: Vec<u32>,
    /// The same as they are written.
    pub words: Vec<String>,
}

pub const HEADER: &str = "| file | format | language | chapters / true | sections | references | contents | quotations (cited) | \
     left out | flags | pages | CPU-s |\n|---|---|---|---|---|---|---|---|---|---|---|---|";

impl Reading {
    /// Reads a file.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(row: Row, file: &Path, analyser: &mut Analyser) -> Result<Reading, Box<dyn std::error::Error>> {
        let since = Clock::now();
        let read = Inputs::open(&[file.to_owned()], ReadLimits::default()).next().ok_or("no input")?;
        let document = match read.and_then(|raw| raw.extract(&ReadLimits::default())) {
            Ok(document) => document,
            Err(error) => return Ok(Reading { row, error: Some(error.reason().to_string()), ..Reading::default() }),
        };
        let structure = Structure::find(&document.text, &document.layout);
        let seconds = since.seconds();
        let analysis = analyser.analyse(&document.visible());
        let flags = manipulation::Flag::find_all(&document.text, &document.layout, &structure, &analysis.units);
        let known = row["chapters found/true (rows)"].split_once('/').map(|(_, rest)| rest);
        let known = known.and_then(|rest| rest.split([' ', '(']).next()?.trim_start_matches('~').parse().ok());
        let sections = &structure.sections;
        let has = |kind| sections.iter().any(|section| section.kind == kind);
        let there = !["none in it", "–"].contains(&row["references found"].as_str());
        let prose = prose(&document.text);
        let beside = beside_the_text(&document, &structure);
        let counts = |place: u32| {
            let after = sections.partition_point(|section| section.start <= place);
            let line = prose.partition_point(|line| line.start <= place);
            let mark = beside.partition_point(|span| span.start <= place);
            after.checked_sub(1).is_some_and(|at| sections[at].kind.counts())
                && mark.checked_sub(1).is_none_or(|at| place >= beside[at].end)
                && line.checked_sub(1).is_some_and(|at| prose[at].contains(&place))
        };
        let units = std::iter::zip(&analysis.units.start, &analysis.units.hash);
        let characters: Vec<char> = document.text.chars().collect();
        let word = |start: u32| written(&characters[start as usize..]);
        let (places, units) = units
            .filter(|(start, _)| counts(**start))
            .map(|(start, hash)| (*start, *hash))
            .unzip::<u32, u32, Vec<_>, _>();
        Ok(Reading {
            known,
            chapters: sections.iter().filter(|s| s.kind == SectionKind::Chapter && !s.title.is_empty()).count(),
            references: there.then(|| has(SectionKind::References)),
            contents: has(SectionKind::Contents),
            contents_there: row.get("contents").map(|there| there == "y"),
            quotations: structure.quotations.len(),
            cited: structure.quotations.iter().filter(|quotation| quotation.citation.is_some()).count(),
            pages: document.layout.pages(),
            seconds,
            left_out: left_out(&document.text, &structure),
            flags: flags_of(&flags),
            sections: sections
                .iter()
                .map(|s| format!("{:>7} {:>7} {:<16} {}", s.start, s.end - s.start, s.kind.as_str(), s.title))
                .chain(block_quotations(&document))
                .collect(),
            lines: lines(&document),
            words: places.into_iter().map(word).collect(),
            units,
            error: None,
            row,
        })
    }

    /// Whether a table of contents was found where there is one.
    fn contents_right(&self) -> Option<bool> {
        self.contents_there.filter(|there| *there).map(|_| self.contents)
    }

    fn chapters_right(&self) -> Option<bool> {
        self.known.map(|known| (known..=known + OTHERS).contains(&self.chapters))
    }
}

fn lines(document: &copytrace::text::Document) -> String {
    let mut marks = document.layout.marks().iter().peekable();
    let (mut lines, mut place) = (String::new(), 0);
    for line in document.text.split_inclusive('\n') {
        let end = place + line.chars().count() as u32;
        let here = std::iter::from_fn(|| marks.next_if(|mark| mark.start < end));
        let kinds: Vec<String> = here.map(|mark| format!("{:?}+{}", mark.kind, mark.end - mark.start)).collect();
        let _ = writeln!(lines, "{place:>7} {:<20} | {}", kinds.join(" "), line.trim_end());
        place = end;
    }
    lines
}

/// Lines of fewer letters are headings, entries of lists and labels of drawings.
const SHORTEST: usize = 60;

/// How many letters say as much as a Han character and the like.
const WIDE: usize = 2;

/// The lines of some length in which a sentence ends: neither headings nor entries of lists, labels of drawings or code.
fn prose(text: &str) -> Vec<std::ops::Range<u32>> {
    let mut place = 0;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let characters: Vec<char> = line.chars().collect();
        let end = place + characters.len() as u32;
        let letters = characters.iter().filter(|c| c.is_alphabetic()).map(|c| if is_wide(*c) { WIDE } else { 1 });
        let ends = |three: &[char]| {
            matches!(three, [a, b, '.' | '?' | '!' | ':'] if a.is_lowercase() && b.is_lowercase())
                || three.iter().any(|c| matches!(c, '。' | '！' | '？' | '：' | '；'))
        };
        if letters.sum::<usize>() >= SHORTEST && characters.windows(3).any(ends) {
            lines.push(place..end);
        }
        place = end + 1;
    }
    lines
}

/// The unit that a text begins with: a word, or a character of a script without blanks.
fn written(text: &[char]) -> String {
    let longest = if text.first().is_some_and(|c| is_wide(*c)) { 1 } else { 20 };
    text.iter().take_while(|c| c.is_alphanumeric()).take(longest).collect()
}

fn is_wide(c: char) -> bool {
    c >= '\u{2E80}'
}

/// What a format puts at another place than its twin, or writes otherwise: captions, tables, code and references to the literature.
fn beside_the_text(document: &copytrace::text::Document, structure: &Structure) -> Vec<std::ops::Range<u32>> {
    let is_beside = |kind| matches!(kind, MarkKind::Caption | MarkKind::Table | MarkKind::Code | MarkKind::Citation);
    let marks = document.layout.marks().iter().filter(|mark| is_beside(mark.kind)).map(|mark| mark.start..mark.end);
    let mut all: Vec<std::ops::Range<u32>> = marks.chain(structure.citations.iter().cloned()).collect();
    all.sort_by_key(|span| span.start);
    let mut spans: Vec<std::ops::Range<u32>> = Vec::new();
    for span in all {
        match spans.last_mut().filter(|last| span.start < last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => spans.push(span),
        }
    }
    spans
}

/// The beginnings of the block quotations.
fn block_quotations(document: &copytrace::text::Document) -> Vec<String> {
    let characters: Vec<char> = document.text.chars().collect();
    let start = |span: &copytrace::text::layout::Mark| -> String {
        characters[span.start as usize..span.end as usize].iter().take(60).collect()
    };
    let marks = document.layout.of(MarkKind::Quotation);
    marks.map(|mark| format!("{:>7} {:>7} “ {}", mark.start, mark.end - mark.start, start(mark))).collect()
}

/// The shares of each kind of what does not count.
fn left_out(text: &str, structure: &Structure) -> String {
    let characters: Vec<char> = text.chars().collect();
    let countable = |span: &[char]| span.iter().filter(|c| c.is_alphanumeric()).count();
    let total = countable(&characters).max(1) as f64;
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    for section in structure.sections.iter().filter(|section| !section.kind.counts()) {
        let span = &characters[section.start as usize..section.end as usize];
        *left_out.entry(section.kind.as_str()).or_default() += countable(span);
    }
    let shares = left_out.iter().map(|(kind, count)| format!("{kind} {:.1} %", *count as f64 / total * 100.0));
    shares.collect::<Vec<_>>().join(", ")
}

/// The flags with their counts.
fn flags_of(flags: &[manipulation::Flag]) -> String {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for flag in flags {
        *counts.entry(flag.kind.as_str()).or_default() += flag.count;
    }
    counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

impl Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reading { row, chapters, quotations, cited, pages, seconds, left_out, flags, .. } = self;
        write!(f, "| {} | {} | {} | ", row["id"], row["format"], row["language"])?;
        if let Some(error) = &self.error {
            return write!(f, "{error} | | | | | | | | |");
        }
        let known = self.known.map_or("?".to_owned(), |known| known.to_string());
        let references = self.references.map_or("–", yes);
        let contents = yes(self.contents);
        let sections = self.sections.len();
        write!(
            f,
            "{chapters} / {known} | {sections} | {references} | {contents} | {quotations} ({cited}) | {left_out} | {flags} | {pages} | \
             {seconds:.2} |"
        )
    }
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// Of how many something is known, and of how many it holds.
fn of(readings: &[&Reading], holds: impl Fn(&Reading) -> Option<bool>) -> String {
    let known: Vec<bool> = readings.iter().filter_map(|reading| holds(reading)).collect();
    format!("{} of {}", known.iter().filter(|holds| **holds).count(), known.len())
}

/// What all readings come to, in a line.
pub fn sums(readings: &[Reading]) -> String {
    let all: Vec<&Reading> = readings.iter().filter(|reading| reading.error.is_none()).collect();
    format!(
        "{} files read; chapters right (all, and at most {OTHERS} more) in {}; references found in {}; contents in {}; flags other than \
         pictures in {}",
        all.len(),
        of(&all, Reading::chapters_right),
        of(&all, |reading| reading.references),
        of(&all, Reading::contents_right),
        all.iter().filter(|reading| !reading.flags.is_empty()).count()
    )
}

/// What the readings of each format come to.
pub fn table(readings: &[Reading]) -> String {
    let mut table =
        "| format | files read | chapters right | references found | flagged | pages per CPU-second | slowest |\n\
         |---|---|---|---|---|---|---|\n"
            .to_owned();
    let formats: BTreeSet<&str> = readings.iter().map(|reading| reading.row["format"].as_str()).collect();
    for format in formats.into_iter().map(Some).chain([None]) {
        let is_of = |reading: &&Reading| format.is_none_or(|format| reading.row["format"] == format);
        let all: Vec<&Reading> = readings.iter().filter(is_of).collect();
        let read: Vec<&Reading> = all.iter().copied().filter(|reading| reading.error.is_none()).collect();
        let paged = || read.iter().filter(|reading| reading.pages > 0);
        let (pages, seconds) = paged().fold((0, 0.0), |sum, r| (sum.0 + r.pages, sum.1 + r.seconds));
        let speed = if pages > 0 { format!("{:.0}", pages as f64 / seconds) } else { "–".to_owned() };
        let slowest = read.iter().map(|reading| reading.seconds).fold(0.0, f64::max);
        let _ = writeln!(
            table,
            "| {} | {} of {} | {} | {} | {} | {speed} | {slowest:.1} s |",
            format.unwrap_or("all"),
            read.len(),
            all.len(),
            of(&read, Reading::chapters_right),
            of(&read, |reading| reading.references),
            read.iter().filter(|reading| !reading.flags.is_empty()).count(),
        );
    }
    table
}

/// The time of the processor that this thread took; where the system does not tell, time as it passes.
struct Clock(Option<f64>, Instant);

impl Clock {
    fn now() -> Clock {
        Clock(Clock::processor(), Instant::now())
    }

    fn processor() -> Option<f64> {
        let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(spent.split(' ').next()?.parse::<f64>().ok()? / 1e9)
    }

    fn seconds(&self) -> f64 {
        match (self.0, Clock::processor()) {
            (Some(from), Some(to)) => to - from,
            _ => self.1.elapsed().as_secs_f64(),
        }
    }
}
