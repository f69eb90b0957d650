//! What the strings of an SVG file say: each has a place, and may be a word or a single letter.

use hayro_interpret::kurbo::{Affine, Point};

use crate::extract::xml::{self, Element, Node};
use crate::limits::ReadLimits;
use copytrace_text::prose::sentences_in;

/// The fewest letters of strings that read as sentences and are prose. Chosen by hand; not measured apart.
const PROSE: usize = 200;

/// The most characters of strings that are no words, if most of a drawing's are no longer. Chosen by hand; not measured apart.
const PIECE: usize = 2;

/// Beyond how many times the usual distance the next string is of another word. Chosen by hand; not measured apart.
const FAR: f64 = 1.5;

/// The points of a letter's size where a drawing does not say it.
const EM: f64 = 16.0;

/// A string and where it stands; y grows downwards.
#[derive(Debug, Clone)]
struct Piece {
    place: Point,
    text: String,
}

/// What an element says of the strings in it.
#[derive(Debug, Clone, Copy, Default)]
struct Here {
    moved: Affine,
    place: Point,
}

/// The letters that read as sentences, from the strings line by line or in their order in the file; 0 if those are few.
pub(super) fn letters_of_sentences(bytes: &[u8]) -> u32 {
    let mut pieces = pieces(bytes);
    let in_file = sentences(&joined(&pieces));
    pieces.sort_by(|one, other| {
        let (a, b) = (one.place, other.place);
        a.y.round().total_cmp(&b.y.round()).then(a.x.total_cmp(&b.x))
    });
    let letters = in_file.max(sentences(&joined(&pieces)));
    if letters >= PROSE { letters as u32 } else { 0 }
}

/// The strings that are drawn. The height of one is the y that an element around it says, and by how much it is moved.
fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let is_text = |name: &str| matches!(name, "text" | "foreignObject");
    let (mut pieces, mut open, mut texts) = (Vec::new(), vec![Here::default()], 0_usize);
    // What comes before a fault counts.
    let _ = xml::walk("svg", bytes, &ReadLimits::default(), |node| {
        match node {
            Node::Start(element) => {
                texts += usize::from(is_text(element.name()));
                open.push(open.last().copied().unwrap_or_default().within(&element));
            }
            Node::End(name) => {
                texts -= usize::from(is_text(name));
                let ended = open.pop().unwrap_or_default();
                // The next string of a text stands below the last one, if that was moved.
                if let Some(around) = open.last_mut().filter(|_| texts > 0) {
                    around.place.y = ended.place.y;
                }
            }
            Node::Text(text) if texts > 0 => {
                let here = open.last().copied().unwrap_or_default();
                pieces.push(Piece { place: here.moved * here.place, text: text.into_owned() });
            }
            Node::Text(_) => {}
        }
        Ok(())
    });
    pieces
}

impl Here {
    fn within(self, element: &Element<'_>) -> Here {
        let length = |name: &str| element.attribute(name).as_deref().and_then(length);
        let place = Point {
            x: length("x").unwrap_or(self.place.x) + length("dx").unwrap_or(0.0),
            y: length("y").unwrap_or(self.place.y) + length("dy").unwrap_or(0.0),
        };
        let moved = element.attribute("transform").map_or(self.moved, |list| self.moved * transform(&list));
        Here { moved, place }
    }
}

/// The first length of a list.
fn length(list: &str) -> Option<f64> {
    let first = list.trim().split([' ', ',', '\t', '\n']).next()?;
    let unit = first.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+')).unwrap_or(first.len());
    let number: f64 = first[..unit].parse().ok()?;
    Some(if first[unit..].starts_with('e') { number * EM } else { number })
}

/// What a list of transforms does, as far as it is known.
fn transform(list: &str) -> Affine {
    let mut all = Affine::IDENTITY;
    for step in list.split(')') {
        let Some((name, numbers)) = step.split_once('(') else { continue };
        let numbers: Vec<f64> = numbers.split([' ', ',']).filter_map(|number| number.trim().parse().ok()).collect();
        let number = |at: usize| numbers.get(at).copied();
        all *= match (name.trim_matches([' ', ',', '\n', '\t']), number(0)) {
            ("translate", Some(x)) => Affine::translate((x, number(1).unwrap_or(0.0))),
            ("scale", Some(x)) => Affine::scale_non_uniform(x, number(1).unwrap_or(x)),
            ("rotate", Some(angle)) => {
                let around = Point { x: number(1).unwrap_or(0.0), y: number(2).unwrap_or(0.0) };
                Affine::rotate_about(angle.to_radians(), around)
            }
            ("matrix", Some(_)) => <[f64; 6]>::try_from(numbers.as_slice()).map_or(Affine::IDENTITY, Affine::new),
            _ => Affine::IDENTITY,
        };
    }
    all
}

/// The strings as one text: those of one height are a line. Where most are single letters, what stands close together is a word.
fn joined(pieces: &[Piece]) -> String {
    let width = width_of_letter(pieces);
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &pieces[before]);
        match before {
            Some(before)
                if width.is_some_and(|width| distance(before, piece).is_some_and(|far| far <= FAR * width)) => {}
            Some(_) => text.push(' '),
            None => {}
        }
        text.push_str(&piece.text);
    }
    text
}

/// How far the next string stands from one of the same height, for each of its letters.
fn distance(piece: &Piece, next: &Piece) -> Option<f64> {
    let is_line = piece.place.y.round() == next.place.y.round() && next.place.x >= piece.place.x;
    is_line.then(|| (next.place.x - piece.place.x) / piece.text.chars().count().max(1) as f64)
}

/// The usual width of a letter, where most strings are no words.
fn width_of_letter(pieces: &[Piece]) -> Option<f64> {
    let short = pieces.iter().filter(|piece| piece.text.trim().chars().count() <= PIECE).count();
    let mut distances: Vec<f64> = pieces.windows(2).filter_map(|pair| distance(&pair[0], &pair[1])).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().filter(|_| 2 * short > pieces.len())
}

fn sentences(text: &str) -> usize {
    if text.chars().filter(|character| character.is_alphabetic()).count() < PROSE / 3 {
        return 0;
    }
    let characters: Vec<char> = text.chars().collect();
    let places = sentences_in(text).into_iter();
    let said = places.flat_map(|place| &characters[place.start as usize..(place.end as usize).min(characters.len())]);
    crate::extract::unplaced::letters(&said.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIDE: &str = "The tide leaves a thin layer of silt between the stems, and the plants hold it there until the next flood comes over the bank. \
        The creeks fill from the sea at first, then the water spreads over the grass and slows down, so that the finest grains can settle.";

    fn svg(strings: &str) -> u32 {
        letters_of_sentences(format!("<svg xmlns='http://www.w3.org/2000/svg'>{strings}</svg>").as_bytes())
    }

    fn all() -> usize {
        TIDE.chars().filter(|letter| letter.is_alphabetic()).count()
    }

    #[test]
    fn words_and_letters_that_stand_at_places_of_their_own_are_prose() {
        let words = |tag: &dyn Fn(usize, &str) -> String| -> String {
            TIDE.split(' ').enumerate().map(|(at, word)| tag(at, word)).collect()
        };
        let by_place = words(&|at, word| format!("<text x='{}' y='{}'>{word}</text>", at % 8 * 70, at / 8 * 20));
        let moved =
            words(&|at, word| format!("<text transform='translate({},{})'>{word}</text>", at % 8 * 70, at / 8 * 20));
        let uneven = words(&|at, word| format!("<text x='{}' y='{}'>{word}</text>", at % 8 * 70, at * 5));
        let lines: String = words(&|at, word| format!("<tspan x='0' dy='{}em'>{word}</tspan>", at % 2));
        let letters: String = TIDE
            .chars()
            .enumerate()
            .filter(|(_, letter)| *letter != ' ')
            .map(|(at, letter)| format!("<text x='{}' y='{}'>{letter}</text>", at % 80 * 8, at / 80 * 20))
            .collect();
        let mut shuffled: Vec<String> = by_place.split_inclusive("</text>").map(str::to_owned).collect();
        shuffled.sort_by_key(|word| (word.len(), word.chars().rev().collect::<String>()));
        for strings in [by_place, moved, uneven, format!("<text>{lines}</text>"), letters, shuffled.concat()] {
            let found = svg(&strings) as usize;
            assert!(found * 10 >= 8 * all() && found <= all() + 10, "{found} of {}: {strings}", all());
        }
    }

    #[test]
    fn labels_of_charts_are_no_prose() {
        let months = ["January", "February", "March", "April", "May", "June", "July", "August", "September"];
        let row = |y: usize| -> String {
            let label = |(at, name): (usize, &&str)| format!("<text x='{}' y='{y}'>{name}</text>", at * 60);
            months.iter().enumerate().map(label).collect()
        };
        assert_eq!(svg(&(0..6).map(|panel| row(panel * 200)).collect::<String>()), 0);
        assert_eq!(svg("<text y='9'>The tide leaves a thin layer of silt between the stems.</text>"), 0);
    }
}
