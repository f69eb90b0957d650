//! The tables of the reports: their columns, and the rows that a report has in them. Columns may be added at the end, never
//! renamed.

use super::tables::Table;
use crate::align::Match;
use crate::check::{Certainty, Passage, Ratio, Remark, Report, Resemblance, Shared, SharedPassage, Summary, Unread};
use crate::search::DocumentSimilarity;
use crate::search::all_pairs::SimilarPair;
use crate::text::NotCounted;
use crate::text::char_text::CharText;
use crate::text::manipulation::FlagKind;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::ops::Range;

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A text of somebody else's: written so that no spreadsheet runs it as a formula.
    Text(String),
    /// A word of ours, such as a kind or a part.
    Word(Cow<'static, str>),
    /// Why something does not count.
    NotCounted(NotCounted),
    /// A kind of flag.
    Flag(FlagKind),
    /// What a kind of flag is about.
    Explanation(FlagKind),
    /// Why there is nothing.
    Unread(Unread),
    /// What else should be known.
    Remarks(Vec<Remark>),
    /// A number of things.
    Count(u64),
    /// A ratio, written with four decimals.
    Share(f64),
    /// A similarity of whole documents, written with six decimals.
    Similarity(f64),
    /// Yes or no.
    Truth(bool),
    /// A figure that is not known.
    Nothing,
}

use Cell::{Count, Share, Similarity, Text, Truth, Word};

/// A row of a table.
type Row = Vec<Cell>;

impl Cell {
    /// What a cell says that has no number, in English.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Text(text) => Cow::Borrowed(text),
            Word(word) => Cow::Borrowed(word),
            Cell::NotCounted(reason) => Cow::Borrowed(reason.as_str()),
            Cell::Flag(kind) => Cow::Borrowed(kind.as_str()),
            Cell::Explanation(kind) => Cow::Borrowed(kind.explanation()),
            Cell::Unread(unread) => Cow::Owned(unread.message()),
            Cell::Remarks(remarks) => Cow::Owned(remarks.iter().map(Remark::to_string).collect::<Vec<_>>().join("; ")),
            Count(_) | Share(_) | Similarity(_) | Truth(_) | Cell::Nothing => return None,
        })
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Count(number) => serializer.serialize_u64(*number),
            Share(share) => serializer.collect_str(&format_args!("{share:.4}")),
            Similarity(similarity) => serializer.collect_str(&format_args!("{similarity:.6}")),
            Truth(truth) => serializer.serialize_bool(*truth),
            cell => serializer.serialize_str(&Table::defused(&cell.text().unwrap_or_default())),
        }
    }
}

/// The rows that one submission has in each table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// One row.
    pub summary: Row,
    /// Those with the most first.
    pub sources: Vec<Row>,
    /// By source, then by place.
    pub passages: Vec<Row>,
    /// In the order of the text; `None` if that was not looked for.
    pub resemblances: Option<Vec<Row>>,
    /// In the order of the text.
    pub chapters: Vec<Row>,
    /// In the order of the text.
    pub excluded: Vec<Row>,
    /// By kind and place.
    pub flags: Vec<Row>,
}

impl Rows {
    /// The columns of `summary.csv`: a row for each submission.
    pub const SUMMARY: &str = "submission,status,characters,matched_characters,copy_ratio,sources,passages,top_source,top_source_ratio,message,copy_ratio_without_quotes,copy_ratio_without_own_work,title,author,flags,short_run_ratio,compared_share,not_compared";

    /// The columns of `sources.csv`: a row for each submission and source, those with the most of it first.
    pub const SOURCES: &str = "submission,source,estimated_jaccard,jaccard,containment,hamming,simhash_agrees,matched_characters,ratio,longest_match,passages,credited,url,licence";

    /// The columns of `passages.csv`: a row for each match.
    pub const PASSAGES: &str = "submission,source,submission_start,submission_end,source_start,source_end,similarity,kind,excluded,submission_text,source_text,holders";

    /// The columns of `resemblances.csv`: a row for each passage that says in other words what a source says.
    pub const RESEMBLANCES: &str = "submission,source,kind,submission_start,submission_end,source_start,source_end,evidence,submission_text,source_text";

    /// The columns of `chapters.csv`: a row for each section that counts.
    pub const CHAPTERS: &str = "submission,chapter,start,end,characters,matched_characters,copy_ratio";

    /// The columns of `excluded.csv`: a row for each span that some ratio leaves out.
    pub const EXCLUDED: &str = "submission,reason,start,end,characters";

    /// The columns of `flags.csv`: a row for each sign of manipulation.
    pub const FLAGS: &str = "submission,kind,start,end,count,explanation";

    /// The columns of `shared.csv`: a row for each two submissions that share text.
    pub const SHARED: &str = "first,second,group,passages,characters_first,ratio_first,characters_second,ratio_second,longest,common_sources,similarity";

    /// The columns of `pairs.csv`: a row for each pair of similar documents.
    pub const PAIRS: &str =
        "first,second,estimated_jaccard,jaccard,containment_first,containment_second,hamming,simhash_agrees";

    /// The columns of the table of clusters: a row for each document of a cluster.
    pub const CLUSTERS: &str = "representative,document";

    /// The rows of a report.
    pub fn of(report: &Report) -> Rows {
        let of_all = report.summary();
        let id = || Text(report.submission.id.clone());
        let source = |source: &crate::check::Source| {
            vec![
                id(),
                Text(source.id.clone()),
                Similarity(source.similarity.estimated_jaccard),
                Similarity(source.similarity.jaccard),
                Similarity(source.similarity.containment_first),
                Count(source.similarity.hamming.into()),
                Truth(source.similarity.simhash_agrees),
                Count(source.matched),
                Share(source.ratio),
                Count(source.longest),
                count(source.passages),
                Count(source.credited),
                Text(source.url.clone().unwrap_or_default()),
                Text(source.licence.clone().unwrap_or_default()),
            ]
        };
        let chapter = |chapter: &crate::check::Chapter| {
            let (start, end) = (place(chapter.start), place(chapter.end));
            let ratio = &chapter.ratio;
            let figures = [Count(ratio.characters), Count(ratio.matched), Share(ratio.ratio)];
            let name = chapter.name().to_owned();
            let name = if chapter.title.is_empty() { Word(name.into()) } else { Text(name) };
            [id(), name, start, end].into_iter().chain(figures).collect()
        };
        let excluded = |span: &crate::check::Excluded| {
            vec![id(), Cell::NotCounted(span.reason), place(span.start), place(span.end), Count(span.characters)]
        };
        let flag = |flag: &crate::text::manipulation::Flag| {
            let (kind, explanation) = (Cell::Flag(flag.kind), Cell::Explanation(flag.kind));
            vec![id(), kind, place(flag.start), place(flag.end), place(flag.count), explanation]
        };
        Rows {
            summary: summary(&of_all, status(&of_all), Cell::Remarks(of_all.remarks())),
            sources: report.sources.iter().map(source).collect(),
            passages: passages(report),
            resemblances: report.resemblances.as_ref().map(|found| {
                let text = CharText::new(&report.text);
                found.passages.iter().map(|passage| resemblance(&report.submission.id, passage, &text)).collect()
            }),
            chapters: report.chapters.iter().map(chapter).collect(),
            excluded: report.excluded.iter().map(excluded).collect(),
            flags: report.flags.iter().map(flag).collect(),
        }
    }

    /// The row of a submission that could not be checked.
    pub fn of_unread(unread: &Unread) -> Rows {
        let none = Summary { id: unread.id.clone(), ..Summary::default() };
        let summary = summary(&none, "error", Cell::Unread(unread.clone()));
        Rows { summary, ..Rows::default() }
    }
}

fn count(number: usize) -> Cell {
    Count(number as u64)
}

fn place(at: u32) -> Cell {
    Count(at.into())
}

/// What the table of submissions calls one that was checked.
fn status(summary: &Summary) -> &'static str {
    match summary.certainty() {
        Certainty::Unknown => "not compared",
        Certainty::Whole | Certainty::AtLeast => "ok",
    }
}

/// The row of a submission that has this status, and of which this is said besides.
fn summary(summary: &Summary, status: &'static str, message: Cell) -> Row {
    let Summary { ratios, compared, .. } = summary;
    // Where too much was not compared there is no ratio.
    let is_known = summary.certainty() != Certainty::Unknown;
    let share = |ratio: &Ratio| if is_known { Share(ratio.ratio) } else { Cell::Nothing };
    let causes = compared.shares().into_iter().map(|(cause, share)| format!("{} {share:.4}", cause.as_str()));
    vec![
        Text(summary.id.clone()),
        Word(status.into()),
        Count(ratios.all.characters),
        Count(ratios.all.matched),
        share(&ratios.all),
        count(summary.sources),
        count(summary.passages),
        Text(summary.top_source.clone().unwrap_or_default()),
        share(&ratios.largest_source),
        message,
        share(&ratios.without_quotes),
        share(&ratios.without_own_work),
        Text(summary.title.clone().unwrap_or_default()),
        Text(summary.author.clone().unwrap_or_default()),
        Count(summary.flags.values().map(|&count| u64::from(count)).sum()),
        share(&ratios.in_short_runs),
        if compared.seen > 0 { Share(compared.share()) } else { Cell::Nothing },
        Word(causes.collect::<Vec<_>>().join("; ").into()),
    ]
}

fn passages(report: &Report) -> Vec<Row> {
    let text = CharText::new(&report.text);
    let source = |passage: &Passage| report.sources[passage.source].id.as_str();
    let mut passages: Vec<&Passage> = report.passages.iter().chain(&report.weak).collect();
    passages.sort_by(|a, b| {
        let at = |p: &Passage| (p.submission.start, p.submission.end, p.source_span.start, p.source_span.end);
        source(a).cmp(source(b)).then_with(|| at(a).cmp(&at(b)))
    });
    let row = |passage: &&Passage| {
        passage_row(
            (&report.submission.id, source(passage)),
            (&passage.submission, &passage.source_span),
            passage.similarity,
            (passage.kind.as_str(), passage.excluded),
            (text.slice(&passage.submission), passage.source_text.as_deref().unwrap_or_default()),
            passage.holders,
        )
    };
    passages.iter().map(row).collect()
}

impl Rows {
    /// The rows of two documents that were compared with each other, named as the caller calls them.
    pub fn compared(submission: &str, text: &str, source: &str, passages: &[SharedPassage]) -> Vec<Row> {
        let text = CharText::new(text);
        let mut passages: Vec<_> = passages.iter().collect();
        passages.sort_by_key(|passage| {
            let Match { submission_chars: ours, source_chars: theirs, .. } = &passage.place;
            (ours.start, ours.end, theirs.start, theirs.end)
        });
        let row = |passage: &&SharedPassage| {
            let Match { submission_chars, source_chars, similarity, kind, .. } = &passage.place;
            passage_row(
                (submission, source),
                (submission_chars, source_chars),
                f64::from(*similarity),
                (kind.as_str(), passage.place.weak.then_some(NotCounted::Weak)),
                (text.slice(submission_chars), passage.source_text.as_deref().unwrap_or_default()),
                1,
            )
        };
        passages.iter().map(row).collect()
    }

    /// The row of two submissions that share text.
    pub fn shared(pair: &Shared) -> Row {
        vec![
            Text(pair.first.clone()),
            Text(pair.second.clone()),
            count(pair.group),
            count(pair.passages),
            Count(pair.characters_first),
            Share(pair.ratio_first),
            Count(pair.characters_second),
            Share(pair.ratio_second),
            Count(pair.longest),
            count(pair.common_sources),
            Share(pair.similarity),
        ]
    }

    /// The row of a pair of similar documents.
    pub fn pair(pair: &SimilarPair) -> Row {
        let DocumentSimilarity {
            estimated_jaccard,
            jaccard,
            containment_first,
            containment_second,
            hamming,
            simhash_agrees,
        } = pair.similarity;
        vec![
            Text(pair.first.to_owned()),
            Text(pair.second.to_owned()),
            Similarity(estimated_jaccard),
            Similarity(jaccard),
            Similarity(containment_first),
            Similarity(containment_second),
            Count(hamming.into()),
            Truth(simhash_agrees),
        ]
    }

    /// The row of a document of a cluster, whose representative is the cluster's smallest id.
    pub fn cluster(representative: &str, document: &str) -> Row {
        vec![Text(representative.to_owned()), Text(document.to_owned())]
    }
}

fn resemblance(id: &str, passage: &Resemblance, text: &CharText) -> Row {
    vec![
        Text(id.to_owned()),
        Text(passage.source.clone()),
        Word(passage.kind.as_str().into()),
        place(passage.submission.start),
        place(passage.submission.end),
        place(passage.source_span.start),
        place(passage.source_span.end),
        Share(passage.evidence),
        Text(text.slice(&passage.submission).to_owned()),
        Text(passage.source_text.clone()),
    ]
}

fn passage_row(
    ids: (&str, &str),
    places: (&Range<u32>, &Range<u32>),
    similarity: f64,
    (kind, excluded): (&'static str, Option<NotCounted>),
    texts: (&str, &str),
    holders: u32,
) -> Row {
    vec![
        Text(ids.0.to_owned()),
        Text(ids.1.to_owned()),
        place(places.0.start),
        place(places.0.end),
        place(places.1.start),
        place(places.1.end),
        Share(similarity),
        Word(kind.into()),
        excluded.map_or(Word("".into()), Cell::NotCounted),
        Text(texts.0.to_owned()),
        Text(texts.1.to_owned()),
        Count(holders.into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_cell_for_each_column() {
        let similarity = DocumentSimilarity::of_equals();
        let rows = [
            (Rows::of_unread(&Unread::new("a", "b")).summary, Rows::SUMMARY),
            (passage_row(("a", "b"), (&(0..1), &(0..1)), 1.0, ("", None), ("", ""), 1), Rows::PASSAGES),
            (Rows::shared(&Shared::default()), Rows::SHARED),
            (Rows::pair(&SimilarPair { first: "a", second: "b", similarity }), Rows::PAIRS),
            (Rows::cluster("a", "b"), Rows::CLUSTERS),
        ];
        for (row, columns) in rows {
            assert_eq!(row.len(), columns.split(',').count(), "{columns}");
        }
    }

    #[test]
    fn cells_are_written_as_a_spreadsheet_may_read_them() {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        let row = vec![Text("=1+1".to_owned()), Word("ok".into()), Count(3), Share(0.5), Similarity(0.5), Truth(true)];
        writer.serialize(row).unwrap();
        assert_eq!(writer.into_inner().unwrap(), b"'=1+1,ok,3,0.5000,0.500000,true\n");
    }
}
