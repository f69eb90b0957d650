//! From what was found to a report: what counts, what of it stands in sources, and how the submission presents it.

use super::about::{About, Program};
use super::findings::{Findings, FoundSource, SharedPassage};
use super::report::{Chapter, Excluded, PageStart, Passage, Remarks, Report, Source, others, own_work};
use super::resemblance::Found;
use crate::score::Countable;
use crate::score::exclusion::{self, Exclusion, units_within};
use crate::score::passages::{cited_quotations, part_of, why_not_counted};
use crate::score::ratios::Ratio;
use crate::score::recount::{Recount, recount};
use crate::score::segments::{self, Status};
use crate::text::flag;
use crate::text::layout::{Mark, MarkKind};
use crate::text::manipulation::{self, Flag, FlagKind};
use crate::text::ranges::union;
use crate::text::structure::Section;
use crate::text::units::Units;
use crate::text::{Document, Metadata, NotCounted};
use std::cmp::Reverse;
use std::ops::Range;

/// How many times as great a share as in the text as it stands is found at least where words were restored, and how many countable characters more:
/// less may be words that were guessed in an honest text, such as one with a poor text layer or in the language of another time. Chosen by
/// hand.
const RESTORED_FINDS: f64 = 1.1;
const RESTORED_FINDS_MORE: f64 = 200.0;

impl Findings {
    /// What the findings amount to: with the words restored that the submission was spoilt from, if more is found so.
    pub fn report(&self) -> Report {
        // What was found in other words stands in whichever reading is reported.
        let resembling = self.resemblances.as_ref();
        let plain = self.report_of_reading(resembling);
        let Some(restored) = &self.restored else { return plain };
        let restored = restored.report_of_reading(resembling);
        // Of a text with words put between those that were copied, these are matched, too; what tells is the share.
        let found = &restored.ratios.all;
        let as_it_stands = plain.ratios.all.ratio * found.characters as f64;
        let is_more = found.matched as f64 >= (as_it_stands + RESTORED_FINDS_MORE).max(RESTORED_FINDS * as_it_stands);
        if is_more { restored } else { plain }
    }

    fn report_of_reading(&self, resembling: Option<&Found>) -> Report {
        let findings = self;
        let (document, units, structure) = (&findings.submission, findings.units(), findings.structure());
        // Before all else: it needs the most memory.
        let mut flags = manipulation::Flag::find_all(&document.text, &document.layout, structure, units);
        let exclusions = findings.exclusions();
        let (all, counted) = (Countable::new(units), Countable::outside(units, &exclusions));
        let quoted = cited_quotations(structure, units);

        let of_sources: Vec<Vec<Range<u32>>> = findings.sources.iter().map(FoundSource::ranges).collect();
        let credits = counted.credited(&of_sources);
        let of_one = |(found, credited)| (found, source(found, credited, &counted));
        let mut ranked: Vec<(&FoundSource, Source)> = findings.sources.iter().zip(credits).map(of_one).collect();
        // The sort is stable: of two with as much the one whose id comes first stays first.
        ranked.sort_by_key(|(_, source)| Reverse(source.matched));
        let passage = |rank: usize, shared: &SharedPassage, excluded: Option<NotCounted>| {
            let place = &shared.place;
            Passage {
                source: rank,
                submission: place.submission_chars.clone(),
                source_span: place.source_chars.clone(),
                segments: 0..0,
                own: place.own.iter().map(|(_, chars)| chars.clone()).collect(),
                left_out: place.left_out.iter().map(|(_, chars)| chars.clone()).collect(),
                own_segments: Vec::new(),
                characters: counted.of_union(place.copied()),
                similarity: f64::from(place.similarity),
                kind: place.kind,
                status: Status::Excluded,
                excluded,
                others: 0,
                holders: findings.holders.of(&place.submission),
                source_text: shared.source_text.clone(),
                pieces: place.pieces.clone(),
            }
        };
        let (mut passages, mut weak) = (Vec::new(), Vec::new());
        for (rank, (found, source)) in ranked.iter().enumerate() {
            passages.extend(found.passages.iter().map(|shared| {
                let why = why_not_counted(&shared.place.submission, &all, &exclusions, source.own_work, &quoted);
                passage(rank, shared, why)
            }));
            weak.extend(found.weak.iter().map(|shared| {
                let part = part_of(&shared.place.submission, &all, &exclusions);
                passage(rank, shared, Some(part.map_or(NotCounted::Weak, |part| part.reason)))
            }));
        }
        weak.sort_by_key(by_place);
        passages.sort_by_key(by_place);
        let sources: Vec<Source> = ranked.into_iter().map(|(_, source)| source).collect();

        let pages = pages(document);
        let matches = || passages.iter().chain(&weak);
        let borders = matches().map(|passage| &passage.submission).chain(matches().flat_map(|passage| &passage.own));
        let pages_start = pages.iter().map(|page| page.start..page.start);
        let borders: Vec<Range<u32>> = borders.cloned().chain(pages_start).collect();
        let segments = segments::cut(units, &counted, structure, &exclusions, &borders);
        for passage in passages.iter_mut().chain(&mut weak) {
            passage.segments = segments::covered(&segments, &passage.submission);
            passage.own_segments = passage.own.iter().map(|own| segments::covered(&segments, own)).collect();
        }

        let matched: Vec<Range<u32>> = of_sources.iter().flatten().cloned().collect();
        flags.extend(exclusion::copied_parts(&document.text, &exclusions, &matched, || findings.sentences(), units));
        let found = matched.iter().map(|range| units.span(range.start as usize, range.end as usize));
        let found = union(found.collect());
        // What a passage reaches over is no short run, its own text neither.
        let places = || findings.places().map(|place| place.submission.clone());
        let in_short_runs = counted.of_union(findings.short_runs.iter().cloned().chain(places()));
        let in_short_runs = in_short_runs - counted.of_union(places());
        flags.extend(same_id(findings));
        flags.extend(restored(findings));
        flags.extend(exclusion::mosaic(&findings.short_runs, in_short_runs, counted.total(), units));
        let weak_places = findings.sources.iter().flat_map(|source| &source.weak).map(|shared| &shared.place);
        let weak_places = weak_places.filter(|place| !findings.wording().are_labels(units, &place.submission));
        flags.extend(exclusion::reworded(weak_places, &counted, units));
        let Recount { segments, holders, ratios, .. } =
            recount(segments, &own_work(&sources), passages.iter().flat_map(Passage::covers).collect(), in_short_runs);
        for passage in &mut passages {
            passage.others = others(&holders, &passage.segments);
            let gravest = passage.covered().into_iter().flatten().map(|at| segments[at].status).min();
            passage.status = gravest.filter(|_| !sources[passage.source].own_work).unwrap_or(Status::Excluded);
        }
        let remarks = Remarks {
            undecodable: document.undecodable,
            frequent_keys: findings.frequent_keys,
            pictures: Flag::pictures(&document.layout),
        };
        let program =
            Program { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        let mut report = Report {
            format: Report::FORMAT.to_owned(),
            program,
            number: String::new(),
            submission: About::of(document, units.text_chars),
            corpus: findings.reference.clone(),
            checked: None,
            settings: findings.settings,
            ratios,
            compared: findings.compared().clone().but(&found),
            remarks,
            sources,
            itself: findings.itself.clone(),
            passages,
            weak,
            resemblances: resembling.map(|found| found.counted(units, &counted, &matched)),
            segments,
            chapters: chapters(&structure.sections, units, &counted, &of_sources),
            excluded: excluded(findings, &exclusions, &quoted, &all),
            flags,
            pages,
            text: document.text.clone(),
        };
        report.number = report.computed_number();
        report
    }
}

fn by_place(p: &Passage) -> (u32, Reverse<u32>, usize, u32) {
    (p.submission.start, Reverse(p.submission.end), p.source, p.source_span.start)
}

fn source(found: &FoundSource, credited: u64, counted: &Countable) -> Source {
    let Metadata { title, author, date, url, licence, .. } = found.metadata.clone();
    let of_source = Ratio::new(counted.of_union(found.ranges()), counted.total());
    let characters = |passage: &SharedPassage| counted.of_union(passage.place.copied());
    Source {
        id: found.id.clone(),
        title,
        author,
        date,
        url,
        licence,
        own_work: found.own_work,
        matched: of_source.matched,
        ratio: of_source.ratio,
        credited,
        longest: found.passages.iter().map(characters).max().unwrap_or(0),
        passages: found.passages.len(),
        similarity: found.similarity,
    }
}

/// Sources that have the submission's id: a name must not hide a copy. (Those that are the submission itself are told by a remark.)
fn same_id(findings: &Findings) -> Option<Flag> {
    let has_id = |source: &&FoundSource| source.id == findings.submission.id && !source.passages.is_empty();
    let count = findings.sources.iter().filter(has_id).count();
    (count > 0).then_some(Flag { kind: FlagKind::SameId, start: 0, end: 0, count: count as u32 })
}

/// Words that were compared as what they were spoilt from.
fn restored(findings: &Findings) -> Option<Flag> {
    let units = findings.units();
    let all = if findings.is_restored { units.len() } else { 0 };
    let count = units.flags[..all].iter().filter(|flags| **flags & flag::LOOKALIKE != 0).count() as u32;
    (count > 0).then_some(Flag { kind: FlagKind::ReplacedLetters, start: 0, end: units.text_chars, count })
}

/// Where the pages of the original start.
fn pages(document: &Document) -> Vec<PageStart> {
    let page = |mark: &Mark| match mark.kind {
        MarkKind::Page(number) => Some(PageStart { number, start: mark.start }),
        _ => None,
    };
    document.layout.marks().iter().filter_map(page).collect()
}

/// The sections that count. `counted` leaves out what does not; `matched` are the units of each source's matches.
fn chapters(sections: &[Section], units: &Units, counted: &Countable, matched: &[Vec<Range<u32>>]) -> Vec<Chapter> {
    let chapter = |section: &Section| {
        let within = units_within(units, &(section.start..section.end));
        let cut = |range: &Range<u32>| range.start.max(within.start)..range.end.min(within.end);
        let inside = matched.iter().flatten().map(cut).filter(|range| range.start < range.end);
        let ratio = Ratio::new(counted.of_union(inside), counted.of(&within));
        Chapter { kind: section.kind, title: section.title.clone(), start: section.start, end: section.end, ratio }
    };
    sections.iter().filter(|section| section.kind.counts()).map(chapter).collect()
}

/// What some ratio leaves out: parts, cited quotations, what stands in the author's own work, and what is in no unit.
fn excluded(findings: &Findings, exclusions: &[Exclusion], quoted: &[Range<u32>], all: &Countable) -> Vec<Excluded> {
    let units = findings.units();
    let own_work = findings.sources.iter().filter(|source| source.own_work).flat_map(FoundSource::ranges);
    let own_work = own_work.map(|range| (NotCounted::OwnWork, range));
    let parts = exclusions.iter().map(|exclusion| (exclusion.reason, exclusion.units.clone()));
    let quotations = quoted.iter().map(|range| (NotCounted::Quotation, range.clone()));
    let span = |(reason, range): (NotCounted, Range<u32>)| {
        let span = units.span(range.start as usize, range.end as usize);
        Excluded { reason, start: span.start, end: span.end, characters: all.of(&range) }
    };
    let mut excluded: Vec<Excluded> = own_work.chain(parts).chain(quotations).map(span).collect();
    let Document { text, layout, .. } = &findings.submission;
    excluded.extend(exclusion::absent(text, layout).into_iter().map(|absent| Excluded {
        reason: absent.reason,
        start: absent.chars.start,
        end: absent.chars.end,
        characters: absent.characters,
    }));
    excluded.sort_by_key(|span| (span.start, span.end, span.reason));
    excluded
}
