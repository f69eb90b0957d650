//! References from one part of a package to another.

use percent_encoding::percent_decode_str;

/// The name of a part, from a reference that is relative to another part; `None` if it leads out of the archive.
pub(super) fn inside(from: &str, reference: &str) -> Option<String> {
    let path = reference.split(['#', '?']).next()?;
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    if path.starts_with('/') {
        parts.clear();
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    let path = parts.join("/");
    Some(percent_decode_str(&path).decode_utf8_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_relative_and_never_lead_out() {
        let cases = [
            ("OEBPS/book.opf", "text/ch%201.xhtml#a", Some("OEBPS/text/ch 1.xhtml")),
            ("book.opf", "./one.xhtml", Some("one.xhtml")),
            ("a/b/book.opf", "../one.xhtml", Some("a/one.xhtml")),
            ("book.opf", "../../etc/passwd", None),
            ("word/document.xml", "/word/notes.xml", Some("word/notes.xml")),
            ("", "word/document.xml", Some("word/document.xml")),
        ];
        for (from, reference, expected) in cases {
            assert_eq!(inside(from, reference).as_deref(), expected, "{from} {reference}");
        }
    }
}
