//! A round's results as a workbook, for the college's files.

use super::layout::time;
use super::round::of;
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::listing::{Wanted, of_round, supervisor_of};
use crate::rounds::Standing;
use rust_xlsxwriter::{Format, Workbook};

/// The rows of all submissions that the caller lists.
pub fn workbook(call: &Call) -> Result<Reply, Fault> {
    let (round, standing) = of(call)?;
    if standing == Standing::Studies {
        return Err((&NOT_FOUND).into());
    }
    let (words, caller) = (call.words(), call.caller()?);
    let wanted = Wanted { supervisor: supervisor_of(standing, &caller.person.id), most: 100_000, ..Wanted::default() };
    let listed = call.app.store.read(|c| of_round(c, &round, standing, &wanted))?;
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let (bold, share) = (Format::new().set_bold(), Format::new().set_num_format("0.0%"));
    let titles = [
        words.number,
        words.name,
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
        sheet.write(row, 0, listed.number.as_deref().unwrap_or(&listed.submission.id[..8]))?;
        sheet.write(row, 1, listed.name.as_deref().unwrap_or_default())?;
        sheet.write(row, 2, words.word(listed.submission.kind.as_str()))?;
        sheet.write(row, 3, listed.submission.attempt as f64)?;
        if let Some(figures) = listed.figures {
            sheet.write_with_format(row, 4, figures.copy_ratio, &share)?;
            sheet.write_with_format(row, 5, figures.decided_ratio, &share)?;
            sheet.write(row, 6, figures.passages as f64)?;
            sheet.write(row, 7, figures.flags as f64)?;
            sheet.write(row, 8, figures.characters as f64)?;
        }
        sheet.write(row, 9, listed.verdict.as_deref().map_or(words.no_verdict, |verdict| words.word(verdict)))?;
        sheet.write(row, 10, words.word(&listed.state))?;
        sheet.write(row, 11, time(listed.submission.received))?;
        sheet.write(row, 12, listed.submission.sha256.as_deref().unwrap_or_default())?;
    }
    sheet.set_freeze_panes(1, 0)?;
    let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    Ok(Reply::file(kind, &format!("round-{}.xlsx", &round.id[..8]), book.save_to_buffer()?))
}
