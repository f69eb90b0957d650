//! What a page holds that is no page: strings of scripts, and pages in addresses.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::extract::html;

/// The fewest signs of a string that may be a text in base64 or the like.
const ENCODED: usize = 240;

/// Pages in addresses are read up to this size, whatever else they hold.
const PAGE_BYTES: usize = 1 << 20;

/// The fewest signs that are a text where signs stand for others (`%41`, `65,`).
const LEAST_SIGNS: usize = 60;

/// The fewest numbers, or other signs, that are a text in a script that makes letters of them. Chosen by hand; not measured apart.
const LEAST_NUMBERS: usize = 400;

/// What makes letters of numbers and of other signs, in small letters.
const MAKERS: [&str; 6] = ["fromcharcode", "fromcodepoint", "textdecoder", "atob(", "unescape(", "decodeuri"];

/// The most bytes of a text for each blank in it. Chosen by hand; not measured apart.
const BLANK_ONE_IN: usize = 12;

/// What a script may write: its strings, lists of them joined, and what its numbers stand for.
pub(in crate::extract) fn texts(script: &str) -> Vec<Cow<'_, str>> {
    let strings = strings(script);
    let lists = strings.chunk_by(|_, next| next.continues).filter(|list| list.len() >= LEAST_SIGNS);
    let of_lists = lists.flat_map(|list| {
        ["", " "].map(|between| list.iter().map(|string| &*string.text).collect::<Vec<_>>().join(between))
    });
    let joined: Vec<String> = of_lists.chain(of_numbers(script)).collect();
    strings.into_iter().map(|string| string.text).chain(joined.into_iter().map(Cow::Owned)).collect()
}

/// A string of a script.
struct Literal<'a> {
    text: Cow<'a, str>,
    /// Whether nothing but signs that join it stands between the string before and this one.
    continues: bool,
}

/// The texts that lists of numbers stand for, each a character.
fn of_numbers(script: &str) -> impl Iterator<Item = String> {
    let texts = lists(script).map(|numbers| numbers.into_iter().filter_map(char::from_u32).collect::<String>());
    texts.filter(|text| text.chars().count() >= LEAST_SIGNS)
}

/// The lists of numbers of a script.
fn lists(script: &str) -> impl Iterator<Item = Vec<u32>> {
    let is_part = |c: char| c.is_ascii_hexdigit() || matches!(c, 'x' | ',') || c.is_ascii_whitespace();
    let lists = script.split(move |c| !is_part(c)).filter(|list| list.len() >= 2 * LEAST_SIGNS);
    lists.map(|list| {
        let read = |number: &str| match number.strip_prefix("0x") {
            Some(number) => u32::from_str_radix(number, 16).ok(),
            None => number.parse().ok(),
        };
        list.split(',').filter_map(|number| read(number.trim())).collect()
    })
}

/// How many numbers and other signs a script may make letters of by a rule that is not known. Those that stand for words as they are, or by a rule
/// that is known, are none of these.
pub(in crate::extract) fn signs_for_letters(script: &str) -> usize {
    let lower_case = script.to_ascii_lowercase();
    if !MAKERS.iter().any(|maker| lower_case.contains(maker)) {
        return 0;
    }
    let may_be_letters = |numbers: &Vec<u32>| {
        let blanks = numbers.iter().filter(|number| **number == u32::from(' ')).count();
        numbers.len() >= LEAST_NUMBERS
            && numbers.iter().all(|number| *number <= u32::from(u16::MAX))
            && BLANK_ONE_IN * blanks < numbers.len()
    };
    let numbers: usize = lists(script).filter(may_be_letters).map(|numbers| numbers.len()).sum();
    let is_unread = |text: &str| {
        let blanks = text.bytes().filter(u8::is_ascii_whitespace).count();
        text.len() >= LEAST_NUMBERS && text.is_ascii() && BLANK_ONE_IN * blanks < text.len() && data(text).is_none()
    };
    let strings = strings(script).into_iter().filter(|string| is_unread(&string.text));
    numbers + strings.map(|string| string.text.len()).sum::<usize>()
}

/// The strings of a script, without the comments between them; of encoded ones what they stand for.
fn strings(script: &str) -> Vec<Literal<'_>> {
    let mut strings = Vec::new();
    let mut rest = script;
    let mut continues = false;
    while let Some(at) = rest.find(['"', '\'', '`', '/']) {
        let sign = rest.as_bytes()[at];
        let after = &rest[at + 1..];
        continues &= rest[..at].chars().all(|sign| matches!(sign, ',' | '+') || sign.is_whitespace());
        rest = match (sign, after.as_bytes().first()) {
            (b'/', Some(b'*')) => after.split_once("*/").map_or("", |(_, after)| after),
            (b'/', Some(b'/')) => after.split_once('\n').map_or("", |(_, after)| after),
            (b'/', _) => {
                continues = false;
                after
            }
            (quote, _) => {
                let end = end_of_string(after, quote);
                strings.push(Literal { text: read(&after[..end]), continues: std::mem::replace(&mut continues, true) });
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
    if let Some(text) = (string.len() >= ENCODED).then(|| encoded(string)).flatten() {
        return Cow::Owned(text);
    }
    if let Some(sign) = between(string) {
        return Cow::Owned(string.replace(sign, ""));
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

/// What the signs of an attribute stand for: a page in an address, or a text, which a script may show. Other addresses name places.
pub(super) fn text_in(value: &str) -> Option<String> {
    let is_address =
        value.starts_with(['/', '#', '.']) || value.contains(['?', ':']) || value.contains('%') && value.contains('/');
    page_in(value).or_else(|| (value.len() >= LEAST_SIGNS && !is_address).then(|| encoded(value)).flatten())
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

/// What signs stand for: base64, two digits a byte, `%` and two digits.
fn encoded(signs: &str) -> Option<String> {
    if signs.matches("%u").nth(LEAST_SIGNS).is_some() {
        return Some(read(&signs.replace("%u", "\\u")).into_owned());
    }
    if signs.matches('%').nth(LEAST_SIGNS).is_some() {
        return percent_decode_str(signs).decode_utf8().ok().map(Cow::into_owned);
    }
    let bytes = signs.as_bytes().chunks_exact(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
    bytes.collect::<Option<Vec<u8>>>().and_then(|bytes| String::from_utf8(bytes).ok()).or_else(|| base64(signs))
}

/// The sign that stands between all characters of a string.
fn between(string: &str) -> Option<char> {
    let sign = string.chars().nth(1).filter(|sign| sign.is_ascii_punctuation() && string.len() >= LEAST_SIGNS)?;
    let is_between = string.chars().skip(1).step_by(2).all(|other| other == sign);
    is_between.then_some(sign)
}

fn bytes_of(signs: &str) -> Option<Vec<u8>> {
    let settings = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, settings).decode(signs.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_numbers_and_signs_are_a_text_where_a_script_makes_letters_of_them() {
        let list = |count: usize| (0..count).map(|at| (at % 90 + 33).to_string()).collect::<Vec<_>>().join(", ");
        let script = |count: usize| format!("[{}].map(c=>String.fromCharCode(c^85)).join('')", list(count));
        assert_eq!(signs_for_letters(&script(500)), 500);
        assert_eq!(signs_for_letters(&script(300)), 0, "few");
        assert_eq!(signs_for_letters(&format!("let widths = [{}];", list(500))), 0, "of no letters");
        let signs = |prefix: &str| format!("w([...atob('{prefix}{}')].reverse())", "pYXZl".repeat(100));
        assert_eq!(signs_for_letters(&signs("")), 500);
        assert_eq!(signs_for_letters(&signs("data:image/png;base64,")), 0, "a picture");
        assert_eq!(signs_for_letters(&signs("").replace("atob", "load")), 0, "of no letters");
    }

    #[test]
    fn strings_of_scripts_are_told_from_comments_and_read_as_they_are_meant() {
        let script = r#"/* don't "say" */ a('one'); // it's "two"
            b("\u6f6e\x41 \"c\"") + `three
            lines` / 4"#;
        assert_eq!(texts(script), ["one", "\u{6f6e}A \"c\"", "three\n            lines"]);
        let encoded = base64::engine::general_purpose::STANDARD.encode("the tide leaves silt ".repeat(20));
        assert!(texts(&format!("x = '{encoded}'"))[0].starts_with("the tide leaves silt"));
        let tide = "the tide leaves silt and the silt stays ".repeat(8);
        let percent: String = tide.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let hex: String = tide.bytes().map(|byte| format!("{byte:02x}")).collect();
        let parted: String = tide.chars().map(|letter| format!("{letter}|")).collect();
        let escaped: String = tide.bytes().map(|byte| format!("%u{byte:04x}")).collect();
        for of_text in [percent, escaped, hex, parted.trim_end_matches('|').to_owned()] {
            assert_eq!(texts(&format!("x = '{of_text}'")), [&*tide], "{of_text}");
        }
        let pieces: Vec<String> =
            tide.as_bytes().chunks(3).map(|piece| format!("{:?}", str::from_utf8(piece).unwrap())).collect();
        assert!(texts(&pieces.join(" + ")).contains(&Cow::Borrowed(&*tide)));
        let codes: Vec<String> = tide.bytes().map(|byte| byte.to_string()).collect();
        assert_eq!(texts(&format!("f({})", codes.join(", "))), [&*tide]);
        assert_eq!(page_in("data:text/html,%3Cp%3Ethe%20tide").as_deref(), Some("the tide"));
        assert_eq!(page_in("data:text/html;base64,PHA+dGhlIHRpZGU=").as_deref(), Some("the tide"));
        assert_eq!(page_in("data:image/png;base64,AAAA").as_deref(), Some(""));
        assert_eq!(page_in("the tide"), None);
        assert_eq!(
            text_in("dGhlIHRpZGUgbGVhdmVzIHNpbHQgYW5kIHRoZSBzaWx0IHN0YXlzIGhlcmU=").as_deref(),
            Some("the tide leaves silt and the silt stays here")
        );
        let signs: String = tide.bytes().map(|byte| format!("%{byte:02X}")).collect();
        assert_eq!(text_in(&signs), Some(tide));
        assert_eq!(text_in(&format!("/wiki/{signs}")), None);
        assert_eq!(text_in("the tide leaves silt and the silt stays where the sea lays it down"), None);
        let sheet = Some("p { color: #fff }");
        assert_eq!(sheet_in("data:text/css,p%20%7B%20color%3A%20%23fff%20%7D").as_deref(), sheet);
        assert_eq!(sheet_in("data:text/css;charset=utf-8;base64,cCB7IGNvbG9yOiAjZmZmIH0=").as_deref(), sheet);
        assert_eq!(sheet_in("data:text/css;charset=utf-7,p%20%7B%7D"), None);
    }
}
