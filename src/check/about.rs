//! What a report names: the program that made it, the submission, and what it was checked against; and the number by which the
//! report itself is named.

use crate::score::ratios::Ratios;
use crate::settings::Settings;
use crate::text::{Document, Metadata};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ops::Range;

/// The program that made a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a submission was checked against.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// What it is called: the paths it came from.
    pub name: String,
    /// How many documents it holds.
    pub documents: usize,
    /// The day of the latest addition (ISO 8601, UTC); none for a corpus that was read for this check.
    pub updated: Option<String>,
}

/// What is known of the submission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its id.
    pub id: String,
    /// Title, as the input told it.
    pub title: Option<String>,
    /// Author, as the input told it.
    pub author: Option<String>,
    /// Date, as the input told it.
    pub date: Option<String>,
    /// SHA-256 of the file as it was handed in, or of the member of an archive; 64 hexadecimal digits. None for a text that
    /// came without a file, such as a JSON line.
    pub file_sha256: Option<String>,
    /// SHA-256 of the extracted text in UTF-8, 64 hexadecimal digits.
    pub text_sha256: String,
    /// Characters (Unicode scalar values) of the extracted text, which all offsets count.
    pub text_characters: u32,
}

impl About {
    pub(super) fn of(document: &Document, text_characters: u32) -> Self {
        let Metadata { title, author, date, .. } = document.metadata.clone();
        About {
            id: document.id.clone(),
            title,
            author,
            date,
            file_sha256: document.file_sha256.map(|digest| hexadecimal(&digest)),
            text_sha256: hexadecimal(&Sha256::digest(document.text.as_bytes())),
            text_characters,
        }
    }
}

/// The number of a report: the start of a hash of what it says. A passage has the rank of its source, and its places in the submission and in the source.
pub(super) fn number_of(
    program: &Program,
    submission: &About,
    corpus: &Reference,
    settings: &Settings,
    ratios: &Ratios,
    passages: &[(usize, &Range<u32>, &Range<u32>)],
) -> String {
    // All of it can be written as JSON: text, numbers and lists.
    let said = serde_json::to_vec(&(program, submission, corpus, settings, ratios, passages)).unwrap_or_default();
    hexadecimal(&Sha256::digest(said)[..6])
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
