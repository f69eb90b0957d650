//! Lists of people: a CSV file or a workbook with the columns `number,name,role,unit` and, for students, `supervisor` and
//! `title`, and for all `mail`.

use super::{LONGEST_NUMBER, Person, Role, WHOLE, add_unit, grant, put};
use crate::fault::{BAD_FIELD, Fault, refused};
use crate::mail::is_address;
use crate::store::Transaction;
use crate::store::rows;
use copytrace_messages::{Message, message};

/// The columns, each with the names that it may have, the one that says most first: a list may have the supervisor's name beside the
/// number.
const COLUMNS: [&[&str]; 8] = [
    &["number", "id", "学工号", "学号", "工号", "编号"],
    &["name", "姓名", "学生姓名"],
    &["role", "角色", "身份"],
    &["unit", "college", "department", "单位", "学院", "院系"],
    &["supervisor", "导师工号", "指导教师工号", "指导老师工号"],
    &["supervisor name", "导师", "指导教师", "指导老师", "导师姓名", "指导教师姓名"],
    &["title", "论文题目", "题目", "论文名称", "毕业论文题目", "毕业设计（论文）题目"],
    &["mail", "email", "e-mail", "邮箱", "电子邮箱", "电子邮件", "邮箱地址"],
];

/// Rows above the heads: a title, a term, who made the list.
const MOST_ABOVE: usize = 10;

/// Wrong rows that are told at once.
const MOST_TOLD: usize = 50;

/// The role of a word of a list.
fn role(word: &str) -> Option<Role> {
    match word {
        // Most lists are of students, and do not say so.
        "" | "学生" => Some(Role::Student),
        "导师" | "教师" | "指导教师" => Some(Role::Supervisor),
        "管理员" => Some(Role::Administrator),
        "审计员" => Some(Role::Auditor),
        "评审" | "评审专家" | "评阅人" => Some(Role::Reviewer),
        word => Role::of(&word.to_lowercase()),
    }
}

/// A role as pages call it.
fn in_words(role: Role) -> Message {
    Message::new(match role {
        Role::Administrator => "service-administrator",
        Role::Supervisor => "service-supervisor",
        Role::Student => "service-student",
        Role::Auditor => "service-auditor",
        Role::Reviewer => "service-reviewer",
    })
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

/// What a row of a list comes to.
#[derive(Debug)]
pub struct Row {
    /// Its number in the list.
    pub line: usize,
    /// The number of the person.
    pub number: String,
    /// The name.
    pub name: String,
    /// Who it is; none if the row is refused for itself.
    pub of: Option<OnList>,
    /// What it makes or changes, nothing if all is as it says; or why it is refused.
    pub fate: Result<Vec<Message>, Message>,
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

/// The heads of a list, which may stand below a title, and the rows below them with their numbers.
#[allow(clippy::type_complexity)] // a row is a number and cells
fn heads(table: Vec<Vec<String>>) -> Result<([Option<usize>; 8], Vec<(usize, Vec<String>)>), Fault> {
    let mut rows: Vec<(usize, Vec<String>)> =
        (1..).zip(table).filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())).collect();
    let places = |head: &[String]| {
        let head: Vec<String> = head.iter().map(|name| name.trim().to_lowercase()).collect();
        COLUMNS.map(|names| names.iter().find_map(|name| head.iter().position(|known| known == name)))
    };
    let found = rows.iter().take(MOST_ABOVE).position(|(_, cells)| {
        let places = places(cells);
        places[0].is_some() && places[1].is_some()
    });
    let Some(at) = found else {
        let first = rows.first().map(|(_, cells)| cells.join(", ")).unwrap_or_default();
        return Err(Fault::Told(&BAD_FIELD, vec![message!("list-heads", found = first)]));
    };
    let places = places(&rows[at].1);
    Ok((places, rows.split_off(at + 1)))
}

/// The unit of a code, or of a name that only one has.
///
/// # Errors
/// When the database cannot be read.
pub fn unit_of(t: &Transaction<'_>, word: &str) -> Result<Option<i64>, Fault> {
    if let Some(unit) = rows::first(t, "SELECT id FROM unit WHERE code = ?1", [word])? {
        return Ok(Some(unit));
    }
    let named: Vec<i64> = rows::all(t, "SELECT id FROM unit WHERE name = ?1", [word])?;
    Ok(if let [unit] = named[..] { Some(unit) } else { None })
}

/// The supervisor of a number, or of a name that only one has; else why there is none.
///
/// # Errors
/// When the database cannot be read.
pub fn supervisor_of(t: &Transaction<'_>, number: &str, name: &str) -> Result<Result<Person, Message>, Fault> {
    let word = if number.is_empty() { name } else { number };
    let mut found = Vec::from_iter(Person::by_number(t, word)?);
    if found.is_empty() && number.is_empty() {
        let sql = "SELECT DISTINCT number FROM person JOIN role ON role.person = person.id WHERE name = ?1 AND role = 'supervisor' \
                   AND state = 'active' AND number IS NOT NULL";
        for number in rows::all::<String>(t, sql, [name])? {
            found.extend(Person::by_number(t, &number)?);
        }
    }
    let several = found.len() > 1;
    Ok(match found.pop() {
        Some(_) if several => Err(message!("list-several-supervisors", word = word)),
        Some(person) if person.is(Role::Supervisor) => Ok(person),
        Some(_) => Err(message!("list-not-supervisor", word = word)),
        None => Err(message!("list-no-supervisor", word = word)),
    })
}

/// Adds everybody on a list: all or, if a row is wrong, nobody. Gives them in the order of the list. People who are there already
/// get the role too. A unit is told by its code or name; one that is not there yet is made, with its code as its name.
///
/// # Errors
/// When rows are wrong, with their numbers and what is wrong with each.
pub fn import(t: &Transaction<'_>, table: Vec<Vec<String>>, terms: &Terms<'_>) -> Result<Vec<OnList>, Fault> {
    all_right(take(t, table, terms)?)
}

/// The people of rows of which none is refused.
///
/// # Errors
/// When some are, with their numbers and what is wrong with each.
pub fn all_right(rows: Vec<Row>) -> Result<Vec<OnList>, Fault> {
    let (mut listed, mut told, mut more) = (Vec::new(), Vec::new(), 0usize);
    for row in rows {
        match row.fate {
            Ok(_) => listed.extend(row.of),
            Err(why) if told.len() < MOST_TOLD => told.push(message!("list-line", line = row.line, problem = why)),
            Err(_) => more += 1,
        }
    }
    if more > 0 {
        told.push(message!("list-more", more = more));
    }
    if told.is_empty() { Ok(listed) } else { Err(Fault::Told(&BAD_FIELD, told)) }
}

/// Adds everybody whose row is not refused for itself, and tells what each row comes to, in the order of the list. What it wrote is
/// to be taken back if a row is refused.
///
/// # Errors
/// When the list has no heads, or names what may not be named.
pub fn take(t: &Transaction<'_>, table: Vec<Vec<String>>, terms: &Terms<'_>) -> Result<Vec<Row>, Fault> {
    let (places, rows) = heads(table)?;
    let (mut taken, mut supervisors) = (Vec::new(), Vec::new());
    for (line, cells) in rows {
        let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map_or("", String::as_str);
        let [number, name, word, unit, supervisor, supervisor_name, title, mail] = places.map(cell);
        supervisors.push((supervisor.to_owned(), supervisor_name.to_owned()));
        let row = |of, fate| Row { line, number: number.to_owned(), name: name.to_owned(), of, fate };
        let problem = if number.is_empty() {
            Some(message!("list-no-number"))
        } else if name.is_empty() {
            Some(message!("list-no-name"))
        } else if number.len() > LONGEST_NUMBER || name.len() > 200 || unit.len() > 64 || title.len() > 1000 {
            Some(message!("list-too-long"))
        } else if [number, name, unit, title].iter().any(|field| field.chars().any(char::is_control)) {
            Some(message!("list-control-character"))
        } else if !mail.is_empty() && !is_address(mail) {
            Some(message!("list-bad-mail", mail = mail))
        } else {
            None
        };
        let no_role = || message!("list-no-role", word = word);
        let role = match problem.map_or_else(|| role(word).ok_or_else(no_role), Err) {
            Ok(role) => role,
            Err(problem) => {
                taken.push(row(None, Err(problem)));
                continue;
            }
        };
        let may = |named: Named<'_>, called: &str| match (terms.may)(named) {
            Err(Fault::Refused(refusal, _)) => refused(refusal, format!("line {line}: {called}")),
            other => other,
        };
        let mut changes = Vec::new();
        let of = match unit {
            "" => terms.unit,
            code => {
                let known = unit_of(t, code)?;
                may(Named::Unit(known), code)?;
                match known {
                    Some(known) => known,
                    None => {
                        changes.push(message!("list-new-unit", unit = code));
                        add_unit(t, WHOLE, code, Some(code))?
                    }
                }
            }
        };
        let known = Person::by_number(t, number)?;
        known.iter().try_for_each(|person| may(Named::Person(person), number))?;
        let (is_new, before) = (known.is_none(), known.as_ref().and_then(|known| known.mail.clone()));
        let person = match known {
            Some(known) if !terms.renames => known.id,
            Some(known) => {
                let before = known.name.unwrap_or_default();
                if before != name {
                    changes.push(message!("list-renamed", before = before, after = name));
                }
                put(t, number, name)?
            }
            None => {
                changes.push(message!("list-new-person"));
                put(t, number, name)?
            }
        };
        // Whoever may set the address of an account can open it.
        if !mail.is_empty() && before.as_deref() != Some(mail) && (is_new || terms.renames) {
            t.execute("UPDATE person SET mail = ?2 WHERE id = ?1", [&person, mail])?;
            changes.push(message!("list-new-mail", mail = mail));
        }
        if grant(t, &person, of, role)? {
            let called: Option<String> =
                rows::first(t, "SELECT name FROM unit WHERE id = ?1 AND id != ?2", [of, WHOLE])?;
            changes.push(match called {
                Some(unit) => message!("list-new-role-in", role = in_words(role), unit = unit),
                None => message!("list-new-role", role = in_words(role)),
            });
        }
        let title = (!title.is_empty()).then(|| title.to_owned());
        taken.push(row(Some(OnList { person, role, supervisor: None, title }), Ok(changes)));
    }
    // A supervisor may stand below the students.
    for (row, (number, name)) in taken.iter_mut().zip(supervisors) {
        let Some(listed) = row.of.as_mut().filter(|listed| listed.role == Role::Student) else { continue };
        if number.is_empty() && name.is_empty() {
            continue;
        }
        match supervisor_of(t, &number, &name)? {
            Ok(supervisor) => {
                (terms.may)(Named::Person(&supervisor))?;
                listed.supervisor = Some(supervisor.id);
            }
            Err(problem) => row.fate = Err(problem),
        }
    }
    Ok(taken)
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
            matches!(store.write(|t| import(t, wrong)), Err(told @ Fault::Told(..)) if told.detail().starts_with("line 3"))
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

    /// What an import was refused with.
    fn told<T: std::fmt::Debug>(refused: Result<T, Fault>) -> String {
        match refused {
            Err(told @ Fault::Told(..)) => told.detail().replace('\n', "; "),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_list_as_an_office_has_it_is_read_below_its_title_with_names_beside_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        store
            .write(|t| t.execute("INSERT INTO unit VALUES (1, NULL, 'whole', NULL), (2, 1, '计算机学院', 'cs')", []))
            .unwrap();
        let terms = Terms { renames: true, unit: WHOLE, may: &|_| Ok(()) };
        let import =
            |list: &str| store.write(|t| import(t, crate::table::rows("list.csv", list.as_bytes()).unwrap(), &terms));
        import("工号,姓名,身份\n901,林教授,导师\n902,林教授,导师\n903,欧老师,导师\n").unwrap();
        let id = |number: &str| store.read(|c| Person::by_number(c, number)).unwrap().unwrap().id;
        let list = "2026届毕业论文名单,,,,\n学号,姓名,学院,指导教师,指导教师工号\n1,甲,计算机学院,林教授,902\n2,乙,cs,欧老师,\n3,丙,,,\n";
        let listed = import(list).unwrap();
        let supervisors: Vec<_> = listed.iter().map(|listed| listed.supervisor.clone()).collect();
        assert_eq!(supervisors, [Some(id("902")), Some(id("903")), None]);
        let units = |number: &str| store.read(|c| Person::by_number(c, number)).unwrap().unwrap().roles;
        assert_eq!((units("1"), units("2")), (vec![(2, Role::Student)], vec![(2, Role::Student)]));
        assert_eq!(
            store.read(|c| rows::one::<i64>(c, "SELECT count(*) FROM unit", [])).unwrap(),
            2,
            "no unit is made twice"
        );
    }

    #[test]
    fn all_rows_that_are_wrong_are_told_at_once_with_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        store.write(|t| t.execute("INSERT INTO unit VALUES (1, NULL, 'whole', NULL)", [])).unwrap();
        let terms = Terms { renames: true, unit: WHOLE, may: &|_| Ok(()) };
        let import =
            |list: &str| store.write(|t| import(t, crate::table::rows("list.csv", list.as_bytes()).unwrap(), &terms));
        let list = "学号,姓名,身份,指导教师\n901,林教授,导师,\n902,林教授,导师,\n1,,,\n,乙,,\n3,丙,院长,\n4,丁,,林教授\n5,戊,,王老师\n6,己,,\n";
        assert_eq!(
            told(import(list)),
            "line 4: the name is missing; line 5: the number is missing; line 6: 院长 is not a role; roles are administrator, supervisor, \
             student, auditor, reviewer; line 7: 林教授 is the name of several supervisors; give the number; line 8: there is no supervisor 王老师; \
             supervisors must be on the list, or added before"
        );
        assert!(store.read(|c| Person::by_number(c, "6")).unwrap().is_none(), "nobody is added");
        let many: String = (0..80).map(|n| format!("{n},\n")).collect();
        let said = told(import(&format!("number,name\n{many}")));
        assert!(said.ends_with("and 30 more") && said.matches("is missing").count() == MOST_TOLD, "{said}");
    }
}
