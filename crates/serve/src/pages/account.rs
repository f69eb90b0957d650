//! Signing in and out, one's own password, sessions and tokens.

use super::again::is_ours;
use super::forms::{line, tick_of};
use super::layout::{Place, page, time};
use super::sign_in;
use super::words::Words;
use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, TOO_MANY, WRONG_PASSWORD, refused};
use crate::http::call::Call;
use crate::http::guard;
use crate::http::reply::Reply;
use crate::people::session::{self, Outside, Scope, Via};
use crate::people::{self, Person, password, totp};
use crate::{audit, export, log};
use axum::http::header;
use copytrace_messages::Language;
use maud::{Markup, html};
use rusqlite::params;
use serde::Deserialize;

/// The form to sign in.
pub fn login(call: &Call) -> Result<Reply, Fault> {
    let to = call.parameter("to");
    if call.caller.is_some() {
        return Ok(Reply::to(if is_ours(to) { to } else { "/" }));
    }
    let words = call.words();
    let body = html! {
        h1 { (words.sign_in) }
        (sign_in::choices(call, to))
        form.box method="post" action="/login" {
            @if is_ours(to) { input type="hidden" name="to" value=(to); }
            label { span { (words.number) } input name="number" autocomplete="username" required; }
            label { span { (words.password) } input type="password" name="password" autocomplete="current-password" required; }
            label { span { (words.code_now) } input name="code" inputmode="numeric" autocomplete="one-time-code"; }
            button.main { (words.sign_in) }
        }
        @if call.app.mail.is_some() { p { a href="/lost-password" { (words.lost_password) } } }
    };
    Ok(page(call, Place::Elsewhere, words.sign_in, &body))
}

#[derive(Deserialize)]
struct SignIn {
    number: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    code: String,
    /// The page of ours that was asked for.
    #[serde(default)]
    to: String,
}

/// Signs in with number and password, and a code where one is needed.
pub fn sign_in(call: &Call) -> Result<Reply, Fault> {
    let SignIn { number, password, code, to } = call.fields()?;
    let person = identify(call, number.trim(), &password, &code)?;
    begin_session(call, &person.id, audit::Action::SignIn, if is_ours(&to) { &to } else { "/" }, None)
}

/// The person whose number and password these are. Failures are told to those who watch the log, and recorded.
fn identify(call: &Call, number: &str, password: &str, code: &str) -> Result<Person, Fault> {
    // Nobody has such a number, and nobody's attempts are counted by it.
    if number.len() > people::LONGEST_NUMBER {
        return Err((&WRONG_PASSWORD).into());
    }
    let counted = call.app.rates.account(number);
    let found = if counted {
        let found = call.app.store.read(|c| session::of_password(c, number, password));
        found.and_then(|person| match call.app.store.write(|t| session::take_code(t, &person.id, code))? {
            true => Ok(person),
            false => Err((&WRONG_PASSWORD).into()),
        })
    } else {
        Err((&TOO_MANY).into())
    };
    if let Err(Fault::Refused(refusal, _)) = &found {
        let known = call.app.store.read(|c| Person::by_number(c, number))?;
        log::refused_sign_in(refusal.code, known.as_ref().map_or("-", |person| &person.id), &call.address);
        if let (true, Some(person)) = (counted, known) {
            call.app.store.write(|t| audit::record(t, None, audit::Action::SignInFailed, &person.id, ""))?;
        }
    }
    found
}

/// Begins a session, also of somebody who has signed in at a provider, and sends the browser to a page.
///
/// # Errors
/// When the database cannot be written.
pub fn begin_session(
    call: &Call,
    person: &str,
    action: audit::Action,
    to: &str,
    outside: Option<&Outside>,
) -> Result<Reply, Fault> {
    let agent = call.header("user-agent").unwrap_or_default();
    let secret = call.app.write(|t| {
        audit::record(t, Some(person), action, person, outside.map_or("", |outside| &outside.provider))?;
        Ok(session::begin(t, person, agent, outside)?)
    })?;
    Ok(unframed(call, Reply::to(to)).with(header::SET_COOKIE, cookie(call, call.app.cookie(), &secret, 7 * 86_400)))
}

/// The reply, after which the browser keeps no session of a frame.
fn unframed(call: &Call, reply: Reply) -> Reply {
    match guard::cookie(&call.headers, call.app.frame_cookie()) {
        Some(_) => reply.with(header::SET_COOKIE, frame_cookie(call, call.app.frame_cookie(), "", 0)),
        None => reply,
    }
}

/// A cookie for pages that stand in frames of another site, which browsers keep apart for each such site. Without https they keep none for
/// other sites, so there frames are those of the same machine.
pub fn frame_cookie(call: &Call, name: &str, value: &str, seconds: i64) -> String {
    let sites = if call.app.secure { "SameSite=None; Secure; Partitioned" } else { "SameSite=Lax" };
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; {sites}")
}

/// A cookie that scripts do not see and that other sites send along with links alone.
pub fn cookie(call: &Call, name: &str, value: &str, seconds: i64) -> String {
    if call.app.desk.is_some() {
        // Nobody comes to a desk from elsewhere; and it is gone with the browser.
        return format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict");
    }
    let secure = if call.app.secure { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}")
}

/// Ends the session.
pub fn sign_out(call: &Call) -> Result<Reply, Fault> {
    let mut provider = None;
    if let Some(caller) = &call.caller
        && let Via::Session(id) = caller.via
    {
        provider = call.app.store.read(|c| session::provider_of(c, id))?;
        call.app.store.write(|t| t.execute("DELETE FROM session WHERE id = ?1", [id]))?;
    }
    // The provider's own session goes on; the next page offers to end it.
    let provider = provider.filter(|provider| call.app.providers.get(provider).is_some());
    let place = provider.map_or("/login".to_owned(), |provider| format!("/login?out={provider}"));
    Ok(unframed(call, Reply::to(place)).with(header::SET_COOKIE, cookie(call, call.app.cookie(), "", 0)))
}

#[derive(Deserialize)]
struct Chosen {
    language: String,
}

/// Keeps the choice of a language.
pub fn choose_language(call: &Call) -> Result<Reply, Fault> {
    let Chosen { language } = call.fields()?;
    let Some(language) = Language::named(&language).map(Language::code) else {
        return refused(&BAD_FIELD, "language");
    };
    if let Some(caller) = &call.caller {
        call.app.store.write(|t| {
            t.execute("UPDATE person SET language = ?2 WHERE id = ?1", params![caller.person.id, language])
        })?;
    }
    // Back to where the button was, if that is a page of ours.
    let from =
        call.header("referer").and_then(|from| from.split_once("://")).and_then(|(_, rest)| rest.split_once('/'));
    let place = from.map_or("/".to_owned(), |(_, path)| format!("/{}", path.trim_start_matches('/')));
    Ok(Reply::to(place).with(header::SET_COOKIE, cookie(call, "language", language, 366 * 86_400)))
}

/// The form behind a link that is good once.
pub fn invitation(call: &Call) -> Result<Reply, Fault> {
    let (words, secret) = (call.words(), call.part("secret")?);
    let person = call.app.store.read(|c| session::invited(c, secret))?;
    let body = html! {
        h1 { (words.welcome) ", " bdi { (person.label()) } }
        p { (words.number) (words.colon) code { (person.number.as_deref().unwrap_or_default()) } }
        form.box method="post" action={ "/invite/" (secret) } {
            input type="text" hidden name="number" autocomplete="username" value=(person.number.as_deref().unwrap_or_default());
            label { span { (words.new_password) } input type="password" name="password" minlength="10" autocomplete="new-password" required; }
            button.main { (words.choose_password) }
        }
    };
    Ok(page(call, Place::Elsewhere, words.choose_password, &body))
}

#[derive(Deserialize)]
struct NewPassword {
    #[serde(default)]
    old: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    password: String,
}

/// Uses a link: the person chooses a password and is signed in.
pub fn accept(call: &Call) -> Result<Reply, Fault> {
    let secret = call.part("secret")?;
    let person = call.app.store.read(|c| session::invited(c, secret))?;
    let new = call.fields::<NewPassword>()?.password;
    let hash = password::hash(&new, person.number.as_deref().unwrap_or_default())?;
    call.app.write(|t| {
        // Of two who use it at once the second comes too late.
        session::invited(t, secret)?;
        Ok(session::set_password(t, &person.id, &hash)?)
    })?;
    // A link stands for the password alone.
    if person.has_factor {
        return Ok(Reply::to("/login"));
    }
    begin_session(call, &person.id, audit::Action::ChoosePassword, "/", None)
}

/// One's own account.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    show_with(call, None, None)
}

/// Offers a key for a second factor, which counts once a code of it is given.
pub fn offer_factor(call: &Call) -> Result<Reply, Fault> {
    Ok(show_with(call, None, Some(&totp::new_key()))?.secret())
}

#[derive(Deserialize)]
struct Factor {
    key: Option<String>,
    code: String,
}

/// Sets a second factor up, or takes it away: with a code of it.
pub fn change_factor(call: &Call) -> Result<Reply, Fault> {
    let (Factor { key, code }, person) = (call.fields()?, &call.caller()?.person);
    if !call.app.rates.account(person.number.as_deref().unwrap_or_default()) {
        return Err((&TOO_MANY).into());
    }
    call.app.store.write(|t| match &key {
        Some(key) => session::set_factor(t, &person.id, key, &code),
        None if session::take_code(t, &person.id, &code)? => session::remove_factor(t, &person.id, Some(&person.id)),
        None => refused(&BAD_FIELD, "code"),
    })?;
    Ok(Reply::to("/account"))
}

fn show_with(call: &Call, new_token: Option<&str>, new_key: Option<&str>) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let person = &caller.person;
    let (sessions, tokens) =
        call.app.read(|c| Ok((session::sessions(c, &person.id)?, session::tokens(c, &person.id)?)))?;
    let body = html! {
        h1 { (words.account) }
        p { bdi { (person.label()) } " · " (person.number.as_deref().unwrap_or_default()) " · "
            @for (at, (_, role)) in person.roles.iter().enumerate() { @if at > 0 { ", " } (words.word(role.as_str())) } }
        p { a href="/account/data.zip" { (words.own_data) } }
        section aria-labelledby="sessions" {
            h2 #sessions { (words.sessions) }
            ul { @for session::Session { id, agent, seen } in &sessions {
                li {
                    bdi { (agent) } " · " (time(*seen)) " "
                    @if matches!(caller.via, Via::Session(own) if own == *id) { span.tag { (words.this_one) } }
                    @else { form method="post" action={ "/account/sessions/" (id) } { button aria-label={ (words.end) " " (agent) " " (id) } { (words.end) } } }
                }
            } }
        }
        section aria-labelledby="tokens" {
            h2 #tokens { (words.tokens) }
            @if let Some(token) = new_token { p.alert role="status" { (words.token_made) br; code { (token) } } }
            @if !tokens.is_empty() {
                (tokens_list(words, &tokens, "/account/tokens"))
            }
            form.box method="post" action="/account/tokens" {
                (line(words.label, "label", "text", ""))
                fieldset { legend { (words.scopes) } @for scope in Scope::ALL { (tick_of(scope.as_str(), "scopes", scope.as_str(), false)) } }
                button { (words.create) }
            }
        }
        section aria-labelledby="factor" {
            h2 #factor { (words.second_factor) }
            @if person.has_factor {
                p { (words.second_factor_on) }
                form.box method="post" action="/account/factor" { (line(words.code_now, "code", "text", "")) button { (words.turn_off) } }
            } @else if let Some(key) = new_key {
                p.alert role="status" { (words.second_factor_hint) br; code { (key) } }
                form.box method="post" action="/account/factor" {
                    input type="hidden" name="key" value=(key);
                    (line(words.code_now, "code", "text", "")) button.main { (words.confirm) }
                }
            } @else { form method="post" action="/account/new-factor" { button { (words.set_up) } } }
        }
        section aria-labelledby="password" {
            h2 #password { (words.change_password) }
            form.box method="post" action="/account/password" {
                input type="text" name="number" autocomplete="username" value=(person.number.as_deref().unwrap_or_default()) hidden;
                label { span { (words.old_password) } input type="password" name="old" autocomplete="current-password" required; }
                label { span { (words.new_password) } input type="password" name="password" minlength="10" autocomplete="new-password" required; }
                @if person.has_factor { (line(words.code_now, "code", "text", "")) }
                button { (words.save) }
            }
        }
    };
    Ok(page(call, Place::Account, words.account, &body))
}

/// What is kept of the caller, as an archive.
pub fn data(call: &Call) -> Result<Reply, Fault> {
    let person = &call.caller()?.person.id;
    let archive = export::of_person(&call.app, person, person, call.words().closed_source)?;
    Ok(Reply::large_file("application/zip", "data.zip", archive))
}

/// Tokens, each with a button that revokes it at an address below this one.
pub fn tokens_list(words: &Words, tokens: &[session::Token], address: &str) -> Markup {
    html! { ul { @for session::Token { id, label, scopes, expires, used } in tokens {
        li { bdi { (label) } " · " (scopes) " · " (words.expires) " " (time(*expires)) " · "
            @match used { Some(at) => { (words.last_used) " " (time(*at)) }, None => (words.never_used) } " "
            form method="post" action={ (address) "/" (id) } { button aria-label={ (words.revoke) " " (label) " " (id) } { (words.revoke) } } }
    } } }
}

/// Ends another of one's sessions.
pub fn end_session(call: &Call) -> Result<Reply, Fault> {
    let (id, person) = (call.number("id")?, &call.caller()?.person.id);
    call.app.store.write(|t| {
        if t.execute("DELETE FROM session WHERE id = ?1 AND person = ?2", params![id, person])? == 0 {
            return Err((&NOT_FOUND).into());
        }
        audit::record(t, Some(person), audit::Action::EndSession, person, &id.to_string())
    })?;
    Ok(Reply::to("/account"))
}

/// Revokes one of one's tokens.
pub fn revoke_token(call: &Call) -> Result<Reply, Fault> {
    let (id, person) = (call.number("id")?, &call.caller()?.person.id);
    call.app.store.write(|t| session::revoke_token(t, person, id, person))?;
    Ok(Reply::to("/account"))
}

#[derive(Deserialize)]
struct NewToken {
    label: String,
    #[serde(default)]
    scopes: Vec<Scope>,
}

/// Makes a token.
pub fn make_token(call: &Call) -> Result<Reply, Fault> {
    let (NewToken { label, scopes }, person) = (call.fields()?, &call.caller()?.person.id);
    if label.len() > 100 || scopes.is_empty() {
        return refused(&BAD_FIELD, if scopes.is_empty() { "scopes" } else { "label" });
    }
    let scopes = scopes.into_iter().map(Scope::as_str).collect::<Vec<_>>().join(" ");
    let token = call.app.write(|t| {
        audit::record(t, Some(person), audit::Action::MakeToken, person, &scopes)?;
        Ok(session::new_token(t, person, &label, &scopes)?)
    })?;
    Ok(show_with(call, Some(&token), None)?.secret())
}

/// Changes one's password; all sessions end.
pub fn change_password(call: &Call) -> Result<Reply, Fault> {
    let (person, new) = (&call.caller()?.person, call.fields::<NewPassword>()?);
    let number = person.number.as_deref().unwrap_or_default();
    identify(call, number, &new.old, &new.code)?;
    let hash = password::hash(&new.password, number)?;
    call.app.write(|t| {
        audit::record(t, Some(&person.id), audit::Action::ChangePassword, &person.id, "")?;
        Ok(session::set_password(t, &person.id, &hash)?)
    })?;
    begin_session(call, &person.id, audit::Action::SignIn, "/", None)
}
