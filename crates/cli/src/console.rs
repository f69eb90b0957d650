//! Standard error: messages and progress bars that do not disturb each other.

use super::args::LogFormat;
use copytrace::job::{Cancel, Job, Stage};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Where the program speaks to the person who runs it.
pub struct Console {
    quiet: bool,
    format: LogFormat,
    bars: MultiProgress,
    /// Set by the signals that end the program.
    pub cancel: Cancel,
}

impl Console {
    pub fn new(quiet: bool, format: LogFormat, cancel: Cancel) -> Self {
        let bars = MultiProgress::new();
        if quiet || format == LogFormat::Json {
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        Console { quiet, format, bars, cancel }
    }

    /// The run failed.
    pub fn error(&self, message: &str) {
        self.say("error", message);
    }

    /// One input failed; the run goes on.
    pub fn input_failed(&self, message: &str) {
        self.say("error", message);
    }

    /// Something that should be known but stops nothing.
    pub fn notice(&self, message: &str) {
        if !self.quiet {
            self.say("notice", message);
        }
    }

    /// What was found, and where it was written.
    pub fn done(&self, message: &str) {
        if !self.quiet {
            self.say("done", message);
        }
    }

    fn say(&self, level: &str, message: &str) {
        let line = match self.format {
            LogFormat::Json => json!({ "level": level, "message": message }).to_string(),
            LogFormat::Text if level == "done" => message.lines().map(visible).collect::<Vec<_>>().join("\n"),
            LogFormat::Text => format!("copytrace: {level}: {}", visible(message)),
        };
        // When standard error is closed there is nobody to tell.
        self.bars.suspend(|| writeln!(std::io::stderr(), "{line}").ok());
    }

    /// A bar for work on a known number of things, shown on a terminal only.
    pub fn bar(&self, what: &str, length: u64) -> ProgressBar {
        let style = ProgressStyle::with_template(
            "{msg:24} {wide_bar} {human_pos}/{human_len} {percent}% {elapsed} (left: {eta})",
        );
        self.start(ProgressBar::new(length), style, what)
    }

    /// A counter for work on an unknown number of things, shown on a terminal only.
    pub fn counter(&self, what: &str) -> ProgressBar {
        let style = ProgressStyle::with_template("{msg:24} {spinner} {human_pos} ({per_sec}) {elapsed}");
        self.start(ProgressBar::no_length(), style, what)
    }

    /// A counter for the documents of these paths: with per cent and the time that is left, as far as they can be counted
    /// without reading them.
    pub fn counter_of(&self, what: &str, paths: &[PathBuf]) -> ProgressBar {
        match self.is_watched().then(|| crate::loading::count(paths)).flatten() {
            Some(documents) => self.bar(what, documents),
            None => self.counter(what),
        }
    }

    fn is_watched(&self) -> bool {
        !self.quiet && self.format == LogFormat::Text && std::io::stderr().is_terminal()
    }

    /// A job that Ctrl-C ends, and whose steps of one stage a bar shows.
    pub fn job(&self, stage: Stage, bar: &ProgressBar) -> Job {
        let bar = bar.clone();
        let show = move |progress: copytrace::job::Progress| {
            if progress.stage == stage {
                bar.inc(progress.steps);
            }
        };
        Job::new(show).with_cancel(self.cancel.clone())
    }

    fn start(
        &self,
        bar: ProgressBar,
        style: Result<ProgressStyle, indicatif::style::TemplateError>,
        what: &str,
    ) -> ProgressBar {
        let bar = self.bars.add(bar);
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        bar
    }
}

/// A message as it may be shown on a terminal: names chosen by others could hold control characters.
fn visible(message: &str) -> String {
    message.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
