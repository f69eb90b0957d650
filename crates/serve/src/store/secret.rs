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

/// The bytes that were written so; none if these were not.
pub fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
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
