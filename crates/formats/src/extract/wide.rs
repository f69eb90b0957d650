//! Characters that stand next to each other without blanks.

/// Whether a character is of a script without spaces, or of its punctuation.
pub(super) fn is_wide(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{312F}' | '\u{31A0}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}
