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

/// Elements that a selector may name inside of each other; of one with more only the last is looked at.
const MOST_NAMED: usize = 32;

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

/// One of the elements that a selector names.
#[derive(Debug, Clone)]
struct Named {
    /// The keys that it must have, or must not, if they begin with `!`.
    keys: Keys,
    /// It stands in the one before, and in none between.
    is_child: bool,
}

/// Which elements a rule is for.
#[derive(Debug, Clone)]
pub(super) struct Selector {
    /// The elements that one must stand in; the innermost is the last, and the one that is meant.
    elements: Vec<Named>,
    /// Of a rule inside another one: it is for what stands beside the element of that.
    is_beside: bool,
    pub(super) holds: Holds,
}

/// Whether no more open elements are looked at: `steps` of them were.
pub(super) fn is_too_much(steps: usize) -> bool {
    steps > ANCESTOR_STEPS
}

impl Selector {
    /// Reads one selector; an error for what stands before or behind an element or is a part of it. `nested` inside another rule.
    pub(super) fn read(input: &mut Parser<'_>, nested: bool) -> Result<Selector, ParseError<()>> {
        let mut selector = Selector { elements: Vec::new(), is_beside: false, holds: Holds::Always };
        // The keys of the element that is being read; `None` between two elements.
        let mut element: Option<Keys> = None;
        let mut is_child = false;
        while let Ok(token) = input.next_including_whitespace() {
            let token = token.clone();
            if matches!(token, Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~')) {
                if let Some(keys) = element.take() {
                    selector.elements.push(Named { keys, is_child: std::mem::take(&mut is_child) });
                }
                is_child |= token == Token::Delim('>');
            }
            if let Token::Delim('+' | '~') = token {
                // What stands beside an element is inside of the same ones; which of them stand beside each other is not looked at.
                selector.holds = selector.holds.max(Holds::Maybe);
                match selector.elements.pop() {
                    Some(beside) => {
                        is_child = beside.is_child;
                        selector.is_beside |= beside.keys.iter().any(|key| key == OUTER);
                    }
                    None => selector.is_beside = true,
                }
            }
            if matches!(token, Token::WhiteSpace(_) | Token::Delim('>' | '+' | '~')) {
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
                Token::Colon => {
                    let (keys, holds) = state(input)?;
                    element.get_or_insert_default().extend(keys);
                    (None, holds)
                }
                _ => return Err(ParseError::unexpected_token()),
            };
            element.get_or_insert_default().extend(key);
            selector.holds = selector.holds.max(holds);
        }
        selector.elements.extend(element.map(|keys| Named { keys, is_child }));
        for named in selector.elements.iter_mut().filter(|named| named.keys.is_empty()) {
            named.keys.push(ANY.to_owned());
        }
        if selector.elements.len() > MOST_NAMED {
            selector.elements.drain(..selector.elements.len() - 1);
            selector.holds = selector.holds.max(Holds::Maybe);
        }
        if selector.elements.is_empty() { Err(ParseError::unexpected_token()) } else { Ok(selector) }
    }

    /// The selector of all elements with a key, for some of which a rule may hold.
    pub(super) fn of_key(key: String) -> Selector {
        Selector { elements: vec![Named { keys: vec![key], is_child: false }], is_beside: false, holds: Holds::Maybe }
    }

    /// Whether it is for the page as a whole.
    pub(super) fn is_of_page(&self) -> bool {
        let is_root = |key: &String| matches!(key.as_str(), "html" | "body" | ANY);
        self.elements.len() == 1 && self.elements[0].keys.iter().all(is_root)
    }

    /// The selector of a rule inside another one.
    pub(super) fn inside(&self, outer: &Selector) -> Selector {
        let mut elements = Vec::new();
        let names_outer = self.elements.iter().flat_map(|named| &named.keys).any(|key| key == OUTER);
        if self.is_beside {
            elements.extend(outer.elements.iter().rev().skip(1).rev().cloned());
        } else if !names_outer {
            elements.extend_from_slice(&outer.elements);
        }
        for named in &self.elements {
            match outer.elements.split_last().filter(|_| named.keys.iter().any(|key| key == OUTER)) {
                Some((innermost, others)) => {
                    elements.extend_from_slice(others);
                    let own = named.keys.iter().filter(|key| *key != OUTER);
                    let keys = innermost.keys.iter().chain(own).cloned().collect();
                    elements.push(Named { keys, is_child: innermost.is_child });
                }
                None => elements.push(named.clone()),
            }
        }
        Selector { elements, is_beside: outer.is_beside, holds: self.holds.max(outer.holds) }
    }

    /// About how many bytes [`Self::inside`] takes.
    pub(super) fn bytes_inside(&self, outer: &Selector) -> usize {
        let bytes = |selector: &Selector| -> usize { selector.keys().map(|key| key.len() + BYTES_OF_KEY).sum() };
        let repeated = self.keys().filter(|key| *key == OUTER).count().max(1);
        bytes(self) + bytes(outer).saturating_mul(repeated)
    }

    fn keys(&self) -> impl Iterator<Item = &String> {
        self.elements.iter().flat_map(|named| &named.keys)
    }

    /// A key that each element has which is meant.
    pub(super) fn key(&self) -> Option<String> {
        let keys = &self.elements.last()?.keys;
        Some(keys.iter().rfind(|key| !key.starts_with('!')).cloned().unwrap_or_else(|| ANY.to_owned()))
    }

    /// How many ids it names, how many classes and attributes, and how many elements.
    pub(super) fn specificity(&self) -> (usize, usize, usize) {
        let count =
            |is: fn(&str) -> bool| self.keys().map(|key| key.trim_start_matches('!')).filter(|key| is(key)).count();
        let ids = count(|key| key.starts_with('#'));
        (ids, count(|key| key.starts_with(['.', '['])), count(|key| !key.starts_with(['#', '.', '*', '['])))
    }

    /// Whether an element, with those that it stands in, is what the selector names. `steps` counts the elements looked at.
    pub(super) fn matches(&self, element: &Keys, ancestors: &[Keys], steps: &mut usize) -> bool {
        let Some((last, outer)) = self.elements.split_last() else { return false };
        last.fits(element) && stands_in(outer, last.is_child, ancestors, steps)
    }
}

impl Named {
    fn fits(&self, element: &Keys) -> bool {
        let has = |key: &str| element.iter().any(|own| own == key);
        self.keys.iter().all(|key| match key.strip_prefix('!') {
            Some(key) => !has(key),
            None => key == ANY || has(key),
        })
    }
}

/// Whether what stands in these elements stands in those that are named.
fn stands_in(named: &[Named], is_child: bool, ancestors: &[Keys], steps: &mut usize) -> bool {
    let Some((last, outer)) = named.split_last() else { return true };
    for (at, keys) in ancestors.iter().enumerate().rev() {
        *steps = steps.saturating_add(1);
        if is_too_much(*steps) {
            return false;
        }
        if last.fits(keys) && stands_in(outer, last.is_child, &ancestors[..at], steps) {
            return true;
        }
        if is_child {
            return false;
        }
    }
    false
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

/// What stands behind a colon: keys, if it is such, and when it holds.
fn state(input: &mut Parser<'_>) -> Result<(Keys, Holds), ParseError<()>> {
    const STATES: [&str; 5] = ["hover", "focus", "active", "visited", "target"];
    let mut is_part = false;
    let name = loop {
        match input.next_including_whitespace()?.clone() {
            Token::Colon if !is_part => is_part = true,
            Token::Function(name) if !is_part && name.eq_ignore_ascii_case("not") => {
                let keys = input.parse_nested_block(|input| input.parse_comma_separated(without));
                return Ok(keys.map_or((Vec::new(), Holds::Maybe), |keys| (keys, Holds::Always)));
            }
            Token::Ident(name) | Token::Function(name) => break name.to_ascii_lowercase(),
            _ => return Err(ParseError::unexpected_token()),
        }
    };
    match name.as_str() {
        "root" => Ok((vec!["html".to_owned()], Holds::Always)),
        // A part of the element's text.
        "first-line" | "first-letter" => Ok((Vec::new(), Holds::Maybe)),
        "before" | "after" => Err(ParseError::unexpected_token()),
        _ if is_part => Err(ParseError::unexpected_token()),
        _ if STATES.iter().any(|known| name.starts_with(known)) => Ok((Vec::new(), Holds::InSomeState)),
        _ => Ok((Vec::new(), Holds::Maybe)),
    }
}

/// The key that an element must not have: a name, a class, an id or an attribute alone.
fn without(input: &mut Parser<'_>) -> Result<String, ParseError<()>> {
    let key = match input.next()?.clone() {
        Token::Ident(name) => name.to_ascii_lowercase(),
        Token::Hash(id) | Token::IDHash(id) => format!("#{id}"),
        Token::Delim('.') => format!(".{}", input.expect_ident()?),
        Token::SquareBracketBlock => match input.parse_nested_block(attribute)? {
            (key, Holds::Always) => key,
            _ => return Err(ParseError::unexpected_token()),
        },
        _ => return Err(ParseError::unexpected_token()),
    };
    Ok(format!("!{key}"))
}
