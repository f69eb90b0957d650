//! WARC files (ISO 28500) and the WET files made of them: web pages as a crawler got them, or their texts.

use crate::reason::Reason;
use crate::record::{Archive, Content, Counted, Item, Record};
use crate::streams::{Bounded, Stream, TooMuch};
use crate::web::media::{self, Kind};
use copytrace_text::Metadata;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Bytes of one record's body that are read; a larger one is passed over.
const MOST_BYTES: u64 = 256 << 20;

/// Bytes of one line of a header.
const LONGEST_LINE: u64 = 64 << 10;

/// Lines of a header.
const MOST_LINES: usize = 1000;

/// The records of one file. Memory is bounded by the largest record.
pub(crate) struct WarcRecords {
    stream: Stream,
    provenance: Metadata,
}

/// What the header of a record says.
#[derive(Default)]
struct Header {
    kind: String,
    target: String,
    date: String,
    media_type: String,
    length: u64,
}

impl WarcRecords {
    pub(crate) fn open(path: &Path, provenance: Metadata) -> io::Result<Counted<Self>> {
        Ok(Counted::new(WarcRecords { stream: Stream::open(path)?, provenance }))
    }

    /// Reads a record; `None` at the end of the file. One that holds no page, or is not wanted, gives nothing.
    fn read(&mut self, wanted: bool) -> io::Result<Option<Option<Item>>> {
        let Some(header) = self.header()? else { return Ok(None) };
        let holds = matches!(header.kind.as_str(), "response" | "resource" | "conversion") && !header.target.is_empty();
        if !holds || !wanted || header.length > MOST_BYTES {
            let passed = io::copy(&mut self.stream.reader.by_ref().take(header.length), &mut io::sink())?;
            whole(passed, header.length)?;
            let large = || Item::failed(header.target, Reason::AnswerLarge { limit: MOST_BYTES });
            return Ok(Some((holds && wanted).then(large)));
        }
        let mut body = Vec::with_capacity((header.length as usize).min(1 << 20));
        self.stream.reader.by_ref().take(header.length).read_to_end(&mut body)?;
        whole(body.len() as u64, header.length)?;
        Ok(Some(self.item(header, body)))
    }

    /// The header of the next record.
    fn header(&mut self) -> io::Result<Option<Header>> {
        let mut line = Vec::new();
        // Records end with two empty lines.
        loop {
            if self.line(&mut line)? == 0 {
                return Ok(None);
            }
            if !line.is_empty() {
                break;
            }
        }
        if !line.starts_with(b"WARC/") {
            return Err(io::Error::other("no WARC record begins here"));
        }
        let (mut header, mut length) = (Header::default(), None);
        for _ in 0..MOST_LINES {
            self.line(&mut line)?;
            if line.is_empty() {
                header.length = length.ok_or_else(|| io::Error::other("a record without Content-Length"))?;
                return Ok(Some(header));
            }
            let text = String::from_utf8_lossy(&line);
            let Some((name, value)) = text.split_once(':') else { continue };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "warc-type" => header.kind = value.to_ascii_lowercase(),
                // WARC 1.0 writers put the address between angle brackets.
                "warc-target-uri" => header.target = value.trim_matches(['<', '>']).to_owned(),
                "warc-date" => header.date = value.to_owned(),
                "content-type" => header.media_type = value.to_ascii_lowercase(),
                "content-length" => length = value.parse().ok(),
                _ => {}
            }
        }
        Err(io::Error::other("a header that does not end"))
    }

    /// A line without its end; gives how many bytes it took, 0 at the end of the file.
    fn line(&mut self, line: &mut Vec<u8>) -> io::Result<usize> {
        line.clear();
        let read = self.stream.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', line)?;
        if read as u64 == LONGEST_LINE {
            return Err(io::Error::other("a line that does not end"));
        }
        line.truncate(line.trim_ascii_end().len());
        Ok(read)
    }

    /// What a record gives; nothing if it holds no page.
    fn item(&self, header: Header, body: Vec<u8>) -> Option<Item> {
        let Header { kind, target, date, media_type, .. } = header;
        let provenance = Metadata {
            date: self.provenance.date.clone().or(Some(date).filter(|date| !date.is_empty())),
            url: Some(target.clone()),
            ..self.provenance.clone()
        };
        let content = if kind == "conversion" {
            Content::Text(String::from_utf8(body).unwrap_or_else(|error| error.to_string()))
        } else {
            let page =
                if media_type.starts_with("application/http") { unwrapped(body) } else { Ok((media_type, body)) };
            match page {
                Err(Some(reason)) => return Some(Item::failed(target, reason)),
                Err(None) => return None,
                Ok((media_type, bytes)) => match media::kind(&media_type, &target, &bytes) {
                    Kind::Read("html") => Content::Page(media::in_utf8(&media_type, "html", bytes)),
                    Kind::Read(ending) => {
                        Content::File(format!("page.{ending}"), media::in_utf8(&media_type, ending, bytes))
                    }
                    Kind::NotRead => return Some(Item::failed(target, Reason::KindNotRead { kind: media_type })),
                    Kind::NoDocument => return None,
                },
            }
        };
        Some(Item::Record(Box::new(Record { id: target, stamp: String::new(), provenance, content })))
    }
}

impl Archive for WarcRecords {
    fn pass(&mut self, wanted: bool) -> Result<Option<Option<Item>>, String> {
        self.read(wanted).map_err(|error| error.to_string())
    }

    fn bytes(&self) -> u64 {
        self.stream.bytes()
    }
}

fn whole(read: u64, length: u64) -> io::Result<()> {
    if read == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// The media type and the bytes of an HTTP answer as it came over the wire. No reason where it is no page but a redirect or an error.
fn unwrapped(answer: Vec<u8>) -> Result<(String, Vec<u8>), Option<Reason>> {
    let (end, blank) = match memchr::memmem::find(&answer, b"\r\n\r\n") {
        Some(end) => (end, 4),
        None => (memchr::memmem::find(&answer, b"\n\n").ok_or(None)?, 2),
    };
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let mut lines = head.lines();
    if lines.next().and_then(|line| line.split_ascii_whitespace().nth(1)) != Some("200") {
        return Err(None);
    }
    let (mut media_type, mut coding, mut chunked) = (String::new(), String::new(), false);
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim().to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "content-type" => media_type = value,
            "content-encoding" => coding = value,
            "transfer-encoding" => chunked = value.contains("chunked"),
            _ => {}
        }
    }
    let body = &answer[end + blank..];
    // Many crawlers keep the header but write the body as it was meant.
    let joined = chunked.then(|| joined(body)).flatten();
    let body = joined.unwrap_or_else(|| body.to_vec());
    if !coding.contains("gzip") || !body.starts_with(&[0x1f, 0x8b]) {
        return Ok((media_type, body));
    }
    let mut plain = Vec::new();
    match Bounded::new(flate2::read::MultiGzDecoder::new(&body[..]), MOST_BYTES).read_to_end(&mut plain) {
        Ok(_) => Ok((media_type, plain)),
        Err(error) if error.get_ref().is_some_and(|inner| inner.is::<TooMuch>()) => {
            Err(Some(Reason::AnswerExpands { limit: MOST_BYTES }))
        }
        Err(error) => Err(Some(Reason::ArchiveBroken { records: 0, said: error.to_string() })),
    }
}

/// A body that was sent in chunks; `None` if it is not.
fn joined(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(body.len());
    loop {
        let end = memchr::memmem::find(body, b"\r\n")?;
        let size = std::str::from_utf8(&body[..end]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(whole);
        }
        whole.extend_from_slice(body.get(end + 2..end + 2 + size)?);
        body = body.get(end + 2 + size + 2..)?;
    }
}

#[cfg(test)]
#[path = "warc_tests.rs"]
mod tests;
