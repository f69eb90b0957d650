//! OpenDocument texts (ISO/IEC 26300): ODT.
//!
//! Headings, paragraphs, tables, notes and text boxes are text. Headers, footers, comments and tracked deletions are
//! not: the first two stand in another part, the last in an element that is skipped.

use std::collections::BTreeMap;

use super::builder::{Gap, TextBuilder};
use super::package::Package;
use super::style::{Format, is_reference_number, is_white, role_of_style};
use super::xml::{Element, Node, first_texts, walk};
use super::{ExtractError, Extracted};
use crate::text::Metadata;
use crate::text::layout::MarkKind;
use crate::text::limits::ReadLimits;

/// Blanks that one `text:s` may stand for.
const MOST_BLANKS: usize = 1000;

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let mut package = Package::open(bytes, limits)?;
    let content = package.required("content.xml")?;
    let mut styles = Styles::default();
    if let Some(part) = package.part("styles.xml")? {
        styles.read("styles.xml", &part, limits)?;
    }
    styles.read("content.xml", &content, limits)?;
    let mut reader = Reader::new(styles.resolved(limits));
    walk("content.xml", &content, limits, |node| reader.node(node))?;
    let metadata = match package.part("meta.xml")? {
        Some(part) => {
            let wanted = ["title", "initial-creator", "creator", "creation-date", "date"];
            let [title, first, last, created, changed] = first_texts("meta.xml", &part, limits, wanted)?;
            Metadata { title, author: first.or(last), date: created.or(changed), collection: None }
        }
        None => Metadata::default(),
    };
    Ok(reader.builder.finish(metadata))
}

/// Styles by name, each with the name of its parent.
#[derive(Default)]
struct Styles(BTreeMap<String, (Format, Option<String>)>);

impl Styles {
    fn read(&mut self, name: &str, part: &[u8], limits: &ReadLimits) -> Result<(), ExtractError> {
        let mut current: Option<String> = None;
        walk(name, part, limits, |node| {
            match node {
                Node::Start(element) if element.name() == "style" => {
                    current = element.attribute("name");
                    let Some(name) = current.clone() else { return Ok(()) };
                    let parent = element.attribute("parent-style-name");
                    let format = Format { role: role_of_style(&name), ..Format::default() };
                    self.0.insert(name, (format, parent));
                }
                Node::Start(element) => {
                    if let Some((format, _)) = current.as_ref().and_then(|name| self.0.get_mut(name)) {
                        apply(&element, format);
                    }
                }
                Node::End("style") => current = None,
                _ => {}
            }
            Ok(())
        })
    }

    /// Each style with what it inherits.
    fn resolved(&self, limits: &ReadLimits) -> BTreeMap<String, Format> {
        let resolve = |(name, (format, parent)): (&String, &(Format, Option<String>))| {
            let mut format = format.clone();
            let mut parent = parent.as_deref();
            for _ in 0..self.0.len().min(limits.nesting) {
                let Some((inherited, next)) = parent.and_then(|name| self.0.get(name)) else { break };
                format = format.over(inherited);
                parent = next.as_deref();
            }
            (name.clone(), format)
        };
        self.0.iter().map(resolve).collect()
    }
}

/// Takes the properties of a style into a format.
fn apply(element: &Element<'_>, format: &mut Format) {
    if !matches!(element.name(), "text-properties" | "paragraph-properties" | "table-cell-properties") {
        return;
    }
    if let Some(display) = element.attribute("display") {
        format.hidden = Some(display == "none");
    }
    if let Some(colour) = element.attribute("color") {
        format.white = Some(is_white(&colour));
    }
    if let Some(colour) = element.attribute("background-color") {
        format.shaded = Some(colour != "transparent" && !is_white(&colour));
    }
    if let Some(points) = element.attribute("font-size").and_then(|size| size.strip_suffix("pt")?.parse().ok()) {
        format.set_points(points);
    }
    if let Some(position) = element.attribute("text-position") {
        format.raised =
            Some(position.starts_with("super") || position.trim_start().starts_with(|c| c > '0' && c <= '9'));
    }
}

/// Elements whose content is no text of the document.
fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "tracked-changes"
            | "annotation"
            | "note-citation"
            | "ruby-text"
            | "desc"
            | "automatic-styles"
            | "font-face-decls"
            | "scripts"
            | "forms"
            | "bibliography-source"
            | "table-of-content-source"
            | "bibliography-configuration"
            | "sequence-decls"
            | "variable-decls"
            | "user-field-decls"
            | "script"
    )
}

/// What an open element brought with it.
enum Opened {
    Nothing,
    Mark(MarkKind),
    /// A paragraph or heading, the mark of its role, and the format outside.
    Paragraph(Option<MarkKind>, Format),
    /// A span, and the format outside.
    Span(Format),
    /// A note or box, and the builder outside with its format.
    Aside(Box<TextBuilder>, Format, usize),
    Table,
    Row,
    Cell(bool),
    /// A list item or another block that is no paragraph itself.
    Skipped,
    /// An element whose text is not shown, and the format outside.
    Hidden(Format),
}

struct Reader {
    styles: BTreeMap<String, Format>,
    builder: TextBuilder,
    open: Vec<Opened>,
    /// How many of the open elements are skipped.
    skipped: usize,
    format: Format,
    /// How many paragraphs are open here; text outside of them is none.
    paragraphs: usize,
    tables: usize,
    shaded_cells: usize,
}

impl Reader {
    fn new(styles: BTreeMap<String, Format>) -> Self {
        Reader {
            styles,
            builder: TextBuilder::default(),
            open: Vec::new(),
            skipped: 0,
            format: Format::default(),
            paragraphs: 0,
            tables: 0,
            shaded_cells: 0,
        }
    }

    fn node(&mut self, node: Node<'_>) -> Result<(), ExtractError> {
        match node {
            Node::Start(element) if self.skipped > 0 || is_skipped(element.name()) => {
                self.skipped += 1;
                self.open.push(Opened::Skipped);
            }
            Node::Start(element) => {
                let opened = self.start(&element);
                self.open.push(opened);
            }
            Node::End(_) => self.end(),
            Node::Text(text) if self.skipped == 0 && self.paragraphs > 0 => self.text(&text),
            Node::Text(_) => {}
        }
        Ok(())
    }

    fn style(&self, element: &Element<'_>) -> Format {
        element.attribute("style-name").and_then(|name| self.styles.get(&name).cloned()).unwrap_or_default()
    }

    fn start(&mut self, element: &Element<'_>) -> Opened {
        match element.name() {
            name @ ("p" | "h") => {
                let outer = self.format.clone();
                self.format = self.style(element);
                if name == "h" {
                    let level = element.attribute("outline-level").and_then(|level| level.parse().ok()).unwrap_or(1);
                    self.format.role = Some(MarkKind::Heading(level));
                }
                let role = self.format.role;
                role.into_iter().for_each(|role| self.builder.open(role));
                self.paragraphs += 1;
                Opened::Paragraph(role, outer)
            }
            "span" => {
                let outer = self.format.clone();
                self.format = self.style(element).over(&self.format);
                Opened::Span(outer)
            }
            "hidden-text" | "hidden-paragraph" => {
                let outer = self.format.clone();
                self.format.hidden = Some(true);
                Opened::Hidden(outer)
            }
            "note" => {
                self.builder.point(MarkKind::NoteReference);
                let opened = self.aside();
                self.builder.open(MarkKind::Note);
                opened
            }
            "text-box" => self.aside(),
            "image" => {
                self.builder.point(MarkKind::Picture);
                Opened::Nothing
            }
            "table" => {
                self.builder.gap(Gap::Paragraph);
                self.tables += 1;
                Opened::Table
            }
            "table-row" => {
                self.builder.gap(Gap::Line);
                Opened::Row
            }
            "table-cell" | "covered-table-cell" => {
                let shaded = self.style(element).shaded == Some(true);
                self.shaded_cells += usize::from(shaded);
                Opened::Cell(shaded)
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

    fn aside(&mut self) -> Opened {
        let paragraphs = std::mem::take(&mut self.paragraphs);
        Opened::Aside(Box::new(std::mem::take(&mut self.builder)), self.format.clone(), paragraphs)
    }

    fn end(&mut self) {
        match self.open.pop() {
            None | Some(Opened::Nothing) => {}
            Some(Opened::Skipped) => self.skipped -= 1,
            Some(Opened::Mark(kind)) => self.builder.close(kind),
            Some(Opened::Paragraph(role, outer)) => {
                role.into_iter().for_each(|role| self.builder.close(role));
                self.format = outer;
                self.paragraphs -= 1;
                if self.tables > 0 { self.builder.gap(Gap::Line) } else { self.builder.end_paragraph() }
            }
            Some(Opened::Span(outer) | Opened::Hidden(outer)) => self.format = outer,
            Some(Opened::Aside(builder, format, paragraphs)) => {
                let inner = std::mem::replace(&mut self.builder, *builder);
                self.builder.put_aside(inner);
                self.format = format;
                self.paragraphs = paragraphs;
            }
            Some(Opened::Table) => {
                self.tables -= 1;
                if self.tables == 0 {
                    self.builder.end_paragraph();
                }
            }
            Some(Opened::Row) => self.builder.gap(Gap::Line),
            Some(Opened::Cell(shaded)) => {
                self.shaded_cells -= usize::from(shaded);
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

    fn formatted(&mut self, text: &str, push: fn(&mut TextBuilder, &str)) {
        if self.format.hidden == Some(true) {
            self.builder.hidden(text);
            return;
        }
        let raised = self.format.raised == Some(true) && is_reference_number(text);
        let mark = self.format.invisible(self.shaded_cells > 0).or(raised.then_some(MarkKind::Citation));
        mark.into_iter().for_each(|kind| self.builder.open(kind));
        push(&mut self.builder, text);
        mark.into_iter().for_each(|kind| self.builder.close(kind));
    }
}
