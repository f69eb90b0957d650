//! bzip2 by all threads, where a file has many streams: a multistream dump has one for each hundred pages.

use bzip2::bufread::MultiBzDecoder;
use rayon::prelude::*;
use std::io::{self, BufRead, Cursor, Read};

/// What a stream begins with, but for its fourth byte, which tells the size of blocks.
const MAGIC: &[u8] = b"BZh";

/// What its first block begins with: the digits of π, which no text holds.
const BLOCK: [u8; 6] = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];

/// Packed bytes in which streams are looked for, for each thread. The streams of dumps have a quarter of that.
const GATHERED: u64 = 1 << 20;

/// Bytes that a stream may have when unpacked at once, which bounds memory; a hundred pages have one or two million.
const LARGEST: u64 = 16 << 20;

/// Unpacks as many streams at once as there are threads. From a stream on that is large or damaged, all is unpacked one after the other.
pub(crate) struct BzStreams<R: BufRead> {
    /// What was not gathered yet; none when the rest is unpacked in order, or there is none.
    packed: Option<R>,
    gathered: Vec<u8>,
    /// How much of it was unpacked.
    done: usize,
    unpacked: Cursor<Vec<u8>>,
    in_order: Option<MultiBzDecoder<io::Chain<Cursor<Vec<u8>>, R>>>,
}

impl<R: BufRead> BzStreams<R> {
    pub(crate) fn new(packed: R) -> Self {
        let (gathered, unpacked) = (Vec::new(), Cursor::default());
        BzStreams { packed: Some(packed), gathered, done: 0, unpacked, in_order: None }
    }

    /// Unpacks the next streams.
    fn unpack(&mut self, mut packed: R) -> io::Result<()> {
        let threads = rayon::current_num_threads();
        let most = GATHERED as usize * threads;
        // Streams may be tiny: what is left is not moved for each of them.
        if self.gathered.len() - self.done < most / 2 {
            self.gathered.drain(..std::mem::take(&mut self.done));
            packed.by_ref().take((most - self.gathered.len()) as u64).read_to_end(&mut self.gathered)?;
        }
        let left = &self.gathered[self.done..];
        if left.is_empty() {
            return Ok(());
        }
        // The last stream ends where the file does, or is not whole yet.
        let last = packed.fill_buf()?.is_empty().then_some(left.len());
        let ends: Vec<usize> = starts(left).filter(|start| *start > 0).chain(last).take(threads).collect();
        let begins = [0].into_iter().chain(ends.iter().copied());
        let streams: Vec<&[u8]> = begins.zip(&ends).map(|(start, end)| &left[start..*end]).collect();
        let whole = |stream: &&[u8]| {
            let mut bytes = Vec::new();
            let read = MultiBzDecoder::new(*stream).take(LARGEST + 1).read_to_end(&mut bytes);
            read.is_ok_and(|read| read as u64 <= LARGEST).then_some(bytes)
        };
        let all: Vec<Option<Vec<u8>>> = if threads > 1 { streams.par_iter().map(whole).collect() } else { Vec::new() };
        let good: Vec<Vec<u8>> = all.into_iter().map_while(|bytes| bytes).collect();
        self.done += good.len().checked_sub(1).map_or(0, |last| ends[last]);
        if good.len() < ends.len() || ends.is_empty() {
            let rest = Cursor::new(self.gathered.split_off(self.done));
            self.in_order = Some(MultiBzDecoder::new(rest.chain(packed)));
        } else {
            self.packed = Some(packed);
        }
        self.unpacked = Cursor::new(good.concat());
        Ok(())
    }
}

/// Where streams begin.
fn starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let begins = |at: &usize| bytes.get(at + 4..at + 10) == Some(&BLOCK);
    memchr::memmem::find_iter(bytes, MAGIC).filter(begins)
}

impl<R: BufRead> Read for BzStreams<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.unpacked.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match (self.packed.take(), &mut self.in_order) {
                (Some(packed), _) => self.unpack(packed)?,
                (None, Some(in_order)) => return in_order.read(buffer),
                (None, None) => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    /// What comes out by this number of `threads`, up to the first error.
    fn read(file: &[u8], threads: usize) -> (Vec<u8>, Option<io::ErrorKind>) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (mut streams, mut bytes) = (BzStreams::new(file), Vec::new());
        let error = pool.install(|| streams.read_to_end(&mut bytes).err());
        (bytes, error.map(|error| error.kind()))
    }

    #[test]
    fn streams_that_are_unpacked_at_once_give_what_they_give_one_after_the_other() {
        let mut random = 36u32;
        let mut noise = |bytes: usize| {
            let next = |_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 24) as u8
            };
            (0..bytes).map(next).collect::<Vec<u8>>()
        };
        let small: Vec<Vec<u8>> = (0..50).map(|number| noise(1000 * number)).collect();
        let zeros = vec![0; LARGEST as usize + 1];
        // One that is larger than what is gathered, one that expands to more than is unpacked at once, and one that holds another.
        let odd = [noise(3 * GATHERED as usize), zeros, packed(b"a stream in a stream")];
        for texts in [&small[..], &[], &[&small[..], &odd, &small].concat()] {
            let file: Vec<u8> = texts.iter().flat_map(|text| packed(text)).collect();
            let whole = texts.concat();
            for threads in [1, 3] {
                assert!(read(&file, threads) == (whole.clone(), None), "{} streams, {threads} threads", texts.len());
            }
        }
    }

    #[test]
    fn what_comes_before_the_damage_is_given_and_then_the_error() {
        let mut file = [packed(b"first "), packed(b"second "), packed(&[b'x'; 100])].concat();
        let length = file.len();
        for cut in [false, true] {
            if cut {
                file.truncate(length - 6)
            } else {
                file[length - 5] ^= 1
            }
            for threads in [1, 4] {
                let (bytes, error) = read(&file, threads);
                assert!(bytes.starts_with(b"first second ") && error.is_some(), "{threads} threads, cut: {cut}");
            }
            file = [packed(b"first "), packed(b"second "), packed(&[b'x'; 100])].concat();
        }
    }
}
