//! What a document defines itself: commands, switches and environments.

use std::collections::{BTreeMap, BTreeSet};

use super::commands::{Command, command};
use super::search::Search;
use crate::extract::wide::is_wide;

/// Commands have no more arguments (The TeXbook, chapter 20).
const MOST_ARGUMENTS: usize = 9;

/// How often commands are replaced by what they stand for, and the bytes that come of it.
const MOST_ROUNDS: usize = 10;
const MOST_MADE: usize = 1 << 16;

/// A command of the document.
#[derive(Clone, Default)]
pub(super) struct Macro {
    /// What stands before the first argument, between two of them, and behind the last one.
    delimiters: Vec<String>,
    /// The first argument is an option, which says this if it is not there.
    optional: Option<String>,
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
    /// What commands of the preamble name that are not followed.
    pub(super) made: BTreeSet<String>,
    /// Lengths that the document has set, in points, by the commands for them with their backslashes.
    pub(super) lengths: BTreeMap<String, f64>,
    /// Characters that are drawn as other text; without one, as something that is not computed.
    pub(super) characters: BTreeMap<char, Option<String>>,
    /// What environments begin with, of those that change how letters look.
    pub(super) environments: BTreeMap<String, String>,
    /// The character that was just defined to show nothing of what follows it, or letters.
    pub(super) swallowing: Option<char>,
}

/// What of a body stands for more than text and commands for it.
const CODE: [&str; 9] =
    ["@", "\\if", "\\def", "\\begin", "\\end", "\\newcommand", "\\let", "\\expandafter", "\\csname"];

/// What begins an environment whose content is not shown, or not where it stands.
const HIDING: [&str; 7] = ["\\comment", "{comment}", "\\iffalse", "\\setbox", "\\sbox", "\\lrbox", "{lrbox}"];

/// What changes how letters look.
const LOOKS: [&str; 4] = ["\\color", "\\tiny", "\\fontsize", "\\transparent"];

/// The command that a source begins with, without its backslash, and what follows it.
fn command_name(source: &str) -> Option<(&str, &str)> {
    let name = source.trim_start().strip_prefix('\\')?;
    let length = name.find(|c: char| !(c.is_ascii_alphabetic() || c == '@')).unwrap_or(name.len());
    Some(name.split_at(length.max(name.chars().next().map_or(0, char::len_utf8))))
}

impl Definitions {
    /// Reads what follows `\let`; gives what follows it.
    pub(super) fn equal<'s>(&mut self, source: &'s str) -> &'s str {
        let Some((name, after)) = command_name(source) else {
            // An active character becomes something else.
            self.swallowing = source.chars().next().filter(|c| *c == '~');
            return source;
        };
        let after = after.trim_start_matches([' ', '=']);
        let Some((other, rest)) = command_name(after) else {
            let mut characters = after.chars();
            let body = match characters.next() {
                Some('{') => "\\bgroup".to_owned(),
                Some('}') => "\\egroup".to_owned(),
                Some(c) if !"%#$^_~&".contains(c) => c.to_string(),
                _ => String::new(),
            };
            self.macros.insert(name.to_owned(), Macro { body, ..Macro::default() });
            return characters.as_str();
        };
        if let (Some(switch), "iftrue" | "iffalse") = (name.strip_prefix("if"), other) {
            self.switches.insert(switch.to_owned(), other == "iftrue");
            return rest;
        }
        // It means what the other one means now, whatever becomes of that.
        let is_known = other.starts_with("if") || !matches!(command(other), Command::Transparent);
        let known = || is_known.then(|| Macro { body: format!("\\{other}"), ..Macro::default() });
        match self.get(other).or_else(known) {
            Some(meaning) => self.macros.insert(name.to_owned(), meaning),
            None => self.macros.remove(name),
        };
        rest
    }

    /// Reads the definition of an environment; gives what follows it.
    pub(super) fn define_environment<'s>(&mut self, source: &'s str, search: &mut Search) -> Option<&'s str> {
        let (name, after) = search.argument(source)?;
        let options = search.without_options(after.trim_start());
        let has_arguments = options.len() < after.trim_start().len();
        let (begins, after) = search.argument(options)?;
        let (_, after) = search.argument(after)?;
        let has = |commands: &[&str]| commands.iter().any(|command| begins.contains(command));
        if has(&HIDING) {
            self.comments.push(name.to_owned());
        } else if has(&LOOKS) && !has_arguments && !has(&CODE) {
            self.environments.insert(name.to_owned(), begins.to_owned());
        }
        Some(after)
    }

    /// Reads the definition that follows a command such as `\newcommand`; gives what follows it, and how long it was.
    pub(super) fn define<'s>(&mut self, command: &str, rest: &'s str, search: &mut Search) -> &'s str {
        let after = rest.trim_start();
        let (name, mut after) = match search.argument(after) {
            Some((name, after)) => (name.trim(), after),
            None => {
                let active = after.chars().next().map_or(0, char::len_utf8);
                let following = command_name(after).map_or(&after[active..], |(_, following)| following);
                after.split_at(after.len() - following.len())
            }
        };
        let mut definition = Macro::default();
        let mut arguments = 0;
        if command.ends_with("DocumentCommand") {
            let Some((kinds, following)) = search.argument(after) else { return after };
            let kinds: Vec<char> = kinds.chars().filter(|c| c.is_ascii_alphabetic()).collect();
            arguments = kinds.len();
            definition.optional = kinds.first().filter(|kind| matches!(kind, 'o' | 'O')).map(|_| String::new());
            after = following;
        } else if command.ends_with("def") {
            let Some((parameters, _)) = after.split_once('{') else { return after };
            let of_number = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
            definition.delimiters = parameters.split('#').map(of_number).collect();
            after = &after[parameters.len()..];
        } else {
            for at in 0..2 {
                let Some((option, following)) =
                    after.trim_start().strip_prefix('[').and_then(|inside| inside.split_once(']'))
                else {
                    break;
                };
                match at {
                    0 => arguments = option.trim().parse().unwrap_or(0),
                    _ => definition.optional = Some(option.to_owned()),
                }
                after = following;
            }
        }
        if definition.delimiters.is_empty() {
            definition.delimiters = vec![String::new(); usize::min(arguments, MOST_ARGUMENTS) + 1];
        }
        let single = |search: &mut Search| search.token(after).filter(|_| command.ends_with("command"));
        let Some((body, after)) = search.argument(after).or_else(|| single(search)) else { return after };
        definition.body = if matches!(command, "edef" | "xdef") { self.expanded(body) } else { body.to_owned() };
        if !name.starts_with('\\') && (definition.shows_nothing() || has_letters(body)) {
            self.swallowing = name.chars().next();
        }
        if let Some(name) = name.strip_prefix('\\') {
            self.macros.insert(name.to_owned(), definition);
        }
        after
    }

    pub(super) fn get(&self, name: &str) -> Option<Macro> {
        self.macros.get(name).cloned()
    }

    /// A command stands for a character.
    pub(super) fn character(&mut self, name: &str, code: u32) {
        let body = match char::from_u32(code).filter(|c| c.is_alphanumeric()) {
            Some(letter) => letter.to_string(),
            None => format!("\\char{code} "),
        };
        self.macros.insert(name.to_owned(), Macro { body, ..Macro::default() });
    }

    /// A character is drawn as what a source says. Signs and letters of other alphabets that commands draw are themselves.
    pub(super) fn draw(&mut self, character: char, source: &str) {
        let is_text = !source.contains(['\\', '$', '#', '{']);
        if is_text && source.chars().ne([character]) {
            self.characters.insert(character, Some(source.to_owned()));
        } else if !is_text && (character.is_ascii_alphanumeric() || is_wide(character) && character.is_alphabetic()) {
            self.characters.insert(character, None);
        }
    }

    /// A text in which commands without arguments are replaced by what they stand for, as in names of files.
    pub(super) fn expanded(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..MOST_ROUNDS {
            let (mut made, mut rest, mut any) = (String::new(), text.as_str(), false);
            while let Some((before, after)) = rest.split_once('\\') {
                made.push_str(before);
                let (name, following) = command_name(&rest[before.len()..]).unwrap_or(("", after));
                match self.macros.get(name).filter(|known| known.delimiters.len() <= 1 && !known.is_code()) {
                    Some(known) => {
                        made.push_str(&known.body);
                        rest = following.trim_start_matches(' ');
                        any = true;
                    }
                    None => {
                        made.push('\\');
                        made.push_str(name);
                        rest = following;
                    }
                }
            }
            made.push_str(rest);
            if !any || made.len() > MOST_MADE {
                break;
            }
            text = made;
        }
        text
    }
}

/// Whether a definition has letters besides those of commands.
fn has_letters(body: &str) -> bool {
    let mut parts = body.split('\\');
    let is_letter = |c: char| c.is_alphanumeric();
    parts.next().is_some_and(|first| first.contains(is_letter))
        || parts.any(|part| part.trim_start_matches(|c: char| c.is_ascii_alphabetic()).contains(char::is_alphabetic))
}

impl Macro {
    /// Whether it stands for more than text and commands for it.
    pub(super) fn is_code(&self) -> bool {
        CODE.iter().any(|code| self.body.contains(code))
    }

    /// Whether the document ends with it.
    pub(super) fn ends_document(&self) -> bool {
        ["\\end{document}", "\\enddocument"].iter().any(|end| self.body.contains(end))
    }

    /// Whether it takes arguments and shows none of them.
    pub(super) fn shows_nothing(&self) -> bool {
        self.delimiters.len() > 1 && !self.body.contains('#') && !self.is_code()
    }

    /// Whether it is another command that shows its argument.
    pub(super) fn is_plain(&self) -> bool {
        self.body.trim_end().strip_prefix('\\').is_some_and(|name| matches!(command(name), Command::Plain))
    }

    /// Whether a blank follows it before letters, by the package xspace.
    pub(super) fn ends_with_blank(&self) -> bool {
        self.body.trim_end_matches(['}', ' ', '\n']).ends_with("\\xspace")
    }

    /// The command that it ends with, which takes what follows as its argument; none of a command with arguments of its own.
    pub(super) fn last_command(&self) -> Option<&str> {
        let (_, name) = self.body.trim_end().rsplit_once('\\').filter(|_| self.delimiters.len() <= 1)?;
        (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(name)
    }

    /// The command that it is another name for.
    pub(super) fn other_name(&self) -> Option<&str> {
        let name = self.body.trim().strip_prefix('\\').filter(|_| self.delimiters.len() <= 1)?;
        (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(name)
    }

    /// The text that the command stands for, the arguments that it drops, and what follows them.
    pub(super) fn expand<'s>(&self, rest: &'s str, search: &mut Search) -> (String, Vec<String>, &'s str) {
        let mut rest = rest;
        let mut arguments: Vec<String> = Vec::new();
        let mut delimiters = self.delimiters.iter();
        let is_called = match delimiters.next().filter(|first| !first.is_empty()) {
            Some(first) => rest.strip_prefix(first.as_str()).map(|after| rest = after).is_some(),
            None => true,
        };
        for delimiter in delimiters.filter(|_| is_called) {
            if let Some(default) = self.optional.as_deref().filter(|_| arguments.is_empty()) {
                let option = search.option(rest);
                arguments.push(option.map_or(default, |(option, _)| option).to_owned());
                rest = option.map_or(rest, |(_, after)| after);
                continue;
            }
            let argument = if delimiter.is_empty() { search.token(rest) } else { search.until(rest, delimiter) };
            let Some((argument, after)) = argument else { break };
            arguments.push(argument.to_owned());
            // Blanks behind a command belong to it.
            rest = if delimiter.contains('\\') { after.trim_start_matches(' ') } else { after };
        }
        let shown = |at: usize| self.body.contains(&format!("#{}", at + 1));
        let dropped = (0..arguments.len()).filter(|at| !shown(*at)).map(|at| arguments[at].clone()).collect();
        let text = if self.is_code() {
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
