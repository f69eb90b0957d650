//! What of a drawing a clip lets through.

use hayro_interpret::kurbo::{BezPath, PathEl, Point, Rect, Shape as _};
use hayro_interpret::{ClipPath, FillRule};

/// By how many points sides that lie straight may differ from the straight.
const STRAIGHT: f64 = 0.01;

/// A clip of more segments is known by its bounds only.
const MOST_SEGMENTS: usize = 2000;

/// A clip: bounds, and the path if it is worth asking.
pub(super) struct Clip {
    pub(super) bounds: Rect,
    path: Option<(BezPath, FillRule)>,
    /// Whether the bounds are all there is.
    pub(super) exact: bool,
    /// Whether what it lets through is not known.
    pub(super) is_unknown: bool,
}

impl Clip {
    pub(super) fn of_page(width: f64, height: f64) -> Self {
        Clip { bounds: Rect::new(0.0, 0.0, width, height), path: None, exact: true, is_unknown: false }
    }

    /// A clip inside this one.
    pub(super) fn within(&self, clip: &ClipPath) -> Self {
        let bounds = self.bounds.intersect(clip.path.bounding_box());
        let simple = is_rectangle(&clip.path);
        let many = clip.path.elements().len() > MOST_SEGMENTS;
        let is_unknown = self.is_unknown || (!simple && many);
        let (path, exact) = match (simple, many) {
            (true, _) => (self.path.clone(), self.exact),
            (false, false) => (Some((clip.path.clone(), clip.fill)), false),
            (false, true) => (None, false),
        };
        Clip { bounds, path, exact, is_unknown }
    }

    /// Whether what is drawn at a place is seen, as far as that is known.
    pub(super) fn lets_through(&self, place: Point) -> bool {
        self.bounds.contains(place)
            && self.path.as_ref().is_none_or(|(path, rule)| {
                let winding = path.winding(place);
                if *rule == FillRule::EvenOdd { winding % 2 != 0 } else { winding != 0 }
            })
    }
}

/// Whether a path is a rectangle that lies straight.
fn is_rectangle(path: &BezPath) -> bool {
    let mut points = Vec::new();
    for element in path.elements() {
        match element {
            PathEl::MoveTo(to) | PathEl::LineTo(to) => points.push(*to),
            PathEl::ClosePath => {}
            _ => return false,
        }
    }
    points.dedup();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let straight = |from: Point, to: Point| (from.x - to.x).abs() < STRAIGHT || (from.y - to.y).abs() < STRAIGHT;
    points.len() == 4 && (0..4).all(|at| straight(points[at], points[(at + 1) % 4]))
}

/// The bounds of a path's lines that lie straight.
pub(super) fn straight_lines(path: &BezPath) -> Vec<Rect> {
    let lines = path.segments().map(|segment| segment.bounding_box());
    lines.filter(|line| line.width() < STRAIGHT || line.height() < STRAIGHT).collect()
}
