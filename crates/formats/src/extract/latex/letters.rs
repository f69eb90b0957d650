//! Letters that commands make: by numbers, from boxes, and of characters that the document draws as others.

use std::collections::BTreeMap;

use super::LatexReader;
use super::commands::{Command, Letters, accent, accent_of_number, command};
use super::spelt::{points, sum};
use crate::extract::ExtractError;
use crate::extract::builder::Gap;
use crate::extract::wide::is_wide;
use copytrace_text::layout::MarkKind;

/// The letters of a word that is unknown because one of them is: about the average of English.
pub(super) const LETTERS_OF_WORD: u32 = 5;

/// A space of fewer points parts no words: it is about a tenth of a letter.
const LEAST_SPACE: f64 = 1.0;

/// Numbers in Roman figures are smaller.
const MOST_ROMAN: u32 = 4000;

const ROMAN: [(u32, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
];

/// What is kept in boxes, by their names.
pub(super) type Boxes = BTreeMap<String, Kept>;

/// The source that a box holds.
#[derive(Clone, Default)]
pub(super) struct Kept {
    source: String,
    /// It was shown.
    is_shown: bool,
    /// It was filled by TeX's own command, often to measure something.
    by_number: bool,
}

impl LatexReader {
    /// A command that makes letters, or keeps and shows them; gives what follows its arguments.
    pub(super) fn letters<'s>(
        &mut self,
        made: Letters,
        name: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        match made {
            Letters::Number | Letters::Roman => {
                let argument = self.search.argument(after).filter(|_| name == "symbol" || name == "unichar");
                let (number, rest) = match argument {
                    Some((argument, rest)) => (sum(argument).map(|(number, _)| number), rest),
                    None => sum(after).map_or((None, after), |(number, rest)| (Some(number), rest)),
                };
                match number {
                    Some(number) if matches!(made, Letters::Roman) => self.push(&roman(number)),
                    Some(number) => {
                        let letter = char::from_u32(number).filter(|c| c.is_alphanumeric() || c.is_ascii_graphic());
                        letter.iter().for_each(|letter| self.push(letter.encode_utf8(&mut [0; 4])));
                    }
                    None => self.unknown_word(),
                }
                // One blank ends a number.
                Ok(rest.strip_prefix(' ').unwrap_or(rest))
            }
            Letters::Counter => {
                self.unknown_word();
                Ok(self.search.without_arguments(after, 1))
            }
            Letters::Kept => {
                let Some((name, after)) = self.search.token(after) else { return Ok(after) };
                // Its width and how it is set.
                let after = self.search.without_options(after);
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                self.keep(name, text, false)?;
                Ok(after)
            }
            Letters::KeptByNumber => {
                let (name, rest) = box_name(after);
                // What kind of box it is stands before what goes into it.
                let Some((_, rest)) = rest.split_once('{').filter(|(kind, _)| !kind.contains('\n')) else {
                    return Ok(after);
                };
                let inside = &after[after.len() - rest.len() - 1..];
                let Some((text, after)) = self.search.argument(inside) else { return Ok(after) };
                self.keep(name, text, true)?;
                Ok(after)
            }
            Letters::Shown => {
                let (name, rest) = match self.search.argument(after) {
                    Some((name, rest)) => (name.trim(), rest),
                    None => box_name(after),
                };
                // Out of its place while it is read, so that none shows itself.
                if let Some(kept) = self.boxes.remove(name) {
                    self.expanded += kept.source.len();
                    self.within_expansion(depth)?;
                    self.read_group(&kept.source, self.format, depth)?;
                    self.boxes.insert(name.to_owned(), Kept { is_shown: true, ..kept });
                }
                Ok(rest)
            }
        }
    }

    /// Keeps a source in a box.
    pub(super) fn keep(&mut self, name: &str, source: &str, by_number: bool) -> Result<(), ExtractError> {
        let kept = Kept { source: source.to_owned(), is_shown: false, by_number };
        if let Some(before) = self.boxes.insert(name.trim().to_owned(), kept) {
            self.unused_box(&before)?;
        }
        Ok(())
    }

    /// Reads what was kept and never shown by a command that is known.
    pub(super) fn unused_boxes(&mut self) -> Result<(), ExtractError> {
        self.ended = false;
        for kept in std::mem::take(&mut self.boxes).into_values() {
            self.unused_box(&kept)?;
        }
        Ok(())
    }

    fn unused_box(&mut self, kept: &Kept) -> Result<(), ExtractError> {
        if kept.is_shown {
            return Ok(());
        }
        if kept.by_number {
            self.builder.hidden(&kept.source);
            return Ok(());
        }
        self.unjudged(&kept.source, 0)
    }

    /// A letter of a word is not known: neither is the word.
    pub(super) fn unknown_word(&mut self) {
        self.unknown_word_of(LETTERS_OF_WORD);
    }

    /// The same of `letters` letters.
    pub(super) fn unknown_word_of(&mut self, letters: u32) {
        self.builder.point(MarkKind::Unmapped(letters));
    }

    /// What a command stands for is not known: inside a word it may be letters.
    pub(super) fn unknown_letters(&mut self) {
        match self.builder.letter_before() {
            Some(letter) if is_wide(letter) => self.builder.point(MarkKind::Unmapped(1)),
            Some(_) => self.unknown_word(),
            None => {}
        }
    }

    /// Appends text between commands, in which characters may be drawn as others.
    pub(super) fn plain(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) =
            rest.find(|c| !self.definitions.characters.is_empty() && self.definitions.characters.contains_key(&c))
        {
            let (before, from) = rest.split_at(at);
            self.push_collapsed(before);
            let (drawn, after) = from.split_at(from.chars().next().map_or(0, char::len_utf8));
            match drawn.chars().next().and_then(|c| self.definitions.characters.get(&c).cloned()).flatten() {
                Some(text) => self.push(&text),
                None => {
                    self.builder.open(MarkKind::Unjudged);
                    self.push(drawn);
                    self.builder.close(MarkKind::Unjudged);
                }
            }
            rest = after;
        }
        self.push_collapsed(rest);
    }

    /// A space of a length: one that is hardly seen parts no words. A length that is not known is seen.
    pub(super) fn space(&mut self, length: &str) {
        let register = self.definitions.lengths.get(length.trim()).copied();
        if register.or_else(|| points(length)).is_none_or(|points| points >= LEAST_SPACE) {
            self.builder.gap(Gap::Blank);
        }
    }

    /// A command of one character that is no letter.
    pub(super) fn symbol<'s>(&mut self, rest: &'s str) -> &'s str {
        let mut characters = rest.chars();
        let Some(symbol) = characters.next() else { return "" };
        let after = characters.as_str();
        match symbol {
            '\\' => {
                self.builder.gap(Gap::Line);
                return self.search.without_options(after.trim_start_matches('*'));
            }
            // Stops within the lines of an environment that has them.
            '>' | '=' if self.open.iter().any(|name| name == "tabbing") => {
                self.builder.gap(Gap::Cell);
                return after;
            }
            '(' | '[' => {
                let (formula, after) = self.search.mathematics(after, if symbol == '(' { "\\)" } else { "\\]" });
                self.formula(formula);
                return after;
            }
            _ => {}
        }
        if let Some(mark) = accent(symbol) {
            if let Some((text, after)) = self.search.argument(after) {
                self.accented(text, mark);
                return after;
            }
            let length = after.chars().next().map_or(0, char::len_utf8);
            self.accented(&after[..length], mark);
            return &after[length..];
        }
        if let Command::Print(text) = command(symbol.encode_utf8(&mut [0; 4])) {
            self.push(&text);
        }
        after
    }

    /// The letter that follows, with the mark that a font has at a place.
    pub(super) fn accent_by_number<'s>(&mut self, number: u32, after: &'s str) -> &'s str {
        let Some(letter) = after.chars().next().filter(|c| !matches!(c, '\\' | '{' | '}')) else { return after };
        let (text, after) = after.split_at(letter.len_utf8());
        match accent_of_number(number) {
            Some(mark) => self.accented(text, mark),
            None => self.push(text),
        }
        after
    }

    pub(super) fn accented(&mut self, text: &str, mark: char) {
        let mut characters = text.trim_start_matches('\\').chars();
        if let Some(letter) = characters.next() {
            use unicode_normalization::UnicodeNormalization;
            let composed: String = [letter, mark].into_iter().nfc().collect();
            self.push(&composed);
            self.push(characters.as_str());
        }
    }
}

/// The name or the number of a box that a source begins with, and what follows it.
fn box_name(source: &str) -> (&str, &str) {
    let source = source.trim_start();
    let is_name = source.starts_with('\\');
    let belongs = |c: char| if is_name { c.is_ascii_alphabetic() || c == '@' } else { c.is_ascii_digit() };
    let start = usize::from(is_name);
    let length = source[start..].find(|c| !belongs(c)).unwrap_or(source.len() - start);
    let (name, after) = source.split_at(start + length);
    // Blanks behind a name or a number belong to it.
    (name, after.trim_start_matches(' '))
}

fn roman(number: u32) -> String {
    let mut left = if number < MOST_ROMAN { number } else { 0 };
    let mut letters = String::new();
    for (value, figure) in ROMAN {
        while left >= value {
            letters.push_str(figure);
            left -= value;
        }
    }
    letters
}
