//! Headings and block quotations by how paragraphs are set, in formats that say it of their letters but not what they are.

use std::collections::{BTreeMap, BTreeSet};

use super::style::{LetterFormat, USUAL_POINTS};
use super::wide::is_wide;
use copytrace_text::layout::{Mark, MarkKind};

/// How many times as high as most the letters of a heading are at least, and the most characters of one.
const HEADING_SIZE: f64 = 1.12;
const LONGEST_HEADING: u32 = 80;

/// The fewest points by which a block quotation stands in, and its fewest characters; wide ones count twice and a half.
const INDENT: f64 = 12.0;
const SHORTEST_QUOTATION: usize = 60;

/// The fewest characters of a text for each one in a heading, and for each one in a quotation; with fewer it is the layout of the text.
const HEADINGS_ONE_IN: u32 = 5;
const QUOTATIONS_ONE_IN: u32 = 2;

/// How one paragraph is set.
#[derive(Debug, Clone, Copy)]
struct Paragraph {
    start: u32,
    end: u32,
    /// Twice the least height of its letters in points.
    half_points: u32,
    bold: bool,
    /// In points from the margin; of a hanging paragraph its first line.
    indent: f64,
    /// Its characters, wide ones counted twice and a half.
    size: usize,
    /// Whether it begins as an entry of a list, and ends as a sentence.
    listed: bool,
    sentence: bool,
}

/// How the paragraphs of a text are set.
#[derive(Debug, Default)]
pub(super) struct Looks {
    paragraphs: Vec<Paragraph>,
    open: Option<Paragraph>,
}

impl Looks {
    /// What was written from this character on.
    pub(super) fn letters(&mut self, from: u32, text: &str, format: &LetterFormat) {
        let trimmed = text.trim();
        let Some(last) = trimmed.chars().next_back() else { return };
        let start = from + (text.chars().count() - text.trim_start().chars().count()) as u32;
        let end = start + trimmed.chars().count() as u32;
        let half_points = (2.0 * format.points.unwrap_or(USUAL_POINTS)).round() as u32;
        let bold = format.bold == Some(true);
        let paragraph = self.open.get_or_insert(Paragraph {
            start,
            end,
            half_points,
            bold,
            indent: format.indent.unwrap_or(0.0),
            size: 0,
            listed: trimmed.starts_with(['•', '·', '–', '-', '▪', '*', '\u{F0B7}']),
            sentence: false,
        });
        paragraph.end = end;
        paragraph.half_points = paragraph.half_points.min(half_points);
        paragraph.bold &= bold;
        paragraph.size +=
            trimmed.chars().filter(|c| c.is_alphanumeric()).map(|c| if is_wide(c) { 5 } else { 2 }).sum::<usize>();
        paragraph.sentence = matches!(last, '.' | '。' | ',' | '，' | ';' | '；' | '、');
    }

    /// The paragraph ends.
    pub(super) fn end_paragraph(&mut self) {
        self.paragraphs.extend(self.open.take().map(|paragraph| Paragraph { size: paragraph.size / 2, ..paragraph }));
    }

    /// Takes in those of a text that was put behind this many characters.
    pub(super) fn append(&mut self, other: Looks, shift: u32) {
        let moved = other.paragraphs.into_iter();
        self.paragraphs.extend(moved.map(|p| Paragraph { start: p.start + shift, end: p.end + shift, ..p }));
    }

    /// The marks of paragraphs that are set as headings and as block quotations.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let mut sizes: BTreeMap<(u32, bool), usize> = BTreeMap::new();
        let mut indents: BTreeMap<i64, usize> = BTreeMap::new();
        for paragraph in &self.paragraphs {
            *sizes.entry((paragraph.half_points, paragraph.bold)).or_default() += paragraph.size;
            *indents.entry(paragraph.indent.round() as i64).or_default() += paragraph.size;
        }
        let most = sizes.iter().max_by_key(|(_, size)| **size).map(|(kind, _)| *kind);
        let (Some((body, bold)), Some(margin)) = (most, indents.iter().max_by_key(|(_, size)| **size)) else {
            return Vec::new();
        };
        let margin = *margin.0 as f64;
        let is_larger = |p: &Paragraph| f64::from(p.half_points) >= HEADING_SIZE * f64::from(body);
        let is_heading = |p: &&Paragraph| {
            p.end - p.start <= LONGEST_HEADING
                && !p.sentence
                && (is_larger(p) || (p.bold && !bold && p.half_points >= body))
        };
        let is_quotation = |p: &&Paragraph| {
            p.indent >= margin + INDENT
                && p.size >= SHORTEST_QUOTATION
                && !p.listed
                && p.half_points <= body
                && !is_heading(p)
        };
        let headings: Vec<&Paragraph> = self.paragraphs.iter().filter(is_heading).collect();
        let levels: BTreeSet<u32> = headings.iter().filter(|p| is_larger(p)).map(|p| p.half_points).collect();
        let levels: BTreeMap<u32, u8> = levels.into_iter().rev().zip((1..=8).chain(std::iter::repeat(8))).collect();
        let by_weight = levels.values().max().map_or(1, |level| level + 1);
        let mark = |p: &Paragraph, kind| Mark { kind, start: p.start, end: p.end };
        let headings = headings
            .into_iter()
            .map(|p| mark(p, MarkKind::FontHeading(levels.get(&p.half_points).copied().unwrap_or(by_weight))));
        let quotations = self.paragraphs.iter().filter(is_quotation).map(|p| mark(p, MarkKind::Quotation));
        let all: u32 = self.paragraphs.iter().map(|p| p.end - p.start).sum();
        let few = |marks: Vec<Mark>, one_in: u32| {
            let marked: u32 = marks.iter().map(|mark| mark.end - mark.start).sum();
            if marked.saturating_mul(one_in) <= all { marks } else { Vec::new() }
        };
        [few(headings.collect(), HEADINGS_ONE_IN), few(quotations.collect(), QUOTATIONS_ONE_IN)].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE: &str = "The tide leaves a thin layer of silt between the stems, and the surface of the marsh grows by a little \
         every year, as long as nobody cuts the grass on it or lets his sheep graze there.";

    fn marks(paragraphs: &[(&str, f64, bool, f64)]) -> Vec<(MarkKind, usize)> {
        let mut looks = Looks::default();
        let mut place = 0;
        for (text, points, bold, indent) in paragraphs {
            let format = LetterFormat {
                points: Some(*points),
                bold: Some(*bold),
                indent: Some(*indent),
                ..LetterFormat::default()
            };
            looks.letters(place, &format!("\n\n{text}"), &format);
            looks.end_paragraph();
            place += text.chars().count() as u32 + 2;
        }
        let starts: Vec<u32> = looks.paragraphs.iter().map(|p| p.start).collect();
        looks
            .marks()
            .iter()
            .map(|mark| (mark.kind, starts.iter().position(|start| *start == mark.start).unwrap()))
            .collect()
    }

    #[test]
    fn larger_and_bold_paragraphs_are_headings_and_those_that_stand_in_are_quotations() {
        let body = (PROSE, 12.0, false, 0.0);
        let found = marks(&[
            ("Introduction", 16.0, true, 0.0),
            body,
            body,
            ("What is known", 12.0, true, 0.0),
            body,
            (PROSE, 11.0, false, 36.0),
            ("Ends as a sentence.", 12.0, true, 0.0),
            ("• an entry of a list that goes on for a while, and for a while yet, and so on", 12.0, false, 36.0),
            body,
        ]);
        let expected = [(MarkKind::FontHeading(1), 0), (MarkKind::FontHeading(2), 3), (MarkKind::Quotation, 5)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_text_that_is_bold_or_stands_in_all_over_has_neither() {
        assert_eq!(marks(&[(PROSE, 12.0, true, 36.0); 6]), []);
        assert_eq!(marks(&[("A short line", 12.0, true, 0.0); 6]), []);
    }
}
