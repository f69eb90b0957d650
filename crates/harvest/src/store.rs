//! What harvesting did so far, in a folder: for each source where it is, what it gave, and what was wrong.
//!
//! The state is one file, which is written aside and renamed, so that it is always one whole state. The ids that a source gave stand in
//! a file of their own, to which each run of it only appends; the state says up to where it counts.

use crate::reason::{Failure, Reason};
use ahash::{AHashMap, RandomState};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// What is known of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceState {
    /// When a run of it last did something, in UTC (RFC 3339).
    pub last_run: String,
    /// Whether the last run came to the end of the source.
    pub finished: bool,
    /// How many documents of it are kept.
    pub documents: u64,
    /// Of the last run: how many documents were new.
    pub new: u64,
    /// How many took the place of another version of themselves.
    pub replaced: u64,
    /// How many were as they had been.
    pub unchanged: u64,
    /// How many were removed, because they went there.
    pub removed: u64,
    /// How many were left out because they were not wanted: `near-duplicate`, `other-language`.
    pub left_out: BTreeMap<String, u64>,
    /// Bytes that were read, as they lie there or came over the network.
    pub bytes: u64,
    /// What was wrong with records, by the code of the reason.
    pub errors: BTreeMap<String, Errors>,
    /// What the source was when the run began; another one is read from its beginning.
    pub(crate) sign: Option<String>,
    /// Where the run goes on.
    pub(crate) place: Option<String>,
    /// What the next run asks for changes since.
    pub(crate) since: Option<String>,
    /// The number of the source, by which its files are named.
    pub(crate) number: u32,
    /// The run whose ids are whole, and how many bytes they take.
    pub(crate) ids: Option<IdsFile>,
    /// The same of the run that has not come to its end.
    pub(crate) next: Option<IdsFile>,
}

/// Records that failed for one reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Errors {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<String>,
    /// The reason of the first of them.
    #[serde(default)]
    pub reason: Option<Reason>,
}

/// The most records that are named of those that failed for one reason.
const EXAMPLES: usize = 5;

/// A file of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IdsFile {
    pub(crate) run: u64,
    pub(crate) bytes: u64,
}

impl SourceState {
    pub(crate) fn fail(&mut self, failure: &Failure) {
        let errors = self.errors.entry(failure.reason.code()).or_default();
        errors.count += 1;
        errors.reason.get_or_insert_with(|| failure.reason.clone());
        if errors.examples.len() < EXAMPLES && !failure.id.is_empty() {
            errors.examples.push(failure.id.clone());
        }
    }
}

/// The folder of the state.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    states: BTreeMap<String, SourceState>,
    /// Where what the sources gave was written up to, if a file knows it.
    pub(crate) written: u64,
}

/// The file of the state.
#[derive(Serialize, Deserialize)]
struct Written {
    sources: BTreeMap<String, SourceState>,
    written: u64,
}

const STATE: &str = "state.json";

impl Store {
    /// Opens the folder; one that is not there yet is a state in which nothing was done.
    ///
    /// # Errors
    /// When the state cannot be read.
    pub fn open(folder: &Path) -> io::Result<Store> {
        let mut store = Store { folder: folder.to_owned(), states: BTreeMap::new(), written: 0 };
        match fs::read(folder.join(STATE)) {
            Ok(bytes) => {
                let Written { sources, written } = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
                (store.states, store.written) = (sources, written);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(store)
    }

    /// The sources by their names, with what is known of them.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &SourceState)> {
        self.states.iter().map(|(name, state)| (name.as_str(), state))
    }

    /// Calls `with` for the id of each document that some source gave, more than once for some.
    ///
    /// # Errors
    /// When a file of the state cannot be read.
    #[doc(hidden)]
    pub fn each_id(&self, mut with: impl FnMut(&str)) -> io::Result<()> {
        for state in self.states.values() {
            for file in [state.ids, state.next].into_iter().flatten() {
                self.each(state.number, file, |id, _| {
                    with(id);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    pub(crate) fn state(&self, name: &str) -> SourceState {
        let number = || self.states.values().map(|state| state.number + 1).max().unwrap_or(0);
        self.states.get(name).cloned().unwrap_or_else(|| SourceState { number: number(), ..SourceState::default() })
    }

    /// Makes a state of a source what counts from now on.
    pub(crate) fn save(&mut self, name: &str, state: &SourceState) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        self.states.insert(name.to_owned(), state.clone());
        let written = Written { sources: self.states.clone(), written: self.written };
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        serde_json::to_writer_pretty(&mut file, &written)?;
        file.as_file().sync_all()?;
        file.persist(self.folder.join(STATE)).map_err(|error| error.error)?;
        Ok(())
    }

    /// Forgets everything, and takes the files away.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn path(&self, number: u32, ids: IdsFile) -> PathBuf {
        self.folder.join(format!("{number}-{}.ids", ids.run))
    }

    /// The ids that a whole run of every source gave, but for those of one, by their hashes.
    pub(crate) fn ids_of_others(&self, number: u32) -> io::Result<Ids> {
        let mut ids = Ids::default();
        for state in self.states.values().filter(|state| state.number != number) {
            for file in [state.ids, state.next].into_iter().flatten() {
                ids.read(&self.path(state.number, file), file.bytes)?;
            }
        }
        Ok(ids)
    }

    /// The ids of one file.
    pub(crate) fn ids(&self, number: u32, file: IdsFile) -> io::Result<Ids> {
        let mut ids = Ids::default();
        ids.read(&self.path(number, file), file.bytes)?;
        Ok(ids)
    }

    /// Calls `with` for each id of a file with what is noted of it.
    pub(crate) fn each(
        &self,
        number: u32,
        file: IdsFile,
        with: impl FnMut(&str, Noted<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        lines(&self.path(number, file), file.bytes, with)
    }

    /// Calls `with` for each id that stands in one file and not among others.
    pub(crate) fn each_missing(
        &self,
        number: u32,
        file: IdsFile,
        among: &Ids,
        mut with: impl FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        // An id may stand there more than once, and at last as deleted.
        let last = self.ids(number, file)?;
        self.each(
            number,
            file,
            |id, _| {
                if id.is_empty() || !last.holds(id) || among.holds(id) { Ok(()) } else { with(id) }
            },
        )
    }

    /// Opens the file of a run's ids for appending behind what counts of it. A run that asks for changes only goes on from the ids
    /// before it.
    pub(crate) fn append(&self, number: u32, file: IdsFile, from: Option<IdsFile>) -> io::Result<IdsWriter> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(number, file);
        if let Some(from) = from.filter(|_| file.bytes == 0) {
            fs::copy(self.path(number, from), &path)?;
            OpenOptions::new().write(true).open(&path)?.set_len(from.bytes)?;
        } else {
            OpenOptions::new().create(true).truncate(false).write(true).open(&path)?.set_len(file.bytes)?;
        }
        let mut file = OpenOptions::new().append(true).open(&path)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(IdsWriter(BufWriter::new(file)))
    }

    /// Takes a file of ids away that no state names any more.
    pub(crate) fn forget(&self, number: u32, file: Option<IdsFile>) {
        // What stays because it cannot be removed does no harm.
        file.into_iter().for_each(|file| drop(fs::remove_file(self.path(number, file))));
    }
}

/// What is noted of a document beside its id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noted<'a> {
    /// Whether it is there, and was not deleted or refused.
    pub(crate) given: bool,
    /// By what its source tells that it changed; of a page its fingerprint.
    pub(crate) stamp: &'a str,
    /// What its file is told from others by; empty where files are not told apart.
    pub(crate) file: &'a str,
}

/// A value that ends no line and no column: a repository that puts an end of line into a stamp would else write ids of other sources
/// into its own list, from which they would be removed one day.
fn in_line(value: &str) -> Cow<'_, str> {
    match value.contains(char::is_control) {
        true => value.replace(char::is_control, " ").into(),
        false => value.into(),
    }
}

/// Appends the ids that a run gives.
pub(crate) struct IdsWriter(BufWriter<File>);

/// What stands before the id of a document that was deleted.
const DELETED: char = '-';
const GIVEN: char = '+';

impl IdsWriter {
    /// A document of this id, and what is noted of it.
    pub(crate) fn give(&mut self, id: &str, noted: Noted<'_>) -> io::Result<()> {
        writeln!(self.0, "{GIVEN}{}\t{}\t{}", in_line(id), in_line(noted.stamp), noted.file)
    }

    /// No document of this id, and perhaps the file that it would have had.
    pub(crate) fn delete(&mut self, id: &str, file: &str) -> io::Result<()> {
        writeln!(self.0, "{DELETED}{}\t\t{file}", in_line(id))
    }

    /// Puts all on the disk, and gives how many bytes there are.
    pub(crate) fn sync(&mut self) -> io::Result<u64> {
        self.0.flush()?;
        self.0.get_ref().sync_data()?;
        Ok(self.0.get_ref().metadata()?.len())
    }
}

/// Ids by their hashes, each with that of its stamp: 16 bytes for a document, however long its id is.
#[derive(Debug)]
pub(crate) struct Ids {
    hashes: AHashMap<u64, u32>,
    hash: RandomState,
}

impl Default for Ids {
    fn default() -> Self {
        Ids { hashes: AHashMap::new(), hash: RandomState::with_seeds(1, 2, 3, 4) }
    }
}

impl Ids {
    pub(crate) fn holds(&self, id: &str) -> bool {
        self.hashes.contains_key(&self.hash.hash_one(id))
    }

    /// Whether the id is there with this stamp, which tells something.
    pub(crate) fn holds_as(&self, id: &str, stamp: &str) -> bool {
        !stamp.is_empty() && self.hashes.get(&self.hash.hash_one(id)) == Some(&(self.hash.hash_one(stamp) as u32))
    }

    /// Puts an id there; tells whether it was not there before.
    pub(crate) fn insert(&mut self, id: &str, stamp: &str) -> bool {
        self.hashes.insert(self.hash.hash_one(id), self.hash.hash_one(stamp) as u32).is_none()
    }

    /// Takes an id away; tells whether it was there.
    pub(crate) fn remove(&mut self, id: &str) -> bool {
        self.hashes.remove(&self.hash.hash_one(id)).is_some()
    }

    pub(crate) fn len(&self) -> u64 {
        self.hashes.len() as u64
    }

    fn read(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        lines(path, bytes, |id, noted| {
            match noted.given {
                true => self.insert(id, noted.stamp),
                false => self.remove(id),
            };
            Ok(())
        })
    }
}

/// Calls `with` for each id of a file with what is noted of it.
fn lines(path: &Path, bytes: u64, mut with: impl FnMut(&str, Noted<'_>) -> io::Result<()>) -> io::Result<()> {
    use std::io::Read;
    if bytes == 0 {
        return Ok(());
    }
    for line in BufReader::new(File::open(path)?.take(bytes)).lines() {
        let line = line?;
        let (id, noted) = line.split_once('\t').unwrap_or((&line, ""));
        let (stamp, file) = noted.split_once('\t').unwrap_or((noted, ""));
        match id.strip_prefix(GIVEN) {
            Some(id) => with(id, Noted { given: true, stamp, file })?,
            None => with(id.trim_start_matches(DELETED), Noted { given: false, stamp, file })?,
        }
    }
    Ok(())
}
