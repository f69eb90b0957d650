//! Counting differing bits, many words at a time.
//!
//! The loops exist three times: portable, with AVX2 and with AVX-512 (VPOPCNTDQ). All give the same answer; which
//! one runs is found out while running, or fixed by the caller through a [`Kernel`]. This is the one module of the
//! search that contains `unsafe` code.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

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

/// Runs the loop of this name that belongs to a kernel.
macro_rules! run_loop {
    ($kernel:expr, $name:ident($($argument:expr),*)) => {
        match $kernel.0 {
            Loops::Portable => portable::$name($($argument),*),
            // SAFETY: a `Kernel` of this kind is made only after the processor was seen to have these features.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => unsafe { avx512::$name($($argument),*) },
        }
    };
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
        run_loop!(self, near_words(words, query, within, found));
    }

    /// Appends, for each stretch in turn, the positions of its words within its bounds, ascending.
    pub(super) fn near_in_stretches(self, stretches: &[Stretch], found: &mut Vec<Near>) {
        run_loop!(self, near_in_stretches(stretches, found));
    }

    /// Appends each pair of a query and a word within `within` bits: the query's position as the stretch, and the word's
    /// position among the little-endian 32-bit words. In no particular order.
    pub(super) fn near_any(self, words: &[u8], queries: &[u32], within: u32, found: &mut Vec<Near>) {
        run_loop!(self, near_any(words, queries, within, found));
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

/// Calls `visit` with the number of each bit that is set, the lowest first.
#[cfg(target_arch = "x86_64")]
#[inline]
fn for_each_bit(mut mask: u32, mut visit: impl FnMut(u32)) {
    while mask != 0 {
        visit(mask.trailing_zeros());
        mask &= mask - 1;
    }
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

#[cfg(test)]
mod tests;
