//! A report for the printer: its figures, signs, sources and passages.

use super::layout::percent;
use crate::paper::face::FontFile;
use crate::paper::{Column, Paper};
use copytrace::check::{Passage, Ratio, Report, Status};
use copytrace::report::messages::Messages;

/// Characters of a passage that are printed, on either side.
const MOST_CHARACTERS: usize = 1_500;

/// The report as PDF in a font that is embedded; `about` are lines on whose it is.
pub fn render(report: &Report, labels: &'static Messages, about: &[String], font: Option<&FontFile>) -> Vec<u8> {
    let mut paper = Paper::new(labels.report, labels.language, false, font);
    about.iter().for_each(|line| paper.text(line));
    let line = |label: &str, value: &str| format!("{label}{}{value}", labels.colon);
    paper.small(&line(labels.number, &report.number));
    if let Some(digest) = &report.submission.file_sha256 {
        paper.small(&line(labels.file_digest, digest));
    }
    if !report.corpus.name.is_empty() {
        paper.small(&line(labels.corpus, &report.corpus.name));
    }
    figures(&mut paper, report, labels);
    flags(&mut paper, report, labels);
    sources(&mut paper, report, labels);
    passages(&mut paper, report, labels);
    paper.heading(labels.remarks);
    paper.small(labels.note);
    paper.finish()
}

fn figures(paper: &mut Paper, report: &Report, labels: &Messages) {
    let (ratios, compared) = (&report.ratios, &report.compared);
    let rows = [
        (labels.all, ratios.all),
        (labels.without_quotes, ratios.without_quotes),
        (labels.without_own_work, ratios.without_own_work),
        (labels.largest_source, ratios.largest_source),
        (labels.in_short_runs, ratios.in_short_runs),
    ];
    paper.heading(labels.overview);
    let columns = [left(labels.overview, 4.0), right(labels.share, 1.0), right(labels.all_characters, 2.0)];
    let cells = |(label, ratio): (&str, Ratio)| {
        vec![
            label.to_owned(),
            labels.share(ratio.ratio, report.certainty()),
            format!("{} / {}", ratio.matched, ratio.characters),
        ]
    };
    paper.table(&columns, rows.into_iter().map(cells));
    let causes =
        compared.shares().into_iter().map(|(cause, share)| format!("{} {}", labels.cause(cause), percent(share)));
    let causes = std::iter::once(percent(compared.share())).chain(causes).collect::<Vec<_>>().join(labels.list_comma);
    paper.small(&format!("{}{}{causes}", labels.compared, labels.colon));
}

fn flags(paper: &mut Paper, report: &Report, labels: &Messages) {
    let kinds = report.flags_by_kind();
    if !kinds.is_empty() {
        paper.heading(labels.flags);
        let columns = [left(labels.kind, 5.0), right(labels.passages, 1.0), right(labels.flags_short, 1.0)];
        let cells = |(kind, (count, places)): (_, (u32, Vec<usize>))| {
            vec![labels.flag(kind), places.len().to_string(), count.to_string()]
        };
        paper.table(&columns, kinds.into_iter().map(cells));
    }
}

fn sources(paper: &mut Paper, report: &Report, labels: &Messages) {
    let met = || report.sources.iter().enumerate().filter(|(_, source)| source.passages > 0);
    paper.heading(labels.sources);
    if met().next().is_none() {
        return paper.text(labels.no_match);
    }
    let (title, share) = (left(labels.title, 5.0), right(labels.share, 0.8));
    let columns = [left("", 0.4), title, share, right(labels.credited, 1.2), right(labels.passages, 0.8)];
    let rows = met().map(|(at, source)| {
        let name = match (&source.title, &source.author) {
            (Some(title), Some(author)) => format!("{title} ({author}) [{}]", source.id),
            (Some(title), None) => format!("{title} [{}]", source.id),
            _ => source.id.clone(),
        };
        let (share, credited) = (percent(source.ratio), source.credited.to_string());
        vec![(at + 1).to_string(), name, share, credited, source.passages.to_string()]
    });
    paper.table(&columns, rows);
}

fn passages(paper: &mut Paper, report: &Report, labels: &Messages) {
    if report.passages.is_empty() {
        return;
    }
    paper.heading(labels.table_of_passages);
    let text: Vec<char> = report.text.chars().collect();
    let columns =
        [left("", 0.4), left(labels.in_submission, 4.0), left(labels.in_source, 4.0), left(labels.attribution, 1.2)];
    let rows = report.passages.iter().enumerate().map(|(at, passage)| {
        let from = text.get(passage.submission.start as usize..passage.submission.end as usize).unwrap_or_default();
        let theirs: Vec<char> = passage.source_text.as_deref().unwrap_or(labels.no_source_text).chars().collect();
        let source = format!("[{}] {}", passage.source + 1, shortened(&theirs));
        vec![(at + 1).to_string(), shortened(from), source, attribution(passage, labels)]
    });
    paper.table(&columns, rows);
}

fn attribution(passage: &Passage, labels: &Messages) -> String {
    match (passage.status, &passage.excluded) {
        (Status::Excluded, Some(reason)) => {
            format!("{}{}{}", labels.not_counted_as, labels.colon, labels.word(reason))
        }
        (status, _) => labels.status(status).to_owned(),
    }
}

fn shortened(text: &[char]) -> String {
    let shown: String = text.iter().take(MOST_CHARACTERS).map(|c| if c.is_whitespace() { ' ' } else { *c }).collect();
    if text.len() > MOST_CHARACTERS { shown + " […]" } else { shown }
}

fn left(title: &str, share: f32) -> Column<'_> {
    Column { title, share, right: false }
}

fn right(title: &str, share: f32) -> Column<'_> {
    Column { title, share, right: true }
}
