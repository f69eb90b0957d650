//! A round: what was handed in, and what is handed in here.

use super::forms::{choice, file, line};
use super::layout::{Place, page, percent, time};
use super::start::{ratio_cells, who};
use super::words::{SENTENCES, Words};
use crate::fault::{BAD_FIELD, Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Listed, Wanted, of_round, supervisor_of};
use crate::people::Person;
use crate::rounds::{self, Round, Standing};
use crate::submissions::{self, Kind, Way};
use crate::{audit, collections};
use maud::{Markup, html};
use rusqlite::OptionalExtension;
use std::borrow::Cow;

/// How many submissions the page of a round shows.
const MOST: usize = 2000;

/// A round that the caller has to do with, and how.
///
/// # Errors
/// When it is none of his business.
pub fn of(call: &Call) -> Result<(Round, Standing), Fault> {
    let caller = call.caller()?;
    call.app.store.read(|c| {
        let round = Round::get(c, call.part("id")?)?;
        let standing = Standing::of(c, caller, &round)?.ok_or(Fault::from(&NOT_FOUND))?;
        Ok((round, standing))
    })
}

/// A round that the caller administers.
///
/// # Errors
/// When he does not.
pub fn administered(call: &Call) -> Result<Round, Fault> {
    match of(call)? {
        (round, Standing::Administers) => Ok(round),
        _ => Err((&NOT_ALLOWED).into()),
    }
}

/// The page of a round: for staff all submissions, for a student his own.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (round, standing) = of(call)?;
    let (words, caller) = (call.words(), call.caller()?);
    let title = html! {
        h1 { bdi { (round.title) } }
        p.byline { (if round.is_open() { words.open_now } else { words.not_open }) " · " (time(round.opens)) " – " (time(round.closes))
            " · " (words.student_sees) ": " (words.word(round.student_sees.as_str())) }
    };
    let rest = match standing {
        Standing::Studies => for_student(call, words, &round, &caller.person)?,
        _ => for_staff(call, words, &round, standing)?,
    };
    Ok(Reply::page(page(call, Place::Overview, &round.title, &html! { (title) (rest) })))
}

fn for_student(call: &Call, words: &Words, round: &Round, person: &Person) -> Result<Markup, Fault> {
    let (listed, left, next) = call.app.store.read(|c| {
        let wanted = Wanted { student: Some(&person.id), most: MOST, ..Wanted::default() };
        let left = submissions::left(c, round, &person.id)?;
        let next = submissions::next(c, round, &person.id)?;
        Ok::<_, Fault>((of_round(c, round, Standing::Studies, &wanted)?, left, next))
    })?;
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Own || round.self_checks > 0);
    Ok(html! {
        p { (words.left_checks) ": " b { (left.0) } @if round.self_checks > 0 { " · " (words.left_self) ": " b { (left.1) } }
            @if let Some(next) = next { " · " (words.next_check) ": " b { (time(next)) } } }
        @if round.is_open() { section aria-labelledby="upload" {
            h2 #upload { (words.upload_own) }
            form.box method="post" action={ "/rounds/" (round.id) "/submissions" } enctype="multipart/form-data" {
                (choice(words.kind, "kind", kinds.map(|kind| (kind.as_str().to_owned(), words.word(kind.as_str())))))
                (file(words.file, ".docx,.pdf,.odt,.doc,.wps,.rtf,.txt,.md,.html,.epub,.tex", false))
                button.main { (words.upload_own) }
            }
        } }
        section aria-labelledby="submissions" {
            h2 #submissions { (words.submissions) }
            @if listed.is_empty() { p.empty { (words.no_submissions) } } @else { div.scroll tabindex="0" { table {
                thead { tr { th scope="col" { (words.kind) } th scope="col" { (words.file) } th scope="col" { (words.received) } th scope="col" { (words.state) } } }
                tbody { @for listed in &listed { tr {
                    td { a href={ "/submissions/" (listed.submission.id) } { (words.word(listed.submission.kind.as_str())) " " (listed.submission.attempt) } }
                    td { bdi { (listed.submission.file_name.as_deref().unwrap_or_default()) } } td { (time(listed.submission.received)) } td { (words.word(&listed.state)) }
                } } }
            } } }
        }
    })
}

fn for_staff(call: &Call, words: &Words, round: &Round, standing: Standing) -> Result<Markup, Fault> {
    let caller = call.caller()?;
    let (listed, students, compared, templates) = call.app.store.read(|c| {
        let wanted = Wanted { supervisor: supervisor_of(standing, &caller.person.id), most: MOST, ..Wanted::default() };
        let students: i64 =
            c.query_row("SELECT count(*) FROM enrolment WHERE round = ?1", [&round.id], |row| row.get(0))?;
        let ids = rounds::compared(c, &round.id)?;
        let compared: Vec<_> = collections::all(c)?.into_iter().filter(|one| ids.contains(&one.id)).collect();
        let listed: Vec<Listed> = of_round(c, round, standing, &wanted)?;
        Ok::<_, Fault>((listed, students, compared, rounds::template_names(c, &round.id)?))
    })?;
    let address = format!("/rounds/{}", round.id);
    let manages = standing == Standing::Administers;
    Ok(html! {
        p {
            a href={ (address) "/students" } { (words.students) ": " (students) } " · " (words.submissions) ": " (listed.len()) " · " (words.limit_short) ": " (percent(round.limit_ratio))
            " · " (words.sheet) ": " a href={ (address) "/sheet.xlsx" } { "XLSX" } " " a href={ (address) "/sheet.pdf" } { "PDF" }
            @if manages { " · " a href={ (address) "/edit" } { (words.change_round) } }
        }
        p.hint { (words.compared_with) ": " @for (at, collection) in compared.iter().enumerate() { @if at > 0 { ", " } bdi { (collection.name) } } @if round.among { ", " (words.among_short) } }
        section aria-labelledby="submissions" {
            h2 #submissions { (words.submissions) }
            @if listed.is_empty() { p.empty { (words.no_submissions) } } @else { div.scroll tabindex="0" { table {
                thead { tr {
                    th scope="col" { (words.matched_student) } th scope="col" { (words.kind) } th.n scope="col" { (words.decided_ratio) } th.n scope="col" { (words.signs) }
                    th scope="col" { (words.verdict) } th scope="col" { (words.state) } th scope="col" { (words.received) }
                } }
                tbody { @for listed in &listed { tr {
                    td { a href={ "/submissions/" (listed.submission.id) } { (who(listed)) } }
                    td { (words.word(listed.submission.kind.as_str())) " " (listed.submission.attempt) }
                    (ratio_cells(listed, round))
                    td { (listed.verdict.as_deref().map_or(words.no_verdict, |verdict| words.word(verdict))) }
                    td { (words.word(&listed.state)) @if listed.state == "failed" { ": " bdi { (reason(call, listed.message.as_deref().unwrap_or_default())) } } }
                    td { (time(listed.submission.received)) }
                } } }
            } } }
        }
        @if manages {
            section aria-labelledby="batch" {
                h2 #batch { (words.upload_batch) }
                form.box method="post" action={ (address) "/batch" } enctype="multipart/form-data" {
                    p.hint { (words.batch_hint) }
                    (choice(words.kind, "kind", [Kind::Final, Kind::Draft].map(|kind| (kind.as_str().to_owned(), words.word(kind.as_str())))))
                    (file(words.file, ".zip", false))
                    button.main { (words.upload) }
                }
            }
            section aria-labelledby="one" {
                h2 #one { (words.upload_for) }
                form.box method="post" action={ (address) "/submissions" } enctype="multipart/form-data" {
                    (line(words.number, "student", "text", ""))
                    (choice(words.kind, "kind", [Kind::Final, Kind::Draft].map(|kind| (kind.as_str().to_owned(), words.word(kind.as_str())))))
                    (file(words.file, "", false))
                    button { (words.upload) }
                }
            }
            section aria-labelledby="templates" {
                h2 #templates { (words.templates) }
                @if !templates.is_empty() { ul { @for (id, name) in &templates { li { bdi { (name) } " "
                    form method="post" action={ (address) "/templates/" (id) } { button aria-label={ (words.remove) " " (name) } { (words.remove) } } } } } }
                form.box method="post" action={ (address) "/templates" } enctype="multipart/form-data" {
                    p.hint { (words.templates_hint) } (file(words.file, "", false)) button { (words.upload) }
                }
            }
            @if !compared.is_empty() { section aria-labelledby="deposit" {
                h2 #deposit { (words.deposit_all) }
                form.box method="post" action={ (address) "/deposit" } {
                    p.hint { (words.deposit_hint) }
                    (choice(words.collections, "collection", compared.iter().map(|collection| (collection.id.to_string(), collection.name.as_str()))))
                    button { (words.deposit_all) }
                }
            } }
        }
    })
}

/// Why a check failed, in the caller's language as far as it is known.
pub fn reason<'a>(call: &Call, said: &'a str) -> Cow<'a, str> {
    call.language.messages().sentence(said, SENTENCES)
}

/// Adds a template to the round.
pub fn add_template(call: &Call) -> Result<Reply, Fault> {
    let (round, by) = (administered(call)?, &call.caller()?.person);
    let uploaded = call.file()?;
    let Some(ending) = submissions::ending(&uploaded.name) else {
        return refused(&crate::fault::WRONG_KIND, &uploaded.name);
    };
    let file = format!("templates/{}.{ending}", crate::store::secret::new_id());
    call.app.store.write(|t| {
        let sql = "INSERT INTO round_template(round, name, file) VALUES (?1, ?2, ?3)";
        t.execute(sql, rusqlite::params![round.id, uploaded.name, file])?;
        audit::record(t, Some(&by.id), "add_template", &round.id, "")?;
        std::fs::rename(call.app.data.join(&uploaded.file), call.app.data.join(&file)).map_err(Fault::from)
    })?;
    Ok(Reply::to(format!("/rounds/{}", round.id)))
}

/// Takes a template away; reports that are there stay as they are.
pub fn remove_template(call: &Call) -> Result<Reply, Fault> {
    let (round, by, template) = (administered(call)?, &call.caller()?.person.id, call.number("template")?);
    let file = call.app.store.write(|t| {
        let sql = "DELETE FROM round_template WHERE id = ?1 AND round = ?2 RETURNING file";
        let file = t.query_row(sql, rusqlite::params![template, round.id], |row| row.get::<_, String>(0)).optional()?;
        audit::record(t, Some(by), "remove_template", &round.id, "")?;
        file.ok_or(Fault::from(&NOT_FOUND))
    })?;
    call.app.remove_files(&[file]);
    Ok(Reply::to(format!("/rounds/{}", round.id)))
}

/// Deposits all finals of the round that have passed, and gives how many.
///
/// # Errors
/// When the caller does not administer the round, or there is no such collection.
pub fn deposit_passed(call: &Call) -> Result<usize, Fault> {
    let (round, by, collection) = (administered(call)?, &call.caller()?.person.id, call.parsed("collection")?);
    let deposited = call.app.store.write(|t| submissions::deposit_passed(t, &round.id, collection, by))?;
    call.app.pool.wake();
    Ok(deposited)
}

/// Deposits all finals that have passed.
pub fn deposit(call: &Call) -> Result<Reply, Fault> {
    let deposited = deposit_passed(call)?;
    Ok(Reply::to(format!("/rounds/{}?done={deposited}", call.part("id")?)))
}

/// Hands a file in: a student his own, an administrator for a student.
pub fn submit(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/submissions/{}", take(call)?)))
}

/// Takes in the file of a request, and gives the submission's id.
///
/// # Errors
/// When the caller may not hand it in, or the round's rules are against it.
pub fn take(call: &Call) -> Result<String, Fault> {
    let (round, standing) = of(call)?;
    let caller = call.caller()?;
    let Some(kind) = Kind::of(&call.needed("kind")?) else { return refused(&BAD_FIELD, "kind") };
    let uploaded = call.file()?;
    let id = call.app.store.write(|t| {
        let (student, way) = match standing {
            Standing::Studies => (caller.person.id.clone(), Way::Student),
            Standing::Administers if kind != Kind::Own => {
                let student = Person::by_number(t, call.needed("student")?.trim())?;
                (student.ok_or(Fault::from(&crate::fault::NOT_ENROLLED))?.id, Way::Staff)
            }
            _ => return Err((&NOT_ALLOWED).into()),
        };
        submissions::receive(t, &call.app.data, &round, &student, kind, uploaded, &caller.person.id, way)
    })?;
    call.app.pool.wake();
    Ok(id)
}
