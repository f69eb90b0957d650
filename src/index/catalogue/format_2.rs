//! Catalogues of format 2: their rows of documents held the records too, their rows of segments no checksums of the files, and a
//! segment was called by its number. They are read as they are, and brought up to date when they are opened for changing.

use super::change::{Change, TABLES};
use super::{CATALOGUE_VERSION, Catalogue, DocumentPlace, OLDER_VERSION, Seals, SegmentRow, checksum};
use crate::index::error::IndexError;
use crate::index::records::{Record, Records, RecordsBuilder};
use crate::index::segment::Segment;
use crate::index::{disk, layout};
use crate::text::Metadata;
use std::path::Path;

impl Catalogue {
    pub(super) fn segments_of_format_2(&self) -> Result<Vec<SegmentRow>, IndexError> {
        let sql = "SELECT segment, documents, deleted, bytes, checksum FROM segments ORDER BY segment";
        let mut statement = self.check(self.connection.prepare(sql))?;
        let rows = self.check(statement.query_map([], |row| {
            let segment: u32 = row.get(0)?;
            let found = SegmentRow {
                segment,
                documents: row.get(1)?,
                deleted: row.get(2)?,
                bytes: row.get::<_, i64>(3)? as u64,
                name: format!("{segment:08}"),
                seals: None,
            };
            Ok((found, row.get::<_, i64>(4)?))
        }))?;
        rows.map(|row| {
            let (row, sum) = self.check(row)?;
            let numbers = [u64::from(row.segment), u64::from(row.documents), u64::from(row.deleted), row.bytes];
            let expected = checksum(numbers.map(u64::to_le_bytes).iter().map(|bytes| Some(&bytes[..])));
            if sum == expected { Ok(row) } else { Err(self.damaged("the list of segments")) }
        })
        .collect()
    }

    pub(super) fn records_of_format_2(&self, row: &SegmentRow) -> Result<Records, IndexError> {
        self.builder_of_format_2(row)?.in_memory().map_err(|e| IndexError::segment(&self.path, e))
    }

    /// The records of all documents of a segment; empty ones of those that were deleted.
    fn builder_of_format_2(&self, row: &SegmentRow) -> Result<RecordsBuilder, IndexError> {
        let sql = "SELECT place, checksum, id, generation, added, content, title, author, date, collection
                   FROM documents WHERE place >> 32 = ?1 ORDER BY place";
        let mut statement = self.check(self.connection.prepare(sql))?;
        let rows = self.check(statement.query_map([row.segment], |row| {
            let metadata =
                Metadata { title: row.get(6)?, author: row.get(7)?, date: row.get(8)?, collection: row.get(9)? };
            let (id, generation, added, content) = (row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?);
            let record = Record { id, metadata, added, generation, content };
            Ok((DocumentPlace::of_key(row.get(0)?), row.get::<_, i64>(1)?, record))
        }))?;
        let (mut builder, mut next) = (RecordsBuilder::default(), 0);
        for found in rows {
            let (place, sum, record) = self.check(found)?;
            if row_checksum(place, &record) != sum || place.local >= row.documents {
                return Err(self.damaged("a document's row"));
            }
            (next..place.local).for_each(|_| builder.add(&Record::default()));
            builder.add(&record);
            next = place.local + 1;
        }
        (next..row.documents).for_each(|_| builder.add(&Record::default()));
        Ok(builder)
    }

    /// Brings a catalogue of format 2 up to date, in one transaction; others are left as they are.
    pub(in crate::index) fn upgrade(&mut self, folder: &Path) -> Result<(), IndexError> {
        if self.format != OLDER_VERSION {
            return Ok(());
        }
        let settings = self.settings()?;
        let change = self.change()?;
        let (mut rows, mut asides) = (Vec::new(), Vec::new());
        for row in change.segments()? {
            let files = layout::segments(folder);
            let path = layout::file(&files, &row.name, layout::SEGMENT);
            let segment = Segment::open(&path, &settings).map_err(|e| IndexError::segment(&path, e))?;
            let place = layout::file(&files, &row.name, layout::RECORDS);
            let part = place.with_extension(layout::PART);
            // An attempt that was interrupted may have left one.
            let _ = std::fs::remove_file(&part);
            let builder = change.builder_of_format_2(&row)?;
            let aside =
                disk::Aside::write(part, |out, path| builder.write(out).map_err(|error| IndexError::io(path, error)))?;
            let records = Records::open(aside.path()).map_err(|e| IndexError::segment(&place, e))?;
            let seals = Seals { segment: segment.seal(), records: records.seal() };
            rows.push(SegmentRow { bytes: row.bytes + aside.bytes(), seals: Some(seals), ..row });
            asides.push((aside, place));
        }
        change.rewrite(&rows)?;
        asides.into_iter().try_for_each(|(aside, place)| aside.put(&place))?;
        disk::sync_folder(&layout::segments(folder))?;
        change.commit()?;
        self.format = CATALOGUE_VERSION;
        Ok(())
    }
}

impl Change<'_> {
    /// Makes the tables of this version of those of format 2, with these segments.
    fn rewrite(&self, segments: &[SegmentRow]) -> Result<(), IndexError> {
        let mut documents = Vec::new();
        self.for_each(|place, id| {
            documents.push((place, id));
            Ok(())
        })?;
        self.batch("DROP TABLE segments; DROP TABLE documents;")?;
        self.batch(TABLES)?;
        segments.iter().try_for_each(|row| self.put_segment(row))?;
        documents.iter().try_for_each(|(place, id)| self.put(*place, id))?;
        self.set("format", &CATALOGUE_VERSION.to_string())
    }
}

fn row_checksum(place: DocumentPlace, record: &Record) -> i64 {
    let numbers = [place.key(), i64::from(record.generation), record.added].map(i64::to_le_bytes);
    let Metadata { title, author, date, collection } = &record.metadata;
    let texts = [title, author, date, collection].map(|field| field.as_ref().map(String::as_bytes));
    let fields = numbers.iter().map(|bytes| Some(&bytes[..]));
    checksum(fields.chain([Some(record.id.as_bytes()), Some(&record.content[..])]).chain(texts))
}
