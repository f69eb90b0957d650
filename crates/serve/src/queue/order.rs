//! From a claimed job to the order that a worker gets.

use super::protocol::Order;
use super::worker::SUBMISSION;
use super::{Claimed, Kind};
use crate::fault::Fault;
use crate::rounds::{self, Round};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What a job that changes an index needs besides, as its row holds it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Detail {
    /// Ids of documents: those to be removed, or replaced.
    #[serde(default)]
    pub ids: Vec<String>,
    /// Where documents are that fill a collection.
    #[serde(default)]
    pub from: PathBuf,
    /// Whether a check is to follow.
    #[serde(default)]
    pub then_check: bool,
}

/// Where the worker of a job leaves its report, below the data folder.
pub fn scratch(job: i64) -> PathBuf {
    PathBuf::from(format!("scratch/job-{job}.json"))
}

/// The id of a submission in an index.
pub fn document_id(submission: &str) -> String {
    format!("{SUBMISSION}{submission}")
}

/// The order of a job.
///
/// # Errors
/// When the database cannot be read, or what the job is about is gone.
pub fn of(connection: &Connection, claimed: &Claimed) -> Result<Order, Fault> {
    let folder = || claimed.folder.clone().map(PathBuf::from).ok_or(Fault::Failed("a job without a folder".to_owned()));
    let detail = || serde_json::from_str::<Detail>(&claimed.detail);
    let submission = claimed.submission.as_deref().unwrap_or_default();
    match claimed.kind {
        Kind::Remove => Ok(Order::Remove { folder: folder()?, ids: detail()?.ids }),
        Kind::Fill => Ok(Order::Fill { folder: folder()?, from: detail()?.from }),
        Kind::Enter => {
            let (id, replaces) = (document_id(submission), detail()?.ids);
            Ok(Order::Enter { file: file(connection, submission)?, folder: folder()?, id, replaces })
        }
        Kind::Check => {
            let sql = "SELECT round, student FROM submission WHERE id = ?1";
            let (round, student): (String, String) =
                connection.query_row(sql, [submission], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let round = Round::get(connection, &round)?;
            // Versions of this round are no sources; works of earlier rounds are the student's own.
            let of_student = |condition: &str| -> Result<Vec<String>, rusqlite::Error> {
                let sql = format!("SELECT id FROM submission WHERE student = ?1 AND round {condition} ?2 ORDER BY id");
                let ids = connection
                    .prepare_cached(&sql)?
                    .query_map(params![student, round.id], |row| row.get::<_, String>(0))?
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(ids.iter().map(|id| document_id(id)).collect())
            };
            Ok(Order::Check {
                file: file(connection, submission)?,
                folders: rounds::folders(connection, &round)?.into_iter().map(PathBuf::from).collect(),
                templates: rounds::templates(connection, &round.id)?.into_iter().map(PathBuf::from).collect(),
                exclude: of_student("=")?,
                own_work: of_student("!=")?,
                output: scratch(claimed.id),
            })
        }
    }
}

fn file(connection: &Connection, submission: &str) -> Result<PathBuf, rusqlite::Error> {
    let sql = "SELECT file FROM submission WHERE id = ?1 AND state = 'kept'";
    connection.query_row(sql, [submission], |row| row.get::<_, String>(0)).map(PathBuf::from)
}
