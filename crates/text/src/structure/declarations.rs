//! Declarations of authorship, authorisations and the forms of a university, known by their own words.
//!
//! Every thesis has some, in whatever place and below whatever heading, and they are the same in all of one university.

use super::contents::is_led;
use super::evidence::Evidence;
use super::flowing::flowing;
use super::lines::TextLine;
use super::section::SectionKind;
use super::titles::named;
use super::wording::{reach, title_page};
use crate::languages::languages;
use crate::script::is_east_asian;
use std::ops::Range;

// Sizes are in letters of an alphabet, see `Evidence::letters`; all are chosen by hand. docs/RATIOS.md
// tells them.

/// The fewest different words of declarations in one.
const FEWEST_WORDS: usize = 7;

/// The share of the letters that these words must have: two in five. Prose about theses and rights has a quarter.
const KNOWN: (u32, u32) = (2, 5);

/// The fewest letters of a declaration.
const SHORTEST: u32 = 60;

/// The most letters of a declaration.
const LONGEST: u32 = 2_500;

/// The heading above a declaration has fewer letters.
const HEADING: u32 = 60;

/// A paragraph above it that says as much of declarations has fewer.
const PARAGRAPH: u32 = 400;

/// The most lines above it that belong to it.
const ABOVE: usize = 3;

/// A line of signatures below it has fewer letters.
const SIGNATURE: u32 = 40;

/// The most words of the name of who signs.
const WORDS_OF_NAME: usize = 4;

/// The years of declarations.
const DATES: Range<u16> = 1900..2100;

/// The fewest set phrases of a declaration that nobody signs and that has no title.
const FORMULAS: usize = 3;

/// Of how many parts of a text such phrases must stand in the first or the last where nobody speaks of their own work. In between they are prose
/// about plagiarism or copyright.
const EDGE: u32 = 10;

/// The most lines of signatures below a declaration.
const SIGNATURES: usize = 6;

/// The fewest different fields of a form.
const FEWEST_FIELDS: usize = 5;

/// The most letters of a line of a form.
const LINE_OF_FORM: u32 = 60;

/// The most lines of a form.
const LINES_OF_FORM: usize = 200;

/// The most letters of a form.
const LONGEST_FORM: u32 = 1_200;

/// What begins like a title page, with more words of title pages than this, is no form.
const WORDS_OF_TITLE_PAGE: usize = 1;

/// The lines of each declaration and form, in order and apart.
pub(super) fn find(lines: &[TextLine<'_>], evidence: &Evidence) -> Vec<Range<usize>> {
    let letters =
        |lines_of: Range<usize>| lines_of.map(|at| evidence.letters(&(lines[at].start..lines[at].end))).sum::<u32>();
    let titles = title_page(lines);
    let is_at_edge = |at: usize| {
        let edge = evidence.end() / EDGE;
        lines[at].start < edge || lines[at].start > evidence.end() - edge
    };
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let from = found.last().map_or(0, |last| last.end);
        let end = declaration(lines, at, &titles, &letters, &is_at_edge).or_else(|| form(lines, at, &letters));
        let Some(end) = end else {
            at += 1;
            continue;
        };
        let above = (from..at).rev().take_while(|&above| is_above(lines, above, &titles, letters(above..above + 1)));
        found.push(at - above.take(ABOVE).count()..end);
        at = end;
    }
    found
}

/// Where short lines start that stand alone and are dated, or on which somebody signs.
pub(super) fn signed(lines: &[TextLine<'_>], evidence: &Evidence) -> Vec<u32> {
    let is_short = |line: &TextLine<'_>| evidence.letters(&(line.start..line.end)) < SIGNATURE;
    let stands_alone = |at: usize| lines[at].starts_paragraph || at > 0 && is_short(&lines[at - 1]);
    let is_signed = |text: &str| is_signed(text) || is_to_be_filled_in(text);
    let signs = |at: &usize| is_short(&lines[*at]) && stands_alone(*at) && is_signed(lines[*at].text);
    (0..lines.len()).filter(signs).map(|at| lines[at].start).collect()
}

/// Where the declaration ends that starts at a line.
fn declaration(
    lines: &[TextLine<'_>],
    first: usize,
    titles: &[String],
    letters: &impl Fn(Range<usize>) -> u32,
    is_at_edge: &impl Fn(usize) -> bool,
) -> Option<usize> {
    let text = flowing([lines[first].text]);
    // Most lines hold nothing of the kind, which one search tells.
    let opens = languages().opening.is_in(&text)
        && (languages().oaths.is_in(&text) || languages().formulas.is_in(&text) || languages().acts.is_said(&text));
    if !opens {
        return None;
    }
    let reach = reach(lines, first..lines.len(), LONGEST, titles);
    let is_dense = reach.known * KNOWN.1 >= reach.letters * KNOWN.0 && reach.letters >= SHORTEST;
    if !reach.is_sworn() || !is_dense || reach.words.len() < FEWEST_WORDS {
        return None;
    }
    // The title of another part is not its name or that of who signs.
    let begins_another = |at: &usize| named(lines[*at].text).is_some_and(|kind| kind != SectionKind::TitlePage);
    let end = (first + 1..reach.end).find(begins_another).unwrap_or(reach.end);
    // A name may stand above a date.
    let signs = |at: usize| {
        let is_short = |line: &&TextLine<'_>| letters(at..at + 1) < SIGNATURE && !line.stands_out();
        lines.get(at).filter(is_short).map_or((false, false), |line| (is_signature(line.text), is_name(line.text)))
    };
    let signature = |at: &usize| {
        let (here, name) = signs(*at);
        here || name && signs(at + 1).0
    };
    let signed = end + (end..lines.len()).take_while(signature).take(SIGNATURES).count();
    let is_short = |at: usize| letters(at..at + 1) < SIGNATURE;
    // The last line of a paragraph of prose may be short and tell a year.
    let stands_alone = |at: usize| lines[at].starts_paragraph || is_short(at - 1);
    let is_signed = (first + 1..signed).any(|at| is_short(at) && stands_alone(at) && is_signed(lines[at].text));
    let is_titled =
        || first.checked_sub(1).is_some_and(|above| letters(above..first) < HEADING && is_title(lines[above].text));
    let whole = flowing(lines[first..end].iter().map(|line| line.text));
    let is_set = || {
        languages().oaths.is_in(&whole)
            && languages().formulas.different(&whole) >= FORMULAS
            && (languages().speakers.is_said(&whole) || is_at_edge(first))
    };
    (is_signed || is_titled() || is_set()).then_some(signed)
}

/// Whether a line above a text says that somebody declares: "诚信承诺书", and not the number of a chapter about it.
fn is_title(line: &str) -> bool {
    let text = flowing([line]);
    let says = languages().acts.is_said(&text) || languages().oaths.is_in(&text);
    says && !line.contains(char::is_numeric)
}

fn form_fields(text: &str) -> usize {
    languages().form_fields.different(text)
}

/// Whether a line belongs to the declaration below it: its heading, or a paragraph that says as much of declarations.
fn is_above(lines: &[TextLine<'_>], at: usize, titles: &[String], letters: u32) -> bool {
    let reach = reach(lines, at..at + 1, LONGEST, titles);
    let is_whole = reach.end > at && reach.letters > 0;
    is_whole && (letters < HEADING || letters < PARAGRAPH && reach.known * KNOWN.1 >= reach.letters * KNOWN.0)
}

/// "A. Clerk", "JANE CLERK", 潮汐: a few words with capitals and nothing else.
fn is_name(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_capital = |word: &str| word.starts_with(|c: char| c.is_uppercase() || is_east_asian(c));
    words.clone().count() <= WORDS_OF_NAME
        && words.all(is_capital)
        && !line.contains(|c: char| c.is_numeric() || "。！？,:".contains(c))
}

/// Whether a line is dated, or what somebody signs on: "Jena, den 12. Mai 2020", "............", "签名：", "年 月 日".
fn is_signed(line: &str) -> bool {
    let is_rule = ["____", "……", "......"].into_iter().any(|rule| line.contains(rule));
    !is_led(line) && (is_rule || line.contains(char::is_alphabetic) && is_signature(line))
}

/// Whether a line leaves room to sign in any language: "Underskrift:", "Data    Podpis", "年　月　日".
fn is_to_be_filled_in(line: &str) -> bool {
    let room = ["\t", "  ", "\u{3000}"].into_iter().any(|room| line.contains(room));
    !is_led(line) && line.contains(char::is_alphabetic) && (room || line.ends_with([':', '：']))
}

/// Names of who signs, and dates: "签 名：", "Signature", "日期", "年 月 日".
fn is_signature(line: &str) -> bool {
    let text = flowing([line]);
    let is_date_sign = |c: char| languages().has(c.encode_utf8(&mut [0; 4]), |l| &l.declarations.date_signs);
    is_dated(&text) || says_signature(&text) || text.chars().all(|c| !c.is_alphabetic() || is_date_sign(c))
}

fn says_signature(text: &str) -> bool {
    languages().is_any_in(text, |l| &l.declarations.signatures)
}

fn is_dated(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).any(|year| year.parse().is_ok_and(|year| DATES.contains(&year)))
}

/// Where the form ends that starts at a line.
fn form(lines: &[TextLine<'_>], first: usize, letters: &impl Fn(Range<usize>) -> u32) -> Option<usize> {
    if letters(first..first + 1) > LINE_OF_FORM {
        return None;
    }
    let title = flowing([lines[first].text]);
    if !languages().is_any_in(&title, |l| &l.declarations.form_titles) && form_fields(&title) == 0 {
        return None;
    }
    let short = |at: &usize| letters(*at..at + 1) <= LINE_OF_FORM && !lines[*at].text.ends_with('。');
    let mut end = first + (first..lines.len()).take_while(short).take(LINES_OF_FORM).count();
    while end > first && letters(first..end) > LONGEST_FORM {
        end -= 1;
    }
    let words = |end: usize| form_fields(&flowing(lines[first..end].iter().map(|line| line.text)));
    let all = words(end);
    if all < FEWEST_FIELDS || languages().cover.different(&title) > WORDS_OF_TITLE_PAGE {
        return None;
    }
    // Up to the last of its words and the signatures below it.
    while end > first + 1 && words(end - 1) == all {
        end -= 1;
    }
    let signature = |at: &usize| letters(*at..at + 1) < SIGNATURE && is_signature(lines[*at].text);
    Some(end + (end..lines.len()).take_while(signature).count())
}

#[cfg(test)]
mod tests {
    use super::super::Structure;
    use crate::layout::Layout;

    /// What of a text counts, without line breaks.
    fn counts(text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let sections = Structure::find(text, &Layout::default()).sections;
        let counted = sections.into_iter().filter(|section| section.kind.counts());
        let parts = counted.flat_map(|section| characters[section.start as usize..section.end as usize].to_vec());
        parts.filter(|c| *c != '\n').collect()
    }

    #[test]
    fn declarations_are_known_wherever_they_stand() {
        let before = "盐沼由两个方向填满，潮水从外面，河流从里面。".repeat(20);
        let cases = [
            "声 明\n\n本人郑重声明：所呈交的学位论文，是本人在导师指导下，独立进行研究工作所取得的成果。尽我所知，除文中已经注明引用的内容外，\
             本学位论文的研究成果不包含任何他人享有著作权的内容。\n\n签 名： 日 期：",
            "关于学位论文使用授权的说明\n\n本人完全了解某大学有关保留、使用学位论文的规定，即：学校有权保留学位\n论文的复印件，允许该论文被查阅和借阅。",
            "I hereby declare that this thesis is my own work and that, to the best of my knowledge, it has not been submitted\n\
             for any other degree at any other university.\n\nSignature:\n\nDate:",
        ];
        for declaration in cases {
            let text = format!("{before}\n\n{declaration}\n\n{before}");
            assert_eq!(counts(&text), format!("{before}{before}"), "{declaration}");
        }
    }

    #[test]
    fn the_list_of_references_behind_a_declaration_keeps_its_title() {
        let before = "Die Flut lässt eine dünne Schicht Schlick zwischen den Halmen. ".repeat(40);
        let declaration = "Ich versichere, dass ich die vorliegende Arbeit selbstständig verfasst und keine anderen als die angegebenen \
                           Quellen und Hilfsmittel benutzt habe. Alle Stellen, die wörtlich oder sinngemäß aus anderen Werken \
                           übernommen wurden, habe ich als solche kenntlich gemacht.";
        let entry = |n: u32| format!("Bach, Anna. 199{n}. Schlick und Flut. Jena: Fischer.\n\n");
        let entries: String = (1..5).map(entry).collect();
        let text = format!("{before}\n\n{declaration}\n\nJena, den 3. Juni 2024\n\nLiteraturverzeichnis\n\n{entries}");
        assert_eq!(counts(&text).trim_end(), before.trim_end());
    }

    #[test]
    fn what_only_speaks_of_declarations_counts() {
        for text in [
            "许多学校要求学生声明论文的独创性。本章讨论版权与授权的历史，以及图书馆如何保存学位论文的复印件。",
            "The author declares in his preface that the work is original, and the university kept a copy of it. Copyright came later.",
            "本人郑重声明。",
        ] {
            assert_eq!(counts(text), text);
        }
    }

    #[test]
    fn prose_about_integrity_counts_inside_a_text_though_it_has_the_phrases_of_declarations() {
        let about = "Universities ask candidates to declare that a thesis is their own work and that it has not been submitted for any \
                     other degree.\n\nAcademic integrity is more than the absence of plagiarism: students must acknowledge their sources \
                     except where the knowledge is common.\n\nIn most institutions copyright in a thesis rests with the author, and the \
                     library may lend or reproduce copies for scholarly research with written permission.";
        let prose =
            "The tide leaves a thin layer of silt between the stems, and the surface grows every year. ".repeat(40);
        let text = format!("{prose}\n\n{about}\n\n{prose}");
        assert_eq!(counts(&text), text.replace('\n', ""));
    }

    #[test]
    fn a_form_is_known_by_its_fields() {
        let before = "盐沼由两个方向填满，潮水从外面，河流从里面。".repeat(20);
        let form = "综合论文训练记录表\n\n学生姓名\n\n论文题目\n\n主\n\n要\n\n内\n\n容\n\n中\n\n期\n\n考\n\n核\n\n意\n\n见\n\n学号\t班级\n\n指导教师签字：\n\n\
            年\t月\t日\n\n评阅教师评语\n\n答辩小组评语\n\n总成绩：";
        assert_eq!(counts(&format!("{before}\n\n{form}")), before);
    }
}

#[cfg(test)]
#[path = "declarations_tests.rs"]
mod of_many_schools;
