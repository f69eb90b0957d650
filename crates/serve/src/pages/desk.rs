//! The pages of a desk that the service has not: where theses are put in, past checks, help.

use super::forms::{folded, line, optional_value, table, tick_of};
use super::layout::{Place, last_page, page, percent, time};
use crate::checks::{self, NewCheck, Past};
use crate::collections::{self, Collection};
use crate::fault::{DESK_FULL, Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::store::rows;
use crate::{demo, rounds};
use maud::{Markup, html};

copytrace_messages::words! {
    /// The words of a desk's own pages in one language.
    pub struct DeskWords, "desk":
        check drop unread files folder_of against among libraries_hint options limit limit_hint all_parts all_parts_hint common common_hint
        language_hint start local kept_in past none_past none_found theses highest when in_work demo demo_hint cancel_all erase_check
        erase_check_hint reports open_packed open_packed_hint save_packed size updated help help_start help_start_text help_library help_library_text help_check help_check_text help_read help_read_text help_picture_start help_picture_check help_picture_report help_formats
        help_formats_text help_keep help_keep_text help_private help_private_text
}

impl Call {
    /// The words of a desk in the caller's language.
    pub fn desk_words(&self) -> &'static DeskWords {
        DeskWords::of(self.language)
    }
}

/// Where theses are put in, and what was checked before.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, desk, searched) = (call.words(), call.desk_words(), call.parameter("q"));
    let (libraries, last, past) = call.app.read(|c| {
        let last: Option<String> = rows::first(c, "SELECT id FROM round ORDER BY made DESC, id LIMIT 1", [])?;
        let last = last.map(|id| rounds::compared(c, &id)).transpose()?.unwrap_or_default();
        Ok((collections::all(c)?, last, checks::past(c, searched.trim())?))
    })?;
    let is_new = past.is_empty() && searched.is_empty();
    let body = html! {
        h1 { (desk.check) }
        @if call.app.require_space().is_err() { p.alert role="alert" { (DESK_FULL.message(call.language)) } }
        (form(desk, call, &libraries, &last))
        @if is_new && libraries.is_empty() { form.box method="post" action="/desk/demo" { p { (desk.demo_hint) } button { (desk.demo) } } }
        p.hint { (desk.local) " " (desk.kept_in) (words.colon) code { (call.app.data.display()) } }
        section aria-labelledby="past" {
            h2 #past { (desk.past) }
            @if is_new { p.empty { (desk.none_past) } } @else {
                form.controls method="get" action="/" { label { (words.search) input type="search" name="q" value=(searched); } button { (words.find) } }
                @if past.is_empty() { p.empty role="status" { (desk.none_found) } } @else { (listed(call, &past)) }
            }
        }
    };
    Ok(page(call, Place::Overview, desk.check, &body))
}

fn form(desk: &DeskWords, call: &Call, libraries: &[Collection], last: &[i64]) -> Markup {
    html! { form.box method="post" action="/desk/checks" enctype="multipart/form-data" {
        (files(desk))
        fieldset {
            legend { (desk.against) }
            (tick_of(desk.among, "among", "true", true))
            @for one in libraries {
                @let documents = collections::documents(&call.app.data, &one.folder).map_or("?".to_owned(), |count| count.to_string());
                (tick_of(&format!("{} ({documents})", one.name), "collections", &one.id.to_string(), last.contains(&one.id)))
            }
            p.hint { (desk.libraries_hint) " " a href="/collections" { (call.words().collections) } }
        }
        (folded("options", desk.options, false, &html! {
            (line(desk.limit, "limit", "number", "20")) p.hint { (desk.limit_hint) }
            (tick_of(desk.all_parts, "count_all_parts", "true", false)) p.hint { (desk.all_parts_hint) }
            (optional_value(desk.common, "ignore_common", "number", "")) p.hint { (desk.common_hint) }
            p.hint { (desk.language_hint) }
        }))
        button.main { (desk.start) }
    } }
}

/// Where files and folders are dropped or chosen. The script tells which of them are there, and which cannot be read.
pub fn files(desk: &DeskWords) -> Markup {
    html! {
        div.empty data-drop data-unread=(desk.unread) {
            p { (desk.drop) }
            label { span { (desk.files) } input type="file" name="file" multiple; }
            label { span { (desk.folder_of) } input type="file" name="folder" multiple webkitdirectory; }
            p data-chosen role="status" {}
            p.alert data-lost role="alert" hidden {}
        }
        script src="/static/desk.js" defer {}
    }
}

fn listed(call: &Call, past: &[Past]) -> Markup {
    let (words, desk) = (call.words(), call.desk_words());
    let rows = html! { @for one in past { tr {
        td { a href={ "/rounds/" (one.id) } { bdi { (one.title) } } }
        td { (time(one.made)) } td.n { (one.theses) }
        td { @if one.waiting > 0 { (desk.in_work) " " (one.theses - one.waiting) " / " (one.theses) } @else { (words.finished) } }
        td.n { (one.highest.map_or("–".to_owned(), percent)) }
    } } };
    table(&[words.called, desk.when, desk.theses, words.state, desk.highest], &[desk.theses, desk.highest], &rows)
}

/// Takes theses in.
pub fn take(call: &Call) -> Result<Reply, Fault> {
    let new: NewCheck = call.fields()?;
    Ok(Reply::to(format!("/rounds/{}", checks::take(&call.app, call.caller()?, &new, &call.files)?)))
}

/// Makes the demo: a library, and a check of three texts.
pub fn show_demo(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/rounds/{}", demo::at_desk(&call.app, call.caller()?)?)))
}

/// Cancels all of a check that is not over.
pub fn cancel(call: &Call) -> Result<Reply, Fault> {
    let round = call.part("id")?;
    checks::cancel(&call.app, call.caller()?, round)?;
    Ok(Reply::to(format!("/rounds/{round}")))
}

/// Erases a check.
pub fn erase(call: &Call) -> Result<Reply, Fault> {
    call.is_sure()?;
    checks::remove(&call.app, call.caller()?, call.part("id")?)?;
    Ok(Reply::to("/"))
}

/// How a desk is used.
pub fn help(call: &Call) -> Result<Reply, Fault> {
    let desk = call.desk_words();
    let picture = |name: &str, shown: &str| {
        let own = format!("{name}-{}.png", call.language.code());
        let file = if PICTURES.iter().any(|(file, _)| *file == own) { own } else { format!("{name}-en.png") };
        html! { p { img.wide-picture src={ "/desk/pictures/" (file) } alt=(shown) width="1280" height="900"; } }
    };
    let none = || html! {};
    let chapters = [
        (desk.help_start, desk.help_start_text, picture("start", desk.help_picture_start)),
        (desk.help_library, desk.help_library_text, none()),
        (desk.help_check, desk.help_check_text, picture("check", desk.help_picture_check)),
        (desk.help_read, desk.help_read_text, picture("report", desk.help_picture_report)),
        (desk.help_formats, desk.help_formats_text, none()),
        (desk.help_keep, desk.help_keep_text, none()),
        (desk.help_private, desk.help_private_text, none()),
    ];
    let body =
        html! { h1 { (desk.help) } @for (title, text, shown) in chapters { h2 { (title) } p { (text) } (shown) } };
    Ok(page(call, Place::Help, desk.help, &body))
}

/// Pictures of the pages: the first one, a check, a report; for each language that has its own.
const PICTURES: [(&str, &[u8]); 6] = [
    ("start-en.png", include_bytes!("../static/help/start-en.png")),
    ("start-zh.png", include_bytes!("../static/help/start-zh.png")),
    ("check-en.png", include_bytes!("../static/help/check-en.png")),
    ("check-zh.png", include_bytes!("../static/help/check-zh.png")),
    ("report-en.png", include_bytes!("../static/help/report-en.png")),
    ("report-zh.png", include_bytes!("../static/help/report-zh.png")),
];

/// A picture for the help.
pub fn picture(call: &Call) -> Result<Reply, Fault> {
    let (_, bytes) = PICTURES.iter().find(|(name, _)| call.part("name").ok() == Some(*name)).ok_or(&NOT_FOUND)?;
    Ok(Reply::bytes("image/png", *bytes))
}

/// The script of the page where theses are put in.
pub fn script(_: &Call) -> Result<Reply, Fault> {
    Ok(Reply::bytes("text/javascript; charset=utf-8", include_str!("../static/desk.js")))
}

/// Ends the program. What is being checked goes on at the next start.
pub fn end(call: &Call) -> Result<Reply, Fault> {
    let (words, desk) = (call.words(), call.app.desk.as_ref().ok_or(&NOT_FOUND)?);
    desk.ended.notify_one();
    let body = html! { h1 { (words.end_desk) } p role="status" { (words.desk_ended) } };
    Ok(last_page(call, words.end_desk, &body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_messages::Language;

    #[test]
    fn every_word_of_a_desk_is_there_in_every_language() {
        for words in Language::all().map(DeskWords::of) {
            let words = serde_json::to_value(words).unwrap();
            for (name, word) in words.as_object().unwrap() {
                let word = word.as_str().unwrap();
                assert!(!word.is_empty() && !word.starts_with("desk-"), "{name}");
            }
        }
    }
}
