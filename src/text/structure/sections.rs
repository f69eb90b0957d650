//! Cuts a text into sections by its headings.

use super::lines::Line;
use super::titles::{named, number};
use super::{Section, SectionKind};
use crate::text::layout::{Layout, MarkKind};
use std::ops::Range;

/// A line of more characters is no heading, unless the format says so.
const LONGEST_HEADING: usize = 60;

/// Lines that look like headings are none if there are more of them.
const MOST_HEADINGS: usize = 10_000;

/// A title page is no longer than this, and without help of the format has so many of the words below.
const LONGEST_TITLE_PAGE: u32 = 3000;
const TITLE_PAGE_WORDS: usize = 2;

/// Acknowledgements in a plain text that no heading ends within so many characters are not known to end.
const LONGEST_THANKS: u32 = 4000;

/// A table of contents has at least so many entries.
const FEWEST_ENTRIES: usize = 3;

/// So many lines in a row that are no entries end a table of contents, or a list of references in a plain text.
const LINES_BETWEEN_ENTRIES: usize = 2;
const LINES_BETWEEN_REFERENCES: usize = 6;

/// Words of title pages.
const COVER: &[&str] = &[
    "学位论文",
    "毕业论文",
    "毕业设计",
    "學位論文",
    "指导教师",
    "導師",
    "导师",
    "学号",
    "專業",
    "专业",
    "学院",
    "大学",
    "thesis",
    "dissertation",
    "submitted",
    "supervisor",
    "university",
    "faculty",
    "department",
    "degree",
    "student",
];

/// A heading that starts a section.
struct Boundary {
    line: usize,
    kind: SectionKind,
}

/// The sections, which partition the text, and the places of all headings.
pub(super) fn find(lines: &[Line<'_>], layout: &Layout, length: u32) -> (Vec<Section>, Vec<Range<u32>>) {
    let contents = contents(lines, layout);
    let in_contents = |line: &Line<'_>| contents.as_ref().is_some_and(|span| span.contains(&line.start));
    let mut headings: Vec<usize> = headings(lines).into_iter().filter(|&at| !in_contents(&lines[at])).collect();
    if headings.len() > MOST_HEADINGS {
        headings.clear();
    }
    let mut boundaries = boundaries(lines, &headings);
    if let Some(span) = &contents {
        // The list itself may have no heading; one that it has starts it.
        let line = lines.partition_point(|line| line.start < span.start);
        boundaries.retain(|boundary| boundary.kind != SectionKind::Contents);
        boundaries.push(Boundary { line, kind: SectionKind::Contents });
        let next = lines.partition_point(|line| line.start < span.end);
        if next < lines.len() && !boundaries.iter().any(|boundary| boundary.line == next) {
            boundaries.push(Boundary { line: next, kind: SectionKind::Chapter });
        }
        boundaries.sort_by_key(|boundary| boundary.line);
    } else {
        boundaries.retain(|boundary| boundary.kind != SectionKind::Contents);
    }
    let mut sections = sections(lines, &boundaries, &headings, length);
    mark_title_page(lines, layout, &mut sections);
    let places = headings.iter().map(|&at| lines[at].start..lines[at].end).collect();
    (sections, places)
}

/// The lines that are headings: those the format calls so; without any such, those that look it.
fn headings(lines: &[Line<'_>]) -> Vec<usize> {
    let looks_it = |line: &Line<'_>| is_short(line) && (named(line.text).is_some() || is_chapter(line));
    if lines.iter().any(|line| line.heading.is_some()) {
        // The author may have made some headings by hand.
        return (0..lines.len()).filter(|&at| lines[at].heading.is_some() || looks_it(&lines[at])).collect();
    }
    let numbered = numbered_chapters(lines);
    let chapters = !numbered.is_empty() || lines.iter().any(|line| is_short(line) && is_chapter(line));
    let is_heading = |at: &usize| {
        let line = &lines[*at];
        looks_it(line) || numbered.contains(at) || (chapters && is_below_chapter(line))
    };
    (0..lines.len()).filter(is_heading).collect()
}

/// Whether a line is a heading inside a chapter: 2.3 Sampling.
fn is_below_chapter(line: &Line<'_>) -> bool {
    let sentence = line.text.ends_with(['.', '。', '，', '；', ',', ';']) || entry_number(line.text).is_some();
    is_short(line) && !sentence && number(line.text).is_some_and(|number| number.level > 1)
}

fn is_short(line: &Line<'_>) -> bool {
    line.text.chars().count() <= LONGEST_HEADING
}

/// Whether a line says itself that it starts a chapter and is no sentence.
fn is_chapter(line: &Line<'_>) -> bool {
    let ends_like_sentence = line.text.ends_with(['。', '，', '；', ',', ';']) || entry_number(line.text).is_some();
    number(line.text).is_some_and(|number| number.is_chapter && !number.rest.contains(['。', '，']))
        && !ends_like_sentence
}

/// Lines with the numbers 1, 2, 3 and so on in order, at least three of them: headings of a plain text.
fn numbered_chapters(lines: &[Line<'_>]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut next = 1;
    for (at, line) in lines.iter().enumerate() {
        let Some(number) = number(line.text).filter(|_| is_short(line)) else { continue };
        let sentence = line.text.ends_with(['.', '。', '，', '；', ',', ';', '：', ':', '？', '?']);
        if number.level == 1 && number.value == next && !sentence && entry_number(line.text).is_none() {
            // Two numbered lines in a row are a list.
            if found.last() == Some(&(at.wrapping_sub(1))) {
                return Vec::new();
            }
            found.push(at);
            next += 1;
        }
    }
    if found.len() >= 3 { found } else { Vec::new() }
}

/// Which headings start sections: named parts, and chapters of the topmost level.
fn boundaries(lines: &[Line<'_>], headings: &[usize]) -> Vec<Boundary> {
    let is_named = |at: usize| named(lines[at].text);
    let says_chapter = |at: usize| number(lines[at].text).is_some_and(|number| number.is_chapter);
    let of_level = |level: u8| headings.iter().filter(move |&&at| lines[at].heading == Some(level)).count();
    // The level of lines that say they are chapters, else the first level with several headings, else the first.
    let chapters = headings.iter().filter(|&&at| says_chapter(at)).filter_map(|&at| lines[at].heading).min();
    let several = (1..=9).find(|&level| of_level(level) > 1);
    let top = chapters.or(several).or_else(|| (1..=9).find(|&level| of_level(level) > 0));
    let mut boundaries = Vec::new();
    for &at in headings {
        let follows = at > 0 && lines[at - 1].heading.is_some() && lines[at].heading == lines[at - 1].heading;
        let same_heading = follows && lines[at].start - lines[at - 1].end <= 1;
        let kind = match (is_named(at), lines[at].heading) {
            (Some(kind), _) => kind,
            _ if same_heading => continue,
            (None, Some(level)) if top.is_some_and(|top| level <= top) || says_chapter(at) => SectionKind::Chapter,
            (None, Some(_)) => continue,
            (None, None) if number(lines[at].text).is_some_and(|number| number.level > 1) => continue,
            (None, None) => SectionKind::Chapter,
        };
        if lines[at].heading.is_some() || has_evidence(lines, at, kind, headings) {
            boundaries.push(Boundary { line: at, kind });
        }
    }
    boundaries
}

/// Whether a part of a plain text is what its heading says.
fn has_evidence(lines: &[Line<'_>], at: usize, kind: SectionKind, headings: &[usize]) -> bool {
    let next = headings.partition_point(|heading| *heading <= at);
    let end = headings.get(next).copied().unwrap_or(lines.len());
    match kind {
        SectionKind::References => {
            let first = &lines[(at + 1).min(end)..end.min(at + 11)];
            let entries = first.iter().filter(|line| is_reference(line.text)).count();
            entries >= 2 && entries * 3 >= first.len()
        }
        SectionKind::Acknowledgements => {
            let last = lines[at..end].last().map_or(0, |line| line.end);
            last - lines[at].start <= LONGEST_THANKS
        }
        _ => true,
    }
}

/// Where the table of contents is, its heading included.
fn contents(lines: &[Line<'_>], layout: &Layout) -> Option<Range<u32>> {
    let marks = || layout.of(MarkKind::Contents);
    let heading = lines.iter().position(|line| is_short(line) && named(line.text) == Some(SectionKind::Contents));
    if let (Some(first), Some(end)) = (marks().map(|m| m.start).min(), marks().map(|m| m.end).max()) {
        let before = heading.map(|at| &lines[at]).filter(|line| line.start < first && first - line.end < 200);
        return Some(before.map_or(first, |line| line.start)..end + 1);
    }
    let heading = heading?;
    let (mut last, mut entries, mut misses) = (heading, 0, 0);
    for (at, line) in lines.iter().enumerate().skip(heading + 1) {
        if entry_number(line.text).is_some() {
            entries += 1;
            misses = 0;
            last = at;
        } else {
            misses += 1;
            if misses > LINES_BETWEEN_ENTRIES || line.text.chars().count() > 2 * LONGEST_HEADING {
                break;
            }
        }
    }
    (entries >= FEWEST_ENTRIES).then(|| lines[heading].start..lines[last].end + 1)
}

/// The page number that ends an entry of a table of contents, after dots, a tab or a blank.
fn entry_number(text: &str) -> Option<&str> {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x' | 'I' | 'V' | 'X'));
    let number = &text[before.len()..];
    let led = before.trim_end_matches([' ', '\u{A0}']).ends_with(['.', '…', '·', '\t', '—', '_', '．', '(', '（']);
    let apart = before.ends_with([' ', '\t', '.', '…', '·']) && number.bytes().all(|byte| byte.is_ascii_digit());
    (!number.is_empty() && number.len() <= 5 && before.trim().len() > 1 && (led || apart)).then_some(number)
}

/// Whether a line looks like an entry of a list of references, or its beginning.
fn is_reference(text: &str) -> bool {
    let labelled =
        text.strip_prefix(['[', '［', '(', '〔']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let year = || {
        let digits: Vec<char> = text.chars().collect();
        digits.windows(4).any(|four| {
            let value = four.iter().try_fold(0, |value, c| Some(value * 10 + c.to_digit(10)?));
            value.is_some_and(|value: u32| (1500..2100).contains(&value))
        })
    };
    let punctuated =
        || text.chars().filter(|c| matches!(c, '.' | ',' | ':' | '，' | '．' | '。' | '：' | '《' | ';')).count() >= 2;
    labelled || text.contains("://") || text.contains("doi") || (punctuated() && year())
}

/// The sections between the boundaries.
fn sections(lines: &[Line<'_>], boundaries: &[Boundary], headings: &[usize], length: u32) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut push = |kind, title: &str, start: u32, end: u32| {
        if start < end {
            sections.push(Section { kind, title: title.to_owned(), start, end });
        }
    };
    let start_of = |at: usize| boundaries.get(at).map_or(length, |boundary| lines[boundary.line].start);
    push(SectionKind::Chapter, "", 0, start_of(0));
    for (at, boundary) in boundaries.iter().enumerate() {
        let (start, end) = (start_of(at), start_of(at + 1));
        let title = if headings.binary_search(&boundary.line).is_ok() || boundary.kind == SectionKind::Contents {
            lines[boundary.line].text
        } else {
            ""
        };
        let plain = lines[boundary.line].heading.is_none();
        let list_end = if plain && boundary.kind == SectionKind::References {
            end_of_references(&lines[boundary.line + 1..], end)
        } else {
            end
        };
        push(boundary.kind, title, start, list_end);
        push(SectionKind::Chapter, "", list_end, end);
    }
    sections
}

/// Where a list of references in a plain text ends, which no heading may tell.
fn end_of_references(lines: &[Line<'_>], end: u32) -> u32 {
    let mut misses = 0;
    let mut after_last = None;
    for (at, line) in lines.iter().enumerate().take_while(|(_, line)| line.start < end) {
        if is_reference(line.text) {
            misses = 0;
            after_last = Some(at + 1);
        } else {
            misses += 1;
            if misses > LINES_BETWEEN_REFERENCES {
                // The last entry may go on over one more line.
                return after_last.and_then(|at| lines.get(at + 1)).map_or(end, |line| line.start.min(end));
            }
        }
    }
    end
}

/// Text before the first abstract, contents or declaration is a title page if it is short and reads like one.
fn mark_title_page(lines: &[Line<'_>], layout: &Layout, sections: &mut Vec<Section>) {
    let front = |kind| matches!(kind, SectionKind::Abstract | SectionKind::Contents | SectionKind::TitlePage);
    let Some(first) = sections.iter().position(|section| front(section.kind)) else { return };
    let end = sections[first].start;
    if first == 0 || end > LONGEST_TITLE_PAGE {
        return;
    }
    let before = lines.iter().take_while(|line| line.start < end);
    let text: String = before.map(|line| line.text.to_lowercase()).collect::<Vec<_>>().join("\n");
    let words = COVER.iter().filter(|word| text.contains(*word)).count();
    let titled = layout.of(MarkKind::Title).any(|mark| mark.start < end);
    if words >= TITLE_PAGE_WORDS || titled {
        let cover = Section { kind: SectionKind::TitlePage, title: String::new(), start: 0, end };
        sections.splice(..first, [cover]);
    }
}
