//! Running heads, page numbers, stamps and binding lines: what is repeated from page to page.

use std::collections::BTreeMap;

use super::lines::{Page, PdfLine};

/// The share of a page's height, above and below, in which running heads and page numbers stand.
const MARGIN: f64 = 0.14;

/// Lines on two pages stand in one place if they differ by at most so many points.
const SAME_PLACE: f64 = 4.0;

/// A line that is repeated on this share of the pages, in one place, is running wherever it stands.
const STAMPED: f64 = 0.5;

/// Where so many pages have a running head, another line in its place is one too.
const USUAL_PLACE: f64 = 0.25;

/// So many numbers below each other beside the text, each one or five more than the one before, count its lines.
const FEWEST_COUNTED: usize = 8;

/// Lines that are repeated from page to page.
pub(super) struct RunningLines {
    /// How often a line with these words stands in these places: from the left, from the top.
    found: BTreeMap<String, Vec<(f64, f64, usize)>>,
    /// Heights at which many pages have running heads.
    places: Vec<f64>,
    pages: usize,
}

impl RunningLines {
    pub(super) fn find(pages: &[Page]) -> Self {
        let mut found: BTreeMap<String, Vec<(f64, f64, usize)>> = BTreeMap::new();
        for line in pages.iter().flat_map(|page| &page.lines) {
            let places = found.entry(pattern(&line.text)).or_default();
            match places.iter_mut().find(|(_, top, _)| (top - line.top).abs() <= SAME_PLACE) {
                Some((left, _, count)) => {
                    *count += 1;
                    // Heads of left and right pages differ.
                    *left = left.min(line.left);
                }
                None => places.push((line.left, line.top, 1)),
            }
        }
        let mut running = RunningLines { found, places: Vec::new(), pages: pages.len() };
        let mut heights: BTreeMap<i64, usize> = BTreeMap::new();
        for page in pages {
            let mut tops: Vec<i64> = page
                .lines
                .iter()
                .filter(|line| {
                    in_margin(page, line) && running.is_repeated(line) && !is_page_number(&pattern(&line.text))
                })
                .map(|line| (line.top / SAME_PLACE).round() as i64)
                .collect();
            tops.dedup();
            tops.into_iter().for_each(|top| *heights.entry(top).or_default() += 1);
        }
        let many = (USUAL_PLACE * pages.len() as f64).max(3.0);
        running.places = heights
            .into_iter()
            .filter(|(_, count)| *count as f64 >= many)
            .map(|(top, _)| top as f64 * SAME_PLACE)
            .collect();
        running
    }

    /// Which lines of a page are running.
    pub(super) fn on(&self, page: &Page, body: f64) -> Vec<bool> {
        let alone = |line: &PdfLine| {
            let is_margin = in_margin(page, line);
            let pattern = pattern(&line.text);
            let usual = || {
                is_margin
                    && line.size <= 1.05 * body
                    && self.places.iter().any(|top| (top - line.top).abs() <= SAME_PLACE)
                    && !page.lines.iter().any(|other| !other.turned && beyond(page, line, other))
            };
            (is_margin && (self.is_repeated(line) || is_page_number(&pattern))) || self.is_stamped(line) || usual()
        };
        let running: Vec<bool> = page.lines.iter().map(alone).collect();
        let beside = |line: &PdfLine| {
            let same_row = |(other, running): (&PdfLine, &bool)| *running && (other.top - line.top).abs() <= SAME_PLACE;
            in_margin(page, line)
                && line.size <= 1.05 * body
                && page.lines.iter().zip(&running).any(|(other, is)| same_row((other, is)) && in_margin(page, other))
        };
        let counted = line_numbers(page);
        (0..)
            .zip(page.lines.iter().zip(&running))
            .map(|(at, (line, is))| *is || beside(line) || counted.contains(&at))
            .collect()
    }

    fn is_repeated(&self, line: &PdfLine) -> bool {
        self.count(line) >= if self.pages == 2 { 2 } else { 3 }
    }

    /// A stamp, a watermark, or what stands beside a binding line.
    fn is_stamped(&self, line: &PdfLine) -> bool {
        self.pages >= 5 && self.count(line) as f64 >= STAMPED * self.pages as f64
    }

    fn count(&self, line: &PdfLine) -> usize {
        let places = self.found.get(&pattern(&line.text)).map_or(&[][..], Vec::as_slice);
        places.iter().filter(|(_, top, _)| (top - line.top).abs() <= SAME_PLACE).map(|(_, _, count)| *count).sum()
    }
}

/// The numbers of lines that stand left or right of all text of a page, as drafts have them.
fn line_numbers(page: &Page) -> Vec<usize> {
    let value = |at: usize| page.lines[at].text.parse::<u32>().ok().filter(|_| !page.lines[at].turned);
    let (mut numbers, words): (Vec<usize>, Vec<usize>) = (0..page.lines.len()).partition(|&at| value(at).is_some());
    let edge = |of: fn(f64, f64) -> f64, from: f64, side: fn(&PdfLine) -> f64| {
        words.iter().map(|&at| &page.lines[at]).filter(|line| !in_margin(page, line)).map(side).fold(from, of)
    };
    let (left, right) = (edge(f64::min, f64::MAX, |line| line.left), edge(f64::max, 0.0, |line| line.right));
    numbers.retain(|&at| page.lines[at].right < left || page.lines[at].left > right);
    numbers.sort_by(|&a, &b| page.lines[a].top.total_cmp(&page.lines[b].top));
    let step = |pair: &[usize]| Some(value(pair[1])?.checked_sub(value(pair[0])?)).flatten();
    let counts = numbers.len() >= FEWEST_COUNTED && numbers.windows(2).all(|pair| matches!(step(pair), Some(1 | 5)));
    if counts { numbers } else { Vec::new() }
}

/// Whether another line stands nearer to the page's edge than this one, in the same margin.
fn beyond(page: &Page, line: &PdfLine, other: &PdfLine) -> bool {
    if line.top < page.height / 2.0 { other.top < line.top - SAME_PLACE } else { other.top > line.top + SAME_PLACE }
}

fn in_margin(page: &Page, line: &PdfLine) -> bool {
    line.bottom < page.height * MARGIN || line.top > page.height * (1.0 - MARGIN)
}

/// A line with its numbers taken out.
fn pattern(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        let c = if c.is_numeric() { '#' } else { c };
        if !(c == '#' && pattern.ends_with('#')) {
            pattern.push(c);
        }
    }
    pattern
}

/// Whether a pattern is that of a page number: 12, - 12 -, 第12页, Page 12 of 90, xiv.
fn is_page_number(pattern: &str) -> bool {
    let core = pattern.trim_matches(|c: char| matches!(c, '-' | '–' | '—' | '·' | '.' | '|' | '[' | ']' | '(' | ')'));
    matches!(
        core,
        "#" | "第#页" | "第#頁" | "Page#" | "page#" | "p.#" | "Page#of#" | "#/#" | "第#页共#页" | "第#页,共#页"
    ) || (core.len() <= 6
        && !core.is_empty()
        && core.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'i' | b'v' | b'x' | b'l')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_are_known_by_their_form() {
        for line in ["12", "- 12 -", "第 12 页", "xiv", "XII", "Page 3 of 90", "12 / 90"] {
            assert!(is_page_number(&pattern(line)), "{line}");
        }
        for line in ["Figure 12", "12 marshes", "civil engineering", "第12章", "1. Introduction"] {
            assert!(!is_page_number(&pattern(line)), "{line}");
        }
    }

    fn page(lines: &[(f64, f64, &str)]) -> Page {
        let line = |&(left, top, text): &(f64, f64, &str)| PdfLine {
            text: text.to_owned(),
            left,
            right: left + 50.0,
            top,
            bottom: top + 10.0,
            size: 10.0,
            ..PdfLine::default()
        };
        Page { width: 600.0, height: 800.0, lines: lines.iter().map(line).collect(), ..Page::default() }
    }

    fn running(pages: &[Page]) -> Vec<&str> {
        let found = RunningLines::find(pages);
        let lines = pages.iter().flat_map(|page| std::iter::zip(&page.lines, found.on(page, 10.0)));
        lines.filter(|(_, is)| *is).map(|(line, _)| line.text.as_str()).collect()
    }

    #[test]
    fn a_title_of_one_page_beside_a_running_head_is_running() {
        let pages = ["Introduction", "References", "Thanks", "Results"].map(|title| {
            page(&[(50.0, 40.0, "Alice"), (500.0, 40.0, title), (50.0, 200.0, title), (50.0, 300.0, "words")])
        });
        let expected: Vec<&str> =
            ["Introduction", "References", "Thanks", "Results"].iter().flat_map(|title| ["Alice", title]).collect();
        // The words are stamped on each page too.
        let found: Vec<&str> = running(&pages).into_iter().filter(|text| *text != "words").collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn numbers_that_count_the_lines_of_a_draft_are_no_text_and_those_of_a_table_are() {
        let numbered = |left: f64| {
            let lines: Vec<(f64, f64, String)> = (0..9)
                .map(|at| (at, 200.0 + f64::from(at) * 20.0))
                .flat_map(|(at, top)| {
                    [(left, top, format!("{}", 31 + at)), (100.0, top, format!("words {}", "x".repeat(at as usize)))]
                })
                .collect();
            let lines: Vec<(f64, f64, &str)> =
                lines.iter().map(|(left, top, text)| (*left, *top, text.as_str())).collect();
            let pages = [page(&lines)];
            running(&pages).len()
        };
        assert_eq!((numbered(40.0), numbered(110.0)), (9, 0));
    }

    #[test]
    fn stamps_on_most_pages_are_running_wherever_they_are() {
        let pages: Vec<Page> = (0..6)
            .map(|at| page(&[(20.0, 400.0, "装"), (100.0, 300.0 + f64::from(at) * 10.0, "body"), (20.0, 450.0, "订")]))
            .collect();
        assert_eq!(running(&pages), ["装", "订"].repeat(6));
    }
}
