//! What a submission says in another language or in other words: both wordings, sentence by sentence.

use super::super::messages::Messages;
use super::agreeing::marked;
use super::display::{number, percent, text};
use crate::check::{Report, Resemblance, Resemblances};
use crate::semantic::Manner;
use crate::text::char_text::CharText;
use maud::{Markup, html};
use std::ops::Range;

/// The section of what the second look found; nothing if there was none.
pub fn section(report: &Report, words: &Messages) -> Markup {
    let Some(found) = &report.resemblances else { return html! {} };
    let here = CharText::new(&report.text);
    html! {
        section #resemblances aria-labelledby="resemblances-title" {
            h2 #resemblances-title { (words.resemblances) }
            p.meta { (words.resemblances_help) }
            @if !found.unknown_languages.is_empty() {
                p.meta { (words.unknown_languages) (words.colon) (found.unknown_languages.join(", ")) }
            }
            (figures(found, words))
            @for passage in &found.passages {
                details {
                    summary {
                        (name(passage.kind, words)) " · " bdi { (text(passage.title.as_ref().unwrap_or(&passage.source))) }
                        " · " (number(passage.links.len() as u64)) " " (words.linked_sentences)
                    }
                    (both(passage, &here, words))
                }
            }
        }
    }
}

fn name(kind: Manner, words: &Messages) -> &'static str {
    match kind {
        Manner::Translated => words.translated,
        Manner::Retold => words.retold,
    }
}

fn figures(found: &Resemblances, words: &Messages) -> Markup {
    html! {
        ul {
            @for (kind, ratio) in [(Manner::Translated, found.translated), (Manner::Retold, found.retold)] {
                li { (name(kind, words)) (words.colon) (percent(ratio.ratio)) }
            }
        }
    }
}

/// The characters of words on both sides that translate each other.
type Words = [Vec<Range<u32>>; 2];

/// The sentences that say the same, beside each other; what stands between them on either side has a row of its own.
fn both(passage: &Resemblance, here: &CharText, words: &Messages) -> Markup {
    let there = CharText::new(&passage.source_text);
    let first = passage.source_span.start;
    let of_source = |chars: &Range<u32>| there.slice(&(chars.start - first..chars.end - first));
    let ends = [(passage.submission.end..passage.submission.end, passage.source_span.end..passage.source_span.end)];
    let mut at = (passage.submission.start, passage.source_span.start);
    let mut rows: Vec<(bool, [&str; 2], Words)> = Vec::new();
    for (ours, theirs) in passage.links.iter().chain(&ends) {
        let between = (here.slice(&(at.0..ours.start)).trim(), of_source(&(at.1..theirs.start)).trim());
        if between != ("", "") {
            rows.push((false, between.into(), Default::default()));
        }
        if !ours.is_empty() {
            let linked = passage.words.iter().filter(|(word, _)| ours.start <= word.start && word.end <= ours.end);
            let within =
                |word: &Range<u32>, sentences: &Range<u32>| word.start - sentences.start..word.end - sentences.start;
            let words = linked
                .map(|(word, other)| (within(word, ours), within(other, theirs)))
                .collect::<(Vec<_>, Vec<_>)>()
                .into();
            rows.push((true, [here.slice(ours), of_source(theirs)], words));
        }
        at = (ours.end, theirs.end);
    }
    html! {
        table {
            thead { tr { th scope="col" { (words.in_submission) } th scope="col" { (words.in_source) } } }
            tbody {
                @for (is_linked, sides, words) in rows {
                    @let sides = marked(sides.map(text).each_ref().map(|side| &**side), passage.kind == Manner::Retold, words);
                    tr.between[!is_linked] { @for side in sides { td lang="" dir="auto" { (side) } } }
                }
            }
        }
    }
}
