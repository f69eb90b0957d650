//! Whether text reads like a declaration: how much of its words declarations are made of, piece by piece.

use super::flowing::flowing;
use super::lines::TextLine;
use crate::languages::languages;
use crate::script::is_unspaced;
use ahash::AHashSet;
use std::ops::Range;

// All are chosen by hand; sizes are in letters as `Vocabulary::weigh` counts them, of words that say something.

/// A piece declares if at least one letter in three is of a word of declarations: prose has one in ten.
const PIECE_ONE_IN: u32 = 3;

/// From this many letters on a piece ends with the next comma, so that nothing can be put behind one.
const PIECE: u32 = 100;

/// A piece with fewer letters and no word of declarations is a name, a place or a date.
const SLOT: u32 = 40;

/// A label and what stands behind it have fewer letters: "Candidate: A. Clerk".
const FIELD: u32 = 60;

/// The most letters of all names, dates, quoted titles and titles of the title page in a declaration.
const SLOTS: u32 = 300;

/// The most letters of its fields.
const FIELDS: u32 = 600;

/// How many letters a title has that stands on a line of the title page. One in quotation marks may have fewer.
const TITLE: Range<u32> = 12..200;

/// The first lines of a text, of which a title page is one.
const TITLE_PAGE: usize = 60;

/// A line with fewer letters ends its piece.
const SHORT_LINE: u32 = 30;

/// What lines have of declarations, from a first line on.
#[derive(Debug, Clone, Default)]
pub(super) struct Reach {
    /// The line it reaches to, exclusive: the last one that says something of a declaration.
    pub(super) end: usize,
    /// Letters of pieces that declare something.
    pub(super) letters: u32,
    /// Those of them in words of declarations.
    pub(super) known: u32,
    /// The words of declarations in them.
    pub(super) words: AHashSet<u32>,
    /// Whether somebody speaks in them, ...
    speaks: bool,
    /// ... and whether something is declared.
    declares: bool,
    slots: u32,
    fields: u32,
}

/// What may be a title: the first lines of a text, as [`flowing`] gives them.
pub(super) fn title_page(lines: &[TextLine<'_>]) -> Vec<String> {
    lines.iter().take(TITLE_PAGE).map(|line| flowing([line.text])).collect()
}

/// How far lines read like a declaration without a break, but for the titles of a [`title_page`] above them. A line of which some does not
/// is not in it.
pub(super) fn reach(lines: &[TextLine<'_>], range: Range<usize>, longest: u32, title_page: &[String]) -> Reach {
    let titles = &title_page[..range.start.min(title_page.len())];
    let mut reach = Reach { end: range.start, ..Reach::default() };
    // The same at the end of the last whole line.
    let mut whole = reach.clone();
    for piece in pieces(lines, range) {
        if piece.lines.start >= reach.end {
            whole = reach.clone();
        }
        if !reach.add(&piece, titles) || reach.letters + reach.slots + reach.fields > longest {
            return if piece.lines.start < reach.end { whole } else { reach };
        }
    }
    reach
}

impl Reach {
    /// Whether somebody declares something.
    pub(super) fn is_sworn(&self) -> bool {
        self.speaks && self.declares
    }

    /// Adds a piece, if it may stand in a declaration.
    fn add(&mut self, piece: &Piece, titles: &[String]) -> bool {
        let (text, titled) = without_titles(&piece.text, titles);
        let weighed = languages().vocabulary.weigh(&text);
        self.slots += titled;
        if weighed.known > 0 && weighed.known * PIECE_ONE_IN >= weighed.letters {
            self.end = piece.lines.end;
            self.letters += weighed.letters;
            self.known += weighed.known;
            self.words.extend(weighed.words);
            let is_oath = languages().oaths.is_in(&text);
            self.speaks |= is_oath || languages().speakers.is_said(&text);
            self.declares |= is_oath || languages().acts.is_said(&text);
        } else if is_field(&text) && weighed.letters < FIELD {
            self.fields += weighed.letters;
        } else if weighed.letters < SLOT {
            self.slots += weighed.letters;
        } else {
            return false;
        }
        self.slots <= SLOTS && self.fields <= FIELDS
    }
}

/// "□ 博士 □ 硕士", "Candidate: A. Clerk", "Ort, Datum ........".
fn is_field(text: &str) -> bool {
    text.contains(['□', '☐', '☑', '☒', '：', ':', '＿', '\t'])
        || ["__", "..", "……", "--"].iter().any(|rule| text.contains(rule))
}

/// A text without the titles in it, and how many letters they have.
fn without_titles(text: &str, titles: &[String]) -> (String, u32) {
    let weigh = |text: &str| languages().vocabulary.weigh(text).letters;
    let mut left = text.to_owned();
    let mut letters = 0;
    let brackets = [('《', vec!['》']), ('〈', vec!['〉'])];
    for (opening, closing) in languages().quotation_marks.iter().chain(&brackets) {
        let Some((before, behind)) = left.split_once(*opening) else { continue };
        let Some((title, rest)) = behind.split_once(|c: char| closing.contains(&c)) else { continue };
        let size = weigh(title);
        if size < TITLE.end {
            letters += size;
            left = format!("{before} {rest}");
        }
    }
    for title in titles {
        if left.len() > title.len() && left.contains(title.as_str()) && TITLE.contains(&weigh(title)) {
            letters += weigh(title);
            left = left.replacen(title.as_str(), " ", 1);
        }
    }
    (left, letters)
}

/// Some words in a row that end with a sentence, a line of their own, or a comma.
struct Piece {
    text: String,
    lines: Range<usize>,
}

/// The pieces of lines, one after the other.
fn pieces<'a>(lines: &'a [TextLine<'a>], range: Range<usize>) -> impl Iterator<Item = Piece> + 'a {
    let end = range.end;
    range
        .scan(None::<(usize, String)>, move |open, at| {
            let (mut from, mut text) = open.take().unwrap_or((at, String::new()));
            let mut found = Vec::new();
            let mut push = |text: &mut String, from: &mut usize| {
                if text.contains(char::is_alphanumeric) {
                    found.push(Piece { text: flowing([text.as_str()]), lines: *from..at + 1 });
                }
                text.clear();
                *from = at;
            };
            let weigh = |text: &str| languages().vocabulary.weigh(text).letters;
            let line = lines[at].text;
            if text.chars().next_back().is_some_and(|last| !is_unspaced(last)) {
                text.push(' ');
            }
            let mut characters = line.chars().peekable();
            while let Some(c) = characters.next() {
                text.push(c);
                let before_blank = characters.peek().is_none_or(|next| next.is_whitespace());
                let ends = matches!(c, '。' | '！' | '？' | '；') || matches!(c, '.' | '!' | '?' | ';') && before_blank;
                let pauses = matches!(c, '，' | '、' | '：') || matches!(c, ',' | ':' | '–' | '—') && before_blank;
                // Initials and abbreviations end nothing.
                if ends && weigh(&text) >= SLOT || pauses && weigh(&text) >= PIECE {
                    push(&mut text, &mut from);
                }
            }
            let goes_on = at + 1 < end && !lines[at + 1].starts_paragraph && weigh(line) >= SHORT_LINE;
            if goes_on {
                if !text.is_empty() {
                    *open = Some((from, text));
                }
            } else {
                push(&mut text, &mut from);
            }
            Some(found)
        })
        .flatten()
}
