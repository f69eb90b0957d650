//! Makes one segment of several: by reading them part after part, so that neither they nor it need to be in memory.
//!
//! What is copied (texts, fingerprints, shingles) is copied. Units take two passes, because their code hangs on how often each
//! word stands in all of them; and so do lists, which are merged key by key. The outcome is what a builder would write that had been
//! given all documents one after the other.

use super::lists::{ListStatistics, Lists, ListsWriter, Posting};
use super::tokens::{Coded, TokenStatistics};
use super::writer::{BUCKETS, DocumentEnds, KEYS, SegmentWriter};
use super::{Damaged, DocumentRecord, Part, Section, Segment};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Seek, Write};
use std::sync::Arc;

/// Why segments cannot be merged.
#[derive(Debug)]
pub(in crate::index) enum MergeError {
    /// The new one cannot be written.
    Io(io::Error),
    /// The one of this number, in the order in which they were given, is damaged.
    Damaged(usize),
}

impl From<io::Error> for MergeError {
    fn from(error: io::Error) -> Self {
        MergeError::Io(error)
    }
}

/// So many keys are merged before the memory is given back that those behind them took: it would come to the size of all segments.
const LET_GO_EVERY: u32 = 1 << 20;

/// A segment, and the documents of it that go into the new one.
struct Source {
    segment: Arc<Segment>,
    /// The number of each document in the new segment, of those that go into it.
    numbers: Vec<Option<u32>>,
}

/// Segments to be merged, all of them of the newest format.
#[derive(Default)]
pub(in crate::index) struct Merge {
    sources: Vec<Source>,
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
        self.sources.push(Source { segment, numbers });
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
            let at = 8 * u64::from(number);
            fingerprints.extend_from_slice(segment.bytes(Part::Fingerprints, at, at + 8).ok_or(Damaged)?);
            let vocabulary = segment.all(Part::Vocabulary)?;
            let count = |token: &Coded| statistics.count_token(vocabulary, &mut numbers[source], token);
            segment.for_each_token((this, next), count).ok_or(Damaged)?;
            let text = segment.bytes(Part::Texts, this.texts, next.texts).ok_or(Damaged)?;
            ends.texts += text.len() as u64;
            ends.shingles += next.shingles.checked_sub(this.shingles).ok_or(Damaged)?;
            Ok(section.write_all(text)?)
        })?;
        section.finish()?;
        writer.fingerprints(&fingerprints)?;

        let mut section = writer.part(Part::Shingles);
        self.each_document(|_, segment, _, (this, next)| {
            let bytes = segment.bytes(Part::Shingles, this.shingles * 4, next.shingles * 4).ok_or(Damaged)?;
            Ok(section.write_all(bytes)?)
        })?;
        section.finish()?;

        let code = statistics.code();
        ends.tokens = writer.tokens(&code, |tokens| {
            self.each_document(|source, segment, _, record| {
                let mut written = Ok(());
                let put = |token: &Coded| {
                    written = tokens.put_token(&numbers[source], token);
                    written.is_ok().then_some(())
                };
                let last_close = segment.for_each_token(record, put);
                written?;
                Ok(tokens.end(last_close.ok_or(Damaged)?)?)
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
        mut visit: impl FnMut(usize, &Segment, u32, (DocumentRecord, DocumentRecord)) -> Result<(), Stop>,
    ) -> Result<(), MergeError> {
        for (index, Source { segment, numbers }) in self.sources.iter().enumerate() {
            for (local, _) in (0..).zip(numbers).filter(|(_, number)| number.is_some()) {
                let visited = segment
                    .records(local)
                    .ok_or(Stop::Damaged)
                    .and_then(|records| visit(index, segment, local, records));
                visited.map_err(|stop| stop.at(index))?;
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
        let mut statistics = ListStatistics::default();
        self.each_key(&lists, |group| {
            statistics.add(group);
            Ok(())
        })?;
        let mut writer = ListsWriter::new(out, &statistics, positions, ranks);
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
        for (index, source) in self.sources.iter().enumerate() {
            let mut keys = lists(&source.segment).keys().ok_or(MergeError::Damaged(index))?;
            let head = keys.next().map(|key| key.ok_or(MergeError::Damaged(index))).transpose()?;
            heads.extend(head.as_ref().map(|(key, _)| Reverse((*key, index))));
            rows.push((keys, head));
        }
        let mut group: Vec<(u64, Posting)> = Vec::new();
        let mut keys_visited = 0u32;
        while let Some(Reverse((key, index))) = heads.pop() {
            let (keys, head) = &mut rows[index];
            let numbers = &self.sources[index].numbers;
            let (begin, mut inside) = (group.len(), true);
            let list = head.take().map(|(_, list)| list).ok_or(MergeError::Damaged(index))?;
            let walked = list.walk(|posting| match numbers.get(posting.document as usize) {
                Some(Some(document)) => group.push((key, Posting { document: *document, ..posting })),
                Some(None) => {}
                None => inside = false,
            });
            keys.go_on_at(walked.filter(|_| inside).ok_or(MergeError::Damaged(index))?);
            // A long list has its documents in two rows.
            group[begin..].sort_unstable();
            *head = keys.next().map(|key| key.ok_or(MergeError::Damaged(index))).transpose()?;
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

/// Why a document ends the merge.
enum Stop {
    Io(io::Error),
    Damaged,
}

impl Stop {
    fn at(self, index: usize) -> MergeError {
        match self {
            Stop::Io(error) => MergeError::Io(error),
            Stop::Damaged => MergeError::Damaged(index),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Io(error)
    }
}

impl From<Damaged> for Stop {
    fn from(_: Damaged) -> Self {
        Stop::Damaged
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
                merge.add(Arc::new(builder.in_memory().unwrap()), |local| wanted[local as usize]);
            }
            let (mut expected, mut merged) = (Cursor::new(Vec::new()), Cursor::new(Vec::new()));
            one.write(&mut expected).unwrap();
            merge.write(&mut merged).unwrap();
            assert!(expected.into_inner() == merged.into_inner());
        }
    }
}
