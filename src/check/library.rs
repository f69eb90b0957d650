//! What submissions are checked against.

use super::about::Reference;
use super::error::{CheckError, Reason, Unread};
use super::rounds::in_rounds;
use crate::formats::input::{Batches, Inputs};
use crate::index::{Added, Index, IndexError, IndexWriter, Record};
use crate::job::{Cancelled, Job, Stage};
use crate::search::filter::Filter;
use crate::settings::SketchSettings;
use crate::sketch::analysers::Analysers;
use crate::sketch::analysis::Analysis;
use crate::text::{Document, Metadata};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What submissions are checked against: an index, or documents that were read for the purpose.
pub struct Library {
    pub(super) index: Index,
    pub(super) analysers: Analysers,
    pub(super) reference: Reference,
    /// Ids of documents whose author is known from their file alone, which its writer can set at will.
    claimed_authors: BTreeSet<String>,
}

/// How many documents of a library a filter lets through, whoever the submission's author is.
// For the command line alone, which tells what a filter leaves out.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Admitted {
    /// All that it lets through.
    pub documents: usize,
    /// Those that it leaves out because nobody knows of what time they are.
    pub undated: usize,
}

impl Library {
    /// Opens the folders of an index, which are searched as if they were one. Of documents with one id in several of them the
    /// first folder's counts.
    ///
    /// # Errors
    /// When a folder holds no index, one of another form, or a damaged one, or the folders were made with different settings.
    pub fn open(folders: &[PathBuf]) -> Result<Self, IndexError> {
        let index = Index::open(folders)?;
        let day = |seconds| jiff::Timestamp::from_second(seconds).ok().map(|at| at.strftime("%Y-%m-%d").to_string());
        let updated = index.latest_added()?.and_then(day);
        let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        Ok(Library::of(index, Reference { name: names.join(", "), documents: 0, updated }))
    }

    fn of(index: Index, reference: Reference) -> Self {
        let analysers = Analysers::new(index.settings());
        let reference = Reference { documents: index.len(), ..reference };
        Library { index, analysers, reference, claimed_authors: BTreeSet::new() }
    }

    /// The same under another name, by which reports call it.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.reference.name = name.into();
        self
    }

    /// The documents of both, searched as if they were one library. Of documents with one id this one's counts.
    ///
    /// # Errors
    /// When their settings differ.
    pub fn with(self, other: Library) -> Result<Self, IndexError> {
        let Library { index, analysers, reference, mut claimed_authors } = self;
        claimed_authors.extend(other.claimed_authors);
        let name = [reference.name, other.reference.name].join(", ");
        let index = index.with(other.index)?;
        let reference =
            Reference { name, documents: index.len(), updated: reference.updated.max(other.reference.updated) };
        Ok(Library { index, analysers, reference, claimed_authors })
    }

    /// What is known of a document, without an author whom only its file names.
    pub(super) fn vouched<'a>(&self, record: &'a Record) -> Cow<'a, Metadata> {
        match self.claimed_authors.contains(&record.id) {
            true => Cow::Owned(Metadata { author: None, ..record.metadata.clone() }),
            false => Cow::Borrowed(&record.metadata),
        }
    }

    /// How many documents a filter lets through.
    ///
    /// # Errors
    /// When the index is damaged.
    #[doc(hidden)]
    pub fn admitted(&self, filter: &Filter) -> Result<Admitted, IndexError> {
        let mut admitted = Admitted::default();
        if filter.is_empty() {
            // To read the records of a hundred thousand takes 15 ms.
            return Ok(Admitted { documents: self.index.len(), ..admitted });
        }
        for document in self.index.documents() {
            let record = self.index.record(document)?;
            let time = record.time();
            admitted.documents += usize::from(filter.admits(&record, &Metadata::default()));
            admitted.undated += usize::from(filter.asks_for_time() && time.is_none());
        }
        Ok(admitted)
    }

    /// Of these ids, those that no document has, in their order.
    ///
    /// # Errors
    /// When the index is damaged.
    pub fn missing_ids<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Result<BTreeSet<&'a str>, IndexError> {
        let mut missing: BTreeSet<&str> = ids.collect();
        if !missing.is_empty() {
            for document in self.index.documents() {
                missing.remove(self.index.record(document)?.id.as_str());
            }
        }
        Ok(missing)
    }

    /// How its texts were made numbers, which a search must do alike.
    pub fn settings(&self) -> &SketchSettings {
        self.index.settings()
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// What reports say of it.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The index behind it.
    pub fn index(&self) -> &Index {
        &self.index
    }
}

/// A library that is filled, in memory.
pub struct LibraryBuilder {
    writer: IndexWriter,
    analysers: Analysers,
    claimed_authors: BTreeSet<String>,
}

impl LibraryBuilder {
    /// An empty library.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(settings: &SketchSettings) -> Result<Self, IndexError> {
        let (writer, analysers) = (IndexWriter::in_memory(settings)?, Analysers::new(settings));
        Ok(LibraryBuilder { writer, analysers, claimed_authors: BTreeSet::new() })
    }

    /// Adds documents, analysed by all threads. Gives those that could not be added: of two with one id the first counts.
    ///
    /// # Errors
    /// When the job was cancelled, or there is no memory.
    pub fn add(&mut self, documents: Vec<Document>, job: &Job) -> Result<Vec<Unread>, CheckError> {
        let mut missing = Vec::new();
        self.add_read(documents.into_iter().map(Ok).collect(), job, |unread| missing.push(unread))?;
        Ok(missing)
    }

    /// Reads and adds all documents of the inputs; `missing` is told of each that could not be.
    ///
    /// # Errors
    /// When the job was cancelled, or there is no memory.
    pub fn read(&mut self, inputs: Inputs, job: &Job, mut missing: impl FnMut(Unread)) -> Result<(), CheckError> {
        let mut batches = Batches::new(inputs, job);
        while let Some(batch) = batches.next_batch()? {
            self.add_read(batch.into_iter().map(|read| read.map_err(Unread::from)).collect(), job, &mut missing)?;
        }
        Ok(())
    }

    /// Adds documents as they were read, or tells `missing` of those that could not be.
    ///
    /// # Errors
    /// When the job was cancelled, or there is no memory.
    pub fn add_read(
        &mut self,
        batch: Vec<Result<Document, Unread>>,
        job: &Job,
        mut missing: impl FnMut(Unread),
    ) -> Result<(), CheckError> {
        for round in in_rounds(batch) {
            for analysed in analyse_for_index(&self.analysers, round, job)? {
                job.advance(Stage::Reading, 1);
                let (document, analysis) = match analysed {
                    Ok(prepared) => prepared,
                    Err(unread) => {
                        missing(unread);
                        continue;
                    }
                };
                if let Err(error) = self.writer.add(&document, Vec::new(), 0, &analysis) {
                    missing(error.try_into()?);
                } else if document.metadata.author.is_some() && document.vouched_author != document.metadata.author {
                    self.claimed_authors.insert(document.id);
                }
            }
        }
        Ok(())
    }

    /// The library, to be searched.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn finish(self) -> Result<Library, IndexError> {
        let reference = Reference { name: "corpus".to_owned(), ..Reference::default() };
        let LibraryBuilder { writer, analysers, claimed_authors } = self;
        Ok(Library { analysers, claimed_authors, ..Library::of(writer.into_index()?, reference) })
    }
}

/// What an index refuses, as a document that is missing; any other error stays one.
impl TryFrom<IndexError> for Unread {
    type Error = IndexError;

    fn try_from(error: IndexError) -> Result<Self, IndexError> {
        match error {
            IndexError::DuplicateId { id } => Ok(Unread::new(&id, Reason::RepeatedDocument)),
            IndexError::BadId { id, why } => Ok(Unread::new(&id, Reason::BadId { why })),
            error => Err(error),
        }
    }
}

impl IndexWriter {
    /// Adds documents that were read, and tells in order what became of each. Nothing is real before
    /// [`IndexWriter::commit`]. A document that stands in the index already is not analysed again; of two with one id the first counts.
    ///
    /// # Errors
    /// When the job was cancelled, or the index is damaged or cannot be written.
    pub fn add_all(
        &mut self,
        analysers: &Analysers,
        batch: Vec<Result<Document, Unread>>,
        added: i64,
        job: &Job,
    ) -> Result<Vec<Addition>, CheckError> {
        let mut additions = Vec::with_capacity(batch.len());
        let (mut changed, mut places) = (Vec::new(), Vec::new());
        for read in batch {
            additions.push(match read {
                Err(unread) => Addition::Unread(unread),
                Ok(document) => match self.claim(&document.id) {
                    Err(error) => Addition::Unread(error.try_into()?),
                    Ok(()) if self.is_unchanged(&document.id, &Self::content_hash(&document))? => {
                        Addition::Unchanged(document.id)
                    }
                    Ok(()) => {
                        places.push(additions.len());
                        let addition = Addition::New(document.id.clone());
                        changed.push(Ok(document));
                        addition
                    }
                },
            });
        }
        let mut places = places.into_iter();
        for round in in_rounds(changed) {
            for (analysed, place) in analyse_for_index(analysers, round, job)?.into_iter().zip(&mut places) {
                additions[place] = match analysed {
                    Err(unread) => Addition::Unread(unread),
                    Ok((document, analysis)) => {
                        match self.add_claimed(&document, Self::content_hash(&document), added, &analysis)? {
                            Added::New => Addition::New(document.id),
                            Added::Replaced => Addition::Replaced(document.id),
                        }
                    }
                };
            }
        }
        Ok(additions)
    }
}

/// What became of a document that was to be added to an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// It is new; its id.
    New(String),
    /// It took the place of the one with its id.
    Replaced(String),
    /// The same stands there already.
    Unchanged(String),
    /// It cannot be read or compared, or another one with its id came before.
    Unread(Unread),
}

/// A document with its analysis, or why there is none.
type Prepared = Result<(Document, Analysis), Unread>;

/// Analyses documents for an index by all threads, in order. Their fingerprints are made too: by the thread that analysed a
/// document, because the one that writes an index has enough to do.
///
/// # Errors
/// When the job was cancelled.
fn analyse_for_index(
    analysers: &Analysers,
    batch: Vec<Result<Document, Unread>>,
    job: &Job,
) -> Result<Vec<Prepared>, Cancelled> {
    let analyse = |read: Result<Document, Unread>| {
        job.check()?;
        let document = match read {
            Ok(document) => document,
            Err(unread) => return Ok(Err(unread)),
        };
        Ok(match analysers.analyse(&document, &job.cancel) {
            Ok(analysis) => {
                let fingerprint = analysis.fingerprint();
                Ok((document, analysis.with_fingerprint(fingerprint)))
            }
            Err(error) => Err(Unread::new(&document.id, error.too_short()?)),
        })
    };
    batch.into_par_iter().map(analyse).collect()
}
