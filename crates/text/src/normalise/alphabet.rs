//! Which alphabet a letter belongs to, as far as the steps need to know.

use std::sync::LazyLock;

/// The alphabets whose letters are taken for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
    Lisu,
}

impl Alphabet {
    /// The alphabets other than Latin, in the order of [`Alphabet::foreign_index`].
    pub(super) const FOREIGN: [Self; 5] = [Self::Greek, Self::Cyrillic, Self::Armenian, Self::Cherokee, Self::Lisu];

    /// The place in [`Alphabet::FOREIGN`]; none for Latin.
    pub(super) fn foreign_index(self) -> Option<usize> {
        Self::FOREIGN.iter().position(|&alphabet| alphabet == self)
    }

    /// The alphabet of a letter; none if it is no letter or of another script.
    ///
    /// By the Script property of Unicode, for letters that compatibility normalisation leaves alone.
    pub(super) fn of(letter: char) -> Option<Self> {
        match letter {
            'A'..='Z' | 'a'..='z' => Some(Self::Latin),
            '\0'..='\u{bf}' => None,
            _ => match LETTERS.get(letter as usize) {
                Some(&alphabet) => alphabet,
                None => Self::look_up(letter),
            },
        }
    }

    fn look_up(letter: char) -> Option<Self> {
        let alphabet = match letter {
            'A'..='Z'
            | 'a'..='z'
            | '\u{c0}'..='\u{2af}'
            | '\u{1d00}'..='\u{1d25}'
            | '\u{1d6b}'..='\u{1d9a}'
            | '\u{1e00}'..='\u{1eff}'
            | '\u{2c60}'..='\u{2c7f}'
            | '\u{a722}'..='\u{a7ff}'
            | '\u{ab30}'..='\u{ab64}' => Self::Latin,
            '\u{370}'..='\u{3e1}' | '\u{3f0}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69b}' => {
                Self::Cyrillic
            }
            '\u{531}'..='\u{556}' | '\u{560}'..='\u{588}' => Self::Armenian,
            '\u{13a0}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => Self::Cherokee,
            // The tone letters that follow look like full stops and commas.
            '\u{a4d0}'..='\u{a4f7}' => Self::Lisu,
            _ => return None,
        };
        (letter.is_alphabetic() && !is_mark(letter)).then_some(alphabet)
    }
}

/// [`Alphabet::look_up`] of all characters up to U+1FFF, where most letters are, for speed.
static LETTERS: LazyLock<Vec<Option<Alphabet>>> = LazyLock::new(|| ('\0'..'\u{2000}').map(Alphabet::look_up).collect());

/// Whether a character is a combining mark (General_Category Mn, Mc or Me).
pub(super) fn is_mark(character: char) -> bool {
    character >= '\u{300}' && unicode_normalization::char::is_combining_mark(character)
}

#[cfg(test)]
mod tests {
    use super::super::case;
    use super::*;
    use unicode_normalization::is_nfkc;

    #[test]
    fn letters_belong_to_their_alphabet() {
        for (letter, alphabet) in [
            ('q', Some(Alphabet::Latin)),
            ('Ž', Some(Alphabet::Latin)),
            ('ɑ', Some(Alphabet::Latin)),
            ('ш', Some(Alphabet::Cyrillic)),
            ('ѐ', Some(Alphabet::Cyrillic)),
            ('Ω', Some(Alphabet::Greek)),
            ('ῃ', Some(Alphabet::Greek)),
            ('ժ', Some(Alphabet::Armenian)),
            ('1', None),
            ('-', None),
            ('×', None),
            ('中', None),
            ('ひ', None),
            ('\u{301}', None),
            ('\u{483}', None),
        ] {
            assert_eq!(Alphabet::of(letter), alphabet, "{letter}");
        }
    }

    #[test]
    fn case_folding_keeps_a_letter_in_its_alphabet() {
        for letter in ('\0'..=char::MAX).filter(|&c| case::fold(c) != c && is_nfkc(c.encode_utf8(&mut [0; 4]))) {
            assert_eq!(Alphabet::of(letter), Alphabet::of(case::fold(letter)), "{letter} {:x}", letter as u32);
        }
    }
}
