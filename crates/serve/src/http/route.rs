//! An address with a method: who may ask for it, what it takes, and what it does.

use super::call::Call;
use super::reply::Reply;
use crate::fault::Fault;
use crate::people::Role;
use crate::people::session::Scope;
use axum::http::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What a request may bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Fields of a form, or a JSON object.
    Fields,
    /// Fields from another server, which prove by themselves what they say.
    Notice,
    /// Fields with a password, which takes time to be looked at.
    Password,
    /// Fields and one file of up to 100 MiB.
    File,
    /// The same, from somebody who may hand it in now.
    Submission,
    /// Fields and one archive of up to 2 GiB.
    Archive,
    /// Fields, and files and archives of up to 2 GiB each.
    Files,
}

impl Takes {
    /// Whether files come with it.
    pub fn is_upload(self) -> bool {
        matches!(self, Takes::File | Takes::Submission | Takes::Archive | Takes::Files)
    }
}

/// An address with a method.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path; what stands in braces varies.
    pub path: &'static str,
    /// Whether one person alone has a use for it: a desk serves it too, and nothing of who people are, what they hand in and what they
    /// decide for others.
    pub alone: bool,
    /// Who may ask for it, signed in or not if these are none. Of most objects people see only those that they have access to:
    /// all others look as if they did not exist.
    pub roles: &'static [Role],
    /// What it takes.
    pub takes: Takes,
    /// The scope that a token needs; without one tokens are of no use here.
    pub scope: Option<Scope>,
    /// What it does.
    pub about: &'static str,
    /// Does it.
    pub handle: fn(&Call) -> Result<Reply, Fault>,
    /// What the programming interface says of it.
    pub described: Option<Described>,
}

impl Route {
    /// Whether people who are not signed in may ask for it.
    pub fn is_for_everybody(&self) -> bool {
        self.roles.is_empty()
    }

    /// Whether people of this role may ask for it.
    pub fn is_for(&self, role: Role) -> bool {
        self.is_for_everybody() || self.roles.contains(&role)
    }
}

/// What the description of the programming interface says of an operation.
pub struct Described {
    /// The schema of the fields that it takes.
    pub fields: Option<Schema>,
    /// The status of the answer when it is done.
    pub status: u16,
    /// What the answer is.
    pub answer: Answer,
}

/// The content of an answer.
pub enum Answer {
    /// There is none.
    Nothing,
    /// Bytes of this type.
    Bytes(&'static str),
    /// JSON of this schema.
    Json(Schema),
}

/// The schemas that the description names.
pub type Schemas = BTreeMap<String, Value>;

/// Adds a schema to those that are named, and gives the reference to it.
pub type Schema = fn(&mut Schemas) -> Value;

/// The schema of a type.
pub fn schema<T: ToSchema>(known: &mut Schemas) -> Value {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    known.extend(schemas.into_iter().map(|(name, schema)| (name, json!(schema))));
    json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
}

/// The schema of a page of a list of these.
pub fn schema_of_list<T: ToSchema>(known: &mut Schemas) -> Value {
    let items = json!({ "type": "array", "items": schema::<T>(known) });
    let next = json!({ "type": ["string", "null"], "description": "`after` of the next page" });
    json!({ "type": "object", "required": ["items", "next"], "properties": { "items": items, "next": next } })
}
