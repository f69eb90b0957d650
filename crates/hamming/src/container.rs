//! The bytes of a stored table: header, sections, footer.
//!
//! All numbers are little-endian. A section begins at a multiple of 64 bytes, so that a memory map of it is aligned
//! to cache lines. What follows is known only when it has been written, so the list of sections and the checksum stand
//! at the end, and writing needs no seeking.
//!
//! ```text
//! header   magic "CThammng" · version u32 · length of the rest of the header u32
//!          engine u8 · k u8 · disjoint u8 · sorted u8 · fingerprints u64 · tables u32
//!          for each table: prefix u8 · radius u8 · directory u8 · runs u8 · for each run: first bit u8 · end u8
//! sections as the engine lays them out, each padded to 64 bytes
//! footer   for each section: offset u64 · length u64
//!          sections u64 · checksum of all before the footer u64 · checksum of the footer so far u64 · "CThamEnd"
//! ```
//!
//! The first checksum is rapidhash v3 over the rapidhash v3 values of pieces of 1 MiB, so that pieces can be checked
//! in parallel.

use std::io::Write;
use std::ops::Range;

use rapidhash::v3::rapidhash_v3;
use rayon::prelude::*;

use super::Error;
use super::design::{Design, MAX_DIRECTORY_BITS, TableDesign};
use super::format::{MAX_DISTANCE, VERSION};
use super::permutation::Permutation;

const MAGIC: [u8; 8] = *b"CThammng";
const END: [u8; 8] = *b"CThamEnd";
const PIECE: usize = 1 << 20;
const ALIGNMENT: usize = 64;
/// Section count, two checksums and the end mark.
const FOOTER_TAIL: usize = 32;

/// What a stored table says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sections {
    /// The number that stands for the engine.
    pub engine: u8,
    /// The tables; for a scan none.
    pub design: Design,
    /// How many fingerprints there are.
    pub count: usize,
    /// Where the sections are.
    pub sections: Vec<Range<usize>>,
}

/// Writes a stored table from its first byte to its last.
pub(super) struct Writer<W> {
    out: W,
    piece: Vec<u8>,
    hashes: Vec<u8>,
    position: usize,
    sections: Vec<Range<usize>>,
}

impl<W: Write> Writer<W> {
    pub fn new(out: W, engine: u8, design: &Design, count: usize) -> Result<Self, Error> {
        let piece = Vec::with_capacity(PIECE);
        let mut writer = Writer { out, piece, hashes: Vec::new(), position: 0, sections: Vec::new() };
        let mut rest = vec![engine, design.k, u8::from(design.disjoint), u8::from(design.sorted)];
        rest.extend((count as u64).to_le_bytes());
        rest.extend((design.tables.len() as u32).to_le_bytes());
        for table in &design.tables {
            let runs = table.permutation.leading_runs();
            rest.extend([table.prefix, table.radius, table.directory, runs.len() as u8]);
            rest.extend(runs.iter().flat_map(|run| [run.start, run.end]));
        }
        writer.put(&MAGIC)?;
        writer.put(&VERSION.to_le_bytes())?;
        writer.put(&(rest.len() as u32).to_le_bytes())?;
        writer.put(&rest)?;
        Ok(writer)
    }

    /// Begins a section; what is put from now on belongs to it.
    pub fn begin_section(&mut self) -> Result<(), Error> {
        let padding = self.position.next_multiple_of(ALIGNMENT) - self.position;
        let end = self.position;
        self.put(&[0; ALIGNMENT][..padding])?;
        if let Some(last) = self.sections.last_mut() {
            last.end = end;
        }
        self.sections.push(self.position..self.position);
        Ok(())
    }

    /// Writes bytes of the current section.
    pub fn put(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        self.position += bytes.len();
        while !bytes.is_empty() {
            if let (true, Some((piece, rest))) = (self.piece.is_empty(), bytes.split_at_checked(PIECE)) {
                self.write_piece(piece)?;
                bytes = rest;
                continue;
            }
            let taken = bytes.len().min(PIECE - self.piece.len());
            self.piece.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if self.piece.len() == PIECE {
                self.end_piece()?;
            }
        }
        Ok(())
    }

    /// Writes a whole section.
    pub fn section(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.begin_section()?;
        self.put(bytes)
    }

    /// Writes a whole section of numbers, some of them at a time.
    pub fn numbers<T: Copy, const N: usize>(&mut self, numbers: &[T], bytes: fn(T) -> [u8; N]) -> Result<(), Error> {
        self.begin_section()?;
        for piece in numbers.chunks(1 << 14) {
            let bytes: Vec<u8> = piece.iter().flat_map(|&number| bytes(number)).collect();
            self.put(&bytes)?;
        }
        Ok(())
    }

    fn end_piece(&mut self) -> Result<(), Error> {
        let mut piece = std::mem::take(&mut self.piece);
        self.write_piece(&piece)?;
        piece.clear();
        self.piece = piece;
        Ok(())
    }

    fn write_piece(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.hashes.extend(rapidhash_v3(piece).to_le_bytes());
        Ok(self.out.write_all(piece)?)
    }

    /// Writes the footer and hands the destination back.
    pub fn finish(mut self) -> Result<W, Error> {
        if let Some(last) = self.sections.last_mut() {
            last.end = self.position;
        }
        if !self.piece.is_empty() {
            self.end_piece()?;
        }
        let mut footer = Vec::new();
        for section in &self.sections {
            footer.extend((section.start as u64).to_le_bytes());
            footer.extend((section.len() as u64).to_le_bytes());
        }
        footer.extend((self.sections.len() as u64).to_le_bytes());
        footer.extend(rapidhash_v3(&self.hashes).to_le_bytes());
        footer.extend(rapidhash_v3(&footer).to_le_bytes());
        footer.extend(END);
        self.out.write_all(&footer)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Reads header and footer.
///
/// # Errors
/// The bytes are of another format or version, or header and footer do not hold together.
pub(super) fn parse(bytes: &[u8]) -> Result<Sections, Error> {
    let mut header = Cursor { bytes, what: "cut off within its header" };
    if header.take::<8>().map_err(|_| Error::Foreign)? != MAGIC {
        return Err(Error::Foreign);
    }
    let version = u32::from_le_bytes(header.take()?);
    if version != VERSION {
        return Err(Error::Version { found: version });
    }
    let footer = parse_footer(bytes)?;
    let length = u32::from_le_bytes(header.take()?) as usize;
    let Some(rest) = header.bytes.get(..length) else {
        return damaged(header.what);
    };
    header.bytes = rest;
    let [engine, k, disjoint, sorted] = header.take()?;
    let count = u64::from_le_bytes(header.take()?);
    if count > u64::from(u32::MAX) || k > MAX_DISTANCE || disjoint > 1 || sorted > 1 {
        return damaged("its header has impossible numbers");
    }
    let tables = u32::from_le_bytes(header.take()?);
    let tables = (0..tables).map(|_| parse_table(&mut header)).collect::<Result<_, _>>()?;
    let design = Design::new(k, tables, disjoint == 1, sorted == 1);
    if !header.bytes.is_empty() {
        return damaged("its header is longer than its tables");
    }
    Ok(Sections { engine, design, count: count as usize, sections: footer.sections })
}

fn parse_table(header: &mut Cursor) -> Result<TableDesign, Error> {
    let [prefix, radius, directory, run_count] = header.take()?;
    let mut runs = Vec::new();
    for _ in 0..run_count {
        let [start, end] = header.take()?;
        runs.push(start..end);
    }
    let Some(permutation) = Permutation::leading(&runs) else {
        return damaged("a table's bits overlap");
    };
    let leading: u32 = runs.iter().map(|run| u32::from(run.end - run.start)).sum();
    let possible = u32::from(prefix) == leading
        && (1..=prefix.min(MAX_DIRECTORY_BITS)).contains(&directory)
        && radius <= MAX_DISTANCE;
    if !possible {
        return damaged("a table's numbers are impossible");
    }
    Ok(TableDesign::with_permutation(permutation, prefix, radius, directory))
}

struct Footer {
    start: usize,
    sections: Vec<Range<usize>>,
    checksum: u64,
}

fn parse_footer(bytes: &[u8]) -> Result<Footer, Error> {
    const CUT: &str = "its end is missing";
    const WRONG: &str = "its list of sections is wrong";
    let Some((before, tail)) = bytes.split_last_chunk::<FOOTER_TAIL>() else {
        return damaged(CUT);
    };
    let word = |at: usize| word_at(tail, at);
    if tail[24..] != END {
        return damaged(CUT);
    }
    let list_bytes = usize::try_from(word(0)).ok().and_then(|count| count.checked_mul(16));
    let Some(start) = list_bytes.and_then(|list| before.len().checked_sub(list)) else {
        return damaged(WRONG);
    };
    let checked = &bytes[start..bytes.len() - 16];
    if rapidhash_v3(checked) != word(16) {
        return damaged(WRONG);
    }
    let mut sections = Vec::new();
    for entry in before[start..].as_chunks::<16>().0 {
        let (offset, length) = (word_at(entry, 0), word_at(entry, 8));
        match offset.checked_add(length) {
            Some(end) if end <= start as u64 => sections.push(offset as usize..end as usize),
            _ => return damaged(WRONG),
        }
    }
    Ok(Footer { start, sections, checksum: word(8) })
}

/// The word of eight bytes at a place, which must be there.
fn word_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|byte| bytes[at + byte]))
}

/// Compares the checksum of everything before the footer.
///
/// # Errors
/// The bytes differ from those that were written.
pub(super) fn verify(bytes: &[u8]) -> Result<(), Error> {
    let footer = parse_footer(bytes)?;
    let hashes: Vec<[u8; 8]> =
        bytes[..footer.start].par_chunks(PIECE).map(|piece| rapidhash_v3(piece).to_le_bytes()).collect();
    if rapidhash_v3(hashes.as_flattened()) != footer.checksum {
        return damaged("its checksum does not fit");
    }
    Ok(())
}

/// Takes fixed numbers of bytes from the front.
struct Cursor<'a> {
    bytes: &'a [u8],
    what: &'static str,
}

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let Some((taken, rest)) = self.bytes.split_first_chunk::<N>() else {
            return damaged(self.what);
        };
        self.bytes = rest;
        Ok(*taken)
    }
}

/// The error of a damaged table.
pub(super) fn damaged<T>(what: &'static str) -> Result<T, Error> {
    Err(Error::Damaged { what })
}

#[cfg(test)]
mod tests {
    use super::super::permuted;
    use super::*;

    #[test]
    fn what_was_written_is_read_back_and_sections_are_aligned() {
        let design = permuted::cut_twice(3, 5);
        let mut writer = Writer::new(Vec::new(), 3, &design, 5).unwrap();
        let long: Vec<u8> = (0..PIECE * 2 + 77).map(|i| (i % 251) as u8).collect();
        writer.section(b"abc").unwrap();
        writer.section(&long).unwrap();
        writer.section(b"").unwrap();
        let bytes = writer.finish().unwrap();
        let layout = parse(&bytes).unwrap();
        assert_eq!((layout.engine, &layout.design, layout.count), (3, &design, 5));
        let parts: Vec<&[u8]> = layout.sections.iter().map(|section| &bytes[section.clone()]).collect();
        assert_eq!(parts, [b"abc", &long[..], b""]);
        assert!(layout.sections.iter().all(|section| section.start % ALIGNMENT == 0));
        verify(&bytes).unwrap();
    }

    #[test]
    fn how_bytes_are_handed_over_does_not_change_the_file() {
        let design = permuted::cut_twice(1, 0);
        let content = vec![7u8; PIECE + 5];
        let written = |step: usize| {
            let mut writer = Writer::new(Vec::new(), 0, &design, 0).unwrap();
            writer.begin_section().unwrap();
            content.chunks(step).for_each(|part| writer.put(part).unwrap());
            writer.finish().unwrap()
        };
        assert_eq!(written(content.len()), written(1001));
    }
}
