//! Formulas, which OpenDocument keeps as objects in MathML.

use std::collections::BTreeMap;

use crate::extract::package::Package;
use crate::extract::{Extracted, html};
use copytrace_text::layout::MarkKind;

/// Where the content of an object stands in its folder.
const CONTENT: &str = "/content.xml";

/// The formulas of a package by the names of their objects, read as a page of HTML shows them.
pub(super) fn of_package(package: &mut Package<'_>) -> BTreeMap<String, Extracted> {
    let mut formulas = BTreeMap::new();
    for part in package.unread() {
        let Some(name) = part.strip_suffix(CONTENT) else { continue };
        let is_formula = |(start, _): (Vec<u8>, u64)| start.windows(5).any(|bytes| bytes == b"<math");
        if !package.start(&part).is_some_and(is_formula) {
            continue;
        }
        let Ok(Some(bytes)) = package.part(&part) else { continue };
        let as_text = || Extracted { text: String::from_utf8_lossy(&bytes).into_owned(), ..Extracted::default() };
        formulas.insert(name.to_owned(), html::extract(&bytes).unwrap_or_else(|_| as_text()));
    }
    formulas
}

/// Whether it was read as one.
pub(super) fn is_formula(formula: &Extracted) -> bool {
    formula.layout.of(MarkKind::Formula).next().is_some()
}

/// The name of the object that an address leads to.
pub(super) fn name(address: &str) -> &str {
    address.trim_start_matches("./").trim_end_matches('/')
}
