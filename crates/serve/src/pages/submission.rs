//! A submission: its figures, its report, and what staff decide about it. What a student's browser gets is made of the
//! redacted report alone.

use super::forms::{called, choice, line, pick, sure, table};
use super::layout::{Place, page, percent, time};
use super::record::{fellow, record};
use super::review;
use super::sharing::state as request_state;
use super::words::Words;
use crate::collections;
use crate::deeds;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::Person;
use crate::queue::order::document_id;
use crate::queue::{self, State, Status};
use crate::reports::{self, Figures, figures};
use crate::reviewers;
use crate::rounds::Standing;
use crate::sharing;
use crate::store::rows;
use crate::submissions::{self, Kind, Seen, Shown, Verdict, View};
use copytrace::check::{Certainty, Ratios, Report};
use copytrace::report::messages::Messages;
use copytrace::report::record::Record;
use copytrace_messages::Tell;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Sources that the page lists; the report has all.
const MOST_SOURCES: usize = 50;

/// The page of a submission.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (seen, words) = (deeds::see(call)?, call.words());
    let Seen { submission, round, .. } = &seen;
    let (status, person, verdicts) = call.app.read(|c| {
        let person = Person::kept(c, &submission.student)?.filter(|_| seen.shows_names());
        // To students the one that stands.
        let most = match seen.view {
            View::Student => 1,
            // A reviewer judges alone.
            View::Reviews => 0,
            View::Decides | View::Reads => usize::MAX,
        };
        let verdicts: Vec<_> = submissions::verdicts(c, &submission.id)?.into_iter().take(most).collect();
        Ok((queue::status(c, &submission.id)?, person, verdicts))
    })?;
    let several = call.app.is_for_several();
    let title = match &submission.file_name {
        Some(name) if !several => name.clone(),
        _ => format!("{} {}", words.word(submission.kind.as_str()), submission.attempt),
    };
    let body = html! {
        h1 { @if several { (title) " · " } @match &person {
            Some(person) => bdi { (person.called()) },
            None => { "№ " (&submission.id[..8]) },
        } }
        p.byline {
            a href={ "/rounds/" (round.id) } { bdi { (round.title) } } " · " (time(submission.received))
            @if seen.shows_names() {
                @if let Some(name) = submission.file_name.as_ref().filter(|_| several) { " · " bdi { (name) } }
                @if !submission.file.is_empty() { " · " a href={ "/submissions/" (submission.id) "/file" } { (words.original) } }
            }
        }
        @if let Some(status) = &status { (state(call, words, &seen, status)) }
        @for (at, given) in verdicts.iter().enumerate() {
            p.box.said { b { (if at == 0 { words.verdict } else { words.earlier }) (words.colon) (words.word(given.verdict.as_str())) } " · " (time(given.made))
                @if seen.view != View::Student || !round.anonymous { " · " bdi { (given.by) } }
                @if !given.comment.is_empty() { br; bdi { (given.comment) } } }
        }
        (review::shown(call, &seen)?)
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
                @if seen.view != View::Reviews { form method="post" action={ (address) "/cancel" } { button { (words.cancel) } } }
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
    let mut case = deeds::report(call, seen)?;
    let record = record(call, &mut case, Some(seen))?;
    let reviewed = case.report.reviewed(|at| record.left_out.contains(&at));
    let is_staff = seen.view != View::Student;
    Ok(html! {
        section aria-labelledby="figures-heading" {
            h2 #figures-heading { (words.figures) }
            (ratios(call, &case.report, &reviewed))
            p { a.button href={ "/submissions/" (id) "/report" } { (words.open_report) }
                @for (address, label) in &record.sheets { " " a href=(address) { (label) } }
                @let standing = record.decisions.iter().filter(|made| made.stands).count();
                @if !record.appeals.is_empty() { " · " b { (Messages::of(call.language).appeals) (words.colon) (record.appeals.len()) } }
                @if standing > 0 { " · " (words.decisions) (words.colon) (standing) }
            }
            @if seen.view == View::Decides { p.hint { (words.decide_hint) } }
        }
        @if is_staff {
            @if seen.view != View::Reviews { (later(call, words, seen, &found, &record)?) }
            (sources(call, seen, &reviewed, &record, &case)?)
        }
    })
}

/// A ratio after the review, and what it was when it was found.
fn figure(label: &str, (found, reviewed): (f64, f64), certainty: Certainty, call: &Call) -> Markup {
    let (words, labels) = (call.words(), Messages::of(call.language));
    html! {
        div.figure { p.label { (label) @if found != reviewed { " · " b { (labels.after_review) } } } p.value { (labels.share(reviewed, certainty)) }
            @if found != reviewed { p.found { (labels.as_found) (words.colon) (labels.share(found, certainty)) } } }
    }
}

fn ratios(call: &Call, found: &Report, reviewed: &Report) -> Markup {
    let (labels, compared) = (Messages::of(call.language), &found.compared);
    let of = |pick: fn(&Ratios) -> f64| (pick(&found.ratios), pick(&reviewed.ratios));
    let figures = [
        (labels.all, of(|ratios| ratios.all.ratio)),
        (labels.without_quotes, of(|ratios| ratios.without_quotes.ratio)),
        (labels.without_own_work, of(|ratios| ratios.without_own_work.ratio)),
        (labels.largest_source, of(|ratios| ratios.largest_source.ratio)),
        (labels.in_short_runs, of(|ratios| ratios.in_short_runs.ratio)),
    ];
    html! { div #figures {
        @for (label, both) in figures { (figure(label, both, found.certainty(), call)) }
        div.figure { p.label { (labels.compared) } p.value { (percent(compared.share())) }
            p.of { @for (cause, share) in compared.shares() { (labels.cause(cause)) " " (percent(share)) " " } } }
    } }
}

/// Submissions that came later and name this one as a source: their authors may have it from here, or both from elsewhere. Those of
/// which this one's report knows are among its sources.
fn later(call: &Call, words: &Words, seen: &Seen, figures: &Figures, record: &Record) -> Result<Markup, Fault> {
    let caller = call.caller()?;
    let sql = "SELECT meeting.submission, meeting.ratio FROM meeting JOIN submission ON submission.id = meeting.submission \
               WHERE source = ?1 AND meeting.characters > 0 AND submission.state = 'kept' ORDER BY meeting.ratio DESC, meeting.submission LIMIT 50";
    let found = call.app.read(|c| {
        let found: Vec<(String, f64)> = rows::all(c, sql, [document_id(&seen.submission.id)])?;
        // Supervisors see those of the students whom they supervise.
        let is_source = |id: &str| record.links.values().any(|address| address.ends_with(id));
        let known = found.into_iter().filter(|(id, _)| !is_source(id) && submissions::see(c, caller, id).is_ok());
        known
            .map(|(id, ratio)| Ok((fellow(c, call, &seen.round, Some(seen), &id)?.who, id, ratio)))
            .collect::<Result<Vec<_>, Fault>>()
    })?;
    Ok(html! { @if !found.is_empty() { section aria-labelledby="later" {
        h2 #later { (words.later) }
        @if let Some(ratio) = figures.ratio_since { p { (words.ratio_since) (words.colon) b { (percent(ratio)) } span.hint { " " (words.ratio_since_hint) } } }
        ul { @for (who, id, ratio) in found { li { a href={ "/submissions/" (id) } { bdi { (who) } } " · " (percent(ratio)) } } }
    } } })
}

fn sources(call: &Call, seen: &Seen, report: &Report, record: &Record, case: &deeds::Case) -> Result<Markup, Fault> {
    let (words, labels) = (call.words(), Messages::of(call.language));
    let asked = match case.withheld.iter().any(Option::is_some) {
        true => call
            .app
            .read(|c| sharing::asked(c, &seen.submission.id, &reports::kept(c, &seen.submission.id)?.report()?))?,
        false => BTreeMap::new(),
    };
    let met = report.sources.iter().enumerate().filter(|(_, source)| source.passages > 0).take(MOST_SOURCES);
    let rows = html! { @for (rank, source) in met { tr {
        td {
            @match record.links.get(&rank) { Some(address) => a href=(address) { bdi { (source.id) } }, None => bdi { (source.id) } }
            @if let Some(title) = &source.title { br; span.hint { bdi { (title) } } }
            @if case.withheld.get(rank).is_some_and(Option::is_some) { br; span.hint { (words.withheld) }
                @if let Some((state, answer)) = asked.get(&rank) { " " span.hint { (request_state(words, *state)) @if !answer.is_empty() { (words.colon) bdi { (answer) } } } }
                @if seen.view == View::Decides && !matches!(asked.get(&rank), Some((sharing::Asking::Asked, _))) {
                    form method="post" action={ "/submissions/" (seen.submission.id) "/requests" } {
                        input type="hidden" name="source" value=(rank);
                        (line(words.reason, "reason", "text", ""))
                        button aria-label={ (words.ask_wording) " " (rank + 1) } { (words.ask_wording) }
                    }
                }
            }
        }
        td.n { (percent(source.ratio)) } td.n { (source.passages) }
    } } };
    Ok(html! { section aria-labelledby="sources" {
        h2 #sources { (words.sources) }
        @if report.sources.is_empty() { p.empty { (words.no_sources) } } @else { (table(&[words.sources, labels.share, words.passages], &[labels.share, words.passages], &rows)) }
    } })
}

fn manage(call: &Call, words: &Words, seen: &Seen, status: Option<&Status>) -> Result<Markup, Fault> {
    let (address, caller) = (format!("/submissions/{}", seen.submission.id), call.caller()?);
    let (all, deposited, may_judge) = call.app.read(|c| {
        let id = &seen.submission.id;
        let has_word = seen.standing != Standing::Supervises || reviewers::of_submission(c, id)?.is_empty();
        // Those into which finals of the round may go.
        let mut all = collections::nameable(c, caller)?;
        all.retain(|one| sharing::may_deposit(c, caller, seen.round.unit, one.id).is_ok());
        Ok((all, submissions::is_deposited(c, id)?, has_word && figures(c, id)?.is_some()))
    })?;
    let again = seen.verdict.is_none() && !seen.submission.file.is_empty() && status.is_some_and(|s| s.state.is_over());
    Ok(html! {
        @if again { form method="post" action={ (address) "/check" } { p.hint { (words.check_again_hint) } button { (words.check_again) } } }
        @if may_judge && !seen.is_frozen() && call.app.is_for_several() { section aria-labelledby="verdict" {
            h2 #verdict { (words.give_verdict) }
            form.box method="post" action={ (address) "/verdict" } {
                (pick(words.verdict, "verdict", called(words, Verdict::ALL)))
                label { span { (words.comment) } textarea name="comment" {} }
                button.main { (words.give_verdict) }
            }
        } }
        @if seen.standing == Standing::Administers {
            @if seen.submission.kind == Kind::Final && call.app.is_for_several() { section aria-labelledby="deposit" {
                h2 #deposit { (words.deposit) }
                @if deposited { p { (words.deposited) } } @else { form.box method="post" action={ (address) "/deposit" } {
                    p.hint { (words.deposit_hint) }
                    (choice(words.collections, "collection", all.iter().map(|collection| (collection.id.to_string(), collection.name.as_str())), ""))
                    button { (words.deposit) }
                } }
            } }
            section aria-labelledby="erase" {
                h2 #erase { (words.erase) }
                form.box method="post" action={ (address) "/erase" } { p.hint { (words.erase_hint) } (sure(words)) button { (words.erase) } }
            }
        }
    })
}

/// Back to the report, if the form was there: to the passage that it was about.
pub fn back(call: &Call) -> Result<Reply, Fault> {
    let place = format!("/submissions/{}", call.part("id")?);
    let passage = call.fields.values("passage").first().and_then(|at| at.parse::<u32>().ok());
    Ok(Reply::to(match (call.parameter("from"), passage) {
        ("report", Some(at)) => format!("{place}/report#p={}", at.saturating_add(1)),
        ("report", None) => format!("{place}/report"),
        _ => place,
    }))
}

/// The file that was handed in.
pub fn original(call: &Call) -> Result<Reply, Fault> {
    let (name, bytes) = deeds::original(call)?;
    Ok(Reply::file("application/octet-stream", &name, bytes))
}

/// Erases a submission.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    call.is_sure()?;
    let round = deeds::erase(call)?;
    Ok(Reply::to(format!("/rounds/{round}?erased={}", &call.part("id")?[..8])))
}
