//! The styles of a document, what they inherit included.

use std::collections::BTreeMap;

use super::properties::{RunProperties, is_on, paragraph_property, shading};
use super::theme::Theme;
use crate::extract::ExtractError;
use crate::extract::style::{Ground, LetterFormat, role_of_style, with_inherited};
use crate::extract::xml::{Node, walk};
use crate::limits::ReadLimits;

/// What one style says.
#[derive(Debug, Clone, Default)]
pub(super) struct Style {
    /// Of letters and lines. Whether text is hidden is told by all styles together, unless a run says it itself.
    pub(super) format: LetterFormat,
    /// The ground of a paragraph.
    pub(super) paragraph: Option<Option<Ground>>,
    /// The ground of a table's cells.
    pub(super) cell: Option<Option<Ground>>,
    /// The id and the level of a paragraph's number.
    pub(super) number: (Option<String>, Option<String>),
    /// What holds for some of a table's cells only, by where they are: `firstRow` and the like.
    pub(super) conditions: BTreeMap<String, Style>,
}

impl Style {
    fn over(&self, base: &Style) -> Style {
        let mut conditions = base.conditions.clone();
        for (place, style) in &self.conditions {
            let inherited = conditions.remove(place).unwrap_or_default();
            conditions.insert(place.clone(), style.over(&inherited));
        }
        Style {
            format: self.format.over(&base.format),
            paragraph: self.paragraph.or(base.paragraph),
            cell: self.cell.or(base.cell),
            number: (
                self.number.0.clone().or_else(|| base.number.0.clone()),
                self.number.1.clone().or_else(|| base.number.1.clone()),
            ),
            conditions,
        }
    }

    pub(super) fn is_hidden(&self) -> bool {
        self.format.hidden == Some(true)
    }
}

#[derive(Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
    /// Of all text.
    pub(super) defaults: Style,
    /// Of paragraphs and of tables that name no style.
    default_paragraph: Option<String>,
    default_table: Option<String>,
}

impl Styles {
    pub(super) fn read(name: &str, part: &[u8], theme: &Theme, limits: &ReadLimits) -> Result<Self, ExtractError> {
        let mut styles = Styles::default();
        let mut own: BTreeMap<String, (Style, Option<String>)> = BTreeMap::new();
        let mut current: Option<String> = None;
        let mut condition: Option<String> = None;
        let mut in_defaults = false;
        let mut properties = String::new();
        let mut run = RunProperties::default();
        walk(name, part, limits, |node| {
            let (element, end) = match &node {
                Node::Start(element) => (Some(element), element.name()),
                Node::End(name) => (None, *name),
                Node::Text(_) => return Ok(()),
            };
            match (element, end) {
                (Some(element), "style") => {
                    current = element.attribute("styleId");
                    let is_default =
                        element.attribute("default").is_some_and(|value| matches!(value.as_str(), "1" | "true" | "on"));
                    match element.attribute("type").as_deref() {
                        Some("paragraph") if is_default => styles.default_paragraph = current.clone(),
                        Some("table") if is_default => styles.default_table = current.clone(),
                        _ => {}
                    }
                    own.extend(current.clone().map(|id| (id, Default::default())));
                    return Ok(());
                }
                (None, "style") => current = None,
                (element, "docDefaults") => in_defaults = element.is_some(),
                (element, "tblStylePr") => condition = element.and_then(|element| element.attribute("type")),
                _ => {}
            }
            let mut base = None;
            let whole = match current.as_ref().and_then(|id| own.get_mut(id)) {
                Some((style, parent)) => {
                    base = Some(parent);
                    style
                }
                None if in_defaults => &mut styles.defaults,
                None => return Ok(()),
            };
            let style = match &condition {
                Some(place) => whole.conditions.entry(place.clone()).or_default(),
                None => whole,
            };
            let Some(element) = element else {
                run.end(end, &mut style.format);
                if end == properties {
                    properties.clear();
                }
                return Ok(());
            };
            match (element.name(), properties.as_str()) {
                ("name", _) => style.format.role = element.attribute("val").as_deref().and_then(role_of_style),
                ("basedOn", _) => base.into_iter().for_each(|base| *base = element.attribute("val")),
                (name @ ("rPr" | "pPr" | "tcPr" | "tblPr" | "trPr"), _) => {
                    properties = name.to_owned();
                    run = RunProperties::default();
                }
                ("numId", _) => style.number.0 = element.attribute("val"),
                ("ilvl", _) => style.number.1 = element.attribute("val"),
                ("outlineLvl", _) if style.format.role.is_some() => {}
                (_, "rPr") => run.start(element, theme, &mut style.format),
                (_, "pPr") => {
                    style.paragraph = paragraph_property(element, theme, &mut style.format).or(style.paragraph);
                }
                ("shd", "tcPr" | "tblPr") => style.cell = Some(shading(element, theme)),
                ("hidden", "trPr") => style.format.hidden = Some(is_on(element)),
                _ => {}
            }
            Ok(())
        })?;
        styles.by_id = with_inherited(&own, Style::over, limits);
        Ok(styles)
    }

    pub(super) fn get(&self, id: &str) -> Style {
        self.by_id.get(id).cloned().unwrap_or_default()
    }

    pub(super) fn paragraph(&self) -> Style {
        self.default_paragraph.as_deref().map(|id| self.get(id)).unwrap_or_default()
    }

    pub(super) fn table(&self) -> Style {
        self.default_table.as_deref().map(|id| self.get(id)).unwrap_or_default()
    }
}
