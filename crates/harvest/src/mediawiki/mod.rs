//! Dumps of a MediaWiki (`pages-articles.xml`, plain or packed): its articles as plain text. Redirects, talk and all other pages that
//! are no articles are left out.

mod wikitext;

pub(crate) use wikitext::{Names, Wikitext};

use crate::reason::Reason;
use crate::record::{Archive, Content, Counted, Item, Record};
use crate::streams::Stream;
use copytrace_text::Metadata;
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

/// The licence of texts in Wikimedia's projects, which their terms of use state.
const WIKIMEDIA_LICENCE: &str = "CC BY-SA 4.0";

/// Projects whose texts are under it; Wikinews and Wikidata are not.
const WIKIMEDIA: [&str; 7] = [
    "wikipedia.org",
    "wikibooks.org",
    "wikisource.org",
    "wikiversity.org",
    "wikivoyage.org",
    "wiktionary.org",
    "wikiquote.org",
];

/// The namespaces of files and categories, by the numbers that every wiki gives them.
const NO_TEXT: [&str; 3] = ["-2", "6", "14"];

/// Bytes of one article.
const MOST_BYTES: usize = 64 << 20;

/// The articles of one dump. Memory is bounded by the longest article.
pub(crate) struct DumpRecords {
    stream: Stream,
    reader: Reader<Box<dyn BufRead + Send>>,
    buffer: Vec<u8>,
    provenance: Metadata,
    /// The address of a page without its title.
    base: String,
    names: Arc<Names>,
    began: bool,
}

/// A page as the dump has it.
#[derive(Default)]
struct Page {
    title: String,
    namespace: String,
    date: String,
    model: String,
    text: String,
    redirect: bool,
    large: bool,
}

impl DumpRecords {
    pub(crate) fn open(path: &Path, provenance: Metadata) -> io::Result<Counted<Self>> {
        let mut stream = Stream::open(path)?;
        let reader = std::mem::replace(&mut stream.reader, Box::new(io::empty()));
        let mut reader = Reader::from_reader(reader);
        reader.config_mut().check_end_names = false;
        Ok(Counted::new(DumpRecords {
            stream,
            reader,
            buffer: Vec::new(),
            provenance,
            base: String::new(),
            names: Arc::default(),
            began: false,
        }))
    }

    /// Reads on to the next page, and what the dump says of itself on the way. Texts that are not wanted are not decoded.
    fn page(&mut self, wanted: bool) -> Result<Option<Page>, String> {
        let (mut page, mut within, mut element) = (Page::default(), false, String::new());
        let mut names = Vec::new();
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| error.to_string())?;
            match event {
                Event::Start(start) => {
                    element.clear();
                    element.push_str(start.local_name().into_inner());
                    match element.as_str() {
                        "mediawiki" => self.began = true,
                        "page" => (page, within) = (Page::default(), true),
                        "namespace" => names.push((attribute(&start, "key"), String::new())),
                        _ => {}
                    }
                }
                Event::Empty(empty) if empty.local_name().into_inner() == "redirect" => page.redirect = true,
                Event::Text(text) => {
                    let raw: &str = &text;
                    match element.as_str() {
                        "text" if !wanted => {}
                        "text" if page.text.len() + raw.len() > MOST_BYTES => page.large = true,
                        "text" => page.text.push_str(raw),
                        "title" if within => page.title.push_str(raw),
                        "ns" if within => page.namespace.push_str(raw),
                        "timestamp" if within => page.date.push_str(raw),
                        "model" if within => page.model.push_str(raw),
                        "base" if !within => self.base.push_str(raw),
                        "namespace" => names.last_mut().into_iter().for_each(|(_, name)| name.push_str(raw)),
                        _ => {}
                    }
                }
                Event::GeneralRef(reference) => {
                    let of = match element.as_str() {
                        "text" if wanted => &mut page.text,
                        "title" if within => &mut page.title,
                        _ => continue,
                    };
                    match reference.resolve_char_ref() {
                        Ok(Some(character)) => of.push(character),
                        _ => of.push_str(resolve_xml_entity(&reference).unwrap_or("&")),
                    }
                }
                Event::End(end) => {
                    element.clear();
                    match end.local_name().into_inner() {
                        "page" => return Ok(Some(page)),
                        "siteinfo" => self.know(&names),
                        "mediawiki" => return Ok(None),
                        _ => {}
                    }
                }
                Event::Eof if self.began => return Err("the file ends within the dump".to_owned()),
                Event::Eof => return Err("no dump of a MediaWiki".to_owned()),
                _ => {}
            }
        }
    }

    /// Takes what the dump says of itself: where its pages are, and how it calls files and categories.
    fn know(&mut self, names: &[(String, String)]) {
        let main = self.base.rfind('/').map_or(0, |slash| slash + 1);
        self.base.truncate(main);
        let host = self.base.split('/').nth(2).unwrap_or_default();
        if self.provenance.licence.is_none() && WIKIMEDIA.iter().any(|project| host.ends_with(project)) {
            self.provenance.licence = Some(WIKIMEDIA_LICENCE.to_owned());
        }
        let without_text = names.iter().filter(|(key, _)| NO_TEXT.contains(&key.as_str()));
        self.names = Arc::new(Names::new(without_text.map(|(_, name)| name.as_str())));
    }

    /// The item of a page; nothing if it is no article.
    fn item(&self, page: Page) -> Option<Item> {
        let Page { title, namespace, date, model, text, redirect, large } = page;
        if namespace != "0" || redirect || !matches!(model.as_str(), "" | "wikitext") {
            return None;
        }
        let id = format!("{}{}", self.base, in_address(&title));
        if large {
            return Some(Item::failed(id, Reason::AnswerLarge { limit: MOST_BYTES as u64 }));
        }
        let provenance = Metadata {
            title: Some(title),
            date: self.provenance.date.clone().or(Some(date).filter(|date| !date.is_empty())),
            url: (!self.base.is_empty()).then(|| id.clone()),
            ..self.provenance.clone()
        };
        let content = Content::Wikitext(Wikitext { text, names: self.names.clone() });
        Some(Item::Record(Box::new(Record { id, stamp: String::new(), provenance, content })))
    }
}

impl Archive for DumpRecords {
    fn pass(&mut self, wanted: bool) -> Result<Option<Option<Item>>, String> {
        let page = self.page(wanted)?;
        Ok(page.map(|page| if wanted { self.item(page) } else { None }))
    }

    fn bytes(&self) -> u64 {
        self.stream.bytes()
    }
}

fn attribute(start: &BytesStart, name: &str) -> String {
    let found = start.try_get_attribute(name).ok().flatten();
    found.map(|found| found.value.to_string()).unwrap_or_default()
}

/// A title as it stands in an address that people can still read.
fn in_address(title: &str) -> String {
    let mut address = String::with_capacity(title.len());
    for c in title.chars() {
        match c {
            ' ' => address.push('_'),
            '?' | '%' | '#' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => {
                address.push_str(&format!("%{:02X}", c as u32));
            }
            c if c.is_control() => {}
            c => address.push(c),
        }
    }
    address
}

#[cfg(test)]
mod tests;
