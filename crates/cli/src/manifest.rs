//! A manifest: what is known of documents besides their texts, in a CSV file.

use anyhow::Context;
use copytrace::text::{Document, Metadata};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// The rows of a manifest, by path.
#[derive(Debug, Default)]
pub struct Manifest(HashMap<String, Row>);

#[derive(Debug, Deserialize)]
struct Row {
    path: String,
    id: Option<String>,
    title: Option<String>,
    author: Option<String>,
    date: Option<String>,
    collection: Option<String>,
}

impl Manifest {
    /// Reads a manifest; none given is an empty one.
    pub fn read(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Manifest::default()) };
        let context = || format!("{}: not a manifest", path.display());
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).with_context(context)?;
        let mut rows = HashMap::new();
        for row in reader.deserialize() {
            let row: Row = row.with_context(context)?;
            if let Some(twice) = rows.insert(row.path.clone(), row) {
                anyhow::bail!("{}: it names the path {} twice", path.display(), twice.path);
            }
        }
        Ok(Manifest(rows))
    }

    /// Gives a document the id and metadata of its row, where it has one. What the row leaves empty stays as it was.
    pub fn complete(&mut self, mut document: Document) -> Document {
        let Some(row) = self.0.remove(&document.id) else { return document };
        let known = document.metadata;
        document.vouched_author = row.author.clone().filter(|author| !author.is_empty()).or(document.vouched_author);
        let filled = |new: Option<String>, old: Option<String>| new.filter(|value| !value.is_empty()).or(old);
        document.metadata = Metadata {
            title: filled(row.title, known.title),
            author: filled(row.author, known.author),
            date: filled(row.date, known.date),
            collection: filled(row.collection, known.collection),
        };
        if let Some(id) = row.id.filter(|id| !id.is_empty()) {
            document.id = id;
        }
        document
    }

    /// Paths that no document had, in order.
    pub fn unused(self) -> Vec<String> {
        let mut paths: Vec<String> = self.0.into_keys().collect();
        paths.sort();
        paths
    }
}
