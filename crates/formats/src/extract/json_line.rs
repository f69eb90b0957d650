//! A line of a JSON-lines file: an object with a `text`, perhaps an `id`, and metadata.

use serde::Deserialize;
use serde_json::Value;

use super::error::said;
use super::{ExtractError, Extracted, require_text};
use crate::json_fields::{FIELDS, JsonFields};
use copytrace_text::Metadata;

/// A document from a JSON line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonDocument {
    /// The `id` field, if it is a string that is not empty, or a whole number.
    pub id: Option<String>,
    /// The text and the metadata.
    pub extracted: Extracted,
}

/// The fields that are read; any others may be there.
#[derive(Deserialize)]
struct Fields {
    id: Option<Value>,
    text: Option<Value>,
    title: Option<Value>,
    author: Option<Value>,
    date: Option<Value>,
    collection: Option<Value>,
    url: Option<Value>,
    licence: Option<Value>,
}

/// The fields of a line, by the names that they have there.
fn fields(line: &[u8], names: &JsonFields) -> serde_json::Result<Fields> {
    if *names == JsonFields::default() {
        return serde_json::from_slice(line);
    }
    let mut all: serde_json::Map<String, Value> = serde_json::from_slice(line)?;
    // One column may be two fields: an address that is the id too.
    let mut take = |field: &str| {
        let name = names.named(field);
        let is_needed_again = FIELDS.iter().filter(|field| names.named(field) == name).count() > 1;
        if is_needed_again { all.get(name).cloned() } else { all.remove(name) }
    };
    Ok(Fields {
        id: take("id"),
        text: take("text"),
        title: take("title"),
        author: take("author"),
        date: take("date"),
        collection: take("collection"),
        url: take("url"),
        licence: take("licence"),
    })
}

/// Reads one line, in UTF-8. On an error the `id` comes along if the line still told it.
pub fn extract_json_line(line: &[u8], names: &JsonFields) -> Result<JsonDocument, (Option<String>, ExtractError)> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    // A list could pass for an object whose fields come in order.
    if !line.starts_with(b"{") {
        return Err((None, ExtractError::InvalidJson { said: said("it does not start with {") }));
    }
    let fields: Fields =
        fields(line, names).map_err(|error| (None, ExtractError::InvalidJson { said: said(error) }))?;
    let id = match fields.id {
        Some(Value::String(id)) if !id.is_empty() => Some(id),
        Some(Value::Number(id)) if !id.is_f64() => Some(id.to_string()),
        _ => None,
    };
    let text = match fields.text {
        Some(Value::String(text)) => text,
        Some(_) => return Err((id, ExtractError::TextNotString)),
        None => return Err((id, ExtractError::NoTextField)),
    };
    if let Err(error) = require_text(&text) {
        return Err((id, error));
    }
    let metadata = Metadata {
        title: string(fields.title),
        author: string(fields.author),
        date: string(fields.date),
        collection: string(fields.collection),
        url: string(fields.url),
        licence: string(fields.licence),
    };
    Ok(JsonDocument { id, extracted: Extracted { text, metadata, ..Extracted::default() } })
}

fn string(value: Option<Value>) -> Option<String> {
    match value {
        Some(Value::String(string)) => Some(string),
        _ => None,
    }
}
