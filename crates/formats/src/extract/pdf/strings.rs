//! Text of a file that is on no page: values of fields, scripts, forms of XML, files that are attached, descriptions.
//!
//! Most of it is shown by some program in some way, and nobody knows which. What of it is prose and not on the pages as well is
//! told as not read ([`Unplaced`](crate::extract::unplaced::Unplaced)).

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::dict::keys::TYPE;
use hayro_interpret::hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, Stream};

use super::outline::decoded;
use crate::extract::{Format, signature};
use crate::limits::ReadLimits;

/// Entries that are known: what describes the document and its pictures, other forms of what is drawn, titles of bookmarks, what a reader of the
/// file writes on it, places and their names, addresses, signatures.
const KNOWN: [&[u8]; 22] = [
    b"ActualText",
    b"Alt",
    b"E",
    b"TU",
    b"Title",
    b"Author",
    b"Creator",
    b"Producer",
    b"Keywords",
    b"Subject",
    b"Contents",
    b"RC",
    b"URI",
    b"ID",
    b"Cert",
    b"CharSet",
    b"Lookup",
    b"DA",
    b"Names",
    b"D",
    b"Dest",
    b"Limits",
];

/// Entries whose text may be in a stream: scripts, forms of XML, values of fields.
const WRITTEN: [&[u8]; 5] = [b"JS", b"XFA", b"RV", b"V", b"DV"];

/// Strings of fewer bytes are labels.
const SHORT: usize = 24;

/// Objects stand no deeper in others.
const DEEPEST: u8 = 30;

/// After how many bytes of text in one file no more are looked at.
const MOST_BYTES: usize = 8 << 20;

/// The texts of a file. `attached` says whether files in the file are read.
pub(super) fn read(pdf: &Pdf, limits: &ReadLimits, attached: bool) -> Vec<String> {
    let mut found = Found { limits, attached, bytes: 0, texts: Vec::new(), here: 0 };
    for object in pdf.objects() {
        if found.bytes >= MOST_BYTES || limits.cancel.check().is_err() {
            break;
        }
        let id = match &object {
            Object::Dict(dict) => dict.obj_id(),
            Object::Stream(stream) => Some(stream.obj_id()),
            _ => None,
        };
        found.here = id.map_or(u32::MAX, |id| id.obj_number);
        found.object(&object, 0);
    }
    // In the order of the objects, whatever that of the table is.
    found.texts.sort_by_key(|(object, _)| *object);
    found.texts.into_iter().map(|(_, text)| text).collect()
}

struct Found<'l> {
    limits: &'l ReadLimits,
    attached: bool,
    bytes: usize,
    /// Each with the number of the object that it stands in.
    texts: Vec<(u32, String)>,
    /// The object that is being looked at.
    here: u32,
}

impl Found<'_> {
    fn object(&mut self, object: &Object<'_>, depth: u8) {
        match object {
            Object::String(string) if string.as_bytes().len() >= SHORT => {
                self.text(&without_tags(&decoded(string.as_bytes())));
            }
            Object::Dict(dict) if depth < DEEPEST => self.dict(dict, depth),
            Object::Array(array) if depth < DEEPEST => self.array(array, depth),
            Object::Stream(stream) => {
                self.dict(stream.dict(), depth);
                self.stream(stream);
            }
            _ => {}
        }
    }

    fn array(&mut self, array: &Array<'_>, depth: u8) {
        for entry in array.raw_iter() {
            if let MaybeRef::NotRef(object) = entry {
                self.object(&object, depth + 1);
            }
        }
    }

    fn dict(&mut self, dict: &Dict<'_>, depth: u8) {
        // The value of a field without an appearance is counted where it is shown.
        let is_counted = dict.contains_key(b"Rect") && !dict.contains_key(b"AP");
        for key in WRITTEN {
            if matches!(
                dict.get_raw::<Object<'_>>(key),
                Some(MaybeRef::Ref(_)) | Some(MaybeRef::NotRef(Object::Array(_)))
            ) {
                self.written(dict.get::<Object<'_>>(key));
            }
        }
        for (name, entry) in dict.entries() {
            if let MaybeRef::NotRef(object) = entry
                && !KNOWN.contains(&name.as_ref())
                && !(is_counted && name.as_ref() == b"V")
            {
                self.object(&object, depth + 1);
            }
        }
    }

    /// Text of a script, a form or a field that is a stream.
    fn written(&mut self, object: Option<Object<'_>>) {
        match object {
            Some(Object::Stream(stream)) => {
                let Ok(bytes) = stream.decoded_data() else { return };
                self.text(&without_tags(&decoded_text(&bytes)));
            }
            Some(Object::Array(parts)) => {
                parts
                    .iter::<Object<'_>>()
                    .filter(|part| matches!(part, Object::Stream(_)))
                    .for_each(|part| self.written(Some(part)));
            }
            _ => {}
        }
    }

    fn stream(&mut self, stream: &Stream<'_>) {
        let kind = stream.dict().get::<Name<'_>>(TYPE);
        if self.attached
            && kind.is_some_and(|kind| kind.as_ref() == b"EmbeddedFile")
            && let Ok(bytes) = stream.decoded_data()
        {
            self.file(&bytes);
        }
    }

    fn file(&mut self, bytes: &[u8]) {
        let read = match signature::recognise(bytes, Format::Plain) {
            Ok(Format::Pdf) => super::read_attached(bytes, self.limits),
            Ok(Format::Plain) if !is_written(bytes) => return,
            Ok(format) => format.extract(bytes, None, self.limits),
            Err(_) => return,
        };
        if let Ok(read) = read {
            self.text(&read.text);
        }
    }

    fn text(&mut self, text: &str) {
        if self.bytes < MOST_BYTES {
            self.bytes += text.len();
            self.texts.push((self.here, text.to_owned()));
        }
    }
}

/// The text of a stream: UTF-8, or what strings of PDF are in.
fn decoded_text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| decoded(bytes), str::to_owned)
}

/// Whether a file is a text.
fn is_written(bytes: &[u8]) -> bool {
    let is_odd = |byte: &u8| *byte < 0x20 && !byte.is_ascii_whitespace();
    std::str::from_utf8(bytes).is_ok() && !bytes.iter().any(is_odd)
}

/// The text between the tags of a form of XML; all of it where there are none.
fn without_tags(text: &str) -> String {
    if !text.trim_start().starts_with('<') {
        return text.to_owned();
    }
    let pieces = text.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    pieces.collect::<Vec<_>>().join(" ")
}
