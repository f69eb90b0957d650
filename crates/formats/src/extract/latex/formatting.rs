//! Commands that change how letters look, and drawings.

use super::LatexReader;
use super::commands::Formatting;
use crate::extract::ExtractError;
use crate::extract::style::{Ground, Ink, LetterFormat, points};
use copytrace_text::layout::LeftOut;

/// Letters raised by more points are not on their line; a space of more leads out of the page.
const OFF_LINE: f64 = 72.0;
const OFF_PAGE: f64 = 600.0;

/// The fewest letters of a text in a drawing that is more than a label, and the fewest of them for each character that is none.
const PROSE: usize = 60;
const SIGNS_ONE_IN: usize = 5;

/// The points that letters of `\tiny` count as, too small to be read; they have five where the text has ten.
const TINY: f64 = 4.0;

/// What is scaled to a width of fewer points, or to a smaller share of its size, cannot be read.
const LEAST_WIDTH: f64 = 10.0;
const LEAST_SCALE: f64 = 0.35;

impl LatexReader {
    /// A command that changes how letters look. Apart from the others, for it is called by its own arguments.
    pub(super) fn formatting<'s>(
        &mut self,
        known: Formatting,
        name: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        match known {
            Formatting::Item => {
                self.builder.end_paragraph();
                let Some((label, after)) = self.search.option(after) else { return Ok(after) };
                self.read_group(label, self.format, depth)?;
                self.builder.blank();
                Ok(after)
            }
            Formatting::Address => {
                let Some((address, after)) = self.search.argument(after) else { return Ok(after) };
                self.push(&address.replace("\\%", "%").replace("\\_", "_").replace("\\#", "#"));
                Ok(after)
            }
            Formatting::Tiny => {
                self.format.points = Some(TINY);
                Ok(after)
            }
            Formatting::Size => {
                let Some((size, after)) = self.search.argument(after) else { return Ok(after) };
                let size = points(size).or_else(|| size.trim().parse().ok());
                self.format.points = size.or(self.format.points);
                Ok(self.search.without_arguments(after, 1))
            }
            Formatting::Colour => {
                let (model, after) =
                    self.search.option(after).map_or((None, after), |(model, after)| (Some(model), after));
                let Some((name, after)) = self.search.argument(after) else { return Ok(after) };
                self.format.ink = Some(self.colours.get(model, name).map_or(Ink::Unknown, Ink::Colour));
                Ok(after)
            }
            Formatting::Coloured | Formatting::Box => {
                let (model, after) =
                    self.search.option(after).map_or((None, after), |(model, after)| (Some(model), after));
                let Some((name, after)) = self.search.argument(after) else { return Ok(after) };
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                let colour = self.colours.get(model, name);
                let mut format = self.format;
                if matches!(known, Formatting::Box) {
                    format.ground = Some(Some(colour.map_or(Ground::Unknown, Ground::Colour)));
                } else {
                    format.ink = Some(colour.map_or(Ink::Unknown, Ink::Colour));
                }
                self.read_group(text, format, depth)?;
                Ok(after)
            }
            Formatting::Scale => {
                let Some((scale, after)) = self.search.argument(after) else { return Ok(after) };
                let after = if name == "resizebox" {
                    self.search.without_arguments(after, 1)
                } else {
                    self.search.without_options(after)
                };
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                let too_small = match name {
                    "resizebox" => points(scale).is_some_and(|points| points < LEAST_WIDTH),
                    _ => scale.trim().parse::<f64>().is_ok_and(|scale| scale.abs() < LEAST_SCALE),
                };
                let format = if too_small { LetterFormat { points: Some(1.0), ..self.format } } else { self.format };
                self.read_group(text, format, depth)?;
                Ok(after)
            }
            Formatting::Hide => {
                let after = self.search.without_options(after);
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                self.builder.hidden(text);
                Ok(after)
            }
            Formatting::Raise => {
                let Some((by, after)) = self.search.argument(after) else { return Ok(after) };
                let after = self.search.without_options(after);
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                let away = points(by).is_some_and(|points| points.abs() > OFF_LINE).then_some(true);
                self.read_group(text, LetterFormat { away: away.or(self.format.away), ..self.format }, depth)?;
                Ok(after)
            }
            Formatting::Space => {
                let Some((by, after)) = self.search.argument(after) else { return Ok(after) };
                self.leads_out(by);
                self.space(by);
                Ok(after)
            }
            Formatting::Transparency => {
                let Some((opacity, after)) = self.search.argument(after) else { return Ok(after) };
                let opacity = opacity.trim().parse().ok();
                if name == "transparent" {
                    self.format.opacity = opacity.or(self.format.opacity);
                    return Ok(after);
                }
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                self.read_group(text, LetterFormat { opacity: opacity.or(self.format.opacity), ..self.format }, depth)?;
                Ok(after)
            }
        }
    }

    /// What follows a space stands out of the page if that is wide.
    pub(super) fn leads_out(&mut self, by: &str) {
        if points(by).is_some_and(|points| points.abs() > OFF_PAGE) {
            self.format.away = Some(true);
        }
    }

    /// A drawing: what it says in sentences is text, its labels and coordinates are none.
    pub(super) fn drawing(&mut self, source: &str) {
        let mut rest = source;
        while let Some(end) = rest.find(['{', '}']) {
            let (piece, after) = (&rest[..end], &rest[end + 1..]);
            let letters = piece.chars().filter(|c| c.is_alphabetic()).count();
            let others = piece.chars().filter(|c| !c.is_alphabetic() && !c.is_whitespace()).count();
            if letters >= PROSE && SIGNS_ONE_IN * others < letters {
                self.push_collapsed(piece);
                self.builder.end_paragraph();
            } else {
                self.builder.left_out(LeftOut::Formula, piece);
            }
            rest = after;
        }
        self.builder.left_out(LeftOut::Formula, rest);
    }
}
