//! Formats told by their first bytes, which are to be believed more than a name: a `.doc` is often something else.

use super::{ExtractError, Format, UnreadFormat};

/// First bytes and the format that is read.
const READ: &[(&[u8], Format)] =
    &[(b"%PDF-", Format::Pdf), (b"{\\rtf", Format::Rtf), (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", Format::Doc)];

/// First bytes and what they stand for, of formats that are not read.
const SIGNATURES: &[(&[u8], UnreadFormat)] = &[
    (b"%!PS", UnreadFormat::PostScript),
    (b"\x89PNG\r\n\x1A\n", UnreadFormat::Png),
    (b"\xFF\xD8\xFF", UnreadFormat::Jpeg),
    (b"GIF87a", UnreadFormat::Gif),
    (b"GIF89a", UnreadFormat::Gif),
    (b"II*\0", UnreadFormat::Tiff),
    (b"MM\0*", UnreadFormat::Tiff),
    (b"AT&TFORM", UnreadFormat::DjVu),
    (b"\x1F\x8B", UnreadFormat::Gzip),
    (b"\x28\xB5\x2F\xFD", UnreadFormat::Zstandard),
    (b"\xFD7zXZ\0", UnreadFormat::Xz),
    (b"BZh", UnreadFormat::Bzip2),
    (b"7z\xBC\xAF\x27\x1C", UnreadFormat::SevenZip),
    (b"Rar!\x1A\x07", UnreadFormat::Rar),
    (b"\x7FELF", UnreadFormat::Elf),
    (b"MZ\x90\0", UnreadFormat::WindowsProgram),
    (b"SQLite format 3\0", UnreadFormat::Sqlite),
];

/// Parts of zip archives that are documents themselves, by what the archive's first or last bytes hold: there its parts are named.
const ZIP_FORMATS: &[(&[u8], UnreadFormat)] = &[
    (b"mimetypeapplication/vnd.oasis.opendocument", UnreadFormat::OtherOpenDocument),
    (b"xl/", UnreadFormat::Xlsx),
    (b"ppt/", UnreadFormat::Pptx),
    (b"[Content_Types].xml", UnreadFormat::OtherOffice),
    // As it is since 2013, on its own or in a folder that was packed; and as it was before.
    (b".iwa", UnreadFormat::IWork),
    (b"/Index.zip", UnreadFormat::IWork),
    (b"buildVersionHistory.plist", UnreadFormat::IWork),
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
        let suffix = &bytes[bytes.len().saturating_sub(ZIP_PREFIX)..];
        let ends = |part: &[u8]| suffix.windows(part.len()).any(|window| window == part);
        let known = ZIP_FORMATS.iter().find(|(part, _)| holds(part) || ends(part));
        return Err(ExtractError::OtherFormat { format: known.map_or(UnreadFormat::Zip, |(_, format)| *format) });
    }
    if let Some(&(_, format)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(ExtractError::OtherFormat { format });
    }
    Ok(READ.iter().find(|(start, _)| bytes.starts_with(start)).map_or(named, |(_, format)| *format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pages_document_is_named_whatever_it_is_called() {
        // Pictures may stand before what tells.
        let picture = [b'x'; 20_000];
        for name in ["Index/Document.iwa", "thesis.pages/Index.zip", "buildVersionHistory.plist"] {
            let document = [b"PK\x03\x04\x14\0\0\0\0\0Data/picture.jpg", picture.as_slice(), name.as_bytes()].concat();
            for named in [Format::Plain, Format::Doc] {
                let told = recognise(&document, named);
                assert_eq!(told, Err(ExtractError::OtherFormat { format: UnreadFormat::IWork }), "{name}");
            }
        }
    }
}
