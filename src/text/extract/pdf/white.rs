//! Where a PDF file has white letters, as `pdftohtml -xml` tells it, which is of poppler like `pdftotext`.

use crate::text::extract::program::run;
use crate::text::extract::style::is_white;
use crate::text::extract::xml::{Element, Node, printable, walk};
use crate::text::limits::ReadLimits;
use std::collections::BTreeSet;

/// From this share of white letters on the pages are dark, and white is how they are read.
const DARK_PAGES: f64 = 0.5;

/// A rectangle in parts of its page's width and height: left, top, right, bottom.
type Box = [f64; 4];

/// The places of white text on each page; none where the program is missing or fails, for this is a hint only.
#[derive(Debug, Default, PartialEq)]
pub(super) struct WhiteText {
    pages: Vec<Vec<Box>>,
}

impl WhiteText {
    /// Asks `pdftohtml`.
    pub(super) fn find(bytes: &[u8], limits: &ReadLimits) -> WhiteText {
        let arguments = |path: &std::ffi::OsStr| {
            let options = ["-xml", "-i", "-q", "-stdout", "-enc", "UTF-8"];
            options.iter().map(|option| option.into()).chain([path.to_owned()]).collect()
        };
        let output = run("pdftohtml".as_ref(), bytes, arguments, limits).unwrap_or_default();
        Self::read(&printable(output), limits)
    }

    fn read(output: &[u8], limits: &ReadLimits) -> WhiteText {
        let mut reader = Reader::default();
        let read = walk("the output of pdftohtml", output, limits, |node| {
            reader.node(&node);
            Ok(())
        });
        let dark = reader.white_letters as f64 > DARK_PAGES * reader.letters as f64;
        if read.is_err() || dark { WhiteText::default() } else { WhiteText { pages: reader.pages } }
    }

    /// Whether a place on a page, from its left and its top in parts of the whole, is in white text.
    pub(super) fn holds(&self, page: usize, left: f64, top: f64) -> bool {
        let inside = |place: &Box| (place[0]..=place[2]).contains(&left) && (place[1]..=place[3]).contains(&top);
        self.pages.get(page).is_some_and(|boxes| boxes.iter().any(inside))
    }
}

#[derive(Default)]
struct Reader {
    pages: Vec<Vec<Box>>,
    size: [f64; 2],
    white_fonts: BTreeSet<String>,
    in_white: bool,
    letters: usize,
    white_letters: usize,
}

impl Reader {
    fn node(&mut self, node: &Node<'_>) {
        match node {
            Node::Start(element) => self.start(element),
            Node::End("text") => self.in_white = false,
            Node::Text(text) => {
                let letters = text.chars().filter(|c| !c.is_whitespace()).count();
                self.letters += letters;
                self.white_letters += if self.in_white { letters } else { 0 };
            }
            Node::End(_) => {}
        }
    }

    fn start(&mut self, element: &Element<'_>) {
        let number = |name: &str| element.attribute(name).and_then(|value| value.parse::<f64>().ok()).unwrap_or(0.0);
        match element.name() {
            "page" => {
                self.pages.push(Vec::new());
                self.size = ["width", "height"].map(|name| number(name).max(1.0));
            }
            "fontspec" if element.attribute("color").is_some_and(|colour| is_white(&colour)) => {
                self.white_fonts.extend(element.attribute("id"));
            }
            "text" => {
                self.in_white = element.attribute("font").is_some_and(|font| self.white_fonts.contains(&font));
                if let Some(page) = self.pages.last_mut().filter(|_| self.in_white) {
                    let [left, top, width, height] = ["left", "top", "width", "height"].map(number);
                    let [across, down] = self.size;
                    page.push([left / across, top / down, (left + width) / across, (top + height) / down]);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(white: &str, black: &str) -> WhiteText {
        let xml = format!(
            "<pdf2xml><page number='1' height='1000' width='500'><fontspec id='0' color='#000000'/>\
             <fontspec id='1' color='#ffffff'/><text top='100' left='50' width='100' height='20' font='1'>{white}</text>\
             <text top='200' left='50' width='100' height='20' font='0'><b>{black}</b></text></page></pdf2xml>"
        );
        WhiteText::read(xml.as_bytes(), &ReadLimits::default())
    }

    #[test]
    fn white_text_is_found_by_its_place() {
        let white = output("unseen", "seen by everyone");
        assert!(white.holds(0, 0.2, 0.11));
        assert!(!white.holds(0, 0.2, 0.21));
        assert!(!white.holds(1, 0.2, 0.11));
    }

    #[test]
    fn white_letters_on_dark_pages_are_no_secret() {
        assert_eq!(output("most of the letters", "few"), WhiteText::default());
    }

    #[test]
    fn output_that_is_none_gives_no_white_text() {
        assert_eq!(WhiteText::read(b"<broken", &ReadLimits::default()), WhiteText::default());
    }
}
