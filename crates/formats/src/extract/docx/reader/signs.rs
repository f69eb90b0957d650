//! Labels of lists, and signs of fonts that have their own.

use super::DocxReader;
use crate::extract::builder::Gap;
use crate::extract::docx::numbering::is_prose;
use crate::extract::docx::properties::is_of_symbols;
use crate::extract::xml::Element;
use copytrace_text::layout::LeftOut;

/// What the letters from A and from a on stand for in the font Symbol.
const SYMBOLS: [&str; 2] = ["ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"];

impl DocxReader {
    /// Writes the paragraph's label if it holds prose, each label once; of short ones it is asked what they say together.
    pub(super) fn label(&mut self) {
        if std::mem::replace(&mut self.here.paragraph.labelled, true) {
            return;
        }
        let (Some(number), level) = &self.here.paragraph.style.number else { return };
        let level = level.as_deref().unwrap_or("0");
        if let Some((key, label)) = self.shared.labels.get(number, level)
            && self.labels.insert(key.clone())
        {
            if is_prose(label) {
                self.here.builder.push(label);
                self.here.builder.gap(Gap::Blank);
            } else {
                self.here.builder.unplaced(label);
            }
        }
    }

    pub(super) fn symbol(&mut self, element: &Element<'_>) {
        let code = element.attribute("char").and_then(|code| u32::from_str_radix(&code, 16).ok());
        let Some(code) = code else { return };
        let font = element.attribute("font").unwrap_or_default();
        // Fonts of symbols have their signs in the private area, at the places of ASCII.
        let code = if (0xF000..=0xF0FF).contains(&code) { code - 0xF000 } else { code };
        // A blank that a font of symbols draws is none between words.
        let Some(sign) = char::from_u32(code).filter(|sign| *sign != ' ' || !is_of_symbols(&font)) else { return };
        let from = |first: char, row: &str| row.chars().nth((sign as usize).checked_sub(first as usize)?);
        match font.as_str() {
            "Symbol" => {
                let greek = from('a', SYMBOLS[1]).or_else(|| from('A', SYMBOLS[0])).unwrap_or(sign);
                self.text(greek.encode_utf8(&mut [0; 4]));
            }
            // Pictures: arrows, boxes, hands.
            font if is_of_symbols(font) => {
                self.here.builder.left_out(LeftOut::Alternate, sign.encode_utf8(&mut [0; 4]));
            }
            _ => self.text(sign.encode_utf8(&mut [0; 4])),
        }
    }
}
