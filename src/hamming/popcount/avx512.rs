//! Loops for AVX-512 with VPOPCNTDQ. What is left of a stretch after its whole vectors is one more, partly masked.

use std::arch::x86_64::*;

use super::{Near, Stretch, for_each_bit};

#[inline]
#[target_feature(enable = "avx512f")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, and this load asks for no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// The whole 32-bit words of fewer than 64 bytes, zeros behind them, and a bit for each that is there.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_rest(bytes: &[u8]) -> (__m512i, __mmask16) {
    let whole: __mmask16 = (1 << (bytes.len() / 4)) - 1;
    // SAFETY: a masked load touches only the words whose mask bit is set, and all of those are in `bytes`.
    (unsafe { _mm512_maskz_loadu_epi32(whole, bytes.as_ptr().cast()) }, whole)
}

/// Calls `visit` with the number of each vector of 32-bit words, the vector, and a bit for each of its words that is there.
#[inline]
#[target_feature(enable = "avx512f")]
fn for_each_vector(words: &[u8], mut visit: impl FnMut(u32, __m512i, __mmask16)) {
    let (vectors, rest) = words.as_chunks::<64>();
    for (number, bytes) in vectors.iter().enumerate() {
        visit(number as u32, load(bytes), __mmask16::MAX);
    }
    if !rest.is_empty() {
        let (last, whole) = load_rest(rest);
        visit(vectors.len() as u32, last, whole);
    }
}

/// A bit for each of the words in `whole` that differs from its counterpart in at most `most` bits.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn near_mask(words: __m512i, wanted: __m512i, most: __m512i, whole: __mmask16) -> u32 {
    let counts = _mm512_popcnt_epi32(_mm512_xor_si512(words, wanted));
    u32::from(_mm512_mask_cmple_epu32_mask(whole, counts, most))
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub fn near_words(words: &[u8], query: u64, within: u32, found: &mut Vec<usize>) {
    let (vectors, rest) = words.as_chunks::<64>();
    let wanted = _mm512_set1_epi64(query as i64);
    let most = _mm512_set1_epi64(i64::from(within));
    let mut compare = |vector: usize, words: __m512i, whole: __mmask8| {
        let counts = _mm512_popcnt_epi64(_mm512_xor_si512(words, wanted));
        let near = _mm512_mask_cmple_epu64_mask(whole, counts, most);
        for_each_bit(near.into(), |bit| found.push(vector * 8 + bit as usize));
    };
    for (vector, bytes) in vectors.iter().enumerate() {
        compare(vector, load(bytes), __mmask8::MAX);
    }
    let (last, _) = load_rest(&rest[..rest.len() / 8 * 8]);
    compare(vectors.len(), last, (1 << (rest.len() / 8)) - 1);
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub fn near_in_stretches(stretches: &[Stretch], found: &mut Vec<Near>) {
    for (number, stretch) in stretches.iter().enumerate() {
        let wanted = _mm512_set1_epi32(stretch.query as i32);
        let most = _mm512_set1_epi32(stretch.within as i32);
        for_each_vector(stretch.words, |vector, words, whole| {
            let near = near_mask(words, wanted, most, whole);
            for_each_bit(near, |bit| found.push(Near { stretch: number as u32, position: vector * 16 + bit }));
        });
    }
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub fn near_any(words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
    let most = _mm512_set1_epi32(within as i32);
    for_each_vector(words, |vector, words, whole| {
        for (number, &query) in queries.iter().enumerate() {
            let near = near_mask(words, _mm512_set1_epi32(query as i32), most, whole);
            for_each_bit(near, |bit| found.push(Near { stretch: number as u32, position: vector * 16 + bit }));
        }
    });
}
