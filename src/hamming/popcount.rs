//! Counting differing bits, many words at a time.
//!
//! The loops exist three times: portable, with AVX2 and with AVX-512 (VPOPCNTDQ). All give the same answer; which
//! one runs is found out while running, or fixed by the caller through a [`Kernel`]. This is the one module of the
//! search that contains `unsafe` code.
#![allow(unsafe_code)]

/// Which loops count bits. A value of this type exists only where the processor can run it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Loops);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loops {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Default for Kernel {
    fn default() -> Self {
        Kernel::best()
    }
}

impl Kernel {
    /// The fastest loops this processor can run.
    pub fn best() -> Self {
        Kernel::avx512().or_else(Kernel::avx2).unwrap_or(Kernel::portable())
    }

    /// Loops that run on any processor.
    pub fn portable() -> Self {
        Kernel(Loops::Portable)
    }

    /// Loops for AVX2, if the processor has it.
    pub fn avx2() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            return Some(Kernel(Loops::Avx2));
        }
        None
    }

    /// Loops for AVX-512 with VPOPCNTDQ, if the processor has it.
    pub fn avx512() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq") {
            return Some(Kernel(Loops::Avx512));
        }
        None
    }

    /// Every kind of loop this processor can run, the portable one first.
    pub fn available() -> Vec<Self> {
        [Some(Kernel::portable()), Kernel::avx2(), Kernel::avx512()].into_iter().flatten().collect()
    }

    /// The name for a report: `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Loops::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => "avx512",
        }
    }

    /// Appends the positions of the little-endian 64-bit words within `within` bits of `query`, ascending. Bytes
    /// beyond the last whole word are ignored.
    pub(super) fn near_words(self, words: &[u8], query: u64, within: u32, found: &mut Vec<usize>) {
        match self.0 {
            Loops::Portable => portable::near_words(words, query, within, 0, found),
            // SAFETY: a `Kernel` of this kind is made only after the processor was seen to have these features.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => unsafe { avx2::near_words(words, query, within, found) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => unsafe { avx512::near_words(words, query, within, found) },
        }
    }

    /// Appends, for each stretch in turn, the positions of its words within its bounds, ascending.
    pub(super) fn near_in_stretches(self, stretches: &[Stretch], found: &mut Vec<Near>) {
        match self.0 {
            Loops::Portable => portable::near_in_stretches(stretches, found),
            // SAFETY: a `Kernel` of this kind is made only after the processor was seen to have these features.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => unsafe { avx2::near_in_stretches(stretches, found) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => unsafe { avx512::near_in_stretches(stretches, found) },
        }
    }

    /// Appends each pair of a query and a word within `within` bits: the query's position as the stretch, and the word's
    /// position among the little-endian 32-bit words. In no particular order.
    pub(super) fn near_any(self, words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
        match self.0 {
            Loops::Portable => portable::near_any(words, queries, within, 0, found),
            // SAFETY: a `Kernel` of this kind is made only after the processor was seen to have these features.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => unsafe { avx2::near_any(words, queries, within, found) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => unsafe { avx512::near_any(words, queries, within, found) },
        }
    }
}

/// A stretch of little-endian 32-bit words to be compared with one query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// The words; bytes beyond the last whole word are ignored.
    pub words: &'a [u8],
    /// What they are compared with.
    pub query: u32,
    /// The most bits that may differ.
    pub within: u32,
}

/// A word that was near enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Near {
    /// The position of its stretch among the stretches.
    pub stretch: u32,
    /// Its position in the stretch, in words.
    pub position: u32,
}

/// Asks the processor to fetch the first cache lines of `bytes`. Changes no result.
#[inline]
pub(super) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(64).take(4) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the pointer is into a live slice, and prefetching reads nothing the program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

mod portable {
    use super::{Near, Stretch};

    /// `first` is the position of the first word, for callers that have dealt with earlier ones.
    pub fn near_words(words: &[u8], query: u64, within: u32, first: usize, found: &mut Vec<usize>) {
        for (position, word) in words.as_chunks::<8>().0.iter().enumerate() {
            if (u64::from_le_bytes(*word) ^ query).count_ones() <= within {
                found.push(first + position);
            }
        }
    }

    pub fn near_in_stretches(stretches: &[Stretch], found: &mut Vec<Near>) {
        for (number, stretch) in stretches.iter().enumerate() {
            near_in_stretch(stretch, number, 0, found);
        }
    }

    /// Only the words from position `first` on.
    #[inline]
    pub fn near_any(words: &[u8], queries: &[u32], within: u32, first: usize, found: &mut Vec<Near>) {
        for (number, &query) in queries.iter().enumerate() {
            near_in_stretch(&Stretch { words, query, within }, number, first, found);
        }
    }

    /// Only the words from position `first` on.
    #[inline]
    pub fn near_in_stretch(stretch: &Stretch, number: usize, first: usize, found: &mut Vec<Near>) {
        for (position, word) in stretch.words.as_chunks::<4>().0.iter().enumerate().skip(first) {
            if (u32::from_le_bytes(*word) ^ stretch.query).count_ones() <= stretch.within {
                found.push(Near { stretch: number as u32, position: position as u32 });
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Near, Stretch, portable};

    /// How many bits are set in each byte: two look-ups of four bits each (Muła, Kurz and Lemire, "Faster population
    /// counts using AVX2 instructions", 2018).
    #[inline]
    #[target_feature(enable = "avx2")]
    fn byte_counts(bits: __m256i) -> __m256i {
        let table = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        );
        let nibble = _mm256_set1_epi8(0x0f);
        let low = _mm256_shuffle_epi8(table, _mm256_and_si256(bits, nibble));
        let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(bits), nibble));
        _mm256_add_epi8(low, high)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the array has the 32 bytes that are read, and this load asks for no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn near_words(words: &[u8], query: u64, within: u32, found: &mut Vec<usize>) {
        let (vectors, _) = words.as_chunks::<32>();
        let wanted = _mm256_set1_epi64x(query as i64);
        let too_many = _mm256_set1_epi64x(i64::from(within) + 1);
        for (vector, bytes) in vectors.iter().enumerate() {
            let counts = byte_counts(_mm256_xor_si256(load(bytes), wanted));
            let sums = _mm256_sad_epu8(counts, _mm256_setzero_si256());
            let mut near = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(too_many, sums))) as u32;
            while near != 0 {
                found.push(vector * 4 + near.trailing_zeros() as usize);
                near &= near - 1;
            }
        }
        portable::near_words(&words[vectors.len() * 32..], query, within, vectors.len() * 4, found);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn near_in_stretches(stretches: &[Stretch], found: &mut Vec<Near>) {
        let (ones8, ones16) = (_mm256_set1_epi8(1), _mm256_set1_epi16(1));
        for (number, stretch) in stretches.iter().enumerate() {
            let (vectors, _) = stretch.words.as_chunks::<32>();
            let wanted = _mm256_set1_epi32(stretch.query as i32);
            let too_many = _mm256_set1_epi32(stretch.within as i32 + 1);
            for (vector, bytes) in vectors.iter().enumerate() {
                let counts = byte_counts(_mm256_xor_si256(load(bytes), wanted));
                let sums = _mm256_madd_epi16(_mm256_maddubs_epi16(counts, ones8), ones16);
                let mut near = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(too_many, sums))) as u32;
                while near != 0 {
                    let position = vector as u32 * 8 + near.trailing_zeros();
                    found.push(Near { stretch: number as u32, position });
                    near &= near - 1;
                }
            }
            portable::near_in_stretch(stretch, number, vectors.len() * 8, found);
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn near_any(words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
        let (ones8, ones16) = (_mm256_set1_epi8(1), _mm256_set1_epi16(1));
        let (vectors, _) = words.as_chunks::<32>();
        let too_many = _mm256_set1_epi32(within as i32 + 1);
        for (vector, bytes) in vectors.iter().enumerate() {
            let words = load(bytes);
            for (number, &query) in queries.iter().enumerate() {
                let counts = byte_counts(_mm256_xor_si256(words, _mm256_set1_epi32(query as i32)));
                let sums = _mm256_madd_epi16(_mm256_maddubs_epi16(counts, ones8), ones16);
                let mut near = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(too_many, sums))) as u32;
                while near != 0 {
                    let position = vector as u32 * 8 + near.trailing_zeros();
                    found.push(Near { stretch: number as u32, position });
                    near &= near - 1;
                }
            }
        }
        portable::near_any(words, queries, within, vectors.len() * 8, found);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::{Near, Stretch};

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: the array has the 64 bytes that are read, and this load asks for no alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub fn near_words(words: &[u8], query: u64, within: u32, found: &mut Vec<usize>) {
        let (vectors, rest) = words.as_chunks::<64>();
        let wanted = _mm512_set1_epi64(query as i64);
        let most = _mm512_set1_epi64(i64::from(within));
        let mut push = |vector: usize, mut near: __mmask8| {
            while near != 0 {
                found.push(vector * 8 + near.trailing_zeros() as usize);
                near &= near - 1;
            }
        };
        for (vector, bytes) in vectors.iter().enumerate() {
            let counts = _mm512_popcnt_epi64(_mm512_xor_si512(load(bytes), wanted));
            push(vector, _mm512_cmple_epu64_mask(counts, most));
        }
        let whole: __mmask8 = (1 << (rest.len() / 8)) - 1;
        // SAFETY: a masked load touches only the words whose mask bit is set, and `rest` has all of those.
        let last = unsafe { _mm512_maskz_loadu_epi64(whole, rest.as_ptr().cast()) };
        let counts = _mm512_popcnt_epi64(_mm512_xor_si512(last, wanted));
        push(vectors.len(), _mm512_mask_cmple_epu64_mask(whole, counts, most));
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub fn near_in_stretches(stretches: &[Stretch], found: &mut Vec<Near>) {
        for (number, stretch) in stretches.iter().enumerate() {
            let (vectors, rest) = stretch.words.as_chunks::<64>();
            let wanted = _mm512_set1_epi32(stretch.query as i32);
            let most = _mm512_set1_epi32(stretch.within as i32);
            let mut push = |vector: usize, mut near: __mmask16| {
                while near != 0 {
                    let position = vector as u32 * 16 + near.trailing_zeros();
                    found.push(Near { stretch: number as u32, position });
                    near &= near - 1;
                }
            };
            for (vector, bytes) in vectors.iter().enumerate() {
                let counts = _mm512_popcnt_epi32(_mm512_xor_si512(load(bytes), wanted));
                push(vector, _mm512_cmple_epu32_mask(counts, most));
            }
            if !rest.is_empty() {
                let whole: __mmask16 = (1 << (rest.len() / 4)) - 1;
                // SAFETY: a masked load touches only the words whose mask bit is set, and `rest` has all of those.
                let last = unsafe { _mm512_maskz_loadu_epi32(whole, rest.as_ptr().cast()) };
                let counts = _mm512_popcnt_epi32(_mm512_xor_si512(last, wanted));
                push(vectors.len(), _mm512_mask_cmple_epu32_mask(whole, counts, most));
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub fn near_any(words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
        let (vectors, rest) = words.as_chunks::<64>();
        let most = _mm512_set1_epi32(within as i32);
        let mut compare = |vector: usize, words: __m512i, whole: __mmask16| {
            for (number, &query) in queries.iter().enumerate() {
                let counts = _mm512_popcnt_epi32(_mm512_xor_si512(words, _mm512_set1_epi32(query as i32)));
                let mut near = _mm512_mask_cmple_epu32_mask(whole, counts, most);
                while near != 0 {
                    let position = vector as u32 * 16 + near.trailing_zeros();
                    found.push(Near { stretch: number as u32, position });
                    near &= near - 1;
                }
            }
        };
        for (vector, bytes) in vectors.iter().enumerate() {
            compare(vector, load(bytes), __mmask16::MAX);
        }
        if !rest.is_empty() {
            let whole: __mmask16 = (1 << (rest.len() / 4)) - 1;
            // SAFETY: a masked load touches only the words whose mask bit is set, and `rest` has all of those.
            let last = unsafe { _mm512_maskz_loadu_epi32(whole, rest.as_ptr().cast()) };
            compare(vectors.len(), last, whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_kernel_finds_the_64_bit_words_that_the_obvious_loop_finds(
            words in prop::collection::vec(any::<u64>(), 0..70),
            query in any::<u64>(),
            within in 0u32..40,
            skip in 0usize..9,
        ) {
            // An odd first byte: tables in a memory map need not be aligned.
            let mut bytes = vec![0; skip];
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            let expected: Vec<usize> =
                (0..words.len()).filter(|&i| (words[i] ^ query).count_ones() <= within).collect();
            for kernel in Kernel::available() {
                let mut found = Vec::new();
                kernel.near_words(&bytes[skip..], query, within, &mut found);
                prop_assert_eq!(&found, &expected, "{}", kernel.name());
            }
        }

        #[test]
        fn every_kernel_finds_the_32_bit_words_that_the_obvious_loop_finds(
            stretches in prop::collection::vec((prop::collection::vec(any::<u32>(), 0..70), any::<u32>(), 0u32..20), 0..5),
        ) {
            let bytes: Vec<Vec<u8>> =
                stretches.iter().map(|s| s.0.iter().flat_map(|word| word.to_le_bytes()).collect()).collect();
            let mut expected = Vec::new();
            for (number, (words, query, within)) in stretches.iter().enumerate() {
                for (position, word) in words.iter().enumerate() {
                    if (word ^ query).count_ones() <= *within {
                        expected.push(Near { stretch: number as u32, position: position as u32 });
                    }
                }
            }
            let asked: Vec<Stretch> = stretches
                .iter()
                .zip(&bytes)
                .map(|((_, query, within), words)| Stretch { words, query: *query, within: *within })
                .collect();
            for kernel in Kernel::available() {
                let mut found = Vec::new();
                kernel.near_in_stretches(&asked, &mut found);
                prop_assert_eq!(&found, &expected, "{}", kernel.name());
            }
        }
    }

    proptest! {
        #[test]
        fn every_kernel_finds_the_pairs_of_32_bit_words_that_the_obvious_loops_find(
            words in prop::collection::vec(any::<u32>(), 0..70),
            queries in prop::collection::vec(any::<u32>(), 0..9),
            within in 0u32..20,
        ) {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let mut expected = Vec::new();
            for (number, query) in queries.iter().enumerate() {
                for (position, word) in words.iter().enumerate() {
                    if (word ^ query).count_ones() <= within {
                        expected.push((number as u32, position as u32));
                    }
                }
            }
            for kernel in Kernel::available() {
                let mut found = Vec::new();
                kernel.near_any(&bytes, &queries, within, &mut found);
                let mut found: Vec<(u32, u32)> = found.iter().map(|near| (near.stretch, near.position)).collect();
                found.sort_unstable();
                prop_assert_eq!(&found, &expected, "{}", kernel.name());
            }
        }
    }

    #[test]
    fn the_portable_kernel_is_always_there_and_the_best_is_among_the_available() {
        assert_eq!(Kernel::available()[0].name(), "portable");
        assert!(Kernel::available().contains(&Kernel::best()));
    }
}
