//! The containment sketch: keys by which a submission finds the sources it shares a passage with, however small a
//! part of either the passage is.
//!
//! A key is the order-free hash of neighbouring content units, kept when its value is 0 modulo m: Broder's MOD_m
//! sketch (On the resemblance and containment of documents, 1997), the sibling of MinHash. Order and stop units do
//! not count and words are stemmed, so that reworded and reordered passages keep many of their keys. Keys carry their
//! positions, because two keys that lie close together in both texts say far more than two anywhere.

use super::settings::settings_table;
use super::{finish, fold};
use crate::text::flag;
use crate::text::units::Units;
use serde::{Deserialize, Serialize};

settings_table! {
    /// What makes a key and which keys are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ContainmentSettings {
        /// Neighbouring content units are taken until their weights add up to this. A Han character weighs 1, a word 2.
        window_weight / with_window_weight: u32 = 4,
        /// Of the keys made of words alone, one in this many is kept.
        keep_words / with_keep_words: u32 = 2,
        /// Of the keys that hold a Han character, one in this many is kept.
        keep_han / with_keep_han: u32 = 2,
        /// How often one key may stand in the sketch of one document, at most; further occurrences are left out.
        repeats / with_repeats: u32 = 4,
    }
}

/// The bits of a key's hash. By chance a key of 40 bits has one holder in 10⁸ documents of 10,000 keys; one of 32 bits 230.
pub const KEY_BITS: u8 = 40;

/// One sampled key and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Value-stable hash, of [`KEY_BITS`] bits.
    pub hash: u64,
    /// The index of its first unit in the text.
    pub position: u32,
}

/// The most units a key can be made of: a window of weight 16 of Han characters.
const LONGEST: usize = 16;

/// The sampled keys of a text, sorted by hash and position.
pub fn keys(units: &Units, settings: &ContainmentSettings) -> Vec<Key> {
    let mut content = Vec::with_capacity(units.len());
    content.extend((0..units.len() as u32).filter(|&unit| units.flags[unit as usize] & flag::STOP == 0));
    let mut keys = Vec::with_capacity(content.len() / settings.keep_words.max(1) as usize + 1);
    let mut members = [0; LONGEST];
    for (first, &position) in content.iter().enumerate() {
        let (mut weight, mut length, mut han) = (0, 0, false);
        for &unit in &content[first..] {
            let single = units.flags[unit as usize] & flag::HAN != 0;
            insert(&mut members, length, units.stem[unit as usize]);
            length += 1;
            han |= single;
            weight += if single { 1 } else { 2 };
            if weight >= settings.window_weight || length == LONGEST {
                break;
            }
        }
        if weight < settings.window_weight {
            break; // the text ends within the window
        }
        let hash = finish(members[..length].iter().fold(length as u64, |state, &stem| fold(state, stem)));
        let keep = u64::from(if han { settings.keep_han } else { settings.keep_words }.max(1));
        if hash.is_multiple_of(keep) {
            keys.push(Key { hash: hash >> (64 - KEY_BITS), position });
        }
    }
    keys.sort_unstable();
    drop_repeats(&mut keys, settings.repeats);
    keys.shrink_to_fit();
    keys
}

/// Inserts a member among the first `length`, which are sorted.
#[inline]
fn insert(members: &mut [u32; LONGEST], length: usize, member: u32) {
    let mut place = length;
    while place > 0 && members[place - 1] > member {
        members[place] = members[place - 1];
        place -= 1;
    }
    members[place] = member;
}

/// Keeps the first `most` of the keys with equal hash. The keys are sorted.
fn drop_repeats(keys: &mut Vec<Key>, most: u32) {
    let (mut last, mut seen) = (None, 0);
    keys.retain(|key| {
        seen = if last == Some(key.hash) { seen + 1 } else { 1 };
        last = Some(key.hash);
        seen <= most
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: ContainmentSettings = ContainmentSettings { window_weight: 4, keep_words: 1, keep_han: 1, repeats: 4 };

    fn hashes(text: &str) -> Vec<u64> {
        keys(&Units::from_text(text), &ALL).iter().map(|key| key.hash).collect()
    }

    #[test]
    fn two_content_words_or_four_content_characters_make_a_key() {
        assert_eq!(hashes("tidal marsh").len(), 1);
        assert_eq!(hashes("tidal").len(), 0);
        assert_eq!(hashes("潮汐沼泽").len(), 1);
        assert_eq!(hashes("潮汐沼").len(), 0);
        assert_eq!(hashes("潮汐 marsh").len(), 1, "mixed text needs no special case");
    }

    #[test]
    fn order_stop_words_and_inflection_do_not_change_a_key() {
        assert_eq!(hashes("the tidal marshes"), hashes("marsh of tidal"));
        assert_eq!(hashes("潮汐的沼泽"), hashes("沼泽潮汐"));
    }

    #[test]
    fn a_key_repeated_a_thousand_times_stands_in_the_sketch_a_few_times() {
        assert_eq!(hashes(&"tidal marsh ".repeat(1000)).len(), ALL.repeats as usize);
    }

    #[test]
    fn about_one_key_in_two_is_kept_whatever_stands_around_it() {
        let words: Vec<String> = (0..4000).map(|i| format!("w{i}")).collect();
        let units = Units::from_text(&words.join(" "));
        let settings = ContainmentSettings::default();
        let all = keys(&units, &ALL);
        let kept = keys(&units, &settings);
        assert!((1800..2200).contains(&kept.len()), "{}", kept.len());
        assert!(kept.iter().all(|key| all.contains(key)));
    }
}
