//! UTF-16 and UTF-32, with and without a byte-order mark.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::plausible::is_plausible;
use super::{Decoded, is_control, lossy};

/// Code units looked at to tell whether they make sense.
const SAMPLE_UNITS: usize = 4096;

/// Decodes UTF-32 that starts with a byte-order mark.
pub(super) fn utf32_with_mark(bytes: &[u8]) -> Option<Decoded> {
    match bytes.get(..4)? {
        [0xFF, 0xFE, 0, 0] => Some(utf32(bytes, "UTF-32LE", u32::from_le_bytes)),
        [0, 0, 0xFE, 0xFF] => Some(utf32(bytes, "UTF-32BE", u32::from_be_bytes)),
        _ => None,
    }
}

fn utf32(bytes: &[u8], encoding: &'static str, unit: fn([u8; 4]) -> u32) -> Decoded {
    let (units, rest) = bytes.as_chunks::<4>();
    let mut replaced = 0;
    let mut text: String = units
        .iter()
        .map(|&bytes| {
            char::from_u32(unit(bytes)).unwrap_or_else(|| {
                replaced += 1;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
        replaced += 1;
    }
    Decoded { text, encoding, replaced }
}

/// Decodes bytes that hold nulls as the wide encoding in which they make sense, if there is one.
pub(super) fn decode(bytes: &[u8]) -> Option<Decoded> {
    // In UTF-32 half the bytes or more are null: nothing else can look like it.
    let utf32_units = bytes.as_chunks::<4>().0;
    let makes_sense = |unit: fn([u8; 4]) -> u32| {
        let sample = &utf32_units[..utf32_units.len().min(SAMPLE_UNITS)];
        let good = sample.iter().filter(|bytes| {
            let unit = unit(**bytes);
            // Above the 16-bit units there are rare Han characters and emoji.
            u16::try_from(unit).map_or((0x1_F000..0x3_2000).contains(&unit), is_plausible)
        });
        !sample.is_empty() && good.count() * 10 >= sample.len() * 8
    };
    if makes_sense(u32::from_le_bytes) {
        return Some(utf32(bytes, "UTF-32LE", u32::from_le_bytes));
    }
    if makes_sense(u32::from_be_bytes) {
        return Some(utf32(bytes, "UTF-32BE", u32::from_be_bytes));
    }
    let (encoding, share) = better_utf16(bytes)?;
    (share >= 80).then(|| lossy(bytes, encoding))
}

/// Decodes UTF-16 in which no byte happens to be null: Chinese or Japanese without a space, a digit or a newline.
///
/// Bytes of other encodings must not be taken for it. Of pairs of ASCII letters, a third looks like a frequent Han
/// character; a text of ten units that all do, or a control character among the bytes, settles it.
pub(super) fn decode_without_nulls(bytes: &[u8]) -> Option<Decoded> {
    if bytes.len() % 2 == 1 {
        return None;
    }
    let (encoding, share) = better_utf16(bytes)?;
    let sure = bytes.len() >= 20 || bytes.iter().any(|byte| is_control(*byte));
    (share >= 90 && sure).then(|| lossy(bytes, encoding))
}

/// The byte order in which more code units make sense, and their share in per cent.
fn better_utf16(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    let units = bytes.as_chunks::<2>().0;
    let sample = &units[..units.len().min(SAMPLE_UNITS)];
    if sample.is_empty() {
        return None;
    }
    let share = |unit: fn([u8; 2]) -> u16| {
        let mut good = 0;
        let mut after_high = false;
        for &bytes in sample {
            let unit = unit(bytes);
            let low = matches!(unit, 0xDC00..=0xDFFF);
            // Both halves of a surrogate pair count when they belong together.
            good += if low && after_high { 2 } else { usize::from(is_plausible(unit)) };
            after_high = matches!(unit, 0xD800..=0xDBFF);
        }
        good * 100 / sample.len()
    };
    let (little, big) = (share(u16::from_le_bytes), share(u16::from_be_bytes));
    Some(if little >= big { (UTF_16LE, little) } else { (UTF_16BE, big) })
}
