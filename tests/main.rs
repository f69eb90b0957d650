//! The tests that drive the program as people do, and the library as other programs do: one binary, a module for each subject.

mod any_text;
mod bad_input;
mod check;
mod compared;
mod demo;
mod documents;
mod durability;
mod evasion;
mod examples;
mod formats;
mod forms;
mod fuzz;
mod harvest;
mod hostile_sources;
mod house;
mod index;
mod innocent;
mod kept_index;
mod messages;
mod near;
mod own_text;
mod pairs;
mod parts;
mod program;
mod read_text;
mod reports;
mod restored;
mod semantic;
#[cfg(unix)]
mod serve;
mod set_phrases;
mod shared;
mod slow;
mod wording;

#[path = "../benches/generator/mod.rs"]
mod generator;
