//! What people decided about a report, as programs read it: behind the report, which stays as it was made.

use super::decisions::Decision;
use crate::deeds::{Case, ShownTo};
use crate::fault::Fault;
use crate::queue::worker::SUBMISSION;
use crate::submissions::GivenVerdict;
use copytrace::check::Certainty;
use serde::Serialize;

/// What was decided about a report.
#[derive(Serialize)]
struct Review<'a> {
    /// The copy ratio without what was left out; none where too little was compared for one.
    decided_ratio: Option<f64>,
    decisions: Vec<Decided<'a>>,
    verdicts: Vec<Given<'a>>,
}

/// A source or passage that was left out.
#[derive(Serialize)]
struct Decided<'a> {
    source: &'a str,
    /// The passages of it, by their places in the report.
    passages: &'a [usize],
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    made: String,
    revoked: Option<String>,
}

/// A verdict, the latest first.
#[derive(Serialize)]
struct Given<'a> {
    verdict: &'static str,
    comment: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    made: String,
}

fn at(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map_or_else(|_| String::new(), |at| at.to_string())
}

/// What a source is called where decisions are listed without their report.
pub fn called(decision: &Decision) -> String {
    let id = decision.source.strip_prefix(SUBMISSION);
    id.map_or_else(|| decision.source.clone(), |id| format!("№ {}", id.chars().take(8).collect::<String>()))
}

/// The JSON of a report with its review as the last member; the same bytes if nobody decided anything. Students are told neither who decided,
/// nor why, nor what was revoked: reasons may name others.
///
/// # Errors
/// When it cannot be written.
pub fn add_to(json: Vec<u8>, case: &Case, verdicts: &[GivenVerdict]) -> Result<Vec<u8>, Fault> {
    if case.decisions.is_empty() && verdicts.is_empty() {
        return Ok(json);
    }
    let (report, is_student) = (&case.report, case.shown_to == ShownTo::Student);
    let staff = (!is_student).then_some(());
    let source = |passages: &[usize]| passages.first().map_or("", |at| &report.sources[report.passages[*at].source].id);
    let decisions = case.decisions.iter().filter(|(made, _)| !is_student || made.revoked.is_none());
    let review = Review {
        decided_ratio: (report.certainty() != Certainty::Unknown)
            .then(|| report.ratios_without(|at| case.left_out.contains(&at)).all.ratio),
        decisions: decisions
            .map(|(made, passages)| Decided {
                source: source(passages),
                passages,
                reason: staff.map(|()| made.reason.as_str()),
                by: staff.map(|()| made.name.as_str()),
                made: at(made.made),
                revoked: made.revoked.map(at),
            })
            .collect(),
        verdicts: verdicts
            .iter()
            .take(if is_student { 1 } else { usize::MAX })
            .map(|given| Given {
                verdict: given.verdict.as_str(),
                comment: &given.comment,
                by: staff.map(|()| given.by.as_str()),
                made: at(given.made),
            })
            .collect(),
    };
    let whole = String::from_utf8_lossy(&json);
    let Some(open) = whole.trim_end().strip_suffix('}') else { return Ok(json) };
    let review = serde_json::to_string_pretty(&review)?.replace('\n', "\n  ");
    Ok(format!("{},\n  \"review\": {review}\n}}\n", open.trim_end()).into_bytes())
}
