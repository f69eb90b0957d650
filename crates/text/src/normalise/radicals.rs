//! Radicals and strokes that stand for the Han character they look like.
//!
//! The Kangxi radicals (U+2F00–2FD5) have compatibility mappings and need no table. The CJK Radicals Supplement and
//! the CJK Strokes have none; Unicode lists their equivalents in `EquivalentUnifiedIdeograph.txt`, from which this
//! table is taken.

use super::pairs::pairs;
use std::sync::LazyLock;

/// The unified ideograph that a radical or stroke looks like; none for everything else.
pub(super) fn ideograph(radical: char) -> Option<char> {
    if !matches!(radical, '\u{2e80}'..='\u{2eff}' | '\u{31c0}'..='\u{31ef}') {
        return None;
    }
    let index = IDEOGRAPHS.binary_search_by_key(&radical, |&(radical, _)| radical).ok()?;
    Some(IDEOGRAPHS[index].1)
}

/// Radicals and strokes without a compatibility mapping, sorted, each with its equivalent.
static IDEOGRAPHS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| pairs(include_str!("radicals.txt")).collect());

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::is_nfkc;

    #[test]
    fn radicals_give_the_character_they_look_like() {
        for (radical, character) in [('⺠', '民'), ('⻄', '西'), ('⻩', '黄'), ('⻛', '风'), ('㇐', '一')] {
            assert_eq!(ideograph(radical), Some(character), "{radical}");
        }
        assert_eq!(ideograph('民'), None);
        assert_eq!(ideograph('⺀'), None);
    }

    #[test]
    fn the_table_is_sorted_and_holds_what_compatibility_normalisation_leaves() {
        assert!(IDEOGRAPHS.is_sorted_by(|a, b| a.0 < b.0));
        for &(radical, character) in IDEOGRAPHS.iter() {
            assert!(is_nfkc(radical.encode_utf8(&mut [0; 4])), "{radical}");
            assert!(is_nfkc(character.encode_utf8(&mut [0; 4])), "{character}");
        }
    }
}
