//! What `copytrace serve` is told.

use super::values::size;
use clap::{Args, Subcommand};
use copytrace_serve::mail;
use copytrace_serve::providers::Settings;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
    copytrace serve --data demo/ --demo\n  \
    copytrace serve --data /srv/copytrace --origin https://theses.example.edu\n  \
    copytrace serve backup /srv/copytrace /backups/2026-11-22"
)]
pub struct ServeOptions {
    #[command(subcommand)]
    pub command: Option<ServeCommand>,

    /// The folder with everything that is kept; it is made if there is none
    #[arg(long, required = true, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:8417", value_name = "ADDR")]
    pub listen: SocketAddr,

    /// The https address by which browsers reach this server through the one that stands before it
    #[arg(long, value_name = "URL")]
    pub origin: Option<String>,

    /// The address of a server that stands before this one and tells where requests are from (X-Forwarded-For); several if
    /// repeated. With --origin alone it is this machine
    #[arg(long, value_name = "IP")]
    pub trusted_proxy: Vec<IpAddr>,

    /// How many submissions are checked at once
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub workers: u8,

    /// How much of the disk must stay free: before that nothing new is taken
    #[arg(long, default_value = "5GB", value_name = "SIZE", value_parser = size)]
    pub reserve: u64,

    /// A folder of the server: administrators may add it, and folders below it, to collections
    #[arg(long, value_name = "DIR")]
    pub intake: Option<PathBuf>,

    /// What the institution is called, above each report
    #[arg(long, value_name = "NAME", default_value = "")]
    pub institution: String,

    /// Its logo, above each report: a PNG, JPEG or SVG file of at most 256 kB
    #[arg(long, value_name = "FILE")]
    pub logo: Option<PathBuf>,

    /// Let staff do nothing before they have set up a second factor (TOTP)
    #[arg(long)]
    pub require_second_factor: bool,

    /// Do not serve where the kernel has no Landlock, which keeps the process that reads a file from all others
    #[arg(long)]
    pub require_sandbox: bool,

    /// Write a line to the log for each request: ids, and no names
    #[arg(long)]
    pub access_log: bool,

    /// The font with Chinese characters that PDF sheets embed; without it the best of the system's
    #[arg(long, value_name = "FILE")]
    pub font: Option<PathBuf>,

    /// A file, best on another disk, to which each row of the audit log is added as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub audit_copy: Option<PathBuf>,

    /// A provider by which people sign in (OpenID Connect or CAS), as an inline table of TOML; best in copytrace.toml, as tables
    /// [[serve.provider]]
    #[arg(long, value_name = "TABLE", value_parser = table::<Settings>)]
    pub provider: Vec<Settings>,

    /// The mail server that letters go to, as an inline table of TOML; best in copytrace.toml, as the table [serve.mail]
    #[arg(long, value_name = "TABLE", value_parser = table::<mail::Settings>)]
    pub mail: Option<mail::Settings>,

    /// A host inside the network, by name or address, that webhooks may go to and learning platforms may have; several if repeated. Without it none there is reached
    #[arg(long, value_name = "HOST")]
    pub webhook_host: Vec<String>,

    /// Let sources of collections lie inside the network, as the institution's own repository may
    #[arg(long)]
    pub harvest_inside: bool,

    /// Fill the folder, which must be empty, with a demo: a collection, a round, a supervisor and three students
    #[arg(long)]
    pub demo: bool,
}

#[derive(Debug, Subcommand)]
pub enum ServeCommand {
    /// Copy a data folder, whether it is served or not
    Backup {
        /// The data folder
        data: PathBuf,
        /// Where the copy goes; must not be there yet
        target: PathBuf,
    },
    /// Make a data folder of a backup, and look whether it can be served
    Restore {
        /// The backup
        backup: PathBuf,
        /// The data folder; must not be there yet
        data: PathBuf,
        /// What was served after the backup, or the copy of its audit log: what was erased since is erased here too
        #[arg(long, value_name = "DIR|FILE")]
        erased: Option<PathBuf>,
        /// The file service.key of the data folder that was backed up; without it second factors end
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,
    },
    /// Tell whether the audit log is as it was written
    VerifyAudit {
        /// The data folder
        data: PathBuf,
        /// A head that was noted from the page or the log, as NUMBER:HASH
        #[arg(long, value_name = "HEAD")]
        head: Option<String>,
        /// The copy that the server kept (--audit-copy)
        #[arg(long, value_name = "FILE")]
        copy: Option<PathBuf>,
        /// The file service.key, where it does not stand in the folder, as in a backup
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,
    },
    /// Make a link by which somebody who lost the password chooses a new one; the old one and the second factor end
    ResetPassword {
        /// The data folder, whether it is served or not
        data: PathBuf,
        /// The person's number
        #[arg(default_value = "admin")]
        number: String,
    },
    /// Carry out the orders of a server
    #[command(hide = true)]
    Work {
        /// Read scans by OCR
        #[arg(long)]
        ocr: bool,
    },
    /// Read one file, restricted to it
    #[command(hide = true)]
    ReadOne {
        /// Read it by OCR, with programs that may read what is installed
        #[arg(long)]
        ocr: bool,
        /// The file
        file: PathBuf,
    },
}

/// A value of an inline table.
fn table<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let said = |error: toml::de::Error| error.message().to_owned();
    let mut table: BTreeMap<String, T> = toml::from_str(&format!("table = {text}")).map_err(said)?;
    table.remove("table").ok_or_else(|| "a table is needed".to_owned())
}
