//! `copytrace desk`: one person checks theses in a browser, and nothing leaves the machine.

use super::Outcome;
use super::args::DeskOptions;
use copytrace_messages::message;
use copytrace_serve::desk;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

pub fn run(options: &DeskOptions) -> anyhow::Result<Outcome> {
    let folder = options.folder.clone().or_else(usual).ok_or_else(|| message!("no-desk-folder"))?;
    let open = if options.no_browser { |_: &str| {} } else { show };
    let ended = desk::desk(&folder, open, &mut std::io::stdout());
    if let Err(error) = &ended
        && !options.no_browser
        && !std::io::stderr().is_terminal()
    {
        // Whoever clicked twice sees no terminal.
        let note = std::env::temp_dir().join("copytrace.txt");
        if std::fs::write(&note, format!("copytrace: {error}\n")).is_ok() {
            show(&note.to_string_lossy());
        }
    }
    ended?;
    Ok(Outcome::Done)
}

/// The folder `copytrace` below the person's documents, or below the home folder where those have another name.
fn usual() -> Option<PathBuf> {
    let home = std::env::home_dir()?;
    let documents = home.join("Documents");
    Some(if documents.is_dir() { documents } else { home }.join("copytrace"))
}

/// Opens what the system has for an address. Where it has nothing, the address was told.
fn show(address: &str) {
    let _ = open::that_detached(address);
}

/// The arguments of the program; those of the desk if it was started by a double-click: without arguments, and without a terminal to say
/// something to. Windows opens a terminal for it then, so there it is enough that there are no arguments.
pub fn or_double_click(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let has_terminal =
        std::io::stdin().is_terminal() || std::io::stdout().is_terminal() || std::io::stderr().is_terminal();
    let has_screen =
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some_and(|at| !at.is_empty()));
    if arguments.len() <= 1 && (cfg!(windows) || !has_terminal && (cfg!(target_os = "macos") || has_screen())) {
        arguments.push("desk".into());
    }
    arguments
}
