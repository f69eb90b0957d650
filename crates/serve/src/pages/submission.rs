//! A submission: its figures, its report, and what staff decide about it. What a student's browser gets is made of the
//! redacted report alone.

use super::forms::choice;
use super::layout::{Place, page, percent, time};
use super::report_sheet;
use super::round::reason;
use super::words::Words;
use crate::collections;
use crate::fault::{BAD_FIELD, Fault, NOT_ALLOWED, NOT_FOUND, NOT_READY, NOT_SHOWN, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::Person;
use crate::queue::order::document_id;
use crate::queue::{self, Status};
use crate::reports::{self, decisions, figures, redact};
use crate::rounds::Standing;
use crate::store::now;
use crate::submissions::{self, Kind, Seen, Shown, VERDICTS, View};
use crate::{audit, erase};
use copytrace::check::{Ratios, Report};
use copytrace::report::{html::page as report_page, json};
use maud::{Markup, html};
use rusqlite::params;

/// How many sources the page lists; the report has all.
const MOST_SOURCES: usize = 50;

/// The submission of the path, as the caller sees it.
pub fn seen(call: &Call) -> Result<Seen, Fault> {
    let caller = call.caller()?;
    call.app.store.read(|c| submissions::see(c, caller, call.part("id")?))
}

/// The same, for one who decides on it.
fn deciding(call: &Call) -> Result<Seen, Fault> {
    let seen = seen(call)?;
    if seen.view == View::Decides { Ok(seen) } else { Err((&NOT_ALLOWED).into()) }
}

/// The report as the caller may see it: as it is, or redacted.
///
/// # Errors
/// When there is none yet, or it is not shown.
pub fn visible_report(call: &Call, seen: &Seen) -> Result<Report, Fault> {
    let (id, closed) = (&seen.submission.id, call.words().closed_source);
    call.app.store.read(|c| {
        let kept = reports::kept(c, id)?;
        let has_verdict = submissions::verdict(c, id)?.is_some();
        match seen.view {
            View::Decides | View::Reads if seen.shows_names(has_verdict) => kept.report(),
            View::Decides | View::Reads => kept.report().map(redact::without_author),
            View::Student => match seen.shown_to_student(has_verdict) {
                Shown::Report => kept.for_student(c, closed),
                Shown::Ratio | Shown::Nothing => Err((&NOT_SHOWN).into()),
            },
        }
    })
}

/// The product's page of the report.
pub fn report(call: &Call) -> Result<Reply, Fault> {
    let seen = seen(call)?;
    let report = visible_report(call, &seen)?;
    Ok(Reply::report(report_page::render(&report, call.language.messages())?))
}

/// The report as PDF.
pub fn report_pdf(call: &Call) -> Result<Reply, Fault> {
    let seen = seen(call)?;
    let report = visible_report(call, &seen)?;
    let (words, id) = (call.words(), &seen.submission.id);
    let (named, person) = call.app.store.read(|c| {
        let named = seen.shows_names(submissions::verdict(c, id)?.is_some());
        Ok::<_, Fault>((named, Person::kept(c, &seen.submission.student)?))
    })?;
    let whose = match person.filter(|_| named) {
        Some(person) => format!("{} {}", person.number.as_deref().unwrap_or_default(), person.label()),
        None => format!("№ {}", &id[..8]),
    };
    let kind = format!("{} {}", words.word(seen.submission.kind.as_str()), seen.submission.attempt);
    let mut about = vec![format!("{whose} · {kind} · {}", time(seen.submission.received)), seen.round.title.clone()];
    if named && let Some(name) = &seen.submission.file_name {
        about.push(name.clone());
    }
    let pdf = report_sheet::render(&report, call.language.messages(), &about);
    Ok(Reply::file("application/pdf", &format!("report-{}.pdf", &id[..8]), pdf))
}

/// The report as JSON: to staff the bytes that the program gives for the same file, library and settings.
pub fn report_json(call: &Call) -> Result<Reply, Fault> {
    let seen = seen(call)?;
    let id = &seen.submission.id;
    let (kept, has_verdict) =
        call.app.store.read(|c| Ok::<_, Fault>((reports::kept(c, id)?, submissions::verdict(c, id)?.is_some())))?;
    if seen.view != View::Student && seen.shows_names(has_verdict) {
        return Ok(Reply::bytes("application/json", kept.json));
    }
    Ok(Reply::bytes("application/json", json::render(&visible_report(call, &seen)?)?.into_bytes()))
}

/// The page of a submission.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (seen, words) = (seen(call)?, call.words());
    let id = &seen.submission.id;
    let (status, verdict, named, person) = call.app.store.read(|c| {
        let verdict = submissions::verdict(c, id)?;
        let named = seen.shows_names(verdict.is_some());
        let sql = "SELECT coalesce(number, ''), coalesce(name, '') FROM person WHERE id = ?1";
        let person: (String, String) =
            c.query_row(sql, [&seen.submission.student], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok::<_, Fault>((queue::status(c, id)?, verdict, named, person))
    })?;
    let submission = &seen.submission;
    let title = format!("{} {}", words.word(submission.kind.as_str()), submission.attempt);
    let body = html! {
        h1 { (title) @if named { " · " bdi { (person.0) " " (person.1) } } @else { " · № " (&id[..8]) } }
        p.byline {
            a href={ "/rounds/" (seen.round.id) } { bdi { (seen.round.title) } } " · " (time(submission.received))
            @if named { @if let Some(name) = &submission.file_name { " · " bdi { (name) } } }
        }
        @if let Some(status) = &status { (state(call, words, &seen, status)) }
        @if let Some(verdict) = &verdict {
            p.box { b { (words.verdict) ": " (words.word(&verdict.verdict)) } " · " (time(verdict.made)) @if !verdict.comment.is_empty() { br; bdi { (verdict.comment) } } }
        }
        (results(call, words, &seen, verdict.is_some())?)
        @if seen.view == View::Decides { (manage(call, words, &seen)?) }
    };
    Ok(Reply::page(page(call, Place::Overview, &title, &body)))
}

fn state(call: &Call, words: &Words, seen: &Seen, status: &Status) -> Markup {
    let address = format!("/submissions/{}", seen.submission.id);
    html! {
        @if status.is_over() {
            @if status.state != "done" { p.alert role="alert" { (words.word(&status.state)) @if let Some(message) = &status.message { ": " bdi { (reason(call, message)) } } } }
        } @else {
            div.box data-events={ (address) "/events" } role="status" {
                p { (words.waiting) @if status.before > 0 { " (" (status.before) " " (words.before) ")" } }
                label { span { (words.word(&status.state)) } " " progress max="100" value=(status.progress) {} }
                form method="post" action={ (address) "/cancel" } { button { (words.cancel) } }
            }
        }
    }
}

fn results(call: &Call, words: &Words, seen: &Seen, has_verdict: bool) -> Result<Markup, Fault> {
    let id = &seen.submission.id;
    let Some(found) = call.app.store.read(|c| figures(c, id))? else { return Ok(html! {}) };
    let shown = match seen.view {
        View::Student => seen.shown_to_student(has_verdict),
        View::Decides | View::Reads => Shown::Report,
    };
    if shown == Shown::Nothing {
        return Ok(html! { p.empty { (words.not_shown) } });
    }
    if shown == Shown::Ratio {
        return Ok(
            html! { (figure(words.ratio, found.copy_ratio, found.decided_ratio, words)) p.hint { (words.not_shown) } },
        );
    }
    let report = visible_report(call, seen)?;
    let made = call.app.store.read(|c| decisions::all(c, id))?;
    // Decisions name sources by the report's own names, which a student's has not.
    let decided = match seen.view {
        View::Student => None,
        View::Decides | View::Reads => Some(decisions::ratios(&report, &made)),
    };
    Ok(html! {
        section aria-labelledby="figures-heading" {
            h2 #figures-heading { (words.figures) }
            (ratios(call, &report.ratios, decided.as_ref(), found.decided_ratio, words))
            p { a.button href={ "/submissions/" (id) "/report" } { (words.open_report) } " " a href={ "/submissions/" (id) "/report.pdf" } { "PDF" } }
        }
        @if seen.view != View::Student {
            (later(call, words, seen)?)
            (sources(words, seen, &report))
            (decided_list(call, words, seen, &made)?)
        }
    })
}

fn figure(label: &str, ratio: f64, decided: f64, words: &Words) -> Markup {
    html! {
        div.figure { p.label { (label) } p.value { (percent(ratio)) }
            @if ratio != decided { p.of { (words.decided_ratio) ": " b { (percent(decided)) } } } }
    }
}

fn ratios(call: &Call, ratios: &Ratios, decided: Option<&Ratios>, decided_all: f64, words: &Words) -> Markup {
    let labels = call.language.messages();
    let of = |pick: fn(&Ratios) -> f64| (pick(ratios), decided.map_or(pick(ratios), pick));
    let all = (ratios.all.ratio, decided.map_or(decided_all, |decided| decided.all.ratio));
    let figures = [
        (labels.all, all),
        (labels.without_quotes, of(|ratios| ratios.without_quotes.ratio)),
        (labels.without_own_work, of(|ratios| ratios.without_own_work.ratio)),
        (labels.largest_source, of(|ratios| ratios.largest_source.ratio)),
        (labels.in_short_runs, of(|ratios| ratios.in_short_runs.ratio)),
    ];
    html! { div #figures { @for (label, (ratio, decided)) in figures { (figure(label, ratio, decided, words)) } } }
}

/// Submissions that came later and name this one as a source: their authors may have it from here, or both from elsewhere.
fn later(call: &Call, words: &Words, seen: &Seen) -> Result<Markup, Fault> {
    let caller = call.caller()?;
    let sql = "SELECT meeting.submission, meeting.ratio FROM meeting JOIN submission ON submission.id = meeting.submission \
               WHERE source = ?1 AND characters > 0 AND submission.state = 'kept' ORDER BY meeting.ratio DESC, meeting.submission LIMIT 50";
    let found = call.app.store.read(|c| {
        let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, f64>(1)?));
        let found = c
            .prepare_cached(sql)?
            .query_map([document_id(&seen.submission.id)], read)?
            .collect::<Result<Vec<_>, _>>()?;
        // A supervisor sees those of his own students.
        Ok::<_, Fault>(found.into_iter().filter(|(id, _)| submissions::see(c, caller, id).is_ok()).collect::<Vec<_>>())
    })?;
    Ok(html! { @if !found.is_empty() { section aria-labelledby="later" {
        h2 #later { (words.later) }
        ul { @for (id, ratio) in found { li { a href={ "/submissions/" (id) } { "№ " (&id[..8]) } " · " (percent(ratio)) } } }
    } } })
}

fn sources(words: &Words, seen: &Seen, report: &Report) -> Markup {
    let address = format!("/submissions/{}/decisions", seen.submission.id);
    let passages = |rank: usize| report.passages.iter().enumerate().filter(move |(_, passage)| passage.source == rank);
    html! { section aria-labelledby="sources" {
        h2 #sources { (words.sources) }
        @if report.sources.is_empty() { p.empty { (words.no_sources) } } @else {
            div.scroll tabindex="0" { table {
                thead { tr { th scope="col" { (words.sources) } th.n scope="col" { (words.ratio) } th.n scope="col" { (words.passages) } @if seen.view == View::Decides { th scope="col" { (words.exclude) } } } }
                tbody { @for (rank, source) in report.sources.iter().enumerate().filter(|(_, source)| source.passages > 0).take(MOST_SOURCES) { tr {
                    td { bdi { (source.title.as_deref().unwrap_or(&source.id)) } @if source.title.is_some() { br; span.hint { bdi { (source.id) } } } }
                    td.n { (percent(source.ratio)) } td.n { (source.passages) }
                    @if seen.view == View::Decides { td { details {
                        summary { (words.exclude) span.hint { " " (rank + 1) } }
                        form method="post" action=(address) {
                            input type="hidden" name="source" value=(source.id);
                            (choice(words.exclude_source, "passage", std::iter::once((String::new(), words.whole_source.to_owned())).chain(
                                passages(rank).take(100).map(|(at, p)| (at.to_string(), format!("{} {} · {} {}", words.passage, at + 1, p.characters, words.characters)))
                            ).collect::<Vec<_>>().iter().map(|(value, shown)| (value.clone(), shown.as_str()))))
                            label { span { (words.reason) } input name="reason" required; }
                            button { (words.exclude) }
                        }
                    } } }
                } } }
            } }
        }
    } }
}

fn decided_list(call: &Call, words: &Words, seen: &Seen, made: &[decisions::Decision]) -> Result<Markup, Fault> {
    let name = |id: &str| {
        let sql = "SELECT coalesce(name, number, '–') FROM person WHERE id = ?1";
        call.app.store.read(|c| c.query_row(sql, [id], |row| row.get::<_, String>(0)))
    };
    let names: Vec<String> = made.iter().map(|decision| name(&decision.person)).collect::<Result<_, _>>()?;
    Ok(html! { section aria-labelledby="decisions" {
        h2 #decisions { (words.decisions) }
        @if made.is_empty() { p.hint { (words.no_decisions) } } @else { ul { @for (decision, name) in made.iter().zip(&names) { li {
            bdi { (decision.source) } @if let Some(at) = decision.passage { " · " (words.passage) " " (at + 1) } ": " bdi { (decision.reason) }
            " · " bdi { (name) } " · " (time(decision.made))
            @match &decision.revoked {
                Some((at, _)) => { " · " span.tag { (words.revoked) " " (time(*at)) } },
                None if seen.view == View::Decides => { " " form method="post" action={ "/submissions/" (seen.submission.id) "/decisions/" (decision.id) } { button aria-label={ (words.revoke) " " (decision.id) } { (words.revoke) } } },
                None => {},
            }
        } } } }
    } })
}

fn manage(call: &Call, words: &Words, seen: &Seen) -> Result<Markup, Fault> {
    let address = format!("/submissions/{}", seen.submission.id);
    let (all, deposited) = call.app.store.read(|c| {
        let deposited =
            c.prepare_cached("SELECT 1 FROM deposit WHERE submission = ?1")?.exists([&seen.submission.id])?;
        Ok::<_, Fault>((collections::all(c)?, deposited))
    })?;
    Ok(html! {
        section aria-labelledby="verdict" {
            h2 #verdict { (words.give_verdict) }
            form.box method="post" action={ (address) "/verdict" } {
                (choice(words.verdict, "verdict", VERDICTS.map(|verdict| (verdict.to_owned(), words.word(verdict)))))
                label { span { (words.comment) } textarea name="comment" {} }
                button.main { (words.give_verdict) }
            }
        }
        @if seen.standing == Standing::Administers {
            @if seen.submission.kind == Kind::Final { section aria-labelledby="deposit" {
                h2 #deposit { (words.deposit) }
                @if deposited { p { (words.deposited) } } @else { form.box method="post" action={ (address) "/deposit" } {
                    p.hint { (words.deposit_hint) }
                    (choice(words.collections, "collection", all.iter().map(|collection| (collection.id.to_string(), collection.name.as_str()))))
                    button { (words.deposit) }
                } }
            } }
            section aria-labelledby="erase" {
                h2 #erase { (words.erase) }
                form.box method="post" action={ (address) "/erase" } { p.hint { (words.erase_hint) } button { (words.erase) } }
            }
        }
    })
}

fn back(seen: &Seen) -> Reply {
    Reply::to(format!("/submissions/{}", seen.submission.id))
}

/// Leaves a source or passage out.
pub fn exclude(call: &Call) -> Result<Reply, Fault> {
    let (seen, by) = (deciding(call)?, &call.caller()?.person.id);
    let (source, reason) = (call.needed("source")?, call.needed("reason")?);
    let passage = call.field("passage").map(|_| call.parsed("passage")).transpose()?;
    call.app.store.write(|t| decisions::exclude(t, &seen.submission.id, &source, passage, &reason, by))?;
    Ok(back(&seen))
}

/// Revokes a decision.
pub fn revoke(call: &Call) -> Result<Reply, Fault> {
    let (seen, by, decision) = (deciding(call)?, &call.caller()?.person.id, call.number("decision")?);
    call.app.store.write(|t| decisions::revoke(t, &seen.submission.id, decision, by))?;
    Ok(back(&seen))
}

/// Gives the verdict; a later one takes the place of an earlier.
pub fn give_verdict(call: &Call) -> Result<Reply, Fault> {
    let (seen, by) = (deciding(call)?, &call.caller()?.person.id);
    let verdict = call.needed("verdict")?;
    let comment = call.field("comment").map(|_| call.needed("comment")).transpose()?.unwrap_or_default();
    if !VERDICTS.contains(&verdict.as_str()) || comment.len() > 10_000 {
        return refused(&BAD_FIELD, "verdict");
    }
    let id = &seen.submission.id;
    call.app.store.write(|t| {
        if figures(t, id)?.is_none() {
            return Err((&NOT_READY).into());
        }
        let sql = "INSERT OR REPLACE INTO verdict VALUES (?1, ?2, ?3, ?4, ?5)";
        t.execute(sql, params![id, verdict, comment.trim(), by, now()])?;
        audit::record(t, Some(by), "verdict", id, &verdict).map_err(Fault::from)
    })?;
    Ok(back(&seen))
}

/// Deposits a final into a collection.
pub fn deposit(call: &Call) -> Result<Reply, Fault> {
    let seen = administering(call)?;
    let by = &call.caller()?.person.id;
    let collection = call.parsed("collection")?;
    call.app.store.write(|t| submissions::deposit(t, &seen.submission, collection, by))?;
    call.app.pool.wake();
    Ok(back(&seen))
}

fn administering(call: &Call) -> Result<Seen, Fault> {
    match seen(call)? {
        seen if seen.view == View::Decides && seen.standing == Standing::Administers => Ok(seen),
        _ => Err((&NOT_ALLOWED).into()),
    }
}

/// Cancels the check; it costs nothing of the quota.
pub fn cancel(call: &Call) -> Result<Reply, Fault> {
    let (seen, by) = (seen(call)?, &call.caller()?.person.id);
    if seen.view == View::Reads {
        return Err((&NOT_ALLOWED).into());
    }
    let id = &seen.submission.id;
    let job = call.app.store.write(|t| {
        let status = queue::status(t, id)?.filter(|status| !status.is_over()).ok_or(Fault::from(&NOT_FOUND))?;
        queue::cancel(t, status.job)?;
        audit::record(t, Some(by), "cancel", id, "")?;
        Ok::<_, Fault>(status.job)
    })?;
    call.app.pool.kill(job);
    Ok(back(&seen))
}

/// Erases a submission.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    let seen = administering(call)?;
    let by = &call.caller()?.person.id;
    let erased = call.app.store.write(|t| erase::submission(t, &seen.submission.id, Some(by)))?;
    call.app.finish_erasure(&erased);
    Ok(Reply::to(format!("/rounds/{}", seen.round.id)))
}
