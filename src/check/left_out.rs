//! What of a submission does not count, as what was found tells: parts, forms, set phrases, templates and what very many hold.

use super::error::CheckError;
use super::findings::{Findings, FoundSource};
use super::{forms, set_phrases};
use crate::align::Match;
use crate::score::Countable;
use crate::score::exclusion::{self, Exclusion};
use crate::score::passages::part_of;
use crate::text::NotCounted;
use std::ops::Range;

impl Findings {
    /// The same, if something of the submission counts: a ratio of nothing would read as a clean text.
    pub(super) fn unless_nothing_counts(self) -> Result<Self, CheckError> {
        match Countable::outside(self.units(), &self.parts_left_out()).total() {
            0 => Err(CheckError::NothingLeft),
            _ => Ok(self),
        }
    }

    /// What of the submission does not count, in order and apart.
    pub(crate) fn exclusions(&self) -> Vec<Exclusion> {
        let matched: Vec<Range<u32>> = self.sources.iter().flat_map(FoundSource::ranges).collect();
        let unjudged = exclusion::unjudged(&self.submission.layout, self.units(), &matched);
        exclusion::apart([self.parts_left_out(), unjudged].concat())
    }

    /// The same without text of which it is not known whether a reader sees it: what that is depends on what was found.
    fn parts_left_out(&self) -> Vec<Exclusion> {
        let mut exclusions = Vec::new();
        if !self.count_all_parts {
            exclusions = exclusion::of_parts(self.structure(), self.units());
            // Forms stand with the title page.
            let reason = NotCounted::TitlePage;
            exclusions.extend(forms::of_submission(self).into_iter().map(|units| Exclusion::of_itself(reason, units)));
            let reason = NotCounted::SetPhrase;
            exclusions
                .extend(set_phrases::of_submission(self).into_iter().map(|units| Exclusion::of_others(reason, units)));
        }
        exclusions.extend(self.templates.iter().map(|units| Exclusion::of_others(NotCounted::Template, units.clone())));
        exclusions.extend(self.common().map(|units| Exclusion::of_others(NotCounted::Common, units)));
        let exclusions = exclusion::apart(exclusions);
        // A passage that does not count counts nowhere, though a little of it may stand outside of the part.
        let all = Countable::new(self.units());
        let mut beyond = Vec::new();
        for place in self.places() {
            if let Some(part) = part_of(&place.submission, &all, &exclusions) {
                beyond.extend(place.copied().into_iter().map(|units| Exclusion { units, ..part.clone() }));
            }
        }
        exclusion::apart([exclusions, beyond].concat())
    }

    /// The passages that too many documents hold to be counted, in units.
    fn common(&self) -> impl Iterator<Item = Range<u32>> {
        let is_common = |units: &Range<u32>| self.ignore_common.is_some_and(|least| self.holders.of(units) >= least);
        self.places().filter(move |place| is_common(&place.submission)).flat_map(Match::copied)
    }
}
