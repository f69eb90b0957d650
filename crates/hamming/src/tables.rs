//! Sums of what tables say of many numbers at once: products of short vectors with codes of a few bits, four of which choose an entry of a
//! table of 16 bytes, as instructions that permute bytes look them up (fast scan, André et al. 2015).
#![allow(unsafe_code)]

use crate::cpu::Cpu;

/// Numbers that are looked up at once.
pub const LANES: usize = 64;

/// Of as many numbers as there are lanes, which entry of each of `T` tables is theirs (below 16).
pub type Block<const T: usize> = [[u8; LANES]; T];

/// For each number of each block the sum of its entries. `T` is a multiple of four, and the entries of four tables sum up to 255 at the most.
///
/// # Panics
/// If there are not as many blocks as sums.
pub fn sums<const T: usize>(cpu: Cpu, tables: &[[u8; 16]; T], blocks: &[Block<T>], sums: &mut [[u16; LANES]]) {
    assert_eq!(blocks.len(), sums.len());
    const { assert!(T.is_multiple_of(4)) };
    #[cfg(target_arch = "x86_64")]
    if cpu != Cpu::PORTABLE {
        // SAFETY: all levels but the portable one are of processors with these instructions.
        return unsafe { with_avx2(tables, blocks, sums) };
    }
    #[cfg(target_arch = "aarch64")]
    if cpu == Cpu::PORTABLE {
        // SAFETY: every 64-bit Arm processor that Rust's targets mean has NEON.
        return unsafe { with_neon(tables, blocks, sums) };
    }
    let _ = cpu;
    for (block, sums) in blocks.iter().zip(sums) {
        *sums = plain(tables, block);
    }
}

fn plain<const T: usize>(tables: &[[u8; 16]; T], block: &Block<T>) -> [u16; LANES] {
    let mut sums = [0; LANES];
    for (table, row) in tables.iter().zip(block) {
        for (sum, entry) in sums.iter_mut().zip(row) {
            *sum += u16::from(table[usize::from(entry & 15)]);
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<const T: usize>(tables: &[[u8; 16]; T], blocks: &[Block<T>], sums: &mut [[u16; LANES]]) {
    use std::arch::x86_64::{
        __m256i, _mm_loadu_si128, _mm256_add_epi8, _mm256_add_epi16, _mm256_and_si256, _mm256_broadcastsi128_si256,
        _mm256_loadu_si256, _mm256_permute2x128_si256, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_shuffle_epi8,
        _mm256_srli_epi16, _mm256_storeu_si256, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
    };
    // SAFETY: the pointer is to 16 bytes.
    let table = |table: &[u8; 16]| unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) };
    // SAFETY: the pointer is to 32 bytes.
    let entries = |row: &[u8; 32]| unsafe { _mm256_loadu_si256(row.as_ptr().cast()) };
    // SAFETY: the pointer is to sixteen numbers of two bytes.
    let store = |sums: &mut [u16; 16], of: __m256i| unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), of) };
    let (zero, low) = (_mm256_setzero_si256(), _mm256_set1_epi16(255));
    let (tables, _) = tables.as_chunks::<4>();
    for (block, sums) in blocks.iter().zip(sums) {
        // Sums of each second number, and of those between them.
        let (mut even, mut odd) = ([zero; 2], [zero; 2]);
        for (four, rows) in tables.iter().zip(block.as_chunks::<4>().0) {
            let mut bytes = [zero; 2];
            for (of, row) in four.iter().zip(rows) {
                let of = table(of);
                for (sum, row) in bytes.iter_mut().zip(row.as_chunks::<32>().0) {
                    *sum = _mm256_add_epi8(*sum, _mm256_shuffle_epi8(of, entries(row)));
                }
            }
            for half in 0..2 {
                even[half] = _mm256_add_epi16(even[half], _mm256_and_si256(bytes[half], low));
                odd[half] = _mm256_add_epi16(odd[half], _mm256_srli_epi16::<8>(bytes[half]));
            }
        }
        let ([first, second, third, fourth], _) = sums.as_chunks_mut::<16>() else { continue };
        for (half, (first, second)) in [(first, second), (third, fourth)].into_iter().enumerate() {
            let (left, right) =
                (_mm256_unpacklo_epi16(even[half], odd[half]), _mm256_unpackhi_epi16(even[half], odd[half]));
            store(first, _mm256_permute2x128_si256::<0x20>(left, right));
            store(second, _mm256_permute2x128_si256::<0x31>(left, right));
        }
    }
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
fn with_neon<const T: usize>(tables: &[[u8; 16]; T], blocks: &[Block<T>], sums: &mut [[u16; LANES]]) {
    use std::arch::aarch64::{
        vaddq_u8, vaddw_high_u8, vaddw_u8, vdupq_n_u8, vdupq_n_u16, vget_low_u8, vld1q_u8, vqtbl1q_u8, vst1q_u16,
    };
    // SAFETY: the pointer is to sixteen bytes.
    let load = |bytes: &[u8; 16]| unsafe { vld1q_u8(bytes.as_ptr()) };
    let (tables, _) = tables.as_chunks::<4>();
    for (block, sums) in blocks.iter().zip(sums) {
        for (part, sums) in sums.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let (mut first, mut second) = (vdupq_n_u16(0), vdupq_n_u16(0));
            for (four, rows) in tables.iter().zip(block.as_chunks::<4>().0) {
                let mut bytes = vdupq_n_u8(0);
                for (of, row) in four.iter().zip(rows) {
                    bytes = vaddq_u8(bytes, vqtbl1q_u8(load(of), load(&row.as_chunks().0[part])));
                }
                first = vaddw_u8(first, vget_low_u8(bytes));
                second = vaddw_high_u8(second, bytes);
            }
            // SAFETY: the pointers are to eight numbers each.
            unsafe {
                vst1q_u16(sums.as_mut_ptr(), first);
                vst1q_u16(sums[8..].as_mut_ptr(), second);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_level_sums_what_the_tables_say(
            tables: [[u8; 16]; 8],
            blocks in prop::collection::vec(prop::array::uniform8(prop::array::uniform32(0u8..16)), 0..4),
        ) {
            let tables = tables.map(|table| table.map(|entry| entry / 4));
            // Two halves that differ.
            let widen = |rows: [[u8; 32]; 8]| rows.map(|row| std::array::from_fn(|lane| (row[lane % 32] + (lane / 32) as u8) % 16));
            let blocks: Vec<Block<8>> = blocks.into_iter().map(widen).collect();
            let sum = |block: &Block<8>, lane: usize| (0..8).map(|of| u16::from(tables[of][usize::from(block[of][lane])])).sum::<u16>();
            let slow: Vec<[u16; LANES]> = blocks.iter().map(|block| std::array::from_fn(|lane| sum(block, lane))).collect();
            for cpu in Cpu::available() {
                let mut fast = vec![[1; LANES]; blocks.len()];
                sums(cpu, &tables, &blocks, &mut fast);
                prop_assert_eq!(&fast, &slow, "{}", cpu.name());
            }
        }
    }
}
