//! Lists of people that were shown and wait for whoever brought them, through a restart too.

use crate::fault::Fault;
use crate::store::rows;
use crate::store::{Transaction, now, secret};
use rusqlite::{Connection, params};

/// A list as it was read: rows of cells.
pub type List = Vec<Vec<String>>;

/// Lists that wait at once; the oldest goes for a new one, and its file is to be chosen again.
const MOST: i64 = 16;
/// Seconds for which a list waits: it is full of names that nobody may want any more.
const LASTS: i64 = 86_400;

/// Keeps a list for whoever brought it, and gives its id.
///
/// # Errors
/// When the database cannot be written.
pub fn keep(t: &Transaction<'_>, by: &str, list: &List) -> Result<String, Fault> {
    let id = secret::new_id();
    let row = params![id, by, serde_json::to_string(list)?, now()];
    t.execute("INSERT INTO waiting_list VALUES (?1, ?2, ?3, ?4)", row)?;
    let kept = "SELECT id FROM waiting_list ORDER BY id = ?1 DESC, made DESC, id LIMIT ?2";
    t.execute(&format!("DELETE FROM waiting_list WHERE id NOT IN ({kept})"), params![id, MOST])?;
    forget_old(t, now())?;
    Ok(id)
}

/// The list of this id that a person brought; it stays until it is forgotten.
///
/// # Errors
/// When the database cannot be read.
pub fn of(connection: &Connection, by: &str, id: &str) -> Result<Option<List>, Fault> {
    let sql = "SELECT cells FROM waiting_list WHERE id = ?1 AND person = ?2 AND made > ?3";
    let cells: Option<String> = rows::first(connection, sql, params![id, by, now() - LASTS])?;
    Ok(cells.map(|cells| serde_json::from_str(&cells)).transpose()?)
}

/// Forgets a list.
///
/// # Errors
/// When the database cannot be written.
pub fn forget(t: &Transaction<'_>, id: &str) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM waiting_list WHERE id = ?1", [id]).map(drop)
}

/// Forgets all lists: whoever is erased may stand on any of them.
///
/// # Errors
/// When the database cannot be written.
pub fn forget_all(t: &Transaction<'_>) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM waiting_list", []).map(drop)
}

/// Forgets the lists that have waited too long at this time.
///
/// # Errors
/// When the database cannot be written.
pub fn forget_old(t: &Transaction<'_>, now: i64) -> Result<(), rusqlite::Error> {
    t.execute("DELETE FROM waiting_list WHERE made <= ?1", [now - LASTS]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::people::put;
    use crate::store::Store;

    #[test]
    fn a_list_waits_for_whoever_brought_it_through_a_restart_and_the_oldest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(&folder.path().join("service.db")).unwrap();
        let rows = |name: &str| vec![vec![name.to_owned()]];
        let store = open();
        let (person, ids) = store
            .write(|t| {
                let person = put(t, "a", "A")?;
                let ids: Vec<String> =
                    (0..=MOST).map(|n| keep(t, &person, &rows(&n.to_string()))).collect::<Result<_, _>>()?;
                Ok::<_, Fault>((person, ids))
            })
            .unwrap();
        drop(store);
        let store = open();
        let of = |by: &str, id: &String| store.read(|c| of(c, by, id)).unwrap();
        assert_eq!(ids.iter().filter(|id| of(&person, id).is_some()).count(), MOST as usize);
        let last = ids.last().unwrap();
        assert_eq!((of(&person, last), of("another", last)), (Some(rows(&MOST.to_string())), None));
        store.write(|t| forget_old(t, now() + LASTS + 1)).unwrap();
        assert_eq!(of(&person, last), None, "a day is over");
    }
}
