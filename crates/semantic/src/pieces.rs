//! Texts cut into the pieces of words that an encoder knows.
//!
//! Of all ways to cut a text into pieces the one whose scores add up to most is taken (unigram language model, Kudo 2018).

use aho_corasick::{AhoCorasick, MatchKind};
use copytrace_text::normalise::ignorable::is_ignorable;
use unicode_normalization::UnicodeNormalization;

/// The mark that stands for a blank, and begins each text.
const BLANK: char = '\u{2581}';

/// Pieces 0 to 2: what is unknown, the beginning and the end of a sentence.
const UNKNOWN: u32 = 0;
const BEGIN: u32 = 1;
const END: u32 = 2;

/// How much worse than the worst piece a character is that is none (as in SentencePiece).
const UNKNOWN_PENALTY: f32 = 10.0;

/// Pieces of words, each with its score.
pub(crate) struct Pieces {
    scores: Vec<f32>,
    unknown: f32,
    found: AhoCorasick,
}

/// The best way to a place in a text.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    /// Where the last piece begins.
    start: usize,
    piece: u32,
}

impl Pieces {
    /// Reads pieces, one in each line with its score behind a tabulator; the first three are the marks.
    ///
    /// # Errors
    /// What is wrong with which line.
    pub(crate) fn read(lines: &str) -> Result<Self, String> {
        let (mut pieces, mut scores) = (Vec::new(), Vec::new());
        for (number, line) in lines.lines().enumerate() {
            let (piece, score) = line.split_once('\t').ok_or_else(|| format!("line {}: no tabulator", number + 1))?;
            let score: f32 = score.parse().map_err(|_| format!("line {}: no score", number + 1))?;
            if !score.is_finite() {
                return Err(format!("line {}: no score", number + 1));
            }
            pieces.push(piece);
            scores.push(score);
        }
        if pieces.len() <= END as usize {
            return Err("no pieces".to_owned());
        }
        // The marks are no text; nor is an empty piece, which would be found everywhere.
        let patterns =
            pieces.iter().enumerate().map(|(number, piece)| match number <= END as usize || piece.is_empty() {
                true => "\u{0}",
                false => piece,
            });
        let found = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(patterns)
            .map_err(|error| format!("too many pieces: {error}"))?;
        let unknown = scores.iter().fold(f32::MAX, |least, score| least.min(*score)) - UNKNOWN_PENALTY;
        Ok(Pieces { scores, unknown, found })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.scores.len()
    }

    /// The pieces of a text, between the marks of beginning and end.
    pub(crate) fn cut(&self, text: &str) -> Vec<u32> {
        let text = normalised(text);
        let mut best = vec![Best { score: f32::NEG_INFINITY, start: 0, piece: UNKNOWN }; text.len() + 1];
        best[0].score = 0.0;
        let mut found = self.found.find_overlapping_iter(&text).peekable();
        for (at, character) in text.char_indices() {
            let end = at + character.len_utf8();
            let mut is_piece = false;
            while let Some(piece) = found.next_if(|found| found.end() <= end) {
                let number = piece.pattern().as_u32();
                is_piece |= piece.start() == at;
                take(&mut best, piece.start(), end, number, self.scores[number as usize]);
            }
            if !is_piece {
                take(&mut best, at, end, UNKNOWN, self.unknown);
            }
        }
        let mut pieces = vec![END];
        let mut end = text.len();
        while end > 0 {
            pieces.push(best[end].piece);
            end = best[end].start;
        }
        if text.is_empty() {
            pieces.push(UNKNOWN);
        }
        pieces.push(BEGIN);
        pieces.reverse();
        pieces
    }
}

/// Takes a piece if it leads to a better place; of equal ones the first.
fn take(best: &mut [Best], start: usize, end: usize, piece: u32, score: f32) {
    let score = best[start].score + score;
    if score > best[end].score {
        best[end] = Best { score, start, piece };
    }
}

/// A text in Unicode's form NFKC, each run of blanks one mark, and one before the first word.
fn normalised(text: &str) -> String {
    let mut kept = String::with_capacity(text.len() + 8);
    for character in text.nfkc().filter(|character| !is_dropped(*character)) {
        match character.is_whitespace() {
            true if kept.is_empty() || kept.ends_with(BLANK) => {}
            true => kept.push(BLANK),
            false => {
                if kept.is_empty() {
                    kept.push(BLANK);
                }
                kept.push(character);
            }
        }
    }
    let end = kept.trim_end_matches(BLANK).len();
    kept.truncate(end);
    kept
}

/// Whether a character is nothing that is read.
fn is_dropped(character: char) -> bool {
    character.is_control() && !character.is_whitespace() || is_ignorable(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces() -> Pieces {
        Pieces::read(
            "<unk>\t0\n<s>\t0\n</s>\t0\n▁the\t-1\n▁t\t-2\nhe\t-2\n▁\t-3\nt\t-4\nh\t-4\ne\t-4\n潮\t-5\n潮汐\t-6\n汐\t-5",
        )
        .unwrap()
    }

    #[test]
    fn the_cut_of_the_best_score_is_taken() {
        assert_eq!(pieces().cut("the"), [BEGIN, 3, END]);
        assert_eq!(pieces().cut("  the\n潮汐 "), [BEGIN, 3, 6, 11, END]);
        assert_eq!(pieces().cut("ｔhe\u{200b}"), [BEGIN, 3, END], "compatible forms are one");
        assert_eq!(pieces().cut("het"), [BEGIN, 6, 5, 7, END]);
    }

    #[test]
    fn what_is_no_piece_is_unknown_character_by_character() {
        assert_eq!(pieces().cut("火e"), [BEGIN, 6, UNKNOWN, 9, END]);
        assert_eq!(pieces().cut(" \u{7} "), [BEGIN, UNKNOWN, END]);
    }

    #[test]
    fn broken_lists_of_pieces_are_refused_with_their_line() {
        for (list, said) in [
            ("a\t0\nb", "line 2: no tabulator"),
            ("a\tx", "line 1: no score"),
            ("a\t0", "no pieces"),
            ("a\tnan", "line 1"),
        ] {
            assert!(Pieces::read(list).err().unwrap().contains(said));
        }
    }
}
