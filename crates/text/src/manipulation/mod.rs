//! Signs that a text was made to deceive a program: what a reader does not see, or sees differently.
//!
//! A flag is a hint for a person. It stands for something that a reader cannot see and that changes what is compared, says
//! where and how much, and is raised only where so much text is concerned that it could change a ratio: a single odd letter,
//! the letters of a formula or the labels of a figure are none.

mod disguises;
mod spelling;
mod unseen;

use super::layout::{Layout, MarkKind};
use super::structure::{Claim, Structure, Verdict};
use super::tally::Tally;
use super::units::Units;
use crate::legibility::Legibility;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What kind of sign it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// Zero-width characters inside words.
    ZeroWidth,
    /// Letters of another alphabet that look like the ones they replace.
    LookAlike,
    /// Words of two alphabets that are not explained by look-alikes.
    MixedScript,
    /// So many replaced letters that it cannot be chance; over the whole text.
    ReplacedLetters,
    /// Text in the colour of its ground.
    WhiteText,
    /// Text too small to be read.
    TinyText,
    /// Text that the format does not show.
    HiddenText,
    /// A picture, or a page without text among others.
    Picture,
    /// White space of unusual kinds, or between the letters of words.
    WhiteSpace,
    /// Text that is drawn where or so that nobody sees it.
    UnseenText,
    /// Letters whose direction is overridden.
    Direction,
    /// Words without blanks between them, or blanks inside words, all over a part of the text.
    WordLength,
    /// Signs between letters that belong to no word.
    OddLetters,
    /// Pages whose characters are not those that are seen.
    TextLayer,
    /// Pages whose picture shows far more text than there is.
    TextPicture,
    /// Text of which could not be found out whether it is seen.
    NotJudged,
    /// So much of the text as references, contents and the like that a person should look.
    LargePart,
    /// A passage found elsewhere in a part that does not count.
    CopiedPart,
    /// Much of the file is not in the text.
    LeftOut,
    /// Much of the text stands in others in runs that are too short to be passages.
    Mosaic,
}

impl FlagKind {
    /// The word that stands for it in a CSV file.
    pub fn as_str(self) -> &'static str {
        match self {
            FlagKind::ZeroWidth => "zero_width",
            FlagKind::LookAlike => "look_alike",
            FlagKind::MixedScript => "mixed_script",
            FlagKind::ReplacedLetters => "replaced_letters",
            FlagKind::WhiteText => "white_text",
            FlagKind::TinyText => "tiny_text",
            FlagKind::HiddenText => "hidden_text",
            FlagKind::Picture => "picture",
            FlagKind::WhiteSpace => "white_space",
            FlagKind::UnseenText => "unseen_text",
            FlagKind::Direction => "direction",
            FlagKind::WordLength => "word_length",
            FlagKind::OddLetters => "odd_letters",
            FlagKind::TextLayer => "text_layer",
            FlagKind::TextPicture => "text_picture",
            FlagKind::NotJudged => "not_judged",
            FlagKind::LargePart => "large_part",
            FlagKind::CopiedPart => "copied_part",
            FlagKind::LeftOut => "left_out",
            FlagKind::Mosaic => "mosaic",
        }
    }

    /// What was found, in a sentence for a person.
    pub fn explanation(self) -> &'static str {
        match self {
            FlagKind::ZeroWidth => "words containing invisible characters; text copied from web pages may contain some",
            FlagKind::LookAlike => "words containing letters of another alphabet that look like the right ones",
            FlagKind::MixedScript => "words that mix two alphabets; formulas and names of species may do so too",
            FlagKind::ReplacedLetters => {
                "words with replaced or misspelt letters throughout the text, more than chance would give"
            }
            FlagKind::WhiteText => "characters in the same colour as their background; left out of the text",
            FlagKind::TinyText => "characters set smaller than four points; left out of the text",
            FlagKind::HiddenText => "characters formatted as hidden; left out of the text",
            FlagKind::Picture => "pictures, whose text (if any) is not compared, or PDF pages without any text",
            FlagKind::WhiteSpace => "spaces of unusual kinds, or between the letters of words",
            FlagKind::UnseenText => "characters placed or drawn so that no reader sees them; left out of the text",
            FlagKind::Direction => "characters reversed by a direction control; compared in the order a reader sees",
            FlagKind::WordLength => {
                "words far longer or shorter than in any language: spaces are missing or were inserted"
            }
            FlagKind::OddLetters => "signs between letters that belong to no word; compared without them",
            FlagKind::TextLayer => {
                "characters other than those a reader sees, as of a font without a character map: needs OCR"
            }
            FlagKind::TextPicture => "characters on pages whose image shows far more text than was compared: needs OCR",
            FlagKind::NotJudged => "characters that a reader may or may not see",
            FlagKind::LargePart => "characters left out as references, contents and the like: more than usual",
            FlagKind::CopiedPart => "characters that match other texts, in parts left out of the ratios",
            FlagKind::LeftOut => "characters of the file that are not in the text, such as parts not read",
            FlagKind::Mosaic => "characters in runs of a few words also found in other texts, each too short to count",
        }
    }
}

/// A sign of manipulation. Offsets are characters of the extracted text, the end exclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// What it is.
    pub kind: FlagKind,
    /// Where it starts.
    pub start: u32,
    /// Where it ends; the start, for what is not in the text.
    pub end: u32,
    /// How many words, characters or pictures it is about, as the explanation says.
    pub count: u32,
}

/// Signs of one kind within so many characters of each other are one flag.
const NEAR: u32 = 500;

/// Signs of a kind are shown when the words they are in are one character in so many of the text.
const CONCERNED_ONE_IN: u64 = 300;

/// All flags of a text, by kind and place. `units` are those of the text as it is seen.
pub fn find(text: &str, layout: &Layout, structure: &Structure, units: &Units) -> Vec<Flag> {
    let characters: Vec<char> = text.chars().collect();
    let mut signs = Signs::new(&characters);
    unseen::find(&characters, layout, &mut signs);
    disguises::find(&characters, units, &mut signs);
    spelling::find(&characters, &mut signs);
    for claim in &structure.claims {
        if let Claim { verdict: Verdict::Unusual, start, end, .. } = *claim {
            signs.add(FlagKind::LargePart, start..end, signs.countable(&(start..end)));
        }
    }
    text_layer(layout, &characters, &mut signs);
    signs.finish()
}

/// A word has so many letters: one that is not known spoils it.
const LETTERS_OF_WORD: u64 = 5;

/// Pages that cannot be read, if they are one character in so many of the text.
const ILLEGIBLE_ONE_IN: u64 = 50;

/// Pages that are drawn otherwise than they are written, and letters of words that are not known.
fn text_layer(layout: &Layout, characters: &[char], signs: &mut Signs) {
    let unknown = |at: &usize| characters[*at] == char::REPLACEMENT_CHARACTER;
    let unknown: Vec<(Range<u32>, u32)> =
        (0..characters.len()).filter(unknown).map(|at| (at as u32..at as u32 + 1, 1)).collect();
    let spoilt = LETTERS_OF_WORD * unknown.len() as u64;
    let legibility = Legibility::of_characters(characters, layout);
    let pages = legibility.illegible.iter().map(|page| (page.clone(), page.end - page.start));
    let of_pages: u64 = pages.clone().map(|(_, count)| u64::from(count)).sum();
    let contradicted = layout.of(MarkKind::Contradicted).map(|mark| mark.start..mark.end);
    let mut found: Vec<(Range<u32>, u32)> =
        contradicted.map(|span| (span.clone(), signs.countable(&span).max(1))).collect();
    if of_pages * ILLEGIBLE_ONE_IN >= characters.len() as u64 {
        found.extend(pages);
    }
    if spoilt * CONCERNED_ONE_IN >= characters.len() as u64 {
        found.extend(unknown);
    }
    found.sort_by_key(|(span, _)| (span.start, span.end));
    found.into_iter().for_each(|(span, count)| signs.add(FlagKind::TextLayer, span, count));
}

/// Signs as they are found, neighbours of one kind joined.
struct Signs {
    flags: Vec<Flag>,
    /// Letters, digits and the like.
    countable: Tally,
}

impl Signs {
    fn new(text: &[char]) -> Self {
        Signs { flags: Vec::new(), countable: text.iter().map(|c| c.is_alphanumeric()).collect() }
    }

    /// Countable characters within a span.
    fn countable(&self, span: &Range<u32>) -> u32 {
        self.countable.within(span)
    }

    /// Signs of one kind must come in the order of their places.
    fn add(&mut self, kind: FlagKind, span: Range<u32>, count: u32) {
        let last = self.flags.iter_mut().rev().find(|flag| flag.kind == kind);
        match last.filter(|flag| span.start <= flag.end.saturating_add(NEAR)) {
            Some(flag) => {
                flag.end = flag.end.max(span.end);
                flag.count = flag.count.saturating_add(count);
            }
            None => self.flags.push(Flag { kind, start: span.start, end: span.end, count }),
        }
    }

    /// Adds the signs of one kind, each with its place and count, if enough of the text is concerned. `concerned` are the
    /// countable characters that the signs change.
    fn add_if_many(&mut self, kind: FlagKind, found: Vec<(Range<u32>, u32)>, concerned: u64) -> bool {
        let all = u64::from(self.countable.all());
        let many = concerned > 0 && concerned * CONCERNED_ONE_IN >= all;
        for (span, count) in found.into_iter().filter(|_| many) {
            self.add(kind, span, count);
        }
        many
    }

    fn finish(mut self) -> Vec<Flag> {
        self.flags.sort_by_key(|flag| (flag.kind, flag.start, flag.end));
        self.flags
    }
}

#[cfg(test)]
mod tests;
