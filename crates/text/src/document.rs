//! A text with what is known of it.

use crate::layout::Layout;
use crate::visible::visible;
use serde::{Deserialize, Serialize};

/// One text with its id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What the reports call it: the path relative to the folder given, or the `id` field of a JSON line.
    pub id: String,
    /// The extracted text. Every offset in a report counts characters (Unicode scalar values) of this string.
    pub text: String,
    /// Title, author and the like, as far as the input told them.
    pub metadata: Metadata,
    /// The author as a manifest, a JSON line or the caller gives it; that of `metadata` may come from the file, which whoever
    /// wrote it can set freely.
    pub vouched_author: Option<String>,
    /// Characters that could not be decoded and stand in the text as U+FFFD.
    pub undecodable: usize,
    /// Headings, pages and what else its format said of the text.
    pub layout: Layout,
    /// SHA-256 of the file, or of the member of an archive, that it was read from; none for a JSON line.
    pub file_sha256: Option<[u8; 32]>,
}

impl Document {
    /// The metadata with the author only if somebody else than the file vouches for it: by this one texts are told to be of
    /// one author.
    pub fn vouched(&self) -> Metadata {
        Metadata { author: self.vouched_author.clone(), ..self.metadata.clone() }
    }

    /// The text as a reader sees it, each character at its place: what is compared ([`visible`](crate::visible)).
    pub fn visible(&self) -> std::borrow::Cow<'_, str> {
        visible(&self.text, &self.layout)
    }
}

/// What an input says about a document besides its text. All fields are optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The work's title.
    pub title: Option<String>,
    /// Its author or authors, as one string.
    pub author: Option<String>,
    /// Its date as given (ISO 8601 where it is to be compared).
    pub date: Option<String>,
    /// The collection it belongs to.
    pub collection: Option<String>,
    /// Where anyone can read it: the address of its landing page.
    pub url: Option<String>,
    /// The licence it is given under, by its name or its address.
    pub licence: Option<String>,
}

impl Metadata {
    /// What this says, and where it says nothing what the other does.
    pub fn or(self, other: Metadata) -> Metadata {
        Metadata {
            title: self.title.or(other.title),
            author: self.author.or(other.author),
            date: self.date.or(other.date),
            collection: self.collection.or(other.collection),
            url: self.url.or(other.url),
            licence: self.licence.or(other.licence),
        }
    }
}
