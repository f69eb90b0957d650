//! The file a segment is kept in: named sections of bytes, each guarded by checksums that are looked at when the bytes
//! are first read (by lists just behind reading them), so that opening costs little and damage never becomes a wrong result.
//!
//! All numbers are little-endian. `docs/FORMAT.md` describes every byte.

use super::slot::Bytes;
use crate::hamming::memory_map;
use crate::index::error::IndexError;
use memmap2::Mmap;
use rapidhash::v3::rapidhash_v3;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The first bytes of every segment.
const MAGIC: [u8; 8] = *b"CTRSEGMT";

/// The version of the format: the one that this program writes and reads.
const FORMAT_VERSION: u32 = 8;

/// Bytes that share one checksum: what is read of a document or a list is some hundred bytes. With 4 KiB a thesis of 300 kB against
/// 12,000 took .308 CPU-seconds in place of .295 (docs/SCALE.md).
const BLOCK: u64 = 1 << 10;

/// Bytes of a checksum: the lower half of the block's hash.
const SUM: u64 = 4;

/// Bytes of the header before the table of sections, and of each entry of the table.
const HEAD: usize = 16;
const ENTRY: usize = 24;

/// No file has more sections: a larger count is damage, and no reason to read on.
const MOST_SECTIONS: usize = 64;

/// Writes sections, one after the other in whatever order, so that none of them needs to be in memory: a header, each section
/// with the checksums of its blocks behind it.
pub(in crate::index) struct ContainerWriter<W> {
    out: W,
    /// Where the next section begins.
    at: u64,
    /// Of each section where it begins, its length and the hash of its checksums.
    entries: Vec<[u64; 3]>,
}

impl<W: Write + Seek> ContainerWriter<W> {
    /// Leaves room for the header of this number of sections, all of them empty.
    pub(in crate::index) fn new(mut out: W, sections: usize) -> io::Result<Self> {
        let at = (HEAD + ENTRY * sections + 8) as u64;
        out.seek(SeekFrom::Start(at))?;
        Ok(ContainerWriter { out, at, entries: vec![[at, 0, rapidhash_v3(&[])]; sections] })
    }

    /// Begins a section, which [`SectionWriter::finish`] ends.
    pub(in crate::index) fn section(&mut self, index: usize) -> SectionWriter<'_, W> {
        SectionWriter {
            container: self,
            index,
            length: 0,
            block: Vec::with_capacity(BLOCK as usize),
            checksums: Vec::new(),
        }
    }

    /// Writes a section that is in memory.
    pub(in crate::index) fn put(&mut self, index: usize, bytes: &[u8]) -> io::Result<()> {
        let mut section = self.section(index);
        section.write_all(bytes)?;
        section.finish()
    }

    /// Writes the header.
    pub(in crate::index) fn finish(mut self) -> io::Result<()> {
        let mut head = MAGIC.to_vec();
        head.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        head.extend_from_slice(&(self.entries.len() as u32).to_le_bytes());
        head.extend(self.entries.iter().flatten().flat_map(|number| number.to_le_bytes()));
        head.extend_from_slice(&rapidhash_v3(&head).to_le_bytes());
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head)
    }
}

/// The checksum of a block.
fn checksum(block: &[u8]) -> u32 {
    rapidhash_v3(block) as u32
}

/// A section that is being written.
pub(in crate::index) struct SectionWriter<'a, W> {
    container: &'a mut ContainerWriter<W>,
    index: usize,
    length: u64,
    /// What is not written yet: less than a block.
    block: Vec<u8>,
    checksums: Vec<u8>,
}

impl<W: Write> SectionWriter<'_, W> {
    fn end_block(&mut self) -> io::Result<()> {
        self.checksums.extend_from_slice(&checksum(&self.block).to_le_bytes());
        self.container.out.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes what is left of the section, and its checksums.
    pub(in crate::index) fn finish(mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.container.out.write_all(&self.checksums)?;
        self.container.entries[self.index] = [self.container.at, self.length, rapidhash_v3(&self.checksums)];
        self.container.at += self.length + self.checksums.len() as u64;
        Ok(())
    }
}

impl<W: Write> Write for SectionWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BLOCK as usize - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        self.length += taken as u64;
        if self.block.len() == BLOCK as usize {
            self.end_block()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes sections that are in memory.
pub(in crate::index) fn write(sections: &[Vec<u8>], out: impl Write + Seek) -> io::Result<()> {
    let mut writer = ContainerWriter::new(out, sections.len())?;
    sections.iter().enumerate().try_for_each(|(index, section)| writer.put(index, section))?;
    writer.finish()
}

/// The bytes of a segment, in memory or mapped from a file.
#[derive(Debug)]
enum FileBytes {
    Memory(Vec<u8>),
    Mapped(Mmap),
}

impl FileBytes {
    fn bytes(&self) -> &[u8] {
        match self {
            FileBytes::Memory(bytes) => bytes,
            FileBytes::Mapped(map) => map,
        }
    }
}

/// Opens the file at `path`, which has `N` sections.
pub(in crate::index) fn open<const N: usize>(path: &Path) -> Result<[Section; N], IndexError> {
    let map = || match std::fs::metadata(path)?.len() {
        0 => Ok(FileBytes::Memory(Vec::new())), // an empty file cannot be mapped
        _ => memory_map::map(&File::open(path)?).map(FileBytes::Mapped),
    };
    sections(map().map_err(|error| IndexError::io(path, error))?, path)
}

/// Opens what would stand in a file of `N` sections; errors name it `path`.
pub(in crate::index) fn in_memory<const N: usize>(bytes: Vec<u8>, path: &Path) -> Result<[Section; N], IndexError> {
    sections(FileBytes::Memory(bytes), path)
}

fn sections<const N: usize>(source: FileBytes, path: &Path) -> Result<[Section; N], IndexError> {
    let damaged = |what: &str| IndexError::damaged(path, what);
    if !source.bytes().starts_with(&MAGIC) {
        return Err(damaged("it does not begin as a file of an index does"));
    }
    match word_at(source.bytes(), 8) {
        Some(FORMAT_VERSION) => {
            let sections = sections_of_header(&Arc::new(source)).and_then(|sections| sections.try_into().ok());
            sections.ok_or_else(|| damaged("its header does not fit, or it is cut short"))
        }
        found => {
            let found = found.ok_or_else(|| damaged("it is cut short"))?;
            Err(IndexError::OtherFormat { path: path.to_owned(), found, known: FORMAT_VERSION })
        }
    }
}

/// The little-endian number of four bytes that stands at a place.
fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The little-endian number of eight bytes that stands at a place.
fn long_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The sections that a header lists; `None` when it is not as it was written.
fn sections_of_header(source: &Arc<FileBytes>) -> Option<Vec<Section>> {
    let bytes = source.bytes();
    let count = word_at(bytes, 12)? as usize;
    let head = HEAD + count.min(MOST_SECTIONS) * ENTRY;
    if rapidhash_v3(bytes.get(..head)?) != long_at(bytes, head)? {
        return None;
    }
    let section = |index: usize| -> Option<Section> {
        let at = HEAD + index * ENTRY;
        let [offset, length, sum] = [long_at(bytes, at)?, long_at(bytes, at + 8)?, long_at(bytes, at + 16)?];
        let blocks = length.div_ceil(BLOCK);
        let end = offset.checked_add(length)?.checked_add(blocks * SUM)?;
        let checksums = usize::try_from(offset + length).ok()?..usize::try_from(end).ok()?;
        bytes.get(checksums.clone())?; // else the file is cut short
        let seen = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Some(Section {
            content: SharedBytes { source: source.clone(), data: offset as usize..checksums.start },
            checksums,
            sum,
            seen,
        })
    };
    (0..count.min(MOST_SECTIONS)).map(section).collect()
}

/// One section of a segment.
#[derive(Debug)]
pub(in crate::index) struct Section {
    content: SharedBytes,
    checksums: Range<usize>,
    /// Their hash. It is looked at where the whole section is, for of a segment of four gigabytes they are 17 MB; a block whose checksum is
    /// damaged is refused without it.
    sum: u64,
    /// A bit for each block whose checksum was found right.
    seen: Vec<AtomicU64>,
}

impl Section {
    /// The hash of the file's header, which holds the hashes of all checksums: files of one seal are of one content.
    pub(in crate::index) fn seal(&self) -> u64 {
        let bytes = self.content.source.bytes();
        // The header was read before, so both numbers are there.
        word_at(bytes, 12).and_then(|count| long_at(bytes, HEAD + count as usize * ENTRY)).unwrap_or(0)
    }

    /// All bytes of the section; `None` when they are damaged.
    pub(in crate::index) fn all(&self) -> Option<&[u8]> {
        let checksums = &self.content.source.bytes()[self.checksums.clone()];
        (rapidhash_v3(checksums) == self.sum).then(|| self.bytes(0, self.len())).flatten()
    }

    /// Gives the memory back that the segment's file takes, until it is read again: from the file, so that the checksums are
    /// looked at again too.
    pub(in crate::index) fn let_go(&self) {
        if let FileBytes::Mapped(map) = &*self.content.source {
            memory_map::let_go(map);
            self.seen.iter().for_each(|seen| seen.store(0, Ordering::Relaxed));
        }
    }

    /// Tells the system that its file is read here and there.
    pub(in crate::index) fn expect_random(&self) {
        if let FileBytes::Mapped(map) = &*self.content.source {
            memory_map::expect_random(map);
        }
    }

    /// Tells the system that all bytes of it are asked for soon.
    pub(in crate::index) fn will_need(&self) {
        self.will_need_of_file(self.content.data.start..self.checksums.end);
    }

    /// Tells the system that the checksums of its blocks are asked for soon.
    pub(in crate::index) fn will_need_checksums(&self) {
        self.will_need_of_file(self.checksums.clone());
    }

    fn will_need_of_file(&self, bytes: Range<usize>) {
        const PIECE: usize = 1 << 20;
        let pieces: Vec<usize> = bytes.clone().step_by(PIECE).collect();
        self.tell(&pieces, |&at| Some(at..bytes.end.min(at + PIECE)));
    }

    /// Tells the system that bytes of it are asked for soon: what `range` says of each of `needed`.
    pub(in crate::index) fn will_need_of<T>(&self, needed: &[T], range: impl Fn(&T) -> Option<Range<u64>>) {
        let at = |byte: u64| self.content.data.start + byte.min(self.len()) as usize;
        // Whole blocks, for their checksums.
        let end = |byte: u64| byte.min(self.len()).next_multiple_of(BLOCK);
        let blocks = |bytes: Range<u64>| at(bytes.start / BLOCK * BLOCK)..at(end(bytes.end));
        self.tell(needed, |of| range(of).map(blocks));
    }

    /// Tells the system that bytes of its file are asked for soon: what `in_file` says of each of `needed`. To say it of what is in memory takes
    /// a microsecond each time, so first a sample is looked at: at the ends, for the beginnings may have been read.
    fn tell<T>(&self, needed: &[T], in_file: impl Fn(&T) -> Option<Range<usize>>) {
        const SAMPLE: usize = 64;
        const PAGE: usize = 4096;
        let FileBytes::Mapped(map) = &*self.content.source else { return };
        let sample: Vec<Range<usize>> = needed.iter().step_by(needed.len() / SAMPLE + 1).filter_map(&in_file).collect();
        let missing = sample.iter().filter(|bytes| !memory_map::is_in_memory(map, bytes.end.saturating_sub(1))).count();
        if 16 * missing <= sample.len() {
            return;
        }
        let mut all: Vec<Range<usize>> = needed.iter().filter_map(in_file).collect();
        all.sort_unstable_by_key(|bytes| bytes.start);
        // What stands side by side is told of at once: of a small segment that is all.
        let joins = |first: &Range<usize>, second: &Range<usize>| second.start <= first.end.saturating_add(PAGE);
        let joined =
            all.chunk_by(joins).filter_map(|near| Some(near.first()?.start..near.iter().map(|of| of.end).max()?));
        joined.for_each(|bytes| memory_map::will_need(map, bytes));
    }

    /// A handle to the bytes of the section, which does not look at their checksums.
    pub(in crate::index) fn share(&self) -> SharedBytes {
        self.content.clone()
    }

    fn block_is_sound(&self, block: u64) -> bool {
        let (word, bit) = (&self.seen[(block / 64) as usize], 1 << (block % 64));
        if word.load(Ordering::Relaxed) & bit != 0 {
            return true;
        }
        let content = self.content.as_ref();
        let from = (block * BLOCK) as usize;
        let to = (from + BLOCK as usize).min(content.len());
        let at = self.checksums.start + (block * SUM) as usize;
        let sound = Some(checksum(&content[from..to])) == word_at(self.content.source.bytes(), at);
        if sound {
            // Two threads may check the same block; both come to the same answer.
            word.fetch_or(bit, Ordering::Relaxed);
        }
        sound
    }
}

/// The bytes of a section, kept alive with whatever holds them.
#[derive(Debug, Clone)]
pub(in crate::index) struct SharedBytes {
    source: Arc<FileBytes>,
    data: Range<usize>,
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.source.bytes()[self.data.clone()]
    }
}

impl Bytes for Section {
    fn bytes(&self, from: u64, to: u64) -> Option<&[u8]> {
        if from > to || to > self.len() {
            return None;
        }
        let mut blocks = from / BLOCK..to.div_ceil(BLOCK);
        blocks.all(|block| self.block_is_sound(block)).then(|| &self.content.as_ref()[from as usize..to as usize])
    }

    fn unchecked(&self, from: u64, to: u64) -> Option<&[u8]> {
        self.content.as_ref().get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
    }

    fn len(&self) -> u64 {
        self.content.data.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn sample() -> Vec<Vec<u8>> {
        vec![(0..50_000u32).map(|i| ((i * 31) >> 3) as u8).collect(), Vec::new(), b"short".to_vec()]
    }

    fn written() -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        write(&sample(), &mut bytes).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn sections_come_back_as_they_went_in() {
        let bytes = written();
        let sections: [Section; 3] = in_memory(bytes, Path::new("")).unwrap();
        for (section, expected) in sections.iter().zip(sample()) {
            assert_eq!(section.all().unwrap(), expected);
        }
        assert_eq!(sections[0].bytes(16_000, 17_000).unwrap(), &sample()[0][16_000..17_000]);
        assert!(sections[2].bytes(3, 9).is_none());
    }

    #[test]
    fn a_block_whose_checksum_is_damaged_is_refused_and_no_other() {
        let bytes = written();
        let whole: [Section; 3] = in_memory(bytes.clone(), Path::new("")).unwrap();
        let block = BLOCK..2 * BLOCK;
        for byte in whole[0].checksums.start + 4..whole[0].checksums.start + 8 {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 1;
            let [section, ..]: [Section; 3] = in_memory(damaged, Path::new("")).unwrap();
            assert!(section.bytes(block.start, block.end).is_none() && section.all().is_none());
            assert!(section.bytes(0, block.start).is_some() && section.bytes(block.end, section.len()).is_some());
        }
    }

    #[test]
    fn any_flipped_byte_and_any_cut_is_noticed() {
        let bytes = written();
        let sound = |bytes: Vec<u8>| {
            let opened: Result<[Section; 3], _> = in_memory(bytes, Path::new(""));
            opened.is_ok_and(|sections| sections.iter().all(|section| section.all().is_some()))
        };
        assert!(sound(bytes.clone()));
        for at in (0..bytes.len()).step_by(97).chain(0..120) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(!sound(damaged), "byte {at}");
        }
        for length in (0..bytes.len()).step_by(1013) {
            assert!(!sound(bytes[..length].to_vec()), "cut to {length}");
        }
    }
}
