//! What a document defines itself: commands, switches and environments.

use std::collections::BTreeMap;

use super::search::Search;

/// A command of the document.
#[derive(Clone)]
pub(super) struct Macro {
    arguments: usize,
    /// The first argument is an option.
    optional: bool,
    body: String,
}

/// What the definitions of a document say.
#[derive(Default)]
pub(super) struct Definitions {
    macros: BTreeMap<String, Macro>,
    /// Switches of `\newif`, which are off until they are put on.
    pub(super) switches: BTreeMap<String, bool>,
    /// Environments that are comments.
    pub(super) comments: Vec<String>,
}

/// What of a body stands for more than text and commands for it.
const CODE: [&str; 9] =
    ["@", "\\if", "\\def", "\\begin", "\\end", "\\newcommand", "\\let", "\\expandafter", "\\csname"];

impl Definitions {
    /// Reads the definition that follows a command such as `\newcommand`; gives what follows it, and how long it was.
    pub(super) fn define<'s>(&mut self, command: &str, rest: &'s str, search: &mut Search) -> &'s str {
        let after = rest.trim_start();
        let (name, mut after) = match search.argument(after) {
            Some((name, after)) => (name.trim(), after),
            None => {
                let length = after[usize::from(after.starts_with('\\'))..].find(|c: char| !c.is_ascii_alphabetic());
                after.split_at(length.map_or(after.len(), |length| length + usize::from(after.starts_with('\\'))))
            }
        };
        let mut definition = Macro { arguments: 0, optional: false, body: String::new() };
        if command.ends_with("DocumentCommand") {
            let Some((arguments, following)) = search.argument(after) else { return after };
            let kinds: Vec<char> = arguments.chars().filter(|c| c.is_ascii_alphabetic()).collect();
            definition.arguments = kinds.len();
            definition.optional = kinds.first().is_some_and(|kind| matches!(kind, 'o' | 'O'));
            after = following;
        } else if command.ends_with("def") {
            let Some((parameters, _)) = after.split_once('{') else { return after };
            definition.arguments = parameters.matches('#').count();
            after = &after[parameters.len()..];
        } else {
            for at in 0..2 {
                let Some((option, following)) =
                    after.trim_start().strip_prefix('[').and_then(|inside| inside.split_once(']'))
                else {
                    break;
                };
                match at {
                    0 => definition.arguments = option.trim().parse().unwrap_or(0),
                    _ => definition.optional = true,
                }
                after = following;
            }
        }
        let Some((body, after)) = search.argument(after) else { return after };
        definition.body = body.to_owned();
        if let Some(name) = name.strip_prefix('\\') {
            self.macros.insert(name.to_owned(), definition);
        }
        after
    }

    pub(super) fn get(&self, name: &str) -> Option<Macro> {
        self.macros.get(name).cloned()
    }
}

impl Macro {
    /// The text that the command stands for, the arguments that it drops, and what follows them.
    pub(super) fn expand<'s>(&self, rest: &'s str, search: &mut Search) -> (String, Vec<&'s str>, &'s str) {
        let mut rest = rest;
        let mut arguments = Vec::new();
        if self.optional {
            match rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
                Some((option, after)) => {
                    arguments.push(option);
                    rest = after;
                }
                None => arguments.push(""),
            }
        }
        while arguments.len() < self.arguments {
            let Some((argument, after)) = search.argument(rest) else { break };
            arguments.push(argument);
            rest = after;
        }
        let shown = |at: usize| self.body.contains(&format!("#{}", at + 1));
        let dropped = (0..arguments.len()).filter(|at| !shown(*at)).map(|at| arguments[at]).collect();
        let text = if CODE.iter().any(|code| self.body.contains(code)) {
            // What code makes of its arguments is not known: they are text.
            (0..arguments.len()).filter(|at| shown(*at)).map(|at| format!("{} ", arguments[at])).collect()
        } else {
            let mut text = self.body.clone();
            for (at, argument) in arguments.iter().enumerate() {
                text = text.replacen(&format!("#{}", at + 1), argument, 4);
            }
            text
        };
        (text, dropped, rest)
    }
}
