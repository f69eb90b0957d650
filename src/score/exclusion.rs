//! What does not count in a submission's ratios, and why.

use super::Countable;
use crate::align::Match;
use crate::align::extent::Extent;
use crate::text::NotCounted;
use crate::text::char_text::CharText;
use crate::text::layout::{Layout, MarkKind};
use crate::text::manipulation::{Flag, FlagKind};
use crate::text::ranges::{union, without};
use crate::text::structure::{Structure, is_prose};
use crate::text::tally::Tally;
use crate::text::units::Units;
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// A span of a submission that counts neither as text nor as copied text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// Why.
    pub reason: NotCounted,
    /// Whether that is what others hold, or the examiner, rather than what the text says of itself.
    pub by_others: bool,
    /// The span, in units.
    pub units: Range<u32>,
}

impl Exclusion {
    /// For what the text itself is there, or calls itself: a claim of whoever wrote it, so that copied text in it is flagged.
    pub fn of_itself(reason: NotCounted, units: Range<u32>) -> Self {
        Exclusion { reason, by_others: false, units }
    }

    /// For what others hold, too: a fact that no submission can make.
    pub fn of_others(reason: NotCounted, units: Range<u32>) -> Self {
        Exclusion { reason, by_others: true, units }
    }
}

/// Parts of a thesis that are not its running text.
pub fn of_parts(structure: &Structure, units: &Units) -> Vec<Exclusion> {
    let parts = structure.sections.iter();
    let parts = parts.filter_map(|section| Some((section.kind.not_counted()?, section.start..section.end)));
    parts
        .chain(structure.margins.iter().cloned())
        .map(|(reason, chars)| Exclusion::of_itself(reason, units_within(units, &chars)))
        .collect()
}

/// Text of which it is not known whether a reader sees it, as far as no passage holds it: it was compared, and what was found of it
/// counts, but the rest does not make the ratio smaller, as a decoy that nobody sees would.
pub fn unjudged(layout: &Layout, units: &Units, matched: &[Range<u32>]) -> Vec<Exclusion> {
    let spans = layout.of(MarkKind::Unjudged).map(|mark| units_within(units, &(mark.start..mark.end)));
    let matched = union(matched.to_vec());
    let left = union(spans.collect()).into_iter().flat_map(|span| without(&span, &matched));
    left.map(|units| Exclusion::of_itself(NotCounted::Unjudged, units)).collect()
}

/// Characters of a file that are in no unit, because nobody sees them or because they are not in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Why.
    pub reason: NotCounted,
    /// Where they are, or from the first to the last place at which they would stand, in characters of the text.
    pub chars: Range<u32>,
    /// How many.
    pub characters: u64,
}

/// What of a file is in no unit: each span that nobody sees, and of what is not in the text one sum for each reason.
pub fn absent(text: &str, layout: &Layout) -> Vec<Absent> {
    let countable = LazyCell::new(|| text.chars().map(char::is_alphanumeric).collect::<Tally>());
    let mut found = Vec::new();
    let mut sums: BTreeMap<NotCounted, Absent> = BTreeMap::new();
    for mark in layout.marks() {
        let chars = mark.start..mark.end;
        let (reason, characters) = match mark.kind {
            MarkKind::White => (NotCounted::White, None),
            MarkKind::Tiny => (NotCounted::Tiny, None),
            MarkKind::Unseen => (NotCounted::Unseen, None),
            MarkKind::Hidden(count) => (NotCounted::Hidden, Some(count)),
            MarkKind::LeftOut(reason, count) => (reason.into(), Some(count)),
            MarkKind::Unmapped(count) => (NotCounted::Unmapped, Some(count)),
            _ => continue,
        };
        let Some(characters) = characters.map(u64::from) else {
            found.push(Absent { reason, characters: u64::from(countable.within(&chars)), chars });
            continue;
        };
        let sum = sums.entry(reason).or_insert(Absent { reason, chars, characters: 0 });
        sum.chars.end = mark.end;
        sum.characters = sum.characters.saturating_add(characters);
    }
    found.extend(sums.into_values());
    found
}

/// Matched characters up to which there is no sign in these parts: declarations and thanks have set wordings. Chosen by hand; not
/// measured apart.
const SET_WORDING: &[(NotCounted, u64)] = &[(NotCounted::TitlePage, 800), (NotCounted::Acknowledgements, 200)];

/// From how many hundredths of a text in short runs outside of passages on it is flagged: chance has a few in a hundred.
const MOSAIC: u64 = 10;
/// Characters that these must be at least. Chosen by hand; not measured apart.
const LEAST_MOSAIC: u64 = 300;

/// The flag of a text of which `characters` of `total` stand in other texts in runs too short to be passages, if that is much.
pub fn mosaic(short: &[Range<u32>], characters: u64, total: u64, units: &Units) -> Option<Flag> {
    let (first, last) = (short.first()?, short.last()?);
    let many = characters >= LEAST_MOSAIC && characters * 100 >= MOSAIC * total;
    let span = units.span(first.start as usize, last.end as usize);
    many.then_some(Flag { kind: FlagKind::Mosaic, start: span.start, end: span.end, count: characters as u32 })
}

/// Half words that a weak passage has at least to be no chance agreement: forty words. No two of 44 theses and of 47 texts of one field
/// share such a passage, and of 200 books, each against 99 others, none more than .3 % of its text.
const LEAST_REWORDED: u32 = 80;
/// From how many hundredths of a text in such passages on it is flagged.
const REWORDED: u64 = 5;
/// How many times as long one of its sides may be as the other: what is retold in brief is a summary. The submission's may be longer if most
/// of the source's is in it, with words put in between.
const MOST_UNEVEN: usize = 2;

/// The flag of a text of which weak passages make up much that are too long for chance: paragraphs that follow sources with most of their
/// words replaced.
pub fn reworded<'a>(weak: impl Iterator<Item = &'a Match>, counted: &Countable, units: &Units) -> Option<Flag> {
    let is_long = |place: &&Match| {
        let (ours, theirs) = (place.submission.len(), place.source.len());
        let length =
            Extent::of(&units.flags[place.submission.start as usize..place.submission.end as usize]).half_words;
        let agreeing = f64::from(place.similarity) * (ours + theirs) as f64 / 2.0;
        let is_diluted = || 2.0 * agreeing >= theirs as f64;
        length >= LEAST_REWORDED && theirs <= MOST_UNEVEN * ours && (ours <= MOST_UNEVEN * theirs || is_diluted())
    };
    let long = union(weak.filter(is_long).map(|place| place.submission.clone()).collect());
    let span = units.span(long.first()?.start as usize, long.last()?.end as usize);
    let characters = counted.of_union(long);
    let many = characters >= LEAST_MOSAIC && characters * 100 >= REWORDED * counted.total();
    many.then_some(Flag { kind: FlagKind::Reworded, start: span.start, end: span.end, count: characters as u32 })
}

/// The matched passages inside parts that do not count, each a flag with its size: nobody may leave copied text out by
/// calling it something else. Entries of references, and of contents, may well stand elsewhere; prose may not, and `sentences`, which are
/// sentences of paragraphs in a source, are none, whatever stands around them here.
pub fn copied_parts(
    text: &str,
    exclusions: &[Exclusion],
    matched: &[Range<u32>],
    sentences: impl FnOnce() -> Vec<Range<u32>>,
    units: &Units,
) -> Vec<Flag> {
    if matched.is_empty() {
        return Vec::new();
    }
    let characters: Vec<char> = text.chars().collect();
    let countable = Countable::new(units);
    let sentences = LazyCell::new(sentences);
    let mut flags = Vec::new();
    for part in exclusions.iter().filter(|exclusion| !exclusion.by_others) {
        let listed = matches!(part.reason, NotCounted::References | NotCounted::Contents);
        let within = |range: &Range<u32>| range.start.max(part.units.start)..range.end.min(part.units.end);
        let all_within = |ranges: &[Range<u32>]| -> Vec<Range<u32>> {
            ranges.iter().map(within).filter(|range| range.start < range.end).collect()
        };
        let mut inside = all_within(matched);
        inside
            .retain(|range| !listed || is_no_entry(&characters, &units.span(range.start as usize, range.end as usize)));
        if listed {
            let sentences = all_within(&sentences);
            if countable.of_union(sentences.iter().cloned()) >= LISTED {
                inside.extend(sentences);
            }
        }
        let (Some(first), Some(last)) = (inside.iter().map(|r| r.start).min(), inside.iter().map(|r| r.end).max())
        else {
            continue;
        };
        let count = countable.of_union(inside);
        let usual = SET_WORDING.iter().find(|(reason, _)| *reason == part.reason).map_or(0, |(_, usual)| *usual);
        if count > usual {
            let span = units.span(first as usize, last as usize);
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            flags.push(Flag { kind: FlagKind::CopiedPart, start: span.start, end: span.end, count });
        }
    }
    flags
}

/// From how many countable characters together on sentences of a source that stand in a list are no titles in entries. Chosen by hand.
const LISTED: u64 = 100;

/// The fewest characters of a paragraph besides those of a passage in it, unless a line of the passage is longer than titles are; and the most
/// that are looked at before, in and behind the passage.
const GOES_ON: usize = 40;
const LOOKED_AT: usize = 1000;

/// Whether what stands here in a text is part of a paragraph of prose: neither a title on a line of its own nor one in an entry of a list.
pub(crate) fn is_in_paragraph(text: &CharText, span: &Range<u32>) -> bool {
    let bytes = text.bytes(span);
    let (before, behind) = (&text.text()[..bytes.start], &text.text()[bytes.end..]);
    let before: Vec<char> = before.chars().rev().take_while(|c| *c != '\n').take(LOOKED_AT).collect();
    let behind: Vec<char> = behind.chars().take_while(|c| *c != '\n').take(LOOKED_AT).collect();
    let inside: Vec<char> = text.text()[bytes].chars().take(LOOKED_AT).collect();
    (before.len() + behind.len() >= GOES_ON || inside.split(|c| *c == '\n').any(|line| line.len() >= TITLE))
        && is_prose(&before.into_iter().rev().chain(inside).chain(behind).collect::<Vec<char>>())
}

/// The title of what is cited has fewer characters. Chosen by hand, as for lists without a title.
const TITLE: usize = 200;

/// Whether a span in a list is sentences and no part of an entry: the line it stands on, with those around it, is prose, too, or it is longer
/// than titles are.
fn is_no_entry(text: &[char], span: &Range<u32>) -> bool {
    let (start, end) = (span.start as usize, span.end as usize);
    let Some(inside) = text.get(start..end) else { return false };
    let before = text[..start].split(|c| *c == '\n').rev().take(2).map(|line| line.len() + 1).sum::<usize>();
    let behind = text[end..].split(|c| *c == '\n').take(2).map(|line| line.len() + 1).sum::<usize>();
    let lines = &text[start.saturating_sub(before)..(end + behind).min(text.len())];
    is_prose(inside) && (inside.len() >= TITLE || is_prose(lines))
}

/// The exclusions in order and apart: what several hold belongs to the first of them.
pub fn apart(mut exclusions: Vec<Exclusion>) -> Vec<Exclusion> {
    exclusions.sort_by_key(|exclusion| (exclusion.units.start, exclusion.units.end));
    let mut covered = 0;
    exclusions.retain_mut(|exclusion| {
        exclusion.units.start = exclusion.units.start.max(covered);
        covered = covered.max(exclusion.units.end);
        exclusion.units.start < exclusion.units.end
    });
    exclusions
}

/// The units that start within a range of characters.
pub fn units_within(units: &Units, chars: &Range<u32>) -> Range<u32> {
    let first_from = |character: u32| units.start.partition_point(|&start| start < character) as u32;
    first_from(chars.start)..first_from(chars.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::{AlignSettings, Aligner, Submission};

    #[test]
    fn exclusions_are_cut_so_that_each_unit_has_one_reason() {
        let exclusion = Exclusion::of_itself;
        let found = apart(vec![
            exclusion(NotCounted::Template, 8..12),
            exclusion(NotCounted::Contents, 2..10),
            exclusion(NotCounted::White, 3..5),
            exclusion(NotCounted::References, 20..20),
        ]);
        assert_eq!(found, [exclusion(NotCounted::Contents, 2..10), exclusion(NotCounted::Template, 10..12)]);
    }

    #[test]
    fn of_text_that_nobody_may_see_only_what_stands_in_passages_counts() {
        let units = Units::from_text("one two three four five six");
        let mark = |start, end| crate::text::layout::Mark { kind: MarkKind::Unjudged, start, end };
        let layout = Layout::new(vec![mark(0, 13), mark(14, 24)]);
        let found = unjudged(&layout, &units, &[1..2, 3..4]);
        assert_eq!(found.iter().map(|e| e.units.clone()).collect::<Vec<_>>(), [0..1, 2..3, 4..5]);
    }

    #[test]
    fn units_are_within_when_they_start_within() {
        let units = Units::from_text("one two 三四");
        assert_eq!(units_within(&units, &(0..4)), 0..1);
        assert_eq!(units_within(&units, &(4..9)), 1..3);
        assert_eq!(units_within(&units, &(5..20)), 2..4);
    }
    #[test]
    fn a_passage_of_whole_paragraphs_is_in_paragraphs_and_one_of_titles_is_in_none() {
        let paragraph =
            "what the tide leaves between the stems of the plants is a thin layer of mud, and it rises with the sea. "
                .repeat(3);
        let is_in_paragraph =
            |text: &str| super::is_in_paragraph(&CharText::new(text), &(0..text.chars().count() as u32));
        assert!(is_in_paragraph(&format!("{paragraph}\n{paragraph}")));
        assert!(!is_in_paragraph(&"what the tide leaves between the stems\n".repeat(9)));
    }
    #[test]
    fn the_title_in_an_entry_is_no_prose_in_a_list_and_a_sentence_on_its_own_line_is() {
        let title =
            "a slow method for telling the silt of two tides from each other below the dykes of the northern marshes";
        let entry = format!(
            "[11] Miller A. Mud, 2001, 3, 17-44.\n[12] Clerk J., Smith P., {title}. Journal of Mud, 2005, 12(3): 117-144.\n[13] Brown C. 1999."
        );
        let own_line = format!(
            "[11] Miller A. Mud, 2001.\n\n{title} and what the keeper of the gate wrote of it.\n\n[13] Brown C. 1999."
        );
        let long = entry.replace(title, &format!("{title} {title} {title}"));
        for (text, part, expected) in
            [(&entry, title.len(), false), (&own_line, title.len(), true), (&long, 3 * title.len(), true)]
        {
            let start = text.find(title).unwrap() as u32;
            assert_eq!(
                is_no_entry(&text.chars().collect::<Vec<_>>(), &(start..start + part as u32)),
                expected,
                "{text}"
            );
        }
    }
    #[test]
    fn long_passages_too_thin_to_count_are_flagged_together_and_short_ones_are_not() {
        let numbered = |name: &str, range: Range<u32>| range.map(|i| format!("{name}{i}x ")).collect::<String>();
        let source = Units::from_text(&numbered("tidal", 0..600));
        let reworded = |words: u32| {
            let copy: String =
                (0..words).map(|i| numbered(if i % 3 == 0 { "tidal" } else { "quay" }, i..i + 1)).collect();
            let units = Units::from_text(&(copy + &numbered("own", 0..500)));
            let found = Aligner::new(AlignSettings::balanced()).align(&Submission::new(&units), &source);
            assert!(found.iter().all(|place| place.weak), "{found:?}");
            assert_eq!(found.is_empty(), words < 40, "{found:?}");
            super::reworded(found.iter(), &Countable::new(&units), &units)
        };
        let flag = reworded(300).unwrap();
        assert_eq!(flag.kind, FlagKind::Reworded);
        assert!(flag.count > 1500, "{flag:?}");
        assert_eq!(reworded(36), None, "what has less than forty words may be chance");
    }
}
