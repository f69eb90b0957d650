//! What is fixed of the format of tables.

/// The version that this program writes and reads.
pub(super) const VERSION: u32 = 1;

/// The largest distance in bits that a table may be made for.
pub(super) const MAX_DISTANCE: u8 = 7;
