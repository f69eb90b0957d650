//! Which English words there are.

use crate::packed::unpacked;
use crate::units::word_hash;
use std::sync::LazyLock;

/// The stems of English words, from SCOWL (Kevin Atkinson and others), as the first [`BITS`] bits of their hashes.
pub(crate) struct Stems(Vec<u64>);

/// One stem in 400 that is no English word is taken for one.
const BITS: u32 = 24;

impl Stems {
    pub(crate) fn built_in() -> &'static Stems {
        static BUILT_IN: LazyLock<Stems> = LazyLock::new(|| {
            let mut bits = vec![0; 1 << (BITS - 6)];
            for stem in unpacked(include_bytes!("data/english.txt.zst")).lines() {
                let (word, bit) = place(word_hash(stem));
                bits[word] |= bit;
            }
            Stems(bits)
        });
        &BUILT_IN
    }

    /// Whether an English word has this stem, by its hash.
    pub(crate) fn has(&self, stem: u32) -> bool {
        let (word, bit) = place(stem);
        self.0[word] & bit != 0
    }
}

fn place(stem: u32) -> (usize, u64) {
    let place = stem >> (u32::BITS - BITS);
    ((place >> 6) as usize, 1 << (place & 63))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Units;

    #[test]
    fn words_of_english_prose_are_known_in_all_their_forms() {
        let known = |text: &str| {
            Units::from_text(text).stem.iter().map(|stem| Stems::built_in().has(*stem)).collect::<Vec<_>>()
        };
        assert!(
            known("marshes trapped sediments negotiating crystallisation London thermodynamics")
                .into_iter()
                .all(|known| known)
        );
        assert!(!known("morshes tropped sidements nogetiating crustallisation").into_iter().any(|known| known));
    }
}
