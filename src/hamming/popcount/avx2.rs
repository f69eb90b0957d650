//! Loops for AVX2, which has no instruction that counts bits.

use std::arch::x86_64::*;

use super::{Near, Stretch, for_each_bit, portable};

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

/// A bit for each of the eight 32-bit words that differs from its counterpart in fewer than `too_many` bits.
#[inline]
#[target_feature(enable = "avx2")]
fn near_mask(words: __m256i, wanted: __m256i, too_many: __m256i) -> u32 {
    let counts = byte_counts(_mm256_xor_si256(words, wanted));
    let sums = _mm256_madd_epi16(_mm256_maddubs_epi16(counts, _mm256_set1_epi8(1)), _mm256_set1_epi16(1));
    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(too_many, sums))) as u32
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
        let near = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(too_many, sums))) as u32;
        for_each_bit(near, |bit| found.push(vector * 4 + bit as usize));
    }
    portable::near_words_from(vectors.len() * 4, words, query, within, found);
}

#[target_feature(enable = "avx2,popcnt")]
pub fn near_in_stretches(stretches: &[Stretch], found: &mut Vec<Near>) {
    for (number, stretch) in stretches.iter().enumerate() {
        let (vectors, _) = stretch.words.as_chunks::<32>();
        let wanted = _mm256_set1_epi32(stretch.query as i32);
        let too_many = _mm256_set1_epi32(stretch.within as i32 + 1);
        for (vector, bytes) in vectors.iter().enumerate() {
            let near = near_mask(load(bytes), wanted, too_many);
            for_each_bit(near, |bit| found.push(Near { stretch: number as u32, position: vector as u32 * 8 + bit }));
        }
        portable::near_in_stretch_from(vectors.len() * 8, stretch, number, found);
    }
}

#[target_feature(enable = "avx2,popcnt")]
pub fn near_any(words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
    let (vectors, _) = words.as_chunks::<32>();
    let too_many = _mm256_set1_epi32(within as i32 + 1);
    for (vector, bytes) in vectors.iter().enumerate() {
        let words = load(bytes);
        for (number, &query) in queries.iter().enumerate() {
            let near = near_mask(words, _mm256_set1_epi32(query as i32), too_many);
            for_each_bit(near, |bit| found.push(Near { stretch: number as u32, position: vector as u32 * 8 + bit }));
        }
    }
    portable::near_any_from(vectors.len() * 8, words, queries, within, found);
}
