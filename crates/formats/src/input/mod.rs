//! Finding documents: files, folders, zip archives, JSON lines, and what is in memory already.
//!
//! [`Inputs`] walks what it is given, in order, and yields what they hold in an order that depends on nothing else.
//! It does cheap work only; decoding is left to [`RawDocument::extract`], which many threads can call at a time.
//! Whatever is wrong with one input is an item of its own, and the others follow.

#[cfg(feature = "documents")]
mod archive;
#[cfg(not(feature = "documents"))]
#[path = "no_archive.rs"]
mod archive;
mod batches;
mod blocks;
mod bytes_read;
mod document;
mod error;
mod folder;
mod given;
#[cfg(feature = "documents")]
mod latex_parts;
#[cfg(not(feature = "documents"))]
#[path = "no_latex_parts.rs"]
mod latex_parts;
mod lines;

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{Cursor, Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::batches::Batches;
pub use self::document::RawDocument;
pub use self::error::{ReadError, ReadReason};
#[doc(hidden)]
pub use self::folder::REPORT_MARKER;
pub use self::given::{Input, Rows};
pub use crate::limits::{BytesRead, ReadLimits};

use self::archive::ZipEntries;
use self::bytes_read::Counted;
use self::error::Origin;
use self::folder::{FolderWalk, FoundFile};
use self::given::Content;
use self::lines::{Compression, JsonLines};
use crate::extract::Format;
use copytrace_text::Metadata;

/// What a file holds, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Document(Format),
    JsonLines(Compression),
    Zip,
}

impl FileKind {
    fn of_name(name: &str) -> Option<FileKind> {
        let name = name.to_ascii_lowercase();
        let (name, compression) = match name.rsplit_once('.') {
            Some((stem, "gz")) => (stem, Compression::Gzip),
            Some((stem, "zst")) => (stem, Compression::Zstandard),
            _ => (name.as_str(), Compression::None),
        };
        match (name.rsplit_once('.')?.1, compression) {
            ("jsonl" | "ndjson", _) => Some(FileKind::JsonLines(compression)),
            ("zip", Compression::None) => Some(FileKind::Zip),
            (_, Compression::None) => Format::of_name(name).map(FileKind::Document),
            _ => None,
        }
    }

    /// Bytes by which a stream tells what it is.
    const TELLING: u64 = 64;

    /// The same of a stream: if its name says nothing its first bytes tell. Those of an object or of something packed are JSON lines, since
    /// nothing else is packed without being an archive; all else is a text.
    fn of_stream(name: &str, first: &[u8]) -> FileKind {
        if let Some(kind) = FileKind::of_name(name) {
            return kind;
        }
        let line = first.strip_prefix("\u{feff}".as_bytes()).unwrap_or(first).trim_ascii_start();
        let is_object = line.strip_prefix(b"{").is_some_and(|line| line.trim_ascii_start().starts_with(b"\""));
        match first {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => FileKind::JsonLines(Compression::Zstandard),
            [0x1f, 0x8b, ..] => FileKind::JsonLines(Compression::Gzip),
            _ if is_object => FileKind::JsonLines(Compression::None),
            _ => FileKind::Document(Format::Plain),
        }
    }

    /// The same of a file that was named: it is read even if its ending says nothing.
    fn of_file(name: &str) -> FileKind {
        FileKind::of_name(name).unwrap_or(FileKind::Document(Format::Plain))
    }
}

/// An iterator over all documents that the inputs hold.
///
/// Ids are paths relative to the folder given, with `/` between their parts; a file given by name has that name; an
/// archive's entry has its path in the archive, after the archive's own id if that was found in a folder, or given with other archives; a JSON
/// line has its `id` field, else `FILE:LINE`; bytes and readers have the name given. Ids may occur twice: that is for the
/// caller to find out.
pub struct Inputs {
    given: VecDeque<Input>,
    limits: ReadLimits,
    /// Whether several archives are among what is given, of which each may have an entry of the same name.
    several_archives: bool,
    folder: Option<Folder>,
    container: Option<Container>,
    /// What is known of the documents of the input that is being read.
    metadata: Metadata,
    skipped: u64,
    unknown: Vec<String>,
    hidden: Vec<String>,
    included: u64,
}

/// A folder that is being walked.
struct Folder {
    walk: FolderWalk,
    origin: Origin,
    any: bool,
}

/// A file of many documents that is being read.
enum Container {
    Lines(JsonLines),
    Zip(Box<ZipEntries>),
    Rows(Arc<dyn Rows>, Range<usize>),
}

impl Inputs {
    /// Prepares to read files and folders.
    pub fn open(paths: &[PathBuf], limits: ReadLimits) -> Inputs {
        Inputs::new(paths.iter().map(PathBuf::as_path), limits)
    }

    /// Prepares to read the inputs, one after the other. Nothing is opened yet.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<Input>>, limits: ReadLimits) -> Inputs {
        let given: VecDeque<Input> = inputs.into_iter().map(Into::into).collect();
        Inputs {
            several_archives: given.iter().filter(|input| input.is_archive()).nth(1).is_some(),
            given,
            limits,
            folder: None,
            container: None,
            metadata: Metadata::default(),
            skipped: 0,
            unknown: Vec::new(),
            hidden: Vec::new(),
            included: 0,
        }
    }

    /// How many files and archive entries were left out so far, because their names' endings are not known or
    /// because they are links back to a folder that is read anyway. Hidden files are not counted.
    pub fn skipped(&self) -> u64 {
        let walked = self.folder.as_ref().map_or(0, |folder| folder.walk.skipped + folder.walk.unknown.len() as u64);
        let unpacked = match &self.container {
            Some(Container::Zip(zip)) => zip.unknown().len() as u64,
            _ => 0,
        };
        self.skipped + self.unknown.len() as u64 + walked + unpacked
    }

    /// The ids of the files and archive entries that were left out because nothing is known of their kind, once all has been
    /// read.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// The ids of the files, folders and archive entries that were left out because their names begin with `.` or `~$`, as those of
    /// hidden files and of Word's own do, once all has been read.
    pub fn hidden(&self) -> &[String] {
        &self.hidden
    }

    /// How many files were left out so far because they are parts of LaTeX projects: other files read them, or they support those.
    pub fn included(&self) -> u64 {
        let unpacked = match &self.container {
            Some(Container::Zip(zip)) => zip.included(),
            _ => 0,
        };
        self.included + unpacked + self.folder.as_ref().map_or(0, |folder| folder.walk.included)
    }

    /// Goes past the next item without making it, which costs little; false when there is none.
    pub fn pass_over(&mut self) -> bool {
        let passed = match &mut self.container {
            Some(Container::Lines(lines)) => lines.pass_over(),
            Some(Container::Rows(_, left)) => left.next().is_some(),
            _ => false,
        };
        passed || self.next().is_some()
    }

    /// The next document of the container that is being read.
    fn next_contained(&mut self) -> Option<Result<RawDocument, ReadError>> {
        let item = match self.container.as_mut()? {
            Container::Lines(lines) => lines.next(),
            Container::Zip(zip) => zip.next(),
            Container::Rows(rows, left) => left.next().map(|row| Ok(RawDocument::row(rows.clone(), row))),
        };
        if item.is_none()
            && let Some(Container::Zip(zip)) = self.container.take()
        {
            self.unknown.extend_from_slice(zip.unknown());
            self.hidden.extend_from_slice(zip.hidden());
            self.included += zip.included();
        }
        item
    }

    /// The next file of the folder that is being walked.
    fn next_found(&mut self) -> Option<Result<FoundFile, ReadError>> {
        let folder = self.folder.as_mut()?;
        let item = folder.walk.next();
        if item.is_some() {
            folder.any = true;
            return item;
        }
        self.skipped += folder.walk.skipped;
        self.unknown.append(&mut folder.walk.unknown);
        self.hidden.append(&mut folder.walk.hidden);
        self.included += folder.walk.included;
        let nothing = (!folder.any).then(|| Err(ReadError::new(&folder.origin, ReadReason::NothingKnown)));
        self.folder = None;
        nothing
    }

    /// Starts on a file: it is a document, or many.
    fn begin_file(&mut self, file: FoundFile, inside_folder: bool) -> Option<Result<RawDocument, ReadError>> {
        let FoundFile { path, origin, kind, bytes, project } = file;
        let open = |origin: &Origin| {
            let file = File::open(&path).map_err(|error| ReadError::from_io(origin, error))?;
            Ok(Counted { reader: file, bytes: self.limits.bytes_read.clone() })
        };
        let opened = match kind {
            FileKind::Document(format) => {
                self.limits.bytes_read.add(bytes);
                return Some(Ok(RawDocument::file(origin, &path, format, bytes, project)));
            }
            FileKind::JsonLines(compression) => {
                open(&origin).and_then(|file| self.lines(file, Some(bytes), compression, origin))
            }
            FileKind::Zip => open(&origin).and_then(|file| self.archive(file, bytes, origin, inside_folder)),
        };
        self.begin_container(opened)
    }

    fn lines(
        &self,
        reader: impl Read + Send + 'static,
        bytes: Option<u64>,
        compression: Compression,
        origin: Origin,
    ) -> Result<Container, ReadError> {
        JsonLines::open(reader, bytes, compression, origin, &self.limits).map(Container::Lines)
    }

    fn archive(
        &self,
        file: impl ReadSeek + 'static,
        bytes: u64,
        origin: Origin,
        inside_folder: bool,
    ) -> Result<Container, ReadError> {
        let is_named = inside_folder || self.several_archives;
        let entries = ZipEntries::open(Box::new(file), bytes, origin, is_named, &self.limits)?;
        Ok(Container::Zip(Box::new(entries)))
    }

    fn begin_container(&mut self, opened: Result<Container, ReadError>) -> Option<Result<RawDocument, ReadError>> {
        match opened {
            Ok(container) => {
                self.container = Some(container);
                None
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Starts on an input.
    fn begin(&mut self, input: Input) -> Option<Result<RawDocument, ReadError>> {
        self.metadata = input.metadata;
        match input.content {
            Content::Path(path) => self.begin_path(&path),
            Content::Bytes(name, bytes) => {
                let (origin, kind) = (Origin::named(&name), FileKind::of_file(&name));
                self.begin_bytes(origin, kind, bytes)
            }
            Content::Kept(name, bytes) => {
                let (origin, kind) = (Origin::named(&name), FileKind::of_stream(&name, &bytes));
                self.begin_bytes(origin, kind, bytes)
            }
            Content::Reader(name, reader) => self.begin_reader(&name, given::unlocked(reader)),
            Content::Document(document) => Some(Ok(RawDocument::read(*document))),
            Content::Rows(rows) => {
                let all = 0..rows.len();
                self.begin_container(Ok(Container::Rows(rows, all)))
            }
        }
    }

    /// Starts on a path of the caller's.
    fn begin_path(&mut self, path: &Path) -> Option<Result<RawDocument, ReadError>> {
        let place = path.display().to_string();
        let name = path.file_name().map_or_else(|| place.clone(), |name| name.to_string_lossy().into_owned());
        let origin = Origin { place, id: name.clone() };
        match fs::metadata(path) {
            Err(error) => Some(Err(ReadError::from_io(&origin, error))),
            Ok(metadata) if metadata.is_dir() => {
                self.folder = Some(Folder { walk: FolderWalk::new(path, &self.limits), origin, any: false });
                None
            }
            Ok(metadata) => {
                let kind = FileKind::of_file(&name);
                let file = FoundFile { path: path.to_owned(), origin, kind, bytes: metadata.len(), project: None };
                self.begin_file(file, false)
            }
        }
    }

    fn begin_bytes(
        &mut self,
        origin: Origin,
        kind: FileKind,
        bytes: Arc<[u8]>,
    ) -> Option<Result<RawDocument, ReadError>> {
        let length = bytes.len() as u64;
        let opened = match kind {
            FileKind::Document(_) if length > self.limits.file_bytes => {
                return Some(Err(document::too_large(&origin, &self.limits)));
            }
            FileKind::Document(format) => return Some(Ok(RawDocument::bytes(origin, bytes, format, None))),
            FileKind::JsonLines(compression) => self.lines(Cursor::new(bytes), Some(length), compression, origin),
            FileKind::Zip => self.archive(Cursor::new(bytes), length, origin, false),
        };
        self.begin_container(opened)
    }

    /// What is not read line by line is read to its end.
    fn begin_reader(&mut self, name: &str, mut reader: Box<dyn Read + Send>) -> Option<Result<RawDocument, ReadError>> {
        let origin = Origin::named(name);
        let mut first = Vec::new();
        if let Err(error) = reader.by_ref().take(FileKind::TELLING).read_to_end(&mut first) {
            return Some(Err(ReadError::from_io(&origin, error)));
        }
        let kind = FileKind::of_stream(name, &first);
        let reader: Box<dyn Read + Send> = Box::new(Cursor::new(first).chain(reader));
        if let FileKind::JsonLines(compression) = kind {
            let opened = self.lines(reader, None, compression, origin);
            return self.begin_container(opened);
        }
        match document::read_at_most(reader, self.limits.file_bytes, 0) {
            Ok(Some(bytes)) => self.begin_bytes(origin, kind, bytes.into()),
            Ok(None) => Some(Err(document::too_large(&origin, &self.limits))),
            Err(error) => Some(Err(ReadError::from_io(&origin, error))),
        }
    }

    /// The next item, before the caller's metadata is put on it.
    fn next_item(&mut self) -> Option<Result<RawDocument, ReadError>> {
        loop {
            if let Some(item) = self.next_contained() {
                return Some(item);
            }
            let item = match self.next_found() {
                Some(Ok(file)) => self.begin_file(file, true),
                Some(Err(error)) => Some(Err(error)),
                None => {
                    let input = self.given.pop_front()?;
                    self.begin(input)
                }
            };
            if item.is_some() {
                return item;
            }
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<RawDocument, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.next_item()?;
        Some(item.map(|document| document.known_as(&self.metadata)))
    }
}

/// What an archive is read from.
trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

#[cfg(test)]
mod tests;
