//! Word documents (Office Open XML, ISO/IEC 29500-1, part WordprocessingML).
//!
//! Body paragraphs, tables, notes, text boxes and chunks of other formats are text. Page headers are when they hold prose.
//! Comments, field codes, tracked deletions and parts that nothing refers to are left out, with a mark for each.

mod drawing;

mod numbering;
mod properties;
mod reader;
mod relations;
mod styles;
mod tables;
mod theme;

use std::collections::BTreeMap;
use std::rc::Rc;

use self::numbering::Labels;
use self::reader::{DocxReader, NoteKey};
use self::relations::{Relations, main_part};
use self::styles::Styles;
use self::theme::Theme;
use super::builder::{RUNNING_HEAD, TextBuilder};
use super::package::Package;
use super::style::{Ground, PAPER};
use super::xml::{Node, each_element, first_texts, walk};
use super::{ExtractError, Extracted, signature};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::LeftOut;

/// What all parts of a document share.
#[derive(Default)]
struct Shared {
    styles: Styles,
    theme: Theme,
    labels: Labels,
    /// The colour of the pages.
    page: Ground,
}

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    extract_nested(bytes, limits, true)
}

/// `chunks`: whether documents inside of this one are read; those inside of them are not.
fn extract_nested(bytes: &[u8], limits: &ReadLimits, chunks: bool) -> Result<Extracted, ExtractError> {
    let mut package = Package::open(bytes, ".docx", limits)?;
    let main = main_part(&mut package, limits)?;
    let body = package.required(&main)?;
    let relations = Relations::of(&mut package, &main, limits)?;
    let shared = Rc::new(Shared::read(&mut package, &relations, &body, limits)?);
    let mut notes = BTreeMap::new();
    for (kind, reference) in [("footnotes", NoteKey::Footnote as fn(String) -> NoteKey), ("endnotes", NoteKey::Endnote)]
    {
        let Some((name, bytes)) = package.related(&relations, kind)? else { continue };
        let mut reader = DocxReader::new(&shared, BTreeMap::new());
        walk(&name, &bytes, limits, |node| reader.node(node))?;
        notes.extend(reader.into_notes().into_iter().map(|(id, note)| (reference(id), note)));
    }
    let mut reader = DocxReader::new(&shared, notes);
    walk(&main, &body, limits, |node| reader.node(node))?;
    let headers = std::mem::take(&mut reader.headers);
    let wanted = std::mem::take(&mut reader.chunks);
    let mut builder = reader.finish(|id| {
        let name = relations.target(id).filter(|_| chunks && wanted.contains(id))?;
        let bytes = package.part(name).ok()??;
        let named = super::Format::of_name(name).unwrap_or(super::Format::Plain);
        let read = match signature::recognise(&bytes, named) {
            Ok(super::Format::Docx) => extract_nested(&bytes, limits, false),
            Ok(format) => format.extract(&bytes, None, limits),
            Err(error) => Err(error),
        };
        // One that cannot be read is named by its size.
        let chunk = match read {
            Ok(extracted) => TextBuilder::of(extracted),
            Err(_) => {
                let mut unread = TextBuilder::default();
                unread.left_out(LeftOut::Unread, &String::from_utf8_lossy(&bytes));
                unread
            }
        };
        Some(chunk)
    });
    builder.end_paragraph();
    builder.write_endnotes();
    for id in headers {
        let Some(name) = relations.target(&id).map(str::to_owned) else { continue };
        let Some(part) = package.part(&name)? else { continue };
        let mut reader = DocxReader::new(&shared, BTreeMap::new());
        walk(&name, &part, limits, |node| reader.node(node))?;
        builder.append_running_head(reader.finish(|_| None));
    }
    unread_parts(&mut package, limits, &mut builder);
    let relations = relations::of_package(&mut package, limits)?;
    let metadata = match package.related(&relations, "core-properties")? {
        Some((name, part)) => {
            let [title, author, date] = first_texts(&name, &part, limits, ["title", "creator", "created"])?;
            Metadata { title, author, date, ..Metadata::default() }
        }
        None => Metadata::default(),
    };
    Ok(builder.finish(metadata))
}

impl Shared {
    fn read(
        package: &mut Package<'_>,
        relations: &Relations,
        body: &[u8],
        limits: &ReadLimits,
    ) -> Result<Shared, ExtractError> {
        let mut theme = match package.related(relations, "theme")? {
            Some((name, part)) => Theme::read(&name, &part, limits)?,
            None => Theme::default(),
        };
        // A colour of the pages shows only if the settings say so.
        let mut coloured_pages = false;
        if let Some((name, part)) = package.related(relations, "settings")? {
            each_element(&name, &part, limits, |element| match element.name() {
                "displayBackgroundShape" => coloured_pages = properties::is_on(element),
                "clrSchemeMapping" => theme.remap(element),
                _ => {}
            })?;
        }
        let mut page = PAPER;
        if coloured_pages {
            each_element("the document", body, limits, |element| {
                if element.name() == "background" {
                    page = theme.colour(element, "color", "theme").map_or(page, Ground::Colour);
                }
            })?;
        }
        let styles = match package.related(relations, "styles")? {
            Some((name, part)) => Styles::read(&name, &part, &theme, limits)?,
            None => Styles::default(),
        };
        let labels = match package.related(relations, "numbering")? {
            Some((name, part)) => Labels::read(&name, &part, limits)?,
            None => Labels::default(),
        };
        Ok(Shared { styles, theme, labels, page })
    }
}

impl Package<'_> {
    /// The part of a kind that another one relates to, with its name.
    fn related(&mut self, relations: &Relations, kind: &str) -> Result<Option<(String, Vec<u8>)>, ExtractError> {
        let Some(name) = relations.of_kind(kind) else { return Ok(None) };
        Ok(self.part(name)?.map(|part| (name.to_owned(), part)))
    }
}

/// Counts the text of the parts that nobody read: comments, glossaries, charts, and what nothing refers to.
fn unread_parts(package: &mut Package<'_>, limits: &ReadLimits, builder: &mut TextBuilder) {
    for name in package.unread() {
        if !name.ends_with(".xml") {
            continue;
        }
        let Ok(Some(part)) = package.part(&name) else { continue };
        let mut text = String::new();
        let mut in_text = false;
        // What of a broken part can be read was counted.
        let _ = walk(&name, &part, limits, |node| {
            match node {
                Node::Start(element) => in_text = element.name() == "t",
                Node::End(_) => in_text = false,
                Node::Text(piece) if in_text => text.push_str(&piece),
                Node::Text(_) => {}
            }
            Ok(())
        });
        builder.left_out(reason(&name, &text), &text);
    }
}

/// Why a part is not text of the document. Drawings of a few words are drawings; with more they are parts not read.
fn reason(name: &str, text: &str) -> LeftOut {
    let has = |word: &str| name.contains(word);
    if has("comments") {
        LeftOut::Comment
    } else if has("/glossary/") {
        // Building blocks, which no page shows.
        LeftOut::Instruction
    } else if has("/diagrams/drawing") {
        LeftOut::Alternate
    } else if (has("/diagrams/") || has("/charts/")) && text.chars().count() <= RUNNING_HEAD {
        LeftOut::Formula
    } else {
        LeftOut::Unread
    }
}
