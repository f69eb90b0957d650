//! The key that whoever has the database alone does not have. It seals the rows of the audit log and the keys of second factors. It
//! stands in a file beside the database, which backups leave out.

use super::rows;
use super::secret::{self, from_hexadecimal, hexadecimal};
use crate::data_error::DataError;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file, beside the database.
pub const KEY: &str = "service.key";

/// Bytes of the nonce of XChaCha20-Poly1305: enough for random ones not to meet.
const NONCE: usize = 24;

/// The setting by which a database tells which key it wants.
const SETTING: &str = "key";

/// What the file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    /// 256 random bits in hexadecimal.
    key: String,
    /// The last row of the audit log when the key was made: number and chain.
    after: (i64, String),
    /// Whether that row and those before were sealed by a key that was lost; otherwise by none.
    lost: bool,
}

/// A key.
#[derive(Debug, Clone)]
pub struct Key {
    written: Written,
    /// What rows of the audit log are sealed with.
    audit: [u8; 32],
    /// What the keys of second factors are sealed with.
    factors: [u8; 32],
    /// A name of the key that does not tell it.
    id: String,
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // Keys of any length are taken.
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("HMAC takes every key");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

impl Key {
    fn of(written: Written) -> Option<Self> {
        let bytes: [u8; 32] = from_hexadecimal(&written.key)?.try_into().ok()?;
        let of = |purpose: &str| mac(&bytes, &[purpose.as_bytes()]);
        let id = hexadecimal(&of("id")[..8]);
        Some(Key { audit: of("audit"), factors: of("second factors"), id, written })
    }

    /// The key of a database.
    ///
    /// # Errors
    /// When its file is not there, or holds none.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        let written = std::fs::read(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => DataError::NoKey { path: path.to_owned() },
            _ => DataError::Io { path: path.to_owned(), error },
        })?;
        let key = serde_json::from_slice(&written).ok().and_then(Key::of);
        key.ok_or_else(|| DataError::OtherKey { path: path.to_owned() })
    }

    /// Makes a key after these rows of the audit log, and writes it.
    fn make(path: &Path, after: &(i64, Vec<u8>), lost: bool) -> Result<Self, DataError> {
        let after = (after.0, hexadecimal(&after.1));
        let written = Written { key: hexadecimal(&secret::random::<32>()), after, lost };
        let put = || {
            let folder = path.parent().unwrap_or(Path::new("."));
            // For its owner alone, and whole or not there.
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            serde_json::to_writer(&mut file, &written)?;
            file.write_all(b"\n")?;
            file.as_file().sync_all()?;
            file.persist_noclobber(path)?;
            #[cfg(unix)]
            std::fs::File::open(folder)?.sync_all()?;
            Ok(())
        };
        put().map_err(DataError::io(path))?;
        Key::read(path)
    }

    /// The seal of a row of the audit log, of these parts.
    pub fn seal_row(&self, parts: &[&[u8]]) -> [u8; 32] {
        mac(&self.audit, parts)
    }

    /// The last row of the audit log that is not sealed by this key, with its chain in hexadecimal, and whether it and those before are
    /// sealed by a key that was lost.
    pub fn begins_after(&self) -> (i64, &str, bool) {
        (self.written.after.0, &self.written.after.1, self.written.lost)
    }

    /// The key of a person's second factor, sealed: nonce and ciphertext in hexadecimal. It opens for the same person alone.
    pub fn seal_factor(&self, person: &str, factor: &str) -> String {
        let nonce = secret::random::<NONCE>();
        let text = Payload { msg: factor.as_bytes(), aad: person.as_bytes() };
        // It fails beyond 256 GB.
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), text).expect("a key is short");
        hexadecimal(&[&nonce[..], &sealed].concat())
    }

    /// What was sealed so for this person; none if it is anything else.
    pub fn open_factor(&self, person: &str, sealed: &str) -> Option<String> {
        let sealed = from_hexadecimal(sealed)?;
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let text = Payload { msg: sealed, aad: person.as_bytes() };
        String::from_utf8(self.cipher().decrypt(&XNonce::from(*nonce), text).ok()?).ok()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.factors.into())
    }
}

/// Where the key of a database stands.
pub fn beside(database: &Path) -> PathBuf {
    database.with_file_name(KEY)
}

/// The key of a database. A new database, or one of a version without keys, gets one if it may.
///
/// # Errors
/// When the key is not there, or is that of another database.
pub fn of(database: &Path, connection: &mut Connection, may_make: bool) -> Result<Key, DataError> {
    let (path, failed) = (beside(database), DataError::sqlite(database));
    let sql = "SELECT value FROM setting WHERE name = ?1";
    let wanted: Option<String> = rows::first(connection, sql, [SETTING]).map_err(&failed)?;
    if wanted.is_none() && may_make {
        let last = "SELECT n, chain FROM audit ORDER BY n DESC LIMIT 1";
        let last = rows::first(connection, last, []).map_err(&failed)?.unwrap_or_default();
        let key = if path.exists() { Key::read(&path)? } else { Key::make(&path, &last, false)? };
        begin(connection, &key).map_err(failed)?;
        return Ok(key);
    }
    let key = Key::read(&path)?;
    if wanted.as_ref() == Some(&key.id) { Ok(key) } else { Err(DataError::OtherKey { path }) }
}

/// Seals what stood in a database as it was, and tells it its key.
fn begin(connection: &mut Connection, key: &Key) -> Result<(), rusqlite::Error> {
    let t = connection.transaction()?;
    let factors: Vec<(String, String)> = rows::all(&t, "SELECT id, totp FROM person WHERE totp IS NOT NULL", [])?;
    for (person, factor) in factors {
        let sealed = key.seal_factor(&person, &factor);
        t.execute("UPDATE person SET totp = ?2 WHERE id = ?1", params![person, sealed])?;
    }
    t.execute("INSERT OR REPLACE INTO setting VALUES (?1, ?2)", params![SETTING, key.id])?;
    t.commit()
}

/// Gives a restored database its key: the one in a file, or a new one where that was lost. Then second factors end, because nothing
/// opens them, and rows of the audit log from before can no longer be verified. Gives whether it was lost.
///
/// # Errors
/// When the file holds another key.
pub fn restore(database: &Path, key: Option<&Path>) -> Result<bool, DataError> {
    let (path, failed) = (beside(database), DataError::sqlite(database));
    if let Some(from) = key {
        let put = || {
            let mut file = tempfile::NamedTempFile::new_in(database.parent().unwrap_or(Path::new(".")))?;
            io::copy(&mut std::fs::File::open(from)?, &mut file)?;
            file.persist_noclobber(&path)?;
            Ok(false)
        };
        return put().map_err(DataError::io(from));
    }
    let mut connection = Connection::open(database).map_err(&failed)?;
    let wanted = rows::exists(&connection, "SELECT 1 FROM setting WHERE name = ?1", [SETTING]).map_err(&failed)?;
    if wanted {
        let last = "SELECT n, chain FROM audit ORDER BY n DESC LIMIT 1";
        let last = rows::first(&connection, last, []).map_err(&failed)?.unwrap_or_default();
        let key = Key::make(&path, &last, true)?;
        connection.execute("UPDATE person SET totp = NULL", []).map_err(&failed)?;
        begin(&mut connection, &key).map_err(failed)?;
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn a_second_factor_opens_for_its_person_and_with_its_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| Key::make(&folder.path().join(name), &(0, Vec::new()), false).unwrap();
        let (key, other) = (make("one"), make("other"));
        let sealed = key.seal_factor("person", "JBSWY3DPEHPK3PXP");
        assert!(!sealed.contains("JBSWY3DPEHPK3PXP"));
        assert_eq!(key.open_factor("person", &sealed).as_deref(), Some("JBSWY3DPEHPK3PXP"));
        assert_eq!(
            Key::read(&folder.path().join("one")).unwrap().open_factor("person", &sealed),
            key.open_factor("person", &sealed)
        );
        assert_ne!(key.seal_factor("person", "JBSWY3DPEHPK3PXP"), sealed);
        let changed = format!("{}{}", if sealed.starts_with('0') { '1' } else { '0' }, &sealed[1..]);
        for (key, person, sealed) in [
            (&other, "person", sealed.as_str()),
            (&key, "another", &sealed),
            (&key, "person", &changed),
            (&key, "person", &sealed[..60]),
            (&key, "person", "JBSWY3DPEHPK3PXP"),
            (&key, "person", ""),
        ] {
            assert_eq!(key.open_factor(person, sealed), None, "{person} {sealed}");
        }
    }

    #[test]
    fn second_factors_of_a_database_without_a_key_are_sealed_when_it_gets_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("service.db");
        let store = Store::open(&path).unwrap();
        // As an earlier version left it.
        store
            .write(|t| {
                t.execute(
                    "INSERT INTO person(id, totp, state, made) VALUES ('p', 'JBSWY3DPEHPK3PXP', 'active', 0)",
                    [],
                )?;
                t.execute("DELETE FROM setting WHERE name = ?1", [SETTING])
            })
            .unwrap();
        drop(store);
        std::fs::remove_file(beside(&path)).unwrap();
        assert!(matches!(Store::open_as_it_is(&path), Err(DataError::NoKey { .. })), "who only looks makes no key");
        for _ in 0..2 {
            let store = Store::open(&path).unwrap();
            let sealed: String = store.read(|c| rows::one(c, "SELECT totp FROM person", [])).unwrap();
            assert_eq!(store.key().open_factor("p", &sealed).as_deref(), Some("JBSWY3DPEHPK3PXP"));
        }
    }
}
