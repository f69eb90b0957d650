//! Step 8: traditional Han characters become simplified ones.
//!
//! One character at a time: which of several simplified characters a traditional one stands for (乾 as 干 or 乾) needs
//! the words around it, but for comparing texts it is enough that both sides come out the same.

use super::pairs::pairs;
use std::ops::Range;
use std::sync::LazyLock;

/// OpenCC's table of characters, which the library holds itself: the crate that has all of OpenCC's dictionaries takes
/// some fifty others to build.
const TABLE: &str = include_str!("simplified.txt");

/// Characters that are written for each other and that OpenCC's table keeps apart.
const VARIANTS: &str = include_str!("variants.txt");

/// Characters that fold to another one and yet belong to simplified writing too: 乾 is 干 in 乾净 and itself in 乾隆, 覆 is 复 in
/// 答覆 and itself in 覆盖. Both sides of a comparison fold alike, so all that is lost is the difference between the two, but
/// nothing says that the text was in traditional script.
const IN_BOTH_SCRIPTS: &str = "乾吒夥彷徵捱摺榘甯瞭祇菸著薰薹藉覆谘醣锺雠馀麴麽";

/// Where OpenCC's table has characters: the basic plane, and the planes above.
const BASIC: Range<u32> = 0x3400..0xa000;
const HIGHER: Range<u32> = 0x20000..0x323b0;

/// The simplified form of each character of [`BASIC`], built from OpenCC's table at the first one in a text.
static BASIC_FORMS: LazyLock<Vec<char>> = LazyLock::new(|| {
    let mut forms: Vec<char> = BASIC.filter_map(char::from_u32).collect();
    for (from, to) in converted(BASIC).chain(pairs(VARIANTS)) {
        forms[place(from)] = to;
    }
    // A variant's form may itself be traditional. A chain has few links; the limit would end a circle.
    let end = |mut form: char| {
        for _ in 0..4 {
            form = forms.get(place(form)).copied().unwrap_or(form);
        }
        form
    };
    forms.iter().map(|&form| end(form)).collect()
});

/// The characters of [`HIGHER`] that change, sorted, with their simplified forms.
static HIGHER_FORMS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let basic = |form| BASIC_FORMS.get(place(form)).copied().unwrap_or(form);
    converted(HIGHER).map(|(from, to)| (from, basic(to))).collect()
});

/// The index of a character of [`BASIC`] in its table; past the end for all others.
fn place(character: char) -> usize {
    (character as u32).wrapping_sub(BASIC.start) as usize
}

/// The simplified form of a Han character; the character itself if it has none.
pub(super) fn simplified(character: char) -> char {
    if let Some(&form) = BASIC_FORMS.get(place(character)) {
        return form;
    }
    if !HIGHER.contains(&(character as u32)) {
        return character;
    }
    match HIGHER_FORMS.binary_search_by_key(&character, |&(from, _)| from) {
        Ok(index) => HIGHER_FORMS[index].1,
        Err(_) => character,
    }
}

/// The characters of a range that OpenCC turns into another one, with that one, by code point.
fn converted(range: Range<u32>) -> impl Iterator<Item = (char, char)> {
    pairs(TABLE).filter(move |(from, _)| range.contains(&(*from as u32)))
}

/// Whether a character that [`simplified`] changes is not simplified script: the change undoes a disguise.
pub(super) fn is_traditional(character: char) -> bool {
    !IN_BOTH_SCRIPTS.contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferrous_opencc::OpenCC;
    use ferrous_opencc::config::BuiltinConfig;
    use unicode_normalization::is_nfkc;

    #[test]
    fn the_table_is_what_opencc_makes_of_each_character() {
        let converter = OpenCC::from_config(BuiltinConfig::T2s).unwrap();
        for range in [BASIC, HIGHER] {
            let expected = range.clone().filter_map(char::from_u32).filter_map(|from| {
                let form: Vec<char> = converter.convert(&from.to_string()).chars().collect();
                (form.len() == 1 && form[0] != from).then(|| (from, form[0]))
            });
            assert!(converted(range).eq(expected));
        }
    }

    #[test]
    fn each_variant_stands_once_and_in_order() {
        assert!(pairs(VARIANTS).is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn characters_take_their_simplified_form() {
        for (from, to) in [
            ('漢', '汉'),
            ('體', '体'),
            ('後', '后'),
            ('乾', '干'),
            ('汉', '汉'),
            ('諮', '咨'),
            ('谘', '咨'),
            ('幷', '并'),
            ('衞', '卫'),
            ('覆', '复'),
            ('複', '复'),
            ('么', '么'),
            ('抬', '抬'),
            ('𠌥', '𠆿'),
            ('a', 'a'),
            ('〇', '〇'),
        ] {
            assert_eq!(simplified(from), to, "{from}");
        }
    }

    #[test]
    fn folding_twice_is_folding_once_and_gives_composed_characters() {
        for character in BASIC.chain(HIGHER).filter_map(char::from_u32) {
            let folded = simplified(character);
            assert_eq!(simplified(folded), folded, "{character}");
            assert!(folded == character || is_nfkc(folded.encode_utf8(&mut [0; 4])), "{character}");
        }
    }

    #[test]
    fn what_simplified_writing_keeps_is_not_called_traditional() {
        assert!(is_traditional('漢'));
        assert!(is_traditional('幷'));
        assert!(!is_traditional('覆'));
        assert!(!is_traditional('乾'));
    }
}
