//! What commands of the document stand for, read where they stand.

use super::LatexReader;
use super::definitions::{Macro, is_name};
use super::letters::LETTERS_OF_WORD;
use crate::extract::{Excess, ExtractError};

/// Bytes that a document's own commands may stand for, and how deep inside each other.
const MOST_EXPANDED: usize = 16 << 20;
const MOST_EXPANSIONS: usize = 100;

/// Stands for a condition whose name is not known.
const UNKNOWN_CONDITION: &str = "if?";

impl LatexReader {
    /// Refuses what stands for too much, or too deep inside each other.
    pub(super) fn within_expansion(&self, depth: usize) -> Result<(), ExtractError> {
        if self.expanded > MOST_EXPANDED || depth > MOST_EXPANSIONS {
            return Err(Excess::Commands.into());
        }
        Ok(())
    }

    /// Reads what a command of the document stands for.
    pub(super) fn expand<'s>(
        &mut self,
        definition: &Macro,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        if let Some(name) = definition.other_name()
            && depth < MOST_EXPANSIONS
        {
            return self.named(name, after, depth + 1);
        }
        if definition.ends_document() {
            self.ended = true;
            return Ok(after);
        }
        if definition.is_code() {
            if definition.may_be_words() {
                self.unknown_word()
            } else {
                self.unknown_letters()
            }
            self.definitions.name(after, &mut self.search);
        }
        let (text, dropped, after) = definition.expand(after, &mut self.search);
        dropped.iter().for_each(|argument| self.builder.hidden(argument));
        self.expanded += text.len();
        self.within_expansion(depth)?;
        self.read_group(&text, self.format, depth)?;
        if definition.ends_with_blank() && after.starts_with(|c: char| c.is_alphanumeric() || "\\([$`".contains(c)) {
            self.builder.blank();
        }
        self.arguments_of_last(definition, after, depth)
    }

    /// A command, or a condition, whose name others make up.
    pub(super) fn by_made_up_name<'s>(
        &mut self,
        name: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        let after = after.trim_start_matches([' ', '\t']);
        let name = self.definitions.expanded(name);
        self.expanded += name.len();
        self.within_expansion(depth)?;
        // What other commands make of a name is not computed: where a `\fi` follows it may be that of a condition.
        let mut may_be_condition = || name.contains('\\') && self.search.branches(after).2.len() < after.len();
        if name.starts_with("if") || may_be_condition() {
            let name = if is_name(&name) { &name } else { UNKNOWN_CONDITION };
            return self.condition(name, after, false, depth);
        }
        self.by_name(&name, after, depth)
    }

    /// The command of a name that others make up; a word if none is known.
    pub(super) fn by_name<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let name = name.trim();
        let letters = self.definitions.letters_of(name);
        if self.definitions.has(name) || is_name(name) && letters.is_none() {
            return self.known_command(name, after, depth);
        }
        self.unknown_word_of(letters.unwrap_or(LETTERS_OF_WORD));
        Ok(after)
    }
}
