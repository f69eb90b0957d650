//! The full text of a submission with its marks, line by line.

use super::display::text;
use super::pictures::class;
use crate::check::{Chapter, PageStart, Report, Status};
use crate::report::messages::Messages;
use crate::text::char_text::CharText;
use maud::{Markup, html};

/// Bytes of text that are laid out together.
const CHUNK: usize = 6000;

/// The most invisible characters that get an element of their own, by which they can be shown.
const MOST_UNSEEN: usize = 2000;

/// A longer line is no heading, in characters.
const LONGEST_HEADING: usize = 100;

/// What a line of the full text is made of.
enum Piece<'a> {
    Text(&'a str),
    Marked { segment: usize, status: Status, source: Option<usize>, first: bool, text: &'a str },
    Weak { segment: usize, text: &'a str },
    Page(u32),
    Chapter { at: usize, heading: bool },
    Flag(usize),
}

/// For each segment the source with the most that has it; none where nothing is matched.
pub(super) fn best_sources(report: &Report) -> Vec<Option<usize>> {
    let mut best: Vec<Option<usize>> = vec![None; report.segments.len()];
    for passage in &report.passages {
        for at in passage.covered().into_iter().flatten() {
            best[at] = Some(best[at].map_or(passage.source, |rank| rank.min(passage.source)));
        }
    }
    best
}

/// The text in groups of lines: a browser lays out only those that are seen.
pub(super) fn render(report: &Report, words: &Messages) -> Markup {
    let lines = lines(report);
    let mut unseen = 0;
    html! {
        @for chunk in chunks(&lines) {
            div.chunk { @for line in chunk { p dir="auto" { @for piece in line { (rendered(piece, &mut unseen, words)) } } } }
        }
    }
}

fn rendered(piece: &Piece, unseen: &mut usize, words: &Messages) -> Markup {
    html! {
        @match piece {
            Piece::Text(part) => (seen(part, unseen)),
            Piece::Marked { segment, status, source, first, text: part } => {
                @let rank = source.unwrap_or(0);
                mark class={ (class(*status)) " s" (rank % SOURCE_COLOURS) } data-s=(segment)
                    data-n=[first.then(|| label(rank, *status, words))] { (seen(part, unseen)) }
            },
            Piece::Weak { segment, text: part } => span.weak data-s=(segment) { (seen(part, unseen)) },
            Piece::Page(page) => span.page { (words.page) (page) (words.page_after) },
            Piece::Chapter { at, heading } => span.heading[*heading] id={ "c" (at) } {},
            Piece::Flag(at) => span.flag id={ "f" (at) } {},
        }
    }
}

/// The number of colours in which sources take turns.
pub(super) const SOURCE_COLOURS: usize = 8;

/// What stands at the start of a mark: the number of its source, and a letter for how the text presents it.
fn label(rank: usize, status: Status, words: &Messages) -> String {
    format!("{}{}", rank + 1, words.letter(status))
}

/// Whether a character has no width, so that nobody sees that it is there.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// A part of the text, with an element around each invisible character.
fn seen(part: &str, unseen: &mut usize) -> Markup {
    if *unseen >= MOST_UNSEEN || !part.contains(is_unseen) {
        return html! { (text(part)) };
    }
    let split = |piece: &'_ str| piece.trim_end_matches(is_unseen).len();
    let pieces: Vec<(&str, &str)> = part.split_inclusive(is_unseen).map(|piece| piece.split_at(split(piece))).collect();
    *unseen += pieces.iter().filter(|(_, sign)| !sign.is_empty()).count();
    html! {
        @for (body, sign) in pieces {
            (text(body))
            @if !sign.is_empty() {
                span.unseen { (sign) }
            }
        }
    }
}

/// The text line by line.
fn lines(report: &Report) -> Vec<Vec<Piece<'_>>> {
    let characters = CharText::new(&report.text);
    let best = best_sources(report);
    let mut weak = vec![false; report.segments.len()];
    report.weak.iter().for_each(|passage| weak[passage.segments.clone()].fill(true));
    let mut anchors = anchors(report, &characters).into_iter().peekable();
    let mut lines = vec![Vec::new()];
    let mut before: Option<usize> = None;
    for (at, segment) in report.segments.iter().enumerate() {
        let same = |before: usize| {
            report.segments[before].matched
                && report.segments[before].shown() == segment.shown()
                && best[before] == best[at]
        };
        let mut first = !before.is_some_and(same);
        let mut start = segment.start;
        while start < segment.end {
            while let Some((_, piece)) = anchors.next_if(|(place, _)| *place <= start) {
                put(&mut lines, piece);
            }
            let end = anchors.peek().map_or(segment.end, |(place, _)| segment.end.min(*place));
            for (line, part) in characters.slice(&(start..end)).split('\n').enumerate() {
                if line > 0 {
                    lines.push(Vec::new());
                }
                if segment.matched && !part.trim().is_empty() {
                    let (status, source) = (segment.shown(), best[at]);
                    put(&mut lines, Piece::Marked { segment: at, status, source, first, text: part });
                    first = false;
                } else if weak[at] && !part.trim().is_empty() {
                    put(&mut lines, Piece::Weak { segment: at, text: part });
                } else if !part.is_empty() {
                    put(&mut lines, Piece::Text(part));
                }
            }
            start = end;
        }
        before = Some(at);
    }
    anchors.for_each(|(_, piece)| put(&mut lines, piece));
    lines
}

/// Pages, chapters and flags by where they start.
fn anchors<'a>(report: &'a Report, characters: &CharText<'_>) -> Vec<(u32, Piece<'a>)> {
    let pages = report.pages.iter().map(|PageStart { number, start }| (*start, Piece::Page(*number)));
    // A heading that stands on a line of its own is shown as one.
    let heading = |chapter: &Chapter| {
        let line = characters.slice(&(chapter.start..chapter.end)).trim_start().lines().next().unwrap_or_default();
        !chapter.title.is_empty() && line.chars().nth(LONGEST_HEADING).is_none()
    };
    let chapter = |(at, chapter): (usize, &Chapter)| (chapter.start, Piece::Chapter { at, heading: heading(chapter) });
    let chapters = report.chapters.iter().enumerate().map(chapter);
    let flags = report.flags.iter().enumerate().map(|(at, flag)| (flag.start, Piece::Flag(at)));
    let mut anchors: Vec<(u32, Piece)> = pages.chain(chapters).chain(flags).collect();
    anchors.sort_by_key(|(place, _)| *place);
    anchors
}

/// The lines in groups of about [`CHUNK`] bytes.
fn chunks<'a, 'b>(lines: &'b [Vec<Piece<'a>>]) -> Vec<&'b [Vec<Piece<'a>>]> {
    let length = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Marked { text, .. } | Piece::Weak { text, .. } => text.len(),
        Piece::Page(_) | Piece::Chapter { .. } | Piece::Flag(_) => 0,
    };
    let (mut chunks, mut first, mut bytes) = (Vec::new(), 0, 0);
    for (at, line) in lines.iter().enumerate() {
        bytes += line.iter().map(length).sum::<usize>();
        if bytes >= CHUNK {
            chunks.push(&lines[first..=at]);
            (first, bytes) = (at + 1, 0);
        }
    }
    chunks.push(&lines[first..]);
    chunks
}

fn put<'a>(lines: &mut [Vec<Piece<'a>>], piece: Piece<'a>) {
    if let Some(line) = lines.last_mut() {
        line.push(piece);
    }
}
