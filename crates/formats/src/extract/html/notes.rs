//! Notes that a page has in one place and refers to in another, as books do: `epub:type="noteref"` and `"footnote"`.

use ahash::{AHashMap, AHashSet};

use super::is_note;
use super::lexer::{Attributes, HtmlToken, Lexer};

/// LaTeXML puts a note into the sentence that refers to it, with its number three times; a style sheet moves it.
const LATEXML_NOTE: &str = "ltx_role_footnote";
const LATEXML_NUMBER: &str = "ltx_tag_note";

/// The three numbers of a note have no more letters and digits together.
const LONGEST_NUMBERS: usize = 12;

/// Whether a note stands in the sentence that refers to it.
pub(super) fn is_inside(attributes: &Attributes) -> bool {
    attributes.get("class").is_some_and(|classes| classes.split_ascii_whitespace().any(|class| class == LATEXML_NOTE))
}

/// What stands in such a note behind its numbers.
fn without_numbers(content: &str) -> &str {
    let last = content.find(LATEXML_NUMBER).unwrap_or(0);
    let end = content[last..].find("</span>").map_or(0, |end| last + end + "</span>".len());
    let mut in_tag = false;
    let is_shown = |c: &char| {
        in_tag = *c == '<' || in_tag && *c != '>';
        !in_tag && c.is_alphanumeric()
    };
    let shown = content[..end].chars().filter(is_shown).count();
    if last > 0 && shown <= LONGEST_NUMBERS { &content[end..] } else { content }
}

/// The notes of a page by their ids.
#[derive(Default)]
pub(super) struct HtmlNotes<'a> {
    /// What stands in the elements of those that were not referred to yet.
    waiting: AHashMap<String, &'a str>,
    referred_to: AHashSet<String>,
}

impl<'a> HtmlNotes<'a> {
    /// Finds the notes of a page.
    pub(super) fn of(html: &'a str) -> Self {
        let mut notes = HtmlNotes::default();
        if !html.contains("noteref") && !html.contains(LATEXML_NOTE) {
            return notes;
        }
        let mut lexer = Lexer::new(html);
        // The note that is open: its id, its element, where its content starts, and how many such elements are open.
        let mut open: Option<(String, String, usize, usize)> = None;
        while let Some(token) = lexer.next() {
            match (token, &mut open) {
                (HtmlToken::Start { name, attributes, self_closing: false }, None) if is_note(&attributes) => {
                    let id = attributes.get("id").unwrap_or_default().to_owned();
                    open = Some((id, name, lexer.span.end, 1));
                }
                (HtmlToken::Start { name, self_closing: false, .. }, Some((_, element, _, depth)))
                    if name == *element =>
                {
                    *depth += 1;
                }
                (HtmlToken::End { name }, Some((id, element, start, depth))) if name == *element => {
                    *depth -= 1;
                    if *depth == 0 {
                        let content = without_numbers(&html[*start..lexer.span.start]);
                        notes.waiting.entry(std::mem::take(id)).or_insert(content);
                        open = None;
                    }
                }
                _ => {}
            }
        }
        notes
    }

    /// The content of the note that an element refers to, the first time only.
    pub(super) fn refer(&mut self, attributes: &Attributes) -> Option<&'a str> {
        let id = if is_inside(attributes) { attributes.get("id") } else { attributes.get("href")?.strip_prefix('#') }?;
        let content = self.waiting.remove(id)?;
        self.referred_to.insert(id.to_owned());
        Some(content)
    }

    /// Whether a note stands where it was referred to already. One that was not stands in its own place.
    pub(super) fn was_referred_to(&mut self, attributes: &Attributes) -> bool {
        let Some(id) = attributes.get("id") else { return false };
        self.waiting.remove(id);
        // Of two with one id only the first was shown.
        self.referred_to.remove(id)
    }
}
