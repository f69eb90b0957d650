//! The `copytrace` command, as the wheel brings it.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Runs the command line with `sys.argv`, and ends the process with its exit code.
///
/// Commands that start the program again, to read a PDF file or to work for the service, start the script that was called.
#[pyfunction]
#[pyo3(name = "_command")]
pub fn command(py: Python<'_>) -> PyResult<()> {
    let arguments: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
    if let Some(script) = arguments.first().map(Path::new).and_then(|script| std::path::absolute(script).ok()) {
        copytrace::job::program::tell(script_of(script));
    }
    // Python's own handler would only note that Ctrl-C was pressed.
    let signal = py.import("signal")?;
    signal.call_method1("signal", (signal.getattr("SIGINT")?, signal.getattr("SIG_DFL")?))?;
    let code = py.detach(|| copytrace_cli::run(arguments));
    // What is not told is lost, as it is when the program ends.
    let _ = std::io::stdout().flush();
    std::process::exit(code.into());
}

/// What can be started: on Windows pip makes a program of the script's name.
fn script_of(script: PathBuf) -> PathBuf {
    if cfg!(windows) { script.with_extension("exe") } else { script }
}
