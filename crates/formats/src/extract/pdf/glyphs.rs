//! The glyphs of a page with their places, and whether a person who looks at the page sees them.
//!
//! The interpreter tells of everything that is painted, in order. Fills and pictures go to a [`Paper`], so for each
//! glyph the colour of its ground is known, and at the end whether something was painted over it.

// What changes in the key is a cache of its font, which neither hash nor equality reads.
#![allow(clippy::mutable_key_type)]

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use hayro_interpret::font::{FontData, Glyph as Shape, GlyphIdentifier, GlyphRun, OutlineGlyph, StandardFont};
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::hayro_syntax::object::Dict;
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Point, Shape as _};
use hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, FillRule, Image, ImageData, ImageDrawProps, Paint, SoftMask,
};

use super::clip::{Clip, straight_lines};
use super::glyph::{EM, Glyph, Seen, USUAL_WIDTH};
use super::inner::{self, Inner};
use super::lettered::{self, Lettered, SCANNED};
use super::paper::{Colour, Ink, Paper, Picture, Pixels};
use super::unnamed::{Unnamed, is_ornament};
use crate::extract::{self, processor_time};
use copytrace_text::normalise::ignorable::is_ignorable;

// What follows was chosen by hand on pages of theses and on tricks that hide text in them.

/// A picture that differs less in lightness, of 255 steps, shows nothing.
const PICTURE_CONTRAST: u8 = 60;

/// Paint that lets more of the ground through leaves nothing to see, by its opacity from 0 to 1.
const TRANSPARENT: f32 = 0.1;

/// The colour that a pattern or a picture is taken for that is not decoded: on grey, black and white are both seen.
const GREY: Colour = [128; 3];

/// Ink of which no part is lighter is seen on every ground on which black ink is.
const DARK: u8 = 64;

/// Letters of a smaller share of their width cannot be read.
const NARROW: f64 = 0.2;

/// Letters nearer to each other than this share of their size stand at the same place.
const SAME_PLACE: f64 = 0.1;

/// A glyph is looked at in the middle of the height of small letters, at these shares of its width.
const MIDDLE: f64 = 0.3;
const LOOKED_AT: [f64; 3] = [0.2, 0.5, 0.8];

/// What fills the whole square of a glyph, in units of its outline.
const SQUARE: f64 = EM * EM;

/// How exactly the length of an outline is measured, in its units.
const PERIMETER_ERROR: f64 = 10.0;

/// The least width in points of strokes that may cover letters.
const WIDE_STROKE: f64 = 2.0;

/// Pictures of more pixels are not decoded.
const MOST_PIXELS: u64 = 64 << 20;

/// Pictures on this share of a page with fewer glyphs are looked at.
const FEW_PICTURES: f64 = 0.2;
const FEW_GLYPHS: usize = 600;

/// The fewest paths of the size of letters, and the fewest shapes of these, in text that was turned into outlines.
const OUTLINES: usize = 400;
const SHAPES: usize = 25;

/// Of a path with more parts only the first are looked at.
const MOST_PARTS: usize = 4000;

/// The heights and widths of letters in points, the fewest segments of their outlines, and the most of an outline without curves.
const LETTER_HEIGHTS: std::ops::Range<f64> = 2.0..20.0;
const LETTER_WIDTHS: std::ops::Range<f64> = 0.5..30.0;
const FEWEST_SEGMENTS: usize = 4;
const MOST_STRAIGHT_SEGMENTS: usize = 16;

/// How many steps of rounding a point has: shapes are the same if their rounded sides are.
const SAME_SHAPE: f64 = 4.0;

/// Behind all that is painted.
const NEVER_COVERED: u32 = u32::MAX - 1;

/// The fewest letters that are text though nobody knows what shows of them; fewer are a title in many colours, or its shadow.
const DOUBTFUL: usize = 40;

/// The least ink of letters, as a share of their square; signs have less: a full stop, an accent, the sign of a blank.
const LETTER_INK: f32 = 0.03;

/// A drawing with the width of several letters stands for several: each has this share of its height.
const LETTER_WIDTH: f64 = 0.5;
const MOST_LETTERS: f64 = 40.0;

/// How many things are painted from one look at the time to the next.
const TICKS: u32 = 64;

/// A group of what is painted that is open.
#[derive(Clone, Copy)]
struct Group {
    opacity: f32,
    /// Whether it is mixed with its ground in some other way than covering it.
    is_mixed: bool,
}

/// Takes what the interpreter draws on one page.
pub(super) struct Canvas<'c, 'p> {
    paper: Paper,
    pub(super) glyphs: Vec<Glyph>,
    clips: Vec<Clip>,
    /// The last is the innermost.
    groups: Vec<Group>,
    now: u32,
    /// Processor time of this thread at which reading has taken too long.
    deadline: Duration,
    inks: &'c mut HashMap<GlyphIdentifier, f32>,
    unnamed: &'c mut Unnamed<'p>,
    pub(super) inner: &'c mut Inner,
    /// Whether pictures are decoded.
    decode: bool,
    /// Filled paths that could be letters, and how many different ones.
    outlines: usize,
    shapes: BTreeSet<(usize, u16, u16)>,
    /// Whether a glyph lies on a picture or under one, so that it must be known what the picture shows.
    pub(super) needs_pictures: bool,
    /// Letters that are no text.
    pub(super) lettered: Lettered,
    /// Letters that masks show, or that are painted by patterns, mixed with their ground, or clipped by what is too complicated to ask.
    doubtful: usize,
    /// Whether something is on a layer.
    pub(super) layered: bool,
}

/// What is known of the glyphs of a file, for all of its pages.
pub(super) struct Known<'c, 'p> {
    /// Ink of those that were measured already.
    pub(super) inks: &'c mut HashMap<GlyphIdentifier, f32>,
    pub(super) unnamed: &'c mut Unnamed<'p>,
    pub(super) inner: &'c mut Inner,
}

/// What the interpreter is stopped with when time is over.
pub(super) struct OutOfTime;

impl<'c, 'p> Canvas<'c, 'p> {
    pub(super) fn new(width: f64, height: f64, deadline: Duration, known: Known<'c, 'p>, decode: bool) -> Self {
        let Known { inks, unnamed, inner } = known;
        Canvas {
            paper: Paper::new(width, height),
            glyphs: Vec::new(),
            clips: vec![Clip::of_page(width, height)],
            groups: vec![Group { opacity: 1.0, is_mixed: false }],
            now: 0,
            deadline,
            inks,
            unnamed,
            inner,
            decode,
            outlines: 0,
            shapes: BTreeSet::new(),
            needs_pictures: false,
            lettered: Lettered::default(),
            doubtful: 0,
            layered: false,
        }
    }

    /// Whether of more than a few letters nobody knows what shows of them.
    pub(super) fn is_doubtful(&self) -> bool {
        self.doubtful >= DOUBTFUL || self.inner.is_too_deep
    }

    /// Whether what is drawn now shows otherwise than its colour, its opacity and its clip tell.
    fn is_mixed(&self, props: &DrawProps<'_>) -> bool {
        self.inner.is_mask()
            || matches!(props.paint, Paint::Pattern(_))
            || props.soft_mask.is_some()
            || props.blend_mode != BlendMode::Normal && !self.is_dark_whatever_is_below(props)
            || self.group().is_mixed
            || self.clip().is_unknown
    }

    /// Multiplied by dark ink every ground is as dark (ISO 32000-2, 11.3.5.2).
    fn is_dark_whatever_is_below(&self, props: &DrawProps<'_>) -> bool {
        matches!(props.blend_mode, BlendMode::Multiply | BlendMode::Darken)
            && self.colour(&props.paint).is_some_and(|(colour, _)| colour.iter().all(|part| *part <= DARK))
    }

    /// What is drawn as letters side by side are, and is no character by the file, is not known.
    fn find_denied(&mut self) {
        let glyphs = &mut self.glyphs;
        let beside = |one: &Glyph, next: &Glyph| one.denied && next.denied && one.to.distance(next.from) < one.size;
        let in_row: Vec<bool> = (0..glyphs.len())
            .map(|at| {
                at > 0 && beside(&glyphs[at - 1], &glyphs[at])
                    || glyphs.get(at + 1).is_some_and(|next| beside(&glyphs[at], next))
            })
            .collect();
        glyphs.iter_mut().zip(in_row).filter(|(_, in_row)| *in_row).for_each(|(glyph, _)| glyph.text.clear());
    }

    /// The share of the page that pictures cover.
    pub(super) fn pictures(&self) -> f64 {
        self.paper.pictures()
    }

    /// Letters on which another one was drawn next, at the same place: nobody can read them.
    fn find_overprinted(&mut self) {
        let is_letter = |glyph: &Glyph| glyph.text.chars().all(|c| c.is_ascii_alphabetic()) && glyph.text.len() == 1;
        for at in 1..self.glyphs.len() {
            let (below, above) = (&self.glyphs[at - 1], &self.glyphs[at]);
            if below.seen == Seen::Plainly
                && above.seen == Seen::Plainly
                && is_letter(below)
                && is_letter(above)
                && below.text != above.text
                && below.from.distance(above.from) < SAME_PLACE * below.size.min(above.size)
            {
                self.glyphs[at - 1].seen = Seen::Unseen;
            }
        }
    }

    /// Decides which glyphs were covered, and which are the text of a scan.
    pub(super) fn finish(&mut self) {
        self.find_overprinted();
        self.find_denied();
        // Glyphs that only a picture can show, and how many of them lie where it shows something.
        let (mut scanned, mut inked) = (Vec::new(), 0);
        let is_scan = self.paper.pictures() >= SCANNED;
        for at in 0..self.glyphs.len() {
            let glyph = &self.glyphs[at];
            let cells: Vec<_> = glyph.places().iter().filter_map(|place| self.paper.at(*place)).collect();
            let covered = !cells.is_empty() && cells.iter().all(|cell| cell.painted > glyph.now);
            let was_drawn = covered && glyph.seen == Seen::Plainly;
            if was_drawn {
                self.glyphs[at].seen = Seen::Unseen;
            }
            // A picture on a part of a page that lies on plain text shows something else than that.
            let is_hidden = was_drawn && self.decode && !is_scan;
            if !is_hidden && self.glyphs[at].seen == Seen::Unseen && cells.iter().any(|cell| cell.picture) {
                scanned.push(at);
                inked += usize::from(cells.iter().any(|cell| cell.contrast >= PICTURE_CONTRAST));
            }
        }
        let many = self.paper.pictures() >= FEW_PICTURES && self.glyphs.len() < FEW_GLYPHS;
        self.needs_pictures |= !scanned.is_empty() || many;
        // The text layer of a scan is nearly where the letters are.
        if 2 * inked >= scanned.len() {
            for at in scanned {
                self.glyphs[at].seen = Seen::Plainly;
                self.glyphs[at].upon_picture = true;
            }
        }
    }

    /// The letters of prose that pictures and drawings show, where no text lies upon them.
    pub(super) fn letters_in_pictures(&mut self) -> u32 {
        self.lettered.letters(&self.glyphs)
    }

    /// Whether the pictures or the drawings of the page look like text.
    pub(super) fn shows_text(&self) -> bool {
        self.paper.looks_like_text() || (self.outlines >= OUTLINES && self.shapes.len() >= SHAPES)
    }

    /// Counts the parts of a path that could be letters, however it is painted.
    fn count_outlines(&mut self, path: &BezPath) {
        let goes_on =
            |one: &PathEl, next: &PathEl| !matches!(one, PathEl::ClosePath) && !matches!(next, PathEl::MoveTo(_));
        for part in path.elements().chunk_by(goes_on).take(MOST_PARTS) {
            let part = part.strip_suffix(&[PathEl::ClosePath]).unwrap_or(part);
            let curved = part.iter().any(|element| matches!(element, PathEl::CurveTo(..) | PathEl::QuadTo(..)));
            let bounds = BezPath::from_vec(part.to_vec()).control_box();
            if part.len() < FEWEST_SEGMENTS || !curved && part.len() > MOST_STRAIGHT_SEGMENTS {
                continue;
            }
            // A stroke of a Han character may be flatter than a letter.
            if bounds.height() < LETTER_HEIGHTS.end && LETTER_WIDTHS.contains(&bounds.width()) {
                self.lettered.outline(bounds);
            }
            if LETTER_HEIGHTS.contains(&bounds.height()) && LETTER_WIDTHS.contains(&bounds.width()) {
                self.outlines += 1;
                let size = |length: f64| (length * SAME_SHAPE).round() as u16;
                self.shapes.insert((part.len(), size(bounds.width()), size(bounds.height())));
            }
        }
    }

    fn tick(&mut self) {
        self.now += 1;
        if self.now.is_multiple_of(TICKS) && processor_time::of_this_thread() > self.deadline {
            std::panic::resume_unwind(Box::new(OutOfTime));
        }
    }

    fn clip(&self) -> &Clip {
        // The page's own is never popped.
        &self.clips[self.clips.len() - 1]
    }

    fn group(&self) -> &Group {
        // The page's own is never popped.
        &self.groups[self.groups.len() - 1]
    }

    /// Clips what is drawn next.
    pub(super) fn clip_to(&mut self, clip: &ClipPath) {
        self.clips.push(self.clip().within(clip));
    }

    /// Colour and opacity; `None` for a pattern.
    fn colour(&self, paint: &Paint<'_>) -> Option<(Colour, f32)> {
        let Paint::Color(colour) = paint else { return None };
        let [red, green, blue, opacity] = colour.to_rgba().to_rgba8();
        Some(([red, green, blue], f32::from(opacity) / 255.0 * self.group().opacity))
    }

    /// Whether what is drawn at these places in this colour is seen at the moment.
    fn look(&mut self, places: [Point; 3], paint: &Paint<'_>, mode: &DrawMode) -> Seen {
        let clip = self.clip();
        let shown: Vec<Point> = places.into_iter().filter(|place| clip.lets_through(*place)).collect();
        if shown.is_empty() || matches!(mode, DrawMode::Invisible) {
            return Seen::Unseen;
        }
        if self.inner.is_mask() {
            return Seen::Plainly;
        }
        let Some((colour, opacity)) = self.colour(paint) else { return Seen::Plainly };
        if opacity < TRANSPARENT {
            return Seen::Unseen;
        }
        let cells: Vec<_> = shown.iter().filter_map(|place| self.paper.at(*place)).collect();
        if cells.iter().any(|cell| cell.picture) && !self.decode {
            self.needs_pictures = true;
            return Seen::Plainly;
        }
        let differs = |ground: Colour| {
            let ground = extract::colour::Colour(ground);
            let letters = extract::colour::Colour(colour).mixed(ground, 1.0 - f64::from(opacity));
            !letters.is_lost_on(ground)
        };
        let seen = cells.iter().any(|cell| differs(cell.colour) || cell.contrast >= PICTURE_CONTRAST);
        if seen { Seen::Plainly } else { Seen::White }
    }

    /// The share of its square that a glyph fills; `None` if that is not known.
    fn ink(&mut self, glyph: &Shape<'_>) -> Option<f32> {
        let Shape::Outline(outline) = glyph else { return None };
        let key = outline.identifier();
        if let Some(ink) = self.inks.get(&key) {
            return Some(*ink);
        }
        let mut ink = (outline.outline().area().abs() / SQUARE) as f32;
        if ink == 0.0 && !is_in_file(outline) {
            // Programs that show the file have a font with the letter.
            ink = f32::MIN_POSITIVE;
        }
        self.inks.insert(key, ink);
        Some(ink)
    }

    /// Whether a glyph is drawn with as much ink as a letter.
    fn is_like_a_letter<'a>(&mut self, glyph: &Shape<'a>, paint: &Paint<'a>) -> bool {
        match glyph {
            Shape::Outline(_) => self.ink(glyph).is_some_and(|ink| ink >= LETTER_INK),
            Shape::Type3(drawing) => self.inner.paints(drawing, paint),
        }
    }

    fn fill(&mut self, path: &BezPath, rule: FillRule, paint: &Paint<'_>, blend: BlendMode) {
        if self.inner.is_mask() {
            return;
        }
        let (bounds, exact) = (self.clip().bounds, self.clip().exact);
        // The colours of a pattern are not known; grey lets black and white be seen on it.
        let (colour, opacity) = self.colour(paint).unwrap_or((GREY, self.group().opacity));
        let ink = Ink { colour, opacity, mixes: blend != BlendMode::Normal };
        self.paper.fill(path, rule, bounds, ink, self.now, exact);
        inner::draw_pattern(self, paint, path, rule);
    }
}

/// Whether a character is a blank or has no form of its own. Accents are drawn as wide as what they stand on, so they may have as much ink as letters.
fn shows_nothing(character: char) -> bool {
    character.is_whitespace() || character.is_control() || is_ignorable(character)
}

/// What the outline of a glyph adds to its ink if it is drawn in this width, in heights of the font: one half of it lies outside.
/// So programs make letters bold where a font has no bold ones.
fn outline_ink(glyph: &Shape<'_>, width: f64) -> f32 {
    let Shape::Outline(outline) = glyph else { return 0.0 };
    (outline.outline().perimeter(PERIMETER_ERROR) / EM * width / 2.0) as f32
}

impl Glyph {
    /// Places inside the glyph, at the middle of its height.
    fn places(&self) -> [Point; 3] {
        middle(self.from, self.to, self.up, self.size)
    }
}

fn middle(from: Point, to: Point, up: Point, size: f64) -> [Point; 3] {
    let raised = up.to_vec2() * (MIDDLE * size);
    LOOKED_AT.map(|part| from.lerp(to, part) + raised)
}

impl<'a> Device<'a> for Canvas<'_, '_> {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.tick();
        inner::draw_mask(self, props.soft_mask.as_ref());
        match mode {
            DrawMode::Fill(rule) | DrawMode::FillAndStroke(rule, _) => {
                let path = props.transform * path;
                self.count_outlines(&path);
                self.fill(&path, *rule, &props.paint, props.blend_mode);
            }
            DrawMode::Stroke(stroke) => {
                let path = props.transform * path;
                self.count_outlines(&path);
                let width = f64::from(stroke.line_width) * props.transform.determinant().abs().sqrt();
                if width >= WIDE_STROKE {
                    for line in straight_lines(&path) {
                        let line = line.inflate(width / 2.0, width / 2.0);
                        self.fill(&line.to_path(0.1), FillRule::NonZero, &props.paint, props.blend_mode);
                    }
                }
            }
            DrawMode::Invisible => {}
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.tick();
        self.count_outlines(&clip.path);
        self.clip_to(clip);
    }

    fn pop_clip(&mut self) {
        if self.clips.len() > 1 {
            self.clips.pop();
        }
    }

    fn push_transparency_group(&mut self, opacity: f32, mask: Option<SoftMask<'a>>, blend: BlendMode) {
        inner::draw_mask(self, mask.as_ref());
        let outer = self.group();
        let is_mixed = outer.is_mixed || mask.is_some() || blend != BlendMode::Normal;
        self.groups.push(Group { opacity: outer.opacity * opacity, is_mixed });
    }

    fn pop_transparency_group(&mut self) {
        if self.groups.len() > 1 {
            self.groups.pop();
        }
    }

    fn begin_marked_content(&mut self, tag: &[u8], _: Option<&Dict<'_>>) {
        self.layered |= tag == b"OC";
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        self.tick();
        inner::draw_mask(self, props.soft_mask.as_ref());
        if let DrawMode::Stroke(stroke) = mode
            && self.glyphs.last().is_some_and(|glyph| glyph.now + 1 == self.now)
        {
            // The outlines of letters that were filled just now.
            let filled = self.glyphs.iter().rev().take_while(|glyph| glyph.now + 1 == self.now).count();
            let start = self.glyphs.len() - filled;
            // Two lines that are only outlined may have as many letters, each in a place of its own.
            let place = run.glyphs().first().map(|first| props.transform * first.transform() * Point::ORIGIN);
            let (first, size) = (self.glyphs[start].from, self.glyphs[start].size);
            let is_same_place = place.is_some_and(|place| place.distance(first) <= SAME_PLACE * size);
            if filled == run.glyphs().len() && is_same_place {
                let width = f64::from(stroke.line_width) * props.transform.determinant().abs().sqrt();
                for (at, shape) in (start..self.glyphs.len()).zip(run.glyphs()) {
                    self.glyphs[at].ink += outline_ink(shape, width / self.glyphs[at].size.max(0.01));
                    if self.glyphs[at].seen != Seen::Plainly {
                        let places = self.glyphs[at].places();
                        self.glyphs[at].seen = self.look(places, &props.paint, mode);
                    }
                }
                return;
            }
        }
        let is_mixed = self.is_mixed(&props);
        for glyph in run.glyphs() {
            if let Shape::Type3(drawing) = &**glyph
                && inner::draw_glyph(self, drawing, props.transform, glyph.transform(), &props.paint)
            {
                continue;
            }
            let place: Affine = props.transform * glyph.transform();
            let at = |x: f64, y: f64| place * Point::new(x, y);
            let scale = match &**glyph {
                Shape::Outline(_) => 1.0,
                Shape::Type3(drawing) => self.unnamed.size(drawing),
            };
            let (from, top) = (at(0.0, 0.0), at(0.0, EM * scale));
            let size = from.distance(top);
            if !(from.is_finite() && size.is_finite()) {
                continue;
            }
            let up = if size > 0.0 { ((top - from) / size).to_point() } else { Point::new(0.0, -1.0) };
            let width = match &**glyph {
                Shape::Outline(outline) => outline.advance_width(),
                Shape::Type3(type3) => type3.advance_width(),
            };
            let width = width.map_or(USUAL_WIDTH, f64::from);
            let to = match run.writing_mode() {
                WritingMode::Vertical => at(0.0, -EM),
                WritingMode::Horizontal => at(width, 0.0),
            };
            let text = match glyph.as_unicode() {
                // What is no character, as some programs write it for ligatures, is not known.
                // Within a line nothing ends it.
                Some(BfString::Char('\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')) => "\u{A0}".to_owned(),
                // What bitmap fonts of TeX call their letters are names of ornaments (`/a101`) and controls (`/CR`), too.
                Some(BfString::Char(c))
                    if (is_ornament(c) || c.is_control()) && matches!(&**glyph, Shape::Type3(_)) =>
                {
                    Some(self.unnamed.characters(glyph))
                        .filter(|text| !text.is_empty())
                        .unwrap_or_else(|| c.to_string())
                }
                Some(BfString::Char(c)) if c != char::REPLACEMENT_CHARACTER && c as u32 & 0xFFFE != 0xFFFE => {
                    c.to_string()
                }
                Some(BfString::Char(_)) | None => self.unnamed.characters(glyph),
                Some(BfString::String(text)) => text,
            };
            self.doubtful += usize::from(is_mixed);
            let blank = !text.is_empty() && text.chars().all(char::is_whitespace);
            let denied =
                !text.is_empty() && text.chars().all(shows_nothing) && self.is_like_a_letter(glyph, &props.paint);
            let ink = if blank { None } else { self.ink(glyph) };
            let mut seen = self.look(middle(from, to, up, size), &props.paint, mode);
            let is_notdef = matches!(&**glyph, Shape::Outline(outline) if outline.glyph_id().to_u32() == 0);
            // Letters pressed together to a line.
            let natural = width / 1000.0 * size / scale;
            let pressed = run.writing_mode() == WritingMode::Horizontal && from.distance(to) < NARROW * natural;
            if (ink == Some(0.0) && !is_notdef) || (pressed && !blank) {
                seen = Seen::Unseen;
            }
            // What masks show is not covered by what is painted through them.
            let now = if self.inner.is_mask() { NEVER_COVERED } else { self.now };
            let letters = match denied {
                true => (from.distance(to) / (LETTER_WIDTH * size).max(0.01)).round().clamp(1.0, MOST_LETTERS),
                false => 1.0,
            };
            let ink = ink.unwrap_or(0.0);
            for part in 0..letters as usize {
                let border = |part: usize| from.lerp(to, part as f64 / letters);
                let (from, to) = (border(part), border(part + 1));
                let upon_picture = false;
                let text = text.clone();
                self.glyphs.push(Glyph { text, from, to, size, up, ink, seen, upon_picture, denied, now });
            }
        }
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        self.tick();
        inner::draw_mask(self, props.soft_mask.as_ref());
        if self.inner.is_mask() {
            return;
        }
        let (bounds, exact) = (self.clip().bounds, self.clip().exact);
        let (width, height) = (image.width(), image.height());
        let asked = self.lettered.asks(&image, props.transform, bounds, self.paper.area());
        self.needs_pictures |= asked.as_ref().is_some_and(|asked| asked.is_scan);
        let asked = asked.filter(|asked| asked.is_scan == self.decode);
        let step = asked.as_ref().map(|asked| asked.step);
        let mut light = None;
        let decode = self.decode && u64::from(width) * u64::from(height) <= MOST_PIXELS;
        let mut picture = Picture { width: width.into(), height: height.into(), across: 0, pixels: None };
        let (mut hides, mut colour) = (exact, GREY);
        match &image {
            // Ink in the form of a mask hides only what it is painted on.
            Image::Stencil(stencil) => {
                hides = false;
                if decode {
                    stencil.with_stencil(
                        |mask, paint| {
                            let ink = self.colour(paint).map_or([0; 3], |(colour, _)| colour);
                            light = step.map(|step| lettered::light_of_mask(&mask, step));
                            picture.across = mask.width as usize;
                            picture.pixels = Some(Pixels::Ink(ink, mask.data));
                        },
                        None,
                    );
                }
            }
            Image::Raster(raster) if decode => raster.with_rgba(
                |data, alpha| {
                    light = step.map(|step| lettered::light_of(&data, alpha.as_ref(), step));
                    hides &= alpha.is_none();
                    picture.across = data.width() as usize;
                    picture.pixels = Some(match data {
                        ImageData::Rgb(data) => Pixels::Colours(data.data),
                        ImageData::Luma(data) => Pixels::Greys(data.data),
                    });
                },
                None,
            ),
            Image::Raster(_) => {}
        }
        if !decode {
            light = step.and_then(|step| lettered::light(&image, step));
        }
        if let (Some(asked), Some(light)) = (asked, light) {
            self.lettered.picture(&asked, light);
        }
        if picture.pixels.as_ref().is_some_and(|pixels| pixels.len() == 0 || picture.across == 0) {
            picture.pixels = None;
        }
        if picture.pixels.is_none() {
            colour = GREY;
        }
        let ink = Ink { colour, opacity: self.group().opacity, mixes: props.blend_mode != BlendMode::Normal };
        self.paper.picture(&picture, props.transform, bounds, ink, self.now, hides);
    }
}

/// Whether a glyph is of a font in the file, as far as that is known, and not of one that stands in for a missing one.
fn is_in_file(glyph: &OutlineGlyph) -> bool {
    use StandardFont::*;
    const STANDARD: [StandardFont; 12] = [
        Helvetica,
        HelveticaBold,
        HelveticaOblique,
        HelveticaBoldOblique,
        Courier,
        CourierBold,
        CourierOblique,
        CourierBoldOblique,
        TimesRoman,
        TimesBold,
        TimesItalic,
        TimesBoldItalic,
    ];
    let Some(font) = glyph.font_data() else { return false };
    let start = |data: &FontData| (**data).as_ref().as_ptr();
    !STANDARD.iter().any(|standard| start(&standard.get_font_data().0) == start(&font.data))
}
