//! Entries of glossaries and acronyms: what is defined once and shown where it is named (the packages glossaries, acronym and acro).

use std::collections::{BTreeMap, BTreeSet};

use super::LatexReader;
use super::search::Search;
use crate::extract::ExtractError;
use copytrace_text::layout::LeftOut;

/// What is known of a word, as sources; empty where nothing is said.
#[derive(Clone, Default)]
struct Entry {
    /// What is shown, and before all else if it is shown at its first place.
    text: String,
    plural: String,
    first: String,
    /// Of an acronym both forms.
    short: String,
    long: String,
    /// What stands in the glossary.
    name: String,
    description: String,
    symbol: String,
}

/// The entries of a document.
#[derive(Default)]
pub(super) struct Glossary {
    entries: BTreeMap<String, Entry>,
    /// Those that were named so far: the first time may be shown otherwise, and the others are not listed.
    used: BTreeSet<String>,
}

/// What a command shows of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Its text, or what stands at its first place.
    Usual,
    Text,
    First,
    Short,
    Long,
    /// Both forms of an acronym.
    Full,
    Name,
    Description,
    Symbol,
}

/// What commands show, in small letters and with their endings for the plural apart.
const COMMANDS: [(&str, Shown); 22] = [
    ("gls", Shown::Usual),
    ("ac", Shown::Usual),
    ("glstext", Shown::Text),
    ("glsentrytext", Shown::Text),
    ("glsfirst", Shown::First),
    ("glsentryfirst", Shown::First),
    ("acrshort", Shown::Short),
    ("acs", Shown::Short),
    ("glsxtrshort", Shown::Short),
    ("glsentryshort", Shown::Short),
    ("acrlong", Shown::Long),
    ("acl", Shown::Long),
    ("glsxtrlong", Shown::Long),
    ("glsentrylong", Shown::Long),
    ("acrfull", Shown::Full),
    ("acf", Shown::Full),
    ("glsxtrfull", Shown::Full),
    ("glsname", Shown::Name),
    ("glsentryname", Shown::Name),
    ("glsdesc", Shown::Description),
    ("glsentrydesc", Shown::Description),
    ("glssymbol", Shown::Symbol),
];

/// What ends the name of a command that shows a plural.
const PLURALS: [&str; 3] = ["plural", "pl", "p"];

/// What a command shows, and whether in the plural.
fn shown_by(command: &str) -> Option<(Shown, bool)> {
    let command = command.trim_end_matches('*').to_ascii_lowercase();
    let shown = |name: &str| COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, shown)| *shown);
    let plural = || PLURALS.iter().find_map(|ending| shown(command.strip_suffix(ending)?));
    shown(&command).map(|shown| (shown, false)).or_else(|| plural().map(|shown| (shown, true)))
}

impl Glossary {
    /// Takes in what follows a command that defines an entry; gives what follows its arguments, `None` if it defines none.
    pub(super) fn define<'s>(&mut self, command: &str, after: &'s str, search: &mut Search) -> Option<&'s str> {
        let is_pair = matches!(command, "newacronym" | "newabbreviation" | "acro" | "acrodef" | "newacro");
        let is_list = matches!(command, "newglossaryentry" | "provideglossaryentry" | "longnewglossaryentry");
        if !is_pair && !is_list && command != "DeclareAcronym" {
            return None;
        }
        let after = search.without_options(after.trim_start());
        let (key, after) = search.argument(after)?;
        let (entry, after) = if is_pair {
            let option = search.option(after).filter(|_| command.starts_with("acro") || command == "newacro");
            let (short, after) = match option {
                Some(option) => option,
                None if command.starts_with("acro") || command == "newacro" => (key, after),
                None => search.argument(after)?,
            };
            let (long, after) = search.argument(after)?;
            let (short, long) = (short.to_owned(), long.to_owned());
            (Entry { name: short.clone(), description: long.clone(), short, long, ..Entry::default() }, after)
        } else {
            let (fields, after) = search.argument(after)?;
            let fields = fields_of(fields);
            let field = |name: &str| fields.get(name).map(|value| (*value).to_owned()).unwrap_or_default();
            let (mut description, mut rest) = (field("description"), after);
            if command.starts_with("long") {
                (description, rest) = search.argument(after).map(|(text, rest)| (text.to_owned(), rest))?;
            }
            let or = |value: String, other: &str| if value.is_empty() { other.to_owned() } else { value };
            let (short, long) = (field("short"), field("long"));
            let name = or(field("name"), &short);
            let text = if short.is_empty() { or(field("text"), &name) } else { String::new() };
            let (plural, first, symbol) = (field("plural"), field("first"), field("symbol"));
            let description = or(description, &long);
            (Entry { text, plural, first, short, long, name, description, symbol }, rest)
        };
        self.entries.insert(key.trim().to_owned(), entry);
        Some(after)
    }

    /// Whether a key is that of an entry.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key.trim())
    }

    /// The source that a command shows of an entry.
    fn source(&mut self, shown: Shown, is_plural: bool, key: &str) -> Option<String> {
        let entry = self.entries.get(key)?;
        let is_first = self.used.insert(key.to_owned());
        let in_number = |source: &str| match (is_plural, entry.plural.is_empty()) {
            (true, false) if entry.short.is_empty() => entry.plural.clone(),
            (true, _) => format!("{source}s"),
            _ => source.to_owned(),
        };
        let full = || format!("{} ({})", in_number(&entry.long), in_number(&entry.short));
        Some(match shown {
            Shown::Name => entry.name.clone(),
            Shown::Description => entry.description.clone(),
            Shown::Symbol => entry.symbol.clone(),
            Shown::Short => in_number(&entry.short),
            Shown::Long => in_number(&entry.long),
            Shown::Full => full(),
            Shown::First | Shown::Usual if !entry.first.is_empty() && (is_first || shown == Shown::First) => {
                entry.first.clone()
            }
            Shown::First => full(),
            Shown::Usual if !entry.short.is_empty() && is_first => full(),
            Shown::Usual | Shown::Text if !entry.short.is_empty() => in_number(&entry.short),
            Shown::Usual | Shown::Text => in_number(&entry.text),
        })
    }
}

impl LatexReader {
    /// Reads what a command shows of a glossary; gives what follows its arguments, `None` if it is no such command.
    pub(super) fn glossary_command<'s>(
        &mut self,
        name: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<Option<&'s str>, ExtractError> {
        if matches!(name, "printglossary" | "printglossaries" | "printacronyms" | "printnoidxglossary") {
            self.list_glossary(depth)?;
            return Ok(Some(self.search.without_options(after)));
        }
        let Some((shown, is_plural)) = shown_by(name) else { return Ok(None) };
        let options = self.search.without_options(after);
        let Some((key, after)) = self.search.argument(options) else { return Ok(None) };
        let Some(source) = self.glossary.source(shown, is_plural, key.trim()) else { return Ok(None) };
        self.expanded += source.len();
        self.within_expansion(depth)?;
        self.read_group(&with_capitals(&source, name), self.format, depth)?;
        // What is put behind a word stands in brackets.
        let (behind, after) = self.search.option(after).unwrap_or(("", after));
        self.read_group(behind, self.format, depth)?;
        Ok(Some(after))
    }

    /// The entries that were named, in the order of their keys.
    fn list_glossary(&mut self, depth: usize) -> Result<(), ExtractError> {
        let used = std::mem::take(&mut self.glossary.used);
        for entry in used.iter().filter_map(|key| self.glossary.entries.get(key).cloned()).collect::<Vec<_>>() {
            self.builder.end_paragraph();
            let source = format!("{} {}", entry.name, entry.description);
            self.expanded += source.len();
            self.within_expansion(depth)?;
            self.read_group(&source, self.format, depth)?;
        }
        self.builder.end_paragraph();
        self.glossary.used = used;
        Ok(())
    }

    /// Takes in an entry of a glossary; `None` if the command makes none.
    pub(super) fn defined_entry<'s>(&mut self, name: &str, after: &'s str) -> Option<&'s str> {
        let rest = self.glossary.define(name, after, &mut self.search)?;
        self.builder.left_out(LeftOut::Instruction, &after[..after.len() - rest.len()]);
        Some(rest)
    }
}

/// `\Gls` begins with a capital, `\GLS` has capitals alone.
fn with_capitals(source: &str, command: &str) -> String {
    let capitals = command.chars().take_while(char::is_ascii_uppercase).count();
    let mut characters = source.chars();
    match (capitals, characters.next()) {
        (0, _) | (_, None) => source.to_owned(),
        (1, Some(first)) => first.to_uppercase().chain(characters).collect(),
        _ => source.to_uppercase(),
    }
}

/// Fields such as `name={a, b}, plural=c`.
fn fields_of(list: &str) -> BTreeMap<&str, &str> {
    let (mut depth, mut start, mut fields) = (0_usize, 0, BTreeMap::new());
    let ends = list.char_indices().chain([(list.len(), ',')]);
    for (at, c) in ends {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 || at == list.len() => {
                if let Some((name, value)) = list[start..at].split_once('=') {
                    let value = value.trim();
                    let inside = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
                    fields.insert(name.trim(), inside.unwrap_or(value));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use crate::extract::Format;
    use crate::limits::ReadLimits;

    #[test]
    fn words_of_glossaries_and_acronyms_are_read_where_they_are_shown() {
        let preamble = "\\newglossaryentry{m}{name={salt marsh}, plural={salt marshes}, description={land, that \\emph{floods}}}\
             \\newacronym[see={x}]{ndvi}{NDVI}{vegetation index}\\longnewglossaryentry{t}{name=tide}{The sea's way.}\
             \\DeclareAcronym{gps}{short=GPS, long=positioning system}";
        for (body, expected) in [
            ("A \\gls{m}, two \\glspl{m}, \\Glspl{m}.", "A salt marsh, two salt marshes, Salt marshes."),
            ("\\gls{ndvi} and \\gls{ndvi}", "vegetation index (NDVI) and NDVI"),
            ("\\Gls{ndvi}; \\acrshort{ndvi}, \\acrlong{ndvi}", "Vegetation index (NDVI); NDVI, vegetation index"),
            ("\\acrfull{ndvi}, \\glspl{ndvi}", "vegetation index (NDVI), NDVIs"),
            ("\\gls{m}['s] silt, \\glslink{m}{marshland}", "salt marsh's silt, marshland"),
            ("\\ac{gps} \\acs{gps} \\acp{gps}", "positioning system (GPS) GPS GPSs"),
            ("\\acro{dem}[DEM]{elevation model}\\ac{dem}", "elevation model (DEM)"),
            ("\\gls{t}\\printglossaries", "tide\n\ntide The sea’s way."),
            ("\\gls{m}\n\n\\printglossary[type=main]", "salt marsh\n\nsalt marsh land, that floods"),
            ("\\gls{unknown} \\newcommand{\\ac}[1]{<#1>}\\ac{gps}", "unknown <gps>"),
        ] {
            let source = format!("\\documentclass{{book}}{preamble}\\begin{{document}}{body}\\end{{document}}");
            let found = Format::Latex.extract(source.as_bytes(), None, &ReadLimits::default()).unwrap();
            assert_eq!(found.text.replace('’', "'"), expected.replace('’', "'"), "{body}");
        }
    }
}
