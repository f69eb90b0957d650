//! Where exactly two texts agree.
//!
//! [`Aligner::align`] compares a [`Submission`] with one source and returns the passages they share, each a [`Match`]. It needs no
//! sentences, no word segmenter and no statistics of a collection, and works on [`Units`](crate::text::units::Units) of any
//! language. `docs/ALIGNMENT.md` teaches the method, and tells what each step is worth. The steps, each in a file:
//!
//! 1. [`features`]: the stem of a word; a Han character with its right neighbour. [`rates`]: how frequent they are where they stand.
//! 2. [`runs`]: long stretches with the same features are taken with their exact borders.
//! 3. [`seeds`]: squares of neighbouring blocks that share more than chance explains.
//! 4. [`grow`]: each seed grows into the pair of ranges with the greatest [`evidence`] of copying.
//! 5. [`summary`]: pieces close together in the submission and far apart in the source are a summary.
//! 6. [`merge`]: neighbours become one passage, which is drawn in once more.
//! 7. [`passages`]: what has enough evidence and is long enough is a passage. [`exact`]: borders do not cut through a run of equal
//!    words. [`beside`]: what is too short to be a passage alone. [`sentences`]: sentences, looked up one by one.
//! 8. [`matches`]: what is reported of a passage, its [`kind`] and its [`tier`]. [`own`]: which text inside a passage was not copied.
//!
//! Besides these, [`look`] tells from a few units of a source whether aligning it is worth while, and [`around`] aligns places in
//! place of whole texts.
//!
//! Words: docs/ARCHITECTURE.md, *Of alignment*.

pub(crate) mod aligner;
pub(crate) mod around;
mod bag;
pub(crate) mod beside;
mod best_range;
mod candidate;
mod drawing;
mod evidence;
mod exact;
pub(crate) mod extent;
mod features;
mod follow;
mod grow;
mod kind;
pub(crate) mod look;
mod matches;
mod merge;
mod own;
mod pair;
mod passages;
mod places;
mod rates;
mod runs;
mod seeds;
mod sentence;
mod sentences;
mod settings;
mod side;
mod submission;
mod summary;
#[cfg(test)]
mod tests;
mod tier;
mod verbatim;

pub use aligner::Aligner;
pub use kind::Kind;
pub use matches::Match;
pub use settings::AlignSettings;
pub use submission::Submission;
