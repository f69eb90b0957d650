//! A glyph of a page, and how it meets the eye.

use hayro_interpret::kurbo::Point;

/// Units of a glyph's outline in the height of its font (ISO 32000-1, 9.2.4).
pub(super) const EM: f64 = 1000.0;

/// The width of a glyph for which the font tells none, in units of its outline: half a height.
pub(super) const USUAL_WIDTH: f64 = EM / 2.0;

/// How a glyph meets the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// As it is drawn, or in the picture of a scan that it lies on.
    Plainly,
    /// In the colour of its ground.
    White,
    /// Drawn without ink, transparent, covered, clipped or outside the page.
    Unseen,
}

/// A glyph. Places are in points from the page's upper left corner.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    /// Its characters; empty if the file does not tell.
    pub(super) text: String,
    /// Where it starts on its baseline, and where the next glyph would.
    pub(super) from: Point,
    pub(super) to: Point,
    /// The height of the font.
    pub(super) size: f64,
    /// The direction in which its top lies, as a unit vector.
    pub(super) up: Point,
    /// The share of its square that is ink.
    pub(super) ink: f32,
    pub(super) seen: Seen,
    /// Whether it is not drawn so that it shows, but lies on a picture that shows something there: the text layer of a scan, as it says itself.
    pub(super) upon_picture: bool,
    /// Whether it is drawn as a letter is, and the file says that it is a blank or shows nothing.
    pub(super) denied: bool,
    /// When it was painted.
    pub(super) now: u32,
}
