//! The `copytrace` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(copytrace_cli::run(std::env::args_os().collect()))
}
