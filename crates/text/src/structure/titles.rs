//! What a heading says of the section below it, in the languages of [`names`](super::names).

use super::names::{after_appendix, is_called_beside, part_called};
use super::numbers::number;
use super::section::SectionKind;
use crate::script::is_east_asian;

/// The most bytes of what counts appendices: B, 12, III.
const LONGEST_LABEL: usize = 3;

/// The most bytes of the title of an appendix behind its word. Chosen by hand: longer ones are sentences.
const LONGEST_TITLE: usize = 79;

/// The most characters of one in an East Asian script. Chosen by hand.
const LONGEST_WIDE: usize = 40;

/// The part that a heading of this text starts, if it is not a chapter.
pub(super) fn named(heading: &str) -> Option<SectionKind> {
    if is_appendix(heading) {
        return Some(SectionKind::Appendix);
    }
    // A running head may stand in the same row of the page.
    // What a section of a chapter sums up is no abstract.
    let is_section = || number(heading).is_some_and(|number| number.level > 1);
    let cells = heading.split('\t').filter(|_| heading.contains('\t'));
    std::iter::once(heading)
        .chain(cells)
        .find_map(|heading| part_called(&core(heading)))
        .filter(|kind| *kind != SectionKind::Abstract || !is_section())
}

/// Whether a heading is that of a preface, a dedication, a curriculum vitae and the like, and has no number.
pub(super) fn is_beside(heading: &str) -> bool {
    is_called_beside(&core(heading)) && number(heading).is_none()
}

/// Whether a line is the title of a part by itself, so that it is no piece of a paragraph.
pub fn is_title(line: &str) -> bool {
    line.starts_with(|c: char| c.is_uppercase() || is_east_asian(c)) && part_called(&core(line)).is_some()
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

/// "附录A 问卷", "Appendix B: Forms", "Anhang".
fn is_appendix(heading: &str) -> bool {
    let heading = heading.trim_start_matches(['*', '#', ' ']);
    let Some(rest) = after_appendix(heading) else { return false };
    if rest.is_empty() {
        return true;
    }
    if heading.starts_with(is_east_asian) {
        return rest.chars().count() <= LONGEST_WIDE && !rest.contains(['。', '，']);
    }
    let label = rest.split_whitespace().next().map_or("", |label| label.trim_end_matches([':', '.', '-', '–']));
    let labelled = label.len() <= LONGEST_LABEL && label.chars().all(|c| c.is_ascii_digit() || c.is_uppercase());
    labelled && rest.starts_with([' ', ':', '\u{A0}']) && rest.len() <= LONGEST_TITLE
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
            ("主要符号对照表", Some(SectionKind::Appendix)),
            ("插图索引", Some(SectionKind::Contents)),
            ("4.6 Summary", None),
            ("学位论文原创性声明", Some(SectionKind::TitlePage)),
            ("Literaturverzeichnis", Some(SectionKind::References)),
            ("7 Bibliografía", Some(SectionKind::References)),
            ("Список литературы", Some(SectionKind::References)),
            ("참고문헌", Some(SectionKind::References)),
            ("Spis treści", Some(SectionKind::Contents)),
            ("Table des matières", Some(SectionKind::Contents)),
            ("Remerciements", Some(SectionKind::Acknowledgements)),
            ("付録A 質問票", Some(SectionKind::Appendix)),
            ("A. Writer\tReferences", Some(SectionKind::References)),
            ("Quellen- und Literaturverzeichnis", Some(SectionKind::References)),
            ("Sources and Literature Cited", Some(SectionKind::References)),
            ("SOURCES ET BIBLIOGRAPHIE", Some(SectionKind::References)),
            ("Список использованных источников и литературы", Some(SectionKind::References)),
            ("Referências bibliográficas", Some(SectionKind::References)),
            ("引用・参考文献", Some(SectionKind::References)),
            ("参考文献 References", Some(SectionKind::References)),
            ("Literature Review", None),
            ("Sources of error", None),
            ("Przegląd literatury", None),
            ("文献综述", None),
            ("References.", None),
            ("References to the sea in his letters", None),
            ("参考文献的选取", None),
            ("附录于后的各表，均出自县志。", None),
            ("Appendix is a Latin word for what hangs on", None),
        ];
        for (heading, kind) in cases {
            assert_eq!(named(heading), kind, "{heading}");
        }
    }
}
