//! Any bytes as a file of any format: an error or a text, and what is marked lies within it.
#![no_main]

use copytrace::text::extract::Format;
use copytrace::text::input::ReadLimits;
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 10] = ["txt", "md", "html", "pdf", "docx", "odt", "epub", "rtf", "tex", "doc"];

fuzz_target!(|input: (u8, &[u8])| {
    let (format, bytes) = input;
    let name = format!("file.{}", NAMES[usize::from(format) % NAMES.len()]);
    let format = Format::of_name(&name).expect("the names are known");
    if let Ok(extracted) = format.extract(bytes, None, &ReadLimits::default()) {
        let characters = extracted.text.chars().count() as u32;
        assert!(extracted.layout.marks().iter().all(|mark| mark.start <= mark.end && mark.end <= characters));
    }
});
