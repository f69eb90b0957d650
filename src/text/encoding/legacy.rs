//! The encodings of one country each: GB 18030, Big5, Shift-JIS, EUC, windows-125x and their kin.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

use super::plausible::is_plausible;

/// Bytes looked at by the frequency models, from the first that is not ASCII.
const SAMPLE_BYTES: usize = 1 << 20;
/// Bytes looked at for each of the East Asian encodings.
const SMALL_SAMPLE_BYTES: usize = 1 << 14;

/// The most likely encoding of bytes that are neither UTF-8 nor UTF-16.
pub(super) fn guess(bytes: &[u8]) -> &'static Encoding {
    let start = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let end = bytes.len().min(start + SAMPLE_BYTES);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[start..end], end == bytes.len());
    let guessed = detector.guess(None, Utf8Detection::Deny);
    // GBK decodes as GB 18030 does, of which it is the older part.
    let guessed = if guessed == GBK { GB18030 } else { guessed };

    // The detector drops an encoding at its first wrong byte; one damaged character in a Chinese text would turn
    // all of it into nonsense. So a guess that gives no Chinese, Japanese or Korean is compared with those which do.
    let sample = &bytes[start..bytes.len().min(start + SMALL_SAMPLE_BYTES)];
    if east_asian_share(sample, guessed) >= 90 {
        return guessed;
    }
    [GB18030, BIG5, SHIFT_JIS, EUC_KR, EUC_JP]
        .into_iter()
        .map(|encoding| (east_asian_share(sample, encoding), encoding))
        .rev()
        .max_by_key(|(share, _)| *share)
        .filter(|(share, _)| *share >= 95)
        .map_or(guessed, |(_, encoding)| encoding)
}

/// Share, in per cent, of the characters beyond ASCII that are frequent in East Asian text, if `encoding` is right.
/// A wrong byte counts as five characters that are not.
fn east_asian_share(sample: &[u8], encoding: &'static Encoding) -> usize {
    if encoding.is_single_byte() {
        return 0;
    }
    let (text, _) = encoding.decode_without_bom_handling(sample);
    let (mut good, mut all) = (0, 0);
    // The sample may end inside a character.
    for character in text.strip_suffix('\u{FFFD}').unwrap_or(&text).chars().filter(|c| !c.is_ascii()) {
        let unit = u16::try_from(u32::from(character)).unwrap_or(0xFFFD);
        all += if unit == 0xFFFD { 5 } else { 1 };
        good += usize::from(unit >= 0x2010 && is_plausible(unit));
    }
    if all < 4 { 0 } else { good * 100 / all }
}
