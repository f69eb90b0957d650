//! Formats told by their first bytes, which are to be believed more than a name: a `.doc` is often something else.

use super::{ExtractError, Format};

/// First bytes and the format that is read.
const READ: &[(&[u8], Format)] =
    &[(b"%PDF-", Format::Pdf), (b"{\\rtf", Format::Rtf), (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", Format::Doc)];

/// First bytes and what they stand for, of formats that are not read.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"%!PS", "a PostScript file"),
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
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file that is no text (.ods, .odp)"),
    (b"xl/", "an Excel workbook (.xlsx)"),
    (b"ppt/", "a PowerPoint presentation (.pptx)"),
    (b"[Content_Types].xml", "a Microsoft Office file that is no text (.xlsx, .pptx)"),
];

/// The same of those that are read.
const ZIP_READ: &[(&[u8], Format)] = &[
    (b"mimetypeapplication/epub+zip", Format::Epub),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", Format::Odt),
    (b"word/", Format::Docx),
];

/// Bytes of a zip archive that are searched for the names in it.
const ZIP_PREFIX: usize = 8192;

/// The format of the bytes, if they show it, else `named`; an error that names the format, if it is one not read.
pub(super) fn recognise(bytes: &[u8], named: Format) -> Result<Format, ExtractError> {
    if bytes.starts_with(b"PK\x03\x04") {
        let prefix = &bytes[..bytes.len().min(ZIP_PREFIX)];
        let holds = |part: &[u8]| prefix.windows(part.len()).any(|window| window == part);
        if let Some((_, format)) = ZIP_READ.iter().find(|(part, _)| holds(part)) {
            return Ok(*format);
        }
        // The parts that tell may stand further back.
        if matches!(named, Format::Docx | Format::Odt | Format::Epub) {
            return Ok(named);
        }
        let known = ZIP_FORMATS.iter().find(|(part, _)| holds(part));
        return Err(ExtractError::OtherFormat(known.map_or("a zip archive", |(_, name)| name)));
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(ExtractError::OtherFormat(name));
    }
    Ok(READ.iter().find(|(start, _)| bytes.starts_with(start)).map_or(named, |(_, format)| *format))
}
