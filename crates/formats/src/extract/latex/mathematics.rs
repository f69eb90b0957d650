//! Formulas as a reader sees them: their letters, numbers, signs and words in the order of the source.

use std::sync::LazyLock;

use ahash::AHashMap;
use serde::Deserialize;

use crate::extract::table::by_name;

/// What a command in a formula prints.
#[derive(Debug, Clone, Deserialize)]
enum Printed {
    /// A sign.
    Sign(String),
    /// Its own name.
    Function,
    /// Nothing, and nothing of its argument.
    Silent,
    /// A blank.
    Blank,
}

/// What the commands print; others print their arguments alone.
static COMMANDS: LazyLock<AHashMap<String, Printed>> = LazyLock::new(|| by_name(include_str!("mathematics.json")));

/// The text of a formula.
pub(super) fn text(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\\' => {
                let length = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
                let (name, following) = after.split_at(length);
                if name.is_empty() {
                    // `\\`, `\,`, `\{` and the like.
                    let sign = after.chars().next();
                    match sign {
                        Some('\\' | ',' | ';' | ':' | ' ' | '!') | None => blank(&mut out),
                        Some(sign) => out.push(sign),
                    }
                    &after[sign.map_or(0, char::len_utf8)..]
                } else {
                    let printed = COMMANDS.get(name);
                    match printed {
                        Some(Printed::Sign(sign)) => out.push_str(sign),
                        Some(Printed::Function) => {
                            blank(&mut out);
                            out.push_str(name);
                            blank(&mut out);
                        }
                        Some(Printed::Blank) => blank(&mut out),
                        Some(Printed::Silent) | None => {}
                    }
                    match printed {
                        Some(Printed::Silent) => {
                            let argument = following.trim_start_matches('*').trim_start();
                            let inside = argument.strip_prefix('{');
                            inside.map_or(argument, |inside| inside.split_once('}').map_or("", |(_, after)| after))
                        }
                        _ => following,
                    }
                }
            }
            '%' => after.split_once('\n').map_or("", |(_, after)| after),
            '{' | '}' | '$' | '^' | '_' => after,
            '&' | '~' => {
                blank(&mut out);
                after
            }
            c if c.is_whitespace() => {
                blank(&mut out);
                after
            }
            c => {
                out.push(c);
                after
            }
        };
    }
    out.trim_end().to_owned()
}

fn blank(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_read_as_their_signs_in_order() {
        for (source, expected) in [
            ("x^2 + y_{i}", "x2 + yi"),
            ("\\frac{\\alpha}{2} \\leq \\sin x", "α2 ≤ sin x"),
            ("f(x) = \\text{if so, } 1 \\\\ \\label{eq:one} \\mathbf{v}", "f(x) = if so, 1 v"),
            ("50\\% % no\n a\\{b\\}", "50% a{b}"),
            ("中\\", "中"),
        ] {
            assert_eq!(text(source), expected, "{source}");
        }
    }
}
