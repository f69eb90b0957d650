//! Word documents (Office Open XML, ISO/IEC 29500-1, part WordprocessingML).
//!
//! Body paragraphs, tables, notes and text boxes are text. Headers, footers, comments, field codes and tracked
//! deletions are not.

use std::collections::BTreeMap;

use super::builder::{Gap, TextBuilder};
use super::package::Package;
use super::style::{Format, is_reference_number, is_white, role_of_style};
use super::xml::{Element, Node, first_texts, walk};
use super::{ExtractError, Extracted};
use crate::text::Metadata;
use crate::text::layout::MarkKind;
use crate::text::limits::ReadLimits;

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let mut package = Package::open(bytes, limits)?;
    let body = package.required("word/document.xml")?;
    let styles = match package.part("word/styles.xml")? {
        Some(part) => Styles::read(&part, limits)?,
        None => Styles::default(),
    };
    let mut notes = BTreeMap::new();
    for (part, reference) in [("word/footnotes.xml", "footnoteReference"), ("word/endnotes.xml", "endnoteReference")] {
        let Some(bytes) = package.part(part)? else { continue };
        let mut reader = Reader::new(&styles, BTreeMap::new());
        walk(part, &bytes, limits, |node| reader.node(node))?;
        notes.extend(reader.notes.into_iter().map(|(id, note)| ((reference, id), note)));
    }
    let mut reader = Reader::new(&styles, notes);
    walk("word/document.xml", &body, limits, |node| reader.node(node))?;
    let metadata = match package.part("docProps/core.xml")? {
        Some(part) => {
            let [title, author, date] =
                first_texts("docProps/core.xml", &part, limits, ["title", "creator", "created"])?;
            Metadata { title, author, date, collection: None }
        }
        None => Metadata::default(),
    };
    Ok(reader.finish().finish(metadata))
}

/// The styles of a document, by their ids, what they inherit included.
#[derive(Default)]
struct Styles(BTreeMap<String, Format>);

impl Styles {
    fn read(part: &[u8], limits: &ReadLimits) -> Result<Self, ExtractError> {
        let mut own: BTreeMap<String, (Format, Option<String>)> = BTreeMap::new();
        let mut current: Option<String> = None;
        walk("word/styles.xml", part, limits, |node| {
            match node {
                Node::Start(element) if element.name() == "style" => {
                    current = element.attribute("styleId");
                    own.extend(current.clone().map(|id| (id, Default::default())));
                }
                Node::Start(element) => {
                    let Some((format, base)) = current.as_ref().and_then(|id| own.get_mut(id)) else { return Ok(()) };
                    match element.name() {
                        "name" => format.role = element.attribute("val").as_deref().and_then(role_of_style),
                        "basedOn" => *base = element.attribute("val"),
                        "outlineLvl" if format.role.is_none() => format.role = outline_level(&element),
                        _ => apply(&element, format),
                    }
                }
                Node::End("style") => current = None,
                _ => {}
            }
            Ok(())
        })?;
        let resolved = own.iter().map(|(id, (format, base))| {
            let mut format = format.clone();
            let mut base = base.as_deref();
            // A chain cannot be longer than there are styles, unless it is a ring.
            for _ in 0..own.len().min(limits.nesting) {
                let Some((inherited, next)) = base.and_then(|id| own.get(id)) else { break };
                format = format.over(inherited);
                base = next.as_deref();
            }
            (id.clone(), format)
        });
        Ok(Styles(resolved.collect()))
    }

    fn get(&self, element: &Element<'_>) -> Format {
        element.attribute("val").and_then(|id| self.0.get(&id).cloned()).unwrap_or_default()
    }
}

/// The heading level of an `outlineLvl` element; 9 is body text.
fn outline_level(element: &Element<'_>) -> Option<MarkKind> {
    let level = element.attribute("val")?.parse::<u8>().ok().filter(|level| *level < 9)?;
    Some(MarkKind::Heading(level + 1))
}

/// A switch such as `<w:vanish/>` is on unless its value says otherwise.
fn is_on(element: &Element<'_>) -> bool {
    !matches!(element.attribute("val").as_deref(), Some("0" | "false" | "off" | "none"))
}

/// Takes a property of a run into its format.
fn apply(element: &Element<'_>, format: &mut Format) {
    match element.name() {
        "vanish" | "specVanish" => format.hidden = Some(is_on(element)),
        "color" => format.white = element.attribute("val").map(|colour| is_white(&colour)),
        "shd" => {
            let fill = element.attribute("fill").unwrap_or_default();
            format.shaded = Some(fill != "auto" && !fill.is_empty() && !is_white(&fill));
        }
        "highlight" => format.shaded = Some(is_on(element)),
        "sz" => {
            if let Some(half_points) = element.attribute("val").and_then(|size| size.parse::<f64>().ok()) {
                format.set_points(half_points / 2.0);
            }
        }
        "vertAlign" => format.raised = Some(element.attribute("val").as_deref() == Some("superscript")),
        _ => {}
    }
}

/// Elements whose content is no text of the document.
fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "del"
            | "moveFrom"
            | "delText"
            | "instrText"
            | "delInstrText"
            | "Fallback"
            | "rPrChange"
            | "pPrChange"
            | "sectPr"
            | "annotation"
            | "posOffset"
            | "ruby"
    )
}

/// The state between two pieces of XML.
struct Reader<'a> {
    styles: &'a Styles,
    builder: TextBuilder,
    /// The builders outside the note or box that is being read.
    outer: Vec<(TextBuilder, Format, Format)>,
    /// Notes by kind of reference and id.
    known_notes: BTreeMap<(&'a str, String), TextBuilder>,
    /// Notes read, by id, when the part is one of notes.
    notes: BTreeMap<String, TextBuilder>,
    note_id: Option<String>,
    /// Open elements that are skipped.
    skipped: usize,
    paragraph: Format,
    run: Format,
    /// Whether properties belong to a run or to a paragraph.
    in_run: bool,
    in_text: bool,
    /// A paragraph mark's role that is open in the builder.
    role: Option<MarkKind>,
    /// Tables around this place: whether their current cell is shaded.
    cells: Vec<bool>,
    /// Document parts around this place that are a table of contents or a list of references.
    parts: Vec<Option<MarkKind>>,
}

impl<'a> Reader<'a> {
    fn new(styles: &'a Styles, known_notes: BTreeMap<(&'a str, String), TextBuilder>) -> Self {
        Reader {
            styles,
            builder: TextBuilder::default(),
            outer: Vec::new(),
            known_notes,
            notes: BTreeMap::new(),
            note_id: None,
            skipped: 0,
            paragraph: Format::default(),
            run: Format::default(),
            in_run: false,
            in_text: false,
            role: None,
            cells: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn node(&mut self, node: Node<'_>) -> Result<(), ExtractError> {
        match node {
            Node::Start(element) if self.skipped > 0 || is_skipped(element.name()) => self.skipped += 1,
            Node::End(_) if self.skipped > 0 => self.skipped -= 1,
            _ if self.skipped > 0 => {}
            Node::Start(element) => self.start(&element),
            Node::End(name) => self.end(name),
            Node::Text(text) if self.in_text => self.text(&text),
            Node::Text(_) => {}
        }
        Ok(())
    }

    fn start(&mut self, element: &Element<'_>) {
        match element.name() {
            "p" => self.paragraph = Format::default(),
            "pStyle" => self.paragraph = self.styles.get(element),
            "outlineLvl" => self.paragraph.role = outline_level(element).or(self.paragraph.role),
            "r" => {
                self.open_role();
                self.run = self.paragraph.clone();
                self.in_run = true;
            }
            "rStyle" if self.in_run => self.run = self.styles.get(element).over(&self.run),
            "t" => self.in_text = true,
            "tab" if self.in_run => self.text("\t"),
            "br" | "cr" if self.in_run => self.text("\n"),
            "noBreakHyphen" => self.text("-"),
            "softHyphen" => self.text("\u{AD}"),
            "drawing" | "pict" | "object" => self.builder.point(MarkKind::Picture),
            "footnoteReference" => self.note_reference("footnoteReference", element),
            "endnoteReference" => self.note_reference("endnoteReference", element),
            "footnote" | "endnote" => {
                // Separators are notes too, with a type of their own.
                self.note_id = element.attribute("id").filter(|_| element.attribute("type").is_none());
                self.builder.open(MarkKind::Note);
            }
            "txbxContent" => self.enter(),
            "tbl" => {
                self.builder.gap(Gap::Paragraph);
                self.cells.push(false);
            }
            "tr" if !self.cells.is_empty() => self.builder.gap(Gap::Line),
            "tc" => {
                if let Some(cell) = self.cells.last_mut() {
                    *cell = false;
                }
            }
            "docPartGallery" => {
                let kind = match element.attribute("val").as_deref() {
                    Some("Table of Contents") => Some(MarkKind::Contents),
                    Some("Bibliographies") => Some(MarkKind::Bibliography),
                    _ => None,
                };
                if let Some(part) = self.parts.last_mut() {
                    *part = kind;
                    kind.into_iter().for_each(|kind| self.builder.open(kind));
                }
            }
            "sdt" => self.parts.push(None),
            "shd" if !self.in_run && !self.cells.is_empty() => {
                let mut format = Format::default();
                apply(element, &mut format);
                if let Some(cell) = self.cells.last_mut() {
                    *cell |= format.shaded == Some(true);
                }
                self.paragraph.shaded = format.shaded.or(self.paragraph.shaded);
            }
            // Properties of a paragraph's end mark say nothing of its text.
            _ if self.in_run => apply(element, &mut self.run),
            "shd" => apply(element, &mut self.paragraph),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" => {
                self.close_role();
                if self.cells.is_empty() { self.builder.end_paragraph() } else { self.builder.gap(Gap::Line) }
            }
            "r" => self.in_run = false,
            "t" => self.in_text = false,
            "tc" => self.builder.gap_of_cell(),
            "tbl" => {
                self.cells.pop();
                if self.cells.is_empty() { self.builder.end_paragraph() } else { self.builder.gap(Gap::Line) }
            }
            "footnote" | "endnote" => {
                self.builder.close(MarkKind::Note);
                let note = std::mem::take(&mut self.builder);
                self.notes.extend(self.note_id.take().map(|id| (id, note)));
            }
            "txbxContent" => self.leave(),
            "sdt" => {
                if let Some(Some(kind)) = self.parts.pop() {
                    self.builder.close(kind);
                }
            }
            _ => {}
        }
    }

    /// A text box in the midst of a paragraph: it is written aside.
    fn enter(&mut self) {
        self.close_role();
        let state = (std::mem::take(&mut self.builder), self.paragraph.clone(), self.run.clone());
        self.outer.push(state);
        self.in_run = false;
    }

    fn leave(&mut self) {
        self.close_role();
        let Some((builder, paragraph, run)) = self.outer.pop() else { return };
        let inner = std::mem::replace(&mut self.builder, builder);
        self.builder.put_aside(inner);
        (self.paragraph, self.run, self.in_run) = (paragraph, run, true);
    }

    fn open_role(&mut self) {
        if self.role.is_none()
            && let Some(role) = self.paragraph.role
        {
            self.builder.open(role);
            self.role = Some(role);
        }
    }

    fn close_role(&mut self) {
        if let Some(role) = self.role.take() {
            self.builder.close(role);
        }
    }

    fn note_reference(&mut self, kind: &'static str, element: &Element<'_>) {
        let Some(id) = element.attribute("id") else { return };
        self.builder.point(MarkKind::NoteReference);
        if let Some(note) = self.known_notes.remove(&(kind, id)) {
            self.builder.put_aside(note);
        }
    }

    fn text(&mut self, text: &str) {
        if self.run.hidden == Some(true) {
            self.builder.hidden(text);
            return;
        }
        let shaded = self.cells.iter().any(|shaded| *shaded);
        let raised = self.run.raised == Some(true) && is_reference_number(text);
        let mark = self.run.invisible(shaded).or(raised.then_some(MarkKind::Citation));
        mark.into_iter().for_each(|kind| self.builder.open(kind));
        self.builder.push(text);
        mark.into_iter().for_each(|kind| self.builder.close(kind));
    }

    fn finish(mut self) -> TextBuilder {
        while !self.outer.is_empty() {
            self.leave();
        }
        self.builder
    }
}
