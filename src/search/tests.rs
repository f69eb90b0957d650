//! One submission against one index and several: what is found, and by whom.

use super::candidates::find;
use super::frequencies::Frequencies;
use super::hits::{DocumentHits, Hit};
use super::submission::{SearchResult, SharingDocument, check};
use crate::index::{Index, IndexWriter};
use crate::job::Job;
use crate::settings::Settings;
use crate::sketch::analysis::{Analyser, Analysis};
use crate::text::Document;
use std::collections::BTreeSet;

#[test]
fn the_fingerprint_of_a_submission_is_made_for_sources_alone() {
    let settings = Settings::default();
    let mut analyser = Analyser::new(&settings.sketch);
    let copied = "每一次潮水都在植物的茎之间留下薄薄一层淤泥，地面随着海面一起升高，直到下一场风暴把它带走。";
    let other = "乡镇图书馆冬天借出的小说比夏天多，账册表明如此。";
    let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
    let document = Document { id: "source".into(), text: copied.into(), ..Document::default() };
    writer.add(&document, Vec::new(), 0, &analyser.analyse(copied)).unwrap();
    let index = writer.into_index().unwrap();
    for (text, sources) in [(other, 0), (copied, 1)] {
        let submission = analyser.analyse(text);
        let findings = check(&index, None, &submission, &settings, |_| true, |_, _| false, &Job::default()).unwrap();
        assert_eq!(findings.documents.len(), sources);
        assert_eq!(submission.has_fingerprint(), sources > 0);
    }
}

/// Words that no other number gives.
fn own(number: usize, words: usize) -> String {
    (0..words).map(|at| format!("word{number}n{at} ")).collect()
}

#[test]
fn what_many_long_documents_hold_is_found_in_each_as_in_one() {
    let settings = Settings::default();
    let mut analyser = Analyser::new(&settings.sketch);
    let declaration = "the tide leaves a thin layer of silt between the stems of the marsh twice a day and every spring the \
                       reeds grow out of last year's mud while herons wait along the channel for eels ";
    // The last reaches further than what is aligned around a place.
    for common in [declaration.to_owned(), own(9000, 30) + declaration + &own(9001, 1000)] {
        let submission = analyser.analyse(&(own(0, 500) + &common + &own(1, 500)));
        let mut found_of = |documents: usize| {
            let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
            for number in 0..documents {
                let text = own(10 + number, 2500) + &common + &own(100 + number, 2500);
                let document = Document { id: format!("{number:03}"), ..Document::default() };
                writer.add(&document, Vec::new(), 0, &analyser.analyse(&text)).unwrap();
            }
            let index = writer.into_index().unwrap();
            let mut found =
                check(&index, None, &submission, &settings, |_| true, |_, _| false, &Job::default()).unwrap();
            // A stretch by itself weighs its evidence otherwise.
            found.documents.iter_mut().flat_map(|source| &mut source.matches).for_each(|m| m.evidence = 0.0);
            found
        };
        let [alone] = &found_of(1).documents[..] else { panic!("one source") };
        let among_many = found_of(30);
        assert_eq!(among_many.documents.len(), 30);
        for source in among_many.documents {
            assert_eq!((source.matches, source.weak), (alone.matches.clone(), alone.weak.clone()));
        }
    }
}

#[test]
fn reworded_sentences_scattered_over_a_long_document_are_found_though_none_is_a_passage() {
    let settings = Settings::default();
    let mut analyser = Analyser::new(&settings.sketch);
    // Han characters, of which every fifth is another: what is left makes no quotation, and a passage needs three times its evidence.
    let character = |at: usize| char::from_u32(0x4e00 + (at * 7919 % 20_000) as u32).unwrap();
    let sentence = |number: usize, is_reworded: bool| -> String {
        let unit = |at: usize| character(24 * number + at + if is_reworded && at % 5 == 4 { 9000 } else { 0 });
        (0..24).map(unit).collect()
    };
    let text = |is_reworded: bool, sentences: usize, first: usize| -> String {
        let scattered = |at: usize| sentence(at, is_reworded) + "。W" + own(first + at, 400).trim() + ". ";
        (0..sentences).map(scattered).collect()
    };
    let index = index([("source".to_owned(), text(false, 12, 100))].iter());
    let mut counted = |sentences: usize| {
        let submission = analyser.analyse(&text(true, sentences, 500));
        let found = check(&index, None, &submission, &settings, |_| true, |_, _| false, &Job::default()).unwrap();
        found.documents.iter().map(|source| source.matches.len()).sum::<usize>()
    };
    assert_eq!([4, 12].map(&mut counted), [0, 12]);
}

const PASSAGE: &str = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day and every \
                       spring the reeds grow out of last year's mud while the herons wait along the channel for eels";

fn index<'a>(texts: impl Iterator<Item = &'a (String, String)>) -> Index {
    let settings = Settings::default();
    let mut writer = IndexWriter::in_memory(&settings.sketch).unwrap();
    let mut analyser = Analyser::new(&settings.sketch);
    for (id, text) in texts {
        let document = Document { id: id.clone(), ..Document::default() };
        writer.add(&document, Vec::new(), 0, &analyser.analyse(text).with_fingerprint(0)).unwrap();
    }
    writer.into_index().unwrap()
}

/// Documents of which the first `holders` hold a passage, and all some words of their own.
fn documents(holders: usize, all: usize) -> Vec<(String, String)> {
    let own = |number: usize| (0..60).map(|at| format!("word{number}n{at} ")).collect::<String>();
    let text = |number| if number < holders { own(number) + PASSAGE } else { own(number) };
    (0..all).map(|number| (format!("{number:05}"), text(number))).collect()
}

fn sources(findings: &SearchResult) -> BTreeSet<(String, Vec<(u32, u32)>)> {
    let passages = |source: &SharingDocument| {
        source.matches.iter().map(|passage| (passage.submission.start, passage.submission.end)).collect()
    };
    findings.documents.iter().map(|source| (source.record.id.clone(), passages(source))).collect()
}

fn submission() -> Analysis {
    let words: String = (0..300).map(|at| format!("mine{at} ")).collect();
    Analyser::new(&Settings::default().sketch).analyse(&(words + PASSAGE))
}

#[test]
fn indexes_asked_with_what_was_counted_in_all_answer_as_one_index() {
    let (settings, submission) = (Settings::default(), submission());
    for holders in [3, 230, 700] {
        let documents = documents(holders, 720);
        let whole = index(documents.iter());
        let expected = check(&whole, None, &submission, &settings, |_| true, |_, _| false, &Job::default()).unwrap();
        assert!(!expected.documents.is_empty());
        for folders in [2, 5] {
            let parts: Vec<Index> =
                (0..folders).map(|part| index(documents.iter().skip(part).step_by(folders))).collect();
            let mut all = Frequencies::default();
            for part in &parts {
                all.add(&Frequencies::of(part, &submission).unwrap());
            }
            assert_eq!(all, Frequencies::of(&whole, &submission).unwrap());
            let ask = |part| {
                check(part, Some(&all), &submission, &settings, |_| true, |_, _| false, &Job::default()).unwrap()
            };
            let found: BTreeSet<_> = parts.iter().flat_map(|part| sources(&ask(part))).collect();
            assert_eq!(found, sources(&expected), "{holders} holders in {folders} indexes");
        }
    }
}

#[test]
fn a_passage_is_found_however_many_documents_hold_it() {
    let (settings, submission) = (Settings::default(), submission());
    let most = settings.retrieval.max_documents_per_key as usize;
    for holders in [1, most, most + 1, 3 * most] {
        let findings = check(
            &index(documents(holders, holders).iter()),
            None,
            &submission,
            &settings,
            |_| true,
            |_, _| false,
            &Job::default(),
        );
        let findings = findings.unwrap();
        let found = findings.documents.len();
        assert!(found == holders || holders > most && (20..=most).contains(&found), "{found} of {holders}");
        assert_eq!(findings.frequent_keys > 0, holders > most);
        let passages: BTreeSet<_> = findings.documents.iter().map(|s| s.matches[0].submission.end).collect();
        assert_eq!(passages.len(), 1);
    }
}

#[test]
fn the_one_that_a_frequent_key_is_quoted_from_is_found_among_all_that_hold_it() {
    const HOLDERS: usize = 300;
    let settings = Settings::default();
    let mut analyser = Analyser::new(&settings.sketch);
    // Two words among others that tell nothing, in another order in each document.
    let small = ["of", "the", "and", "to", "in"];
    let around = |number: usize| {
        let word = |power: u32| small[number / 5usize.pow(power) % 5];
        let (before, behind) = ([4, 3, 2].map(word).join(" "), [1, 0].map(word).join(" "));
        format!("{before} harbour ferrymen {behind} ")
    };
    let document = |number: usize| (format!("{number:05}"), own(number, 60) + &around(number) + &own(number, 60));
    let documents: Vec<(String, String)> = (0..HOLDERS).map(document).collect();
    let whole = index(documents.iter());
    let parts = [0, 1].map(|part| index(documents.iter().skip(part).step_by(2)));
    for number in (0..HOLDERS).step_by(23) {
        // The key is the only one near itself, so that nothing else leads there.
        let text = |first: usize| own(first, 300) + &around(number) + &own(first + 1, 300);
        let harbour = 303;
        let is_alone = |analysis: &Analysis| {
            let near = analysis.keys.iter().filter(|key| key.position.abs_diff(harbour) <= 3);
            near.map(|key| key.position).eq([harbour])
        };
        let mut tried = (1000..2000).step_by(2).map(|first| analyser.analyse(&text(first)));
        let submission = tried.find(is_alone).expect("every second key is in the sketch");
        let holders = |index: &Index, frequencies: Option<&Frequencies>| -> BTreeSet<String> {
            let found = find(index, &submission, &settings.retrieval, frequencies).unwrap();
            let holds = |of: &&DocumentHits| {
                let agree = |hit: &Hit| hit.documents == HOLDERS as u32 && hit.agreeing.count() == 2;
                found.hits.of_document(of).iter().any(agree)
            };
            found.every.iter().filter(holds).map(|of| index.record(of.document).unwrap().id).collect()
        };
        let found = holders(&whole, None);
        assert!(found.contains(&documents[number].0), "{number}");
        let mut all = Frequencies::default();
        parts.iter().for_each(|part| all.add(&Frequencies::of(part, &submission).unwrap()));
        let in_parts: BTreeSet<String> = parts.iter().flat_map(|part| holders(part, Some(&all))).collect();
        assert_eq!(in_parts, found);
    }
}
