//! Joins the lines of a paragraph: a blank, nothing, or a hyphen taken back.

use ahash::AHashSet;

use super::lines::Page;
use crate::text::extract::builder::{TextBuilder, is_wide};

/// What may stand at a line's end in a broken word.
const HYPHENS: [char; 3] = ['-', '\u{AD}', '‐'];

/// The words of a document, for telling a hyphen from a broken word.
pub(super) struct Words(AHashSet<String>);

impl Words {
    pub(super) fn of(pages: &[Page]) -> Self {
        let mut words = AHashSet::new();
        let mut broken = false;
        for line in pages.iter().flat_map(|page| &page.lines) {
            // The two parts of a broken word are none.
            let first = usize::from(std::mem::replace(&mut broken, line.text.ends_with(HYPHENS)));
            let count = line.text.split(' ').count() - usize::from(broken);
            words.extend(line.text.split(' ').take(count).skip(first).map(bare));
        }
        Words(words)
    }

    /// Whether `first-` at a line's end and `second` on the next line are a word with a hyphen, and not a broken one.
    fn keep_hyphen(&self, first: &str, second: &str) -> bool {
        let (first, second) = (bare(first), bare(second));
        let holds = |word: &str| self.0.contains(word);
        let broken = holds(&format!("{first}{second}"));
        holds(&format!("{first}-{second}")) || (!broken && holds(&first) && holds(&second))
    }
}

/// A word in lower case without punctuation around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Prepares for the next line of a paragraph.
pub(super) fn join_lines(builder: &mut TextBuilder, next: &str, words: &Words) {
    let (last, first) = (builder.text().chars().next_back(), next.chars().next());
    if last.is_some_and(is_wide) && first.is_some_and(is_wide) {
        return;
    }
    let broken = last.is_some_and(|c| HYPHENS.contains(&c)) && first.is_some_and(char::is_lowercase);
    if broken {
        let word = builder.text().rsplit([' ', '\n', '\t']).next().unwrap_or_default();
        let keep = last != Some('\u{AD}') && words.keep_hyphen(word, next.split(' ').next().unwrap_or_default());
        if keep || builder.take_back_hyphen() {
            return;
        }
    }
    builder.blank();
}
