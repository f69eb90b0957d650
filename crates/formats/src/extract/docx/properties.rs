//! Properties of runs, paragraphs, cells and rows: what they say of how text looks.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::drawing::modified;
use super::theme::Theme;
use crate::extract::colour::{BLACK, Colour, WHITE};
use crate::extract::style::{Ground, Ink, LetterFormat, may_lead_out};
use crate::extract::xml::Element;
use copytrace_text::layout::MarkKind;

/// Indents of more points than this either way lead out of the page.
const OFF_PAGE: f64 = 1000.0;

/// Letters raised or lowered by more points than this are not on their line.
const OFF_LINE: f64 = 72.0;

/// A run that is pressed into fewer points cannot be read.
const LEAST_FIT: f64 = 3.0;

/// The greatest size of letters that cannot be read, in half points.
const TINY_HALF_POINTS: f64 = 8.0;

static HARMLESS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("harmless.txt").lines().filter(|line| !line.starts_with("--"));
    lines.flat_map(str::split_ascii_whitespace).collect()
});

/// Whether text is seen, and in its order, whatever this property says.
pub(super) fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(name)
}

/// Whether a font has pictures or letters of another alphabet at the places of letters.
pub(super) fn is_of_symbols(font: &str) -> bool {
    font.contains("dings") || font.contains("Symbol") || font == "MT Extra"
}

/// A switch such as `<w:vanish/>` is on unless its value says otherwise.
pub(super) fn is_on(element: &Element<'_>) -> bool {
    !matches!(element.attribute("val").as_deref(), Some("0" | "false" | "off" | "none"))
}

/// The heading level of an `outlineLvl` element; 9 is body text.
pub(super) fn outline_level(element: &Element<'_>) -> Option<MarkKind> {
    let level = element.attribute("val")?.parse::<u8>().ok().filter(|level| *level < 9)?;
    Some(MarkKind::Heading(level + 1))
}

/// A number of twentieths of a point, or with a unit.
pub(super) fn twips(element: &Element<'_>, name: &str) -> Option<f64> {
    let value = element.attribute(name)?;
    match value.strip_suffix("pt") {
        Some(points) => points.parse().ok(),
        None => value.parse::<f64>().ok().map(|value| value / 20.0),
    }
}

/// The ground that a `shd` element makes; `None` lets what is behind through.
pub(super) fn shading(element: &Element<'_>, theme: &Theme) -> Option<Ground> {
    let pattern = element.attribute("val").unwrap_or_default();
    let fill = theme.colour(element, "fill", "themeFill");
    let ink = || theme.colour(element, "color", "theme").unwrap_or(BLACK);
    let share = match pattern.as_str() {
        "nil" => return None,
        "" | "clear" => return fill.map(Ground::Colour),
        "solid" => 1.0,
        _ => match pattern.strip_prefix("pct").and_then(|percent| percent.parse::<f64>().ok()) {
            Some(percent) => percent / 100.0,
            None => 0.5,
        },
    };
    Some(Ground::Colour(fill.unwrap_or(WHITE).mixed(ink(), share)))
}

/// Reads the properties of runs, in which letters may be filled and outlined as shapes are.
#[derive(Default)]
pub(super) struct RunProperties {
    effect: Effect,
    /// Letters have an outline that is seen.
    outlined: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Effect {
    #[default]
    None,
    Fill,
    Outline,
}

impl RunProperties {
    /// Takes a property into a format.
    pub(super) fn start(&mut self, element: &Element<'_>, theme: &Theme, format: &mut LetterFormat) {
        match (element.name(), self.effect) {
            ("textFill", _) => self.effect = Effect::Fill,
            ("textOutline", _) => self.effect = Effect::Outline,
            ("noFill", Effect::Fill) => format.ink = Some(Ink::None),
            ("gradFill", Effect::Fill) => format.ink = Some(Ink::Unknown),
            ("srgbClr" | "schemeClr", effect @ (Effect::Fill | Effect::Outline)) => {
                let value = element.attribute("val").unwrap_or_default();
                let colour = Colour::of_hex(&value).or_else(|| theme.named(&value));
                match (effect, colour) {
                    (Effect::Fill, Some(colour)) if format.ink != Some(Ink::Unknown) => {
                        format.ink = Some(Ink::Colour(colour))
                    }
                    (Effect::Outline, colour) => self.outlined |= colour.is_none_or(|colour| !colour.is_lost_on(WHITE)),
                    _ => {}
                }
            }
            // Here the share is of transparency.
            ("alpha", Effect::Fill) => {
                let share = element.attribute("val").and_then(|value| value.parse::<f64>().ok());
                format.opacity = share.map(|share| 1.0 - share / 100_000.0);
            }
            (_, Effect::Fill) => {
                if let Some(Ink::Colour(colour)) = format.ink {
                    format.ink = Some(modified(element, colour).map_or(Ink::Unknown, Ink::Colour));
                }
            }
            (_, Effect::Outline) => {}
            ("rPr", _) => self.outlined = false,
            ("vanish", _) => format.hidden = Some(is_on(element)),
            ("color", _) => {
                format.ink = Some(theme.colour(element, "val", "theme").map_or(Ink::Seen, Ink::Colour));
            }
            ("shd", _) => format.ground = Some(shading(element, theme)),
            ("highlight", _) => {
                let colour = element.attribute("val").and_then(|name| Colour::of_css(&name.to_lowercase()));
                format.ground = Some(colour.map(|(colour, _)| Ground::Colour(colour)));
            }
            ("sz", _) => {
                let half_points = element.attribute("val").and_then(|size| size.parse::<f64>().ok());
                format.points = half_points.map(|half_points| half_points / 2.0).or(format.points);
            }
            ("w", _) => {
                let percent = element.attribute("val").and_then(|value| value.trim_end_matches('%').parse().ok());
                format.width = percent.or(format.width);
            }
            ("position", _) => {
                let half_points = element.attribute("val").and_then(|value| value.parse::<f64>().ok());
                format.away = half_points.map(|half_points| half_points.abs() / 2.0 > OFF_LINE).or(format.away);
            }
            ("fitText", _) if twips(element, "val").is_some_and(|points| points < LEAST_FIT) => {
                format.width = Some(0.0)
            }
            ("b", _) => format.bold = Some(is_on(element)),
            ("spacing", _) => format.spacing = twips(element, "val").or(format.spacing),
            ("vertAlign", _) => format.raised = Some(element.attribute("val").as_deref() == Some("superscript")),
            // Of letters of other scripts, or of these if another property says so.
            ("szCs", _) => {
                let size = element.attribute("val").and_then(|size| size.parse::<f64>().ok());
                format.unjudged = size.is_some_and(|size| size <= TINY_HALF_POINTS).then_some(true).or(format.unjudged);
            }
            ("cs" | "rtl" | "specVanish", _) => {}
            ("rFonts", _) => {
                let font = |name: &str| element.attribute(name).is_some_and(|font| is_of_symbols(&font));
                format.unjudged = Some(["ascii", "hAnsi"].into_iter().any(font));
            }
            (name, _) if is_harmless(name) => {}
            _ => format.unjudged = Some(true),
        }
    }

    pub(super) fn end(&mut self, name: &str, format: &mut LetterFormat) {
        match name {
            "textFill" | "textOutline" => self.effect = Effect::None,
            "rPr" if self.outlined && format.ink == Some(Ink::None) => format.ink = Some(Ink::Seen),
            _ => {}
        }
    }
}

/// Takes a property of a paragraph into a format; its ground is not one of letters, and is given.
pub(super) fn paragraph_property(
    element: &Element<'_>,
    theme: &Theme,
    format: &mut LetterFormat,
) -> Option<Option<Ground>> {
    match element.name() {
        "outlineLvl" => format.role = outline_level(element).or(format.role),
        "spacing" => {
            let exact = element.attribute("lineRule").as_deref() == Some("exact");
            if let Some(line) = twips(element, "line") {
                format.line = exact.then_some(line);
            }
        }
        "ind" => {
            let indents = ["left", "start", "right", "end", "firstLine"].map(|name| twips(element, name));
            let away = indents.into_iter().flatten().any(|points| points.abs() > OFF_PAGE);
            format.away = away.then_some(true).or(format.away);
            if may_lead_out(indents.into_iter().flatten()) {
                format.unjudged = Some(true);
            }
            let left = twips(element, "left").or_else(|| twips(element, "start"));
            format.indent = left.map(|left| left - twips(element, "hanging").unwrap_or(0.0)).or(format.indent);
        }
        "framePr" => {
            let away =
                ["x", "y"].into_iter().filter_map(|name| twips(element, name)).any(|points| points.abs() > OFF_PAGE);
            format.away = away.then_some(true).or(format.away);
        }
        "shd" => return Some(shading(element, theme)),
        name if is_harmless(name) => {}
        _ => format.unjudged = Some(true),
    }
    None
}
