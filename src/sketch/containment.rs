//! The containment sketch: keys by which a submission finds the sources it shares a passage with, however small a
//! part of either the passage is.
//!
//! A key is the order-free hash of neighbouring content units, kept when its value is 0 modulo m: Broder's MOD_m
//! sketch (On the resemblance and containment of documents, 1997), the sibling of MinHash. Order and stop units do
//! not count and words are stemmed, so that reworded and reordered passages keep many of their keys. Keys carry their
//! positions, because two keys that lie close together in both texts say far more than two anywhere.

use super::settings_table::settings_table;
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

/// The bits of a key's hash; each takes an index .0011 × the text. By chance a key of 36 bits has .015 holders among 10⁵ documents of
/// 10,000 keys, so that a submission of 10,000 keys meets 146 of them, of which [`Beside`] leaves 18.
pub const KEY_BITS: u8 = 36;

/// One sampled key and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Value-stable hash, of [`KEY_BITS`] bits.
    pub hash: u64,
    /// The index of its first unit in the text.
    pub position: u32,
    /// What stands beside that unit.
    pub beside: Beside,
}

/// Two hashes of 4 bits: of the [`NEIGHBOURS`] units before a key's first unit, and of those behind it. A key stands in both texts by
/// chance, or in a run of equal units. In a run of six units, wherever the unit stands in it, three on one side of it are equal; in one
/// of thirteen, on both sides of seven units. Of chance meetings 1 − (15/16)² = 12 % agree on one side and 1/256 on both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Beside(pub u8);

/// Units on either side of a key's first that [`Beside`] hashes.
pub(crate) const NEIGHBOURS: u32 = 3;

impl Beside {
    fn of(units: &Units, at: usize) -> Self {
        let hash =
            |side: &[u32]| (finish(side.iter().fold(side.len() as u64, |state, &stem| fold(state, stem))) >> 60) as u8;
        let most = NEIGHBOURS as usize;
        let behind = (at + 1 + most).min(units.len());
        Beside(hash(&units.stem[at.saturating_sub(most)..at]) << 4 | hash(&units.stem[at + 1..behind]))
    }

    /// On which sides it agrees with what stands beside another unit.
    pub fn agreeing_sides(self, other: Beside) -> Sides {
        let differ = self.0 ^ other.0;
        Sides { before: differ & 0xf0 == 0, behind: differ & 0x0f == 0 }
    }
}

/// Sides of a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sides {
    /// That of the units before it.
    pub before: bool,
    /// That of the units behind it.
    pub behind: bool,
}

impl Sides {
    /// How many there are, 0 to 2.
    pub fn count(self) -> usize {
        usize::from(self.before) + usize::from(self.behind)
    }
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
            keys.push(Key { hash: hash >> (64 - KEY_BITS), position, beside: Beside::of(units, position as usize) });
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

    proptest::proptest! {
        #[test]
        fn what_stands_beside_a_unit_agrees_wherever_it_stands_in_a_run_of_six(
            ours in proptest::collection::vec(0u32..40, 0..8),
            theirs in proptest::collection::vec(0u32..40, 0..8),
            run in proptest::collection::vec(0u32..40, 6..12),
            ends in (proptest::prelude::any::<bool>(), proptest::prelude::any::<bool>()),
        ) {
            let text = |own: &[u32], is_end: bool| {
                let behind = if is_end { &[] } else { own };
                let numbers = own.iter().chain(&run).chain(behind);
                Units::from_text(&numbers.map(|n| format!("word{n} ")).collect::<String>())
            };
            let (a, b) = (text(&ours, ends.0), text(&theirs, ends.1));
            for at in 0..run.len() {
                let sides = Beside::of(&a, ours.len() + at).agreeing_sides(Beside::of(&b, theirs.len() + at)).count();
                let inside = 3.min(at) + 3.min(run.len() - 1 - at) == 6;
                proptest::prop_assert!(sides > usize::from(inside), "{sides}");
            }
        }
    }

    #[test]
    fn of_places_that_meet_by_chance_one_in_eight_agrees_on_one_side() {
        let text = |seed: u32| (0..3000).map(|i| format!("w{} ", (i * seed) % 2999)).collect::<String>();
        let (a, b) = (Units::from_text(&text(1237)), Units::from_text(&text(1753)));
        let agreeing =
            (0..3000).filter(|&at| Beside::of(&a, at).agreeing_sides(Beside::of(&b, at)).count() > 0).count();
        assert!((250..500).contains(&agreeing), "{agreeing}");
    }
}
