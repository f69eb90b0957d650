//! An index of fingerprints: built once, kept as plain bytes, asked from where they are.

use std::io::Write;

use rayon::prelude::*;

use super::bucketed::{self, Joiner, Prober};
use super::container::{self, Sections, Writer};
use super::cost::Cost;
use super::design::Design;
use super::engine::check_distance;
use super::{Engine, Error, Hit, compressed, multi_index, scan};

/// An index of 64-bit fingerprints that finds those within k bits of a query, exactly.
///
/// It owns or borrows the bytes it consists of: a vector, a slice, a memory map. Nothing is copied out of them.
#[derive(Debug)]
pub struct FingerprintTable<B = Vec<u8>> {
    bytes: B,
    engine: Engine,
    layout: Sections,
    /// Only for compressed tables.
    compressed: Option<compressed::CodeTables>,
}

impl FingerprintTable {
    /// Builds a table in memory that finds all fingerprints within `k` bits.
    ///
    /// # Errors
    /// `k` is larger than 7, or there are more than 2³² − 1 fingerprints.
    pub fn build(fingerprints: &[u64], k: u8, engine: Engine) -> Result<Self, Error> {
        check_distance(k)?;
        let (engine, design) = engine.resolve(k, fingerprints.len());
        FingerprintTable::build_design(fingerprints, engine, &design)
    }

    /// Writes a table that finds all fingerprints within `k` bits, and hands the destination back. The bytes are the same
    /// on every machine and for every number of threads.
    ///
    /// Memory beside the fingerprints: one of the tables at a time, or for compressed ones two.
    ///
    /// # Errors
    /// `k` is larger than 7, there are more than 2³² − 1 fingerprints, or writing fails.
    pub fn write<W: Write>(fingerprints: &[u64], k: u8, engine: Engine, out: W) -> Result<W, Error> {
        check_distance(k)?;
        let (engine, design) = engine.resolve(k, fingerprints.len());
        write_design(fingerprints, engine, &design, out)
    }

    /// All fingerprints within `k` bits of `query`, with their positions, by the obvious loop: what every table finds, to test
    /// against.
    pub fn brute_force(fingerprints: &[u64], query: u64, k: u8) -> Vec<Hit> {
        scan::brute_force(fingerprints, query, k)
    }

    /// Builds a table in memory by a given design.
    pub(super) fn build_design(fingerprints: &[u64], engine: Engine, design: &Design) -> Result<Self, Error> {
        let expected = match engine {
            Engine::Compressed | Engine::CompressedHuffman => 0,
            Engine::Auto | Engine::Scan => fingerprints.len() * 8,
            _ => usize::try_from(Cost::of(design, fingerprints.len()).bytes).unwrap_or(0),
        };
        let bytes = Vec::with_capacity(expected + (1 << 14));
        let mut bytes = write_design(fingerprints, engine, design, bytes)?;
        bytes.shrink_to_fit();
        FingerprintTable::open_trusting(bytes)
    }
}

/// The bytes of a table that answers every distance, none where comparing with all fingerprints is as fast. It has four
/// parts of 16 bits, in each of which one may differ; for 3 bits none need be changed, and the parts are the classical
/// blocks.
pub fn write_for_all_distances(fingerprints: &[u64]) -> Result<Option<Vec<u8>>, Error> {
    const PARTS: u8 = 4;
    let design = multi_index::equal_parts(Engine::MAX_DISTANCE, PARTS, fingerprints.len());
    let (scan, tables) = (Cost::of_scan(fingerprints.len()), Cost::of(&design, fingerprints.len()));
    if scan.picoseconds <= tables.picoseconds {
        return Ok(None);
    }
    write_design(fingerprints, Engine::MultiIndex, &design, Vec::new()).map(Some)
}

/// Writes a table by a given design.
fn write_design<W: Write>(fingerprints: &[u64], engine: Engine, design: &Design, out: W) -> Result<W, Error> {
    if u32::try_from(fingerprints.len()).is_err() {
        return Err(Error::TooMany { count: fingerprints.len() });
    }
    let mut writer = Writer::new(out, engine.number(), design, fingerprints.len())?;
    match (engine, engine.code()) {
        (_, Some(code)) => compressed::write(fingerprints, design, code, &mut writer)?,
        (Engine::Auto | Engine::Scan, _) => scan::write(fingerprints, &mut writer)?,
        _ => bucketed::write(fingerprints, design, &mut writer)?,
    }
    writer.finish()
}

impl<B: AsRef<[u8]>> FingerprintTable<B> {
    /// Opens the bytes of a table and compares their checksum, which reads all of them once.
    ///
    /// # Errors
    /// The bytes are of another format or version, or damaged.
    pub fn open(bytes: B) -> Result<Self, Error> {
        let table = FingerprintTable::open_trusting(bytes)?;
        container::verify(table.bytes.as_ref())?;
        Ok(table)
    }

    /// Opens the bytes of a table without reading all of them: header, list of sections and lengths are checked. For
    /// bytes whose checksum was compared before. Damage that this does not see can hide fingerprints, but causes
    /// no panic.
    ///
    /// # Errors
    /// The bytes are of another format or version, or header and sections do not fit together.
    pub fn open_trusting(bytes: B) -> Result<Self, Error> {
        let all = bytes.as_ref();
        let layout = container::parse(all)?;
        let engine = Engine::of_number(layout.engine)?;
        let mut compressed = None;
        match (engine, engine.code()) {
            (_, Some(code)) => compressed = Some(compressed::CodeTables::open(&layout, all, code)?),
            (Engine::Auto | Engine::Scan, _) => scan::check(&layout)?,
            _ => bucketed::check(&layout)?,
        }
        Ok(FingerprintTable { bytes, engine, layout, compressed })
    }

    /// The fingerprints within `k` bits of `query`, ascending by row.
    ///
    /// # Errors
    /// `k` is larger than the table was built for.
    pub fn find(&self, query: u64, k: u8) -> Result<Vec<Hit>, Error> {
        self.check(k)?;
        Ok(self.find_checked(query, k))
    }

    /// Asks for many queries by all threads. Calls `found` with the position of each query that has hits, in their order,
    /// and its hits, ascending by row. Equal queries that are near to each other are searched for once.
    ///
    /// # Errors
    /// `k` is larger than the table was built for; and the errors of `found`, which end the search.
    pub fn find_all<E: From<Error>>(
        &self,
        queries: &[u64],
        k: u8,
        mut found: impl FnMut(usize, &[Hit]) -> Result<(), E>,
    ) -> Result<(), E>
    where
        B: Sync,
    {
        /// Hits that are held at a time, about.
        const HITS: usize = 1 << 21;
        /// Queries asked for at a time.
        const MOST: usize = 1 << 14;
        self.check(k)?;
        let (mut first, mut together) = (0, 64);
        while first < queries.len() {
            let asked = &queries[first..queries.len().min(first + together)];
            let mut distinct = asked.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            let hits: Vec<Vec<Hit>> = distinct.par_iter().map(|&query| self.find_checked(query, k)).collect();
            for (position, query) in asked.iter().enumerate() {
                let hits = &hits[distinct.partition_point(|other| other < query)];
                if !hits.is_empty() {
                    found(first + position, hits)?;
                }
            }
            first += asked.len();
            // As many queries as have few enough hits to be held, if the next are like these.
            let held: usize = hits.iter().map(Vec::len).sum();
            together = if held > HITS / 2 { together.div_ceil(4) } else { (together * 2).min(MOST) };
        }
        Ok(())
    }

    fn check(&self, k: u8) -> Result<(), Error> {
        if k > self.distance() {
            return Err(Error::BeyondTable { asked: k, built: self.distance() });
        }
        Ok(())
    }

    /// For a `k` that is within the table's distance.
    fn find_checked(&self, query: u64, k: u8) -> Vec<Hit> {
        if query == 0 {
            return Vec::new();
        }
        let mut hits = self.find_words(query, k);
        // Only such a query is within k bits of 0.
        if query.count_ones() <= u32::from(k) && !hits.is_empty() {
            let zeros = self.zeros();
            hits.retain(|hit| zeros.binary_search(&hit.row).is_err());
        }
        hits
    }

    /// The rows of the fingerprints that are 0, ascending: those of texts without features.
    pub fn zeros(&self) -> Vec<u32> {
        self.find_words(0, 0).into_iter().map(|hit| hit.row).collect()
    }

    /// The words within `k` bits of a word, whatever they are.
    fn find_words(&self, query: u64, k: u8) -> Vec<Hit> {
        let bytes = self.bytes.as_ref();
        if let Some(tables) = &self.compressed {
            return tables.find(&self.layout.design, bytes, query, k);
        }
        if self.engine == Engine::Scan {
            let words = self.layout.sections.first().and_then(|section| bytes.get(section.clone()));
            return scan::words_within(words.unwrap_or_default(), query, k);
        }
        let mut hits = Vec::new();
        Prober::new(&self.layout, bytes, k).find(query, |hit| hits.push(hit));
        hits.sort_unstable();
        hits
    }

    /// Asks for many queries at a time; only for the engines with directories.
    pub(super) fn joiner(&self, k: u8) -> Joiner<'_> {
        Joiner::new(&self.layout, self.bytes.as_ref(), k)
    }

    /// The largest distance in bits that this table answers.
    pub fn distance(&self) -> u8 {
        self.layout.design.k
    }

    /// How many fingerprints the table holds.
    pub fn len(&self) -> usize {
        self.layout.count
    }

    /// Whether the table holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The engine it was built for; never [`Engine::Auto`].
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The tables it consists of, in a line for a report, such as `3 tables: 22 within 1, 21, 21` (bits).
    pub fn describe(&self) -> String {
        self.layout.design.describe()
    }

    /// The bytes it consists of, to be stored.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}
