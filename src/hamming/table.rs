//! An index of fingerprints: built once, kept as plain bytes, asked from where they are.

use std::io::Write;

use super::bucketed::{self, Joiner, Prober};
use super::container::{self, Layout, Writer};
use super::design::Design;
use super::popcount::Kernel;
use super::{Engine, Error, MAX_DISTANCE, compressed, scan};

/// A fingerprint found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Its position among the fingerprints the table was built from, from 0.
    pub row: u32,
    /// How many bits differ from the query's.
    pub distance: u8,
}

/// An index of 64-bit fingerprints that finds those within k bits of a query, exactly.
///
/// It owns or borrows the bytes it consists of: a vector, a slice, a memory map. Nothing is copied out of them.
#[derive(Debug)]
pub struct Table<B = Vec<u8>> {
    bytes: B,
    engine: Engine,
    layout: Layout,
    /// Only for compressed tables.
    compressed: Option<compressed::Tables>,
    kernel: Kernel,
}

impl Table {
    /// Builds a table in memory that finds all fingerprints within `k` bits.
    ///
    /// # Errors
    /// `k` is larger than 7, or there are more than 2³² − 1 fingerprints.
    pub fn build(fingerprints: &[u64], k: u8, engine: Engine) -> Result<Self, Error> {
        check_distance(k)?;
        let (engine, design) = engine.resolve(k, fingerprints.len());
        Table::build_design(fingerprints, engine, &design)
    }

    /// Builds a table in memory with tables of the caller's choice.
    ///
    /// # Errors
    /// There are more than 2³² − 1 fingerprints.
    pub fn build_design(fingerprints: &[u64], engine: Engine, design: &Design) -> Result<Self, Error> {
        let size = super::Cost::of(design, fingerprints.len()).bytes;
        let expected = match engine {
            Engine::Compressed(_) => 0,
            Engine::Auto | Engine::Scan => fingerprints.len() * 8,
            _ => usize::try_from(size).unwrap_or(0),
        };
        let bytes = Vec::with_capacity(expected + (1 << 14));
        let mut bytes = write_design(fingerprints, engine, design, bytes)?;
        bytes.shrink_to_fit();
        Table::open_trusting(bytes)
    }
}

/// Writes a table that finds all fingerprints within `k` bits, and hands the destination back. The bytes are the same
/// on every machine and for every number of threads.
///
/// Memory beside the fingerprints: one of the tables at a time, or for compressed ones two.
///
/// # Errors
/// `k` is larger than 7, there are more than 2³² − 1 fingerprints, or writing fails.
pub fn write_table<W: Write>(fingerprints: &[u64], k: u8, engine: Engine, out: W) -> Result<W, Error> {
    check_distance(k)?;
    let (engine, design) = engine.resolve(k, fingerprints.len());
    write_design(fingerprints, engine, &design, out)
}

/// Writes tables of the caller's choice, as [`write_table`] does.
///
/// # Errors
/// There are more than 2³² − 1 fingerprints, or writing fails.
pub fn write_design<W: Write>(fingerprints: &[u64], engine: Engine, design: &Design, out: W) -> Result<W, Error> {
    if u32::try_from(fingerprints.len()).is_err() {
        return Err(Error::TooMany { count: fingerprints.len() });
    }
    let scan_design;
    let (engine, design) = match engine {
        Engine::Auto | Engine::Scan => {
            scan_design = scan::design(design.k);
            (Engine::Scan, &scan_design)
        }
        _ => (engine, design),
    };
    let mut writer = Writer::new(out, engine.number(), design, fingerprints.len())?;
    match engine {
        Engine::Auto | Engine::Scan => scan::write(fingerprints, &mut writer)?,
        Engine::Blocks | Engine::MultiIndex | Engine::Permuted => {
            bucketed::write(fingerprints, design, &mut writer)?;
        }
        Engine::Compressed(code) => compressed::write(fingerprints, design, code, &mut writer)?,
    }
    writer.finish()
}

impl<B: AsRef<[u8]>> Table<B> {
    /// Opens the bytes of a table and compares their checksum, which reads all of them once.
    ///
    /// # Errors
    /// The bytes are of another format or version, or damaged.
    pub fn open(bytes: B) -> Result<Self, Error> {
        let table = Table::open_trusting(bytes)?;
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
        match engine {
            Engine::Auto | Engine::Scan => scan::check(&layout)?,
            Engine::Blocks | Engine::MultiIndex | Engine::Permuted => bucketed::check(&layout)?,
            Engine::Compressed(code) => compressed = Some(compressed::Tables::open(&layout, all, code)?),
        }
        Ok(Table { bytes, engine, layout, compressed, kernel: Kernel::best() })
    }

    /// Counts bits with the given loops instead of the fastest ones. Changes no result.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// The fingerprints within `k` bits of `query`, ascending by row.
    ///
    /// # Errors
    /// `k` is larger than the table was built for.
    pub fn find(&self, query: u64, k: u8) -> Result<Vec<Hit>, Error> {
        if k > self.distance() {
            return Err(Error::BeyondTable { asked: k, built: self.distance() });
        }
        let bytes = self.bytes.as_ref();
        if let Some(tables) = &self.compressed {
            return Ok(tables.find(&self.layout.design, bytes, query, k));
        }
        if self.engine == Engine::Scan {
            let words = self.layout.sections.first().and_then(|section| bytes.get(section.clone()));
            return Ok(scan::find(words.unwrap_or_default(), query, k, self.kernel));
        }
        let mut hits = Vec::new();
        Prober::new(&self.layout, bytes, self.kernel, k).find(query, |hit| hits.push(hit));
        hits.sort_unstable();
        Ok(hits)
    }

    /// Asks for many queries at a time; only for the engines with directories.
    pub(super) fn joiner(&self, k: u8) -> Joiner<'_> {
        Joiner::new(&self.layout, self.bytes.as_ref(), self.kernel, k)
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

    /// The tables it consists of.
    pub fn design(&self) -> &Design {
        &self.layout.design
    }

    /// The bytes it consists of, to be stored.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// # Errors
/// `k` is larger than any engine is made for.
pub(super) fn check_distance(k: u8) -> Result<(), Error> {
    if k > MAX_DISTANCE { Err(Error::DistanceOutOfRange { k }) } else { Ok(()) }
}
