//! What a span of text reads like: an entry of a list, or sentences.

use super::lines::TextLine;
use crate::phrases::Phrases;
use crate::script::{is_countable, is_digit_or_capital, is_east_asian};
use crate::tally::Tally;
use std::ops::Range;
use std::sync::LazyLock;

/// Sizes are in letters of an alphabet; a Han character, a kana or a Hangul syllable says as much as two and a half.
const HALVES: u32 = 2;
const HALVES_OF_WIDE: u32 = 5;

/// A line of at least this many letters can be told from an entry of a list. Chosen by hand.
const LONG: u32 = 60;

/// In an entry of a list of references at least one letter or digit in ten is a digit or a capital. Chosen between entries,
/// which have more, and prose, in which one in thirty is, in German one in fifteen.
const ENTRY_ONE_IN: u32 = 10;

/// In prose at most one in eighteen is. Chosen by hand, on the same measure.
pub(super) const PROSE_ONE_IN: u32 = 18;

/// The fewest points and commas of an entry that says by a year alone when something appeared. Chosen by hand.
const FEWEST_POINTS: usize = 2;

/// The years in which what is cited appeared; other numbers of four digits are none.
pub(super) const YEARS: Range<u32> = 1500..2100;

/// Sums over the characters of a text, so that any span is weighed at once.
pub(super) struct Evidence {
    /// Countable characters.
    countable: Tally,
    /// Those of them that say as much as two and a half letters.
    wide: Tally,
    digits_and_capitals: Tally,
    /// Where the text ends.
    end: u32,
}

impl Evidence {
    pub(super) fn new(text: &[char]) -> Self {
        Evidence {
            countable: text.iter().map(|&c| is_countable(c)).collect(),
            wide: text.iter().map(|&c| is_east_asian(c) && is_countable(c)).collect(),
            digits_and_capitals: text.iter().map(|&c| is_digit_or_capital(c)).collect(),
            end: text.len() as u32,
        }
    }

    /// The letters that countable characters are, of which some are wide.
    fn letters_of(countable: u32, wide: u32) -> u32 {
        let halves = u64::from(HALVES) * u64::from(countable - wide) + u64::from(HALVES_OF_WIDE) * u64::from(wide);
        u32::try_from(halves / 2).unwrap_or(u32::MAX)
    }

    /// The size of a span in letters.
    pub(super) fn letters(&self, span: &Range<u32>) -> u32 {
        Self::letters_of(self.countable.within(span), self.wide.within(span))
    }

    /// The countable characters of a span.
    pub(super) fn countable(&self, span: &Range<u32>) -> u32 {
        self.countable.within(span)
    }

    /// Where the text ends.
    pub(super) fn end(&self) -> u32 {
        self.end
    }

    /// The size of the whole text in letters.
    pub(super) fn all_letters(&self) -> u32 {
        Self::letters_of(self.countable.all(), self.wide.all())
    }

    /// Whether at least one letter or digit in `most` is a digit or a capital.
    pub(super) fn one_in(&self, line: &TextLine<'_>, most: u32) -> bool {
        let span = line.start..line.end;
        self.digits_and_capitals.within(&span) * most >= self.countable.within(&span)
    }

    /// Whether a line is sentences, as far as it is long enough to tell.
    pub(super) fn is_prose(&self, line: &TextLine<'_>) -> bool {
        let span = line.start..line.end;
        self.letters(&span) >= LONG && !self.one_in(line, PROSE_ONE_IN)
    }

    /// Whether a line looks like an entry of a list of references, or its beginning: it says where and when something
    /// appeared, and it is full of digits and capitals. A label alone, such as [3], anybody can write before a sentence.
    pub(super) fn is_reference(&self, line: &TextLine<'_>) -> bool {
        let text = line.text;
        let points = || {
            text.chars()
                .filter(|c| matches!(c, '.' | ',' | ':' | '，' | '．' | '。' | '：' | '《' | ';' | '、' | '「'))
                .count()
        };
        let dated = || has_year(text) && points() >= FEWEST_POINTS;
        self.one_in(line, ENTRY_ONE_IN) && (is_sourced(text) || dated() || is_reported(text))
    }
}

/// Whether a text has an address, or the mark of what kind of work it is.
pub(super) fn is_sourced(text: &str) -> bool {
    static SIGNS: LazyLock<Option<Phrases>> = LazyLock::new(|| {
        let kinds =
            ["[j]", "[m]", "[d]", "[c]", "[n]", "[r]", "[s]", "[p]", "[eb/ol]", "[j/ol]", "［j］", "［m］", "［d］"];
        Phrases::in_any_case(["://", "doi"].into_iter().chain(kinds)).ok()
    });
    SIGNS.as_ref().is_some_and(|signs| signs.is_in(text))
}

/// The most letters of the name of a report, and of its further words before the page: NSWLR, "All ER", "Lloyd's Rep".
const REPORT: usize = 6;
const WORDS_OF_REPORT: usize = 3;

/// Whether a text says where a decision of a court is reported: a year in brackets, the letters of the report, and a page, as in
/// "[1932] AC 562" and "(1995) 38 NSWLR 47".
pub(super) fn is_reported(text: &str) -> bool {
    text.split(['[', '(']).skip(1).any(|behind| {
        let Some((year, rest)) = behind.split_once([']', ')']) else { return false };
        let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|word| !word.is_empty());
        let is_number = |word: &str| word.bytes().all(|digit| digit.is_ascii_digit());
        let is_report = |word: &str| word.chars().next().is_some_and(char::is_uppercase) && word.len() <= REPORT;
        let first = words.next().filter(|word| is_number(word) || is_report(word));
        let report = first.and_then(|first| if is_number(first) { words.next() } else { Some(first) });
        let mut behind = words.take(WORDS_OF_REPORT);
        year.len() == 4 && has_year(year) && report.is_some_and(is_report) && behind.any(is_number)
    })
}

/// Whether one of [`YEARS`] is in a text, apart from other digits.
pub(super) fn has_year(text: &str) -> bool {
    let mut value = 0_u32;
    let mut digits = 0;
    let is_year = |digits: u32, value: u32| digits == 4 && YEARS.contains(&value);
    for byte in text.bytes() {
        if byte.is_ascii_digit() {
            value = value.wrapping_mul(10).wrapping_add(u32::from(byte - b'0'));
            digits += 1;
        } else if is_year(digits, value) {
            return true;
        } else {
            (value, digits) = (0, 0);
        }
    }
    is_year(digits, value)
}

/// The most letters of an abbreviation with a capital: Prof., Dipl., Univ.
const ABBREVIATED: usize = 5;

/// Whether a text has the end of a sentence inside.
pub(super) fn has_sentence_end(text: &str) -> bool {
    text.contains(['。', '！', '？']) || text.split_whitespace().any(ends_sentence)
}

/// Whether a word and the sign behind it end a sentence: two small letters stand before the sign, so it is no initial and no number, and it is
/// no short word with a capital before a point, which is mostly a title.
fn ends_sentence(word: &str) -> bool {
    let Some(bare) = word.strip_suffix(['.', '!', '?']) else { return false };
    let is_abbreviated =
        word.ends_with('.') && bare.starts_with(char::is_uppercase) && bare.chars().count() <= ABBREVIATED;
    let mut last = bare.chars().rev();
    !is_abbreviated && (0..2).all(|_| last.next().is_some_and(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_or_the_mark_of_a_kind_of_work_is_a_source_in_any_case() {
        for sourced in
            ["see https://a.example", "DOI:10.1/x", "doi 10.1", "潮汐研究[J]. 海洋, 2001", "沼泽[eb/ol]", "水文［M］"]
        {
            assert!(is_sourced(sourced), "{sourced}");
        }
        for other in ["", "the tide [see below] rises", "a: // b", "do it", "[x]"] {
            assert!(!is_sourced(other), "{other}");
        }
    }
}
