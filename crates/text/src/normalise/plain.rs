//! The fast path: stretches of text in which each character becomes one character and minds no neighbour.
//!
//! Plain characters are ASCII, the other letters of European languages written in Latin, Han characters of the basic
//! plane with their punctuation, kana, Hangul syllables, typographic quotes and private characters. What is done to them
//! here must equal what the steps would do; property tests hold it to that.

use super::simplified;
use super::{apostrophe, case, white_space};
use crate::flag::SCRIPT;
use crate::offsets::OffsetMapBuilder;
use crate::script::is_han;

/// Whether a character other than ASCII is plain.
///
/// Such a character starts a cluster and is neither white space, ignorable, a mark, a hyphen nor a letter that has or is
/// a look-alike.
pub(super) fn is_plain(character: char) -> bool {
    is_accented(character)
        || matches!(
            character,
            '\u{3400}'..='\u{9fff}'
                | '\u{3001}'..='\u{301f}'
                | '\u{3041}'..='\u{3096}'
                | '\u{309d}'..='\u{309e}'
                | '\u{30a1}'..='\u{30fe}'
                | '\u{ac00}'..='\u{d7a3}'
                | '\u{e000}'..='\u{f8ff}'
                | '·' | '–' | '—' | '‘' | '’' | '“' | '”'
                | '！'..='，' | '．'..='＠' | '［'..='｀' | '｛'..='～'
        )
}

/// Whether a character is a plain letter of an alphabet that has look-alikes.
pub(super) fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic() || is_accented(character)
}

/// Whether a plain character may be inside a word with look-alikes: a letter or an apostrophe.
pub(super) fn is_in_words(character: char) -> bool {
    is_letter(character) || apostrophe::is_curly(character)
}

/// The composed Latin letters that keep to themselves: not ß, ĳ, ŀ, ŉ, ſ and the Turkish i's.
fn is_accented(character: char) -> bool {
    matches!(
        character,
        'À'..='Ö' | 'Ø'..='Þ' | 'à'..='ö' | 'ø'..='į' | 'Ĵ'..='ľ' | 'Ł'..='ň' | 'Ŋ'..='ž'
    )
}

/// Whether a character is white space that may stand in a plain stretch.
fn is_plain_space(character: char) -> bool {
    character == '\u{3000}' || (character.is_ascii() && !character.is_ascii_graphic())
}

/// The length in bytes of the run of plain white space that a text starts with.
fn space_len(text: &str) -> usize {
    text.find(|character| !is_plain_space(character)).unwrap_or(text.len())
}

/// The number of bytes from the start of `text` that are plain: up to the first character that may need the steps.
///
/// White space may be collapsed in a plain stretch; a hyphen must be followed by a plain character other than white
/// space.
pub(super) fn len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let starts_plain = |at: usize| {
        let next = text[at..].chars().next();
        next.is_some_and(|next| next.is_ascii_graphic() || (!next.is_ascii() && is_plain(next)))
    };
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'-' if !starts_plain(at + 1) => return at,
            0x21..=0x7e => 1 + visible_ascii_len(&bytes[at + 1..]),
            // The lead bytes of U+4000–9FFF, which are Han characters.
            0xe4..=0xe9 => 3 * bytes[at..].chunks(3).take_while(|three| matches!(three[0], 0xe4..=0xe9)).count(),
            _ => {
                let spaces = space_len(&text[at..]);
                let after = at + spaces;
                if spaces > 0 && (after == bytes.len() || starts_plain(after)) {
                    spaces
                } else if spaces == 0 && starts_plain(at) {
                    text[at..].chars().next().map_or(0, char::len_utf8)
                } else {
                    return at;
                }
            }
        };
    }
    at
}

/// The length of a run of visible ASCII without hyphens, and of single blanks inside it. May be cut short.
fn visible_ascii_len(bytes: &[u8]) -> usize {
    const CHUNK: usize = 32;
    let mut at = 0;
    // Written for the compiler to turn into vector instructions: a chunk at a time, and its first odd byte by its place
    // in a number.
    while let Some(chunk) = bytes[at..].first_chunk::<{ CHUNK + 1 }>() {
        let mut odd = [0u8; CHUNK];
        for index in 0..CHUNK {
            let (byte, next) = (chunk[index], chunk[index + 1]);
            let plain = (0x20..=0x7e).contains(&byte) & (byte != b'-');
            odd[index] = u8::from(!plain | ((byte == b' ') & !(0x21..=0x7e).contains(&next)));
        }
        let (eights, _) = odd.as_chunks::<8>();
        for (index, eight) in eights.iter().enumerate() {
            let eight = u64::from_le_bytes(*eight);
            if eight != 0 {
                return at + 8 * index + eight.trailing_zeros() as usize / 8;
            }
        }
        at += CHUNK;
    }
    at + bytes[at..].iter().take_while(|&&byte| byte.is_ascii_graphic() && byte != b'-').count()
}

/// Appends a plain stretch to the normalised text and its map.
pub(super) fn write(plain: &str, text: &mut String, offsets: &mut OffsetMapBuilder) {
    let mut rest = plain;
    while let Some(first) = rest.chars().next() {
        let len = if is_plain_space(first) {
            write_space(rest, text, offsets)
        } else if first.is_ascii() {
            write_ascii(rest, text, offsets)
        } else {
            write_other(rest, text, offsets)
        };
        rest = &rest[len..];
    }
}

/// Writes a run of white space and gives its length in bytes.
fn write_space(rest: &str, text: &mut String, offsets: &mut OffsetMapBuilder) -> usize {
    let len = space_len(rest);
    let run = &rest[..len];
    let becomes = white_space::collapsed(run.chars());
    text.push_str(becomes);
    if run == becomes {
        offsets.linear(run.len(), 0);
    } else {
        offsets.odd(run.chars().count(), becomes.len(), 0);
    }
    len
}

/// Writes a run of visible ASCII and single blanks and gives its length in bytes.
fn write_ascii(rest: &str, text: &mut String, offsets: &mut OffsetMapBuilder) -> usize {
    let len = 1 + visible_ascii_len(&rest.as_bytes()[1..]);
    let start = text.len();
    text.push_str(&rest[..len]);
    if let Some(new) = text.get_mut(start..) {
        new.make_ascii_lowercase();
    }
    offsets.linear(len, 0);
    len
}

/// Writes a run of plain characters other than ASCII and gives its length in bytes.
fn write_other(rest: &str, text: &mut String, offsets: &mut OffsetMapBuilder) -> usize {
    let mut unflagged = 0;
    let mut len = 0;
    for character in rest.chars().take_while(|&character| !character.is_ascii() && character != '\u{3000}') {
        len += character.len_utf8();
        let becomes =
            if apostrophe::is_curly(character) && text.ends_with(is_letter) && rest[len..].starts_with(is_letter) {
                '\''
            } else {
                fold(character)
            };
        text.push(becomes);
        if becomes != character && is_han(character) && simplified::is_traditional(character) {
            offsets.linear(unflagged, 0);
            unflagged = 0;
            offsets.linear(1, SCRIPT);
        } else {
            unflagged += 1;
        }
    }
    offsets.linear(unflagged, 0);
    len
}

/// What a plain character other than ASCII becomes.
fn fold(character: char) -> char {
    match character {
        '\u{3400}'..='\u{9fff}' => simplified::simplified(character),
        '\u{80}'..='\u{17f}' => case::fold(character),
        '！'..='～' => char::from_u32(character as u32 - ('！' as u32 - '!' as u32)).unwrap_or(character),
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::super::alphabet::{Alphabet, is_mark};
    use super::super::{compose, ignorable, twins};
    use super::*;

    #[test]
    fn plain_characters_mind_no_neighbour() {
        for character in ('\u{80}'..=char::MAX).filter(|&character| is_plain(character)) {
            assert!(compose::starts_cluster(character), "{character}");
            assert!(!ignorable::is_ignorable(character), "{character}");
            assert!(!white_space::is_space(character), "{character}");
            assert!(!is_mark(character), "{character}");
            assert_eq!(Alphabet::of(character).is_some(), is_letter(character), "{character}");
            assert_eq!(twins::latin(character), None, "{character}");
        }
    }

    #[test]
    fn a_plain_stretch_ends_where_the_steps_are_needed() {
        for (text, expected) in [
            ("plain text, with single blanks and a well-placed hyphen.", 56),
            ("two  blanks\r\nand lines\n", 23),
            ("汉字，“标点”", 21),
            ("docu-\nment", 4),
            ("a-汉", 5),
            ("段。\n\u{3000}\u{3000}段", 16),
            ("a\u{301}", 1),
            ("a \u{a0}", 1),
            ("caf\u{e9} \u{131}", 5),
            ("", 0),
        ] {
            assert_eq!(len(text), expected, "{text:?}");
        }
    }
}
