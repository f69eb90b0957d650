//! Title and author, from the set of properties that all Office files of that time have ([MS-OLEPS]).

use encoding_rs::Encoding;

use crate::encoding::decode;
use crate::extract::bytes::{slice, u16_at, u32_at};
use crate::extract::rtf::encoding_of_page;
use copytrace_text::Metadata;

const CODE_PAGE: u32 = 1;
const TITLE: u32 = 2;
const AUTHOR: u32 = 4;

/// Types of values.
const BYTES: u32 = 30;
const WIDE: u32 = 31;

/// Reads the stream; what is broken in it is not there.
pub(super) fn read(stream: &[u8]) -> Metadata {
    let section = u32_at(stream, 44).and_then(|at| stream.get(at as usize..)).unwrap_or_default();
    let property = |wanted: u32| {
        let count = u32_at(section, 4)?.min(1000) as usize;
        let at = (0..count).find(|at| u32_at(section, 8 + at * 8) == Some(wanted))?;
        section.get(u32_at(section, 12 + at * 8)? as usize..)
    };
    let page = property(CODE_PAGE).and_then(|value| u16_at(value, 4));
    let encoding = page.and_then(|page| encoding_of_page(page.into()));
    let text = |wanted: u32| text(property(wanted)?, encoding);
    Metadata { title: text(TITLE), author: text(AUTHOR), date: None, ..Metadata::default() }
}

fn text(value: &[u8], encoding: Option<&'static Encoding>) -> Option<String> {
    let length = u32_at(value, 4)? as usize;
    let text = match u32_at(value, 0)? {
        BYTES => {
            let bytes = slice(value, 8, length)?;
            let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
            match encoding {
                // Many programs write a western code page whatever their bytes are.
                Some(encoding) if encoding != encoding_rs::WINDOWS_1252 || bytes.is_ascii() => {
                    encoding.decode_without_bom_handling(bytes).0.into_owned()
                }
                _ => decode(bytes).ok()?.text,
            }
        }
        WIDE => {
            let units: Vec<u16> =
                (0..length).filter_map(|at| u16_at(value, 8 + at * 2)).take_while(|unit| *unit != 0).collect();
            String::from_utf16_lossy(&units)
        }
        _ => return None,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of properties with a code page and a title.
    fn set(page: u16, title: &[u8]) -> Vec<u8> {
        let mut section = Vec::new();
        for number in [0_u32, 2, CODE_PAGE, 24, TITLE, 32, 2, page.into(), BYTES, title.len() as u32] {
            section.extend(number.to_le_bytes());
        }
        section.extend(title);
        let mut stream = vec![0; 44];
        stream.extend(48_u32.to_le_bytes());
        stream.extend(section);
        stream
    }

    #[test]
    fn titles_are_in_their_code_page_or_in_what_their_bytes_are() {
        let chinese = encoding_rs::GBK.encode("财务管理论文：潮汐与河流的研究").0;
        for page in [936, 1252] {
            assert_eq!(read(&set(page, &chinese)).title.as_deref(), Some("财务管理论文：潮汐与河流的研究"), "{page}");
        }
        assert_eq!(read(&set(1252, b"The tide\0")).title.as_deref(), Some("The tide"));
        assert_eq!(read(b"broken"), Metadata::default());
    }
}
