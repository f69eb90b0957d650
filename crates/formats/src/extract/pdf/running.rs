//! Running heads, page numbers, stamps and binding lines: what is repeated from page to page.

use std::collections::BTreeMap;

use super::lines::{Page, PdfLine};
use crate::extract::wide::is_wide;
use copytrace_text::languages::languages;

// Chosen by hand on theses with running heads, page numbers, stamps and binding lines of many kinds.

/// The share of a page's height, above and below, in which running heads and page numbers stand.
const MARGIN: f64 = 0.14;

/// Lines on two pages stand in one place if they differ by at most so many points.
const SAME_PLACE: f64 = 4.0;

/// A line that is repeated on this share of the pages, of which there are so many or more, in one place, is running wherever it
/// stands.
const STAMPED: f64 = 0.5;
const FEWEST_STAMPED: usize = 5;

/// A line in a margin that stands on so many pages is running; if there are only two pages, on both.
const FEWEST_REPEATED: usize = 3;

/// Where this share of the pages has a running head, and so many pages, another line in its place is one too.
const USUAL_PLACE: f64 = 0.25;
const FEWEST_IN_PLACE: f64 = 3.0;

/// What is not repeated is only running if its letters are at most this many times as high as most: titles are higher.
const HIGHEST: f64 = 1.05;

/// A title is set in letters this many times as high as those of a head that repeats it.
const HIGHER: f64 = 1.15;

/// A head has a word of so many letters, or a Han character: signs and numbers are repeated in every table.
const SHORTEST_WORD: usize = 2;

/// The number of a page is found again, one or two higher, so many pages further at most: some pages have none.
const NEAR_PAGES: usize = 2;

/// Drafts number each of their lines, or each fifth.
const STEPS: [u32; 2] = [1, 5];

/// So many numbers below each other beside the text, each one or five more than the one before, count its lines.
const FEWEST_COUNTED: usize = 8;

/// So many do where most pages have such numbers.
const FEWEST_OF_DRAFT: usize = 2;

/// Lines that are repeated from page to page.
pub(super) struct RunningLines {
    /// How often a line with these words stands in these places: from the left, from the top.
    found: BTreeMap<String, Vec<(f64, f64, usize)>>,
    /// Heights at which many pages have running heads.
    places: Vec<f64>,
    /// By how much the numbers in the margins of each page exceed that of the page.
    offsets: Vec<Vec<i64>>,
    /// The numbers of lines on each page.
    counted: Vec<Vec<usize>>,
}

impl RunningLines {
    pub(super) fn find(pages: &[Page]) -> Self {
        let mut counted: Vec<Vec<usize>> = pages.iter().map(|page| line_numbers(page, FEWEST_COUNTED)).collect();
        // The last page of a draft may have a few lines only.
        if counted.iter().filter(|numbers| !numbers.is_empty()).count() * 2 > pages.len() {
            counted = pages.iter().map(|page| line_numbers(page, FEWEST_OF_DRAFT)).collect();
        }
        let mut found: BTreeMap<String, Vec<(f64, f64, usize)>> = BTreeMap::new();
        let uncounted = pages.iter().zip(&counted).flat_map(|(page, counted)| {
            (0..).zip(&page.lines).filter(|(at, _)| !counted.contains(at)).map(|(_, line)| line)
        });
        for line in uncounted {
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
        let offsets = (0..).zip(pages).map(|(number, page)| {
            let margin = page.lines.iter().filter(|line| in_margin(page, line));
            margin.filter_map(|line| offset(line, number)).collect()
        });
        let mut running = RunningLines { found, places: Vec::new(), offsets: offsets.collect(), counted };
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
        let many = (USUAL_PLACE * pages.len() as f64).max(FEWEST_IN_PLACE);
        running.places = heights
            .into_iter()
            .filter(|(_, count)| *count as f64 >= many)
            .map(|(top, _)| top as f64 * SAME_PLACE)
            .collect();
        running
    }

    /// Which lines of a page, whose number is counted from 0, are running.
    pub(super) fn on(&self, number: usize, page: &Page, body: f64) -> Vec<bool> {
        let counted = self.counted.get(number).map_or(&[][..], Vec::as_slice);
        let is_outermost = |line: &PdfLine| !page.lines.iter().any(|other| !other.turned && beyond(page, line, other));
        // Two numbers may stand on a sheet of two pages.
        let is_alone = |line: &PdfLine| {
            let mut row = page.lines.iter().filter(|other| same_row(other, line));
            row.all(|other| is_page_number(&pattern(&other.text)))
        };
        let is_number = |line: &PdfLine| {
            let pattern = pattern(&line.text);
            let is_told = || self.counts_pages(number, line) || is_worded(&pattern);
            is_page_number(&pattern) && (is_told() || is_alone(line) && is_outermost(line))
        };
        let usual = |line: &PdfLine| {
            line.size <= HIGHEST * body
                && self.places.iter().any(|top| (top - line.top).abs() <= SAME_PLACE)
                && is_outermost(line)
        };
        // Above the title of a chapter its own words, smaller: the head of a chapter that is too short for it to be repeated.
        let announces = |line: &PdfLine| {
            let below = page.lines.iter().filter(|other| !other.turned && other.top > line.top + SAME_PLACE);
            let title = below.min_by(|a, b| a.top.total_cmp(&b.top));
            let is_same = |title: &PdfLine| {
                is_worded(&title.text)
                    && title.size >= HIGHER * line.size
                    && pattern(&line.text).starts_with(&pattern(&title.text))
            };
            line.top < page.height / 2.0 && is_outermost(line) && title.is_some_and(is_same)
        };
        let alone = |line: &PdfLine| {
            let is_head = || self.is_repeated(line) || is_number(line) || usual(line) || announces(line);
            in_margin(page, line) && is_head() || self.is_stamped(line)
        };
        // What stands beside the number of a line is text, and so is what stands beside a number that is none of a page.
        let running: Vec<bool> =
            (0..).zip(&page.lines).map(|(at, line)| !counted.contains(&at) && alone(line)).collect();
        let leads =
            |other: &PdfLine| in_margin(page, other) && (is_worded(&other.text) || self.counts_pages(number, other));
        let beside = |line: &PdfLine| {
            let same_row = |(other, running): (&PdfLine, &bool)| *running && same_row(other, line) && leads(other);
            in_margin(page, line) && line.size <= HIGHEST * body && page.lines.iter().zip(&running).any(same_row)
        };
        (0..)
            .zip(page.lines.iter().zip(&running))
            .map(|(at, (line, is))| *is || beside(line) || counted.contains(&at))
            .collect()
    }

    /// Whether a line is a number that goes on from page to page.
    fn counts_pages(&self, number: usize, line: &PdfLine) -> bool {
        let Some(offset) = offset(line, number) else { return false };
        let near = number.saturating_sub(NEAR_PAGES)..(number + NEAR_PAGES + 1).min(self.offsets.len());
        near.filter(|other| *other != number).any(|other| self.offsets[other].contains(&offset))
    }

    fn is_repeated(&self, line: &PdfLine) -> bool {
        is_worded(&line.text) && self.count(line) >= if self.counted.len() == 2 { 2 } else { FEWEST_REPEATED }
    }

    /// A stamp, a watermark, or what stands beside a binding line.
    fn is_stamped(&self, line: &PdfLine) -> bool {
        self.counted.len() >= FEWEST_STAMPED && self.count(line) as f64 >= STAMPED * self.counted.len() as f64
    }

    fn count(&self, line: &PdfLine) -> usize {
        let places = self.found.get(&pattern(&line.text)).map_or(&[][..], Vec::as_slice);
        places.iter().filter(|(_, top, _)| (top - line.top).abs() <= SAME_PLACE).map(|(_, _, count)| *count).sum()
    }
}

/// The numbers of lines that stand left or right of all text of a page, as drafts have them; none if there are fewer.
fn line_numbers(page: &Page, fewest: usize) -> Vec<usize> {
    let value = |at: usize| page.lines[at].text.parse::<u32>().ok().filter(|_| !page.lines[at].turned);
    let (mut numbers, words): (Vec<usize>, Vec<usize>) = (0..page.lines.len()).partition(|&at| value(at).is_some());
    let edge = |of: fn(f64, f64) -> f64, from: f64, side: fn(&PdfLine) -> f64| {
        words.iter().map(|&at| &page.lines[at]).filter(|line| !in_margin(page, line)).map(side).fold(from, of)
    };
    let (left, right) = (edge(f64::min, f64::MAX, |line| line.left), edge(f64::max, 0.0, |line| line.right));
    numbers.retain(|&at| page.lines[at].right < left || page.lines[at].left > right);
    numbers.sort_by(|&a, &b| page.lines[a].top.total_cmp(&page.lines[b].top));
    // The number of the page may stand among them.
    let goes_on = |&a: &usize, &b: &usize| {
        let step = value(b).zip(value(a)).and_then(|(below, above)| below.checked_sub(above));
        step.is_some_and(|step| STEPS.contains(&step))
    };
    let longest = numbers.chunk_by(goes_on).max_by_key(|chain| chain.len()).unwrap_or_default();
    if longest.len() >= fewest { longest.to_vec() } else { Vec::new() }
}

/// By how much the number that a line consists of exceeds that of its page; none of other lines.
fn offset(line: &PdfLine, page: usize) -> Option<i64> {
    let digits = line.text.trim_matches(|c: char| !c.is_ascii_digit());
    let is_number = is_page_number(&pattern(&line.text));
    let digits = digits.split(|c: char| !c.is_ascii_digit()).next().filter(|_| is_number)?;
    digits.parse().ok().map(|value: i64| value - page as i64)
}

fn same_row(first: &PdfLine, second: &PdfLine) -> bool {
    (first.top - second.top).abs() <= SAME_PLACE
}

/// Whether there is a word, and not only numbers and signs.
fn is_worded(text: &str) -> bool {
    text.contains(is_wide) || text.chars().filter(|c| c.is_alphabetic()).count() >= SHORTEST_WORD
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
    matches!(core, "#" | "#/#")
        || languages().has(core, |l| &l.pages.numbers)
        || (core.len() <= 6
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
        let lines =
            (0..).zip(pages).flat_map(|(number, page)| std::iter::zip(&page.lines, found.on(number, page, 10.0)));
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
    fn a_head_that_repeats_the_title_below_it_is_running_and_a_title_of_two_lines_is_not() {
        let set = |lines: &[(f64, f64, &str)], sizes: [f64; 3]| {
            let mut page = page(lines);
            page.lines.iter_mut().zip(sizes).for_each(|(line, size)| line.size = size);
            page
        };
        let lines = [(200.0, 40.0, "第一章 绪论"), (200.0, 120.0, "第一章 绪论"), (50.0, 300.0, "words")];
        assert_eq!(running(&[set(&lines, [10.0, 16.0, 10.0])]), ["第一章 绪论"]);
        assert_eq!(running(&[set(&lines, [16.0, 16.0, 10.0])]), [""; 0]);
        let lines = [(200.0, 40.0, "Tides"), (200.0, 120.0, "Tides of the river"), (50.0, 300.0, "words")];
        assert_eq!(running(&[set(&lines, [10.0, 16.0, 10.0])]), [""; 0]);
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
    fn a_line_at_the_edge_of_a_page_stays_beside_its_number() {
        let texts = ["tides", "stakes", "marshes", "dykes", "rivers", "silt", "stems", "reeds", "crabs", "foam"];
        let pages = [0, 1, 2].map(|page_number: usize| {
            let lines: Vec<(f64, f64, String)> = (0..10)
                .flat_map(|at| {
                    let top = 60.0 + at as f64 * 70.0;
                    let text = texts[(at + 3 * page_number) % 10].to_owned();
                    [(40.0, top, format!("{}", 10 * page_number + at + 1)), (100.0, top, text)]
                })
                .chain([(500.0, 20.0, format!("{}", page_number + 4))])
                .collect();
            page(&lines.iter().map(|(left, top, text)| (*left, *top, text.as_str())).collect::<Vec<_>>())
        });
        assert!(running(&pages).iter().all(|text| text.parse::<u32>().is_ok()));
        assert_eq!(running(&pages).len(), 33);
    }

    #[test]
    fn numbers_that_are_of_no_page_and_what_stands_beside_them_are_text() {
        let pages = [0, 1, 2, 3].map(|at: usize| {
            let (number, value) = (format!("{}", 11 + at), format!("{}", 40 - 7 * at));
            let words = ["depth of silt", "reeds and crabs", "two dykes", "foam on mud"][at];
            page(&[
                (300.0, 780.0, &number),
                (60.0, 760.0, &value),
                (100.0, 760.0, words),
                (60.0, 40.0, "3"),
                (100.0, 40.0, ["of four", "of the tide", "herons", "eels"][at]),
                (100.0, 300.0, "words"),
            ])
        });
        let found: Vec<&str> = running(&pages[..3]).into_iter().filter(|text| *text != "words").collect();
        assert_eq!(found, ["11", "12", "13"]);
        assert_eq!(running(&[page(&[(300.0, 780.0, "7"), (100.0, 300.0, "words")])]), ["7"], "one page alone");
    }

    #[test]
    fn stamps_on_most_pages_are_running_wherever_they_are() {
        let pages: Vec<Page> = (0..6)
            .map(|at| page(&[(20.0, 400.0, "装"), (100.0, 300.0 + f64::from(at) * 10.0, "body"), (20.0, 450.0, "订")]))
            .collect();
        assert_eq!(running(&pages), ["装", "订"].repeat(6));
    }
}
