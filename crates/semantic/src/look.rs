//! A submission's sentences against those of a library.

use crate::align::{
    Aligned, BEFORE_GLOSSES, GLOSSES, LEAST_WITH_GLOSSES, RETOLD, Side, TRANSLATED, Weighing, align, of_links,
};
use crate::cells::{LARGE, Leaders};
use crate::encoder::WIDTH;
use crate::gist::{Gist, SHORT};
use crate::glosses::{Dictionary, English, Frequencies, pairs};
use crate::model::Model;
use crate::parts::{by_language, language};
use crate::scan::{Asked, Candidate, Likenesses};
use crate::sentences::{Cut, Mean};
use crate::window::{MOST_AT_ONCE, Window, joined};
use copytrace_job::{Cancelled, Job};
use copytrace_text::char_text::CharText;
use copytrace_text::units::Units;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// Places of a document that is not [`SHORT`].
const PLACES_OF_LONG: usize = 4;

/// The gists of a library.
#[derive(Debug)]
pub struct Gists {
    all: Vec<Gist>,
    /// Of a large library.
    leaders: Option<Leaders>,
}

impl Gists {
    /// Takes gists; those of many codes are put into cells.
    pub fn new(mut all: Vec<Gist>) -> Self {
        let is_large = all.iter().map(|gist| gist.codes().len()).sum::<usize>() >= LARGE;
        let leaders = is_large.then(|| Leaders::of(&all));
        if let Some(leaders) = &leaders {
            all.par_iter_mut().for_each(|gist| leaders.arrange(gist));
        }
        Gists { all, leaders }
    }

    /// The gists, in their order.
    pub fn all(&self) -> &[Gist] {
        &self.all
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
    /// Which words translate each other by a dictionary, within links, in characters.
    pub words: Vec<(Range<u32>, Range<u32>)>,
}

/// What a look found.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    /// In the order of the documents and of the submission.
    pub passages: Vec<Resemblance>,
    /// Languages (ISO 639-1) of parts of the submission that the model does not know, in order: nothing was looked for there.
    pub unknown: Vec<String>,
}

/// A text in one language with the meanings of its sentences.
struct Read<'a> {
    language: &'static str,
    text: &'a CharText<'a>,
    units: &'a Units,
    cut: Cut,
    mean: Mean,
    vectors: Vec<[f32; WIDTH]>,
}

impl Model {
    fn read<'a>(
        &self,
        text: &'a CharText<'a>,
        units: &'a Units,
        cut: Cut,
        language: &'static str,
        job: &Job,
    ) -> Result<Read<'a>, Cancelled> {
        let vectors = self.encode(text, &cut.spans, job)?;
        let mean = Mean::of(&vectors);
        Ok(Read { language, text, units, cut, vectors: mean.centred(&vectors), mean })
    }

    /// The gist of a text as a reader sees it, with its units.
    ///
    /// # Errors
    /// When the job was cancelled.
    pub fn gist(&self, text: &str, units: &Units, job: &Job) -> Result<Gist, Cancelled> {
        let chars = CharText::new(text);
        let read = self.read(&chars, units, Cut::of(units), language(text), job)?;
        let codes = self.codes_of(&read.cut.grouped(&read.vectors));
        let mean = (read.cut.len() > SHORT).then_some(read.mean);
        Ok(Gist { vectors: Some(read.vectors), ..Gist::new(mean, read.language.to_owned(), &codes) })
    }

    /// The passages of a submission that say what some documents say. `text_of` is asked for the text of a document, as a reader sees
    /// it, and its units; `None` if it is not kept.
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
    ) -> Result<Looked, E> {
        let (chars, cut) = (CharText::new(text), Cut::of(units));
        let parts = by_language(text, &chars, &cut);
        let (known, unknown): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(language, _)| self.knows(language));
        let mut passages = Vec::new();
        for (language, sentences) in known {
            let read = self.read(&chars, units, cut.part(&sentences), language, job)?;
            passages.extend(self.look_at(&read, gists, documents, &text_of, job)?);
        }
        passages.sort_by_key(|passage: &Resemblance| {
            (passage.document, passage.submission.start, passage.source.start, passage.submission.end)
        });
        Ok(Looked { passages, unknown: unknown.into_iter().map(|(language, _)| language.to_owned()).collect() })
    }

    /// What a part in one language says that documents say, in no order.
    fn look_at<E: From<Cancelled> + Send>(
        &self,
        read: &Read,
        gists: &Gists,
        documents: &[usize],
        text_of: &(impl Fn(usize) -> Result<Option<(String, Units)>, E> + Sync),
        job: &Job,
    ) -> Result<Vec<Resemblance>, E> {
        let (sentences, members) = (self.queries_of(&read.vectors), read.cut.groups());
        let groups = self.queries_of(&read.cut.grouped(&read.vectors));
        let asked = Asked { sentences: &sentences, sizes: &read.cut.sizes, groups: &groups, members: &members };
        let mut found = Vec::new();
        for manner in [Manner::Translated, Manner::Retold] {
            let is_of_manner = |&document: &usize| {
                let gist = &gists.all[document];
                self.knows(&gist.language) && manner_of(read.language, &gist.language) == manner
            };
            let documents: Vec<usize> = documents.iter().copied().filter(is_of_manner).collect();
            let compared: Vec<&Gist> = documents.iter().map(|&document| &gists.all[document]).collect();
            let likenesses = Likenesses::of(&asked, &compared, gists.leaders.as_ref(), job)?;
            let frequencies = OnceLock::new();
            let look = Look { model: self, submission: read, frequencies, manner, job };
            let at = |candidate: &Candidate| -> Result<Vec<Resemblance>, E> {
                let document = documents[candidate.document];
                let Some((text, units)) = text_of(document)? else { return Ok(Vec::new()) };
                let cut = Cut::of(&units);
                let kept = compared[candidate.document];
                let (text, language, groups) = (CharText::new(&text), &*kept.language, cut.groups());
                let source = Source { document, language, text, units, groups, cut };
                Ok(match kept.codes().len() == source.groups.len() {
                    true => look.at(candidate, kept, &source)?,
                    // It was cut by another version of this program: what it says is computed anew.
                    false => look.at(candidate, &self.gist(source.text.text(), &source.units, job)?, &source)?,
                })
            };
            let looked: Vec<_> = likenesses.candidates(job)?.par_iter().map(at).collect::<Result<_, E>>()?;
            found.extend(looked.into_iter().flatten());
        }
        Ok(found)
    }
}

/// A document that is looked at.
struct Source<'a> {
    document: usize,
    language: &'a str,
    text: CharText<'a>,
    units: Units,
    cut: Cut,
    /// The sentences of each code.
    groups: Vec<Range<usize>>,
}

impl Source<'_> {
    /// The places of a candidate with sentences for codes: of several, the one that says most. A long document has few, for all sentences
    /// around them are read again.
    fn places(&self, candidate: &Candidate) -> Vec<Vec<(usize, usize)>> {
        let says_more = |a: &usize, b: &usize| self.cut.sizes[*a].total_cmp(&self.cut.sizes[*b]);
        let sentence = |code: usize| self.groups.get(code)?.clone().max_by(says_more);
        let of = |place: &Vec<(usize, usize)>| {
            place.iter().filter_map(|&(here, code)| Some((here, sentence(code)?))).collect::<Vec<_>>()
        };
        let most = if self.cut.len() > SHORT { PLACES_OF_LONG } else { candidate.places.len() };
        candidate.places.iter().take(most).map(of).filter(|place| !place.is_empty()).collect()
    }
}

/// In which manner a text could say what another says: texts whose language is not known are taken to be in one.
fn manner_of(submission: &str, document: &str) -> Manner {
    match submission != document && !submission.is_empty() && !document.is_empty() {
        true => Manner::Translated,
        false => Manner::Retold,
    }
}

/// A look at one document.
struct Look<'a> {
    model: &'a Model,
    submission: &'a Read<'a>,
    /// Of an English submission, when they are asked for.
    frequencies: OnceLock<Frequencies>,
    manner: Manner,
    job: &'a Job,
}

impl Look<'_> {
    fn at(&self, candidate: &Candidate, gist: &Gist, source: &Source) -> Result<Vec<Resemblance>, Cancelled> {
        let dictionary = self.dictionary(source);
        let weighing = match self.manner {
            Manner::Translated if dictionary.is_some() => BEFORE_GLOSSES,
            Manner::Translated => TRANSLATED,
            Manner::Retold => RETOLD,
        };
        let (ours, theirs) = (self.submission.cut.len(), source.cut.len());
        let mut computed = BTreeMap::new();
        let mut found: Vec<Aligned> = Vec::new();
        // The best places last, where the next one is taken from: a passage is followed to its ends before the next place.
        let mut left = Window::of(&source.places(candidate), ours, theirs);
        left.reverse();
        while let Some(mut window) = left.pop() {
            if window.is_known(&found) {
                continue;
            }
            let aligned = loop {
                self.job.check()?;
                let vectors = self.vectors(&mut computed, &window.second, source, gist)?;
                let aligned = self.align(&window, &vectors, &source.cut, &weighing);
                let wider = window.widened(&aligned, ours, theirs);
                if wider == window {
                    break aligned;
                }
                window = wider;
            };
            for passage in aligned {
                left.extend(window.beyond(&passage, ours, theirs));
                found.push(passage);
            }
        }
        let mut told: Vec<_> = joined(found).into_iter().map(|passage| self.told(passage, source)).collect();
        if let Some((dictionary, is_english)) = dictionary.filter(|_| !told.is_empty()) {
            let of_source;
            let whole = match is_english {
                true => self.frequencies.get_or_init(|| English::all(self.submission.units).frequencies()),
                false => {
                    of_source = English::all(&source.units).frequencies();
                    &of_source
                }
            };
            told.retain_mut(|passage| self.judge(passage, source, (dictionary, is_english), whole));
        }
        Ok(told)
    }

    /// The vectors of sentences of the document: those that are kept, or those that were `computed`, as far as they are there.
    fn vectors<'a>(
        &self,
        computed: &mut BTreeMap<usize, [f32; WIDTH]>,
        sentences: &Range<usize>,
        source: &Source,
        gist: &'a Gist,
    ) -> Result<Cow<'a, [[f32; WIDTH]]>, Cancelled> {
        if let Some(kept) = &gist.vectors {
            return Ok(Cow::Borrowed(&kept[sentences.clone()]));
        }
        if computed.len() > 4 * MOST_AT_ONCE {
            computed.retain(|sentence, _| sentences.contains(sentence));
        }
        // What a short text has in common is told by all of it.
        let read = if gist.mean.is_some() { sentences.clone() } else { 0..source.cut.len() };
        let missing: Vec<usize> = read.filter(|sentence| !computed.contains_key(sentence)).collect();
        if !missing.is_empty() {
            let spans: Vec<Range<u32>> = missing.iter().map(|&sentence| source.cut.spans[sentence].clone()).collect();
            let encoded = self.model.encode(&source.text, &spans, self.job)?;
            let of_all;
            let mean = match &gist.mean {
                Some(mean) => &**mean,
                None => {
                    of_all = Mean::of(&encoded);
                    &of_all
                }
            };
            computed.extend(missing.into_iter().zip(mean.centred(&encoded)));
        }
        Ok(Cow::Owned(computed.range(sentences.clone()).map(|(_, vector)| *vector).collect()))
    }

    /// The passages of a window, as sentences of the two texts.
    fn align(&self, window: &Window, there: &[[f32; WIDTH]], cut: &Cut, weighing: &Weighing) -> Vec<Aligned> {
        let (first, second) = (&window.first, &window.second);
        let here =
            Side { vectors: &self.submission.vectors[first.clone()], sizes: &self.submission.cut.sizes[first.clone()] };
        align(&here, &Side { vectors: there, sizes: &cut.sizes[second.clone()] }, weighing)
            .into_iter()
            .map(|passage| Aligned {
                first: moved(&passage.first, first.start),
                second: moved(&passage.second, second.start),
                evidence: passage.evidence,
                links: passage.links.iter().map(|(a, b)| (moved(a, first.start), moved(b, second.start))).collect(),
            })
            .collect()
    }

    /// A passage in characters.
    fn told(&self, passage: Aligned, source: &Source) -> Resemblance {
        let chars =
            |spans: &[Range<u32>], sentences: &Range<usize>| spans[sentences.start].start..spans[sentences.end - 1].end;
        let here = |sentences: &Range<usize>| chars(&self.submission.cut.spans, sentences);
        let there = |sentences: &Range<usize>| chars(&source.cut.spans, sentences);
        Resemblance {
            document: source.document,
            manner: self.manner,
            submission: here(&passage.first),
            source: there(&passage.second),
            evidence: passage.evidence,
            source_text: source.text.slice(&there(&passage.second)).to_owned(),
            links: passage.links.iter().map(|(first, second)| (here(first), there(second))).collect(),
            words: Vec::new(),
        }
    }

    /// The dictionary between the two languages, and whether the submission is in English.
    fn dictionary(&self, source: &Source) -> Option<(&Dictionary, bool)> {
        let between = |dictionary: &'_ Dictionary| dictionary.is_between(self.submission.language, source.language);
        self.model.dictionaries.iter().find_map(|dictionary| Some((dictionary, between(dictionary)?)))
    }

    /// Adds what a dictionary says to the evidence of a passage, and whether that is enough.
    fn judge(
        &self,
        passage: &mut Resemblance,
        source: &Source,
        (dictionary, is_english): (&Dictionary, bool),
        whole: &Frequencies,
    ) -> bool {
        let (text, units) = match is_english {
            true => (&source.text, self.submission.units),
            false => (self.submission.text, &source.units),
        };
        let words = |(here, there): &(Range<u32>, Range<u32>)| {
            let (glossed, english) = if is_english { (there, here) } else { (here, there) };
            (dictionary.glossed(text.slice(glossed), glossed.start), English::of(units, english))
        };
        let links: Vec<_> = passage.links.iter().map(words).collect();
        // Where the dictionary knows no word, as of text in a third language, the rest must be enough alone.
        if links.iter().all(|(glossed, _)| glossed.is_empty()) {
            return passage.evidence >= TRANSLATED.least_of_few;
        }
        let evidence = |(glossed, english): &(_, _)| GLOSSES * dictionary.evidence(glossed, english, whole);
        passage.evidence += links.iter().map(evidence).sum::<f32>() + of_links(links.len());
        if passage.evidence < LEAST_WITH_GLOSSES {
            return false;
        }
        let pairs = links.iter().flat_map(|(glossed, english)| pairs(glossed, english));
        passage.words = pairs.map(|(word, other)| if is_english { (other, word) } else { (word, other) }).collect();
        true
    }
}

/// A range that begins and ends `by` farther on.
fn moved(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}
