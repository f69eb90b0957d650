//! The fingerprints of one file that are near to those of another, and tables built ahead for it.

use super::FingerprintFile;
use crate::{Batch, Engine, Error, FingerprintTable, Hit};
use copytrace_job::Cancel;
use std::io::Write;
use std::path::Path;

impl FingerprintFile {
    /// Hands on all pairs of a query and a fingerprint of this file within `k` bits: the position of the query in its file, from 0, and
    /// the hit in this one, in the order of both positions.
    ///
    /// The smaller of two files of words is held in memory, with its tables, and the larger streams past; a `.tables` file is
    /// asked where it lies. Pairs are handed on as they are found, so memory does not grow with their number, except by 16
    /// bytes for each of up to 2²⁵ pairs where the queries are the smaller file.
    ///
    /// # Errors
    /// A file cannot be read or is damaged, `k` is larger than 7 or than the tables were built for, the work was cancelled; and those
    /// of `sink`.
    pub fn for_each_near_pair<E: From<Error>>(
        &self,
        queries: &FingerprintFile,
        k: u8,
        cancel: &Cancel,
        mut sink: impl FnMut(u64, Hit<u64>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.require_same_features(queries)?;
        if let Some(tables) = self.table()? {
            let mut first = 0;
            return queries.for_each_piece(|piece| {
                cancel.check().map_err(Error::from)?;
                tables.find_all(piece, k, |position, hits| {
                    let query = first + position as u64;
                    hits.iter().try_for_each(|hit| sink(query, Hit { row: hit.row.into(), distance: hit.distance }))
                })?;
                first += piece.len() as u64;
                Ok::<(), E>(())
            });
        }
        if queries.bytes <= self.bytes {
            return few_queries(self, &queries.read()?, k, 0, cancel, &mut sink);
        }
        many_queries(&Batch::new(&self.read()?, k)?, queries, cancel, &mut sink)
    }

    /// Writes the tables of the fingerprints for distances up to `k` bits, to be opened as a `.tables` file. The same
    /// fingerprints give the same bytes on every machine.
    ///
    /// # Errors
    /// The file cannot be read, `k` is larger than 7, writing to `path` fails, or the work was cancelled before the tables were begun.
    pub fn write_tables<W: Write>(
        &self,
        k: u8,
        engine: Engine,
        path: &Path,
        out: W,
        cancel: &Cancel,
    ) -> Result<W, Error> {
        let words = self.read()?;
        cancel.check()?;
        FingerprintTable::write(&words, k, engine, out).map_err(|error| match error {
            Error::Io(error) => Error::of(path)(error.into()),
            error => error,
        })
    }
}

/// The queries stream past the table.
fn many_queries<E: From<Error>>(
    table: &Batch,
    queries: &FingerprintFile,
    cancel: &Cancel,
    sink: &mut impl FnMut(u64, Hit<u64>) -> Result<(), E>,
) -> Result<(), E> {
    let mut first = 0;
    let mut rows: Vec<(u32, u8)> = Vec::new();
    queries.for_each_piece(|piece| {
        cancel.check().map_err(Error::from)?;
        for meetings in table.meet(piece).chunk_by(|a, b| a.position == b.position) {
            let query = first + u64::from(meetings[0].position);
            rows.clear();
            for meeting in meetings {
                rows.extend(table.rows(meeting.distinct).iter().map(|&row| (row, meeting.distance)));
            }
            rows.sort_unstable();
            for &(row, distance) in &rows {
                sink(query, Hit { row: row.into(), distance })?;
            }
        }
        first += piece.len() as u64;
        Ok(())
    })
}

/// The table streams past the queries, of which the first has the position `first`.
fn few_queries<E: From<Error>>(
    table: &FingerprintFile,
    queries: &[u64],
    k: u8,
    first: u64,
    cancel: &Cancel,
    sink: &mut impl FnMut(u64, Hit<u64>) -> Result<(), E>,
) -> Result<(), E> {
    /// The most meetings that are held at a time; where there are more, the table streams past again for each half of the queries.
    const MOST: usize = 1 << 25;
    let batch = Batch::new(queries, k)?;
    // Sorted by the query's fingerprint, then by position in the table.
    let mut meetings: Vec<(u32, u64, u8)> = Vec::new();
    let mut passed = 0;
    table.for_each_piece(|piece| {
        cancel.check()?;
        if meetings.len() <= MOST || queries.len() == 1 {
            let met = batch.meet(piece);
            meetings.extend(met.iter().map(|met| (met.distinct, passed + u64::from(met.position), met.distance)));
            passed += piece.len() as u64;
        }
        Ok::<(), Error>(())
    })?;
    if meetings.len() > MOST && queries.len() > 1 {
        drop((meetings, batch));
        let (some, others) = queries.split_at(queries.len() / 2);
        few_queries(table, some, k, first, cancel, sink)?;
        return few_queries(table, others, k, first + some.len() as u64, cancel, sink);
    }
    rayon::slice::ParallelSliceMut::par_sort_unstable(&mut meetings[..]);
    for row in 0..queries.len() as u32 {
        let distinct = batch.distinct(row);
        let from = meetings.partition_point(|meeting| meeting.0 < distinct);
        for &(_, found, distance) in meetings[from..].iter().take_while(|meeting| meeting.0 == distinct) {
            sink(first + u64::from(row), Hit { row: found, distance })?;
        }
    }
    Ok(())
}
