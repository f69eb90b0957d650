//! Deeds about what is elsewhere: sources that collections are harvested from, and learning platforms that people come from.

use super::outcome::{Made, Outcome};
use crate::audit;
use crate::fault::Fault;
use crate::harvests;
use crate::http::call::Call;
use crate::lti::errands;
use crate::lti::platforms::{self, NewPlatform, Score};
use crate::rounds::Round;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The collection whose source it was done to.
#[derive(Serialize, ToSchema)]
pub struct OfCollection {
    /// Its number.
    pub collection: i64,
}

impl Outcome for OfCollection {}

/// Adds a source to a collection, and queues its first run.
///
/// # Errors
/// When it is none that may be harvested here, or is there already.
pub fn add_harvest(call: &Call) -> Result<OfCollection, Fault> {
    let (by, new, collection) = (call.caller()?.administrator()?, call.fields()?, call.number("id")?);
    call.app.require_space()?;
    call.queues(|t| {
        harvests::add(&call.app, t, by, collection, &new)?;
        Ok(OfCollection { collection })
    })
}

/// Queues a run of a source.
///
/// # Errors
/// When there is none, or a run is under way.
pub fn run_harvest(call: &Call) -> Result<OfCollection, Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.number("id")?);
    call.app.require_space()?;
    call.queues(|t| {
        let harvest = harvests::get(t, id)?;
        harvests::run(t, &harvest, call.app.harvest_inside)?;
        audit::record(t, Some(by), audit::Action::RunHarvest, &id.to_string(), &harvest.source)?;
        Ok(OfCollection { collection: harvest.collection })
    })
}

/// Removes a source; its documents stay.
///
/// # Errors
/// When there is none.
pub fn remove_harvest(call: &Call) -> Result<OfCollection, Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.number("id")?);
    let mut jobs = Vec::new();
    let done = call.does(|t| {
        let collection = harvests::get(t, id)?.collection;
        jobs.extend(harvests::remove(t, by, id)?);
        Ok(OfCollection { collection })
    })?;
    jobs.into_iter().for_each(|job| call.app.pool.kill(job));
    Ok(done)
}

/// Registers a learning platform.
///
/// # Errors
/// When an address is none that may be asked, or the platform is there already.
pub fn make_platform(call: &Call) -> Result<Made, Fault> {
    let (by, new) = (call.caller()?.administrator()?, call.fields::<NewPlatform>()?);
    call.does(|t| Ok(Made { id: platforms::make(t, by, &new, &call.app.webhook_hosts)? }))
}

/// Where the people of a platform that registers itself belong.
#[derive(Deserialize, ToSchema)]
pub struct InvitedPlatform {
    /// The unit.
    unit: i64,
    /// Whether people who are not known become students of that unit.
    #[serde(default)]
    takes_new: bool,
}

/// A link by which a platform registers itself, once.
#[derive(Serialize, ToSchema)]
pub struct PlatformLink {
    /// The link.
    pub link: String,
}

impl Outcome for PlatformLink {
    const IS_SECRET: bool = true;
}

/// Makes a link by which a platform registers itself.
///
/// # Errors
/// When there is no such unit.
pub fn invite_platform(call: &Call) -> Result<PlatformLink, Fault> {
    let (by, new) = (call.caller()?.administrator()?, call.fields::<InvitedPlatform>()?);
    call.does(|t| {
        let secret = platforms::invite(t, by, new.unit, new.takes_new)?;
        Ok(PlatformLink { link: format!("{}/lti/register/{secret}", call.base()) })
    })
}

/// A deployment of a platform.
#[derive(Deserialize, ToSchema)]
pub struct NewDeployment {
    /// Its name in the platform's tokens.
    deployment: String,
}

/// Adds a deployment of a platform.
///
/// # Errors
/// When there is no such platform.
pub fn add_deployment(call: &Call) -> Result<(), Fault> {
    let (by, id, new) = (call.caller()?.administrator()?, call.part("id")?, call.fields::<NewDeployment>()?);
    call.does(|t| platforms::add_deployment(t, by, id, new.deployment.trim()))
}

/// Removes a platform.
///
/// # Errors
/// When there is none.
pub fn remove_platform(call: &Call) -> Result<(), Fault> {
    let (by, id) = (call.caller()?.administrator()?, call.part("id")?);
    call.does(|t| platforms::remove(t, by, id))
}

/// What goes to the platform of a round, or that the people of its course are to be fetched.
#[derive(Deserialize, ToSchema)]
pub struct OfPlatform {
    /// What goes back as a grade; nothing if it is not named.
    score: Option<Score>,
    /// Whether people are fetched, and the score is left as it is.
    #[serde(default)]
    members: bool,
}

/// Says what goes to the platform of a round, or has the people of its course fetched.
///
/// # Errors
/// When the caller does not administer the round.
pub fn change_platform_of_round(call: &Call) -> Result<(), Fault> {
    let (caller, id, wanted) = (call.caller()?, call.part("id")?, call.fields::<OfPlatform>()?);
    call.does(|t| {
        let round = Round::administered(t, caller, id)?;
        if wanted.members {
            return Ok(platforms::links(t, id)?.iter().try_for_each(|link| errands::ask_members(t, &link.id))?);
        }
        platforms::set_score(t, &caller.person.id, &round, wanted.score)?;
        Ok(errands::scores(t, id)?)
    })
}
