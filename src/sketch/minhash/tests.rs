use super::*;
use crate::sketch::finish;
use rayon::prelude::*;

/// The definition, word for word.
fn obvious(family: &Family, shingles: &[u32]) -> Vec<u32> {
    (0..family.size())
        .map(|i| {
            let value = |x: &u32| x.wrapping_mul(family.multipliers[i]).wrapping_add(family.addends[i]);
            shingles.iter().map(value).min().unwrap_or(u32::MAX)
        })
        .collect()
}

proptest::proptest! {
    #[test]
    fn every_level_gives_the_bits_of_the_definition(
        shingles in proptest::collection::vec(proptest::num::u32::ANY, 0..200),
        size in 16usize..300,
    ) {
        let expected = obvious(&Family::new(size, 7), &shingles);
        for cpu in Cpu::available() {
            let family = Family::with_cpu(size, 7, cpu);
            assert_eq!(family.signature(&shingles), expected, "{cpu:?}");
        }
    }
}

#[test]
fn the_family_is_the_same_on_every_machine() {
    let family = Family::new(256, Family::DEFAULT_SEED);
    assert_eq!(family.signature(&[1, 2, 3])[..3], [1_715_974_306, 1_564_706_018, 791_205_994]);
}

#[test]
fn equal_sets_estimate_1_and_the_empty_set_resembles_nothing() {
    let family = Family::new(64, Family::DEFAULT_SEED);
    let signature = family.signature(&[5, 6, 7]);
    assert_eq!(Family::estimate(&signature, &signature), 1.0);
    let empty = family.signature(&[]);
    assert_eq!(Family::estimate(&empty, &empty), 0.0);
    assert_eq!(Family::estimate(&empty, &signature), 0.0);
}

/// The bar: the estimate's root mean square error is within 10 % of the binomial √(J(1−J)/n), for each size of set over
/// all similarities. The draws are fixed, so the figures are the same every time.
#[test]
fn the_estimates_error_is_that_of_the_binomial_for_small_and_large_sets() {
    let n = 256;
    for (size, trials) in [(100u64, 600), (1_000, 400), (10_000, 120)] {
        let mut squares: Vec<f64> = Vec::new();
        for j in [0.3, 0.5, 0.8] {
            let common = (2.0 * size as f64 * j / (1.0 + j)).round() as u64;
            let exact = common as f64 / (2 * size - common) as f64;
            let square = |trial: u64| {
                let family = Family::new(n, trial);
                let value = |i: u64| finish(trial << 32 ^ i ^ 0x5eed) as u32;
                let first: Vec<u32> = (0..size).map(value).collect();
                let second: Vec<u32> = (size - common..2 * size - common).map(value).collect();
                let error = Family::estimate(&family.signature(&first), &family.signature(&second)) - exact;
                error * error / (exact * (1.0 - exact) / n as f64)
            };
            squares.par_extend((0..trials).into_par_iter().map(square));
        }
        let ratio = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
        println!("{size} shingles: RMSE is {ratio:.3} times the binomial");
        assert!((0.9..1.1).contains(&ratio), "{size} shingles: {ratio}");
    }
}
