//! What a report is shown with: whose it is, of which round, against what, and what people decided about it.

use super::layout::{day, time};
use crate::deeds::{Case, ShownTo};
use crate::enrolment::COLLEGE;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::queue::worker::SUBMISSION;
use crate::reports::appeals::{self, Appeal};
use crate::rounds::Round;
use crate::store::rows;
use crate::submissions::{self, GivenVerdict, Seen, View};
use crate::{collections, people::Person};
use copytrace::report::messages::Messages;
use copytrace::report::record::{Decision, Record};
use rusqlite::{Connection, params};

/// The record of a case, for somebody who sees the submission so, or came by a link. Fellow students' submissions among the sources are
/// called by the student's number and name for staff who may know them, and by their own number for everybody else.
///
/// # Errors
/// When the database cannot be read.
pub fn record(call: &Call, case: &mut Case, seen: Option<&Seen>) -> Result<Record, Fault> {
    let (words, submission, round) = (call.words(), &case.submission, &case.round);
    let (is_named, is_staff) = (case.shown_to != ShownTo::Anonymous, case.shown_to != ShownTo::Student);
    let address = format!("/submissions/{}", submission.id);
    let decides = seen.is_some_and(|seen| seen.view == View::Decides);
    call.app.read(|c| {
        let person = Person::kept(c, &submission.student)?.filter(|_| is_named);
        let whose = format!("№ {}", &submission.id[..8]);
        let whose = person.as_ref().map_or(whose, Person::called);
        let (title, college) = match is_named {
            true => of_student(c, &round.id, &submission.student)?,
            false => Default::default(),
        };
        let checked = "SELECT ended FROM job JOIN report ON report.job = job.id WHERE report.submission = ?1";
        let checked = rows::first::<Option<i64>>(c, checked, [&submission.id])?.flatten();
        let kind = format!("{} {}", words.word(submission.kind.as_str()), submission.attempt);
        let mut facts = match call.app.is_for_several() {
            true => vec![(words.student_of, whose.clone())],
            false => vec![(words.file, whose.clone())],
        };
        if call.app.is_for_several() {
            facts.extend(college.map(|college| (words.college, college)));
            facts.extend([(words.kind, kind), (words.round, round.title.clone())]);
        }
        facts.extend(checked.map(|at| (words.checked_on, day(at))));
        let among = if call.app.is_for_several() { words.among_short } else { call.desk_words().among };
        let mut record = Record {
            institution: call.app.institution.clone(),
            logo: call.app.logo.clone(),
            heading: title.unwrap_or(whose),
            facts,
            collections: compared(c, round, &case.folders, among)?,
            left_out: case.left_out.clone(),
            withholds: !is_staff,
            ..Record::default()
        };
        if seen.is_some() {
            record.back = Some((address.clone(), words.back));
            record.sheets =
                vec![(format!("{address}/sheet.pdf"), words.signature_sheet), (format!("{address}/report.pdf"), "PDF")];
        }
        record.decide = decides.then(|| format!("{address}/decisions?from=report"));
        for (rank, source) in case.report.sources.iter_mut().enumerate().filter(|_| is_staff) {
            let Some(id) = source.id.strip_prefix(SUBMISSION) else { continue };
            let known = fellow(c, call, round, seen, id)?;
            source.id = known.who;
            source.title = known.title.or(source.title.take());
            record.links.extend(known.address.map(|address| (rank, address)));
        }
        let labels = Messages::of(call.language);
        if seen.is_some_and(|seen| seen.view == View::Student) {
            (record.decide, record.is_appeal) = (Some(format!("{address}/appeals?from=report")), true);
        }
        let appeal = |made: Appeal| Decision {
            about: format!("{} {}", labels.passage, made.passage + 1),
            passage: usize::try_from(made.passage).ok(),
            reason: made.reason,
            told: time(made.made),
            stands: true,
            revoke: None,
        };
        // A reviewer judges alone, by the report.
        let reviews = seen.is_some_and(|seen| seen.view == View::Reviews);
        let (appeals, given) = match reviews {
            true => Default::default(),
            false => (appeals::all(c, &submission.id)?, submissions::verdicts(c, &submission.id)?),
        };
        record.appeals = appeals.into_iter().map(appeal).collect();
        let told = |given: GivenVerdict| {
            let by = if is_staff || !round.anonymous {
                format!("{} · {}", given.by, time(given.made))
            } else {
                time(given.made)
            };
            (words.word(given.verdict.as_str()).to_owned(), by, given.comment)
        };
        record.verdicts = given.into_iter().take(if is_staff { usize::MAX } else { 1 }).map(told).collect();
        record.decisions = case
            .decisions
            .iter()
            .filter(|(made, _)| is_staff || made.revoked.is_none())
            .map(|(made, passages)| {
                let source = passages.first().map(|at| &case.report.sources[case.report.passages[*at].source].id);
                let passage = made.passage.map(|at| format!(" · {} {}", labels.passage, at + 1)).unwrap_or_default();
                let mut told = time(made.made);
                if is_staff {
                    told = format!("{} · {told}", made.name);
                }
                if let Some(at) = made.revoked {
                    told = format!("{told} · {} {}", words.revoked, time(at));
                }
                Decision {
                    about: format!("{}{passage}", source.map_or("", String::as_str)),
                    passage: passages.first().copied(),
                    // A reason may name others.
                    reason: if is_staff { made.reason.clone() } else { String::new() },
                    told,
                    stands: made.revoked.is_none(),
                    revoke: (decides && made.revoked.is_none())
                        .then(|| format!("{address}/decisions/{}?from=report", made.id)),
                }
            })
            .collect();
        Ok(record)
    })
}

/// The title of a student's thesis and the college, as far as they are known.
fn of_student(c: &Connection, round: &str, student: &str) -> Result<(Option<String>, Option<String>), rusqlite::Error> {
    let sql = format!(
        "SELECT e.title, {COLLEGE} FROM enrolment e JOIN person p ON p.id = e.student WHERE e.round = ?1 AND e.student = ?2"
    );
    Ok(rows::first(c, &sql, params![round, student])?.unwrap_or_default())
}

/// A submission that a report names as a source.
pub struct Fellow {
    /// What it is called.
    pub who: String,
    title: Option<String>,
    address: Option<String>,
}

/// What somebody may know of a submission that is a source: of one that the caller sees what is shown there, of others of the round who
/// it is of, unless the round is marked anonymously. Who came by a link is told no names.
pub fn fellow(c: &Connection, call: &Call, round: &Round, seen: Option<&Seen>, id: &str) -> Result<Fellow, Fault> {
    let mut fellow = Fellow { who: format!("№ {}", &id[..id.len().min(8)]), title: None, address: None };
    let (Some(seen), Ok(submission)) = (seen, submissions::get(c, id)) else { return Ok(fellow) };
    let other = submissions::see(c, call.caller()?, id).ok();
    fellow.address = other.as_ref().map(|_| format!("/submissions/{id}"));
    let is_named = other.map_or(submission.round == round.id && !round.anonymous, |other| other.shows_names());
    if let Some(person) = Person::kept(c, &submission.student)?.filter(|_| is_named && seen.shows_names()) {
        fellow.who = person.called();
        fellow.title = of_student(c, &submission.round, &submission.student)?.0;
    }
    Ok(fellow)
}

/// What the folders are called that were compared.
fn compared(c: &Connection, round: &Round, folders: &[String], own: &str) -> Result<Vec<String>, rusqlite::Error> {
    let collections = collections::all(c)?;
    let mut names = Vec::new();
    for folder in folders {
        match (collections.iter().find(|collection| collection.folder == *folder), folder.strip_prefix("rounds/")) {
            (Some(collection), _) => names.push(collection.name.clone()),
            (None, Some(id)) if id == round.id => names.push(own.to_owned()),
            (None, Some(id)) => names.extend(rows::first::<String>(c, "SELECT title FROM round WHERE id = ?1", [id])?),
            (None, None) => {}
        }
    }
    Ok(names)
}
