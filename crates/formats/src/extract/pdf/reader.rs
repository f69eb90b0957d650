//! Reads a PDF file with `hayro`, in a process of its own.
//!
//! The interpreter is safe Rust, but a hostile file may make it panic, ask for all memory or never end. So the
//! `copytrace` program starts itself with the hidden command `read-pdf`, and what goes wrong there ends there.

// What changes in the key is a cache of its font, which neither hash nor equality reads.
#![allow(clippy::mutable_key_type)]

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use hayro_interpret::hayro_syntax::page::Page as SourcePage;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use serde::{Deserialize, Serialize};

use super::fields;
use super::glyphs::{Canvas, OutOfTime};
use super::lines::Page;
use super::outline::{self, Bookmark};
use super::rows;
use super::unnamed::Unnamed;
use crate::extract::error::said;
use crate::extract::program::{Failure, run};
use crate::extract::{Damage, Excess, ExtractError, processor_time};
use crate::limits::ReadLimits;

/// Stands before what the process writes: nothing else may be on its standard output.
const START: &[u8] = b"copytrace pages\n";

/// The side of a page in points that is longer than any real one.
const LONGEST_SIDE: f64 = 20_000.0;

/// Where the header of a file must begin, in bytes from its start (ISO 32000, annex H).
const HEADER_BYTES: usize = 1024;

/// Points of a unit of a page, which real pages have; any other is a mistake.
const UNITS: std::ops::Range<f64> = 0.01..100.0;

/// What a PDF file holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Document {
    pub(super) pages: Vec<Page>,
    pub(super) outline: Vec<Bookmark>,
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
}

/// The pages of a PDF file in the form that the process hands over. May panic, and take more memory than there is.
///
/// # Errors
/// What is wrong with the file.
pub fn read_pdf_here(bytes: Vec<u8>, limits: &ReadLimits) -> Result<Vec<u8>, ExtractError> {
    let mut output = START.to_vec();
    let document = document(bytes, limits)?;
    serde_json::to_writer(&mut output, &document).map_err(|error| ExtractError::ToolFailed { said: said(error) })?;
    Ok(output)
}

/// Reads a file in another process; in this one where the library is part of another program than `copytrace`, which cannot
/// be asked to read it.
pub(super) fn read(bytes: &[u8], limits: &ReadLimits) -> Result<Document, ExtractError> {
    let Some(program) = own_program().filter(|_| !limits.in_this_process) else {
        let read = catch_unwind(AssertUnwindSafe(|| document(bytes.to_vec(), limits)));
        return read.unwrap_or_else(|_| Err(failed()));
    };
    let arguments = |path: &OsStr| vec![OsString::from("read-pdf"), path.to_owned()];
    let output = match run(program.as_os_str(), bytes, arguments, limits) {
        Err(Failure::Failed(said)) => return Err(reason(&said)),
        output => output?,
    };
    let document = output.bytes.strip_prefix(START).ok_or_else(failed)?;
    serde_json::from_slice(document).map_err(|_| failed())
}

/// This program, if it is `copytrace`.
fn own_program() -> Option<PathBuf> {
    let is_copytrace = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "copytrace");
    copytrace_job::program::told().or_else(|| std::env::current_exe().ok().filter(is_copytrace))
}

/// What the process said of a file it could not read: the error itself as JSON, or what ended it.
fn reason(said: &str) -> ExtractError {
    serde_json::from_str(said).unwrap_or_else(|_| failed())
}

fn failed() -> ExtractError {
    Damage::ReaderFailed.into()
}

fn too_slow() -> ExtractError {
    Excess::ReadingTime.into()
}

pub(super) fn document(bytes: Vec<u8>, limits: &ReadLimits) -> Result<Document, ExtractError> {
    let deadline = processor_time::of_this_thread() + limits.program_time;
    // What has neither a header nor a table of its objects.
    let holds = |bytes: &[u8], sign: &[u8]| bytes.windows(sign.len()).any(|window| window == sign);
    if !holds(&bytes[..bytes.len().min(HEADER_BYTES)], b"%PDF-") && !holds(&bytes, b"startxref") {
        return Err(ExtractError::NotPdf);
    }
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => ExtractError::Encrypted,
        LoadPdfError::Decryption(_) => Damage::UnknownEncryption.into(),
        LoadPdfError::Invalid => Damage::BrokenPdf.into(),
    })?;
    if pdf.pages().is_empty() {
        return Err(Damage::NoPages.into());
    }
    let cache = InterpreterCache::new();
    let (mut glyph_inks, mut letter_inks) = (HashMap::new(), BTreeMap::new());
    let mut unnamed = Unnamed::new(&pdf);
    let mut pages = Vec::new();
    for source in pdf.pages().iter() {
        limits.cancel.check()?;
        let (width, height) = source.render_dimensions();
        let unit = unit(source);
        let side = |side: f32| (f64::from(side) * unit).clamp(1.0, LONGEST_SIDE);
        let mut page = Page { width: side(width), height: side(height), ..Page::default() };
        let mut draw = |decode: bool| {
            let mut canvas = Canvas::new(page.width, page.height, deadline, &mut glyph_inks, &mut unnamed, decode);
            let place = Affine::scale(unit) * affine(source);
            let bounds = Rect::new(0.0, 0.0, page.width, page.height);
            let settings = InterpreterSettings::default();
            let mut context = Context::new(place, bounds, &cache, pdf.xref(), settings);
            interpret_page(source, &mut context, &mut canvas);
            canvas.finish();
            let glyphs = std::mem::take(&mut canvas.glyphs);
            (glyphs, canvas.needs_pictures, canvas.pictures(), canvas.shows_text())
        };
        let drawn = catch_unwind(AssertUnwindSafe(|| {
            let first = draw(false);
            if first.1 { draw(true) } else { first }
        }));
        match drawn {
            Ok((glyphs, _, pictures, shows_text)) => {
                page.pictures = pictures;
                page.shows_text = shows_text;
                rows::read(&mut page, &glyphs, &mut letter_inks);
            }
            Err(panic) if panic.is::<OutOfTime>() => return Err(too_slow()),
            Err(_) => page.unread = true,
        }
        page.undrawn = fields::undrawn(source);
        pages.push(page);
    }
    rows::weigh(&mut pages, &letter_inks);
    let metadata = pdf.metadata();
    let text = |bytes: &Option<Box<[u8]>>| {
        let text = outline::decoded(bytes.as_deref()?).trim().to_owned();
        Some(text).filter(|text| !text.is_empty())
    };
    let date = |date: &hayro_interpret::hayro_syntax::object::DateTime| {
        format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
    };
    Ok(Document {
        pages,
        outline: outline::read(&pdf),
        title: text(&metadata.title),
        author: text(&metadata.author),
        date: metadata.creation_date.as_ref().map(date),
    })
}

/// Points of a unit of the page (`UserUnit`).
fn unit(page: &SourcePage<'_>) -> f64 {
    let unit = page.raw().get::<f32>(b"UserUnit").map_or(1.0, f64::from);
    if UNITS.contains(&unit) { unit } else { 1.0 }
}

fn affine(page: &SourcePage<'_>) -> Affine {
    Affine::new(page.initial_transform(true).as_coeffs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_the_process_could_not_read_a_file_is_what_a_person_is_told() {
        for error in [ExtractError::Encrypted, Damage::NoPages.into(), too_slow()] {
            assert_eq!(reason(&serde_json::to_string(&error).unwrap()), error);
        }
        assert_eq!(reason("thread main panicked"), failed());
    }
}
