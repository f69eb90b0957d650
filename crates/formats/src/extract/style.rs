//! What the formatting of a piece of text means, the same for all formats that have one: whether a reader sees it,
//! and what a paragraph is by the name of its style.

use std::collections::BTreeMap;

use super::colour::{BLACK, Colour, LEAST_CONTRAST, WHITE};
use crate::limits::ReadLimits;
use copytrace_text::languages::{Language, languages};
use copytrace_text::layout::MarkKind;

/// The greatest size in points of letters that cannot be read, and the greatest height of lines that cut off a text so.
const TINY_POINTS: f64 = 4.0;

/// Letters that take less than this share of their width cannot be read: drawn so narrow, or lying upon each other.
const NARROW: f64 = 0.2;

/// The width of most letters, and that of a blank, in heights of letters.
const LETTER: f64 = 0.5;
const BLANK: f64 = 0.25;

/// A blank of fewer points parts no words: it is about a tenth of a letter.
const LEAST_BLANK: f64 = 1.0;

/// The letter size of a text that says none, in points.
pub(super) const USUAL_POINTS: f64 = 12.0;

/// What letters are drawn with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ink {
    /// A colour that the program chooses to suit the ground: it is seen.
    Seen,
    /// Nothing.
    None,
    /// A gradient, or a colour that was not understood.
    Unknown,
    /// A colour.
    Colour(Colour),
}

/// What is behind letters; paper, where nothing says it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ground {
    /// A colour.
    Colour(Colour),
    /// One that may be dark, such as that of a table's last row: what would be lost on paper may be seen on it.
    Unknown,
    /// A picture or a gradient in this place, that was not looked at: any colour may be lost on it.
    Picture,
}

/// Indents between these, in points, leave the text on the page; with others of less than a page it depends on that. A signature stands
/// ten centimetres from the margin.
const INDENTS: std::ops::RangeInclusive<f64> = -150.0..=400.0;

/// Whether one of these indents may lead out of the page.
pub(super) fn may_lead_out(mut indents: impl Iterator<Item = f64>) -> bool {
    indents.any(|points| !INDENTS.contains(&points))
}

/// The ground of a page that says nothing.
pub(super) const PAPER: Ground = Ground::Colour(WHITE);

impl Default for Ground {
    fn default() -> Self {
        PAPER
    }
}

/// What a paragraph's or a run's formatting says. `None` is "not said".
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LetterFormat {
    /// What a paragraph of this format is.
    pub(super) role: Option<MarkKind>,
    /// Not shown at all.
    pub(super) hidden: Option<bool>,
    /// The letters' colour.
    pub(super) ink: Option<Ink>,
    /// What is behind the letters; `Some(None)` lets the ground around through.
    pub(super) ground: Option<Option<Ground>>,
    /// Letter size in points.
    pub(super) points: Option<f64>,
    /// Letters' width in percent of what it should be.
    pub(super) width: Option<f64>,
    /// What is added to the distance of letters, in points.
    pub(super) spacing: Option<f64>,
    /// The height of lines in points, if text that is higher is cut off.
    pub(super) line: Option<f64>,
    /// From 0, which nobody sees, to 1.
    pub(super) opacity: Option<f64>,
    /// Outside of the page or the window.
    pub(super) away: Option<bool>,
    /// A property was met that is not known to leave text visible.
    pub(super) unjudged: Option<bool>,
    /// Raised above the line.
    pub(super) raised: Option<bool>,
    /// Bold.
    pub(super) bold: Option<bool>,
    /// Where the first line begins, in points from the margin; of an indented one the others.
    pub(super) indent: Option<f64>,
}

impl LetterFormat {
    /// This format, and where it says nothing, the other.
    pub(super) fn over(&self, base: &LetterFormat) -> LetterFormat {
        LetterFormat {
            role: self.role.or(base.role),
            hidden: self.hidden.or(base.hidden),
            ink: self.ink.or(base.ink),
            ground: self.ground.or(base.ground),
            points: self.points.or(base.points),
            width: self.width.or(base.width),
            spacing: self.spacing.or(base.spacing),
            line: self.line.or(base.line),
            opacity: self.opacity.or(base.opacity),
            away: self.away.or(base.away),
            unjudged: self.unjudged.or(base.unjudged),
            raised: self.raised.or(base.raised),
            bold: self.bold.or(base.bold),
            indent: self.indent.or(base.indent),
        }
    }

    /// The mark that a run of this format gets on what lies behind it, if it is not known to be seen.
    ///
    /// Size, width and contrast each have a limit; and letters that are small, narrow and pale together are lost when the product of
    /// the three, as shares of what letters usually have, is what the least contrast alone has.
    pub(super) fn unseen(&self, behind: Ground) -> Option<MarkKind> {
        let points = self.points.unwrap_or(USUAL_POINTS);
        let height = self.line.map_or(points, |line| line.min(points));
        let width = self.width.unwrap_or(100.0) / 100.0 + self.spacing.unwrap_or(0.0) / (LETTER * points.max(1.0));
        let opacity = self.opacity.unwrap_or(1.0);
        let hardly = |ink: Colour, ground: Colour| opacity == 1.0 && ink.is_hardly_seen_on(ground);
        let contrast = match (self.ink, self.ground.flatten().unwrap_or(behind)) {
            (Some(Ink::None), _) => Some(1.0),
            (Some(Ink::Unknown), _) | (_, Ground::Picture) => None,
            (Some(Ink::Colour(ink)), Ground::Colour(ground)) if hardly(ink, ground) => None,
            (Some(Ink::Colour(ink)), Ground::Colour(ground)) => Some(ground.mixed(ink, opacity).contrast(ground)),
            (Some(Ink::Colour(ink)), Ground::Unknown) => {
                Some(WHITE.mixed(ink, opacity).contrast(WHITE)).filter(|contrast| *contrast >= LEAST_CONTRAST)
            }
            (Some(Ink::Seen) | None, _) => Some(WHITE.mixed(BLACK, opacity).contrast(WHITE)),
        };
        let share = |contrast: f64| contrast.ln() / BLACK.contrast(WHITE).ln();
        let is_dim = |contrast| {
            let small = (height / USUAL_POINTS).clamp(0.0, 1.0) * width.clamp(0.0, 1.0);
            small * share(contrast) < share(LEAST_CONTRAST)
        };
        if height <= TINY_POINTS {
            Some(MarkKind::Tiny)
        } else if self.away == Some(true) || width < NARROW || self.ink == Some(Ink::None) {
            Some(MarkKind::Unseen)
        } else if contrast.is_some_and(|contrast| contrast < LEAST_CONTRAST) {
            Some(if opacity < 1.0 { MarkKind::Unseen } else { MarkKind::White })
        } else if contrast.is_none() || self.unjudged == Some(true) {
            Some(MarkKind::Unjudged)
        } else {
            contrast.is_some_and(is_dim).then_some(MarkKind::Unseen)
        }
    }

    /// Whether a blank of this format is too narrow to part words.
    pub(super) fn joins(&self) -> bool {
        let width = BLANK * self.points.unwrap_or(USUAL_POINTS) * self.width.unwrap_or(100.0) / 100.0;
        width + self.spacing.unwrap_or(0.0) < LEAST_BLANK
    }
}

/// What styles say, what they inherit included: each is given with the one that it is based on, and `over` puts one over another.
pub(super) fn with_inherited<K: Ord + Clone, S: Clone>(
    own: &BTreeMap<K, (S, Option<K>)>,
    over: impl Fn(&S, &S) -> S,
    limits: &ReadLimits,
) -> BTreeMap<K, S> {
    let whole = |(key, (style, base)): (&K, &(S, Option<K>))| {
        let (mut style, mut base) = (style.clone(), base.as_ref());
        // A chain cannot be longer than there are styles, unless it is a ring.
        for _ in 0..own.len().min(limits.nesting) {
            let Some((inherited, next)) = base.and_then(|base| own.get(base)) else { break };
            style = over(&style, inherited);
            base = next.as_ref();
        }
        (key.clone(), style)
    };
    own.iter().map(whole).collect()
}

/// A length with its unit in points; pixels are those of style sheets.
pub(super) fn points(length: &str) -> Option<f64> {
    let length = length.trim();
    let unit = length.find(|c: char| c.is_ascii_alphabetic())?;
    let number: f64 = length[..unit].parse().ok()?;
    let factor = match &length[unit..] {
        "pt" => 1.0,
        "px" => 0.75,
        "pc" => 12.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 7.2 / 2.54,
        _ => return None,
    };
    Some(number * factor)
}

/// What a paragraph style is, by the name it has in some language or in a format's own files.
pub(super) fn role_of_style(name: &str) -> Option<MarkKind> {
    let name = name.replace("_20_", " ").to_lowercase();
    let name = name.trim();
    let level = |word: &str| name.strip_prefix(word)?.trim().parse::<u8>().ok();
    if let Some(level) = languages().words(|l| &l.styles.heading).find_map(level) {
        return (1..=9).contains(&level).then_some(MarkKind::Heading(level));
    }
    let is_one_of = |names: fn(&Language) -> &[String]| languages().has(name, names);
    match () {
        () if is_one_of(|l| &l.styles.title) => Some(MarkKind::Title),
        () if is_one_of(|l| &l.styles.quotation) => Some(MarkKind::Quotation),
        () if is_one_of(|l| &l.styles.bibliography) => Some(MarkKind::Bibliography),
        () if is_one_of(|l| &l.styles.contents_title) => Some(MarkKind::Contents),
        () if is_one_of(|l| &l.styles.caption) => Some(MarkKind::Caption),
        () if is_one_of(|l| &l.styles.code) => Some(MarkKind::Code),
        () => {
            let mut words = languages().words(|l| &l.styles.contents);
            words
                .any(|word| name.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')))
                .then_some(MarkKind::Contents)
        }
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
            ("caption", Some(MarkKind::Caption)),
            ("Heading 12", None),
            ("Normal", None),
        ];
        for (name, role) in cases {
            assert_eq!(role_of_style(name), role, "{name}");
        }
    }

    #[test]
    fn a_run_is_unseen_by_its_own_format_on_its_ground() {
        let white = Some(Ink::Colour(WHITE));
        let dark = Ground::Colour(Colour([20, 20, 60]));
        let yellow = Some(Ink::Colour(Colour([255, 255, 0])));
        let grey = Some(Ink::Colour(Colour([0xA0; 3])));
        let format = LetterFormat::default;
        let cases = [
            (format(), PAPER, None),
            (LetterFormat { ink: white, ..format() }, PAPER, Some(MarkKind::White)),
            (LetterFormat { ink: white, ..format() }, dark, None),
            (LetterFormat { ink: white, ..format() }, Ground::Unknown, Some(MarkKind::Unjudged)),
            (LetterFormat { ink: white, ground: Some(Some(dark)), ..format() }, PAPER, None),
            (LetterFormat { ink: white, ground: Some(None), ..format() }, PAPER, Some(MarkKind::White)),
            (LetterFormat { ink: Some(Ink::None), ..format() }, dark, Some(MarkKind::Unseen)),
            (LetterFormat { ink: Some(Ink::Seen), ..format() }, dark, None),
            (LetterFormat { points: Some(4.0), ..format() }, PAPER, Some(MarkKind::Tiny)),
            (LetterFormat { points: Some(4.5), ..format() }, PAPER, None),
            (LetterFormat { line: Some(0.05), ..format() }, PAPER, Some(MarkKind::Tiny)),
            (LetterFormat { width: Some(1.0), ..format() }, PAPER, Some(MarkKind::Unseen)),
            (LetterFormat { spacing: Some(-10.0), ..format() }, PAPER, Some(MarkKind::Unseen)),
            (LetterFormat { spacing: Some(-1.0), ..format() }, PAPER, None),
            (LetterFormat { opacity: Some(0.0), ..format() }, PAPER, Some(MarkKind::Unseen)),
            (LetterFormat { opacity: Some(0.05), ink: white, ..format() }, dark, Some(MarkKind::Unseen)),
            (LetterFormat { ink: Some(Ink::Unknown), ..format() }, PAPER, Some(MarkKind::Unjudged)),
            (LetterFormat { ink: yellow, ..format() }, PAPER, Some(MarkKind::Unjudged)),
            (LetterFormat { ink: Some(Ink::Colour(BLACK)), ..format() }, Ground::Picture, Some(MarkKind::Unjudged)),
            (LetterFormat { unjudged: Some(true), ..format() }, PAPER, Some(MarkKind::Unjudged)),
            // Small, narrow and pale together.
            (
                LetterFormat { points: Some(4.5), width: Some(50.0), ink: grey, ..format() },
                PAPER,
                Some(MarkKind::Unseen),
            ),
            (LetterFormat { points: Some(7.0), ink: grey, ..format() }, PAPER, None),
            (LetterFormat { width: Some(50.0), ink: grey, ..format() }, PAPER, None),
            (LetterFormat { away: Some(true), ..format() }, PAPER, Some(MarkKind::Unseen)),
        ];
        for (format, behind, expected) in cases {
            assert_eq!(format.unseen(behind), expected, "{format:?} on {behind:?}");
        }
    }
}
