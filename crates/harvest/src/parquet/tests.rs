use super::*;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const SCHEMA: &str = "message rows { required int64 number; optional binary content (UTF8); required binary link (UTF8); \
                      repeated binary title (UTF8); optional int32 other; }";

/// A file of two groups of rows, each of which has no text in its third row.
fn file(path: &Path, rows: usize) {
    let (schema, properties) = (Arc::new(parse_message_type(SCHEMA).unwrap()), Arc::new(WriterProperties::default()));
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
    for group in 0..2 {
        let texts = |told: &dyn Fn(usize) -> String| -> Vec<ByteArray> {
            (0..rows).map(|row| ByteArray::from(told(group * rows + row).into_bytes())).collect()
        };
        let mut content = texts(&|row| format!("The text of row {row}."));
        content.remove(2);
        let present: Vec<i16> = (0..rows).map(|row| i16::from(row != 2)).collect();
        let mut columns = writer.next_row_group().unwrap();
        let numbers: Vec<i64> = (0..rows).map(|row| (group * rows + row) as i64).collect();
        let mut column = columns.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&numbers, None, None).unwrap();
        column.close().unwrap();
        let mut column = columns.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&content, Some(&present), None).unwrap();
        column.close().unwrap();
        let mut column = columns.next_column().unwrap().unwrap();
        let links = texts(&|row| format!("https://example.org/{row}"));
        column.typed::<ByteArrayType>().write_batch(&links, None, None).unwrap();
        column.close().unwrap();
        let levels = vec![0; rows];
        let mut column = columns.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&[], Some(&levels), Some(&levels)).unwrap();
        column.close().unwrap();
        let mut column = columns.next_column().unwrap().unwrap();
        column.typed::<parquet::data_type::Int32Type>().write_batch(&[], Some(&levels), None).unwrap();
        column.close().unwrap();
        columns.close().unwrap();
    }
    writer.close().unwrap();
}

fn names() -> JsonFields {
    JsonFields::default().with("id", "number").with("text", "content").with("url", "link")
}

fn no_text() -> Reason {
    ReadReason::from(ExtractError::NoTextField).into()
}

/// Ids, texts and addresses of the records, and what is told in the place of others.
fn read(records: &mut RowRecords) -> (Vec<[String; 3]>, Vec<Reason>) {
    let (mut read, mut told) = (Vec::new(), Vec::new());
    while let Some(item) = records.next(&|_, _| false, &Job::default()) {
        match item {
            Item::Record(record) => {
                let Content::Text(text) = record.content else { panic!() };
                read.push([record.id, text, record.provenance.url.unwrap_or_default()]);
            }
            Item::Failed(failure) | Item::Stopped(failure) => told.push(failure.reason),
            _ => panic!(),
        }
    }
    (read, told)
}

#[test]
fn rows_of_a_table_are_documents_by_the_names_of_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    file(&path, 200);
    let (rows, told) = read(&mut RowRecords::open(&path, &names()).unwrap());
    assert_eq!(rows.len(), 398);
    assert_eq!(rows[2], ["3", "The text of row 3.", "https://example.org/3"]);
    assert_eq!(rows[397], ["399", "The text of row 399.", "https://example.org/399"]);
    assert_eq!(told, [no_text(), no_text()]);
    let unnamed = names().with("id", "nothing");
    assert_eq!(read(&mut RowRecords::open(&path, &unnamed).unwrap()).0[0][0], "rows.parquet:1");
    // Of two fields one column, and a column of lists or numbers, which is no text.
    let twice = names().with("id", "link");
    assert_eq!(read(&mut RowRecords::open(&path, &twice).unwrap()).0[0][0], "https://example.org/0");
    for column in ["title", "number", "nothing"] {
        let error = RowRecords::open(&path, &names().with("text", column)).err().unwrap();
        assert!(error.to_string().contains("number, content, link, title, other"), "{error}");
    }
}

#[test]
fn a_table_goes_on_behind_the_rows_that_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    file(&path, 150);
    let whole = read(&mut RowRecords::open(&path, &names()).unwrap()).0;
    for given in [0, 1, 64, 100, 149, 150, 151, 299, 300, 1000] {
        let mut records = RowRecords::open(&path, &names()).unwrap();
        records.resume(&given.to_string());
        let rest = read(&mut records).0;
        let expected: Vec<_> = whole.iter().filter(|row| row[0].parse::<usize>().unwrap() >= given).collect();
        assert_eq!(rest.iter().collect::<Vec<_>>(), expected, "{given}");
    }
}

#[test]
fn a_table_that_is_broken_is_told_with_a_reason_and_ends_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    file(&path, 100);
    let whole = std::fs::read(&path).unwrap();
    let mut random = 36u64;
    let mut below = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    let mut told = 0;
    for round in 0..300 {
        let mut broken = whole.clone();
        match round % 3 {
            0 => broken.truncate(below(whole.len())),
            _ => (0..1 + below(4)).for_each(|_| broken[below(whole.len())] = below(256) as u8),
        }
        std::fs::write(&path, broken).unwrap();
        told += match RowRecords::open(&path, &names()) {
            Err(_) => 1,
            Ok(mut records) => usize::from(read(&mut records).1.iter().any(|reason| reason.code() == "archive-broken")),
        };
    }
    assert!(told > 100, "{told}");
}
