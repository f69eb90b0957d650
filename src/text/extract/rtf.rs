//! Rich Text Format (RTF specification 1.9.1).
//!
//! Text of paragraphs, tables and notes. Headers, footers, pictures, field codes, tracked deletions and whatever
//! stands in a destination that is not known are left out.

use std::collections::BTreeMap;

use encoding_rs::Encoding;

use super::builder::{Gap, TextBuilder};
use super::style::{Format, is_reference_number, role_of_style};
use super::{ExtractError, Extracted};
use crate::text::Metadata;
use crate::text::layout::MarkKind;
use crate::text::limits::ReadLimits;

/// Takes out text, marks and metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let start = bytes.trim_ascii_start();
    if !start.starts_with(b"{\\rtf") {
        return Err(ExtractError::Damaged("it does not start with {\\rtf".to_owned()));
    }
    let mut reader = Reader::new(start, limits.nesting);
    reader.read()?;
    let mut extracted = reader.builder.finish(reader.metadata);
    extracted.replaced = reader.replaced;
    Ok(extracted)
}

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    Text,
    Skipped,
    Fonts,
    Colours,
    Styles,
    Title,
    Author,
}

/// What a group inherits and what ends with it.
#[derive(Clone)]
struct State {
    destination: Destination,
    format: Format,
    /// What the current paragraph is.
    role: Option<MarkKind>,
    encoding: &'static Encoding,
    /// Bytes or characters that stand for a Unicode character and are passed over after it.
    fallback: usize,
    /// A tracked deletion.
    deleted: bool,
    in_table: bool,
    /// This group is a note, whose builder is the one outside.
    is_note: bool,
}

struct Reader<'a> {
    rest: &'a [u8],
    nesting: usize,
    state: State,
    outer: Vec<State>,
    builder: TextBuilder,
    /// Builders outside of the notes that are being read.
    outside: Vec<TextBuilder>,
    metadata: Metadata,
    replaced: usize,
    /// Bytes of text that are not decoded yet.
    pending: Vec<u8>,
    /// The first half of a character of two UTF-16 units.
    high: Option<u16>,
    /// Fallback still to be passed over.
    to_skip: usize,
    encodings: BTreeMap<i32, &'static Encoding>,
    font: i32,
    white: Vec<bool>,
    colour: [i32; 3],
    styles: BTreeMap<i32, MarkKind>,
    style: i32,
    style_name: String,
    open_role: Option<MarkKind>,
}

impl<'a> Reader<'a> {
    fn new(rest: &'a [u8], nesting: usize) -> Self {
        let state = State {
            destination: Destination::Text,
            format: Format::default(),
            role: None,
            encoding: encoding_rs::WINDOWS_1252,
            fallback: 1,
            deleted: false,
            in_table: false,
            is_note: false,
        };
        Reader {
            rest,
            nesting,
            state,
            outer: Vec::new(),
            builder: TextBuilder::default(),
            outside: Vec::new(),
            metadata: Metadata::default(),
            replaced: 0,
            pending: Vec::new(),
            high: None,
            to_skip: 0,
            encodings: BTreeMap::new(),
            font: 0,
            white: Vec::new(),
            colour: [255; 3],
            styles: BTreeMap::new(),
            style: 0,
            style_name: String::new(),
            open_role: None,
        }
    }

    fn read(&mut self) -> Result<(), ExtractError> {
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.rest = rest;
            match byte {
                b'{' => {
                    self.flush();
                    self.to_skip = 0;
                    if self.outer.len() >= self.nesting {
                        return Err(ExtractError::TooDeep(self.nesting));
                    }
                    self.outer.push(self.state.clone());
                    self.state.is_note = false;
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
        Err(ExtractError::Damaged("it ends too early".to_owned()))
    }

    fn close_group(&mut self) {
        self.flush();
        self.to_skip = 0;
        if self.state.is_note {
            self.end_role();
            self.builder.close(MarkKind::Note);
            if let Some(outside) = self.outside.pop() {
                let note = std::mem::replace(&mut self.builder, outside);
                self.builder.put_aside(note);
            }
        }
        if let Some(outer) = self.outer.pop() {
            self.state = outer;
        }
    }

    /// A backslash was read: a control symbol or a control word with its number.
    fn control(&mut self) {
        let Some(&first) = self.rest.first() else { return };
        if !first.is_ascii_alphabetic() {
            self.rest = &self.rest[1..];
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

    /// `\*` was read: the group is skipped unless the word that follows is one that matters.
    fn unknown_destination(&mut self) {
        let known: [&[u8]; 3] = [b"\\footnote", b"\\shptxt", b"\\shpinst"];
        if !known.iter().any(|word| self.rest.starts_with(word)) {
            self.flush();
            self.state.destination = Destination::Skipped;
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        if word != "u" {
            self.flush();
        }
        let is_on = number != Some(0);
        match word {
            "bin" => self.rest = &self.rest[(number.unwrap_or(0).max(0) as usize).min(self.rest.len())..],
            _ if self.state.destination == Destination::Skipped => {}
            "ansicpg" => self.state.encoding = number.and_then(encoding_of_page).unwrap_or(self.state.encoding),
            "mac" => self.state.encoding = encoding_rs::MACINTOSH,
            "uc" => self.state.fallback = number.unwrap_or(1).clamp(0, 16) as usize,
            "u" => self.unicode(number.unwrap_or(0)),
            "fonttbl" => self.state.destination = Destination::Fonts,
            "colortbl" => self.state.destination = Destination::Colours,
            "stylesheet" => self.state.destination = Destination::Styles,
            "title" if self.outer.len() > 1 => self.state.destination = Destination::Title,
            "author" if self.outer.len() > 1 => self.state.destination = Destination::Author,
            "info" | "pict" | "header" | "headerl" | "headerr" | "headerf" | "footer" | "footerl" | "footerr"
            | "footerf" | "fldinst" | "object" | "nonshppict" | "listtext" | "pntext" | "annotation" | "xe" | "tc"
            | "themedata" | "datastore" | "operator" | "creatim" | "doccomm" | "subject" | "keywords" | "company" => {
                if word == "pict" {
                    self.builder.point(MarkKind::Picture);
                }
                // Inside of `info` stand the title and the author.
                if word != "info" {
                    self.state.destination = Destination::Skipped;
                }
            }
            "fcharset" => {
                self.encodings.extend(number.and_then(encoding_of_charset).map(|encoding| (self.font, encoding)));
            }
            "f" => {
                self.font = number.unwrap_or(0);
                if self.state.destination == Destination::Text
                    && let Some(encoding) = self.encodings.get(&self.font)
                {
                    self.state.encoding = encoding;
                }
            }
            "red" => self.colour[0] = number.unwrap_or(0),
            "green" => self.colour[1] = number.unwrap_or(0),
            "blue" => self.colour[2] = number.unwrap_or(0),
            "s" if self.state.destination == Destination::Styles => self.style = number.unwrap_or(0),
            "s" => self.state.role = self.styles.get(&number.unwrap_or(0)).copied(),
            "outlinelevel" => {
                let level = number.and_then(|level| u8::try_from(level).ok()).filter(|level| *level < 9);
                self.state.role = level.map(|level| MarkKind::Heading(level + 1)).or(self.state.role);
            }
            "pard" => {
                self.state.role = None;
                self.state.in_table = false;
            }
            "intbl" => self.state.in_table = true,
            "plain" => self.state.format = Format::default(),
            "v" => self.state.format.hidden = Some(is_on),
            "deleted" => self.state.deleted = is_on,
            "cf" => {
                let white = number.and_then(|index| self.white.get(index as usize).copied());
                self.state.format.white = Some(white.unwrap_or(false));
            }
            "cb" | "chcbpat" | "highlight" => self.state.format.shaded = Some(is_on),
            "fs" => self.state.format.set_points(f64::from(number.unwrap_or(24)) / 2.0),
            "super" => self.state.format.raised = Some(is_on),
            "nosupersub" => self.state.format.raised = Some(false),
            "par" | "sect" => self.paragraph(),
            "line" => self.text("\n"),
            "tab" => self.text("\t"),
            "cell" => {
                self.end_role();
                self.builder.gap_of_cell();
            }
            "row" => {
                self.end_role();
                self.builder.gap(Gap::Line);
            }
            "page" => {}
            "footnote" => {
                self.builder.point(MarkKind::NoteReference);
                self.end_role();
                self.outside.push(std::mem::take(&mut self.builder));
                self.state.is_note = true;
                self.state.role = None;
                self.state.format = Format::default();
                self.builder.open(MarkKind::Note);
            }
            "emdash" => self.text("—"),
            "endash" => self.text("–"),
            "lquote" => self.text("‘"),
            "rquote" => self.text("’"),
            "ldblquote" => self.text("“"),
            "rdblquote" => self.text("”"),
            "bullet" => self.text("•"),
            _ => {}
        }
    }

    fn paragraph(&mut self) {
        if self.state.destination != Destination::Text {
            return;
        }
        self.end_role();
        if self.state.in_table {
            self.builder.gap(Gap::Line);
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
        } else if self.state.destination != Destination::Skipped {
            self.pending.push(byte);
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
        let (text, _) = self.state.encoding.decode_without_bom_handling(&bytes);
        self.replaced += text.matches(char::REPLACEMENT_CHARACTER).count();
        self.text(&text);
    }

    fn text(&mut self, text: &str) {
        match self.state.destination {
            Destination::Text => self.shown(text),
            Destination::Colours => {
                for _ in text.matches(';') {
                    let white = self.colour.iter().all(|part| *part >= 0xF8) && !self.white.is_empty();
                    self.white.push(white);
                    self.colour = [0; 3];
                }
            }
            Destination::Styles => {
                self.style_name.push_str(text);
                if let Some(name) = self.style_name.strip_suffix(';') {
                    self.styles.extend(role_of_style(name).map(|role| (self.style, role)));
                    self.style_name.clear();
                    self.style = 0;
                }
            }
            Destination::Title => self.metadata.title.get_or_insert_default().push_str(text),
            Destination::Author => self.metadata.author.get_or_insert_default().push_str(text),
            Destination::Skipped | Destination::Fonts => {}
        }
    }

    fn shown(&mut self, text: &str) {
        if self.state.deleted {
            return;
        }
        if self.state.format.hidden == Some(true) {
            self.builder.hidden(text);
            return;
        }
        if self.open_role.is_none()
            && let Some(role) = self.state.role
        {
            self.builder.open(role);
            self.open_role = Some(role);
        }
        let raised = self.state.format.raised == Some(true) && is_reference_number(text);
        let mark = self.state.format.invisible(false).or(raised.then_some(MarkKind::Citation));
        mark.into_iter().for_each(|kind| self.builder.open(kind));
        self.builder.push(text);
        mark.into_iter().for_each(|kind| self.builder.close(kind));
    }
}

fn encoding_of_page(page: i32) -> Option<&'static Encoding> {
    let label = match page {
        936 | 54936 => "gb18030",
        950 => "big5",
        932 => "shift_jis",
        949 => "euc-kr",
        874 => "windows-874",
        10000 => "macintosh",
        65001 => "utf-8",
        _ => return Encoding::for_label(format!("windows-{page}").as_bytes()),
    };
    Encoding::for_label(label.as_bytes())
}

fn encoding_of_charset(charset: i32) -> Option<&'static Encoding> {
    let page = match charset {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    };
    encoding_of_page(page)
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
            (r"{\rtf1{\fonttbl{\f0 Arial;}}{\info{\title T}}{\header no}{\*\unknown no}yes}", "yes"),
            (r"{\rtf1 \u20013?\u25991?}", "中文"),
            (r"{\rtf1\uc0 \u-10179\u-8704 x}", "\u{1F600}x"),
            (r"{\rtf1\ansicpg936 \'d6\'d0\'ce\'c4}", "中文"),
            (r"{\rtf1{\fonttbl{\f1\fcharset134 x;}}{\f1 \'d6\'d0} a\'e9}", "中 aé"),
            (r"{\rtf1 a {\deleted gone }b{\v hid}den}", "a bden"),
            (r"{\rtf1 a\{b\}\\ \'7bc}", "a{b}\\ {c"),
            (r"{\rtf1\trowd\intbl a\cell b\cell\row\pard after\par}", "a\tb\nafter"),
            (r"{\rtf1 main{\footnote the note} goes on\par next}", "main goes on\n\nthe note\n\nnext"),
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
