//! The audit log: who did what, and when, in rows that each hold a seal over themselves and the seal of the one before.
//!
//! A row that was changed or taken out is found by [`verify`]. Seals are HMACs, so whoever has the database and not its
//! [key](crate::store::key) cannot seal the rows anew. Rows that are taken from the end, and whatever is done by who has both, are found
//! by a [`head`] that was noted elsewhere. Heads go to the log, and all rows to a copy on another disk if whoever runs the server names
//! one. Rows hold ids only, no names and no wording, so a person can be erased and the chain stays whole.

use crate::fault::Fault;
use crate::folder::DATABASE;
use crate::log;
use crate::store::Store;
use crate::store::Transaction;
use crate::store::key::Key;
use crate::store::now;
use crate::store::rows::{self, FromRow, read_by_name};
use crate::store::secret::hexadecimal;
use crate::store::word::worded;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

worded! {
    /// What a row tells that was done. Pages have words for each under its name.
    #[expect(missing_docs, reason = "their words say it, in the files of messages")]
    Action:
    AddDeployment "add_deployment";
    AddHarvest "add_harvest";
    AddTemplate "add_template";
    Agree "agree";
    AgreeToShare "agree_to_share";
    AllowChecks "allow_checks";
    Appeal "appeal";
    AskWording "ask_wording";
    Cancel "cancel";
    ChangePassword "change_password";
    ChangeRound "change_round";
    ChangeUnit "change_unit";
    CheckAgain "check_again";
    ChoosePassword "choose_password";
    CorrectStudent "correct_student";
    CreateCollection "create_collection";
    CreateRound "create_round";
    CreateUnit "create_unit";
    Demo "demo";
    Deposit "deposit";
    EndSession "end_session";
    EndSharing "end_sharing";
    Enrol "enrol";
    ErasePerson "erase_person";
    EraseSubmission "erase_submission";
    Exclude "exclude";
    ExportPerson "export_person";
    FetchFile "fetch_file";
    FetchSheet "fetch_sheet";
    FillCollection "fill_collection";
    FirstStart "first_start";
    ForgetIdentity "forget_identity";
    GiveFile "give_file";
    GiveRole "give_role";
    GrantWording "grant_wording";
    ImportPeople "import_people";
    Invite "invite";
    InvitePlatform "invite_platform";
    LetIn "let_in";
    LinkRound "link_round";
    MakePerson "make_person";
    MakePlatform "make_platform";
    MakeToken "make_token";
    MakeViewer "make_viewer";
    MakeWebhook "make_webhook";
    NameReviewer "name_reviewer";
    OfferCollection "offer_collection";
    RefuseWording "refuse_wording";
    RemoveCollection "remove_collection";
    RemoveDocuments "remove_documents";
    RemoveHarvest "remove_harvest";
    RemovePlatform "remove_platform";
    RemoveRound "remove_round";
    RemoveSecondFactor "remove_second_factor";
    RemoveStudent "remove_student";
    RemoveTemplate "remove_template";
    RemoveUnit "remove_unit";
    RemoveWebhook "remove_webhook";
    RenamePerson "rename_person";
    ResetPassword "reset_password";
    Review "review";
    Revoke "revoke";
    RevokeToken "revoke_token";
    RevokeWording "revoke_wording";
    RunHarvest "run_harvest";
    SetMail "set_mail";
    SetScore "set_score";
    SetSecondFactor "set_second_factor";
    ShutOut "shut_out";
    SignIn "sign_in";
    SignInFailed "sign_in_failed";
    Submit "submit";
    TakeReviewerBack "take_reviewer_back";
    TakeRole "take_role";
    UploadBatch "upload_batch";
    Verdict "verdict";
    ViewReport "view_report";
    WriteTerms "write_terms";
}

/// One row.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its number, from 1.
    pub n: i64,
    /// When, in seconds since 1970 (UTC).
    pub at: i64,
    /// Who; none for the program itself and for somebody who is not signed in.
    pub person: Option<String>,
    /// What was done.
    pub action: String,
    /// To which object, by its id.
    pub object: String,
    /// What else is told.
    pub detail: String,
    /// The seal of this row and, through the one before, of all earlier ones.
    pub chain: Vec<u8>,
}

impl Entry {
    /// What is sealed of this row.
    fn content(&self) -> Vec<u8> {
        let mut content = [self.n.to_le_bytes(), self.at.to_le_bytes()].concat();
        for field in [self.person.as_deref().unwrap_or_default(), &self.action, &self.object, &self.detail] {
            content.extend((field.len() as u64).to_le_bytes());
            content.extend(field.as_bytes());
        }
        content
    }

    /// The seal that belongs to this row after one with the seal `before`.
    fn seal(&self, key: &Key, before: &[u8]) -> [u8; 32] {
        key.seal_row(&[before, &self.content()])
    }

    /// The same of a row from before there were keys: a hash.
    fn seal_without_key(&self, before: &[u8]) -> [u8; 32] {
        Sha256::digest([before, &self.content()].concat()).into()
    }
}

read_by_name!(Entry: n at person action object detail chain);

/// The number and seal of the last row; 0 and nothing when there is none.
///
/// # Errors
/// When the database cannot be read.
pub fn head(connection: &Connection) -> Result<(i64, Vec<u8>), rusqlite::Error> {
    let last = "SELECT n, chain FROM audit ORDER BY n DESC LIMIT 1";
    Ok(rows::first(connection, last, [])?.unwrap_or_default())
}

/// A head as people note it: the number of a row and its seal in hexadecimal, with a colon between them.
pub fn noted((n, chain): &(i64, Vec<u8>)) -> String {
    format!("{n}:{}", hexadecimal(chain))
}

/// Whether the row of a head that was noted elsewhere is still what it was.
///
/// # Errors
/// When the database cannot be read.
pub fn holds(connection: &Connection, head: &str) -> Result<bool, rusqlite::Error> {
    let Some(n) = head.split(':').next().and_then(|n| n.parse::<i64>().ok()) else { return Ok(false) };
    let sql = "SELECT chain FROM audit WHERE n = ?1";
    let chain: Option<Vec<u8>> = connection.prepare(sql)?.query_row([n], |row| row.get(0)).optional()?;
    // Nothing has been done yet, and that is how it began.
    Ok(chain.map_or(n == 0, |chain| noted(&(n, chain)) == head.trim()))
}

/// Seconds within which somebody's looks at the same thing are one row.
const ONE_LOOK: i64 = 3600;

/// Adds a row that somebody looked at something, unless there is one of a moment ago.
///
/// # Errors
/// When the database cannot be written.
pub fn look(store: &Store, person: Option<&str>, action: Action, object: &str) -> Result<(), Fault> {
    let sql = "SELECT 1 FROM audit WHERE object = ?1 AND action = ?2 AND person IS ?3 AND at BETWEEN ?4 AND ?5";
    let (since, now) = (now() - ONE_LOOK, now());
    if store.read(|c| rows::exists(c, sql, params![object, action, person, since, now]))? {
        return Ok(());
    }
    store.write(|t| record(t, person, action, object, ""))
}

/// Adds a row, in the transaction of what it tells.
///
/// # Errors
/// When the database cannot be written.
pub fn record(
    transaction: &Transaction<'_>,
    person: Option<&str>,
    action: Action,
    object: &str,
    detail: &str,
) -> Result<(), Fault> {
    let (last, before) = head(transaction)?;
    let mut entry = Entry {
        n: last + 1,
        at: crate::store::now(),
        person: person.map(str::to_owned),
        action: action.as_str().to_owned(),
        object: object.to_owned(),
        detail: detail.to_owned(),
        chain: Vec::new(),
    };
    entry.chain = entry.seal(transaction.key, &before).to_vec();
    let Entry { n, at, person, action, object, detail, chain } = entry;
    let sql = "INSERT INTO audit(n, at, person, action, object, detail, chain) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    transaction.execute(sql, params![n, at, person, action, object, detail, chain])?;
    Ok(())
}

/// The id of a new unit or collection. No other has it, and none that was removed had it: what the log says of one by its id is never
/// taken for another's.
///
/// # Errors
/// When the database cannot be read.
pub fn next_id(connection: &Connection, table: &str) -> Result<i64, rusqlite::Error> {
    let sql = format!(
        "SELECT 1 + max((SELECT coalesce(max(id), 0) FROM {table}), \
         (SELECT coalesce(max(CAST(object AS INTEGER)), 0) FROM audit WHERE action = 'remove_{table}'))"
    );
    rows::one(connection, &sql, [])
}

/// Rows before the number `before`, the newest first.
///
/// # Errors
/// When the database cannot be read.
pub fn page(connection: &Connection, before: i64, most: usize) -> Result<Vec<Entry>, rusqlite::Error> {
    let sql = "SELECT n, at, person, action, object, detail, chain FROM audit WHERE n < ?1 ORDER BY n DESC LIMIT ?2";
    rows::all(connection, sql, params![before, most as i64])
}

/// A row with what its ids are called now; empty where that is not known, or no more.
#[derive(Debug, Clone)]
pub struct Named {
    /// The row.
    pub entry: Entry,
    /// Number and name of who did it.
    pub who: String,
    /// What the object is called: a person, round, unit or collection. Of a submission it is the round, for who handed it in may
    /// be nobody's to know.
    pub what: String,
}

impl FromRow for Named {
    fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Named { entry: Entry::from_row(row)?, who: row.get("who")?, what: row.get("what")? })
    }
}

/// At most `most` rows before the number `before`, the newest first: those in whose names or ids these characters are, or whose action
/// is one of `actions`. A supervisor, if one is named, is told of nobody whose work is yet to be marked without knowing whose it is: not
/// who did what, for the time of a row would tell whose a submission is.
///
/// # Errors
/// When the database cannot be read.
pub fn find(
    c: &Connection,
    before: i64,
    holds: &str,
    actions: &[String],
    supervisor: Option<&str>,
    most: usize,
) -> Result<Vec<Named>, Fault> {
    // Units and collections are numbered each by themselves, so the action tells which it is.
    let sql = "WITH unknown AS (SELECT DISTINCT e.student FROM enrolment e JOIN round r ON r.id = e.round \
               JOIN submission s ON s.round = e.round AND s.student = e.student \
               WHERE r.anonymous AND e.supervisor = ?5 AND s.state = 'kept' AND s.kind != 'self' \
               AND NOT EXISTS (SELECT 1 FROM verdict WHERE submission = s.id) \
               UNION SELECT v.student FROM reviewer v JOIN round r ON r.id = v.round WHERE r.blind IN ('author', 'both') AND v.person = ?5), \
               told AS (SELECT n, at, CASE WHEN is_known THEN person END AS person, action, \
               CASE WHEN is_known OR object != person THEN object ELSE '' END AS object, detail, chain \
               FROM (SELECT *, person IS NULL OR person NOT IN (SELECT student FROM unknown) AS is_known FROM audit WHERE n < ?1)), \
               named AS (SELECT a.n, a.at, a.person, a.action, a.object, a.detail, a.chain, \
               trim(coalesce(p.number, '') || ' ' || coalesce(p.name, '')) AS who, \
               CASE WHEN a.action LIKE '%_unit' THEN coalesce((SELECT name FROM unit WHERE id = a.object), '') \
               WHEN a.action LIKE '%_harvest' THEN coalesce((SELECT name FROM collection WHERE id = \
               (SELECT collection FROM harvest WHERE harvest.id = a.object)), '') \
               WHEN a.action LIKE '%_collection' OR a.action = 'remove_documents' \
               THEN coalesce((SELECT name FROM collection WHERE id = a.object), '') \
               ELSE coalesce((SELECT trim(coalesce(number, '') || ' ' || coalesce(name, '')) FROM person WHERE id = a.object), \
               (SELECT title FROM round WHERE id = a.object), \
               (SELECT title FROM round JOIN submission s ON s.round = round.id WHERE s.id = a.object), '') END AS what \
               FROM told a LEFT JOIN person p ON p.id = a.person) \
               SELECT * FROM named WHERE ?2 = '' OR action IN (SELECT value FROM json_each(?3)) \
               OR instr(lower(who || ' ' || what || ' ' || object || ' ' || coalesce(person, '')), lower(?2)) \
               ORDER BY n DESC LIMIT ?4";
    Ok(rows::all(c, sql, params![before, holds, serde_json::to_string(actions)?, most as i64, supervisor])?)
}

/// What was ever done, by the names of the actions.
///
/// # Errors
/// When the database cannot be read.
pub fn kinds(c: &Connection) -> Result<Vec<String>, rusqlite::Error> {
    rows::all(c, "SELECT DISTINCT action FROM audit", [])
}

/// The number of rows if all of them are as they were written, else the number of the first that is not. Of rows that were sealed with
/// a key that was lost only the last can be looked at.
///
/// # Errors
/// When the database cannot be read.
pub fn verify(connection: &Connection, key: &Key) -> Result<Result<i64, i64>, rusqlite::Error> {
    let (begins_after, last_before, lost) = key.begins_after();
    let mut statement =
        connection.prepare("SELECT n, at, person, action, object, detail, chain FROM audit ORDER BY n")?;
    let (mut expected, mut before) = (1, Vec::new());
    for entry in statement.query_map([], Entry::from_row)? {
        let entry = entry?;
        let sealed = match entry.n > begins_after {
            true => entry.seal(key, &before)[..] == entry.chain[..],
            false => {
                (lost || entry.seal_without_key(&before)[..] == entry.chain[..])
                    && (entry.n < begins_after || hexadecimal(&entry.chain) == last_before)
            }
        };
        if entry.n != expected || !sealed {
            return Ok(Err(expected));
        }
        (expected, before) = (expected + 1, entry.chain);
    }
    Ok(if expected > begins_after { Ok(expected - 1) } else { Err(expected) })
}

/// What was done to which object, as the log of a data folder tells it, or a copy of the log.
///
/// # Errors
/// When it cannot be read.
pub fn actions(log: &Path) -> Result<Vec<(String, String)>, Fault> {
    if log.is_dir() {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let connection = Connection::open_with_flags(log.join(DATABASE), flags)?;
        return Ok(rows::all(&connection, "SELECT action, object FROM audit ORDER BY n", [])?);
    }
    let copied = std::fs::read_to_string(log)?;
    let rows = copied.lines().map(serde_json::from_str::<Copied>);
    Ok(rows.map(|row| row.map(|row| (row.action, row.object))).collect::<Result<_, _>>()?)
}

/// A row as the copy of the log has it, a line of JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Copied {
    n: i64,
    at: i64,
    person: Option<String>,
    action: String,
    object: String,
    detail: String,
    /// In hexadecimal.
    chain: String,
}

/// Adds the rows after number `told` to a file elsewhere, and gives the number of the last.
///
/// # Errors
/// When the database cannot be read or the file cannot be written.
pub fn copy_after(connection: &Connection, told: i64, file: &Path) -> Result<i64, Fault> {
    let sql = "SELECT n, at, person, action, object, detail, chain FROM audit WHERE n > ?1 ORDER BY n";
    let mut lines = String::new();
    let mut last = told;
    for Entry { n, at, person, action, object, detail, chain } in rows::all::<Entry>(connection, sql, [told])? {
        let copied = Copied { n, at, person, action, object, detail, chain: hexadecimal(&chain) };
        lines.push_str(&serde_json::to_string(&copied)?);
        lines.push('\n');
        last = n;
    }
    if !lines.is_empty() {
        let mut target = std::fs::File::options().create(true).append(true).open(file)?;
        target.write_all(lines.as_bytes())?;
        target.sync_all()?;
    }
    Ok(last)
}

/// How often the copy is brought up to date.
const COPY: Duration = Duration::from_secs(2);
/// How often the head is told to the log, if there are new rows.
const TELL: Duration = Duration::from_secs(600);

/// Tells the head to the log and keeps a copy of all rows elsewhere, if one is wanted, for as long as the server runs.
pub async fn watch(store: Arc<Store>, file: Option<PathBuf>) {
    let (mut head, mut told, mut copied) = (String::new(), None::<Instant>, None);
    loop {
        let (shared, target) = (Arc::clone(&store), file.clone());
        let work = move || {
            shared.read(|c| {
                let copied = target.map(|file| {
                    // What is there already must be of this log.
                    let last = copied.map_or_else(|| agreeing(c, &file), Ok)?;
                    copy_after(c, last, &file)
                });
                Ok((copied.transpose()?, noted(&self::head(c)?)))
            })
        };
        match tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(Fault::Failed(error.to_string()))) {
            Ok((last, now)) => {
                copied = last;
                if now != head && told.is_none_or(|at| at.elapsed() > TELL) {
                    log::note("audit_head", &now);
                    (head, told) = (now, Some(Instant::now()));
                }
            }
            Err(fault) => {
                log::failed("audit", &format!("the copy is not kept: {fault:?}"));
                tokio::time::sleep(TELL).await;
            }
        }
        tokio::time::sleep(COPY).await;
    }
}

/// The rows of a copy by their heads, the last last; none when there is no copy yet.
fn copied_heads(file: &Path) -> Result<Vec<(i64, String)>, Fault> {
    let copied = match std::fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        copied => copied?,
    };
    let rows = copied.lines().map(serde_json::from_str::<Copied>);
    Ok(rows.map(|row| row.map(|row| (row.n, format!("{}:{}", row.n, row.chain)))).collect::<Result<_, _>>()?)
}

/// The number of the last row of a copy, which the log holds too.
fn agreeing(connection: &Connection, file: &Path) -> Result<i64, Fault> {
    match copied_heads(file)?.pop() {
        Some((_, head)) if !holds(connection, &head)? => {
            Err(Fault::Failed(format!("{}: holds the rows of another log", file.display())))
        }
        last => Ok(last.map_or(0, |(n, _)| n)),
    }
}

/// The first row of a copy that the log does not hold; none if it holds all.
///
/// # Errors
/// When one of them cannot be read.
pub fn differs_from(connection: &Connection, file: &Path) -> Result<Option<i64>, Fault> {
    for (n, head) in copied_heads(file)? {
        if !holds(connection, &head)? {
            return Ok(Some(n));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_changed_or_taken_out_is_found() {
        let changes = [
            ("UPDATE audit SET action = 'other' WHERE n = 3", Err(3)),
            ("UPDATE audit SET at = at + 1 WHERE n = 2", Err(2)),
            ("UPDATE audit SET person = NULL WHERE n = 4", Err(4)),
            ("DELETE FROM audit WHERE n = 1", Err(1)),
            ("UPDATE audit SET object = object || 'x', detail = '' WHERE n = 5", Err(5)),
            ("UPDATE setting SET value = ''", Ok(5)),
        ];
        for (change, expected) in changes {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(&folder.path().join("service.db")).unwrap();
            store
                .write(|t| (0..5).try_for_each(|n| record(t, Some("person"), Action::Submit, &n.to_string(), "x")))
                .unwrap();
            let verified = || store.read(|c| verify(c, store.key())).unwrap();
            assert_eq!(verified(), Ok(5));
            store.write(|t| t.execute(change, [])).unwrap();
            assert_eq!(verified(), expected, "{change}");
        }
    }

    /// Seals all rows anew as who has the database can, without its key.
    fn hash_anew(store: &Store) {
        store
            .write(|t| {
                let mut before = Vec::new();
                for row in page(t, i64::MAX, 1000)?.iter().rev() {
                    before = row.seal_without_key(&before).to_vec();
                    t.execute("UPDATE audit SET chain = ?2 WHERE n = ?1", params![row.n, before])?;
                }
                Ok::<_, rusqlite::Error>(())
            })
            .unwrap();
    }

    #[test]
    fn who_has_the_database_and_not_its_key_can_seal_no_row() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("service.db");
        let store = Store::open(&path).unwrap();
        let add = |store: &Store| store.write(|t| record(t, None, Action::Submit, "object", "")).unwrap();
        let verified = |store: &Store| store.read(|c| verify(c, store.key())).unwrap();
        (0..3).for_each(|_| add(&store));
        // A log from before there were keys: it gets one, and goes on.
        hash_anew(&store);
        assert_eq!(verified(&store), Err(1));
        store.write(|t| t.execute("DELETE FROM setting WHERE name = 'key'", [])).unwrap();
        drop(store);
        let key = crate::store::key::beside(&path);
        std::fs::remove_file(&key).unwrap();
        let store = Store::open(&path).unwrap();
        (0..3).for_each(|_| add(&store));
        assert_eq!(verified(&store), Ok(6));
        // Neither the rows of before nor those of since can be changed and sealed.
        let kept = store.read(|c| page(c, i64::MAX, 10)).unwrap();
        for (n, first) in [(2, 3), (5, 4)] {
            store.write(|t| t.execute("UPDATE audit SET action = 'nothing' WHERE n = ?1", [n])).unwrap();
            hash_anew(&store);
            assert_eq!(verified(&store), Err(first), "{n}");
            for row in &kept {
                let sql = "UPDATE audit SET action = ?2, chain = ?3 WHERE n = ?1";
                store.write(|t| t.execute(sql, params![row.n, row.action, row.chain])).unwrap();
            }
            assert_eq!(verified(&store), Ok(6));
        }
        store.write(|t| t.execute("DELETE FROM audit WHERE n > 2", [])).unwrap();
        assert_eq!(verified(&store), Err(3), "cut off before the row that its key knows");
        drop(store);
        std::fs::remove_file(&key).unwrap();
        assert!(matches!(Store::open(&path), Err(crate::data_error::DataError::NoKey { .. })));
    }
}
