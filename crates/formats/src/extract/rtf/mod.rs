//! Rich Text Format (RTF specification 1.9.1).
//!
//! Text of paragraphs, tables, notes and text boxes. Page headers are text when they hold prose. Field codes, tracked
//! deletions, comments and whatever stands in a destination that is not known are left out, with a mark for each.

mod encodings;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use encoding_rs::Encoding;

use self::encodings::CodePage;
pub(super) use self::encodings::encoding_of_page;
use self::words::{Destination, destination};
use super::builder::TextBuilder;
use super::colour::{BLACK, Colour};
use super::embedded;
use super::fields::{Field, Shown};
use super::pictures::Pictures;
use super::style::{Ground, Ink, LetterFormat, PAPER, role_of_style};
use super::{Damage, ExtractError, Extracted};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::{LeftOut, MarkKind};

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let start = bytes.trim_ascii_start();
    if !start.starts_with(b"{\\rtf") {
        return Err(Damage::NotRtf.into());
    }
    let mut reader = RtfReader::new(start, limits.nesting);
    reader.read()?;
    for header in std::mem::take(&mut reader.headers) {
        reader.builder.append_running_head(header);
    }
    for file in &reader.files {
        embedded::texts(file, limits).iter().for_each(|text| reader.builder.unplaced(text));
    }
    let mut extracted = reader.builder.finish(reader.metadata);
    extracted.replaced = reader.replaced;
    Ok(extracted)
}

/// What a group is read into besides the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aside {
    Note,
    /// A note that is printed behind the text.
    Endnote,
    Box,
    Header,
}

/// What a group inherits and what ends with it.
#[derive(Clone, Default)]
struct State {
    destination: Destination,
    format: LetterFormat,
    /// What the current paragraph is, and the ground it has.
    role: Option<MarkKind>,
    ground: Option<Ground>,
    encoding: CodePage,
    /// Bytes or characters that stand for a Unicode character and are passed over after it.
    fallback: usize,
    /// A tracked deletion.
    deleted: bool,
    in_table: bool,
    /// This group is written aside, and the builder is the one outside.
    aside: Option<Aside>,
}

/// The row of a table: what was said of its cells.
#[derive(Default)]
struct Row {
    grounds: Vec<Option<Ground>>,
    /// The ground of the cell that is being described.
    next: Option<Ground>,
    /// The cell that is being read.
    cell: usize,
    hidden: bool,
    /// Its cells are shown from right to left; and the cells in place of which others are shown.
    unjudged: bool,
    covered: Vec<usize>,
}

#[derive(Default)]
struct RtfReader<'a> {
    rest: &'a [u8],
    nesting: usize,
    state: State,
    outer: Vec<State>,
    builder: TextBuilder,
    /// Builders outside of the notes and boxes that are being read, the grounds behind them, and whether a table is open.
    outside: Vec<(TextBuilder, Ground, bool)>,
    table: bool,
    headers: Vec<TextBuilder>,
    metadata: Metadata,
    replaced: usize,
    /// Bytes of text that are not decoded yet.
    pending: Vec<u8>,
    /// The first half of a character of two UTF-16 units.
    high: Option<u16>,
    /// Fallback still to be passed over.
    to_skip: usize,
    /// The document's encoding, and those of fonts that have others.
    encoding: CodePage,
    encodings: BTreeMap<i32, &'static Encoding>,
    font: i32,
    default_font: i32,
    /// `None` for the colour that suits the ground.
    colours: Vec<Option<Colour>>,
    colour: [Option<u8>; 3],
    styles: BTreeMap<i32, MarkKind>,
    /// Styles whose text would not be seen.
    hiding_styles: BTreeSet<i32>,
    style: i32,
    style_name: String,
    open_role: Option<MarkKind>,
    row: Row,
    /// The name and value of a property of a shape, and what is behind the text here.
    property: [String; 2],
    behind: Ground,
    box_ground: Option<Ground>,
    box_away: bool,
    /// The instruction of the field that is being read.
    instruction: String,
    /// The digits of a picture or an object, the objects that were read, and what pictures show.
    digits: Vec<u8>,
    files: Vec<Vec<u8>>,
    pictures: Pictures,
}

impl<'a> RtfReader<'a> {
    fn new(rest: &'a [u8], nesting: usize) -> Self {
        let state = State { fallback: 1, ..State::default() };
        RtfReader { rest, nesting, state, ..RtfReader::default() }
    }

    fn read(&mut self) -> Result<(), ExtractError> {
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            match byte {
                b'{' => {
                    self.flush();
                    self.to_skip = 0;
                    if self.outer.len() >= self.nesting {
                        return Err(ExtractError::TooDeep { levels: self.nesting });
                    }
                    self.outer.push(self.state.clone());
                    self.state.aside = None;
                }
                b'}' => {
                    self.close_group();
                    if self.outer.is_empty() {
                        return Ok(());
                    }
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                _ => self.byte(byte),
            }
        }
        Err(Damage::EndsTooEarly.into())
    }

    fn close_group(&mut self) {
        self.flush();
        self.to_skip = 0;
        if self.state.destination == Destination::PropertyValue {
            self.shape_property();
        }
        if self.state.destination == Destination::Data {
            self.data();
        }
        let was_code = self.state.destination == Destination::FieldCode;
        if let Some(aside) = self.state.aside {
            self.end_role();
            if aside == Aside::Box {
                self.builder.mark_piece(0);
            }
            if matches!(aside, Aside::Note | Aside::Endnote) {
                self.builder.close(MarkKind::Note);
            }
            if let Some((outside, behind, table)) = self.outside.pop() {
                let inner = std::mem::replace(&mut self.builder, outside);
                (self.behind, self.table) = (behind, table);
                match aside {
                    Aside::Header => self.headers.push(inner),
                    Aside::Endnote => self.builder.put_at_end(inner),
                    Aside::Note | Aside::Box => self.builder.put_aside(inner),
                }
            }
        }
        if let Some(outer) = self.outer.pop() {
            self.state = outer;
        }
        if was_code && self.state.destination != Destination::FieldCode {
            self.end_code();
        }
    }

    /// The instruction of a field ends: of some fields it is what they show.
    fn end_code(&mut self) {
        let field = Field { instruction: std::mem::take(&mut self.instruction), ..Field::default() };
        let (text, is_moved) = match field.shown() {
            Shown::Text(text) => (text, false),
            Shown::Moved(text) => (text, true),
            Shown::Result | Shown::Unknown => (String::new(), false),
        };
        let start = self.builder.characters();
        self.text(&text);
        if is_moved {
            self.builder.mark(MarkKind::Unjudged, start);
        }
        field.beside(&text).leave_out(&mut self.builder);
    }

    /// What a group is read into from here on.
    fn go_aside(&mut self, aside: Aside, ground: Ground) {
        self.end_role();
        let behind = std::mem::replace(&mut self.behind, ground);
        self.outside.push((std::mem::take(&mut self.builder), behind, std::mem::take(&mut self.table)));
        self.state = State {
            aside: Some(aside),
            destination: Destination::Text,
            role: None,
            ground: None,
            in_table: false,
            format: LetterFormat {
                away: (aside == Aside::Box && self.box_away).then_some(true),
                ..LetterFormat::default()
            },
            ..self.state.clone()
        };
    }

    /// A picture or an object, from its digits.
    fn data(&mut self) {
        let value = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default() as u8;
        let digits = std::mem::take(&mut self.digits);
        let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| value(pair[0]) << 4 | value(pair[1])).collect();
        let letters = self.pictures.letters(&bytes);
        if letters > 0 {
            self.builder.picture_of(Some(&letters));
        } else if !bytes.is_empty() {
            self.files.push(bytes);
        }
    }

    /// The fill of a shape, from its properties.
    fn shape_property(&mut self) {
        let [name, value] = std::mem::take(&mut self.property);
        match name.trim() {
            "fillColor" => {
                // Blue is the highest byte here.
                let value = value.trim().parse::<u32>().unwrap_or(0xFF_FF_FF);
                let [red, green, blue, _] = value.to_le_bytes();
                self.box_ground = Some(Ground::Colour(Colour([red, green, blue])));
            }
            "fillType" if value.trim() != "0" => self.box_ground = Some(Ground::Unknown),
            "fFilled" if value.trim() == "0" => self.box_ground = None,
            _ => self.builder.unplaced(&value),
        }
    }

    /// A backslash was read: a control symbol or a control word with its number.
    fn control(&mut self) {
        let Some(&first) = self.rest.first() else { return };
        if !first.is_ascii_alphabetic() {
            self.rest = &self.rest[1..];
            let is_byte = matches!(first, b'\'' | b'{' | b'}' | b'\\');
            if !is_byte {
                self.flush();
            }
            match first {
                b'\'' => {
                    let digits = self.rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                    if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                        self.rest = &self.rest[2..];
                        self.byte(byte);
                    }
                }
                b'~' => self.text("\u{A0}"),
                b'-' => self.text("\u{AD}"),
                b'_' => self.text("-"),
                b'{' | b'}' | b'\\' => self.byte(first),
                b'*' => self.unknown_destination(),
                b'\r' | b'\n' => self.paragraph(),
                _ => {}
            }
            return;
        }
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = self.rest.split_at(length);
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = if digits > 0 { sign + digits } else { 0 };
        let number = std::str::from_utf8(&rest[..end]).ok().and_then(|number| number.parse::<i32>().ok());
        let rest = &rest[end..];
        self.rest = rest.strip_prefix(b" ").unwrap_or(rest);
        self.word(std::str::from_utf8(word).unwrap_or_default(), number);
    }

    /// `\*` was read: the group is left out unless the word that follows is one that matters.
    fn unknown_destination(&mut self) {
        let word = self.rest.strip_prefix(b"\\").unwrap_or_default();
        let length = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let known = std::str::from_utf8(&word[..length]).ok().and_then(destination);
        let is_style = self.state.destination == Destination::Styles && &word[..length] == b"cs";
        if !is_style && !matches!(&word[..length], b"footnote" | b"shptxt" | b"shpinst" | b"do") && known.is_none() {
            self.flush();
            self.leave_out(LeftOut::Instruction);
        }
    }

    /// What follows in this group is left out; for the reason outside, if that is already so.
    fn leave_out(&mut self, reason: LeftOut) {
        if !matches!(self.state.destination, Destination::LeftOut(_) | Destination::Data) {
            self.state.destination = Destination::LeftOut(reason);
        }
    }

    fn paragraph(&mut self) {
        // After a mark that is not shown the next paragraph goes on in the line.
        if self.state.destination != Destination::Text || self.state.format.hidden == Some(true) {
            return;
        }
        self.end_role();
        if self.state.in_table {
            self.builder.gap(super::builder::Gap::Line);
        } else {
            self.builder.end_paragraph();
        }
    }

    fn end_role(&mut self) {
        if let Some(role) = self.open_role.take() {
            self.builder.close(role);
        }
    }

    /// A character by its number as a signed 16-bit integer; those beyond come in two halves.
    fn unicode(&mut self, number: i32) {
        self.decode_pending();
        self.to_skip = self.state.fallback;
        let unit = (number & 0xFFFF) as u16;
        let units = match self.high.take() {
            Some(high) => vec![high, unit],
            None if (0xD800..0xDC00).contains(&unit) => {
                self.high = Some(unit);
                return;
            }
            None => vec![unit],
        };
        let text = String::from_utf16_lossy(&units);
        self.text(&text);
    }

    fn byte(&mut self, byte: u8) {
        if self.to_skip > 0 {
            self.to_skip -= 1;
        } else if self.state.destination != Destination::Data {
            self.pending.push(byte);
        } else if byte.is_ascii_hexdigit() {
            self.digits.push(byte);
        }
    }

    fn flush(&mut self) {
        self.decode_pending();
        self.high = None;
    }

    fn decode_pending(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        let (text, _) = self.state.encoding.0.decode_without_bom_handling(&bytes);
        if self.state.destination == Destination::Text {
            self.replaced += text.matches(char::REPLACEMENT_CHARACTER).count();
        }
        self.text(&text);
    }

    fn text(&mut self, text: &str) {
        match self.state.destination {
            Destination::Text => self.shown(text),
            Destination::LeftOut(LeftOut::Alternate) => self.builder.left_out_unless_prose(LeftOut::Alternate, text),
            Destination::LeftOut(reason) => self.builder.left_out(reason, text),
            Destination::Info => self.builder.left_out(LeftOut::Instruction, text),
            Destination::FieldCode => self.instruction.push_str(text),
            Destination::Colours => {
                for _ in text.matches(';') {
                    let said = self.colour.iter().any(Option::is_some);
                    let colour = Colour(std::mem::take(&mut self.colour).map(Option::unwrap_or_default));
                    self.colours.push(said.then_some(colour));
                }
            }
            Destination::Styles => {
                self.style_name.push_str(text);
                if let Some(name) = self.style_name.strip_suffix(';') {
                    self.styles.extend(role_of_style(name).map(|role| (self.style, role)));
                    let format = &self.state.format;
                    if format.hidden == Some(true) || format.unseen(PAPER).is_some() {
                        self.hiding_styles.insert(self.style);
                    }
                    self.style_name.clear();
                    self.style = 0;
                }
            }
            Destination::Title => {
                self.builder.unplaced(text);
                self.metadata.title.get_or_insert_default().push_str(text);
            }
            Destination::Author => self.metadata.author.get_or_insert_default().push_str(text),
            Destination::PropertyName => self.property[0].push_str(text),
            Destination::PropertyValue => self.property[1].push_str(text),
            Destination::Data | Destination::Fonts => {}
        }
    }

    /// What lies behind the text here, but for the letters' own ground.
    fn ground(&self) -> Ground {
        let cell = self.row.grounds.get(self.row.cell).copied().flatten().filter(|_| self.state.in_table);
        self.state.ground.or(cell).unwrap_or(self.behind)
    }

    /// The colour of a number in the table of colours.
    fn colour_of(&self, number: Option<i32>) -> Option<Colour> {
        self.colours.get(usize::try_from(number?).ok()?).copied().flatten()
    }

    fn ground_of(&self, number: Option<i32>) -> Option<Ground> {
        self.colour_of(number).map(Ground::Colour)
    }

    fn shown(&mut self, text: &str) {
        if self.state.deleted {
            self.builder.left_out(LeftOut::Deleted, text);
            return;
        }
        let hidden = self.state.format.hidden == Some(true) || (self.state.in_table && self.row.hidden);
        if hidden {
            return self.builder.hidden(text);
        }
        if self.table != self.state.in_table {
            self.table = self.state.in_table;
            if self.table { self.builder.open(MarkKind::Table) } else { self.builder.close(MarkKind::Table) }
        }
        if self.open_role.is_none()
            && let Some(role) = self.state.role
        {
            self.builder.open(role);
            self.open_role = Some(role);
        }
        let ground = self.ground();
        let is_odd = self.state.in_table && (self.row.unjudged || self.row.covered.contains(&self.row.cell));
        let outside = is_odd.then_some(MarkKind::Unjudged);
        self.builder.push_run(text, TextBuilder::push, &self.state.format, ground, outside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rtf: &str) -> String {
        extract(rtf.as_bytes(), &ReadLimits::default()).unwrap().text
    }

    #[test]
    fn text_is_read_and_the_rest_left_out() {
        let cases = [
            (r"{\rtf1\ansi one\par two}", "one\n\ntwo"),
            (r"{\rtf1 a\~salt\~marsh, half\_filled}", "a\u{A0}salt\u{A0}marsh, half-filled"),
            (r"{\rtf1 a\emspace salt\enspace marsh\qmspace x}", "a salt marsh x"),
            (r"{\rtf1{\fonttbl{\f0 Arial;}}{\info{\title T}}{\header no}{\*\unknown no}yes}", "yes"),
            (r"{\rtf1 \u20013?\u25991?}", "中文"),
            (r"{\rtf1\uc0 \u-10179\u-8704 x}", "\u{1F600}x"),
            (r"{\rtf1\ansicpg936 \'d6\'d0\'ce\'c4}", "中文"),
            (r"{\rtf1{\fonttbl{\f1\fcharset134 x;}}{\f1 \'d6\'d0} a\'e9}", "中 aé"),
            (r"{\rtf1 a {\deleted gone }b{\v hid}den}", "a bden"),
            (r"{\rtf1 a\{b\}\\ \'7bc}", "a{b}\\ {c"),
            (r"{\rtf1\trowd\intbl a\cell b\cell\row\pard after\par}", "a\tb\nafter"),
            (r"{\rtf1 main{\footnote the note} goes on\par next}", "main goes on\n\nthe note\n\nnext"),
            (
                r"{\rtf1 main{\footnote\ftnalt {\super 1} Miller 1999} goes on\par next}",
                "main goes on\n\nnext\n\n1 Miller 1999",
            ),
            (r"{\rtf1 a{\field{\*\fldinst HYPERLINK}{\fldrslt link}}}", "alink"),
            (r"{\rtf1 a\bin6 \{\{\{b}", "ab"),
        ];
        for (rtf, expected) in cases {
            assert_eq!(text(rtf), expected, "{rtf}");
        }
    }

    #[test]
    fn headings_hidden_and_white_text_are_marked() {
        let rtf = r"{\rtf1{\colortbl;\red255\green255\blue255;}{\stylesheet{\s1 heading 1;}}{\info{\title The T}{\author A B}}\pard\s1 Chapter\par\pard text {\cf1 pale}{\v gone}\par}";
        let extracted = extract(rtf.as_bytes(), &ReadLimits::default()).unwrap();
        assert_eq!(extracted.text, "Chapter\n\ntext pale");
        let kinds: Vec<_> = extracted.layout.marks().iter().map(|m| (m.kind, m.start, m.end)).collect();
        assert_eq!(kinds, [(MarkKind::Heading(1), 0, 7), (MarkKind::White, 14, 18), (MarkKind::Hidden(4), 18, 18)]);
        assert_eq!(extracted.metadata.title.as_deref(), Some("The T"));
        assert_eq!(extracted.metadata.author.as_deref(), Some("A B"));
    }

    #[test]
    fn broken_files_are_refused_by_name() {
        for (rtf, message) in [
            ("plain".to_owned(), "damaged: it does not start with {\\rtf"),
            ("{\\rtf1 {a".to_owned(), "damaged: it ends too early"),
            (format!("{{\\rtf1 {}", "{".repeat(100_000)), "more than 256 levels inside each other"),
        ] {
            assert_eq!(extract(rtf.as_bytes(), &ReadLimits::default()).unwrap_err().to_string(), message);
        }
    }
}
