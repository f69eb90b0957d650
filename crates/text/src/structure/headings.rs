//! Which lines are headings, and which of them begin chapters.
//!
//! What the file itself marks is believed: headings by its markup, else the entries of its outline. Where it marks nothing, as
//! in a PDF file without an outline or in a plain text, two witnesses must agree on a chapter: a line that says it is one
//! or that is set as headings are, the numbering, which must go on over the document, and the table of contents.

use super::contents::{Contents, is_led};
use super::lines::TextLine;
use super::names::{after_appendix, after_chapter_word, is_part_word};
use super::numbers::{Number, number};
use super::section::SectionKind;
use super::titles::{is_beside, named};
use crate::script::is_east_asian;
use ahash::AHashMap;
use std::ops::RangeInclusive;

// All are chosen by hand; lengths are in characters.

/// The longest line that is a heading, unless the format or the table of contents says so.
const LONGEST_HEADING: u32 = 60;

/// The longest one that the table of contents has, or that stands below the number of its chapter.
const LONGEST_LISTED: u32 = 2 * LONGEST_HEADING;

/// The longest one that the format marks.
const LONGEST_MARKED: u32 = 250;

/// The longest label such as "Appendix B" whose title stands on the next line.
const LONGEST_LABEL: u32 = 12;

/// Lines that look like headings are none if there are more of them.
const MOST_HEADINGS: usize = 10_000;

/// Unnumbered lines that are merely larger than the rest are chapters if there are at most this many.
const MOST_BY_SIZE: usize = 30;

/// Such chapters have this many characters on average, at least.
const SHORTEST_BY_SIZE: u32 = 1_500;

/// Each of them has at least this many: lines of a title page stand close to each other.
const SHORTEST_PIECE: u32 = 200;

/// The fewest numbered lines that are chapters though nothing else bears them out.
const FEWEST_NUMBERED: usize = 3;

/// The fewest other headings of a level of which those numbered as sections are none of chapters.
const FEWEST_BESIDE_SECTIONS: usize = 2;

/// The numbers of chapters go on if the next one is at most this much larger: the headings between may not be known.
const LARGEST_STEP: u32 = 3;

/// The levels of headings, the topmost first; 0 is that of parts.
const LEVELS: RangeInclusive<u8> = 1..=9;

/// The most letters of a title that stand on lines of their own.
const MOST_PARTED: usize = 6;

/// A line that ends with a point and has more blanks is a sentence.
const MOST_BLANKS: usize = 7;

/// From how many commas on a Chinese line is a sentence.
const COMMAS_OF_SENTENCE: usize = 2;

/// The bytes of the longest number on a line of its own.
const LONGEST_NUMBER: usize = 4;

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    /// Its lines; the title of "Chapter 1" may stand on the next one.
    pub(super) lines: RangeInclusive<usize>,
    /// Its words.
    pub(super) title: String,
    /// The part it names.
    pub(super) named: Option<SectionKind>,
    /// Whether a chapter begins with it.
    pub(super) is_chapter: bool,
    /// Whether it has a number.
    pub(super) is_numbered: bool,
}

impl Heading {
    /// Whether it has a number that is no chapter's: a title inside a chapter.
    pub(super) fn is_inside_chapter(&self) -> bool {
        self.is_numbered && !self.is_chapter
    }
}

/// A line that may be a heading.
struct Candidate<'a> {
    heading: Heading,
    line: &'a TextLine<'a>,
    number: Option<Number<'a>>,
    /// Whether the table of contents has it.
    listed: bool,
    /// How many lines of the text read so.
    repeated: bool,
    /// Whether it is the heading of a part that holds chapters.
    holds_chapters: bool,
}

/// All headings of a text in order.
pub(super) fn find(lines: &[TextLine<'_>], contents: &Contents) -> Vec<Heading> {
    let mut candidates = candidates(lines, contents);
    if candidates.len() > MOST_HEADINGS {
        return Vec::new();
    }
    find_parts(&mut candidates);
    let is_outlined = lines.iter().any(|line| line.outline.is_some());
    let level = |line: &TextLine<'_>| if is_outlined { line.outline } else { line.markup };
    let chapters = if candidates.iter().any(|c| level(c.line).is_some()) {
        let mut chapters = by_level(&candidates, level, contents);
        // The author may have made some headings by hand, and an outline may call some otherwise.
        let known: Vec<u32> = chapters.iter().filter_map(|&at| chapter_value(&candidates[at])).collect();
        let stands_out = |c: &Candidate<'_>| !is_outlined || c.line.stands_out();
        let by_hand = in_order(&candidates, |c| level(c.line).is_none() && stands_out(c) && c.says_chapter());
        // Several chapters that a program numbers are all there are.
        let numbered_by_program = known.is_empty() && chapters.len() >= FEWEST_NUMBERED;
        let is_new = |c: &Candidate<'_>| !numbered_by_program && chapter_value(c).is_none_or(|v| !known.contains(&v));
        chapters.extend(by_hand.into_iter().filter(|&at| is_new(&candidates[at])));
        chapters
    } else {
        by_agreement(&candidates, lines, contents)
    };
    for &at in &chapters {
        candidates[at].heading.is_chapter = true;
    }
    settle(&mut candidates, &chapters);
    candidates.into_iter().map(|candidate| candidate.heading).collect()
}

/// Finds the headings of parts that hold chapters: those whose chapters' numbers go on from one part to the next.
fn find_parts(candidates: &mut [Candidate<'_>]) {
    let is_part = |c: &Candidate<'_>| c.number.is_some_and(|number| number.is_part);
    let values = candidates.iter().filter(|c| !is_part(c) && (c.line.is_marked() || c.says_chapter()));
    let values: Vec<u32> = values.filter_map(chapter_value).collect();
    let go_on = values.windows(2).filter(|pair| pair[1] == pair[0] + 1).count() + 1 >= FEWEST_NUMBERED;
    if go_on && values.iter().filter(|value| **value == 1).count() <= 1 {
        candidates.iter_mut().for_each(|c| c.holds_chapters = is_part(c));
    }
}

/// What the chapters say of the other headings. Where chapters have numbers, what has none behind the references is no chapter
/// (a curriculum vitae, papers bound with the thesis), and a numbered summary behind the first is a section of a chapter. A
/// preface is no chapter where there are some.
fn settle(candidates: &mut [Candidate<'_>], chapters: &[usize]) {
    let (beside, others): (Vec<usize>, Vec<usize>) =
        chapters.iter().partition(|&&at| is_beside(&candidates[at].heading.title));
    if others.len() > 1 {
        beside.into_iter().for_each(|at| candidates[at].heading.is_chapter = false);
    }
    let numbered: Vec<usize> =
        chapters.iter().copied().filter(|&at| chapter_value(&candidates[at]).is_some()).collect();
    let (Some(&first), Some(&last)) = (numbered.iter().min(), numbered.iter().max()) else { return };
    if numbered.len() < FEWEST_NUMBERED {
        return;
    }
    // Appendices have letters where chapters have numbers.
    let is_lettered = |c: &Candidate<'_>, letter: char| {
        let rest = c.heading.title.strip_prefix(letter).unwrap_or_default();
        c.heading.is_chapter && c.heading.named.is_none() && rest.starts_with(['.', ' ', '\t', '\u{A0}'])
    };
    let mut letters = 'A'..='Z';
    for candidate in &mut candidates[last + 1..] {
        let step = letters.clone().take(LARGEST_STEP as usize).position(|letter| is_lettered(candidate, letter));
        if let Some(step) = step {
            candidate.heading.named = Some(SectionKind::Appendix);
            letters.nth(step);
        }
    }
    let is_list = |candidate: &Candidate<'_>| candidate.heading.named == Some(SectionKind::References);
    let references = (last..candidates.len()).find(|&at| is_list(&candidates[at]));
    for at in references.map_or(candidates.len(), |at| at + 1)..candidates.len() {
        candidates[at].heading.is_chapter &= candidates[at].number.is_some();
    }
    for candidate in &mut candidates[first..] {
        let is_summary = candidate.heading.named == Some(SectionKind::Abstract) && candidate.number.is_some();
        candidate.heading.named = candidate.heading.named.filter(|_| !is_summary);
    }
}

/// The title of a part that starts at a line; empty if the line is no title but the part itself.
pub(super) fn title_of_part(line: &TextLine<'_>) -> String {
    if named(line.text).is_some() { line.text.to_owned() } else { String::new() }
}

impl Candidate<'_> {
    fn says_chapter(&self) -> bool {
        // A sentence may begin so too.
        let title =
            self.line.is_marked() || !self.line.text.ends_with('.') && !self.line.text.starts_with(char::is_lowercase);
        title && !self.holds_chapters && self.number.is_some_and(|number| number.is_chapter)
    }

    /// How many witnesses there are for it besides its words.
    fn witnesses(&self) -> usize {
        usize::from(self.line.stands_out()) + usize::from(self.listed)
    }
}

fn chapter_value(candidate: &Candidate<'_>) -> Option<u32> {
    candidate.number.filter(|number| number.level == 1).map(|number| number.value)
}

/// The lines that may be headings.
fn candidates<'a>(lines: &'a [TextLine<'a>], contents: &Contents) -> Vec<Candidate<'a>> {
    let mut candidates: Vec<Candidate<'a>> = Vec::new();
    let mut seen: AHashMap<String, usize> = AHashMap::new();
    let mut at = 0;
    while at < lines.len() {
        let (first, word) = (at, word_above(lines, at));
        at += usize::from(word.is_some());
        let line = &lines[at];
        let last = last_line(lines, at);
        let parted = parted_title(lines, at);
        let here = at;
        at = parted.as_ref().map_or(last, |(last, _)| *last) + 1;
        if line.inert || contents.holds(here) || line.in_contents || line.text.starts_with(['[', '［']) {
            continue;
        }
        let text = parted.as_ref().map_or(line.text, |(_, title)| title.as_str());
        let named = if line.length() <= LONGEST_HEADING { named(text) } else { None };
        let named = named.or(word.filter(|kind| *kind == SectionKind::Appendix));
        let is_chapter = word == Some(SectionKind::Chapter);
        let alone = || line.text.trim_end_matches('.').parse().ok().filter(|_| is_bare_number(line.text));
        let number = number(line.text).or_else(|| Some(Number::unnamed(1, alone().filter(|_| is_chapter)?, "")));
        let number = number.map(|number| Number { is_chapter: number.is_chapter || is_chapter, ..number });
        let listed = line.length() <= LONGEST_MARKED && contents.lists_title(line.text);
        let says_chapter = line.font.is_some() && number.is_some_and(|number| number.is_chapter);
        let longest = if says_chapter {
            LONGEST_MARKED
        } else if listed {
            LONGEST_LISTED
        } else {
            LONGEST_HEADING
        };
        let short = line.length() <= longest;
        let looks_it = short && !ends_like_sentence(line.text) && (is_chapter || reads_like_title(line.text));
        let says_so = number.is_some_and(|number| number.level > 1 || number.is_chapter || named.is_some())
            || named.is_some()
            || number.is_some_and(|_| !is_led(line.text));
        let is_candidate = if line.is_marked() {
            // Whole paragraphs are set in styles of headings too.
            line.length() <= LONGEST_MARKED
                && (number.is_some_and(|number| number.is_chapter) || !is_sentence(line.text))
        } else {
            looks_it && (says_so || line.font.is_some() || listed) && !is_led(line.text)
        };
        if !is_candidate && named.is_none() {
            continue;
        }
        // The marked heading below is the chapter's, and what stands before it its number or a reference to another.
        let is_bare = number.is_some_and(|number| number.is_chapter && number.rest.is_empty());
        if is_bare && line.markup.is_none() && lines.get(last + 1).is_some_and(|next| next.markup.is_some()) {
            continue;
        }
        let (last, title) = parted.unwrap_or_else(|| whole_title(lines, here, last, number.as_ref(), contents));
        at = last + 1;
        let key: String = title.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
        let times = seen.entry(key).or_default();
        *times += 1;
        // The number of an entry of the outline may stand on a line of its own.
        let bare = || alone().filter(|_| last > here).map(|value| Number::unnamed(1, value, ""));
        let number = number.or_else(bare);
        let listed = listed || is_bare && contents.lists_title(&title);
        let heading = Heading { lines: first..=last, title, named, is_chapter: false, is_numbered: number.is_some() };
        candidates.push(Candidate { heading, line, number, listed, repeated: *times > 1, holds_chapters: false });
    }
    candidates
}

/// What begins below a line that is nothing but the word for a chapter or an appendix, if its number or letter stands there.
fn word_above(lines: &[TextLine<'_>], at: usize) -> Option<SectionKind> {
    let next = lines.get(at + 1).filter(|next| next.stands_out() && !next.inert && !lines[at].inert)?;
    let text = lines[at].text;
    if after_chapter_word(text) == Some("") && !is_part_word(text) {
        let is_its_number = is_bare_number(next.text) || number(next.text).is_some_and(|number| number.level == 1);
        return is_its_number.then_some(SectionKind::Chapter);
    }
    let letter = next.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    (after_appendix(text) == Some("") && is_bare_label(letter)).then_some(SectionKind::Appendix)
}

/// The last line of a heading that the format broke into several.
fn last_line(lines: &[TextLine<'_>], at: usize) -> usize {
    let goes_on = |next: &TextLine<'_>, before: &TextLine<'_>| {
        let alike = (next.markup, next.outline, next.font) == (before.markup, before.outline, before.font);
        let numbered = next.outline.is_some() && next.outline == before.outline && is_bare_label(before.text);
        next.stands_out() && (numbered || (alike && !next.starts_paragraph))
    };
    let count = lines[at..].windows(2).take_while(|pair| lines[at].stands_out() && goes_on(&pair[1], &pair[0])).count();
    at + count
}

/// A number, or the letter of an appendix, on a line of its own.
fn is_bare_label(text: &str) -> bool {
    is_bare_number(text) || matches!(text.as_bytes(), [letter] if letter.is_ascii_uppercase())
}

/// A number on a line of its own.
fn is_bare_number(text: &str) -> bool {
    text.len() <= LONGEST_NUMBER && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// A title of a part whose letters stand on lines of their own (声⏎明): its last line, and the title.
fn parted_title(lines: &[TextLine<'_>], at: usize) -> Option<(usize, String)> {
    let single = |line: &&TextLine<'_>| line.length() == 1 && line.text.starts_with(is_east_asian);
    let letters: Vec<&str> = lines[at..].iter().take(MOST_PARTED).take_while(single).map(|line| line.text).collect();
    let title = |count: &usize| named(&letters[..*count].concat()).is_some();
    let count = (2..=letters.len()).rev().find(title)?;
    Some((at + count - 1, letters[..count].concat()))
}

/// The words of a heading and its last line: "Chapter 1" has its title on the next one.
fn whole_title(
    lines: &[TextLine<'_>],
    at: usize,
    last: usize,
    number: Option<&Number<'_>>,
    contents: &Contents,
) -> (usize, String) {
    let joined = |last: usize| lines[at..=last].iter().map(|line| line.text).collect::<Vec<_>>().join(" ");
    let is_appendix = named(lines[at].text) == Some(SectionKind::Appendix) && lines[at].length() <= LONGEST_LABEL;
    let bare = is_appendix && lines[at].stands_out()
        || number.is_some_and(|number| number.is_chapter && number.rest.is_empty());
    let Some(next) = lines.get(last + 1).filter(|_| bare) else { return (last, joined(last)) };
    let is_title = !next.inert
        && next.length() <= LONGEST_LISTED
        && named(next.text).is_none()
        && super::numbers::number(next.text).is_none_or(|number| number.level == 1 && !number.is_chapter)
        && reads_like_title(next.text)
        && !next.text.ends_with(['.', '。', '，', ',', ';', '；', ':', '：', '”']);
    let agrees = next.stands_out() || contents.lists_title(next.text) || next.length() <= LONGEST_HEADING;
    if is_title && agrees {
        let last = last_line(lines, last + 1);
        return (last, joined(last));
    }
    (last, joined(last))
}

/// Whether a line that is set as a heading reads like a sentence.
fn is_sentence(text: &str) -> bool {
    ends_like_sentence(text) || text.contains('。') || text.matches('，').count() >= COMMAS_OF_SENTENCE
}

fn ends_like_sentence(text: &str) -> bool {
    text.ends_with(['。', '，', '；', ',', ';', '、'])
        || (text.ends_with('.') && text.matches(' ').count() > MOST_BLANKS)
}

/// Whether a line consists of words: neither a formula nor a row of figures. One sign among three letters is usual, and a few
/// in a short title.
fn reads_like_title(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let others = text
        .chars()
        .filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, '.' | '-' | ':' | '：'))
        .count();
    let formula = text.contains(['=', '≈', '≤', '≥', '∑', '∫', '→', '√', '∂', '∈', '±', '×']);
    let sentence = text.contains(['。', '，']);
    letters >= 2 && 3 * others <= letters + 3 && !formula && !sentence
}

/// The chapters among headings that the file marks: those of the topmost level that has several.
fn by_level(
    candidates: &[Candidate<'_>],
    level: impl Fn(&TextLine<'_>) -> Option<u8>,
    contents: &Contents,
) -> Vec<usize> {
    let level = |c: &Candidate<'_>| level(c.line).map(|level| if c.holds_chapters { 0 } else { level });
    let of_level = |wanted: u8| candidates.iter().filter(|c| level(c) == Some(wanted)).count();
    let says = candidates.iter().filter(|c| c.says_chapter()).filter_map(level).min();
    let several = (1..=*LEVELS.end()).find(|&wanted| of_level(wanted) > 1);
    let Some(top) = says.or(several).or_else(|| (0..=*LEVELS.end()).find(|&wanted| of_level(wanted) > 0)) else {
        return Vec::new();
    };
    // Beside chapters 4.1 is a section whatever its level. A program's number stands in the table of contents only.
    let says_section = |c: &Candidate<'_>| match c.number {
        Some(number) => number.level > 1,
        None => c.heading.named.is_none() && contents.level_of(&c.heading.title).is_some_and(|level| level > 1),
    };
    let is_of_top = |c: &Candidate<'_>| level(c).is_some_and(|level| level <= top) && c.heading.named.is_none();
    let others = candidates.iter().filter(|c| is_of_top(c) && !says_section(c)).count();
    let is_section = |c: &Candidate<'_>| others >= FEWEST_BESIDE_SECTIONS && says_section(c);
    // Parts hold chapters and are none, if there are some.
    let is_part = |level: u8| level == 0 && top > 0;
    let is_chapter = |c: &Candidate<'_>| {
        let is_of = |level: u8| !is_part(level) && level <= top && !is_section(c);
        level(c).is_some_and(|level| is_of(level) || c.says_chapter())
    };
    // Below parts that the outline does not call so, chapters are those whose numbers go on over all of them.
    let numbered: Vec<usize> = (0..candidates.len())
        .filter(|&at| level(&candidates[at]).is_some() && chapter_value(&candidates[at]).is_some())
        .collect();
    let goes_on = (1..).zip(&numbered).all(|(value, &at)| chapter_value(&candidates[at]) == Some(value));
    let go_on = goes_on && numbered.len() >= FEWEST_NUMBERED;
    let is_one = |at: &usize| is_chapter(&candidates[*at]) || go_on && numbered.contains(at);
    (0..candidates.len()).filter(is_one).collect()
}

/// The chapters where the file marks none.
fn by_agreement(candidates: &[Candidate<'_>], lines: &[TextLine<'_>], contents: &Contents) -> Vec<usize> {
    // The more witnesses the better, but not at the price of a third of the chapters: an outline of the thesis in its
    // introduction lists them too.
    let most = candidates.iter().filter(|c| c.says_chapter()).map(Candidate::witnesses).max().unwrap_or(0);
    let chains = (0..=most).map(|least| in_order(candidates, |c| c.says_chapter() && c.witnesses() >= least));
    let chains: Vec<Vec<usize>> = chains.collect();
    let longest = chains.iter().map(Vec::len).max().unwrap_or(0);
    let mut chapters = chains.into_iter().rev().find(|chain| 3 * chain.len() >= 2 * longest).unwrap_or_default();
    fill_gaps(candidates, &mut chapters);
    if chapters.is_empty() {
        chapters = numbered(candidates);
    }
    let (Some(&first), Some(&last)) = (chapters.iter().min(), chapters.iter().max()) else {
        return by_size(candidates, lines, contents);
    };
    // Chapters without a number, as introduction and conclusion may be, stand in the contents and are set as the others are; or they stand
    // before the first or behind the last of those that have one, if no section between these is such.
    let fonts: Vec<u8> = chapters.iter().filter_map(|&at| candidates[at].line.font).collect();
    let is_unnumbered = |at: &usize| {
        let c = &candidates[*at];
        let is_numbered = c.number.is_some() || c.line.text.starts_with(|c: char| c.is_ascii_digit());
        !is_numbered && c.heading.named.is_none() && c.listed
    };
    let are_sections_numbered = !(first..last).any(|at| is_unnumbered(&at));
    let others = (0..candidates.len()).filter(|at| is_unnumbered(at) && !candidates[*at].repeated);
    let is_set_alike = |at: usize| candidates[at].line.font.is_some_and(|font| fonts.contains(&font));
    let is_chapter = |at: &usize| is_set_alike(*at) || are_sections_numbered;
    chapters.extend(others.filter(is_chapter));
    chapters
}

/// Those of the candidates wanted whose numbers go on: a running head repeats its chapter's, and a list jumps.
fn in_order(candidates: &[Candidate<'_>], wanted: impl Fn(&Candidate<'_>) -> bool) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    let mut last = 0;
    for (at, candidate) in candidates.iter().enumerate().filter(|(_, c)| wanted(c)) {
        let value = candidate.number.map_or(0, |number| number.value);
        let goes_on = chain.is_empty()
            || (value > last && value <= last + LARGEST_STEP)
            || (value == 1 && last > 1 && !candidate.repeated);
        // Lines one after the other with no text between are a list.
        let follows = chain
            .last()
            .is_some_and(|&before| *candidates[before].heading.lines.end() + 1 == *candidate.heading.lines.start());
        if goes_on && (!follows || candidate.line.stands_out()) {
            chain.push(at);
            last = value;
        }
    }
    chain
}

/// Adds lines that say they are the chapters whose numbers are missing, where these must stand.
fn fill_gaps(candidates: &[Candidate<'_>], chain: &mut Vec<usize>) {
    let value = |at: usize| chapter_value(&candidates[at]).unwrap_or(0);
    for at in (0..candidates.len()).filter(|&at| candidates[at].says_chapter()) {
        let place = chain.partition_point(|&other| other < at);
        let (before, after) = (place.checked_sub(1).and_then(|place| chain.get(place)), chain.get(place));
        if let (Some(&before), Some(&after)) = (before, after)
            && after != at
            && value(before) < value(at)
            && value(at) < value(after)
        {
            chain.insert(place, at);
        }
    }
}

/// Lines numbered 1, 2, 3 and so on, in one way of numbering.
fn numbered(candidates: &[Candidate<'_>]) -> Vec<usize> {
    let is_numbered = |at: &usize| {
        let c = &candidates[*at];
        let sentence = c.line.text.ends_with(['.', '：', ':', '？', '?']) && !c.listed;
        c.number.is_some_and(|number| number.level == 1) && !sentence
    };
    let all: Vec<usize> = (0..candidates.len()).filter(is_numbered).collect();
    let most = all.iter().map(|&at| candidates[at].witnesses()).max().unwrap_or(0);
    // As many witnesses as any has, else one fewer: formulas and lists have none.
    for witnesses in (0..=most).rev() {
        let mut chain: Vec<usize> = Vec::new();
        for &at in all.iter().filter(|&&at| candidates[at].witnesses() >= witnesses) {
            if candidates[at].number.is_some_and(|number| number.value == chain.len() as u32 + 1) {
                let follows = chain.last().is_some_and(|&before: &usize| {
                    *candidates[before].heading.lines.end() + 1 == *candidates[at].heading.lines.start()
                });
                if follows && witnesses == 0 {
                    return Vec::new();
                }
                chain.push(at);
            }
        }
        if chain.len() >= FEWEST_NUMBERED {
            // The last ones may have a witness less.
            let mut from = *chain.last().unwrap_or(&0);
            for &at in all.iter().filter(|&&at| candidates[at].witnesses() + 1 >= witnesses) {
                if at > from
                    && candidates[at].number.is_some_and(|number| number.value == chain.len() as u32 + 1)
                    && witnesses > 0
                {
                    chain.push(at);
                    from = at;
                }
            }
            return chain;
        }
    }
    Vec::new()
}

/// Lines that are larger than the rest and part the whole text into long pieces: first those that are set as the titles of
/// known parts are, and last those that are set as the text is and stand in the contents.
fn by_size(candidates: &[Candidate<'_>], lines: &[TextLine<'_>], contents: &Contents) -> Vec<usize> {
    let length = lines.last().map_or(0, |line| line.end);
    let of_level = |level: Option<u8>| (0..candidates.len()).filter(move |&at| candidates[at].line.font == level);
    let has_part = |level: &Option<u8>| of_level(*level).any(|at| candidates[at].heading.named.is_some());
    let mut levels: Vec<Option<u8>> = LEVELS.map(Some).collect();
    levels.sort_by_key(|level| !has_part(level));
    levels.extend(contents.is_known().then_some(None));
    for level in levels {
        let ends =
            |at: usize| of_level(level).find(|&next| next > at).map_or(length, |next| candidates[next].line.start);
        let fits = |&at: &usize| {
            let c = &candidates[at];
            let is_new = !c.repeated && c.heading.named.is_none() && (c.listed || !contents.is_known());
            let is_section = c.number.is_some_and(|number| number.level > 1);
            // Lines of a title page stand close to each other.
            is_new && !is_section && ends(at).saturating_sub(c.line.end) >= SHORTEST_PIECE
        };
        let chapters: Vec<usize> = of_level(level).filter(fits).collect();
        let long = length / chapters.len().max(1) as u32 >= SHORTEST_BY_SIZE;
        if chapters.len() > 1 && chapters.len() <= MOST_BY_SIZE && long {
            return chapters;
        }
    }
    Vec::new()
}
