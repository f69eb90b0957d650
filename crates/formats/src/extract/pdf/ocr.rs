//! Pages without a readable text layer: poppler's `pdftoppm` draws them, `tesseract` reads the picture.
//!
//! One page after the other is drawn, so that memory does not grow with the document. The places of lines, which
//! tesseract tells as hOCR (1.2), take the same way to a text as those of a text layer.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use super::lies;
use super::lines::{Page, PdfLine};
use crate::extract::program::{Failure, Output, run, run_with, temporary_file};
use crate::extract::wide::is_wide;
use crate::extract::xml::{Element, Node, walk};
use crate::extract::{Excess, ExtractError};
use crate::limits::ReadLimits;

/// Pixels of a page's long side, whatever its size: those of A4 at 300 dots per inch.
const LONG_SIDE: &str = "3508";

/// The languages that are read, as far as tesseract has them.
const CHINESE: [&str; 2] = ["chi_sim", "chi_tra"];
const OTHERS: [&str; 1] = ["eng"];

/// Heights of lines differ with the letters in them. Those that are nearer to the usual height than to a height this many times as
/// great, or as small, are taken for the usual one; and so on for greater and smaller ones.
const SIZE_STEP: f64 = 1.3;

/// Puts lines on the pages that have none, and on those whose picture says otherwise than their lines: those whose lines are the text layer of a
/// picture are compared if the limit allows all of them, of the others some, and all if one of these lies.
///
/// # Errors
/// A program that is missing, a page that it cannot read, more pages or more time than the limits allow.
pub(super) fn read_pictures(pages: &mut [Page], bytes: &[u8], limits: &ReadLimits) -> Result<(), ExtractError> {
    let mut pictures: Vec<usize> = (0..pages.len()).filter(|&at| pages[at].needs_ocr()).collect();
    let sample = lies::sample(pages);
    if pictures.is_empty() && sample.is_empty() {
        return Ok(());
    }
    let languages = match languages(limits) {
        // Without OCR nothing is compared.
        Err(_) if pictures.is_empty() => return Ok(()),
        languages => languages?,
    };
    let layers: Vec<usize> = (0..pages.len()).filter(|&at| !pages[at].needs_ocr() && pages[at].is_layer()).collect();
    if pictures.len() + layers.len() <= limits.ocr_pages {
        pictures.extend(layers);
        pictures.sort_unstable();
    }
    let file = temporary_file(bytes)?;
    let of_sample = |&at: &usize| {
        let shown = lines(file.path(), at + 1, pages[at].height, &languages, &Budget::new(limits));
        Some((at, shown.ok()?))
    };
    let shown: BTreeMap<usize, Vec<PdfLine>> = sample.par_iter().filter_map(of_sample).collect();
    if shown.iter().any(|(at, shown)| lies::is_true(&pages[*at], shown) == Some(false)) {
        pictures = (0..pages.len()).collect();
    }
    if pictures.len() > limits.ocr_pages {
        return Err(Excess::OcrPages { pages: pictures.len(), limit: limits.ocr_pages }.into());
    }
    let budget = Budget::new(limits);
    let read = |at: &usize| match shown.get(at) {
        Some(lines) => Ok(lines.clone()),
        None => lines(file.path(), at + 1, pages[*at].height, &languages, &budget),
    };
    let mut read: Vec<Vec<PdfLine>> = pictures.par_iter().map(read).collect::<Result<_, ExtractError>>()?;
    even_sizes(&mut read);
    for (at, lines) in pictures.into_iter().zip(read) {
        let page = &mut pages[at];
        let contradicted = !page.needs_ocr();
        match if contradicted { lies::is_true(page, &lines) } else { Some(false) } {
            Some(true) => page.upon_pictures = 0,
            Some(false) => {
                *page = Page { width: page.width, height: page.height, lines, contradicted, ..Page::default() };
            }
            None => {}
        }
    }
    Ok(())
}

/// The processor time that OCR of one document may take, and what its pages have taken of it so far.
struct Budget<'l> {
    limits: &'l ReadLimits,
    spent_micros: AtomicU64,
}

impl<'l> Budget<'l> {
    fn new(limits: &'l ReadLimits) -> Self {
        Budget { limits, spent_micros: AtomicU64::new(0) }
    }

    /// Runs a program of OCR, for as long as is left at most.
    fn run(&self, run: impl FnOnce(&ReadLimits) -> Result<Output, Failure>) -> Result<Vec<u8>, ExtractError> {
        let spent = Duration::from_micros(self.spent_micros.load(Ordering::Relaxed));
        let left = self.limits.ocr_time.saturating_sub(spent);
        if left.is_zero() {
            return Err(Excess::OcrTime { limit: self.limits.ocr_time.as_secs() }.into());
        }
        let program_time = self.limits.program_time.min(left);
        let output = run(&ReadLimits { program_time, ..self.limits.clone() }).map_err(named)?;
        self.spent_micros.fetch_add(output.processor_time.as_micros() as u64, Ordering::Relaxed);
        Ok(output.bytes)
    }
}

/// Gives lines of nearly one size that size.
fn even_sizes(pages: &mut [Vec<PdfLine>]) {
    let mut sizes: Vec<(f64, usize)> = pages.iter().flatten().map(|line| (line.size, line.text.len())).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = sizes.iter().map(|(_, letters)| letters).sum::<usize>() / 2;
    let mut before = 0;
    let usual = sizes.iter().find(|(_, letters)| {
        before += letters;
        before > half
    });
    let Some(&(usual, _)) = usual.filter(|(size, _)| *size > 0.0) else { return };
    for line in pages.iter_mut().flatten() {
        let steps = (line.size / usual).log(SIZE_STEP).round();
        line.size = usual * SIZE_STEP.powf(steps);
    }
}

/// Languages to ask for one after the other, each some of tesseract's names between plus signs: Chinese alone, which
/// reads Latin letters too, if with errors; and all, for pages that turn out not to be Chinese. With all at once some
/// Chinese lines are taken for Latin letters, and it takes longer.
fn languages(limits: &ReadLimits) -> Result<Vec<String>, ExtractError> {
    let list = run_with("tesseract".as_ref(), vec!["--list-langs".into()], limits).map_err(named)?;
    let list = String::from_utf8_lossy(&list.bytes);
    let is_installed = |language: &&str| list.lines().any(|line| line.trim() == *language);
    let chinese: Vec<&str> = CHINESE.into_iter().filter(is_installed).collect();
    let others: Vec<&str> = OTHERS.into_iter().filter(is_installed).collect();
    let all = [chinese.as_slice(), &others].concat();
    let mut languages = vec![chinese.join("+"), all.join("+")];
    languages.dedup();
    languages.retain(|languages| !languages.is_empty());
    if languages.is_empty() { Err(ExtractError::NeedsTesseract) } else { Ok(languages) }
}

fn named(failure: Failure) -> ExtractError {
    match failure {
        Failure::Missing => ExtractError::NeedsTesseract,
        failure => failure.into(),
    }
}

/// The lines of one page, whose height is in points.
fn lines(
    file: &Path,
    number: usize,
    height: f64,
    languages: &[String],
    budget: &Budget<'_>,
) -> Result<Vec<PdfLine>, ExtractError> {
    let page = OsString::from(number.to_string());
    let mut arguments: Vec<OsString> = ["-gray", "-scale-to", LONG_SIDE, "-f"].map(OsString::from).into();
    arguments.extend([page.clone(), "-l".into(), page, file.as_os_str().to_owned()]);
    let picture = budget.run(|limits| run_with("pdftoppm".as_ref(), arguments, limits))?;
    let mut lines = Vec::new();
    for languages in languages {
        lines = recognised(&picture, height, languages, budget)?;
        if is_mostly_wide(lines.iter().flat_map(|line| line.text.chars())) {
            break;
        }
    }
    Ok(lines)
}

/// The lines of a picture of a page.
fn recognised(picture: &[u8], height: f64, languages: &str, budget: &Budget<'_>) -> Result<Vec<PdfLine>, ExtractError> {
    let arguments = |path: &std::ffi::OsStr| {
        let options = ["stdout", "--dpi", "300", "-l", languages, "hocr"];
        [path.to_owned()].into_iter().chain(options.map(OsString::from)).collect()
    };
    let output = budget.run(|limits| run("tesseract".as_ref(), picture, arguments, limits))?;
    let mut reader = HocrReader { page_height: height, ..HocrReader::default() };
    walk("the output of tesseract", &output, budget.limits, |node| {
        reader.node(&node);
        Ok(())
    })?;
    Ok(reader.lines)
}

/// Whether most characters are of a script without spaces.
fn is_mostly_wide(characters: impl Iterator<Item = char>) -> bool {
    let (mut han, mut all) = (0_usize, 0_usize);
    for c in characters.filter(|c| !c.is_whitespace()) {
        han += usize::from(is_wide(c));
        all += 1;
    }
    han * 2 > all
}

/// Reads hOCR: areas of paragraphs of lines of words, with their places in pixels.
#[derive(Default)]
struct HocrReader {
    /// In points.
    page_height: f64,
    /// Points of a pixel.
    scale: f64,
    areas: usize,
    lines: Vec<PdfLine>,
    /// The current line's place, the height of its letters as tesseract has it, and its words.
    place: [f64; 4],
    letters: f64,
    words: Vec<Word>,
    in_word: bool,
}

/// A word with its left and right edge in points.
struct Word {
    text: String,
    left: f64,
    right: f64,
}

impl HocrReader {
    fn node(&mut self, node: &Node<'_>) {
        match node {
            Node::Start(element) => self.start(element),
            Node::Text(text) => {
                if let Some(word) = self.words.last_mut().filter(|_| self.in_word) {
                    word.text.push_str(text.trim());
                }
            }
            // Spans are words, and lines of words.
            Node::End("span") => {
                if !std::mem::take(&mut self.in_word) {
                    self.end_line();
                }
            }
            Node::End(_) => {}
        }
    }

    fn start(&mut self, element: &Element<'_>) {
        let (Some(class), Some(title)) = (element.attribute("class"), element.attribute("title")) else { return };
        let Some(pixels) = numbers::<4>(&title, "bbox") else { return };
        let [left, _, right, _] = pixels.map(|at| at * self.scale);
        match class.as_str() {
            "ocr_page" => self.scale = self.page_height / pixels[3].max(1.0),
            "ocr_carea" => self.areas += 1,
            "ocrx_word" => {
                self.in_word = true;
                self.words.push(Word { text: String::new(), left, right });
            }
            // Lines are of several classes, and areas, paragraphs and pictures have no size.
            _ => {
                if let Some([size]) = numbers(&title, "x_size") {
                    self.place = pixels.map(|at| at * self.scale);
                    self.letters = size * self.scale;
                }
            }
        }
    }

    fn end_line(&mut self) {
        let [left, top, right, bottom] = self.place;
        let words = std::mem::take(&mut self.words);
        let is_wide = is_mostly_wide(words.iter().flat_map(|word| word.text.chars()));
        // The height that tesseract has for Han characters is far too great.
        let height = if is_wide { bottom - top } else { self.letters };
        let mut line = PdfLine { left, top, right: left, bottom, block: self.areas, ..PdfLine::default() };
        for Word { text, left, right } in words {
            // Between the boxes of Han characters are gaps that are no blanks.
            let left = if line.text.is_empty() { left } else { line.right };
            line.push(&text, left, right, height);
        }
        if !line.text.is_empty() {
            self.lines.push(PdfLine { right, ..line });
        }
    }
}

/// The numbers after a name in an element's title: `bbox 10 20 300 400; x_size 42`.
fn numbers<const N: usize>(title: &str, name: &str) -> Option<[f64; N]> {
    let property = title.split(';').find_map(|property| property.trim().strip_prefix(name))?;
    let numbers: Vec<f64> = property.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect();
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &str) -> Vec<PdfLine> {
        let hocr = format!(
            "<html><body><div class='ocr_page' title='image \"a;b\"; bbox 0 0 2000 4000; ppageno 0'>\
             <div class='ocr_carea' title='bbox 0 0 2000 4000'>{lines}</div></div></body></html>"
        );
        let mut reader = HocrReader { page_height: 1000.0, ..HocrReader::default() };
        walk("hOCR", hocr.as_bytes(), &ReadLimits::default(), |node| {
            reader.node(&node);
            Ok(())
        })
        .unwrap();
        reader.lines
    }

    fn line(words: &[&str], height: u32) -> String {
        let word = |(at, text): (usize, &&str)| {
            let left = 100 + 200 * at;
            format!("<span class='ocrx_word' title='bbox {left} 400 {} 440; x_wconf 90'>{text}</span>\n", left + 150)
        };
        let words: String = words.iter().enumerate().map(word).collect();
        format!("<span class='ocr_line' title='bbox 100 400 900 {}; x_size 80'>{words}</span>", 400 + height)
    }

    #[test]
    fn words_are_joined_by_blanks_and_han_characters_are_not() {
        let lines =
            read(&[line(&["A", "salt", "marsh"], 40), line(&["潮汐", "沼", "泽。"], 40), line(&[" "], 40)].concat());
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["A salt marsh", "潮汐沼泽。"]);
        // Four pixels are a point. The size is what tesseract says, but of Han characters the height of the line.
        let places: Vec<_> =
            lines.iter().map(|line| (line.left, line.top, line.right, line.bottom, line.size)).collect();
        assert_eq!(places, [(25.0, 100.0, 225.0, 110.0, 20.0), (25.0, 100.0, 225.0, 110.0, 10.0)]);
    }

    #[test]
    fn sizes_that_differ_by_the_letters_only_are_made_one() {
        let sized = |size: f64, text: &str| PdfLine { size, text: text.to_owned(), ..PdfLine::default() };
        let long = "a line of the body of the text";
        let mut pages = vec![
            vec![sized(17.0, "Heading"), sized(10.2, long), sized(9.1, "nor a tall letter")],
            vec![sized(10.0, long), sized(11.1, long), sized(7.9, "1 a note")],
        ];
        even_sizes(&mut pages);
        let steps: Vec<f64> = pages.iter().flatten().map(|line| (line.size / 10.2).log(SIZE_STEP).round()).collect();
        assert_eq!(steps, [2.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
        assert!(pages.iter().flatten().filter(|line| line.text == long).all(|line| line.size == 10.2));
    }
}
