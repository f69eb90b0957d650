//! What agrees in texts of which neither was copied: names, titles, terms with their gloss, imports and calls of programs.
//!
//! A passage counts for what its words tell. Names stand in one order wherever they are listed, a term has the same gloss in every text
//! that explains it, and a program begins with what it imports: all of that is prescribed by what it names. So words of such stretches are
//! not counted when a passage is asked for the length of a quotation. Who dresses copied prose as names or code gains little: from
//! [`MOST`] on a passage counts whatever it is made of, and different words of code count too.

use super::cited::{self, Cited};
use super::exclusion::units_within;
use super::facts::{self, Facts};
use super::labels::{self, Words};
use crate::align::extent::{Extent, half_words};
use crate::align::{AlignSettings, Match};
use crate::text::flag;
use crate::text::layout::{Layout, MarkKind};
use crate::text::ranges::{union, without};
use crate::text::script::{is_countable, is_han};
use crate::text::structure::frames;
use crate::text::units::Units;
use ahash::AHashSet;
use std::ops::Range;

// All are chosen by hand.

/// Half words from which on a passage counts whatever it is made of: 75 words, 150 Han characters.
pub(super) const MOST: u32 = 150;

/// How many different words of code tell as much as one of prose: programs are made of the same calls.
const CODE_WORDS: u32 = 3;

/// The most words of a line of code for each sign of code in it.
const WORDS_OF_SIGN: usize = 6;

/// The most words of a line that imports something.
const WORDS_OF_IMPORT: usize = 14;

/// The most words in a row with nothing but blanks between them in a line of a program, and in one that imports something: more are a
/// sentence, such as a comment.
const WORDS_IN_A_ROW: usize = 4;
const IMPORTED_IN_A_ROW: usize = 6;

/// Words of an alphabet between Han characters are names and glosses below this number.
const FOREIGN: usize = 12;

/// The most characters of a title in book marks, and of what is enumerated.
const TITLE: usize = 40;
const ITEM: usize = 8;

/// The fewest things enumerated.
const ITEMS: usize = 4;

/// From how many names for each other word on a passage is made of names. In a sentence with all its content words in capitals half of the
/// words are function words.
const NAMES_TO_WORDS: usize = 2;

/// The most words of a title between quotation marks, of whose content words two in three are in capitals.
const WORDS_OF_TITLE: usize = 20;

/// The most letters of a word in capitals that is a name: a whole line in capitals is a way of writing prose.
const ACRONYM: usize = 5;

/// What a unit tells where it agrees with another text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tells {
    /// That somebody wrote as somebody else did.
    Prose,
    /// The same, unless most words around it are names too.
    Name,
    /// Little, as it is a word of a program.
    Code,
    /// Nothing.
    Nothing,
}

/// Units of a text, and those ranges of them that are asked about.
pub(crate) type Place<'a> = (&'a Units, &'a [Range<u32>]);

/// What the units of a text tell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wording {
    tells: Vec<Tells>,
    /// Whether a unit stands in a clause.
    of_clause: Vec<bool>,
    /// Outlines and thanks, in units, in order and apart.
    pub(crate) frames: Vec<Range<u32>>,
    /// The entries of references, ...
    pub(crate) cited: Cited,
    /// ... and their units, in order and apart.
    entries: Vec<Range<u32>>,
    /// The length of the text in half words.
    whole: u32,
}

impl Wording {
    /// Of a text whose units are given.
    pub(crate) fn of(text: &str, layout: &Layout, units: &Units) -> Self {
        let frames = frames(text).iter().map(|frame| units_within(units, frame)).collect();
        let cited = Cited::of(text);
        let entries = cited.entries.iter().map(|entry| units_within(units, entry)).collect();
        Wording { frames, cited, entries, ..Wording::of_excerpt(text, layout, units) }
    }

    /// The same without outlines, thanks and entries, which an excerpt may hold in part.
    pub(super) fn of_excerpt(text: &str, layout: &Layout, units: &Units) -> Self {
        let mut tells = vec![Tells::Prose; units.len()];
        let marked: Vec<Range<u32>> = layout.of(MarkKind::Code).map(|mark| mark.start..mark.end).collect();
        let (mut place, mut unit) = (0_u32, 0);
        // The line before if it may be one of code, but has no neighbour that is.
        let mut alone: Option<Range<usize>> = None;
        let mut after_code = false;
        for line in text.split_inclusive('\n') {
            let characters: Vec<char> = line.chars().collect();
            let start = place;
            place += characters.len() as u32;
            let first = unit;
            unit += units.start[first..].partition_point(|unit| *unit < place);
            if first == unit {
                continue;
            }
            let of_line = first..unit;
            let mark = marked[..marked.partition_point(|mark| mark.start <= start)].last();
            let is_marked = mark.is_some_and(|mark| place <= mark.end + 1);
            let in_a_row = in_a_row(&characters);
            let imports = in_a_row <= IMPORTED_IN_A_ROW && is_import(line);
            let may_be_code = || is_marked || is_code(&characters, &units.flags[of_line.clone()]);
            if imports || in_a_row <= WORDS_IN_A_ROW && may_be_code() {
                let is_code = imports || is_marked || after_code || alone.is_some();
                if let Some(before) = alone.take() {
                    tells[before].fill(Tells::Code);
                }
                if is_code {
                    tells[of_line].fill(if imports { Tells::Nothing } else { Tells::Code });
                } else {
                    alone = Some(of_line.clone());
                    of_prose(&characters, start, units, of_line, &mut tells);
                }
                after_code = is_code;
            } else {
                (alone, after_code) = (None, false);
                of_prose(&characters, start, units, of_line, &mut tells);
            }
        }
        let mut of_clause = vec![false; units.len()];
        for clause in labels::clauses(text) {
            let clause = units_within(units, &clause);
            of_clause[clause.start as usize..clause.end as usize].fill(true);
        }
        let whole = units.flags.iter().map(half_words).sum();
        Wording { tells, of_clause, whole, ..Wording::default() }
    }

    /// The words of these units that are no numbers, words of function or code, and whether each is a name. A word at the beginning of a
    /// sentence is left out, because nobody knows whether it is one.
    pub(crate) fn facts(&self, units: &Units, ranges: &[Range<u32>]) -> Facts {
        const LEFT_OUT: u8 = flag::HAN | flag::STOP | flag::NUMBER | flag::SENTENCE;
        let word = |unit: usize| {
            let is_name = match self.tells[unit] {
                Tells::Prose => false,
                Tells::Name => true,
                Tells::Code | Tells::Nothing => return None,
            };
            let is_long = units.countable[unit] >= facts::LONG_WORD;
            (is_long && units.flags[unit] & LEFT_OUT == 0).then(|| (units.stem[unit], is_name))
        };
        Facts::new(ranges.iter().flat_map(|range| range.start as usize..range.end as usize).filter_map(word))
    }

    /// Whether a passage may have nothing but facts in common with its source: no quotation, and no whole text. Of Han characters nobody
    /// knows which are names; there a passage needs more evidence than of words.
    pub(crate) fn may_agree_in_facts(&self, settings: &AlignSettings, units: &Units, place: &Match) -> bool {
        let is_of_words = || {
            let copied = place.copied();
            let units_of = |range: &Range<u32>| range.start as usize..range.end as usize;
            let flags: Vec<u8> = copied.iter().flat_map(|range| &units.flags[units_of(range)]).copied().collect();
            Extent::of(&flags).han < 0.5 && !self.is_whole(settings, units, &copied)
        };
        settings.verbatim_only.is_none() && place.longest < 2 * settings.quotation && is_of_words()
    }

    /// Whether these units hold no sentence.
    pub(crate) fn are_labels(&self, units: &Units, range: &Range<u32>) -> bool {
        let mut words = Words::default();
        for unit in (range.start as usize..range.end as usize).filter(|unit| units.flags[*unit] & flag::NUMBER == 0) {
            words.add(half_words(&units.flags[unit]), self.of_clause[unit]);
        }
        words.are_labels()
    }

    /// Whether a passage of these units agrees with its source in labels alone, if the source has no sentence there either.
    pub(crate) fn agrees_in_labels(&self, settings: &AlignSettings, units: &Units, place: &Match) -> bool {
        !labels::is_copied(place.similarity)
            && !self.is_whole(settings, units, &place.copied())
            && self.are_labels(units, &place.submission)
    }

    /// Whether two texts agree in titles of works that one of them cites, and what else the passage has tells too little, or nothing of one
    /// another. `cited` is what the other text cites. What stands in entries of this one alone is no title that is named.
    pub(crate) fn agrees_in_titles<'o>(
        &self,
        settings: &AlignSettings,
        ours: Place,
        cited: &Cited,
        theirs: impl FnOnce() -> (&'o Wording, Place<'o>),
    ) -> bool {
        let but_titles = |(units, ranges): Place| -> Vec<Range<u32>> {
            let titles = |range| union([&self.cited, cited].map(|cited| cited.titles(units, range)).concat());
            ranges.iter().flat_map(|range| without(range, &titles(range))).collect()
        };
        let but_entries =
            |ranges: &[Range<u32>]| ranges.iter().flat_map(|range| without(range, &self.entries)).collect::<Vec<_>>();
        let left = but_entries(&but_titles(ours));
        let [all, rest, outside] = [ours.1, &left, &but_entries(ours.1)].map(|of| length(ours.0, of));
        let names_none = rest == all || outside < cited::LEAST;
        if settings.verbatim_only.is_some() || names_none || self.is_whole(settings, ours.0, ours.1) {
            return false;
        }
        let (told, needed) = self.told(settings, (ours.0, &left));
        let are_facts = || {
            let (other, theirs) = theirs();
            self.facts(ours.0, &left).are_told_anew(&other.facts(theirs.0, &but_titles(theirs)))
        };
        rest < MOST && f64::from(told) < needed || are_facts()
    }

    /// Whether these units are a whole text, or as good as one.
    fn is_whole(&self, settings: &AlignSettings, units: &Units, copied: &[Range<u32>]) -> bool {
        f64::from(length(units, copied)) >= settings.whole_share * f64::from(self.whole)
    }

    /// Whether these units, which agree with those of another text, tell too little of copying to count. Who asks where a whole text stands
    /// gets an answer.
    pub(crate) fn is_slight(&self, settings: &AlignSettings, units: &Units, copied: &[Range<u32>]) -> bool {
        let length = length(units, copied);
        if settings.verbatim_only.is_some() || length >= MOST || self.is_whole(settings, units, copied) {
            return false;
        }
        let (told, needed) = self.told(settings, (units, copied));
        f64::from(told) < needed && told < length
    }

    /// How much these units tell of copying, in half words, and how much of them does as a quotation.
    fn told(&self, settings: &AlignSettings, (units, copied): Place) -> (u32, f64) {
        let all = || copied.iter().flat_map(|range| range.start as usize..range.end as usize);
        let count = |tells: Tells| all().filter(|unit| self.tells[*unit] == tells).count();
        let (names, code): (usize, AHashSet<u32>) = (
            count(Tells::Name),
            all().filter(|unit| self.tells[*unit] == Tells::Code).map(|unit| units.hash[unit]).collect(),
        );
        let is_of_words = |unit: &usize| self.tells[*unit] == Tells::Prose && units.flags[*unit] & flag::HAN == 0;
        let are_names = names >= NAMES_TO_WORDS * all().filter(is_of_words).count();
        let tells = |unit: &usize| match self.tells[*unit] {
            Tells::Prose => true,
            Tells::Name => !are_names,
            Tells::Code | Tells::Nothing => false,
        };
        let prose: Vec<u8> = all().filter(tells).map(|unit| units.flags[unit]).collect();
        let prose = Extent::of(&prose);
        let needed = prose.between(f64::from(2 * settings.quotation), f64::from(settings.quotation_characters));
        let told = prose.half_words + 2 * code.len() as u32 / CODE_WORDS;
        (told, needed)
    }
}

/// Whether these units hold no quotation but for outlines and thanks, which are much the same in all theses, and so may agree in them.
/// `frames` are those of the text.
pub(crate) fn is_framed(settings: &AlignSettings, (units, copied): Place, frames: &[Range<u32>]) -> bool {
    let left: Vec<Range<u32>> = copied.iter().flat_map(|range| without(range, frames)).collect();
    let [all, left] = [copied, &left].map(|of| length(units, of));
    settings.verbatim_only.is_none() && all < MOST && left < all && left < 2 * settings.quotation
}

/// How long these units are, in half words.
pub(super) fn length(units: &Units, copied: &[Range<u32>]) -> u32 {
    let flags = copied.iter().flat_map(|range| &units.flags[range.start as usize..range.end as usize]);
    flags.map(half_words).sum()
}

/// What the units of a line of prose tell.
fn of_prose(line: &[char], start: u32, units: &Units, of_line: Range<usize>, tells: &mut [Tells]) {
    let place =
        |unit: usize| (units.start[unit] - start) as usize..((units.end[unit] - start) as usize).min(line.len());
    let is_wide = |unit: usize| units.flags[unit] & flag::HAN != 0;
    let wide = of_line.clone().filter(|unit| is_wide(*unit)).count();
    let is_mostly_wide = 2 * wide >= of_line.len();
    let mut at = of_line.start;
    while at < of_line.end {
        if is_wide(at) {
            at += 1;
            continue;
        }
        let end = (at..of_line.end).find(|unit| is_wide(*unit)).unwrap_or(of_line.end);
        for unit in at..end {
            let word = &line[place(unit)];
            tells[unit] = match units.flags[unit] {
                _ if is_mostly_wide && end - at < FOREIGN => Tells::Nothing,
                flags if flags & flag::NUMBER != 0 => Tells::Nothing,
                // Whoever writes function words in capitals writes all words so.
                flags if flags & (flag::SENTENCE | flag::STOP) == 0 && is_name(word) => Tells::Name,
                _ => Tells::Prose,
            };
        }
        at = end;
    }
    for title in quoted(line) {
        let inside: Vec<usize> = of_line.clone().filter(|unit| title.contains(&place(*unit).start)).collect();
        let content: Vec<usize> =
            inside.iter().copied().filter(|unit| units.flags[*unit] & (flag::STOP | flag::NUMBER) == 0).collect();
        let names = content.iter().filter(|unit| is_name(&line[place(**unit)])).count();
        let is_of_names = names >= NAMES_TO_WORDS * (content.len() - names);
        if is_of_names && inside.len() <= WORDS_OF_TITLE && !inside.iter().any(|unit| is_wide(*unit)) {
            inside.into_iter().for_each(|unit| tells[unit] = Tells::Name);
        }
    }
    if wide > 0 {
        for named in titles(line).into_iter().chain(enumerations(line)) {
            let inside = |unit: &usize| named.contains(&place(*unit).start);
            of_line.clone().filter(inside).for_each(|unit| tells[unit] = Tells::Nothing);
        }
    }
}

fn is_name(word: &[char]) -> bool {
    let is_capital = word.first().is_some_and(|c| c.is_uppercase());
    is_capital && (word.len() <= ACRONYM || word.iter().any(|c| c.is_lowercase()))
}

/// What stands between quotation marks.
fn quoted(line: &[char]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for (at, c) in line.iter().enumerate() {
        open = match (c, open) {
            (c, Some((start, closing))) if closing.contains(*c) => {
                found.push(start..at);
                None
            }
            (_, Some(open)) => Some(open),
            ('“', _) => Some((at, "”")),
            ('„', _) => Some((at, "“”")),
            ('«', _) => Some((at, "»")),
            ('"', _) => Some((at, "\"")),
            _ => None,
        };
    }
    found
}

/// Titles in book marks.
fn titles(line: &[char]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for (at, c) in line.iter().enumerate() {
        match (c, open) {
            ('《' | '〈', _) => open = Some(at),
            ('》' | '〉', Some(start)) if at - start <= TITLE => found.push(start..at),
            // A title is no clause.
            ('，' | '。' | '；', _) => open = None,
            _ => {}
        }
    }
    found
}

/// Clauses in which short things are enumerated: 清华大学、北京大学、浙江大学和复旦大学.
fn enumerations(line: &[char]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for clause in line.split_inclusive(|c| "，。；：？！,;:()（）\n".contains(*c)) {
        let items: Vec<&[char]> = clause.split(|c| *c == '、').collect();
        // The first may have words before it, and the last behind it.
        let inner = items.get(1..items.len().saturating_sub(1)).unwrap_or_default();
        if items.len() >= ITEMS && inner.iter().all(|item| item.iter().filter(|c| is_han(**c)).count() <= ITEM) {
            found.push(start..start + clause.len());
        }
        start += clause.len();
    }
    found
}

/// Whether a line names what a program uses, in the syntax of one of the usual languages.
fn is_import(line: &str) -> bool {
    let line =
        line.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || ">.:|[]$".contains(c)).trim_end();
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || "#\\@_".contains(c))).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let rest = rest.trim();
    let is_quoted = || rest.contains(['"', '\'', '<', '(', '{']) || rest.ends_with(';');
    let is_dotted = || {
        rest.as_bytes().windows(3).any(|c| c[1] == b'.' && c[0].is_ascii_alphanumeric() && c[2].is_ascii_alphanumeric())
    };
    let words = rest.split_whitespace().count();
    words <= WORDS_OF_IMPORT
        && match word {
            "#include" | "#import" | "@import" | "\\usepackage" | "\\documentclass" => true,
            "import" => {
                words == 1
                    || is_quoted()
                    || is_dotted() && words <= 3
                    || words == 3 && rest.contains(" as ")
                    || words > 1 && rest.split(", ").all(|name| !name.contains(' '))
            }
            "from" => rest.contains(" import "),
            "using" | "use" | "package" | "include" | "extern" | "require" | "library" | "require_once" => is_quoted(),
            _ => false,
        }
}

/// The most words of an alphabet in a row with nothing but blanks between them.
fn in_a_row(line: &[char]) -> usize {
    let pieces = line.split(|c| is_han(*c) || !(is_countable(*c) || *c == ' '));
    pieces.map(|piece| piece.split(|c| *c == ' ').filter(|word| !word.is_empty()).count()).max().unwrap_or(0)
}

/// Whether a line has as many signs of code as lines of programs have: calls, members, assignments, low lines, ends of statements.
fn is_code(line: &[char], units: &[u8]) -> bool {
    let wide = units.iter().filter(|flags| **flags & flag::HAN != 0).count();
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let joints = line.windows(3).filter(|c| match c[1] {
        '(' | '[' => is_letter(c[0]),
        '.' => is_letter(c[0]) && c[2].is_ascii_alphabetic(),
        '_' => is_letter(c[0]) || is_letter(c[2]),
        '=' => c[2] != '=',
        '{' | '}' => true,
        ':' | '-' | '&' | '|' | '/' => c[2] == c[1] || c[2] == '>',
        '<' => c[2] == '/' || c[2].is_ascii_alphabetic(),
        _ => false,
    });
    let last = line.iter().rev().find(|c| !c.is_whitespace());
    let ends = last.is_some_and(|c| matches!(c, ';' | '{' | '}'));
    let joints = joints.count() + usize::from(ends);
    2 * wide < units.len() && joints > 0 && joints * WORDS_OF_SIGN >= units.len()
}
