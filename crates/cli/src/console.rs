//! Standard error: messages and progress bars that do not disturb each other.

use super::args::LogFormat;
use super::chinese::SENTENCES;
use copytrace::formats::input::BytesRead;
use copytrace::job::{Cancel, Job, Stage};
use copytrace::report::messages::{Language, Messages};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::borrow::Cow;
use std::io::{IsTerminal, Write};

/// Where the program speaks to the person who runs it.
pub struct Console {
    quiet: bool,
    format: LogFormat,
    /// The language that messages for people are in, as far as they are known in it.
    words: &'static Messages,
    bars: MultiProgress,
    /// Set by the signals that end the program.
    pub cancel: Cancel,
}

impl Console {
    pub fn new(quiet: bool, format: LogFormat, language: Language, cancel: Cancel) -> Self {
        let bars = MultiProgress::new();
        if quiet || format == LogFormat::Json {
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        Console { quiet, format, words: language.messages(), bars, cancel }
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

    /// A message in the language of the console, as far as it is known in it.
    pub fn said<'a>(&self, message: &'a str) -> Cow<'a, str> {
        self.words.sentence(message, SENTENCES)
    }

    fn say(&self, level: &str, message: &str) {
        let line = match self.format {
            LogFormat::Json => json!({ "level": level, "message": message }).to_string(),
            LogFormat::Text if level == "done" => message.lines().map(visible).collect::<Vec<_>>().join("\n"),
            LogFormat::Text => {
                let (level, message) = (self.said(level), self.said(message));
                let colon = if level.is_ascii() { ": " } else { "：" };
                format!("copytrace: {level}{colon}{}", visible(&message))
            }
        };
        // When standard error is closed there is nobody to tell.
        self.bars.suspend(|| writeln!(std::io::stderr(), "{line}").ok());
    }

    /// A bar for work on a known number of things, shown on a terminal only.
    pub fn bar(&self, what: &str, length: u64) -> Counter {
        let style = "{msg:24} {wide_bar} {human_pos}/{human_len} {percent}% {elapsed} (LEFT: {eta})";
        self.start(ProgressBar::new(length), style, what)
    }

    /// A bar for work of which only the share that is done tells something.
    pub fn share(&self, what: &str, steps: u64) -> Counter {
        self.start(ProgressBar::new(steps), "{msg:24} {wide_bar} {percent}% {elapsed} (LEFT: {eta})", what)
    }

    /// A counter for work on an unknown number of things, shown on a terminal only.
    pub fn counter(&self, what: &str) -> Counter {
        self.start(ProgressBar::no_length(), "{msg:24} {spinner} {human_pos} ({per_sec}) {elapsed}", what)
    }

    /// A counter for the bytes that are read of inputs: `total` is how many there are to read.
    pub fn counter_of_bytes(&self, what: &str, total: u64, read: &BytesRead) -> Counter {
        let style = "{msg:24} {wide_bar} {decimal_bytes}/{decimal_total_bytes} {percent}% {elapsed} (LEFT: {eta})";
        Counter { bytes: Some(read.clone()), ..self.start(ProgressBar::new(total), style, what) }
    }

    /// Whether somebody sees bars and counters, so that it is worth finding out how much there is to do.
    pub fn is_watched(&self) -> bool {
        !self.quiet && self.format == LogFormat::Text && std::io::stderr().is_terminal()
    }

    /// A job that Ctrl-C ends, and whose steps of one stage a bar shows.
    pub fn job(&self, stage: Stage, counter: &Counter) -> Job {
        let counter = counter.clone();
        let show = move |progress: copytrace::job::Progress| {
            if progress.stage == stage {
                counter.inc(progress.steps);
            }
        };
        Job::new(show).with_cancel(self.cancel.clone())
    }

    fn start(&self, bar: ProgressBar, style: &str, what: &str) -> Counter {
        let bar = self.bars.add(bar);
        let left = self.said("left");
        if let Ok(style) = ProgressStyle::with_template(&style.replace("LEFT", &left)) {
            bar.set_style(style);
        }
        bar.set_message(self.said(what).into_owned());
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        Counter { bar, bytes: None }
    }
}

/// A bar or a counter on a terminal.
#[derive(Clone)]
pub struct Counter {
    bar: ProgressBar,
    /// Where it counts bytes, how many were read.
    bytes: Option<BytesRead>,
}

impl Counter {
    /// Counts `steps` more steps that were done.
    pub fn inc(&self, steps: u64) {
        match &self.bytes {
            Some(bytes) => self.bar.set_position(bytes.so_far()),
            None => self.bar.inc(steps),
        }
    }

    pub fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A message as it may be shown on a terminal: names chosen by others could hold control characters.
fn visible(message: &str) -> String {
    message.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
