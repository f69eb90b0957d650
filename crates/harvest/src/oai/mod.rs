//! Repositories by OAI-PMH 2.0: their records in Dublin Core, and the files behind them.

mod answer;
mod clock;
mod files;

use crate::reason::{Failure, Reason};
use crate::record::{Content, Item, Record, Records};
use crate::run::Options;
use crate::web::media::{self, Kind};
use crate::web::{Answer, Client, Manners, asks_who_one_is, file_named};
use ahash::RandomState;
use answer::{Entry, Page, joined};
use copytrace_job::Job;
use copytrace_text::Metadata;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use url::Url;

/// How often a list is begun anew because the repository forgot where it was.
const RESTARTS: u32 = 3;

/// Addresses of one record that are tried.
const MOST_ADDRESSES: usize = 5;

/// Bytes of one record in XML; one that names ten thousand files has some.
const RECORD_BYTES: u64 = 8 << 20;

/// Bytes of an answer in XML; a page of a hundred records has some hundred thousand.
const ANSWER_BYTES: u64 = 64 << 20;

/// How many pages one after the other end a list if none has a record that the page before had not.
const MOST_WITHOUT: u32 = 100;

/// Where a run of a list is, as the state keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    /// The token that the page at hand was asked for with.
    token: Option<String>,
    /// How many of its records were given.
    given: usize,
    /// The server's time when the list began.
    began: Option<String>,
    /// Whether a record could not be had for a reason that passes: then the next run asks for all again that this one asked for, and
    /// fetches what it has not.
    #[serde(default)]
    lacks: bool,
}

/// The records of a repository, or of one of its sets.
pub(crate) struct OaiRecords {
    base: Url,
    set: Option<String>,
    prefix: String,
    since: Option<String>,
    client: Client,
    known: Metadata,
    dry: bool,
    place: Place,
    page: VecDeque<Entry>,
    /// Where the list goes on behind the page at hand.
    next: Option<String>,
    /// Tokens that were used.
    tokens: BTreeSet<String>,
    granularity: String,
    /// The format that names files, if the repository has one; unknown until it is needed.
    format: Option<Option<&'static str>>,
    /// The records of the last page, as one number, and how many pages came that brought no others.
    last_page: u64,
    without: u32,
    restarts: u32,
    /// Why the list ends behind the page at hand, though it says that it goes on.
    stops_with: Option<Reason>,
    stage: Stage,
    /// Whether a record was given in this run.
    began: bool,
    /// What is told before the next record.
    failures: VecDeque<Failure>,
}

/// By what pages are told apart within a run.
const PAGES: RandomState = RandomState::with_seeds(1, 2, 3, 4);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The repository was not asked yet who it is.
    Unknown,
    /// A page is to be fetched.
    Listing,
    /// A page was fetched, and its records are given.
    Giving,
    Ended,
}

impl OaiRecords {
    /// A repository at an address, which may name a set and a metadata prefix in its query.
    pub(crate) fn new(address: &str, options: &Options, since: Option<&str>) -> Result<Self, Reason> {
        let bad = || Reason::BadAddress { address: address.to_owned() };
        let mut base = Url::parse(address).map_err(|_| bad())?;
        let (mut set, mut prefix, mut others) = (None, "oai_dc".to_owned(), Vec::new());
        for (key, value) in base.query_pairs().into_owned() {
            match key.as_str() {
                "verb" => {}
                "set" => set = Some(value),
                "metadataPrefix" => prefix = value,
                _ => others.push((key, value)),
            }
        }
        base.set_query(None);
        if !others.is_empty() {
            base.query_pairs_mut().extend_pairs(others);
        }
        Ok(OaiRecords {
            base,
            set,
            prefix,
            since: since.map(str::to_owned),
            client: Client::new(&options.web),
            known: options.known.clone(),
            dry: options.dry,
            place: Place::default(),
            page: VecDeque::new(),
            next: None,
            tokens: BTreeSet::new(),
            granularity: clock::DAYS.to_owned(),
            format: None,
            last_page: 0,
            without: 0,
            restarts: 0,
            stops_with: None,
            stage: Stage::Unknown,
            began: false,
            failures: VecDeque::new(),
        })
    }

    /// Asks the repository for something.
    fn ask(&mut self, arguments: &[(&str, &str)], job: &Job) -> Result<Page, Reason> {
        self.ask_within(arguments, ANSWER_BYTES, job)
    }

    fn ask_within(&mut self, arguments: &[(&str, &str)], bytes: u64, job: &Job) -> Result<Page, Reason> {
        let mut address = self.base.clone();
        address.query_pairs_mut().extend_pairs(arguments);
        let answer = self.client.fetch_within(&address, Manners::Invited, bytes, job)?;
        Ok(answer::read(answer.bytes))
    }

    /// Asks the repository who it is, and how exactly it tells time.
    fn identify(&mut self, job: &Job) -> Result<(), Reason> {
        let page = self.ask(&[("verb", "Identify")], job)?;
        if let Some(reason) = page.broken {
            return Err(reason);
        }
        self.granularity = page.granularity.unwrap_or_else(|| self.granularity.clone());
        self.known.collection = self.known.collection.take().or(page.repository);
        self.stage = Stage::Listing;
        Ok(())
    }

    /// Fetches the next page of the list.
    fn turn(&mut self, job: &Job) -> Result<(), Reason> {
        let (token, prefix, set) = (self.place.token.clone(), self.prefix.clone(), self.set.clone());
        let since = self.since.as_deref().map(|since| clock::in_granularity(since, &self.granularity));
        let mut arguments = vec![("verb", "ListRecords")];
        match &token {
            Some(token) => arguments.push(("resumptionToken", token)),
            None => {
                arguments.push(("metadataPrefix", &prefix));
                arguments.extend(set.as_deref().map(|set| ("set", set)));
                arguments.extend(since.as_deref().map(|since| ("from", since)));
            }
        }
        let page = self.ask(&arguments, job)?;
        match page.error {
            Some((error, _)) if error == "noRecordsMatch" => {
                self.begin(page.date);
                self.stage = Stage::Ended;
                return Ok(());
            }
            // The token is older than the repository remembers: from the beginning, past what was given.
            Some((error, _)) if error == "badResumptionToken" && token.is_some() && self.restarts < RESTARTS => {
                self.restarts += 1;
                self.tokens.clear();
                self.place = Place { given: 0, token: None, ..self.place.clone() };
                return Ok(());
            }
            // A time that the repository does not understand, or not any more: then all is asked for, and what did not change is
            // passed over.
            Some((error, _)) if error == "badArgument" && token.is_none() && self.since.is_some() => {
                self.since = None;
                return Ok(());
            }
            Some((error, said)) => return Err(Reason::OaiError { error, said }),
            None => {}
        }
        match (page.broken, &page.token) {
            (Some(reason), None) if page.entries.is_empty() => return Err(reason),
            (Some(reason), _) => self.failures.push_back(Failure::new(self.base.as_str(), reason)),
            (None, _) => {}
        }
        self.begin(page.date);
        if let Some(token) = token {
            self.tokens.insert(token);
        }
        self.next = page.token;
        if self.next.as_ref().is_some_and(|next| self.tokens.contains(next)) {
            (self.next, self.stops_with) = (None, Some(Reason::TokenRepeats));
        }
        let records = PAGES.hash_one(page.entries.iter().map(|entry| (&entry.id, &entry.stamp)).collect::<Vec<_>>());
        self.without = if page.entries.is_empty() || records == self.last_page { self.without + 1 } else { 0 };
        self.last_page = records;
        if self.without == MOST_WITHOUT {
            (self.next, self.stops_with) = (None, Some(Reason::PagesRepeat { pages: MOST_WITHOUT }));
        }
        self.stage = Stage::Giving;
        let (named, nameless): (Vec<Entry>, Vec<Entry>) =
            page.entries.into_iter().partition(|entry| !entry.id.is_empty());
        self.failures.extend(nameless.iter().map(|_| Failure::new(self.base.as_str(), Reason::NoIdentifier)));
        self.page = named.into();
        self.page.drain(..self.place.given.min(self.page.len()));
        Ok(())
    }

    /// Notes when the list began, from which the next run asks for changes.
    fn begin(&mut self, said: Option<String>) {
        self.place.began.get_or_insert_with(|| clock::earlier(said.as_deref(), jiff::Timestamp::now()));
    }

    /// The item of a record.
    fn item(&mut self, entry: Entry, seen: &dyn Fn(&str, &str) -> bool, job: &Job) -> Item {
        if entry.deleted {
            return Item::Gone(entry.id);
        }
        if seen(&entry.id, &entry.stamp) {
            return Item::Same(entry.id, entry.stamp);
        }
        let content = if self.dry { Ok(Content::Text(entry.id.clone())) } else { self.file(&entry, job) };
        match content {
            // What is asked for when the time is over is asked for again in the next run.
            Err(Reason::TimeOver) => Item::stopped(entry.id, Reason::TimeOver),
            Err(reason) if passes(&reason) => {
                // Of a server that is down nothing more is asked; this record is the next run's first.
                if self.ask(&[("verb", "Identify")], job).is_err() {
                    return Item::stopped(entry.id, reason);
                }
                self.place.lacks = true;
                Item::failed(entry.id, reason)
            }
            Err(reason) => Item::failed(entry.id, reason),
            Ok(content) => {
                let provenance = self.provenance(&entry);
                Item::Record(Box::new(Record { id: entry.id, stamp: entry.stamp, provenance, content }))
            }
        }
    }

    fn provenance(&self, entry: &Entry) -> Metadata {
        let all = |name: &str| entry.dublin_core.get(name).cloned().unwrap_or_default();
        let first = |name: &str| all(name).into_iter().next();
        let rights = all("rights");
        let is_licence = |right: &&String| {
            let right = right.to_lowercase();
            right.starts_with("http") || right.contains("creativecommons") || right.starts_with("cc")
        };
        let licence = rights.iter().find(is_licence).or(rights.first()).cloned();
        Metadata {
            title: first("title"),
            author: Some(joined(&all("creator"))).filter(|author| !author.is_empty()),
            date: first("date").or(self.known.date.clone()),
            collection: self.known.collection.clone(),
            url: addresses(entry).first().map(Url::to_string),
            licence: licence.or(self.known.licence.clone()),
        }
    }

    /// The file of a record: what its addresses lead to, or what the landing page there names; else what the repository names in
    /// another format.
    fn file(&mut self, entry: &Entry, job: &Job) -> Result<Content, Reason> {
        let mut addresses = addresses(entry);
        // Those that are files by their names save the way over the landing page.
        addresses.sort_by_key(|address| media::by_address(address.as_str()).is_none_or(|ending| ending == "html"));
        let why = match self.first(addresses, job) {
            Err(why) if why != Reason::TimeOver && !passes(&why) => why,
            done => return done,
        };
        let named = self.files_named(&entry.id, job)?;
        if named.is_empty() { Err(why) } else { self.first(named, job) }
    }

    /// The first file that addresses lead to.
    fn first(&mut self, addresses: Vec<Url>, job: &Job) -> Result<Content, Reason> {
        let mut why = Reason::NoFileNamed;
        for address in addresses.into_iter().take(MOST_ADDRESSES) {
            match self.follow(&address, job) {
                Ok(content) => return Ok(content),
                Err(Reason::TimeOver) => return Err(Reason::TimeOver),
                // The first reason that says something counts.
                Err(reason) if why == Reason::NoFileNamed => why = reason,
                Err(_) => {}
            }
        }
        Err(why)
    }

    /// The files of a record in a format that names files, if the repository has one.
    fn files_named(&mut self, id: &str, job: &Job) -> Result<Vec<Url>, Reason> {
        let format = match self.format {
            Some(format) => format,
            None => {
                let offered = self.ask_further(&[("verb", "ListMetadataFormats")], job)?.formats;
                let format = files::FORMATS.into_iter().find(|format| offered.iter().any(|offered| offered == format));
                *self.format.insert(format)
            }
        };
        let Some(format) = format else { return Ok(Vec::new()) };
        let page = self.ask_further(&[("verb", "GetRecord"), ("metadataPrefix", format), ("identifier", id)], job)?;
        let record = page.entries.iter().find(|entry| entry.id == id && !entry.deleted);
        Ok(record.map(|entry| entry.files.addresses()).unwrap_or_default())
    }

    /// Asks for what a record can do without; only what passes is a reason why it is not had.
    fn ask_further(&mut self, arguments: &[(&str, &str)], job: &Job) -> Result<Page, Reason> {
        match self.ask_within(arguments, RECORD_BYTES, job) {
            Err(reason) if reason != Reason::TimeOver && !passes(&reason) => Ok(Page::default()),
            done => done,
        }
    }

    fn follow(&mut self, address: &Url, job: &Job) -> Result<Content, Reason> {
        let answer = self.client.fetch(address, Manners::Visiting, job)?;
        let promised = media::by_address(address.as_str()).is_some_and(|ending| ending != "html");
        match content(&answer) {
            Some(content) => Ok(content),
            None if !is_page(&answer) => Err(Reason::KindNotRead { kind: answer.media_type }),
            None => match file_named(&answer.links, &answer.bytes).and_then(|file| answer.address.join(&file).ok()) {
                Some(file) => {
                    let answer = self.client.fetch(&file, Manners::Visiting, job)?;
                    content(&answer).ok_or_else(|| in_place_of_a_file(&answer))
                }
                None if promised => Err(in_place_of_a_file(&answer)),
                None if asks_who_one_is(answer.address.as_str(), &answer.bytes) => Err(Reason::LoginPage),
                None => Err(Reason::NoFileNamed),
            },
        }
    }
}

/// Whether another run may have what this one could not have.
fn passes(reason: &Reason) -> bool {
    use Reason::{AnswerSlow, NoConnection, ServerBusy, StatusRefused};
    matches!(reason, NoConnection { .. } | AnswerSlow { .. } | ServerBusy { .. } | StatusRefused { status: 500.. })
}

/// What a record's identifiers lead to, in its order.
fn addresses(entry: &Entry) -> Vec<Url> {
    let identifiers = entry.dublin_core.get("identifier").into_iter().flatten();
    let found = identifiers.filter_map(|identifier| {
        let identifier = identifier.trim();
        let bare = identifier.strip_prefix("doi:").unwrap_or(identifier);
        let doi = bare.starts_with("10.").then(|| format!("https://doi.org/{bare}"));
        Url::parse(doi.as_deref().unwrap_or(identifier)).ok()
    });
    found.filter(|address| matches!(address.scheme(), "http" | "https")).collect()
}

/// The file of an answer, if it is one and not a page.
fn content(answer: &Answer) -> Option<Content> {
    match media::kind(&answer.media_type, answer.address.as_str(), &answer.bytes) {
        Kind::Read(ending) if ending != "html" => {
            let bytes = media::in_utf8(&answer.media_type, ending, answer.bytes.clone());
            Some(Content::File(format!("file.{ending}"), bytes))
        }
        _ => None,
    }
}

fn is_page(answer: &Answer) -> bool {
    media::kind(&answer.media_type, answer.address.as_str(), &answer.bytes) == Kind::Read("html")
}

fn in_place_of_a_file(answer: &Answer) -> Reason {
    match (is_page(answer), asks_who_one_is(answer.address.as_str(), &answer.bytes)) {
        (true, true) => Reason::LoginPage,
        (true, false) => Reason::PageForFile,
        (false, _) => Reason::KindNotRead { kind: answer.media_type.clone() },
    }
}

impl Records for OaiRecords {
    fn next(&mut self, seen: &dyn Fn(&str, &str) -> bool, job: &Job) -> Option<Item> {
        loop {
            job.check().ok()?;
            if let Some(failure) = self.failures.pop_front() {
                return Some(Item::Failed(failure));
            }
            if self.began && self.stage != Stage::Ended && self.client.is_over() {
                self.stage = Stage::Ended;
                self.page.clear();
                return Some(Item::stopped(self.base.as_str(), Reason::TimeOver));
            }
            if let Some(entry) = self.page.pop_front() {
                self.began = true;
                let item = self.item(entry, seen, job);
                if matches!(item, Item::Stopped(_)) {
                    self.stage = Stage::Ended;
                } else {
                    self.place.given += 1;
                }
                return Some(item);
            }
            let done = match self.stage {
                Stage::Ended => return None,
                Stage::Unknown => self.identify(job),
                Stage::Listing => self.turn(job),
                Stage::Giving => match (self.next.take(), self.stops_with.take()) {
                    (Some(token), _) => {
                        (self.place.token, self.place.given, self.stage) = (Some(token), 0, Stage::Listing);
                        Ok(())
                    }
                    (None, Some(reason)) => Err(reason),
                    (None, None) => return None,
                },
            };
            if let Err(reason) = done {
                self.stage = Stage::Ended;
                return Some(Item::stopped(self.base.as_str(), reason));
            }
        }
    }

    fn resume(&mut self, place: &str) {
        self.place = serde_json::from_str(place).unwrap_or_default();
    }

    fn place(&self) -> String {
        serde_json::to_string(&self.place).unwrap_or_default()
    }

    fn since(&self) -> Option<String> {
        if self.place.lacks { self.since.clone() } else { self.place.began.clone() }
    }

    fn bytes(&self) -> u64 {
        self.client.bytes()
    }
}

#[cfg(test)]
mod tests;
