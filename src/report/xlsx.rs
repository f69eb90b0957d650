//! The workbook: the tables of a batch, with numbers as numbers.

use super::rows::{CHAPTERS_COLUMNS, Cell, PASSAGES_COLUMNS, Row, Rows, SOURCES_COLUMNS, SUMMARY_COLUMNS};
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

/// Writes the sheets `summary`, `sources`, `passages` and `chapters`.
///
/// # Errors
/// When the disk is full or fails.
pub fn write(path: &Path, rows: &[&Rows]) -> Result<(), WorkbookError> {
    Ok(WholeFile::write(path, &workbook(rows)?.save_to_buffer()?)?)
}

fn workbook(rows: &[&Rows]) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    // A fixed moment, so that equal results are equal bytes.
    let moment = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&moment));
    sheet(workbook.add_worksheet(), "summary", SUMMARY_COLUMNS, rows.iter().map(|rows| &rows.summary))?;
    sheet(workbook.add_worksheet(), "sources", SOURCES_COLUMNS, rows.iter().flat_map(|rows| &rows.sources))?;
    sheet(workbook.add_worksheet(), "passages", PASSAGES_COLUMNS, rows.iter().flat_map(|rows| &rows.passages))?;
    sheet(workbook.add_worksheet(), "chapters", CHAPTERS_COLUMNS, rows.iter().flat_map(|rows| &rows.chapters))?;
    Ok(workbook)
}

fn sheet<'a>(
    sheet: &mut Worksheet,
    name: &str,
    columns: &str,
    rows: impl Iterator<Item = &'a Row>,
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
            // A text is never taken for a formula or a link.
            match cell {
                Cell::Text(text) => sheet.write_string(row, column, fitting(text))?,
                Cell::Word(word) => sheet.write_string(row, column, *word)?,
                Cell::Count(number) => sheet.write_number(row, column, *number as f64)?,
                Cell::Share(number) | Cell::Similarity(number) => {
                    sheet.write_number_with_format(row, column, *number, &share)?
                }
                Cell::Truth(truth) => sheet.write_boolean(row, column, *truth)?,
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
