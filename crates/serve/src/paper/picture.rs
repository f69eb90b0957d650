//! A picture on a page: the institution's logo.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use pdf_writer::{Filter, Pdf, Ref};

/// Pixels of a picture at most: a logo is no wider than some centimetres.
const MOST_PIXELS: u64 = 4_000_000;

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
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
        if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
            return None;
        }
        let decoder = reader.into_decoder().ok()?;
        let (width, height) = decoder.dimensions();
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return None;
        }
        let picture = DynamicImage::from_decoder(decoder).ok()?.into_rgba8();
        let on_white = |pixel: &image::Rgba<u8>| {
            let [red, green, blue, alpha] = pixel.0.map(u32::from);
            [red, green, blue].map(|part| ((part * alpha + 255 * (255 - alpha) + 127) / 255) as u8)
        };
        let pixels: Vec<u8> = picture.pixels().flat_map(on_white).collect();
        Some(Picture { width, height, packed: super::face::packed(&pixels) })
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
        let picture = Picture::read(&png()).unwrap();
        assert_eq!(picture.packed, super::super::face::packed(&[255, 127, 127, 0, 0, 0]));
        assert_eq!(picture.within((100.0, 20.0)), (40.0, 20.0));
        assert_eq!(picture.within((10.0, 20.0)), (10.0, 5.0));
        let gif = b"GIF89a\x01\x00\x01\x00\x80\x01\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
        for bytes in
            [&b""[..], gif, b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"]
        {
            assert_eq!(Picture::read(bytes), None);
        }
    }
}
