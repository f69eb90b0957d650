//! What is painted on a page, as a coarse picture in memory: the colour below each letter, and what was painted over it.
//!
//! A cell is two points wide, less than a letter. Fills and pictures are drawn into the cells when they come, so a
//! letter's ground is the colour of its cells at that moment, and it is covered if they are painted again later.

use std::ops::Range;

use hayro_interpret::FillRule;
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape, flatten};

// What follows was chosen by hand on pages of theses, scans and figures.

/// A cell's width in points, and how many cells a page has at most; those of large pages are larger.
const CELL: f64 = 2.0;
const MOST_CELLS: f64 = 250_000.0;

/// Paint of this opacity hides what is below.
const OPAQUE: f32 = 0.8;

/// The least difference of strokes of letters from their ground, of 255 steps of lightness, and the lightness that the ground
/// exceeds on average. A picture of text has them in this share of its cells, and of those of the page.
const STROKES: u8 = 90;
const LIGHT: u32 = 100;
const TEXT_IN_PICTURE: f64 = 0.15;
const TEXT_ON_PAGE: f64 = 0.08;

/// A picture with fewer pixels along a side may leave cells between them, which are looked up one by one.
const FEW_PIXELS: usize = 300;

/// How exactly curves are followed, in points: a quarter of a cell.
const CURVE_ERROR: f64 = 0.5;

/// Pixels of a picture that are looked at, at most.
const MOST_PIXELS: usize = 1_000_000;

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

/// How light a pixel of red, green and blue is.
pub(super) fn lightness(pixel: &[u8]) -> u8 {
    ((u32::from(pixel[0]) + 2 * u32::from(pixel[1]) + u32::from(pixel[2])) / 4) as u8
}

/// A part of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) colour: Colour,
    /// By how much the picture here is lighter in one place than in another.
    pub(super) contrast: u8,
    /// Whether a picture was painted here, and nothing over it.
    pub(super) picture: bool,
    /// When it was last painted so that nothing below is seen.
    pub(super) painted: u32,
}

/// What to paint with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    pub(super) colour: Colour,
    pub(super) opacity: f32,
    /// Whether it darkens what is below and hides nothing.
    pub(super) mixes: bool,
}

/// The page.
#[derive(Debug)]
pub(super) struct Paper {
    columns: usize,
    rows: usize,
    cell: f64,
    cells: Vec<Cell>,
}

impl Paper {
    /// White paper of this size in points.
    pub(super) fn new(width: f64, height: f64) -> Paper {
        let cell = (width * height / MOST_CELLS).sqrt().max(CELL);
        let (columns, rows) = ((width / cell).ceil().max(1.0) as usize, (height / cell).ceil().max(1.0) as usize);
        let white = Cell { colour: [255; 3], contrast: 0, picture: false, painted: 0 };
        Paper { columns, rows, cell, cells: vec![white; columns * rows] }
    }

    /// The cell at a place; `None` outside the page.
    pub(super) fn at(&self, place: Point) -> Option<&Cell> {
        let (column, row) = ((place.x / self.cell).floor(), (place.y / self.cell).floor());
        let inside = (0.0..self.columns as f64).contains(&column) && (0.0..self.rows as f64).contains(&row);
        inside.then(|| &self.cells[row as usize * self.columns + column as usize])
    }

    /// Square points of the page.
    pub(super) fn area(&self) -> f64 {
        self.cells.len() as f64 * self.cell * self.cell
    }

    /// The share of the page that pictures cover.
    pub(super) fn pictures(&self) -> f64 {
        self.share(|cell| cell.picture)
    }

    /// Whether pictures that were decoded show what may be lines of text: dark strokes on a light ground, in many places.
    pub(super) fn looks_like_text(&self) -> bool {
        let light = |cell: &Cell| cell.colour.iter().map(|value| u32::from(*value)).sum::<u32>() > 3 * LIGHT;
        let strokes = self.share(|cell| cell.picture && cell.contrast >= STROKES && light(cell));
        strokes >= TEXT_ON_PAGE && strokes >= TEXT_IN_PICTURE * self.pictures()
    }

    fn share(&self, holds: impl Fn(&Cell) -> bool) -> f64 {
        self.cells.iter().filter(|cell| holds(cell)).count() as f64 / self.cells.len() as f64
    }

    /// Fills a path. `clip` bounds what is painted; with `hides` false nothing below is covered, because the true bounds are
    /// not known.
    pub(super) fn fill(&mut self, path: &BezPath, rule: FillRule, clip: Rect, ink: Ink, now: u32, hides: bool) {
        let bounds = path.bounding_box().intersect(clip);
        if let Some((first, last)) = self.rows_of(bounds) {
            let edges = edges(path);
            let mut crossings: Vec<Vec<(f64, i32)>> = vec![Vec::new(); last + 1 - first];
            for (from, to) in edges {
                let (direction, (high, low)) = if from.y < to.y { (1, (from, to)) } else { (-1, (to, from)) };
                let start = (high.y / self.cell - 0.5).ceil().max(first as f64);
                let end = (low.y / self.cell - 0.5).ceil().min((last + 1) as f64);
                let mut row = start;
                while row < end {
                    let y = (row + 0.5) * self.cell;
                    let x = high.x + (low.x - high.x) * (y - high.y) / (low.y - high.y);
                    crossings[row as usize - first].push((x, direction));
                    row += 1.0;
                }
            }
            for (row, mut crossings) in (first..).zip(crossings) {
                crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut winding = 0;
                for pair in crossings.windows(2) {
                    let even_odd = rule == FillRule::EvenOdd;
                    winding += if even_odd { 1 } else { pair[0].1 };
                    let inside = if even_odd { winding % 2 != 0 } else { winding != 0 };
                    if inside {
                        let (left, right) = (pair[0].0.max(bounds.x0), pair[1].0.min(bounds.x1));
                        self.paint_row(row, left, right, ink, now, hides);
                    }
                }
            }
        }
    }

    fn rows_of(&self, bounds: Rect) -> Option<(usize, usize)> {
        let first = (bounds.y0 / self.cell - 0.5).ceil().max(0.0);
        let last = ((bounds.y1 / self.cell - 0.5).ceil() - 1.0).min(self.rows as f64 - 1.0);
        (first <= last && bounds.x0 < bounds.x1).then_some((first as usize, last as usize))
    }

    fn paint_row(&mut self, row: usize, left: f64, right: f64, ink: Ink, now: u32, hides: bool) {
        let first = (left / self.cell - 0.5).ceil().max(0.0);
        let end = (right / self.cell - 0.5).ceil().min(self.columns as f64);
        if first < end {
            for cell in &mut self.cells[row * self.columns..][first as usize..end as usize] {
                cell.paint(ink, now, hides);
            }
        }
    }

    /// Marks where a picture is, with its pixels if they are known. `place` takes pixels to the page.
    pub(super) fn picture(&mut self, picture: &Picture, place: Affine, clip: Rect, ink: Ink, now: u32, hides: bool) {
        let quad = place * Rect::new(0.0, 0.0, picture.width, picture.height).to_path(0.1);
        let bounds = quad.bounding_box().intersect(clip);
        let Some(pixels) = &picture.pixels else {
            self.fill(&quad, FillRule::NonZero, clip, ink, now, hides);
            return self.each_cell(bounds, |cell| cell.picture = true);
        };
        let (across, down) = (picture.across.max(1), (pixels.len() / picture.across.max(1)).max(1));
        let on_page = |x: usize, y: usize| {
            let from = |at: usize, of: usize, size: f64| (at as f64 + 0.5) / of as f64 * size;
            place * Point::new(from(x, across, picture.width), from(y, down, picture.height))
        };
        // The cells that it may be in, row by row.
        let within = |from: f64, to: f64, of: usize| {
            (from / self.cell) as usize..((to / self.cell) as usize).saturating_add(1).min(of)
        };
        let columns = within(bounds.x0, bounds.x1, self.columns);
        let rows = within(bounds.y0, bounds.y1, self.rows);
        let cell_of = |to: Point| {
            let (column, row) = ((to.x / self.cell) as usize, (to.y / self.cell) as usize);
            let is_shown = clip.contains(to) && columns.contains(&column) && rows.contains(&row);
            is_shown.then(|| (row - rows.start) * columns.len() + column - columns.start)
        };
        // Sums of the colours, how many pixels, the darkest and the lightest.
        let mut sums = vec![([0_u32; 3], 0_u32, 255_u8, 0_u8); columns.len() * rows.len()];
        let step = (pixels.len() / MOST_PIXELS + 1).isqrt().max(1);
        // A picture that lies straight has many rows of pixels in one row of cells: which pixels are in which cell is asked once.
        let [_, b, c, ..] = place.as_coeffs();
        let is_straight = b == 0.0 && c == 0.0;
        let (mut runs, mut last_row): (Vec<(usize, Range<usize>)>, _) = (Vec::new(), None);
        for y in (0..down).step_by(step) {
            let at = on_page(0, y).y;
            let row = Some(((at / self.cell) as usize, at >= clip.y0 && at < clip.y1));
            if !is_straight || row != last_row {
                runs.clear();
                for x in (0..across).step_by(step) {
                    let Some(cell) = cell_of(on_page(x, y)) else { continue };
                    match runs.last_mut() {
                        Some((last, run)) if *last == cell && run.end == x => run.end += step,
                        _ => runs.push((cell, x..x + step)),
                    }
                }
                last_row = row;
            }
            for (cell, run) in &runs {
                let (mut sum, mut count, mut darkest, mut lightest) = sums[*cell];
                for colour in run.clone().step_by(step).filter_map(|x| pixels.colour(y * across + x)) {
                    let light = lightness(&colour);
                    sum.iter_mut().zip(colour).for_each(|(sum, value)| *sum += u32::from(value));
                    count += 1;
                    (darkest, lightest) = (light.min(darkest), light.max(lightest));
                }
                sums[*cell] = (sum, count, darkest, lightest);
            }
        }
        let painted = rows.flat_map(|row| columns.clone().map(move |column| (row, column))).zip(sums);
        for ((row, column), (sum, count, darkest, lightest)) in painted.filter(|(_, sum)| sum.1 > 0) {
            let cell = &mut self.cells[row * self.columns + column];
            let colour = sum.map(|sum| (sum / count) as u8);
            cell.paint(Ink { colour, ..ink }, now, hides);
            cell.picture = true;
            cell.contrast = lightest - darkest;
        }
        // Pictures of few pixels leave cells between them.
        if across < FEW_PIXELS || down < FEW_PIXELS {
            let places = self.cells_of(bounds);
            let back = place.inverse();
            for (at, centre) in places {
                let from = back * centre;
                let x = (from.x / picture.width * across as f64).clamp(0.0, across as f64 - 1.0) as usize;
                let y = (from.y / picture.height * down as f64).clamp(0.0, down as f64 - 1.0) as usize;
                if let Some(colour) = pixels.colour(y * across + x) {
                    let contrast = self.cells[at].contrast;
                    self.cells[at].paint(Ink { colour, ..ink }, now, hides);
                    (self.cells[at].picture, self.cells[at].contrast) = (true, contrast);
                }
            }
        }
    }

    /// The cells in a rectangle, each with its centre.
    fn cells_of(&self, bounds: Rect) -> Vec<(usize, Point)> {
        let Some((first, last)) = self.rows_of(bounds) else { return Vec::new() };
        let left = (bounds.x0 / self.cell - 0.5).ceil().max(0.0) as usize;
        let right = (bounds.x1 / self.cell - 0.5).ceil().clamp(0.0, self.columns as f64) as usize;
        let centre = |at: usize| (at as f64 + 0.5) * self.cell;
        let row = |row: usize| {
            (left..right).map(move |column| (row * self.columns + column, Point::new(centre(column), centre(row))))
        };
        (first..=last).flat_map(row).collect()
    }

    fn each_cell(&mut self, bounds: Rect, mut change: impl FnMut(&mut Cell)) {
        for (at, _) in self.cells_of(bounds) {
            change(&mut self.cells[at]);
        }
    }
}

/// A picture and, if it was decoded, its pixels.
#[derive(Debug)]
pub(super) struct Picture {
    /// In units of the transformation that places it.
    pub(super) width: f64,
    pub(super) height: f64,
    /// Pixels in a row.
    pub(super) across: usize,
    pub(super) pixels: Option<Pixels>,
}

/// Pixels as they were decoded, row by row.
#[derive(Debug)]
pub(super) enum Pixels {
    /// Three bytes each: red, green and blue.
    Colours(Vec<u8>),
    /// Their lightness.
    Greys(Vec<u8>),
    /// How much ink of one colour there is on white.
    Ink(Colour, Vec<u8>),
}

impl Pixels {
    pub(super) fn len(&self) -> usize {
        match self {
            Pixels::Colours(data) => data.len() / 3,
            Pixels::Greys(data) | Pixels::Ink(_, data) => data.len(),
        }
    }

    fn colour(&self, at: usize) -> Option<Colour> {
        match self {
            Pixels::Colours(data) => data.get(at * 3..)?.first_chunk().copied(),
            Pixels::Greys(data) => data.get(at).map(|light| [*light; 3]),
            Pixels::Ink(ink, data) => {
                let tone = |ink: u8, share: u8| 255 - ((255 - u32::from(ink)) * u32::from(share) / 255) as u8;
                data.get(at).map(|share| ink.map(|ink| tone(ink, *share)))
            }
        }
    }
}

impl Cell {
    fn paint(&mut self, ink: Ink, now: u32, hides: bool) {
        let mix = |old: u8, new: u8| {
            let new = if ink.mixes { f32::from(old) * f32::from(new) / 255.0 } else { f32::from(new) };
            (f32::from(old) * (1.0 - ink.opacity) + new * ink.opacity).round() as u8
        };
        self.colour = [0, 1, 2].map(|part| mix(self.colour[part], ink.colour[part]));
        if ink.opacity >= OPAQUE && !ink.mixes && hides {
            self.painted = now;
            self.picture = false;
            self.contrast = 0;
        }
    }
}

/// The straight edges of a path; open parts are closed.
fn edges(path: &BezPath) -> Vec<(Point, Point)> {
    let mut edges = Vec::new();
    let (mut start, mut at) = (Point::ZERO, Point::ZERO);
    flatten(path, CURVE_ERROR, |element| match element {
        PathEl::MoveTo(to) => {
            edges.push((at, start));
            (start, at) = (to, to);
        }
        PathEl::LineTo(to) => {
            edges.push((at, to));
            at = to;
        }
        PathEl::ClosePath => {
            edges.push((at, start));
            at = start;
        }
        _ => {}
    });
    edges.push((at, start));
    edges.retain(|(from, to)| from.y != to.y && from.is_finite() && to.is_finite());
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Rect = Rect::new(0.0, 0.0, 200.0, 100.0);
    const DARK: Ink = Ink { colour: [0, 0, 100], opacity: 1.0, mixes: false };

    fn colour(paper: &Paper, x: f64, y: f64) -> Colour {
        paper.at(Point::new(x, y)).unwrap().colour
    }

    #[test]
    fn a_filled_box_is_the_ground_of_what_lies_in_it_and_covers_what_was_there() {
        let mut paper = Paper::new(200.0, 100.0);
        paper.fill(&Rect::new(20.0, 20.0, 60.0, 40.0).to_path(0.1), FillRule::NonZero, PAGE, DARK, 7, true);
        assert_eq!((colour(&paper, 30.0, 30.0), colour(&paper, 70.0, 30.0)), ([0, 0, 100], [255; 3]));
        assert_eq!(paper.at(Point::new(30.0, 30.0)).unwrap().painted, 7);
        assert!(paper.at(Point::new(-1.0, 5.0)).is_none());
    }

    #[test]
    fn holes_stay_white_by_both_rules() {
        for rule in [FillRule::NonZero, FillRule::EvenOdd] {
            let mut path = Rect::new(20.0, 20.0, 80.0, 80.0).to_path(0.1);
            path.extend(Rect::new(40.0, 40.0, 60.0, 60.0).to_path(0.1).reverse_subpaths().iter());
            let mut paper = Paper::new(200.0, 100.0);
            paper.fill(&path, rule, PAGE, DARK, 1, true);
            assert_eq!((colour(&paper, 50.0, 50.0), colour(&paper, 30.0, 50.0)), ([255; 3], [0, 0, 100]), "{rule:?}");
        }
    }

    #[test]
    fn a_clip_bounds_paint_and_what_mixes_covers_nothing() {
        let mut paper = Paper::new(200.0, 100.0);
        let clip = Rect::new(0.0, 0.0, 50.0, 100.0);
        paper.fill(&PAGE.to_path(0.1), FillRule::NonZero, clip, DARK, 1, true);
        assert_eq!(colour(&paper, 100.0, 50.0), [255; 3]);
        let yellow = Ink { colour: [255, 255, 0], opacity: 1.0, mixes: true };
        paper.fill(&PAGE.to_path(0.1), FillRule::NonZero, PAGE, yellow, 2, true);
        assert_eq!((colour(&paper, 100.0, 50.0), colour(&paper, 10.0, 50.0)), ([255, 255, 0], [0, 0, 0]));
        assert_eq!(paper.at(Point::new(100.0, 50.0)).unwrap().painted, 0);
    }

    proptest::proptest! {
        #[test]
        fn cells_have_the_mean_colour_and_the_contrast_of_the_pixels_that_lie_in_them(
            (across, down) in (300usize..330, 300usize..330), (left, top) in (-30.0..150.0, -30.0..80.0), size in 0.1..0.7,
            turn in proptest::prop_oneof![proptest::prelude::Just(0.0), -1.0..1.0],
        ) {
            let data: Vec<u8> = (0..across * down * 3).map(|at| (at * 7919 % 251) as u8).collect();
            let place = Affine::translate((left, top)) * Affine::rotate(turn) * Affine::scale(size);
            let (clip, mut paper) = (Rect::new(7.0, 3.0, 181.0, 90.5), Paper::new(200.0, 100.0));
            let (columns, mut expected) = (paper.columns, vec![Vec::<&[u8]>::new(); paper.cells.len()]);
            for (at, pixel) in data.chunks(3).enumerate() {
                let to = place * Point::new((at % across) as f64 + 0.5, (at / across) as f64 + 0.5);
                if clip.contains(to) {
                    expected[(to.y / CELL) as usize * columns + (to.x / CELL) as usize].push(pixel);
                }
            }
            let (width, height) = (across as f64, down as f64);
            let picture = Picture { width, height, across, pixels: Some(Pixels::Colours(data.clone())) };
            paper.picture(&picture, place, clip, Ink { opacity: 1.0, ..DARK }, 1, true);
            for (cell, pixels) in paper.cells.iter().zip(expected) {
                proptest::prop_assert_eq!(cell.picture, !pixels.is_empty());
                if cell.picture {
                    let mean = |part: usize| pixels.iter().map(|pixel| usize::from(pixel[part])).sum::<usize>() / pixels.len();
                    let lights = || pixels.iter().map(|pixel| lightness(pixel));
                    proptest::prop_assert_eq!(cell.colour.map(usize::from), [mean(0), mean(1), mean(2)]);
                    proptest::prop_assert_eq!(cell.contrast, lights().max().unwrap() - lights().min().unwrap());
                }
            }
        }
    }

    #[test]
    fn a_picture_of_few_pixels_colours_all_its_cells() {
        let mut paper = Paper::new(200.0, 100.0);
        let picture = Picture { width: 2.0, height: 1.0, across: 2, pixels: Some(Pixels::Greys(vec![0, 200])) };
        paper.picture(&picture, Affine::scale(50.0), PAGE, Ink { opacity: 1.0, ..DARK }, 3, true);
        assert_eq!((colour(&paper, 13.0, 33.0), colour(&paper, 77.0, 13.0)), ([0; 3], [200; 3]));
        assert!((paper.pictures() - 0.25).abs() < 0.02);
    }
}
