//! The inner loop of MinHash, compiled for each level of vector instructions.
//!
//! Blocks of 64 functions, and of 32 at the end, keep their minima in registers while all shingles pass by. Measured by
//! `benches/kernels.rs`.

use crate::hamming::cpu::Kernel;

/// Functions are computed in multiples of this: two AVX-512 registers of minima, and twice as many where it goes.
pub(super) const BLOCK: usize = 32;

/// Lowers each `minima[j]` to the smallest of `multipliers[j]·x + addends[j] mod 2³²` over all shingles x.
/// The last three slices have equal lengths, a multiple of [`BLOCK`].
pub(super) struct Minima<'a> {
    pub shingles: &'a [u32],
    pub multipliers: &'a [u32],
    pub addends: &'a [u32],
    pub minima: &'a mut [u32],
}

impl Kernel for Minima<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Minima { shingles, multipliers, addends, minima } = self;
        let whole = minima.len() / (2 * BLOCK) * (2 * BLOCK);
        let (minima, last) = minima.split_at_mut(whole);
        minima_by::<{ 2 * BLOCK }>(shingles, multipliers, addends, minima);
        minima_by::<BLOCK>(shingles, &multipliers[whole..], &addends[whole..], last);
    }
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
