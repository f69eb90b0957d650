//! Files as streams of bytes, unpacked by what their first bytes say, counted and bounded.

use crate::bzip2_streams::BzStreams;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many times its own size a packed file may expand to; text in bzip2 or zstd comes to 10 times, tables of numbers to 100.
const MOST_EXPANSION: u64 = 1000;

/// Bytes of expansion that need no justification by the size of the file.
const UNCHECKED: u64 = 1 << 30;

/// Bytes that are read at once.
const BUFFER: usize = 256 << 10;

/// The first bytes of a frame that a zstd decoder passes over; WARC files keep a dictionary there.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// Fails once more than `limit` bytes were read.
pub(crate) struct Bounded<R> {
    reader: R,
    left: u64,
    limit: u64,
}

/// What [`Bounded`] fails with.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("more than {0} bytes")]
pub(crate) struct TooMuch(pub(crate) u64);

impl<R: Read> Bounded<R> {
    pub(crate) fn new(reader: R, limit: u64) -> Self {
        Bounded { reader, left: limit, limit }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| io::Error::other(TooMuch(self.limit)))?;
        Ok(read)
    }
}

/// Counts the bytes that are read. Clones of its counter count together.
struct Counted<R>(R, Arc<AtomicU64>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// A file that is read from its beginning, and how many bytes of it were.
pub(crate) struct Stream {
    pub(crate) reader: Box<dyn BufRead + Send>,
    read: Arc<AtomicU64>,
}

impl Stream {
    /// Opens a file: plain, or packed by gzip, bzip2 or zstd, in one or in many parts.
    pub(crate) fn open(path: &Path) -> io::Result<Stream> {
        let file = File::open(path)?;
        let limit = file.metadata()?.len().saturating_mul(MOST_EXPANSION).max(UNCHECKED);
        let read = Arc::new(AtomicU64::new(0));
        let mut packed = BufReader::with_capacity(BUFFER, Counted(file, read.clone()));
        let first: Vec<u8> = packed.fill_buf()?.iter().copied().take(4).collect();
        let unpacked: Box<dyn Read + Send> = match first[..] {
            [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
            [b'B', b'Z', b'h', b'1'..=b'9'] => Box::new(BzStreams::new(packed)),
            [0x28, 0xb5, 0x2f, 0xfd] => Box::new(zstd::Decoder::with_buffer(packed)?),
            [0x50..=0x5f, a, b, c] if [a, b, c] == SKIPPABLE => {
                let dictionary = dictionary(&mut packed)?;
                Box::new(zstd::stream::read::Decoder::with_dictionary(packed, &dictionary)?)
            }
            _ => return Ok(Stream { reader: Box::new(packed), read }),
        };
        Ok(Stream { reader: Box::new(BufReader::with_capacity(BUFFER, Bounded::new(unpacked, limit))), read })
    }

    /// Bytes that were read of the file so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

/// The dictionary of a `.warc.zst`, which stands in the first frame, packed or plain.
fn dictionary(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut head = [0; 8];
    reader.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
    let mut bytes = Vec::new();
    reader.by_ref().take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let mut plain = Vec::new();
        Bounded::new(zstd::Decoder::new(&bytes[..])?, UNCHECKED).read_to_end(&mut plain)?;
        return Ok(plain);
    }
    Ok(bytes)
}
