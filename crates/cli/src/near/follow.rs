//! Documents as they come, a JSON line each: what is near to it among the earlier ones is told before it is added.

use super::index::near;
use super::{nearest_first, require_terms};
use crate::Outcome;
use crate::args::NearOptions;
use crate::console::Console;
use crate::index::now;
use anyhow::Context;
use copytrace::check::{Reason, Unread};
use copytrace::formats::extract::{JsonFields, extract_json_line};
use copytrace::formats::input::ReadLimits;
use copytrace::hamming::Window;
use copytrace::index::{Index, IndexError, IndexWriter, MergePolicy};
use copytrace::search::filter::Filter;
use copytrace::sketch::analysis::{Analyser, Analysis};
use copytrace::sketch::fingerprinter::Fingerprinter;
use copytrace::text::{Document, Metadata};
use copytrace_messages::{Figure, Message, Tell, message};
use serde_json::json;
use std::collections::{HashSet, VecDeque};
use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// What was added to an index becomes real after this many documents or this time, whichever comes first.
const COMMIT_DOCUMENTS: usize = 1024;
const COMMIT_TIME: Duration = Duration::from_secs(5);

pub fn run(options: &NearOptions, console: &Console) -> anyhow::Result<Outcome> {
    let mut stream = Stream::open(options)?;
    let mut input = std::io::stdin().lock();
    let mut out = std::io::stdout().lock();
    let (mut number, mut failed) = (0u64, 0u64);
    while let Some(line) = read_line(&mut input).context("standard input")? {
        number += 1;
        if matches!(&line, Line::Whole(line) if line.trim_ascii().is_empty()) {
            continue;
        }
        let answer = match read_document(line, number).and_then(|document| stream.answer_and_add(document)) {
            Ok(answer) => answer,
            Err(NoAnswer::Run(error)) => return Err(error),
            Err(NoAnswer::Line(reason)) => {
                failed += 1;
                let answer = json!({ "line": number, "error": reason.to_string(), "code": reason.code() });
                console.error(&message!("line-failed", line = number, reason = reason));
                answer
            }
        };
        writeln!(out, "{answer}").and_then(|()| out.flush()).context("standard output")?;
    }
    stream.finish()?;
    console.done(&message!("lines-answered", lines = number));
    Ok(Outcome::of(failed > 0))
}

/// Why a line has no answer.
enum NoAnswer {
    /// The line is at fault, and the next one is read.
    Line(Message),
    /// The run ends.
    Run(anyhow::Error),
}

impl From<anyhow::Error> for NoAnswer {
    fn from(error: anyhow::Error) -> Self {
        NoAnswer::Run(error)
    }
}

impl From<Unread> for NoAnswer {
    fn from(unread: Unread) -> Self {
        NoAnswer::Line(message!("line-unread", reason = Figure::told(&unread)))
    }
}

impl From<IndexError> for NoAnswer {
    fn from(error: IndexError) -> Self {
        Unread::try_from(error).map_or_else(|error| NoAnswer::Run(error.into()), NoAnswer::from)
    }
}

/// A line as it was read.
enum Line {
    Whole(Vec<u8>),
    /// It is longer than allowed, and was skipped.
    TooLong,
}

/// The next line, if there is one.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let limit = ReadLimits::default().line_bytes;
    let mut line = Vec::new();
    if input.by_ref().take(limit + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 > limit && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Whole(line)))
}

fn read_document(line: Line, number: u64) -> Result<Document, NoAnswer> {
    let Line::Whole(line) = line else { return Err(NoAnswer::Line(message!("line-too-long"))) };
    let read = extract_json_line(&line, &JsonFields::default())
        .map_err(|(_, error)| NoAnswer::Line(message!("line-unread", reason = Figure::told(&error))))?;
    let id = read.id.unwrap_or_else(|| format!("-:{number}"));
    Ok(Document { id, text: read.extracted.text, metadata: read.extracted.metadata, ..Document::default() })
}

/// What is known of the documents so far.
struct Stream<'a> {
    options: &'a NearOptions,
    fingerprinter: Fingerprinter,
    window: Window,
    /// The documents in the window, by number from its first on.
    known: VecDeque<Known>,
    ids: HashSet<String>,
    library: Option<Library>,
}

/// A document of the window.
struct Known {
    id: String,
    metadata: Metadata,
    time: i64,
}

impl<'a> Stream<'a> {
    fn open(options: &'a NearOptions) -> anyhow::Result<Self> {
        let features = options.features.features()?;
        let library = match options.index.as_slice() {
            [] => None,
            [folder] => {
                require_terms(features)?;
                Some(Library::open(folder)?)
            }
            _ => anyhow::bail!(message!("one-index")),
        };
        Ok(Stream {
            options,
            fingerprinter: Fingerprinter::new(features),
            window: Window::new(options.distance)?,
            known: VecDeque::new(),
            ids: HashSet::new(),
            library,
        })
    }

    /// What is near to the document, which is then added.
    fn answer_and_add(&mut self, document: Document) -> Result<serde_json::Value, NoAnswer> {
        let now = now();
        let filter = self.options.filter.filter(now);
        let since = filter.since.unwrap_or(i64::MIN);
        self.forget(since);
        if self.ids.contains(&document.id) {
            return Err(NoAnswer::Line(message!("id-taken", id = document.id)));
        }
        let analysis = self.library.as_mut().map(|library| library.analyser.analyse(&document.visible()));
        let fingerprint = match &analysis {
            Some(analysis) => Some(analysis.fingerprint()).filter(|fingerprint| *fingerprint != 0),
            None => self.fingerprinter.of_text(&document.text),
        };
        let Some(fingerprint) = fingerprint else {
            return Err(Unread::new(&document.id, Reason::NoFeatures).into());
        };
        let mut found = Vec::new();
        for hit in self.window.find(fingerprint, since).map_err(anyhow::Error::from)? {
            let known = &self.known[(hit.row - self.window.first()) as usize];
            if filter.admits_known(&known.id, &known.metadata, Some(known.time), &document.metadata) {
                found.push((known.id.clone(), hit.distance));
            }
        }
        if let (Some(library), Some(analysis)) = (&mut self.library, &analysis) {
            let stored = near(&library.index, fingerprint, self.options.distance, &filter, &document.metadata)?;
            // What this run added takes the place of what the index held under the same id.
            found.extend(stored.into_iter().filter(|(id, _)| *id != document.id && !self.ids.contains(id)));
            library.add(&document, analysis, now)?;
        }
        nearest_first(&mut found);
        let matches: Vec<_> = found.iter().map(|(id, hamming)| json!({ "id": id, "hamming": hamming })).collect();
        let answer = json!({ "id": document.id, "matches": matches });

        let time = document.metadata.date.as_deref().and_then(Filter::seconds_of).unwrap_or(now);
        self.window.insert(fingerprint, time).map_err(anyhow::Error::from)?;
        self.ids.insert(document.id.clone());
        self.known.push_back(Known { id: document.id, metadata: document.metadata, time });
        Ok(answer)
    }

    /// Forgets what is too old, as far as the window does.
    fn forget(&mut self, since: i64) {
        let before = self.window.first();
        self.window.expire(since);
        for known in self.known.drain(..(self.window.first() - before) as usize) {
            self.ids.remove(&known.id);
        }
    }

    fn finish(self) -> anyhow::Result<()> {
        self.library.map_or(Ok(()), |mut library| Ok(library.commit()?))
    }
}

/// An index that is searched as it stood in the beginning, and added to.
struct Library {
    index: Index,
    writer: IndexWriter,
    analyser: Analyser,
    uncommitted: usize,
    committed: Instant,
}

impl Library {
    fn open(folder: &Path) -> anyhow::Result<Self> {
        let writer = IndexWriter::open(folder)?;
        let index = Index::open(&[folder.to_owned()])?;
        let analyser = Analyser::new(writer.settings());
        Ok(Library { index, writer, analyser, uncommitted: 0, committed: Instant::now() })
    }

    fn add(&mut self, document: &Document, analysis: &Analysis, now: i64) -> Result<(), NoAnswer> {
        if analysis.shingles.is_empty() {
            return Err(NoAnswer::Line(message!("no-shingle", id = document.id.as_str())));
        }
        self.writer.add(document, IndexWriter::content_hash(document), now, analysis)?;
        self.uncommitted += 1;
        if self.uncommitted == COMMIT_DOCUMENTS || self.committed.elapsed() >= COMMIT_TIME {
            self.commit()?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), IndexError> {
        self.writer.merge_segments(&MergePolicy::default())?;
        (self.uncommitted, self.committed) = (0, Instant::now());
        Ok(())
    }
}
