use super::*;
use crate::store::Store;

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("service.db")).unwrap();
    (folder, store)
}

fn queue(store: &Store, jobs: &[(i64, &str, Option<&str>)]) -> Vec<i64> {
    let add = |(n, &(lane, fair, folder)): (usize, &(i64, &str, Option<&str>))| {
        // Without a folder of its own it waits for no other.
        let folder = folder.map_or(format!("folder {n}"), str::to_owned);
        store.write(|t| add(t, &Task::Fill { folder, from: PathBuf::new(), unread: Vec::new() }, lane, fair)).unwrap()
    };
    jobs.iter().enumerate().map(add).collect()
}

fn next(store: &Store) -> Option<i64> {
    store.write(|t| claim(t, "server")).unwrap().map(|claimed| claimed.id)
}

fn state(store: &Store, id: i64) -> State {
    store.read(|c| rows::one(c, "SELECT state FROM job WHERE id = ?1", [id])).unwrap()
}

#[test]
fn single_checks_go_before_batches_and_rounds_take_turns() {
    let (_folder, store) = store();
    queue(&store, &[(1, "a", None), (1, "a", None), (1, "a", None), (1, "b", None), (0, "c", None), (1, "b", None)]);
    let order: Vec<i64> = std::iter::from_fn(|| next(&store)).collect();
    assert_eq!(order, [5, 1, 4, 2, 6, 3]);
}

#[test]
fn an_index_is_changed_by_one_job_at_a_time() {
    let (_folder, store) = store();
    queue(&store, &[(0, "a", Some("x")), (0, "a", Some("x")), (0, "a", Some("y"))]);
    assert_eq!([next(&store), next(&store), next(&store)], [Some(1), Some(3), None]);
    assert!(store.write(|t| end(t, 1, "server", State::Done, None, None)).unwrap());
    assert_eq!(next(&store), Some(2));
}

#[test]
fn a_job_that_kills_its_worker_goes_last_and_fails_the_third_time() {
    let (_folder, store) = store();
    queue(&store, &[(0, "a", None), (0, "a", None)]);
    assert_eq!(next(&store), Some(1));
    store.write(|t| worker_died(t, 1, "server")).unwrap();
    assert_eq!(next(&store), Some(2), "nobody waits for it");
    for expected in [State::Queued, State::Failed] {
        assert_eq!(next(&store), Some(1));
        store.write(|t| worker_died(t, 1, "server")).unwrap();
        assert_eq!(state(&store, 1), expected);
    }
}

#[test]
fn the_death_of_the_server_is_held_against_no_job() {
    let (_folder, store) = store();
    queue(&store, &[(0, "a", None)]);
    for _ in 0..5 {
        assert_eq!(next(&store), Some(1));
        assert_eq!(store.write(recover).unwrap(), 1);
    }
    for expected in [State::Queued, State::Queued, State::Failed] {
        assert_eq!(next(&store), Some(1));
        store.write(|t| worker_died(t, 1, "server")).unwrap();
        assert_eq!(state(&store, 1), expected);
    }
}

#[test]
fn what_was_cancelled_or_belongs_to_a_dead_server_ends_no_more() {
    let (_folder, store) = store();
    queue(&store, &[(0, "a", None), (0, "a", None)]);
    next(&store);
    assert!(store.write(|t| cancel(t, 1)).unwrap());
    assert!(!store.write(|t| end(t, 1, "server", State::Done, None, None)).unwrap());
    assert!(!store.write(|t| cancel(t, 1)).unwrap());
    next(&store);
    assert!(!store.write(|t| end(t, 2, "another server", State::Done, None, None)).unwrap());
    assert_eq!([state(&store, 1), state(&store, 2)], [State::Cancelled, State::Running]);
}

#[test]
fn a_removal_never_fails_and_what_cannot_be_done_waits_for_longer_each_time() {
    let (_folder, store) = store();
    let task = Task::Remove { folder: "x".to_owned(), ids: vec!["submission-1".to_owned()] };
    store.write(|t| add(t, &task, 0, "erase")).unwrap();
    let at = |sql: &str| store.write(|t| t.execute(sql, [])).unwrap();
    for n in 0..12 {
        assert_eq!(next(&store), Some(1));
        let ended = |t: &Transaction<'_>| match n % 3 {
            0 => fail(t, 1, "server", "index", None),
            1 => t.execute("UPDATE job SET attempts = 3", []).and_then(|_| worker_died(t, 1, "server")),
            _ => postpone(t, 1, "server"),
        };
        store.write(ended).unwrap();
        assert_eq!((state(&store, 1), next(&store)), (State::Queued, None), "it waits");
        assert_eq!(store.read(being_removed).unwrap(), ["submission-1"]);
        let waits = "SELECT not_before - ?1 FROM job";
        let waits: i64 = store.read(|c| rows::one(c, waits, [now()])).unwrap();
        assert!((waits - (1 << n).min(LONGEST_PAUSE)).abs() <= 1, "{n}: {waits}");
        at("UPDATE job SET not_before = 0, attempts = 0");
    }
    assert_eq!(store.read(put_off).unwrap(), (1, 0));
    // A clock that was ten years ahead keeps it waiting no longer.
    at("UPDATE job SET not_before = 4000000000");
    assert_eq!(next(&store), Some(1));
}

#[test]
fn a_final_waits_until_all_that_enter_its_rounds_index_are_there_and_nobody_else_does() {
    let (folder, store) = store();
    let rows = "PRAGMA foreign_keys = OFF; \
        INSERT INTO submission(id, round, student, kind, attempt, file, bytes, received, by, state) VALUES \
        ('final', 'r', 's', 'final', 1, 'f', 1, 0, 'p', 'kept'), ('draft', 'r', 's', 'draft', 1, 'f', 1, 0, 'p', 'kept'), \
        ('other', 'r', 'o', 'final', 1, 'f', 1, 0, 'p', 'kept')";
    let path = folder.path().join("service.db");
    rusqlite::Connection::open(path).unwrap().execute_batch(rows).unwrap();
    let check = |of: &str| Task::Check { submission: of.to_owned(), beside: false };
    let enter =
        Task::Enter { submission: "other".into(), folder: "rounds/r".into(), replaces: Vec::new(), then_check: true };
    let ids: Vec<i64> = [(check("final"), 0), (enter, 1), (check("draft"), 1)]
        .iter()
        .map(|(task, lane)| store.write(|t| add(t, task, *lane, "r")).unwrap())
        .collect();
    assert_eq!([next(&store), next(&store), next(&store)], [Some(ids[1]), Some(ids[2]), None], "the index comes first");
    assert!(store.write(|t| end(t, ids[1], "server", State::Done, None, None)).unwrap());
    assert_eq!(next(&store), Some(ids[0]));
}
