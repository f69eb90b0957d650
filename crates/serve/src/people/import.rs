//! Lists of people: CSV with the columns `number,name,role,unit` and, for students, `supervisor`.

use super::{Role, WHOLE, add_unit, grant, put};
use crate::fault::{BAD_FIELD, Fault, refused};
use rusqlite::{OptionalExtension, Transaction};
use serde::Deserialize;

/// A row as it is written. A unit is told by its code; one that is not there yet is made, with its code as its name.
#[derive(Debug, Deserialize)]
struct Row {
    number: String,
    name: String,
    role: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    supervisor: String,
}

/// Somebody on a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The person's id.
    pub person: String,
    /// The role.
    pub role: Role,
    /// The supervisor's id, for a student who has one.
    pub supervisor: Option<String>,
}

/// Adds everybody on a list: all or, if a row is wrong, nobody. Gives them in the order of the list.
///
/// # Errors
/// When a row is wrong, with its line.
pub fn import(t: &Transaction<'_>, csv: &[u8]) -> Result<Vec<Listed>, Fault> {
    let csv = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(csv);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(csv);
    let mut listed = Vec::new();
    let mut supervisors = Vec::new();
    for (row, line) in reader.deserialize::<Row>().zip(2..) {
        let wrong = |what: &str| refused(&BAD_FIELD, format!("line {line}: {what}"));
        let Ok(row) = row else { return wrong("needs number, name and role, in UTF-8") };
        let (Some(role), false) = (Role::of(&row.role), row.number.is_empty() || row.name.is_empty()) else {
            return wrong("needs a number, a name, and a role of administrator, supervisor, student, auditor");
        };
        if row.number.len() > 64
            || row.name.len() > 200
            || row.unit.len() > 64
            || row.number.chars().any(char::is_control)
        {
            return wrong("a field is too long");
        }
        let unit = match row.unit.as_str() {
            "" => WHOLE,
            code => match t.query_row("SELECT id FROM unit WHERE code = ?1", [code], |row| row.get(0)).optional()? {
                Some(unit) => unit,
                None => add_unit(t, WHOLE, code, Some(code))?,
            },
        };
        let person = put(t, &row.number, &row.name)?;
        grant(t, &person, unit, role)?;
        supervisors.push((row.supervisor, line));
        listed.push(Listed { person, role, supervisor: None });
    }
    // A supervisor may stand below his students.
    for (listed, (number, line)) in listed.iter_mut().zip(supervisors) {
        if !number.is_empty() {
            match super::Person::by_number(t, &number)? {
                Some(supervisor) if supervisor.is(Role::Supervisor) => listed.supervisor = Some(supervisor.id),
                _ => return refused(&BAD_FIELD, format!("line {line}: {number} is no supervisor")),
            }
        }
    }
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::Person;
    use crate::store::Store;

    #[test]
    fn a_list_is_taken_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        store.write(|t| t.execute("INSERT INTO unit VALUES (1, NULL, 'whole', NULL)", [])).unwrap();
        let wrong = "number,name,role\n1,甲,student\n2,乙,dean\n";
        assert!(
            matches!(store.write(|t| import(t, wrong.as_bytes())), Err(Fault::Refused(_, line)) if line.starts_with("line 3"))
        );
        assert!(store.read(|c| Person::by_number(c, "1")).unwrap().is_none());
        let right = "\u{feff}number,name,role,unit,supervisor\n1,甲,student,cs,9\n9,Dr. Y,supervisor,cs,\n";
        let listed = store.write(|t| import(t, right.as_bytes())).unwrap();
        let supervisor = store.read(|c| Person::by_number(c, "9")).unwrap().unwrap();
        assert_eq!(listed[0].supervisor.as_deref(), Some(supervisor.id.as_str()));
        assert_eq!(supervisor.roles, [(2, Role::Supervisor)]);
        assert_eq!(store.write(|t| import(t, right.as_bytes())).unwrap(), listed, "again changes nothing");
        assert!(store.write(|t| import(t, b"number,name,role,unit,supervisor\n3,c,student,,1\n")).is_err());
    }
}
