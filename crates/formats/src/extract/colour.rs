//! Colours as formats write them, and whether one can be read on another.

use std::sync::LazyLock;

use ahash::AHashMap;

use super::table::by_name;

/// A colour: red, green and blue from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) [u8; 3]);

pub(super) const WHITE: Colour = Colour([255; 3]);
pub(super) const BLACK: Colour = Colour([0; 3]);

/// Contrast (WCAG 2.2) below which letters are lost: light grey D9D9D9 on white has 1.41, F2F2F2 has 1.12, FFFFC8 has 1.02.
pub(super) const LEAST_CONTRAST: f64 = 1.25;

/// The least difference in red or green, in 255 steps, that shows letters as light as their ground, such as red ones on blue. One in blue
/// alone, such as that of yellow and white, hardly does: the eye has few cones for it where it reads.
const LEAST_HUE: u8 = 128;

impl Colour {
    /// A colour `RRGGBB`, perhaps after `#`.
    pub(super) fn of_hex(digits: &str) -> Option<Colour> {
        let digits = digits.trim();
        let digits = digits.strip_prefix('#').unwrap_or(digits);
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
        let [_, red, green, blue] = value.to_be_bytes();
        Some(Colour([red, green, blue]))
    }

    /// The colour between this one and another, of which it has a `share` from 0 to 1.
    pub(super) fn mixed(self, other: Colour, share: f64) -> Colour {
        let mix = |at: usize| {
            let (own, other) = (f64::from(self.0[at]), f64::from(other.0[at]));
            (own + (other - own) * share.clamp(0.0, 1.0)).round() as u8
        };
        Colour([mix(0), mix(1), mix(2)])
    }

    /// Relative luminance, from 0 to 1 (WCAG 2.2).
    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0[0]) + 0.7152 * linear(self.0[1]) + 0.0722 * linear(self.0[2])
    }

    /// The contrast to another colour (WCAG 2.2), from 1 to 21; for two that differ much in red or green at least [`LEAST_CONTRAST`], which is seen.
    pub(super) fn contrast(self, ground: Colour) -> f64 {
        let (own, other) = (self.luminance() + 0.05, ground.luminance() + 0.05);
        let differs = (0..2).any(|part| self.0[part].abs_diff(ground.0[part]) >= LEAST_HUE);
        (own.max(other) / own.min(other)).max(if differs { LEAST_CONTRAST } else { 1.0 })
    }

    /// Whether letters of this colour cannot be seen on a ground.
    pub(super) fn is_lost_on(self, ground: Colour) -> bool {
        self.contrast(ground) < LEAST_CONTRAST && !self.is_hardly_seen_on(ground)
    }

    /// Whether they can be made out by their blue, or the lack of it, and by nothing else.
    pub(super) fn is_hardly_seen_on(self, ground: Colour) -> bool {
        self.contrast(ground) < LEAST_CONTRAST && self.0[2].abs_diff(ground.0[2]) >= LEAST_HUE
    }

    /// A colour of CSS (Color Module Level 4) in lower case without white space, and its opacity.
    pub(super) fn of_css(text: &str) -> Option<(Colour, f64)> {
        if text == "transparent" {
            return Some((WHITE, 0.0));
        }
        if let Some(digits) = text.strip_prefix('#') {
            let long: String = match digits.len() {
                3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
                _ => digits.to_owned(),
            };
            let opacity = match long.get(6..) {
                Some("") | None => 1.0,
                Some(alpha) => f64::from(u8::from_str_radix(alpha, 16).ok()?) / 255.0,
            };
            return Some((Colour::of_hex(long.get(..6)?)?, opacity));
        }
        if let Some((function, arguments)) = text.split_once('(') {
            let parts: Vec<&str> =
                arguments.trim_end_matches(')').split([',', '/', ' ']).filter(|part| !part.is_empty()).collect();
            let &[first, second, third, ref rest @ ..] = parts.as_slice() else { return None };
            let opacity = rest.first().map_or(Some(1.0), |alpha| number(alpha, 1.0))?;
            return match function {
                "rgb" | "rgba" => {
                    let part = |text| number(text, 255.0).map(|value| value.clamp(0.0, 255.0).round() as u8);
                    Some((Colour([part(first)?, part(second)?, part(third)?]), opacity))
                }
                "hsl" | "hsla" => {
                    let hue = first.trim_end_matches("deg").parse().ok()?;
                    let part = |text: &str| text.trim_end_matches('%').parse::<f64>().ok().map(|value| value / 100.0);
                    Some((Colour::of_hsl(hue, part(second)?, part(third)?), opacity))
                }
                // By lightness; what colour there is besides matters only where it is light.
                "lab" | "lch" | "oklab" | "oklch" => {
                    let whole = if function.starts_with("ok") { 1.0 } else { 100.0 };
                    let grey = (number(first, whole)? / whole * 255.0).clamp(0.0, 255.0).round() as u8;
                    Some((Colour([grey; 3]), opacity))
                }
                _ => None,
            };
        }
        NAMED.get(text).map(|parts| (Colour(*parts), 1.0))
    }

    /// By hue in degrees, saturation and lightness from 0 to 1.
    fn of_hsl(hue: f64, saturation: f64, lightness: f64) -> Colour {
        let (saturation, lightness) = (saturation.clamp(0.0, 1.0), lightness.clamp(0.0, 1.0));
        let part = |n: f64| {
            let k = (n + hue.rem_euclid(360.0) / 30.0) % 12.0;
            let amount = saturation * lightness.min(1.0 - lightness);
            ((lightness - amount * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)) * 255.0).round() as u8
        };
        Colour([part(0.0), part(8.0), part(4.0)])
    }
}

/// A number, or a percentage of `whole`.
fn number(text: &str, whole: f64) -> Option<f64> {
    match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|percent| percent / 100.0 * whole),
        None => text.parse().ok(),
    }
}

/// The colours that pages, highlighters and TeX name: those of CSS, its system colours in their usual mode, and Word's dark yellow.
static NAMED: LazyLock<AHashMap<String, [u8; 3]>> = LazyLock::new(|| by_name(include_str!("colours.json")));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_on_light_and_dark_on_dark_are_lost() {
        let hex = |text| Colour::of_hex(text).unwrap();
        for (ink, ground, lost) in [
            ("FFFFFF", "FFFFFF", true),
            ("F7F7F7", "FFFFFF", true),
            ("#F2F2F2", "ffffff", true),
            ("D9D9D9", "FFFFFF", false),
            ("FFFF00", "FFFFFF", false),
            ("FFFFC8", "FFFFFF", true),
            ("FFFFCF", "FFFFFF", true),
            ("CFFFFF", "FFFFFF", true),
            ("FF0000", "4F81BD", false),
            ("FFFFFF", "4F81BD", false),
            ("4F81BD", "4F81BD", true),
            ("000000", "0A0A0A", true),
            ("000000", "404040", false),
        ] {
            assert_eq!(hex(ink).is_lost_on(hex(ground)), lost, "{ink} on {ground}");
        }
        for text in ["", "auto", "00FFFFFF", "白白"] {
            assert_eq!(Colour::of_hex(text), None, "{text}");
        }
    }

    #[test]
    fn colours_of_style_sheets_are_read_in_every_notation() {
        for text in ["white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(100%,100%,100%,1)", "hsl(0,0%,100%)"] {
            assert_eq!(Colour::of_css(text), Some((WHITE, 1.0)), "{text}");
        }
        assert_eq!(Colour::of_css("hsl(240,100%,50%)"), Some((Colour([0, 0, 255]), 1.0)));
        assert_eq!(Colour::of_css("rgb(0 0 0 / 0)"), Some((BLACK, 0.0)));
        assert_eq!(Colour::of_css("#0000"), Some((BLACK, 0.0)));
        assert_eq!(Colour::of_css("transparent").map(|(_, opacity)| opacity), Some(0.0));
        for text in ["", "#", "rgb(", "var(--x)", "#白白"] {
            assert_eq!(Colour::of_css(text), None, "{text}");
        }
    }
}
