//! What the server and its workers say to each other: one JSON object a line, over pipes. Paths are below the data folder,
//! which is the workers' current one.

use super::Harvested;
use super::why::Why;
use crate::rounds::Counts;
use copytrace::check::Unread;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a worker is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// Checks a file and writes the report as the program does: `copytrace check FILE --index FOLDERS --format json`.
    Check {
        /// The file.
        file: PathBuf,
        /// The indexes, in the order in which they are searched.
        folders: Vec<PathBuf>,
        /// Files whose text does not count.
        templates: Vec<PathBuf>,
        /// Ids that are not compared: the student's other versions.
        exclude: Vec<String>,
        /// Ids of the student's earlier works.
        own_work: Vec<String>,
        /// What counts.
        #[serde(default)]
        counts: Counts,
        /// Where the report goes.
        output: PathBuf,
    },
    /// Puts a file into an index.
    Enter {
        /// The file.
        file: PathBuf,
        /// The index.
        folder: PathBuf,
        /// The id it gets.
        id: String,
        /// Ids that it takes the place of.
        replaces: Vec<String>,
    },
    /// Takes documents out of an index, down to the last byte.
    Remove {
        /// The index.
        folder: PathBuf,
        /// Their ids.
        ids: Vec<String>,
    },
    /// Puts all documents of a folder into an index.
    Fill {
        /// The index.
        folder: PathBuf,
        /// Where they are; may lie outside the data folder.
        from: PathBuf,
        /// Documents that could not even be unpacked.
        unread: Vec<Unread>,
    },
    /// Harvests a source into an index, for a while.
    Harvest {
        /// The index.
        folder: PathBuf,
        /// The source.
        harvest: Harvested,
    },
}

/// What a worker tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum News {
    /// The worker waits for orders.
    Ready,
    /// Per cent that are done.
    Progress(u8),
    /// It is done, and what it came to.
    Done(Outcome),
    /// It cannot be done.
    Failed {
        /// Why, as a word.
        code: String,
        /// Why, for people.
        why: Why,
    },
    /// It cannot be done now: another process is changing the index.
    Later,
}

/// What an order came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A report was written.
    Report(ReportColumns),
    /// An index was changed.
    Changed(Changed),
}

/// How an index was changed. The job's row keeps this as its message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// Documents that were added.
    pub added: usize,
    /// Documents that could not be, each with the reason; the first hundred.
    pub missing: Vec<Unread>,
    /// There is more to do, in another turn.
    #[serde(default)]
    pub more: bool,
}

/// What of a report the database holds in columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportColumns {
    /// Its number.
    pub number: String,
    /// The copy ratio.
    pub copy_ratio: f64,
    /// The share of what a reader sees that was compared as language, 0 to 1.
    pub compared_share: f64,
    /// Its passages.
    pub passages: usize,
    /// Its signs of manipulation.
    pub flags: usize,
    /// The characters that count.
    pub characters: u64,
    /// For each source the folder that it was found in.
    pub origins: Vec<String>,
    /// Sources that are submissions, with their matched characters and ratios.
    pub meetings: Vec<(String, u64, f64)>,
}
