//! What properties say of how text looks.

use crate::extract::colour::Colour;
use crate::extract::html::look::Look;
use crate::extract::style::{Ground, Ink, USUAL_POINTS, points};

/// Places so many points beside the page are out of it. Pages for the blind set text off by some 10,000 pixels, honest ones by
/// the width of a column at most; chosen by hand between the two.
const OFF_PAGE: f64 = 300.0;

/// The same if the direction may be either, in points: a wide layout reaches further to the right than to the left.
const FAR_OFF_PAGE: f64 = 10.0 * OFF_PAGE;

/// The same of a place that a transformation leads to, in points.
const TURNED_OFF_PAGE: f64 = 3.0 * OFF_PAGE;

/// A scale (1 is the usual size) below which letters are less than a point high.
const SMALLEST_SCALE: f64 = 0.05;

/// What is turned about an axis in the page by a right angle, give or take so many degrees, is seen from its edge.
const ON_EDGE_DEGREES: f64 = 2.0;

/// A box whose sides in points are no greater and that clips its text shows none of it.
const SMALLEST_BOX: f64 = 1.0;

/// Points of a hundredth of the window's width, which has 1,000 pixels.
const POINTS_OF_VW: f64 = 7.5;

/// A colour of less opacity, from 0 to 1, hides nothing behind it; letters of less ink than that are not seen.
const LEAST_GROUND: f64 = 0.5;
const LEAST_INK: f64 = 0.1;

/// Whether a property bears on whether text is seen.
pub(super) fn matters(property: &str) -> bool {
    include_str!("properties.txt").lines().any(|known| known == property)
}

/// Properties with their values, both in lower case.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) normal: Vec<(String, String)>,
    /// Those that are `!important`.
    pub(super) important: Vec<(String, String)>,
}

impl Declarations {
    pub(super) fn is_empty(&self) -> bool {
        self.normal.is_empty() && self.important.is_empty()
    }

    pub(super) fn add(&mut self, property: String, value: &str) {
        match value.strip_suffix("important").and_then(|value| value.trim_end().strip_suffix('!')) {
            Some(value) => self.important.push((property, value.trim_end().to_owned())),
            None => self.normal.push((property, value.to_owned())),
        }
    }
}

/// How text looks by these declarations in order, inside of a text of given looks. Values may name variables, which `resolved`
/// replaces.
pub(super) fn applied<'d>(
    declarations: impl Iterator<Item = &'d (String, String)>,
    outside: Look,
    resolved: impl Fn(&str) -> String,
) -> Look {
    let mut look = outside;
    let mut place = Placement::default();
    let mut shown = true;
    for (property, value) in declarations {
        if property == "display" {
            shown = value != "none";
            look.inline = (value.starts_with("inline") && value != "inline-table") || value == "contents";
        } else {
            apply(property, &resolved(value), outside.format.points, &mut look, &mut place);
        }
    }
    look.gone |= !shown;
    if place.is_away() {
        look.format.away = Some(true);
    }
    if let Some(opacity) = place.opacity {
        look.format.opacity = Some(opacity * outside.format.opacity.unwrap_or(1.0));
    }
    look
}

/// Whether what is turned so far about an axis in the page is seen from its edge.
fn is_on_edge(angle: &str) -> bool {
    let degrees = angle.trim().strip_suffix("deg").and_then(|degrees| degrees.parse::<f64>().ok());
    degrees.is_some_and(|degrees| (degrees.abs() % 180.0 - 90.0).abs() < ON_EDGE_DEGREES)
}

/// Where and how large the box of an element is.
#[derive(Default)]
struct Placement {
    positioned: bool,
    /// Set off so far that nothing of it is in the window, if it is positioned, or anyway.
    off: bool,
    pushed: bool,
    /// Nothing of it is left.
    cut: bool,
    clips: bool,
    small: bool,
    opacity: Option<f64>,
}

impl Placement {
    fn is_away(&self) -> bool {
        (self.positioned && self.off) || self.pushed || self.cut || (self.clips && self.small)
    }
}

fn apply(property: &str, value: &str, outside: Option<f64>, look: &mut Look, place: &mut Placement) {
    let far = || length(value, outside).is_some_and(|points| points <= -OFF_PAGE);
    let far_either_way = || length(value, outside).is_some_and(|points| points.abs() >= FAR_OFF_PAGE);
    match property {
        "visibility" => look.format.hidden = Some(matches!(value, "hidden" | "collapse")),
        "content-visibility" => look.gone |= value == "hidden",
        "color" | "-webkit-text-fill-color" => match value {
            "inherit" | "initial" | "unset" | "currentcolor" => {}
            _ => {
                look.format.ink = Some(ink(value));
                look.doubtful |= value.contains('(') && Colour::of_css(&compact(value)).is_none();
            }
        },
        "background" | "background-color" | "background-image" => {
            if value.contains("url(") || value.contains("gradient(") {
                look.ground = Ground::Unknown;
            } else if let Some((colour, opacity)) = colour_in(value)
                && opacity > LEAST_GROUND
            {
                look.ground = Ground::Colour(colour);
            }
        }
        "opacity" => place.opacity = share(value).or(place.opacity),
        "font-size" => look.format.points = length(value, outside).or(look.format.points),
        "font" => {
            let size = value.split_ascii_whitespace().find_map(|word| {
                length(word.split('/').next().unwrap_or_default(), outside).filter(|_| word.contains(char::is_numeric))
            });
            look.format.points = size.or(look.format.points);
        }
        "letter-spacing" => look.format.spacing = length(value, outside),
        "position" => place.positioned = matches!(value, "absolute" | "fixed" | "relative"),
        "left" | "top" | "right" | "bottom" => place.off |= far() || far_either_way(),
        "margin-left" | "margin-top" | "text-indent" => place.pushed |= far() || far_either_way(),
        "direction" => look.right_to_left = value == "rtl",
        "unicode-bidi" => look.overrides = value.contains("override"),
        "zoom" | "scale" => {
            place.cut |= value.split_ascii_whitespace().any(|by| share(by).is_some_and(|by| by < SMALLEST_SCALE))
        }
        "rotate" => place.cut |= value.starts_with(['x', 'y']) && is_on_edge(&value[1..]),
        "transform" => {
            for function in value.split(')') {
                let (name, arguments) = function.split_once('(').unwrap_or((function, ""));
                let arguments = || arguments.split(',').map(str::trim);
                if name.contains("scale") {
                    let small = |number: &str| number.parse::<f64>().is_ok_and(|number| number.abs() < SMALLEST_SCALE);
                    place.cut |= arguments().any(small);
                } else if name.ends_with("rotatex") || name.ends_with("rotatey") {
                    place.cut |= arguments().any(is_on_edge);
                } else if name.contains("translate") {
                    let far = |by: &str| length(by, outside).is_some_and(|points| points.abs() >= TURNED_OFF_PAGE);
                    place.pushed |= arguments().any(far);
                }
            }
        }
        "filter" => match value.split_once("opacity(") {
            Some((_, opacity)) => place.opacity = share(opacity.split(')').next().unwrap_or_default()),
            None => look.doubtful |= value.contains('(') && !value.starts_with("drop-shadow"),
        },
        "mask" | "mask-image" | "-webkit-mask-image" => look.doubtful |= value.contains('('),
        "mix-blend-mode" => look.doubtful |= value != "normal",
        "clip" => {
            let value = value.replace([' ', ','], "").replace("px", "");
            place.cut |= place.positioned && matches!(value.as_str(), "rect(0000)" | "rect(1111)" | "rect(0auto0)");
        }
        "clip-path" => place.cut |= matches!(value, "inset(100%)" | "inset(50%)" | "circle(0)" | "circle(0px)"),
        "overflow" => place.clips = matches!(value, "hidden" | "clip"),
        _ => place.small |= length(value, outside).is_some_and(|points| points <= SMALLEST_BOX),
    }
}

/// A share from 0 to 1, perhaps in percent.
fn share(value: &str) -> Option<f64> {
    match value.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|percent| percent / 100.0),
        None => value.parse().ok(),
    }
}

fn ink(value: &str) -> Ink {
    match Colour::of_css(&compact(value)) {
        Some((_, opacity)) if opacity < LEAST_INK => Ink::None,
        Some((colour, _)) => Ink::Colour(colour),
        None => Ink::Seen,
    }
}

/// A value without the blanks that may stand around its signs.
fn compact(value: &str) -> String {
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    words.join(" ").replace(", ", ",").replace(" ,", ",").replace("( ", "(").replace(" )", ")")
}

/// The first colour in a value such as `#fff no-repeat`.
fn colour_in(value: &str) -> Option<(Colour, f64)> {
    let value = compact(value);
    Colour::of_css(&value).or_else(|| value.split(' ').find_map(Colour::of_css))
}

/// A length in points; those without a fixed unit are of letters around.
fn length(value: &str, outside: Option<f64>) -> Option<f64> {
    let outside = outside.unwrap_or(USUAL_POINTS);
    let number = |unit: &str| value.strip_suffix(unit)?.parse::<f64>().ok();
    match value {
        "0" => return Some(0.0),
        "xx-small" => return Some(6.75),
        "x-small" => return Some(7.5),
        "small" => return Some(9.75),
        "medium" => return Some(USUAL_POINTS),
        "smaller" => return Some(outside / 1.2),
        "larger" => return Some(outside * 1.2),
        _ => {}
    }
    points(value)
        .or_else(|| number("rem").map(|rem| rem * USUAL_POINTS))
        .or_else(|| number("em").map(|em| em * outside))
        .or_else(|| number("ex").map(|ex| ex * outside / 2.0))
        .or_else(|| number("vw").or_else(|| number("vh")).map(|share| share * POINTS_OF_VW))
        .or_else(|| number("%").map(|percent| percent / 100.0 * outside))
}
