//! The second look: what a submission says in other words, or in another language, than a source.

use super::error::CheckError;
use super::findings::Findings;
use super::library::Library;
use super::resemblance::{Found, Resemblance};
use crate::index::{Derived, Index, IndexError, IndexWriter};
use crate::job::{Job, Stage};
use crate::text::units::Units;
use copytrace_semantic::{Gist, Gists, Model};
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Sentences whose vectors are kept, 2 kB each: of those of other documents the ones that are looked at are computed again.
const MOST_VECTORS: usize = 50_000;

/// Documents whose gists are computed before they are kept.
const BATCH: usize = 64;

/// A model, and what it makes of the documents of a library.
pub struct Meanings {
    model: Arc<Model>,
    gists: Gists,
    /// Which documents they are of.
    documents: Vec<u32>,
}

impl Meanings {
    /// What a model makes of the documents of a library. That is slow (some seconds for a megabyte of text) but for what is kept beside
    /// an index ([`Meanings::keep`]): each document is a step of [`Stage::Reading`]. Documents whose text the library does not keep are
    /// left out.
    ///
    /// # Errors
    /// When the job was cancelled, or the index is damaged.
    pub fn of(library: &Library, model: Arc<Model>, job: &Job) -> Result<Self, CheckError> {
        let index = library.index();
        let key = model.key();
        let kept: Vec<Derived> = index.folders().map(|folder| Derived::open(folder, &key)).collect::<Result<_, _>>()?;
        let documents: Vec<u32> = index.documents().collect();
        let vectors = AtomicUsize::new(0);
        let gist = |document: u32| -> Result<Option<(u32, Gist)>, CheckError> {
            job.check()?;
            let found = gist_of(index, document, &kept, &model, job)?;
            job.advance(Stage::Reading, 1);
            let fits =
                |gist: &Gist| vectors.fetch_add(gist.vectors(), Ordering::Relaxed) + gist.vectors() <= MOST_VECTORS;
            Ok(found.map(|gist| (document, if fits(&gist) { gist } else { gist.without_vectors() })))
        };
        let gists: Vec<_> = documents.into_par_iter().map(gist).collect::<Result<_, CheckError>>()?;
        let (documents, gists) = gists.into_iter().flatten().unzip();
        Ok(Meanings { model, documents, gists: Gists::new(gists) })
    }

    /// Computes what a model makes of the documents of an index, and keeps it beside the index, for [`Meanings::of`]. What is kept
    /// already stays; what was computed before an interruption is kept. Each document is a step of [`Stage::Reading`]. Gives of how many
    /// documents it is kept now.
    ///
    /// # Errors
    /// When the job was cancelled, the index is damaged, or something cannot be written.
    pub fn keep(writer: &IndexWriter, folder: &Path, model: &Model, job: &Job) -> Result<usize, CheckError> {
        let index = Index::open(&[folder.to_owned()])?;
        let Some(mut keeper) = writer.keeper(&model.key())? else { return Ok(0) };
        let mut missing = Vec::new();
        for document in index.documents() {
            let content = index.record(document)?.content().to_vec();
            match keeper.known().get(&content)? {
                Some(_) => job.advance(Stage::Reading, 1),
                None => missing.push((document, content)),
            }
        }
        let mut kept = index.len() - missing.len();
        for batch in missing.chunks(BATCH) {
            let bytes_of = |(document, _): &(u32, Vec<u8>)| {
                job.check()?;
                let gist = gist_of(&index, *document, &[], model, job)?;
                job.advance(Stage::Reading, 1);
                Ok(gist.map(|gist| gist.to_bytes()))
            };
            let gists: Vec<_> = batch.par_iter().map(bytes_of).collect::<Result<_, CheckError>>()?;
            for ((_, content), gist) in batch.iter().zip(gists) {
                if let Some(gist) = gist {
                    keeper.keep(content, gist)?;
                    kept += 1;
                }
            }
        }
        keeper.finish()?;
        Ok(kept)
    }

    /// How many documents can be compared.
    pub fn documents(&self) -> usize {
        self.documents.len()
    }

    /// How many documents are in languages that the model does not know, and so are not compared.
    pub fn unknown(&self) -> usize {
        self.gists.all().iter().filter(|gist| !self.model.knows(gist.language())).count()
    }

    /// What a submission says that documents say; only of those that `admits` lets through.
    pub(super) fn look(
        &self,
        findings: &Findings,
        index: &Index,
        admits: impl Fn(u32) -> Result<bool, IndexError>,
        job: &Job,
    ) -> Result<Found, CheckError> {
        let mut admitted = Vec::new();
        for (place, &document) in self.documents.iter().enumerate() {
            if admits(document)? {
                admitted.push(place);
            }
        }
        let text = findings.submission.visible();
        let text_of = |place: usize| -> Result<_, CheckError> { Ok(read(index, self.documents[place])?) };
        let looked = self.model.look((&text, findings.units()), &self.gists, &admitted, text_of, job)?;
        let mut passages = Vec::new();
        for found in looked.passages {
            let record = index.record(self.documents[found.document])?;
            passages.push(Resemblance {
                source: record.id,
                title: record.metadata.title,
                kind: found.manner,
                submission: found.submission,
                source_span: found.source,
                evidence: f64::from(found.evidence),
                source_text: found.source_text,
                links: found.links,
                words: found.words,
            });
        }
        Ok(Found { model: self.model.name().to_owned(), unknown_languages: looked.unknown, passages })
    }
}

/// The gist of a document: one that is kept, or else computed; none without a text.
fn gist_of(
    index: &Index,
    document: u32,
    kept: &[Derived],
    model: &Model,
    job: &Job,
) -> Result<Option<Gist>, CheckError> {
    if kept.iter().any(|derived| !derived.is_empty()) {
        let content = index.record(document)?;
        for derived in kept {
            if let Some(gist) = derived.get(content.content())?.and_then(Gist::from_bytes) {
                return Ok(Some(gist));
            }
        }
    }
    let read = read(index, document)?;
    Ok(read.map(|(text, units)| model.gist(&text, &units, job)).transpose()?)
}

/// A document's text and its units, if it is kept.
fn read(index: &Index, document: u32) -> Result<Option<(String, Units)>, IndexError> {
    let text = index.text(document)?;
    text.map(|text| Ok((text, index.text_units(document)?))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Checker, LibraryBuilder, Rules};
    use crate::settings::Settings;
    use crate::text::Document;

    fn demo(file: &str) -> Document {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpora/demo/").to_owned() + file;
        Document { id: file.to_owned(), text: std::fs::read_to_string(path).unwrap(), ..Document::default() }
    }

    #[test]
    fn what_was_found_in_other_words_is_told_of_a_text_whose_words_were_restored() {
        let (settings, job) = (Settings::default(), Job::default());
        let mut library = LibraryBuilder::new(&settings.sketch).unwrap();
        let source = demo("submissions/en-01-estuary-crossing.txt");
        library.add(vec![source.clone()], &job).unwrap();
        let backwards = |word: &str| word.chars().rev().collect::<String>();
        let text = source.text.split(' ').map(backwards).collect::<Vec<_>>().join(" ");
        let spoilt = Document { id: "spoilt".to_owned(), text, ..Document::default() };
        let checker = Checker::new(library.finish().unwrap().into(), settings, Rules::default());
        let mut findings = checker.check(spoilt, &job).unwrap();
        assert!(findings.restored.is_some() && findings.report().ratios.all.matched > 0);
        findings.resemblances =
            Some(Found { model: "a model".to_owned(), unknown_languages: Vec::new(), passages: Vec::new() });
        assert_eq!(findings.report().resemblances.unwrap().model, "a model");
    }
}
