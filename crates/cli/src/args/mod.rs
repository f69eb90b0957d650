//! The arguments as they are typed, and the settings they stand for: a file per command, and one for each group of
//! options that several commands have.

mod basis;
mod check;
mod compare;
#[cfg(feature = "service")]
mod desk;
mod filter;
mod fingerprint;
#[cfg(feature = "service")]
mod harvest;
mod index;
mod near;
mod pairs;
mod passages;
mod reading;
mod semantic;
#[cfg(feature = "service")]
mod serve;
mod sketch;
mod text;
mod values;
mod verify;

pub use check::{CheckOptions, FormatOptions, ReportFormat, language};
pub use compare::CompareOptions;
#[cfg(feature = "service")]
pub use desk::DeskOptions;
pub use fingerprint::FingerprintOptions;
#[cfg(feature = "service")]
pub use harvest::HarvestOptions;
pub use index::{Condition, IndexCommand};
pub use near::NearOptions;
pub use pairs::{PairsOptions, TuneOptions};
pub use semantic::SemanticCommand;
#[cfg(feature = "service")]
pub use serve::{ServeCommand, ServeOptions};
pub use text::{TextFormat, TextOptions};
pub use verify::VerifyOptions;

use super::console::{LogFormat, Speech};
use clap::{Parser, Subcommand};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Finds which passages of a text stand in other texts too: where, how much, how sure.
///
/// It measures similarity. Whether something is plagiarism, only a person decides.
#[derive(Debug, Parser)]
#[command(name = "copytrace", version, propagate_version = true, max_term_width = 110, after_help = after_help())]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    /// Threads to work with [default: one per processor]
    #[arg(long, global = true, value_name = "N", hide_short_help = true)]
    pub threads: Option<NonZeroUsize>,

    /// A file of defaults for options [default: the user's, or the system's; see `copytrace config`]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,

    /// Say nothing but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// Say also what each step read and how long it took
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    pub verbose: bool,

    /// How messages on standard error are written
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text, hide_short_help = true)]
    pub log_format: LogFormat,
}

impl Arguments {
    /// How much is said on standard error.
    pub fn speech(&self) -> Speech {
        match (self.quiet, self.verbose) {
            (true, _) => Speech::Quiet,
            (false, true) => Speech::Verbose,
            (false, false) => Speech::Usual,
        }
    }
}

/// What the exit codes say, and what a program that was built for the demo lacks.
fn after_help() -> String {
    let lacks = match cfg!(feature = "service") {
        true => "",
        false => "\n\nBuilt without the service, the desk and harvests (`--no-default-features`).",
    };
    format!("{EXIT_CODES}{lacks}")
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 done, and a submission is at or above --fail-above, or \
has no ratio; 2 an error: nothing was done; 3 some input could not be read, and everything else was done and written.";

/// What stands below the short help of a command with many options.
const MORE: &str = "--help shows all options, with examples.";

const PATH_HELP: &str = "A PATH is a file (.txt .md .html .pdf .docx .odt .epub .rtf .tex .doc), a folder (read recursively), a .zip, a .jsonl whose \
lines hold `id` and `text` (also .jsonl.gz, .jsonl.zst), or - for standard input.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check submissions against a reference corpus: the main job
    Check(CheckOptions),
    /// Tell whether a report is what the program wrote
    VerifyReport(VerifyOptions),
    /// Find all near-duplicate pairs of documents within a corpus
    Pairs(PairsOptions),
    /// Show which pairs a banding makes candidates, and what that means for a corpus
    Tune(TuneOptions),
    /// Align two documents, or given pairs of documents
    Compare(CompareOptions),
    /// Print what is read of documents: the text that is compared, its parts, pages and flags
    Text(TextOptions),
    /// Print the SimHash fingerprints of documents or of their sentences
    Fingerprint(FingerprintOptions),
    /// Find fingerprints that differ in at most k bits
    Near(NearOptions),
    /// Make, fill, look at and tidy a reference index that is kept on disk
    #[command(subcommand)]
    Index(IndexCommand),
    #[cfg(feature = "service")]
    /// Fill a reference index from where texts are: archives of the web, dumps, files; keep it as they are
    Harvest(HarvestOptions),
    /// Install a model by which `check --semantic` finds translated and retold passages
    #[command(subcommand)]
    Semantic(SemanticCommand),
    #[cfg(feature = "service")]
    /// Serve checks to an institution's browsers: rounds, submissions, reports, verdicts
    Serve(ServeOptions),
    #[cfg(feature = "service")]
    /// Check theses in a browser on this machine, alone and without signing in; what a double-click does
    Desk(DeskOptions),
    #[cfg(feature = "documents")]
    /// Print the pages of a PDF file, for a process that protects itself from what it may hold
    #[command(hide = true)]
    ReadPdf {
        /// The file
        file: PathBuf,
    },
    /// Print the file of defaults that counts, and where one is looked for
    Config,
    /// Write the manual pages, one for each command, into a folder
    #[command(hide = true)]
    ManualPages {
        /// The folder, which must be there
        folder: PathBuf,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
