//! Words of ASCII letters and digits, found sixty-four bytes at a time.
//!
//! Most words of most texts need no rule but this: they are runs of letters and digits with a blank or a mark on both
//! sides. Where more is to be known (a character beyond ASCII, a low line, a mark between two letters) it is left to
//! [`Tokens`]. On English this is half as fast again as taking token by token.

use super::tokens::{Kind, Token, Tokens};

/// Takes what a text holds besides gaps, in order.
pub(super) trait Sink {
    /// A word of nothing but ASCII letters and digits.
    fn run(&mut self, word: &str);
    /// Any other word.
    fn word(&mut self, word: &Token);
    /// A character of a script written without spaces.
    fn single(&mut self, character: char);
}

/// Hands on the words and single characters of a text.
pub(super) fn hand_on(text: &str, sink: &mut impl Sink) {
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(mut runs) = Runs::of(rest.as_bytes()) {
            for (start, len) in runs.by_ref() {
                sink.run(&rest[start..start + len]);
            }
            rest = &rest[runs.end..];
            continue;
        }
        let mut tokens = Tokens::of(rest);
        while let Some(token) = tokens.next() {
            match token.kind {
                Kind::Gap => {}
                Kind::Single(character) => {
                    sink.single(character);
                    continue;
                }
                Kind::Word => sink.word(&token),
            }
            if tokens.rest().as_bytes().first_chunk().is_some_and(|two: &[u8; 2]| two.is_ascii()) {
                break;
            }
        }
        rest = tokens.rest();
    }
}

/// The bytes of a block.
const BLOCK: usize = 64;

/// The runs that a block holds whole: where each starts and how many bytes it has.
struct Runs {
    /// A bit for each letter and digit of these runs, the first byte's the lowest.
    left: u64,
    /// The gap behind them, where the next token starts.
    end: usize,
}

impl Runs {
    /// The runs at the start of a text, which must be the start of a token; none where the text is short, or where more is
    /// to be known of the first token.
    #[inline(always)]
    fn of(text: &[u8]) -> Option<Self> {
        let classes = Classes::of(text.first_chunk()?);
        // A mark between two of them may join them.
        let joints = classes.marks & (classes.alphanumeric << 1) & (classes.alphanumeric >> 1);
        let stop = (classes.others | joints).trailing_zeros();
        // The character behind a run and the one after that must be known, and none that asks for a rule.
        let reach = stop.checked_sub(2)?;
        // Before the last gap up to there all runs are whole.
        let gaps = !classes.alphanumeric & (u64::MAX >> (BLOCK as u32 - 1 - reach));
        let end = gaps.checked_ilog2().filter(|&end| end > 0)?;
        Some(Runs { left: classes.alphanumeric & ((1 << end) - 1), end: end as usize })
    }
}

impl Iterator for Runs {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.left == 0 {
            return None;
        }
        // Adding the lowest bit of a run to it carries over to the bit behind it.
        let carried = self.left + (self.left & self.left.wrapping_neg());
        let start = self.left.trailing_zeros() as usize;
        let len = carried.trailing_zeros() as usize - start;
        self.left &= carried;
        Some((start, len))
    }
}

/// The runs of ASCII letters and digits at the front of a text of at least a block, up to a byte that ends them.
pub struct AsciiBlock {
    /// That byte's place, above 0: all before it is ASCII.
    pub end: usize,
    runs: Runs,
}

impl AsciiBlock {
    /// The longest such block of at most 64 bytes that ends with a byte for which `ends` holds; no letter or digit is such a
    /// byte. None where the text is shorter than 64 bytes or has none.
    #[inline(always)]
    pub fn of(text: &[u8], ends: impl Fn(u8) -> bool) -> Option<Self> {
        let block = text.first_chunk()?;
        let classes = Classes::of(block);
        let known = 1u64.checked_shl(classes.others.trailing_zeros()).unwrap_or(0).wrapping_sub(1);
        let mut gaps = !classes.alphanumeric & known;
        while let Some(end) = gaps.checked_ilog2().filter(|&end| end > 0) {
            if ends(block[end as usize]) {
                let runs = Runs { left: classes.alphanumeric & ((1 << end) - 1), end: end as usize };
                return Some(AsciiBlock { end: end as usize, runs });
            }
            gaps ^= 1 << end;
        }
        None
    }
}

impl Iterator for AsciiBlock {
    type Item = (usize, usize);

    /// Where the next run starts, and how many bytes it has.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        self.runs.next()
    }
}

/// What the bytes of a block are: a bit for each, the first byte's the lowest.
#[derive(Debug, PartialEq, Eq)]
struct Classes {
    /// ASCII letters and digits.
    alphanumeric: u64,
    /// Marks that may join letters or digits.
    marks: u64,
    /// Characters beyond ASCII and low lines.
    others: u64,
}

impl Classes {
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn of(block: &[u8; BLOCK]) -> Self {
        Self::portably(block)
    }

    #[expect(unsafe_code)]
    /// By SSE2, which every x86-64 processor has: its bits of a comparison come without gathering them.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn of(block: &[u8; BLOCK]) -> Self {
        use std::arch::x86_64::{_mm_add_epi8, _mm_cmpeq_epi8, _mm_cmplt_epi8};
        use std::arch::x86_64::{_mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8};
        let mut classes = Classes { alphanumeric: 0, marks: 0, others: 0 };
        let (sixteens, _) = block.as_chunks::<16>();
        for sixteen in sixteens.iter().rev() {
            let bits = u128::from_le_bytes(*sixteen);
            // SAFETY: every x86-64 processor has SSE2.
            let vectors = unsafe {
                let bytes = _mm_set_epi64x((bits >> 64) as i64, bits as i64);
                let all = |byte: u8| _mm_set1_epi8(byte.cast_signed());
                let is = |byte| _mm_cmpeq_epi8(bytes, all(byte));
                // The comparison is one of signed numbers: the range is moved to the lowest of them.
                let is_among = |bytes, first: u8, count: u8| {
                    _mm_cmplt_epi8(_mm_add_epi8(bytes, all(0x80 - first)), all(0x80 + count))
                };
                let small = _mm_or_si128(bytes, all(0x20));
                let alphanumeric = _mm_or_si128(is_among(small, b'a', 26), is_among(bytes, b'0', 10));
                let points = _mm_or_si128(is(b'.'), is_among(bytes, b':', 2));
                let marks = _mm_or_si128(points, _mm_or_si128(is(b','), is(b'\'')));
                // A byte beyond ASCII has its highest bit set, which is the one that counts.
                let others = _mm_or_si128(bytes, is(b'_'));
                [alphanumeric, marks, others].map(|vector| u64::from(_mm_movemask_epi8(vector).cast_unsigned()))
            };
            let Classes { alphanumeric, marks, others } = &mut classes;
            for (bits, more) in [alphanumeric, marks, others].into_iter().zip(vectors) {
                *bits = *bits << 16 | more;
            }
        }
        classes
    }

    /// For other processors, and what the vectors are tested against.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn portably(block: &[u8; BLOCK]) -> Self {
        let bits = |is: fn(u8) -> bool| {
            let set = block.map(|byte| u8::from(is(byte)));
            let (eights, _) = set.as_chunks::<8>();
            // Multiplying moves the lowest bits of eight bytes to the highest byte.
            let gathered = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            eights.iter().rev().fold(0, |bits, eight| bits << 8 | gathered(eight))
        };
        Classes {
            alphanumeric: bits(|byte| byte.is_ascii_alphanumeric()),
            marks: bits(|byte| matches!(byte, b'.' | b'\'' | b':' | b';' | b',')),
            others: bits(|byte| !byte.is_ascii() || byte == b'_'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text holds, and how much of it was found as runs.
    #[derive(Debug, Default)]
    struct Found {
        pieces: Vec<(String, usize)>,
        runs: usize,
    }

    impl Sink for Found {
        fn run(&mut self, word: &str) {
            self.runs += 1;
            self.pieces.push((word.to_owned(), word.len()));
        }

        fn word(&mut self, word: &Token) {
            self.pieces.push((word.text.to_owned(), word.countable));
        }

        fn single(&mut self, character: char) {
            self.pieces.push((character.to_string(), 1));
        }
    }

    fn found(text: &str) -> Found {
        let mut found = Found::default();
        hand_on(text, &mut found);
        found
    }

    #[test]
    fn most_of_an_english_text_is_runs() {
        let text = "It was the best of times, it was the worst of times; it wasn't his 3.5 cents. ".repeat(10);
        let found = found(&text);
        assert_eq!(found.pieces.len(), 170);
        assert!(found.runs > 130, "{} of 170", found.runs);
    }

    #[test]
    fn vectors_class_each_byte_as_the_portable_way_does() {
        for byte in 0..=u8::MAX {
            for beside in [0, b'a', b'9', b'_', 0x7f, 0x80, 0xff] {
                let mut block = [beside; BLOCK];
                block[usize::from(byte) % BLOCK] = byte;
                assert_eq!(Classes::of(&block), Classes::portably(&block), "{byte} beside {beside}");
            }
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_handed_on_are_the_tokens_without_the_gaps(
            text in "[a-z]{60,64}[a-z.' ]{0,90}|([a-z]{1,9}[ ,.]{1,2}){5,40}|[a-z0-9_.',:; \n]{60,200}|([a-z ]{30,60}[汉字é’\u{301}_.']){1,5}|[a-c1._' 汉é]{60,130}"
        ) {
            let tokens = Tokens::of(&text).filter(|token| token.kind != Kind::Gap);
            let tokens: Vec<_> = tokens.map(|token| (token.text.to_owned(), token.countable)).collect();
            assert_eq!(found(&text).pieces, tokens);
        }
    }
}
