//! Documents inside of documents, as programs keep objects of other programs (OLE): in streams of a compound file, or behind a header.

use std::io::{Cursor, Read};

use super::{Format, signature};
use crate::limits::ReadLimits;

/// How a compound file begins.
const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// How documents begin that are looked for behind a header, which has no more bytes than this.
const DOCUMENTS: [&[u8]; 4] = [COMPOUND, b"%PDF-", b"PK\x03\x04", b"{\\rtf"];
const LONGEST_HEADER: usize = 4096;

/// How deep objects stand in others at most, and the most streams of one that are looked at.
const DEEPEST: u8 = 3;
const MOST_STREAMS: usize = 200;

/// The texts of the documents in an object; none of one that holds none, or none that can be read.
pub(super) fn texts(bytes: &[u8], limits: &ReadLimits) -> Vec<String> {
    let mut texts = Vec::new();
    add(bytes, limits, DEEPEST, &mut texts);
    texts
}

fn add(bytes: &[u8], limits: &ReadLimits, deeper: u8, texts: &mut Vec<String>) {
    let header = &bytes[..bytes.len().min(LONGEST_HEADER)];
    let begins = |at: &usize| DOCUMENTS.iter().any(|start| header[*at..].starts_with(start));
    let Some(bytes) = (0..header.len()).find(begins).map(|at| &bytes[at..]).filter(|_| deeper > 0) else { return };
    if bytes.starts_with(COMPOUND) {
        if let Ok(read) = Format::Doc.extract(bytes, None, limits) {
            texts.push(read.text);
            return;
        }
        let Ok(mut compound) = cfb::CompoundFile::open(Cursor::new(bytes)) else { return };
        let paths: Vec<_> = compound.walk().filter(|entry| entry.is_stream()).map(|e| e.path().to_owned()).collect();
        for path in paths.iter().take(MOST_STREAMS) {
            let mut stream = Vec::new();
            let Ok(content) = compound.open_stream(path) else { continue };
            if content.take(bytes.len() as u64).read_to_end(&mut stream).is_ok() {
                add(&stream, limits, deeper - 1, texts);
            }
        }
        return;
    }
    let read = signature::recognise(bytes, Format::Plain).and_then(|format| format.extract(bytes, None, limits));
    texts.extend(read.ok().map(|read| read.text));
}
