//! Writes paragraphs in every format that can be made without another program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A piece of a paragraph.
#[derive(Debug, Clone)]
pub enum Piece {
    Plain(String),
    /// In the markup of the trick that is tried.
    Tricked(String),
    /// As the format writes it.
    Raw(String),
}

/// A paragraph or a heading.
#[derive(Debug, Clone)]
pub struct Paragraph {
    pub is_heading: bool,
    pub pieces: Vec<Piece>,
}

impl Paragraph {
    pub fn plain(text: impl Into<String>) -> Self {
        Paragraph { is_heading: false, pieces: vec![Piece::Plain(text.into())] }
    }

    pub fn tricked(text: impl Into<String>) -> Self {
        Paragraph { is_heading: false, pieces: vec![Piece::Tricked(text.into())] }
    }

    pub fn heading(text: impl Into<String>) -> Self {
        Paragraph { is_heading: true, ..Paragraph::plain(text) }
    }
}

/// Markup around a piece of text, in one format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Markup {
    /// What the format has to declare for it: a style, a colour, an object.
    pub head: &'static str,
    pub open: &'static str,
    pub close: &'static str,
}

/// Writes paragraphs, the tricked pieces in this markup.
pub type Writer = fn(&[Paragraph], Markup) -> Vec<u8>;

/// The formats by the endings of their files.
pub const WRITERS: [(&str, Writer); 9] = [
    ("txt", txt),
    ("md", md),
    ("html", html),
    ("tex", tex),
    ("rtf", rtf),
    ("docx", docx),
    ("odt", odt),
    ("epub", epub),
    ("pdf", pdf),
];

/// Every piece through `escape`, the tricked ones within the markup, the others within `open` and `close`.
fn pieces(paragraph: &Paragraph, markup: Markup, open: &str, close: &str, escape: fn(&str) -> String) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Plain(text) => format!("{open}{}{close}", escape(text)),
        Piece::Tricked(text) => format!("{}{}{}", markup.open, escape(text), markup.close),
        Piece::Raw(text) => text.clone(),
    };
    paragraph.pieces.iter().map(piece).collect()
}

fn txt(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    paragraphs.iter().map(|p| pieces(p, markup, "", "", str::to_owned)).collect::<Vec<_>>().join("\n\n").into_bytes()
}

fn md(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    let line =
        |p: &Paragraph| format!("{}{}", if p.is_heading { "# " } else { "" }, pieces(p, markup, "", "", str::to_owned));
    let head = (!markup.head.is_empty()).then(|| markup.head.to_owned());
    head.into_iter().chain(paragraphs.iter().map(line)).collect::<Vec<_>>().join("\n\n").into_bytes()
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn page(paragraphs: &[Paragraph], markup: Markup) -> String {
    let element = |p: &Paragraph| {
        let name = if p.is_heading { "h1" } else { "p" };
        format!("<{name}>{}</{name}>\n", pieces(p, markup, "", "", xml))
    };
    let body: String = paragraphs.iter().map(element).collect();
    format!(
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta charset=\"utf-8\"/><title>x</title>{}</head><body>\n{body}</body></html>",
        markup.head
    )
}

fn html(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    format!("<!doctype html>{}", page(paragraphs, markup)).into_bytes()
}

fn epub(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    let book = "<package><metadata/><manifest><item id='one' href='1.xhtml' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='one'/></spine></package>";
    package(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", "<container><rootfiles><rootfile full-path='b.opf'/></rootfiles></container>"),
        ("b.opf", book),
        ("1.xhtml", &page(paragraphs, markup)),
    ])
}

fn tex(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    let escape = |text: &str| {
        let text = text.replace('%', "\\%").replace('&', "\\&").replace('$', "\\$");
        text.replace('_', "\\_").replace('#', "\\#")
    };
    let line = |p: &Paragraph| {
        let text = pieces(p, markup, "", "", escape);
        if p.is_heading { format!("\\chapter*{{{text}}}") } else { text }
    };
    let body: Vec<String> = paragraphs.iter().map(line).collect();
    format!("\\documentclass{{report}}{}\\begin{{document}}\n{}\n\\end{{document}}", markup.head, body.join("\n\n"))
        .into_bytes()
}

fn rtf(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    let escape = |text: &str| {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '\\' | '{' | '}' => out.extend(['\\', c]),
                '\n' => out.push_str("\\line "),
                c if c.is_ascii() => out.push(c),
                c => out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{} ", *unit as i16))),
            }
        }
        out
    };
    let mut out = format!("{{\\rtf1\\ansi\\uc0{{\\stylesheet{{\\s1 heading 1;}}}}{}\n", markup.head);
    for paragraph in paragraphs {
        let style = if paragraph.is_heading { "\\s1 " } else { "" };
        let _ = writeln!(out, "\\pard{style} {}\\par", pieces(paragraph, markup, "", "", escape));
    }
    (out + "}").into_bytes()
}

fn docx(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    let element = |p: &Paragraph| {
        let style = if p.is_heading { "<w:pPr><w:pStyle w:val=\"H\"/></w:pPr>" } else { "" };
        format!("<w:p>{style}{}</w:p>", pieces(p, markup, "<w:r><w:t xml:space=\"preserve\">", "</w:t></w:r>", xml))
    };
    let body: String = paragraphs.iter().map(element).collect();
    let spaces = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
        xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" xmlns:v=\"urn:schemas-microsoft-com:vml\" \
        xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\"";
    package(&[
        ("word/document.xml", &format!("<w:document {spaces}><w:body>{body}</w:body></w:document>")),
        (
            "word/styles.xml",
            &format!(
                "<w:styles {spaces}><w:style w:styleId=\"H\"><w:name w:val=\"heading 1\"/></w:style>{}</w:styles>",
                markup.head
            ),
        ),
    ])
}

fn odt(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    let element = |p: &Paragraph| {
        let (open, close) = if p.is_heading { ("t:h t:outline-level=\"1\"", "t:h") } else { ("t:p", "t:p") };
        format!("<{open}>{}</{close}>", pieces(p, markup, "", "", xml))
    };
    let body: String = paragraphs.iter().map(element).collect();
    let spaces = "xmlns:o=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:t=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
        xmlns:s=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" xmlns:f=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" \
        xmlns:d=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" xmlns:g=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" \
        xmlns:l=\"urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0\"";
    let content = format!(
        "<o:document-content {spaces}><o:automatic-styles>{}</o:automatic-styles><o:body><o:text>{body}</o:text></o:body></o:document-content>",
        markup.head
    );
    package(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &content)])
}

/// A ZIP archive of texts.
fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Letters of a line, lines of a page, and the size of letters of the width of a typewriter's, in points.
const COLUMNS: usize = 76;
const ROWS: usize = 56;
const SIZE: f64 = 10.0;

/// Pages of A4 in Courier. Characters beyond ASCII have codes of their own, whose meaning the font tells (ToUnicode), as a
/// word processor writes them; a tricked piece is drawn where it stands and moves nothing.
fn pdf(paragraphs: &[Paragraph], markup: Markup) -> Vec<u8> {
    let mut codes = BTreeMap::new();
    let (mut pages, mut content, mut row) = (Vec::new(), String::new(), 0);
    for paragraph in paragraphs {
        let size = if paragraph.is_heading { 1.6 * SIZE } else { SIZE };
        let columns = if paragraph.is_heading { COLUMNS * 5 / 8 } else { COLUMNS };
        for line in lines(paragraph, columns) {
            let top = 790.0 - row as f64 * 13.0;
            let mut column = 0;
            for (is_tricked, text) in line {
                let left = 70.0 + 0.6 * size * column as f64;
                let (open, close) = if is_tricked { (markup.open, markup.close) } else { ("", "") };
                let codes: String = text.chars().map(|c| format!("{:02x}", code(&mut codes, c))).collect();
                let _ = writeln!(
                    content,
                    "q {} BT /F {size} Tf {left:.2} {top:.2} Td {open} <{codes}> Tj {close} ET Q",
                    if is_tricked { markup.head } else { "" }
                );
                column += if is_tricked && !markup.open.is_empty() {
                    0
                } else {
                    text.chars().filter(|c| !is_narrow(*c)).count()
                };
            }
            row += 1;
            if row >= ROWS {
                (row, _) = (0, pages.push(std::mem::take(&mut content)));
            }
        }
        row += 1;
    }
    pages.push(content);
    let maps: String = codes
        .iter()
        .map(|(c, code)| {
            let units: String = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04x}")).collect();
            format!("<{code:02x}> <{units}>\n")
        })
        .collect();
    let widths: Vec<&str> = (0..=255_u16)
        .map(|code| {
            let narrow = codes.iter().any(|(c, own)| u16::from(*own) == code && is_narrow(*c));
            if narrow { "0" } else { "600" }
        })
        .collect();
    let map = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange\n\
         {} beginbfchar\n{maps}endbfchar endcmap end end",
        codes.len()
    );
    let kids: String = (0..pages.len()).map(|at| format!("{} 0 R ", 5 + 2 * at)).collect();
    // A layer that is off stands behind the pages.
    let layer = 5 + 2 * pages.len();
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[{layer} 0 R]/D<</OFF[{layer} 0 R]>>>>>>"),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", pages.len()),
        format!(
            "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding/FirstChar 0/LastChar 255/Widths[{}]/ToUnicode 4 0 R>>",
            widths.join(" ")
        ),
        stream(&map),
    ];
    for (at, content) in pages.iter().enumerate() {
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/CropBox[0 0 595 842]/Contents {} 0 R/Resources<</Font<</F 3 0 R>>/ExtGState<</T<</ca 0>>>>/Properties<</L {layer} 0 R>>>>>>",
            6 + 2 * at
        ));
        objects.push(stream(content));
    }
    objects.push("<</Type/OCG/Name(x)>>".to_owned());
    let mut file = "%PDF-1.5\n".to_owned();
    for (number, object) in (1..).zip(&objects) {
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    (file + "trailer <</Root 1 0 R>>\n%%EOF\n").into_bytes()
}

fn stream(content: &str) -> String {
    format!("<</Length {}>>stream\n{content}\nendstream", content.len())
}

/// Whether a character takes no room.
fn is_narrow(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FDD0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{FEFF}')
}

/// The code of a character in the font, a new one if it has none yet.
fn code(codes: &mut BTreeMap<char, u8>, c: char) -> u8 {
    if c.is_ascii() && !c.is_ascii_control() {
        return *codes.entry(c).or_insert(c as u8);
    }
    let next = 128 + codes.keys().filter(|c| !c.is_ascii()).count() as u8;
    *codes.entry(c).or_insert(next)
}

/// The pieces of a paragraph line by line, each with whether it is tricked.
fn lines(paragraph: &Paragraph, columns: usize) -> Vec<Vec<(bool, String)>> {
    let mut lines: Vec<Vec<(bool, String)>> = vec![Vec::new()];
    let mut column = 0;
    for piece in &paragraph.pieces {
        let (is_tricked, text) = match piece {
            Piece::Plain(text) | Piece::Raw(text) => (false, text),
            Piece::Tricked(text) => (true, text),
        };
        let letters: Vec<char> = text.chars().collect();
        let words = letters.split_inclusive(|c| *c == ' ').flat_map(|word| word.chunks(columns));
        for word in words {
            let width = word.len();
            let word: String = word.iter().collect();
            if column + width > columns && column > 0 {
                lines.push(Vec::new());
                column = 0;
            }
            column += width;
            if let Some(line) = lines.last_mut() {
                match line.last_mut() {
                    Some((same, text)) if *same == is_tricked => text.push_str(&word),
                    _ => line.push((is_tricked, word)),
                }
            }
        }
    }
    lines
}
