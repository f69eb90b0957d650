//! The font that is embedded in pages for the printer: one of the system's that has Han characters. Of it a page holds the characters
//! that stand on it.

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use read_fonts::types::{GlyphId, NameId, Tag};
use read_fonts::{FileRef, FontRef, TableProvider};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use subsetter::GlyphRemapper;

/// Where fonts are looked for, if none is named.
const FOLDERS: [&str; 4] = ["/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:\\Windows\\Fonts"];

/// Files of fonts with Latin and Han characters that systems have and that may be embedded, the best first.
const FILES: [&str; 10] = [
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "NotoSansSC-Regular.otf",
    "NotoSansSC-Regular.ttf",
    "SourceHanSansSC-Regular.otf",
    "SourceHanSansCN-Regular.otf",
    "NotoSerifCJK-Regular.ttc",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "DroidSansFallbackFull.ttf",
];

/// What a font of these pages must have: Han characters, simplified ones among them.
const WANTED: [char; 3] = ['\u{8bba}', '\u{6587}', '\u{59d3}'];

/// The bit of OS/2's `fsType` that forbids to embed a font.
const RESTRICTED: u16 = 0x0002;

/// A font, in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FontFile {
    path: PathBuf,
    /// Its place in a collection.
    index: u32,
}

impl FontFile {
    /// The font of a file; of a collection the one for simplified Chinese. None if none has Han characters, or none may be embedded.
    pub fn of(path: &Path) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let count = match FileRef::new(&bytes).ok()? {
            FileRef::Font(_) => 1,
            FileRef::Collection(collection) => collection.len(),
        };
        let fits = |index: &u32| {
            let Ok(font) = FontRef::from_index(&bytes, *index) else { return false };
            let may = font.os2().map_or(0, |os2| os2.fs_type()) & RESTRICTED == 0;
            may && WANTED.iter().all(|c| glyph_of(&font, *c).is_some())
        };
        let fitting: Vec<u32> = (0..count).filter(fits).collect();
        let is_simplified =
            |index: &&u32| FontRef::from_index(&bytes, **index).is_ok_and(|font| name(&font).contains(" SC"));
        let index = fitting.iter().find(is_simplified).or(fitting.first())?;
        Some(FontFile { path: path.to_owned(), index: *index })
    }

    /// The best that the system has.
    pub fn of_system() -> Option<Self> {
        let mut found = BTreeMap::new();
        FOLDERS.iter().for_each(|folder| list(Path::new(folder), &mut found));
        FILES.iter().filter_map(|name| found.get(*name)).find_map(|path| FontFile::of(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The files below a folder by their names; of two of one name the first by its path.
fn list(folder: &Path, found: &mut BTreeMap<String, PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            list(&path, found);
        } else if let Some(name) = path.file_name() {
            found.entry(name.to_string_lossy().into_owned()).or_insert(path);
        }
    }
}

/// The name of a font's family.
fn name(font: &FontRef<'_>) -> String {
    let Ok(names) = font.name() else { return String::new() };
    let family = names.name_record().iter().filter(|record| record.name_id() == NameId::FAMILY_NAME);
    let texts = family.filter_map(|record| Some(record.string(names.string_data()).ok()?.to_string()));
    // Others are in the characters that they are for.
    texts.filter(|name| name.is_ascii()).min().unwrap_or_default()
}

/// The glyph of a character, if a font has one.
fn glyph_of(font: &FontRef<'_>, c: char) -> Option<GlyphId> {
    font.cmap().ok()?.map_codepoint(c).filter(|glyph| glyph.to_u32() != 0)
}

/// How wide a glyph is, in thousandths of the size.
fn width_of(font: &FontRef<'_>, glyph: GlyphId) -> Option<f32> {
    Some(f32::from(font.hmtx().ok()?.advance(glyph)?) * thousandths(font))
}

/// What a unit of a font's plan is in thousandths of the size.
fn thousandths(font: &FontRef<'_>) -> f32 {
    1000.0 / font.head().map_or(1000.0, |head| f32::from(head.units_per_em()))
}

/// A font that pages are set in, with the characters that were.
pub struct Face {
    bytes: Vec<u8>,
    index: u32,
    used: GlyphRemapper,
    /// The characters of the glyphs by their numbers in what is embedded.
    characters: BTreeMap<u16, char>,
}

impl Face {
    /// Reads a font; none if it is not there any more.
    pub fn read(file: &FontFile) -> Option<Self> {
        let bytes = std::fs::read(&file.path).ok()?;
        FontRef::from_index(&bytes, file.index).ok()?;
        Some(Face { bytes, index: file.index, used: GlyphRemapper::new(), characters: BTreeMap::new() })
    }

    fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, self.index).ok()
    }

    /// Whether it has a character, and how wide that is in thousandths of the size.
    pub fn width_of(&self, c: char) -> Option<f32> {
        let font = self.font()?;
        width_of(&font, glyph_of(&font, c)?)
    }

    /// The code by which a character is shown, which is from now on embedded; none if it has none.
    pub fn code_of(&mut self, c: char) -> Option<u16> {
        let glyph = u16::try_from(glyph_of(&self.font()?, c)?.to_u32()).ok()?;
        let code = self.used.remap(glyph);
        self.characters.entry(code).or_insert(c);
        Some(code)
    }

    /// Writes the font with what was used of it, as [`OBJECTS`] objects from the number `first` on; nothing if it cannot be cut down.
    pub fn embed(&self, pdf: &mut Pdf, first: i32) -> Option<()> {
        let [outer, inner, descriptor, file, unicode] = std::array::from_fn(|n| Ref::new(first + n as i32));
        let font = self.font()?;
        let subset = subsetter::subset(&self.bytes, self.index, &self.used).ok()?;
        let cff = FontRef::new(&subset).ok()?.table_data(Tag::new(b"CFF ")).map(|table| table.as_bytes().to_vec());
        // A subset is told from others of its font by six letters.
        let digest = Sha256::digest(&subset);
        let letters: String = digest[..6].iter().map(|byte| char::from(b'A' + byte % 26)).collect();
        let name: String = name(&font).chars().filter(char::is_ascii_alphanumeric).collect();
        let name = format!("{letters}+{name}");
        let identity = || SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

        let whole = if cff.is_some() { format!("{name}-Identity-H") } else { name.clone() };
        pdf.type0_font(outer)
            .base_font(Name(whole.as_bytes()))
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(inner)
            .to_unicode(unicode);
        let mut cid = pdf.cid_font(inner);
        cid.subtype(if cff.is_some() { CidFontType::Type0 } else { CidFontType::Type2 });
        cid.base_font(Name(name.as_bytes())).system_info(identity()).font_descriptor(descriptor).default_width(0.0);
        if cff.is_none() {
            cid.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        let widths = self.used.remapped_gids().map(|glyph| width_of(&font, GlyphId::from(glyph)).unwrap_or(0.0));
        cid.widths().consecutive(0, widths);
        cid.finish();

        let (head, unit) = (font.head().ok()?, thousandths(&font));
        let of = |value: i16| f32::from(value) * unit;
        let (ascent, descent) =
            font.hhea().map_or((880.0, -120.0), |hhea| (of(hhea.ascender().to_i16()), of(hhea.descender().to_i16())));
        let mut described = pdf.font_descriptor(descriptor);
        described
            .name(Name(name.as_bytes()))
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(of(head.x_min()), of(head.y_min()), of(head.x_max()), of(head.y_max())))
            .italic_angle(0.0)
            .ascent(ascent)
            .descent(descent)
            .cap_height(ascent)
            .stem_v(80.0);
        match &cff {
            Some(_) => described.font_file3(file),
            None => described.font_file2(file),
        };
        described.finish();
        let bytes = cff.as_deref().unwrap_or(&subset);
        let packed = packed(bytes);
        let mut stream = pdf.stream(file, &packed);
        stream.filter(Filter::FlateDecode);
        match &cff {
            Some(_) => stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C")),
            None => stream.pair(Name(b"Length1"), bytes.len() as i32),
        };
        stream.finish();
        let mut map = UnicodeCmap::new(Name(b"Custom"), identity());
        self.characters.iter().for_each(|(code, c)| map.pair(*code, *c));
        pdf.stream(unicode, &map.finish());
        Some(())
    }
}

/// How many objects an embedded font has.
pub const OBJECTS: i32 = 5;

/// Bytes as files hold them, with the filter `FlateDecode`.
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    // Memory takes all that is written to it.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}
