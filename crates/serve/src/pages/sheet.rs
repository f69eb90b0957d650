//! A round's results for the college's files: as a workbook, and as PDF.

use super::layout::{percent, time, zone};
use super::start::state;
use super::words::Words;
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Listed, Wanted, of_round, supervisor_of};
use crate::paper::{Column, Paper, head};
use crate::reports::{Figures, decisions, review};
use crate::rounds::{Round, Standing};
use crate::store::now;
use crate::{audit, sharing};
use copytrace::check::Certainty;
use copytrace::report::messages::Messages;
use rust_xlsxwriter::{Format, Workbook};

/// The round of the path, and all submissions that the caller lists.
pub(super) fn listed(call: &Call) -> Result<(Round, Vec<Listed>), Fault> {
    let caller = call.caller()?;
    let listed = call.app.read(|c| {
        let (round, standing) = Round::of(c, caller, call.part("id")?)?;
        if standing == Standing::Studies {
            return Err((&NOT_FOUND).into());
        }
        let supervisor = supervisor_of(standing, &caller.person.id);
        let listed = of_round(c, &round, standing, &Wanted { supervisor, most: 100_000, ..Wanted::default() })?;
        Ok((round, listed))
    })?;
    audit::look(&call.app.store, Some(&caller.person.id), audit::Action::FetchSheet, &listed.0.id)?;
    Ok(listed)
}

/// A cell of the sheet.
enum Cell {
    Text(String),
    Count(i64),
    Ratio(f64),
    Nothing,
}

/// What stands above a column, its share of the width on paper (0 where paper does without it), and its cell for a submission.
type SheetColumn = (&'static str, f32, fn(&Listed, &'static Words) -> Cell);

fn columns(words: &'static Words) -> [SheetColumn; 18] {
    [
        // The submission's number where names are not shown.
        (words.number, 1.4, |l, _| Cell::Text(l.number.clone().unwrap_or(l.submission.id[..8].to_owned()))),
        (words.name, 1.6, |l, _| Cell::Text(l.name.clone().unwrap_or_default())),
        (words.college, 1.2, |l, _| Cell::Text(l.college.clone().unwrap_or_default())),
        (words.thesis_title, 2.2, |l, _| Cell::Text(l.title.clone().unwrap_or_default())),
        (words.supervisor, 1.4, |l, _| Cell::Text(l.supervisor.clone().unwrap_or_default())),
        (words.kind, 0.8, |l, words| Cell::Text(words.word(l.submission.kind.as_str()).to_owned())),
        (words.attempt, 0.4, |l, _| Cell::Count(l.submission.attempt)),
        (words.ratio, 0.9, |l, _| ratio(l, |f| f.copy_ratio)),
        (words.decided_ratio, 1.1, |l, _| ratio(l, |f| f.decided_ratio)),
        (words.ratio_since, 0.0, |l, _| l.figures.and_then(|f| f.ratio_since).map_or(Cell::Nothing, Cell::Ratio)),
        (words.compared, 0.9, |l, _| l.figures.map_or(Cell::Nothing, |f| Cell::Ratio(f.compared_share))),
        (words.passages, 0.0, |l, _| l.figures.map_or(Cell::Nothing, |f| Cell::Count(f.passages))),
        (words.signs, 0.7, |l, _| l.figures.map_or(Cell::Nothing, |f| Cell::Count(f.flags))),
        (words.characters, 0.0, |l, _| l.figures.map_or(Cell::Nothing, |f| Cell::Count(f.characters))),
        (words.verdict, 0.9, |l, words| {
            Cell::Text(l.verdict.map_or(words.no_verdict, |verdict| words.word(verdict.as_str())).to_owned())
        }),
        (words.state, 1.3, |l, words| Cell::Text(state(words, l).to_owned())),
        (words.received, 2.2, |l, _| Cell::Text(time(l.submission.received))),
        ("SHA-256", 0.0, |l, _| Cell::Text(l.submission.sha256.clone().unwrap_or_default())),
    ]
}

/// A ratio; nothing where there is none, or too much was not compared.
fn ratio(listed: &Listed, of: fn(&Figures) -> f64) -> Cell {
    let known = listed.figures.filter(|figures| figures.certainty() != Certainty::Unknown);
    known.map_or(Cell::Nothing, |figures| Cell::Ratio(of(&figures)))
}

/// The rows as a workbook.
pub fn workbook(call: &Call) -> Result<Reply, Fault> {
    let ((round, listed), words) = (listed(call)?, call.words());
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let (bold, share) = (Format::new().set_bold(), Format::new().set_num_format("0.0%"));
    for (column, (title, _, cell)) in (0..).zip(columns(words)) {
        sheet.write_with_format(0, column, head(title), &bold)?;
        for (row, listed) in (1..).zip(&listed) {
            match cell(listed, words) {
                Cell::Text(text) => sheet.write(row, column, text)?,
                Cell::Count(count) => sheet.write(row, column, count as f64)?,
                Cell::Ratio(ratio) => sheet.write_with_format(row, column, ratio, &share)?,
                Cell::Nothing => sheet,
            };
        }
    }
    sheet.set_freeze_panes(1, 0)?;
    decided(call, &mut book, &round, &listed, &bold)?;
    let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    Ok(Reply::file(kind, &format!("round-{}.xlsx", &round.id[..8]), book.save_to_buffer()?))
}

/// A second sheet with what was left out of the reports, and why; none if nothing was.
fn decided(call: &Call, book: &mut Workbook, round: &Round, listed: &[Listed], bold: &Format) -> Result<(), Fault> {
    let (words, labels) = (call.words(), Messages::of(call.language));
    let mut rows = Vec::new();
    call.app.read(|c| {
        for l in listed {
            for made in decisions::all(c, &l.submission.id)? {
                let passage = made.passage.map(|at| format!("{} {}", labels.passage, at + 1)).unwrap_or_default();
                let number = l.number.clone().unwrap_or(l.submission.id[..8].to_owned());
                let kind = format!("{} {}", words.word(l.submission.kind.as_str()), l.submission.attempt);
                let withheld = sharing::called(c, round, &l.submission.id, &made.source)?;
                let source = withheld.unwrap_or_else(|| review::called(&made));
                let revoked = made.revoked.map(time).unwrap_or_default();
                rows.push([number, kind, source, passage, made.reason, made.name, time(made.made), revoked]);
            }
        }
        Ok(())
    })?;
    if rows.is_empty() {
        return Ok(());
    }
    let sheet = book.add_worksheet().set_name(words.decisions)?;
    let heads =
        [words.number, words.kind, words.sources, labels.passage, words.reason, words.who, words.at, words.revoked];
    sheet.write_row_with_format(0, 0, heads.map(head), bold)?;
    for (at, row) in (1..).zip(&rows) {
        sheet.write_row(at, 0, row.iter().map(String::as_str))?;
    }
    sheet.set_freeze_panes(1, 0)?;
    Ok(())
}

/// The rows as PDF, for signatures and files of paper.
pub fn paper(call: &Call) -> Result<Reply, Fault> {
    let ((round, listed), words, labels) = (listed(call)?, call.words(), Messages::of(call.language));
    let mut paper = Paper::new(&round.title, words.language, true, call.app.font.as_ref());
    paper.text(&format!("{} – {}", time(round.opens), time(round.closes)));
    let above = listed.iter().filter(|l| l.figures.is_some_and(|f| f.decided_ratio >= round.limit_ratio)).count();
    let of = [above.to_string(), listed.len().to_string()];
    let told = of.iter().fold(labels.above_threshold.to_owned(), |told, count| told.replacen("{}", count, 1));
    paper.text(&format!("{}{}{} · {told}", words.limit_short, words.colon, percent(round.limit_ratio)));
    paper.small(&format!("{} · {}", time(now()), zone(words)));
    let printed: Vec<SheetColumn> = columns(words).into_iter().filter(|(_, share, _)| *share > 0.0).collect();
    let right = [words.ratio, words.decided_ratio, words.signs];
    let titles: Vec<Column<'_>> =
        printed.iter().map(|&(title, share, _)| Column { title, share, right: right.contains(&title) }).collect();
    let shown = |cell| match cell {
        Cell::Text(text) => text,
        Cell::Count(count) => count.to_string(),
        Cell::Ratio(ratio) => percent(ratio),
        Cell::Nothing => "–".to_owned(),
    };
    paper.table(&titles, listed.iter().map(|l| printed.iter().map(|(_, _, cell)| shown(cell(l, words))).collect()));
    paper.small(words.measures);
    let (office, date) = (labels.signature_office, labels.signature_date);
    paper.text(&format!("{office}: ______________________    {date}: ______________"));
    Ok(Reply::file("application/pdf", &format!("round-{}.pdf", &round.id[..8]), paper.finish()))
}
