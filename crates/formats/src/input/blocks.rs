//! The lines of a stream, as ranges of the blocks that it is read in: no line is copied, and who has one keeps its block.

use std::io::{self, Read};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The bytes read at a time.
const BLOCK: usize = 1 << 18;

/// A line without its newline. It holds on to its block.
#[derive(Debug)]
pub(super) struct RecordLine {
    block: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Deref for RecordLine {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.block[self.range.clone()]
    }
}

/// Reads lines. Memory is bounded by a block and the longest line allowed.
pub(super) struct LineReader {
    reader: Box<dyn Read + Send>,
    /// The most bytes of a line.
    most: u64,
    block: Arc<Vec<u8>>,
    /// The line that was read last, in the block.
    line: Range<usize>,
    /// Where the next one starts.
    next: usize,
    ended: bool,
    /// What ended the stream, to be told after the whole lines before it.
    error: Option<io::Error>,
}

/// What [`LineReader::advance`] finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A line, which may be empty.
    RecordLine,
    /// A line longer than allowed, which was skipped.
    TooLong,
    /// No more lines.
    End,
}

impl LineReader {
    /// Reads lines of at most `most` bytes.
    pub(super) fn new(reader: Box<dyn Read + Send>, most: u64) -> Self {
        LineReader { reader, most, block: Arc::default(), line: 0..0, next: 0, ended: false, error: None }
    }

    /// The most bytes of a line.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// Reads on to the next line.
    pub(super) fn advance(&mut self) -> io::Result<Found> {
        let mut searched = self.next;
        loop {
            let newline = memchr::memchr(b'\n', &self.block[searched..]).map(|at| searched + at);
            let end = newline.unwrap_or(self.block.len());
            if (end - self.next) as u64 > self.most {
                self.skip_line();
                return Ok(Found::TooLong);
            }
            if newline.is_some() || self.ended {
                if newline.is_none()
                    && let Some(error) = self.error.take()
                {
                    // What comes before is no whole line.
                    self.next = end;
                    return Err(error);
                }
                self.line = self.next..end;
                self.next = (end + 1).min(self.block.len());
                return Ok(if newline.is_none() && self.line.is_empty() { Found::End } else { Found::RecordLine });
            }
            searched = end - self.next;
            self.fill();
        }
    }

    /// The line that was read last.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.block[self.line.clone()]
    }

    /// The same, to be kept.
    pub(super) fn line(&self) -> RecordLine {
        RecordLine { block: self.block.clone(), range: self.line.clone() }
    }

    fn skip_line(&mut self) {
        loop {
            match memchr::memchr(b'\n', &self.block[self.next..]) {
                Some(at) => {
                    self.next += at + 1;
                    return;
                }
                None => self.next = self.block.len(),
            }
            if self.ended {
                return;
            }
            self.fill();
        }
    }

    /// Reads a block behind what is left of the last one, which is moved to the front.
    fn fill(&mut self) {
        match Arc::get_mut(&mut self.block) {
            // Nobody has a line of it.
            Some(block) => drop(block.drain(..self.next)),
            None => {
                let left = &self.block[self.next..];
                let mut block = Vec::with_capacity(left.len() + BLOCK);
                block.extend_from_slice(left);
                self.block = Arc::new(block);
            }
        }
        self.next = 0;
        let block = Arc::make_mut(&mut self.block);
        let before = block.len();
        block.reserve(BLOCK);
        match (&mut self.reader).take(BLOCK as u64).read_to_end(block) {
            Ok(_) => self.ended = block.len() == before,
            Err(error) => (self.ended, self.error) = (true, Some(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time.
    struct Trickle(Vec<u8>, usize);

    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(self.1).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0.drain(..count);
            Ok(count)
        }
    }

    fn lines(reader: impl Read + Send + 'static, most: u64) -> Vec<Option<RecordLine>> {
        let mut reader = LineReader::new(Box::new(reader), most);
        let mut lines = Vec::new();
        loop {
            match reader.advance().unwrap() {
                Found::RecordLine => lines.push(Some(reader.line())),
                Found::TooLong => lines.push(None),
                Found::End => return lines,
            }
        }
    }

    #[test]
    fn lines_longer_than_a_block_and_many_blocks_of_lines_are_read() {
        let long = "x".repeat(3 * BLOCK);
        let text = format!("{long}\nshort\n{}", "a line\n".repeat(2 * BLOCK));
        let found = lines(Trickle(text.clone().into_bytes(), BLOCK / 3), u64::MAX);
        assert_eq!(found.len(), 2 + 2 * BLOCK);
        assert!(
            found.iter().flatten().map(|line| &line[..]).eq(text.as_bytes().trim_ascii_end().split(|&b| b == b'\n'))
        );
    }

    #[test]
    fn whole_lines_before_an_error_are_given_first() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut reader = LineReader::new(Box::new((&b"one\ntwo\nthr"[..]).chain(Broken)), 100);
        assert_eq!(reader.advance().unwrap(), Found::RecordLine);
        assert_eq!(reader.advance().unwrap(), Found::RecordLine);
        assert_eq!(reader.bytes(), b"two");
        assert_eq!(reader.advance().unwrap_err().to_string(), "broken");
        assert_eq!(reader.advance().unwrap(), Found::End);
    }

    proptest::proptest! {
        #[test]
        fn lines_are_those_of_the_text(text in "[ab\n]{0,60}", most in 1u64..9, step in 1usize..70) {
            let found: Vec<Option<Vec<u8>>> =
                lines(Trickle(text.clone().into_bytes(), step), most).iter().map(|line| Some(line.as_ref()?.to_vec())).collect();
            let within = |line: &str| (line.len() as u64 <= most).then(|| line.as_bytes().to_vec());
            assert_eq!(found, text.split_terminator('\n').map(within).collect::<Vec<_>>());
        }
    }
}
