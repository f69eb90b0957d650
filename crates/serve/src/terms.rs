//! What students agree to before they hand in. Each version stays as it was; an agreement is to one of them.

use crate::audit;
use crate::fault::{BAD_FIELD, Fault, TERMS_NEEDED, refused};
use crate::store::rows::{self, read_by_name};
use crate::store::{Transaction, now};
use rusqlite::{Connection, params};

/// Bytes that a text has at most.
const LONGEST: usize = 50_000;

/// A version of the text.
#[derive(Debug, Clone, serde::Serialize, utoipa::ToSchema)]
pub struct Terms {
    /// Its number, from 1.
    pub version: i64,
    /// What it says.
    pub text: String,
    /// Since when it is the one to agree to.
    pub made: i64,
}

read_by_name!(Terms: version text made);

/// The version that is to be agreed to; none where the institution has none.
///
/// # Errors
/// When the database cannot be read.
pub fn latest(connection: &Connection) -> Result<Option<Terms>, rusqlite::Error> {
    rows::first(connection, "SELECT version, text, made FROM terms ORDER BY version DESC LIMIT 1", [])
}

/// The version that a person has yet to agree to before handing in.
///
/// # Errors
/// When the database cannot be read.
pub fn needed(connection: &Connection, person: &str) -> Result<Option<Terms>, rusqlite::Error> {
    let agreed = "SELECT 1 FROM agreement WHERE person = ?1 AND version = ?2";
    let Some(latest) = latest(connection)? else { return Ok(None) };
    Ok(if rows::exists(connection, agreed, params![person, latest.version])? { None } else { Some(latest) })
}

/// Writes a new version. One that says the same as the one before is none.
///
/// # Errors
/// When it is empty or too long.
pub fn write(t: &Transaction<'_>, by: &str, text: &str) -> Result<(), Fault> {
    let text = text.trim().replace("\r\n", "\n");
    if text.is_empty() || text.len() > LONGEST {
        return refused(&BAD_FIELD, "text");
    }
    let before = latest(t)?;
    if before.as_ref().is_some_and(|before| before.text == text) {
        return Ok(());
    }
    let version = before.map_or(1, |before| before.version + 1);
    t.execute("INSERT INTO terms VALUES (?1, ?2, ?3)", params![version, text, now()])?;
    audit::record(t, Some(by), audit::Action::WriteTerms, &version.to_string(), "")
}

/// Takes a person's agreement to a version, if one is needed.
///
/// # Errors
/// When one is needed and this is none, or is to another version.
pub fn agree(t: &Transaction<'_>, person: &str, to: Option<i64>) -> Result<(), Fault> {
    let Some(needed) = needed(t, person)? else { return Ok(()) };
    if to != Some(needed.version) {
        return refused(&TERMS_NEEDED, needed.version.to_string());
    }
    t.execute("INSERT INTO agreement VALUES (?1, ?2, ?3)", params![person, needed.version, now()])?;
    audit::record(t, Some(person), audit::Action::Agree, &needed.version.to_string(), "")
}
