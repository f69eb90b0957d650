//! What somebody wrote between copied sentences is nobody else's, however short it is, and what was copied beside it counts.

use copytrace::check::{Checker, LibraryBuilder, Report, Rules};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::Document;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// What a part of a planted submission is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Copied,
    Own,
}

/// The parts of a submission, in characters.
type Parts = Vec<(Part, Range<usize>)>;

/// The texts of a folder of `corpora/` whose names start so.
fn texts(folder: &str, prefix: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(prefix) && (name.ends_with(".txt") || name.ends_with(".md"))
    });
    files.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// A language, with what ends its sentences and what stands between them.
struct Language {
    prefix: &'static str,
    ends: &'static [char],
    between: &'static str,
}

const ENGLISH: Language = Language { prefix: "en", ends: &['.'], between: " " };
const CHINESE: Language = Language { prefix: "zh", ends: &['。'], between: "" };

impl Language {
    fn sentences(&self, text: &str) -> Vec<String> {
        let prose = text.lines().filter(|line| !line.starts_with(['#', '-', '|', '*']) && line.chars().count() > 60);
        let sentences = prose.flat_map(|line| line.split_inclusive(self.ends).map(str::trim).map(str::to_owned));
        sentences.filter(|sentence| sentence.ends_with(self.ends) && sentence.chars().count() > 8).collect()
    }

    /// The units that own sentences are cut from: words, or characters.
    fn pieces<'a>(&self, sentence: &'a str) -> Vec<&'a str> {
        match self.prefix {
            "zh" => sentence.char_indices().map(|(at, c)| &sentence[at..at + c.len_utf8()]).collect(),
            _ => sentence.split(' ').collect(),
        }
    }

    /// The first `length` words or characters of a sentence, as a sentence.
    fn cut(&self, sentence: &str, length: usize) -> String {
        let pieces = self.pieces(sentence.trim_end_matches(self.ends));
        format!("{}{}", pieces[..length.min(pieces.len())].join(self.between), self.ends[0])
    }

    /// A sentence of which every `every`-th word, or pair of characters, is one of another text.
    fn edited(&self, sentence: &str, every: usize, others: &mut impl Iterator<Item = char>) -> String {
        let other_word = |others: &mut dyn Iterator<Item = char>| others.take(6).collect::<String>();
        let (mut at, mut edited) = (0, Vec::new());
        for piece in self.pieces(sentence.trim_end_matches(self.ends)) {
            at += 1;
            let is_replaced = match self.prefix {
                "zh" => at % (2 * every) < 2,
                _ => at % every == 0,
            };
            edited.push(match (is_replaced, self.prefix) {
                (false, _) => piece.to_owned(),
                (true, "zh") => others.next().unwrap().to_string(),
                (true, _) => other_word(others),
            });
        }
        format!("{}{}", edited.join(self.between), self.ends[0])
    }
}

/// A submission of three copied paragraphs from each of two sources, with an own sentence `length` long after each, and what each
/// part of it is, in characters.
fn plant(language: &Language, length: usize, every: Option<usize>) -> (Vec<Document>, Document, Parts) {
    let sources = texts("demo/reference", language.prefix);
    let own: Vec<String> =
        texts("innocent", language.prefix).iter().flat_map(|text| language.sentences(text)).collect();
    let letters: String = texts("innocent", language.prefix).concat();
    let mut letters = letters.chars().filter(|c| c.is_alphabetic()).cycle().skip(length * 31);
    let mut own = own.iter().cycle().skip(length * 7);
    let (mut text, mut parts) = (String::new(), Vec::new());
    let mut put = |text: &mut String, part: Part, what: &str| {
        let start = text.chars().count();
        text.push_str(what);
        parts.push((part, start..start + what.chars().count()));
    };
    for source in [&sources[length % sources.len()], &sources[(length + 5) % sources.len()]] {
        for paragraph in language.sentences(source).chunks(4).take(3) {
            let copied = paragraph.iter().map(|sentence| match every {
                Some(every) => language.edited(sentence, every, &mut letters),
                None => sentence.clone(),
            });
            put(&mut text, Part::Copied, &copied.collect::<Vec<_>>().join(language.between));
            // As a paragraph of its own, or in the one before.
            text.push_str(if length.is_multiple_of(2) { "\n\n" } else { language.between });
            put(&mut text, Part::Own, &language.cut(own.next().unwrap(), length));
            text.push_str("\n\n");
        }
        let base: Vec<String> = own.by_ref().take(12).cloned().collect();
        put(&mut text, Part::Own, &base.join(language.between));
        text.push_str("\n\n");
    }
    let document =
        |(at, text): (usize, &String)| Document { id: format!("{at}"), text: text.clone(), ..Document::default() };
    let library = sources.iter().enumerate().map(document).collect();
    (library, Document { id: "thesis".to_owned(), text, ..Document::default() }, parts)
}

fn report(library: Vec<Document>, submission: Document) -> Report {
    let settings = Settings::default();
    let mut builder = LibraryBuilder::new(&settings.sketch).unwrap();
    assert_eq!(builder.add(library, &Job::default()).unwrap(), []);
    let checker = Checker::new(builder.finish().unwrap().into(), settings, Rules::default());
    checker.check(submission, &Job::default()).unwrap().report()
}

/// Letters and digits of the parts of one kind, and how many of them count as copied.
fn counted(report: &Report, parts: &Parts, wanted: Part) -> (usize, usize) {
    let characters: Vec<char> = report.text.chars().collect();
    let inside = parts.iter().filter(|(part, _)| *part == wanted).flat_map(|(_, range)| range.clone());
    let (mut all, mut copied) = (0, 0);
    for at in inside.filter(|&at| characters[at].is_alphanumeric()) {
        let is_here = |segment: &&copytrace::check::CountedSegment| {
            (segment.start..segment.end).contains(&(at as u32)) && segment.matched
        };
        all += 1;
        copied += usize::from(report.segments.iter().any(|segment| is_here(&segment)));
    }
    (copied, all)
}

#[test]
fn own_sentences_of_every_length_between_copied_ones_do_not_count_and_the_copied_ones_do() {
    // Lengths in words or in Han characters; short sentences have a row of their own, as they are few characters of all.
    for (language, lengths) in [(ENGLISH, 3..8), (ENGLISH, 3..21), (CHINESE, 4..12), (CHINESE, 4..42)] {
        for (every, least) in [(None, 0.98), (Some(6), 0.93), (Some(4), 0.93)] {
            let (mut own, mut copied) = ((0, 0), (0, 0));
            let add = |sum: &mut (usize, usize), of: (usize, usize)| *sum = (sum.0 + of.0, sum.1 + of.1);
            for length in lengths.clone().step_by(3) {
                let (library, submission, parts) = plant(&language, length, every);
                let report = report(library, submission);
                add(&mut own, counted(&report, &parts, Part::Own));
                add(&mut copied, counted(&report, &parts, Part::Copied));
            }
            let share = |(part, all): (usize, usize)| part as f64 / all as f64;
            let prefix = language.prefix;
            assert!(share(own) <= 0.01, "{prefix}, every {every:?}: {own:?} of own text counts");
            assert!(share(copied) >= least, "{prefix}, every {every:?}: {copied:?} of copied text counts");
        }
    }
}

#[test]
fn a_passage_says_which_of_its_segments_are_own_text_on_either_side() {
    let copied = [
        "The keeper of the lighthouse wrote down wind and visibility four times a night in a blue ledger that the \
        harbour office had given to his predecessor.",
        "Nobody read it until the winter in which the mail boat was lost, and \
        then three officials from the capital copied every page of it by hand.",
    ];
    let own = "Our survey asked eleven schools about breakfast.";
    let library =
        [("source", copied.join(" "))].map(|(id, text)| Document { id: id.into(), text, ..Document::default() });
    let text = format!("{} {own} {} {own}", copied[0], copied[1]);
    let report = report(library.into(), Document { id: "thesis".into(), text: text.clone(), ..Document::default() });
    let passage = &report.passages[0];
    let shown =
        |range: &Range<u32>| text.chars().take(range.end as usize).skip(range.start as usize).collect::<String>();
    let gaps: Vec<String> = passage.own.iter().map(|gap| shown(gap).trim().to_owned()).collect();
    assert_eq!(gaps, [own]);
    assert_eq!(passage.left_out, []);
    let covered: String = passage
        .covered()
        .into_iter()
        .flatten()
        .map(|at| shown(&(report.segments[at].start..report.segments[at].end)))
        .collect();
    assert!(!covered.contains("breakfast") && covered.contains("ledger") && covered.contains("capital"), "{covered}");
    assert_eq!(report.ratios.all.matched, passage.characters);
}
