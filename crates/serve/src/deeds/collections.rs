//! Deeds about collections. Whoever administers the unit of one fills it, thins it, and shares it with other units.

use super::outcome::{Numbered, Outcome};
use crate::access::{self, Object};
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::http::call::Call;
use crate::people::{Role, WHOLE};
use crate::queue::{self, Task};
use crate::sharing::{self, Answer};
use crate::store::secret;
use crate::store::word::worded;
use crate::{audit, collections, folder, unpack};
use copytrace::check::Unread;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use utoipa::ToSchema;

worded! {
    /// Who may read the wording of a collection.
    Wording:
    /// Students, too.
    Everyone "everyone";
    /// Staff alone.
    Staff "staff";
}

/// What a collection is made with.
#[derive(Deserialize, ToSchema)]
pub struct NewCollection {
    name: String,
    /// Staff alone if it does not say.
    wording: Option<Wording>,
    /// The unit whose it is; the whole institution if it does not say.
    unit: Option<i64>,
}

/// Makes a collection.
///
/// # Errors
/// When the caller does not administer its unit, or a field is wrong.
pub fn create(call: &Call) -> Result<Numbered, Fault> {
    let (caller, new) = (call.caller()?, call.fields::<NewCollection>()?);
    let unit = new.unit.unwrap_or(WHOLE);
    call.does(|t| {
        access::require(t, caller, Object::Unit(unit), &[Role::Administrator])?;
        let is_open = new.wording == Some(Wording::Everyone);
        let id = collections::create(t, &call.app.data, &new.name, is_open, unit)?.id;
        audit::record(t, Some(&caller.person.id), audit::Action::CreateCollection, &id.to_string(), "")?;
        Ok(Numbered { id })
    })
}

/// Work on a collection that waits.
#[derive(Serialize, ToSchema)]
pub struct WorkQueued {
    /// The collection.
    pub collection: i64,
}

impl Outcome for WorkQueued {}

/// Queues work on the collection of the path, made of the folder of its index.
fn queue(
    call: &Call,
    action: audit::Action,
    detail: &str,
    task: impl FnOnce(String) -> Task,
) -> Result<WorkQueued, Fault> {
    let (by, collection) = (&call.caller()?.person.id, call.number("id")?);
    call.queues(|t| {
        let folder = collections::get(t, collection)?.folder;
        queue::add(t, &task(folder), 1, "fill")?;
        audit::record(t, Some(by), action, &collection.to_string(), detail)?;
        Ok(WorkQueued { collection })
    })
}

/// Fills a collection from files that were uploaded.
///
/// # Errors
/// When there is none of them.
pub fn upload(call: &Call) -> Result<WorkQueued, Fault> {
    let sent = call.files.iter().filter(|file| unpack::member_name(&file.name).is_some());
    let sent: Vec<_> = sent.filter(|file| file.bytes > 0).collect();
    if sent.is_empty() {
        return refused(&BAD_FIELD, "file");
    }
    // Below `intake`, which is emptied of what no job needs when the server starts.
    let from = PathBuf::from(format!("intake/{}", secret::new_id()));
    let target = call.app.data.join(&from);
    std::fs::create_dir(&target)?;
    let mut unread = Vec::new();
    let taken = sent.into_iter().enumerate().try_for_each(|(at, file)| {
        let source = call.app.data.join(&file.file);
        match file.name.to_ascii_lowercase().ends_with(".zip") {
            true => unpack::unpack(&source, &target, &call.app.limits).map(|members| {
                let bad = members.into_iter().filter_map(|member| Some(Unread::new(&member.name, member.file.err()?)));
                unread.extend(bad);
            }),
            false => {
                let name = unpack::safe_name(&file.name)?;
                // Of two files of one name, in two folders, the second gets a number.
                let name = if target.join(&name).exists() { format!("{}-{name}", at + 1) } else { name };
                Ok(std::fs::rename(source, target.join(name))?)
            }
        }
    });
    let queued = taken
        .and_then(|()| queue(call, audit::Action::FillCollection, "", |folder| Task::Fill { folder, from, unread }));
    if queued.is_err() {
        folder::remove(&target)?;
    }
    queued
}

/// A folder of the server.
#[derive(Deserialize, ToSchema)]
pub struct FillFrom {
    from: String,
}

/// Fills a collection from a folder of the server, below the one that whoever started it named. Folders of the server are up to
/// administrators of the whole institution.
///
/// # Errors
/// When the caller is none, or it is no such folder.
pub fn fill(call: &Call) -> Result<WorkQueued, Fault> {
    call.caller()?.administrator()?;
    let from = PathBuf::from(call.fields::<FillFrom>()?.from.trim());
    let (whole, intake, data) = (from.canonicalize(), call.app.intake.as_ref(), &call.app.data);
    match whole {
        // The service's own folder holds what nobody may turn into a source.
        Ok(from)
            if from.is_dir()
                && intake.is_some_and(|intake| from.starts_with(intake))
                && !from.starts_with(data)
                && !data.starts_with(&from) =>
        {
            queue(call, audit::Action::FillCollection, &from.display().to_string(), |folder| Task::Fill {
                folder,
                from,
                unread: Vec::new(),
            })
        }
        _ => refused(&BAD_FIELD, "from"),
    }
}

/// Documents of a collection, by id.
#[derive(Deserialize, ToSchema)]
pub struct Ticked {
    #[serde(default)]
    document: Vec<String>,
}

/// Removes documents from a collection, down to the last byte.
///
/// # Errors
/// When none are named.
pub fn remove(call: &Call) -> Result<WorkQueued, Fault> {
    let ids = call.fields::<Ticked>()?.document;
    if ids.is_empty() {
        return refused(&BAD_FIELD, "document");
    }
    queue(call, audit::Action::RemoveDocuments, &ids.len().to_string(), |folder| Task::Remove { folder, ids })
}

/// Removes a collection with its index.
///
/// # Errors
/// When it is in use.
pub fn erase(call: &Call) -> Result<(), Fault> {
    let (by, id, mut folder) = (&call.caller()?.person.id, call.number("id")?, String::new());
    call.does(|t| {
        folder = collections::remove(t, id, by)?;
        Ok(())
    })?;
    call.app.remove_files(&[folder]);
    Ok(())
}

/// The unit that a collection is offered to.
#[derive(Deserialize, ToSchema)]
pub struct Offer {
    with: i64,
}

/// Offers a collection to another unit, whose rounds may be compared with it once that unit agrees.
///
/// # Errors
/// When there is no such unit, or it has it already.
pub fn share(call: &Call) -> Result<Numbered, Fault> {
    let (by, id, Offer { with }) = (&call.caller()?.person.id, call.number("id")?, call.fields()?);
    call.does(|t| Ok(Numbered { id: sharing::offer(t, id, with, by)? }))
}

/// Agrees to what another unit offers.
///
/// # Errors
/// When the caller does not administer the unit that it is offered to.
pub fn agree(call: &Call) -> Result<(), Fault> {
    let (caller, id) = (call.caller()?, call.number("id")?);
    call.does(|t| {
        access::require(t, caller, Object::Unit(sharing::share(t, id)?.with), &[Role::Administrator])?;
        sharing::agree(t, id, &caller.person.id)
    })
}

/// Ends the sharing of a collection; either side may.
///
/// # Errors
/// When rounds would have nothing left to be compared with.
pub fn end_sharing(call: &Call) -> Result<(), Fault> {
    let (by, id) = (&call.caller()?.person.id, call.number("id")?);
    call.does(|t| sharing::end(t, id, by))
}

/// What a request for wording is answered.
#[derive(Deserialize, ToSchema)]
pub struct NewAnswer {
    answer: Answer,
    #[serde(default)]
    reason: String,
}

/// Answers a request for wording: grants it, refuses it, or takes back what was granted.
///
/// # Errors
/// When the reason is missing.
pub fn answer(call: &Call) -> Result<(), Fault> {
    let (by, id, NewAnswer { answer, reason }) = (&call.caller()?.person.id, call.number("id")?, call.fields()?);
    call.does(|t| sharing::answer(t, id, answer, &reason, by))
}
