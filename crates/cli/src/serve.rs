//! `copytrace serve`: an institution checks its theses in a browser.

use super::Outcome;
use super::args::{ServeCommand, ServeOptions};
use super::console::{Console, shown};
use copytrace_messages::message;
use copytrace_serve::{
    Noted, Options, Verified, backup, erase_again, queue, reading, reset_password, serve, verify_audit,
};

pub fn run(options: &ServeOptions, console: &Console) -> anyhow::Result<Outcome> {
    match (&options.command, &options.data) {
        (Some(ServeCommand::Backup { data, target }), _) => {
            backup::write(data, target)?;
            console.done(&message!("copied", data = shown(data), target = shown(target)));
        }
        (Some(ServeCommand::Restore { backup, data, key, erased }), _) => {
            let lost = backup::restore(backup, data, key.as_deref())?;
            if let Some(log) = erased {
                let count = erase_again(data, log)?;
                console.done(&message!("erased-again", data = shown(data), count = count));
            }
            console.done(&message!("restored", backup = shown(backup), data = shown(data)));
            if lost {
                console.done(&message!("key-lost", data = shown(data)));
            }
        }
        (Some(ServeCommand::VerifyAudit { data, head, copy, key }), _) => {
            match verify_audit(data, &Noted { head: head.clone(), copy: copy.clone(), key: key.clone() })? {
                Verified::Whole(rows) => console.done(&message!("audit-sound", data = shown(data), rows = rows)),
                Verified::Since(rows, before) => {
                    console.done(&message!("audit-sound-since", data = shown(data), rows = rows, before = before));
                }
                Verified::Broken(row) => anyhow::bail!(message!("audit-broken", data = shown(data), row = row)),
                Verified::Other(row) => anyhow::bail!(message!("audit-noted", data = shown(data), row = row)),
            }
        }
        (Some(ServeCommand::ResetPassword { data, number }), _) => match reset_password(data, number)? {
            Some(link) => console.done(&message!("password-link", link = link)),
            None => anyhow::bail!(message!("no-such-person", data = shown(data), number = number.as_str())),
        },
        (Some(ServeCommand::Work { ocr }), _) => {
            queue::worker::run(std::io::stdin().lock(), std::io::stdout().lock(), *ocr)?;
        }
        (Some(ServeCommand::ReadOne { ocr, file }), _) => {
            reading::read_restricted(file, *ocr, &mut std::io::stdout().lock())?;
        }
        (None, Some(data)) => serve(
            &Options {
                data: data.clone(),
                listen: options.listen,
                origin: options.origin.clone(),
                workers: options.workers.into(),
                demo: options.demo,
                reserve: options.reserve,
                proxies: options.trusted_proxy.clone(),
                intake: options.intake.clone(),
                require_factor: options.require_second_factor,
                require_sandbox: options.require_sandbox,
                access_log: options.access_log,
                font: options.font.clone(),
                institution: options.institution.clone(),
                logo: options.logo.clone(),
                audit_copy: options.audit_copy.clone(),
                providers: options.provider.clone(),
                mail: options.mail.clone(),
                webhook_hosts: options.webhook_host.clone(),
                harvest_inside: options.harvest_inside,
                desk: None,
            },
            &mut std::io::stdout(),
        )?,
        (None, None) => anyhow::bail!(message!("no-data-folder")),
    }
    Ok(Outcome::Done)
}
