//! What is kept of one person, as an archive for that person: rows, files, and reports as students see them.

use crate::app::App;
use crate::audit;
use crate::deeds::{Case, ShownTo};
use crate::fault::Fault;
use crate::reports::{figures, review};
use crate::rounds::Round;
use crate::submissions::{self, Shown, shown_to_student};
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{Seek, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// What rows there may be, each with its name in the archive. What others did is told by its time and kind, not by whom.
const ROWS: &[(&str, &str)] = &[
    (
        "person",
        "SELECT number, name, mail, language, state, made, totp IS NOT NULL AS second_factor FROM person WHERE id = ?1",
    ),
    ("roles", "SELECT role, unit.name AS unit FROM role JOIN unit ON unit.id = unit WHERE person = ?1"),
    ("providers", "SELECT provider, made FROM identity WHERE person = ?1"),
    ("sessions", "SELECT agent, made, seen, expires FROM session WHERE person = ?1"),
    ("tokens", "SELECT label, scopes, expires, used FROM token WHERE person = ?1"),
    ("letters", "SELECT kind, state, made FROM letter WHERE person = ?1"),
    (
        "rounds",
        "SELECT round.title, e.title AS thesis, extra_checks FROM enrolment e JOIN round ON round.id = e.round WHERE e.student = ?1",
    ),
    (
        "submissions",
        "SELECT s.id, round.title AS round, kind, attempt, file_name, sha256, bytes, received, state FROM submission s \
         JOIN round ON round.id = s.round WHERE student = ?1 ORDER BY received",
    ),
    (
        "objections",
        "SELECT submission, passage, reason, made FROM appeal WHERE submission IN (SELECT id FROM submission WHERE student = ?1)",
    ),
    ("agreements", "SELECT version, text, agreement.made FROM agreement JOIN terms USING(version) WHERE person = ?1"),
    (
        "platforms",
        "SELECT issuer, subject FROM platform_member m JOIN resource_link l ON l.id = m.link JOIN platform p ON p.id = l.platform WHERE person = ?1",
    ),
    ("verdicts_given", "SELECT submission, verdict, comment, made FROM verdict WHERE person = ?1"),
    ("reviews_given", "SELECT submission, verdict, comment, made FROM reviewer_verdict WHERE person = ?1"),
    ("wording_asked_for", "SELECT submission, reason, made, state, answer FROM wording_request WHERE person = ?1"),
    ("decisions_made", "SELECT submission, reason, made, revoked FROM decision WHERE person = ?1"),
    ("done", "SELECT at, action, object FROM audit WHERE person = ?1 ORDER BY n"),
    (
        "done_by_others",
        "SELECT at, action, object FROM audit WHERE person IS NOT ?1 AND (object = ?1 OR object IN (SELECT id FROM submission WHERE student = ?1)) \
         ORDER BY n",
    ),
];

/// The rows of a statement as JSON, by the names of its columns.
fn rows(c: &Connection, sql: &str, person: &str) -> Result<Value, rusqlite::Error> {
    let mut statement = c.prepare(sql)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let row = |row: &rusqlite::Row<'_>| {
        let mut object = Map::new();
        for (at, name) in names.iter().enumerate() {
            let value = match row.get_ref(at)? {
                ValueRef::Integer(number) => number.into(),
                ValueRef::Real(number) => number.into(),
                ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
                ValueRef::Null | ValueRef::Blob(_) => Value::Null,
            };
            object.insert(name.clone(), value);
        }
        Ok(Value::Object(object))
    };
    statement.query_map([person], row)?.collect::<Result<Vec<_>, _>>().map(Value::Array)
}

/// The report on a submission as its student gets it; none if there is none, or the round does not show it and nobody of the office asks.
fn report(c: &Connection, id: &str, by_office: bool, closed: &str) -> Result<Option<Vec<u8>>, Fault> {
    let submission = submissions::get(c, id)?;
    let (round, given) = (Round::get(c, &submission.round)?, submissions::verdicts(c, id)?);
    let is_shown = shown_to_student(&round, submission.kind, !given.is_empty()) == Shown::Report;
    if figures(c, id)?.is_none() || !(by_office || is_shown) {
        return Ok(None);
    }
    let case = Case::read(c, submission, round, ShownTo::Student, closed)?;
    Ok(Some(review::add_to(case.report.to_json()?.into_bytes(), &case, &given)?))
}

/// Writes the archive into a file that goes with its last reader. `by` is who asks: the person, or the office for the person.
///
/// # Errors
/// When the database or a file cannot be read, or the disk is full.
pub fn of_person(app: &App, person: &str, by: &str, closed: &str) -> Result<File, Fault> {
    app.require_space()?;
    app.store.write(|t| audit::record(t, Some(by), audit::Action::ExportPerson, person, ""))?;
    let failed = |error: zip::result::ZipError| Fault::Failed(error.to_string());
    let mut archive = ZipWriter::new(tempfile::tempfile_in(&app.data)?);
    let options = SimpleFileOptions::default();
    let (told, files) = app.read(|c| {
        let told: Map<String, Value> = ROWS
            .iter()
            .map(|(name, sql)| Ok(((*name).to_owned(), rows(c, sql, person)?)))
            .collect::<Result<_, Fault>>()?;
        let sql = "SELECT id, file FROM submission WHERE student = ?1 AND state = 'kept' ORDER BY received, id";
        Ok((told, crate::store::rows::all::<(String, String)>(c, sql, [person])?))
    })?;
    archive.start_file("data.json", options).map_err(failed)?;
    archive.write_all(&serde_json::to_vec_pretty(&told)?)?;
    for (id, file) in files {
        if let Some(report) = app.read(|c| report(c, &id, by != person, closed))? {
            archive.start_file(format!("reports/{id}.json"), options).map_err(failed)?;
            archive.write_all(&report)?;
        }
        // One that could not be read was let go.
        if !file.is_empty() {
            archive.start_file(&file, options).map_err(failed)?;
            std::io::copy(&mut File::open(app.data.join(&file))?, &mut archive)?;
            app.require_space()?;
        }
    }
    let mut file = archive.finish().map_err(failed)?;
    file.rewind()?;
    Ok(file)
}
