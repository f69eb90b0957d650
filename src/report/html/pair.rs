//! The page of two submissions that share text: both texts side by side, their passages linked.

use super::super::messages::Messages;
use super::display::{filled, number, percent, text};
use super::document;
use super::full_text::SOURCE_COLOURS;
use crate::check::{Common, Shared, SharedReport};
use crate::text::char_text::CharText;
use maud::{Markup, html};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

const SCRIPT: &str = include_str!("pair.js");

/// The most pairs that get a page: those with the largest shares.
pub(crate) const MOST_PAGES: usize = 200;

/// The page of a pair.
pub struct PairPage {
    /// The ids of the two.
    pub ids: (String, String),
    /// Its file name, without the ending.
    pub name: String,
    /// The page.
    pub html: String,
}

/// The name of a pair's page, by the two ids.
pub(super) fn names(pages: &[PairPage]) -> BTreeMap<(&str, &str), &str> {
    pages.iter().map(|page| ((page.ids.0.as_str(), page.ids.1.as_str()), page.name.as_str())).collect()
}

/// The pairs with the largest shares first; of equal ones the first by the ids.
pub fn ranked(shared: &SharedReport) -> Vec<&Shared> {
    let mut ranked: Vec<&Shared> = shared.pairs.iter().collect();
    ranked.sort_by(|a, b| b.share().total_cmp(&a.share()));
    ranked
}

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    words: &'a Messages,
    passages: usize,
}

/// Renders the page of a pair, whose texts are given.
///
/// # Errors
/// When a value cannot be written as JSON, which none should be.
pub fn render(pair: &Shared, first: &str, second: &str, words: &Messages) -> Result<String, serde_json::Error> {
    let sides = [
        (&pair.first, pair.ratio_first, pair.characters_first, first),
        (&pair.second, pair.ratio_second, pair.characters_second, second),
    ];
    let title = format!("{} – {}", pair.first, pair.second);
    let body = html! {
        header {
            div.back { a href="./index.html" { "← " (words.back) } }
            div.title {
                h1 { (words.pair) }
                p.byline {
                    (words.longest) (words.colon) (number(pair.longest)) " " (words.characters) " · "
                    (words.similarity) (words.colon) (percent(pair.similarity)) " · "
                    (words.common_sources) (words.colon) (pair.common_sources)
                }
            }
            div.steps {
                button type="button" #previous aria-keyshortcuts="p" { "← " (words.previous) }
                span #position role="status" { "0 / " (pair.places.len()) }
                button type="button" #next aria-keyshortcuts="n" { (words.next) " →" }
            }
        }
        main.pair {
            @for (side, (id, ratio, characters, whole)) in sides.into_iter().enumerate() {
                section aria-labelledby={ "side" (side) } {
                    h2 id={ "side" (side) } { bdi { (text(id)) } " " span.share { (percent(ratio)) } }
                    p.meta { (filled(words.in_other, &[&number(characters)])) }
                    div.whole lang="" tabindex="0" role="group" aria-labelledby={ "side" (side) } data-side=(side) {
                        (marked(whole, pair, side))
                    }
                }
            }
        }
    };
    let data = Data { words, passages: pair.places.len() };
    document(words, &title, &title, SCRIPT, &data, false, &body)
}

/// A text with the passages of one side marked.
fn marked(whole: &str, pair: &Shared, side: usize) -> Markup {
    let characters = CharText::new(whole);
    let of_side = |place: &'_ Common| match side {
        0 => (place.first.clone(), place.first_own.clone()),
        _ => (place.second.clone(), place.second_own.clone()),
    };
    let (places, own): (Vec<Range<u32>>, Vec<Vec<Range<u32>>>) = pair.places.iter().map(of_side).unzip();
    let mut borders: Vec<u32> =
        places.iter().chain(own.iter().flatten()).flat_map(|place| [place.start, place.end]).collect();
    borders.extend([0, whole.chars().count() as u32]);
    borders.sort_unstable();
    borders.dedup();
    let mut lines: Vec<Vec<Markup>> = vec![Vec::new()];
    for border in borders.windows(2) {
        let span = border[0]..border[1];
        let holds =
            |at: &usize| places[*at].contains(&span.start) && !own[*at].iter().any(|own| own.contains(&span.start));
        let here: Vec<usize> = (0..places.len()).filter(holds).collect();
        let mut first = here.first().filter(|&&at| places[at].start == span.start);
        for (line, part) in characters.slice(&span).split('\n').enumerate() {
            if line > 0 {
                lines.push(Vec::new());
            }
            let piece = match here.first() {
                Some(&at) if !part.trim().is_empty() => {
                    let all: Vec<String> = here.iter().map(usize::to_string).collect();
                    let number = first.take().map(|at| at + 1);
                    html! { mark class={ "s" (at % SOURCE_COLOURS) } data-p=(all.join(" ")) data-n=[number] { (text(part)) } }
                }
                _ => html! { (text(part)) },
            };
            if let Some(line) = lines.last_mut() {
                line.push(piece);
            }
        }
    }
    html! { @for line in &lines { p dir="auto" { @for piece in line { (piece) } } } }
}
