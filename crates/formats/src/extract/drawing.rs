//! Text in pictures that are drawn by commands: metafiles of Windows (EMF, EMF+ and WMF; [MS-EMF], [MS-EMFPLUS], [MS-WMF]) and SVG.
//!
//! Only how much stands in lines is told, so that such a picture is told like one of pixels. What a page of prose drawn as outlines
//! shows is not seen here.

mod svg;

use std::collections::BTreeMap;

use super::bytes::{slice, u16_at, u32_at};
use super::lettering::{LETTERS, LINES};
use super::wide::is_wide;
use super::xml::{self, Node};
use crate::limits::ReadLimits;

/// The fewest letters of a string that is drawn at once and is a paragraph, in however many lines it is shown: those of three lines.
const PARAGRAPH: u32 = 3 * 80;

/// The start of a drawing is looked at for what it is.
const START: usize = 1024;

/// Numbers of records, options and the like, as the formats name them.
mod emf {
    pub const SIGNATURE: &[u8] = b" EMF";
    pub const SET_TEXT_ALIGN: u32 = 22;
    pub const MOVE_TO: u32 = 27;
    pub const SET_WORLD_TRANSFORM: u32 = 35;
    pub const COMMENT: u32 = 70;
    pub const EXT_TEXT_OUT_A: u32 = 83;
    pub const EXT_TEXT_OUT_W: u32 = 84;
    pub const SMALL_TEXT_OUT: u32 = 108;
    /// The letters are numbers of a font's glyphs.
    pub const GLYPHS: u32 = 0x10;
    pub const NO_RECTANGLE: u32 = 0x100;
    pub const SMALL_LETTERS: u32 = 0x200;
    pub const UPDATE_POSITION: u32 = 1;
    pub const PLUS: &[u8] = b"EMF+";
    pub const PLUS_STRING: u16 = 0x401C;
    pub const PLUS_DRIVER_STRING: u16 = 0x4036;
}

mod wmf {
    pub const PLACEABLE: &[u8] = &[0xD7, 0xCD, 0xC6, 0x9A];
    pub const PLACEABLE_HEADER: usize = 22;
    pub const HEADER: usize = 18;
    pub const SET_TEXT_ALIGN: u16 = 0x012E;
    pub const MOVE_TO: u16 = 0x0214;
    pub const TEXT_OUT: u16 = 0x0521;
    pub const EXT_TEXT_OUT: u16 = 0x0A32;
    /// The record has a rectangle, which clips or is filled.
    pub const RECTANGLE: u16 = 6;
}

/// Which kind of drawing a file is, by how it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Drawing {
    Emf,
    Wmf,
    Svg,
}

impl Drawing {
    pub(super) fn of(bytes: &[u8]) -> Option<Drawing> {
        if slice(bytes, 40, 4) == Some(emf::SIGNATURE) && u32_at(bytes, 0) == Some(1) {
            return Some(Drawing::Emf);
        }
        let header = bytes
            .strip_prefix(wmf::PLACEABLE)
            .map_or(bytes, |_| bytes.get(wmf::PLACEABLE_HEADER..).unwrap_or_default());
        if matches!(u16_at(header, 0), Some(1 | 2)) && u16_at(header, 2) == Some(wmf::HEADER as u16 / 2) {
            return Some(Drawing::Wmf);
        }
        let start = &bytes[..bytes.len().min(START)];
        let is_svg = start.trim_ascii_start().starts_with(b"<") && memchr::memmem::find(start, b"<svg").is_some();
        is_svg.then_some(Drawing::Svg)
    }

    /// The letters that stand in lines of prose; 0 if there are no lines of prose.
    pub(super) fn letters_of_prose(self, bytes: &[u8]) -> u32 {
        let mut lines = Lines::default();
        match self {
            Drawing::Emf => lines.read_emf(bytes),
            Drawing::Wmf => lines.read_wmf(bytes),
            Drawing::Svg => lines.read_svg(bytes),
        }
        match self {
            Drawing::Svg => lines.prose().max(svg::letters_of_sentences(bytes)),
            Drawing::Emf | Drawing::Wmf => lines.prose(),
        }
    }
}

/// The letters at each height of a drawing: how many, and how many of usual width would be as long.
#[derive(Debug, Default)]
struct Lines {
    heights: BTreeMap<i64, (u32, u32)>,
    /// The height at which the pen stands, and whether text is drawn where it does.
    pen: i64,
    is_at_pen: bool,
    /// By how much everything is moved down.
    moved: f32,
}

impl Lines {
    fn add(&mut self, height: i64, letters: impl Iterator<Item = char>) {
        let (count, width) = self.heights.entry(height.saturating_add(self.moved as i64)).or_default();
        for letter in letters.filter(|letter| letter.is_alphabetic()) {
            *count += 1;
            *width += if is_wide(letter) { 2 } else { 1 };
        }
    }

    /// The same for letters that stand at this height, unless they stand where the pen does.
    fn add_at_pen(&mut self, height: i64, letters: Vec<char>) {
        self.add(if self.is_at_pen { self.pen } else { height }, letters.into_iter());
    }

    fn prose(&self) -> u32 {
        let long = || self.heights.values().filter(|(_, width)| *width as usize >= LETTERS);
        let is_prose = long().count() >= LINES || long().any(|(count, _)| *count >= PARAGRAPH);
        if is_prose { long().map(|(count, _)| count).sum() } else { 0 }
    }

    fn read_emf(&mut self, mut rest: &[u8]) {
        while let Some((record, after)) = u32_at(rest, 4).and_then(|size| split(rest, size as usize)) {
            self.emf_record(record);
            rest = after;
        }
    }

    /// `None` of a record that is cut off.
    fn emf_record(&mut self, record: &[u8]) -> Option<()> {
        let long = |at| u32_at(record, at);
        let place = |at| long(at).map(|place| i64::from(place.cast_signed()));
        match long(0)? {
            emf::SET_TEXT_ALIGN => self.is_at_pen = long(8)? & emf::UPDATE_POSITION != 0,
            emf::MOVE_TO => self.pen = place(12)?,
            emf::SET_WORLD_TRANSFORM => self.moved = f32::from_bits(long(28)?),
            kind @ (emf::EXT_TEXT_OUT_A | emf::EXT_TEXT_OUT_W) => {
                let letters = text_of(record, long(48)?, long(44)?, long(52)?, kind == emf::EXT_TEXT_OUT_A)?;
                self.add_at_pen(place(40)?, letters);
            }
            emf::SMALL_TEXT_OUT => {
                let options = long(20)?;
                let start = if options & emf::NO_RECTANGLE != 0 { 36 } else { 52 };
                let letters = text_of(record, start, long(16)?, options, options & emf::SMALL_LETTERS != 0)?;
                self.add_at_pen(place(12)?, letters);
            }
            emf::COMMENT if slice(record, 12, 4) == Some(emf::PLUS) => {
                let mut rest = &record[16..];
                while let Some((record, after)) = u32_at(rest, 4).and_then(|size| split(rest, size as usize)) {
                    self.emf_plus_record(record);
                    rest = after;
                }
            }
            _ => {}
        }
        Some(())
    }

    fn emf_plus_record(&mut self, record: &[u8]) -> Option<()> {
        let place = |at| u32_at(record, at).map(|bits| f32::from_bits(bits) as i64);
        match u16_at(record, 0)? {
            emf::PLUS_STRING => {
                let letters = text_of(record, 40, u32_at(record, 20)?, 0, false)?;
                self.add(place(28)?, letters.into_iter());
            }
            emf::PLUS_DRIVER_STRING => {
                let (options, count) = (u32_at(record, 16)?, u32_at(record, 24)?);
                let glyphs = if options & 1 == 0 { emf::GLYPHS } else { 0 };
                let letters = text_of(record, 28, count, glyphs, false)?;
                // Each letter has its place; the first one's tells the line.
                let places = 28 + (2 * letters.len()).next_multiple_of(4);
                self.add(place(places + 4)?, letters.into_iter());
            }
            _ => {}
        }
        Some(())
    }

    fn read_wmf(&mut self, bytes: &[u8]) {
        let placeable = if bytes.starts_with(wmf::PLACEABLE) { wmf::PLACEABLE_HEADER } else { 0 };
        let mut rest = bytes.get(placeable + wmf::HEADER..).unwrap_or_default();
        while let Some((record, after)) = u32_at(rest, 0).and_then(|words| split(rest, words as usize * 2)) {
            self.wmf_record(record);
            rest = after;
        }
    }

    fn wmf_record(&mut self, record: &[u8]) -> Option<()> {
        let short = |at| u16_at(record, at);
        let place = |at| short(at).map(|place| i64::from(place.cast_signed()));
        match short(4)? {
            wmf::SET_TEXT_ALIGN => self.is_at_pen = u32::from(short(6)?) & emf::UPDATE_POSITION != 0,
            wmf::MOVE_TO => self.pen = place(6)?,
            wmf::TEXT_OUT => {
                let count = u32::from(short(6)?);
                let letters = text_of(record, 8, count, 0, true)?;
                let height = place(8 + count.next_multiple_of(2) as usize)?;
                self.add_at_pen(height, letters);
            }
            wmf::EXT_TEXT_OUT => {
                let start = if short(12)? & wmf::RECTANGLE != 0 { 22 } else { 14 };
                let letters = text_of(record, start, u32::from(short(10)?), 0, true)?;
                self.add_at_pen(place(6)?, letters);
            }
            _ => {}
        }
        Some(())
    }

    /// A line is what is drawn since a place was named. Where each word has its place, [`svg`] asks what they say.
    fn read_svg(&mut self, bytes: &[u8]) {
        let (mut line, mut open) = (0, 0_usize);
        let is_text = |name: &str| matches!(name, "text" | "foreignObject");
        // What comes before a fault counts.
        let _ = xml::walk("svg", bytes, &ReadLimits::default(), |node| {
            match node {
                Node::Start(element) => {
                    open += usize::from(is_text(element.name()));
                    line += i64::from(["y", "dy", "transform"].iter().any(|name| element.attribute(name).is_some()));
                }
                Node::End(name) => open -= usize::from(is_text(name)),
                Node::Text(text) if open > 0 => self.add(line, text.chars()),
                Node::Text(_) => {}
            }
            Ok(())
        });
    }
}

/// A record of `size` bytes, and what follows it; `None` if it is too short for one or cut off.
fn split(bytes: &[u8], size: usize) -> Option<(&[u8], &[u8])> {
    if size < 6 { None } else { bytes.split_at_checked(size) }
}

/// The `count` letters that stand at this byte of a record, of one byte each or of two. Glyphs stand for any letter, and so do two bytes of
/// which the code page is not known.
fn text_of(record: &[u8], start: u32, count: u32, options: u32, is_narrow: bool) -> Option<Vec<char>> {
    let (start, count) = (start as usize, count as usize);
    if is_narrow {
        let bytes = slice(record, start, count)?;
        let others = bytes.iter().filter(|byte| !byte.is_ascii()).count();
        let ascii = bytes.iter().filter(|byte| byte.is_ascii()).map(|byte| char::from(*byte));
        return Some(ascii.chain(std::iter::repeat_n('一', others / 2)).collect());
    }
    let units =
        slice(record, start, count.checked_mul(2)?)?.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    if options & emf::GLYPHS != 0 {
        return Some(units.map(|_| 'x').collect());
    }
    Some(char::decode_utf16(units).flatten().collect())
}
