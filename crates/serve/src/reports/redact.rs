//! The report that a student gets. It is another value, made on the server: what is left out of it is nowhere in the reply.

use crate::queue::worker::SUBMISSION;
use copytrace::check::{About, Chapter, Passage, Reference, Report, Source};
use copytrace::text::NotCounted;
use copytrace::text::layout::Layout;
use copytrace::text::script::is_han;
use copytrace::text::structure::{SectionKind, Structure};

/// The report without any word or name of the sources that are not open. The student's own text stays, with the places that
/// stand elsewhere; `closed` is what a source is called that is not shown.
pub fn redacted(report: Report, is_open: impl Fn(usize) -> bool, closed: &str) -> Report {
    let called = |at| (!is_open(at)).then(|| format!("{closed} {}", at + 1));
    let called: Vec<_> = (0..report.sources.len()).map(called).collect();
    let report = without_wording(report, &called);
    Report {
        // The name lists folders, which students need not know.
        corpus: Reference { name: String::new(), ..report.corpus },
        itself: Vec::new(),
        // They quote their sources, too.
        resemblances: None,
        ..report
    }
}

/// The report without any word or name of the sources that are called otherwise here.
pub fn without_wording(report: Report, called: &[Option<String>]) -> Report {
    let passage = |passage: Passage| match called.get(passage.source) {
        // Of a text that nobody may read places tell nothing, but the passage's length.
        Some(Some(_)) => Passage { source_text: None, source_span: 0..0, pieces: Vec::new(), ..passage },
        _ => passage,
    };
    let source = |at: usize, source: Source| match &called[at] {
        Some(called) => renamed(called.clone(), source),
        None => source,
    };
    // They quote their sources, too.
    let resemblances = report.resemblances.clone().filter(|_| !called.iter().any(Option::is_some));
    Report { resemblances, ..shown(report, source, passage) }
}

/// The report with its sources and passages as somebody may see them.
fn shown(report: Report, source: impl Fn(usize, Source) -> Source, passage: impl Fn(Passage) -> Passage) -> Report {
    Report {
        sources: report.sources.into_iter().enumerate().map(|(at, of)| source(at, of)).collect(),
        passages: report.passages.into_iter().map(&passage).collect(),
        weak: report.weak.into_iter().map(&passage).collect(),
        ..report
    }
}

/// A source without anything that tells which it is.
fn renamed(id: String, source: Source) -> Source {
    Source { id, title: None, author: None, date: None, url: None, licence: None, ..source }
}

/// The report without what it says of its author, for marking that is to be anonymous: neither what the file says, nor title pages and thanks,
/// nor the author's own works, nor these names wherever they stand. Signs stand in the place of letters, so that all places stay where they are.
pub fn without_author(report: Report, names: &[String]) -> Report {
    let names = Names::of(names);
    let mut text: Vec<char> = report.text.chars().collect();
    let thanks = Structure::find(&report.text, &Layout::default()).sections.into_iter();
    let thanks =
        thanks.filter(|section| section.kind == SectionKind::Acknowledgements).map(|part| part.start..part.end);
    let tells = |reason| matches!(reason, NotCounted::TitlePage | NotCounted::Acknowledgements);
    let parts = report.excluded.iter().filter(|part| tells(part.reason)).map(|part| part.start..part.end);
    for part in parts.chain(thanks) {
        let within = text.get_mut(part.start as usize..part.end as usize).unwrap_or_default();
        within.iter_mut().filter(|c| !c.is_whitespace()).for_each(|c| *c = SIGN);
    }
    let text = names.hidden(&text.into_iter().collect::<String>());
    let is_own = |source: &Source| {
        source.own_work || [&source.author, &source.title].into_iter().flatten().any(|of| names.stand_in(of))
    };
    let own: Vec<bool> = report.sources.iter().map(is_own).collect();
    let passage = |passage: Passage| match own[passage.source] {
        true => Passage { source_text: None, ..passage },
        false => Passage { source_text: passage.source_text.map(|text| names.hidden(&text)), ..passage },
    };
    let source = |at: usize, source: Source| match own[at] {
        true => renamed(format!("№ {}", at + 1), source),
        // What the files of fellow students say of them is theirs.
        false if source.id.starts_with(SUBMISSION) => Source { title: None, author: None, date: None, ..source },
        false => Source {
            id: names.hidden(&source.id),
            title: source.title.map(|title| names.hidden(&title)),
            author: source.author.map(|author| names.hidden(&author)),
            url: source.url.filter(|url| !names.stand_in(url)),
            ..source
        },
    };
    let report = shown(report, source, passage);
    let chapter = |chapter: Chapter| Chapter { title: names.hidden(&chapter.title), ..chapter };
    Report {
        submission: About { title: None, author: None, date: None, file_sha256: None, ..report.submission },
        chapters: report.chapters.into_iter().map(chapter).collect(),
        itself: Vec::new(),
        text,
        ..report
    }
}

/// What stands in the place of a letter.
const SIGN: char = '■';

/// Names that are not to be read. Blanks between their characters do not matter, nor does case, nor which of two words comes first.
struct Names(Vec<Vec<char>>);

impl Names {
    fn of(names: &[String]) -> Self {
        let plain = |name: &str| {
            name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect::<Vec<char>>()
        };
        let turned = |name: &String| {
            let mut words: Vec<&str> = name.split_whitespace().collect();
            if !words.is_empty() {
                words.rotate_right(1);
            }
            [plain(name), plain(&words.concat()), plain(&words.join(","))]
        };
        // A single character is a word of its own in Chinese.
        Names(names.iter().flat_map(turned).filter(|name| name.len() > 1).collect())
    }

    /// Where a name ends that begins here.
    fn end(text: &[char], start: usize, name: &[char]) -> Option<usize> {
        let is_word = |c: char| c.is_alphanumeric() && c.is_ascii() || c.is_alphabetic() && !is_han(c);
        let mut at = start;
        for wanted in name {
            while at > start && text.get(at)?.is_whitespace() {
                at += 1;
            }
            if text.get(at)?.to_lowercase().next() != Some(*wanted) {
                return None;
            }
            at += 1;
        }
        let joined = |a: Option<&char>, b: Option<&char>| a.zip(b).is_some_and(|(a, b)| is_word(*a) && is_word(*b));
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        (!joined(before, text.get(start)) && !joined(text.get(at - 1), text.get(at))).then_some(at)
    }

    /// A text with signs in the place of the names' letters.
    fn hidden(&self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for name in &self.0 {
            for start in 0..chars.len() {
                if let Some(end) = Names::end(&chars, start, name) {
                    chars[start..end].iter_mut().filter(|c| !c.is_whitespace()).for_each(|c| *c = SIGN);
                }
            }
        }
        chars.into_iter().collect()
    }

    fn stand_in(&self, text: &str) -> bool {
        self.hidden(text) != text
    }
}

/// The report without any word or name of some sources, because a person was erased: everything else stays as it was.
pub fn without_sources(report: Report, ids: &[String]) -> Option<Report> {
    let erased: Vec<bool> = report.sources.iter().map(|source| ids.contains(&source.id)).collect();
    if !erased.contains(&true) {
        return None;
    }
    let passage = |passage: Passage| match erased[passage.source] {
        false => passage,
        true => Passage { source_text: None, ..passage },
    };
    let source = |source: Source| match ids.contains(&source.id) {
        false => source,
        true => Source { title: None, author: None, date: None, ..source },
    };
    Some(Report {
        sources: report.sources.into_iter().map(source).collect(),
        passages: report.passages.into_iter().map(passage).collect(),
        weak: report.weak.into_iter().map(passage).collect(),
        ..report
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_hidden_in_each_of_their_forms_and_words_that_hold_them_are_not() {
        let names = Names::of(&["Ann One".to_owned(), "张三".to_owned(), "s1".to_owned(), "A".to_owned()]);
        for (text, hidden) in [
            ("by Ann One.", "by ■■■ ■■■."),
            ("ANN\nONE, s1", "■■■\n■■■, ■■"),
            ("One, Ann (s1)", "■■■■ ■■■ (■■)"),
            ("作者张 三指导", "作者■ ■指导"),
            ("Joann Oneida s10 A", "Joann Oneida s10 A"),
            ("an annone", "an ■■■■■■"),
        ] {
            assert_eq!(names.hidden(text), hidden);
        }
    }
}
