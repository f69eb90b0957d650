//! Step 3: a run of white space becomes one blank, one line break, or one empty line.

use super::ignorable::is_filler;
use super::item::{self, Item};

/// Whether a character is white space or shows as a blank: a control character, a filler, an empty Braille cell.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || character.is_control() || is_filler(character) || character == '\u{2800}'
}

/// Whether a character ends a line. `\r\n` ends one only.
pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What a run of white space becomes: `" "`, or `"\n"` if it holds a line break, or `"\n\n"` if it holds several.
pub(super) fn collapsed(run: impl Iterator<Item = char>) -> &'static str {
    let (mut breaks, mut previous) = (0, ' ');
    for character in run {
        if is_break(character) && (previous, character) != ('\r', '\n') {
            breaks += 1;
        }
        previous = character;
    }
    match breaks {
        0 => " ",
        1 => "\n",
        _ => "\n\n",
    }
}

/// Collapses every run of white space; characters deleted inside a run go with it.
pub(super) fn collapse(items: &mut [Item]) {
    let mut index = 0;
    while index < items.len() {
        if !items[index].character.is_some_and(is_space) {
            index += 1;
            continue;
        }
        let (first, mut last) = (index, index);
        while index < items.len() && items[index].character.is_none_or(is_space) {
            if items[index].character.is_some() {
                last = index;
            }
            index += 1;
        }
        let run = &mut items[first..=last];
        let becomes = collapsed(run.iter().filter_map(|item| item.character));
        if run.iter().filter_map(|item| item.character).eq(becomes.chars()) && run.len() == becomes.len() {
            continue;
        }
        let mut becomes = becomes.chars();
        for item in run {
            item.character = becomes.next();
        }
        item::join(items, first, last);
    }
}

#[cfg(test)]
mod tests {
    use super::super::item::{items_of, text_of};
    use super::*;

    fn collapsed_text(text: &str) -> String {
        let mut items = items_of(text);
        collapse(&mut items);
        text_of(&items)
    }

    #[test]
    fn runs_become_a_blank_a_line_break_or_an_empty_line() {
        for (text, expected) in [
            ("a b", "a b"),
            ("a \t\u{a0} b", "a b"),
            ("第一\u{3000}\u{3000}第二", "第一 第二"),
            ("a\r\nb", "a\nb"),
            ("a  \n  b", "a\nb"),
            ("a\n\nb", "a\n\nb"),
            ("a\r\n \r\n\r\nb", "a\n\nb"),
            ("a\u{2028}b\u{85}c\u{c}d", "a\nb\nc\nd"),
            ("a\0\u{7}b", "a b"),
            ("  a\n", " a\n"),
        ] {
            assert_eq!(collapsed_text(text), expected, "{text:?}");
        }
    }
}
