//! What is sent back.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use maud::Markup;
use serde::Serialize;
use tokio::io::AsyncReadExt;

/// The policy of every page of the service: its own style and script, nothing else.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; object-src 'none'";

/// A reply.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    headers: Vec<(HeaderName, String)>,
    policy: String,
    is_framed: bool,
    /// The content.
    pub body: Vec<u8>,
    /// A file that is sent in the place of the content.
    file: Option<std::fs::File>,
    /// Whether it tells a secret, which is not kept.
    pub is_secret: bool,
}

impl Reply {
    /// A page.
    pub fn page(page: Markup) -> Self {
        Reply::bytes("text/html; charset=utf-8", page.into_string())
    }

    /// A page of the product. It names its style and script by their hashes in a policy of its own, and whether it sends forms, so
    /// that the header adds only what a page cannot say.
    pub fn report(page: String) -> Self {
        let policy = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'".to_owned();
        Reply { policy, ..Reply::bytes("text/html; charset=utf-8", page) }
    }

    /// A value as JSON.
    pub fn json(value: &impl Serialize) -> Self {
        // Values of the service are made of texts and numbers, which are all JSON.
        Reply::bytes("application/json", serde_json::to_vec(value).unwrap_or_default())
    }

    /// Bytes of this type.
    pub fn bytes(kind: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let headers = vec![(header::CONTENT_TYPE, kind.to_owned())];
        let (policy, body) = (POLICY.to_owned(), bytes.into());
        Reply { status: 200, headers, policy, is_framed: false, body, file: None, is_secret: false }
    }

    /// A file that is to be kept under a name, which has no other characters than letters, digits, dots and dashes.
    pub fn file(kind: &str, name: &str, bytes: Vec<u8>) -> Self {
        Reply::bytes(kind, bytes).with(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))
    }

    /// The same of a file that is too large to be held.
    pub fn large_file(kind: &str, name: &str, file: std::fs::File) -> Self {
        Reply { file: Some(file), ..Reply::file(kind, name, Vec::new()) }
    }

    /// Sends a browser elsewhere, as after a form.
    pub fn to(place: impl Into<String>) -> Self {
        Reply { status: 303, ..Reply::bytes("text/plain; charset=utf-8", "") }.with(header::LOCATION, place.into())
    }

    /// The same, which tells a secret.
    pub fn secret(self) -> Self {
        Reply { is_secret: true, ..self }
    }

    /// The same which frames of a site may show.
    pub fn framed(mut self, site: &str) -> Self {
        self.policy = self.policy.replace("frame-ancestors 'none'", &format!("frame-ancestors {site}"));
        self.is_framed = true;
        self
    }

    /// The same with a form that goes to another site.
    pub fn sending_to(mut self, site: &str) -> Self {
        self.policy = self.policy.replace("form-action 'self'", &format!("form-action 'self' {site}"));
        self
    }

    /// Where it leads, or what it made.
    pub fn place(&self) -> &str {
        self.headers.iter().find(|(name, _)| *name == header::LOCATION).map_or("", |(_, place)| place)
    }

    /// The same with another status.
    pub fn status(self, status: u16) -> Self {
        Reply { status, ..self }
    }

    /// The same with a header.
    pub fn with(mut self, name: HeaderName, value: String) -> Self {
        self.headers.retain(|(known, _)| *known != name || name == header::SET_COOKIE);
        self.headers.push((name, value));
        self
    }

    /// The reply as it is sent, with what every reply has.
    pub fn into_response(self) -> Response<Body> {
        let body = self.file.map_or_else(|| Body::from(self.body), streamed);
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let always = [
            (header::CONTENT_SECURITY_POLICY, self.policy),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::REFERRER_POLICY, "same-origin".to_owned()),
            (header::X_FRAME_OPTIONS, if self.is_framed { String::new() } else { "DENY".to_owned() }),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin".to_owned()),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin".to_owned()),
        ];
        let headers = response.headers_mut();
        // What a person sees is nobody else's; what never changes says so itself.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        for (name, value) in always.into_iter().chain(self.headers).filter(|(_, value)| !value.is_empty()) {
            let Ok(value) = HeaderValue::from_str(&value) else { continue };
            if name == header::SET_COOKIE {
                headers.append(name, value);
            } else {
                headers.insert(name, value);
            }
        }
        response
    }
}

/// A file piece by piece.
fn streamed(file: std::fs::File) -> Body {
    const PIECE: usize = 64 << 10;
    let file = tokio::fs::File::from_std(file);
    Body::from_stream(futures_util::stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then_some((piece, file)))
    }))
}
