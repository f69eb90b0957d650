//! Collections that units share, and requests for wording.

use super::forms::{choice, optional_value, pick, table};
use super::layout::{Place, page, time};
use super::words::Words;
use crate::access::{self, Object};
use crate::collections::Collection;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Role, Unit};
use crate::sharing::{self, Answer, Asking, Share};
use maud::{Markup, html};

fn end(words: &Words, share: &Share) -> Markup {
    html! { form method="post" action={ "/shares/" (share.id) "/remove" } {
        button aria-label={ (words.end_sharing) " " (share.name) " " (share.with_name) } { (words.end_sharing) }
    } }
}

/// What is shared with units, and offered to them; `administered` are those whose word the caller gives.
pub fn shared(call: &Call, shares: &[Share], administered: &[Unit]) -> Markup {
    let words = call.words();
    let is_ours = |id: i64| administered.iter().any(|unit| unit.id == id);
    html! { @if !shares.is_empty() { section aria-labelledby="shared" {
        h2 #shared { (words.shared) }
        ul { @for share in shares { li {
            bdi { (share.name) } " → " bdi { (share.with_name) } " · "
            @match share.agreed { Some(at) => { (words.shared_since) " " (time(at)) }, None => (words.offered) } " "
            @if share.agreed.is_none() && is_ours(share.with) { form method="post" action={ "/shares/" (share.id) "/agree" } {
                button aria-label={ (words.agree) " " (share.name) } { (words.agree) }
            } " " }
            @if is_ours(share.with) || is_ours(share.owner) { (end(words, share)) }
        } } }
    } } }
}

/// With whom a collection is shared, and the form to offer it to others.
pub fn offers(words: &Words, collection: &Collection, units: &[Unit], shares: &[Share]) -> Markup {
    let others =
        units.iter().filter(|unit| unit.id != collection.unit && !shares.iter().any(|share| share.with == unit.id));
    html! { section aria-labelledby="share" {
        h2 #share { (words.share) }
        @if !shares.is_empty() { ul { @for share in shares { li {
            bdi { (share.with_name) } " · " @match share.agreed { Some(at) => { (words.shared_since) " " (time(at)) }, None => (words.offered) } " " (end(words, share))
        } } } }
        form.box method="post" action={ "/collections/" (collection.id) "/shares" } {
            p.hint { (words.share_hint) }
            (choice(words.unit, "with", others.map(|unit| (unit.id.to_string(), unit.name.as_str())), ""))
            button { (words.share) }
        }
    } }
}

/// What became of a request.
pub fn state(words: &Words, state: Asking) -> &'static str {
    match state {
        Asking::Asked => words.request_waits,
        Asking::Granted => words.request_granted,
        Asking::Refused => words.request_refused,
        Asking::Revoked => words.request_revoked,
    }
}

/// Requests to the caller's units, with the forms that answer them.
pub fn requests(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (requests, answers) = call.app.read(|c| {
        let requests = sharing::requests(c, caller)?;
        let answers = |owner| access::require(c, caller, Object::Unit(owner), &[Role::Administrator]).is_ok();
        let answers: Vec<bool> = requests.iter().map(|request| answers(request.owner)).collect();
        Ok((requests, answers))
    })?;
    let rows = html! { @for (request, answers) in requests.iter().zip(answers) { tr {
        td { (time(request.made)) }
        td { bdi { (request.unit) } br; bdi { (request.who) } }
        td { bdi { (request.name) } br; bdi { (request.source) } }
        td.n { (request.characters) }
        td { bdi { (request.reason) } }
        td { (state(words, request.state)) @if !request.answer.is_empty() { (words.colon) bdi { (request.answer) } }
            @if answers { @let choices = match request.state {
                Asking::Asked => vec![(Answer::Grant.as_str().to_owned(), words.grant), (Answer::Refuse.as_str().to_owned(), words.refuse)],
                Asking::Granted => vec![(Answer::Refuse.as_str().to_owned(), words.take_back)],
                Asking::Refused | Asking::Revoked => vec![(Answer::Grant.as_str().to_owned(), words.grant)],
            };
            form method="post" action={ "/requests/" (request.id) } {
                (pick(words.answer, "answer", choices)) (optional_value(words.reason, "reason", "text", ""))
                button aria-label={ (words.answer) " " (request.id) } { (words.answer) }
            } }
        }
    } } };
    let body = html! {
        h1 { (words.requests) }
        p.hint { (words.requests_hint) }
        p { a href="/collections" { (words.collections) } }
        @if requests.is_empty() { p.empty { (words.no_requests) } }
        @else { (table(&[words.at, words.who, words.sources, words.characters, words.reason, words.state], &[words.characters], &rows)) }
    };
    Ok(page(call, Place::Collections, words.requests, &body))
}
