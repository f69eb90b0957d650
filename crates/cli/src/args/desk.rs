//! What `copytrace desk` is told.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  copytrace desk\n  copytrace desk \"D:\\Theses 2026\"")]
pub struct DeskOptions {
    /// The folder with everything that is kept; it is made if there is none [default: copytrace below your documents]
    pub folder: Option<PathBuf>,

    /// Tell the address of the page, and open no browser
    #[arg(long)]
    pub no_browser: bool,
}
