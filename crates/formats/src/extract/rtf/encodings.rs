//! Code pages and character sets by their numbers.

use encoding_rs::Encoding;

/// The encoding of a Windows code page.
pub(in crate::extract) fn encoding_of_page(page: i32) -> Option<&'static Encoding> {
    codepage::to_encoding(u16::try_from(page).ok()?)
}

/// The encoding of a font's character set; `None` for the document's own, which 1 stands for.
pub(super) fn encoding_of_charset(charset: i32) -> Option<&'static Encoding> {
    let page = match charset {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    };
    encoding_of_page(page)
}
