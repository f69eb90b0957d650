//! Tables of characters with what each becomes.

/// The pairs of a table in their order: lines of two characters each, with blanks between or none, and of comments.
pub(super) fn pairs(table: &str) -> impl Iterator<Item = (char, char)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| {
        let mut characters = line.chars().filter(|c| *c != ' ');
        std::iter::from_fn(move || Some((characters.next()?, characters.next()?)))
    })
}
