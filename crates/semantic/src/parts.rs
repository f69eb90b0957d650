//! The parts of a text that are in different languages.

use crate::model::OTHER;
use crate::sentences::Cut;
use copytrace_text::char_text::CharText;
use copytrace_text::prose::language_of;
use std::collections::BTreeMap;

/// Sentences of which the language is told together.
const BLOCK: usize = 16;

/// In how many sentences a language needs more than one: that of an abstract or of a list of references counts as the one that most of the
/// text is in.
const ONE_IN: usize = 4;

/// The language of a text (ISO 639-1); [`OTHER`] if it is none of those that are told apart, empty if the text is too short to tell.
pub(crate) fn language(text: &str) -> &'static str {
    language_of(text).unwrap_or_default()
}

/// The sentences of each language of a text, in the order of the languages' codes.
pub(crate) fn by_language(text: &str, chars: &CharText, cut: &Cut) -> BTreeMap<&'static str, Vec<usize>> {
    let main = language(text);
    let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let all: Vec<usize> = (0..cut.len()).collect();
    for block in all.chunks(BLOCK) {
        let (first, last) = (&cut.spans[block[0]], &cut.spans[block[block.len() - 1]]);
        let told = language(chars.slice(&(first.start..last.end)));
        // Tables and listings among sentences are in none.
        parts.entry(if told.is_empty() || told == OTHER { main } else { told }).or_default().extend(block);
    }
    let small: Vec<usize> = parts
        .extract_if(.., |language, part| *language != main && part.len() * ONE_IN <= cut.len())
        .flat_map(|(_, part)| part)
        .collect();
    if !small.is_empty() {
        let of_main = parts.entry(main).or_default();
        of_main.extend(small);
        of_main.sort_unstable();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_text::normalise::Normalised;
    use copytrace_text::units::Segmenter;

    const ENGLISH: &str =
        "The council of the town has met in the old hall to speak of the roads that were lost in the flood. ";
    const CHINESE: &str = "市议会在旧礼堂开会，讨论了在洪水中被冲毁的道路以及修复这些道路所需要的费用。";
    const GERMAN: &str = "Der Rat der Stadt hat sich in der alten Halle versammelt, um über die Straßen zu sprechen, die es nicht mehr gibt. ";

    fn parts(text: &str) -> Vec<(&'static str, usize)> {
        let cut = Cut::of(&Segmenter::new().units(&Normalised::of(text)));
        by_language(text, &CharText::new(text), &cut)
            .into_iter()
            .map(|(language, part)| (language, part.len()))
            .collect()
    }

    #[test]
    fn a_text_in_three_languages_has_a_part_for_each_and_an_abstract_is_none() {
        let three = ENGLISH.repeat(48) + &CHINESE.repeat(64) + &GERMAN.repeat(48);
        assert_eq!(parts(&three), [("de", 48), ("en", 48), ("zh", 64)]);
        assert_eq!(parts(&(ENGLISH.repeat(48) + &CHINESE.repeat(16))), [("en", 64)]);
        assert_eq!(parts("word"), [("", 1)]);
        assert_eq!(parts(""), []);
    }
}
