//! Pictures that stand beside a text, in files of their own or in streams: whether they show prose, which is then not compared.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::bmp::BmpDecoder;
use image::{DynamicImage, ImageDecoder, ImageReader};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::builder::TextBuilder;
use super::bytes::u16_at;
use super::drawing::Drawing;
use super::lettering::{Light, letters_of_prose};
use super::package::Package;

/// Pixels of all pictures of a document that are looked at: a hundred pages at 150 dots an inch have as many, and twenty photographs.
const MOST_PIXELS: u64 = 240_000_000;

/// Pixels of one picture, which has up to eight bytes for each in memory: a page of A3 at 600 dots an inch has as many.
const MOST_OF_ONE: u64 = 70_000_000;

/// Pictures of fewer pixels have no room for three lines.
const LEAST_PIXELS: u64 = 8_000;

/// The most bytes to which a packed drawing is unpacked.
const MOST_BYTES: u64 = 64 << 20;

/// How gzip files begin, and a header of a bitmap that stands in a drawing, by its length.
const GZIP: &[u8] = &[0x1F, 0x8B];
const BITMAP: &[u8] = &[40, 0, 0, 0];

/// How many signs of a picture in Base64 tell its kind.
const ENCODED_START: usize = 64;

/// How JPEG files begin.
const JPEG: &[u8] = &[0xFF, 0xD8, 0xFF];

/// How pictures of pixels begin inside of other files, and the most places that are tried there.
const STARTS: [&[u8]; 3] = [b"\x89PNG\r\n\x1a\n", JPEG, BITMAP];
const MOST_PLACES: usize = 2_000;

/// The kinds of a drawing's record in files of Word ([MS-ODRAW] 2.2.24 and 2.2.25), and how long its header is: with the kind, the lengths
/// and the name, of which it may have two. Its last two bytes say that the drawing is packed.
const DRAWINGS: [&[u8]; 2] = [&[0x1A, 0xF0], &[0x1B, 0xF0]];
const DRAWING_HEADERS: [usize; 2] = [6 + 16 + 34, 6 + 32 + 34];
const PACKED: [u8; 2] = [0, 0xFE];

/// Looks at the pictures of one document.
#[derive(Debug)]
pub(super) struct Pictures {
    /// Pixels that may still be looked at.
    left: u64,
}

impl Default for Pictures {
    fn default() -> Self {
        Pictures { left: MOST_PIXELS }
    }
}

impl Pictures {
    /// The letters of prose that a picture shows, of pixels or drawn; 0 of what is none.
    pub(super) fn letters(&mut self, bytes: &[u8]) -> u32 {
        self.shown(bytes).unwrap_or(0)
    }

    /// The same of a picture that shows something; `None` of one that is small, blank, damaged or not looked at.
    pub(super) fn shown(&mut self, bytes: &[u8]) -> Option<u32> {
        let unpacked = bytes.starts_with(GZIP).then(|| self.all_of(flate2::read::GzDecoder::new(bytes)));
        let bytes = unpacked.as_deref().unwrap_or(bytes);
        match Drawing::of(bytes) {
            Some(drawing) => Some(drawing.letters_of_prose(bytes) + self.letters_inside(bytes)),
            None => self.of_pixels(bytes),
        }
    }

    /// The letters that pictures in a stream of a `.doc` file show.
    pub(super) fn letters_of_stream(&mut self, bytes: &[u8]) -> u32 {
        let mut letters = self.letters_inside(bytes);
        let kinds = DRAWINGS.iter().flat_map(|kind| memchr::memmem::find_iter(bytes, kind));
        for at in kinds.take(MOST_PLACES) {
            let ends = DRAWING_HEADERS.map(|header| at + header);
            let is_end = |end: &&usize| bytes.get(*end - 2..**end) == Some(&PACKED);
            if let Some(end) = ends.iter().find(is_end) {
                let drawing = self.all_of(flate2::read::ZlibDecoder::new(&bytes[*end..]));
                letters += self.letters(&drawing);
            }
        }
        letters
    }

    /// The content of something packed, as far as it can be unpacked and is not too much.
    fn all_of(&mut self, unpacking: impl Read) -> Vec<u8> {
        let mut bytes = Vec::new();
        let _ = unpacking.take(self.left.min(MOST_BYTES)).read_to_end(&mut bytes);
        self.left -= bytes.len() as u64;
        bytes
    }

    /// The same of pictures of pixels that stand in other files as they are.
    fn letters_inside(&mut self, bytes: &[u8]) -> u32 {
        let places = STARTS.iter().flat_map(|start| memchr::memmem::find_iter(bytes, start));
        places.take(MOST_PLACES).filter_map(|at| self.of_pixels(&bytes[at..])).sum()
    }

    fn of_pixels(&mut self, bytes: &[u8]) -> Option<u32> {
        let light = self.light_of(bytes)?;
        (!light.is_blank()).then(|| letters_of_prose(light.spots()))
    }

    fn light_of(&mut self, bytes: &[u8]) -> Option<Light> {
        if bytes.starts_with(JPEG) {
            return self.light_of_jpeg(bytes);
        }
        let file = Cursor::new(bytes);
        if !bytes.starts_with(BITMAP) {
            return self.lightness(ImageReader::new(file).with_guessed_format().ok()?.into_decoder().ok()?);
        }
        // Every bitmap has one plane.
        let is_bitmap = u16_at(bytes, 12) == Some(1);
        self.lightness(BmpDecoder::new_without_file_header(file).ok().filter(|_| is_bitmap)?)
    }

    /// Of photographs the lightness alone is decoded, which takes half as long.
    fn light_of_jpeg(&mut self, bytes: &[u8]) -> Option<Light> {
        let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::Luma);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
        decoder.decode_headers().ok()?;
        let (across, down) = decoder.dimensions()?;
        self.count(across as u64, down as u64)?;
        let pixels = decoder.decode().ok()?;
        Some(Light::of(across, &pixels, 1, Light::step(pixels.len()), |pixel| pixel[0]))
    }

    fn lightness(&mut self, decoder: impl ImageDecoder) -> Option<Light> {
        let (across, down) = decoder.dimensions();
        self.count(across.into(), down.into())?;
        let picture = DynamicImage::from_decoder(decoder).ok()?;
        let has_bytes = picture.color().bytes_per_pixel() == picture.color().channel_count();
        let picture = if has_bytes { picture } else { picture.into_luma_alpha8().into() };
        let (samples, has_alpha) = (usize::from(picture.color().channel_count()), picture.color().has_alpha());
        // What is transparent is white, as paper is.
        let light = |pixel: &[u8]| {
            let (colour, alpha) = pixel.split_at(pixel.len() - usize::from(has_alpha));
            let light = colour.iter().map(|part| u32::from(*part)).sum::<u32>() / colour.len().max(1) as u32;
            let alpha = alpha.first().map_or(255, |alpha| u32::from(*alpha));
            ((light * alpha + 255 * (255 - alpha)) / 255) as u8
        };
        let step = Light::step(picture.as_bytes().len() / samples);
        Some(Light::of(across as usize, picture.as_bytes(), samples, step, light))
    }

    /// Counts the pixels of a picture that is to be decoded, well or not; `None` if it is too small, or too large for what is left.
    fn count(&mut self, across: u64, down: u64) -> Option<()> {
        let most = self.left.min(MOST_OF_ONE);
        let pixels = across.checked_mul(down).filter(|pixels| (LEAST_PIXELS..=most).contains(pixels))?;
        self.left -= pixels;
        Some(())
    }
}

/// The letters of prose that the pictures of a package show, by the names of their parts; without those that show nothing.
pub(super) fn of_package(package: &mut Package<'_>) -> BTreeMap<String, u32> {
    let mut names = Vec::new();
    for name in package.unread() {
        // A small picture of the first page; and what is XML by its name is read for its text.
        let is_other = name.to_ascii_lowercase().contains("thumbnail") || name.ends_with(".xml");
        let start = if is_other { None } else { package.start(&name) };
        names.extend(start.filter(|(start, _)| may_be_picture(start)).map(|(_, length)| (length, name)));
    }
    // Photographs, which are large, do not use up what may be looked at.
    names.sort_unstable();
    let mut pictures = Pictures::default();
    let mut found = BTreeMap::new();
    for (_, name) in names {
        let Ok(Some(bytes)) = package.part(&name) else { continue };
        found.extend(pictures.shown(&bytes).map(|letters| (name, letters)));
    }
    found
}

/// Tells of the pictures of a package that no drawing has shown: something else that the reader does not know may show them, as grounds,
/// bullets and fills do.
pub(super) fn elsewhere(pictures: &BTreeMap<String, u32>, shown: &BTreeSet<String>, builder: &mut TextBuilder) {
    pictures
        .iter()
        .filter(|(name, _)| !shown.contains(*name))
        .for_each(|(_, letters)| builder.picture_of(Some(letters)));
}

/// The letters that a picture in the form of a text shows; `None` of another text.
pub(super) fn of_base64(text: &str) -> Option<u32> {
    let signs = text.trim_start().get(..ENCODED_START)?;
    STANDARD.decode(signs).ok().filter(|start| may_be_picture(start))?;
    let encoded: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    Some(Pictures::default().letters(&STANDARD.decode(encoded).ok()?))
}

/// Whether a file that begins so is a picture, whatever it is called.
fn may_be_picture(start: &[u8]) -> bool {
    [GZIP, BITMAP].iter().any(|known| start.starts_with(known))
        || Drawing::of(start).is_some()
        || image::guess_format(start).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::lettering::tests::lines;
    use super::super::office_tests::{compound, package};
    use super::super::unseen_tests::doc;
    use super::super::{Extracted, Format};
    use super::*;
    use crate::limits::ReadLimits;
    use copytrace_text::layout::{LeftOut, MarkKind};
    use image::ImageFormat;
    use std::io::Write as _;

    const PROSE: [usize; 6] = [70; 6];
    const CHART: [usize; 6] = [9, 12, 30, 8, 10, 9];

    /// A file of pixels.
    fn pixels(rows: &[usize], format: ImageFormat) -> Vec<u8> {
        let light = lines(rows, 255, 0);
        let (across, down) = (light.across as u32, (light.pixels.len() / light.across) as u32);
        let picture = DynamicImage::from(image::GrayImage::from_raw(across, down, light.pixels).unwrap());
        let mut file = Cursor::new(Vec::new());
        DynamicImage::from(picture.into_rgb8()).write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    /// What the rows of a drawing say.
    fn strings(rows: &[usize]) -> impl Iterator<Item = (usize, String)> {
        rows.iter().map(|letters| "the tide leaves silt ".chars().cycle().take(*letters).collect()).enumerate()
    }

    fn record(kind: u32, content: &[u8]) -> Vec<u8> {
        [&kind.to_le_bytes()[..], &(content.len() as u32 + 8).to_le_bytes(), content].concat()
    }

    fn long(numbers: &[u32]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn wide(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn emf_of(records: &[Vec<u8>]) -> Vec<u8> {
        let header = [long(&[0; 8]), b" EMF".to_vec(), long(&[0; 16])].concat();
        [record(1, &header), records.concat(), record(14, &[0; 12])].concat()
    }

    /// Strings as GDI draws them, each of two pieces, or as small strings.
    fn emf(rows: &[usize], is_small: bool) -> Vec<u8> {
        let piece = |y: usize, text: &str| {
            let (y, count) = (20 * y as u32, text.chars().count() as u32);
            if is_small {
                return record(108, &[long(&[7, y, count, 0x300, 1, 0, 0]), text.as_bytes().to_vec()].concat());
            }
            let head = [long(&[0; 7]), long(&[0, y, count, 76, 0]), long(&[0; 5])].concat();
            record(84, &[head, wide(text)].concat())
        };
        let halves = |(y, text): (usize, String)| {
            let (one, other) = text.split_at(text.len() / 2);
            [piece(y, one), piece(y, other)].concat()
        };
        emf_of(&strings(rows).map(halves).collect::<Vec<_>>())
    }

    /// A paragraph as GDI+ draws it, and letters of which each has its place.
    fn emf_plus(rows: &[usize]) -> Vec<u8> {
        let piece = |(y, text): (usize, String)| {
            let count = text.chars().count();
            let places: Vec<f32> = (0..count).flat_map(|x| [x as f32, 20.0 * y as f32]).collect();
            let places = places.iter().flat_map(|place| place.to_le_bytes()).collect();
            let glyphs = [wide(&text), vec![0; count % 2 * 2]].concat();
            let data = [long(&[0, 1, 0, count as u32]), glyphs, places].concat();
            let size = data.len() as u32;
            let plus = [vec![0x36, 0x40, 0, 0], long(&[size + 12, size]), data].concat();
            record(70, &[long(&[plus.len() as u32 + 4]), b"EMF+".to_vec(), plus].concat())
        };
        emf_of(&strings(rows).map(piece).collect::<Vec<_>>())
    }

    fn wmf(rows: &[usize]) -> Vec<u8> {
        let short = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let mut file = short(&[1, 9, 0x300, 0, 0, 0, 0, 0, 0]);
        for (y, text) in strings(rows) {
            let count = text.len().next_multiple_of(2);
            file.extend(long(&[(14 + count) as u32 / 2]));
            file.extend(short(&[0x0A32, 20 * y as u16, 0, text.len() as u16, 0]));
            file.extend(text.bytes().chain([0; 1]).take(count));
        }
        file
    }

    fn svg(rows: &[usize]) -> Vec<u8> {
        let text: String = strings(rows).map(|(y, text)| format!("<text x='0' y='{y}0'>{text}</text>")).collect();
        let style = ".a{fill:red}".repeat(50);
        format!("<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><style>{style}</style>{text}</svg>")
            .into_bytes()
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    /// A picture of these rows in each kind of file.
    fn pictures(rows: &[usize]) -> Vec<(&'static str, Vec<u8>)> {
        let bitmap = pixels(rows, ImageFormat::Bmp)[14..].to_vec();
        vec![
            ("png", pixels(rows, ImageFormat::Png)),
            ("jpg", pixels(rows, ImageFormat::Jpeg)),
            ("bmp", pixels(rows, ImageFormat::Bmp)),
            ("gif", pixels(rows, ImageFormat::Gif)),
            ("tiff", pixels(rows, ImageFormat::Tiff)),
            ("webp", pixels(rows, ImageFormat::WebP)),
            ("dib", bitmap.clone()),
            ("emf", emf(rows, false)),
            ("small strings", emf(rows, true)),
            ("emf+", emf_plus(rows)),
            ("emf with a bitmap", emf_of(&[record(81, &[vec![0; 72], bitmap].concat())])),
            ("emz", gzipped(&emf(rows, false))),
            ("wmf", wmf(rows)),
            ("svg", svg(rows)),
        ]
    }

    /// A package with one more part that is no text.
    fn with_part(parts: &[(&str, &str)], name: &str, bytes: &[u8]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new_append(Cursor::new(package(parts))).unwrap();
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
        archive.finish().unwrap().into_inner()
    }

    fn read(format: Format, bytes: &[u8]) -> Extracted {
        format.extract(bytes, None, &ReadLimits::default()).unwrap()
    }

    /// The letters that pictures of a document show.
    fn told(extracted: &Extracted) -> u32 {
        let count = |kind| if let MarkKind::PictureText(count) = kind { count } else { 0 };
        extracted.layout.marks().iter().map(|mark| count(mark.kind)).sum()
    }

    /// A document of each format with this picture, whose name tells nothing.
    fn documents(picture: &[u8]) -> Vec<Extracted> {
        let relations = "<Relationships><Relationship Id='r7' Type='x/image' Target='media/p.dat'/></Relationships>";
        let docx = "<w:document xmlns:w='w' xmlns:a='a' xmlns:r='r'><w:body><w:p><w:r><w:t>text</w:t></w:r><w:r><w:drawing><a:blip r:embed='r7'/>\
                    </w:drawing></w:r></w:p></w:body></w:document>";
        let odt = "<o:document-content xmlns:o='o' xmlns:t='t' xmlns:d='d' xmlns:x='x'><o:body><o:text><t:p>text<d:frame>\
                   <d:image x:href='Pictures/p.dat'/></d:frame></t:p></o:text></o:body></o:document-content>";
        let encoded = STANDARD.encode(picture);
        let filled = docx.replace("a:blip r:embed", "v:fill r:id");
        let [ground, inside] = [
            odt.replace("<d:image x:href='Pictures/p.dat'/>", "")
                .replace("<t:p>", "<d:fill-image x:href='Pictures/p.dat'/><t:p>"),
            odt.replace(
                " x:href='Pictures/p.dat'/>",
                &format!("><o:binary-data>\n{encoded}</o:binary-data></d:image>"),
            ),
        ];
        let digits: String = picture.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("figures")).unwrap();
        std::fs::write(folder.path().join("figures/p.png"), picture).unwrap();
        let latex =
            "\\graphicspath{{figures/}}\\begin{document}text \\includegraphics[width=1cm]{p} more\\end{document}";
        let latex = Format::Latex.extract(latex.as_bytes(), Some(folder.path()), &ReadLimits::default()).unwrap();
        let parts = [("word/document.xml", docx), ("word/_rels/document.xml.rels", relations)];
        vec![
            read(Format::Docx, &with_part(&parts, "word/media/p.dat", picture)),
            read(Format::Odt, &with_part(&[("content.xml", odt)], "Pictures/p.dat", picture)),
            // Those that something else shows than a drawing.
            read(Format::Docx, &with_part(&[("word/document.xml", &filled), parts[1]], "word/media/p.dat", picture)),
            read(Format::Odt, &with_part(&[("content.xml", &ground)], "Pictures/p.dat", picture)),
            read(Format::Odt, &with_part(&[("content.xml", &inside)], "x.txt", b"")),
            read(Format::Html, format!("<p>text <img src='data:image/png;base64,{encoded}'></p>").as_bytes()),
            read(Format::Rtf, format!("{{\\rtf1 text {{\\pict\\pngblip {digits}}}}}").as_bytes()),
            latex,
        ]
    }

    #[test]
    fn a_picture_of_prose_is_told_in_every_format_and_a_chart_in_none() {
        for (kind, picture) in pictures(&PROSE) {
            for (at, extracted) in documents(&picture).iter().enumerate() {
                assert!((330..480).contains(&told(extracted)), "{kind}, {at}: {:?}", extracted.layout.marks());
            }
        }
        for (kind, picture) in pictures(&CHART) {
            for (at, extracted) in documents(&picture).iter().enumerate() {
                assert_eq!(told(extracted), 0, "{kind}, {at}");
                assert!(extracted.text.starts_with("text"), "{kind}, {at}");
            }
        }
    }

    #[test]
    fn pictures_of_a_word_file_of_before_2007_are_looked_at_as_they_are_and_packed() {
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&emf(&PROSE, false)).unwrap();
        let drawing =
            [&[0x40, 0x3D, 0x1A, 0xF0][..], &[0; 4 + 16 + 32], &[0, 0xFE], &packed.finish().unwrap()].concat();
        for data in [pixels(&PROSE, ImageFormat::Png), pixels(&PROSE, ImageFormat::Jpeg), drawing] {
            let extracted = read(Format::Doc, &doc("text\u{1}\r", &[&[7; 68][..], &data].concat()));
            assert!((330..480).contains(&told(&extracted)), "{:?}", extracted.layout.marks());
        }
        assert_eq!(told(&read(Format::Doc, &doc("text\u{1}\r", &pixels(&CHART, ImageFormat::Png)))), 0);
    }

    #[test]
    fn a_document_in_an_object_of_another_program_is_told() {
        let prose = "the tide leaves silt in the low fields and the farmers wait for spring ".repeat(12);
        let inner =
            format!("<w:document xmlns:w='w'><w:body><w:p><w:r><w:t>{prose}</w:t></w:r></w:p></w:body></w:document>");
        let object = compound(&[("/CONTENTS", &package(&[("word/document.xml", &inner)]))]);
        let outer = "<w:document xmlns:w='w'><w:body><w:p><w:r><w:t>text</w:t></w:r></w:p></w:body></w:document>";
        let extracted =
            read(Format::Docx, &with_part(&[("word/document.xml", outer)], "word/embeddings/oleObject1.bin", &object));
        let unread = |kind: MarkKind| matches!(kind, MarkKind::LeftOut(LeftOut::Unread, count) if count > 600);
        assert!(extracted.layout.marks().iter().any(|mark| unread(mark.kind)), "{:?}", extracted.layout.marks());
    }

    #[test]
    fn drawings_that_are_cut_off_or_changed_anywhere_and_places_that_are_none_do_no_harm() {
        for (kind, picture) in pictures(&PROSE) {
            for end in (0..picture.len().min(3000)).step_by(211) {
                let letters = Pictures::default().letters(&picture[..end]);
                assert!(letters < 480, "{kind}, {end}: {letters}");
                for (byte, bit) in [(end, 0x80), (end / 2, 0xFF)] {
                    let mut changed = picture.clone();
                    changed[byte] ^= bit;
                    Pictures::default().letters(&changed);
                }
            }
        }
        let starts = [STARTS.concat(), DRAWINGS.concat(), vec![0xFE; 80]].concat().repeat(40);
        assert_eq!(Pictures::default().letters_of_stream(&starts), 0);
    }
}
