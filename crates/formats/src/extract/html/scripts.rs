//! What a page holds that is no page: strings of scripts, and pages in addresses.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::extract::html;

/// A string of so many signs of base64 may be a text.
const ENCODED: usize = 240;

/// Pages in addresses are read up to this size, whatever else they hold.
const PAGE_BYTES: usize = 1 << 20;

/// The strings of a script, without the comments between them; of encoded ones what they stand for.
pub(super) fn strings(script: &str) -> Vec<Cow<'_, str>> {
    let mut strings = Vec::new();
    let mut rest = script;
    while let Some(at) = rest.find(['"', '\'', '`', '/']) {
        let sign = rest.as_bytes()[at];
        let after = &rest[at + 1..];
        rest = match (sign, after.as_bytes().first()) {
            (b'/', Some(b'*')) => after.split_once("*/").map_or("", |(_, after)| after),
            (b'/', Some(b'/')) => after.split_once('\n').map_or("", |(_, after)| after),
            (b'/', _) => after,
            (quote, _) => {
                let end = end_of_string(after, quote);
                strings.push(read(&after[..end]));
                after.get(end + 1..).unwrap_or_default()
            }
        };
    }
    strings
}

/// Where a string ends: at its quote, and at the end of the line unless it may go on there.
fn end_of_string(after: &str, quote: u8) -> usize {
    let bytes = after.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if quote != b'`' => return at,
            sign if sign == quote => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn read(string: &str) -> Cow<'_, str> {
    if let Some(text) = (string.len() >= ENCODED).then(|| base64(string)).flatten() {
        return Cow::Owned(text);
    }
    if !string.contains('\\') {
        return Cow::Borrowed(string);
    }
    let mut text = String::with_capacity(string.len());
    let mut rest = string;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let digits = |count: usize| after.get(1..1 + count).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let (character, length) = match after.as_bytes().first() {
            Some(b'u') => (digits(4), 5),
            Some(b'x') => (digits(2), 3),
            Some(b'n' | b'r' | b't') => (Some(u32::from(b' ')), 1),
            _ => (None, 0),
        };
        match character.and_then(char::from_u32) {
            Some(character) => {
                text.push(character);
                rest = &after[length..];
            }
            None => rest = after,
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The text of a page or a drawing that stands in an address itself.
pub(super) fn page_in(address: &str) -> Option<String> {
    let (kind, content) = data(address)?;
    if content.len() > PAGE_BYTES {
        return None;
    }
    if !["text/", "svg", "xml", "html"].iter().any(|known| kind.contains(known)) {
        return Some(String::new());
    }
    let page = text_of(kind, content)?;
    // What it holds may be more than what is shown of it, and it is only asked whether that is prose.
    Some(html::extract(page.as_bytes()).map_or(page, |page| page.text))
}

/// The style sheet that stands in an address itself.
pub(super) fn sheet_in(address: &str) -> Option<String> {
    let (kind, content) = data(address)?;
    let of_kind = kind.trim().trim_end_matches(";base64").to_ascii_lowercase();
    matches!(&*of_kind, "text/css" | "text/css;charset=utf-8").then(|| text_of(kind, content))?
}

/// What an address is of that holds its content itself, and that content.
fn data(address: &str) -> Option<(&str, &str)> {
    address.trim_start().strip_prefix("data:")?.split_once(',')
}

fn text_of(kind: &str, content: &str) -> Option<String> {
    match kind.trim_end().strip_suffix(";base64") {
        Some(_) => base64(content),
        None => Some(percent_decode_str(content).decode_utf8_lossy().into_owned()),
    }
}

/// The file that stands in an address itself, in signs of base64.
pub(super) fn file_in(address: &str) -> Option<Vec<u8>> {
    let (kind, content) = data(address)?;
    kind.trim_end().strip_suffix(";base64").and_then(|_| bytes_of(content))
}

/// What signs of base64 stand for, if it is a text.
fn base64(signs: &str) -> Option<String> {
    String::from_utf8(bytes_of(signs)?).ok()
}

fn bytes_of(signs: &str) -> Option<Vec<u8>> {
    let settings = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, settings).decode(signs.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_scripts_are_told_from_comments_and_read_as_they_are_meant() {
        let script = r#"/* don't "say" */ a('one'); // it's "two"
            b("\u6f6e\x41 \"c\"") + `three
            lines` / 4"#;
        assert_eq!(strings(script), ["one", "\u{6f6e}A \"c\"", "three\n            lines"]);
        let encoded = base64::engine::general_purpose::STANDARD.encode("the tide leaves silt ".repeat(20));
        assert!(strings(&format!("x = '{encoded}'"))[0].starts_with("the tide leaves silt"));
        assert_eq!(page_in("data:text/html,%3Cp%3Ethe%20tide").as_deref(), Some("the tide"));
        assert_eq!(page_in("data:text/html;base64,PHA+dGhlIHRpZGU=").as_deref(), Some("the tide"));
        assert_eq!(page_in("data:image/png;base64,AAAA").as_deref(), Some(""));
        assert_eq!(page_in("the tide"), None);
        let sheet = Some("p { color: #fff }");
        assert_eq!(sheet_in("data:text/css,p%20%7B%20color%3A%20%23fff%20%7D").as_deref(), sheet);
        assert_eq!(sheet_in("data:text/css;charset=utf-8;base64,cCB7IGNvbG9yOiAjZmZmIH0=").as_deref(), sheet);
        assert_eq!(sheet_in("data:text/css;charset=utf-7,p%20%7B%7D"), None);
    }
}
