//! Titles of parts and words before numbers, in all [`languages`](crate::languages).

use super::section::SectionKind;
use crate::first_letters::FirstLetters;
use crate::languages::{Language, Title, languages};

/// The part whose title this is: letters and digits in lower case, without blanks.
pub(super) fn part_called(core: &str) -> Option<SectionKind> {
    let title = languages().titles.of(core).iter().find(|(word, _)| word == core).map(|(_, title)| *title);
    match title {
        Some(Title::Abstract) => Some(SectionKind::Abstract),
        Some(Title::Contents) => Some(SectionKind::Contents),
        _ if names_references(core) => Some(SectionKind::References),
        Some(Title::Acknowledgements) => Some(SectionKind::Acknowledgements),
        Some(Title::Declaration) => Some(SectionKind::TitlePage),
        Some(Title::Glossary) => Some(SectionKind::Appendix),
        None => None,
    }
}

/// Whether a title consists of words for lists of references and of words that stand beside them. Languages may mix, as in
/// "参考文献 References".
fn names_references(core: &str) -> bool {
    let core = core.trim_start_matches(|c: char| !c.is_alphanumeric());
    if core.ends_with(['.', ',', ';']) || languages().references.of(core).is_empty() {
        return false;
    }
    let core: String = core.chars().filter(|c| c.is_alphanumeric()).collect();
    // Up to each place: whether words end there, and whether one of them names a list.
    let mut ends: Vec<Option<bool>> = vec![None; core.len() + 1];
    ends[0] = Some(false);
    for at in 0..core.len() {
        let Some(named) = ends[at] else { continue };
        let words = languages().references.of(&core[at..]).iter();
        for (word, names) in words.filter(|(word, _)| core[at..].starts_with(word)) {
            let end = &mut ends[at + word.len()];
            *end = Some(end.unwrap_or(false) || named || *names);
        }
    }
    ends[core.len()] == Some(true)
}

/// Whether a title is that of a preface, a dedication, a curriculum vitae and the like.
pub(super) fn is_called_beside(core: &str) -> bool {
    languages().has(core, |l| &l.titles.beside_chapters)
        || languages().after(core, |l| &l.titles.beside_chapters_begin).is_some()
}

/// What follows the word for an appendix at the start of a title.
pub(super) fn after_appendix(title: &str) -> Option<&str> {
    after_longest(title, &languages().appendix)
}

/// Whether a word is one for a part.
pub(super) fn is_part_word(word: &str) -> bool {
    languages().has(&word.trim().to_lowercase(), |l| &l.numbering.part)
}

/// What follows the word for a chapter or a part at the start of a title.
pub(super) fn after_chapter_word(title: &str) -> Option<&str> {
    after_longest(title, &languages().chapter)
}

/// Whether a character is the word that stands behind the number of a chapter, a part or a section: 章, 節, 장.
pub(super) fn is_behind_numbers(character: char) -> bool {
    let word = String::from(character);
    let behind: [fn(&Language) -> &[String]; 3] =
        [|l| &l.numbering.chapter_behind, |l| &l.numbering.part_behind, |l| &l.numbering.section_behind];
    behind.into_iter().any(|words| languages().has(&word, words))
}

/// What follows the word that makes a number an ordinal: 第, 제.
pub fn after_ordinal_word(title: &str) -> Option<&str> {
    after_longest(title, &languages().ordinal)
}

/// The number that is spelt at the start of a text, and what follows it.
pub(super) fn spelt(text: &str) -> Option<(u32, &str)> {
    let numbers = languages().numbers.of(text).iter();
    let found = numbers.filter_map(|(word, value)| after_word(text, word).map(|rest| (*value, rest)));
    found.filter(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_alphanumeric())).min_by_key(|(_, rest)| rest.len())
}

fn after_longest<'t>(text: &'t str, words: &FirstLetters<()>) -> Option<&'t str> {
    words.of(text).iter().filter_map(|(word, ())| after_word(text, word)).min_by_key(|rest| rest.len())
}

fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    let is_same = |c: char, other: char| c == other || other.to_lowercase().eq(c.to_lowercase());
    let same = word.chars().all(|c| rest.next().is_some_and(|other| is_same(c, other)));
    same.then_some(rest.as_str())
}
