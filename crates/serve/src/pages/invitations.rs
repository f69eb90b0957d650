//! Links for many at once, as a list for a mail merge or as sheets to cut and hand out.

use super::forms::{choice, tick_of};
use super::layout::{Place, page, time};
use crate::access::{self, Object};
use crate::fault::{BAD_FIELD, CONFLICT, Fault, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::paper::Paper;
use crate::people::invitations::{Group, LASTS, by_mail, make};
use crate::people::{Person, Role};
use crate::rounds::Round;
use crate::store::now;
use crate::store::word::worded;
use copytrace::report::tables::Table;
use copytrace_messages::{Tell, message};
use maud::{Markup, html};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Deserialize;

worded! {
    /// How links are told.
    Form:
    /// As a list.
    List "csv";
    /// As sheets of paper.
    Sheets "pdf";
    /// By letters.
    Mail "mail";
}

#[derive(Deserialize)]
struct Filled {
    form: Form,
    #[serde(default)]
    again: bool,
    unit: Option<i64>,
}

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
    let filled: Filled = call.fields()?;
    let unit = filled.unit.ok_or_else(|| Fault::Refused(&BAD_FIELD, "unit".to_owned()))?;
    call.app.read(|c| access::require(c, call.caller()?, Object::Unit(unit), &[Role::Administrator]))?;
    told(call, Group::Unit(unit), &filled)
}

/// Links for the students of a round and those who supervise them.
pub fn of_round(call: &Call) -> Result<Reply, Fault> {
    let round = call.app.store.read(|c| Round::administered(c, call.caller()?, call.part("id")?))?;
    told(call, Group::Round(&round.id), &call.fields()?)
}

fn told(call: &Call, group: Group<'_>, filled: &Filled) -> Result<Reply, Fault> {
    if filled.form == Form::Mail {
        return letters(call, group, filled.again);
    }
    let made = call.app.write(|t| make(t, &call.caller()?.person, group, filled.again))?;
    if made.is_empty() {
        return Err(Fault::Told(&CONFLICT, vec![message!("nobody-to-invite")]));
    }
    let link = |secret: &str| format!("{}/invite/{secret}", call.base());
    let links: Vec<(Person, String)> = made.into_iter().map(|(person, secret)| (person, link(&secret))).collect();
    let reply = match filled.form {
        Form::List => Reply::file("text/csv; charset=utf-8", "links.csv", list(&links)?),
        Form::Sheets | Form::Mail => Reply::file("application/pdf", "links.pdf", sheets(call, &links)),
    };
    Ok(reply.secret())
}

/// Puts letters into the outbox, and tells how many.
fn letters(call: &Call, group: Group<'_>, again: bool) -> Result<Reply, Fault> {
    if call.app.mail.is_none() {
        return refused(&BAD_FIELD, "form");
    }
    let (sent, without) = call.app.write(|t| by_mail(t, &call.caller()?.person, group, again))?;
    if sent == 0 && without == 0 {
        return Err(Fault::Told(&CONFLICT, vec![message!("nobody-to-invite")]));
    }
    let words = call.words();
    let body = html! {
        h1 { (words.invite_many) }
        p.box role="status" { (message!("letters-put", sent = sent, without = without).tell(call.language)) }
        p { a href="/" { (words.overview) } }
    };
    Ok(page(call, Place::People, words.invite_many, &body))
}

/// The links as CSV, with a byte-order mark for spreadsheets.
fn list(links: &[(Person, String)]) -> Result<Vec<u8>, Fault> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer("\u{feff}".as_bytes().to_vec());
    let failed = |error: csv::Error| Fault::Failed(error.to_string());
    writer.write_record(["number", "name", "link", "expires"]).map_err(failed)?;
    let expires = time(now() + LASTS);
    for (person, link) in links {
        let [number, name] = [&person.number, &person.name].map(|text| text.as_deref().unwrap_or_default());
        let row = [&*Table::defused(number), &*Table::defused(name), link, &expires];
        writer.write_record(row).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| Fault::Failed(error.to_string()))
}

/// The links as sheets: each with its code, to be cut.
fn sheets(call: &Call, links: &[(Person, String)]) -> Vec<u8> {
    let words = call.words();
    let mut paper = Paper::new(words.invite_many, words.language, false, call.app.font.as_ref());
    let expires = message!("link-until", at = time(now() + LASTS)).tell(call.language);
    for (person, link) in links {
        let Ok(code) = QrCode::encode_text(link, QrCodeEcc::Medium) else { continue };
        let called = person.called();
        let mut lines = vec![call.app.institution.as_str(), &called, words.invite_how, link, &expires];
        lines.retain(|line| !line.is_empty());
        paper.ticket(code.size() as usize, |x, y| code.get_module(x as i32, y as i32), &lines);
    }
    paper.finish()
}
