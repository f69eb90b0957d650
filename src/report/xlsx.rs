//! The workbook: the tables of a batch, with numbers as numbers.

use super::parts::CHAPTERS_COLUMNS;
use super::rows::{PASSAGES_COLUMNS, SubmissionReport};
use super::whole_file::{WholeFile, WriteError};
use rust_xlsxwriter::{
    ConditionalFormat3ColorScale, DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError,
};
use std::path::Path;

/// Why a workbook could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WorkbookError {
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The workbook could not be put together.
    #[error("the workbook could not be made: {0}")]
    Workbook(#[from] XlsxError),
}

/// The most characters that a cell may hold, in the units of UTF-16.
const LONGEST_CELL: usize = 32_767;

/// The most rows below the header of a sheet.
const MOST_ROWS: usize = 1_048_575;

/// A cell: a text is never taken for a formula or a link.
enum Cell<'a> {
    Text(&'a str),
    Number(f64),
    Share(f64),
}

use Cell::{Number, Share, Text};

/// Writes the sheets `summary`, `sources`, `passages` and `chapters`.
///
/// # Errors
/// When the disk is full or fails.
pub fn write(path: &Path, reports: &[SubmissionReport]) -> Result<(), WorkbookError> {
    Ok(WholeFile::write(path, &workbook(reports)?.save_to_buffer()?)?)
}

fn workbook(reports: &[SubmissionReport]) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    // A fixed moment, so that equal results are equal bytes.
    let moment = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&moment));
    let count = |number: usize| Number(number as f64);
    let summary = reports.iter().map(|report| {
        let row = &report.summary;
        vec![
            Text(&row.submission),
            Text(row.status),
            Number(row.characters as f64),
            Number(row.matched_characters as f64),
            Share(row.copy_ratio),
            count(row.sources),
            count(row.passages),
            Text(&row.top_source),
            Share(row.top_source_ratio),
            Share(row.copy_ratio_without_quotes),
            Share(row.copy_ratio_without_own_work),
            Text(&row.message),
        ]
    });
    let columns = "submission,status,characters,matched_characters,copy_ratio,sources,passages,top_source,top_source_ratio,copy_ratio_without_quotes,copy_ratio_without_own_work,message";
    sheet(workbook.add_worksheet(), "summary", columns, summary)?;
    let sources = reports.iter().flat_map(|report| &report.sources).map(|row| {
        vec![
            Text(&row.submission),
            Text(&row.source),
            Share(row.estimated_jaccard),
            Share(row.jaccard),
            Share(row.containment),
            Number(f64::from(row.hamming)),
            Number(row.matched_characters as f64),
            Share(row.ratio),
            Number(row.longest_match as f64),
            count(row.passages),
            Number(row.credited as f64),
        ]
    });
    let columns = "submission,source,estimated_jaccard,jaccard,containment,hamming,matched_characters,ratio,longest_match,passages,credited";
    sheet(workbook.add_worksheet(), "sources", columns, sources)?;
    let passages = reports.iter().flat_map(|report| &report.passages).map(|row| {
        let place = |at: u32| Number(f64::from(at));
        vec![
            Text(&row.submission),
            Text(&row.source),
            place(row.submission_start),
            place(row.submission_end),
            place(row.source_start),
            place(row.source_end),
            Share(row.similarity),
            Text(row.kind),
            Text(&row.excluded),
            Text(&row.submission_text),
            Text(&row.source_text),
        ]
    });
    sheet(workbook.add_worksheet(), "passages", PASSAGES_COLUMNS, passages)?;
    let chapters = reports.iter().flat_map(|report| &report.chapters).map(|row| {
        let place = |at: u32| Number(f64::from(at));
        vec![
            Text(&row.submission),
            Text(&row.chapter),
            place(row.start),
            place(row.end),
            Number(row.characters as f64),
            Number(row.matched_characters as f64),
            Share(row.copy_ratio),
        ]
    });
    sheet(workbook.add_worksheet(), "chapters", CHAPTERS_COLUMNS, chapters)?;
    Ok(workbook)
}

fn sheet<'a>(
    sheet: &mut Worksheet,
    name: &str,
    columns: &str,
    rows: impl Iterator<Item = Vec<Cell<'a>>>,
) -> Result<(), XlsxError> {
    let (header, share) = (Format::new().set_bold(), Format::new().set_num_format("0.0%"));
    sheet.set_name(name)?.set_freeze_panes(1, 0)?;
    let columns: Vec<&str> = columns.split(',').collect();
    for (column, &title) in (0u16..).zip(&columns) {
        sheet.write_string_with_format(0, column, title, &header)?.set_column_width(column, 16)?;
    }
    let mut last = 0;
    for (row, cells) in (1u32..).zip(rows.take(MOST_ROWS)) {
        for (column, cell) in (0u16..).zip(cells) {
            match cell {
                Text(text) => sheet.write_string(row, column, fitting(text))?,
                Number(number) => sheet.write_number(row, column, number)?,
                Share(number) => sheet.write_number_with_format(row, column, number, &share)?,
            };
        }
        last = row;
    }
    sheet.autofilter(0, 0, last, columns.len() as u16 - 1)?;
    let scale = ConditionalFormat3ColorScale::new()
        .set_minimum_color("FFFFFF")
        .set_midpoint_color("FFF0B3")
        .set_maximum_color("F4A582");
    for (column, _) in (0u16..).zip(&columns).filter(|(_, title)| title.contains("ratio")) {
        sheet.add_conditional_format(1, column, last.max(1), column, &scale)?;
    }
    Ok(())
}

/// A text as a cell can hold it: without control characters that XML forbids, and cut at the greatest length.
fn fitting(text: &str) -> String {
    let mut room = LONGEST_CELL;
    let allowed = |c: char| {
        if matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}') {
            '\u{fffd}'
        } else {
            c
        }
    };
    let fits = |c: &char| {
        let left = room.checked_sub(c.len_utf16());
        room = left.unwrap_or(0);
        left.is_some()
    };
    text.chars().map(allowed).take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_cut_and_cleaned() {
        assert_eq!(fitting("a\0b\u{1f}c"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(fitting(&"🙂".repeat(20_000)).encode_utf16().count(), LONGEST_CELL - 1);
    }
}
