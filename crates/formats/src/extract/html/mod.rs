//! HTML as a person reads it: no markup, scripts, styles or comments; blocks on lines of their own.
//!
//! What stands around a page's main text is left out, with a mark of its size, unless it is most of what the page shows or
//! holds prose. Notes stand after the block that refers to them, wherever the page has them.

mod css;
mod furniture;
mod lexer;
mod look;
pub(super) mod menus;
mod notes;
mod objects;
mod readings;
pub(super) mod scripts;
mod sheets;
mod visible;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use ahash::AHashMap;
use serde::Deserialize;

use self::css::{Keys, Sheet, keys};
use self::furniture::{MainElement, is_furniture};
use self::lexer::{Attributes, HtmlToken, Lexer};
use self::look::{Look, Looks};
use self::notes::HtmlNotes;
use self::objects::one_line;
use self::readings::Readings;
use self::sheets::sheet;
use self::visible::VisibleText;
use super::builder::of_reading;
use super::colour::Colour;
use super::described::Described;
use super::pictures::Pictures;
use super::style::{Ground, Ink, is_reference_number};
use super::table::by_name;
use super::{ExtractError, Extracted};
use crate::encoding::decode_declared;
use copytrace_text::Metadata;
use copytrace_text::layout::{LeftOut, MarkKind};
use copytrace_text::script::is_right_to_left;

/// Bytes in which a page must say its encoding (the HTML Standard asks for 1,024; pages in the wild need more).
const DECLARATION_BYTES: usize = 4096;

/// Characters that are no part of a link, in what stands around the main text, from which on it is prose.
const PROSE: usize = 300;

/// From how many bytes on what an attribute or the title of the page says is no label.
const MOST_OF_LABEL: usize = 240;

/// Elements that no page shows unless a style says so.
const SHOWN_BY_STYLE: [&str; 4] = ["datalist", "script", "style", "title"];

/// How far up the open elements an end tag such as `</b>` is matched across others that were left open.
const INLINE_SEARCH: usize = 64;

/// Marks that turn the text between them round, as a reader sees it in a `bdo` element.
const RIGHT_TO_LEFT: &str = "\u{202E}";
const LEFT_TO_RIGHT: &str = "\u{202D}";
const POP: &str = "\u{202C}";

/// Takes out the visible text, the title, and what `meta` elements say of author and date.
pub(super) fn extract(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    extract_of_book(bytes, None)
}

/// What a page of a book has in other files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Book<'b> {
    pub(super) styles: &'b str,
    /// The letters of prose that pictures show, by the names of their parts.
    pub(super) pictures: &'b BTreeMap<String, u32>,
    /// The name of the page itself.
    pub(super) page: &'b str,
}

/// The same of a page that may be one of a book.
pub(super) fn extract_of_book(bytes: &[u8], book: Option<Book<'_>>) -> Result<Extracted, ExtractError> {
    let styles = book.map(|book| book.styles);
    let decoded = decode_declared(bytes, declared_encoding(bytes).as_deref())?;
    let html = decoded.text.trim_start_matches('\u{FEFF}');
    let main = MainElement::of(html);
    let mut page = Page::read(html, Scope::Main(main), HtmlNotes::of(html), sheet(html, styles), book);
    if page.left_out > page.kept {
        page = Page::read(html, Scope::Everything, HtmlNotes::of(html), sheet(html, styles), book);
    }
    Ok(Extracted { replaced: decoded.replaced, ..page.text.finish(page.metadata) })
}

/// What of a piece of HTML in another format is not seen: the places of elements that hide what is in them. `pieces` are the
/// places of tags in the text, in order; an element may start in one and end in another.
pub(super) fn hidden_elements(text: &str, pieces: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut hidden = Vec::new();
    let mut open: Vec<(String, Option<usize>)> = Vec::new();
    let mut page = Page { sheet: sheet(text, None), ..Page::default() };
    for piece in pieces {
        let mut lexer = Lexer::new(&text[piece.clone()]);
        while let Some(token) = lexer.next() {
            let (start, end) = (piece.start + lexer.span.start, piece.start + lexer.span.end);
            match token {
                HtmlToken::Start { name, attributes, self_closing: false } if kind_of(&name) != Kind::Void => {
                    page.looks = Looks::default();
                    page.look_of(&name, &attributes);
                    let hides = matches!(kind_of(&name), Kind::Hidden(_))
                        || page.is_hidden()
                        || page.looks.certain.unseen().is_some();
                    open.push((name, hides.then_some(start)));
                }
                HtmlToken::End { name } => {
                    if let Some(above) = open.iter().rev().take(INLINE_SEARCH).position(|(open, _)| *open == name) {
                        let from = open.split_off(open.len() - 1 - above).into_iter().find_map(|(_, start)| start);
                        hidden.extend(from.map(|start| start..end));
                    }
                }
                _ => {}
            }
        }
    }
    // One that never ends hides the rest.
    hidden.extend(open.into_iter().find_map(|(_, start)| start).map(|start| start..text.len()));
    hidden
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
        HtmlToken::Start { name, attributes, .. } if name == "meta" => {
            attributes.get("charset").map(str::to_owned).or_else(|| {
                let content = attributes.get("content")?.to_ascii_lowercase();
                let value = content.split_once("charset")?.1.trim_start().strip_prefix('=')?.trim_start();
                let label = value.trim_start_matches(['"', '\'']);
                Some(label.split(['"', '\'', ';', ' ']).next()?.to_owned())
            })
        }
        _ => None,
    })
}

/// What an element does to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
    /// Not shown; why, if it is not what the page hides.
    Hidden(Option<LeftOut>),
}

/// The elements that do something. Readings over ruby characters would tear the line apart that they explain, and others stand for
/// what a program shows in their place.
static ELEMENTS: LazyLock<AHashMap<String, Kind>> = LazyLock::new(|| by_name(include_str!("elements.json")));

fn kind_of(name: &str) -> Kind {
    ELEMENTS.get(name).copied().unwrap_or(Kind::Inline)
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
struct Open {
    name: String,
    kind: Kind,
    mark: Option<MarkKind>,
    /// Whether it is one for the main text.
    main: bool,
    /// It turns its text round, as `bdo` does.
    turned: bool,
    /// Where its text begins; whether it stands at a place of its own, whether those in it are placed by its place, and whether one
    /// of these may lie over the others.
    from: u32,
    piece: bool,
    positioned: bool,
    covered: bool,
    /// How text looks around it, and why it is left out there.
    outside: (Looks, Option<LeftOut>),
}

/// The state between two tokens.
#[derive(Default)]
struct Page<'a> {
    scope: Scope,
    text: VisibleText,
    metadata: Metadata,
    notes: HtmlNotes<'a>,
    sheet: Sheet,
    open: Vec<Open>,
    /// What selectors see of those that are open; nothing if there are no rules.
    keys: Vec<Keys>,
    /// How often each name is among `open`.
    counts: AHashMap<String, usize>,
    /// How text looks here, and why it is left out though nobody hides it.
    looks: Looks,
    dropped: Option<LeftOut>,
    /// Index in `open` of the outermost element that is furniture.
    furniture_at: Option<usize>,
    readings: Readings,
    /// How many elements for the main text are open.
    open_main: usize,
    /// How many notes are open.
    open_notes: usize,
    /// Characters that were taken, and characters that the scope leaves out.
    kept: usize,
    left_out: usize,
    /// The text outside of furniture while that is read, and characters of it that are no part of a link.
    set_aside: Option<(VisibleText, usize, usize)>,
    /// The next text is the first in a `pre`, where one newline is dropped.
    after_pre: bool,
    book: Option<Book<'a>>,
    pictures: Pictures,
    described: Described,
}

impl<'a> Page<'a> {
    fn read(html: &'a str, scope: Scope, notes: HtmlNotes<'a>, sheet: Sheet, book: Option<Book<'a>>) -> Self {
        let mut page = Page { scope, notes, sheet, book, ..Page::default() };
        if page.sheet.has_unread {
            page.looks.all(Look::doubt);
        }
        for generated in std::mem::take(&mut page.sheet.generated) {
            page.text.left_out(LeftOut::Unread, &generated);
        }
        page.take_aside();
        for token in Lexer::new(html) {
            page.token(token);
        }
        page.close_to(0);
        page.put_back();
        page.text.block(1);
        for string in std::mem::take(&mut page.sheet.strings) {
            page.string_of_sheet(&string);
        }
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

    fn token(&mut self, token: HtmlToken) {
        let after_pre = std::mem::take(&mut self.after_pre);
        match token {
            HtmlToken::Text(text) => self.shown(&text, self.is_preformatted(), after_pre),
            HtmlToken::RawText { element, text } => match element.as_str() {
                "title" if self.metadata.title.is_none() && self.dropped.is_some() => {
                    if text.len() >= MOST_OF_LABEL {
                        self.text.unplaced(&text);
                    }
                    self.metadata.title = one_line(&text);
                }
                "textarea" => self.shown(&text, true, true),
                _ => self.shown(&text, true, false),
            },
            HtmlToken::Comment(text) => self.text.left_out(LeftOut::Comment, &text),
            HtmlToken::Start { name, attributes, self_closing } => self.start(name, &attributes, self_closing),
            HtmlToken::End { name } => self.end(&name),
        }
        self.set_or_put_back();
    }

    /// Goes on with the text that stands around the main text, or back to that, if this place is not where the last one was.
    fn set_or_put_back(&mut self) {
        match (self.is_left_out(), self.set_aside.is_some()) {
            (true, false) => self.take_aside(),
            (false, true) => self.put_back(),
            _ => {}
        }
    }

    /// From here on the text is one that stands around the main text, if it does.
    fn take_aside(&mut self) {
        if self.is_left_out() {
            self.set_aside = Some((std::mem::take(&mut self.text), 0, 0));
        }
    }

    /// Back to the main text: what stood around it is part of it if it holds prose.
    fn put_back(&mut self) {
        let Some((text, prose, characters)) = self.set_aside.take() else { return };
        let around = std::mem::replace(&mut self.text, text);
        if prose >= PROSE {
            self.kept += characters;
            self.text.append_block(around);
        } else {
            self.left_out += characters;
            self.text.left_out_all(around);
        }
    }

    /// Whether what stands here is shown by a page.
    fn is_read(&self) -> bool {
        self.dropped.is_none() && !self.is_hidden()
    }

    fn is_hidden(&self) -> bool {
        self.looks.is_hidden()
    }

    fn is_left_out(&self) -> bool {
        let outside = self.open_main == 0 && matches!(self.scope, Scope::Main(main) if main != MainElement::None);
        outside || self.furniture_at.is_some()
    }

    fn shown(&mut self, text: &str, preformatted: bool, drop_newline: bool) {
        if let Some(reason) = self.dropped.filter(|_| !self.is_reading_of_nothing()) {
            match self.open.last().map(|open| open.name.as_str()) {
                Some("script") => {
                    self.text.data(text);
                    self.script(text);
                }
                Some("style") => self.text.data(text),
                Some("rt" | "rtc") => self.text.left_out(of_reading(text, self.text.text()), text),
                _ => self.text.left_out_unless_prose(reason, text),
            }
            return;
        }
        if self.is_hidden() {
            self.text.hidden(text);
            return;
        }
        let characters = text.chars().filter(|c| !c.is_whitespace()).count();
        if characters == 0 && self.looks.certain.format.joins() {
            return;
        }
        let is_open = |name: &str| self.counts.get(name).is_some_and(|count| *count > 0);
        match &mut self.set_aside {
            Some((_, prose, all)) => {
                *all += characters;
                *prose += if is_open("a") || is_open("button") || is_open("select") { 0 } else { characters };
            }
            None => self.kept += characters,
        }
        let raised = is_open("sup") && is_reference_number(text);
        // The number in front of a note leads back to its reference.
        if raised && self.open_notes > 0 {
            self.text.left_out(LeftOut::Alternate, text);
            return;
        }
        // Boxes are put in order from the right, though the letters in them are not.
        let other_way =
            || self.looks.certain.right_to_left && !self.open.iter().rev().take(INLINE_SEARCH).any(|open| open.turned);
        let turned = || other_way() && !text.chars().any(is_right_to_left) && text.chars().any(char::is_alphabetic);
        let mark = self.looks.unseen().or_else(|| turned().then_some(MarkKind::Unjudged));
        let mark = mark.or(raised.then_some(MarkKind::Citation));
        mark.into_iter().for_each(|kind| self.text.open(kind));
        if preformatted {
            let without = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
            self.text.push_preformatted(if drop_newline { without } else { text });
        } else {
            self.text.push_collapsed(text);
        }
        mark.into_iter().for_each(|kind| self.text.close(kind));
    }

    fn is_preformatted(&self) -> bool {
        ["pre", "listing", "plaintext"].iter().any(|name| self.counts.get(*name).is_some_and(|count| *count > 0))
    }

    fn start(&mut self, name: String, attributes: &Attributes, self_closing: bool) {
        let kind = kind_of(&name);
        if self.is_read() {
            let is_picture = matches!(name.as_str(), "img" | "image" | "object" | "embed");
            let is_described = is_picture && self.lettering(attributes);
            self.beside(&name, attributes, is_described);
        }
        let ending = ends_before(&name, kind);
        while self.open.last().is_some_and(|open| ending.contains(&open.name.as_str())) {
            self.close_to(self.open.len() - 1);
        }
        if kind == Kind::Void {
            self.void(&name, attributes);
            return;
        }
        if let Some(page) = attributes.get("srcdoc").filter(|_| self.is_read()) {
            self.text.left_out(LeftOut::Unread, page);
        }
        let is_inside = notes::is_inside(attributes);
        let mut note_reference = is_of_type(attributes, "noteref");
        if (note_reference || is_inside) && self.is_read() {
            let note = self.notes.refer(attributes);
            // A note in its sentence stays there unless it is the one that is known by its id.
            note_reference |= note.is_some();
            if note_reference {
                self.text.point(MarkKind::NoteReference);
            }
            note.into_iter().for_each(|note| self.text.put_aside(Page::read_note(note)));
        }
        let elsewhere = is_note(attributes) && !is_inside && self.notes.was_referred_to(attributes);
        // The note itself stands where it was referred to, and its number is no text.
        let kind = if note_reference || elsewhere { Kind::Hidden(Some(LeftOut::Alternate)) } else { kind };
        let is_shadow = name == "template" && attributes.get("shadowrootmode").is_some();
        if is_shadow {
            // It is shown in place of what else is in the element around.
            self.looks.all(Look::doubt);
        }
        let kind = if is_shadow { Kind::Block } else { kind };
        let outside = (self.looks, self.dropped);
        self.look_of(&name, attributes);
        let is_displayed = self.looks.certain.displayed || self.looks.in_some_state.displayed;
        let kind = if is_displayed && SHOWN_BY_STYLE.contains(&name.as_str()) {
            self.looks.all(Look::doubt);
            Kind::Block
        } else {
            kind
        };
        let is_box = matches!(kind, Kind::Block | Kind::Paragraph | Kind::Cell);
        let kind = if is_box && self.looks.certain.inline { Kind::Inline } else { kind };
        match kind {
            Kind::Hidden(Some(reason)) => self.dropped = self.dropped.or(Some(reason)),
            Kind::Hidden(None) => self.looks.all(|look| look.gone = true),
            _ => {}
        }
        if self.is_read() {
            self.boundary(kind, true);
        }
        if self_closing {
            if self.is_read() {
                self.boundary(kind, false);
            }
            let is_drawn = self.is_drawn(&name);
            (self.looks, self.dropped) = outside;
            self.point_if(is_drawn);
            return;
        }
        self.open(name, kind, attributes, outside);
    }

    /// How text looks in an element, by the style sheets, its own style, and the attributes of older pages.
    fn look_of(&mut self, name: &str, attributes: &Attributes) {
        let mut style = String::new();
        self.looks.all(|look| {
            (look.inline, look.overrides, look.piece, look.displayed) = (false, false, false, false);
            (look.positioned, look.covers, look.pictured) = (false, false, false);
        });
        for (attribute, value) in attributes.iter() {
            // Older pages leave out the sign before the figures of a colour.
            let colour = || {
                Colour::of_css(&value.trim().to_ascii_lowercase())
                    .map(|(colour, _)| colour)
                    .or_else(|| Colour::of_hex(value))
            };
            match attribute {
                "style" => style.push_str(value),
                "hidden" if value.eq_ignore_ascii_case("until-found") => self.looks.all(Look::doubt),
                "hidden" => self.looks.all(|look| look.gone = true),
                "popover" => self.looks.all(Look::doubt),
                "dir" if value.eq_ignore_ascii_case("rtl") => self.looks.all(|look| look.right_to_left = true),
                "dir" => self.looks.all(|look| look.right_to_left = false),
                "bgcolor" => {
                    let ground = colour().map_or(Ground::Picture, Ground::Colour);
                    self.looks.all(|look| look.ground = ground);
                }
                "background" => {
                    self.looks.all(|look| look.ground = if name == "body" { Ground::Unknown } else { Ground::Picture })
                }
                "face" => style.push_str(&format!(";font-family:{value};")),
                "color" | "text" if matches!(name, "font" | "basefont" | "body") => {
                    let ink = colour().map_or(Ink::Unknown, Ink::Colour);
                    self.looks.all(|look| look.format.ink = Some(ink));
                }
                "mathcolor" => style.push_str(&format!(";color:{value};")),
                "mathbackground" => style.push_str(&format!(";background:{value};")),
                "mathsize" => style.push_str(&format!(";font-size:{value};")),
                // The numbers of lines are no text that is missing.
                attribute
                    if self.sheet.shown_attributes.iter().any(|shown| shown == attribute)
                        && value.chars().any(char::is_alphabetic) =>
                {
                    self.text.left_out(LeftOut::Unread, value);
                }
                _ => {}
            }
        }
        let closed = attributes.get("open").is_none();
        match name {
            // A reader may open it, or not.
            "details" if closed => self.looks.all(Look::doubt),
            // What is drawn is put at places of its own, in order or not, and over or under other drawings; an object shows what is
            // in it only if it cannot be shown itself, and a list one of its rows.
            "svg" | "object" | "select" => self.looks.all(Look::doubt),
            "dialog" if closed => self.looks.all(|look| look.gone = true),
            _ => {}
        }
        if self.sheet.is_empty() && style.is_empty() {
            return;
        }
        let keys = keys(name, attributes);
        self.looks = self.sheet.looks(&keys, &style, self.looks, &self.keys);
    }

    /// Puts an element on those that are open.
    fn open(&mut self, name: String, kind: Kind, attributes: &Attributes, outside: (Looks, Option<LeftOut>)) {
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
        // What follows belongs to the text that it is part of, its marks included.
        self.set_or_put_back();
        let mark = mark_of(&name, attributes).filter(|_| self.is_read());
        if matches!(mark, Some(MarkKind::Heading(_) | MarkKind::Table)) {
            self.forget_layout_table();
        }
        mark.into_iter().for_each(|kind| self.text.open(kind));
        self.open_notes += usize::from(mark == Some(MarkKind::Note));
        self.after_pre = matches!(name.as_str(), "pre" | "listing");
        *self.counts.entry(name.clone()).or_default() += 1;
        if !self.sheet.is_empty() {
            self.keys.push(keys(&name, attributes));
        }
        let look = &self.looks.certain;
        let turned = (name == "bdo" || look.overrides) && self.is_read();
        if turned {
            let right_to_left = attributes.get("dir").map_or(look.right_to_left, |dir| dir.eq_ignore_ascii_case("rtl"));
            self.text.push_collapsed(if right_to_left { RIGHT_TO_LEFT } else { LEFT_TO_RIGHT });
        }
        let may = |is: fn(&Look) -> bool| is(&self.looks.certain) || is(&self.looks.maybe);
        let (piece, positioned) = (may(|look| look.piece), may(|look| look.positioned));
        if may(|look| look.covers) && self.is_read() {
            let around = self.open.iter().rposition(|open| open.positioned).or(self.open.len().checked_sub(1));
            let around = around.map(|at| &mut self.open[at]);
            let is_page = |open: &Open| matches!(open.name.as_str(), "html" | "body" | "main" | "article");
            around.filter(|open| !is_page(open)).into_iter().for_each(|open| open.covered = true);
        }
        let from = self.text.characters();
        self.begin_of_reading(&name);
        self.open.push(Open { name, kind, mark, main, turned, from, piece, positioned, covered: false, outside });
    }

    /// A table with headings or tables in it is there for the layout of the page.
    fn forget_layout_table(&mut self) {
        if self.counts.get("table").is_none_or(|count| *count == 0) {
            return;
        }
        let table = self.open.iter_mut().rev().take(INLINE_SEARCH).find(|open| open.mark == Some(MarkKind::Table));
        if let Some(table) = table {
            table.mark = None;
            self.text.forget(MarkKind::Table);
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
        for Open { name, kind, mark, main, turned, from, piece, covered, outside, .. } in
            self.open.split_off(length).into_iter().rev()
        {
            if turned {
                self.text.push_collapsed(POP);
            }
            mark.into_iter().for_each(|kind| self.text.close(kind));
            if covered {
                self.text.mark_unjudged(from);
            } else if piece {
                self.text.mark_piece(from);
            }
            let is_drawn = self.is_drawn(&name) && from == self.text.characters();
            if let Some(count) = self.counts.get_mut(&name) {
                *count -= 1;
            }
            self.end_of_reading(&name);
            if self.is_read() {
                self.boundary(kind, false);
            }
            (self.looks, self.dropped) = outside;
            self.point_if(is_drawn);
            self.open_main -= usize::from(main);
            self.open_notes -= usize::from(mark == Some(MarkKind::Note));
        }
        self.keys.truncate(length);
        self.furniture_at = self.furniture_at.filter(|at| *at < length);
    }

    /// Whether the innermost element, of this name, shows something where it has no text.
    fn is_drawn(&self, name: &str) -> bool {
        self.looks.certain.pictured || matches!(name, "svg" | "canvas" | "video" | "object" | "iframe")
    }

    /// Notes a picture for an element that is drawn, once it is closed: what is hidden in it, it may show.
    fn point_if(&mut self, is_drawn: bool) {
        if is_drawn && self.is_read() {
            self.text.point(MarkKind::Picture);
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

/// Whether an element has this meaning in EPUB or by its role.
fn is_of_type(attributes: &Attributes, wanted: &str) -> bool {
    attributes.iter().any(|(name, value)| {
        matches!(name, "epub:type" | "role")
            && value.split_ascii_whitespace().any(|word| word.trim_start_matches("doc-") == wanted)
    })
}

/// Whether an element is a footnote or an endnote.
fn is_note(attributes: &Attributes) -> bool {
    is_of_type(attributes, "footnote") || is_of_type(attributes, "endnote") || notes::is_inside(attributes)
}

/// What the element's name or type says of its text.
fn mark_of(name: &str, attributes: &Attributes) -> Option<MarkKind> {
    Some(match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => MarkKind::Heading(level - b'0'),
        b"blockquote" => MarkKind::Quotation,
        b"table" => MarkKind::Table,
        b"caption" | b"figcaption" => MarkKind::Caption,
        b"pre" | b"listing" | b"xmp" => MarkKind::Code,
        b"math" => MarkKind::Formula,
        _ if is_note(attributes) => MarkKind::Note,
        _ if is_of_type(attributes, "bibliography") => MarkKind::Bibliography,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
