//! `copytrace serve`: an institution checks its theses in a browser.
//!
//! One program and one data folder. A request goes through [`server`] and [`http`] (who it is from, whether it may be made, what
//! it brings) to a handler in [`pages`] or [`api`]. [`deeds`] holds what both do. Everything is kept in one SQLite
//! database ([`store`]). Work is queued there and done by child processes ([`queue`]), which have hostile files read by restricted
//! processes of their own ([`reading`]).
//!
//! ```text
//! data_error, fault, store < audit, table, people < providers < rounds, enrolment, collections < figures, queue < reading < reports < submissions < listing
//!     < app < batches, erase < retention, checks, packed; http < access < deeds; paper < pages, api < server
//! ```
//!
//! Words: docs/ARCHITECTURE.md, *Of the service*.

pub mod access;
pub mod api;
pub mod app;
pub mod audit;
pub mod backup;
pub mod batches;
pub mod checks;
pub mod collections;
pub mod data_error;
pub mod deeds;
mod demo;
pub mod desk;
pub mod enrolment;
pub mod erase;
pub mod export;
pub mod fault;
pub mod figures;
pub mod folder;
pub mod harvests;
pub mod http;
pub mod listing;
pub mod log;
pub mod lti;
pub mod mail;
mod packed;
pub mod pages;
pub mod paper;
pub mod people;
mod program;
pub mod providers;
pub mod queue;
pub mod rates;
pub mod reading;
pub mod reports;
mod retention;
pub mod reviewers;
pub mod rounds;
pub mod server;
pub mod sharing;
pub mod store;
pub mod submissions;
pub mod table;
pub mod terms;
pub mod unpack;
pub mod webhooks;

use app::{App, Limits};
use data_error::DataError;
use desk::Desk;
use fault::Fault;
use figures::Figures;
use folder::DATABASE;
use paper::face::FontFile;
use paper::picture::Picture;
use people::{Role, WHOLE, session};
use providers::Providers;
use queue::pool::Pool;
use rates::Rates;
use reading::sandbox;
use rusqlite::Connection;
use server::listen::Manners;
use server::{openapi, routes};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::key::{self, Key};
use store::{Store, rows, secret};

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// Where it listens; port 0 for any that is free.
    pub listen: SocketAddr,
    /// The address by which browsers reach it, such as `https://theses.example.edu`, when another server stands before it.
    pub origin: Option<String>,
    /// The addresses of the servers that stand before it; this machine's own if none is named and there is an `origin`.
    pub proxies: Vec<IpAddr>,
    /// How many workers.
    pub workers: usize,
    /// Whether an empty folder is filled with the demo.
    pub demo: bool,
    /// Bytes of the disk that must stay free.
    pub reserve: u64,
    /// The folder of the server below which administrators may choose folders and files for collections; none if they may not.
    pub intake: Option<PathBuf>,
    /// Whether staff need a second factor to sign in.
    pub require_factor: bool,
    /// Whether it refuses to start where the kernel cannot keep readers of hostile files from other files.
    pub require_sandbox: bool,
    /// Whether each request is a line of the log.
    pub access_log: bool,
    /// The font that PDF files embed; the best of the system's if none is named.
    pub font: Option<PathBuf>,
    /// What the institution is called.
    pub institution: String,
    /// A picture of its logo.
    pub logo: Option<PathBuf>,
    /// A file elsewhere to which each row of the audit log is added.
    pub audit_copy: Option<PathBuf>,
    /// The providers by which people may sign in.
    pub providers: Vec<providers::Settings>,
    /// The mail server; without one no letters are sent.
    pub mail: Option<mail::Settings>,
    /// The hosts inside the network that webhooks may go to.
    pub webhook_hosts: Vec<String>,
    /// Whether sources of collections may lie inside the network.
    pub harvest_inside: bool,
    /// The function that opens the page of a desk, which is served to one person; none for a service.
    pub desk: Option<desk::Open>,
}

/// Why a server ended, or did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The data folder cannot be served.
    #[error(transparent)]
    Data(#[from] DataError),
    /// It cannot listen there.
    #[error("{address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// Passwords would go over the network as they are.
    #[error(
        "{address}: other machines reach this address, and it has no encryption; give the https address of the server that stands before \
         it (--origin https://…)"
    )]
    Unprotected {
        /// The address.
        address: SocketAddr,
    },
    /// The address that browsers use is not `https://` with a host.
    #[error("{0}: not an address such as https://theses.example.edu")]
    Origin(String),
    /// The logo is no picture that pages can hold.
    #[error("{0}: a logo is a .png, .jpg or .svg file of at most 256 kB")]
    Logo(PathBuf),
    /// The demo was asked for, but the folder is in use.
    #[error("{0}: holds data already; the demo wants a folder of its own")]
    DemoNeedsEmpty(PathBuf),
    /// A desk was started on an institution's folder.
    #[error("{0}: is served to an institution (`copytrace serve`); a desk wants a folder of its own")]
    NoDesk(PathBuf),
    /// Something else.
    #[error("{0}")]
    Failed(String),
}

impl From<Fault> for ServeError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(refusal, about) => ServeError::Failed(format!("{} {about}", refusal.code)),
            told @ Fault::Told(..) => ServeError::Failed(told.detail()),
            Fault::Failed(why) => ServeError::Failed(why),
        }
    }
}

impl From<rusqlite::Error> for ServeError {
    fn from(error: rusqlite::Error) -> Self {
        ServeError::Failed(error.to_string())
    }
}

/// Serves a data folder until the process is told to end (SIGINT, SIGTERM). What should be known goes to `output`, a line each.
///
/// # Errors
/// When it cannot be served.
pub fn serve(options: &Options, output: &mut (impl Write + Send)) -> Result<(), ServeError> {
    let (origin_host, secure) = origin(options)?;
    if let Some(lacking) = sandboxed(sandbox::level(), options.require_sandbox)? {
        log::note("sandbox", lacking);
    }
    let providers = Providers::of(&options.providers).map_err(ServeError::Failed)?;
    let mail = options.mail.clone().map(mail::Settings::checked).transpose().map_err(ServeError::Failed)?;
    let _lock = folder::open(&options.data)?;
    let desk = options.desk.map(|_| Desk::new());
    let port = if desk.is_some() { desk::forget(&options.data)? } else { 0 };
    let store = Arc::new(Store::open(&options.data.join(DATABASE))?);
    folder::check_indexes(&options.data, &store)?;
    folder::tidy(&options.data, &store)?;
    erase::reconcile(&options.data, &store)?;
    let data = options.data.canonicalize().map_err(DataError::io(&options.data))?;
    let intake =
        options.intake.as_ref().map(|folder| folder.canonicalize().map_err(DataError::io(folder))).transpose()?;
    let font = font(options.font.as_deref())?;
    let logo = options.logo.as_deref().map(logo).transpose()?;
    let picture = logo.as_ref().and_then(|logo| Picture::read(&logo.bytes));
    let failed = |error: std::io::Error| ServeError::Failed(error.to_string());
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).max_blocking_threads(16).enable_all().build().map_err(failed)?;
    let listening = |error| ServeError::Listen { address: options.listen, error };
    let listener = runtime.block_on(async {
        match port {
            0 => tokio::net::TcpListener::bind(options.listen).await,
            // The port of the last time may be another's by now.
            port => match tokio::net::TcpListener::bind((options.listen.ip(), port)).await {
                Err(_) => tokio::net::TcpListener::bind(options.listen).await,
                bound => bound,
            },
        }
    });
    let listener = listener.map_err(listening)?;
    let address = listener.local_addr().map_err(listening)?;
    let link = match desk {
        Some(_) => {
            desk::first_start(&store, &options.data)?;
            None
        }
        None => first_start(&store, options.demo)?,
    };
    if options.demo && link.is_none() {
        return Err(ServeError::DemoNeedsEmpty(options.data.clone()));
    }
    let figures = Arc::new(Figures::default());
    // A scan takes minutes, and programs that no sandbox holds as tightly: that is for one person to choose, who installed them.
    let ocr = desk.is_some();
    let pool = Pool::start(&data, Arc::clone(&store), Arc::clone(&figures), &secret::new_id(), options.workers, ocr)?;
    let own = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", address.port()));
    let hosts = own.into_iter().chain([origin_host.unwrap_or(address.to_string())]).collect();
    let proxies = match options.proxies.is_empty() && secure {
        true => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        false => options.proxies.clone(),
    };
    let base = options.origin.clone().unwrap_or(format!("http://{address}"));
    let limits = Limits { reserve: options.reserve, ..Limits::default() };
    let app = Arc::new(App {
        data,
        store,
        pool,
        figures,
        providers,
        mail,
        mail_trouble: Mutex::default(),
        webhook_hosts: options.webhook_hosts.clone(),
        lti: Default::default(),
        base,
        intake,
        harvest_inside: options.harvest_inside,
        font,
        limits,
        rates: Rates::new(&Default::default()),
        crowd: Default::default(),
        under_way: Default::default(),
        turns: Default::default(),
        proxies,
        description: openapi::document(routes::ROUTES),
        hosts,
        secure,
        require_factor: options.require_factor,
        institution: options.institution.trim().to_owned(),
        logo: logo.map(|logo| logo.address),
        picture,
        desk,
    });
    let base = app.base.clone();
    let mut say = |line: String| {
        // Whoever started it may have gone; it serves nevertheless.
        let _ = writeln!(output, "{line}").and_then(|()| output.flush());
    };
    if options.demo {
        let password = demo::make(&app)?;
        say(format!(
            "The demo's people are supervisor, 2026001, 2026002 and 2026003; the password of each is {password}"
        ));
    }
    if let Some(link) = link {
        say(format!("Choose the administrator's password here, once: {base}/invite/{link}"));
    }
    say(format!("Serving {} at {base}/", options.data.display()));
    if let (Some(desk), Some(open)) = (&app.desk, options.desk) {
        let address = desk.tell(&app.data, address.port())?;
        say(format!("Your page, for you alone: {address}"));
        open(&address);
    }
    let manners = Manners { secure, access_log: options.access_log };
    runtime.block_on(async {
        tokio::spawn(retention::watch(Arc::clone(&app)));
        tokio::spawn(harvests::watch(Arc::clone(&app)));
        if app.mail.is_some() {
            tokio::spawn(mail::post::watch(Arc::clone(&app)));
        }
        tokio::spawn(webhooks::post::watch(Arc::clone(&app)));
        tokio::spawn(lti::services::watch(Arc::clone(&app)));
        tokio::spawn(audit::watch(Arc::clone(&app.store), options.audit_copy.clone()));
        tokio::select! {
            () = server::listen::serve(listener, server::router(&app), manners) => {}
            () = ended() => {}
            () = ended_by_page(app.desk.as_ref()) => {}
        }
    });
    app.pool.stop();
    if app.desk.is_some() {
        desk::forget(&app.data)?;
    }
    runtime.shutdown_timeout(Duration::from_secs(5));
    Ok(())
}

/// Bytes of a logo: it is in every page of a report.
const LARGEST_LOGO: usize = 256_000;

/// The logo of an institution, as a `data:` address and as the bytes of its file.
struct Logo {
    address: String,
    bytes: Vec<u8>,
}

/// A picture as an address that pages hold it by.
fn logo(file: &std::path::Path) -> Result<Logo, ServeError> {
    use base64::Engine;
    let bytes = std::fs::read(file).map_err(DataError::io(file))?;
    let kind = match file.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("png") => "png",
        Some("jpg" | "jpeg") => "jpeg",
        Some("svg") => "svg+xml",
        _ => return Err(ServeError::Logo(file.to_owned())),
    };
    match bytes.len() <= LARGEST_LOGO {
        true => {
            let address =
                format!("data:image/{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(&bytes));
            Ok(Logo { address, bytes })
        }
        false => Err(ServeError::Logo(file.to_owned())),
    }
}

/// What the log is to tell of where readers of hostile files can open others, at this level of Landlock; an error where they must not.
fn sandboxed(level: i64, required: bool) -> Result<Option<&'static str>, ServeError> {
    match sandbox::lacks(level) {
        Some(lacking) if required => Err(ServeError::Failed(lacking.to_owned())),
        lacking => Ok(lacking),
    }
}

/// The font that PDF files embed: the one that is named, or the best of the system's. It tells where there is none.
fn font(named: Option<&Path>) -> Result<Option<FontFile>, ServeError> {
    const WITHOUT: &str = "no font with Chinese characters that may be embedded";
    let found = named.map_or_else(FontFile::of_system, FontFile::of);
    match (&found, named) {
        (Some(font), _) => log::note("font", &font.path().display().to_string()),
        (None, None) => log::note("font", &format!("{WITHOUT} was found: PDF files embed none")),
        (None, Some(path)) => return Err(ServeError::Failed(format!("{}: {WITHOUT}", path.display()))),
    }
    Ok(found)
}

/// The name by which browsers reach the server, if another stands before it, and whether they do so by https.
fn origin(options: &Options) -> Result<(Option<String>, bool), ServeError> {
    let Some(origin) = &options.origin else {
        return match options.listen.ip().is_loopback() {
            true => Ok((None, false)),
            false => Err(ServeError::Unprotected { address: options.listen }),
        };
    };
    match origin.split_once("://") {
        Some(("https", host)) if !host.is_empty() && !host.contains('/') => Ok((Some(host.to_owned()), true)),
        _ => Err(ServeError::Origin(origin.clone())),
    }
}

/// Makes the first unit and the first administrator in an empty database, and gives the secret of the link for the password.
/// When nobody has used the link yet, there is a new one at each start.
fn first_start(store: &Store, demo: bool) -> Result<Option<String>, Fault> {
    store.write(|t| {
        if !rows::exists(t, "SELECT 1 FROM unit", [])? {
            t.execute("INSERT INTO unit(id, name) VALUES (?1, '—')", [WHOLE])?;
            let id = people::put(t, "admin", "admin")?;
            people::grant(t, &id, WHOLE, Role::Administrator)?;
            audit::record(t, None, audit::Action::FirstStart, &id, if demo { "demo" } else { "" })?;
            return Ok(Some(session::invite(t, &id)?));
        }
        let waiting = "SELECT id FROM person WHERE number = 'admin' AND password IS NULL AND state = 'active'";
        match rows::first::<String>(t, waiting, [])? {
            Some(id) if !demo => Ok(Some(session::invite(t, &id)?)),
            _ => Ok(None),
        }
    })
}

/// Waits until the process is told to end.
async fn ended() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        {
            tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
            return;
        }
    }
    #[cfg(windows)]
    {
        use tokio::signal::windows::{ctrl_c, ctrl_close, ctrl_shutdown};
        if let (Ok(mut interrupt), Ok(mut close), Ok(mut shutdown)) = (ctrl_c(), ctrl_close(), ctrl_shutdown()) {
            tokio::select! { _ = interrupt.recv() => {}, _ = close.recv() => {}, _ = shutdown.recv() => {} }
            return;
        }
    }
    // Without signals it ends as every process does.
    std::future::pending::<()>().await;
}

/// Waits until the page of a desk ends it.
async fn ended_by_page(desk: Option<&Desk>) {
    match desk {
        Some(desk) => desk.ended.notified().await,
        None => std::future::pending().await,
    }
}

/// Repeats in a restored data folder the erasures that an audit log records: whoever and whatever the log names, and the folder still
/// holds, is erased. The log is that of another data folder, or a copy. Returns the number of people and submissions together.
///
/// # Errors
/// When one of them cannot be read, or the folder cannot be written.
pub fn erase_again(data: &std::path::Path, log: &std::path::Path) -> Result<usize, ServeError> {
    let store = Store::open(&data.join(DATABASE))?;
    Ok(erase::again(data, &store, log)?)
}

/// Makes a link by which a person who lost the password chooses a new one. The old one, the second factor, sessions and tokens end.
/// None if nobody has this number.
///
/// # Errors
/// When there is no data folder, it is of another version, or it cannot be written.
pub fn reset_password(data: &std::path::Path, number: &str) -> Result<Option<String>, ServeError> {
    let store = Store::open_as_it_is(&data.join(DATABASE))?;
    let link = store.write(|t| {
        let Some(person) = people::Person::by_number(t, number)? else { return Ok(None) };
        audit::record(t, None, audit::Action::ResetPassword, &person.id, "")?;
        // Else what was lost, and perhaps found, would open the account meanwhile.
        t.execute("UPDATE person SET password = NULL, totp = NULL WHERE id = ?1", [&person.id])?;
        t.execute("DELETE FROM token WHERE person = ?1", [&person.id])?;
        session::end_all(t, &person.id)?;
        Ok::<_, Fault>(Some(session::invite(t, &person.id)?))
    })?;
    Ok(link.map(|secret| format!("/invite/{secret}")))
}

/// What an audit log is held against, besides itself.
#[derive(Debug, Clone, Default)]
pub struct Noted {
    /// A head that was noted, such as `12:9f…`.
    pub head: Option<String>,
    /// A copy of the log.
    pub copy: Option<PathBuf>,
    /// The file of its key, where that does not stand beside the database, as in a backup.
    pub key: Option<PathBuf>,
}

/// Whether an audit log is as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verified {
    /// It is, with this number of rows.
    Whole(i64),
    /// It is, with the first number of rows; those up to the second number were sealed with a key that was lost.
    Since(i64, i64),
    /// This row does not belong to the one before.
    Broken(i64),
    /// This row is not the one that was noted elsewhere.
    Other(i64),
}

/// Looks whether a data folder's audit log is as it was written, and agrees with what was noted of it.
///
/// # Errors
/// When there is no database, or it or the copy cannot be read.
pub fn verify_audit(data: &std::path::Path, noted: &Noted) -> Result<Verified, ServeError> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let connection = Connection::open_with_flags(data.join(DATABASE), flags)?;
    let key = Key::read(&noted.key.clone().unwrap_or(key::beside(&data.join(DATABASE))))?;
    let rows = match audit::verify(&connection, &key)? {
        Ok(rows) => rows,
        Err(row) => return Ok(Verified::Broken(row)),
    };
    if let Some(head) = &noted.head
        && !audit::holds(&connection, head)?
    {
        return Ok(Verified::Other(head.split(':').next().and_then(|n| n.parse().ok()).unwrap_or_default()));
    }
    let other = noted.copy.as_ref().map(|file| audit::differs_from(&connection, file)).transpose()?.flatten();
    let whole = match key.begins_after() {
        (before, _, true) => Verified::Since(rows, before),
        _ => Verified::Whole(rows),
    };
    Ok(other.map_or(whole, Verified::Other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_landlock_the_log_tells_and_where_a_sandbox_is_required_it_does_not_serve() {
        // The kernel's answers: it does not know the call, Landlock is switched off, and its levels.
        for level in [-1, 0] {
            let line = sandboxed(level, false).unwrap().expect("the log tells");
            assert!(line.contains("no Landlock") && line.contains("could read others"), "{line}");
            assert!(sandboxed(level, true).unwrap_err().to_string().contains(line));
        }
        for (level, required) in [(1, true), (1, false), (7, true)] {
            assert_eq!(sandboxed(level, required).unwrap(), None, "{level}");
        }
    }
}
