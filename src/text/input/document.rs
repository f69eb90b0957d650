//! A document found but not yet decoded.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::{Origin, size};
use super::{ReadError, ReadErrorKind, ReadLimits};
use crate::text::Document;
use crate::text::extract::{Extracted, Format, extract_json_line};
use sha2::{Digest, Sha256};

/// A document as found: a path, the bytes of an archive's entry, or a JSON line. Reading and decoding it is the
/// costly part, which [`RawDocument::extract`] does, on whatever thread it is called.
#[derive(Debug)]
pub struct RawDocument {
    /// The document's id; of a JSON line `FILE:LINE`, until its `id` field is read by `extract`.
    pub id: String,
    place: String,
    content: Content,
    bytes: u64,
}

#[derive(Debug)]
enum Content {
    File(PathBuf, Format),
    Bytes(Vec<u8>, Format),
    JsonLine(Vec<u8>),
}

impl RawDocument {
    pub(super) fn file(origin: Origin, path: &Path, format: Format, bytes: u64) -> Self {
        Self::new(origin, Content::File(path.to_owned(), format), bytes)
    }

    pub(super) fn bytes(origin: Origin, bytes: Vec<u8>, format: Format) -> Self {
        let length = bytes.len() as u64;
        Self::new(origin, Content::Bytes(bytes, format), length)
    }

    pub(super) fn json_line(origin: Origin, line: Vec<u8>) -> Self {
        let length = line.len() as u64;
        Self::new(origin, Content::JsonLine(line), length)
    }

    fn new(origin: Origin, content: Content, bytes: u64) -> Self {
        RawDocument { id: origin.id, place: origin.place, content, bytes }
    }

    /// Its size before decoding, for dividing work and bounding memory. The size of a file is as the file system
    /// gave it, which need not be what is read later.
    pub fn approximate_bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads and decodes it. The errors are those of one document: no text, no known encoding, too large, and so on.
    pub fn extract(self, limits: &ReadLimits) -> Result<Document, ReadError> {
        let mut origin = Origin { place: self.place, id: self.id };
        let digest = |bytes: &[u8]| Some(Sha256::digest(bytes).into());
        let (file_sha256, extracted) = match self.content {
            Content::File(path, format) => {
                let bytes = read_file(&origin, &path, limits)?;
                (digest(&bytes), format.extract(&bytes, path.parent(), limits))
            }
            Content::Bytes(bytes, format) => (digest(&bytes), format.extract(&bytes, None, limits)),
            Content::JsonLine(line) => {
                let (id, extracted) = match extract_json_line(&line) {
                    Ok(document) => (document.id, Ok(document.extracted)),
                    Err((id, error)) => (id, Err(error)),
                };
                if let Some(id) = id {
                    origin.id = id;
                }
                (None, extracted)
            }
        };
        let Extracted { text, metadata, replaced, layout } =
            extracted.map_err(|error| ReadError::from_extract(&origin, &error))?;
        Ok(Document { id: origin.id, text, metadata, undecodable: replaced, layout, file_sha256 })
    }
}

/// Reads a whole file, unless it is larger than allowed.
fn read_file(origin: &Origin, path: &Path, limits: &ReadLimits) -> Result<Vec<u8>, ReadError> {
    let read = || -> io::Result<Option<Vec<u8>>> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        if length > limits.file_bytes {
            return Ok(None);
        }
        read_at_most(file, limits.file_bytes, length)
    };
    match read() {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(too_large(origin, limits)),
        Err(error) => Err(ReadError::from_io(origin, error)),
    }
}

pub(super) fn too_large(origin: &Origin, limits: &ReadLimits) -> ReadError {
    let reason = format!("larger than the limit of {}", size(limits.file_bytes));
    ReadError::new(origin, ReadErrorKind::TooLarge, reason)
}

/// Reads to the end, `None` if there are more than `limit` bytes. `expected` is a hint that may be wrong.
pub(super) fn read_at_most(reader: impl Read, limit: u64, expected: u64) -> io::Result<Option<Vec<u8>>> {
    const LARGEST_TRUSTED: u64 = 1 << 20;
    let mut bytes = Vec::with_capacity(expected.min(limit).min(LARGEST_TRUSTED) as usize + 1);
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}
