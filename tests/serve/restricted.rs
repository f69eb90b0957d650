//! A process that restricted itself reads one file, and reaches nothing else.

use crate::evasion::writers::{Markup, Paragraph, WRITERS};
use crate::program::copytrace;
use copytrace::formats::input::ReadLimits;
use copytrace_serve::reading::sandbox;
use rustix::process::{Resource, Rlimit, Signal, getpgid, getppid, prlimit, test_kill_process};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

const FILE: &str = "COPYTRACE_TEST_FILE";
/// The folder of one that may run programs.
const TEMPORARY: &str = "COPYTRACE_TEST_TEMPORARY";
const WITHIN: &str = "serve::restricted::a_restricted_process_tells_what_it_can_do";

/// Tells what a restricted process can still do. It does nothing but in the process that the test below starts for it.
#[test]
fn a_restricted_process_tells_what_it_can_do() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let beside = Path::new(&file).with_file_name("beside.txt");
    let parent = getppid().unwrap();
    let temporary = std::env::var_os(TEMPORARY);
    match &temporary {
        None => sandbox::restrict(Path::new(&file)).unwrap(),
        Some(folder) => {
            let limits = ReadLimits::default();
            sandbox::restrict_with_programs(Path::new(&file), Path::new(folder), &limits).unwrap();
        }
    }
    let tell = |what: &str, could: bool| println!("\n{what} {}", if could { "could" } else { "refused" });
    tell("file", std::fs::read(&file).is_ok());
    tell("passwd", std::fs::read("/etc/passwd").is_ok());
    tell("beside", std::fs::read(&beside).is_ok());
    tell("write", std::fs::write(beside.with_file_name("new.txt"), "x").is_ok());
    let shell = |script: &str| Command::new("sh").args(["-c", script]).arg(&beside).output();
    tell("program-beside", shell("cat \"$0\"").is_ok_and(|output| !output.stdout.is_empty()));
    tell("temporary", temporary.is_some_and(|folder| std::fs::write(Path::new(&folder).join("x"), "x").is_ok()));
    tell("tcp", std::net::TcpListener::bind("127.0.0.1:0").is_ok());
    tell("udp", std::net::UdpSocket::bind("127.0.0.1:0").is_ok());
    tell("unix", std::os::unix::net::UnixStream::pair().is_ok());
    tell("program", Command::new("/bin/true").status().is_ok());
    tell("much", Vec::<u8>::new().try_reserve_exact(4 << 30).is_ok());
    tell("little", Vec::<u8>::new().try_reserve_exact(100 << 20).is_ok());
    let mode = std::fs::Permissions::from_mode(0o666);
    tell("chmod", std::fs::set_permissions(&beside, mode).is_ok());
    // The parent's limits as they are: nothing changes if this is allowed.
    let none = Rlimit { current: None, maximum: None };
    tell("prlimit", prlimit(Some(parent), Resource::Locks, none).is_ok());
    tell("thread", std::thread::Builder::new().spawn(|| 1).is_ok());
    // A signal of 0 only asks whether one may be sent.
    tell("signal", test_kill_process(parent).is_ok());
    tell("truncate", std::fs::File::options().write(true).truncate(true).open(&beside).is_ok());
    tell("folder", std::fs::read_dir(beside.with_file_name("")).is_ok());
    // Harmless, but reading a file does not need it.
    tell("harmless", getpgid(None).is_ok());
    // It can end itself, as it does when its stack is full.
    std::process::abort();
}

/// What a restricted process tells of one thing after the other, in a folder of a file and another one beside it.
fn told(with_programs: bool) -> impl Fn(&str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("thesis.txt");
    std::fs::write(&file, "text").unwrap();
    std::fs::write(folder.path().join("beside.txt"), "another's").unwrap();
    let temporary = folder.path().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", WITHIN, "--nocapture", "--test-threads", "1"])
        .env(FILE, &file)
        .envs(with_programs.then_some((TEMPORARY, &temporary)))
        .output()
        .unwrap();
    assert_eq!(output.status.signal(), Some(Signal::ABORT.as_raw()));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    move |what: &str| {
        let line = |could: &str| told.lines().any(|line| line == format!("{what} {could}"));
        assert!(line("could") != line("refused"), "{what}: {told}");
        line("could")
    }
}

#[test]
fn the_reader_reaches_one_file_and_no_socket_program_thread_or_4_gb() {
    let could = told(false);
    for what in ["file", "little"] {
        assert!(could(what), "{what}");
    }
    for what in [
        "write",
        "truncate",
        "folder",
        "tcp",
        "udp",
        "unix",
        "program",
        "program-beside",
        "thread",
        "signal",
        "much",
        "chmod",
        "prlimit",
        "harmless",
        "temporary",
    ] {
        assert!(!could(what), "{what}");
    }
    // Landlock is a matter of the kernel: where it has none, this cannot hold.
    if sandbox::lacks(sandbox::level()).is_none() {
        assert!(!could("passwd") && !could("beside"));
    } else {
        eprintln!("this kernel has no Landlock: other files can be read");
    }
}

#[test]
fn the_programs_for_ocr_reach_the_file_what_is_installed_and_a_temporary_folder() {
    let could = told(true);
    for what in ["file", "little", "program", "temporary"] {
        assert!(could(what), "{what}");
    }
    assert!(!could("much"), "memory is bounded");
    let level = sandbox::level();
    let kept_from: &[(i64, &[&str])] =
        &[(1, &["beside", "program-beside", "write", "folder"]), (3, &["truncate"]), (4, &["tcp"]), (6, &["signal"])];
    for what in kept_from.iter().filter(|(since, _)| *since <= level).flat_map(|(_, what)| *what) {
        assert!(!could(what), "{what}, at level {level} of Landlock");
    }
}

/// A Word file of before 2007 with this text. The list of its pieces has one, of 16-bit units, at byte 1,024.
fn doc(text: &str) -> Vec<u8> {
    let (mut main, units) = (vec![0_u8; 1024], text.encode_utf16().count() as u32);
    let pieces =
        [&[2_u8, 16, 0, 0, 0][..], &0_u32.to_le_bytes(), &units.to_le_bytes(), &[0, 0, 0, 4, 0, 0, 0, 0]].concat();
    (main[2], main[11]) = (193, 2);
    main[76..80].copy_from_slice(&units.to_le_bytes());
    main[154 + 33 * 8 + 4..][..4].copy_from_slice(&(pieces.len() as u32).to_le_bytes());
    main.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let mut file = cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).unwrap();
    for (name, content) in [("/WordDocument", &main), ("/1Table", &pieces)] {
        file.create_stream(name).unwrap().write_all(content).unwrap();
    }
    file.into_inner().into_inner()
}

#[test]
fn files_of_every_format_are_read_by_the_restricted_process() {
    let folder = tempfile::tempdir().unwrap();
    let text = "The marsh was measured from a boat at every second tide, and what was found is told here.";
    let paragraphs = [Paragraph::heading("Findings"), Paragraph::plain(text)];
    let written = WRITERS.iter().map(|(ending, write)| (*ending, write(&paragraphs, Markup::default())));
    for (ending, bytes) in written.chain([("doc", doc(text))]) {
        let file = folder.path().join(format!("thesis.{ending}"));
        std::fs::write(&file, bytes).unwrap();
        let output = copytrace().args(["serve", "read-one"]).arg(&file).output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        let read = told.replace("\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.success() && read.starts_with("{\"Ok\"") && read.contains(text), "{ending}: {told}");
    }
}
