//! What is told of a request that is not done: a page with a way onward, or problem+json (RFC 9457) for a program.

use crate::app::App;
use crate::fault::Fault;
use crate::http::guard;
use crate::http::reply::Reply;
use crate::log;
use crate::pages::again::{came_from, sign_in_for};
use crate::pages::layout;
use crate::pages::words::Words;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use copytrace::messages::Language;
use serde_json::json;
use std::sync::Arc;

/// Whoever made a request, as far as it is needed to tell that it is not done.
pub struct Asker {
    app: Arc<App>,
    headers: HeaderMap,
    /// The address with its query.
    place: String,
    sent: bool,
    id: String,
}

impl Asker {
    /// Of a request with this id.
    pub fn of(app: &Arc<App>, request: &Request, id: &str) -> Self {
        let place = request.uri().path_and_query().map_or("/", |place| place.as_str()).to_owned();
        let sent = request.method() != Method::GET;
        Asker { app: Arc::clone(app), headers: request.headers().clone(), place, sent, id: id.to_owned() }
    }

    /// What is told.
    pub async fn told(self, fault: Fault) -> Reply {
        let fault = if self.app.desk.is_some() { fault.at_desk() } else { fault };
        let (status, code) = fault.refusal().map_or((500, "internal"), |refusal| (refusal.status, refusal.code));
        if let Fault::Failed(why) = &fault {
            log::failed("request", &format!("{}: {why}", self.id));
        }
        let reply = if self.place.starts_with("/api/") {
            let language = guard::language(None, &self.headers);
            let title =
                fault.refusal().map_or(Words::of(language).internal.to_owned(), |refusal| refusal.message(language));
            let kind = format!("urn:copytrace:{code}");
            let problem = json!({ "type": kind, "title": title, "status": status, "detail": fault.detail() });
            Reply::json(&problem).with(header::CONTENT_TYPE, "application/problem+json".to_owned())
        } else if code == "not_signed_in" {
            // Back to where the form was, or to the link that was opened.
            let form = || came_from(&self.headers).unwrap_or_default();
            let place = if self.sent { form() } else { self.place };
            return Reply::to(sign_in_for(&place, self.sent));
        } else if code == "second_factor_needed" {
            return Reply::to("/account");
        } else {
            self.page(fault).await
        };
        match status {
            429 => reply.status(status).with(header::RETRY_AFTER, "60".to_owned()),
            _ => reply.status(status),
        }
    }

    async fn page(self, fault: Fault) -> Reply {
        let Asker { app, headers, .. } = self;
        let back = came_from(&headers).filter(|_| self.sent);
        let shared = Arc::clone(&app);
        let found = super::blocking(move || {
            let caller = guard::of_cookie(&app, &headers)?;
            Ok((guard::language(caller.as_ref(), &headers), caller.map(|caller| caller.person)))
        });
        // Where not even that can be looked up the page has no menu.
        let (language, person) = found.await.unwrap_or((Language::ENGLISH, None));
        layout::fault(&shared, Words::of(language), &fault.told(language), person.as_ref(), back.as_deref())
    }
}
