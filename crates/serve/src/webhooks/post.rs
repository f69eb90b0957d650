//! The task that tells webhooks.

use super::rows::{self, Delivery};
use super::{is_allowed, may_go_to, signature};
use crate::app::App;
use crate::fault::Fault;
use crate::log;
use crate::providers::configuration;
use crate::store::now;
use axum::http::Uri;
use copytrace_harvest::OutsideOnly;
use std::sync::Arc;
use std::time::Duration;
use ureq::Agent;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::DefaultConnector;

/// How often it is looked whether there is something to tell.
const EVERY: Duration = Duration::from_secs(2);

/// How the other side is reached.
struct Roads {
    /// Not inside the network.
    outside: Agent,
    /// Wherever it is.
    anywhere: Agent,
}

impl Roads {
    fn new() -> Self {
        // A proxy would look names up itself, and might reach what we must not.
        let config = || configuration().proxy(None).build();
        Roads {
            outside: Agent::with_parts(config(), DefaultConnector::default(), OutsideOnly::default()),
            anywhere: Agent::with_parts(config(), DefaultConnector::default(), DefaultResolver::default()),
        }
    }
}

/// Tells what waits, for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    let roads = Arc::new(Roads::new());
    loop {
        let (shared, roads) = (Arc::clone(&app), Arc::clone(&roads));
        let told = tokio::task::spawn_blocking(move || tell(&shared, &roads)).await;
        if let Err(fault) = told.unwrap_or_else(|error| Err(Fault::Failed(error.to_string()))) {
            log::failed("webhook", &format!("{fault:?}"));
        }
        tokio::time::sleep(EVERY).await;
    }
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
    // The configuration may have changed since the webhook was made.
    let host = of.url.parse::<Uri>().ok().filter(|_| may_go_to(&of.url, &app.webhook_hosts));
    let host = host.as_ref().and_then(Uri::host).ok_or("an address that is not allowed")?;
    let agent = if is_allowed(host, &app.webhook_hosts) { &roads.anywhere } else { &roads.outside };
    let secret = app.store.key().open_factor(&of.webhook, &of.secret).ok_or("its secret was lost with the key")?;
    let at = now();
    let signed = signature(&secret, &of.id, at, &of.body).ok_or("no secret")?;
    let request = ureq::http::Request::post(&of.url)
        .header("content-type", "application/json")
        .header("webhook-id", &of.id)
        .header("webhook-timestamp", at.to_string())
        .header("webhook-signature", signed)
        .body(of.body.as_bytes());
    let answer = agent.run(request.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    let status = answer.status().to_string();
    if answer.status().is_success() { Ok(status) } else { Err(status) }
}
