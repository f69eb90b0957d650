//! A sentence that several works hold, each among other words, is a phrase of the trade; one that was copied with a paragraph, or from one work, is not.

use copytrace::check::{Checker, LibraryBuilder, Rules};
use copytrace::job::Job;
use copytrace::settings::Settings;
use copytrace::text::{Document, NotCounted};

const PHRASE: &str = "The funders had no role in study design, data collection and analysis, decision to publish, or preparation of the manuscript.";

/// Prose of one author: words that no other one has.
fn prose(author: usize, sentences: usize) -> String {
    let sentence =
        |at: usize| (0..12).map(|word| format!("word{author}x{} ", at * 12 + word)).collect::<String>() + ". ";
    (0..sentences).map(sentence).collect()
}

fn thesis(author: usize, inside: &str) -> String {
    format!("{}{inside} {}", prose(author, 40), prose(author + 100, 40))
}

/// Why the passages of a thesis do not count against a library.
fn why(library: &[String], submission: String, rules: Rules) -> Vec<Option<NotCounted>> {
    let document = |id: String, text: String| Document { id, text, ..Document::default() };
    let documents = library.iter().enumerate().map(|(at, text)| document(at.to_string(), text.clone())).collect();
    let mut builder = LibraryBuilder::new(&Settings::default().sketch).unwrap();
    assert_eq!(builder.add(documents, &Job::default()).unwrap(), []);
    let checker = Checker::new(builder.finish().unwrap().into(), Settings::default(), rules);
    let report = checker.check(document("thesis".into(), submission), &Job::default()).unwrap().report();
    report.passages.into_iter().map(|passage| passage.excluded).collect()
}

fn theses(authors: std::ops::Range<usize>, inside: &str) -> Vec<String> {
    authors.map(|author| thesis(author, inside)).collect()
}

#[test]
fn a_sentence_that_four_other_works_hold_among_other_words_is_a_set_phrase_and_of_three_it_counts() {
    let set_phrase = vec![Some(NotCounted::SetPhrase); 4];
    assert_eq!(why(&theses(1..5, PHRASE), thesis(9, PHRASE), Rules::default()), set_phrase);
    assert_eq!(why(&theses(1..4, PHRASE), thesis(9, PHRASE), Rules::default()), [None, None, None]);
    let all_parts = Rules { count_all_parts: true, ..Rules::default() };
    assert_eq!(why(&theses(1..5, PHRASE), thesis(9, PHRASE), all_parts), vec![None; 4]);
}

#[test]
fn a_sentence_of_a_paragraph_that_many_copied_counts() {
    let paragraph = format!("{} {PHRASE} {}", prose(50, 3), prose(51, 3));
    assert_eq!(why(&theses(1..7, &paragraph), thesis(9, PHRASE), Rules::default()), vec![None; 6]);
    assert_eq!(why(&theses(1..7, &paragraph), thesis(9, &paragraph), Rules::default()), vec![None; 6]);
}

#[test]
fn a_sentence_of_works_that_share_more_with_a_thesis_counts() {
    let more = format!("{PHRASE} {} {}", prose(60, 20), prose(50, 3));
    let library: Vec<String> = (1..7).map(|author| thesis(author, PHRASE) + &prose(70, 3)).collect();
    assert!(why(&library, thesis(9, &more) + &prose(70, 3), Rules::default()).iter().all(Option::is_none));
}

#[test]
fn a_text_of_sentences_that_many_hold_counts() {
    let sentence = |at: usize| prose(200 + at, 2);
    let own = |author: usize| (0..6).map(|at| prose(author * 10 + at, 8) + &sentence(at)).collect::<String>();
    let library: Vec<String> =
        (0..6).flat_map(|at| (1..6).map(move |author| thesis(30 + author * 7 + at, &sentence(at)))).collect();
    assert!(why(&library, own(90), Rules::default()).iter().all(Option::is_none));
}
