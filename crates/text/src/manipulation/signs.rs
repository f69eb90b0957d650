//! Gathers the signs of a text, and tells which are enough to be shown.

use super::kinds::{Flag, FlagKind};
use crate::script::is_countable;
use crate::tally::Tally;
use std::ops::Range;

/// Signs of one kind are one flag if no more characters stand between them. Chosen by hand.
const NEAR: u32 = 500;

/// Signs of a kind are shown when the words they are in are one character in 300 of the text: fewer cannot change a ratio.
/// Chosen by hand.
pub(super) const CONCERNED_ONE_IN: u64 = 300;

/// Signs as they are found, neighbours of one kind joined.
pub(super) struct Signs {
    flags: Vec<Flag>,
    /// Letters, digits and the like.
    countable: Tally,
}

impl Signs {
    pub(super) fn new(text: &[char]) -> Self {
        Signs { flags: Vec::new(), countable: text.iter().map(|&c| is_countable(c)).collect() }
    }

    /// Countable characters within a span.
    pub(super) fn countable(&self, span: &Range<u32>) -> u32 {
        self.countable.within(span)
    }

    /// Signs of one kind must come in the order of their places.
    pub(super) fn add(&mut self, kind: FlagKind, span: Range<u32>, count: u32) {
        let last = self.flags.iter_mut().rev().find(|flag| flag.kind == kind);
        match last.filter(|flag| span.start <= flag.end.saturating_add(NEAR)) {
            Some(flag) => {
                flag.end = flag.end.max(span.end);
                flag.count = flag.count.saturating_add(count);
            }
            None => self.flags.push(Flag { kind, start: span.start, end: span.end, count }),
        }
    }

    /// Adds the signs of one kind, each with its place and count, if enough of the text is concerned. `concerned` are the
    /// countable characters that the signs change.
    pub(super) fn add_if_many(&mut self, kind: FlagKind, found: Vec<(Range<u32>, u32)>, concerned: u64) -> bool {
        let all = u64::from(self.countable.all());
        let many = concerned > 0 && concerned * CONCERNED_ONE_IN >= all;
        for (span, count) in found.into_iter().filter(|_| many) {
            self.add(kind, span, count);
        }
        many
    }

    pub(super) fn finish(mut self) -> Vec<Flag> {
        self.flags.sort_by_key(|flag| (flag.kind, flag.start, flag.end));
        self.flags
    }
}
