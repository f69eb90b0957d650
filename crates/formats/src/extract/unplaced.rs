//! Text of a file that a reader of its format does not take for text, and of which it is not known that nobody sees it.
//!
//! Instructions, long attributes, data of parts that something may show: what of these are sentences, and does not stand in
//! the text as well, is told as not read. So text that is put at a place that this program does not know is no text that was
//! compared.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::wide::is_wide;
use copytrace_text::layout::{LeftOut, Mark, MarkKind};
use copytrace_text::prose::sentences_in;

/// Sentences of fewer letters, all together, are labels, messages and the like, if they are few beside the text: less than one letter for
/// [`FEW_ONE_IN`] of it. In a short text fewer letters are enough, but hardly a sentence has [`FEWEST`]. A Han character counts as two and a
/// half.
pub(super) const LEAST: usize = 400;
pub(super) const FEW_ONE_IN: usize = 25;
const FEWEST: usize = 100;

/// From how many bytes on a piece is looked at only if its words are those of prose: there is a blank for [`BLANK_ONE_IN`] bytes, or most
/// letters are Han, and two of three characters are letters. Programs, data and settings are not, and there may be many of them.
const PIECE: usize = 600;
const BLANK_ONE_IN: usize = 12;

/// Words from which on it shows that some stand more than once, as they do in a text of any language and under any sign for a letter:
/// one in [`REPEATED_ONE_IN`] at least, where a list names each thing once.
const WORDS: usize = 40;
const REPEATED_ONE_IN: usize = 8;

/// The same of Han characters.
const HAN: usize = 100;
const REPEATED_HAN_ONE_IN: usize = 4;

/// How many letters side by side are compared, to find what stands in the text as well; where they are found, it does.
const GRAM: usize = 10;

#[derive(Debug)]
struct Piece {
    /// The character of the text before which it stands.
    at: u32,
    text: String,
    /// Why it is left out if it is no prose; none if it is then no text at all.
    reason: Option<LeftOut>,
    /// Whether it [has the shape of text](has_shape_of_text), as it was added.
    has_shape: bool,
}

/// The pieces of a document, in their order.
#[derive(Debug, Default)]
pub(super) struct Unplaced(Vec<Piece>);

impl Unplaced {
    pub(super) fn add(&mut self, at: u32, text: &str, reason: Option<LeftOut>) {
        if text.trim().is_empty() {
            return;
        }
        let has_shape = has_shape_of_text(text);
        let may_join = |last: &&mut Piece| {
            let is_here = last.at == at && last.reason == reason && !last.has_shape && !has_shape;
            is_here && last.text.len() + text.len() < PIECE
        };
        match self.0.last_mut().filter(may_join) {
            Some(last) => {
                last.text.push(' ');
                last.text.push_str(text);
            }
            None => self.0.push(Piece { at, text: text.to_owned(), reason, has_shape }),
        }
    }

    pub(super) fn append(&mut self, other: Unplaced, moved: impl Fn(u32) -> u32) {
        self.0.extend(other.0.into_iter().map(|piece| Piece { at: moved(piece.at), ..piece }));
    }

    /// What the pieces are, for a document of this text.
    pub(super) fn marks(&self, text: &str) -> Vec<Mark> {
        let mut counts: BTreeMap<(u32, LeftOut), u32> = BTreeMap::new();
        for (piece, unread) in self.0.iter().zip(self.unread(text)) {
            let all = characters(piece.text.chars());
            *counts.entry((piece.at, LeftOut::Unread)).or_default() += unread;
            piece.reason.into_iter().for_each(|reason| *counts.entry((piece.at, reason)).or_default() += all - unread);
        }
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        counts
            .map(|((at, reason), count)| Mark { kind: MarkKind::LeftOut(reason, count), start: at, end: at })
            .collect()
    }

    /// The characters of each piece that are sentences and not in the text.
    fn unread(&self, text: &str) -> Vec<u32> {
        let mut unread = vec![0; self.0.len()];
        let may_be = |piece: &Piece| piece.has_shape || may_be_prose(&piece.text);
        let likely: Vec<usize> = (0..self.0.len()).filter(|at| may_be(&self.0[*at])).collect();
        let sum: usize = likely.iter().map(|at| letters(&self.0[*at].text)).sum();
        if sum < FEWEST {
            return unread;
        }
        let least = (letters(text) / FEW_ONE_IN).clamp(FEWEST, LEAST);
        if sum < least {
            return unread;
        }
        let all: Vec<(usize, char)> = likely
            .iter()
            .flat_map(|at| self.0[*at].text.chars().chain(['\n']).map(|character| (*at, character)))
            .collect();
        let joined: String = all.iter().map(|(_, character)| *character).collect();
        let mut spans = sentences_in(&joined);
        let mut start = 0;
        for at in likely {
            let end = start + self.0[at].text.chars().count() as u32 + 1;
            if self.0[at].has_shape {
                spans.retain(|span| span.end <= start || span.start >= end);
                spans.push(start..end);
            }
            start = end;
        }
        let of = |span: &std::ops::Range<u32>| all.get(span.start as usize..span.end as usize).unwrap_or_default();
        if !spans.is_empty() {
            let known = Known::of(text);
            spans.retain(|span| !known.holds(of(span).iter().map(|(_, character)| *character)));
        }
        let sum: usize = spans.iter().flat_map(of).map(|(_, character)| weight(*character)).sum();
        if sum / 2 >= least {
            for (at, _) in spans.iter().flat_map(of).filter(|(_, character)| !character.is_whitespace()) {
                unread[*at] += 1;
            }
        }
        unread
    }
}

/// What stands in a text, by letters side by side.
pub(super) struct Known {
    grams: Vec<u64>,
    letters: String,
}

impl Known {
    pub(super) fn of(text: &str) -> Self {
        let mut grams: Vec<u64> = grams(text.chars()).collect();
        grams.sort_unstable();
        Self { grams, letters: bare(text.chars()).collect() }
    }

    /// Whether half of the letters that stand side by side do in the text, or all of a few.
    pub(super) fn holds(&self, text: impl Iterator<Item = char>) -> bool {
        let text: String = bare(text).collect();
        let (mut there, mut count) = (0, 0);
        grams(text.chars()).for_each(|gram| {
            (there, count) = (there + usize::from(self.grams.binary_search(&gram).is_ok()), count + 1);
        });
        if count == 0 { self.letters.contains(&text) } else { 2 * there >= count }
    }
}

fn characters(text: impl Iterator<Item = char>) -> u32 {
    text.filter(|character| !character.is_whitespace()).count() as u32
}

/// Twice the letters that a character counts as.
fn weight(character: char) -> usize {
    match character {
        wide if is_wide(wide) => 5,
        letter if letter.is_alphabetic() => 2,
        _ => 0,
    }
}

/// The letters of a text, of which a Han character counts as two and a half.
pub(super) fn letters(text: &str) -> usize {
    text.chars().map(weight).sum::<usize>() / 2
}

fn may_be_prose(text: &str) -> bool {
    if text.len() < PIECE {
        return true;
    }
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let blanks = text.bytes().filter(u8::is_ascii_whitespace).count();
    let is_wordy = BLANK_ONE_IN * blanks >= text.len()
        || 2 * text.chars().filter(|character| is_wide(*character)).count() > letters;
    is_wordy && 3 * letters >= 2 * characters(text.chars()) as usize
}

/// Whether words, or Han characters, stand in a text as often as they do in sentences, whatever the words are: one that is written backwards
/// or with other letters is no language, and yet a text.
fn has_shape_of_text(text: &str) -> bool {
    // Most strings are so short that nothing needs to be counted.
    if text.len() < 2 * WORDS {
        return false;
    }
    let han: Vec<char> = text.chars().filter(|character| is_wide(*character)).collect();
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    if 2 * han.len() > letters {
        let distinct: HashSet<&char> = han.iter().collect();
        return han.len() >= HAN && (han.len() - distinct.len()) * REPEATED_HAN_ONE_IN >= han.len();
    }
    let is_word = |word: &&str| word.chars().all(char::is_alphabetic);
    let tokens: Vec<&str> = text.split_whitespace().filter(|token| token.contains(char::is_alphabetic)).collect();
    let inner = tokens.iter().map(|token| token.trim_matches(|c: char| !c.is_alphabetic()));
    let words: Vec<&str> = inner.filter(is_word).collect();
    let distinct: HashSet<&&str> = words.iter().collect();
    let length: usize = words.iter().map(|word| word.chars().count()).sum();
    words.len() >= WORDS
        && 5 * words.len() >= 4 * tokens.len()
        && (words.len() - distinct.len()) * REPEATED_ONE_IN >= words.len()
        && (2 * words.len()..10 * words.len()).contains(&length)
        && 4 * letters >= 3 * characters(text.chars()) as usize
}

/// The letters and figures, small ones.
fn bare(text: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    text.filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Hashes of the letters that stand side by side, whatever stands between them.
fn grams(text: impl Iterator<Item = char>) -> impl Iterator<Item = u64> {
    let letters: Vec<char> = bare(text).collect();
    (0..(letters.len() + 1).saturating_sub(GRAM)).map(move |at| {
        let mut hasher = DefaultHasher::new();
        letters[at..at + GRAM].hash(&mut hasher);
        hasher.finish()
    })
}
