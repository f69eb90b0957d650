//! Where the blocks of units of a document begin.

use super::little_endian::little_endian;

/// How long the blocks of a document but the last are: the length of the shortest (u32), and by how much each is longer. That takes a byte
/// for nearly every document, where it would take two to tell where each begins; a mean one of 134 blocks is added up in no time.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockLengths<'a> {
    shortest: u64,
    /// Bytes of each number in `longer`.
    width: usize,
    longer: &'a [u8],
}

impl<'a> BlockLengths<'a> {
    /// As they were written; `None` if they are damaged.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let Some((head, longer)) = bytes.split_first_chunk::<5>() else {
            return bytes.is_empty().then_some(BlockLengths { shortest: 0, width: 1, longer: bytes });
        };
        let (shortest, width) = (little_endian(&head[..4]), usize::from(head[4]));
        let is_whole = (1..=4).contains(&width) && longer.len().is_multiple_of(width);
        is_whole.then_some(BlockLengths { shortest, width, longer })
    }

    /// How many blocks there are besides the last.
    pub(super) fn count(&self) -> usize {
        self.longer.len() / self.width
    }

    /// Where a block begins, in bytes from the first; `None` if there are fewer.
    pub(super) fn begin(&self, block: usize) -> Option<u64> {
        let before = self.longer.get(..block * self.width)?;
        let longer: u64 = match self.width {
            1 => before.iter().map(|&byte| u64::from(byte)).sum(),
            width => before.chunks_exact(width).map(little_endian).sum(),
        };
        Some(self.shortest * block as u64 + longer)
    }

    /// Appends them.
    pub(super) fn write(lengths: &[u32], out: &mut Vec<u8>) {
        let (Some(shortest), Some(longest)) = (lengths.iter().min(), lengths.iter().max()) else { return };
        let width = (u32::BITS - (longest - shortest).leading_zeros()).div_ceil(8).max(1) as usize;
        out.extend(shortest.to_le_bytes());
        out.push(width as u8);
        lengths.iter().for_each(|length| out.extend_from_slice(&(length - shortest).to_le_bytes()[..width]));
    }
}
