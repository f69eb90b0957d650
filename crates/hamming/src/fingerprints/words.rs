//! `.u64` files: fingerprints as little-endian 64-bit words, one after the other, nothing else.

use std::io::{Read, Write};

use crate::Error;

/// Words read at a time: 16 MiB.
const PIECE: u64 = 1 << 21;

/// Fingerprints that come in pieces of bounded size.
pub(super) trait WordSource {
    /// Replaces the content of `words` by the next piece; empty at the end.
    ///
    /// # Errors
    /// The source cannot be read, or holds something else.
    fn next_piece(&mut self, words: &mut Vec<u64>) -> Result<(), Error>;
}

/// Reads little-endian 64-bit words.
#[derive(Debug)]
pub(super) struct WordReader<R> {
    source: R,
    /// Words that are handed out at a time, at most.
    piece: u64,
    buffer: Vec<u8>,
    bytes_read: u64,
}

impl<R: Read> WordReader<R> {
    /// A reader of a source of any length.
    pub fn new(source: R) -> Self {
        WordReader::with_piece(source, PIECE)
    }

    /// A reader that hands out at most `piece` words at a time (at least 1).
    fn with_piece(source: R, piece: u64) -> Self {
        WordReader { source, piece, buffer: Vec::new(), bytes_read: 0 }
    }
}

impl<R: Read> WordSource for WordReader<R> {
    fn next_piece(&mut self, words: &mut Vec<u64>) -> Result<(), Error> {
        words.clear();
        self.buffer.clear();
        self.source.by_ref().take(8 * self.piece).read_to_end(&mut self.buffer)?;
        self.bytes_read += self.buffer.len() as u64;
        let (whole, rest) = self.buffer.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(Error::NotWords { bytes: self.bytes_read });
        }
        words.extend(whole.iter().map(|bytes| u64::from_le_bytes(*bytes)));
        Ok(())
    }
}

/// Writes fingerprints as little-endian 64-bit words.
///
/// # Errors
/// Writing fails.
pub(super) fn write_words(fingerprints: &[u64], mut out: impl Write) -> Result<(), Error> {
    let mut bytes = Vec::with_capacity(8 << 13);
    for piece in fingerprints.chunks(1 << 13) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|word| word.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_written_are_read_back_in_pieces_of_any_size() {
        let words: Vec<u64> = (0..1000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut bytes = Vec::new();
        write_words(&words, &mut bytes).unwrap();
        assert_eq!(bytes.len(), 8000);
        assert_eq!(bytes[8..16], words[1].to_le_bytes());
        let mut whole = Vec::new();
        WordReader::new(&bytes[..]).next_piece(&mut whole).unwrap();
        assert_eq!(whole, words);
        let mut reader = WordReader::with_piece(&bytes[..], 7);
        let (mut all, mut piece) = (Vec::new(), vec![1]);
        while !piece.is_empty() {
            reader.next_piece(&mut piece).unwrap();
            assert!(piece.len() <= 7);
            all.extend_from_slice(&piece);
        }
        assert_eq!(all, words);
    }

    #[test]
    fn a_file_that_ends_within_a_word_is_refused_with_its_length() {
        let error = WordReader::new(&[0u8; 29][..]).next_piece(&mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "a file of 64-bit fingerprints has 29 bytes, which is no multiple of 8");
    }
}
