//! What `copytrace harvest` is told.

use super::reading::ReadingOptions;
use super::values::age;
use clap::Args;
use copytrace::formats::extract::FIELDS;
use copytrace::text::prose::languages_told;
use copytrace_harvest::{Source, WebSettings};
use std::path::PathBuf;
use std::time::Duration;

const SOURCE_HELP: &str = "A SOURCE is the address of a repository (OAI-PMH; ?set=NAME for one of its sets), a WARC or WET file \
(.warc, .wet, also .gz and .zst), a dump of a MediaWiki (.xml, also .bz2, .gz and .zst), articles in JATS (.nxml, .tar, .tar.gz), a bulk file \
of arXiv (arXiv_*.tar), a table (.parquet), or what every other command reads: files, folders, .zip, .jsonl. Where the name does not tell it, write oai:ADDRESS, \
warc:PATH, mediawiki:PATH, jats:PATH (a folder too), arxiv:PATH, parquet:PATH or files:PATH.";

#[derive(Debug, Args)]
#[command(after_help = format!("{SOURCE_HELP}\n\nExamples:\n  \
    copytrace harvest zhwiki-latest-pages-articles.xml.bz2 --index wiki.idx\n  \
    copytrace harvest https://repository.example.org/oai?set=theses --contact library@example.org --index theses.idx\n  \
    copytrace harvest crawl-*.warc.gz --collection intranet -o intranet.jsonl.zst\n  \
    copytrace harvest --state --index wiki.idx"))]
pub struct HarvestOptions {
    /// The sources
    #[arg(value_name = "SOURCE")]
    pub sources: Vec<Source>,

    /// One more source, as a file of defaults names it
    #[arg(long = "source", value_name = "SOURCE", hide_short_help = true)]
    pub named: Vec<Source>,

    /// The index that takes the documents; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,

    /// A file of JSON lines packed by zstd in place of an index
    #[arg(long, short, value_name = "FILE", conflicts_with = "index")]
    pub output: Option<PathBuf>,

    /// Print what was harvested so far into the index, as CSV
    #[arg(long, requires = "index")]
    pub state: bool,

    /// Count the records of the sources, and write nothing
    #[arg(long, conflicts_with_all = ["state", "again"])]
    pub dry_run: bool,

    /// Ask for all of a source again, and not only for what changed
    #[arg(long)]
    pub again: bool,

    /// The index that is made keeps hashed tokens instead of the texts
    #[arg(long)]
    pub no_text: bool,

    /// The collection of documents whose source names none
    #[arg(long, value_name = "NAME")]
    pub collection: Option<String>,

    /// The licence of documents whose source names none
    #[arg(long, value_name = "NAME")]
    pub licence: Option<String>,

    /// The languages that are taken, such as en,zh; texts too short to tell are taken too
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = language)]
    pub language: Vec<String>,

    /// The field of JSON lines, or the column of Parquet files, that holds the id
    #[arg(long, value_name = "NAME", default_value = "id", hide_short_help = true)]
    pub id_field: String,

    /// The same of the text
    #[arg(long, value_name = "NAME", default_value = "text", hide_short_help = true)]
    pub text_field: String,

    /// The same of the title, author, date, collection, url or licence, as in title=name
    #[arg(long = "field", value_name = "FIELD=NAME", value_parser = field, hide_short_help = true)]
    pub fields: Vec<(String, String)>,

    /// The file that says titles, authors and licences of arXiv's papers, as JSON lines, plain or packed
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub arxiv_metadata: Option<PathBuf>,

    #[command(flatten)]
    pub web: WebOptions,

    #[command(flatten)]
    pub reading: ReadingOptions,
}

/// How servers are asked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Servers")]
pub struct WebOptions {
    /// Whom the keeper of a server may write to, which servers are told: an address of mail or of a page
    #[arg(long, value_name = "ADDRESS", default_value = "", hide_default_value = true)]
    pub contact: String,

    /// Seconds between two requests to one host
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    pub pause: f64,

    /// How long to harvest a source, such as 8h; the next run goes on from there
    #[arg(long, value_name = "TIME", value_parser = age)]
    pub time: Option<i64>,

    /// Kilobytes that come in a second at most
    #[arg(long, value_name = "KB")]
    pub bandwidth: Option<u64>,

    /// Ask addresses inside the network too, and use the proxy of the environment
    #[arg(long)]
    pub allow_inside: bool,
}

impl WebOptions {
    /// The settings these options stand for.
    pub fn settings(&self) -> WebSettings {
        WebSettings {
            contact: self.contact.clone(),
            pause: Duration::try_from_secs_f64(self.pause).unwrap_or_default(),
            time: self.time.map(|seconds| Duration::from_secs(seconds.unsigned_abs())),
            bytes_per_second: self.bandwidth.map(|kilobytes| kilobytes.saturating_mul(1000)),
            allow_inside: self.allow_inside,
            ..WebSettings::default()
        }
    }
}

/// What is known of documents, and the name that it has in a file.
fn field(text: &str) -> Result<(String, String), String> {
    let (field, name) = text.split_once('=').ok_or("write FIELD=NAME")?;
    let known = FIELDS.contains(&field) && !name.is_empty();
    known.then(|| (field.to_owned(), name.to_owned())).ok_or_else(|| format!("fields are {}", FIELDS.join(", ")))
}

/// A language that is told from others.
fn language(code: &str) -> Result<String, String> {
    let mut told: Vec<&str> = languages_told().collect();
    told.sort_unstable();
    let unknown = || format!("languages that can be told are {}", told.join(", "));
    told.contains(&code).then(|| code.to_owned()).ok_or_else(unknown)
}
