//! Cuts HTML into text and tags, in one pass and in time linear in its length whatever it holds.
//!
//! The tokenisation stage of the HTML Standard (section 13.2.5), as far as it decides what is text. A tree is not
//! built: it is not needed for the text, and the algorithms that build it take quadratic time on hostile input.

use std::borrow::Cow;

use web_atoms::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// A piece of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HtmlToken<'a> {
    /// Text between tags, character references not yet resolved.
    Text(&'a str),
    /// The whole content of an element in which no tag is one, such as `script` or `title`.
    RawText {
        /// The element's name in lower case.
        element: Cow<'a, str>,
        /// Its content; character references count in `title` and `textarea` only.
        text: &'a str,
    },
    /// What stands in a comment.
    Comment(&'a str),
    /// A start tag.
    Start {
        /// Its name in lower case.
        name: Cow<'a, str>,
        /// What stands between the name and the closing bracket.
        attributes: Attributes<'a>,
        /// Whether it ends in `/>`.
        self_closing: bool,
    },
    /// An end tag.
    End {
        /// Its name in lower case.
        name: Cow<'a, str>,
    },
}

/// Elements whose content is raw: no tags in it but its own end tag.
fn is_raw_text(name: &str) -> bool {
    matches!(name, "script" | "style" | "title" | "textarea" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript")
}

/// Cuts a page into tokens, in order. Declarations are left out.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    /// In XHTML `<script/>` is a whole element; in HTML the slash means nothing.
    xml: bool,
    raw: Option<Cow<'a, str>>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(page: &'a str) -> Self {
        let start = page.trim_start_matches('\u{FEFF}').trim_ascii_start();
        Lexer { rest: page, xml: start.starts_with("<?xml"), raw: None }
    }

    /// What was not cut yet.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    /// The content of a raw element, up to its end tag.
    fn raw_text(&mut self, element: Cow<'a, str>) -> HtmlToken<'a> {
        let end = find_end_tag(self.rest, &element).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        HtmlToken::RawText { element, text }
    }

    /// A tag, whose name starts after `skip` bytes. A tag that never ends swallows the rest of the page.
    fn tag(&mut self, skip: usize) -> Option<HtmlToken<'a>> {
        let is_end = skip == 2;
        let inside = &self.rest[skip..];
        let name_length = inside.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
        let (name, inside) = inside.split_at(name_length);
        let mut attributes = Attributes { rest: inside };
        while attributes.next().is_some() {}
        let length = inside.len() - attributes.rest.len();
        self.rest = attributes.rest.strip_prefix('>')?;
        let attributes = &inside[..length];
        let self_closing = attributes.ends_with('/');
        let name = lower_case(name);
        if is_end {
            return Some(HtmlToken::End { name });
        }
        let self_closing = self_closing && self.xml;
        if is_raw_text(&name) && !self_closing {
            self.raw = Some(name.clone());
        }
        Some(HtmlToken::Start { name, attributes: Attributes { rest: attributes }, self_closing })
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = HtmlToken<'a>;

    fn next(&mut self) -> Option<HtmlToken<'a>> {
        if let Some(element) = self.raw.take() {
            return Some(self.raw_text(element));
        }
        while !self.rest.is_empty() {
            match markup_at_start(self.rest) {
                Markup::Start => return self.tag_or_end(1),
                Markup::End => return self.tag_or_end(2),
                Markup::Comment => {
                    let (comment, rest) = self.rest.split_at(comment_length(self.rest));
                    self.rest = rest;
                    if let Some(comment) = comment.strip_prefix("<!--") {
                        let comment = comment.strip_suffix('>').unwrap_or(comment).trim_end_matches(['-', '!']);
                        return Some(HtmlToken::Comment(comment));
                    }
                }
                Markup::None => {
                    let length = text_length(self.rest);
                    let (text, rest) = self.rest.split_at(length);
                    self.rest = rest;
                    return Some(HtmlToken::Text(text));
                }
            }
        }
        None
    }
}

impl<'a> Lexer<'a> {
    fn tag_or_end(&mut self, skip: usize) -> Option<HtmlToken<'a>> {
        let token = self.tag(skip);
        if token.is_none() {
            self.rest = "";
        }
        token
    }
}

/// What a page's rest starts with.
#[derive(PartialEq, Eq)]
enum Markup {
    Start,
    End,
    Comment,
    None,
}

fn markup_at_start(rest: &str) -> Markup {
    let mut bytes = rest.bytes();
    if bytes.next() != Some(b'<') {
        return Markup::None;
    }
    match (bytes.next(), bytes.next()) {
        (Some(byte), _) if byte.is_ascii_alphabetic() => Markup::Start,
        (Some(b'/'), Some(byte)) if byte.is_ascii_alphabetic() => Markup::End,
        (Some(b'/'), Some(_)) | (Some(b'!' | b'?'), _) => Markup::Comment,
        _ => Markup::None,
    }
}

/// Length of the text before the next markup.
fn text_length(rest: &str) -> usize {
    rest.match_indices('<')
        .map(|(at, _)| at)
        .find(|at| markup_at_start(&rest[*at..]) != Markup::None)
        .unwrap_or(rest.len())
}

/// Length of the comment, declaration or processing instruction that `rest` starts with.
fn comment_length(rest: &str) -> usize {
    let end = if rest.starts_with("<!--") {
        // The dashes that open a comment may also close it: `<!-->` is a whole one.
        let comment = &rest[2..];
        comment
            .match_indices('>')
            .map(|(at, _)| at + 2)
            .find(|at| rest[2..*at].ends_with("--") || rest[2..*at].ends_with("--!"))
    } else {
        rest.find('>')
    };
    end.map_or(rest.len(), |at| at + 1)
}

/// Where the end tag of a raw element starts.
fn find_end_tag(text: &str, element: &str) -> Option<usize> {
    text.match_indices("</").map(|(at, _)| at).find(|at| {
        let after = &text.as_bytes()[at + 2..];
        after.get(..element.len()).is_some_and(|name| name.eq_ignore_ascii_case(element.as_bytes()))
            && after.get(element.len()).is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
    })
}

fn lower_case(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// The attributes of a tag, as (name, value with its character references not yet resolved).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Attributes<'a> {
    /// The value of an attribute, its character references resolved.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let (_, value) = self.clone().find(|(found, _)| found.eq_ignore_ascii_case(name))?;
        let mut resolved = String::new();
        resolve_references(value, true, &mut resolved);
        Some(resolved)
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    /// Stops before the bracket that ends the tag, or at the end of the input if there is none.
    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let space = |c: char| c.is_ascii_whitespace();
        self.rest = self.rest.trim_start_matches(|c| space(c) || c == '/');
        if self.rest.is_empty() || self.rest.starts_with('>') {
            return None;
        }
        // An equals sign at the start belongs to the name.
        let first = usize::from(self.rest.starts_with('='));
        let name_end = self.rest[first..].find(|c| space(c) || matches!(c, '/' | '>' | '='));
        let (name, rest) = self.rest.split_at(name_end.map_or(self.rest.len(), |at| at + first));
        self.rest = rest;
        let Some(value) = rest.trim_start_matches(space).strip_prefix('=') else {
            return Some((name, ""));
        };
        let value = value.trim_start_matches(space);
        for quote in ['"', '\''] {
            if let Some(quoted) = value.strip_prefix(quote) {
                let (value, rest) = quoted.split_once(quote).unwrap_or((quoted, ""));
                self.rest = rest;
                return Some((name, value));
            }
        }
        let (value, rest) = value.split_at(value.find(|c| space(c) || c == '>').unwrap_or(value.len()));
        self.rest = rest;
        Some((name, value))
    }
}

/// Appends `text` to `out` with its character references (`&amp;`, `&#20013;`, `&#x4E2D;`) resolved.
pub(super) fn resolve_references(text: &str, in_attribute: bool, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match rest[1..].strip_prefix('#') {
            Some(number) => numeric_reference(number, out).map(|length| length + 2),
            None => named_reference(&rest[1..], in_attribute, out).map(|length| length + 1),
        };
        let length = length.unwrap_or_else(|| {
            out.push('&');
            1
        });
        rest = &rest[length..];
    }
    out.push_str(rest);
}

/// Resolves what follows `&#`; gives the number of bytes used, `None` if it is no reference.
fn numeric_reference(text: &str, out: &mut String) -> Option<usize> {
    let (prefix, radix) = if text.starts_with(['x', 'X']) { (1, 16) } else { (0, 10) };
    let digits = text[prefix..].bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    if digits == 0 {
        return None;
    }
    let end = prefix + digits;
    // More digits than fit are a number out of range, as the replacement character says.
    let number = u32::from_str_radix(&text[prefix..end], radix).unwrap_or(u32::MAX);
    let replaced = number.checked_sub(0x80).and_then(|c1| C1_REPLACEMENTS.get(c1 as usize).copied().flatten());
    out.push(replaced.or(char::from_u32(number).filter(|c| *c != '\0')).unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(end + usize::from(text[end..].starts_with(';')))
}

/// Resolves what follows `&` by the longest name known; gives the number of bytes used.
fn named_reference(text: &str, in_attribute: bool, out: &mut String) -> Option<usize> {
    let mut found = None;
    for (at, byte) in text.bytes().enumerate() {
        if !(byte.is_ascii_alphanumeric() || byte == b';') {
            break;
        }
        // The table holds every prefix of a name too, as (0, 0).
        let Some(&characters) = NAMED_ENTITIES.get(&text[..=at]) else {
            break;
        };
        if characters.0 != 0 {
            found = Some((at + 1, characters));
        }
    }
    let (length, (first, second)) = found?;
    // In `href="?a=1&copy=2"` no reference is meant.
    let next = text.as_bytes().get(length);
    if in_attribute
        && !text[..length].ends_with(';')
        && next.is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric())
    {
        return None;
    }
    out.extend([first, second].into_iter().filter(|number| *number != 0).filter_map(char::from_u32));
    Some(length)
}
