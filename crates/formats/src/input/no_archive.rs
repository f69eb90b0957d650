//! Stands for zip archives where the formats that need them are not built in.

use super::error::{Origin, ReadReason};
use super::{RawDocument, ReadError, ReadLimits, ReadSeek};

/// No archive can be opened.
pub(super) enum ZipEntries {}

impl ZipEntries {
    pub(super) fn open(
        _: Box<dyn ReadSeek>,
        _: u64,
        origin: Origin,
        _: bool,
        _: &ReadLimits,
    ) -> Result<Self, ReadError> {
        Err(ReadError::new(&origin, ReadReason::ArchivesUnread))
    }

    pub(super) fn unknown(&self) -> &[String] {
        match *self {}
    }

    pub(super) fn included(&self) -> u64 {
        match *self {}
    }

    pub(super) fn hidden(&self) -> &[String] {
        match *self {}
    }
}

impl Iterator for ZipEntries {
    type Item = Result<RawDocument, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match *self {}
    }
}
