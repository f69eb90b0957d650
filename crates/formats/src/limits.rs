//! Limits against hostile input.

use crate::json_fields::JsonFields;
use copytrace_job::Cancel;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How much of one input is read. What goes beyond is an error that names the limit, never a silent cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadLimits {
    /// Bytes of one document, be it a file or an entry of an archive.
    pub file_bytes: u64,
    /// Bytes of the text of a file or an entry, in UTF-8. Memory for what is known of a text is up to 35 times its size.
    pub text_bytes: u64,
    /// Bytes of one JSON line.
    pub line_bytes: u64,
    /// Bytes that one compressed file or archive may expand to in all.
    pub archive_bytes: u64,
    /// How many times its own size a compressed file, archive or entry may expand to.
    pub archive_ratio: u64,
    /// Bytes of expansion that need no justification by the ratio: short texts compress well.
    pub archive_unchecked_bytes: u64,
    /// Entries of one archive.
    pub archive_entries: usize,
    /// Elements, groups or brackets inside each other.
    pub nesting: usize,
    /// Files that one LaTeX document may be made of.
    pub included_files: usize,
    /// How much processor time a program that reads one document may take; by the clock it may take twenty times as long, because
    /// others want the processor too. Where the system does not tell processor time (it does on Linux), the clock alone counts.
    pub program_time: Duration,
    /// Bytes of memory that such a program may take (kept on Linux).
    pub program_memory: u64,
    /// Whether PDF files are read in this process, because it protects others from itself already.
    pub in_this_process: bool,
    /// Pages of one PDF file that are read by OCR because they have no text layer; 0 if none are.
    pub ocr_pages: usize,
    /// How much processor time OCR of one document may take.
    pub ocr_time: Duration,
    /// Which fields of a JSON line are read.
    pub json_fields: JsonFields,
    /// Ends reading, the programs that read included, before any other limit is reached.
    pub cancel: Cancel,
    /// Counts what is read.
    pub bytes_read: BytesRead,
}

impl Default for ReadLimits {
    /// 256 MiB for a document and 24 MiB for its text, 64 MiB for a line; 64 GiB and 200 times for an archive, of one million entries;
    /// 256 levels; 1,000 included files; 25 seconds and 900 MiB for a program; no OCR, which else has two hours.
    fn default() -> Self {
        ReadLimits {
            file_bytes: 256 << 20,
            text_bytes: 24 << 20,
            line_bytes: 64 << 20,
            archive_bytes: 64 << 30,
            archive_ratio: 200,
            archive_unchecked_bytes: 16 << 20,
            archive_entries: 1_000_000,
            nesting: 256,
            included_files: 1000,
            program_time: Duration::from_secs(25),
            program_memory: 900 << 20,
            in_this_process: false,
            ocr_pages: 0,
            ocr_time: Duration::from_secs(2 * 60 * 60),
            json_fields: JsonFields::default(),
            cancel: Cancel::default(),
            bytes_read: BytesRead::default(),
        }
    }
}

impl ReadLimits {
    /// These limits, with OCR for up to 500 pages of a document.
    pub fn with_ocr(self) -> Self {
        ReadLimits { ocr_pages: 500, ..self }
    }

    /// Bytes that `compressed` bytes may expand to. Sizes that an archive declares are never trusted for it.
    pub(super) fn expansion(&self, compressed: u64) -> u64 {
        compressed.saturating_mul(self.archive_ratio).max(self.archive_unchecked_bytes).min(self.archive_bytes)
    }
}

/// How many bytes of the files given were read so far, as they lie on disk: of a compressed file its own bytes. Clones count
/// together.
#[derive(Debug, Clone, Default)]
pub struct BytesRead(Arc<AtomicU64>);

impl BytesRead {
    /// How many.
    pub fn so_far(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl PartialEq for BytesRead {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for BytesRead {}
