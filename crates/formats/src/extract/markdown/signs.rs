//! Signs of programs that read more than CommonMark: some show what stands in them, others do not.
//!
//! Kramdown, Pandoc, Obsidian, Jekyll and CriticMarkup are such programs. Which one a text was written for is not known.

use std::ops::Range;

use copytrace_text::ranges::{union, without};

/// The fewest letters in a row that may be a word in an argument of a command or in a label. Chosen by hand; not measured apart.
const WORD: usize = 3;

/// The most bytes between the braces that begin a block and those that end it. Chosen by hand; not measured apart.
const BLOCK: usize = 1 << 16;

/// The most bytes of a citation. Chosen by hand; not measured apart.
const CITATION: usize = 300;

/// Citations by keys of the literature, such as `[see @clerk2004, p. 23; @tide]`, outside of `known`.
pub(super) fn citations(text: &str, known: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for piece in without(&(0..text.len()), &union(known)) {
        let (start, here) = (piece.start, &text[piece]);
        let citation = |(at, _)| {
            let inside = &here[at + 1..];
            let end = inside[..inside.floor_char_boundary(CITATION)]
                .find(['[', ']'])
                .filter(|end| holds_key(&inside[..*end]))?;
            inside[end..].starts_with(']').then_some(start + at..start + at + 1 + end + 1)
        };
        found.extend(here.match_indices('[').filter_map(citation));
    }
    found
}

/// Whether a key stands in brackets: `@` before a letter or digit, and no letter before it, as an address has one.
fn holds_key(inside: &str) -> bool {
    let is_key = |(at, _)| {
        inside[at + 1..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            && (at == 0 || inside[..at].ends_with([' ', '\n', ';', '-']))
    };
    !inside.contains("\n\n") && inside.match_indices('@').any(is_key)
}

/// The places of a text, outside of `known`, of which it is not known whether a page shows them.
pub(super) fn doubtful(text: &str, known: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for piece in without(&(0..text.len()), &union(known)) {
        let (start, here) = (piece.start, &text[piece]);
        let places = [braces(here), between_percents(here), targets(here), labels(here), arguments(here)].concat();
        found.extend(places.into_iter().map(|place| start + place.start..start + place.end));
    }
    union(found)
}

/// Braces behind which a sign stands, such as `{--gone--}`; with a name up to the ones that end it, as `{::comment}` and `{:/}` do.
fn braces(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(start) = text[from..].find('{').map(|at| from + at) {
        let inside = &text[start + 1..];
        from = start + 1;
        let is_sign = inside.starts_with(|c: char| c.is_ascii_punctuation() && !matches!(c, '\\' | '}'));
        // What a command has for an argument is none of these.
        let is_argument = text[..start].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '}' | '_' | '^'));
        if !is_sign || is_argument {
            continue;
        }
        let Some(end) = inside.find('}').map(|end| start + 1 + end + 1) else { break };
        from = end_of_block(&text[start..end], &text[end..]).map_or(end, |length| end + length);
        found.push(start..from);
    }
    found
}

/// How far behind these braces the block ends that they begin.
fn end_of_block(braces: &str, behind: &str) -> Option<usize> {
    let inside = braces.trim_matches(['{', '}', '%', ':', '-', ' ']);
    let name = inside.split_ascii_whitespace().next().filter(|name| !name.starts_with('/'))?;
    let near = &behind[..behind.floor_char_boundary(BLOCK)];
    let at = match &braces[1..] {
        block if block.starts_with("::") && !block.ends_with("/}") => near.find("{:/"),
        block if block.starts_with('%') => near.find(&format!("end{name}")),
        _ => None,
    }?;
    Some(at + behind[at..].find('}')? + 1)
}

/// What stands between two pairs of percent signs.
fn between_percents(text: &str) -> Vec<Range<usize>> {
    let places: Vec<usize> = text.match_indices("%%").map(|(at, _)| at).collect();
    places.chunks_exact(2).map(|pair| pair[0]..pair[1] + 2).collect()
}

/// Of links of a wiki, such as `[[page|words]]`, what stands before the bar: some show that, others what stands behind.
fn targets(text: &str) -> Vec<Range<usize>> {
    let target = |(at, _)| {
        let inside: &str = text[at + 2..].split(['[', ']', '\n']).next()?;
        inside.find('|').map(|bar| at..at + 2 + bar + 1)
    };
    text.match_indices("[[").filter_map(target).collect()
}

/// Labels behind words in brackets that are no link, because nothing says where they lead.
fn labels(text: &str) -> Vec<Range<usize>> {
    let label = |(at, _)| {
        let inside: &str = text[at + 2..].split(['[', ']', '\n']).next()?;
        let end = at + 2 + inside.len();
        (text[end..].starts_with(']') && has_word(inside)).then_some(at + 1..end + 1)
    };
    text.match_indices("][").filter_map(label).collect()
}

/// The arguments of commands of TeX that hold words. Names of environments, and keys of what is referred to, are none.
fn arguments(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    // The command whose argument may begin here.
    let mut command = None;
    let mut at = 0;
    while let Some(&sign) = text.as_bytes().get(at) {
        let start = at;
        at += 1;
        command = match sign {
            b'\\' => {
                let rest = &text[at..];
                let name = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
                at += name.len();
                Some(name).filter(|name| !name.is_empty())
            }
            b'{' | b'[' => {
                open.push((start, command));
                None
            }
            b'}' | b']' => {
                let (start, command) = open.pop().unwrap_or((start, None));
                found.extend(command.filter(|name| may_hide(name, &text[start + 1..at - 1])).map(|_| start..at));
                command
            }
            // No argument goes on over an empty line.
            b'\n' if matches!(text.as_bytes().get(at), Some(b'\n' | b'\r')) => {
                open.clear();
                None
            }
            _ => None,
        };
    }
    found
}

fn may_hide(name: &str, argument: &str) -> bool {
    let is_reference = ["cite", "ref", "label"].iter().any(|part| name.contains(part));
    let is_key = !argument.contains(' ') && argument.contains(|c: char| c.is_ascii_digit() || ":_-".contains(c));
    has_word(argument) && !matches!(name, "begin" | "end") && !(is_reference && is_key)
}

fn has_word(text: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() >= WORD)
}
