//! Many papers in one: folders and packages (`.tar`, packed or not) of articles in JATS, and arXiv's bulk files.

use crate::arxiv;
use crate::jats::article;
use crate::reason::{Failure, Reason};
use crate::record::{Archive, Content, Counted, Item, Record};
use crate::streams::{Bounded, Stream};
use copytrace_text::Metadata;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufRead, Cursor, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of one file in a package.
const MOST_BYTES: u64 = 256 << 20;

/// Bytes in which a tar file is counted.
const BLOCK: u64 = 512;

/// The name and the bytes of a file, unless they are too many.
type Entry = (String, Option<Vec<u8>>);

/// What the files of a package are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Papers {
    Jats,
    Arxiv,
}

enum Entries {
    Tar(Stream),
    /// Files of a folder, in the order of their paths.
    Files(std::vec::IntoIter<PathBuf>),
}

/// The papers of one package or folder. Memory is bounded by the largest file.
pub(crate) struct PaperRecords {
    entries: Entries,
    papers: Papers,
    /// What is known of papers of arXiv.
    known: HashMap<String, Metadata>,
    /// Bytes of files in a folder.
    bytes: u64,
}

impl PaperRecords {
    /// A package or folder, and the file that says what is known of papers of arXiv.
    pub(crate) fn open(path: &Path, papers: Papers, metadata: Option<&Path>) -> io::Result<Counted<Self>> {
        let mut records = PaperRecords::unknown(path, papers)?;
        if let Some(metadata) = metadata.filter(|_| papers == Papers::Arxiv) {
            let mut ids = HashSet::new();
            // Behind what is broken nothing is read later either.
            let mut names = PaperRecords::unknown(path, papers)?;
            while let Ok(Some((name, _))) = names.entry(false) {
                ids.insert(arxiv_id(&name));
            }
            let told = |error| io::Error::other(format!("{}: {error}", metadata.display()));
            records.known = arxiv::known(metadata, &ids).map_err(told)?;
        }
        Ok(Counted::new(records))
    }

    fn unknown(path: &Path, papers: Papers) -> io::Result<Self> {
        let mut files = vec![path.to_owned()];
        let entries = if path.is_dir() {
            files = Vec::new();
            files_in(path, &mut files)?;
            Entries::Files(files.into_iter())
        } else if Papers::Jats.wants(&path.to_string_lossy()) {
            Entries::Files(files.into_iter())
        } else {
            Entries::Tar(Stream::open(path)?)
        };
        Ok(PaperRecords { entries, papers, known: HashMap::new(), bytes: 0 })
    }

    /// The next file, with its bytes if they are wanted and not too many; `None` behind the last one.
    fn entry(&mut self, wanted: bool) -> io::Result<Option<Entry>> {
        Ok(Some(match &mut self.entries {
            Entries::Files(files) => {
                let Some(path) = files.next() else { return Ok(None) };
                let name = path.to_string_lossy().into_owned();
                let size = if wanted { fs::metadata(&path)?.len() } else { 0 };
                let read = || if wanted && size <= MOST_BYTES { fs::read(&path) } else { Ok(Vec::new()) };
                self.bytes += size;
                (name, if size > MOST_BYTES { None } else { Some(read()?) })
            }
            Entries::Tar(stream) => {
                // Every tar ends with blocks of zeros. One that was cut off between two of its files has none.
                if stream.reader.fill_buf()?.is_empty() {
                    return Err(io::Error::other(
                        "no end of the tar is there: it was cut off, or its writer left the end out",
                    ));
                }
                // A reader for each entry: what lies between two of them is passed over here.
                let mut archive = tar::Archive::new(&mut stream.reader);
                let Some(mut entry) = archive.entries()?.next().transpose()? else { return Ok(None) };
                let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                let size = entry.size();
                let read = wanted && entry.header().entry_type().is_file() && self.papers.wants(&name);
                let mut bytes = Vec::new();
                let passed = match read && size <= MOST_BYTES {
                    true => entry.read_to_end(&mut bytes)? as u64,
                    false => io::copy(&mut entry, &mut io::sink())?,
                };
                let rest =
                    io::copy(&mut stream.reader.by_ref().take(size.next_multiple_of(BLOCK) - size), &mut io::sink())?;
                if passed + rest < size.next_multiple_of(BLOCK) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                (name, (size <= MOST_BYTES).then_some(bytes))
            }
        }))
    }
}

/// Files of a folder and the folders in it.
fn files_in(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() { files_in(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

impl Papers {
    /// Whether a file of this name is a paper.
    fn wants(self, name: &str) -> bool {
        let endings: &[&str] = match self {
            Papers::Jats => &["xml", "nxml"],
            Papers::Arxiv => &["pdf", "gz"],
        };
        name.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending.to_ascii_lowercase().as_str()))
    }

    fn record(self, name: String, bytes: Vec<u8>, known: &mut HashMap<String, Metadata>) -> Record {
        let mut record = Record {
            id: String::new(),
            stamp: String::new(),
            provenance: Metadata::default(),
            content: Content::Jats(name.clone(), bytes),
        };
        if self == Papers::Arxiv {
            let id = arxiv_id(&name);
            record.provenance = known.remove(&id).unwrap_or_default();
            record.provenance.url = Some(format!("https://arxiv.org/abs/{id}"));
            record.id = format!("arXiv:{id}");
            if let Content::Jats(name, bytes) = record.content {
                record.content =
                    if name.ends_with(".gz") { Content::Source(bytes) } else { Content::File(name, bytes) };
            }
        }
        record
    }
}

/// The identifier of a paper from the name of its file: `2301/2301.00001v2.pdf`, `9901/hep-th9901001.gz`.
fn arxiv_id(name: &str) -> String {
    let stem = name.rsplit('/').next().unwrap_or_default().rsplit_once('.').map_or(name, |(stem, _)| stem);
    let version = stem.rsplit_once('v').filter(|(_, version)| !version.is_empty() && is_number(version));
    let stem = version.map_or(stem, |(stem, _)| stem);
    // Before 2007 an archive's name stood in front.
    match stem.find(|c: char| c.is_ascii_digit()) {
        Some(at) if at > 0 => format!("{}/{}", stem[..at].trim_end_matches('/'), &stem[at..]),
        _ => stem.to_owned(),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Archive for PaperRecords {
    fn pass(&mut self, wanted: bool) -> Result<Option<Option<Item>>, String> {
        let Some((name, bytes)) = self.entry(wanted).map_err(|error| error.to_string())? else { return Ok(None) };
        let is_wanted = wanted && self.papers.wants(&name);
        Ok(Some(is_wanted.then(|| match bytes {
            Some(bytes) => Item::Record(Box::new(self.papers.record(name, bytes, &mut self.known))),
            None => Item::failed(name, Reason::AnswerLarge { limit: MOST_BYTES }),
        })))
    }

    fn bytes(&self) -> u64 {
        match &self.entries {
            Entries::Tar(stream) => stream.bytes(),
            Entries::Files(_) => self.bytes,
        }
    }
}

/// An article in JATS as a page with its id, and what it says of itself.
pub(crate) fn read_jats(name: &str, bytes: &[u8]) -> Result<(String, Metadata, Vec<u8>), Failure> {
    let broken = |said: String| Failure::new(name, Reason::BrokenXml { said });
    let article = article(&String::from_utf8_lossy(bytes)).map_err(broken)?;
    let id = if article.id.is_empty() { name.to_owned() } else { article.id };
    Ok((id, article.known, article.html.into_bytes()))
}

/// A source of arXiv under a name that tells what it is: LaTeX, PDF, or an archive of LaTeX files.
pub(crate) fn read_source(packed: &[u8]) -> io::Result<(&'static str, Vec<u8>)> {
    let mut bytes = Vec::new();
    Bounded::new(flate2::read::MultiGzDecoder::new(packed), MOST_BYTES).read_to_end(&mut bytes)?;
    if bytes.starts_with(b"%PDF") {
        return Ok(("paper.pdf", bytes));
    }
    // The mark of a tar file stands behind the first name.
    if bytes.get(257..262) != Some(b"ustar") {
        return Ok(("paper.tex", bytes));
    }
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut archive = tar::Archive::new(&bytes[..]);
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type().is_file()
            && [".tex", ".bbl", ".ltx", ".TEX"].iter().any(|end| name.ends_with(end))
        {
            let mut text = Vec::new();
            entry.read_to_end(&mut text)?;
            zip.start_file(name.trim_start_matches("./"), stored).map_err(io::Error::other)?;
            zip.write_all(&text)?;
        }
    }
    Ok(("paper.zip", zip.finish().map_err(io::Error::other)?.into_inner()))
}

#[cfg(test)]
#[path = "packages_tests.rs"]
mod tests;
