//! What a flag says.

use serde::{Deserialize, Serialize};

/// What kind of sign it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// Zero-width characters inside words.
    ZeroWidth,
    /// Letters of another alphabet that look like the ones they replace.
    LookAlike,
    /// Words of two alphabets that are not explained by look-alikes.
    MixedScript,
    /// More replaced letters than chance would give; over the whole text.
    ReplacedLetters,
    /// Text in the colour of its ground.
    WhiteText,
    /// Text too small to be read.
    TinyText,
    /// Text that the format does not show.
    HiddenText,
    /// A picture, or a page without text among others: of reports that were made before these were a remark.
    Picture,
    /// White space of unusual kinds, or between the letters of words.
    WhiteSpace,
    /// Text that is drawn where or so that nobody sees it.
    UnseenText,
    /// Letters whose direction is overridden.
    Direction,
    /// Words without blanks between them, or blanks inside words, all over a part of the text.
    WordLength,
    /// Signs between letters that belong to no word.
    OddLetters,
    /// Pages whose characters are not those that are seen.
    TextLayer,
    /// Pages whose picture shows far more text than there is.
    TextPicture,
    /// Text of which could not be found out whether it is seen.
    NotJudged,
    /// More of the text as references, contents and the like than is usual: a person should look.
    LargePart,
    /// A passage found elsewhere in a part that does not count.
    CopiedPart,
    /// Much of the file is not in the text.
    LeftOut,
    /// Much of the text stands in others in runs that are too short to be passages.
    Mosaic,
    /// A document of the library has the id of the submission.
    SameId,
    /// Pages that follow sources sentence by sentence with most of their words replaced.
    Reworded,
}

impl FlagKind {
    /// The word that stands for it in a CSV file.
    pub fn as_str(self) -> &'static str {
        match self {
            FlagKind::ZeroWidth => "zero_width",
            FlagKind::LookAlike => "look_alike",
            FlagKind::MixedScript => "mixed_script",
            FlagKind::ReplacedLetters => "replaced_letters",
            FlagKind::WhiteText => "white_text",
            FlagKind::TinyText => "tiny_text",
            FlagKind::HiddenText => "hidden_text",
            FlagKind::Picture => "picture",
            FlagKind::WhiteSpace => "white_space",
            FlagKind::UnseenText => "unseen_text",
            FlagKind::Direction => "direction",
            FlagKind::WordLength => "word_length",
            FlagKind::OddLetters => "odd_letters",
            FlagKind::TextLayer => "text_layer",
            FlagKind::TextPicture => "text_picture",
            FlagKind::NotJudged => "not_judged",
            FlagKind::LargePart => "large_part",
            FlagKind::CopiedPart => "copied_part",
            FlagKind::LeftOut => "left_out",
            FlagKind::Mosaic => "mosaic",
            FlagKind::SameId => "same_id",
            FlagKind::Reworded => "reworded",
        }
    }

    /// What was found, in a sentence for a person.
    pub fn explanation(self) -> &'static str {
        match self {
            FlagKind::ZeroWidth => "words containing invisible characters; text copied from web pages may contain some",
            FlagKind::LookAlike => "words containing letters of another alphabet that look like the right ones",
            FlagKind::MixedScript => "words that mix two alphabets; formulas and names of species may do so too",
            FlagKind::ReplacedLetters => {
                "words with replaced or misspelt letters throughout the text, more than chance would give"
            }
            FlagKind::WhiteText => "characters in the same colour as their background; left out of the text",
            FlagKind::TinyText => "characters set smaller than four points; left out of the text",
            FlagKind::HiddenText => "characters formatted as hidden; left out of the text",
            FlagKind::Picture => "pictures, whose text (if any) is not compared, or PDF pages without any text",
            FlagKind::WhiteSpace => "spaces of unusual kinds, or between the letters of words",
            FlagKind::UnseenText => "characters placed or drawn so that no reader sees them; left out of the text",
            FlagKind::Direction => "characters reversed by a direction control; compared in the order a reader sees",
            FlagKind::WordLength => {
                "words far longer or shorter than in any language: spaces are missing or were inserted"
            }
            FlagKind::OddLetters => "signs between letters that belong to no word; compared without them",
            FlagKind::TextLayer => {
                "characters other than those a reader sees, as of a font without a character map: needs OCR"
            }
            FlagKind::TextPicture => "characters on pages whose image shows far more text than was compared: needs OCR",
            FlagKind::NotJudged => "characters that a reader may or may not see",
            FlagKind::LargePart => "characters left out as references, contents and the like: more than usual",
            FlagKind::CopiedPart => "characters that match other texts, in parts left out of the ratios",
            FlagKind::LeftOut => "characters of the file that are not in the text, such as parts not read",
            FlagKind::SameId => "sources that have this submission's name and some of its text; they count like any",
            FlagKind::Reworded => {
                "characters in long passages that follow a source closely, too many of their words replaced to count"
            }
            FlagKind::Mosaic => "characters in runs of a few words also found in other texts, each too short to count",
        }
    }
}

/// A sign of manipulation. Offsets are characters of the extracted text, the end exclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// What it is.
    pub kind: FlagKind,
    /// Where it starts.
    pub start: u32,
    /// Where it ends; the start, for what is not in the text.
    pub end: u32,
    /// How many words, characters or pictures it is about, as the explanation says.
    pub count: u32,
}
