//! Sign-in by the institution: providers of OpenID Connect and of CAS, as `copytrace.toml` names them.
//!
//! A provider says who came back ([`oidc`], [`cas`]); [`admit`] decides which person that is here, and what the person may do.

pub mod admit;
mod cas;
mod claims;
mod client;
pub mod flow;
pub(crate) mod jws;
mod oidc;

pub use claims::Told;
pub use client::{configuration, is_safe};
pub use oidc::Brought;
pub(crate) use oidc::Expected;

use crate::people::Role;
use crate::store::word::worded;
use client::Client;
use copytrace_messages::Language;
use flow::{Done, Flow};
use oidc::Oidc;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

worded! {
    /// How a provider is spoken to.
    Protocol:
    /// OpenID Connect.
    Oidc "oidc";
    /// CAS 3.
    Cas "cas";
}

/// A provider as the institution describes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Its word in addresses.
    pub id: String,
    /// Its name for people, by language (`en`, `zh`).
    pub name: BTreeMap<String, String>,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// Its address: of OpenID Connect the issuer, of CAS what stands before `/login`.
    pub address: String,
    /// By which it knows this service (OpenID Connect).
    #[serde(default)]
    pub client: String,
    /// The file with the secret of this service, unless it has none.
    pub secret_file: Option<PathBuf>,
    /// What that file says.
    #[serde(skip)]
    pub secret: Option<String>,
    /// What it is asked for (OpenID Connect).
    #[serde(default = "scopes")]
    pub scopes: Vec<String>,
    /// The claim by which people are known here: it says a person's number.
    pub claim: String,
    /// What stands behind an `@` in that claim, and is taken off; a claim with another is nobody's here.
    pub domain: Option<String>,
    /// The claim with the name of somebody who is new.
    pub name_claim: Option<String>,
    /// The unit of which somebody becomes a student who is not known here; without it such a person is refused.
    pub students_of: Option<String>,
    /// Which claims give which roles.
    #[serde(default)]
    pub roles: Vec<Rule>,
    /// Whether it asks for a second factor itself.
    #[serde(default)]
    pub second_factor: bool,
    /// Whether administrators of the whole institution sign in by it: then whoever rules the provider rules the service.
    #[serde(default)]
    pub administrators: bool,
}

/// Which claim gives a role.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rule {
    /// The claim.
    pub claim: String,
    /// What it must say.
    pub is: String,
    /// The role.
    pub role: Role,
    /// The unit, by code or name; the whole institution if none is named.
    pub unit: Option<String>,
    /// The claim that names the unit.
    pub unit_claim: Option<String>,
}

fn scopes() -> Vec<String> {
    ["openid", "profile"].map(str::to_owned).to_vec()
}

impl Settings {
    /// The same with the secret of its file.
    ///
    /// # Errors
    /// When something is missing or would not be safe: a sentence that names it.
    pub fn checked(mut self) -> Result<Self, String> {
        let plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let says = |why: &str| Err(format!("the provider `{}`: {why}", self.id));
        if self.id.is_empty() || self.id.len() > 32 || !plain(&self.id) {
            return says("its id has small letters, digits and dashes alone");
        }
        if self.name.is_empty() || self.name.keys().any(|code| Language::named(code).is_none()) {
            return says("its name is by language: name = { en = \"…\", zh = \"…\" }");
        }
        if !is_safe(&self.address) || self.address.contains('?') {
            return says("its address is one of https");
        }
        if self.protocol == Protocol::Oidc && (self.client.is_empty() || !self.scopes.iter().any(|of| of == "openid")) {
            return says("OpenID Connect needs a client, and the scope openid");
        }
        if self.claim.trim().is_empty() {
            return says("a claim must say who somebody is");
        }
        let everywhere =
            |rule: &Rule| rule.role == Role::Administrator && rule.unit.is_none() && rule.unit_claim.is_none();
        if !self.administrators && self.roles.iter().any(everywhere) {
            return says("a rule that makes administrators of the whole institution needs administrators = true");
        }
        if self.roles.iter().any(|rule| rule.unit.is_some() && rule.unit_claim.is_some()) {
            return says("a rule has either unit or unit-claim");
        }
        if let Some(file) = &self.secret_file {
            let secret = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
            self.secret = Some(secret.trim().to_owned()).filter(|secret| !secret.is_empty());
        }
        Ok(self)
    }

    /// Its name in a language, or in another.
    pub fn called(&self, language: Language) -> &str {
        self.name.get(language.code()).or_else(|| self.name.values().next()).map_or(&self.id, String::as_str)
    }

    /// The claims that are looked at.
    fn wanted(&self) -> impl Iterator<Item = &str> {
        let of_rules = self.roles.iter().flat_map(|rule| [Some(rule.claim.as_str()), rule.unit_claim.as_deref()]);
        [Some(self.claim.as_str()), self.name_claim.as_deref()].into_iter().chain(of_rules).flatten()
    }
}

/// Why nobody is signed in by a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It does not answer as it should.
    Down(String),
    /// It does not say who came back, or what it says is not to be believed.
    Refused(String),
    /// Too many wait for an answer.
    Busy,
}

/// A provider.
pub struct Provider {
    /// As the institution describes it.
    pub settings: Settings,
    oidc: Oidc,
}

/// The providers of an institution.
#[derive(Default)]
pub struct Providers {
    all: Vec<Provider>,
    client: Option<Client>,
    done: Done,
}

impl Providers {
    /// Of these settings.
    ///
    /// # Errors
    /// When one of them would not do: a sentence that says why.
    pub fn of(settings: &[Settings]) -> Result<Self, String> {
        let mut all: Vec<Provider> = Vec::new();
        for settings in settings {
            let settings = settings.clone().checked()?;
            if all.iter().any(|known| known.settings.id == settings.id) {
                return Err(format!("the provider `{}`: its id is another's too", settings.id));
            }
            all.push(Provider { settings, oidc: Oidc::default() });
        }
        let client = (!all.is_empty()).then(Client::new);
        Ok(Providers { all, client, done: Done::default() })
    }

    /// All of them, in the order of the settings.
    pub fn all(&self) -> &[Provider] {
        &self.all
    }

    /// The one of an id.
    pub fn get(&self, id: &str) -> Option<&Provider> {
        self.all.iter().find(|provider| provider.settings.id == id)
    }

    fn client(&self) -> Result<&Client, Trouble> {
        self.client.as_ref().ok_or(Trouble::Busy)
    }

    /// Where a browser is sent to sign in; `back` is the address to which it comes back.
    ///
    /// # Errors
    /// When the provider does not answer.
    pub fn begin(&self, provider: &Provider, flow: &Flow, back: &str) -> Result<String, Trouble> {
        let of = &provider.settings;
        match of.protocol {
            Protocol::Oidc => provider.oidc.begin(of, self.client()?, flow, back),
            Protocol::Cas => Ok(cas::begin(of, &with_state(back, flow))),
        }
    }

    /// Who came back.
    ///
    /// # Errors
    /// When the provider does not say so in a way that can be believed, or the sign-in came back before.
    pub fn finish(
        &self,
        provider: &Provider,
        flow: &Flow,
        brought: &Brought<'_>,
        ticket: &str,
        back: &str,
    ) -> Result<Told, Trouble> {
        if !self.done.is_first(&flow.state, flow.until) {
            return Err(Trouble::Refused("it came back before".to_owned()));
        }
        let of = &provider.settings;
        match of.protocol {
            Protocol::Oidc => provider.oidc.finish(of, self.client()?, flow, brought, back),
            Protocol::Cas => cas::finish(of, self.client()?, ticket, &with_state(back, flow)),
        }
    }

    /// Whose sign-out a provider tells of: the subject, empty if any, and the session, if it is one alone.
    ///
    /// # Errors
    /// When that is not to be believed.
    pub fn signed_out(&self, provider: &Provider, notice: &str) -> Result<(String, Option<String>), Trouble> {
        match provider.settings.protocol {
            Protocol::Oidc => provider.oidc.signed_out(&provider.settings, self.client()?, notice),
            Protocol::Cas => {
                let ticket = cas::signed_out(notice).ok_or_else(|| Trouble::Refused("no ticket".to_owned()))?;
                Ok((String::new(), Some(ticket)))
            }
        }
    }

    /// Where a browser signs out at a provider, and comes back from.
    pub fn sign_out_at(&self, provider: &Provider, back: &str) -> Option<String> {
        match provider.settings.protocol {
            Protocol::Oidc => provider.oidc.sign_out_at(&provider.settings, back),
            Protocol::Cas => Some(cas::sign_out_at(&provider.settings, back)),
        }
    }
}

/// The address to which a browser comes back with a ticket. It holds the state, and a ticket is good for one address: so a ticket that another
/// got is confirmed for that other's sign-in alone.
fn with_state(back: &str, flow: &Flow) -> String {
    with_query(back, &[("state", &flow.state)])
}

/// An address with these parameters behind those that it has.
fn with_query(address: &str, parameters: &[(&str, &str)]) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    let separator = if address.contains('?') { '&' } else { '?' };
    format!("{address}{separator}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn checked(changes: Value) -> Result<Settings, String> {
        let mut settings = json!({
            "id": "campus", "name": { "en": "Campus" }, "protocol": "oidc", "address": "https://login.example.edu", "client": "copytrace",
            "claim": "number"
        });
        for (name, value) in changes.as_object().unwrap() {
            settings[name] = value.clone();
        }
        serde_json::from_value::<Settings>(settings).map_err(|error| error.to_string())?.checked()
    }

    #[test]
    fn a_provider_that_would_not_be_safe_is_refused_before_the_server_starts() {
        assert!(checked(json!({})).is_ok());
        let rule = |more: Value| {
            let mut rule = json!({ "claim": "groups", "is": "it", "role": "administrator" });
            more.as_object().unwrap().iter().for_each(|(name, value)| rule[name] = value.clone());
            json!({ "roles": [rule] })
        };
        assert!(checked(rule(json!({ "unit": "cs" }))).is_ok());
        for (changes, said) in [
            (json!({ "id": "a/b" }), "its id"),
            (json!({ "id": "" }), "its id"),
            (json!({ "name": {} }), "by language"),
            (json!({ "name": { "xx": "X" } }), "by language"),
            (json!({ "address": "http://login.example.edu" }), "https"),
            (json!({ "address": "https://login.example.edu/?x=1" }), "https"),
            (json!({ "client": "" }), "client"),
            (json!({ "scopes": ["profile"] }), "openid"),
            (json!({ "claim": " " }), "claim"),
            (json!({ "secret-file": "/nowhere/secret" }), "/nowhere/secret"),
            (json!({ "protocol": "saml" }), "saml"),
            (json!({ "clam": "number" }), "clam"),
            (rule(json!({})), "administrators = true"),
            (rule(json!({ "unit": "cs", "unit-claim": "u" })), "either"),
        ] {
            let error = checked(changes.clone()).unwrap_err();
            assert!(error.contains(said), "{changes}: {error}");
        }
        let twice = [checked(json!({})).unwrap(), checked(json!({})).unwrap()];
        assert!(Providers::of(&twice).is_err_and(|error| error.contains("another's")));
    }
}
