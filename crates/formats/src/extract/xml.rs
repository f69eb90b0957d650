//! Reads the XML parts of office formats, in one pass and without a tree.
//!
//! Names are local ones, without their prefixes. Entities that a file declares itself are never expanded.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::builder::{TextBuilder, of_reading};
use super::{Damage, ExtractError};
use crate::encoding::decode_declared;
use crate::limits::ReadLimits;
use copytrace_text::layout::LeftOut;

/// What stands for a reference that is not known.
const REPLACEMENT: &str = "\u{FFFD}";

/// The fewest bytes of an attribute that may be a paragraph.
const PARAGRAPH: usize = 240;

/// Signs that stand between the fields of a record, as programs keep it in JSON or XML; a record has two of them.
const BETWEEN_FIELDS: [&str; 2] = ["\":", "</"];

/// A piece of XML.
pub(super) enum Node<'a> {
    /// An element starts; an empty one ends right after.
    Start(Element<'a>),
    /// An element ends.
    End(&'a str),
    /// Text, with character references resolved.
    Text(Cow<'a, str>),
}

/// The start of an element.
pub(super) struct Element<'a>(&'a BytesStart<'a>);

impl Element<'_> {
    /// Its name, without a prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// Its prefix, if it has one.
    pub(super) fn prefix(&self) -> Option<&str> {
        self.0.name().prefix().map(|prefix| prefix.into_inner())
    }

    /// Adds the prefixes that it declares, and what they stand for.
    pub(super) fn namespaces(&self, known: &mut BTreeMap<String, String>) {
        for attribute in self.0.attributes().with_checks(false).flatten() {
            if attribute.key.prefix().is_some_and(|prefix| prefix.into_inner() == "xmlns") {
                known.insert(attribute.key.local_name().into_inner().to_owned(), attribute.value.to_string());
            }
        }
    }

    /// The names of its attributes, without prefixes.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &str> {
        let attributes = self.0.attributes().with_checks(false).flatten().collect::<Vec<_>>();
        attributes.into_iter().map(|attribute| attribute.key.local_name().into_inner())
    }

    /// The value of the first attribute whose name is this, whatever its prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found = attributes.with_checks(false).flatten().find(|a| a.key.local_name().into_inner() == name)?;
        let value = found.normalized_value(XmlVersion::Implicit1_0);
        Some(value.map_or_else(|_| found.value.to_string(), Cow::into_owned))
    }

    /// The values of attributes that are as long as a paragraph, but for records, as programs of references keep them: a program may show
    /// what else there is.
    pub(super) fn long_values(&self) -> Vec<String> {
        if self.0.len() < PARAGRAPH {
            return Vec::new();
        }
        let mut attributes = self.0.attributes();
        let long = attributes.with_checks(false).flatten().filter(|attribute| attribute.value.len() >= PARAGRAPH);
        let values = long.map(|attribute| {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            value.map_or_else(|_| attribute.value.to_string(), Cow::into_owned)
        });
        values.filter(|value| !is_record(value)).collect()
    }

    /// The other attributes: the name of each, without a prefix, and its value. Without declarations of namespaces.
    pub(super) fn short_values(&self) -> Vec<(String, String)> {
        let mut attributes = self.0.attributes();
        let short = attributes.with_checks(false).flatten().filter(|attribute| attribute.value.len() < PARAGRAPH);
        let named = short.map(|attribute| {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_or_else(|_| attribute.value.to_string(), Cow::into_owned);
            (attribute.key, value)
        });
        let is_namespace = |prefix: &str| prefix == "xmlns";
        named
            .filter(|(key, _)| !key.prefix().is_some_and(|prefix| is_namespace(prefix.into_inner())))
            .map(|(key, value)| (key.local_name().into_inner().to_owned(), value))
            .collect()
    }

    /// Whether an attribute has this value.
    pub(super) fn is(&self, name: &str, value: &str) -> bool {
        self.attribute(name).as_deref() == Some(value)
    }
}

fn is_record(value: &str) -> bool {
    BETWEEN_FIELDS.iter().any(|sign| value.matches(sign).nth(1).is_some())
}

/// Elements whose text is left out, while a part is walked through.
#[derive(Default)]
pub(super) struct LeftOutElements {
    /// How many of the open elements are left out, and why the outermost is; `None` for a reading above a word or the sign of a
    /// note, which may hold other text.
    open: usize,
    reason: Option<LeftOut>,
}

impl LeftOutElements {
    /// An element starts; whether it is left out, for a reason of its own or because it stands in one that is.
    pub(super) fn start(&mut self, reason: impl FnOnce() -> Option<Option<LeftOut>>) -> bool {
        if self.open == 0 {
            let Some(reason) = reason() else { return false };
            self.reason = reason;
        }
        self.open += 1;
        true
    }

    /// An element ends; whether it is left out.
    pub(super) fn end(&mut self) -> bool {
        let is_inside = self.open > 0;
        self.open = self.open.saturating_sub(1);
        is_inside
    }

    /// Counts a text that stands in such an element; whether it does.
    pub(super) fn take(&self, text: &str, builder: &mut TextBuilder) -> bool {
        if self.open > 0 {
            let reason = self.reason.unwrap_or_else(|| of_reading(text, builder.text()));
            match reason {
                LeftOut::Alternate => builder.left_out_unless_prose(reason, text),
                _ => builder.left_out(reason, text),
            }
        }
        self.open > 0
    }
}

/// Calls `visit` for each element of a part where it starts, in order.
pub(super) fn each_element(
    name: &str,
    bytes: &[u8],
    limits: &ReadLimits,
    mut visit: impl FnMut(&Element<'_>),
) -> Result<(), ExtractError> {
    walk(name, bytes, limits, |node| {
        if let Node::Start(element) = node {
            visit(&element);
        }
        Ok(())
    })
}

/// Calls `visit` for each piece of a part, in order. `name` is for errors.
pub(super) fn walk(
    name: &str,
    bytes: &[u8],
    limits: &ReadLimits,
    mut visit: impl FnMut(Node<'_>) -> Result<(), ExtractError>,
) -> Result<(), ExtractError> {
    let damaged = |error: &dyn std::fmt::Display| ExtractError::from(Damage::of_part(name, error));
    let text = decode_declared(bytes, Some("utf-8"))?.text;
    let mut reader = Reader::from_str(text.trim_start_matches('\u{FEFF}'));
    reader.config_mut().allow_dangling_amp = true;
    let (mut depth, mut step) = (0, 0u32);
    loop {
        step = step.wrapping_add(1);
        if step.is_multiple_of(1024) {
            limits.cancel.check()?;
        }
        match reader.read_event().map_err(|error| damaged(&error))? {
            Event::Start(start) => {
                depth += 1;
                if depth > limits.nesting {
                    return Err(ExtractError::TooDeep { levels: limits.nesting });
                }
                visit(Node::Start(Element(&start)))?;
            }
            Event::Empty(start) => {
                visit(Node::Start(Element(&start)))?;
                visit(Node::End(start.local_name().into_inner()))?;
            }
            Event::End(end) => {
                depth -= 1;
                visit(Node::End(end.local_name().into_inner()))?;
            }
            Event::Text(text) => visit(Node::Text(text.xml10_content()))?,
            Event::CData(text) => visit(Node::Text(text.xml10_content()))?,
            Event::GeneralRef(reference) => {
                let text = match reference.resolve_char_ref() {
                    Ok(Some(character)) => Cow::Owned(character.to_string()),
                    Ok(None) => Cow::Borrowed(resolve_xml_entity(&reference).unwrap_or(REPLACEMENT)),
                    Err(_) => Cow::Borrowed(REPLACEMENT),
                };
                visit(Node::Text(text))?;
            }
            Event::Eof if depth > 0 => return Err(damaged(&"ends too early")),
            Event::Eof => return Ok(()),
            Event::Decl(_) | Event::DocType(_) | Event::PI(_) | Event::Comment(_) => {}
        }
    }
}

/// The texts of the elements of these names, each the first of its name; for the small parts with metadata.
pub(super) fn first_texts<const N: usize>(
    name: &str,
    bytes: &[u8],
    limits: &ReadLimits,
    wanted: [&str; N],
) -> Result<[Option<String>; N], ExtractError> {
    let mut found = [const { None::<String> }; N];
    let mut inside: Option<usize> = None;
    walk(name, bytes, limits, |node| {
        match node {
            Node::Start(element) => {
                inside = wanted.iter().position(|name| *name == element.name()).filter(|&at| found[at].is_none());
            }
            Node::End(_) => inside = None,
            Node::Text(text) => {
                if let Some(at) = inside {
                    found[at].get_or_insert_default().push_str(&text);
                }
            }
        }
        Ok(())
    })?;
    Ok(found.map(|text| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())))
}
