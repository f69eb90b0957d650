//! A second factor: codes that an authenticator app makes of a key and the time (TOTP, RFC 6238, with SHA-1, six digits, 30 s, as all
//! apps know them).

use crate::store::secret;
use totp_rs::{Builder, Secret};

/// A new key, of 160 random bits, as people type it.
pub fn new_key() -> String {
    Secret::from(secret::random::<20>()).to_base32()
}

/// The time step whose code this is, if it is that of now or one beside it, and later than the last one that was used. None too if
/// the key has less than the 128 bits that the standard wants.
pub fn step_of(key: &str, given: &str, now: i64, last: i64) -> Option<i64> {
    let given: String = given.chars().filter(|c| !c.is_whitespace()).collect();
    let totp = Builder::new().with_secret(Secret::try_from_base32(key).ok()?).build().ok()?;
    let step = totp.check(&given, u64::try_from(now).ok()?)?;
    i64::try_from(step).ok().filter(|step| *step > last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard_and_each_is_good_once() {
        // RFC 6238, appendix B: the last six of its eight digits.
        let key = Secret::from(*b"12345678901234567890").to_base32();
        for (at, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            let step = step_of(&key, code, at + 30, 0).unwrap();
            assert_eq!(step, at / 30, "a clock may be half a minute late");
            assert_eq!(
                step_of(&key, &format!(" {} {} ", &code[..3], &code[3..]), at, step - 1),
                Some(step),
                "as apps show it"
            );
            assert_eq!(step_of(&key, code, at, step), None, "used");
            assert_eq!(step_of(&key, code, at + 90, 0), None, "old");
        }
        let short = Secret::from(*b"short").to_base32();
        for key in ["", "no key!", &short] {
            assert!((0..1000).all(|n| step_of(key, &format!("{n:06}"), 59, 0).is_none()), "{key}");
        }
        assert_ne!(new_key(), new_key());
    }
}
