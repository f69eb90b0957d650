//! Pictures that stand beside a text, in files of their own: whether they show prose, which is then not compared.

use std::collections::BTreeMap;

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;
use zune_png::PngDecoder;

use super::lettering::{Light, letters_of_prose};
use super::package::Package;

/// Pixels of all pictures of a document that are looked at: a hundred pages at 150 dots an inch are twice as many.
const MOST_PIXELS: usize = 120_000_000;

/// Pictures of fewer pixels have no room for three lines.
const LEAST_PIXELS: usize = 8_000;

/// Endings of the names of pictures that are read.
const ENDINGS: [&str; 4] = [".png", ".jpg", ".jpeg", ".bmp"];

/// Looks at the pictures of one document.
#[derive(Debug)]
pub(super) struct Pictures {
    /// Pixels that may still be looked at.
    left: usize,
}

impl Default for Pictures {
    fn default() -> Self {
        Pictures { left: MOST_PIXELS }
    }
}

impl Pictures {
    /// The letters of prose that a PNG, JPEG or BMP file shows; 0 of others.
    pub(super) fn letters(&mut self, bytes: &[u8]) -> u32 {
        let light = of_png(bytes, self.left).or_else(|| of_jpeg(bytes, self.left)).or_else(|| of_bmp(bytes, self.left));
        let Some(light) = light else { return 0 };
        self.left -= (bytes.len() + light.pixels.len()).min(self.left);
        letters_of_prose(light.spots())
    }
}

/// The letters of prose that the pictures of a package show, by the names of their parts; without those that show none.
pub(super) fn of_package(package: &mut Package<'_>) -> BTreeMap<String, u32> {
    let mut pictures = Pictures::default();
    let mut found = BTreeMap::new();
    for name in package.unread() {
        let lower = name.to_ascii_lowercase();
        // A small picture of the first page.
        let is_page = lower.contains("thumbnail");
        if is_page || !ENDINGS.iter().any(|ending| lower.ends_with(ending)) {
            continue;
        }
        let Ok(Some(bytes)) = package.part(&name) else { continue };
        let letters = pictures.letters(&bytes);
        if letters > 0 {
            found.insert(name, letters);
        }
    }
    found
}

fn is_usual(size: Option<(usize, usize)>, most: usize) -> Option<usize> {
    let (across, down) = size?;
    (LEAST_PIXELS..=most).contains(&across.checked_mul(down)?).then_some(across)
}

fn of_png(bytes: &[u8], most: usize) -> Option<Light> {
    let options = DecoderOptions::default().png_set_add_alpha_channel(true).png_set_strip_to_8bit(true);
    let mut decoder = PngDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let across = is_usual(decoder.dimensions(), most)?;
    let (samples, pixels) = (decoder.colorspace()?.num_components(), decoder.decode_raw().ok()?);
    // What is transparent is white, as paper is.
    let light = |pixel: &[u8]| {
        let (colour, alpha) = pixel.split_at(pixel.len() - 1);
        let light = colour.iter().map(|part| u32::from(*part)).sum::<u32>() / colour.len().max(1) as u32;
        let alpha = u32::from(alpha[0]);
        ((light * alpha + 255 * (255 - alpha)) / 255) as u8
    };
    (samples > 1).then(|| Light::of(across, &pixels, samples, Light::step(pixels.len() / samples), light))
}

fn of_jpeg(bytes: &[u8], most: usize) -> Option<Light> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().ok()?;
    let across = is_usual(decoder.dimensions(), most)?;
    let pixels = decoder.decode().ok()?;
    Some(Light::of(across, &pixels, 1, Light::step(pixels.len()), |pixel| pixel[0]))
}

/// The uncompressed kinds of 24 and 32 bits, as programs for painting write them.
fn of_bmp(bytes: &[u8], most: usize) -> Option<Light> {
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let bits = u16::from_le_bytes(bytes.get(28..30)?.try_into().ok()?);
    if !bytes.starts_with(b"BM") || !matches!(bits, 24 | 32) || number(30)? != 0 {
        return None;
    }
    let (width, height) = (number(18)? as usize, number(22)?.cast_signed().unsigned_abs() as usize);
    let across = is_usual(Some((width, height)), most)?;
    let samples = usize::from(bits / 8);
    let row = (across * samples).next_multiple_of(4);
    let rows = bytes.get(number(10)? as usize..)?.chunks_exact(row).take(height);
    let light = |pixel: &[u8]| (pixel[..3].iter().map(|part| u32::from(*part)).sum::<u32>() / 3) as u8;
    // The lowest row comes first, which makes no difference to whether it shows letters in lines.
    Some(Light {
        across,
        pixels: rows.flat_map(|row| row[..across * samples].chunks_exact(samples).map(light)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::lettering::tests::lines;
    use super::super::office_tests::package;
    use super::super::{Extracted, Format};
    use crate::limits::ReadLimits;
    use copytrace_text::layout::MarkKind;
    use std::io::Write as _;

    /// A PNG file of grey.
    fn png(rows: &[usize]) -> Vec<u8> {
        let light = lines(rows, 255, 0);
        let (across, down) = (light.across as u32, (light.pixels.len() / light.across) as u32);
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        for row in light.pixels.chunks_exact(light.across) {
            packed.write_all(&[0]).unwrap();
            packed.write_all(row).unwrap();
        }
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let head = [&across.to_be_bytes()[..], &down.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
        for (kind, data) in [(b"IHDR", head), (b"IDAT", packed.finish().unwrap()), (b"IEND", Vec::new())] {
            let content = [&kind[..], &data].concat();
            let mut crc = flate2::Crc::new();
            crc.update(&content);
            file.extend((data.len() as u32).to_be_bytes());
            file.extend(content);
            file.extend(crc.sum().to_be_bytes());
        }
        file
    }

    fn bmp(rows: &[usize]) -> Vec<u8> {
        let light = lines(rows, 255, 0);
        let (across, down) = (light.across as u32, (light.pixels.len() / light.across) as u32);
        let mut file = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
        file.extend([across.to_le_bytes(), down.to_le_bytes()].concat());
        file.extend([1, 0, 24, 0].into_iter().chain([0; 24]));
        let rows = light.pixels.chunks_exact(light.across).rev();
        file.extend(rows.flat_map(|row| row.iter().flat_map(|pixel| [*pixel; 3])));
        file
    }

    /// A package with one more part that is no text.
    fn with_part(parts: &[(&str, &str)], name: &str, bytes: &[u8]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new_append(std::io::Cursor::new(package(parts))).unwrap();
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
        archive.finish().unwrap().into_inner()
    }

    /// The letters that pictures of a document show.
    fn told(extracted: &Extracted) -> u32 {
        let count = |kind| if let MarkKind::PictureText(count) = kind { count } else { 0 };
        extracted.layout.marks().iter().map(|mark| count(mark.kind)).sum()
    }

    /// A document of each format with this picture.
    fn documents(picture: &[u8]) -> Vec<Extracted> {
        use base64::Engine as _;
        let read = |format: Format, bytes: &[u8]| format.extract(bytes, None, &ReadLimits::default()).unwrap();
        let relations = "<Relationships><Relationship Id='r7' Type='x/image' Target='media/p.png'/></Relationships>";
        let docx = "<w:document xmlns:w='w' xmlns:a='a' xmlns:r='r'><w:body><w:p><w:r><w:t>text</w:t></w:r><w:r><w:drawing><a:blip r:embed='r7'/>\
                    </w:drawing></w:r></w:p></w:body></w:document>";
        let odt = "<o:document-content xmlns:o='o' xmlns:t='t' xmlns:d='d' xmlns:x='x'><o:body><o:text><t:p>text<d:frame>\
                   <d:image x:href='Pictures/p.png'/></d:frame></t:p></o:text></o:body></o:document-content>";
        let encoded = base64::engine::general_purpose::STANDARD.encode(picture);
        let digits: String = picture.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("figures")).unwrap();
        std::fs::write(folder.path().join("figures/p.png"), picture).unwrap();
        let latex =
            "\\graphicspath{{figures/}}\\begin{document}text \\includegraphics[width=1cm]{p} more\\end{document}";
        let latex = Format::Latex.extract(latex.as_bytes(), Some(folder.path()), &ReadLimits::default()).unwrap();
        let parts = [("word/document.xml", docx), ("word/_rels/document.xml.rels", relations)];
        vec![
            read(Format::Docx, &with_part(&parts, "word/media/p.png", picture)),
            read(Format::Odt, &with_part(&[("content.xml", odt)], "Pictures/p.png", picture)),
            read(Format::Html, format!("<p>text <img src='data:image/png;base64,{encoded}'></p>").as_bytes()),
            read(Format::Rtf, format!("{{\\rtf1 text {{\\pict\\pngblip {digits}}}}}").as_bytes()),
            latex,
        ]
    }

    #[test]
    fn a_picture_of_prose_is_told_in_every_format_and_a_chart_in_none() {
        let prose = [70; 6];
        for (at, extracted) in documents(&png(&prose)).iter().chain(&documents(&bmp(&prose))).enumerate() {
            assert!((360..480).contains(&told(extracted)), "{at}: {:?}", extracted.layout.marks());
        }
        for (at, extracted) in documents(&png(&[9, 12, 30, 8, 10, 9])).iter().enumerate() {
            assert_eq!(told(extracted), 0, "{at}");
            assert!(extracted.text.starts_with("text"), "{at}");
        }
    }
}
