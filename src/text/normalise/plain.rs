//! The fast path: stretches of text in which each character becomes one character and minds no neighbour.
//!
//! Plain characters are ASCII, the other letters of European languages written in Latin, Han characters of the basic
//! plane with their punctuation, kana, Hangul syllables and typographic quotes. What is done to them here must equal what the steps would do; a property test holds it to that.

use super::script::{self, Simplified};
use super::{alphabet::is_han, case, white_space};
use crate::text::offsets::OffsetMapBuilder;
use crate::text::units::flag::SCRIPT;

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
                | '·' | '–' | '—' | '‘' | '’' | '“' | '”'
                | '！'..='，' | '．'..='＠' | '［'..='｀' | '｛'..='～'
        )
}

/// Whether a character is a plain letter that may be part of a word with look-alikes.
pub(super) fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic() || is_accented(character)
}

/// The composed Latin letters that keep to themselves: not ß, ĳ, ŀ, ŉ, ſ and the Turkish i's.
fn is_accented(character: char) -> bool {
    matches!(
        character,
        'À'..='Ö' | 'Ø'..='Þ' | 'à'..='ö' | 'ø'..='į' | 'Ĵ'..='ľ' | 'Ł'..='ň' | 'Ŋ'..='ž'
    )
}

/// The number of bytes from the start of `text` that are plain: up to the first character that may need the steps.
///
/// White space may be collapsed in a plain stretch; a hyphen must be followed by a visible ASCII character.
pub(super) fn len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += simple_ascii_len(&bytes[at..]);
        let Some(&byte) = bytes.get(at) else { break };
        let next = bytes.get(at + 1).copied();
        match byte {
            b'-' if !next.is_some_and(|next| next.is_ascii_graphic()) => return at,
            0x21..=0x7e => at += 1,
            0..=0x7f => {
                let end = at
                    + bytes[at..]
                        .iter()
                        .take_while(|&&byte| is_ascii_space(byte))
                        .count();
                match text[end..].chars().next() {
                    Some(after) if !after.is_ascii() && !is_plain(after) => return at,
                    _ => at = end,
                }
            }
            _ => match text[at..].chars().next() {
                Some(character) if is_plain(character) => at += character.len_utf8(),
                _ => return at,
            },
        }
    }
    at
}

/// The length of a run of visible ASCII without hyphens, and of single blanks inside it.
fn simple_ascii_len(bytes: &[u8]) -> usize {
    const CHUNK: usize = 32;
    let mut at = 0;
    while let Some(chunk) = bytes[at..].first_chunk::<{ CHUNK + 1 }>() {
        let mut odd = false;
        for index in 0..CHUNK {
            let (byte, next) = (chunk[index], chunk[index + 1]);
            odd |= !(0x20..=0x7e).contains(&byte)
                | (byte == b'-')
                | ((byte == b' ') & !(0x21..=0x7e).contains(&next));
        }
        if odd {
            break;
        }
        at += CHUNK;
    }
    at + bytes[at..]
        .iter()
        .take_while(|&&byte| byte.is_ascii_graphic() && byte != b'-')
        .count()
}

fn is_ascii_space(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_graphic()
}

/// Appends a plain stretch to the normalised text and its map.
pub(super) fn write(plain: &str, text: &mut String, offsets: &mut OffsetMapBuilder) {
    let mut rest = plain;
    while let Some(first) = rest.as_bytes().first() {
        let len = if first.is_ascii() {
            let len = rest
                .bytes()
                .position(|byte| !byte.is_ascii())
                .unwrap_or(rest.len());
            write_ascii(&rest[..len], text, offsets);
            len
        } else {
            write_other(rest, text, offsets)
        };
        rest = &rest[len..];
    }
}

fn write_ascii(ascii: &str, text: &mut String, offsets: &mut OffsetMapBuilder) {
    let bytes = ascii.as_bytes();
    let start = text.len();
    let (mut written, mut at) = (0, 0);
    while at < bytes.len() {
        at += simple_ascii_len(&bytes[at..]);
        let run = bytes[at..]
            .iter()
            .take_while(|&&byte| is_ascii_space(byte))
            .count();
        if run == 0 {
            // A hyphen, or a single byte at the end of a chunk.
            at += usize::from(at < bytes.len());
            continue;
        }
        let spaces = &ascii[at..at + run];
        let becomes = white_space::collapsed(spaces.chars());
        if spaces != becomes {
            text.push_str(&ascii[written..at]);
            offsets.linear(at - written, 0);
            text.push_str(becomes);
            offsets.odd(run, becomes.len(), 0);
            written = at + run;
        }
        at += run;
    }
    text.push_str(&ascii[written..]);
    offsets.linear(bytes.len() - written, 0);
    // ASCII stays ASCII, so its lower case can be made in place.
    if let Some(new) = text.get_mut(start..) {
        new.make_ascii_lowercase();
    }
}

/// Writes the characters up to the next ASCII one and gives their length in bytes.
fn write_other(rest: &str, text: &mut String, offsets: &mut OffsetMapBuilder) -> usize {
    let mut unflagged = 0;
    let mut len = 0;
    for character in rest.chars().take_while(|character| !character.is_ascii()) {
        len += character.len_utf8();
        let becomes = fold(character);
        text.push(becomes);
        if becomes != character && is_han(character) && script::is_traditional(character) {
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
        '\u{3400}'..='\u{9fff}' => Simplified::table().of(character),
        '\u{80}'..='\u{17f}' => case::fold(character),
        '！'..='～' => {
            char::from_u32(character as u32 - ('！' as u32 - '!' as u32)).unwrap_or(character)
        }
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
            assert_eq!(
                Alphabet::of(character).is_some(),
                is_letter(character),
                "{character}"
            );
            assert_eq!(twins::latin(character), None, "{character}");
        }
    }

    #[test]
    fn a_plain_stretch_ends_where_the_steps_are_needed() {
        for (text, expected) in [
            (
                "plain text, with single blanks and a well-placed hyphen.",
                56,
            ),
            ("two  blanks\r\nand lines\n", 23),
            ("汉字，“标点”", 21),
            ("docu-\nment", 4),
            ("a\u{301}", 1),
            ("a \u{a0}", 1),
            ("caf\u{e9} \u{131}", 5),
            ("", 0),
        ] {
            assert_eq!(len(text), expected, "{text:?}");
        }
    }
}
