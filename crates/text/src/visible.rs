//! The text as a reader sees it, character for character at the same places.
//!
//! What the layout says nobody sees is made invisible to the later steps before words are made of it, and what bidirectional
//! overrides turn round is turned back. Letters that are written by their numbers are read. Each character of the result stands where one stood in the text, so offsets stay.

use super::layout::{Layout, Mark, MarkKind};
use super::normalise::ignorable::is_ignorable;
use super::numbered;
use super::ranges::union;
use super::script::{is_countable, is_east_asian, is_han, is_right_to_left};
use ahash::AHashSet;
use std::borrow::Cow;
use std::ops::Range;

/// Whether a character is a combining mark. Those of most texts have none, and the table is slow.
pub fn is_combining_mark(c: char) -> bool {
    c >= '\u{300}' && unicode_normalization::char::is_combining_mark(c)
}

/// What an unseen character becomes inside a word: nothing is shown (WORD JOINER).
const NOTHING: char = '\u{2060}';

// All are chosen by hand, so that theses of many languages stay as they are and texts that a program disguised are read.

/// A row of visible letters without a blank that is longer than this is several words: what nobody sees stands for its blanks.
const LONGEST_WORD: usize = 20;

/// How far from an unseen run that row is looked at, in characters: unseen ones stand between its letters.
const AROUND: usize = 4 * LONGEST_WORD;

/// The fewest signs inside words that were put there on purpose.
const FEWEST_IN_WORDS: usize = 20;

/// They are on one word in twenty, at least: fewer change no ratio.
const WORDS_OF_SIGN: usize = 20;

/// The most signs in a row inside a word; more part words.
const MOST_IN_ROW: usize = 3;

/// The letters of a word, where words are not parted by blanks. About the average of English.
const LETTERS_OF_WORD: usize = 5;

/// Signs that stand inside the names of programs and addresses, apostrophes, which are letters of many languages, and several signs
/// in a row, such as a dash, part words on purpose from one word in four on.
const WORDS_OF_CODE: usize = 4;

/// The fewest small letters before a raised figure that refers to a note: powers stand behind one letter or two.
const LETTERS_BEFORE_NOTE: usize = 3;

/// What stands behind an apostrophe in English and French.
const ENDINGS: [&str; 7] = ["s", "t", "re", "ve", "ll", "d", "m"];

/// Whether text of this kind is not seen by a reader.
pub fn is_unseen(kind: MarkKind) -> bool {
    matches!(kind, MarkKind::White | MarkKind::Tiny | MarkKind::Unseen)
}

/// The text as it is seen. Borrowed where all of it is seen as it stands.
pub fn visible<'a>(text: &'a str, layout: &Layout) -> Cow<'a, str> {
    let unseen = unseen(layout, text);
    // Of ASCII controls alone are odd, and its bytes are looked through three times as fast.
    let is_plain_ascii = |c: char| matches!(c, ' '..='~' | '\t' | '\n' | '\r');
    let odd = |c| {
        !is_plain_ascii(c)
            && (is_override(c) || is_stretcher(c) || is_odd_blank(c) || is_control(c) || may_stand_for(c))
    };
    let is_plain = text.bytes().all(|byte| is_plain_ascii(byte.into()));
    if unseen.is_empty()
        && (is_plain || !(text.contains(odd) || has_inserted_letters(text)))
        && !has_signs_in_words(text)
        && !numbered::may_have(text)
    {
        return Cow::Borrowed(text);
    }
    let mut characters: Vec<char> = text.chars().collect();
    for span in overridden(&characters) {
        characters[span].reverse();
    }
    for at in 0..characters.len() {
        let c = characters[at];
        if is_control(c) || (is_raised_figure(c) && is_note_of_word(&characters, at)) {
            characters[at] = NOTHING;
        } else if let Some(letter) = boxed_letter(c) {
            characters[at] = letter;
        }
    }
    for letter in numbered::letters(&characters) {
        characters[letter.place.clone()].fill(NOTHING);
        characters[letter.place.start] = letter.letter;
    }
    for at in odd_signs(&characters).into_iter().chain(signs_in_words(&characters)) {
        characters[at] = NOTHING;
    }
    blank_out(&mut characters, &unseen);
    Cow::Owned(characters.into_iter().collect())
}

/// Blanks and ends of lines that are not the usual ones.
fn is_odd_blank(c: char) -> bool {
    matches!(
        c,
        '\u{0B}' | '\u{0C}' | '\u{85}' | '\u{A0}' | '\u{2000}'
            ..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}'
    )
}

/// Controls that show nothing.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() && !c.is_whitespace()
}

/// Whether a character may show another one, or a number that is no part of the word before it.
fn may_stand_for(c: char) -> bool {
    is_raised_figure(c) || boxed_letter(c).is_some()
}

fn is_raised_figure(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹')
}

/// Whether a raised figure stands behind a word, and so refers to a note.
fn is_note_of_word(text: &[char], at: usize) -> bool {
    let before = || text[..at].iter().rev().skip_while(|c| is_raised_figure(**c) || **c == NOTHING);
    before().take(LETTERS_BEFORE_NOTE).filter(|c| c.is_lowercase()).count() == LETTERS_BEFORE_NOTE
}

/// The letter in a box, circle or brackets, for which Unicode has no decomposition, or one into several characters.
fn boxed_letter(c: char) -> Option<char> {
    let letter = match c {
        '\u{249C}'..='\u{24B5}' => c as u32 - 0x249C,
        '\u{1F110}'..='\u{1F129}' => c as u32 - 0x1F110,
        '\u{1F150}'..='\u{1F169}' => c as u32 - 0x1F150,
        '\u{1F170}'..='\u{1F189}' => c as u32 - 0x1F170,
        '\u{1F1E6}'..='\u{1F1FF}' => c as u32 - 0x1F1E6,
        _ => return None,
    };
    char::from_u32(u32::from('a') + letter)
}

/// Whether a character may part a word: neither a letter nor a mark on one nor what ends a word.
fn may_part(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation() || is_odd_blank(c);
    }
    let is_of_word = || is_countable(c) || is_combining_mark(c) || is_ignorable(c);
    is_odd_blank(c) || !(is_of_word() || c.is_whitespace() || c.is_control() || c == '\u{2800}')
}

/// Whether enough signs stand between small letters that they may have been put into words, found by looking at bytes.
fn has_signs_in_words(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut signs, mut blanks) = (0, 0);
    let is_sign = |end: usize| bytes.get(end).is_some_and(|c| !c.is_ascii_alphanumeric() && !c.is_ascii_whitespace());
    for at in 1..bytes.len().saturating_sub(1) {
        blanks += usize::from(bytes[at] == b' ');
        if !is_sign(at) || !bytes[at - 1].is_ascii_lowercase() {
            continue;
        }
        let (mut end, mut row) = (at, 0);
        while row < MOST_IN_ROW && is_sign(end) {
            end += match bytes[end] {
                0..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            row += 1;
        }
        signs += usize::from(row > 0 && bytes.get(end).is_some_and(u8::is_ascii_lowercase));
    }
    signs >= FEWEST_IN_WORDS && signs * WORDS_OF_SIGN >= blanks
}

/// How many signs stand in a row at a place with letters on both sides: 0 if there is none, or an apostrophe.
fn signs_at(text: &[char], at: usize) -> usize {
    let letter = |at: usize| text.get(at).is_some_and(char::is_ascii_alphabetic);
    if at == 0 || !letter(at - 1) || !may_part(text[at]) {
        return 0;
    }
    let row = text[at..].iter().take(MOST_IN_ROW).take_while(|c| may_part(**c)).count();
    let is_ending = || {
        let rest: String = text[at + 1..].iter().take_while(|c| c.is_ascii_alphabetic()).take(3).collect();
        row == 1 && matches!(text[at], '\'' | '’') && ENDINGS.contains(&rest.as_str())
    };
    if letter(at + row) && !is_ending() { row } else { 0 }
}

/// The places of signs that stand inside words: many hyphens, points or odd blanks, between pieces that are mostly no words of
/// the text. Of compounds, and between words as in "Figure 3" or in French, the pieces are words elsewhere too.
pub fn signs_in_words(text: &[char]) -> Vec<usize> {
    let mut rows: Vec<Range<usize>> =
        (1..text.len()).map(|at| at..at + signs_at(text, at)).filter(|row| !row.is_empty()).collect();
    // Han characters have no blanks between them.
    let letters = text.iter().filter(|c| c.is_alphanumeric()).count();
    let words = text.iter().filter(|c| **c == ' ').count().max(letters / LETTERS_OF_WORD);
    let of_code = |row: &Range<usize>| {
        let first = text[row.start];
        row.len() > 1
            || matches!(first, '\u{2018}' | '\u{2019}' | '´')
            || (first.is_ascii() && !matches!(first, '-' | '*' | '~' | '^' | '|'))
    };
    if rows.iter().filter(|row| of_code(row)).count() * WORDS_OF_CODE < words {
        rows.retain(|row| !of_code(row));
    }
    if rows.len() < FEWEST_IN_WORDS || rows.len() * WORDS_OF_SIGN < words {
        return Vec::new();
    }
    let (mut known, mut pieces) = (AHashSet::new(), Vec::new());
    for word in text.split(|c| c.is_whitespace() && !is_odd_blank(*c)) {
        let parts = || word.split(|c| !c.is_ascii_alphabetic()).filter(|part| part.len() > 1);
        // Addresses are full of points and strokes.
        let at_sign = word.iter().position(|c| *c == '@');
        let is_address = word.windows(3).any(|three| three == [':', '/', '/'])
            || at_sign.is_some_and(|at| word[at..].contains(&'.'));
        if (0..word.len()).all(|at| signs_at(word, at) == 0) {
            known.extend(parts());
        } else if !is_address {
            pieces.extend(parts());
        }
    }
    let unknown = pieces.iter().filter(|piece| !known.contains(*piece)).count();
    if 2 * unknown > pieces.len() && unknown * WORDS_OF_SIGN >= words {
        rows.into_iter().flatten().collect()
    } else {
        Vec::new()
    }
}

/// Letters that lengthen the one before them, each in its script: nothing between letters of others.
fn is_stretcher(c: char) -> bool {
    matches!(c, '\u{2D0}' | '\u{2D1}' | '\u{640}' | '\u{30FC}' | '\u{FF70}')
}

/// Whether a text may have Latin letters one by one between Han characters, found by looking at bytes: a letter between
/// characters of three bytes.
fn has_inserted_letters(text: &str) -> bool {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while let Some(behind) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte >= 0x80)) {
        at += behind + 1;
        if matches!(bytes.get(at..at + 2), Some([b'a'..=b'z', 0xE3..=0xFF])) {
            return true;
        }
    }
    false
}

/// The places of signs that belong to no word: marks of length between letters of a script that has none, and one and the
/// same small letter between Han characters again and again.
pub fn odd_signs(text: &[char]) -> Vec<usize> {
    let at = |index: Option<usize>| index.and_then(|index| text.get(index)).copied().unwrap_or(' ');
    let mut places = Vec::new();
    for (index, &c) in text.iter().enumerate() {
        let (before, after) = (at(index.checked_sub(1)), at(Some(index + 1)));
        let odd = if c.is_ascii() && before.is_ascii() {
            false
        } else if is_stretcher(c) {
            let foreign = |c: char| c.is_ascii_alphabetic() || is_han(c);
            // Phonetic signs stand among others of their kind, and 2 letters of a formula may be kept apart.
            foreign(before) && foreign(after)
        } else if c.is_ascii_lowercase() && is_han(before) && is_han(after) {
            let same = |far: Option<usize>| at(far) == c;
            (same(index.checked_sub(2)) && is_han(at(index.checked_sub(3))))
                || (same(Some(index + 2)) && is_han(at(Some(index + 3))))
        } else {
            false
        };
        if odd {
            places.push(index);
        }
    }
    places
}

/// Whether a character overrides the direction of those after it.
pub fn is_override(character: char) -> bool {
    matches!(character, '\u{202D}' | '\u{202E}')
}

/// The spans nobody sees, in order and apart.
fn unseen(layout: &Layout, text: &str) -> Vec<Range<usize>> {
    let hides = |mark: &&Mark| is_unseen(mark.kind) && mark.start < mark.end;
    let marks = layout.marks().iter().filter(hides);
    let mut spans = union(marks.map(|mark| mark.start as usize..mark.end as usize).collect());
    if spans.is_empty() {
        return spans;
    }
    let length = text.chars().count();
    spans.iter_mut().for_each(|span| *span = span.start.min(length)..span.end.min(length));
    spans.retain(|span| !span.is_empty());
    spans
}

/// The spans whose characters are shown from right to left by an override, controls excluded: up to the control that ends
/// it, another override, or the end of the paragraph (Unicode Standard Annex #9).
pub fn overridden(text: &[char]) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, &c) in text.iter().enumerate() {
        let ends = is_override(c) || matches!(c, '\u{202C}' | '\u{2069}' | '\n' | '\r' | '\u{85}' | '\u{2029}');
        if let Some(from) = start.take_if(|_| ends) {
            spans.push(from..at);
        }
        if c == '\u{202E}' {
            start = Some(at + 1);
        }
    }
    spans.extend(start.map(|from| from..text.len()));
    // What is written from right to left anyway is shown as it would be without.
    spans.retain(|span| !text[span.clone()].iter().copied().any(is_right_to_left));
    spans
}

/// Takes unseen characters out: a blank for each run that stands where blanks should, nothing for the others.
fn blank_out(text: &mut [char], spans: &[Range<usize>]) {
    let blanks: Vec<bool> = (0..spans.len()).map(|at| stands_for_blank(text, spans, at)).collect();
    let letter = |at: Option<usize>, text: &[char]| at.and_then(|at| text.get(at)).is_some_and(|c| c.is_alphanumeric());
    for (span, blank) in spans.iter().zip(blanks) {
        let says = text[span.clone()].iter().any(|c| !c.is_whitespace());
        let in_word = says && !blank && letter(span.start.checked_sub(1), text) && letter(Some(span.end), text);
        for (index, character) in text[span.clone()].iter_mut().enumerate() {
            // Line breaks part paragraphs, whatever their colour; blanks do not part the word that they stand in.
            if !character.is_whitespace() || (in_word && *character == ' ') {
                *character = if blank && index == 0 { ' ' } else { NOTHING };
            }
        }
    }
}

/// Whether a run of unseen characters stands between two words: without it they would be one that is too long.
fn stands_for_blank(text: &[char], spans: &[Range<usize>], at: usize) -> bool {
    let span = &spans[at];
    let letter = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() && !is_east_asian(*c));
    let touches = |at: usize| {
        let near = spans.partition_point(|other| other.end <= at);
        spans.get(near).is_some_and(|other| other.contains(&at))
    };
    if !letter(span.start.checked_sub(1).and_then(|before| text.get(before))) || !letter(text.get(span.end)) {
        return false;
    }
    let seen = |at: &usize| text[*at].is_alphanumeric() && !touches(*at);
    let goes_on = |at: &usize| !text[*at].is_whitespace() && !is_east_asian(text[*at]);
    let before = (0..span.start).rev().take(AROUND).take_while(goes_on).filter(seen).count();
    let after = (span.end..text.len()).take(AROUND).take_while(goes_on).filter(seen).count();
    before + after > LONGEST_WORD
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(text: &str, unseen: &[(u32, u32)]) -> String {
        let mark = |&(start, end): &(u32, u32)| Mark { kind: MarkKind::White, start, end };
        visible(text, &Layout::new(unseen.iter().map(mark).collect())).into_owned()
    }

    #[test]
    fn what_is_unseen_parts_words_only_where_they_would_be_too_long() {
        for (text, unseen, expected) in [
            ("the maxxrsh lies", &[(6, 8)][..], "the marsh lies"),
            ("潮xx汐", &[(1, 3)], "潮汐"),
            ("padding. Seen.", &[(0, 8)], " Seen."),
            (
                "TidalxmarshesxtrapxthexsiltxinxsummerX",
                &[(5, 6), (13, 14), (18, 19), (22, 23), (27, 28), (30, 31)],
                "Tidal marshes trap the silt in summerX",
            ),
        ] {
            assert_eq!(seen(text, unseen).replace(NOTHING, ""), expected, "{text}");
        }
    }

    #[test]
    fn words_that_an_override_turns_round_are_turned_back() {
        let text = "the \u{2066}\u{202E}hsram\u{202C}\u{2069} lies";
        assert_eq!(seen(text, &[]), "the \u{2066}\u{202E}marsh\u{202C}\u{2069} lies");
        assert_eq!(seen("\u{202E}dna eht", &[]), "\u{202E}the and");
    }

    #[test]
    fn signs_that_belong_to_no_word_are_taken_out() {
        for (text, expected) in [
            ("maˑrsh and tiـde", "marsh and tide"),
            ("潮ー汐ー沼泽", "潮汐沼泽"),
            ("潮i汐i沼i泽", "潮汐沼泽"),
            ("コーヒーの時間", "コーヒーの時間"),
            ("取n个样本，k近邻", "取n个样本，k近邻"),
        ] {
            assert_eq!(seen(text, &[]).replace(NOTHING, ""), expected, "{text}");
        }
    }

    #[test]
    fn controls_boxed_letters_and_numbers_of_notes_are_seen_through() {
        for (text, expected) in [
            ("the ma\u{8}rsh\u{7f} and\u{1b} tide", "the marsh and tide"),
            ("the m\u{1F170}rsh and tid\u{1F174}", "the marsh and tide"),
            ("the m\u{1F1E6}rsh and t\u{24A4}de", "the marsh and tide"),
            ("the marsh¹² lies³ where x² and km² are", "the marsh lies where x² and km² are"),
        ] {
            assert_eq!(seen(text, &[]).replace(NOTHING, ""), expected, "{text}");
        }
    }

    #[test]
    fn blanks_and_signs_inside_words_are_taken_out_and_those_between_words_stay() {
        let parted = "the ti\u{a0}dal mar\u{a0}shes tr\u{a0}ap si\u{a0}lt ".repeat(10);
        assert_eq!(seen(&parted, &[]).replace(NOTHING, ""), "the tidal marshes trap silt ".repeat(10));
        let several = "the ti\\_dal mar--shes tr._ap si...lt m@rsh ".repeat(10);
        assert_eq!(seen(&several, &[]).replace(NOTHING, ""), "the tidal marshes trap silt mrsh ".repeat(10));
        let hyphens = "the ti-dal mar·shes tr_ap si.lt ".repeat(10);
        assert_eq!(seen(&hyphens, &[]).replace(NOTHING, ""), "the tidal marshes trap silt ".repeat(10));
        let accents = "le\u{301}s ma\u{302}res de\u{301}pe\u{302}che\u{301} ".repeat(30);
        assert_eq!(seen(&accents, &[]), accents);
        let compounds =
            "a well-known salt-marsh is known as well as any marsh, and salt is its own; it's o'clock ".repeat(30);
        assert_eq!(seen(&compounds, &[]), compounds);
        let between = "Figure\u{a0}three shows a figure, and Figure and three are words. ".repeat(30);
        assert_eq!(seen(&between, &[]), between);
    }

    #[test]
    fn ascii_characters_part_words_as_any_other_does() {
        for c in '\0'..='\u{7f}' {
            let parts = is_odd_blank(c) || !(c.is_alphanumeric() || c.is_whitespace() || c.is_control());
            assert_eq!(may_part(c), parts, "{c:?}");
            assert!(!is_stretcher(c));
        }
    }

    proptest! {
        #[test]
        fn every_character_stays_at_its_place(text in "[a-c \u{202C}-\u{202E}\u{2069}\n潮]{0,60}", spans in proptest::collection::vec((0u32..70, 0u32..9), 0..6)) {
            let spans: Vec<(u32, u32)> = spans.into_iter().map(|(start, length)| (start, start + length)).collect();
            let seen = seen(&text, &spans);
            prop_assert_eq!(seen.chars().count(), text.chars().count());
            let breaks = |text: &str| text.chars().enumerate().filter(|(_, c)| *c == '\n').map(|(at, _)| at).collect::<Vec<_>>();
            prop_assert_eq!(breaks(&seen), breaks(&text));
        }
    }
}
