//! The `copytrace` program: parses its arguments, runs, and turns the outcome into an exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
