//! Summaries: a short passage of the submission that follows a long one of the source.
//!
//! Growing finds the pieces, each against the stretch of the source it condenses. Pieces that stand close together
//! in the submission and far apart in the source are one summary, if they say much more together than any stretch
//! of the source as short as the summary itself.

use super::evidence::{self, Evidence, Share};
use super::pair::{Candidate, Origin, Pair, Which};

impl Pair<'_> {
    /// Takes the parts of summaries out of `candidates` and returns the summaries.
    pub fn take_summaries(&mut self, candidates: &mut Vec<Candidate>) -> Vec<Candidate> {
        let settings = self.settings;
        let least = evidence::from_nats(settings.summary_part);
        let mut parts: Vec<Candidate> = candidates.iter().filter(|c| c.evidence >= least).cloned().collect();
        parts.sort_by_key(|c| (c.submission.start, c.source.start));
        let mut groups: Vec<(usize, Vec<Candidate>)> = Vec::new();
        for part in parts {
            let near = |end: usize| {
                end >= part.submission.start
                    || self.submission.extent(end, part.submission.start) <= 2 * settings.summary_gap
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
        if parts.len() < 1 {
            return None;
        }
        let settings = self.settings;
        let hull = |range: fn(&Candidate) -> std::ops::Range<usize>| {
            let start = parts.iter().map(|p| range(p).start).min();
            let end = parts.iter().map(|p| range(p).end).max();
            start.unwrap_or(0)..end.unwrap_or(0)
        };
        let mut submission = hull(|p| p.submission.clone());
        let mut source = hull(|p| p.source.clone());
        let length = f64::from(self.submission.extent(submission.start, submission.end));
        let spread = f64::from(self.source.extent(source.start, source.end));
        let total: Evidence = parts.iter().map(|p| p.evidence).sum();
        if total < evidence::from_nats(settings.summary_evidence) || spread < settings.summary_spread * length {
            return None;
        }
        // The best stretch of the source that is as long as the summary.
        let mut by_source: Vec<&Candidate> = parts.iter().collect();
        by_source.sort_by_key(|p| (p.source.start, p.submission.start));
        let (mut first, mut sum, mut best) = (0, 0, 0);
        let mut best_parts = 0..1;
        for (k, part) in by_source.iter().enumerate() {
            sum += part.evidence;
            while f64::from(self.source.extent(by_source[first].source.start, part.source.start))
                > settings.summary_window * length
            {
                sum -= by_source[first].evidence;
                first += 1;
            }
            if sum > best {
                best = sum;
                best_parts = first..by_source.len().min(k + 1);
            }
        }
        // What that stretch is worth as a passage of its own.
        if settings.summary_regrow > 0.0 {
            let of = &by_source[best_parts];
            let joined = of.iter().skip(1).fold(of[0].clone(), |a, b| self.join(&a, b));
            self.claim(submission.clone(), false);
            let grown = self.grow(joined);
            for part in parts {
                self.claim(part.submission.clone(), true);
            }
            if let Some(g) = grown
                && (total as f64) < settings.summary_regrow * g.evidence as f64
            {
                return None;
            }
        }
        if std::env::var("DBG").is_ok() {
            let nat = |x: i64| x as f64 / 1024.0;
            let parts_src: u32 = parts.iter().map(|p| self.source.extent(p.source.start, p.source.end)).sum();
            let parts_sub: u32 =
                parts.iter().map(|p| self.submission.extent(p.submission.start, p.submission.end)).sum();
            let maxp = parts.iter().map(|p| p.evidence).max().unwrap_or(0);
            let ordered = by_source.windows(2).filter(|w| w[0].submission.start < w[1].submission.start).count();
            println!(
                "DBG {} {} {} {} {:.1} {:.1} {:.1} {} {} {} {} {} {} {} {}",
                self.submission.len(),
                self.source.len(),
                submission.start,
                submission.end,
                nat(total),
                nat(best),
                nat(maxp),
                parts.len(),
                length / 2.0,
                spread / 2.0,
                parts_sub as f64 / 2.0,
                parts_src as f64 / 2.0,
                self.source.half_words[self.source.len()] as f64 / 2.0,
                ordered,
                source.start
            );
        }
        if (total as f64) < settings.summary_gain * best as f64 {
            return None;
        }
        let all = 0..self.source.len();
        let share = Share::new(settings.summary_share);
        if let Some(s) = self.best_segment(Which::Source, all.clone(), source.clone(), submission.clone(), share, false)
        {
            source = source.start.min(s.range.start)..source.end.max(s.range.end);
        }
        // Whose parts come from all over a text summarises all of it.
        let spread = f64::from(self.source.extent(source.start, source.end));
        if spread >= settings.summary_whole * f64::from(self.source.extent(0, all.end)) {
            source = all.clone();
        }
        self.claim(submission.clone(), false);
        let reach = 2 * settings.reach;
        let window = self.submission.back(submission.start, reach)..self.submission.forth(submission.end, reach);
        let share = Share::new(settings.copied_share_start);
        let segment = self.best_segment(Which::Submission, window, submission.clone(), source.clone(), share, true);
        if let Some(s) = segment {
            submission = submission.start.min(s.range.start)..submission.end.max(s.range.end);
        }
        self.claim(submission.clone(), true);
        let share = Share::new(settings.copied_share_min);
        let origin = Origin::Summary;
        Some(Candidate { submission, source, evidence: total, submission_share: share, source_share: share, origin })
    }
}
