//! What two texts have in common that hold no sentence there: printouts of programs, forms, lists of names, addresses.
//!
//! Every `summary(lm(…))` has the same labels in the same order, and so have two questionnaires, two certificates and two lists of what is
//! installed. What somebody wrote stands between them, and differs. So where neither side has a sentence, a passage counts only if it is
//! copied nearly word for word. Whoever breaks copied prose into pieces gains nothing: its source has sentences.

use crate::text::script::is_han;
use crate::text::visible::is_combining_mark;
use std::ops::Range;

// All are chosen by hand. Of 190 passages that counted between 300 documentations of packages for R, 120 are such, all but a few of them
// printouts of programs; of 9,372 in the training corpus of PAN 2013, 61: directories, addresses, schedules, advertisements. Up to
// [`MOST_LISTED`] in place of 75 words 29 more of 301 are such between 94 articles on packages for R, all of them printouts, 11 more in PAN,
// and none between theses.

/// Half words up to which a passage is asked whether it is made of labels or titles: some ten of these with what is said of each.
pub(super) const MOST_LISTED: u32 = 600;

/// Half words in a row without a sign or a figure between them from which on they are a clause: six words, twelve Han characters.
const CLAUSE: u32 = 12;

/// How many letters in a row count as one word where no blank parts them: the words of Thai have none between them.
const LETTERS: u32 = 10;

/// Half words of clauses that are prose, whatever else a text has ...
const PROSE: u32 = 24;

/// ... if they are this part of its words.
const PART: u32 = 6;

/// From this similarity on a passage is copied, labels or not.
const COPIED: f32 = 0.9;

/// Whether a passage whose two sides have this `similarity` has been copied, though it may be made of labels.
pub(crate) fn is_copied(similarity: f32) -> bool {
    similarity >= COPIED
}

/// Whether a text is made of labels.
pub(crate) fn are_labels(text: &str) -> bool {
    let mut words = Words::default();
    rows(text, |row, _| words.add(row, is_clause(row)));
    words.are_labels()
}

/// The clauses of a text, in characters, in order.
pub(crate) fn clauses(text: &str) -> Vec<Range<u32>> {
    let mut clauses = Vec::new();
    rows(text, |row, place| clauses.extend(is_clause(row).then_some(place)));
    clauses
}

fn is_clause(row: u32) -> bool {
    row >= CLAUSE
}

/// The words of a passage in half words: a Han character is one, another word two.
#[derive(Debug, Default)]
pub(crate) struct Words {
    all: u32,
    of_clauses: u32,
}

impl Words {
    pub(crate) fn add(&mut self, half_words: u32, are_of_clause: bool) {
        self.all += half_words;
        self.of_clauses += if are_of_clause { half_words } else { 0 };
    }

    /// Whether they are labels: few of them stand in clauses. A long passage counts whatever it is made of.
    pub(crate) fn are_labels(&self) -> bool {
        self.all < MOST_LISTED && (self.of_clauses < PROSE || self.of_clauses * PART < self.all)
    }
}

/// The rows of words of a text that nothing but blanks, single ends of lines and Chinese commas part: their half words and their characters.
fn rows(text: &str, mut each: impl FnMut(u32, Range<u32>)) {
    let (mut row, mut place, mut before, mut letters) = (0, 0..0, ' ', 0);
    for (at, c) in (0..).zip(text.chars()) {
        let adds = match c {
            _ if is_han(c) => 1,
            _ if is_combining_mark(c) => continue,
            _ if c.is_alphabetic() => {
                letters = if before.is_alphabetic() && !is_han(before) { letters + 1 } else { 0 };
                if letters % LETTERS == 0 { 2 } else { 0 }
            }
            ' ' | '，' => 0,
            '\'' | '’' | '-' if before.is_alphabetic() => continue,
            '\n' if before != '\n' => 0,
            _ => {
                if row > 0 {
                    each(row, place.clone());
                }
                (row, before) = (0, c);
                continue;
            }
        };
        if row == 0 {
            place.start = at;
        }
        if c.is_alphabetic() {
            place.end = at + 1;
        }
        (row, before) = (row + adds, c);
    }
    if row > 0 {
        each(row, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printout_of_some_hundred_words_is_made_of_labels_and_so_are_no_paragraphs_and_nothing_longer() {
        let printout = "Call: glm(formula = silt ~ tide)\nEstimate Std. Error z value\nNull deviance: 12.1 on 98 degrees of freedom\n";
        let paragraph =
            "The tide leaves a thin layer between the stems of the plants, and the marsh rises with the sea.\n";
        for (text, copies, expected) in
            [(printout, 6, true), (printout, 12, true), (printout, 30, false), (paragraph, 6, false)]
        {
            assert_eq!(are_labels(&text.repeat(copies)), expected, "{copies} × {text}");
        }
    }

    #[test]
    fn words_in_a_row_are_counted_in_half_words_up_to_a_sign_a_figure_or_an_empty_line() {
        for (text, expected) in [
            ("", &[][..]),
            (" 6.22, ", &[]),
            ("Residual standard error: 6.22 on 98 degrees of freedom", &[(6, 0..23), (2, 30..32), (6, 36..54)]),
            ("(taken to be 1)", &[(6, 1..12)]),
            ("the herring's well-known way\nup the river", &[(14, 0..41)]),
            ("เมื่อน้ำขึ้นน้ำลงตะกอนจะตกอยู่ระหว่างต้นกกทุกวัน", &[(8, 0..48)]),
            ("one two three four five\n\nsix seven", &[(10, 0..23), (4, 25..34)]),
            ("盐沼由两个方向填满，潮水带来泥沙。姓名：王芳", &[(15, 0..16), (2, 17..19), (2, 20..22)]),
        ] {
            let mut found = Vec::new();
            rows(text, |row, place| found.push((row, place)));
            assert_eq!(found, expected, "{text}");
        }
    }
}
