//! How a source names the files that it includes.

/// The commands of the package import have the file's folder as another argument.
const WITH_FOLDER: [&str; 6] = ["import", "subimport", "includefrom", "inputfrom", "subincludefrom", "subinputfrom"];

/// Whether a command includes a file.
pub(super) fn includes(command: &str) -> bool {
    matches!(command, "input" | "include" | "subfile" | "subfileinclude") || has_folder(command)
}

/// Whether a command has the file's folder as another argument.
pub(super) fn has_folder(command: &str) -> bool {
    WITH_FOLDER.contains(&command.trim_end_matches('*'))
}

/// The name that follows such a command, in braces or, as TeX has it, up to a blank; and what follows it.
pub(super) fn name_of<'s>(command: &str, after: &'s str) -> Option<(String, &'s str)> {
    let (name, after) = argument(after)?;
    if !has_folder(command) {
        return Some((name.to_owned(), after));
    }
    let (file, after) = argument(after)?;
    Some((format!("{}/{file}", name.trim_end_matches('/')), after))
}

fn argument(after: &str) -> Option<(&str, &str)> {
    let after = after.trim_start();
    match after.strip_prefix('{') {
        Some(inside) => inside.split_once('}').map(|(name, after)| (name.trim().trim_matches('"'), after)),
        // A command stands for the name.
        None if after.starts_with('\\') => {
            let end = after[1..].find(|c: char| !c.is_ascii_alphabetic()).map_or(after.len(), |end| end + 1);
            (end > 1).then(|| after.split_at(end))
        }
        None => {
            let end = after.find(|c: char| c.is_whitespace() || matches!(c, '\\' | '%' | '}')).unwrap_or(after.len());
            (end > 0).then(|| after.split_at(end))
        }
    }
}
