//! Letters that are written by their numbers, and lengths.

use std::borrow::Cow;

/// A source in which letters and digits stand for themselves that were written as `^^61`, `\\char97`, `\\char"61`,
/// `^^!`, `^^^^0061`, `\\char'141`, `` \\char`a `` or `\\symbol{97}`.
pub(super) fn out(source: &str) -> Cow<'_, str> {
    if !source.contains("^^") && !source.contains("\\char") && !source.contains("\\symbol") {
        return Cow::Borrowed(source);
    }
    let mut spelt = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find(['^', '\\']) {
        spelt.push_str(&rest[..at]);
        rest = &rest[at..];
        match letter(rest) {
            Some((letter, after)) => {
                spelt.push(letter);
                rest = after;
            }
            None => {
                // Of two backslashes the second begins no command.
                let length = if rest.starts_with("\\\\") { 2 } else { 1 };
                spelt.push_str(&rest[..length]);
                rest = &rest[length..];
            }
        }
    }
    spelt.push_str(rest);
    Cow::Owned(spelt)
}

/// The letter or digit that a source begins with by its number, and what follows it.
fn letter(source: &str) -> Option<(char, &str)> {
    let (number, after) = if source.starts_with("^^") {
        by_carets(source)?
    } else if let Some(argument) = source.strip_prefix("\\symbol{") {
        let (number, after) = argument.split_once('}')?;
        (constant(number)?.0, after)
    } else {
        let (number, after) = constant(source.strip_prefix("\\char")?)?;
        // One blank ends a number.
        (number, after.strip_prefix(' ').unwrap_or(after))
    };
    char::from_u32(number).filter(|letter| letter.is_alphanumeric()).map(|letter| (letter, after))
}

/// The number of a character that is written as `^^61`, `^^^^0061`, `^^^^^^000061` or, 64 places from it, as `^^!`; the figures are
/// small.
fn by_carets(source: &str) -> Option<(u32, &str)> {
    let carets = source.bytes().take_while(|byte| *byte == b'^').count();
    for digits in [6, 4, 2].into_iter().filter(|digits| *digits <= carets) {
        let after = &source[digits..];
        let is_number = |digits: &&str| digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if let Some(number) = after.get(..digits).filter(is_number) {
            return Some((u32::from_str_radix(number, 16).ok()?, &after[digits..]));
        }
    }
    let sign = source[2..].chars().next().filter(char::is_ascii)?;
    Some((u32::from(sign) ^ 64, &source[3..]))
}

/// A sum of numbers of TeX, with or without `\\numexpr`, and what follows it.
pub(super) fn sum(source: &str) -> Option<(u32, &str)> {
    let Some(expression) = source.trim_start().strip_prefix("\\numexpr") else {
        return constant(source.trim_start().trim_start_matches('='));
    };
    let (first, mut rest) = constant(expression.trim_start())?;
    let mut sum = first;
    loop {
        let term = rest.trim_start();
        let (number, after) = match term.as_bytes().first() {
            Some(b'+' | b'-') => constant(term[1..].trim_start())?,
            Some(b'*' | b'/' | b'(') => return None,
            _ => return Some((sum, rest.trim_start().strip_prefix("\\relax").unwrap_or(rest))),
        };
        sum = if term.starts_with('+') { sum.checked_add(number)? } else { sum.checked_sub(number)? };
        rest = after;
    }
}

/// A length in points, where letters have ten; `None` of one that is computed. Of what may stretch the natural length counts.
pub(super) fn points(length: &str) -> Option<f64> {
    let length = length.trim_start_matches(|c: char| c.is_whitespace() || c == '=');
    if length.starts_with("\\z@") {
        return Some(0.0);
    }
    let end = length.find(|c: char| !(c.is_ascii_digit() || " .,+-".contains(c)))?;
    let number: f64 = length[..end].replace(',', ".").replace(' ', "").parse().ok()?;
    let unit = &length[end..];
    let unit = unit.strip_prefix("true").unwrap_or(unit);
    let factor = match unit.trim_start().get(..2)? {
        "pt" | "bp" => 1.0,
        "sp" => 1.0 / 65536.0,
        "mu" => 10.0 / 18.0,
        "ex" => 4.3,
        "em" => 10.0,
        "pc" | "cc" => 12.0,
        "dd" => 1.07,
        "mm" => 7.2 / 2.54,
        "cm" => 72.0 / 2.54,
        "in" => 72.0,
        // A share of a length of the page.
        _ if unit.starts_with('\\') => 100.0,
        _ => return None,
    };
    Some(number * factor)
}

/// A number of TeX, and what follows it.
pub(super) fn constant(source: &str) -> Option<(u32, &str)> {
    if let Some(letter) = source.strip_prefix('`') {
        let letter = letter.strip_prefix('\\').unwrap_or(letter);
        return letter.chars().next().map(|c| (c as u32, &letter[c.len_utf8()..]));
    }
    let (digits, radix) = match source.as_bytes().first()? {
        b'"' => (&source[1..], 16),
        b'\'' => (&source[1..], 8),
        _ => (source, 10),
    };
    let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
    Some((u32::from_str_radix(&digits[..length], radix).ok()?, &digits[length..]))
}

/// What follows a length such as `-1.5em plus 1fil`, if there is one.
pub(super) fn after_length(source: &str) -> &str {
    let Some(mut rest) = after_dimension(source) else { return source };
    for word in ["plus", "minus"] {
        rest = rest.trim_start().strip_prefix(word).and_then(after_dimension).unwrap_or(rest);
    }
    rest.strip_prefix(' ').unwrap_or(rest)
}

/// What follows a number such as `-100`, if there is one.
pub(super) fn after_number(source: &str) -> &str {
    let after = constant(source.trim_start_matches([' ', '-', '='])).map_or(source, |(_, after)| after);
    after.strip_prefix(' ').unwrap_or(after)
}

/// What follows a number with a unit.
fn after_dimension(source: &str) -> Option<&str> {
    let number = source.trim_start_matches([' ', '-', '+', '=']);
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')).trim_start();
    let units = ["pt", "em", "ex", "mm", "cm", "in", "sp", "bp", "pc", "mu", "dd", "cc", "filll", "fill", "fil"];
    units.iter().find_map(|name| unit.strip_prefix(name)).filter(|_| unit.len() < number.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_written_by_their_numbers_are_letters() {
        for (source, expected) in [
            ("ma^^72sh and $x^2$", "marsh and $x^2$"),
            ("ma{\\char114}sh, \\char114 sh, \\char\"72sh, \\char'162sh, \\char`rsh", "ma{r}sh, rsh, rsh, rsh, rsh"),
            ("ma\\symbol{114}sh \\symbolic \\charge \\\\char", "marsh \\symbolic \\charge \\\\char"),
            ("^^ and ^^0d stay", "^^ and ^^0d stay"),
            ("ma^^2sh, ma^^^^0072sh, ma^^^^^^000072sh, ^^7Ash, \\symbol{\"6F6E}", "marsh, marsh, marsh, wAsh, 潮"),
        ] {
            assert_eq!(out(source), expected);
        }
    }

    #[test]
    fn lengths_are_no_text() {
        for (source, after) in [
            ("0pt rsh", "rsh"),
            ("-1.5em,", ","),
            (" 2 mm x", "x"),
            ("rsh", "rsh"),
            ("12 rsh", "12 rsh"),
            ("0pt plus1em minus .5fil r", "r"),
            ("2pt plus", "plus"),
        ] {
            assert_eq!(after_length(source), after);
        }
    }
}
