//! Cuts a text into words as jieba does, and asks jieba where only it knows.

use super::dictionary::jieba;
use crate::units::AsciiBlock;

/// The words of jieba's dictionary that have no Han character. Each has a mark in it.
const ASCII_WORDS: [&str; 5] = ["c++", "C++", "c#", "C#", "AT&T"];

/// Calls `visit` with the words of a text: what [`Jieba::cut`](jieba_rs::Jieba::cut) (without its model of unknown words) gives, but for pieces
/// without a letter or digit. jieba itself is asked for stretches with Han characters alone; elsewhere its words are runs of
/// ASCII letters and digits, and any other letter or digit by itself.
pub fn for_each_word<'a>(text: &'a str, mut visit: impl FnMut(&'a str)) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(block) = AsciiBlock::of(rest.as_bytes(), |byte| !is_cut_by_jieba(byte.into()))
            && memchr::memchr3(b'+', b'#', b'&', &rest.as_bytes()[..block.end]).is_none()
        {
            let end = block.end;
            for (start, len) in block {
                visit(&rest[start..start + len]);
            }
            rest = &rest[end..];
            continue;
        }
        let end = match is_cut_by_jieba(first) {
            true => rest.find(|character| !is_cut_by_jieba(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (stretch, behind) = rest.split_at(end);
        rest = behind;
        if !is_cut_by_jieba(first) {
            if first.is_alphanumeric() {
                visit(stretch);
            }
        } else if !stretch.is_ascii() || ASCII_WORDS.iter().any(|word| stretch.contains(word)) {
            let tokens = jieba().cut(stretch, false);
            tokens.iter().map(|token| token.word).filter(|w| w.contains(char::is_alphanumeric)).for_each(&mut visit);
        } else {
            let is_mark = |character: char| !character.is_ascii_alphanumeric();
            stretch.split(is_mark).filter(|word| !word.is_empty()).for_each(&mut visit);
        }
    }
}

/// The characters that jieba cuts together where they stand side by side; any other is a piece by itself.
fn is_cut_by_jieba(character: char) -> bool {
    match character {
        '+' | '#' | '&' | '.' | '_' | '%' | '-' => true,
        _ if character.is_ascii() => character.is_ascii_alphanumeric(),
        // All Han characters that jieba knows of.
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => true,
        '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ebef}' | '\u{2f800}'..='\u{2fa1f}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_cut_as_jieba_does(text: &str) {
        let tokens = jieba().cut(text, false);
        let expected: Vec<&str> = tokens.iter().map(|t| t.word).filter(|w| w.contains(char::is_alphanumeric)).collect();
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word));
        assert_eq!(words, expected, "{text:?}");
    }

    #[test]
    fn words_with_and_without_han_characters_are_those_of_jieba() {
        for text in [
            "",
            "The c++ of abc++ and C#, at&t and AT&T: 3.14% of a_b-c",
            "1号店的4s店卖t恤，卡拉ok和x光-abc汉字def.ghi",
            "naïve café ß ١٢ ｱ ﬁ x²",
            "one two, three-four five. a long line of English without any marks so that a whole block of it is seen at once",
            "a long line of English that ends in Han characters, which come behind more than sixty-four bytes-汉字 and go on",
        ] {
            assert_cut_as_jieba_does(text);
        }
    }

    #[test]
    fn no_other_short_word_of_the_dictionary_is_without_han_characters() {
        let characters: Vec<char> = (' '..='~').filter(|c| is_cut_by_jieba(*c)).collect();
        for &a in &characters {
            for &b in &characters {
                for &c in &characters {
                    let word: String = [a, b, c].iter().collect();
                    assert!(!jieba().has_word(&word[1..]) || ASCII_WORDS.contains(&&word[1..]), "{word}");
                    assert!(!jieba().has_word(&word) || ASCII_WORDS.contains(&&word[..]), "{word}");
                }
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn words_of_any_text_are_those_of_jieba(
            parts in proptest::collection::vec("[a-cC+#&._%-]{0,6}|[潮汐沼泽号店]{0,4}|[a-z]{1,9} |[ ,é_ßａ]|4s店|\\PC{0,8}", 0..40),
        ) {
            assert_cut_as_jieba_does(&parts.concat());
        }
    }
}
