//! Reads a PDF file with `hayro`, in a process of its own.
//!
//! The interpreter is safe Rust, but a hostile file may make it panic, ask for all memory or never end. So the
//! `copytrace` program starts itself with the hidden command `read-pdf`, and what goes wrong there ends there.

// What changes in the key is a cache of its font, which neither hash nor equality reads.
#![allow(clippy::mutable_key_type)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use hayro_interpret::hayro_syntax::page::Page as SourcePage;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use serde::{Deserialize, Serialize};

use super::fields;
use super::glyph::Glyph;
use super::glyphs::{Canvas, Known, OutOfTime};
use super::inner::Inner;
use super::layers;
use super::lettered::Lettered;
use super::lines::Page;
use super::outline::{self, Bookmark};
use super::rows;
use super::strings;
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
    /// What open notes say beside the pages.
    pub(super) comments: Vec<String>,
    /// Text that is on no page, or on a layer that is off.
    pub(super) elsewhere: Vec<String>,
}

/// The pages of a PDF file in the form that the process hands over. May panic, and take more memory than there is.
///
/// # Errors
/// What is wrong with the file.
pub fn read_pdf_here(bytes: Vec<u8>, limits: &ReadLimits) -> Result<Vec<u8>, ExtractError> {
    let mut output = START.to_vec();
    let document = document(bytes, limits, true)?;
    serde_json::to_writer(&mut output, &document).map_err(|error| ExtractError::ToolFailed { said: said(error) })?;
    Ok(output)
}

/// Reads a file in another process; in this one where the library is part of another program than `copytrace`, which cannot
/// be asked to read it.
pub(super) fn read(bytes: &[u8], limits: &ReadLimits) -> Result<Document, ExtractError> {
    let Some(program) = own_program().filter(|_| !limits.in_this_process) else {
        let read = catch_unwind(AssertUnwindSafe(|| document(bytes.to_vec(), limits, true)));
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

/// Reads a file. `attached` says whether files that are attached to it are read, too.
pub(super) fn document(bytes: Vec<u8>, limits: &ReadLimits, attached: bool) -> Result<Document, ExtractError> {
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
    let has_layers = pdf.xref().has_optional_content_groups();
    let uncertain = has_layers && layers::are_uncertain(&pdf);
    let mut letter_inks = BTreeMap::new();
    let mut drawn = Vec::new();
    let (mut pages, mut comments) = (Vec::new(), Vec::new());
    draw_all(&pdf, deadline, limits, |source, mut page, drawing| {
        if let Some(drawing) = drawing {
            page.pictures = drawing.pictures;
            page.shows_text = drawing.shows_text;
            page.lettering = drawing.lettering;
            let is_letter = |glyph: &&Glyph| glyph.text.chars().any(char::is_alphanumeric);
            let upon_pictures = drawing.glyphs.iter().filter(|glyph| glyph.upon_picture);
            page.upon_pictures = upon_pictures.filter(is_letter).count() as u32;
            page.uncertain = drawing.doubtful || (uncertain && drawing.layered);
            rows::read(&mut page, &drawing.glyphs, &mut letter_inks);
            drawn.push(if has_layers { drawing.glyphs } else { Vec::new() });
        } else {
            page.unread = true;
            drawn.push(Vec::new());
        }
        page.undrawn = fields::undrawn(source);
        comments.extend(fields::open_notes(source));
        pages.push(page);
    })?;
    rows::weigh(&mut pages, &letter_inks);
    let strings = catch_unwind(AssertUnwindSafe(|| strings::read(&pdf, limits, attached)));
    let mut elsewhere = strings.unwrap_or_default();
    if has_layers {
        elsewhere.extend(on_hidden_layers(&pdf, &drawn, deadline, limits)?);
    }
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
        comments,
        elsewhere,
    })
}

/// What was drawn on a page.
struct Drawing {
    glyphs: Vec<Glyph>,
    needs_pictures: bool,
    pictures: f64,
    shows_text: bool,
    lettering: u32,
    /// What that is counted from, as long as it was not.
    lettered: Lettered,
    /// Whether there are letters of which is not known what shows of them, and whether there are layers.
    doubtful: bool,
    layered: bool,
}

/// Draws all pages of a file, and hands over each with its size and what was drawn, if it could be.
fn draw_all(
    pdf: &Pdf,
    deadline: Duration,
    limits: &ReadLimits,
    mut take: impl FnMut(&SourcePage<'_>, Page, Option<Drawing>),
) -> Result<(), ExtractError> {
    let cache = InterpreterCache::new();
    let (mut glyph_inks, mut inner, mut unnamed) = (HashMap::new(), Inner::default(), Unnamed::new(pdf));
    for source in pdf.pages().iter() {
        limits.cancel.check()?;
        let (width, height) = source.render_dimensions();
        let unit = unit(source);
        let side = |side: f32| (f64::from(side) * unit).clamp(1.0, LONGEST_SIDE);
        let page = Page { width: side(width), height: side(height), ..Page::default() };
        let mut draw = |decode: bool, lettered: Lettered| {
            inner.begin_page();
            let known = Known { inks: &mut glyph_inks, unnamed: &mut unnamed, inner: &mut inner };
            let mut canvas = Canvas::new(page.width, page.height, deadline, known, decode);
            canvas.lettered = lettered;
            let place = Affine::scale(unit) * affine(source);
            let bounds = Rect::new(0.0, 0.0, page.width, page.height);
            let settings = InterpreterSettings::default();
            let mut context = Context::new(place, bounds, &cache, pdf.xref(), settings);
            interpret_page(source, &mut context, &mut canvas);
            canvas.finish();
            let needs_pictures = canvas.needs_pictures && !decode;
            Drawing {
                lettering: if needs_pictures { 0 } else { canvas.letters_in_pictures() },
                lettered: std::mem::take(&mut canvas.lettered),
                needs_pictures,
                glyphs: std::mem::take(&mut canvas.glyphs),
                pictures: canvas.pictures(),
                shows_text: canvas.shows_text(),
                doubtful: canvas.is_doubtful(),
                layered: canvas.layered,
            }
        };
        let drawn = catch_unwind(AssertUnwindSafe(|| {
            let first = draw(false, Lettered::default());
            if first.needs_pictures { draw(true, first.lettered) } else { first }
        }));
        match drawn {
            Ok(drawing) => take(source, page, Some(drawing)),
            Err(panic) if panic.is::<OutOfTime>() => return Err(too_slow()),
            Err(_) => take(source, page, None),
        }
    }
    Ok(())
}

/// The text of each page that is on layers which are off: what is drawn where all layers are shown, and was not otherwise.
fn on_hidden_layers(
    pdf: &Pdf,
    drawn: &[Vec<Glyph>],
    deadline: Duration,
    limits: &ReadLimits,
) -> Result<Vec<String>, ExtractError> {
    let mut texts = Vec::new();
    let Some(shown) = layers::all_shown(pdf).and_then(|bytes| Pdf::new(bytes).ok()) else { return Ok(texts) };
    let key = |glyph: &Glyph| (glyph.text.clone(), glyph.from.x.round() as i64, glyph.from.y.round() as i64);
    let mut drawn = drawn.iter();
    draw_all(&shown, deadline, limits, |_, mut page, drawing| {
        let known: BTreeSet<_> = drawn.next().into_iter().flatten().map(key).collect();
        let mut glyphs = drawing.map(|drawing| drawing.glyphs).unwrap_or_default();
        glyphs.retain(|glyph| !known.contains(&key(glyph)));
        rows::read(&mut page, &glyphs, &mut BTreeMap::new());
        texts.extend(page.lines.into_iter().map(|line| line.text));
    })?;
    Ok(texts)
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
