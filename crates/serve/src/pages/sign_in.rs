//! Signing in by a provider of the institution, and out by its word.

use super::account::{begin_session, cookie};
use super::again::is_ours;
use super::forms::line;
use super::layout::{Place, page};
use crate::fault::{BUSY, Fault, NOT_FOUND, PROVIDER_DOWN, PROVIDER_REFUSED, SIGN_IN_LOST, TOO_MANY, WRONG_PASSWORD};
use crate::http::call::Call;
use crate::http::guard;
use crate::http::reply::Reply;
use crate::people::Person;
use crate::people::session::{self, Outside};
use crate::providers::admit::admit;
use crate::providers::flow::{Flow, LASTS};
use crate::providers::{Brought, Provider, Trouble};
use crate::{audit, log};
use axum::http::header;
use copytrace_messages::{Tell, message};
use maud::{Markup, html};

fn provider(call: &Call) -> Result<&Provider, Fault> {
    Ok(call.app.providers.get(call.part("provider")?).ok_or(&NOT_FOUND)?)
}

/// The cookie of a sign-in that is under way.
fn name(call: &Call) -> &'static str {
    if call.app.secure { "__Host-copytrace-sign-in" } else { "copytrace-sign-in" }
}

/// The address to which a provider sends the browser back.
fn back_address(call: &Call, provider: &Provider) -> String {
    format!("{}/sign-in/{}/back", call.base(), provider.settings.id)
}

/// What is told when a provider signs nobody in; the log has why.
fn told(call: &Call, provider: &Provider, trouble: Trouble) -> Fault {
    let named = provider.settings.called(call.language);
    match trouble {
        Trouble::Busy => (&BUSY).into(),
        Trouble::Down(why) => {
            log::failed("provider", &format!("{}: {why}", provider.settings.id));
            Fault::Told(&PROVIDER_DOWN, vec![message!("refusal-provider-down-named", name = named)])
        }
        Trouble::Refused(why) => {
            log::failed("provider", &format!("{}: {why}", provider.settings.id));
            log::refused_sign_in(PROVIDER_REFUSED.code, "-", &call.address);
            (&PROVIDER_REFUSED).into()
        }
    }
}

/// The providers, for the page on which one signs in.
pub fn choices(call: &Call, to: &str) -> Markup {
    let address = |id: &str| match is_ours(to) {
        true => {
            format!("/sign-in/{id}?{}", form_urlencoded::Serializer::new(String::new()).append_pair("to", to).finish())
        }
        false => format!("/sign-in/{id}"),
    };
    let (words, providers) = (call.words(), call.app.providers.all());
    html! {
        @if let Some(provider) = call.app.providers.get(call.parameter("out")) { (signed_out(call, provider)) }
        @if !providers.is_empty() {
            ul.plain { @for provider in providers { li { a.button href=(address(&provider.settings.id)) { (provider.settings.called(call.language)) } } } }
            h2 { (words.with_password) }
        }
    }
}

/// What is told to somebody who has signed out here, and not yet at the provider.
fn signed_out(call: &Call, provider: &Provider) -> Markup {
    let place = call.app.providers.sign_out_at(provider, &format!("{}/login", call.base()));
    let there = message!("sign-out-there", name = provider.settings.called(call.language)).tell(call.language);
    html! { p.box role="status" {
        (message!("signed-out-here").tell(call.language))
        @if let Some(place) = place { " " a href=(place) { (there) } }
    } }
}

/// Sends a browser to the provider.
pub fn begin(call: &Call) -> Result<Reply, Fault> {
    let (provider, to) = (provider(call)?, call.parameter("to"));
    let to = if is_ours(to) { to } else { "/" };
    if call.caller.is_some() {
        return Ok(Reply::to(to));
    }
    let flow = Flow::new(&provider.settings.id, to);
    let place = call.app.providers.begin(provider, &flow, &back_address(call, provider));
    Ok(keeping(call, Reply::to(place.map_err(|trouble| told(call, provider, trouble))?), &flow))
}

/// The same reply, after which the browser keeps a sign-in that is under way.
fn keeping(call: &Call, reply: Reply, flow: &Flow) -> Reply {
    reply.with(header::SET_COOKIE, cookie(call, name(call), &flow.sealed(call.app.store.key()), LASTS))
}

/// The sign-in that the browser keeps.
fn kept(call: &Call, provider: &Provider) -> Result<Flow, Fault> {
    let sealed = guard::cookie(&call.headers, name(call)).unwrap_or_default();
    Ok(Flow::opened(call.app.store.key(), sealed, &provider.settings.id).ok_or(&SIGN_IN_LOST)?)
}

/// Takes in whom a provider sends back.
pub fn back(call: &Call) -> Result<Reply, Fault> {
    let provider = provider(call)?;
    let of = &provider.settings;
    let flow = kept(call, provider)?;
    if flow.named.is_some() || flow.state != call.parameter("state") {
        return Err((&SIGN_IN_LOST).into());
    }
    let [code, issuer, error, ticket] = ["code", "iss", "error", "ticket"].map(|name| call.parameter(name));
    let brought = Brought { code, issuer, error };
    let said = call.app.providers.finish(provider, &flow, &brought, ticket, &back_address(call, provider));
    let said = said.map_err(|trouble| told(call, provider, trouble))?;
    let admitted = call.app.store.write(|t| {
        let admitted = admit(t, of, &said)?;
        // What is refused is recorded, so it is no error that would take the record back.
        if let Err(kept) = &admitted {
            audit::record(t, None, audit::Action::SignInFailed, kept.account.as_deref().unwrap_or_default(), &of.id)?;
        }
        Ok::<_, Fault>(admitted)
    })?;
    let person = admitted.map_err(|kept| {
        log::refused_sign_in(kept.refusal.code, kept.account.as_deref().unwrap_or("-"), &call.address);
        Fault::from(kept.refusal)
    })?;
    if person.has_factor && !of.second_factor {
        let flow = flow.with_named(person.id, said.session);
        return Ok(keeping(call, Reply::to(format!("/sign-in/{}/code", of.id)), &flow));
    }
    finish(call, provider, &person.id, said.session, &flow.to)
}

/// Begins the session of whom a provider named.
fn finish(call: &Call, provider: &Provider, person: &str, session: Option<String>, to: &str) -> Result<Reply, Fault> {
    let of = &provider.settings;
    let outside = Outside { provider: of.id.clone(), session, strong: of.second_factor, frame: None };
    let reply = begin_session(call, person, audit::Action::SignIn, to, Some(&outside))?;
    Ok(reply.with(header::SET_COOKIE, cookie(call, name(call), "", 0)))
}

/// The form for the code of the second factor.
pub fn ask_code(call: &Call) -> Result<Reply, Fault> {
    let (provider, words) = (provider(call)?, call.words());
    kept(call, provider)?.named.ok_or(&SIGN_IN_LOST)?;
    let body = html! {
        h1 { (words.sign_in) }
        form.box method="post" action={ "/sign-in/" (provider.settings.id) "/code" } {
            (line(words.code_now, "code", "text", ""))
            button.main { (words.sign_in) }
        }
    };
    Ok(page(call, Place::Elsewhere, words.sign_in, &body))
}

/// Takes the code.
pub fn take_code(call: &Call) -> Result<Reply, Fault> {
    let provider = provider(call)?;
    let flow = kept(call, provider)?;
    let (person, session) = flow.named.ok_or(&SIGN_IN_LOST)?;
    let code = call.fields.values("code").pop().unwrap_or_default();
    let known = call.app.store.read(|c| Person::active(c, &person))?.ok_or(&SIGN_IN_LOST)?;
    if !call.app.rates.account(known.number.as_deref().unwrap_or_default()) {
        return Err((&TOO_MANY).into());
    }
    if !call.app.store.write(|t| session::take_code(t, &person, code.trim()))? {
        log::refused_sign_in(WRONG_PASSWORD.code, &person, &call.address);
        call.app.write(|t| audit::record(t, None, audit::Action::SignInFailed, &person, &provider.settings.id))?;
        return Err((&WRONG_PASSWORD).into());
    }
    finish(call, provider, &person, session, &flow.to)
}

/// Ends the sessions of whoever has signed out at the provider, which tells by a form of its own.
pub fn notice(call: &Call) -> Result<Reply, Fault> {
    let provider = provider(call)?;
    let notice = ["logout_token", "logoutRequest"].iter().find_map(|name| call.fields.values(name).pop());
    let (subject, session) = call
        .app
        .providers
        .signed_out(provider, &notice.unwrap_or_default())
        .map_err(|trouble| told(call, provider, trouble))?;
    let id = &provider.settings.id;
    let ended = call.app.read(|c| Ok(session::of_provider(c, id, &subject, session.as_deref())?))?;
    // Notices of sessions that are none of ours change nothing.
    if !ended.is_empty() {
        call.app.write(|t| {
            for (session, person) in &ended {
                t.execute("DELETE FROM session WHERE id = ?1", [session])?;
                audit::record(t, None, audit::Action::EndSession, person, id)?;
            }
            Ok(())
        })?;
    }
    Ok(Reply::bytes("text/plain; charset=utf-8", ""))
}
