//! Reading documents by all threads, a bounded batch at a time, in the order of the inputs.

use super::{Inputs, RawDocument, ReadError};
use copytrace_job::{Cancelled, Job};
use copytrace_text::Document;
use rayon::prelude::*;

/// The documents and the bytes of documents at which a batch ends, whichever it reaches first.
const BATCH_DOCUMENTS: usize = 1024;
const BATCH_BYTES: u64 = 32 << 20;

/// Reads inputs batch by batch.
pub struct Batches {
    inputs: Inputs,
    job: Job,
}

impl Batches {
    /// Prepares to read; `job` can end it, in the middle of a document too.
    pub fn new(mut inputs: Inputs, job: &Job) -> Self {
        inputs.limits.cancel = job.cancel.clone();
        Batches { inputs, job: job.clone() }
    }

    /// The next documents, or why they cannot be read; `None` when there are no more.
    ///
    /// # Errors
    /// When the job was cancelled.
    pub fn next_batch(&mut self) -> Result<Option<Vec<Result<Document, ReadError>>>, Cancelled> {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < BATCH_DOCUMENTS && bytes < BATCH_BYTES {
            self.job.check()?;
            let Some(input) = self.inputs.next() else { break };
            bytes += input.as_ref().map_or(0, RawDocument::approximate_bytes);
            batch.push(input);
        }
        let limits = &self.inputs.limits;
        let batch: Vec<_> = batch.into_par_iter().map(|input| input.and_then(|raw| raw.extract(limits))).collect();
        self.job.check()?;
        Ok((!batch.is_empty()).then_some(batch))
    }

    /// How many files and archive entries were left out so far ([`Inputs::skipped`]).
    pub fn skipped(&self) -> u64 {
        self.inputs.skipped()
    }

    /// The ids of those that were left out because nothing is known of their kind, once all has been read
    /// ([`Inputs::unknown`]).
    pub fn unknown(&self) -> &[String] {
        self.inputs.unknown()
    }

    /// The ids of those that were left out because of how their names begin ([`Inputs::hidden`]).
    pub fn hidden(&self) -> &[String] {
        self.inputs.hidden()
    }

    /// How many LaTeX files were left out so far, because another one includes them ([`Inputs::included`]).
    pub fn included(&self) -> u64 {
        self.inputs.included()
    }
}
