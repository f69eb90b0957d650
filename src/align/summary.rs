//! Summaries: a short passage of the submission that follows a long one of the source.
//!
//! Growing finds the pieces, each against the stretch of the source it condenses. Pieces that stand close together
//! in the submission and far apart in the source are one summary, if they say much more together than any stretch
//! of the source as short as the summary itself.

use super::candidate::{Candidate, Origin, Which, hull};
use super::evidence::{self, Evidence, Share};
use super::pair::PairAligner;
use std::ops::Range;

impl PairAligner<'_> {
    /// Takes the parts of summaries out of `candidates` and returns the summaries.
    pub fn take_summaries(&mut self, candidates: &mut Vec<Candidate>) -> Vec<Candidate> {
        let settings = self.settings;
        let least = evidence::from_nats(settings.summary_part);
        let mut parts: Vec<Candidate> = candidates.iter().filter(|c| c.evidence >= least).cloned().collect();
        parts.sort_by_key(|c| (c.submission.start, c.source.start));
        // Parts that stand close together in the submission, each group with the end of its last part.
        let mut groups: Vec<(usize, Vec<Candidate>)> = Vec::new();
        for part in parts {
            let near = |end: usize| {
                end >= part.submission.start
                    || self.submission.length(&(end..part.submission.start)) <= 2 * settings.summary_gap
            };
            match groups.last_mut() {
                Some((end, group)) if near(*end) => {
                    *end = (*end).max(part.submission.end);
                    group.push(part);
                }
                _ => groups.push((part.submission.end, vec![part])),
            }
        }
        let mut summaries = Vec::new();
        for (_, group) in groups {
            if let Some(summary) = self.summary(&group) {
                let (start, end) = (summary.submission.start, summary.submission.end);
                candidates.retain(|c| c.submission.end <= start || c.submission.start >= end);
                summaries.push(summary);
            }
        }
        summaries
    }

    /// The summary that a group of parts makes, if it is one.
    fn summary(&mut self, parts: &[Candidate]) -> Option<Candidate> {
        let settings = self.settings;
        let total: Evidence = parts.iter().map(|p| p.evidence).sum();
        let submission = hull_of(parts, Which::Submission);
        if parts.len() < 2 || total < self.needed(&submission, settings.summary_evidence) {
            return None;
        }
        let (stretch, evidence) = self.best_stretch(parts, &submission);
        if (total as f64) < settings.summary_gain * evidence as f64 {
            return None;
        }
        // What that stretch is worth as a passage of its own.
        self.claim(submission.clone(), false);
        let passage = self.grow(stretch);
        for part in parts {
            self.claim(part.submission.clone(), true);
        }
        if passage.is_some_and(|p| (total as f64) < settings.summary_regrow * p.evidence as f64) {
            return None;
        }
        let source = self.summarised(hull_of(parts, Which::Source), &submission);
        let condensed =
            f64::from(self.source.length(&source)) / f64::from(self.submission.length(&submission)).max(1.0);
        if condensed > settings.summary_most {
            return None;
        }
        self.claim(submission.clone(), false);
        let reach = 2 * settings.reach;
        let window = self.submission.back(submission.start, reach)..self.submission.forth(submission.end, reach);
        let share = Share::new(settings.copied_share_max);
        let best = self.best_segment(Which::Submission, window, submission.clone(), source.clone(), share, true);
        let submission = best.map_or(submission.clone(), |s| hull(&submission, &s.range));
        self.claim(submission.clone(), true);
        let share = Share::new(settings.copied_share_min);
        Some(Candidate { evidence: total, origin: Origin::Summary, ..Candidate::seed(submission, source, share) })
    }

    /// The parts in the best stretch of the source that is about as long as the summary, as one candidate, and the
    /// sum of their evidence.
    fn best_stretch(&self, parts: &[Candidate], submission: &Range<usize>) -> (Candidate, Evidence) {
        let mut parts: Vec<&Candidate> = parts.iter().collect();
        parts.sort_by_key(|p| (p.source.start, p.submission.start));
        let length = self.settings.summary_gain * f64::from(self.submission.length(submission));
        let (mut first, mut sum) = (0, 0);
        let (mut best, mut best_sum) = (0..1, 0);
        for (last, part) in parts.iter().enumerate() {
            sum += part.evidence;
            while f64::from(self.source.length(&(parts[first].source.start..part.source.start))) > length {
                sum -= parts[first].evidence;
                first += 1;
            }
            if sum > best_sum {
                (best, best_sum) = (first..last + 1, sum);
            }
        }
        let stretch = &parts[best];
        let joined = stretch[1..].iter().fold(stretch[0].clone(), |joined, part| self.join(&joined, part));
        (joined, best_sum)
    }

    /// The range of the source that a summary condenses.
    fn summarised(&mut self, parts: Range<usize>, submission: &Range<usize>) -> Range<usize> {
        let whole = 0..self.source.len();
        let share = Share::new(self.settings.copied_share_min);
        let best = self.best_segment(Which::Source, whole.clone(), parts.clone(), submission.clone(), share, false);
        let range = best.map_or(parts.clone(), |s| hull(&parts, &s.range));
        // Whose parts come from all over a text summarises all of it.
        let length = |range: &Range<usize>| f64::from(self.source.length(range));
        if length(&range) >= self.settings.summary_whole * length(&whole) { whole } else { range }
    }
}

/// The shortest range of one text that holds those of all parts.
fn hull_of(parts: &[Candidate], which: Which) -> Range<usize> {
    parts.iter().map(|part| part.range(which).clone()).reduce(|a, b| hull(&a, &b)).unwrap_or(0..0)
}
