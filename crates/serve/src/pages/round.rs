//! A round: made by an administrator, filled with students, and the list of what was handed in.

use super::forms::{choice, file, line, optional, tick};
use super::layout::{Place, page, percent, time};
use super::start::{ratio_cells, who};
use super::words::Words;
use crate::fault::{BAD_FIELD, Fault, NOT_ALLOWED, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Listed, Wanted, of_round, supervisor_of};
use crate::people::import::import;
use crate::people::{Person, Role, unit_and_above, units};
use crate::rounds::{self, NewRound, Round, Standing, StudentSees};
use crate::submissions::{self, Kind, Way};
use crate::{audit, collections};
use maud::{Markup, html};

/// How many submissions the page of a round shows.
const MOST: usize = 2000;

/// The form of a new round.
pub fn new(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (all, units, earlier) =
        call.app.store.read(|c| Ok::<_, Fault>((collections::all(c)?, units(c)?, rounds::visible(c, caller)?)))?;
    let sees = StudentSees::ALL.map(|sees| (sees.as_str().to_owned(), words.word(sees.as_str())));
    let previous = earlier.iter().map(|(round, _)| (round.id.clone(), round.title.as_str()));
    let body = html! {
        h1 { (words.new_round) }
        @if all.is_empty() { p.empty { (words.no_collections) " " a href="/collections" { (words.collections) } } }
        form.box method="post" action="/rounds" {
            (line(words.title, "title", "text", ""))
            (choice(words.unit, "unit", units.iter().map(|unit| (unit.id.to_string(), unit.name.as_str()))))
            (line(words.opens, "opens", "datetime-local", ""))
            (line(words.closes, "closes", "datetime-local", ""))
            (line(words.quota, "quota", "number", "2"))
            (line(words.interval_hours, "interval_hours", "number", "72"))
            (line(words.self_checks, "self_checks", "number", "0"))
            (line(words.limit, "limit", "number", "20"))
            (choice(words.student_sees, "student_sees", sees))
            (choice(words.previous, "previous", std::iter::once((String::new(), words.none)).chain(previous)))
            (optional(words.keep_days, "keep_days", "number"))
            (tick(words.anonymous, "anonymous"))
            label.line { input type="checkbox" name="among" value="1" checked; span { (words.among) } }
            fieldset {
                legend { (words.compared_with) }
                @for collection in &all { label.line { input type="checkbox" name="collections" value=(collection.id); span { bdi { (collection.name) } } } }
            }
            button.main { (words.create) }
        }
    };
    Ok(Reply::page(page(call, Place::Overview, words.new_round, &body)))
}

/// A date and time of a form, in UTC.
fn moment(call: &Call, name: &str) -> Result<i64, Fault> {
    let given = call.needed(name)?;
    let moment = given.parse::<jiff::civil::DateTime>().ok().and_then(|at| at.to_zoned(jiff::tz::TimeZone::UTC).ok());
    moment.map(|at| at.timestamp().as_second()).map_or_else(|| refused(&BAD_FIELD, name), Ok)
}

/// Makes a round from the form.
pub fn create(call: &Call) -> Result<Reply, Fault> {
    let limit: f64 = call.parsed("limit")?;
    let interval: i64 = call.parsed("interval_hours")?;
    let new = NewRound {
        unit: call.parsed("unit")?,
        title: call.needed("title")?,
        opens: moment(call, "opens")?,
        closes: moment(call, "closes")?,
        quota: call.parsed("quota")?,
        interval_s: interval.saturating_mul(3600),
        self_checks: call.parsed("self_checks")?,
        limit_ratio: limit / 100.0,
        student_sees: StudentSees::of(&call.needed("student_sees")?),
        anonymous: call.field("anonymous").is_some(),
        among: call.field("among").is_some(),
        keep_days: call.field("keep_days").map(|_| call.parsed("keep_days")).transpose()?,
        previous: call.field("previous"),
        collections: call.all("collections").iter().filter_map(|id| id.parse().ok()).collect(),
    };
    Ok(Reply::to(format!("/rounds/{}", make(call, &new)?)))
}

/// Makes a round, if the caller administers its unit.
///
/// # Errors
/// When he does not, or a field is wrong.
pub fn make(call: &Call, new: &NewRound) -> Result<String, Fault> {
    let caller = call.caller()?;
    call.app.store.write(|t| {
        if !caller.person.has(Role::Administrator, &unit_and_above(t, new.unit)?) {
            return Err((&NOT_ALLOWED).into());
        }
        let id = rounds::create(t, new)?;
        audit::record(t, Some(&caller.person.id), "create_round", &id, "")?;
        collections::make_index(&call.app.data, &format!("rounds/{id}"))?;
        Ok(id)
    })
}

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
    let (listed, left) = call.app.store.read(|c| {
        let wanted = Wanted { student: Some(&person.id), most: MOST, ..Wanted::default() };
        Ok::<_, Fault>((of_round(c, round, Standing::Studies, &wanted)?, submissions::left(c, round, &person.id)?))
    })?;
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Own || round.self_checks > 0);
    Ok(html! {
        p { (words.left_checks) ": " b { (left.0) } @if round.self_checks > 0 { " · " (words.left_self) ": " b { (left.1) } } }
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
    let (listed, students): (Vec<Listed>, i64) = call.app.store.read(|c| {
        let wanted = Wanted { supervisor: supervisor_of(standing, &caller.person.id), most: MOST, ..Wanted::default() };
        let students = c.query_row("SELECT count(*) FROM enrolment WHERE round = ?1", [&round.id], |row| row.get(0))?;
        Ok::<_, Fault>((of_round(c, round, standing, &wanted)?, students))
    })?;
    let address = format!("/rounds/{}", round.id);
    Ok(html! {
        p { (words.students) ": " (students) " · " (words.submissions) ": " (listed.len()) " · " (words.limit) ": " (percent(round.limit_ratio)) " · " a href={ (address) "/sheet.xlsx" } { (words.sheet) } }
        section aria-labelledby="submissions" {
            h2 #submissions { (words.submissions) }
            @if listed.is_empty() { p.empty { (words.no_submissions) } } @else { div.scroll tabindex="0" { table {
                thead { tr {
                    th scope="col" { (words.student) } th scope="col" { (words.kind) } th.n scope="col" { (words.decided_ratio) } th.n scope="col" { (words.signs) }
                    th scope="col" { (words.verdict) } th scope="col" { (words.state) } th scope="col" { (words.received) }
                } }
                tbody { @for listed in &listed { tr {
                    td { a href={ "/submissions/" (listed.submission.id) } { (who(listed)) } }
                    td { (words.word(listed.submission.kind.as_str())) " " (listed.submission.attempt) }
                    (ratio_cells(listed, round))
                    td { (listed.verdict.as_deref().map_or(words.no_verdict, |verdict| words.word(verdict))) }
                    td { (words.word(&listed.state)) @if listed.state == "failed" { " " bdi { (listed.message.as_deref().unwrap_or_default()) } } }
                    td { (time(listed.submission.received)) }
                } } }
            } } }
        }
        @if standing == Standing::Administers {
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
            section aria-labelledby="enrol" {
                h2 #enrol { (words.enrol) }
                form.box method="post" action={ (address) "/students" } enctype="multipart/form-data" {
                    p.hint { (words.enrol_hint) } (file(words.file, ".csv", false)) button { (words.enrol) }
                }
            }
            section aria-labelledby="templates" {
                h2 #templates { (words.templates) }
                form.box method="post" action={ (address) "/templates" } enctype="multipart/form-data" {
                    p.hint { (words.templates_hint) } (file(words.file, "", false)) button { (words.upload) }
                }
            }
        }
    })
}

/// Puts the students of a list into the round.
pub fn enrol(call: &Call) -> Result<Reply, Fault> {
    let (round, by) = (administered(call)?, &call.caller()?.person);
    let list = call.list()?;
    call.app.store.write(|t| {
        let listed = import(t, &list)?;
        // Who administers one unit makes no administrators of another.
        if !by.has_everywhere(Role::Administrator)
            && listed.iter().any(|listed| matches!(listed.role, Role::Administrator | Role::Auditor))
        {
            return refused(
                &NOT_ALLOWED,
                "only an administrator of the whole institution adds administrators and auditors",
            );
        }
        let enrolled = rounds::enrol(t, &round.id, &listed)?;
        audit::record(t, Some(&by.id), "enrol", &round.id, &enrolled.to_string()).map_err(Fault::from)
    })?;
    Ok(Reply::to(format!("/rounds/{}", round.id)))
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
