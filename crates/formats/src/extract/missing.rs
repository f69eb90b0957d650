//! What stands in a file that a document names and that is not there is not known; this much is taken to be missing.

/// The characters of a page of prose: some 250 words.
pub(super) const PAGE: u32 = 1500;

/// The characters of a chapter: eight pages.
pub(super) const CHAPTER: u32 = 8 * PAGE;
