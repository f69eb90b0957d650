//! The keys by which platforms know this service. A new one is published a day before it signs, so that no platform meets it unprepared.

use crate::fault::Fault;
use crate::store::rows::{self, read_by_name};
use crate::store::{Transaction, key::Key, secret};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use crypto_bigint::U1024;
use crypto_primes::{Flavor, random_prime};
use getrandom::{SysRng, rand_core::UnwrapErr};
use num_bigint::BigUint;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// Seconds for which a key signs.
const SIGNS: i64 = 90 * 86_400;
/// Seconds for which a new key is only published, and for which an old one still is.
const OVERLAP: i64 = 86_400;
/// The public exponent of all keys.
const EXPONENT: u32 = 65_537;

/// A key as it is kept.
struct Kept {
    kid: String,
    sealed: String,
    made: i64,
}

read_by_name!(Kept: kid sealed made);

/// The keys that are kept, the newest first.
fn all(connection: &Connection) -> Result<Vec<Kept>, rusqlite::Error> {
    rows::all(connection, "SELECT kid, sealed, made FROM platform_key ORDER BY made DESC, kid", [])
}

fn opened(key: &Key, kept: &Kept) -> Option<RsaKeyPair> {
    RsaKeyPair::from_der(&STANDARD.decode(key.open_factor(&kept.kid, &kept.sealed)?).ok()?).ok()
}

/// Makes the next key when it is time, and removes those that have signed nothing for long enough.
///
/// # Errors
/// When the database cannot be written.
pub fn turn(t: &Transaction<'_>, now: i64) -> Result<(), Fault> {
    let known = all(t)?;
    // A key that was lost with that of the service is none.
    if known.first().filter(|newest| opened(t.key, newest).is_some()).is_none_or(|newest| newest.made <= now - SIGNS) {
        let kid = secret::new_id();
        let sealed = t.key.seal_factor(&kid, &STANDARD.encode(make()));
        t.execute("INSERT INTO platform_key VALUES (?1, ?2, ?3)", params![kid, sealed, now])?;
    }
    let sql = "DELETE FROM platform_key WHERE EXISTS(SELECT 1 FROM platform_key newer WHERE newer.made > platform_key.made AND newer.made <= ?1)";
    t.execute(sql, [now - 2 * OVERLAP])?;
    Ok(())
}

/// The public keys as platforms read them (RFC 7517).
///
/// # Errors
/// When the database cannot be read.
pub fn published(connection: &Connection, key: &Key) -> Result<Value, rusqlite::Error> {
    let public = |kept: &Kept| {
        let parts: ring::rsa::PublicKeyComponents<Vec<u8>> = opened(key, kept)?.public().into();
        let [n, e] = [parts.n, parts.e].map(|part| URL_SAFE_NO_PAD.encode(part));
        Some(json!({ "kty": "RSA", "kid": kept.kid, "use": "sig", "alg": "RS256", "n": n, "e": e }))
    };
    Ok(json!({ "keys": all(connection)?.iter().filter_map(public).collect::<Vec<_>>() }))
}

/// A token with these claims, signed by the key whose time it is.
///
/// # Errors
/// When the database cannot be read, or there is no key.
pub fn signed(connection: &Connection, key: &Key, claims: &Value, now: i64) -> Result<String, Fault> {
    let none = || Fault::Failed("no key to sign with".to_owned());
    let known = all(connection)?;
    // The newest of those that have been published for long enough; the first key of all signs at once.
    let known = known.iter().find(|kept| kept.made <= now - OVERLAP).or(known.last()).ok_or_else(none)?;
    let pair = opened(key, known).ok_or_else(none)?;
    let head = json!({ "alg": "RS256", "typ": "JWT", "kid": known.kid });
    let message = [&head, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
    let mut signature = vec![0; pair.public().modulus_len()];
    let failed = |_| Fault::Failed("a token could not be signed".to_owned());
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).map_err(failed)?;
    Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

/// A new key of 2048 bits (PKCS #1, DER). ring, which signs, makes none itself; it looks at the parts when it reads them.
fn make() -> Vec<u8> {
    let one = BigUint::from(1_u32);
    let exponent = BigUint::from(EXPONENT);
    let prime =
        || BigUint::from_bytes_be(&random_prime::<U1024, _>(&mut UnwrapErr(SysRng), Flavor::Any, 1024).to_be_bytes());
    // Two primes in a few make no key: the product is a bit short, or the exponent has no inverse.
    loop {
        let (p, q) = (prime(), prime());
        let (p, q) = if p > q { (p, q) } else { (q, p) };
        let (modulus, phi) = (&p * &q, (&p - &one) * (&q - &one));
        let (Some(private), Some(inverse)) = (exponent.modinv(&phi), q.modinv(&p)) else { continue };
        let parts = [
            BigUint::ZERO,
            modulus,
            exponent.clone(),
            private.clone(),
            p.clone(),
            q.clone(),
            &private % (&p - &one),
            &private % (&q - &one),
            inverse,
        ];
        let der = sequence(&parts);
        if RsaKeyPair::from_der(&der).is_ok_and(|pair| pair.public().modulus_len() == 256) {
            return der;
        }
    }
}

/// Numbers as a sequence of DER.
fn sequence(numbers: &[BigUint]) -> Vec<u8> {
    let tagged = |tag: u8, content: &[u8]| {
        let (count, bytes) = (content.len(), content.len().to_be_bytes());
        let length = &bytes[count.leading_zeros() as usize / 8..];
        let head = if count < 128 { vec![count as u8] } else { [&[0x80 | length.len() as u8], length].concat() };
        [&[tag], &head[..], content].concat()
    };
    let number = |number: &BigUint| {
        let bytes = number.to_bytes_be();
        // A first bit that is set would say that it is negative.
        let sign: &[u8] = if bytes[0] >= 0x80 { &[0] } else { &[] };
        tagged(2, &[sign, &bytes].concat())
    };
    tagged(0x30, &numbers.iter().flat_map(number).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::jws::Keys;
    use crate::store::Store;

    #[test]
    fn a_new_key_is_published_before_it_signs_and_an_old_one_after_it_has_signed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("service.db")).unwrap();
        let start = 1_800_000_000;
        let look = |day: i64| {
            let now = start + day * 86_400;
            store.write(|t| turn(t, now)).unwrap();
            let document = store.read(|c| published(c, store.key())).unwrap();
            let token = store.read(|c| signed(c, store.key(), &json!({ "day": day }), now)).unwrap();
            let kid = token.split('.').next().map(|head| URL_SAFE_NO_PAD.decode(head).unwrap()).unwrap();
            let kid = serde_json::from_slice::<Value>(&kid).unwrap()["kid"].as_str().unwrap().to_owned();
            let claims = Keys::of(document.to_string().as_bytes()).unwrap().claims(&token).unwrap();
            assert_eq!(claims["day"], day, "what is signed is verified by what is published");
            (kid, document["keys"].as_array().unwrap().len())
        };
        let first = look(0);
        assert_eq!(first.1, 1);
        assert_eq!(look(89), first);
        assert_eq!(look(90), (first.0.clone(), 2), "the next is published");
        let (second, count) = look(91);
        assert!(second != first.0 && count == 2, "and signs a day later");
        assert_eq!(look(92), (second.clone(), 1), "the first goes");
        let sealed: String = store.read(|c| rows::one(c, "SELECT sealed FROM platform_key", [])).unwrap();
        assert!(STANDARD.decode(&sealed).is_err() || RsaKeyPair::from_der(&STANDARD.decode(&sealed).unwrap()).is_err());
    }
}
