//! A round's results for the college's files: as a workbook, and as PDF.

use super::layout::{percent, time, zone};
use super::round::of;
use super::words::Words;
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Listed, Wanted, of_round, supervisor_of};
use crate::paper::{Column, Paper};
use crate::rounds::{Round, Standing};
use crate::store::now;
use rust_xlsxwriter::{Format, Workbook};

/// The round of the path, and all submissions that the caller lists.
fn listed(call: &Call) -> Result<(Round, Vec<Listed>), Fault> {
    let (round, standing) = of(call)?;
    if standing == Standing::Studies {
        return Err((&NOT_FOUND).into());
    }
    let supervisor = supervisor_of(standing, &call.caller()?.person.id);
    let wanted = Wanted { supervisor, most: 100_000, ..Wanted::default() };
    let listed = call.app.store.read(|c| of_round(c, &round, standing, &wanted))?;
    Ok((round, listed))
}

/// The student's number, or the submission's where names are not shown.
fn number(listed: &Listed) -> &str {
    listed.number.as_deref().unwrap_or(&listed.submission.id[..8])
}

fn verdict(listed: &Listed, words: &'static Words) -> &'static str {
    listed.verdict.as_deref().map_or(words.no_verdict, |verdict| words.word(verdict))
}

/// The rows as a workbook.
pub fn workbook(call: &Call) -> Result<Reply, Fault> {
    let ((round, listed), words) = (listed(call)?, call.words());
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let (bold, share) = (Format::new().set_bold(), Format::new().set_num_format("0.0%"));
    let titles = [
        words.number,
        words.name,
        words.supervisor,
        words.kind,
        words.attempt,
        words.ratio,
        words.decided_ratio,
        words.passages,
        words.signs,
        words.characters,
        words.verdict,
        words.state,
        words.received,
        "SHA-256",
    ];
    for (column, title) in (0..).zip(titles) {
        sheet.write_with_format(0, column, title, &bold)?;
    }
    for (row, listed) in (1..).zip(&listed) {
        sheet.write(row, 0, number(listed))?;
        sheet.write(row, 1, listed.name.as_deref().unwrap_or_default())?;
        sheet.write(row, 2, listed.supervisor.as_deref().unwrap_or_default())?;
        sheet.write(row, 3, words.word(listed.submission.kind.as_str()))?;
        sheet.write(row, 4, listed.submission.attempt as f64)?;
        if let Some(figures) = listed.figures {
            sheet.write_with_format(row, 5, figures.copy_ratio, &share)?;
            sheet.write_with_format(row, 6, figures.decided_ratio, &share)?;
            sheet.write(row, 7, figures.passages as f64)?;
            sheet.write(row, 8, figures.flags as f64)?;
            sheet.write(row, 9, figures.characters as f64)?;
        }
        sheet.write(row, 10, verdict(listed, words))?;
        sheet.write(row, 11, words.word(&listed.state))?;
        sheet.write(row, 12, time(listed.submission.received))?;
        sheet.write(row, 13, listed.submission.sha256.as_deref().unwrap_or_default())?;
    }
    sheet.set_freeze_panes(1, 0)?;
    let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    Ok(Reply::file(kind, &format!("round-{}.xlsx", &round.id[..8]), book.save_to_buffer()?))
}

/// The rows as PDF, for signatures and files of paper.
pub fn paper(call: &Call) -> Result<Reply, Fault> {
    let ((round, listed), words, labels) = (listed(call)?, call.words(), call.language.messages());
    let mut paper = Paper::new(&round.title, words.language, true);
    paper.text(&format!("{} – {}", time(round.opens), time(round.closes)));
    let above = listed.iter().filter(|l| l.figures.is_some_and(|f| f.decided_ratio >= round.limit_ratio)).count();
    let of = [above.to_string(), listed.len().to_string()];
    let told = of.iter().fold(labels.above_threshold.to_owned(), |told, count| told.replacen("{}", count, 1));
    paper.text(&format!("{}: {} · {told}", words.limit_short, percent(round.limit_ratio)));
    paper.small(&format!("{} · {}", time(now()), zone(words)));
    let column = |title, share, right| Column { title, share, right };
    let columns = [
        column(words.number, 1.4, false),
        column(words.name, 1.6, false),
        column(words.supervisor, 1.4, false),
        column(words.kind, 1.2, false),
        column(words.ratio, 0.9, true),
        column(words.decided_ratio, 1.1, true),
        column(words.signs, 0.7, true),
        column(words.verdict, 0.9, false),
        column(words.state, 1.3, false),
        column(words.received, 2.2, false),
    ];
    let rows = listed.iter().map(|listed| {
        let figure =
            |pick: fn(&crate::reports::Figures) -> String| listed.figures.as_ref().map_or("–".to_owned(), pick);
        vec![
            number(listed).to_owned(),
            listed.name.clone().unwrap_or_default(),
            listed.supervisor.clone().unwrap_or_default(),
            format!("{} {}", words.word(listed.submission.kind.as_str()), listed.submission.attempt),
            figure(|figures| percent(figures.copy_ratio)),
            figure(|figures| percent(figures.decided_ratio)),
            figure(|figures| figures.flags.to_string()),
            verdict(listed, words).to_owned(),
            words.word(&listed.state).to_owned(),
            time(listed.submission.received),
        ]
    });
    paper.table(&columns, rows);
    paper.small(words.measures);
    paper.text(&format!(
        "{}: ______________________    {}: ______________",
        labels.signature_office, labels.signature_date
    ));
    Ok(Reply::file("application/pdf", &format!("round-{}.pdf", &round.id[..8]), paper.finish()))
}
