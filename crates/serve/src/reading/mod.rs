//! Reading one hostile file in a process of its own, which can reach nothing else.
//!
//! The worker starts the program with the hidden command `read-one`; that process restricts itself ([`sandbox`]) before it
//! opens the file, and hands the document over as JSON. Only a desk reads scans by OCR, in a process that may run programs for
//! it, once the first one has found nothing but pictures.

pub mod sandbox;

use crate::program;
use copytrace::check::{Reason, Unread};
use copytrace::formats::extract::{Excess, ExtractError};
use copytrace::formats::input::{Inputs, ReadLimits, ReadReason};
use copytrace::text::Document;
use std::borrow::Cow;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long reading may take by the clock. The process bounds the time of the processor itself ([`sandbox::SECONDS`]); on a machine that does
/// much else the clock goes many times as fast.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// The same with OCR, which has a bound of its own on the time of the processor.
const LONGEST_OCR: Duration = Duration::from_secs(6 * 3600);
/// How often there is a sign of life meanwhile.
const ALIVE: Duration = Duration::from_secs(10);

/// What a process that runs programs for OCR keeps of the environment: where they are.
const PLACES: [&str; 6] =
    ["PATH", "TESSDATA_PREFIX", "ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA", "SystemRoot"];
/// One page after the other. The thread must begin after the process has restricted itself, so `--threads` is not the way: a restriction
/// holds for the thread that makes it and what that starts.
const ONE_THREAD: [(&str, &str); 1] = [("RAYON_NUM_THREADS", "1")];
/// Where programs put their temporary files, as systems name it.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TEMP", "TMP"];

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

/// Reads a file in another process. Its name is the document's id, as for the program. Where its pages are pictures it is read by OCR,
/// if `ocr` says so; `alive` is called again and again meanwhile.
///
/// # Errors
/// What is wrong with the file, or with the process.
pub fn read(path: &Path, ocr: bool, alive: &mut dyn FnMut()) -> Result<Document, ReadingError> {
    match hand_over(reader()?.arg(path).env_clear(), path, LONGEST, alive) {
        Err(ReadingError::Unread(unread)) if ocr && is_scan(&unread.reason) => {
            let temporary = tempfile::tempdir()?;
            let kept = PLACES.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
            let temporary = TEMPORARY.map(|name| (name, temporary.path().as_os_str().to_owned()));
            let mut reader = reader()?;
            reader.arg("--ocr").arg(path).env_clear().envs(kept).envs(temporary).envs(ONE_THREAD);
            hand_over(&mut reader, path, LONGEST_OCR, alive)
        }
        read => read,
    }
}

/// Whether a file is not read because its characters are in pictures alone.
fn is_scan(reason: &Reason) -> bool {
    let Reason::NotRead(ReadReason::NotExtracted(error)) = reason else { return false };
    matches!(error, ExtractError::NoTextLayer | ExtractError::UnreadableTextLayer)
}

fn reader() -> std::io::Result<Command> {
    let mut command = Command::new(program::path()?);
    command.args(["serve", "read-one"]);
    Ok(command)
}

/// What a process that reads the file at `path` hands over.
fn hand_over(
    command: &mut Command,
    path: &Path,
    longest: Duration,
    alive: &mut dyn FnMut(),
) -> Result<Document, ReadingError> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let output = collect(&mut child, longest, alive)?;
    let status = child.wait()?;
    match serde_json::from_slice::<Result<Document, Unread>>(&output) {
        Ok(read) if status.success() => read.map_err(ReadingError::Unread),
        _ if sandbox::was_out_of_time(status) => {
            let reason = ReadReason::NotExtracted(Excess::ReadingTime.into());
            Err(ReadingError::Unread(Unread::new(&name_of(path), Reason::NotRead(reason))))
        }
        _ => Err(ReadingError::Died),
    }
}

/// The name of the file at a path, which is the id of its document.
fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// What the process writes; it is ended when that takes too long or is too much.
fn collect(child: &mut Child, longest: Duration, alive: &mut dyn FnMut()) -> std::io::Result<Vec<u8>> {
    let Some(pipe) = child.stdout.take() else { return Ok(Vec::new()) };
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(MOST_OUTPUT).read_to_end(&mut bytes);
        // Nobody waits any more once the time is over.
        let _ = sender.send(read.map(|_| bytes));
    });
    let mut waited = Duration::ZERO;
    loop {
        let (begun, step) = (Instant::now(), (longest - waited).min(ALIVE));
        match receiver.recv_timeout(step) {
            Ok(read) => return read,
            // Where the machine slept meanwhile that was no time to read in.
            Err(mpsc::RecvTimeoutError::Timeout) if waited + step < longest => waited += begun.elapsed().min(step),
            Err(_) => {
                child.kill()?;
                return Ok(Vec::new());
            }
        }
        alive();
    }
}

/// What the process does: restricts itself, reads the file, and writes the document or the reason why there is none.
///
/// # Errors
/// When it cannot be restricted or its output is not wanted.
pub fn read_restricted(path: &Path, ocr: bool, output: &mut impl Write) -> std::io::Result<()> {
    let limits = ReadLimits { in_this_process: true, ..ReadLimits::default() };
    let limits = if ocr { limits.with_ocr() } else { limits };
    match ocr {
        true => sandbox::restrict_with_programs(path, &std::env::temp_dir(), &limits)?,
        false => sandbox::restrict(path)?,
    }
    let read = read_here(path, &limits);
    serde_json::to_writer(&mut *output, &read)?;
    output.flush()
}

/// Reads a path that holds one document.
fn read_here(path: &Path, limits: &ReadLimits) -> Result<Document, Unread> {
    let mut inputs = Inputs::open(&[path.to_owned()], limits.clone());
    let first = inputs.next().ok_or_else(|| Unread::new(&name_of(path), Reason::HoldsNone))?;
    if inputs.next().is_some() {
        return Err(Unread::new(&name_of(path), Reason::HoldsSeveral));
    }
    Ok(first.and_then(|raw| raw.extract(limits))?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_reader_whose_processor_time_is_over_is_told_as_too_slow_and_one_that_is_killed_as_dead() {
        let read = |script: &str| {
            hand_over(Command::new("sh").args(["-c", script]), Path::new("a/thesis.txt"), LONGEST, &mut || {})
        };
        let Err(ReadingError::Unread(unread)) = read("ulimit -St 1; while :; do :; done") else { panic!("read") };
        assert_eq!(unread.to_string(), "thesis.txt: too large: reading it takes too long");
        assert!(matches!(read("kill -9 $$"), Err(ReadingError::Died)));
    }
}
