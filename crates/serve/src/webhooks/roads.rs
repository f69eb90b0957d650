//! How other systems are reached whose addresses people type in: none inside the network, unless the configuration names its host.

use super::{is_allowed, may_go_to};
use crate::providers::configuration;
use copytrace_harvest::OutsideOnly;
use tokio::sync::Semaphore;
use ureq::Agent;
use ureq::http::{Request, Response};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::DefaultConnector;

/// Bytes of an answer.
const LONGEST: u64 = 4 << 20;
/// Questions at once. Requests share a few threads, and another system that does not answer must not hold all of them.
const MOST: usize = 6;

/// The roads.
pub struct Roads {
    /// Not inside the network.
    outside: Agent,
    /// Wherever it is.
    anywhere: Agent,
    places: Semaphore,
}

impl Default for Roads {
    fn default() -> Self {
        // A proxy would look names up itself, and might reach what we must not.
        let config = || configuration().proxy(None).build();
        Roads {
            outside: Agent::with_parts(config(), DefaultConnector::default(), OutsideOnly::default()),
            anywhere: Agent::with_parts(config(), DefaultConnector::default(), DefaultResolver::default()),
            places: Semaphore::new(MOST),
        }
    }
}

impl Roads {
    /// What answers a request, whatever its status. `allowed` are hosts that may be inside the network. Redirects are not followed.
    ///
    /// # Errors
    /// When it may not go there, or nothing answers: why.
    pub fn ask(&self, allowed: &[String], request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, String> {
        let address = request.uri().to_string();
        let host = request.uri().host().filter(|_| may_go_to(&address, allowed));
        let host = host.ok_or_else(|| format!("{address}: an address that is not allowed"))?;
        let agent = if is_allowed(host, allowed) { &self.anywhere } else { &self.outside };
        let _place = self.places.try_acquire().map_err(|_| "too many wait for other systems".to_owned())?;
        let answer = agent.run(request).map_err(|error| format!("{address}: {error}"))?;
        let (head, mut body) = answer.into_parts();
        let body = body.with_config().limit(LONGEST).read_to_vec().map_err(|error| format!("{address}: {error}"))?;
        Ok(Response::from_parts(head, body))
    }
}
