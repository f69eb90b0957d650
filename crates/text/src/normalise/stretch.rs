//! Cuts a text into stretches that can be normalised one by one.
//!
//! A cut is safe where no step looks across it: not inside a cluster, a run of white space, a word of an alphabet that
//! has look-alikes, or a word that may be broken at a line end, and not beside an ignorable character.

use super::alphabet::{Alphabet, is_mark};
use super::ignorable::is_ignorable;
use super::{compose, plain, white_space};

/// A part of a text between two safe cuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch<'a> {
    /// For the fast path.
    Plain(&'a str),
    /// For the steps.
    Odd(&'a str),
}

/// Characters after which an odd stretch takes any safe cut, even one that costs looking up what the next character
/// combines with. Keeps the working memory small for scripts without plain characters.
const LONG: usize = 4096;

/// The stretches of a text, in order. None is empty.
pub(super) fn stretches(text: &str) -> impl Iterator<Item = Stretch<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let reach = plain::len(rest);
        let cut = if reach == rest.len() { reach } else { last_cut(rest, reach) };
        if cut > 0 {
            let (stretch, after) = rest.split_at(cut);
            rest = after;
            return Some(Stretch::Plain(stretch));
        }
        let (stretch, after) = rest.split_at(first_cut(rest, reach));
        rest = after;
        Some(Stretch::Odd(stretch))
    })
}

/// The last safe cut before plain characters that end at `reach`, where a character follows that may be joined to the
/// last of them; 0 if there is none.
fn last_cut(text: &str, reach: usize) -> usize {
    if text[reach..].starts_with(white_space::is_space) {
        // White space ends a plain stretch only as a whole run, and no hyphen comes before it.
        return reach;
    }
    let mut following = text[..reach].chars().rev().peekable();
    let mut cut = reach;
    while let Some(next) = following.next() {
        cut -= next.len_utf8();
        let Some(&previous) = following.peek() else {
            break;
        };
        let safe = match next {
            '-' => !plain::is_letter(previous),
            _ if plain::is_in_words(next) => !plain::is_in_words(previous),
            _ if white_space::is_space(next) => !white_space::is_space(previous),
            _ => true,
        };
        if safe {
            return cut;
        }
    }
    0
}

/// The first safe cut behind `reach`, the place of the first character that is not plain.
fn first_cut(text: &str, reach: usize) -> usize {
    let mut characters = text[reach..].char_indices();
    let Some((_, mut previous)) = characters.next() else {
        return text.len();
    };
    for (count, (at, next)) in characters.enumerate() {
        let safe = match next {
            '-' => false,
            _ if plain::is_in_words(next) => previous.is_ascii_digit() || previous.is_ascii_punctuation(),
            _ if white_space::is_space(next) => {
                (Alphabet::of(previous).is_some() || previous.is_alphanumeric())
                    && !is_ignorable(previous)
                    && !white_space::is_space(previous)
            }
            _ if !next.is_ascii() => {
                !is_ignorable(previous) && (plain::is_plain(next) || (count >= LONG && stands_alone(next)))
            }
            _ => !is_ignorable(previous),
        };
        if safe {
            return reach + at;
        }
        previous = next;
    }
    text.len()
}

/// Whether a character that is not plain minds none of the characters before it.
fn stands_alone(character: char) -> bool {
    !is_ignorable(character)
        && !is_mark(character)
        && !white_space::is_space(character)
        && Alphabet::of(character).is_none()
        && character.is_alphabetic()
        && !character.is_lowercase()
        && !character.is_uppercase()
        && compose::starts_cluster(character)
        && compose::stays_alone(character)
}

#[cfg(test)]
mod tests {
    use super::Stretch::{Odd, Plain};
    use super::*;

    #[test]
    fn odd_stretches_are_as_long_as_the_steps_need() {
        for (text, expected) in [
            ("plain", vec![Plain("plain")]),
            ("the cafe\u{301} was", vec![Plain("the "), Odd("cafe\u{301} was")]),
            ("汉字……汉字", vec![Plain("汉"), Odd("字……"), Plain("汉字")]),
            ("a docu-\nment here", vec![Plain("a "), Odd("docu-\nment"), Plain(" here")]),
            ("字\u{200b}字字", vec![Odd("字\u{200b}字"), Plain("字")]),
            ("cor\u{e1}\u{e7}ão \u{131}", vec![Plain("cor\u{e1}\u{e7}ão"), Odd(" \u{131}")]),
            ("Это он", vec![Odd("Это"), Odd(" он")]),
        ] {
            assert_eq!(stretches(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn a_script_without_plain_characters_is_cut_too() {
        let thai = "ภาษาไทย".repeat(2000);
        assert!(stretches(&thai).count() > 2);
    }
}
