//! Tables that people hand in: CSV in whatever encoding and with whatever separator their program wrote, or a workbook.

use calamine::{Data, Reader, Xlsx};
use copytrace::formats::encoding;
use std::io::{Cursor, Read};

/// Cells of a workbook that is read: a list of 100,000 people in ten columns.
const MOST_CELLS: usize = 1_000_000;
/// Bytes that a workbook may come to unpacked.
const MOST_UNPACKED: u64 = 256 << 20;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Its bytes are no text.
    #[error("{0}")]
    Encoding(#[from] encoding::DecodeError),
    /// It is no CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// It is no workbook.
    #[error("{0}")]
    Workbook(#[from] calamine::Error),
    /// It holds no sheet.
    #[error("the workbook has no sheet")]
    NoSheet,
    /// It is larger than any list.
    #[error("the workbook is too large for a list")]
    TooLarge,
}

impl From<calamine::XlsxError> for TableError {
    fn from(error: calamine::XlsxError) -> Self {
        TableError::Workbook(error.into())
    }
}

/// The cells of a table row by row, without the blanks around them. What its name ends with tells a workbook from CSV; of a
/// workbook it is the first sheet.
///
/// # Errors
/// When it is none, or larger than any list.
pub fn rows(name: &str, bytes: &[u8]) -> Result<Vec<Vec<String>>, TableError> {
    let ending = name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
    match ending.as_str() {
        "xlsx" | "xlsm" => of_workbook(bytes),
        "xls" | "ods" => {
            let mut workbook = calamine::open_workbook_auto_from_rs(Cursor::new(bytes))?;
            let sheet = workbook.worksheet_range_at(0).ok_or(TableError::NoSheet)??;
            Ok(sheet.rows().map(|row| row.iter().map(cell).collect()).collect())
        }
        _ => of_csv(bytes),
    }
}

fn of_csv(bytes: &[u8]) -> Result<Vec<Vec<String>>, TableError> {
    let text = encoding::decode(bytes)?.text;
    let text = text.trim_start_matches('\u{feff}');
    let header = text.lines().next().unwrap_or_default();
    let most = |separator: &&u8| header.bytes().filter(|byte| byte == *separator).count();
    // Of equally many the last one, so that a header of one column is read as one of a CSV file.
    let separator = *[b'\t', b';', b','].iter().max_by_key(most).unwrap_or(&b',');
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.delimiter(separator).has_headers(false).flexible(true).trim(csv::Trim::All);
    let rows = reader.from_reader(text.as_bytes()).into_records();
    rows.map(|row| Ok(row?.iter().map(str::to_owned).collect())).collect()
}

/// Cell by cell, for a workbook of two cells far apart has a range of more than any memory.
fn of_workbook(bytes: &[u8]) -> Result<Vec<Vec<String>>, TableError> {
    within_bounds(bytes)?;
    let mut workbook: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).map_err(TableError::from)?;
    let first = workbook.sheet_names().into_iter().next().ok_or(TableError::NoSheet)?;
    let mut cells = workbook.worksheet_cells_reader(&first)?;
    let (mut rows, mut size): (Vec<Vec<String>>, usize) = (Vec::new(), 0);
    while let Some(read) = cells.next_cell()? {
        let (row, column) = read.get_position();
        let value = cell(&Data::from(read.get_value().clone()));
        if value.is_empty() {
            continue;
        }
        let (row, column) = (row as usize, column as usize);
        size += row.saturating_sub(rows.len()) + 1;
        if rows.len() <= row && row < MOST_CELLS {
            rows.resize_with(row + 1, Vec::new);
        }
        let cells = rows.get_mut(row).ok_or(TableError::TooLarge)?;
        size += (column + 1).saturating_sub(cells.len());
        if size > MOST_CELLS {
            return Err(TableError::TooLarge);
        }
        if cells.len() <= column {
            cells.resize_with(column + 1, String::new);
        }
        cells[column] = value;
    }
    Ok(rows)
}

/// What an archive says of sizes is not believed, so it is unpacked once and thrown away.
fn within_bounds(bytes: &[u8]) -> Result<(), TableError> {
    let zip = |error: zip::result::ZipError| TableError::Workbook(calamine::Error::Io(error.into()));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(zip)?;
    let mut room = MOST_UNPACKED;
    for at in 0..archive.len() {
        let member = archive.by_index(at).map_err(zip)?;
        let read = std::io::copy(&mut member.take(room + 1), &mut std::io::sink()).map_err(calamine::Error::Io)?;
        room = room.checked_sub(read).ok_or(TableError::TooLarge)?;
    }
    Ok(())
}

/// A cell of a workbook as a person sees it.
fn cell(cell: &Data) -> String {
    match cell {
        Data::DateTime(date) => {
            let (year, month, day, ..) = date.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        Data::DateTimeIso(date) => date.clone(),
        cell => cell.to_string().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workbook(cells: &[(u32, u16, &str)]) -> Vec<u8> {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        for (row, column, value) in cells {
            match value.parse::<f64>() {
                Ok(number) => sheet.write(*row, *column, number).unwrap(),
                Err(_) => sheet.write(*row, *column, *value).unwrap(),
            };
        }
        book.save_to_buffer().unwrap()
    }

    #[test]
    fn a_workbook_is_read_as_the_same_csv_is() {
        let book = workbook(&[(0, 0, "number"), (0, 1, "name"), (1, 0, "2022010101"), (1, 1, " 张三 "), (3, 1, "x")]);
        let expected = [vec!["number", "name"], vec!["2022010101", "张三"], vec![], vec!["", "x"]];
        assert_eq!(rows("list.XLSX", &book).unwrap(), expected);
        assert_eq!(rows("list.csv", "number,name\n2022010101, 张三 \n".as_bytes()).unwrap(), expected[..2]);
    }

    #[test]
    fn workbooks_that_are_none_or_would_fill_the_memory_are_refused() {
        let wide: Vec<(u32, u16, &str)> = (0..70).map(|row| (row, 16_383, "x")).collect();
        for cells in [&[(1_048_575, 0, "x")][..], &wide] {
            assert!(matches!(rows("x.xlsx", &workbook(cells)), Err(TableError::TooLarge)));
        }
        for bytes in [&b""[..], b"PK", b"number,name"] {
            assert!(rows("x.xlsx", bytes).is_err());
        }
    }
}
