//! Finds where arguments, options and formulas end.

/// How far ends of arguments and formulas are looked for.
const WINDOW: usize = 1 << 20;

/// After so many searches in vain the source is broken or hostile, and ends are looked for nearby only.
const MOST_IN_VAIN: usize = 1000;
const SMALL_WINDOW: usize = 256;

/// Finds the ends of things, in time that is bounded whatever the source holds.
#[derive(Default)]
pub(super) struct Search {
    in_vain: usize,
}

impl Search {
    /// The part of `rest` in which an end is looked for.
    fn window<'s>(&self, rest: &'s str) -> &'s str {
        let size = if self.in_vain < MOST_IN_VAIN { WINDOW } else { SMALL_WINDOW };
        let end = (0..=size.min(rest.len())).rev().find(|&end| rest.is_char_boundary(end));
        &rest[..end.unwrap_or(0)]
    }

    /// The argument in braces that `rest` starts with, and what follows it.
    pub(super) fn argument<'s>(&mut self, rest: &'s str) -> Option<(&'s str, &'s str)> {
        let inside = rest.trim_start().strip_prefix('{')?;
        let mut depth = 1_usize;
        let mut escaped = false;
        for (at, byte) in self.window(inside).bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some((&inside[..at], &inside[at + 1..]));
                    }
                }
                _ => {}
            }
        }
        self.in_vain += 1;
        None
    }

    /// What follows the options in square brackets.
    pub(super) fn without_options<'s>(&mut self, mut rest: &'s str) -> &'s str {
        while let Some(inside) = rest.strip_prefix('[') {
            match self.window(inside).split_once(']') {
                Some((options, _)) if !options.contains("\n\n") => rest = &inside[options.len() + 1..],
                _ => {
                    self.in_vain += 1;
                    break;
                }
            }
        }
        rest
    }

    /// What follows so many arguments, and the options before, between and after them.
    pub(super) fn without_arguments<'s>(&mut self, rest: &'s str, count: usize) -> &'s str {
        let mut rest = self.without_options(rest);
        for _ in 0..count {
            let Some((_, after)) = self.argument(rest) else { break };
            rest = self.without_options(after);
        }
        rest
    }

    /// What follows the end of a formula; a formula never goes on in the next paragraph.
    pub(super) fn after_mathematics<'s>(&mut self, inside: &'s str, end: &str) -> &'s str {
        let window = self.window(inside);
        let is_end = |at: &usize| !(end.starts_with('$') && window[..*at].ends_with('\\'));
        let found = window.match_indices(end).map(|(at, _)| at).find(is_end);
        let paragraph = window[..found.unwrap_or(window.len())].find("\n\n");
        match (found, paragraph) {
            (Some(at), None) => &inside[at + end.len()..],
            _ => {
                self.in_vain += 1;
                &inside[paragraph.unwrap_or(window.len())..]
            }
        }
    }
}
