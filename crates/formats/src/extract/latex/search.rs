//! Finds where arguments, options and formulas end.

use super::sentence::is_sentence;

/// How far ends of arguments and formulas are looked for.
const WINDOW: usize = 1 << 20;

/// The most searches in vain, and the bytes in which ends are looked for after them: the source is broken or hostile.
const MOST_IN_VAIN: usize = 1000;
const SMALL_WINDOW: usize = 256;

/// The most places of a command that are looked at to find one that no comment holds.
const MOST_COMMENTS: usize = 100;

/// The most bytes of an option in which a bracket in braces does not end it.
const LONGEST_BRACED: usize = 4096;

/// Where the comment of a line begins.
fn comment_in(line: &str) -> Option<usize> {
    let is_escaped = |at: usize| line[..at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    line.match_indices('%').map(|(at, _)| at).find(|at| !is_escaped(*at))
}

/// A source without its comments.
pub(super) fn without_comments(source: &str) -> String {
    source.split_inclusive('\n').map(|line| comment_in(line).map_or(line, |at| &line[..at])).collect()
}

/// What stands before and behind a command that no comment holds.
pub(crate) fn split_at_command<'s>(source: &'s str, command: &str) -> Option<(&'s str, &'s str)> {
    let is_comment = |at: usize| comment_in(&source[source[..at].rfind('\n').map_or(0, |end| end + 1)..at]).is_some();
    let mut found = source.match_indices(command).map(|(at, _)| at).take(MOST_COMMENTS);
    found.find(|&at| !is_comment(at)).map(|at| (&source[..at], &source[at + command.len()..]))
}

/// Environments inside each other before the body of a document at most.
const MOST_OPEN: usize = 100;

/// The preamble and the body of a document; none of a file that is no document, though a listing in it may show one.
pub(super) fn document(source: &str) -> Option<(&str, &str)> {
    let (preamble, body) = split_at_command(source, "\\begin{document}")?;
    let is_listed = open_environment(preamble).is_some_and(|name| body.contains(&format!("\\end{{{name}}}")));
    (!is_listed).then_some((preamble, body))
}

/// The innermost environment that a text leaves open, comments aside.
fn open_environment(text: &str) -> Option<&str> {
    let mut open: Vec<&str> = Vec::new();
    for line in text.lines() {
        let mut rest = &line[..comment_in(line).unwrap_or(line.len())];
        while let Some(at) = rest.find('\\') {
            rest = &rest[at + 1..];
            if let Some((name, _)) = rest.strip_prefix("begin{").and_then(|after| after.split_once('}')) {
                open.extend(Some(name).filter(|_| open.len() < MOST_OPEN));
            } else if let Some((name, _)) = rest.strip_prefix("end{").and_then(|after| after.split_once('}'))
                && let Some(at) = open.iter().rposition(|open| *open == name)
            {
                open.truncate(at);
            }
        }
    }
    open.pop()
}

/// What follows white space and comments, which may stand between a command and its arguments.
fn after_comments(rest: &str) -> &str {
    let mut rest = rest.trim_start();
    while let Some(comment) = rest.strip_prefix('%') {
        rest = comment.split_once('\n').map_or("", |(_, after)| after.trim_start());
    }
    rest
}

/// What follows a comment, if there is one.
fn after_comment(rest: &str) -> Option<&str> {
    rest.starts_with('%').then(|| after_comments(rest))
}

/// What stands up to the bracket that closes an option: the first that no braces hold, or the first of all where braces do not match.
fn option_in(inside: &str) -> Option<&str> {
    let mut depth = 0_i32;
    let closing = inside.bytes().take(LONGEST_BRACED).enumerate().position(|(at, byte)| {
        let is_sign = at == 0 || inside.as_bytes()[at - 1] != b'\\';
        depth += i32::from(byte == b'{' && is_sign) - i32::from(byte == b'}' && is_sign);
        byte == b']' && depth <= 0
    });
    let is_one = |option: &&str| !option.contains("\n\n");
    closing
        .map(|at| &inside[..at])
        .filter(is_one)
        .or_else(|| inside.split_once(']').map(|(option, _)| option).filter(is_one))
}

/// Finds the ends of things, in time that is bounded whatever the source holds.
#[derive(Default)]
pub(super) struct Search {
    in_vain: usize,
    /// What was passed over, as far as it may be prose: whose command or environment is known may show it all the same, as titles of boxes,
    /// captions of listings and notes of citations are.
    pub(super) passed: Vec<String>,
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
        let inside = after_comments(rest).strip_prefix('{')?;
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

    /// What stands before a delimiter, and what follows it.
    pub(super) fn until<'s>(&mut self, rest: &'s str, delimiter: &str) -> Option<(&'s str, &'s str)> {
        match self.window(rest).find(delimiter) {
            Some(at) => Some((&rest[..at], &rest[at + delimiter.len()..])),
            None => {
                self.in_vain += 1;
                None
            }
        }
    }

    /// What stands before a command that no comment holds.
    pub(super) fn before_command<'s>(&mut self, rest: &'s str, command: &str) -> Option<&'s str> {
        let found = split_at_command(self.window(rest), command).map(|(before, _)| &rest[..before.len()]);
        self.in_vain += usize::from(found.is_none());
        found
    }

    /// The argument that `rest` starts with: in braces, a command, or a single character.
    pub(super) fn token<'s>(&mut self, rest: &'s str) -> Option<(&'s str, &'s str)> {
        let start = rest.trim_start_matches([' ', '\t']);
        if start.starts_with('{') {
            return self.argument(start);
        }
        let first = start.chars().next().filter(|c| !matches!(c, '}' | '\n' | '\r' | '%' | '&' | '$' | '[' | '~'))?;
        let length = match first {
            '\\' => start[1..].find(|c: char| !c.is_ascii_alphabetic()).filter(|length| *length > 0)? + 1,
            first => first.len_utf8(),
        };
        Some(start.split_at(length))
    }

    /// What follows the options in square brackets.
    pub(super) fn without_options<'s>(&mut self, mut rest: &'s str) -> &'s str {
        while let Some(inside) = rest.strip_prefix('[').or_else(|| after_comment(rest)?.strip_prefix('[')) {
            match option_in(self.window(inside)) {
                Some(options) => {
                    self.pass(&inside[..options.len()]);
                    rest = &inside[options.len() + 1..];
                }
                None => {
                    self.in_vain += 1;
                    break;
                }
            }
        }
        rest
    }

    /// What follows `count` arguments, and the options before, between and after them.
    pub(super) fn without_arguments<'s>(&mut self, rest: &'s str, count: usize) -> &'s str {
        let mut rest = self.without_options(rest);
        for _ in 0..count {
            let Some((argument, after)) = self.argument(rest) else { break };
            self.pass(argument);
            rest = self.without_options(after);
        }
        rest
    }

    /// Nobody reads this.
    pub(super) fn pass(&mut self, source: &str) {
        if is_sentence(source) {
            self.passed.push(source.to_owned());
        }
    }

    /// What stands in square brackets at the start, and what follows them.
    pub(super) fn option<'s>(&mut self, rest: &'s str) -> Option<(&'s str, &'s str)> {
        let inside = rest.trim_start_matches([' ', '\t']).strip_prefix('[')?;
        let option = option_in(self.window(inside))?;
        Some((&inside[..option.len()], &inside[option.len() + 1..]))
    }

    /// A formula, and what follows its end; a formula never goes on in the next paragraph.
    pub(super) fn mathematics<'s>(&mut self, inside: &'s str, end: &str) -> (&'s str, &'s str) {
        let window = self.window(inside);
        let is_end = |at: &usize| !(end.starts_with('$') && window[..*at].ends_with('\\'));
        let found = window.match_indices(end).map(|(at, _)| at).find(is_end);
        let paragraph = window[..found.unwrap_or(window.len())].find("\n\n");
        match (found, paragraph) {
            (Some(at), None) => (&inside[..at], &inside[at + end.len()..]),
            _ => {
                self.in_vain += 1;
                inside.split_at(paragraph.unwrap_or(window.len()))
            }
        }
    }

    /// What stands after a condition: up to its `\else` or `\fi`, from the former to the latter, and what follows.
    pub(super) fn branches<'s>(&mut self, rest: &'s str) -> (&'s str, Option<&'s str>, &'s str) {
        let window = self.window(rest);
        let (mut depth, mut other) = (0, None);
        for (at, _) in window.match_indices('\\') {
            let after = &window[at + 1..];
            let word = &after[..after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len())];
            match word {
                "fi" if depth == 0 => {
                    let end = &rest[at + 3..];
                    return match other {
                        Some(other) => (&rest[..other], Some(&rest[other + 5..at]), end),
                        None => (&rest[..at], None, end),
                    };
                }
                "fi" => depth -= 1,
                "else" if depth == 0 && other.is_none() => other = Some(at),
                "ifthenelse" | "iff" => {}
                word if word.starts_with("if") => depth += 1,
                _ => {}
            }
        }
        // One that never ends skips nothing, so that a broken source loses no text.
        self.in_vain += 1;
        ("", None, rest)
    }
}
