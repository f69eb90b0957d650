//! Rounds: what is checked when, against what, and who sees it.

use crate::fault::{BAD_FIELD, Fault, NOT_ALLOWED, NOT_EMPTY, NOT_FOUND, refused};
use crate::people::session::Caller;
use crate::people::{Role, unit_and_above};
use crate::reviewers::{self, Blind};
use crate::store::Transaction;
use crate::store::rows::{self, read_by_name};
use crate::store::word::worded;
use crate::store::{now, secret};
use crate::{audit, collections, sharing};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

worded! {
    /// What students see of their reports.
    StudentSees:
    /// That it was checked.
    Never "never";
    /// The ratio.
    Ratio "ratio";
    /// The report, once there is a verdict.
    AfterVerdict "after_verdict";
    /// The report.
    AtOnce "at_once";
}

/// The last second that dates of rounds may have: the year 9999 is over then.
pub const LAST_SECOND: i64 = 253_402_300_799;

/// What a round is made with. A field that is not known is refused: a misspelt `anonymous` must not show names.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRound {
    /// The unit it is of.
    pub unit: i64,
    /// What it is called.
    #[schema(min_length = 1, max_length = 300)]
    pub title: String,
    /// The first second in which it takes submissions (since 1970, UTC).
    #[schema(minimum = 0)]
    pub opens: i64,
    /// The first second in which it takes none any more.
    pub closes: i64,
    /// How many drafts and finals of each student are checked.
    #[schema(minimum = 0, maximum = 1000)]
    pub quota: i64,
    /// Seconds that must lie between two of them.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 31622400)]
    pub interval_s: i64,
    /// How many practice checks each student has besides.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 1000)]
    pub self_checks: i64,
    /// The copy ratio from which on a submission is highlighted, 0 to 1.
    #[schema(minimum = 0, maximum = 1)]
    pub limit_ratio: f64,
    /// What students see.
    pub student_sees: StudentSees,
    /// Whether supervisors see no names before the verdict.
    #[serde(default)]
    pub anonymous: bool,
    /// Who learns no names when finals are reviewed; neither side if it does not say.
    #[serde(default = "both")]
    pub blind: Blind,
    /// Whether finals are compared with each other and with those of the round before.
    #[serde(default)]
    pub among: bool,
    /// After how many days submissions are erased; never if none.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 36600)]
    pub keep_days: Option<i64>,
    /// The round before.
    #[serde(default)]
    pub previous: Option<String>,
    /// The collections that are compared.
    #[schema(min_items = 1)]
    pub collections: Vec<i64>,
}

fn both() -> Blind {
    Blind::Both
}

/// A round.
#[derive(Debug, Clone, Serialize, ToSchema)]
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
    pub blind: Blind,
    /// As in [`NewRound`].
    pub among: bool,
    /// As in [`NewRound`].
    pub keep_days: Option<i64>,
    /// As in [`NewRound`].
    pub previous: Option<String>,
}

const COLUMNS: &str = "id, unit, title, opens, closes, quota, interval_s, self_checks, limit_ratio, student_sees, anonymous, \
                       blind, among, keep_days, previous";

read_by_name!(Round: id unit title opens closes quota interval_s self_checks limit_ratio student_sees anonymous blind among keep_days
    previous);

impl Round {
    /// The round of this id.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(connection: &Connection, id: &str) -> Result<Round, Fault> {
        let sql = format!("SELECT {COLUMNS} FROM round WHERE id = ?1");
        Ok(rows::first(connection, &sql, [id])?.ok_or(&NOT_FOUND)?)
    }

    /// The round of this id, and how a caller stands to it.
    ///
    /// # Errors
    /// When there is none, or the caller has nothing to do with it: both look alike.
    pub fn of(connection: &Connection, caller: &Caller, id: &str) -> Result<(Round, Standing), Fault> {
        let round = Round::get(connection, id)?;
        let standing = Standing::of(connection, caller, &round)?.ok_or(&NOT_FOUND)?;
        Ok((round, standing))
    }

    /// The round of this id, which the caller administers.
    ///
    /// # Errors
    /// When there is none, or the caller does not administer it.
    pub fn administered(connection: &Connection, caller: &Caller, id: &str) -> Result<Round, Fault> {
        match Round::of(connection, caller, id)? {
            (round, Standing::Administers) => Ok(round),
            _ => Err((&NOT_ALLOWED).into()),
        }
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
    /// Reviews finals in it, and has nothing else to do with it.
    Reviews,
    /// Hands in work.
    Studies,
}

impl Standing {
    /// The strongest standing of a caller in a round; none for a caller who has nothing to do with it.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn of(connection: &Connection, caller: &Caller, round: &Round) -> Result<Option<Standing>, rusqlite::Error> {
        let units = unit_and_above(connection, round.unit)?;
        let enrolled = |column: &str| {
            let sql = format!("SELECT 1 FROM enrolment WHERE round = ?1 AND {column} = ?2 LIMIT 1");
            rows::exists(connection, &sql, params![round.id, caller.person.id])
        };
        let supervises = caller.person.is(Role::Supervisor) && enrolled("supervisor")?;
        let reviews =
            caller.person.is(Role::Reviewer) && reviewers::reviews(connection, &caller.person.id, &round.id, None)?;
        Ok(if caller.person.has(Role::Administrator, &units) {
            Some(Standing::Administers)
        } else if supervises && round.anonymous {
            // Whoever marks without names does not read them as an auditor.
            Some(Standing::Supervises)
        } else if reviews && round.blind.hides_author() && !supervises {
            Some(Standing::Reviews)
        } else if caller.person.has(Role::Auditor, &units) {
            Some(Standing::Audits)
        } else if supervises {
            Some(Standing::Supervises)
        } else if reviews {
            Some(Standing::Reviews)
        } else if caller.person.is(Role::Student) && enrolled("student")? {
            Some(Standing::Studies)
        } else {
            None
        })
    }
}

/// The rounds that a caller has to do with, the latest first.
///
/// # Errors
/// When the database cannot be read.
pub fn visible(connection: &Connection, caller: &Caller) -> Result<Vec<(Round, Standing)>, rusqlite::Error> {
    let sql = format!("SELECT {COLUMNS} FROM round ORDER BY closes DESC, id");
    let mut visible = Vec::new();
    for round in rows::all::<Round>(connection, &sql, [])? {
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
fn inspect(t: &Transaction<'_>, new: &NewRound, may_be_alone: bool) -> Result<(), Fault> {
    let exists = |sql: &str, id: &dyn rusqlite::ToSql| rows::exists(t, sql, [id]);
    let wrong = |field: &str| refused(&BAD_FIELD, field);
    let bounds = [
        ("title", !new.title.trim().is_empty() && new.title.len() <= 300),
        ("closes", 0 <= new.opens && new.opens < new.closes && new.closes <= LAST_SECOND),
        ("quota", (0..=1000).contains(&new.quota) && (0..=1000).contains(&new.self_checks)),
        ("interval_s", (0..=366 * 86_400).contains(&new.interval_s)),
        ("limit_ratio", (0.0..=1.0).contains(&new.limit_ratio)),
        ("keep_days", new.keep_days.is_none_or(|days| (1..=36_600).contains(&days))),
        // Without anything to compare with, every ratio would be a false 0.
        ("collections", !new.collections.is_empty() || may_be_alone && new.among),
    ];
    if let Some((field, _)) = bounds.into_iter().find(|(_, is_within)| !is_within) {
        return wrong(field);
    }
    if !exists("SELECT 1 FROM unit WHERE id = ?1", &new.unit)? {
        return wrong("unit");
    }
    if let Some(previous) = &new.previous
        && !exists("SELECT 1 FROM round WHERE id = ?1", previous)?
    {
        return wrong("previous");
    }
    for collection in &new.collections {
        match collections::get(t, *collection) {
            Ok(collection) if sharing::may_compare(t, new.unit, &collection)? => {}
            _ => return wrong("collections"),
        }
    }
    Ok(())
}

/// Makes a round, and gives its id. Some need no collection if their submissions are compared with each other.
///
/// # Errors
/// When a field has a value that is not allowed.
pub fn create(t: &Transaction<'_>, new: &NewRound, may_be_alone: bool) -> Result<String, Fault> {
    let id = secret::new_id();
    put(t, &id, new, may_be_alone)?;
    Ok(id)
}

/// Changes a round, but for its unit and whether its finals are compared with each other. Reports that are there stay as
/// they are.
///
/// # Errors
/// When a field has a value that is not allowed.
pub fn change(t: &Transaction<'_>, round: &Round, new: &NewRound) -> Result<(), Fault> {
    if new.previous.as_ref() == Some(&round.id) {
        return refused(&BAD_FIELD, "previous");
    }
    put(t, &round.id, new, false)
}

fn put(t: &Transaction<'_>, id: &str, new: &NewRound, may_be_alone: bool) -> Result<(), Fault> {
    inspect(t, new, may_be_alone)?;
    t.execute(
        "INSERT INTO round(id, unit, title, opens, closes, quota, interval_s, self_checks, limit_ratio, student_sees, anonymous, \
         among, keep_days, previous, made, blind) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) \
         ON CONFLICT(id) DO UPDATE SET title = ?3, opens = ?4, closes = ?5, quota = ?6, interval_s = ?7, self_checks = ?8, \
         limit_ratio = ?9, student_sees = ?10, anonymous = ?11, keep_days = ?13, previous = ?14, blind = ?16",
        params![
            id, new.unit, new.title.trim(), new.opens, new.closes, new.quota, new.interval_s, new.self_checks,
            new.limit_ratio, new.student_sees, new.anonymous, new.among, new.keep_days, new.previous, now(), new.blind
        ],
    )?;
    t.execute("DELETE FROM round_collection WHERE round = ?1", [id])?;
    for collection in &new.collections {
        t.execute("INSERT OR IGNORE INTO round_collection VALUES (?1, ?2)", params![id, collection])?;
    }
    Ok(())
}

/// The collections that a round compares with, by id.
///
/// # Errors
/// When the database cannot be read.
pub fn compared(connection: &Connection, round: &str) -> Result<Vec<i64>, rusqlite::Error> {
    let sql = "SELECT collection FROM round_collection WHERE round = ?1 ORDER BY collection";
    rows::all(connection, sql, [round])
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
                   SELECT 'rounds/' || id FROM back WHERE depth > 0";
        folders.extend(rows::all::<String>(connection, sql, [&round.id])?);
    }
    let sql = "SELECT folder FROM collection JOIN round_collection ON collection = collection.id WHERE round = ?1 \
               ORDER BY wording = 'everyone', collection.id";
    folders.extend(rows::all::<String>(connection, sql, [&round.id])?);
    Ok(folders)
}

/// What counts in the checks of a round, where that is not as usual. Rounds of institutions are all as usual.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Whether parts count that are left out else: title page, contents, declarations, references.
    #[serde(default)]
    pub count_all_parts: bool,
    /// From how many documents on wording is common to all, and does not count.
    #[serde(default)]
    pub ignore_common: Option<u32>,
}

/// Notes what counts in a round.
///
/// # Errors
/// When the database cannot be written.
pub fn set_counts(t: &Transaction<'_>, round: &str, counts: Counts) -> Result<(), Fault> {
    let value = serde_json::to_string(&counts)?;
    t.execute("INSERT OR REPLACE INTO setting VALUES (?1, ?2)", [format!("counts:{round}"), value])?;
    Ok(())
}

/// What counts in a round.
///
/// # Errors
/// When the database cannot be read.
pub fn counts(connection: &Connection, round: &str) -> Result<Counts, Fault> {
    let sql = "SELECT value FROM setting WHERE name = ?1";
    let noted: Option<String> = rows::first(connection, sql, [format!("counts:{round}")])?;
    Ok(noted.map(|noted| serde_json::from_str(&noted)).transpose()?.unwrap_or_default())
}

/// The templates of a round: their numbers, and what they were called.
///
/// # Errors
/// When the database cannot be read.
pub fn template_names(connection: &Connection, round: &str) -> Result<Vec<(i64, String)>, rusqlite::Error> {
    let sql = "SELECT id, name FROM round_template WHERE round = ?1 ORDER BY id";
    rows::all(connection, sql, [round])
}

/// The templates of a round, as files below the data folder.
///
/// # Errors
/// When the database cannot be read.
pub fn templates(connection: &Connection, round: &str) -> Result<Vec<String>, rusqlite::Error> {
    let sql = "SELECT file FROM round_template WHERE round = ?1 ORDER BY id";
    rows::all(connection, sql, [round])
}

/// Adds a template to a round: a file below the data folder, and what it was called.
///
/// # Errors
/// When the database cannot be written.
pub fn add_template(t: &Transaction<'_>, round: &str, name: &str, file: &str, by: &str) -> Result<(), Fault> {
    t.execute("INSERT INTO round_template(round, name, file) VALUES (?1, ?2, ?3)", [round, name, file])?;
    audit::record(t, Some(by), audit::Action::AddTemplate, round, "")
}

/// Removes a round into which nothing was handed in, with its students and templates, and gives the templates' files and the
/// archives that waited, which can be removed.
///
/// # Errors
/// When something was handed in, or another round compares with it.
pub fn remove(t: &Transaction<'_>, round: &str, by: &str) -> Result<Vec<String>, Fault> {
    for (sql, called) in [("submission WHERE round", "submissions"), ("round WHERE previous", "previous")] {
        if rows::exists(t, &format!("SELECT 1 FROM {sql} = ?1"), [round])? {
            return refused(&NOT_EMPTY, called);
        }
    }
    let mut files = templates(t, round)?;
    let batches: Vec<String> = rows::all(t, "SELECT id FROM batch WHERE round = ?1", [round])?;
    files.extend(batches.iter().map(|id| format!("batches/{id}")));
    t.execute("DELETE FROM batch_file WHERE batch IN (SELECT id FROM batch WHERE round = ?1)", [round])?;
    for table in ["batch", "round_template", "round_collection", "enrolment", "resource_link", "round_score"] {
        t.execute(&format!("DELETE FROM {table} WHERE round = ?1"), [round])?;
    }
    t.execute("DELETE FROM round WHERE id = ?1", [round])?;
    audit::record(t, Some(by), audit::Action::RemoveRound, round, "")?;
    Ok(files)
}

/// Takes a template of a round away, and gives its file, which can be removed.
///
/// # Errors
/// When there is none.
pub fn remove_template(t: &Transaction<'_>, round: &str, template: i64, by: &str) -> Result<String, Fault> {
    let sql = "DELETE FROM round_template WHERE id = ?1 AND round = ?2 RETURNING file";
    let file = rows::first(t, sql, params![template, round])?.ok_or(&NOT_FOUND)?;
    audit::record(t, Some(by), audit::Action::RemoveTemplate, round, "")?;
    Ok(file)
}
