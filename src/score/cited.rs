//! Titles of what is cited: wording that stands in an entry of references, too.
//!
//! Who names a work in a sentence, or in the cell of a table, has its title in common with everybody who cites it. Names in capitals tell
//! by themselves ([`wording`](super::wording)); titles that are written like sentences do not. But one of the two texts mostly has the entry.

use crate::align::extent::half_words;
use crate::text::char_text::CharText;
use crate::text::ranges::union;
use crate::text::structure::entries;
use crate::text::units::Units;
use ahash::AHashSet;
use std::ops::Range;

/// How many neighbouring words are looked for in entries together: titles have four, and three stand in many texts.
const WINDOW: usize = 4;

/// From how many half words on a row of such words is a title: five words or ten Han characters. Chosen by hand: four are a term.
pub(super) const LEAST: u32 = 10;

/// The entries of a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cited {
    /// Where they stand, in characters.
    pub(super) entries: Vec<Range<u32>>,
    windows: AHashSet<[u32; WINDOW]>,
}

impl Cited {
    /// Of all references in a text, in lists and elsewhere.
    pub(crate) fn of(text: &str) -> Self {
        let entries = union(entries(text));
        if entries.is_empty() {
            return Cited::default();
        }
        let text = CharText::new(text);
        let mut windows = AHashSet::new();
        for entry in &entries {
            let units = Units::from_text(text.slice(entry));
            windows.extend(windows_of(&units.hash));
        }
        Cited { entries, windows }
    }

    /// What of a range of units the entries have, in order and apart.
    pub(crate) fn titles(&self, units: &Units, range: &Range<u32>) -> Vec<Range<u32>> {
        if self.windows.is_empty() {
            return Vec::new();
        }
        let windows = (range.start..).zip(windows_of(&units.hash[range.start as usize..range.end as usize]));
        let found = windows.filter(|(_, window)| self.windows.contains(window));
        let mut rows = union(found.map(|(at, _)| at..at + WINDOW as u32).collect());
        rows.retain(|row| {
            let length: u32 = units.flags[row.start as usize..row.end as usize].iter().map(half_words).sum();
            length >= LEAST
        });
        rows
    }
}

fn windows_of(words: &[u32]) -> impl Iterator<Item = [u32; WINDOW]> {
    words.windows(WINDOW).filter_map(|window| window.try_into().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_what_an_entry_has_and_a_term_is_none() {
        let text = "The marsh grows.\n\nClerk, A. (1999). A new measure of silt in northern marshes. Annals of Tides, 12(3), 34-45. It was of use.";
        let cited = Cited::of(text);
        let found = |text: &str| {
            let units = Units::from_text(text);
            let titles = cited.titles(&units, &(0..units.len() as u32));
            titles.into_iter().map(|title| (title.start, title.end)).collect::<Vec<_>>()
        };
        assert_eq!(found("We took A New Measure of Silt in Northern Marshes by Clerk as it is."), [(2, 10)]);
        assert_eq!(found("We took a new measure of mud."), []);
        assert_eq!(found("It was of use. The marsh grows."), []);
        assert!(Cited::of("The marsh grows by a new measure of silt.").windows.is_empty());
    }
}
