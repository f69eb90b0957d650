//! What two sentences that say the same write alike: numbers, names and formulas, which a translator takes over. They are the strongest
//! signs that one was made from the other.

use crate::text::char_text::CharText;
use crate::text::script::is_han;
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::ops::Range;

/// Letters of a name at least: shorter ones are articles and initials.
const NAME: usize = 3;

/// Both wordings, with what they write alike marked, and words that translate each other underlined: `words` are the characters of these
/// on each side. In one language words agree anyway: there only numbers are marked.
pub fn marked(sides: [&str; 2], same_language: bool, words: [Vec<Range<u32>>; 2]) -> [Markup; 2] {
    let [a, b] = sides.map(|text| signs(text, same_language));
    let both: BTreeSet<&str> = {
        let theirs: BTreeSet<&str> = b.iter().map(|(_, sign)| &**sign).collect();
        a.iter().map(|(_, sign)| &**sign).filter(|sign| theirs.contains(sign)).collect()
    };
    let side = |text: &str, signs: &[(Range<usize>, String)], words: Vec<Range<u32>>| {
        let chars = CharText::new(text);
        let agree = signs.iter().filter(|(_, sign)| both.contains(&**sign)).map(|(place, _)| (place.clone(), true));
        let translated = words.into_iter().map(|word| (chars.bytes(&word), false));
        let mut places: Vec<(Range<usize>, bool)> = agree.chain(translated).collect();
        places.sort_by_key(|(place, agrees)| (place.start, !agrees));
        let (mut before, mut at) = (Vec::new(), 0);
        for (place, agrees) in places {
            if place.start >= at {
                before.push((&text[at..place.start], &text[place.clone()], agrees));
                at = place.end;
            }
        }
        html! {
            @for (between, sign, agrees) in before {
                (between) @if agrees { mark { (sign) } } @else { u { (sign) } }
            }
            (&text[at..])
        }
    };
    let [ours, theirs] = words;
    [side(sides[0], &a, ours), side(sides[1], &b, theirs)]
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
        marked([ours, theirs], same_language, Default::default()).map(|side| side.into_string().replace("mark>", ">"))
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

    #[test]
    fn words_that_translate_each_other_are_underlined_unless_they_are_marked() {
        let [ours, theirs] =
            marked(["过河，Widmark。", "Widmark crossed rivers."], false, [vec![1..2, 3..10], vec![0..7, 16..22]]);
        assert_eq!(ours.into_string(), "过<u>河</u>，<mark>Widmark</mark>。");
        assert_eq!(theirs.into_string(), "<mark>Widmark</mark> crossed <u>rivers</u>.");
    }
}
