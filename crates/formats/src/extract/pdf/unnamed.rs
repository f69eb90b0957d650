//! Characters of glyphs of which neither a `ToUnicode` map nor a name tells any, and how large those of bitmap fonts are.
//!
//! - CID fonts of the collections of Adobe (ISO 32000, 9.7.3): the file holds numbers of characters, and the maps
//!   `Adobe-GB1-UCS2` and the like say which these are. XeTeX writes Chinese so with fonts such as Fandol.
//! - Bitmap fonts of TeX (Type 3), whose glyphs are called by their codes: these are those of TeX's text fonts.
//! - Ligatures with names of their letters (`/t_t`, as in the list of names of Adobe), for which macOS writes maps to U+FFFD.

// What changes in the key is a cache of its font, which neither hash nor equality reads.
#![allow(clippy::mutable_key_type)]

use std::collections::HashMap;
use std::sync::LazyLock;

use ahash::AHashMap;
use hayro_interpret::font::{Glyph, GlyphIdentifier, OutlineGlyph, Type3Glyph};
use hayro_interpret::hayro_cmap::{BfString, CMap, CMapName, CidFamily, load_embedded};
use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as Text};

use super::glyph::USUAL_WIDTH;
use crate::extract::table::by_name;

/// Codes of one to four bytes select a character; most often of two.
const CODE_BYTES: [u8; 4] = [2, 1, 3, 4];

/// Letters of no font are wider on the average, in thousandths of its size.
const WIDEST: f64 = 1500.0;

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
    /// How many times as large as others the glyphs of bitmap fonts are, by codes and widths: many count in pixels, and say that
    /// a letter is forty times as wide as it is high.
    sizes: HashMap<(u32, i64), f64>,
    /// Letters of glyphs that are named by them, by their codes and widths, by which they are known where no name of a font is; empty
    /// where two differ.
    named: HashMap<(u32, i64), String>,
}

impl<'a> Unnamed<'a> {
    pub(super) fn new(pdf: &'a Pdf) -> Self {
        Unnamed { pdf, fonts: None, known: HashMap::new() }
    }

    /// How many times as large a glyph is as its font says; 1 but for bitmap fonts.
    pub(super) fn size(&mut self, glyph: &Type3Glyph<'_>) -> f64 {
        // A file is looked through for such fonts only if a glyph is as wide as theirs.
        if glyph.advance_width().is_none_or(|width| f64::from(width) <= WIDEST) {
            return 1.0;
        }
        let fonts = self.fonts.get_or_insert_with(|| Fonts::of(self.pdf));
        fonts.sizes.get(&key(glyph)).copied().unwrap_or(1.0)
    }

    /// The characters of a glyph; empty if nothing tells.
    pub(super) fn characters(&mut self, glyph: &Glyph<'_>) -> String {
        let fonts = self.fonts.get_or_insert_with(|| Fonts::of(self.pdf));
        match glyph {
            Glyph::Type3(glyph) => {
                let named = fonts.named.get(&key(glyph)).cloned();
                named.unwrap_or_else(|| if fonts.by_code { of_tex(glyph.char_code()) } else { String::new() })
            }
            Glyph::Outline(glyph) if !(fonts.collections.is_empty() && fonts.named.is_empty()) => {
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
                Some(kind) if kind.as_ref() == b"Type3" => {
                    fonts.by_code |= is_called_by_code(&font);
                    fonts.sizes.extend(sizes(&font));
                    fonts.name(named_by_codes(&font));
                }
                Some(_) => fonts.name(ligatures(&font)),
                None => {}
            }
        }
        fonts
    }

    fn name(&mut self, named: Vec<((u32, i64), String)>) {
        for (key, letters) in named {
            let known = self.named.entry(key).or_insert_with(|| letters.clone());
            if *known != letters {
                known.clear();
            }
        }
    }

    fn of_ligature(&self, glyph: &OutlineGlyph) -> Option<String> {
        let width = glyph.advance_width()?;
        self.named.get(&(glyph.char_code(), rounded(width))).cloned()
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

/// The code of a glyph of a bitmap font with its width.
fn key(glyph: &Type3Glyph<'_>) -> (u32, i64) {
    (glyph.char_code(), rounded(glyph.advance_width().unwrap_or_default()))
}

/// In thousandths of what a font says that its letters are high.
fn rounded(width: f32) -> i64 {
    width.round() as i64
}

/// The codes of a font with their widths, which bitmap fonts tell in units of their own.
fn widths(font: &Dict<'_>) -> Vec<(u32, f32)> {
    let across = font.get::<[f64; 6]>(b"FontMatrix").map_or(1.0, |matrix| matrix[0] as f32 * 1000.0);
    let widths = font.get::<Array<'_>>(b"Widths");
    let widths = widths.iter().flat_map(|widths| widths.iter::<f32>()).map(|width| width * across);
    (font.get::<u32>(b"FirstChar").unwrap_or_default()..).zip(widths).collect()
}

/// How many times as large as it says a bitmap font is, for its codes with their widths; none if its letters are not wider than high.
fn sizes(font: &Dict<'_>) -> Vec<((u32, i64), f64)> {
    let widths = widths(font);
    let known: Vec<f64> = widths.iter().map(|(_, width)| f64::from(*width)).filter(|width| *width > 0.0).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let is_odd = mean > WIDEST;
    widths.into_iter().filter(|_| is_odd).map(|(code, width)| ((code, rounded(width)), mean / USUAL_WIDTH)).collect()
}

/// The characters of a bitmap font by code and width, each of whose glyphs is named by the character of its code in a font of TeX, as dvips
/// does it, whatever code it has in the file.
fn named_by_codes(font: &Dict<'_>) -> Vec<((u32, i64), String)> {
    let named = named(font).unwrap_or_default();
    let code = |name: &str| name.chars().next().filter(|c| c.len_utf8() == name.len()).map(u32::from);
    if !named.iter().all(|(_, name)| name == ".notdef" || code(name).is_some()) {
        return Vec::new();
    }
    let widths: HashMap<u32, f32> = widths(font).into_iter().collect();
    let of_name = |(at, name): (i64, String)| {
        let at = u32::try_from(at).ok()?;
        Some(((at, rounded(*widths.get(&at)?)), of_tex(code(&name)?)))
    };
    named.into_iter().filter_map(of_name).collect()
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

/// The code that the name of a glyph tells: a letter and a number (`/a97`), or as Ghostscript counts, 36 to each letter (`/CP`).
fn codes_in(name: &str) -> [Option<i64>; 2] {
    let signs: Vec<i64> = name.chars().map(|c| c.to_digit(36).map_or(-1, i64::from)).collect();
    let counted = match *signs {
        [letter, sign] if letter >= 10 && sign >= 0 && !name.contains(|c: char| c.is_ascii_lowercase()) => {
            Some((letter - 10) * 36 + sign)
        }
        _ => None,
    };
    [name.get(1..).and_then(|digits| digits.parse().ok()), counted]
}

/// Whether all glyphs that a font names are called by their codes.
fn is_called_by_code(font: &Dict<'_>) -> bool {
    let mut named = named(font).unwrap_or_default();
    named.retain(|(_, name)| name != ".notdef");
    let is_code = |way: usize| named.iter().all(|(code, name)| codes_in(name)[way] == Some(*code));
    !named.is_empty() && (0..2).any(is_code)
}

/// The letters of the ligatures that a font names, by code and width.
fn ligatures(font: &Dict<'_>) -> Vec<((u32, i64), String)> {
    let Some(named) = named(font) else { return Vec::new() };
    let widths: HashMap<u32, f32> = widths(font).into_iter().collect();
    let letters = |name: &str| {
        let parts: Vec<&str> = name.split('_').collect();
        let is_letter = |part: &&str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        (parts.len() > 1 && parts.iter().all(is_letter)).then(|| parts.concat())
    };
    let of_name = |(code, name): (i64, String)| {
        let code = u32::try_from(code).ok()?;
        Some(((code, rounded(*widths.get(&code)?)), letters(&name)?))
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
    fn fonts_whose_glyphs_are_called_by_their_codes_are_known_whoever_wrote_them() {
        let is_called_by_code = |differences: &str| {
            let file = format!(
                "%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n\
                 3 0 obj\n<</Type/Font/Subtype/Type3/Encoding<</Differences[{differences}]>>>>\nendobj\ntrailer <</Root 1 0 R>>\n%%EOF\n"
            );
            Fonts::of(&Pdf::new(file.into_bytes()).unwrap()).by_code
        };
        for known in ["97/a97/a98 120/a120", "67/BV 73/C1 97/CP/CQ"] {
            assert!(is_called_by_code(known), "{known}");
        }
        // Numbers in the order in which glyphs occur, names of letters, another order.
        for other in ["97/a0/a1", "67/BV/BX", "2/'/| 65/A", "65/A/B 102/fi"] {
            assert!(!is_called_by_code(other), "{other}");
        }
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
        let mut found: Vec<_> = Fonts::of(&pdf).named.into_iter().collect();
        found.sort();
        let known = |code, width, text: &str| ((code, width), text.to_owned());
        assert_eq!(found, [known(33, 611, "ft"), known(33, 1048, "Th"), known(34, 614, ""), known(35, 829, "ffi")]);
    }
}
