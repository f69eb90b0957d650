//! Step 1: characters that show nothing are deleted.

use super::alphabet::is_mark;
use super::item::{self, Item, SOFT_HYPHEN};
use crate::flag::ZERO_WIDTH;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, PrependedConcatenationMark};
use icu_properties::{CodePointMapData, CodePointSetData, CodePointSetDataBorrowed};

/// Whether a character has no visible form of its own, by Unicode's properties: what is ignorable by default (zero-width
/// characters, soft hyphen, variation selectors, tags), what formats (bidirectional and interlinear controls) but for the
/// few signs of Arabic and its neighbours that enclose numbers, and what is not assigned, noncharacters among it. Fillers,
/// which show as blanks, and private characters are none.
pub fn is_ignorable(character: char) -> bool {
    const ENCLOSING: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<PrependedConcatenationMark>();
    const DEFAULT: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    if character < '\u{300}' {
        return character == '\u{ad}';
    }
    // OBJECT REPLACEMENT CHARACTER stands for what is not in the text.
    if character == '\u{fffc}' {
        return true;
    }
    match CodePointMapData::<GeneralCategory>::new().get(character) {
        GeneralCategory::Format => !ENCLOSING.contains(character),
        GeneralCategory::Unassigned => true,
        GeneralCategory::NonspacingMark | GeneralCategory::OtherLetter => {
            DEFAULT.contains(character) && !is_filler(character)
        }
        _ => false,
    }
}

/// Whether a character is a letter that shows as a blank: the Hangul fillers.
pub(super) fn is_filler(character: char) -> bool {
    matches!(character, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

/// Whether a letter is of a script whose correct spelling uses invisible characters (joiners in Persian and the
/// scripts of India, direction marks in Hebrew and Arabic, variation selectors in Mongolian).
fn spelt_with_ignorables(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

const NON_JOINER: char = '\u{200c}';

/// Whether fonts join these letters into one sign. German parts them where a word begins inside of another (Auf-lage).
fn is_ligature(previous: char, next: char) -> bool {
    previous == 'f' && matches!(next, 'b' | 'f' | 'h' | 'i' | 'j' | 'k' | 'l' | 't')
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
        let parts_ligature = run == 1
            && items[index].character == Some(NON_JOINER)
            && previous.zip(next).is_some_and(|(previous, next)| is_ligature(previous, next));
        let split = previous.is_some_and(in_word) && next.is_some_and(in_word) && !parts_ligature;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_show_nothing_are_known_by_unicodes_properties() {
        for c in "\u{ad}\u{34f}\u{61c}\u{180e}\u{200b}\u{2066}\u{fe0f}\u{feff}\u{fff9}\u{fffb}\u{fffc}\u{ffff}\u{fdd0}\u{13430}\u{e0001}\u{e01ef}\u{1bca0}".chars() {
            assert!(is_ignorable(c), "{:04x}", c as u32);
        }
        for c in "a é中한ひ\u{301}\u{600}\u{fffd}\u{e000}\u{3164}\u{115f}\u{2800}".chars() {
            assert!(!is_ignorable(c), "{:04x}", c as u32);
        }
    }
}
