//! Running heads, page numbers, stamps and binding lines: what is repeated from page to page.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lines::{Page, PdfLine, SAME_SIZE};
use super::roles::usual_distance;
use crate::extract::wide::is_wide;
use copytrace_text::languages::languages;

// Chosen by hand on theses with running heads, page numbers, stamps and binding lines of many kinds.

/// The share of a page's height, above and below, in which running heads and page numbers stand.
const MARGIN: f64 = 0.14;

/// How many points apart lines on two pages may stand to be in one place.
const SAME_PLACE: f64 = 4.0;

/// A line that is repeated in one place is running wherever it stands: the least share of the pages that have it, and the fewest
/// pages of a document for that.
const STAMPED: f64 = 0.5;
const FEWEST_STAMPED: usize = 5;

/// The fewest pages on which a line in a margin stands that is running; if there are only two pages, it stands on both.
const FEWEST_REPEATED: usize = 3;

/// The least share of the pages, and the fewest pages, with a running head in one place: another line there is one too.
const USUAL_PLACE: f64 = 0.25;
const FEWEST_IN_PLACE: f64 = 3.0;

/// What is not repeated is only running if its letters are at most this many times as high as most: titles are higher.
const HIGHEST: f64 = 1.05;

/// A title is set in letters this many times as high as those of a head that repeats it.
const HIGHER: f64 = 1.15;

/// The fewest letters of a head without a Han character: signs and numbers are repeated in every table.
const SHORTEST_WORD: usize = 2;

/// How many pages further the number of a page, one or two higher, is found again at most: some pages have none.
const NEAR_PAGES: usize = 2;

/// How many lines stand behind a line of the text, towards the middle of the page, by which share each may be farther from the last
/// than most lines of the page are, and how many heights at most: heads have fewer lines, and stand apart. Chosen by hand; not
/// measured apart.
const LINES_BEHIND: usize = 2;
const EVEN: f64 = 0.1;
const FARTHEST: f64 = 3.0;

/// Drafts number each of their lines, or each fifth.
const STEPS: [u32; 2] = [1, 5];

/// The fewest numbers below each other beside the text that count its lines, each one or five more than the one before.
const FEWEST_COUNTED: usize = 8;

/// The fewest of them where most pages have such numbers.
const FEWEST_OF_DRAFT: usize = 2;

/// Lines that are repeated from page to page.
pub(super) struct RunningLines {
    /// How often lines that are equal but for their numbers return at these heights.
    found: BTreeMap<String, Vec<(f64, usize)>>,
    /// Heights at which many pages have running heads.
    places: Vec<f64>,
    /// By how much the numbers in the margins of each page exceed that of the page.
    offsets: Offsets,
    /// The numbers of lines on each page.
    counted: Vec<Vec<usize>>,
}

impl RunningLines {
    /// Finds them on pages where most letters have the height `body`.
    pub(super) fn find(pages: &[Page], body: f64) -> Self {
        let mut counted: Vec<Vec<usize>> = pages.iter().map(|page| line_numbers(page, FEWEST_COUNTED)).collect();
        // The last page of a draft may have a few lines only.
        if counted.iter().filter(|numbers| !numbers.is_empty()).count() * 2 > pages.len() {
            counted = pages.iter().map(|page| line_numbers(page, FEWEST_OF_DRAFT)).collect();
        }
        let offsets = Offsets::of(pages);
        let sheets: Vec<Sheet<'_>> = (0..).zip(pages).map(|(number, page)| Sheet::of(page, number, &offsets)).collect();
        let mut alike: BTreeMap<String, Vec<Alike<'_>>> = BTreeMap::new();
        for (number, (page, counted)) in pages.iter().zip(&counted).enumerate() {
            for (_, line) in (0..).zip(&page.lines).filter(|(at, _)| !counted.contains(at)) {
                let groups = alike.entry(pattern(&line.text)).or_default();
                match groups.iter_mut().find(|group| (group.top - line.top).abs() <= SAME_PLACE) {
                    Some(group) => group.lines.push((number, line)),
                    None => groups.push(Alike { top: line.top, lines: vec![(number, line)] }),
                }
            }
        }
        let found = alike.into_iter().map(|(pattern, groups)| {
            let groups = groups.into_iter().map(|group| (group.top, group.returning(&sheets, body)));
            (pattern, groups.collect())
        });
        let mut running = RunningLines { found: found.collect(), places: Vec::new(), offsets, counted };
        running.places = running.places_of_heads(&sheets);
        running
    }

    /// Heights at which many pages have running heads, and fewer have the first line of their text.
    fn places_of_heads(&self, sheets: &[Sheet<'_>]) -> Vec<f64> {
        let titles = titles(sheets);
        let mut heights: BTreeMap<i64, usize> = BTreeMap::new();
        for Sheet { page, .. } in sheets {
            let is_echo = |line: &PdfLine| {
                is_worded(&line.text)
                    && titles.get(&solid(&line.text)).is_some_and(|size| *size >= HIGHER * line.size)
                    && is_outermost(page, line)
            };
            let is_head = |line: &PdfLine| {
                in_margin(page, line)
                    && (self.is_repeated(line) || is_echo(line))
                    && !is_page_number(&pattern(&line.text))
            };
            let heads = page.lines.iter().filter(|line| is_head(line));
            let mut tops: Vec<i64> = heads.map(|line| (line.top / SAME_PLACE).round() as i64).collect();
            tops.dedup();
            tops.into_iter().for_each(|top| *heights.entry(top).or_default() += 1);
        }
        let many = (USUAL_PLACE * sheets.len() as f64).max(FEWEST_IN_PLACE);
        let edges: Vec<f64> = sheets.iter().flat_map(Sheet::edges_of_text).collect();
        heights
            .into_iter()
            .map(|(top, count)| (top as f64 * SAME_PLACE, count))
            .filter(|(top, count)| {
                let texts = edges.iter().filter(|edge| (*edge - top).abs() <= SAME_PLACE).count();
                *count as f64 >= many && *count > texts
            })
            .map(|(top, _)| top)
            .collect()
    }

    /// Which lines of a page, whose number is counted from 0, are running.
    pub(super) fn on(&self, number: usize, page: &Page, body: f64) -> Vec<bool> {
        let counted = self.counted.get(number).map_or(&[][..], Vec::as_slice);
        let sheet = Sheet::of(page, number, &self.offsets);
        let is_outermost = |line: &PdfLine| is_outermost(page, line);
        // Two numbers may stand on a sheet of two pages.
        let is_alone = |line: &PdfLine| {
            let mut row = page.lines.iter().filter(|other| same_row(other, line));
            row.all(|other| is_page_number(&pattern(&other.text)))
        };
        let is_number = |line: &PdfLine| {
            let pattern = pattern(&line.text);
            let is_told = || self.offsets.counts_pages(number, line) || is_worded(&pattern);
            is_page_number(&pattern) && (is_told() || is_alone(line) && is_outermost(line))
        };
        let usual = |line: &PdfLine| {
            line.size <= HIGHEST * body
                && self.places.iter().any(|top| (top - line.top).abs() <= SAME_PLACE)
                && is_outermost(line)
                && !sheet.is_of_text(line)
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
        let leads = |other: &PdfLine| {
            in_margin(page, other) && (is_worded(&other.text) || self.offsets.counts_pages(number, other))
        };
        let beside = |line: &PdfLine| {
            let same_row = |(other, running): (&PdfLine, &bool)| *running && same_row(other, line) && leads(other);
            in_margin(page, line) && line.size <= HIGHEST * body && page.lines.iter().zip(&running).any(same_row)
        };
        (0..)
            .zip(page.lines.iter().zip(&running))
            .map(|(at, (line, is))| *is || beside(line) || counted.contains(&at))
            .collect()
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
        places.iter().filter(|(top, _)| (top - line.top).abs() <= SAME_PLACE).map(|(_, count)| *count).sum()
    }
}

/// By how much the numbers in the margins of each page exceed that of the page.
struct Offsets(Vec<Vec<i64>>);

impl Offsets {
    fn of(pages: &[Page]) -> Self {
        let of_page = |(number, page): (usize, &Page)| {
            let margin = page.lines.iter().filter(|line| in_margin(page, line));
            margin.filter_map(|line| offset(line, number)).collect()
        };
        Offsets(pages.iter().enumerate().map(of_page).collect())
    }

    /// Whether a line is a number that goes on from page to page.
    fn counts_pages(&self, number: usize, line: &PdfLine) -> bool {
        offset(line, number).is_some_and(|offset| self.goes_on(number, offset))
    }

    fn goes_on(&self, number: usize, offset: i64) -> bool {
        near(number).any(|other| self.0.get(other).is_some_and(|offsets| offsets.contains(&offset)))
    }

    /// Those of the numbers of a page that go on from page to page.
    fn of_numbers(&self, number: usize) -> Vec<i64> {
        let offsets = self.0.get(number).map_or(&[][..], Vec::as_slice);
        offsets.iter().copied().filter(|offset| self.goes_on(number, *offset)).collect()
    }
}

/// A page with the distance of its lines, and by how much its numbers exceed its place in the file.
struct Sheet<'p> {
    page: &'p Page,
    distance: f64,
    numbers: Vec<i64>,
}

impl<'p> Sheet<'p> {
    fn of(page: &'p Page, number: usize, offsets: &Offsets) -> Self {
        let lines: Vec<&PdfLine> = page.lines.iter().filter(|line| !line.turned).collect();
        Sheet { page, distance: usual_distance(&lines), numbers: offsets.of_numbers(number) }
    }

    /// Whether a line begins the text of a page, or ends it at its foot: more lines stand behind it as they do in paragraphs.
    fn is_of_text(&self, line: &PdfLine) -> bool {
        let inwards = if line.top < self.page.height / 2.0 { 1.0 } else { -1.0 };
        let depth = |other: &PdfLine| (other.bottom - line.bottom) * inwards;
        let farthest = ((1.0 + EVEN) * self.distance).min(FARTHEST * line.size);
        let mut last = line;
        (0..LINES_BEHIND).all(|_| {
            let is_behind = |other: &&PdfLine| depth(other) > depth(last) + SAME_PLACE;
            let behind = self.page.lines.iter().filter(|other| !other.turned && is_worded(&other.text));
            let behind = behind.filter(is_behind);
            let Some(next) = behind.min_by(|a, b| depth(a).total_cmp(&depth(b))) else { return false };
            let is_near = depth(next) - depth(last) <= farthest;
            last = next;
            is_near && (next.size - line.size).abs() <= SAME_SIZE * line.size
        })
    }

    /// The heights of the first and the last line of the page, if they are lines of its text.
    fn edges_of_text(&self) -> Vec<f64> {
        let lines = || self.page.lines.iter().filter(|line| !line.turned);
        let edges = [lines().min_by(|a, b| a.top.total_cmp(&b.top)), lines().max_by(|a, b| a.top.total_cmp(&b.top))];
        edges.into_iter().flatten().filter(|line| self.is_of_text(line)).map(|line| line.top).collect()
    }

    /// Whether a line may say the number of the page. The label of a chapter may not: it is set as a title at the head of the page,
    /// or stands as the text does, or the page has another number.
    fn may_number(&self, line: &PdfLine, offset: i64, body: f64) -> bool {
        (self.numbers.is_empty() || self.numbers.contains(&offset))
            && (line.size < HIGHER * body || line.top > self.page.height / 2.0)
            && !(in_margin(self.page, line) && self.is_of_text(line))
    }
}

/// Lines that are equal but for their numbers, at one height, each with its page.
struct Alike<'p> {
    top: f64,
    lines: Vec<(usize, &'p PdfLine)>,
}

impl Alike<'_> {
    /// How many of them return: they stand on a page nearby with the same numbers, or with one that counts the pages. What has one
    /// number more each time, some pages further, is the label of a chapter. What has none may return on pages far apart, unless it
    /// stands as the text does, as a title of each chapter.
    fn returning(&self, sheets: &[Sheet<'_>], body: f64) -> usize {
        let mut texts: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
        let mut offsets: BTreeMap<usize, BTreeSet<(usize, i64)>> = BTreeMap::new();
        for &(page, line) in &self.lines {
            texts.entry(page).or_default().insert(solid(&line.text));
            offsets.entry(page).or_default().extend(numbers(&line.text, page));
        }
        let returns = |&&(page, line): &&(usize, &PdfLine)| {
            let text = solid(&line.text);
            let is_found = |other: usize| texts.get(&other).is_some_and(|texts| texts.contains(&text));
            let goes_on = |number: &(usize, i64)| {
                near(page).any(|other| offsets.get(&other).is_some_and(|offsets| offsets.contains(number)))
            };
            let counts_pages = |number: (usize, i64)| goes_on(&number) && sheets[page].may_number(line, number.1, body);
            let is_in_text = || in_margin(sheets[page].page, line) && sheets[page].is_of_text(line);
            near(page).any(is_found)
                || numbers(&line.text, page).into_iter().any(counts_pages)
                || !text.contains(char::is_numeric) && !is_in_text()
        };
        self.lines.iter().filter(returns).count()
    }
}

/// The pages around one.
fn near(page: usize) -> impl Iterator<Item = usize> {
    let pages: Range<usize> = page.saturating_sub(NEAR_PAGES)..page + NEAR_PAGES + 1;
    pages.filter(move |other| *other != page)
}

/// The numbers of a line, counted from 0, each with what it exceeds the number of its page by. Digits other than ASCII have the values
/// of their code points, which differ as they do.
fn numbers(text: &str, page: usize) -> Vec<(usize, i64)> {
    let value = |digits: &str| {
        digits.chars().try_fold(0_i64, |value, c| {
            value.checked_mul(10)?.checked_add(i64::from(c.to_digit(10).unwrap_or(u32::from(c))))
        })
    };
    let numbers = text.split(|c: char| !c.is_numeric()).filter(|digits| !digits.is_empty()).enumerate();
    numbers.filter_map(|(at, digits)| Some((at, value(digits)?.checked_sub(page as i64)?))).collect()
}

/// The height of the highest letters in which the words of a line stand anywhere.
fn titles(sheets: &[Sheet<'_>]) -> BTreeMap<String, f64> {
    let mut titles: BTreeMap<String, f64> = BTreeMap::new();
    for line in sheets.iter().flat_map(|sheet| &sheet.page.lines).filter(|line| is_worded(&line.text)) {
        let size = titles.entry(solid(&line.text)).or_default();
        *size = size.max(line.size);
    }
    titles
}

/// A line without its blanks.
fn solid(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
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

/// Whether no line stands nearer to the page's edge.
fn is_outermost(page: &Page, line: &PdfLine) -> bool {
    !page.lines.iter().any(|other| !other.turned && beyond(page, line, other))
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
        let found = RunningLines::find(pages, 10.0);
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

    /// Pages on each of which these lines begin a text of many lines, 14 points below each other, above the page's number.
    fn text_pages(first: &[&[&str]], foot: bool) -> Vec<Page> {
        let of_page = |(number, first): (usize, &&[&str])| {
            let prose = (0..30).map(|at| format!("tide {} of page {}", "a".repeat(at + 1), "b".repeat(number + 1)));
            let lines = first.iter().map(|text| (*text).to_owned()).chain(prose);
            let lines = lines.zip(0_i32..).map(|(text, at)| (50.0, 74.0 + 14.0 * f64::from(at), text));
            let number = foot.then(|| (300.0, 780.0, format!("{}", number + 1)));
            let lines: Vec<(f64, f64, String)> = lines.chain(number).collect();
            page(&lines.iter().map(|(left, top, text)| (*left, *top, text.as_str())).collect::<Vec<_>>())
        };
        first.iter().enumerate().map(of_page).collect()
    }

    /// What is running besides bare numbers.
    fn running_words(pages: &[Page]) -> Vec<&str> {
        running(pages).into_iter().filter(|text| text.parse::<u32>().is_err()).collect()
    }

    #[test]
    fn labels_of_chapters_at_the_top_of_pages_and_the_first_lines_of_others_are_text() {
        let titles = ["TIDES", "MARSHES", "STAKES", "SILT", "REEDS", "CRABS"];
        for label in ["CHAPTER #", "第 # 章", "Kapitel #"] {
            let labels = [1, 2, 3, 4, 5, 6].map(|number| label.replace('#', &number.to_string()));
            // The last two open on pages next to each other.
            let opening: Vec<[&str; 2]> =
                labels.iter().map(String::as_str).zip(titles).map(<[&str; 2]>::from).collect();
            let mut first: Vec<&[&str]> = vec![&[]; 11];
            [0, 2, 4, 6, 8, 9].iter().zip(&opening).for_each(|(page, opening)| first[*page] = opening);
            for foot in [true, false] {
                assert_eq!(running_words(&text_pages(&first, foot)), [""; 0], "{label}");
            }
        }
    }

    #[test]
    fn labels_of_chapters_of_a_page_each_are_text_where_pages_have_another_number_or_labels_are_larger() {
        let labels: Vec<String> = (1..=5).map(|number| format!("Chapter {number}")).collect();
        let with = |size: f64, offset: Option<f64>| {
            let of_page = |(at, label): (usize, &String)| {
                let place = offset.map(|offset| format!("{}", at as f64 + offset));
                let mut lines = vec![(50.0, 40.0, label.as_str()), (50.0, 300.0, "words")];
                lines.extend(place.as_deref().map(|place| (300.0, 780.0, place)));
                let mut page = page(&lines);
                page.lines[0].size = size;
                page
            };
            let pages: Vec<Page> = labels.iter().enumerate().map(of_page).collect();
            running_words(&pages).iter().filter(|text| text.starts_with("Chapter")).count()
        };
        assert_eq!(with(10.0, Some(4.0)), 0, "another number");
        assert_eq!(with(16.0, None), 0, "larger");
        assert_eq!(with(10.0, Some(1.0)), 5, "the page's own number");
        assert_eq!(with(10.0, None), 5, "the only number");
    }

    #[test]
    fn heads_with_numbers_that_return_or_count_the_pages_are_running() {
        let heads: [fn(usize) -> String; 6] = [
            |at| format!("{}. Methods", at / 4 + 1),
            |at| format!("第{}章 方法", at / 4 + 1),
            |at| format!("Carter {}", at + 7),
            |at| format!("{} Chapter {}", at + 7, at / 4 + 1),
            |at| format!("Foglio ٠{}", char::from_u32(0x660 + at as u32).unwrap()),
            |_| "Draft of 2019-05-03".to_owned(),
        ];
        for head in heads {
            let heads: Vec<String> = (0..8).map(head).collect();
            let pages: Vec<Page> =
                heads.iter().map(|head| page(&[(50.0, 40.0, head), (50.0, 300.0, "words")])).collect();
            let found: Vec<&str> = running(&pages).into_iter().filter(|text| *text != "words").collect();
            assert_eq!(found, heads);
        }
    }

    #[test]
    fn first_lines_of_pages_are_text_though_a_title_returns_at_their_height() {
        let first: Vec<&[&str]> = vec![&["Abstract"], &[], &[], &["Abstract"], &[], &[], &["Abstract"], &[], &[]];
        assert_eq!(running_words(&text_pages(&first, true)), [""; 0]);
        // Where it returns on most pages, the line in its place on the last is still one of a paragraph.
        let first: Vec<&[&str]> = vec![&["Abstract"], &["Abstract"], &["Abstract"], &["Abstract"], &[]];
        assert_eq!(running_words(&text_pages(&first, true)), ["Abstract"; 4]);
    }

    #[test]
    fn the_head_of_a_chapter_of_two_pages_is_running_where_heads_repeat_titles() {
        let titles = ["1. Tides", "2. Marshes", "3. Silt", "Thanks"];
        let pages: Vec<Page> = (0..7)
            .map(|at| {
                let title = titles[at / 2];
                let prose: Vec<String> = (0..9).map(|line| "x".repeat(1 + line + 10 * at)).collect();
                let mut lines = vec![(50.0, 37.0, title)];
                lines.extend((at % 2 == 0).then_some((200.0, 76.0, title)));
                lines.extend((0_i32..).zip(&prose).map(|(line, text)| (50.0, 150.0 + 14.0 * f64::from(line), &**text)));
                let mut page = page(&lines);
                page.lines.iter_mut().filter(|line| line.left > 100.0).for_each(|line| line.size = 16.0);
                page
            })
            .collect();
        let expected: Vec<&str> = (0..7).map(|at| titles[at / 2]).collect();
        assert_eq!(running(&pages), expected);
    }

    #[test]
    fn stamps_on_most_pages_are_running_wherever_they_are() {
        let pages: Vec<Page> = (0..6)
            .map(|at| page(&[(20.0, 400.0, "装"), (100.0, 300.0 + f64::from(at) * 10.0, "body"), (20.0, 450.0, "订")]))
            .collect();
        assert_eq!(running(&pages), ["装", "订"].repeat(6));
    }
}
