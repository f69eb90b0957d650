//! Collections: made, filled by upload or from a folder of the server, searched, thinned.

use super::forms::{choice, file, line};
use super::layout::{Place, page, time};
use super::people::{administrator, overseer};
use super::words::SENTENCES;
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::Role;
use crate::queue::order::Detail;
use crate::queue::{self, Kind, NewJob};
use crate::store::secret;
use crate::{audit, collections, unpack};
use copytrace::index::inspect;
use maud::html;
use std::path::PathBuf;

/// How many documents a page shows.
const MOST: usize = 100;

/// The list of collections.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), overseer(call)?);
    let all = call.app.store.read(collections::all)?;
    let body = html! {
        h1 { (words.collections) }
        @if all.is_empty() { p.empty { (words.no_collections) } } @else {
            div.scroll tabindex="0" { table {
                thead { tr { th scope="col" { (words.called) } th.n scope="col" { (words.documents) } th scope="col" { (words.wording) } } }
                tbody { @for collection in &all { tr {
                    td { a href={ "/collections/" (collection.id) } { bdi { (collection.name) } } }
                    td.n { @match collections::documents(&call.app.data, &collection.folder) { Some(n) => { (n) }, None => "?" } }
                    td { (if collection.open { words.wording_everyone } else { words.wording_staff }) }
                } } }
            } }
        }
        @if caller.person.has_everywhere(Role::Administrator) {
            section aria-labelledby="new" {
                h2 #new { (words.new_collection) }
                form.box method="post" action="/collections" {
                    (line(words.called, "name", "text", ""))
                    (choice(words.wording, "wording", [("staff".to_owned(), words.wording_staff), ("everyone".to_owned(), words.wording_everyone)]))
                    button.main { (words.create) }
                }
            }
        }
    };
    Ok(Reply::page(page(call, Place::Collections, words.collections, &body)))
}

/// Makes a collection.
pub fn create(call: &Call) -> Result<Reply, Fault> {
    let caller = administrator(call)?;
    let (name, open) = (call.needed("name")?, call.field("wording").as_deref() == Some("everyone"));
    let made = call.app.store.write(|t| {
        let made = collections::create(t, &call.app.data, &name, open)?;
        audit::record(t, Some(&caller.person.id), "create_collection", &made.id.to_string(), "")?;
        Ok::<_, Fault>(made)
    })?;
    Ok(Reply::to(format!("/collections/{}", made.id)))
}

/// A collection: its documents, and what was done to it.
pub fn one(call: &Call) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), overseer(call)?);
    let manages = caller.person.has_everywhere(Role::Administrator);
    let collection = call.app.store.read(|c| collections::get(c, call.number("id")?))?;
    let searched = call.query.get("q").cloned().unwrap_or_default();
    let lowered = searched.to_lowercase();
    let (mut found, mut matching) = (Vec::new(), 0usize);
    inspect::list(&call.app.data.join(&collection.folder), |record| {
        let title = record.metadata.title.clone().unwrap_or_default();
        if record.id.to_lowercase().contains(&lowered) || title.to_lowercase().contains(&lowered) {
            matching += 1;
            if found.len() < MOST {
                found.push((record.id, title));
            }
        }
        Ok(())
    })?;
    type Row = (i64, String, Option<String>, i64);
    let jobs: Vec<Row> = call.app.store.read(|c| {
        let sql = "SELECT id, state, message, made FROM job WHERE folder = ?1 AND kind IN ('fill', 'remove') ORDER BY id DESC LIMIT 10";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        c.prepare_cached(sql)?.query_map([&collection.folder], read)?.collect::<Result<_, _>>()
    })?;
    let address = format!("/collections/{}", collection.id);
    let body = html! {
        h1 { bdi { (collection.name) } }
        p { (words.wording) ": " (if collection.open { words.wording_everyone } else { words.wording_staff }) }
        form.controls method="get" action=(address) { label { (words.search) input type="search" name="q" value=(searched); } button { (words.find) } }
        p role="status" { (words.documents) ": " (matching) }
        @if !found.is_empty() { form method="post" action={ (address) "/remove" } { div.scroll tabindex="0" { table {
            thead { tr { @if manages { th scope="col" { (words.remove) } } th scope="col" { (words.called) } th scope="col" { (words.title) } } }
            tbody { @for (id, title) in &found { tr {
                @if manages { td { input type="checkbox" name="document" value=(id) aria-label={ (words.remove) " " (id) }; } }
                td { bdi { (id) } } td { bdi { (title) } }
            } } }
        } } @if manages { p { button { (words.remove_ticked) } } } } }
        @if !jobs.is_empty() { section aria-labelledby="jobs" {
            h2 #jobs { (words.jobs) }
            ul { @for (id, state, message, made) in &jobs { li { (id) " · " (time(*made)) " · " (words.word(state)) " " @if let Some(message) = message { bdi { (told(call, message)) } } } } }
        } }
        @if manages {
            section aria-labelledby="fill" {
                h2 #fill { (words.fill_upload) }
                form.box method="post" action={ (address) "/upload" } enctype="multipart/form-data" { (file(words.file, "", true)) button.main { (words.upload) } }
            }
            section aria-labelledby="folder" {
                h2 #folder { (words.fill_folder) }
                form.box method="post" action={ (address) "/fill" } { (line(words.folder, "from", "text", "")) button { (words.fill_folder) } }
            }
        }
    };
    Ok(Reply::page(page(call, Place::Collections, &collection.name, &body)))
}

/// What a job on a collection came to, in a sentence.
fn told(call: &Call, message: &str) -> String {
    let (words, labels) = (call.words(), call.language.messages());
    let Ok(outcome) = serde_json::from_str::<serde_json::Value>(message) else {
        return labels.sentence(message, SENTENCES).into_owned();
    };
    let missing: Vec<&str> = outcome["missing"].as_array().into_iter().flatten().filter_map(|m| m.as_str()).collect();
    let missing: Vec<_> = missing.into_iter().map(|said| labels.sentence(said, SENTENCES)).collect();
    let added = format!("{}: {}", words.added, outcome["added"]);
    if missing.is_empty() { added } else { format!("{added}; {}: {}", words.unreadable, missing.join("; ")) }
}

fn queue_fill(call: &Call, from: PathBuf, action: &str) -> Result<Reply, Fault> {
    let caller = administrator(call)?;
    call.app.store.write(|t| {
        let collection = collections::get(t, call.number("id")?)?;
        let detail = serde_json::to_string(&Detail { from, ..Detail::default() })?;
        queue::add(
            t,
            &NewJob {
                kind: Kind::Fill,
                submission: None,
                folder: Some(&collection.folder),
                detail,
                lane: 1,
                fair: "fill",
            },
        )?;
        audit::record(t, Some(&caller.person.id), action, &collection.id.to_string(), "").map_err(Fault::from)
    })?;
    call.app.pool.wake();
    Ok(Reply::to(format!("/collections/{}", call.number("id")?)))
}

/// Fills a collection from files that were uploaded.
pub fn upload(call: &Call) -> Result<Reply, Fault> {
    administrator(call)?;
    if call.files.iter().all(|file| file.bytes == 0) {
        return refused(&BAD_FIELD, "file");
    }
    // Below `intake`, which is emptied of what no job needs when the server starts.
    let from = PathBuf::from(format!("intake/{}", secret::new_id()));
    let target = call.app.data.join(&from);
    std::fs::create_dir(&target)?;
    let taken = call.files.iter().try_for_each(|file| {
        let source = call.app.data.join(&file.file);
        match file.name.to_ascii_lowercase().ends_with(".zip") {
            true => unpack::unpack(&source, &target, &call.app.limits).map(drop),
            false => Ok(std::fs::rename(source, target.join(unpack::safe_name(&file.name)?))?),
        }
    });
    let queued = taken.and_then(|()| queue_fill(call, from, "fill_collection"));
    if queued.is_err() {
        std::fs::remove_dir_all(&target)?;
    }
    queued
}

/// Fills a collection from a folder of the server.
pub fn fill(call: &Call) -> Result<Reply, Fault> {
    administrator(call)?;
    let from = PathBuf::from(call.needed("from")?.trim());
    // The service's own folder holds what nobody may turn into a source.
    let (whole, data) = (from.canonicalize(), call.app.data.canonicalize()?);
    match whole {
        Ok(whole) if whole.is_dir() && !whole.starts_with(&data) && !data.starts_with(&whole) => {
            queue_fill(call, whole, "fill_collection")
        }
        _ => refused(&BAD_FIELD, "from"),
    }
}

/// Removes documents from a collection, down to the last byte.
pub fn remove(call: &Call) -> Result<Reply, Fault> {
    let (caller, ids) = (administrator(call)?, call.all("document"));
    if ids.is_empty() {
        return refused(&BAD_FIELD, "document");
    }
    let count = ids.len().to_string();
    call.app.store.write(|t| {
        let collection = collections::get(t, call.number("id")?)?;
        let detail = serde_json::to_string(&Detail { ids, ..Detail::default() })?;
        queue::add(
            t,
            &NewJob {
                kind: Kind::Remove,
                submission: None,
                folder: Some(&collection.folder),
                detail,
                lane: 1,
                fair: "fill",
            },
        )?;
        audit::record(t, Some(&caller.person.id), "remove_documents", &collection.id.to_string(), &count)
            .map_err(Fault::from)
    })?;
    call.app.pool.wake();
    Ok(Reply::to(format!("/collections/{}", call.number("id")?)))
}
