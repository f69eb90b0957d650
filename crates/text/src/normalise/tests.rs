//! What must hold for every text, and cases that need several steps.

use super::*;
use crate::flag::{LOOKALIKE, SCRIPT, ZERO_WIDTH};
use proptest::prelude::*;

/// The text through the steps as one stretch, without the fast path.
fn normalise_slowly(original: &str) -> Normalised {
    let mut normalised = Normalised::of("what it held before – 漢字 …");
    let whole = std::iter::once(Stretch::Odd(original)).filter(|_| !original.is_empty());
    normalise_stretches(original, whole, &mut normalised);
    normalised
}

/// Texts rich in characters that some step minds.
fn difficult_text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        4 => "[a-zA-Z ]{1,6}",
        2 => "[ \t\n\r\u{a0}\u{3000}\u{2028}\u{85}\u{c}\0]{1,3}",
        2 => "[a-eé][‘’ʼ'][a-eéж]",
        2 => "[-‐‑\u{ad}－][ ]?[\n]?",
        2 => "[\u{200b}-\u{200f}\u{2060}\u{feff}\u{ad}\u{fe0f}\u{e0100}\u{115f}\u{3164}]{1,2}",
        2 => "[\u{300}-\u{345}\u{483}\u{20dd}\u{3099}\u{309a}\u{302a}\u{e31}\u{e48}\u{93c}]{1,3}",
        2 => "[\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a7}-\u{11c2}가-갛]{1,3}",
        3 => "[汉漢字體後干乾⽂⾔⺠⻄丽\u{f900}-\u{f910}\u{20000}-\u{20010}，。“”…１Ａ㍿㊀]{1,5}",
        3 => "[А-яЁёѕіјԛԝ]{1,4}",
        2 => "[Α-ωάΐᾳᾷς\u{345}ϲ]{1,4}",
        1 => "[Ա-Ֆա-ևᎠ-Ᏼꭰꮪꓐ-ꓹ]{1,3}",
        2 => "[ßẞİıŉǰﬁſʟɑɡƒᴀᴛçé𝐚𝛼ⓐ½¨ªK]{1,3}",
        1 => "[กิ่ांमी한かガｶﾞ\u{9c7}\u{9be}\u{16d63}\u{16d67}\u{16d68}]{1,3}",
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn check(original: &str) -> Result<(), TestCaseError> {
    let normalised = Normalised::of(original);
    let (len, original_len) = (normalised.text.chars().count(), original.chars().count());
    prop_assert_eq!(normalised.offsets.len(), len);
    prop_assert_eq!(normalised.offsets.original_len(), original_len);

    let (mut from, mut to) = (0, 0);
    for piece in normalised.offsets.pieces() {
        prop_assert_eq!((piece.original.start, piece.normalised.start), (from, to));
        (from, to) = (piece.original.end, piece.normalised.end);
    }
    prop_assert_eq!((from, to), (original_len, len));

    let mut cursor = normalised.offsets.cursor();
    let mut previous = 0..0;
    for index in 0..len {
        let span = normalised.offsets.span(index);
        prop_assert!(span.start < span.end && span.end <= original_len);
        prop_assert!(previous.start <= span.start && previous.end <= span.end);
        prop_assert_eq!(&cursor.at(index).span, &span);
        previous = span;
    }

    prop_assert_eq!(&normalised, &normalise_slowly(original));
    prop_assert_eq!(&Normalised::of(&normalised.text).text, &normalised.text);
    Ok(())
}

#[test]
fn texts_that_read_the_same_come_out_the_same() {
    for (text, expected, flags) in [
        ("", "", 0),
        ("Plain English, as typed.", "plain english, as typed.", 0),
        ("It’s ‘quoted’", "it's ‘quoted’", 0),
        ("普通的中文，没有什么特别。", "普通的中文,没有什么特别。", 0),
        ("漢語與文學的關係", "汉语与文学的关系", SCRIPT),
        ("汉\u{200b}字\u{200d}与\u{feff}词", "汉字与词", ZERO_WIDTH),
        ("⽂⾔⽂ and ⻩⾊", "文言文 and 黄色", LOOKALIKE),
        ("сору аnd раste", "copy and paste", LOOKALIKE),
        ("in\u{200b}vis\u{ad}ible", "invisible", ZERO_WIDTH),
        ("s̶t̶r̶u̶c̶k̶", "struck", ZERO_WIDTH),
        ("𝐛𝐨𝐥𝐝 letters", "bold letters", LOOKALIKE),
        ("Ｆｕｌｌ　ｗｉｄｔｈ１２", "full width12", 0),
        ("e\u{301}tude STRASSE Straße", "étude strasse strasse", 0),
        ("a line-\nbreak in a well-known word", "a linebreak in a well-known word", 0),
        ("\u{feff}One\r\n\r\n\r\nTwo  three", "one\n\ntwo three", 0),
        ("第一段。\n\n　　第二段……", "第一段。\n\n第二段......", 0),
        ("فارسی می\u{200c}خواهم", "فارسی میخواهم", 0),
        ("Auf\u{200c}lage, Schiff\u{200c}fahrt", "auflage, schifffahrt", 0),
        ("A\u{200c}uflage", "auflage", ZERO_WIDTH),
        ("Auf\u{200c}\u{200b}lage", "auflage", ZERO_WIDTH),
        ("Это русский текст о себе", "это русский текст о себе", 0),
    ] {
        let normalised = Normalised::of(text);
        assert_eq!(normalised.text, expected);
        assert_eq!(normalised.offsets.flags(0..normalised.offsets.len()), flags, "{text}");
    }
}

#[test]
fn zero_width_characters_between_han_characters_show_in_the_gap() {
    let normalised = Normalised::of("汉\u{200b}字。\u{200b}词");
    let mut cursor = normalised.offsets.cursor();
    let gaps: Vec<u8> = (0..normalised.offsets.len()).map(|index| cursor.at(index).gap).collect();
    assert_eq!(gaps, [0, ZERO_WIDTH, 0, 0]);
}

#[test]
fn every_character_alone_and_between_others_keeps_the_rules() {
    // Those that some step minds; the rest behave like any letter.
    let minded = |c: char| {
        let mut one = [0; 4];
        let alone = c.encode_utf8(&mut one);
        Normalised::of(alone).text != *alone || !compose::starts_cluster(c) || twins::latin(c).is_some()
    };
    let keeps_the_rules = |character: char| {
        for (before, after) in
            [("", ""), ("a", "b"), ("字", "字"), ("x- ", "-\n"), ("a-\n", "-\nb"), ("é’", "’é"), ("ж", "\u{301}")]
        {
            check(&format!("{before}{character}{after}"))
                .unwrap_or_else(|error| panic!("U+{:04X}: {error}", character as u32));
        }
    };
    // The longest test of all: every processor takes its share.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..processors {
            let own = ('\0'..=char::MAX).skip(first).step_by(processors);
            scope.spawn(move || own.filter(|character| minded(*character)).for_each(keeps_the_rules));
        }
    });
}

#[test]
fn hostile_repetition_is_normalised_in_about_linear_time() {
    for hostile in ["\u{301}\u{336}", "\u{1161}", "\u{200b}", "\u{200b}\u{301}", " \u{200b}", "-\n", "а\u{301}", "ﷺ"]
    {
        let text = format!("a{}", hostile.repeat(200_000 / hostile.chars().count()));
        let normalised = Normalised::of(&text);
        assert_eq!(normalised.offsets.original_len(), text.chars().count());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_map_covers_a_difficult_text_and_normalising_again_changes_nothing(text in difficult_text()) {
        check(&text)?;
    }

    #[test]
    fn the_map_covers_any_text_and_normalising_again_changes_nothing(text in any::<String>()) {
        check(&text)?;
    }
}
