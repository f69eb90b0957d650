//! Many submissions in one zip archive: names are matched to students, shown, and only then queued.

use super::layout::{Place, page};
use super::round::administered;
use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::rounds::{Round, Standing};
use crate::store::{now, secret};
use crate::submissions::{self, Kind, Uploaded, Way};
use crate::{audit, unpack};
use maud::html;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Unpacks an archive and matches its names.
pub fn upload(call: &Call) -> Result<Reply, Fault> {
    let (round, by) = (administered(call)?, &call.caller()?.person.id);
    let kind = match Kind::of(&call.needed("kind")?) {
        Some(kind) if kind != Kind::Own => kind,
        _ => return refused(&BAD_FIELD, "kind"),
    };
    let archive = call.app.data.join(&call.file()?.file);
    let id = secret::new_id();
    let folder = call.app.data.join("batches").join(&id);
    std::fs::create_dir(&folder)?;
    let taken = unpack::unpack(&archive, &folder, &call.app.limits).and_then(|names| {
        call.app.store.write(|t| {
            let students = numbers(t, &round)?;
            let sql = "INSERT INTO batch VALUES (?1, ?2, ?3, ?4, ?5)";
            t.execute(sql, params![id, round.id, by, kind.as_str(), now()])?;
            for (n, name) in names.iter().enumerate() {
                let content = std::fs::read(folder.join(name))?;
                let sha256 = secret::hexadecimal(&Sha256::digest(&content));
                let student = match submissions::ending(name) {
                    Some(_) if !content.is_empty() => number_of(name, &students),
                    _ => None,
                };
                let (file, bytes) = (format!("batches/{id}/{name}"), content.len() as i64);
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
    Ok(Reply::to(format!("/batches/{id}")))
}

/// The students of a round, by their numbers.
fn numbers(connection: &Connection, round: &Round) -> Result<HashMap<String, String>, rusqlite::Error> {
    let sql = "SELECT number, id FROM person JOIN enrolment ON student = id WHERE round = ?1 AND number IS NOT NULL";
    connection.prepare(sql)?.query_map([&round.id], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The student whose number a file's name begins with, up to the first character that no number has.
fn number_of<'a>(name: &str, students: &'a HashMap<String, String>) -> Option<&'a String> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_border = |c: char| matches!(c, '_' | '-' | ' ' | '+' | '，' | '、' | '－' | '＿' | '.' | '(' | '（');
    // A number may have a dash itself: the longest beginning that is one counts.
    let ends = stem.char_indices().filter(|(_, c)| is_border(*c)).map(|(at, _)| at).chain([stem.len()]);
    ends.rev().find_map(|end| students.get(stem[..end].trim()))
}

struct File {
    name: String,
    file: String,
    bytes: i64,
    sha256: String,
    student: Option<(String, String)>,
}

/// A batch of a round that the caller administers.
fn of(call: &Call) -> Result<(Round, Kind, Vec<File>), Fault> {
    let (caller, id) = (call.caller()?, call.part("id")?);
    call.app.store.read(|c| {
        let sql = "SELECT round, kind FROM batch WHERE id = ?1";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let (round, kind) = c.query_row(sql, [id], read).optional()?.ok_or(Fault::from(&NOT_FOUND))?;
        let round = Round::get(c, &round)?;
        if Standing::of(c, caller, &round)? != Some(Standing::Administers) {
            return Err((&NOT_FOUND).into());
        }
        let sql = "SELECT f.name, f.file, f.bytes, f.sha256, p.id, p.number || ' ' || p.name FROM batch_file f \
                   LEFT JOIN person p ON p.id = f.student WHERE batch = ?1 ORDER BY p.id IS NOT NULL, n";
        let read = |row: &rusqlite::Row<'_>| {
            let student: (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
            Ok(File {
                name: row.get(0)?,
                file: row.get(1)?,
                bytes: row.get(2)?,
                sha256: row.get(3)?,
                student: student.0.zip(student.1),
            })
        };
        let files = c.prepare(sql)?.query_map([id], read)?.collect::<Result<_, _>>()?;
        Ok((round, Kind::of(&kind).unwrap_or(Kind::Draft), files))
    })
}

/// Shows which file is whose; those that match nobody come first.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (round, _, files) = of(call)?;
    let words = call.words();
    let matched = files.iter().filter(|file| file.student.is_some()).count();
    let body = html! {
        h1 { (words.batch) }
        p { a href={ "/rounds/" (round.id) } { bdi { (round.title) } } }
        div.scroll tabindex="0" { table {
            thead { tr { th scope="col" { (words.file) } th scope="col" { (words.matched_student) } } }
            tbody { @for file in &files { tr {
                td { bdi { (file.name) } }
                td { @match &file.student { Some((_, student)) => bdi { (student) }, None => span.above { (words.no_match) } } }
            } } }
        } }
        @if matched == 0 { p.alert { (words.batch_none) } } @else {
            form method="post" action={ "/batches/" (call.part("id")?) } { button.main { (words.batch_start) " (" (matched) ")" } }
        }
    };
    Ok(Reply::page(page(call, Place::Overview, words.batch, &body)))
}

/// Queues the files that match; the others are thrown away.
pub fn start(call: &Call) -> Result<Reply, Fault> {
    let (round, kind, files) = of(call)?;
    let (id, by) = (call.part("id")?, &call.caller()?.person.id);
    call.app.store.write(|t| {
        if t.execute("DELETE FROM batch_file WHERE batch = ?1", [id])? == 0 {
            return Err((&NOT_FOUND).into());
        }
        t.execute("DELETE FROM batch WHERE id = ?1", [id])?;
        for file in &files {
            let Some((student, _)) = &file.student else { continue };
            let File { name, file, bytes, sha256, .. } = file;
            let uploaded = Uploaded { file: file.clone(), name: name.clone(), bytes: *bytes, sha256: sha256.clone() };
            submissions::receive(t, &call.app.data, &round, student, kind, &uploaded, by, Way::Batch)?;
        }
        Ok::<_, Fault>(())
    })?;
    std::fs::remove_dir_all(call.app.data.join("batches").join(id))?;
    call.app.pool.wake();
    Ok(Reply::to(format!("/rounds/{}", round.id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_with_the_number_of_a_student() {
        let students =
            ["2022010101", "2022-7", "A1"].map(|number| (number.to_owned(), format!("id of {number}"))).into();
        let cases = [
            ("2022010101_张三_题目.docx", Some("2022010101")),
            ("2022010101-张三-基于深度学习的研究.pdf", Some("2022010101")),
            ("2022010101张三.docx", None),
            ("2022-7_李四_v2.docx", Some("2022-7")),
            ("A1.txt", Some("A1")),
            ("张三_2022010101.docx", None),
            ("20220101012_x.docx", None),
            (".docx", None),
        ];
        for (name, expected) in cases {
            let expected = expected.map(|number| format!("id of {number}"));
            assert_eq!(number_of(name, &students), expected.as_ref(), "{name}");
        }
    }
}
