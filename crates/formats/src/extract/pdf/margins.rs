//! Notes in the margins: what stands beside the block that the text of a document fills.

use std::ops::Range;

use super::columns::letters;
use super::headings::Headings;
use super::join::{Words, join_lines};
use super::lines::{Page, PdfLine, SAME_ROW};
use crate::extract::builder::TextBuilder;
use copytrace_text::layout::MarkKind;

// Chosen by hand on the manuals, papers and theses in twelve languages that Debian's packages of TeX and R hold.

/// The fewest letters of a line of prose, a wide one counted twice; notes in margins are narrower.
pub(super) const LETTERS_OF_LINE: usize = 30;

/// How many of them that begin at one place show where the text of a page begins, how many points apart they may begin there, and
/// how many pages of one side, and half of them at least, show where that of the document does.
const FEWEST_LINES: usize = 5;
const SAME_EDGE: f64 = 1.0;
const FEWEST_PAGES: usize = 2;

/// How many heights of its letters a note stands off the text at least, and the fewest letters that it has.
const APART: f64 = 0.5;
pub(super) const LETTERS_OF_NOTE: usize = 3;

/// Lines of one note have less between them, in heights of their letters.
const NEAR: f64 = 0.8;

/// From where to where the text reaches on pages of even and of odd numbers, if most of them agree.
pub(super) struct Margins([Option<Range<f64>>; 2]);

impl Margins {
    pub(super) fn of(pages: &[Page]) -> Self {
        let side = |odd: usize| {
            let pages = pages.iter().enumerate().filter(|(number, _)| number % 2 == odd);
            let blocks: Vec<Range<f64>> = pages.filter_map(|(_, page)| block(page)).collect();
            let fewest = FEWEST_PAGES.max(blocks.len().div_ceil(2));
            let left = edge(blocks.iter().map(|block| block.start), fewest)?;
            let right = edge(blocks.iter().map(|block| block.end), fewest).unwrap_or(f64::MAX);
            Some(left..right)
        };
        Margins([side(0), side(1)])
    }

    /// Which lines of a page, whose number counts from 0, stand beside its text and are no headings.
    pub(super) fn on(&self, number: usize, page: &Page, lines: &[&PdfLine], headings: &Headings<'_>) -> Vec<bool> {
        let Some((block, own)) = self.0[number % 2].as_ref().zip(block(page)) else { return vec![false; lines.len()] };
        let (left, right) = (block.start.min(own.start), block.end.max(own.end));
        let is_beside = |line: &PdfLine| {
            !line.turned
                && (line.right < left - APART * line.size || line.left > right + APART * line.size)
                && (LETTERS_OF_NOTE..LETTERS_OF_LINE).contains(&letters(line))
        };
        let mut are_beside: Vec<bool> = lines.iter().map(|line| is_beside(line)).collect();
        if are_beside.contains(&true) {
            let marks = headings.on(number, lines);
            are_beside.iter_mut().zip(marks).for_each(|(is_beside, marks)| *is_beside &= marks.is_empty());
        }
        are_beside
    }
}

/// From where to where the prose of a page reaches.
fn block(page: &Page) -> Option<Range<f64>> {
    let prose = || page.lines.iter().filter(|line| !line.turned && letters(line) >= LETTERS_OF_LINE);
    let left = first_edge(prose().map(|line| line.left))?;
    let right = prose().map(|line| line.right).fold(left, f64::max);
    Some(left..right)
}

/// The first place at which enough lines of prose begin.
fn first_edge(places: impl Iterator<Item = f64>) -> Option<f64> {
    alike(places).into_iter().find(|places| places.len() >= FEWEST_LINES).map(|places| places[0])
}

/// The place that most have, if they are enough.
fn edge(places: impl Iterator<Item = f64>, fewest: usize) -> Option<f64> {
    let most = alike(places).into_iter().max_by_key(Vec::len)?;
    (most.len() >= fewest).then(|| most[0])
}

/// Places from the left to the right, those together that are one.
fn alike(places: impl Iterator<Item = f64>) -> Vec<Vec<f64>> {
    let mut places: Vec<f64> = places.collect();
    places.sort_by(f64::total_cmp);
    places.chunk_by(|a, b| b - a < SAME_EDGE).map(<[f64]>::to_vec).collect()
}

/// The notes of lines in a margin, in order, each with the place at which it begins.
pub(super) fn notes(lines: &[&PdfLine], words: &Words) -> Vec<(f64, TextBuilder)> {
    let mut notes: Vec<(f64, TextBuilder)> = Vec::new();
    let mut last: Option<&PdfLine> = None;
    for line in lines {
        let goes_on = last.is_some_and(|last| {
            let overlap = line.left < last.right && last.left < line.right;
            overlap && (0.0..NEAR * line.size).contains(&(line.top - last.bottom).max(0.0)) && line.top > last.top
        });
        match notes.last_mut().filter(|_| goes_on) {
            Some((_, note)) => join_lines(note, &line.text, words),
            None => {
                let mut note = TextBuilder::default();
                note.open(MarkKind::Note);
                notes.push((line.bottom - SAME_ROW * line.size, note));
            }
        }
        if let Some((_, note)) = notes.last_mut() {
            note.push(&line.text);
        }
        last = Some(line);
    }
    notes
}
