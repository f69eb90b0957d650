//! Which characters running text is made of, as a yes or no for each 16-bit code unit.

use std::sync::LazyLock;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};

/// Scripts and punctuation that need no finer distinction.
const RANGES: &[(u16, u16)] = &[
    (0x0009, 0x000A),
    (0x000C, 0x000D),
    (0x0020, 0x007E),
    (0x00A0, 0x024F), // Latin
    (0x0300, 0x0556), // combining marks, Greek, Cyrillic, Armenian
    (0x05D0, 0x06FF), // Hebrew, Arabic
    (0x0900, 0x0DFF), // India
    (0x0E00, 0x0EFF), // Thai, Lao
    (0x10A0, 0x10FF), // Georgian
    (0x1E00, 0x1FFF), // Vietnamese, polytonic Greek
    (0x2010, 0x2027), // dashes, quotation marks
    (0x2030, 0x205E),
    (0x20A0, 0x20BF),
    (0x2100, 0x22FF),
    (0x2460, 0x24FF),
    (0x2500, 0x257F),
    (0x25A0, 0x25FF),
    (0x3000, 0x3011),
    (0x3014, 0x301F),
    (0x3041, 0x30FF), // kana
    (0x3105, 0x312F), // bopomofo
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFF5E), // full-width forms
    (0xFFE0, 0xFFE5),
];

/// Rows of the national standards that hold the frequent characters: (encoding, first and last lead byte, first
/// and last trail byte). These are GB 2312 level 1, Big5 level 1, JIS X 0208 level 1, and the Hangul of KS X 1001.
const FREQUENT: &[(&Encoding, u8, u8, u8, u8)] = &[
    (GBK, 0xB0, 0xD7, 0xA1, 0xFE),
    (BIG5, 0xA4, 0xC6, 0x40, 0x7E),
    (BIG5, 0xA4, 0xC6, 0xA1, 0xFE),
    (SHIFT_JIS, 0x88, 0x97, 0x40, 0xFC),
    (EUC_KR, 0xB0, 0xC8, 0xA1, 0xFE),
];

/// One bit for each code unit.
static PLAUSIBLE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut bits = vec![0; 0x1_0000 / 64];
    let mut set = |unit: u16| bits[usize::from(unit) / 64] |= 1u64 << (unit % 64);
    for &(first, last) in RANGES {
        (first..=last).for_each(&mut set);
    }
    for &(encoding, first_lead, last_lead, first_trail, last_trail) in FREQUENT {
        for lead in first_lead..=last_lead {
            for trail in first_trail..=last_trail {
                let bytes = [lead, trail];
                let (text, _) = encoding.decode_without_bom_handling(&bytes);
                let mut units = text.encode_utf16();
                if let (Some(unit), None) = (units.next(), units.next())
                    && unit != 0xFFFD
                {
                    set(unit);
                }
            }
        }
    }
    bits
});

/// Whether running text often holds this code unit. About a quarter of all units do, and a third of all Han
/// characters, so that bytes read in a wrong way soon betray themselves.
pub fn is_plausible(unit: u16) -> bool {
    PLAUSIBLE[usize::from(unit) / 64] >> (unit % 64) & 1 == 1
}
