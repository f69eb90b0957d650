//! Step 6: combining marks left over after composition are dropped from letters that need none.
//!
//! Whatever accents a Latin, Greek, Cyrillic or Armenian letter has in real spelling composes with it in step 2; Han
//! characters have none at all. A mark still there decorates (s̶t̶r̶u̶c̶k̶ ̶o̶u̶t̶) or disguises. Other scripts spell with
//! marks, and keep them.

use super::alphabet::{Alphabet, is_mark};
use super::item::{self, Item};
use crate::flag::ZERO_WIDTH;
use crate::script::is_han;

/// Drops marks that decorate; each goes into its letter's piece of the offset map.
pub(super) fn drop_decoration(items: &mut [Item]) {
    // The last item of the decorated letter so far, while there is such a letter.
    let mut letter = None;
    for index in 0..items.len() {
        let Some(character) = items[index].character else {
            continue;
        };
        if !is_mark(character) {
            letter = (Alphabet::of(character).is_some() || is_han(character)).then_some(index);
        } else if let Some(end) = letter {
            items[index].character = None;
            items[index].flags |= ZERO_WIDTH;
            item::join(items, end, index);
            letter = Some(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::item::{items_of, text_of};
    use super::*;

    #[test]
    fn decoration_goes_and_spelling_stays() {
        for (text, expected) in [
            ("s\u{336}t\u{336}", "st"),
            ("z\u{301}\u{302}\u{303}a", "za"),
            ("汉\u{332}字\u{20dd}", "汉字"),
            ("е\u{301}", "е"),
            ("नमस्ते", "नमस्ते"),
            ("ก\u{e48}", "ก\u{e48}"),
            ("か\u{309a}", "か\u{309a}"),
            ("1\u{336} \u{301}", "1\u{336} \u{301}"),
        ] {
            let mut items = items_of(text);
            drop_decoration(&mut items);
            assert_eq!(text_of(&items), expected, "{text}");
        }
    }
}
