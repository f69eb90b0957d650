//! Words that are misspelt all over a text: a letter doubled, dropped or swapped with the next one, a mark on a letter, a blank
//! or a line's end inside, or none between two words.
//!
//! No dictionary is needed. An English text is full of few words, `with` and `which` and `from`, and nobody writes `wtih`,
//! `whhich` and `fr om` for many of them. In 277 English books one in 58 of them at most is written so; in a text whose
//! words were changed by a program all are. And no language has a doubled letter in nearly every word.

use super::kinds::FlagKind;
use super::signs::Signs;
use crate::normalise::ignorable::is_ignorable;
use crate::script::is_latin;
use crate::units::ENGLISH_STOP_WORDS;
use crate::visible::is_combining_mark;
use ahash::{AHashMap, AHashSet};
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// The fewest misspelt function words that are no typing errors. Chosen by hand.
const MISSPELT: usize = 20;

/// The fewest different function words among them. Scots, whose words are nearest to those of English, has six.
const DIFFERENT: usize = 10;

/// The share of all function words, or of all neighbours, that is changed: one in five. In 277 English books it is one in 58 at
/// most.
const ONE_IN: usize = 5;

/// Function words of fewer letters are other words when they are changed.
const SHORTEST: usize = 4;

/// The bytes of the longest function word.
const LONGEST: usize = 10;

/// Words that come from function words by such a change, and are words.
const OTHER_WORDS: &str = "bellow blow booth bout cold dose ether fist form gain hall heir hose quiet quit sine sued thee thin \
    tough tree trough";

/// From how many words in a hundred with a doubled letter on these are doubled by a program. Of 412 languages Kalaallisut has the
/// most, 89.
const DOUBLED: usize = 95;

/// The fewest words in which that is told. Chosen by hand.
const ENOUGH_WORDS: usize = 200;

/// The fewest different letters that are doubled: sequences of genes have few. Chosen by hand.
const DOUBLED_LETTERS: usize = 12;

/// Words that stand side by side all over an English text.
const NEIGHBOURS: &str = "of the in the to the on the and the for the by the from the with the at the that the to be it is \
    it was of a in a with a as a has been have been had been can be will be would be of his in his of her to his that he \
    of their in their of this in this";

/// The fewest of these neighbours without a blank between that are no slips. Chosen by hand.
const JOINED: usize = 10;

/// The fewest different ones among them. Chosen by hand.
const DIFFERENT_JOINED: usize = 5;

/// What a written word stands for.
#[derive(Clone, Copy)]
enum Form {
    /// The function word of this number.
    Right(usize),
    /// A change of it.
    Changed(usize),
}

/// What is known of a row of letters: each is looked up once.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The function word that it stands for.
    form: Option<Form>,
    /// Whether it is two of the neighbours without a blank between.
    is_joined: bool,
}

static KNOWN: LazyLock<AHashMap<String, Known>> = LazyLock::new(|| {
    let all: AHashSet<&str> = ENGLISH_STOP_WORDS.split_ascii_whitespace().collect();
    // Those without their apostrophe are two words in a text.
    let words = ENGLISH_STOP_WORDS.split_ascii_whitespace();
    let words = words.filter(|word| word.len() >= SHORTEST && !word.ends_with("nt") && *word != "thats");
    let words: Vec<&str> = words.collect();
    let mut forms: AHashMap<String, Form> = AHashMap::new();
    for (number, word) in words.iter().enumerate() {
        for changed in changes(word).filter(|changed| !all.contains(changed.as_str())) {
            forms.entry(changed).or_insert(Form::Changed(number));
        }
    }
    forms.retain(|word, _| !OTHER_WORDS.split_ascii_whitespace().any(|other| other == word));
    forms.extend(words.iter().enumerate().map(|(number, word)| ((*word).to_owned(), Form::Right(number))));
    let of_form = |(word, form)| (word, Known { form: Some(form), is_joined: false });
    let mut known: AHashMap<String, Known> = forms.into_iter().map(of_form).collect();
    for two in NEIGHBOURS.split_ascii_whitespace().collect::<Vec<&str>>().chunks(2) {
        known.entry(two.concat()).or_default().is_joined = true;
    }
    known
});

/// Function words that two others make up, which some write apart.
static COMPOUNDS: LazyLock<AHashSet<&str>> = LazyLock::new(|| {
    let all: AHashSet<&str> = ENGLISH_STOP_WORDS.split_ascii_whitespace().collect();
    let is_compound = |word: &&str| (1..word.len()).any(|at| all.contains(&word[..at]) && all.contains(&word[at..]));
    all.iter().copied().filter(is_compound).collect()
});

/// The word with one letter doubled, two swapped, or one dropped.
fn changes(word: &str) -> impl Iterator<Item = String> {
    let doubled = (0..word.len()).map(move |at| format!("{}{}", &word[..=at], &word[at..]));
    let swapped = (0..word.len() - 1)
        .filter(move |&at| word.as_bytes()[at] != word.as_bytes()[at + 1])
        .map(move |at| format!("{}{}{}{}", &word[..at], &word[at + 1..at + 2], &word[at..at + 1], &word[at + 2..]));
    let is_long = word.len() > SHORTEST;
    let dropped = (0..word.len()).filter(move |_| is_long).map(move |at| format!("{}{}", &word[..at], &word[at + 1..]));
    doubled.chain(swapped).chain(dropped)
}

pub(super) fn find(text: &[char], signs: &mut Signs) {
    let (mut right, mut misspelt, mut different) = (0, 0, AHashSet::new());
    let (mut long, mut doubled, mut doubled_letters) = (0, 0, AHashSet::new());
    let (mut apart, mut joined, mut different_joined) = (0, 0, AHashSet::new());
    let known = |word: &str| KNOWN.get(word).copied().unwrap_or_default();
    // The word before, and where it ended.
    let mut before = (String::new(), 0);
    let (mut bare, mut both) = (String::new(), String::new());
    let is_in_word = |c: char| is_latin(c) || is_combining_mark(c) || is_ignorable(c);
    let mut at = 0;
    while at < text.len() {
        if !is_latin(text[at]) {
            at += 1;
            continue;
        }
        let length = text[at..].iter().take_while(|c| is_in_word(**c)).count();
        let word = &text[at..at + length];
        let is_plain = word.iter().all(char::is_ascii_alphabetic);
        bare.clear();
        if is_plain {
            bare.extend(word.iter().map(char::to_ascii_lowercase));
        } else {
            let letters = word.iter().copied().flat_map(char::to_lowercase).nfd();
            bare.extend(letters.filter(|c| !is_combining_mark(*c) && !is_ignorable(*c)));
        }
        let is_marked = !is_plain && word.iter().any(|c| !c.is_ascii() && !is_ignorable(*c));
        // A backslash ends a line in Markdown.
        let goes_on = || text[before.1..at].iter().all(|c| c.is_whitespace() || *c == '\\');
        let is_short = before.0.len() + bare.len() <= LONGEST && !before.0.is_empty();
        let here = known(&bare);
        let mut with_before = Known::default();
        if is_short && goes_on() {
            both.clear();
            both.extend([before.0.as_str(), &bare]);
            with_before = known(&both);
        }
        if here.is_joined {
            joined += 1;
            different_joined.insert(bare.clone());
        } else if with_before.is_joined {
            apart += 1;
        }
        match (here.form, with_before.form) {
            (Some(Form::Right(_)), _) if !is_marked => right += 1,
            (Some(Form::Right(number) | Form::Changed(number)), _) => {
                misspelt += 1;
                different.insert(number);
            }
            (None, Some(Form::Right(number))) if !COMPOUNDS.contains(both.as_str()) => {
                misspelt += 1;
                different.insert(number);
            }
            _ => {}
        }
        if length >= SHORTEST {
            long += 1;
            let twins = bare.as_bytes().windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]);
            let many = doubled_letters.len();
            doubled += usize::from(twins.clone().count() > 0);
            if many < DOUBLED_LETTERS {
                doubled_letters.extend(twins);
            }
        }
        at += length;
        std::mem::swap(&mut before.0, &mut bare);
        before.1 = at;
    }
    let is_misspelt = misspelt >= MISSPELT && different.len() >= DIFFERENT && misspelt * ONE_IN >= right + misspelt;
    let is_doubled =
        long >= ENOUGH_WORDS && doubled * 100 >= long * DOUBLED && doubled_letters.len() >= DOUBLED_LETTERS;
    let is_joined = joined >= JOINED && different_joined.len() >= DIFFERENT_JOINED && joined * ONE_IN >= joined + apart;
    if is_misspelt || is_doubled || is_joined {
        let count = if is_doubled { doubled } else { misspelt.max(joined) };
        signs.add(FlagKind::ReplacedLetters, 0..text.len() as u32, count as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE: &str = "These marshes, which have been there since before the first of their walls, would drown without the \
        silt that every flood could bring over their banks, and from where they were made they might move again with \
        other creeks, through which some water would still come after such storms as those. ";

    fn is_flagged(text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let mut signs = Signs::new(&text);
        find(&text, &mut signs);
        !signs.finish().is_empty()
    }

    fn words(text: &str, change: impl Fn(&str) -> String) -> String {
        let words = text.split(' ').map(|word| if word.len() > 3 { change(word) } else { word.to_owned() });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_misspelt_all_over_a_text_are_flagged() {
        let changes: [fn(&str) -> String; 6] = [
            |word| format!("{}{}", &word[..2], &word[1..]),
            |word| format!("{}{}{}", &word[1..2], &word[..1], &word[2..]),
            |word| format!("{}{}", &word[..2], &word[3..]),
            |word| format!("{} {}", &word[..2], &word[2..]),
            |word| format!("{}\n{}", &word[..2], &word[2..]),
            |word| format!("{}\u{301}{}", &word[..2], &word[2..]),
        ];
        for (at, change) in changes.into_iter().enumerate() {
            assert!(is_flagged(&words(&PROSE.repeat(4), change)), "{at}");
        }
        let polish = "słowa których każde jedno dwojone będzie miało litery zawsze gdzie potem bardzo mgły chyba furtka pusto nigdy ";
        assert!(is_flagged(&words(&polish.repeat(40), |word| {
            let at = word.char_indices().nth(word.len() % 4).map_or(0, |(at, _)| at);
            let letter = word[at..].chars().next().unwrap_or_default();
            format!("{}{letter}{}", &word[..at], &word[at..])
        })));
    }

    #[test]
    fn a_text_without_every_second_blank_is_flagged() {
        let text = "The silt of the marsh is to be left on the bank by the tide, and it was said that he saw in the creek of his \
            farm what had been lost to the sea for a time. It is with the rest that a part of their land can be kept. ";
        let joined = |text: &str, every: usize| {
            let words = text.split_whitespace().enumerate();
            words.map(|(at, word)| format!("{word}{}", if at % every == 0 { "" } else { " " })).collect::<String>()
        };
        assert!(is_flagged(&joined(&text.repeat(9), 2)) && is_flagged(&joined(&text.repeat(9), 3)));
        assert!(!is_flagged(&text.repeat(9)) && !is_flagged(&joined(&text.repeat(9), 20)));
    }

    #[test]
    fn texts_with_typing_errors_and_in_other_languages_are_not() {
        assert!(!is_flagged(&PROSE.repeat(9)));
        let typing = "with wich the teh form from three tree and thier own form of gain was noticed ";
        assert!(!is_flagged(&(PROSE.repeat(3) + typing).repeat(9)));
        assert!(!is_flagged(&"决策树 tree 的 form 与 gain, thin, cold, hall, dose, sine 和 blow 的值。".repeat(90)));
        assert!(!is_flagged(&"tullaan täällä meidän kaikki saarella asuu huutaa kuulla pääsee ollaan ".repeat(90)));
        assert!(!is_flagged(&"aattccgg ggccttaa ccggaatt ttaaggcc ".repeat(90)));
    }
}
