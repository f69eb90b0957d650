//! Bits that say what is known of a unit: the `flags` of [`Units`](super::units::Units) and of the pieces of an
//! [`OffsetMap`](super::offsets::OffsetMap).

/// A single character of a script written without spaces (Han, hiragana).
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
/// A word of digits and the marks between them (`13`, `3.14`).
pub const NUMBER: u8 = 1 << 7;
/// All bits that stand for an undone disguise.
pub const DISGUISE: u8 = ZERO_WIDTH | LOOKALIKE | SCRIPT;
