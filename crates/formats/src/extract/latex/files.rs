//! The other files of a document.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::declarations::of_dropped;
use super::{LatexReader, spelt};
use crate::encoding::decode;
use crate::extract::ExtractError;
use crate::extract::latex_includes::resolve;
use copytrace_text::layout::LeftOut;

impl LatexReader {
    /// Reads another file of the document, if it lies in the document's folder.
    pub(super) fn include(&mut self, name: &str, depth: usize) -> Result<(), ExtractError> {
        let Some(path) = self.folder.as_deref().and_then(|folder| resolve(folder, name)) else { return Ok(()) };
        let Some(source) = self.source_of(&path)? else { return Ok(()) };
        self.builder.end_paragraph();
        // What stands behind this command is not read.
        let (source, beyond) = source.split_once("\\endinput").unwrap_or((&source, ""));
        self.read(source, depth + 1)?;
        self.builder.left_out(LeftOut::Comment, beyond);
        self.builder.end_paragraph();
        Ok(())
    }

    /// Reads the definitions of another file.
    pub(super) fn include_definitions(&mut self, name: &str, depth: usize) -> Result<(), ExtractError> {
        if depth > self.limits.nesting {
            return Err(ExtractError::TooDeep(self.limits.nesting));
        }
        let Some(path) = self.folder.as_deref().and_then(|folder| resolve(folder, name)) else { return Ok(()) };
        // A package that cannot be read defines nothing.
        let Ok(Some(source)) = self.source_of(&path) else { return Ok(()) };
        if of_dropped(&source) == LeftOut::Unread {
            // Prose that is read where definitions are may be shown later.
            self.builder.left_out(LeftOut::Unread, &source);
        }
        self.preamble(&source, depth + 1)
    }

    /// The source in a file of the document; `None` if it was read before or cannot be.
    fn source_of(&mut self, path: &Path) -> Result<Option<String>, ExtractError> {
        if !self.included.insert(PathBuf::from(path)) {
            return Ok(None);
        }
        if self.included.len() > self.limits.included_files {
            return Err(ExtractError::TooLarge(format!("{} included files", self.included.len())));
        }
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(self.limits.file_bytes + 1).read_to_end(&mut bytes));
        if read.is_err() {
            return Ok(None);
        }
        if bytes.len() as u64 > self.limits.file_bytes {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            return Err(ExtractError::TooLarge(format!("the included file {name}")));
        }
        let decoded = decode(&bytes)?;
        self.replaced += decoded.replaced;
        Ok(Some(spelt::out(&decoded.text).into_owned()))
    }
}
