//! The lines of a text with their places, and what the format says of each.

use crate::text::layout::{Layout, MarkKind};

/// A line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Its text without white space around it; of a heading without Markdown's signs.
    pub(super) text: &'a str,
    /// Where its text starts, in characters.
    pub(super) start: u32,
    /// Where its text ends, in characters.
    pub(super) end: u32,
    /// Its level if the format calls it a heading.
    pub(super) heading: Option<u8>,
}

/// The lines of a text, in order. A heading of several lines is the heading of each of them.
pub(super) fn lines<'a>(text: &'a str, layout: &Layout) -> Vec<Line<'a>> {
    let mut headings = layout
        .marks()
        .iter()
        .filter_map(|mark| match mark.kind {
            MarkKind::Heading(level) => Some((mark.start, mark.end, level)),
            _ => None,
        })
        .peekable();
    let mut lines = Vec::new();
    let mut position = 0;
    for line in text.split_inclusive('\n') {
        let length = line.chars().count() as u32;
        let trimmed = line.trim();
        if !trimmed.is_empty() {
            let before = line.chars().take_while(|c| c.is_whitespace()).count() as u32;
            let start = position + before;
            let end = start + trimmed.chars().count() as u32;
            while headings.peek().is_some_and(|(_, heading_end, _)| *heading_end <= start) {
                headings.next();
            }
            let heading = headings.peek().filter(|(from, _, _)| *from < end).map(|(_, _, level)| *level);
            let text = if heading.is_some() { without_signs(trimmed) } else { trimmed };
            lines.push(Line { text, start, end, heading });
        }
        position += length;
    }
    lines
}

/// `Methods` of `## Methods ##`.
fn without_signs(heading: &str) -> &str {
    heading.strip_prefix('#').map_or(heading, |rest| rest.trim_matches('#').trim())
}
