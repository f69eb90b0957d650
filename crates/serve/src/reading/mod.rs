//! Reading one hostile file in a process of its own, which can reach nothing else.
//!
//! The worker starts the program with the hidden command `read-one`; that process restricts itself ([`sandbox`]) before it
//! opens the file, and hands the document over as JSON.

pub mod sandbox;

use crate::program;
use copytrace::check::{Reason, Unread};
use copytrace::formats::input::{Inputs, ReadLimits};
use copytrace::text::Document;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long reading may take, whatever it does.
const LONGEST: Duration = Duration::from_secs(90);

/// Bytes that a document may come to as JSON: its text has at most 24 MiB.
const MOST_OUTPUT: u64 = 512 << 20;

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub enum ReadingError {
    /// It cannot be read, and never will be.
    #[error("{0}")]
    Unread(Unread),
    /// The process that read it was killed, or killed itself.
    #[error("the process that read it died")]
    Died,
    /// The process cannot be started.
    #[error("the reader cannot be run: {0}")]
    Io(#[from] std::io::Error),
}

/// Reads a file in another process. Its name is the document's id, as for the program.
///
/// # Errors
/// What is wrong with the file, or with the process.
pub fn read(path: &Path) -> Result<Document, ReadingError> {
    let mut child = Command::new(program::path()?)
        .args(["serve", "read-one"])
        .arg(path)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = collect(&mut child)?;
    let status = child.wait()?;
    match serde_json::from_slice::<Result<Document, Unread>>(&output) {
        Ok(read) if status.success() => read.map_err(ReadingError::Unread),
        _ => Err(ReadingError::Died),
    }
}

/// What the process writes; it is ended when that takes too long or is too much.
fn collect(child: &mut Child) -> std::io::Result<Vec<u8>> {
    let Some(pipe) = child.stdout.take() else { return Ok(Vec::new()) };
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(MOST_OUTPUT).read_to_end(&mut bytes);
        // Nobody waits any more once the time is over.
        let _ = sender.send(read.map(|_| bytes));
    });
    let deadline = Instant::now() + LONGEST;
    match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(read) => read,
        Err(_) => {
            child.kill()?;
            Ok(Vec::new())
        }
    }
}

/// What the process does: restricts itself, reads the file, and writes the document or the reason why there is none.
///
/// # Errors
/// When it cannot be restricted or its output is not wanted.
pub fn read_restricted(path: &Path, output: &mut impl Write) -> std::io::Result<()> {
    sandbox::restrict(path)?;
    let limits = ReadLimits { in_this_process: true, ..ReadLimits::default() };
    let read = read_here(path, &limits);
    serde_json::to_writer(&mut *output, &read)?;
    output.flush()
}

/// Reads a path that holds one document.
fn read_here(path: &Path, limits: &ReadLimits) -> Result<Document, Unread> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut inputs = Inputs::open(&[path.to_owned()], limits.clone());
    let first = inputs.next().ok_or_else(|| Unread::new(&name, Reason::HoldsNone))?;
    if inputs.next().is_some() {
        return Err(Unread::new(&name, Reason::HoldsSeveral));
    }
    Ok(first.and_then(|raw| raw.extract(limits))?)
}
