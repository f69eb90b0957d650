//! Links for many at once, as a list for a mail merge or as sheets to cut and hand out.

use super::forms::{choice, tick_of};
use super::layout::{Place, page, time};
use crate::deeds::people::{self as deeds, Form, Invitation, Invitations, NewInvitations};
use crate::fault::{BAD_FIELD, Fault};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::paper::Paper;
use copytrace::report::tables::Table;
use copytrace_messages::{Tell, message};
use maud::{Markup, html};
use qrcodegen::{QrCode, QrCodeEcc};

/// The fields of the form.
pub fn fields(call: &Call) -> Markup {
    let words = call.words();
    let forms = [("csv", words.invite_csv), ("pdf", words.invite_pdf), ("mail", words.invite_mail)];
    let forms = forms.into_iter().filter(|(form, _)| *form != "mail" || call.app.mail.is_some());
    html! {
        p.hint { (words.invite_many_hint) }
        (choice(words.invite_as, "form", forms.map(|(form, called)| (form.to_owned(), called)), ""))
        (tick_of(words.invite_again, "again", "true", false))
        button { (words.invite_many) }
    }
}

/// Links for those of a unit.
pub fn of_unit(call: &Call) -> Result<Reply, Fault> {
    told(call, deeds::invite_unit)
}

/// Links for the students of a round and those who supervise them.
pub fn of_round(call: &Call) -> Result<Reply, Fault> {
    told(call, deeds::invite_round)
}

fn told(call: &Call, invite: fn(&Call) -> Result<Invitations, Fault>) -> Result<Reply, Fault> {
    let form = call.fields::<NewInvitations>()?.form;
    let form = form.ok_or_else(|| Fault::Refused(&BAD_FIELD, "form".to_owned()))?;
    let made = invite(call)?;
    let reply = match form {
        Form::Mail => return Ok(letters(call, &made)),
        Form::List => Reply::file("text/csv; charset=utf-8", "links.csv", list(&made)?),
        Form::Sheets => Reply::file("application/pdf", "links.pdf", sheets(call, &made)),
    };
    Ok(reply.secret())
}

/// Tells how many letters are on their way.
fn letters(call: &Call, made: &Invitations) -> Reply {
    let words = call.words();
    let body = html! {
        h1 { (words.invite_many) }
        p.box role="status" { (message!("letters-put", sent = made.sent, without = made.without_address).tell(call.language)) }
        p { a href="/" { (words.overview) } }
    };
    page(call, Place::People, words.invite_many, &body)
}

/// The links as CSV, with a byte-order mark for spreadsheets.
fn list(made: &Invitations) -> Result<Vec<u8>, Fault> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer("\u{feff}".as_bytes().to_vec());
    let failed = |error: csv::Error| Fault::Failed(error.to_string());
    writer.write_record(["number", "name", "link", "expires"]).map_err(failed)?;
    let expires = time(made.expires);
    for Invitation { number, name, link } in &made.links {
        let row = [&*Table::defused(number), &*Table::defused(name), link, &expires];
        writer.write_record(row).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| Fault::Failed(error.to_string()))
}

/// The links as sheets: each with its code, to be cut.
fn sheets(call: &Call, made: &Invitations) -> Vec<u8> {
    let words = call.words();
    let mut paper = Paper::new(words.invite_many, words.language, false, call.app.font.as_ref());
    let expires = message!("link-until", at = time(made.expires)).tell(call.language);
    for Invitation { number, name, link } in &made.links {
        let Ok(code) = QrCode::encode_text(link, QrCodeEcc::Medium) else { continue };
        let called = format!("{number} {name}").trim().to_owned();
        let mut lines = vec![call.app.institution.as_str(), &called, words.invite_how, link, &expires];
        lines.retain(|line| !line.is_empty());
        paper.ticket(code.size() as usize, |x, y| code.get_module(x as i32, y as i32), &lines);
    }
    paper.finish()
}
