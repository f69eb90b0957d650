//! What was computed of documents and is kept beside an index: for each content a value, in files of one name.
//!
//! A file holds the contents' hashes with their values, in the container of segments, so that damage is noticed. Files never
//! change. A reader finds a value by the content alone, so it does not matter how segments are merged; a value whose content
//! has left the index leaves with it ([`IndexWriter::compact`], [`IndexWriter::merge_segments`]).

use super::disk::{self, Aside};
use super::error::IndexError;
use super::home::Home;
use super::layout;
use super::segment::container::{self, ContainerWriter, Section};
use super::segment::slot::Bytes as _;
use super::writer::IndexWriter;
use ahash::{AHashMap, AHashSet};
use bytes::Bytes;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bytes of values in a file, some more than fewer: what is lost when a long computation is interrupted, and what is copied when one
/// document goes.
const FILE_BYTES: usize = 64 << 20;

/// Bytes of a content's hash (SHA-256), and of a row: the hash and where the value ends.
const HASH: usize = 32;
const ROW: usize = HASH + 8;

/// A content's hash.
type Hash = [u8; HASH];

/// The values of one name.
#[derive(Debug, Default)]
pub struct Derived {
    files: Vec<ValueFile>,
    /// By hash: in which file, and where.
    places: AHashMap<Hash, (usize, u64, u64)>,
}

#[derive(Debug)]
struct ValueFile {
    path: PathBuf,
    hashes: Vec<Hash>,
    values: Section,
    shared: Bytes,
}

impl Derived {
    /// Opens what is kept under a name beside the index in `folder`; nothing if there is nothing.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged.
    pub fn open(folder: &Path, name: &str) -> Result<Self, IndexError> {
        let mut derived = Derived::default();
        for path in files(folder)? {
            if name_of(&path) == Some(name) {
                match derived.add(&path) {
                    // A writer put its values into another file.
                    Err(IndexError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {}
                    added => added?,
                }
            }
        }
        Ok(derived)
    }

    fn add(&mut self, path: &Path) -> Result<(), IndexError> {
        let [rows, values]: [Section; 2] = container::open(path)?;
        let damaged = || IndexError::damaged(path, "a row of a value");
        let (rows, rest) = rows.all().ok_or_else(damaged)?.as_chunks::<ROW>();
        let (mut hashes, mut start) = (Vec::with_capacity(rows.len()), 0);
        for row in rows {
            let (hash, end) = row.split_first_chunk::<HASH>().ok_or_else(damaged)?;
            let end = u64::from_le_bytes(*end.first_chunk().ok_or_else(damaged)?);
            if start > end || end > values.len() {
                return Err(damaged());
            }
            hashes.push(*hash);
            self.places.insert(*hash, (self.files.len(), start, end));
            start = end;
        }
        if !rest.is_empty() {
            return Err(damaged());
        }
        self.files.push(ValueFile { path: path.to_owned(), hashes, shared: Bytes::from_owner(values.share()), values });
        Ok(())
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The value of a content.
    ///
    /// # Errors
    /// When its bytes are damaged.
    pub fn get(&self, content: &[u8]) -> Result<Option<Bytes>, IndexError> {
        let place = <&Hash>::try_from(content).ok().and_then(|hash| self.places.get(hash));
        let Some(&(number, start, end)) = place else { return Ok(None) };
        let file = &self.files[number];
        // Looked at for its checksums; the bytes that are given are the same, kept alive with the file.
        file.values.bytes(start, end).ok_or_else(|| IndexError::damaged(&file.path, "a value"))?;
        Ok(Some(file.shared.slice(start as usize..end as usize)))
    }
}

/// Keeps values beside an index while its writer holds the lock.
pub struct Keeper<'a> {
    folder: &'a Path,
    name: String,
    known: Derived,
    new: Vec<(Hash, Bytes)>,
    bytes: usize,
}

impl Keeper<'_> {
    /// What is kept so far and can be read: not what was given since.
    pub fn known(&self) -> &Derived {
        &self.known
    }

    /// Keeps a value. It is on the disk when much was given, or after [`Keeper::finish`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, content: &[u8], value: Bytes) -> Result<(), IndexError> {
        let hash = Hash::try_from(content).map_err(|_| IndexError::damaged(self.folder, "a content's hash"))?;
        self.bytes += value.len();
        self.new.push((hash, value));
        if self.bytes >= FILE_BYTES { self.write() } else { Ok(()) }
    }

    /// Writes what is left, with that of small files in one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), IndexError> {
        let small: Vec<usize> = (0..self.known.files.len())
            .filter(|&file| self.known.files[file].values.len() < FILE_BYTES as u64)
            .collect();
        match self.new.is_empty() && small.len() < 2 {
            true => Ok(()),
            false => self.replace(&small, |_| true),
        }
    }

    /// Writes the values of some files anew, those that are `wanted`, and removes the files.
    fn replace(&mut self, old: &[usize], wanted: impl Fn(&Hash) -> bool) -> Result<(), IndexError> {
        for &number in old {
            for hash in self.known.files[number].hashes.clone() {
                let is_its = self.known.places.get(&hash).is_some_and(|place| place.0 == number);
                if let (true, true, Some(value)) = (is_its, wanted(&hash), self.known.get(&hash)?) {
                    self.keep(&hash, value)?;
                }
            }
        }
        self.write()?;
        for &number in old {
            // On Windows a file that somebody reads stays until the next time.
            let _ = fs::remove_file(&self.known.files[number].path);
        }
        Ok(())
    }

    /// Writes what was given, as one file, in the order of the hashes.
    fn write(&mut self) -> Result<(), IndexError> {
        let mut values = std::mem::take(&mut self.new);
        self.bytes = 0;
        values.sort_by_key(|(hash, _)| *hash);
        values.dedup_by_key(|(hash, _)| *hash);
        if values.is_empty() {
            return Ok(());
        }
        let folder = layout::derived(self.folder);
        disk::create_folder(&folder)?;
        let aside = Aside::write(layout::file(&folder, &self.name, layout::PART), |out, path| {
            let write = || {
                let mut container = ContainerWriter::new(out, 2)?;
                let mut section = container.section(1);
                let (mut rows, mut end) = (Vec::with_capacity(values.len() * ROW), 0);
                for (hash, value) in &values {
                    section.write_all(value)?;
                    end += value.len() as u64;
                    rows.extend_from_slice(hash);
                    rows.extend_from_slice(&end.to_le_bytes());
                }
                section.finish()?;
                container.put(0, &rows)?;
                container.finish()
            };
            write().map_err(|error| IndexError::io(path, error))
        })?;
        let [rows, _]: [Section; 2] = container::open(aside.path())?;
        let place = folder.join(format!("{}-{:016x}.{}", self.name, rows.seal(), layout::VALUES));
        drop(rows);
        aside.put(&place)?;
        disk::sync_folder(&folder)
    }
}

impl IndexWriter {
    /// Keeps values under a name, which is of letters and digits; an index in memory keeps none.
    ///
    /// # Errors
    /// When what is kept already is damaged.
    pub fn keeper(&self, name: &str) -> Result<Option<Keeper<'_>>, IndexError> {
        let Home::Folder { folder, .. } = &self.home else { return Ok(None) };
        // What an interrupted writer left.
        super::home::remove(&layout::file(&layout::derived(folder), name, layout::PART))?;
        let known = Derived::open(folder, name)?;
        Ok(Some(Keeper { folder, name: name.to_owned(), known, new: Vec::new(), bytes: 0 }))
    }

    /// Takes over the values of another index. An index without texts takes none: they are of use beside the texts alone.
    pub(super) fn take_derived(&self, from: &Path) -> Result<(), IndexError> {
        let files = files(from)?;
        let names: BTreeSet<&str> = files.iter().filter_map(|path| name_of(path)).collect();
        for name in names.into_iter().filter(|_| self.keeps_texts) {
            let Some(mut keeper) = self.keeper(name)? else { continue };
            let theirs = Derived::open(from, name)?;
            for hash in theirs.files.iter().flat_map(|file| &file.hashes) {
                if let (None, Some(value)) = (keeper.known().get(hash)?, theirs.get(hash)?) {
                    keeper.keep(hash, value)?;
                }
            }
            keeper.finish()?;
        }
        Ok(())
    }

    /// Forgets the values of contents that the index holds no more.
    pub(super) fn forget_derived(&self) -> Result<(), IndexError> {
        let Home::Folder { folder, .. } = &self.home else { return Ok(()) };
        let files = files(folder)?;
        let names: BTreeSet<&str> = files.iter().filter_map(|path| name_of(path)).collect();
        if names.is_empty() {
            return Ok(());
        }
        let mut held: AHashSet<Hash> = AHashSet::new();
        self.catalogue.for_each(|place, _| {
            held.extend(Hash::try_from(self.record(place)?.content));
            Ok(())
        })?;
        for name in names {
            let Some(mut keeper) = self.keeper(name)? else { continue };
            let is_left = |file: &ValueFile| file.hashes.iter().any(|hash| !held.contains(hash));
            let stale: Vec<usize> = keeper
                .known
                .files
                .iter()
                .enumerate()
                .filter(|(_, file)| is_left(file))
                .map(|(number, _)| number)
                .collect();
            if !stale.is_empty() {
                keeper.replace(&stale, |hash| held.contains(hash))?;
            }
        }
        Ok(())
    }
}

/// Bytes of the files of all names.
pub(super) fn bytes(index: &Path) -> Result<u64, IndexError> {
    let length = |path: PathBuf| Ok(fs::metadata(&path).map_err(|error| IndexError::io(&path, error))?.len());
    files(index)?.into_iter().map(length).sum()
}

/// Reads every byte of all files, and gives what is wrong.
pub(super) fn verify(index: &Path) -> Result<Vec<IndexError>, IndexError> {
    let wrong = |path: PathBuf| {
        let mut derived = Derived::default();
        let read =
            derived.add(&path).and_then(|()| derived.places.keys().try_for_each(|hash| derived.get(hash).map(drop)));
        read.err()
    };
    Ok(files(index)?.into_iter().filter_map(wrong).collect())
}

/// The files of all names, in order.
fn files(index: &Path) -> Result<Vec<PathBuf>, IndexError> {
    let folder = layout::derived(index);
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| IndexError::io(&folder, error))?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| IndexError::io(&folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == layout::VALUES) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The name that a file's values are kept under.
fn name_of(path: &Path) -> Option<&str> {
    Some(path.file_stem()?.to_str()?.rsplit_once('-')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::MergePolicy;
    use crate::job::Cancel;
    use crate::sketch::analysers::Analysers;
    use crate::sketch::settings::SketchSettings;
    use crate::text::Document;

    /// An index of `documents` documents, and their contents' hashes.
    fn index(folder: &Path, documents: u32) -> (IndexWriter, Vec<Vec<u8>>) {
        let mut writer = IndexWriter::create(folder, &SketchSettings::default(), true).unwrap();
        let analysers = Analysers::new(writer.settings());
        let mut contents = Vec::new();
        for number in 0..documents {
            let text: String = (0..60).map(|word| format!("word{} ", number * 1000 + word)).collect();
            let document = Document { id: format!("d{number}"), text, ..Document::default() };
            let analysis = analysers.analyse(&document, &Cancel::default()).unwrap();
            contents.push(IndexWriter::content_hash(&document));
            writer.add(&document, contents[number as usize].clone(), 0, &analysis).unwrap();
        }
        writer.commit().unwrap();
        (writer, contents)
    }

    fn value(number: usize) -> Bytes {
        vec![number as u8; 1000 * (number + 1)].into()
    }

    #[test]
    fn values_are_found_by_content_and_leave_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let (mut writer, contents) = index(&path, 5);
        for (number, content) in contents.iter().enumerate() {
            let mut keeper = writer.keeper("name1").unwrap().unwrap();
            assert!(keeper.known().get(content).unwrap().is_none());
            keeper.keep(content, value(number)).unwrap();
            keeper.finish().unwrap();
        }
        let kept = |name: &str| {
            let derived = Derived::open(&path, name).unwrap();
            contents.iter().map(|content| derived.get(content).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(kept("name1"), (0..5).map(|number| Some(value(number))).collect::<Vec<_>>());
        assert_eq!(kept("name"), [const { None }; 5]);
        assert_eq!(files(&path).unwrap().len(), 1, "small files become one");
        writer.remove("d3").unwrap();
        writer.compact(&MergePolicy::default()).unwrap();
        let left = kept("name1");
        assert!(left[3].is_none() && left[4] == Some(value(4)) && left[0] == Some(value(0)));
        let bytes = fs::read(&files(&path).unwrap()[0]).unwrap();
        assert!(!bytes.windows(32).any(|window| window == contents[3]), "its hash has left the disk");
    }

    #[test]
    fn any_damaged_byte_is_noticed_and_the_file_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let (writer, contents) = index(&path, 2);
        let mut keeper = writer.keeper("name").unwrap().unwrap();
        (0..2).for_each(|number| keeper.keep(&contents[number], value(number)).unwrap());
        keeper.finish().unwrap();
        let file = files(&path).unwrap().remove(0);
        let sound = fs::read(&file).unwrap();
        for at in 0..sound.len() {
            let mut damaged = sound.clone();
            damaged[at] ^= 1;
            fs::write(&file, &damaged).unwrap();
            let read = Derived::open(&path, "name")
                .and_then(|derived| contents.iter().map(|content| derived.get(content)).collect::<Result<Vec<_>, _>>());
            assert!(read.is_err_and(|error| error.to_string().contains("name-")), "byte {at}");
            assert_eq!(verify(&path).unwrap().len(), 1, "byte {at}");
        }
    }
}
