//! How far the shingles of texts agree with those of one, told without making their shingle sets: to sort them takes four times as long.

use super::hash_filter::HashFilter;
use super::shingle::{Overlap, ShingleOf, ShingleSet, Shingling, share};
use super::windows::hash_windows;

/// The shingles of a text, to be asked for those of others.
pub struct ShingleMarks<'a> {
    shingles: &'a ShingleSet,
    marked: HashFilter,
    k: usize,
}

/// The shingles of another text.
pub struct MarkedShingles<'a> {
    marks: &'a ShingleMarks<'a>,
    /// All 64 bits of their hashes, in the order of the text.
    hashes: Vec<u64>,
    /// Of those that the first text may have, the highest 32 bits, as [`ShingleSet`] has them.
    marked: Vec<u32>,
}

impl<'a> ShingleMarks<'a> {
    /// Of the shingles of a text; `None` where they are of something else than units.
    pub fn of(shingles: &'a ShingleSet, shingling: Shingling) -> Option<Self> {
        let hashes = shingles.as_slice().iter().map(|&hash| u64::from(hash));
        let marked = HashFilter::of(hashes, shingles.len());
        (shingling.of == ShingleOf::Units).then(|| ShingleMarks { shingles, marked, k: usize::from(shingling.k) })
    }

    /// The shingles of a text, of which `units` are the hashes of its units.
    pub fn compare(&'a self, units: &[u32]) -> MarkedShingles<'a> {
        let mut hashes: Vec<u64> = Vec::new();
        hash_windows(units, self.k, &mut hashes);
        let mut marked = hashes.clone();
        marked.retain(|hash| self.marked.may_hold(hash >> 32));
        marked.sort_unstable();
        marked.dedup();
        let marked = marked.into_iter().map(|hash| (hash >> 32) as u32).collect();
        MarkedShingles { marks: self, hashes, marked }
    }
}

impl MarkedShingles<'_> {
    /// Whether the Jaccard similarity of the two texts may be `threshold` or more. Of the set of the two together the marked ones are no
    /// smaller a share than those that both have.
    pub fn may_resemble(&self, threshold: f64) -> bool {
        share(self.marked.len(), self.marks.shingles.len()) >= threshold
    }

    /// The exact overlap of the first text's set with this one's.
    pub fn overlap(&self) -> Overlap {
        let of_marked = Overlap::of(self.marks.shingles.as_slice(), &self.marked);
        Overlap { second: count_different(&self.hashes), ..of_marked }
    }

    /// The hashes as [`ShingleSet`] has them, but in the order of the text and as often as they stand there.
    pub fn hashes(&self) -> Vec<u32> {
        self.hashes.iter().map(|hash| (hash >> 32) as u32).collect()
    }
}

/// How many different hashes there are.
fn count_different(hashes: &[u64]) -> usize {
    // A table with open addressing, half full at most, and nought for a free place.
    let bits = (2 * hashes.len()).next_power_of_two().ilog2().max(1);
    let mut table = vec![0u64; 1 << bits];
    let mut count = usize::from(hashes.contains(&0));
    for &hash in hashes {
        let mut at = (hash >> (64 - bits)) as usize;
        while table[at] != hash && table[at] != 0 {
            at = (at + 1) % table.len();
        }
        count += usize::from(table[at] != hash);
        table[at] = hash;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn marked_shingles_overlap_as_the_sets_do(
            (a, b) in (proptest::collection::vec(0u32..4, 0..60), proptest::collection::vec(0u32..4, 0..60)),
            (from, threshold) in (0usize..60, 0.0..1.0),
        ) {
            // Some of the texts share most of what they have.
            let b = if from % 2 == 0 { [&a[from.min(a.len())..], &b[..b.len() / 8]].concat() } else { b };
            let [ours, theirs] = [&a, &b].map(|units| ShingleSet::of_values(units, 3));
            let marks = ShingleMarks::of(&ours, "units:3".parse().unwrap()).unwrap();
            let (marked, overlap) = (marks.compare(&b), ours.overlap(&theirs));
            proptest::prop_assert_eq!(marked.overlap(), overlap);
            proptest::prop_assert!(marked.may_resemble(threshold) || overlap.jaccard() < threshold);
            let mut hashes = marked.hashes();
            hashes.sort_unstable();
            hashes.dedup();
            proptest::prop_assert_eq!(&hashes[..], theirs.as_slice());
        }

        #[test]
        fn different_hashes_are_counted_as_a_set_counts_them(hashes in proptest::collection::vec((0u64..9, 0u32..64), 0..90)) {
            let hashes: Vec<u64> = hashes.into_iter().map(|(bits, shift)| bits << shift).collect();
            let set: std::collections::BTreeSet<u64> = hashes.iter().copied().collect();
            proptest::prop_assert_eq!(count_different(&hashes), set.len());
        }
    }

    #[test]
    fn texts_of_other_words_do_not_resemble_each_other_and_other_shingles_are_not_marked() {
        let (a, b): (Vec<u32>, Vec<u32>) = ((0..5000).collect(), (5000..9000).collect());
        let shingles = ShingleSet::of_values(&a, 5);
        let marks = ShingleMarks::of(&shingles, "units:5".parse().unwrap()).unwrap();
        assert!(!marks.compare(&b).may_resemble(0.2) && marks.compare(&a).may_resemble(1.0));
        assert!(ShingleMarks::of(&shingles, "chars:5".parse().unwrap()).is_none());
    }
}
