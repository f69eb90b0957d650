//! Documents that are zip archives: DOCX, ODT, EPUB. Parts are asked for by name and never written anywhere.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::ExtractError;
use crate::text::limits::ReadLimits;

/// An opened archive, and how much of it may still be unpacked.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that all parts together may still expand to.
    left: u64,
}

impl<'a> Package<'a> {
    /// Reads the archive's directory.
    pub(super) fn open(bytes: &'a [u8], limits: &ReadLimits) -> Result<Self, ExtractError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged("the archive", &error))?;
        if archive.len() > limits.archive_entries {
            return Err(ExtractError::TooLarge(format!("{} parts", archive.len())));
        }
        let left = limits.expansion(bytes.len() as u64).min(limits.file_bytes);
        Ok(Package { archive, left })
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
            return Err(ExtractError::TooLarge(format!("{name} expands to more than {} bytes", self.left)));
        }
        self.left -= bytes.len() as u64;
        read.map_err(|error| ExtractError::Damaged(format!("{name}: {error}")))?;
        Ok(Some(bytes))
    }

    /// Unpacks a part that must be there.
    pub(super) fn required(&mut self, name: &str) -> Result<Vec<u8>, ExtractError> {
        self.part(name)?.ok_or_else(|| ExtractError::Damaged(format!("{name} is missing")))
    }
}

fn damaged(what: &str, error: &ZipError) -> ExtractError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => ExtractError::Encrypted,
        _ => ExtractError::Damaged(format!("{what}: {error}")),
    }
}
