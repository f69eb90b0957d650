//! The rows of the reports. The fields are the columns, in order: they may be added to at the end, never renamed.

use super::cells::{four_decimals, six_decimals, text};
use super::parts::{ChapterRow, ExcludedRow, FlagRow, chapter_rows, excluded_row, flag_row};
use crate::align::Match;
use crate::index::{Index, IndexError, Record};
use crate::score::exclusion::{Exclusion, units_within};
use crate::score::{Countable, ratio};
use crate::search::DocumentSimilarity;
use crate::search::all_pairs::Pair;
use crate::search::submission::{Findings, Source};
use crate::sketch::analysis::Analysis;
use crate::text::structure::Structure;
use crate::text::units::Units;
use crate::text::{Document, manipulation};
use serde::Serialize;
use std::ops::Range;

/// The columns of `summary.csv`.
pub const SUMMARY_COLUMNS: &str = "submission,status,characters,matched_characters,copy_ratio,sources,passages,top_source,top_source_ratio,message,copy_ratio_without_quotes,copy_ratio_without_own_work";

/// The columns of `sources.csv`.
pub const SOURCES_COLUMNS: &str = "submission,source,estimated_jaccard,jaccard,containment,hamming,simhash_agrees,matched_characters,ratio,longest_match,passages,credited";

/// The columns of `passages.csv`.
pub const PASSAGES_COLUMNS: &str = "submission,source,submission_start,submission_end,source_start,source_end,similarity,kind,excluded,submission_text,source_text";

/// The columns of `pairs.csv`.
pub const PAIRS_COLUMNS: &str =
    "first,second,estimated_jaccard,jaccard,containment_first,containment_second,hamming,simhash_agrees";

/// The columns of the table of clusters.
pub const CLUSTERS_COLUMNS: &str = "representative,document";

/// A row of `summary.csv`: one submission.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SummaryRow {
    /// The submission's id.
    #[serde(serialize_with = "text")]
    pub submission: String,
    /// `ok`, or `error` when it could not be checked.
    pub status: &'static str,
    /// Countable characters of the submission that count: those of `excluded.csv`'s parts do not.
    pub characters: u64,
    /// Those of them inside matches, each counted once.
    pub matched_characters: u64,
    /// `matched_characters / characters`.
    #[serde(serialize_with = "four_decimals")]
    pub copy_ratio: f64,
    /// How many sources it has.
    pub sources: usize,
    /// How many passages it shares with them.
    pub passages: usize,
    /// The source with the most matched characters.
    #[serde(serialize_with = "text")]
    pub top_source: String,
    /// That source's matched characters / `characters`.
    #[serde(serialize_with = "four_decimals")]
    pub top_source_ratio: f64,
    /// Why it could not be checked, or what else should be known.
    #[serde(serialize_with = "text")]
    pub message: String,
    /// As `copy_ratio`, without matched characters in quotations that a citation stands by.
    #[serde(serialize_with = "four_decimals")]
    pub copy_ratio_without_quotes: f64,
    /// As `copy_ratio`, without matches in sources that are the author's own work.
    #[serde(serialize_with = "four_decimals")]
    pub copy_ratio_without_own_work: f64,
}

/// A row of `sources.csv`: one submission and one of its sources.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SourceRow {
    /// The submission's id.
    #[serde(serialize_with = "text")]
    pub submission: String,
    /// The source's id.
    #[serde(serialize_with = "text")]
    pub source: String,
    /// Jaccard similarity of the whole documents, estimated from the signatures.
    #[serde(serialize_with = "six_decimals")]
    pub estimated_jaccard: f64,
    /// Jaccard similarity of the whole documents, exact.
    #[serde(serialize_with = "six_decimals")]
    pub jaccard: f64,
    /// The share of the submission's shingles that stand in the source, exact.
    #[serde(serialize_with = "six_decimals")]
    pub containment: f64,
    /// Hamming distance of the SimHash fingerprints.
    pub hamming: u32,
    /// Whether SimHash comes to the same answer as the Jaccard similarity.
    pub simhash_agrees: bool,
    /// Countable characters of the submission inside matches with this source.
    pub matched_characters: u64,
    /// `matched_characters` / countable characters of the submission.
    #[serde(serialize_with = "four_decimals")]
    pub ratio: f64,
    /// Countable characters of the longest match.
    pub longest_match: u64,
    /// How many passages they share.
    pub passages: usize,
    /// Of `matched_characters` what no better source has ([`Countable::credited`]).
    pub credited: u64,
}

/// A row of `passages.csv`: one match. Offsets are characters of the extracted texts, the end exclusive.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PassageRow {
    /// The submission's id.
    #[serde(serialize_with = "text")]
    pub submission: String,
    /// The source's id.
    #[serde(serialize_with = "text")]
    pub source: String,
    /// First character of the passage in the submission.
    pub submission_start: u32,
    /// Where it ends in the submission.
    pub submission_end: u32,
    /// First character of the passage in the source.
    pub source_start: u32,
    /// Where it ends in the source.
    pub source_end: u32,
    /// How alike the two passages are, 0 to 1.
    #[serde(serialize_with = "four_decimals")]
    pub similarity: f64,
    /// `verbatim`, `edited`, `reordered` or `disguised`.
    pub kind: &'static str,
    /// Why the passage does not count, in all ratios or in one: a reason of `excluded.csv`; empty when it counts.
    #[serde(serialize_with = "text")]
    pub excluded: String,
    /// The passage as it stands in the submission.
    #[serde(serialize_with = "text")]
    pub submission_text: String,
    /// The passage as it stands in the source.
    #[serde(serialize_with = "text")]
    pub source_text: String,
}

/// A row of `pairs.csv`: two similar documents of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PairRow {
    /// The id that comes first.
    #[serde(serialize_with = "text")]
    pub first: String,
    /// The other id.
    #[serde(serialize_with = "text")]
    pub second: String,
    /// Jaccard similarity, estimated from the signatures.
    #[serde(serialize_with = "six_decimals")]
    pub estimated_jaccard: f64,
    /// Jaccard similarity, exact.
    #[serde(serialize_with = "six_decimals")]
    pub jaccard: f64,
    /// The share of the first document's shingles that stand in the second.
    #[serde(serialize_with = "six_decimals")]
    pub containment_first: f64,
    /// The share of the second document's shingles that stand in the first.
    #[serde(serialize_with = "six_decimals")]
    pub containment_second: f64,
    /// Hamming distance of the SimHash fingerprints.
    pub hamming: u32,
    /// Whether SimHash comes to the same answer as the Jaccard similarity.
    pub simhash_agrees: bool,
}

impl PairRow {
    /// The row of a pair.
    pub fn new(pair: &Pair) -> Self {
        let DocumentSimilarity {
            estimated_jaccard,
            jaccard,
            containment_first,
            containment_second,
            hamming,
            simhash_agrees,
        } = pair.similarity;
        PairRow {
            first: pair.first.to_owned(),
            second: pair.second.to_owned(),
            estimated_jaccard,
            jaccard,
            containment_first,
            containment_second,
            hamming,
            simhash_agrees,
        }
    }
}

/// A row of the table of clusters: one document of a cluster of similar ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ClusterRow {
    /// The smallest id of the cluster.
    #[serde(serialize_with = "text")]
    pub representative: String,
    /// The document's id, in one row that of the representative itself.
    #[serde(serialize_with = "text")]
    pub document: String,
}

impl ClusterRow {
    /// The row of a document.
    pub fn new(representative: &str, document: &str) -> Self {
        ClusterRow { representative: representative.to_owned(), document: document.to_owned() }
    }
}

/// Everything the reports say of one submission.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SubmissionReport {
    /// Its row of the summary.
    pub summary: SummaryRow,
    /// Its sources, by id.
    pub sources: Vec<SourceRow>,
    /// Its passages, by source and place.
    pub passages: Vec<PassageRow>,
    /// The chapters, in order.
    pub chapters: Vec<ChapterRow>,
    /// What some ratio leaves out, by place.
    pub excluded: Vec<ExcludedRow>,
    /// Signs of manipulation, by kind and place.
    pub flags: Vec<FlagRow>,
}

/// What of a submission counts.
pub struct Scope<'a> {
    /// Its parts and quotations.
    pub structure: &'a Structure,
    /// What does not count, in order and apart.
    pub exclusions: &'a [Exclusion],
    /// Whether a source is the author's own work.
    pub is_own: &'a dyn Fn(&Record) -> bool,
}

impl SubmissionReport {
    /// The report on a submission that was checked.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn new(
        document: &Document,
        analysis: &Analysis,
        findings: &Findings,
        index: &Index,
        scope: &Scope<'_>,
    ) -> Result<Self, IndexError> {
        let units = &analysis.units;
        let (all, countable) = (Countable::new(units), Countable::outside(units, scope.exclusions));
        let quoted = quoted(scope.structure, units);
        let id = document.id.as_str();
        let text = CharText::new(&document.text);
        let mut report = SubmissionReport::default();
        let of_sources: Vec<&[Match]> = findings.sources.iter().map(|source| source.matches.as_slice()).collect();
        for (source, credited) in findings.sources.iter().zip(countable.credited(&of_sources)) {
            let source_id = &source.record.id;
            report.sources.push(SourceRow { credited, ..source_row(id, source_id, source, &countable) });
            // An index without texts leaves the source's wording out.
            let source_text = index.text(source.document)?.unwrap_or_default();
            let source_text = CharText::new(&source_text);
            let is_own = (scope.is_own)(&source.record);
            let row = |m: &Match| {
                let excluded = reason(&m.submission, &all, scope.exclusions, is_own, &quoted).unwrap_or_default();
                PassageRow { excluded: excluded.to_owned(), ..passage_row(id, source_id, m, &text, &source_text) }
            };
            report.passages.extend(source.matches.iter().map(row));
            if is_own {
                let row = |m: &Match| excluded_row(id, "own work", &m.submission, units, &all);
                report.excluded.extend(source.matches.iter().map(row));
            }
        }
        sort_passages(&mut report.passages);
        let matches = || findings.sources.iter().flat_map(|s| &s.matches).map(|m| m.submission.clone());
        let foreign = findings.sources.iter().filter(|source| !(scope.is_own)(&source.record));
        let matched = countable.of_union(matches());
        let without_own = countable.matched(foreign.flat_map(|source| &source.matches));
        let without_quotes = countable.of_union(matches().flat_map(|range| without(&range, &quoted)));
        let matches: Vec<Range<u32>> = matches().collect();
        report.chapters = chapter_rows(id, &scope.structure.sections, units, &countable, &matches);
        report.flags =
            manipulation::find(&document.text, &document.layout, units).iter().map(|flag| flag_row(id, flag)).collect();
        let parts = scope.exclusions.iter().map(|exclusion| (exclusion.reason, &exclusion.units));
        let quotations = quoted.iter().map(|range| ("quotation", range));
        report
            .excluded
            .extend(parts.chain(quotations).map(|(reason, range)| excluded_row(id, reason, range, units, &all)));
        report.excluded.sort_by_key(|row| (row.start, row.end, row.reason));
        // The first of the greatest: ids are in ascending order.
        let top = report.sources.iter().rev().max_by_key(|row| row.matched_characters);
        report.summary = SummaryRow {
            submission: id.to_owned(),
            status: "ok",
            characters: countable.total(),
            matched_characters: matched,
            copy_ratio: ratio(matched, countable.total()),
            sources: report.sources.len(),
            passages: report.passages.len(),
            top_source: top.map(|row| row.source.clone()).unwrap_or_default(),
            top_source_ratio: top.map_or(0.0, |row| row.ratio),
            message: remarks(document, findings),
            copy_ratio_without_quotes: ratio(without_quotes, countable.total()),
            copy_ratio_without_own_work: ratio(without_own, countable.total()),
        };
        Ok(report)
    }

    /// The report on a submission that could not be checked.
    pub fn error(id: &str, reason: String) -> Self {
        let summary =
            SummaryRow { submission: id.to_owned(), status: "error", message: reason, ..SummaryRow::default() };
        SubmissionReport { summary, ..SubmissionReport::default() }
    }
}

/// The quotations that a citation stands by, in units, in order and apart.
fn quoted(structure: &Structure, units: &Units) -> Vec<Range<u32>> {
    let cited = structure.quotations.iter().filter(|quotation| quotation.citation.is_some());
    let ranges = cited.map(|quotation| units_within(units, &(quotation.start..quotation.end)));
    ranges.filter(|range| range.start < range.end).collect()
}

/// A range without what others, in order and apart, hold of it.
fn without(range: &Range<u32>, others: &[Range<u32>]) -> Vec<Range<u32>> {
    let first = others.partition_point(|other| other.end <= range.start);
    let (mut left, mut start) = (Vec::new(), range.start);
    for other in others[first..].iter().take_while(|other| other.start < range.end) {
        left.push(start..other.start.max(start));
        start = other.end.min(range.end);
    }
    left.push(start..range.end);
    left.retain(|range| range.start < range.end);
    left
}

/// The share of a passage from which on it belongs to the part or the quotation it lies in.
const MOSTLY: f64 = 0.9;

/// Why a passage does not count: it lies in a part that does not, the source is the author's own, or it is quoted.
fn reason(
    passage: &Range<u32>,
    all: &Countable,
    exclusions: &[Exclusion],
    is_own: bool,
    quoted: &[Range<u32>],
) -> Option<&'static str> {
    let mostly = |left: Vec<Range<u32>>| {
        let outside: u64 = left.iter().map(|range| all.of(range)).sum();
        ratio(outside, all.of(passage)) <= 1.0 - MOSTLY
    };
    let ranges: Vec<Range<u32>> = exclusions.iter().map(|exclusion| exclusion.units.clone()).collect();
    let part = exclusions.iter().find(|exclusion| exclusion.units.end > passage.start);
    match part {
        Some(part) if mostly(without(passage, &ranges)) => Some(part.reason),
        _ if is_own => Some("own work"),
        _ if mostly(without(passage, quoted)) => Some("quotation"),
        _ => None,
    }
}

/// What else should be known of a submission that was checked.
fn remarks(document: &Document, findings: &Findings) -> String {
    let mut remarks = Vec::new();
    if document.undecodable > 0 {
        remarks.push(format!("{} characters could not be decoded", document.undecodable));
    }
    if findings.further_sources > 0 {
        remarks.push(format!("{} further sources share nothing but what these do", findings.further_sources));
    }
    if findings.frequent_keys > 0 {
        let keys = findings.frequent_keys;
        remarks.push(format!(
            "{keys} keys stand in very many documents, of which some were compared: there may be more sources"
        ));
    }
    remarks.join("; ")
}

fn source_row(submission: &str, source_id: &str, source: &Source, countable: &Countable) -> SourceRow {
    let matched_characters = countable.matched(&source.matches);
    SourceRow {
        submission: submission.to_owned(),
        source: source_id.to_owned(),
        estimated_jaccard: source.similarity.estimated_jaccard,
        jaccard: source.similarity.jaccard,
        containment: source.similarity.containment_first,
        hamming: source.similarity.hamming,
        simhash_agrees: source.similarity.simhash_agrees,
        matched_characters,
        ratio: ratio(matched_characters, countable.total()),
        longest_match: source.matches.iter().map(|m| countable.of(&m.submission)).max().unwrap_or(0),
        passages: source.matches.len(),
        credited: 0,
    }
}

/// The row of one match between two texts.
pub fn passage_row(submission: &str, source: &str, m: &Match, text: &CharText, source_text: &CharText) -> PassageRow {
    PassageRow {
        submission: submission.to_owned(),
        source: source.to_owned(),
        submission_start: m.submission_chars.start,
        submission_end: m.submission_chars.end,
        source_start: m.source_chars.start,
        source_end: m.source_chars.end,
        similarity: f64::from(m.similarity),
        kind: m.kind.as_str(),
        excluded: String::new(),
        submission_text: text.slice(&m.submission_chars).to_owned(),
        source_text: source_text.slice(&m.source_chars).to_owned(),
    }
}

/// Orders the passages of one submission: by source, then by place in the submission and in the source.
pub fn sort_passages(passages: &mut [PassageRow]) {
    passages.sort_by(|a, b| {
        let key = |row: &PassageRow| (row.submission_start, row.submission_end, row.source_start, row.source_end);
        a.source.cmp(&b.source).then_with(|| key(a).cmp(&key(b)))
    });
}

/// A text that is cut by character offsets: every 64th character's byte is remembered.
pub struct CharText<'a> {
    text: &'a str,
    landmarks: Vec<usize>,
}

/// Characters between two landmarks.
const STEP: usize = 64;

impl<'a> CharText<'a> {
    /// Prepares a text.
    pub fn new(text: &'a str) -> Self {
        CharText { text, landmarks: text.char_indices().step_by(STEP).map(|(byte, _)| byte).collect() }
    }

    /// The characters of a range; what lies past the end is left out.
    pub fn slice(&self, chars: &Range<u32>) -> &'a str {
        &self.text[self.byte(chars.start)..self.byte(chars.end)]
    }

    fn byte(&self, character: u32) -> usize {
        let character = character as usize;
        let Some(&landmark) = self.landmarks.get(character / STEP) else { return self.text.len() };
        let rest = &self.text[landmark..];
        rest.char_indices().nth(character % STEP).map_or(self.text.len(), |(byte, _)| landmark + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::parts;

    #[test]
    fn a_passage_is_left_out_for_the_part_it_lies_in_then_as_own_work_then_as_quoted() {
        let all = Countable::new(&Units::from_text("one two six ten now and but"));
        let references = [Exclusion { reason: "references", units: 4..7 }];
        let quoted = vec![0..2, 9..9];
        let cases = [
            (4..6, true, Some("references")),
            (2..6, false, None),
            (2..6, true, Some("own work")),
            (0..2, false, Some("quotation")),
            (0..3, false, None),
        ];
        for (passage, is_own, expected) in cases {
            assert_eq!(reason(&passage, &all, &references, is_own, &quoted), expected, "{passage:?}");
        }
    }

    #[test]
    fn what_others_hold_is_cut_out_of_a_range() {
        let others = [0..2, 4..6, 9..12];
        assert_eq!(without(&(1..10), &others), [2..4, 6..9]);
        assert_eq!(without(&(4..6), &others), []);
        assert_eq!(without(&(6..8), &others), vec![6..8]);
    }

    #[test]
    fn the_columns_are_the_fields_in_order() {
        let header = |row: &dyn Fn(&mut csv::Writer<Vec<u8>>)| {
            let mut writer = csv::Writer::from_writer(Vec::new());
            row(&mut writer);
            String::from_utf8(writer.into_inner().unwrap()).unwrap().lines().next().unwrap().to_owned()
        };
        assert_eq!(header(&|w| w.serialize(SummaryRow::default()).unwrap()), SUMMARY_COLUMNS);
        assert_eq!(header(&|w| w.serialize(SourceRow::default()).unwrap()), SOURCES_COLUMNS);
        assert_eq!(header(&|w| w.serialize(PassageRow::default()).unwrap()), PASSAGES_COLUMNS);
        assert_eq!(header(&|w| w.serialize(PairRow::default()).unwrap()), PAIRS_COLUMNS);
        assert_eq!(header(&|w| w.serialize(ClusterRow::default()).unwrap()), CLUSTERS_COLUMNS);
        assert_eq!(header(&|w| w.serialize(ChapterRow::default()).unwrap()), parts::CHAPTERS_COLUMNS);
        assert_eq!(header(&|w| w.serialize(ExcludedRow::default()).unwrap()), parts::EXCLUDED_COLUMNS);
        assert_eq!(header(&|w| w.serialize(FlagRow::default()).unwrap()), parts::FLAGS_COLUMNS);
    }

    proptest::proptest! {
        #[test]
        fn slices_by_character_equal_those_counted_out(text in "\\PC{0,300}", a in 0usize..310, length in 0usize..200) {
            let expected: String = text.chars().skip(a).take(length).collect();
            assert_eq!(CharText::new(&text).slice(&(a as u32..(a + length) as u32)), expected);
        }
    }
}
