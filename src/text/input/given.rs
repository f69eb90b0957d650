//! What a caller gives to be read: paths, bytes, readers, and documents whose text is at hand.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::text::{Document, Metadata};

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
    Document(Box<Document>),
}

impl Input {
    fn new(content: Content) -> Self {
        Input { content, metadata: Metadata::default() }
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

    /// The same with what is known of the documents in it; fields that are `None` are left to what they say of themselves.
    pub fn with_metadata(self, metadata: Metadata) -> Self {
        Input { metadata, ..self }
    }

    /// The same input, made so that it can be read again and again: a reader is read to its end, `most` bytes of it at
    /// most and one more, which shows whoever reads the documents that it is too much.
    ///
    /// # Errors
    /// When the reader fails.
    pub(crate) fn kept(self, most: u64) -> io::Result<Self> {
        let Content::Reader(name, reader) = self.content else { return Ok(self) };
        let mut bytes = Vec::new();
        unlocked(reader).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(Input { content: Content::Bytes(name, bytes.into()), ..self })
    }

    /// One more of an input that was [kept](Input::kept); a reader that was not has nothing more to give.
    pub(crate) fn again(&self) -> Self {
        let content = match &self.content {
            Content::Path(path) => Content::Path(path.clone()),
            Content::Bytes(name, bytes) => Content::Bytes(name.clone(), bytes.clone()),
            Content::Reader(name, _) => Content::Bytes(name.clone(), Arc::default()),
            Content::Document(document) => Content::Document(document.clone()),
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
