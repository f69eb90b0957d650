//! What the office reads by programs: people, units, what units share, webhooks, what students agree to.

use super::{Items, PAGE, list};
use crate::collections;
use crate::deeds::people as deeds;
use crate::fault::{Fault, NOT_FOUND};
use crate::harvests;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::lti::platforms;
use crate::people::{self, Role, units};
use crate::sharing;
use crate::terms;
use crate::webhooks::rows as webhooks;
use copytrace::index::Index;
use serde::Serialize;
use utoipa::ToSchema;

/// A person.
#[derive(Serialize, ToSchema)]
pub struct PersonTold {
    id: String,
    number: Option<String>,
    name: Option<String>,
    mail: Option<String>,
    /// Whether the person is let in.
    active: bool,
    roles: Vec<RoleTold>,
}

/// A role in a unit.
#[derive(Serialize, ToSchema)]
pub struct RoleTold {
    unit: i64,
    role: Role,
}

/// The people whose number or name holds `q`, by number, in pages.
pub fn people(call: &Call) -> Result<Reply, Fault> {
    let found = call.app.store.read(|c| people::page(c, call.parameter("q"), call.parameter("after"), PAGE))?;
    let next = if found.len() == PAGE { found.last().and_then(|last| last.number.clone()) } else { None };
    let items = found.into_iter().map(|person| PersonTold {
        id: person.id,
        number: person.number,
        name: person.name,
        mail: person.mail,
        active: person.active,
        roles: person.roles.into_iter().map(|(unit, role)| RoleTold { unit, role }).collect(),
    });
    Ok(Reply::json(&Items { items: items.collect(), next }))
}

/// What is kept of a person, as an archive.
pub fn person_data(call: &Call) -> Result<Reply, Fault> {
    let data = deeds::data(call, call.words().closed_source)?;
    Ok(Reply::large_file("application/zip", "data.zip", data))
}

/// The units.
pub fn list_units(call: &Call) -> Result<Reply, Fault> {
    list(call.app.store.read(units)?)
}

/// A document of a collection.
#[derive(Serialize, ToSchema)]
pub struct Document {
    id: String,
    title: Option<String>,
}

/// The documents of a collection, by id, in pages.
pub fn documents(call: &Call) -> Result<Reply, Fault> {
    let collection = call.app.read(|c| collections::get(c, call.number("id")?))?;
    let (after, mut items) = (call.parameter("after"), Vec::new());
    Index::list(&call.app.data.join(&collection.folder), |record| {
        if record.id.as_str() > after {
            items.push(Document { id: record.id, title: record.metadata.title });
        }
        Ok(())
    })?;
    items.sort_by(|a, b| a.id.cmp(&b.id));
    let next = if items.len() > PAGE { items.get(PAGE - 1).map(|last| last.id.clone()) } else { None };
    items.truncate(PAGE);
    Ok(Reply::json(&Items { items, next }))
}

/// What the caller's units share, and are offered.
pub fn shares(call: &Call) -> Result<Reply, Fault> {
    list(call.app.read(|c| sharing::shares(c, call.caller()?))?)
}

/// Requests for wording of the caller's units.
pub fn requests(call: &Call) -> Result<Reply, Fault> {
    list(call.app.read(|c| sharing::requests(c, call.caller()?))?)
}

/// The webhooks.
pub fn list_webhooks(call: &Call) -> Result<Reply, Fault> {
    list(call.app.store.read(webhooks::all)?)
}

/// What students agree to.
pub fn latest_terms(call: &Call) -> Result<Reply, Fault> {
    Ok(Reply::json(&call.app.store.read(terms::latest)?.ok_or(&NOT_FOUND)?))
}

/// What a collection is harvested from.
pub fn list_harvests(call: &Call) -> Result<Reply, Fault> {
    call.caller()?.administrator()?;
    list(call.app.read(|c| Ok(harvests::of(c, collections::get(c, call.number("id")?)?.id)?))?)
}

/// The learning platforms.
pub fn list_platforms(call: &Call) -> Result<Reply, Fault> {
    call.caller()?.oversees()?;
    list(call.app.store.read(platforms::all)?)
}
