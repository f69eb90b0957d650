//! Joins the lines of a paragraph: a blank, nothing, or a hyphen taken back.

use ahash::AHashSet;

use super::lines::Page;
use crate::extract::builder::TextBuilder;
use crate::extract::wide::is_wide;

/// What may stand at a line's end in a broken word.
pub(super) const HYPHENS: [char; 3] = ['-', '\u{AD}', '‐'];

/// How many Latin words broken without a hyphen tell that the program breaks them like this among Han characters.
const FEWEST_BROKEN: usize = 3;

/// The words of a document, for telling a hyphen from a broken word.
pub(super) struct Words {
    words: AHashSet<String>,
    /// Latin words among Han characters.
    latin: AHashSet<String>,
    /// Whether such words are broken at the ends of lines without a hyphen.
    breaks_latin: bool,
}

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
        let mut all = Words { words, latin: AHashSet::new(), breaks_latin: false };
        let mixed = || pages.iter().flat_map(|page| &page.lines).filter(|line| line.text.contains(is_wide));
        for line in mixed() {
            // Those at the edges of a line may be parts of words.
            let inside = line.text.trim_start_matches(is_latin).trim_end_matches(is_latin);
            let runs = inside.split(|c| !is_latin(c)).filter(|run| !run.is_empty());
            all.latin.extend(runs.map(str::to_ascii_lowercase));
        }
        let lines: Vec<&str> = mixed().map(|line| line.text.as_str()).collect();
        let broken = lines.windows(2).filter(|pair| all.is_one_word(pair[0], pair[1])).count();
        all.breaks_latin = broken >= FEWEST_BROKEN;
        all
    }

    /// Whether a Latin word goes on from one line among Han characters to the next: it is known, and its parts are not both.
    fn is_one_word(&self, line: &str, next: &str) -> bool {
        let first = &line[line.trim_end_matches(is_latin).len()..];
        let second = &next[..next.len() - next.trim_start_matches(is_latin).len()];
        if first.is_empty() || second.is_empty() || first.len() == line.len() {
            return false;
        }
        let holds = |word: &str| self.latin.contains(&word.to_ascii_lowercase());
        let both = holds(first) && holds(second);
        !both && (self.breaks_latin || holds(&format!("{first}{second}")))
    }

    /// Whether `first-` at a line's end and `second` on the next line are a word of the document, such as an acronym.
    fn is_known(&self, first: &str, second: &str) -> bool {
        self.words.contains(&format!("{}{}", bare(first), bare(second)))
    }

    /// Whether `first-` at a line's end and `second` on the next line are a word with a hyphen, and not a broken one.
    fn keep_hyphen(&self, first: &str, second: &str) -> bool {
        let (first, second) = (bare(first), bare(second));
        let holds = |word: &str| self.words.contains(word);
        let broken = holds(&format!("{first}{second}"));
        holds(&format!("{first}-{second}")) || (!broken && holds(&first) && holds(&second))
    }
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric()
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
    let paragraph = builder.text().rsplit('\n').next().unwrap_or_default();
    if paragraph.contains(is_wide) && words.is_one_word(paragraph, next) {
        return;
    }
    if last.is_some_and(|c| HYPHENS.contains(&c)) {
        let word = builder.text().rsplit([' ', '\n', '\t']).next().unwrap_or_default();
        let rest = next.split(' ').next().unwrap_or_default();
        if !first.is_some_and(char::is_lowercase) && !words.is_known(word, rest) {
            return builder.blank();
        }
        let keep = last != Some('\u{AD}') && words.keep_hyphen(word, rest);
        if keep || builder.take_back_hyphen() {
            return;
        }
    }
    builder.blank();
}

#[cfg(test)]
mod tests {
    use super::super::lines::PdfLine;
    use super::*;
    use copytrace_text::Metadata;

    #[test]
    fn latin_words_that_are_broken_among_han_characters_are_joined() {
        let lines = ["他用Eclipse写程序，", "又停止了对E", "clipse插件的更新，因为the", "author不再写了。"];
        let line = |text: &&str| PdfLine { text: (*text).to_owned(), ..PdfLine::default() };
        let page = Page { lines: lines.iter().map(line).collect(), ..Page::default() };
        let words = Words::of(&[page]);
        let mut builder = TextBuilder::default();
        for line in lines {
            join_lines(&mut builder, line, &words);
            builder.push(line);
        }
        let text = builder.finish(Metadata::default()).text;
        assert_eq!(text, "他用Eclipse写程序，又停止了对Eclipse插件的更新，因为the author不再写了。");
    }
}
