//! The S-curve of a banding as a drawing (SVG), over the similarities of a corpus.

use crate::search::all_pairs::Sample;
use crate::sketch::banding::Banding;
use std::fmt::Write;

/// The drawing's size, and where the axes are, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

impl Banding {
    /// Draws the probability that a pair becomes a candidate against its Jaccard similarity, the threshold, and, if there is a
    /// sample, how many of its pairs have each similarity, on a logarithmic scale.
    pub fn draw_s_curve(self, threshold: f64, sample: Option<&Sample>) -> String {
        let x = |similarity: f64| LEFT + similarity * (WIDTH - LEFT - RIGHT);
        let y = |share: f64| HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{} bands of {} rows: a pair at {threshold} becomes a candidate \
         with probability {:.4}</text>\n",
            self.bands,
            self.rows,
            self.candidate_probability(threshold)
        );
        // Writing to a string does not fail.
        let mut line = |text: String| _ = writeln!(svg, "{text}");
        if let Some(sample) = sample {
            let bins = sample.histogram();
            let most = bins.iter().copied().max().unwrap_or(0).max(1);
            for (bin, &count) in bins.iter().enumerate().filter(|&(_, &count)| count > 0) {
                let (from, to) = (x(bin as f64 / Sample::BINS as f64), x((bin + 1) as f64 / Sample::BINS as f64));
                let height = y((1.0 + count as f64).ln() / (1.0 + most as f64).ln());
                line(format!(
                    "<rect x=\"{:.1}\" y=\"{height:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#cfd8dc\"><title>{count} \
                 sampled pairs</title></rect>",
                    from + 1.0,
                    to - from - 2.0,
                    y(0.0) - height
                ));
            }
        }
        for tenth in 0..=10 {
            let share = f64::from(tenth) / 10.0;
            line(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{share}</text>",
                x(share),
                y(0.0) + 18.0
            ));
            line(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{share}</text>",
                LEFT - 8.0,
                y(share) + 4.0
            ));
        }
        line(format!("<path d=\"M{LEFT} {TOP}V{:.1}H{:.1}\" fill=\"none\" stroke=\"black\"/>", y(0.0), x(1.0)));
        line(format!(
            "<path d=\"M{0:.1} {TOP}V{1:.1}\" stroke=\"#c62828\" stroke-dasharray=\"5 4\"><title>threshold</title></path>",
            x(threshold),
            y(0.0)
        ));
        let points: Vec<String> = (0..=200)
            .map(|step| f64::from(step) / 200.0)
            .map(|similarity| format!("{:.1},{:.1}", x(similarity), y(self.candidate_probability(similarity))))
            .collect();
        line(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#1565c0\" stroke-width=\"2\"/>",
            points.join(" ")
        ));
        line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">Jaccard similarity (dashed: the threshold; bars: sampled \
         pairs, logarithmic)</text>\n</svg>",
            x(0.5),
            HEIGHT - 10.0
        ));
        svg
    }
}

impl Sample {
    /// Bars of the histogram.
    pub const BINS: usize = 20;

    /// Sampled pairs by similarity, in [`Sample::BINS`] equal parts from 0 to 1.
    pub fn histogram(&self) -> [u64; Sample::BINS] {
        let mut bins = [0; Sample::BINS];
        for (similarity, count) in self.similarities() {
            bins[((similarity * Sample::BINS as f64) as usize).min(Sample::BINS - 1)] += count;
        }
        bins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_histogram_counts_every_pair_once() {
        let sample = Sample { inputs: 9, documents: 5, pairs: vec![4, 3, 0, 2, 1] };
        let bins = sample.histogram();
        assert_eq!((bins[0], bins[5], bins[15], bins[19]), (4, 3, 2, 1));
        assert_eq!(bins.iter().sum::<u64>(), 10);
    }

    #[test]
    fn the_drawing_is_well_formed_and_names_the_banding() {
        let sample = Sample { inputs: 9, documents: 5, pairs: vec![4, 3, 0, 2, 1] };
        let svg = Banding { bands: 29, rows: 5 }.draw_s_curve(0.7, Some(&sample));
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("29 bands of 5 rows"));
        assert_eq!(svg.matches("<title>").count(), 1 + 4);
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }
}
