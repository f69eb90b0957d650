//! The pages, a file per subject: each shows what is there and does what its forms ask for. They work without script.

pub mod account;
pub mod audit;
pub mod batch;
pub mod collections;
pub mod forms;
pub mod layout;
pub mod people;
pub mod round;
pub mod sheet;
pub mod start;
pub mod submission;
pub mod words;
