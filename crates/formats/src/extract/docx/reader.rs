//! Reads the body of a document, its notes or a page header.

mod instructions;
mod nested;
mod signs;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Shared;
use super::drawing::{EMU, OFF_PAGE, Shape, TEXT_WIDTH, is_overfull};
use super::properties::{RunProperties, is_harmless, is_on, paragraph_property, shading, twips};
use super::styles::Style;
use super::tables::OpenTable;
use crate::extract::ExtractError;
use crate::extract::builder::{Gap, TextBuilder};
use crate::extract::described::{Described, LEAST_SIDE};
use crate::extract::fields::Field;
use crate::extract::missing::CHAPTER;
use crate::extract::style::{Ground, LetterFormat};
use crate::extract::xml::{Element, LeftOutElements, Node};
use copytrace_text::layout::{LeftOut, MarkKind};

/// The greatest height of a row that hides what is in it, in points.
const LEAST_ROW: f64 = 4.0;

/// Marks that turn the text between them round, as a reader sees it in such an element.
const RIGHT_TO_LEFT: &str = "\u{202E}";
const LEFT_TO_RIGHT: &str = "\u{202D}";
const POP: &str = "\u{202C}";

/// Vocabularies of which every program shows the newer of two forms.
const KNOWN_NAMESPACES: [&str; 3] =
    ["http://schemas.microsoft.com/office/", "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"];

/// Which note a reference means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NoteKey {
    Footnote(String),
    Endnote(String),
}

/// Why the text of an element is left out; `Some(None)` for a reading.
fn left_out(name: &str) -> Option<Option<LeftOut>> {
    Some(match name {
        "del" | "moveFrom" | "delText" => Some(LeftOut::Deleted),
        "delInstrText" | "rPrChange" | "pPrChange" | "tblPrChange" | "tcPrChange" | "trPrChange" | "sectPrChange"
        | "tblPrExChange" => Some(LeftOut::Instruction),
        "annotation" => Some(LeftOut::Comment),
        "rt" => None,
        _ => return None,
    })
}

/// Elements that hold text and nothing else.
fn is_text(name: &str) -> bool {
    matches!(name, "t" | "delText" | "instrText" | "delInstrText" | "posOffset")
}

/// What properties are read of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Properties {
    Run,
    /// The mark at a paragraph's end, which says nothing of its text.
    ParagraphMark,
    Paragraph,
    Cell,
    Row,
    OpenTable,
}

/// Where text goes: the body, or a text box, which what is around it waits for.
#[derive(Default)]
struct Place {
    builder: TextBuilder,
    paragraph: Paragraph,
    run: Run,
    in_run: bool,
    /// Tables around this place.
    tables: Vec<OpenTable>,
    /// What is behind paragraphs here.
    behind: Ground,
    /// Fields around this place.
    fields: Vec<Field>,
    /// Nobody sees the box.
    is_unseen: bool,
}

/// The paragraph that is being read.
#[derive(Clone, Default)]
struct Paragraph {
    /// What the style says, and what the paragraph says itself.
    style: Style,
    direct: LetterFormat,
    ground: Option<Option<Ground>>,
    /// Whether its label was written.
    labelled: bool,
    /// A picture or a filled shape stands in it, which may lie behind its boxes.
    covered: bool,
    /// The mark at its end is not shown: the next paragraph goes on in its line.
    goes_on: bool,
    /// It stands in a frame, and the characters before it.
    framed: bool,
    /// The size of a frame that does not grow with its text.
    frame: Option<[f64; 2]>,
    start: u32,
}

/// The run that is being read.
#[derive(Clone, Default)]
struct Run {
    style: Style,
    direct: LetterFormat,
}

/// The state between two pieces of XML.
#[derive(Default)]
pub(super) struct DocxReader {
    shared: Rc<Shared>,
    here: Place,
    /// What is around the box that is being read.
    outer: Vec<Place>,
    /// Notes that may be referred to.
    known_notes: BTreeMap<NoteKey, TextBuilder>,
    /// Notes read, by id, when the part is one of notes.
    notes: BTreeMap<String, TextBuilder>,
    note_id: Option<String>,
    left_out: LeftOutElements,
    run_properties: RunProperties,
    properties: Vec<Properties>,
    in_text: bool,
    /// What stands in an element of text so far, and whether the blanks at its ends are kept: those of all elements, or of this one.
    piece: String,
    keeps_blanks: (bool, bool),
    /// Prefixes of what a program may pass over, and how many elements of such a one are open that no program knows.
    ignorable: Vec<String>,
    foreign: usize,
    /// The drawing around stands beside the page, or is hidden.
    away: bool,
    /// A paragraph's role that is open in the builder.
    role: Option<MarkKind>,
    /// Document parts around this place that are a table of contents or a list of references.
    parts: Vec<Option<MarkKind>>,
    shapes: Vec<Shape>,
    /// Places with several forms of one content: whether one was read.
    alternates: Vec<bool>,
    /// Vocabularies by their prefixes.
    namespaces: BTreeMap<String, String>,
    /// What is said of the drawing around that is as long as a paragraph, and whether the drawing is small.
    descriptions: Vec<String>,
    small: bool,
    /// The place that is read is a height.
    is_vertical: bool,
    described: Described,
    /// Labels that were written once.
    labels: BTreeSet<(String, String)>,
    /// Page headers that are referred to, in order, by the ids of their relationships.
    pub(super) headers: Vec<String>,
    /// Those of first pages that no section shows so far, and of pages of even numbers that have none of their own.
    pub(super) of_first_pages: Vec<String>,
    pub(super) other_headers: Vec<String>,
    /// Chunks of other formats, by the ids of their relationships.
    pub(super) chunks: BTreeSet<String>,
    /// Whether something is shown from data that stand in a part of their own.
    pub(super) is_bound: bool,
    /// Whether a field shows a property of the document, and the names of the building blocks that may be shown, in small letters.
    pub(super) shows_properties: bool,
    pub(super) blocks: BTreeSet<String>,
    /// What a content control shows as long as it has no content, and whether it may have none.
    placeholder: (Option<String>, bool),
    /// What stands between a page and its notes.
    pub(super) separators: String,
    /// Chunks and what was read before each of them.
    before_chunks: Vec<(TextBuilder, String)>,
}

impl DocxReader {
    pub(super) fn new(shared: &Rc<Shared>, known_notes: BTreeMap<NoteKey, TextBuilder>) -> Self {
        let here = Place { behind: shared.page, ..Place::default() };
        DocxReader { shared: shared.clone(), here, known_notes, ..DocxReader::default() }
    }

    pub(super) fn node(&mut self, node: Node<'_>) -> Result<(), ExtractError> {
        match node {
            Node::Start(element) => {
                self.in_text = is_text(element.name());
                if self.in_text {
                    self.keeps_blanks.1 = self.keeps_blanks.0 || element.is("space", "preserve");
                }
                self.foreign += usize::from(self.foreign > 0 || self.is_foreign(&element));
                match element.name() {
                    "docPr" | "cNvPr" => self.descriptions.extend(element.long_values()),
                    _ => element.long_values().iter().for_each(|value| self.here.builder.unplaced(value)),
                }
                let mut around = std::mem::take(&mut self.left_out);
                if !around.start(|| left_out(element.name()).or_else(|| self.other_form(&element).map(Some))) {
                    self.start(&element);
                }
                self.left_out = around;
            }
            Node::End(name) => {
                self.in_text = false;
                if !self.left_out.end() {
                    self.end(name);
                }
                self.foreign = self.foreign.saturating_sub(1);
            }
            Node::Text(text) if !self.in_text => self.here.builder.unplaced(&text),
            Node::Text(text) if self.left_out.take(&text, &mut self.here.builder) => {}
            Node::Text(text) => self.piece.push_str(&text),
        }
        Ok(())
    }

    /// Whether an element is of a vocabulary that a program passes over, with all that is in it, if it does not know it.
    fn is_foreign(&mut self, element: &Element<'_>) -> bool {
        if let Some(prefixes) = element.attribute("Ignorable") {
            self.ignorable.extend(prefixes.split_ascii_whitespace().map(str::to_owned));
        }
        let is_known = |prefix| self.namespaces.get(prefix).is_some_and(|space| is_known_namespace(space));
        element.prefix().is_some_and(|prefix| self.ignorable.iter().any(|known| known == prefix) && !is_known(prefix))
    }

    /// An element of text ends: blanks at its ends are no text unless it says so (ISO/IEC 29500-1, 17.3.3.31).
    fn end_piece(&mut self, name: &str) {
        let piece = std::mem::take(&mut self.piece);
        match name {
            "instrText" => self.instruction(&piece),
            "posOffset" => {
                let side = self.shared.sides[usize::from(self.is_vertical)];
                self.away |= piece.trim().parse::<f64>().is_ok_and(|offset| offset.abs() > side * EMU);
            }
            _ if self.keeps_blanks.1 => self.text(&piece),
            _ => self.text(piece.trim_ascii()),
        }
    }

    /// Whether an element holds a form of the content that a program does not show.
    fn other_form(&mut self, element: &Element<'_>) -> Option<LeftOut> {
        element.namespaces(&mut self.namespaces);
        let shown = match element.name() {
            "Choice" => {
                let known = |prefix: &str| self.namespaces.get(prefix).is_some_and(|space| is_known_namespace(space));
                element.attribute("Requires").unwrap_or_default().split_ascii_whitespace().all(known)
            }
            "Fallback" => true,
            _ => return None,
        };
        let done = self.alternates.last_mut()?;
        if *done || !shown {
            return Some(LeftOut::Alternate);
        }
        *done = true;
        None
    }

    fn start(&mut self, element: &Element<'_>) {
        if let Some(shape) = self.shapes.last_mut() {
            shape.start(element, &self.shared.theme);
        }
        match element.name() {
            "p" => self.start_paragraph(),
            "r" => {
                self.start_role();
                self.here.run = Run::default();
                self.here.in_run = true;
            }
            "tab" if self.here.in_run && self.properties.is_empty() => self.text("\t"),
            "br" | "cr" if self.here.in_run => self.text("\n"),
            "noBreakHyphen" => self.text("-"),
            "softHyphen" => self.text("\u{AD}"),
            "sym" => self.symbol(element),
            "document" => self.keeps_blanks.0 = element.is("space", "preserve"),
            "fldChar" => match element.attribute("fldCharType").as_deref() {
                Some("begin") => self.here.fields.push(Field { is_code: true, ..Field::default() }),
                Some("separate") => self.end_code(false),
                Some("end") => {
                    self.end_code(true);
                    self.here.fields.pop();
                }
                _ => {}
            },
            "fldSimple" => {
                let instruction = element.attribute("instr").unwrap_or_default();
                self.here.fields.push(Field { is_code: true, instruction, ..Field::default() });
                self.end_code(false);
            }
            // A list to choose from: its entries stand in the field's data.
            "listEntry" | "result" | "default" => {
                let value = element.attribute("val").unwrap_or_default();
                if let Some(field) = self.here.fields.last_mut() {
                    match element.name() {
                        "listEntry" => field.entries.push(value),
                        _ => field.chosen = value.parse().unwrap_or(0),
                    }
                }
            }
            name @ ("positionH" | "positionV") => self.is_vertical = name == "positionV",
            "anchor" | "docPr" => {
                self.away |= element.attribute("hidden").is_some_and(|value| matches!(value.as_str(), "1" | "true"))
            }
            "drawing" | "pict" | "object" => self.here.builder.point(MarkKind::Picture),
            // The picture in a drawing, of the newer language and of the older one.
            "blip" | "imagedata" => {
                let id = element.attribute("embed").or_else(|| element.attribute("id")).unwrap_or_default();
                let letters = self.shared.picture(&id);
                self.here.builder.picture_of(letters);
                if letters.is_some() {
                    self.describe(&id);
                }
                self.here.paragraph.covered |= element.name() == "imagedata";
            }
            "chart" if element.attribute("id").is_some() => self.describe(&element.attribute("id").unwrap_or_default()),
            // The size of a drawing.
            "extent" => {
                let size = |name: &str| element.attribute(name)?.parse::<f64>().ok();
                self.small = ["cx", "cy"].into_iter().filter_map(size).any(|size| size < LEAST_SIDE * EMU);
            }
            // The words of an older program's lettering.
            "textpath" => {
                let words = element.attribute("string").unwrap_or_default();
                self.here.builder.gap(Gap::Blank);
                self.here.builder.push(&words);
                self.here.builder.gap(Gap::Blank);
            }
            "pic" => self.here.paragraph.covered = true,
            "wsp" | "shape" | "rect" | "roundrect" | "oval" => self.shapes.push(Shape::new(element)),
            "footnoteReference" => self.note_reference(NoteKey::Footnote, element),
            "endnoteReference" => self.note_reference(NoteKey::Endnote, element),
            "footnote" | "endnote" => {
                // Separators are notes too, with a type of their own.
                let is_note = matches!(element.attribute("type").as_deref(), None | Some("normal"));
                self.note_id = element.attribute("id").filter(|_| is_note);
                self.here.builder.open(MarkKind::Note);
            }
            "txbxContent" => self.enter_box(),
            "tbl" => self.start_table(),
            "tr" => self.start_row(),
            "tc" => self.start_cell(),
            "bdo" => {
                let right_to_left = element.attribute("val").as_deref() == Some("rtl");
                self.here.builder.push(if right_to_left { RIGHT_TO_LEFT } else { LEFT_TO_RIGHT });
            }
            "oMath" => self.here.builder.open(MarkKind::Formula),
            "AlternateContent" => self.alternates.push(false),
            "altChunk" => self.chunk(element),
            // Another document stands here, which is a file of its own.
            "subDoc" => self.here.builder.point(MarkKind::LeftOut(LeftOut::Missing, CHAPTER)),
            "headerReference" | "footerReference" => {
                let id = element.attribute("id").unwrap_or_default();
                match element.attribute("type").as_deref() {
                    Some("first") => self.of_first_pages.push(id),
                    Some("even") if !self.shared.even_pages => self.other_headers.push(id),
                    _ => self.headers.push(id),
                }
            }
            // From here on first pages have headers of their own, those of sections before among them.
            "titlePg" if is_on(element) => self.headers.append(&mut self.of_first_pages),
            "showingPlcHdr" => self.placeholder.1 = true,
            "docPart" => self.placeholder.0 = element.attribute("val"),
            // A program may show the data in place of what stands here.
            "dataBinding" => {
                self.is_bound = true;
                self.placeholder.1 = true;
                if let Some(part) = self.parts.last_mut().filter(|part| part.is_none()) {
                    *part = Some(MarkKind::Unjudged);
                    self.here.builder.open(MarkKind::Unjudged);
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
                    kind.into_iter().for_each(|kind| self.here.builder.open(kind));
                }
            }
            "sdt" => self.parts.push(None),
            name => match properties_of(name, self.here.in_run) {
                Some(properties) => self.properties.push(properties),
                None => self.property(element),
            },
        }
        if element.name() == "rPr" && self.here.in_run {
            self.run_properties.start(element, &self.shared.theme, &mut self.here.run.direct);
        }
    }

    fn property(&mut self, element: &Element<'_>) {
        let theme = &self.shared.theme;
        match (self.properties.last(), element.name()) {
            (Some(Properties::ParagraphMark), "vanish" | "specVanish" | "del") => {
                self.here.paragraph.goes_on = is_on(element);
            }
            (Some(Properties::ParagraphMark), _) => {}
            (Some(Properties::Run), "rStyle") => self.here.run.style = self.style(element),
            (Some(Properties::Run), _) => self.run_properties.start(element, theme, &mut self.here.run.direct),
            (Some(Properties::Paragraph), "pStyle") => self.here.paragraph.style = self.style(element),
            (Some(Properties::Paragraph), "numId") => self.here.paragraph.style.number.0 = element.attribute("val"),
            (Some(Properties::Paragraph), "ilvl") => self.here.paragraph.style.number.1 = element.attribute("val"),
            (Some(Properties::Paragraph), _) => {
                let is_at = |name: &str| element.attribute(name).is_some();
                if element.is("hRule", "exact") {
                    let side = |name, usual| twips(element, name).unwrap_or(usual);
                    self.here.paragraph.frame = Some([side("w", TEXT_WIDTH), side("h", 0.0)]);
                }
                self.here.paragraph.framed |= element.name() == "framePr" && (is_at("x") || is_at("y"));
                let ground = paragraph_property(element, theme, &mut self.here.paragraph.direct);
                self.here.paragraph.ground = ground.or(self.here.paragraph.ground);
            }
            (Some(properties), name) => {
                let Some(table) = self.here.tables.last_mut() else { return };
                match (properties, name) {
                    (Properties::OpenTable, "tblStyle") => {
                        table.style = self.shared.styles.get(&element.attribute("val").unwrap_or_default());
                    }
                    (Properties::OpenTable, "tblLook") => {
                        let bits = element.attribute("val").and_then(|value| u32::from_str_radix(&value, 16).ok());
                        let holds = |name: &str, bit: u32, bits: Option<u32>| match element.attribute(name).as_deref() {
                            Some(value) => matches!(value, "1" | "true" | "on"),
                            None => bits.is_some_and(|bits| bits & bit != 0),
                        };
                        table.first_row = holds("firstRow", 0x20, bits);
                        table.first_column = holds("firstColumn", 0x80, bits);
                        table.bands = !holds("noHBand", 0x200, bits);
                    }
                    (Properties::OpenTable, "shd") => table.fill = Some(shading(element, theme)),
                    (Properties::Row, "hidden") => table.hidden_row |= is_on(element),
                    (Properties::Row, "trHeight") => {
                        let exact = element.attribute("hRule").as_deref() == Some("exact");
                        table.height = twips(element, "val").filter(|_| exact);
                        table.hidden_row |= table.height.is_some_and(|height| height <= LEAST_ROW);
                    }
                    (Properties::OpenTable, "bidiVisual") => table.is_turned = is_on(element),
                    (Properties::OpenTable, "tblInd" | "tblpPr") => {
                        let places = ["w", "tblpX", "tblpY"].into_iter().filter_map(|name| twips(element, name));
                        table.unjudged[0] |= places.into_iter().any(|points| points.abs() > OFF_PAGE / 2.0);
                    }
                    // Only the first of the cells that are shown as one shows its text.
                    (Properties::Cell, "vMerge" | "hMerge") if !element.is("val", "restart") => {
                        table.unjudged[2] = true
                    }
                    (Properties::Cell, "shd") => {
                        table.cell = Some(shading(element, theme));
                        self.here.behind = table.ground();
                    }
                    (_, "vMerge" | "hMerge") => {}
                    (_, name) if is_harmless(name) => {}
                    (Properties::OpenTable, _) => table.unjudged[0] = true,
                    (Properties::Row, _) => table.unjudged[1] = true,
                    _ => table.unjudged[2] = true,
                }
            }
            (None, _) => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(shape) = self.shapes.last_mut() {
            shape.end(name);
        }
        match name {
            _ if is_text(name) => self.end_piece(name),
            "p" => {
                self.end_descriptions();
                self.label();
                self.close_role();
                // The code of a field ends with its paragraph at the latest, so that a broken field hides nothing.
                while let Some(field) = self.here.fields.iter_mut().find(|field| field.is_code) {
                    field.is_code = false;
                    let (shown, instruction) =
                        (std::mem::take(&mut field.inside), std::mem::take(&mut field.instruction));
                    self.here.builder.left_out(LeftOut::Instruction, &instruction);
                    // Whether a program shows what stands in a field that has no end is not known.
                    let start = self.here.builder.characters();
                    self.text(&shown);
                    self.here.builder.mark_unjudged(start);
                }
                let start = self.here.paragraph.start;
                if self.here.paragraph.framed {
                    self.here.builder.mark_piece(start);
                }
                let size = self.here.paragraph.frame;
                if size.is_some_and(|size| is_overfull(size, self.here.builder.characters() - start)) {
                    self.here.builder.mark_unjudged(start);
                }
                match (self.here.paragraph.goes_on, self.here.tables.is_empty()) {
                    (true, _) => {}
                    (false, true) => self.here.builder.end_paragraph(),
                    (false, false) => self.here.builder.gap(Gap::Line),
                }
            }
            "r" => self.here.in_run = false,
            "tr" => self.end_row(),
            "tc" => {
                if let Some(table) = self.here.tables.last_mut() {
                    if table.before.is_some() {
                        table.cells.push(std::mem::take(&mut self.here.builder));
                    }
                    table.column += 1;
                    self.here.behind = table.behind;
                }
                self.here.builder.gap_of_cell();
            }
            "fldSimple" => drop(self.here.fields.pop()),
            "anchor" | "inline" => {
                self.away = false;
                self.end_descriptions();
            }
            "tbl" => {
                if let Some(table) = self.here.tables.pop() {
                    self.here.behind = table.behind;
                }
                if self.here.tables.is_empty() {
                    self.here.builder.close(MarkKind::Table);
                    self.here.builder.end_paragraph();
                } else {
                    self.here.builder.gap(Gap::Line);
                }
            }
            "footnote" | "endnote" => {
                self.here.builder.close(MarkKind::Note);
                let note = std::mem::take(&mut self.here.builder);
                if self.note_id.is_none() {
                    self.separators.push_str(note.text());
                    self.separators.push('\n');
                }
                self.notes.extend(self.note_id.take().map(|id| (id, note)));
            }
            "txbxContent" => self.leave_box(),
            "wsp" | "shape" | "rect" | "roundrect" | "oval" => {
                if let Some(shape) = self.shapes.pop() {
                    self.here.paragraph.covered |= shape.is_filled();
                }
            }
            "bdo" => self.here.builder.push(POP),
            "oMath" => self.here.builder.close(MarkKind::Formula),
            "AlternateContent" => drop(self.alternates.pop()),
            "sdtPr" => {
                let (block, is_shown) = std::mem::take(&mut self.placeholder);
                self.blocks.extend(block.filter(|_| is_shown).map(|block| block.to_lowercase()));
            }
            "sdt" => {
                if let Some(Some(kind)) = self.parts.pop() {
                    self.here.builder.close(kind);
                }
            }
            _ => {
                self.run_properties.end(name, &mut self.here.run.direct);
                if properties_of(name, self.here.in_run).is_some() {
                    self.properties.pop();
                }
            }
        }
    }

    fn style(&self, element: &Element<'_>) -> Style {
        self.shared.styles.get(&element.attribute("val").unwrap_or_default())
    }

    fn start_paragraph(&mut self) {
        let start = self.here.builder.characters();
        self.here.paragraph = Paragraph { style: self.shared.styles.paragraph(), start, ..Paragraph::default() };
    }

    /// What was said of the drawing so far may describe this picture.
    fn describe(&mut self, picture: &str) {
        if !self.small && self.described.is_of(picture, self.descriptions.iter().map(String::as_str)) {
            self.descriptions.clear();
        }
    }

    /// What describes no picture may be prose.
    fn end_descriptions(&mut self) {
        std::mem::take(&mut self.descriptions).iter().for_each(|text| self.here.builder.unplaced(text));
    }

    fn role_here(&self) -> Option<MarkKind> {
        self.here.paragraph.direct.role.or(self.here.paragraph.style.format.role)
    }

    fn start_role(&mut self) {
        self.label();
        if self.role.is_none()
            && let Some(role) = self.role_here()
        {
            self.here.builder.open(role);
            self.role = Some(role);
        }
    }

    fn close_role(&mut self) {
        if let Some(role) = self.role.take() {
            self.here.builder.close(role);
        }
    }

    fn chunk(&mut self, element: &Element<'_>) {
        let Some(id) = element.attribute("id").filter(|_| self.outer.is_empty()) else { return };
        // A chunk that is referred to again shows again, but counts once.
        if self.chunks.insert(id.clone()) {
            let mut before = std::mem::take(&mut self.here.builder);
            before.end_paragraph();
            self.before_chunks.push((before, id));
        }
    }

    fn note_reference(&mut self, kind: fn(String) -> NoteKey, element: &Element<'_>) {
        let Some(id) = element.attribute("id") else { return };
        self.here.builder.point(MarkKind::NoteReference);
        let key = kind(id);
        match self.known_notes.remove(&key) {
            Some(note) if matches!(key, NoteKey::Endnote(_)) => self.here.builder.put_at_end(note),
            Some(note) => self.here.builder.put_aside(note),
            None => {}
        }
    }

    fn paragraph_ground(&self) -> Ground {
        let own = self.here.paragraph.ground.or(self.here.paragraph.style.paragraph);
        own.flatten().unwrap_or(self.here.behind)
    }

    fn text(&mut self, text: &str) {
        let shared = self.shared.clone();
        let table = self.here.tables.last();
        if let Some(field) = self.here.fields.iter_mut().rfind(|field| field.is_code) {
            field.inside.push_str(text);
            field.instruction.push_str(text);
            return;
        }
        let by_table = table.map(OpenTable::letters).unwrap_or_default();
        // Switches in styles cancel each other out (ISO/IEC 29500-1, 17.7.3).
        let by_styles = shared.styles.defaults.is_hidden()
            || self.here.run.style.is_hidden()
                ^ self.here.paragraph.style.is_hidden()
                ^ (by_table.hidden == Some(true));
        let hidden =
            self.here.run.direct.hidden.unwrap_or(by_styles) || self.here.tables.iter().any(|table| table.hidden_row);
        let run = self.here.run.direct.over(&self.here.run.style.format);
        let run = run.over(&self.here.paragraph.direct).over(&self.here.paragraph.style.format);
        let run = run.over(&by_table).over(&shared.styles.defaults.format);
        let is_odd = self.foreign > 0
            || self.here.fields.iter().any(|field| field.is_unjudged)
            || self.here.tables.iter().any(|table| table.unjudged.contains(&true) || table.may_hide());
        let unjudged =
            if is_odd || self.here.paragraph.direct.unjudged == Some(true) { Some(true) } else { run.unjudged };
        let run = LetterFormat { hidden: Some(hidden), unjudged, ..run };
        let boxes = self.outer.iter().chain([&self.here]);
        let in_unseen_box = boxes.into_iter().any(|place| place.is_unseen).then_some(MarkKind::Unseen);
        let ground = self.paragraph_ground();
        self.here.builder.push_run(text, TextBuilder::push, &run, ground, in_unseen_box);
    }

    /// The notes by id, of a part of notes.
    pub(super) fn into_notes(self) -> BTreeMap<String, TextBuilder> {
        self.notes
    }

    /// All text, the chunks in their places. Notes that nothing refers to are left out.
    pub(super) fn finish(mut self, mut chunk: impl FnMut(&str) -> Option<TextBuilder>) -> TextBuilder {
        while !self.outer.is_empty() {
            self.leave_box();
        }
        let mut all = TextBuilder::default();
        for (before, id) in std::mem::take(&mut self.before_chunks) {
            all.append(before);
            all.end_paragraph();
            all.append(chunk(&id).unwrap_or_default());
            all.end_paragraph();
        }
        all.append(self.here.builder);
        for (_, note) in self.known_notes {
            all.left_out_all(LeftOut::Unread, note);
        }
        all
    }
}

/// Whether every program knows a vocabulary.
fn is_known_namespace(space: &str) -> bool {
    KNOWN_NAMESPACES.iter().any(|known| space.starts_with(known))
}

fn properties_of(name: &str, in_run: bool) -> Option<Properties> {
    Some(match name {
        "rPr" if in_run => Properties::Run,
        "rPr" => Properties::ParagraphMark,
        "pPr" => Properties::Paragraph,
        "tcPr" => Properties::Cell,
        "trPr" => Properties::Row,
        "tblPr" | "tblPrEx" => Properties::OpenTable,
        _ => return None,
    })
}
