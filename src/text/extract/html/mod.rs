//! HTML as a person reads it: no markup, scripts, styles or comments; blocks on lines of their own.
//!
//! What stands around a page's main text is left out, unless it is most of what the page shows. Notes stand after the
//! block that refers to them, wherever the page has them.

mod furniture;
mod lexer;
mod notes;
mod visible;

use std::borrow::Cow;

use ahash::AHashMap;

use self::furniture::{MainElement, is_furniture};
use self::lexer::{Attributes, Lexer, Token, resolve_references};
use self::notes::Notes;
use self::visible::VisibleText;
use super::style::{is_reference_number, is_white};
use super::{ExtractError, Extracted};
use crate::text::Metadata;
use crate::text::encoding::decode_declared;
use crate::text::layout::MarkKind;

/// Bytes in which a page must say its encoding (the HTML Standard asks for 1,024; pages in the wild need more).
const DECLARATION_BYTES: usize = 4096;

/// How far up the open elements an end tag such as `</b>` is matched across others that were left open.
const INLINE_SEARCH: usize = 64;

/// Takes out the visible text, the title, and what `meta` elements say of author and date.
pub(super) fn extract(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let decoded = decode_declared(bytes, declared_encoding(bytes).as_deref())?;
    let html = decoded.text.trim_start_matches('\u{FEFF}');
    let main = MainElement::of(html);
    let mut page = Page::read(html, Scope::Main(main), Notes::of(html));
    if page.left_out > page.kept {
        page = Page::read(html, Scope::Everything, Notes::of(html));
    }
    Ok(Extracted { replaced: decoded.replaced, ..page.text.finish(page.metadata) })
}

/// What of a page is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Scope {
    /// All that is shown.
    #[default]
    Everything,
    /// What is no furniture; and of a page that has elements for its main text, only what stands in them.
    Main(MainElement),
}

/// The label in `<meta charset=…>`, `<meta content="…; charset=…">` or `<?xml encoding=…?>`.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let prefix: String = bytes.iter().take(DECLARATION_BYTES).map(|byte| char::from(*byte)).collect();
    if let Some(declaration) = prefix.trim_start().strip_prefix("<?xml") {
        let declaration = declaration.split_once("?>")?.0;
        let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
        return value.split(['"', '\'']).nth(1).map(str::to_owned);
    }
    Lexer::new(&prefix).find_map(|token| match token {
        Token::Start { name, attributes, .. } if name == "meta" => attributes.get("charset").or_else(|| {
            let content = attributes.get("content")?.to_ascii_lowercase();
            let value = content.split_once("charset")?.1.trim_start().strip_prefix('=')?.trim_start();
            let label = value.trim_start_matches(['"', '\'']);
            Some(label.split(['"', '\'', ';', ' ']).next()?.to_owned())
        }),
        _ => None,
    })
}

/// What an element does to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing: a link, a span, or a name that is not known.
    Inline,
    /// Stands on lines of its own.
    Block,
    /// Stands apart by a blank line.
    Paragraph,
    /// A cell of a table.
    Cell,
    /// Has no content and no end tag.
    Void,
    /// Not shown.
    Hidden,
}

fn kind_of(name: &str) -> Kind {
    match name {
        "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Kind::Paragraph,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center" | "dd" | "details"
        | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure" | "footer" | "form"
        | "frameset" | "head" | "header" | "hgroup" | "html" | "legend" | "li" | "listing" | "main" | "menu" | "ol"
        | "optgroup" | "option" | "plaintext" | "pre" | "search" | "section" | "select" | "summary" | "table"
        | "tbody" | "textarea" | "tfoot" | "thead" | "tr" | "ul" | "xmp" => Kind::Block,
        "td" | "th" => Kind::Cell,
        "area" | "base" | "basefont" | "bgsound" | "br" | "col" | "embed" | "frame" | "hr" | "img" | "input"
        | "keygen" | "link" | "meta" | "param" | "source" | "track" | "wbr" => Kind::Void,
        // The readings over ruby characters would tear the line apart that they explain; menus are no text of the page.
        "annotation" | "annotation-xml" | "audio" | "canvas" | "datalist" | "iframe" | "noembed" | "noframes"
        | "nav" | "noscript" | "rp" | "rt" | "rtc" | "script" | "style" | "template" | "title" | "video" => {
            Kind::Hidden
        }
        _ => Kind::Inline,
    }
}

/// Names of open elements that end, if innermost, when an element `name` of the given kind starts.
fn ends_before(name: &str, kind: Kind) -> &'static [&'static str] {
    match name {
        "li" => &["p", "li"],
        "dt" | "dd" => &["p", "dt", "dd"],
        "tr" => &["p", "td", "th", "tr"],
        "tbody" | "tfoot" | "thead" => &["p", "td", "th", "tr", "tbody", "tfoot", "thead"],
        "td" | "th" => &["p", "td", "th"],
        "option" | "optgroup" => &["option"],
        "rt" | "rp" => &["rt", "rp"],
        _ if matches!(kind, Kind::Block | Kind::Paragraph) || name == "hr" => &["p"],
        _ => &[],
    }
}

/// An element that is open.
struct Open<'a> {
    name: Cow<'a, str>,
    kind: Kind,
    mark: Option<MarkKind>,
    /// Whether it is one for the main text.
    main: bool,
}

/// The state between two tokens.
#[derive(Default)]
struct Page<'a> {
    scope: Scope,
    text: VisibleText,
    metadata: Metadata,
    notes: Notes<'a>,
    open: Vec<Open<'a>>,
    /// How often each name is among `open`.
    counts: AHashMap<Cow<'a, str>, usize>,
    /// Index in `open` of the outermost element that is not shown.
    hidden_at: Option<usize>,
    /// Whether that element is one that a page shows, unless its own style says otherwise.
    hidden_by_style: bool,
    /// Index in `open` of the outermost element that is furniture.
    furniture_at: Option<usize>,
    /// How many elements for the main text are open.
    open_main: usize,
    /// How many notes are open.
    open_notes: usize,
    /// Characters that were taken, and characters that the scope leaves out.
    kept: usize,
    left_out: usize,
    /// The next text is the first in a `pre`, where one newline is dropped.
    after_pre: bool,
    buffer: String,
}

impl<'a> Page<'a> {
    fn read(html: &'a str, scope: Scope, notes: Notes<'a>) -> Self {
        let mut page = Page { scope, notes, ..Page::default() };
        for token in Lexer::new(html) {
            page.token(token);
        }
        page.close_to(0);
        page.text.block(1);
        page
    }

    /// The text of a note, from what stands in its element.
    fn read_note(html: &'a str) -> VisibleText {
        let mut page = Page::default();
        page.text.open(MarkKind::Note);
        page.open_notes = 1;
        for token in Lexer::new(html) {
            page.token(token);
        }
        page.close_to(0);
        page.text.close(MarkKind::Note);
        page.text
    }

    fn token(&mut self, token: Token<'a>) {
        let after_pre = std::mem::take(&mut self.after_pre);
        match token {
            Token::Text(text) => self.shown(text, self.is_preformatted(), after_pre),
            Token::RawText { element, text } => match element.as_ref() {
                "title" if self.metadata.title.is_none() => self.metadata.title = resolved(text),
                "textarea" => self.shown(text, true, true),
                "xmp" if self.is_read() => self.text.push_preformatted(text),
                _ => {}
            },
            Token::Start { name, attributes, self_closing } => self.start(name, &attributes, self_closing),
            Token::End { name } => self.end(&name),
        }
    }

    /// Whether what stands here is shown by a page, and not left out by the scope.
    fn is_read(&self) -> bool {
        self.hidden_at.is_none() && !self.is_left_out()
    }

    fn is_left_out(&self) -> bool {
        let outside = self.open_main == 0 && matches!(self.scope, Scope::Main(main) if main != MainElement::None);
        outside || self.furniture_at.is_some()
    }

    fn shown(&mut self, text: &str, preformatted: bool, drop_newline: bool) {
        if self.hidden_at.is_some() && !self.hidden_by_style {
            return;
        }
        let characters = text.chars().filter(|c| !c.is_whitespace()).count();
        if self.is_left_out() {
            self.left_out += characters;
            return;
        }
        self.buffer.clear();
        resolve_references(text, false, &mut self.buffer);
        if self.hidden_at.is_some() {
            self.text.hidden(&self.buffer);
            return;
        }
        self.kept += characters;
        let raised = self.counts.get("sup").is_some_and(|count| *count > 0) && is_reference_number(&self.buffer);
        // The number in front of a note leads back to its reference.
        if raised && self.open_notes > 0 {
            return;
        }
        if raised {
            self.text.open(MarkKind::Citation);
        }
        if preformatted {
            let text = self.buffer.as_str();
            let without = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
            self.text.push_preformatted(if drop_newline { without } else { text });
        } else {
            self.text.push_collapsed(&self.buffer);
        }
        if raised {
            self.text.close(MarkKind::Citation);
        }
    }

    fn is_preformatted(&self) -> bool {
        ["pre", "listing", "plaintext"].iter().any(|name| self.counts.get(*name).is_some_and(|count| *count > 0))
    }

    fn start(&mut self, name: Cow<'a, str>, attributes: &Attributes<'a>, self_closing: bool) {
        let kind = kind_of(&name);
        let ending = ends_before(&name, kind);
        while self.open.last().is_some_and(|open| ending.contains(&open.name.as_ref())) {
            self.close_to(self.open.len() - 1);
        }
        if kind == Kind::Void {
            self.void(&name, attributes);
            return;
        }
        let note_reference = is_of_type(attributes, "noteref");
        if note_reference && self.is_read() {
            self.text.point(MarkKind::NoteReference);
            if let Some(note) = self.notes.refer(attributes) {
                self.text.put_aside(Page::read_note(note));
            }
        }
        let elsewhere = is_note(attributes) && self.notes.was_referred_to(attributes);
        let kind = if note_reference || elsewhere { Kind::Hidden } else { kind };
        let hidden = kind == Kind::Hidden || is_hidden(attributes);
        if self.is_read() && !hidden {
            self.boundary(kind, true);
        }
        if self_closing {
            if self.is_read() && !hidden {
                self.boundary(kind, false);
            }
            return;
        }
        if hidden && self.hidden_at.is_none() {
            self.hidden_at = Some(self.open.len());
            self.hidden_by_style = kind != Kind::Hidden;
        }
        self.open(name, kind, attributes);
    }

    /// Puts an element on those that are open.
    fn open(&mut self, name: Cow<'a, str>, kind: Kind, attributes: &Attributes<'a>) {
        let main = matches!(self.scope, Scope::Main(main) if main.is(&name, attributes));
        self.open_main += usize::from(main);
        let in_section =
            || ["article", "main", "section"].iter().any(|name| self.counts.get(*name).is_some_and(|n| *n > 0));
        if self.furniture_at.is_none()
            && self.scope != Scope::Everything
            && is_furniture(&name, attributes, in_section())
        {
            self.furniture_at = Some(self.open.len());
        }
        let mark = mark_of(&name, attributes).filter(|_| self.is_read());
        mark.into_iter().for_each(|kind| self.text.open(kind));
        self.open_notes += usize::from(mark == Some(MarkKind::Note));
        self.after_pre = matches!(name.as_ref(), "pre" | "listing");
        *self.counts.entry(name.clone()).or_default() += 1;
        self.open.push(Open { name, kind, mark, main });
    }

    fn void(&mut self, name: &str, attributes: &Attributes<'a>) {
        match name {
            "meta" => self.meta(attributes),
            "br" if self.is_read() => self.text.line_break(),
            "hr" if self.is_read() => self.text.block(1),
            "img" if self.is_read() => self.text.point(MarkKind::Picture),
            _ => {}
        }
    }

    fn meta(&mut self, attributes: &Attributes<'a>) {
        let Some(name) = attributes.get("name").or_else(|| attributes.get("property")) else {
            return;
        };
        let field = match name.to_ascii_lowercase().as_str() {
            "author" | "dc.creator" | "dcterms.creator" | "citation_author" => &mut self.metadata.author,
            "date"
            | "dc.date"
            | "dcterms.date"
            | "citation_date"
            | "citation_publication_date"
            | "article:published_time" => &mut self.metadata.date,
            _ => return,
        };
        if field.is_none() {
            *field = attributes.get("content").as_deref().and_then(one_line);
        }
    }

    /// Ends an element and those left open in it; an end tag without a start changes nothing.
    fn end(&mut self, name: &str) {
        // The standard reads these two as `<br>` and `<p></p>`.
        let is_open = self.counts.get(name).is_some_and(|count| *count > 0);
        if !is_open {
            if self.is_read() && matches!(name, "br" | "p") {
                if name == "br" { self.text.line_break() } else { self.text.block(2) }
            }
            return;
        }
        let inline = kind_of(name) == Kind::Inline;
        let within = if inline { INLINE_SEARCH } else { usize::MAX };
        let found = self.open.iter().rev().take(within).position(|open| open.name == name);
        let Some(above) = found else { return };
        let at = self.open.len() - 1 - above;
        // `<b><p>…</b>` does not end the paragraph.
        if inline && self.open[at + 1..].iter().any(|open| open.kind != Kind::Inline) {
            return;
        }
        self.close_to(at);
    }

    /// Closes all open elements from the given index on.
    fn close_to(&mut self, length: usize) {
        for Open { name, kind, mark, main } in self.open.split_off(length).into_iter().rev() {
            mark.into_iter().for_each(|kind| self.text.close(kind));
            if let Some(count) = self.counts.get_mut(&name) {
                *count -= 1;
            }
            if self.is_read() {
                self.boundary(kind, false);
            }
            self.open_main -= usize::from(main);
            self.open_notes -= usize::from(mark == Some(MarkKind::Note));
        }
        // Elements inside a hidden one leave no break, as the loop above ran before this.
        for outermost in [&mut self.hidden_at, &mut self.furniture_at] {
            *outermost = outermost.filter(|at| *at < length);
        }
    }

    fn boundary(&mut self, kind: Kind, starts: bool) {
        match kind {
            Kind::Block => self.text.block(1),
            Kind::Paragraph => self.text.block(2),
            Kind::Cell if starts => self.text.cell(),
            _ => {}
        }
    }
}

/// Whether the element's own attributes say that it is not shown.
fn is_hidden(attributes: &Attributes<'_>) -> bool {
    attributes.clone().any(|(name, _)| name.eq_ignore_ascii_case("hidden"))
        || style_rules(attributes).iter().any(|rule| matches!(rule.as_str(), "display:none" | "visibility:hidden"))
}

/// Whether an element has this meaning in EPUB or by its role.
fn is_of_type(attributes: &Attributes<'_>, wanted: &str) -> bool {
    attributes.clone().any(|(name, value)| {
        matches!(name, "epub:type" | "role")
            && value.split_ascii_whitespace().any(|word| word.trim_start_matches("doc-") == wanted)
    })
}

/// Whether an element is a footnote or an endnote.
fn is_note(attributes: &Attributes<'_>) -> bool {
    is_of_type(attributes, "footnote") || is_of_type(attributes, "endnote")
}

/// The rules of a `style` attribute, in lower case and without white space.
fn style_rules(attributes: &Attributes<'_>) -> Vec<String> {
    let rules = |(_, value): (&str, &str)| {
        let mut style = value.to_ascii_lowercase();
        style.retain(|c| !c.is_ascii_whitespace());
        style.split(';').map(|rule| rule.trim_end_matches("!important").to_owned()).collect::<Vec<_>>()
    };
    attributes.clone().filter(|(name, _)| name.eq_ignore_ascii_case("style")).flat_map(rules).collect()
}

/// What the element's name or style says of its text.
fn mark_of(name: &str, attributes: &Attributes<'_>) -> Option<MarkKind> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => return Some(MarkKind::Heading(level - b'0')),
        b"blockquote" => return Some(MarkKind::Quotation),
        _ => {}
    }
    if is_note(attributes) {
        return Some(MarkKind::Note);
    }
    let rules = style_rules(attributes);
    if rules.iter().any(|rule| rule.starts_with("background")) {
        return None;
    }
    rules.iter().find_map(|rule| match rule.split_once(':')? {
        ("color", colour) if is_white(colour) || matches!(colour, "white" | "#fff" | "transparent") => {
            Some(MarkKind::White)
        }
        ("font-size", size) => {
            let number = size.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<f64>().ok()?;
            let tiny =
                (size.ends_with("px") && number < 5.0) || (size.ends_with("pt") && number < 4.0) || number == 0.0;
            tiny.then_some(MarkKind::Tiny)
        }
        _ => None,
    })
}

/// A text of metadata: references resolved, white space collapsed, `None` if nothing is left.
fn resolved(text: &str) -> Option<String> {
    let mut resolved = String::new();
    resolve_references(text, false, &mut resolved);
    one_line(&resolved)
}

fn one_line(text: &str) -> Option<String> {
    let line = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests;
