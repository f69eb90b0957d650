//! From a claimed job to the order that a worker gets.

use super::protocol::Order;
use super::worker::SUBMISSION;
use super::{Claimed, Task, being_removed};
use crate::fault::Fault;
use crate::rounds::{self, Round};
use crate::store::rows;
use rusqlite::{Connection, params};
use std::path::PathBuf;

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
    match claimed.task()? {
        Task::Remove { folder, ids } => Ok(Order::Remove { folder: folder.into(), ids }),
        Task::Fill { folder, from, unread } => Ok(Order::Fill { folder: folder.into(), from, unread }),
        Task::Harvest { folder, harvest } => Ok(Order::Harvest { folder: folder.into(), harvest }),
        Task::Enter { submission, folder, replaces, .. } => {
            let (file, id) = (file(connection, &submission)?, document_id(&submission));
            Ok(Order::Enter { file, folder: folder.into(), id, replaces })
        }
        Task::Check { submission, .. } => {
            let sql = "SELECT round, student FROM submission WHERE id = ?1";
            let (round, student): (String, String) = rows::one(connection, sql, [&submission])?;
            let round = Round::get(connection, &round)?;
            // Versions of this round are no sources, nor is what was erased; works of earlier rounds are the student's own.
            let of_student = |condition: &str| -> Result<Vec<String>, rusqlite::Error> {
                let sql = format!("SELECT id FROM submission WHERE student = ?1 AND round {condition} ?2 ORDER BY id");
                let ids: Vec<String> = rows::all(connection, &sql, params![student, round.id])?;
                Ok(ids.iter().map(|id| document_id(id)).collect())
            };
            Ok(Order::Check {
                file: file(connection, &submission)?,
                folders: rounds::folders(connection, &round)?.into_iter().map(PathBuf::from).collect(),
                templates: rounds::templates(connection, &round.id)?.into_iter().map(PathBuf::from).collect(),
                exclude: of_student("=")?.into_iter().chain(being_removed(connection)?).collect(),
                own_work: of_student("!=")?,
                counts: rounds::counts(connection, &round.id)?,
                output: scratch(claimed.id),
            })
        }
    }
}

fn file(connection: &Connection, submission: &str) -> Result<PathBuf, rusqlite::Error> {
    let sql = "SELECT file FROM submission WHERE id = ?1 AND state = 'kept'";
    rows::one::<String>(connection, sql, [submission]).map(PathBuf::from)
}
