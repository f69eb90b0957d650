//! Words that are written otherwise than they read.

use super::kinds::FlagKind;
use super::signs::Signs;
use crate::flag::{LOOKALIKE, ZERO_WIDTH};
use crate::normalise::ignorable::is_ignorable;
use crate::prose::english::Stems;
use crate::script::{is_east_asian, is_greek, is_han, is_latin, is_mathematical, is_other_alphabet, is_technical};
use crate::units::{ENGLISH_STOP_WORDS, Units};
use crate::visible::{is_combining_mark, is_override, odd_signs, overridden, signs_in_words};
use ahash::{AHashMap, AHashSet};
use std::ops::Range;
use unicode_normalization::char::{compose, decompose_canonical};

// All are chosen by hand, so that theses of many languages have no flag and texts that a program disguised have one, unless a
// constant says what it was measured on.

/// The fewest replaced words that are the work of a program, if they are one in [`MANY_SHARE`] of all words.
const MANY_WORDS: usize = 20;

/// See [`MANY_WORDS`].
const MANY_SHARE: usize = 100;

/// Words with figures inside stand for words if one in three of them, read so, is a word of the text: names of genes, chemicals,
/// programs and versions, hashes and code have figures too.
const READ_AS_WORDS: usize = 3;

/// They do whatever they read as if they are one in ten of all words.
const FAR_TOO_MANY: usize = 10;

/// The fewest letters of a word that is looked at for figures and letters of another alphabet inside.
const LETTERS_OF_WORD: usize = 4;

/// What is invisible in fewer characters before a unit counts for it.
const INVISIBLE_BEFORE: u32 = 20;

/// The countable characters that one odd sign or blank between letters changes: it spoils the word it is in.
const SPOILT_BY_SIGN: u64 = 4;

/// Fewer letters with one and the same mark are names.
const MARKED: usize = 40;

/// Letters that are frequent in every language written in Latin. Of rarer letters, such as ž in Lithuanian, č in Slovene and ü in
/// Hungarian, the marked one may be the usual one.
const FREQUENT: &str = "aeinorst";

/// How many times as often as without it a frequent letter has a mark that does not belong to it.
const MARKED_TIMES: usize = 10;

const CIRCUMFLEX: char = '\u{302}';

/// The fewest numbers in brackets that are no references, if one word in [`WORDS_OF_NUMBER`] has one.
const NUMBERS: usize = 50;

/// See [`NUMBERS`].
const WORDS_OF_NUMBER: usize = 6;

/// The most digits of such a number.
const LONGEST_NUMBER: usize = 3;

/// The fewest single letters in a row with blanks between them that are a word pulled apart.
const SPACED_LETTERS: usize = 6;

/// In how many letters at most one is set apart for emphasis, as German printers do.
const EMPHASIS_ONE_IN: u64 = 20;

/// Latin letters are guests where there are fewer than this for each Han character.
const LATIN_OF_GUESTS: usize = 2;

/// Signs part words on purpose if at least one in this many of what they part is a word without them.
const JOINED_WORDS: usize = 3;

/// Signs stand for blanks where this share of the pieces with more letters than [`LETTERS_OF_PIECE`], four in five, are English words, or where one
/// in [`PIECES_OF_FUNCTION_WORD`] of all pieces with as many letters is a function word.
const PIECES_OF_PROSE: (usize, usize) = (4, 5);
const PIECES_OF_FUNCTION_WORD: usize = 10;
const LETTERS_OF_PIECE: usize = 3;

/// How many words are measured together. Where blanks are missing, [`LETTERS`] letters are.
const WORDS: usize = 200;

/// See [`WORDS`].
const LETTERS: usize = 10 * WORDS;

/// In no language words have fewer letters on average, in tenths of a letter.
const SHORTEST_WORDS: usize = 23;

/// Nor more; Kalaallisut has 150.
const LONGEST_WORDS: usize = 180;

/// The share of a piece that must be letters of words, in tenths: beside Han characters and in tables words are few and short.
const MOSTLY: usize = 8;

/// What stands between the letters of formulas and is not seen: the signs of applying, multiplying, separating and adding.
const INVISIBLE_OPERATORS: std::ops::RangeInclusive<char> = '\u{2061}'..='\u{2064}';

/// The most letters of a formula with such a sign that is read as a word: `sin x`.
const LETTERS_OF_FORMULA: usize = 5;

/// Words beside formulas are measured if they are at least this part of [`WORDS`].
const ENOUGH_IN: usize = 4;

/// The most different letters that stand alone beside signs of formulas: those of words are more.
const VARIABLES: u32 = 12;

pub(super) fn find(text: &[char], units: &Units, signs: &mut Signs) {
    words(text, units, signs);
    let is_foreign = are_latin_words_foreign(text);
    let mut inside = signs_in_words(text);
    if is_foreign || !inside.is_empty() && are_no_words(text, &inside, units) {
        inside.clear();
    }
    white_space(text, &inside, signs);
    word_lengths(text, signs);
    for span in overridden(text) {
        if text[span.clone()].iter().filter(|c| c.is_alphanumeric()).count() > 1 {
            let count = span.len() as u32;
            signs.add(FlagKind::Direction, span.start as u32..span.end as u32, count);
        }
    }
    let mut odd = odd_signs(text);
    odd.extend(inside.iter().copied().filter(|&at| !text[at].is_whitespace()));
    if !is_foreign {
        odd.extend(marked_letters(text));
    }
    odd.sort_unstable();
    odd.dedup();
    odd.extend(numbers_between_words(text));
    odd.sort_unstable();
    let odd: Vec<(Range<u32>, u32)> = odd.into_iter().map(|at| (at as u32..at as u32 + 1, 1)).collect();
    let concerned = SPOILT_BY_SIGN * odd.len() as u64;
    signs.add_if_many(FlagKind::OddLetters, odd, concerned);
}

/// Whether words in Latin letters are guests of a text in Han characters: pinyin, words of Southern Min, terms.
fn are_latin_words_foreign(text: &[char]) -> bool {
    let han = text.iter().filter(|c| !c.is_ascii() && is_han(**c)).count();
    han > 0 && LATIN_OF_GUESTS * han > text.iter().filter(|c| is_latin(**c)).count()
}

/// Whether what has signs inside is no word without them, nor several words, in an English text: glosses of another language, or its
/// romanisation.
fn are_no_words(text: &[char], inside: &[usize], units: &Units) -> bool {
    let is_english = |stem: &&u32| Stems::built_in().has(**stem);
    let is_word = |unit: &usize| {
        let word = text.get(units.start[*unit] as usize..units.end[*unit] as usize).unwrap_or_default();
        word.len() >= LETTERS_OF_WORD && word.iter().all(char::is_ascii_alphabetic)
    };
    let stems: Vec<u32> = (0..units.len()).filter(is_word).map(|unit| units.stem[unit]).collect();
    if 2 * stems.iter().filter(is_english).count() < stems.len() {
        return false;
    }
    let (mut joined, mut long_pieces) = (String::new(), String::new());
    let (mut pieces, mut function_words) = (0, 0);
    let is_function_word = |piece: &[char]| {
        let piece: String = piece.iter().collect::<String>().to_lowercase();
        ENGLISH_STOP_WORDS.split_ascii_whitespace().any(|word| word == piece)
    };
    let mut end = 0;
    for &at in inside.iter().filter(|at| text[**at].is_ascii_punctuation()) {
        if at < end {
            continue;
        }
        let start = at - text[..at].iter().rev().take_while(|c| !c.is_whitespace()).count();
        end = at + text[at..].iter().take_while(|c| !c.is_whitespace()).count();
        joined.extend(text[start..end].iter().filter(|c| c.is_alphanumeric()));
        joined.push(' ');
        for piece in text[start..end].split(|c| !c.is_alphanumeric()).filter(|piece| piece.len() >= LETTERS_OF_PIECE) {
            pieces += 1;
            function_words += usize::from(is_function_word(piece));
            if piece.len() > LETTERS_OF_PIECE {
                long_pieces.extend(piece);
                long_pieces.push(' ');
            }
        }
    }
    let (joined, long_pieces) = (Units::from_text(&joined).stem, Units::from_text(&long_pieces).stem);
    let english_pieces = long_pieces.iter().filter(is_english).count();
    !joined.is_empty()
        && joined.iter().filter(is_english).count() * JOINED_WORDS < joined.len()
        && english_pieces * PIECES_OF_PROSE.1 < long_pieces.len() * PIECES_OF_PROSE.0
        && function_words * PIECES_OF_FUNCTION_WORD < pieces
}

/// The brackets of numbers between words, where more words have one than anybody cites.
fn numbers_between_words(text: &[char]) -> Vec<usize> {
    let is_number = |at: &usize| {
        if !matches!(text[*at], '[' | '(') {
            return false;
        }
        let inside = text[at + 1..].iter().take(LONGEST_NUMBER + 1).take_while(|c| c.is_ascii_digit()).count();
        let ends = text.get(at + 1 + inside).is_some_and(|c| matches!(c, ']' | ')'));
        (1..=LONGEST_NUMBER).contains(&inside) && ends
    };
    let numbers: Vec<usize> = (0..text.len()).filter(is_number).collect();
    if numbers.len() < NUMBERS {
        return Vec::new();
    }
    // Two Han characters are about a word.
    let words = text.iter().filter(|c| **c == ' ').count() + text.iter().filter(|c| is_han(**c)).count() / 2;
    if numbers.len() * WORDS_OF_NUMBER >= words { numbers } else { Vec::new() }
}

/// Invisible characters and letters of other alphabets inside words.
fn words(text: &[char], units: &Units, signs: &mut Signs) {
    let mut found = [
        (FlagKind::ZeroWidth, Vec::new(), 0),
        (FlagKind::LookAlike, Vec::new(), 0),
        (FlagKind::MixedScript, Vec::new(), 0),
    ];
    let mut with_figures: Vec<(Range<u32>, u32)> = Vec::new();
    let mut end = 0;
    for unit in 0..units.len() {
        let span = units.start[unit]..units.end[unit];
        let before = end;
        end = span.end;
        let Some(word) = text.get(span.start as usize..span.end as usize) else { continue };
        let flags = units.flags[unit];
        let kind = if flags & ZERO_WIDTH != 0 {
            // Between Han characters they stand before the unit. A soft hyphen says where a word may be broken.
            let from = if span.start - before < INVISIBLE_BEFORE { before } else { span.start } as usize;
            let hides = |c: &char| is_ignorable(*c) && *c != '\u{AD}' && !is_override(*c);
            let all = text.get(from..span.end as usize).unwrap_or_default();
            (all.iter().any(hides) && !is_formula(all)).then_some(0)
        } else if flags & LOOKALIKE != 0 {
            is_replaced(word).then_some(1)
        } else {
            is_mixed(word).then_some(2)
        };
        if has_figures(word) {
            with_figures.push((span.clone(), 1));
        }
        if let Some(kind) = kind {
            found[kind].2 += u64::from(signs.countable(&span).max(1));
            found[kind].1.push((span, 1));
        }
    }
    if with_figures.len() >= MANY_WORDS
        && with_figures.len() * MANY_SHARE >= units.len()
        && stand_for_words(text, units, &with_figures)
    {
        with_figures.into_iter().for_each(|(span, count)| signs.add(FlagKind::ReplacedLetters, span, count));
    }
    let replaced = found[1].1.len();
    for (kind, found, concerned) in found {
        let many = signs.add_if_many(kind, found, concerned);
        if kind == FlagKind::LookAlike && many && replaced >= MANY_WORDS && replaced * MANY_SHARE >= units.len() {
            signs.add(FlagKind::ReplacedLetters, 0..text.len() as u32, replaced as u32);
        }
    }
}

/// Whether what is not seen in a word are the operators of a formula, which has few letters, one of them alone.
fn is_formula(word: &[char]) -> bool {
    let are_operators = word.iter().all(|c| !is_ignorable(*c) || INVISIBLE_OPERATORS.contains(c));
    let pieces = || word.split(|c| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
    are_operators
        && word.iter().filter(|c| c.is_alphabetic()).count() <= LETTERS_OF_FORMULA
        && pieces().count() <= 2
        && pieces().any(|piece| piece.len() == 1 || piece.iter().all(|c| c.is_numeric()))
}

/// Whether many different words, whose spans are given, read as words of the text if their figures are read as letters.
fn stand_for_words(text: &[char], units: &Units, with_figures: &[(Range<u32>, u32)]) -> bool {
    let of = |span: Range<u32>| -> String {
        text.get(span.start as usize..span.end as usize)
            .unwrap_or_default()
            .iter()
            .flat_map(|c| c.to_lowercase())
            .collect()
    };
    let different: AHashSet<String> = with_figures.iter().map(|(span, _)| of(span.clone())).collect();
    let words: AHashSet<String> = units.start.iter().zip(&units.end).map(|(start, end)| of(*start..*end)).collect();
    let read = |word: &String, one: char| -> String {
        let letter = |c| match c {
            '0' => 'o',
            '1' => one,
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            c => c,
        };
        word.chars().map(letter).collect()
    };
    let known = different.iter().filter(|word| ['i', 'l'].iter().any(|&one| words.contains(&read(word, one)))).count();
    different.len() >= MANY_WORDS
        && (known * READ_AS_WORDS >= different.len() || with_figures.len() * FAR_TOO_MANY >= units.len())
}

/// Whether figures stand among the small letters of a word of four or more, as in "t1de".
fn has_figures(word: &[char]) -> bool {
    if word.len() < LETTERS_OF_WORD || !word.iter().any(char::is_ascii_digit) {
        return false;
    }
    let small = |at: Option<usize>| at.and_then(|at| word.get(at)).is_some_and(char::is_ascii_lowercase);
    let figure = |at: &usize| matches!(word[*at], '0' | '1' | '3' | '4' | '5' | '7') && small(at.checked_sub(1));
    let letters = word.iter().filter(|c| c.is_ascii_lowercase()).count();
    2 * letters > word.len()
        && (0..word.len()).any(|at| {
            figure(&at)
                && (small(Some(at + 1)) || word.get(at + 1).is_some_and(char::is_ascii_digit) && small(Some(at + 2)))
        })
}

/// Whether a word with folded letters has letters in it that stand for others: not the italic letters of a formula, the
/// radicals that some fonts give for Han characters, or the Greek letters of a name such as TGFβ and Gαi.
fn is_replaced(word: &[char]) -> bool {
    if word.iter().any(|c| matches!(c, '\u{1D400}'..='\u{1D7FF}')) {
        return false;
    }
    let latin = word.iter().filter(|c| is_latin(**c)).count();
    let greek = word.iter().filter(|c| is_greek(**c)).count();
    let other = word.iter().filter(|c| is_other_alphabet(**c)).count();
    let name = word.iter().skip(1).any(|c| c.is_uppercase() || c.is_numeric());
    (other > 0 && latin > 0 && (other > greek || (!name && word.len() >= LETTERS_OF_WORD)))
        || (latin == 0 && other > 1)
        || (other == 0 && latin > 0 && word.iter().any(|c| is_odd_latin(*c)))
}

/// Letters for phonetics and the like that look like common ones.
fn is_odd_latin(c: char) -> bool {
    matches!(c, '\u{250}'..='\u{2AF}' | '\u{1D00}'..='\u{1D7F}' | '\u{A730}'..='\u{A7FF}')
}

/// Whether letters of two alphabets alternate in a word of at least four letters: not one before or behind the other, as
/// in a compound, and not in a name with capitals or figures.
fn is_mixed(word: &[char]) -> bool {
    if word.len() < LETTERS_OF_WORD || word.iter().all(char::is_ascii) || !word.iter().any(|c| is_other_alphabet(*c)) {
        return false;
    }
    if word.iter().skip(1).any(|c| c.is_uppercase() || c.is_numeric()) {
        return false;
    }
    let alphabets = word.iter().filter(|c| c.is_alphabetic()).map(|c| is_other_alphabet(*c));
    let mut changes = 0;
    let mut before = None;
    for alphabet in alphabets {
        changes += usize::from(before.is_some_and(|before| before != alphabet));
        before = Some(alphabet);
    }
    changes >= 2
}

/// Letters with a mark that stand for those without: at least [`MARKED`], and far more than there are without it, but for ê in Vietnamese.
fn marked_letters(text: &[char]) -> Vec<usize> {
    let mut plain = [0_usize; 26];
    let mut marked: AHashMap<char, Vec<usize>> = AHashMap::new();
    for (at, &c) in text.iter().enumerate() {
        if c.is_ascii() && text.get(at + 1).is_none_or(char::is_ascii) {
            if c.is_ascii_lowercase() {
                plain[c as usize - 'a' as usize] += 1;
            }
            continue;
        }
        let marks = text[at + 1..].iter().take_while(|mark| is_combining_mark(**mark));
        let c = marks.fold(c, |c, mark| compose(c, *mark).unwrap_or(c));
        if c.is_ascii_lowercase() {
            plain[c as usize - 'a' as usize] += 1;
        } else if matches!(c, '\u{E0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}') {
            marked.entry(c).or_default().push(at);
        }
    }
    let is_odd = |c: char, places: &[usize]| {
        let (mut base, mut is_vietnamese) = (None, false);
        decompose_canonical(c, |part| {
            is_vietnamese |= base == Some('e') && part == CIRCUMFLEX;
            base = base.or(Some(part));
        });
        let base = base.filter(|base| FREQUENT.contains(*base) && *base != c);
        places.len() >= MARKED
            && !is_vietnamese
            && base.is_some_and(|base| places.len() > MARKED_TIMES * plain[base as usize - 'a' as usize])
    };
    marked.into_iter().filter(|(c, places)| is_odd(*c, places)).flat_map(|(_, places)| places).collect()
}

/// Blanks of unusual width between letters, and words with a blank after each letter.
fn white_space(text: &[char], inside: &[usize], signs: &mut Signs) {
    let letter = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(|c| c.is_alphabetic());
    let is_small = |c: char| c.is_lowercase() && !is_east_asian(c);
    let (mut found, mut concerned) = (Vec::new(), 0);
    let (mut spaced, mut spaced_letters) = (Vec::new(), 0);
    let mut at = 0;
    while at < text.len() {
        let odd = matches!(
            text[at],
            '\u{115F}' | '\u{1160}' | '\u{1680}' | '\u{2000}'
                ..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}'
        );
        if odd && letter(at.checked_sub(1)) && letter(Some(at + 1)) {
            found.push((at as u32..at as u32 + 1, 1));
            concerned += SPOILT_BY_SIGN;
        }
        // A letter, a blank, a letter, a blank: how many letters stand alone from here on? Capitals do in titles.
        let alone = |at: usize| is_small(text[at]) && !letter(at.checked_sub(1)) && !letter(Some(at + 1));
        if alone(at) {
            let mut end = at;
            while end + 2 < text.len() && matches!(text[end + 1], ' ' | '\u{A0}') && alone(end + 2) {
                end += 2;
            }
            let letters = (end - at) / 2 + 1;
            if letters >= SPACED_LETTERS {
                spaced.push((at as u32..end as u32 + 1, letters as u32));
                spaced_letters += letters as u64;
            }
            at = end;
        }
        at += 1;
    }
    for at in inside.iter().copied().filter(|&at| text[at].is_whitespace()) {
        found.push((at as u32..at as u32 + 1, 1));
        concerned += SPOILT_BY_SIGN;
    }
    if spaced_letters * EMPHASIS_ONE_IN >= u64::from(signs.countable(&(0..text.len() as u32))) {
        concerned += spaced_letters;
        found.extend(spaced);
    }
    found.sort_by_key(|(span, _)| span.start);
    found.dedup_by_key(|(span, _)| span.start);
    signs.add_if_many(FlagKind::WhiteSpace, found, concerned);
}

/// Stretches of text whose words are too long or too short on average for any language: their blanks were taken out or
/// put in.
fn word_lengths(text: &[char], signs: &mut Signs) {
    let mut found: Vec<(Range<u32>, u32)> = Vec::new();
    let (mut concerned, mut letters, mut words, mut start) = (0, 0, 0, 0);
    // Letters that stand alone beside signs of formulas, and which there are.
    let (mut variables, mut different) = (0, 0_u32);
    let mut word = 0;
    for (at, &c) in text.iter().chain(std::iter::once(&' ')).enumerate() {
        // Many languages of Africa have letters of the phonetic alphabet.
        if is_latin(c) || (matches!(c, '\u{250}'..='\u{2AF}') && c.is_alphabetic()) {
            word += 1;
            continue;
        }
        if is_ignorable(c) || is_combining_mark(c) {
            continue;
        }
        if word == 1 && is_in_formula(text, at - 1) {
            variables += 1;
            different |= 1 << (text[at - 1].to_ascii_lowercase() as u32 % u32::BITS);
        } else if word > 0 {
            letters += word;
            words += 1;
        }
        word = 0;
        if words + variables >= WORDS || letters >= LETTERS {
            // Those of an alphabet are letters of words.
            let apart = if different.count_ones() <= VARIABLES { variables } else { 0 };
            let (all, all_words) = (letters + variables - apart, words + variables - apart);
            let tenths = all * 10 / all_words.max(1);
            let countable = (signs.countable(&(start as u32..at as u32)) as usize).saturating_sub(apart);
            if (all_words * ENOUGH_IN >= WORDS || letters >= LETTERS)
                && 10 * all >= MOSTLY * countable
                && !(SHORTEST_WORDS..=LONGEST_WORDS).contains(&tenths)
            {
                found.push((start as u32..at as u32, all_words as u32));
                concerned += all as u64;
            }
            (letters, words, variables, different, start) = (0, 0, 0, 0, at);
        }
    }
    signs.add_if_many(FlagKind::WordLength, found, concerned);
}

/// Whether a letter that stands alone is one of a formula: the next sign on either side is one of mathematics or logic, or a bracket.
fn is_in_formula(text: &[char], at: usize) -> bool {
    let is_sign = |c: Option<&char>| {
        c.is_some_and(|c| "=<>+|*^¬()[]{}±×÷·".contains(*c) || is_mathematical(*c) || is_technical(*c))
    };
    let before = text[..at].iter().rev().find(|c| **c != ' ');
    let behind = text.get(at + 1..).and_then(|rest| rest.iter().find(|c| **c != ' '));
    is_sign(before) || is_sign(behind)
}
