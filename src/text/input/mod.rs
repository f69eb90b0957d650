//! Finding documents: files, folders, zip archives, JSON lines and standard input.
//!
//! [`Inputs`] walks the paths given, in order, and yields what they hold in an order that depends on nothing else.
//! It does cheap work only; decoding is left to [`RawDocument::extract`], which many threads can call at a time.
//! Whatever is wrong with one input is an item of its own, and the others follow.

mod archive;
mod blocks;
mod document;
mod error;
mod folder;
mod latex_parts;
mod lines;

use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pub use self::document::RawDocument;
pub use self::error::{ReadError, ReadErrorKind};
pub use super::limits::ReadLimits;

use self::archive::ZipEntries;
use self::error::Origin;
use self::folder::{FolderWalk, FoundFile};
use self::lines::{Compression, JsonLines};
use super::extract::Format;

/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

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
}

/// An iterator over all documents that the paths hold.
///
/// Ids are paths relative to the folder given, with `/` between their parts; a file given by name has that name; an
/// archive's entry has its path in the archive, after the archive's own id if that was found in a folder; a JSON
/// line has its `id` field, else `FILE:LINE`; standard input has `-`. Ids may occur twice: that is for the caller
/// to find out.
pub struct Inputs {
    paths: VecDeque<PathBuf>,
    limits: ReadLimits,
    folder: Option<Folder>,
    container: Option<Container>,
    standard_input: Option<Box<dyn Read + Send>>,
    skipped: u64,
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
}

impl Inputs {
    /// Prepares to read the paths, of which `-` is standard input. Nothing is opened yet.
    pub fn open(paths: &[PathBuf], limits: ReadLimits) -> Inputs {
        Inputs {
            paths: paths.to_vec().into(),
            limits,
            folder: None,
            container: None,
            standard_input: Some(Box::new(io::stdin())),
            skipped: 0,
            included: 0,
        }
    }

    /// Reads this instead of the process's standard input.
    pub fn with_standard_input(mut self, reader: impl Read + Send + 'static) -> Inputs {
        self.standard_input = Some(Box::new(reader));
        self
    }

    /// How many files and archive entries were left out so far, because their names' endings are not known or
    /// because they are links back to a folder that is read anyway. Hidden files are not counted.
    pub fn skipped(&self) -> u64 {
        let walked = self.folder.as_ref().map_or(0, |folder| folder.walk.skipped);
        let unpacked = match &self.container {
            Some(Container::Zip(zip)) => zip.skipped,
            _ => 0,
        };
        self.skipped + walked + unpacked
    }

    /// How many LaTeX files were left out so far, because another file of their folder includes them.
    pub fn included(&self) -> u64 {
        self.included + self.folder.as_ref().map_or(0, |folder| folder.walk.included)
    }

    /// Goes past the next item without making it, which costs little; false when there is none.
    pub fn pass_over(&mut self) -> bool {
        if let Some(Container::Lines(lines)) = &mut self.container
            && lines.pass_over()
        {
            return true;
        }
        self.next().is_some()
    }

    /// The next document of the container that is being read.
    fn next_contained(&mut self) -> Option<Result<RawDocument, ReadError>> {
        let item = match self.container.as_mut()? {
            Container::Lines(lines) => lines.next(),
            Container::Zip(zip) => zip.next(),
        };
        if item.is_none()
            && let Some(Container::Zip(zip)) = self.container.take()
        {
            self.skipped += zip.skipped;
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
        self.included += folder.walk.included;
        let nothing = (!folder.any).then(|| {
            let reason = "no file in it of a kind that is read";
            Err(ReadError::new(&folder.origin, ReadErrorKind::NoText, reason))
        });
        self.folder = None;
        nothing
    }

    /// Starts on a file: it is a document, or many.
    fn begin_file(&mut self, file: FoundFile, inside_folder: bool) -> Option<Result<RawDocument, ReadError>> {
        let FoundFile { path, origin, kind, bytes } = file;
        let opened = match kind {
            FileKind::Document(format) => {
                return Some(Ok(RawDocument::file(origin, &path, format, bytes)));
            }
            FileKind::JsonLines(compression) => {
                JsonLines::open(&path, compression, origin, &self.limits).map(Container::Lines)
            }
            FileKind::Zip => {
                ZipEntries::open(&path, origin, inside_folder, &self.limits).map(|zip| Container::Zip(Box::new(zip)))
            }
        };
        match opened {
            Ok(container) => {
                self.container = Some(container);
                None
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Starts on a path of the command line.
    fn begin_path(&mut self, path: &Path) -> Option<Result<RawDocument, ReadError>> {
        if path.as_os_str() == STANDARD_INPUT {
            return Some(self.read_standard_input());
        }
        let place = path.display().to_string();
        let name = path.file_name().map_or_else(|| place.clone(), |name| name.to_string_lossy().into_owned());
        let origin = Origin { place, id: name.clone() };
        match fs::metadata(path) {
            Err(error) => Some(Err(ReadError::from_io(&origin, error))),
            Ok(metadata) if metadata.is_dir() => {
                self.folder = Some(Folder { walk: FolderWalk::new(path), origin, any: false });
                None
            }
            // A file that was named is read even if its ending says nothing.
            Ok(metadata) => {
                let kind = FileKind::of_name(&name).unwrap_or(FileKind::Document(Format::Plain));
                let file = FoundFile { path: path.to_owned(), origin, kind, bytes: metadata.len() };
                self.begin_file(file, false)
            }
        }
    }

    fn read_standard_input(&mut self) -> Result<RawDocument, ReadError> {
        let origin = Origin { place: "standard input".to_owned(), id: STANDARD_INPUT.to_owned() };
        let Some(reader) = self.standard_input.take() else {
            return Err(ReadError::new(&origin, ReadErrorKind::NoText, "named twice, but can be read only once"));
        };
        match document::read_at_most(reader, self.limits.file_bytes, 0) {
            Ok(Some(bytes)) => Ok(RawDocument::bytes(origin, bytes, Format::Plain)),
            Ok(None) => Err(document::too_large(&origin, &self.limits)),
            Err(error) => Err(ReadError::from_io(&origin, error)),
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<RawDocument, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.next_contained() {
                return Some(item);
            }
            let item = match self.next_found() {
                Some(Ok(file)) => self.begin_file(file, true),
                Some(Err(error)) => Some(Err(error)),
                None => {
                    let path = self.paths.pop_front()?;
                    self.begin_path(&path)
                }
            };
            if item.is_some() {
                return item;
            }
        }
    }
}

#[cfg(test)]
mod tests;
