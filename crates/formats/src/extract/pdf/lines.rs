//! Lines of text on pages, as a text layer and the picture of a page give them.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::extract::wide::is_wide;

/// A page with fewer characters says little beside a picture of text. Chosen by hand: a page of text has 1,500 and more, a cover
/// or a page with one figure and its caption fewer than this.
pub(super) const FEW_CHARACTERS: usize = 400;

/// Two lines are set in one size if the heights of their letters differ by less than this share. Chosen by hand: letters of
/// one size that were read from a picture differ by some hundredths, and a note's differ by a fifth.
pub(super) const SAME_SIZE: f64 = 0.1;

/// How many heights apart the bottoms of lines in one row may be.
pub(super) const SAME_ROW: f64 = 0.5;

/// A page needs OCR if more than one in this many of its characters is not drawn, or has none in the file. Chosen by hand.
const UNREAD_ONE_IN: usize = 10;

/// Letters upon pictures that are labels, and no text layer: fewer than half a line has. Chosen by hand.
const FEW_LETTERS: u32 = 40;

/// The least width of a blank between two words of which one is Han, in heights of the letters, in the picture of a page. Chosen by
/// hand on pages that tesseract read, where it boxes Han characters tightly.
const HAN_BLANK: f64 = 0.2;

/// A page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Page {
    /// Its width and height in points.
    pub(super) width: f64,
    pub(super) height: f64,
    /// Its lines, from the top to the bottom.
    pub(super) lines: Vec<PdfLine>,
    /// Words that nobody sees, in the order in which they were drawn, each with the reason.
    pub(super) unseen: Vec<(Special, String)>,
    /// Characters of letters too small to be read that stand alone, as those of a drawing.
    pub(super) labels: u32,
    /// Letters that were drawn a second time in their place.
    pub(super) doubled: u32,
    /// Glyphs that are seen and for which the file has no character.
    pub(super) unmapped: u32,
    /// The share of the page that pictures cover.
    pub(super) pictures: f64,
    /// Whether its pictures or drawings look like text.
    pub(super) shows_text: bool,
    /// Letters of prose that its pictures and drawings show, as far as they can be counted.
    pub(super) lettering: u32,
    /// Letters of its lines that are said to be what its pictures show: a text layer under or upon them.
    pub(super) upon_pictures: u32,
    /// Whether it could not be read.
    pub(super) unread: bool,
    /// Letters and digits of fields and text boxes that it shows without drawing them.
    pub(super) undrawn: u32,
    /// Whether its lines were read from its picture, which says otherwise than its text layer.
    pub(super) contradicted: bool,
    /// Whether it is not known which of its text is seen: some is in masks or on layers that are shown on a condition.
    pub(super) uncertain: bool,
}

impl Page {
    fn characters(&self) -> usize {
        self.lines.iter().map(|line| line.text.chars().count()).sum()
    }

    /// Whether more than a few of its letters are seen only if its pictures show them.
    pub(super) fn is_layer(&self) -> bool {
        self.upon_pictures >= FEW_LETTERS && self.upon_pictures as usize * UNREAD_ONE_IN > self.characters()
    }

    /// Whether its picture says more than its text layer.
    pub(super) fn needs_ocr(&self) -> bool {
        let characters = self.characters();
        let few = characters < FEW_CHARACTERS;
        characters == 0
            || self.unread
            || self.undrawn as usize * UNREAD_ONE_IN > characters
            || (self.shows_text && few)
            || self.unmapped as usize * UNREAD_ONE_IN > characters
    }
}

/// A line of one column. Places are in points from the page's upper left corner.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct PdfLine {
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
    /// How much more ink its letters have than these letters have in the document: 1 is usual, bold ones have 1.3 and more.
    pub(super) weight: f32,
    /// Whether all its letters are of one width.
    pub(super) monospaced: bool,
    /// Whether it does not run from left to right as most lines of the page do.
    pub(super) turned: bool,
    /// Whether most of its letters are seen only if a picture shows them.
    pub(super) upon_picture: bool,
    /// What is special in it: byte ranges, in order.
    pub(super) special: Vec<(Special, Range<usize>)>,
}

/// What is special in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Special {
    /// A raised number.
    Raised,
    /// Letters in the colour of their ground.
    White,
    /// Letters too small to be read.
    Tiny,
    /// Letters that cannot be seen for another reason.
    Unseen,
}

impl PdfLine {
    /// Whether it stands in one row with another.
    pub(super) fn is_in_row(&self, other: &PdfLine) -> bool {
        (self.bottom - other.bottom).abs() < SAME_ROW * other.size
    }

    /// Appends a word of a picture, after a blank where one is due.
    pub(super) fn push(&mut self, word: &str, left: f64, right: f64, height: f64) {
        let Some(first) = word.chars().next() else { return };
        match self.text.chars().next_back() {
            None => {
                self.first_width = if is_wide(first) { height } else { right - left };
                self.size = height;
                self.weight = 1.0;
            }
            Some(last) => {
                let apart = left - self.right;
                let blank = !(is_wide(last) || is_wide(first)) || (apart > HAN_BLANK * self.size && !closes(first));
                if blank {
                    self.text.push(' ');
                }
            }
        }
        self.text.push_str(word);
        self.size = self.size.max(height);
        self.right = right;
    }
}

/// Whether no blank stands before a character.
pub(super) fn closes(c: char) -> bool {
    matches!(c, '，' | '。' | '、' | '；' | '：' | '！' | '？' | '）' | '”' | '》')
}
