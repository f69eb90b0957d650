//! Pictures that stand for words: a reader sees a word where the file has a picture.
//!
//! What a small picture shows is not known. Between the words of a line it stands for one of them, be it a formula or an icon; and so do
//! pictures in lines of their own if they are more than anybody needs to illustrate a text.

use super::{Cause, NotCompared};
use crate::layout::{Layout, MarkKind};
use crate::script::is_han;

/// Of fewer pictures nothing is told: icons and signs. Chosen by hand.
const FEW: usize = 20;

/// The fewest letters of a text for each picture in a line of its own, if these pictures show no words. Chosen by hand: of 303 theses, papers and
/// manuals none has as many pictures.
const LETTERS_PER_PICTURE: usize = 250;

/// The characters of a word, in letters and in Han.
const WORD: u32 = 5;
const WORD_OF_HAN: u32 = 2;

/// The pictures of a text that stand for words, each with the characters of one. `seen` is what a reader sees; `counts` tells of a character
/// whether it stands in a part that counts.
pub(super) fn words(seen: &str, layout: &Layout, counts: impl Fn(u32) -> bool) -> Vec<NotCompared> {
    // What is known to show prose is counted by its letters.
    let prose: Vec<u32> =
        layout.marks().iter().filter(|m| matches!(m.kind, MarkKind::PictureText(_))).map(|m| m.start).collect();
    let is_plain = |place: &u32| prose.binary_search(place).is_err() && counts(*place);
    let pictures: Vec<u32> = layout.of(MarkKind::Picture).map(|mark| mark.start).filter(is_plain).collect();
    if pictures.len() < FEW {
        return Vec::new();
    }
    let lines = Line::all(seen);
    let (mut between, mut alone) = (Vec::new(), Vec::new());
    let mut rest = &pictures[..];
    for line in &lines {
        let (here, behind) = rest.split_at(rest.partition_point(|place| *place <= line.end));
        rest = behind;
        // One before a line or behind it marks an item.
        let is_between = |place: &&u32| here.len() > 1 || (line.first < **place && **place <= line.last);
        match line.letters {
            0 => alone.extend(here),
            _ => between.extend(here.iter().filter(is_between)),
        }
    }
    let all = lines.iter().fold([0, 0], |[letters, han], line| [letters + line.letters, han + line.han]);
    let are_many = alone.len() > all[0] / LETTERS_PER_PICTURE;
    let shown: Vec<u32> = between.into_iter().chain(alone.into_iter().filter(|_| are_many)).collect();
    if shown.len() < FEW {
        return Vec::new();
    }
    let count = if 2 * all[1] > all[0] { WORD_OF_HAN } else { WORD };
    shown
        .into_iter()
        .map(|place| NotCompared { start: place, end: place, cause: Cause::PicturesWithText, count })
        .collect()
}

/// A line of a text, in characters.
struct Line {
    end: u32,
    /// Its first letter, and the last one.
    first: u32,
    last: u32,
    letters: usize,
    han: usize,
}

impl Line {
    fn all(text: &str) -> Vec<Line> {
        let mut start = 0;
        let of_line = |line: &str| {
            let mut found = Line { end: start, first: u32::MAX, last: 0, letters: 0, han: 0 };
            for c in line.chars() {
                if c.is_alphanumeric() {
                    found.first = found.first.min(found.end);
                    found.last = found.end;
                    found.letters += 1;
                    found.han += usize::from(is_han(c));
                }
                found.end += 1;
            }
            start = found.end + 1;
            found
        };
        text.split('\n').map(of_line).collect()
    }
}
