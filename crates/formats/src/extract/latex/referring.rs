//! Labels and what refers to them, names of theorems, and quotation marks by commands.

use super::LatexReader;
use super::commands::{Command, Referring, float};
use super::numbering::Place;
use super::stand_ins::is_words;
use crate::extract::ExtractError;
use copytrace_text::languages::Latex;
use copytrace_text::layout::LeftOut;

impl LatexReader {
    /// A command with arguments of which one is text.
    pub(super) fn referring<'s>(
        &mut self,
        known: Referring,
        name: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        let (option, after) = self.search.option(after).map_or(("", after), |(option, after)| (option, after));
        let after = self.search.without_options(after);
        let Some((argument, after)) = self.search.argument(after) else { return Ok(after) };
        match known {
            Referring::Label => {
                self.numbering.label(argument);
                self.builder.left_out(LeftOut::Instruction, argument);
                Ok(after)
            }
            Referring::Reference => {
                self.reference(name, argument);
                Ok(after)
            }
            Referring::CaptionOf => {
                let after = self.search.without_options(after);
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                if name == "bicaption" {
                    self.numbering.caption();
                    self.with_argument(&Command::Caption, argument, "", depth)?;
                } else if let Some(float) = float(argument.trim()) {
                    self.numbering.captioned(float);
                }
                self.with_argument(&Command::Caption, text, after, depth)
            }
            Referring::Quoted => {
                self.quoted(argument, option, depth)?;
                Ok(after)
            }
            Referring::QuotedSecond => {
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                let key = if name.ends_with("cquote") { argument } else { "" };
                self.quoted(text, option, depth)?;
                if !key.is_empty() {
                    self.builder.blank();
                    self.with_argument(&Command::Citation, key, "", depth)?;
                }
                Ok(after)
            }
        }
    }

    /// A text in quotation marks, and where it is from.
    fn quoted(&mut self, text: &str, source: &str, depth: usize) -> Result<(), ExtractError> {
        self.push("“");
        self.read_group(text, self.format, depth)?;
        self.push("”");
        if !source.is_empty() {
            self.builder.blank();
            self.read_group(source, self.format, depth)?;
        }
        Ok(())
    }

    /// The numbers of the places that the labels stand at, and before them what they are if the command says it.
    fn reference(&mut self, command: &str, labels: &str) {
        let places: Vec<Place> = labels.split(',').filter_map(|label| self.numbering.at(label)).collect();
        let Some(first) = places.first() else {
            // The file of references of another document, or what was put in its place.
            let letters = self.definitions.letters_of(labels);
            letters.into_iter().for_each(|letters| self.unknown_word_of(letters));
            return;
        };
        let says_kind = matches!(command.trim_end_matches('*'), "autoref" | "cref" | "Cref");
        let words = self.language.words.filter(|words| says_kind && !words.autoref.is_empty());
        if let Some(words) = words.filter(|_| !first.kind.is_empty()) {
            let name = name_of(words, &first.kind, command, places.len() > 1);
            self.push(&format!("{name}\u{A0}"));
        }
        let numbers: Vec<&str> = places.iter().map(|place| place.number.as_str()).collect();
        let (last, others) = numbers.split_last().map_or(("", &[][..]), |(last, others)| (*last, others));
        let numbers = if others.is_empty() { last.to_owned() } else { format!("{} and {last}", others.join(", ")) };
        self.push(&if command == "eqref" { format!("({numbers})") } else { numbers });
    }

    /// An entry of the literature begins; gives what follows its key.
    pub(super) fn entry_of_literature<'s>(&mut self, after: &'s str) -> &'s str {
        let (label, after) = self.search.option(after).unwrap_or(("", after));
        self.builder.end_paragraph();
        let Some((key, after)) = self.search.argument(after) else { return after };
        // Others are years, numbers, and names in short.
        if is_words(label) {
            self.numbering.name(key, label);
        }
        after
    }

    /// What a theorem begins with, and the name that it has.
    pub(super) fn theorem<'s>(&mut self, head: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        self.read_group(head, self.format, depth)?;
        let (name, after) = self.search.option(after).unwrap_or(("", after));
        if !name.is_empty() {
            self.push(" (");
            self.read_group(name, self.format, depth)?;
            self.push(")");
        }
        self.push(".");
        self.builder.blank();
        Ok(after)
    }
}

/// What a kind of place is called.
fn name_of(words: &Latex, kind: &str, command: &str, several: bool) -> String {
    let names = if command.starts_with("cref") { &words.cref } else { &words.autoref };
    let name = names.get(kind).map_or(kind, String::as_str);
    let name = if command.starts_with("Cref") { with_capital(name) } else { name.to_owned() };
    match name.strip_suffix('.') {
        _ if !several => name,
        Some(short) => format!("{short}{}.", words.plural),
        None => name + &words.plural,
    }
}

fn with_capital(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next();
    first.into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}
