//! Notes that a page has in one place and refers to in another, as books do: `epub:type="noteref"` and `"footnote"`.

use ahash::{AHashMap, AHashSet};

use super::is_note;
use super::lexer::{Attributes, HtmlToken, Lexer};

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
        if !html.contains("noteref") {
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
                        notes.waiting.insert(std::mem::take(id), &html[*start..lexer.span.start]);
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
        let reference = attributes.get("href")?;
        let id = reference.strip_prefix('#')?;
        let content = self.waiting.remove(id)?;
        self.referred_to.insert(id.to_owned());
        Some(content)
    }

    /// Whether a note stands where it was referred to already. One that was not stands in its own place.
    pub(super) fn was_referred_to(&mut self, attributes: &Attributes) -> bool {
        let Some(id) = attributes.get("id") else { return false };
        self.waiting.remove(id);
        self.referred_to.contains(id)
    }
}
