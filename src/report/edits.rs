//! The edits between the two wordings of a passage.

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
}

impl Serialize for Side {
    /// 0 in both, -1 in the submission alone, 1 in the source alone.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i8(match self {
            Side::Both => 0,
            Side::Submission => -1,
            Side::Source => 1,
        })
    }
}

/// The two wordings of a passage, cut into pieces. Those of [`Side::Both`] and [`Side::Submission`] make up the
/// submission's, those of [`Side::Both`] and [`Side::Source`] the source's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// The pieces in order.
    pub pieces: Vec<(Side, String)>,
    /// How many words (Han characters count as words) differ, those of both sides added. `None` when the passage is
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
        let (mut pieces, mut words) = (Vec::new(), 0);
        for operation in capture_diff_slices(Algorithm::Myers, &theirs, &ours) {
            let (tag, old, new) = operation.as_tag_tuple();
            if tag == DiffTag::Equal {
                pieces.extend(one(Side::Both, &ours[new].concat()));
                continue;
            }
            let is_word = |piece: &&&str| piece.chars().any(char::is_alphanumeric);
            words +=
                ours[new.clone()].iter().filter(is_word).count() + theirs[old.clone()].iter().filter(is_word).count();
            pieces.extend(one(Side::Source, &theirs[old].concat()));
            pieces.extend(one(Side::Submission, &ours[new].concat()));
        }
        Edits { pieces, words: Some(words) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(edits: &Edits, wanted: Side) -> String {
        edits
            .pieces
            .iter()
            .filter(|(side, _)| *side == Side::Both || *side == wanted)
            .map(|(_, text)| &text[..])
            .collect()
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
        assert_eq!((side(&edits, Side::Submission), side(&edits, Side::Source)), (ours, theirs));
    }

    proptest::proptest! {
        #[test]
        fn the_pieces_make_up_both_wordings(ours in "[ab潮 .\u{200b}]{0,40}", theirs in "[ab潮 .\u{200b}]{0,40}") {
            let edits = Edits::between(&ours, &theirs);
            assert_eq!(side(&edits, Side::Submission), ours);
            assert_eq!(side(&edits, Side::Source), theirs);
        }
    }
}
