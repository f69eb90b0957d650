//! Lists of people: a CSV file or a workbook with the columns `number,name,role,unit` and, for students, `supervisor` and
//! `title`.

use super::{LONGEST_NUMBER, Person, Role, WHOLE, add_unit, grant, put};
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::store::rows;
use rusqlite::Transaction;

/// The columns, each with the names that it may have.
const COLUMNS: [&[&str]; 6] = [
    &["number", "id", "学工号", "学号", "工号", "编号"],
    &["name", "姓名", "学生姓名"],
    &["role", "角色", "身份"],
    &["unit", "college", "department", "单位", "学院", "院系"],
    &["supervisor", "导师工号", "导师", "指导教师工号", "指导教师"],
    &["title", "论文题目", "题目", "论文名称", "毕业论文题目", "毕业设计（论文）题目"],
];

/// The role of a word of a list.
fn role(word: &str) -> Option<Role> {
    match word {
        // Most lists are of students, and do not say so.
        "" | "学生" => Some(Role::Student),
        "导师" | "教师" | "指导教师" => Some(Role::Supervisor),
        "管理员" => Some(Role::Administrator),
        "审计员" => Some(Role::Auditor),
        word => Role::of(&word.to_lowercase()),
    }
}

/// Somebody on a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnList {
    /// The person's id.
    pub person: String,
    /// The role.
    pub role: Role,
    /// The supervisor's id, for a student who has one.
    pub supervisor: Option<String>,
    /// The title of the thesis, for a student who has one.
    pub title: Option<String>,
}

/// What a row of a list names.
#[derive(Debug, Clone, Copy)]
pub enum Named<'a> {
    /// Somebody who is known already.
    Person(&'a Person),
    /// A unit; none for one that is to be made.
    Unit(Option<i64>),
}

/// What whoever hands a list in may do.
pub struct Terms<'a> {
    /// Whether people who are known get the names of the list.
    pub renames: bool,
    /// The unit of those whose row names none.
    pub unit: i64,
    /// Refuses what may not be named.
    pub may: &'a dyn Fn(Named<'_>) -> Result<(), Fault>,
}

/// Adds everybody on a list: all or, if a row is wrong, nobody. Gives them in the order of the list. People who are there already
/// get the role too. A unit is told by its code; one that is not there yet is made, with its code as its name.
///
/// # Errors
/// When a row is wrong, with its number.
pub fn import(t: &Transaction<'_>, table: Vec<Vec<String>>, terms: &Terms<'_>) -> Result<Vec<OnList>, Fault> {
    let mut rows = (1..).zip(table).filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty()));
    let header = rows.next().map(|(_, cells)| cells).unwrap_or_default();
    let place = |names: &[&str]| header.iter().position(|name| names.contains(&name.to_lowercase().as_str()));
    let places = COLUMNS.map(place);
    if places[0].is_none() || places[1].is_none() {
        return refused(&BAD_FIELD, format!("needs the columns number and name; it has: {}", header.join(", ")));
    }
    let mut listed = Vec::new();
    let mut supervisors = Vec::new();
    for (line, cells) in rows {
        let wrong = |what: &str| refused(&BAD_FIELD, format!("line {line}: {what}"));
        let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map_or("", String::as_str);
        let [number, name, word, unit, supervisor, title] = places.map(cell);
        let (Some(role), false) = (role(word), number.is_empty() || name.is_empty()) else {
            return wrong("needs a number, a name, and a role of administrator, supervisor, student, auditor");
        };
        if number.len() > LONGEST_NUMBER || name.len() > 200 || unit.len() > 64 || title.len() > 1000 {
            return wrong("a field is too long");
        }
        if [number, name, unit, title].iter().any(|field| field.chars().any(char::is_control)) {
            return wrong("a field holds a control character");
        }
        let may = |named: Named<'_>, called: &str| match (terms.may)(named) {
            Err(Fault::Refused(refusal, _)) => refused(refusal, format!("line {line}: {called}")),
            other => other,
        };
        let unit = match unit {
            "" => terms.unit,
            code => {
                let known = rows::first(t, "SELECT id FROM unit WHERE code = ?1", [code])?;
                may(Named::Unit(known), code)?;
                known.map_or_else(|| add_unit(t, WHOLE, code, Some(code)), Ok)?
            }
        };
        let known = Person::by_number(t, number)?;
        known.iter().try_for_each(|person| may(Named::Person(person), number))?;
        let person = match known {
            Some(known) if !terms.renames => known.id,
            _ => put(t, number, name)?,
        };
        grant(t, &person, unit, role)?;
        supervisors.push((supervisor.to_owned(), line));
        let title = (!title.is_empty()).then(|| title.to_owned());
        listed.push(OnList { person, role, supervisor: None, title });
    }
    // A supervisor may stand below the students.
    for (listed, (number, line)) in listed.iter_mut().zip(supervisors) {
        if !number.is_empty() {
            match Person::by_number(t, &number)? {
                Some(supervisor) if supervisor.is(Role::Supervisor) => {
                    (terms.may)(Named::Person(&supervisor))?;
                    listed.supervisor = Some(supervisor.id);
                }
                _ => return refused(&BAD_FIELD, format!("line {line}: {number} is no supervisor")),
            }
        }
    }
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn a_list_is_taken_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        store.write(|t| t.execute("INSERT INTO unit VALUES (1, NULL, 'whole', NULL)", [])).unwrap();
        let terms = Terms { renames: true, unit: WHOLE, may: &|_| Ok(()) };
        let import = |t: &Transaction<'_>, list: &str| {
            import(t, crate::table::rows("list.csv", list.as_bytes()).unwrap(), &terms)
        };
        let wrong = "number,name,role\n1,甲,student\n2,乙,dean\n";
        assert!(
            matches!(store.write(|t| import(t, wrong)), Err(Fault::Refused(_, line)) if line.starts_with("line 3"))
        );
        assert!(store.read(|c| Person::by_number(c, "1")).unwrap().is_none());
        let right = "\u{feff}number,name,role,unit,supervisor\n1,甲,student,cs,9\n9,Dr. Y,supervisor,cs,\n";
        let listed = store.write(|t| import(t, right)).unwrap();
        let supervisor = store.read(|c| Person::by_number(c, "9")).unwrap().unwrap();
        assert_eq!(listed[0].supervisor.as_deref(), Some(supervisor.id.as_str()));
        assert_eq!(supervisor.roles, [(2, Role::Supervisor)]);
        assert_eq!(store.write(|t| import(t, right)).unwrap(), listed, "again changes nothing");
        assert!(store.write(|t| import(t, "number,name,role,unit,supervisor\n3,c,student,,1\n")).is_err());
        let chinese = "学号;姓名;导师工号\n4;丁;9\n";
        assert_eq!(store.write(|t| import(t, chinese)).unwrap()[0].supervisor.as_deref(), Some(supervisor.id.as_str()));
        assert!(store.write(|t| import(t, "nummer,naam\n5,e\n")).is_err());
    }
}
