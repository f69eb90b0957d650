//! Fingerprints that come one after the other, each with a time, and go when they are too old.
//!
//! New fingerprints are compared one by one; when there are many of them they become a segment, a [`FingerprintTable`] that never
//! changes. Segments of about equal size are merged, so that there are few. A segment whose newest fingerprint is too old
//! is dropped whole.

use super::engine::check_distance;
use super::{Engine, Error, FingerprintTable, Hit, near_words};

/// The number of new fingerprints that become a segment.
const FRESH: usize = 1 << 12;
/// The number of neighbouring segments of about one size that become one.
const FAN_IN: usize = 8;
/// Segments do not grow beyond this many fingerprints, so that they can be dropped when their time has come.
const LARGEST: usize = 1 << 20;

/// A growing set of fingerprints with times, of which the old ones are forgotten.
#[derive(Debug)]
pub struct Window {
    k: u8,
    /// Neighbours in the order of insertion.
    segments: Vec<RecentBlock>,
    fresh: Fingerprints,
}

/// Neighbouring fingerprints.
#[derive(Debug, Default)]
struct Fingerprints {
    /// How many were inserted before the first of them.
    first: u64,
    words: Vec<u8>,
    times: Vec<i64>,
}

#[derive(Debug)]
struct RecentBlock {
    fingerprints: Fingerprints,
    table: FingerprintTable,
    newest: i64,
}

impl Window {
    /// An empty window for distances up to `k` bits.
    ///
    /// # Errors
    /// `k` is larger than 7.
    pub fn new(k: u8) -> Result<Self, Error> {
        check_distance(k)?;
        Ok(Window { k, segments: Vec::new(), fresh: Fingerprints::default() })
    }

    /// Inserts a fingerprint of the given time, in any unit, and gives its number: 0 for the first, and so on.
    ///
    /// # Errors
    /// There are more than 2³² − 1 fingerprints in one segment, which the window's own limit rules out.
    pub fn insert(&mut self, fingerprint: u64, time: i64) -> Result<u64, Error> {
        let number = self.fresh.first + self.fresh.times.len() as u64;
        self.fresh.words.extend(fingerprint.to_le_bytes());
        self.fresh.times.push(time);
        if self.fresh.times.len() == FRESH {
            let following = Fingerprints { first: number + 1, ..Fingerprints::default() };
            let full = std::mem::replace(&mut self.fresh, following);
            self.segments.push(RecentBlock::new(full, self.k)?);
            self.merge()?;
        }
        Ok(number)
    }

    /// The fingerprints within the window's distance of `query` whose time is `since` or later, in the order of insertion. The row
    /// of a hit is the number that [`Window::insert`] gave it.
    ///
    /// # Errors
    /// None: the segments are built for the window's distance.
    pub fn find(&self, query: u64, since: i64) -> Result<Vec<Hit<u64>>, Error> {
        let mut found = Vec::new();
        for segment in self.segments.iter().filter(|segment| segment.newest >= since) {
            segment.fingerprints.add_hits(segment.table.find(query, self.k)?, since, &mut found);
        }
        self.fresh.add_hits(near_words(&self.fresh.words, query, self.k), since, &mut found);
        Ok(found)
    }

    /// Forgets the segments in which everything is of before `since`.
    pub fn expire(&mut self, since: i64) {
        self.segments.retain(|segment| segment.newest >= since);
    }

    /// The number of the first fingerprint that it holds, or of the next to be inserted when it holds none.
    pub fn first(&self) -> u64 {
        self.segments.first().map_or(self.fresh.first, |segment| segment.fingerprints.first)
    }

    /// How many fingerprints it holds, old ones that could not be forgotten yet among them.
    pub fn len(&self) -> usize {
        self.segments.iter().map(|segment| segment.fingerprints.times.len()).sum::<usize>() + self.fresh.times.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Merges the last segments as long as there are enough of about equal size.
    fn merge(&mut self) -> Result<(), Error> {
        while let Some(from) = self.segments.len().checked_sub(FAN_IN) {
            let size = |segment: &RecentBlock| segment.fingerprints.times.len();
            let together: usize = self.segments[from..].iter().map(size).sum();
            let newest_size = self.segments.last().map_or(0, size);
            if together > LARGEST || self.segments[from..].iter().any(|segment| size(segment) >= newest_size * FAN_IN) {
                break;
            }
            let mut merged = Fingerprints { first: self.segments[from].fingerprints.first, ..Fingerprints::default() };
            for segment in &mut self.segments[from..] {
                merged.words.append(&mut segment.fingerprints.words);
                merged.times.append(&mut segment.fingerprints.times);
            }
            self.segments.truncate(from);
            self.segments.push(RecentBlock::new(merged, self.k)?);
        }
        Ok(())
    }
}

impl Fingerprints {
    fn add_hits(&self, hits: Vec<Hit>, since: i64, found: &mut Vec<Hit<u64>>) {
        let young = hits.into_iter().filter(|hit| self.times[hit.row as usize] >= since);
        found.extend(young.map(|hit| Hit { row: self.first + u64::from(hit.row), distance: hit.distance }));
    }
}

impl RecentBlock {
    fn new(fingerprints: Fingerprints, k: u8) -> Result<Self, Error> {
        let words: Vec<u64> =
            fingerprints.words.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let newest = fingerprints.times.iter().copied().max().unwrap_or(i64::MIN);
        Ok(RecentBlock { table: FingerprintTable::build(&words, k, Engine::Auto)?, newest, fingerprints })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_finds_what_brute_force_finds_while_it_grows_and_forgets() {
        let word = |number: u64| (number % 997).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 1 << (number % 64);
        // Times that rise, but not strictly.
        let time = |number: u64| (number - number % 50 + number % 7) as i64;
        let mut window = Window::new(3).unwrap();
        let mut kept = Vec::new();
        for number in 0..FRESH as u64 * 20 + 100 {
            assert_eq!(window.insert(word(number), time(number)).unwrap(), number);
            kept.push((number, word(number), time(number)));
            if number % 9_973 == 0 {
                let since = time(number) - 30_000;
                window.expire(since);
                let query = word(number) ^ 0b11;
                let near = kept.iter().filter(|(_, word, time)| *time >= since && (word ^ query).count_ones() <= 3);
                let expected: Vec<(u64, u32)> = near.map(|(n, word, _)| (*n, (word ^ query).count_ones())).collect();
                let found = window.find(query, since).unwrap();
                assert_eq!(found.iter().map(|hit| (hit.row, hit.distance.into())).collect::<Vec<_>>(), expected);
            }
        }
        assert!(window.len() < FRESH * 20, "nothing was forgotten: {}", window.len());
        assert!(window.segments.len() < 2 * FAN_IN, "{} segments", window.segments.len());
        window.expire(i64::MAX);
        assert_eq!(window.len(), 100, "the new ones are no segment yet");
        assert_eq!(window.first(), FRESH as u64 * 20);
    }

    #[test]
    fn a_distance_out_of_range_is_an_error() {
        assert!(matches!(Window::new(8), Err(Error::DistanceOutOfRange { k: 8 })));
        assert!(Window::new(7).unwrap().is_empty());
    }
}
