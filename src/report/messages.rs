//! Every word of the reports for people, in the language of whoever reads them.

use super::rows::Cell;
use crate::check::{Certainty, Remark, Status, Unread};
use crate::text::NotCounted;
use crate::text::manipulation::FlagKind;
use crate::text::prose::Cause;
use copytrace_messages::{Language, Tell};
use std::borrow::Cow;

copytrace_messages::words! {
    /// The words of the reports in one language. Where figures belong, a word has `{}`.
    pub struct Messages, "report":
        report batch skip back overview all without_quotes without_own_work largest_source in_short_runs of colon
        comma semicolon open close_bracket characters all_characters recomputed sources_off shorter_than list_comma
        restore where_matches_lie no_match itself no_heading chapters flags flags_short reveal excluded details
        submission title author corpus documents one_document the_others updated read_for_this_check settings
        program number checked file_digest text_digest remarks note full_text legend no_attribution quoted_not_cited
        quoted_and_cited status_excluded letter_no_attribution letter_quoted_not_cited letter_quoted_and_cited
        letter_excluded previous next close keys shortest passages passage compare in_submission in_source sources
        weak weak_help share credited counted attribution not_counted_as why kind similarity length edits others
        holders unknown cut no_source_text capped changes verbatim edited reordered disguised page page_after
        print_brief print_full brief_sheet full_sheet signature_student signature_supervisor signature_office
        signature_date table_of_passages table_help before_count after_count submissions one_submission
        submission_list search threshold above_threshold at_or_above distribution logarithmic failed shared
        shared_help least_share not_shared group none_shared none_at_share less_shared shared_capped longest common_sources
        heat_map see_pair pair in_other top_source message departments supervisors median highest
        at_least compared compared_of as_found after_review verdicts decisions revoke leave_out this_passage whole_source reason
        not_counted see_submission claims nearly_verbatim not_shown_to_you appeal appeals resemblances
        resemblances_help unknown_languages translated retold linked_sentences
}

impl Messages {
    /// A status in words.
    pub fn status(&self, status: Status) -> &'static str {
        match status {
            Status::NoAttribution => self.no_attribution,
            Status::QuotedNotCited => self.quoted_not_cited,
            Status::QuotedAndCited => self.quoted_and_cited,
            Status::Excluded => self.status_excluded,
        }
    }

    /// What stands at a mark for a status, besides the number of its source; empty where it goes without saying.
    pub fn letter(&self, status: Status) -> &'static str {
        match status {
            Status::NoAttribution => self.letter_no_attribution,
            Status::QuotedNotCited => self.letter_quoted_not_cited,
            Status::QuotedAndCited => self.letter_quoted_and_cited,
            Status::Excluded => self.letter_excluded,
        }
    }

    /// A ratio in per cent, as far as it is known: a dash where too much was not compared.
    pub fn share(&self, ratio: f64, certainty: Certainty) -> String {
        match certainty {
            Certainty::Whole => format!("{:.1}%", ratio * 100.0),
            Certainty::AtLeast => format!("{}{:.1}%", self.at_least, ratio * 100.0),
            Certainty::Unknown => "–".to_owned(),
        }
    }

    /// Why text was not compared, in words.
    pub fn cause(&self, cause: Cause) -> Cow<'static, str> {
        let known = self.in_language.text(&key("cause", cause.as_str()));
        known.map_or(Cow::Borrowed(cause.as_str()), Cow::Owned)
    }

    /// A kind of flag, as a heading.
    pub fn flag(&self, kind: FlagKind) -> String {
        self.in_language.text(&key("flag", kind.as_str())).unwrap_or_else(|| kind.as_str().to_owned())
    }

    /// What a kind of flag is about, in a sentence.
    pub fn explanation(&self, kind: FlagKind) -> Cow<'static, str> {
        let known = self.in_language.text(&format!("{}.explanation", key("flag", kind.as_str())));
        known.map_or(Cow::Borrowed(kind.explanation()), Cow::Owned)
    }

    /// Why something does not count: in English the word of the tables.
    pub fn why_not_counted(&self, reason: NotCounted) -> Cow<'static, str> {
        self.word(reason.as_str())
    }

    /// A word of the tables (a kind, a part, a column) in this language: in English the word itself.
    pub fn word<'a>(&self, word: &'a str) -> Cow<'a, str> {
        self.in_language.text(&key("word", word)).map_or(Cow::Borrowed(word), Cow::Owned)
    }

    /// Why a document is missing, without its id.
    pub fn reason(&self, unread: &Unread) -> String {
        let reason = unread.reason.tell(self.in_language);
        match &unread.place {
            None => reason,
            Some(place) => format!("{reason}{}{place}{}", self.open, self.close_bracket),
        }
    }

    /// What else should be known of a submission.
    pub fn remarks(&self, remarks: &[Remark]) -> String {
        remarks.iter().map(|remark| remark.tell(self.in_language)).collect::<Vec<_>>().join(self.semicolon)
    }

    /// What a cell of a table has that is not a number, and no text of somebody else's.
    pub(super) fn cell<'a>(&self, cell: &'a Cell) -> Cow<'a, str> {
        match cell {
            Cell::Word(word) => self.word(word),
            Cell::NotCounted(reason) => self.why_not_counted(*reason),
            // In English a kind is called as in the tables.
            Cell::Flag(kind) if self.in_language == Language::ENGLISH => kind.as_str().into(),
            Cell::Flag(kind) => self.flag(*kind).into(),
            Cell::Explanation(kind) => self.explanation(*kind),
            Cell::Unread(unread) => self.reason(unread).into(),
            Cell::Remarks(remarks) => self.remarks(remarks).into(),
            cell => cell.text().unwrap_or_default(),
        }
    }
}

/// The key of a word in the files of messages.
fn key(group: &str, word: &str) -> String {
    format!("{group}-{}", word.replace([' ', '_'], "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::folder::FolderError;
    use crate::report::rows::Rows;
    use std::path::PathBuf;

    #[test]
    fn every_word_of_the_tables_is_there_in_every_language() {
        let columns =
            [Rows::SUMMARY, Rows::SOURCES, Rows::PASSAGES, Rows::CHAPTERS, Rows::EXCLUDED, Rows::FLAGS, Rows::SHARED];
        let kinds: Vec<FlagKind> = serde_json::from_str(&FLAG_KINDS.replace('\'', "\"")).unwrap();
        for language in Language::all() {
            let words = Messages::of(language);
            for kind in &kinds {
                assert_ne!(words.flag(*kind), kind.as_str());
            }
            if language != Language::ENGLISH {
                for word in columns.iter().flat_map(|columns| columns.split(',')) {
                    assert!(language.text(&key("word", word)).is_some(), "{word}");
                }
                for reason in NotCounted::ALL {
                    assert!(language.text(&key("word", reason.as_str())).is_some(), "{reason:?}");
                    assert_ne!(words.why_not_counted(*reason), reason.as_str());
                }
                for kind in &kinds {
                    assert_ne!(words.explanation(*kind), kind.explanation());
                }
            }
        }
    }

    const FLAG_KINDS: &str = "['zero_width','look_alike','mixed_script','replaced_letters','white_text','tiny_text',\
        'hidden_text','picture','white_space','unseen_text','direction','word_length','odd_letters','text_layer',\
        'text_picture','not_judged','large_part','copied_part','left_out','mosaic','same_id','reworded']";

    #[test]
    fn every_error_of_a_folder_has_its_message_in_every_language() {
        let path = PathBuf::new;
        copytrace_messages::told_everywhere([
            FolderError::HoldsReport { path: path() },
            FolderError::HoldsOthers { path: path() },
            FolderError::NothingChecked { path: path() },
            FolderError::NotReplaced { path: path(), kept: path(), said: String::new() },
        ])
        .unwrap();
    }
}
