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

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use self::numbering::Labels;
use self::reader::{DocxReader, NoteKey};
use self::relations::{Relations, main_part};
use self::styles::Styles;
use self::theme::Theme;
use super::builder::{RUNNING_HEAD, TextBuilder};
use super::embedded;
use super::package::Package;
use super::pictures;
use super::said::Properties;
use super::style::{Ground, PAPER};
use super::xml::{Node, each_element, first_texts, walk};
use super::{ExtractError, Extracted, signature};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::LeftOut;

/// Folders of a package: data that something may be bound to, and other documents.
const DATA: &str = "customXml/";
const EMBEDDED: &str = "/embeddings/";

/// The longer side of the usual page, in points.
const LONG_SIDE: f64 = 842.0;

/// What all parts of a document share.
#[derive(Default)]
struct Shared {
    styles: Styles,
    theme: Theme,
    labels: Labels,
    /// The colour of the pages.
    page: Ground,
    /// Pages of even numbers have headers of their own.
    even_pages: bool,
    /// The width and the height of the largest pages, in points.
    sides: [f64; 2],
    /// The letters of prose that pictures show, by the names of their parts.
    pictures: BTreeMap<String, u32>,
    /// The names of the parts of the body's pictures, by the ids of their relationships.
    names: BTreeMap<String, String>,
    /// The pictures that a drawing has shown.
    shown: RefCell<BTreeSet<String>>,
}

impl Shared {
    /// The letters of the picture that a drawing shows.
    fn picture(&self, id: &str) -> Option<&u32> {
        let name = self.names.get(id)?;
        self.shown.borrow_mut().insert(name.clone());
        self.pictures.get(name)
    }
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
    let shared = Rc::new(Shared::read(&mut package, &relations, (&main, &body), limits)?);
    let (mut notes, mut separators) = (BTreeMap::new(), String::new());
    let mut seen = Seen::default();
    for (kind, reference) in [("footnotes", NoteKey::Footnote as fn(String) -> NoteKey), ("endnotes", NoteKey::Endnote)]
    {
        let Some((name, bytes)) = package.related(&relations, kind)? else { continue };
        let mut reader = DocxReader::new(&shared, BTreeMap::new());
        walk(&name, &bytes, limits, |node| reader.node(node))?;
        separators.push_str(&reader.separators);
        seen.take(&mut reader);
        notes.extend(reader.into_notes().into_iter().map(|(id, note)| (reference(id), note)));
    }
    let mut reader = DocxReader::new(&shared, notes);
    walk(&main, &body, limits, |node| reader.node(node))?;
    let targets = |ids: Vec<String>| -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in ids.iter().filter_map(|id| relations.target(id)) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    };
    let headers = targets(std::mem::take(&mut reader.headers));
    let mut others = std::mem::take(&mut reader.other_headers);
    others.append(&mut reader.of_first_pages);
    let mut others = targets(others);
    others.retain(|name| !headers.contains(name));
    seen.take(&mut reader);
    let wanted = std::mem::take(&mut reader.chunks);
    let mut builder = reader.finish(|id| {
        let name = relations.target(id).filter(|_| wanted.contains(id))?;
        let bytes = package.part(name).ok()??;
        // One that is not read is named by its size.
        let chunk = match chunks.then(|| extract_inner(name, &bytes, limits)) {
            Some(Ok(extracted)) => TextBuilder::of(extracted),
            _ => {
                let mut unread = TextBuilder::default();
                unread.left_out(LeftOut::Unread, &String::from_utf8_lossy(&bytes));
                unread
            }
        };
        Some(chunk)
    });
    builder.end_paragraph();
    builder.write_endnotes();
    builder.unplaced(&separators);
    for name in headers {
        let Some(part) = package.part(&name)? else { continue };
        let mut reader = DocxReader::new(&shared, BTreeMap::new());
        walk(&name, &part, limits, |node| reader.node(node))?;
        seen.take(&mut reader);
        builder.append_running_head(reader.finish(|_| None));
    }
    // No page shows these.
    for name in others {
        let Some(part) = package.part(&name)? else { continue };
        let mut reader = DocxReader::new(&shared, BTreeMap::new());
        walk(&name, &part, limits, |node| reader.node(node))?;
        builder.left_out_all(LeftOut::RunningHead, reader.finish(|_| None));
    }
    variables(&mut package, &relations, limits, &mut builder)?;
    pictures::elsewhere(&shared.pictures, &shared.shown.borrow(), &mut builder);
    let relations = relations::of_package(&mut package, limits)?;
    properties(&mut package, &relations, limits, &mut builder, &seen)?;
    unread_parts(&mut package, limits, &mut builder, &seen, chunks);
    let metadata = match package.related(&relations, "core-properties")? {
        Some((name, part)) => {
            let [title, author, date] = first_texts(&name, &part, limits, ["title", "creator", "created"])?;
            Metadata { title, author, date, ..Metadata::default() }
        }
        None => Metadata::default(),
    };
    Ok(builder.finish(metadata))
}

/// What the text shows of other parts.
#[derive(Default)]
struct Seen {
    /// Something is shown from data that stand in a part of their own, or from properties.
    is_bound: bool,
    has_properties: bool,
    /// The names of building blocks, in small letters.
    blocks: BTreeSet<String>,
}

impl Seen {
    /// Takes in what a reader found.
    fn take(&mut self, reader: &mut DocxReader) {
        self.is_bound |= reader.is_bound;
        self.has_properties |= reader.shows_properties || reader.is_bound;
        self.blocks.append(&mut reader.blocks);
    }
}

/// Properties of the document, which fields and content controls may show.
fn properties(
    package: &mut Package<'_>,
    relations: &Relations,
    limits: &ReadLimits,
    builder: &mut TextBuilder,
    seen: &Seen,
) -> Result<(), ExtractError> {
    let mut properties = Properties::default();
    for kind in ["core-properties", "extended-properties", "custom-properties"] {
        if let Some((name, part)) = package.related(relations, kind)? {
            properties.read(&name, &part, limits);
        }
    }
    properties.look_through(seen.has_properties, builder);
    Ok(())
}

/// Reads a document that is a part of this one.
fn extract_inner(name: &str, bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let named = super::Format::of_name(name).unwrap_or(super::Format::Plain);
    match signature::recognise(bytes, named)? {
        super::Format::Docx => extract_nested(bytes, limits, false),
        format => format.extract(bytes, None, limits),
    }
}

/// Variables of the settings, which fields may show.
fn variables(
    package: &mut Package<'_>,
    relations: &Relations,
    limits: &ReadLimits,
    builder: &mut TextBuilder,
) -> Result<(), ExtractError> {
    let Some((name, part)) = package.related(relations, "settings")? else { return Ok(()) };
    each_element(&name, &part, limits, |element| {
        if element.name() == "docVar" {
            builder.unplaced(&element.attribute("val").unwrap_or_default());
        }
    })
}

impl Shared {
    fn read(
        package: &mut Package<'_>,
        relations: &Relations,
        (main, body): (&str, &[u8]),
        limits: &ReadLimits,
    ) -> Result<Shared, ExtractError> {
        let mut theme = match package.related(relations, "theme")? {
            Some((name, part)) => Theme::read(&name, &part, limits)?,
            None => Theme::default(),
        };
        // A colour of the pages shows only if the settings say so.
        let (mut coloured_pages, mut even_pages) = (false, false);
        if let Some((name, part)) = package.related(relations, "settings")? {
            each_element(&name, &part, limits, |element| match element.name() {
                "displayBackgroundShape" => coloured_pages = properties::is_on(element),
                "evenAndOddHeaders" => even_pages = properties::is_on(element),
                "clrSchemeMapping" => theme.remap(element),
                _ => {}
            })?;
        }
        let mut page = PAPER;
        let mut sides = [0.0_f64; 2];
        each_element(main, body, limits, |element| match element.name() {
            "background" if coloured_pages => {
                page = theme.colour(element, "color", "theme").map_or(page, Ground::Colour);
            }
            "pgSz" => {
                let said = ["w", "h"].map(|name| properties::twips(element, name).unwrap_or(drawing::OFF_PAGE));
                sides = [sides[0].max(said[0]), sides[1].max(said[1])];
            }
            _ => {}
        })?;
        let sides = sides.map(|side| if side > 0.0 { side } else { LONG_SIDE });
        let styles = match package.related(relations, "styles")? {
            Some((name, part)) => Styles::read(&name, &part, &theme, limits)?,
            None => Styles::default(),
        };
        let labels = match package.related(relations, "numbering")? {
            Some((name, part)) => Labels::read(&name, &part, limits)?,
            None => Labels::default(),
        };
        let pictures = pictures::of_package(package);
        let names = relations.all().map(|(id, name)| (id.to_owned(), name.to_owned())).collect();
        Ok(Shared { styles, theme, labels, page, even_pages, sides, pictures, names, shown: RefCell::default() })
    }
}

impl Package<'_> {
    /// The part of a kind that another one relates to, with its name.
    fn related(&mut self, relations: &Relations, kind: &str) -> Result<Option<(String, Vec<u8>)>, ExtractError> {
        let Some(name) = relations.of_kind(kind) else { return Ok(None) };
        Ok(self.part(name)?.map(|part| (name.to_owned(), part)))
    }
}

/// Counts the text of the parts that nobody read: comments, glossaries, charts, and what nothing refers to. Prose in data and in building
/// blocks is told if something shows them (`seen`), and so are other documents, if this one is not such a one itself (`embedded`).
fn unread_parts(
    package: &mut Package<'_>,
    limits: &ReadLimits,
    builder: &mut TextBuilder,
    seen: &Seen,
    embedded: bool,
) {
    for name in package.unread() {
        if embedded && name.contains(EMBEDDED) {
            let Ok(Some(part)) = package.part(&name) else { continue };
            // A picture stands for it, of which it is not known what of it is shown.
            match extract_inner(&name, &part, limits) {
                Ok(inner) if super::Format::of_name(&name).is_some() => builder.unplaced(&inner.text),
                _ => embedded::texts(&part, limits).iter().for_each(|text| builder.unplaced(text)),
            }
            continue;
        }
        if !name.ends_with(".xml") {
            continue;
        }
        let Ok(Some(part)) = package.part(&name) else { continue };
        let mut is_data = seen.is_bound && name.starts_with(DATA);
        let (mut text, mut data) = (String::new(), String::new());
        let (mut in_text, mut in_name) = (false, false);
        let is_chart = name.contains("/charts/");
        let mut in_block = false;
        // What of a broken part can be read was counted.
        let _ = walk(&name, &part, limits, |node| {
            match node {
                Node::Start(element) => {
                    in_text = element.name() == "t";
                    // The names of a chart's rows.
                    in_name = is_chart && element.name() == "v";
                    // What the document refers to, with titles and abstracts.
                    is_data &= element.name() != "Sources";
                    in_block = match element.name() {
                        "docPart" => false,
                        "name" => {
                            element.attribute("val").is_some_and(|name| seen.blocks.contains(&name.to_lowercase()))
                        }
                        _ => in_block,
                    };
                }
                Node::End(_) => (in_text, in_name) = (false, false),
                Node::Text(piece) if in_text && in_block => data.push_str(&piece),
                Node::Text(piece) if in_text => text.push_str(&piece),
                Node::Text(piece) if is_data || in_name => data.push_str(&piece),
                Node::Text(_) => {}
            }
            Ok(())
        });
        match reason(&name, &text) {
            LeftOut::Instruction => builder.data(&text),
            // Short ones may be parts of a paragraph, and a drawing may show other words than its data have.
            reason @ (LeftOut::Formula | LeftOut::Alternate) => builder.left_out_unless_prose(reason, &text),
            reason => builder.left_out(reason, &text),
        }
        builder.unplaced(&data);
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
        // It is drawn from the data that stand beside it.
        LeftOut::Alternate
    } else if (has("/diagrams/") || has("/charts/")) && text.chars().count() <= RUNNING_HEAD {
        LeftOut::Formula
    } else {
        LeftOut::Unread
    }
}
