//! Evidence: how much better copying explains an agreement than chance does.
//!
//! A unit of one text whose feature stands somewhere in the other text's range agrees by chance with probability
//! `po = max(floor, 1 − e^(−n·r))`, where `n` is the range's length in units and `r` the feature's rate, the
//! greater of its rates in both texts with one occurrence left out. If a share `μ` of the passage is copied, a unit
//! agrees with probability `μ + (1 − μ)·po`. Its evidence is the log-likelihood ratio of the two: `ln(1 + μ(1 −
//! po)/po)` for one that agrees and `ln(1 − μ)` for one that does not. Frequent words have `po` near 1 and so no
//! weight, which makes stop lists and collection statistics unnecessary.
//!
//! Everything is tabulated as integers: sums are then the same in any order and on any machine. Rates and lengths
//! are classed by eighths of an octave, so that the class of a product is the sum of the classes.

use super::settings::AlignSettings;
use crate::text::flag;
use std::hint::select_unpredictable;
use std::ops::Range;

/// Integer evidence per nat.
pub const NAT: f64 = 1024.0;

/// Evidence in 1/1024 nat.
pub type Evidence = i64;

/// Turns nats into integer evidence.
pub fn from_nats(nats: f64) -> Evidence {
    (nats * NAT).round() as Evidence
}

/// The class of a positive number: eighths of an octave, ascending.
#[inline]
pub fn class(x: f32) -> u16 {
    (x.to_bits() >> 20) as u16
}

/// The class of 1.
const ONE: u16 = 127 << 3;
/// Classes below 1 that are told apart: six octaves. At 1/64 chance is at the floor of 0.025 already.
const BELOW_ONE: u16 = 6 << 3;
/// Classes above 1 that are told apart: three octaves. At 8 an agreement by chance is as good as certain.
const ABOVE_ONE: u16 = 3 << 3;
/// Least class of `n·r` that is told apart (about 0.016).
const LOW: u16 = ONE - BELOW_ONE;
/// Classes of `n·r` that are told apart; the greatest is 8.
const CLASSES: usize = (BELOW_ONE + ABOVE_ONE + 1) as usize;
/// Steps in which the copied share is counted. Chosen by hand; not measured apart.
const SHARE_STEPS: usize = 64;

/// The tabulated evidence of agreeing and of differing units.
#[derive(Debug, Clone)]
pub struct EvidenceTable {
    /// For each copied share and class of `n·r`: evidence of an agreeing unit.
    agree: Vec<[i32; CLASSES]>,
    /// For each copied share: evidence of a differing unit (negative).
    differ: Vec<i32>,
    /// For each class of `n·r`: 1 − po in 1/1024.
    information: [i32; CLASSES],
    /// For each class of `n·r`: −ln po.
    surprise: [i32; CLASSES],
}

/// One row of the table: the evidence for a given copied share.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// Evidence of an agreeing unit by class of `n·r`.
    pub agree: &'a [i32; CLASSES],
    /// 1 − po by class of `n·r`.
    pub information: &'a [i32; CLASSES],
    /// Evidence of a differing unit.
    pub differ: i32,
}

impl Row<'_> {
    /// The evidence of a unit by its class of `n·r` and its flags: whether it agrees with the other text's range, and whether another
    /// one has used up what it agrees with. There is no branch in it, because no processor can guess which unit agrees: with branches the
    /// aligner's scan took nearly half as long again (PAN 2013).
    #[inline]
    pub fn value(&self, class: usize, flags: u8, agrees: bool, is_used_up: bool) -> i32 {
        let agreeing = select_unpredictable(is_used_up, 0, self.agree[class]);
        select_unpredictable(agrees, agreeing, self.differ) >> (flags & flag::HAN)
    }

    /// How much information a range of units has: what of it agrees, and all. `of_unit` gives the class of a unit's `n·r`, its
    /// flags, and whether it agrees. A word has twice the information of a Han character.
    #[inline]
    pub fn information_in(&self, range: Range<usize>, of_unit: impl Fn(usize) -> (usize, u8, bool)) -> (i64, i64) {
        let (mut agreeing, mut all) = (0, 0);
        for unit in range {
            let (class, flags, agrees) = of_unit(unit);
            let information = i64::from(self.information[class]) << (1 - (flags & flag::HAN));
            all += information;
            agreeing += if agrees { information } else { 0 };
        }
        (agreeing, all)
    }
}

impl EvidenceTable {
    /// Tabulates the evidence for the floor of the chance probability that the settings give.
    pub fn new(settings: &AlignSettings) -> Self {
        // The chance that a feature of each class of n·r agrees.
        let mut po = [0.0f64; CLASSES];
        for (k, po) in po.iter_mut().enumerate() {
            // Both factors were rounded down to their class, so the middle of the product lies one class higher.
            let x = f32::from_bits((u32::from(LOW) + k as u32 + 1) << 20);
            *po = (1.0 - (-f64::from(x)).exp()).max(settings.chance_floor);
        }
        po[0] = settings.chance_floor;
        let share = |step: usize| step as f64 / SHARE_STEPS as f64;
        Self {
            agree: (0..SHARE_STEPS)
                .map(|step| po.map(|po| from_nats((1.0 + share(step) * (1.0 - po) / po).ln()) as i32))
                .collect(),
            differ: (0..SHARE_STEPS).map(|step| from_nats((1.0 - share(step)).ln()) as i32).collect(),
            information: po.map(|po| ((1.0 - po) * NAT).round() as i32),
            surprise: po.map(|po| from_nats(-po.ln()) as i32),
        }
    }

    /// The row of a copied share.
    pub fn row(&self, share: Share) -> Row<'_> {
        let step = usize::from(share.0);
        Row { agree: &self.agree[step], information: &self.information, differ: self.differ[step] }
    }

    /// The surprise, −ln po, of an agreement by chance.
    pub fn surprise(&self, index: usize) -> i32 {
        self.surprise[index]
    }
}

/// A share of copied units, in 64ths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(u8);

impl Share {
    /// The nearest share to `x` that has a row.
    pub fn new(x: f64) -> Self {
        Self((x * SHARE_STEPS as f64).round().clamp(1.0, (SHARE_STEPS - 1) as f64) as u8)
    }
}

/// The class of a rate with which a feature stands in any range.
pub const CERTAIN: u16 = ONE + ABOVE_ONE;

/// What is taken from a rate's class to have an index of the table, for a range of `n` units.
pub fn length_offset(n: usize) -> u16 {
    ONE + LOW - class(n.max(1) as f32)
}

/// The index into a row of a feature with this rate class.
#[inline]
pub fn index(rate_class: u16, length_offset: u16) -> usize {
    usize::from(rate_class.saturating_sub(length_offset)).min(CLASSES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_agreement_is_worth_more_than_a_frequent_one_and_a_difference_less_than_nothing() {
        let table = EvidenceTable::new(&AlignSettings::balanced());
        let row = table.row(Share::new(0.4));
        let offset = length_offset(100);
        let of = |count: u16| row.agree[index(class(f32::from(count - 1) / 1030.0), offset)];
        assert!(of(1) > of(5) && of(5) > of(50) && of(50) > of(500) && of(500) >= 0);
        assert!(row.differ < 0);
        // ln(1 + 0.4 · 0.975 / 0.025), the share rounded to 64ths.
        assert!((f64::from(of(1)) / NAT - 2.83).abs() < 0.03, "{}", of(1));
    }

    #[test]
    fn classes_of_products_are_sums_of_classes() {
        for (rate, n) in [(0.001f32, 64usize), (0.01, 128), (0.25, 16)] {
            let sum = index(class(rate), length_offset(n));
            let product = index(class(rate * n as f32), length_offset(1));
            assert!(sum.abs_diff(product) <= 1, "{rate} {n}");
        }
    }

    #[test]
    fn shares_are_kept_inside_the_table() {
        let table = EvidenceTable::new(&AlignSettings::balanced());
        for share in [-1.0, 0.0, 0.5, 1.0, 7.0] {
            assert!(table.row(Share::new(share)).differ < 0);
        }
    }
}
