//! Quotations: text in quotation marks and block quotations, and whether a citation stands by them.

use crate::languages::languages;
use crate::layout::{Layout, MarkKind};
use std::ops::Range;

// All are chosen by hand; lengths are in characters.

/// What is shorter between quotation marks is a term or a title.
const SHORTEST: usize = 10;

/// A quotation mark that is not closed within this length is none.
const LONGEST: usize = 3000;

/// The longest place between brackets: (3.2.106–111).
const LONGEST_PLACE: usize = 25;

/// How many characters may stand between a quotation and the bracket of its place.
const BEFORE_PLACE: usize = 4;

/// How many may stand behind the place or citation at the end of a block quotation.
const BEHIND_CITATION: u32 = 3;

/// Quotations inside each other; more are mistakes, and the first of them are given up.
const MOST_OPEN: usize = 8;

/// How far behind the end of a quotation its citation may stand.
const AFTER: u32 = 30;

/// How far before its start, in the same sentence.
const BEFORE: u32 = 80;

/// A quotation. Offsets are characters of the extracted text, the end exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotation {
    /// Its opening mark.
    pub start: u32,
    /// Past its closing mark.
    pub end: u32,
    /// The citation that belongs to it.
    pub citation: Option<Range<u32>>,
}

/// All quotations, in order; of those inside each other the outermost.
pub(super) fn find(text: &[char], layout: &Layout, citations: &[Range<u32>]) -> Vec<Quotation> {
    let blocks = layout.of(MarkKind::Quotation).map(|mark| mark.start..mark.end);
    let mut spans: Vec<Range<u32>> = in_marks(text).into_iter().chain(blocks).collect();
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    spans.dedup_by(|later, first| later.start < first.end);
    let quotation = |span: Range<u32>| Quotation {
        citation: citation_of(&span, text, citations),
        start: span.start,
        end: span.end,
    };
    spans.into_iter().map(quotation).collect()
}

/// Spans in quotation marks, within a paragraph. One pass: marks that are never closed cost nothing.
fn in_marks(text: &[char]) -> Vec<Range<u32>> {
    let marks = &languages().quotation_marks;
    // Of ASCII few characters are marks, and nearly all of most texts is ASCII.
    let mut is_ascii_mark = [false; 128];
    for c in marks.iter().flat_map(|(opening, closing)| closing.iter().chain([opening])).filter(|c| c.is_ascii()) {
        is_ascii_mark[*c as usize] = true;
    }
    let mut spans = Vec::new();
    // Where quotations were opened that may still be closed, with the marks that close them.
    let mut open: Vec<(usize, &[char])> = Vec::new();
    for (at, &c) in text.iter().enumerate() {
        if c == '\n' && text.get(at + 1) == Some(&'\n') {
            open.clear();
        }
        if is_ascii_mark.get(c as usize) == Some(&false) {
            continue;
        }
        let closes = open.iter().rposition(|&(start, closing)| closing.contains(&c) && at - start <= LONGEST);
        // A straight mark opens before a word only, as in 6" it stands for inches.
        let may_open = c != '"' || (closes.is_none() && (at == 0 || !text[at - 1].is_alphanumeric()));
        if let Some(opened) = closes {
            let start = open[opened].0;
            open.truncate(opened);
            if at - start > SHORTEST {
                spans.push(start as u32..at as u32 + 1);
            }
        } else if let Some((_, closing)) = marks.iter().find(|(opening, _)| *opening == c && may_open) {
            if open.len() >= MOST_OPEN {
                open.remove(0);
            }
            open.push((at, closing));
        }
    }
    spans
}

/// The nearest citation behind a quotation, else one before it in its sentence, else one inside at its end.
fn citation_of(span: &Range<u32>, text: &[char], citations: &[Range<u32>]) -> Option<Range<u32>> {
    let next = citations.partition_point(|citation| citation.start < span.end);
    let same_sentence = |range: Range<u32>| {
        let between = &text[range.start as usize..range.end as usize];
        !between.iter().any(|c| matches!(c, '。' | '！' | '？' | '!' | '?' | '\n'))
            && !between.windows(2).any(|pair| pair[0] == '.' && pair[1].is_whitespace())
    };
    let after = citations.get(next).filter(|c| c.start - span.end <= AFTER && !has_break(text, span.end, c.start));
    let inside = next
        .checked_sub(1)
        .map(|at| &citations[at])
        .filter(|c| c.start > span.start && c.end + BEHIND_CITATION >= span.end);
    let first = citations.partition_point(|citation| citation.end <= span.start);
    let before = first
        .checked_sub(1)
        .map(|at| &citations[at])
        .filter(|c| span.start - c.end <= BEFORE && same_sentence(c.end..span.start));
    let place = || place_after(text, span.end).or_else(|| place_at_end(text, span));
    after.or(inside).cloned().or_else(place).or_else(|| before.cloned())
}

/// Page, act and line numbers in brackets right behind a quotation: (3.2.106–111), (S. 12).
fn place_after(text: &[char], end: u32) -> Option<Range<u32>> {
    let behind = text.get(end as usize..)?;
    let open = behind.iter().take(BEFORE_PLACE).position(|c| matches!(c, '(' | '（' | '['))?;
    let inside = &behind[open + 1..];
    let length = inside.iter().take(LONGEST_PLACE).position(|c| matches!(c, ')' | '）' | ']'))?;
    let label: String = inside[..length].iter().take_while(|c| !c.is_ascii_digit()).collect();
    let label = label.trim().trim_end_matches(['.', ',']).to_lowercase();
    let is_behind = |c: char| languages().has(c.encode_utf8(&mut [0; 4]), |l| &l.quotations.behind_places);
    let numbers = |c: &char| c.is_ascii_digit() || !c.is_alphanumeric() || is_behind(*c);
    let rest = inside[..length].iter().skip_while(|c| !c.is_ascii_digit());
    let is_known = label.is_empty() || languages().has(&label, |l| &l.quotations.places);
    let is_place = is_known && rest.clone().count() > 0 && rest.clone().all(numbers);
    let start = end + open as u32;
    is_place.then_some(start..start + length as u32 + 2)
}

/// The same at the end of a block quotation, inside it.
fn place_at_end(text: &[char], span: &Range<u32>) -> Option<Range<u32>> {
    let inside = &text[span.start as usize..span.end as usize];
    let tail = inside.len().saturating_sub(LONGEST_PLACE + BEFORE_PLACE);
    let open = tail + inside[tail..].iter().rposition(|c| matches!(c, '(' | '（' | '['))?;
    place_after(text, span.start + open as u32)
        .filter(|place| place.end + BEHIND_CITATION > span.end && place.end <= span.end)
}

/// Whether a paragraph ends between two places.
fn has_break(text: &[char], start: u32, end: u32) -> bool {
    text[start as usize..end as usize].windows(2).any(|pair| pair == ['\n', '\n'])
}

#[cfg(test)]
mod tests {
    use super::super::Structure;
    use super::*;
    use crate::layout::Mark;

    /// A quotation and its citation.
    type Found = (&'static str, Option<&'static str>);

    #[test]
    fn quotations_and_their_citations_are_found_in_both_languages() {
        let cases: &[(&str, &[Found])] = &[
            ("He wrote “the tide always leaves silt” [3] and went.", &[("“the tide always leaves silt”", Some("[3]"))]),
            (
                "Smith (2019) wrote that “the tide always leaves silt”.",
                &[("“the tide always leaves silt”", Some("(2019)"))],
            ),
            ("They said “the tide always leaves silt” to us all.", &[("“the tide always leaves silt”", None)]),
            ("张三指出：“潮汐沼泽总是截留大量的泥沙。”[12]", &[("“潮汐沼泽总是截留大量的泥沙。”", Some("[12]"))]),
            (
                "他说「潮汐沼泽總是截留大量的『細泥沙』」（李四，2001）。",
                &[("「潮汐沼泽總是截留大量的『細泥沙』」", Some("（李四，2001）"))],
            ),
            ("„die Flut lässt immer Schlick“ (S. 12) und", &[("„die Flut lässt immer Schlick“", Some("(S. 12)"))]),
            ("« la marée laisse toujours » [4].", &[("« la marée laisse toujours »", Some("[4]"))]),
            ("»die Flut lässt immer Schlick« [4].", &[("»die Flut lässt immer Schlick«", Some("[4]"))]),
            ("“the tide always leaves” (3.2.106–111).", &[("“the tide always leaves”", Some("(3.2.106–111)"))]),
            ("“the tide always leaves” (see below).", &[("“the tide always leaves”", None)]),
            ("the so-called “marsh” [3]", &[]),
            ("a 6\" pipe and a 12\" pipe and yet more of them", &[]),
            ("It ends “never closed\n\nnew paragraph” [3]", &[]),
            ("One [3]. Two said “the tide always leaves silt”.", &[("“the tide always leaves silt”", None)]),
        ];
        for (text, expected) in cases {
            let characters: Vec<char> = text.chars().collect();
            let slice =
                |range: Range<u32>| characters[range.start as usize..range.end as usize].iter().collect::<String>();
            let structure = Structure::find(text, &Layout::default());
            let found: Vec<_> =
                structure.quotations.into_iter().map(|q| (slice(q.start..q.end), q.citation.map(slice))).collect();
            let expected: Vec<_> = expected.iter().map(|(q, c)| (q.to_string(), c.map(str::to_owned))).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_block_quotation_is_cited_by_the_place_at_its_end() {
        for (place, is_cited) in [("(3.2.106–111)", true), ("(S. 44).", true), ("(see below)", false), ("", false)] {
            let text = format!("The tide leaves silt between the stems. {place}\n\nMore text (12).");
            let end = text.find('\n').unwrap() as u32 - if place.contains('–') { 2 } else { 0 };
            let layout = Layout::new(vec![Mark { kind: MarkKind::Quotation, start: 0, end }]);
            let found = Structure::find(&text, &layout).quotations;
            assert_eq!(found[0].citation.is_some(), is_cited, "{place}");
        }
    }

    #[test]
    fn a_block_quotation_is_cited_by_a_note_at_its_end() {
        let text = "The tide leaves silt between the stems.\n\nMore text.";
        let marks = vec![
            Mark { kind: MarkKind::Quotation, start: 0, end: 39 },
            Mark { kind: MarkKind::NoteReference, start: 39, end: 39 },
        ];
        let structure = Structure::find(text, &Layout::new(marks));
        assert_eq!(structure.quotations, [Quotation { start: 0, end: 39, citation: Some(39..39) }]);
    }
}
