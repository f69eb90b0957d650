//! Tables that people hand in: CSV in whatever encoding and with whatever separator their program wrote, or a workbook.

use calamine::{Data, Dimensions, Reader, Xlsx};
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
    drop(cells);
    for merged in workbook.merge_cells_by_sheet_name(&first)? {
        size += spread(&mut rows, &merged, MOST_CELLS.saturating_sub(size)).ok_or(TableError::TooLarge)?;
    }
    Ok(rows)
}

/// Gives each cell of a merged one that stands in a row of the table what the first of them says, as people read it: the college of
/// several students. Gives how many cells that took; none if it takes more than `most`.
fn spread(rows: &mut [Vec<String>], merged: &Dimensions, most: usize) -> Option<usize> {
    let ((top, left), (bottom, right)) = (merged.start, merged.end);
    let (top, left) = (top as usize, left as usize);
    let Some(value) = rows.get(top).and_then(|row| row.get(left)).cloned() else { return Some(0) };
    let mut taken = 0;
    let below = rows.iter_mut().take(bottom as usize + 1).skip(top);
    for row in below.filter(|row| !row.is_empty()) {
        // A title that is merged over the whole width makes its row no wider than the table.
        let width = row.len().max(left + 1);
        let end = width.min(right as usize + 1).max(left);
        // What the row grows by, and what is written.
        taken += width.saturating_sub(row.len()) + end - left;
        if taken > most {
            return None;
        }
        row.resize(width, String::new());
        row[left..end].iter_mut().for_each(|cell| cell.clone_from(&value));
    }
    Some(taken)
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
    fn a_merged_cell_says_the_same_for_each_row_and_a_title_over_all_columns_is_one_row() {
        let mut book = rust_xlsxwriter::Workbook::new();
        let (sheet, plain) = (book.add_worksheet(), rust_xlsxwriter::Format::new());
        sheet.merge_range(0, 0, 0, 2, "名单", &plain).unwrap();
        for (row, cells) in
            [["学号", "姓名", "学院"], ["1", "甲", ""], ["2", "乙", ""], ["3", "丙", "外语"]].iter().enumerate()
        {
            sheet.write_row(row as u32 + 1, 0, *cells).unwrap();
        }
        sheet.merge_range(2, 2, 3, 2, "计算机", &plain).unwrap();
        let expected = [
            vec!["名单"],
            vec!["学号", "姓名", "学院"],
            vec!["1", "甲", "计算机"],
            vec!["2", "乙", "计算机"],
            vec!["3", "丙", "外语"],
        ];
        assert_eq!(rows("list.xlsx", &book.save_to_buffer().unwrap()).unwrap(), expected);
        // A merged cell that makes more of a table than any list has.
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        for row in 0..1000 {
            sheet.write(row, 0, "x").unwrap();
        }
        sheet.merge_range(0, 16_000, 999, 16_001, "y", &plain).unwrap();
        assert!(matches!(rows("list.xlsx", &book.save_to_buffer().unwrap()), Err(TableError::TooLarge)));
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
