//! Shingles: k neighbouring units, characters or words, hashed to 32 bits (Broder 1997).

use super::windows::hash_windows;
use crate::text::chinese::for_each_word;
use crate::text::normalise::Normalised;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a shingle is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShingleOf {
    /// Units: Han characters, and words of other scripts. Needs no guess of the language.
    Units,
    /// Characters of the normalised text, white space (as one blank) among them.
    Chars,
    /// Words; Chinese ones as jieba cuts them.
    Words,
}

/// How texts are shingled, written `units:5`, `chars:9`, `words:3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shingling {
    /// What a shingle is made of.
    pub of: ShingleOf,
    /// How many of them make one shingle, from 1 to 64.
    pub k: u8,
}

impl Default for Shingling {
    fn default() -> Self {
        Shingling { of: ShingleOf::Units, k: 5 }
    }
}

impl Shingling {
    /// The least that a text must have to be compared, in words for a person.
    pub fn least(&self) -> String {
        let of = match self.of {
            ShingleOf::Units => "words or Han characters",
            ShingleOf::Chars => "characters",
            ShingleOf::Words => "words",
        };
        format!("{} {of}", self.k)
    }
}

impl fmt::Display for Shingling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = match self.of {
            ShingleOf::Units => "units",
            ShingleOf::Chars => "chars",
            ShingleOf::Words => "words",
        };
        write!(f, "{of}:{}", self.k)
    }
}

impl FromStr for Shingling {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no shingling; write units:K, chars:K or words:K with K from 1 to 64");
        let (of, k) = text.split_once(':').ok_or_else(wrong)?;
        let of = match of {
            "units" => ShingleOf::Units,
            "chars" => ShingleOf::Chars,
            "words" => ShingleOf::Words,
            _ => return Err(wrong()),
        };
        match k.parse() {
            Ok(k @ 1..=64) => Ok(Shingling { of, k }),
            _ => Err(wrong()),
        }
    }
}

/// The set of a text's shingles: 32-bit hashes, sorted. Different shingles that share a hash have one each (different in 64
/// bits), so that the set's size is right, and so is its overlap with another set unless they share a hash across.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShingleSet(Vec<u32>);

impl ShingleSet {
    /// A set that was kept: the hashes of [`as_slice`](Self::as_slice).
    pub fn kept(mut hashes: Vec<u32>) -> Self {
        // Sorted they were, if nobody changed them.
        hashes.sort_unstable();
        ShingleSet(hashes)
    }

    /// Shingles a text, of which `units` are the hashes of its units. A text shorter than one shingle has the empty set.
    pub fn of_text(shingling: Shingling, normalised: &Normalised, units: &[u32]) -> Self {
        let k = usize::from(shingling.k);
        match shingling.of {
            ShingleOf::Units => Self::of_values(units, k),
            ShingleOf::Chars => {
                // A run of white space is one blank, whatever lines and columns made of it.
                let words: Vec<&str> = normalised.text.split_whitespace().collect();
                let chars: Vec<u32> = words.join(" ").chars().map(u32::from).collect();
                Self::of_values(&chars, k)
            }
            ShingleOf::Words => {
                let mut words = Vec::new();
                word_hashes(&normalised.text, &mut words);
                Self::of_values(&words, k)
            }
        }
    }

    /// The shingles of every `k` neighbours in a row of values.
    pub fn of_values(values: &[u32], k: usize) -> Self {
        let mut hashes: Vec<u64> = Vec::new();
        hash_windows(values, k, &mut hashes);
        hashes.sort_unstable();
        hashes.dedup();
        ShingleSet(hashes.into_iter().map(|hash| (hash >> 32) as u32).collect())
    }

    /// The hashes, sorted; a hash that different shingles share as often as these are.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// How many different shingles there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the text was shorter than one shingle.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The exact overlap with another set.
    pub fn overlap(&self, other: &ShingleSet) -> Overlap {
        Overlap::of(&self.0, &other.0)
    }
}

/// Appends the hashes of a normalised text's words.
pub(super) fn word_hashes(text: &str, hashes: &mut Vec<u32>) {
    for_each_word(text, |word| hashes.push(rapidhash::v3::rapidhash_v3(word.as_bytes()) as u32));
}

/// How far two shingle sets agree, counted and not estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Shingles in both sets.
    pub common: usize,
    /// Shingles in the first set.
    pub first: usize,
    /// Shingles in the second set.
    pub second: usize,
}

impl Overlap {
    /// The exact overlap of two sets, given as sorted hashes, each once.
    pub fn of(first: &[u32], second: &[u32]) -> Overlap {
        let (mut i, mut j, mut common) = (0, 0, 0);
        while i < first.len() && j < second.len() {
            let (a, b) = (first[i], second[j]);
            common += usize::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        Overlap { common, first: first.len(), second: second.len() }
    }

    /// The overlap of two sets, as [`Overlap::of`] counts it, if their Jaccard similarity is at least `threshold`; else none, found
    /// out as soon as what is left of the sets cannot make up for what was missed.
    pub fn at_least(first: &[u32], second: &[u32], threshold: f64) -> Option<Overlap> {
        /// Steps between two looks at whether it is still possible.
        const STRIDE: usize = 16;
        let all = first.len() + second.len();
        let possible = |common: usize| share(common, all - common) >= threshold;
        let (mut i, mut j, mut common) = (0, 0, 0);
        while i < first.len() && j < second.len() {
            if !possible(common + (first.len() - i).min(second.len() - j)) {
                return None;
            }
            for _ in 0..STRIDE {
                let (Some(&a), Some(&b)) = (first.get(i), second.get(j)) else { break };
                common += usize::from(a == b);
                i += usize::from(a <= b);
                j += usize::from(b <= a);
            }
        }
        let overlap = Overlap { common, first: first.len(), second: second.len() };
        (overlap.jaccard() >= threshold).then_some(overlap)
    }

    /// |A∩B| / |A∪B|; 0 when both are empty.
    pub fn jaccard(&self) -> f64 {
        share(self.common, self.first + self.second - self.common)
    }

    /// |A∩B| / |A|: how much of the first stands in the second.
    pub fn containment_of_first(&self) -> f64 {
        share(self.common, self.first)
    }

    /// |A∩B| / |B|: how much of the second stands in the first.
    pub fn containment_of_second(&self) -> f64 {
        share(self.common, self.second)
    }
}

/// A part of a whole; 0 of nothing.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalise::Normalised;
    use crate::text::units::Units;
    use std::collections::BTreeSet;

    fn set(shingling: &str, text: &str) -> ShingleSet {
        ShingleSet::of_text(shingling.parse().unwrap(), &Normalised::of(text), &Units::from_text(text).hash)
    }

    #[test]
    fn a_text_of_n_values_has_n_minus_k_plus_1_shingles() {
        assert_eq!(set("units:5", "one two three four five six seven").len(), 3);
        assert_eq!(set("units:2", "潮汐沼泽").len(), 3);
        assert_eq!(set("chars:5", "abcdefg").len(), 3);
        assert_eq!(set("chars:9", "abcdefg").len(), 0);
        assert_eq!(set("words:1", "潮汐沼泽的水文").len(), 4, "潮汐 沼泽 的 水文");
    }

    #[test]
    fn repeated_shingles_count_once() {
        assert_eq!(set("units:1", "row row row your boat").len(), 3);
    }

    #[test]
    fn shingle_hashes_are_the_same_on_every_machine() {
        assert_eq!(ShingleSet::of_values(&[1, 2, 3], 3).as_slice(), [3_236_277_037]);
    }

    #[test]
    fn shinglings_are_read_as_they_are_written() {
        for text in ["units:5", "chars:9", "words:3"] {
            assert_eq!(text.parse::<Shingling>().unwrap().to_string(), text);
        }
        for wrong in ["units", "units:0", "units:65", "lines:3", "chars:-1", ":5"] {
            assert!(wrong.parse::<Shingling>().unwrap_err().contains(wrong));
        }
    }

    #[test]
    fn empty_sets_have_no_overlap() {
        let empty = ShingleSet::default();
        assert_eq!(empty.overlap(&empty).jaccard(), 0.0);
        assert_eq!(empty.overlap(&empty).containment_of_first(), 0.0);
    }

    #[test]
    fn different_shingles_that_share_a_hash_count_as_two() {
        let values: Vec<u32> = (0..200_000).collect();
        let set = ShingleSet::of_values(&values, 1);
        assert_eq!(set.len(), values.len());
        let shared = set.as_slice().windows(2).filter(|two| two[0] == two[1]).count();
        assert!(shared > 0, "among so many some share one");
        let half = ShingleSet::of_values(&values[..100_000], 1);
        let overlap = set.overlap(&half);
        assert_eq!((overlap.common, overlap.first, overlap.second), (100_000, 200_000, 100_000));
        assert_eq!(Overlap::at_least(set.as_slice(), half.as_slice(), 0.5), Some(overlap));
    }

    proptest::proptest! {
        #[test]
        fn overlap_equals_that_of_ordinary_sets(
            a in proptest::collection::vec(0u32..60, 0..80),
            b in proptest::collection::vec(0u32..60, 0..80),
        ) {
            let (x, y): (BTreeSet<_>, BTreeSet<_>) = (a.iter().collect(), b.iter().collect());
            let set = |values: &BTreeSet<&u32>| ShingleSet::kept(values.iter().map(|&&value| value).collect());
            let overlap = set(&x).overlap(&set(&y));
            assert_eq!(overlap, Overlap { common: x.intersection(&y).count(), first: x.len(), second: y.len() });
        }

        #[test]
        fn giving_up_early_loses_no_similar_pair(
            a in proptest::collection::vec(0u32..90, 0..160),
            b in proptest::collection::vec(0u32..90, 0..160),
            threshold in 0.01f64..=1.0,
        ) {
            let (a, b) = (ShingleSet::kept(a), ShingleSet::kept(b));
            let whole = a.overlap(&b);
            let similar = (whole.jaccard() >= threshold).then_some(whole);
            assert_eq!(Overlap::at_least(a.as_slice(), b.as_slice(), threshold), similar);
        }
    }
}
