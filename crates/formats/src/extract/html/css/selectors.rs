//! Selectors (Selectors 4), as far as they are looked at: element names, classes, ids and attributes, alone or inside others.
//!
//! The `selectors` crate answers whether an element is meant, by a tree that this reader does not build. Here are three answers:
//! of whatever else a selector says it is only known that it may hold.

use cssparser::{ParseError, Parser, Token};

use crate::extract::html::lexer::Attributes;

/// Bytes of memory for the selectors of a page's nested rules: each selector of the rule around goes on with each of the rule
/// itself, which hostile pages multiply.
pub(super) const MOST_NESTED: usize = 32 << 20;

/// Bytes that a key and its element take besides its characters.
const BYTES_OF_KEY: usize = 96;

/// How many open elements may be looked at, over a whole page, to see what an element is inside of: a hostile page may have a
/// rule for each of its elements and all of these inside each other.
const ANCESTOR_STEPS: usize = 20_000_000;

/// The key that stands for the elements of the rule around.
const OUTER: &str = "&";

/// The key that every element has.
pub(super) const ANY: &str = "*";

/// An element as selectors see it: its name, id, classes and attributes, each with its sign.
pub(in crate::extract::html) type Keys = Vec<String>;

/// The keys of an element.
pub(in crate::extract::html) fn keys(name: &str, attributes: &Attributes) -> Keys {
    let mut keys = vec![name.to_owned()];
    for (attribute, value) in attributes.iter() {
        if attribute == "id" {
            keys.push(format!("#{value}"));
        } else if attribute == "class" {
            keys.extend(value.split_ascii_whitespace().map(|class| format!(".{class}")));
        }
        keys.push(format!("[{attribute}={value}]"));
        keys.push(format!("[{attribute}]"));
    }
    keys
}

/// When a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holds {
    Always,
    /// For some of the elements that its keys fit.
    Maybe,
    /// In a state of the page, such as under the pointer.
    InSomeState,
}

/// Which elements a rule is for.
#[derive(Debug, Clone)]
pub(super) struct Selector {
    /// Each is the keys that one element must have; the innermost is the last.
    elements: Vec<Keys>,
    pub(super) holds: Holds,
}

impl Selector {
    /// Reads one selector; an error for what stands before or behind an element or is a part of it. `nested` inside another rule.
    pub(super) fn read(input: &mut Parser<'_>, nested: bool) -> Result<Selector, ParseError<()>> {
        let mut selector = Selector { elements: Vec::new(), holds: Holds::Always };
        // The keys of the element that is being read; `None` between two elements.
        let mut element: Option<Keys> = None;
        while let Ok(token) = input.next_including_whitespace() {
            let token = token.clone();
            let holds = match &token {
                Token::Delim('+' | '~') => Holds::Maybe,
                _ => Holds::Always,
            };
            selector.holds = selector.holds.max(holds);
            if matches!(token, Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~')) {
                selector.elements.extend(element.take());
                continue;
            }
            let (key, holds) = match token {
                Token::Ident(name) => (Some(name.to_ascii_lowercase()), Holds::Always),
                Token::Hash(id) | Token::IDHash(id) => (Some(format!("#{id}")), Holds::Always),
                Token::Delim('.') => (Some(format!(".{}", input.expect_ident()?)), Holds::Always),
                Token::Delim('*') => (None, Holds::Always),
                Token::Delim('&') if nested => (Some(OUTER.to_owned()), Holds::Always),
                Token::Delim('&') => (Some("html".to_owned()), Holds::Always),
                Token::SquareBracketBlock => {
                    let (key, holds) = input.parse_nested_block(attribute)?;
                    (Some(key), holds)
                }
                Token::Colon => state(input)?,
                _ => return Err(ParseError::unexpected_token()),
            };
            element.get_or_insert_default().extend(key);
            selector.holds = selector.holds.max(holds);
        }
        selector.elements.extend(element);
        for element in selector.elements.iter_mut().filter(|element| element.is_empty()) {
            element.push(ANY.to_owned());
        }
        if selector.elements.is_empty() { Err(ParseError::unexpected_token()) } else { Ok(selector) }
    }

    /// The selector of a rule inside another one.
    pub(super) fn inside(&self, outer: &Selector) -> Selector {
        let mut elements = Vec::new();
        if !self.elements.iter().flatten().any(|key| key == OUTER) {
            elements.extend_from_slice(&outer.elements);
        }
        for element in &self.elements {
            match outer.elements.split_last().filter(|_| element.iter().any(|key| key == OUTER)) {
                Some((innermost, others)) => {
                    elements.extend_from_slice(others);
                    let own = element.iter().filter(|key| *key != OUTER);
                    elements.push(innermost.iter().chain(own).cloned().collect());
                }
                None => elements.push(element.clone()),
            }
        }
        Selector { elements, holds: self.holds.max(outer.holds) }
    }

    /// About how many bytes [`Self::inside`] takes.
    pub(super) fn bytes_inside(&self, outer: &Selector) -> usize {
        let bytes = |selector: &Selector| -> usize {
            selector.elements.iter().flatten().map(|key| key.len() + BYTES_OF_KEY).sum()
        };
        let repeated = self.elements.iter().flatten().filter(|key| *key == OUTER).count().max(1);
        bytes(self) + bytes(outer).saturating_mul(repeated)
    }

    /// A key that each element has which is meant.
    pub(super) fn key(&self) -> Option<&String> {
        self.elements.last()?.last()
    }

    /// How many ids it names, how many classes and attributes, and how many elements.
    pub(super) fn specificity(&self) -> (usize, usize, usize) {
        let count = |is: fn(&str) -> bool| self.elements.iter().flatten().filter(|key| is(key)).count();
        let ids = count(|key| key.starts_with('#'));
        (ids, count(|key| key.starts_with(['.', '['])), count(|key| !key.starts_with(['#', '.', '*', '['])))
    }

    /// Whether an element, with those that it stands in, is what the selector names. `steps` counts the elements looked at.
    pub(super) fn matches(&self, element: &Keys, ancestors: &[Keys], steps: &mut usize) -> bool {
        let fits = |wanted: &Keys, keys: &Keys| wanted.iter().all(|key| key == ANY || keys.contains(key));
        let Some((last, outer)) = self.elements.split_last() else { return false };
        if !fits(last, element) {
            return false;
        }
        let mut above = ancestors.iter().rev();
        for wanted in outer.iter().rev() {
            loop {
                *steps += 1;
                if *steps > ANCESTOR_STEPS {
                    return false;
                }
                let Some(keys) = above.next() else { return false };
                if fits(wanted, keys) {
                    break;
                }
            }
        }
        true
    }
}

/// What stands between square brackets: a key, and whether having it is all that is asked for.
fn attribute(input: &mut Parser<'_>) -> Result<(String, Holds), ParseError<()>> {
    let name = input.expect_ident()?.to_ascii_lowercase();
    if input.is_exhausted() {
        return Ok((format!("[{name}]"), Holds::Always));
    }
    if input.try_parse(|input| input.expect_delim('=')).is_ok() {
        let value = input.expect_ident_or_string()?.clone();
        if input.is_exhausted() {
            return Ok((format!("[{name}={value}]"), Holds::Always));
        }
    }
    while input.next().is_ok() {}
    Ok((format!("[{name}]"), Holds::Maybe))
}

/// What stands behind a colon: a key if it is one, and when it holds.
fn state(input: &mut Parser<'_>) -> Result<(Option<String>, Holds), ParseError<()>> {
    const PARTS: [&str; 5] = ["before", "after", "first-line", "first-letter", "placeholder"];
    const STATES: [&str; 8] = ["hover", "focus", "active", "visited", "link", "target", "checked", "disabled"];
    let name = match input.next_including_whitespace()? {
        Token::Ident(name) | Token::Function(name) => name.to_ascii_lowercase(),
        _ => return Err(ParseError::unexpected_token()),
    };
    let is_of = |known: &[&str]| known.iter().any(|known| name.starts_with(known));
    match name.as_str() {
        "root" => Ok((Some("html".to_owned()), Holds::Always)),
        _ if is_of(&PARTS) => Err(ParseError::unexpected_token()),
        _ if is_of(&STATES) => Ok((None, Holds::InSomeState)),
        _ => Ok((None, Holds::Maybe)),
    }
}
