//! The report that a student gets. It is another value, made on the server: what is left out of it is nowhere in the reply.

use copytrace::check::{About, Passage, Reference, Report, Source};

/// The report without any word or name of the sources that are not open. The student's own text stays, with the places that
/// stand elsewhere; `closed` is what a source is called that is not shown.
pub fn redacted(report: Report, is_open: impl Fn(usize) -> bool, closed: &str) -> Report {
    let passage = |passage: Passage| match is_open(passage.source) {
        true => passage,
        // Places in a text that nobody may read tell nothing, but its length.
        false => Passage { source_text: None, source_span: 0..0, pieces: Vec::new(), ..passage },
    };
    let source = |(at, source): (usize, Source)| match is_open(at) {
        true => source,
        false => Source {
            id: format!("{closed} {}", at + 1),
            title: None,
            author: None,
            date: None,
            url: None,
            licence: None,
            ..source
        },
    };
    Report {
        // The name lists folders, which students need not know.
        corpus: Reference { name: String::new(), ..report.corpus },
        sources: report.sources.into_iter().enumerate().map(source).collect(),
        passages: report.passages.into_iter().map(passage).collect(),
        weak: report.weak.into_iter().map(passage).collect(),
        itself: Vec::new(),
        ..report
    }
}

/// The report without what its file says of its author and title, for marking that is to be anonymous. What the text itself
/// says of its author stays.
pub fn without_author(report: Report) -> Report {
    Report { submission: About { title: None, author: None, ..report.submission }, ..report }
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
