//! Learning platforms, their courses and assignments, and the rounds of these.

use crate::audit;
use crate::fault::{BAD_FIELD, CONFLICT, Fault, LINK_USED, NOT_FOUND, refused};
use crate::people::{self, Unit, units};
use crate::rounds::Round;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{Transaction, now, secret};
use crate::webhooks::may_go_to;
use axum::http::Uri;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Seconds for which a link is good by which a platform registers itself.
const INVITATION: i64 = 86_400;

worded! {
    /// What goes back to a platform's grades.
    Score:
    /// The ratio.
    Ratio "ratio";
    /// The verdict.
    Verdict "verdict";
}

/// A learning platform.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Platform {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it calls itself in tokens.
    pub issuer: String,
    /// What it calls this service.
    pub client: String,
    /// Its deployments of this service, with blanks between them.
    pub deployments: String,
    /// Where browsers are sent to be told who they are.
    pub authorization_url: String,
    /// Where this service gets its tokens.
    pub token_url: String,
    /// Where its keys are published.
    pub keys_url: String,
    /// The site whose frames may show our pages.
    pub frame: String,
    /// The unit to which its people and courses belong.
    pub unit: i64,
    /// Whether people who are not known become students of that unit.
    pub takes_new: bool,
}

read_by_name!(Platform: id name issuer client deployments authorization_url token_url keys_url frame unit takes_new);

const COLUMNS: &str =
    "id, name, issuer, client, deployments, authorization_url, token_url, keys_url, frame, unit, takes_new";

/// What a platform is registered with.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct NewPlatform {
    /// As in [`Platform`].
    pub name: String,
    /// As in [`Platform`].
    pub issuer: String,
    /// As in [`Platform`].
    pub client: String,
    /// As in [`Platform`].
    #[serde(default)]
    pub deployments: String,
    /// As in [`Platform`].
    pub authorization_url: String,
    /// As in [`Platform`].
    pub token_url: String,
    /// As in [`Platform`].
    pub keys_url: String,
    /// An address of the site whose frames may show our pages.
    pub frame: String,
    /// As in [`Platform`].
    pub unit: i64,
    /// As in [`Platform`].
    #[serde(default)]
    pub takes_new: bool,
}

impl Platform {
    /// The name under which its people's subjects are kept: two registrations of one issuer know the same people.
    pub fn provider(&self) -> String {
        format!("lti:{}", self.issuer)
    }

    /// Whether it has such a deployment.
    pub fn deploys(&self, deployment: &str) -> bool {
        self.deployments.split_whitespace().any(|known| known == deployment)
    }
}

/// Scheme, host and port of an address.
pub fn site(address: &str) -> Option<String> {
    let uri = address.parse::<Uri>().ok()?;
    // What goes into a header of its own must be nothing but a name and a port.
    let host = uri.host()?;
    let plain = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-[]:".contains(&byte));
    let port = uri.port_u16().map_or(String::new(), |port| format!(":{port}"));
    plain.then(|| format!("{}://{host}{port}", uri.scheme_str().unwrap_or_default()))
}

/// All platforms, by name.
///
/// # Errors
/// When the database cannot be read.
pub fn all(connection: &Connection) -> Result<Vec<Platform>, rusqlite::Error> {
    rows::all(connection, &format!("SELECT {COLUMNS} FROM platform ORDER BY name, id"), [])
}

/// The platform of this id.
///
/// # Errors
/// When there is none.
pub fn get(connection: &Connection, id: &str) -> Result<Platform, Fault> {
    Ok(rows::first(connection, &format!("SELECT {COLUMNS} FROM platform WHERE id = ?1"), [id])?.ok_or(&NOT_FOUND)?)
}

/// The platform that calls itself so and knows this service by that name, which may be left out where there is one alone.
///
/// # Errors
/// When there is none.
pub fn of_issuer(connection: &Connection, issuer: &str, client: &str) -> Result<Platform, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM platform WHERE issuer = ?1 AND (?2 = '' OR client = ?2)");
    let mut found: Vec<Platform> = rows::all(connection, &sql, [issuer, client])?;
    match (found.pop(), found.is_empty()) {
        (Some(platform), true) => Ok(platform),
        _ => Err((&NOT_FOUND).into()),
    }
}

/// Registers a platform, and gives its id. `allowed` are hosts inside the network that it may have.
///
/// # Errors
/// When an address is not allowed, a field is none, or it is registered already.
pub fn make(t: &Transaction<'_>, by: &str, new: &NewPlatform, allowed: &[String]) -> Result<String, Fault> {
    let short = |text: &str| !text.trim().is_empty() && text.len() <= 300 && !text.chars().any(char::is_control);
    let fields = [("name", &new.name), ("issuer", &new.issuer), ("client", &new.client)];
    if let Some((field, _)) = fields.into_iter().find(|(_, value)| !short(value)) {
        return refused(&BAD_FIELD, field);
    }
    let addresses = [
        ("authorization_url", &new.authorization_url),
        ("token_url", &new.token_url),
        ("keys_url", &new.keys_url),
        ("frame", &new.frame),
    ];
    if let Some((field, _)) = addresses.into_iter().find(|(_, address)| !may_go_to(address, allowed)) {
        return refused(&BAD_FIELD, field);
    }
    let Some(frame) = site(&new.frame) else { return refused(&BAD_FIELD, "frame") };
    if !rows::exists(t, "SELECT 1 FROM unit WHERE id = ?1", [new.unit])? {
        return refused(&BAD_FIELD, "unit");
    }
    if rows::exists(t, "SELECT 1 FROM platform WHERE issuer = ?1 AND client = ?2", [&new.issuer, &new.client])? {
        return refused(&CONFLICT, &new.issuer);
    }
    let id = secret::new_id();
    t.execute(
        "INSERT INTO platform VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            id,
            new.name.trim(),
            new.issuer,
            new.client,
            new.deployments.trim(),
            new.authorization_url,
            new.token_url,
            new.keys_url,
            frame,
            new.unit,
            new.takes_new,
            now()
        ],
    )?;
    super::keys::turn(t, now())?;
    audit::record(t, Some(by), audit::Action::MakePlatform, &id, &new.issuer)?;
    Ok(id)
}

/// Adds a deployment to a platform: some make one for each course.
///
/// # Errors
/// When there is no such platform.
pub fn add_deployment(t: &Transaction<'_>, by: &str, id: &str, deployment: &str) -> Result<(), Fault> {
    let platform = get(t, id)?;
    if deployment.is_empty() || deployment.len() > 255 || deployment.contains(char::is_whitespace) {
        return refused(&BAD_FIELD, "deployment");
    }
    if !platform.deploys(deployment) {
        let all = format!("{} {deployment}", platform.deployments);
        t.execute("UPDATE platform SET deployments = ?2 WHERE id = ?1", [id, all.trim()])?;
        audit::record(t, Some(by), audit::Action::AddDeployment, id, deployment)?;
    }
    Ok(())
}

/// Removes a platform. The rounds of its courses stay, and their people; who was signed in by it is so no more.
///
/// # Errors
/// When there is none.
pub fn remove(t: &Transaction<'_>, by: &str, id: &str) -> Result<(), Fault> {
    let platform = get(t, id)?;
    t.execute("DELETE FROM platform WHERE id = ?1", [id])?;
    t.execute("DELETE FROM session WHERE provider = ?1", [platform.provider()])?;
    audit::record(t, Some(by), audit::Action::RemovePlatform, id, &platform.issuer)
}

/// Makes the secret of a link by which a platform registers itself, once.
///
/// # Errors
/// When there is no such unit.
pub fn invite(t: &Transaction<'_>, by: &str, unit: i64, takes_new: bool) -> Result<String, Fault> {
    if !rows::exists(t, "SELECT 1 FROM unit WHERE id = ?1", [unit])? {
        return refused(&BAD_FIELD, "unit");
    }
    let secret = secret::new_secret();
    t.execute("DELETE FROM platform_invitation WHERE expires <= ?1", [now()])?;
    let sql = "INSERT INTO platform_invitation VALUES (?1, ?2, ?3, ?4, ?5)";
    t.execute(sql, params![secret::hash(&secret), unit, takes_new, by, now() + INVITATION])?;
    audit::record(t, Some(by), audit::Action::InvitePlatform, &unit.to_string(), "")?;
    Ok(secret)
}

/// What an invitation was made for.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// As in [`Platform`].
    pub unit: i64,
    /// As in [`Platform`].
    pub takes_new: bool,
    /// Who made it.
    pub person: String,
}

read_by_name!(Invitation: unit takes_new person);

/// What a link is for by which a platform registers itself.
///
/// # Errors
/// When it was used, or is too old.
pub fn invited(connection: &Connection, secret: &str) -> Result<Invitation, Fault> {
    let sql = "SELECT unit, takes_new, person FROM platform_invitation WHERE hash = ?1 AND expires > ?2";
    Ok(rows::first(connection, sql, params![secret::hash(secret), now()])?.ok_or(&LINK_USED)?)
}

/// The same, which ends the link.
///
/// # Errors
/// When it was used, or is too old.
pub fn take_invitation(t: &Transaction<'_>, secret: &str) -> Result<Invitation, Fault> {
    let invitation = invited(t, secret)?;
    t.execute("DELETE FROM platform_invitation WHERE hash = ?1", [secret::hash(secret)])?;
    Ok(invitation)
}

/// The unit of a course, which is made below the platform's if there is none.
///
/// # Errors
/// When the database cannot be written.
pub fn course(t: &Transaction<'_>, of: &Platform, deployment: &str, context: &str, title: &str) -> Result<i64, Fault> {
    let sql = "SELECT course.unit FROM course JOIN unit ON unit.id = course.unit WHERE platform = ?1 AND deployment = ?2 AND context = ?3";
    if let Some(unit) = rows::first(t, sql, [&of.id, deployment, context])? {
        return Ok(unit);
    }
    let title: String = title.trim().chars().filter(|c| !c.is_control()).take(40).collect();
    let name = if title.is_empty() { context.chars().take(40).collect() } else { title };
    // Two courses may have one title, and lists name units by name.
    let taken = |name: &str| {
        units(t).map(|all: Vec<Unit>| all.iter().any(|unit| unit.parent == Some(of.unit) && unit.name == name))
    };
    let mut unique = name.clone();
    for n in 2.. {
        if !taken(&unique)? {
            break;
        }
        unique = format!("{name} ({n})");
    }
    let unit = people::add_unit(t, of.unit, &unique, None)?;
    t.execute("INSERT OR REPLACE INTO course VALUES (?1, ?2, ?3, ?4)", params![of.id, deployment, context, unit])?;
    audit::record(t, None, audit::Action::CreateUnit, &unit.to_string(), &of.id)?;
    Ok(unit)
}

/// An assignment of a platform.
#[derive(Debug, Clone)]
pub struct Link {
    /// Its id here.
    pub id: String,
    /// Its round.
    pub round: String,
    /// The platform.
    pub platform: String,
    /// The platform's id of it.
    pub link: String,
    /// Where scores go, if the platform takes any; where such a place is made; where members are told.
    pub line_item: Option<String>,
    /// See `line_item`.
    pub line_items: Option<String>,
    /// See `line_item`.
    pub memberships: Option<String>,
}

read_by_name!(Link: id round platform link line_item line_items memberships);

const LINK: &str = "SELECT id, round, platform, link, line_item, line_items, memberships FROM resource_link";

/// The assignment of a platform that has this id there, if its round is still there and is one of this unit.
///
/// # Errors
/// When the database cannot be read.
pub fn link(
    c: &Connection,
    of: &Platform,
    deployment: &str,
    link: &str,
    unit: i64,
) -> Result<Option<Link>, rusqlite::Error> {
    let sql = format!(
        "{LINK} WHERE platform = ?1 AND deployment = ?2 AND link = ?3 AND round IN (SELECT id FROM round WHERE unit = ?4)"
    );
    rows::first(c, &sql, params![of.id, deployment, link, unit])
}

/// The assignment of this id here.
///
/// # Errors
/// When there is none.
pub fn link_of(connection: &Connection, id: &str) -> Result<Link, Fault> {
    Ok(rows::first(connection, &format!("{LINK} WHERE id = ?1"), [id])?.ok_or(&NOT_FOUND)?)
}

/// The assignments of a round.
///
/// # Errors
/// When the database cannot be read.
pub fn links(connection: &Connection, round: &str) -> Result<Vec<Link>, rusqlite::Error> {
    rows::all(connection, &format!("{LINK} WHERE round = ?1 ORDER BY id"), [round])
}

/// Gives an assignment its round, in the place of another, and gives its id here.
///
/// # Errors
/// When the database cannot be written.
pub fn put_link(
    t: &Transaction<'_>,
    of: &Platform,
    deployment: &str,
    link: &str,
    round: &str,
) -> Result<String, Fault> {
    let sql = "INSERT INTO resource_link(id, platform, deployment, link, round) VALUES (?1, ?2, ?3, ?4, ?5) \
               ON CONFLICT(platform, deployment, link) DO UPDATE SET round = ?5 RETURNING id";
    let id: String = rows::one(t, sql, [&secret::new_id(), &of.id, deployment, link, round])?;
    audit::record(t, None, audit::Action::LinkRound, round, &of.id)?;
    Ok(id)
}

/// What goes back to the platform's grades from a round; none by default.
///
/// # Errors
/// When the database cannot be read.
pub fn score(connection: &Connection, round: &str) -> Result<Option<Score>, rusqlite::Error> {
    rows::first(connection, "SELECT score FROM round_score WHERE round = ?1", [round])
}

/// Sets what goes back to the platform's grades from a round.
///
/// # Errors
/// When the database cannot be written.
pub fn set_score(t: &Transaction<'_>, by: &str, round: &Round, score: Option<Score>) -> Result<(), Fault> {
    t.execute("DELETE FROM round_score WHERE round = ?1", [&round.id])?;
    if let Some(score) = score {
        t.execute("INSERT INTO round_score VALUES (?1, ?2)", params![round.id, score])?;
    }
    audit::record(t, Some(by), audit::Action::SetScore, &round.id, score.map_or("none", Score::as_str))
}
