//! What a Han character is: the one answer, and its part that is asked for most.

/// Whether a character is a Han ideograph: unified, of an extension, of the compatibility blocks, or 〇. Places of these
/// blocks that Unicode has not assigned yet count too, so that a text does not change its units with a new version.
pub fn is_han(character: char) -> bool {
    is_basic_han(character) || matches!(character, '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '〇')
}

/// Whether a character is a Han ideograph of the basic plane and no compatibility one. All of these are letters.
#[inline]
pub fn is_basic_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}
