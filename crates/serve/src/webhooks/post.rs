//! The task that tells webhooks.

use super::roads::Roads;
use super::rows::{self, Delivery};
use super::signature;
use crate::app::{App, repeat};
use crate::fault::Fault;
use crate::store::now;
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked whether there is something to tell.
const EVERY: Duration = Duration::from_secs(2);

/// Tells what waits, for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    let roads = Arc::new(Roads::default());
    repeat(app, "webhook", EVERY, move |app| tell(app, &roads)).await;
}

fn tell(app: &App, roads: &Roads) -> Result<(), Fault> {
    while let Some(delivery) = app.store.read(rows::next)? {
        let told = tell_one(app, roads, &delivery);
        app.store.write(|t| match &told {
            Ok(answer) => rows::done(t, &delivery, answer),
            Err(answer) => rows::failed(t, &delivery, answer),
        })?;
    }
    Ok(())
}

/// Tells one, and gives what was answered.
fn tell_one(app: &App, roads: &Roads, of: &Delivery) -> Result<String, String> {
    let secret = app.store.key().open_factor(&of.webhook, &of.secret).ok_or("its secret was lost with the key")?;
    let at = now();
    let signed = signature(&secret, &of.id, at, &of.body).ok_or("no secret")?;
    let request = ureq::http::Request::post(&of.url)
        .header("content-type", "application/json")
        .header("webhook-id", &of.id)
        .header("webhook-timestamp", at.to_string())
        .header("webhook-signature", signed)
        .body(of.body.clone().into_bytes());
    // The configuration may have changed since the webhook was made.
    let answer = roads.ask(&app.webhook_hosts, request.map_err(|error| error.to_string())?)?;
    let status = answer.status().to_string();
    if answer.status().is_success() { Ok(status) } else { Err(status) }
}
