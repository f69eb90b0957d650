//! Why there is no text in bytes, as values: each has a stable code and figures, and its English sentence.

use crate::encoding::DecodeError;
use copytrace_job::Cancelled;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why there is no text in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
pub enum ExtractError {
    /// No bytes, or none that are text.
    #[error("no text in it")]
    NoText,
    /// The text holds nothing but white space.
    #[error("only white space in it")]
    OnlyWhiteSpace,
    /// The bytes start like those of a format that is not read.
    #[error("{format}; not readable by this version")]
    OtherFormat {
        /// Which one.
        format: UnreadFormat,
    },
    /// A file that is called a PDF file and does not start like one.
    #[error("not a PDF file, though its name says so; export it as PDF again")]
    NotPdf,
    /// A PDF file of pictures.
    #[error("no text layer: needs OCR (--ocr)")]
    NoTextLayer,
    /// A PDF file whose text layer has other characters than a reader sees.
    #[error("unreadable text layer: needs OCR (--ocr)")]
    UnreadableTextLayer,
    /// A PDF file of pictures was to be read by OCR, which is not installed.
    #[error(
        "no text layer; to read it, install poppler-utils, tesseract-ocr and its languages \
         (tesseract-ocr-eng, -chi-sim, -chi-tra)"
    )]
    NeedsTesseract,
    /// A Word file of before 1997, and antiword is not installed.
    #[error("a Word file of before 1997 (.doc); to read it, install antiword")]
    NeedsAntiword,
    /// The file is protected by a password.
    #[error("protected by a password; save it without one")]
    Encrypted,
    /// A file of an office program or an e-book that is no whole archive.
    #[error("damaged, or not really a {ending}; open it in its program and save it again")]
    CutOff {
        /// The ending of such files.
        ending: String,
    },
    /// Elements, groups or brackets are nested deeper than [`ReadLimits`](crate::input::ReadLimits) allow.
    #[error("more than {levels} levels inside each other")]
    TooDeep {
        /// How many are allowed.
        levels: usize,
    },
    /// The program that reads the format is not installed.
    #[error("the program that reads it: it is not installed")]
    ToolMissing,
    /// The program that reads the format waits for something that never comes.
    #[error("the program that reads it: it did not end within {seconds} seconds, most of which it waited")]
    ToolWaits {
        /// How long it was waited for.
        seconds: u64,
    },
    /// The program that reads the format could not be run.
    #[error("the program that reads it: {said}")]
    ToolFailed {
        /// What the system says.
        said: String,
    },
    /// Nobody wants it any more.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The line is not a JSON object.
    #[error("not a JSON object: {said}")]
    InvalidJson {
        /// What the parser says.
        said: String,
    },
    /// The JSON object has no `text`.
    #[error("no `text` field")]
    NoTextField,
    /// The JSON object's `text` is a number, a list or the like.
    #[error("`text` is not a string")]
    TextNotString,
    /// The bytes are no text in any encoding known.
    #[error(transparent)]
    #[serde(untagged)]
    Undecodable(#[from] DecodeError),
    /// The file contradicts itself or ends too early.
    #[error("damaged: {0}")]
    #[serde(untagged)]
    Damaged(#[from] Damage),
    /// More of something than [`ReadLimits`](crate::input::ReadLimits) allow.
    #[error("too large: {0}")]
    #[serde(untagged)]
    TooLarge(#[from] Excess),
}

/// What in a file contradicts itself or ends too early.
#[derive(Debug, Clone, Default, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
pub enum Damage {
    /// A PDF file that is no whole one.
    #[error("cut off or broken; export it as PDF again")]
    BrokenPdf,
    /// A PDF file without pages.
    #[default]
    #[error("no pages in it")]
    NoPages,
    /// A PDF file that its reader fails on.
    #[error("the reader of PDF files failed on it; another program may write it anew")]
    ReaderFailed,
    /// A PDF file that is encrypted in an unknown way.
    #[error("its encryption is invalid or not known")]
    UnknownEncryption,
    /// A part that every file of this format has is not there.
    #[error("{part} is missing")]
    PartMissing {
        /// Its name.
        part: String,
    },
    /// A part cannot be read.
    #[error("{part}: {said}")]
    PartBroken {
        /// Its name.
        part: String,
        /// What is wrong with it.
        said: String,
    },
    /// The file ends too early.
    #[error("it ends too early")]
    EndsTooEarly,
    /// An e-book without the name of its book.
    #[error("META-INF/container.xml names no book")]
    NoBook,
    /// An RTF file that does not start like one.
    #[error("it does not start with {{\\rtf")]
    NotRtf,
    /// A Word file of before 2007 without a text.
    #[error("no text of Word in it")]
    NoWordText,
    /// The header of such a file ends too early.
    #[error("its header ends too early")]
    HeaderCutOff,
    /// Its table of pieces is broken.
    #[error("its table of pieces is broken")]
    PiecesBroken,
    /// A Word file of before 1997 that antiword cannot read.
    #[error("antiword cannot read it")]
    AntiwordFailed,
    /// A program that reads it failed.
    #[error("{said}")]
    ReadingFailed {
        /// What the program says.
        said: String,
    },
}

/// What of a file is more than [`ReadLimits`](crate::input::ReadLimits) allow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
pub enum Excess {
    /// The time that reading takes.
    #[default]
    #[error("reading it takes too long")]
    ReadingTime,
    /// What a reader gives.
    #[error("the text")]
    Text,
    /// Its text.
    #[error("more than {limit} MiB of text")]
    TextBytes {
        /// How much is allowed, in MiB.
        limit: u64,
    },
    /// What the commands of a LaTeX file stand for.
    #[error("what its commands stand for")]
    Commands,
    /// The files that a LaTeX file includes.
    #[error("{files} included files")]
    IncludedFiles {
        /// How many there are at least.
        files: usize,
    },
    /// A file that a LaTeX file includes.
    #[error("the included file {name}")]
    IncludedFile {
        /// Its name.
        name: String,
    },
    /// The parts of a package.
    #[error("{parts} parts")]
    Parts {
        /// How many there are.
        parts: usize,
    },
    /// A part of a package.
    #[error("{part} expands to more than {limit} bytes")]
    PartBytes {
        /// Its name.
        part: String,
        /// How much is allowed, in bytes.
        limit: u64,
    },
    /// The pages for OCR.
    #[error("{pages} pages without a readable text layer; OCR reads {limit} at most")]
    OcrPages {
        /// How many there are.
        pages: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The time that OCR takes.
    #[error("OCR takes more than {limit} seconds of processor time")]
    OcrTime {
        /// How much is allowed, in seconds.
        limit: u64,
    },
}

/// A format that is not read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(strum::EnumIter))]
#[non_exhaustive]
#[allow(missing_docs)] // the sentences say what they are
pub enum UnreadFormat {
    #[default]
    #[error("a zip archive")]
    Zip,
    #[error("a PostScript file")]
    PostScript,
    #[error("a PNG image")]
    Png,
    #[error("a JPEG image")]
    Jpeg,
    #[error("a GIF image")]
    Gif,
    #[error("a TIFF image")]
    Tiff,
    #[error("a DjVu file")]
    DjVu,
    #[error("gzip data")]
    Gzip,
    #[error("Zstandard data")]
    Zstandard,
    #[error("xz data")]
    Xz,
    #[error("bzip2 data")]
    Bzip2,
    #[error("a 7-Zip archive")]
    SevenZip,
    #[error("a RAR archive")]
    Rar,
    #[error("a program (ELF)")]
    Elf,
    #[error("a Windows program")]
    WindowsProgram,
    #[error("a SQLite database")]
    Sqlite,
    #[error("a workbook of Excel or Kingsoft (.xls, .et), which its program exports as PDF")]
    Xls,
    #[error("an Excel workbook (.xlsx), which its program exports as PDF")]
    Xlsx,
    #[error("a PowerPoint presentation (.pptx), which its program exports as PDF")]
    Pptx,
    #[error("an OpenDocument file that is no text (.ods, .odp), which its program exports as PDF")]
    OtherOpenDocument,
    #[error("a Microsoft Office file that is no text (.xlsx, .pptx), which its program exports as PDF")]
    OtherOffice,
    #[error("a document of Apple's iWork (.pages, .numbers, .key), which its program exports as Word or PDF")]
    IWork,
    #[error("a format that this program was built without")]
    NotBuiltIn,
}

/// The most characters that are kept of what a library or a program says of a file: some quote megabytes of it.
const LONGEST_SAID: usize = 250;

/// What a library or a program says of a file, as the figure of an error.
pub(crate) fn said(said: impl ToString) -> String {
    let mut said = said.to_string();
    if let Some((end, _)) = said.char_indices().nth(LONGEST_SAID) {
        said.truncate(end);
        said.push('…');
    }
    said
}

/// A file of an office program or an e-book that is no whole archive.
#[cfg(feature = "documents")]
pub(crate) fn cut_off(ending: &str) -> ExtractError {
    ExtractError::CutOff { ending: ending.to_owned() }
}

#[cfg(feature = "documents")]
impl Damage {
    /// A part of a package that cannot be read.
    pub(crate) fn of_part(part: &str, error: impl ToString) -> Self {
        Damage::PartBroken { part: said(part), said: said(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_messages::{Language, Tell, told_everywhere};
    use strum::IntoEnumIterator;

    #[test]
    fn every_reason_has_its_message_in_every_language_and_reads_back() {
        let damages = Damage::iter().map(ExtractError::from);
        let excesses = Excess::iter().map(ExtractError::from);
        let undecodable = DecodeError::iter().map(ExtractError::from);
        let formats = UnreadFormat::iter().map(|format| ExtractError::OtherFormat { format });
        let all = ExtractError::iter().chain(damages).chain(excesses).chain(undecodable).chain(formats);
        let all: Vec<ExtractError> = all.collect();
        told_everywhere(&all).unwrap();
        for error in all {
            let json = serde_json::to_string(&error).unwrap();
            assert_eq!(serde_json::from_str::<ExtractError>(&json).unwrap(), error, "{json}");
        }
    }

    #[test]
    fn every_format_that_is_not_read_is_called_by_its_name_in_every_language() {
        for language in Language::all() {
            let told = |format| ExtractError::OtherFormat { format }.tell(language);
            let archive = told(UnreadFormat::Zip);
            for format in UnreadFormat::iter().filter(|format| *format != UnreadFormat::Zip) {
                assert_ne!(told(format), archive, "{format:?}");
            }
        }
    }

    #[test]
    fn what_an_error_quotes_of_a_file_is_short() {
        let error = Damage::of_part("word/document.xml", "<".repeat(1 << 20));
        assert!(error.to_string().chars().count() < 300);
    }
}
