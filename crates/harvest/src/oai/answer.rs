//! An answer of a repository: XML of OAI-PMH 2.0, or what came in its place.

use super::files::Files;
use crate::reason::Reason;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeMap;

/// Elements within each other; a record in Dublin Core has eight.
const MOST_DEEP: usize = 100;

/// Values of one element of a record. The longest list of authors is some 5,000 names.
const MOST_VALUES: usize = 10_000;

/// Bytes of one value.
const LONGEST_VALUE: usize = 16 << 10;

/// A record of a list.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) stamp: String,
    pub(super) deleted: bool,
    /// The values of each Dublin Core element, by its name.
    pub(super) dublin_core: BTreeMap<String, Vec<String>>,
    /// The files that it names, if it is in a format that names any.
    pub(super) files: Files,
}

/// What an answer says.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) entries: Vec<Entry>,
    /// Where the list goes on, if it does.
    pub(super) token: Option<String>,
    /// The server's time when it answered.
    pub(super) date: Option<String>,
    /// By the protocol's name of it, and in words.
    pub(super) error: Option<(String, String)>,
    pub(super) repository: Option<String>,
    pub(super) granularity: Option<String>,
    /// The formats in which records can be had.
    pub(super) formats: Vec<String>,
    /// Why the answer could not be read to its end; what came before was.
    pub(super) broken: Option<Reason>,
}

/// Reads an answer.
pub(super) fn read(bytes: Vec<u8>) -> Page {
    let text = decoded(bytes);
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let lower: String = start.chars().take(20).collect::<String>().to_ascii_lowercase();
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return Page { broken: Some(Reason::NotOai), ..Page::default() };
    }
    let mut page = Page::default();
    if let Err(said) = walk(start, &mut page) {
        page.broken = Some(Reason::BrokenXml { said });
        // The list may go on behind what is broken.
        page.token = page.token.or_else(|| token_in(start));
    }
    page
}

/// The text in UTF-8, or in what its declaration names.
fn decoded(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let label = head.split("encoding=").nth(1).unwrap_or_default();
    let label = label.trim_start_matches(['"', '\'']).split(['"', '\'']).next().unwrap_or_default();
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8);
    encoding.decode(&bytes).0.into_owned()
}

fn walk(text: &str, page: &mut Page) -> Result<(), String> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().allow_dangling_amp = true;
    reader.config_mut().expand_empty_elements = true;
    let (mut path, mut value): (Vec<String>, String) = (Vec::new(), String::new());
    let push = |value: &mut String, text: &str| {
        let room = LONGEST_VALUE.saturating_sub(value.len());
        value.push_str(&text[..text.floor_char_boundary(room)]);
    };
    let (mut entry, mut known, mut error) = (Entry::default(), false, String::new());
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => {
                let name = start.local_name().into_inner();
                let attribute = |name: &str| {
                    let mut all = start.attributes();
                    let found =
                        all.with_checks(false).flatten().find(|found| found.key.local_name().into_inner() == name);
                    let written = found.as_ref().and_then(|found| found.normalized_value(XmlVersion::Implicit1_0).ok());
                    let mut value = String::new();
                    push(&mut value, written.as_deref().unwrap_or_default().trim());
                    value
                };
                match name {
                    "OAI-PMH" => known = true,
                    "record" => entry = Entry::default(),
                    "header" => entry.deleted = attribute("status") == "deleted",
                    "error" => error = attribute("code"),
                    _ => entry.files.begin(name, attribute),
                }
                if path.len() == MOST_DEEP {
                    return Err("too many elements within each other".to_owned());
                }
                path.push(name.to_owned());
                value.clear();
            }
            Event::End(end) => {
                let name = end.local_name().into_inner();
                let within = |parent: &str| path.iter().rev().nth(1).is_some_and(|above| above == parent);
                let said = || value.trim().to_owned();
                match name {
                    "record" => page.entries.push(std::mem::take(&mut entry)),
                    "identifier" if within("header") => entry.id = said(),
                    "datestamp" if within("header") => entry.stamp = said(),
                    "resumptionToken" => page.token = Some(said()).filter(|token| !token.is_empty()),
                    "responseDate" => page.date = Some(said()),
                    "repositoryName" => page.repository = Some(said()),
                    "granularity" => page.granularity = Some(said()),
                    "error" => page.error = Some((error.clone(), said())),
                    "metadataPrefix" if page.formats.len() < MOST_VALUES => page.formats.push(said()),
                    _ if path.iter().any(|above| above == "metadata") && !said().is_empty() => {
                        entry.files.end(name, value.trim());
                        let values = entry.dublin_core.entry(name.to_owned()).or_default();
                        if values.len() < MOST_VALUES {
                            values.push(said());
                        }
                    }
                    _ => {}
                }
                path.pop();
                value.clear();
            }
            Event::Text(text) => push(&mut value, &text.xml10_content()),
            Event::CData(text) => push(&mut value, &text.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => push(&mut value, character.encode_utf8(&mut [0; 4])),
                _ => push(&mut value, resolve_xml_entity(&reference).unwrap_or(" ")),
            },
            Event::Eof if !path.is_empty() => return Err("it ends too early".to_owned()),
            Event::Eof if !known => return Err("no OAI-PMH".to_owned()),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// All values as one, which is no longer than one may be.
pub(super) fn joined(values: &[String]) -> String {
    let mut all = values.join("; ");
    all.truncate(all.floor_char_boundary(LONGEST_VALUE));
    all
}

/// A resumption token in a text that is no XML.
fn token_in(text: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once("<resumptionToken")?;
    let (_, rest) = rest.split_once('>')?;
    let (token, _) = rest.split_once("</")?;
    Some(token.trim().replace("&amp;", "&")).filter(|token| !token.is_empty())
}
