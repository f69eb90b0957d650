//! The `copytrace` program: parses its arguments, runs, and turns the outcome into an exit code. One file per command. It is a
//! library so that the Python wheel brings the same command.

mod args;
mod check;
mod compare;
mod conclusion;
mod config;
mod console;
#[cfg(feature = "service")]
mod desk;
mod fingerprint;
#[cfg(feature = "service")]
mod harvest;
mod index;
mod keep;
mod loading;
mod manifest;
mod memory;
mod near;
mod output;
mod pairs;
mod printing;
mod prune;
mod semantic;
#[cfg(feature = "service")]
mod serve;
mod text;
mod tune;
mod verify;

use anyhow::Context;
use args::{Arguments, Command};
use clap::CommandFactory;
use console::{Console, Failure, Speech};
use copytrace::job::Cancel;
use copytrace_messages::{Language, message};
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a run ended, as the exit code tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// 0: everything was done.
    Done,
    /// 1: done, and a submission is at or above `--fail-above`.
    AboveLimit,
    /// 3: some input could not be read; everything else was done and written.
    SomeInputFailed,
}

impl Outcome {
    /// The outcome, given whether some inputs failed.
    fn of(some_failed: bool) -> Self {
        if some_failed { Outcome::SomeInputFailed } else { Outcome::Done }
    }
}

/// Runs the program with its arguments, the first of which is its own name, and gives its exit code. Wrong arguments end the process,
/// as `clap` does it. A double-click, which brings none, opens the desk.
pub fn run(arguments: Vec<OsString>) -> u8 {
    #[cfg(feature = "service")]
    let arguments = desk::or_double_click(arguments);
    let arguments = match config::arguments(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            Console::new(Speech::Usual, Default::default(), args::language(None), Cancel::default())
                .error(&Failure(error));
            return 2;
        }
    };
    let console = Console::new(
        arguments.speech(),
        arguments.log_format,
        arguments.command.language(),
        arguments.command.ended_by(),
    );
    let outcome = command(&arguments, &console);
    console.ended();
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::AboveLimit) => 1,
        Ok(Outcome::SomeInputFailed) => 3,
        Err(error) if is_broken_pipe(&error) => 0,
        Err(_) if console.cancel.is_cancelled() => 130,
        Err(error) => {
            console.error(&Failure(error));
            2
        }
    }
}

impl Command {
    /// The language of the messages.
    fn language(&self) -> Language {
        match self {
            Command::Check(check) => check.formats.language(),
            _ => args::language(None),
        }
    }

    /// What ends the command. Commands that write files aside look at a switch that Ctrl-C and the like set, take away what is
    /// half written, and end with code 130; the second time they are ended at once, as all others are the first time.
    fn ended_by(&self) -> Cancel {
        match self {
            Command::Check(_) | Command::Compare(_) | Command::Pairs(_) | Command::Fingerprint(_) => ended_by_signals(),
            Command::Near(near) if near.output.is_some() || near.build.is_some() => ended_by_signals(),
            _ => Cancel::default(),
        }
    }
}

fn ended_by_signals() -> Cancel {
    let flag: Arc<AtomicBool> = Arc::default();
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without a handler the program ends at once, as it would anyway.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag));
        let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
    }
    #[cfg(windows)]
    {
        let flag = Arc::clone(&flag);
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, std::sync::atomic::Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    }
    Cancel::from(flag)
}

fn command(arguments: &Arguments, console: &Console) -> anyhow::Result<Outcome> {
    if let Some(threads) = arguments.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build_global()
            .map_err(|error| message!("no-threads").because(error))?;
    }
    match &arguments.command {
        Command::Check(options) => check::run(options, console),
        Command::VerifyReport(options) => verify::run(options, console),
        Command::Pairs(options) => pairs::run(options, console),
        Command::Tune(options) => tune::run(options, console),
        Command::Compare(options) => compare::run(options, console),
        Command::Text(options) => text::run(options, console),
        Command::Fingerprint(options) => fingerprint::run(options, console),
        Command::Near(options) => near::run(options, console),
        Command::Index(command) => index::run(command, console),
        #[cfg(feature = "service")]
        Command::Harvest(options) => harvest::run(options, console),
        Command::Semantic(command) => semantic::run(command, console),
        #[cfg(feature = "service")]
        Command::Serve(options) => serve::run(options, console),
        #[cfg(feature = "service")]
        Command::Desk(options) => desk::run(options),
        #[cfg(feature = "documents")]
        Command::ReadPdf { file } => {
            let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
            match copytrace::formats::extract::read_pdf_here(bytes, &Default::default()) {
                Ok(pages) => std::io::Write::write_all(&mut std::io::stdout(), &pages)?,
                // Read by the process that started it.
                Err(error) => {
                    eprintln!("{}", serde_json::to_string(&error)?);
                    return Ok(Outcome::SomeInputFailed);
                }
            }
            Ok(Outcome::Done)
        }
        Command::Config => {
            match config::Config::find(arguments.config.as_deref())? {
                Some(config) => print!("# {}\n{}", config.path.display(), config.text()),
                None => {
                    println!(
                        "# There is none. It is looked for at these places, unless --config or COPYTRACE_CONFIG names one:"
                    );
                    config::places().iter().for_each(|place| println!("# {}", place.display()));
                }
            }
            Ok(Outcome::Done)
        }
        Command::ManualPages { folder } => {
            clap_mangen::generate_to(Arguments::command(), folder).with_context(|| folder.display().to_string())?;
            Ok(Outcome::Done)
        }
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Arguments::command(), "copytrace", &mut std::io::stdout());
            Ok(Outcome::Done)
        }
    }
}

/// Whether the reader of our output went away (`copytrace … | head`), which is not a failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace::report::tables::Table;
    use std::path::Path;

    #[test]
    fn an_error_and_its_cause_are_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let written = Table::create(&file.join("below/table.csv"), "a").map(drop);
        let index = copytrace::index::Index::settings_of(Path::new("/no/such")).map(drop);
        let opened =
            copytrace::index::IndexWriter::create(&file, &copytrace::settings::Settings::default().sketch, true);
        let errors = [
            anyhow::Error::from(written.unwrap_err()),
            index.unwrap_err().into(),
            opened.map(drop).unwrap_err().into(),
        ];
        for error in errors {
            let said = Failure(error.context("above")).to_string();
            assert!(said.starts_with("above: "), "{said}");
            let last = said.rsplit(": ").next().unwrap();
            assert_eq!(said.matches(last).count(), 1, "{said}");
        }
    }
}
