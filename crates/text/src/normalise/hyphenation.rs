//! Step 4: words broken at the end of a line are joined.

use super::alphabet::{Alphabet, is_mark};
use super::item::{self, Item, SOFT_HYPHEN};

/// Whether a letter is of a script that hyphenates at line ends: one with upper and lower case, or with letters that may
/// turn out to be look-alikes of such a script.
fn is_hyphenated(letter: char) -> bool {
    letter.is_lowercase() || letter.is_uppercase() || Alphabet::of(letter).is_some()
}

/// Joins words broken at a line end, after white space was collapsed.
///
/// A letter, a hyphen, one line break, and a lowercase letter are a broken word: hyphen and break go. Before a capital
/// the hyphen is one of a compound (Anglo-Saxon): only the break goes. Doing so for capitals keeps the outcome
/// the same when a text that was normalised (and so has no capitals left) is normalised again.
pub(super) fn join_broken_words(items: &mut [Item]) {
    for index in 0..items.len() {
        if items[index].character != Some('\n') {
            continue;
        }
        let Some((hyphen, visible)) = hyphen_before(items, index) else {
            continue;
        };
        let Some((_, next)) = item::from(items, index + 1) else {
            continue;
        };
        if is_mark(next) {
            continue;
        }
        if next.is_lowercase() {
            items[hyphen].character = None;
            items[index].character = None;
        } else if visible && is_hyphenated(next) {
            items[index].character = None;
        }
    }
}

/// The hyphen that ends the line before a line break, if it follows a letter, and whether it is a visible one.
fn hyphen_before(items: &[Item], line_break: usize) -> Option<(usize, bool)> {
    let (last, character) = item::before(items, line_break)?;
    let visible = matches!(character, '-' | '\u{2010}');
    let hyphen =
        if visible { last } else { (last + 1..line_break).find(|&index| items[index].flags & SOFT_HYPHEN != 0)? };
    let letter =
        items[..hyphen].iter().rev().filter_map(|item| item.character).find(|&character| !is_mark(character))?;
    is_hyphenated(letter).then_some((hyphen, visible))
}

#[cfg(test)]
mod tests {
    use super::super::item::{items_of, text_of};
    use super::super::{ignorable, white_space};
    use super::*;

    fn joined(text: &str) -> String {
        let mut items = items_of(text);
        ignorable::delete(&mut items);
        white_space::collapse(&mut items);
        join_broken_words(&mut items);
        text_of(&items)
    }

    #[test]
    fn words_broken_at_line_ends_are_joined() {
        for (text, expected) in [
            ("docu-\nment", "document"),
            ("docu- \r\n  ment", "document"),
            ("docu\u{2010}\nment", "document"),
            ("docu\u{ad}\nment", "document"),
            ("docu-\u{ad}\nMent", "docu-Ment"),
            ("доку-\nмент", "документ"),
            ("a-\nb-\nc", "abc"),
            // A compound, a paragraph's end, a dash, a number, another script, no line break.
            ("Anglo-\nSaxon", "Anglo-Saxon"),
            ("docu-\n\nment", "docu-\n\nment"),
            ("docu --\nment", "docu --\nment"),
            ("COVID-\n19", "COVID-\n19"),
            ("1-\nb", "1-\nb"),
            ("汉字-\n汉字", "汉字-\n汉字"),
            ("docu- ment", "docu- ment"),
            ("docu\u{ad}\nMent", "docu\nMent"),
        ] {
            assert_eq!(joined(text), expected, "{text:?}");
        }
    }
}
