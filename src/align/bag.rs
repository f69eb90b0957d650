//! The features of a range of units, and how many occurrences of each are left.
//!
//! Growing compares one range after the other. To empty a table of all features each time would cost more than to compare
//! them, so every range has a stamp of its own: an entry with an older stamp counts as none.

/// The features of the range that was filled in last. Not a map: it has a place for every feature of the submission.
#[derive(Debug, Clone)]
pub struct Bag {
    /// By feature; the last one, which stays empty, is that of all features without a place.
    entries: Vec<Entry>,
    stamp: u32,
}

impl Default for Bag {
    fn default() -> Self {
        Bag::new(0)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The stamp of the range in which the feature was last seen.
    stamp: u32,
    /// How many of its occurrences there are not accounted for yet.
    left: u32,
}

impl Bag {
    /// A bag for features that are numbered below `features`.
    pub fn new(features: usize) -> Self {
        Bag { entries: vec![Entry::default(); features + 1], stamp: 0 }
    }

    /// Makes room for features that are numbered below `features`.
    pub fn make_room(&mut self, features: usize) {
        if self.entries.len() <= features {
            self.entries.resize(features + 1, Entry::default());
        }
    }

    /// Puts the features of a range in place of what the bag held. Those it has no room for are left out.
    pub fn fill(&mut self, features: impl IntoIterator<Item = u32>) {
        self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                // All stamps were used: what is left of the first ranges must not look new.
                self.entries.fill(Entry::default());
                1
            }
        };
        let last = self.entries.len() - 1;
        for feature in features {
            if let Some(entry) = self.entries[..last].get_mut(feature as usize) {
                let before = if entry.stamp == self.stamp { entry.left } else { 0 };
                *entry = Entry { stamp: self.stamp, left: before + 1 };
            }
        }
    }

    /// What the bag holds.
    #[inline]
    pub fn filled(&self) -> Filled<'_> {
        Filled { entries: &self.entries, stamp: self.stamp }
    }

    /// How many occurrences of a feature are left; `None` if the range does not have it.
    #[inline]
    pub fn left(&self, feature: u32) -> Option<u32> {
        let (holds, left) = self.filled().of(feature);
        holds.then_some(left)
    }

    /// Whether the range has a feature, be some of it left or not.
    #[inline]
    pub fn holds(&self, feature: u32) -> bool {
        self.left(feature).is_some()
    }

    /// Accounts for one occurrence of a feature. `false` if the range has the feature, but none of it was left.
    pub fn take(&mut self, feature: u32) -> bool {
        match self.entries.get_mut(feature as usize) {
            Some(entry) if entry.stamp == self.stamp => {
                let was_left = entry.left > 0;
                entry.left = entry.left.saturating_sub(1);
                was_left
            }
            _ => true,
        }
    }
}

/// A bag while nothing is put into it or taken out.
#[derive(Clone, Copy)]
pub struct Filled<'a> {
    entries: &'a [Entry],
    stamp: u32,
}

impl Filled<'_> {
    /// Whether the range has a feature, and if so, how many of its occurrences are left.
    #[inline]
    pub fn of(self, feature: u32) -> (bool, u32) {
        let entry = self.entries[(feature as usize).min(self.entries.len() - 1)];
        (entry.stamp == self.stamp, entry.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_and_taken_one_by_one() {
        let mut bag = Bag::new(3);
        bag.fill([1, 1, 2, 9]);
        assert_eq!([0, 1, 2, 9].map(|feature| bag.left(feature)), [None, Some(2), Some(1), None]);
        assert!(bag.take(1) && bag.take(1) && !bag.take(1) && bag.holds(1));
        assert!(bag.take(0) && bag.take(9), "what the range does not have is not used up");
    }

    #[test]
    fn a_bag_whose_stamps_are_used_up_holds_nothing_of_earlier_ranges() {
        let mut bag = Bag::new(3);
        bag.fill([1]);
        bag.stamp = u32::MAX;
        bag.fill([2]);
        assert!(bag.holds(2) && !bag.holds(1) && !bag.holds(0));
    }
}
