//! Checks at a desk: theses that one person puts in together. A check is a round, and each of its files is a student's final: so
//! they are compared with each other, listed and reported as those of an institution are.

use crate::app::App;
use crate::collections::make_index;
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::people::session::Caller;
use crate::people::{self, WHOLE};
use crate::queue::why::Why;
use crate::reviewers::Blind;
use crate::rounds::{self, Counts, LAST_SECOND, NewRound, Round, StudentSees};
use crate::store::rows::{self, read_by_name};
use crate::store::{Transaction, now, secret};
use crate::submissions::{self, Kind, Uploaded, Way};
use crate::unpack::{member_name, unpack};
use crate::{audit, erase, folder, queue};
use copytrace::check::Reason;
use copytrace_messages::message;
use rusqlite::{Connection, params};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// What a check is asked for with, besides the theses.
#[derive(Debug, Clone, Deserialize)]
pub struct NewCheck {
    /// The collections that are compared.
    #[serde(default)]
    pub collections: Vec<i64>,
    /// Whether the theses are compared with each other.
    #[serde(default)]
    pub among: bool,
    /// The copy ratio from which on a thesis is highlighted, in per cent.
    pub limit: f64,
    /// What counts.
    #[serde(default)]
    pub count_all_parts: bool,
    /// As in [`Counts`].
    pub ignore_common: Option<u32>,
}

/// A thesis as it came: what it is called, and its file, or why there is none.
struct Thesis {
    name: String,
    file: Result<Uploaded, Reason>,
}

/// Takes theses in, files and those in archives, and gives the id of their round. What a folder holds besides, such as files that
/// systems add, is passed over; all else is listed, with its reason where it cannot be read.
///
/// # Errors
/// When there is none, nothing to compare with, or an archive is damaged.
pub fn take(app: &App, caller: &Caller, new: &NewCheck, uploads: &[Uploaded]) -> Result<String, Fault> {
    let inside = format!("incoming/{}", secret::new_id());
    let taken = theses(app, uploads, &inside).and_then(|theses| put(app, caller, new, theses));
    folder::remove(&app.data.join(&inside))?;
    app.pool.wake();
    taken
}

fn theses(app: &App, uploads: &[Uploaded], inside: &str) -> Result<Vec<Thesis>, Fault> {
    let mut theses = Vec::new();
    for (at, upload) in uploads.iter().enumerate() {
        let Some(name) = member_name(&upload.name) else { continue };
        if !name.to_ascii_lowercase().ends_with(".zip") {
            theses.push(Thesis { name, file: Ok(upload.clone()) });
            continue;
        }
        let below = format!("{inside}/{at}");
        std::fs::create_dir_all(app.data.join(&below))?;
        for member in unpack(&app.data.join(&upload.file), &app.data.join(&below), &app.limits)? {
            let file = member.file.map(|file| format!("{below}/{file}"));
            let file = match file {
                Err(reason) => Err(reason),
                Ok(file) => {
                    let content = std::fs::read(app.data.join(&file))?;
                    let sha256 = secret::hexadecimal(&Sha256::digest(&content));
                    Ok(Uploaded { file, name: member.name.clone(), bytes: content.len() as i64, sha256 })
                }
            };
            theses.push(Thesis { name: member.name, file });
        }
    }
    Ok(theses)
}

fn put(app: &App, caller: &Caller, new: &NewCheck, theses: Vec<Thesis>) -> Result<String, Fault> {
    let by = &caller.person.id;
    let Some(first) = theses.first() else { return refused(&BAD_FIELD, "file") };
    if new.collections.is_empty() && theses.len() == 1 {
        return Err(Fault::Told(&BAD_FIELD, vec![message!("check-one-alone")]));
    }
    // What one document holds is no common wording.
    if new.ignore_common.is_some_and(|least| least < 2) {
        return refused(&BAD_FIELD, "ignore_common");
    }
    let others = if theses.len() > 1 { format!(" +{}", theses.len() - 1) } else { String::new() };
    let stem = first.name.rsplit_once('.').map_or(first.name.as_str(), |(stem, _)| stem);
    let round = NewRound {
        unit: WHOLE,
        title: format!("{}{others}", stem.chars().take(80).collect::<String>()),
        opens: now(),
        closes: LAST_SECOND,
        quota: 1,
        interval_s: 0,
        self_checks: 0,
        limit_ratio: new.limit / 100.0,
        student_sees: StudentSees::Never,
        anonymous: false,
        blind: Blind::None,
        among: new.among,
        keep_days: None,
        previous: None,
        collections: new.collections.clone(),
    };
    app.write(|t| {
        let round = Round::get(t, &rounds::create(t, &round, true)?)?;
        make_index(&app.data, &round.folder())?;
        rounds::set_counts(
            t,
            &round.id,
            Counts { count_all_parts: new.count_all_parts, ignore_common: new.ignore_common },
        )?;
        audit::record(t, Some(by), audit::Action::CreateRound, &round.id, "")?;
        let mut known: HashMap<String, usize> = HashMap::new();
        for Thesis { name, file } in theses {
            let count = known.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
            // Two files of one name are two theses.
            let called = if *count > 1 { format!("{name} ({count})") } else { name.clone() };
            let student = people::put_name(t, &called)?;
            t.execute("INSERT INTO enrolment(round, student) VALUES (?1, ?2)", [&round.id, &student])?;
            let receive = |uploaded: &Uploaded| {
                submissions::receive(t, &app.data, &round, &student, Kind::Final, uploaded, by, Way::Desk)
            };
            match file {
                Ok(uploaded) => receive(&uploaded).map(drop)?,
                Err(reason) => {
                    let empty =
                        Uploaded { file: format!("incoming/{}", secret::new_id()), name, ..Uploaded::default() };
                    std::fs::write(app.data.join(&empty.file), "")?;
                    let id = receive(&empty)?;
                    app.remove_files(&[empty.file]);
                    refuse(t, &id, &reason.into())?;
                }
            }
        }
        Ok(round.id)
    })
}

/// Ends the check of a thesis that could not even be unpacked.
fn refuse(t: &Transaction<'_>, submission: &str, why: &Why) -> Result<(), Fault> {
    let sql = "UPDATE job SET state = 'failed', code = 'unreadable', message = ?2, ended = ?3 WHERE submission = ?1";
    t.execute(sql, params![submission, why.stored(), now()])?;
    Ok(())
}

/// A check in the list of those that were made.
#[derive(Debug)]
pub struct Past {
    /// The id of its round.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// When it was made.
    pub made: i64,
    /// Its theses.
    pub theses: i64,
    /// How many of them are neither checked nor given up.
    pub waiting: i64,
    /// The highest copy ratio, if there is a report.
    pub highest: Option<f64>,
}

read_by_name!(Past: id title made theses waiting highest);

/// The checks whose title, or the name of a file, holds these words, the latest first; at most 500.
///
/// # Errors
/// When the database cannot be read.
pub fn past(connection: &Connection, words: &str) -> Result<Vec<Past>, rusqlite::Error> {
    let sql = "SELECT round.id, round.title, round.made, count(*) AS theses, max(report.decided_ratio) AS highest, \
               sum(EXISTS (SELECT 1 FROM job WHERE job.submission = s.id AND job.state IN ('queued', 'running'))) AS waiting \
               FROM round JOIN submission s ON s.round = round.id AND s.state = 'kept' LEFT JOIN report ON report.submission = s.id \
               WHERE instr(lower(round.title), lower(?1)) > 0 OR EXISTS (SELECT 1 FROM submission f WHERE f.round = round.id \
               AND f.state = 'kept' AND instr(lower(f.file_name), lower(?1)) > 0) GROUP BY round.id ORDER BY round.made DESC, round.id LIMIT 500";
    rows::all(connection, sql, [words])
}

/// Cancels all of a check that is not over, and gives how many jobs that were.
///
/// # Errors
/// When there is no such check.
pub fn cancel(app: &App, caller: &Caller, round: &str) -> Result<usize, Fault> {
    let jobs = app.write(|t| {
        let round = Round::administered(t, caller, round)?;
        let sql = "SELECT job.id FROM job JOIN submission ON submission.id = job.submission WHERE submission.round = ?1 \
                   AND job.state IN ('queued', 'running') ORDER BY job.id";
        let jobs: Vec<i64> = rows::all(t, sql, [&round.id])?;
        for job in &jobs {
            queue::cancel(t, *job)?;
        }
        audit::record(t, Some(&caller.person.id), audit::Action::Cancel, &round.id, &jobs.len().to_string())?;
        Ok(jobs)
    })?;
    jobs.iter().for_each(|job| app.pool.kill(*job));
    Ok(jobs.len())
}

/// Erases a check with its files and reports.
///
/// # Errors
/// When there is no such check.
pub fn remove(app: &App, caller: &Caller, round: &str) -> Result<(), Fault> {
    let erased = app.write(|t| {
        let round = Round::administered(t, caller, round)?;
        let theses: Vec<String> = rows::all(t, "SELECT student FROM enrolment WHERE round = ?1", [&round.id])?;
        theses.iter().map(|of| erase::person(t, of, Some(&caller.person.id))).collect::<Result<Vec<_>, Fault>>()
    })?;
    erased.iter().for_each(|erased| erase::finish(app, erased));
    Ok(())
}
