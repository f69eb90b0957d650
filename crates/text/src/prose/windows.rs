//! A text in windows of some 200 letters, with what is counted in each.

use super::counts::Counts;
use super::english::Stems;
use super::han::Pairs;
use super::scripts::Spread;
use crate::flag;
use crate::script::{HanSet, is_han, is_mathematical};
use crate::spelling::languages::{Alphabet, Languages, is_african};
use crate::spelling::strays::{MOST_STRAYS, is_stray, is_tag};
use crate::units::{Kind, Tokens, Units};
use std::collections::BTreeMap;
use std::ops::Range;

/// Letters of a window: words of a sentence or two, enough to tell prose from noise together with the windows on both sides.
const WINDOW: u32 = 200;

/// A Han character says as much as two letters.
pub(super) const OF_HAN: u32 = 2;

/// Characters of grammar that Chinese of today has in every sentence, in simplified script.
const MODERN: &str = "的了是这们着吗呢吧么那我你他她它个说";

/// Those of classical Chinese, which has few words of two characters.
const CLASSICAL: &str = "之其而以也者于曰为所乃矣焉乎亦则皆此无与若故耳哉虽盖夫何岂吾尔遂";

/// Words of one character with which no clause of Chinese ends, in simplified script: what they belong to comes behind them.
const BEFORE_OTHERS: &str = "这在又就那是都每和从而把被但所向很若由或最其且更让";

/// Where clauses end.
const ENDS_OF_CLAUSES: &str = "，。、；：！？,.;:!?";

/// The punctuation of sentences.
const PUNCTUATION: &str = "，。、；：？！“”‘’（）《》〈〉「」『』【】—…·,.;:?!()\"'-";

/// The word behind which English has a noun or what belongs to one.
const ARTICLE: &str = "the";

/// The least weight of a window that ends at the border of a listing, unless it is the rest of a passage: what is shorter is not judged alone.
const LEAST_APART: u32 = 100;

/// Windows with no more characters between them are neighbours.
pub(super) const BETWEEN: u32 = 50;

fn is_kana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{30ff}')
}

/// A piece of the text.
#[derive(Debug, Clone, Default)]
pub(super) struct Window {
    /// Its place in the text.
    pub chars: Range<u32>,
    /// Its words, in [`Windows::words`].
    pub words: Range<usize>,
    /// Its words in scripts that have no table, in [`Windows::others`].
    pub others: Range<usize>,
    pub counts: Counts,
    /// The alphabet of most of its letters.
    pub alphabet: Option<Alphabet>,
    /// Whether it begins where a listing does or ends.
    is_apart: bool,
}

impl Window {
    /// Whether it goes on with what stands in the one before.
    pub(super) fn joins(&self, before: &Window) -> bool {
        !self.is_apart && self.chars.start <= before.chars.end + BETWEEN
    }

    pub(super) fn countable(&self) -> u32 {
        self.counts.all()
    }
}

/// All windows of a text.
pub(super) struct Windows {
    pub all: Vec<Window>,
    /// The normalised text.
    text: String,
    /// The alphabet of each word and where it stands in the normalised text.
    words: Vec<(Alphabet, Range<u32>)>,
    /// Where each word in a script that has no table stands there.
    pub others: Vec<Range<u32>>,
}

impl Windows {
    /// Cuts those units of a text into windows for which `is_judged` holds; it is asked of each in order. No window has both what stands before
    /// one of the units `borders` and what stands behind it, if either could be judged alone.
    pub(super) fn of(
        seen: &str,
        text: &str,
        units: &Units,
        borders: &[usize],
        mut is_judged: impl FnMut(usize) -> bool,
    ) -> Windows {
        let mut characters = seen.chars();
        let mut passed = 0;
        let mut windows = Windows { all: Vec::new(), text: String::new(), words: Vec::new(), others: Vec::new() };
        let (modern, classical) = (HanSet::of(MODERN), HanSet::of(CLASSICAL));
        let (stems, pairs, languages) = (Stems::built_in(), Pairs::built_in(), Languages::built_in());
        let (mut at, mut unit, mut weight) = (0, 0, 0);
        let mut window = Window::default();
        // The Han character before, as long as nothing but white space stands behind it and no word was made with it.
        let mut before = None;
        let mut in_run = false;
        // The Han character before, unless it makes a word with the one before it, as long as the clause has not ended; a space where it does.
        let mut last = None;
        let (mut kana, mut spread) = (BTreeMap::new(), Spread::new());
        let mut is_behind_article = false;
        // How many of a word and a number behind it stand here, on one line and in no cells.
        let mut numbered = 0;
        let mut strays = 0;
        // A bit for each of the three words before, the last one lowest: whether it is frequent in English.
        let (english, mut frequent_before) = (languages.english(), 0);
        for token in Tokens::of(text) {
            let place = at..at + token.text.len() as u32;
            at = place.end;
            let counts = &mut window.counts;
            if token.kind == Kind::Gap {
                counts.stranded += u32::from(is_behind_article && token.text.contains(['.', ',', ';', ':', '?', '!']));
                is_behind_article &= token.text.chars().all(char::is_whitespace);
                numbered *= u32::from(!token.text.contains(['\t', '\n']));
                counts.mathematical += token.text.chars().filter(|c| is_of_formula(*c)).count() as u32;
                counts.programming += token.text.bytes().filter(|c| b"{};_<>[]/\\#$=".contains(c)).count() as u32;
                before = before.filter(|_| token.text.chars().all(char::is_whitespace));
                if let Some(character) = last.take_if(|_| token.text.contains(|c| ENDS_OF_CLAUSES.contains(c))) {
                    counts.clauses += 1;
                    counts.cut_short += u32::from(BEFORE_OTHERS.contains(character));
                }
                in_run &= token.text.chars().all(|c| c.is_whitespace() || PUNCTUATION.contains(c));
                continue;
            }
            if unit == units.len() {
                break;
            }
            let (this, countable) = (unit, u32::from(units.countable[unit]));
            unit += 1;
            let is_rest = || windows.all.last().is_some_and(|last| window.joins(last));
            if weight > 0 && borders.binary_search(&this).is_ok() && (weight >= LEAST_APART || is_rest()) {
                windows.close(&mut window, &mut weight);
                window.is_apart = true;
                kana.clear();
                spread.clear();
            }
            let counts = &mut window.counts;
            if !is_judged(this) {
                (before, last) = (None, None);
                is_behind_article = false;
                frequent_before = 0;
                windows.close(&mut window, &mut weight);
                kana.clear();
                spread.clear();
                continue;
            }
            if weight == 0 {
                window.chars.start = units.start[this];
                counts.frequent.resize(languages.all.len(), 0);
            }
            weight += countable;
            counts.lines += u32::from(units.flags[this] & flag::LINE != 0);
            let pair = before.take();
            let is_inside = std::mem::take(&mut in_run);
            last = None;
            counts.stranded += u32::from(std::mem::take(&mut is_behind_article) && units.flags[this] & flag::STOP != 0);
            match token.kind {
                Kind::Single(character) if is_han(character) => {
                    counts.han += countable;
                    spread.put(character, counts);
                    counts.runs += u32::from(!is_inside);
                    counts.modern += u32::from(modern.has(character));
                    counts.classical += u32::from(classical.has(character));
                    in_run = true;
                    weight += (OF_HAN - 1) * countable;
                    if pair.is_some_and(|before| pairs.has(before, character)) {
                        counts.in_words += 2;
                    } else {
                        before = Some(character);
                    }
                    last = Some(before.unwrap_or(' '));
                }
                Kind::Single(character) if is_kana(character) => {
                    counts.kana += countable;
                    spread.put(character, counts);
                    let same: &mut u32 = kana.entry(character).or_default();
                    *same += 1;
                    counts.same_kana = counts.same_kana.max(*same);
                }
                // Marks that repeat a character, which many may stand for.
                Kind::Single(_) => counts.other += countable,
                _ if units.flags[this] & flag::NUMBER != 0 => {
                    counts.digits += countable;
                    strays += 1;
                    numbered = if numbered == 1 { 2 } else { 0 };
                }
                _ => match alphabet_of(token.text) {
                    Spelling::Of(alphabet) => {
                        counts.letters += countable;
                        counts.words += 1;
                        counts.numbers += numbered / 2;
                        numbered = 1;
                        counts.singles += u32::from(countable == 1);
                        let is_mixed = token.text.bytes().any(|byte| byte.is_ascii_digit());
                        counts.mixed += if is_mixed { countable } else { 0 };
                        if is_stray(token.text) {
                            strays += 1;
                        } else {
                            counts.wholes += 1;
                            counts.parted += u32::from((1..=MOST_STRAYS).contains(&std::mem::take(&mut strays)));
                        }
                        is_behind_article = token.text == ARTICLE;
                        counts.articles += u32::from(is_behind_article);
                        if alphabet == Alphabet::Latin && units.flags[this] & flag::STOP == 0 {
                            counts.content += countable;
                            if countable > 1 && stems.has(units.stem[this]) {
                                counts.english += countable;
                            } else {
                                let skipped = (units.start[this] as usize).saturating_sub(passed);
                                let first = characters.nth(skipped);
                                passed += skipped + 1;
                                counts.names += if first.is_some_and(char::is_uppercase) { countable } else { 0 };
                            }
                        }
                        let mut bits = languages.with_frequent(units.hash[this]);
                        let is_frequent = (bits >> english & 1) as u32 & u32::from(!is_tag(token.text));
                        counts.beside += is_frequent & frequent_before;
                        counts.second += is_frequent & frequent_before >> 1;
                        counts.third += is_frequent & frequent_before >> 2;
                        frequent_before = (frequent_before << 1 | is_frequent) & 0b111;
                        while bits != 0 {
                            counts.frequent[bits.trailing_zeros() as usize] += 1;
                            bits &= bits - 1;
                        }
                        windows.words.push((alphabet, place));
                    }
                    Spelling::Odd => counts.odd += countable,
                    Spelling::Other => {
                        counts.other += countable;
                        windows.put_other(place);
                        token.text.chars().for_each(|character| spread.put(character, counts));
                    }
                },
            }
            window.chars.end = units.end[this];
            if weight >= WINDOW {
                windows.close(&mut window, &mut weight);
                kana.clear();
                spread.clear();
            }
        }
        windows.close(&mut window, &mut weight);
        windows.text = text.to_owned();
        windows
    }

    /// Adds a word in a script that has no table. Those of scripts without blanks are cut into letters: what stands side by side is joined.
    fn put_other(&mut self, place: Range<u32>) {
        let before = self.all.last().map_or(0, |last| last.others.end);
        match self.others[before..].last_mut().filter(|last| last.end == place.start) {
            Some(last) => last.end = place.end,
            None => self.others.push(place),
        }
    }

    /// Ends a window, if there is anything in it. The short rest of a passage goes with the window before.
    fn close(&mut self, window: &mut Window, weight: &mut u32) {
        let weight = std::mem::take(weight);
        if weight == 0 {
            return;
        }
        let mut window = std::mem::take(window);
        window.words = self.all.last().map_or(0, |last| last.words.end)..self.words.len();
        window.others = self.all.last().map_or(0, |last| last.others.end)..self.others.len();
        let is_rest = |last: &&mut Window| 2 * weight < WINDOW && window.joins(last);
        match self.all.last_mut().filter(is_rest) {
            Some(last) => {
                last.chars.end = window.chars.end;
                last.words.end = window.words.end;
                last.others.end = window.others.end;
                last.counts.add(&window.counts, 1);
            }
            None => self.all.push(window),
        }
        if let Some(last) = self.all.last_mut() {
            let mut letters: BTreeMap<Alphabet, u32> = BTreeMap::new();
            for (alphabet, word) in &self.words[last.words.clone()] {
                *letters.entry(*alphabet).or_default() += word.end - word.start;
            }
            last.alphabet = letters.into_iter().max_by_key(|(_, count)| *count).map(|(alphabet, _)| alphabet);
        }
    }

    /// Some of the words in scripts that have no table.
    pub(super) fn others_in(&self, others: Range<usize>) -> impl Iterator<Item = &str> {
        self.others[others].iter().map(|place| &self.text[place.start as usize..place.end as usize])
    }

    /// The words of a window that are of one alphabet.
    pub(super) fn words(&self, window: &Window, alphabet: Alphabet) -> impl Iterator<Item = &str> {
        let words = self.words[window.words.clone()].iter().filter(move |word| word.0 == alphabet);
        words.map(|(_, place)| &self.text[place.start as usize..place.end as usize])
    }
}

fn is_of_formula(c: char) -> bool {
    matches!(c, '+' | '=' | '<' | '>' | '|' | '^' | '*' | '/' | '~' | '±' | '×' | '÷' | '·' | '′') || is_mathematical(c)
}

/// How a word is spelt.
enum Spelling {
    /// In letters of one alphabet.
    Of(Alphabet),
    /// With letters of no usual spelling, or of several alphabets.
    Odd,
    /// In a script of which no language has a table.
    Other,
}

fn alphabet_of(word: &str) -> Spelling {
    if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Spelling::Of(Alphabet::Latin);
    }
    let mut found = None;
    for letter in word.chars().filter(|letter| letter.is_alphabetic()) {
        let alphabet = Alphabet::of(letter);
        if (is_odd(letter) && !is_african(letter)) || found.is_some_and(|found| found != alphabet) {
            return Spelling::Odd;
        }
        found = Some(alphabet);
    }
    found.flatten().map_or(Spelling::Other, Spelling::Of)
}

/// Whether a letter is one of phonetic writing, a part of a Korean syllable alone, of a script that theses are not written in, or a sign of mathematics: blocks of Unicode
/// between which words can be disguised, and of which no language has a table. Ligatures and styled letters are folded before.
fn is_odd(letter: char) -> bool {
    matches!(letter, '\u{250}'..='\u{2ff}' | '\u{1100}'..='\u{11ff}' | '\u{13a0}'..='\u{13ff}' | '\u{1680}'..='\u{16ff}'
        | '\u{1d00}'..='\u{1dbf}' | '\u{2c00}'..='\u{2cff}' | '\u{3105}'..='\u{318e}' | '\u{31a0}'..='\u{31bf}'
        | '\u{a4d0}'..='\u{a4ff}' | '\u{a720}'..='\u{a7ff}' | '\u{a960}'..='\u{a97f}' | '\u{ab30}'..='\u{abbf}'
        | '\u{d7b0}'..='\u{d7ff}' | '\u{e000}'..='\u{f8ff}' | '\u{10000}'..='\u{1afff}' | '\u{1b170}'..='\u{1ffff}')
}
