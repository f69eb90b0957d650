//! Runs a program that reads a file, within limits of time, memory and output, and without a shell.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use super::ExtractError;
use crate::limits::ReadLimits;
use copytrace_job::Cancelled;

/// Why a program gave no output.
#[derive(Debug)]
pub(super) enum Failure {
    /// It is not installed.
    Missing,
    /// It took longer than allowed.
    TooSlow,
    /// It wrote more than allowed.
    TooMuch,
    /// It ended with an error; what it said.
    Failed(String),
    /// Nobody wants its output any more.
    Cancelled(Cancelled),
    /// It could not be run.
    Io(io::Error),
}

impl From<Failure> for ExtractError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Missing => ExtractError::Program("it is not installed".to_owned()),
            Failure::TooSlow => ExtractError::TooLarge("reading it takes too long".to_owned()),
            Failure::TooMuch => ExtractError::TooLarge("the text".to_owned()),
            Failure::Failed(said) => ExtractError::Damaged(said),
            Failure::Cancelled(cancelled) => cancelled.into(),
            Failure::Io(error) => ExtractError::Program(error.to_string()),
        }
    }
}

/// How often a program is looked at that writes nothing.
const LOOK: Duration = Duration::from_millis(20);

/// Bytes of a program's complaint that are kept.
const COMPLAINT_BYTES: u64 = 4096;

/// Gives `bytes` to a program as a file and returns what it writes to standard output. `arguments` gets the file's path.
pub(super) fn run(
    program: &OsStr,
    bytes: &[u8],
    arguments: impl FnOnce(&OsStr) -> Vec<OsString>,
    limits: &ReadLimits,
) -> Result<Vec<u8>, Failure> {
    let file = temporary_file(bytes)?;
    run_with(program, arguments(file.path().as_os_str()), limits)
}

/// A file of our own with these bytes: the name of the original may be one that a program takes for something else.
pub(super) fn temporary_file(bytes: &[u8]) -> Result<NamedTempFile, Failure> {
    let mut file = NamedTempFile::new().map_err(Failure::Io)?;
    file.write_all(bytes).and_then(|()| file.flush()).map_err(Failure::Io)?;
    Ok(file)
}

/// Runs a program with these arguments and returns what it writes to standard output.
pub(super) fn run_with(program: &OsStr, arguments: Vec<OsString>, limits: &ReadLimits) -> Result<Vec<u8>, Failure> {
    let mut child = Command::new(program)
        .args(arguments)
        // Documents are read side by side already; tesseract's threads take more time than they save.
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| if error.kind() == io::ErrorKind::NotFound { Failure::Missing } else { Failure::Io(error) })?;
    limit_memory(&child, limits.program_memory);
    let deadline = Instant::now() + limits.program_time;
    let output = collect(child.stdout.take(), limits.file_bytes);
    let complaint = collect(child.stderr.take(), COMPLAINT_BYTES);
    let (output, more) = loop {
        if let Err(cancelled) = limits.cancel.check() {
            return Err(stop(&mut child, Failure::Cancelled(cancelled)));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        match output.recv_timeout(left.min(LOOK)) {
            Ok(read) => break read,
            Err(_) if left.is_zero() => return Err(stop(&mut child, Failure::TooSlow)),
            Err(_) => {}
        }
    };
    if more {
        return Err(stop(&mut child, Failure::TooMuch));
    }
    // It closed its output, so it is about to end.
    let status = loop {
        match child.try_wait().map_err(Failure::Io)? {
            Some(status) => break status,
            None if Instant::now() > deadline => return Err(stop(&mut child, Failure::TooSlow)),
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    if status.success() {
        return Ok(output);
    }
    let said = complaint.recv_timeout(Duration::from_secs(1)).map(|(said, _)| said).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).lines().next().unwrap_or_default().trim().to_owned();
    Err(Failure::Failed(if said.is_empty() { status.to_string() } else { said }))
}

/// Reads a pipe to its end on a thread of its own, at most so many bytes; whether there were more comes along.
fn collect(pipe: Option<impl Read + Send + 'static>, most: u64) -> mpsc::Receiver<(Vec<u8>, bool)> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let Some(mut pipe) = pipe else { return };
        // What broke the pipe shows in how the program ends.
        let _ = pipe.by_ref().take(most + 1).read_to_end(&mut bytes);
        let more = bytes.len() as u64 > most;
        // Nobody waits any more once the time is over.
        let _ = sender.send((bytes, more));
        // A pipe that is closed ends a program that only has much to complain of.
        let _ = io::copy(&mut pipe, &mut io::sink());
    });
    receiver
}

/// Ends a program that went too far.
fn stop(child: &mut Child, failure: Failure) -> Failure {
    // It may have ended by itself just now.
    let _ = child.kill();
    let _ = child.wait();
    failure
}

/// Bounds the memory that the program may ask for.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    // One that ended already needs no limit.
    let _ = prlimit(Pid::from_raw(child.id() as i32), Resource::As, limit);
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_child: &Child, _bytes: u64) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn limits(milliseconds: u64, bytes: u64) -> ReadLimits {
        let program_time = Duration::from_millis(milliseconds);
        ReadLimits { program_time, file_bytes: bytes, ..ReadLimits::default() }
    }

    fn cat(path: &OsStr) -> Vec<OsString> {
        vec![path.to_owned()]
    }

    #[test]
    fn a_program_gets_the_bytes_and_gives_its_output() {
        assert_eq!(run("cat".as_ref(), b"bytes", cat, &limits(10_000, 100)).unwrap(), b"bytes");
    }

    #[test]
    fn a_program_that_complains_at_length_goes_on_to_its_output() {
        let script = "i=0; while [ $i -lt 3000 ]; do echo 'Syntax Warning: a font without a name' >&2; i=$((i+1)); done; cat \"$0\"";
        let complain = |path: &OsStr| vec!["-c".into(), script.into(), path.to_owned()];
        assert_eq!(run("sh".as_ref(), b"bytes", complain, &limits(10_000, 100)).unwrap(), b"bytes");
    }

    #[test]
    fn a_program_that_goes_too_far_is_ended() {
        let sleep = |_: &OsStr| vec!["60".into()];
        assert!(matches!(run("sleep".as_ref(), b"", sleep, &limits(50, 100)), Err(Failure::TooSlow)));
        assert!(matches!(run("cat".as_ref(), &[b'x'; 1000], cat, &limits(10_000, 100)), Err(Failure::TooMuch)));
    }

    #[test]
    fn a_program_that_is_missing_or_fails_is_named() {
        assert!(matches!(run("no-such-program".as_ref(), b"", cat, &limits(1000, 100)), Err(Failure::Missing)));
        let nowhere = |_: &OsStr| vec!["/no/such/file".into()];
        match run("cat".as_ref(), b"", nowhere, &limits(10_000, 100)) {
            Err(Failure::Failed(said)) => assert!(said.contains("/no/such/file"), "{said}"),
            other => panic!("{other:?}"),
        }
    }
}
