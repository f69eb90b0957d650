//! What a caller gives to be read: paths, bytes, readers, and documents whose text is at hand.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::FileKind;
use copytrace_text::{Document, Metadata};

/// Something to be read. A [`Inputs`](super::Inputs) reads several.
pub struct Input {
    pub(super) content: Content,
    /// What the caller knows of the documents in it, which counts before what they say of themselves.
    pub(super) metadata: Metadata,
}

pub(super) enum Content {
    /// A file, or a folder.
    Path(PathBuf),
    /// What a file of that name would hold.
    Bytes(String, Arc<[u8]>),
    /// The same, not yet read. The mutex is never locked: it lets threads share what holds a reader.
    Reader(String, Mutex<Box<dyn Read + Send>>),
    /// What a reader gave.
    Kept(String, Arc<[u8]>),
    Document(Box<Document>),
    Rows(Arc<dyn Rows>),
}

/// Documents that somebody else holds in memory, such as the rows of a data frame. Each is made when its turn comes, so that
/// the texts are not there twice.
pub trait Rows: Send + Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a row, from 0.
    fn id(&self, row: usize) -> String;

    /// The size of a row's text in bytes, for dividing work.
    fn bytes(&self, row: usize) -> u64;

    /// Makes the document of a row, as it is to be compared; or tells what is wrong with the row.
    ///
    /// # Errors
    /// The reason, in words and without the id.
    fn document(&self, row: usize) -> Result<Document, String>;
}

impl Input {
    fn new(content: Content) -> Self {
        Input { content, metadata: Metadata::default() }
    }

    /// Whether its name is that of an archive.
    pub(super) fn is_archive(&self) -> bool {
        let name = match &self.content {
            Content::Path(path) => path.file_name().unwrap_or_default().to_string_lossy(),
            Content::Bytes(name, _) | Content::Reader(name, _) | Content::Kept(name, _) => name.into(),
            Content::Document(_) | Content::Rows(_) => return false,
        };
        FileKind::of_name(&name) == Some(FileKind::Zip)
    }

    /// A file, or a folder that is read with all folders in it.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Input::new(Content::Path(path.into()))
    }

    /// The bytes of a file. Its name tells the format (and whether it holds many documents), and is the id.
    pub fn bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Input::new(Content::Bytes(name.into(), bytes.into()))
    }

    /// The same from a reader, which is read when its turn comes: JSON lines one by one, anything else to its end.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Input::new(Content::Reader(name.into(), Mutex::new(Box::new(reader))))
    }

    /// Rows in memory, in their order. What they say of author, title and so on is taken as it is.
    pub fn rows(rows: Arc<dyn Rows>) -> Self {
        Input::new(Content::Rows(rows))
    }

    /// The same with what is known of the documents in it; fields that are `None` are left to what they say of themselves.
    pub fn with_metadata(self, metadata: Metadata) -> Self {
        Input { metadata, ..self }
    }

    /// The same input, made so that it can be read again and again: a reader is read to its end, `most` bytes of it at
    /// most and one more, which shows whoever reads the documents that it is too much.
    ///
    /// # Errors
    /// When the reader fails.
    pub fn kept(self, most: u64) -> io::Result<Self> {
        let Content::Reader(name, reader) = self.content else { return Ok(self) };
        let (mut bytes, mut reader) = (Vec::new(), unlocked(reader));
        reader.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if matches!(FileKind::of_stream(&name, &bytes), FileKind::JsonLines(_)) {
            // Each line is within the limits, and all of them are meant.
            reader.read_to_end(&mut bytes)?;
        }
        Ok(Input { content: Content::Kept(name, bytes.into()), ..self })
    }

    /// One more of an input that was [kept](Input::kept); a reader that was not has nothing more to give.
    pub fn again(&self) -> Self {
        let content = match &self.content {
            Content::Path(path) => Content::Path(path.clone()),
            Content::Bytes(name, bytes) => Content::Bytes(name.clone(), bytes.clone()),
            Content::Kept(name, bytes) => Content::Kept(name.clone(), bytes.clone()),
            Content::Reader(name, _) => Content::Bytes(name.clone(), Arc::default()),
            Content::Document(document) => Content::Document(document.clone()),
            Content::Rows(rows) => Content::Rows(rows.clone()),
        };
        Input { content, metadata: self.metadata.clone() }
    }
}

/// The reader in a mutex that nobody else has.
pub(super) fn unlocked(reader: Mutex<Box<dyn Read + Send>>) -> Box<dyn Read + Send> {
    reader.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Self {
        Input::path(path)
    }
}

impl From<&Path> for Input {
    fn from(path: &Path) -> Self {
        Input::path(path)
    }
}

impl From<Document> for Input {
    fn from(document: Document) -> Self {
        Input::new(Content::Document(Box::new(document)))
    }
}
