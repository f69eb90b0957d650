//! Letters on a page that are no text: those of pictures, and those drawn as outlines.

use std::collections::HashSet;

use hayro_interpret::kurbo::{Affine, Point, Rect, Shape as _};

use super::glyphs::{Glyph, Seen};
use super::paper::Picture;
use crate::extract::lettering::{Light, Spot, letters_of_prose};

/// Pictures on this share of a page are looked at: three lines.
const LEAST_PICTURES: f64 = 0.04;

/// Pictures on a page, and the width in points below which one has no line of text.
const MOST_PICTURES: usize = 200;
const NARROWEST: f64 = 100.0;

/// So many pixels on a point are enough to know letters.
const FINE: f64 = 1.6;

/// A picture with so many letters of text upon it is that of a scan.
const SCAN: usize = 400;

/// Spots of a page at most.
const MOST_SPOTS: usize = 60_000;

/// What has text on it is read: that is known by squares of so many points.
const SQUARE: f64 = 5.0;

/// The spots of a page that may be letters.
#[derive(Debug, Default)]
pub(super) struct Lettered {
    spots: Vec<Spot>,
    pictures: Vec<Shown>,
    /// Square points that pictures cover.
    area: f64,
}

/// A picture on a page.
#[derive(Debug)]
struct Shown {
    light: Light,
    /// Takes its pixels to the page.
    place: Affine,
    clip: Rect,
}

impl Lettered {
    /// An outline of a letter's size.
    pub(super) fn outline(&mut self, bounds: Rect) {
        self.put(bounds);
    }

    /// A picture, with its pixels if they are known. `place` takes pixels to the page.
    pub(super) fn picture(&mut self, picture: &Picture, place: Affine, clip: Rect) {
        let on_page = (place * Rect::new(0.0, 0.0, picture.width, picture.height).to_path(0.1)).bounding_box();
        let shown = on_page.intersect(clip);
        self.area += shown.area();
        let Some(pixels) = picture.pixels.as_ref().filter(|_| self.pictures.len() < MOST_PICTURES) else { return };
        if shown.width() < NARROWEST || picture.across == 0 {
            return;
        }
        // Of finer pictures fewer pixels are enough.
        let down = pixels.len() / 3 / picture.across;
        let fine = (picture.across as f64 * down as f64 / on_page.area().max(1.0)).sqrt() / FINE;
        let step = (fine as usize).max(1);
        let light = |pixel: &[u8]| ((u32::from(pixel[0]) + 2 * u32::from(pixel[1]) + u32::from(pixel[2])) / 4) as u8;
        let light = Light::of(picture.across, pixels, 3, step, light);
        let scale = |whole: f64, pixels: usize| whole * step as f64 / pixels as f64;
        let place = place.pre_scale_non_uniform(scale(picture.width, picture.across), scale(picture.height, down));
        self.pictures.push(Shown { light, place, clip: shown });
    }

    fn put(&mut self, bounds: Rect) {
        if self.spots.len() < MOST_SPOTS {
            let [left, top, right, bottom] = [bounds.x0, bounds.y0, bounds.x1, bounds.y1].map(|side| side as f32);
            self.spots.push(Spot { left, top, right, bottom });
        }
    }

    /// Whether the pictures of a page of so many square points are to be decoded.
    pub(super) fn has_pictures(&self, page: f64) -> bool {
        self.area >= LEAST_PICTURES * page
    }

    /// The letters of prose that have no text upon them.
    pub(super) fn letters(&mut self, glyphs: &[Glyph]) -> u32 {
        let is_read = |glyph: &&Glyph| glyph.seen == Seen::Plainly && glyph.text.chars().any(char::is_alphanumeric);
        for Shown { light, place, clip } in std::mem::take(&mut self.pictures) {
            // The picture of a scan whose text was read.
            let upon = glyphs.iter().filter(is_read).filter(|glyph| clip.contains(glyph.from)).take(SCAN).count();
            let spots = if upon < SCAN { light.spots() } else { Vec::new() };
            for spot in spots {
                let point = |x: f32, y: f32| place * Point::new(x.into(), y.into());
                let bounds = Rect::from_points(point(spot.left, spot.top), point(spot.right, spot.bottom));
                if clip.contains(bounds.center()) {
                    self.put(bounds);
                }
            }
        }
        let square = |x: f64, y: f64| ((x / SQUARE).floor() as i64, (y / SQUARE).floor() as i64);
        let mut read = HashSet::new();
        if !self.spots.is_empty() {
            for glyph in glyphs.iter().filter(is_read) {
                let top = glyph.from + glyph.up.to_vec2() * glyph.size;
                let bounds = Rect::from_points(glyph.from, glyph.to).union(Rect::from_points(glyph.from, top));
                let ((left, above), (right, below)) = (square(bounds.x0, bounds.y0), square(bounds.x1, bounds.y1));
                let few = |from: i64, to: i64| from..=to.min(from + 20);
                read.extend(few(left, right).flat_map(|x| few(above, below).map(move |y| (x, y))));
            }
        }
        let mut spots = std::mem::take(&mut self.spots);
        spots.retain(|spot| {
            let middle = ((spot.left + spot.right) / 2.0, (spot.top + spot.bottom) / 2.0);
            !read.contains(&square(middle.0.into(), middle.1.into()))
        });
        letters_of_prose(spots)
    }
}
