//! Lists of references that have no title: endnotes, or entries below the last chapter as some journals' classes set them.
//!
//! Entries tell by their shape: who, when, where and in what. Prose has no such shape, and a sentence inside an entry that is no title
//! takes it out of the list, so nothing is hidden by a number or a year before it.

use super::evidence::{Evidence, PROSE_ONE_IN, has_year, is_reported, is_sourced};
use super::headings::Heading;
use super::lines::{TextLine, within};
use super::section::{Section, SectionKind};
use crate::NotCounted;
use crate::layout::{Layout, MarkKind};
use crate::ranges::union;
use crate::script::is_east_asian;
use std::ops::Range;

/// The fewest entries of such a list. Chosen by hand.
const FEWEST: usize = 5;

/// The most things in a row within a list that are no entries: an address that was broken off, the number of a page. Chosen by hand.
const MOST_BETWEEN: usize = 1;

/// Such a thing has fewer letters, those of a short line. Chosen by hand.
const LONGEST_BETWEEN: u32 = 60;

/// Where no title says so, an entry has more digits and capitals than a sentence with a year: one letter in eight. Chosen by
/// hand, above what a titled list needs.
const ENTRY_ONE_IN: u32 = 8;

/// The most letters of an entry: three lines of names, a title of two and where it appeared. Chosen by hand.
const LONGEST_ENTRY: u32 = 500;

/// The same in bytes, with what stands between the letters: a line is not read to its end for each point in it.
const LONGEST_BYTES: usize = 2_000;

/// The most letters of an entry's title, which is what of the entry reads like a sentence. Chosen by hand.
const LONGEST_TITLE: u32 = 200;

/// From how many letters on a piece between two signs reads like words: ten characters of Chinese. Chosen by hand.
const WORDS: u32 = 25;

/// The most such pieces of an entry, a title and where it appeared, and the most of one in East Asian characters: commas part the clauses of Chinese
/// titles less often. Chosen by hand.
const MOST_PIECES: u32 = 3;
const MOST_WIDE_PIECES: u32 = 2;

/// How many of who, when, where and in what an entry says at least. Chosen by hand: prose often has a year, and sometimes one more.
const FEWEST_SIGNS: usize = 2;

/// The same of what stands neither in a list, nor in a note, nor in a table: "A. Clerk was born in 1980." says two.
const SIGNS_ALONE: usize = 3;

/// At least every second letter or digit of an entry is a letter: rows of figures have years too.
const LETTERS_ONE_IN: usize = 2;

/// A list stands in this last part of the text: the second half.
const LAST_PART: u32 = 2;

/// The most letters of all notes that are entries, beside [`NOTES_SHARE`] hundredths of the text. Chosen by hand, as for contents.
const NOTES: u32 = 4_000;
const NOTES_SHARE: u32 = 10;

/// The most lines of a numbered entry. Chosen by hand.
const LONGEST: usize = 6;

/// The most digits of an entry's number: a year is none.
const LONGEST_LABEL: usize = 3;

/// How many words at the beginning of an entry have an initial among them, if no given name is spelt: "de Clerk A.".
const WORDS_OF_NAME: usize = 3;

/// The most characters of a Chinese name.
const LONGEST_NAME: usize = 4;

/// The lists of references without a title, outside of those that have one.
pub(super) fn untitled(lines: &[TextLine<'_>], headings: &[Heading], evidence: &Evidence) -> Vec<Range<usize>> {
    let is_titled = below_titles(lines.len(), headings);
    let from = lines.partition_point(|line| line.start < evidence.end() / LAST_PART);
    let mut lists = Vec::new();
    // The list that goes on here, how many entries it has, and how many other things stand behind the last one.
    let (mut list, mut entries, mut between) = (from..from, 0, 0);
    let mut at = from;
    while at <= lines.len() {
        let item = at..if at < lines.len() { end_of_item(lines, at) } else { at };
        at = item.end.max(at + 1);
        let is_heading = lines.get(item.start).is_none_or(|line| line.is_marked());
        if !is_heading && !is_titled(item.start) && is_entry(&lines[item.clone()], FEWEST_SIGNS) {
            if entries == 0 {
                list.start = item.start;
            }
            (list.end, entries, between) = (item.end, entries + 1, 0);
            continue;
        }
        between += 1;
        let is_long =
            || lines[item.clone()].iter().any(|line| evidence.letters(&(line.start..line.end)) >= LONGEST_BETWEEN);
        if is_heading || between > MOST_BETWEEN || is_long() {
            if entries >= FEWEST {
                lists.push(list.clone());
            }
            entries = 0;
        }
    }
    lists
}

/// Whether a line stands below the title of a list of references, before the next heading.
fn below_titles(end: usize, headings: &[Heading]) -> impl Fn(usize) -> bool {
    let starts = headings.iter().map(|heading| *heading.lines.start());
    let ends = starts.skip(1).chain([end]);
    let titled = headings.iter().zip(ends).filter(|(heading, _)| heading.named == Some(SectionKind::References));
    let below: Vec<Range<usize>> = titled.map(|(heading, end)| *heading.lines.start()..end).collect();
    move |line| below.iter().any(|list| list.contains(&line))
}

/// References that stand outside of lists: notes that are one entry each, rows of tables, and entries with what somebody says of them behind
/// them, which counts. Who cites what others cite copies nothing. None if they are more than such references are.
pub(super) fn alone(
    lines: &[TextLine<'_>],
    layout: &Layout,
    evidence: &Evidence,
    sections: &[Section],
) -> impl Iterator<Item = (NotCounted, Range<u32>)> {
    let notes = within(lines, layout, |kind| kind == MarkKind::Note);
    let is_cited =
        |(_, inside): &(Range<u32>, Range<usize>)| !inside.is_empty() && is_entry(&lines[inside.clone()], FEWEST_SIGNS);
    let notes = notes.into_iter().filter(is_cited).map(|(span, _)| span);
    let is_outside = |entry: &Range<u32>| {
        let section = sections.partition_point(|section| section.end <= entry.start);
        sections.get(section).is_none_or(|section| section.kind.counts())
    };
    let mut entries = union(notes.chain(entries(lines).into_iter().filter(is_outside)).collect());
    let all: u32 = entries.iter().map(|span| evidence.letters(span)).sum();
    if u64::from(all) > u64::from(NOTES) + u64::from(evidence.all_letters()) * u64::from(NOTES_SHARE) / 100 {
        entries.clear();
    }
    entries.into_iter().map(|span| (NotCounted::References, span))
}

/// Paragraphs, lines and rows of tables that are entries, or begin with one, in characters.
pub(super) fn entries(lines: &[TextLine<'_>]) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    for paragraph in lines.chunk_by(|_, next| !next.starts_paragraph) {
        let (first, last) = (&paragraph[0], &paragraph[paragraph.len() - 1]);
        let is_short = (2..=LONGEST).contains(&paragraph.len());
        if is_short && opens_with_an_author(first.text) && is_entry(paragraph, SIGNS_ALONE) {
            found.push(first.start..last.end);
            continue;
        }
        for (at, line) in paragraph.iter().enumerate() {
            // A line inside a paragraph is one only where sentences end.
            let begins = at == 0 || ends_item(paragraph[at - 1].text);
            if begins && (has_year(line.text) || is_sourced(line.text)) {
                let ends = at + 1 == paragraph.len() || ends_item(line.text);
                found.extend(entry_of(line, ends).map(|length| line.start..line.start + length));
            }
        }
    }
    found
}

fn ends_item(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '。' | '．')) || text.contains('\t')
}

/// How many characters of a line are an entry: the whole line, if that may be one, or up to a number that a sentence ends with, of pages or a year.
fn entry_of(line: &TextLine<'_>, may_be_whole: bool) -> Option<u32> {
    let fewest = if line.text.contains('\t') { FEWEST_SIGNS } else { SIGNS_ALONE };
    let is_one = |text: &str| {
        let end = text.chars().count() as u32;
        (opens_with_an_author(text) && is_entry(&[TextLine { text, end, ..TextLine::default() }], fewest))
            .then_some(end)
    };
    let whole = || is_one(line.text).filter(|_| may_be_whole);
    let ends = line.text.match_indices(['.', '。', '．']).map(|(at, sign)| (at, at + sign.len()));
    let ends = ends.take_while(|(at, _)| *at < LONGEST_BYTES);
    let is_end = |&(at, end): &(usize, usize)| {
        let behind = &line.text[end..];
        line.text[..at].ends_with(|c: char| c.is_ascii_digit()) && !behind.starts_with(|c: char| c.is_alphanumeric())
    };
    let ends: Vec<usize> = ends.filter(is_end).map(|(_, end)| end).collect();
    ends.iter().rev().find_map(|end| is_one(&line.text[..*end])).or_else(whole)
}

/// Where what begins at a line ends: with the line, or before the next number where lines are numbered.
fn end_of_item(lines: &[TextLine<'_>], at: usize) -> usize {
    let next = |label: u32| {
        (at + 1..lines.len().min(at + 1 + LONGEST)).find(|&next| label_of(lines[next].text) == Some(label + 1))
    };
    label_of(lines[at].text).and_then(next).unwrap_or(at + 1)
}

/// Whether lines are an entry of a list of references that says at least `fewest` things of [`signs`].
fn is_entry(lines: &[TextLine<'_>], fewest: usize) -> bool {
    let text = lines.iter().map(|line| line.text).collect::<Vec<_>>().join(" ");
    // Most paragraphs say neither when something appeared nor where, as a reference must.
    if !has_year(&text) && !is_sourced(&text) {
        return false;
    }
    let characters: Vec<char> = text.chars().collect();
    let evidence = Evidence::new(&characters);
    let whole = TextLine { text: &text, end: characters.len() as u32, ..TextLine::default() };
    let countable = characters.iter().filter(|c| c.is_alphanumeric()).count();
    let letters = characters.iter().filter(|c| c.is_alphabetic()).count();
    evidence.is_reference(&whole)
        && evidence.one_in(&whole, ENTRY_ONE_IN)
        && evidence.all_letters() <= LONGEST_ENTRY
        && letters * LETTERS_ONE_IN >= countable
        && signs(&text) >= fewest
        && is_titled_only(&text, &evidence)
}

/// Whether at least half of some paragraphs are entries by their shape. Below a title in the first half of a text that is asked: there may
/// be the list of a chapter, or a chapter about literature or sources.
pub(super) fn are_entries(lines: &[TextLine<'_>]) -> bool {
    let paragraphs = lines.chunk_by(|_, next| !next.starts_paragraph);
    let (mut all, mut entries) = (0, 0);
    for paragraph in paragraphs {
        let text = paragraph.iter().map(|line| line.text).collect::<Vec<_>>().join(" ");
        let evidence = Evidence::new(&text.chars().collect::<Vec<char>>());
        all += 1;
        let named = usize::from(opens_with_a_name(&text));
        entries += usize::from(signs(&text) + named >= FEWEST_SIGNS && is_titled_only(&text, &evidence));
    }
    2 * entries >= all
}

/// Whether an entry begins with a family name, a comma and a given name.
fn opens_with_a_name(text: &str) -> bool {
    let entry = text.trim_start_matches(|c: char| !c.is_alphabetic());
    entry.split_once(", ").is_some_and(|(family, rest)| {
        let is_name = |name: &str| name.starts_with(char::is_uppercase);
        is_name(family)
            && is_name(rest)
            && !family.contains(['.', '(', ':', ';', '\t'])
            && family.split(' ').count() <= 3
    })
}

/// The same of a Chinese, Japanese or Korean name.
fn opens_with_a_wide_name(entry: &str) -> bool {
    let name = entry.chars().take_while(|c| is_east_asian(*c)).count();
    (2..=LONGEST_NAME).contains(&name) && entry.chars().nth(name).is_some_and(|c| ".,:;．，、：；".contains(c))
}

/// Whether an entry begins with somebody's name in one of the usual forms: "Clerk, Anna", "Clerk, A.", "A. Clerk", 张三.
fn opens_with_an_author(text: &str) -> bool {
    let entry = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let is_initial = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next() == Some('.')
    };
    opens_with_a_wide_name(entry)
        || opens_with_a_name(entry)
        || entry.split_whitespace().take(WORDS_OF_NAME).any(is_initial)
}

/// How many of these an entry says: when something appeared, where (an address, the mark of a kind), on which pages, and by whom.
fn signs(text: &str) -> usize {
    let entry = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let characters: Vec<char> = entry.chars().collect();
    let is_initial = |at: usize| {
        let alone = at == 0 || !characters[at - 1].is_alphanumeric();
        characters[at].is_uppercase() && alone && characters.get(at + 1) == Some(&'.')
    };
    let is_reported = is_reported(text);
    let signs = [
        has_year(text),
        is_reported || is_sourced(text),
        is_reported || has_pages(text) || ends_with_a_page(text),
        opens_with_a_wide_name(entry) || (0..characters.len()).any(is_initial),
    ];
    signs.into_iter().filter(|sign| *sign).count()
}

/// The most pages from the first to the last one: of numbers of telephones there are more. Chosen by hand.
const MOST_PAGES: u32 = 1_000;

/// Whether a text has a range of pages (319-340, 167-86), or a volume and what stands in it (13(3), 42:17). Years of a life are none.
fn has_pages(text: &str) -> bool {
    let within = |c: char| ":：(（".contains(c);
    let to = |c: char| "-–—−~～".contains(c);
    let is_range = |range: &str| {
        let mut numbers = range.split(to);
        let (Some(first), Some(last), None) = (numbers.next(), numbers.next(), numbers.next()) else { return false };
        let are_years = has_year(first) && (last.len() == 2 || has_year(last));
        let pages =
            last.parse().ok().zip(first.parse().ok()).map(|(last, first): (u32, u32)| last.saturating_sub(first));
        !are_years && pages.is_some_and(|pages| pages < MOST_PAGES)
    };
    text.split(|c: char| !(c.is_ascii_digit() || within(c) || to(c))).any(|numbers| {
        let numbers: Vec<&str> = numbers.split(within).filter(|number| !number.is_empty()).collect();
        numbers.len() > 1 || numbers.iter().any(|range| is_range(range))
    })
}

/// Whether the number of a page stands last, as in notes: "(Leeds: Tidal Press, 1981), 21."
fn ends_with_a_page(text: &str) -> bool {
    let page = text.trim_end_matches(['.', ' ']).rsplit_once(", ").map(|(_, page)| page);
    page.is_some_and(|page| {
        (1..=LONGEST_LABEL).contains(&page.len()) && page.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Whether what reads like the words of a sentence, and not like names, numbers and places, is no more than a title.
fn is_titled_only(text: &str, evidence: &Evidence) -> bool {
    let (mut place, mut pieces, mut sum) = (0, 0, 0);
    let ends = |c: char| ".,:;!?()[]\"“”。，：；！？（）［］、《》".contains(c);
    for piece in text.split_inclusive(ends) {
        let end = place + piece.chars().count() as u32;
        let letters = evidence.letters(&(place..end));
        let line = TextLine { text: piece, start: place, end, ..TextLine::default() };
        if letters >= WORDS && !evidence.one_in(&line, PROSE_ONE_IN) {
            sum += letters;
            pieces += 1;
        }
        place = end;
    }
    let wide = text.chars().filter(|c| is_east_asian(*c)).count() as u32;
    let most = if 2 * wide > evidence.countable(&(0..place)) { MOST_WIDE_PIECES } else { MOST_PIECES };
    pieces <= most && sum <= LONGEST_TITLE
}

/// The number of an entry: [12], (12), 12. or 12) before words.
fn label_of(text: &str) -> Option<u32> {
    let inside = text.trim_start_matches(['[', '［', '(', '（']);
    let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
    let is_closed = inside[digits..].starts_with([']', '］', ')', '）', '.']);
    inside[..digits].parse().ok().filter(|_| digits <= LONGEST_LABEL && is_closed)
}

#[cfg(test)]
mod tests {
    use super::super::Structure;
    use super::*;
    use crate::layout::Mark;

    /// A text of prose with a numbered list at its end.
    fn with_list(entry: impl Fn(usize) -> String) -> String {
        let prose =
            "The tide leaves a thin layer of silt between the stems, and the surface grows by a little every year. ";
        let entries: String = (1..=8).map(|number| entry(number) + "\n").collect();
        format!("1 Silt\n\n{}\n\n2 Tides\n\n{}\n\n{entries}", prose.repeat(20), prose.repeat(20))
    }

    #[test]
    fn a_numbered_list_of_references_without_a_title_is_known_and_one_of_sentences_is_none() {
        let of_references =
            with_list(|n| format!("[{n}] A. Clerk, The Silt of Marshes, Ann. Tides 12, {n}34 (199{n})."));
        let of_sentences = with_list(|n| {
            format!("[{n}] In 199{n} the marsh was wet for the most part, and so it was in the year after.")
        });
        for (text, expected) in [(of_references, true), (of_sentences, false)] {
            let sections = Structure::find(&text, &Layout::default()).sections;
            assert_eq!(sections.iter().any(|section| section.kind == SectionKind::References), expected, "{text}");
        }
    }

    /// What the sections of references hold.
    fn references(text: &str, layout: &Layout) -> String {
        let characters: Vec<char> = text.chars().collect();
        let sections = Structure::find(text, layout).sections;
        let lists = sections.iter().filter(|section| section.kind == SectionKind::References);
        lists.flat_map(|list| &characters[list.start as usize..list.end as usize]).collect()
    }

    #[test]
    fn entries_are_known_by_their_shape_in_any_style() {
        let styles: [fn(usize) -> String; 6] = [
            |n| {
                format!(
                    "Clerk, A. (199{n}). The growth of salt marshes behind dykes. Annals of Tides, 12({n}), 3{n}–45."
                )
            },
            |n| format!("A. Clerk and B. Miller, “A new measure of silt,” Biometrika, vol. {n}, pp. 81–93, 193{n}."),
            |n| format!("[{n}] 张三，李四．基于深度学习的潮汐沼泽识别研究[J]．海洋学报，201{n}，42({n})：1-10．"),
            |n| format!("{n}. 王小明. 潮汐[M]. 北京: 科学出版社, 200{n}: 1{n}-25."),
            |n| format!("{n}. Абрамов А. К., Петров В. И. Рост маршей // Вестник. — 201{n}. — Т. 3{n}. — С. 12–19."),
            |n| format!("Tidal data of {n}, http://tides.example/data-{n}.html, accessed 2019-03-0{n}"),
        ];
        for style in styles {
            let found = references(&with_list(style), &Layout::default());
            assert!((1..=8).all(|n| found.contains(&style(n))), "{}: {found}", style(1));
        }
    }

    #[test]
    fn endnotes_and_lists_of_cases_beside_the_references_are_lists_too() {
        let references =
            (1..=6).map(|n| format!("Clerk, A. (199{n}). The growth of marshes. Annals of Tides, 12({n}), 3{n}–45.\n"));
        let references = references.collect::<String>();
        let endnote =
            |n: usize| format!("{n}. John Clerk, The Growth of Salt Marshes (Leeds: Tidal Press, 198{n}), 2{n}.");
        let case = |n: usize| format!("Donoghue v Stevenson [193{n}] AC 56{n} (HL)");
        for entry in [&endnote as &dyn Fn(usize) -> String, &case] {
            let text = with_list(entry) + "\nReferences\n\n" + &references;
            let found = super::tests::references(&text, &Layout::default());
            assert!((1..=8).all(|n| found.contains(&entry(n))) && found.contains(&references), "{}: {found}", entry(1));
        }
        for text in ["In [1932] AC was found", "(1995) and 38 others", "the Act (2001) of 12 parts", "[3] Page 12"] {
            assert!(!is_reported(text), "{text}");
        }
        assert!(is_reported("(1995) 38 NSWLR 47") && is_reported("[1990] 2 All ER 908"));
    }

    #[test]
    fn endnotes_that_are_the_references_are_known_and_others_count() {
        let entry =
            |n: usize| format!("Clerk, A. (199{n}). The growth of salt marshes. Annals of Tides, 12({n}), 3{n}–45.");
        let note = |n: usize| {
            format!("In village {n} the dyke of 199{n} was built by the people themselves, as the elder told us.")
        };
        for (of, known) in [(&entry as &dyn Fn(usize) -> String, true), (&note, false)] {
            let text = with_list(of);
            let start = text.chars().count() as u32 - (1..=8).map(|n| of(n).chars().count() as u32 + 1).sum::<u32>();
            let mut marks = Vec::new();
            let mut place = start;
            for n in 1..=8 {
                let end = place + of(n).chars().count() as u32;
                marks.push(Mark { kind: MarkKind::Note, start: place, end });
                place = end + 1;
            }
            assert_eq!(references(&text, &Layout::new(marks)).contains(&of(3)), known, "{text}");
        }
    }

    #[test]
    fn a_note_that_is_one_reference_does_not_count_and_others_do() {
        let entry = "See A. Clerk, “The growth of salt marshes”, Annals of Tides 12(3), 1999, pp. 34–56.";
        let prose = "A. Clerk (1999, pp. 34–56) wrote that the surface of a marsh grows by the silt that every flood leaves there.";
        for (note, known) in [(entry, true), (prose, false)] {
            let before = "The marsh grows by the silt that every flood leaves. ".repeat(80);
            let text = format!("1 Silt\n\n{before}\n\n{note}\n\n{before}");
            let start = text[..text.find(note).unwrap()].chars().count() as u32;
            let mark = Mark { kind: MarkKind::Note, start, end: start + note.chars().count() as u32 };
            let found = Structure::find(&text, &Layout::new(vec![mark])).margins;
            assert_eq!(found == [(NotCounted::References, mark.start..mark.end)], known, "{found:?}");
            assert_eq!(found.is_empty(), !known);
        }
    }

    #[test]
    fn references_outside_of_lists_do_not_count_and_what_is_said_of_them_does() {
        let entry =
            "Clerk, A., & Miller, B. (1999). The growth of salt marshes behind dykes. Annals of Tides, 12(3), 34-45.";
        let said = "It asks why the silt stays between the stems.";
        let row = "Clerk, A., & Miller, B.\tThe growth of salt marshes behind dykes\t1999";
        let before = "The marsh grows by the silt that every flood leaves. ".repeat(80);
        for (line, known) in [
            (format!("{entry} {said}"), entry),
            (entry.to_owned(), entry),
            (row.to_owned(), row),
            (format!("{said} {entry}"), ""),
            ("A. Clerk was born at Leeds in 1980.".to_owned(), ""),
            ("Logistic Regression\tSGI, PPI, phenotype\tC. elegans\tLee et al. (2010)".to_owned(), ""),
            ("Samples of TCGA from UCSC (Clerk et al., 2012; UCSC, 2012) by PAM50 and RNA-Seq, vol. 3(2), C. Miller.".to_owned(), ""),
            ("Tidal Running Club, 2920 E. Zion Rd., founded 1997. 86 members. Contact: 501-521-8534.".to_owned(), ""),
            ("Frerichs, A. (1829-1905), Marsh at Dusk, oil. Herring, J. (1820-1907), Two Pictures.".to_owned(), ""),
        ] {
            let text = format!("1 Silt\n\n{before}\n\n{line}\n\n{before}");
            let found = Structure::find(&text, &Layout::default()).margins;
            let characters: Vec<char> = text.chars().collect();
            let found: String =
                found.iter().flat_map(|(_, span)| &characters[span.start as usize..span.end as usize]).collect();
            assert_eq!(found, known, "{line}");
        }
    }

    #[test]
    fn prose_is_never_hidden_by_numbers_years_and_names_before_it() {
        let copied =
            "the surface of a marsh grows by the silt that every flood leaves between the stems of its grasses";
        let chinese =
            "每一次涨潮都会在草茎之间留下薄薄的一层淤泥，沼泽的表面因此逐年升高，直到只有最高的大潮才能漫过它的边缘";
        let styles: [&dyn Fn(usize) -> String; 7] = [
            &|n| {
                format!(
                    "[{n}] Clerk, A. (199{n}). Silt. Annals, 12({n}), 3{n}–45. It says that {copied}, and that {copied}."
                )
            },
            &|n| format!("[{n}] In 199{n} A. Clerk wrote that {copied}."),
            &|n| format!("{n}. 张三. 潮汐[J]. 海洋学报, 201{n}, 42({n}): 1-10. {chinese}。{chinese}。"),
            &|n| format!("[{n}] 201{n}年，{chinese}，1-10。"),
            &|n| format!("[{n}] {copied}; {copied}; {copied} [J]. 199{n}, 12({n}): 1-20."),
            &|n| format!("199{n}.{n} 12.3, 45.6-47.8, 13.{n}, 99.1"),
            &|n| format!("Village {n} was founded in 16{n}0, it burnt in 17{n}1, and it was built again."),
        ];
        for style in styles {
            assert_eq!(references(&with_list(style), &Layout::default()), "", "{}", style(1));
        }
        // One such entry among others counts, and so does what stands between two.
        let entry = |n: usize| {
            format!("Clerk, A. ({}). The growth of salt marshes. Annals of Tides, 12({n}), 3{n}–45.", 1980 + n)
        };
        for hidden in [format!("{} And {copied}, {copied}.", entry(4)), format!("So {copied}.")] {
            let entries: Vec<String> = (1..=12).map(|n| if n == 6 { hidden.clone() } else { entry(n) }).collect();
            let text = with_list(|_| String::new()) + &entries.join("\n");
            let found = references(&text, &Layout::default());
            assert!(found.contains(&entry(1)) && found.contains(&entry(12)) && !found.contains(copied), "{found}");
        }
    }
}
