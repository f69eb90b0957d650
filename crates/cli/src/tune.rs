//! `copytrace tune`: the S-curve of a banding, and what it is expected to do with a corpus.

use super::Outcome;
use super::args::TuneOptions;
use super::console::{Console, shown};
use super::loading::inputs;
use super::pairs::Reading;
use anyhow::Context;
use copytrace::align::AlignSettings;
use copytrace::formats::input::ReadLimits;
use copytrace::search::all_pairs::{Corpus, Sample};
use copytrace::settings::{Settings, SketchSettings};
use copytrace_messages::message;
use std::io::Write;

pub fn run(options: &TuneOptions, console: &Console) -> anyhow::Result<Outcome> {
    let settings = options.sketch.settings(AlignSettings::default())?;
    let sample = if options.paths.is_empty() { None } else { Some(sample(options, &settings, console)?) };

    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n", explanation(options, &settings))?;
    write_table(&mut out, &settings, sample.as_ref())?;
    if let Some(sample) = &sample {
        writeln!(out, "\n{}", prospect(sample, &settings))?;
    }
    if let Some(output) = &options.output {
        let drawing = settings.sketch.banding.draw_s_curve(settings.threshold, sample.as_ref());
        std::fs::write(output, drawing).with_context(|| shown(output))?;
        console.done(&message!("curve-drawn", path = shown(output)));
    }
    Ok(Outcome::Done)
}

fn sample(options: &TuneOptions, settings: &Settings, console: &Console) -> anyhow::Result<Sample> {
    let limits = ReadLimits { cancel: console.cancel.clone(), ..ReadLimits::default() };
    let reading = Reading::new(console, &options.paths, &limits);
    let corpus = Corpus::open(inputs(&options.paths), limits)?;
    let sample = corpus.sample(&settings.sketch, &reading)?;
    reading.finish();
    anyhow::ensure!(sample.documents > 1, message!("no-two-documents"));
    Ok(sample)
}

/// Why the banding is what it is, in a sentence.
fn explanation(options: &TuneOptions, settings: &Settings) -> String {
    let (banding, threshold, hashes) = (settings.sketch.banding, settings.threshold, settings.sketch.hashes);
    let reached = banding.candidate_probability(threshold);
    let (recall, chosen) = (
        SketchSettings::RECALL,
        format!("{} bands of {} rows, of {hashes} hash functions", banding.bands, banding.rows),
    );
    if options.sketch.bands.is_some() {
        format!(
            "{chosen}, as asked for: a pair at a similarity of {threshold} becomes a candidate with probability {reached:.4}."
        )
    } else if reached >= recall {
        format!(
            "{chosen}: rows keep dissimilar pairs out, so this is the most of them with which a pair at a similarity of \
             {threshold} still becomes a candidate with probability {recall} or more ({reached:.4}), and then the fewest bands."
        )
    } else {
        format!(
            "{chosen}: no banding of so few functions makes a pair at a similarity of {threshold} a candidate with \
             probability {recall}; this one comes nearest ({reached:.4})."
        )
    }
}

fn write_table(out: &mut impl Write, settings: &Settings, sample: Option<&Sample>) -> std::io::Result<()> {
    let bins = sample.map(Sample::histogram);
    let heading = if bins.is_some() { "  sampled pairs" } else { "" };
    writeln!(out, "similarity  becomes a candidate{heading}")?;
    for bin in 0..=Sample::BINS {
        let similarity = bin as f64 / Sample::BINS as f64;
        write!(out, "{similarity:>10.2}  {:>19.4}", settings.sketch.banding.candidate_probability(similarity))?;
        match bins.as_ref().and_then(|bins| bins.get(bin)) {
            Some(count) => writeln!(out, "  {count:>13}")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// What is to be expected of the whole corpus.
fn prospect(sample: &Sample, settings: &Settings) -> String {
    let expected = sample.expectation(settings.sketch.banding, settings.threshold);
    let threshold = settings.threshold;
    let similar = match expected.recall {
        Some(recall) => format!(
            "about {:.0} of them are at or above {threshold}, of which {:.2} % become candidates",
            expected.similar,
            100.0 * recall
        ),
        None => format!(
            "none of those sampled is at or above {threshold}, where at least {:.2} % become candidates",
            100.0 * settings.sketch.banding.candidate_probability(threshold)
        ),
    };
    format!(
        "Of {} documents {} were sampled. The corpus has {:.0} pairs: {similar}. About {:.0} candidates are to be verified.",
        sample.inputs, sample.documents, expected.pairs, expected.candidates
    )
}
