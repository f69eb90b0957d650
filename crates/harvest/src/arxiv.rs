//! What arXiv knows of its papers: a file of JSON lines, one for each paper, of which those of one package are kept.

use crate::streams::Stream;
use copytrace_text::Metadata;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Bytes of a line; an abstract and a hundred versions have some thousands.
const MOST_BYTES: u64 = 4 << 20;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    title: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    authors: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    license: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    update_date: Option<Cow<'a, str>>,
}

/// What the file says of papers, by their identifiers (`2301.00001`, `hep-th/9901001`). A line that is none says nothing.
pub(crate) fn known(path: &Path, papers: &HashSet<String>) -> io::Result<HashMap<String, Metadata>> {
    let mut reader = Stream::open(path)?.reader;
    let (mut known, mut bytes) = (HashMap::new(), Vec::new());
    loop {
        bytes.clear();
        let read = reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(known);
        }
        let Ok(line) = serde_json::from_slice::<Line<'_>>(&bytes) else { continue };
        if papers.contains(line.id.as_ref()) {
            // Titles are broken into lines there.
            let told = |text: Option<Cow<'_, str>>| {
                let text = text?.split_whitespace().collect::<Vec<_>>().join(" ");
                Some(text).filter(|text| !text.is_empty())
            };
            let Line { id, title, authors, license, update_date } = line;
            let [title, author, licence, date] = [title, authors, license, update_date].map(told);
            known.insert(id.into_owned(), Metadata { title, author, licence, date, ..Metadata::default() });
        }
    }
}
