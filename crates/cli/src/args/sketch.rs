//! How documents are compared as wholes.

use super::values::positive_share;
use clap::Args;
use copytrace::align::AlignSettings;
use copytrace::settings::{Settings, SketchSettings};
use copytrace::sketch::banding::Banding;
use copytrace::sketch::shingle::Shingling;

/// How documents are compared as wholes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Whole documents")]
pub struct SketchOptions {
    /// Jaccard similarity from which two documents are similar as wholes [default: 0.7]
    #[arg(long, value_name = "J", value_parser = positive_share, hide_short_help = true)]
    pub threshold: Option<f64>,

    /// What a shingle is: units:K, chars:K or words:K (a unit is a Han character or a word of another script)
    /// [default: units:5, or the index's]
    #[arg(long, value_name = "OF:K", hide_short_help = true)]
    pub shingle: Option<Shingling>,

    /// MinHash functions, 16 to 1024 [default: 256, or the index's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=1024), hide_short_help = true)]
    pub hashes: Option<u32>,

    /// Bands of the signature, with --rows, instead of the banding chosen for --threshold
    #[arg(long, value_name = "B", requires = "rows", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    pub bands: Option<u32>,

    /// Values in a band, with --bands
    #[arg(long, value_name = "R", requires = "bands", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    pub rows: Option<u32>,

    /// Bits in which SimHash fingerprints may differ to agree that two documents are similar
    #[arg(long, default_value_t = 3, value_name = "BITS", value_parser = clap::value_parser!(u32).range(0..=64), hide_short_help = true)]
    pub hamming: u32,
}

impl SketchOptions {
    /// The settings these options stand for, with the given ones for passages.
    pub fn settings(&self, align: AlignSettings) -> anyhow::Result<Settings> {
        let hashes = self.hashes.unwrap_or(SketchSettings::DEFAULT_HASHES);
        let threshold = self.threshold.unwrap_or(SketchSettings::DEFAULT_THRESHOLD);
        let mut sketch = SketchSettings::new(self.shingle.unwrap_or_default(), hashes, threshold);
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let values = u64::from(bands) * u64::from(rows);
            anyhow::ensure!(
                values <= u64::from(hashes),
                "--bands {bands} × --rows {rows} needs {values} hash functions, and there are {hashes} (--hashes)"
            );
            sketch.banding = Banding { bands, rows };
        }
        Ok(self.with(sketch, threshold, align))
    }

    fn with(&self, sketch: SketchSettings, threshold: f64, align: AlignSettings) -> Settings {
        let settings = Settings::default().with_sketch(sketch).with_threshold(threshold).with_align(align);
        settings.with_hamming_threshold(self.hamming)
    }

    /// The settings for searching an index made with `sketch`. Options that would need another index are refused.
    pub fn settings_for_index(&self, sketch: &SketchSettings, align: AlignSettings) -> anyhow::Result<Settings> {
        if let Some(shingle) = self.shingle {
            anyhow::ensure!(
                shingle == sketch.shingling,
                "--shingle {shingle}: the index was made with {}",
                sketch.shingling
            );
        }
        if let Some(hashes) = self.hashes {
            anyhow::ensure!(hashes == sketch.hashes, "--hashes {hashes}: the index was made with {}", sketch.hashes);
        }
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let banding = sketch.banding;
            anyhow::ensure!(
                banding == Banding { bands, rows },
                "--bands {bands} --rows {rows}: the index was made with {} bands of {} rows",
                banding.bands,
                banding.rows
            );
        }
        let threshold = self.threshold.unwrap_or(SketchSettings::DEFAULT_THRESHOLD);
        Ok(self.with(*sketch, threshold, align))
    }
}
