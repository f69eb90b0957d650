//! What writes lines: which font each character is in, how wide it is, and where a line breaks.

use super::Look;
use super::face::{self, Face};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, TextRenderingMode};
use pdf_writer::{Content, Name, Pdf, Rect, Ref, Str};
use std::collections::BTreeSet;

/// A font as pages name it: the embedded one, Helvetica, its bold face, and Song.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Font {
    Embedded,
    Latin,
    BoldLatin,
    Song,
}

impl Font {
    fn name(self) -> &'static [u8] {
        match self {
            Font::Embedded => EMBEDDED,
            Font::Latin => b"H",
            Font::BoldLatin => b"B",
            Font::Song => b"S",
        }
    }
}

/// The name of the font that is embedded.
pub const EMBEDDED: &[u8] = b"F";

/// How many objects the fonts have at most.
pub const OBJECTS: i32 = face::OBJECTS + 5;

/// How thick the outline of bold letters is, as a share of their size: the embedded font has one weight.
const BOLD: f32 = 1.0 / 40.0;

/// A pen, with the fonts that it has used.
pub struct Pen {
    face: Option<Face>,
    used: BTreeSet<Font>,
}

impl Pen {
    /// A pen that writes with a font that is embedded, if there is one.
    pub fn new(face: Option<Face>) -> Self {
        Pen { face, used: BTreeSet::new() }
    }

    /// Writes a line from a place.
    pub fn put(&mut self, content: &mut Content, look: Look, (x, y): (f32, f32), line: &str) {
        let grey = if look.grey { 0.35 } else { 0.0 };
        content.begin_text().set_fill_gray(grey).set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]);
        let (mut run, mut of) = (Vec::new(), Font::Latin);
        for c in line.chars() {
            let (font, code) = self.code_of(c, look);
            if font != of {
                self.show(content, look, of, &mut run);
                of = font;
            }
            run.extend(code);
        }
        self.show(content, look, of, &mut run);
        content.end_text();
    }

    /// The font of a character, and its code there.
    fn code_of(&mut self, c: char, look: Look) -> (Font, Vec<u8>) {
        let latin = if look.bold { Font::BoldLatin } else { Font::Latin };
        let embedded = self.face.as_mut().and_then(|face| face.code_of(shown(c)));
        match (embedded, of_latin(c)) {
            (Some(code), _) => (Font::Embedded, code.to_be_bytes().to_vec()),
            (None, Some(byte)) => (latin, vec![byte]),
            (None, None) => {
                let units = c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()).collect();
                (Font::Song, units)
            }
        }
    }

    fn show(&mut self, content: &mut Content, look: Look, font: Font, run: &mut Vec<u8>) {
        if run.is_empty() {
            return;
        }
        self.used.insert(font);
        let stroked = look.bold && font == Font::Embedded;
        if stroked {
            content.set_line_width(look.size * BOLD).set_stroke_gray(0.0);
            content.set_text_rendering_mode(TextRenderingMode::FillStroke);
        }
        content.set_font(Name(font.name()), look.size).show(Str(run));
        if stroked {
            content.set_text_rendering_mode(TextRenderingMode::Fill);
        }
        run.clear();
    }

    /// Writes the fonts that were used, as objects from a number on, and gives them by their names.
    pub fn write_fonts(&self, pdf: &mut Pdf, first: i32) -> Vec<(&'static [u8], Ref)> {
        let mut written = Vec::new();
        for font in &self.used {
            let number = match font {
                Font::Embedded => first + 5,
                font => first + *font as i32 - 1,
            };
            match font {
                Font::Embedded => {
                    if self.face.as_ref().and_then(|face| face.embed(pdf, number)).is_none() {
                        continue;
                    }
                }
                Font::Latin => latin(pdf, Ref::new(number), b"Helvetica"),
                Font::BoldLatin => latin(pdf, Ref::new(number), b"Helvetica-Bold"),
                Font::Song => song(pdf, [number, number + 1, number + 2].map(Ref::new)),
            }
            written.push((font.name(), Ref::new(number)));
        }
        written
    }

    /// How wide a character is, in points.
    fn width_of(&self, c: char, look: Look) -> f32 {
        let embedded = self.face.as_ref().and_then(|face| face.width_of(shown(c)));
        let thousandths = embedded.unwrap_or_else(|| match of_latin(c) {
            Some(byte @ b' '..=b'~') => f32::from(WIDTHS[usize::from(byte - b' ')]),
            Some(0x97) => 1000.0,
            Some(_) => 611.0,
            None => 1000.0,
        });
        // Helvetica's bold face is a little wider.
        thousandths * look.size / 1000.0 * if look.bold && embedded.is_none() { 1.07 } else { 1.0 }
    }

    /// How wide a text is, in points.
    pub fn measure(&self, text: &str, look: Look) -> f32 {
        text.chars().map(|c| self.width_of(c, look)).sum()
    }

    /// Lines no wider than `width` points: broken at blanks, between Han characters, and within words that are longer.
    pub fn wrap(&self, text: &str, look: Look, width: f32) -> Vec<String> {
        let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0.0);
        for c in text.chars() {
            let wide = self.width_of(c, look);
            if used + wide > width && !line.is_empty() {
                // Han characters may part anywhere but before a mark that ends something, words at the last blank that is not at the
                // very beginning.
                let at = match of_latin(c) {
                    Some(b' ') => None,
                    Some(_) => line.rfind(' '),
                    None if CLOSING.contains(c) => line.char_indices().next_back().map(|(at, _)| at),
                    None => None,
                };
                let at = at.filter(|at| *at > 0);
                let rest = at.map_or(String::new(), |at| line.split_off(at));
                lines.push(std::mem::take(&mut line));
                line = rest.trim_start().to_owned();
                used = self.measure(&line, look);
            }
            if !(line.is_empty() && c == ' ') {
                line.push(c);
                used += wide;
            }
        }
        lines.push(line);
        lines
    }
}

fn latin(pdf: &mut Pdf, font: Ref, name: &[u8]) {
    pdf.type1_font(font).base_font(Name(name)).encoding_predefined(Name(b"WinAnsiEncoding"));
}

fn song(pdf: &mut Pdf, [outer, inner, descriptor]: [Ref; 3]) {
    pdf.type0_font(outer)
        .base_font(Name(b"STSong-Light-UniGB-UTF16-H"))
        .encoding_predefined(Name(b"UniGB-UTF16-H"))
        .descendant_font(inner);
    pdf.cid_font(inner)
        .subtype(CidFontType::Type0)
        .base_font(Name(b"STSong-Light"))
        .system_info(SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"GB1"), supplement: 4 })
        .font_descriptor(descriptor)
        .default_width(1000.0);
    pdf.font_descriptor(descriptor)
        .name(Name(b"STSong-Light"))
        .flags(FontFlags::SYMBOLIC)
        .bbox(Rect::new(-25.0, -254.0, 1000.0, 880.0))
        .italic_angle(0.0)
        .ascent(880.0)
        .descent(-120.0)
        .cap_height(880.0)
        .stem_v(93.0);
}

/// What stands for a character that cannot be seen.
fn shown(c: char) -> char {
    match of_latin(c) {
        Some(b' ') => ' ',
        _ => c,
    }
}

/// The code of a character in WinAnsiEncoding, if it has one; what cannot be seen is a blank.
fn of_latin(c: char) -> Option<u8> {
    match c {
        ' '..='~' => Some(c as u8),
        '\u{a0}'..='\u{ff}' => Some(c as u32 as u8),
        '–' => Some(0x96),
        '—' => Some(0x97),
        '’' => Some(0x92),
        '•' => Some(0x95),
        c if c.is_control() || c == '\u{feff}' || ('\u{200b}'..='\u{200f}').contains(&c) => Some(b' '),
        _ => None,
    }
}

/// Widths of Helvetica's characters from the blank to the tilde, in thousandths of the size (Adobe's font metrics).
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
    556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Marks that begin no line.
const CLOSING: &str = "，。、；：！？）》」』】”’";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::TEXT;

    #[test]
    fn lines_are_no_wider_than_the_paper_and_lose_no_word() {
        let pen = Pen::new(None);
        let cases = [
            "the quick brown fox jumps over the lazy dog",
            "基于深度学习的图像识别方法研究与实现",
            "mixed 中文 and English words",
            "Donaudampfschifffahrtsgesellschaftskapitän",
            "",
            "   ",
        ];
        for text in cases {
            for width in [30.0, 60.0, 200.0] {
                let wrapped = pen.wrap(text, TEXT, width);
                assert!(wrapped.iter().all(|line| pen.measure(line, TEXT) <= width), "{wrapped:?}");
                let without_blanks = |text: &str| text.replace(' ', "");
                assert_eq!(without_blanks(&wrapped.concat()), without_blanks(text));
            }
        }
        assert_eq!(pen.wrap("one two", TEXT, 25.0), ["one", "two"]);
        assert_eq!(pen.wrap("一二三。四五", TEXT, 29.0), ["一二", "三。四", "五"]);
    }
}
