//! OpenDocument texts (ISO/IEC 26300): ODT.
//!
//! Headings, paragraphs, tables, notes and text boxes are text. Headers, footers, comments and tracked deletions are
//! not: headers and footers stand in another part, comments and deletions in elements that are left out.

mod formulas;
mod styles;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use self::styles::{Style, Styles};
use super::builder::{Gap, TextBuilder};
use super::described::{Described, LEAST_SIDE};
use super::missing::PAGE;
use super::package::Package;
use super::pictures;
use super::said::{Properties, ShortValues};
use super::style::{Ground, LetterFormat, PAPER, points};
use super::table::has_name;
use super::xml::{Element, LeftOutElements, Node, first_texts, walk};
use super::{ExtractError, Extracted};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::{LeftOut, MarkKind};

/// Blanks that one `text:s` may stand for.
const MOST_BLANKS: usize = 1000;

/// Beyond how many points from the page's corner a frame is out of the page.
const OFF_PAGE: f64 = 2000.0;

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let mut package = Package::open(bytes, ".odt", limits)?;
    let content = package.required("content.xml")?;
    let common = package.part("styles.xml")?;
    let mut styles = Styles::default();
    if let Some(part) = &common {
        styles.read("styles.xml", part, limits)?;
    }
    styles.read("content.xml", &content, limits)?;
    styles.resolve(limits);
    let styles = Rc::new(styles);
    let mut reader = OdtReader::new(&styles);
    reader.pictures = pictures::of_package(&mut package);
    reader.formulas = formulas::of_package(&mut package);
    walk("content.xml", &content, limits, |node| reader.node(node))?;
    let mut builder = reader.builder;
    reader.formulas.into_values().for_each(|formula| builder.left_out_all(LeftOut::Unread, TextBuilder::of(formula)));
    let (mut values, mut fields) = (reader.values, reader.fields);
    pictures::elsewhere(&reader.pictures, &reader.shown, &mut builder);
    // Page headers and footers stand among the styles.
    if let Some(part) = &common {
        let mut reader = OdtReader::new(&styles);
        reader.values = values;
        walk("styles.xml", part, limits, |node| reader.node(node))?;
        builder.append_running_head(reader.builder);
        values = reader.values;
        fields.append(&mut reader.fields);
    }
    values.look_through(&mut builder);
    unread_objects(&mut package, limits, &mut builder);
    let metadata = match package.part("meta.xml")? {
        Some(part) => {
            let wanted = ["title", "initial-creator", "creator", "creation-date", "date"];
            let [title, first, last, created, changed] = first_texts("meta.xml", &part, limits, wanted)?;
            let mut properties = Properties::default();
            properties.read("meta.xml", &part, limits);
            properties.look_through(properties.are_shown_by(&fields), &mut builder);
            Metadata { title, author: first.or(last), date: created.or(changed), ..Metadata::default() }
        }
        None => Metadata::default(),
    };
    Ok(builder.finish(metadata))
}

/// Counts the text of objects inside of the document, which are charts and other documents.
fn unread_objects(package: &mut Package<'_>, limits: &ReadLimits, builder: &mut TextBuilder) {
    for name in package.unread() {
        if name == "meta.xml" || !name.ends_with("/content.xml") {
            continue;
        }
        let Ok(Some(part)) = package.part(&name) else { continue };
        // What of a broken part can be read was counted.
        let _ = walk(&name, &part, limits, |node| {
            if let Node::Text(text) = node {
                builder.left_out(LeftOut::Unread, &text);
            }
            Ok(())
        });
    }
}

/// The elements of instructions to the program.
const INSTRUCTIONS: &str = "automatic-styles styles font-face-decls scripts forms bibliography-source table-of-content-source \
    bibliography-configuration sequence-decls variable-decls user-field-decls script binary-data meta settings";

/// Whether an element describes a drawing. Another one of this name is a field.
fn is_description(element: &Element<'_>) -> bool {
    element.name() == "desc" || element.name() == "title" && element.prefix() == Some("svg")
}

/// Why the text of an element is left out; `Some(None)` for a reading or the sign of a note.
fn left_out(element: &Element<'_>) -> Option<Option<LeftOut>> {
    let name = element.name();
    match name {
        _ if is_description(element) => Some(Some(LeftOut::Alternate)),
        "tracked-changes" => Some(Some(LeftOut::Deleted)),
        "annotation" => Some(Some(LeftOut::Comment)),
        "note-citation" | "ruby-text" => Some(None),
        _ => has_name(INSTRUCTIONS, name).then_some(Some(LeftOut::Instruction)),
    }
}

/// What stands aside of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aside {
    Box,
    Footnote,
    Endnote,
}

/// What an open element brought with it.
enum Opened {
    Nothing,
    Mark(MarkKind),
    /// A paragraph or heading, the mark of its role, and the format and ground outside.
    Paragraph(Option<MarkKind>, LetterFormat, Ground),
    /// A span, and the format outside.
    Span(LetterFormat),
    /// A note or box, and the builder outside with its format, paragraphs and ground; and which of them it is.
    Aside(Box<TextBuilder>, LetterFormat, usize, Ground, Aside),
    /// A table, the ground outside, and whether it is not known in which order it is read, or what of it is shown.
    Table(Ground, bool),
    Row,
    Cell(Ground),
    /// An element whose text is not shown.
    Hidden,
    /// A section or a frame with a ground or a place of its own, and those outside.
    Block(Ground, Option<MarkKind>),
}

#[derive(Default)]
struct OdtReader {
    styles: Rc<Styles>,
    /// Formulas that nothing has shown yet, by the names of their objects.
    formulas: BTreeMap<String, Extracted>,
    /// The letters of prose that pictures show, by the names of their parts.
    pictures: BTreeMap<String, u32>,
    /// Those that a drawing has shown.
    shown: BTreeSet<String>,
    /// The picture of the drawing around this place if it is large, and what describes that.
    picture: Option<String>,
    small: bool,
    descriptions: Vec<String>,
    in_description: bool,
    described: Described,
    builder: TextBuilder,
    /// The attributes of all elements that are no paragraphs by themselves, and the names of the elements in paragraphs, of which some are
    /// fields.
    values: ShortValues,
    fields: BTreeSet<String>,
    open: Vec<Opened>,
    left_out: LeftOutElements,
    /// How many of the open elements are not shown.
    hidden: usize,
    format: LetterFormat,
    /// What is behind the text here.
    ground: Ground,
    /// What the frame around this place says of its text, if it is out of the page or has no size.
    away: Option<MarkKind>,
    /// How many paragraphs are open here; text outside of them is none.
    paragraphs: usize,
    /// Characters before the one that was opened last.
    paragraph: u32,
    tables: usize,
}

impl OdtReader {
    fn new(styles: &Rc<Styles>) -> Self {
        OdtReader { styles: styles.clone(), ground: styles.page.unwrap_or(PAPER), ..OdtReader::default() }
    }

    fn node(&mut self, node: Node<'_>) -> Result<(), ExtractError> {
        match node {
            // Within a paragraph `text:meta` says something of words that are shown.
            Node::Start(element)
                if (element.name() != "meta" || self.paragraphs == 0) && self.left_out.start(|| left_out(&element)) =>
            {
                self.in_description = is_description(&element);
                self.beside(&element);
                self.field_of_form(&element);
            }
            Node::Start(element) => {
                self.beside(&element);
                if self.paragraphs > 0 && !self.fields.contains(element.name()) {
                    self.fields.insert(element.name().to_owned());
                }
                let opened = self.start(&element);
                self.hidden += usize::from(matches!(opened, Opened::Hidden));
                self.open.push(opened);
            }
            Node::End(_) if self.left_out.end() => {
                if std::mem::take(&mut self.in_description) && self.picture.is_none() {
                    self.describe();
                }
            }
            Node::Text(text) if self.in_description => self.descriptions.push(text.into_owned()),
            Node::End(_) => self.end(),
            Node::Text(text) if self.left_out.take(&text, &mut self.builder) => {
                self.builder.picture_of(pictures::of_base64(&text).as_ref());
            }
            Node::Text(text) if self.paragraphs > 0 => self.text(&text),
            Node::Text(text) => self.builder.unplaced(&text),
        }
        Ok(())
    }

    /// What stands in an element's attributes. That of a mark of the literature is what the document refers to.
    fn beside(&mut self, element: &Element<'_>) {
        match element.name() {
            "bibliography-mark" => {}
            // Another file is shown in a frame.
            "floating-frame" => self.builder.point(MarkKind::LeftOut(LeftOut::Missing, PAGE)),
            _ => {
                element.long_values().iter().for_each(|value| self.builder.unplaced(value));
                self.values.add(element);
            }
        }
    }

    /// What was said of the drawing that ended describes its picture, or may be prose.
    fn describe(&mut self) {
        let texts = std::mem::take(&mut self.descriptions);
        let picture = self.picture.take();
        let is_innocent = picture.is_some_and(|name| self.described.is_of(&name, texts.iter().map(String::as_str)));
        for text in texts {
            match is_innocent {
                true => self.builder.left_out(LeftOut::Alternate, &text),
                false => self.builder.left_out_unless_prose(LeftOut::Alternate, &text),
            }
        }
    }

    /// What a field of a form shows stands in its attributes, and is not read.
    fn field_of_form(&mut self, element: &Element<'_>) {
        if matches!(
            element.name(),
            "text" | "textarea" | "fixed-text" | "formatted-text" | "combobox" | "option" | "item"
        ) {
            let values = ["current-value", "value", "label"].into_iter();
            let shown = values.filter_map(|name| element.attribute(name)).next().unwrap_or_default();
            self.builder.left_out(LeftOut::Unread, &shown);
        }
    }

    /// Puts a style's ground over what is behind; gives the ground outside.
    fn on(&mut self, style: &Style) -> Ground {
        let ground = style.ground.flatten().unwrap_or(self.ground);
        std::mem::replace(&mut self.ground, ground)
    }

    fn start(&mut self, element: &Element<'_>) -> Opened {
        let is = |name: &str, value: &str| element.is(name, value);
        // A field or a section that is not shown.
        if is("display", "none") {
            return Opened::Hidden;
        }
        match element.name() {
            name @ ("p" | "h") => {
                let style = self.styles.get("paragraph", element);
                let ground = self.on(&style);
                let outer = std::mem::replace(&mut self.format, style.format);
                if name == "h" {
                    let level = element.attribute("outline-level").and_then(|level| level.parse().ok()).unwrap_or(1);
                    self.format.role = Some(MarkKind::Heading(level));
                }
                let role = self.format.role;
                role.into_iter().for_each(|role| self.builder.open(role));
                self.paragraphs += 1;
                self.paragraph = self.builder.characters();
                Opened::Paragraph(role, outer, ground)
            }
            "span" => {
                let outer = self.format;
                self.format = self.styles.get("text", element).format.over(&self.format);
                Opened::Span(outer)
            }
            // A field that hides all of the paragraph that it stands in.
            "hidden-paragraph" if !is("is-hidden", "false") => {
                if self.paragraph < self.builder.characters() {
                    self.builder.mark(MarkKind::Unseen, self.paragraph);
                }
                self.format.hidden = Some(true);
                Opened::Hidden
            }
            "hidden-text" if !is("is-hidden", "false") => Opened::Hidden,
            "section" => {
                let style = self.styles.get("section", element);
                if is("display", "condition") && is("is-hidden", "true") {
                    return Opened::Hidden;
                }
                Opened::Block(self.on(&style), self.away)
            }
            "frame" | "custom-shape" => {
                let style = self.styles.get("graphic", element);
                let place = |name: &str| element.attribute(name).as_deref().and_then(points);
                let away = ["x", "y"].into_iter().filter_map(place).any(|points| points.abs() > OFF_PAGE);
                let outside = self.away;
                self.describe();
                self.small = ["width", "height"].into_iter().filter_map(place).any(|points| points < LEAST_SIDE);
                let is_turned = |turn: String| ["scale", "matrix", "skew"].iter().any(|kind| turn.contains(kind));
                if element.attribute("transform").is_some_and(is_turned) {
                    self.away = self.away.or(Some(MarkKind::Unjudged));
                }
                // Frames that grow with their text have no size of their own, and some programs do not show them.
                if self.away.is_none() && ["width", "height"].into_iter().filter_map(place).any(|points| points <= 1.0)
                {
                    self.away = Some(MarkKind::Unjudged);
                }
                if away {
                    self.away = Some(MarkKind::Unseen);
                }
                Opened::Block(self.on(&style), outside)
            }
            "note" => {
                self.builder.point(MarkKind::NoteReference);
                let is_endnote = element.attribute("note-class").as_deref() == Some("endnote");
                let opened = self.aside(if is_endnote { Aside::Endnote } else { Aside::Footnote });
                self.builder.open(MarkKind::Note);
                opened
            }
            "text-box" => self.aside(Aside::Box),
            "image" => {
                self.builder.point(MarkKind::Picture);
                let name = element.attribute("href").unwrap_or_default();
                let name = name.trim_start_matches("./");
                self.builder.picture_of(self.pictures.get(name));
                self.shown.insert(name.to_owned());
                if self.pictures.contains_key(name) && !self.small {
                    self.picture = Some(name.to_owned());
                }
                Opened::Nothing
            }
            "object" if self.paragraphs > 0 && self.is_shown() => {
                let address = element.attribute("href").unwrap_or_default();
                let name = formulas::name(&address);
                if self.formulas.get(name).is_some_and(formulas::is_formula)
                    && let Some(formula) = self.formulas.remove(name)
                {
                    let start = self.builder.characters();
                    self.builder.append(TextBuilder::of(formula));
                    self.away.into_iter().for_each(|away| self.builder.mark(away, start));
                }
                Opened::Nothing
            }
            "table" => {
                self.builder.gap(Gap::Paragraph);
                if self.tables == 0 {
                    self.builder.open(MarkKind::Table);
                }
                self.tables += 1;
                let style = self.styles.get("table", element);
                if style.turned {
                    self.builder.open(MarkKind::Unjudged);
                }
                Opened::Table(self.on(&style), style.turned)
            }
            // Which of the cells belong to it is not looked at.
            "table-column" if element.attribute("visibility").is_some_and(|value| value != "visible") => {
                if let Some(Opened::Table(_, unjudged)) =
                    self.open.iter_mut().rfind(|open| matches!(open, Opened::Table(..)))
                    && !std::mem::replace(unjudged, true)
                {
                    self.builder.open(MarkKind::Unjudged);
                }
                Opened::Nothing
            }
            // The cell that covers it is shown in its place.
            "covered-table-cell" => {
                self.builder.gap_of_cell();
                Opened::Hidden
            }
            "table-row" => {
                self.builder.gap(Gap::Line);
                let style = self.styles.get("table-row", element);
                let shown = is("visibility", "visible") || element.attribute("visibility").is_none();
                if style.format.hidden == Some(true) || !shown { Opened::Hidden } else { Opened::Row }
            }
            "table-cell" => {
                let style = self.styles.get("table-cell", element);
                Opened::Cell(self.on(&style))
            }
            "table-of-content" => self.mark(MarkKind::Contents),
            "bibliography" => self.mark(MarkKind::Bibliography),
            "bibliography-mark" => self.mark(MarkKind::Citation),
            "s" => {
                let count = element.attribute("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                self.push(&" ".repeat(usize::min(count, MOST_BLANKS)));
                Opened::Nothing
            }
            "tab" => {
                self.push("\t");
                Opened::Nothing
            }
            "line-break" => {
                self.push("\n");
                Opened::Nothing
            }
            _ => Opened::Nothing,
        }
    }

    fn mark(&mut self, kind: MarkKind) -> Opened {
        self.builder.open(kind);
        Opened::Mark(kind)
    }

    fn aside(&mut self, kind: Aside) -> Opened {
        let paragraphs = std::mem::take(&mut self.paragraphs);
        let builder = Box::new(std::mem::take(&mut self.builder));
        Opened::Aside(builder, self.format, paragraphs, self.ground, kind)
    }

    fn end(&mut self) {
        match self.open.pop() {
            None | Some(Opened::Nothing) => {}
            Some(Opened::Hidden) => self.hidden -= 1,
            Some(Opened::Mark(kind)) => self.builder.close(kind),
            Some(Opened::Paragraph(role, outer, ground)) => {
                role.into_iter().for_each(|role| self.builder.close(role));
                (self.format, self.ground) = (outer, ground);
                self.paragraphs -= 1;
                if self.tables > 0 { self.builder.gap(Gap::Line) } else { self.builder.end_paragraph() }
            }
            Some(Opened::Span(outer)) => self.format = outer,
            Some(Opened::Block(ground, away)) => {
                self.describe();
                (self.ground, self.away) = (ground, away);
            }
            Some(Opened::Aside(builder, format, paragraphs, ground, kind)) => {
                let mut inner = std::mem::replace(&mut self.builder, *builder);
                if kind == Aside::Box {
                    inner.mark_piece(0);
                }
                if kind == Aside::Endnote {
                    self.builder.put_at_end(inner)
                } else {
                    self.builder.put_aside(inner)
                }
                (self.format, self.paragraphs, self.ground) = (format, paragraphs, ground);
            }
            Some(Opened::Table(ground, unjudged)) => {
                self.ground = ground;
                if unjudged {
                    self.builder.close(MarkKind::Unjudged);
                }
                self.tables -= 1;
                if self.tables == 0 {
                    self.builder.close(MarkKind::Table);
                    self.builder.end_paragraph();
                }
            }
            Some(Opened::Row) => self.builder.gap(Gap::Line),
            Some(Opened::Cell(ground)) => {
                self.ground = ground;
                self.builder.gap_of_cell();
            }
        }
    }

    /// Text of a paragraph: white space counts as one blank.
    fn text(&mut self, text: &str) {
        self.formatted(text, TextBuilder::push_collapsed);
    }

    /// Characters that elements stand for: they stay as they are.
    fn push(&mut self, text: &str) {
        if self.paragraphs > 0 {
            self.formatted(text, TextBuilder::push);
        }
    }

    fn is_shown(&self) -> bool {
        self.hidden == 0 && self.format.hidden != Some(true)
    }

    fn formatted(&mut self, text: &str, push: fn(&mut TextBuilder, &str)) {
        let hidden = if self.hidden > 0 { Some(true) } else { self.format.hidden };
        let format = LetterFormat { hidden, ..self.format };
        self.builder.push_run(text, push, &format, self.ground, self.away);
    }
}
