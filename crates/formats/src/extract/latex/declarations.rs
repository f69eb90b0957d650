//! What a document declares: commands, switches, environments, colours, meanings of characters.

use super::LatexReader;
use super::commands::{Command, Letters, command};
use super::search;
use super::spelt::{constant, points};
use crate::extract::ExtractError;
use crate::extract::latex_includes::{includes, name_of};
use crate::extract::wide::is_wide;
use copytrace_text::layout::LeftOut;

/// The fewest letters of an argument that is prose if its words are those of prose: there is one for [`WORD_ONE_IN`] bytes, or most letters
/// are Han, and [`LETTERS_OF_FOUR`] of four characters are letters. Chosen by hand: arguments that steer a package are shorter or full of signs.
const DROPPED_PROSE: usize = 250;
const WORD_ONE_IN: usize = 12;
const LETTERS_OF_FOUR: usize = 3;

/// Why an argument is left out that is not read: prose may be shown somewhere, and what steers the program is not.
pub(super) fn of_dropped(argument: &str) -> LeftOut {
    if letters(argument) >= DROPPED_PROSE && is_worded(argument) { LeftOut::Unread } else { LeftOut::Instruction }
}

fn letters(argument: &str) -> usize {
    argument.chars().filter(|c| c.is_alphabetic()).count()
}

/// Whether an argument has the words of prose.
pub(super) fn is_worded(argument: &str) -> bool {
    let letters = letters(argument);
    let blanks = argument.split_ascii_whitespace().count();
    let is_wordy =
        WORD_ONE_IN * blanks >= argument.len() || argument.chars().filter(|c| is_wide(*c)).count() * 2 > letters;
    is_wordy && 4 * letters >= LETTERS_OF_FOUR * argument.chars().filter(|c| !c.is_whitespace()).count()
}

impl LatexReader {
    /// Reads what stands before the text: title, author and definitions, in other files too. `depth` counts files inside
    /// each other.
    pub(super) fn preamble(&mut self, preamble: &str, depth: usize) -> Result<(), ExtractError> {
        for (name, field) in [("\\title", &mut self.metadata.title), ("\\author", &mut self.metadata.author)] {
            let after = preamble.split_once(name).map(|(_, after)| after);
            if let Some((argument, _)) = after.and_then(|after| self.search.argument(after)) {
                *field = Some(argument.split_whitespace().collect::<Vec<_>>().join(" "));
                self.builder.left_out(of_dropped(argument), argument);
            }
        }
        let mut rest = preamble;
        while let Some(at) = rest.find(['\\', '%', '{', '}']) {
            self.definitions.mention(&rest[..at]);
            let after = &rest[at + 1..];
            match rest.as_bytes()[at] {
                b'%' if !self.categories.percent_is_text() => {
                    rest = after.split_once('\n').map_or("", |(_, after)| after);
                    continue;
                }
                b'\\' => {}
                sign => {
                    self.group(sign);
                    rest = after;
                    continue;
                }
            }
            let length = after.find(|c| !self.definitions.is_letter(c)).unwrap_or(after.len());
            let (name, after) =
                after.split_at(length.max(after.chars().next().map_or(0, char::len_utf8)).min(after.len()));
            rest = match self.defined(name, after) {
                Some(rest) => rest,
                None => {
                    self.named_in_preamble(name, after);
                    // What classes and packages hold is no abstract of this document.
                    let prose = if depth == 0 { self.abstract_of_preamble(name, after, depth)? } else { None };
                    match prose {
                        Some(rest) => rest,
                        None => self.loaded(name, after, depth)?,
                    }
                }
            };
        }
        if depth == 0 {
            self.groups.clear();
        }
        Ok(())
    }

    /// Prose in definitions that the text does not have may be shown by commands of which nobody knows here.
    pub(super) fn definitions_as_written(&mut self, source: &str) {
        search::without_comments(source).lines().for_each(|line| self.builder.unplaced(line));
    }

    /// Reads what a command of the preamble loads; gives what follows it.
    fn loaded<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        if includes(name) {
            let Some((name, after)) = name_of(name, after) else { return Ok(after) };
            self.include_definitions(&name, true, depth)?;
            return Ok(after);
        }
        match command(name) {
            Command::AtLetter => self.letters_of_names(name),
            Command::Letters(made @ (Letters::Kept | Letters::KeptByNumber)) => {
                return self.letters(made, name, after, depth);
            }
            _ => {}
        }
        if name == "loadglsentries" {
            let after = self.search.without_options(after);
            let Some((file, after)) = self.search.argument(after) else { return Ok(after) };
            self.include_definitions(file, true, depth)?;
            return Ok(after);
        }
        if name == "includeonly" {
            let Some((names, after)) = self.search.argument(after) else { return Ok(after) };
            self.files.only = Some(names.split(',').map(|name| name.trim().to_owned()).collect());
            return Ok(after);
        }
        if name == "graphicspath" {
            let Some((folders, after)) = self.search.argument(after) else { return Ok(after) };
            let folders = folders.split(['{', '}']).map(str::trim).filter(|folder| !folder.is_empty());
            self.files.graphics = folders.map(str::to_owned).collect();
            return Ok(after);
        }
        if !matches!(name, "documentclass" | "usepackage" | "RequirePackage" | "setmainlanguage" | "setdefaultlanguage")
        {
            return Ok(after);
        }
        let (options, after) = self.search.option(after).unwrap_or(("", after));
        let Some((names, after)) = self.search.argument(after) else { return Ok(after) };
        for package in names.split(',').map(str::trim) {
            self.language.read(package, options);
            if name.ends_with("ackage") {
                self.include_definitions(&format!("{package}.sty"), false, depth)?;
            }
        }
        Ok(after)
    }

    /// Takes in a definition; `None` if the command makes none.
    pub(super) fn defined<'s>(&mut self, name: &str, after: &'s str) -> Option<&'s str> {
        if let Command::Define(definer) = command(name) {
            let after = after.strip_prefix('*').unwrap_or(after);
            let rest = self.definitions.define(definer, after, &mut self.search);
            if let Some(character) = self.definitions.swallowing.take() {
                self.categories.swallows(character, self.groups.len());
            }
            return Some(rest);
        }
        if let Command::Add(is_before) = command(name) {
            return self.definitions.add(is_before, after, &mut self.search);
        }
        match name.trim_end_matches('*') {
            "let" | "LetLtxMacro" | "NewCommandCopy" | "RenewCommandCopy" | "DeclareCommandCopy" => {
                let in_braces = (name != "let").then(|| {
                    let (new, after) = self.search.argument(after)?;
                    let (old, after) = self.search.argument(after)?;
                    Some((format!("{new}{old}"), after))
                });
                let rest = match in_braces.flatten() {
                    Some((both, rest)) => {
                        self.definitions.equal(&both);
                        rest
                    }
                    None => self.definitions.equal(after),
                };
                if let Some(character) = self.definitions.swallowing.take() {
                    self.categories.swallows(character, self.groups.len());
                }
                Some(rest)
            }
            "chardef" | "DeclareTextSymbol" => {
                let (name, rest) = match self.search.argument(after) {
                    Some((name, rest)) => (name, self.search.without_arguments(rest, 1)),
                    None => self.search.token(after)?,
                };
                let (code, rest) = match self.search.argument(rest) {
                    Some((code, rest)) => (constant(code)?.0, rest),
                    None => constant(rest.trim_start_matches([' ', '=']))?,
                };
                self.definitions.character(name.trim().strip_prefix('\\')?, code);
                Some(rest.strip_prefix(' ').unwrap_or(rest))
            }
            "newunicodechar" | "DeclareUnicodeCharacter" => {
                let (character, after) = self.search.argument(after)?;
                let (source, after) = self.search.argument(after)?;
                let character = match name {
                    "newunicodechar" => character.trim().chars().next(),
                    _ => u32::from_str_radix(character.trim(), 16).ok().and_then(char::from_u32),
                };
                self.definitions.draw(character?, source);
                Some(after)
            }
            "newlength" | "newskip" | "newdimen" => {
                let (length, after) = self.search.token(after)?;
                self.definitions.lengths.insert(length.trim().to_owned(), 0.0);
                Some(after)
            }
            "setlength" => {
                let (length, after) = self.search.token(after)?;
                let (value, after) = self.search.argument(after)?;
                if let Some(points) = points(value) {
                    self.definitions.lengths.insert(length.trim().to_owned(), points);
                }
                Some(after)
            }
            "newtheorem" => {
                let (after, is_starred) =
                    after.strip_prefix('*').map_or((after, name.ends_with('*')), |after| (after, true));
                let (environment, after) = self.search.argument(after)?;
                let shared = self.search.option(after);
                let (title, after) = self.search.argument(shared.map_or(after, |(_, after)| after))?;
                let within = self.search.option(after);
                let rest = within.map_or(after, |(_, after)| after);
                if is_starred {
                    self.numbering.define_unnumbered(environment, title);
                } else {
                    let option = |option: Option<(&'s str, &str)>| option.map(|(option, _)| option.trim());
                    self.numbering.define(environment, title, option(shared), option(within));
                }
                Some(rest)
            }
            "numberwithin" | "counterwithin" | "@addtoreset" => {
                let (counter, after) = self.search.argument(after)?;
                let (outer, after) = self.search.argument(after)?;
                let (counter, outer) = if name.starts_with('@') { (outer, counter) } else { (counter, outer) };
                self.numbering.inside(counter.trim(), outer.trim());
                Some(after)
            }
            "catcode" | "lccode" | "uccode" => self.categories.read(name, after, self.groups.len()),
            "newenvironment" | "renewenvironment" => self.definitions.define_environment(after, &mut self.search),
            "newif" => {
                let after = after.trim_start();
                let switch = after.strip_prefix("\\if")?;
                let length = switch.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(switch.len());
                self.definitions.switches.insert(switch[..length].to_owned(), false);
                Some(&switch[length..])
            }
            "excludecomment" | "excludeversion" => {
                let (name, after) = self.search.argument(after)?;
                self.definitions.comments.push(name.to_owned());
                Some(after)
            }
            "definecolor" => {
                let (name, after) = self.search.argument(after)?;
                let (model, after) = self.search.argument(after)?;
                let (specification, after) = self.search.argument(after)?;
                self.colours.define(name, model, specification);
                Some(after)
            }
            "colorlet" => {
                let (name, after) = self.search.argument(after)?;
                let (specification, after) = self.search.argument(after)?;
                self.colours.define(name, "", specification);
                Some(after)
            }
            _ => {
                let rest = self.defined_entry(name, after);
                if let Some(rest) = rest.or_else(|| self.definitions.assign(name, after, &mut self.search)) {
                    return Some(rest);
                }
                for (ending, value) in [("true", true), ("false", false)] {
                    if let Some(switch) =
                        name.strip_suffix(ending).and_then(|name| self.definitions.switches.get_mut(name))
                    {
                        *switch = value;
                        return Some(after);
                    }
                }
                None
            }
        }
    }
}
