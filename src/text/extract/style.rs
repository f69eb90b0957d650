//! What the formatting of a piece of text means, the same for all office formats.

use crate::text::layout::MarkKind;

/// Letters smaller than this many points cannot be read.
const TINY_POINTS: f64 = 4.0;

/// What a paragraph's or a run's formatting says. `None` and `false` are "not said".
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Format {
    /// What a paragraph of this format is.
    pub(super) role: Option<MarkKind>,
    /// Not shown at all.
    pub(super) hidden: Option<bool>,
    /// In the colour of the page.
    pub(super) white: Option<bool>,
    /// On a ground of a colour of its own, so that white can be read.
    pub(super) shaded: Option<bool>,
    /// Too small to be read.
    pub(super) tiny: Option<bool>,
    /// Raised above the line.
    pub(super) raised: Option<bool>,
}

impl Format {
    /// This format, and where it says nothing, the other.
    pub(super) fn over(&self, base: &Format) -> Format {
        Format {
            role: self.role.or(base.role),
            hidden: self.hidden.or(base.hidden),
            white: self.white.or(base.white),
            shaded: self.shaded.or(base.shaded),
            tiny: self.tiny.or(base.tiny),
            raised: self.raised.or(base.raised),
        }
    }

    /// Notes a letter size.
    pub(super) fn set_points(&mut self, points: f64) {
        self.tiny = Some(points < TINY_POINTS);
    }

    /// The mark that a run of this format gets, on a ground that is shaded or not.
    pub(super) fn invisible(&self, shaded: bool) -> Option<MarkKind> {
        if self.tiny == Some(true) {
            Some(MarkKind::Tiny)
        } else if self.white == Some(true) && self.shaded != Some(true) && !shaded {
            Some(MarkKind::White)
        } else {
            None
        }
    }
}

/// Whether a colour `RRGGBB`, perhaps after `#`, is white or nearly so.
pub(super) fn is_white(colour: &str) -> bool {
    let digits = colour.trim().trim_start_matches('#');
    digits.len() == 6
        && u32::from_str_radix(digits, 16).is_ok_and(|value| value.to_be_bytes()[1..].iter().all(|part| *part >= 0xF8))
}

/// What a paragraph style is, by the name it has in English, Chinese or a format's own files.
pub(super) fn role_of_style(name: &str) -> Option<MarkKind> {
    let name = name.replace("_20_", " ").to_lowercase();
    let name = name.trim();
    for prefix in ["heading", "标题", "überschrift", "titre"] {
        if let Some(level) = name.strip_prefix(prefix).and_then(|rest| rest.trim().parse::<u8>().ok()) {
            return (1..=9).contains(&level).then_some(MarkKind::Heading(level));
        }
    }
    match name {
        "title" | "标题" => Some(MarkKind::Title),
        "quote" | "intense quote" | "quotations" | "block text" | "引用" | "明显引用" => {
            Some(MarkKind::Quotation)
        }
        "bibliography" | "书目" => Some(MarkKind::Bibliography),
        "contents heading" => Some(MarkKind::Contents),
        _ if ["toc ", "contents ", "目录 "].iter().any(|prefix| name.starts_with(prefix)) => Some(MarkKind::Contents),
        _ => None,
    }
}

/// Whether a raised text is a number that refers to something.
pub(super) fn is_reference_number(text: &str) -> bool {
    let text = text.trim();
    text.chars().any(|c| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '–' | ' ' | '[' | ']' | '，'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_known_in_both_languages() {
        let cases = [
            ("heading 1", Some(MarkKind::Heading(1))),
            ("Heading_20_2", Some(MarkKind::Heading(2))),
            ("标题 3", Some(MarkKind::Heading(3))),
            ("标题", Some(MarkKind::Title)),
            ("toc 1", Some(MarkKind::Contents)),
            ("Contents_20_2", Some(MarkKind::Contents)),
            ("Intense Quote", Some(MarkKind::Quotation)),
            ("Heading 12", None),
            ("Normal", None),
        ];
        for (name, role) in cases {
            assert_eq!(role_of_style(name), role, "{name}");
        }
    }

    #[test]
    fn white_is_white_or_nearly_so() {
        for colour in ["FFFFFF", "#ffffff", "#FEFDFC"] {
            assert!(is_white(colour), "{colour}");
        }
        for colour in ["", "auto", "F0F0F0", "00FFFFFF", "白白"] {
            assert!(!is_white(colour), "{colour}");
        }
    }
}
