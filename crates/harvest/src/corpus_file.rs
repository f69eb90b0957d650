//! A corpus as one file of JSON lines, packed by zstd, which every command reads.

use crate::run::{Kept, Sink};
use copytrace_job::Job;
use copytrace_text::{Document, Metadata};
use serde::Serialize;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::store::Store;

/// zstd's level; a higher one takes longer than what is written is read.
const LEVEL: i32 = 3;

/// A file that is written aside, in frames that are each whole, and put in its place at the end. A run that was killed goes on in it.
pub struct CorpusFile {
    path: PathBuf,
    file: File,
    /// Lines that are not in a frame yet.
    lines: Vec<u8>,
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    text: &'a str,
    #[serde(flatten)]
    known: Known<'a>,
}

#[derive(Serialize)]
struct Known<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    licence: &'a Option<String>,
}

impl CorpusFile {
    /// Opens a file for writing, beside which lies the state of harvesting into it.
    ///
    /// # Errors
    /// When a file of this name is there already, or it cannot be written.
    pub fn open(path: &Path) -> io::Result<(Self, Store)> {
        if path.exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let store = Store::open(&beside(path, ".harvest"))?;
        let part = beside(path, ".part");
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(part)?;
        // What was written behind the last state that counts is written again.
        file.set_len(store.written)?;
        file.seek(SeekFrom::End(0))?;
        Ok((CorpusFile { path: path.to_owned(), file, lines: Vec::new() }, store))
    }

    /// Puts the file in its place and takes the state away: all of the sources were read.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn finish(self, store: &mut Store) -> io::Result<()> {
        std::fs::rename(beside(&self.path, ".part"), &self.path)?;
        store.clear()
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl Sink for CorpusFile {
    fn put(&mut self, documents: Vec<Document>, _job: &Job) -> Result<Vec<Kept>, Box<dyn Error + Send + Sync>> {
        for Document { id, text, metadata, .. } in &documents {
            let Metadata { title, author, date, collection, url, licence } = metadata;
            let known = Known { title, author, date, collection, url, licence };
            serde_json::to_writer(&mut self.lines, &Line { id, text, known })?;
            self.lines.push(b'\n');
        }
        self.file.write_all(&zstd::encode_all(&self.lines[..], LEVEL)?)?;
        self.lines.clear();
        Ok(vec![Kept::New; documents.len()])
    }

    fn remove(&mut self, _id: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        // A file is made from its beginning, so that nothing in it was there in a run before.
        Ok(())
    }

    fn commit(&mut self) -> Result<u64, Box<dyn Error + Send + Sync>> {
        self.file.sync_data()?;
        Ok(self.file.metadata()?.len())
    }
}
