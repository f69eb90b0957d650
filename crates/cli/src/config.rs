//! An institution's defaults: a file `copytrace.toml` whose tables are commands and whose keys are their options.
//!
//! What is typed goes before what the file says, and that before what is built in. The first file that there is counts: that
//! of `--config`, that of the variable `COPYTRACE_CONFIG`, the user's, the system's. None is obeyed because it lies in the folder at hand,
//! which may be one of submissions.

use crate::args::Arguments;
use anyhow::Context;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const NAME: &str = "copytrace.toml";

/// A file of defaults.
pub struct Config {
    pub path: PathBuf,
    table: Table,
}

/// What was typed, completed by the defaults of the file that counts, if there is one.
///
/// # Errors
/// When the file cannot be read or says what no command knows. Arguments that are wrong end the process, as `clap` does it.
pub fn arguments(typed: Vec<OsString>) -> anyhow::Result<Arguments> {
    let command = Arguments::command();
    let matches = command.clone().ignore_errors(true).get_matches_from(&typed);
    let given = matches.get_one::<PathBuf>("config").map(PathBuf::as_path);
    let completed = match (!is_hidden(&command, &matches)).then(|| Config::find(given)).transpose()?.flatten() {
        Some(config) => config.complete(typed, &command, &matches)?,
        None => typed,
    };
    let matches = command.get_matches_from(completed);
    Ok(Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
}

/// Whether the command that was typed is one that only the program itself runs, which says all that it means.
fn is_hidden(root: &Command, matches: &ArgMatches) -> bool {
    let (mut command, mut matches) = (root, matches);
    while let Some((name, below)) = matches.subcommand() {
        match command.find_subcommand(name) {
            Some(next) if next.is_hide_set() => return true,
            Some(next) => (command, matches) = (next, below),
            None => return false,
        }
    }
    false
}

/// Where a file is looked for when none was named, the first that counts first.
pub fn places() -> Vec<PathBuf> {
    let user = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".config")))
        .or_else(|| std::env::var_os("APPDATA").map(PathBuf::from));
    let system =
        if cfg!(unix) { Some(PathBuf::from("/etc")) } else { std::env::var_os("PROGRAMDATA").map(PathBuf::from) };
    [user, system].into_iter().flatten().map(|folder| folder.join("copytrace").join(NAME)).collect()
}

impl Config {
    /// The file that counts.
    pub fn find(given: Option<&Path>) -> anyhow::Result<Option<Config>> {
        let named = given.map(Path::to_owned).or_else(|| std::env::var_os("COPYTRACE_CONFIG").map(PathBuf::from));
        match named {
            Some(path) => Config::read(path).map(Some),
            None => places().into_iter().find(|path| path.is_file()).map(Config::read).transpose(),
        }
    }

    fn read(path: PathBuf) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let table =
            text.parse().map_err(|error| anyhow::anyhow!("{}: {}", path.display(), in_one_line(&text, &error)))?;
        Ok(Config { path, table })
    }

    /// What the file says, as TOML.
    pub fn text(&self) -> String {
        self.table.to_string()
    }

    /// What was typed, and behind each command the options that the file gives it and that were not typed.
    fn complete(&self, typed: Vec<OsString>, root: &Command, matches: &ArgMatches) -> anyhow::Result<Vec<OsString>> {
        self.known(&self.table, root).with_context(|| self.path.display().to_string())?;
        let (mut command, mut matches, mut table) = (root, matches, Some(&self.table));
        let (mut completed, mut rest) = (Vec::new(), typed.into_iter().peekable());
        completed.extend(rest.next());
        loop {
            // Some commands have either options or a command below.
            let options = !command.is_args_conflicts_with_subcommands_set() || matches.subcommand().is_none();
            let given = table.filter(|_| options).into_iter().flatten();
            for (key, value) in given.filter(|(key, value)| !value.is_table() || option(command, key).is_some()) {
                let argument = option(command, key).context("it was looked at before")?;
                if matches.value_source(argument.get_id().as_str()) != Some(ValueSource::CommandLine) {
                    completed.extend(words(key, value, argument.get_action()));
                }
            }
            let Some((name, below)) = matches.subcommand() else { break };
            // Options of the commands above may stand before its name.
            for word in rest.by_ref() {
                let found = word == name;
                completed.push(word);
                if found {
                    break;
                }
            }
            let next = command.find_subcommand(name);
            (command, matches) = (next.context("clap found it")?, below);
            table = table.and_then(|table| table.get(name)).and_then(Value::as_table);
        }
        completed.extend(rest);
        Ok(completed)
    }

    /// An error for what no command knows.
    fn known(&self, table: &Table, command: &Command) -> anyhow::Result<()> {
        let of = command.get_name();
        for (key, value) in table {
            match (value, command.find_subcommand(key)) {
                (Value::Table(below), Some(command)) => self.known(below, command)?,
                (Value::Table(_), None) if option(command, key).is_none() => {
                    anyhow::bail!("[{key}]: {of} has no command of this name")
                }
                _ => {
                    option(command, key).with_context(|| format!("`{key}`: {of} has no option --{key}"))?;
                }
            }
        }
        Ok(())
    }
}

/// What is wrong with a TOML file, and where.
fn in_one_line(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().map(|span| text.get(..span.start).unwrap_or(text));
    let line = before.map(|before| format!("line {}: ", before.matches('\n').count() + 1)).unwrap_or_default();
    format!("{line}{}", error.message().replace('\n', ", "))
}

/// The option of a command with this long name; positional arguments and `--config` are none.
fn option<'a>(command: &'a Command, name: &str) -> Option<&'a clap::Arg> {
    command.get_arguments().find(|argument| argument.get_long() == Some(name) && name != "config")
}

/// An option as it would be typed.
fn words(key: &str, value: &Value, action: &ArgAction) -> Vec<OsString> {
    let one = |value: &Value| match value {
        Value::String(text) => format!("--{key}={text}").into(),
        other => format!("--{key}={other}").into(),
    };
    match value {
        Value::Boolean(set) if matches!(action, ArgAction::SetTrue) => {
            if *set {
                vec![format!("--{key}").into()]
            } else {
                Vec::new()
            }
        }
        Value::Array(values) => values.iter().map(one).collect(),
        value => vec![one(value)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(file: &str, typed: &[&str]) -> Result<Vec<String>, String> {
        let config = Config { path: NAME.into(), table: file.parse().unwrap() };
        let command = Arguments::command();
        let typed: Vec<OsString> = typed.iter().map(OsString::from).collect();
        let matches = command.clone().ignore_errors(true).get_matches_from(&typed);
        let words = config.complete(typed, &command, &matches).map_err(|error| format!("{error:#}"))?;
        Ok(words.into_iter().map(|word| word.into_string().unwrap()).collect())
    }

    #[test]
    fn what_is_typed_goes_before_what_the_file_says() {
        let file = "threads = 2\n[check]\nlang = \"zh\"\nno-shared = true\nformat = [\"csv\", \"html\"]\n[index.add]\nocr = false\n";
        let of = |typed: &[&str]| completed(file, typed).unwrap().join(" ");
        assert_eq!(
            of(&["copytrace", "check", "a.txt"]),
            "copytrace --threads=2 check --format=csv --format=html --lang=zh --no-shared a.txt"
        );
        assert_eq!(
            of(&["copytrace", "--threads", "1", "check", "--lang", "en", "--format", "json", "a.txt"]),
            "copytrace --threads 1 check --no-shared --lang en --format json a.txt"
        );
        assert_eq!(
            of(&["copytrace", "index", "add", "an.idx", "a.txt"]),
            "copytrace --threads=2 index add an.idx a.txt"
        );
    }

    #[test]
    fn an_error_of_the_file_is_one_line_with_its_number() {
        let text = "[check]\nlang = zh\n";
        let error = text.parse::<Table>().unwrap_err();
        let said = in_one_line(text, &error);
        assert!(said.starts_with("line 2: ") && !said.contains('\n'), "{said}");
    }

    #[test]
    fn options_of_a_command_reach_no_command_below_that_takes_none_of_them() {
        let file = "[serve]\nworkers = 3\ndata = \"d\"\n[serve.backup]\n";
        let of = |typed: &[&str]| completed(file, typed).unwrap().join(" ");
        assert_eq!(of(&["copytrace", "serve"]), "copytrace serve --data=d --workers=3");
        assert_eq!(of(&["copytrace", "serve", "backup", "d", "b"]), "copytrace serve backup d b");
    }

    #[test]
    fn what_no_command_knows_is_named() {
        let of = |file| completed(file, &["copytrace", "check", "a.txt"]).unwrap_err();
        assert_eq!(of("[check]\nlanguage = 'zh'"), "copytrace.toml: `language`: check has no option --language");
        assert_eq!(of("[chekc]\nlang = 'zh'"), "copytrace.toml: [chekc]: copytrace has no command of this name");
        assert_eq!(of("config = 'x'"), "copytrace.toml: `config`: copytrace has no option --config");
    }
}
