//! What a heading says of the section below it, in Chinese and English.

use super::SectionKind;

/// Headings of parts that are not chapters, without numbers, blanks and punctuation, in lower case.
const NAMES: &[(SectionKind, &[&str])] = &[
    (
        SectionKind::Abstract,
        &["摘要", "中文摘要", "英文摘要", "内容摘要", "論文摘要", "论文摘要", "abstract", "summary", "englishabstract"],
    ),
    (SectionKind::Contents, &["目录", "目錄", "目次", "contents", "tableofcontents"]),
    (
        SectionKind::Acknowledgements,
        &[
            "致谢",
            "致謝",
            "谢辞",
            "謝辭",
            "鸣谢",
            "鳴謝",
            "acknowledgements",
            "acknowledgments",
            "acknowledgement",
            "acknowledgment",
        ],
    ),
    (
        SectionKind::References,
        &[
            "参考文献",
            "參考文獻",
            "主要参考文献",
            "参考书目",
            "參考書目",
            "引用文献",
            "references",
            "bibliography",
            "workscited",
            "literaturecited",
            "referencelist",
            "listofreferences",
        ],
    ),
    (
        SectionKind::TitlePage,
        &[
            "独创性声明",
            "原创性声明",
            "学位论文原创性声明",
            "学位论文独创性声明",
            "声明",
            "诚信声明",
            "聲明",
            "学位论文版权使用授权书",
            "学位论文使用授权书",
            "declaration",
            "declarationofauthorship",
            "declarationoforiginality",
            "statementoforiginality",
        ],
    ),
];

/// The part that a heading of this text starts, if it is not a chapter.
pub(super) fn named(heading: &str) -> Option<SectionKind> {
    let core = core(heading);
    if is_appendix(heading) {
        return Some(SectionKind::Appendix);
    }
    NAMES.iter().find(|(_, names)| names.contains(&core.as_str())).map(|(kind, _)| *kind)
}

/// A heading without its number, blanks and punctuation, in lower case.
fn core(heading: &str) -> String {
    let heading = heading.strip_suffix(['：', ':']).unwrap_or(heading);
    let unnumbered = match number(heading) {
        Some(number) => number.rest,
        None => heading,
    };
    let letters =
        unnumbered.chars().filter(|c| !c.is_whitespace() && !matches!(c, '【' | '】' | '[' | ']' | '*' | '#'));
    letters.flat_map(char::to_lowercase).collect()
}

/// "附录A 问卷", "Appendix B: Forms".
fn is_appendix(heading: &str) -> bool {
    let heading = heading.trim_start_matches(['*', '#', ' ']);
    let chinese = ["附录", "附錄"].iter().find_map(|name| heading.strip_prefix(name));
    if let Some(rest) = chinese {
        return rest.chars().count() <= 40 && !rest.contains(['。', '，']);
    }
    let Some((word, rest)) = heading.split_at_checked("appendix".len()) else { return false };
    if heading.eq_ignore_ascii_case("appendices") || (word.eq_ignore_ascii_case("appendix") && rest.is_empty()) {
        return true;
    }
    let label = rest.split_whitespace().next().map_or("", |label| label.trim_end_matches([':', '.', '-', '–']));
    let labelled = label.len() <= 3 && label.chars().all(|c| c.is_ascii_digit() || c.is_uppercase());
    word.eq_ignore_ascii_case("appendix") && labelled && rest.starts_with([' ', ':']) && rest.len() < 80
}

/// The number in front of a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number<'a> {
    /// 1 for a chapter, 2 for what stands in one, and so on.
    pub(super) level: u8,
    /// Its last part.
    pub(super) value: u32,
    /// Whether the heading says itself that it is a chapter (第三章, Chapter 3).
    pub(super) is_chapter: bool,
    /// The heading after the number.
    pub(super) rest: &'a str,
}

/// The number in front of a heading: 第三章, Chapter 3, 3.1, 三、, （二）.
pub(super) fn number(heading: &str) -> Option<Number<'_>> {
    let heading = heading.trim_start_matches(['*', '#', ' ']);
    chinese_chapter(heading)
        .or_else(|| english_chapter(heading))
        .or_else(|| decimal(heading))
        .or_else(|| listed(heading))
}

/// 第三章, 第 3 章, 第二节.
fn chinese_chapter(heading: &str) -> Option<Number<'_>> {
    let rest = heading.strip_prefix('第')?.trim_start();
    let (value, rest) = chinese_or_decimal(rest)?;
    let rest = rest.trim_start();
    let unit = rest.chars().next()?;
    let level = match unit {
        '章' | '篇' | '编' | '編' | '部' | '回' => 1,
        '节' | '節' => 2,
        _ => return None,
    };
    let rest = rest[unit.len_utf8()..].trim_start_matches(['：', ':', '、', '.', ' ', '\u{3000}', '\t', '\u{A0}']);
    Some(Number { level, value, is_chapter: level == 1, rest })
}

/// Chapter 3, CHAPTER III, Part 2.
fn english_chapter(heading: &str) -> Option<Number<'_>> {
    let word_end = heading.find(char::is_whitespace)?;
    if !["chapter", "part"].contains(&heading[..word_end].to_lowercase().as_str()) {
        return None;
    }
    let rest = heading[word_end..].trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let label = &rest[..end];
    let value = label.parse().ok().or_else(|| roman(label)).or_else(|| spelt(label))?;
    let rest = rest[end..].trim_start_matches(['.', ':', '-', '–', '—', ' ', '\t']);
    Some(Number { level: 1, value, is_chapter: true, rest })
}

/// 3, 3., 3.1, 3.1.2 before words.
fn decimal(heading: &str) -> Option<Number<'_>> {
    let end = heading.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '．'))?;
    let (label, rest) = heading.split_at(end);
    let parts: Vec<&str> = label.split(['.', '．']).filter(|part| !part.is_empty()).collect();
    let value = parts.last()?.parse().ok().filter(|value| *value < 100)?;
    let title = rest.trim_start_matches(['、', ' ', '\t', '\u{3000}', '\u{A0}']);
    // A number and its unit are no heading: 3km, 12%.
    let apart = title.len() < rest.len() || label.ends_with(['.', '．']) || title.starts_with(|c: char| c > '\u{2E80}');
    let named = title.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    (apart && named).then_some(Number { level: parts.len().min(9) as u8, value, is_chapter: false, rest: title })
}

/// 一、绪论 and （一）背景.
fn listed(heading: &str) -> Option<Number<'_>> {
    let (level, inside) = match heading.strip_prefix(['（', '(']) {
        Some(inside) => (2, inside),
        None => (1, heading),
    };
    let (value, rest) = chinese_numeral(inside)?;
    let rest = if level == 2 { rest.strip_prefix(['）', ')'])? } else { rest.strip_prefix(['、', '．', '.'])? };
    Some(Number { level, value, is_chapter: false, rest: rest.trim_start() })
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
    const DIGITS: &str = "零一二三四五六七八九";
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
            _ => match DIGITS.chars().position(|known| known == c) {
                Some(known) => digit = known as u32,
                None => break,
            },
        }
        length += c.len_utf8();
        if length > 15 {
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

fn spelt(label: &str) -> Option<u32> {
    const WORDS: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.iter().position(|word| label.eq_ignore_ascii_case(word)).map(|at| at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_known_by_their_headings() {
        let cases = [
            ("摘  要", Some(SectionKind::Abstract)),
            ("ABSTRACT", Some(SectionKind::Abstract)),
            ("目　录", Some(SectionKind::Contents)),
            ("Table of Contents", Some(SectionKind::Contents)),
            ("参考文献：", Some(SectionKind::References)),
            ("6. References", Some(SectionKind::References)),
            ("第七章 参考文献", Some(SectionKind::References)),
            ("Bibliography", Some(SectionKind::References)),
            ("致 谢", Some(SectionKind::Acknowledgements)),
            ("Acknowledgements", Some(SectionKind::Acknowledgements)),
            ("附录A 调查问卷", Some(SectionKind::Appendix)),
            ("Appendix B: Forms", Some(SectionKind::Appendix)),
            ("学位论文原创性声明", Some(SectionKind::TitlePage)),
            ("References to the sea in his letters", None),
            ("参考文献的选取", None),
            ("附录于后的各表，均出自县志。", None),
            ("Appendix is a Latin word for what hangs on", None),
        ];
        for (heading, kind) in cases {
            assert_eq!(named(heading), kind, "{heading}");
        }
    }

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
            ("1931 was a wet year", None),
            ("3 km upstream", None),
            ("12%", None),
            ("第一次涨潮", None),
            ("Chapter and verse", None),
        ];
        for (heading, expected) in cases {
            let found = number(heading).map(|n| (n.level, n.value, n.is_chapter, n.rest));
            assert_eq!(found, expected, "{heading}");
        }
    }
}
