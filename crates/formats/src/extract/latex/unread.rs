//! The files of a document's folder that it names, and that nothing here reads: classes, data, programs, literature.
//!
//! A class may define the chapters, a table hold them, a note of the literature be one. What of these files is prose and does not stand
//! in the text as well is told as not read.

use std::path::Path;

use super::LatexReader;
use super::search::{Search, document, without_comments};
use crate::encoding::decode;
use crate::extract::table::has_name;
use crate::extract::unplaced::letters;

/// Files in which a percent sign begins a comment.
const OF_TEX: &str = "tex cls sty bst cbx bbx lbx cfg clo def fd ldf ltx";

/// The fewest letters of a field that is no title. A Han character counts as two and a half.
const LONG: usize = 200;

/// Fields of an entry of the literature that no usual style prints, unless the document names them.
const UNPRINTED: &str = "abstract annotation annote comment contents keywords review summary file";

impl LatexReader {
    /// Looks through the files that were named and not read.
    pub(super) fn unread_files(&mut self) {
        let all = std::mem::take(&mut self.files.sources);
        let sources = without_comments(&all);
        for path in self.files.unread_below() {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if !sources.contains(stem) {
                continue;
            }
            // A chapter that is left out has its name without the ending, too.
            let is_named = |sign| sources.contains(&format!("{stem}{sign}"));
            let by_stem = || ending != "tex" && is_named('}') || ending == "bib" && is_named(',');
            if !sources.contains(name) && !by_stem() {
                continue;
            }
            let Some(text) = self.text_of(&path) else { continue };
            // What is a document for itself is read as one, this one among them.
            if ending == "tex" && (document(&text).is_some() || all.starts_with(&text)) {
                continue;
            }
            match ending.as_str() {
                "bib" => self.literature(&text, &sources),
                ending if has_name(OF_TEX, ending) => self.definitions_as_written(&text),
                _ => text.lines().for_each(|line| self.builder.unplaced(line)),
            }
        }
    }

    fn text_of(&self, path: &Path) -> Option<String> {
        let bytes = self.files.bytes(path, self.limits.file_bytes)?;
        // Pictures and packed files are none.
        if bytes.contains(&0) { None } else { Some(decode(&bytes).ok()?.text) }
    }

    /// The long fields of entries of the literature.
    fn literature(&mut self, text: &str, sources: &str) {
        let text = without_comments(text);
        let mut search = Search::default();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('=') {
            let name = before.trim_end().rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            let name = name.to_ascii_lowercase();
            rest = after;
            let value = match after.trim_start().strip_prefix('"') {
                Some(quoted) => quoted.split_once('"'),
                None => search.argument(after.trim_start()),
            };
            let Some((value, after)) = value else { continue };
            rest = after;
            let is_named =
                || sources.match_indices(&format!("{{{name}}}")).any(|(at, _)| !sources[..at].ends_with(['n', 'd']));
            if letters(value) >= LONG && (!has_name(UNPRINTED, &name) || is_named()) {
                self.builder.unplaced(value);
            }
        }
    }
}
