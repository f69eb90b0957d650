//! The report on a submission, in each of its forms.

use super::record::record;
use super::report_sheet::{self, Extent};
use super::sheet;
use crate::deeds::{self, Case};
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::submissions;
use crate::unpack::safe_name;
use copytrace::report::messages::Messages;
use copytrace::report::record::Record;
use std::io::{self, Seek, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The report of the path with its record, as the caller may see them.
fn of(call: &Call) -> Result<(Case, Record), Fault> {
    of_submission(call, call.part("id")?)
}

fn of_submission(call: &Call, id: &str) -> Result<(Case, Record), Fault> {
    let seen = call.app.read(|c| submissions::see(c, call.caller()?, id))?;
    let mut case = deeds::report(call, &seen)?;
    let record = record(call, &mut case, Some(&seen))?;
    Ok((case, record))
}

fn shown(call: &Call, case: &Case, record: &Record) -> Result<Reply, Fault> {
    Ok(Reply::report(case.report.to_html_with(record, Messages::of(call.language))?))
}

/// The product's page of the report.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (case, record) = of(call)?;
    shown(call, &case, &record)
}

/// A report by a link that another system shows.
pub fn viewer(call: &Call) -> Result<Reply, Fault> {
    let mut case = deeds::linked_report(call)?;
    let record = record(call, &mut case, None)?;
    shown(call, &case, &record)
}

/// The report as JSON.
pub fn json(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::bytes("application/json", deeds::report_json(call)?))
}

/// The report as PDF.
pub fn pdf(call: &Call) -> Result<Reply, Fault> {
    printed(call, Extent::Whole)
}

/// A sheet to sign: the figures, what was decided, and lines for signatures.
pub fn signature_sheet(call: &Call) -> Result<Reply, Fault> {
    printed(call, Extent::Sheet)
}

fn printed(call: &Call, extent: Extent) -> Result<Reply, Fault> {
    let (case, record) = of(call)?;
    let look = (call.app.font.as_ref(), call.app.picture.as_ref());
    let pdf = report_sheet::render(&case.report, &record, Messages::of(call.language), extent, look);
    let name = if extent == Extent::Sheet { "sheet" } else { "report" };
    Ok(Reply::file("application/pdf", &format!("{name}-{}.pdf", &case.submission.id[..8]), pdf))
}

/// All reports of a round, as pages that need no service, and its result sheet, in one archive.
pub fn archive(call: &Call) -> Result<Reply, Fault> {
    let (round, listed) = sheet::listed(call)?;
    let mut archive = ZipWriter::new(tempfile::tempfile()?);
    let options = SimpleFileOptions::default();
    archive.start_file("results.xlsx", options).map_err(io::Error::from)?;
    archive.write_all(&sheet::workbook(call)?.body)?;
    for (at, one) in (1..).zip(listed.iter().filter(|one| one.figures.is_some())) {
        let (case, mut record) = of_submission(call, &one.submission.id)?;
        // Outside there is nobody to answer forms and links.
        (record.back, record.decide, record.sheets, record.links) = Default::default();
        record.decisions.iter_mut().for_each(|made| made.revoke = None);
        let name = safe_name(one.submission.file_name.as_deref().unwrap_or("report"))?;
        archive.start_file(format!("{at:03}-{name}.html"), options).map_err(io::Error::from)?;
        archive.write_all(case.report.to_html_with(&record, Messages::of(call.language))?.as_bytes())?;
    }
    let mut file = archive.finish().map_err(io::Error::from)?;
    file.rewind()?;
    Ok(Reply::large_file("application/zip", &format!("reports-{}.zip", &round.id[..8]), file))
}
