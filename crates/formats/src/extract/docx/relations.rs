//! Which part of a package is what: by relationships (ISO/IEC 29500-2), not by names.

use std::collections::BTreeMap;

use crate::extract::ExtractError;
use crate::extract::package::Package;
use crate::extract::references::inside;
use crate::extract::xml::each_element;
use crate::limits::ReadLimits;

/// The parts that a document's body relates to and that lie beside it under these names.
const USUAL: [&str; 5] = ["styles", "numbering", "settings", "footnotes", "endnotes"];

/// The relationships of one part.
#[derive(Default)]
pub(super) struct Relations {
    /// The target's name by the relationship's id.
    targets: BTreeMap<String, String>,
    /// The first target's name by the last word of the relationship's type, such as `styles`.
    kinds: BTreeMap<String, String>,
}

impl Relations {
    /// The relationships of a part; the package's own, for the empty name.
    pub(super) fn of(package: &mut Package<'_>, part: &str, limits: &ReadLimits) -> Result<Self, ExtractError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = format!("{folder}/_rels/{file}.rels");
        let name = name.trim_start_matches('/');
        let mut relations = Relations::default();
        let Some(bytes) = package.part(name)? else {
            // Small writers leave the relationships out: the usual names stand for them.
            for kind in USUAL.iter().filter(|_| !part.is_empty()) {
                relations.kinds.extend(inside(part, &format!("{kind}.xml")).map(|target| ((*kind).to_owned(), target)));
            }
            return Ok(relations);
        };
        each_element(name, &bytes, limits, |element| {
            if element.name() == "Relationship"
                && !element.is("TargetMode", "External")
                && let (Some(id), Some(target)) = (element.attribute("Id"), element.attribute("Target"))
                && let Some(target) = inside(part, &target)
            {
                if let Some((_, kind)) = element.attribute("Type").as_deref().and_then(|kind| kind.rsplit_once('/')) {
                    relations.kinds.entry(kind.to_owned()).or_insert_with(|| target.clone());
                }
                relations.targets.insert(id, target);
            }
        })?;
        Ok(relations)
    }

    pub(super) fn target(&self, id: &str) -> Option<&str> {
        self.targets.get(id).map(String::as_str)
    }

    /// The ids, each with the name of its part.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.targets.iter().map(|(id, name)| (id.as_str(), name.as_str()))
    }

    pub(super) fn of_kind(&self, kind: &str) -> Option<&str> {
        self.kinds.get(kind).map(String::as_str)
    }
}

/// The relationships of the package itself. Older writers leave some out: the usual names stand for them.
pub(super) fn of_package(package: &mut Package<'_>, limits: &ReadLimits) -> Result<Relations, ExtractError> {
    let mut relations = Relations::of(package, "", limits)?;
    for (kind, name) in [
        ("officeDocument", "word/document.xml"),
        ("core-properties", "docProps/core.xml"),
        ("extended-properties", "docProps/app.xml"),
        ("custom-properties", "docProps/custom.xml"),
    ] {
        relations.kinds.entry(kind.to_owned()).or_insert_with(|| name.to_owned());
    }
    Ok(relations)
}

/// The name of the part with the document's body.
pub(super) fn main_part(package: &mut Package<'_>, limits: &ReadLimits) -> Result<String, ExtractError> {
    let relations = of_package(package, limits)?;
    Ok(relations.of_kind("officeDocument").unwrap_or_default().to_owned())
}
