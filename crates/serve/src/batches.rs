//! Many submissions in one zip archive: names are matched to students, told, and only then queued.

use crate::app::App;
use crate::fault::{Fault, NOT_ENROLLED, NOT_FOUND, refused};
use crate::people::session::Caller;
use crate::queue::why::{self, Why};
use crate::rounds::{Round, Standing};
use crate::store::Transaction;
use crate::store::rows::{self, read_by_name};
use crate::submissions::{self, Kind};
use crate::{audit, folder};
use rusqlite::{Connection, ToSql, params};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

/// A file of an archive.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Member {
    /// Its number in the archive.
    pub n: i64,
    /// What it is called.
    pub name: String,
    /// Where it is, below the data folder.
    #[serde(skip)]
    pub file: String,
    /// Its bytes.
    pub bytes: i64,
    /// SHA-256 of it, hexadecimal.
    pub sha256: String,
    /// Whose it is, by id; none if it matches nobody. It is taken unless there is a problem.
    #[serde(skip)]
    pub student: Option<String>,
    /// The student's number.
    pub number: Option<String>,
    /// The student's name.
    pub student_name: Option<String>,
    /// Why it is not taken, in an English sentence.
    #[serde(serialize_with = "why::as_sentence")]
    #[schema(value_type = Option<String>)]
    pub problem: Option<Why>,
}

read_by_name!(Member: n name file bytes sha256 student number student_name problem);

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
    pub files: Vec<Member>,
}

/// The students of a round, by their numbers.
pub fn numbers(connection: &Connection, round: &Round) -> Result<HashMap<String, String>, rusqlite::Error> {
    let sql = "SELECT number, id FROM person JOIN enrolment ON student = id WHERE round = ?1 AND number IS NOT NULL";
    Ok(rows::all(connection, sql, [&round.id])?.into_iter().collect())
}

/// Whose a file is: the student's with whose number its name begins, up to the first character that no number has; else the
/// one's whose number is a part of it, if that is one alone.
pub fn student_of<'a>(name: &str, students: &'a HashMap<String, String>) -> Option<&'a String> {
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
    let (round, kind): (String, Kind) = rows::first(connection, sql, [id])?.ok_or(&NOT_FOUND)?;
    let (round, Standing::Administers) = Round::of(connection, caller, &round)? else {
        return Err((&NOT_FOUND).into());
    };
    let sql = "SELECT f.n, f.name, f.file, f.bytes, f.sha256, p.id AS student, p.number, p.name AS student_name, f.problem FROM batch_file f \
               LEFT JOIN person p ON p.id = f.student WHERE batch = ?1 ORDER BY p.id IS NOT NULL, n";
    Ok(Batch { id: id.to_owned(), round, kind, files: rows::all(connection, sql, [id])? })
}

/// Gives a file of a batch to the student of a number, and tells whose it is now.
///
/// # Errors
/// When there is no such file, it is damaged, or nobody of this number is in the round.
pub fn give(t: &Transaction<'_>, caller: &Caller, id: &str, n: i64, number: &str) -> Result<(), Fault> {
    let batch = get(t, caller, id)?;
    let file = batch.files.iter().find(|file| file.n == n).ok_or(&NOT_FOUND)?;
    // What could not be read stays so, whoever's it is.
    if file.student.is_none() && file.problem.is_some() {
        return Err((&NOT_FOUND).into());
    }
    let students = numbers(t, &batch.round)?;
    let Some(student) = students.get(number) else { return refused(&NOT_ENROLLED, number) };
    let why = submissions::why_not(t, &batch.round, student, batch.kind, &file.sha256)?;
    let sql = "UPDATE batch_file SET student = ?3, problem = ?4 WHERE batch = ?1 AND n = ?2";
    t.execute(sql, params![id, n, student, why.map(|why| why.stored())])?;
    audit::record(t, Some(&caller.person.id), audit::Action::GiveFile, &batch.round.id, student)
}

/// The batches of a round that wait: their ids, when each was uploaded, and how many files it has.
///
/// # Errors
/// When the database cannot be read.
pub fn waiting(connection: &Connection, round: &str) -> Result<Vec<(String, i64, i64)>, rusqlite::Error> {
    let sql = "SELECT id, made, (SELECT count(*) FROM batch_file WHERE batch = id) FROM batch WHERE round = ?1 ORDER BY made DESC, id";
    rows::all(connection, sql, [round])
}

/// Throws away the batches that were uploaded before a time and not started.
///
/// # Errors
/// When they cannot be removed.
pub fn forget_before(app: &App, before: i64) -> Result<(), Fault> {
    for id in app.store.write(|t| forget(t, "made < ?1", before))? {
        folder::remove(&app.data.join("batches").join(id))?;
    }
    Ok(())
}

/// Forgets the batches of this condition, and gives their ids; their folders can be removed.
pub fn forget(t: &Transaction<'_>, condition: &str, value: impl ToSql) -> Result<Vec<String>, rusqlite::Error> {
    let files = format!("DELETE FROM batch_file WHERE batch IN (SELECT id FROM batch WHERE {condition})");
    t.execute(&files, [&value])?;
    rows::all(t, &format!("DELETE FROM batch WHERE {condition} RETURNING id"), [&value])
}

#[cfg(test)]
mod tests {
    use super::*;

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
