//! Pages as the pure-Rust `pdf-extract` reads them, for where poppler is not installed.
//!
//! It panics on some files, so it runs as a process of its own: the `copytrace` program with the hidden command
//! `read-pdf`.

use std::ffi::OsString;
use std::path::PathBuf;

use super::Reading;
use super::lines::{Line, Page};
use crate::text::Metadata;
use crate::text::extract::ExtractError;
use crate::text::extract::program::{Failure, run};
use crate::text::limits::ReadLimits;

/// Stands before the text in what the process writes, for the library prints remarks of its own.
const START: &str = "\u{1E}copytrace text\n";

/// Stands between two pages.
const PAGE_BREAK: char = '\u{C}';

/// The pages of a PDF file as plain lines, in the form that [`read`] understands. May panic.
///
/// # Errors
/// What is wrong with the file.
pub fn pages_without_poppler(bytes: &[u8]) -> Result<String, ExtractError> {
    let pages = pdf_extract::extract_text_from_mem_by_pages(bytes)
        .map_err(|error| ExtractError::Damaged(error.to_string().lines().next().unwrap_or_default().to_owned()))?;
    Ok(format!("{START}{}", pages.join(&PAGE_BREAK.to_string())))
}

/// Reads a file in another process.
pub(super) fn read(bytes: &[u8], limits: &ReadLimits) -> Result<(Vec<Page>, Metadata), Reading> {
    let arguments = |path: &std::ffi::OsStr| vec![OsString::from("read-pdf"), path.to_owned()];
    let output = match run(own_program().as_os_str(), bytes, arguments, limits) {
        Err(Failure::Failed(said)) if said.contains("panicked") => {
            let reason = "pdf-extract cannot read it; poppler-utils may";
            return Err(ExtractError::Damaged(reason.to_owned()).into());
        }
        output => output?,
    };
    let output = String::from_utf8_lossy(&output);
    let text = output.rsplit_once(START).map_or("", |(_, text)| text);
    Ok((text.split(PAGE_BREAK).map(page).collect(), Metadata::default()))
}

/// This program, if it is `copytrace`, else the one on the path.
fn own_program() -> PathBuf {
    let name = PathBuf::from("copytrace");
    std::env::current_exe().ok().filter(|path| path.file_stem() == name.file_stem()).unwrap_or(name)
}

/// The lines of a page. Their places are those a typewriter would give them: a page of 60 lines or more, 10 points to
/// a line and 5 to a character.
fn page(text: &str) -> Page {
    const SIZE: f64 = 10.0;
    let mut page = Page::default();
    let mut block = 0;
    for (row, text) in text.trim().lines().enumerate() {
        let text = text.trim();
        if text.is_empty() {
            block += 1;
            continue;
        }
        let top = row as f64 * SIZE;
        let mut line = Line { top, bottom: top + SIZE, block, ..Line::default() };
        for word in text.split_whitespace() {
            let left = if line.text.is_empty() { 0.0 } else { line.right + SIZE / 2.0 };
            let right = left + word.chars().count() as f64 * SIZE / 2.0;
            line.push(word, left, right, SIZE, false);
        }
        page.lines.push(line);
    }
    page.height = page.lines.last().map_or(0.0, |line| line.bottom).max(60.0 * SIZE);
    page
}
