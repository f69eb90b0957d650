//! Which glyphs stand on one line.
//!
//! A reader takes for a line what stands beside each other at one height, more or less: text layers of scans have baselines
//! that jump from word to word, and a line may slant. So glyphs are joined to runs first, and runs to the line beside them whose
//! heights they share.

use super::glyph::Glyph;

// Lengths are in heights of the font. All were chosen by hand.

/// Glyphs are on one baseline if theirs differ by less.
pub(super) const SAME_BASELINE: f64 = 0.15;

/// A run of glyphs on one baseline ends at a gap of this width. Letters of one size differ by less than this share of it.
const END_OF_RUN: f64 = 0.4;
const SAME_SIZE: f64 = 0.1;

/// Runs are of one line if half of the lower letters' height is common to both, and one begins where the other ends or later, give
/// or take an overlap. Far runs are taken for less near than their baselines are, by this share of the gap: a line may slant.
const COMMON_HEIGHT: f64 = 0.5;
const OVERLAP: f64 = 0.3;
const SLANT: f64 = 0.01;

/// The size in points below which letters are too small to be read; no initial stands beside them.
const TINY: f64 = 4.0;

/// Raised and lowered letters: their largest and smallest size, as shares of that of the letters they belong to, how far above and
/// below the baseline of those they stand at most, and how far to the left or right. They may overlap.
pub(super) const SCRIPT: f64 = 0.85;
pub(super) const SMALLEST_SCRIPT: f64 = 0.45;
const HIGHEST_SCRIPT: f64 = 0.7;
const LOWEST_SCRIPT: f64 = 0.4;
const SCRIPT_BESIDE: f64 = 0.35;

/// How many rows above or below what is raised or lowered may be the one that it belongs to.
const ROWS_AROUND: usize = 3;

/// How far above its baseline an initial over several lines reaches, and the most letters that stand in one.
const INITIAL: f64 = 0.95;
const LONGEST_INITIAL: usize = 3;

/// Two rows are one line with letters raised and lowered by turns: how far apart they are at most, which is less than the height of
/// their letters, how often they fill each other's gaps at least, and how wide the gap at such a turn may be.
const BY_TURNS: f64 = 0.9;
const TURNS: usize = 6;
const WIDEST_TURN: f64 = 2.0;

/// A glyph with its place along and across the direction of writing.
pub(super) struct Placed<'g> {
    pub(super) glyph: &'g Glyph,
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) base: f64,
    pub(super) raised: bool,
    /// Whether it was drawn more than once.
    pub(super) doubled: bool,
}

type Row<'g> = Vec<Placed<'g>>;

/// Glyphs of one line each, from the top to the bottom and each from its start to its end.
pub(super) fn rows(mut glyphs: Vec<Placed<'_>>, is_accent: impl Fn(&Glyph) -> bool) -> Vec<Row<'_>> {
    glyphs.sort_by(|a, b| a.base.total_cmp(&b.base));
    let mut level: Vec<Row<'_>> = Vec::new();
    for glyph in glyphs {
        match level.last_mut() {
            Some(row) if glyph.base - row[0].base < SAME_BASELINE * row[0].glyph.size.min(glyph.glyph.size) => {
                row.push(glyph);
            }
            _ => level.push(vec![glyph]),
        }
    }
    // Accents over capitals stand on a baseline of their own: each belongs to its letter, and not to the next accent.
    let runs = level.into_iter().flat_map(runs).flat_map(|run| apart(run, &is_accent)).collect();
    let mut rows = beside_each_other(runs, is_accent);
    take_scripts(&mut rows);
    take_initials(&mut rows);
    join_turns(&mut rows);
    rows
}

/// A run of accents alone, one by one, and others as they are.
fn apart<'g>(run: Row<'g>, is_accent: impl Fn(&Glyph) -> bool) -> Vec<Row<'g>> {
    match run.iter().all(|placed| is_accent(placed.glyph)) {
        true => run.into_iter().map(|accent| vec![accent]).collect(),
        false => vec![run],
    }
}

/// Glyphs on one baseline, parted where there are wide gaps between them.
fn runs(mut row: Row<'_>) -> Vec<Row<'_>> {
    row.sort_by(|a, b| a.start.total_cmp(&b.start));
    let mut runs: Vec<Row<'_>> = Vec::new();
    for glyph in row {
        let goes_on = runs.last().and_then(|run| run.last()).is_some_and(|last| {
            glyph.start - last.end < END_OF_RUN * last.glyph.size
                && (glyph.glyph.size / last.glyph.size - 1.0).abs() < SAME_SIZE
        });
        match runs.last_mut() {
            Some(run) if goes_on => run.push(glyph),
            _ => runs.push(vec![glyph]),
        }
    }
    runs
}

/// Joins runs to lines, from the left to the right: each goes on with the line whose last glyph has most of its heights.
fn beside_each_other<'g>(mut runs: Vec<Row<'g>>, is_accent: impl Fn(&Glyph) -> bool) -> Vec<Row<'g>> {
    // Accents come last, so that their letters are there.
    let is_accent = |run: &Row<'_>| run.len() == 1 && is_accent(run[0].glyph);
    runs.sort_by(|a, b| {
        let places = a[0].start.total_cmp(&b[0].start).then(a[0].base.total_cmp(&b[0].base));
        is_accent(a).cmp(&is_accent(b)).then(places)
    });
    let mut rows: Vec<Row<'_>> = Vec::new();
    // The rows by the baselines of their last glyphs that are neither raised nor lowered, with their sizes.
    let mut ends: Vec<(f64, f64, usize)> = Vec::new();
    for run in runs {
        let (base, size) = (run[0].base, run[0].glyph.size);
        let is_accent = is_accent(&run);
        let from = ends.partition_point(|(end, ..)| *end <= base - COMMON_HEIGHT * size);
        let place = |(at, (end, other, row)): (usize, &(f64, f64, usize))| {
            let (low, apart) = (size.min(*other), (base - end).abs());
            // Tiny letters may be hidden in a line of any size.
            let is_level = low < TINY && apart < SAME_BASELINE * low;
            let near = is_level || apart < COMMON_HEIGHT * low && low >= SMALLEST_SCRIPT * size.max(*other);
            let (inside, gap) =
                near.then(|| place(&rows[*row], &run, if is_accent { f64::MAX } else { OVERLAP * low }))??;
            // Letters go on with those of their size before smaller ones, which may be raised: in the name of LaTeX the A stands
            // nearer to the height of the X than the E.
            Some((low < SCRIPT * size.max(*other), apart + SLANT * gap.max(0.0), at, inside))
        };
        let near = (from..).zip(&ends[from..]).take_while(|(_, (end, ..))| *end < base + COMMON_HEIGHT * size);
        let best = near.filter_map(place).min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let last = run[run.len() - 1].base;
        match best {
            Some((.., at, inside)) => {
                let (_, other, row) = ends[at];
                let is_end = inside == rows[row].len();
                rows[row].splice(inside..inside, run);
                if is_end && !is_accent && size > SCRIPT * other {
                    ends.remove(at);
                    ends.insert(ends.partition_point(|(end, ..)| *end < last), (last, size, row));
                }
            }
            None => {
                rows.push(run);
                ends.insert(ends.partition_point(|(end, ..)| *end < last), (last, size, rows.len() - 1));
            }
        }
    }
    rows.sort_by(|a, b| a[0].base.total_cmp(&b[0].base).then(a[0].start.total_cmp(&b[0].start)));
    rows
}

/// Where in a row a run stands, and how far behind the glyph before; `None` if it lies over others by more than an overlap.
fn place(row: &[Placed<'_>], run: &[Placed<'_>], overlap: f64) -> Option<(usize, f64)> {
    let (start, end) = (run[0].start, run[run.len() - 1].end);
    // Nearly always at the end.
    let inside =
        if row[row.len() - 1].start <= start { row.len() } else { row.partition_point(|glyph| glyph.start <= start) };
    let gap = inside.checked_sub(1).map_or(0.0, |before| start - row[before].end);
    let fits = gap > -overlap && row.get(inside).is_none_or(|next| next.start - end > -overlap);
    fits.then_some((inside, gap))
}

/// Moves raised and lowered letters to the row that they are beside.
fn take_scripts(rows: &mut Vec<Row<'_>>) {
    for at in 0..rows.len() {
        let mut kept = Vec::new();
        for run in runs(std::mem::take(&mut rows[at])) {
            match neighbour(rows, at, &run) {
                Some((other, base)) => {
                    let moved = run.into_iter().map(|glyph| Placed { raised: glyph.base < base, ..glyph });
                    rows[other].extend(moved);
                    rows[other].sort_by(|a, b| a.start.total_cmp(&b.start));
                }
                None => kept.extend(run),
            }
        }
        // What moved here from a row above stays.
        rows[at].append(&mut kept);
    }
    rows.retain(|row| !row.is_empty());
}

/// Whether a run is of smaller letters beside a glyph, on its line or raised or lowered.
fn is_script(run: &[Placed<'_>], glyph: &Placed<'_>) -> bool {
    let (first, last, size) = (&run[0], &run[run.len() - 1], glyph.glyph.size);
    let beside = |gap: f64| (-OVERLAP * size..SCRIPT_BESIDE * size).contains(&gap);
    (SMALLEST_SCRIPT * size..=SCRIPT * size).contains(&first.glyph.size)
        && (-HIGHEST_SCRIPT * size..LOWEST_SCRIPT * size).contains(&(first.base - glyph.base))
        && (beside(first.start - glyph.end) || beside(glyph.start - last.end))
}

/// The row, with its baseline, that a run of smaller glyphs belongs to.
fn neighbour(rows: &[Row<'_>], at: usize, run: &[Placed<'_>]) -> Option<(usize, f64)> {
    let (first, last) = (run.first()?, run.last()?);
    let near = |other: usize| {
        let row = rows.get(other)?;
        // Those around the run only: rows are long.
        let from = row.partition_point(|glyph| glyph.start < first.start - 2.0 * glyph.glyph.size);
        let to = row.partition_point(|glyph| glyph.start < last.end + glyph.glyph.size);
        let beside = row.get(from..to.max(from))?.iter().find(|glyph| is_script(run, glyph));
        beside.map(|glyph| (other, glyph.base))
    };
    (1..=ROWS_AROUND).find_map(|distance| near(at + distance).or_else(|| at.checked_sub(distance).and_then(near)))
}

/// Moves initials, which reach over several lines, to the first of them.
fn take_initials(rows: &mut Vec<Row<'_>>) {
    for at in 1..rows.len() {
        let [first, ..] = &rows[at][..] else { continue };
        if rows[at].len() > LONGEST_INITIAL {
            continue;
        }
        let (last, size) = (&rows[at][rows[at].len() - 1], first.glyph.size);
        let reaches = |row: &Row<'_>| {
            let next = &row[row.partition_point(|glyph| glyph.start < last.end - OVERLAP * glyph.glyph.size)..];
            next.first().is_some_and(|next| {
                next.glyph.size < SMALLEST_SCRIPT * size
                    && next.start - last.end < SCRIPT_BESIDE * size
                    && (-INITIAL * size..0.0).contains(&(next.base - first.base))
            })
        };
        if let Some(to) = rows[..at].iter().position(reaches) {
            let initial = std::mem::take(&mut rows[at]);
            rows[to].extend(initial);
            rows[to].sort_by(|a, b| a.start.total_cmp(&b.start));
        }
    }
    rows.retain(|row| !row.is_empty());
}

/// Joins rows whose letters stand in each other's gaps.
fn join_turns(rows: &mut Vec<Row<'_>>) {
    for at in (1..rows.len()).rev() {
        let (above, below) = rows.split_at_mut(at);
        let (above, below) = (&mut above[at - 1], &mut below[0]);
        if are_by_turns(above, below) {
            above.append(below);
            above.sort_by(|a, b| a.start.total_cmp(&b.start));
        }
    }
    rows.retain(|row| !row.is_empty());
}

fn are_by_turns(above: &[Placed<'_>], below: &[Placed<'_>]) -> bool {
    let (Some(first), Some(second)) = (above.first(), below.first()) else { return false };
    let size = first.glyph.size.min(second.glyph.size);
    if above.len().min(below.len()) < TURNS / 2 || second.base - first.base >= BY_TURNS * size {
        return false;
    }
    let (mut above, mut below) = (above.iter().peekable(), below.iter().peekable());
    let (mut turns, mut last): (usize, Option<(bool, f64)>) = (0, None);
    loop {
        let next = match (above.peek(), below.peek()) {
            (Some(a), Some(b)) if a.start <= b.start => (true, above.next()),
            (_, Some(_)) => (false, below.next()),
            _ => (true, above.next()),
        };
        let (is_above, Some(glyph)) = next else { break };
        if let Some((was_above, end)) = last.filter(|(was_above, _)| *was_above != is_above) {
            let gap = glyph.start - end;
            if gap < -OVERLAP * size {
                return false;
            }
            turns += usize::from(was_above != is_above && gap < WIDEST_TURN * size);
        }
        last = Some((is_above, last.map_or(glyph.end, |(_, end)| end.max(glyph.end))));
    }
    turns >= TURNS
}
