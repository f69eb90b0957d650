//! Letters on a page that are no text: those of pictures, and those drawn as outlines.

use std::collections::{BTreeMap, HashSet};

use hayro_interpret::hayro_syntax::Filter;
use hayro_interpret::hayro_syntax::object::Stream;
use hayro_interpret::hayro_syntax::object::stream::ImageDecodeParams;
use hayro_interpret::kurbo::{Affine, Point, Rect, Shape as _};
use hayro_interpret::{Image, ImageData, LumaData};

use super::glyph::{Glyph, Seen};
use super::paper::lightness;
use crate::extract::lettering::{Light, Spot, letters_between};
use crate::extract::wide::is_wide;

/// Pictures on a page that are looked at, and their pixels at most, of each and of all. A picture may be one word, or a letter.
const MOST_PICTURES: usize = 4000;
const MOST_PIXELS: f64 = 60e6;
const MOST_PIXELS_OF_PAGE: f64 = 120e6;

/// A picture on this share of its page may be a scan, or pictures that cover as much of it together.
pub(super) const SCANNED: f64 = 0.5;

/// How many pixels on a point are enough to know letters.
const FINE: f64 = 1.6;

/// The fewest letters of text upon the picture of a scan.
const SCAN: usize = 400;

/// Spots of a page at most.
const MOST_SPOTS: usize = 60_000;

/// What has text on it is read: the side of the squares by which that is known, in points.
const SQUARE: f64 = 5.0;

/// How many points apart the strokes of one letter are at most, and how many points high a letter is at least.
const TOUCHING: f32 = 0.6;
const LOWEST: f32 = 2.0;

/// The height of a letter that is read, and of a Han character, in heights of its font, and the share of its width that is blank on either side.
const LETTER_HEIGHT: [f64; 2] = [0.6, 0.85];
const MARGIN: f64 = 0.1;

/// The height in points of the rows in which strokes are looked for.
const ROW: f32 = 20.0;

/// The spots of a page that may be letters.
#[derive(Debug, Default)]
pub(super) struct Lettered {
    spots: Vec<Spot>,
    /// The outlines that may be letters, or strokes of one.
    strokes: Vec<Spot>,
    pictures: Vec<Shown>,
    /// The pixels of all pictures that were asked for.
    pixels: f64,
}

/// A picture that may show letters.
#[derive(Debug)]
pub(super) struct Asked {
    /// It is so large that it may be a scan: what that shows is asked when it is known whether text lies upon it.
    pub(super) is_scan: bool,
    /// How many pixels side by side and below each other are one.
    pub(super) step: usize,
    /// Takes the square from 0 to 1 to the page.
    place: Affine,
    clip: Rect,
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
    /// An outline of a letter's size, or of a stroke's.
    pub(super) fn outline(&mut self, bounds: Rect) {
        if self.strokes.len() < MOST_SPOTS {
            self.strokes.push(spot(bounds));
        }
    }

    /// Whether a picture may show letters, and how it is looked at. `place` takes its pixels to the page, of which `on_page` are the
    /// square points.
    pub(super) fn asks(&mut self, image: &Image<'_, '_>, place: Affine, clip: Rect, on_page: f64) -> Option<Asked> {
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        let whole = (place * Rect::new(0.0, 0.0, width, height).to_path(0.1)).bounding_box();
        let shown = whole.intersect(clip);
        let is_usual = shown.area() > 0.0
            && width * height <= MOST_PIXELS
            && self.pixels + width * height <= MOST_PIXELS_OF_PAGE
            && self.pictures.len() < MOST_PICTURES;
        if !is_usual {
            return None;
        }
        self.pixels += width * height;
        // Of finer pictures fewer pixels are enough.
        let step = (((width * height / whole.area().max(1.0)).sqrt() / FINE) as usize).max(1);
        Some(Asked {
            is_scan: shown.area() >= SCANNED * on_page,
            step,
            place: place.pre_scale_non_uniform(width, height),
            clip: shown,
        })
    }

    /// What a picture shows that was asked for.
    pub(super) fn picture(&mut self, asked: &Asked, light: Light) {
        let down = light.pixels.len().checked_div(light.across).unwrap_or_default();
        if down > 0 {
            let place = asked.place.pre_scale_non_uniform(1.0 / light.across as f64, 1.0 / down as f64);
            self.pictures.push(Shown { light, place, clip: asked.clip });
        }
    }

    fn put(&mut self, bounds: Rect) {
        if self.spots.len() < MOST_SPOTS {
            self.spots.push(spot(bounds));
        }
    }

    /// The letters of prose that have no text upon them.
    pub(super) fn letters(&mut self, glyphs: &[Glyph]) -> u32 {
        let is_read = |glyph: &&Glyph| glyph.seen == Seen::Plainly && glyph.text.chars().any(char::is_alphanumeric);
        let letters: Vec<&Glyph> = glyphs.iter().filter(is_read).collect();
        for Shown { light, place, clip } in std::mem::take(&mut self.pictures) {
            // The picture of a scan whose text was read.
            let upon = letters.iter().filter(|glyph| clip.contains(glyph.from)).take(SCAN).count();
            let spots = if upon < SCAN { light.spots() } else { Vec::new() };
            for spot in spots {
                let point = |x: f32, y: f32| place * Point::new(x.into(), y.into());
                let bounds = Rect::from_points(point(spot.left, spot.top), point(spot.right, spot.bottom));
                if clip.contains(bounds.center()) {
                    self.put(bounds);
                }
            }
        }
        let letters_drawn = joined(std::mem::take(&mut self.strokes), TOUCHING);
        self.spots.extend(letters_drawn.into_iter().filter(|spot| spot.bottom - spot.top >= LOWEST));
        let square = |x: f64, y: f64| ((x / SQUARE).floor() as i64, (y / SQUARE).floor() as i64);
        let mut read = HashSet::new();
        if !self.spots.is_empty() {
            for glyph in &letters {
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
        let known = |glyph: &&Glyph| {
            let high = LETTER_HEIGHT[usize::from(glyph.text.chars().any(is_wide))];
            let (side, height) = ((glyph.to - glyph.from) * MARGIN, glyph.up.to_vec2() * (high * glyph.size));
            spot(Rect::from_points(glyph.from + side, glyph.to - side + height))
        };
        letters_between(spots, || letters.iter().map(known).collect())
    }
}

fn spot(bounds: Rect) -> Spot {
    let [left, top, right, bottom] = [bounds.x0, bounds.y0, bounds.x1, bounds.y1].map(|side| side as f32);
    Spot { left, top, right, bottom }
}

/// Spots in place of those that lie within `apart` of each other, as Han characters and letters with dots are drawn stroke by stroke. Each is
/// joined to the last few that begin to the left of it.
fn joined(mut strokes: Vec<Spot>, apart: f32) -> Vec<Spot> {
    strokes.sort_by(|a, b| a.left.total_cmp(&b.left).then(a.top.total_cmp(&b.top)));
    let mut rows: BTreeMap<i64, Vec<Spot>> = BTreeMap::new();
    let mut found = Vec::new();
    for stroke in strokes {
        let middle = ((stroke.top + stroke.bottom) / 2.0 / ROW).floor() as i64;
        let touches = |spot: &Spot| {
            stroke.left - spot.right <= apart && stroke.top - spot.bottom <= apart && spot.top - stroke.bottom <= apart
        };
        let mut whole = stroke;
        for row in middle - 1..=middle + 1 {
            let Some(open) = rows.get_mut(&row) else { continue };
            open.retain(|spot| {
                let stays = stroke.left - spot.right <= apart;
                if stays && touches(spot) {
                    whole = Spot {
                        left: whole.left.min(spot.left),
                        top: whole.top.min(spot.top),
                        right: whole.right.max(spot.right),
                        bottom: whole.bottom.max(spot.bottom),
                    };
                    return false;
                }
                if !stays {
                    found.push(*spot);
                }
                stays
            });
        }
        let middle = ((whole.top + whole.bottom) / 2.0 / ROW).floor() as i64;
        rows.entry(middle).or_default().push(whole);
    }
    found.extend(rows.into_values().flatten());
    found
}

/// The lightness of a picture on white paper, of whose pixels `step` side by side and below each other are one.
pub(super) fn light(image: &Image<'_, '_>, step: usize) -> Option<Light> {
    let mut light = None;
    match image {
        Image::Stencil(stencil) => stencil.with_stencil(|mask, _| light = Some(light_of_mask(&mask, step)), None),
        Image::Raster(raster) => {
            light = as_it_stands(raster.stream(), step);
            if light.is_none() {
                raster.with_rgba(|data, alpha| light = Some(light_of(&data, alpha.as_ref(), step)), None);
            }
        }
    }
    light
}

/// The same of ink in the form of a mask.
pub(super) fn light_of_mask(mask: &LumaData, step: usize) -> Light {
    Light::of(mask.width as usize, &mask.data, 1, step, |ink| 255 - ink[0])
}

/// The same of pixels, and of how opaque they are.
pub(super) fn light_of(data: &ImageData, alpha: Option<&LumaData>, step: usize) -> Light {
    let mut light = match data {
        ImageData::Rgb(data) => Light::of(data.width as usize, &data.data, 3, step, lightness),
        ImageData::Luma(data) => Light::of(data.width as usize, &data.data, 1, step, |of| of[0]),
    };
    if let Some(alpha) = alpha {
        light.on_white(&Light::of(alpha.width as usize, &alpha.data, 1, step, |of| of[0]));
    }
    light
}

/// The same of a picture of whose samples each has one byte in the file or in its JPEG picture: letters differ from their ground in whatever
/// colours these are.
fn as_it_stands(stream: &Stream<'_>, step: usize) -> Option<Light> {
    let dict = stream.dict();
    let is_plain = matches!(stream.filters()[..], [Filter::FlateDecode | Filter::LzwDecode | Filter::DctDecode]);
    if !is_plain || dict.contains_key(b"Mask") || dict.get::<u8>(b"BitsPerComponent") != Some(8) {
        return None;
    }
    let (width, height) = (dict.get::<u32>(b"Width")?, dict.get::<u32>(b"Height")?);
    let decoded = stream.decoded_image(&ImageDecodeParams { width, height, ..ImageDecodeParams::default() }).ok()?;
    let (width, height) = decoded.image_data.map_or((width, height), |jpeg| (jpeg.width, jpeg.height));
    let (width, data) = (width as usize, decoded.data);
    let pixels = width * height as usize;
    let mut light = match data.len() {
        grey if grey == pixels => Light::of(width, &data, 1, step, |of| of[0]),
        colours if colours == 3 * pixels => Light::of(width, &data, 3, step, lightness),
        _ => return None,
    };
    if dict.contains_key(b"SMask") {
        light.on_white(&as_it_stands(&dict.get::<Stream<'_>>(b"SMask")?, step)?);
    }
    Some(light)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_that_nearly_touch_are_one_letter_and_letters_side_by_side_or_below_each_other_are_not() {
        let stroke = |left: f32, top: f32, right: f32, bottom: f32| Spot { left, top, right, bottom };
        let cases = [
            // 川, 二 whose strokes lie far apart, i with its dot, and two letters.
            (vec![stroke(0.0, 0.0, 1.0, 9.0), stroke(1.5, 0.0, 2.5, 8.0), stroke(3.0, 0.0, 4.0, 9.0)], 1),
            (vec![stroke(0.0, 0.0, 9.0, 1.0), stroke(0.0, 6.0, 9.0, 7.0)], 2),
            (vec![stroke(0.0, 0.0, 1.0, 1.0), stroke(0.0, 1.5, 1.0, 8.0)], 1),
            (vec![stroke(0.0, 0.0, 5.0, 8.0), stroke(6.0, 0.0, 11.0, 8.0)], 2),
            // Two lines.
            (vec![stroke(0.0, 0.0, 5.0, 8.0), stroke(0.0, 12.0, 5.0, 20.0)], 2),
            // A frame around a stroke, and what joins two that are found before it.
            (vec![stroke(0.0, 0.0, 10.0, 10.0), stroke(4.0, 4.0, 6.0, 6.0)], 1),
            (vec![stroke(0.0, 0.0, 3.0, 3.0), stroke(0.0, 7.0, 3.0, 9.0), stroke(3.2, 0.0, 4.0, 9.0)], 1),
        ];
        for (strokes, letters) in cases {
            assert_eq!(joined(strokes.clone(), TOUCHING).len(), letters, "{strokes:?}");
        }
    }
}
