//! The documents in a zip archive. Nothing is ever written to disk, whatever names the entries have.

use std::collections::BTreeMap;
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs::GB18030;
use zip::ZipArchive;
use zip::result::ZipError;

use super::document::{read_at_most, too_large};
use super::error::{Origin, ReadReason};
use super::folder::is_hidden_name;
use super::latex_parts::{LatexProjects, is_latex, is_supporting};
use super::lines::{Compression, JsonLines};
use super::{FileKind, RawDocument, ReadError, ReadLimits, ReadSeek};
use crate::extract::error::said;
use crate::extract::{Entries, ExtractError, Format, SourceFolder};

/// The bytes of other files that are kept beside them, of one and of all: tables and texts that documents name.
const MOST_OF_DATA: u64 = 1 << 20;
const MOST_DATA: u64 = 16 << 20;

/// The bytes of all LaTeX sources of an archive that are kept to make documents of them; with more each file is one of its own.
const MOST_SOURCES: u64 = 64 << 20;

/// Reads a zip archive's entries in the order of its directory.
pub(super) struct ZipEntries {
    archive: ZipArchive<BufReader<Box<dyn ReadSeek>>>,
    /// Of the archive itself.
    origin: Origin,
    /// Whether ids start with the archive's own.
    inside_folder: bool,
    limits: ReadLimits,
    archive_bytes: u64,
    /// Bytes that all entries together may still expand to.
    left: u64,
    next: usize,
    lines: Option<JsonLines>,
    any: bool,
    /// The LaTeX sources, and what they may show, by their names; and which sources are parts of others.
    sources: Entries,
    latex: LatexProjects,
    /// How many entries were passed that are parts of LaTeX projects.
    included: u64,
    /// Ids of entries left out because nothing is known of their kind.
    unknown: Vec<String>,
    /// Ids of entries left out because of how their names begin.
    hidden: Vec<String>,
}

impl ZipEntries {
    /// Ids of the entries left out because nothing is known of their kind.
    pub(super) fn hidden(&self) -> &[String] {
        &self.hidden
    }

    pub(super) fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// How many entries were left out because they are parts of LaTeX projects.
    pub(super) fn included(&self) -> u64 {
        self.included
    }

    /// The entries of an archive of `archive_bytes` bytes.
    pub(super) fn open(
        file: Box<dyn ReadSeek>,
        archive_bytes: u64,
        origin: Origin,
        inside_folder: bool,
        limits: &ReadLimits,
    ) -> Result<Self, ReadError> {
        if archive_bytes == 0 {
            return Err(ReadError::new(&origin, ExtractError::NoText));
        }
        let archive = ZipArchive::new(BufReader::new(file))
            .map_err(|error| ReadError::new(&origin, ReadReason::NoArchive { said: said(error) }))?;
        if archive.len() > limits.archive_entries {
            let reason = ReadReason::ManyEntries { entries: archive.len(), limit: limits.archive_entries };
            return Err(ReadError::new(&origin, reason));
        }
        let mut entries = ZipEntries {
            archive,
            origin,
            inside_folder,
            limits: limits.clone(),
            archive_bytes,
            left: limits.expansion(archive_bytes),
            next: 0,
            lines: None,
            any: false,
            sources: Entries::default(),
            latex: LatexProjects::default(),
            included: 0,
            unknown: Vec::new(),
            hidden: Vec::new(),
        };
        entries.sources = Arc::new(entries.read_sources());
        entries.latex = LatexProjects::in_archive(&entries.sources, limits);
        Ok(entries)
    }

    /// The LaTeX sources, the packages beside them, and of other files what is small; none if there are too many sources.
    fn read_sources(&mut self) -> BTreeMap<PathBuf, Arc<[u8]>> {
        let names =
            (0..self.archive.len()).filter_map(|index| Some((index, self.archive.name_for_index(index)?.ok()?)));
        let is_source = |name: &str| is_latex(Path::new(name)) || is_supporting(name);
        let (found, others): (Vec<_>, Vec<_>) = names.partition(|(_, name)| is_source(name));
        let [found, others] =
            [found, others].map(|names| names.into_iter().map(|(index, _)| index).collect::<Vec<_>>());
        let (mut sources, mut left) = (BTreeMap::new(), MOST_SOURCES);
        for index in found {
            match self.source(index, left) {
                Some((name, Some(bytes))) => {
                    left -= bytes.len() as u64;
                    sources.entry(name).or_insert(bytes);
                }
                Some((_, None)) => return BTreeMap::new(),
                // It is told where its turn comes.
                None => {}
            }
        }
        // Data that a document may show.
        left = if sources.is_empty() { 0 } else { left.min(MOST_DATA) };
        for index in others {
            if left == 0 {
                break;
            }
            if let Some((name, Some(bytes))) = self.source(index, left.min(MOST_OF_DATA)) {
                left -= bytes.len() as u64;
                sources.entry(name).or_insert(bytes);
            }
        }
        sources
    }

    /// The name of an entry and what it holds, unless that is more than `left` bytes; `None` of one that is not read.
    fn source(&mut self, index: usize, left: u64) -> Option<(PathBuf, Option<Arc<[u8]>>)> {
        let entry = self.archive.by_index(index).ok()?;
        let name = entry_name(entry.name_raw(), index);
        if entry.is_symlink() || entry.is_dir() || name.split('/').any(is_hidden_name) {
            return None;
        }
        let by_ratio = self.limits.expansion(entry.compressed_size().min(self.archive_bytes));
        match read_at_most(entry, left.min(by_ratio), 0) {
            Ok(Some(bytes)) => Some((PathBuf::from(name), Some(bytes.into()))),
            Ok(None) if left <= by_ratio => Some((PathBuf::from(name), None)),
            _ => None,
        }
    }

    /// What the entry is, `None` for one that is silently left out.
    fn entry(&mut self, index: usize) -> Option<Result<RawDocument, ReadError>> {
        let (name, encrypted, symlink, declared) = match self.archive.by_index_data(index) {
            Ok(entry) if entry.is_dir() => return None,
            Ok(entry) => (
                entry_name(entry.name_raw(), index),
                entry.encrypted(),
                entry.is_symlink(),
                (entry.compressed_size(), entry.size()),
            ),
            Err(error) => return Some(Err(damaged(&self.origin, &error))),
        };
        let mut origin = self.origin.inside('/', &name);
        if !self.inside_folder {
            origin.id = name.clone();
        }
        if name.split('/').any(is_hidden_name) {
            self.hidden.push(origin.id);
            return None;
        }
        let not_followed = |reason: ReadReason| Some(Err(ReadError::new(&origin, reason)));
        let kind = match FileKind::of_name(&name) {
            None | Some(FileKind::Document(Format::Latex)) if self.latex.have_part(Path::new(&name)) => {
                self.included += 1;
                return None;
            }
            None => {
                self.unknown.push(origin.id);
                return None;
            }
            Some(FileKind::Zip | FileKind::JsonLines(Compression::Gzip | Compression::Zstandard)) => {
                return not_followed(ReadReason::NestedArchive);
            }
            Some(kind) => kind,
        };
        if encrypted {
            return not_followed(ReadReason::EncryptedEntry);
        }
        if symlink {
            return not_followed(ReadReason::ArchivedLink);
        }
        let bytes = match self.read(index, &origin, declared) {
            Ok(bytes) => bytes,
            Err(error) => return Some(Err(error)),
        };
        match kind {
            FileKind::Document(format) => {
                let parent = Path::new(&name).parent().filter(|_| format == Format::Latex);
                let project = parent.and_then(|parent| self.latex.project_at(parent));
                let folder = parent.map(|parent| SourceFolder::in_archive(parent, &self.sources).of_project(project));
                Some(Ok(RawDocument::bytes(origin, bytes.into(), format, folder)))
            }
            FileKind::JsonLines(_) | FileKind::Zip => {
                let length = bytes.len() as u64;
                match JsonLines::open(Cursor::new(bytes), Some(length), Compression::None, origin, &self.limits) {
                    Ok(lines) => self.lines = Some(lines),
                    Err(error) => return Some(Err(error)),
                }
                None
            }
        }
    }

    /// Reads an entry. The declared sizes are hints: what counts is what comes out.
    fn read(&mut self, index: usize, origin: &Origin, declared: (u64, u64)) -> Result<Vec<u8>, ReadError> {
        let (compressed, expanded) = declared;
        let by_ratio = self.limits.expansion(compressed.min(self.archive_bytes));
        let limit = self.limits.file_bytes.min(by_ratio).min(self.left);
        let entry = self.archive.by_index(index).map_err(|error| damaged(origin, &error))?;
        let mut entry = entry.take(u64::MAX);
        let read = read_at_most(&mut entry, limit, expanded);
        let used = u64::MAX - entry.limit();
        let all = self.left;
        self.left = self.left.saturating_sub(used);
        match read {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) if limit == all => {
                self.next = usize::MAX;
                let limit = self.limits.expansion(self.archive_bytes);
                Err(ReadError::new(origin, ReadReason::ArchiveExpands { limit }))
            }
            Ok(None) if limit == by_ratio => Err(ReadError::new(origin, ReadReason::EntryExpands { limit: by_ratio })),
            Ok(None) => Err(too_large(origin, &self.limits)),
            Err(error) => Err(ReadError::new(origin, ReadReason::EntryDamaged { said: said(error) })),
        }
    }
}

impl Iterator for ZipEntries {
    type Item = Result<RawDocument, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.lines.as_mut().and_then(Iterator::next) {
                return Some(item);
            }
            self.lines = None;
            if self.next >= self.archive.len() {
                if !std::mem::replace(&mut self.any, true) {
                    return Some(Err(ReadError::new(&self.origin, ReadReason::NoDocument)));
                }
                return None;
            }
            let index = self.next;
            self.next += 1;
            let item = self.entry(index);
            self.any |= item.is_some() || self.lines.is_some();
            if item.is_some() {
                return item;
            }
        }
    }
}

fn damaged(origin: &Origin, error: &ZipError) -> ReadError {
    let unsupported = matches!(error, ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_));
    ReadError::new(origin, ReadReason::EntryUnreadable { said: said(error), unsupported })
}

/// An entry's name as an id: parts that lead elsewhere are taken out, and control characters replaced.
fn entry_name(raw: &[u8], index: usize) -> String {
    // Names are UTF-8 or of the code page of whoever packed them, and flags that say which are often wrong.
    let decoded = match std::str::from_utf8(raw) {
        Ok(name) => name.to_owned(),
        Err(_) => GB18030.decode_without_bom_handling(raw).0.into_owned(),
    };
    let parts: Vec<String> = decoded
        .split(['/', '\\'])
        .map(|part| part.trim_end_matches(':'))
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .map(|part| part.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect())
        .collect();
    if parts.is_empty() { format!("entry {index}") } else { parts.join("/") }
}
