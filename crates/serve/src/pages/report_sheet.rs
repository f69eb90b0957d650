//! A report for the printer: whose it is, its figures, what was decided, signs, sources and passages.

use super::layout::percent;
use crate::paper::face::FontFile;
use crate::paper::picture::Picture;
use crate::paper::{Column, Paper};
use copytrace::check::{About, Passage, Ratio, Ratios, Report};
use copytrace::report::messages::Messages;
use copytrace::report::record::Record;

/// Characters of a passage that are printed, on either side.
const MOST_CHARACTERS: usize = 1_500;

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All.
    Whole,
    /// One sheet to sign: no passages.
    Sheet,
}

/// The report as PDF in a font that is embedded, with the institution's logo and the record of its case.
pub fn render(
    found: &Report,
    record: &Record,
    labels: &'static Messages,
    extent: Extent,
    (font, picture): (Option<&FontFile>, Option<&Picture>),
) -> Vec<u8> {
    let report = &found.reviewed(|at| record.left_out.contains(&at));
    let line = |label: &str, value: &str| format!("{label}{}{value}", labels.colon);
    let mut paper = Paper::new(
        if extent == Extent::Sheet { labels.brief_sheet } else { labels.report },
        labels.language,
        false,
        font,
    );
    if let Some(picture) = picture {
        paper.picture(picture);
    }
    if !record.institution.is_empty() {
        paper.text(&record.institution);
    }
    paper.heading(&record.heading);
    record.facts.iter().for_each(|(label, fact)| paper.text(&line(label, fact)));
    paper.small(&line(labels.number, &report.number));
    if let Some(digest) = &report.submission.file_sha256 {
        paper.small(&line(labels.file_digest, digest));
    }
    let (names, documents) = (record.collections.join(labels.list_comma), report.corpus.documents);
    let updated = report.corpus.updated.as_ref().map(|day| format!("{}{} {day}", labels.comma, labels.updated));
    paper.small(&line(
        labels.corpus,
        &format!("{names} – {documents} {}{}", labels.documents, updated.unwrap_or_default()),
    ));
    let About { title, author, date, .. } = &report.submission;
    let claims: Vec<&str> = [title, author, date].into_iter().flatten().map(String::as_str).collect();
    if !claims.is_empty() {
        paper.small(&line(labels.claims, &claims.join(labels.semicolon)));
    }
    figures(&mut paper, report, found, labels);
    decided(&mut paper, record, labels);
    flags(&mut paper, report, labels);
    sources(&mut paper, report, labels, extent);
    if extent == Extent::Whole {
        let (counted, aside): (Vec<usize>, Vec<usize>) =
            (0..report.passages.len()).partition(|at| report.passages[*at].set_aside().is_none());
        let no_wording = if record.withholds { labels.not_shown_to_you } else { labels.no_source_text };
        passages(&mut paper, report, labels, (labels.table_of_passages, no_wording, &counted));
        passages(&mut paper, report, labels, (labels.status_excluded, no_wording, &aside));
    }
    paper.heading(labels.remarks);
    paper.small(labels.note);
    if extent == Extent::Sheet {
        let lines =
            [labels.signature_student, labels.signature_supervisor, labels.signature_office, labels.signature_date];
        for pair in lines.chunks(2) {
            let of = |label: &&str| format!("{label}{}______________________", labels.colon);
            paper.text(&format!("\n{}", pair.iter().map(of).collect::<Vec<_>>().join("        ")));
        }
    }
    paper.finish()
}

/// What people decided, and the verdicts.
fn decided(paper: &mut Paper, record: &Record, labels: &Messages) {
    if !record.decisions.is_empty() {
        paper.heading(labels.decisions);
        for made in &record.decisions {
            paper.text(&format!("{}{}{}", made.about, labels.colon, made.reason));
            paper.small(&made.told);
        }
    }
    if !record.verdicts.is_empty() {
        paper.heading(labels.verdicts);
        for (verdict, by, comment) in &record.verdicts {
            paper.text(&format!("{verdict} · {by}"));
            if !comment.is_empty() {
                paper.text(comment);
            }
        }
    }
}

/// The ratios as found, and after the review where something was left out.
fn figures(paper: &mut Paper, report: &Report, found: &Report, labels: &Messages) {
    let of = |ratios: Ratios| {
        [ratios.all, ratios.without_quotes, ratios.without_own_work, ratios.largest_source, ratios.in_short_runs]
    };
    let called =
        [labels.all, labels.without_quotes, labels.without_own_work, labels.largest_source, labels.in_short_runs];
    paper.heading(labels.overview);
    let differs = report.ratios != found.ratios;
    let mut columns =
        vec![left(labels.overview, 4.0), right(if differs { labels.as_found } else { labels.share }, 1.2)];
    if differs {
        columns.push(right(labels.after_review, 1.2));
    }
    columns.push(right(labels.all_characters, 2.0));
    let share = |ratio: Ratio| labels.share(ratio.ratio, report.certainty());
    let rows = called.into_iter().zip(of(found.ratios)).zip(of(report.ratios)).map(|((label, found), ratio)| {
        let mut cells = vec![label.to_owned(), share(found)];
        if differs {
            cells.push(share(ratio));
        }
        cells.push(format!("{} / {}", ratio.matched, ratio.characters));
        cells
    });
    paper.table(&columns, rows);
    let compared = &report.compared;
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

/// Sources of the sheet; the whole report has all.
const MOST_ON_SHEET: usize = 10;

fn sources(paper: &mut Paper, report: &Report, labels: &Messages, extent: Extent) {
    let met = || report.sources.iter().enumerate().filter(|(_, source)| source.passages > 0);
    paper.heading(labels.sources);
    if met().next().is_none() {
        return paper.text(labels.no_match);
    }
    let (title, share) = (left(labels.title, 5.0), right(labels.share, 0.8));
    let columns = [left("", 0.4), title, share, right(labels.credited, 1.2), right(labels.passages, 0.8)];
    let most = if extent == Extent::Sheet { MOST_ON_SHEET } else { usize::MAX };
    let rows = met().take(most).map(|(at, source)| {
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

/// Some passages, by their places.
fn passages(
    paper: &mut Paper,
    report: &Report,
    labels: &Messages,
    (title, no_wording, places): (&str, &str, &[usize]),
) {
    if places.is_empty() {
        return;
    }
    paper.heading(title);
    let text: Vec<char> = report.text.chars().collect();
    let columns =
        [left("", 0.4), left(labels.in_submission, 4.0), left(labels.in_source, 4.0), left(labels.attribution, 1.2)];
    let rows = places.iter().map(|&at| {
        let passage = &report.passages[at];
        let from = text.get(passage.submission.start as usize..passage.submission.end as usize).unwrap_or_default();
        let theirs: Vec<char> = passage.source_text.as_deref().unwrap_or(no_wording).chars().collect();
        let source = format!("[{}] {}", passage.source + 1, shortened(&theirs));
        vec![(at + 1).to_string(), shortened(from), source, attribution(passage, labels)]
    });
    paper.table(&columns, rows);
}

fn attribution(passage: &Passage, labels: &Messages) -> String {
    match passage.set_aside() {
        Some(reason) => format!("{}{}{}", labels.not_counted_as, labels.colon, labels.why_not_counted(reason)),
        None => labels.status(passage.status).to_owned(),
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
