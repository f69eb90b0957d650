//! The addresses that learning platforms and their people's browsers use: LTI 1.3 core and deep linking.

use super::account::frame_cookie;
use super::forms::{choice, line, tick_of};
use super::layout::{self, Place, field_time, page, time_of_field};
use super::platforms::choose_score;
use crate::fault::{
    BAD_FIELD, BAD_REQUEST, BUSY, Fault, NOT_ALLOWED, NOT_FOUND, PROVIDER_DOWN, PROVIDER_REFUSED, SIGN_IN_LOST, refused,
};
use crate::http::call::Call;
use crate::http::guard;
use crate::http::reply::Reply;
use crate::lti::launch::{self, State, Wants};
use crate::lti::members::{Leads, arrive};
use crate::lti::platforms::{self, Platform, Score, site};
use crate::lti::{keys as own_keys, register as registration};
use crate::people::Person;
use crate::people::session::{self, Outside};
use crate::providers::Trouble;
use crate::reviewers::Blind;
use crate::rounds::{NewRound, Round, StudentSees};
use crate::store::{now, rows};
use crate::webhooks::may_go_to;
use crate::{audit, collections, deeds, log};
use axum::http::header;
use copytrace_messages::message;
use maud::html;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What sealed choices are for, so that nothing else that is sealed opens as one.
const CHOICE: &str = "lti choice";
/// Seconds for which a teacher may choose.
const CHOOSES: i64 = 4 * 3600;
/// Seconds for which an answer to a platform is good.
const ANSWER: i64 = 300;

/// The keys by which platforms know this service.
pub fn keys(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::json(&call.app.read(|c| Ok(own_keys::published(c, call.app.store.key())?))?))
}

/// A field of a form, or a parameter of an address: platforms send either.
fn sent(call: &Call, name: &str) -> String {
    call.fields.values(name).pop().unwrap_or_else(|| call.parameter(name).to_owned())
}

/// The cookie of a launch: each has one of its own, for several may be under way on one page.
fn cookie_of(call: &Call, state: &State) -> String {
    let prefix = if call.app.secure { "__Host-copytrace-lti" } else { "copytrace-lti" };
    format!("{prefix}-{}", state.proof.get(..12).unwrap_or_default())
}

/// What is told in a frame of a platform.
fn told(call: &Call, of: &Platform, fault: &Fault) -> Reply {
    let status = fault.refusal().map_or(500, |refusal| refusal.status);
    let message = fault.told(call.language);
    layout::fault(&call.app, call.words(), &message, None, None).status(status).framed(&of.frame)
}

fn trouble(call: &Call, of: &Platform, trouble: Trouble) -> Fault {
    let (why, fault): (String, Fault) = match trouble {
        Trouble::Busy => return (&BUSY).into(),
        Trouble::Down(why) => {
            let named = message!("refusal-provider-down-named", name = of.name.as_str());
            (why, Fault::Told(&PROVIDER_DOWN, vec![named]))
        }
        Trouble::Refused(why) => {
            log::refused_sign_in(PROVIDER_REFUSED.code, "-", &call.address);
            (why, (&PROVIDER_REFUSED).into())
        }
    };
    log::failed("platform", &format!("{}: {why}", of.issuer));
    fault
}

/// Sends a browser that a platform sent here back to it, where the person is known.
pub fn login(call: &Call) -> Result<Reply, Fault> {
    let [issuer, client, hint, message, target] =
        ["iss", "client_id", "login_hint", "lti_message_hint", "target_link_uri"].map(|name| sent(call, name));
    let of = call.app.read(|c| platforms::of_issuer(c, &issuer, &client))?;
    // It leads nowhere by itself; one that is not ours tells that the platform has something else in mind.
    let base = call.base();
    let is_ours = target == base || target.strip_prefix(&base).is_some_and(|rest| rest.starts_with(['/', '?']));
    if hint.is_empty() || !target.is_empty() && !is_ours {
        return Ok(told(call, &of, &Fault::from(&BAD_REQUEST)));
    }
    let mut again = form_urlencoded::Serializer::new(String::new());
    for (name, value) in
        [("iss", &issuer), ("client_id", &of.client), ("login_hint", &hint), ("lti_message_hint", &message)]
    {
        again.append_pair(name, value);
    }
    let (state, proof) = State::new(&of.id, &again.finish());
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in [
        ("scope", "openid"),
        ("response_type", "id_token"),
        ("response_mode", "form_post"),
        ("prompt", "none"),
        ("client_id", &of.client),
        ("redirect_uri", &format!("{base}/lti/launch")),
        ("login_hint", &hint),
        ("lti_message_hint", &message),
        ("state", &state.sealed(call.app.store.key())),
        ("nonce", &state.nonce),
    ] {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    let separator = if of.authorization_url.contains('?') { '&' } else { '?' };
    let place = format!("{}{separator}{}", of.authorization_url, query.finish());
    let kept = frame_cookie(call, &cookie_of(call, &state), &proof, state.until - now());
    Ok(Reply::to(place).with(header::SET_COOKIE, kept))
}

/// Takes in whom a platform sends back.
pub fn launch(call: &Call) -> Result<Reply, Fault> {
    let state = State::opened(call.app.store.key(), &sent(call, "state")).ok_or(&SIGN_IN_LOST)?;
    let of = call.app.read(|c| platforms::get(c, &state.platform))?;
    let name = cookie_of(call, &state);
    if !guard::cookie(&call.headers, &name).is_some_and(|kept| state.was_begun_by(kept)) {
        return Ok(without_cookie(call, &of, &state));
    }
    let reply = arrived(call, &of, &state).unwrap_or_else(|fault| {
        if let Fault::Failed(why) = &fault {
            log::failed("platform", why);
        }
        told(call, &of, &fault)
    });
    Ok(reply.with(header::SET_COOKIE, frame_cookie(call, &name, "", 0)))
}

/// What is told where the browser does not keep what it was given: some keep nothing for pages in frames. In a window it does.
fn without_cookie(call: &Call, of: &Platform, state: &State) -> Reply {
    let is_window = call.header("sec-fetch-dest") == Some("document");
    if is_window || state.again.is_empty() {
        return told(call, of, &Fault::from(&SIGN_IN_LOST));
    }
    let words = call.words();
    let body = html! {
        h1 { (words.open_window) }
        p { (words.window_hint) }
        p { a.button href={ "/lti/login?" (state.again) } target="_blank" { (words.open_window) } }
    };
    page(call, Place::Elsewhere, words.open_window, &body).status(SIGN_IN_LOST.status).framed(&of.frame)
}

fn arrived(call: &Call, of: &Platform, state: &State) -> Result<Reply, Fault> {
    let app = &call.app;
    let refuse = |why: &str| trouble(call, of, Trouble::Refused(why.to_owned()));
    if !app.lti.done.is_first(&state.nonce, state.until) {
        return Err(refuse("it came back before"));
    }
    let token = sent(call, "id_token");
    if token.is_empty() {
        return Err(refuse(&format!("no token: {}", sent(call, "error").chars().take(100).collect::<String>())));
    }
    let claims = app.lti.claims(of, &token, &app.webhook_hosts).map_err(|why| trouble(call, of, why))?;
    let launch = launch::read(&claims, of, &state.nonce, now()).map_err(refuse)?;
    if let Wants::Choose { to, .. } = &launch.wants
        && !may_go_to(to, &app.webhook_hosts)
    {
        return Err(refuse("a way back that is not allowed (deep_link_return_url)"));
    }
    let came = app.write(|t| {
        let came = arrive(t, of, &launch)?;
        // What is refused is recorded, so it is no error that would take the record back.
        if let Err(kept) = &came {
            audit::record(
                t,
                None,
                audit::Action::SignInFailed,
                kept.account.as_deref().unwrap_or_default(),
                &of.provider(),
            )?;
        }
        Ok(came)
    })?;
    let (person, leads) = came.map_err(|kept| {
        log::refused_sign_in(kept.refusal.code, kept.account.as_deref().unwrap_or("-"), &call.address);
        Fault::from(kept.refusal)
    })?;
    let words = call.words();
    let reply = match leads {
        Leads::Round(id) => Reply::to(format!("/rounds/{id}")),
        Leads::Submission(id) => Reply::to(format!("/submissions/{id}")),
        Leads::Choice(unit) => {
            let chosen = Choice::new(of, &launch, unit);
            choose_page(call, &chosen)?.framed(&of.frame)
        }
        Leads::Nowhere => {
            let body = html! { h1 { (words.no_round_yet) } p { (words.no_round_yet_hint) } };
            return Ok(page(call, Place::Elsewhere, words.no_round_yet, &body).framed(&of.frame));
        }
    };
    signed_in(call, of, &person, reply)
}

/// Begins the session of whom a platform named.
fn signed_in(call: &Call, of: &Platform, person: &Person, reply: Reply) -> Result<Reply, Fault> {
    let agent = call.header("user-agent").unwrap_or_default();
    let outside = Outside { provider: of.provider(), session: None, strong: false, frame: Some(of.frame.clone()) };
    let secret = call.app.write(|t| {
        audit::record(t, Some(&person.id), audit::Action::SignIn, &person.id, &of.provider())?;
        Ok(session::begin(t, &person.id, agent, Some(&outside))?)
    })?;
    Ok(reply.with(header::SET_COOKIE, frame_cookie(call, call.app.frame_cookie(), &secret, 7 * 86_400)))
}

/// What a teacher chooses a round for. The form carries it, sealed.
#[derive(Debug, Serialize, Deserialize)]
struct Choice {
    platform: String,
    deployment: String,
    unit: i64,
    title: String,
    until: i64,
    /// The assignment that is there already, ...
    link: Option<String>,
    /// ... or where the answer goes of which the platform makes one, and what goes back with it.
    back: Option<(String, String)>,
}

impl Choice {
    fn new(of: &Platform, launch: &launch::Launch, unit: i64) -> Self {
        let (link, back) = match &launch.wants {
            Wants::Open(id) => (Some(id.clone()), None),
            Wants::Choose { to, data } => (None, Some((to.clone(), data.clone()))),
        };
        let (platform, deployment, title) = (of.id.clone(), launch.deployment.clone(), launch.title.clone());
        Choice { platform, deployment, unit, title, until: now() + CHOOSES, link, back }
    }
}

/// The form by which a teacher chooses a round of the course, or makes one.
fn choose_page(call: &Call, chosen: &Choice) -> Result<Reply, Fault> {
    let words = call.words();
    let (known, collections) = call.app.read(|c| {
        let sql = "SELECT id, title FROM round WHERE unit = ?1 ORDER BY closes DESC, id";
        Ok((rows::all::<(String, String)>(c, sql, [chosen.unit])?, collections::all(c)?))
    })?;
    let sealed = call.app.store.key().seal_factor(CHOICE, &serde_json::to_string(chosen)?);
    let sealed = || html! { input type="hidden" name="for" value=(sealed); };
    let (opens, closes) = (field_time(now()), field_time(now() + 90 * 86_400));
    let sees = super::forms::called(words, StudentSees::ALL);
    let body = html! {
        h1 { (words.choose_round) }
        p.hint { (words.choose_round_hint) }
        @if !known.is_empty() { form.box method="post" action="/lti/round" {
            (sealed()) (choice(words.round_there, "round", known.iter().map(|(id, title)| (id.clone(), title.as_str())), ""))
            button { (words.choose_round) }
        } }
        form.box method="post" action="/lti/round" {
            h2 { (words.new_round) }
            (sealed()) (line(words.title, "title", "text", &chosen.title))
            (line(words.opens, "opens", "datetime-local", &opens)) (line(words.closes, "closes", "datetime-local", &closes))
            (line(words.quota, "quota", "number", "2")) (line(words.limit, "limit", "number", "20"))
            (choice(words.student_sees, "student_sees", sees, "never"))
            (tick_of(words.among, "among", "true", true))
            (choose_score(words, None))
            fieldset { legend { (words.compared_with) } @for one in &collections { (tick_of(&one.name, "collections", &one.id.to_string(), false)) } }
            button.main { (words.new_round) }
        }
    };
    Ok(page(call, Place::Elsewhere, words.choose_round, &body))
}

#[derive(Deserialize)]
struct Chosen {
    #[serde(rename = "for")]
    sealed: String,
    round: Option<String>,
    score: Option<Score>,
}

#[derive(Deserialize)]
struct Filled {
    title: String,
    opens: jiff::civil::DateTime,
    closes: jiff::civil::DateTime,
    quota: i64,
    limit: f64,
    student_sees: StudentSees,
    #[serde(default)]
    among: bool,
    #[serde(default)]
    collections: Vec<i64>,
}

/// Takes the choice: an assignment that is there gets its round, and a platform that waits for one gets its answer.
pub fn choose(call: &Call) -> Result<Reply, Fault> {
    let (caller, Chosen { sealed, round, score }) = (call.caller()?, call.fields()?);
    let opened = call.app.store.key().open_factor(CHOICE, &sealed);
    let chosen: Choice = opened.and_then(|text| serde_json::from_str(&text).ok()).ok_or(&SIGN_IN_LOST)?;
    if chosen.until <= now() {
        return Err((&SIGN_IN_LOST).into());
    }
    let of = call.app.read(|c| platforms::get(c, &chosen.platform))?;
    let round = match round {
        Some(id) => call.app.read(|c| Round::administered(c, caller, &id))?,
        None => {
            let form: Filled = call.fields()?;
            let second = |at, name: &str| time_of_field(at).map_or_else(|| refused(&BAD_FIELD, name), Ok);
            let new = NewRound {
                unit: chosen.unit,
                title: form.title,
                opens: second(form.opens, "opens")?,
                closes: second(form.closes, "closes")?,
                quota: form.quota,
                interval_s: 0,
                self_checks: 0,
                limit_ratio: form.limit / 100.0,
                student_sees: form.student_sees,
                anonymous: false,
                blind: Blind::Both,
                among: form.among,
                keep_days: None,
                previous: None,
                collections: form.collections,
            };
            call.app.write(|t| {
                let round = Round::get(t, &deeds::put_round(t, call, &new)?)?;
                platforms::set_score(t, &caller.person.id, &round, score)?;
                Ok(round)
            })?
        }
    };
    if round.unit != chosen.unit {
        return Err((&NOT_ALLOWED).into());
    }
    if let Some(link) = &chosen.link {
        call.app.write(|t| platforms::put_link(t, &of, &chosen.deployment, link, &round.id))?;
        return Ok(Reply::to(format!("/rounds/{}", round.id)));
    }
    let (to, data) = chosen.back.as_ref().ok_or(&SIGN_IN_LOST)?;
    answer(call, &of, &chosen.deployment, &round, to, data)
}

/// The answer that a platform makes an assignment of, which the browser brings there.
fn answer(call: &Call, of: &Platform, deployment: &str, round: &Round, to: &str, data: &str) -> Result<Reply, Fault> {
    let words = call.words();
    let claim = |name: &str| format!("https://purl.imsglobal.org/spec/lti/claim/{name}");
    let dl = |name: &str| format!("https://purl.imsglobal.org/spec/lti-dl/claim/{name}");
    let mut item = json!({
        "type": "ltiResourceLink", "title": round.title, "url": format!("{}/lti/launch", call.base()), "custom": { "round": round.id }
    });
    let now = now();
    let token = call.app.read(|c| {
        if platforms::score(c, &round.id)?.is_some() {
            item["lineItem"] = json!({ "scoreMaximum": 100, "label": round.title, "resourceId": round.id });
        }
        let mut claims = json!({
            "iss": of.client, "aud": of.issuer, "iat": now, "exp": now + ANSWER, "nonce": crate::store::secret::new_id(),
            claim("message_type"): "LtiDeepLinkingResponse", claim("version"): "1.3.0", claim("deployment_id"): deployment,
            dl("content_items"): [item]
        });
        if !data.is_empty() {
            claims[dl("data")] = json!(data);
        }
        own_keys::signed(c, call.app.store.key(), &claims, now)
    })?;
    let body = html! {
        h1 { (words.add_to_course) }
        p { (words.add_to_course_hint) }
        form method="post" action=(to) data-answer="" { input type="hidden" name="JWT" value=(token); button.main { (words.add_to_course) } }
        script src="/static/lti.js" defer {}
    };
    let there = site(to).ok_or(&NOT_FOUND)?;
    Ok(page(call, Place::Elsewhere, words.add_to_course, &body).sending_to(&there).secret())
}

/// Registers the platform that opens a link of ours, in the browser of who administers it.
pub fn register(call: &Call) -> Result<Reply, Fault> {
    let (words, secret, app) = (call.words(), call.part("secret")?, &call.app);
    let invitation = app.read(|c| platforms::invited(c, secret))?;
    let [address, token] = ["openid_configuration", "registration_token"].map(|name| call.parameter(name));
    let new = registration::register(app, &call.base(), address, token, invitation.unit, invitation.takes_new);
    let new = new.map_err(|why| {
        log::failed("platform", &format!("registration: {why}"));
        let named = message!("refusal-provider-down-named", name = site(address).unwrap_or_default());
        Fault::Told(&PROVIDER_DOWN, vec![named])
    })?;
    app.write(|t| {
        let invitation = platforms::take_invitation(t, secret)?;
        platforms::make(t, &invitation.person, &new, &app.webhook_hosts)
    })?;
    let body = html! {
        h1 data-registered="" { (words.registered) }
        p { bdi { (new.name) } " · " (words.registered_hint) }
        script src="/static/lti.js" defer {}
    };
    Ok(page(call, Place::Elsewhere, words.registered, &body).framed(&new.frame))
}
