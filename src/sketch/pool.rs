//! Workers that remember something from one text to the next, each lent to one thread at a time.

use std::sync::{Mutex, PoisonError};

/// The workers that no thread is using.
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool(Mutex::default())
    }
}

impl<T> Pool<T> {
    /// Works with one of them, or with a new one if all are in use.
    pub fn with<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = idle.unwrap_or_else(make);
        let done = work(&mut worker);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        done
    }
}
