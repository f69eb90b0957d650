//! Texts as they are shown: nothing in them can change the page around them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A character as it is shown, one for one: control characters as their pictures, and those that reverse the direction
/// of what follows as a replacement character.
fn shown(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => character,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + character as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

/// A text as it is shown, with as many characters. It is not yet escaped: the templates do that.
pub fn text(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// A longer title is cut where it is one of many facts: some files have a whole abstract in its place. In characters.
const LONGEST_TITLE: usize = 80;

/// A title or a name as one of many facts.
pub fn title(title: &str) -> String {
    match title.char_indices().nth(LONGEST_TITLE) {
        Some((end, _)) => format!("{}…", text(title[..end].trim_end())),
        None => text(title),
    }
}

/// The day of a date (ISO 8601) that may tell a time too.
pub fn day(date: &str) -> &str {
    match date.split_once('T') {
        Some((day, _)) if day.len() == 10 => day,
        _ => date,
    }
}

/// A sentence with its `{}` filled, one after the other.
pub fn filled(pattern: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    pattern.split("{}").enumerate().fold(String::new(), |said, (at, part)| match at {
        0 => part.to_owned(),
        _ => said + values.next().copied().unwrap_or_default() + part,
    })
}

/// A ratio in per cent with one decimal, as in `38.1%`.
pub fn percent(ratio: f64) -> String {
    format!("{:.1}%", ratio * 100.0)
}

/// A number with its thousands set apart.
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A value as JSON that may stand in a `script` element: what could end it, or start a comment, is escaped.
pub fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut escaped = String::new();
    for character in serde_json::to_string(value)?.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => escaped.push_str(&format!("\\u{:04x}", character as u32)),
            _ => escaped.push(shown(character)),
        }
    }
    Ok(escaped)
}

/// The policy of a page whose only style and script are these: nothing else runs, and nothing is loaded. One with a record may show
/// a logo and send forms to where it came from.
pub fn policy(style: &str, script: &str, has_record: bool) -> String {
    let hash = |content: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content.as_bytes())));
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; {}",
        hash(style),
        hash(script),
        if has_record { "img-src data:; form-action 'self'" } else { "form-action 'none'" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_grouped() {
        for (value, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn of_a_date_with_a_time_the_day_is_shown() {
        for (date, shown) in
            [("2015-05-07T08:33:00Z", "2015-05-07"), ("2015", "2015"), ("The 7th of May", "The 7th of May")]
        {
            assert_eq!(day(date), shown);
        }
    }

    proptest! {
        #[test]
        fn embedded_json_has_no_markup_and_reads_back(value in "\\PC{0,40}|[<>&/\"'a-z!-]{0,40}") {
            let embedded = json(&value).unwrap();
            prop_assert!(!embedded.contains(['<', '>', '&']));
            prop_assert_eq!(serde_json::from_str::<String>(&embedded).unwrap(), text(&value));
        }

        #[test]
        fn what_is_shown_has_as_many_characters_and_no_control(value in any::<String>()) {
            let shown = text(&value);
            prop_assert_eq!(shown.chars().count(), value.chars().count());
            prop_assert!(!shown.chars().any(|c| c.is_control() && !"\t\n\r".contains(c)));
        }
    }
}
