//! How far work on many is: a round's checks, what is done to a collection. Pages ask again while it is under way.

use super::layout::duration;
use super::words::Words;
use crate::collections;
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::rounds::{Round, Standing};
use crate::store::{now, rows};
use maud::{Markup, html};
use rusqlite::{Connection, params};

/// Work of which some is not over: how much there is, how much of that is over and has failed, and since when it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    all: i64,
    over: i64,
    failed: i64,
    since: i64,
}

crate::store::rows::read_by_name!(Progress: all over failed since);

/// The submissions of a round: those that wait, and those that were done since the first of them came.
const OF_ROUND: &str = "WITH last AS (SELECT j.state, j.made, j.ended FROM submission s \
     JOIN job j ON j.id = (SELECT max(id) FROM job WHERE submission = s.id AND NOT coalesce(json_extract(detail, '$.beside'), 0)) \
     WHERE s.round = ?1 AND s.state = 'kept' AND s.kind != 'self' AND (?2 IS NULL OR EXISTS \
     (SELECT 1 FROM enrolment e WHERE e.round = s.round AND e.student = s.student AND e.supervisor = ?2)))";
/// What is done to an index.
const OF_FOLDER: &str =
    "WITH last AS (SELECT state, made, ended FROM job WHERE folder = ?1 AND kind IN ('fill', 'remove') AND ?2 IS NULL)";

/// The work that is under way, if some is.
fn under_way(
    c: &Connection,
    last: &str,
    of: &str,
    supervisor: Option<&str>,
) -> Result<Option<Progress>, rusqlite::Error> {
    let sql = format!(
        "{last}, wave(since) AS (SELECT min(made) FROM last WHERE state IN ('queued', 'running')) \
         SELECT count(*) AS \"all\", coalesce(sum(ended IS NOT NULL), 0) AS over, coalesce(sum(state = 'failed'), 0) AS failed, since \
         FROM last, wave WHERE since IS NOT NULL AND (ended IS NULL OR ended >= since) GROUP BY since"
    );
    rows::first(c, &sql, params![of, supervisor])
}

/// The work under way on a round, as far as the caller sees it.
///
/// # Errors
/// When the database cannot be read.
pub fn of_round(c: &Connection, round: &Round, supervisor: Option<&str>) -> Result<Option<Progress>, rusqlite::Error> {
    under_way(c, OF_ROUND, &round.id, supervisor)
}

/// The work under way on an index.
///
/// # Errors
/// When the database cannot be read.
pub fn of_folder(c: &Connection, folder: &str) -> Result<Option<Progress>, rusqlite::Error> {
    under_way(c, OF_FOLDER, folder, None)
}

/// A box that follows the work at an address; none where nothing is under way.
pub fn followed(words: &Words, progress: Option<Progress>, address: &str) -> Markup {
    html! { @if let Some(progress) = progress {
        div.box data-follow=(address) data-finished=(words.finished_reload) role="status" { (told(words, progress)) }
        noscript { p { a href="" { (words.reload) } } }
    } }
}

fn told(words: &Words, Progress { all, over, failed, since }: Progress) -> Markup {
    // From what was done so far; nothing is known before something was.
    let left = (over > 0).then(|| (now() - since).max(0) * (all - over) / over);
    html! {
        p { (words.in_progress) (words.colon) b { (over) " / " (all) }
            @if failed > 0 { " · " (words.failed) (words.colon) (failed) }
            @if let Some(left) = left { " · " (words.time_left) (words.colon) (duration(left)) } }
        progress max=(all) value=(over) aria-label=(words.in_progress) {}
    }
}

fn reply(words: &Words, progress: Option<Progress>, each: &[(String, i64)]) -> Reply {
    Reply::page(html! { @if let Some(progress) = progress {
        (told(words, progress))
        ul { @for (name, per_cent) in each { li { bdi { (name) } " " progress max="100" value=(per_cent) aria-label=(name) {} } } }
    } })
}

/// The theses of a round that are being checked now, with the per cent that are done.
fn each(c: &Connection, round: &Round) -> Result<Vec<(String, i64)>, rusqlite::Error> {
    let sql = "SELECT coalesce(file_name, ''), progress FROM job JOIN submission ON submission.id = job.submission \
               WHERE submission.round = ?1 AND job.state = 'running' ORDER BY job.id";
    rows::all(c, sql, [&round.id])
}

/// How far a round is: nothing when nothing is under way.
pub fn round(call: &Call) -> Result<Reply, Fault> {
    let caller = call.caller()?;
    let (progress, each) = call.app.read(|c| {
        let (round, standing) = Round::of(c, caller, call.part("id")?)?;
        if standing == Standing::Studies {
            return Err((&NOT_FOUND).into());
        }
        // Names of files tell whose they are, so only whoever put them in is told.
        let each = if call.app.desk.is_some() { each(c, &round)? } else { Vec::new() };
        Ok((of_round(c, &round, crate::listing::supervisor_of(standing, &caller.person.id))?, each))
    })?;
    Ok(reply(call.words(), progress, &each))
}

/// How far the work on a collection is.
pub fn collection(call: &Call) -> Result<Reply, Fault> {
    let progress = call.app.read(|c| Ok(of_folder(c, &collections::get(c, call.number("id")?)?.folder)?))?;
    Ok(reply(call.words(), progress, &[]))
}
