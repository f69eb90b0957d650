//! Shapes that hold text: what they are filled with, and whether they are shown.

use super::theme::Theme;
use crate::extract::colour::{BLACK, Colour, WHITE};
use crate::extract::style::{Ground, points};
use crate::extract::xml::Element;

/// The fill of a shape, as far as it is known.
#[derive(Default)]
pub(super) struct Shape {
    fill: Fill,
    /// Inside of the properties of the shape, of a reference to the theme's fills, of outlines and shadows.
    in_properties: bool,
    in_style: bool,
    in_outline: bool,
    /// Nobody sees it: it has no size, is hidden, or stands beside the page.
    pub(super) is_unseen: bool,
    /// Its sides in points, if they are known.
    pub(super) size: Option<[f64; 2]>,
}

/// Beyond how many points from the page's corner a shape is out of the page: the largest usual page has 1,200 on its long side.
pub(super) const OFF_PAGE: f64 = 1500.0;

/// The longest side of a shape that shows no text, in points.
const LEAST_SIDE: f64 = 4.0;

/// The least width and height of letters that are read without effort, in points; and the usual width of a page's text.
const LETTER: [f64; 2] = [3.2, 8.0];
pub(super) const TEXT_WIDTH: f64 = 450.0;

/// Whether a box of this width and height has no room for its `characters`: what does not fit is not shown.
pub(super) fn is_overfull([across, down]: [f64; 2], characters: u32) -> bool {
    f64::from(characters) > (across / LETTER[0] + 1.0) * (down / LETTER[1] + 1.0)
}

/// How many units of drawings are a point.
pub(super) const EMU: f64 = 12_700.0;

/// A fill of less opacity, from 0 to 1, is none.
const TRANSPARENT: f64 = 0.1;

#[derive(Clone, Copy, Default, PartialEq)]
enum Fill {
    /// Nothing was said.
    #[default]
    Unsaid,
    /// What is behind shows.
    None,
    /// So it is.
    Some(Ground),
}

/// A colour after a change that an element inside of it says; `None` if the change is not known.
pub(super) fn modified(element: &Element<'_>, colour: Colour) -> Option<Colour> {
    let share = || element.attribute("val")?.parse::<f64>().ok().map(|share| share / 100_000.0);
    Some(match element.name() {
        "lumMod" | "shade" => colour.mixed(BLACK, 1.0 - share()?),
        "lumOff" => colour.mixed(WHITE, share()?),
        "tint" => colour.mixed(WHITE, 1.0 - share()?),
        "alpha" | "hueMod" | "hueOff" | "satMod" | "satOff" | "solidFill" => colour,
        _ => return None,
    })
}

/// Whether a declaration of a shape of VML makes that nobody sees it.
fn is_unseen(declaration: &str) -> bool {
    let Some((property, value)) = declaration.split_once(':') else { return false };
    let value = value.trim();
    match property.trim() {
        "visibility" => value == "hidden",
        "display" => value == "none",
        "width" | "height" => points(value).or_else(|| value.parse().ok()).is_some_and(|points| points <= LEAST_SIDE),
        "left" | "top" | "margin-left" | "margin-top" => points(value).is_some_and(|points| points.abs() > OFF_PAGE),
        _ => false,
    }
}

impl Shape {
    /// A shape of the older drawing language, VML, or one of the newer, which says its fill inside.
    pub(super) fn new(element: &Element<'_>) -> Self {
        let mut shape = Shape {
            is_unseen: element.attribute("style").is_some_and(|style| style.split(';').any(is_unseen)),
            ..Shape::default()
        };
        if element.name() != "wsp" {
            shape.fill = match (element.attribute("filled").as_deref(), element.attribute("fillcolor")) {
                (Some("f" | "false"), _) | (_, None) => Fill::None,
                (_, Some(colour)) => {
                    let colour = colour.split_ascii_whitespace().next().unwrap_or_default().to_lowercase();
                    Fill::Some(Colour::of_css(&colour).map_or(Ground::Picture, |(colour, _)| Ground::Colour(colour)))
                }
            };
        }
        shape
    }

    /// Takes in an element inside of the shape, before its text.
    pub(super) fn start(&mut self, element: &Element<'_>, theme: &Theme) {
        let value = || element.attribute("val").unwrap_or_default();
        let share = || value().parse::<f64>().ok().map(|share| share / 100_000.0);
        match element.name() {
            "spPr" => self.in_properties = true,
            "ext" if self.in_properties => {
                let size = |name: &str| element.attribute(name)?.parse::<f64>().ok();
                let sides = [size("cx"), size("cy")];
                self.is_unseen |= sides.into_iter().flatten().any(|size| size <= LEAST_SIDE * EMU);
                self.size = sides[0].zip(sides[1]).map(|(across, down)| [across / EMU, down / EMU]);
            }
            "ln" | "effectLst" => self.in_outline = true,
            _ if self.in_outline => {}
            // Of the older language: a gradient, a pattern or a picture.
            "fill" if element.attribute("type").is_some_and(|kind| kind != "solid") => {
                self.fill = Fill::Some(Ground::Picture);
            }
            "noFill" if self.in_properties => self.fill = Fill::None,
            "solidFill" | "gradFill" | "blipFill" | "pattFill" | "grpFill" if self.in_properties => {
                self.fill = Fill::Some(Ground::Picture);
            }
            // A style's fill counts if the shape says none itself.
            "fillRef" if self.fill == Fill::Unsaid && element.attribute("idx").as_deref() != Some("0") => {
                self.fill = Fill::Some(Ground::Picture);
                self.in_style = true;
            }
            "srgbClr" | "schemeClr" | "sysClr" | "prstClr" if self.fill == Fill::Some(Ground::Picture) => {
                let name = element.attribute("lastClr").unwrap_or_else(value);
                let colour = Colour::of_hex(&name).or_else(|| theme.named(&name));
                let colour = colour.or_else(|| Colour::of_css(&name.to_lowercase()).map(|(colour, _)| colour));
                // Of several colours the first one of a gradient decides nothing.
                if let Some(colour) = colour.filter(|_| self.in_properties || self.in_style) {
                    self.fill = Fill::Some(Ground::Colour(colour));
                }
            }
            "lumMod" | "shade" | "lumOff" | "tint" => {
                if let Fill::Some(Ground::Colour(colour)) = self.fill {
                    self.fill = Fill::Some(modified(element, colour).map_or(Ground::Picture, Ground::Colour));
                }
            }
            "alpha" if share().is_some_and(|share| share < TRANSPARENT) => self.fill = Fill::None,
            _ => {}
        }
    }

    /// A gradient or a pattern is of several colours.
    pub(super) fn end(&mut self, name: &str) {
        match name {
            "spPr" => self.in_properties = false,
            "fillRef" => self.in_style = false,
            "ln" | "effectLst" => self.in_outline = false,
            "gradFill" | "pattFill" | "blipFill" if self.in_properties && !self.in_outline => {
                self.fill = Fill::Some(Ground::Picture);
            }
            _ => {}
        }
    }

    /// Whether the shape covers what is behind.
    pub(super) fn is_filled(&self) -> bool {
        matches!(self.fill, Fill::Some(_))
    }

    /// The ground of the text in it.
    pub(super) fn ground(&self, behind: Ground) -> Ground {
        match self.fill {
            Fill::Some(ground) => ground,
            Fill::Unsaid | Fill::None => behind,
        }
    }
}
