//! What is drawn by means of something else that is painted: the cells of patterns, glyphs that are drawings themselves, masks.
//!
//! The interpreter hands over a pattern, a glyph of a Type 3 font and a mask as a whole. All of them may show text.

use hayro_interpret::font::{GlyphRun, Type3Glyph};
use hayro_interpret::kurbo::{Affine, BezPath, PathEl, Shape as _};
use hayro_interpret::pattern::{Pattern, TilingPattern};
use hayro_interpret::{
    BlendMode, CacheKey as _, ClipPath, Device, DrawMode, DrawProps, FillRule, Image, ImageDrawProps, Paint, SoftMask,
};

use super::glyphs::Canvas;

/// Cells of a pattern that are drawn, at most: what is repeated more often is looked at no further.
const MOST_CELLS: f64 = 4.0;

/// Cells of fewer points in height or width hold no text: they are hatching.
const LEAST_CELL: f64 = 6.0;

/// Drawings stand no deeper in drawings.
const DEEPEST: u32 = 4;

/// A glyph is one letter: in a bitmap font it has fewer pixels, and an outline fewer parts, than this.
const LARGEST_LETTER: u32 = 500;
const MOST_PARTS: usize = 40;

/// What was found out on the way, for all pages of a file.
#[derive(Debug, Default)]
pub(super) struct Inner {
    /// How deep in drawings the canvas is, and in masks.
    depth: u32,
    masks: u32,
    /// What glyphs of Type 3 draw.
    glyphs: std::collections::HashMap<u128, Sample>,
    /// Masks that this page has drawn.
    drawn: std::collections::BTreeSet<u128>,
    /// Whether this page has drawings that were not looked into, for they stand too deep in others.
    pub(super) is_too_deep: bool,
}

impl Inner {
    /// A page begins.
    pub(super) fn begin_page(&mut self) {
        (self.depth, self.masks) = (0, 0);
        self.drawn.clear();
        self.is_too_deep = false;
    }

    /// Whether a glyph draws anything.
    pub(super) fn paints<'a>(&mut self, glyph: &Type3Glyph<'a>, paint: &Paint<'a>) -> bool {
        self.sample(glyph, paint).paints
    }

    fn sample<'a>(&mut self, glyph: &Type3Glyph<'a>, paint: &Paint<'a>) -> Sample {
        *self.glyphs.entry(glyph.cache_key()).or_insert_with(|| {
            let mut sample = Sample::default();
            glyph.interpret(&mut sample, Affine::IDENTITY, Affine::IDENTITY, paint);
            sample
        })
    }

    /// Whether a mask is being drawn, which shows where something else is painted.
    pub(super) fn is_mask(&self) -> bool {
        self.masks > 0
    }
}

/// Draws on the canvas what is inside of something, no deeper than there is any use.
fn inside(canvas: &mut Canvas<'_, '_>, draw: impl FnOnce(&mut Canvas<'_, '_>)) {
    if canvas.inner.depth < DEEPEST {
        canvas.inner.depth += 1;
        draw(canvas);
        canvas.inner.depth -= 1;
    } else {
        canvas.inner.is_too_deep = true;
    }
}

/// Draws the first cells of the pattern that a path on the page is filled with, if it is one that may hold text.
pub(super) fn draw_pattern<'a>(canvas: &mut Canvas<'_, '_>, paint: &Paint<'a>, path: &BezPath, rule: FillRule) {
    let Paint::Pattern(pattern) = paint else { return };
    let Pattern::Tiling(cell) = &**pattern else { return };
    let on_page = cell.matrix.determinant().abs().sqrt();
    let least = cell.bbox.width().min(cell.bbox.height()) * on_page;
    if !(least >= LEAST_CELL && cell.matrix.inverse().is_finite()) {
        return;
    }
    let places = places(cell, path);
    canvas.clip_to(&ClipPath { path: path.clone(), fill: rule });
    for place in places {
        inside(canvas, |canvas| {
            cell.interpret(canvas, cell.matrix * Affine::translate(place), false);
        });
    }
    canvas.pop_clip();
}

/// Where the cells begin that lie in a path, in units of the pattern.
fn places(cell: &TilingPattern<'_>, path: &BezPath) -> Vec<(f64, f64)> {
    let area = (cell.matrix.inverse() * path.bounding_box().to_path(0.1)).bounding_box();
    let (across, down) = (f64::from(cell.x_step.abs()), f64::from(cell.y_step.abs()));
    let steps = |from: f64, to: f64, first: f64, last: f64, step: f64| {
        let (first, last) = (((from - last) / step).floor() + 1.0, ((to - first) / step).ceil() - 1.0);
        let last = last.min(first + MOST_CELLS - 1.0);
        let mut steps = Vec::new();
        let mut at = first;
        while at <= last {
            steps.push(at * step);
            at += 1.0;
        }
        steps
    };
    let rows = steps(area.y0, area.y1, cell.bbox.y0, cell.bbox.y1, down);
    let columns = steps(area.x0, area.x1, cell.bbox.x0, cell.bbox.x1, across);
    let all = rows.iter().flat_map(|y| columns.iter().map(|x| (*x, *y)));
    all.take(MOST_CELLS as usize).collect()
}

/// Draws a glyph that is more than a letter: text, a picture, many outlines. Tells whether it is.
pub(super) fn draw_glyph<'a>(
    canvas: &mut Canvas<'_, '_>,
    glyph: &Type3Glyph<'a>,
    transform: Affine,
    place: Affine,
    paint: &Paint<'a>,
) -> bool {
    let is_more = canvas.inner.sample(glyph, paint).is_more;
    if is_more {
        inside(canvas, |canvas| glyph.interpret(canvas, transform, place, paint));
    }
    is_more
}

/// Draws a mask, once on each page: letters in it may be what is seen of what is painted through it.
pub(super) fn draw_mask(canvas: &mut Canvas<'_, '_>, mask: Option<&SoftMask<'_>>) {
    let Some(mask) = mask.filter(|mask| canvas.inner.drawn.insert(mask.cache_key())) else { return };
    canvas.inner.masks += 1;
    inside(canvas, |canvas| mask.interpret(canvas));
    canvas.inner.masks -= 1;
}

/// What a glyph draws.
#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    /// More than a letter.
    is_more: bool,
    /// Anything at all.
    paints: bool,
    parts: usize,
}

impl<'a> Device<'a> for Sample {
    fn draw_path(&mut self, path: &BezPath, _: DrawProps<'a>, _: &DrawMode) {
        self.paints = true;
        self.parts += path.elements().iter().filter(|element| matches!(element, PathEl::MoveTo(_))).count();
        self.is_more |= self.parts > MOST_PARTS;
    }

    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {
        (self.is_more, self.paints) = (true, true);
    }

    fn draw_image(&mut self, image: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.paints = true;
        self.is_more |= image.width().max(image.height()) > LARGEST_LETTER;
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
