//! Which encoding a file is in, and its text.
//!
//! The order of the tests is what makes the answer reliable: a byte-order mark says it outright; bytes that are
//! valid UTF-8 by chance are next to impossible; UTF-16 and UTF-32 show by code units that make sense; what is
//! left are the encodings of one country each, which only letter frequencies tell apart.

mod legacy;
mod wide;

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use thiserror::Error;

/// Share of characters that may be control characters, or replacements of what could not be decoded, as `1 / N`.
const BAD_SHARE: usize = 50;
/// The same for control characters in valid UTF-8. Text from the web holds stray nulls and whole paragraphs of controls,
/// where someone's program mangled another script; junk that happens to be valid UTF-8 holds more, as a quarter of the
/// bytes of ASCII are controls, and other binary data are never valid UTF-8.
const BAD_SHARE_UTF8: usize = 6;

/// A decoded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text. A byte-order mark stays as its first character (U+FEFF), and newlines are as in the bytes.
    pub text: String,
    /// Name of the encoding by the WHATWG Encoding Standard, or `UTF-32LE`, `UTF-32BE`.
    pub encoding: &'static str,
    /// How many characters are U+FFFD because the bytes there made no sense; at most one in fifty.
    pub replaced: usize,
}

/// Why bytes are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// More control characters, nulls among them, than any text holds.
    #[error("binary data, not text")]
    Binary,
    /// Too many bytes make no sense in the encoding that fits best.
    #[error("not text in any known encoding")]
    Unknown,
}

/// Finds out the encoding and decodes. No bytes at all are the empty text, in UTF-8.
pub fn decode(bytes: &[u8]) -> Result<Decoded, DecodeError> {
    decode_declared(bytes, None)
}

/// As [`decode`], for a text which itself says what encoding it is in (`label` by the WHATWG Encoding Standard).
///
/// The declaration is believed unless the bytes contradict it: a byte-order mark, bytes that it cannot explain, or
/// valid UTF-8 with characters of three bytes or declared as an encoding of one byte per character. In the latter no byte is
/// ever wrong; in those of two bytes per character most UTF-8 is not wrong either, but nonsense.
pub fn decode_declared(bytes: &[u8], label: Option<&str>) -> Result<Decoded, DecodeError> {
    if let Some(decoded) = by_byte_order_mark(bytes) {
        return checked(decoded);
    }
    let valid_utf8 = std::str::from_utf8(bytes);
    if let Some(declared) = label.and_then(|label| Encoding::for_label(label.trim().as_bytes()))
        && !valid_utf8.is_ok_and(|text| declared.is_single_byte() || text.bytes().any(|byte| byte >= 0xE0))
        && declared.is_ascii_compatible()
        && let Some(text) = declared.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return checked(Decoded { text: text.into_owned(), encoding: declared.name(), replaced: 0 });
    }
    let controls = count_controls(bytes);
    if let Ok(text) = valid_utf8
        && controls * BAD_SHARE_UTF8 <= bytes.len()
    {
        return Ok(Decoded { text: text.to_owned(), encoding: UTF_8.name(), replaced: 0 });
    }
    if let Some(decoded) = wide::decode(bytes, controls > 0) {
        return checked(decoded);
    }
    if valid_utf8.is_ok() {
        return Err(DecodeError::Binary);
    }
    checked(nearly_utf8(bytes).unwrap_or_else(|| lossy(bytes, legacy::guess(bytes))))
}

/// Decodes what starts with a byte-order mark.
fn by_byte_order_mark(bytes: &[u8]) -> Option<Decoded> {
    // The mark of UTF-32LE starts with that of UTF-16LE, so it comes first.
    if let Some(decoded) = wide::utf32_with_mark(bytes) {
        return Some(decoded);
    }
    let marks: [(&[u8], &'static Encoding); 4] =
        [(b"\xEF\xBB\xBF", UTF_8), (b"\xFF\xFE", UTF_16LE), (b"\xFE\xFF", UTF_16BE), (b"\x84\x31\x95\x33", GB18030)];
    let (_, encoding) = marks.into_iter().find(|(mark, _)| bytes.starts_with(mark))?;
    Some(lossy(bytes, encoding))
}

/// UTF-8 with a few damaged places, as a file has that was cut in the middle of a character.
///
/// In other encodings valid sequences come about by chance, but errors are then far more frequent than they.
fn nearly_utf8(bytes: &[u8]) -> Option<Decoded> {
    let (mut good, mut bad) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    (good >= 4 * bad).then(|| lossy(bytes, UTF_8))
}

fn lossy(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    let replaced = if had_errors { text.matches('\u{FFFD}').count() } else { 0 };
    Decoded { text: text.into_owned(), encoding: encoding.name(), replaced }
}

/// Refuses what is no text after all.
fn checked(decoded: Decoded) -> Result<Decoded, DecodeError> {
    // Controls below U+0020 are one byte; those above U+007F come about where a code page has no character.
    let mut controls = count_controls(decoded.text.as_bytes());
    controls += decoded.text.matches(|c| matches!(c, '\u{80}'..='\u{9F}')).count();
    let is_utf8 = decoded.encoding == UTF_8.name() && decoded.replaced == 0;
    if controls * (if is_utf8 { BAD_SHARE_UTF8 } else { BAD_SHARE }) > decoded.text.len() {
        return Err(DecodeError::Binary);
    }
    // One damaged place is forgiven in any text, such as a last character cut in half.
    if decoded.replaced > 1 && decoded.replaced * BAD_SHARE > decoded.text.chars().count() {
        return Err(DecodeError::Unknown);
    }
    Ok(decoded)
}

/// Counted in pieces whose sum fits a byte, which the compiler turns into vector instructions.
fn count_controls(bytes: &[u8]) -> usize {
    bytes.chunks(255).map(|piece| usize::from(piece.iter().map(|byte| u8::from(is_control(*byte))).sum::<u8>())).sum()
}

/// Control characters that no text holds; tab, newline, form feed, carriage return, and escape are in some.
fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F)
}

#[cfg(test)]
mod tests;
