//! Colours by the models of the packages `color` and `xcolor`.

use std::collections::BTreeMap;

use crate::extract::colour::{Colour, WHITE};

/// Colours that a document defines.
#[derive(Default)]
pub(super) struct Colours(BTreeMap<String, Colour>);

impl Colours {
    /// Takes over `\definecolor{name}{model}{specification}`.
    pub(super) fn define(&mut self, name: &str, model: &str, specification: &str) {
        let colour = self.get(Some(model), specification);
        self.0.extend(colour.map(|colour| (name.trim().to_owned(), colour)));
    }

    /// A colour by a model and its numbers, or by a name such as `white!90!black`.
    pub(super) fn get(&self, model: Option<&str>, specification: &str) -> Option<Colour> {
        let parts: Vec<f64> = specification.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        let of = |scale: f64| match parts[..] {
            [red, green, blue] => {
                Some(Colour([red, green, blue].map(|part| (part * scale).clamp(0.0, 255.0).round() as u8)))
            }
            _ => None,
        };
        match model.map(str::trim) {
            Some("rgb") => of(255.0),
            Some("RGB") => of(1.0),
            Some("HTML") => Colour::of_hex(specification),
            Some("gray") => parts.first().map(|grey| Colour([(grey * 255.0).clamp(0.0, 255.0).round() as u8; 3])),
            Some("cmyk") => match parts[..] {
                [cyan, magenta, yellow, black] => Some(Colour(
                    [cyan, magenta, yellow].map(|ink| (255.0 * (1.0 - ink) * (1.0 - black)).clamp(0.0, 255.0) as u8),
                )),
                _ => None,
            },
            _ => self.named(specification.trim()),
        }
    }

    fn named(&self, name: &str) -> Option<Colour> {
        let mut parts = name.split('!');
        let one = |name: &str| self.0.get(name).copied().or_else(|| Some(Colour::of_css(&name.to_lowercase())?.0));
        let mut colour = one(parts.next()?)?;
        while let Some(share) = parts.next() {
            let share = share.parse::<f64>().ok()? / 100.0;
            let other = parts.next().map_or(Some(WHITE), one)?;
            colour = other.mixed(colour, share);
        }
        Some(colour)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_known_by_every_model() {
        let mut colours = Colours::default();
        colours.define("paper", "rgb", "1,1,1");
        for (model, name) in [
            (None, "white"),
            (None, "paper"),
            (None, "black!0"),
            (None, "white!100!black"),
            (Some("gray"), "1"),
            (Some("RGB"), "255,255,255"),
            (Some("HTML"), "FFFFFF"),
            (Some("cmyk"), "0,0,0,0"),
        ] {
            assert_eq!(colours.get(model, name), Some(WHITE), "{model:?} {name}");
        }
        assert_eq!(colours.get(None, "nonsense"), None);
    }
}
