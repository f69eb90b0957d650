//! A source, as it is written on a command line.

use crate::mediawiki::DumpRecords;
use crate::oai::OaiRecords;
use crate::packages::{PaperRecords, Papers};
use crate::parquet::RowRecords;
use crate::reason::{Failure, Reason};
use crate::record::{Content, Item, Record, Records};
use crate::run::Options;
use crate::warc::WarcRecords;
use copytrace_formats::input::{Inputs, ReadLimits, ReadReason};
use copytrace_job::Job;
use copytrace_text::Metadata;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

/// Where documents come from: `KIND:PLACE`, or a place alone whose name tells its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    kind: Kind,
    place: String,
}

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Files, folders, zip archives and JSON lines, as everywhere else.
    Files,
    /// A WARC or WET file.
    Warc,
    /// A dump of a MediaWiki.
    MediaWiki,
    /// A folder, a package or a file of articles in JATS, or a bulk file of arXiv.
    Papers(Papers),
    /// A table, of which each row is a document.
    Parquet,
    /// A repository that speaks OAI-PMH.
    Oai,
}

const KINDS: [(&str, Kind); 7] = [
    ("files", Kind::Files),
    ("warc", Kind::Warc),
    ("mediawiki", Kind::MediaWiki),
    ("jats", Kind::Papers(Papers::Jats)),
    ("arxiv", Kind::Papers(Papers::Arxiv)),
    ("parquet", Kind::Parquet),
    ("oai", Kind::Oai),
];

impl Kind {
    fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// The kind of a place by its name.
    fn of_place(place: &str) -> Kind {
        if !is_address(place) {
            return Kind::of_file(place);
        }
        // An address is that of a repository, unless it ends as a file does; XML is what repositories answer, too.
        let path = place.split(['?', '#']).next().unwrap_or_default();
        match Kind::of_file(path) {
            Kind::Files => Kind::Oai,
            Kind::MediaWiki if path.ends_with("xml") => Kind::Oai,
            kind => kind,
        }
    }

    fn of_file(place: &str) -> Kind {
        let name = place.to_ascii_lowercase();
        let name = [".gz", ".bz2", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        match name.rsplit('.').next().unwrap_or_default() {
            "warc" | "wet" => Kind::Warc,
            "parquet" => Kind::Parquet,
            "xml" => Kind::MediaWiki,
            "tar" if name.rsplit(['/', '\\']).next().is_some_and(|name| name.starts_with("arxiv")) => {
                Kind::Papers(Papers::Arxiv)
            }
            "nxml" | "tar" | "tgz" => Kind::Papers(Papers::Jats),
            _ => Kind::Files,
        }
    }
}

fn is_address(place: &str) -> bool {
    let place = place.to_ascii_lowercase();
    place.starts_with("http://") || place.starts_with("https://")
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = text
            .split_once(':')
            .and_then(|(name, place)| KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| (*kind, place)));
        let (kind, place) = named.unwrap_or_else(|| (Kind::of_place(text), text));
        if place.is_empty() {
            return Err("write a path or an address".to_owned());
        }
        if kind != Kind::Oai && is_address(place) {
            return Err("only repositories are asked over the network, as in oai:ADDRESS; fetch a file first, and name where it lies".to_owned());
        }
        Ok(Source { kind, place: place.to_owned() })
    }
}

/// As it is named in the state.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.name(), self.place)
    }
}

impl Source {
    /// Whether it lies on another machine.
    pub fn is_remote(&self) -> bool {
        self.kind == Kind::Oai
    }

    /// Whether it is files, folders and archives of documents.
    #[doc(hidden)]
    pub fn is_files(&self) -> bool {
        self.kind == Kind::Files
    }

    /// The path or the address.
    #[doc(hidden)]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Whether it is full of pages that are there twice.
    pub(crate) fn is_crawl(&self) -> bool {
        self.kind == Kind::Warc
    }

    /// What tells whether the source is as it was, and whether the same is known and wanted of it; nothing of a folder or a repository.
    pub(crate) fn sign(&self, options: &Options) -> Option<String> {
        let file = std::fs::metadata(&self.place).ok().filter(|file| file.is_file() && !self.is_remote())?;
        let changed = file.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        let Options { known, languages, limits, .. } = options;
        let fields = if limits.json_fields == Default::default() { "" } else { &format!(" {:?}", limits.json_fields) };
        let papers = options.arxiv_metadata.as_ref().and_then(|path| std::fs::metadata(path).ok());
        let papers = papers.map(|file| format!(" {}", file.len())).unwrap_or_default();
        Some(format!("{} {} {known:?} {languages:?}{fields}{papers}", file.len(), changed.as_nanos()))
    }

    /// Its records from the beginning.
    pub(crate) fn open(&self, options: &Options, since: Option<&str>) -> Result<Box<dyn Records>, Reason> {
        let path = PathBuf::from(&self.place);
        let opened: io::Result<Box<dyn Records>> = match self.kind {
            Kind::Oai => return Ok(Box::new(OaiRecords::new(&self.place, options, since)?)),
            Kind::Files => return Ok(Box::new(FileRecords::new(path, options.limits.clone()))),
            Kind::Warc => WarcRecords::open(&path, options.known.clone()).map(|records| Box::new(records) as _),
            Kind::Papers(papers) => PaperRecords::open(&path, papers, options.arxiv_metadata.as_deref())
                .map(|records| Box::new(records) as _),
            Kind::Parquet => RowRecords::open(&path, &options.limits.json_fields).map(|records| Box::new(records) as _),
            Kind::MediaWiki => DumpRecords::open(&path, options.known.clone()).map(|records| Box::new(records) as _),
        };
        opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ReadReason::Missing.into(),
            io::ErrorKind::PermissionDenied => ReadReason::PermissionDenied.into(),
            _ => Reason::SourceUnreadable { said: error.to_string() },
        })
    }
}

/// The documents of files, folders, archives and JSON lines.
struct FileRecords {
    inputs: Inputs,
    limits: ReadLimits,
    before: u64,
    items: u64,
}

impl FileRecords {
    fn new(path: PathBuf, limits: ReadLimits) -> Self {
        let before = limits.bytes_read.so_far();
        FileRecords { inputs: Inputs::open(&[path], limits.clone()), limits, before, items: 0 }
    }
}

impl Records for FileRecords {
    fn next(&mut self, _seen: &dyn Fn(&str, &str) -> bool, job: &Job) -> Option<Item> {
        job.check().ok()?;
        let item = self.inputs.next()?;
        self.items += 1;
        Some(match item {
            Ok(raw) => Item::Record(Box::new(Record {
                id: String::new(),
                stamp: String::new(),
                provenance: Metadata::default(),
                content: Content::Raw(raw),
            })),
            Err(error) => {
                let failure = Failure::new(error.id(), error.reason().clone());
                if may_hide_documents(error.reason()) { Item::Stopped(failure) } else { Item::Failed(failure) }
            }
        })
    }

    fn resume(&mut self, place: &str) {
        while self.items.to_string() != place && self.inputs.pass_over() {
            self.items += 1;
        }
    }

    fn place(&self) -> String {
        self.items.to_string()
    }

    fn bytes(&self) -> u64 {
        self.limits.bytes_read.so_far() - self.before
    }
}

/// Whether behind this error may stand documents that nobody saw, so that it does not follow that they went.
#[doc(hidden)]
pub fn may_hide_documents(reason: &ReadReason) -> bool {
    use ReadReason::*;
    matches!(
        reason,
        Missing
            | PermissionDenied
            | Unreadable { .. }
            | ArchiveExpands { .. }
            | LinesExpand { .. }
            | Truncated { .. }
            | LinesDamaged { .. }
            | NoArchive { .. }
            | ManyEntries { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_repository_and_a_file_over_there_is_refused() {
        for repository in
            ["https://a.org/oai", "HTTPS://a.org/oai.xml", "oai:https://a.org/x.tar", "https://a.org/oai?set=a.tar"]
        {
            assert!(repository.parse::<Source>().unwrap().is_remote(), "{repository}");
        }
        for file in ["https://a.org/crawl.warc.gz", "warc:http://a.org/x", "https://a.org/pages-articles.xml.bz2"] {
            assert!(file.parse::<Source>().unwrap_err().contains("fetch"), "{file}");
        }
    }
}
