//! What control words do.

use std::sync::LazyLock;

use ahash::AHashMap;
use serde::Deserialize;

use super::encodings::{CodePage, encoding_of_charset, encoding_of_page};
use super::{Aside, BLACK, Ground, Ink, LetterFormat, PAPER, Row, RtfReader};
use crate::extract::builder::Gap;
use crate::extract::style::may_lead_out;
use crate::extract::table::by_name;
use copytrace_text::layout::{LeftOut, MarkKind};

/// The greatest height of a row that hides what is in it, in twentieths of a point.
const LEAST_ROW: u32 = 80;

/// Letters raised or lowered by more half points are not on their line.
const OFF_LINE: i32 = 144;

/// Indents and places of more points lead out of the page.
const OFF_PAGE: f64 = 1000.0;

/// The greatest size of letters that cannot be read, in half points.
const TINY_HALF_POINTS: i32 = 8;

/// A run that is pressed into fewer twentieths of a point cannot be read.
const LEAST_FIT: i32 = 60;

/// Half points of letters of which the size is not said.
const USUAL_HALF_POINTS: i32 = 24;

/// Characters that stand for one of Unicode; a file that says more is broken.
const MOST_FALLBACK: i32 = 16;

/// Where text goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(super) enum Destination {
    #[default]
    Text,
    LeftOut(LeftOut),
    /// What describes the document.
    Info,
    /// The instruction of a field.
    FieldCode,
    /// Bytes of pictures and the like, which are no text.
    Data,
    Fonts,
    Colours,
    Styles,
    Title,
    Author,
    /// The name and the value of a property of a shape.
    PropertyName,
    PropertyValue,
}

/// What a word does that does nothing else.
#[derive(Debug, Clone, Deserialize)]
enum Plain {
    /// What follows in the group goes there.
    Into(Destination),
    /// It stands for this text.
    Says(String),
}

static PLAIN: LazyLock<AHashMap<String, Plain>> = LazyLock::new(|| by_name(include_str!("words.json")));

/// The destination that a word opens; `None` for other words.
pub(super) fn destination(word: &str) -> Option<Destination> {
    match PLAIN.get(word) {
        Some(Plain::Into(destination)) => Some(*destination),
        _ => None,
    }
}

impl RtfReader<'_> {
    pub(super) fn word(&mut self, word: &str, number: Option<i32>) {
        if word != "u" {
            self.flush();
        }
        let is_on = number != Some(0);
        let points = number.map(|twips| f64::from(twips) / 20.0);
        let inside = self.state.destination;
        match (word, inside) {
            ("bin", _) => self.rest = &self.rest[(number.unwrap_or(0).max(0) as usize).min(self.rest.len())..],
            ("ansicpg", _) => {
                self.encoding = number.and_then(encoding_of_page).map_or(self.encoding, CodePage);
                self.state.encoding = self.encoding;
            }
            ("mac", _) => {
                self.encoding = CodePage(encoding_rs::MACINTOSH);
                self.state.encoding = self.encoding;
            }
            ("uc", _) => self.state.fallback = number.unwrap_or(1).clamp(0, MOST_FALLBACK) as usize,
            ("u", _) => self.unicode(number.unwrap_or(0)),
            ("title", Destination::Info) => self.state.destination = Destination::Title,
            ("author", Destination::Info) => self.state.destination = Destination::Author,
            ("fcharset", Destination::Fonts) => {
                self.encodings.extend(number.and_then(encoding_of_charset).map(|encoding| (self.font, encoding)));
            }
            ("cpg", Destination::Fonts) => {
                self.encodings.extend(number.and_then(encoding_of_page).map(|encoding| (self.font, encoding)));
            }
            ("deff", _) => self.default_font = number.unwrap_or(0),
            ("f", _) => self.choose_font(number.unwrap_or(0)),
            ("red", Destination::Colours) => self.colour[0] = number.map(|part| part.clamp(0, 255) as u8),
            ("green", Destination::Colours) => self.colour[1] = number.map(|part| part.clamp(0, 255) as u8),
            ("blue", Destination::Colours) => self.colour[2] = number.map(|part| part.clamp(0, 255) as u8),
            ("s", Destination::Styles) => self.style = number.unwrap_or(0),
            ("sn" | "sv", Destination::LeftOut(LeftOut::Instruction)) => {
                let at = usize::from(word == "sv");
                self.property[at].clear();
                self.state.destination = if at == 0 { Destination::PropertyName } else { Destination::PropertyValue };
            }
            ("pict", _) => {
                if inside == Destination::Text {
                    self.builder.point(MarkKind::Picture);
                }
                self.state.destination = Destination::Data;
            }
            ("result", Destination::Data) => self.state.destination = Destination::Text,
            ("shpleft" | "shptop", _) => self.box_away |= points.is_some_and(|points| points.abs() > OFF_PAGE),
            // Of two forms the second is in Unicode.
            ("ud", Destination::LeftOut(LeftOut::Alternate)) => self.state.destination = Destination::Text,
            (_, Destination::LeftOut(_) | Destination::Data | Destination::Info) => {}
            ("shptxt" | "dptxbxtext", _) => self.go_aside(Aside::Box, self.box_ground.unwrap_or(PAPER)),
            ("shpinst", _) => (self.box_ground, self.box_away) = (None, false),
            ("header" | "headerl" | "headerr" | "headerf" | "footer" | "footerl" | "footerr" | "footerf", _) => {
                self.go_aside(Aside::Header, PAPER);
            }
            ("footnote", _) => {
                self.builder.point(MarkKind::NoteReference);
                self.go_aside(Aside::Note, PAPER);
                self.builder.open(MarkKind::Note);
            }
            ("ftnalt", _) if self.state.aside == Some(Aside::Note) => self.state.aside = Some(Aside::Endnote),
            ("s", _) => {
                self.state.role = self.styles.get(&number.unwrap_or(0)).copied();
                // Whether a program takes what a style says besides is not known.
                self.state.format.unjudged = self.hiding_styles.contains(&number.unwrap_or(0)).then_some(true);
            }
            ("cs", Destination::Styles) => self.style = number.unwrap_or(0),
            ("cs", _) if self.hiding_styles.contains(&number.unwrap_or(0)) => self.state.format.unjudged = Some(true),
            ("afs", _) if number.is_some_and(|half_points| half_points <= TINY_HALF_POINTS) => {
                self.state.format.unjudged = Some(true);
            }
            // Lines in the ground, of a colour of their own.
            ("chshdng" | "chcfpat", _) if is_on => self.state.format.ground = Some(Some(Ground::Picture)),
            ("clshdng" | "clcfpat", _) if is_on => self.row.next = Some(Ground::Picture),
            ("cfpat", _) if is_on => self.state.ground = Some(Ground::Picture),
            ("rtlrow", _) => self.row.unjudged = true,
            ("clvmrg" | "clmrg", _) => self.row.covered.push(self.row.grounds.len()),
            ("absh", _) if number.is_some_and(|height| height < 0 && height.unsigned_abs() <= LEAST_ROW) => {
                self.state.format.line = points.map(f64::abs);
            }
            ("fittext", _) if number.is_some_and(|width| (0..LEAST_FIT).contains(&width)) => {
                self.state.format.width = Some(0.0);
            }
            ("expnd", _) => self.state.format.spacing = number.map(|quarters| f64::from(quarters) / 4.0),
            ("outlinelevel", _) => {
                let level = number.and_then(|level| u8::try_from(level).ok()).filter(|level| *level < 9);
                self.state.role = level.map(|level| MarkKind::Heading(level + 1)).or(self.state.role);
            }
            ("pard", _) => {
                (self.state.role, self.state.ground, self.state.in_table) = (None, None, false);
                self.state.format.line = None;
                self.state.format.away = None;
                self.state.format.indent = None;
                self.state.format.unjudged = None;
            }
            ("intbl", _) => self.state.in_table = true,
            ("trowd", _) => self.row = Row { cell: self.row.cell, ..Row::default() },
            ("trrh", _) => {
                self.row.hidden = number.is_some_and(|height| height < 0 && height.unsigned_abs() <= LEAST_ROW);
            }
            ("clcbpat", _) => self.row.next = self.ground_of(number),
            ("cellx", _) => {
                let ground = self.row.next.take();
                self.row.grounds.push(ground);
            }
            ("plain", _) => {
                let kept = LetterFormat {
                    line: self.state.format.line,
                    away: self.state.format.away,
                    indent: self.state.format.indent,
                    ..LetterFormat::default()
                };
                self.state.format = kept;
                self.choose_font(self.default_font);
            }
            ("v", _) => self.state.format.hidden = Some(is_on),
            ("deleted", _) => self.state.deleted = is_on,
            ("cf", _) => self.state.format.ink = Some(self.colour_of(number).map_or(Ink::Seen, Ink::Colour)),
            ("cb" | "chcbpat" | "highlight", _) => self.state.format.ground = Some(self.ground_of(number)),
            ("cbpat", _) => self.state.ground = self.ground_of(number),
            ("shading", _) => {
                let share = f64::from(number.unwrap_or(0)) / 10_000.0;
                if let Some(Ground::Colour(ground)) = self.state.ground.or(Some(PAPER)) {
                    self.state.ground = Some(Ground::Colour(ground.mixed(BLACK, share)));
                }
            }
            ("fs", _) => self.state.format.points = Some(f64::from(number.unwrap_or(USUAL_HALF_POINTS)) / 2.0),
            // Below zero the height is exact.
            ("sl", _) => self.state.format.line = points.filter(|points| *points < 0.0).map(f64::abs),
            ("charscalex", _) => self.state.format.width = number.map(f64::from),
            ("expndtw", _) => self.state.format.spacing = points,
            ("li" | "ri" | "fi", _) if points.is_some_and(|points| points.abs() > OFF_PAGE) => {
                self.state.format.away = Some(true);
            }
            ("up" | "dn", _) if number.is_some_and(|half_points| half_points > OFF_LINE) => {
                self.state.format.away = Some(true);
            }
            ("posx" | "posy" | "posnegx" | "posnegy", _) if points.is_some_and(|points| points.abs() > OFF_PAGE) => {
                self.state.format.away = Some(true);
            }
            ("li" | "ri" | "fi", _) if may_lead_out(points.into_iter()) => self.state.format.unjudged = Some(true),
            ("b", _) => self.state.format.bold = Some(is_on),
            ("li", _) => self.state.format.indent = points,
            ("fi", _) if points.is_some_and(|points| points < 0.0) => {
                self.state.format.indent = self.state.format.indent.zip(points).map(|(left, hanging)| left + hanging);
            }
            ("super", _) => self.state.format.raised = Some(is_on),
            ("nosupersub", _) => self.state.format.raised = Some(false),
            ("par" | "sect", _) => self.paragraph(),
            ("cell", Destination::Text) => {
                self.end_role();
                self.builder.gap_of_cell();
                self.row.cell += 1;
            }
            ("row", Destination::Text) => {
                self.end_role();
                self.builder.gap(Gap::Line);
                self.row.cell = 0;
            }
            _ => match PLAIN.get(word) {
                Some(Plain::Into(destination)) => self.state.destination = *destination,
                Some(Plain::Says(text)) => self.text(text),
                None => {}
            },
        }
    }

    /// Text in a font is in its encoding; one without a character set, or with that of number 1, in the document's.
    fn choose_font(&mut self, font: i32) {
        self.font = font;
        if self.state.destination == Destination::Text {
            self.state.encoding = self.encodings.get(&font).map_or(self.encoding, |encoding| CodePage(encoding));
        }
    }
}
