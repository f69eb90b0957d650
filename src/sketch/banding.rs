//! Bands of a signature and the S-curve that says which pairs they make candidates.

use crate::sketch::{finish, fold};
use serde::{Deserialize, Serialize};

/// A signature cut into `bands` bands of `rows` values; two documents are candidates when any band is equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banding {
    /// b, the number of bands.
    pub bands: u32,
    /// r, the values in each band.
    pub rows: u32,
}

impl Banding {
    /// The most selective banding of `hashes` values with which at least the share `recall` (below 1) of the pairs
    /// at Jaccard similarity `threshold` become candidates: the most rows that allow it, then the fewest bands.
    /// Where nothing reaches the recall (a very low threshold), one row and all bands.
    pub fn for_threshold(hashes: usize, threshold: f64, recall: f64) -> Banding {
        let hashes = hashes as u32;
        for rows in (1..=hashes.min(64)).rev() {
            let most = hashes / rows;
            if (Banding { bands: most, rows }).candidate_probability(threshold) < recall {
                continue;
            }
            for bands in 1..=most {
                let banding = Banding { bands, rows };
                if banding.candidate_probability(threshold) >= recall {
                    return banding;
                }
            }
        }
        Banding { bands: hashes, rows: 1 }
    }

    /// The S-curve: 1 − (1 − sʳ)ᵇ, the probability that a pair of Jaccard similarity `s` becomes a candidate.
    pub fn candidate_probability(&self, s: f64) -> f64 {
        // Repeated multiplication, because powf may differ in the last bit between platforms.
        let power = |base: f64, exponent: u32| (0..exponent).fold(1.0, |product, _| product * base);
        1.0 - power(1.0 - power(s, self.rows), self.bands)
    }

    /// The values of a signature that are used, b·r.
    pub fn values(&self) -> usize {
        (self.bands * self.rows) as usize
    }

    /// The bucket key of each band of a signature, which must have at least [`Self::values`] values.
    pub fn keys<'a>(&self, signature: &'a [u32]) -> impl Iterator<Item = u64> + use<'a> {
        signature
            .chunks_exact(self.rows as usize)
            .take(self.bands as usize)
            .enumerate()
            .map(|(band, values)| finish(values.iter().fold(band as u64, |state, &value| fold(state, value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_banding_finds_995_of_1000_pairs_at_the_threshold() {
        let banding = Banding::for_threshold(256, 0.7, 0.995);
        assert_eq!(banding, Banding { bands: 29, rows: 5 });
        assert!(banding.candidate_probability(0.7) >= 0.995);
        assert!(Banding { bands: 28, rows: 5 }.candidate_probability(0.7) < 0.995);
        assert!(Banding { bands: 42, rows: 6 }.candidate_probability(0.7) < 0.995);
    }

    #[test]
    fn any_threshold_gives_a_banding_that_fits_the_signature() {
        for hashes in [16, 100, 128, 256, 1024] {
            for threshold in [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0] {
                let banding = Banding::for_threshold(hashes, threshold, 0.995);
                assert!(banding.bands >= 1 && banding.rows >= 1 && banding.values() <= hashes);
                if banding.rows > 1 {
                    assert!(banding.candidate_probability(threshold) >= 0.995);
                }
            }
        }
    }

    #[test]
    fn equal_values_in_different_bands_have_different_keys() {
        let keys: Vec<u64> = Banding { bands: 4, rows: 2 }.keys(&[1; 9]).collect();
        assert_eq!(keys.len(), 4);
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn the_s_curve_rises_from_0_to_1() {
        let banding = Banding { bands: 29, rows: 5 };
        let curve: Vec<f64> = (0..=10).map(|i| banding.candidate_probability(f64::from(i) / 10.0)).collect();
        assert!(curve.windows(2).all(|pair| pair[0] <= pair[1]));
        assert_eq!((curve[0], curve[10]), (0.0, 1.0));
    }
}
