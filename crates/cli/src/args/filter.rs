//! Which documents of the reference are compared.

use super::values::{age, date};
use clap::Args;
use copytrace::search::filter::Filter;

/// Which documents of the reference are compared.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters on the reference")]
pub struct FilterOptions {
    /// Only documents of this date or later (ISO 8601); without a date a document counts from when it was added
    #[arg(long, value_name = "DATE", value_parser = date, hide_short_help = true)]
    pub since: Option<i64>,

    /// Only documents from before this date
    #[arg(long, value_name = "DATE", value_parser = date, hide_short_help = true)]
    pub until: Option<i64>,

    /// Only documents no older than this, such as 7d, 12h or 4w
    #[arg(long, value_name = "AGE", value_parser = age, conflicts_with = "since", hide_short_help = true)]
    pub max_age: Option<i64>,

    /// Only documents of this collection (may be given several times)
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub collection: Vec<String>,

    /// Leave out documents by the submission's author
    #[arg(long)]
    pub exclude_same_author: bool,

    /// Leave out the document with this id (may be given several times)
    #[arg(long, value_name = "ID", hide_short_help = true)]
    pub exclude: Vec<String>,
}

impl FilterOptions {
    /// The filter these options stand for; `now` in seconds since 1970 (UTC).
    pub fn filter(&self, now: i64) -> Filter {
        Filter {
            since: self.since.or(self.max_age.map(|age| now - age)),
            until: self.until,
            collections: self.collection.clone(),
            exclude_same_author: self.exclude_same_author,
            exclude_ids: self.exclude.clone(),
        }
    }
}
