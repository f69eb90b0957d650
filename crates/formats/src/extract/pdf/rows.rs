//! From glyphs on a page to lines of text.
//!
//! Only places count, as for a reader: in which order letters were drawn, and whether blanks were, says little. Glyphs on
//! one baseline make a row; a row is cut into lines where a column or a cell of a table ends, and into words where the
//! gap between two letters is wider than those inside words.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ahash::AHashMap;
use hayro_interpret::kurbo::Point;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::compose;

use super::baselines::{Placed, SAME_BASELINE, SCRIPT, SMALLEST_SCRIPT, rows};
use super::columns::letters_of;
use super::glyph::{Glyph, Seen};
use super::lines::{Page, PdfLine, Special, closes};
use super::margins::{LETTERS_OF_LINE, LETTERS_OF_NOTE};
use super::vertical;
use crate::extract::table::by_name;
use crate::extract::wide::is_wide;

/// Stands for a character of a word that the file does not tell (REPLACEMENT CHARACTER).
const UNKNOWN: &str = "\u{FFFD}";

// Lengths below are in heights of the font, unless another unit is named. All were chosen by hand on theses of many schools and
// programs, where they part letters, words and columns; none was fitted to the files that accuracy is measured on.

/// A glyph that claims to be wider than this is cut off there: fonts with wrong widths would swallow what follows.
const WIDEST_GLYPH: f64 = 4.0;

/// A glyph that leads less far has no direction of its own; the top of its letters tells it.
const LEADS_NOWHERE: f64 = 0.01;

/// A gap of this width ends a line, or one of a column's width where a column of the page begins.
const END_OF_LINE: f64 = 1.5;
const GUTTER: f64 = 0.6;

/// A gap of which drawn blanks fill this share is one of the words of a line, and ends none.
const FILLED_BY_BLANKS: f64 = 0.6;

/// A gap of this width parts words; where a blank was drawn, and between Han characters.
const BLANK: f64 = 0.12;
const DRAWN_BLANK: f64 = 0.04;
const WIDE_BLANK: f64 = 0.4;

/// Letters are spaced out if the middle one of the gaps inside words is wider than this, of this many gaps or more.
const SPACED_OUT: f64 = 0.08;
const FEWEST_SPACED: usize = 4;

/// A gap between spaced-out letters parts words if it is this many times as wide as those inside words, and this much wider still,
/// so that the uneven gaps of justified lines part none.
const SPACED_BLANK: f64 = 1.6;
const SPACED_BLANK_MORE: f64 = 0.05;

/// A letter drawn again this near to its first place makes it bold: the same ink counts this many times. The first one is among this
/// many last ones of its row.
const DOUBLED: f64 = 0.12;
const DOUBLED_INK: f32 = 1.4;
const DOUBLED_AMONG: usize = 4;

/// Letters of at least this share of the line's usual size stand on its baseline.
const ON_BASELINE: f64 = 0.95;

/// How far a line reaches above its baseline, and how far below it.
const ASCENT: f64 = 0.8;
const DESCENT: f64 = 0.2;

/// The size in points below which letters are too small to be read, the most characters of a label in such letters, and the most of
/// all labels on a page.
const TINY: f64 = 4.0;
const LABEL: usize = 25;
const MOST_LABELS: u32 = 1000;

/// How many gaps of one width make a stretched line, and by how much the widths may differ.
const FEWEST_STRETCHED: usize = 4;
const EVENLY_STRETCHED: f64 = 0.15;

/// The fewest letters that show a font of one width, by how much their widths may differ, and the largest share of characters that
/// may be wide (one in this many).
const FEWEST_MONOSPACED: usize = 6;
const ONE_WIDTH: f64 = 0.01;
const WIDE_ONE_IN: usize = 5;

/// Glyphs that stand higher or lower than the one before by a smaller share of their size go on with its line.
const SAME_LINE: f64 = 0.3;

/// How many rows that begin in one place make a column, and the largest share of those between them that may lie over its gutter
/// (one in this many).
const COLUMN_ROWS: usize = 8;
const CROSSES_ONE_IN: usize = 4;

/// The shares of the page's width between which two columns part.
const MIDDLE: std::ops::Range<f64> = 0.35..0.65;

/// A gutter lies half a point left of what begins behind it; two that are nearer to each other than a point are one.
const BEFORE_COLUMN: f64 = 0.5;
const SAME_GUTTER: f64 = 1.0;

/// Which way the text of a glyph runs: by quarter turns, else by degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direction {
    Right,
    Down,
    Left,
    Up,
    Degrees(i32),
}

/// Puts lines on a page of known size. `inks` collects ink and number of each character for [`weigh`].
pub(super) fn read(page: &mut Page, glyphs: &[Glyph], inks: &mut BTreeMap<char, (f32, u32)>) {
    let mut groups: BTreeMap<Direction, Vec<Placed<'_>>> = BTreeMap::new();
    let is_vertical = vertical::is_vertical(glyphs);
    for (at, glyph) in glyphs.iter().enumerate() {
        if glyph.seen != Seen::Plainly {
            unseen(page, glyph);
            continue;
        }
        // Fonts draw lines and circles, too, which are no letters.
        let is_in_line = || {
            at.checked_sub(1).is_some_and(|before| is_beside(&glyphs[before], glyph))
                || glyphs.get(at + 1).is_some_and(|next| is_beside(glyph, next))
        };
        page.unmapped += u32::from(glyph.text.is_empty() && is_in_line());
        let direction = direction(glyph);
        if is_vertical && matches!(direction, Direction::Right | Direction::Down) {
            let (start, end, base) = vertical::place(glyph, page.width);
            let placed = Placed { glyph, start, end, base, raised: false, doubled: false };
            groups.entry(Direction::Down).or_default().push(placed);
            continue;
        }
        let place = |at: Point| along(at, direction, page.width, page.height);
        let ((from, base), (to, _)) = (place(glyph.from), place(glyph.to));
        let (start, end) = (from.min(to), from.max(to).min(from.min(to) + WIDEST_GLYPH * glyph.size));
        groups.entry(direction).or_default().push(Placed { glyph, start, end, base, raised: false, doubled: false });
    }
    for glyph in glyphs.iter().filter(|glyph| glyph.seen == Seen::Plainly && glyph.ink > 0.0) {
        let mut characters = glyph.text.chars();
        if let (Some(c), None) = (characters.next(), characters.next()) {
            let (sum, count) = inks.entry(c).or_default();
            *sum += glyph.ink;
            *count += 1;
        }
    }
    let main = groups.iter().max_by_key(|(direction, glyphs)| (glyphs.len(), std::cmp::Reverse(**direction)));
    let Some(main) = main.map(|(direction, _)| *direction) else { return };
    for direction in
        std::iter::once(main).chain(groups.keys().copied().filter(|other| *other != main).collect::<Vec<_>>())
    {
        let glyphs = groups.remove(&direction).unwrap_or_default();
        for mut line in lines(glyphs, page) {
            line.turned = direction != main;
            page.lines.push(line);
        }
    }
    if matches!(main, Direction::Down | Direction::Up) {
        std::mem::swap(&mut page.width, &mut page.height);
    }
}

/// Whether a glyph goes on with the line of the one before.
fn is_beside(before: &Glyph, glyph: &Glyph) -> bool {
    let way = glyph.from - before.to;
    let across = way.dot(glyph.up.to_vec2()).abs();
    let size = before.size.max(glyph.size);
    across < SAME_LINE * size && way.hypot() < size
}

/// Notes a glyph that nobody sees.
fn unseen(page: &mut Page, glyph: &Glyph) {
    let special = if glyph.seen == Seen::White { Special::White } else { Special::Unseen };
    let blank = glyph.text.chars().all(char::is_whitespace);
    match page.unseen.last_mut() {
        Some((last, text)) if *last == special => text.push_str(if blank { " " } else { &glyph.text }),
        _ if blank => {}
        _ => page.unseen.push((special, glyph.text.clone())),
    }
}

fn direction(glyph: &Glyph) -> Direction {
    let way = if glyph.from.distance(glyph.to) > LEADS_NOWHERE * glyph.size {
        glyph.to - glyph.from
    } else {
        // To the right of upwards.
        Point::new(-glyph.up.y, glyph.up.x).to_vec2()
    };
    let degrees = way.y.atan2(way.x).to_degrees().round() as i32;
    match degrees {
        -2..=2 => Direction::Right,
        88..=92 => Direction::Down,
        -180..=-178 | 178..=180 => Direction::Left,
        -92..=-88 => Direction::Up,
        degrees => Direction::Degrees(degrees),
    }
}

/// A place along and across a direction.
fn along(at: Point, direction: Direction, width: f64, height: f64) -> (f64, f64) {
    match direction {
        Direction::Right => (at.x, at.y),
        Direction::Down => (at.y, width - at.x),
        Direction::Left => (width - at.x, height - at.y),
        Direction::Up => (height - at.y, at.x),
        Direction::Degrees(degrees) => {
            let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
            (at.x * cos + at.y * sin, at.y * cos - at.x * sin)
        }
    }
}

/// The lines of glyphs that run one way, from the top to the bottom.
fn lines(glyphs: Vec<Placed<'_>>, page: &mut Page) -> Vec<PdfLine> {
    let is_accent = |glyph: &Glyph| glyph.text.chars().next().and_then(combining).is_some();
    let mut rows = rows(glyphs, is_accent);
    for row in &mut rows {
        page.doubled += without_doubles(row);
    }
    let gutter = gutter(&rows, page.width);
    let edges = edges(&rows);
    let mut lines = Vec::new();
    for row in &rows {
        for segment in segments(row, gutter, &edges) {
            let Some(line) = line(segment) else { continue };
            let characters = line.text.chars().count();
            let label = line.size < TINY && characters <= LABEL && page.labels + characters as u32 <= MOST_LABELS;
            if label {
                page.labels += characters as u32;
            } else {
                lines.push(line);
            }
        }
    }
    lines
}

/// Takes out letters drawn twice in one place; tells how many.
fn without_doubles(row: &mut Vec<Placed<'_>>) -> u32 {
    let before = row.len();
    let mut kept: Vec<Placed<'_>> = Vec::with_capacity(before);
    for glyph in row.drain(..) {
        let same = |other: &&Placed<'_>| {
            other.glyph.text == glyph.glyph.text
                && (glyph.start - other.start).abs() < DOUBLED * glyph.glyph.size
                && (glyph.base - other.base).abs() < DOUBLED * glyph.glyph.size
        };
        let near = kept.iter_mut().rev().take(DOUBLED_AMONG).find(|other| same(&&**other));
        match near.filter(|_| !glyph.glyph.text.is_empty()) {
            Some(other) => other.doubled = true,
            None => kept.push(glyph),
        }
    }
    *row = kept;
    (before - row.len()) as u32
}

fn is_blank(glyph: &Placed<'_>) -> bool {
    !glyph.glyph.text.is_empty() && glyph.glyph.text.chars().all(char::is_whitespace)
}

/// The place between two columns: `COLUMN_ROWS` rows or more begin there, or go on there behind a gap, and few between them lie over
/// it. Above and below columns there may be other text.
fn gutter(rows: &[Vec<Placed<'_>>], width: f64) -> Option<f64> {
    // Places with the numbers of their rows; and from where to where rows reach, and their gaps.
    let (mut begins, mut spans, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
    let middle = MIDDLE.start * width..MIDDLE.end * width;
    for (at, row) in rows.iter().enumerate() {
        let mut last: Option<&Placed<'_>> = None;
        let mut start = None;
        for glyph in row.iter().filter(|glyph| !is_blank(glyph)) {
            let gap = last.map(|last| last.end..glyph.start);
            let is_wide = gap.as_ref().is_none_or(|gap| gap.end - gap.start > GUTTER * glyph.glyph.size);
            if is_wide && middle.contains(&(glyph.start - BEFORE_COLUMN)) {
                begins.push((glyph.start - BEFORE_COLUMN, at));
                gaps.extend(gap);
            }
            start = start.or(Some(glyph.start));
            last = Some(glyph);
        }
        spans.push(start.zip(last).map_or(0.0..0.0, |(start, last)| start..last.end));
    }
    begins.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let columns = begins.chunk_by(|before, next| next.0 - before.0 < SAME_GUTTER).max_by_key(|rows| rows.len())?;
    let at = columns[0].0;
    let first = columns.iter().map(|(_, row)| *row).min()?;
    let last = columns.iter().map(|(_, row)| *row).max()?;
    let over = spans[first..=last].iter().filter(|span| span.contains(&at)).count();
    let parted = gaps.iter().filter(|gap| gap.contains(&at)).count();
    let is_gutter = columns.len() >= COLUMN_ROWS && over.saturating_sub(parted) * CROSSES_ONE_IN <= last - first;
    is_gutter.then_some(at)
}

/// Where most rows of prose on a page begin and end, with a point to spare. Words beyond may be a note in the margin.
fn edges(rows: &[Vec<Placed<'_>>]) -> Vec<f64> {
    let (mut starts, mut ends): (BTreeMap<i64, usize>, BTreeMap<i64, usize>) = Default::default();
    for row in rows {
        let shown: Vec<&Placed<'_>> = row.iter().filter(|glyph| !is_blank(glyph)).collect();
        for part in shown.chunk_by(|before, next| next.start - before.end <= GUTTER * next.glyph.size) {
            if letters_of(part.iter().flat_map(|glyph| glyph.glyph.text.chars())) < LETTERS_OF_LINE {
                continue;
            }
            *starts.entry(part[0].start.round() as i64).or_default() += 1;
            *ends.entry(part[part.len() - 1].end.round() as i64).or_default() += 1;
        }
    }
    let most = |places: &BTreeMap<i64, usize>| {
        let most = places.iter().max_by_key(|(_, count)| **count);
        most.filter(|(_, count)| **count >= COLUMN_ROWS).map(|(place, _)| *place as f64)
    };
    let sides = [most(&starts).map(|start| start - SAME_GUTTER), most(&ends).map(|end| end + SAME_GUTTER)];
    sides.into_iter().flatten().collect()
}

/// The parts of a row that stand apart.
fn segments<'r, 'g>(row: &'r [Placed<'g>], gutter: Option<f64>, edges: &[f64]) -> Vec<&'r [Placed<'g>]> {
    let mut segments = Vec::new();
    let mut start = 0;
    let stretched = is_stretched(row);
    // The last glyph that is no blank, and the width of the blanks since.
    let mut last: Option<&Placed<'_>> = None;
    let mut blanks = 0.0;
    for (at, glyph) in row.iter().enumerate() {
        if is_blank(glyph) {
            blanks += glyph.end - glyph.start;
            continue;
        }
        if let Some(last) = last {
            let (gap, size) = (glyph.start - last.end, last.glyph.size.max(glyph.glyph.size));
            let within = |place: &f64| (last.end..glyph.start).contains(place);
            let margin = || edges.iter().any(within) && is_word(&row[start..at]) && is_word(part(&row[at..]));
            let column = gap > GUTTER * size && (gutter.is_some_and(|gutter| within(&gutter)) || margin());
            let far = gap > END_OF_LINE * size && blanks < FILLED_BY_BLANKS * gap && !stretched;
            if far || column {
                segments.push(&row[start..at]);
                start = at;
            }
        }
        last = Some(glyph);
        blanks = 0.0;
    }
    segments.push(&row[start..]);
    segments
}

/// What a row begins with, up to a wide gap.
fn part<'r, 'g>(row: &'r [Placed<'g>]) -> &'r [Placed<'g>] {
    let mut end = f64::MAX;
    let is_far = |glyph: &Placed<'_>| {
        let far = !is_blank(glyph) && glyph.start - end > GUTTER * glyph.glyph.size;
        end = if is_blank(glyph) { end } else { glyph.end };
        far
    };
    &row[..row.iter().position(is_far).unwrap_or(row.len())]
}

/// Whether a part of a row has the letters of a note in the margin.
fn is_word(part: &[Placed<'_>]) -> bool {
    part.iter().filter(|glyph| glyph.glyph.text.starts_with(char::is_alphabetic)).count() >= LETTERS_OF_NOTE
}

/// Whether the words of a row stand equally far apart, as in a short line that a program stretched to the whole width.
fn is_stretched(row: &[Placed<'_>]) -> bool {
    let shown: Vec<&Placed<'_>> = row.iter().filter(|glyph| !is_blank(glyph)).collect();
    let gaps = shown.windows(2).map(|pair| (pair[1].start - pair[0].end) / pair[0].glyph.size.max(0.01));
    let gaps: Vec<f64> = gaps.filter(|gap| *gap > BLANK).collect();
    let least = gaps.iter().copied().fold(f64::MAX, f64::min);
    let most = gaps.iter().copied().fold(0.0, f64::max);
    gaps.len() >= FEWEST_STRETCHED && most - least < EVENLY_STRETCHED
}

/// The line of glyphs that stand in order; `None` if there is no character in it.
fn line(glyphs: &[Placed<'_>]) -> Option<PdfLine> {
    let shown: Vec<&Placed<'_>> = glyphs.iter().filter(|glyph| !is_blank(glyph)).collect();
    let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
    for glyph in &shown {
        *sizes.entry((glyph.glyph.size * 100.0) as u64).or_default() += glyph.glyph.text.len();
    }
    let size = sizes.iter().max_by_key(|(_, letters)| **letters).map(|(size, _)| *size as f64 / 100.0)?;
    // Initials are far larger.
    let full = |glyph: &&&Placed<'_>| (ON_BASELINE * size..=size / SMALLEST_SCRIPT).contains(&glyph.glyph.size);
    let base = shown.iter().find(full).map_or(shown[0].base, |glyph| glyph.base);
    let spaced = spacing(&shown);
    let mut line = PdfLine {
        left: shown[0].start,
        right: shown.iter().map(|glyph| glyph.end).fold(f64::MIN, f64::max),
        top: base - ASCENT * size,
        bottom: base + DESCENT * size,
        size,
        upon_picture: 2 * shown.iter().filter(|glyph| glyph.glyph.upon_picture).count() > shown.len(),
        ..PdfLine::default()
    };
    let mut last: Option<&Placed<'_>> = None;
    let mut drawn_blank = None;
    let (mut ink, mut first_word_ends) = (0.0, None);
    for (at, glyph) in glyphs.iter().enumerate() {
        if is_blank(glyph) {
            drawn_blank = glyph.glyph.text.chars().next().filter(|_| glyph.end > glyph.start).or(drawn_blank);
            continue;
        }
        // What has no character fills its place. In a word it is one that is not known.
        let letter =
            |other: Option<&Placed<'_>>| other.is_some_and(|other| other.glyph.text.starts_with(char::is_alphabetic));
        let touches = |before: &Placed<'_>, after: &Placed<'_>| after.start - before.end < BLANK * size;
        let in_word = last.is_some_and(|last| letter(Some(last)) && touches(last, glyph))
            || (letter(glyphs.get(at + 1)) && glyphs.get(at + 1).is_some_and(|next| touches(glyph, next)));
        let text = if glyph.glyph.text.is_empty() && in_word { UNKNOWN } else { &glyph.glyph.text };
        let Some(first) = text.chars().next() else {
            last = Some(glyph);
            continue;
        };
        if let Some(before) = last.filter(|_| !line.text.is_empty()) {
            if is_accent(&mut line.text, before, glyph) {
                // The word goes on where the wider of the two ends.
                last = last.filter(|before| before.end > glyph.end).or(Some(glyph));
                continue;
            }
            let gap = (glyph.start - before.end) / size.max(0.01);
            let wide = line.text.chars().next_back().is_some_and(is_wide) || is_wide(first);
            let least = match (wide, drawn_blank.is_some()) {
                (true, _) => WIDE_BLANK,
                (false, true) => DRAWN_BLANK + spaced,
                (false, false) if spaced > 0.0 => BLANK.max(SPACED_BLANK * spaced + SPACED_BLANK_MORE),
                (false, false) => BLANK,
            };
            if gap > least && !(wide && closes(first)) {
                line.text.push(drawn_blank.filter(|blank| *blank == '\u{A0}').unwrap_or(' '));
                first_word_ends.get_or_insert(before.end);
            }
        }
        let start = line.text.len();
        line.text.extend(text.chars().flat_map(folded));
        let digits = |c: char| c.is_ascii_digit() || matches!(c, ',' | '[' | ']' | '-' | '*' | '†' | '‡');
        let special = if glyph.glyph.size < TINY && !glyph.raised {
            Some(Special::Tiny)
        } else {
            let raised = glyph.raised || glyph.base < base - SAME_BASELINE * size;
            (glyph.glyph.size < SCRIPT * size && raised && glyph.glyph.text.chars().all(digits))
                .then_some(Special::Raised)
        };
        if let Some(special) = special {
            match line.special.last_mut() {
                Some((kind, range)) if *kind == special && line.text[range.end..start].trim().is_empty() => {
                    range.end = line.text.len();
                }
                _ => line.special.push((special, start..line.text.len())),
            }
        }
        ink += glyph.glyph.ink * if glyph.doubled { DOUBLED_INK } else { 1.0 };
        drawn_blank = None;
        last = Some(glyph);
    }
    if line.text.is_empty() {
        return None;
    }
    let wide = line.text.starts_with(is_wide);
    line.first_width = if wide { size } else { first_word_ends.unwrap_or(line.right) - line.left };
    line.weight = ink;
    line.monospaced = is_monospaced(&shown);
    if line.text.chars().any(is_right_to_left) {
        line.text = in_logical_order(&line.text);
        line.special.clear();
    }
    Some(line)
}

/// By how much letters are set apart inside words: half of the gaps between letters are narrower; 0 if it is usual.
fn spacing(shown: &[&Placed<'_>]) -> f64 {
    let mut gaps: Vec<f64> = shown
        .windows(2)
        .filter(|pair| pair.iter().all(|glyph| glyph.glyph.text.chars().all(|c| c.is_alphanumeric() && !is_wide(c))))
        .map(|pair| (pair[1].start - pair[0].end) / pair[0].glyph.size.max(0.01))
        .collect();
    gaps.sort_by(f64::total_cmp);
    let median = gaps.get(gaps.len() / 2).copied().unwrap_or(0.0);
    if gaps.len() >= FEWEST_SPACED && median > SPACED_OUT { median } else { 0.0 }
}

/// Whether all letters, of which there must be several, have one width. Latin letters among Han have in many fonts.
fn is_monospaced(shown: &[&Placed<'_>]) -> bool {
    let wide = shown.iter().filter(|glyph| glyph.glyph.text.starts_with(is_wide)).count();
    if wide * WIDE_ONE_IN > shown.len() {
        return false;
    }
    let narrow = |glyph: &&&Placed<'_>| glyph.glyph.text.chars().any(|c| c.is_ascii_alphabetic());
    let mut widths = shown.iter().filter(narrow).map(|glyph| (glyph.end - glyph.start) / glyph.glyph.size.max(0.01));
    let Some(first) = widths.next() else { return false };
    let mut letters = 1;
    let same = widths.all(|width| {
        letters += 1;
        (width - first).abs() < ONE_WIDTH
    });
    same && letters >= FEWEST_MONOSPACED
}

/// An accent drawn over a letter, before or after it, makes one character with it. `text` ends with the first of the two.
fn is_accent(text: &mut String, before: &Placed<'_>, glyph: &Placed<'_>) -> bool {
    let (Some(last), Some(c)) = (text.chars().next_back(), glyph.glyph.text.chars().next()) else { return false };
    let over = |accent: &Placed<'_>, letter: &Placed<'_>| {
        (letter.start..letter.end).contains(&((accent.start + accent.end) / 2.0))
    };
    let composed = match (combining(last), combining(c)) {
        (None, Some(mark)) if over(glyph, before) => compose(dotted(last), mark),
        (Some(mark), None) if over(before, glyph) => compose(dotted(c), mark),
        _ => None,
    };
    if let Some(composed) = composed {
        text.pop();
        text.push(composed);
    }
    composed.is_some()
}

/// Fonts have i and j without dots for accents.
fn dotted(c: char) -> char {
    match c {
        'ı' => 'i',
        'ȷ' => 'j',
        c => c,
    }
}

/// The combining marks that accents of their own width stand for.
static ACCENTS: LazyLock<AHashMap<String, char>> = LazyLock::new(|| by_name(include_str!("accents.json")));

fn combining(c: char) -> Option<char> {
    let is_mark = matches!(c, '\u{300}'..='\u{36F}');
    if is_mark { Some(c) } else { ACCENTS.get(c.encode_utf8(&mut [0; 4]) as &str).copied() }
}

/// Fonts turn fi into one character and 文 into a Kangxi radical; neither is what was written. Control characters are none.
fn folded(c: char) -> Vec<char> {
    match c {
        '\u{FB00}'..='\u{FB06}' | '\u{2F00}'..='\u{2FDF}' => std::iter::once(c).nfkc().collect(),
        c if c.is_control() => Vec::new(),
        c => vec![c],
    }
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
}

/// Runs of letters that are read from right to left stand in the order of reading.
fn in_logical_order(text: &str) -> String {
    let mut ordered = String::with_capacity(text.len());
    let mut run: Vec<char> = Vec::new();
    for c in text.chars() {
        if is_right_to_left(c) || (!run.is_empty() && !c.is_alphanumeric()) {
            run.push(c);
        } else {
            ordered.extend(run.drain(..).rev());
            ordered.push(c);
        }
    }
    ordered.extend(run.drain(..).rev());
    ordered
}

/// Turns the ink of each line into a weight: 1 where letters have as much as they have in the document.
pub(super) fn weigh(pages: &mut [Page], inks: &BTreeMap<char, (f32, u32)>) {
    let usual = |c: char| inks.get(&c).map_or(0.0, |(sum, count)| sum / *count as f32);
    for line in pages.iter_mut().flat_map(|page| &mut page.lines) {
        let expected: f32 = line.text.chars().map(usual).sum();
        line.weight = if expected > 0.0 && line.weight > 0.0 { line.weight / expected } else { 1.0 };
    }
}
