//! A look at one place of two texts: whether aligning them is worth while.
//!
//! Retrieval says where keys of both texts lie near each other. From such a place the two ranges with the greatest
//! [`evidence`] of copying are grown, as the aligner grows a seed, but with what a stretch of the source
//! tells alone: that takes some microseconds, and reads some hundred units. A place is worth while from a share of the
//! evidence that a passage needs, because it may be a part of one; or when a run of equal units goes through it.
//!
//! Two texts of 300 kB have places by chance that are worth while. So of a long source a wider stretch around such a place is
//! aligned as if it were the whole, and the whole only if there is a passage in it.

use super::Aligner;
use super::evidence::{self, Evidence, Share};
use super::features::{self, Submission};
use super::rates;
use super::settings::AlignSettings;
use crate::text::flag;
use crate::text::units::Stretch;
use std::ops::Range;

/// Units of the source that are looked at before and behind a place.
pub const AROUND: u32 = 60;

/// The same around a single key, which may stand in a quotation.
pub const AROUND_QUOTATION: u32 = 40;

/// The same at first: a run that is noted is no shorter than this, and the feature of a Han character holds its neighbour.
pub const BESIDE: u32 = 8;

/// Units of both texts before and behind a place that are aligned in place of a whole source.
pub const ALIGNED_AROUND: u32 = 400;

/// Half words from which growing begins, around the key: the length of the squares that the aligner's seeds are.
const CORE: u32 = 48;

/// The share of the evidence that a passage needs when only what is around a place is aligned: a border of a block of the text, where
/// rates are counted, may lie elsewhere than in the whole.
const ENOUGH_AROUND: f64 = 0.9;

/// The share of a passage's evidence that makes a place worth while, of words and of Han characters: of these chance has
/// less, as their key has four.
const WORTH: f64 = 0.75;
const HAN_WORTH: f64 = 0.45;

/// Counts that are told apart: a stretch that is grown in has no more units.
const COUNTS: usize = 2 * AROUND as usize + 64;

/// Rounds of growing.
const ROUNDS: usize = 4;

/// Half words of a run of equal units that is worth while whatever they are: of words, and of Han characters.
const RUN: u32 = 16;
const HAN_RUN: u32 = 12; // the feature of the thirteenth character holds its neighbour

/// Half words of a run that is noted, of words, and of Han characters, of which the last one's feature holds its neighbour.
const SHORT_RUN: u32 = 12;
const SHORT_HAN_RUN: u32 = 7;

/// Looks at places of a submission and its candidates. Holds scratch memory.
#[derive(Debug)]
pub struct Look<'a> {
    submission: &'a Submission<'a>,
    settings: AlignSettings,
    aligner: Aligner,
    /// The class of each feature's rate in the submission.
    rate: Vec<u16>,
    stretch: Features,
    /// The number of the stretch in which each feature was last seen, and how often.
    seen: Vec<(u32, u32)>,
    stretches: u32,
    /// The class of the rate of a feature that stands so often in the stretch.
    of_count: [u16; COUNTS],
    /// The stamp of the range in which each feature was last seen.
    bag: Vec<u32>,
    stamp: u32,
    /// The runs noted so far, in units of the submission.
    runs: Vec<Range<u32>>,
}

/// The stretch of the source that was taken up, in features of the submission.
#[derive(Debug, Default)]
struct Features {
    first: u32,
    feature: Vec<u32>,
    flags: Vec<u8>,
}

/// The range of one text with the greatest sum of evidence against a range of the other.
struct Best {
    evidence: Evidence,
    range: Range<usize>,
    share: Share,
}

impl<'a> Look<'a> {
    /// Looks for a submission, as somebody who may align with `aligner`.
    pub fn new(submission: &'a Submission<'a>, aligner: &Aligner) -> Self {
        let settings = aligner.settings();
        let around = AlignSettings {
            acceptance: ENOUGH_AROUND * settings.acceptance,
            acceptance_short: ENOUGH_AROUND * settings.acceptance_short,
            ..*settings
        };
        Look {
            settings: *settings,
            aligner: Aligner { settings: around, ..aligner.clone() },
            rate: rates::classes_in(&submission.sorts, &submission.side, settings.rate_smoothing),
            stretch: Features::default(),
            seen: vec![(0, 0); submission.sorts.len()],
            stretches: 0,
            of_count: std::array::from_fn(|count| rates::class_in_stretch(count as u32, settings.rate_smoothing)),
            bag: vec![0; submission.sorts.len()],
            stamp: 0,
            runs: Vec::new(),
            submission,
        }
    }

    /// Takes up a stretch of the source, in which places are looked at next.
    pub fn take_up(&mut self, stretch: &Stretch) {
        let units = stretch.units();
        let Features { first, feature, flags } = &mut self.stretch;
        *first = stretch.first();
        self.stretches += 1;
        flags.clone_from(&units.flags);
        feature.clear();
        for unit in 0..units.len() {
            let number = self.submission.number_of(features::key(units, unit));
            if let Some(seen) = self.seen.get_mut(number as usize) {
                *seen = if seen.0 == self.stretches { (seen.0, seen.1 + 1) } else { (self.stretches, 1) };
            }
            feature.push(number);
        }
    }

    /// Whether the texts may share a passage around a unit of the submission and one of the source, which lies up to
    /// `slack` units behind `source`.
    pub fn is_worth_while(&mut self, submission: u32, source: u32, slack: u32) -> bool {
        let Some((p, q)) = self.places(submission, source) else { return false };
        self.has_run(p, q, slack, (RUN, HAN_RUN))
            || self.grows(core(&self.submission.side.flags, p), core(&self.stretch.flags, q))
    }

    /// Whether a run of equal units that is a quotation by itself goes through a unit of the submission and one of the source,
    /// which lies in `stretch` up to `slack` units behind `source`. The longest run is noted if it has six words or eight Han
    /// characters: too little to be a passage, but many of them are no chance. Nothing is taken up for it, which would take
    /// longer than to compare the few units.
    pub fn is_quotation(&mut self, stretch: &Stretch, submission: u32, source: u32, slack: u32) -> bool {
        let Some((run, is_quotation)) = self.runs_through(stretch, submission, source, slack) else { return false };
        if self.is_noted(&run) {
            self.runs.push(run.start as u32..run.end as u32);
        }
        is_quotation
    }

    /// Whether there may be a run that [`Look::is_quotation`] notes or says yes to: `stretch` need not reach further than
    /// [`BESIDE`] the units that are meant.
    pub fn may_be_quotation(&self, stretch: &Stretch, submission: u32, source: u32, slack: u32) -> bool {
        let found = self.runs_through(stretch, submission, source, slack);
        found.is_some_and(|(run, is_quotation)| is_quotation || self.is_noted(&run))
    }

    /// The longest run through the places, and whether any is a quotation by itself.
    fn runs_through(
        &self,
        stretch: &Stretch,
        submission: u32,
        source: u32,
        slack: u32,
    ) -> Option<(Range<usize>, bool)> {
        let (ours, theirs) = (self.submission.units, stretch.units());
        let (p, q) = (submission as usize, source.checked_sub(stretch.first())?);
        let end = (q + slack + 1).min(theirs.len() as u32);
        if p >= ours.len() {
            return None;
        }
        let equal = |p: usize, q: usize| features::key(ours, p) == features::key(theirs, q);
        // The feature of the last character holds its neighbour.
        let least = (2 * self.settings.quotation, self.settings.quotation_characters.saturating_sub(1));
        let mut longest = (0, 0..0);
        let mut is_quotation = false;
        for q in q..end {
            let Some(run) = run((p, q as usize), (ours.len(), theirs.len()), equal) else { continue };
            is_quotation |= self.is_long(&run, least);
            let extent = self.submission.side.extent(run.start, run.end);
            if extent > longest.0 {
                longest = (extent, run);
            }
        }
        (longest.0 > 0).then_some((longest.1, is_quotation))
    }

    fn is_noted(&self, run: &Range<usize>) -> bool {
        let extent = self.submission.side.extent(run.start, run.end);
        extent >= if self.is_of_han(run) { SHORT_HAN_RUN } else { SHORT_RUN }
    }

    /// The runs noted since they were asked for last.
    pub fn take_runs(&mut self) -> Vec<Range<u32>> {
        std::mem::take(&mut self.runs)
    }

    /// Whether the stretch and as much of the submission around one of its units share a passage if they are aligned by
    /// themselves. The submission's words are as frequent as they are in the whole of it.
    pub fn shares_a_passage(&mut self, submission: u32, stretch: &Stretch) -> bool {
        let range = around(submission, self.submission.units.len());
        let units = self.submission.units.part(range.clone());
        let part = self.submission.part(&units, range);
        self.aligner.finds_any(&part, stretch.units())
    }

    /// The unit of the submission, and that of the source in the stretch, if there are any.
    fn places(&self, submission: u32, source: u32) -> Option<(usize, usize)> {
        let q = source.checked_sub(self.stretch.first)? as usize;
        let p = submission as usize;
        (p < self.submission.side.len() && q < self.stretch.feature.len()).then_some((p, q))
    }

    /// Whether a run of equal units goes through a place, so many half words of words or of Han characters long.
    fn has_run(&self, p: usize, q: usize, slack: u32, least: (u32, u32)) -> bool {
        let end = (q + slack as usize + 1).min(self.stretch.feature.len());
        (q..end).any(|q| self.is_run(p, q, least))
    }

    fn is_of_han(&self, run: &Range<usize>) -> bool {
        2 * han(&self.submission.side.flags[run.clone()]) >= run.len()
    }

    fn is_run(&self, p: usize, q: usize, least: (u32, u32)) -> bool {
        let (side, source) = (&self.submission.side.feature, &self.stretch.feature);
        let run = run((p, q), (side.len(), source.len()), |p, q| side[p] == source[q]);
        run.is_some_and(|run| self.is_long(&run, least))
    }

    fn is_long(&self, run: &Range<usize>, least: (u32, u32)) -> bool {
        let least = match self.settings.verbatim_only {
            Some(strict) => strict.min(RUN) - 1,
            None if self.is_of_han(run) => least.1,
            None => least.0,
        };
        self.submission.side.extent(run.start, run.end) >= least
    }

    /// Whether two ranges grow to be worth while.
    fn grows(&mut self, mut submission: Range<usize>, mut source: Range<usize>) -> bool {
        let first = Share::new(self.settings.copied_share_max);
        let mut shares = (first, first);
        for _ in 0..ROUNDS {
            let before = (submission.clone(), source.clone());
            fill_bag(&mut self.bag, &mut self.stamp, &self.stretch.feature[source.clone()]);
            let side = (&self.submission.side.feature[..], &self.submission.side.flags[..]);
            let Some(ours) = self.best(side, submission, source.len(), shares.0) else { return false };
            submission = ours.range;
            fill_bag(&mut self.bag, &mut self.stamp, &self.submission.side.feature[submission.clone()]);
            let side = (&self.stretch.feature[..], &self.stretch.flags[..]);
            let Some(theirs) = self.best(side, source, submission.len(), shares.1) else { return false };
            source = theirs.range;
            shares = (ours.share, theirs.share);

            let han = han(&self.submission.side.flags[submission.clone()]) as f64 / submission.len().max(1) as f64;
            let passage = self.settings.acceptance * (1.0 + self.settings.han_dependence * han);
            let worth = WORTH + (HAN_WORTH - WORTH) * han;
            if ours.evidence + theirs.evidence >= evidence::from_nats(worth * passage) {
                return true;
            }
            if before == (submission.clone(), source.clone()) {
                return false;
            }
        }
        false
    }

    /// The range of one text, around or in `core`, with the greatest sum of evidence against the range of `other` units
    /// of the other text that is in the bag.
    fn best(&self, text: (&[u32], &[u8]), core: Range<usize>, other: usize, share: Share) -> Option<Best> {
        let (feature, flags) = text;
        let (row, offset) = (self.aligner.table.row(share), evidence::length_offset(other));
        let beyond = |han: usize| (self.settings.reach as usize + core.len() / 2) * (1 + han);
        let beyond = beyond(usize::from(flags[core.start] & flag::HAN));
        let window = core.start.saturating_sub(beyond)..(core.end + beyond).min(feature.len());
        let value = |at: usize| match self.is_in_bag(feature[at]) {
            true => row.agree[self.class(feature[at], offset)],
            false => row.differ,
        };
        let (mut sum, mut least, mut start) = (0, Evidence::MAX, window.start);
        let mut best: Option<(Evidence, Range<usize>)> = None;
        for at in window {
            if at < core.end && sum < least {
                (least, start) = (sum, at);
            }
            sum += Evidence::from(value(at)) >> (flags[at] & flag::HAN);
            if at >= core.start && best.as_ref().is_none_or(|best| sum - least > best.0) {
                best = Some((sum - least, start..at + 1));
            }
        }
        let (evidence, range) = best?;
        let (mut agreeing, mut all) = (0i64, 1i64);
        for at in range.clone() {
            let information = row.information[self.class(feature[at], offset)];
            let information = i64::from(information) << (1 - (flags[at] & flag::HAN));
            all += information;
            agreeing += if self.is_in_bag(feature[at]) { information } else { 0 };
        }
        let share = agreeing as f64 / all as f64;
        let share = Share::new(share.clamp(self.settings.copied_share_min, self.settings.copied_share_max));
        Some(Best { evidence, range, share })
    }

    #[inline]
    fn is_in_bag(&self, feature: u32) -> bool {
        self.bag.get(feature as usize).is_some_and(|&stamp| stamp == self.stamp)
    }

    /// A feature's index into a row of the table.
    #[inline]
    fn class(&self, feature: u32, offset: i32) -> usize {
        let Some(&(stretch, count)) = self.seen.get(feature as usize) else { return 0 };
        let here = if stretch == self.stretches { self.of_count[(count as usize).min(COUNTS - 1)] } else { 0 };
        evidence::index(self.rate[feature as usize].max(here), offset)
    }
}

/// The units of a text of so many around one of them that are aligned in place of the whole.
pub(super) fn around(unit: u32, units: usize) -> Range<usize> {
    let (from, to) = (unit.saturating_sub(ALIGNED_AROUND), unit.saturating_add(ALIGNED_AROUND));
    from as usize..(to as usize).min(units)
}

/// The run of equal units of the first text that goes through a unit of each of two texts, of so many units.
fn run(
    (p, q): (usize, usize),
    (ours, theirs): (usize, usize),
    equal: impl Fn(usize, usize) -> bool,
) -> Option<Range<usize>> {
    if !equal(p, q) {
        return None;
    }
    let before = (1..=p.min(q)).take_while(|&back| equal(p - back, q - back)).count();
    let behind = (0..(ours - p).min(theirs - q)).take_while(|&forth| equal(p + forth, q + forth)).count();
    Some(p - before..p + behind)
}

/// Remembers which features stand in a range.
fn fill_bag(bag: &mut [u32], stamp: &mut u32, features: &[u32]) {
    *stamp += 1;
    for &feature in features {
        if let Some(seen) = bag.get_mut(feature as usize) {
            *seen = *stamp;
        }
    }
}

/// The range from which growing begins: a third of it stands before a place.
fn core(flags: &[u8], at: usize) -> Range<usize> {
    let half_words = |flags: &u8| if flags & flag::HAN == 0 { 2 } else { 1 };
    let taken = |half_words_of: &mut dyn Iterator<Item = u32>, most: u32| {
        let mut left = most;
        half_words_of.take_while(|half_words| left.checked_sub(*half_words).map(|rest| left = rest).is_some()).count()
    };
    let before = taken(&mut flags[..at].iter().rev().map(half_words), CORE / 3);
    let behind = taken(&mut flags[at..].iter().map(half_words), CORE - CORE / 3);
    at - before..at + behind.max(1)
}

/// How many units are Han characters.
fn han(flags: &[u8]) -> usize {
    flags.iter().filter(|flags| *flags & flag::HAN != 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a place is worth while, given by a word (or character) of each text.
    fn looks(submission: &str, source: &str, word: &str, settings: &AlignSettings) -> bool {
        let (a, b) = (Units::from_text(submission), Units::from_text(source));
        let place = |text: &str, units: &Units| {
            let at = text[..text.find(word).unwrap()].chars().count() as u32;
            units.start.partition_point(|start| *start < at) as u32
        };
        let (p, q) = (place(submission, &a), place(source, &b));
        let prepared = Submission::new(&a);
        let mut look = Look::new(&prepared, &Aligner::new(*settings));
        let mut stretch = Stretch::default();
        let (from, to) = (q.saturating_sub(AROUND), (q + AROUND).min(b.len() as u32));
        stretch.begin(from);
        for unit in from as usize..to as usize {
            stretch.push(b.hash[unit], b.stem[unit], b.flags[unit]);
        }
        look.take_up(&stretch);
        // Places are known in steps of some units.
        look.is_worth_while(p, q.saturating_sub(5).max(from), 7)
    }

    fn own(name: &str, words: usize) -> String {
        (0..words).map(|at| format!("{name}{at} ")).collect()
    }

    #[test]
    fn two_keys_are_not_worth_while_and_a_passage_copied_reworded_or_shuffled_is() {
        let passage = "every spring the reeds grow out of last year's mud while grey herons wait along the narrow channel for \
                       young eels and the keeper of the sluice counts the boats that pass below his window";
        let reworded = "each spring reeds rise from the mud of last year and grey herons wait beside the narrow channel for small \
                        eels, while the sluice keeper counts boats passing under his window";
        let shuffled = "below his window the keeper of the sluice counts the boats that pass, while along the narrow channel grey \
                        herons wait for young eels and the reeds grow every spring out of the mud of last year";
        let chance = "an old sluice keeper wrote about grey herons in a letter to his brother who never answered it";
        let balanced = AlignSettings::balanced();
        let source = own("theirs", 300) + passage + &own(" rest", 300);
        let found = |text: &str| looks(&(own("mine", 300) + text + &own(" more", 300)), &source, "herons", &balanced);
        assert!(found(passage) && found(reworded) && found(shuffled));
        assert!(!found(chance));
    }

    #[test]
    fn a_run_of_eight_words_or_thirteen_characters_is_worth_while_whatever_they_are() {
        let balanced = AlignSettings::balanced();
        let often = "it is one of the most of all ".repeat(40);
        let words =
            |run: &str| looks(&(often.clone() + run), &(own("theirs", 50) + run + " " + &often), "we", &balanced);
        assert!(words("we have it all of the most of"));
        let han = |run: &str| {
            let (before, behind) = ("甲乙丙丁戊己庚辛", "子丑寅卯辰巳午未");
            looks(&format!("{before}。{run}。"), &format!("{behind}。{run}。{behind}"), "图", &balanced)
        };
        assert!(han("图书馆的借阅制度与居民阅读"));
    }
}
