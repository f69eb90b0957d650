//! Characters that a document gives another meaning: a letter that begins a comment, a percent sign that is text. What such a
//! source shows only TeX itself can tell, so its text is taken as it stands and marked as not judged.

use super::spelt::constant;

/// The categories of characters that begin a command, end a line, are ignored, are blanks, letters, others, active, and begin a
/// comment (The TeXbook, chapter 7).
const ESCAPE: u32 = 0;
const LINE_END: u32 = 5;
const IGNORED: u32 = 9;
const BLANK: u32 = 10;
const LETTER: u32 = 11;
const OTHER: u32 = 12;
const ACTIVE: u32 = 13;
const COMMENT: u32 = 14;

/// Characters that mean something else here, each with the number of groups around the change.
#[derive(Default)]
pub(super) struct Categories {
    changed: Vec<(char, usize)>,
}

impl Categories {
    /// Whether any character means something else.
    pub(super) fn are_odd(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Whether the percent sign begins no comment.
    pub(super) fn percent_is_text(&self) -> bool {
        self.changed.iter().any(|(c, _)| *c == '%')
    }

    /// A character is defined to swallow what follows it.
    pub(super) fn swallows(&mut self, character: char, groups: usize) {
        self.changed.push((character, groups));
    }

    /// A group ended; `groups` are open.
    pub(super) fn end_group(&mut self, groups: usize) {
        self.changed.retain(|(_, around)| *around <= groups);
    }

    /// Reads what follows `\catcode`, `\lccode` or `\uccode`; gives what follows the change.
    pub(super) fn read<'s>(&mut self, command: &str, source: &'s str, groups: usize) -> Option<&'s str> {
        let (code, after) = constant(source)?;
        let after = after.trim_start_matches([' ', '=']);
        let (value, after) = match after.strip_prefix("\\active") {
            Some(after) => (ACTIVE, after),
            None => constant(after)?,
        };
        let character = char::from_u32(code)?;
        let is_odd = match command {
            "catcode" => is_odd(character, value),
            // Capitals become small and the other way round, and other signs stay.
            _ => character.is_alphanumeric() && value != 0 && !is_case_of(character, value),
        };
        self.changed.retain(|(changed, _)| *changed != character);
        if is_odd {
            self.changed.push((character, groups));
        }
        Some(after.strip_prefix(' ').unwrap_or(after))
    }
}

fn is_case_of(character: char, code: u32) -> bool {
    let code = char::from_u32(code);
    code.is_some_and(|code| code.to_lowercase().eq(character.to_lowercase()))
}

/// Whether a character of this category shows other text than this reader takes it for.
fn is_odd(character: char, category: u32) -> bool {
    let usual = match character {
        '\\' => ESCAPE,
        ' ' => BLANK,
        '%' => COMMENT,
        _ if character.is_alphabetic() => LETTER,
        _ => OTHER,
    };
    if category == usual || character.is_control() {
        return false;
    }
    match character {
        '\\' | '%' => true,
        _ if character.is_alphanumeric() => !matches!(category, LETTER | OTHER),
        _ => matches!(category, ESCAPE | LINE_END | IGNORED | COMMENT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_signs_that_mean_something_else_are_odd() {
        for (source, odd) in [
            ("`\\q=9 ", true),
            ("`q 14", true),
            ("113=\\active", true),
            ("\"71=13", true),
            ("`\\!=9", true),
            ("`\\|=14", true),
            ("`\\%=12", true),
            ("`\\@=11", false),
            ("`\\\"=\\active", false),
            ("`\\_=12", false),
            ("`\\%=14", false),
            ("`\\é=11", false),
            ("`\\^^M=5", false),
        ] {
            let mut categories = Categories::default();
            categories.read("catcode", source, 1);
            assert_eq!(categories.are_odd(), odd, "{source}");
            categories.end_group(0);
            assert!(!categories.are_odd(), "{source}");
        }
        let mut categories = Categories::default();
        categories.read("catcode", "`\\%=12", 0);
        assert!(categories.percent_is_text());
        categories.read("catcode", "`\\%=14", 0);
        assert!(!categories.percent_is_text());
        assert_eq!(categories.read("lccode", "`\\q=`\\m rest", 0), Some("rest"));
        assert!(categories.are_odd());
        assert!(categories.read("lccode", "`\\q=`\\q", 0).is_some() && !categories.are_odd());
    }
}
