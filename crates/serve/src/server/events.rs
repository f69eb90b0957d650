//! Progress of a submission's check as server-sent events. Each event is the whole state, so a browser that lost its
//! connection needs nothing but the next one; the stream ends when nothing more will happen.

use super::failure::Asker;
use super::routes::EVENTS;
use crate::app::App;
use crate::fault::NOT_SIGNED_IN;
use crate::http::guard;
use crate::{queue, rates, submissions};
use axum::body::Body;
use axum::extract::{RawPathParams, Request};
use axum::http::Response;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// How often the state is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// The stream of a submission that the caller may see.
pub async fn stream(app: Arc<App>, address: SocketAddr, path: RawPathParams, request: Request) -> Response<Body> {
    let headers = request.headers().clone();
    let id = path.iter().find(|(name, _)| *name == "id").map(|(_, value)| value.to_owned()).unwrap_or_default();
    let asker = Asker::of(&app, &request, "");
    let (asked, shared) = (id.clone(), Arc::clone(&app));
    let admitted = super::blocking(move || {
        let caller =
            guard::admit(&shared, &EVENTS, &headers, &guard::address(&shared.proxies, address.ip(), &headers))?;
        let caller = caller.ok_or(&NOT_SIGNED_IN)?;
        shared.store.read(|c| submissions::see(c, &caller, &asked))?;
        shared.crowd.enter(&caller.person.id, rates::OF_PERSON)
    });
    let place = match admitted.await {
        Ok(place) => place,
        Err(fault) => return asker.told(fault).await.into_response(),
    };
    let begin = (app, id, None::<String>, false, place);
    let events = futures_util::stream::unfold(begin, |(app, id, told, over, place)| async move {
        if over {
            return None;
        }
        let mut first = true;
        loop {
            if !std::mem::replace(&mut first, false) || told.is_some() {
                tokio::time::sleep(LOOK).await;
            }
            let (shared, asked) = (Arc::clone(&app), id.clone());
            let status = super::blocking(move || Ok(shared.store.read(|c| queue::status(c, &asked))?)).await;
            let Ok(Some(status)) = status else { return None };
            let state =
                serde_json::json!({ "state": status.state, "progress": status.progress, "before": status.before })
                    .to_string();
            if told.as_ref() != Some(&state) {
                let event = Event::default().event("status").data(&state);
                return Some((Ok::<_, Infallible>(event), (app, id, Some(state), status.state.is_over(), place)));
            }
        }
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}
