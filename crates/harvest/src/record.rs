//! A record of a source, and the document that is made of it.

use crate::mediawiki::Wikitext;
use crate::packages::{read_jats, read_source};
use crate::reason::{Failure, Reason};
use crate::run::Options;
use copytrace_formats::extract::without_menus;
use copytrace_formats::input::{Input, Inputs, RawDocument, ReadLimits, ReadReason};
use copytrace_job::Job;
use copytrace_text::{Document, Metadata};
use std::io;

/// What a source gives, one after the other.
pub(crate) enum Item {
    /// A record that may be a document.
    Record(Box<Record>),
    /// A record that is as it was when it was last taken, of this id and stamp.
    Same(String, String),
    /// A record that the source deleted, of this id.
    Gone(String),
    /// A document that is not wanted, and why.
    LeftOut(&'static str),
    /// A record that is no document.
    Failed(Failure),
    /// The source ends before its end.
    Stopped(Failure),
}

impl Item {
    pub(crate) fn failed(id: impl Into<String>, reason: impl Into<Reason>) -> Item {
        Item::Failed(Failure::new(id, reason))
    }

    pub(crate) fn stopped(id: impl Into<String>, reason: impl Into<Reason>) -> Item {
        Item::Stopped(Failure::new(id, reason))
    }
}

/// The records of a source in its order.
pub(crate) trait Records {
    /// The next item; `None` at the end. `seen` tells whether a record of this id and stamp was taken before.
    fn next(&mut self, seen: &dyn Fn(&str, &str) -> bool, job: &Job) -> Option<Item>;

    /// Goes on where a run before it was: before the first item is asked for, at a place that it told then.
    fn resume(&mut self, place: &str);

    /// Where a later run goes on behind the items given so far.
    fn place(&self) -> String;

    /// What the next run asks for changes since, once this one came to its end.
    fn since(&self) -> Option<String> {
        None
    }

    /// Bytes read so far, as they lie there or came over the network.
    fn bytes(&self) -> u64;
}

/// A file of many records, which is read from its beginning to its end.
pub(crate) trait Archive {
    /// Passes a record; `None` at the end of the file. One that holds no document, or is not wanted, gives nothing.
    fn pass(&mut self, wanted: bool) -> Result<Option<Option<Item>>, String>;

    /// Bytes read so far.
    fn bytes(&self) -> u64;
}

/// The records of such a file: a later run goes on behind as many as were passed.
pub(crate) struct Counted<A> {
    archive: A,
    passed: u64,
    ended: bool,
}

impl<A: Archive> Counted<A> {
    pub(crate) fn new(archive: A) -> Self {
        Counted { archive, passed: 0, ended: false }
    }
}

impl<A: Archive> Records for Counted<A> {
    fn next(&mut self, _seen: &dyn Fn(&str, &str) -> bool, job: &Job) -> Option<Item> {
        while !self.ended && job.check().is_ok() {
            match self.archive.pass(true) {
                Ok(None) => self.ended = true,
                Ok(Some(item)) => {
                    self.passed += 1;
                    if item.is_some() {
                        return item;
                    }
                }
                Err(said) => {
                    self.ended = true;
                    return Some(Item::stopped("", Reason::ArchiveBroken { records: self.passed, said }));
                }
            }
        }
        None
    }

    fn resume(&mut self, place: &str) {
        while self.place() != place && matches!(self.archive.pass(false), Ok(Some(_))) {
            self.passed += 1;
        }
    }

    fn place(&self) -> String {
        self.passed.to_string()
    }

    fn bytes(&self) -> u64 {
        self.archive.bytes()
    }
}

/// A record that may be a document.
pub(crate) struct Record {
    /// Its persistent identifier, which becomes the document's id; empty where only its content tells it.
    pub(crate) id: String,
    /// By what the source tells that it changed; empty where only the content tells.
    pub(crate) stamp: String,
    /// What the source says of it, which counts before what its content says of itself.
    pub(crate) provenance: Metadata,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Text(String),
    Wikitext(Wikitext),
    /// HTML of a crawl, of which menus are no part.
    Page(Vec<u8>),
    /// A file, with a name whose ending tells its format.
    File(String, Vec<u8>),
    Raw(RawDocument),
    /// An article in JATS, with the name of its file.
    Jats(String, Vec<u8>),
    /// What arXiv keeps of a paper that was handed in as LaTeX, packed.
    Source(Vec<u8>),
}

impl Record {
    /// About how many bytes it holds, for dividing work.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.content {
            Content::Text(text) => text.len() as u64,
            Content::Wikitext(text) => text.len() as u64,
            Content::Page(bytes) | Content::Source(bytes) => bytes.len() as u64,
            Content::File(_, bytes) | Content::Jats(_, bytes) => bytes.len() as u64,
            Content::Raw(raw) => raw.approximate_bytes(),
        }
    }

    /// Reads and decodes it: the costly part. Gives the stamp beside the document.
    pub(crate) fn read(self, options: &Options) -> Result<(Document, String), Failure> {
        let Record { mut id, stamp, mut provenance, content } = self;
        let limits = &options.limits;
        // What may hold anything is read elsewhere, if there is such a place.
        let file = |id: &str, name: &str, bytes: Vec<u8>| match options.reader {
            Some(read) => read(name, &bytes).map_err(|reason| Failure::new(id, reason)),
            None => only(id, Input::bytes(name, bytes), limits),
        };
        let mut document = match content {
            Content::Text(text) => of_text(&id, text, limits)?,
            Content::Wikitext(wikitext) => of_text(&id, wikitext.plain(), limits)?,
            Content::Page(bytes) => {
                let bytes = without_menus(&bytes).map_or(bytes, String::into_bytes);
                file(&id, "page.html", bytes)?
            }
            Content::File(name, bytes) => file(&id, &name, bytes)?,
            Content::Jats(name, bytes) => {
                let page;
                (id, provenance, page) = read_jats(&name, &bytes)?;
                file(&id, "article.html", page)?
            }
            Content::Source(packed) => {
                let broken = |error: io::Error| Reason::ArchiveBroken { records: 0, said: error.to_string() };
                let (name, bytes) = read_source(&packed).map_err(|error| Failure::new(&id, broken(error)))?;
                file(&id, name, bytes)?
            }
            Content::Raw(raw) => {
                raw.extract(limits).map_err(|error| Failure::new(error.id(), error.reason().clone()))?
            }
        };
        // What the repository says of the author was said by it, and not by whoever wrote the file.
        document.vouched_author = provenance.author.clone().or(document.vouched_author);
        document.metadata = provenance.or(document.metadata);
        if !id.is_empty() {
            document.id = id;
        }
        Ok((document, stamp))
    }
}

/// A text as it is, unless it holds nothing.
fn of_text(id: &str, text: String, limits: &ReadLimits) -> Result<Document, Failure> {
    if text.len() as u64 > limits.text_bytes {
        return Err(Failure::new(id, Reason::AnswerLarge { limit: limits.text_bytes }));
    }
    // Plain text goes through the reader of plain text for what it says of an empty or a binary one.
    only(id, Input::bytes("record.txt", text.into_bytes()), limits)
}

/// The only document of an input.
fn only(id: &str, input: Input, limits: &ReadLimits) -> Result<Document, Failure> {
    let mut inputs = Inputs::new([input], limits.clone());
    match inputs.next().map(|raw| raw.and_then(|raw| raw.extract(limits))) {
        Some(Ok(document)) => Ok(document),
        Some(Err(error)) => Err(Failure::new(id, error.reason().clone())),
        None => Err(Failure::new(id, ReadReason::NoDocument)),
    }
}
