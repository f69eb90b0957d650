//! Single property modifiers ([MS-DOC] 2.6): what is set for letters and for paragraphs.

use crate::extract::bytes::{u8_at, u16_at, u32_at};
use crate::extract::colour::{Colour, WHITE};
use crate::extract::style::{Ground, Ink, LetterFormat};
use copytrace_text::layout::MarkKind;
use std::ops::RangeInclusive;

/// The modifiers in a list, each as its code and its operand.
pub(super) struct Sprms<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Sprms<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let code = u16_at(self.0, 0)?;
        let rest = &self.0[2..];
        let (skip, length) = match code >> 13 {
            0 | 1 => (0, 1),
            2 | 4 | 5 => (0, 2),
            3 => (0, 4),
            7 => (0, 3),
            // The definition of a table has a length of two bytes, which counts one of them.
            _ if code == 0xD608 => (2, usize::from(u16_at(rest, 0)?).saturating_sub(1)),
            _ => (1, usize::from(u8_at(rest, 0)?)),
        };
        let operand = rest.get(skip..skip + length)?;
        self.0 = &rest[skip + length..];
        Some((code, operand))
    }
}

/// The sixteen colours of older files, which are numbered from 1.
const COLOURS: [u32; 16] = [
    0x000000, 0x0000FF, 0x00FFFF, 0x00FF00, 0xFF00FF, 0xFF0000, 0xFFFF00, 0xFFFFFF, 0x000080, 0x008080, 0x008000,
    0x800080, 0x800000, 0x808000, 0x808080, 0xC0C0C0,
];

/// A colour by its number; `None` for 0, the one that suits the ground.
fn numbered(number: u8) -> Option<Colour> {
    let [_, red, green, blue] = COLOURS.get(usize::from(number).checked_sub(1)?)?.to_be_bytes();
    Some(Colour([red, green, blue]))
}

/// A colour of three bytes and a fourth that is set where the colour suits the ground.
fn colour(bytes: &[u8]) -> Option<Colour> {
    match bytes {
        [red, green, blue, 0, ..] => Some(Colour([*red, *green, *blue])),
        _ => None,
    }
}

/// The ground of a shading: its colours of the pattern and behind it, and the pattern.
fn shading(operand: &[u8]) -> Option<Ground> {
    let behind = colour(operand.get(4..8)?);
    match u16_at(operand, 8)? {
        0 => behind.map(Ground::Colour),
        1 => colour(operand).map(Ground::Colour).or(Some(Ground::Unknown)),
        _ => Some(behind.map_or(Ground::Unknown, |behind| {
            Ground::Colour(behind.mixed(colour(operand).unwrap_or(Colour([0; 3])), 0.5))
        })),
    }
}

/// The same of older files, in two bytes: five bits for each colour and six for the pattern.
fn shading_80(operand: &[u8]) -> Option<Ground> {
    let value = u16_at(operand, 0)?;
    let (front, behind) = ((value & 31) as u8, (value >> 5 & 31) as u8);
    match value >> 10 {
        0 => numbered(behind).map(Ground::Colour),
        1 => numbered(front).map(Ground::Colour).or(Some(Ground::Unknown)),
        _ => Some(Ground::Colour(
            numbered(behind).unwrap_or(WHITE).mixed(numbered(front).unwrap_or(Colour([0; 3])), 0.5),
        )),
    }
}

/// The sizes and widths of letters that are valid ([MS-DOC] 2.6.1, sprmCHps and sprmCCharScale).
const HALF_POINTS: RangeInclusive<u16> = 2..=3276;
const PERCENT_WIDE: RangeInclusive<u16> = 1..=600;

/// A length in points.
fn twips(operand: &[u8]) -> f64 {
    u16_at(operand, 0).map_or(0.0, |twips| f64::from(twips as i16) / 20.0)
}

/// What holds for letters.
#[derive(Debug, Clone, Default)]
pub(super) struct Letters {
    pub(super) format: LetterFormat,
    pub(super) deleted: bool,
}

impl Letters {
    /// Takes in modifiers; `style` tells what a style of letters says.
    pub(super) fn apply(&mut self, sprms: &mut Sprms<'_>, style: impl Fn(u16) -> LetterFormat) {
        let inherited = self.format.hidden == Some(true);
        let bold = self.format.bold == Some(true);
        let of_style = self.format;
        for (code, operand) in sprms {
            let (byte, word) = (u8_at(operand, 0).unwrap_or(0), u16_at(operand, 0).unwrap_or(0));
            let format = &mut self.format;
            match code {
                0x0800 => self.deleted = byte == 1,
                0x083C => {
                    // Beyond one bit it says how it differs from the style.
                    let hidden = if byte & 0x80 == 0 { byte != 0 } else { inherited != (byte & 1 == 1) };
                    format.hidden = Some(hidden);
                }
                0x0835 => format.bold = Some(if byte & 0x80 == 0 { byte != 0 } else { bold != (byte & 1 == 1) }),
                0x2A42 => format.ink = Some(numbered(byte).map_or(Ink::Seen, Ink::Colour)),
                0x6870 => format.ink = Some(colour(operand).map_or(Ink::Seen, Ink::Colour)),
                0x4866 => format.ground = Some(shading_80(operand)),
                0xCA71 => format.ground = Some(shading(operand)),
                0x2A0C => format.ground = Some(numbered(byte).map(Ground::Colour)),
                // Word passes over sizes and widths that it cannot set, and "as the style" ends what was set before.
                0x4A43 if HALF_POINTS.contains(&word) => format.points = Some(f64::from(word) / 2.0),
                0x4852 if PERCENT_WIDE.contains(&word) => format.width = Some(f64::from(word)),
                0x2A33 => *format = of_style,
                0x8840 => format.spacing = Some(f64::from(word as i16) / 20.0),
                0x2A48 => format.raised = Some(byte == 1),
                0x4A30 => *format = style(word).over(format),
                _ => {}
            }
        }
    }
}

/// What holds for a paragraph.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    pub(super) role: Option<MarkKind>,
    pub(super) in_table: bool,
    /// Its mark ends a row and stands for no text.
    pub(super) ends_row: bool,
    pub(super) ground: Option<Ground>,
    /// The height of its lines in points, if it is exact.
    pub(super) line: Option<f64>,
    /// How far it and its first line beyond that stand in, in points.
    pub(super) indent: (f64, f64),
    /// Of its letters, by its style.
    pub(super) letters: Letters,
}

impl Lines {
    pub(super) fn apply(&mut self, sprms: &mut Sprms<'_>) {
        for (code, operand) in sprms {
            let byte = u8_at(operand, 0).unwrap_or(0);
            match code {
                0x2416 => self.in_table = byte != 0,
                0x2417 | 0x244C => self.ends_row = byte != 0,
                0x6649 => self.in_table |= u32_at(operand, 0).is_some_and(|depth| depth > 0),
                0x2640 if byte < 9 => self.role = self.role.or(Some(MarkKind::Heading(byte + 1))),
                0x6412 => {
                    let height = u16_at(operand, 0).map_or(0, |height| height as i16);
                    self.line = (height < 0).then(|| f64::from(height.unsigned_abs()) / 20.0);
                }
                0x840F | 0x845E => self.indent.0 = twips(operand),
                0x8411 | 0x8460 => self.indent.1 = twips(operand),
                0x442D => self.ground = shading_80(operand).or(self.ground),
                0xC64D => self.ground = shading(operand).or(self.ground),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_widths_that_word_cannot_set_change_nothing_and_plain_letters_are_as_their_style() {
        let set = |code: u16, operand: u16| [code.to_le_bytes(), operand.to_le_bytes()].concat();
        let size_and_width = |sprms: &[u8]| {
            let mut letters = Letters::default();
            letters.format.points = Some(12.0);
            letters.apply(&mut Sprms(sprms), |_| LetterFormat::default());
            (letters.format.points, letters.format.width)
        };
        assert_eq!(size_and_width(&set(0x4A43, 3)), (Some(1.5), None));
        assert_eq!(size_and_width(&set(0x4852, 20)), (Some(12.0), Some(20.0)));
        for nothing in [set(0x4A43, 0), set(0x4A43, 0xFFFF), set(0x4852, 0), set(0x4852, 601)] {
            assert_eq!(size_and_width(&nothing), (Some(12.0), None));
        }
        let plain = [&set(0x4A43, 3)[..], &[0x33, 0x2A, 0]].concat();
        assert_eq!(size_and_width(&plain), (Some(12.0), None));
    }
}
