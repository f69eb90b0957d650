//! A numbered list of references that has no title, as some journals' classes set it.

use super::evidence::Evidence;
use super::headings::Heading;
use super::lines::TextLine;
use super::section::SectionKind;
use std::ops::Range;

/// The fewest entries of such a list, numbered from 1 on. Chosen by hand.
const FEWEST: usize = 5;

/// The share of them that must look like references: three quarters. Chosen by hand.
const KNOWN: (usize, usize) = (3, 4);

/// Where no title says so, an entry has more digits and capitals than a sentence with a year: one letter in eight. Chosen by
/// hand, above what a titled list needs.
const ENTRY_ONE_IN: u32 = 8;

/// The most lines of an entry. Chosen by hand.
const LONGEST: usize = 6;

/// The most digits of an entry's number: a year is none.
const LONGEST_LABEL: usize = 3;

/// The last list of references without a title, if no heading names one.
pub(super) fn untitled(lines: &[TextLine<'_>], headings: &[Heading], evidence: &Evidence) -> Option<Range<usize>> {
    if headings.iter().any(|heading| heading.named == Some(SectionKind::References)) {
        return None;
    }
    let firsts = (0..lines.len()).rev().filter(|&at| label(lines[at].text) == Some(1));
    firsts.filter_map(|first| list(lines, first, evidence)).next()
}

/// The list whose entries start at a line with the number 1.
fn list(lines: &[TextLine<'_>], first: usize, evidence: &Evidence) -> Option<Range<usize>> {
    let mut starts = vec![first];
    loop {
        let last = starts[starts.len() - 1];
        let next = Some(starts.len() as u32 + 1);
        let near = lines.len().min(last + 1 + LONGEST);
        match (last + 1..near).find(|&at| label(lines[at].text) == next) {
            Some(at) => starts.push(at),
            None => break,
        }
    }
    let end = lines.len().min(starts[starts.len() - 1] + 1);
    let ends = starts[1..].iter().copied().chain([end]);
    let is_entry = |line: &TextLine<'_>| evidence.is_reference(line) && evidence.one_in(line, ENTRY_ONE_IN);
    let is_known = |entry: Range<usize>| lines[entry].iter().any(is_entry);
    let known = std::iter::zip(&starts, ends).filter(|(start, end)| is_known(**start..*end)).count();
    let is_list = starts.len() >= FEWEST && known * KNOWN.1 >= starts.len() * KNOWN.0;
    is_list.then_some(first..end)
}

/// The number of an entry: [12], (12), 12. or 12) before words.
fn label(text: &str) -> Option<u32> {
    let inside = text.trim_start_matches(['[', '［', '(', '（']);
    let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
    let is_closed = inside[digits..].starts_with([']', '］', ')', '）', '.']);
    inside[..digits].parse().ok().filter(|_| digits <= LONGEST_LABEL && is_closed)
}

#[cfg(test)]
mod tests {
    use super::super::{SectionKind, Structure};
    use crate::layout::Layout;

    /// A text of prose with a numbered list at its end.
    fn with_list(entry: impl Fn(usize) -> String) -> String {
        let prose =
            "The tide leaves a thin layer of silt between the stems, and the surface grows by a little every year. ";
        let entries: String = (1..=8).map(|number| entry(number) + "\n").collect();
        format!("1 Silt\n\n{}\n\n2 Tides\n\n{}\n\n{entries}", prose.repeat(20), prose.repeat(20))
    }

    #[test]
    fn a_numbered_list_of_references_without_a_title_is_known_and_one_of_sentences_is_none() {
        let of_references =
            with_list(|n| format!("[{n}] A. Clerk, The Silt of Marshes, Ann. Tides 12, {n}34 (199{n})."));
        let of_sentences = with_list(|n| {
            format!("[{n}] In 199{n} the marsh was wet for the most part, and so it was in the year after.")
        });
        for (text, expected) in [(of_references, true), (of_sentences, false)] {
            let sections = Structure::find(&text, &Layout::default()).sections;
            assert_eq!(sections.iter().any(|section| section.kind == SectionKind::References), expected, "{text}");
        }
    }
}
