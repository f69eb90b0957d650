//! Webhooks, and what became of what was to be told.

use super::forms::{line, table};
use super::layout::{Place, page, time};
use crate::deeds::office;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::webhooks::rows::{self, State};
use maud::html;

/// Deliveries on the page.
const MOST: usize = 200;

/// The webhooks and the last deliveries.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    show_with(call, None)
}

fn show_with(call: &Call, secret: Option<&str>) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    caller.oversees()?;
    let manages = caller.administrator().is_ok();
    let (webhooks, deliveries) = call.app.read(|c| Ok((rows::all(c)?, rows::last(c, MOST)?)))?;
    let state = |state| match state {
        State::Waiting => words.waiting,
        State::Done => words.letter_sent,
        State::Failed => words.failed,
    };
    let shown = html! { @for delivery in &deliveries { tr {
        td { (time(delivery.made)) } td { code { (delivery.event.as_str()) } } td { bdi { (delivery.url) } } td.n { (delivery.attempts) }
        td { @if delivery.state == State::Failed { span.above { (state(delivery.state)) } } @else { (state(delivery.state)) } " " bdi { (delivery.answer) } }
    } } };
    let body = html! {
        h1 { (words.webhooks) }
        @if let Some(secret) = secret { p.alert role="status" { (words.webhook_made) br; code { (secret) } } }
        @if !webhooks.is_empty() { ul { @for webhook in &webhooks {
            li { bdi { (webhook.url) } " · " (time(webhook.made)) " "
                @if manages {
                    form method="post" action={ "/webhooks/" (webhook.id) "/ping" } { button aria-label={ (words.try_webhook) " " (webhook.url) } { (words.try_webhook) } } " "
                    form method="post" action={ "/webhooks/" (webhook.id) "/remove" } { button aria-label={ (words.remove) " " (webhook.url) } { (words.remove) } }
                }
            }
        } } }
        @if manages {
            form.box method="post" action="/webhooks" {
                p.hint { (words.webhooks_hint) }
                (line(words.webhook_address, "url", "url", ""))
                button.main { (words.create) }
            }
        }
        h2 { (words.deliveries) }
        @if deliveries.is_empty() { p.empty { (words.no_deliveries) } }
        @else { (table(&[words.at, words.event, words.webhook_address, words.attempts, words.state], &[words.attempts], &shown)) }
    };
    Ok(page(call, Place::People, words.webhooks, &body))
}

/// Makes a webhook, and shows its secret once.
pub fn make(call: &Call) -> Result<Reply, Fault> {
    let made = office::make_webhook(call)?;
    Ok(show_with(call, Some(&made.secret))?.secret())
}
