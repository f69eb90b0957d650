//! A look at one place of two texts: whether aligning them is worth while.
//!
//! Retrieval says where keys of both texts lie near each other. From such a place the two ranges with the greatest
//! [`evidence`] of copying are grown, as the aligner grows a seed, but with what a stretch of the source
//! tells alone: that takes some microseconds, and reads some hundred units. A place is worth while from a share of the
//! evidence that a passage needs, because it may be a part of one; or when a run of equal units goes through it.
//!
//! Two texts of 300 kB have places by chance that are worth while. So of a long source a wider stretch around such a place is
//! aligned as if it were the whole, and the whole only if there is a passage in it.

use super::aligner::{Aligner, PassageCounts};
use super::bag::Bag;
use super::beside::SHORT_PASSAGES;
use super::best_range::best_range;
use super::evidence::{self, Evidence, Share};
use super::exact::WORDS_TO_CHARACTERS;
use super::extent::{Extent, half_words};
use super::features;
use super::rates;
use super::sentence::Sentence;
use super::settings::AlignSettings;
use super::side::{class_of, rate_classes};
use super::submission::Submission;
use crate::text::flag;
use crate::text::units::Stretch;
use std::ops::Range;

/// Reworded sentences of a document from which on it is worth aligning though there is no passage: as many as count beside each other.
pub const REWORDED_SENTENCES: usize = SHORT_PASSAGES;

/// Units of the source that are looked at before and behind a place. With 120, also beside single keys, a check of PAN's texts took a
/// fifth more time and some rows of 9,800 were others (docs/SCALE.md, *How much a look reads*).
pub const AROUND: u32 = 60;

/// The same around a single key, which may stand in a quotation. Chosen by hand; not measured apart.
pub const AROUND_QUOTATION: u32 = 40;

/// The same at first: a run that is noted is no shorter than this, and the feature of a Han character holds its neighbour.
pub const BESIDE: u32 = 8;

/// The share of the evidence that a passage needs when only what is around a place is aligned: a border of a block of the text, where
/// rates are counted, may lie elsewhere than in the whole. Chosen by hand; not measured apart.
const ENOUGH_AROUND: f64 = 0.9;

/// The share of a passage's evidence that makes a place worth while, where all is words: it may be a part of the passage. Chosen by
/// hand; not measured apart.
const WORTH: f64 = 0.75;

/// The same in a long source, where what is around the place is aligned next, which takes thirty times as long, and chance is met oftener.
/// Of the places between the two shares, one in 200 has a passage (books), and that is found at another place too: with 0.75 the same of 1,667 planted
/// passages are found (docs/SCALE.md).
const WORTH_IN_LONG: f64 = 0.9;

/// The same where all is Han characters. Of these chance has less, as their key has four. Chosen by hand, as [`WORTH`].
const HAN_WORTH: f64 = 0.45;

/// Numbers of occurrences that are told apart, of a feature in a stretch: a stretch that is grown in has no more units.
const COUNTS: usize = 2 * AROUND as usize + 64;

/// Rounds of growing: hardly any place needs more, and it is enough to come near to a passage. Chosen by hand; not measured apart.
const ROUNDS: usize = 4;

/// The least half words, of words and of Han characters, of a run of equal units that is looked for.
#[derive(Clone, Copy)]
struct LeastRun {
    words: u32,
    han: u32,
}

impl LeastRun {
    /// A run that is worth while whatever its units are: one that the aligner joins. By default eight words, or thirteen characters, of which
    /// the last one's feature holds its neighbour.
    fn joined(settings: &AlignSettings) -> Self {
        let least = settings.joined_run;
        LeastRun { words: least * WORDS_TO_CHARACTERS.0 / WORDS_TO_CHARACTERS.1, han: least }
    }
}

/// A run that is noted: six words, or eight characters, of which the last one's feature holds its neighbour. Chosen by hand; not
/// measured apart.
const SHORT_RUN: LeastRun = LeastRun { words: 12, han: 7 };

/// Looks at places of a submission and its candidates. Holds scratch memory.
///
/// It says where aligning is worth while, and never what is shared: for that there is the [`Aligner`].
#[derive(Debug)]
pub struct Look<'a> {
    submission: &'a Submission<'a>,
    settings: AlignSettings,
    /// One that finds a little more than it must, for what is cut out of its text.
    eager: Aligner,
    /// The class of each feature's rate in the submission.
    rate: Vec<u16>,
    taken_up: TakenUp,
    /// How often each feature stands in the stretch that was taken up.
    counts: Bag,
    /// The class of the rate of a feature by how often it stands in the stretch.
    of_count: [u16; COUNTS],
    /// The features of the range that is compared with.
    bag: Bag,
    /// The runs noted so far, in units of the submission.
    runs: Vec<Range<u32>>,
}

/// The stretch of the source that was taken up, in features of the submission.
#[derive(Debug, Default)]
struct TakenUp {
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
    /// Looks for a submission that may be aligned with `aligner` afterwards.
    pub fn new(submission: &'a Submission<'a>, aligner: &Aligner) -> Self {
        let (settings, features) = (aligner.settings, submission.sorts().len());
        let mut rate = Vec::new();
        rate_classes(submission.sorts(), &submission.side, &submission.side, settings.rate_smoothing, &mut rate);
        Look {
            submission,
            settings,
            eager: aligner.accepting(ENOUGH_AROUND),
            rate,
            taken_up: TakenUp::default(),
            counts: Bag::new(features),
            of_count: std::array::from_fn(|count| rates::class_in_stretch(count as u32, settings.rate_smoothing)),
            bag: Bag::new(features),
            runs: Vec::new(),
        }
    }

    /// Takes up a stretch of the source, in which places are looked at next.
    pub fn take_up(&mut self, stretch: &Stretch) {
        let (units, submission) = (stretch.units(), self.submission);
        let TakenUp { first, feature, flags } = &mut self.taken_up;
        *first = stretch.first();
        flags.clone_from(&units.flags);
        feature.clear();
        feature.extend((0..units.len()).map(|unit| submission.number_of(features::key(units, unit))));
        self.counts.fill(feature.iter().copied());
    }

    /// Whether the texts may share a passage around a unit of the submission and one of the source, which lies up to
    /// `slack` units behind `source`, as much as is worth while in a long source or a short one.
    pub fn is_worth_while(&mut self, submission: u32, source: u32, slack: u32, is_long: bool) -> bool {
        let (ours, theirs) = (&self.submission.side, &self.taken_up);
        let equal = |p: usize, q: usize| ours.feature[p] == theirs.feature[q];
        let lengths = (ours.len(), theirs.feature.len());
        let Some(places) = Places::new((submission, source), slack, theirs.first, lengths) else { return false };
        if places.runs(equal).any(|run| self.is_long(&run, LeastRun::joined(&self.settings))) {
            return true;
        }
        let worth = if is_long { WORTH_IN_LONG } else { WORTH };
        // The length of the squares that the aligner's seeds are.
        let length = 4 * self.settings.block;
        self.grows(core(&ours.flags, places.unit, length), core(&theirs.flags, places.first, length), worth)
    }

    /// Whether a run of equal units that is a quotation by itself goes through a unit of the submission and one of the source,
    /// which lies in `stretch` up to `slack` units behind `source`. The longest run is noted if it has six words or eight Han
    /// characters: too little to be a passage, but many of them are no chance. Nothing is taken up for it, which would take
    /// longer than to compare the few units.
    pub fn is_quotation(&mut self, stretch: &Stretch, submission: u32, source: u32, slack: u32) -> bool {
        let Some((run, is_quotation)) = self.longest_run(stretch, submission, source, slack) else { return false };
        if self.is_noted(&run) {
            self.runs.push(run.start as u32..run.end as u32);
        }
        is_quotation
    }

    /// Whether there may be a run that [`Look::is_quotation`] notes or says yes to: `stretch` need not reach further than
    /// [`BESIDE`] the units that are meant.
    pub fn may_be_quotation(&self, stretch: &Stretch, submission: u32, source: u32, slack: u32) -> bool {
        let found = self.longest_run(stretch, submission, source, slack);
        found.is_some_and(|(run, is_quotation)| is_quotation || self.is_noted(&run))
    }

    /// The longest run through the places, the first of equal ones, and whether any is a quotation by itself.
    fn longest_run(&self, stretch: &Stretch, submission: u32, source: u32, slack: u32) -> Option<(Range<usize>, bool)> {
        let (ours, theirs) = (self.submission.units, stretch.units());
        let equal = |p: usize, q: usize| features::key(ours, p) == features::key(theirs, q);
        let places = Places::new((submission, source), slack, stretch.first(), (ours.len(), theirs.len()))?;
        let quotation = LeastRun {
            words: 2 * self.settings.quotation,
            han: self.settings.quotation_characters.saturating_sub(1), // the last feature holds one more
        };
        let (mut longest, mut is_quotation): (Option<(u32, Range<usize>)>, bool) = (None, false);
        for run in places.runs(equal) {
            is_quotation |= self.is_long(&run, quotation);
            let length = self.submission.side.length(&run);
            if longest.as_ref().is_none_or(|longest| length > longest.0) {
                longest = Some((length, run));
            }
        }
        longest.map(|(_, run)| (run, is_quotation))
    }

    fn is_noted(&self, run: &Range<usize>) -> bool {
        self.submission.side.length(run) >= self.least(run, SHORT_RUN)
    }

    /// The runs noted since they were asked for last.
    pub fn take_runs(&mut self) -> Vec<Range<u32>> {
        std::mem::take(&mut self.runs)
    }

    /// The first unit of the submission's sentence around a unit, if it is a sentence of the stretch reworded, one around `source` or up to
    /// `slack` units behind it.
    pub fn reworded_sentence(&self, stretch: &Stretch, submission: u32, source: u32, slack: u32) -> Option<u32> {
        let (ours, theirs) = (self.submission.units, stretch.units());
        let places = Places::new((submission, source), slack, stretch.first(), (ours.len(), theirs.len()))?;
        let here = Sentence::around(ours, places.unit)?;
        let last = places.end - 1;
        let first = Sentence::around(theirs, places.first);
        let is_of_first = first.as_ref().is_some_and(|first| first.range.contains(&last));
        let next = if is_of_first { None } else { Sentence::around(theirs, last) };
        let is_it = [first, next].iter().flatten().any(|there| here.is_reworded(there));
        is_it.then_some(here.range.start as u32)
    }

    /// The passages that the stretch and as much of the submission around one of its units share if they are aligned by
    /// themselves. The submission's words are as frequent as they are in the whole of it.
    pub fn passages_around(&mut self, submission: u32, stretch: &Stretch) -> PassageCounts {
        self.eager.count_around(self.submission, submission, stretch, ENOUGH_AROUND)
    }

    /// The half words that a run of these units must have.
    fn least(&self, run: &Range<usize>, least: LeastRun) -> u32 {
        let is_of_han = Extent::of(&self.submission.side.flags[run.clone()]).han >= 0.5;
        if is_of_han { least.han } else { least.words }
    }

    fn is_long(&self, run: &Range<usize>, least: LeastRun) -> bool {
        let least = match self.settings.verbatim_only {
            Some(strict) => strict.min(LeastRun::joined(&self.settings).words) - 1,
            None => self.least(run, least),
        };
        self.submission.side.length(run) >= least
    }

    /// Whether two ranges grow to have `worth` times the evidence of a passage of words, or what is worth while of Han characters.
    fn grows(&mut self, mut submission: Range<usize>, mut source: Range<usize>, worth: f64) -> bool {
        let first = Share::new(self.settings.copied_share_max);
        let mut shares = (first, first);
        let (ours, flags) = (&self.submission.side.feature, &self.submission.side.flags);
        for _ in 0..ROUNDS {
            let before = (submission.clone(), source.clone());
            self.bag.fill(self.taken_up.feature[source.clone()].iter().copied());
            let Some(here) = self.best((ours, flags), submission, source.len(), shares.0) else { return false };
            submission = here.range;
            self.bag.fill(ours[submission.clone()].iter().copied());
            let taken_up = (&self.taken_up.feature[..], &self.taken_up.flags[..]);
            let Some(there) = self.best(taken_up, source, submission.len(), shares.1) else { return false };
            source = there.range;
            shares = (here.share, there.share);

            // A place is worth while from a share of what a passage of its script needs.
            let extent = self.submission.side.extent(&submission);
            let passage = self.settings.acceptance * (1.0 + self.settings.han_dependence * extent.han);
            let worth = extent.between(worth, HAN_WORTH);
            if here.evidence + there.evidence >= evidence::from_nats(worth * passage) {
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
        let (row, offset) = (self.eager.table.row(share), evidence::length_offset(other));
        let beyond = |han: usize| (self.settings.reach as usize + core.len() / 2) * (1 + han);
        let beyond = beyond(usize::from(flags[core.start] & flag::HAN));
        let window = core.start.saturating_sub(beyond)..(core.end + beyond).min(feature.len());
        // Few units agree, so that their classes are found when they do.
        let bag = self.bag.filled();
        let value = |at: usize| {
            let agrees = bag.of(feature[at]).0;
            let class = if agrees { self.class(feature[at], offset) } else { 0 };
            Some(Evidence::from(row.value(class, flags[at], agrees, false)))
        };
        let (evidence, range) = best_range(window, core, value, |_| 0)?;
        let (agreeing, all) =
            row.information_in(range.clone(), |at| (self.class(feature[at], offset), flags[at], bag.of(feature[at]).0));
        let share = agreeing as f64 / (all + 1) as f64;
        let share = Share::new(share.clamp(self.settings.copied_share_min, self.settings.copied_share_max));
        Some(Best { evidence, range, share })
    }

    /// A feature's index into a row of the table.
    #[inline]
    fn class(&self, feature: u32, offset: u16) -> usize {
        let rate = class_of(&self.rate, feature);
        let count = self.counts.left(feature).unwrap_or(0) as usize;
        evidence::index(rate.max(self.of_count[count.min(COUNTS - 1)]), offset)
    }
}

/// A unit of the submission, and the units of a stretch of the source that may be the same one.
struct Places {
    unit: usize,
    first: usize,
    end: usize,
    /// How many units there are in either text.
    lengths: (usize, usize),
}

impl Places {
    /// Of a unit of each text, of which the source's lies up to `slack` units behind; `first` is the number of the stretch's
    /// first unit. `None` where there is no such unit.
    fn new((ours, theirs): (u32, u32), slack: u32, first: u32, lengths: (usize, usize)) -> Option<Self> {
        let (unit, from) = (ours as usize, theirs.checked_sub(first)? as usize);
        let end = (from + slack as usize + 1).min(lengths.1);
        (unit < lengths.0 && from < lengths.1).then_some(Places { unit, first: from, end, lengths })
    }

    /// The runs of equal units of the submission that go through one of the places.
    fn runs(&self, equal: impl Fn(usize, usize) -> bool) -> impl Iterator<Item = Range<usize>> {
        let (p, lengths) = (self.unit, self.lengths);
        (self.first..self.end).filter_map(move |q| {
            if !equal(p, q) {
                return None;
            }
            let before = (1..=p.min(q)).take_while(|&back| equal(p - back, q - back)).count();
            let behind = (0..(lengths.0 - p).min(lengths.1 - q)).take_while(|&on| equal(p + on, q + on)).count();
            Some(p - before..p + behind)
        })
    }
}

/// The range, `length` half words long, from which growing begins: a third of it stands before a place.
fn core(flags: &[u8], at: usize, length: u32) -> Range<usize> {
    let taken = |flags: &mut dyn Iterator<Item = &u8>, most: u32| {
        let mut left = most;
        flags.take_while(|flags| left.checked_sub(half_words(flags)).map(|rest| left = rest).is_some()).count()
    };
    let before = taken(&mut flags[..at].iter().rev(), length / 3);
    let behind = taken(&mut flags[at..].iter(), length - length / 3);
    at - before..at + behind.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::units::Units;

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
        look.is_worth_while(p, q.saturating_sub(5).max(from), 7, false)
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
