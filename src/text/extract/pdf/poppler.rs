//! Pages as `pdftotext -bbox-layout` describes them: flows of blocks of lines of words, in reading order.

use super::Reading;
use super::lines::{Line, Page};
use super::white::WhiteText;
use crate::text::Metadata;
use crate::text::extract::program::run;
use crate::text::extract::xml::{Element, Node, printable, walk};
use crate::text::limits::ReadLimits;

/// Reads a file with poppler.
pub(super) fn read(bytes: &[u8], limits: &ReadLimits) -> Result<(Vec<Page>, Metadata), Reading> {
    let arguments = |path: &std::ffi::OsStr| {
        vec!["-bbox-layout".into(), "-enc".into(), "UTF-8".into(), path.to_owned(), "-".into()]
    };
    let output = run("pdftotext".as_ref(), bytes, arguments, limits)?;
    let mut reader = Reader { white: WhiteText::find(bytes, limits), ..Reader::default() };
    walk("the output of pdftotext", &printable(output), limits, |node| {
        reader.node(node);
        Ok(())
    })?;
    Ok((reader.pages, reader.metadata))
}

/// A word that is being read.
#[derive(Default)]
struct Word {
    text: String,
    place: [f64; 4],
}

#[derive(Default)]
struct Reader {
    white: WhiteText,
    pages: Vec<Page>,
    /// Width of the current page in points.
    width: f64,
    metadata: Metadata,
    blocks: usize,
    line: Line,
    word: Option<Word>,
    in_title: bool,
}

impl Reader {
    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Start(element) => self.start(&element),
            Node::End("word") => {
                if let Some(Word { text, place: [left, top, right, bottom] }) = self.word.take() {
                    let white = self.is_white((left + right) / 2.0, (top + bottom) / 2.0);
                    self.line.push(text.trim(), left, right, bottom - top, white);
                }
            }
            Node::End("line") => {
                let line = std::mem::take(&mut self.line);
                if let Some(page) = self.pages.last_mut().filter(|_| !line.text.is_empty()) {
                    page.lines.push(line);
                }
            }
            Node::End("title") => self.in_title = false,
            Node::Text(text) => {
                if let Some(word) = &mut self.word {
                    word.text.push_str(&text);
                } else if self.in_title && !text.trim().is_empty() {
                    self.metadata.title = Some(text.trim().to_owned());
                }
            }
            Node::End(_) => {}
        }
    }

    /// Whether a place of the current page, in points, is in white text.
    fn is_white(&self, left: f64, top: f64) -> bool {
        let Some(page) = self.pages.last() else { return false };
        self.white.holds(self.pages.len() - 1, left / self.width.max(1.0), top / page.height.max(1.0))
    }

    fn start(&mut self, element: &Element<'_>) {
        match element.name() {
            "title" => self.in_title = true,
            "meta" => {
                let content = element.attribute("content").filter(|content| !content.trim().is_empty());
                match element.attribute("name").as_deref() {
                    Some("Author") => self.metadata.author = content,
                    Some("CreationDate") => self.metadata.date = content,
                    _ => {}
                }
            }
            "page" => {
                self.width = number(element, "width");
                self.pages.push(Page { height: number(element, "height"), lines: Vec::new() });
            }
            "block" => self.blocks += 1,
            "line" => {
                let [left, top, right, bottom] = place(element);
                self.line = Line { left, top, right: left.min(right), bottom, block: self.blocks, ..Line::default() };
                // Poppler ends a line where the next piece lies over the last one.
                let goes_on =
                    |before: &mut Line| before.goes_on_at(left) && before.top == top && before.bottom == bottom;
                if let Some(before) = self.pages.last_mut().and_then(|page| page.lines.pop_if(goes_on)) {
                    self.line = before;
                }
            }
            "word" => self.word = Some(Word { text: String::new(), place: place(element) }),
            _ => {}
        }
    }
}

fn place(element: &Element<'_>) -> [f64; 4] {
    ["xMin", "yMin", "xMax", "yMax"].map(|name| number(element, name))
}

/// A number of an attribute; 0 if it is none.
fn number(element: &Element<'_>, name: &str) -> f64 {
    let number = element.attribute(name).and_then(|value| value.parse::<f64>().ok());
    number.filter(|number| number.is_finite()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_cut_at_characters_that_a_font_draws_with_a_width_is_one_word() {
        // As poppler describes `out\u{200b}side he\u{200c}re` in a font without these two.
        let word =
            |left, right, text| format!("<word xMin=\"{left}\" xMax=\"{right}\" yMin=\"10\" yMax=\"20\">{text}</word>");
        let line = |left, right, words: String| {
            format!("<line xMin=\"{left}\" xMax=\"{right}\" yMin=\"10\" yMax=\"20\">{words}</line>")
        };
        let lines = line(0, 40, word(0, 40, "out\u{200b}"))
            + &line(30, 100, word(30, 70, "side") + &word(80, 110, "he\u{200c}") + &word(100, 120, "re"))
            + &line(0, 30, word(0, 30, "next"));
        let output = format!("<page width=\"200\" height=\"100\"><block>{lines}</block></page>");
        let mut reader = Reader::default();
        walk("test", output.as_bytes(), &ReadLimits::default(), |node| {
            reader.node(node);
            Ok(())
        })
        .unwrap();
        let texts: Vec<&str> = reader.pages[0].lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["out\u{200b}side he\u{200c}re", "next"]);
    }
}
