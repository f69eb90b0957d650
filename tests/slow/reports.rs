//! The workbook as LibreOffice opens it.

use crate::program::{Bench, Csv};
use crate::reports::{check_hostile_ids, hostile_ids};
use std::path::Path;

/// What LibreOffice reads in a workbook's first sheet.
fn opened_by_libreoffice(workbook: &Path) -> Vec<Vec<String>> {
    let bench = Bench::new();
    let profile = format!("-env:UserInstallation=file://{}", bench.path("profile").display());
    let mut office = std::process::Command::new("soffice");
    office.args([&profile, "--headless", "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76", "--outdir"]);
    let run = office.arg(bench.folder()).arg(workbook).output().expect("LibreOffice is installed (make tools)");
    let csv = bench.path(workbook.with_extension("csv").file_name().unwrap());
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_path(csv)
        .unwrap_or_else(|e| panic!("{e}: {run:?}"));
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[test]
fn hostile_ids_stay_in_their_cells_in_libreoffice() {
    let bench = Bench::new();
    let output = check_hostile_ids(&bench, "csv,xlsx");
    let summary = Csv::read(&output.join("summary.csv"));
    let opened = opened_by_libreoffice(&output.join("report.xlsx"));
    assert_eq!(opened.len(), summary.rows().len() + 1);
    for id in &hostile_ids()[..5] {
        assert!(opened.iter().any(|row| row[0] == *id), "{id}");
    }
}
