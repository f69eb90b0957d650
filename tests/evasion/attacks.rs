//! What is done to the words of a text, in every format. A new attempt is a row of [`ATTACKS`].

use super::writers::{Paragraph, Piece};

/// What must come of an attempt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// The ratio is that of the honest text.
    Counts,
    /// A flag of this kind is raised, whatever the ratio.
    Flag(&'static str),
    /// The ratio is that of the honest text, or the file is refused because nothing of it is left to compare.
    CountsOrRefused,
}
use Outcome::{Counts, CountsOrRefused, Flag};

/// Paragraphs in, paragraphs out.
pub type Attack = fn(Vec<String>) -> Vec<Paragraph>;

/// Name, what is done to the paragraphs, and what must come of it.
pub const ATTACKS: &[(&str, Attack, Outcome)] = &[
    ("a first line `Declaration`", |p| first(p, "Declaration"), Counts),
    ("a first line 原创性声明", |p| first(p, "原创性声明"), Counts),
    ("a first line `Acknowledgements`", |p| first(p, "Acknowledgements"), Counts),
    ("a first line `References`", |p| first(p, "References"), Counts),
    ("a first line `Contents`", |p| first(p, "Contents"), Counts),
    ("a heading `Declaration`", |p| headed(p, "Declaration"), Counts),
    ("a heading `Acknowledgements`", |p| headed(p, "Acknowledgements"), Counts),
    ("a heading `References`", |p| headed(p, "References"), Counts),
    ("a heading `Contents`", |p| headed(p, "Contents"), Counts),
    ("all of it in headings", |p| p.into_iter().map(Paragraph::heading).collect(), Counts),
    ("all of it in quotation marks", |p| plain(p.into_iter().map(|p| format!("“{p}” [1]")).collect()), Counts),
    ("an abstract at the end, so that all before it is a title page", title_page, Counts),
    ("sentences numbered as entries of references", numbered_entries, Counts),
    ("sentences with a year and a place as entries of references", dated_entries, Flag("copied_part")),
    ("each sentence the title in an entry of references", titled_entries, Flag("copied_part")),
    ("sentences with page numbers as entries of contents", paged_entries, Counts),
    ("thanks before every other paragraph", thanked, Counts),
    ("words of thanks in every paragraph", thankful, CountsOrRefused),
    ("words of declarations in every sentence", declaring, Flag("copied_part")),
    ("zero-width spaces inside words", |p| inside_words(p, "\u{200b}"), Counts),
    ("soft hyphens inside words", |p| inside_words(p, "\u{ad}"), Counts),
    ("interlinear controls inside words", |p| inside_words(p, "\u{fff9}"), Counts),
    ("object replacement characters inside words", |p| inside_words(p, "\u{fffc}"), Counts),
    ("marks of length inside words", |p| inside_words(p, "\u{2d1}"), Counts),
    ("tatweel inside words", |p| inside_words(p, "\u{640}"), Counts),
    ("no-break spaces inside words", |p| inside_words(p, "\u{a0}"), Counts),
    ("noncharacters inside words", |p| inside_words(p, "\u{fdd0}"), Counts),
    ("hyphens inside words", |p| inside_words(p, "-"), Flag("odd_letters")),
    ("points inside words", |p| inside_words(p, "·"), Flag("odd_letters")),
    ("tag characters inside words", |p| inside_words(p, "\u{e0041}"), Counts),
    ("variation selectors inside words", |p| inside_words(p, "\u{fe0f}"), Counts),
    ("Mongolian vowel separators inside words", |p| inside_words(p, "\u{180e}"), Counts),
    ("musical controls inside words", |p| inside_words(p, "\u{1d173}"), Counts),
    ("combining grapheme joiners inside words", |p| inside_words(p, "\u{34f}"), Counts),
    ("rings above letters", |p| plain(replaced(replaced(p, "a", "a\u{30a}"), "e", "e\u{30a}")), Flag("odd_letters")),
    ("strokes through letters", |p| plain(replaced(replaced(p, "a", "a\u{335}"), "e", "e\u{335}")), Counts),
    ("dots below letters", |p| plain(replaced(replaced(p, "a", "ạ"), "e", "ẹ")), Counts),
    ("Hangul fillers for blanks", |p| plain(replaced(p, " ", "\u{3164}")), Counts),
    ("halfwidth fillers for blanks", |p| plain(replaced(p, " ", "\u{ffa0}")), Counts),
    ("blank Braille for blanks", |p| plain(replaced(p, " ", "\u{2800}")), Counts),
    ("Cyrillic letters", |p| plain(replaced(replaced(p, "a", "\u{430}"), "e", "\u{435}")), Counts),
    ("Greek letters", |p| plain(replaced(replaced(p, "o", "ο"), "v", "ν")), Counts),
    ("Armenian and Lisu letters", |p| plain(replaced(replaced(p, "o", "օ"), "n", "ո")), Counts),
    ("Roman numerals for letters", |p| plain(replaced(replaced(p, "i", "ⅰ"), "l", "ⅼ")), Counts),
    ("letters for phonetics", |p| plain(replaced(replaced(p, "a", "ɑ"), "g", "ɡ")), Counts),
    ("mathematical letters", |p| plain(replaced(replaced(p, "a", "𝖺"), "e", "𝖾")), Counts),
    ("fullwidth letters", |p| plain(replaced(replaced(p, "a", "ａ"), "e", "ｅ")), Counts),
    ("small capitals", |p| plain(replaced(replaced(p, "e", "ᴇ"), "o", "ᴏ")), Counts),
    ("letters in circles", |p| plain(replaced(replaced(p, "e", "ⓔ"), "a", "ⓐ")), Counts),
    ("figures for letters", |p| plain(replaced(replaced(p, "o", "0"), "l", "1")), Flag("replaced_letters")),
    ("rn for m", |p| plain(replaced(replaced(p, "m", "rn"), "w", "vv")), Flag("replaced_letters")),
    ("ligatures for letters", |p| plain(replaced(replaced(replaced(p, "fi", "ﬁ"), "ff", "ﬀ"), "st", "ﬆ")), Counts),
    ("dotless i", |p| plain(replaced(p, "i", "ı")), Counts),
    ("capitals in the midst of words", |p| plain(replaced(replaced(p, "e", "E"), "t", "T")), Counts),
    ("words turned round by overrides", reversed_words, Counts),
    ("lines turned round by isolates", reversed_lines, Counts),
    ("no blanks at all", |p| plain(replaced(p, " ", "")), Flag("word_length")),
    ("a blank after every letter", |p| plain(p.into_iter().map(|p| spaced(&p)).collect()), Flag("white_space")),
    (
        "a blank after every other letter",
        |p| plain(p.into_iter().map(|p| halved(&p, 2)).collect()),
        Flag("word_length"),
    ),
    ("a line for every word", |p| plain(replaced(p, " ", "\n")), Counts),
    ("a paragraph for every three words", short_paragraphs, Counts),
    ("full stops inside words", |p| inside_words(p, "."), Flag("odd_letters")),
    ("letters in black boxes", |p| plain(replaced(replaced(p, "e", "🅴"), "a", "🅰")), Counts),
    ("Deseret letters", |p| plain(replaced(replaced(p, "o", "𐐄"), "s", "𐑔")), Flag("mixed_script")),
    ("line separators inside words", |p| inside_words(p, "\u{2028}"), Flag("white_space")),
    (
        "raised numbers behind words",
        |p| behind_words(p, |at| if at % 3 == 0 { raised(at) } else { String::new() }),
        Counts,
    ),
    ("numbers in brackets behind words", |p| behind_words(p, |at| format!("[{}]", at % 40 + 1)), Flag("odd_letters")),
    ("apostrophes inside words", |p| inside_words(p, "’"), Flag("odd_letters")),
    ("low lines inside words", |p| inside_words(p, "_"), Flag("odd_letters")),
    ("several signs inside words", |p| inside_words(p, "._"), Flag("odd_letters")),
    ("signs for letters", |p| plain(replaced(replaced(p, "a", "@"), "i", "!")), Flag("replaced_letters")),
    ("hyphens for blanks", |p| plain(replaced(p, " ", "-")), Flag("odd_letters")),
    ("blanks inside words", |p| inside_words(p, " "), Flag("replaced_letters")),
    ("line ends inside words", |p| inside_words(p, "\n"), Flag("replaced_letters")),
    ("tabs inside words", |p| inside_words(p, "\t"), Flag("replaced_letters")),
    ("accents inside words", |p| inside_words(p, "\u{301}"), Flag("replaced_letters")),
    (
        "a letter doubled in every word",
        |p| changed(p, |at, word| format!("{}{}", &word[..=at % word.len()], &word[at % word.len()..])),
        Flag("replaced_letters"),
    ),
    (
        "a letter doubled in every other word",
        |p| changed(p, |at, word| word[..1 + at % 2].to_owned() + &word[1..]),
        Flag("replaced_letters"),
    ),
    (
        "a letter dropped from every word",
        |p| changed(p, |at, word| format!("{}{}", &word[..at % word.len()], &word[at % word.len() + 1..])),
        Flag("replaced_letters"),
    ),
    ("two letters swapped in every word", |p| changed(p, swapped), Flag("replaced_letters")),
    ("letters of flags", |p| plain(replaced(replaced(p, "a", "🇦"), "e", "🇪")), Counts),
    ("letters in brackets", |p| plain(replaced(replaced(p, "a", "⒜"), "e", "⒠")), Counts),
    ("every line in two columns of a table", |p| plain(replaced(p, ". ", ".\t")), Counts),
];

fn plain(paragraphs: Vec<String>) -> Vec<Paragraph> {
    paragraphs.into_iter().map(Paragraph::plain).collect()
}

fn first(paragraphs: Vec<String>, line: &str) -> Vec<Paragraph> {
    std::iter::once(Paragraph::plain(line)).chain(plain(paragraphs)).collect()
}

fn headed(paragraphs: Vec<String>, line: &str) -> Vec<Paragraph> {
    std::iter::once(Paragraph::heading(line)).chain(plain(paragraphs)).collect()
}

fn title_page(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let mut all = first(paragraphs, "A thesis submitted for a degree at the university");
    all.extend([Paragraph::plain("Abstract"), Paragraph::plain("It is short.")]);
    all
}

fn sentences(paragraphs: Vec<String>) -> impl Iterator<Item = String> {
    let split = |p: String| p.split_inclusive(". ").map(|s| s.trim().to_owned()).collect::<Vec<_>>();
    paragraphs.into_iter().flat_map(split)
}

fn numbered_entries(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let entries = sentences(paragraphs).enumerate().map(|(at, sentence)| format!("[{}] {sentence}", at + 1));
    first(entries.collect(), "References")
}

fn dated_entries(paragraphs: Vec<String>) -> Vec<Paragraph> {
    // Not all of them: what is added is text too.
    let entries = sentences(paragraphs).enumerate().map(|(at, sentence)| match at % 10 {
        0 => format!(
            "[{}] {sentence} London, {}, pp. {}-{}, https://doi.org/10.{}",
            at + 1,
            1980 + at % 40,
            at,
            at + 9,
            at
        ),
        _ => sentence,
    });
    first(entries.collect(), "References")
}

fn titled_entries(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let sentences: Vec<String> = sentences(paragraphs).collect();
    let (text, titles) = sentences.split_at(sentences.len() / 2);
    let entry = |(at, title): (usize, &String)| {
        let title = title.trim_end_matches(['.', '。']);
        format!(
            "[{}] Smith J. ({}). {title}. Journal of Mud {}(2), {at}–{}.",
            at + 1,
            1980 + at % 40,
            at % 9 + 1,
            at + 9
        )
    };
    let entries = first(titles.iter().enumerate().map(entry).collect(), "References");
    text.iter().map(|sentence| Paragraph::plain(sentence.clone())).chain(entries).collect()
}

fn paged_entries(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let entries = sentences(paragraphs).enumerate().map(|(at, sentence)| format!("{sentence} ..... {}", at + 1));
    first(entries.collect(), "Contents")
}

fn thanked(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let headed = |(at, p): (usize, String)| {
        let heading = (at % 2 == 0).then(|| Paragraph::heading("Acknowledgements"));
        heading.into_iter().chain([Paragraph::plain(p)])
    };
    paragraphs.into_iter().enumerate().flat_map(headed).collect()
}

fn thankful(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let paragraphs = paragraphs.into_iter().map(|p| format!("I thank all. {p}")).collect();
    headed(paragraphs, "Acknowledgements")
}

fn declaring(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let sentences = sentences(paragraphs).enumerate().map(|(at, sentence)| match at % 4 {
        0 => format!("I declare as my original work: {sentence}"),
        _ => sentence,
    });
    let sentences = sentences.collect();
    headed(sentences, "Declaration")
}

/// After the second letter of every word of four letters or more.
fn inside_words(paragraphs: Vec<String>, sign: &str) -> Vec<Paragraph> {
    let word = |word: &str| match word.char_indices().nth(2) {
        Some((at, _)) if word.len() > 3 && word.is_ascii() => format!("{}{sign}{}", &word[..at], &word[at..]),
        _ => word.to_owned(),
    };
    plain(paragraphs.into_iter().map(|p| p.split(' ').map(word).collect::<Vec<_>>().join(" ")).collect())
}

/// Every word of four letters or more changed, by its number.
fn changed(paragraphs: Vec<String>, change: fn(usize, &str) -> String) -> Vec<Paragraph> {
    let mut at = 0;
    let mut word = |word: &str| {
        at += 1;
        let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters > 3 { change(at, &word[..letters]) + &word[letters..] } else { word.to_owned() }
    };
    plain(paragraphs.into_iter().map(|p| p.split(' ').map(&mut word).collect::<Vec<_>>().join(" ")).collect())
}

fn swapped(at: usize, word: &str) -> String {
    let at = at % (word.len() - 1);
    format!("{}{}{}{}", &word[..at], &word[at + 1..at + 2], &word[at..at + 1], &word[at + 2..])
}

/// Behind every word what is given for its number.
fn behind_words(paragraphs: Vec<String>, sign: fn(usize) -> String) -> Vec<Paragraph> {
    let mut at = 0;
    let mut word = |word: &str| {
        at += 1;
        format!("{word}{}", sign(at))
    };
    plain(paragraphs.into_iter().map(|p| p.split(' ').map(&mut word).collect::<Vec<_>>().join(" ")).collect())
}

fn raised(number: usize) -> String {
    const FIGURES: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().bytes().map(|digit| FIGURES[usize::from(digit - b'0')]).collect()
}

fn replaced(paragraphs: Vec<String>, from: &str, to: &str) -> Vec<String> {
    paragraphs.into_iter().map(|p| p.replace(from, to)).collect()
}

fn reversed_words(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let letters = |word: &str| word.len() > 3 && word.bytes().all(|b| b.is_ascii_alphabetic());
    let turned = |word: &str| {
        if letters(word) {
            format!("\u{202e}{}\u{202c}", word.chars().rev().collect::<String>())
        } else {
            word.to_owned()
        }
    };
    plain(paragraphs.into_iter().map(|p| p.split(' ').map(turned).collect::<Vec<_>>().join(" ")).collect())
}

fn reversed_lines(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let turned = |line: String| format!("\u{2067}\u{202e}{}\u{202c}\u{2069}", line.chars().rev().collect::<String>());
    plain(sentences(paragraphs).map(turned).collect())
}

fn spaced(text: &str) -> String {
    text.chars().flat_map(|c| [c, ' ']).collect()
}

fn halved(text: &str, every: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(every).map(String::from_iter).collect::<Vec<_>>().join(" ")
}

fn short_paragraphs(paragraphs: Vec<String>) -> Vec<Paragraph> {
    let words: Vec<String> = paragraphs.iter().flat_map(|p| p.split(' ')).map(str::to_owned).collect();
    plain(words.chunks(3).map(|words| words.join(" ")).collect())
}

/// What is done with a trick of a format that hides text: decoys that nobody sees.
pub const DECOYS: &[(&str, Attack)] = &[
    ("other words after every paragraph", |p| {
        p.into_iter()
            .flat_map(|p| [Paragraph::plain(p.clone()), Paragraph::tricked(decoy(p.split(' ').count()))])
            .collect()
    }),
    ("letters inside words", |p| {
        let word = |word: &str| match word.char_indices().nth(2) {
            Some((at, _)) if word.len() > 3 && word.is_ascii() => {
                vec![
                    Piece::Plain(word[..at].to_owned()),
                    Piece::Tricked("q".to_owned()),
                    Piece::Plain(format!("{} ", &word[at..])),
                ]
            }
            _ => vec![Piece::Plain(format!("{word} "))],
        };
        p.iter().map(|p| Paragraph { is_heading: false, pieces: p.split(' ').flat_map(word).collect() }).collect()
    }),
];

/// What is done with a trick that shows text in an unusual way: half of the text is written so.
pub const SHOWN: &[(&str, Attack)] = &[("every other paragraph", |p| {
    let alternate = |(at, p): (usize, String)| if at % 2 == 1 { Paragraph::tricked(p) } else { Paragraph::plain(p) };
    p.into_iter().enumerate().map(alternate).collect()
})];

/// A text of `words` words that no source has in this order.
fn decoy(words: usize) -> String {
    const WORDS: [&str; 13] = [
        "lantern", "orchard", "gravel", "whistle", "copper", "meadow", "ledger", "thimble", "harbour", "pigment",
        "saddle", "walnut", "ribbon",
    ];
    (0..words).map(|at| WORDS[(at * at + 5 * at + at / 7) % WORDS.len()]).collect::<Vec<_>>().join(" ")
}
