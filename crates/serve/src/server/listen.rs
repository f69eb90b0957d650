//! Connections: a bounded number at once, and none that says nothing for long.

use crate::log;
use crate::store::secret;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_service::Service;

/// How long the head of a request may take to come, from when its connection is free for it.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Connections at once: everybody in a peak who watches a check.
const MOST_CONNECTIONS: usize = 4_000;

/// For a year browsers ask for this server by https alone.
const ONLY_HTTPS: &str = "max-age=31536000";

/// What all requests get.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    /// Whether browsers reach the server by https.
    pub secure: bool,
    /// Whether each request is a line of the log.
    pub access_log: bool,
}

/// The number of a request, by which its reply, the log and whoever reports a failure speak of it.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// What was asked for, and by whom, for the log: ids, and nothing that is secret or a name.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The address, with braces in the place of what varies.
    pub path: &'static str,
    /// The id that stands there.
    pub object: String,
    /// The person's id.
    pub person: Option<String>,
}

/// Answers requests for as long as the process runs.
pub async fn serve(listener: TcpListener, router: Router, manners: Manners) {
    let room = Arc::new(Semaphore::new(most_connections()));
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    loop {
        // It is closed by nobody.
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // The client has gone again, or there are too many open files: that passes.
                crate::log::failed("accept", &error.to_string());
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let router = router.clone();
        let answer = service_fn(move |mut request: Request<Incoming>| {
            let (id, method, begun) = (secret::new_id()[..16].to_owned(), request.method().to_string(), Instant::now());
            request.extensions_mut().insert(ConnectInfo(address));
            request.extensions_mut().insert(RequestId(id.clone()));
            let answered = router.clone().call(request.map(Body::new));
            async move {
                let mut response = answered.await?;
                if manners.access_log {
                    let asked = response.extensions_mut().remove::<Asked>();
                    log::answered(&id, &method, asked.unwrap_or_default(), response.status().as_u16(), begun.elapsed());
                }
                let headers = response.headers_mut();
                if let Ok(id) = HeaderValue::from_str(&id) {
                    headers.insert("x-request-id", id);
                }
                if manners.secure {
                    headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(ONLY_HTTPS));
                }
                Ok::<_, Infallible>(response)
            }
        });
        let connection = protocol.serve_connection(TokioIo::new(stream), answer);
        tokio::spawn(async move {
            // It does not matter how a client ends a connection.
            let _ = connection.await;
            drop(place);
        });
    }
}

/// As many as the system lets this process have open, up to [`MOST_CONNECTIONS`].
fn most_connections() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        /// Files that the database, the indexes and the workers' pipes need besides.
        const OTHER_FILES: usize = 200;
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let wanted = (MOST_CONNECTIONS + OTHER_FILES) as u64;
        let most = maximum.map_or(wanted, |maximum| maximum.min(wanted));
        if setrlimit(Resource::Nofile, Rlimit { current: Some(most), maximum }).is_ok() {
            return (most as usize).saturating_sub(OTHER_FILES).max(OTHER_FILES);
        }
    }
    MOST_CONNECTIONS / 8
}
