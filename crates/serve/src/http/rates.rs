//! How often something may be tried: so many times at once, and then again and again after some seconds.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often something may be tried.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// Attempts that may be made at once, ...
    burst: u32,
    /// ... and how long it takes until another one may be.
    refill: Duration,
}

/// With one account: who knows the password needs few.
pub const ACCOUNT: Rate = Rate { burst: 10, refill: Duration::from_secs(6) };
/// From one address: behind it may be a whole campus.
pub const ADDRESS: Rate = Rate { burst: 100, refill: Duration::from_secs(1) };

/// So many names are remembered. When there are more, the ones whose attempts are all theirs again are forgotten.
const MOST: usize = 100_000;

/// Attempts, by who made them: for each name the time at which all attempts are free again.
#[derive(Debug, Default)]
pub struct Rates(Mutex<HashMap<String, Instant>>);

impl Rates {
    /// Counts an attempt under a name; false when there were too many.
    pub fn allow(&self, name: &str, rate: Rate) -> bool {
        self.allow_at(name, rate, Instant::now())
    }

    fn allow_at(&self, name: &str, rate: Rate, now: Instant) -> bool {
        let mut free_at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if free_at.len() >= MOST {
            free_at.retain(|_, at| *at > now);
        }
        let at = free_at.get(name).copied().unwrap_or(now).max(now) + rate.refill;
        if at > now + rate.refill * rate.burst {
            return false;
        }
        // A table that is full of attackers lets nobody new in rather than grow.
        if free_at.len() >= MOST && !free_at.contains_key(name) {
            return false;
        }
        free_at.insert(name.to_owned(), at);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_attempts_at_once_and_then_one_in_six_seconds() {
        let (rates, start) = (Rates::default(), Instant::now());
        let allowed = (0..20).filter(|_| rates.allow_at("a", ACCOUNT, start)).count();
        assert_eq!(allowed, 10);
        assert!(rates.allow_at("b", ACCOUNT, start), "others are not concerned");
        assert!(!rates.allow_at("a", ACCOUNT, start + ACCOUNT.refill / 2));
        assert!(rates.allow_at("a", ACCOUNT, start + ACCOUNT.refill));
        assert!(!rates.allow_at("a", ACCOUNT, start + ACCOUNT.refill));
    }
}
