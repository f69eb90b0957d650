//! The style sheets of a page.

use super::css::Sheet;
use super::lexer::{Attributes, HtmlToken, Lexer};
use super::scripts;

/// The sheets that stand in a page, one after the other; `styles` are those of files beside it.
pub(super) fn sheet(html: &str, styles: Option<&str>) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.has_pictures = styles.is_some();
    sheet.read(styles.unwrap_or_default());
    // For what the next sheet is; `None` if it is none of CSS.
    let mut media = Some(String::new());
    for token in Lexer::new(html) {
        match token {
            HtmlToken::Start { name, attributes, .. } if name == "style" => {
                media = is_css(&attributes).then(|| attributes.get("media").unwrap_or_default().to_owned());
            }
            HtmlToken::RawText { element, text } if element == "style" => {
                if let Some(media) = &media {
                    read_for(media, &text, &mut sheet);
                }
            }
            HtmlToken::Start { name, attributes, .. } if name == "link" => read_link(&attributes, &mut sheet),
            _ => {}
        }
    }
    sheet
}

fn is_css(attributes: &Attributes) -> bool {
    attributes.get("type").is_none_or(|kind| matches!(kind.trim(), "" | "text/css"))
}

fn read_for(media: &str, text: &str, sheet: &mut Sheet) {
    match media {
        "" => sheet.read(text),
        _ => sheet.read(&format!("@media {media} {{{text}}}")),
    }
}

/// A sheet may stand in an address, as R Markdown writes it.
fn read_link(attributes: &Attributes, sheet: &mut Sheet) {
    let get = |name: &str| attributes.get(name).unwrap_or_default();
    if !get("rel").starts_with("stylesheet") || !get("href").starts_with("data:") {
        return;
    }
    // One with a title may be a choice of the reader's, and one that is switched off may be switched on.
    let is_sure = ["title", "disabled"].iter().all(|name| attributes.get(name).is_none());
    match scripts::sheet_in(get("href")).filter(|_| is_sure && is_css(attributes)) {
        Some(text) => read_for(get("media"), &text, sheet),
        None => sheet.has_unread = true,
    }
}
