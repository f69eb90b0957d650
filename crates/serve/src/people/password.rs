//! Passwords, kept as argon2id hashes.

use crate::fault::{BUSY, Fault, WEAK_PASSWORD};
use crate::store::secret;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::sync::{Arc, LazyLock, OnceLock, mpsc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Characters that a password needs at least.
const SHORTEST: usize = 10;

/// How many passwords are looked at at a time: each hash takes 19 MiB of memory and some 20 ms of a processor.
const AT_ONCE: usize = 1;
/// The most passwords that wait for that, which takes a second; others are told to come again.
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
    match apart(move |memory| fresh(memory, password.as_bytes())) {
        Some(hash) => hash.map_err(|error| Fault::Failed(format!("argon2: {error}"))),
        None => Err((&BUSY).into()),
    }
}

/// The memory that is filled to hash.
type Memory = Vec<Block>;
type Failure = argon2::password_hash::Error;

/// The hash of a password with a new salt.
fn fresh(memory: &mut Memory, password: &[u8]) -> Result<String, Failure> {
    let (argon2, salt) = (Argon2::default(), Salt::new(&secret::random::<16>())?);
    let hash = Some(output(memory, &argon2, password, &salt)?);
    let params = ParamsString::try_from(argon2.params())?;
    let (algorithm, version) = (Algorithm::default().ident(), Some(Version::default().into()));
    Ok(PasswordHash { algorithm, version, params, salt: Some(salt), hash }.to_string())
}

/// Whether a password has this hash.
fn is_of(memory: &mut Memory, password: &[u8], hash: &str) -> Result<bool, Failure> {
    let hash = PasswordHash::new(hash)?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str())?;
    let version = hash.version.map(Version::try_from).transpose()?.unwrap_or_default();
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash)?);
    match (&hash.salt, &hash.hash) {
        // Outputs are compared in constant time.
        (Some(salt), Some(expected)) => Ok(output(memory, &argon2, password, salt)? == *expected),
        _ => Ok(false),
    }
}

fn output(memory: &mut Memory, argon2: &Argon2<'_>, password: &[u8], salt: &[u8]) -> Result<Output, Failure> {
    memory.resize(argon2.params().block_count(), Block::default());
    let mut out = [0; Output::MAX_LENGTH];
    let length = argon2.params().output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    let out = out.get_mut(..length).ok_or(Failure::OutputSize)?;
    argon2.hash_password_into_with_memory(password, salt, out, memory)?;
    Ok(Output::new(out)?)
}

/// Whether a password has this hash. It takes as long when there is none to compare with, so nobody learns who exists.
pub fn is_right(password: &str, hash: Option<&str>) -> bool {
    static NOBODY: OnceLock<String> = OnceLock::new();
    let nobody = || NOBODY.get_or_init(|| self::hash("nobody has this password", "").unwrap_or_default()).as_str();
    let (password, compared) = (password.to_owned(), hash.unwrap_or_else(nobody).to_owned());
    let verify = move |memory: &mut Memory| is_of(memory, password.as_bytes(), &compared).unwrap_or(false);
    apart(verify).is_some_and(|is_right| is_right) && hash.is_some()
}

/// Hashes on the one thread that does; none if it cannot be had. It uses the same 19 MiB each time: the C library would keep as much,
/// twice or three times over, of what a thread gave back.
fn apart<T: Send + 'static>(work: impl FnOnce(&mut Memory) -> T + Send + 'static) -> Option<T> {
    type Work = Box<dyn FnOnce(&mut Memory) + Send>;
    static THREAD: LazyLock<mpsc::Sender<Work>> = LazyLock::new(|| {
        let (send, receive) = mpsc::channel::<Work>();
        std::thread::spawn(move || {
            let mut memory = Memory::new();
            receive.into_iter().for_each(|work| work(&mut memory));
        });
        send
    });
    let (tell, told) = mpsc::channel();
    // Whoever asked waits for it.
    THREAD.send(Box::new(move |memory| drop(tell.send(work(memory))))).ok()?;
    told.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::PasswordHasher;

    #[test]
    fn only_the_password_itself_is_right() {
        let hashed = hash("correct horse", "1").unwrap();
        assert!(hashed.starts_with("$argon2id$"));
        assert!(is_right("correct horse", Some(&hashed)));
        // As an earlier version kept it.
        let earlier = Argon2::default().hash_password(b"correct horse").unwrap().to_string();
        assert!(is_right("correct horse", Some(&earlier)) && !is_right("correct horsf", Some(&earlier)));
        assert!(!is_right("correct horsf", Some(&hashed)));
        assert!(!is_right("nobody has this password", None));
        assert!(!is_right("x", Some("no hash")));
        assert!(hash("short", "1").is_err() && hash("2020300400", "2020300400").is_err());
    }
}
