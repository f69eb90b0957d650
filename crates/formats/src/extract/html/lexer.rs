//! Text and tags of HTML, by the tokenisation stage of the HTML Standard (section 13.2.5).
//!
//! A tree is not built: it is not needed for the text, and the algorithms that build it take quadratic time on hostile input.

use std::ops::Range;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, StringReader, Tokenizer};

/// A piece of a page, its character references resolved.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HtmlToken {
    /// Text between tags.
    Text(String),
    /// The whole content of an element in which no tag is one, such as `script` or `title`.
    RawText {
        /// The element's name in lower case.
        element: String,
        /// Its content.
        text: String,
    },
    /// What stands in a comment.
    Comment(String),
    /// A start tag.
    Start {
        /// Its name in lower case.
        name: String,
        /// Its attributes.
        attributes: Attributes,
        /// Whether it ends in `/>`, in XHTML: in HTML the slash means nothing.
        self_closing: bool,
    },
    /// An end tag.
    End {
        /// Its name in lower case.
        name: String,
    },
}

/// The attributes of a tag in order, their names in lower case; of several with one name the first counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attributes(Vec<(String, String)>);

impl Attributes {
    /// The value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Names and values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Adds one without a value.
    fn add(&mut self, name: String) {
        self.0.push((name, String::new()));
    }
}

/// How the content of an element is cut in which no tag is one.
fn content(element: &str) -> Option<State> {
    match element {
        "script" => Some(State::ScriptData),
        "title" | "textarea" => Some(State::RcData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => Some(State::RawText),
        _ => None,
    }
}

/// Puts together what the tokenizer tells of a tag.
#[derive(Default)]
struct Tags {
    name: String,
    attributes: Attributes,
    start: usize,
}

impl Callback<(HtmlToken, Range<usize>), usize> for Tags {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<(HtmlToken, Range<usize>)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let token = match event {
            CallbackEvent::OpenStartTag { name } => {
                *self = Tags { name: text(name), attributes: Attributes::default(), start: span.start };
                return None;
            }
            CallbackEvent::AttributeName { name } => {
                self.attributes.add(text(name));
                return None;
            }
            CallbackEvent::AttributeValue { value } => {
                let attribute = self.attributes.0.last_mut()?;
                attribute.1 = text(value);
                return None;
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                let Tags { name, attributes, start } = std::mem::take(self);
                return Some((HtmlToken::Start { name, attributes, self_closing }, start..span.end));
            }
            CallbackEvent::EndTag { name } => HtmlToken::End { name: text(name) },
            CallbackEvent::String { value } => HtmlToken::Text(text(value)),
            CallbackEvent::Comment { value } => HtmlToken::Comment(text(value)),
            CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => return None,
        };
        Some((token, span.start..span.end))
    }
}

type PageTokenizer<'a> = Tokenizer<StringReader<'a>, CallbackEmitter<Tags, (HtmlToken, Range<usize>), usize>>;

/// Cuts a page into tokens, in order. Declarations are left out.
pub(super) struct Lexer<'a> {
    page: &'a str,
    tokenizer: PageTokenizer<'a>,
    /// In XHTML `<script/>` is a whole element.
    xml: bool,
    /// The element whose raw content comes next.
    raw: Option<String>,
    /// Where the last token stands, in bytes.
    pub(super) span: Range<usize>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(page: &'a str) -> Self {
        let start = page.trim_start_matches('\u{FEFF}').trim_ascii_start();
        let tokenizer = Tokenizer::new_with_emitter(page, CallbackEmitter::new(Tags::default()));
        Lexer { page, tokenizer, xml: start.starts_with("<?xml"), raw: None, span: 0..0 }
    }
}

impl Iterator for Lexer<'_> {
    type Item = HtmlToken;

    fn next(&mut self) -> Option<HtmlToken> {
        loop {
            let (token, span) = match self.tokenizer.next()? {
                Ok(token) => token,
                Err(never) => match never {},
            };
            self.span = span;
            return Some(match (token, self.raw.take()) {
                (HtmlToken::Text(text), Some(element)) => HtmlToken::RawText { element, text },
                // Declarations of XML.
                (HtmlToken::Comment(_), _) if self.page[self.span.start..].starts_with("<?") => continue,
                (HtmlToken::Start { name, attributes, self_closing }, _) => {
                    let self_closing = self_closing && self.xml;
                    if let Some(state) = content(&name).filter(|_| !self_closing) {
                        self.tokenizer.set_state(state);
                        self.raw = Some(name.clone());
                    }
                    HtmlToken::Start { name, attributes, self_closing }
                }
                (token, _) => token,
            });
        }
    }
}
