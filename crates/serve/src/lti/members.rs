//! Who somebody is here whom a platform names, what the person may do, and which round the person has come for.

use super::errands;
use super::launch::{Launch, Wants};
use super::platforms::{self, Link, Platform};
use crate::audit;
use crate::fault::{Fault, NOT_ALLOWED, PASSWORD_ONLY};
use crate::people::{LONGEST_NUMBER, Person, Role, grant};
use crate::providers::admit::{Kept, known, link};
use crate::providers::{Protocol, Settings, Told};
use crate::rounds::Round;
use crate::store::{Transaction, rows, secret};
use rusqlite::params;
use serde_json::json;
use std::collections::BTreeMap;

/// Where a launch leads.
#[derive(Debug)]
pub enum Leads {
    /// To the round of the assignment.
    Round(String),
    /// To a submission of the person's in it.
    Submission(String),
    /// To the choice of a round for the assignment, of the unit that stands for the course.
    Choice(i64),
    /// Nowhere: the teacher has not chosen a round yet.
    Nowhere,
}

/// What a platform's people are admitted by. It stands to us as a provider of sign-ins does, but for what is said in [`admit`].
fn settings(of: &Platform) -> Settings {
    Settings {
        id: of.provider(),
        name: BTreeMap::new(),
        protocol: Protocol::Oidc,
        address: of.issuer.clone(),
        client: of.client.clone(),
        secret_file: None,
        secret: None,
        scopes: Vec::new(),
        claim: "number".to_owned(),
        domain: None,
        name_claim: Some("name".to_owned()),
        students_of: of.takes_new.then(|| of.unit.to_string()),
        roles: Vec::new(),
        second_factor: false,
        administrators: false,
    }
}

/// The person whom a platform names by its subject. At the first time the number of the institution tells who that is; a platform that
/// knows none gives one of its own. A platform is not trusted as far as the institution's sign-in is: whoever has a role by which
/// one sees others' works, other than in the courses of the platform, or a second factor, signs in here.
///
/// # Errors
/// When the database cannot be written.
pub fn admit(
    t: &Transaction<'_>,
    of: &Platform,
    subject: &str,
    number: Option<&str>,
    name: Option<&str>,
) -> Result<Result<Person, Kept>, Fault> {
    let settings = settings(of);
    let own = format!("lti-{}", &secret::hexadecimal(&secret::hash(&format!("{} {subject}", of.issuer)))[..16]);
    let sql = "SELECT p.number FROM identity i JOIN person p ON p.id = i.person WHERE provider = ?1 AND subject = ?2";
    let linked: Option<Option<String>> = rows::first(t, sql, params![settings.id, secret::hash(subject)])?;
    let number = match (number, linked.flatten()) {
        (None, linked) => linked.unwrap_or(own),
        (Some(number), linked) => {
            // A platform that learns a number later names the same person by it, unless it is somebody else's.
            if linked.as_ref() == Some(&own)
                && Person::by_number(t, number)?.is_none()
                && number.len() <= LONGEST_NUMBER
            {
                t.execute("UPDATE person SET number = ?2 WHERE number = ?1", [own.as_str(), number])?;
            }
            number.to_owned()
        }
    };
    let claims = json!({ "number": number, "name": name });
    let claims = claims.as_object().cloned().unwrap_or_default();
    let told = Told { subject: subject.to_owned(), session: None, claims };
    let person = match known(t, &settings, &told)? {
        Ok(person) => person,
        Err(kept) => return Ok(Err(kept)),
    };
    let sql = "SELECT 1 FROM role r WHERE person = ?1 AND role IN ('administrator', 'auditor') AND NOT EXISTS( \
               SELECT 1 FROM claimed_role c WHERE c.person = r.person AND c.unit = r.unit AND c.role = r.role AND provider = ?2)";
    if person.has_factor || rows::exists(t, sql, [&person.id, &settings.id])? {
        return Ok(Err(Kept { refusal: &PASSWORD_ONLY, account: Some(person.id) }));
    }
    link(t, &settings, &told, &person.id)?;
    Ok(Ok(person))
}

/// Who comes by a launch, with the roles that the course gives, and where the launch leads.
///
/// # Errors
/// When the database cannot be written.
pub fn arrive(t: &Transaction<'_>, of: &Platform, launch: &Launch) -> Result<Result<(Person, Leads), Kept>, Fault> {
    // Who neither teaches nor learns there has nothing to do here; and only teachers choose.
    if !(launch.teaches || launch.learns && matches!(launch.wants, Wants::Open(_))) {
        return Ok(Err(Kept { refusal: &NOT_ALLOWED, account: None }));
    }
    let person = match admit(t, of, &launch.subject, launch.number.as_deref(), launch.name.as_deref())? {
        Ok(person) => person,
        Err(kept) => return Ok(Err(kept)),
    };
    let unit = platforms::course(t, of, &launch.deployment, &launch.course, &launch.course_title)?;
    teaches(t, of, &person.id, unit, launch.teaches)?;
    let Wants::Open(id) = &launch.wants else { return Ok(Ok((person, Leads::Choice(unit)))) };
    let found = match platforms::link(t, of, &launch.deployment, id, unit)? {
        Some(found) => Some(found),
        // What an assignment says of its round anybody can write who teaches there: it counts for rounds of the course alone.
        None => match launch.round.as_deref().map(|round| Round::get(t, round)) {
            Some(Ok(round)) if round.unit == unit => {
                let id = platforms::put_link(t, of, &launch.deployment, id, &round.id)?;
                Some(platforms::link_of(t, &id)?)
            }
            _ => None,
        },
    };
    let leads = match found {
        None if launch.teaches => Leads::Choice(unit),
        None => Leads::Nowhere,
        Some(found) => {
            let sql = "UPDATE resource_link SET line_item = coalesce(?2, line_item), line_items = ?3, memberships = ?4 WHERE id = ?1";
            t.execute(sql, params![found.id, launch.line_item, launch.line_items, launch.memberships])?;
            // The first time that it is known where the members are told.
            if found.memberships.is_none() && launch.memberships.is_some() {
                errands::ask_members(t, &found.id)?;
            }
            if launch.teaches {
                Leads::Round(found.round)
            } else {
                joins(t, of, &found, &person.id, &launch.subject)?;
                let sql = "SELECT id FROM submission WHERE round = ?1 AND student = ?2 AND kind != 'self' AND state = 'kept' ORDER BY attempt DESC LIMIT 1";
                let last: Option<String> = rows::first(t, sql, [&found.round, &person.id])?;
                last.map_or(Leads::Round(found.round), Leads::Submission)
            }
        }
    };
    Ok(Ok((person, leads)))
}

/// Makes somebody an administrator of a course's unit, or no more. What people gave stays.
fn teaches(t: &Transaction<'_>, of: &Platform, person: &str, unit: i64, teaches: bool) -> Result<(), Fault> {
    let (provider, role) = (of.provider(), Role::Administrator);
    if teaches && grant(t, person, unit, role)? {
        t.execute(
            "INSERT OR REPLACE INTO claimed_role VALUES (?1, ?2, ?3, ?4)",
            params![person, unit, role, provider],
        )?;
        audit::record(t, None, audit::Action::GiveRole, person, &format!("{} {unit} {provider}", role.as_str()))?;
    }
    let claimed = "DELETE FROM claimed_role WHERE person = ?1 AND unit = ?2 AND role = ?3 AND provider = ?4";
    if !teaches && t.execute(claimed, params![person, unit, role, provider])? > 0 {
        t.execute("DELETE FROM role WHERE person = ?1 AND unit = ?2 AND role = ?3", params![person, unit, role])?;
        audit::record(t, None, audit::Action::TakeRole, person, &format!("{} {unit} {provider}", role.as_str()))?;
    }
    Ok(())
}

/// Puts a student into the round of an assignment, if the student is not in it, and notes by what the platform knows the student.
///
/// # Errors
/// When the database cannot be written.
pub fn joins(t: &Transaction<'_>, of: &Platform, link: &Link, person: &str, subject: &str) -> Result<bool, Fault> {
    if grant(t, person, of.unit, Role::Student)? {
        audit::record(t, None, audit::Action::GiveRole, person, &format!("student {} {}", of.unit, of.provider()))?;
    }
    let sql = "INSERT OR IGNORE INTO enrolment(round, student) VALUES (?1, ?2)";
    let is_new = t.execute(sql, [&link.round, person])? > 0;
    if is_new {
        audit::record(t, Some(person), audit::Action::Enrol, &link.round, "1")?;
    }
    t.execute("INSERT OR REPLACE INTO platform_member VALUES (?1, ?2, ?3)", [&link.id, person, subject])?;
    Ok(is_new)
}
