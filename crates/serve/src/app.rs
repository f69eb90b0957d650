//! What all requests share: the data folder, its database, the workers, and the limits.

use crate::desk::Desk;
use crate::fault::{Fault, NO_SPACE};
use crate::figures::Figures;
use crate::lti::Lti;
use crate::paper::face::FontFile;
use crate::paper::picture::Picture;
use crate::people::password::Turns;
use crate::providers::Providers;
use crate::queue::pool::Pool;
use crate::rates::{Crowd, Rates};
use crate::store::Store;
use crate::store::Transaction;
use crate::{folder, log, mail};
use rusqlite::Connection;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What an upload may come to.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of one file.
    pub file: u64,
    /// Bytes of a zip archive, and of what it holds.
    pub archive: u64,
    /// Files in a zip archive.
    pub members: usize,
    /// Bytes of the disk that must stay free: before that nothing new is taken.
    pub reserve: u64,
}

impl Default for Limits {
    /// 100 MiB a file, 2 GiB and 5,000 files a zip archive, 5 GB left free.
    fn default() -> Self {
        Limits { file: 100 << 20, archive: 2 << 30, members: 5000, reserve: 5_000_000_000 }
    }
}

/// What all requests share.
pub struct App {
    /// The data folder.
    pub data: PathBuf,
    /// Its database.
    pub store: Arc<Store>,
    /// The workers.
    pub pool: Pool,
    /// Figures for those who watch.
    pub figures: Arc<Figures>,
    /// By which people sign in, besides passwords.
    pub providers: Providers,
    /// The mail server, if there is one.
    pub mail: Option<mail::Settings>,
    /// Why it took nothing when it was last tried; empty if it did.
    pub mail_trouble: Mutex<String>,
    /// The hosts inside the network that webhooks may go to, and that learning platforms may have.
    pub webhook_hosts: Vec<String>,
    /// What is remembered of learning platforms.
    pub lti: Lti,
    /// The address by which people reach the server, for letters.
    pub base: String,
    /// The folder below which others may be added to collections.
    pub intake: Option<PathBuf>,
    /// Whether sources of collections may lie inside the network.
    pub harvest_inside: bool,
    /// The font that PDF files embed.
    pub font: Option<FontFile>,
    /// The limits.
    pub limits: Limits,
    /// Who tried how often.
    pub rates: Rates,
    /// Who has how much under way.
    pub crowd: Crowd,
    /// Which requests that are to be done once are being done.
    pub under_way: Crowd,
    /// Whose turn it is to have a password looked at.
    pub turns: Turns,
    /// The addresses of the servers that stand before this one, whose word for where a request is from counts.
    pub proxies: Vec<IpAddr>,
    /// The OpenAPI description of the programming interface.
    pub description: serde_json::Value,
    /// The names by which this server is called, with ports where they are not the usual ones; empty for any.
    pub hosts: Vec<String>,
    /// What the institution is called; empty if nobody said.
    pub institution: String,
    /// Its logo, as a `data:` address.
    pub logo: Option<String>,
    /// The same for PDF files, if it is of pixels.
    pub picture: Option<Picture>,
    /// Whether staff need a second factor.
    pub require_factor: bool,
    /// Whether browsers reach it by https, so that cookies are sent over nothing else.
    pub secure: bool,
    /// The desk, if it is served to one person alone.
    pub desk: Option<Desk>,
}

/// Does work that may block now and after each pause, for as long as the server runs. What fails is told to the log under a name.
pub async fn repeat(
    app: Arc<App>,
    name: &str,
    pause: Duration,
    work: impl Fn(&App) -> Result<(), Fault> + Clone + Send + 'static,
) {
    loop {
        let (shared, work) = (Arc::clone(&app), work.clone());
        let done = tokio::task::spawn_blocking(move || work(&shared)).await;
        if let Err(fault) = done.unwrap_or_else(|error| Err(Fault::Failed(error.to_string()))) {
            log::failed(name, &format!("{fault:?}"));
        }
        tokio::time::sleep(pause).await;
    }
}

impl App {
    /// The name of the session's cookie.
    pub fn cookie(&self) -> &'static str {
        match &self.desk {
            // Browsers keep one set of cookies for all ports of a machine.
            Some(_) => "copytrace-desk",
            None if self.secure => "__Host-copytrace",
            None => "copytrace",
        }
    }

    /// The name of the cookie of a session that was begun in the frame of another site. Browsers keep it for frames of that site alone.
    pub fn frame_cookie(&self) -> &'static str {
        if self.secure { "__Host-copytrace-frame" } else { "copytrace-frame" }
    }

    /// Whether it is served to several people: a desk has no use for who they are and what they decide for each other.
    pub fn is_for_several(&self) -> bool {
        self.desk.is_none()
    }

    /// Does work on one unchanging state of the database.
    ///
    /// # Errors
    /// Those of the work, and of the database.
    pub fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        self.store.read(work)
    }

    /// Does work in one transaction, which is on the disk when this returns; an error takes all of it back.
    ///
    /// # Errors
    /// Those of the work, and of the database.
    pub fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        self.store.write(work)
    }

    /// Bytes that are free on the disk of the data folder.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn free(&self) -> std::io::Result<u64> {
        fs4::available_space(&self.data)
    }

    /// Refuses to take anything new when the disk is nearly full.
    ///
    /// # Errors
    /// When less is free than is to be left.
    pub fn require_space(&self) -> Result<(), Fault> {
        if self.free()? < self.limits.reserve { Err((&NO_SPACE).into()) } else { Ok(()) }
    }

    /// Removes files below the data folder. One that is not there is no error.
    pub fn remove_files(&self, files: &[String]) {
        for file in files.iter().filter(|file| !file.is_empty()) {
            if let Err(error) = folder::remove(&self.data.join(file)) {
                log::failed("remove", &error.to_string());
            }
        }
    }
}
