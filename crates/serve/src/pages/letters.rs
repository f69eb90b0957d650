//! Letters: what became of each, and links for those who lost a password.

use super::forms::{line, table};
use super::layout::{Place, page, time};
use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::mail::outbox::{self, Fate, Letter};
use copytrace_messages::{Tell, message};
use maud::html;
use serde::Deserialize;
use std::sync::PoisonError;

/// Letters on the page.
const MOST: usize = 200;
/// Bytes of a number or an address that somebody types.
const LONGEST_GIVEN: usize = 254;

/// The last letters, those first that were refused.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    caller.oversees()?;
    let letters = call.app.read(|c| Ok(outbox::last(c, MOST)?))?;
    let trouble = call.app.mail_trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let kind = |kind| match kind {
        Letter::Invitation => words.letter_invitation,
        Letter::Reset => words.letter_reset,
        Letter::Digest => words.letter_digest,
    };
    let rows = html! { @for (letter, person) in &letters { tr {
        td { (time(letter.made)) }
        td { @if let Some(person) = person { bdi { (person.called()) } " " span.hint { (person.mail.as_deref().unwrap_or_default()) } } }
        td { (kind(letter.kind)) }
        td {
            @match letter.state {
                Fate::Sent => (words.letter_sent),
                Fate::Waiting => (words.letter_waiting),
                Fate::Refused => { span.above { (words.letter_refused) } " "
                    @if caller.administrator().is_ok() { form method="post" action={ "/letters/" (letter.id) } {
                        button aria-label={ (words.send_again) " " (letter.id) } { (words.send_again) }
                    } }
                },
            }
            @if !letter.answer.is_empty() { br; bdi { (letter.answer) } }
        }
    } } };
    let body = html! {
        h1 { (words.letters) }
        @if call.app.mail.is_none() { p.alert { (words.no_mail) } }
        @if !trouble.is_empty() { p.alert { (message!("letters-wait", why = trouble).tell(call.language)) } }
        p.hint { (words.letters_hint) }
        @if letters.is_empty() { p.empty { (words.no_letters) } } @else { (table(&[words.at, words.who, words.letter, words.state], &[], &rows)) }
    };
    Ok(page(call, Place::People, words.letters, &body))
}

/// The form for whoever lost a password.
pub fn lost(call: &Call) -> Result<Reply, Fault> {
    call.app.mail.as_ref().ok_or(&NOT_FOUND)?;
    let words = call.words();
    let body = html! {
        h1 { (words.lost_password) }
        form.box method="post" action="/lost-password" {
            (line(words.number_or_mail, "given", "text", ""))
            button.main { (words.send_link) }
        }
    };
    Ok(page(call, Place::Elsewhere, words.lost_password, &body))
}

#[derive(Deserialize)]
struct Lost {
    given: String,
}

/// Writes down that somebody lost a password. Nothing here depends on whether anybody has that number or address.
pub fn take_lost(call: &Call) -> Result<Reply, Fault> {
    call.app.mail.as_ref().ok_or(&NOT_FOUND)?;
    let Lost { given } = call.fields()?;
    if given.len() > LONGEST_GIVEN {
        return refused(&BAD_FIELD, "given");
    }
    call.app.store.write(|t| outbox::lost_password(t, given.trim()))?;
    let words = call.words();
    let body = html! {
        h1 { (words.lost_password) }
        p.box role="status" { (message!("lost-password-taken").tell(call.language)) }
        p { a href="/login" { (words.sign_in) } }
    };
    Ok(page(call, Place::Elsewhere, words.lost_password, &body))
}
