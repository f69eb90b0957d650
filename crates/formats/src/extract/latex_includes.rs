//! Which files a source includes: the one scanner for a document's reader and for the list of its parts.

use std::path::{Path, PathBuf};

/// The commands that include a file; those of the package import have its folder as another argument.
pub(super) const COMMANDS: [&str; 8] =
    ["input", "include", "subfile", "subfileinclude", "import", "subimport", "includefrom", "inputfrom"];

/// The names of the files that a source includes, in order.
pub(crate) fn included(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in source.lines() {
        let mut rest = without_comment(line);
        while let Some((_, after)) = rest.split_once('\\') {
            let length = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let (command, after) = after.split_at(length);
            rest = if length == 0 {
                after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or("")
            } else {
                after
            };
            if COMMANDS.contains(&command)
                && let Some((name, after)) = name_of(command, after)
            {
                names.push(name);
                rest = after;
            }
        }
    }
    names
}

/// The name that follows such a command, in braces or, as TeX has it, up to a blank; and what follows it.
pub(super) fn name_of<'s>(command: &str, after: &'s str) -> Option<(String, &'s str)> {
    let (name, after) = argument(after)?;
    if !matches!(command, "import" | "subimport" | "includefrom" | "inputfrom") {
        return Some((name.to_owned(), after));
    }
    let (file, after) = argument(after)?;
    Some((format!("{}/{file}", name.trim_end_matches('/')), after))
}

fn argument(after: &str) -> Option<(&str, &str)> {
    let after = after.trim_start();
    match after.strip_prefix('{') {
        Some(inside) => inside.split_once('}').map(|(name, after)| (name.trim().trim_matches('"'), after)),
        None => {
            let end = after.find(|c: char| c.is_whitespace() || matches!(c, '\\' | '%' | '}')).unwrap_or(after.len());
            (end > 0).then(|| after.split_at(end))
        }
    }
}

/// A line up to its comment; `\%` is a percent sign.
fn without_comment(line: &str) -> &str {
    let mut escaped = false;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'%' if !escaped => return &line[..at],
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    line
}

/// The file of this name, if it lies in the document's folder, which has all links resolved.
pub(crate) fn resolve(folder: &Path, name: &str) -> Option<PathBuf> {
    let names = [format!("{name}.tex"), name.to_owned()];
    let paths = names.iter().filter_map(|name| folder.join(name).canonicalize().ok());
    paths.into_iter().find(|path| path.is_file()).filter(|path| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_signs_are_no_comments_when_they_are_escaped() {
        let source = "50\\% \\input{one} % \\input{no}\n\\\\% \\input{no}\n\\include { two }\\input three \\subfile{four}\\inputs{no}\\import{parts/}{five}";
        assert_eq!(included(source), ["one", "two", "three", "four", "parts/five"]);
    }
}
