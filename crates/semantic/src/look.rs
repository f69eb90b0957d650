//! A submission's sentences against those of a library.

use crate::align::{Aligned, RETOLD, Side, TRANSLATED, align};
use crate::encoder::WIDTH;
use crate::model::Model;
use crate::scan::{Candidate, Distances};
use crate::sentences::{Code, Cut, Mean, centred, mean};
use copytrace_job::{Cancelled, Job};
use copytrace_text::prose::language_of;
use copytrace_text::units::Units;
use rayon::prelude::*;
use std::ops::Range;

/// Sentences of a document around a place that are compared at first; where a passage reaches the border, twice as many.
const AROUND: usize = 24;

/// Documents of no more sentences are compared as a whole.
const SHORT: usize = 160;

/// What a library keeps of a document to find what says the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Gist {
    /// What all its sentences have in common.
    pub(crate) mean: Box<Mean>,
    /// The codes of its sentences.
    pub(crate) codes: Vec<Code>,
    /// Its language (ISO 639-1); empty if it is too short to tell.
    pub(crate) language: String,
    /// The vectors of its sentences, which are computed from its text where they are not kept.
    vectors: Option<Vec<[f32; WIDTH]>>,
}

impl Gist {
    /// How many sentences the document has.
    pub fn sentences(&self) -> usize {
        self.codes.len()
    }

    /// The same without the vectors of its sentences, which are 32 times as large as their codes: a look at it then takes longer.
    pub fn without_vectors(self) -> Self {
        Gist { vectors: None, ..self }
    }
}

/// What is compared, beside gists: texts are asked for when a document may hold a passage.
pub trait Shelf: Sync {
    /// What goes wrong when a text is asked for.
    type Error: From<Cancelled> + Send;

    /// The gists of all documents.
    fn gists(&self) -> Vec<&Gist>;

    /// The text of one of them as a reader sees it, and its units; `None` if it is not kept.
    fn text(&self, document: usize) -> Result<Option<(String, Units)>, Self::Error>;
}

/// How a passage says what another says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// In another language.
    Translated,
    /// In other words.
    Retold,
}

/// A passage that says what a passage of a document says.
#[derive(Debug, Clone, PartialEq)]
pub struct Resemblance {
    /// Which of the gists.
    pub document: usize,
    /// How it says so.
    pub manner: Manner,
    /// Its characters in the submission.
    pub submission: Range<u32>,
    /// Its characters in the document.
    pub source: Range<u32>,
    /// How much more alike they are than texts of one subject, in no unit; the least is [`Manner`]'s own.
    pub evidence: f32,
    /// Which sentences, in characters, say which.
    pub links: Vec<(Range<u32>, Range<u32>)>,
}

/// A text with the meanings of its sentences.
struct Read {
    cut: Cut,
    gist: Gist,
    vectors: Vec<[f32; WIDTH]>,
}

impl Model {
    fn read(&self, text: &str, units: &Units, job: &Job) -> Result<Read, Cancelled> {
        let cut = Cut::of(units);
        let vectors = self.encode(text, &cut.spans, job)?;
        let mean = mean(&vectors);
        let vectors = centred(&vectors, &mean);
        let language = language_of(text).unwrap_or_default().to_owned();
        let gist = Gist { mean: Box::new(mean), codes: self.codes_of(&vectors), language, vectors: None };
        Ok(Read { gist, cut, vectors })
    }

    /// The gist of a text as a reader sees it, with its units.
    ///
    /// # Errors
    /// When the job was cancelled.
    pub fn gist(&self, text: &str, units: &Units, job: &Job) -> Result<Gist, Cancelled> {
        let Read { gist, vectors, .. } = self.read(text, units, job)?;
        Ok(Gist { vectors: Some(vectors), ..gist })
    }

    /// The passages of a submission that say what documents say, in the order of the documents and of the submission.
    ///
    /// # Errors
    /// When the job was cancelled, or the shelf has an error.
    pub fn look<S: Shelf>(
        &self,
        text: &str,
        units: &Units,
        shelf: &S,
        job: &Job,
    ) -> Result<Vec<Resemblance>, S::Error> {
        let read = self.read(text, units, job)?;
        let gists = shelf.gists();
        let mut found = Vec::new();
        for manner in [Manner::Translated, Manner::Retold] {
            let documents: Vec<usize> =
                (0..gists.len()).filter(|&document| manner_of(&read.gist, gists[document]) == manner).collect();
            let codes: Vec<&[Code]> = documents.iter().map(|&document| &gists[document].codes[..]).collect();
            let distances = Distances::of(&read.gist.codes, &codes, job)?;
            let looked: Vec<Vec<Resemblance>> = distances
                .candidates()
                .par_iter()
                .map(|candidate| {
                    let document = documents[candidate.document];
                    let look = Look { model: self, submission: &read, manner, distances: &distances, job };
                    let Some((text, units)) = shelf.text(document)? else { return Ok(Vec::new()) };
                    Ok(look.at(candidate, gists[document], document, &text, &units)?)
                })
                .collect::<Result<_, S::Error>>()?;
            found.extend(looked.into_iter().flatten());
        }
        found.sort_by_key(|passage| (passage.document, passage.submission.start, passage.source.start));
        Ok(found)
    }
}

/// In which manner a text could say what another says: texts whose language is not known are taken to be in one.
fn manner_of(submission: &Gist, document: &Gist) -> Manner {
    match submission.language != document.language && !submission.language.is_empty() && !document.language.is_empty() {
        true => Manner::Translated,
        false => Manner::Retold,
    }
}

/// A look at one document.
struct Look<'a> {
    model: &'a Model,
    submission: &'a Read,
    manner: Manner,
    distances: &'a Distances,
    job: &'a Job,
}

impl Look<'_> {
    fn at(
        &self,
        candidate: &Candidate,
        gist: &Gist,
        document: usize,
        text: &str,
        units: &Units,
    ) -> Result<Vec<Resemblance>, Cancelled> {
        let cut = Cut::of(units);
        if cut.len() != gist.codes.len() {
            return Ok(Vec::new());
        }
        let expected = self.distances.expected(candidate.document);
        let mut vectors: Vec<Option<[f32; WIDTH]>> = vec![None; cut.len()];
        let mut found: Vec<Resemblance> = Vec::new();
        for window in windows(candidate, self.submission.cut.len(), cut.len()) {
            let (mut first, mut second) = window;
            let aligned = loop {
                self.job.check()?;
                self.fill(&mut vectors, second.clone(), text, &cut, gist)?;
                let aligned = self.align(&first, &second, &expected, &vectors, &cut);
                let is_left = |range: &Range<usize>, all: usize, ends: &dyn Fn(&Aligned) -> Range<usize>| {
                    let starts = range.start > 0 && aligned.iter().any(|passage| ends(passage).start == 0);
                    let stops = range.end < all && aligned.iter().any(|passage| ends(passage).end == range.len());
                    (starts, stops)
                };
                let before = (first.clone(), second.clone());
                widen(
                    &mut first,
                    self.submission.cut.len(),
                    is_left(&before.0, self.submission.cut.len(), &|p| p.first.clone()),
                );
                widen(&mut second, cut.len(), is_left(&before.1, cut.len(), &|p| p.second.clone()));
                if before == (first.clone(), second.clone()) {
                    break aligned;
                }
            };
            for passage in aligned {
                let passage = self.told(document, passage, (first.start, second.start), &cut);
                let overlaps = |other: &Resemblance| {
                    passage.submission.start < other.submission.end && other.submission.start < passage.submission.end
                };
                match found.iter_mut().find(|other| overlaps(other)) {
                    Some(other) if other.evidence < passage.evidence => *other = passage,
                    Some(_) => {}
                    None => found.push(passage),
                }
            }
        }
        Ok(found)
    }

    /// Computes the vectors of sentences of the document that are not yet there.
    fn fill(
        &self,
        vectors: &mut [Option<[f32; WIDTH]>],
        sentences: Range<usize>,
        text: &str,
        cut: &Cut,
        gist: &Gist,
    ) -> Result<(), Cancelled> {
        if let Some(kept) = &gist.vectors {
            sentences.for_each(|sentence| vectors[sentence] = Some(kept[sentence]));
            return Ok(());
        }
        let missing: Vec<usize> = sentences.filter(|&sentence| vectors[sentence].is_none()).collect();
        let spans: Vec<Range<u32>> = missing.iter().map(|&sentence| cut.spans[sentence].clone()).collect();
        let encoded = centred(&self.model.encode(text, &spans, self.job)?, &gist.mean);
        missing.into_iter().zip(encoded).for_each(|(sentence, vector)| vectors[sentence] = Some(vector));
        Ok(())
    }

    fn align(
        &self,
        first: &Range<usize>,
        second: &Range<usize>,
        expected: &[f32],
        vectors: &[Option<[f32; WIDTH]>],
        cut: &Cut,
    ) -> Vec<Aligned> {
        let weighing = match self.manner {
            Manner::Translated => TRANSLATED,
            Manner::Retold => RETOLD,
        };
        let least = if self.distances.tell() { weighing.least } else { weighing.least_alone };
        let there: Vec<[f32; WIDTH]> = vectors[second.clone()].iter().flatten().copied().collect();
        let here = Side {
            vectors: &self.submission.vectors[first.clone()],
            sizes: &self.submission.cut.sizes[first.clone()],
            expected: &expected[first.clone()],
        };
        let nothing = vec![0.0; second.len()];
        align(&here, &Side { vectors: &there, sizes: &cut.sizes[second.clone()], expected: &nothing }, &weighing, least)
    }

    /// A passage in characters.
    fn told(&self, document: usize, passage: Aligned, (first, second): (usize, usize), cut: &Cut) -> Resemblance {
        let chars = |spans: &[Range<u32>], sentences: &Range<usize>, from: usize| {
            spans[from + sentences.start].start..spans[from + sentences.end - 1].end
        };
        let here = |sentences: &Range<usize>| chars(&self.submission.cut.spans, sentences, first);
        let there = |sentences: &Range<usize>| chars(&cut.spans, sentences, second);
        Resemblance {
            document,
            manner: self.manner,
            submission: here(&passage.first),
            source: there(&passage.second),
            evidence: passage.evidence,
            links: passage.links.iter().map(|(first, second)| (here(first), there(second))).collect(),
        }
    }
}

/// What is aligned at first: sentences around each place, or all of short texts.
fn windows(candidate: &Candidate, submission: usize, document: usize) -> Vec<(Range<usize>, Range<usize>)> {
    if document <= SHORT && submission <= SHORT {
        return vec![(0..submission, 0..document)];
    }
    let around = |start: usize, end: usize, all: usize| start.saturating_sub(AROUND)..all.min(end + AROUND);
    let mut windows = Vec::new();
    for place in &candidate.places {
        let first = around(place[0].0, place[place.len() - 1].0 + 1, submission);
        if document <= SHORT {
            windows.push((first, 0..document));
            continue;
        }
        // Sentences of one place are near sentences of another, by chance: each stretch of the document is looked at.
        let mut there: Vec<usize> = place.iter().map(|&(_, sentence)| sentence).collect();
        there.sort_unstable();
        for sentence in there {
            let second = around(sentence, sentence + 1, document);
            match windows.last_mut() {
                Some((before, last)) if *before == first && second.start <= last.end => last.end = second.end,
                _ => windows.push((first.clone(), second)),
            }
        }
    }
    windows
}

/// Takes as many sentences more on each side that a passage reaches.
fn widen(range: &mut Range<usize>, all: usize, (before, behind): (bool, bool)) {
    let more = range.len();
    if before {
        range.start = range.start.saturating_sub(more);
    }
    if behind {
        range.end = all.min(range.end + more);
    }
}
