//! The processor's vector instructions: which there are, and loops compiled for them.
//!
//! A [`Cpu`] exists only for instructions that this processor was found to have, and [`Cpu::run`] is the one place that
//! calls code compiled for more than every processor of the target has. The loops themselves are safe code over exact
//! integers, so they give the same values whatever they are compiled for.
//!
//! The environment variable `COPYTRACE_CPU` names the level to use instead of the best: `portable`, `avx2`, `avx512` or
//! `avx512-popcount`. A level that the processor lacks, or an unknown name, means `portable`. It changes no result; tests use
//! it to run what other processors run.
#![allow(unsafe_code)]

use std::sync::OnceLock;

/// A level of vector instructions that this processor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cpu(Level);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// What every processor of the target has: SSE2 on x86-64, NEON on 64-bit Arm.
    Portable,
    /// 256-bit integer vectors.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit integer vectors, with 64-bit products.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// The same, and an instruction that counts the bits of each number in a vector.
    #[cfg(target_arch = "x86_64")]
    Avx512Popcount,
}

/// A loop that is worth compiling for each level.
pub trait Kernel {
    /// What it computes.
    type Output;

    /// Runs it. Implementations are `#[inline(always)]` and consist of loops, not closures: only what is inlined into the
    /// caller is compiled for its instructions.
    fn run(self) -> Self::Output;
}

impl Cpu {
    /// What every processor of the target has.
    pub const PORTABLE: Cpu = Cpu(Level::Portable);

    /// The level that all loops use: the best, or what `COPYTRACE_CPU` names.
    pub fn best() -> Self {
        static BEST: OnceLock<Cpu> = OnceLock::new();
        *BEST.get_or_init(|| {
            let available = Cpu::available();
            match std::env::var_os("COPYTRACE_CPU") {
                Some(name) => available.into_iter().find(|cpu| name == cpu.name()),
                None => available.last().copied(),
            }
            .unwrap_or(Cpu::PORTABLE)
        })
    }

    /// All levels that this processor has, the portable one first and the best last.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
            let avx512 = avx2 && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
            let popcount = avx512 && is_x86_feature_detected!("avx512vpopcntdq");
            let found = [(avx2, Level::Avx2), (avx512, Level::Avx512), (popcount, Level::Avx512Popcount)];
            levels.extend(found.into_iter().filter(|(found, _)| *found).map(|(_, level)| level));
        }
        levels.into_iter().map(Cpu).collect()
    }

    /// The name, as in `COPYTRACE_CPU`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512Popcount => "avx512-popcount",
        }
    }

    /// Runs a loop that was compiled for this level.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Portable => kernel.run(),
            // SAFETY: a `Cpu` of this level is made only after the processor was found to have these instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { run_avx2(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { run_avx512(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512Popcount => unsafe { run_avx512_popcount(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,avx512f,avx512dq")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,avx512f,avx512dq,avx512vpopcntdq")]
fn run_avx512_popcount<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Asks the processor to fetch the first cache lines of `bytes`. Changes no result.
#[inline]
pub fn prefetch(bytes: &[u8]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for line in bytes.chunks(64).take(4) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the pointer is into a live slice, and prefetching reads nothing the program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = bytes;
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [u32]);

    impl Kernel for Sum<'_> {
        type Output = u32;

        #[inline(always)]
        fn run(self) -> u32 {
            let mut sum = 0u32;
            for &number in self.0 {
                sum = sum.wrapping_add(number);
            }
            sum
        }
    }

    #[test]
    fn every_level_runs_and_has_a_name_of_its_own() {
        let levels = Cpu::available();
        assert_eq!(levels[0], Cpu::PORTABLE);
        assert!(levels.contains(&Cpu::best()));
        let numbers: Vec<u32> = (0..1000).collect();
        for (place, cpu) in levels.iter().enumerate() {
            assert_eq!(cpu.run(Sum(&numbers)), 499_500);
            assert_eq!(levels.iter().position(|other| other.name() == cpu.name()), Some(place));
        }
    }
}
