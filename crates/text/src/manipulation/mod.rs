//! Signs that a text was made to deceive a program: what a reader does not see, or sees differently.
//!
//! A flag is a hint for a person. It stands for something that a reader cannot see and that changes what is compared, says
//! where and how much, and is raised only where enough text is concerned to change a ratio: a single odd letter,
//! the letters of a formula or the labels of a figure raise no flag.

mod disguises;
mod kinds;
mod signs;
mod spelling;
mod unseen;

pub use kinds::{Flag, FlagKind};

use super::layout::{Layout, MarkKind};
use super::legibility::Legibility;
use super::structure::{Claim, Structure, Verdict};
use super::units::Units;
use signs::{CONCERNED_ONE_IN, Signs};
use std::ops::Range;

impl Flag {
    /// All flags of a text, by kind and place. `units` are those of the text as it is seen.
    pub fn find_all(text: &str, layout: &Layout, structure: &Structure, units: &Units) -> Vec<Flag> {
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

    /// How many pictures, and pages without text, there are of which nothing is compared. They are no flag.
    // For the engine, which remarks on them.
    #[doc(hidden)]
    pub fn pictures(layout: &Layout) -> usize {
        unseen::pictures(layout)
    }
}

/// The letters of a word, which one that is not known spoils. About the average of English.
const LETTERS_OF_WORD: u64 = 5;

/// Pages that cannot be read are shown if they are one character in fifty of the text. Chosen by hand.
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

#[cfg(test)]
mod tests;
