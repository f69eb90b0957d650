//! Random ids and secrets. Of a secret only its hash is kept.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Bytes that nobody guesses.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without randomness nothing here is safe, so nothing goes on.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// 128 random bits, 32 hexadecimal digits: an id that nobody guesses.
pub fn new_id() -> String {
    hexadecimal(&random::<16>())
}

/// 256 random bits, 64 hexadecimal digits.
pub fn new_secret() -> String {
    hexadecimal(&random::<32>())
}

/// What is kept of a secret. It has 256 random bits, so a plain hash is enough.
pub fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
