//! A picture on a page: the institution's logo.

use pdf_writer::{Filter, Pdf, Ref};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;
use zune_png::PngDecoder;

/// Pixels of a picture at most: a logo is no wider than some centimetres.
const MOST_PIXELS: usize = 4_000_000;

/// A picture of red, green and blue, without transparency, packed as files hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    packed: Vec<u8>,
}

impl Picture {
    /// The picture of a PNG or JPEG file; what is transparent is white, as paper is. None of others, and of ones that are too large.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (width, height, pixels) = of_png(bytes).or_else(|| of_jpeg(bytes))?;
        let is_whole = pixels.len() == width as usize * height as usize * 3 && !pixels.is_empty();
        is_whole.then(|| Picture { width, height, packed: super::face::packed(&pixels) })
    }

    /// Its size in points where it fills a box of this size as far as it can.
    pub fn within(&self, (width, height): (f32, f32)) -> (f32, f32) {
        let (wide, high) = (self.width as f32, self.height as f32);
        let scale = (width / wide).min(height / high);
        (wide * scale, high * scale)
    }

    /// Writes it as an object.
    pub fn write(&self, pdf: &mut Pdf, to: Ref) {
        let mut image = pdf.image_xobject(to, &self.packed);
        image.width(self.width as i32).height(self.height as i32).bits_per_component(8);
        image.filter(Filter::FlateDecode);
        image.color_space().device_rgb();
    }
}

fn of_png(bytes: &[u8]) -> Option<(u32, u32, Vec<u8>)> {
    let options = DecoderOptions::default().png_set_add_alpha_channel(true).png_set_strip_to_8bit(true);
    let mut decoder = PngDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions().filter(|(width, height)| width * height <= MOST_PIXELS)?;
    let (samples, pixels) = (decoder.colorspace()?.num_components(), decoder.decode_raw().ok()?);
    if samples < 2 {
        return None;
    }
    let on_white = |pixel: &[u8]| -> [u8; 3] {
        let (alpha, of) = (u32::from(pixel[samples - 1]), |at: usize| u32::from(pixel[at.min(samples - 2)]));
        [0, 1, 2].map(|at| ((of(at) * alpha + 255 * (255 - alpha) + 127) / 255) as u8)
    };
    let pixels = pixels.chunks_exact(samples).flat_map(on_white).collect();
    Some((u32::try_from(width).ok()?, u32::try_from(height).ok()?, pixels))
}

fn of_jpeg(bytes: &[u8]) -> Option<(u32, u32, Vec<u8>)> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions().filter(|(width, height)| width * height <= MOST_PIXELS)?;
    Some((u32::try_from(width).ok()?, u32::try_from(height).ok()?, decoder.decode().ok()?))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use base64::Engine;

    /// A PNG file of two pixels: half transparent red, and black.
    pub fn png() -> Vec<u8> {
        let file =
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DQwMDA8B8AC4ACf2oaMVIAAAAASUVORK5CYII=";
        base64::engine::general_purpose::STANDARD.decode(file).unwrap()
    }

    #[test]
    fn what_is_transparent_is_white_and_what_is_no_picture_is_none() {
        assert_eq!(of_png(&png()), Some((2, 1, vec![255, 127, 127, 0, 0, 0])));
        let picture = Picture::read(&png()).unwrap();
        assert_eq!(picture.within((100.0, 20.0)), (40.0, 20.0));
        assert_eq!(picture.within((10.0, 20.0)), (10.0, 5.0));
        for bytes in [&b""[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"] {
            assert_eq!(Picture::read(bytes), None);
        }
    }
}
