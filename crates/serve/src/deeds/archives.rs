//! Deeds about archives of many submissions: one is unpacked, its files are matched, and only then they are queued.

use super::outcome::Outcome;
use crate::batches::{self, Batch, Member, numbers, student_of};
use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::queue::why::Why;
use crate::rounds::Round;
use crate::store::{now, secret};
use crate::submissions::{self, Kind, Uploaded, Way};
use crate::{audit, folder, unpack};
use copytrace::check::Reason;
use rusqlite::params;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// What an archive of many submissions is for.
#[derive(Debug, Deserialize, ToSchema)]
pub struct HandInMany {
    /// What each of its files is for: not for practice.
    pub kind: Kind,
}

/// An archive that was unpacked and waits.
#[derive(Serialize, ToSchema)]
pub struct Unpacked {
    pub(crate) id: String,
    round: String,
    kind: Kind,
    files: Vec<Member>,
}

impl Outcome for Unpacked {}

impl From<Batch> for Unpacked {
    fn from(Batch { id, round, kind, files }: Batch) -> Self {
        Unpacked { id, round: round.id, kind, files }
    }
}

/// Unpacks an archive that was uploaded for a round which the caller administers, and matches its names; nothing is queued yet.
///
/// # Errors
/// When it is damaged or too large, or only students hand in what it is for.
pub fn take(call: &Call) -> Result<Unpacked, Fault> {
    let (app, caller, kind, archive) = (&call.app, call.caller()?, call.fields::<HandInMany>()?.kind, call.file()?);
    let (round, by) = (app.read(|c| Round::administered(c, caller, call.part("id")?))?, &caller.person.id);
    if kind == Kind::Practice {
        return refused(&BAD_FIELD, "kind");
    }
    let id = secret::new_id();
    let folder = app.data.join("batches").join(&id);
    std::fs::create_dir(&folder)?;
    let taken = unpack::unpack(&app.data.join(&archive.file), &folder, &app.limits).and_then(|members| {
        let mut files = Vec::new();
        for unpack::Member { name, file } in members {
            let content = file.as_ref().map_or(Ok(Vec::new()), |file| std::fs::read(folder.join(file)))?;
            let problem = match &file {
                Err(reason) => Some(reason.clone()),
                Ok(_) if submissions::ending(&name).is_none() => Some(Reason::UnknownKind),
                Ok(_) => content.is_empty().then_some(Reason::HoldsNone),
            };
            let file = file.map_or(String::new(), |file| format!("batches/{id}/{file}"));
            files.push((name, file, content.len() as i64, secret::hexadecimal(&Sha256::digest(&content)), problem));
        }
        call.does(|t| {
            let students = numbers(t, &round)?;
            let sql = "INSERT INTO batch VALUES (?1, ?2, ?3, ?4, ?5)";
            t.execute(sql, params![id, round.id, by, kind, now()])?;
            for (n, (name, file, bytes, sha256, problem)) in files.iter().enumerate() {
                let student = if problem.is_none() { student_of(name, &students) } else { None };
                let why_not = |student: &String| submissions::why_not(t, &round, student, kind, sha256).transpose();
                let why_not = student.and_then(why_not).transpose()?;
                let problem = problem.clone().map(Why::from).or(why_not).map(|why| why.stored());
                let sql = "INSERT INTO batch_file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
                t.execute(sql, params![id, n as i64, name, file, bytes, sha256, student, problem])?;
            }
            audit::record(t, Some(by), audit::Action::UploadBatch, &round.id, &files.len().to_string())?;
            Ok(batches::get(t, caller, &id)?.into())
        })
    });
    if taken.is_err() {
        folder::remove(&folder)?;
    }
    taken
}

/// Submissions that were queued, by id.
#[derive(Serialize, ToSchema)]
pub struct Started {
    pub(crate) submissions: Vec<String>,
    #[serde(skip)]
    pub(crate) round: String,
}

impl Outcome for Started {}

/// Takes in the files that match. The other files are thrown away, and the batch is gone then.
///
/// # Errors
/// When it was started already, or a file cannot be taken in: then none is.
pub fn start(call: &Call) -> Result<Started, Fault> {
    let (app, caller, id) = (&call.app, call.caller()?, call.part("id")?);
    let started = call.does(|t| {
        let batch = batches::get(t, caller, id)?;
        batches::forget(t, "id = ?1", id)?;
        let mut ids = Vec::new();
        for Member { name, file, bytes, sha256, student, problem, .. } in batch.files {
            let Some(student) = student.filter(|_| problem.is_none()) else { continue };
            let uploaded = Uploaded { file, name, bytes, sha256 };
            let (by, way) = (&caller.person.id, Way::Batch);
            ids.push(submissions::receive(t, &app.data, &batch.round, &student, batch.kind, &uploaded, by, way)?);
        }
        if ids.is_empty() {
            return Err((&NOT_FOUND).into());
        }
        Ok(Started { submissions: ids, round: batch.round.id })
    })?;
    folder::remove(&app.data.join("batches").join(id))?;
    app.pool.wake();
    Ok(started)
}

/// A student, by number.
#[derive(Deserialize, ToSchema)]
pub struct GivenTo {
    student: String,
}

/// Gives a file of an archive that matches nobody, or somebody else, to a student.
///
/// # Errors
/// When there is no such file, or nobody of this number is in the round.
pub fn give_file(call: &Call) -> Result<(), Fault> {
    let (caller, id, n, given) = (call.caller()?, call.part("id")?, call.number("file")?, call.fields::<GivenTo>()?);
    call.does(|t| batches::give(t, caller, id, n, given.student.trim()))
}
