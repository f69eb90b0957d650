//! What an office document says of itself, and in its attributes: a field may show a property, and a program many short attributes.

use std::collections::{BTreeMap, BTreeSet};

use super::ExtractError;
use super::builder::TextBuilder;
use super::unplaced::letters;
use super::xml::{Element, Node, walk};
use crate::limits::ReadLimits;

/// The fewest letters of a property that is looked through for prose though no field shows one. Chosen by hand; not measured apart.
const LONG: usize = 400;

/// How often each value stands on average at most; values that stand more often are words of the format. Chosen by hand; not measured apart.
const OFTEN: usize = 4;

/// Fewer letters, all of one name together, are labels. Chosen by hand; not measured apart.
const LEAST: usize = 100;

/// The most bytes of short attributes that are looked at. Chosen by hand; not measured apart.
const MOST_BYTES: usize = 4 << 20;

/// The properties of a document, each with the name of its element.
#[derive(Default)]
pub(super) struct Properties(Vec<(String, String)>);

impl Properties {
    /// Takes in those of a part, as far as it can be read.
    pub(super) fn read(&mut self, name: &str, part: &[u8], limits: &ReadLimits) {
        let mut inside = Vec::new();
        let _ = walk(name, part, limits, |node| {
            match node {
                Node::Start(element) => {
                    inside.push(self.0.len());
                    self.0.push((element.name().to_owned(), String::new()));
                }
                Node::End(_) => drop(inside.pop()),
                Node::Text(text) => {
                    if let Some(at) = inside.last() {
                        self.0[*at].1.push_str(&text);
                    }
                }
            }
            Ok::<(), ExtractError>(())
        });
    }

    /// Whether one of these fields shows a property by its name; the field for key words is called `keywords`. One for a date is none.
    pub(super) fn are_shown_by(&self, fields: &BTreeSet<String>) -> bool {
        let has = |name: &str| fields.contains(name) || fields.contains(&format!("{name}s"));
        self.0.iter().any(|(name, text)| letters(text) > 1 && has(name))
    }

    /// Leaves them to be looked through for prose: all if a field shows any (`are_shown`), else the long ones.
    pub(super) fn look_through(&self, are_shown: bool, builder: &mut TextBuilder) {
        let texts = self.0.iter().map(|(_, text)| text);
        texts.filter(|text| are_shown || letters(text) >= LONG).for_each(|text| builder.unplaced(text));
    }
}

/// The attributes of a document that are shorter than a paragraph, by their names: those of one name may be the lines of one.
#[derive(Default)]
pub(super) struct ShortValues {
    by_name: BTreeMap<String, Vec<String>>,
    bytes: usize,
}

impl ShortValues {
    /// Takes in those of an element. What gives names to things is shown to nobody.
    pub(super) fn add(&mut self, element: &Element<'_>) {
        if self.bytes >= MOST_BYTES {
            return;
        }
        for (name, value) in element.short_values() {
            if !name.ends_with("name") && value.contains(char::is_alphabetic) {
                self.bytes += value.len();
                self.by_name.entry(name).or_default().push(value);
            }
        }
    }

    /// Leaves those of each name to be looked through together. Of words of the format each counts once.
    pub(super) fn look_through(self, builder: &mut TextBuilder) {
        for values in self.by_name.into_values() {
            let distinct: BTreeSet<&str> = values.iter().map(String::as_str).collect();
            let joined = match OFTEN * distinct.len() >= values.len() {
                true => values.join(" "),
                false => distinct.into_iter().collect::<Vec<_>>().join(" "),
            };
            if letters(&joined) >= LEAST {
                builder.unplaced(&joined);
            }
        }
    }
}
