//! Documents as universities have them: made by LibreOffice of known texts, and read back, scanned, and broken.

mod accuracy;
mod made;
mod mutations;
mod ocr;
mod same_result;
mod thesis;
