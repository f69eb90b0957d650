//! What two sentences that say the same write alike: numbers, names and formulas, which a translator takes over. They are the strongest
//! signs that one was made from the other.

use crate::text::script::is_han;
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::ops::Range;

/// Letters of a name at least: shorter ones are articles and initials.
const NAME: usize = 3;

/// Both wordings, with what they write alike marked. In one language words agree anyway: there only numbers are marked.
pub fn marked(ours: &str, theirs: &str, same_language: bool) -> [Markup; 2] {
    let [a, b] = [ours, theirs].map(|text| signs(text, same_language));
    let both: BTreeSet<&str> = {
        let theirs: BTreeSet<&str> = b.iter().map(|(_, sign)| &**sign).collect();
        a.iter().map(|(_, sign)| &**sign).filter(|sign| theirs.contains(sign)).collect()
    };
    [(ours, &a), (theirs, &b)].map(|(text, signs)| {
        let (mut before, mut at) = (Vec::new(), 0);
        for (place, _) in signs.iter().filter(|(_, sign)| both.contains(&**sign)) {
            before.push((&text[at..place.start], &text[place.clone()]));
            at = place.end;
        }
        html! { @for (between, sign) in before { (between) mark { (sign) } } (&text[at..]) }
    })
}

/// The numbers of a text, without the commas in them, and its names: where they stand, and what they are.
fn signs(text: &str, numbers_only: bool) -> Vec<(Range<usize>, String)> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((start, first)) = characters.next() {
        if !is_part(first) {
            continue;
        }
        let mut end = start + first.len_utf8();
        while let Some(&(at, character)) = characters.peek() {
            let is_inside = matches!(character, '.' | ',')
                && text[..at].ends_with(|before: char| before.is_ascii_digit())
                && text[at + 1..].starts_with(|behind: char| behind.is_ascii_digit());
            if !is_part(character) && !is_inside {
                break;
            }
            characters.next();
            end = at + character.len_utf8();
        }
        let word = &text[start..end];
        let is_number = word.contains(|character: char| character.is_numeric());
        let is_name = !numbers_only && first.is_uppercase() && word.chars().count() >= NAME;
        if is_number || is_name {
            found.push((start..end, word.replace(',', "").to_lowercase()));
        }
    }
    found
}

/// Whether a character is of a number or of a word that is written with letters.
fn is_part(character: char) -> bool {
    character.is_alphanumeric() && !is_han(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(ours: &str, theirs: &str, same_language: bool) -> [String; 2] {
        marked(ours, theirs, same_language).map(|side| side.into_string().replace("mark>", ">"))
    }

    #[test]
    fn numbers_and_names_that_both_sides_write_are_marked() {
        assert_eq!(
            marks("In 1984, Widmark sold 12,000 <boats>.", "1984年，Widmark卖掉了12000艘船。", false),
            [
                "In <>1984</>, <>Widmark</> sold <>12,000</> &lt;boats&gt;.",
                "<>1984</>年，<>Widmark</>卖掉了<>12000</>艘船。"
            ]
        );
        assert_eq!(
            marks("Widmark sold 3.5 t.", "Widmark bought 3.5 t, not 4.", true)[1],
            "Widmark bought <>3.5</> t, not 4."
        );
        assert_eq!(marks("", "7", false), ["", "7"]);
    }
}
