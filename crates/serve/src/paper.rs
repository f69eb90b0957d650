//! Pages for the printer: lines and tables on A4, as PDF 1.7.
//!
//! Nothing is embedded: Latin text is set in Helvetica, which every viewer has, and all other text in the Song face that viewers
//! substitute for `STSong-Light` (ISO 32000-1, 9.7.5.2: the predefined character map `UniGB-UTF16-H`, Adobe-GB1).

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

/// Points (1/72 inch) of the short and the long side of A4, and of the margin.
const SHORT: f32 = 595.0;
const LONG: f32 = 842.0;
const MARGIN: f32 = 50.0;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// Its share of the width; the table has the sum of them.
    pub share: f32,
    /// Whether its cells stand at its right side, as numbers do.
    pub right: bool,
}

/// How text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    size: f32,
    bold: bool,
    grey: bool,
}

const TITLE: Look = Look { size: 16.0, bold: true, grey: false };
const HEADING: Look = Look { size: 12.0, bold: true, grey: false };
const TEXT: Look = Look { size: 9.5, bold: false, grey: false };
const SMALL: Look = Look { size: 8.0, bold: false, grey: true };
const CELL: Look = Look { size: 8.5, bold: false, grey: false };
const HEAD: Look = Look { size: 8.5, bold: true, grey: false };

/// Pages that are being filled from the top.
pub struct Paper {
    size: (f32, f32),
    title: String,
    language: &'static str,
    pages: Vec<Content>,
    /// Points from the page's lower edge to where the next line begins.
    y: f32,
}

impl Paper {
    /// The first page, with a title.
    pub fn new(title: &str, language: &'static str, landscape: bool) -> Self {
        let size = if landscape { (LONG, SHORT) } else { (SHORT, LONG) };
        let mut paper = Paper { size, title: title.to_owned(), language, pages: Vec::new(), y: 0.0 };
        paper.turn();
        paper.write(TITLE, title);
        paper
    }

    fn turn(&mut self) {
        self.pages.push(Content::new());
        self.y = self.size.1 - MARGIN;
    }

    fn width(&self) -> f32 {
        self.size.0 - 2.0 * MARGIN
    }

    /// Turns the page unless this number of points is left on it.
    fn need(&mut self, points: f32) {
        if self.y - points < MARGIN {
            self.turn();
        }
    }

    /// A heading; it stays with what follows it.
    pub fn heading(&mut self, text: &str) {
        self.need(60.0);
        self.y -= 8.0;
        self.write(HEADING, text);
    }

    /// A paragraph.
    pub fn text(&mut self, text: &str) {
        self.write(TEXT, text);
    }

    /// A paragraph of lesser weight.
    pub fn small(&mut self, text: &str) {
        self.write(SMALL, text);
    }

    fn write(&mut self, look: Look, text: &str) {
        let width = self.width();
        for line in text.lines().flat_map(|paragraph| wrap(paragraph, look, width)) {
            self.need(look.size * 1.4);
            self.y -= look.size * 1.4;
            self.put(look, MARGIN, &line);
        }
        self.y -= look.size * 0.4;
    }

    /// A table; its head is repeated on each page, and rows are not cut.
    pub fn table(&mut self, columns: &[Column<'_>], rows: impl IntoIterator<Item = Vec<String>>) {
        let unit = self.width() / columns.iter().map(|column| column.share).sum::<f32>().max(f32::MIN_POSITIVE);
        let widths: Vec<f32> = columns.iter().map(|column| column.share * unit).collect();
        let head: Vec<String> = columns.iter().map(|column| column.title.to_owned()).collect();
        self.need(60.0);
        self.row(columns, &widths, &head, HEAD);
        for row in rows {
            let height =
                lines(&row, &widths, CELL).iter().map(Vec::len).max().unwrap_or(1) as f32 * CELL.size * 1.3 + 5.0;
            // A row that no page could hold is cut below.
            if self.y - height < MARGIN && height < self.size.1 / 2.0 {
                self.turn();
                self.row(columns, &widths, &head, HEAD);
            }
            self.row(columns, &widths, &row, CELL);
        }
        self.y -= 6.0;
    }

    fn row(&mut self, columns: &[Column<'_>], widths: &[f32], cells: &[String], look: Look) {
        let cells = lines(cells, widths, look);
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        for at in 0..height {
            self.need(look.size * 1.3);
            self.y -= look.size * 1.3;
            let mut x = MARGIN;
            for ((column, width), cell) in columns.iter().zip(widths).zip(&cells) {
                if let Some(line) = cell.get(at) {
                    let inset = if column.right { (width - 6.0 - measure(line, look)).max(0.0) } else { 0.0 };
                    self.put(look, x + inset, line);
                }
                x += width;
            }
        }
        self.y -= 5.0;
        let (from, to, y) = (MARGIN, self.size.0 - MARGIN, self.y + 2.0);
        self.content().set_stroke_gray(0.75).set_line_width(0.4).move_to(from, y).line_to(to, y).stroke();
    }

    fn content(&mut self) -> &mut Content {
        if self.pages.is_empty() {
            self.pages.push(Content::new());
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    /// Puts a line where the pen is.
    fn put(&mut self, look: Look, x: f32, line: &str) {
        let y = self.y;
        put(self.content(), look, x, y, line);
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        let (catalog, tree, helvetica, bold, song, face, descriptor, info) =
            (Ref::new(1), Ref::new(2), Ref::new(3), Ref::new(4), Ref::new(5), Ref::new(6), Ref::new(7), Ref::new(8));
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(tree).lang(TextStr(self.language));
        pdf.document_info(info).title(TextStr(&self.title)).creator(TextStr("copytrace"));
        for (font, name) in [(helvetica, &b"Helvetica"[..]), (bold, b"Helvetica-Bold")] {
            pdf.type1_font(font).base_font(Name(name)).encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        pdf.type0_font(song)
            .base_font(Name(b"STSong-Light-UniGB-UTF16-H"))
            .encoding_predefined(Name(b"UniGB-UTF16-H"))
            .descendant_font(face);
        pdf.cid_font(face)
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
        let count = self.pages.len();
        let page_of = |at: usize| Ref::new(10 + 2 * at as i32);
        pdf.pages(tree).kids((0..count).map(page_of)).count(count as i32);
        for (at, mut content) in self.pages.into_iter().enumerate() {
            let number = format!("{} / {count}", at + 1);
            put(&mut content, SMALL, self.size.0 - MARGIN - measure(&number, SMALL), MARGIN / 2.0, &number);
            put(&mut content, SMALL, MARGIN, MARGIN / 2.0, &first_line(&self.title, SMALL, self.size.0 - 3.0 * MARGIN));
            let stream = Ref::new(page_of(at).get() + 1);
            let mut page = pdf.page(page_of(at));
            page.media_box(Rect::new(0.0, 0.0, self.size.0, self.size.1)).parent(tree).contents(stream);
            let mut resources = page.resources();
            resources.fonts().pair(Name(b"H"), helvetica).pair(Name(b"B"), bold).pair(Name(b"S"), song);
            resources.finish();
            page.finish();
            pdf.stream(stream, &content.finish());
        }
        pdf.finish()
    }
}

/// The cells of a row, cut into lines.
fn lines(cells: &[String], widths: &[f32], look: Look) -> Vec<Vec<String>> {
    cells.iter().zip(widths).map(|(cell, width)| wrap(cell, look, width - 6.0)).collect()
}

/// What of a text fits on one line.
fn first_line(text: &str, look: Look, width: f32) -> String {
    wrap(text, look, width).into_iter().next().unwrap_or_default()
}

fn put(content: &mut Content, look: Look, x: f32, y: f32, line: &str) {
    content.begin_text().set_fill_gray(if look.grey { 0.35 } else { 0.0 }).set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]);
    let mut run: Vec<u8> = Vec::new();
    let mut latin = true;
    for c in line.chars() {
        let code = of_latin(c);
        if code.is_some() != latin {
            show(content, look, latin, &mut run);
            latin = code.is_some();
        }
        match code {
            Some(byte) => run.push(byte),
            None => run.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes())),
        }
    }
    show(content, look, latin, &mut run);
    content.end_text();
}

fn show(content: &mut Content, look: Look, latin: bool, run: &mut Vec<u8>) {
    if !run.is_empty() {
        let font: &[u8] = match (latin, look.bold) {
            (true, false) => b"H",
            (true, true) => b"B",
            (false, _) => b"S",
        };
        content.set_font(Name(font), look.size).show(Str(run));
        run.clear();
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

/// How wide a character is, in points.
fn width_of(c: char, look: Look) -> f32 {
    let thousandths = match of_latin(c) {
        Some(byte @ b' '..=b'~') => f32::from(WIDTHS[usize::from(byte - b' ')]),
        Some(0x97) => 1000.0,
        Some(_) => 611.0,
        None => 1000.0,
    };
    // The bold face is a little wider.
    thousandths * look.size / 1000.0 * if look.bold { 1.07 } else { 1.0 }
}

fn measure(text: &str, look: Look) -> f32 {
    text.chars().map(|c| width_of(c, look)).sum()
}

/// Marks that begin no line.
const CLOSING: &str = "，。、；：！？）》」』】”’";

/// Lines no wider than `width` points: broken at blanks, between Han characters, and within words that are longer.
fn wrap(text: &str, look: Look, width: f32) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0.0);
    for c in text.chars() {
        let wide = width_of(c, look);
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
            used = measure(&line, look);
        }
        if !(line.is_empty() && c == ' ') {
            line.push(c);
            used += wide;
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_wider_than_the_paper_and_lose_no_word() {
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
                let wrapped = wrap(text, TEXT, width);
                assert!(wrapped.iter().all(|line| measure(line, TEXT) <= width), "{wrapped:?}");
                let without_blanks = |text: &str| text.replace(' ', "");
                assert_eq!(without_blanks(&wrapped.concat()), without_blanks(text));
            }
        }
        assert_eq!(wrap("one two", TEXT, 25.0), ["one", "two"]);
        assert_eq!(wrap("一二三。四五", TEXT, 29.0), ["一二", "三。四", "五"]);
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let mut paper = Paper::new("结果 Results", "zh-CN", true);
        paper.heading("A heading");
        let columns =
            [Column { title: "姓名", share: 2.0, right: false }, Column { title: "Ratio", share: 1.0, right: true }];
        paper.table(&columns, (0..100).map(|n| vec![format!("张三 Zhang {n}"), format!("{n}.5%")]));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.pdf");
        std::fs::write(&path, paper.finish()).unwrap();
        let mut inputs = copytrace::formats::input::Inputs::open(&[path], Default::default());
        let document = inputs.next().unwrap().unwrap().extract(&Default::default()).unwrap();
        // The number of the page is left out by whoever reads a page's text, as of every PDF.
        let text = document.text.replace(char::is_whitespace, "");
        for expected in ["结果Results", "Aheading", "姓名Ratio", "张三Zhang00.5%", "张三Zhang9999.5%"] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }
}
