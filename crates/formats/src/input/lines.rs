//! JSON lines, plain or compressed.

use std::io::{self, BufReader, Read};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use thiserror::Error;

use super::blocks::{Found, LineReader};
use super::error::{Origin, ReadReason};
use super::{RawDocument, ReadError, ReadLimits};
use crate::extract::ExtractError;
use crate::extract::error::said;

/// How a file of JSON lines is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstandard,
}

/// The lines of one file. Memory is bounded by the longest line allowed.
pub(super) struct JsonLines {
    reader: LineReader,
    origin: Arc<Origin>,
    line: u64,
    compressed: bool,
    any: bool,
    finished: bool,
}

impl JsonLines {
    /// The lines of a file of `bytes` bytes, if that is known. The decompressed lines are bounded by the limits on expansion.
    pub(super) fn open(
        file: impl Read + Send + 'static,
        bytes: Option<u64>,
        compression: Compression,
        origin: Origin,
        limits: &ReadLimits,
    ) -> Result<Self, ReadError> {
        let allowed = bytes.map_or(limits.archive_bytes, |bytes| limits.expansion(bytes));
        let open = || -> io::Result<Box<dyn Read + Send>> {
            Ok(match compression {
                // An empty file holds no text; it is not a truncated one.
                _ if bytes == Some(0) => Box::new(io::empty()),
                Compression::None => Box::new(file),
                Compression::Gzip => bounded(MultiGzDecoder::new(BufReader::new(file)), allowed),
                Compression::Zstandard => bounded(zstd::Decoder::new(file)?, allowed),
            })
        };
        let reader = open().map_err(|error| ReadError::from_io(&origin, error))?;
        Ok(Self::new(reader, compression != Compression::None, origin, limits))
    }

    fn new(reader: Box<dyn Read + Send>, compressed: bool, origin: Origin, limits: &ReadLimits) -> Self {
        let reader = LineReader::new(reader, limits.line_bytes);
        JsonLines { reader, origin: Arc::new(origin), line: 0, compressed, any: false, finished: false }
    }

    /// Reads on to the next line that is an item, and gives whether it is within the limit; `None` at the end.
    fn advance(&mut self) -> Option<Result<bool, ReadError>> {
        while !self.finished {
            let found = match self.reader.advance() {
                Ok(found) => found,
                Err(error) => {
                    self.finished = true;
                    return Some(Err(self.broken(error)));
                }
            };
            if found == Found::End {
                self.finished = true;
                let empty = !self.any;
                return empty.then(|| Err(ReadError::new(&self.origin, ExtractError::NoText)));
            }
            self.line += 1;
            // Blank lines are no documents, but they count.
            if found == Found::RecordLine && self.reader.bytes().trim_ascii().is_empty() {
                continue;
            }
            self.any = true;
            return Some(Ok(found == Found::RecordLine));
        }
        None
    }

    /// Goes past the next item without making it; false at the end.
    pub(super) fn pass_over(&mut self) -> bool {
        self.advance().is_some()
    }

    /// An error that ends the file, such as a truncated stream.
    fn broken(&self, error: io::Error) -> ReadError {
        let line = self.line;
        if let Some(ExpandsTooMuch(limit)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
            return ReadError::new(&self.origin, ReadReason::LinesExpand { limit: *limit, line });
        }
        if !self.compressed {
            return ReadError::from_io(&self.origin, error);
        }
        let reason = match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadReason::Truncated { line },
            _ => ReadReason::LinesDamaged { line, said: said(error) },
        };
        ReadError::new(&self.origin, reason)
    }
}

impl Iterator for JsonLines {
    type Item = Result<RawDocument, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let within = match self.advance()? {
            Ok(within) => within,
            Err(error) => return Some(Err(error)),
        };
        if !within {
            let origin = self.origin.inside(':', &self.line.to_string());
            return Some(Err(ReadError::new(&origin, ReadReason::LongLine { limit: self.reader.most() })));
        }
        Some(Ok(RawDocument::json_line(self.origin.clone(), self.line, self.reader.line())))
    }
}

fn bounded(reader: impl Read + Send + 'static, limit: u64) -> Box<dyn Read + Send> {
    Box::new(Bounded { reader, limit, left: limit })
}

/// Gives `limit` bytes, and fails if there are more.
struct Bounded<R> {
    reader: R,
    limit: u64,
    left: u64,
}

/// What [`Bounded`] fails with.
#[derive(Debug, Error)]
#[error("expands to more than {0} bytes")]
struct ExpandsTooMuch(u64);

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return match self.reader.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::other(ExpandsTooMuch(self.limit))),
            };
        }
        let within = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.reader.read(&mut buffer[..within])?;
        self.left -= read as u64;
        Ok(read)
    }
}
