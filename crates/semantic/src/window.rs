//! What of two texts is compared sentence by sentence: sentences around places, and more where a passage goes on. Only some are
//! compared at once: else a work that was translated as a whole would need memory by the square of its length.

use crate::align::Aligned;
use crate::gist::SHORT;
use std::ops::Range;

/// Sentences of a document around a place that are compared at first; where a passage reaches the border, twice as many.
const AROUND: usize = 12;

/// Sentences of either side that are compared at once: 8 MB of numbers. A longer passage is followed piece by piece.
pub(crate) const MOST_AT_ONCE: usize = 400;

/// Pieces of a passage with no more sentences between them on either side are one passage.
const BETWEEN_PIECES: usize = 2;

/// Sentences of the submission and of the document that are compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Window {
    pub(crate) first: Range<usize>,
    pub(crate) second: Range<usize>,
    /// Whether passages are followed to what stands before, and to what comes after.
    directions: (bool, bool),
}

impl Window {
    fn new(first: Range<usize>, second: Range<usize>) -> Self {
        Window { first, second, directions: (true, true) }
    }

    /// What is compared at first: sentences around each place, or all of short texts.
    pub(crate) fn of(places: &[Vec<(usize, usize)>], submission: usize, document: usize) -> Vec<Self> {
        if document <= SHORT && submission <= SHORT {
            return vec![Window::new(0..submission, 0..document)];
        }
        let around = |start: usize, end: usize, all: usize| start.saturating_sub(AROUND)..all.min(end + AROUND);
        let mut windows: Vec<Window> = Vec::new();
        for place in places {
            let first = around(place[0].0, place[place.len() - 1].0 + 1, submission);
            if document <= SHORT {
                windows.push(Window::new(first, 0..document));
                continue;
            }
            // Sentences of one place are near sentences of another, by chance: each stretch of the document is looked at.
            let mut there: Vec<usize> = place.iter().map(|&(_, sentence)| sentence).collect();
            there.sort_unstable();
            let mut stretches: Vec<Range<usize>> = Vec::new();
            for sentence in there {
                let stretch = around(sentence, sentence + 1, document);
                match stretches.last_mut() {
                    Some(last) if stretch.start <= last.end => last.end = stretch.end,
                    _ => stretches.push(stretch),
                }
            }
            windows.extend(stretches.into_iter().map(|second| Window::new(first.clone(), second)));
        }
        windows
    }

    /// Whether a passage that was found holds where this window begins to look: several places lead to one passage.
    pub(crate) fn is_known(&self, found: &[Aligned]) -> bool {
        let at = |range: &Range<usize>| match self.directions {
            (true, true) => range.start.midpoint(range.end),
            (false, _) => range.start,
            (true, false) => range.end - 1,
        };
        let (first, second) = (at(&self.first), at(&self.second));
        found.iter().any(|passage| passage.first.contains(&first) && passage.second.contains(&second))
    }

    /// The window with more on each side that a passage in it reaches.
    pub(crate) fn widened(&self, passages: &[Aligned], submission: usize, document: usize) -> Self {
        let side = |range: &Range<usize>, all: usize, of: fn(&Aligned) -> &Range<usize>| {
            let before = self.directions.0 && passages.iter().any(|passage| of(passage).start == range.start);
            let after = self.directions.1 && passages.iter().any(|passage| of(passage).end == range.end);
            let room = MOST_AT_ONCE.saturating_sub(range.len()) / (1 + usize::from(before && after));
            let more = range.len().min(room);
            let start = if before { range.start.saturating_sub(more) } else { range.start };
            start..if after { all.min(range.end + more) } else { range.end }
        };
        Window {
            first: side(&self.first, submission, |passage| &passage.first),
            second: side(&self.second, document, |passage| &passage.second),
            directions: self.directions,
        }
    }

    /// Where a passage may go on that reaches the border of a window which is as wide as may be.
    pub(crate) fn beyond(&self, passage: &Aligned, submission: usize, document: usize) -> Vec<Self> {
        let (first, second) = (&passage.first, &passage.second);
        let mut windows = Vec::new();
        if self.directions.0 && (first.start == self.first.start || second.start == self.second.start) {
            let before = |end: usize| end.saturating_sub(2 * AROUND)..end;
            let directions = (true, false);
            windows.push(Window { first: before(first.start), second: before(second.start), directions });
        }
        if self.directions.1 && (first.end == self.first.end || second.end == self.second.end) {
            let after = |start: usize, all: usize| start..all.min(start + 2 * AROUND);
            let (first, second) = (after(first.end, submission), after(second.end, document));
            windows.push(Window { first, second, directions: (false, true) });
        }
        windows.retain(|window| !window.first.is_empty() && !window.second.is_empty());
        windows
    }
}

/// Of passages of one submission those of most evidence that do not overlap in it, in its order; pieces of one are made one.
pub(crate) fn joined(mut found: Vec<Aligned>) -> Vec<Aligned> {
    found.sort_by(|a, b| {
        let place = |of: &Aligned| (of.first.start, of.second.start, of.first.end, of.second.end);
        b.evidence.total_cmp(&a.evidence).then_with(|| place(a).cmp(&place(b)))
    });
    let mut kept: Vec<Aligned> = Vec::new();
    for passage in found {
        let overlaps = |other: &Aligned| passage.first.start < other.first.end && other.first.start < passage.first.end;
        if !kept.iter().any(overlaps) {
            kept.push(passage);
        }
    }
    kept.sort_by_key(|passage| passage.first.start);
    let goes_on = |before: &Range<usize>, after: &Range<usize>| {
        after.start >= before.end && after.start - before.end <= BETWEEN_PIECES
    };
    let mut joined: Vec<Aligned> = Vec::new();
    for passage in kept {
        match joined.last_mut() {
            Some(last) if goes_on(&last.first, &passage.first) && goes_on(&last.second, &passage.second) => {
                (last.first.end, last.second.end) = (passage.first.end, passage.second.end);
                last.evidence += passage.evidence;
                last.links.extend(passage.links);
            }
            _ => joined.push(passage),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(first: Range<usize>, second: Range<usize>, evidence: f32) -> Aligned {
        Aligned { links: vec![(first.clone(), second.clone())], first, second, evidence }
    }

    #[test]
    fn a_passage_is_followed_through_the_whole_of_two_long_texts_and_no_window_is_larger_than_allowed() {
        let all = 5000;
        let places = [(2000..2006).map(|sentence| (sentence, sentence)).collect()];
        let mut left = Window::of(&places, all, all);
        let mut found = Vec::new();
        while let Some(mut window) = left.pop().filter(|window| !window.is_known(&found)) {
            let aligned = loop {
                assert!(window.first.len() <= MOST_AT_ONCE && window.second.len() <= MOST_AT_ONCE);
                // All of both texts says the same, sentence by sentence.
                let same = window.first.start.max(window.second.start)..window.first.end.min(window.second.end);
                let aligned = vec![passage(same.clone(), same, 10.0)];
                let wider = window.widened(&aligned, all, all);
                if wider == window {
                    break aligned;
                }
                window = wider;
            };
            left.extend(aligned.iter().flat_map(|passage| window.beyond(passage, all, all)));
            found.extend(aligned);
        }
        let joined = joined(found);
        assert_eq!((joined.len(), joined[0].first.clone()), (1, 0..all));
        assert_eq!(joined[0].links.iter().map(|(first, _)| first.len()).sum::<usize>(), all);
    }

    #[test]
    fn places_of_a_short_submission_that_lie_in_any_order_in_a_long_document_have_a_window_each() {
        let place =
            |first: usize, second: usize| (0..6).map(|sentence| (first + sentence, second + sentence)).collect();
        let windows = Window::of(&[place(0, 2000), place(6, 300), place(12, 1990)], 30, 3000);
        let seconds: Vec<Range<usize>> = windows.iter().map(|window| window.second.clone()).collect();
        assert_eq!(seconds, [1988..2018, 288..318, 1978..2008]);
    }

    #[test]
    fn of_passages_that_overlap_the_one_of_most_evidence_stays_whatever_their_order() {
        let (weak, strong) = (passage(0..6, 40..46, 11.0), passage(4..9, 20..25, 15.0));
        let apart = passage(12..15, 28..31, 12.0);
        for found in [vec![weak.clone(), strong.clone(), apart.clone()], vec![apart.clone(), strong.clone(), weak]] {
            assert_eq!(joined(found), [strong.clone(), apart.clone()]);
        }
    }
}
