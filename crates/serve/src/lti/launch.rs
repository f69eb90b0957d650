//! A launch: what a platform says of a person who comes here by one of its assignments, and whether that is to be believed.

use super::platforms::Platform;
use crate::providers::Expected;
use crate::providers::jws::Claims;
use crate::store::key::Key;
use crate::store::{now, secret};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Seconds that the way over the platform may take.
const LASTS: i64 = 900;
/// What sealed states are for, so that nothing else that is sealed opens as one.
const FOR: &str = "lti state";
/// Bytes of what the platform sends along that can be sent again.
const LONGEST_HINT: usize = 1000;

/// A launch that is under way. The browser carries it to the platform and back, sealed; so whoever begins a thousand fills nothing here.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct State {
    /// The platform.
    pub platform: String,
    /// What its token must hold.
    pub nonce: String,
    /// The SHA-256 of what the browser keeps, in hexadecimal: the one that comes back must be the one that began.
    pub proof: String,
    /// By which it can be begun again in a window of its own, as the platform sent it; empty if that was too long.
    pub again: String,
    /// Until when it may come back.
    pub until: i64,
}

impl State {
    /// A new one, and what the browser keeps.
    pub fn new(platform: &str, again: &str) -> (Self, String) {
        let proof = secret::new_secret();
        let again = if again.len() > LONGEST_HINT { "" } else { again };
        let state = State {
            platform: platform.to_owned(),
            nonce: secret::new_id(),
            proof: secret::hexadecimal(&secret::hash(&proof)),
            again: again.to_owned(),
            until: now() + LASTS,
        };
        (state, proof)
    }

    /// As the platform carries it.
    pub fn sealed(&self, key: &Key) -> String {
        key.seal_factor(FOR, &serde_json::to_string(self).unwrap_or_default())
    }

    /// The one that a platform sent back, if it is still good.
    pub fn opened(key: &Key, sealed: &str) -> Option<Self> {
        let state: State = serde_json::from_str(&key.open_factor(FOR, sealed)?).ok()?;
        (state.until > now()).then_some(state)
    }

    /// Whether a browser that keeps this began it.
    pub fn was_begun_by(&self, kept: &str) -> bool {
        secret::hexadecimal(&secret::hash(kept)) == self.proof
    }
}

/// What a platform wants of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wants {
    /// An assignment with this id is opened.
    Open(String),
    /// A teacher chooses what an assignment leads to; where the browser brings the answer, and what goes back with it.
    Choose {
        /// Where the browser brings the answer.
        to: String,
        /// What goes back with it.
        data: String,
    },
}

/// What a platform says of somebody who comes here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// By which the platform knows the person, for ever.
    pub subject: String,
    /// The person's number in the institution, if the platform knows one.
    pub number: Option<String>,
    /// What the person is called.
    pub name: Option<String>,
    /// Whether the person teaches in the course.
    pub teaches: bool,
    /// Whether the person learns in the course.
    pub learns: bool,
    /// The deployment, ...
    pub deployment: String,
    /// ... the course in it, ...
    pub course: String,
    /// ... and its title.
    pub course_title: String,
    /// The assignment's title.
    pub title: String,
    /// What is wanted.
    pub wants: Wants,
    /// The round that the assignment names, which teachers there can write.
    pub round: Option<String>,
    /// Where scores go, where such a place is made, and where members are told.
    pub line_item: Option<String>,
    /// See `line_item`.
    pub line_items: Option<String>,
    /// See `line_item`.
    pub memberships: Option<String>,
}

fn claim(name: &str) -> String {
    format!("https://purl.imsglobal.org/spec/lti/claim/{name}")
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty() && text.len() <= 2000)
}

/// Whether roles in a course name this one (`Instructor`, `Learner`). Roles in the institution or the system are none in the course.
pub fn has_role(roles: &Value, role: &str) -> bool {
    let known = [role.to_owned(), format!("http://purl.imsglobal.org/vocab/lis/v2/membership#{role}")];
    // A teaching assistant is an instructor of some kind, and a platform may name the kind alone.
    let kind = format!("http://purl.imsglobal.org/vocab/lis/v2/membership/{role}#");
    let is = |said: &str| known.iter().any(|known| known == said) || said.starts_with(&kind);
    roles.as_array().is_some_and(|roles| roles.iter().filter_map(Value::as_str).any(is))
}

/// What the claims of a token say that the platform has signed.
///
/// # Errors
/// When it was made for another service, launch or time, or does not say what a launch must.
pub fn read(claims: &Claims, of: &Platform, nonce: &str, now: i64) -> Result<Launch, &'static str> {
    Expected { issuer: &of.issuer, client: &of.client, now }.check_identity(claims, nonce)?;
    let get = |name: &str| claims.get(&claim(name)).unwrap_or(&Value::Null);
    let of_link = get("resource_link");
    let deployment = get("deployment_id").as_str().unwrap_or_default();
    if !of.deploys(deployment) {
        return Err("a deployment that is not known (deployment_id)");
    }
    if get("version").as_str() != Some("1.3.0") {
        return Err("another version (version)");
    }
    let wants = match get("message_type").as_str() {
        Some("LtiResourceLinkRequest") => Wants::Open(text(of_link, "id").ok_or("no assignment (resource_link)")?),
        Some("LtiDeepLinkingRequest") => {
            let settings = &claims
                .get("https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings")
                .unwrap_or(&Value::Null);
            let to = text(settings, "deep_link_return_url").ok_or("no way back (deep_linking_settings)")?;
            let takes = settings.get("accept_types").and_then(Value::as_array);
            if !takes.is_some_and(|types| types.iter().any(|kind| kind == "ltiResourceLink")) {
                return Err("no links are taken (accept_types)");
            }
            Wants::Choose { to, data: text(settings, "data").unwrap_or_default() }
        }
        _ => return Err("another kind of message (message_type)"),
    };
    let context = get("context");
    let endpoint = claims.get("https://purl.imsglobal.org/spec/lti-ags/claim/endpoint").unwrap_or(&Value::Null);
    let members = claims.get("https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice").unwrap_or(&Value::Null);
    Ok(Launch {
        subject: claims.get("sub").and_then(Value::as_str).unwrap_or_default().to_owned(),
        number: text(get("lis"), "person_sourcedid"),
        name: claims.get("name").and_then(Value::as_str).map(str::to_owned),
        teaches: has_role(get("roles"), "Instructor"),
        learns: has_role(get("roles"), "Learner"),
        deployment: deployment.to_owned(),
        course: text(context, "id").ok_or("no course (context)")?,
        course_title: text(context, "title").or_else(|| text(context, "label")).unwrap_or_default(),
        title: text(of_link, "title").unwrap_or_default(),
        wants,
        round: text(get("custom"), "round"),
        line_item: text(endpoint, "lineitem"),
        line_items: text(endpoint, "lineitems"),
        memberships: text(members, "context_memberships_url"),
    })
}
