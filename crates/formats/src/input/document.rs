//! A document found but not yet decoded.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::blocks::RecordLine;
use super::error::{Origin, ReadReason};
use super::{ReadError, ReadLimits, Rows};
use crate::extract::error::said;
use crate::extract::{ExtractError, Extracted, Format, SourceFolder, extract_json_line, require_text};
use copytrace_text::{Document, Metadata};
use sha2::{Digest, Sha256};

/// A document as found: a path, the bytes of an archive's entry, or a JSON line. Reading and decoding it is the
/// costly part, which [`RawDocument::extract`] does, on whatever thread it is called.
pub struct RawDocument {
    /// Where it was found; of a JSON line the file.
    origin: Arc<Origin>,
    content: Content,
    bytes: u64,
    /// What the caller knows of it.
    metadata: Metadata,
}

enum Content {
    /// With the folder in which its project begins, if that is known.
    File(PathBuf, Format, Option<PathBuf>),
    /// With the folder of an archive that it may read other files of.
    Bytes(Arc<[u8]>, Format, Option<SourceFolder>),
    /// A line and its number.
    JsonLine(RecordLine, u64),
    /// One that somebody else has read.
    Document(Box<Document>),
    /// A row that somebody else holds.
    Row(Arc<dyn Rows>, usize),
}

impl RawDocument {
    fn new(origin: Arc<Origin>, content: Content, bytes: u64) -> Self {
        RawDocument { origin, content, bytes, metadata: Metadata::default() }
    }

    pub(super) fn file(origin: Origin, path: &Path, format: Format, bytes: u64, project: Option<PathBuf>) -> Self {
        RawDocument::new(Arc::new(origin), Content::File(path.to_owned(), format, project), bytes)
    }

    pub(super) fn bytes(origin: Origin, bytes: Arc<[u8]>, format: Format, folder: Option<SourceFolder>) -> Self {
        let length = bytes.len() as u64;
        RawDocument::new(Arc::new(origin), Content::Bytes(bytes, format, folder), length)
    }

    pub(super) fn json_line(file: Arc<Origin>, number: u64, line: RecordLine) -> Self {
        let bytes = line.len() as u64;
        RawDocument::new(file, Content::JsonLine(line, number), bytes)
    }

    pub(super) fn read(document: Document) -> Self {
        let (origin, bytes) = (Origin::named(&document.id), document.text.len() as u64);
        RawDocument::new(Arc::new(origin), Content::Document(Box::new(document)), bytes)
    }

    pub(super) fn row(rows: Arc<dyn Rows>, row: usize) -> Self {
        let (origin, bytes) = (Origin::named(&rows.id(row)), rows.bytes(row));
        RawDocument::new(Arc::new(origin), Content::Row(rows, row), bytes)
    }

    /// The same, with what the caller knows of it.
    pub(super) fn known_as(self, metadata: &Metadata) -> Self {
        RawDocument { metadata: metadata.clone(), ..self }
    }

    /// Its size before decoding, for dividing work and bounding memory. The size of a file is as the file system
    /// gave it, which need not be what is read later.
    pub fn approximate_bytes(&self) -> u64 {
        self.bytes
    }

    /// The line, of a document that is one of a JSON-lines file.
    pub fn line(&self) -> Option<&[u8]> {
        match &self.content {
            Content::JsonLine(line, _) => Some(line),
            _ => None,
        }
    }

    /// Reads and decodes it. The errors are those of one document: no text, no known encoding, too large, and so on.
    pub fn extract(self, limits: &ReadLimits) -> Result<Document, ReadError> {
        let known = self.metadata;
        let document = RawDocument::read_content(&self.origin, self.content, limits)?;
        let vouched_author = known.author.clone().or(document.vouched_author);
        Ok(Document { metadata: known.or(document.metadata), vouched_author, ..document })
    }

    fn read_content(origin: &Origin, content: Content, limits: &ReadLimits) -> Result<Document, ReadError> {
        let digest = |bytes: &[u8]| Some(Sha256::digest(bytes).into());
        match content {
            Content::File(path, format, project) => {
                let bytes = read_file(origin, &path, limits)?;
                let folder = path.parent().filter(|_| format == Format::Latex).and_then(SourceFolder::on_disk);
                let folder = folder.map(|folder| folder.of_project(project.as_deref()));
                document(origin, digest(&bytes), format.extract_from(&bytes, folder.as_ref(), limits))
            }
            Content::Bytes(bytes, format, folder) => {
                document(origin, digest(&bytes), format.extract_from(&bytes, folder.as_ref(), limits))
            }
            Content::Document(mut document) => {
                document.vouched_author = document.metadata.author.clone();
                Ok(*document)
            }
            Content::Row(rows, row) => {
                let document = rows.document(row);
                let document =
                    document.map_err(|reason| ReadError::new(origin, ReadReason::BadRow { said: said(reason) }))?;
                require_text(&document.text).map_err(|error| ReadError::new(origin, error))?;
                Ok(document)
            }
            Content::JsonLine(line, number) => {
                let (id, extracted) = match extract_json_line(&line, &limits.json_fields) {
                    Ok(document) => (document.id, Ok(document.extracted)),
                    Err((id, error)) => (id, Err(error)),
                };
                let mut read = match (id, extracted) {
                    (Some(id), Ok(extracted)) => extracted.document(id, None),
                    (id, extracted) => {
                        let line = origin.inside(':', &number.to_string());
                        document(&Origin { id: id.unwrap_or(line.id), place: line.place }, None, extracted)?
                    }
                };
                read.vouched_author = read.metadata.author.clone();
                Ok(read)
            }
        }
    }
}

fn document(
    origin: &Origin,
    file_sha256: Option<[u8; 32]>,
    extracted: Result<Extracted, ExtractError>,
) -> Result<Document, ReadError> {
    match extracted {
        Ok(extracted) => Ok(extracted.document(origin.id.clone(), file_sha256)),
        Err(error) => Err(ReadError::new(origin, error)),
    }
}

impl Extracted {
    fn document(self, id: String, file_sha256: Option<[u8; 32]>) -> Document {
        let Extracted { text, metadata, replaced, layout } = self;
        Document { id, text, metadata, vouched_author: None, undecodable: replaced, layout, file_sha256 }
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
    ReadError::new(origin, ReadReason::Larger { limit: limits.file_bytes })
}

/// Reads to the end, `None` if there are more than `limit` bytes. `expected` is a hint that may be wrong.
pub(super) fn read_at_most(reader: impl Read, limit: u64, expected: u64) -> io::Result<Option<Vec<u8>>> {
    const LARGEST_TRUSTED: u64 = 1 << 20;
    let mut bytes = Vec::with_capacity(expected.min(limit).min(LARGEST_TRUSTED) as usize + 1);
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}
