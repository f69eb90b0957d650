//! A sign-in that is under way: kept by the browser alone, sealed, so that whoever begins a thousand of them fills nothing here.

use crate::store::key::Key;
use crate::store::{now, secret};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Seconds that a sign-in may take, with a code from a phone.
pub const LASTS: i64 = 900;
/// Characters of the page to which a sign-in leads; a cookie has 4,096 bytes.
const LONGEST_PLACE: usize = 1000;
/// What sealed sign-ins are for, so that nothing else that is sealed opens as one.
const FOR: &str = "sign-in";
/// Sign-ins that are remembered as done: more than there can be within their time.
const MOST_DONE: usize = 200_000;

/// A sign-in that is under way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Flow {
    /// The id of the provider.
    pub provider: String,
    /// What the provider sends back with the browser.
    pub state: String,
    /// What the provider's token must hold.
    pub nonce: String,
    /// What proves to the provider that who fetches the token is who began.
    pub verifier: String,
    /// The page of ours that was asked for.
    pub to: String,
    /// Until when it may come back.
    pub until: i64,
    /// Whom the provider named, and its session, while a code of the second factor is awaited.
    pub named: Option<(String, Option<String>)>,
}

impl Flow {
    /// A new one.
    pub fn new(provider: &str, to: &str) -> Self {
        let [state, nonce, verifier] = [(); 3].map(|()| secret::new_secret());
        let to = if to.len() > LONGEST_PLACE { "/" } else { to };
        Flow {
            provider: provider.to_owned(),
            state,
            nonce,
            verifier,
            to: to.to_owned(),
            until: now() + LASTS,
            named: None,
        }
    }

    /// The same when the provider has named a person and its session, and a code is awaited.
    pub fn with_named(self, person: String, session: Option<String>) -> Self {
        Flow { named: Some((person, session)), ..self }
    }

    /// As the browser keeps it.
    pub fn sealed(&self, key: &Key) -> String {
        key.seal_factor(FOR, &serde_json::to_string(self).unwrap_or_default())
    }

    /// The one that a browser kept, if it is of this provider and still good.
    pub fn opened(key: &Key, sealed: &str, provider: &str) -> Option<Self> {
        let flow: Flow = serde_json::from_str(&key.open_factor(FOR, sealed)?).ok()?;
        (flow.provider == provider && flow.until > now()).then_some(flow)
    }
}

/// The sign-ins that came back, each of which does so once.
#[derive(Default)]
pub struct Done(Mutex<HashMap<[u8; 32], i64>>);

impl Done {
    /// Whether the one of this state, which is good until then, comes back for the first time.
    pub fn is_first(&self, state: &str, until: i64) -> bool {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if done.len() >= MOST_DONE {
            let now = now();
            done.retain(|_, until| *until > now);
        }
        done.len() < MOST_DONE && done.insert(secret::hash(state), until).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn a_sign_in_comes_back_once_in_time_to_its_own_provider_and_as_it_was_sealed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        let key = store.key();
        let flow = Flow::new("a", "/people");
        let sealed = flow.sealed(key);
        assert!(!sealed.contains("people") && sealed.len() < 2000, "{sealed}");
        assert_eq!(Flow::opened(key, &sealed, "a").unwrap().nonce, flow.nonce);
        assert!(Flow::opened(key, &sealed, "b").is_none(), "another provider");
        let late = Flow { until: now(), ..flow.clone() };
        assert!(Flow::opened(key, &late.sealed(key), "a").is_none(), "too late");
        let factor = key.seal_factor("person", &serde_json::to_string(&flow).unwrap());
        for other in [factor.as_str(), &sealed[2..], "", "zz"] {
            assert!(Flow::opened(key, other, "a").is_none(), "{other}");
        }
        let done = Done::default();
        let is_first = |flow: &Flow| done.is_first(&flow.state, flow.until);
        assert!(is_first(&flow) && !is_first(&flow) && is_first(&Flow::new("a", "/")));
        assert_eq!(Flow::new("a", &format!("/{}", "x".repeat(2000))).to, "/");
    }
}
