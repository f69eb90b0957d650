//! Draws Hamming distance over Jaccard similarity, as SVG.

use std::fmt::Write;

/// Columns of two panels each, with the same lines.
pub struct Chart {
    pub lines: Vec<String>,
    pub columns: Vec<[Panel; 2]>,
    /// Distances to be marked across the panels.
    pub marks: Vec<u32>,
}

pub struct Panel {
    pub name: String,
    pub lines: Vec<Line>,
}

pub struct Line {
    /// Jaccard similarity, and the distances that a tenth, half and nine tenths stay within.
    pub points: Vec<(f64, [f64; 3])>,
}

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 260.0;
const GAP: f64 = 46.0;
const TOP: f64 = 56.0;
/// From the top of a panel to that of the one below.
const ROW: f64 = HEIGHT + 70.0;
/// The largest distance shown: unrelated texts are at about 32.
const MOST: f64 = 32.0;
/// Okabe and Ito's colours, told apart by all eyes.
const COLOURS: [&str; 7] = ["#000000", "#e69f00", "#56b4e9", "#009e73", "#d55e00", "#0072b2", "#cc79a7"];

impl Chart {
    pub fn to_svg(&self) -> String {
        let width = GAP + (WIDTH + GAP) * self.columns.len() as f64;
        let height = TOP + 2.0 * ROW;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <title>Hamming distance of SimHash fingerprints against exact Jaccard similarity</title>\n"
        );
        for (number, name) in self.lines.iter().enumerate() {
            let x = GAP + number as f64 * 140.0;
            let colour = COLOURS[number % COLOURS.len()];
            text(&mut svg, x + 22.0, 20.0, "start", name);
            let _ = writeln!(svg, "<path d=\"M{x} 16h18\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        }
        for (column, panels) in self.columns.iter().enumerate() {
            for (row, panel) in panels.iter().enumerate() {
                self.draw(panel, GAP + column as f64 * (WIDTH + GAP), TOP + row as f64 * ROW, &mut svg);
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn draw(&self, panel: &Panel, left: f64, top: f64, svg: &mut String) {
        let x = |jaccard: f64| left + jaccard * WIDTH;
        let y = |distance: f64| top + HEIGHT * (1.0 - distance.min(MOST) / MOST);
        text(svg, left + WIDTH / 2.0, top - 8.0, "middle", &panel.name);
        for tick in 0..=4 {
            let (jaccard, distance) = (f64::from(tick) / 4.0, f64::from(tick) * MOST / 4.0);
            text(svg, x(jaccard), top + HEIGHT + 16.0, "middle", &format!("{jaccard}"));
            text(svg, left - 5.0, y(distance) + 4.0, "end", &format!("{distance}"));
        }
        text(svg, left + WIDTH / 2.0, top + HEIGHT + 36.0, "middle", "exact Jaccard similarity (5 units)");
        text(svg, left, top - 8.0, "start", "bits");
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#999\"/>"
        );
        for mark in &self.marks {
            let at = y(f64::from(*mark));
            let _ = writeln!(svg, "<path d=\"M{left} {at:.1}h{WIDTH}\" stroke=\"#999\" stroke-dasharray=\"3 3\"/>");
            text(svg, left + 4.0, at - 2.0, "start", &format!("k = {mark}"));
        }
        for (number, line) in panel.lines.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let path: Vec<String> =
                line.points.iter().map(|(jaccard, d)| format!("{:.1},{:.1}", x(*jaccard), y(d[1]))).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                path.join(" ")
            );
            // The spread of the first line only: seven of them could not be told apart.
            for (jaccard, [low, _, high]) in line.points.iter().filter(|_| number == 0) {
                let (at, from, to) = (x(*jaccard), y(*low), y(*high));
                let _ =
                    writeln!(svg, "<path d=\"M{at:.1} {from:.1}V{to:.1}\" stroke=\"{colour}\" stroke-opacity=\".4\"/>");
            }
        }
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#222\">{text}</text>");
}
