//! What stands between two units: punctuation that hugs them, and ends of lines and sentences.

use crate::flag;

/// What stands between two units.
#[derive(Default)]
pub(super) struct Gap {
    borders: u8,
    /// Closing punctuation seen before any white space or opening mark.
    pub(super) close: u8,
    /// Opening punctuation with nothing after it so far.
    pub(super) open: u8,
    left_the_word: bool,
    seen: bool,
    /// A full stop was seen and nothing but closing marks since: white space now ends a sentence.
    stop_pending: bool,
    /// A semicolon was seen, and no white space since: a Chinese one, which ends a clause.
    semicolon_pending: bool,
}

impl Gap {
    pub(super) fn at_start() -> Self {
        Gap { borders: flag::LINE | flag::SENTENCE, left_the_word: true, seen: true, ..Gap::default() }
    }

    /// Whether nothing at all stands between the two units.
    pub(super) fn is_none(&self) -> bool {
        !self.seen
    }

    /// The border bits for the unit that ends the gap.
    pub(super) fn borders(&self) -> u8 {
        self.borders | if self.semicolon_pending { flag::SENTENCE } else { 0 }
    }

    pub(super) fn push(&mut self, token: &str) {
        self.seen = true;
        for c in token.chars() {
            let opening =
                matches!(c, '“' | '‘' | '（' | '《' | '〈' | '「' | '『' | '【' | '(' | '[' | '{' | '"' | '«' | '<');
            if c.is_whitespace() {
                if c == '\n' {
                    self.borders |= flag::LINE;
                }
                if self.stop_pending {
                    self.borders |= flag::SENTENCE;
                }
                self.left_the_word = true;
                self.semicolon_pending = false;
                self.open = 0;
            } else if opening && (c != '"' || self.left_the_word) {
                self.left_the_word = true;
                self.open = self.open.saturating_add(1);
            } else {
                if !self.left_the_word {
                    self.close = self.close.saturating_add(1);
                }
                self.open = 0;
            }
            match c {
                // NFKC has folded the full-width marks to the ASCII ones, which need no white space after them.
                '。' | '!' | '?' => self.borders |= flag::SENTENCE,
                ';' => self.semicolon_pending = true,
                '.' => self.stop_pending = true,
                '"' | '”' | '’' | ')' | ']' | '\'' | '」' | '』' => {}
                _ => self.stop_pending = false,
            }
        }
    }
}
