//! Text as it flows, wherever its lines break.

use crate::script::{is_basic_han, is_east_asian};

/// Lower case, with one blank between words and none between Han characters, wherever lines break.
pub(super) fn flowing<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    // One pass over the bytes where all are ASCII, as most are.
    let mut lines = lines.into_iter().peekable();
    while let Some(line) = lines.next_if(|line| line.is_ascii()) {
        for word in line.split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(word);
            text[start..].make_ascii_lowercase();
        }
    }
    let mut blank = !text.is_empty();
    for c in lines.flat_map(|line| line.chars().chain(['\n'])) {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if blank && text.chars().next_back().is_some_and(|last| !is_east_asian(last) || !is_east_asian(c)) {
            text.push(' ');
        }
        blank = false;
        if is_basic_han(c) {
            text.push(c);
        } else {
            text.extend(c.to_lowercase());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn flowing_text_has_one_blank_between_words_and_none_between_wide_characters(
            lines in proptest::collection::vec("[aB \t\u{B}\u{A0}É潮汐。]{0,8}", 0..5),
        ) {
            let mut plain = String::new();
            let mut blank = false;
            for c in lines.join("\n").chars() {
                if !c.is_whitespace() {
                    let parts = |last: char| blank && !(is_east_asian(last) && is_east_asian(c));
                    plain.extend(plain.chars().next_back().filter(|last| parts(*last)).map(|_| ' '));
                    plain.extend(c.to_lowercase());
                }
                blank = c.is_whitespace();
            }
            proptest::prop_assert_eq!(flowing(lines.iter().map(String::as_str)), plain);
        }
    }
}
