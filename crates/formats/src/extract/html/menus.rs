//! What of a crawled page are menus, though no element says so: lists, boxes and cells that hold labels of links and no prose.
//!
//! A submission is never read so: who hands in a page could hide text in a menu. A page of a corpus that loses a label loses nothing.

use super::furniture::is_furniture;
use super::lexer::{Attributes, HtmlToken, Lexer};
use super::{Kind, declared_encoding, ends_before, kind_of};
use crate::encoding::decode_declared;
use copytrace_text::script::is_han;
use std::ops::Range;

/// The most letters of a link that is a label: the titles of other pages have as many.
const LABEL: usize = 100;

/// Letters of a line outside of links from which on it is prose: ten English words.
const PROSE: usize = 60;

/// How many letters say as much as a Han character.
const HAN: usize = 3;

/// The fewest letters of labels in a menu for each letter of all other text; sentences with links in them have fewer than half.
const LABELS: usize = 3;

/// Other text in menus: titles, dates, counts. More of it is a text in short lines, as poems and talks are.
const BESIDE: usize = 300;

/// Links in a menu; one alone may be that of a title.
const LINKS: usize = 2;

/// Elements in which all of the page stands, or headings of its text.
const KEPT: [&str; 8] = ["html", "body", "main", "article", "h1", "h2", "h3", "head"];

/// Words in names of classes and ids that are given to what stands around the text.
const NAMES: [&str; 9] =
    ["nav", "navbar", "navigation", "menu", "sidebar", "footer", "breadcrumb", "breadcrumbs", "pagination"];

/// An element that is open, and what it held so far.
#[derive(Default)]
struct Box {
    name: String,
    start: usize,
    /// Whether its name says that it stands around the text.
    named: bool,
    links: usize,
    /// Letters in labels, and in all else.
    labels: usize,
    beside: usize,
    /// Letters of the line that is not at its end.
    line: usize,
    prose: bool,
}

impl Box {
    /// The line ends: a long one is prose.
    fn end_line(&mut self) {
        self.prose |= std::mem::take(&mut self.line) > PROSE;
    }

    fn is_menu(&self) -> bool {
        let of_links = self.links >= LINKS && self.labels >= LABELS * self.beside;
        !self.prose
            && self.beside < BESIDE
            && (of_links || self.named && self.links > 0)
            && !KEPT.contains(&self.name.as_str())
    }
}

/// A crawled page in UTF-8 without its menus, to be read as HTML. One in which no paragraph would be left is as it was, and so is one
/// that cannot be decoded: `None`.
pub fn without_menus(bytes: &[u8]) -> Option<String> {
    let text = decode_declared(bytes, declared_encoding(bytes).as_deref()).ok()?.text;
    let page = text.trim_start_matches('\u{FEFF}');
    let cuts = menus(page)?;
    let ends = cuts.iter().map(|cut| cut.start).chain([page.len()]);
    let begins = [0].into_iter().chain(cuts.iter().map(|cut| cut.end));
    // A mark of the encoding counts before what the page says of it.
    Some(["\u{FEFF}"].into_iter().chain(begins.zip(ends).map(|(begin, end)| &page[begin..end])).collect())
}

/// Where the menus of a page are, in order; `None` if there is nothing else.
fn menus(page: &str) -> Option<Vec<Range<usize>>> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let mut open = vec![Box::default()];
    // The letters of the link that is open.
    let mut link: Option<usize> = None;
    let mut lexer = Lexer::new(page);
    while let Some(token) = lexer.next() {
        let span = lexer.span.clone();
        match token {
            HtmlToken::Text(text) => {
                let letters = letters(&text);
                match &mut link {
                    Some(link) => *link += letters,
                    None => plain(&mut open, letters),
                }
            }
            HtmlToken::Start { name, attributes, .. } => {
                let (kind, is_link) = (kind_of(&name), is_link(&name));
                let is_box = matches!(kind, Kind::Block | Kind::Paragraph | Kind::Cell);
                if is_link || is_box {
                    end_link(&mut open, &mut link);
                }
                if is_box {
                    let ending = ends_before(&name, kind);
                    while open.len() > 1 && open.last().is_some_and(|last| ending.contains(&last.name.as_str())) {
                        close(&mut open, span.start, &mut cuts);
                    }
                    open.last_mut().into_iter().for_each(Box::end_line);
                    let named = is_named(&name, &attributes, &open);
                    open.push(Box { name, start: span.start, named, ..Box::default() });
                }
                link = is_link.then_some(0).or(link);
            }
            HtmlToken::End { name } => {
                let at = open.iter().rposition(|open| open.name == name).filter(|at| *at > 0);
                if at.is_some() || is_link(&name) {
                    end_link(&mut open, &mut link);
                }
                while at.is_some_and(|at| open.len() > at) {
                    close(&mut open, span.end, &mut cuts);
                }
            }
            HtmlToken::RawText { .. } | HtmlToken::Comment(_) => {}
        }
    }
    end_link(&mut open, &mut link);
    while open.len() > 1 {
        close(&mut open, page.len(), &mut cuts);
    }
    open[0].end_line();
    (open[0].prose && !cuts.is_empty()).then_some(cuts)
}

/// Whether the text of an element is that of something to choose.
fn is_link(name: &str) -> bool {
    matches!(name, "a" | "button" | "option")
}

/// Whether an element says by its name, its role, its class or its id that it stands around the text.
fn is_named(name: &str, attributes: &Attributes, open: &[Box]) -> bool {
    let in_section = || open.iter().any(|open| matches!(open.name.as_str(), "article" | "main" | "section"));
    let has_name = |value: &str| {
        value.to_ascii_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| NAMES.contains(&word))
    };
    is_furniture(name, attributes, in_section())
        || attributes.iter().any(|(key, value)| matches!(key, "id" | "class") && has_name(value))
}

/// Letters that are part of no link.
fn plain(open: &mut [Box], letters: usize) {
    open.last_mut().into_iter().for_each(|open| {
        open.beside += letters;
        open.line += letters;
    });
}

/// A link ends: a short one is a label, a long one is text.
fn end_link(open: &mut [Box], link: &mut Option<usize>) {
    let Some(letters) = link.take() else { return };
    match open.last_mut() {
        Some(open) if letters <= LABEL => (open.links, open.labels) = (open.links + 1, open.labels + letters),
        _ => plain(open, letters),
    }
}

/// The innermost element ends here: it is cut out if it is a menu, and what it held belongs to the one around it.
fn close(open: &mut Vec<Box>, end: usize, cuts: &mut Vec<Range<usize>>) {
    let Some(mut closed) = open.pop() else { return };
    closed.end_line();
    if closed.is_menu() {
        cuts.truncate(cuts.partition_point(|cut| cut.start < closed.start));
        cuts.push(closed.start..end);
    }
    if let Some(around) = open.last_mut() {
        around.links += closed.links;
        around.labels += closed.labels;
        around.beside += closed.beside;
        around.prose |= closed.prose;
    }
}

/// About how many letters a text says as much as.
fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).map(|c| if is_han(c) { HAN } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE: &str = "The flood carries silt over the banks of the creek, and the ebb leaves most of it between the stems \
                         of the plants that grow there in spring.";
    const MENU: &str = "<a href=/>Home</a> | <a href=/news>News of the port</a> | <a href=/c>Contact</a>";

    fn cut(page: &str) -> String {
        without_menus(page.as_bytes())
            .map_or("as it was".to_owned(), |page| page.trim_start_matches('\u{FEFF}').to_owned())
    }

    #[test]
    fn a_menu_is_cut_out_whatever_element_it_is_made_of() {
        let labels = "<li><a>Home</a><li><a>News</a><li><a>Contact</a>";
        for menu in [
            format!("<div>{MENU}</div>"),
            format!("<p>{MENU}<p>"),
            format!("<ul>{labels}</ul>"),
            format!("<div><h4>Pages</h4><div><ul>{labels}</ul></div></div>"),
            "<div class=site-footer>© 2024 The Port <a>Imprint</a></div>".to_owned(),
            "<form><select><option>Home<option>News</select><button>Go</button></form>".to_owned(),
            "<div id=Breadcrumbs><a>Home</a> &gt; Silt</div>".to_owned(),
            "<div><a>首页</a>|<a>新闻中心</a>|<a>联系我们</a></div>".to_owned(),
        ] {
            let page = format!("<body>{menu}<p>{PROSE}</p>");
            let left = cut(&page);
            assert!(
                left.contains(PROSE) && !left.contains("<a>") && !left.contains("<a ") && !left.contains("News"),
                "{page}: {left}"
            );
        }
        let table = format!("<table><tr><td>{MENU}<td>{PROSE}</table>");
        assert_eq!(cut(&table), format!("<table><tr><td>{PROSE}</table>"));
    }

    #[test]
    fn prose_stays_however_many_links_are_in_and_around_it() {
        let linked = PROSE.replace("silt", "<a>silt</a>").replace("banks", "<a>banks</a>").replace("ebb", "<a>ebb</a>");
        let verse = "<div>The ebb leaves silt</div><div>and I go home</div>".repeat(12);
        for kept in [
            linked.clone(),
            format!("<a href=/1>{PROSE}</a>"),
            format!("<ul><li>{MENU}<li>{PROSE}</ul>").replace(MENU, "<a>One</a>"),
            format!("<p>See <a>Silt</a> and <a>Tides</a>.</p><p>{PROSE}</p>"),
            verse,
        ] {
            let page = format!("<body><div class=sidebar>{kept}</div><div>{MENU}</div><p>{PROSE}</p>");
            assert_eq!(cut(&page), page.replace(&format!("<div>{MENU}</div>"), ""));
        }
    }

    #[test]
    fn a_page_of_nothing_but_links_is_read_as_it_is() {
        assert_eq!(cut(&format!("<body><h1>Links</h1><div>{MENU}</div>{MENU}")), "as it was");
        assert_eq!(cut(&format!("<p>{PROSE}</p>")), "as it was");
    }
}
