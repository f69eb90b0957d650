//! Whether a picture shows prose: letters side by side in lines, and lines below each other that are as long as each other.
//!
//! No letter is read. A picture is parted into its connected spots of ink, spots of one height beside each other make a line, and
//! lines that begin and end alike a paragraph. Charts, photographs, tables and formulas have no such lines, or no three of them.

use std::collections::BTreeMap;

// What follows was chosen by hand, on pages of theses with figures and on pictures of their text.

/// Pictures of more pixels are made smaller: a page of A4 at 110 dots an inch has as many.
const MOST_PIXELS: usize = 1_200_000;

/// How many pixels in a row are looked at of those that are made one, or a few more.
const SAMPLES: usize = 3;

/// The ground is what most of a square looks like: the pixels of its side, the fewest steps of 256 from the ground to ink, and how many shades of
/// the ground are told apart.
const SQUARE: usize = 64;
const INK: u8 = 64;
const BINS: usize = 16;

/// Letters have these heights in pixels.
const HEIGHTS: std::ops::Range<f32> = 3.5..150.0;

/// A picture with more spots is none of text.
const MOST_SPOTS: usize = 60_000;

/// Of letters of a line: the most heights that they are apart, the least share of the lower one's height that both have, the most times that
/// one is as wide as high, for those of a poor picture touch, and the most times that one is as high as the other.
const APART: f32 = 1.5;
const SHARED: f32 = 0.5;
const WIDEST: f32 = 12.0;
const HIGHEST: f32 = 2.5;

/// Of a line of prose: its fewest letters, the fewest heights of width with half as many, the share of its width on which they lie, and the
/// least share of their width by which they differ in it.
pub(super) const LETTERS: usize = 24;
const LONG: f32 = 14.0;
const COVERED: std::ops::Range<f32> = 0.3..0.97;
const UNEVEN: f32 = 0.2;

/// Han characters are nearly as wide as high, and more alike; the marks of a grid are narrower than the rows are high.
const SQUARE_LETTER: f32 = 0.75;
const UNEVEN_SQUARE: f32 = 0.05;

/// Of lines of a paragraph: how many heights they lie apart, up to which share of their width they begin and end alike, and the fewest that
/// make one.
const DISTANCE: std::ops::Range<f32> = 0.8..4.0;
const SAME_EDGE: f32 = 0.13;
pub(super) const LINES: usize = 3;

/// The fewest letters of what goes before a word that begins or ends its line, or behind it; and the points of the rows in which lines are
/// looked for.
const ONE_SIDE: usize = 6;
const WORDS_ROW: f32 = 12.0;

/// How many heights wide the narrowest letters are; the widest are Han characters.
const NARROWEST: f32 = 0.3;

/// The lightness of a picture, row by row.
#[derive(Debug, Clone)]
pub(super) struct Light {
    pub(super) across: usize,
    pub(super) pixels: Vec<u8>,
}

/// What may be a letter; y grows downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
}

impl Spot {
    fn height(&self) -> f32 {
        self.bottom - self.top
    }

    fn width(&self) -> f32 {
        self.right - self.left
    }
}

/// Between the lightest and the darkest point of a picture that shows something.
const CONTRAST: u8 = 16;

impl Light {
    /// Whether it is of one lightness all over.
    pub(super) fn is_blank(&self) -> bool {
        let [least, most] = [self.pixels.iter().min(), self.pixels.iter().max()];
        least.zip(most).is_none_or(|(least, most)| most - least < CONTRAST)
    }

    fn down(&self) -> usize {
        self.pixels.len().checked_div(self.across).unwrap_or_default()
    }

    /// A picture of `samples` bytes a pixel, which `light` takes for its lightness; of `step` pixels side by side and below each other one is
    /// made, from some of them that lie apart.
    pub(super) fn of(across: usize, pixels: &[u8], samples: usize, step: usize, light: impl Fn(&[u8]) -> u8) -> Light {
        let row = across * samples;
        if step < 2 || row == 0 {
            return Light { across, pixels: pixels.chunks_exact(samples.max(1)).map(light).collect() };
        }
        let (narrow, apart) = (across / step, (step / SAMPLES).max(1));
        let taken = step.div_ceil(apart);
        let mut smaller = Vec::with_capacity(pixels.len() / samples / step / step);
        let mut sums = vec![0_u32; narrow];
        for rows in pixels.chunks_exact(row * step) {
            sums.fill(0);
            for row in rows.chunks_exact(row).step_by(apart) {
                for (sum, part) in sums.iter_mut().zip(row.chunks_exact(samples * step)) {
                    let pixels = part.chunks_exact(samples).step_by(apart);
                    *sum += pixels.map(|pixel| u32::from(light(pixel))).sum::<u32>();
                }
            }
            smaller.extend(sums.iter().map(|sum| (sum / (taken * taken) as u32) as u8));
        }
        Light { across: narrow, pixels: smaller }
    }

    /// Mixes the picture with white paper, where this other one, which may be of another size, is dark: there it is transparent.
    pub(super) fn on_white(&mut self, alpha: &Light) {
        let (across, down) = (self.across.max(1), self.down().max(1));
        let columns: Vec<usize> = (0..across).map(|x| x * alpha.across / across).collect();
        for (y, row) in self.pixels.chunks_mut(across).enumerate() {
            let transparent = alpha.pixels.get(y * alpha.down() / down * alpha.across..).unwrap_or_default();
            for (pixel, x) in row.iter_mut().zip(&columns) {
                let opacity = transparent.get(*x).map_or(255, |alpha| u32::from(*alpha));
                *pixel = ((u32::from(*pixel) * opacity + 255 * (255 - opacity)) / 255) as u8;
            }
        }
    }

    /// By how much a picture of this number of `pixels` is made smaller where nothing is known of the size at which it is shown.
    pub(super) fn step(pixels: usize) -> usize {
        ((pixels as f64 / MOST_PIXELS as f64).sqrt().ceil() as usize).max(1)
    }

    /// The lightness of the ground around each square.
    fn grounds(&self) -> Vec<u8> {
        let (columns, down) = (self.across.div_ceil(SQUARE), self.down());
        let mut counts = vec![[0_u32; BINS]; columns * down.div_ceil(SQUARE)];
        for (y, row) in self.pixels.chunks_exact(self.across).enumerate() {
            let counts = &mut counts[y / SQUARE * columns..];
            for (counts, part) in counts.iter_mut().zip(row.chunks(SQUARE)) {
                part.iter().step_by(2).for_each(|pixel| counts[usize::from(*pixel) * BINS / 256] += 1);
            }
        }
        let most = |bins: &[u32; BINS]| (0..BINS).max_by_key(|bin| (bins[*bin], *bin)).unwrap_or(BINS - 1);
        counts.iter().map(|bins| (most(bins) * 256 / BINS + 128 / BINS) as u8).collect()
    }

    /// The connected spots of ink that have the heights of letters.
    pub(super) fn spots(self) -> Vec<Spot> {
        if self.across == 0 || self.down() == 0 {
            return Vec::new();
        }
        let (grounds, columns) = (self.grounds(), self.across.div_ceil(SQUARE));
        let mut found = Spots::default();
        let (mut above, mut here): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
        let mut ink = vec![false; self.across];
        for (y, row) in self.pixels.chunks_exact(self.across).enumerate() {
            let grounds = &grounds[y / SQUARE * columns..];
            for ((ink, row), ground) in ink.chunks_mut(SQUARE).zip(row.chunks(SQUARE)).zip(grounds) {
                ink.iter_mut().zip(row).for_each(|(ink, pixel)| *ink = pixel.abs_diff(*ground) >= INK);
            }
            here.clear();
            let mut x = 0;
            while let Some(start) = ink[x..].iter().position(|ink| *ink).map(|at| x + at) {
                x = ink[start..].iter().position(|ink| !*ink).map_or(ink.len(), |at| start + at);
                here.push(Run { start, end: x, spot: found.begin(start, x, y) });
            }
            let mut at = 0;
            for run in &mut here {
                while at < above.len() && above[at].end < run.start {
                    at += 1;
                }
                for touching in above[at..].iter().take_while(|above| above.start <= run.end) {
                    found.join(run.spot, touching.spot);
                }
            }
            std::mem::swap(&mut above, &mut here);
            if found.parents.len() > 40 * MOST_SPOTS {
                return Vec::new();
            }
        }
        let mut spots = found.all();
        spots.retain(|spot| HEIGHTS.contains(&spot.height()) && spot.width() <= WIDEST * spot.height());
        spots
    }
}

/// Pixels of ink side by side.
struct Run {
    start: usize,
    end: usize,
    spot: usize,
}

/// Runs that touch each other are one spot.
#[derive(Default)]
struct Spots {
    parents: Vec<usize>,
    bounds: Vec<[u32; 4]>,
}

impl Spots {
    fn begin(&mut self, start: usize, end: usize, y: usize) -> usize {
        self.parents.push(self.parents.len());
        self.bounds.push([start as u32, y as u32, end as u32, y as u32 + 1]);
        self.parents.len() - 1
    }

    fn root(&mut self, mut spot: usize) -> usize {
        while self.parents[spot] != spot {
            self.parents[spot] = self.parents[self.parents[spot]];
            spot = self.parents[spot];
        }
        spot
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            let (child, parent) = (one.max(other), one.min(other));
            self.parents[child] = parent;
            let [left, top, right, bottom] = self.bounds[child];
            let bounds = &mut self.bounds[parent];
            *bounds = [bounds[0].min(left), bounds[1].min(top), bounds[2].max(right), bounds[3].max(bottom)];
        }
    }

    fn all(&self) -> Vec<Spot> {
        let roots = (0..self.parents.len()).filter(|spot| self.parents[*spot] == *spot);
        let spot = |root: usize| {
            let [left, top, right, bottom] = self.bounds[root].map(|side| side as f32);
            Spot { left, top, right, bottom }
        };
        roots.map(spot).collect()
    }
}

/// A line while its letters are found.
#[derive(Debug, Clone)]
struct Line {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    letters: usize,
    covered: f32,
    /// The sum of the letters' widths, and that of their squares.
    widths: [f32; 2],
}

impl Line {
    fn of(spot: &Spot) -> Line {
        let width = spot.width();
        Line {
            left: spot.left,
            right: spot.right,
            top: spot.top,
            bottom: spot.bottom,
            letters: 1,
            covered: width,
            widths: [width, width * width],
        }
    }

    fn height(&self) -> f32 {
        self.bottom - self.top
    }

    fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Whether a spot to the right goes on with the line.
    fn takes(&self, spot: &Spot) -> bool {
        spot.left - self.right <= APART * self.height() && self.is_level_with(spot.top, spot.bottom)
    }

    /// Whether what reaches from one height to another may be of the same line.
    fn is_level_with(&self, top: f32, bottom: f32) -> bool {
        let (low, high) = (self.height().min(bottom - top), self.height().max(bottom - top));
        let shared = self.bottom.min(bottom) - self.top.max(top);
        high <= HIGHEST * low && shared >= SHARED * low
    }

    fn take(&mut self, spot: &Spot) {
        // What lies above or below the letter before is a part of it: the dot of an i, the strokes of a Han character.
        let new = spot.right - self.right.max(spot.left);
        if spot.left + spot.width() / 2.0 > self.right {
            self.letters += 1;
            self.widths[0] += spot.width();
            self.widths[1] += spot.width() * spot.width();
        }
        self.covered += new.max(0.0);
        self.right = self.right.max(spot.right);
        // The line may rise and fall a little.
        let towards = |old: f32, new: f32| old + (new - old) / 4.0;
        let is_high = spot.height() >= self.height();
        self.top = if is_high { towards(self.top, spot.top) } else { towards(self.top, self.top.min(spot.top)) };
        self.bottom = if is_high {
            towards(self.bottom, spot.bottom)
        } else {
            towards(self.bottom, self.bottom.max(spot.bottom))
        };
    }

    fn is_of_prose(&self) -> bool {
        let long = self.width() / self.height().max(0.1);
        let many = self.letters >= LETTERS || (long >= LONG && 2 * self.letters >= LETTERS);
        let count = self.letters as f32;
        let mean = self.widths[0] / count;
        let spread = (self.widths[1] / count - mean * mean).max(0.0).sqrt();
        many && long >= LONG / 2.0
            && COVERED.contains(&(self.covered / self.width()))
            && spread >= if mean >= SQUARE_LETTER * self.height() { UNEVEN_SQUARE } else { UNEVEN } * mean
    }

    /// The letters that it has as far as its spots tell: some touch, and others are of several pieces.
    fn count(&self) -> u32 {
        let heights = self.width() / self.height().max(0.1);
        (self.letters as f32).clamp(heights / 1.3, heights / NARROWEST) as u32
    }

    /// Whether another one goes on with it after a blank.
    fn is_beside(&self, next: &Line) -> bool {
        let (blank, high) = (next.left - self.right, self.height().max(next.height()));
        (-0.5 * high..=APART * high).contains(&blank) && self.is_level_with(next.top, next.bottom)
    }

    /// Whether it is the next line of a paragraph in which this is the one before.
    fn follows(&self, before: &Line) -> bool {
        let height = before.height().max(self.height());
        let distance = (self.top - before.top) / height;
        let same = |one: f32, other: f32| (one - other).abs() <= SAME_EDGE * before.width().max(self.width());
        let is_alike = self.height() <= 1.6 * before.height() && before.height() <= 1.6 * self.height();
        is_alike && DISTANCE.contains(&distance) && same(self.left, before.left) && same(self.right, before.right)
    }
}

/// The letters of paragraphs that these spots are, in all. They need not be in order.
pub(super) fn letters_of_prose(spots: Vec<Spot>) -> u32 {
    letters_between(spots, Vec::new)
}

/// The same of spots among which letters stand that are known: their lines make the paragraphs longer, and are not counted. They are asked
/// for where there is use for them.
pub(super) fn letters_between(spots: Vec<Spot>, known: impl FnOnce() -> Vec<Spot>) -> u32 {
    if spots.len() < LETTERS || spots.len() > MOST_SPOTS {
        return 0;
    }
    let (lines, words): (Vec<Line>, Vec<Line>) = lines_of(spots).into_iter().partition(Line::is_of_prose);
    if lines.is_empty() && words.iter().map(Line::count).sum::<u32>() < LETTERS as u32 {
        return 0;
    }
    let known = lines_of(known());
    let between = letters_of_words(&words, &known);
    if lines.is_empty() {
        return between;
    }
    let known = known.into_iter().filter(|line| line.width() >= LONG * line.height());
    let counted = |line: Line| {
        let letters = line.count();
        (line, letters)
    };
    let mut lines: Vec<(Line, u32)> = lines.into_iter().map(counted).collect();
    lines.extend(known.map(|line| (line, 0)));
    lines.sort_by(|(a, _), (b, _)| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
    // Each paragraph with its last line, how many it has, and their letters.
    let mut paragraphs: Vec<(Line, usize, u32)> = Vec::new();
    for (line, count) in lines {
        match paragraphs.iter_mut().rev().find(|(last, ..)| line.follows(last)) {
            Some(paragraph) => *paragraph = (line, paragraph.1 + 1, paragraph.2 + count),
            None => paragraphs.push((line, 1, count)),
        }
    }
    between + paragraphs.iter().filter(|(_, lines, _)| *lines >= LINES).map(|(.., letters)| letters).sum::<u32>()
}

/// The letters of words that stand side by side with known ones, in lines of both; none if they are few.
fn letters_of_words(words: &[Line], known: &[Line]) -> u32 {
    let mut rows: BTreeMap<i64, Vec<&Line>> = BTreeMap::new();
    let row = |y: f32| (y / WORDS_ROW).floor() as i64;
    for line in known {
        rows.entry(row((line.top + line.bottom) / 2.0)).or_default().push(line);
    }
    let is_between = |word: &&Line| {
        let here = row((word.top + word.bottom) / 2.0);
        let near = || rows.range(here - 1..=here + 1).flat_map(|(_, lines)| lines.iter());
        let before = near().filter(|line| line.is_beside(word)).map(|line| line.letters).max();
        let after = near().filter(|line| word.is_beside(line)).map(|line| line.letters).max();
        match (before, after) {
            (Some(_), Some(_)) => true,
            (one, other) => one.or(other).is_some_and(|letters| letters >= ONE_SIDE),
        }
    };
    let letters: u32 = words.iter().filter(is_between).map(Line::count).sum();
    if letters as usize >= LETTERS { letters } else { 0 }
}

/// Spots side by side.
fn lines_of(mut spots: Vec<Spot>) -> Vec<Line> {
    spots.sort_by(|a, b| a.left.total_cmp(&b.left).then(a.top.total_cmp(&b.top)));
    // Lines by the height at which they lie, in steps of a letter's height.
    let mut heights: Vec<f32> = spots.iter().map(Spot::height).collect();
    heights.sort_by(f32::total_cmp);
    let step = heights.get(heights.len() / 2).map_or(0.5, |height| height.max(0.5));
    let row = |y: f32| (y / step).floor() as i64;
    let mut lines: Vec<Line> = Vec::new();
    let mut open: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for spot in &spots {
        let here = row((spot.top + spot.bottom) / 2.0);
        let near = open.range(here - 2..=here + 2).flat_map(|(_, lines)| lines.iter().copied());
        let best = near.filter(|at| lines[*at].takes(spot)).max_by(|a, b| lines[*a].right.total_cmp(&lines[*b].right));
        match best {
            Some(at) => lines[at].take(spot),
            None => {
                let all = open.entry(here).or_default();
                // What lies far to the left takes nothing any more.
                all.retain(|at| spot.left - lines[*at].right <= 4.0 * APART * lines[*at].height());
                all.push(lines.len());
                lines.push(Line::of(spot));
            }
        }
    }
    lines
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A picture of lines of letters of widths that differ; `rows` has the letters of each line, which tell how far it reaches to the right.
    pub(in crate::extract) fn lines(rows: &[usize], ground: u8, ink: u8) -> Light {
        let (across, down) = (900, rows.len() * 30 + 20);
        let mut pixels = vec![ground; across * down];
        for (row, letters) in rows.iter().enumerate() {
            let mut x = 20;
            for letter in 0..*letters {
                let (width, height) = (5 + (letter * 7 + row * 3) % 6, 9 + 5 * usize::from(letter % 4 == 0));
                for y in 0..height {
                    for dx in 0..width {
                        pixels[(row * 30 + 24 - y) * across + x + dx] = ink;
                    }
                }
                x += width + if letter % 6 == 5 { 8 } else { 2 };
            }
        }
        Light { across, pixels }
    }

    #[test]
    fn characters_nearly_as_wide_as_high_are_prose_if_they_are_not_all_alike() {
        let rows = |narrower: &dyn Fn(usize) -> f32| {
            let spots = (0..4).flat_map(|row| {
                (0..36).map(move |at| {
                    let (left, top) = (72.0 + 12.0 * at as f32, 100.0 + 18.0 * row as f32);
                    (7 * at + 5 * row, Spot { left, top, right: left + 11.0, bottom: top + 11.0 })
                })
            });
            spots.map(|(number, spot)| Spot { right: spot.right - narrower(number), ..spot }).collect::<Vec<_>>()
        };
        let letters = letters_of_prose(rows(&|number| (number % 4) as f32));
        assert!((120..=170).contains(&letters), "{letters}");
        assert_eq!(letters_of_prose(rows(&|_| 1.0)), 0);
    }

    #[test]
    fn lines_of_letters_that_are_as_long_as_each_other_are_prose_in_any_colours_and_sizes() {
        for (ground, ink) in [(255, 0), (20, 230), (200, 110)] {
            let light = lines(&[70, 70, 70, 70], ground, ink);
            let large = light.clone();
            let letters = letters_of_prose(light.spots());
            assert!((240..=320).contains(&letters), "{letters}");
            let twice = |pixels: &[u8]| pixels.iter().flat_map(|pixel| [*pixel; 3]).collect::<Vec<u8>>();
            let pixels =
                large.pixels.chunks(900).flat_map(|row| [twice(row), twice(row), twice(row)].concat()).collect();
            let letters = letters_of_prose(Light { across: 2700, pixels }.spots());
            assert!((240..=320).contains(&letters), "{letters}");
        }
    }

    #[test]
    fn lines_between_those_that_are_read_are_prose_and_labels_beside_them_are_not() {
        let of = |rows: &[usize]| lines(rows, 255, 0).spots();
        let read = || of(&[70, 0, 70, 0, 70, 0, 70]);
        let letters = letters_between(of(&[0, 70, 0, 70, 0, 70, 0]), read);
        assert!((180..=240).contains(&letters), "{letters}");
        assert_eq!(letters_of_prose(of(&[0, 70, 0, 70, 0, 70, 0])), 0, "apart");
        assert_eq!(letters_between(of(&[0, 40, 0, 28, 0, 52, 0]), read), 0, "of other lengths");
    }

    #[test]
    fn words_between_those_that_are_read_are_counted_and_a_few_or_those_beside_a_text_are_not() {
        // Every third word of each line is none that is read; a word of these lines has six letters.
        let spots = lines(&[66; 8], 255, 0).spots();
        let words = lines_of_words(&spots);
        let of_words = |is_meant: &dyn Fn(usize) -> bool| -> Vec<Spot> {
            (0usize..).zip(&words).filter(|(at, _)| is_meant(*at)).flat_map(|(_, word)| word.clone()).collect()
        };
        let letters = letters_between(of_words(&|at| at % 3 == 1), || of_words(&|at| at % 3 != 1));
        assert!((120..=190).contains(&letters), "{letters}");
        assert_eq!(letters_between(of_words(&|at| at % 29 == 1), || of_words(&|at| at % 29 != 1)), 0, "a few");
        let right = |spot: Spot| Spot { left: spot.left + 2000.0, right: spot.right + 2000.0, ..spot };
        let labels: Vec<Spot> = of_words(&|at| at % 3 == 1).into_iter().map(right).collect();
        assert_eq!(letters_between(labels, || of_words(&|at| at % 3 != 1)), 0, "beside the text");
    }

    /// The letters of each word, in lines as [`lines`] draws them.
    fn lines_of_words(spots: &[Spot]) -> Vec<Vec<Spot>> {
        let mut spots = spots.to_vec();
        let row = |spot: &Spot| (spot.bottom / 30.0) as u32;
        spots.sort_by(|a, b| row(a).cmp(&row(b)).then(a.left.total_cmp(&b.left)));
        let goes_on = |a: &Spot, b: &Spot| row(a) == row(b) && b.left - a.right < 6.0;
        spots.chunk_by(goes_on).map(<[Spot]>::to_vec).collect()
    }

    #[test]
    fn labels_two_lines_rules_and_bars_are_no_prose() {
        assert_eq!(letters_of_prose(lines(&[9, 12, 8, 10, 9], 255, 0).spots()), 0, "labels");
        assert_eq!(letters_of_prose(lines(&[70, 70], 255, 0).spots()), 0, "a caption");
        assert_eq!(letters_of_prose(lines(&[70, 20, 45, 12, 60, 25], 255, 0).spots()), 0, "a listing");
        let dots: Vec<Spot> = (0..900)
            .map(|at| ((at % 30) as f32, (at / 30) as f32))
            .map(|(x, y)| Spot { left: x * 9.0, right: x * 9.0 + 5.0, top: y * 12.0, bottom: y * 12.0 + 6.0 })
            .collect();
        assert_eq!(letters_of_prose(dots), 0, "dots of one size");
        let chart = (0..200_000).map(|at| if at % 100 < 50 { 0 } else { 255 }).collect();
        assert_eq!(letters_of_prose(Light { across: 500, pixels: chart }.spots()), 0, "bars");
        assert_eq!(letters_of_prose(Light { across: 0, pixels: Vec::new() }.spots()), 0);
    }
}
