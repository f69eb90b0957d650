//! A process that restricted itself reads one file, and reaches nothing else.

use copytrace_serve::reading::sandbox;
use rustix::process::{Resource, Rlimit, getppid, getrlimit, prlimit};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const FILE: &str = "COPYTRACE_TEST_FILE";
const WITHIN: &str = "serve::restricted::a_restricted_process_tells_what_it_can_do";

/// Tells what a restricted process can still do. It does nothing but in the process that the test below starts for it.
#[test]
fn a_restricted_process_tells_what_it_can_do() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let beside = Path::new(&file).with_file_name("beside.txt");
    sandbox::restrict(Path::new(&file)).unwrap();
    let tell = |what: &str, could: bool| println!("\n{what} {}", if could { "could" } else { "refused" });
    tell("file", std::fs::read(&file).is_ok());
    tell("passwd", std::fs::read("/etc/passwd").is_ok());
    tell("beside", std::fs::read(&beside).is_ok());
    tell("write", std::fs::write(beside.with_file_name("new.txt"), "x").is_ok());
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
    tell("prlimit", prlimit(getppid(), Resource::Locks, none).is_ok());
    tell("countless", getrlimit(Resource::Nproc).maximum.is_none_or(|most| most > sandbox::PROCESSES));
    tell("thread", std::thread::spawn(|| 1).join().is_ok());
}

#[test]
fn the_reader_reaches_one_file_and_no_socket_program_or_4_gb() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("thesis.txt");
    std::fs::write(&file, "text").unwrap();
    std::fs::write(folder.path().join("beside.txt"), "another's").unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", WITHIN, "--nocapture", "--test-threads", "1"])
        .env(FILE, &file)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let could = |what: &str| {
        let line = |could: &str| told.lines().any(|line| line == format!("{what} {could}"));
        assert!(line("could") != line("refused"), "{what}: {told}");
        line("could")
    };
    for what in ["file", "little", "thread"] {
        assert!(could(what), "{what}");
    }
    for what in ["write", "tcp", "udp", "unix", "program", "much", "chmod", "prlimit", "countless"] {
        assert!(!could(what), "{what}");
    }
    // Landlock is a matter of the kernel: where it has none, this cannot hold.
    if sandbox::keeps_files() {
        assert!(!could("passwd") && !could("beside"));
    } else {
        eprintln!("this kernel has no Landlock: other files can be read");
    }
}
