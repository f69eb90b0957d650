//! What else should be known of a check, beside its figures.

use super::{Certainty, Remarks, Report, Summary};
use crate::text::prose::{Cause, Compared};
use serde::{Deserialize, Serialize};

/// What else should be known of a check: a stable code with figures, and an English sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
pub enum Remark {
    /// Documents of the library are the submission itself and were left out.
    #[error("left out because it is this submission itself: {}", ids.join(", "))]
    LeftOutItself {
        /// Their ids.
        ids: Vec<String>,
    },
    /// Characters could not be decoded and stand in the text as U+FFFD.
    #[error("{characters} {} could not be decoded", if *characters == 1 { "character" } else { "characters" })]
    Undecodable {
        /// How many.
        characters: usize,
    },
    /// A part of what a reader sees was not compared as language.
    #[error(
        "{share} of the text was compared as language (the rest is mostly {cause}{}): the ratio is at least this",
        advice(cause)
    )]
    PartlyCompared {
        /// The share that was compared, in per cent.
        share: String,
        /// Why most of the rest was not, a word of the column `not_compared`.
        cause: String,
    },
    /// Too little of what a reader sees was compared as language for a ratio.
    #[error(
        "no ratio: only {share} of the text was compared as language (the rest is mostly {cause}{})",
        advice(cause)
    )]
    HardlyCompared {
        /// The share that was compared, in per cent.
        share: String,
        /// Why most of the rest was not, a word of the column `not_compared`.
        cause: String,
    },
    /// Nearly all of the text is in a language that is not known, so that nothing tells whether it is one.
    #[error("{share} of the text is in no language that is known: if its words were changed, nothing tells")]
    UnknownLanguage {
        /// The share, in per cent.
        share: String,
    },
    /// Of pictures, and of pages without text, nothing was compared.
    #[error("not compared: {pictures} {}", if *pictures == 1 { "picture or page without text" } else { "pictures or pages without text" })]
    Pictures {
        /// How many.
        pictures: usize,
    },
    /// Very many documents hold phrases of the submission, so that only some of these were compared.
    #[error(
        "{phrases} of its phrases stand in very many documents, of which some were compared: there may be more sources"
    )]
    FrequentPhrases {
        /// How many phrases.
        phrases: usize,
    },
}

/// The least share of a text in an unknown language that is told: of a Chinese manual of LaTeX commands are .47.
const MUCH_UNKNOWN: f64 = 0.7;

/// What can be done about what was not compared.
fn advice(cause: &str) -> &'static str {
    if cause == Cause::PicturesWithText.as_str() { "; --ocr reads those of scanned pages" } else { "" }
}

impl Report {
    /// What else should be known, but for the documents that are the submission itself: a report names them at its head.
    pub fn remarks(&self) -> Vec<Remark> {
        remarks(&[], &self.compared, self.remarks)
    }
}

impl Summary {
    /// What else should be known.
    pub fn remarks(&self) -> Vec<Remark> {
        remarks(&self.itself, &self.compared, self.remarks)
    }
}

fn remarks(itself: &[String], compared: &Compared, others: Remarks) -> Vec<Remark> {
    let Remarks { undecodable: characters, frequent_keys: phrases, pictures } = others;
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    let share = percent(compared.share());
    let cause = compared.main_cause().map_or("", Cause::as_str).to_owned();
    let unknown = f64::from(compared.unknown) / f64::from(compared.seen.max(1));
    let unknown = (unknown >= MUCH_UNKNOWN).then(|| Remark::UnknownLanguage { share: percent(unknown) });
    let compared = match Certainty::of(compared.share()) {
        Certainty::Whole => None,
        Certainty::AtLeast => Some(Remark::PartlyCompared { share, cause }),
        Certainty::Unknown => Some(Remark::HardlyCompared { share, cause }),
    };
    let itself = (!itself.is_empty()).then(|| Remark::LeftOutItself { ids: itself.to_vec() });
    let undecodable = (characters > 0).then_some(Remark::Undecodable { characters });
    let frequent = (phrases > 0).then_some(Remark::FrequentPhrases { phrases });
    let pictures = (pictures > 0).then_some(Remark::Pictures { pictures });
    itself.into_iter().chain(compared).chain(unknown).chain(undecodable).chain(frequent).chain(pictures).collect()
}

#[cfg(test)]
mod tests {
    use super::Remark;
    use strum::IntoEnumIterator;

    #[test]
    fn every_remark_has_its_message_in_every_language() {
        copytrace_messages::told_everywhere(Remark::iter()).unwrap();
    }
}
