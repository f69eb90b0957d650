//! What script a character is of: the one answer for all rooms.
//!
//! Places of a block that Unicode has not assigned yet count as the rest of it, so that a text does not change its units with
//! a new version.

/// Whether a character is a Han ideograph: unified, of an extension, of the compatibility blocks, or 〇.
pub fn is_han(character: char) -> bool {
    is_basic_han(character) || matches!(character, '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '〇')
}

/// Whether a character is a Han ideograph of the basic plane and no compatibility one. All of these are letters.
#[inline]
pub fn is_basic_han(character: char) -> bool {
    is_common_han(character) || matches!(character, '\u{3400}'..='\u{4dbf}')
}

/// Whether a character is of the first block of Han ideographs, which has all but rare ones.
#[inline]
pub fn is_common_han(character: char) -> bool {
    COMMON_HAN.contains(&character)
}

/// The characters of [`is_common_han`].
pub const COMMON_HAN: std::ops::RangeInclusive<char> = '\u{4e00}'..='\u{9fff}';

/// A set of characters of [`COMMON_HAN`], a bit for each.
pub(crate) struct HanSet(Vec<u64>);

impl HanSet {
    /// Of these characters; others than of that block are left out.
    pub(crate) fn of(characters: &str) -> Self {
        let mut bits = vec![0; COMMON_HAN.count().div_ceil(64)];
        for character in characters.chars().filter(|c| is_common_han(*c)) {
            let place = character as usize - *COMMON_HAN.start() as usize;
            bits[place / 64] |= 1 << (place % 64);
        }
        HanSet(bits)
    }

    #[inline]
    pub(crate) fn has(&self, character: char) -> bool {
        let place = (character as usize).wrapping_sub(*COMMON_HAN.start() as usize);
        self.0.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}

/// Whether each character of this script stands for itself: Han, hiragana, and the iteration marks among them.
pub fn is_unit(character: char) -> bool {
    is_han(character) || matches!(character, '々' | '〆' | '\u{3040}'..='\u{309f}')
}

/// Whether a character is of East Asia or of what stands behind its scripts in Unicode: one says as much as two or three
/// letters of an alphabet, and many of these scripts have no capitals and no blanks.
#[inline]
pub fn is_east_asian(character: char) -> bool {
    character >= '\u{2e80}'
}

/// Whether a character is of an East Asian script without blanks, or of its punctuation, so that lines of it are joined
/// without one. Hangul has blanks.
pub fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{312f}' | '\u{31a0}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
        || is_common_han(character)
}

/// Whether a character is a Hangul syllable.
pub fn is_hangul(character: char) -> bool {
    matches!(character, '가'..='힣')
}

/// Whether a character is a Latin letter of some language's usual spelling; those of phonetic writing alone are none.
pub fn is_latin(character: char) -> bool {
    character.is_ascii_alphabetic()
        || (matches!(character, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') && character.is_alphabetic())
}

/// Whether a character is a Greek letter.
pub fn is_greek(character: char) -> bool {
    matches!(character, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}') && character.is_alphabetic()
}

/// Whether a character is a letter of another alphabet than Latin that has letters that look like Latin ones.
pub fn is_other_alphabet(character: char) -> bool {
    let is_of_block = matches!(character, '\u{400}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' | '\u{a4d0}'..='\u{a4ff}'
        | '\u{ab70}'..='\u{abbf}' | '\u{10280}'..='\u{107ff}' | '\u{118a0}'..='\u{118ff}');
    is_greek(character) || is_of_block && character.is_alphabetic()
}

/// Whether a character is of the blocks of arrows and of operators of mathematics and logic.
pub fn is_mathematical(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{22ff}' | '\u{27c0}'..='\u{2aff}')
}

/// Whether a character is of the block of technical signs, which has the pieces of large brackets.
pub fn is_technical(character: char) -> bool {
    matches!(character, '\u{2300}'..='\u{23ff}')
}

/// Whether a character is a letter or a digit, as [`char::is_alphanumeric`] says, for passes over whole texts: of ASCII it is told without a
/// branch that words and blanks take in turn, which no processor guesses, and of Han and its punctuation without the tables.
#[inline]
pub fn is_countable(character: char) -> bool {
    is_of_ascii(character, ASCII_COUNTABLE)
        .unwrap_or_else(|| is_basic_han(character) || !is_punctuation(character) && character.is_alphanumeric())
}

/// Whether a character is a digit or a capital, told as by [`is_countable`].
#[inline]
pub fn is_digit_or_capital(character: char) -> bool {
    is_of_ascii(character, ASCII_DIGITS_AND_CAPITALS).unwrap_or_else(|| {
        !is_basic_han(character) && !is_punctuation(character) && (character.is_numeric() || character.is_uppercase())
    })
}

/// Whether a character is of the stretches of Unicode that have the punctuation of Chinese, and neither letters nor digits.
#[inline]
fn is_punctuation(character: char) -> bool {
    matches!(character, '\u{2010}'..='\u{205e}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}')
}

/// A bit for each character of ASCII.
const ASCII_DIGITS_AND_CAPITALS: u128 = bits(b'0', b'9') | bits(b'A', b'Z');
const ASCII_COUNTABLE: u128 = ASCII_DIGITS_AND_CAPITALS | bits(b'a', b'z');

const fn bits(first: u8, last: u8) -> u128 {
    (u128::MAX >> (127 - (last - first))) << first
}

#[inline]
fn is_of_ascii(character: char, set: u128) -> Option<bool> {
    character.is_ascii().then(|| set >> (character as u32) & 1 == 1)
}

/// Whether a character is of a script that is written from right to left.
pub fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_itself_is_east_asian_and_has_no_blanks_around_it() {
        for character in ('\0'..=char::MAX).filter(|&c| is_unit(c)) {
            assert!(is_east_asian(character) && is_unspaced(character), "{character}");
        }
        for (character, is_one) in
            [('潮', true), ('ひ', true), ('々', true), ('カ', false), ('가', false), ('a', false)]
        {
            assert_eq!(is_unit(character), is_one, "{character}");
        }
    }

    #[test]
    fn letters_digits_and_capitals_are_those_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_countable(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_digit_or_capital(c), c.is_numeric() || c.is_uppercase(), "{c:?}");
        }
    }

    #[test]
    fn a_letter_is_of_one_kind_of_alphabet() {
        for character in '\0'..=char::MAX {
            let kinds = [is_latin(character), is_other_alphabet(character), is_han(character), is_hangul(character)];
            assert!(kinds.iter().filter(|is| **is).count() <= 1, "{character}");
        }
    }
}
