//! Folding away what a reader does not see.
//!
//! Two texts that read the same should compare the same, however they were typed, scanned or disguised. The steps, each
//! in a file of its own, and why they come in this order:
//!
//! 1. `ignorable`: characters that show nothing are deleted, so that no later step has to look past them.
//! 2. `compose`: NFKC by cluster. Letters have one form from here on (and the oddities of case folding, such as ß, are
//!    resolved, because what they become may compose again). May make blanks, hence before the next step.
//! 3. `white_space`: runs become one blank, line break, or empty line.
//! 4. `hyphenation`: words broken at a line end are joined. Needs the upper and lower case, and single line breaks.
//! 5. `lookalike`: letters of another alphabet that pass for the ones around them. Needs whole words, and upper and
//!    lower case, because В looks like B while в does not look like b. Only the lunate sigma (ϲ) is handled before step 2,
//!    which would make it an ordinary sigma.
//! 6. `marks`: combining marks that decorate letters are dropped.
//! 7. `case`: case folding.
//! 8. `simplified`: traditional characters become simplified ones.
//! 9. `apostrophe`: typographic apostrophes inside words become the typewriter's.
//!
//! Normalising twice changes nothing: no step undoes an earlier one.
//!
//! Most text needs little of this. `stretch` cuts the text where no step looks across; stretches of plain characters
//! take the fast path of `plain`, the rest go through the steps.
//!
//! Another step is a new file with a function over the items of a stretch (`item`), a line in `Steps::run`, a table
//! of cases beside it, and a check that the property tests below know characters it concerns.

mod alphabet;
mod apostrophe;
mod case;
pub(crate) mod compose;
mod hyphenation;
#[doc(hidden)]
pub mod ignorable;
mod item;
mod lookalike;
mod marks;
mod pairs;
mod plain;
mod radicals;
mod simplified;
mod stretch;
#[cfg(test)]
mod tests;
mod twins;
mod white_space;

use self::item::Item;
use self::lookalike::Census;
use self::stretch::{Stretch, stretches};
use super::flag::SCRIPT;
use super::offsets::{OffsetMap, OffsetMapBuilder};
use crate::script::is_han;
use std::cell::OnceCell;

/// A normalised text with the way back to the original.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Normalised {
    /// The normalised text.
    pub text: String,
    /// For each of its characters, where it stood in the original.
    pub offsets: OffsetMap,
}

impl Normalised {
    /// Normalises a text: the module's documentation lists the steps.
    ///
    /// # Panics
    /// If the text has more than `u32::MAX` characters before or after.
    pub fn of(original: &str) -> Self {
        let mut normalised = Normalised::default();
        normalised.refill(original);
        normalised
    }

    /// As [`Normalised::of`], but keeps the memory of what it held before, for many texts one after the other.
    ///
    /// # Panics
    /// As [`Normalised::of`].
    pub fn refill(&mut self, original: &str) {
        normalise_stretches(original, stretches(original), self);
    }
}

/// Normalises a text cut into stretches.
fn normalise_stretches<'a>(
    original: &'a str,
    stretches: impl Iterator<Item = Stretch<'a>>,
    normalised: &mut Normalised,
) {
    let census = OnceCell::new();
    let text = &mut normalised.text;
    text.clear();
    text.reserve(original.len());
    let mut offsets = OffsetMapBuilder::reusing(std::mem::take(&mut normalised.offsets));
    let mut steps = Steps::default();
    for stretch in stretches {
        match stretch {
            Stretch::Plain(plain) => plain::write(plain, text, &mut offsets),
            Stretch::Odd(odd) => {
                let items = steps.run(odd, || census.get_or_init(|| take_census(original)));
                item::write(items, text, &mut offsets);
            }
        }
    }
    normalised.offsets = offsets.finish();
}

/// Counts the words of foreign alphabets in a whole text; plain stretches have none.
fn take_census(original: &str) -> Census {
    let mut census = Census::default();
    let mut steps = Steps::default();
    for stretch in stretches(original) {
        if let Stretch::Odd(odd) = stretch {
            census.count(steps.run_to_words(odd));
        }
    }
    census
}

/// The steps one after the other, with their working memory.
#[derive(Debug, Default)]
struct Steps {
    items: Vec<Item>,
    composed: Vec<Item>,
}

impl Steps {
    /// Runs all steps over a stretch. `census` counts the words of the whole text.
    fn run<'a>(&mut self, stretch: &str, census: impl FnMut() -> &'a Census) -> &[Item] {
        self.run_to_words(stretch);
        let items = &mut self.composed;
        lookalike::undo(items, census);
        marks::drop_decoration(items);
        for item in items.iter_mut() {
            let Some(character) = item.character else {
                continue;
            };
            let folded = case::fold(character);
            if is_han(folded) {
                let simplified = simplified::simplified(folded);
                if simplified != folded && simplified::is_traditional(folded) {
                    item.flags |= SCRIPT;
                }
                item.character = Some(simplified);
            } else {
                item.character = Some(folded);
            }
        }
        apostrophe::straighten(items);
        items
    }

    /// Runs the steps that come before words are looked at.
    fn run_to_words(&mut self, stretch: &str) -> &[Item] {
        self.items.clear();
        self.items.extend(stretch.chars().map(Item::new));
        ignorable::delete(&mut self.items);
        lookalike::undo_lunate_sigmas(&mut self.items);
        compose::compose(&self.items, &mut self.composed);
        white_space::collapse(&mut self.composed);
        hyphenation::join_broken_words(&mut self.composed);
        &self.composed
    }
}
