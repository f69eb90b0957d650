//! Collections: made, filled by upload or from a folder of the server, searched, thinned.

use super::desk::files;
use super::forms::{choice, file, folded, line, sure, table};
use super::layout::{Place, page, time};
use super::progress::{followed, of_folder};
use super::sharing as sharing_pages;
use super::words::Words;
use crate::access::{self, Object};
use crate::collections::Collection;
use crate::deeds::collections as deeds;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Role, units};
use crate::queue::State;
use crate::queue::protocol::Changed;
use crate::queue::why::Why;
use crate::sharing::{self, Asking};
use crate::store::rows::{self, read_by_name};
use crate::{collections, packed};
use copytrace::check::Library;
use copytrace::index::Index;
use copytrace::report::messages::Messages;
use copytrace_messages::Tell;
use maud::{Markup, html};

/// Documents on a page.
const MOST: usize = 100;

/// Who may read the wording of a collection.
fn wording(words: &Words, collection: &Collection) -> &'static str {
    if collection.open { words.wording_everyone } else { words.wording_staff }
}

/// The list of collections.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let several = call.app.is_for_several();
    let (all, units, shares, waiting) = call.app.read(|c| {
        let mut all = Vec::new();
        for collection in collections::nameable(c, caller)? {
            all.push((sharing::oversees(c, caller, collection.unit)?, collection));
        }
        let waiting = sharing::requests(c, caller)?.iter().filter(|request| request.state == Asking::Asked).count();
        Ok((all, units(c)?, sharing::shares(c, caller)?, waiting))
    })?;
    let mut administered = units.clone();
    call.app.read(|c| {
        administered.retain(|unit| access::require(c, caller, Object::Unit(unit.id), &[Role::Administrator]).is_ok());
        Ok(())
    })?;
    let name = |id: i64| units.iter().find(|unit| unit.id == id).map_or("–", |unit| unit.name.as_str());
    let several_units = several && units.len() > 1;
    let rows = html! { @for (is_own, collection) in &all { tr {
        td { @if *is_own { a href={ "/collections/" (collection.id) } { bdi { (collection.name) } } } @else { bdi { (collection.name) } } }
        @if several_units { td { bdi { (name(collection.unit)) } } }
        td.n { @match collections::documents(&call.app.data, &collection.folder) { Some(n) => { (n) }, None => "?" } }
        @if several { td { (wording(words, collection)) } }
    } } };
    let body = html! {
        h1 { (words.collections) }
        @if all.is_empty() { p.empty { (words.no_collections) } } @else { (table(&[words.called, if several_units { words.unit } else { "" }, words.documents, if several { words.wording } else { "" }], &[words.documents], &rows)) }
        @if several_units {
            (sharing_pages::shared(call, &shares, &administered))
            p { a href="/requests" { (words.requests) @if waiting > 0 { (words.colon) (waiting) } } }
        }
        @if !administered.is_empty() {
            section aria-labelledby="new" {
                h2 #new { (words.new_collection) }
                form.box method="post" action="/collections" {
                    (line(words.called, "name", "text", ""))
                    @if several_units { (choice(words.unit, "unit", administered.iter().map(|unit| (unit.id.to_string(), unit.name.as_str())), "")) }
                    @if several { (choice(words.wording, "wording", [("staff".to_owned(), words.wording_staff), ("everyone".to_owned(), words.wording_everyone)], "")) }
                    button.main { (words.create) }
                }
            }
            @if call.app.desk.is_some() { section aria-labelledby="open" {
                h2 #open { (call.desk_words().open_packed) }
                form.box method="post" action="/desk/collections" enctype="multipart/form-data" {
                    p.hint { (call.desk_words().open_packed_hint) } (file(words.file, ".copytrace", false)) button { (call.desk_words().open_packed) }
                }
            } }
        }
    };
    Ok(page(call, Place::Collections, words.collections, &body))
}

/// Makes a collection.
pub fn create(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::to(format!("/collections/{}", deeds::create(call)?.id)))
}

/// What was done to a collection.
struct Work {
    id: i64,
    state: State,
    message: Option<String>,
    made: i64,
}

read_by_name!(Work: id state message made);

/// A collection: its documents, and what was done to it.
pub fn one(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    let (collection, jobs, under_way, manages, units, shares) = call.app.read(|c| {
        let collection = collections::get(c, call.number("id")?)?;
        let manages = access::require(c, caller, Object::Unit(collection.unit), &[Role::Administrator]).is_ok();
        let mut shares = sharing::shares(c, caller)?;
        shares.retain(|share| share.collection == collection.id);
        let sql = "SELECT id, state, message, made FROM job WHERE folder = ?1 AND kind IN ('fill', 'remove') ORDER BY id DESC LIMIT 10";
        let jobs: Vec<Work> = rows::all(c, sql, [&collection.folder])?;
        let progress = of_folder(c, &collection.folder)?;
        Ok((collection, jobs, progress, manages, units(c)?, shares))
    })?;
    let searched = call.parameter("q");
    let lowered = searched.to_lowercase();
    let (mut found, mut matching) = (Vec::new(), 0usize);
    Index::list(&call.app.data.join(&collection.folder), |record| {
        let title = record.metadata.title.clone().unwrap_or_default();
        if record.id.to_lowercase().contains(&lowered) || title.to_lowercase().contains(&lowered) {
            matching += 1;
            if found.len() < MOST {
                found.push((record.id, title));
            }
        }
        Ok(())
    })?;
    let address = format!("/collections/{}", collection.id);
    let rows = html! { @for (id, title) in &found { tr {
        @if manages { td { input type="checkbox" name="document" value=(id) aria-label={ (words.remove) " " (id) }; } }
        td { bdi { (id) } } td { bdi { (title) } }
    } } };
    let titles = [if manages { words.remove } else { "" }, words.called, Messages::of(call.language).title];
    let body = html! {
        h1 { bdi { (collection.name) } }
        @if call.app.is_for_several() { p { (words.wording) (words.colon) (wording(words, &collection)) } } @else { (at_desk(call, &collection)?) }
        (followed(words, under_way, &format!("{address}/progress")))
        form.controls method="get" action=(address) { label { (words.search) input type="search" name="q" value=(searched); } button { (words.find) } }
        p role="status" { (words.documents) (words.colon) (matching) }
        @if !found.is_empty() { form method="post" action={ (address) "/remove" } {
            (table(&titles, &[], &rows))
            @if manages { p { button { (words.remove_ticked) } } }
        } }
        @if !jobs.is_empty() { section aria-labelledby="jobs" {
            h2 #jobs { (words.jobs) }
            ul { @for Work { id, state, message, made } in &jobs { li { @if call.app.is_for_several() { (id) " · " } (time(*made)) " · " (progress(words, *state)) @if let Some(message) = message { (words.colon) bdi { (told(call, message)) } } } } }
        } }
        @if manages {
            section aria-labelledby="fill" {
                h2 #fill { (words.fill_upload) }
                form.box method="post" action={ (address) "/upload" } enctype="multipart/form-data" {
                    @if call.app.is_for_several() { (file(words.file, "", true)) } @else { (files(call.desk_words())) }
                    button.main { (words.upload) }
                }
            }
            @if call.app.is_for_several() && units.len() > 1 { (sharing_pages::offers(words, &collection, &units, &shares)) }
            @if let Some(intake) = call.app.intake.as_ref().filter(|_| caller.administrator().is_ok()) { section aria-labelledby="folder" {
                h2 #folder { (words.fill_folder) }
                form.box method="post" action={ (address) "/fill" } { (line(words.folder, "from", "text", &intake.display().to_string())) button { (words.fill_folder) } }
            } }
            @if call.app.is_for_several() { p { a href={ (address) "/harvests" } { (words.harvests) } } }
            (folded("remove", words.remove_collection, false, &html! {
                form.box method="post" action={ (address) "/erase" } {
                    p.hint { (words.remove_collection_hint) } (sure(words)) button { (words.remove_collection) }
                }
            }))
        }
    };
    Ok(page(call, Place::Collections, &collection.name, &body))
}

/// What a desk shows of a collection: how large it is, since when it is as it is, and the file for a colleague.
fn at_desk(call: &Call, collection: &Collection) -> Result<Markup, Fault> {
    let (words, desk) = (call.words(), call.desk_words());
    let megabytes = collections::bytes(&call.app.data.join(&collection.folder))? as f64 / 1e6;
    let updated = Library::open(&[call.app.data.join(&collection.folder)])?.reference().updated.clone();
    Ok(html! { p {
        (desk.size) (words.colon) (format!("{megabytes:.1} MB"))
        @if let Some(day) = updated { " · " (desk.updated) (words.colon) (day) }
        " · " a href={ "/collections/" (collection.id) "/collection.copytrace" } { (desk.save_packed) }
    } })
}

/// The collection of the path as one file.
pub fn pack(call: &Call) -> Result<Reply, Fault> {
    call.caller()?.administrator()?;
    let collection = call.app.read(|c| collections::get(c, call.number("id")?))?;
    let name = format!("collection-{}.{}", collection.id, packed::ENDING);
    Ok(Reply::large_file("application/octet-stream", &name, packed::pack(&call.app, &collection)?))
}

/// Makes a collection of such a file.
pub fn open_packed(call: &Call) -> Result<Reply, Fault> {
    let collection = packed::open(&call.app, call.caller()?, call.file()?)?;
    Ok(Reply::to(format!("/collections/{}", collection.id)))
}

/// How work on a collection stands.
fn progress(words: &Words, state: State) -> &'static str {
    match state {
        State::Running => words.in_progress,
        State::Done => words.finished,
        state => words.word(state.as_str()),
    }
}

/// What a job on a collection came to, in a sentence.
fn told(call: &Call, message: &str) -> String {
    let (words, semicolon) = (call.words(), Messages::of(call.language).semicolon);
    let Ok(Changed { added, missing, .. }) = serde_json::from_str::<Changed>(message) else {
        return serde_json::from_str(message).unwrap_or_else(|_| Why::failed(message)).tell(call.language);
    };
    let added = format!("{}{}{added}", words.added, words.colon);
    let missing: Vec<String> = missing.iter().map(|unread| unread.tell(call.language)).collect();
    match missing.is_empty() {
        true => added,
        false => format!("{added}{semicolon}{}{}{}", words.unreadable, words.colon, missing.join(semicolon)),
    }
}
