//! The report on a submission, in each of its forms.

use super::layout::time;
use super::report_sheet;
use crate::deeds;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::Person;
use crate::submissions::Seen;
use copytrace::check::Report;
use copytrace::report::messages::Messages;

fn of(call: &Call) -> Result<(Seen, Report), Fault> {
    let seen = deeds::see(&call.app, call.caller()?, call.part("id")?)?;
    let report = deeds::report(&call.app, call.caller()?, &seen, call.words().closed_source)?;
    Ok((seen, report))
}

fn shown(call: &Call, report: &Report) -> Result<Reply, Fault> {
    Ok(Reply::report(report.to_html(Messages::of(call.language))?))
}

/// The product's page of the report.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    shown(call, &of(call)?.1)
}

/// A report by a link that another system shows.
pub fn viewer(call: &Call) -> Result<Reply, Fault> {
    shown(call, &deeds::linked_report(&call.app, call.part("secret")?, call.words().closed_source)?)
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
    let (seen, report) = of(call)?;
    let (words, submission) = (call.words(), &seen.submission);
    let (named, number) = (seen.shows_names(), &submission.id[..8]);
    let person = call.app.store.read(|c| Person::kept(c, &submission.student))?;
    let whose = match person.filter(|_| named) {
        Some(person) => format!("{} {}", person.number.as_deref().unwrap_or_default(), person.label()),
        None => format!("№ {number}"),
    };
    let kind = format!("{} {}", words.word(submission.kind.as_str()), submission.attempt);
    let mut about = vec![format!("{whose} · {kind} · {}", time(submission.received)), seen.round.title.clone()];
    about.extend(submission.file_name.clone().filter(|_| named));
    let pdf = report_sheet::render(&report, Messages::of(call.language), &about, call.app.font.as_ref());
    Ok(Reply::file("application/pdf", &format!("report-{number}.pdf"), pdf))
}
