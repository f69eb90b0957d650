//! What `copytrace semantic` is told.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum SemanticCommand {
    /// Check the files of a model and copy them into a folder; nothing is fetched from anywhere
    Install {
        /// The folder of the model, as docs/SEMANTIC.md describes it
        #[arg(value_name = "MODEL")]
        from: PathBuf,
        /// The folder it is copied into, which is not there yet; `check --semantic DIR` uses it
        #[arg(value_name = "DIR")]
        to: PathBuf,
    },
}
