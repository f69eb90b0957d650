//! Every kernel against the obvious loops.

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
