//! For the data-protection officer: what is kept where, for how long, and who saw it; and what students agree to.

use super::forms::table;
use super::layout::{Place, day, page, time};
use crate::app::App;
use crate::fault::{Fault, NOT_FOUND};
use crate::folder::DATABASE;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::store::rows;
use crate::terms;
use copytrace_messages::Message;
use copytrace_messages::Tell;
use maud::{Markup, html};

/// What is kept: the key of its sentence about how long, how it is called, where it stands, and how it is counted.
const KEPT: &[(&str, &str, &str, &str)] = &[
    ("kept-files", "keeps-round", "files/", "SELECT count(*) FROM submission WHERE state = 'kept' AND file != ''"),
    ("kept-reports", "keeps-round", DATABASE, "SELECT count(*) FROM report"),
    (
        "kept-finals",
        "keeps-round",
        "rounds/",
        "SELECT count(*) FROM submission WHERE state = 'kept' AND kind = 'final'",
    ),
    ("kept-deposits", "keeps-erased", "collections/", "SELECT count(*) FROM deposit"),
    ("kept-people", "keeps-erased", DATABASE, "SELECT count(*) FROM person WHERE state != 'erased'"),
    ("kept-sessions", "keeps-sessions", DATABASE, "SELECT count(*) FROM session"),
    ("kept-letters", "keeps-letters", DATABASE, "SELECT count(*) FROM letter"),
    ("kept-deliveries", "keeps-deliveries", DATABASE, "SELECT count(*) FROM delivery"),
    ("kept-agreements", "keeps-erased", DATABASE, "SELECT count(*) FROM agreement"),
    ("kept-requests", "keeps-round", DATABASE, "SELECT count(*) FROM wording_request"),
    ("kept-audit", "keeps-for-good", DATABASE, "SELECT count(*) FROM audit"),
];

/// A round: what is kept of it, and until when.
struct Kept {
    title: String,
    submissions: i64,
    until: Option<i64>,
}

rows::read_by_name!(Kept: title submissions until);

/// The page.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    caller.oversees()?;
    let told = |key: &'static str| Message::new(key).tell(call.language);
    let (counts, rounds, latest) = read(&call.app)?;
    let kinds = html! { @for ((kind, keeps, place, _), count) in KEPT.iter().zip(&counts) { tr {
        td { (told(kind)) } td.n { (count) } td { code { (place) } } td { (told(keeps)) }
    } } };
    let of_rounds = html! { @for Kept { title, submissions, until } in &rounds { tr {
        td { bdi { (title) } } td.n { (submissions) } td { @match until { Some(at) => (day(*at)), None => (told("keeps-erased")) } }
    } } };
    let body = html! {
        h1 { (words.protection) }
        p.hint { (words.protection_hint) }
        (table(&[words.kept, words.submissions, words.place, words.how_long], &[words.submissions], &kinds))
        h2 { (words.rounds) }
        (table(&[words.round, words.submissions, words.how_long], &[words.submissions], &of_rounds))
        p { a href={ "/audit?" (seen_by(call)) } { (words.who_saw) } }
        section aria-labelledby="terms" {
            h2 #terms { (words.terms) }
            @if let Some(latest) = &latest { (text(words.version, latest)) } @else { p.empty { (words.no_terms) } }
            @if caller.administrator().is_ok() { form.box method="post" action="/data-protection/terms" {
                p.hint { (words.terms_hint) }
                label { span { (words.terms_text) } textarea name="text" rows="12" required { (latest.as_ref().map_or("", |latest| &latest.text)) } }
                button { (words.save) }
            } }
        }
    };
    Ok(page(call, Place::Audit, words.protection, &body))
}

#[allow(clippy::type_complexity)] // three parts of one state
fn read(app: &App) -> Result<(Vec<i64>, Vec<Kept>, Option<terms::Terms>), Fault> {
    let rounds = "SELECT title, (SELECT count(*) FROM submission s WHERE s.round = round.id AND s.state = 'kept') AS submissions, \
                  closes + keep_days * 86400 AS until FROM round ORDER BY until IS NULL, until, title";
    app.read(|c| {
        let counts = KEPT.iter().map(|(.., sql)| rows::one(c, sql, [])).collect::<Result<_, _>>()?;
        Ok((counts, rows::all(c, rounds, [])?, terms::latest(c)?))
    })
}

/// The search of the audit log for looks at reports.
fn seen_by(call: &Call) -> String {
    let looked = Message::new("audit-view-report").tell(call.language);
    form_urlencoded::Serializer::new(String::new()).append_pair("q", &looked).finish()
}

/// A version of the text.
pub fn text(version: &str, terms: &terms::Terms) -> Markup {
    html! { div.box {
        p.hint { (version) " " (terms.version) " · " (time(terms.made)) }
        @for line in terms.text.split('\n').filter(|line| !line.trim().is_empty()) { p { bdi { (line) } } }
    } }
}

/// What is to be agreed to, for everybody.
pub fn terms(call: &Call) -> Result<Reply, Fault> {
    let (words, latest) = (call.words(), call.app.store.read(terms::latest)?.ok_or(&NOT_FOUND)?);
    let body = html! { h1 { (words.terms) } (text(words.version, &latest)) };
    Ok(page(call, Place::Elsewhere, words.terms, &body))
}
