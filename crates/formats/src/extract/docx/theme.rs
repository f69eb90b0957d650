//! The colours that a document names by their place in its theme.

use std::collections::BTreeMap;

use crate::extract::ExtractError;
use crate::extract::colour::{BLACK, Colour, WHITE};
use crate::extract::xml::{Element, Node, walk};
use crate::limits::ReadLimits;

/// Colours by their names in a theme: `dk1`, `lt1`, `accent1` and so on.
pub(super) struct Theme {
    colours: BTreeMap<String, Colour>,
    /// What the settings put in place of the four main colours.
    mapped: BTreeMap<&'static str, &'static str>,
}

impl Default for Theme {
    /// The main colours of Office's own theme.
    fn default() -> Self {
        let colours = [
            ("dk1", BLACK),
            ("lt1", WHITE),
            ("dk2", Colour([0x44, 0x54, 0x6A])),
            ("lt2", Colour([0xE7, 0xE6, 0xE6])),
            ("accent1", Colour([0x44, 0x72, 0xC4])),
            ("accent2", Colour([0xED, 0x7D, 0x31])),
            ("accent3", Colour([0xA5, 0xA5, 0xA5])),
            ("accent4", Colour([0xFF, 0xC0, 0x00])),
            ("accent5", Colour([0x5B, 0x9B, 0xD5])),
            ("accent6", Colour([0x70, 0xAD, 0x47])),
        ];
        let colours = colours.map(|(name, colour)| (name.to_owned(), colour));
        Theme { colours: colours.into(), mapped: BTreeMap::new() }
    }
}

/// A colour's name in a theme, by the names that documents and drawings have for it.
fn canonical(name: &str) -> &str {
    match name {
        "text1" | "tx1" | "dark1" => "dk1",
        "background1" | "bg1" | "light1" => "lt1",
        "text2" | "tx2" | "dark2" => "dk2",
        "background2" | "bg2" | "light2" => "lt2",
        name => name,
    }
}

impl Theme {
    pub(super) fn read(name: &str, part: &[u8], limits: &ReadLimits) -> Result<Self, ExtractError> {
        let mut theme = Theme::default();
        let mut slot: Option<String> = None;
        walk(name, part, limits, |node| {
            match node {
                Node::Start(element) => match element.name() {
                    name @ ("dk1" | "lt1" | "dk2" | "lt2" | "accent1" | "accent2" | "accent3" | "accent4"
                    | "accent5" | "accent6" | "hlink" | "folHlink") => slot = Some(name.to_owned()),
                    "srgbClr" | "sysClr" => {
                        let value = element.attribute("lastClr").or_else(|| element.attribute("val"));
                        if let (Some(slot), Some(colour)) = (slot.take(), value.as_deref().and_then(Colour::of_hex)) {
                            theme.colours.insert(slot, colour);
                        }
                    }
                    _ => {}
                },
                Node::End("clrScheme") => slot = None,
                _ => {}
            }
            Ok(())
        })?;
        Ok(theme)
    }

    /// Takes over `clrSchemeMapping` of the settings.
    pub(super) fn remap(&mut self, element: &Element<'_>) {
        for (slot, name) in [("dk1", "t1"), ("lt1", "bg1"), ("dk2", "t2"), ("lt2", "bg2")] {
            let target = element.attribute(name);
            let known =
                ["dk1", "lt1", "dk2", "lt2"].into_iter().find(|known| target.as_deref().map(canonical) == Some(*known));
            self.mapped.extend(known.map(|known| (slot, known)));
        }
    }

    /// A colour by its name.
    pub(super) fn named(&self, name: &str) -> Option<Colour> {
        let name = canonical(name);
        self.colours.get(self.mapped.get(name).copied().unwrap_or(name)).copied()
    }

    /// The colour that attributes of an element say: the theme's, if they name one, else `RRGGBB`. The theme's are called
    /// as `theme` says: `themeColor`, `themeTint` and `themeShade` for `theme`, `themeFill` and so on for `themeFill`.
    pub(super) fn colour(&self, element: &Element<'_>, value: &str, theme: &str) -> Option<Colour> {
        let name = if theme == "theme" { "themeColor".to_owned() } else { theme.to_owned() };
        let share = |kind: &str| {
            let value = element.attribute(&format!("{theme}{kind}"))?;
            u8::from_str_radix(&value, 16).ok().map(|value| 1.0 - f64::from(value) / 255.0)
        };
        let themed = element.attribute(&name).and_then(|name| self.named(&name)).map(|mut colour| {
            for (kind, towards) in [("Tint", WHITE), ("Shade", BLACK)] {
                colour = share(kind).map_or(colour, |share| colour.mixed(towards, share));
            }
            colour
        });
        themed.or_else(|| Colour::of_hex(&element.attribute(value)?))
    }
}
