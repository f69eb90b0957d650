//! Who somebody is here whom a provider names, and what the person may do.
//!
//! A person is known by the number that a claim says, never by a name. At the first time the provider's own subject is noted beside it. From
//! then on both must agree: a number that is given to somebody else, or two people with one number, open nobody's account.

use super::{Protocol, Rule, Settings, Told};
use crate::fault::{Fault, IDENTITY_CONFLICT, PASSWORD_ONLY, PROVIDER_REFUSED, Refusal, UNKNOWN_PERSON};
use crate::people::import::unit_of;
use crate::people::{LONGEST_NUMBER, Person, Role, WHOLE, grant, put};
use crate::store::rows;
use crate::store::{Transaction, now, secret};
use crate::{audit, log};
use rusqlite::params;
use std::collections::BTreeSet;

/// Characters of a name.
const LONGEST_NAME: usize = 200;

/// Why somebody is not let in, with whose account it is about.
#[derive(Debug)]
pub struct Kept {
    /// Why.
    pub refusal: &'static Refusal,
    /// Whose account was asked for, if there is one.
    pub account: Option<String>,
}

/// The person that a provider names, with the roles that its claims give; or why nobody is let in.
///
/// # Errors
/// When the database cannot be written.
pub fn admit(t: &Transaction<'_>, of: &Settings, told: &Told) -> Result<Result<Person, Kept>, Fault> {
    let person = match known(t, of, told)? {
        Ok(person) => person,
        Err(kept) => return Ok(Err(kept)),
    };
    link(t, of, told, &person.id)?;
    give_roles(t, of, told, &person)?;
    Ok(Person::active(t, &person.id)?.ok_or(Kept { refusal: &UNKNOWN_PERSON, account: Some(person.id) }))
}

/// The person that a provider names, who is made if the settings take people who are not known; or why nobody is let in.
///
/// # Errors
/// When the database cannot be written.
pub fn known(t: &Transaction<'_>, of: &Settings, told: &Told) -> Result<Result<Person, Kept>, Fault> {
    let keep = |refusal, account: Option<&str>| Ok(Err(Kept { refusal, account: account.map(str::to_owned) }));
    let Some(number) = number(of, told) else { return keep(&PROVIDER_REFUSED, None) };
    let sql = "SELECT person FROM identity WHERE provider = ?1 AND subject = ?2";
    let linked: Option<String> = rows::first(t, sql, params![of.id, secret::hash(&told.subject)])?;
    let known = Person::by_number(t, &number)?;
    let account = known.as_ref().map(|person| person.id.as_str()).or(linked.as_deref());
    let is_linked = |person: &str| {
        rows::exists(t, "SELECT 1 FROM identity WHERE provider = ?1 AND person = ?2", params![of.id, person])
    };
    let id = match (&linked, &known) {
        (Some(linked), Some(known)) if *linked == known.id => known.id.clone(),
        (None, Some(known)) if !is_linked(&known.id)? => known.id.clone(),
        (None, None) if of.students_of.is_some() => {
            let name = of.name_claim.as_deref().and_then(|claim| told.one(claim));
            let name: String = name.unwrap_or(number.clone()).chars().take(LONGEST_NAME / 4).collect();
            let id = put(t, &number, &name)?;
            audit::record(t, None, audit::Action::MakePerson, &id, &of.id)?;
            id
        }
        (None, None) => return keep(&UNKNOWN_PERSON, None),
        _ => return keep(&IDENTITY_CONFLICT, account),
    };
    let Some(person) = Person::active(t, &id)? else { return keep(&UNKNOWN_PERSON, Some(&id)) };
    if person.has_everywhere(Role::Administrator) && !of.administrators {
        return keep(&PASSWORD_ONLY, Some(&id));
    }
    Ok(Ok(person))
}

/// Notes by which subject a provider knows a person.
///
/// # Errors
/// When the database cannot be written.
pub fn link(t: &Transaction<'_>, of: &Settings, told: &Told, person: &str) -> Result<(), rusqlite::Error> {
    let sql = "INSERT OR IGNORE INTO identity VALUES (?1, ?2, ?3, ?4)";
    t.execute(sql, params![of.id, secret::hash(&told.subject), person, now()]).map(drop)
}

/// The number that a provider says somebody has.
fn number(of: &Settings, told: &Told) -> Option<String> {
    let said = told.one(&of.claim)?;
    // An address that nobody confirmed is anybody's word.
    if of.protocol == Protocol::Oidc && of.claim == "email" && told.values("email_verified") != ["true"] {
        return None;
    }
    let number = match &of.domain {
        None => said,
        Some(domain) => {
            let (number, of) = said.rsplit_once('@')?;
            of.eq_ignore_ascii_case(domain).then(|| number.to_owned())?
        }
    };
    let fits = !told.subject.is_empty() && !number.is_empty() && number.len() <= LONGEST_NUMBER;
    (fits && !number.chars().any(char::is_control)).then_some(number)
}

/// Gives the roles that the claims give now, and takes those away that they gave before and give no more.
fn give_roles(t: &Transaction<'_>, of: &Settings, told: &Told, person: &Person) -> Result<(), Fault> {
    let mut wanted = BTreeSet::new();
    for rule in of.roles.iter().filter(|rule| told.values(&rule.claim).contains(&rule.is)) {
        wanted.extend(units(t, rule, told)?.into_iter().map(|unit| (unit, rule.role)));
    }
    // Somebody new without any role is what new people are.
    if let (Some(unit), true) = (&of.students_of, wanted.is_empty() && person.roles.is_empty()) {
        wanted.extend(unit_of(t, unit)?.map(|unit| (unit, Role::Student)));
    }
    let sql = "SELECT unit, role FROM claimed_role WHERE person = ?1 AND provider = ?2";
    let given: BTreeSet<(i64, Role)> =
        rows::all::<(i64, Role)>(t, sql, params![person.id, of.id])?.into_iter().collect();
    for &(unit, role) in wanted.difference(&given) {
        if grant(t, &person.id, unit, role)? {
            t.execute(
                "INSERT OR REPLACE INTO claimed_role VALUES (?1, ?2, ?3, ?4)",
                params![person.id, unit, role, of.id],
            )?;
            audit::record(
                t,
                None,
                audit::Action::GiveRole,
                &person.id,
                &format!("{} {unit} {}", role.as_str(), of.id),
            )?;
        }
    }
    for &(unit, role) in given.difference(&wanted) {
        for table in ["role", "claimed_role"] {
            let sql = format!("DELETE FROM {table} WHERE person = ?1 AND unit = ?2 AND role = ?3");
            t.execute(&sql, params![person.id, unit, role])?;
        }
        audit::record(t, None, audit::Action::TakeRole, &person.id, &format!("{} {unit} {}", role.as_str(), of.id))?;
    }
    Ok(())
}

/// The units in which a rule gives its role.
fn units(t: &Transaction<'_>, rule: &Rule, told: &Told) -> Result<Vec<i64>, Fault> {
    let words = match (&rule.unit, &rule.unit_claim) {
        (Some(unit), _) => vec![unit.clone()],
        (None, Some(claim)) => told.values(claim),
        (None, None) => return Ok(vec![WHOLE]),
    };
    let mut units = Vec::new();
    for word in words {
        match unit_of(t, &word)? {
            // By a claim nobody gets a role in the whole institution.
            Some(WHOLE) if rule.unit_claim.is_some() => log::note("provider", "a claim names the whole institution"),
            Some(unit) => units.push(unit),
            None => log::note("provider", "a claim, or a rule of a provider, names a unit that is not there"),
        }
    }
    Ok(units)
}

/// Forgets by which subjects providers know a person: at the next sign-in it is noted anew.
///
/// # Errors
/// When there is nothing to forget.
pub fn forget(t: &Transaction<'_>, by: &str, person: &str) -> Result<(), Fault> {
    if t.execute("DELETE FROM identity WHERE person = ?1", [person])? == 0 {
        return Err((&crate::fault::NOT_FOUND).into());
    }
    t.execute("DELETE FROM session WHERE person = ?1 AND provider IS NOT NULL", [person])?;
    audit::record(t, Some(by), audit::Action::ForgetIdentity, person, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::{add_unit, let_in};
    use crate::store::Store;
    use serde_json::{Value, json};

    fn settings(more: Value) -> Settings {
        let mut settings = json!({
            "id": "campus", "name": { "en": "Campus" }, "protocol": "oidc", "address": "https://login.example.edu", "client": "copytrace",
            "claim": "no", "name-claim": "name"
        });
        more.as_object().unwrap().iter().for_each(|(name, value)| settings[name] = value.clone());
        serde_json::from_value(settings).unwrap()
    }

    fn told(subject: &str, claims: Value) -> Told {
        Told { subject: subject.to_owned(), session: None, claims: claims.as_object().unwrap().clone() }
    }

    /// A store with a unit `cs`, its student s1, its teacher t1, and the first administrator.
    fn store(folder: &tempfile::TempDir) -> Store {
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        store
            .write(|t| {
                t.execute("INSERT INTO unit(id, name) VALUES (1, 'all')", [])?;
                let unit = add_unit(t, WHOLE, "Computing", Some("cs"))?;
                add_unit(t, WHOLE, "Physics", Some("ph"))?;
                for (number, unit, role) in
                    [("admin", WHOLE, Role::Administrator), ("s1", unit, Role::Student), ("t1", unit, Role::Supervisor)]
                {
                    let id = put(t, number, number)?;
                    grant(t, &id, unit, role)?;
                }
                Ok::<_, Fault>(())
            })
            .unwrap();
        store
    }

    fn of(store: &Store, settings: &Settings, told: &Told) -> Result<Person, &'static str> {
        store.write(|t| admit(t, settings, told)).unwrap().map_err(|kept| kept.refusal.code)
    }

    #[test]
    fn a_person_is_known_by_the_number_of_the_claim_and_the_subject_that_came_with_it_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder);
        let campus = settings(json!({}));
        let number = |told: &Told| of(&store, &campus, told).map(|person| person.number.unwrap());
        assert_eq!(number(&told("a", json!({ "no": "s1", "name": "Dr. Lin" }))).unwrap(), "s1", "a name names nobody");
        assert_eq!(number(&told("a", json!({ "no": "s1", "name": "Renamed" }))).unwrap(), "s1");
        for (what, told, code) in [
            ("two people with one number", told("b", json!({ "no": "s1" })), "identity_conflict"),
            ("one person with another's number", told("a", json!({ "no": "t1" })), "identity_conflict"),
            ("one person with a number that is nobody's", told("a", json!({ "no": "s9" })), "identity_conflict"),
            ("nobody here", told("c", json!({ "no": "s9" })), "unknown_person"),
            ("no number", told("c", json!({ "name": "s1" })), "provider_refused"),
            ("several numbers", told("c", json!({ "no": ["t1", "s1"] })), "provider_refused"),
            ("a long number", told("c", json!({ "no": "9".repeat(65) })), "provider_refused"),
            ("no subject", told("", json!({ "no": "t1" })), "provider_refused"),
            ("the first administrator", told("c", json!({ "no": "admin" })), "password_only"),
        ] {
            assert_eq!(number(&told), Err(code), "{what}");
        }
        // Who is shut out is not let in by another door; who was linked wrongly is linked anew.
        let id = of(&store, &campus, &told("a", json!({ "no": "s1" }))).unwrap().id;
        store.write(|t| let_in(t, "office", &id, false)).unwrap();
        assert_eq!(number(&told("a", json!({ "no": "s1" }))), Err("unknown_person"));
        store.write(|t| let_in(t, "office", &id, true)).unwrap();
        store.write(|t| forget(t, "office", &id)).unwrap();
        assert_eq!(number(&told("b", json!({ "no": "s1" }))).unwrap(), "s1");
        let trusted = settings(json!({ "administrators": true }));
        assert!(of(&store, &trusted, &told("c", json!({ "no": "admin" }))).is_ok());
    }

    #[test]
    fn of_a_claim_with_a_domain_only_that_domain_counts_and_of_mail_only_what_is_confirmed() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder);
        let campus = settings(json!({ "claim": "email", "domain": "example.edu" }));
        let of = |mail: &str, verified: Value| {
            of(&store, &campus, &told("a", json!({ "email": mail, "email_verified": verified })))
        };
        assert!(of("s1@Example.edu", json!(true)).is_ok());
        for (mail, verified) in [
            ("s1@example.edu", json!(false)),
            ("s1@example.edu", json!(null)),
            ("s1@evil.example", json!(true)),
            ("s1@example.edu@evil.example", json!(true)),
            ("s1@sub.example.edu", json!(true)),
            ("s1", json!(true)),
            ("@example.edu", json!(true)),
        ] {
            assert_eq!(of(mail, verified).unwrap_err(), "provider_refused", "{mail}");
        }
    }

    #[test]
    fn claims_give_roles_in_units_and_take_only_those_away_that_they_gave() {
        let folder = tempfile::tempdir().unwrap();
        let store = store(&folder);
        let campus = settings(json!({
            "students-of": "cs",
            "roles": [
                { "claim": "groups", "is": "staff", "role": "supervisor", "unit-claim": "department" },
                { "claim": "groups", "is": "audit", "role": "auditor" }
            ]
        }));
        let roles = |told: &Told| of(&store, &campus, told).map(|person| person.roles);
        let (cs, ph) = (2, 3);
        let new = |groups: Value, department: Value| {
            told("n", json!({ "no": "n1", "name": "Nia", "groups": groups, "department": department }))
        };
        assert_eq!(roles(&told("x", json!({ "no": "x1" }))).unwrap(), [(cs, Role::Student)]);
        assert_eq!(roles(&new(json!("staff"), json!(["ph", "nowhere", "all"]))).unwrap(), [(ph, Role::Supervisor)]);
        assert_eq!(
            roles(&new(json!(["staff", "audit"]), json!("cs"))).unwrap(),
            [(WHOLE, Role::Auditor), (cs, Role::Supervisor)]
        );
        let named = store.read(|c| Person::by_number(c, "n1")).unwrap().unwrap().name;
        assert_eq!(named.as_deref(), Some("Nia"));
        // What people gave stays when the claims say nothing any more.
        let teacher = |groups: Value| told("t", json!({ "no": "t1", "groups": groups, "department": ["cs", "ph"] }));
        assert_eq!(roles(&teacher(json!("staff"))).unwrap(), [(cs, Role::Supervisor), (ph, Role::Supervisor)]);
        assert_eq!(roles(&teacher(json!([]))).unwrap(), [(cs, Role::Supervisor)]);
    }
}
