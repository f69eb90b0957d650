//! The edits between the two wordings of a passage.

use ahash::AHashMap;
use serde::{Serialize, Serializer};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

/// Passages with more words than this on a side are shown without their edits marked: finding them takes the square of it.
const MOST_WORDS: usize = 4000;

/// Where a piece of the two wordings stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// In both, letter by letter.
    Both,
    /// In the submission alone.
    Submission,
    /// In the source alone.
    Source,
    /// In the submission, and elsewhere in the source's wording.
    MovedInSubmission,
    /// In the source, and elsewhere in the submission's wording.
    MovedInSource,
}

#[cfg(test)]
impl Side {
    /// Whether the piece is part of the submission's wording.
    pub fn is_ours(self) -> bool {
        matches!(self, Side::Both | Side::Submission | Side::MovedInSubmission)
    }

    /// Whether the piece is part of the source's wording.
    pub fn is_theirs(self) -> bool {
        matches!(self, Side::Both | Side::Source | Side::MovedInSource)
    }
}

impl Serialize for Side {
    /// 0 in both, below it in the submission (-1 alone, -2 moved), above it in the source (1 alone, 2 moved).
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i8(match self {
            Side::Both => 0,
            Side::Submission => -1,
            Side::Source => 1,
            Side::MovedInSubmission => -2,
            Side::MovedInSource => 2,
        })
    }
}

/// The two wordings of a passage, cut into pieces: those in both and those of one side make up
/// that side's wording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// The pieces in order.
    pub pieces: Vec<(Side, String)>,
    /// How many words (Han characters count as words) differ, those of both sides added; moved ones do not. `None` when the passage is
    /// too long to be compared word by word.
    pub words: Option<usize>,
}

impl Edits {
    /// The edits that turn the source's wording into the submission's, word by word.
    pub fn between(submission: &str, source: &str) -> Edits {
        let one = |side, text: &str| (!text.is_empty()).then(|| (side, text.to_owned()));
        if submission == source {
            return Edits { pieces: one(Side::Both, submission).into_iter().collect(), words: Some(0) };
        }
        let (ours, theirs): (Vec<&str>, Vec<&str>) =
            (submission.split_word_bounds().collect(), source.split_word_bounds().collect());
        if ours.len().max(theirs.len()) > MOST_WORDS {
            let pieces = [one(Side::Submission, submission), one(Side::Source, source)];
            return Edits { pieces: pieces.into_iter().flatten().collect(), words: None };
        }
        let operations = capture_diff_slices(Algorithm::Myers, &theirs, &ours);
        let changes =
            || operations.iter().map(|operation| operation.as_tag_tuple()).filter(|(tag, ..)| *tag != DiffTag::Equal);
        let mut moved = Moved::among(
            changes().flat_map(|(_, _, new)| ours[new].iter().copied()),
            changes().flat_map(|(_, old, _)| theirs[old].iter().copied()),
        );
        let (mut pieces, mut words) = (Vec::new(), 0);
        for operation in &operations {
            let (tag, old, new) = operation.as_tag_tuple();
            if tag == DiffTag::Equal {
                pieces.extend(one(Side::Both, &ours[new].concat()));
                continue;
            }
            words += moved.take(&theirs[old], Side::Source, Side::MovedInSource, &mut pieces);
            words += moved.take(&ours[new], Side::Submission, Side::MovedInSubmission, &mut pieces);
        }
        Edits { pieces, words: Some(words) }
    }
}

/// Words that stand on both sides, but not at one place: on each side as many of a word as the other has too.
struct Moved<'a> {
    /// How many of each are left to be told on the submission's side and on the source's.
    left: AHashMap<&'a str, [usize; 2]>,
}

impl<'a> Moved<'a> {
    fn among(ours: impl Iterator<Item = &'a str>, theirs: impl Iterator<Item = &'a str>) -> Self {
        let mut left: AHashMap<&str, [usize; 2]> = AHashMap::new();
        ours.filter(|word| is_word(word)).for_each(|word| left.entry(word).or_default()[0] += 1);
        theirs.filter(|word| is_word(word)).for_each(|word| left.entry(word).or_default()[1] += 1);
        left.values_mut().for_each(|counts| *counts = [counts[0].min(counts[1]); 2]);
        Moved { left }
    }

    /// Adds the pieces of one side, and gives how many words of it are on that side alone.
    fn take(&mut self, words: &[&'a str], alone: Side, moved: Side, pieces: &mut Vec<(Side, String)>) -> usize {
        let mut differ = 0;
        let first = pieces.len();
        for &word in words {
            let side = match self.left.get_mut(word).map(|counts| &mut counts[usize::from(alone == Side::Source)]) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    moved
                }
                _ => {
                    differ += usize::from(is_word(word));
                    alone
                }
            };
            match pieces[first..].last_mut() {
                // What stands between two words of one kind is of their kind.
                Some((last, text)) if *last == side || !is_word(word) => text.push_str(word),
                _ => pieces.push((side, word.to_owned())),
            }
        }
        differ
    }
}

fn is_word(piece: &str) -> bool {
    piece.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(edits: &Edits, of_it: fn(Side) -> bool) -> String {
        edits.pieces.iter().filter(|(side, _)| of_it(*side)).map(|(_, text)| &text[..]).collect()
    }

    #[test]
    fn words_that_stand_elsewhere_on_the_other_side_are_moved_and_do_not_differ() {
        let edits = Edits::between("silt and mud leaves the tide", "the tide leaves silt and sand");
        let of = |wanted: Side| -> Vec<&str> {
            edits.pieces.iter().filter(|(side, _)| *side == wanted).map(|(_, text)| text.trim()).collect()
        };
        assert_eq!(edits.words, Some(2), "{edits:?}");
        assert_eq!((of(Side::Submission).concat(), of(Side::Source).concat()), ("mud".to_owned(), "sand".to_owned()));
        assert!(!of(Side::MovedInSubmission).is_empty() && !of(Side::MovedInSource).is_empty());
    }

    #[test]
    fn replaced_and_inserted_words_are_counted() {
        assert_eq!(Edits::between("the grey tide leaves silt", "the tide leaves silt").words, Some(1));
        assert_eq!(Edits::between("潮汐留下泥沙", "潮水留下泥沙").words, Some(2));
        assert_eq!(Edits::between("same", "same").words, Some(0));
    }

    #[test]
    fn a_very_long_passage_is_kept_whole_without_its_edits() {
        let (ours, theirs) = ("a ".repeat(5000), "b ".repeat(5000));
        let edits = Edits::between(&ours, &theirs);
        assert_eq!(edits.words, None);
        assert_eq!((side(&edits, Side::is_ours), side(&edits, Side::is_theirs)), (ours, theirs));
    }

    proptest::proptest! {
        #[test]
        fn the_pieces_make_up_both_wordings(ours in "[ab潮 .\u{200b}]{0,40}", theirs in "[ab潮 .\u{200b}]{0,40}") {
            let edits = Edits::between(&ours, &theirs);
            assert_eq!(side(&edits, Side::is_ours), ours);
            assert_eq!(side(&edits, Side::is_theirs), theirs);
        }
    }
}
