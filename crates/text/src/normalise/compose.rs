//! Step 2: compatibility composition (NFKC, Unicode Standard Annex #15), cluster by cluster.
//!
//! A cluster is a character with all that can combine with it. NFKC of the clusters one by one is NFKC of the whole
//! text, which keeps the pieces of the offset map short.

use super::item::Item;
use super::{case, radicals};
use crate::flag::LOOKALIKE;
use crate::script::{is_countable, is_han};
use std::sync::LazyLock;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Composes the characters of all clusters.
///
/// Foldings to several characters (ß to ss) are made here too, for they can compose anew. A cluster that changes
/// becomes one piece of the offset map; one that stays as it is stays one piece for each character.
pub(super) fn compose(items: &[Item], composed: &mut Vec<Item>) {
    composed.clear();
    let mut rest = items;
    while let Some(first) = rest.first() {
        let Some(character) = first.character else {
            composed.push(*first);
            rest = &rest[1..];
            continue;
        };
        let len = cluster_len(rest);
        let (cluster, after) = rest.split_at(len);
        rest = after;
        if len == 1 && Traits::of(character).unchanged {
            composed.push(*first);
        } else {
            compose_cluster(cluster, composed);
        }
    }
}

/// Whether nothing before a character can ever combine with it: its full compatibility decomposition starts with a
/// starter that composes with no character before it.
pub(super) fn starts_cluster(character: char) -> bool {
    Traits::of(character).starts_cluster
}

/// Whether a cluster of this character alone stays as it is.
pub(super) fn stays_alone(character: char) -> bool {
    Traits::of(character).unchanged
}

/// The number of items in the cluster that the first item starts.
fn cluster_len(items: &[Item]) -> usize {
    let mut len = 1;
    for (index, item) in items.iter().enumerate().skip(1) {
        match item.character {
            // What was deleted belongs to the cluster only if the cluster goes on behind it.
            None => {}
            Some(character) if Traits::of(character).starts_cluster => break,
            Some(_) => len = index + 1,
        }
    }
    len
}

fn compose_cluster(cluster: &[Item], composed: &mut Vec<Item>) {
    let characters: Vec<char> = cluster.iter().filter_map(|item| item.character).collect();
    let becomes = folded(&characters);
    if becomes == characters {
        composed.extend_from_slice(cluster);
        return;
    }
    let start = composed.len();
    let mut becomes = becomes.into_iter();
    for item in cluster {
        let disguised = item.character.is_some_and(is_disguise);
        composed.push(Item {
            character: becomes.next(),
            joined: true,
            flags: item.flags | if disguised { LOOKALIKE } else { 0 },
            ..*item
        });
    }
    composed.extend(becomes.map(|character| Item {
        character: Some(character),
        original: false,
        joined: true,
        flags: 0,
    }));
    composed[start].joined = false;
}

/// Whether a sign stands for letters or digits: a radical, a number in a circle.
pub(crate) fn stands_for_letters(sign: char) -> bool {
    let mut found = radicals::ideograph(sign).is_some();
    decompose_compatible(sign, |part| found |= is_countable(part));
    found
}

/// NFKC of one cluster, with radicals as ideographs and foldings to several characters written out.
fn folded(cluster: &[char]) -> Vec<char> {
    let ideographs = cluster.iter().map(|&c| radicals::ideograph(c).unwrap_or(c));
    let mut characters: Vec<char> = ideographs.nfkc().collect();
    // Usually none or one round. What such a folding gives may compose to the same character again (ΐ), which is
    // then left as it is.
    while characters.iter().any(|&c| case::expand(c).is_some()) {
        let mut expanded = Vec::with_capacity(characters.len() + 2);
        for &character in &characters {
            match case::expand(character) {
                Some(several) => expanded.extend(several),
                None => expanded.push(character),
            }
        }
        let next: Vec<char> = expanded.into_iter().nfkc().collect();
        if next == characters {
            break;
        }
        characters = next;
    }
    characters
}

/// Whether a character is another one in disguise: radicals and compatibility forms of Han characters, and the
/// mathematical alphabets. Full-width letters are not; they are ordinary in Chinese text.
fn is_disguise(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{2fdf}' | '\u{31c0}'..='\u{31ef}' | '\u{1d400}'..='\u{1d7ff}')
        || (is_han(character) && matches!(character, '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}'))
}

/// What composition needs to know of a character.
#[derive(Clone, Copy)]
struct Traits {
    /// See [`starts_cluster`].
    starts_cluster: bool,
    /// See [`stays_alone`].
    unchanged: bool,
}

impl Traits {
    fn of(character: char) -> Self {
        match character {
            // ASCII, Han, Hangul syllables, private use: most of all text.
            '\0'..='\u{7f}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{e000}'..='\u{f8ff}' => {
                Self { starts_cluster: true, unchanged: true }
            }
            '\u{80}'..='\u{ffff}' => BASIC_PLANE[character as usize],
            _ => Self::look_up(character),
        }
    }

    fn look_up(character: char) -> Self {
        let mut first = None;
        decompose_compatible(character, |part| {
            first.get_or_insert(part);
        });
        let first = first.unwrap_or(character);
        Self {
            starts_cluster: canonical_combining_class(first) == 0
                && is_nfkc_quick(std::iter::once(first)) != IsNormalized::Maybe,
            unchanged: folded(&[character]) == [character],
        }
    }
}

/// [`Traits::look_up`] of all characters below U+10000 that need it, for speed.
static BASIC_PLANE: LazyLock<Vec<Traits>> = LazyLock::new(|| {
    (0..=0xffff)
        .map(|code| match char::from_u32(code) {
            Some(character) if !matches!(code, 0x3400..=0x9fff | 0xac00..=0xd7a3 | 0xe000..=0xf8ff) => {
                Traits::look_up(character)
            }
            _ => Traits { starts_cluster: true, unchanged: true },
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::super::item::{items_of, text_of};
    use super::*;
    use proptest::prelude::*;

    fn composed(text: &str) -> String {
        let items = items_of(text);
        let mut composed = Vec::new();
        compose(&items, &mut composed);
        text_of(&composed)
    }

    #[test]
    fn clusters_compose() {
        for (text, expected) in [
            ("e\u{301}tude", "étude"),
            ("ﬁne", "fine"),
            ("ＡＢＣ１２３，", "ABC123,"),
            ("Straße", "Strasse"),
            ("İstanbul", "istanbul"),
            ("ΐ", "ΐ"),
            ("ᾳ", "αι"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("か\u{3099}", "が"),
            ("⽂⾔", "文言"),
            ("⺠⻄", "民西"),
            ("㍿", "株式会社"),
            ("…", "..."),
            ("x\u{336}", "x\u{336}"),
        ] {
            assert_eq!(composed(text), expected, "{text}");
        }
    }

    #[test]
    fn a_cluster_that_stays_keeps_a_piece_for_each_character() {
        let items = items_of("x\u{332}\u{338}q\u{301}");
        let mut composed = Vec::new();
        compose(&items, &mut composed);
        assert!(composed.iter().skip(3).all(|item| !item.joined));
    }

    proptest! {
        #[test]
        fn composing_by_cluster_is_composing_the_whole(
            text in "[a-zé\u{300}-\u{345}\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a7}-\u{11c2}가-갛\u{9be}\u{9c7}\u{9d7}か\u{3099}\u{309a}ﬁ①\u{fb1e}-\u{fb30}\u{16d63}-\u{16d6a}\u{1d15e}]{0,12}|\\PC{0,12}"
        ) {
            // Expansions and radicals are this step's own addition to NFKC.
            let ours_alone = |c| case::expand(c).is_some() || radicals::ideograph(c).is_some();
            let whole: String = text.nfkc().collect();
            prop_assume!(!text.chars().chain(whole.chars()).any(ours_alone));
            prop_assert_eq!(composed(&text), whole);
        }
    }
}
