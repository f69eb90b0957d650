//! Labels of numbered paragraphs. Numbers are no text of the document, but a label may hold prose, and so may many short ones.

use std::collections::BTreeMap;

use crate::extract::ExtractError;
use crate::extract::xml::each_element;
use crate::limits::ReadLimits;

/// A label with more letters than this is prose; `Chapter %1` is not.
const PROSE: usize = 20;

/// Whether a label is prose by itself.
pub(super) fn is_prose(label: &str) -> bool {
    label.chars().filter(|c| c.is_alphabetic()).count() > PROSE
}

/// Labels that hold words.
#[derive(Default)]
pub(super) struct Labels {
    /// The kind of list by the number's id.
    kinds: BTreeMap<String, String>,
    /// Labels by kind and level.
    labels: BTreeMap<(String, String), String>,
}

impl Labels {
    pub(super) fn read(name: &str, part: &[u8], limits: &ReadLimits) -> Result<Self, ExtractError> {
        let mut labels = Labels::default();
        let (mut kind, mut number, mut level) = (None, None, String::new());
        each_element(name, part, limits, |element| match element.name() {
            "abstractNum" => (kind, number) = (element.attribute("abstractNumId"), None),
            "num" => (kind, number) = (None, element.attribute("numId")),
            "abstractNumId" => labels.kinds.extend(number.clone().zip(element.attribute("val"))),
            "lvl" => level = element.attribute("ilvl").unwrap_or_default(),
            "lvlText" => {
                let label = element.attribute("val").unwrap_or_default();
                if let Some(kind) = kind.clone().filter(|_| label.chars().any(char::is_alphabetic)) {
                    labels.labels.insert((kind, level.clone()), label);
                }
            }
            _ => {}
        })?;
        Ok(labels)
    }

    /// The kind of list and the label.
    pub(super) fn get(&self, number: &str, level: &str) -> Option<(&(String, String), &str)> {
        let kind = self.kinds.get(number)?;
        let (key, label) = self.labels.get_key_value(&(kind.clone(), level.to_owned()))?;
        Some((key, label))
    }
}
