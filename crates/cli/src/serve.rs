//! `copytrace serve`: an institution checks its theses in a browser.

use super::Outcome;
use super::args::{ServeCommand, ServeOptions};
use super::console::Console;
use copytrace_serve::{Options, backup, queue, reading, serve, verify_audit};

pub fn run(options: &ServeOptions, console: &Console) -> anyhow::Result<Outcome> {
    match (&options.command, &options.data) {
        (Some(ServeCommand::Backup { data, target }), _) => {
            backup::write(data, target)?;
            console.done(&format!("{}: copied to {}", data.display(), target.display()));
        }
        (Some(ServeCommand::Restore { backup, data }), _) => {
            backup::restore(backup, data)?;
            console.done(&format!("{}: restored to {}", backup.display(), data.display()));
        }
        (Some(ServeCommand::VerifyAudit { data }), _) => match verify_audit(data)? {
            Ok(rows) => {
                console.done(&format!("{}: the audit log's {rows} rows are as they were written", data.display()))
            }
            Err(row) => anyhow::bail!("{}: row {row} of the audit log is not as it was written", data.display()),
        },
        (Some(ServeCommand::Work), _) => queue::worker::run(std::io::stdin().lock(), std::io::stdout().lock())?,
        (Some(ServeCommand::ReadOne { file }), _) => reading::read_restricted(file, &mut std::io::stdout().lock())?,
        (None, Some(data)) => serve(
            &Options {
                data: data.clone(),
                listen: options.listen,
                origin: options.origin.clone(),
                workers: options.workers.into(),
                demo: options.demo,
                reserve: options.reserve,
            },
            &mut std::io::stdout(),
        )?,
        (None, None) => anyhow::bail!("--data names the folder to serve"),
    }
    Ok(Outcome::Done)
}
