//! The lines of a text with their places, and what the format says of each.

use crate::layout::{Layout, Mark, MarkKind};
use std::ops::Range;

/// A line that is not blank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TextLine<'a> {
    /// Its text without white space around it; of a heading without Markdown's signs.
    pub(super) text: &'a str,
    /// Where its text starts, in characters.
    pub(super) start: u32,
    /// Where its text ends, in characters.
    pub(super) end: u32,
    /// Whether a paragraph starts with it: a blank line stands before it, or nothing.
    pub(super) starts_paragraph: bool,
    /// Its level if the format's own markup calls it a heading.
    pub(super) markup: Option<u8>,
    /// Its level if an entry of the outline points to it.
    pub(super) outline: Option<u8>,
    /// Its level if it is set as headings are.
    pub(super) font: Option<u8>,
    /// Whether it is a part of a generated table of contents.
    pub(super) in_contents: bool,
    /// Whether it is a note, a part of a table and the like, from which no part of a text comes.
    pub(super) inert: bool,
}

impl TextLine<'_> {
    /// Characters from its start to its end.
    pub(super) fn length(&self) -> u32 {
        self.end - self.start
    }

    /// Whether the file itself calls it a heading.
    pub(super) fn is_marked(&self) -> bool {
        self.markup.is_some() || self.outline.is_some()
    }

    /// Whether the file or its looks make it a heading.
    pub(super) fn stands_out(&self) -> bool {
        self.is_marked() || self.font.is_some()
    }
}

/// The lines of a text, in order. A heading of several lines is the heading of each of them.
pub(super) fn lines<'a>(text: &'a str, layout: &Layout) -> Vec<TextLine<'a>> {
    let mut lines = Vec::new();
    let mut position = 0;
    let mut after_blank = true;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if !trimmed.is_empty() {
            let start = position + line.chars().take_while(|c| c.is_whitespace()).count() as u32;
            let end = start + trimmed.chars().count() as u32;
            lines.push(TextLine { text: trimmed, start, end, starts_paragraph: after_blank, ..TextLine::default() });
        }
        after_blank = trimmed.is_empty();
        position += line.chars().count() as u32;
    }
    let level = |kind| match kind {
        MarkKind::Heading(level) => Some(level),
        _ => None,
    };
    levels(&mut lines, layout, level, |line| &mut line.markup);
    let level = |kind| match kind {
        MarkKind::OutlineHeading(level) => Some(level),
        _ => None,
    };
    levels(&mut lines, layout, level, |line| &mut line.outline);
    let level = |kind| match kind {
        MarkKind::FontHeading(level) => Some(level),
        _ => None,
    };
    levels(&mut lines, layout, level, |line| &mut line.font);
    for line in lines.iter_mut().filter(|line| line.markup.is_some()) {
        line.text = without_signs(line.text);
    }
    for (_, within) in within(&lines, layout, |kind| kind == MarkKind::Contents) {
        lines[within].iter_mut().for_each(|line| line.in_contents = true);
    }
    for (span, within) in within(&lines, layout, is_inert) {
        lines[within].iter_mut().for_each(|line| line.inert = line.end <= span.end);
    }
    lines
}

fn is_inert(kind: MarkKind) -> bool {
    matches!(
        kind,
        MarkKind::Note
            | MarkKind::Table
            | MarkKind::Caption
            | MarkKind::Code
            | MarkKind::Formula
            | MarkKind::Navigation
            | MarkKind::Margin
            | MarkKind::White
            | MarkKind::Tiny
            | MarkKind::Unseen
    )
}

/// The spans of marks of some kinds, and the lines that start within them; overlapping marks are one.
pub(super) fn within(
    lines: &[TextLine<'_>],
    layout: &Layout,
    kinds: impl Fn(MarkKind) -> bool,
) -> Vec<(Range<u32>, Range<usize>)> {
    let mut spans: Vec<Range<u32>> = Vec::new();
    for mark in layout.marks().iter().filter(|mark| kinds(mark.kind)) {
        match spans.last_mut().filter(|last| mark.start < last.end) {
            Some(last) => last.end = last.end.max(mark.end),
            None => spans.push(mark.start..mark.end),
        }
    }
    let first_from = |place: u32| lines.partition_point(|line| line.start < place);
    spans.into_iter().map(|span| (span.clone(), first_from(span.start)..first_from(span.end))).collect()
}

/// Notes the level of every line that a mark with one lies in.
fn levels<'a>(
    lines: &mut [TextLine<'a>],
    layout: &Layout,
    level: impl Fn(MarkKind) -> Option<u8>,
    field: impl for<'b> Fn(&'b mut TextLine<'a>) -> &'b mut Option<u8>,
) {
    let marked = |mark: &Mark| level(mark.kind).map(|level| (mark.start, mark.end, level));
    let mut headings = layout.marks().iter().filter_map(marked).peekable();
    for line in lines {
        while headings.peek().is_some_and(|(_, end, _)| *end <= line.start) {
            headings.next();
        }
        // A taller word makes no heading of its line.
        let mostly = |&&(start, end, _): &&(u32, u32, u8)| {
            2 * (u64::from(end.min(line.end)) + 1).saturating_sub(u64::from(start.max(line.start)))
                >= u64::from(line.length())
        };
        *field(line) = headings.peek().filter(mostly).map(|(_, _, level)| *level);
    }
}

/// `Methods` of `## Methods ##`.
fn without_signs(heading: &str) -> &str {
    heading.strip_prefix('#').map_or(heading, |rest| rest.trim_matches('#').trim())
}
