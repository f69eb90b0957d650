//! Who a request is from, and whether it may be made at all.

use super::route::{Route, Takes};
use crate::app::App;
use crate::fault::{
    CROSS_SITE, Fault, NOT_ALLOWED, NOT_IN_SCOPE, NOT_SIGNED_IN, SECOND_FACTOR_NEEDED, TOO_MANY, WRONG_HOST,
};
use crate::people::session::{self, Caller, Via};
use crate::store::now;
use axum::http::{HeaderMap, Method, header};
use copytrace::messages::Language;
use std::net::{IpAddr, Ipv6Addr};

/// Seconds after which the use of a session or token is written down again.
const SEEN_AGAIN: i64 = 300;

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The value of a cookie.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().split_once('=').filter(|(n, _)| *n == name))
        .map(|(_, v)| v)
}

/// The token of a request that brings one.
fn token(headers: &HeaderMap) -> Option<&str> {
    text(headers, header::AUTHORIZATION)?.strip_prefix("Bearer ").map(str::trim)
}

/// Whether a browser sent this from a page of ours, or a person typed the address. Programs with a token are no browsers.
fn is_ours(headers: &HeaderMap, secure: bool) -> bool {
    if let Some(site) = text(headers, header::HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    let scheme = if secure { "https" } else { "http" };
    match (text(headers, header::ORIGIN).and_then(|origin| origin.split_once("://")), text(headers, header::HOST)) {
        (Some((of, authority)), Some(host)) => (of, authority) == (scheme, host),
        _ => false,
    }
}

/// Where a request is from, by whose attempts are counted: the last address that the servers before this one tell and that is none
/// of theirs. Whoever has an address of version 6 has a network of them, so they count as one.
pub fn address(proxies: &[IpAddr], peer: IpAddr, headers: &HeaderMap) -> String {
    let told = headers.get_all("x-forwarded-for").into_iter().filter_map(|value| value.to_str().ok());
    let told = told.flat_map(|all| all.split(',')).map(|one| one.trim().parse::<IpAddr>());
    let (mut from, mut before) = (peer.to_canonical(), told.collect::<Vec<_>>());
    // What somebody says who is not trusted is no more than a word.
    while let (true, Some(Ok(address))) = (proxies.contains(&from), before.pop()) {
        from = address.to_canonical();
    }
    match from {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// What staff with a password alone can ask for where they need a second factor: to set it up. A token would go round it.
const WITHOUT_FACTOR: [&str; 4] = ["/account", "/account/new-factor", "/account/factor", "/account/password"];

/// Who a request to a route is from.
///
/// # Errors
/// When it may not be made.
pub fn admit(app: &App, route: &Route, headers: &HeaderMap, address: &str) -> Result<Option<Caller>, Fault> {
    let host = text(headers, header::HOST).unwrap_or_default();
    // Another name that leads here is how pages elsewhere reach servers within.
    if !app.hosts.is_empty() && !app.hosts.iter().any(|known| known == host) {
        return Err((&WRONG_HOST).into());
    }
    let token = token(headers);
    // A request that brings neither token nor cookie has nobody's rights, whatever page it came from.
    let by_browser = headers.contains_key(header::COOKIE) || route.is_for_everybody();
    let is_page = route.method != Method::GET && route.takes != Takes::Notice;
    if is_page && token.is_none() && by_browser && !is_ours(headers, app.secure) {
        return Err((&CROSS_SITE).into());
    }
    let caller = match token {
        Some(token) => match app.store.read(|c| session::of_token(c, token)) {
            Err(fault) if !app.rates.address(&format!("token {address}")) => return Err(limited(fault)),
            found => {
                let (caller, used) = found?;
                if now() - used > SEEN_AGAIN {
                    app.store.write(|t| session::used(t, token))?;
                }
                Some(caller)
            }
        },
        None => of_cookie(app, headers)?,
    };
    match &caller {
        _ if route.is_for_everybody() => Ok(caller),
        None => Err((&NOT_SIGNED_IN).into()),
        Some(Caller { person, strong, .. })
            if app.require_factor && person.is_staff() && !strong && !WITHOUT_FACTOR.contains(&route.path) =>
        {
            Err((&SECOND_FACTOR_NEEDED).into())
        }
        Some(known) if !route.roles.iter().any(|role| known.person.is(*role)) => Err((&NOT_ALLOWED).into()),
        Some(Caller { via: Via::Token(scopes), .. }) if !route.scope.is_some_and(|scope| scopes.contains(&scope)) => {
            Err((&NOT_IN_SCOPE).into())
        }
        Some(_) => Ok(caller),
    }
}

fn limited(fault: Fault) -> Fault {
    match fault {
        Fault::Failed(_) => fault,
        _ => (&TOO_MANY).into(),
    }
}

/// Whose session the cookie of a request is.
///
/// # Errors
/// When the database cannot be read.
pub fn of_cookie(app: &App, headers: &HeaderMap) -> Result<Option<Caller>, Fault> {
    // The session of a frame was begun last: signing in otherwise ends it.
    let secrets = [app.frame_cookie(), app.cookie()].map(|name| cookie(headers, name));
    let mut found = None;
    for secret in secrets.into_iter().flatten() {
        found = found.or(app.store.read(|c| session::of_session(c, secret))?);
    }
    let Some((caller, seen)) = found else { return Ok(None) };
    if let (Via::Session(id), true) = (&caller.via, now() - seen > SEEN_AGAIN) {
        app.store.write(|t| session::seen(t, *id))?;
    }
    Ok(Some(caller))
}

/// The language of a request: the person's choice, the browser's choice, or what the browser prefers.
pub fn language(caller: Option<&Caller>, headers: &HeaderMap) -> Language {
    let chosen = caller.and_then(|caller| caller.person.language.as_deref()).or_else(|| cookie(headers, "language"));
    Language::of_locale(chosen.or_else(|| text(headers, header::ACCEPT_LANGUAGE)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_servers_tell_where_a_request_is_from_and_a_network_of_version_6_is_one() {
        let proxies = ["10.0.0.1", "10.0.0.2"].map(|proxy| proxy.parse().unwrap());
        let cases = [
            ("203.0.113.9", "1.1.1.1", "203.0.113.9"),
            ("10.0.0.1", "1.1.1.1", "1.1.1.1"),
            ("10.0.0.1", "9.9.9.9, 1.1.1.1, 10.0.0.2", "1.1.1.1"),
            ("10.0.0.1", "9.9.9.9, no address", "10.0.0.1"),
            ("::ffff:10.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::1", "", "2001:db8:1:2::/64"),
        ];
        for (peer, told, expected) in cases {
            let headers = HeaderMap::from_iter([("x-forwarded-for".parse().unwrap(), told.parse().unwrap())]);
            assert_eq!(address(&proxies, peer.parse().unwrap(), &headers), expected, "{peer}: {told}");
        }
    }
}
