//! Numbers of a few bytes, the lowest first.

/// The number of at most eight bytes, the lowest first.
pub(super) fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
