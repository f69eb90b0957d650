//! The styles of a document by family and name, what they inherit included.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::extract::ExtractError;
use crate::extract::colour::Colour;
use crate::extract::style::{
    Ground, Ink, LetterFormat, USUAL_POINTS, may_lead_out, points, role_of_style, with_inherited,
};
use crate::extract::table::has_name;
use crate::extract::xml::{Element, Node, walk};
use crate::limits::ReadLimits;

/// The greatest height of a row that hides what is in it, and of letters of East Asian and complex scripts that are too small to be read, in points.
const LEAST_ROW: f64 = 4.0;

/// Letters raised or lowered by more of their height, in percent, are not on their line.
const OFF_LINE_PERCENT: f64 = 300.0;

/// Raised letters smaller than this share of the others, in percent, are of a size of their own, which may be too small.
const SMALL_PERCENT: f64 = 30.0;

/// Lines lower than this share of their letters, in percent, lie upon each other.
const LOW_LINE_PERCENT: f64 = 50.0;

/// A ground of less opacity, in percent, is none.
const LEAST_GROUND_PERCENT: f64 = 50.0;

static HARMLESS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("harmless.txt").lines().filter(|line| !line.starts_with("--"));
    lines.flat_map(str::split_ascii_whitespace).collect()
});

/// Attributes of letters and paragraphs that are read here.
const READ: &str = "display color use-window-font-color background-color font-size font-size-asian font-size-complex font-weight text-scale \
    opacity letter-spacing text-position line-height text-indent";

/// Whether text is seen, and in its order, whatever this attribute says, or what it says is read.
fn is_understood(name: &str) -> bool {
    let fits =
        |known: &&str| known.split_once('*').is_some_and(|(start, end)| name.starts_with(start) && name.ends_with(end));
    HARMLESS.contains(name) || has_name(READ, name) || HARMLESS.iter().any(fits)
}

/// What one style says.
#[derive(Debug, Clone, Default)]
pub(super) struct Style {
    /// Of letters and lines.
    pub(super) format: LetterFormat,
    /// The ground of a paragraph, a cell, a table, a section or a box.
    pub(super) ground: Option<Option<Ground>>,
    /// The cells of a table are shown from right to left.
    pub(super) turned: bool,
}

impl Style {
    fn over(&self, base: &Style) -> Style {
        Style {
            format: self.format.over(&base.format),
            ground: self.ground.or(base.ground),
            turned: self.turned || base.turned,
        }
    }
}

/// Family and name; the family's default style has no name.
type Key = (String, String);

#[derive(Default)]
pub(super) struct Styles {
    own: BTreeMap<Key, (Style, Option<Key>)>,
    resolved: BTreeMap<Key, Style>,
    /// The ground of the pages.
    pub(super) page: Option<Ground>,
}

/// Indents of more points than this either way lead out of the page.
const OFF_PAGE: f64 = 1000.0;

impl Styles {
    /// Takes in the styles of a part.
    pub(super) fn read(&mut self, name: &str, part: &[u8], limits: &ReadLimits) -> Result<(), ExtractError> {
        let mut current: Option<Key> = None;
        walk(name, part, limits, |node| {
            match node {
                Node::Start(element) if matches!(element.name(), "style" | "default-style") => {
                    let name = element.attribute("name").unwrap_or_default();
                    let family = element.attribute("family").unwrap_or_default();
                    let parent = element.attribute("parent-style-name").map(|parent| (family.clone(), parent));
                    let role = element.attribute("display-name").as_deref().and_then(role_of_style);
                    let format =
                        LetterFormat { role: role.or_else(|| role_of_style(&name)), ..LetterFormat::default() };
                    let key = (family, name);
                    self.own.insert(key.clone(), (Style { format, ..Style::default() }, parent));
                    current = Some(key);
                }
                Node::Start(element) if element.name() == "page-layout-properties" => {
                    let colour = element.attribute("background-color").as_deref().and_then(Colour::of_hex);
                    self.page = self.page.or(colour.map(Ground::Colour));
                }
                Node::Start(element) => {
                    if let Some((style, _)) = current.as_ref().and_then(|key| self.own.get_mut(key)) {
                        apply(&element, style);
                    }
                }
                Node::End("style" | "default-style") => current = None,
                _ => {}
            }
            Ok(())
        })
    }

    /// Looks up what each style inherits, once all are read.
    pub(super) fn resolve(&mut self, limits: &ReadLimits) {
        self.resolved = with_inherited(&self.own, Style::over, limits);
    }

    /// The style that an element names, or the default of its family.
    pub(super) fn get(&self, family: &str, element: &Element<'_>) -> Style {
        let named = |name: String| self.resolved.get(&(family.to_owned(), name)).cloned().unwrap_or_default();
        let default = named(String::new());
        element.attribute("style-name").map_or(default.clone(), |name| named(name).over(&default))
    }
}

/// Takes the properties of a style into it.
fn apply(element: &Element<'_>, style: &mut Style) {
    let format = &mut style.format;
    let colour = |name: &str| element.attribute(name).as_deref().and_then(Colour::of_hex).map(Ground::Colour);
    let percent = |name: &str| element.attribute(name)?.strip_suffix('%')?.parse::<f64>().ok();
    let is_clear = percent("background-transparency").is_some_and(|percent| 100.0 - percent < LEAST_GROUND_PERCENT);
    let background = element.attribute("background-color").map(|_| colour("background-color").filter(|_| !is_clear));
    if matches!(element.name(), "text-properties" | "paragraph-properties") && !element.attributes().all(is_understood)
    {
        format.unjudged = Some(true);
    }
    match element.name() {
        "text-properties" => {
            if let Some(display) = element.attribute("display") {
                format.hidden = Some(display == "none");
                format.unjudged = (display == "condition").then_some(true).or(format.unjudged);
            }
            // Of letters of other scripts: those of Han are of the first.
            let sizes = ["font-size-asian", "font-size-complex"].into_iter().filter_map(|name| element.attribute(name));
            if sizes.into_iter().filter_map(|size| points(&size)).any(|points| points <= LEAST_ROW) {
                format.unjudged = Some(true);
            }
            if let Some(colour) = element.attribute("color") {
                format.ink = Some(Colour::of_hex(&colour).map_or(Ink::Seen, Ink::Colour));
            }
            let automatic = element.attribute("use-window-font-color").as_deref() == Some("true");
            if automatic {
                format.ink = Some(Ink::Seen);
            }
            format.ground = background.or(format.ground);
            let size = element.attribute("font-size").as_deref().and_then(points);
            let relative = || percent("font-size").map(|percent| percent / 100.0 * USUAL_POINTS);
            format.points = size.or_else(relative).or(format.points);
            format.bold = element.attribute("font-weight").map(|weight| weight == "bold").or(format.bold);
            format.width = percent("text-scale").or(format.width);
            // An opacity belongs to the colour beside it. LibreOffice writes one of 0 % beside the automatic colour, which is seen.
            format.opacity = match percent("opacity") {
                Some(percent) if !automatic => Some(percent / 100.0),
                None if !automatic && element.attribute("color").is_none() => format.opacity,
                _ => Some(1.0),
            };
            format.spacing = element.attribute("letter-spacing").as_deref().and_then(points).or(format.spacing);
            if let Some(position) = element.attribute("text-position") {
                let raised = |c| c > '0' && c <= '9';
                format.raised = Some(position.starts_with("super") || position.trim_start().starts_with(raised));
                let share = position.split('%').next().and_then(|share| share.trim().parse::<f64>().ok());
                format.away = share.map(|percent| percent.abs() > OFF_LINE_PERCENT).or(format.away);
                // The second number is the size of raised letters.
                let size = position
                    .split_ascii_whitespace()
                    .nth(1)
                    .and_then(|size| size.strip_suffix('%')?.parse::<f64>().ok());
                if size.is_some_and(|percent| percent < SMALL_PERCENT) {
                    format.points = size.map(|percent| percent / 100.0 * USUAL_POINTS);
                }
            }
        }
        "paragraph-properties" => {
            style.ground = background.or(style.ground);
            if let Some(height) = element.attribute("line-height") {
                format.line = points(&height);
                if percent("line-height").is_some_and(|percent| percent < LOW_LINE_PERCENT) {
                    format.unjudged = Some(true);
                }
            }
            if element.attribute("display").as_deref() == Some("none") {
                format.hidden = Some(true);
            }
            let length = |name: &str| element.attribute(name).as_deref().and_then(points);
            let hanging = length("text-indent").unwrap_or(0.0).min(0.0);
            format.indent = length("margin-left").map(|left| left + hanging).or(format.indent);
            let mut places = ["margin-left", "margin-right", "text-indent"].into_iter().filter_map(length);
            if may_lead_out(places.clone()) {
                format.unjudged = Some(true);
            }
            if places.any(|points| points.abs() > OFF_PAGE) {
                format.away = Some(true);
            }
        }
        "table-row-properties" => {
            let height = element.attribute("row-height").as_deref().and_then(points);
            if height.is_some_and(|height| height <= LEAST_ROW) {
                format.hidden = Some(true);
            }
            style.ground = background.or(style.ground);
        }
        // Which of its styles holds is told by a condition.
        "map" => format.unjudged = Some(true),
        "table-cell-properties" | "table-properties" | "section-properties" => {
            style.turned |= element.attribute("writing-mode").is_some_and(|mode| mode.starts_with("rl"));
            style.ground = background.or(style.ground)
        }
        "graphic-properties" => {
            let is_clear = percent("opacity").is_some_and(|percent| percent < LEAST_GROUND_PERCENT);
            let filled = match element.attribute("fill").as_deref() {
                Some("solid") if is_clear => Some(None),
                Some("solid") => Some(Some(colour("fill-color").unwrap_or(Ground::Unknown))),
                Some("none") => Some(None),
                Some(_) => Some(Some(Ground::Picture)),
                None => background,
            };
            style.ground = filled.or(style.ground);
        }
        _ => {}
    }
}
