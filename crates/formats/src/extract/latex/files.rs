//! The other files of a document: those that are read, and those that are missing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::declarations::of_dropped;
use super::{InputFile, LatexReader, search, spelt};
use crate::encoding::decode;
use crate::extract::error::said;
use crate::extract::latex_includes::has_folder;
use crate::extract::missing::{CHAPTER, PAGE};
use crate::extract::pictures::Pictures;
use crate::extract::{Excess, ExtractError, Format, SourceFolder};
use copytrace_text::layout::{LeftOut, MarkKind};

/// What a missing file of definitions would show: they stand for words, not for pages.
const DEFINITIONS: u32 = PAGE / 10;

/// The most pages of ranges that were written by hand; larger numbers are taken for this one.
const MOST_PAGES: u32 = 1000;

/// Endings of pictures, as LaTeX looks for them where none is named.
const PICTURES: [&str; 7] = ["", ".pdf", ".png", ".jpg", ".jpeg", ".PNG", ".JPG"];

/// The most pictures of a document that are looked at.
const MOST_PICTURES: usize = 100;

/// The files of a document.
#[derive(Default)]
pub(super) struct Files {
    folder: Option<SourceFolder>,
    /// Where pictures lie.
    pub(super) graphics: Vec<String>,
    /// How many were looked at, and what they show.
    pictures: usize,
    lettering: Pictures,
    /// Files whose text was read; none is read twice.
    included: BTreeSet<PathBuf>,
    /// Files whose definitions were read.
    definitions: BTreeSet<PathBuf>,
    /// Of those the ones with prose that was not read.
    unread: BTreeSet<PathBuf>,
    /// The files that `\include` reads, if the document names them.
    pub(super) only: Option<Vec<String>>,
    /// What `\includepdf` does unless it says otherwise.
    pub(super) pages: String,
    /// The characters of each file that was read.
    lengths: Vec<u64>,
    /// The characters of a chapter, once all was read.
    chapter: Option<u32>,
    /// Whether that was asked for before it was known.
    asked: bool,
    /// All sources that were read.
    pub(super) sources: String,
}

impl Files {
    /// Of a document in a folder; `chapter` is the characters of a chapter by an earlier reading.
    pub(super) fn of(folder: Option<&SourceFolder>, chapter: Option<u32>) -> Files {
        Files { folder: folder.cloned(), chapter, ..Files::default() }
    }

    /// The file that a source means by a name, from where an imported file lies too.
    fn find(&self, name: &str, file: &InputFile) -> Option<PathBuf> {
        self.folder.as_ref()?.find(name, file.here.as_deref())
    }

    /// The files that this document has read, definitions without prose included.
    pub(super) fn read(self) -> BTreeSet<PathBuf> {
        let definitions = self.definitions.into_iter().filter(|file| !self.unread.contains(file));
        self.included.iter().cloned().chain(definitions).collect()
    }

    /// The characters of a chapter for another reading, if it needs that: the mean length of the file that a character of the text
    /// stands in, so that many files of a table each do not make chapters short. A page at least.
    pub(super) fn for_another_reading(&self) -> Option<u32> {
        let (sum, squares) = self
            .lengths
            .iter()
            .fold((0_u64, 0_u64), |(sum, squares), length| (sum + length, squares + length * length));
        let mean = squares.checked_div(sum)?;
        self.asked.then(|| u32::try_from(mean).unwrap_or(u32::MAX).max(PAGE))
    }

    /// The files of the folder that were not read, in their order.
    pub(super) fn unread_below(&self) -> Vec<PathBuf> {
        let all = self.folder.as_ref().map(SourceFolder::files).unwrap_or_default();
        all.into_iter().filter(|path| !self.included.contains(path) && !self.definitions.contains(path)).collect()
    }

    /// What a file of the folder holds.
    pub(super) fn bytes(&self, path: &Path, limit: u64) -> Option<Vec<u8>> {
        self.folder.as_ref()?.read(path, limit).filter(|bytes| bytes.len() as u64 <= limit)
    }

    /// The characters of a missing file.
    fn chapter(&mut self) -> u32 {
        self.asked |= self.chapter.is_none();
        self.chapter.unwrap_or(CHAPTER)
    }
}

impl LatexReader {
    /// Looks at a picture, if it lies in the document's folder: whether it shows prose, or is a page of text.
    pub(super) fn lettering(&mut self, name: &str) {
        let name = self.definitions.expanded(name);
        let folders = self.files.graphics.iter().map(|folder| format!("{folder}{name}"));
        let names: Vec<String> = std::iter::once(name.clone()).chain(folders).collect();
        let found = names.iter().flat_map(|name| PICTURES.map(|ending| format!("{name}{ending}")));
        let Some(path) = found.into_iter().find_map(|name| self.files.find(&name, &self.file)) else { return };
        if self.files.pictures >= MOST_PICTURES {
            return;
        }
        self.files.pictures += 1;
        let read = self.files.folder.as_ref().and_then(|folder| folder.read(&path, self.limits.file_bytes));
        let Some(bytes) = read else { return };
        if bytes.starts_with(b"%PDF") {
            if let Ok(page) = Format::Pdf.extract(&bytes, None, &self.limits) {
                self.builder.unplaced(&page.text);
            }
            return;
        }
        let letters = self.files.lettering.letters(&bytes);
        self.builder.picture_of(Some(&letters));
    }

    /// Reads another file of the document, if it lies in the document's folder.
    pub(super) fn include(&mut self, command: &str, name: &str, depth: usize) -> Result<(), ExtractError> {
        let name = self.definitions.expanded(name);
        if command == "include" && self.files.only.as_ref().is_some_and(|only| !only.contains(&name)) {
            return Ok(());
        }
        let path = self.files.find(&name, &self.file);
        if path.as_ref().is_some_and(|path| self.files.included.contains(path)) {
            return Ok(());
        }
        let source = path.map(|path| self.source_of(&path)).transpose()?.flatten();
        let Some((path, source)) = source else {
            self.missing();
            return Ok(());
        };
        let here = if has_folder(command) || command.starts_with("subfile") {
            path.parent().map(Path::to_owned)
        } else {
            self.file.here.clone()
        };
        self.files.included.insert(path);
        self.builder.end_paragraph();
        let (start, ended) = (self.builder.characters(), self.ended);
        let around = std::mem::replace(&mut self.file, InputFile { depth: depth + 1, ended: false, here });
        match search::document(&source) {
            Some((preamble, body)) => {
                let title = (self.metadata.title.take(), self.metadata.author.take());
                self.preamble(preamble, depth + 1)?;
                self.metadata.title = title.0.or(self.metadata.title.take());
                self.metadata.author = title.1.or(self.metadata.author.take());
                self.read(body, depth + 1)?;
                // Its own end is not that of the whole.
                self.ended = ended;
            }
            None => self.read(&source, depth + 1)?,
        }
        self.file = around;
        self.files.lengths.push(u64::from(self.builder.characters().saturating_sub(start)));
        self.builder.end_paragraph();
        Ok(())
    }

    /// What a file would show is not there. A float is on one page.
    pub(super) fn missing(&mut self) {
        let chapter = self.files.chapter();
        let count = if self.numbering.float.is_some() { chapter.min(PAGE) } else { chapter };
        self.builder.point(MarkKind::LeftOut(LeftOut::Missing, count));
    }

    /// A page of another document that is shown as a picture.
    pub(super) fn missing_page(&mut self) {
        self.builder.point(MarkKind::LeftOut(LeftOut::Missing, PAGE));
    }

    /// Pages of another document stand here: as many as the options say, a chapter if they do not say it.
    pub(super) fn include_pages(&mut self, options: &str) {
        match number_of_pages(&format!("{},{options}", self.files.pages)) {
            Some(0) => {}
            Some(pages) => self.builder.point(MarkKind::LeftOut(LeftOut::Missing, PAGE * pages)),
            None => self.missing(),
        }
    }

    /// Reads the definitions of another file; `is_own` if it is one that the document should bring with it.
    pub(super) fn include_definitions(&mut self, name: &str, is_own: bool, depth: usize) -> Result<(), ExtractError> {
        if depth > self.limits.nesting {
            return Err(ExtractError::TooDeep { levels: self.limits.nesting });
        }
        let name = self.definitions.expanded(name);
        let path = self.files.find(&name, &self.file);
        if path.as_ref().is_some_and(|path| self.files.definitions.contains(path)) {
            return Ok(());
        }
        // A package that cannot be read defines nothing.
        let Some((path, source)) = path.and_then(|path| self.source_of(&path).ok().flatten()) else {
            if is_own {
                self.builder.point(MarkKind::LeftOut(LeftOut::Missing, DEFINITIONS));
            }
            return Ok(());
        };
        self.files.definitions.insert(path.clone());
        if of_dropped(&search::without_comments(&source)) == LeftOut::Unread {
            // Prose that is read where definitions are may be shown later.
            self.builder.left_out(LeftOut::Unread, &source);
            self.files.unread.insert(path);
        } else {
            self.definitions_as_written(&source);
        }
        self.preamble(&source, depth + 1)
    }

    /// The source in a file of the document; `None` if it cannot be read.
    fn source_of(&mut self, path: &Path) -> Result<Option<(PathBuf, String)>, ExtractError> {
        let files = self.files.included.len() + self.files.definitions.len() + 1;
        if files > self.limits.included_files {
            return Err(Excess::IncludedFiles { files }.into());
        }
        let read = self.files.folder.as_ref().and_then(|folder| folder.read(path, self.limits.file_bytes));
        let Some(bytes) = read else { return Ok(None) };
        if bytes.len() as u64 > self.limits.file_bytes {
            let name = said(path.file_name().unwrap_or_default().to_string_lossy());
            return Err(Excess::IncludedFile { name }.into());
        }
        let decoded = decode(&bytes)?;
        self.replaced += decoded.replaced;
        self.files.sources.push_str(&decoded.text);
        Ok(Some((path.to_owned(), spelt::out(&decoded.text).into_owned())))
    }
}

/// How many pages options such as `pages={1,3-7}` name, the first page if none; `None` if they do not say where to end.
fn number_of_pages(options: &str) -> Option<u32> {
    let Some((_, pages)) = options.rsplit_once("pages") else { return Some(1) };
    let pages = pages.trim_start().strip_prefix('=')?.trim_start();
    let pages = match pages.strip_prefix('{') {
        Some(list) => list.split('}').next()?,
        None => pages.split(',').next()?,
    };
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let of_range = |range: &str| match range.split_once('-') {
        Some((first, last)) => Some(number(first)?.abs_diff(number(last)?).saturating_add(1)),
        // An empty page has nothing to read.
        None if range.trim().is_empty() || range.trim() == "{" => Some(0),
        None => number(range).map(|_| 1).or((range.trim() == "last").then_some(1)),
    };
    let pages = pages.split(',').map(of_range).sum::<Option<u32>>()?;
    Some(pages.min(MOST_PAGES))
}
