//! Tables of contents: where they are, and what they say.

use super::evidence::{Evidence, has_sentence_end};
use super::lines::TextLine;
use super::numbers::number;
use super::section::SectionKind;
use super::titles::named;
use ahash::{AHashMap, AHashSet};
use std::ops::Range;

/// The fewest entries of a table of contents. Chosen by hand.
const FEWEST_ENTRIES: usize = 3;

/// The share of the entries whose titles must stand in the text again: two in five. Chosen by hand.
const WITNESSED: (usize, usize) = (2, 5);

/// The most lines in a row that are no entries inside a table of contents. Chosen by hand.
const MOST_MISSES: usize = 3;

/// The most letters of such a line. Chosen by hand.
const LONGEST_MISS: u32 = 150;

/// The same of a caption whose dots and page number stand on the next line. Chosen by hand.
const LONGEST_CAPTION: u32 = 300;

/// The letters from which on a line that has the end of a sentence is no entry, though the format calls it contents. Chosen by
/// hand.
const SENTENCE: u32 = 60;

/// The most characters of a line that is the title of a table of contents. Chosen by hand.
const LONGEST_TITLE: u32 = 60;

/// How many letters and digits of two titles are compared. Chosen by hand: lists shorten titles.
const KEY: usize = 20;

/// The fewest of them: a single letter is no title.
const SHORTEST_KEY: usize = 2;

/// A number that ends within this many characters belongs to a label such as "Figure 3:". Chosen by hand.
const LONGEST_LABEL: usize = 16;

/// The fewest dots in a row that lead to a page number; an ellipsis is two of them.
const FEWEST_DOTS: usize = 3;

/// The most bytes of a page number: xviii has five.
const LONGEST_PAGE: usize = 5;

/// A list that says of itself to be a table of contents.
pub(super) struct List {
    pub(super) lines: Range<usize>,
    /// How many of its entries stand in the text again, of how many.
    pub(super) witnessed: usize,
    entries: usize,
    /// Whether the program that wrote the file says so, and not a title alone.
    pub(super) is_generated: bool,
}

/// What the tables of contents of a text say.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) lists: Vec<List>,
    /// The titles of all entries.
    titles: AHashSet<String>,
    /// The smallest level that entries of a title have by their numbers, by the title without its number.
    levels: AHashMap<String, u8>,
}

impl List {
    /// Whether enough of its entries are found in the text.
    pub(super) fn is_witnessed(&self) -> bool {
        self.entries >= FEWEST_ENTRIES && self.witnessed * WITNESSED.1 >= self.entries * WITNESSED.0
    }
}

impl Contents {
    /// Finds all tables of contents, lists of figures and the like.
    pub(super) fn find(lines: &[TextLine<'_>], evidence: &Evidence) -> Self {
        let known = Known::of(lines);
        let mut contents = Contents::default();
        let mut at = 0;
        // The lines below a list on which it may go on, behind one that reads like prose and so counts.
        let mut below = 0..0;
        while at < lines.len() {
            let titled = lines[at].length() <= LONGEST_TITLE && named(lines[at].text) == Some(SectionKind::Contents);
            let goes_on = || below.contains(&at) && is_led(lines[at].text) && known.holds_entry(lines[at].text);
            if !titled && !lines[at].in_contents && !goes_on() {
                at += 1;
                continue;
            }
            let list = known.list(lines, at, titled, evidence);
            let next = list.lines.end.max(at + 1);
            below = if list.is_witnessed() { next..next + MOST_MISSES } else { 0..0 };
            if list.lines.len() > FEWEST_ENTRIES || list.is_generated {
                contents.add(lines, list);
            }
            at = next;
        }
        contents
    }

    fn add(&mut self, lines: &[TextLine<'_>], list: List) {
        if list.is_witnessed() {
            let titles = lines[list.lines.clone()].iter().flat_map(|line| entries(line.text));
            for title in titles {
                if let Some((key, level)) =
                    number(&title).and_then(|number| Some((keys(number.rest).next()?, number.level)))
                {
                    let known = self.levels.entry(key).or_insert(level);
                    *known = level.min(*known);
                }
                self.titles.extend(keys(&title));
            }
        }
        self.lists.push(list);
    }

    /// Whether an entry has this title.
    pub(super) fn lists_title(&self, title: &str) -> bool {
        keys(title).any(|key| self.titles.contains(&key))
    }

    /// The level of the entry that has this title behind a number: 1 for a chapter, 2 for what stands in one.
    pub(super) fn level_of(&self, title: &str) -> Option<u8> {
        self.levels.get(&keys(title).next()?).copied()
    }

    /// Whether the text has a table of contents that its own headings bear out.
    pub(super) fn is_known(&self) -> bool {
        !self.titles.is_empty()
    }

    /// Whether a line is in a list that is accepted.
    pub(super) fn holds(&self, line: usize) -> bool {
        self.lists.iter().any(|list| list.is_witnessed() && list.lines.contains(&line))
    }
}

/// How often a title stands in the text outside tables of contents.
struct Known(AHashMap<String, usize>);

impl Known {
    fn of(lines: &[TextLine<'_>]) -> Self {
        let mut known = AHashMap::new();
        for line in lines.iter().filter(|line| !has_leader(line.text)) {
            // A line has one title, though it may be known by several keys.
            let mut of_line: Vec<String> = keys(line.text).collect();
            of_line.sort_unstable();
            of_line.dedup();
            of_line.into_iter().for_each(|key| *known.entry(key).or_default() += 1);
        }
        Known(known)
    }

    fn count(&self, title: &str) -> usize {
        keys(title).map(|key| self.0.get(&key).copied().unwrap_or(0)).max().unwrap_or(0)
    }

    /// Whether the text has one of the titles on a line.
    fn holds_entry(&self, text: &str) -> bool {
        entries(text).iter().any(|title| self.count(title) > 0)
    }

    /// The list that starts at a line.
    fn list(&self, lines: &[TextLine<'_>], first: usize, titled: bool, evidence: &Evidence) -> List {
        let from = first + usize::from(titled);
        // The number of a chapter that has its title on the next line is no page.
        let is_paged = |line: &TextLine<'_>| {
            let bare = number(line.text).is_some_and(|number| number.is_chapter && number.rest.is_empty());
            (page_number(line.text).is_some() && !bare) || has_leader(line.text)
        };
        let paged = lines[from..].iter().take(MOST_MISSES + 1).any(is_paged);
        // How often a title stands in the text at least: without pages the line of the list is one of these places.
        let least = if paged { 1 } else { 2 };
        let (mut last, mut misses, mut count, mut witnessed) = (first, 0, 0, 0);
        // Without a title it starts with its first entry.
        let mut start = titled.then_some(first);
        let mut is_generated = false;
        let mut seen: AHashSet<String> = AHashSet::new();
        for (at, line) in lines.iter().enumerate().skip(from) {
            let found = entries(line.text);
            // A title that the list has already is the heading below it. A title is known from another line than this, which may have
            // its key in common with it.
            let has_key = |title: &str| !has_leader(line.text) && keys(title).next() == keys(line.text).next();
            let own = |title: &str| if has_key(title) { 2 } else { least };
            let known = found.iter().filter(|title| self.count(title) >= own(title)).count();
            // Two sections may have titles that begin alike, but not their number too.
            let repeated = !paged && keys(line.text).next().is_some_and(|key| seen.contains(&key));
            // Below the entry of a figure may stand that of the next one, in sentences.
            let is_numbered = |line: &TextLine<'_>| line.text.starts_with(|c: char| c == '(' || c.is_ascii_digit());
            let is_known = |line: &TextLine<'_>| is_numbered(line) && self.count(line.text) >= least;
            let heads = || lines.get(at + 1).is_some_and(|next| evidence.is_prose(next) && !is_known(next));
            let span = line.start..line.end;
            let is_sentence = || evidence.letters(&span) >= SENTENCE && has_sentence_end(line.text);
            // The number behind a sentence is that of a note.
            let is_paged_entry = || is_paged(line) && (has_leader(line.text) || !is_sentence());
            let is_entry =
                line.in_contents && !is_sentence() || if paged { is_paged_entry() } else { known > 0 && !heads() };
            if is_entry && !repeated && (known > 0 || !evidence.is_prose(line)) {
                seen.extend(keys(line.text));
                start.get_or_insert(at);
                is_generated |= line.in_contents;
                (last, misses) = (at, 0);
                count += found.len();
                witnessed += known;
            } else if line.text.chars().any(char::is_alphabetic) {
                misses += 1;
                let ends = line.in_contents && is_sentence();
                // What is written below a figure may be sentences, and the dots behind it stand on the next line.
                let goes_on = paged
                    && !(is_led(line.text) && at > 0 && is_led(lines[at - 1].text))
                    && evidence.letters(&span) < LONGEST_CAPTION
                    && lines.get(at + 1).is_some_and(|next| is_led(next.text));
                let long = evidence.letters(&span) > LONGEST_MISS || evidence.is_prose(line);
                if ends || repeated || misses > MOST_MISSES || long && !goes_on {
                    break;
                }
            }
        }
        List { lines: start.unwrap_or(first)..last + 1, witnessed, entries: count, is_generated }
    }
}

/// By what a title is known: its first letters and digits in lower case; the same without its number; and without what
/// stands before a number near its start, such as "Figure 3:".
fn keys(title: &str) -> impl Iterator<Item = String> {
    let key = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(KEY).collect()
    };
    let after_number = number(title).map(|number| key(number.rest));
    let after_label =
        title.char_indices().take(LONGEST_LABEL).filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at + 1).last();
    let after_label = after_label.map(|at| key(&title[at..]));
    [Some(key(title)), after_number, after_label]
        .into_iter()
        .flatten()
        .filter(|key| key.chars().count() >= SHORTEST_KEY)
}

fn is_leader(c: char) -> bool {
    matches!(c, '.' | '…' | '·' | '．' | '⋯' | '_' | '‥' | '┄' | '・' | 'ꞏ')
}

/// The length of the run of leading dots, perhaps with blanks between, at the start of a text, in bytes; 0 if there are
/// too few.
fn leader(text: &str) -> usize {
    let run = text.find(|c: char| !is_leader(c) && !matches!(c, ' ' | '\u{A0}')).unwrap_or(text.len());
    let dots: usize =
        text[..run].chars().map(|c| if matches!(c, '…' | '⋯') { 2 } else { usize::from(is_leader(c)) }).sum();
    if dots >= FEWEST_DOTS { run } else { 0 }
}

fn has_leader(text: &str) -> bool {
    text.char_indices().any(|(at, c)| is_leader(c) && leader(&text[at..]) > 0)
}

/// The titles of the entries on a line, of which a paragraph of a PDF file may hold several.
fn entries(text: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut rest = text;
    while let Some((at, run)) = rest
        .char_indices()
        .filter(|(_, c)| is_leader(*c))
        .map(|(at, _)| (at, leader(&rest[at..])))
        .find(|(_, run)| *run > 0)
    {
        titles.push(rest[..at].trim().to_owned());
        let page = rest[at + run..].trim_start();
        rest = page
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x' | 'l' | '(' | ')'))
            .trim_start();
    }
    if titles.is_empty() {
        let before = page_number(text).map_or(text, |number| &text[..text.len() - number.len()]);
        titles.push(before.trim().to_owned());
    }
    titles.retain(|title| !title.is_empty());
    titles
}

/// The page number that ends an entry of a table of contents, after dots, a tab or a blank. A number right behind the point of a sentence
/// is that of a note.
pub(super) fn page_number(text: &str) -> Option<&str> {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x' | 'I' | 'V' | 'X'));
    let number = &text[before.len()..];
    let ends_sentence = |rest: &str| rest.ends_with(|c: char| c.is_alphanumeric() || "”\"’)）".contains(c));
    if before.strip_suffix(['.', '．']).is_some_and(ends_sentence) {
        return None;
    }
    let led = before.trim_end_matches([' ', '\u{A0}']).ends_with(['.', '…', '·', '\t', '—', '_', '．', '(', '（', '⋯']);
    let apart =
        before.ends_with([' ', '\t', '.', '…', '·', '\u{A0}']) && number.bytes().all(|byte| byte.is_ascii_digit());
    (!number.is_empty() && number.len() <= LONGEST_PAGE && before.trim().len() > 1 && (led || apart)).then_some(number)
}

/// Whether a line is an entry of a table of contents by its dots or its tab before a page number.
pub(super) fn is_led(text: &str) -> bool {
    page_number(text).is_some_and(|number| {
        let before = text[..text.len() - number.len()].trim_end_matches([' ', '\u{A0}']);
        has_leader(text) || before.ends_with('\t')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_told_by_dots_and_page_numbers() {
        let cases: &[(&str, &[&str], bool)] = &[
            ("2.1 Silt . . . . . . 12", &["2.1 Silt"], true),
            ("第一章 绪论………………1", &["第一章 绪论"], true),
            ("Methods\t5", &["Methods"], true),
            ("Chapter 3", &["Chapter"], false),
            ("1 Silt ..... 2 2 Tides ..... 13 3 Marshes ..... iv", &["1 Silt", "2 Tides", "3 Marshes"], true),
            ("It ends here.", &["It ends here."], false),
            ("It ends here.7", &["It ends here.7"], false),
            ("Silt .7", &["Silt ."], false),
        ];
        for (text, titles, led) in cases {
            assert_eq!(entries(text), *titles, "{text}");
            assert_eq!(is_led(text), *led, "{text}");
        }
    }
}
