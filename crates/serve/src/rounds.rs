//! Rounds: what is checked when, against what, and who sees it.

use crate::fault::{BAD_FIELD, Fault, NOT_FOUND, refused};
use crate::people::session::Caller;
use crate::people::{Role, unit_and_above};
use crate::store::{now, secret};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

/// What students see of their reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StudentSees {
    /// That it was checked.
    Never,
    /// The ratio.
    Ratio,
    /// The report, once there is a verdict.
    AfterVerdict,
    /// The report.
    AtOnce,
}

impl StudentSees {
    /// All of them.
    pub const ALL: [StudentSees; 4] =
        [StudentSees::Never, StudentSees::Ratio, StudentSees::AfterVerdict, StudentSees::AtOnce];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            StudentSees::Never => "never",
            StudentSees::Ratio => "ratio",
            StudentSees::AfterVerdict => "after_verdict",
            StudentSees::AtOnce => "at_once",
        }
    }

    /// What a word says; nothing is shown for one that is not known.
    pub fn of(word: &str) -> StudentSees {
        StudentSees::ALL.into_iter().find(|sees| sees.as_str() == word).unwrap_or(StudentSees::Never)
    }
}

/// The last second that dates of rounds may have: the year 9999 is over then.
pub const LAST_SECOND: i64 = 253_402_300_799;

/// What a round is made with. A field that is not known is refused: a misspelt `anonymous` must not show names.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewRound {
    /// The unit it is of.
    pub unit: i64,
    /// What it is called.
    pub title: String,
    /// The first second in which it takes submissions (since 1970, UTC).
    pub opens: i64,
    /// The first second in which it takes none any more.
    pub closes: i64,
    /// How many drafts and finals of each student are checked.
    pub quota: i64,
    /// Seconds that must lie between two of them.
    #[serde(default)]
    pub interval_s: i64,
    /// How many checks of his own each student has besides.
    #[serde(default)]
    pub self_checks: i64,
    /// The copy ratio from which on a submission is pointed out, 0 to 1.
    pub limit_ratio: f64,
    /// What students see.
    pub student_sees: StudentSees,
    /// Whether supervisors see no names before the verdict.
    #[serde(default)]
    pub anonymous: bool,
    /// Whether finals are compared with each other and with those of the round before.
    #[serde(default)]
    pub among: bool,
    /// After how many days submissions are erased; never if none.
    #[serde(default)]
    pub keep_days: Option<i64>,
    /// The round before.
    #[serde(default)]
    pub previous: Option<String>,
    /// The collections that are compared.
    pub collections: Vec<i64>,
}

/// A round.
#[derive(Debug, Clone, Serialize)]
pub struct Round {
    /// Its id.
    pub id: String,
    /// Its unit.
    pub unit: i64,
    /// What it is called.
    pub title: String,
    /// As in [`NewRound`].
    pub opens: i64,
    /// As in [`NewRound`].
    pub closes: i64,
    /// As in [`NewRound`].
    pub quota: i64,
    /// As in [`NewRound`].
    pub interval_s: i64,
    /// As in [`NewRound`].
    pub self_checks: i64,
    /// As in [`NewRound`].
    pub limit_ratio: f64,
    /// As in [`NewRound`].
    pub student_sees: StudentSees,
    /// As in [`NewRound`].
    pub anonymous: bool,
    /// As in [`NewRound`].
    pub among: bool,
    /// As in [`NewRound`].
    pub keep_days: Option<i64>,
    /// As in [`NewRound`].
    pub previous: Option<String>,
}

const COLUMNS: &str = "id, unit, title, opens, closes, quota, interval_s, self_checks, limit_ratio, student_sees, anonymous, \
                       among, keep_days, previous";

impl Round {
    fn read(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
        Ok(Round {
            id: row.get(0)?,
            unit: row.get(1)?,
            title: row.get(2)?,
            opens: row.get(3)?,
            closes: row.get(4)?,
            quota: row.get(5)?,
            interval_s: row.get(6)?,
            self_checks: row.get(7)?,
            limit_ratio: row.get(8)?,
            student_sees: StudentSees::of(&row.get::<_, String>(9)?),
            anonymous: row.get(10)?,
            among: row.get(11)?,
            keep_days: row.get(12)?,
            previous: row.get(13)?,
        })
    }

    /// The round of this id.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(connection: &Connection, id: &str) -> Result<Round, Fault> {
        let sql = format!("SELECT {COLUMNS} FROM round WHERE id = ?1");
        let found = connection.prepare_cached(&sql)?.query_row([id], Round::read).optional()?;
        found.ok_or(Fault::from(&NOT_FOUND))
    }

    /// Whether it takes submissions now.
    pub fn is_open(&self) -> bool {
        (self.opens..self.closes).contains(&now())
    }

    /// The folder of the index of its finals, below the data folder.
    pub fn folder(&self) -> String {
        format!("rounds/{}", self.id)
    }
}

/// How a caller stands to a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Administers its unit, or one above.
    Administers,
    /// Reads everything in its unit.
    Audits,
    /// Supervises students in it.
    Supervises,
    /// Hands in work.
    Studies,
}

impl Standing {
    /// The strongest standing of a caller in a round; none when it is no business of his.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of(connection: &Connection, caller: &Caller, round: &Round) -> Result<Option<Standing>, rusqlite::Error> {
        let units = unit_and_above(connection, round.unit)?;
        let enrolled = |column: &str| {
            let sql = format!("SELECT 1 FROM enrolment WHERE round = ?1 AND {column} = ?2 LIMIT 1");
            connection.prepare_cached(&sql)?.exists(params![round.id, caller.person.id])
        };
        Ok(if caller.person.has(Role::Administrator, &units) {
            Some(Standing::Administers)
        } else if caller.person.has(Role::Auditor, &units) {
            Some(Standing::Audits)
        } else if caller.person.is(Role::Supervisor) && enrolled("supervisor")? {
            Some(Standing::Supervises)
        } else if caller.person.is(Role::Student) && enrolled("student")? {
            Some(Standing::Studies)
        } else {
            None
        })
    }
}

/// The rounds that are a caller's business, the latest first.
///
/// # Errors
/// When the database cannot be read.
pub fn visible(connection: &Connection, caller: &Caller) -> Result<Vec<(Round, Standing)>, rusqlite::Error> {
    let sql = format!("SELECT {COLUMNS} FROM round ORDER BY closes DESC, id");
    let rounds: Vec<Round> = connection.prepare_cached(&sql)?.query_map([], Round::read)?.collect::<Result<_, _>>()?;
    let mut visible = Vec::new();
    for round in rounds {
        if let Some(standing) = Standing::of(connection, caller, &round)? {
            visible.push((round, standing));
        }
    }
    Ok(visible)
}

/// Whether all fields have values that are allowed.
///
/// # Errors
/// When one has not.
fn inspect(t: &Transaction<'_>, new: &NewRound) -> Result<(), Fault> {
    let exists = |sql: &str, id: &dyn rusqlite::ToSql| t.prepare_cached(sql)?.exists([id]);
    let wrong = |field: &str| refused(&BAD_FIELD, field);
    if new.title.trim().is_empty() || new.title.len() > 300 {
        return wrong("title");
    }
    if new.opens < 0 || new.opens >= new.closes || new.closes > LAST_SECOND {
        return wrong("closes");
    }
    if !(0..=1000).contains(&new.quota) || !(0..=1000).contains(&new.self_checks) {
        return wrong("quota");
    }
    if !(0..=366 * 86_400).contains(&new.interval_s) {
        return wrong("interval_s");
    }
    if !(0.0..=1.0).contains(&new.limit_ratio) {
        return wrong("limit_ratio");
    }
    if new.keep_days.is_some_and(|days| !(1..=36_600).contains(&days)) {
        return wrong("keep_days");
    }
    if !exists("SELECT 1 FROM unit WHERE id = ?1", &new.unit)? {
        return wrong("unit");
    }
    if let Some(previous) = &new.previous
        && !exists("SELECT 1 FROM round WHERE id = ?1", previous)?
    {
        return wrong("previous");
    }
    // Without anything to compare with, every ratio would be a false 0.
    if new.collections.is_empty() {
        return wrong("collections");
    }
    for collection in &new.collections {
        if !exists("SELECT 1 FROM collection WHERE id = ?1", collection)? {
            return wrong("collections");
        }
    }
    Ok(())
}

/// Makes a round, and gives its id.
///
/// # Errors
/// When a field has a value that is not allowed.
pub fn create(t: &Transaction<'_>, new: &NewRound) -> Result<String, Fault> {
    inspect(t, new)?;
    let id = secret::new_id();
    t.execute(
        "INSERT INTO round(id, unit, title, opens, closes, quota, interval_s, self_checks, limit_ratio, student_sees, anonymous, \
         among, keep_days, previous, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        params![
            id, new.unit, new.title.trim(), new.opens, new.closes, new.quota, new.interval_s, new.self_checks,
            new.limit_ratio, new.student_sees.as_str(), new.anonymous, new.among, new.keep_days, new.previous, now()
        ],
    )?;
    compare_with(t, &id, &new.collections)?;
    Ok(id)
}

fn compare_with(t: &Transaction<'_>, round: &str, collections: &[i64]) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM round_collection WHERE round = ?1", [round])?;
    for collection in collections {
        t.execute("INSERT OR IGNORE INTO round_collection VALUES (?1, ?2)", params![round, collection])?;
    }
    Ok(())
}

/// Changes a round, but for its unit and whether its finals are compared with each other. Reports that are there stay as
/// they are.
///
/// # Errors
/// When a field has a value that is not allowed.
pub fn change(t: &Transaction<'_>, round: &Round, new: &NewRound) -> Result<(), Fault> {
    inspect(t, new)?;
    if new.previous.as_ref() == Some(&round.id) {
        return refused(&BAD_FIELD, "previous");
    }
    t.execute(
        "UPDATE round SET title = ?2, opens = ?3, closes = ?4, quota = ?5, interval_s = ?6, self_checks = ?7, limit_ratio = ?8, \
         student_sees = ?9, anonymous = ?10, keep_days = ?11, previous = ?12 WHERE id = ?1",
        params![
            round.id, new.title.trim(), new.opens, new.closes, new.quota, new.interval_s, new.self_checks, new.limit_ratio,
            new.student_sees.as_str(), new.anonymous, new.keep_days, new.previous
        ],
    )?;
    compare_with(t, &round.id, &new.collections)?;
    Ok(())
}

/// The collections that a round compares with, by id.
///
/// # Errors
/// When the database cannot be read.
pub fn compared(connection: &Connection, round: &str) -> Result<Vec<i64>, rusqlite::Error> {
    let sql = "SELECT collection FROM round_collection WHERE round = ?1 ORDER BY collection";
    connection.prepare_cached(sql)?.query_map([round], |row| row.get(0))?.collect()
}

/// The folders of the indexes that a round's submissions are compared with, below the data folder, in the order in which
/// they are searched. Those that staff alone may read come first: of two documents with one id the first folder's counts.
///
/// # Errors
/// When the database cannot be read.
pub fn folders(connection: &Connection, round: &Round) -> Result<Vec<String>, rusqlite::Error> {
    let mut folders = Vec::new();
    if round.among {
        folders.push(round.folder());
        let sql = "WITH RECURSIVE back(id, depth) AS (SELECT ?1, 0 UNION SELECT round.previous, depth + 1 FROM round \
                   JOIN back ON round.id = back.id WHERE round.previous IS NOT NULL AND depth < 20) \
                   SELECT id FROM back WHERE depth > 0";
        let earlier = connection
            .prepare_cached(sql)?
            .query_map([&round.id], |row| row.get::<_, String>(0))?
            .collect::<Result<Vec<_>, _>>()?;
        folders.extend(earlier.iter().map(|id| format!("rounds/{id}")));
    }
    let sql = "SELECT folder FROM collection JOIN round_collection ON collection = collection.id WHERE round = ?1 \
               ORDER BY wording = 'everyone', collection.id";
    for folder in connection.prepare_cached(sql)?.query_map([&round.id], |row| row.get(0))? {
        folders.push(folder?);
    }
    Ok(folders)
}

/// The templates of a round: their numbers, and what they were called.
///
/// # Errors
/// When the database cannot be read.
pub fn template_names(connection: &Connection, round: &str) -> Result<Vec<(i64, String)>, rusqlite::Error> {
    let sql = "SELECT id, name FROM round_template WHERE round = ?1 ORDER BY id";
    connection.prepare_cached(sql)?.query_map([round], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The templates of a round, as files below the data folder.
///
/// # Errors
/// When the database cannot be read.
pub fn templates(connection: &Connection, round: &str) -> Result<Vec<String>, rusqlite::Error> {
    let sql = "SELECT file FROM round_template WHERE round = ?1 ORDER BY id";
    connection.prepare_cached(sql)?.query_map([round], |row| row.get(0))?.collect()
}
