//! Harvesting: records are read, made documents by all threads, handed to a sink, and noted, batch by batch.

use crate::files::Files;
use crate::fingerprint::{NEAR, fingerprint};
use crate::reason::{Failure, Reason};
use crate::record::{Item, Record, Records};
use crate::source::Source;
use crate::store::{Ids, IdsFile, IdsWriter, Noted, SourceState, Store};
use crate::web::WebSettings;
use copytrace_formats::input::ReadLimits;
use copytrace_hamming::Window;
use copytrace_job::{Cancelled, Job, Stage};
use copytrace_text::prose::language_of;
use copytrace_text::{Document, Metadata};
use rayon::prelude::*;
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes of records that are read and analysed at once. More would keep more threads busy at the end of a batch, and take more memory.
const BATCH_BYTES: u64 = 8 << 20;

/// Records of a batch, where they are small.
const BATCH_RECORDS: usize = 2048;

/// A batch is no longer gathered than this, so that a slow server's records are kept soon.
const BATCH_TIME: Duration = Duration::from_secs(30);

/// After how many bytes of records, and after how much time, what was done is made real at the latest: what a kill costs. An index keeps about
/// as many bytes in memory until then.
const COMMIT_BYTES: u64 = 16 << 20;
const COMMIT_TIME: Duration = Duration::from_secs(60);

/// A run that has to read up to its place first goes on for this many times as long as that took, whatever time it has: else a long file
/// would be read again and again, and come to no end.
const WAYS: u32 = 5;

/// Why what could be read is not taken.
const NEAR_DUPLICATE: &str = "near-duplicate";
const OTHER_LANGUAGE: &str = "other-language";

/// What becomes of a document in a sink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// It was not there before.
    New,
    /// It took the place of another version of itself.
    Replaced,
    /// It was there as it is.
    Unchanged,
    /// It was refused, for this reason in words.
    Refused(String),
}

/// Where documents go. What was put there and removed becomes real with [`Sink::commit`]; doing it again after a kill must change
/// nothing.
pub trait Sink {
    /// Puts documents there, and tells what became of each.
    fn put(&mut self, documents: Vec<Document>, job: &Job) -> Result<Vec<Kept>, Box<dyn Error + Send + Sync>>;

    /// Removes the document of an id, if it is there.
    fn remove(&mut self, id: &str) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Makes everything real; gives up to which byte, if it is a file.
    fn commit(&mut self) -> Result<u64, Box<dyn Error + Send + Sync>>;
}

/// How to harvest.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How files are read.
    pub limits: ReadLimits,
    /// How servers are asked.
    pub web: WebSettings,
    /// Known of all documents, where their source says nothing of it: collection, licence, date.
    pub known: Metadata,
    /// All of a source is asked for, not only what changed: so it is seen what went there without a word.
    pub again: bool,
    /// Nothing is written or fetched but lists; records are counted.
    pub dry: bool,
    /// The languages (ISO 639-1) that are taken, where a text is long enough to tell; none for all.
    pub languages: Vec<String>,
    /// The file that says what is known of papers of arXiv, as JSON lines.
    pub arxiv_metadata: Option<PathBuf>,
    /// Reads the bytes of a file of this name, in place of this process: another one, which can reach nothing else.
    pub reader: Option<Reader>,
}

/// Reads the bytes of a file of this name.
#[doc(hidden)]
pub type Reader = fn(&str, &[u8]) -> Result<Document, Reason>;

/// What harvesting tells while it works.
#[derive(Debug)]
pub enum Seen<'a> {
    /// A record was no document; the others go on.
    Failed(&'a Failure),
    /// A source ended before its end.
    Stopped(&'a str, &'a Failure),
}

/// Why harvesting ended.
#[derive(Debug, thiserror::Error)]
pub enum HarvestError {
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The state could not be read or written.
    #[error("the state of harvesting: {0}")]
    State(#[from] io::Error),
    /// Where the documents go failed.
    #[error(transparent)]
    Sink(Box<dyn Error + Send + Sync>),
}

/// Harvests sources, one after the other, and tells what each did. What is wrong with a record or a source is told to `seen`, and the
/// others go on.
///
/// # Errors
/// When the state or the sink fail, or the job was cancelled. What was made real stays, and the next run goes on from there.
pub fn harvest(
    sources: &[Source],
    sink: &mut dyn Sink,
    store: &mut Store,
    options: &Options,
    job: &Job,
    seen: &mut dyn FnMut(Seen<'_>),
) -> Result<Vec<SourceState>, HarvestError> {
    // The pages that were taken, of all sources.
    let mut pages = Window::new(NEAR).map_err(io::Error::other)?;
    let mut run = |source| {
        let run = Run::start(source, store, options)?;
        run.know_pages(store, &mut pages)?;
        run.go(sink, store, &mut pages, job, seen)
    };
    sources.iter().map(&mut run).collect()
}

/// One source's run.
struct Run<'a> {
    source: &'a Source,
    options: &'a Options,
    name: String,
    state: SourceState,
    /// What the run before gave.
    before: Ids,
    /// What this run gave so far.
    given: Ids,
    others: Ids,
    /// The files of its records, where records may share one.
    files: Files,
    file: Option<IdsWriter>,
    /// Whether the source is asked for changes only, so that what it does not name is still there.
    changes_only: bool,
    bytes_before: u64,
    uncommitted: u64,
    committed: Instant,
}

impl<'a> Run<'a> {
    fn start(source: &'a Source, store: &Store, options: &'a Options) -> Result<Self, HarvestError> {
        let (name, sign) = (source.to_string(), source.sign(options));
        let mut state = store.state(&name);
        let goes_on = state.place.is_some() && state.sign == sign && !options.dry;
        if !goes_on {
            let (number, ids, next, documents) = (state.number, state.ids, state.next, state.documents);
            let since = state.since.take().filter(|_| !options.again && ids.is_some());
            if state.finished && state.sign == sign && sign.is_some() && !options.again && !options.dry {
                // A file that is as it was has nothing new.
                state.unchanged += std::mem::take(&mut state.new) + std::mem::take(&mut state.replaced);
                state.removed = 0;
            } else {
                store.forget(number, next);
                state = SourceState { number, ids, documents, since, sign, ..SourceState::default() };
                let run = ids.map_or(0, |ids| ids.run).max(next.map_or(0, |next| next.run)) + 1;
                state.next = (!options.dry).then_some(IdsFile { run, bytes: 0 });
            }
        }
        let changes_only = state.since.is_some();
        let (mut before, mut given) = (Ids::default(), Ids::default());
        let mut file = None;
        if let Some(next) = state.next {
            before = state.ids.map_or_else(|| Ok(Ids::default()), |ids| store.ids(state.number, ids))?;
            let mut writer = store.append(state.number, next, state.ids.filter(|_| changes_only))?;
            given = store.ids(state.number, IdsFile { bytes: writer.sync()?, ..next })?;
            file = Some(writer);
        }
        let others = store.ids_of_others(state.number)?;
        let files = match source.is_remote() {
            true => Files::of(store, state.number, state.ids, state.next, changes_only)?,
            false => Files::default(),
        };
        let bytes_before = state.bytes;
        let committed = Instant::now();
        Ok(Run {
            source,
            options,
            name,
            state,
            before,
            given,
            others,
            files,
            file,
            changes_only,
            bytes_before,
            uncommitted: 0,
            committed,
        })
    }

    /// The pages that this source gave before it was ended, or gives no more because it is as it was.
    fn know_pages(&self, store: &Store, pages: &mut Window) -> io::Result<()> {
        let known = if self.state.finished { self.state.ids } else { self.state.next };
        let Some(known) = known.filter(|_| self.source.is_crawl()) else { return Ok(()) };
        store.each(self.state.number, known, |_, noted| {
            let page = u64::from_str_radix(noted.stamp, 16).ok();
            page.map_or(Ok(()), |page| pages.insert(page, 0).map(drop).map_err(io::Error::other))
        })
    }

    fn go(
        mut self,
        sink: &mut dyn Sink,
        store: &mut Store,
        pages: &mut Window,
        job: &Job,
        seen: &mut dyn FnMut(Seen<'_>),
    ) -> Result<SourceState, HarvestError> {
        if self.state.finished {
            return Ok(self.state);
        }
        let stopped = match self.source.open(self.options, self.state.since.as_deref()) {
            Err(reason) => Some(Failure::new(&self.name, reason)),
            Ok(mut records) => self.read(records.as_mut(), sink, store, pages, job, seen)?,
        };
        match stopped {
            Some(failure) => {
                // That the time is over is nothing wrong.
                if failure.reason != Reason::TimeOver {
                    self.state.fail(&failure);
                }
                seen(Seen::Stopped(&self.name, &failure));
                self.commit(None, sink, store)?;
            }
            None if self.options.dry => {}
            None => self.finish(sink, store)?,
        }
        Ok(self.state)
    }

    /// Reads the records to their end; gives why they ended before it.
    fn read(
        &mut self,
        records: &mut dyn Records,
        sink: &mut dyn Sink,
        store: &mut Store,
        pages: &mut Window,
        job: &Job,
        seen: &mut dyn FnMut(Seen<'_>),
    ) -> Result<Option<Failure>, HarvestError> {
        let start = Instant::now();
        if let Some(place) = &self.state.place {
            records.resume(place);
        }
        let time = self.options.web.time.map(|time| time.max(start.elapsed() * WAYS));
        loop {
            let (mut batch, mut bytes, mut stopped, mut ended) = (Vec::new(), 0, None, false);
            let (began, mut pulled) = (Instant::now(), Ids::default());
            while batch.len() < BATCH_RECORDS && bytes < BATCH_BYTES && began.elapsed() < BATCH_TIME {
                // A record that was given before, in this run or in the last, with the same stamp, need not be fetched again.
                let known = |id: &str, stamp: &str| {
                    [&self.given, &self.before, &pulled].iter().any(|ids| ids.holds_as(id, stamp))
                };
                match records.next(&known, job) {
                    Some(Item::Record(record)) => {
                        bytes += record.bytes();
                        pulled.insert(&record.id, &record.stamp);
                        batch.push(Ok(*record));
                    }
                    Some(Item::Failed(failure)) => batch.push(Err(Item::Failed(failure))),
                    Some(Item::Stopped(failure)) => (stopped, ended) = (Some(failure), true),
                    Some(item) => batch.push(Err(item)),
                    None => ended = true,
                }
                if ended {
                    break;
                }
            }
            job.check()?;
            let steps = batch.len() as u64;
            self.take(batch, sink, pages, job, seen)?;
            job.advance(Stage::Reading, steps);
            if !ended && time.is_some_and(|time| start.elapsed() > time) {
                (stopped, ended) = (Some(Failure::new(&self.name, Reason::TimeOver)), true);
            }
            self.uncommitted += bytes;
            self.state.bytes = self.bytes_before + records.bytes();
            if ended && stopped.is_none() {
                self.state.since = records.since();
            }
            if ended || self.uncommitted >= COMMIT_BYTES || self.committed.elapsed() >= COMMIT_TIME {
                self.commit(Some(records.place()), sink, store)?;
            }
            if ended {
                return Ok(stopped);
            }
        }
    }

    /// Makes documents of a batch, and hands them on in its order.
    fn take(
        &mut self,
        batch: Vec<Result<Record, Item>>,
        sink: &mut dyn Sink,
        pages: &mut Window,
        job: &Job,
        seen: &mut dyn FnMut(Seen<'_>),
    ) -> Result<(), HarvestError> {
        let (languages, is_crawl) = (&self.options.languages, self.source.is_crawl());
        let read: Vec<_> = batch
            .into_par_iter()
            .map(|item| match item {
                Ok(record) if job.check().is_ok() => {
                    let (document, stamp) = record.read(self.options).map_err(Item::Failed)?;
                    let is_taken = |language| languages.iter().any(|taken| taken == language);
                    if !languages.is_empty() && !language_of(&document.text).is_none_or(is_taken) {
                        return Err(Item::LeftOut(OTHER_LANGUAGE));
                    }
                    // Pages that were taken before, but for a few words, are left out.
                    let page = is_crawl.then(|| fingerprint(&document.text)).flatten();
                    Ok((document, page.map_or(stamp, |page| format!("{page:016x}")), page))
                }
                Ok(record) => Err(Item::Gone(record.id)),
                Err(item) => Err(item),
            })
            .collect();
        job.check()?;
        let (mut documents, mut noted) = (Vec::new(), Vec::new());
        for item in read {
            match item {
                Ok((mut document, stamp, page)) => {
                    document.metadata = document.metadata.or(self.options.known.clone());
                    let is_near = |page| pages.find(page, 0).is_ok_and(|found| !found.is_empty());
                    if self.others.holds(&document.id) || !self.given_now(&document.id, &stamp) {
                        self.fail(&Failure::new(document.id, Reason::RepeatedRecord), seen);
                    } else if let Some(holder) = self.files.holder(&document).map(str::to_owned) {
                        self.given.remove(&document.id);
                        if self.before.holds(&document.id) {
                            sink.remove(&document.id).map_err(HarvestError::Sink)?;
                            self.state.removed += 1;
                        }
                        let file = self.files.want(&document);
                        self.file.as_mut().map_or(Ok(()), |ids| ids.delete(&document.id, &file))?;
                        self.fail(&Failure::new(document.id, Reason::FileTaken { id: holder }), seen);
                    } else if page.is_some_and(is_near) {
                        self.given.remove(&document.id);
                        self.leave_out(NEAR_DUPLICATE);
                    } else {
                        page.map_or(Ok(0), |page| pages.insert(page, 0)).map_err(io::Error::other)?;
                        noted.push((stamp, self.files.take(&document)));
                        documents.push(document);
                    }
                }
                Err(Item::Same(id, stamp)) => {
                    self.state.unchanged += 1;
                    if !self.given.holds(&id) && self.before.holds(&id) {
                        let file = self.files.of_record(&id);
                        self.note(&id, Noted { given: true, stamp: &stamp, file: &file })?;
                    }
                }
                Err(Item::Gone(id)) => {
                    self.files.free(&id);
                    if self.given.remove(&id) || self.before.holds(&id) {
                        sink.remove(&id).map_err(HarvestError::Sink)?;
                        self.state.removed += 1;
                        self.file.as_mut().map_or(Ok(()), |file| file.delete(&id, ""))?;
                    }
                }
                Err(Item::Failed(failure)) => self.fail(&failure, seen),
                Err(Item::LeftOut(why)) => self.leave_out(why),
                Err(_) => {}
            }
        }
        if self.options.dry {
            self.state.new += documents.len() as u64;
            return Ok(());
        }
        let ids: Vec<String> = documents.iter().map(|document| document.id.clone()).collect();
        let kept = sink.put(documents, job).map_err(HarvestError::Sink)?;
        for ((id, (stamp, file)), kept) in ids.iter().zip(&noted).zip(kept) {
            match kept {
                Kept::New => self.state.new += 1,
                Kept::Replaced => self.state.replaced += 1,
                Kept::Unchanged => self.state.unchanged += 1,
                Kept::Refused(said) => {
                    self.given.remove(id);
                    self.files.free(id);
                    self.fail(&Failure::new(id, Reason::NotKept { said }), seen);
                    continue;
                }
            }
            self.note(id, Noted { given: true, stamp, file })?;
        }
        Ok(())
    }

    /// Notes that a document was given now; false if it was in this run before. A run that asks for changes begins with the ids of the
    /// run before, so there a document may come twice.
    fn given_now(&mut self, id: &str, stamp: &str) -> bool {
        self.given.insert(id, stamp) || self.changes_only
    }

    fn note(&mut self, id: &str, noted: Noted<'_>) -> io::Result<()> {
        self.given.insert(id, noted.stamp);
        self.file.as_mut().map_or(Ok(()), |file| file.give(id, noted))
    }

    fn leave_out(&mut self, why: &str) {
        *self.state.left_out.entry(why.to_owned()).or_default() += 1;
    }

    fn fail(&mut self, failure: &Failure, seen: &mut dyn FnMut(Seen<'_>)) {
        self.state.fail(failure);
        seen(Seen::Failed(failure));
    }

    /// Makes what was done real: first the documents, then the state that says so. A kill between the two repeats some records, which
    /// are then as they were.
    fn commit(&mut self, place: Option<String>, sink: &mut dyn Sink, store: &mut Store) -> Result<(), HarvestError> {
        if self.options.dry {
            return Ok(());
        }
        store.written = sink.commit().map_err(HarvestError::Sink)?;
        if let (Some(next), Some(file)) = (&mut self.state.next, &mut self.file) {
            next.bytes = file.sync()?;
        }
        self.state.place = place.or(self.state.place.take());
        self.state.last_run = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        self.state.documents = self.given.len();
        store.save(&self.name, &self.state)?;
        (self.uncommitted, self.committed) = (0, Instant::now());
        Ok(())
    }

    /// The end of the source: what it does not give any more is removed.
    fn finish(&mut self, sink: &mut dyn Sink, store: &mut Store) -> Result<(), HarvestError> {
        let mut removed = 0;
        if let (Some(ids), false) = (self.state.ids, self.changes_only) {
            store.each_missing(self.state.number, ids, &self.given, |id| {
                removed += 1;
                self.files.free(id);
                sink.remove(id).map_err(io::Error::other)
            })?;
        }
        self.state.removed += removed;
        if self.files.waits() {
            self.state.since = None;
        }
        let old = self.state.ids;
        // Removals first: while the state names the old ids, they are found again.
        store.written = sink.commit().map_err(HarvestError::Sink)?;
        if let (Some(next), Some(file)) = (&mut self.state.next, &mut self.file) {
            next.bytes = file.sync()?;
        }
        (self.state.ids, self.state.next) = (self.state.next, None);
        (self.state.place, self.state.finished) = (None, true);
        self.commit(None, sink, store)?;
        store.forget(self.state.number, old);
        Ok(())
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
