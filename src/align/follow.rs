//! Following a passage on: what goes on in both texts at its borders.

use super::candidate::{Candidate, Origin, RangePair, Which, hull};
use super::evidence::Share;
use super::pair::PairAligner;
use std::ops::Range;

/// How far beyond a border either text is looked at, in half words: eighty words.
const STEP: u32 = 160;

/// Nats that what goes on behind a border has, on both sides together. From 8 to 14 PAN's figures stay within .0005; at 4 they lose .011.
const FOLLOWED: f64 = 10.0;

/// The least of it beside a passage that holds a run, in half words: twelve words. Runs have exact borders, and a few words beside them say
/// as little as in [`AlignSettings::beside_quotation`](super::settings::AlignSettings::beside_quotation).
const LEAST_BESIDE_RUN: u32 = 24;

impl PairAligner<'_> {
    /// Draws the borders of passages on, a step at a time, while what stands behind them in one text agrees with what stands behind
    /// them in the other.
    ///
    /// Growing compares a segment with the whole of the other side's range, where in a long passage all words but the rarest stand by
    /// chance. Here the place is known, so eighty words are compared with eighty: pages of which every second content word was
    /// replaced are followed from the sentence that seeds were found in. A passage has no more evidence for that: whether it counts is
    /// decided by what was found without knowing the place, or two abstracts of one build would count.
    pub fn follow(&mut self, candidates: &mut [Candidate]) {
        self.claimed.fill(false);
        for candidate in candidates.iter() {
            self.claim(candidate.submission.clone(), true);
        }
        for candidate in candidates.iter_mut().filter(|candidate| candidate.origin != Origin::Summary) {
            for forwards in [true, false] {
                while let Some(next) = self.next_step(candidate, forwards) {
                    self.claim(next.submission.clone(), true);
                    candidate.submission = hull(&candidate.submission, &next.submission);
                    candidate.source = hull(&candidate.source, &next.source);
                }
            }
        }
    }

    /// What goes on at a border of a candidate.
    fn next_step(&mut self, candidate: &Candidate, forwards: bool) -> Option<RangePair> {
        let window = |which: Which, aligner: &Self| -> Option<Range<usize>> {
            let (side, range) = (aligner.side(which), candidate.range(which));
            let window = match forwards {
                true => range.end..side.forth(range.end, STEP),
                false => side.back(range.start, STEP)..range.start,
            };
            (!window.is_empty()).then_some(window)
        };
        let (mut ours, theirs) = (window(Which::Submission, self)?, window(Which::Source, self)?);
        // As far as the next passage.
        let free = |unit: &usize| !self.claimed[*unit];
        ours = match forwards {
            true => ours.start..ours.start + ours.clone().take_while(free).count(),
            false => ours.end - ours.clone().rev().take_while(free).count()..ours.end,
        };
        if ours.is_empty() {
            return None;
        }
        let at_border = |range: &Range<usize>| match forwards {
            true => range.start..range.start + 1,
            false => range.end - 1..range.end,
        };
        let share = Share::new(self.settings.copied_share_max);
        let ours =
            self.best_segment(Which::Submission, ours.clone(), at_border(&ours), theirs.clone(), share, false)?;
        let core = at_border(&theirs);
        let theirs = self.best_segment(Which::Source, theirs, core, ours.range.clone(), share, false)?;
        let evidence = ours.evidence + theirs.evidence;
        let shorter = self.submission.length(&ours.range).min(self.source.length(&theirs.range));
        let is_enough = candidate.runs.is_none() || shorter >= LEAST_BESIDE_RUN;
        (is_enough && evidence >= self.needed(&ours.range, FOLLOWED))
            .then_some(RangePair { submission: ours.range, source: theirs.range })
    }
}
