//! Erasing what rounds keep no longer, and not because a clock jumped.
//!
//! What is erased is gone, so a clock that says 2040 for an hour must erase nothing. Each look writes down its time. One whose
//! time is not about an hour after the last one's is no proof of anything, and for a day of looks after it nothing is erased.

use crate::app::{App, repeat};
use crate::fault::Fault;
use crate::mail::outbox;
use crate::people::waiting;
use crate::store::Transaction;
use crate::store::{now, rows};
use crate::{batches, erase, lti, submissions, webhooks};
use rusqlite::params;
use std::sync::Arc;
use std::time::Duration;

/// How often it is looked.
const EVERY: Duration = Duration::from_secs(3600);
/// Seconds that two looks may be apart: a server may stand still over a weekend.
const LONGEST_PAUSE: i64 = 3 * 86_400;
/// Seconds for which an archive waits for somebody to start its checks.
const ARCHIVES_WAIT: i64 = 7 * 86_400;
/// Seconds for which a file stays that could not be read: whoever mends the reason can start its check again.
const UNREADABLE_STAYS: i64 = 7 * 86_400;
/// Looks that pass after a jump before anything is erased.
const LOOKS_AFTER_JUMP: i64 = 24;

/// Looks now and every hour, for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    repeat(app, "retention", EVERY, look).await;
}

fn look(app: &App) -> Result<(), Fault> {
    app.store.write(|t| match lti::platforms::all(t)?.is_empty() {
        true => Ok(()),
        false => lti::keys::turn(t, now()),
    })?;
    if !app.store.write(|t| may_erase(t, now()))? {
        return Ok(());
    }
    batches::forget_before(app, now() - ARCHIVES_WAIT)?;
    app.store.write(|t| waiting::forget_old(t, now()))?;
    app.store.write(|t| outbox::forget_old(t, now()))?;
    app.store.write(|t| webhooks::rows::forget_old(t, now()))?;
    let ended = now() - UNREADABLE_STAYS;
    app.remove_files(&app.store.write(|t| submissions::forget_unreadable(t, "j.ended < ?1", [ended]))?);
    for id in app.store.read(|c| erase::overdue(c, now()))? {
        let erased = app.store.write(|t| erase::submission(t, &id, None))?;
        erase::finish(app, &erased);
    }
    Ok(())
}

/// Whether the clock is to be believed at a look, which is written down.
///
/// # Errors
/// When the database cannot be written.
fn may_erase(t: &Transaction<'_>, now: i64) -> Result<bool, rusqlite::Error> {
    let sql = "SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?1";
    let known = |name: &str| rows::first::<i64>(t, sql, [name]);
    let waiting = match (known("retention_look")?, known("retention_wait")?) {
        // Nothing was handed in before the first look.
        (None, _) => 0,
        (Some(last), _) if !(0..=LONGEST_PAUSE).contains(&(now - last)) => LOOKS_AFTER_JUMP,
        (Some(_), waiting) => (waiting.unwrap_or(0) - 1).max(0),
    };
    for (name, value) in [("retention_look", now), ("retention_wait", waiting)] {
        t.execute("INSERT OR REPLACE INTO setting VALUES (?1, ?2)", params![name, value.to_string()])?;
    }
    Ok(waiting == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn after_a_jump_of_the_clock_nothing_is_erased_for_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        let hour = |n: i64| 1_800_000_000 + n * 3600;
        let look = |now: i64| store.write(|t| may_erase(t, now)).unwrap();
        assert!(look(hour(0)) && look(hour(1)) && look(hour(60)), "a weekend is no jump");
        for jumped in [hour(100_000), hour(61)] {
            assert!(!look(jumped), "forward, and back again");
        }
        let waited = (62..200).find(|n| look(hour(*n))).unwrap();
        assert_eq!(waited, 61 + LOOKS_AFTER_JUMP);
        assert!(look(hour(waited + 1)));
    }
}
