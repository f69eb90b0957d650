//! What a document defines itself: commands, switches and environments.

use std::collections::{BTreeMap, BTreeSet};

use super::LONGEST_NAME;
use super::commands::{Command, Definer, command};
use super::search::Search;
use super::sentence::is_sentence;
use crate::extract::wide::is_wide;

/// Commands have no more arguments (The TeXbook, chapter 20).
const MOST_ARGUMENTS: usize = 9;

/// How often commands are replaced by what they stand for, and the bytes that come of it.
const MOST_ROUNDS: usize = 10;
const MOST_MADE: usize = 1 << 16;

/// The most bytes of a command with what is added to it; more is not followed: each addition may move all that was there.
const MOST_ADDED: usize = 1 << 16;

/// A command of the document.
#[derive(Clone, Default)]
pub(super) struct Macro {
    /// The first argument is a star, or nothing.
    is_starred: bool,
    /// What stands before the first argument, between two of them, and behind the last one.
    delimiters: Vec<String>,
    /// The first argument is an option, which says this if it is not there.
    optional: Option<String>,
    body: String,
    /// How many there were before it.
    at: usize,
}

/// What the definitions of a document say.
#[derive(Default)]
pub(super) struct Definitions {
    macros: BTreeMap<String, Macro>,
    /// The commands that stood in the text.
    pub(super) used: BTreeSet<String>,
    /// Switches of `\newif`, which are off until they are put on.
    pub(super) switches: BTreeMap<String, bool>,
    /// Environments that are comments.
    pub(super) comments: Vec<String>,
    /// What commands of the preamble name in braces that are not followed.
    pub(super) made: BTreeSet<String>,
    /// What commands name anywhere that are not followed, each with the letters that stand behind it.
    pub(super) named: BTreeMap<String, u32>,
    /// The bytes in which these stood.
    pub(super) kept: usize,
    /// The words of the preamble outside of definitions.
    pub(super) mentioned: BTreeSet<String>,
    /// Whether colons and low lines are letters of names (the language expl3).
    pub(super) is_expl: bool,
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
const CODE: [&str; 10] =
    ["@", "\\if", "\\If", "\\def", "\\begin", "\\end", "\\newcommand", "\\let", "\\expandafter", "\\csname"];

/// What begins an environment whose content is not shown, or not where it stands.
const HIDING: [&str; 7] = ["\\comment", "{comment}", "\\iffalse", "\\setbox", "\\sbox", "\\lrbox", "{lrbox}"];

/// What changes how letters look.
const LOOKS: [&str; 4] = ["\\color", "\\tiny", "\\fontsize", "\\transparent"];

impl Definitions {
    /// The command that a source begins with, without its backslash, and what follows it.
    pub(super) fn command_name<'s>(&self, source: &'s str) -> Option<(&'s str, &'s str)> {
        let name = source.trim_start().strip_prefix('\\')?;
        if let Some((made_up, rest)) = name.strip_prefix("csname").and_then(made_up_name) {
            return Some((made_up.trim(), rest));
        }
        let length = name.find(|c| !self.is_letter(c)).unwrap_or(name.len());
        Some(name.split_at(length.max(name.chars().next().map_or(0, char::len_utf8))))
    }

    /// Whether a character is a letter of names here, where `@` is one.
    pub(super) fn is_letter(&self, c: char) -> bool {
        c.is_ascii_alphabetic() || c == '@' || self.is_expl && matches!(c, '_' | ':')
    }

    /// A command stands for this from here on.
    fn set(&mut self, name: &str, definition: Macro) {
        let at = self.macros.len();
        self.macros.insert(name.to_owned(), Macro { at, ..definition });
    }

    /// Reads what follows `\let`; gives what follows it.
    pub(super) fn equal<'s>(&mut self, source: &'s str) -> &'s str {
        let Some((name, after)) = self.command_name(source) else {
            // An active character becomes something else.
            self.swallowing = source.chars().next().filter(|c| *c == '~');
            return source;
        };
        let after = after.trim_start_matches([' ', '=']);
        let Some((other, rest)) = self.command_name(after) else {
            let mut characters = after.chars();
            let body = match characters.next() {
                Some('{') => "\\bgroup".to_owned(),
                Some('}') => "\\egroup".to_owned(),
                Some(c) if !"%#$^_~&".contains(c) => c.to_string(),
                _ => String::new(),
            };
            self.set(name, Macro { body, ..Macro::default() });
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
            Some(meaning) => self.set(name, meaning),
            None => {
                self.macros.remove(name);
            }
        }
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

    /// Reads the definition that follows a command; gives what follows it.
    pub(super) fn define<'s>(&mut self, definer: Definer, rest: &'s str, search: &mut Search) -> &'s str {
        let after = rest.trim_start();
        let in_braces = search.argument(after);
        let name = in_braces.map_or(after, |(name, _)| name.trim());
        // A character is made a command, or a name stands without its backslash.
        let first = name.chars().next().map_or(0, char::len_utf8);
        let (command, following) = match self.command_name(name) {
            Some((command, following)) => (Some(command), following),
            None if definer.is_named() && in_braces.is_some() => (Some(name), ""),
            None => (None, &name[first..]),
        };
        let after = in_braces.map_or(following, |(_, after)| after);
        let Some((mut definition, after)) = parameters(definer, after, search) else { return after };
        let single = |search: &mut Search| search.token(after).filter(|_| matches!(definer, Definer::Latex));
        let Some((body, after)) = search.argument(after).or_else(|| single(search)) else { return after };
        definition.body = match definer {
            // Where it is called, its names may be read otherwise.
            _ if self.is_expl => self.expanded(body).replace('~', " "),
            Definer::Expanded => self.expanded(body),
            _ => body.to_owned(),
        };
        match command {
            Some(command) => self.set(command, definition),
            None if definition.shows_nothing() || has_letters(body) => self.swallowing = name.chars().next(),
            None => {}
        }
        after
    }

    pub(super) fn get(&self, name: &str) -> Option<Macro> {
        self.macros.get(name).cloned()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Reads `={text}` behind the name of a register; gives what follows it.
    pub(super) fn assign<'s>(&mut self, name: &str, after: &'s str, search: &mut Search) -> Option<&'s str> {
        let value = after.trim_start().strip_prefix('=').filter(|_| self.named.contains_key(name))?;
        let (body, after) = search.argument(value)?;
        self.set(name, Macro { body: body.to_owned(), ..Macro::default() });
        Some(after)
    }

    /// Reads what a command adds to what another one stands for; gives what follows the addition.
    pub(super) fn add<'s>(&mut self, is_before: bool, after: &'s str, search: &mut Search) -> Option<&'s str> {
        let (name, rest) = self.command_name(after)?;
        let (text, rest) = search.argument(rest)?;
        if !self.has(name) {
            self.set(name, Macro::default());
        }
        let body = &mut self.macros.get_mut(name)?.body;
        if body.len() + text.len() > MOST_ADDED {
            self.name(after, search);
        } else {
            body.insert_str(if is_before { 0 } else { body.len() }, text);
        }
        Some(rest)
    }

    /// What the commands stand for that never stood in the text by their names, in the order in which they were made. A sentence is told
    /// where it is written, and phrases are sentences only all together.
    pub(super) fn unused(&self) -> String {
        let is_phrase = |command: &Macro| !command.is_code() && !is_sentence(&command.body);
        let is_unused = |(name, command): &(&String, &Macro)| !self.used.contains(*name) && is_phrase(command);
        let mut unused: Vec<&Macro> = self.macros.iter().filter(is_unused).map(|(_, command)| command).collect();
        unused.sort_by_key(|command| command.at);
        unused.iter().map(|command| command.body.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// A command stands for a character.
    pub(super) fn character(&mut self, name: &str, code: u32) {
        let body = match char::from_u32(code).filter(|c| c.is_alphanumeric()) {
            Some(letter) => letter.to_string(),
            None => format!("\\char{code} "),
        };
        self.set(name, Macro { body, ..Macro::default() });
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
                let (name, following) = self.command_name(&rest[before.len()..]).unwrap_or(("", after));
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

/// The name that ends with `\endcsname`, and what follows that.
pub(super) fn made_up_name(source: &str) -> Option<(&str, &str)> {
    const END: &str = "\\endcsname";
    let end = source.floor_char_boundary(LONGEST_NAME + END.len());
    let at = source[..end].find(END)?;
    Some((&source[..at], &source[at + END.len()..]))
}

/// Whether a name can stand behind a backslash.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'@')
}

/// The arguments of a command whose definition goes on like this, and what follows them.
fn parameters<'s>(definer: Definer, after: &'s str, search: &mut Search) -> Option<(Macro, &'s str)> {
    let mut after = after;
    let mut definition = Macro::default();
    let mut arguments = 0;
    match definer {
        Definer::Document => {
            let (all, following) = search.argument(after)?;
            let kinds: Vec<char> = without_braces(all).filter(|c| c.is_ascii_alphabetic()).collect();
            arguments = kinds.len();
            let default =
                search.argument(all.trim_start().strip_prefix('O').unwrap_or("")).map_or("", |(text, _)| text);
            let is_optional = kinds.first().is_some_and(|kind| matches!(kind, 'o' | 'O'));
            definition.optional = is_optional.then(|| default.to_owned());
            definition.is_starred = kinds.first() == Some(&'s');
            after = following;
        }
        Definer::Tex | Definer::Named | Definer::Expanded => {
            let (parameters, _) = after.split_once('{')?;
            let of_number = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
            definition.delimiters = parameters.split('#').map(of_number).collect();
            after = &after[parameters.len()..];
        }
        Definer::Latex => {
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
    }
    if definition.delimiters.is_empty() {
        definition.delimiters = vec![String::new(); usize::min(arguments, MOST_ARGUMENTS) + 1];
    }
    Some((definition, after))
}

/// The characters that no braces hold.
fn without_braces(text: &str) -> impl Iterator<Item = char> {
    let mut depth = 0_i32;
    text.chars().filter(move |c| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        depth == 0
    })
}

/// What stands behind the name of a command, or of the environment that it begins or ends.
fn after_name(part: &str) -> &str {
    match part.strip_prefix("begin{").or_else(|| part.strip_prefix("end{")) {
        Some(environment) => environment.split_once('}').map_or("", |(_, after)| after),
        None => part.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '@'),
    }
}

/// Whether a definition has letters besides those of commands and names of environments.
fn has_letters(body: &str) -> bool {
    let mut parts = body.split('\\');
    parts.next().is_some_and(|first| first.contains(char::is_alphanumeric))
        || parts.any(|part| after_name(part).contains(char::is_alphabetic))
}

impl Macro {
    /// Whether it stands for more than text and commands for it.
    pub(super) fn is_code(&self) -> bool {
        CODE.iter().any(|code| self.body.contains(code))
    }

    /// Whether what its code shows may be words, whatever stands around it.
    pub(super) fn may_be_words(&self) -> bool {
        ["\\csname", "nameuse", "\\csuse", "\\the"].iter().any(|code| self.body.contains(code))
            || has_letters(&self.body)
    }

    /// Whether the document ends with it.
    pub(super) fn ends_document(&self) -> bool {
        ["\\end{document}", "\\enddocument"].iter().any(|end| self.body.contains(end))
    }

    /// Whether it takes arguments and shows none of them.
    pub(super) fn shows_nothing(&self) -> bool {
        self.delimiters.len() > 1 && !self.body.contains('#') && !self.is_code()
    }

    /// Whether it shows arguments, by commands that are known to show theirs.
    pub(super) fn is_plain(&self) -> bool {
        let mut names = self.body.split('\\').skip(1);
        let is_shown = |rest: &str| {
            let name = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
            matches!(command(name), Command::Plain | Command::Print(_))
        };
        let is_other = self.other_name().is_some();
        (self.body.contains('#') && !self.is_code() || is_other) && names.all(is_shown)
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
            if self.is_starred && arguments.is_empty() {
                let after = rest.strip_prefix('*');
                arguments.push(after.map_or("", |_| "*").to_owned());
                rest = after.unwrap_or(rest);
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
