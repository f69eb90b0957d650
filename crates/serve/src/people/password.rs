//! Passwords, kept as argon2id hashes.

use crate::fault::{BUSY, Fault, WEAK_PASSWORD};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use std::sync::{Arc, LazyLock, OnceLock, mpsc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Characters that a password needs at least.
const SHORTEST: usize = 10;

/// Each hash takes 19 MiB of memory and some 20 ms of a processor, so passwords are looked at one at a time ...
const AT_ONCE: usize = 1;
/// ... and so many wait for it, which takes a second; others are told to come again.
const WAITING: usize = 48;

/// Whose turn it is to have a password looked at. Who waits holds nothing that others need.
pub struct Turns {
    turns: Arc<Semaphore>,
    places: Semaphore,
}

impl Default for Turns {
    fn default() -> Self {
        Turns { turns: Arc::new(Semaphore::new(AT_ONCE)), places: Semaphore::new(AT_ONCE + WAITING) }
    }
}

impl Turns {
    /// Waits for a turn, which lasts as long as what is given.
    ///
    /// # Errors
    /// When too many wait already.
    pub async fn next(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let Ok(_place) = self.places.try_acquire() else { return Err((&BUSY).into()) };
        Arc::clone(&self.turns).acquire_owned().await.map_err(|_| (&BUSY).into())
    }
}

/// The hash of a new password, as a PHC string.
///
/// # Errors
/// When the password is too short, or is the person's number.
pub fn hash(password: &str, number: &str) -> Result<String, Fault> {
    if password.chars().count() < SHORTEST || password.len() > 1000 || password == number {
        return Err((&WEAK_PASSWORD).into());
    }
    let password = password.to_owned();
    match apart(move || Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string())) {
        Some(hash) => hash.map_err(|error| Fault::Failed(format!("argon2: {error}"))),
        None => Err((&BUSY).into()),
    }
}

/// Whether a password has this hash. It takes as long when there is none to compare with, so nobody learns who exists.
pub fn is_right(password: &str, hash: Option<&str>) -> bool {
    static NOBODY: OnceLock<String> = OnceLock::new();
    let nobody = || NOBODY.get_or_init(|| self::hash("nobody has this password", "").unwrap_or_default()).as_str();
    let (password, compared) = (password.to_owned(), hash.unwrap_or_else(nobody).to_owned());
    let verify = move || Argon2::default().verify_password(password.as_bytes(), compared.as_str()).is_ok();
    apart(verify).is_some_and(|is_right| is_right) && hash.is_some()
}

/// Hashes on the one thread that does; none if it cannot be had. The C library keeps 19 MiB or twice that for each thread that ever
/// hashed, which would come to 400 MB with all that answer requests.
fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    type Work = Box<dyn FnOnce() + Send>;
    static THREAD: LazyLock<mpsc::Sender<Work>> = LazyLock::new(|| {
        let (send, receive) = mpsc::channel::<Work>();
        std::thread::spawn(move || receive.into_iter().for_each(|work| work()));
        send
    });
    let (tell, told) = mpsc::channel();
    // Whoever asked waits for it.
    THREAD.send(Box::new(move || drop(tell.send(work())))).ok()?;
    told.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_password_itself_is_right() {
        let hashed = hash("correct horse", "1").unwrap();
        assert!(hashed.starts_with("$argon2id$"));
        assert!(is_right("correct horse", Some(&hashed)));
        assert!(!is_right("correct horsf", Some(&hashed)));
        assert!(!is_right("nobody has this password", None));
        assert!(!is_right("x", Some("no hash")));
        assert!(hash("short", "1").is_err() && hash("2020300400", "2020300400").is_err());
    }
}
