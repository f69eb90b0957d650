//! A submission's sentences against those of a library.

use crate::align::{Aligned, RETOLD, Side, TRANSLATED, align};
use crate::cells::{LARGE, Leaders};
use crate::encoder::WIDTH;
use crate::gist::Gist;
use crate::model::Model;
use crate::scan::{Candidate, Distances};
use crate::sentences::{Cut, centred, mean};
use copytrace_job::{Cancelled, Job};
use copytrace_text::char_text::CharText;
use copytrace_text::prose::language_of;
use copytrace_text::units::Units;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Sentences of a document around a place that are compared at first; where a passage reaches the border, twice as many.
const AROUND: usize = 24;

/// Documents of no more sentences are compared as a whole.
const SHORT: usize = 160;

/// The gists of a library.
#[derive(Debug)]
pub struct Gists {
    all: Vec<Gist>,
    /// Of a large library.
    leaders: Option<Leaders>,
}

impl Gists {
    /// Takes gists; those of many sentences are put into cells.
    pub fn new(mut all: Vec<Gist>) -> Self {
        let is_large = all.iter().map(Gist::sentences).sum::<usize>() >= LARGE;
        let leaders = is_large.then(|| Leaders::of(&all));
        if let Some(leaders) = &leaders {
            all.par_iter_mut().for_each(|gist| leaders.arrange(gist));
        }
        Gists { all, leaders }
    }
}

/// How a passage says what another says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Manner {
    /// In another language.
    Translated,
    /// In other words.
    Retold,
}

impl Manner {
    /// Its name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Manner::Translated => "translated",
            Manner::Retold => "retold",
        }
    }
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
    /// The document's wording.
    pub source_text: String,
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
        let vectors = self.encode(&CharText::new(text), &cut.spans, job)?;
        let mean = mean(&vectors);
        let vectors = centred(&vectors, &mean);
        let language = language_of(text).unwrap_or_default().to_owned();
        let gist = Gist::new(mean, language, &self.codes_of(&vectors));
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

    /// The passages of a submission that say what some documents say, in the order of the documents and of the submission. `text_of` is
    /// asked for the text of a document, as a reader sees it, and its units; `None` if it is not kept.
    ///
    /// # Errors
    /// When the job was cancelled, or a text cannot be read.
    pub fn look<E: From<Cancelled> + Send>(
        &self,
        (text, units): (&str, &Units),
        gists: &Gists,
        documents: &[usize],
        text_of: impl Fn(usize) -> Result<Option<(String, Units)>, E> + Sync,
        job: &Job,
    ) -> Result<Vec<Resemblance>, E> {
        let read = self.read(text, units, job)?;
        let mut found = Vec::new();
        for manner in [Manner::Translated, Manner::Retold] {
            let is_of_manner = |&document: &usize| manner_of(&read.gist, &gists.all[document]) == manner;
            let documents: Vec<usize> = documents.iter().copied().filter(is_of_manner).collect();
            let compared: Vec<&Gist> = documents.iter().map(|&document| &gists.all[document]).collect();
            let distances = Distances::of(read.gist.codes(), &compared, gists.leaders.as_ref(), job)?;
            let look = Look { model: self, submission: &read, manner, distances: &distances, job };
            let at = |candidate: &Candidate| -> Result<Vec<Resemblance>, E> {
                let document = documents[candidate.document];
                let Some((text, units)) = text_of(document)? else { return Ok(Vec::new()) };
                let source = Source { document, text: CharText::new(&text), cut: Cut::of(&units) };
                let kept = compared[candidate.document];
                Ok(match kept.sentences() == source.cut.len() {
                    true => look.at(candidate, kept, &source)?,
                    // It was cut by another version of this program: what it says is computed anew.
                    false => look.at(candidate, &self.gist(&text, &units, job)?, &source)?,
                })
            };
            let looked: Vec<_> = distances.candidates().par_iter().map(at).collect::<Result<_, E>>()?;
            found.extend(looked.into_iter().flatten());
        }
        found.sort_by_key(|passage| (passage.document, passage.submission.start, passage.source.start));
        Ok(found)
    }
}

/// A document that is looked at.
struct Source<'a> {
    document: usize,
    text: CharText<'a>,
    cut: Cut,
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
    distances: &'a Distances<'a>,
    job: &'a Job,
}

impl Look<'_> {
    fn at(&self, candidate: &Candidate, gist: &Gist, source: &Source) -> Result<Vec<Resemblance>, Cancelled> {
        let expected = self.distances.expected(candidate.document);
        let (ours, theirs) = (self.submission.cut.len(), source.cut.len());
        let mut vectors: Vec<Option<[f32; WIDTH]>> = vec![None; theirs];
        let mut found: Vec<Resemblance> = Vec::new();
        for (mut first, mut second) in windows(candidate, ours, theirs) {
            let aligned = loop {
                self.job.check()?;
                self.fill(&mut vectors, second.clone(), source, gist)?;
                let aligned = self.align(&first, &second, &expected, &vectors, &source.cut);
                let wider = (
                    widened(&first, ours, aligned.iter().map(|passage| &passage.first)),
                    widened(&second, theirs, aligned.iter().map(|passage| &passage.second)),
                );
                if wider == (first.clone(), second.clone()) {
                    break aligned;
                }
                (first, second) = wider;
            };
            for passage in aligned {
                let passage = self.told(passage, (first.start, second.start), source);
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
        source: &Source,
        gist: &Gist,
    ) -> Result<(), Cancelled> {
        if let Some(kept) = &gist.vectors {
            sentences.for_each(|sentence| vectors[sentence] = Some(kept[sentence]));
            return Ok(());
        }
        let missing: Vec<usize> = sentences.filter(|&sentence| vectors[sentence].is_none()).collect();
        let spans: Vec<Range<u32>> = missing.iter().map(|&sentence| source.cut.spans[sentence].clone()).collect();
        let encoded = centred(&self.model.encode(&source.text, &spans, self.job)?, &gist.mean);
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
    fn told(&self, passage: Aligned, (first, second): (usize, usize), source: &Source) -> Resemblance {
        let chars = |spans: &[Range<u32>], sentences: &Range<usize>, from: usize| {
            spans[from + sentences.start].start..spans[from + sentences.end - 1].end
        };
        let here = |sentences: &Range<usize>| chars(&self.submission.cut.spans, sentences, first);
        let there = |sentences: &Range<usize>| chars(&source.cut.spans, sentences, second);
        Resemblance {
            document: source.document,
            manner: self.manner,
            submission: here(&passage.first),
            source: there(&passage.second),
            evidence: passage.evidence,
            source_text: source.text.slice(&there(&passage.second)).to_owned(),
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

/// The range with as many sentences more on each side that a passage in it reaches.
fn widened<'a>(range: &Range<usize>, all: usize, passages: impl Iterator<Item = &'a Range<usize>>) -> Range<usize> {
    let (mut wider, more) = (range.clone(), range.len());
    for passage in passages {
        if passage.start == 0 {
            wider.start = range.start.saturating_sub(more);
        }
        if passage.end == range.len() {
            wider.end = all.min(range.end + more);
        }
    }
    wider
}
