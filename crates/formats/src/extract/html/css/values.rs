//! Lengths, numbers and colours in the values of properties (CSS Values and Units 4), computed as far as what they depend on is
//! known; else `None`, and whoever asks may not take the text for seen.

use cssparser::{ParseError, Parser, Token};

use crate::extract::colour::Colour;
use crate::extract::style::USUAL_POINTS;

/// Points of a hundredth of the window's width, which has 1,000 pixels.
const POINTS_OF_VW: f64 = 7.5;

/// Calculations stand no deeper inside of each other.
const DEEPEST: usize = 8;

/// What relative lengths are measured by, in points: the letters here, and those of the whole page.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    pub(super) em: f64,
    pub(super) rem: f64,
}

/// A length in points; percentages are of the letters here.
pub(super) fn length(value: &str, by: Measure) -> Option<f64> {
    let of_keyword = match value {
        "0" => Some(0.0),
        "xx-small" => Some(6.75),
        "x-small" => Some(7.5),
        "small" => Some(9.75),
        "medium" => Some(USUAL_POINTS),
        "large" => Some(13.5),
        "x-large" => Some(18.0),
        "xx-large" => Some(24.0),
        "xxx-large" => Some(36.0),
        "smaller" => Some(by.em / 1.2),
        "larger" => Some(by.em * 1.2),
        _ => None,
    };
    let has_unit = value.ends_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '%' | ')'));
    of_keyword.or_else(|| number(value, by).filter(|_| has_unit))
}

/// The parts of a value, parted by blanks that stand in no brackets.
pub(super) fn parts(value: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let blank = move |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c.is_ascii_whitespace()
    };
    value.split(blank).filter(|part| !part.is_empty())
}

/// A share from 0 to 1, perhaps in percent.
pub(super) fn share(value: &str) -> Option<f64> {
    number(value, Measure { em: 1.0, rem: 1.0 })
}

/// A length, a number, or what is calculated of them.
fn number(value: &str, by: Measure) -> Option<f64> {
    let input = &mut Parser::new(value);
    let sum = sum(input, by, 0).ok()?;
    (input.is_exhausted() && sum.is_finite()).then_some(sum)
}

type Calculated = Result<f64, ParseError<()>>;

fn sum(input: &mut Parser<'_>, by: Measure, depth: usize) -> Calculated {
    let mut sum = product(input, by, depth)?;
    while let Ok(sign) = operator(input, ['+', '-']) {
        let other = product(input, by, depth)?;
        sum += if sign == '+' { other } else { -other };
    }
    Ok(sum)
}

fn product(input: &mut Parser<'_>, by: Measure, depth: usize) -> Calculated {
    let mut product = operand(input, by, depth)?;
    while let Ok(sign) = operator(input, ['*', '/']) {
        let other = operand(input, by, depth)?;
        product = if sign == '*' { product * other } else { product / other };
    }
    Ok(product)
}

fn operator(input: &mut Parser<'_>, known: [char; 2]) -> Result<char, ParseError<()>> {
    input.try_parse(|input| match input.next()? {
        Token::Delim(sign) if known.contains(sign) => Ok(*sign),
        _ => Err(ParseError::unexpected_token()),
    })
}

fn operand(input: &mut Parser<'_>, by: Measure, depth: usize) -> Calculated {
    let unknown = Err(ParseError::unexpected_token());
    match input.next()?.clone() {
        Token::Number { value, .. } => Ok(f64::from(value)),
        Token::Percentage { unit_value, .. } => Ok(f64::from(unit_value) * by.em),
        Token::Dimension { value, unit, .. } => {
            let points = match &*unit {
                "px" => 0.75,
                "pt" => 1.0,
                "pc" => 12.0,
                "in" => 72.0,
                "cm" => 72.0 / 2.54,
                "mm" => 7.2 / 2.54,
                "q" => 1.8 / 2.54,
                "em" | "ic" => by.em,
                "lh" => 1.2 * by.em,
                "ex" | "ch" | "cap" => by.em / 2.0,
                "rem" | "rlh" => by.rem,
                "vw" | "vh" | "vi" | "vb" | "vmin" | "vmax" | "svh" | "lvh" | "dvh" | "svw" | "lvw" | "dvw" => {
                    POINTS_OF_VW
                }
                _ => return unknown,
            };
            Ok(f64::from(value) * points)
        }
        Token::ParenthesisBlock if depth < DEEPEST => input.parse_nested_block(|input| sum(input, by, depth + 1)),
        Token::Function(name) if depth < DEEPEST => {
            let of =
                input.parse_nested_block(|input| input.parse_comma_separated(|input| sum(input, by, depth + 1)))?;
            match (&*name, of.as_slice()) {
                ("calc", &[value]) => Ok(value),
                ("min", _) => Ok(of.into_iter().fold(f64::INFINITY, f64::min)),
                ("max", _) => Ok(of.into_iter().fold(f64::NEG_INFINITY, f64::max)),
                ("clamp", &[least, value, most]) => Ok(value.min(most).max(least)),
                _ => unknown,
            }
        }
        _ => unknown,
    }
}

/// A colour, and its opacity.
pub(super) fn colour(value: &str) -> Option<(Colour, f64)> {
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    Colour::of_css(&words.join(" ").replace(", ", ",").replace(" ,", ",").replace("( ", "(").replace(" )", ")"))
}

/// The first colour in a value such as `#fff no-repeat`.
pub(super) fn colour_in(value: &str) -> Option<(Colour, f64)> {
    colour(value).or_else(|| parts(value).find_map(colour))
}
