//! Makes one segment of several: by reading them part after part, so that neither they nor it need to be in memory.
//!
//! What is copied (texts, fingerprints, shingles) is copied. Units take two passes, because their code hangs on how often each
//! word stands in all of them; and so do lists, which are merged key by key. The outcome is what a builder would write that had been
//! given all documents one after the other.

use super::lists::{ListStatistics, Lists, ListsWriter, Posting};
use super::tokens::{Coded, TokenStatistics};
use super::writer::{BUCKETS, DocumentEnds, KEYS, SegmentWriter};
use super::{DocumentRecord, Part, Section, Segment};
use crate::index::error::IndexError;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Seek, Write};
use std::sync::Arc;

/// Why segments cannot be merged.
#[derive(Debug, thiserror::Error)]
pub(in crate::index) enum MergeError {
    /// The new one cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// One of them cannot be read.
    #[error(transparent)]
    Read(#[from] IndexError),
}

/// After this number of keys the memory is given back that the keys behind them took: it would come to the size of all segments.
const LET_GO_EVERY: u32 = 1 << 20;

/// A segment, and the documents of it that go into the new one.
struct MergedSegment {
    segment: Arc<Segment>,
    /// The number of each document in the new segment, of those that go into it.
    numbers: Vec<Option<u32>>,
}

/// Segments to be merged.
#[derive(Default)]
pub(in crate::index) struct Merge {
    sources: Vec<MergedSegment>,
    documents: u32,
}

impl Merge {
    /// Adds the documents of a segment for which `wanted` says so; gives their numbers there and in the new one.
    pub(in crate::index) fn add(&mut self, segment: Arc<Segment>, wanted: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
        let mut moved = Vec::new();
        let mut number = |local: u32| {
            let to = self.documents;
            self.documents += 1;
            moved.push((local, to));
            to
        };
        let numbers = (0..segment.len()).map(|local| wanted(local).then(|| number(local))).collect();
        self.sources.push(MergedSegment { segment, numbers });
        moved
    }

    /// Writes the new segment.
    pub(in crate::index) fn write(&self, out: impl Write + Seek) -> Result<(), MergeError> {
        let mut writer = SegmentWriter::new(out)?;
        let (mut records, mut fingerprints) = (Vec::new(), Vec::new());
        let mut statistics = TokenStatistics::default();
        let mut ends = DocumentEnds { texts: 0, shingles: 0, tokens: Vec::new() };
        let mut section = writer.part(Part::Texts);
        // Of each segment, the numbers of its words among those of all.
        let mut numbers: Vec<Vec<u32>> = vec![Vec::new(); self.sources.len()];
        self.each_document(|source, segment, number, (this, next)| {
            records.push(DocumentRecord { texts: ends.texts, shingles: ends.shingles, ..this });
            fingerprints.extend_from_slice(&segment.fingerprint(number)?.to_le_bytes());
            let vocabulary = segment.section(Part::Vocabulary);
            let count = |token: &Coded| statistics.count_token(vocabulary, &mut numbers[source], token);
            segment.sound(segment.for_each_token((this, next), count))?;
            let text = segment.sound(segment.bytes(Part::Texts, this.texts, next.texts))?;
            ends.texts += text.len() as u64;
            ends.shingles += segment.sound(next.shingles.checked_sub(this.shingles))?;
            Ok(section.write_all(text)?)
        })?;
        section.finish()?;
        writer.fingerprints(&fingerprints)?;

        let mut section = writer.part(Part::Shingles);
        self.each_document(|_, segment, _, (this, next)| {
            let bytes = segment.bytes(Part::Shingles, this.shingles * 4, next.shingles * 4);
            Ok(section.write_all(segment.sound(bytes)?)?)
        })?;
        section.finish()?;

        let code = statistics.code();
        ends.tokens = writer.tokens(&code, |tokens| {
            self.each_document(|source, segment, _, record| {
                let put = |token: &Coded| tokens.put_token(&numbers[source], token);
                let last_close = segment.sound(segment.for_each_token(record, put))?;
                Ok(tokens.end(last_close)?)
            })
        })?;
        let ranks: Vec<u32> = records.iter().map(|record| record.rank).collect();
        writer.documents(records, ends)?;

        writer.lists(KEYS, |out| self.write_lists(Segment::keys, true, &ranks, out))?;
        writer.lists(BUCKETS, |out| self.write_lists(Segment::buckets, false, &ranks, out))?;
        Ok(writer.finish()?)
    }

    /// Calls `visit` with each document that goes into the new segment: the number of its segment, that, its number there, its record
    /// and the next one.
    fn each_document(
        &self,
        mut visit: impl FnMut(usize, &Segment, u32, (DocumentRecord, DocumentRecord)) -> Result<(), MergeError>,
    ) -> Result<(), MergeError> {
        for (index, MergedSegment { segment, numbers }) in self.sources.iter().enumerate() {
            for (local, _) in (0..).zip(numbers).filter(|(_, number)| number.is_some()) {
                visit(index, segment, local, segment.sound(segment.records(local))?)?;
            }
            segment.let_go();
        }
        Ok(())
    }

    fn write_lists<'a, W: Write>(
        &'a self,
        lists: impl Fn(&'a Segment) -> Lists<'a, Section>,
        positions: bool,
        ranks: &[u32],
        out: W,
    ) -> Result<Vec<u8>, MergeError> {
        let mut statistics = ListStatistics::new(positions);
        self.each_key(&lists, |group| {
            statistics.add(group);
            Ok(())
        })?;
        let mut writer = ListsWriter::new(out, &statistics, ranks);
        self.each_key(&lists, |group| writer.add(group))?;
        Ok(writer.finish()?)
    }

    /// Calls `visit` with the entries of each key that any of the documents holds, in the order of the keys.
    fn each_key<'a>(
        &'a self,
        lists: &impl Fn(&'a Segment) -> Lists<'a, Section>,
        mut visit: impl FnMut(&[(u64, Posting)]) -> io::Result<()>,
    ) -> Result<(), MergeError> {
        let mut rows = Vec::with_capacity(self.sources.len());
        let mut heads = BinaryHeap::with_capacity(self.sources.len());
        for (index, MergedSegment { segment, .. }) in self.sources.iter().enumerate() {
            let mut keys = segment.sound(lists(segment).keys())?;
            let head = keys.next().map(|key| segment.sound(key)).transpose()?;
            heads.extend(head.as_ref().map(|(key, _)| Reverse((*key, index))));
            rows.push((keys, head));
        }
        let mut group: Vec<(u64, Posting)> = Vec::new();
        let mut keys_visited = 0u32;
        while let Some(Reverse((key, index))) = heads.pop() {
            let (keys, head) = &mut rows[index];
            let MergedSegment { segment, numbers } = &self.sources[index];
            let (begin, mut inside) = (group.len(), true);
            let (_, list) = segment.sound(head.take())?;
            let walked = list.walk(|posting| match numbers.get(posting.document as usize) {
                Some(Some(document)) => group.push((key, Posting { document: *document, ..posting })),
                Some(None) => {}
                None => inside = false,
            });
            keys.go_on_at(segment.sound(walked.filter(|_| inside))?);
            // A long list has its documents in two rows.
            group[begin..].sort_unstable();
            *head = keys.next().map(|key| segment.sound(key)).transpose()?;
            heads.extend(head.as_ref().map(|(key, _)| Reverse((*key, index))));
            if heads.peek().is_none_or(|Reverse((next, _))| *next != key) {
                if !group.is_empty() {
                    visit(&group)?;
                }
                group.clear();
                keys_visited = keys_visited.wrapping_add(1);
                if keys_visited.is_multiple_of(LET_GO_EVERY) {
                    self.sources.iter().for_each(|source| source.segment.let_go());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::segment::SegmentBuilder;
    use crate::sketch::analysis::{Analyser, Analysis};
    use crate::sketch::settings::SketchSettings;
    use crate::sketch::shingle::ShingleOf;
    use std::io::Cursor;
    use std::path::Path;

    /// Takes what is written, and rots the file of a segment as soon as anything was.
    struct Rotting<'a> {
        written: Cursor<Vec<u8>>,
        file: Option<(&'a Path, u64)>,
    }

    impl Write for Rotting<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Some((path, at)) = self.file.take() {
                let mut file = std::fs::File::options().write(true).open(path)?;
                file.seek(io::SeekFrom::Start(at))?;
                file.write_all(&[0xff; 64])?;
            }
            self.written.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Rotting<'_> {
        fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
            self.written.seek(to)
        }
    }

    #[test]
    fn bytes_that_rot_between_the_two_passes_of_a_merge_are_an_error_that_names_the_file() {
        let (folder, settings) = (tempfile::tempdir().unwrap(), SketchSettings::new(Default::default(), 16, 0.7));
        let path = folder.path().join("some.segment");
        let text: String = (0..3000).map(|i| format!("w{} ", i % 700)).collect();
        let mut builder = SegmentBuilder::new(&settings);
        builder.add("a", &Analyser::new(&settings).analyse(&text), None);
        builder.write(std::fs::File::create(&path).unwrap()).unwrap();
        let whole = std::fs::read(&path).unwrap();

        let header = |part: Part| 16 + 24 * part as usize;
        let begin = |part: Part| u64::from_le_bytes(whole[header(part)..][..8].try_into().unwrap());
        for part in [Part::Tokens, Part::Documents, Part::Keys] {
            std::fs::write(&path, &whole).unwrap();
            let mut merge = Merge::default();
            merge.add(Arc::new(Segment::open(&path, &settings).unwrap()), |_| true);
            let out = Rotting { written: Cursor::new(Vec::new()), file: Some((&path, begin(part))) };
            let error = merge.write(out).unwrap_err();
            assert!(matches!(&error, MergeError::Read(IndexError::Damaged { path: of, .. }) if *of == path), "{error}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]

        #[test]
        fn merged_segments_are_the_bytes_of_one_that_was_given_the_documents_one_after_the_other(
            texts in proptest::collection::vec(
                "\\PC{0,60}|([a-e]{1,2} ){0,300}|[潮圖面積水。]{0,200}|([a-z]{3} ){200,900}", 0..12),
            copies in 1usize..400,
            segment_of in proptest::collection::vec(0usize..4, 12),
            deleted in proptest::collection::vec(proptest::bool::weighted(0.2), 12),
            chars: bool,
        ) {
            let mut settings = SketchSettings::new(Default::default(), 16, 0.7);
            if chars {
                settings.shingling.of = ShingleOf::Chars;
            }
            let mut analyser = Analyser::new(&settings);
            let analyses: Vec<Analysis> = texts.iter().map(|text| analyser.analyse(text)).collect();
            let mut one = SegmentBuilder::new(&settings);
            let mut merge = Merge::default();
            for segment in 0..4 {
                let mut builder = SegmentBuilder::new(&settings);
                let mut wanted = Vec::new();
                for (number, analysis) in analyses.iter().enumerate().filter(|(number, _)| segment_of[*number] == segment) {
                    // Many copies of the first make lists of many holders.
                    for copy in 0..if number == 0 { copies } else { 1 } {
                        let (id, text) = (format!("{number}-{copy}"), Some(texts[number].as_bytes()));
                        builder.add(&id, analysis, text);
                        wanted.push(!deleted[number]);
                        if !deleted[number] {
                            one.add(&id, analysis, text);
                        }
                    }
                }
                merge.add(Arc::new(builder.in_memory(Path::new("")).unwrap()), |local| wanted[local as usize]);
            }
            let (mut expected, mut merged) = (Cursor::new(Vec::new()), Cursor::new(Vec::new()));
            one.write(&mut expected).unwrap();
            merge.write(&mut merged).unwrap();
            assert!(expected.into_inner() == merged.into_inner());
        }
    }
}
