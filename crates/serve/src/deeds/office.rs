//! Deeds of the office: letters, webhooks, and what students agree to.

use super::outcome::Outcome;
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::http::call::Call;
use crate::mail::outbox;
use crate::terms;
use crate::webhooks::{may_go_to, rows};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Lets a letter that was refused be sent again.
///
/// # Errors
/// When there is none such.
pub fn send_again(call: &Call) -> Result<(), Fault> {
    call.caller()?.administrator()?;
    let letter = call.number("id")?;
    call.does(|t| outbox::again(t, letter))
}

/// Where a webhook goes.
#[derive(Deserialize, ToSchema)]
pub struct NewWebhook {
    url: String,
}

/// The secret of a webhook, which is not shown again.
#[derive(Serialize, ToSchema)]
pub struct WebhookSecret {
    /// `whsec_` and base64.
    pub secret: String,
}

impl Outcome for WebhookSecret {
    const IS_SECRET: bool = true;
}

/// Makes a webhook.
///
/// # Errors
/// When its address is none that webhooks may go to.
pub fn make_webhook(call: &Call) -> Result<WebhookSecret, Fault> {
    let (by, NewWebhook { url }) = (call.caller()?.administrator()?, call.fields()?);
    let url = url.trim();
    if !may_go_to(url, &call.app.webhook_hosts) {
        return refused(&BAD_FIELD, "url");
    }
    call.does(|t| Ok(WebhookSecret { secret: rows::make(t, by, url)? }))
}

/// Tries a webhook.
///
/// # Errors
/// When there is none.
pub fn ping_webhook(call: &Call) -> Result<(), Fault> {
    call.caller()?.administrator()?;
    let id = call.part("id")?;
    call.does(|t| rows::ping(t, id))
}

/// Removes a webhook.
///
/// # Errors
/// When there is none.
pub fn remove_webhook(call: &Call) -> Result<(), Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.part("id")?);
    call.does(|t| rows::remove(t, by, id))
}

/// What students agree to.
#[derive(Deserialize, ToSchema)]
pub struct NewTerms {
    text: String,
}

/// Writes a new version of what is to be agreed to.
///
/// # Errors
/// When it is empty or too long.
pub fn write_terms(call: &Call) -> Result<(), Fault> {
    let (by, NewTerms { text }) = (call.caller()?.administrator()?, call.fields()?);
    call.does(|t| terms::write(t, by, &text))
}
