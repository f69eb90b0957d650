//! Step 1: characters that show nothing are deleted.

use super::alphabet::is_mark;
use super::item::{self, Item, SOFT_HYPHEN};
use crate::text::flag::ZERO_WIDTH;

/// Whether a character has no visible form of its own: zero-width characters, soft hyphen, bidirectional
/// controls, variation selectors, Hangul fillers, tags, and the byte-order mark (Unicode's
/// Default_Ignorable_Code_Point).
pub(in crate::text) fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a letter is of a script whose correct spelling uses invisible characters (joiners in Persian and the
/// scripts of India, direction marks in Hebrew and Arabic, variation selectors in Mongolian).
fn spelt_with_ignorables(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Deletes ignorable characters. Those between two letters or digits are flagged, for there they split what a
/// reader sees as one word, unless the script needs them.
pub(super) fn delete(items: &mut [Item]) {
    let in_word = |c: char| (c.is_alphanumeric() || is_mark(c)) && !spelt_with_ignorables(c);
    let mut index = 0;
    while index < items.len() {
        let run = items[index..].iter().take_while(|item| item.character.is_some_and(is_ignorable)).count();
        if run == 0 {
            index += 1;
            continue;
        }
        let previous = item::before(items, index).map(|(_, character)| character);
        let next = item::from(items, index + run).map(|(_, character)| character);
        let split = previous.is_some_and(in_word) && next.is_some_and(in_word);
        for item in &mut items[index..index + run] {
            if item.character == Some('\u{ad}') {
                item.flags |= SOFT_HYPHEN;
            }
            if split {
                item.flags |= ZERO_WIDTH;
            }
            item.character = None;
        }
        index += run;
    }
}
