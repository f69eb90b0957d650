//! What an office knows of the case that a report belongs to: whose it is, what people decided about it, and where its pages are.

use std::collections::{BTreeMap, BTreeSet};

/// The record of a case, which is shown with its report.
#[derive(Debug, Clone, Default)]
pub struct Record {
    /// The institution.
    pub institution: String,
    /// Its logo, as a `data:` address.
    pub logo: Option<String>,
    /// What the report is on, in place of the name of a file.
    pub heading: String,
    /// What else it says above: what each is called, and what it is.
    pub facts: Vec<(&'static str, String)>,
    /// What was compared, by the names that people know.
    pub collections: Vec<String>,
    /// The address that the page leads back to, and what that is called.
    pub back: Option<(String, &'static str)>,
    /// Addresses of sheets for the printer, and what they are called.
    pub sheets: Vec<(String, &'static str)>,
    /// Where more is known of a source, by its rank.
    pub links: BTreeMap<usize, String>,
    /// The passages that do not count by a decision that stands, by their place in the report.
    pub left_out: BTreeSet<usize>,
    /// The decisions, the first first.
    pub decisions: Vec<Decision>,
    /// The verdicts, the last first: in a word, when and by whom, and what was said with it.
    pub verdicts: Vec<(String, String, String)>,
    /// Whether the wording of sources is kept from whoever reads this.
    pub withholds: bool,
    /// What the student answered to it.
    pub appeals: Vec<Decision>,
    /// Where a decision is sent, for whoever may decide, or an answer.
    pub decide: Option<String>,
    /// Whether it is an answer.
    pub is_appeal: bool,
}

/// A decision that a passage or source does not count.
#[derive(Debug, Clone)]
pub struct Decision {
    /// What it is about.
    pub about: String,
    /// The first passage that it leaves out.
    pub passage: Option<usize>,
    /// Why.
    pub reason: String,
    /// Who decided, when, and whether it was revoked.
    pub told: String,
    /// Whether it stands.
    pub stands: bool,
    /// Where it can be revoked, for whoever may.
    pub revoke: Option<String>,
}
