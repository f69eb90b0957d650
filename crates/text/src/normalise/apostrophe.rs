//! Step 9: the apostrophe inside a word is the typewriter's (') however it was typed.
//!
//! Words keep their apostrophe (don't), so its form would make two words of one. Elsewhere the same characters are
//! quotation marks, and stay.

use super::alphabet::Alphabet;
use super::item::{self, Item};

/// Whether a character is used as an apostrophe, besides the typewriter's own.
pub(super) fn is_curly(character: char) -> bool {
    matches!(character, '‘' | '’' | '‛' | 'ʼ')
}

/// Straightens every curly apostrophe between two letters of an alphabet that has look-alikes (so not between Han
/// characters).
pub(super) fn straighten(items: &mut [Item]) {
    let is_letter = |beside: Option<(usize, char)>| beside.is_some_and(|(_, letter)| Alphabet::of(letter).is_some());
    for index in 0..items.len() {
        if items[index].character.is_some_and(is_curly)
            && is_letter(item::before(items, index))
            && is_letter(item::from(items, index + 1))
        {
            items[index].character = Some('\'');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::item::{items_of, text_of};
    use super::*;

    #[test]
    fn apostrophes_are_straightened_and_quotation_marks_are_not() {
        for (text, expected) in [
            ("don’t", "don't"),
            ("o‘clock", "o'clock"),
            ("donʼt", "don't"),
            ("об’єкт", "об'єкт"),
            ("‘quoted’ text", "‘quoted’ text"),
            ("the students’ union", "the students’ union"),
            ("他说‘好’了", "他说‘好’了"),
            ("’", "’"),
        ] {
            let mut items = items_of(text);
            straighten(&mut items);
            let straight = text_of(&items);
            assert_eq!(straight, expected);
        }
    }
}
