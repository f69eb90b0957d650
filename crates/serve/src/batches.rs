//! Many submissions in one zip archive: names are matched to students, told, and only then queued.

use crate::app::App;
use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, refused};
use crate::people::session::Caller;
use crate::rounds::{Round, Standing};
use crate::store::{now, secret};
use crate::submissions::{self, Kind, Uploaded, Way};
use crate::{audit, unpack};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A file of an archive.
#[derive(Debug, Clone, Serialize)]
pub struct File {
    /// What it is called.
    pub name: String,
    /// Where it is, below the data folder.
    #[serde(skip)]
    pub file: String,
    /// Its bytes.
    pub bytes: i64,
    /// SHA-256 of it, hexadecimal.
    pub sha256: String,
    /// Whose it is, by id; none if it matches nobody.
    #[serde(skip)]
    pub student: Option<String>,
    /// The student's number.
    pub number: Option<String>,
    /// The student's name.
    pub student_name: Option<String>,
}

/// An archive that was unpacked and waits.
#[derive(Debug, Clone)]
pub struct Batch {
    /// Its id.
    pub id: String,
    /// Its round.
    pub round: Round,
    /// What its files are for.
    pub kind: Kind,
    /// Its files, those that match nobody first.
    pub files: Vec<File>,
}

/// Unpacks an archive for a round, matches its names, and gives the batch's id.
///
/// # Errors
/// When it is damaged or too large, or students alone hand in what it is for.
pub fn take(app: &App, round: &Round, kind: Kind, archive: &Path, by: &str) -> Result<String, Fault> {
    if kind == Kind::Own {
        return refused(&BAD_FIELD, "kind");
    }
    let id = secret::new_id();
    let folder = app.data.join("batches").join(&id);
    std::fs::create_dir(&folder)?;
    let taken = unpack::unpack(archive, &folder, &app.limits).and_then(|names| {
        let files = names.iter().map(|name| {
            let content = std::fs::read(folder.join(name))?;
            Ok((name, content.len() as i64, secret::hexadecimal(&Sha256::digest(&content))))
        });
        let files: Vec<(&String, i64, String)> = files.collect::<Result<_, Fault>>()?;
        app.store.write(|t| {
            let students = numbers(t, round)?;
            let sql = "INSERT INTO batch VALUES (?1, ?2, ?3, ?4, ?5)";
            t.execute(sql, params![id, round.id, by, kind.as_str(), now()])?;
            for (n, (name, bytes, sha256)) in files.iter().enumerate() {
                let is_readable = submissions::ending(name).is_some() && *bytes > 0;
                let student = if is_readable { student_of(name, &students) } else { None };
                let file = format!("batches/{id}/{name}");
                let sql = "INSERT INTO batch_file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
                t.execute(sql, params![id, n as i64, name, file, bytes, sha256, student])?;
            }
            audit::record(t, Some(by), "upload_batch", &round.id, &names.len().to_string()).map_err(Fault::from)
        })
    });
    if let Err(fault) = taken {
        std::fs::remove_dir_all(&folder)?;
        return Err(fault);
    }
    Ok(id)
}

/// The students of a round, by their numbers.
fn numbers(connection: &Connection, round: &Round) -> Result<HashMap<String, String>, rusqlite::Error> {
    let sql = "SELECT number, id FROM person JOIN enrolment ON student = id WHERE round = ?1 AND number IS NOT NULL";
    connection.prepare(sql)?.query_map([&round.id], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// Whose a file is: the student's with whose number its name begins, up to the first character that no number has; else the
/// one's whose number is a part of it, if that is one alone.
fn student_of<'a>(name: &str, students: &'a HashMap<String, String>) -> Option<&'a String> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_border = |c: char| {
        matches!(c, '_' | '-' | ' ' | '+' | '，' | '、' | '－' | '＿' | '.' | '(' | '（' | ')' | '）' | '[' | ']')
    };
    // A number may have a dash itself: the longest beginning that is one counts.
    let ends = stem.char_indices().filter(|(_, c)| is_border(*c)).map(|(at, _)| at).chain([stem.len()]);
    if let Some(student) = ends.rev().find_map(|end| students.get(stem[..end].trim())) {
        return Some(student);
    }
    let parts: HashSet<&String> = stem.split(is_border).filter_map(|part| students.get(part)).collect();
    let mut parts = parts.into_iter();
    parts.next().filter(|_| parts.next().is_none())
}

/// A batch of a round that the caller administers.
///
/// # Errors
/// When there is none.
pub fn get(connection: &Connection, caller: &Caller, id: &str) -> Result<Batch, Fault> {
    let sql = "SELECT round, kind FROM batch WHERE id = ?1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
    let (round, kind) = connection.query_row(sql, [id], read).optional()?.ok_or(Fault::from(&NOT_FOUND))?;
    let round = Round::get(connection, &round)?;
    if Standing::of(connection, caller, &round)? != Some(Standing::Administers) {
        return Err((&NOT_FOUND).into());
    }
    let sql = "SELECT f.name, f.file, f.bytes, f.sha256, p.id, p.number, p.name FROM batch_file f \
               LEFT JOIN person p ON p.id = f.student WHERE batch = ?1 ORDER BY p.id IS NOT NULL, n";
    let read = |row: &rusqlite::Row<'_>| {
        Ok(File {
            name: row.get(0)?,
            file: row.get(1)?,
            bytes: row.get(2)?,
            sha256: row.get(3)?,
            student: row.get(4)?,
            number: row.get(5)?,
            student_name: row.get(6)?,
        })
    };
    let files = connection.prepare(sql)?.query_map([id], read)?.collect::<Result<_, _>>()?;
    Ok(Batch { id: id.to_owned(), round, kind: Kind::of(&kind).unwrap_or(Kind::Draft), files })
}

/// Takes in the files that match and gives the submissions' ids; the others are thrown away. The batch is gone then, and its
/// folder can be removed.
///
/// # Errors
/// When it was started already, or a file cannot be taken in: then none is.
pub fn start(t: &Transaction<'_>, app: &App, batch: &Batch, by: &str) -> Result<Vec<String>, Fault> {
    if t.execute("DELETE FROM batch_file WHERE batch = ?1", [&batch.id])? == 0 {
        return Err((&NOT_FOUND).into());
    }
    t.execute("DELETE FROM batch WHERE id = ?1", [&batch.id])?;
    let mut ids = Vec::new();
    for file in &batch.files {
        let Some(student) = &file.student else { continue };
        let File { name, file, bytes, sha256, .. } = file;
        let uploaded = Uploaded { file: file.clone(), name: name.clone(), bytes: *bytes, sha256: sha256.clone() };
        ids.push(submissions::receive(t, &app.data, &batch.round, student, batch.kind, &uploaded, by, Way::Batch)?);
    }
    Ok(ids)
}

/// Forgets the batches that were uploaded before a time and not started, and gives their ids; their folders can be removed.
///
/// # Errors
/// When the database cannot be written.
pub fn forget(t: &Transaction<'_>, before: i64) -> Result<Vec<String>, rusqlite::Error> {
    t.execute("DELETE FROM batch_file WHERE batch IN (SELECT id FROM batch WHERE made < ?1)", [before])?;
    let sql = "DELETE FROM batch WHERE made < ?1 RETURNING id";
    t.prepare_cached(sql)?.query_map([before], |row| row.get(0))?.collect()
}

/// Removes the files of a batch. After a restore the folder of one that held none is not there.
///
/// # Errors
/// When they are there and stay.
pub fn remove_files(data: &Path, id: &str) -> std::io::Result<()> {
    match std::fs::remove_dir_all(data.join("batches").join(id)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Starts a batch of the caller's, as a whole.
///
/// # Errors
/// Those of [`get`] and [`start`].
pub fn run(app: &App, caller: &Caller, id: &str) -> Result<(Batch, Vec<String>), Fault> {
    let batch = app.store.read(|c| get(c, caller, id))?;
    let ids = app.store.write(|t| start(t, app, &batch, &caller.person.id))?;
    remove_files(&app.data, id)?;
    app.pool.wake();
    Ok((batch, ids))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_without_files_is_removed_like_any_other() {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("batches/b1/thesis.txt");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "text").unwrap();
        for _ in 0..2 {
            remove_files(data.path(), "b1").unwrap();
            assert!(!file.exists());
        }
    }

    #[test]
    fn a_file_is_whose_number_its_name_begins_with_or_holds_alone() {
        let students =
            ["2022010101", "2022-7", "A1"].map(|number| (number.to_owned(), format!("id of {number}"))).into();
        let cases = [
            ("2022010101_张三_题目.docx", Some("2022010101")),
            ("2022010101-张三-基于深度学习的研究.pdf", Some("2022010101")),
            ("2022010101张三.docx", None),
            ("2022-7_李四_v2.docx", Some("2022-7")),
            ("A1.txt", Some("A1")),
            ("张三_2022010101.docx", Some("2022010101")),
            ("论文（2022010101）.docx", Some("2022010101")),
            ("张三_2022010101_A1.docx", None),
            ("20220101012_x.docx", None),
            (".docx", None),
        ];
        for (name, expected) in cases {
            let expected = expected.map(|number| format!("id of {number}"));
            assert_eq!(student_of(name, &students), expected.as_ref(), "{name}");
        }
    }
}
