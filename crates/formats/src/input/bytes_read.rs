//! How far reading has come.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::folder::FolderWalk;
use crate::limits::{BytesRead, ReadLimits};

/// A reader whose bytes are counted.
pub(super) struct Counted<R> {
    pub(super) reader: R,
    pub(super) bytes: BytesRead,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes.add(read as u64);
        Ok(read)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.reader.seek(position)
    }
}

impl BytesRead {
    /// How many bytes there are to read: those of the files, and of the files of a kind that is read in the folders. What cannot be
    /// looked at counts as nothing.
    pub fn there_are_in(paths: &[PathBuf]) -> u64 {
        let of = |path: &PathBuf| match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                FolderWalk::new(path, &ReadLimits::default()).filter_map(Result::ok).map(|file| file.bytes).sum()
            }
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        };
        paths.iter().map(of).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Inputs;
    use super::*;
    use std::io::Write;

    #[test]
    fn the_bytes_that_were_read_are_in_the_end_those_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        let lines = "{\"text\":\"the grey tide\"}\n".repeat(500);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(lines.as_bytes()).unwrap();
        write("a.jsonl.gz", &gzip.finish().unwrap());
        write("b.jsonl.zst", &zstd::encode_all(lines.as_bytes(), 1).unwrap());
        write("c.jsonl", lines.as_bytes());
        write("d.txt", b"the grey tide");
        write("unknown.xyz", b"passed over");
        let paths = [folder.path().to_owned()];
        let total = BytesRead::there_are_in(&paths);
        let limits = ReadLimits::default();
        let (mut documents, mut before) = (0, 0);
        for document in Inputs::open(&paths, limits.clone()) {
            documents += usize::from(document.is_ok());
            assert!(limits.bytes_read.so_far() >= before && limits.bytes_read.so_far() <= total);
            before = limits.bytes_read.so_far();
        }
        assert_eq!(documents, 1501);
        assert_eq!(limits.bytes_read.so_far(), total);
    }
}
