//! What stands around the main text of a page: navigation, headers and footers of the site, side notes, cookie banners.

use super::is_of_type;
use super::lexer::{Attributes, HtmlToken, Lexer};

/// The element that a page has for its main text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum MainElement {
    /// None.
    #[default]
    None,
    /// `main`, or an element of that role.
    Main,
    /// `article`, one or several.
    Article,
}

impl MainElement {
    /// The best one that a page has.
    pub(super) fn of(html: &str) -> Self {
        let mut found = MainElement::None;
        for token in Lexer::new(html) {
            let HtmlToken::Start { name, attributes, .. } = token else { continue };
            if MainElement::Main.is(&name, &attributes) {
                return MainElement::Main;
            }
            if MainElement::Article.is(&name, &attributes) {
                found = MainElement::Article;
            }
        }
        found
    }

    /// Whether an element is such a one.
    pub(super) fn is(self, name: &str, attributes: &Attributes) -> bool {
        match self {
            MainElement::None => false,
            MainElement::Main => name == "main" || is_of_type(attributes, "main"),
            MainElement::Article => name == "article",
        }
    }
}

/// Roles (WAI-ARIA 1.2) of what is around the text.
const ROLES: [&str; 8] =
    ["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu"];

/// What the names of cookie banners hold besides `cookie`.
const BANNERS: [&str; 8] = ["banner", "consent", "notice", "bar", "law", "popup", "modal", "overlay"];

/// Whether an element is around the text. Headers and footers of sections belong to the text.
pub(super) fn is_furniture(name: &str, attributes: &Attributes, in_section: bool) -> bool {
    match name {
        "nav" => return true,
        "header" | "footer" if !in_section => return true,
        // Books have notes in them.
        "aside" => return !attributes.iter().any(|(name, _)| name == "epub:type"),
        _ => {}
    }
    ROLES.iter().any(|role| is_of_type(attributes, role)) || is_cookie_banner(attributes)
}

fn is_cookie_banner(attributes: &Attributes) -> bool {
    attributes.iter().filter(|(name, _)| matches!(*name, "id" | "class")).any(|(_, value)| {
        let value = value.to_ascii_lowercase();
        value
            .split_ascii_whitespace()
            .any(|word| word.contains("cookie") && BANNERS.iter().any(|banner| word.contains(banner)))
    })
}
