//! Documents as universities have them: made by LibreOffice of known texts, and read back; hostile and broken ones.

#[path = "../program/mod.rs"]
mod program;

mod accuracy;
mod hostile;
mod made;
mod mutations;
mod ocr;
mod pdf;
mod same_result;
mod thesis;
