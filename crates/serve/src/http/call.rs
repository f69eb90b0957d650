//! A request as its handler sees it: who it is from, and what came with it.

use crate::app::App;
use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, NOT_SIGNED_IN, refused};
use crate::pages::words::Words;
use crate::people::session::Caller;
use crate::submissions::Uploaded;
use crate::table;
use axum::http::HeaderMap;
use copytrace::report::messages::Language;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// A request whose caller may make it.
pub struct Call {
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
}

/// The fields of a body.
#[derive(Debug, Default)]
pub enum Fields {
    /// There are none.
    #[default]
    None,
    /// Those of a form; a name may occur several times.
    Form(Vec<(String, String)>),
    /// Those of a JSON object.
    Json(Value),
}

impl Call {
    /// Who it is from.
    ///
    /// # Errors
    /// When nobody is signed in, which routes for everybody only meet.
    pub fn caller(&self) -> Result<&Caller, Fault> {
        self.caller.as_ref().ok_or(Fault::from(&NOT_SIGNED_IN))
    }

    /// The words of its language.
    pub fn words(&self) -> &'static Words {
        Words::of(self.language)
    }

    /// A part of the path.
    ///
    /// # Errors
    /// When the route has no such part.
    pub fn part(&self, name: &str) -> Result<&str, Fault> {
        self.path.get(name).map(String::as_str).ok_or(Fault::from(&NOT_FOUND))
    }

    /// A part of the path that is a number.
    ///
    /// # Errors
    /// When it is none.
    pub fn number(&self, name: &str) -> Result<i64, Fault> {
        self.part(name)?.parse().map_err(|_| Fault::from(&NOT_FOUND))
    }

    /// A field, as text; none if it is missing or empty.
    pub fn field(&self, name: &str) -> Option<String> {
        let found = match &self.fields {
            Fields::None => None,
            Fields::Form(fields) => fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
            Fields::Json(object) => match object.get(name)? {
                Value::String(text) => Some(text.clone()),
                Value::Null | Value::Array(_) | Value::Object(_) => None,
                other => Some(other.to_string()),
            },
        };
        found.filter(|value| !value.trim().is_empty())
    }

    /// All values of a field.
    pub fn all(&self, name: &str) -> Vec<String> {
        match &self.fields {
            Fields::None => Vec::new(),
            Fields::Form(fields) => {
                fields.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone()).collect()
            }
            Fields::Json(object) => {
                let list = object.get(name).and_then(Value::as_array);
                list.into_iter()
                    .flatten()
                    .map(|value| value.as_str().map_or(value.to_string(), str::to_owned))
                    .collect()
            }
        }
    }

    /// A field that must be there.
    ///
    /// # Errors
    /// When it is not, or has a character that no text for people has.
    pub fn needed(&self, name: &str) -> Result<String, Fault> {
        match self.field(name) {
            Some(value) if !value.chars().any(|c| c.is_control() && c != '\n' && c != '\r' && c != '\t') => Ok(value),
            _ => refused(&BAD_FIELD, name),
        }
    }

    /// A field that must be a number or the like.
    ///
    /// # Errors
    /// When it is not.
    pub fn parsed<T: std::str::FromStr>(&self, name: &str) -> Result<T, Fault> {
        self.needed(name)?.trim().parse().or_else(|_| refused(&BAD_FIELD, name))
    }

    /// The whole body as a value of the programming interface.
    ///
    /// # Errors
    /// When it has another form.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        match &self.fields {
            Fields::Json(value) => {
                serde_json::from_value(value.clone()).or_else(|error| refused(&BAD_FIELD, error.to_string()))
            }
            _ => refused(&BAD_FIELD, "a JSON object is needed"),
        }
    }

    /// The one file that must have come.
    ///
    /// # Errors
    /// When there is none or it is empty.
    pub fn file(&self) -> Result<&Uploaded, Fault> {
        match self.files.as_slice() {
            [file] if file.bytes == 0 => refused(&crate::fault::EMPTY_FILE, &file.name),
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
        if file.bytes > 8 << 20 {
            return Err((&crate::fault::TOO_LARGE).into());
        }
        let ending = file.name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        if !["csv", "tsv", "txt", "xlsx", "xlsm"].contains(&ending.as_str()) {
            return refused(&BAD_FIELD, format!("{}: a list is a .csv or .xlsx file", file.name));
        }
        let bytes = std::fs::read(self.app.data.join(&file.file))?;
        table::rows(&file.name, &bytes).or_else(|error| refused(&BAD_FIELD, format!("{}: {error}", file.name)))
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
