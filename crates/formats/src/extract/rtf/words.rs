//! What control words do.

use super::encodings::{encoding_of_charset, encoding_of_page};
use super::{Aside, BLACK, Ground, Ink, LetterFormat, PAPER, Row, RtfReader};
use crate::extract::builder::Gap;
use copytrace_text::layout::{LeftOut, MarkKind};

/// Rows of so many twentieths of a point or less hide what is in them.
const LEAST_ROW: u32 = 80;

/// Letters raised or lowered by more half points are not on their line.
const OFF_LINE: i32 = 144;

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    Text,
    LeftOut(LeftOut),
    /// What describes the document.
    Info,
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

/// The destination that a word opens; `None` for other words.
pub(super) fn destination(word: &str) -> Option<Destination> {
    Some(match word {
        "fonttbl" => Destination::Fonts,
        "colortbl" => Destination::Colours,
        "stylesheet" => Destination::Styles,
        "info" => Destination::Info,
        "pict" | "object" | "objdata" | "themedata" | "datastore" | "colorschememapping" | "blipuid" | "fontemb" => {
            Destination::Data
        }
        "sp" => Destination::LeftOut(LeftOut::Instruction),
        "sn" => Destination::PropertyName,
        "sv" => Destination::PropertyValue,
        "annotation" | "atnid" | "atnauthor" => Destination::LeftOut(LeftOut::Comment),
        "nonshppict" | "shprslt" | "listtext" | "pntext" => Destination::LeftOut(LeftOut::Alternate),
        "fldinst" | "xe" | "tc" | "tcn" | "rxe" | "bkmkstart" | "bkmkend" | "listtable" | "listoverridetable"
        | "rsidtbl" | "generator" | "falt" | "panose" | "latentstyles" | "xmlnstbl" | "mmathPr" | "background" => {
            Destination::LeftOut(LeftOut::Instruction)
        }
        _ => return None,
    })
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
                self.encoding = number.and_then(encoding_of_page).unwrap_or(self.encoding);
                self.state.encoding = self.encoding;
            }
            ("mac", _) => (self.encoding, self.state.encoding) = (encoding_rs::MACINTOSH, encoding_rs::MACINTOSH),
            ("uc", _) => self.state.fallback = number.unwrap_or(1).clamp(0, 16) as usize,
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
            (_, Destination::LeftOut(_) | Destination::Data | Destination::Info) => {}
            ("shptxt" | "dptxbxtext", _) => self.go_aside(Aside::Box, self.box_ground.unwrap_or(PAPER)),
            ("shpinst", _) => self.box_ground = None,
            ("header" | "headerl" | "headerr" | "headerf" | "footer" | "footerl" | "footerr" | "footerf", _) => {
                self.go_aside(Aside::Header, PAPER);
            }
            ("footnote", _) => {
                self.builder.point(MarkKind::NoteReference);
                self.go_aside(Aside::Note, PAPER);
                self.builder.open(MarkKind::Note);
            }
            ("s", _) => self.state.role = self.styles.get(&number.unwrap_or(0)).copied(),
            ("outlinelevel", _) => {
                let level = number.and_then(|level| u8::try_from(level).ok()).filter(|level| *level < 9);
                self.state.role = level.map(|level| MarkKind::Heading(level + 1)).or(self.state.role);
            }
            ("pard", _) => {
                (self.state.role, self.state.ground, self.state.in_table) = (None, None, false);
                self.state.format.line = None;
                self.state.format.away = None;
                self.state.format.indent = None;
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
            ("fs", _) => self.state.format.points = Some(f64::from(number.unwrap_or(24)) / 2.0),
            // Below zero the height is exact.
            ("sl", _) => self.state.format.line = points.filter(|points| *points < 0.0).map(f64::abs),
            ("charscalex", _) => self.state.format.width = number.map(f64::from),
            ("expndtw", _) => self.state.format.spacing = points,
            ("li" | "ri" | "fi", _) if points.is_some_and(|points| points.abs() > 1000.0) => {
                self.state.format.away = Some(true);
            }
            ("up" | "dn", _) if number.is_some_and(|half_points| half_points > OFF_LINE) => {
                self.state.format.away = Some(true);
            }
            ("posx" | "posy" | "posnegx" | "posnegy", _) if points.is_some_and(|points| points.abs() > 1000.0) => {
                self.state.format.away = Some(true);
            }
            ("b", _) => self.state.format.bold = Some(is_on),
            ("li", _) => self.state.format.indent = points,
            ("fi", _) if points.is_some_and(|points| points < 0.0) => {
                self.state.format.indent = self.state.format.indent.zip(points).map(|(left, hanging)| left + hanging);
            }
            ("super", _) => self.state.format.raised = Some(is_on),
            ("nosupersub", _) => self.state.format.raised = Some(false),
            ("par" | "sect", _) => self.paragraph(),
            ("line", _) => self.text("\n"),
            ("tab", _) => self.text("\t"),
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
            ("emdash", _) => self.text("—"),
            ("endash", _) => self.text("–"),
            ("lquote", _) => self.text("‘"),
            ("rquote", _) => self.text("’"),
            ("ldblquote", _) => self.text("“"),
            ("rdblquote", _) => self.text("”"),
            ("bullet", _) => self.text("•"),
            _ => {
                if let Some(destination) = destination(word) {
                    self.state.destination = destination;
                }
            }
        }
    }

    /// Text in a font is in its encoding; one without a character set, or with that of number 1, in the document's.
    fn choose_font(&mut self, font: i32) {
        self.font = font;
        if self.state.destination == Destination::Text {
            self.state.encoding = self.encodings.get(&font).copied().unwrap_or(self.encoding);
        }
    }
}
