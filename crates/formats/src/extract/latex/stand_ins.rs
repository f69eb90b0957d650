//! Commands, labels and keys that may stand for words: the document makes them by means that are not followed.
//!
//! Nobody can know all commands that make others: those of packages, of other languages, of the document itself. But what makes one has to
//! name it. So a command that no table has, of which no definition was read, and which is named outside of the text may show any word; one
//! that nothing names is a package's, which has no words of this document.

use super::definitions::Definitions;
use super::letters::LETTERS_OF_WORD;
use super::search::Search;
use super::{LONGEST_NAME, LatexReader};
use crate::extract::ExtractError;

/// What is part of the names of commands that make others, by the habits of those who write packages. In the text a command of such a
/// name makes what its first argument names; in the preamble every command may, as no text stands there.
const MAKING: [&str; 8] = ["def", "new", "set", "let", "declare", "provide", "save", "store"];

/// The most names that are kept, and the most bytes that are counted of what stands behind them: each may hold those of others.
const MOST_NAMES: usize = 100_000;
const MOST_KEPT: usize = 1 << 24;

impl Definitions {
    /// Keeps the words of the preamble.
    pub(super) fn mention(&mut self, text: &str) {
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '@')).filter(|word| !word.is_empty()) {
            if self.mentioned.len() < MOST_NAMES && word.len() <= LONGEST_NAME && !self.mentioned.contains(word) {
                self.mentioned.insert(word.to_owned());
            }
        }
    }

    /// Keeps what the first argument of a command names, with or without braces and a backslash, and the argument behind it.
    pub(super) fn name(&mut self, after: &str, search: &mut Search) {
        let after = after.trim_start_matches([' ', '*']);
        // Names are short, and no end is looked for far behind.
        let end = |inside: &str| inside.bytes().take(LONGEST_NAME + 2).position(|byte| byte == b'}');
        let in_braces = after.strip_prefix('{').and_then(|inside| Some(inside.split_at(end(inside)?)));
        let inside = in_braces.map_or(after, |(inside, _)| inside.trim());
        let (name, rest) = match (self.command_name(inside), in_braces) {
            (Some(named), None) => named,
            (Some((name, _)), Some((_, rest))) => (name, &rest[1..]),
            (None, Some((_, rest))) => (inside, &rest[1..]),
            (None, None) => return,
        };
        if !is_key(name) || self.named.len() >= MOST_NAMES {
            return;
        }
        let name = name.to_owned();
        let is_full = self.kept > MOST_KEPT;
        let value = if is_full { None } else { search.argument(rest.trim_start_matches([' ', '='])) };
        let letters = value.map_or(0, |(value, _)| value.chars().filter(|c| c.is_alphabetic()).count());
        self.kept += value.map_or(0, |(value, _)| value.len());
        *self.named.entry(name).or_default() += letters as u32;
    }

    /// The letters that something may show of which no definition was read, all of them where it stands first; none if nothing names it.
    pub(super) fn letters_of(&mut self, name: &str) -> Option<u32> {
        self.named.get_mut(name.trim()).map(|letters| LETTERS_OF_WORD.max(std::mem::take(letters)))
    }
}

/// Whether a label or a key may be this.
fn is_key(name: &str) -> bool {
    name.contains(|c: char| c.is_alphanumeric())
        && name.len() <= LONGEST_NAME
        && !name.contains(|c: char| c.is_whitespace() || matches!(c, '\\' | '{' | ',' | '='))
}

/// Whether a value is words, and no name, length or command.
pub(super) fn is_words(value: &str) -> bool {
    let is_part =
        |c: char| c.is_alphabetic() || c.is_whitespace() || ".,;!?()'’“”\"-–，。；：！？、（）《》".contains(c);
    value.contains(char::is_alphabetic) && value.chars().all(is_part)
}

impl LatexReader {
    /// A command that no table has and of which no definition was read stands in the text: it may show a word, or make something that
    /// does.
    pub(super) fn stand_in(&mut self, name: &str, after: &str) {
        let letters = self.definitions.letters_of(name);
        // A word may have been meant by it, and what has an argument shows that.
        let is_alone = || after.strip_prefix('{').is_none_or(|argument| argument.trim_start().starts_with('}'));
        let may_be_meant = || self.definitions.mentioned.contains(name) && !name.ends_with("TeX") && is_alone();
        let letters = letters.or_else(|| may_be_meant().then_some(LETTERS_OF_WORD));
        letters.into_iter().for_each(|letters| self.unknown_word_of(letters));
        let is_making = |name: &str| MAKING.iter().any(|part| name.contains(part));
        if is_making(&name.to_ascii_lowercase()) {
            self.definitions.name(after, &mut self.search);
        }
    }

    /// Reads past options. What a command or an environment shows as its title, its label or its value stands in one of them, and nobody
    /// knows of which: the words of each are text that is not judged.
    pub(super) fn options<'s>(&mut self, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let rest = self.search.without_options(after);
        self.values(&after[..after.len() - rest.len()], &["={"], depth)?;
        Ok(rest)
    }

    /// Reads past the columns of a table, which may show words in each row.
    pub(super) fn columns<'s>(
        &mut self,
        arguments: usize,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        let rest = self.search.without_arguments(after, arguments);
        self.values(&after[..after.len() - rest.len()], &["@{", "!{", ">{", "<{"], depth)?;
        Ok(rest)
    }

    /// Reads what stands behind one of these signs and is words.
    fn values(&mut self, source: &str, signs: &[&str], depth: usize) -> Result<(), ExtractError> {
        let mut rest = source;
        while let Some(at) = signs.iter().filter_map(|sign| rest.find(sign)).min() {
            let Some((text, after)) = self.search.argument(&rest[at + 1..]) else { break };
            if is_words(text) {
                self.unjudged(text, depth)?;
                self.builder.blank();
            }
            rest = after;
        }
        Ok(())
    }
}
