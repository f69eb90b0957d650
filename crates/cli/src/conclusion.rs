//! What a check tells in the end.

use super::console::shown;
use copytrace::check::{Certainty, Summary, Unread};
use copytrace::report::messages::Messages;
use copytrace_messages::{Language, Message, Tell, message};
use std::fmt;
use std::path::Path;

/// How many submissions are listed at most: those with the highest ratios.
const MOST_LISTED: usize = 10;

/// What was checked and found, the submissions with the highest ratios, and where to read on.
pub struct Conclusion<'a> {
    pub outcomes: &'a [Result<Summary, Unread>],
    /// How many documents each was compared with.
    pub documents: usize,
    /// Whether these are the submissions themselves.
    pub each_other: bool,
    /// The folder of the report.
    pub output: &'a Path,
    /// Whether it has pages.
    pub pages: bool,
}

impl Tell for Conclusion<'_> {
    fn code(&self) -> Option<String> {
        self.found().code()
    }

    fn tell(&self, language: Language) -> String {
        let mut lines = vec![self.found().tell(language)];
        let mut checked: Vec<&Summary> = self.outcomes.iter().flatten().collect();
        checked.sort_by(|a, b| b.ratios.all.ratio.total_cmp(&a.ratios.all.ratio).then_with(|| a.id.cmp(&b.id)));
        let is_known = |summary: &&&Summary| summary.certainty() != Certainty::Unknown;
        let matched =
            checked.iter().filter(is_known).filter(|summary| summary.ratios.all.matched > 0).take(MOST_LISTED);
        lines.extend(matched.map(|Summary { id, ratios, top_source, compared, .. }| {
            let top = top_source.as_ref().map(|source| format!("  ({source})")).unwrap_or_default();
            let share = Messages::of(language).share(ratios.all.ratio, Certainty::of(compared.share()));
            format!("{share:>7}  {id}{top}")
        }));
        for summary in checked.iter().filter(|summary| summary.certainty() != Certainty::Whole).take(MOST_LISTED) {
            lines.push(format!("{}: {}", summary.id, Messages::of(language).remarks(&summary.remarks())));
        }
        for Summary { id, resemblances, unknown_languages, .. } in &checked {
            if let Some(passages @ 1..) = *resemblances {
                lines.push(message!("resembling", id = id.as_str(), passages = passages).tell(language));
            }
            if !unknown_languages.is_empty() {
                let languages = unknown_languages.join(", ");
                lines.push(message!("languages-unknown", id = id.as_str(), languages = languages).tell(language));
            }
        }
        let in_corpus = checked.into_iter().filter(|summary| !summary.itself.is_empty());
        let (same, others): (Vec<_>, Vec<_>) = in_corpus.partition(|summary| summary.itself == [summary.id.as_str()]);
        // Where the submissions are the corpus, too, that is all of them.
        let (many, same) = if same.len() > MOST_LISTED { (same.len(), Vec::new()) } else { (0, same) };
        if many > 0 {
            lines.push(message!("left-out-themselves", submissions = many).tell(language));
        }
        for Summary { id, itself, .. } in same.into_iter().chain(others) {
            let itself = itself.join(", ");
            lines.push(message!("left-out-of", id = id.as_str(), itself = itself).tell(language));
        }
        let folder = shown(self.output);
        let written = match self.pages {
            true => message!("written-with-pages", folder = folder, page = shown(&self.output.join("index.html"))),
            false => message!("written", folder = folder),
        };
        lines.push(written.tell(language));
        lines.join("\n")
    }
}

impl Conclusion<'_> {
    /// The first line: how many were checked, and what was found.
    fn found(&self) -> Message {
        let checked = self.outcomes.iter().flatten();
        let (submissions, with) =
            (checked.clone().count(), checked.clone().filter(|summary| summary.passages > 0).count());
        let passages = (submissions > 0).then(|| checked.map(|summary| summary.passages).sum::<usize>());
        message!(
            "checked",
            submissions = submissions,
            documents = if self.each_other { 0 } else { self.documents },
            failed = self.outcomes.len() - submissions,
            passages = passages,
            with = with
        )
    }
}

impl fmt::Display for Conclusion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tell(Language::ENGLISH))
    }
}
