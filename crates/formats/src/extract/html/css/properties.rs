//! What properties say of how text looks.
//!
//! It is an allow-list: a property is one that cannot hide text (`harmless.txt`), or its value is understood here, or whatever text
//! it is for is unjudged.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ahash::AHashMap;

use super::values::{Measure, colour, colour_in, length, parts, share};
use crate::extract::colour::Colour;
use crate::extract::html::look::Look;
use crate::extract::style::{Ground, Ink, USUAL_POINTS};
use crate::extract::table::has_name;

/// From how many points beside the page on a place is out of it. Pages for the blind set text off by some 10,000 pixels, honest ones by
/// the width of a column at most; chosen by hand between the two.
const OFF_PAGE: f64 = 300.0;

/// The same if the direction may be either, in points: a wide layout reaches further to the right than to the left.
const FAR_OFF_PAGE: f64 = 10.0 * OFF_PAGE;

/// The same of a place that a transformation leads to, in points.
const TURNED_OFF_PAGE: f64 = 3.0 * OFF_PAGE;

/// A share of the box around, in percent, from which on a place may be out of it.
const OUT_OF_BOX: f64 = 90.0;

/// From how many degrees on what is turned about an axis in the page is nearly seen from its edge, or from behind.
const ON_EDGE_DEGREES: f64 = 75.0;

/// A box whose sides in points are no greater and that clips its text shows none of it; of one that is narrower than the second
/// length, or whose height is given, it is not known how much it shows.
const SMALLEST_BOX: f64 = 1.0;
const NARROW_BOX: f64 = 36.0;

/// Lines lower than this share of their letters lie upon each other, and blanks set back by more than that share part nothing.
const LOW_LINE: f64 = 0.5;
const LOST_BLANK: f64 = -0.15;

/// A line through letters is thicker than this share of their height only to cover them.
const THICK_LINE: f64 = 0.3;

/// What is moved by more than these heights of letters, along the line or across, stands at a place of its own.
const OWN_PLACE_ALONG: f64 = 0.2;
const OWN_PLACE_ACROSS: f64 = 1.0;

/// A colour of less opacity, from 0 to 1, hides nothing behind it; letters of less ink than that are not seen.
const LEAST_GROUND: f64 = 0.5;
const LEAST_INK: f64 = 0.1;

/// How an element may be laid out so that its text is seen, in the order that it has.
const DISPLAYS: &str = "inline block inline-block flex inline-flex grid inline-grid flow-root contents list-item run-in table inline-table \
    table-row table-cell table-row-group table-header-group table-footer-group table-caption ruby ruby-base box inline-box flexbox \
    inline-flexbox math flow";

/// Values that every property has, and that change nothing here unless a property says so below.
const NEUTRAL: [&str; 13] = [
    "",
    "none",
    "normal",
    "auto",
    "0",
    "initial",
    "inherit",
    "unset",
    "revert",
    "revert-layer",
    "visible",
    "0s",
    "!ie",
];

static HARMLESS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("harmless.txt").lines().filter(|line| !line.starts_with("--"));
    lines.flat_map(str::split_ascii_whitespace).collect()
});

/// A property's name without a browser's prefix.
pub(super) fn without_prefix(name: &str) -> &str {
    let rest = ["-webkit-", "-moz-", "-ms-", "-o-", "-khtml-", "-epub-", "-apple-"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix));
    rest.unwrap_or(name)
}

/// Whether a property may bear on whether text is seen: all do that are not known to be harmless.
pub(super) fn matters(name: &str) -> bool {
    let fits = |known: &&str| match known.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => *known == name,
    };
    // Those with a star that fit begin with the same letters, and so stand before the name in order.
    let letter = name.get(..1).unwrap_or_default();
    !HARMLESS.contains(name) && !HARMLESS.range(letter..).take_while(|known| known.starts_with(letter)).any(fits)
}

/// Functions whose value is a picture (CSS Images 4).
const DRAWING: [&str; 7] = ["url(", "image(", "image-set(", "cross-fade(", "element(", "paint(", "gradient("];

/// Whether a property with this value, in lower case, draws a picture on its element.
pub(super) fn draws(name: &str, value: &str) -> bool {
    name != "cursor" && DRAWING.iter().any(|function| value.contains(function))
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
    page: Page,
    resolved: impl Fn(&str) -> String,
) -> Look {
    // Of several values of one property the last counts.
    let mut last: AHashMap<&str, (usize, &str)> = AHashMap::new();
    for (at, (property, value)) in declarations.enumerate().filter(|(_, (property, _))| !property.starts_with("--")) {
        last.insert(property, (at, value));
    }
    let mut all: Vec<(usize, &str, &str)> = last.into_iter().map(|(name, (at, value))| (at, name, value)).collect();
    all.sort_unstable();
    let by = Measure { em: outside.format.points.unwrap_or(USUAL_POINTS), rem: page.rem };
    let mut reading = Reading { outside, look: outside, place: Placement::default(), by, page };
    for (_, property, value) in all {
        if !reading.apply(property, &resolved(value)) {
            reading.look.format.unjudged = Some(true);
        }
    }
    reading.finish()
}

/// The declarations of an element that were read so far.
struct Reading {
    outside: Look,
    look: Look,
    place: Placement,
    by: Measure,
    page: Page,
}

/// What holds for a page as a whole, and whether the element is the page.
#[derive(Clone, Copy)]
pub(super) struct Page {
    pub(super) is_root: bool,
    /// Points of its letters.
    pub(super) rem: f64,
    /// It belongs to a book, which may have its pictures with it. Those of a single page can only stand in its style sheets.
    pub(super) has_pictures: bool,
}

/// Where and how large the box of an element is.
#[derive(Default)]
struct Placement {
    gone: bool,
    positioned: bool,
    /// It is taken out of the text around it.
    absolute: bool,
    /// It has a ground of its own, and a size; and that is small.
    filled: bool,
    sized: bool,
    thin: bool,
    /// Set off so far that nothing of it is in the window, if it is positioned, or anyway; or moved a little.
    off: bool,
    pushed: bool,
    moved: bool,
    /// Nothing of it is left; or, of a positioned one, perhaps nothing.
    cut: bool,
    clipped: Option<bool>,
    clips: bool,
    scrolls: bool,
    small: bool,
    /// Its height or its width is given so that text may be cut off, or its text may not be broken into lines.
    tight: bool,
    one_line: bool,
    low_lines: bool,
    aligned: bool,
    opacity: Option<f64>,
    scale: Option<f64>,
    ink: Option<(Colour, f64)>,
    fill: Option<Ink>,
}

impl Reading {
    fn finish(self) -> Look {
        let Reading { mut look, place, outside, .. } = self;
        look.gone |= place.gone;
        let is_cut = place.cut || (place.positioned && place.clipped == Some(true));
        if (place.positioned && place.off) || place.pushed || is_cut || ((place.clips || place.scrolls) && place.small)
        {
            look.format.away = Some(true);
        }
        if (place.clips && (place.tight || place.one_line))
            || (place.positioned && place.clipped == Some(false))
            || (place.low_lines && !place.aligned)
        {
            look.format.unjudged = Some(true);
        }
        (look.positioned, look.covers) =
            (place.positioned, place.absolute && place.filled && place.sized && !place.thin);
        look.piece |= (place.positioned && place.moved) || place.absolute;
        if let Some(opacity) = place.opacity {
            look.format.opacity = Some(opacity * outside.format.opacity.unwrap_or(1.0));
        }
        if let Some(scale) = place.scale.filter(|scale| *scale < 1.0) {
            look.format.points = Some(look.format.points.unwrap_or(USUAL_POINTS) * scale);
        }
        if let Some((colour, opacity)) = place.ink {
            let mixed = match look.ground {
                Ground::Colour(ground) if opacity < 1.0 => ground.mixed(colour, opacity),
                _ => colour,
            };
            look.format.ink = Some(Ink::Colour(mixed));
        }
        look.format.ink = place.fill.or(look.format.ink);
        look
    }

    /// Takes a declaration in; whether it was understood.
    fn apply(&mut self, property: &str, value: &str) -> bool {
        let Reading { outside, look, place, by, page } = self;
        let by = *by;
        let inherits = matches!(value, "inherit" | "unset" | "revert" | "revert-layer");
        let is_neutral = inherits || NEUTRAL.contains(&value);
        let points = |value: &str| length(value, by);
        // Values of sides: whether each is known, and whether one leads out of the page.
        let known = |part: &str| {
            is_neutral
                || part == "auto"
                || points(part).is_some()
                || part.chars().all(|c| c.is_alphabetic() || c == '-')
        };
        let far = |part: &str| points(part).is_some_and(|points| points <= -OFF_PAGE || points.abs() >= FAR_OFF_PAGE);
        let percent = |part: &str| part.strip_suffix('%').and_then(|percent| percent.parse::<f64>().ok());
        if draws(property, value) {
            look.pictured = true;
            if !matters(property) {
                return true;
            }
        }
        match property {
            "display" => {
                place.gone = value == "none";
                look.displayed = value != "none" && !is_neutral;
                look.inline = (value.starts_with("inline") && value != "inline-table") || value == "contents";
                let is_known = |word| has_name(DISPLAYS, word);
                is_neutral || value.split(' ').map(without_prefix).all(is_known)
            }
            "visibility" if inherits => {
                look.format.hidden = outside.format.hidden;
                true
            }
            "visibility" => {
                look.format.hidden = Some(matches!(value, "hidden" | "collapse"));
                is_neutral || matches!(value, "hidden" | "collapse")
            }
            "content-visibility" => {
                look.gone |= value == "hidden";
                is_neutral || value == "hidden"
            }
            "color" | "text-fill-color" => {
                let ink = match colour(value) {
                    _ if inherits => outside.format.ink,
                    _ if value == "initial" => None,
                    _ if value == "currentcolor" || value.is_empty() => return true,
                    Some((_, opacity)) if opacity < LEAST_INK => Some(Ink::None),
                    Some((colour, opacity)) if property == "color" => {
                        place.ink = Some((colour, opacity));
                        return true;
                    }
                    Some((colour, _)) => Some(Ink::Colour(colour)),
                    None => Some(Ink::Unknown),
                };
                if property == "color" {
                    place.ink = None;
                    look.format.ink = ink;
                } else {
                    place.fill = ink;
                }
                true
            }
            "background" | "background-color" | "background-image" => {
                let is_picture = value.contains("url(data:") || (page.has_pictures && value.contains("url("));
                let unknown = if page.is_root { Ground::Unknown } else { Ground::Picture };
                match colour_in(value) {
                    _ if is_neutral => {}
                    _ if is_picture || value.contains("gradient(") => look.ground = unknown,
                    Some((colour, opacity)) if opacity > LEAST_GROUND => {
                        look.ground = match look.ground {
                            Ground::Colour(behind) => Ground::Colour(behind.mixed(colour, opacity)),
                            _ => Ground::Colour(colour),
                        }
                    }
                    None if value.contains('(') && !value.contains("url(") => look.ground = unknown,
                    _ => {}
                }
                place.filled |= !is_neutral && colour_in(value).is_none_or(|(_, opacity)| opacity > LEAST_GROUND);
                look.drawn_over |= value.contains("text");
                true
            }
            // Letters that are filled with nothing may show in their shadow, their outline, or the ground that they cut out.
            "text-shadow" | "text-stroke" | "text-stroke-width" | "background-clip" | "text-stroke-color" => {
                look.drawn_over = !is_neutral && !value.ends_with("-box");
                true
            }
            "opacity" => {
                place.opacity = share(value).or(place.opacity);
                is_neutral || share(value).is_some()
            }
            "font-size" if inherits || value.is_empty() => {
                look.format.points = outside.format.points;
                true
            }
            "font-size" => {
                look.format.points = points(value).or(look.format.points);
                points(value).is_some() || value == "initial"
            }
            "font" => {
                let size = |word: &str| points(word.split('/').next().unwrap_or_default());
                let size = parts(value).find_map(size);
                look.format.points = size.or(look.format.points);
                is_neutral || size.is_some() || !value.contains('(')
            }
            // Pictures or letters of another alphabet, at the places of letters.
            "font-family" => {
                let first = value.split(',').next().unwrap_or_default().trim_matches(['"', '\'', ' ']);
                !first.contains("dings") && first != "symbol"
            }
            "letter-spacing" => {
                look.format.spacing = if inherits { outside.format.spacing } else { points(value) };
                is_neutral || points(value).is_some()
            }
            "word-spacing" => is_neutral || points(value).is_some_and(|points| points >= LOST_BLANK * by.em),
            "line-height" => {
                let height = share(value).filter(|_| !value.ends_with(char::is_alphabetic));
                let lines = height.or_else(|| points(value).map(|points| points / by.em));
                place.low_lines = lines.is_some_and(|lines| lines < LOW_LINE);
                (is_neutral && value != "0") || lines.is_some()
            }
            "position" => {
                place.absolute = matches!(value, "absolute" | "fixed");
                place.positioned = place.absolute || value == "relative";
                is_neutral || place.positioned || matches!(without_prefix(value), "static" | "sticky")
            }
            "left" | "right" | "top" | "bottom" | "inset" | "inset-inline" | "inset-block" | "inset-inline-start"
            | "inset-inline-end" | "inset-block-start" | "inset-block-end" => {
                let along = !matches!(property, "top" | "bottom") && !property.contains("block");
                let limit = by.em * if along { OWN_PLACE_ALONG } else { OWN_PLACE_ACROSS };
                let words = || parts(value);
                place.sized |= property.starts_with("inset");
                place.off |= words().any(far);
                place.moved |= words().any(|word| points(word).is_some_and(|points| points.abs() > limit));
                is_neutral || words().all(|word| known(word) && percent(word).is_none_or(|by| by.abs() < OUT_OF_BOX))
            }
            "text-indent" => {
                place.pushed |= far(value);
                known(value) && percent(value).is_none_or(|by| by.abs() < OUT_OF_BOX / 2.0)
            }
            _ if ["margin", "padding", "border"].iter().any(|kind| property.starts_with(kind)) => {
                let words = || parts(value);
                place.pushed |= words().any(far);
                let is_side = property.starts_with("border")
                    || words()
                        .all(|word| known(word) && percent(word).is_none_or(|by| by > -OUT_OF_BOX && by <= OUT_OF_BOX));
                is_neutral || is_side
            }
            "vertical-align" | "baseline-shift" => {
                place.aligned = true;
                place.pushed |= far(value);
                known(value)
            }
            "float" => {
                look.piece |= value == "right" || value == "inline-end";
                is_neutral || ["left", "right", "inline-start", "inline-end"].contains(&value)
            }
            "order" | "flex-order" | "box-ordinal-group" => {
                look.piece |= !is_neutral;
                true
            }
            "grid-area" | "grid-row" | "grid-column" | "grid-row-start" | "grid-row-end" | "grid-column-start"
            | "grid-column-end" => {
                look.piece |= !is_neutral;
                true
            }
            "flex-direction" | "flex-flow" | "box-direction" | "grid-auto-flow" => {
                !value.contains("reverse") && !value.contains("dense")
            }
            "direction" => {
                look.right_to_left = value == "rtl";
                true
            }
            "unicode-bidi" => {
                look.overrides = value.contains("override");
                true
            }
            "white-space" | "white-space-collapse" | "text-wrap-mode" => {
                place.one_line = value.contains("nowrap") || value == "pre";
                true
            }
            "zoom" | "scale" => {
                let shares: Vec<Option<f64>> = parts(value).map(share).collect();
                let least = shares.iter().flatten().copied().fold(1.0, f64::min);
                place.scaled(least);
                is_neutral || (shares.iter().all(Option::is_some) && least >= 0.0)
            }
            "rotate" => is_neutral || !value.starts_with(['x', 'y']) && value.split(' ').count() == 1,
            "translate" => {
                place.pushed |= value
                    .split_ascii_whitespace()
                    .any(|word| points(word).is_some_and(|points| points.abs() >= TURNED_OFF_PAGE));
                is_neutral || parts(value).all(known)
            }
            "transform" => value
                .split(')')
                .map(str::trim)
                .filter(|function| !function.is_empty())
                .all(|function| place.transformed(function, by)),
            "filter" => match value.split_once("opacity(") {
                Some((_, opacity)) => {
                    place.opacity = share(opacity.split(')').next().unwrap_or_default()).or(place.opacity);
                    value.matches('(').count() == 1
                }
                None => {
                    is_neutral
                        || ["drop-shadow(", "grayscale(", "sepia("].iter().any(|known| value.starts_with(known))
                            && value.matches('(').count() == 1
                }
            },
            "clip" => {
                let sides = value.replace([' ', ','], "").replace("px", "");
                place.clipped =
                    (!is_neutral).then_some(matches!(sides.as_str(), "rect(0000)" | "rect(1111)" | "rect(0auto0)"));
                true
            }
            "clip-path" => {
                place.cut |= matches!(value, "inset(100%)" | "inset(50%)" | "circle(0)" | "circle(0px)");
                is_neutral || place.cut
            }
            "overflow" | "overflow-x" | "overflow-y" | "overflow-block" | "overflow-inline" => {
                place.clips |= value.contains("hidden") || value.contains("clip");
                place.scrolls |= value.contains("auto") || value.contains("scroll");
                true
            }
            "width" | "max-width" | "inline-size" | "max-inline-size" | "height" | "max-height" | "block-size"
            | "max-block-size" => {
                let size = points(value);
                place.sized |= !is_neutral;
                place.thin |= size.is_some_and(|points| points < NARROW_BOX);
                place.small |= size.is_some_and(|points| points <= SMALLEST_BOX);
                let is_wide = property.contains("width") || property.contains("inline");
                let is_relative = value.ends_with(['%', 'w', 'h']);
                place.tight |= !is_relative && size.is_some_and(|points| !is_wide || points < NARROW_BOX);
                place.tight |= size.is_none() && value.contains('(');
                true
            }
            // Lines drawn over the letters.
            "text-decoration" | "text-decoration-thickness" => {
                let is_thin = |part: &str| points(part).is_none_or(|points| points <= THICK_LINE * by.em);
                !parts(value).any(|part| part.contains("calc")) && parts(value).all(is_thin)
            }
            "outline-offset" => is_neutral || points(value).is_some_and(|points| points >= 0.0),
            "z-index" => is_neutral || share(value).is_some_and(|at| at >= 0.0),
            "content" => !value.contains('('),
            // A box that is as large as if it were empty may clip what is in it.
            "contain" | "container" | "container-type" => {
                !value.split([' ', '/']).any(|word| matches!(word, "size" | "strict"))
            }
            // Of what is not known, nothing is not the same as none.
            _ => is_neutral && value != "0",
        }
    }
}

impl Placement {
    fn scaled(&mut self, by: f64) {
        self.scale = Some(self.scale.unwrap_or(1.0) * by.abs());
    }

    /// Takes in a function of a transformation, without its last bracket; whether it was understood.
    fn transformed(&mut self, function: &str, by: Measure) -> bool {
        let (name, arguments) = function.split_once('(').unwrap_or((function, ""));
        let arguments = || arguments.split(',').map(str::trim);
        match name {
            "none" | "initial" | "inherit" | "unset" | "rotate" | "rotatez" => true,
            "scale" | "scalex" | "scaley" | "scalez" | "scale3d" => {
                let shares: Vec<Option<f64>> = arguments().map(share).collect();
                let least = shares.iter().flatten().copied().fold(1.0, f64::min);
                self.scaled(least);
                // Below zero letters are shown as in a mirror.
                shares.iter().all(Option::is_some) && least >= 0.0
            }
            "translate" | "translatex" | "translatey" | "translatez" | "translate3d" => {
                let far = |argument: &str| length(argument, by).is_some_and(|points| points.abs() >= TURNED_OFF_PAGE);
                self.pushed |= arguments().any(far);
                let is_near = |argument: &str| match argument.strip_suffix('%') {
                    Some(percent) => percent.parse::<f64>().is_ok_and(|percent| percent.abs() <= OUT_OF_BOX),
                    None => length(argument, by).is_some(),
                };
                arguments().all(is_near)
            }
            "rotatex" | "rotatey" | "skew" | "skewx" | "skewy" => arguments().all(|angle| {
                let degrees = angle.strip_suffix("deg").and_then(|degrees| degrees.parse::<f64>().ok());
                let degrees = degrees.or_else(|| angle.parse().ok().filter(|angle| *angle == 0.0));
                degrees.is_some_and(|degrees| degrees.abs() < ON_EDGE_DEGREES)
            }),
            _ => false,
        }
    }
}
