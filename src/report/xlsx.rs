//! The workbook: the tables of a batch, with numbers as numbers.

use super::html::address;
use super::messages::Messages;
use super::rows::{Cell, Rows};
use crate::check::SharedReport;
use rust_xlsxwriter::{
    ConditionalFormat3ColorScale, DocProperties, ExcelDateTime, Format, FormatAlign, Url, Workbook, Worksheet,
    XlsxError,
};
use std::collections::BTreeMap;

/// The most characters that a cell may hold, in the units of UTF-16.
const LONGEST_CELL: usize = 32_767;

/// The most rows below the header of a sheet.
const MOST_ROWS: usize = 1_048_575;

/// The ground of the header.
const HEADER: &str = "E8ECF1";

/// The most links of a sheet: Excel takes no more than 65,530.
const MOST_LINKS: u32 = 60_000;

/// The bytes of a workbook with a sheet for each table. `pages` are the names of the submissions' pages, without the ending, by
/// their ids: the summary links to them.
///
/// # Errors
/// When a sheet does not take what is written, which none should.
pub fn render(
    rows: &[&Rows],
    shared: Option<&SharedReport>,
    pages: &BTreeMap<&str, &str>,
    words: &Messages,
) -> Result<Vec<u8>, XlsxError> {
    workbook(rows, shared, pages, words)?.save_to_buffer()
}

fn workbook(
    rows: &[&Rows],
    shared: Option<&SharedReport>,
    pages: &BTreeMap<&str, &str>,
    words: &Messages,
) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    // A fixed moment, so that equal results are equal bytes.
    let moment = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&moment));
    let shared: Vec<Vec<Cell>> = shared.iter().flat_map(|shared| &shared.pairs).map(Rows::shared).collect();
    let no_pages = BTreeMap::new();
    let mut add = |name, columns, rows: &mut dyn Iterator<Item = &Vec<Cell>>, pages| {
        sheet(workbook.add_worksheet(), name, columns, rows, pages, words)
    };
    add("summary", Rows::SUMMARY, &mut rows.iter().map(|rows| &rows.summary), pages)?;
    add("sources", Rows::SOURCES, &mut rows.iter().flat_map(|rows| &rows.sources), pages)?;
    add("passages", Rows::PASSAGES, &mut rows.iter().flat_map(|rows| &rows.passages), &no_pages)?;
    add("chapters", Rows::CHAPTERS, &mut rows.iter().flat_map(|rows| &rows.chapters), &no_pages)?;
    add("shared", Rows::SHARED, &mut shared.iter(), &no_pages)?;
    add("flags", Rows::FLAGS, &mut rows.iter().flat_map(|rows| &rows.flags), &no_pages)?;
    add("excluded", Rows::EXCLUDED, &mut rows.iter().flat_map(|rows| &rows.excluded), &no_pages)?;
    Ok(workbook)
}

fn sheet(
    sheet: &mut Worksheet,
    name: &str,
    columns: &str,
    rows: &mut dyn Iterator<Item = &Vec<Cell>>,
    pages: &BTreeMap<&str, &str>,
    words: &Messages,
) -> Result<(), XlsxError> {
    let header = Format::new().set_bold().set_text_wrap().set_align(FormatAlign::Top).set_background_color(HEADER);
    let share = Format::new().set_num_format("0.0%").set_align(FormatAlign::Top);
    let count = Format::new().set_num_format("#,##0").set_align(FormatAlign::Top);
    let wrapped = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    sheet.set_name(&*words.word(name))?.set_freeze_panes(1, 1)?;
    // On paper: A4 across, as wide as the sheet, the header on each page.
    sheet.set_paper_size(9).set_landscape().set_print_fit_to_pages(1, 0).set_repeat_rows(0, 0)?;
    let columns: Vec<&str> = columns.split(',').collect();
    for (column, &title) in (0u16..).zip(&columns) {
        sheet.write_string_with_format(0, column, &*words.word(title), &header)?;
        sheet.set_column_width(column, width(title))?;
    }
    let mut last = 0;
    for (row, cells) in (1u32..).zip(rows.take(MOST_ROWS)) {
        // What could not be checked has no figures: a 0 would look like one.
        let failed = cells.contains(&Cell::Word("error".into()));
        for (column, cell) in (0u16..).zip(cells) {
            if failed && matches!(cell, Cell::Count(_) | Cell::Share(_)) {
                continue;
            }
            // A text is never taken for a formula or a link.
            match cell {
                Cell::Text(text) => {
                    let shown = fitting(text);
                    match pages.get(text.as_str()).filter(|_| column == 0 && row <= MOST_LINKS) {
                        Some(page) => {
                            let link = Url::new(format!("file:///{}.html", address(page))).set_text(shown);
                            sheet.write_url_with_format(row, column, link, &wrapped)?
                        }
                        None => sheet.write_string_with_format(row, column, shown, &wrapped)?,
                    }
                }
                Cell::Word(_)
                | Cell::NotCounted(_)
                | Cell::Flag(_)
                | Cell::Explanation(_)
                | Cell::Unread(_)
                | Cell::Remarks(_) => {
                    sheet.write_string_with_format(row, column, fitting(&words.cell(cell)), &wrapped)?
                }
                Cell::Count(number) => sheet.write_number_with_format(row, column, *number as f64, &count)?,
                Cell::Share(number) | Cell::Similarity(number) => {
                    sheet.write_number_with_format(row, column, *number, &share)?
                }
                Cell::Nothing => sheet,
                Cell::Truth(truth) => sheet.write_boolean_with_format(row, column, *truth, &wrapped)?,
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

/// The width of a column, in characters of Excel's default font.
fn width(column: &str) -> f64 {
    match column {
        "submission_text" | "source_text" | "explanation" => 70.0,
        "submission" | "source" | "top_source" | "first" | "second" | "message" | "title" | "chapter" => 34.0,
        "author" | "reason" | "kind" | "excluded" => 18.0,
        _ => 15.0,
    }
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
