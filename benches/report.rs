//! How large the page of a long thesis is, and how soon a browser answers: `cargo bench --bench report`.
//!
//! A thesis of 300 pages shares 2,000 passages with 500 sources. The page is opened by headless Chromium, passages are chosen
//! one after another and far apart, and a source and a status are switched off. Each time lasts until the next picture
//! has been drawn; the worst and the middle one are told.

#![allow(missing_docs)]

#[allow(dead_code)] // the tests use the rest
#[path = "../tests/slow/browser/driver.rs"]
mod driver;
mod generator;

use driver::Browser;
use generator::Random;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const PAGES: usize = 300;
const WORDS_OF_A_PAGE: usize = 450;
const PASSAGES: usize = 2000;
const SOURCES: usize = 500;
const WORDS_OF_A_PASSAGE: usize = 30;
const ROUNDS: usize = 5;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (thesis, corpus, output) =
        (folder.path().join("thesis.txt"), folder.path().join("corpus.jsonl"), folder.path().join("report"));
    write_texts(&thesis, &corpus);
    let mut check = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    check.arg("check").arg(&thesis).arg("--corpus").arg(&corpus).args(["--lang", "en", "-o"]).arg(&output);
    assert!(check.status().expect("the program").success());
    let page = output.join("thesis.txt.html");
    let bytes = std::fs::metadata(&page).expect("the page").len();
    println!("the page: {:.2} MB", bytes as f64 / 1e6);

    let browser = Browser::start();
    let mut opened = Vec::new();
    let mut times = [(); 4].map(|()| Vec::new());
    for _ in 0..ROUNDS {
        browser.open(&page);
        opened.push(browser.run(OPENED).as_f64().expect("a time"));
        for (action, times) in ACTIONS.iter().zip(&mut times) {
            times.extend(milliseconds(&browser, action.1));
        }
    }
    tell("opening, until it is complete", opened);
    for ((name, _), times) in ACTIONS.iter().zip(times) {
        tell(name, times);
    }
}

const OPENED: &str = "return performance.getEntriesByType('navigation')[0].loadEventEnd";

/// What is timed, and the elements that are clicked one after another.
const ACTIONS: [(&str, &str); 4] = [
    ("choosing the next passage", "new Array(20).fill(document.getElementById('next'))"),
    (
        "choosing a passage far away",
        "[400, 20, 300, 120, 499].map((at) => document.querySelectorAll('[data-source] button')[at])",
    ),
    (
        "switching a source off and on",
        "[3, 3, 250, 250].map((at) => document.querySelectorAll('[data-source] input')[at])",
    ),
    ("switching a status off and on", "new Array(2).fill(document.querySelector('input[data-status=no_attribution]'))"),
];

/// Milliseconds from each click until the picture after it has been drawn.
fn milliseconds(browser: &Browser, elements: &str) -> Vec<f64> {
    let script = format!(
        "const elements = {elements}; const times = [];
         const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
         return (async () => {{
           for (const element of elements) {{
             await drawn();
             const start = performance.now();
             element.click();
             await drawn();
             times.push(performance.now() - start);
           }}
           return times;
         }})()"
    );
    let times = browser.run(&script);
    times.as_array().expect("times").iter().filter_map(serde_json::Value::as_f64).collect()
}

fn tell(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    println!("{name}: {:.0} ms, at most {:.0} ms", times[times.len() / 2], times[times.len() - 1]);
}

/// Writes the thesis and its sources. Of every third passage two words were replaced.
fn write_texts(thesis: &Path, corpus: &Path) {
    let mut random = Random::new(5);
    let vocabulary: Vec<String> = (0..20_000).map(|_| word(&mut random)).collect();
    let mut words = |count: usize| -> Vec<&str> {
        (0..count).map(|_| vocabulary[random.below(vocabulary.len() as u64) as usize].as_str()).collect()
    };
    let own = PAGES * WORDS_OF_A_PAGE / PASSAGES - WORDS_OF_A_PASSAGE;
    let mut text = String::new();
    let mut sources = vec![String::new(); SOURCES];
    for at in 0..PASSAGES {
        let mut passage = words(WORDS_OF_A_PASSAGE);
        let source = &mut sources[at % SOURCES];
        *source += &sentences(&words(200));
        *source += &sentences(&passage);
        if at % 3 == 0 {
            (passage[7], passage[20]) = ("otherwise", "replaced");
        }
        if at % 80 == 0 {
            write!(text, "\n\nChapter {} The Heading\n\n", at / 80 + 1).expect("a string");
        } else if at % 3 == 0 {
            text.push_str("\n\n");
        }
        text += &sentences(&words(own));
        text += &sentences(&passage);
    }
    std::fs::write(thesis, text).expect("the thesis");
    let line = |(at, text): (usize, &String)| {
        let (id, title, author) = (format!("source-{at:03}"), format!("Source number {at}"), format!("Author {at}"));
        serde_json::json!({ "id": id, "title": title, "author": author, "text": text }).to_string()
    };
    let lines: Vec<String> = sources.iter().enumerate().map(line).collect();
    std::fs::write(corpus, lines.join("\n")).expect("the corpus");
}

/// A word that can be spoken, of one to four syllables.
fn word(random: &mut Random) -> String {
    let syllables = 1 + random.below(4);
    let mut one_of = |letters: &[u8]| char::from(letters[random.below(letters.len() as u64) as usize]);
    (0..syllables).flat_map(|_| [one_of(b"bcdfghklmnprst"), one_of(b"aeiou")]).collect()
}

fn sentences(words: &[&str]) -> String {
    words.chunks(14).map(|words| format!("{}. ", words.join(" "))).collect()
}
