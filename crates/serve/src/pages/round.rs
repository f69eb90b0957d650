//! A round: what was handed in, and what is handed in here.

use super::forms::{called, choice, file, folded, line, sure, table};
use super::layout::{Place, page, percent, time};
use super::overview::overview;
use super::progress::{followed, of_round as of_round_now};
use super::protection;
use super::start::{state, to_review};
use super::words::Words;
use crate::deeds;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Listed, Wanted, of_round, supervisor_of};
use crate::lti::platforms;
use crate::people::Person;
use crate::queue::State;
use crate::reviewers;
use crate::rounds::{self, Round, Standing};
use crate::store::rows;
use crate::submissions::{self, Kind, Shown};
use crate::{batches, collections, sharing, terms};
use copytrace::report::messages::Messages;
use maud::{Markup, html};
use rusqlite::params;

/// Submissions on the page of a round.
const MOST: usize = 10_000;

/// The page of a round: for staff all submissions, for students their own.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (round, standing) = call.app.store.read(|c| Round::of(c, caller, call.part("id")?))?;
    let title = html! {
        h1 { bdi { (round.title) } }
        @if call.app.is_for_several() { p.byline { (if round.is_open() { words.open_now } else { words.not_open }) " · " (time(round.opens)) " – " (time(round.closes))
            " · " (words.student_sees) (words.colon) (words.word(round.student_sees.as_str())) } } @else { p.byline { (time(round.opens)) } }
    };
    let rest = match standing {
        Standing::Studies => for_student(call, words, &round, &caller.person)?,
        Standing::Reviews => {
            let finals = call.app.store.read(|c| reviewers::to_review(c, &caller.person.id, Some(&round.id)))?;
            to_review(words, &finals)
        }
        _ => for_staff(call, words, &round, standing)?,
    };
    Ok(page(call, Place::Overview, &round.title, &html! { (title) (rest) }))
}

fn for_student(call: &Call, words: &Words, round: &Round, person: &Person) -> Result<Markup, Fault> {
    let (listed, left, next, needed) = call.app.read(|c| {
        let wanted = Wanted { student: Some(&person.id), most: MOST, ..Wanted::default() };
        let left = submissions::left(c, round, &person.id)?;
        let next = submissions::next(c, round, &person.id)?;
        Ok((of_round(c, round, Standing::Studies, &wanted)?, left, next, terms::needed(c, &person.id)?))
    })?;
    let kinds = if round.self_checks > 0 { Kind::ALL } else { &[Kind::Draft, Kind::Final] };
    let rows = html! { @for listed in &listed { tr {
        td { a href={ "/submissions/" (listed.submission.id) } { (words.word(listed.submission.kind.as_str())) " " (listed.submission.attempt) } }
        td { bdi { (listed.submission.file_name.as_deref().unwrap_or_default()) } } td { (time(listed.submission.received)) } td { (state(words, listed)) }
        td.n { @match listed.figures.filter(|_| shows_ratio(round, listed)) { Some(figures) => (Messages::of(call.language).share(figures.decided_ratio, figures.certainty())), None => "–" } }
        td { (listed.verdict.map_or(words.no_verdict, |verdict| words.word(verdict.as_str()))) }
    } } };
    Ok(html! {
        p { (words.left_checks) (words.colon) b { (left.0) } @if round.self_checks > 0 { " · " (words.left_self) (words.colon) b { (left.1) } }
            @if let Some(next) = next { " · " (words.next_check) (words.colon) b { (time(next)) } } }
        @if round.is_open() { section aria-labelledby="upload" {
            h2 #upload { (words.upload_own) }
            form.box method="post" action={ "/rounds/" (round.id) "/submissions" } enctype="multipart/form-data" {
                p.hint { (words.formats_hint) @if round.self_checks > 0 { " " (words.practice_hint) } }
                (choice(words.kind, "kind", called(words, kinds), ""))
                (file(words.file, ".docx,.pdf,.odt,.doc,.wps,.rtf,.txt,.md,.html,.epub,.tex", false))
                @if let Some(terms) = &needed {
                    (protection::text(words.version, terms))
                    label.line { input type="checkbox" name="agrees" value=(terms.version) required; span { (words.agrees) } }
                }
                button.main { (words.upload_own) }
            }
        } }
        section aria-labelledby="submissions" {
            h2 #submissions { (words.submissions) }
            @if listed.is_empty() { p.empty { (words.no_submissions) } } @else { (table(&[words.kind, words.file, words.received, words.state, words.decided_ratio, words.verdict], &[words.decided_ratio], &rows)) }
        }
    })
}

/// Whether students see the ratio of their submission in this round now.
fn shows_ratio(round: &Round, listed: &Listed) -> bool {
    submissions::shown_to_student(round, listed.submission.kind, listed.verdict.is_some()) != Shown::Nothing
}

fn for_staff(call: &Call, words: &Words, round: &Round, standing: Standing) -> Result<Markup, Fault> {
    let caller = call.caller()?;
    let (listed, students, (compared, deposits), templates, progress) = call.app.read(|c| {
        let supervisor = supervisor_of(standing, &caller.person.id);
        let wanted = Wanted { supervisor, most: MOST, ..Wanted::default() };
        let students = "SELECT count(*) FROM enrolment e JOIN person p ON p.id = e.student \
                        WHERE e.round = ?1 AND p.state != 'erased' AND (?2 IS NULL OR e.supervisor = ?2)";
        let students: i64 = rows::one(c, students, params![round.id, supervisor])?;
        let ids = rounds::compared(c, &round.id)?;
        let compared: Vec<_> = collections::all(c)?.into_iter().filter(|one| ids.contains(&one.id)).collect();
        let deposits = compared.iter().filter(|one| sharing::may_deposit(c, caller, round.unit, one.id).is_ok());
        let deposits: Vec<_> = deposits.cloned().collect();
        let listed: Vec<Listed> = of_round(c, round, standing, &wanted)?;
        let progress = of_round_now(c, round, supervisor)?;
        Ok((listed, students, (compared, deposits), rounds::template_names(c, &round.id)?, progress))
    })?;
    let address = format!("/rounds/{}", round.id);
    let manages = standing == Standing::Administers;
    let is_linked = !call.app.read(|c| Ok(platforms::links(c, &round.id)?))?.is_empty();
    let waiting = if manages { call.app.store.read(|c| batches::waiting(c, &round.id))? } else { Vec::new() };
    let by_staff = [Kind::Final, Kind::Draft];
    let unfold = listed.is_empty();
    let fold = |id: &str, title: &str, is_open: bool, body: Markup| folded(id, title, is_open, &body);
    Ok(html! {
        p {
            @if call.app.is_for_several() { a href={ (address) "/students" } { (words.students) (words.colon) (students) } " · " }
            (words.submissions) (words.colon) (listed.len()) " · " (words.limit_short) (words.colon) (percent(round.limit_ratio))
            " · " (words.sheet) (words.colon) a href={ (address) "/sheet.xlsx" } { "XLSX" } " " a href={ (address) "/sheet.pdf" } { "PDF" }
            @if call.app.desk.is_some() { " · " a href={ (address) "/reports.zip" } { (call.desk_words().reports) } }
            @if call.app.is_for_several() && matches!(standing, Standing::Administers | Standing::Audits) { " · " a href={ (address) "/reviewers" } { (words.reviewers) } }
            @if is_linked && matches!(standing, Standing::Administers | Standing::Audits) { " · " a href={ (address) "/platform" } { (words.platform) } }
            @if manages && call.app.is_for_several() { " · " a href={ (address) "/edit" } { (words.change_round) } }
        }
        p.hint { (words.compared_with) (words.colon) @for (at, collection) in compared.iter().enumerate() { @if at > 0 { ", " } bdi { (collection.name) } } @if round.among { @if !compared.is_empty() { ", " } (if call.app.is_for_several() { words.among_short } else { call.desk_words().among }) } }
        (followed(words, progress, &format!("{address}/progress")))
        @if progress.is_some() && call.app.desk.is_some() {
            form method="post" action={ (address) "/cancel" } { button { (call.desk_words().cancel_all) } }
        }
        @if manages && listed.iter().any(|listed| listed.state == Some(State::Failed)) {
            form method="post" action={ (address) "/check" } { button { (words.check_failed) } }
        }
        @if listed.is_empty() { p.empty { (words.no_submissions) } } @else { (overview(call, words, round, &listed)?) }
        @if manages {
            @if !waiting.is_empty() { section aria-labelledby="waiting" {
                h2 #waiting { (words.batches_waiting) }
                ul { @for (id, made, files) in &waiting { li { a href={ "/batches/" (id) } { (time(*made)) } " · " (words.file) (words.colon) (files) } } }
            } }
            @if call.app.is_for_several() { (fold("batch", words.upload_batch, unfold, html! {
                form.box method="post" action={ (address) "/batch" } enctype="multipart/form-data" {
                    p.hint { (words.batch_hint) }
                    (choice(words.kind, "kind", called(words, &by_staff), ""))
                    (file(words.file, ".zip", false))
                    button.main { (words.upload) }
                }
            })) }
            @if call.app.is_for_several() { (fold("one", words.upload_for, unfold, html! {
                form.box method="post" action={ (address) "/submissions" } enctype="multipart/form-data" {
                    (line(words.number, "student", "text", ""))
                    (choice(words.kind, "kind", called(words, &by_staff), ""))
                    (file(words.file, "", false))
                    button { (words.upload) }
                }
            })) }
            (fold("templates", words.templates, false, html! {
                @if !templates.is_empty() { ul { @for (id, name) in &templates { li { bdi { (name) } " "
                    form method="post" action={ (address) "/templates/" (id) } { button aria-label={ (words.remove) " " (name) } { (words.remove) } } } } } }
                form.box method="post" action={ (address) "/templates" } enctype="multipart/form-data" {
                    p.hint { (words.templates_hint) } (file(words.file, "", false)) button { (words.upload) }
                }
            }))
            @if !deposits.is_empty() && call.app.is_for_several() { (fold("deposit", words.deposit_all, false, html! {
                form.box method="post" action={ (address) "/deposit" } {
                    p.hint { (words.deposit_hint) }
                    (choice(words.collections, "collection", deposits.iter().map(|collection| (collection.id.to_string(), collection.name.as_str())), ""))
                    button { (words.deposit_all) }
                }
            })) }
            @if call.app.desk.is_some() { (fold("erase", call.desk_words().erase_check, false, html! {
                form.box method="post" action={ (address) "/erase" } {
                    p.hint { (call.desk_words().erase_check_hint) } (sure(words)) button { (call.desk_words().erase_check) }
                }
            })) }
        }
    })
}

/// Deposits all finals that have passed.
pub fn deposit(call: &Call) -> Result<Reply, Fault> {
    let count = deeds::deposit_passed(call)?.deposited;
    Ok(Reply::to(format!("/rounds/{}?papers={count}", call.part("id")?)))
}

/// Checks again what could not be checked.
pub fn check_failed(call: &Call) -> Result<Reply, Fault> {
    let count = deeds::rounds::check_failed(call)?.submissions;
    Ok(Reply::to(format!("/rounds/{}?papers={count}", call.part("id")?)))
}

/// Hands a file in: students their own, an administrator for a student.
pub fn submit(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/submissions/{}", deeds::hand_in(call)?.id)))
}
