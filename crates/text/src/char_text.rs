//! Pieces of a text by character offsets.

use std::ops::Range;

/// A text that is cut by character offsets: every 64th character's byte is remembered.
pub struct CharText<'a> {
    text: &'a str,
    landmarks: Vec<usize>,
}

/// Characters between two landmarks.
const STEP: usize = 64;

impl<'a> CharText<'a> {
    /// Prepares a text.
    pub fn new(text: &'a str) -> Self {
        CharText { text, landmarks: text.char_indices().step_by(STEP).map(|(byte, _)| byte).collect() }
    }

    /// The text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The characters of a range; what lies past the end is left out.
    pub fn slice(&self, chars: &Range<u32>) -> &'a str {
        &self.text[self.bytes(chars)]
    }

    /// The bytes of a range of characters.
    pub fn bytes(&self, chars: &Range<u32>) -> Range<usize> {
        self.byte(chars.start)..self.byte(chars.end)
    }

    fn byte(&self, character: u32) -> usize {
        let character = character as usize;
        let Some(&landmark) = self.landmarks.get(character / STEP) else { return self.text.len() };
        let rest = &self.text[landmark..];
        rest.char_indices().nth(character % STEP).map_or(self.text.len(), |(byte, _)| landmark + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn slices_by_character_equal_those_counted_out(text in "\\PC{0,300}", a in 0usize..310, length in 0usize..200) {
            let expected: String = text.chars().skip(a).take(length).collect();
            assert_eq!(CharText::new(&text).slice(&(a as u32..(a + length) as u32)), expected);
        }
    }
}
