//! What the steps work on: the characters of one stretch of text, each with its origin.

use crate::flag::DISGUISE;
use crate::offsets::OffsetMapBuilder;

/// Marks a deleted soft hyphen in [`Item::flags`], for the step that joins words broken at line ends.
pub(super) const SOFT_HYPHEN: u8 = 1 << 7;

/// One character on its way from the original to the normalised text.
///
/// Every original character is an item for as long as it is worked on: deleting it empties `character`, and a
/// character that becomes several gets further items with `original` false behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    /// The character as it is by now; none if it was deleted.
    pub(super) character: Option<char>,
    /// Whether the item stands for an original character.
    pub(super) original: bool,
    /// Whether it forms one piece of the offset map with the item before.
    pub(super) joined: bool,
    /// Bits of `flag` for the disguises undone here, and [`SOFT_HYPHEN`].
    pub(super) flags: u8,
}

impl Item {
    /// An untouched original character.
    pub(super) fn new(character: char) -> Self {
        Self { character: Some(character), original: true, joined: false, flags: 0 }
    }
}

/// Makes the items from `first` to `last` one piece of the offset map.
pub(super) fn join(items: &mut [Item], first: usize, last: usize) {
    for item in &mut items[first + 1..=last] {
        item.joined = true;
    }
}

/// The items of a text that no step has worked on.
#[cfg(test)]
pub(super) fn items_of(text: &str) -> Vec<Item> {
    text.chars().map(Item::new).collect()
}

/// The text that items have by now.
#[cfg(test)]
pub(super) fn text_of(items: &[Item]) -> String {
    items.iter().filter_map(|item| item.character).collect()
}

/// The nearest item before `index` that still has a character, with that character.
pub(super) fn before(items: &[Item], index: usize) -> Option<(usize, char)> {
    (0..index).rev().find_map(|at| items[at].character.map(|character| (at, character)))
}

/// The nearest item from `index` on that still has a character, with that character.
pub(super) fn from(items: &[Item], index: usize) -> Option<(usize, char)> {
    (index..items.len()).find_map(|at| items[at].character.map(|character| (at, character)))
}

/// Appends finished items to the normalised text and its map.
pub(super) fn write(items: &[Item], text: &mut String, offsets: &mut OffsetMapBuilder) {
    text.extend(items.iter().filter_map(|item| item.character));
    let mut rest = items;
    while !rest.is_empty() {
        let len = 1 + rest[1..].iter().take_while(|item| item.joined).count();
        let (piece, after) = rest.split_at(len);
        let original = piece.iter().filter(|item| item.original).count();
        let normalised = piece.iter().filter(|item| item.character.is_some()).count();
        let flags = piece.iter().fold(0, |bits, item| bits | item.flags);
        offsets.odd(original, normalised, flags & DISGUISE);
        rest = after;
    }
}
