//! What of a passage stands in the other text in no form: sentences of one's own between copied ones.
//!
//! A passage is drawn around all that agrees, so it may reach over sentences that do not. Each unit of the other side accounts for
//! one unit of this one: long common stretches first, then what stands between them in the same place of the other text, then, for
//! a sentence that this does not explain, the place of the other text where most of what is left agrees. A unit that is accounted
//! for is evidence of copying and one that is not is evidence against it, as in [`evidence`](super::evidence). The division into
//! copied and own stretches with the greatest sum is found by dynamic programming (Viterbi 1967, two states); a change between
//! sentences costs less than one inside a sentence, so own text ends where its sentence does.
//!
//! The constants were chosen by hand and not measured apart, unless one says otherwise.

use super::candidate::{Candidate, Which};
use super::evidence::{self, Evidence, Row, Share};
use super::kind::Tile;
use super::pair::PairAligner;
use super::side::Side;
use crate::text::flag;
use crate::text::ranges::without;
use ahash::AHashMap;
use std::collections::BTreeSet;
use std::ops::Range;

/// Least and greatest share of copied units that a stretch is taken to have: with less nothing could be own text, with more one
/// replaced word in a sentence could make it so.
const SHARES: (f64, f64) = (0.3, 0.7);
/// Nats that a change between copied and own text costs where a sentence ends: hardly anything, as the sentence before says little of
/// the next. With 1, a twentieth of own Chinese sentences below ten characters counted between edited ones; with .2 none does, and of
/// text with 45 % of its words replaced .783 counts in place of .793.
const CHANGE_BETWEEN_SENTENCES: f64 = 0.2;
/// The same inside a sentence.
const CHANGE_INSIDE: f64 = 4.0;
/// Half words of the shortest own text that is not a whole sentence: twelve words, or twenty Han characters.
const LEAST_INSIDE: (f64, f64) = (24.0, 20.0);
/// Units on either side of where a stretch is expected in the other text that may hold it, too.
const MARGIN: usize = 6;
/// Fewest units of a common stretch, of words and of Han characters, that tells where its surroundings are expected.
const ANCHOR: (usize, usize) = (4, 6);
/// Places of one feature that are looked at when a sentence is looked for in the whole other side.
const PLACES: usize = 16;

/// A side of which less than this share was taken is drawn in to where most of that stands. Wider sides with as little are summaries, or
/// sentences from all over a text; of PAN's passages that are none, 25 of 9,411 have less.
const LEAST_TAKEN: f64 = 1.0 / 3.0;
/// Units of a side between two taken stretches that part them when it is drawn in: two long sentences.
const APART: usize = 60;

/// What of either side of a passage the other side does not have, in units, in order and apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnText {
    /// Of the submission's range: its author's own text.
    pub submission: Vec<Range<usize>>,
    /// Of the source's range: what was not taken.
    pub source: Vec<Range<usize>>,
}

impl OwnText {
    /// Where most of what was taken of the source stands, if that is little of the passage's range of it.
    pub fn narrowed(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let taken = without(range, &self.source);
        let units = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).sum::<usize>();
        if units(&taken) as f64 >= LEAST_TAKEN * range.len() as f64 {
            return None;
        }
        let groups = taken.chunk_by(|first, second| second.start - first.end <= APART);
        let best = groups.max_by_key(|group| (units(group), std::cmp::Reverse(group[0].start)))?;
        let narrowed = best[0].start..best.last()?.end;
        (narrowed.len() < range.len()).then_some(narrowed)
    }
}

/// Finds the own text of a passage whose common stretches are `tiles`.
pub fn own_text(pair: &PairAligner, passage: &Candidate, tiles: &[Tile]) -> OwnText {
    let mut accounts = Accounts::new(pair, passage);
    accounts.take_tiles(tiles);
    accounts.take_between();
    let (a, b) = (&passage.submission, &passage.source);
    let row = accounts.row();
    accounts.look_for_sentences(row);
    let row = accounts.row();
    OwnText {
        submission: own_stretches(pair.submission, a, |i| accounts.value(row, Which::Submission, i)),
        source: own_stretches(pair.source, b, |j| accounts.value(row, Which::Source, j)),
    }
}

/// Which units of either side are accounted for.
struct Accounts<'a> {
    pair: &'a PairAligner<'a>,
    a: Range<usize>,
    b: Range<usize>,
    /// For each unit of the submission's range the unit of the source that accounts for it.
    partner: Vec<Option<usize>>,
    /// For each unit of the source's range whether it accounts for one.
    taken: Vec<bool>,
    /// Where each feature stands in the source's range, as far as nothing there is taken: in a text that repeats itself nobody has to go
    /// through what is.
    free: AHashMap<u32, BTreeSet<usize>>,
}

impl<'a> Accounts<'a> {
    fn new(pair: &'a PairAligner<'a>, passage: &Candidate) -> Self {
        let (a, b) = (passage.submission.clone(), passage.source.clone());
        let mut free: AHashMap<u32, BTreeSet<usize>> = AHashMap::new();
        for j in b.clone() {
            free.entry(pair.source.feature[j]).or_default().insert(j);
        }
        Self { pair, partner: vec![None; a.len()], taken: vec![false; b.len()], free, a, b }
    }

    fn partner(&self, i: usize) -> Option<usize> {
        self.partner[i - self.a.start]
    }

    fn pair_up(&mut self, i: usize, j: usize) {
        self.partner[i - self.a.start] = Some(j);
        self.take(j, true);
    }

    fn part(&mut self, i: usize) {
        if let Some(j) = self.partner[i - self.a.start].take() {
            self.take(j, false);
        }
    }

    fn take(&mut self, j: usize, taken: bool) {
        self.taken[j - self.b.start] = taken;
        let free = self.free.entry(self.pair.source.feature[j]).or_default();
        if taken {
            free.remove(&j)
        } else {
            free.insert(j)
        };
    }

    /// Common stretches, the longest first.
    fn take_tiles(&mut self, tiles: &[Tile]) {
        let least = |tile: &Tile| match self.pair.submission.flags[tile.a] & flag::HAN {
            0 => ANCHOR.0,
            _ => ANCHOR.1,
        };
        let mut tiles: Vec<Tile> = tiles.iter().filter(|tile| tile.len >= least(tile)).copied().collect();
        tiles.sort_by_key(|tile| (std::cmp::Reverse(tile.len), tile.a));
        for tile in tiles {
            for k in 0..tile.len {
                if self.partner(tile.a + k).is_none() && !self.taken[tile.b + k - self.b.start] {
                    self.pair_up(tile.a + k, tile.b + k);
                }
            }
        }
    }

    /// What stands between two stretches is looked for between their partners, or beside either.
    fn take_between(&mut self) {
        let mut at = self.a.start;
        while at < self.a.end {
            if self.partner(at).is_some() {
                at += 1;
                continue;
            }
            let end = (at..self.a.end).find(|&i| self.partner(i).is_some()).unwrap_or(self.a.end);
            let before = (at > self.a.start).then(|| self.partner(at - 1)).flatten().map(|j| j + 1);
            let after = (end < self.a.end).then(|| self.partner(end)).flatten();
            self.take_in_windows(at..end, &self.windows(end - at, before, after));
            at = end;
        }
    }

    /// Where `units` units are expected that stand behind one whose partner ends at `before`, and before one whose partner is `after`.
    fn windows(&self, units: usize, before: Option<usize>, after: Option<usize>) -> Vec<Range<usize>> {
        let reach = units + units / 2 + MARGIN;
        let clip = |window: Range<usize>| window.start.max(self.b.start)..window.end.min(self.b.end);
        match (before, after) {
            (Some(before), Some(after)) if before <= after && after - before <= 2 * reach => {
                vec![clip(before.saturating_sub(MARGIN)..after + MARGIN)]
            }
            (None, None) => vec![self.b.clone()],
            _ => {
                let behind = before.map(|at| clip(at.saturating_sub(MARGIN)..at + reach));
                let ahead = after.map(|at| clip(at.saturating_sub(reach)..at + MARGIN));
                behind.into_iter().chain(ahead).collect()
            }
        }
    }

    /// Accounts for units by equal ones in windows of the source, the next one in order first. Gives those that it accounted for.
    fn take_in_windows(&mut self, units: Range<usize>, windows: &[Range<usize>]) -> Vec<usize> {
        let mut next = windows.first().map_or(0, |window| window.start);
        let mut found = Vec::new();
        for i in units {
            if self.partner(i).is_some() {
                continue;
            }
            let Some(free) = self.free.get(&self.pair.submission.feature[i]) else { continue };
            let first_from = |from: usize| {
                let windows = windows.iter().map(|window| window.start.max(from)..window.end);
                windows
                    .filter(|window| !window.is_empty())
                    .filter_map(|window| free.range(window).next().copied())
                    .min()
            };
            if let Some(j) = first_from(next).or_else(|| first_from(0)) {
                next = j + 1;
                self.pair_up(i, j);
                found.push(i);
            }
        }
        found
    }

    /// A sentence that is not explained by where it stands may have been taken from elsewhere in the source's range.
    fn look_for_sentences(&mut self, row: Row) {
        for sentence in sentences(self.pair.submission, &self.a) {
            let sum = |accounts: &Self| -> Evidence {
                sentence.clone().map(|i| accounts.value(row, Which::Submission, i)).sum()
            };
            if sum(self) > 0 {
                continue;
            }
            let Some(window) = self.best_window(&sentence) else { continue };
            let found = self.take_in_windows(sentence.clone(), std::slice::from_ref(&window));
            // The best of many places agrees more than one.
            let choices = evidence::from_nats((self.b.len() as f64 / window.len().max(1) as f64).max(1.0).ln());
            if sum(self) <= choices {
                found.into_iter().for_each(|i| self.part(i));
            }
        }
    }

    /// The stretch of the source about as long as a sentence in which most of what is left of it stands.
    fn best_window(&self, sentence: &Range<usize>) -> Option<Range<usize>> {
        let mut at: Vec<usize> = Vec::new();
        for i in sentence.clone().filter(|&i| self.partner(i).is_none()) {
            at.extend(self.free.get(&self.pair.submission.feature[i]).into_iter().flatten().take(PLACES));
        }
        at.sort_unstable();
        let reach = sentence.len() + sentence.len() / 2 + MARGIN;
        let count = |first: usize| at[first..].partition_point(|&j| j < at[first] + reach);
        let first = (0..at.len()).max_by_key(|&first| (count(first), std::cmp::Reverse(first)))?;
        Some(at[first].saturating_sub(MARGIN).max(self.b.start)..(at[first] + reach).min(self.b.end))
    }

    /// The row of the share of the passage that is accounted for.
    fn row(&self) -> Row<'a> {
        let accounted = self.partner.iter().flatten().count();
        let share = accounted as f64 / self.a.len().min(self.b.len()).max(1) as f64;
        self.pair.table.row(Share::new(share.clamp(SHARES.0, SHARES.1)))
    }

    /// What a unit says of copying.
    fn value(&self, row: Row, which: Which, at: usize) -> Evidence {
        let side = self.pair.side(which);
        let accounted = match which {
            Which::Submission => self.partner(at).is_some(),
            Which::Source => self.taken[at - self.b.start],
        };
        let value = match accounted {
            // Each has one partner at most, so chance is that of a few units.
            true => row.agree[self.pair.class(side.feature[at], evidence::length_offset(2 * MARGIN))],
            false => row.differ,
        };
        Evidence::from(value) >> (side.flags[at] & flag::HAN)
    }
}

/// The sentences of a range of a text.
fn sentences(side: &Side, range: &Range<usize>) -> Vec<Range<usize>> {
    let inner = (range.start + 1..range.end).filter(|&i| side.flags[i] & flag::SENTENCE != 0);
    let borders: Vec<usize> = std::iter::once(range.start).chain(inner).chain([range.end]).collect();
    borders.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// The own stretches of a range of a text that are long enough to be told.
fn own_stretches(side: &Side, range: &Range<usize>, value: impl Fn(usize) -> Evidence) -> Vec<Range<usize>> {
    let begins = |at: usize| side.flags[at] & flag::SENTENCE != 0;
    let mut own = divide(range, begins, value);
    own.retain(|own| {
        let is_border = |at: &usize| *at == range.start || *at == range.end || begins(*at);
        let holds_a_sentence = (own.start..own.end + 1).filter(is_border).nth(1).is_some();
        let extent = side.extent(own);
        holds_a_sentence || f64::from(extent.half_words) >= extent.between(LEAST_INSIDE.0, LEAST_INSIDE.1)
    });
    own
}

/// The own stretches by the division of a range into copied and own ones with the greatest sum: `value` of all that is copied, less
/// what each change costs. `begins` tells where a sentence does.
fn divide(
    range: &Range<usize>,
    begins: impl Fn(usize) -> bool,
    value: impl Fn(usize) -> Evidence,
) -> Vec<Range<usize>> {
    let (between, inside) = (evidence::from_nats(CHANGE_BETWEEN_SENTENCES), evidence::from_nats(CHANGE_INSIDE));
    // The best sums that end as copied and as own text, and for each unit whether either began with it.
    let (mut copied, mut own): (Evidence, Evidence) = (0, 0);
    let mut changes: Vec<(bool, bool)> = Vec::with_capacity(range.len());
    for at in range.clone() {
        let cost = if begins(at) { between } else { inside };
        let (before_copied, before_own) = (copied, own);
        let change = (before_own - cost > before_copied, before_copied - cost > before_own);
        copied = before_copied.max(before_own - cost) + value(at);
        own = before_own.max(before_copied - cost);
        changes.push(change);
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut is_own, mut end) = (own > copied, range.end);
    for at in range.clone().rev() {
        let (copied_begins, own_begins) = changes[at - range.start];
        if is_own && (own_begins || at == range.start) {
            found.push(at..end);
        }
        if if is_own { own_begins } else { copied_begins } {
            (is_own, end) = (!is_own, at);
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The sum of a division, of which `own` tells the own units.
    fn sum(values: &[(Evidence, bool)], own: impl Fn(usize) -> bool) -> Evidence {
        let cost = |at: usize| match values[at].1 {
            true => evidence::from_nats(CHANGE_BETWEEN_SENTENCES),
            false => evidence::from_nats(CHANGE_INSIDE),
        };
        let of_unit = |at: usize| {
            let change = if at > 0 && own(at) != own(at - 1) { cost(at) } else { 0 };
            if own(at) { -change } else { values[at].0 - change }
        };
        (0..values.len()).map(of_unit).sum()
    }

    #[test]
    fn a_side_of_which_little_was_taken_is_drawn_in_to_where_most_of_that_stands() {
        let own = |source: &[Range<usize>]| OwnText { source: source.to_vec(), ..OwnText::default() };
        // Ten units, then thirty, then five, far apart.
        assert_eq!(own(&[10..400, 430..995]).narrowed(&(0..1000)), Some(400..430));
        assert_eq!(own(&[10..400, 430..460, 470..1000]).narrowed(&(0..1000)), Some(400..470), "a sentence between");
        assert_eq!(own(&[100..400, 500..700]).narrowed(&(0..1000)), None, "half was taken");
        assert_eq!(own(&[]).narrowed(&(0..10)), None);
    }

    proptest! {
        #[test]
        fn no_other_division_has_a_greater_sum(
            values in proptest::collection::vec((-3000i64..3000, any::<bool>()), 1..12),
        ) {
            let found = divide(&(0..values.len()), |at| values[at].1, |at| values[at].0);
            let best = sum(&values, |at| found.iter().any(|own| own.contains(&at)));
            let all = (0..1u32 << values.len()).map(|bits| sum(&values, |at| bits >> at & 1 == 1));
            prop_assert_eq!(best, all.max().unwrap());
            prop_assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
