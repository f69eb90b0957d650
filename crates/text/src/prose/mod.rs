//! How much of a text was compared *as language*, and why the rest was not.
//!
//! A copy ratio says nothing of text that no comparison could have found: formulas, tables of figures, pictures, and words that
//! were spoilt so that they meet no other text. So everything a reader sees is either compared as language or stands under a
//! [`Cause`]. What the format knows comes as marks of the [layout](crate::layout) (`marks`); all else is judged from the text,
//! window by window (`windows`, `verdict`), by tables of what words and letters each language has (`spelling`, `english`, `han`).
//! No trick is known by name: text counts as language because it is like honest prose, not because it is like no trick.
//!
//! Text that could not be compared as language is not by itself a sign of manipulation. A thesis on phonetics has phonetic writing.

mod cells;
mod counts;
pub(crate) mod english;
mod han;
mod language;
// For harvesting, which leaves out what is in another language.
#[doc(hidden)]
pub use language::{language_of, languages_told};
mod marks;
mod pictures;
mod scripts;
mod signs;
mod verdict;
mod windows;

use crate::document::Document;
use crate::layout::Layout;
use crate::normalise::Normalised;
use crate::ranges::{union, without};
use crate::restore;
use crate::structure::Structure;
use crate::units::{Segmenter, Units};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The least share of a text for which words are restored: a page in fifty. Chosen by hand; honest theses have less that can be.
const LEAST_SPOILT: f64 = 0.02;

/// Why text that a reader sees was not compared as language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Formulas.
    Formulas,
    /// Listings of programs.
    Code,
    /// Tables of numbers.
    Figures,
    /// Letters of no language's usual spelling: phonetic writing, historic scripts, words of several alphabets.
    OtherAlphabet,
    /// Pictures that show text.
    PicturesWithText,
    /// Parts of the work that were not there to be read.
    UnresolvedInput,
    /// Text of which could not be found out what a reader sees.
    Unjudged,
    /// What no model of a language takes for language.
    NoLanguage,
}

impl Cause {
    /// All causes, in the order in which reports give them.
    pub const ALL: [Cause; 8] = [
        Cause::Formulas,
        Cause::Code,
        Cause::Figures,
        Cause::OtherAlphabet,
        Cause::PicturesWithText,
        Cause::UnresolvedInput,
        Cause::Unjudged,
        Cause::NoLanguage,
    ];

    /// The code that stands for it in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::Formulas => "formulas",
            Cause::Code => "code",
            Cause::Figures => "figures",
            Cause::OtherAlphabet => "other-alphabet",
            Cause::PicturesWithText => "pictures-with-text",
            Cause::UnresolvedInput => "unresolved-input",
            Cause::Unjudged => "unjudged",
            Cause::NoLanguage => "no-language",
        }
    }
}

/// A part of a text that was not compared as language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotCompared {
    /// Its first character.
    pub start: u32,
    /// Where it ends, exclusive; where it starts, if it is not in the text at all.
    pub end: u32,
    /// Why it was not compared.
    pub cause: Cause,
    /// Its countable characters, as far as they are known: fewer than the span has, where part of that was compared, and more where a
    /// reader sees characters that are not in the text.
    pub count: u32,
}

/// What of a text was compared as language. Headings, lists of references and other parts that do not count are no part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// Countable characters (letters, digits, and signs that words are made of) that a reader sees in the parts that count.
    pub seen: u32,
    /// Those of them that were compared as language.
    pub compared: u32,
    /// Where the others are, and why, in the order of their starts. The counts add up to `seen - compared`.
    pub spans: Vec<NotCompared>,
    /// Letters compared that pass as a language, but as none of those that are known: if its words were spoilt, nothing tells.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Compared {
    /// Judges a text. `seen` is what a reader sees of the document (`Document::visible`), `normalised` what that was normalised to, and
    /// `units` are those of `normalised`; `layout` and `structure` are the document's.
    pub fn of(seen: &str, normalised: &str, layout: &Layout, structure: &Structure, units: &Units) -> Compared {
        let mut marked = marks::Marked::of(seen, layout, structure, units);
        let mut compared = Compared::default();
        let borders = std::mem::take(&mut marked.borders);
        let windows = windows::Windows::of(seen, normalised, units, &borders, |unit| marked.is_judged_by_text(unit));
        let least = LEAST_SPOILT * f64::from(windows.all.iter().map(windows::Window::countable).sum::<u32>());
        let reads_as_english = |places: &[Range<u32>]| {
            let characters: u32 = places.iter().map(|place| place.end - place.start).sum();
            f64::from(characters) >= least && reads_as_english(seen, places)
        };
        let judged = verdict::judge(&windows, reads_as_english);
        compared.unknown = judged.unknown;
        for (window, parts) in windows.all.iter().zip(judged.windows) {
            compared.seen += window.countable();
            for (cause, count) in parts {
                compared.spans.push(NotCompared { start: window.chars.start, end: window.chars.end, cause, count });
            }
        }
        compared.compared = compared.seen - compared.spans.iter().map(|span| span.count).sum::<u32>();
        marked.spans.append(&mut signs::words_of_signs(seen, &marked.characters));
        compared.seen = marked.spans.iter().fold(compared.seen, |sum, span| sum.saturating_add(span.count));
        compared.spans.append(&mut marked.spans);
        compared.spans.sort_by_key(|span| (span.start, span.end, span.cause));
        // Neighbours with one cause are one span. What is not in the text has none that could be found in another.
        compared.spans.dedup_by(|later, first| {
            let are_text = later.start < later.end && first.start < first.end;
            let near = are_text && later.start <= first.end.saturating_add(windows::BETWEEN);
            let joins = later.cause == first.cause && (near || (later.start..later.end) == (first.start..first.end));
            if joins {
                first.end = first.end.max(later.end);
                first.count = first.count.saturating_add(later.count);
            }
            joins
        });
        compared
    }

    /// What a reader sees of the document with the words restored that it was spoilt from, where it is no language; none where there is little of that, or
    /// nothing to restore. Whether the result is language is judged by [`Compared::gains`].
    // For the engine, which compares it besides the text as it stands.
    #[doc(hidden)]
    pub fn restored(&self, document: &Document) -> Option<Normalised> {
        let is_spoilt = |span: &&NotCompared| matches!(span.cause, Cause::NoLanguage | Cause::OtherAlphabet);
        let spoilt = self.spans.iter().filter(is_spoilt).filter(|span| span.start < span.end);
        let count: u32 = spoilt.clone().map(|span| span.count).sum();
        if f64::from(count) < LEAST_SPOILT * f64::from(self.seen) {
            return None;
        }
        restore::restored(
            &Normalised::of(&document.visible()),
            &union(spoilt.map(|span| span.start..span.end).collect()),
        )
    }

    /// Whether much of what this text was restored from is language now.
    #[doc(hidden)]
    pub fn gains(&self, spoilt: &Compared) -> bool {
        f64::from(self.compared) >= f64::from(spoilt.compared) + LEAST_SPOILT * f64::from(spoilt.seen)
    }

    /// The same if what stands in these spans of characters was found in other texts: so it was compared, whatever it looks like. Of a span
    /// that they cover in part its characters are taken to be spread evenly. They are in order and apart.
    // For the engine, which knows what was found.
    #[doc(hidden)]
    pub fn but(mut self, found: &[Range<u32>]) -> Compared {
        for span in &mut self.spans {
            let all = u64::from(span.end - span.start);
            let left: u64 =
                without(&(span.start..span.end), found).iter().map(|left| u64::from(left.end - left.start)).sum();
            if left < all {
                let count = (u64::from(span.count) * left / all) as u32;
                self.compared += span.count - count;
                span.count = count;
            }
        }
        self.spans.retain(|span| span.count > 0);
        self
    }

    /// The share that was compared as language, from 0 to 1; 1 of a text in which there is nothing to see.
    pub fn share(&self) -> f64 {
        if self.seen == 0 { 1.0 } else { f64::from(self.compared) / f64::from(self.seen) }
    }

    /// The countable characters of each cause there is.
    pub fn by_cause(&self) -> BTreeMap<Cause, u32> {
        let mut sums = BTreeMap::new();
        for span in &self.spans {
            let sum: &mut u32 = sums.entry(span.cause).or_default();
            *sum = sum.saturating_add(span.count);
        }
        sums
    }

    /// The share of what a reader sees that was not compared, by cause. With [`Compared::share`] they add up to 1.
    pub fn shares(&self) -> BTreeMap<Cause, f64> {
        let of_cause = |(cause, count)| (cause, f64::from(count) / f64::from(self.seen.max(1)));
        self.by_cause().into_iter().map(of_cause).collect()
    }

    /// The cause of most of what was not compared.
    pub fn main_cause(&self) -> Option<Cause> {
        self.by_cause().into_iter().max_by_key(|(_, count)| *count).map(|(cause, _)| cause)
    }
}
/// The places of a text, in characters, that are sentences of some language: lists, names, programs and settings are none.
// For the formats, which look for prose in what they do not read.
#[doc(hidden)]
pub fn sentences_in(text: &str) -> Vec<Range<u32>> {
    let normalised = Normalised::of(text);
    let units = Segmenter::new().units(&normalised);
    verdict::sentences(&windows::Windows::of(text, &normalised.text, &units, &[], |_| true))
}

/// Whether what stands in these places of a text, in order and apart, is English once the words are restored that it may have been spoilt from.
fn reads_as_english(seen: &str, places: &[Range<u32>]) -> bool {
    let Some(restored) = restore::restored(&Normalised::of(seen), &union(places.to_vec())) else { return false };
    let units = Segmenter::new().units(&restored);
    verdict::are_english(&windows::Windows::of(seen, &restored.text, &units, &[], |_| true), &union(places.to_vec()))
}

#[cfg(test)]
use crate::script::is_han;
#[cfg(test)]
pub(crate) use tests::{HONEST, demo};
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tricks;
