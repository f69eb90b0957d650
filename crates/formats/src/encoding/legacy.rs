//! The encodings of one country each: GB 18030, Big5, Shift-JIS, EUC, windows-125x and their kin.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, WINDOWS_1252};

use copytrace_text::plausible::is_plausible;
use copytrace_text::script::{is_common_han, is_hangul};

/// Bytes that chardetng looks at.
const SAMPLE_BYTES: usize = 1 << 14;
/// Bytes looked at for each East Asian encoding.
const EAST_ASIAN_SAMPLE_BYTES: usize = 1 << 12;

/// Share of a text's characters beyond ASCII, in per cent, that must fit an East Asian encoding.
const FITS: usize = 90;

/// The least share of kana among kana and Han characters of Japanese, in per cent: no Japanese sentence does without.
const LEAST_KANA: usize = 15;

/// The fewest characters beyond ASCII that tell anything, and how many that do not belong a byte that makes no sense counts as.
const FEWEST: usize = 4;
const NONSENSE: usize = 5;

/// The most likely encoding of bytes that are neither UTF-8 nor UTF-16.
///
/// chardetng's models tell the alphabets apart. The encodings of Han characters are told by rows of their tables
/// instead: that is many times faster, right more often on short texts, and forgives a damaged place, where
/// chardetng drops an encoding at its first wrong byte.
pub(super) fn guess(bytes: &[u8]) -> &'static Encoding {
    let sample = sample(bytes);
    if sample.iter().all(|byte| byte.is_ascii() || is_western_symbol(*byte)) {
        return WINDOWS_1252;
    }
    // The order matters: Chinese fits none of the others, but they may fit GB 18030.
    [EUC_KR, EUC_JP, SHIFT_JIS, GB18030, BIG5].into_iter().find(|encoding| fits(&sample, encoding)).unwrap_or_else(
        || {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(&sample, true);
            match detector.guess(None, Utf8Detection::Deny) {
                // GB 18030 is GBK and more, and decodes all of it.
                encoding if encoding == GBK => GB18030,
                encoding => encoding,
            }
        },
    )
}

/// Quotation marks, dashes, `\u{A0}`, `©` and the like in windows-1252. English has no other character beyond ASCII,
/// and too few of these for letter statistics, which see letters of other alphabets in them. No other language
/// writes more than a few words with these bytes alone.
fn is_western_symbol(byte: u8) -> bool {
    matches!(byte, 0x80 | 0x85 | 0x8B | 0x91..=0x97 | 0x99 | 0x9B | 0xA0 | 0xA2 | 0xA3 | 0xA7 | 0xA9 | 0xAB | 0xAE
        | 0xB0..=0xB2 | 0xB7 | 0xBB..=0xBE | 0xD7)
}

/// The first lines that are not ASCII, each from a little before the byte that is not. A newline is a newline in all
/// these encodings, and what follows ASCII is not the middle of a character.
fn sample(bytes: &[u8]) -> Vec<u8> {
    const BEFORE: usize = 32;
    let mut sample = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(at) = line.iter().position(|byte| !byte.is_ascii()) else { continue };
        let line = &line[at.saturating_sub(BEFORE)..];
        let left = SAMPLE_BYTES - sample.len();
        sample.extend_from_slice(&line[..line.len().min(left)]);
        if sample.len() == SAMPLE_BYTES {
            break;
        }
    }
    sample
}

/// Whether the bytes are text of the kind that an East Asian encoding was made for.
fn fits(sample: &[u8], encoding: &'static Encoding) -> bool {
    let (text, _) = encoding.decode_without_bom_handling(&sample[..sample.len().min(EAST_ASIAN_SAMPLE_BYTES)]);
    // The sample may end inside a character.
    let text = text.strip_suffix('\u{FFFD}').unwrap_or(&text);
    let (mut all, mut frequent, mut kana, mut hangul, mut han) = (0, 0, 0, 0, 0);
    for character in text.chars().filter(|c| !c.is_ascii()) {
        let unit = u16::try_from(u32::from(character)).unwrap_or(0xFFFD);
        all += if unit == 0xFFFD { NONSENSE } else { 1 };
        frequent += usize::from(unit >= 0x2010 && is_plausible(unit));
        kana += usize::from(matches!(unit, 0x3041..=0x30FF));
        hangul += usize::from(is_hangul(character));
        han += usize::from(is_common_han(character));
    }
    if all < FEWEST || frequent * 100 < all * FITS {
        return false;
    }
    let is = |encodings: &[&'static Encoding]| encodings.contains(&encoding);
    match () {
        // Half of Chinese read as Korean turns into Hanja, which are rare. Korean has spaces between words.
        () if is(&[EUC_KR]) => hangul * 100 >= (hangul + han + kana) * FITS && text.contains(' '),
        () if is(&[EUC_JP, SHIFT_JIS]) => kana * 100 >= (han + kana) * LEAST_KANA,
        () => true,
    }
}
