//! Characters of glyphs of which neither a `ToUnicode` map nor a name tells any.
//!
//! - CID fonts of the collections of Adobe (ISO 32000, 9.7.3): the file holds numbers of characters, and the maps
//!   `Adobe-GB1-UCS2` and the like say which these are. XeTeX writes Chinese so with fonts such as Fandol.
//! - Bitmap fonts of TeX (Type 3), whose glyphs are called by their codes (`/a97`): these are those of TeX's text fonts.
//! - Ligatures with names of their letters (`/t_t`, as in the list of names of Adobe), for which macOS writes maps to U+FFFD.

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
    /// Letters of ligatures by their codes and widths, by which they are known where no name of a font is; empty where two differ.
    ligatures: HashMap<(u32, i64), String>,
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
            Glyph::Outline(glyph) if !(fonts.collections.is_empty() && fonts.ligatures.is_empty()) => {
                let look_up = || Some(fonts.of_collection(glyph)).filter(|text| !text.is_empty());
                let found = || look_up().or_else(|| fonts.of_ligature(glyph)).unwrap_or_default();
                self.known.entry(glyph.identifier()).or_insert_with(found).clone()
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
                Some(_) => {
                    for (key, letters) in ligatures(&font) {
                        let known = fonts.ligatures.entry(key).or_insert_with(|| letters.clone());
                        if *known != letters {
                            known.clear();
                        }
                    }
                }
                None => {}
            }
        }
        fonts
    }

    fn of_ligature(&self, glyph: &OutlineGlyph) -> Option<String> {
        let width = glyph.advance_width()?;
        self.ligatures.get(&(glyph.char_code(), width.round() as i64)).cloned()
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

/// The names that a font gives its glyphs, with their codes; none if the list is no such list.
fn named(font: &Dict<'_>) -> Option<Vec<(i64, String)>> {
    let differences = font.get::<Dict<'_>>(b"Encoding")?.get::<Array<'_>>(b"Differences")?;
    let (mut code, mut named) = (0, Vec::new());
    for entry in differences.iter::<Object<'_>>() {
        match entry {
            Object::Number(number) => code = number.as_i64(),
            Object::Name(name) => {
                named.push((code, name.as_str().to_owned()));
                code += 1;
            }
            _ => return None,
        }
    }
    Some(named)
}

/// Whether a character is one of those of the font Zapf Dingbats.
pub(super) fn is_ornament(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{21ff}' | '\u{2460}'..='\u{2473}' | '\u{25a0}'..='\u{25ff}' | '\u{2660}'..='\u{2667}'
        | '\u{2701}'..='\u{27be}')
}

/// Whether all glyphs that a font names are called by a letter and their codes.
fn is_called_by_code(font: &Dict<'_>) -> bool {
    let mut named = named(font).unwrap_or_default();
    named.retain(|(_, name)| name != ".notdef");
    let is_code = |(code, name): &(i64, String)| name.get(1..).is_some_and(|digits| digits.parse() == Ok(*code));
    !named.is_empty() && named.iter().all(is_code)
}

/// The letters of the ligatures that a font names, by code and width.
fn ligatures(font: &Dict<'_>) -> Vec<((u32, i64), String)> {
    let Some(named) = named(font) else { return Vec::new() };
    let first = font.get::<i64>(b"FirstChar").unwrap_or_default();
    let widths: Vec<f64> = font.get::<Array<'_>>(b"Widths").iter().flat_map(|widths| widths.iter::<f64>()).collect();
    let letters = |name: &str| {
        let parts: Vec<&str> = name.split('_').collect();
        let is_letter = |part: &&str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        (parts.len() > 1 && parts.iter().all(is_letter)).then(|| parts.concat())
    };
    let of_name = |(code, name): (i64, String)| {
        let width = widths.get(usize::try_from(code - first).ok()?)?;
        Some(((u32::try_from(code).ok()?, width.round() as i64), letters(&name)?))
    };
    named.into_iter().filter_map(of_name).collect()
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

    #[test]
    fn ligatures_are_known_by_the_names_of_their_letters_unless_two_fonts_differ() {
        let font = |number: u32, names: &str, widths: &str| {
            format!(
                "{number} 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/A/FirstChar 33/Widths[{widths}]/Encoding<</Differences[33 {names}]>>>>\nendobj\n"
            )
        };
        let file = format!(
            "%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n{}{}trailer <</Root 1 0 R>>\n%%EOF\n",
            font(3, "/T_h/t_t/f_f_i/a_circumflex", "1048 614 829 500"),
            font(4, "/f_t/f_i", "611 614"),
        );
        let pdf = Pdf::new(file.into_bytes()).unwrap();
        let mut found: Vec<_> = Fonts::of(&pdf).ligatures.into_iter().collect();
        found.sort();
        let known = |code, width, text: &str| ((code, width), text.to_owned());
        assert_eq!(found, [known(33, 611, "ft"), known(33, 1048, "Th"), known(34, 614, ""), known(35, 829, "ffi")]);
    }
}
