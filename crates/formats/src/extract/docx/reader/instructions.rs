//! What the codes of fields say.

use super::DocxReader;
use crate::extract::fields::Shown;
use copytrace_text::layout::LeftOut;

impl DocxReader {
    /// Part of a field's code.
    pub(super) fn instruction(&mut self, text: &str) {
        match self.here.fields.iter_mut().rfind(|field| field.is_code) {
            Some(field) => field.instruction.push_str(text),
            None => self.here.builder.left_out(LeftOut::Instruction, text),
        }
    }

    /// The code of a field ends, and with it the field if it has no result. `is_end`: nothing of it follows.
    pub(super) fn end_code(&mut self, is_end: bool) {
        let Some(field) = self.here.fields.last_mut().filter(|field| field.is_code) else { return };
        field.is_code = false;
        self.shows_properties |= field.shows_property();
        self.blocks.extend(field.block());
        let shown = field.shown();
        let text = match &shown {
            Shown::Text(text) | Shown::Moved(text) => text.as_str(),
            Shown::Result | Shown::Unknown => "",
        };
        let rest = field.beside(text);
        field.is_unjudged = !is_end && !matches!(shown, Shown::Result);
        if matches!(shown, Shown::Moved(_)) {
            // What follows in the paragraph may be read elsewhere.
            self.here.paragraph.direct.unjudged = Some(true);
        }
        self.text(text);
        rest.leave_out(&mut self.here.builder);
    }
}
