//! An index as a place to which harvested documents go.

use copytrace::check::{Addition, Unread};
use copytrace::index::{IndexError, IndexWriter, MergePolicy};
use copytrace::job::Job;
use copytrace::sketch::analysers::Analysers;
use copytrace::text::Document;
use copytrace_harvest::{Kept, Sink};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Where an index keeps what was harvested into it.
pub fn state_folder(index: &Path) -> PathBuf {
    index.join("harvest")
}

/// An index that takes documents.
pub struct IndexSink<'a> {
    writer: IndexWriter,
    analysers: Analysers,
    /// Called whenever something was done.
    alive: &'a mut dyn FnMut(),
}

impl<'a> IndexSink<'a> {
    /// An index that is changed.
    pub fn new(writer: IndexWriter, alive: &'a mut dyn FnMut()) -> Self {
        IndexSink { analysers: Analysers::new(writer.settings()), writer, alive }
    }

    /// Merges what is small, and gives how many documents there are.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn finish(mut self) -> Result<u64, IndexError> {
        self.writer.merge_segments(&MergePolicy::default())?;
        self.writer.documents()
    }
}

impl Sink for IndexSink<'_> {
    fn put(&mut self, documents: Vec<Document>, job: &Job) -> Result<Vec<Kept>, Box<dyn Error + Send + Sync>> {
        let batch = documents.into_iter().map(Ok::<_, Unread>).collect();
        // Documents are counted as records of their source.
        let quiet = Job::default().with_cancel(job.cancel.clone());
        let added = self.writer.add_all(&self.analysers, batch, crate::store::now(), &quiet)?;
        (self.alive)();
        let kept = added.into_iter().map(|addition| match addition {
            Addition::New(_) => Kept::New,
            Addition::Replaced(_) => Kept::Replaced,
            Addition::Unchanged(_) => Kept::Unchanged,
            Addition::Unread(unread) => Kept::Refused(unread.message()),
        });
        Ok(kept.collect())
    }

    fn remove(&mut self, id: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.writer.remove(id)?;
        Ok(())
    }

    fn commit(&mut self) -> Result<u64, Box<dyn Error + Send + Sync>> {
        self.writer.commit()?;
        (self.alive)();
        Ok(0)
    }
}
