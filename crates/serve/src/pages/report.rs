//! The report on a submission, in each of its forms.

use super::record::record;
use super::report_sheet::{self, Extent};
use crate::deeds::{self, Case};
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::submissions::Seen;
use copytrace::report::messages::Messages;
use copytrace::report::record::Record;

/// The report of the path with its record, as the caller may see them.
fn of(call: &Call) -> Result<(Case, Record), Fault> {
    let seen: Seen = deeds::see(&call.app, call.caller()?, call.part("id")?)?;
    let mut case = deeds::report(&call.app, call.caller()?, &seen, call.words().closed_source)?;
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
    let mut case = deeds::linked_report(&call.app, call.part("secret")?, call.words().closed_source)?;
    let record = record(call, &mut case, None)?;
    shown(call, &case, &record)
}

/// The report as JSON.
pub fn json(call: &Call) -> Result<Reply, Fault> {
    let seen = deeds::see(&call.app, call.caller()?, call.part("id")?)?;
    Ok(Reply::bytes(
        "application/json",
        deeds::report_json(&call.app, call.caller()?, &seen, call.words().closed_source)?,
    ))
}

/// The report as PDF.
pub fn pdf(call: &Call) -> Result<Reply, Fault> {
    printed(call, Extent::Whole)
}

/// A sheet to sign: the figures, what was decided, and lines for signatures.
pub fn sheet(call: &Call) -> Result<Reply, Fault> {
    printed(call, Extent::Sheet)
}

fn printed(call: &Call, extent: Extent) -> Result<Reply, Fault> {
    let (case, record) = of(call)?;
    let look = (call.app.font.as_ref(), call.app.picture.as_ref());
    let pdf = report_sheet::render(&case.report, &record, Messages::of(call.language), extent, look);
    let name = if extent == Extent::Sheet { "sheet" } else { "report" };
    Ok(Reply::file("application/pdf", &format!("{name}-{}.pdf", &case.submission.id[..8]), pdf))
}
