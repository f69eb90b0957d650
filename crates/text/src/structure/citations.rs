//! References to the literature in running text: [12], (Smith, 2019), （张三，2019）, and what the format marks.

use super::evidence::YEARS;
use crate::layout::{Layout, MarkKind};
use crate::script::is_east_asian;
use std::ops::Range;

/// The most characters between the brackets of a numbered citation such as [3-5, 7]. Chosen by hand.
const LONGEST_NUMBER: usize = 30;

/// The most characters between the brackets of names with years, such as (Smith, 2019; Jones et al., 2020: 4). Chosen by hand.
const LONGEST_NAMES: usize = 120;

/// The most characters between brackets that begin with a year, such as (2019a: 12). Chosen by hand.
const LONGEST_YEAR: usize = 20;

/// All citations, in order, apart from each other.
pub(super) fn find(text: &[char], layout: &Layout) -> Vec<Range<u32>> {
    let marked = layout
        .marks()
        .iter()
        .filter(|mark| matches!(mark.kind, MarkKind::Citation | MarkKind::NoteReference))
        .map(|mark| mark.start..mark.end);
    let mut found: Vec<Range<u32>> = marked.collect();
    for (at, c) in text.iter().enumerate() {
        let bracketed = match c {
            '[' => closing(text, at, &[']'], LONGEST_NUMBER).filter(|inside| is_number(&text[inside.clone()])),
            '［' | '〔' => {
                closing(text, at, &['］', '〕'], LONGEST_NUMBER).filter(|inside| is_number(&text[inside.clone()]))
            }
            '(' | '（' => {
                closing(text, at, &[')', '）'], LONGEST_NAMES).filter(|inside| has_year(&text[inside.clone()]))
            }
            _ => None,
        };
        found.extend(bracketed.map(|inside| inside.start as u32 - 1..inside.end as u32 + 1));
    }
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup_by(|later, first| later.start < first.end);
    found
}

/// What stands between the bracket at `open` and the next closing one.
fn closing(text: &[char], open: usize, closing: &[char], most: usize) -> Option<Range<usize>> {
    let inside = &text[open + 1..text.len().min(open + 1 + most)];
    let length = inside.iter().position(|c| closing.contains(c))?;
    (length > 0).then_some(open + 1..open + 1 + length)
}

/// 12; 3-5; 1, 2; 12, p. 4; 7]: the first character is a digit, the rest digits and what stands between them.
fn is_number(inside: &[char]) -> bool {
    let between =
        |c: &char| matches!(c, ',' | '，' | '、' | '-' | '–' | '—' | '~' | ' ' | '.' | ':' | '：' | ';' | 'p' | 'P');
    inside[0].is_ascii_digit() && inside.iter().all(|c| c.is_ascii_digit() || between(c))
}

/// A year from 1500 to 2099, alone or after a name.
fn has_year(inside: &[char]) -> bool {
    let is_year = |at: usize| {
        let digits = &inside[at..at + 4];
        let value = digits.iter().try_fold(0, |value, c| Some(value * 10 + c.to_digit(10)?));
        let free = |at: Option<usize>| at.and_then(|at| inside.get(at)).is_none_or(|c| !c.is_ascii_digit());
        value.is_some_and(|value| YEARS.contains(&value))
            && free(at.checked_sub(1))
            && free(Some(at + 4))
            && (at == 0
                || matches!(inside[at - 1], ' ' | ',' | '，' | '.' | '、' | '\u{A0}')
                || is_east_asian(inside[at - 1]))
            && inside.get(at + 4).is_none_or(|c| !matches!(c, '年' | '-' | '–' | '—'))
    };
    let Some(at) = (0..inside.len().saturating_sub(3)).find(|at| is_year(*at)) else { return false };
    if at == 0 {
        return inside.len() <= LONGEST_YEAR;
    }
    // What stands before a year in a citation is a name, perhaps with a comma after it.
    let before: String = inside[..at].iter().collect();
    let before = before.trim_end();
    let word = before.rsplit(' ').next().and_then(|word| word.chars().next());
    before.chars().any(char::is_alphabetic)
        && (before.ends_with([',', '，', '、', '.']) || word.is_some_and(|c| c.is_uppercase() || is_east_asian(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_found_in_both_languages() {
        let cases: &[(&str, &[&str])] = &[
            ("as was shown [12], and later [3-5, 7].", &["[12]", "[3-5, 7]"]),
            ("silt settles (Smith, 2019; Jones et al., 2020: 4) slowly", &["(Smith, 2019; Jones et al., 2020: 4)"]),
            ("Smith (2019) says", &["(2019)"]),
            ("泥沙沉积〔3〕，（张三，2019）认为", &["〔3〕", "（张三，2019）"]),
            ("数据［5］，(张三2019, 45)", &["［5］", "(张三2019, 45)"]),
            ("an array a[i] and [note] (see below) (of 1931 acres and more and still more)", &[]),
            ("时间（1931年）", &[]),
            ("he lived (1900–1980)", &[]),
        ];
        for (text, expected) in cases {
            let characters: Vec<char> = text.chars().collect();
            let found: Vec<String> = find(&characters, &Layout::default())
                .into_iter()
                .map(|range| characters[range.start as usize..range.end as usize].iter().collect())
                .collect();
            assert_eq!(found, *expected, "{text}");
        }
    }
}
