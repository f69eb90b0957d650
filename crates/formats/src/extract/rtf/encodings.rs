//! Code pages and character sets by their numbers.

use encoding_rs::Encoding;

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

/// Numbers of character sets, and their code pages.
const CHARSETS: &[(i32, i32)] = &[
    (0, 1252),
    (77, 10000),
    (128, 932),
    (129, 949),
    (134, 936),
    (136, 950),
    (161, 1253),
    (162, 1254),
    (163, 1258),
    (177, 1255),
    (178, 1256),
    (186, 1257),
    (204, 1251),
    (222, 874),
    (238, 1250),
];

/// The encoding of a font's character set; `None` for the document's own, which 1 stands for.
pub(super) fn encoding_of_charset(charset: i32) -> Option<&'static Encoding> {
    CHARSETS.iter().find(|(number, _)| *number == charset).and_then(|(_, page)| encoding_of_page(*page))
}
