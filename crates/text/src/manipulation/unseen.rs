//! Text that a reader does not see, and what of the file is not in the text.

use super::kinds::FlagKind;
use super::signs::Signs;
use crate::layout::{Layout, LeftOut, MarkKind};
use crate::ranges::union;
use std::ops::Range;

// Shares are of the characters of the text. All are chosen by hand.

/// Text on a line of its own that nobody sees is the label of a figure if it has fewer letters.
const LABEL: u32 = 60;

/// How far a line is looked through, in characters, for what a label shares it with.
const LINE: usize = 200;

/// Labels are flagged from one character in four on.
const LABELS_ONE_IN: u64 = 4;

/// What is left out for an innocent reason is flagged from one character in four on.
const LEFT_OUT_ONE_IN: u64 = 4;

/// Parts that are not read are flagged from one character in two hundred on.
const UNREAD_ONE_IN: u64 = 200;

/// Missing files are flagged from one character in ten on, where the share that was compared falls below nine tenths.
const MISSING_ONE_IN: u64 = 10;

/// Pages whose picture shows more than the text are flagged from one page in twenty on.
const PICTURES_ONE_IN: usize = 20;

/// Text of which nobody knows whether it is seen is flagged from one character in 25 on: less changes no ratio by more than a
/// few hundredths of itself.
const UNJUDGED_ONE_IN: u64 = 25;

/// Hidden pieces as short as labels are lengths, keys and notes that macros and styles do not show: they are flagged from one character in
/// 25 on.
const ARGUMENTS_ONE_IN: u64 = 25;

/// The letters of a word, which unseen letters inside it spoil. About the average of English.
const LETTERS_OF_WORD: u32 = 5;

pub(super) fn find(text: &[char], layout: &Layout, signs: &mut Signs) {
    for (mark, kind) in [
        (MarkKind::White, FlagKind::WhiteText),
        (MarkKind::Tiny, FlagKind::TinyText),
        (MarkKind::Unseen, FlagKind::UnseenText),
        (MarkKind::Unjudged, FlagKind::NotJudged),
    ] {
        of_kind(text, layout, mark, kind, signs);
    }
    if text_pictures_are_many(layout) {
        for span in layout.of(MarkKind::TextPicture).map(|mark| mark.start..mark.end) {
            let count = signs.countable(&span);
            signs.add(FlagKind::TextPicture, span, count.max(1));
        }
    }
    let (mut hidden, mut arguments) = (Vec::new(), Vec::new());
    let (mut left_out, mut unread, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    for mark in layout.marks() {
        let span = mark.start..mark.end;
        match mark.kind {
            MarkKind::Hidden(count) if count < LABEL => arguments.push((span, count)),
            MarkKind::Hidden(count) => hidden.push((span, count)),
            MarkKind::LeftOut(LeftOut::Unread, count) => unread.push((span, count)),
            MarkKind::LeftOut(LeftOut::Missing, count) => missing.push((span, count)),
            MarkKind::LeftOut(LeftOut::Deleted | LeftOut::Comment | LeftOut::RunningHead, count) => {
                left_out.push((span, count))
            }
            _ => {}
        }
    }
    let sum = |found: &[(Range<u32>, u32)]| found.iter().map(|(_, count)| u64::from(*count)).sum::<u64>();
    if sum(&arguments) * ARGUMENTS_ONE_IN >= text.len() as u64 {
        hidden.append(&mut arguments);
        hidden.sort_by_key(|(span, _)| span.start);
    }
    let concerned = sum(&hidden);
    signs.add_if_many(FlagKind::HiddenText, hidden, concerned);
    for (found, one_in) in [(unread, UNREAD_ONE_IN), (missing, MISSING_ONE_IN), (left_out, LEFT_OUT_ONE_IN)] {
        let all: u64 = found.iter().map(|(_, count)| u64::from(*count)).sum();
        if all * one_in > text.len() as u64 {
            found.into_iter().for_each(|(span, count)| signs.add(FlagKind::LeftOut, span, count));
        }
    }
}

/// Unseen text of one kind: what stands among visible text, or is no label. The rest only if it is much.
fn of_kind(text: &[char], layout: &Layout, mark: MarkKind, kind: FlagKind, signs: &mut Signs) {
    let (mut among, mut labels) = (Vec::new(), Vec::new());
    let spans: Vec<Range<u32>> = layout.of(mark).map(|mark| mark.start..mark.end.min(text.len() as u32)).collect();
    // Spans may lie inside each other.
    let unseen = union(spans.clone());
    let (mut sum_among, mut sum_labels) = (0, 0);
    for span in spans {
        let letters = signs.countable(&span);
        let found = (span.clone(), letters.max(1));
        let letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|c| c.is_alphabetic());
        let in_word = letter(span.start.checked_sub(1).map(|at| at as usize)) && letter(Some(span.end as usize));
        if !in_word && is_label(text, &span, letters, &unseen) {
            sum_labels += u64::from(letters);
            labels.push(found);
        } else {
            sum_among += u64::from(letters.max(if in_word { LETTERS_OF_WORD } else { 1 }));
            among.push(found);
        }
    }
    if mark == MarkKind::Unjudged && sum_among * UNJUDGED_ONE_IN < text.len() as u64 {
        return;
    }
    signs.add_if_many(kind, among, sum_among);
    if sum_labels * LABELS_ONE_IN >= text.len() as u64 && sum_labels > 0 {
        labels.into_iter().for_each(|(span, count)| signs.add(kind, span, count));
    }
}

/// Whether an unseen span is a label: few letters that share their line with nothing else to read but other such labels, or figures
/// without words. `unseen` is what such spans hold, in order and apart.
fn is_label(text: &[char], span: &Range<u32>, letters: u32, unseen: &[Range<u32>]) -> bool {
    let (start, end) = (span.start as usize, span.end as usize);
    if start >= end {
        return true;
    }
    let words = text[start..end].iter().filter(|c| c.is_alphabetic()).count();
    if words < 2 && letters < LABEL && (letters > 0 || text[start..end].iter().any(|c| !c.is_whitespace())) {
        return true;
    }
    let apart = |c: &char| matches!(c, '\n' | '\t');
    let first = start - text[..start].iter().rev().take_while(|c| !apart(c)).take(LINE).count();
    let last = end + text[end..].iter().take_while(|c| !apart(c)).take(LINE).count();
    let near = unseen.partition_point(|other| other.end as usize <= first);
    let near = unseen[near..].iter().take_while(|other| (other.start as usize) < last);
    let count = |range: Range<usize>| text[range].iter().filter(|c| c.is_alphanumeric()).count();
    let labels: usize =
        near.map(|other| count((other.start as usize).max(first)..(other.end as usize).min(last))).sum();
    letters < LABEL && labels < LABEL as usize && labels >= count(first..last)
}

/// The pictures, and the pages without text, of which nothing is compared; without pages whose picture shows text where there are enough of
/// those to be flagged. They are no sign of anything.
pub(crate) fn pictures(layout: &Layout) -> usize {
    let of_text = if text_pictures_are_many(layout) { 0 } else { layout.of(MarkKind::TextPicture).count() };
    layout.of(MarkKind::Picture).count() + of_text
}

/// One page among many whose picture shows text is a picture like others.
fn text_pictures_are_many(layout: &Layout) -> bool {
    layout.of(MarkKind::TextPicture).count() * PICTURES_ONE_IN >= layout.pages()
}
