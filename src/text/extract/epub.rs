//! EPUB books (EPUB 3.3): the pages of the spine, in order, each read as HTML.

use std::collections::BTreeMap;

use super::package::{Package, inside};
use super::xml::{Node, first_texts, walk};
use super::{ExtractError, Extracted, html};
use crate::text::Metadata;
use crate::text::layout::{Layout, Mark};
use crate::text::limits::ReadLimits;

/// Takes out the text of all pages that belong to the reading order, and the metadata.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let mut package = Package::open(bytes, limits)?;
    let book_name = book_name(&package.required("META-INF/container.xml")?, limits)?;
    let book = package.required(&book_name)?;
    let [title, author, date] = first_texts(&book_name, &book, limits, ["title", "creator", "date"])?;
    let mut all = Extracted { metadata: Metadata { title, author, date, collection: None }, ..Extracted::default() };
    let (mut characters, mut marks) = (0, Vec::new());
    for reference in spine(&book_name, &book, limits)? {
        let Some(name) = inside(&book_name, &reference) else { continue };
        let Some(bytes) = package.part(&name)? else { continue };
        let page = html::extract(&bytes)?;
        if page.text.is_empty() {
            continue;
        }
        if !all.text.is_empty() {
            all.text.push_str("\n\n");
            characters += 2;
        }
        let shift = |mark: &Mark| Mark { start: mark.start + characters, end: mark.end + characters, ..*mark };
        marks.extend(page.layout.marks().iter().map(shift));
        characters += page.text.chars().count() as u32;
        all.text.push_str(&page.text);
        all.replaced += page.replaced;
    }
    all.layout = Layout::new(marks);
    Ok(all)
}

/// The name of the part that describes the book.
fn book_name(container: &[u8], limits: &ReadLimits) -> Result<String, ExtractError> {
    let mut found = None;
    walk("META-INF/container.xml", container, limits, |node| {
        if let Node::Start(element) = node
            && element.name() == "rootfile"
            && found.is_none()
        {
            found = element.attribute("full-path");
        }
        Ok(())
    })?;
    found.ok_or_else(|| ExtractError::Damaged("META-INF/container.xml names no book".to_owned()))
}

/// The references of the pages in reading order; each page once.
fn spine(name: &str, book: &[u8], limits: &ReadLimits) -> Result<Vec<String>, ExtractError> {
    let mut items = BTreeMap::new();
    let mut order = Vec::new();
    walk(name, book, limits, |node| {
        if let Node::Start(element) = node {
            match element.name() {
                "item" => {
                    // The table of contents of a book is for the reading program.
                    let navigation = element.attribute("properties").is_some_and(|list| list.contains("nav"));
                    if let (Some(id), Some(reference), false) =
                        (element.attribute("id"), element.attribute("href"), navigation)
                    {
                        items.insert(id, reference);
                    }
                }
                "itemref" => order.extend(element.attribute("idref")),
                _ => {}
            }
        }
        Ok(())
    })?;
    Ok(order.into_iter().filter_map(|id| items.remove(&id)).collect())
}
