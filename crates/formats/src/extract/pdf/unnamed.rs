//! Characters of glyphs of which neither a `ToUnicode` map nor a name tells any.
//!
//! - CID fonts of the collections of Adobe (ISO 32000, 9.7.3): the file holds numbers of characters, and the maps
//!   `Adobe-GB1-UCS2` and the like say which these are. XeTeX writes Chinese so with fonts such as Fandol.
//! - Bitmap fonts of TeX (Type 3), whose glyphs are called by their codes (`/a97`): these are those of TeX's text fonts.

// What changes in the key is a cache of its font, which neither hash nor equality reads.
#![allow(clippy::mutable_key_type)]

use std::collections::HashMap;
use std::sync::LazyLock;

use ahash::AHashMap;
use hayro_interpret::font::{Glyph, GlyphIdentifier, OutlineGlyph};
use hayro_interpret::hayro_cmap::{BfString, CMap, CMapName, CidFamily, load_embedded};
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as Text};

use crate::extract::table::by_name;

/// Codes of one to four bytes select a character; most often of two.
const CODE_BYTES: [u8; 4] = [2, 1, 3, 4];

/// The fonts of a file whose glyphs have characters all the same.
pub(super) struct Unnamed<'a> {
    pdf: &'a Pdf,
    fonts: Option<Fonts>,
    /// Glyphs that were looked up already.
    known: HashMap<GlyphIdentifier, String>,
}

#[derive(Default)]
struct Fonts {
    /// By the names of the fonts: from codes to numbers of characters, and from these to characters.
    collections: HashMap<String, (CMap, CMap)>,
    /// Whether there is a font whose glyphs are called by their codes.
    by_code: bool,
}

impl<'a> Unnamed<'a> {
    pub(super) fn new(pdf: &'a Pdf) -> Self {
        Unnamed { pdf, fonts: None, known: HashMap::new() }
    }

    /// The characters of a glyph; empty if nothing tells.
    pub(super) fn characters(&mut self, glyph: &Glyph<'_>) -> String {
        let fonts = self.fonts.get_or_insert_with(|| Fonts::of(self.pdf));
        match glyph {
            Glyph::Type3(glyph) if fonts.by_code => of_tex(glyph.char_code()),
            Glyph::Outline(glyph) if !fonts.collections.is_empty() => {
                self.known.entry(glyph.identifier()).or_insert_with(|| fonts.of_collection(glyph)).clone()
            }
            _ => String::new(),
        }
    }
}

impl Fonts {
    fn of(pdf: &Pdf) -> Self {
        let mut fonts = Fonts::default();
        for font in pdf.objects().into_iter().filter_map(Object::into_dict) {
            match font.get::<Name<'_>>(b"Subtype") {
                Some(kind) if kind.as_ref() == b"Type0" => fonts.collections.extend(collection(&font)),
                Some(kind) if kind.as_ref() == b"Type3" => fonts.by_code |= is_called_by_code(&font),
                _ => {}
            }
        }
        fonts
    }

    fn of_collection(&self, glyph: &OutlineGlyph) -> String {
        let name = glyph.font_data().and_then(|data| data.postscript_name);
        let Some((codes, characters)) = name.and_then(|name| self.collections.get(&name)) else { return String::new() };
        let number = CODE_BYTES.iter().find_map(|bytes| codes.lookup_cid_code(glyph.char_code(), *bytes));
        match number.and_then(|number| characters.lookup_bf_string(number)) {
            Some(BfString::Char(c)) => c.to_string(),
            Some(BfString::String(text)) => text,
            None => String::new(),
        }
    }
}

/// The name of a font, and the maps of its codes and of its collection.
fn collection(font: &Dict<'_>) -> Option<(String, (CMap, CMap))> {
    let name = font.get::<Name<'_>>(b"BaseFont")?;
    // What stands before the name of a subset is no part of it.
    let name = name.as_str().split_once('+').filter(|(tag, _)| tag.len() == 6).map_or(name.as_str(), |(_, name)| name);
    let described = font.get::<Array<'_>>(b"DescendantFonts")?.iter::<Dict<'_>>().next()?;
    let system = described.get::<Dict<'_>>(b"CIDSystemInfo")?;
    let (registry, ordering) = (system.get::<Text<'_>>(b"Registry")?, system.get::<Text<'_>>(b"Ordering")?);
    let family = CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes());
    let characters = embedded(family.ucs2_cmap()?)?;
    let codes = match font.get::<Stream<'_>>(b"Encoding") {
        Some(stream) => CMap::parse(&stream.decoded_data().ok()?, load_embedded)?,
        None => match font.get::<Name<'_>>(b"Encoding")?.as_ref() {
            b"Identity-H" | b"Identity-V" => CMap::identity_h(),
            name => embedded(CMapName::from_bytes(name))?,
        },
    };
    Some((name.to_owned(), (codes, characters)))
}

fn embedded(name: CMapName<'_>) -> Option<CMap> {
    CMap::parse(load_embedded(name)?, load_embedded)
}

/// Whether all glyphs that a font names are called by a letter and their codes.
fn is_called_by_code(font: &Dict<'_>) -> bool {
    let differences = font.get::<Dict<'_>>(b"Encoding").and_then(|encoding| encoding.get::<Array<'_>>(b"Differences"));
    let (mut code, mut named) = (0, 0);
    for entry in differences.iter().flat_map(|differences| differences.iter::<Object<'_>>()) {
        match entry {
            Object::Number(number) => code = number.as_i64(),
            Object::Name(name) => {
                let is_code = name.as_str().get(1..).is_some_and(|digits| digits.parse() == Ok(code));
                if !is_code && name.as_ref() != b".notdef" {
                    return false;
                }
                named += usize::from(is_code);
                code += 1;
            }
            _ => return false,
        }
    }
    named > 0
}

/// What glyphs of TeX's text fonts show whose codes are not those of their characters.
static TEX_FONT: LazyLock<AHashMap<String, String>> = LazyLock::new(|| by_name(include_str!("tex_font.json")));

/// The character of a code in TeX's text fonts. Where the older encoding (OT1) and the newer (T1) differ, the one that prose
/// has more often.
fn of_tex(code: u32) -> String {
    const FROM_80: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£";
    if let Some(text) = TEX_FONT.get(&code.to_string()) {
        return text.clone();
    }
    match code {
        0x80..=0xBF => FROM_80.chars().nth(code as usize - 0x80).map(String::from).unwrap_or_default(),
        0x21..=0x7E | 0xC0..=0xFE => char::from_u32(code).map(String::from).unwrap_or_default(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_collection_of_adobe_are_characters() {
        let file = "%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n\
                    3 0 obj\n<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Song/Encoding/Identity-H/DescendantFonts[4 0 R]>>\nendobj\n\
                    4 0 obj\n<</Type/Font/Subtype/CIDFontType0/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 0>>>>\nendobj\n\
                    trailer <</Root 1 0 R>>\n%%EOF\n";
        let pdf = Pdf::new(file.as_bytes().to_vec()).unwrap();
        let fonts = Fonts::of(&pdf);
        let (codes, characters) = &fonts.collections["Song"];
        let number = embedded(CMapName::UniGbUtf16H).unwrap().lookup_cid_code('潮' as u32, 2).unwrap();
        assert_eq!(codes.lookup_cid_code(number, 2), Some(number));
        assert_eq!(characters.lookup_bf_string(number), Some(BfString::Char('潮')));
        assert!(!fonts.by_code);
    }
}
