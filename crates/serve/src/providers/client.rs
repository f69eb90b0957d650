//! What the service asks of a provider, over encrypted connections alone.

use super::Trouble;
use axum::http::Uri;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::typestate::AgentScope;

/// How long a question may take: longer than a provider that lives needs.
const PATIENCE: Duration = Duration::from_secs(8);
/// Bytes of an answer.
const LONGEST: u64 = 1 << 20;
/// Questions at once. Requests share a few threads, and a provider that does not answer must not hold all of them.
const MOST: usize = 6;

/// Whether what goes there is encrypted, or does not leave this machine.
pub fn is_safe(address: &str) -> bool {
    let Ok(uri) = address.parse::<Uri>() else { return false };
    let plain = uri.authority().is_some_and(|authority| !authority.as_str().contains('@')) && !address.contains('#');
    let here = matches!(uri.host(), Some("127.0.0.1" | "localhost" | "[::1]"));
    plain && (uri.scheme_str() == Some("https") || here && uri.scheme_str() == Some("http"))
}

/// Asks providers.
pub struct Client {
    agent: Agent,
    places: Semaphore,
}

/// How others are asked: with patience that ends, where certificates are those that the system trusts, and to no other address than the one
/// that was asked.
pub fn configuration() -> ConfigBuilder<AgentScope> {
    let trusted = rustls_native_certs::load_native_certs().certs;
    let trusted: Vec<Certificate<'static>> =
        trusted.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(trusted)))
        .unversioned_rustls_crypto_provider(provider)
        .build();
    Agent::config_builder().tls_config(tls).timeout_global(Some(PATIENCE)).max_redirects(0).http_status_as_error(false)
}

impl Client {
    /// One that trusts the certificates that the system trusts.
    pub fn new() -> Self {
        Client { agent: configuration().build().new_agent(), places: Semaphore::new(MOST) }
    }

    /// What stands at an address, for whoever has this token.
    ///
    /// # Errors
    /// When it does not answer, or refuses.
    pub fn get(&self, address: &str, token: Option<&str>) -> Result<Vec<u8>, Trouble> {
        let mut request = ureq::http::Request::get(address);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.ask(address, request.body(Vec::new()))
    }

    /// What answers a form.
    ///
    /// # Errors
    /// When it does not answer, or refuses.
    pub fn post(&self, address: &str, form: String, authorization: Option<String>) -> Result<Vec<u8>, Trouble> {
        let mut request =
            ureq::http::Request::post(address).header("content-type", "application/x-www-form-urlencoded");
        if let Some(authorization) = authorization {
            request = request.header("authorization", authorization);
        }
        self.ask(address, request.header("accept", "application/json").body(form.into_bytes()))
    }

    fn ask(
        &self,
        address: &str,
        request: Result<ureq::http::Request<Vec<u8>>, ureq::http::Error>,
    ) -> Result<Vec<u8>, Trouble> {
        let down = |why: String| Trouble::Down(format!("{address}: {why}"));
        if !is_safe(address) {
            return Err(down("no https address".to_owned()));
        }
        let _place = self.places.try_acquire().map_err(|_| Trouble::Busy)?;
        let request = request.map_err(|error| down(error.to_string()))?;
        let mut answer = self.agent.run(request).map_err(|error| down(error.to_string()))?;
        let status = answer.status();
        let body = answer.body_mut().with_config().limit(LONGEST).read_to_vec();
        match (status.as_u16(), body) {
            (200, Ok(body)) => Ok(body),
            (400..=499, _) => Err(Trouble::Refused(format!("{address} answers {status}"))),
            (_, Ok(_)) => Err(down(format!("answers {status}"))),
            (_, Err(error)) => Err(down(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_goes_over_encrypted_connections_or_stays_on_this_machine() {
        for address in ["https://login.example.edu/realms/main", "http://127.0.0.1:8080", "http://[::1]/x"] {
            assert!(is_safe(address), "{address}");
        }
        let client = Client::new();
        for address in [
            "http://login.example.edu/",
            "http://127.0.0.1.example.edu/",
            "http://127.0.0.1@example.edu/",
            "https://user:word@login.example.edu/",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
            "//login.example.edu/",
            "login.example.edu",
            "",
        ] {
            assert!(!is_safe(address), "{address}");
            assert!(client.get(address, None).is_err());
        }
    }
}
