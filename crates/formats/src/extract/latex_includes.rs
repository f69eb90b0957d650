//! How a source names the files that it includes, and where they are.

use std::path::{Path, PathBuf};

/// The commands that include a file; those of the package import have its folder as another argument.
pub(super) const COMMANDS: [&str; 8] =
    ["input", "include", "subfile", "subfileinclude", "import", "subimport", "includefrom", "inputfrom"];

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

/// The file of this name, if it lies in the document's folder, which has all links resolved.
pub(super) fn resolve(folder: &Path, name: &str) -> Option<PathBuf> {
    let names = [format!("{name}.tex"), name.to_owned()];
    let paths = names.iter().filter_map(|name| folder.join(name).canonicalize().ok());
    paths.into_iter().find(|path| path.is_file()).filter(|path| path.starts_with(folder))
}
