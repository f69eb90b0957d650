//! Documents that are zip archives: DOCX, ODT, EPUB. Parts are asked for by name and never written anywhere.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::error::{cut_off, said};
use super::{Damage, Excess, ExtractError};
use crate::limits::ReadLimits;

/// How many bytes of a part tell what it is.
const START: u64 = 1024;

/// An opened archive, and how much of it may still be unpacked.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that all parts together may still expand to.
    left: u64,
    /// Names of the parts that were unpacked.
    read: BTreeSet<String>,
}

impl<'a> Package<'a> {
    /// Reads the archive's directory. Files of its kind have this ending.
    pub(super) fn open(bytes: &'a [u8], ending: &str, limits: &ReadLimits) -> Result<Self, ExtractError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| cut_off(ending))?;
        if archive.len() > limits.archive_entries {
            return Err(Excess::Parts { parts: archive.len() }.into());
        }
        let left = limits.expansion(bytes.len() as u64).min(limits.file_bytes);
        Ok(Package { archive, left, read: BTreeSet::new() })
    }

    /// Unpacks the part of exactly this name; `None` if there is none.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, ExtractError> {
        let entry = match self.archive.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(damaged(name, &error)),
        };
        if entry.encrypted() {
            return Err(ExtractError::Encrypted);
        }
        let mut bytes = Vec::new();
        let read = entry.take(self.left + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > self.left {
            return Err(Excess::PartBytes { part: said(name), limit: self.left }.into());
        }
        self.left -= bytes.len() as u64;
        read.map_err(|error| Damage::of_part(name, error))?;
        self.read.insert(name.to_owned());
        Ok(Some(bytes))
    }

    /// How a part begins and how long it says it is, to see what it is; `None` of one that cannot be unpacked.
    pub(super) fn start(&mut self, name: &str) -> Option<(Vec<u8>, u64)> {
        let mut bytes = Vec::new();
        let entry = self.archive.by_name(name).ok()?;
        let length = entry.size();
        entry.take(START).read_to_end(&mut bytes).ok()?;
        Some((bytes, length))
    }

    /// The names of the parts that were not unpacked yet, sorted.
    pub(super) fn unread(&self) -> Vec<String> {
        let names = self.archive.file_names().flatten().filter(|name| !self.read.contains(name.as_ref()));
        names.map(Cow::into_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Unpacks a part that must be there.
    pub(super) fn required(&mut self, name: &str) -> Result<Vec<u8>, ExtractError> {
        self.part(name)?.ok_or_else(|| Damage::PartMissing { part: said(name) }.into())
    }
}

fn damaged(what: &str, error: &ZipError) -> ExtractError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => ExtractError::Encrypted,
        _ => Damage::of_part(what, error).into(),
    }
}
