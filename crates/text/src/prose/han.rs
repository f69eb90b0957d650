//! Which Han characters stand side by side in words.

use crate::packed::unpacked;
use crate::script::COMMON_HAN;
use std::sync::LazyLock;

/// The pairs of neighbouring characters in words of two and more, from jieba's dictionary (Sun Junyi, MIT licence).
pub(super) struct Pairs {
    /// For each character of the first block, where those behind it begin.
    starts: Vec<u32>,
    seconds: Vec<char>,
}

impl Pairs {
    pub(super) fn built_in() -> &'static Pairs {
        static BUILT_IN: LazyLock<Pairs> = LazyLock::new(|| Pairs::read(&unpacked(include_bytes!("data/han.txt.zst"))));
        &BUILT_IN
    }

    fn read(text: &str) -> Pairs {
        let (mut starts, mut seconds) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let mut characters = line.chars();
            let first = characters.next().and_then(place).unwrap_or_default();
            starts.resize(first + 1, seconds.len() as u32);
            seconds.extend(characters);
        }
        starts.push(seconds.len() as u32);
        Pairs { starts, seconds }
    }

    /// Whether two normalised characters stand side by side in some word.
    pub(super) fn has(&self, first: char, second: char) -> bool {
        let Some(first) = place(first) else { return false };
        let (Some(start), Some(end)) = (self.starts.get(first), self.starts.get(first + 1)) else { return false };
        self.seconds[*start as usize..*end as usize].binary_search(&second).is_ok()
    }
}

fn place(character: char) -> Option<usize> {
    COMMON_HAN.contains(&character).then(|| character as usize - *COMMON_HAN.start() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_words_are_known_and_others_are_not() {
        for (pair, is_known) in
            [("潮水", true), ("中国", true), ("究生", true), ("水潮", false), ("的汐", false), ("a水", false)]
        {
            let mut characters = pair.chars();
            let (first, second) = (characters.next().unwrap(), characters.next().unwrap());
            assert_eq!(Pairs::built_in().has(first, second), is_known, "{pair}");
        }
    }
}
