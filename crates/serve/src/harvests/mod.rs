//! Sources from which collections are harvested repeatedly: repositories, and dumps and archives that lie on the server.

pub mod sink;

use crate::app::{App, repeat};
use crate::fault::{BAD_FIELD, CONFLICT, Fault, NOT_FOUND, refused};
use crate::queue::{self, Harvested, Task};
use crate::store::rows::{self, read_by_name};
use crate::store::{Transaction, now};
use crate::{audit, collections};
use copytrace_harvest::Source;
use rusqlite::{Connection, params};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked whether a run is due.
const EVERY: Duration = Duration::from_secs(60);
const DAY: i64 = 86_400;
/// Bytes of what somebody types.
const LONGEST: usize = 1000;
/// Nobody waits for a harvest: it goes behind checks and archives of them.
const LANE: i64 = 2;

/// A source of a collection.
#[derive(Debug, Clone, serde::Serialize, utoipa::ToSchema)]
pub struct Harvest {
    /// Its number.
    pub id: i64,
    /// The collection that its documents go into.
    pub collection: i64,
    /// The source, as on a command line.
    pub source: String,
    /// Whom the keeper of the server may write to.
    pub contact: String,
    /// The licence of documents that name none.
    pub licence: String,
    /// Days between two runs; 0 if only people start them.
    pub days: i64,
    /// Whether a run waits or is under way.
    pub under_way: bool,
}

read_by_name!(Harvest: id collection source contact licence days under_way);

/// Whether a run of the source waits or is under way, in SQL.
const UNDER_WAY: &str = "EXISTS (SELECT 1 FROM job WHERE state IN ('queued', 'running') AND kind = 'fill' \
                         AND json_extract(detail, '$.harvest.id') = harvest.id)";

/// The sources of a collection, by name.
///
/// # Errors
/// When the database cannot be read.
pub fn of(c: &Connection, collection: i64) -> Result<Vec<Harvest>, rusqlite::Error> {
    let sql = format!("SELECT *, {UNDER_WAY} AS under_way FROM harvest WHERE collection = ?1 ORDER BY source");
    rows::all(c, &sql, [collection])
}

/// The source of this number.
///
/// # Errors
/// When there is none.
pub fn get(c: &Connection, id: i64) -> Result<Harvest, Fault> {
    let sql = format!("SELECT *, {UNDER_WAY} AS under_way FROM harvest WHERE id = ?1");
    Ok(rows::first(c, &sql, [id])?.ok_or(&NOT_FOUND)?)
}

/// What somebody wants to be harvested.
#[derive(Debug, serde::Deserialize, utoipa::ToSchema)]
#[schema(as = NewHarvest)]
pub struct New {
    source: String,
    #[serde(default)]
    contact: String,
    #[serde(default)]
    licence: String,
    days: i64,
}

/// Adds a source to a collection, and queues its first run.
///
/// # Errors
/// When it is none that may be harvested here, or is there already.
pub fn add(app: &App, t: &Transaction<'_>, by: &str, collection: i64, new: &New) -> Result<(), Fault> {
    collections::get(t, collection)?;
    let [source, contact, licence] = [&new.source, &new.contact, &new.licence].map(|text| text.trim());
    for (name, text) in [("harvest_source", source), ("harvest_contact", contact), ("harvest_licence", licence)] {
        if text.len() > LONGEST || text.chars().any(char::is_control) {
            return refused(&BAD_FIELD, name);
        }
    }
    let Ok(named) = source.parse::<Source>() else { return refused(&BAD_FIELD, "harvest_source") };
    if !may_be_read(&named, app.intake.as_deref(), &app.data) {
        return refused(&BAD_FIELD, "harvest_source");
    }
    if named.is_remote() && contact.is_empty() {
        return refused(&BAD_FIELD, "harvest_contact");
    }
    if !(0..=366).contains(&new.days) {
        return refused(&BAD_FIELD, "harvest_every");
    }
    let source = named.to_string();
    if rows::exists(t, "SELECT 1 FROM harvest WHERE collection = ?1 AND source = ?2", params![collection, source])? {
        return refused(&CONFLICT, &source);
    }
    let id = audit::next_id(t, "harvest")?;
    let sql =
        "INSERT INTO harvest(id, collection, source, contact, licence, days, made) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    t.execute(sql, params![id, collection, source, contact, licence, new.days, now()])?;
    audit::record(t, Some(by), audit::Action::AddHarvest, &id.to_string(), &source)?;
    run(t, &get(t, id)?, app.harvest_inside)
}

/// Whether a source may be harvested by whoever uses the service: a repository, whose address is looked at when it is asked, or a file
/// below the folder that whoever runs the service named. Folders and single documents are added as such, where a process of its own
/// reads each file.
fn may_be_read(source: &Source, intake: Option<&Path>, data: &Path) -> bool {
    if source.is_remote() {
        return true;
    }
    let below = |path: PathBuf| intake.is_some_and(|intake| path.starts_with(intake)) && !path.starts_with(data);
    let path = Path::new(source.place());
    !source.is_files() && path.is_absolute() && path.canonicalize().is_ok_and(|path| path.is_file() && below(path))
}

/// Queues a run, unless one waits or is under way.
///
/// # Errors
/// When the database cannot be written.
pub fn run(t: &Transaction<'_>, harvest: &Harvest, inside: bool) -> Result<(), Fault> {
    if harvest.under_way {
        return Ok(());
    }
    let collection = collections::get(t, harvest.collection)?;
    let Harvest { id, source, contact, licence, .. } = harvest.clone();
    let harvest = Harvested { id, source, contact, licence, collection: collection.name, inside };
    queue::add(t, &Task::Harvest { folder: collection.folder, harvest }, LANE, "harvest")?;
    t.execute("UPDATE harvest SET queued = ?2 WHERE id = ?1", params![id, now()])?;
    Ok(())
}

/// Removes a source; its documents stay. Gives the jobs that were called off.
///
/// # Errors
/// When there is none.
pub fn remove(t: &Transaction<'_>, by: &str, id: i64) -> Result<Vec<i64>, Fault> {
    let harvest = get(t, id)?;
    let sql = "SELECT id FROM job WHERE state IN ('queued', 'running') AND kind = 'fill' AND json_extract(detail, '$.harvest.id') = ?1";
    let jobs: Vec<i64> = rows::all(t, sql, [id])?;
    jobs.iter().try_for_each(|job| queue::cancel(t, *job).map(drop))?;
    t.execute("DELETE FROM harvest WHERE id = ?1", [id])?;
    audit::record(t, Some(by), audit::Action::RemoveHarvest, &id.to_string(), &harvest.source)?;
    Ok(jobs)
}

/// Queues the runs that are due; tells whether there is one. A run from the future is one of a clock that has been put right since.
///
/// # Errors
/// When the database cannot be written.
fn queue_due(t: &Transaction<'_>, now: i64, inside: bool) -> Result<bool, Fault> {
    let sql = format!(
        "SELECT *, {UNDER_WAY} AS under_way FROM harvest WHERE days > 0 AND queued NOT BETWEEN ?1 - days * {DAY} + 1 AND ?1 ORDER BY id"
    );
    let due: Vec<Harvest> = rows::all(t, &sql, [now])?;
    due.iter().filter(|harvest| !harvest.under_way).try_for_each(|harvest| run(t, harvest, inside))?;
    Ok(!due.is_empty())
}

/// Looks every minute which runs are due, for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    tokio::time::sleep(EVERY).await;
    let look = |app: &App| {
        if app.write(|t| queue_due(t, now(), app.harvest_inside))? {
            app.pool.wake();
        }
        Ok(())
    };
    repeat(app, "harvest", EVERY, look).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn a_run_is_queued_when_its_days_are_over_once_and_whatever_the_clock_does() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        let sql = "INSERT INTO collection(id, name, folder, wording, made) VALUES (1, 'Theses', 'collections/1', 'staff', 0); \
                   INSERT INTO harvest VALUES (1, 1, 'oai:https://example.org/oai', 'a@b', '', 7, 0, 0); \
                   INSERT INTO harvest VALUES (2, 1, 'oai:https://example.org/by-hand', 'a@b', '', 0, 0, 0)";
        store.write(|t| t.execute_batch(sql)).unwrap();
        let look = |at: i64| {
            store.write(|t| queue_due(t, at, false)).unwrap();
            let queued: i64 = store.read(|c| rows::one(c, "SELECT count(*) FROM job", [])).unwrap();
            queued
        };
        assert_eq!((look(now()), look(now())), (1, 1), "while one waits there is no second");
        store.write(|t| t.execute("UPDATE job SET state = 'done'", [])).unwrap();
        assert_eq!((look(now()), look(now() + 6 * DAY)), (1, 1));
        assert_eq!(look(now() + 7 * DAY), 2);
        store.write(|t| t.execute("UPDATE job SET state = 'done'", [])).unwrap();
        assert_eq!(look(now() - DAY), 3, "the last run is one of the future");
    }

    #[test]
    fn files_are_harvested_only_below_the_folder_that_was_named() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let (intake, data) = (home.join("intake"), home.join("intake/data"));
        std::fs::create_dir_all(&data).unwrap();
        for file in ["wiki.xml", "intake/wiki.xml", "intake/data/wiki.xml"] {
            std::fs::write(home.join(file), "").unwrap();
        }
        let may = |text: &str| may_be_read(&text.parse().unwrap(), Some(&intake), &data);
        let at = |file: &str| home.join(file).display().to_string();
        assert!(may(&at("intake/wiki.xml")) && may("https://example.org/oai"));
        for refused in [at("wiki.xml"), at("intake/../wiki.xml"), at("intake/data/wiki.xml"), at("intake/none.xml")] {
            assert!(!may(&refused), "{refused}");
        }
        assert!(!may("wiki.xml") && !may(&format!("files:{}", at("intake/wiki.xml"))));
        assert!(!may_be_read(&at("intake/wiki.xml").parse().unwrap(), None, &data));
    }
}
