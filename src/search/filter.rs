//! Which documents of an index a submission is compared with.

use crate::index::Record;
use crate::text::Metadata;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Conditions on the documents of an index; all that are given must hold. A document whose time nobody knows is neither
/// before nor after another: a condition on time leaves it out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only documents of this time or later, in seconds since 1970 (UTC).
    pub since: Option<i64>,
    /// Only documents of before this time, in seconds since 1970 (UTC).
    pub until: Option<i64>,
    /// Only documents of one of these collections; empty for all.
    pub collections: Vec<String>,
    /// No documents of the submission's own author.
    pub exclude_same_author: bool,
    /// No documents with these ids.
    pub exclude_ids: Vec<String>,
}

impl Filter {
    /// Whether no condition is given.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Whether there is a condition on time.
    pub fn asks_for_time(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// Whether a document is to be compared with a submission.
    pub fn admits(&self, document: &Record, submission: &Metadata) -> bool {
        self.admits_known(&document.id, &document.metadata, document.time(), submission)
    }

    /// The same for a document that no index holds; its time in seconds since 1970 (UTC), where it is known.
    pub fn admits_known(&self, id: &str, metadata: &Metadata, time: Option<i64>, submission: &Metadata) -> bool {
        self.since.is_none_or(|since| time.is_some_and(|time| time >= since))
            && self.until.is_none_or(|until| time.is_some_and(|time| time < until))
            && (self.collections.is_empty()
                || metadata.collection.as_ref().is_some_and(|c| self.collections.contains(c)))
            && !(self.exclude_same_author && same_author(metadata, submission))
            && !self.exclude_ids.iter().any(|excluded| excluded == id)
    }

    /// The seconds since 1970 (UTC) of a date or time as ISO 8601 writes it: `2026`, `2026-03`, `2026-03-31`,
    /// `2026-03-31T10:00:00`, with or without an offset.
    pub fn seconds_of(date: &str) -> Option<i64> {
        let date = date.trim();
        if let Ok(timestamp) = date.parse::<jiff::Timestamp>() {
            return Some(timestamp.as_second());
        }
        let whole = match date.len() {
            4 => format!("{date}-01-01"),
            7 => format!("{date}-01"),
            _ => date.to_owned(),
        };
        let time: DateTime = whole.parse().ok()?;
        Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
    }

    /// The seconds of an age: `7d`, `12h`, `30m`, `2w`.
    pub fn seconds_of_age(age: &str) -> Option<i64> {
        let (number, unit) = age.split_at_checked(age.len().checked_sub(1)?)?;
        let seconds = match unit {
            "m" => 60,
            "h" => 3_600,
            "d" => 86_400,
            "w" => 604_800,
            _ => return None,
        };
        number.parse::<u32>().ok().map(|n| i64::from(n) * seconds)
    }
}

impl Record {
    /// The time of the document, in seconds since 1970 (UTC): its date, where that is one, else when it was added. A document that
    /// was read for one check was never added, so without a date its time is not known.
    pub fn time(&self) -> Option<i64> {
        self.metadata.date.as_deref().and_then(Filter::seconds_of).or(Some(self.added).filter(|&added| added > 0))
    }
}

/// Whether two documents have the same author, as far as both tell.
pub(crate) fn same_author(first: &Metadata, second: &Metadata) -> bool {
    let name = |metadata: &Metadata| metadata.author.as_deref().map(comparable).filter(|name| !name.is_empty());
    name(first).is_some_and(|author| Some(author) == name(second))
}

/// A name without what varies from form to form.
fn comparable(name: &str) -> String {
    crate::text::normalise::Normalised::of(name.trim()).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_iso_8601_writes_them() {
        let day = 20_543 * 86_400; // 2026-03-31
        for (text, seconds) in [
            ("2026-03-31", day),
            ("2026-03-31T01:00:00", day + 3600),
            ("2026-03-31T01:00:00+08:00", day - 7 * 3600),
            ("2026-03-31T01:00:00Z", day + 3600),
            ("2026-03", day - 30 * 86_400),
            ("2026", day - 89 * 86_400),
        ] {
            assert_eq!(Filter::seconds_of(text), Some(seconds), "{text}");
        }
        for wrong in ["", "yesterday", "31.3.2026", "2026-13-01"] {
            assert_eq!(Filter::seconds_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_document_of_unknown_time_is_neither_early_nor_late() {
        let admits = |filter: &Filter, time| filter.admits_known("a", &Metadata::default(), time, &Metadata::default());
        for filter in [Filter { since: Some(1), ..Filter::default() }, Filter { until: Some(9), ..Filter::default() }] {
            assert!(filter.asks_for_time() && admits(&filter, Some(5)) && !admits(&filter, None));
        }
        assert!(admits(&Filter::default(), None));
    }

    #[test]
    fn ages_are_a_number_and_a_unit() {
        assert_eq!(Filter::seconds_of_age("7d"), Some(604_800));
        assert_eq!(Filter::seconds_of_age("2w"), Some(1_209_600));
        for wrong in ["", "d", "7", "-7d", "7y", "七天"] {
            assert_eq!(Filter::seconds_of_age(wrong), None, "{wrong}");
        }
    }
}
