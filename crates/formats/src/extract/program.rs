//! Runs a program that reads a file, within limits of time, memory and output, and without a shell.
//!
//! Time is what the processor works on the program: on a busy machine a program waits for its turn, which is no fault of the
//! file. The clock ends only what seems to wait for ever.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use super::{Damage, Excess, ExtractError, error, processor_time};
use crate::limits::ReadLimits;
use copytrace_job::Cancelled;

/// Why a program gave no output.
#[derive(Debug)]
pub(super) enum Failure {
    /// It is not installed.
    Missing,
    /// The processor worked on it for longer than allowed.
    TooSlow,
    /// It did not end within this time by the clock, though the processor did not work on it for too long, as far as is known.
    Waiting(Duration),
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
            Failure::Missing => ExtractError::ToolMissing,
            Failure::TooSlow => Excess::ReadingTime.into(),
            Failure::Waiting(time) => ExtractError::ToolWaits { seconds: time.as_secs() },
            Failure::TooMuch => Excess::Text.into(),
            Failure::Failed(said) => Damage::ReadingFailed { said: error::said(said) }.into(),
            Failure::Cancelled(cancelled) => cancelled.into(),
            Failure::Io(error) => ExtractError::ToolFailed { said: error::said(error) },
        }
    }
}

/// How often a program is looked at that writes nothing.
const LOOK: Duration = Duration::from_millis(20);

/// How many times the processor time that it is granted a program may take by the clock. A machine on which twenty programs share
/// each processor is busier than any seen; what takes longer waits for something that never comes. Chosen by hand.
const PATIENCE: u32 = 20;

/// How many seconds after its processor time is over the system itself ends a program, if nobody is left to do so.
#[cfg(target_os = "linux")]
const AFTERWARDS: u64 = 5;

/// Bytes of a program's complaint that are kept.
const COMPLAINT_BYTES: u64 = 4096;

/// Gives `bytes` to a program as a file and returns what it writes to standard output. `arguments` gets the file's path.
pub(super) fn run(
    program: &OsStr,
    bytes: &[u8],
    arguments: impl FnOnce(&OsStr) -> Vec<OsString>,
    limits: &ReadLimits,
) -> Result<Output, Failure> {
    let file = temporary_file(bytes)?;
    run_with(program, arguments(file.path().as_os_str()), limits)
}

/// A file of our own with these bytes: the name of the original may be one that a program takes for something else.
pub(super) fn temporary_file(bytes: &[u8]) -> Result<NamedTempFile, Failure> {
    let mut file = NamedTempFile::new().map_err(Failure::Io)?;
    file.write_all(bytes).and_then(|()| file.flush()).map_err(Failure::Io)?;
    Ok(file)
}

/// Folders on Windows that hold those of programs: of all users and of one's own. In the disk's own folder anybody may put a program.
const PLACES: [(&str, &str); 4] =
    [("ProgramFiles", "."), ("ProgramFiles(x86)", "."), ("LOCALAPPDATA", "Programs"), ("LOCALAPPDATA", ".")];
/// How the folders of the programs that are run here begin, in small letters: `Tesseract-OCR`, `poppler-24.08.0`. ...
const FOLDERS: [&str; 2] = ["tesseract", "poppler"];
/// ... Their installers and archives put the programs there or below, and do not add them to the path.
const BELOW: [&str; 3] = [".", "bin", "Library/bin"];

/// The program in one of its usual places, if it has such and is there; else its name, which the system looks for.
fn found(program: &OsStr, variable: impl Fn(&str) -> Option<OsString>) -> OsString {
    for (of, below) in PLACES {
        let Some(place) = variable(of).map(|folder| Path::new(&folder).join(below)) else { continue };
        let mut names: Vec<OsString> =
            std::fs::read_dir(&place).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.file_name())).collect();
        names.retain(|name| FOLDERS.iter().any(|known| name.to_string_lossy().to_lowercase().starts_with(known)));
        // The latest of several versions.
        names.sort_unstable_by(|a, b| b.cmp(a));
        for (name, below) in names.iter().flat_map(|name| BELOW.map(|below| (name, below))) {
            let path = place.join(name).join(below).join(program).with_extension("exe");
            if path.is_file() {
                return path.into_os_string();
            }
        }
    }
    program.to_owned()
}

/// Runs a program with these arguments and returns what it writes to standard output.
pub(super) fn run_with(program: &OsStr, arguments: Vec<OsString>, limits: &ReadLimits) -> Result<Output, Failure> {
    let program = if cfg!(windows) { found(program, |name| std::env::var_os(name)) } else { program.to_owned() };
    let mut child = Command::new(program)
        .args(arguments)
        // Documents are read side by side already; tesseract's threads take more time than they save.
        .env("OMP_THREAD_LIMIT", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| if error.kind() == io::ErrorKind::NotFound { Failure::Missing } else { Failure::Io(error) })?;
    bound(&child, limits);
    let output = collect(child.stdout.take(), limits.file_bytes);
    let complaint = collect(child.stderr.take(), COMPLAINT_BYTES);
    let mut watch = Watch::new(limits);
    let watched =
        watch.until_closed(&mut child, &output).and_then(|output| Ok((output, watch.until_ended(&mut child)?)));
    let (bytes, status) = watched.inspect_err(|_| {
        // It may have ended by itself just now.
        let _ = child.kill();
        let _ = child.wait();
    })?;
    if status.success() {
        return Ok(Output { bytes, processor_time: watch.spent });
    }
    if was_ended_by_the_system(status) {
        return Err(Failure::TooSlow);
    }
    let said = complaint.recv_timeout(Duration::from_secs(1)).map(|(said, _)| said).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).lines().next().unwrap_or_default().trim().to_owned();
    Err(Failure::Failed(if said.is_empty() { status.to_string() } else { said }))
}

/// What a program gave.
#[derive(Debug)]
pub(super) struct Output {
    /// What it wrote to standard output.
    pub(super) bytes: Vec<u8>,
    /// How long the processor worked on it, as far as the system tells it.
    pub(super) processor_time: Duration,
}

/// Looks at a program again and again.
struct Watch<'l> {
    limits: &'l ReadLimits,
    start: Instant,
    /// The time that the processor worked on the program, as far as it is known.
    spent: Duration,
}

impl<'l> Watch<'l> {
    fn new(limits: &'l ReadLimits) -> Self {
        Watch { limits, start: Instant::now(), spent: Duration::ZERO }
    }

    /// An error if the program must not go on.
    fn look(&mut self, child: &Child) -> Result<(), Failure> {
        self.limits.cancel.check().map_err(Failure::Cancelled)?;
        self.spent = processor_time::of_process(child.id()).unwrap_or(self.spent);
        let longest = self.limits.program_time * PATIENCE;
        match self.start.elapsed() {
            _ if self.spent > self.limits.program_time => Err(Failure::TooSlow),
            waited if waited > longest => Err(Failure::Waiting(longest)),
            _ => Ok(()),
        }
    }

    /// Waits until the program closes its output, and gives that.
    fn until_closed(&mut self, child: &mut Child, output: &Collected) -> Result<Vec<u8>, Failure> {
        loop {
            self.look(child)?;
            if let Ok((output, more)) = output.recv_timeout(LOOK) {
                return if more { Err(Failure::TooMuch) } else { Ok(output) };
            }
        }
    }

    /// Waits for the end of a program that closed its output, and so is about to end.
    fn until_ended(&mut self, child: &mut Child) -> Result<ExitStatus, Failure> {
        loop {
            self.look(child)?;
            match child.try_wait().map_err(Failure::Io)? {
                Some(status) => return Ok(status),
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

/// What was read from a pipe, and whether there was more.
type Collected = mpsc::Receiver<(Vec<u8>, bool)>;

/// Reads a pipe to its end on a thread of its own, at most `most` bytes; whether there were more comes along.
fn collect(pipe: Option<impl Read + Send + 'static>, most: u64) -> Collected {
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

/// Bounds the memory that the program may ask for, and the processor time that it takes if this process ends before it.
#[cfg(target_os = "linux")]
fn bound(child: &Child, limits: &ReadLimits) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let seconds = limits.program_time.as_secs() + AFTERWARDS;
    for (resource, most) in [(Resource::As, limits.program_memory), (Resource::Cpu, seconds)] {
        // One that ended already needs no limit.
        let _ =
            prlimit(Pid::from_raw(child.id() as i32), resource, Rlimit { current: Some(most), maximum: Some(most) });
    }
}

#[cfg(not(target_os = "linux"))]
fn bound(_: &Child, _: &ReadLimits) {}

/// Whether the system ended a program because its processor time was over.
#[cfg(target_os = "linux")]
fn was_ended_by_the_system(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

#[cfg(not(target_os = "linux"))]
fn was_ended_by_the_system(_: ExitStatus) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_where_installers_on_windows_put_it_and_else_by_its_name() {
        let bench = tempfile::tempdir().unwrap();
        let variable = |name: &str| (name == "LOCALAPPDATA").then(|| bench.path().as_os_str().to_owned());
        assert_eq!(found("tesseract".as_ref(), variable), "tesseract");
        let place = bench.path().join("Programs/Tesseract-OCR/tesseract.exe");
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(&place, "").unwrap();
        assert_eq!(Path::new(&found("tesseract".as_ref(), variable)), place);
        assert_eq!(found("pdftoppm".as_ref(), variable), "pdftoppm");
        // An archive that was unpacked has its version in its name; others' folders are not looked into.
        for folder in ["poppler-23.11.0/Library", "poppler-24.08.0/Library", "Popcorn"] {
            std::fs::create_dir_all(bench.path().join(folder).join("bin")).unwrap();
            std::fs::write(bench.path().join(folder).join("bin/pdftoppm.exe"), "").unwrap();
        }
        let latest = bench.path().join("poppler-24.08.0/Library/bin/pdftoppm.exe");
        assert_eq!(Path::new(&found("pdftoppm".as_ref(), variable)).components().as_path(), latest);
    }

    fn limits(milliseconds: u64, bytes: u64) -> ReadLimits {
        let program_time = Duration::from_millis(milliseconds);
        ReadLimits { program_time, file_bytes: bytes, ..ReadLimits::default() }
    }

    fn cat(path: &OsStr) -> Vec<OsString> {
        vec![path.to_owned()]
    }

    #[test]
    fn a_program_gets_the_bytes_and_gives_its_output() {
        assert_eq!(run("cat".as_ref(), b"bytes", cat, &limits(10_000, 100)).unwrap().bytes, b"bytes");
    }

    #[test]
    fn a_program_that_complains_at_length_goes_on_to_its_output() {
        let script = "i=0; while [ $i -lt 3000 ]; do echo 'Syntax Warning: a font without a name' >&2; i=$((i+1)); done; cat \"$0\"";
        let complain = |path: &OsStr| vec!["-c".into(), script.into(), path.to_owned()];
        assert_eq!(run("sh".as_ref(), b"bytes", complain, &limits(10_000, 100)).unwrap().bytes, b"bytes");
    }

    fn shell(script: &str) -> impl Fn(&OsStr) -> Vec<OsString> {
        move |_: &OsStr| vec!["-c".into(), script.into()]
    }

    #[test]
    fn a_program_that_waits_is_not_taken_for_one_that_works() {
        let waits = shell("sleep 0.5; echo done");
        assert_eq!(run("sh".as_ref(), b"", waits, &limits(200, 100)).unwrap().bytes, b"done\n");
        let waits_for_ever = |_: &OsStr| vec!["60".into()];
        let ended = run("sleep".as_ref(), b"", waits_for_ever, &limits(30, 100));
        assert!(matches!(ended, Err(Failure::Waiting(_))), "{ended:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_that_works_on_and_on_is_ended_once_its_processor_time_is_over() {
        let ended = run("sh".as_ref(), b"", shell("while :; do :; done"), &limits(300, 100));
        assert!(matches!(ended, Err(Failure::TooSlow)), "{ended:?}");
        let works = shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
        let output = run("sh".as_ref(), b"", works, &limits(60_000, 100)).unwrap();
        assert!(output.processor_time > Duration::from_millis(10), "{output:?}");
    }

    #[test]
    fn a_program_that_goes_too_far_is_ended() {
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
