//! EPUB books (EPUB 3.3): the pages of the spine, in order, each read as HTML.

use std::collections::{BTreeMap, BTreeSet};

use super::missing::CHAPTER;
use super::package::Package;
use super::references::inside;
use super::unplaced::Unplaced;
use super::xml::{each_element, first_texts};
use super::{Damage, ExtractError, Extracted, Format, html, pictures, signature};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::{Layout, LeftOut, Mark, MarkKind};

/// Bytes of style sheets that are read of one book.
const STYLE_BYTES: usize = 256 << 10;

/// Begins what a page says that a name stands for, which readers show in its place.
const ENTITY: &str = "<!ENTITY";

/// Takes out the text of all pages that belong to the reading order, and the metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let mut package = Package::open(bytes, ".epub", limits)?;
    let book_name = book_name(&package.required("META-INF/container.xml")?, limits)?;
    let book = package.required(&book_name)?;
    let [title, author, date] = first_texts(&book_name, &book, limits, ["title", "creator", "date"])?;
    let mut all =
        Extracted { metadata: Metadata { title, author, date, ..Metadata::default() }, ..Extracted::default() };
    let (mut characters, mut marks, mut unplaced) = (0, Vec::new(), Unplaced::default());
    let pages = spine(&book_name, &book, limits)?;
    let styles = style_sheets(&mut package, &pages.kinds);
    let pictures = pictures::of_package(&mut package);
    let apart = apart(&mut package, &pages.spine, &book_name)?;
    for PageReference { reference, is_contents, .. } in pages.spine {
        let Some(name) = inside(&book_name, &reference) else { continue };
        let bytes = package.part(&name)?;
        let is_page = |bytes: &Vec<u8>| signature::recognise(bytes, Format::Html).is_ok_and(|is| is == Format::Html);
        let Some(bytes) = bytes.filter(is_page) else {
            // A page of the reading order that is not in the book, or is none.
            marks.push(Mark { kind: MarkKind::LeftOut(LeftOut::Missing, CHAPTER), start: characters, end: characters });
            continue;
        };
        let book = html::Book { styles: &styles, pictures: &pictures, page: &name };
        let page = html::extract_of_book(&bytes, Some(book))?;
        if !all.text.is_empty() && !page.text.is_empty() {
            all.text.push_str("\n\n");
            characters += 2;
        }
        let shift = |mark: &Mark| Mark { start: mark.start + characters, end: mark.end + characters, ..*mark };
        marks.extend(page.layout.marks().iter().map(shift));
        let start = characters;
        characters += page.text.chars().count() as u32;
        if apart.contains(&name) && start < characters {
            marks.push(Mark { kind: MarkKind::Unjudged, start, end: characters });
        }
        if is_contents && start < characters {
            marks.push(Mark { kind: MarkKind::Contents, start, end: characters });
        }
        all.text.push_str(&page.text);
        all.replaced += page.replaced;
        if let Some(page) = str::from_utf8(&bytes).ok().filter(|page| page.contains(ENTITY)) {
            html::scripts::texts(page).iter().for_each(|text| unplaced.add(characters, text, None));
        }
    }
    // A table of contents that is no page says the headings once more.
    let navigation: Vec<String> =
        pages.navigation.iter().filter_map(|reference| inside(&book_name, reference)).collect();
    let (contents, unread): (Vec<String>, Vec<String>) =
        package.unread().into_iter().partition(|name| navigation.contains(name));
    let unread = texts_of(&mut package, unread, &pages.kinds);
    let count: usize = unread.iter().map(|text| text.chars().filter(|c| !c.is_whitespace()).count()).sum();
    if count > 0 {
        let kind = MarkKind::LeftOut(LeftOut::Unread, count as u32);
        marks.push(Mark { kind, start: characters, end: characters });
    }
    // What it says besides is shown by every reading program, and nowhere in the text.
    for text in texts_of(&mut package, contents, &pages.kinds) {
        unplaced.add(characters, &text, Some(LeftOut::Alternate));
    }
    unplaced.append(elsewhere(&mut package, characters), |at| at);
    marks.extend(unplaced.marks(&all.text));
    all.layout = Layout::new(marks);
    Ok(all)
}

/// What a page says of which a style sheet is not read: nobody knows what it hides.
const UNREAD_SHEET: &str = "@import 'data:';";

/// The style sheets of the book, as far as they are of usual size.
fn style_sheets(package: &mut Package<'_>, kinds: &Kinds) -> String {
    let mut styles = String::new();
    let is_sheet = |name: &&String| name.ends_with(".css") || is_of_kind(kinds, name, &["css"]);
    for name in package.unread().iter().filter(is_sheet) {
        if let Ok(Some(part)) = package.part(name) {
            let is_usual = styles.len() + part.len() <= STYLE_BYTES;
            if is_usual {
                styles.push_str(&String::from_utf8_lossy(&part));
            } else {
                styles.insert_str(0, UNREAD_SHEET);
            }
        }
    }
    styles
}

/// The texts of those of the parts that are pages.
fn texts_of(package: &mut Package<'_>, names: Vec<String>, kinds: &Kinds) -> Vec<String> {
    let is_page = |name: &&String| {
        name.ends_with("html") || name.ends_with(".htm") || is_of_kind(kinds, name, &["html", "text/plain", "oeb1"])
    };
    let mut texts = Vec::new();
    for name in names.iter().filter(is_page) {
        let Ok(Some(part)) = package.part(name) else { continue };
        texts.extend(html::extract(&part).map(|page| page.text));
    }
    texts
}

/// What the parts hold that are no pages: lists of headings, entities, scripts.
fn elsewhere(package: &mut Package<'_>, at: u32) -> Unplaced {
    let mut unplaced = Unplaced::default();
    for name in package.unread() {
        let Ok(Some(part)) = package.part(&name) else { continue };
        let Ok(part) = str::from_utf8(&part) else { continue };
        let is_marked_up = part.trim_start().starts_with('<') && !part.contains(ENTITY);
        match is_marked_up.then(|| html::extract(part.as_bytes())) {
            Some(Ok(page)) => unplaced.add(at, &page.text, None),
            _ => html::scripts::texts(part).iter().for_each(|text| unplaced.add(at, text, None)),
        }
    }
    unplaced
}

/// The name of the part that describes the book.
fn book_name(container: &[u8], limits: &ReadLimits) -> Result<String, ExtractError> {
    let mut found = None;
    each_element("META-INF/container.xml", container, limits, |element| {
        if element.name() == "rootfile" && found.is_none() {
            found = element.attribute("full-path");
        }
    })?;
    found.ok_or_else(|| Damage::NoBook.into())
}

/// A reference to a page.
struct PageReference {
    reference: String,
    /// It is the table of contents.
    is_contents: bool,
    /// It stands in the order in which a reader turns the pages.
    is_linear: bool,
}

/// The pages out of that order which no other page names: a reader may never get to them.
fn apart(package: &mut Package<'_>, spine: &[PageReference], book: &str) -> Result<BTreeSet<String>, ExtractError> {
    let name = |page: &PageReference| inside(book, &page.reference);
    let mut apart: BTreeSet<String> = spine.iter().filter(|page| !page.is_linear).filter_map(name).collect();
    for page in spine.iter().filter_map(name) {
        if apart.is_empty() {
            break;
        }
        let bytes = package.part(&page)?.unwrap_or_default();
        let is_named = |other: &String| {
            let file = other.rsplit('/').next().unwrap_or_default();
            *other != page && memchr::memmem::find(&bytes, file.as_bytes()).is_some()
        };
        apart.retain(|other| !is_named(other));
    }
    Ok(apart)
}

/// What the book says that its parts are, by their names: programs follow that, whatever a name ends with.
type Kinds = BTreeMap<String, String>;

fn is_of_kind(kinds: &Kinds, name: &str, wanted: &[&str]) -> bool {
    kinds.get(name).is_some_and(|kind| wanted.iter().any(|wanted| kind.contains(wanted)))
}

/// The pages in reading order, each once, and the references of tables of contents.
struct Pages {
    spine: Vec<PageReference>,
    navigation: Vec<String>,
    kinds: Kinds,
}

fn spine(name: &str, book: &[u8], limits: &ReadLimits) -> Result<Pages, ExtractError> {
    let mut items = BTreeMap::new();
    let mut kinds = Kinds::new();
    let mut order = Vec::new();
    each_element(name, book, limits, |element| match element.name() {
        "item" => {
            if let (Some(id), Some(reference)) = (element.attribute("id"), element.attribute("href")) {
                let properties = element.attribute("properties").unwrap_or_default();
                let is_contents = properties.split_ascii_whitespace().any(|property| property == "nav");
                let kind = element.attribute("media-type").unwrap_or_default().to_ascii_lowercase();
                kinds.extend(inside(name, &reference).map(|part| (part, kind)));
                items.insert(id, (reference, is_contents));
            }
        }
        "itemref" => order.extend(element.attribute("idref").map(|id| (id, !element.is("linear", "no")))),
        _ => {}
    })?;
    let navigation = items.values().filter(|(_, is_contents)| *is_contents).map(|(reference, _)| reference.clone());
    let navigation = navigation.collect();
    let page = |(id, is_linear)| {
        items.remove(&id).map(|(reference, is_contents)| PageReference { reference, is_contents, is_linear })
    };
    let spine = order.into_iter().filter_map(page).collect();
    Ok(Pages { spine, navigation, kinds })
}
