//! OpenID Connect: the code flow with PKCE (RFC 7636), and the provider's word that somebody has signed out there.

use super::claims::Told;
use super::client::{Client, is_safe};
use super::flow::Flow;
use super::jws::{Claims, Keys, Untrue};
use super::{Settings, Trouble, with_query};
use crate::store::now;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, PoisonError};

/// Seconds by which the clocks of provider and service may differ.
const SKEW: i64 = 60;
/// Seconds after which a provider's description is read again.
const DESCRIPTION_LASTS: i64 = 3600;
/// Seconds between two looks for new keys, so that tokens with made-up keys make no load at the provider: of tokens that it gave for a code, ...
const KEYS_AGAIN: i64 = 2;
/// ... and of those that anybody can send.
const KEYS_AGAIN_FOR_ANYBODY: i64 = 30;
/// The event of a token that tells of a sign-out.
const SIGNED_OUT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// How a provider describes itself.
#[derive(Debug, Clone, Deserialize)]
struct Description {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    end_session_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// What is known of a provider.
#[derive(Debug)]
struct Known {
    description: Description,
    keys: Keys,
    read: i64,
}

/// A provider.
#[derive(Default)]
pub struct Oidc {
    known: Mutex<Option<Arc<Known>>>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

/// What a token must say.
pub(crate) struct Expected<'a> {
    /// By whom it is.
    pub issuer: &'a str,
    /// For whom it is.
    pub client: &'a str,
    /// When it is read.
    pub now: i64,
}

/// What a browser brings back.
#[derive(Debug, Default)]
pub struct Brought<'a> {
    /// The code, for which there is a token.
    pub code: &'a str,
    /// The provider, as it calls itself.
    pub issuer: &'a str,
    /// Why there is no code.
    pub error: &'a str,
}

impl Oidc {
    fn remembered(&self) -> Option<Arc<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is known of the provider, not older than this.
    fn known(&self, of: &Settings, client: &Client, oldest: i64) -> Result<Arc<Known>, Trouble> {
        if let Some(known) = self.remembered().filter(|known| known.read >= oldest) {
            return Ok(known);
        }
        // Not within the lock: a provider that is slow keeps nobody waiting who needs no answer of it.
        let place = format!("{}/.well-known/openid-configuration", of.address.trim_end_matches('/'));
        let wrong = |why: &str| Trouble::Down(format!("{place}: {why}"));
        let description: Description =
            serde_json::from_slice(&client.get(&place, None)?).map_err(|error| wrong(&error.to_string()))?;
        if description.issuer != of.address {
            return Err(wrong("it is the description of another"));
        }
        let optional = [&description.userinfo_endpoint, &description.end_session_endpoint];
        let places = [&description.authorization_endpoint, &description.token_endpoint, &description.jwks_uri];
        if !places.into_iter().chain(optional.into_iter().flatten()).all(|place| is_safe(place)) {
            return Err(wrong("it names an address without https"));
        }
        let keys = Keys::of(&client.get(&description.jwks_uri, None)?).ok_or_else(|| wrong("no keys"))?;
        let known = Arc::new(Known { description, keys, read: now() });
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&known));
        Ok(known)
    }

    /// Where a browser is sent to sign in.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub fn begin(&self, of: &Settings, client: &Client, flow: &Flow, back: &str) -> Result<String, Trouble> {
        let known = self.known(of, client, now() - DESCRIPTION_LASTS)?;
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(flow.verifier.as_bytes()));
        Ok(with_query(
            &known.description.authorization_endpoint,
            &[
                ("response_type", "code"),
                ("client_id", &of.client),
                ("redirect_uri", back),
                ("scope", &of.scopes.join(" ")),
                ("state", &flow.state),
                ("nonce", &flow.nonce),
                ("code_challenge", &challenge),
                ("code_challenge_method", "S256"),
            ],
        ))
    }

    /// Who came back, as the provider says.
    ///
    /// # Errors
    /// When the provider does not answer, or does not say so in a way that can be believed.
    pub fn finish(
        &self,
        of: &Settings,
        client: &Client,
        flow: &Flow,
        brought: &Brought<'_>,
        back: &str,
    ) -> Result<Told, Trouble> {
        let refused = |why: &str| Err(Trouble::Refused(why.to_owned()));
        let known = self.known(of, client, now() - DESCRIPTION_LASTS)?;
        let description = &known.description;
        // RFC 9207: what another provider sends is not taken for this one's.
        let names_itself = !brought.issuer.is_empty() || description.authorization_response_iss_parameter_supported;
        if names_itself && brought.issuer != description.issuer {
            return refused("another provider's answer (iss)");
        }
        if !brought.error.is_empty() || brought.code.is_empty() {
            return refused(&format!("no code: {}", brought.error.chars().take(100).collect::<String>()));
        }
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code").append_pair("code", brought.code);
        form.append_pair("redirect_uri", back).append_pair("code_verifier", &flow.verifier);
        let methods = &description.token_endpoint_auth_methods_supported;
        // What a provider does not say is by its standard: with the head of the request.
        let by_head = methods.is_empty() || methods.iter().any(|method| method == "client_secret_basic");
        let authorization = match &of.secret {
            Some(secret) if by_head => Some(basic(&of.client, secret)),
            Some(secret) => {
                form.append_pair("client_id", &of.client).append_pair("client_secret", secret);
                None
            }
            None => {
                form.append_pair("client_id", &of.client);
                None
            }
        };
        let answer = client.post(&description.token_endpoint, form.finish(), authorization)?;
        let Ok(tokens) = serde_json::from_slice::<Tokens>(&answer) else { return refused("no token") };
        let mut claims = self.claims(of, client, &known, &tokens.id_token, KEYS_AGAIN)?;
        let expected = Expected { issuer: &description.issuer, client: &of.client, now: now() };
        if let Err(why) = expected.check_identity(&claims, &flow.nonce) {
            return refused(why);
        }
        let subject = text(&claims, "sub").unwrap_or_default().to_owned();
        let session = text(&claims, "sid").map(str::to_owned);
        if let (Some(place), Some(token)) = (&description.userinfo_endpoint, &tokens.access_token)
            && of.wanted().any(|claim| !claims.contains_key(claim.split('.').next().unwrap_or_default()))
        {
            let more = client.get(place, Some(token))?;
            let Ok(more) = serde_json::from_slice::<Claims>(&more) else { return refused("no claims") };
            if text(&more, "sub") != Some(&subject) {
                return refused("claims of somebody else (sub)");
            }
            // What the signed token says goes before.
            for (name, value) in more {
                claims.entry(name).or_insert(value);
            }
        }
        Ok(Told { subject, session, claims })
    }

    /// The claims of a token that the provider signed. A key that is not known may have come since the keys were read.
    fn claims(
        &self,
        of: &Settings,
        client: &Client,
        known: &Known,
        token: &str,
        again: i64,
    ) -> Result<Claims, Trouble> {
        let untrue = |why: Untrue| Trouble::Refused(why.to_string());
        match known.keys.claims(token) {
            Err(Untrue::Key | Untrue::Signature) => {
                self.known(of, client, now() - again)?.keys.claims(token).map_err(untrue)
            }
            read => read.map_err(untrue),
        }
    }

    /// Whose sign-out a provider tells of by a token: the person's subject, and the session if it is one alone.
    ///
    /// # Errors
    /// When it is not this provider's token of a sign-out.
    pub fn signed_out(&self, of: &Settings, client: &Client, token: &str) -> Result<(String, Option<String>), Trouble> {
        let known = self.known(of, client, now() - DESCRIPTION_LASTS)?;
        let claims = self.claims(of, client, &known, token, KEYS_AGAIN_FOR_ANYBODY)?;
        let expected = Expected { issuer: &known.description.issuer, client: &of.client, now: now() };
        expected.check_sign_out(&claims).map_err(|why| Trouble::Refused(why.to_owned()))?;
        let of = |name| text(&claims, name).map(str::to_owned);
        Ok((of("sub").unwrap_or_default(), of("sid")))
    }

    /// Where a browser signs out at the provider, if it is known without asking.
    pub fn sign_out_at(&self, of: &Settings, back: &str) -> Option<String> {
        let place = self.remembered()?.description.end_session_endpoint.clone()?;
        Some(with_query(&place, &[("client_id", &of.client), ("post_logout_redirect_uri", back)]))
    }
}

/// Name and secret of a client as the head of a request has them (RFC 6749, 2.3.1).
fn basic(client: &str, secret: &str) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(client), encoded(secret))))
}

fn text<'a>(claims: &'a Claims, name: &str) -> Option<&'a str> {
    claims.get(name)?.as_str()
}

impl Expected<'_> {
    /// What tokens of all kinds must say.
    fn check(&self, claims: &Claims) -> Result<(), &'static str> {
        let time = |name: &str| claims.get(name).and_then(Value::as_f64).map(|seconds| seconds as i64);
        let audience: Vec<&str> = match claims.get("aud") {
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            Some(one) => one.as_str().into_iter().collect(),
            None => Vec::new(),
        };
        let party = text(claims, "azp");
        if text(claims, "iss") != Some(self.issuer) {
            return Err("another provider's token (iss)");
        }
        if !audience.contains(&self.client) {
            return Err("a token for another service (aud)");
        }
        if party.is_some_and(|party| party != self.client) || party.is_none() && audience.len() > 1 {
            return Err("a token for another service (azp)");
        }
        if time("exp").is_none_or(|until| until <= self.now - SKEW) {
            return Err("a token that has expired (exp)");
        }
        let begun = |name: &str| time(name).is_none_or(|from| from <= self.now + SKEW);
        if time("iat").is_none() || !begun("iat") || !begun("nbf") {
            return Err("a token of the future (iat, nbf)");
        }
        Ok(())
    }

    /// What a token must say that tells who signs in: that it was made for this sign-in, too.
    pub fn check_identity(&self, claims: &Claims, nonce: &str) -> Result<(), &'static str> {
        self.check(claims)?;
        if text(claims, "nonce") != Some(nonce) {
            return Err("a token for another sign-in (nonce)");
        }
        if text(claims, "sub").is_none_or(|subject| subject.is_empty() || subject.len() > 255) {
            return Err("a token of nobody (sub)");
        }
        Ok(())
    }

    /// What a token must say that tells of a sign-out (OpenID Connect Back-Channel Logout, 2.6).
    fn check_sign_out(&self, claims: &Claims) -> Result<(), &'static str> {
        self.check(claims)?;
        let event = claims.get("events").and_then(|events| events.get(SIGNED_OUT));
        let names = ["sub", "sid"].into_iter().any(|name| text(claims, name).is_some_and(|text| !text.is_empty()));
        // One that tells who signs in is none that tells of a sign-out.
        match event.is_some_and(Value::is_object) && !claims.contains_key("nonce") && names {
            true => Ok(()),
            false => Err("no token of a sign-out"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: i64 = 1_800_000_000;

    fn checked(claims: Value, kind: &str) -> Result<(), &'static str> {
        let expected = Expected { issuer: "https://login.example.edu", client: "copytrace", now: NOW };
        let claims = claims.as_object().unwrap().clone();
        if kind == "identity" { expected.check_identity(&claims, "n") } else { expected.check_sign_out(&claims) }
    }

    /// Claims that are well, with some changed; null takes one away.
    fn with(well: Value, changes: Value) -> Value {
        let mut claims = well;
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        claims
    }

    #[test]
    fn a_token_signs_in_only_whom_it_was_made_for_here_and_now() {
        let well = json!({
            "iss": "https://login.example.edu", "aud": "copytrace", "sub": "1", "nonce": "n", "exp": NOW + 300, "iat": NOW
        });
        for fine in [
            json!({}),
            json!({ "aud": ["copytrace"] }),
            json!({ "aud": ["copytrace", "other"], "azp": "copytrace" }),
            json!({ "exp": NOW - SKEW + 1 }),
            json!({ "iat": NOW + SKEW, "nbf": NOW + SKEW }),
        ] {
            assert_eq!(checked(with(well.clone(), fine.clone()), "identity"), Ok(()), "{fine}");
        }
        for (changes, claim) in [
            (json!({ "iss": "https://login.example.edu/" }), "(iss)"),
            (json!({ "iss": null }), "(iss)"),
            (json!({ "aud": "other" }), "(aud)"),
            (json!({ "aud": ["other", "copytrace2"] }), "(aud)"),
            (json!({ "aud": null }), "(aud)"),
            (json!({ "aud": ["copytrace", "other"] }), "(azp)"),
            (json!({ "azp": "other" }), "(azp)"),
            (json!({ "exp": NOW - SKEW }), "(exp)"),
            (json!({ "exp": null }), "(exp)"),
            (json!({ "exp": "tomorrow" }), "(exp)"),
            (json!({ "iat": NOW + SKEW + 1 }), "(iat, nbf)"),
            (json!({ "iat": null }), "(iat, nbf)"),
            (json!({ "nbf": NOW + SKEW + 1 }), "(iat, nbf)"),
            (json!({ "nonce": "m" }), "(nonce)"),
            (json!({ "nonce": null }), "(nonce)"),
            (json!({ "sub": "" }), "(sub)"),
            (json!({ "sub": 7 }), "(sub)"),
        ] {
            let said = checked(with(well.clone(), changes.clone()), "identity").unwrap_err();
            assert!(said.ends_with(claim), "{changes}: {said}");
        }
    }

    #[test]
    fn a_token_of_a_sign_out_is_none_that_signs_in_and_names_a_person_or_a_session() {
        let well = json!({
            "iss": "https://login.example.edu", "aud": "copytrace", "sub": "1", "exp": NOW + 300, "iat": NOW, "events": { SIGNED_OUT: {} }
        });
        assert_eq!(checked(well.clone(), "sign-out"), Ok(()));
        assert_eq!(checked(with(well.clone(), json!({ "sub": null, "sid": "s" })), "sign-out"), Ok(()));
        for changes in [
            json!({ "sub": null }),
            json!({ "nonce": "n" }),
            json!({ "events": null }),
            json!({ "events": { "other": {} } }),
            json!({ "aud": "other" }),
            json!({ "iss": "https://other.example.edu" }),
            json!({ "exp": NOW - SKEW }),
        ] {
            assert!(checked(with(well.clone(), changes.clone()), "sign-out").is_err(), "{changes}");
        }
    }
}
