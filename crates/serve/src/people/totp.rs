//! A second factor: codes that an authenticator app makes of a key and the time (TOTP, RFC 6238, with SHA-1, six digits, 30 s, as all
//! apps know them).

use crate::store::secret;
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

/// Seconds of a time step.
const STEP: i64 = 30;
/// Steps by which a clock may be wrong.
const WRONG: i64 = 1;

/// A new key, of 160 random bits, as people type it.
pub fn new_key() -> String {
    BASE32_NOPAD.encode(&secret::random::<20>())
}

/// The code of a key at a time step; none if the key is none.
pub fn code(key: &str, step: i64) -> Option<String> {
    let key = BASE32_NOPAD.decode(key.as_bytes()).ok()?;
    let mut mac = Hmac::<Sha1>::new_from_slice(&key).ok()?;
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let at = usize::from(hash[19] & 0xf);
    let number = u32::from_be_bytes([hash[at] & 0x7f, hash[at + 1], hash[at + 2], hash[at + 3]]);
    Some(format!("{:06}", number % 1_000_000))
}

/// The time step whose code this is, if it is one of now and later than the last one that was used.
pub fn step_of(key: &str, given: &str, now: i64, last: i64) -> Option<i64> {
    let given: String = given.chars().filter(|c| !c.is_whitespace()).collect();
    let now = now / STEP;
    (now - WRONG..=now + WRONG).find(|step| *step > last && code(key, *step).is_some_and(|code| code == given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard_and_each_is_good_once() {
        // RFC 6238, appendix B: the last six of its eight digits.
        let key = BASE32_NOPAD.encode(b"12345678901234567890");
        for (at, expected) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            assert_eq!(code(&key, at / STEP).as_deref(), Some(expected));
            let step = step_of(&key, expected, at + STEP, 0).unwrap();
            assert_eq!(step, at / STEP, "a clock may be half a minute late");
            assert_eq!(step_of(&key, expected, at, step), None, "used");
            assert_eq!(step_of(&key, expected, at + 3 * STEP, 0), None, "old");
        }
        assert_eq!(code("no key!", 1), None);
        assert_ne!(new_key(), new_key());
    }
}
