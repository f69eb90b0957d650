//! What `copytrace verify-report` is told.

use super::basis::BasisOptions;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_help = "Without --submission it is told whether a report agrees with itself: its number and figures are \
computed anew from the passages in it. The wording that a page shows is not looked at. With --submission and what it was \
checked against, the check is made anew with the report's settings; give the other options of that check too.\n\nExamples:\n  \
    copytrace verify-report report/thesis.txt.html\n  \
    copytrace verify-report report/thesis.pdf.json --submission thesis.pdf --index library/"
)]
pub struct VerifyOptions {
    /// Pages or JSON files of submissions
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The submission the report is on
    #[arg(long, value_name = "FILE")]
    pub submission: Option<PathBuf>,

    /// The corpus it was checked against
    #[arg(long, value_name = "PATH", requires = "submission")]
    pub corpus: Vec<PathBuf>,

    /// The index it was checked against
    #[arg(long, value_name = "DIR", requires = "submission")]
    pub index: Vec<PathBuf>,

    #[command(flatten)]
    pub basis: BasisOptions,
}
