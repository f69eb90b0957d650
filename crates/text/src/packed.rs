//! The tables that are built into the program, packed.

/// A text that was packed by zstd.
pub(crate) fn unpacked(packed: &[u8]) -> String {
    /// Bytes when unpacked, at most.
    const BYTES: usize = 2_000_000;
    String::from_utf8(zstd::bulk::decompress(packed, BYTES).unwrap_or_default()).unwrap_or_default()
}
