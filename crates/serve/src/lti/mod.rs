//! Learning platforms (Moodle, Canvas, 学习通 …) from whose courses people come here: LTI 1.3 with its services.
//!
//! A [`launch`] says who comes by which assignment; [`members`] decides which person that is here. What a platform is told or asked later is
//! written down as an [errand](errands) and done by a task of the server ([`services`]), never by a request.

pub mod errands;
pub mod keys;
pub mod launch;
pub mod members;
pub mod platforms;
pub mod register;
pub mod services;

use crate::providers::Trouble;
use crate::providers::flow::Done;
use crate::providers::jws::{Claims, Keys, Untrue};
use crate::store::now;
use crate::webhooks::roads::Roads;
use platforms::Platform;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use ureq::http::Request;

/// Seconds after which a platform's keys are read again.
const KEYS_LAST: i64 = 3600;
/// Seconds between two looks for new keys: anybody can send a token with a made-up one, and that must make no load at the platform.
const KEYS_AGAIN: i64 = 5;

/// What the service remembers of platforms while it runs.
#[derive(Default)]
pub struct Lti {
    /// How they are reached.
    pub roads: Roads,
    /// Launches that came back, each of which does so once.
    pub done: Done,
    /// The keys of each by their address, and when they were read.
    keys: Mutex<HashMap<String, (Keys, i64)>>,
    /// Tokens of the services: by platform and scopes, with the time until which they are good.
    tokens: Mutex<HashMap<String, (String, i64)>>,
}

impl Lti {
    /// The claims of a token that a platform has signed. `allowed` are hosts inside the network that platforms may have.
    ///
    /// # Errors
    /// When it has not, or does not tell its keys.
    pub fn claims(&self, of: &Platform, token: &str, allowed: &[String]) -> Result<Claims, Trouble> {
        let untrue = |why: Untrue| Trouble::Refused(why.to_string());
        match self.keys(of, now() - KEYS_LAST, allowed)?.claims(token) {
            Err(Untrue::Key | Untrue::Signature) => {
                self.keys(of, now() - KEYS_AGAIN, allowed)?.claims(token).map_err(untrue)
            }
            read => read.map_err(untrue),
        }
    }

    /// The keys of a platform, not older than this.
    fn keys(&self, of: &Platform, oldest: i64, allowed: &[String]) -> Result<Keys, Trouble> {
        let known = || self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((keys, _)) = known().get(&of.keys_url).filter(|(_, read)| *read >= oldest) {
            return Ok(keys.clone());
        }
        // Not within the lock: a platform that is slow keeps nobody waiting who needs no answer of it.
        let request = Request::get(&of.keys_url).header("accept", "application/json").body(Vec::new());
        let request = request.map_err(|error| Trouble::Down(error.to_string()))?;
        let answer = self.roads.ask(allowed, request).map_err(Trouble::Down)?;
        let keys = Some(answer.body()).filter(|_| answer.status() == 200).and_then(|body| Keys::of(body));
        let keys = keys.ok_or_else(|| Trouble::Down(format!("{}: no keys, {}", of.keys_url, answer.status())))?;
        known().insert(of.keys_url.clone(), (keys.clone(), now()));
        Ok(keys)
    }
}
