//! Whether a text may resemble another as a whole, asked without making its shingle set, which takes ten times as long.

use super::hash_filter::HashFilter;
use super::shingle::{ShingleOf, ShingleSet, Shingling, share};
use super::windows::hash_windows;

/// The shingles of a text, to be asked for those of others.
pub struct ShingleMarks {
    marked: HashFilter,
    shingles: usize,
    shingling: Shingling,
}

impl ShingleMarks {
    /// Of the shingles of a text.
    pub fn of(shingles: &ShingleSet, shingling: Shingling) -> Self {
        let hashes = shingles.as_slice().iter().map(|&hash| u64::from(hash));
        ShingleMarks { marked: HashFilter::of(hashes, shingles.len()), shingles: shingles.len(), shingling }
    }

    /// Whether the Jaccard similarity with a text may be `threshold` or more. `units` are the hashes of its units; where shingles are made
    /// of something else, it may. Of the set of the two together the marked ones are no smaller a share than those that both have.
    pub fn may_resemble(&self, units: &[u32], threshold: f64) -> bool {
        if self.shingling.of != ShingleOf::Units {
            return true;
        }
        let mut hashes: Vec<u32> = Vec::new();
        hash_windows(units, usize::from(self.shingling.k), &mut hashes);
        let marked = hashes.into_iter().filter(|&hash| self.marked.may_hold(hash.into())).count();
        share(marked, self.shingles) >= threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_may_not_resemble_a_text_does_not(
            (a, b) in (proptest::collection::vec(0u32..4, 0..60), proptest::collection::vec(0u32..4, 0..60)),
            (from, threshold) in (0usize..60, 0.0..1.0),
        ) {
            let shingling: Shingling = "units:3".parse().unwrap();
            // Some of the texts share most of what they have.
            let b = if from % 2 == 0 { [&a[from.min(a.len())..], &b[..b.len() / 8]].concat() } else { b };
            let [ours, theirs] = [&a, &b].map(|units| ShingleSet::of_values(units, 3));
            let may_be = ShingleMarks::of(&ours, shingling).may_resemble(&b, threshold);
            proptest::prop_assert!(may_be || ours.overlap(&theirs).jaccard() < threshold);
        }
    }

    #[test]
    fn texts_of_other_words_do_not_resemble_each_other_and_none_of_other_shingles_is_left_out() {
        let (a, b): (Vec<u32>, Vec<u32>) = ((0..5000).collect(), (5000..9000).collect());
        let marks = |shingling: &str| ShingleMarks::of(&ShingleSet::of_values(&a, 5), shingling.parse().unwrap());
        assert!(!marks("units:5").may_resemble(&b, 0.2) && marks("units:5").may_resemble(&a, 1.0));
        assert!(marks("chars:5").may_resemble(&b, 0.2));
    }
}
