//! Standard error: messages and progress bars that do not disturb each other.

use clap::ValueEnum;
use copytrace::check::{CheckError, Contradiction, Unread};
use copytrace::formats::input::BytesRead;
use copytrace::index::IndexError;
use copytrace::job::{Cancel, Job, Stage};
use copytrace::report::folder::FolderError;
use copytrace_messages::{Language, Message, Tell, message};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::error::Error;
use std::fmt;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

copytrace_messages::words! {
    /// What the program does at the moment, in one language.
    pub struct Words, "program":
        error notice full_stop left reading_corpus checking comparing adding printing aligning reading verifying fingerprinting
        reading_new writing_corpus reading_meanings
}

/// How much the program says on standard error besides errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speech {
    /// Nothing.
    Quiet,
    /// What should be known, and what was done.
    Usual,
    /// Also what each step read, and how long it took.
    Verbose,
}

/// How messages on standard error are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// Lines on standard error, between which bars may move.
#[derive(Clone)]
struct Lines {
    format: LogFormat,
    language: Language,
    bars: MultiProgress,
}

impl Lines {
    /// Says something behind the word for its level. Programs that read the log get English and the code.
    fn say(&self, level: &str, word: &str, said: &impl Tell) {
        let line = match self.format {
            LogFormat::Json => json!({ "level": level, "message": said.to_string(), "code": said.code() }).to_string(),
            LogFormat::Text => {
                let told = said.tell(self.language);
                match word {
                    "" => told.lines().map(visible).collect::<Vec<_>>().join("\n"),
                    word => format!("copytrace: {word}{}{}", colon(self.language), visible(&told)),
                }
            }
        };
        // When standard error is closed there is nobody to tell.
        self.bars.suspend(|| writeln!(std::io::stderr(), "{line}").ok());
    }
}

/// Where the program speaks to the person who runs it.
pub struct Console {
    speech: Speech,
    lines: Lines,
    began: Instant,
    /// In the language of the messages.
    pub words: &'static Words,
    /// Set by the signals that end the program.
    pub cancel: Cancel,
}

impl Console {
    pub fn new(speech: Speech, format: LogFormat, language: Language, cancel: Cancel) -> Self {
        let bars = MultiProgress::new();
        if speech == Speech::Quiet || format == LogFormat::Json {
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        let lines = Lines { format, language, bars };
        Console { speech, lines, began: Instant::now(), words: Words::of(language), cancel }
    }

    /// The run failed, or one input did and the run goes on.
    pub fn error(&self, said: &impl Tell) {
        self.lines.say("error", self.words.error, said);
    }

    /// Something that should be known but stops nothing.
    pub fn notice(&self, said: &impl Tell) {
        if self.speech != Speech::Quiet {
            self.lines.say("notice", self.words.notice, said);
        }
    }

    /// What was found, and where it was written.
    pub fn done(&self, said: &impl Tell) {
        if self.speech != Speech::Quiet {
            self.lines.say("done", "", said);
        }
    }

    /// How long the whole run took, for those who want to know.
    pub fn ended(&self) {
        if self.speech == Speech::Verbose {
            self.lines.say("step", "", &message!("run-took", seconds = seconds(self.began.elapsed())));
        }
    }

    /// A bar for work on a known number of things, shown on a terminal only.
    pub fn bar(&self, what: &'static str, length: u64) -> Counter {
        let style = "{msg:24} {wide_bar} {human_pos}/{human_len} {percent}% {elapsed} (LEFT: {eta})";
        self.start(ProgressBar::new(length), style, what)
    }

    /// A bar for work of which only the share that is done tells something.
    pub fn share(&self, what: &'static str, steps: u64) -> Counter {
        self.start(ProgressBar::new(steps), "{msg:24} {wide_bar} {percent}% {elapsed} (LEFT: {eta})", what)
    }

    /// A counter for work on an unknown number of things, shown on a terminal only.
    pub fn counter(&self, what: &'static str) -> Counter {
        self.start(ProgressBar::no_length(), "{msg:24} {spinner} {human_pos} ({per_sec}) {elapsed}", what)
    }

    /// A counter for the bytes that are read of inputs: `total` is how many there are to read.
    pub fn counter_of_bytes(&self, what: &'static str, total: u64, read: &BytesRead) -> Counter {
        let style = "{msg:24} {wide_bar} {decimal_bytes}/{decimal_total_bytes} {percent}% {elapsed} (LEFT: {eta})";
        Counter { bytes: Some(read.clone()), ..self.start(ProgressBar::new(total), style, what) }
    }

    /// Whether somebody sees bars and counters, so that it is worth finding out how much there is to do.
    pub fn is_watched(&self) -> bool {
        self.speech != Speech::Quiet && self.lines.format == LogFormat::Text && std::io::stderr().is_terminal()
    }

    /// A job that Ctrl-C ends, and whose steps of one stage a bar shows.
    pub fn job(&self, stage: Stage, counter: &Counter) -> Job {
        let counter = counter.clone();
        let show = move |done, steps| {
            if done == stage {
                counter.inc(steps);
            }
        };
        Job::new(show).with_cancel(self.cancel.clone())
    }

    fn start(&self, bar: ProgressBar, style: &str, what: &'static str) -> Counter {
        let bar = self.lines.bars.add(bar);
        if let Ok(style) = ProgressStyle::with_template(&style.replace("LEFT", self.words.left)) {
            bar.set_style(style);
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(200));
        Counter { bar, bytes: None, told: (self.speech == Speech::Verbose).then(|| (self.lines.clone(), what)) }
    }
}

/// A bar or a counter on a terminal.
#[derive(Clone)]
pub struct Counter {
    bar: ProgressBar,
    /// Where it counts bytes, how many were read.
    bytes: Option<BytesRead>,
    /// Where it is told what was done and how long it took, and what it is called there.
    told: Option<(Lines, &'static str)>,
}

fn seconds(took: Duration) -> String {
    format!("{:.2}", took.as_secs_f64())
}

impl Counter {
    /// Counts `steps` more steps that were done.
    pub fn inc(&self, steps: u64) {
        match &self.bytes {
            Some(bytes) => self.bar.set_position(bytes.so_far()),
            None => self.bar.inc(steps),
        }
    }

    /// Ends the step.
    pub fn finish_and_clear(&self) {
        let (count, took) = (self.bar.position(), seconds(self.bar.elapsed()));
        self.bar.finish_and_clear();
        if let Some((lines, what)) = &self.told {
            let message = match &self.bytes {
                Some(bytes) => message!("step-read", step = *what, bytes = bytes.so_far(), seconds = took),
                None => message!("step-done", step = *what, count = count, seconds = took),
            };
            lines.say("step", "", &message);
        }
    }
}

/// An error with its causes, as a person is told it: in one line, and each cause once.
#[derive(Debug)]
pub struct Failure(pub anyhow::Error);

impl Tell for Failure {
    fn code(&self) -> Option<String> {
        self.0.chain().find_map(|link| known(link)?.code())
    }

    fn tell(&self, language: Language) -> String {
        self.0.chain().map(|link| told(link, language)).fold(String::new(), |said, cause| match said.is_empty() {
            true => cause,
            false if said.ends_with(&cause) => said,
            false => format!("{said}{}{cause}", colon(language)),
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tell(Language::ENGLISH))
    }
}

/// An error of a chain as something that is told, if it has a code.
fn known<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a dyn Tell> {
    macro_rules! any_of {
        ($($Known:ty),*) => { $(if let Some(known) = error.downcast_ref::<$Known>() { return Some(known); })* };
    }
    any_of!(Message, Unread, IndexError, CheckError, FolderError, Contradiction);
    None
}

fn told(error: &(dyn Error + 'static), language: Language) -> String {
    known(error).map_or_else(|| error.to_string(), |known| known.tell(language))
}

fn colon(language: Language) -> &'static str {
    copytrace::report::messages::Messages::of(language).colon
}

/// A path as it is told.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A message as it may be shown on a terminal: names chosen by others could hold control characters.
fn visible(message: &str) -> String {
    message.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
