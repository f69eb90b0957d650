//! What a check goes by, whether it is made or verified: how documents are read, what is known of them, and what counts.

use super::filter::FilterOptions;
use super::index::MetadataOptions;
use super::reading::ReadingOptions;
use clap::Args;
use copytrace::check::{Itself, Rules};
use std::path::PathBuf;

/// What a check goes by.
#[derive(Debug, Args)]
pub struct BasisOptions {
    #[command(flatten)]
    pub scope: ScopeOptions,

    #[command(flatten)]
    pub reading: ReadingOptions,

    #[command(flatten)]
    pub metadata: MetadataOptions,

    #[command(flatten)]
    pub filter: FilterOptions,
}

impl BasisOptions {
    /// The rules these options stand for; `now` in seconds since 1970 (UTC), and what becomes of a submission that the library
    /// holds itself.
    pub fn rules(&self, now: i64, itself: Itself) -> Rules {
        Rules {
            filter: self.filter.filter(now),
            own_work: self.scope.own_work.clone(),
            count_all_parts: self.scope.count_all_parts,
            ignore_common: self.scope.ignore_common,
            itself,
        }
    }
}

/// What of a submission counts in its ratios.
#[derive(Debug, Args)]
#[command(next_help_heading = "What counts")]
pub struct ScopeOptions {
    /// A file whose text does not count, such as the university's form or the assignment (may be given several times)
    #[arg(long, value_name = "FILE")]
    pub exclude_template: Vec<PathBuf>,

    /// Ids of earlier works by the same author, which copy_ratio_without_own_work leaves out; works that are known to be by
    /// the submission's author count as such anyway (may be given several times)
    #[arg(long, value_name = "ID", hide_short_help = true)]
    pub own_work: Vec<String>,

    /// Count title page, contents, references, acknowledgements and unseen text too
    #[arg(long, hide_short_help = true)]
    pub count_all_parts: bool,

    /// Treat a document of the corpus that has the submission's id and is nearly the same text as a source like any other; without
    /// this it is left out as the submission itself, and named
    #[arg(long, hide_short_help = true)]
    pub keep_itself: bool,

    /// Do not count what N or more documents of the corpus hold, such as forms and set openings; it is listed, with `common` in
    /// the column `excluded`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), hide_short_help = true)]
    pub ignore_common: Option<u32>,
}
