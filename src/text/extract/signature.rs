//! Formats told by their first bytes, so that a refusal can say what the file is.

/// First bytes and what they stand for.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"%PDF-", "a PDF file"),
    (b"%!PS", "a PostScript file"),
    (b"{\\rtf", "an RTF file"),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old Microsoft Office file (.doc, .xls, .ppt)"),
    (b"\x89PNG\r\n\x1A\n", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"AT&TFORM", "a DjVu file"),
    (b"\x1F\x8B", "gzip data"),
    (b"\x28\xB5\x2F\xFD", "Zstandard data"),
    (b"\xFD7zXZ\0", "xz data"),
    (b"BZh", "bzip2 data"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip archive"),
    (b"Rar!\x1A\x07", "a RAR archive"),
    (b"\x7FELF", "a program (ELF)"),
    (b"MZ\x90\0", "a Windows program"),
    (b"SQLite format 3\0", "a SQLite database"),
];

/// Parts of zip archives that are documents themselves, by what the archive's first bytes hold.
const ZIP_FORMATS: &[(&[u8], &str)] = &[
    (b"mimetypeapplication/epub+zip", "an EPUB book"),
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file (.odt, .ods, .odp)"),
    (b"word/", "a Word document (.docx)"),
    (b"xl/", "an Excel workbook (.xlsx)"),
    (b"ppt/", "a PowerPoint presentation (.pptx)"),
    (b"[Content_Types].xml", "a Microsoft Office file (.docx, .xlsx, .pptx)"),
];

/// Bytes of a zip archive that are searched for the names in it.
const ZIP_PREFIX: usize = 8192;

/// Names the format, with its article; `None` if the bytes may be text.
pub(super) fn recognise(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"PK\x03\x04") {
        let prefix = &bytes[..bytes.len().min(ZIP_PREFIX)];
        let known = ZIP_FORMATS.iter().find(|(part, _)| prefix.windows(part.len()).any(|window| window == *part));
        return Some(known.map_or("a zip archive", |(_, name)| name));
    }
    SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, name)| *name)
}
