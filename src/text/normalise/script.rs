//! Step 8: traditional Han characters become simplified ones.
//!
//! One character at a time: which of several simplified characters a traditional one stands for (乾 as 干 or 乾) needs
//! the words around it, but for comparing texts it is enough that both sides come out the same.

use super::variants::{SHARED, VARIANTS};
use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use std::sync::LazyLock;

/// The simplified form of each Han character, built once from OpenCC's dictionaries.
pub(super) struct Simplified {
    /// The forms of U+3400–9FFF.
    basic: Vec<char>,
    /// Characters of higher planes that change, sorted, with their forms.
    higher: Vec<(char, char)>,
}

/// The characters the dictionaries know, by code point.
const BASIC: std::ops::Range<u32> = 0x3400..0xa000;
const HIGHER: std::ops::Range<u32> = 0x20000..0x323b0;

static TABLE: LazyLock<Simplified> = LazyLock::new(Simplified::build);

impl Simplified {
    /// The table; the first call builds it.
    pub(super) fn table() -> &'static Self {
        &TABLE
    }

    /// The simplified form of a character; the character itself if it has none.
    pub(super) fn of(&self, character: char) -> char {
        let code = character as u32;
        if BASIC.contains(&code) {
            self.basic[(code - BASIC.start) as usize]
        } else if HIGHER.contains(&code) {
            match self
                .higher
                .binary_search_by_key(&character, |&(from, _)| from)
            {
                Ok(index) => self.higher[index].1,
                Err(_) => character,
            }
        } else {
            character
        }
    }

    fn build() -> Self {
        let mut table = Self {
            basic: BASIC.filter_map(char::from_u32).collect(),
            higher: Vec::new(),
        };
        // The dictionaries are compiled into the crate, so loading them cannot fail.
        if let Ok(converter) = OpenCC::from_config(BuiltinConfig::T2s) {
            for character in BASIC.chain(HIGHER).filter_map(char::from_u32) {
                table.add(
                    character,
                    &converter.convert(character.encode_utf8(&mut [0; 4])),
                );
            }
        }
        for &(from, to) in VARIANTS.iter().chain(SHARED) {
            table.add(from, to.encode_utf8(&mut [0; 4]));
        }
        table.close();
        table
    }

    /// Adds a form if it is one character.
    fn add(&mut self, from: char, to: &str) {
        let mut characters = to.chars();
        let (Some(to), None) = (characters.next(), characters.next()) else {
            return;
        };
        if to == from {
            return;
        }
        if BASIC.contains(&(from as u32)) {
            self.basic[(from as u32 - BASIC.start) as usize] = to;
        } else {
            self.higher.push((from, to));
        }
    }

    /// Follows every chain of forms to its end, so that folding twice is folding once.
    fn close(&mut self) {
        self.higher.sort_unstable();
        let end = |table: &Self, mut character: char| {
            // A chain has few links; the limit ends circles, should a dictionary ever have one.
            for _ in 0..4 {
                character = table.of(character);
            }
            character
        };
        let basic = self.basic.iter().map(|&to| end(self, to)).collect();
        let higher = self
            .higher
            .iter()
            .map(|&(from, to)| (from, end(self, to)))
            .collect();
        (self.basic, self.higher) = (basic, higher);
    }
}

/// Whether a character that [`Simplified::of`] changes is not simplified script: the change undoes a disguise.
pub(super) fn is_traditional(character: char) -> bool {
    SHARED
        .binary_search_by_key(&character, |&(from, _)| from)
        .is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::is_nfkc;

    #[test]
    fn characters_take_their_simplified_form() {
        let table = Simplified::table();
        for (from, to) in [
            ('漢', '汉'),
            ('體', '体'),
            ('後', '后'),
            ('乾', '干'),
            ('汉', '汉'),
            ('諮', '咨'),
            ('谘', '咨'),
            ('幷', '并'),
            ('衞', '卫'),
            ('覆', '复'),
            ('複', '复'),
            ('么', '么'),
            ('抬', '抬'),
            ('𠌥', '𠆿'),
            ('a', 'a'),
            ('〇', '〇'),
        ] {
            assert_eq!(table.of(from), to, "{from}");
        }
    }

    #[test]
    fn folding_twice_is_folding_once_and_gives_composed_characters() {
        let table = Simplified::table();
        for character in BASIC.chain(HIGHER).filter_map(char::from_u32) {
            let folded = table.of(character);
            assert_eq!(table.of(folded), folded, "{character}");
            assert!(
                folded == character || is_nfkc(folded.encode_utf8(&mut [0; 4])),
                "{character}"
            );
        }
    }

    #[test]
    fn what_simplified_writing_keeps_is_not_called_traditional() {
        assert!(is_traditional('漢'));
        assert!(is_traditional('幷'));
        assert!(!is_traditional('覆'));
        assert!(!is_traditional('著'));
    }
}
