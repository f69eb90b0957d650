//! The pictures of a page, drawn as SVG without a style of their own.

use crate::check::{Report, Status};
use maud::{Markup, html};

/// Columns of the strip.
const COLUMNS: usize = 400;

/// The name of a status in style sheets and in the data.
pub fn class(status: Status) -> &'static str {
    match status {
        Status::NoAttribution => "no_attribution",
        Status::QuotedNotCited => "quoted_not_cited",
        Status::QuotedAndCited => "quoted_and_cited",
        Status::Excluded => "excluded",
    }
}

/// The whole document from left to right; a column is filled as far as its text stands in sources, by status.
pub fn strip(report: &Report, label: &str) -> Markup {
    let length = f64::from(report.submission.text_characters.max(1));
    let mut filled = vec![[0.0f64; 4]; COLUMNS];
    let scale = COLUMNS as f64 / length;
    for segment in report.segments.iter().filter(|segment| segment.matched) {
        let (start, end) = (f64::from(segment.start) * scale, f64::from(segment.end) * scale);
        for (column, shares) in filled.iter_mut().enumerate().take(end.ceil() as usize).skip(start as usize) {
            let (left, right) = (column as f64, column as f64 + 1.0);
            shares[segment.shown() as usize] += (right.min(end) - left.max(start)).max(0.0);
        }
    }
    html! {
        svg.strip viewBox={ "0 0 " (COLUMNS) " 40" } preserveAspectRatio="none" role="img" aria-label=(label) {
            rect.ground x="0" y="0" width=(COLUMNS) height="40" {}
            @for (column, shares) in filled.iter().enumerate() {
                @for (status, y, height) in stacked(shares) {
                    rect class=(class(status)) x=(column) y=(y) width="1.05" height=(height) {}
                }
            }
            @for chapter in report.chapters.iter().skip(1) {
                rect.border x=(format!("{:.2}", f64::from(chapter.start) * scale)) y="0" width="0.4" height="40" {}
            }
        }
    }
}

/// The rectangles of a column, from the ground up: status, top and height of 40.
fn stacked(shares: &[f64; 4]) -> Vec<(Status, String, String)> {
    let mut ground = 40.0;
    let mut rectangles = Vec::new();
    for status in Status::ALL {
        let height = 40.0 * shares[status as usize];
        if height >= 0.05 {
            ground -= height;
            rectangles.push((status, format!("{:.1}", f64::max(ground, 0.0)), format!("{height:.1}")));
        }
    }
    rectangles
}

/// A bar for a share, 0 to 1. What it says stands beside it in words.
pub fn bar(share: f64) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect.ground x="0" y="0" width="100" height="8" {}
            rect.fill x="0" y="0" width=(format!("{:.1}", share.clamp(0.0, 1.0) * 100.0)) height="8" {}
        }
    }
}
