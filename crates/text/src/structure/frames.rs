//! What a thesis says of itself in the words of any other: which chapter holds what, and who is thanked.
//!
//! "Chapter 2 reviews the literature, Chapter 3 describes the method" is in every thesis, and in no other words. Such a stretch is known by
//! how close its words stand: chapters, or words of thanks, as the files of languages list them. So no sentence is listed.

use super::evidence::Evidence;
use super::names::after_chapter_word;
use super::numbers::between_words;
use crate::languages::languages;
use crate::ranges::union;
use crate::vocabulary::{is_inside_word, is_of_word};
use std::ops::Range;

// All are chosen by hand, on outlines and thanks in five languages.

/// The fewest chapters that an outline names: a sentence may send its reader to two.
const CHAPTERS: usize = 3;

/// The fewest words of thanks that thanks have: one may stand in any sentence.
const THANKS: usize = 2;

/// Fewer letters stand between two chapters, twenty words or fifty Han characters: what a chapter holds is said in fewer, and what one
/// says that a reader should know of a subject in more.
const BETWEEN_CHAPTERS: u32 = 125;

/// The same between two words of thanks: a sentence says for what somebody is thanked.
const BETWEEN_THANKS: u32 = 200;

/// The ends of a line belong to an outline or thanks if they are nearer.
const LINE: u32 = 125;

/// The outlines and thanks in a text, in characters, in order and apart.
#[doc(hidden)] // for the engine's scores
pub fn frames(text: &str) -> Vec<Range<u32>> {
    // One character for each, so that places stay what they are.
    let characters: Vec<char> = text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect();
    let lower: String = characters.iter().collect();
    let evidence = Evidence::new(&characters);
    let bytes: Vec<usize> = lower.char_indices().map(|(byte, _)| byte).collect();
    let character = |byte: usize| bytes.partition_point(|start| *start < byte) as u32;
    let chapters: Vec<u32> = chapters(&lower).map(character).collect();
    let thanks: Vec<u32> = languages().thanking.begin(&lower).into_iter().map(character).collect();
    let mut found = Vec::new();
    for (places, fewest, apart) in [(chapters, CHAPTERS, BETWEEN_CHAPTERS), (thanks, THANKS, BETWEEN_THANKS)] {
        let near = |first: &u32, second: &u32| evidence.letters(&(*first..*second)) < apart;
        let groups = places.chunk_by(near).filter(|group| group.len() >= fewest);
        found.extend(groups.map(|group| widened(&characters, &evidence, group[0]..group[group.len() - 1])));
    }
    union(found)
}

/// Where chapters are named: "Chapter 2", "im dritten Kapitel", 第二章. In bytes, in order.
fn chapters(lower: &str) -> impl Iterator<Item = usize> {
    // A letter more is a plural, or a case.
    let is_word = |rest: &str| rest.chars().take_while(|c| is_of_word(*c)).take(2).count() < 2;
    let is_named = move |at: &usize| {
        let here = &lower[*at..];
        after_chapter_word(here).is_some_and(is_word) || between_words(here).is_some_and(|number| number.is_chapter)
    };
    lower.char_indices().map(|(at, _)| at).filter(|at| !is_inside_word(lower, *at)).filter(is_named)
}

/// From the beginning of the first sentence to the end of the last one; to those of lines, if they are near.
fn widened(characters: &[char], evidence: &Evidence, range: Range<u32>) -> Range<u32> {
    let ends_line = |at: u32| characters.get(at as usize).is_none_or(|c| *c == '\n');
    let ends = |at: u32| match characters.get(at as usize) {
        Some('.' | '!' | '?') => characters.get(at as usize + 1).is_none_or(|c| c.is_whitespace()),
        Some('。' | '！' | '？' | '\n') | None => true,
        _ => false,
    };
    let end = (range.end..).find(|at| ends_line(*at)).filter(|end| evidence.letters(&(range.end..*end)) < LINE);
    let end = end.or_else(|| (range.end..).find(|at| ends(*at))).unwrap_or(range.end);
    let back = || (0..range.start).rev();
    let start = back().find(|at| ends_line(*at)).map_or(0, |at| at + 1);
    let is_near = evidence.letters(&(start..range.start)) < LINE;
    let start = if is_near { start } else { back().find(|at| ends(*at)).map_or(0, |at| at + 1) };
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let of = |range: &Range<u32>| characters[range.start as usize..range.end as usize].iter().collect::<String>();
        frames(text).iter().map(of).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn an_outline_is_known_by_chapters_that_are_named_one_soon_after_the_other() {
        let silt = "The tide leaves a thin layer of silt between the stems of the grasses, and the surface grows by a \
                    little every year. ";
        for outline in [
            "The rest is organised as follows: Chapter 2 reviews the literature, Chapter 3 describes the method; Chapter 4 \
             presents the results.",
            "Die Arbeit gliedert sich in sechs Kapitel. Nach der Einleitung werden im zweiten Kapitel die Grundlagen \
             erläutert, und Kapitel 3 beschreibt das Vorgehen.",
            "La première partie est consacrée au cadre théorique. La deuxième partie présente la méthode. La troisième partie \
             expose les résultats.",
            "第一章：绪论。介绍了研究背景和意义。第二章：相关技术。对主要技术进行了介绍。第三章：需求分析。",
        ] {
            let text = format!("{silt}{silt}\n\n{outline}\n\n{silt}");
            assert_eq!(found(&text), outline);
            let inside = found(&format!("{silt}{silt}{outline} {silt}{silt}"));
            assert_eq!(inside.trim(), outline.trim_end_matches(['.', '。']));
        }
        for none in [
            "Chapter 2 tells of silt and Chapter 3 of the tides.".to_owned(),
            format!(
                "Chapter 2 tells of silt. {silt}{silt}Chapter 3 tells of tides. {silt}{silt}Chapter 4 tells of dykes."
            ),
            "Particular parties partly part.".to_owned(),
        ] {
            assert_eq!(found(&none), "", "{none}");
        }
    }

    #[test]
    fn thanks_are_known_by_two_words_of_thanks_and_thoughts_are_none() {
        let thanks = "I would like to express my gratitude to my supervisor, Dr Marsh. I also thank my family.";
        let silt = "The tide leaves a thin layer of silt between the stems of the grasses.";
        assert_eq!(found(&format!("{silt}\n\n{thanks}\n\n{silt}")), thanks);
        assert_eq!(found("I thank the keeper of the gate, who told me of the silt."), "");
        assert_eq!(found("Der Gedanke war kein Gedanke, sondern viele Gedanken."), "");
        assert_eq!(found("A commercial book was sold to the commercial school."), "", "merci is inside");
    }
}
