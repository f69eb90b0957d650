//! What is told of many submissions together.

use crate::check::{Reference, SharedReport, SubmissionTexts};
use std::collections::BTreeMap;

/// What is told of all submissions together.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// What they were checked against; none when they were compared with each other alone.
    pub reference: Option<&'a Reference>,
    /// What they share with each other, none when they were not compared.
    pub shared: Option<&'a SharedReport>,
    /// Their texts, from which the pages of pairs are made.
    pub texts: Option<&'a SubmissionTexts>,
    /// Where they come from, by their ids.
    pub affiliations: &'a BTreeMap<String, Affiliation>,
    /// The ratio from which the page of all marks a submission.
    pub threshold: Option<f64>,
}

/// Where a submission comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Affiliation {
    /// The faculty, school or department.
    pub department: Option<String>,
    /// Who supervised it.
    pub supervisor: Option<String>,
}
