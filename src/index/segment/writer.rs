//! Writes the parts of a segment, those that are large without holding them.

use super::container::{ContainerWriter, SectionWriter};
use super::tokens::{TokenCode, TokensWriter};
use super::{DocumentRecord, PARTS, Part, fingerprints};
use std::io::{self, Seek, Write};

/// The directory and the lists of the containment sketch, and of the MinHash buckets.
pub(super) const KEYS: (Part, Part) = (Part::KeyDirectory, Part::Keys);
pub(super) const BUCKETS: (Part, Part) = (Part::BucketDirectory, Part::Buckets);

/// Where the bytes of the last document end.
pub(super) struct DocumentEnds {
    pub texts: u64,
    /// Counted in values of 4 bytes.
    pub shingles: u64,
    /// Of each document the end of its tokens, in bytes, and of their blocks.
    pub tokens: Vec<(u64, u32)>,
}

/// A segment that is being written, a part after the other in whatever order.
pub(super) struct SegmentWriter<W>(ContainerWriter<W>);

impl<W: Write + Seek> SegmentWriter<W> {
    pub(super) fn new(out: W) -> io::Result<Self> {
        ContainerWriter::new(out, PARTS).map(SegmentWriter)
    }

    pub(super) fn put(&mut self, part: Part, bytes: &[u8]) -> io::Result<()> {
        self.0.put(part as usize, bytes)
    }

    /// Begins a part that is not in memory.
    pub(super) fn part(&mut self, part: Part) -> SectionWriter<'_, W> {
        self.0.section(part as usize)
    }

    /// Writes the fingerprints, little-endian words, and their table.
    pub(super) fn fingerprints(&mut self, fingerprints: &[u8]) -> io::Result<()> {
        self.put(Part::FingerprintTable, &fingerprints::table_section(fingerprints)?)?;
        self.put(Part::Fingerprints, fingerprints)
    }

    /// Writes the code of the tokens and the tokens that `write` hands on; gives where those of each document end.
    pub(super) fn tokens<E: From<io::Error>>(
        &mut self,
        code: &TokenCode,
        write: impl FnOnce(&mut TokensWriter<&mut SectionWriter<'_, W>>) -> Result<(), E>,
    ) -> Result<Vec<(u64, u32)>, E> {
        self.put(Part::Vocabulary, &code.vocabulary)?;
        self.put(Part::TokenCodes, &code.codes)?;
        let mut section = self.part(Part::Tokens);
        let mut tokens = TokensWriter::new(&mut section, code);
        write(&mut tokens)?;
        let TokensWriter { blocks, ends, .. } = tokens;
        section.finish()?;
        self.put(Part::TokenBlocks, &blocks)?;
        Ok(ends)
    }

    /// Writes what is known of each document. Their records lack where their tokens begin.
    pub(super) fn documents(&mut self, records: Vec<DocumentRecord>, ends: DocumentEnds) -> io::Result<()> {
        let units: u64 = records.iter().map(|record| u64::from(record.units)).sum();
        let last = DocumentRecord {
            texts: ends.texts,
            shingles: ends.shingles,
            units: units as u32,
            text_chars: (units >> 32) as u32,
            ..DocumentRecord::default()
        };
        let begins = std::iter::once((0, 0)).chain(ends.tokens);
        let mut section = self.part(Part::Documents);
        for (record, (tokens, blocks)) in records.into_iter().chain([last]).zip(begins) {
            section.write_all(&DocumentRecord { tokens, blocks, ..record }.to_bytes())?;
        }
        section.finish()
    }

    /// Writes lists, which `write` hands on before it gives their directory.
    pub(super) fn lists<E: From<io::Error>>(
        &mut self,
        (directory, lists): (Part, Part),
        write: impl FnOnce(&mut SectionWriter<'_, W>) -> Result<Vec<u8>, E>,
    ) -> Result<(), E> {
        let mut section = self.part(lists);
        let bytes = write(&mut section)?;
        section.finish()?;
        Ok(self.put(directory, &bytes)?)
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.0.finish()
    }
}
