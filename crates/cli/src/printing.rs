//! Pages printed to PDF files by Chromium.

use super::console::shown;
use anyhow::{Context, bail};
use copytrace::report::whole_file::WholeFile;
use copytrace_messages::message;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names under which Chromium is installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A page of 300 printed pages takes some ten seconds.
const LONGEST: Duration = Duration::from_secs(180);

/// A Chromium that prints.
pub struct Printer {
    browser: PathBuf,
    longest: Duration,
}

impl Printer {
    /// The one that is installed, if any.
    pub fn find() -> anyhow::Result<Self> {
        let folders: Vec<PathBuf> =
            std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
        let name = |folder: &PathBuf, name: &str| folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let places = BROWSERS.iter().flat_map(|browser| folders.iter().map(|folder| name(folder, browser)));
        match places.into_iter().find(|place| place.is_file()) {
            Some(browser) => Ok(Printer { browser, longest: LONGEST }),
            None => bail!(message!("no-chromium", browsers = BROWSERS.join(", "))),
        }
    }

    /// Whether Chromium runs without its sandbox: as root it refuses to start with one.
    pub fn is_without_sandbox(&self) -> bool {
        #[cfg(unix)]
        return rustix::process::geteuid().is_root();
        #[cfg(not(unix))]
        false
    }

    /// Prints a page to `target`, which appears whole or not at all. `state` is what stands behind `#` in the page's address.
    pub fn print(&self, file: &Path, state: &str, target: &Path) -> anyhow::Result<()> {
        let page = format!("{}#{state}", address(&std::path::absolute(file)?));
        let name = page_name(file);
        // A profile of its own: a browser that runs already would take the page over, and print nothing.
        let scratch = tempfile::tempdir().context("a temporary folder")?;
        let printed = scratch.path().join("printed.pdf");
        let option = |name: &str, value: &Path| {
            let mut option = OsString::from(name);
            option.push(value);
            option
        };
        let mut command = Command::new(&self.browser);
        command.args(["--headless", "--disable-gpu", "--no-pdf-header-footer", "--disable-background-networking"]);
        command.args(["--no-first-run", "--disable-dev-shm-usage"]);
        command.arg(option("--user-data-dir=", &scratch.path().join("profile")));
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        if self.is_without_sandbox() {
            command.arg("--no-sandbox");
        }
        command.arg(option("--print-to-pdf=", &printed)).arg(&page);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("{} does not start", self.browser.display()))?;
        let status = match self.wait(&mut child)? {
            Some(status) => status,
            None => bail!(message!("printing-too-slow", page = name, seconds = self.longest.as_secs())),
        };
        match std::fs::read(&printed) {
            Ok(bytes) if status.success() => Ok(WholeFile::write(target, &bytes)?),
            _ => {
                let (browser, status) = (shown(&self.browser), status.to_string());
                bail!(message!("not-printed", page = name, browser = browser, status = status))
            }
        }
    }

    /// How the browser ended; none when it took too long and was ended.
    fn wait(&self, child: &mut Child) -> std::io::Result<Option<std::process::ExitStatus>> {
        let deadline = Instant::now() + self.longest;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() > deadline {
                end(child);
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn page_name(file: &Path) -> String {
    shown(Path::new(file.file_name().unwrap_or_default()))
}

/// The address of a file: what has a meaning in addresses is escaped.
fn address(file: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b':' | b'-' | b'.' | b'_' | b'~');
    let escaped = |byte: &u8| match *byte {
        b'\\' if cfg!(windows) => "/".to_owned(),
        byte if plain(byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    let path: String = file.as_os_str().as_encoded_bytes().iter().map(escaped).collect();
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" })
}

/// Ends a browser with the processes it started. It may have ended by itself just now.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn printer(folder: &Path, script: &str, longest: Duration) -> Printer {
        let browser = folder.join("browser");
        std::fs::write(&browser, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)).unwrap();
        Printer { browser, longest }
    }

    #[test]
    fn an_address_names_its_file_whatever_the_name_holds() {
        assert_eq!(address(Path::new("/a b/50%#1?.html")), "file:///a%20b/50%25%231%3F.html");
    }

    #[test]
    fn a_browser_that_hangs_or_prints_nothing_is_an_error_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        // A browser that ends has all the time it wants: this may be a busy machine.
        let (short, long) = (Duration::from_millis(300), Duration::from_secs(600));
        let cases =
            [("sleep 600", short, "not printed within"), ("exit 0", long, "did not print"), ("exit 3", long, "3")];
        for (script, longest, expected) in cases {
            let target = folder.path().join("page.pdf");
            let error = printer(folder.path(), script, longest).print(Path::new("page.html"), "", &target).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            assert!(!target.exists());
        }
    }
}
