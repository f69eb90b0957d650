//! How long aligning takes, from short pairs to books and to texts made to hurt. Prints a table.
//!
//! `cargo bench --bench align`; the texts are the same on every machine.

mod generator;

use copytrace::align::{AlignSettings, Aligner, Submission};
use copytrace::text::units::Units;
use generator::{Generator, Language, Random, Recipe};
use std::time::Instant;

fn main() {
    println!("{:52} {:>9} {:>9} {:>9} {:>8}", "pair", "units", "ms", "passages", "covered");
    let english = |seed, kilobytes: usize| text(Recipe { seed, ..Recipe::english(1) }, 1024 * kilobytes);
    let chinese = |seed, characters: usize| text(Recipe { seed, ..Recipe::chinese(1) }, 3 * characters);

    let source = english(1, 5);
    measure("English, 15 kB with 1 kB of a source of 5 kB", 200, &plant(&english(2, 15), &source, 1024, 0), &source);
    measure("English, 15 kB and 5 kB, unrelated", 200, &english(2, 15), &english(3, 5));
    let source = chinese(4, 8000);
    measure("Chinese, 8,000 characters with 500 of another", 100, &plant(&chinese(5, 8000), &source, 1500, 0), &source);

    let thesis = english(6, 300);
    let source = english(7, 300);
    measure("a thesis of 300 kB, a source of 300 kB, unrelated", 5, &thesis, &source);
    measure("the same with 15 kB of the source, reworded", 5, &plant(&thesis, &source, 15 * 1024, 20), &source);

    let sentence = "The committee met on the second floor and the committee agreed to meet again. ";
    let repeated = sentence.repeat((1 << 20) / sentence.len());
    measure("1 MB of one sentence, and itself", 1, &repeated, &repeated);
    let variant = reword(&repeated, 60);
    measure("1 MB of one sentence, and a variant", 1, &repeated, &variant);
    measure("a variant, and 1 MB of one sentence", 1, &variant, &repeated);
    measure("1 MB of one word, and of the word twice as often", 1, &"ho ".repeat(350_000), &"ho ".repeat(700_000));
    let alternating = "ding dong ".repeat(100_000);
    measure(
        "1 MB of two words in turn, and one word changed",
        1,
        &alternating,
        &alternating.replacen("ding", "bang", 1),
    );

    let (book, other) = (english(8, 3 << 10), english(9, 3 << 10));
    measure("two books of 3 MB, unrelated", 1, &book, &other);
    measure("the same with 300 kB of the other, reworded", 1, &plant(&book, &other, 300 << 10, 20), &other);
    let small = &other[..300 << 10];
    measure(
        "a book of 300 kB, and one of 3 MB that holds it",
        1,
        &reword(small, 300),
        &plant(&book, small, 300 << 10, 0),
    );
}

/// A text of `bytes` bytes at least, without the generator's near-duplicates and boilerplate.
fn text(recipe: Recipe, bytes: usize) -> String {
    let length = bytes / if recipe.language == Language::Chinese { 3 } else { 5 } + 1;
    let recipe = Recipe { length: 2 * length, duplicate_every: 0, boilerplate_every: 0, ..recipe };
    let mut text: String = Generator::new(recipe).take(1).collect();
    text.truncate(border(&text, bytes));
    text
}

/// The last border between characters at or before a byte.
fn border(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A text with `bytes` bytes of a source in its middle, one in `every` words of them replaced (0: none).
fn plant(text: &str, source: &str, bytes: usize, every: u64) -> String {
    let from = border(source, (source.len() - bytes) / 2);
    let passage = &source[from..border(source, from + bytes)];
    let at = border(text, text.len() / 2);
    let passage = if every > 0 { reword(passage, every) } else { passage.to_owned() };
    [&text[..at], &passage, &text[at..]].concat()
}

/// One in `every` words, drawn at random, becomes another.
fn reword(text: &str, every: u64) -> String {
    let mut random = Random::new(every);
    let words = text
        .split_inclusive(' ')
        .map(|word| if random.below(every) == 0 { format!("other{} ", random.below(1000)) } else { word.to_owned() });
    words.collect()
}

fn measure(name: &str, times: u32, submission: &str, source: &str) {
    let (a, b) = (Units::from_text(submission), Units::from_text(source));
    let mut aligner = Aligner::new(AlignSettings::balanced());
    let clock = Instant::now();
    let mut found = Vec::new();
    for _ in 0..times {
        found = aligner.align(&Submission::new(&a), &b);
    }
    let milliseconds = clock.elapsed().as_secs_f64() * 1e3 / f64::from(times);
    let covered: usize = found.iter().map(|m| m.submission.len()).sum();
    println!(
        "{name:52} {:>9} {milliseconds:>9.2} {:>9} {:>8.4}",
        a.len() + b.len(),
        found.len(),
        covered as f64 / a.len() as f64
    );
}
