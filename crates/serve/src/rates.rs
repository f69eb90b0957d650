//! How often something may be tried: some times at once, and then once more after each pause.

use crate::fault::{Fault, TOO_MANY};
use crate::store::secret;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// With one account: who knows the password needs few attempts. How many at once, and the pause after which there is another.
const ACCOUNT: (u32, Duration) = (10, Duration::from_secs(6));
/// From one address, behind which may be a whole campus.
const ADDRESS: (u32, Duration) = (100, Duration::from_secs(1));

/// Bodies and streams that one person has under way: some browsers with some pages each, ...
pub const OF_PERSON: usize = 16;
/// ... and those from one address who are not signed in.
pub const OF_ADDRESS: usize = 100;

/// Names that are remembered of each kind. When there are more, those are forgotten whose attempts are all free again.
const MOST: usize = 50_000;

/// Attempts, by who made them.
pub struct Rates<C: Clock = DefaultClock> {
    accounts: Limiter<C>,
    addresses: Limiter<C>,
}

/// A name is remembered by its hash, so that a long one takes no more room than a short one.
type Key = [u8; 32];

type Limiter<C> = RateLimiter<Key, HashMapStateStore<Key>, C, NoOpMiddleware<<C as Clock>::Instant>>;

impl<C: Clock + Clone> Rates<C> {
    /// Nobody has tried anything yet.
    pub fn new(clock: &C) -> Self {
        let limiter = |(burst, pause): (u32, Duration)| {
            let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
            let quota = Quota::with_period(pause).unwrap_or(Quota::per_second(burst)).allow_burst(burst);
            RateLimiter::new(quota, HashMapStateStore::default(), clock.clone())
        };
        Rates { accounts: limiter(ACCOUNT), addresses: limiter(ADDRESS) }
    }

    /// Counts an attempt with an account; false when there were too many.
    pub fn account(&self, number: &str) -> bool {
        allow(&self.accounts, number)
    }

    /// Counts an attempt from an address; false when there were too many.
    pub fn address(&self, address: &str) -> bool {
        allow(&self.addresses, address)
    }
}

fn allow<C: Clock>(limiter: &Limiter<C>, name: &str) -> bool {
    if limiter.len() >= MOST {
        limiter.retain_recent();
    }
    // A table that is full of attackers lets nobody in rather than grow.
    limiter.len() < MOST && limiter.check_key(&secret::hash(name)).is_ok()
}

/// How many things one person does at once that take as long as the person likes: bodies on their way, streams that are watched.
#[derive(Default)]
pub struct Crowd(Arc<Mutex<HashMap<String, usize>>>);

/// A place among them, for as long as it is kept.
pub struct Place {
    crowd: Arc<Mutex<HashMap<String, usize>>>,
    who: String,
}

impl Crowd {
    /// Takes a place, unless whoever it is for has `most` already.
    ///
    /// # Errors
    /// When that is so.
    pub fn enter(&self, who: &str, most: usize) -> Result<Place, Fault> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = known.entry(who.to_owned()).or_default();
        if *count >= most {
            return Err((&TOO_MANY).into());
        }
        *count += 1;
        Ok(Place { crowd: Arc::clone(&self.0), who: who.to_owned() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut known = self.crowd.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = known.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                known.remove(&self.who);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use governor::clock::FakeRelativeClock;

    #[test]
    fn ten_attempts_at_once_and_then_one_in_six_seconds() {
        let clock = FakeRelativeClock::default();
        let rates = Rates::new(&clock);
        assert_eq!((0..20).filter(|_| rates.account("a")).count(), 10);
        assert!(rates.account("b") && rates.address("a"), "others are not concerned");
        clock.advance(ACCOUNT.1 / 2);
        assert!(!rates.account("a"));
        clock.advance(ACCOUNT.1 / 2);
        assert!(rates.account("a") && !rates.account("a"));
    }

    #[test]
    fn a_table_that_is_full_grows_no_more_and_empties_itself_with_time() {
        let clock = FakeRelativeClock::default();
        let rates = Rates::new(&clock);
        assert_eq!((0..MOST + 10).filter(|n| rates.account(&n.to_string())).count(), MOST);
        clock.advance(ACCOUNT.1 * 2);
        assert!(rates.account("somebody new"));
        assert_eq!(rates.accounts.len(), 1);
    }
}
