//! The server: each request is admitted, read, and handed to its handler on a thread that may block.

mod events;
mod failure;
pub mod listen;
pub mod openapi;
pub mod routes;

use self::failure::Asker;
use self::listen::{Asked, RequestId};
use crate::access;
use crate::app::App;
use crate::deeds;
use crate::fault::{BUSY, Fault, NOT_FOUND, Refusal, TOO_MANY, WRONG_METHOD};
use crate::http::call::Call;
use crate::http::once::{self, Key};
use crate::http::route::{Route, Takes};
use crate::http::{body, guard};
use crate::pages::{again, health};
use crate::people::session::Caller;
use crate::rates;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, RawPathParams, Request};
use axum::http::Response;
use axum::routing::{MethodFilter, get, on};
use routes::EVENTS;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// The router of all routes.
pub fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    // Whether the process lives is told whatever else it is busy with.
    router = router.route(health::LIVE, get(|| async { health::alive().into_response() }));
    for route in routes::served(app.desk.is_some()).filter(|route| route.path != health::LIVE) {
        let app = Arc::clone(app);
        let filter = MethodFilter::try_from(route.method.clone()).unwrap_or(MethodFilter::GET);
        let handle = move |ConnectInfo(address): ConnectInfo<SocketAddr>, path: RawPathParams, request: Request| {
            let (app, begun) = (Arc::clone(&app), Instant::now());
            async move {
                let response = answer(Arc::clone(&app), route, address, path, request).await;
                app.figures.answered(route.method.as_str(), route.path, response.status().as_u16(), begun.elapsed());
                response
            }
        };
        router = router.route(route.path, on(filter, handle));
    }
    let shared = Arc::clone(app);
    let events = move |ConnectInfo(address): ConnectInfo<SocketAddr>, path: RawPathParams, request: Request| {
        events::stream(Arc::clone(&shared), address, path, request)
    };
    router = router.route(EVENTS.path, get(events));
    let unknown = |refusal: &'static Refusal| {
        let app = Arc::clone(app);
        move |request: Request| async move { Asker::of(&app, &request, "").told(Fault::from(refusal)).await.into_response() }
    };
    // Bodies are bounded where they are read, field by field and file by file.
    let unbounded = DefaultBodyLimit::disable();
    router.fallback(unknown(&NOT_FOUND)).method_not_allowed_fallback(unknown(&WRONG_METHOD)).layer(unbounded)
}

async fn answer(
    app: Arc<App>,
    route: &'static Route,
    address: SocketAddr,
    path: RawPathParams,
    request: Request,
) -> Response<Body> {
    let id = request.extensions().get::<RequestId>().map_or(String::new(), |id| id.0.clone());
    let headers = request.headers().clone();
    let uri = request.uri().clone();
    let asker = Asker::of(&app, &request, &id);
    let path: HashMap<String, String> = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let address = guard::address(&app.proxies, address.ip(), &headers);
    let admitted = {
        let (app, headers, address, path) = (Arc::clone(&app), headers.clone(), address.clone(), path.clone());
        blocking(move || {
            let caller = guard::admit(&app, route, &headers, &address)?;
            if let Some(caller) = &caller
                && !once::is_repeated(&app, caller, route, &headers)?
            {
                may_ask(&app, caller, route, &path)?;
            }
            Ok(caller)
        })
        .await
    };
    let caller = match admitted {
        Ok(caller) => caller,
        Err(fault) => {
            return asker.told(fault).await.into_response();
        }
    };
    let language = guard::language(caller.as_ref(), &headers);
    let person = caller.as_ref().map(|caller| caller.person.id.clone());
    let frame = caller.as_ref().and_then(|caller| caller.frame.clone());
    let asked = Asked { path: route.path, object: path.get("id").cloned().unwrap_or_default(), person };
    let replied = async {
        if route.takes == Takes::Password && !app.rates.address(&address) {
            return Err((&TOO_MANY).into());
        }
        let place = match (&caller, route.takes) {
            (_, Takes::Nothing) => None,
            (Some(caller), _) => Some(app.crowd.enter(&caller.person.id, rates::OF_PERSON)?),
            (None, _) => Some(app.crowd.enter(&address, rates::OF_ADDRESS)?),
        };
        let (fields, files) = body::read(&app, route.takes, request).await?;
        drop(place);
        // After the body: who sends it slowly keeps nobody waiting.
        let _turn = if route.takes == Takes::Password { Some(app.turns.next().await?) } else { None };
        let query = uri.query().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut call = Call { route, app, caller, address, headers, path, query, fields, files, language, key: None };
        call.key = Key::of(&call)?;
        let action = uri.path().to_owned();
        blocking(move || {
            let reply = once::handle(&call, || {
                if let Some(caller) = &call.caller {
                    // What came as the repeat of a request that was forgotten meanwhile was not looked at.
                    if call.key.is_some() {
                        may_ask(&call.app, caller, route, &call.path)?;
                    }
                    access::admit_fields(&call.app, caller, call.part("id").unwrap_or_default(), &call.fields)?;
                }
                (route.handle)(&call)
            });
            again::or_refused(reply, &call, &action)
        })
        .await
    };
    let reply = match replied.await {
        Ok(reply) => reply,
        Err(fault) => asker.told(fault).await,
    };
    let mut response = frame.iter().fold(reply, |reply, site| reply.framed(site)).into_response();
    response.extensions_mut().insert(asked);
    response
}

/// Refuses whoever has no access to what the path names, or could not hand in what comes.
fn may_ask(app: &App, caller: &Caller, route: &Route, path: &HashMap<String, String>) -> Result<(), Fault> {
    access::admit(app, caller, route, path)?;
    match route.takes {
        Takes::Submission => deeds::may_hand_in(app, caller, path.get("id").map_or("", String::as_str)),
        _ => Ok(()),
    }
}

/// Runs what may block on a thread for it.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Fault> + Send + 'static) -> Result<T, Fault> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => Err(Fault::Failed("a handler panicked".to_owned())),
        Err(_) => Err((&BUSY).into()),
    }
}
