//! The number in front of a heading, in all the ways in which chapters are numbered.

use super::names::{after_chapter_word, after_ordinal_word, is_behind_numbers, is_part_word, spelt};
use crate::languages::{Language, languages};
use crate::script::is_east_asian;

/// The largest number of a heading, so that a year is none. Chosen by hand.
const LARGEST: u32 = 99;

/// Numbers with more parts than this (3.1.2 has three) are as deep as those with as many.
const DEEPEST: usize = 9;

/// The bytes of a Chinese number, which are three for each digit: enough for 199, and no row of digits.
const LONGEST_NUMERAL: usize = 15;

/// The digits of Chinese numbers, each at its value.
const CHINESE_DIGITS: &str = "零一二三四五六七八九";

/// The number in front of a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number<'a> {
    /// 1 for a chapter, 2 for what stands in one, and so on.
    pub(super) level: u8,
    /// Its last part.
    pub(super) value: u32,
    /// Whether the heading says itself that it is a chapter (第三章, Chapter 3).
    pub(super) is_chapter: bool,
    /// Whether it says that it is a part, which may hold chapters.
    pub(super) is_part: bool,
    /// The heading after the number.
    pub(super) rest: &'a str,
}

impl<'a> Number<'a> {
    /// A number that no word says to be a chapter's.
    pub(super) fn unnamed(level: u8, value: u32, rest: &'a str) -> Self {
        Number { level, value, is_chapter: false, is_part: false, rest }
    }
}

/// The number in front of a heading: 第三章, Chapter 3, 3.1, 三、, （二）.
pub(super) fn number(heading: &str) -> Option<Number<'_>> {
    let heading = heading.trim_start_matches(['*', '#', ' ']);
    between_words(heading)
        .or_else(|| word_and_number(heading))
        .or_else(|| decimal(heading))
        .or_else(|| capital_roman(heading))
        .or_else(|| listed(heading))
}

/// 第三章, 第 3 章, 第二节, 제1장.
pub(super) fn between_words(heading: &str) -> Option<Number<'_>> {
    let rest = after_ordinal_word(heading)?.trim_start();
    let (value, rest) = chinese_or_decimal(rest)?;
    let rest = rest.trim_start();
    let behind = |words: fn(&Language) -> &[String]| languages().after(rest, words);
    let part = behind(|l| &l.numbering.part_behind);
    let chapter = part.or_else(|| behind(|l| &l.numbering.chapter_behind));
    let rest = chapter.or_else(|| behind(|l| &l.numbering.section_behind))?;
    let rest = rest.trim_start_matches(['：', ':', '、', '.', ' ', '\u{3000}', '\t', '\u{A0}']);
    let level = if chapter.is_some() { 1 } else { 2 };
    Some(Number { level, value, is_chapter: level == 1, is_part: part.is_some(), rest })
}

/// Chapter 3, CHAPTER III, Part 2, Kapitel 4, Глава 1.
fn word_and_number(heading: &str) -> Option<Number<'_>> {
    let rest = after_chapter_word(heading)?;
    // Chapter 3, CHAPTER – III, CHAPTER-III.
    let label = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—'));
    if label.len() == rest.len() && !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_part = is_part_word(&heading[..heading.len() - rest.len()]);
    let end = label.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(label.len());
    let (figures, behind) = label.split_at(end);
    let value = figures.parse().ok().or_else(|| roman(figures));
    let (value, rest) = value.map(|value| (value, behind)).or_else(|| spelt(label))?;
    let rest = rest.trim_start_matches(['.', ':', '-', '–', '—', ' ', '\t', '\u{A0}']);
    Some(Number { level: 1, value, is_chapter: true, is_part, rest })
}

/// 3, 3., 3.1, 3.1.2 before words.
fn decimal(heading: &str) -> Option<Number<'_>> {
    let end = heading.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '．'))?;
    let (label, rest) = heading.split_at(end);
    let mut parts: Vec<&str> = label.split(['.', '．']).filter(|part| !part.is_empty()).collect();
    // 1.0 is the first chapter.
    while parts.len() > 1 && parts.last().is_some_and(|part| part.bytes().all(|digit| digit == b'0')) {
        parts.pop();
    }
    let value = parts.last()?.parse().ok().filter(|value| *value <= LARGEST)?;
    let title = rest.trim_start_matches(['、', ' ', '\t', '\u{3000}', '\u{A0}']);
    // A number and its unit are no heading: 3km, 12%.
    let apart = title.len() < rest.len() || label.ends_with(['.', '．']) || title.starts_with(is_east_asian);
    let named = title.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    (apart && named).then(|| Number::unnamed(parts.len().min(DEEPEST) as u8, value, title))
}

/// I. INTRODUCTION, IV Results.
fn capital_roman(heading: &str) -> Option<Number<'_>> {
    let end = heading.find(|c: char| !matches!(c, 'I' | 'V' | 'X'))?;
    let (label, rest) = heading.split_at(end);
    let title = rest.strip_prefix('.').unwrap_or(rest).trim_start();
    let named = title.len() < rest.len() && title.chars().take(3).filter(|c| c.is_alphabetic()).count() == 3;
    let value = roman(label).filter(|_| named && title.starts_with(char::is_uppercase))?;
    // A sentence may begin with I.
    (value > 1 || rest.starts_with('.')).then(|| Number::unnamed(1, value, title))
}

/// 一、绪论 and （一）背景.
fn listed(heading: &str) -> Option<Number<'_>> {
    let (level, inside) = match heading.strip_prefix(['（', '(']) {
        Some(inside) => (2, inside),
        None => (1, heading),
    };
    let (value, rest) = chinese_numeral(inside)?;
    let rest = if level == 2 { rest.strip_prefix(['）', ')'])? } else { rest.strip_prefix(['、', '．', '.'])? };
    Some(Number::unnamed(level, value, rest.trim_start()))
}

/// Whether a text without blanks is nothing but what numbers a chapter or a section: 31, chapter3, 第三章.
pub fn is_label(text: &str) -> bool {
    let label = after_chapter_word(text).unwrap_or(text);
    let label = after_ordinal_word(label).unwrap_or(label);
    label
        .chars()
        .all(|c| c.is_numeric() || CHINESE_DIGITS.contains(c) || matches!(c, '十' | '百') || is_behind_numbers(c))
}

fn chinese_or_decimal(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        return Some((text[..digits].parse().ok()?, &text[digits..]));
    }
    chinese_numeral(text)
}

/// A Chinese number up to 199, and what follows it.
fn chinese_numeral(text: &str) -> Option<(u32, &str)> {
    let (mut value, mut digit, mut length) = (0, 0, 0);
    for c in text.chars() {
        match c {
            '十' => {
                value += if digit == 0 { 10 } else { digit * 10 };
                digit = 0;
            }
            '百' => {
                value += digit * 100;
                digit = 0;
            }
            _ => match CHINESE_DIGITS.chars().position(|known| known == c) {
                Some(known) => digit = known as u32,
                None => break,
            },
        }
        length += c.len_utf8();
        if length > LONGEST_NUMERAL {
            return None;
        }
    }
    (length > 0).then_some((value + digit, &text[length..]))
}

fn roman(label: &str) -> Option<u32> {
    const NUMERALS: [&str; 20] = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii",
        "xviii", "xix", "xx",
    ];
    NUMERALS.iter().position(|numeral| label.eq_ignore_ascii_case(numeral)).map(|at| at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_headings_are_read_in_both_languages() {
        let cases = [
            ("第三章 方法", Some((1, 3, true, "方法"))),
            ("第十二章　结论", Some((1, 12, true, "结论"))),
            ("第 2 章 综述", Some((1, 2, true, "综述"))),
            ("第二十节 问", Some((2, 20, false, "问"))),
            ("Chapter 4: Results", Some((1, 4, true, "Results"))),
            ("CHAPTER IV", Some((1, 4, true, ""))),
            ("Chapter Two Methods", Some((1, 2, true, "Methods"))),
            ("1 Introduction", Some((1, 1, false, "Introduction"))),
            ("2.3 Sampling", Some((2, 3, false, "Sampling"))),
            ("3.1.2 样本", Some((3, 2, false, "样本"))),
            ("一、绪论", Some((1, 1, false, "绪论"))),
            ("（三）讨论", Some((2, 3, false, "讨论"))),
            ("Kapitel 2 Methoden", Some((1, 2, true, "Methoden"))),
            ("Глава 3. Осадок", Some((1, 3, true, "Осадок"))),
            ("제2장 방법", Some((1, 2, true, "방법"))),
            ("IV. RESULTS", Some((1, 4, false, "RESULTS"))),
            ("I think so", None),
            ("Participants 3", None),
            ("1931 was a wet year", None),
            ("3 km upstream", None),
            ("12%", None),
            ("第一次涨潮", None),
            ("Chapitre1", Some((1, 1, true, ""))),
            ("Chapter and verse", None),
            ("CHAPTER – II", Some((1, 2, true, ""))),
            ("CHAPTER-IV REVIEW", Some((1, 4, true, "REVIEW"))),
            ("1.0 INTRODUCTION", Some((1, 1, false, "INTRODUCTION"))),
            ("2.10 Sampling", Some((2, 10, false, "Sampling"))),
        ];
        for (heading, expected) in cases {
            let found = number(heading).map(|n| (n.level, n.value, n.is_chapter, n.rest));
            assert_eq!(found, expected, "{heading}");
        }
    }
}
