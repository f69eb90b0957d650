//! What kind of file an answer is: by its bytes, else by what the server calls it, else by its address.

use encoding_rs::Encoding;

/// What is done with a file of some kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is read as a file with this ending.
    Read(&'static str),
    /// It may hold text, but is not read.
    NotRead,
    /// It is a picture, a script, a style: nothing that could be a document.
    NoDocument,
}

const BY_TYPE: [(&str, &str); 14] = [
    ("text/html", "html"),
    ("application/xhtml+xml", "html"),
    ("text/plain", "txt"),
    ("text/markdown", "md"),
    ("application/pdf", "pdf"),
    ("application/x-pdf", "pdf"),
    ("application/msword", "doc"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/epub+zip", "epub"),
    ("application/rtf", "rtf"),
    ("text/rtf", "rtf"),
    ("application/x-tex", "tex"),
    ("text/x-tex", "tex"),
];

/// Kinds of files that are part of a page, and never one.
const PARTS_OF_PAGES: [&str; 10] = [
    "image/",
    "audio/",
    "video/",
    "font/",
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/json",
    "application/xml",
    "text/xml",
];

/// What to do with a file.
pub(crate) fn kind(media_type: &str, address: &str, bytes: &[u8]) -> Kind {
    if bytes.starts_with(b"%PDF") {
        return Kind::Read("pdf");
    }
    let name = media_type.split(';').next().unwrap_or_default().trim();
    if let Some(ending) = by_type(name) {
        return Kind::Read(ending);
    }
    if PARTS_OF_PAGES.iter().any(|part| name.starts_with(part)) {
        return Kind::NoDocument;
    }
    by_address(address).map_or(Kind::NotRead, Kind::Read)
}

/// The ending of files of a type that is read.
pub(crate) fn by_type(name: &str) -> Option<&'static str> {
    BY_TYPE.iter().find(|(known, _)| *known == name).map(|(_, ending)| *ending)
}

/// How well a file that somebody names suits, the least first: PDF, then another kind that is read, then what may be one. `None` where
/// its kind is not read.
pub(crate) fn rank(kind: &str, address: &str) -> Option<u8> {
    match by_type(kind).or_else(|| by_address(address)) {
        Some("pdf") => Some(0),
        Some(_) => Some(1),
        None => matches!(kind, "" | "application/octet-stream").then_some(2),
    }
}

/// The ending of an address, if files of that kind are read.
pub(crate) fn by_address(address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let (_, ending) = path.rsplit('/').next().unwrap_or_default().rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let known = BY_TYPE.iter().map(|(_, known)| *known).chain(["htm"]).find(|known| *known == ending)?;
    Some(if known == "htm" { "html" } else { known })
}

/// A text or page in UTF-8, with the mark that says so, if the server says what it is written in: that counts before what the
/// page says of itself. What is UTF-8 already is so whatever a server says: text in another encoding is that by no chance but a word or two.
pub(crate) fn in_utf8(media_type: &str, ending: &str, bytes: Vec<u8>) -> Vec<u8> {
    let charset = media_type.split("charset=").nth(1).unwrap_or_default();
    let charset = charset.split(';').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    match Encoding::for_label(charset.as_bytes()) {
        Some(encoding) if matches!(ending, "html" | "txt" | "md") && Encoding::for_bom(&bytes).is_none() => {
            let is_utf8 = !bytes.is_ascii() && std::str::from_utf8(&bytes).is_ok();
            let (text, _, wrong) = if is_utf8 { encoding_rs::UTF_8 } else { encoding }.decode(&bytes);
            // A server that is wrong about it is not believed.
            if wrong { bytes } else { format!("\u{feff}{text}").into_bytes() }
        }
        _ => bytes,
    }
}
