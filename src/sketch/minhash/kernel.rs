//! The inner loop of MinHash, compiled once for each instruction set and chosen while running.
//!
//! All variants are the same Rust code over exact integers, so they give the same bits; the compiler widens the
//! loop to what the instruction set offers. Blocks of 64 functions, and of 32 at the end, keep their minima in
//! registers while all shingles pass by. Measured by `benches/kernels.rs`.
#![allow(unsafe_code)]

use crate::sketch::instructions::Instructions;

/// Functions are computed in multiples of this: two AVX-512 registers of minima, and twice as many where it goes.
pub(super) const BLOCK: usize = 32;

/// Lowers each `minima[j]` to the smallest of `multipliers[j]·x + addends[j] mod 2³²` over all shingles x.
/// The three slices have equal lengths, a multiple of [`BLOCK`].
pub(super) fn minima(
    instructions: Instructions,
    shingles: &[u32],
    multipliers: &[u32],
    addends: &[u32],
    minima: &mut [u32],
) {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 if Instructions::Avx512.available() => {
            // SAFETY: the processor was just found to have the instructions the function is compiled for.
            unsafe { minima_avx512(shingles, multipliers, addends, minima) }
        }
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 if Instructions::Avx2.available() => {
            // SAFETY: as above.
            unsafe { minima_avx2(shingles, multipliers, addends, minima) }
        }
        _ => minima_portable(shingles, multipliers, addends, minima),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn minima_avx512(shingles: &[u32], multipliers: &[u32], addends: &[u32], minima: &mut [u32]) {
    minima_portable(shingles, multipliers, addends, minima);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn minima_avx2(shingles: &[u32], multipliers: &[u32], addends: &[u32], minima: &mut [u32]) {
    minima_portable(shingles, multipliers, addends, minima);
}

#[inline(always)]
fn minima_portable(shingles: &[u32], multipliers: &[u32], addends: &[u32], minima: &mut [u32]) {
    let whole = minima.len() / (2 * BLOCK) * (2 * BLOCK);
    let (minima, last) = minima.split_at_mut(whole);
    minima_by::<{ 2 * BLOCK }>(shingles, multipliers, addends, minima);
    minima_by::<BLOCK>(shingles, &multipliers[whole..], &addends[whole..], last);
}

/// `N` functions at a time.
#[inline(always)]
fn minima_by<const N: usize>(shingles: &[u32], multipliers: &[u32], addends: &[u32], minima: &mut [u32]) {
    let (multipliers, _) = multipliers.as_chunks::<N>();
    let (addends, _) = addends.as_chunks::<N>();
    let (minima, _) = minima.as_chunks_mut::<N>();
    for ((multipliers, addends), minima) in multipliers.iter().zip(addends).zip(minima) {
        let mut least = *minima;
        for &x in shingles {
            for j in 0..N {
                least[j] = least[j].min(x.wrapping_mul(multipliers[j]).wrapping_add(addends[j]));
            }
        }
        *minima = least;
    }
}
