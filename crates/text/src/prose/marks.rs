//! What the format says was not compared, and which parts are not asked about.

use super::{Cause, NotCompared, cells, pictures};
use crate::layout::{Layout, LeftOut, Mark, MarkKind};
use crate::structure::Structure;
use crate::units::Units;
use std::ops::Range;

/// The characters of a page of prose, for pictures of pages: some 250 words.
const CHARACTERS_OF_PAGE: u32 = 1500;

/// The characters of LaTeX's or another program's source that a sign of a formula takes. Chosen by hand.
const SOURCE_OF_SIGN: u32 = 4;

/// Why what a mark is on was not compared, and how many characters that a reader sees are not in the text; none of a mark of text
/// that is judged like any other: so is a listing, because letters of one width, by which a format tells it, may hold any text. So is
/// text that is drawn otherwise than the file says: where its picture could be read, that is the text. A new kind
/// of mark needs a line here, and nothing else.
fn cause(mark: &Mark) -> Option<(Cause, u32)> {
    match mark.kind {
        MarkKind::Formula => Some((Cause::Formulas, 0)),
        MarkKind::LeftOut(LeftOut::Formula, count) => Some((Cause::Formulas, count / SOURCE_OF_SIGN)),
        MarkKind::LeftOut(LeftOut::Unread | LeftOut::Missing, count) => Some((Cause::UnresolvedInput, count)),
        MarkKind::TextPicture => {
            Some((Cause::PicturesWithText, CHARACTERS_OF_PAGE.saturating_sub(mark.end.saturating_sub(mark.start))))
        }
        MarkKind::PictureLayer => Some((Cause::PicturesWithText, 0)),
        MarkKind::PictureText(count) => Some((Cause::PicturesWithText, count)),
        MarkKind::Unmapped(count) => Some((Cause::NoLanguage, count)),
        MarkKind::Unjudged => Some((Cause::Unjudged, 0)),
        _ => None,
    }
}

/// Whether the text under a mark is itself what the mark says. A page whose picture has more text is text all the same.
fn covers_text(kind: MarkKind) -> bool {
    !matches!(kind, MarkKind::TextPicture)
}

/// What the marks of a text say.
pub(super) struct Marked {
    /// What was not compared by them.
    pub spans: Vec<NotCompared>,
    /// Units that are not judged by their text, in order and apart.
    settled: Vec<Range<usize>>,
    /// The same characters, whether units or not.
    pub characters: Vec<Range<u32>>,
    /// The units with which listings begin, and those behind them, in order.
    pub borders: Vec<usize>,
    at: usize,
}

impl Marked {
    pub(super) fn of(seen: &str, layout: &Layout, structure: &Structure, units: &Units) -> Marked {
        let within = |span: &Range<u32>| {
            units.start.partition_point(|start| *start < span.start)
                ..units.start.partition_point(|start| *start < span.end)
        };
        let left_out: Vec<Range<u32>> =
            structure.sections.iter().filter(|section| !section.kind.counts()).map(|s| s.start..s.end).collect();
        let counts = |place: u32| {
            let section = left_out.partition_point(|section| section.end <= place);
            left_out.get(section).is_none_or(|section| place < section.start)
        };
        let mut settled: Vec<Range<usize>> = left_out.iter().map(within).collect();
        let mut characters = left_out.clone();
        let mut spans = pictures::words(seen, layout, counts);
        let mut taken = 0;
        let mut marks = layout.marks().to_vec();
        let unjudged = |Range { start, end }| Mark { kind: MarkKind::Unjudged, start, end };
        marks.extend(cells::running(seen).into_iter().map(unjudged));
        marks.sort_by_key(|mark| mark.start);
        for mark in marks {
            let Some((cause, more)) = cause(&mark).filter(|_| counts(mark.start)) else { continue };
            let mut count = more;
            if covers_text(mark.kind) {
                let within = within(&(mark.start.max(taken)..mark.end.max(taken)));
                let of_unit =
                    |unit: usize| if counts(units.start[unit]) { u32::from(units.countable[unit]) } else { 0 };
                count = count.saturating_add(within.clone().map(of_unit).sum());
                settled.push(within);
                characters.push(mark.start..mark.end);
                taken = taken.max(mark.end);
            }
            if count > 0 {
                spans.push(NotCompared { start: mark.start, end: mark.end, cause, count });
            }
        }
        let mut borders: Vec<usize> = layout
            .of(MarkKind::Code)
            .map(|mark| within(&(mark.start..mark.end)))
            .flat_map(|units| [units.start, units.end])
            .collect();
        borders.sort_unstable();
        Marked {
            spans,
            settled: crate::ranges::union(settled),
            characters: crate::ranges::union(characters),
            borders,
            at: 0,
        }
    }

    /// Whether a unit is judged by its text. Units are asked about in order.
    pub(super) fn is_judged_by_text(&mut self, unit: usize) -> bool {
        while self.settled.get(self.at).is_some_and(|range| range.end <= unit) {
            self.at += 1;
        }
        self.settled.get(self.at).is_none_or(|range| unit < range.start)
    }
}
