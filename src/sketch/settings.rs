//! What decides how documents become numbers.

use super::banding::Banding;
use super::containment::ContainmentSettings;
use super::minhash::{DEFAULT_SEED, HASHES};
use super::shingle::Shingling;
use serde::{Deserialize, Serialize};

/// Declares a struct of settings by a table: of each field what it says, its name, the name of the method that changes it, its
/// type and its default. The struct is `#[non_exhaustive]`, so that another setting breaks no program.
macro_rules! settings_table {
    (
        $(#[$of_struct:meta])*
        pub struct $name:ident {
            $($(#[$of_field:meta])* $field:ident / $with:ident: $type:ty = $default:expr,)*
        }
    ) => {
        $(#[$of_struct])*
        #[non_exhaustive]
        pub struct $name {
            $($(#[$of_field])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $name {
            $(
                #[doc = concat!("The same with another [`", stringify!($field), "`](", stringify!($name), "::", stringify!($field), ").")]
                #[must_use]
                pub fn $with(self, $field: $type) -> Self {
                    $name { $field, ..self }
                }
            )*
        }
    };
}
pub(crate) use settings_table;

settings_table! {
    /// How documents become numbers. Two sketches can only be compared when they were made with equal settings.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    pub struct SketchSettings {
        /// How texts are shingled.
        shingling / with_shingling: Shingling = Shingling::default(),
        /// The number of MinHash functions, the length of a signature.
        hashes / with_hashes: u32 = DEFAULT_HASHES,
        /// The seed of the MinHash functions.
        seed / with_seed: u64 = DEFAULT_SEED,
        /// b×r: how signatures are cut into bands.
        banding / with_banding: Banding = Banding::for_threshold(DEFAULT_HASHES as usize, DEFAULT_THRESHOLD, RECALL),
        /// The sketch for partial reuse.
        containment / with_containment: ContainmentSettings = ContainmentSettings::default(),
    }
}

impl SketchSettings {
    /// Settings whose banding makes at least [`RECALL`] of the pairs at Jaccard similarity `threshold` candidates.
    /// `hashes` is brought into the range that a MinHash family may have.
    pub fn new(shingling: Shingling, hashes: u32, threshold: f64) -> Self {
        let hashes = hashes.clamp(*HASHES.start() as u32, *HASHES.end() as u32);
        let banding = Banding::for_threshold(hashes as usize, threshold, RECALL);
        SketchSettings { shingling, hashes, banding, ..SketchSettings::default() }
    }
}

/// The share of pairs at the similarity threshold that must become candidates.
pub const RECALL: f64 = 0.995;

/// The length of a signature, unless set otherwise.
pub const DEFAULT_HASHES: u32 = 256;

/// The Jaccard similarity from which a pair of documents counts as similar, unless set otherwise.
pub const DEFAULT_THRESHOLD: f64 = 0.7;
