//! Which windows are language.
//!
//! The Han characters and the words of a window are judged apart, each together with those of the windows on both sides, so that one
//! sentence full of names decides nothing. The measured shares behind the limits are in `docs/LANGUAGE.md`.

use super::Cause;
use super::counts::Counts;
use super::scripts;
use super::windows::{OF_HAN, Window, Windows};
use crate::spelling::languages::{Alphabet, Language, Languages};
use crate::spelling::strays::MOST_PARTED;
use crate::spelling::substitution;
use std::collections::BTreeMap;
use std::ops::Range;

/// The least share of Han characters in words of two and more. Honest theses have .8, books of a century ago .6, and where every third
/// character is another one .3 is left.
const LEAST_IN_WORDS: f32 = 0.38;

/// The least share of the characters of classical Chinese that are its grammar, and how many times as many these are at least as those of today's.
const CLASSICAL: f32 = 0.04;
const MORE_THAN_MODERN: u32 = 2;

/// The fewest Han characters of a run, on average: theses full of terms and figures have 5 and more. Other signs behind
/// every second or third character leave words of two whole.
const LEAST_RUN: f32 = 4.1;

/// The least share of letters of content words that are in English words. Honest theses have .93, and where 60 % of the content
/// words are misspelt .5 is left.
const LEAST_ENGLISH: f32 = 0.68;

/// The same of what was restored from a language that has no table, if it is one. Any letters can be led to English words, but hardly to its frequent
/// ones: of 60 languages they have .17 of the share of English at most, joined, parted, doubled and reversed English .44 to .85.
const LEAST_ENGLISH_RESTORED: f32 = 0.6;
const LEAST_FREQUENT_RESTORED: f32 = 0.3;

/// The same where the window has none of the frequent words that every sentence has: names, tables, labels.
const LEAST_ENGLISH_OF_LIST: f32 = 0.5;

/// The share of the letters of content words up to which unknown words with a capital are names, and beside the point.
const MOST_NAMES: f32 = 0.3;

/// The most bits that trigrams take, as a multiple of what those of the language's honest prose do.
const MOST_BITS: f32 = 1.35;

/// The same for lists, of which names and foreign words may be a part.
const MOST_BITS_OF_LIST: f32 = 1.8;

/// The most letters for each trigram: there is one for two letters in most languages, and none in letters one by one.
const LETTERS_OF_TRIGRAM: u32 = 6;

/// Words of languages have fewer letters on average: of 532 translations of the Declaration of Human Rights the Greenlandic one has the most, 15.
const LETTERS_OF_WORD: u32 = 25;

/// The least share of the frequent words that its sentences have, by which a language is known.
const LEAST_FREQUENT: f32 = 0.4;

/// English sentences have this share of their frequent words at least, over [`STRETCH`] windows on either side with [`STRETCH_WORDS`] words: other
/// words put between them dilute it. Of 276 theses, books and fields of abstracts the least has .64, lists of references and appendices left
/// out; where a word stands behind each word it is .49 to .59. Lists and tables have as few, but their lines are shorter than [`WORDS_OF_LINE`], or their words no English ones.
const LEAST_FREQUENT_OF_STRETCH: f32 = 0.57;
/// Sentences with numbers have one alone between two words for five words, and "the" before a frequent word or the end of a clause in one place of ten; where words stand in
/// any order it is every second one.
const MOST_NUMBERS_OF_STRETCH: f32 = 0.4;
const MOST_STRANDED: f32 = 0.3;
const STRETCH: usize = 25;
const STRETCH_WORDS: u32 = 1000;
const WORDS_OF_LINE: u32 = 7;

/// From how many pairs of frequent words of English on with one word between (or two), and from how many times as many on as have two (or one), words
/// were put between words. They are counted in those windows of a stretch that have no two such words side by side. A foreign word behind every word
/// gives 40 to 130 and 14 times as many; of 277 books and 490 theses and documents none has more than 17 where it is eight times as many.
const LEAST_INTERLEAVED: u32 = 30;
const OF_PERIOD: u32 = 8;

/// The fewest clauses of Chinese that end with a character that others follow where words stand in no order of Chinese, and the share of the clauses
/// in a stretch that these exceed: where other words were put between, or sentences are written backwards, it is .05 to .15; of 154 books and 153
/// theses and documents the most is .033.
const LEAST_CUT_SHORT: u32 = 8;
const MOST_CUT_SHORT: f32 = 0.05;

/// Languages with at least this share of the number of frequent words that another has are told from it by their letters: sisters share these words.
const SISTERS: f32 = 0.7;

/// The bits beyond which letters stand side by side as in no language. Languages without a table take 3 to 6 by that of a related
/// one, and letters that stand for others 10.
const MOST_BITS_OF_UNKNOWN: f32 = 6.5;

/// A text that is as near to a language as this, as a multiple of its bits, is in it, and its sentences would have its frequent words.
const NEAR: f32 = 1.3;

/// Prose has more letters than this for each sign of programs, where it is looked for among programs.
const SIGNS_OF_PROGRAM: u32 = 8;

/// Fewer Han characters, or letters of words, are not judged.
const ENOUGH_HAN: u32 = 20;
const ENOUGH_LETTERS: u32 = 60;

/// The share of kana from which on Han characters are Japanese, as long as no one kana is more than this share of all: の, the most frequent, is a
/// tenth. One that stands between Chinese characters again and again is a sign like others.
const KANA: f32 = 0.15;
const MOST_OF_ONE_KANA: f32 = 0.35;
/// The largest share of the Han characters of Japanese that are grammar of today's Chinese: 的 as in 目的. 180 pages of Japanese have .013, a tenth of
/// their windows .027 and more.
const MOST_MODERN: f32 = 0.05;

/// In how many letters at most one is of a word with figures in it: formulas of chemistry and names of products, but not all words.
const MIXED_ONE_IN: u32 = 2;

/// The share of numbers from which on a window is a table of them.
const FIGURES: f32 = 0.5;

/// The windows in which a language without a table is looked at.
const SAMPLED: usize = 20;

/// How a window weighs beside its neighbours.
const ITSELF: u32 = 2;

/// What was judged of the windows of a text.
pub(super) struct Judged {
    /// For each window what of it was not compared as language, and why.
    pub(super) windows: Vec<Vec<(Cause, u32)>>,
    /// Letters of the windows that pass as a language that has no table.
    pub(super) unknown: u32,
}

/// Judges windows. `reads_as_english` is asked of the windows that pass as a language that has no
/// table, given by their places, if there are such: whether they are English whose words were spoilt. So are those whose letters stand for others.
pub(super) fn judge(windows: &Windows, reads_as_english: impl FnOnce(&[Range<u32>]) -> bool) -> Judged {
    let spoken = Spoken::of(windows);
    let bits: Vec<(u32, u32)> = (0..windows.all.len()).map(|at| spoken.bits(windows, at)).collect();
    let others: Vec<&str> = windows.others_in(0..windows.others.len()).collect();
    let drawn = substitution::solved(&others);
    let is_drawn = |at: usize| drawn.iter().any(|drawn| drawn.words.contains(&windows.all[at].others.start));
    let mut judged: Vec<_> =
        (0..windows.all.len()).map(|at| not_language(windows, &spoken, &bits, at, is_drawn(at))).collect();
    let is_unknown = |at: &usize| {
        let window = &windows.all[*at];
        let is_of_letters = window.alphabet == Some(Alphabet::Latin) && 2 * window.counts.letters > window.countable();
        is_of_letters && spoken.windows[*at] == Tongue::Unknown(true) && judged[*at].is_empty()
    };
    let unknown: Vec<usize> = (0..windows.all.len()).filter(is_unknown).collect();
    let places: Vec<Range<u32>> = unknown.iter().map(|at| windows.all[*at].chars.clone()).collect();
    let words = unknown.iter().flat_map(|at| windows.words(&windows.all[*at], Alphabet::Latin));
    let are_exchanged = || !substitution::solved(&words.collect::<Vec<_>>()).is_empty();
    let letters = |at: &usize| windows.all[*at].counts.letters;
    if !unknown.is_empty() && (are_exchanged() || reads_as_english(&places)) {
        unknown.iter().for_each(|at| judged[*at].push((Cause::NoLanguage, letters(at))));
        return Judged { windows: judged, unknown: 0 };
    }
    Judged { windows: judged, unknown: unknown.iter().map(letters).sum() }
}

/// The places of the windows that are sentences of a language that has a table, or mostly Han characters that are language.
pub(super) fn sentences(windows: &Windows) -> Vec<Range<u32>> {
    let spoken = Spoken::of(windows);
    let judged = judge(windows, |_| false).windows;
    let is_prose = |at: &usize| {
        let counts = &windows.all[*at].counts;
        let is_program = SIGNS_OF_PROGRAM * counts.programming >= counts.han + counts.letters;
        let is_of_sentences = 2 * counts.han > counts.all() || matches!(spoken.windows[*at], Tongue::Sentences(_));
        judged[*at].is_empty() && is_of_sentences && !is_program
    };
    (0..windows.all.len()).filter(is_prose).map(|at| windows.all[at].chars.clone()).collect()
}

/// Whether the windows that begin in these places, together, are English without doubt.
pub(super) fn are_english(windows: &Windows, places: &[Range<u32>]) -> bool {
    let languages = Languages::built_in();
    let english = languages.english();
    let mut sum = Counts::default();
    let mut place = 0;
    for window in &windows.all {
        place += places[place..].iter().take_while(|place| place.end <= window.chars.start).count();
        if places.get(place).is_some_and(|place| place.contains(&window.chars.start)) {
            sum.add(&window.counts, 1);
        }
    }
    let frequent = sum.frequent.get(english).copied().unwrap_or_default() as f32;
    frequent > LEAST_FREQUENT_RESTORED * languages.all[english].function * sum.words as f32
        && sum.english as f32 >= LEAST_ENGLISH_RESTORED * sum.content as f32
}

/// The windows that are judged together with one, each with its weight.
fn around(windows: &[Window], at: usize) -> impl Iterator<Item = (usize, u32)> {
    let joins = |first: usize, second: usize| windows[second].joins(&windows[first]);
    let before = at.checked_sub(1).filter(|before| joins(*before, at)).map(|before| (before, 1));
    let behind = Some(at + 1).filter(|behind| *behind < windows.len() && joins(at, *behind)).map(|behind| (behind, 1));
    before.into_iter().chain([(at, ITSELF)]).chain(behind)
}

/// What of a window was not compared, and why; `is_drawn` says whether its words in scripts without a table are English in other letters.
fn not_language(
    windows: &Windows,
    spoken: &Spoken,
    bits: &[(u32, u32)],
    at: usize,
    is_drawn: bool,
) -> Vec<(Cause, u32)> {
    let counts = &windows.all[at].counts;
    let language = &spoken.windows[at];
    let mut sum = Counts::default();
    let (mut taken, mut trigrams) = (0, 0);
    for (near, weight) in around(&windows.all, at) {
        if near == at || spoken.windows[near] == *language {
            sum.add(&windows.all[near].counts, weight);
            taken += weight * bits[near].0;
            trigrams += weight * bits[near].1;
        }
    }
    let is_plausible = scripts::are_plausible(&sum);
    let han_is_language = is_plausible && is_han_language(&sum) && !is_cut_short(windows, at);
    // Terms and names in Latin letters, and single Greek ones, in a text without an alphabet are judged by what is around them.
    let is_usual = matches!(windows.all[at].alphabet, None | Some(Alphabet::Latin | Alphabet::Greek));
    let is_beside = is_usual && han_is_language && OF_HAN * sum.han + sum.kana + sum.other >= sum.letters;
    // Names are in no list of words.
    let names = (sum.names as f32).min(MOST_NAMES * sum.content as f32);
    let english = sum.english as f32 / (sum.content as f32 - names).max(1.0);
    let is_spelt = |most: f32, language: usize| {
        trigrams * LETTERS_OF_TRIGRAM >= sum.letters && share(taken, trigrams) <= most * spoken.language(language).bits
    };
    let is_interleaved = spoken.is_interleaved(windows, at);
    let words_are_language = sum.letters < ENOUGH_LETTERS
        || is_beside
        || MIXED_ONE_IN * sum.mixed <= sum.letters
            && !spoken.is_parted(&sum, language)
            && !spoken.is_diluted(windows, at)
            && !is_interleaved
            && match *language {
                Tongue::Sentences(language) if language == spoken.english => english >= LEAST_ENGLISH,
                Tongue::List(language) if language == spoken.english => english >= LEAST_ENGLISH_OF_LIST,
                Tongue::Sentences(language) => is_spelt(MOST_BITS, language),
                Tongue::List(language) => is_spelt(MOST_BITS_OF_LIST, language),
                Tongue::Unknown(is_language) => is_language && sum.letters <= LETTERS_OF_WORD * sum.words,
            };
    let mut causes: BTreeMap<Cause, u32> = BTreeMap::new();
    let mut put = |cause, count| {
        if count > 0 {
            *causes.entry(cause).or_default() += count
        }
    };
    // What is put between words may be in brackets and behind low lines, as in programs.
    let cause = if is_interleaved { Cause::NoLanguage } else { cause_of(counts) };
    let is_table = share(counts.digits, counts.all()) >= FIGURES;
    put(if is_table { Cause::Figures } else { cause }, if han_is_language { 0 } else { counts.han });
    put(if is_table { Cause::Figures } else { cause }, if words_are_language { 0 } else { counts.letters });
    let main_fails = if counts.han > counts.letters { !han_is_language } else { !words_are_language };
    put(if is_table { Cause::Figures } else { cause }, if is_table || main_fails { counts.digits } else { 0 });
    put(Cause::NoLanguage, if is_plausible && !is_drawn { 0 } else { counts.kana + counts.other });
    put(Cause::OtherAlphabet, counts.odd);
    causes.into_iter().collect()
}

fn share(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// Whether Han characters are Japanese, or make words of today's Chinese or sentences of the classical one.
fn is_han_language(sum: &Counts) -> bool {
    sum.han < ENOUGH_HAN
        || share(sum.kana, sum.kana + sum.han) >= KANA
            && sum.same_kana as f32 <= MOST_OF_ONE_KANA * sum.kana as f32
            && share(sum.modern, sum.han) <= MOST_MODERN
        || sum.han as f32 >= LEAST_RUN * sum.runs as f32
            && (share(sum.in_words, sum.han) >= LEAST_IN_WORDS
                || share(sum.classical, sum.han) >= CLASSICAL && sum.classical >= MORE_THAN_MODERN * sum.modern)
}

/// Whether a window stands in Chinese whose clauses end again and again where none does.
fn is_cut_short(windows: &Windows, at: usize) -> bool {
    let clauses = stretch(windows, at).map(|near| &windows.all[near].counts).filter(|counts| counts.kana == 0);
    let (all, cut_short) = clauses.fold((0, 0), |sum, counts| (sum.0 + counts.clauses, sum.1 + counts.cut_short));
    cut_short >= LEAST_CUT_SHORT && cut_short as f32 > MOST_CUT_SHORT * all as f32
}

/// What a window that is no language is full of.
fn cause_of(counts: &Counts) -> Cause {
    let letters = counts.han + counts.letters;
    if counts.mathematical > 0 && 5 * (counts.singles + counts.mathematical) >= letters {
        Cause::Formulas
    } else if counts.letters > counts.han && 12 * counts.programming >= letters {
        Cause::Code
    } else {
        Cause::NoLanguage
    }
}

/// The language of a window's words, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tongue {
    /// It has the frequent words that sentences of the language have.
    Sentences(usize),
    /// It has not, but stands in a text of the language.
    List(usize),
    /// The text is in none that has a table; whether it is like one that has.
    Unknown(bool),
}

/// The languages of a text.
struct Spoken {
    languages: &'static Languages,
    english: usize,
    windows: Vec<Tongue>,
}

impl Spoken {
    fn of(windows: &Windows) -> Spoken {
        let languages = Languages::built_in();
        let english = languages.english();
        let mut sums: BTreeMap<Alphabet, Counts> = BTreeMap::new();
        for window in &windows.all {
            window.alphabet.iter().for_each(|alphabet| sums.entry(*alphabet).or_default().add(&window.counts, 1));
        }
        let nearest = |known: Vec<usize>, sample: &[&Window]| match known[..] {
            [only] => Some(only),
            _ => known.into_iter().min_by(|a, b| {
                let bits = |number: usize| mean(windows, sample, &languages.all[number]);
                bits(*a).total_cmp(&bits(*b))
            }),
        };
        let of_text = |(alphabet, counts): (Alphabet, Counts)| {
            let of_alphabet: Vec<&Window> =
                windows.all.iter().filter(|window| window.alphabet == Some(alphabet)).collect();
            let sample: Vec<&Window> =
                of_alphabet.iter().step_by(of_alphabet.len().div_ceil(SAMPLED)).copied().collect();
            let known = nearest(by_frequent(languages, &counts, alphabet), &sample).map(Tongue::List);
            (alphabet, known.unwrap_or_else(|| Tongue::Unknown(is_like_some(windows, &sample, languages, alphabet))))
        };
        let of_text: BTreeMap<Alphabet, Tongue> = sums.into_iter().map(of_text).collect();
        let spoken = |at: usize| {
            let Some(alphabet) = windows.all[at].alphabet else { return Tongue::Unknown(true) };
            let mut sum = Counts::default();
            around(&windows.all, at).for_each(|(near, weight)| sum.add(&windows.all[near].counts, weight));
            let known = nearest(by_frequent(languages, &sum, alphabet), &[&windows.all[at]]);
            known.map_or(of_text[&alphabet], Tongue::Sentences)
        };
        Spoken { languages, english, windows: (0..windows.all.len()).map(spoken).collect() }
    }

    /// Whether a window stands in English words between which as many others were put all over: its frequent words stand never side by side, and
    /// again and again with one word between, or with two.
    fn is_interleaved(&self, windows: &Windows, at: usize) -> bool {
        let is_apart = |near: &usize| windows.all[*near].counts.beside == 0 && self.is_english(*near);
        if !is_apart(&at) {
            return false;
        }
        let apart = stretch(windows, at).filter(is_apart).map(|near| &windows.all[near].counts);
        let (second, third) = apart.fold((0, 0), |sum, counts| (sum.0 + counts.second, sum.1 + counts.third));
        second.max(third) >= LEAST_INTERLEAVED && second.min(third) * OF_PERIOD <= second.max(third)
    }

    /// Whether a window stands in English that has too few of its frequent words to be sentences alone, a number for every second word, or its
    /// words in no order of English.
    fn is_diluted(&self, windows: &Windows, at: usize) -> bool {
        if !self.is_english(at) {
            return false;
        }
        let english = stretch(windows, at).filter(|near| self.is_english(*near)).map(|near| &windows.all[near].counts);
        // Eight numbers, and not all of `Counts` with one for each language: this is asked of every window.
        let sums = english.fold([0; 8], |sum, counts| {
            let frequent = counts.frequent.get(self.english).copied().unwrap_or_default();
            let of_window = [
                counts.words,
                frequent,
                counts.english,
                counts.content,
                counts.lines,
                counts.numbers,
                counts.articles,
                counts.stranded,
            ];
            std::array::from_fn(|number| sum[number] + of_window[number])
        });
        let [words, frequent, known, content, lines, numbers, articles, stranded] = sums;
        let function = self.language(self.english).function;
        words >= STRETCH_WORDS
            && ((frequent as f32) < LEAST_FREQUENT_OF_STRETCH * function * words as f32
                || numbers as f32 > MOST_NUMBERS_OF_STRETCH * words as f32
                || stranded as f32 > MOST_STRANDED * articles as f32)
            && known as f32 >= LEAST_ENGLISH * content as f32
            && words >= WORDS_OF_LINE * lines
    }

    fn is_english(&self, at: usize) -> bool {
        matches!(self.windows[at], Tongue::Sentences(of) | Tongue::List(of) if of == self.english)
    }

    /// Whether the words of sentences stand apart, parted by numbers or single letters.
    fn is_parted(&self, counts: &Counts, tongue: &Tongue) -> bool {
        let (Tongue::Sentences(number) | Tongue::List(number)) = *tongue else { return false };
        let frequent = counts.frequent.get(number).copied().unwrap_or_default() as f32;
        counts.parted as f32 >= MOST_PARTED * counts.wholes as f32
            && frequent >= LEAST_FREQUENT_OF_STRETCH * self.language(number).function * counts.wholes as f32
    }

    fn language(&self, number: usize) -> &Language {
        &self.languages.all[number]
    }

    /// What the trigrams of a window take, and how many there are; English is judged by its words.
    fn bits(&self, windows: &Windows, at: usize) -> (u32, u32) {
        let (Tongue::Sentences(number) | Tongue::List(number)) = self.windows[at] else { return (0, 0) };
        if number == self.english {
            return (0, 0);
        }
        bits_by(windows, &windows.all[at], self.language(number))
    }
}

/// The windows of the stretch around one.
fn stretch(windows: &Windows, at: usize) -> Range<usize> {
    at.saturating_sub(STRETCH)..(at + STRETCH + 1).min(windows.all.len())
}

fn bits_by(windows: &Windows, window: &Window, language: &Language) -> (u32, u32) {
    let words = windows.words(window, language.alphabet).map(|word| language.bits_of(word));
    words.fold((0, 0), |sum, word| (sum.0 + word.0, sum.1 + word.1))
}

/// The languages of an alphabet whose frequent words are as many as in their sentences, without those that have far fewer than another.
fn by_frequent(languages: &Languages, counts: &Counts, alphabet: Alphabet) -> Vec<usize> {
    let of_alphabet = (0..counts.frequent.len()).filter(|number| languages.all[*number].alphabet == alphabet);
    let most = of_alphabet.clone().map(|number| counts.frequent[number]).max().unwrap_or_default() as f32;
    let is_near = |number: &usize| {
        let least = LEAST_FREQUENT * languages.all[*number].function * counts.words as f32;
        counts.frequent[*number] as f32 >= least.max(1.0).max(SISTERS * most)
    };
    of_alphabet.filter(is_near).collect()
}

/// Whether words of which the language is not known are like those of some language. Those of a language that has a table would have its
/// frequent words too.
fn is_like_some(windows: &Windows, sample: &[&Window], languages: &Languages, alphabet: Alphabet) -> bool {
    let candidates = languages.all.iter().enumerate().filter(|(_, language)| language.alphabet == alphabet);
    let bits = candidates.map(|(number, language)| (mean(windows, sample, language), number));
    bits.min_by(|a, b| a.0.total_cmp(&b.0))
        .is_some_and(|(bits, number)| bits <= MOST_BITS_OF_UNKNOWN && bits > NEAR * languages.all[number].bits)
}

/// The bits of a trigram in some windows, on average; more than any has where there is none.
fn mean(windows: &Windows, sample: &[&Window], language: &Language) -> f32 {
    let bits = sample.iter().map(|window| bits_by(windows, window, language));
    let (sum, trigrams) = bits.fold((0, 0), |sum, window| (sum.0 + window.0, sum.1 + window.1));
    if trigrams == 0 { f32::INFINITY } else { sum as f32 / trigrams as f32 }
}
