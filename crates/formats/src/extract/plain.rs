//! Plain text: the decoded file as it stands, so that offsets are those of the file. What a terminal does not show of it is
//! marked: the sequences that steer it (ECMA-48), what they conceal, and letters that a backspace strikes over.

use super::{ExtractError, Extracted};
use crate::encoding::decode;
use copytrace_text::layout::{Layout, Mark, MarkKind};
use copytrace_text::ranges::union;
use std::ops::Range;

const BACKSPACE: char = '\u{8}';
const BELL: char = '\u{7}';
const ESCAPE: char = '\u{1B}';
/// Begins a sequence, as `ESC [` does.
const SEQUENCE: char = '\u{9B}';

/// A sequence has no more characters; what begins like a longer one is none.
const LONGEST_SEQUENCE: usize = 1000;

/// Decodes the file. A byte-order mark and all newlines stay.
pub(super) fn extract(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let decoded = decode(bytes)?;
    let layout = Layout::new(unseen(&decoded.text));
    Ok(Extracted { text: decoded.text, replaced: decoded.replaced, layout, ..Extracted::default() })
}

/// What of a text a terminal does not show.
fn unseen(text: &str) -> Vec<Mark> {
    if !text.contains([BACKSPACE, ESCAPE, SEQUENCE]) {
        return Vec::new();
    }
    let text: Vec<char> = text.chars().collect();
    let mut spans: Vec<Range<usize>> = Vec::new();
    // The characters of this line that nothing was written over, and since when nothing is shown.
    let (mut standing, mut concealed) = (Vec::new(), None);
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            BACKSPACE => {
                spans.extend(standing.pop().map(|letter: usize| letter..letter + 1));
                spans.push(at..at + 1);
            }
            ESCAPE | SEQUENCE => {
                let end = at + sequence(&text[at..]);
                match conceals(&text[at..end]) {
                    Some(true) => concealed = concealed.or(Some(end)),
                    Some(false) => spans.extend(concealed.take().map(|from| from..at)),
                    None => {}
                }
                spans.push(at..end);
                at = end;
                continue;
            }
            '\n' | '\r' => standing.clear(),
            _ => standing.push(at),
        }
        at += 1;
    }
    spans.extend(concealed.map(|from| from..text.len()));
    union(spans)
        .into_iter()
        .map(|span| Mark { kind: MarkKind::Unseen, start: span.start as u32, end: span.end as u32 })
        .collect()
}

/// How many characters the sequence has that a text begins with.
fn sequence(text: &[char]) -> usize {
    let run = |from: usize, of: std::ops::RangeInclusive<char>| {
        text.iter().skip(from).take(LONGEST_SEQUENCE).take_while(|c| of.contains(*c)).count()
    };
    let begins = if text[0] == SEQUENCE { 1 } else { 2 };
    match text.get(begins - 1).copied() {
        Some('[' | SEQUENCE) => {
            let parameters = begins + run(begins, '0'..='?');
            let end = parameters + run(parameters, ' '..='/');
            end + usize::from(text.get(end).is_some_and(|c| ('@'..='~').contains(c)))
        }
        // A string for the terminal, up to a bell or `ESC \`.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let ends = |two: &[char]| two[0] == BELL || two == [ESCAPE, '\\'];
            let end = text[begins..].windows(2).take(LONGEST_SEQUENCE).position(ends);
            end.map_or(begins, |end| begins + end + if text[begins + end] == BELL { 1 } else { 2 })
        }
        Some(_) => {
            let end = 1 + run(1, ' '..='/');
            end + usize::from(text.get(end).is_some_and(|c| ('0'..='~').contains(c)))
        }
        None => 1,
    }
}

/// Whether a sequence begins or ends concealed text; `None` for others.
fn conceals(sequence: &[char]) -> Option<bool> {
    let parameters: String = sequence.iter().collect();
    let parameters = parameters.strip_suffix('m')?.trim_start_matches([ESCAPE, SEQUENCE, '[']);
    parameters
        .split(';')
        .filter_map(|parameter| match parameter {
            "8" => Some(true),
            "" | "0" | "28" => Some(false),
            _ => None,
        })
        .next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_does_not_show_is_unseen() {
        for (text, seen) in [
            ("the marsh", "the marsh"),
            ("the maq\u{8}rsh, tidqq\u{8}\u{8}e", "the marsh, tide"),
            ("\u{8}a\n\u{8}b", "a\nb"),
            ("ma\u{1b}[0mr\u{1b}[1;31msh\u{9b}m", "marsh"),
            ("a\u{1b}[8mno\u{1b}[3mne\u{1b}[28mb\u{1b}[8;0mc", "abc"),
            ("a\u{1b}[2;8mnone", "a"),
            ("a\u{1b}]0;title\u{7}b\u{1b}]8;;x\u{1b}\\c\u{1b}(Bd\u{1b}", "abcd"),
            ("a\u{1b}]no end", "ano end"),
        ] {
            // Bytes with many controls are no text.
            let prose = " of the river ".repeat(50);
            let layout = extract((text.to_owned() + "\u{1b}[m" + &prose).as_bytes()).unwrap().layout;
            let shown = |at: usize| !layout.marks().iter().any(|mark| (mark.start..mark.end).contains(&(at as u32)));
            let found: String = text.chars().enumerate().filter(|(at, _)| shown(*at)).map(|(_, c)| c).collect();
            assert_eq!(found, seen, "{text:?}");
        }
    }
}
