//! A submission: its figures, its report, and what staff decide about it. What a student's browser gets is made of the
//! redacted report alone.

use super::forms::{called, choice, table};
use super::layout::{Place, page, percent, time};
use super::words::Words;
use crate::collections;
use crate::deeds;
use crate::fault::{Fault, NOT_ALLOWED, STILL_RUNNING};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::Person;
use crate::queue::order::document_id;
use crate::queue::worker::SUBMISSION;
use crate::queue::{self, State, Status};
use crate::reports::{Figures, decisions, figures};
use crate::rounds::Standing;
use crate::store::rows;
use crate::submissions::{self, Kind, Seen, Shown, Verdict, View};
use copytrace::check::{Certainty, Ratios, Report};
use copytrace::report::messages::Messages;
use copytrace_messages::Tell;
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Sources that the page lists; the report has all.
const MOST_SOURCES: usize = 50;

/// The submission of the path, as the caller sees it.
fn seen(call: &Call) -> Result<Seen, Fault> {
    deeds::see(&call.app, call.caller()?, call.part("id")?)
}

/// The page of a submission.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (seen, words) = (seen(call)?, call.words());
    let Seen { submission, round, verdict, .. } = &seen;
    let (status, person) = call.app.read(|c| {
        let person = Person::kept(c, &submission.student)?.filter(|_| seen.shows_names());
        Ok((queue::status(c, &submission.id)?, person))
    })?;
    let title = format!("{} {}", words.word(submission.kind.as_str()), submission.attempt);
    let body = html! {
        h1 { (title) " · " @match &person {
            Some(person) => bdi { (person.number.as_deref().unwrap_or_default()) " " (person.name.as_deref().unwrap_or_default()) },
            None => { "№ " (&submission.id[..8]) },
        } }
        p.byline {
            a href={ "/rounds/" (round.id) } { bdi { (round.title) } } " · " (time(submission.received))
            @if seen.shows_names() {
                @if let Some(name) = &submission.file_name { " · " bdi { (name) } }
                @if !submission.file.is_empty() { " · " a href={ "/submissions/" (submission.id) "/file" } { (words.original) } }
            }
        }
        @if let Some(status) = &status { (state(call, words, &seen, status)) }
        @if let Some(given) = verdict {
            p.box { b { (words.verdict) (words.colon) (words.word(given.verdict.as_str())) } " · " (time(given.made)) @if !given.comment.is_empty() { br; bdi { (given.comment) } } }
        }
        (results(call, words, &seen)?)
        @if seen.view == View::Decides { (manage(call, words, &seen, status.as_ref())?) }
    };
    Ok(page(call, Place::Overview, &title, &body))
}

fn state(call: &Call, words: &Words, seen: &Seen, status: &Status) -> Markup {
    let address = format!("/submissions/{}", seen.submission.id);
    html! {
        @if status.state.is_over() {
            @if status.state != State::Done { p.alert role="alert" { (words.word(status.state.as_str())) @if let Some(message) = &status.message { (words.colon) bdi { (message.tell(call.language)) } } } }
        } @else {
            div.box data-events={ (address) "/events" } role="status" {
                p { (words.waiting) @if status.before > 0 { " (" (status.before) " " (words.before) ")" } }
                label { span { (words.word(status.state.as_str())) } " " progress max="100" value=(status.progress) {} }
                form method="post" action={ (address) "/cancel" } { button { (words.cancel) } }
            }
        }
    }
}

fn results(call: &Call, words: &Words, seen: &Seen) -> Result<Markup, Fault> {
    let id = &seen.submission.id;
    let Some(found) = call.app.store.read(|c| figures(c, id))? else { return Ok(html! {}) };
    match seen.shown() {
        Shown::Nothing => return Ok(html! { p.empty { (words.not_shown) } }),
        Shown::Ratio => {
            let ratio = figure(words.ratio, (found.copy_ratio, found.decided_ratio), found.certainty(), call);
            return Ok(html! { (ratio) p.hint { (words.not_shown) } });
        }
        Shown::Report => {}
    }
    let report = deeds::report(&call.app, call.caller()?, seen, words.closed_source)?;
    let made = call.app.store.read(|c| decisions::all(c, id))?;
    let is_staff = seen.view != View::Student;
    // Decisions name sources by the report's own names, which a student's has not.
    let decided = is_staff.then(|| decisions::ratios(&report, &made));
    Ok(html! {
        section aria-labelledby="figures-heading" {
            h2 #figures-heading { (words.figures) }
            (ratios(call, &report, decided.as_ref(), found.decided_ratio))
            p { a.button href={ "/submissions/" (id) "/report" } { (words.open_report) } " " a href={ "/submissions/" (id) "/report.pdf" } { "PDF" } }
        }
        @if is_staff {
            (later(call, words, seen, &found)?)
            (sources(call, words, seen, &report)?)
            (decided_list(words, seen, &made))
        }
    })
}

/// A ratio of the report, and what it is after decisions.
fn figure(label: &str, (ratio, decided): (f64, f64), certainty: Certainty, call: &Call) -> Markup {
    let (words, labels) = (call.words(), Messages::of(call.language));
    html! {
        div.figure { p.label { (label) } p.value { (labels.share(ratio, certainty)) }
            @if ratio != decided { p.of { (words.decided_ratio) (words.colon) b { (labels.share(decided, certainty)) } } } }
    }
}

fn ratios(call: &Call, report: &Report, decided: Option<&Ratios>, decided_all: f64) -> Markup {
    let (labels, ratios, compared) = (Messages::of(call.language), &report.ratios, &report.compared);
    let of = |pick: fn(&Ratios) -> f64| (pick(ratios), decided.map_or(pick(ratios), pick));
    let all = (ratios.all.ratio, decided.map_or(decided_all, |decided| decided.all.ratio));
    let figures = [
        (labels.all, all),
        (labels.without_quotes, of(|ratios| ratios.without_quotes.ratio)),
        (labels.without_own_work, of(|ratios| ratios.without_own_work.ratio)),
        (labels.largest_source, of(|ratios| ratios.largest_source.ratio)),
        (labels.in_short_runs, of(|ratios| ratios.in_short_runs.ratio)),
    ];
    html! { div #figures {
        @for (label, both) in figures { (figure(label, both, report.certainty(), call)) }
        div.figure { p.label { (labels.compared) } p.value { (percent(compared.share())) }
            p.of { @for (cause, share) in compared.shares() { (labels.cause(cause)) " " (percent(share)) " " } } }
    } }
}

/// Submissions that came later and name this one as a source: their authors may have it from here, or both from elsewhere.
fn later(call: &Call, words: &Words, seen: &Seen, figures: &Figures) -> Result<Markup, Fault> {
    let caller = call.caller()?;
    let sql = "SELECT meeting.submission, meeting.ratio FROM meeting JOIN submission ON submission.id = meeting.submission \
               WHERE source = ?1 AND characters > 0 AND submission.state = 'kept' ORDER BY meeting.ratio DESC, meeting.submission LIMIT 50";
    let found = call.app.read(|c| {
        let mut found: Vec<(String, f64)> = rows::all(c, sql, [document_id(&seen.submission.id)])?;
        // Supervisors see those of the students whom they supervise.
        found.retain(|(id, _)| submissions::see(c, caller, id).is_ok());
        Ok(found)
    })?;
    Ok(html! { @if !found.is_empty() { section aria-labelledby="later" {
        h2 #later { (words.later) }
        @if let Some(ratio) = figures.ratio_since { p { (words.ratio_since) (words.colon) b { (percent(ratio)) } span.hint { " " (words.ratio_since_hint) } } }
        ul { @for (id, ratio) in found { li { a href={ "/submissions/" (id) } { "№ " (&id[..8]) } " · " (percent(ratio)) } } }
    } } })
}

/// A submission that a report names as a source, as staff are told of it.
struct Fellow {
    /// The student's number and name.
    who: String,
    /// Where it is, if the caller may look at it.
    address: Option<String>,
}

/// The fellow students' submissions among some sources, by their ids, for staff who know whose submission this is: of finals of its own round.
fn fellows(call: &Call, seen: &Seen, ids: Vec<&str>) -> Result<BTreeMap<String, Fellow>, Fault> {
    let caller = call.caller()?;
    let sql = "SELECT coalesce(person.number, ''), coalesce(person.name, '') FROM submission s JOIN person ON person.id = s.student \
               WHERE s.id = ?1 AND s.round = ?2 AND s.state = 'kept'";
    call.app.read(|c| {
        let mut found = BTreeMap::new();
        for id in ids.into_iter().filter(|_| seen.shows_names()) {
            let Some(submission) = id.strip_prefix(SUBMISSION) else { continue };
            let person: Option<(String, String)> = rows::first(c, sql, [submission, &seen.round.id])?;
            let address = submissions::see(c, caller, submission).ok().map(|_| format!("/submissions/{submission}"));
            if let Some((number, name)) = person {
                found.insert(id.to_owned(), Fellow { who: format!("{number} {name}"), address });
            }
        }
        Ok(found)
    })
}

fn sources(call: &Call, words: &Words, seen: &Seen, report: &Report) -> Result<Markup, Fault> {
    let decides = seen.view == View::Decides;
    let met = report.sources.iter().filter(|source| source.passages > 0).take(MOST_SOURCES);
    let fellows = fellows(call, seen, met.map(|source| source.id.as_str()).collect())?;
    let titles = [words.sources, words.ratio, words.passages, if decides { words.exclude } else { "" }];
    let met = report.sources.iter().enumerate().filter(|(_, source)| source.passages > 0).take(MOST_SOURCES);
    let rows = html! { @for (rank, source) in met { tr {
        td {
            @if let Some(fellow) = fellows.get(&source.id) {
                @if let Some(address) = &fellow.address { a href=(address) { bdi { (fellow.who) } } } @else { bdi { (fellow.who) } }
                br;
            }
            bdi { (source.title.as_deref().unwrap_or(&source.id)) } @if source.title.is_some() { br; span.hint { bdi { (source.id) } } }
        }
        td.n { (percent(source.ratio)) } td.n { (source.passages) }
        @if decides { td { (exclude_form(words, seen, report, rank)) } }
    } } };
    Ok(html! { section aria-labelledby="sources" {
        h2 #sources { (words.sources) }
        @if report.sources.is_empty() { p.empty { (words.no_sources) } } @else { (table(&titles, &[words.ratio, words.passages], &rows)) }
    } })
}

/// The form that leaves a source or one of its passages out.
fn exclude_form(words: &Words, seen: &Seen, report: &Report, rank: usize) -> Markup {
    let passages = report.passages.iter().enumerate().filter(|(_, passage)| passage.source == rank).take(100);
    let passages: Vec<(String, String)> = passages
        .map(|(at, passage)| {
            let shown = format!("{} {} · {} {}", words.passage, at + 1, passage.characters, words.characters);
            (at.to_string(), shown)
        })
        .collect();
    let choices = passages.iter().map(|(at, shown)| (at.clone(), shown.as_str()));
    let choices = std::iter::once((String::new(), words.whole_source)).chain(choices);
    html! { details {
        summary { (words.exclude) span.hint { " " (rank + 1) } }
        form method="post" action={ "/submissions/" (seen.submission.id) "/decisions" } {
            input type="hidden" name="source" value=(report.sources[rank].id);
            (choice(words.exclude_source, "passage", choices, ""))
            label { span { (words.reason) } input name="reason" required; }
            button { (words.exclude) }
        }
    } }
}

fn decided_list(words: &Words, seen: &Seen, made: &[decisions::Decision]) -> Markup {
    html! { section aria-labelledby="decisions" {
        h2 #decisions { (words.decisions) }
        @if made.is_empty() { p.hint { (words.no_decisions) } } @else { ul { @for decision in made { li {
            bdi { (decision.source) } @if let Some(at) = decision.passage { " · " (words.passage) " " (at + 1) } (words.colon) bdi { (decision.reason) }
            " · " bdi { (decision.name) } " · " (time(decision.made))
            @match decision.revoked {
                Some(at) => { " · " span.tag { (words.revoked) " " (time(at)) } },
                None if seen.view == View::Decides => { " " form method="post" action={ "/submissions/" (seen.submission.id) "/decisions/" (decision.id) } { button aria-label={ (words.revoke) " " (decision.id) } { (words.revoke) } } },
                None => {},
            }
        } } } }
    } }
}

fn manage(call: &Call, words: &Words, seen: &Seen, status: Option<&Status>) -> Result<Markup, Fault> {
    let address = format!("/submissions/{}", seen.submission.id);
    let (all, deposited) =
        call.app.read(|c| Ok((collections::all(c)?, submissions::is_deposited(c, &seen.submission.id)?)))?;
    let again = seen.verdict.is_none() && !seen.submission.file.is_empty() && status.is_some_and(|s| s.state.is_over());
    Ok(html! {
        @if again { form method="post" action={ (address) "/check" } { p.hint { (words.check_again_hint) } button { (words.check_again) } } }
        @if !seen.is_frozen() { section aria-labelledby="verdict" {
            h2 #verdict { (words.give_verdict) }
            form.box method="post" action={ (address) "/verdict" } {
                (choice(words.verdict, "verdict", called(words, Verdict::ALL), ""))
                label { span { (words.comment) } textarea name="comment" {} }
                button.main { (words.give_verdict) }
            }
        } }
        @if seen.standing == Standing::Administers {
            @if seen.submission.kind == Kind::Final { section aria-labelledby="deposit" {
                h2 #deposit { (words.deposit) }
                @if deposited { p { (words.deposited) } } @else { form.box method="post" action={ (address) "/deposit" } {
                    p.hint { (words.deposit_hint) }
                    (choice(words.collections, "collection", all.iter().map(|collection| (collection.id.to_string(), collection.name.as_str())), ""))
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

/// Does what somebody decides on the submission of the path who may decide on it.
fn decide(
    call: &Call,
    work: impl FnOnce(&crate::store::Transaction<'_>, &Seen, &str) -> Result<(), Fault>,
) -> Result<Reply, Fault> {
    let (seen, by) = (seen(call)?, &call.caller()?.person.id);
    if seen.view != View::Decides {
        return Err((&NOT_ALLOWED).into());
    }
    call.app.store.write(|t| {
        // A report that is being made anew is nothing to decide on.
        match queue::status(t, &seen.submission.id)? {
            Some(status) if !status.state.is_over() => Err((&STILL_RUNNING).into()),
            _ => work(t, &seen, by),
        }
    })?;
    back(call)
}

fn back(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/submissions/{}", call.part("id")?)))
}

#[derive(Deserialize)]
struct Exclusion {
    source: String,
    passage: Option<i64>,
    reason: String,
}

/// Leaves a source or passage out.
pub fn exclude(call: &Call) -> Result<Reply, Fault> {
    let Exclusion { source, passage, reason } = call.fields()?;
    decide(call, |t, of, by| decisions::exclude(t, &of.submission.id, &source, passage, &reason, by))
}

/// Revokes a decision.
pub fn revoke(call: &Call) -> Result<Reply, Fault> {
    let decision = call.number("decision")?;
    decide(call, |t, of, by| decisions::revoke(t, &of.submission.id, decision, by))
}

#[derive(Deserialize)]
struct VerdictForm {
    verdict: Verdict,
    #[serde(default)]
    comment: String,
}

/// Gives the verdict; a later one takes the place of an earlier.
pub fn give_verdict(call: &Call) -> Result<Reply, Fault> {
    let VerdictForm { verdict, comment } = call.fields()?;
    decide(call, |t, of, by| submissions::judge(t, of, verdict, &comment, by))
}

/// Deposits a final into a collection.
pub fn deposit(call: &Call) -> Result<Reply, Fault> {
    deeds::deposit(&call.app, call.caller()?, call.part("id")?, &call.fields()?)?;
    back(call)
}

/// Checks it again.
pub fn check_again(call: &Call) -> Result<Reply, Fault> {
    deeds::check_again(&call.app, call.caller()?, call.part("id")?)?;
    back(call)
}

/// The file that was handed in.
pub fn original(call: &Call) -> Result<Reply, Fault> {
    let (name, bytes) = deeds::original(&call.app, call.caller()?, call.part("id")?)?;
    Ok(Reply::file("application/octet-stream", &name, bytes))
}

/// Cancels the check.
pub fn cancel(call: &Call) -> Result<Reply, Fault> {
    deeds::cancel(&call.app, call.caller()?, call.part("id")?)?;
    back(call)
}

/// Erases a submission.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    let round = deeds::erase(&call.app, call.caller()?, call.part("id")?)?;
    Ok(Reply::to(format!("/rounds/{round}")))
}
