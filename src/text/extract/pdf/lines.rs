//! Lines of text on pages, as both readers give them.

use std::ops::Range;

use crate::text::extract::builder::is_wide;
use crate::text::normalise::ignorable::is_ignorable;

/// A page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Page {
    /// Its height in points.
    pub(super) height: f64,
    /// Its lines, in reading order.
    pub(super) lines: Vec<Line>,
}

/// A line of one column. Places are in points from the page's upper left corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// The block that the line stands in; lines of other blocks stand apart.
    pub(super) block: usize,
    /// Height of most of its letters.
    pub(super) size: f64,
    /// The width of its first word; of a script without spaces, of a character.
    pub(super) first_width: f64,
    /// What is special in it: byte ranges, in order.
    pub(super) special: Vec<(Special, Range<usize>)>,
}

/// What is special in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// A raised number.
    Raised,
    /// White letters.
    White,
    /// Letters too small to be read.
    Tiny,
}

/// Letters of this height, from the top of the highest to the foot of the lowest, have less than four points.
const TINY_HEIGHT: f64 = 4.8;

impl Line {
    /// Appends a word, after a blank where one is due.
    pub(super) fn push(&mut self, word: &str, left: f64, right: f64, height: f64, white: bool) {
        let word: String = word.chars().map(folded).collect::<Vec<String>>().concat();
        let Some(first) = word.chars().next() else { return };
        match self.text.chars().next_back() {
            None => {
                self.first_width = if is_wide(first) { height } else { right - left };
                self.size = height;
            }
            Some(last) => {
                let apart = left - self.right;
                let mark = matches!(first, '，' | '。' | '、' | '；' | '：' | '！' | '？' | '）' | '”' | '》');
                let blank = !(is_wide(last) || is_wide(first)) || (apart > 0.2 * self.size && !mark);
                if blank && !self.goes_on_at(left) {
                    self.text.push(' ');
                }
            }
        }
        let start = self.text.len();
        self.text.push_str(&word);
        let digits = |b: u8| b.is_ascii_digit() || matches!(b, b',' | b'[' | b']' | b'-');
        let special = if white {
            Some(Special::White)
        } else if height < TINY_HEIGHT {
            Some(Special::Tiny)
        } else {
            (height < 0.8 * self.size && word.bytes().all(digits)).then_some(Special::Raised)
        };
        self.special.extend(special.map(|special| (special, start..self.text.len())));
        self.size = self.size.max(height);
        self.right = right;
    }
}

impl Line {
    /// Whether a piece that starts here is of the word before: that ends with a character without width, which a font that
    /// lacks it draws with one, so that the piece lies over it.
    pub(super) fn goes_on_at(&self, left: f64) -> bool {
        self.text.ends_with(is_ignorable) && self.left < left && left < self.right
    }
}

/// Fonts turn fi into one character and 文 into a Kangxi radical; neither is what was written.
fn folded(c: char) -> String {
    match c {
        '\u{FB00}'..='\u{FB06}' | '\u{2F00}'..='\u{2FDF}' => {
            unicode_normalization::UnicodeNormalization::nfkc(std::iter::once(c)).collect()
        }
        _ => c.to_string(),
    }
}
