//! Pages for the printer: lines and tables on A4, as PDF 1.7.
//!
//! The characters used are [embedded](face) from a system font with Han characters. Others, or all if there is no such font, are not:
//! Latin text is then set in Helvetica, which every viewer has, and other text in the Song
//! face that viewers substitute for `STSong-Light` (ISO 32000-1, 9.7.5.2: the predefined character map `UniGB-UTF16-H`, Adobe-GB1). A
//! viewer without Chinese fonts shows blanks in its place. A file whose text is all in the embedded font is [one for archives](archive).

mod archive;
pub mod face;
mod pen;
pub mod picture;

use face::{Face, FontFile};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, TextStr};
use pen::Pen;
use picture::Picture;

/// Points (1/72 inch) of the short and the long side of A4, and of the margin.
const SHORT: f32 = 595.0;
const LONG: f32 = 842.0;
const MARGIN: f32 = 50.0;

/// The program that made the file, as it says itself.
const CREATOR: &str = "copytrace";

/// Points that a picture may take, as wide and as high, and its name on the page.
const LOGO: (f32, f32) = (130.0, 42.0);
const PICTURE: &[u8] = b"L";

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

/// A title as heads of columns are written: it begins in upper case, whatever it is called elsewhere.
pub fn head(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// How text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    size: f32,
    bold: bool,
    grey: bool,
}

/// Points of the side of a code to be read by a phone: 35 mm.
const TICKET: f32 = 100.0;

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
    pen: Pen,
    pages: Vec<Content>,
    /// A picture at the head of the first page.
    picture: Option<Picture>,
    /// Points from the page's lower edge to where the next line begins.
    y: f32,
}

impl Paper {
    /// The first page, with a title, in a font that is embedded.
    pub fn new(title: &str, language: &'static str, landscape: bool, font: Option<&FontFile>) -> Self {
        let size = if landscape { (LONG, SHORT) } else { (SHORT, LONG) };
        let pen = Pen::new(font.and_then(Face::read));
        let mut paper =
            Paper { size, title: title.to_owned(), language, pen, pages: Vec::new(), picture: None, y: 0.0 };
        paper.turn();
        paper.write(TITLE, title);
        paper
    }

    /// Puts a picture beside the title, at the right margin of the first page.
    pub fn picture(&mut self, picture: &Picture) {
        let (width, height) = picture.within(LOGO);
        let (x, y) = (self.size.0 - MARGIN - width, self.size.1 - MARGIN / 2.0 - height);
        if let Some(first) = self.pages.first_mut() {
            first.save_state().transform([width, 0.0, 0.0, height, x, y]).x_object(Name(PICTURE)).restore_state();
            self.picture = Some(picture.clone());
        }
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
        for line in text.lines().flat_map(|paragraph| self.pen.wrap(paragraph, look, width)).collect::<Vec<_>>() {
            self.need(look.size * 1.4);
            self.y -= look.size * 1.4;
            self.put(look, MARGIN, &line);
        }
        self.y -= look.size * 0.4;
    }

    /// A piece to be cut out: a square of dark and light fields, with lines of text beside it.
    pub fn ticket(&mut self, fields: usize, is_dark: impl Fn(usize, usize) -> bool, lines: &[&str]) {
        self.need(TICKET + 24.0);
        let (top, side) = (self.y - 10.0, TICKET / fields.max(1) as f32);
        let content = self.content();
        // In fields as units, so that numbers are short: there may be thousands of these.
        content.save_state().set_fill_gray(0.0).transform([side, 0.0, 0.0, -side, MARGIN, top]);
        for y in 0..fields {
            let mut x = 0;
            while x < fields {
                let run = (x..fields).take_while(|&x| is_dark(x, y)).count();
                if run > 0 {
                    content.rect(x as f32, y as f32, run as f32, 1.0);
                }
                x += run.max(1);
            }
        }
        content.fill_nonzero().restore_state();
        let left = MARGIN + TICKET + 18.0;
        let width = self.size.0 - MARGIN - left;
        self.y = top;
        for line in lines.iter().flat_map(|line| self.pen.wrap(line, TEXT, width)).collect::<Vec<_>>() {
            self.y -= TEXT.size * 1.5;
            self.put(TEXT, left, &line);
        }
        self.y = (top - TICKET - 12.0).min(self.y);
        let (from, to, y) = (MARGIN, self.size.0 - MARGIN, self.y);
        self.content().set_stroke_gray(0.75).set_line_width(0.4).move_to(from, y).line_to(to, y).stroke();
        self.y -= 2.0;
    }

    /// A table; its head is repeated on each page, and rows are not cut.
    pub fn table(&mut self, columns: &[Column<'_>], rows: impl IntoIterator<Item = Vec<String>>) {
        let unit = self.width() / columns.iter().map(|column| column.share).sum::<f32>().max(f32::MIN_POSITIVE);
        let widths: Vec<f32> = columns.iter().map(|column| column.share * unit).collect();
        let head: Vec<String> = columns.iter().map(|column| head(column.title)).collect();
        self.need(60.0);
        self.row(columns, &widths, &head, HEAD);
        for row in rows {
            let height =
                self.lines(&row, &widths, CELL).iter().map(Vec::len).max().unwrap_or(1) as f32 * CELL.size * 1.3 + 5.0;
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
        let cells = self.lines(cells, widths, look);
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        for at in 0..height {
            self.need(look.size * 1.3);
            self.y -= look.size * 1.3;
            let mut x = MARGIN;
            for ((column, width), cell) in columns.iter().zip(widths).zip(&cells) {
                if let Some(line) = cell.get(at) {
                    let inset = if column.right { (width - 6.0 - self.pen.measure(line, look)).max(0.0) } else { 0.0 };
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
        if let Some(content) = self.pages.last_mut() {
            self.pen.put(content, look, (x, self.y), line);
        }
    }

    /// The cells of a row, cut into lines.
    fn lines(&self, cells: &[String], widths: &[f32], look: Look) -> Vec<Vec<String>> {
        cells.iter().zip(widths).map(|(cell, width)| self.pen.wrap(cell, look, width - 6.0)).collect()
    }

    /// The file.
    pub fn finish(mut self) -> Vec<u8> {
        let [catalog, tree, info] = [1, 2, 3].map(Ref::new);
        let count = self.pages.len();
        for (at, content) in self.pages.iter_mut().enumerate() {
            let number = format!("{} / {count}", at + 1);
            let x = self.size.0 - MARGIN - self.pen.measure(&number, SMALL);
            self.pen.put(content, SMALL, (x, MARGIN / 2.0), &number);
            let title = self.pen.wrap(&self.title, SMALL, self.size.0 - 3.0 * MARGIN).into_iter().next();
            self.pen.put(content, SMALL, (MARGIN, MARGIN / 2.0), &title.unwrap_or_default());
        }
        let mut pdf = Pdf::new();
        pdf.document_info(info).title(TextStr(&self.title)).creator(TextStr(CREATOR));
        let fonts = self.pen.write_fonts(&mut pdf, 4);
        let archived = 4 + pen::OBJECTS;
        let is_archived = fonts.iter().map(|(name, _)| *name).eq([pen::EMBEDDED]);
        if is_archived {
            archive::write(&mut pdf, [catalog, tree], self.language, &self.title, archived);
        } else {
            pdf.catalog(catalog).pages(tree).lang(TextStr(self.language));
        }
        let picture = Ref::new(archived + archive::OBJECTS);
        if let Some(drawn) = &self.picture {
            drawn.write(&mut pdf, picture);
        }
        let first = picture.get() + 1;
        let page_of = |at: usize| Ref::new(first + 2 * at as i32);
        pdf.pages(tree).kids((0..count).map(page_of)).count(count as i32);
        for (at, content) in self.pages.into_iter().enumerate() {
            let stream = Ref::new(page_of(at).get() + 1);
            let mut page = pdf.page(page_of(at));
            page.media_box(Rect::new(0.0, 0.0, self.size.0, self.size.1)).parent(tree).contents(stream);
            let mut resources = page.resources();
            let mut named = resources.fonts();
            for (name, font) in &fonts {
                named.pair(Name(name), *font);
            }
            named.finish();
            if at == 0 && self.picture.is_some() {
                resources.x_objects().pair(Name(PICTURE), picture);
            }
            resources.finish();
            page.finish();
            pdf.stream(stream, &content.finish());
        }
        if is_archived {
            archive::identify(&mut pdf);
        }
        pdf.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A sheet in a font that is embedded or not, and what is read of it.
    fn printed(font: Option<&FontFile>) -> (Vec<u8>, String) {
        let mut paper = Paper::new("结果 Results", "zh-CN", true, font);
        paper.heading("A heading");
        let columns =
            [Column { title: "姓名", share: 2.0, right: false }, Column { title: "Ratio", share: 1.0, right: true }];
        paper.table(&columns, (0..100).map(|n| vec![format!("张三 Zhang {n}"), format!("{n}.5%")]));
        let folder = tempfile::tempdir().unwrap();
        let (path, pdf) = (folder.path().join("sheet.pdf"), paper.finish());
        std::fs::write(&path, &pdf).unwrap();
        let mut inputs = copytrace::formats::input::Inputs::open(&[path], Default::default());
        let document = inputs.next().unwrap().unwrap().extract(&Default::default()).unwrap();
        // The number of the page is left out by whoever reads a page's text, as of every PDF.
        (pdf, document.text.replace(char::is_whitespace, ""))
    }

    fn holds(pdf: &[u8], name: &str) -> bool {
        pdf.windows(name.len()).any(|bytes| bytes == name.as_bytes())
    }

    #[test]
    fn what_is_printed_is_read_again_whether_its_font_is_embedded_or_not() {
        // Made for this test: boxes of two widths, for what stands on the sheet.
        let boxes = FontFile::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/paper/boxes.ttf")).unwrap();
        for font in [None, Some(&boxes)] {
            let (pdf, text) = printed(font);
            for expected in ["结果Results", "Aheading", "姓名Ratio", "张三Zhang00.5%", "张三Zhang9999.5%"] {
                assert!(text.contains(expected), "{expected}: {text}");
            }
            for named in ["/Helvetica", "/STSong-Light"] {
                assert_eq!(holds(&pdf, named), font.is_none(), "{named}");
            }
            assert_eq!(holds(&pdf, "/FontFile2"), font.is_some());
            assert_eq!(holds(&pdf, "pdfaid"), font.is_some(), "it is for archives");
            assert_eq!(printed(font).0, pdf, "the same again");
        }
    }

    #[test]
    fn what_an_embedded_font_lacks_is_set_in_another() {
        let boxes = FontFile::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/paper/boxes.ttf")).unwrap();
        let mut paper = Paper::new("结果", "zh-CN", false, Some(&boxes));
        paper.text("囍");
        let pdf = paper.finish();
        assert!(holds(&pdf, "/STSong-Light") && holds(&pdf, "/FontFile2"));
        assert!(!holds(&pdf, "pdfaid"), "it is not for archives");
    }

    #[test]
    fn a_file_that_is_no_font_or_has_no_han_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("font.ttf");
        assert_eq!(FontFile::of(&path), None);
        std::fs::write(&path, "no font").unwrap();
        assert_eq!(FontFile::of(&path), None);
    }
}
