//! Which record of a source holds which file, so that a file that two records name is one document.

use crate::store::{IdsFile, Store};
use ahash::{AHashMap, AHashSet};
use copytrace_text::Document;
use std::io;

/// Bytes of a digest that tell files apart.
const TOLD_BY: usize = 16;

/// What a file is told from others by.
type Told = [u8; TOLD_BY];

/// The files of a source's records; of a source whose records are files themselves it holds none.
#[derive(Debug, Default)]
pub(crate) struct Files {
    tells: bool,
    holders: AHashMap<Told, Box<str>>,
    files: AHashMap<Box<str>, Told>,
    /// Those that a second record has, too.
    wanted: AHashSet<Told>,
}

impl Files {
    /// What was noted by the run before, and by this one before it was ended.
    pub(crate) fn of(
        store: &Store,
        number: u32,
        before: Option<IdsFile>,
        now: Option<IdsFile>,
        changes_only: bool,
    ) -> io::Result<Self> {
        let mut files = Files { tells: true, ..Files::default() };
        before.map_or(Ok(()), |ids| files.read(store, number, ids))?;
        if !changes_only {
            // All is asked for, so that whoever has a file too will come and say so.
            files.wanted.clear();
        }
        now.map_or(Ok(()), |ids| files.read(store, number, ids))?;
        Ok(files)
    }

    fn read(&mut self, store: &Store, number: u32, ids: IdsFile) -> io::Result<()> {
        store.each(number, ids, |id, noted| {
            match of_hexadecimal(noted.file) {
                Some(told) if noted.given => self.hold(id, told),
                told => {
                    self.free(id);
                    self.wanted.extend(told);
                }
            }
            Ok(())
        })
    }

    /// The other record that has the file of a document.
    pub(crate) fn holder(&self, document: &Document) -> Option<&str> {
        self.holders.get(&self.told(document)?).map(|holder| &**holder).filter(|holder| *holder != document.id)
    }

    /// Gives a document's file to its record, and what it had before to whoever comes; tells what is noted of it.
    pub(crate) fn take(&mut self, document: &Document) -> String {
        match self.told(document) {
            Some(told) => self.hold(&document.id, told),
            None => self.free(&document.id),
        }
        self.of_record(&document.id)
    }

    /// Another record than its holder has the file of a document; gives what is noted of it.
    pub(crate) fn want(&mut self, document: &Document) -> String {
        self.free(&document.id);
        self.told(document).map_or_else(String::new, |told| {
            self.wanted.insert(told);
            hexadecimal(told)
        })
    }

    /// Whether the holder of a file went that another record has, too: then all must be asked for to find that one.
    pub(crate) fn waits(&self) -> bool {
        self.wanted.iter().any(|told| !self.holders.contains_key(told))
    }

    /// What is noted of a record's file.
    pub(crate) fn of_record(&self, id: &str) -> String {
        self.files.get(id).map(|told| hexadecimal(*told)).unwrap_or_default()
    }

    /// A record has no file any more.
    pub(crate) fn free(&mut self, id: &str) {
        if let Some(told) = self.files.remove(id) {
            self.holders.remove(&told);
        }
    }

    fn hold(&mut self, id: &str, told: Told) {
        if self.files.get(id) == Some(&told) {
            return;
        }
        self.free(id);
        self.holders.insert(told, id.into());
        self.files.insert(id.into(), told);
    }

    fn told(&self, document: &Document) -> Option<Told> {
        let digest = document.file_sha256.filter(|_| self.tells)?;
        digest.first_chunk().copied()
    }
}

fn hexadecimal(told: Told) -> String {
    format!("{:032x}", u128::from_be_bytes(told))
}

fn of_hexadecimal(told: &str) -> Option<Told> {
    u128::from_str_radix(told, 16).ok().map(u128::to_be_bytes)
}
