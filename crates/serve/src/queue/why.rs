//! Why work failed, as the database keeps it: a code with figures, told in the language of whoever reads it.

use copytrace::check::Reason;
use rusqlite::types::{FromSql, FromSqlResult, ValueRef};
use serde::{Deserialize, Serialize, Serializer};

/// Why work failed: a stable code with figures, and an English sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Why {
    /// A file kills whatever reads or checks it.
    #[error("reading or checking it ended its process three times")]
    WorkerDied,
    /// The server died whenever it was checked.
    #[error("the server died each time it was checked")]
    ServerDied,
    /// There is nothing that it could be compared with.
    #[error("nothing to compare it with: no document in a collection, and no other text")]
    NothingToCompareWith,
    /// The process that reads files cannot be started.
    #[error("the reader cannot be run: {said}")]
    ReaderNotStarted {
        /// What the system says.
        said: String,
    },
    /// A template of the round cannot be used.
    #[error("a template of the round: {reason}")]
    BadTemplate {
        /// Why.
        reason: Reason,
    },
    /// The student has handed in the same bytes for the same purpose.
    #[error("the student has handed in this very file already")]
    SameFile,
    /// The student's work is done.
    #[error("the student's final has passed already")]
    Passed,
    /// Something failed that should not.
    #[error("{said}")]
    Failed {
        /// What is said of it.
        said: String,
    },
    /// The document cannot be read or compared.
    #[error(transparent)]
    #[serde(untagged)]
    Unread(#[from] Reason),
}

impl Why {
    /// Something failed that should not.
    pub fn failed(said: impl ToString) -> Self {
        Why::Failed { said: said.to_string() }
    }

    /// The form that the database keeps.
    pub fn stored(&self) -> String {
        // Texts and numbers: all of it can be written as JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl FromSql for Why {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let stored = value.as_str()?;
        Ok(serde_json::from_str(stored).unwrap_or_else(|_| Why::failed(stored)))
    }
}

/// Writes why work failed in its English sentence.
///
/// # Errors
/// When the serializer fails.
pub fn as_sentence<S: Serializer>(why: &Option<Why>, serializer: S) -> Result<S::Ok, S::Error> {
    why.as_ref().map(Why::to_string).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_messages::{Language, Tell, told_everywhere};

    #[test]
    fn why_work_failed_is_kept_and_told_in_every_language() {
        let said = String::new;
        let all = [
            Why::WorkerDied,
            Why::ServerDied,
            Why::NothingToCompareWith,
            Why::SameFile,
            Why::Passed,
            Why::ReaderNotStarted { said: said() },
            Why::BadTemplate { reason: Reason::NothingLeft },
            Why::Failed { said: said() },
            Why::Unread(Reason::NothingLeft),
        ];
        told_everywhere(&all).unwrap();
        for why in all {
            let stored = why.stored();
            assert_eq!(Why::column_result(ValueRef::Text(stored.as_bytes())).unwrap(), why, "{stored}");
        }
        let chinese = Language::named("zh").unwrap();
        assert!(Why::Unread(Reason::HoldsNone).tell(chinese).contains("没有文件"));
    }
}
