//! Programs that others have written, which the service meets as it does at an institution: the Makefile's `slow-tools` sets them up.

use crate::program::project;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A program that ends with the test.
pub struct Other {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Other {
    /// A script of Python, with the packages that are set up for it.
    pub fn python(script: &str, arguments: &[impl AsRef<OsStr>]) -> Self {
        Other::start(Command::new(project("target/others/bin/python")), script, arguments)
    }

    /// A script of Node.
    pub fn node(script: &str, arguments: &[impl AsRef<OsStr>]) -> Self {
        Other::start(Command::new("node"), script, arguments)
    }

    fn start(mut program: Command, script: &str, arguments: &[impl AsRef<OsStr>]) -> Self {
        program.arg(project("tests/slow/serve/others").join(script)).args(arguments);
        let child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| {
            panic!("{}: {error}; `make slow-tools` sets it up", Path::new(program.get_program()).display())
        });
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Other { child, lines }
    }

    /// The next line that it says.
    pub fn line(&mut self) -> String {
        self.lines.next().expect("another line").unwrap()
    }

    /// Tells it a line.
    pub fn tell(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
