//! The outline of a PDF file (ISO 32000, 12.3.3): what readers show as bookmarks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::dict::keys::{A, D, DEST, DESTS, FIRST, KIDS, NAMES, NEXT, TITLE};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Name, Number, ObjRef, Object, String as Text};
use serde::{Deserialize, Serialize};

use crate::extract::unplaced::{FEW_ONE_IN, Known, LEAST, letters};

/// Objects of an outline and of the tree of names that are looked at, at most.
const MOST_ENTRIES: usize = 20_000;

/// Entries, and nodes of the tree of names, are nested no deeper.
const DEEPEST: u8 = 9;
const DEEPEST_NAMES: u8 = 30;

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Bookmark {
    pub(super) title: String,
    /// From 1 on.
    pub(super) level: u8,
    /// The page it points to, counted from 0; none of one that is shown and leads nowhere.
    pub(super) page: Option<usize>,
    /// The place on the page, in points from its top, if it has one.
    pub(super) top: Option<f64>,
}

/// The entries in the order of the outline.
pub(super) fn read(pdf: &Pdf) -> Vec<Bookmark> {
    let Some(catalogue) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else { return Vec::new() };
    let Some(first) = catalogue.get::<Dict<'_>>(b"Outlines").and_then(|outline| outline.get_ref(FIRST)) else {
        return Vec::new();
    };
    let pages = pdf.pages().iter().enumerate();
    let pages = pages.filter_map(|(at, page)| Some((page.raw().obj_id()?.obj_number, at))).collect();
    let mut outline = Outline { pdf, pages, names: None, catalogue, seen: BTreeSet::new(), found: Vec::new() };
    outline.siblings(first, 1);
    outline.found
}

struct Outline<'a> {
    pdf: &'a Pdf,
    /// The pages by the numbers of their objects.
    pages: HashMap<u32, usize>,
    /// Places by name; read when the first is asked for.
    names: Option<BTreeMap<Vec<u8>, Object<'a>>>,
    catalogue: Dict<'a>,
    /// Objects that were visited: hostile outlines go in circles.
    seen: BTreeSet<u32>,
    found: Vec<Bookmark>,
}

impl<'a> Outline<'a> {
    fn siblings(&mut self, first: ObjRef, level: u8) {
        let mut next = Some(first);
        while let Some(entry) = next {
            if !self.seen.insert(entry.obj_number) || self.seen.len() > MOST_ENTRIES {
                return;
            }
            let Some(dict) = self.pdf.xref().get::<Dict<'a>>(entry.into()) else { return };
            let title = dict.get::<Text<'_>>(TITLE).map(|title| decoded(title.as_bytes())).unwrap_or_default();
            if !title.trim().is_empty() {
                let (page, top) = self.place(&dict).unzip();
                self.found.push(Bookmark { title: title.trim().to_owned(), level, page, top: top.flatten() });
            }
            if let Some(child) = dict.get_ref(FIRST).filter(|_| level < DEEPEST) {
                self.siblings(child, level + 1);
            }
            next = dict.get_ref(NEXT);
        }
    }

    /// Page and place that an entry points to.
    fn place(&mut self, entry: &Dict<'a>) -> Option<(usize, Option<f64>)> {
        let to = entry.get::<Object<'a>>(DEST).or_else(|| entry.get::<Dict<'a>>(A)?.get::<Object<'a>>(D))?;
        let array = match to {
            Object::Array(array) => array,
            Object::Name(name) => self.named(&name)?,
            Object::String(name) => self.named(name.as_bytes())?,
            _ => return None,
        };
        let page = array.raw_iter().next()?;
        let page = match page.as_obj_ref() {
            Some(page) => *self.pages.get(&page.obj_number)?,
            None => array.iter::<Number>().next()?.as_f64() as usize,
        };
        let page_height = self.pdf.pages().get(page)?.intersected_crop_box().y1;
        // [page /XYZ left top zoom], [page /FitH top]
        let mut parts = array.flex_iter();
        parts.next::<Object<'_>>();
        let way = parts.next::<Name<'_>>();
        let top = match way.as_deref() {
            Some(b"XYZ") => {
                parts.next::<Object<'_>>();
                parts.next::<Number>()
            }
            Some(b"FitH" | b"FitBH") => parts.next::<Number>(),
            _ => None,
        };
        Some((page, top.map(|top| page_height - top.as_f64())))
    }

    /// The place with a name.
    fn named(&mut self, name: &[u8]) -> Option<Array<'a>> {
        if self.names.is_none() {
            let mut names = BTreeMap::new();
            if let Some(old) = self.catalogue.get::<Dict<'a>>(DESTS) {
                let places = old.keys().take(MOST_ENTRIES).filter_map(|key| Some((key.to_vec(), old.get(&*key)?)));
                names.extend(places);
            }
            if let Some(root) = self.catalogue.get::<Dict<'a>>(NAMES).and_then(|names| names.get_ref(DESTS)) {
                self.read_names(root, &mut names, 0);
            }
            self.names = Some(names);
        }
        match self.names.as_ref()?.get(name)? {
            Object::Array(array) => Some(array.clone()),
            Object::Dict(dict) => dict.get::<Array<'a>>(D),
            _ => None,
        }
    }

    /// A node of the tree of names.
    fn read_names(&mut self, node: ObjRef, names: &mut BTreeMap<Vec<u8>, Object<'a>>, depth: u8) {
        if depth > DEEPEST_NAMES || names.len() > MOST_ENTRIES || !self.seen.insert(node.obj_number) {
            return;
        }
        let Some(node) = self.pdf.xref().get::<Dict<'a>>(node.into()) else { return };
        if let Some(pairs) = node.get::<Array<'a>>(NAMES) {
            let mut pairs = pairs.flex_iter();
            while let (Some(name), Some(place)) = (pairs.next::<Text<'_>>(), pairs.next::<Object<'a>>()) {
                names.insert(name.as_bytes().to_vec(), place);
            }
        }
        if let Some(kids) = node.get::<Array<'a>>(KIDS) {
            for kid in kids.raw_iter().filter_map(|kid| kid.as_obj_ref()) {
                self.read_names(kid, names, depth + 1);
            }
        }
    }
}

/// The characters of the titles that stand on no page, if they are a text beside the document: all titles of 44 theses together are .024 of
/// their letters at most, and those that no page has .001.
pub(super) fn besides(outline: &[Bookmark], lines: &[&str]) -> u32 {
    let sum = |texts: &[&str]| texts.iter().map(|text| letters(text)).sum::<usize>();
    let mut titles: Vec<&str> = outline.iter().map(|bookmark| bookmark.title.as_str()).collect();
    let of_titles = sum(&titles);
    let least = if of_titles < LEAST { LEAST } else { LEAST.max(sum(lines) / FEW_ONE_IN) };
    if of_titles < least {
        return 0;
    }
    let text = lines.concat();
    let known = Known::of(&text);
    titles.retain(|title| !known.holds(title.chars()));
    if sum(&titles) < least {
        return 0;
    }
    titles.iter().flat_map(|title| title.chars()).filter(|character| !character.is_whitespace()).count() as u32
}

/// A text string: UTF-16 or UTF-8 behind their marks, else nearly Latin-1.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let (encoding, _) = encoding_rs::Encoding::for_bom(bytes).unwrap_or((encoding_rs::WINDOWS_1252, 0));
    encoding.decode(bytes).0.chars().filter(|c| !c.is_control()).collect()
}
