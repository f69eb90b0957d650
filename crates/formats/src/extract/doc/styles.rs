//! The style sheet ([MS-DOC] 2.9.271).

use super::properties::{Lines, Sprms};
use crate::extract::bytes::{slice, u16_at};
use crate::extract::style::{LetterFormat, role_of_style};
use crate::limits::ReadLimits;
use copytrace_text::layout::MarkKind;

/// Numbers of built-in styles.
const HEADINGS: std::ops::RangeInclusive<u16> = 1..=9;
const CONTENTS: std::ops::RangeInclusive<u16> = 19..=27;
const CAPTION: u16 = 34;
const TITLE: u16 = 62;

/// Stands for no style.
const NONE: u16 = 0x0FFF;

#[derive(Default)]
pub(super) struct Styles(Vec<Lines>);

/// A style as it stands in the file.
#[derive(Default)]
struct Own<'a> {
    base: u16,
    role: Option<MarkKind>,
    lines: &'a [u8],
    letters: &'a [u8],
}

impl Styles {
    pub(super) fn read(sheet: &[u8], limits: &ReadLimits) -> Styles {
        let own = own_styles(sheet).unwrap_or_default();
        let mut styles = Styles(Vec::with_capacity(own.len()));
        for number in 0..own.len() {
            let mut chain = Vec::new();
            let mut next = number as u16;
            // A chain cannot be longer than there are styles, unless it is a ring.
            while next != NONE && chain.len() < own.len().min(limits.nesting) {
                let Some(style) = own.get(usize::from(next)) else { break };
                chain.push(style);
                next = style.base;
            }
            let mut lines = Lines::default();
            for style in chain.into_iter().rev() {
                lines.role = style.role.or(lines.role);
                lines.apply(&mut Sprms(style.lines));
                // Styles of letters inside of styles would need those that are being read.
                lines.letters.apply(&mut Sprms(style.letters), |_| LetterFormat::default());
            }
            styles.0.push(lines);
        }
        styles
    }

    /// What a style of paragraphs says.
    pub(super) fn lines(&self, number: u16) -> Lines {
        self.0.get(usize::from(number)).cloned().unwrap_or_default()
    }

    /// What a style of letters says.
    pub(super) fn letters(&self, number: u16) -> LetterFormat {
        self.0.get(usize::from(number)).map_or_else(LetterFormat::default, |lines| lines.letters.format)
    }
}

fn own_styles(sheet: &[u8]) -> Option<Vec<Own<'_>>> {
    let header = usize::from(u16_at(sheet, 0)?);
    let (count, fixed) = (u16_at(sheet, 2)?, usize::from(u16_at(sheet, 4)?));
    let mut styles = Vec::new();
    let mut at = 2 + header;
    for _ in 0..count {
        let Some(length) = u16_at(sheet, at).map(usize::from) else { break };
        let style = slice(sheet, at + 2, length).unwrap_or_default();
        at += 2 + length;
        styles.push(own_style(style, fixed).unwrap_or(Own { base: NONE, ..Own::default() }));
    }
    Some(styles)
}

fn own_style(style: &[u8], fixed: usize) -> Option<Own<'_>> {
    let built_in = u16_at(style, 0)? & 0x0FFF;
    let (kind, base) = (u16_at(style, 2)? & 0xF, u16_at(style, 2)? >> 4);
    let length = usize::from(u16_at(style, fixed)?);
    let name: Vec<u16> = (0..length).filter_map(|at| u16_at(style, fixed + 2 + at * 2)).collect();
    let role = match built_in {
        level if HEADINGS.contains(&level) => Some(MarkKind::Heading(level as u8)),
        level if CONTENTS.contains(&level) => Some(MarkKind::Contents),
        CAPTION => Some(MarkKind::Caption),
        TITLE => Some(MarkKind::Title),
        _ => role_of_style(&String::from_utf16_lossy(&name)),
    };
    let mut at = fixed + 2 + length * 2 + 2;
    let mut next = || {
        let length = usize::from(u16_at(style, at)?);
        let part = slice(style, at + 2, length)?;
        at += 2 + length + length % 2;
        Some(part)
    };
    let (lines, letters) = match kind {
        1 => (next().and_then(|part| part.get(2..)).unwrap_or_default(), next().unwrap_or_default()),
        2 => (Default::default(), next().unwrap_or_default()),
        _ => Default::default(),
    };
    Some(Own { base, role: role.filter(|_| kind == 1), lines, letters })
}
