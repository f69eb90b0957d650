//! Readings over ruby characters. One over nothing is itself what is read.

use super::{Kind, Open, Page};

/// The reading that is open, or the next one.
#[derive(Default)]
pub(super) struct Readings {
    /// Where its base begins.
    base: u32,
    /// Whether the base has no letter.
    is_over_nothing: bool,
}

impl Page<'_> {
    /// An element begins here.
    pub(super) fn begin_of_reading(&mut self, name: &str) {
        match name {
            "ruby" => self.readings.base = self.text.characters(),
            "rt" => self.readings.is_over_nothing = self.counts.contains_key("ruby") && self.is_base_empty(),
            _ => {}
        }
    }

    /// An element ends here. Behind a reading the base of the next one begins.
    pub(super) fn end_of_reading(&mut self, name: &str) {
        if name == "rt" {
            self.readings = Readings { base: self.text.characters(), is_over_nothing: false };
        }
    }

    /// Whether what stands here is a reading over something without a letter, so that it is itself what is read.
    pub(super) fn is_reading_of_nothing(&self) -> bool {
        let reading = || self.open.iter().rposition(|open| open.name == "rt");
        let is_hidden = |open: &Open| matches!(open.kind, Kind::Hidden(_));
        let is_seen = |at: usize| self.open[at].outside.1.is_none() && !self.open[at + 1..].iter().any(is_hidden);
        self.readings.is_over_nothing && reading().is_some_and(is_seen)
    }

    /// Whether no letter was written since the base of a reading began.
    fn is_base_empty(&self) -> bool {
        let length = self.text.characters().saturating_sub(self.readings.base) as usize;
        !self.text.text().chars().rev().take(length).any(char::is_alphanumeric)
    }
}
