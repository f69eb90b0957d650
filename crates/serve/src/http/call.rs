//! A request as its handler sees it: who it is from, and what came with it.

use super::once::Key;
use super::route::Route;
use crate::app::App;
use crate::fault::{BAD_FIELD, EMPTY_FILE, Fault, NOT_FOUND, NOT_SIGNED_IN, refused, too_large};
use crate::people::session::Caller;
use crate::submissions::Uploaded;
use crate::table;
use axum::http::HeaderMap;
use copytrace::messages::Language;
use copytrace_messages::message;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of a list of people, which has thousands of rows at most.
const MOST_OF_LIST: u64 = 8 << 20;

/// A request whose caller may make it.
pub struct Call {
    /// What it asks for.
    pub route: &'static Route,
    /// What all requests share.
    pub app: Arc<App>,
    /// Who it is from.
    pub caller: Option<Caller>,
    /// Where it is from.
    pub address: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// The parts of its path that vary.
    pub path: HashMap<String, String>,
    /// What stands behind the path.
    pub query: HashMap<String, String>,
    /// The fields of its form, or of its JSON.
    pub fields: Fields,
    /// The files that came with it.
    pub files: Vec<Uploaded>,
    /// The caller's language.
    pub language: Language,
    /// By what it is known again, if it is to be done once.
    pub key: Option<Key>,
}

/// The fields of a body.
#[derive(Debug)]
pub enum Fields {
    /// Those of a form, as browsers encode them; a name may occur several times. Fields that were left empty are not there.
    Form(String),
    /// Those of a JSON object.
    Json(Map<String, Value>),
}

impl Default for Fields {
    fn default() -> Self {
        Fields::Form(String::new())
    }
}

impl Fields {
    /// The fields of a form.
    ///
    /// # Errors
    /// When one has a character that no text for people has.
    pub fn of_form(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, Fault> {
        let mut form = form_urlencoded::Serializer::new(String::new());
        for (name, value) in pairs.into_iter().filter(|(_, value)| !value.trim().is_empty()) {
            is_text(&name, &value)?;
            form.append_pair(&name, &value);
        }
        Ok(Fields::Form(form.finish()))
    }

    /// The fields of a JSON object.
    ///
    /// # Errors
    /// When one has a character that no text for people has.
    pub fn of_json(object: Map<String, Value>) -> Result<Self, Fault> {
        object.iter().try_for_each(|(name, value)| is_text(name, value.as_str().unwrap_or_default()))?;
        Ok(Fields::Json(object))
    }

    /// What a field says; several times if it occurs several times, or is a list.
    pub fn values(&self, name: &str) -> Vec<String> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match self {
            Fields::Json(object) => match object.get(name) {
                None | Some(Value::Null) => Vec::new(),
                Some(Value::Array(values)) => values.iter().map(text).collect(),
                Some(value) => vec![text(value)],
            },
            Fields::Form(form) => {
                let pairs = form_urlencoded::parse(form.as_bytes());
                pairs.filter(|(known, _)| known == name).map(|(_, value)| value.into_owned()).collect()
            }
        }
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        match self {
            Fields::Json(object) => {
                let read = serde_json::from_value(Value::Object(object.clone()));
                read.or_else(|error| refused(&BAD_FIELD, error.to_string()))
            }
            Fields::Form(form) => {
                let form = serde_html_form::Deserializer::new(form_urlencoded::parse(form.as_bytes()));
                serde_path_to_error::deserialize(form).or_else(|error| {
                    // People are told which field it is.
                    let (field, said) = (error.path().to_string(), error.inner().to_string());
                    let missing = said.strip_prefix("missing field `").map(|name| name.trim_end_matches('`'));
                    refused(&BAD_FIELD, missing.unwrap_or(&field))
                })
            }
        }
    }
}

fn is_text(name: &str, value: &str) -> Result<(), Fault> {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if value.chars().any(is_control) { refused(&BAD_FIELD, name) } else { Ok(()) }
}

impl Call {
    /// Who it is from.
    ///
    /// # Errors
    /// When nobody is signed in, which happens on routes for everybody only.
    pub fn caller(&self) -> Result<&Caller, Fault> {
        Ok(self.caller.as_ref().ok_or(&NOT_SIGNED_IN)?)
    }

    /// A part of the path.
    ///
    /// # Errors
    /// When the route has no such part.
    pub fn part(&self, name: &str) -> Result<&str, Fault> {
        Ok(self.path.get(name).ok_or(&NOT_FOUND)?)
    }

    /// A part of the path that is a number.
    ///
    /// # Errors
    /// When it is none.
    pub fn number(&self, name: &str) -> Result<i64, Fault> {
        Ok(self.part(name)?.parse().map_err(|_| &NOT_FOUND)?)
    }

    /// The fields, as a value of a form or of the programming interface.
    ///
    /// # Errors
    /// When a field is missing, or has a value that is not allowed.
    pub fn fields<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        self.fields.read()
    }

    /// A parameter behind the path; empty if there is none of this name.
    pub fn parameter(&self, name: &str) -> &str {
        self.query.get(name).map_or("", String::as_str)
    }

    /// The one file that must have come.
    ///
    /// # Errors
    /// When there is none or it is empty.
    pub fn file(&self) -> Result<&Uploaded, Fault> {
        match self.files.as_slice() {
            [file] if file.bytes == 0 => refused(&EMPTY_FILE, &file.name),
            [file] => Ok(file),
            _ => refused(&BAD_FIELD, "file"),
        }
    }

    /// The rows of the one file that must have come, which is a list (CSV or a workbook) and not large.
    ///
    /// # Errors
    /// When there is none, or it is too large for a list.
    pub fn list(&self) -> Result<Vec<Vec<String>>, Fault> {
        let file = self.file()?;
        if file.bytes > MOST_OF_LIST as i64 {
            return Err(too_large(MOST_OF_LIST));
        }
        let ending = file.name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        if !["csv", "tsv", "txt", "xlsx", "xlsm"].contains(&ending.as_str()) {
            return Err(Fault::Told(&BAD_FIELD, vec![message!("list-kind", file = file.name.as_str())]));
        }
        let bytes = std::fs::read(self.app.data.join(&file.file))?;
        let unread =
            |error: table::TableError| message!("list-unread", file = file.name.as_str(), said = error.to_string());
        table::rows(&file.name, &bytes).map_err(|error| Fault::Told(&BAD_FIELD, vec![unread(error)]))
    }

    /// Refuses what cannot be undone, unless the form says that the person is sure.
    ///
    /// # Errors
    /// When it does not.
    pub fn is_sure(&self) -> Result<(), Fault> {
        if self.fields.values("sure").is_empty() { refused(&BAD_FIELD, "sure") } else { Ok(()) }
    }

    /// The address by which this request reached the server, without a path. Its host was looked at when it was admitted.
    pub fn base(&self) -> String {
        let scheme = if self.app.secure { "https" } else { "http" };
        format!("{scheme}://{}", self.header("host").unwrap_or_default())
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

impl Drop for Call {
    /// What was uploaded and not taken is removed.
    fn drop(&mut self) {
        let files: Vec<String> = self.files.iter().map(|file| file.file.clone()).collect();
        self.app.remove_files(&files);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submissions::Kind;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Form {
        kind: Kind,
        days: Option<i64>,
        #[serde(default)]
        ticked: bool,
        #[serde(default)]
        collections: Vec<i64>,
    }

    fn read(pairs: &[(&str, &str)]) -> Result<Form, String> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Fields::of_form(pairs).and_then(|fields| fields.read()).map_err(|fault| match fault {
            Fault::Refused(refusal, field) if *refusal == BAD_FIELD => field,
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn a_form_is_read_into_its_type_and_a_field_that_is_wrong_is_named() {
        let pairs = [("kind", "final"), ("days", " "), ("ticked", "true"), ("collections", "1"), ("collections", "2")];
        let expected = Form { kind: Kind::Final, days: None, ticked: true, collections: vec![1, 2] };
        assert_eq!(read(&pairs), Ok(expected));
        let one = Form { kind: Kind::Practice, days: Some(7), ticked: false, collections: vec![3] };
        assert_eq!(read(&[("kind", "self"), ("days", "7"), ("collections", "3"), ("other", "x")]), Ok(one));
        for (pairs, field) in [
            (&[("days", "7")][..], "kind"),
            (&[("kind", "")], "kind"),
            (&[("kind", "thesis")], "kind"),
            (&[("kind", "draft"), ("days", "a week")], "days"),
            (&[("kind", "draft\u{0}")], "kind"),
        ] {
            assert_eq!(read(pairs), Err(field.to_owned()), "{pairs:?}");
        }
    }

    #[test]
    fn fields_of_json_are_read_into_the_same_types() {
        let object = serde_json::json!({ "kind": "draft", "days": 7, "collections": [1] });
        let fields = Fields::of_json(object.as_object().unwrap().clone()).unwrap();
        let expected = Form { kind: Kind::Draft, days: Some(7), ticked: false, collections: vec![1] };
        assert_eq!(fields.read::<Form>().unwrap(), expected);
        let control = serde_json::json!({ "kind": "draft\u{0}" });
        assert!(Fields::of_json(control.as_object().unwrap().clone()).is_err());
    }
}
