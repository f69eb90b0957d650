//! Code pages and character sets by their numbers.

use std::sync::LazyLock;

use ahash::AHashMap;
use encoding_rs::Encoding;

use crate::extract::table::by_name;

/// An encoding; that of Windows in the West where a document says none.
#[derive(Clone, Copy)]
pub(super) struct CodePage(pub(super) &'static Encoding);

impl Default for CodePage {
    fn default() -> Self {
        CodePage(encoding_rs::WINDOWS_1252)
    }
}

/// The encoding of a Windows code page.
pub(in crate::extract) fn encoding_of_page(page: i32) -> Option<&'static Encoding> {
    codepage::to_encoding(u16::try_from(page).ok()?)
}

/// The code pages of character sets by their numbers.
static CHARSETS: LazyLock<AHashMap<String, i32>> = LazyLock::new(|| by_name(include_str!("charsets.json")));

/// The encoding of a font's character set; `None` for the document's own, which 1 stands for.
pub(super) fn encoding_of_charset(charset: i32) -> Option<&'static Encoding> {
    CHARSETS.get(&charset.to_string()).and_then(|page| encoding_of_page(*page))
}
