//! Titles of parts and words before numbers, in all [`languages`](crate::languages).

use super::section::SectionKind;
use crate::languages::{Language, languages};

/// The part whose title this is: letters and digits in lower case, without blanks.
pub(super) fn part_called(core: &str) -> Option<SectionKind> {
    let is_one_of = |titles: fn(&Language) -> &[String]| languages().has(core, titles);
    Some(match () {
        () if is_one_of(|l| &l.titles.r#abstract) => SectionKind::Abstract,
        () if is_one_of(|l| &l.titles.contents) => SectionKind::Contents,
        () if names_references(core) => SectionKind::References,
        () if is_one_of(|l| &l.titles.acknowledgements) => SectionKind::Acknowledgements,
        () if is_one_of(|l| &l.titles.declaration) => SectionKind::TitlePage,
        () if is_one_of(|l| &l.titles.glossary) => SectionKind::Appendix,
        () => return None,
    })
}

/// Whether a title consists of words for lists of references and of words that stand beside them. Languages may mix, as in
/// "参考文献 References".
fn names_references(core: &str) -> bool {
    if core.ends_with(['.', ',', ';']) {
        return false;
    }
    let core: String = core.chars().filter(|c| c.is_alphanumeric()).collect();
    // Up to each place: whether words end there, and whether one of them names a list.
    let mut ends: Vec<Option<bool>> = vec![None; core.len() + 1];
    ends[0] = Some(false);
    for at in 0..core.len() {
        let Some(named) = ends[at] else { continue };
        let words = languages().words(|l| &l.titles.references).map(|word| (word, true));
        let beside = languages().words(|l| &l.titles.beside_references).map(|word| (word, false));
        for (word, names) in words.chain(beside).filter(|(word, _)| core[at..].starts_with(word)) {
            let end = &mut ends[at + word.len()];
            *end = Some(end.unwrap_or(false) || named || names);
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
    after_longest(title, languages().words(|l| &l.titles.appendix))
}

/// Whether a word is one for a part.
pub(super) fn is_part_word(word: &str) -> bool {
    languages().has(&word.trim().to_lowercase(), |l| &l.numbering.part)
}

/// What follows the word for a chapter or a part at the start of a title.
pub fn after_chapter_word(title: &str) -> Option<&str> {
    let words = languages().words(|l| &l.numbering.chapter);
    after_longest(title, words.chain(languages().words(|l| &l.numbering.part)))
}

/// The number that is spelt at the start of a text, and what follows it.
pub(super) fn spelt(text: &str) -> Option<(u32, &str)> {
    let numbers = languages().all().iter().flat_map(|language| (1..).zip(language.numbering.numbers.iter()));
    let found = numbers.filter_map(|(value, word)| after_word(text, word).map(|rest| (value, rest)));
    found.filter(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_alphanumeric())).min_by_key(|(_, rest)| rest.len())
}

fn after_longest(text: &str, words: impl Iterator<Item = &'static str>) -> Option<&str> {
    words.filter_map(|word| after_word(text, word)).min_by_key(|rest| rest.len())
}

fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    let same = word.chars().all(|c| rest.next().is_some_and(|other| other.to_lowercase().eq(c.to_lowercase())));
    same.then_some(rest.as_str())
}
