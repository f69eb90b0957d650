//! Which passages are reported.

use clap::{Args, ValueEnum};
use copytrace::align::AlignSettings;

/// Which passages are reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Passages")]
pub struct AlignOptions {
    /// Which passages count
    #[arg(long, value_enum, default_value_t = Preset::Balanced, hide_short_help = true)]
    pub preset: Preset,

    /// Shortest passage reported, in characters of the submission [default: the preset's]
    #[arg(long, value_name = "CHARS", hide_short_help = true)]
    pub min_match: Option<u32>,

    /// Shortest passage reported, in characters of the source [default: the preset's]
    #[arg(long, value_name = "CHARS", hide_short_help = true)]
    pub min_match_source: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// Every kind of passage, with hardly any false alarm
    Balanced,
    /// Verbatim runs of at least 13 countable characters, and nothing else
    Strict,
    /// Weaker evidence too: more is found, and more of it by chance
    Sensitive,
}

impl AlignOptions {
    /// The settings these options stand for.
    pub fn settings(&self) -> AlignSettings {
        let preset = match self.preset {
            Preset::Balanced => AlignSettings::balanced(),
            Preset::Strict => AlignSettings::strict(),
            Preset::Sensitive => AlignSettings::sensitive(),
        };
        preset
            .with_min_match(self.min_match.unwrap_or(preset.min_match))
            .with_min_match_source(self.min_match_source.unwrap_or(preset.min_match_source))
    }
}
