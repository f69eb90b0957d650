//! The fields of a document that is a line of JSON or a row of a table, and how they are named there.

/// What may be known of a document that is a line or a row.
pub const FIELDS: [&str; 8] = ["id", "text", "title", "author", "date", "collection", "url", "licence"];

/// The names that fields have in lines, or columns in tables, where they are not [`FIELDS`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JsonFields(Vec<(&'static str, String)>);

impl JsonFields {
    /// The name by which a field is looked for; the last one that it was given.
    pub fn named<'a>(&'a self, field: &'a str) -> &'a str {
        self.0.iter().rev().find(|(of, _)| *of == field).map_or(field, |(_, name)| name)
    }

    /// The same fields, one of them by another name. A field that there is not is passed over.
    pub fn with(mut self, field: &str, name: &str) -> Self {
        let known = FIELDS.into_iter().find(|known| *known == field && name != *known);
        self.0.extend(known.map(|known| (known, name.to_owned())));
        self
    }
}
