//! Units: the atoms that everything after the text is made of.
//!
//! A unit is a Han character, or a word of any other script (Unicode Standard Annex #29); punctuation and white
//! space are none. One engine therefore serves all languages and their mixtures.

/// Bits that say what is known of a unit, for [`Units::flags`].
pub mod flag {
    /// A single character of a script written without spaces (Han, kana).
    pub const HAN: u8 = 1;
    /// A stop unit: so frequent in its language that it says nothing of the content.
    pub const STOP: u8 = 1 << 1;
    /// A line ends between the unit before and this one (also set on the first unit).
    pub const LINE: u8 = 1 << 2;
    /// A sentence ends between the unit before and this one (also set on the first unit).
    pub const SENTENCE: u8 = 1 << 3;
    /// Zero-width characters were taken out of its inside.
    pub const ZERO_WIDTH: u8 = 1 << 4;
    /// Look-alike letters of another script were folded in it.
    pub const LOOKALIKE: u8 = 1 << 5;
    /// It was turned from traditional to simplified script.
    pub const SCRIPT: u8 = 1 << 6;
    /// All bits that stand for an undone disguise.
    pub const DISGUISE: u8 = ZERO_WIDTH | LOOKALIKE | SCRIPT;
}

/// The units of one text, in reading order, as parallel arrays of equal length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    /// Value-stable hash of the normalised form.
    pub hash: Vec<u32>,
    /// Value-stable hash of the word's stem; of a Han character the same as `hash`.
    pub stem: Vec<u32>,
    /// Where the unit starts in the extracted text, in characters.
    pub start: Vec<u32>,
    /// Where it ends in the extracted text, in characters, exclusive.
    pub end: Vec<u32>,
    /// Characters of opening punctuation right before the unit (at most 255).
    pub open: Vec<u8>,
    /// Characters of closing punctuation right after the unit (at most 255).
    pub close: Vec<u8>,
    /// Bits of [`flag`].
    pub flags: Vec<u8>,
    /// Characters (Unicode scalar values) of the whole extracted text.
    pub text_chars: u32,
}

impl Units {
    /// The number of units.
    pub fn len(&self) -> usize {
        self.hash.len()
    }

    /// Whether there is no unit at all.
    pub fn is_empty(&self) -> bool {
        self.hash.is_empty()
    }
}
