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
<<<<<<< HEAD
use crate::fault::{BUSY, Fault, NOT_ALLOWED, NOT_FOUND, Refusal, TOO_MANY, WRONG_METHOD};
=======
use crate::deeds;
use crate::fault::{
    BAD_FIELD, BUSY, CONFLICT, Fault, KEY_REUSED, NOT_FOUND, Refusal, TOLD_ONCE, TOO_MANY, WRONG_METHOD, refused,
};
>>>>>>> office
use crate::http::call::Call;
use crate::http::once::{self, Key};
use crate::http::reply::Reply;
use crate::http::route::{Route, Takes};
use crate::http::{body, guard};
<<<<<<< HEAD
use crate::pages::words::Words;
use crate::pages::{health, layout};
use crate::people::session::Caller;
use crate::rates;
use crate::{deeds, log};
=======
use crate::pages::{again, health};
use crate::rates;
use crate::store::{now, rows};
>>>>>>> office
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, RawPathParams, Request};
use axum::http::{Response, header};
use axum::routing::{MethodFilter, get, on};
use routes::{EVENTS, ROUTES};
<<<<<<< HEAD
use serde_json::json;
use std::collections::HashMap;
=======
use rusqlite::params;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
>>>>>>> office
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// The router of all routes.
pub fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    // Whether the process lives is told whatever else it is busy with.
    router = router.route(health::LIVE, get(|| async { health::alive().into_response() }));
    for route in ROUTES.iter().filter(|route| route.path != health::LIVE) {
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
<<<<<<< HEAD
        let mut call = Call { app, caller, address, headers, path, query, fields, files, language, key: None };
        call.key = Key::of(route, &call)?;
        blocking(move || {
            once::handle(&call, || {
                if let Some(caller) = &call.caller {
                    // What came as the repeat of a request that was forgotten meanwhile was not looked at.
                    if call.key.is_some() {
                        may_ask(&call.app, caller, route, &call.path)?;
                    }
                    access::admit_fields(&call.app, caller, call.part("id").unwrap_or_default(), &call.fields)?;
                }
                (route.handle)(&call)
            })
=======
        let call = Call { app, caller, address, headers, path, query, fields, files, language };
        let action = uri.path().to_owned();
        blocking(move || {
            let admitted = call.caller.as_ref().map_or(Ok(()), |caller| {
                access::admit_fields(&call.app, caller, call.part("id").unwrap_or_default(), &call.fields)
            });
            again::or_refused(admitted.and_then(|()| once(route, &call)), &call, &action)
>>>>>>> office
        })
        .await
    };
    let mut response = match replied.await {
        Ok(reply) => reply.into_response(),
        Err(fault) => asker.told(fault).await.into_response(),
    };
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

<<<<<<< HEAD
/// What a person is told of a fault: a page, or problem+json (RFC 9457) for a program.
fn failure(fault: Fault, path: &str, id: &str, language: Language, signed_in: bool) -> Reply {
    let (refusal, about) = match fault {
        Fault::Refused(refusal, about) => (Some(refusal), about),
        Fault::Failed(why) => {
            log::failed("request", &format!("{id}: {why}"));
            (None, String::new())
        }
    };
    let words = Words::of(language);
    let (status, code) = refusal.map_or((500, "internal"), |refusal| (refusal.status, refusal.code));
    let reply = if path.starts_with("/api/") {
        let message = refusal.map_or(words.internal.to_owned(), |refusal| refusal.message(language));
        let problem =
            json!({ "type": format!("urn:copytrace:{code}"), "title": message, "status": status, "detail": about });
        Reply::json(&problem).with(header::CONTENT_TYPE, "application/problem+json".to_owned())
    } else if status == 401 && code == "not_signed_in" {
        return Reply::to("/login");
    } else if code == "second_factor_needed" {
        return Reply::to("/account");
    } else {
        let message = refusal.map_or(words.internal.to_owned(), |refusal| refusal.message_about(&about, language));
        // Who has no access has signed in.
        layout::fault(words, &message, signed_in || status == NOT_ALLOWED.status && code == NOT_ALLOWED.code)
    };
    match status {
        429 => reply.status(status).with(header::RETRY_AFTER, "60".to_owned()),
        _ => reply.status(status),
    }
}
=======
/// Handles a request; one with an Idempotency-Key that was handled before gets the same reply.
fn once(route: &Route, call: &Call) -> Result<Reply, Fault> {
    let key = call.header("idempotency-key").map(str::to_owned);
    let (Some(key), Some(caller), true) = (key, &call.caller, route.method == Method::POST) else {
        return (route.handle)(call);
    };
    if key.is_empty() || key.len() > 200 {
        return refused(&BAD_FIELD, "Idempotency-Key");
    }
    let (person, request) = (&caller.person.id, fingerprint(route, call));
    // Before anything is done: a request that is cut off in the middle is not made a second time.
    let is_first = call.app.store.write(|t| {
        t.execute("DELETE FROM reply WHERE made <= ?1", [now() - REMEMBERED])?;
        let sql = "INSERT OR IGNORE INTO reply VALUES (?1, ?2, ?3, 0, '', '', ?4)";
        Ok::<_, rusqlite::Error>(t.execute(sql, params![person, key, request, now()])? == 1)
    })?;
    if !is_first {
        return repeated(call, person, &key, &request);
    }
    let reply = (route.handle)(call);
    call.app.store.write(|t| match &reply {
        Ok(reply) => {
            let (status, body) =
                if reply.is_secret { (-1, &[][..]) } else { (i64::from(reply.status), &reply.body[..]) };
            let sql = "UPDATE reply SET status = ?3, body = ?4, place = ?5 WHERE person = ?1 AND key = ?2";
            t.execute(sql, params![person, key, status, String::from_utf8_lossy(body), reply.place()])
        }
        Err(_) => t.execute("DELETE FROM reply WHERE person = ?1 AND key = ?2", [person, &key]),
    })?;
    reply
}

/// Seconds for which replies are remembered.
const REMEMBERED: i64 = 86_400;

/// The reply that a request got before.
fn repeated(call: &Call, person: &str, key: &str, request: &[u8]) -> Result<Reply, Fault> {
    let (before, (status, body, place)) = call.app.read(|c| {
        let sql = "SELECT request FROM reply WHERE person = ?1 AND key = ?2";
        let before: Vec<u8> = c.query_row(sql, [person, key], |row| row.get(0))?;
        let sql = "SELECT status, body, place FROM reply WHERE person = ?1 AND key = ?2";
        Ok((before, rows::one::<(i64, String, String)>(c, sql, [person, key])?))
    })?;
    match u16::try_from(status) {
        _ if before != request => Err((&KEY_REUSED).into()),
        Ok(0) => refused(&CONFLICT, "a request with this Idempotency-Key is under way, or was cut off"),
        Ok(status) => {
            let reply = Reply::bytes("application/json", body).status(status);
            Ok(if place.is_empty() { reply } else { reply.with(header::LOCATION, place) })
        }
        Err(_) => Err((&TOLD_ONCE).into()),
    }
}

/// What makes a request the same: route, path, fields and the bytes of its files.
fn fingerprint(route: &Route, call: &Call) -> [u8; 32] {
    let path: BTreeMap<&String, &String> = call.path.iter().collect();
    let files: Vec<(&str, &str)> = call.files.iter().map(|file| (file.name.as_str(), file.sha256.as_str())).collect();
    Sha256::digest(format!("{}{path:?}{:?}{files:?}", route.path, call.fields).as_bytes()).into()
}
>>>>>>> office
