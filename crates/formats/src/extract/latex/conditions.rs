//! Switches such as `\iffalse`: what is typeset of their branches.

use super::LatexReader;
use crate::extract::ExtractError;
use copytrace_text::layout::LeftOut;

/// A condition of LaTeX's packages has no more arguments.
const MOST_ARGUMENTS: usize = 4;

impl LatexReader {
    /// A switch was read, its name without backslash; gives what follows, without the branch that is not typeset. `negated`
    /// after `\unless`.
    pub(super) fn condition<'s>(
        &mut self,
        name: &str,
        after: &'s str,
        negated: bool,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        let holds = match (self.definitions.switches.get(&name[2..]), name) {
            (Some(holds), _) => *holds,
            (None, "iffalse") => false,
            (None, "iftrue") => true,
            // A sign of logic.
            (None, "iff") => return Ok(after),
            _ => return self.unknown_condition(after, depth),
        };
        let (first, second, _) = self.search.branches(after);
        if holds != negated {
            // The other branch is passed over where it starts, at its `\else`.
            return Ok(after);
        }
        self.builder.left_out(LeftOut::Comment, first);
        let consumed = first.len() + if second.is_some() { "\\else".len() } else { "\\fi".len() };
        // Blanks behind a command belong to it.
        Ok(after.get(consumed..).unwrap_or("").trim_start_matches(' '))
    }

    /// What depends on something that is not computed: nobody knows which of its branches is typeset.
    fn unknown_condition<'s>(&mut self, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let (branches, rest) = if after.starts_with('{') {
            let (mut arguments, mut rest) = (Vec::new(), after);
            while let Some((argument, after)) = self.search.argument(rest).filter(|_| arguments.len() < MOST_ARGUMENTS)
            {
                arguments.push(argument);
                rest = after;
            }
            (arguments, rest)
        } else {
            let (first, second, rest) = self.search.branches(after);
            (std::iter::once(first).chain(second).collect(), rest)
        };
        for branch in branches {
            self.unjudged(branch, depth)?;
        }
        Ok(rest.trim_start_matches(' '))
    }
}
