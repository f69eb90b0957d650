use super::words::{WordTable, character_hash, is_stop_character};
use super::*;
use crate::flag;
use crate::normalise::Normalised;

fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let units = Units::from_text(text);
    (0..units.len()).map(|i| chars[units.start[i] as usize..units.end[i] as usize].iter().collect()).collect()
}

#[test]
fn a_unit_is_a_han_character_or_a_word_of_another_script() {
    assert_eq!(
        words("Tidal marshes, 潮汐沼泽 (DNA-Test)."),
        ["Tidal", "marshes", "潮", "汐", "沼", "泽", "DNA", "Test"]
    );
    assert_eq!(words("don't 3.14 Привет мир"), ["don't", "3.14", "Привет", "мир"]);
    assert_eq!(words(" .,!? \n —— 。"), Vec::<String>::new());
}

#[test]
fn equal_words_have_equal_hashes_whatever_their_case_width_and_script() {
    let hash = |text: &str| Units::from_text(text).hash;
    assert_eq!(hash("Tidal MARSH"), hash("tidal marsh"));
    assert_eq!(hash("ＡＢＣ"), hash("abc"));
    assert_eq!(hash("圖書館學"), hash("图书馆学"));
    assert_ne!(hash("marsh"), hash("march"));
}

#[test]
fn sentence_and_line_borders_are_marked_on_the_unit_after_them() {
    let units = Units::from_text("One two. Three\nfour 3.5 五。六，七");
    let borders: Vec<u8> = units.flags.iter().map(|f| f & (flag::LINE | flag::SENTENCE)).collect();
    let (line, sentence) = (flag::LINE, flag::SENTENCE);
    assert_eq!(borders, [line | sentence, 0, sentence, line, 0, 0, sentence, 0]);
}

#[test]
fn a_span_takes_the_punctuation_that_hugs_it_along() {
    let text = "He said: “Tidal marshes grow.” Then 他说：「潮汐沼泽。」后来";
    let chars: Vec<char> = text.chars().collect();
    let units = Units::from_text(text);
    let span = |from: usize, to: usize| -> String {
        let range = units.span(from, to);
        chars[range.start as usize..range.end as usize].iter().collect()
    };
    assert_eq!(span(2, 5), "“Tidal marshes grow.”");
    assert_eq!(span(8, 12), "「潮汐沼泽。」");
    assert_eq!(span(0, 2), "He said:");
}

#[test]
fn a_character_that_stands_for_several_units_is_the_place_of_the_first() {
    let units = Units::from_text("一㍻二");
    assert_eq!(units.hash, Units::from_text("一平成二").hash);
    assert_eq!((units.start, units.end), (vec![0, 1, 2, 2], vec![1, 2, 2, 3]));
}

#[test]
fn disguised_units_are_flagged_and_equal_to_the_plain_ones() {
    for (plain, disguised, bit) in [
        ("marsh", "ma\u{200b}rsh", flag::ZERO_WIDTH),
        ("marsh", "m\u{430}rsh", flag::LOOKALIKE),
        ("图书", "圖書", flag::SCRIPT),
    ] {
        let (plain, disguised) = (Units::from_text(plain), Units::from_text(disguised));
        assert_eq!(plain.hash, disguised.hash);
        assert_eq!(plain.flags[0] & flag::DISGUISE, 0);
        assert_eq!(disguised.flags[0] & flag::DISGUISE, bit);
    }
}

proptest::proptest! {
    #[test]
    fn units_of_any_text_lie_inside_it_in_order(text in "\\PC{0,200}|[\\s\\S]{0,100}|[a-z“”\\.\u{200b}\u{301}潮。「」\n ]{0,100}") {
        let units = Units::from_text(&text);
        let mut before = 0;
        for i in 0..units.len() {
            let span = units.span(i, i + 1);
            assert!(before <= units.start[i] && units.start[i] <= units.end[i]);
            assert!(span.start >= before && span.end <= units.text_chars);
            before = units.end[i];
        }
        assert_eq!(units.text_chars as usize, text.chars().count());
    }
}

#[test]
fn low_lines_for_stress_or_for_blanks_make_no_other_words() {
    let plain = Units::from_text("the new earth is as the old one was");
    for text in ["the _new earth_ is as the __old__ one was", "the_new_earth_is_as_the_old_one_was"] {
        assert_eq!(Units::from_text(text).hash, plain.hash, "{text}");
    }
}

/// The units as the tables of Unicode and the facts about words give them, one character at a time.
fn slowly(normalised: &Normalised) -> Vec<(u32, u32, u32, u32, u16, u8)> {
    use unicode_segmentation::UnicodeSegmentation;
    let mut words = WordTable::new();
    let (mut at, mut end) = (0, 0);
    let mut units = Vec::new();
    // A low line is a border, whatever stands beside it.
    for piece in normalised.text.split_inclusive('_').flat_map(|part| {
        let words = part.trim_end_matches('_');
        [words, &part[words.len()..]].into_iter().flat_map(|part| part.split_word_bounds())
    }) {
        let characters = at..at + piece.chars().count();
        at = characters.end;
        let Some(first) = piece.chars().find(|c| c.is_alphanumeric()) else { continue };
        let han = matches!(first as u32,
            0x3005..=0x3007 | 0x3040..=0x309f | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff);
        let (hash, stem, kind) = if han {
            let hash = character_hash(first);
            (hash, hash, flag::HAN | if is_stop_character(first) { flag::STOP } else { 0 })
        } else {
            let facts = words.facts(piece);
            (words.hash(piece), facts.stem, facts.flags())
        };
        let start = (normalised.offsets.span(characters.start).start as u32).max(end);
        end = (normalised.offsets.span(characters.end - 1).end as u32).max(start);
        let countable = piece.chars().filter(|c| c.is_alphanumeric()).count() as u16;
        units.push((hash, stem, start, end, countable, kind));
    }
    units
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(1000))]

    #[test]
    fn units_are_those_of_the_slow_way_whatever_the_segmenter_saw_before(
        texts in proptest::collection::vec(
            "[A-Za-z0-9_.',:; \\n-]{0,80}|[a-z漢字的。、“”’é\u{301}\u{200b}ア' ]{0,40}|\\PC{0,60}|([a-z]{1,20} ){0,20}", 1..4)
    ) {
        let mut segmenter = Segmenter::new();
        for text in &texts {
            let normalised = Normalised::of(text);
            let units = segmenter.units(&normalised);
            let found: Vec<_> = (0..units.len())
                .map(|i| {
                    let kind = units.flags[i] & (flag::HAN | flag::STOP | flag::NUMBER);
                    (units.hash[i], units.stem[i], units.start[i], units.end[i], units.countable[i], kind)
                })
                .collect();
            assert_eq!(found, slowly(&normalised), "{text:?}");
            let mut hashes = Vec::new();
            segmenter.hashes(&normalised, &mut hashes);
            assert_eq!(hashes, units.hash);
        }
    }
}
