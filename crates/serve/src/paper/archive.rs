//! What makes a file whose fonts are all embedded one for archives, by the rules of PDF/A-2b (ISO 19005-2): metadata that say so, what
//! its colours mean, and an id. Nothing else that the rules forbid is ever written: no transparency, no script, no link, no encryption.

use pdf_writer::types::OutputIntentSubtype;
use pdf_writer::{Finish, Pdf, Ref, TextStr};
use sha2::{Digest, Sha256};
use xmp_writer::XmpWriter;

/// How many objects it takes.
pub const OBJECTS: i32 = 2;

/// Bytes of a file's id.
const ID: usize = 16;

/// What the colours are by: that of the usual screen. From Compact ICC Profiles, which are in the public domain (CC0).
const COLOURS: &str = "sRGB IEC61966-2.1";
const PROFILE: &[u8] = include_bytes!("srgb.icc");

/// Writes the catalog of a file whose metadata and profile are the objects from the number `first` on, and these objects.
pub fn write(pdf: &mut Pdf, [catalog, tree]: [Ref; 2], language: &str, title: &str, first: i32) {
    let [metadata, profile] = [first, first + 1].map(Ref::new);
    let mut written = pdf.catalog(catalog);
    written.pages(tree).lang(TextStr(language)).metadata(metadata);
    let mut intents = written.output_intents();
    let mut intent = intents.push();
    intent.subtype(OutputIntentSubtype::PDFA).output_condition_identifier(TextStr(COLOURS)).info(TextStr(COLOURS));
    intent.dest_output_profile(profile);
    intent.finish();
    intents.finish();
    written.finish();
    // XML has no control characters.
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    let mut described = XmpWriter::new();
    described.pdfa_part(2).pdfa_conformance("B").title([(None, title.as_str())]).creator_tool(super::CREATOR);
    // It is not packed: readers of archives look for it as it stands.
    pdf.metadata(metadata, described.finish(None).as_bytes());
    pdf.icc_profile(profile, PROFILE).n(3);
}

/// Gives the file an id: the same for the same bytes so far.
pub fn identify(pdf: &mut Pdf) {
    let id = Sha256::digest(pdf.as_bytes())[..ID].to_vec();
    pdf.set_file_id((id.clone(), id));
}

#[cfg(test)]
mod tests {
    use crate::paper::face::FontFile;
    use crate::paper::picture::{Picture, tests as tests_of_pictures};
    use crate::paper::{Column, Paper};
    use read_fonts::{FontRef, TableProvider};
    use std::io::Read;
    use std::path::Path;

    /// A file of two pages in a font of boxes, whose title must be escaped.
    fn written() -> Vec<u8> {
        let boxes = FontFile::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/paper/boxes.ttf")).unwrap();
        let mut paper = Paper::new("Results <结果> &\u{1}", "zh-CN", false, Some(&boxes));
        paper.picture(&Picture::read(&tests_of_pictures::png()).unwrap());
        paper.heading("A heading");
        paper.small("Zhang");
        let column = Column { title: "姓名", share: 1.0, right: true };
        paper.table(&[column], (0..100).map(|n| vec![format!("张三 {n}")]));
        paper.finish()
    }

    fn text(pdf: &[u8]) -> String {
        pdf.iter().map(|byte| char::from(*byte)).collect()
    }

    /// The objects of a file by their dictionaries, and what their streams hold.
    fn objects(pdf: &[u8]) -> Vec<(String, Vec<u8>)> {
        let text = text(pdf);
        let mut found = Vec::new();
        for (at, _) in text.match_indices(" 0 obj\n") {
            let body = &text[at + 7..];
            let end = body.find("\nendobj").unwrap();
            let (dictionary, stream) = body[..end].split_once("\nstream\n").unwrap_or((&body[..end], ""));
            let stream = stream.strip_suffix("\nendstream").unwrap_or_default();
            found.push((dictionary.to_owned(), stream.chars().map(|c| c as u8).collect()));
        }
        found
    }

    fn with<'a>(objects: &'a [(String, Vec<u8>)], key: &str) -> &'a (String, Vec<u8>) {
        let mut having = objects.iter().filter(|(dictionary, _)| dictionary.contains(key));
        let only = having.next().unwrap_or_else(|| panic!("{key}: {objects:?}"));
        assert!(having.next().is_none(), "two with {key}");
        only
    }

    #[test]
    fn a_file_in_an_embedded_font_keeps_the_rules_of_pdf_a_2b() {
        let pdf = written();
        let (whole, objects) = (text(&pdf), objects(&pdf));
        assert!(objects.len() > 12, "{}", objects.len());
        // 6.1.2, 6.1.3: a header, a comment of bytes above 127, an id; nothing after the end.
        assert!(whole.starts_with("%PDF-1.7\n%") && pdf[10..14].iter().all(|byte| *byte > 127), "{:?}", &pdf[..20]);
        let trailer = &whole[whole.rfind("trailer").unwrap()..];
        assert!(trailer.contains("/ID [") && whole.trim_end().ends_with("%%EOF"), "{trailer}");
        // What no file for archives has, by the clause that forbids it; streams hold none of these names by chance.
        let forbidden = [
            ("6.1.3", "/Encrypt"),
            ("6.1.7.1", "/FFilter"),
            ("6.1.7.2", "/LZWDecode"),
            ("6.1.7.2", "/Crypt"),
            ("6.2.5", "/TR"),
            ("6.2.8", "/Alternates"),
            ("6.2.8", "/OPI"),
            ("6.2.8", "/Interpolate"),
            ("6.2.10", "/SMask"),
            ("6.2.10", "/ExtGState"),
            ("6.2.10", "/Transparency"),
            ("6.3", "/Annots"),
            ("6.4", "/AcroForm"),
            ("6.5", "/JavaScript"),
            ("6.5", "/OpenAction"),
            ("6.5", "/AA"),
            ("6.8", "/EmbeddedFiles"),
            ("6.9", "/OCProperties"),
        ];
        for (clause, name) in forbidden {
            assert!(objects.iter().all(|(dictionary, _)| !dictionary.contains(name)), "{clause}: {name}");
            assert!(!trailer.contains(name), "{clause}: {name}");
        }
        // 6.1.7.1: each stream is as long as it says.
        for (dictionary, stream) in objects.iter().filter(|(_, stream)| !stream.is_empty()) {
            assert!(dictionary.contains(&format!("/Length {}", stream.len())), "{dictionary}: {}", stream.len());
        }
        // 6.2.3: the intent says which colours are meant, by a profile of a screen that version 4 of its format knows.
        let (intent, _) = with(&objects, "/OutputIntents");
        assert!(intent.contains("/S /GTS_PDFA1") && intent.contains("/DestOutputProfile"), "{intent}");
        let (_, profile) = with(&objects, "/N 3");
        assert_eq!(profile.len(), u32::from_be_bytes(profile[..4].try_into().unwrap()) as usize);
        assert_eq!((profile[8], &profile[12..24], &profile[36..40]), (4, &b"mntrRGB XYZ "[..], &b"acsp"[..]));
        // 6.2.4.3: the colours are greys, which every intent tells of.
        for (_, page) in objects.iter().filter(|(_, stream)| stream.starts_with(b"BT")) {
            let page = text(page);
            let colours = ["rg", "RG", "k", "K", "cs", "CS", "sc", "scn", "sh", "gs"];
            assert!(page.lines().all(|line| !colours.contains(&line.rsplit(' ').next().unwrap())), "{page}");
        }
        // 6.2.8: a picture has the colours of the intent.
        let (picture, _) = with(&objects, "/Subtype /Image");
        assert!(picture.contains("/ColorSpace /DeviceRGB") && whole.contains("/XObject"), "{picture}");
        // 6.6.2: the metadata are readable as they stand and say what the file is.
        let (dictionary, told) = with(&objects, "/Subtype /XML");
        let told = std::str::from_utf8(told).unwrap();
        assert!(dictionary.contains("/Type /Metadata") && !dictionary.contains("/Filter"), "{dictionary}");
        for expected in
            ["<pdfaid:part>2<", "<pdfaid:conformance>B<", "Results &lt;结果&gt; &amp;<", "<xmp:CreatorTool>copytrace<"]
        {
            assert!(told.contains(expected), "{expected}: {told}");
        }
        assert!(!told.contains(char::is_control), "{told:?}");
        assert_eq!(written(), pdf, "the same again");
    }

    #[test]
    fn each_font_is_embedded_with_the_widths_that_it_has() {
        let objects = objects(&written());
        // 6.2.11.4: no font is without its program, and 6.2.11.3: its codes are those of its glyphs.
        let (outer, _) = with(&objects, "/Subtype /Type0");
        assert!(outer.contains("/Encoding /Identity-H") && outer.contains("/ToUnicode"), "{outer}");
        let (inner, _) = with(&objects, "/Subtype /CIDFontType2");
        assert!(inner.contains("/CIDToGIDMap /Identity"), "{inner}");
        let (descriptor, _) = with(&objects, "/Type /FontDescriptor");
        assert!(descriptor.contains("/FontFile2"), "{descriptor}");
        // 6.2.11.5: what is said of widths is what the program says, to a thousandth.
        let (_, packed) = with(&objects, "/Length1");
        let mut program = Vec::new();
        flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut program).unwrap();
        let font = FontRef::new(&program).unwrap();
        let (hmtx, unit) = (font.hmtx().unwrap(), 1000.0 / f32::from(font.head().unwrap().units_per_em()));
        let widths = inner.split("/W [0 [").nth(1).unwrap().split(']').next().unwrap();
        let widths: Vec<f32> = widths.split_whitespace().map(|width| width.parse().unwrap()).collect();
        assert_eq!(widths.len(), usize::from(font.maxp().unwrap().num_glyphs()));
        for (glyph, width) in (0u16..).zip(widths) {
            let has = f32::from(hmtx.advance(glyph.into()).unwrap()) * unit;
            assert!((has - width).abs() <= 1.0, "{glyph}: {has}, {width}");
        }
    }
}
