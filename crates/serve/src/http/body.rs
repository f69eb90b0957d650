//! The bodies of requests, read within bounds of size and time. Files go to `incoming/` as they come.

use super::call::Fields;
use super::route::Takes;
use crate::app::App;
use crate::fault::{BAD_FIELD, BAD_REQUEST, Fault, TOO_SLOW, refused, too_large};
use crate::store::secret;
use crate::submissions::Uploaded;
use crate::unpack::last_part;
use axum::body::{Body, BodyDataStream, Bytes, to_bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::header;
use futures_util::Stream;
use sha2::{Digest, Sha256};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// Bytes of the fields of a request.
const FIELDS: usize = 256 << 10;
/// Bytes of a file after which it is looked whether the disk has still room.
const LOOK: u64 = 8 << 20;
/// Bytes of a body that are kept before anything comes of them: the head of a part.
const MOST_UNTAKEN: usize = 2 << 20;
/// Fields and files of a request.
const MOST_PARTS: usize = 100;
/// How long fields may take, ...
const FIELDS_TIME: Duration = Duration::from_secs(20);
/// ... and a file, ...
const FILE_TIME: Duration = Duration::from_secs(15 * 60);
/// ... of which something must come within this time.
const PAUSE: Duration = Duration::from_secs(20);

/// The fields and files of a request.
pub type Parts = (Fields, Vec<Uploaded>);

/// Reads what a route takes.
///
/// # Errors
/// When it is too large, too slow, or of another form. What was uploaded until then is removed.
pub async fn read(app: &App, takes: Takes, request: Request) -> Result<Parts, Fault> {
    match takes {
        Takes::Nothing => Ok(Parts::default()),
        Takes::Fields | Takes::Notice | Takes::Password => {
            let read = tokio::time::timeout(FIELDS_TIME, fields(request)).await;
            Ok((read.map_err(|_| Fault::from(&TOO_SLOW))??, Vec::new()))
        }
        Takes::File | Takes::Submission | Takes::Archive | Takes::Files => {
            app.require_space()?;
            if !is(&request, "multipart/form-data") {
                return Box::pin(read(app, Takes::Fields, request)).await;
            }
            let is_one = matches!(takes, Takes::File | Takes::Submission);
            // Whoever drags a folder onto a desk sends a part for each of its files.
            let parts = if app.desk.is_some() { app.limits.members } else { MOST_PARTS };
            let bounds = Bounds {
                bytes: if is_one { app.limits.file } else { app.limits.archive },
                files: if takes == Takes::Files { parts } else { 1 },
                parts,
            };
            let mut files = Vec::new();
            let read = tokio::time::timeout(FILE_TIME, upload(app, request, bounds, &mut files)).await;
            match read.map_err(|_| Fault::from(&TOO_SLOW)).flatten() {
                Ok(fields) => Ok((fields, files)),
                Err(fault) => {
                    let files: Vec<String> = files.into_iter().map(|file| file.file).collect();
                    app.remove_files(&files);
                    Err(fault)
                }
            }
        }
    }
}

fn is(request: &Request, kind: &str) -> bool {
    let given = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().is_some_and(|given| given.trim().eq_ignore_ascii_case(kind))
}

async fn fields(request: Request) -> Result<Fields, Fault> {
    let (json, form) = (is(&request, "application/json"), is(&request, "application/x-www-form-urlencoded"));
    let bytes = match to_bytes(request.into_body(), FIELDS).await {
        Ok(bytes) => bytes,
        Err(error) => return Err(broken(&error)),
    };
    match (bytes.is_empty(), json, form) {
        (true, _, _) => Ok(Fields::default()),
        (_, true, _) => match serde_json::from_slice(&bytes) {
            Ok(object) => Fields::of_json(object),
            Err(_) => refused(&BAD_REQUEST, "a JSON object is needed"),
        },
        (_, _, true) => Fields::of_form(form_urlencoded::parse(&bytes).into_owned().take(MOST_PARTS)),
        _ => refused(&BAD_REQUEST, "content-type"),
    }
}

/// A body that ended early, or is larger than allowed.
fn broken(error: &axum::Error) -> Fault {
    let said = format!("{error:?}");
    if said.contains("LengthLimit") {
        too_large(FIELDS as u64)
    } else {
        Fault::Refused(&BAD_REQUEST, "the body ended early".to_owned())
    }
}

/// A body of parts, which brings no more before what it brought was taken: whoever reads parts keeps the head of one, whose
/// end may never come.
struct Measured {
    body: BodyDataStream,
    /// Bytes that came since something was taken.
    untaken: Arc<AtomicUsize>,
    /// Whether the last poll brought something, so that this one lets it be looked at.
    brought: bool,
}

impl Stream for Measured {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.brought) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = Pin::new(&mut self.body).poll_next(context);
        if let Poll::Ready(Some(Ok(bytes))) = &polled {
            self.brought = true;
            if self.untaken.fetch_add(bytes.len(), Ordering::Relaxed) > MOST_UNTAKEN {
                let without_end = std::io::Error::other("the head of a part without end");
                return Poll::Ready(Some(Err(axum::Error::new(without_end))));
            }
        }
        polled
    }
}

/// What files may come to.
struct Bounds {
    /// Bytes of each.
    bytes: u64,
    /// Their number.
    files: usize,
    /// The number of fields and files.
    parts: usize,
}

/// What comes next of a body, if it comes soon.
async fn soon<T, E>(next: impl Future<Output = Result<T, E>>) -> Result<T, Fault> {
    let came = tokio::time::timeout(PAUSE, next).await.map_err(|_| Fault::from(&TOO_SLOW))?;
    came.map_err(|_| (&BAD_REQUEST).into())
}

async fn upload(app: &App, request: Request, bounds: Bounds, files: &mut Vec<Uploaded>) -> Result<Fields, Fault> {
    let untaken = Arc::new(AtomicUsize::new(0));
    let request = request.map(|body| {
        let measured = Measured { body: body.into_data_stream(), untaken: Arc::clone(&untaken), brought: false };
        Body::from_stream(measured)
    });
    let mut multipart = Multipart::from_request(request, &()).await.map_err(|_| &BAD_REQUEST)?;
    let (mut fields, mut room) = (Vec::new(), FIELDS);
    while let Some(mut field) = soon(multipart.next_field()).await? {
        untaken.store(0, Ordering::Relaxed);
        let name = field.name().unwrap_or_default().to_owned();
        if fields.len() + files.len() >= bounds.parts {
            return Err((&BAD_REQUEST).into());
        }
        match field.file_name().map(str::to_owned) {
            None => {
                let mut value = Vec::new();
                while let Some(chunk) = soon(field.chunk()).await? {
                    untaken.store(0, Ordering::Relaxed);
                    room = room.checked_sub(chunk.len()).ok_or_else(|| too_large(FIELDS as u64))?;
                    value.extend_from_slice(&chunk);
                }
                fields.push((name, String::from_utf8(value).map_err(|_| &BAD_REQUEST)?));
            }
            Some(file_name) => {
                if files.len() >= bounds.files {
                    return refused(&BAD_FIELD, "file");
                }
                // A form sends a file without name and content where none was chosen.
                files.push(Uploaded {
                    file: format!("incoming/{}", secret::new_id()),
                    name: last_part(&file_name),
                    ..Uploaded::default()
                });
                let at = files.len() - 1;
                let mut target = tokio::fs::File::create_new(app.data.join(&files[at].file)).await?;
                let (mut digest, mut unlooked) = (Sha256::new(), 0);
                while let Some(chunk) = soon(field.chunk()).await? {
                    untaken.store(0, Ordering::Relaxed);
                    files[at].bytes += chunk.len() as i64;
                    unlooked += chunk.len() as u64;
                    if unlooked >= LOOK {
                        unlooked = 0;
                        app.require_space()?;
                    }
                    if files[at].bytes as u64 > bounds.bytes {
                        return Err(too_large(bounds.bytes));
                    }
                    digest.update(&chunk);
                    target.write_all(&chunk).await?;
                }
                // It is on the disk before a row of the database says so.
                target.sync_all().await?;
                files[at].sha256 = secret::hexadecimal(&digest.finalize());
            }
        }
    }
    Fields::of_form(fields)
}
