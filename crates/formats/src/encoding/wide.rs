//! UTF-16 and UTF-32, with and without a byte-order mark.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::{Decoded, lossy};
use copytrace_text::plausible::is_plausible;

/// Code units looked at to tell whether they make sense.
const SAMPLE_UNITS: usize = 4096;

/// The least share of code units that make sense, in per cent: of UTF-16 with control characters among its bytes, without any,
/// and of UTF-32; and the fewest bytes of a text without nulls. Chosen by hand.
const LEAST_WITH_CONTROLS: usize = 80;
const LEAST_WITHOUT: usize = 90;
const LEAST_UTF32: usize = 80;
const FEWEST_BYTES: usize = 20;

/// A 32-bit code unit of four bytes.
type Unit32 = fn([u8; 4]) -> u32;

const UTF32: [(&str, Unit32); 2] = [("UTF-32LE", u32::from_le_bytes), ("UTF-32BE", u32::from_be_bytes)];

/// Decodes UTF-32 that starts with a byte-order mark.
pub(super) fn utf32_with_mark(bytes: &[u8]) -> Option<Decoded> {
    let mark = bytes.first_chunk::<4>()?;
    let (encoding, unit) = UTF32.into_iter().find(|(_, unit)| unit(*mark) == 0xFEFF)?;
    Some(utf32(bytes, encoding, unit))
}

fn utf32(bytes: &[u8], encoding: &'static str, unit: Unit32) -> Decoded {
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

/// Decodes bytes as the wide encoding in which they make sense, if there is one. `has_controls` says that there are
/// nulls or other control characters among the bytes, as wide encodings have them and others do not.
///
/// Bytes of other encodings must not be taken for UTF-16. Of pairs of ASCII letters, a third looks like a frequent
/// Han character. Text in UTF-16 without a space, a digit or a newline may have no null; then ten units must do so.
pub(super) fn decode(bytes: &[u8], has_controls: bool) -> Option<Decoded> {
    let has_nulls = bytes.contains(&0);
    if has_nulls {
        for (encoding, unit) in UTF32 {
            if utf32_makes_sense(bytes, unit) {
                return Some(utf32(bytes, encoding, unit));
            }
        }
    } else if bytes.len() % 2 == 1 || bytes.len() < FEWEST_BYTES {
        return None;
    }
    let (encoding, share) = better_utf16(bytes)?;
    let enough = if has_controls { LEAST_WITH_CONTROLS } else { LEAST_WITHOUT };
    (share >= enough).then(|| lossy(bytes, encoding))
}

/// In UTF-32 a third of the bytes or more are null: nothing else can look like it.
fn utf32_makes_sense(bytes: &[u8], unit: Unit32) -> bool {
    let units = bytes.as_chunks::<4>().0;
    let sample = &units[..units.len().min(SAMPLE_UNITS)];
    let good = sample.iter().filter(|bytes| {
        let unit = unit(**bytes);
        // Above the 16-bit units there are rare Han characters and emoji.
        u16::try_from(unit).map_or((0x1_F000..0x3_2000).contains(&unit), is_plausible)
    });
    !sample.is_empty() && good.count() * 100 >= sample.len() * LEAST_UTF32
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
